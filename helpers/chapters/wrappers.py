"""Figures of chapter 9: ridge, the Lasso, searches over subsets.

Draws for the derivations of chapter 9: tables, answers, penalties, weights of which some are 0.
"""

from itertools import combinations

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Lasso

from helpers.derivation import samples
from helpers.methods.proximal_gradient import proximal_gradient, soft_threshold
from helpers.plotting import COLOURS, LINES, MARKERS, figure, show

__all__ = [
    "arrived",
    "few_features",
    "hard_race",
    "labelled",
    "minimum",
    "minimum_at_work",
    "one_step",
    "one_try",
    "one_weight",
    "orthonormal_columns",
    "problem",
    "race",
    "standing",
    "steepest_labels",
    "stiffest",
    "stop",
    "tries",
    "two_penalties",
    "worst_direction",
]

# ---- what the derivations draw at random


NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def _some_weights(rng, d):
    return rng.choice([-1, 0, 1], size=d) * rng.uniform(0.5, 2, size=d)


def problem(rng, shape):
    """A table and its factors, answers, a penalty, two sets of weights (some are 0) and a direction."""
    X = samples(rng, shape)
    w, other = _some_weights(rng, shape.d), _some_weights(rng, shape.d)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return {
        "X": X,
        "y": X @ w + rng.normal(size=shape.n),
        "n": shape.n,
        "d": shape.d,
        "lam": rng.uniform(0.5, 5),
        "w": w,
        "w_prime": other,
        "h": rng.normal(size=shape.d),
        "U": U,
        "s": s,
        "V": Vt.T,
    }


def stiffest(rng, shape):
    """Two sets of weights that differ along the first singular direction."""
    drawn = problem(rng, shape)
    return drawn | {"w": 0 * drawn["w"], "w_prime": drawn["V"][:, 0]}


def near(rng, w):
    """Weights close to w."""
    return w + 0.05 * rng.normal(size=w.shape)


def _objective(X, y, lam, w):
    return ((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()


def slope_of_F(X, y, lam, w, h):
    """The limit: between two corners F is a parabola, so two difference quotients give it exactly."""
    at = _objective(X, y, lam, w)
    coarse, fine = ((_objective(X, y, lam, w + t * h) - at) / t for t in (2e-3, 1e-3))
    return 2 * fine - coarse


def worst_direction(rng, shape):
    """The direction that moves only the feature that correlates most, towards the answers."""
    drawn = problem(rng, shape)
    z = drawn["X"].T @ drawn["y"]
    return drawn | {"h": np.where(np.abs(z) == np.abs(z).max(), np.sign(z), 0)}


def _minimiser(X, y, lam):
    """By scikit-learn's solver, whose penalty is lam / 2n."""
    model = Lasso(alpha=lam / (2 * len(y)), fit_intercept=False, tol=1e-14, max_iter=100_000)
    return model.fit(X, y).coef_


def minimum(rng, shape):
    """A table, answers, a penalty that may be too large for any weight, and the Lasso's weights."""
    drawn = problem(rng, shape)
    drawn["lam"] *= rng.choice([1, 1, 100])
    return drawn | {"w": _minimiser(drawn["X"], drawn["y"], drawn["lam"])}


def minimum_at_work(rng, shape):
    """The same with a penalty that leaves features at work."""
    drawn = problem(rng, shape)
    drawn["lam"] = np.abs(drawn["X"].T @ drawn["y"]).max()
    return drawn | {"w": _minimiser(drawn["X"], drawn["y"], drawn["lam"])}


def one_weight(rng):
    """Where a parabola has its vertex, a pull towards 0, and a weight."""
    return {"z": 2 * rng.normal(), "t": rng.uniform(0, 2), "w": rng.normal()}


def lowest(z, t):
    """The minimiser of (w - z)²/2 + t|w|, by search on either side of 0."""
    sides = [
        minimize_scalar(
            lambda w: (w - z) ** 2 / 2 + t * abs(w), bounds=b, method="bounded", options={"xatol": 1e-12}
        )
        for b in ((-20, 0), (0, 20))
    ]
    best = min(sides, key=lambda found: found.fun).x
    return best if abs(best) > 1e-5 else 0.0


def orthonormal_columns(rng):
    """Orthonormal columns, answers, a penalty and weights."""
    X = np.linalg.qr(rng.normal(size=(8, 3)))[0]
    lam = rng.uniform(0, 3)
    return {"X": X, "y": 2 * rng.normal(size=8), "n": 8, "d": 3, "lam": lam, "w": rng.normal(size=3)}


def few_features(rng):
    """A number of features, small enough to try all subsets."""
    return {"d": int(rng.integers(1, 9))}


def one_feature(rng):
    """A single feature."""
    return {"d": 1}


def stop(rng):
    """A number of features, and after how many a search stops."""
    d = int(rng.integers(2, 10))
    return {"d": d, "k": int(rng.integers(1, d))}


def asked(search, d, k):
    """How many subsets a search asks about, when its first k steps help and no other."""
    count = 0

    def score(A):
        nonlocal count
        count += 1
        return -len(A) if len(A) <= k else 1

    search(score, d)
    return count


def tries(rng):
    """A number of features and of tries."""
    return {"d": int(rng.integers(8, 25)), "T": int(rng.integers(1, 100))}


def one_try(rng):
    """A number of features and a single try."""
    return {"d": int(rng.integers(8, 25)), "T": 1}


def _least_squares(X, y):
    L = 2 * np.linalg.norm(X, 2) ** 2  # (9.16)
    return lambda w: ((y - X @ w) ** 2).sum(), lambda w: 2 * X.T @ (X @ w - y), L


def _logistic(X, signs):
    def gradient(w):
        return -X.T @ (signs / (1 + np.exp(signs * (X @ w))))

    return lambda w: np.logaddexp(0, -signs * (X @ w)).sum(), gradient, np.linalg.norm(X, 2) ** 2 / 4


def smooth(rng, shape):
    """A function with a Lipschitz gradient, least squares or the logistic loss, and two places."""
    X, signs = samples(rng, shape), rng.choice([-1.0, 1.0], size=shape.n)
    y = rng.normal(size=shape.n)
    f, gradient, L = _least_squares(X, y) if rng.integers(2) else _logistic(X, signs)
    w, w_0 = rng.normal(size=(2, shape.d))
    return {"X": X, "y": y, "f": f, "gradient": gradient, "L": L, "w": w, "w_0": w_0, "h": w - w_0}


def integral_of_the_turn(gradient, w, w_0):
    """How much the slope changes along the segment, added up by Gauss's rule."""
    h, at = w - w_0, (NODES + 1) / 2
    return sum(c / 2 * (gradient(w_0 + t * h) - gradient(w_0)) @ h for t, c in zip(at, WEIGHTS, strict=True))


def integral_of_the_bound(L, w, w_0):
    """The most that it can change, added up by Gauss's rule."""
    at = (NODES + 1) / 2
    return sum(c / 2 * L * t * ((w - w_0) ** 2).sum() for t, c in zip(at, WEIGHTS, strict=True))


def upper_bound(X, y, w, w_0):
    """The quadratic upper bound of least squares at w_0."""
    f, gradient, L = _least_squares(X, y)
    return f(w_0) + gradient(w_0) @ (w - w_0) + L / 2 * ((w - w_0) ** 2).sum()


def next_weights(X, y, lam, w_0):
    """One proximal step of the Lasso from w_0."""
    return proximal_gradient(X, y, lam, n_iter=1, w=w_0)[0]


def standing(rng, shape):
    """A problem, where one stands, and where one proximal step leads."""
    drawn = problem(rng, shape)
    drawn["w_0"] = rng.normal(size=shape.d)
    return drawn | {"w_plus": next_weights(drawn["X"], drawn["y"], drawn["lam"], drawn["w_0"])}


def _raced(drawn, k, w_star):
    """The problem with k steps of ISTA, where each begins and ends, and where k steps of FISTA lead."""
    where, places = (drawn["X"], drawn["y"], drawn["lam"]), [drawn["w_0"]]
    for _ in range(k):
        places.append(proximal_gradient(*where, n_iter=1, w=places[-1])[0])
    fast = proximal_gradient(*where, accelerate=True, n_iter=k, w=drawn["w_0"])[0]
    before, after = np.array(places[:-1]), np.array(places[1:])
    ends = {"before": before, "after": after, "by_ista": after[-1], "by_fista": fast}
    return drawn | ends | {"k": k, "w_star": w_star}


def race(rng, shape):
    """ISTA and FISTA after k steps from a common start, and a minimiser."""
    drawn = standing(rng, shape)
    return _raced(drawn, int(rng.integers(1, 15)), _minimiser(drawn["X"], drawn["y"], drawn["lam"]))


def one_step(rng, shape):
    """A race of one step."""
    drawn = standing(rng, shape)
    return _raced(drawn, 1, _minimiser(drawn["X"], drawn["y"], drawn["lam"]))


def arrived(rng):
    """Orthonormal columns: the first step of ISTA is the last that moves."""
    drawn = orthonormal_columns(rng) | {"w_0": rng.normal(size=3)}
    return _raced(drawn, int(rng.integers(1, 9)), soft_threshold(drawn["X"].T @ drawn["y"], drawn["lam"] / 2))


def hard_race(rng):
    """Almost no penalty, and a valley so flat that k steps of FISTA lead nowhere; a long or a short way."""
    k, d = int(rng.integers(8, 20)), 3
    U, V = (np.linalg.qr(rng.normal(size=(rows, rows)))[0] for rows in (6, d))
    X = U[:, :d] * np.array([1, 1, 1.6 / k]) @ V.T
    w_0, way = rng.normal(size=d), rng.choice([0.1, 30]) * V[:, 2]
    w_star = w_0 + way
    drawn = {"X": X, "y": X @ w_star + 20 * U[:, d], "n": 6, "d": d, "lam": 1e-14, "w_0": w_0}
    return _raced(drawn, k, w_star)


def two_penalties(rng, shape):
    """A problem with a second penalty."""
    return problem(rng, shape) | {"mu": rng.uniform(0.5, 3)}


def _probabilities(X, w):
    return 1 / (1 + np.exp(-X @ w))


def _with_probabilities(drawn):
    p, other = (_probabilities(drawn["X"], drawn[name]) for name in ("w", "w_prime"))
    return drawn | {"p": p, "p_prime": other}


def labelled(rng, shape):
    """A problem with labels, two sets of weights and their probabilities."""
    drawn = problem(rng, shape)
    drawn["labels"] = rng.choice([-1.0, 1.0], size=shape.n)
    for name in ("w", "w_prime"):
        drawn[name] = drawn[name] / np.linalg.norm(drawn["X"], 2)
    return _with_probabilities(drawn)


def steepest_labels(rng, shape):
    """Weights near 0, where a probability is steepest, that differ along the first singular direction."""
    drawn = labelled(rng, shape)
    step = 1e-3 / drawn["s"][0] ** 2 * drawn["V"][:, 0]
    return _with_probabilities(drawn | {"w": 0 * step, "w_prime": step})


def turn_of_probabilities(X, w, w_prime):
    """The length of Xᵀ(p - p')."""
    return np.linalg.norm(X.T @ (_probabilities(X, w) - _probabilities(X, w_prime)))


def on_subsets(fit_X, fit_y, new_X, subsets):
    """Least squares on each subset of the columns: predictions on new rows, one row a subset."""
    return np.array([new_X[:, A] @ np.linalg.lstsq(fit_X[:, A], fit_y)[0] for A in subsets])


def forward_dial(fit_X, fit_y, new_X, sizes):
    """Forward search by the error in training, stopped at each size from 0 to the largest."""
    A = []
    for _ in range(max(sizes)):
        Q = np.linalg.qr(fit_X[:, A])[0]
        fresh = fit_X - Q @ (Q.T @ fit_X)  # what is new in each feature
        gain = (fresh.T @ fit_y) ** 2 / np.maximum((fresh**2).sum(axis=0), 1e-9)
        gain[A] = -1
        A = [*A, gain.argmax()]
    return on_subsets(fit_X, fit_y, new_X, [A[:k] for k in range(max(sizes) + 1)])


def best_dial(fit_X, fit_y, new_X, sizes):
    """The best subset of each size by the error in training; sizes up to 3 of 64 are 43,745 subsets."""
    gram, products, subsets = fit_X.T @ fit_X + 1e-9 * np.eye(fit_X.shape[1]), fit_X.T @ fit_y, [[]]
    for k in range(1, max(sizes) + 1):
        every = np.array(list(combinations(range(len(products)), k)))
        inner = gram[every[:, :, None], every[:, None, :]]
        w = np.linalg.solve(inner, products[every][..., None])[..., 0]
        subsets.append(every[(products[every] * w).sum(axis=1).argmax()])
    return on_subsets(fit_X, fit_y, new_X, subsets)


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"


def show_wild_fit(x, y, few, grid, curves, weights, off):
    """Three curves through the same points, and the weights behind each; dicts by method."""
    fig, (above, below) = figure(3, 2, width=9.5, height=4.6, height_ratios=(1.5, 1))
    for top, bottom, name in zip(above, below, curves, strict=True):
        top.scatter(x, y, s=5, color="#cccccc", label="422 others")
        top.scatter(x[few], y[few], s=26, color=BLUE, zorder=3, label="20 patients")
        top.plot(grid, curves[name], color=RED)
        top.set(title=name, ylim=(-60, 460), xlim=(grid[0], grid[-1]), xlabel="body mass index")
        bottom.bar(range(1, len(weights[name]) + 1), weights[name], color=RED)
        bottom.axhline(0, color=BLACK, linewidth=0.8)
        bottom.set(xlabel="bump", xticks=(1, 4, 8, 12))
    above[0].set_ylabel("progression")
    below[0].set_ylabel("weight")
    above[0].legend(fontsize=8, loc="upper left")
    largest = {name: np.abs(w).max() for name, w in weights.items()}
    told = "; ".join(f"{name} {largest[name]:,.0f} and {off[name]:,.0f}" for name in curves)
    show(
        fig,
        f"{len(few)} patients, twelve bumps. Largest weight, and typical error on the others: {told}. "
        f"The Lasso uses {np.count_nonzero(weights['Lasso'])} bumps.",
    )


def show_penalties(ridge, lasso, n_few, n_others):
    """Weights and errors against λ; each of both is (lams, weights, error on few, error on others)."""
    fig, axs = figure(2, 2, width=9.5, height=5.2, sharex="col")
    least = []
    for column, (name, (lams, W, own, other)) in zip(
        axs.T, {"ridge": ridge, "Lasso": lasso}.items(), strict=True
    ):
        column[0].semilogx(lams, W, linewidth=1)
        column[0].set(title=f"{name}: twelve weights", ylim=(-400, 400))
        column[1].semilogx(lams, own, color=BLUE, linestyle=LINES[1], label=f"the {n_few} in training")
        column[1].semilogx(lams, other, color=RED, label=f"{n_others} others")
        least.append((name, lams[np.argmin(other)], np.min(other), other[np.argmin(lams)]))
        column[1].plot(*least[-1][1:3], MARKERS[2], color=BLACK)
        column[1].set(xlabel="λ", ylim=(45, 90))
        column[1].invert_xaxis()
    axs[0, 0].set_ylabel("weight")
    axs[1, 0].set_ylabel("typical error")
    axs[1, 0].legend(fontsize=9)
    told = "; ".join(
        f"{name}: {low:.0f} at λ = {lam:.2g}, {end:.0f} at the smallest λ" for name, lam, low, end in least
    )
    show(fig, f"Twelve weights and the error while λ falls. Error on the {n_others} others: {told}.")


def show_corner(X, y, free, solutions):
    """Level sets of the squared error, and the ball that each solution touches; name → (w, p)."""
    fig, axs = figure(len(solutions), width=9, height=4.1)
    grid, angles = np.linspace(-50, 65, 80), np.linspace(0, 2 * np.pi, 401)

    def error(w):
        return ((y - X @ w) ** 2).sum()

    E = np.array([[error([a, b]) for a in grid] for b in grid])
    for ax, (name, (w, p)) in zip(axs, solutions.items(), strict=True):
        levels = sorted([error(w), *(error(free) + len(y) * np.array([60, 700, 1500]))])
        ax.contour(grid, grid, E, levels=levels, colors="#777777", linewidths=0.9)
        ball = np.column_stack([np.cos(angles), np.sin(angles)])
        ball *= (np.linalg.norm(w, p) / np.linalg.norm(ball, p, axis=1))[:, None]
        ax.fill(*ball.T, alpha=0.3, color=SKY)
        ax.plot(*free, "x", color=BLACK, markersize=8, label="least squares")
        ax.plot(*w, "o", color=RED, markersize=8, label="solution")
        ax.set(xlabel="weight of bmi", ylabel="weight of hdl", aspect="equal")
        ax.set_title(f"{name}: weights {w[0]:.1f} and {w[1]:.1f}")
    axs[0].legend(loc="upper left", fontsize=9)
    (lasso, _), (ridge, _) = solutions.values()
    show(
        fig,
        f"Ellipses of equal squared error around the least-squares weights ({free[0]:.1f}, {free[1]:.1f}). "
        f"They touch the diamond in its corner, where hdl's weight is {abs(lasso[1]):.0f}, and the disc "
        f"beside the axis, where it is {ridge[1]:.1f}.".replace(" -", " −"),
    )


def show_corner_share(lams, zeros):
    """How many of two weights are 0 while λ grows; name → counts (lams, tables)."""
    fig, axs = figure(len(zeros), width=9, height=3, sharey=True)
    told = []
    for ax, (name, counts) in zip(axs, zeros.items(), strict=True):
        one, both = (100 * (counts == k).mean(axis=1) for k in (1, 2))
        ax.semilogx(lams, one, "-o", color=RED, label="exactly one is 0: a corner")
        ax.semilogx(lams, both, "--", color=GREY, label="both are 0: no diamond left")
        ax.set(title=name, xlabel="λ", ylim=(-4, 104))
        share = f"up to {one.max():.0f} %" if one.any() else "none"
        told.append(f"{name}: exactly one weight is 0 in {share}")
    axs[0].set_ylabel("% of the tables")
    axs[1].legend(fontsize=9, loc="center right")
    show(fig, f"{zeros['Lasso'].shape[1]} tables of 20 rows, two weights, both planted. {'; '.join(told)}.")


def show_contract(pull, w, lam):
    """How much each feature pulls, and the limits that no pull may pass."""
    fig, ax = figure(width=7, height=3.2)
    at_work = w != 0
    numbers = np.arange(1, len(w) + 1)
    for some, colour, name in ((at_work, RED, "works"), (~at_work, SKY, "idle")):
        ax.bar(numbers[some], pull[some], color=colour, label=name)
    for limit in (-lam, lam):
        ax.axhline(limit, color=BLACK, linestyle=LINES[1], linewidth=1)
    for j in np.flatnonzero(at_work):
        ax.annotate(
            f"w = {w[j]:.2f}",
            (numbers[j], pull[j]),
            xytext=(0, 8 * np.sign(pull[j])),
            textcoords="offset points",
            ha="center",
            va="bottom" if pull[j] > 0 else "top",
            fontsize=9,
        )
    ax.set(xlabel="feature", ylabel="$2\\,x_j^\\top (y - Xw)$", xticks=numbers, ylim=(-1.6 * lam, 1.6 * lam))
    ax.legend(loc="lower right", ncols=2, fontsize=9)
    show(
        fig,
        f"Ten features at the Lasso's minimum, λ = {lam:.0f}. The {at_work.sum()} that work pull with "
        "exactly "
        f"{np.abs(pull[at_work]).max():.0f}, the idle ones with at most {np.abs(pull[~at_work]).max():.0f}.",
    )


def show_one_weight(ways, z, t):
    """Parabola plus absolute value for three places of the vertex; what penalties make of a weight."""
    fig, (left, right) = figure(2, width=9.5, height=3.7)
    w = np.linspace(-1.5, 3, 500)
    for vertex, colour, line in zip((2.0, 1.2, 0.6), (BLUE, RED, GREEN), LINES, strict=False):
        values = (w - vertex) ** 2 / 2 + t * np.abs(w)
        at = values.argmin()
        left.plot(w, values, color=colour, linestyle=line, label=f"z = {vertex}: lowest at {w[at]:.1f}")
        left.plot(w[at], values[at], "o", color=colour)
    left.set(xlabel="w", ylabel="½ (w − z)² + |w|", ylim=(0, 4))
    left.legend(fontsize=9, loc="upper center")
    for (name, kept), line in zip(ways.items(), (":", "--", "-", "-."), strict=True):
        right.plot(z, kept, linestyle=line, label=name)
    right.set(xlabel="least-squares weight", ylabel="weight", title="orthonormal columns, λ = 2")
    right.legend(fontsize=9)
    show(
        fig,
        "Left: a parabola plus |w| is lowest one step nearer to 0, or at 0. Right: ridge divides by 3; "
        f"the Lasso takes 1 off and is exactly 0 on {100 * (ways['Lasso'] == 0).mean():.0f} % of the range; "
        "best "
        "subset keeps it whole or drops it.",
    )


def _apart(heights, gap):
    """Sorted heights pushed apart by at least a gap, as far up as down."""
    up, down = heights.copy(), heights.copy()
    for k in range(1, len(heights)):
        up[k] = max(up[k], up[k - 1] + gap)
        down[-1 - k] = min(down[-1 - k], down[-k] - gap)
    return (up + down) / 2


def show_path(lams, path, names, hdl, gone):
    """The weights against λ, each line named at its end, and how many are not 0."""
    fig, (ax, below) = figure(1, 2, width=8.5, height=5.6, sharex=True, height_ratios=(2.6, 1))
    ends = np.argsort(path[:, -1])
    places = _apart(path[ends, -1], 4.2)
    for rank, j in enumerate(ends):
        thick, colour = (3, RED) if j == hdl else (1.3, (BLUE, GREEN, PINK, ORANGE, BLACK)[rank % 5])
        line = LINES[0] if j == hdl else LINES[rank // 5 + 2 * (rank % 2)]
        ax.semilogx(lams, path[j], color=colour, linestyle=line, linewidth=thick)
        ax.annotate(
            names[j],
            (lams[-1], places[rank]),
            xytext=(5, 0),
            textcoords="offset points",
            fontsize=9,
            color=colour,
            va="center",
        )
    below.semilogx(lams, (path != 0).sum(axis=0), drawstyle="steps-post", color=BLACK)
    for panel in (ax, below):
        panel.axvspan(gone.min(), gone.max(), color="#dddddd")
    ax.plot(lams[[0, -1]], [0, 0], color=BLACK, linewidth=0.6)
    ax.set(ylabel="weight")
    below.set(xlabel="λ", ylabel="not 0", yticks=(0, 5, 10))
    ax.invert_xaxis()
    show(
        fig,
        f"The Lasso's weights while λ falls from {lams[0]:.0f}. hdl (thick) enters with a negative weight, "
        "is 0 "
        f"between λ = {gone.max():.0f} and {gone.min():.0f} (grey), and comes back positive.",
    )


def show_stand_in(computed, ldl, squares):
    """LDL against the formula that makes it; held-out squares of teams, paired; name → one a patient."""
    fig, (left, right) = figure(2, width=9.5, height=3.6)
    left.scatter(computed, ldl, s=8, color=SKY)
    left.axline((100, 100), slope=1, color=BLACK, linewidth=0.8)
    left.set(xlabel="tc − hdl − triglycerides / 5", ylabel="ldl, as the table has it", aspect="equal")
    behind = {name: e - squares["+ tc, ldl"] for name, e in squares.items() if name != "+ tc, ldl"}
    middle = {name: (e.mean(), e.std(ddof=1) / np.sqrt(len(e))) for name, e in behind.items()}
    for place, (gap, se) in enumerate(middle.values()):
        right.errorbar(place, gap, se, marker=MARKERS[place], color=COLOURS[place], capsize=4)
        right.annotate(f"{gap:.0f} ± {se:.0f}", (place, gap), xytext=(9, -3), textcoords="offset points")
    right.axhline(0, color=BLACK, linewidth=0.8)
    right.set_xticks(range(len(middle)), list(middle))
    right.set(ylabel="squared error minus\nthat with + tc, ldl", xlim=(-0.4, len(middle) - 0.2))
    exact = 100 * (np.abs(computed - ldl) < 0.1).mean()
    told = ", ".join(f"{name} {gap:.0f} ± {se:.0f}" for name, (gap, se) in middle.items())
    show(
        fig,
        f"Left: for {exact:.0f} % of the patients ldl is the formula's value to a tenth. Right: beside sex, "
        f"bmi, bp and ltg; held-out squared error minus that with tc and ldl: {told} (mean and standard "
        f"error over {len(ldl)} patients, each averaged over 10 shuffles).",
    )


def show_choice(lams, folds, shuffled, minima, rule, gone, drawn_path):
    """Held-out error against λ under the path: one split and its choices, then twenty shuffles."""
    fig, axs = figure(2, 2, width=9.8, height=5.4, sharex=True, sharey="row", height_ratios=(1, 1.3))
    (path_lams, path, hdl), (left, right) = drawn_path, axs[1]
    for ax in axs[0]:
        ax.semilogx(path_lams, np.delete(path, hdl, axis=0).T, color=GREY, linewidth=0.8)
        ax.semilogx(path_lams, path[hdl], color=RED, linewidth=3)
    axs[0, 0].annotate("hdl", (1300, -12), ha="center", va="top", color=RED)
    mean, se = folds.mean(axis=0), folds.std(axis=0, ddof=1) / np.sqrt(len(folds))
    at, curves = mean.argmin(), shuffled.mean(axis=1)
    left.errorbar(lams, mean, se, color=BLUE, elinewidth=0.5)
    left.axhline(mean[at] + se[at], color=GREY, linestyle=LINES[3])
    for place, line, said in ((lams[at], "-", "least"), (lams[rule], "--", "one-s.e. rule")):
        for ax in axs[:, 0]:
            ax.axvline(place, color=BLACK, linestyle=line, linewidth=1.2, label=f"{said}: λ = {place:.0f}")
    right.semilogx(lams, curves.T, color=SKY, linewidth=0.6)
    right.semilogx(lams, curves.mean(axis=0), color=BLACK, label="mean of 20 shuffles")
    right.plot(minima, curves.min(axis=1), MARKERS[1], color=BLUE, label="the least of each", zorder=3)
    for place in minima:
        axs[0, 1].axvline(place, color=BLUE, linewidth=0.6)
    for ax in axs.flat:
        ax.axvspan(gone.min(), gone.max(), color="#dddddd", zorder=0)
    for ax, title in zip(axs[0], ("the folds in order", "20 times shuffled"), strict=True):
        ax.set(title=title)
    for ax in (left, right):
        ax.set(xlabel="λ", ylim=(2850, 4200), yticks=(3000, 3500, 4000))
        ax.legend(fontsize=9, loc="upper right")
    left.invert_xaxis()
    axs[0, 0].set_ylabel("weight")
    left.set_ylabel("held-out squared error")
    show(
        fig,
        f"The path, and its error on held-out folds; grey: hdl is 0. In order: least at λ = {lams[at]:.0f}, "
        "standard "
        f"error {se[at]:.0f}; the rule takes {lams[rule]:.0f}. Shuffled: the least is anywhere from "
        f"{minima.min():.0f} "
        f"to {minima.max():.0f}.",
    )


def show_subsets(error, best_of, best, against, names):
    """The held-out error of every subset, the best of each size, and best against all, fold by fold."""
    fig, (left, right) = figure(2, width=9.8, height=3.8, width_ratios=(2, 1))
    left.plot([len(A) for A in error], list(error.values()), "o", color=GREY, markersize=3, alpha=0.5)
    sizes = list(best_of)
    left.plot(sizes, [error[best_of[k]] for k in sizes], "-o", color=BLUE, label="best of its size")
    left.plot(len(best), error[best], "D", color=RED, markersize=9, label="best of all")
    left.set(xlabel="features", ylabel="held-out squared error", xticks=sizes)
    left.legend()
    right.bar_label(right.bar(range(1, len(against) + 1), against, color=SKY), fmt="%.0f", fontsize=9)
    middle, se = against.mean(), against.std(ddof=1) / np.sqrt(len(against))
    right.errorbar(len(against) + 1.2, middle, se, marker="D", color=RED, capsize=5)
    right.set_xticks([*range(1, len(against) + 1), len(against) + 1.2], [*range(1, len(against) + 1), "mean"])
    right.set(
        xlabel="fold", title="all ten minus best", ylim=(min(0, against.min() - 15), 1.1 * against.max())
    )
    show(
        fig,
        f"The held-out error of all {len(error)} subsets. The best has {len(best)}: "
        f"{', '.join(names[list(best)])}; "
        f"its error is {error[best]:.0f}, with all ten {error[best_of[max(sizes)]]:.0f}. Fold by fold the "
        "difference "
        f"is {middle:.0f} ± {se:.0f}.",
    )


def show_greedy(best_of, error, steps, hdl, scores):
    """Forward search beside the best subset of each size, and how far five folds can tell them apart."""
    fig, ax = figure(width=7.5, height=3.7)
    greedy = {len(A): e for A, e in steps}
    sizes = [k for k in best_of if k > 2]
    best = np.array([error[best_of[k]] for k in sizes])
    se = np.array([scores[best_of[k]].std(ddof=1) / np.sqrt(5) for k in sizes])
    ax.fill_between(
        sizes, best - se, best + se, color=SKY, alpha=0.25, label="± one standard error (5 folds)"
    )
    ax.plot(sizes, best, "-o", label="best of its size")
    ax.plot([k for k in greedy if k > 2], [greedy[k] for k in greedy if k > 2], "--^", label="forward search")
    for k, e in zip(sizes, best, strict=True):
        said, shift = ("hdl", 8) if hdl in best_of[k] else ("no hdl", -16)
        ax.annotate(
            said, (k, e), xytext=(0, shift), textcoords="offset points", fontsize=9, ha="center", color=RED
        )
    ax.set(xlabel="features", ylabel="held-out squared error")
    ax.legend(fontsize=9)
    paired = [scores[tuple(sorted(A))] - scores[best_of[len(A)]] for A, _ in steps]
    worst = max(paired, key=np.mean)
    show(
        fig,
        "Forward search agrees with the best subset up to 5 features. The best 6 leave out hdl, which it "
        "cannot give "
        f"back: it is at most {worst.mean():.1f} ± {worst.std(ddof=1) / 5**0.5:.0f} behind, fold by fold.",
    )


def show_xor(X, y, found):
    """Two features whose signs decide together, one alone, and how often each search finds the pair."""
    fig, (left, middle, right) = figure(3, width=9.8, height=3.3, width_ratios=(1.2, 1.2, 1))
    for value, colour, marker in ((0, BLUE, MARKERS[0]), (1, RED, MARKERS[1])):
        left.scatter(*X[y == value, :2].T, s=14, color=colour, marker=marker, label=f"class {value}")
    left.set(xlabel="feature 1", ylabel="feature 2", title="together")
    middle.hist([X[y == 0, 0], X[y == 1, 0]], bins=8, color=(BLUE, RED))
    middle.set(xlabel="feature 1", title="alone", ylabel="rows", yticks=range(0, 16, 5))
    left.legend(fontsize=8, loc="upper center", ncols=2)
    left.set(ylim=(-2, 2.4))
    counts = {name: sum(hits) for name, hits in found.items()}
    right.bar_label(right.bar(list(counts), list(counts.values()), color=(SKY, GREEN)))
    many = len(next(iter(found.values())))
    right.set(ylim=(0, 1.1 * many), yticks=range(0, many + 1, 5), title=f"finds the pair, of {many} draws")
    told = ", ".join(f"{name} search {hits} times" for name, hits in counts.items())
    show(
        fig, f"The product of two signs is the class; three more features are noise. Of {many} draws: {told}."
    )


def show_rfe(first, later, measured, names, three_measured, three_scaled):
    """Weights of two copies and a weaker feature, before and after a copy leaves; weights in raw units."""
    fig, axs = figure(3, width=9.8, height=3.3, width_ratios=(1, 0.8, 2))
    axs[0].bar(range(3), np.abs(first), color=(SKY, SKY, RED), tick_label=("copy", "copy", "v"))
    axs[1].bar(range(2), np.abs(later), color=(SKY, RED), tick_label=("copy", "v"))
    for ax, title in zip(axs, ("all three", "one copy gone"), strict=False):
        ax.set(title=title, ylabel="|weight|", ylim=(0, 1.5))
    colours = [GREEN if name in three_measured else SKY for name in names]
    size = dict(zip(names, np.abs(measured), strict=True))
    tall = [name for name in names if name not in three_measured
            and size[name] > min(size[kept] for kept in three_measured)]  # fmt: skip
    axs[2].bar(range(len(names)), np.abs(measured), color=colours, tick_label=list(names))
    axs[2].set(yscale="log", title="the patients, units as measured", ylabel="|weight|")
    show(
        fig,
        f"Two copies share a weight of {np.abs(first[:2]).sum():.1f}, so v's {abs(first[2]):.1f} looks "
        "largest; alone, a "
        f"copy has {abs(later[0]):.1f}. Right: as measured RFE keeps {', '.join(three_measured)} (green), "
        f"standardised {', '.join(three_scaled)}. The tall bar of {' and '.join(tall)} falls when others "
        "leave.",
    )


def show_steps_1d(walks):
    """Gradient descent on a parabola with four steps, a dict name → places."""
    fig, axs = figure(len(walks), width=9.8, height=2.7, sharey=True)
    x = np.linspace(-2.6, 2.6, 200)
    for ax, (name, places) in zip(axs, walks.items(), strict=True):
        ax.plot(x, x**2 / 8, color=GREY)
        ax.plot(places, places**2 / 8, "-o", color=RED, markersize=4, linewidth=1)
        ax.set(title=name, xlim=(-2.6, 2.6), ylim=(-0.05, 0.85), xlabel="w")
    axs[0].set_ylabel("f(w) = w² / 8")
    told = "; ".join(f"{name}: {places[-1]:.2g}" for name, places in walks.items())
    show(fig, f"Gradient descent from 1 on w²/8, six steps of 1/L. It ends at: {told}.")


def show_bound(x, f, above, taylor, x0, bottom):
    """A function, its quadratic upper bound and its Taylor parabola."""
    fig, ax = figure(width=6.8, height=3.6)
    for values, name, line, colour in (
        (f, "f: logistic loss", "-", BLUE),
        (above, "quadratic upper bound", "--", RED),
        (taylor, "Taylor's parabola", "-.", GREEN),
    ):
        ax.plot(x, values, linestyle=line, color=colour, label=name)
    at = np.abs(x - x0).argmin()
    ax.plot([x0, bottom], [f[at], above.min()], "o", color=BLACK)
    ax.annotate("$w_0$", (x0, f[at]), xytext=(6, -14), textcoords="offset points")
    ax.annotate("z", (bottom, above.min()), xytext=(0, 8), textcoords="offset points")
    ax.set(ylim=(-1.5, 8), xlabel="w")
    ax.legend()
    show(
        fig,
        f"The bound touches the function at {x0:.0f} and lies above it elsewhere; its bottom z = "
        f"{bottom:.1f} is one "
        f"gradient step away. Taylor's parabola dives below on {100 * (taylor < f).mean():.0f} % of the "
        "range.".replace(" -", " −"),
    )


def show_prox(prox, t):
    """Where three proximal operators send the points of a grid."""
    fig, axs = figure(len(prox), width=9.8, height=3.5)
    points = np.array([(a, b) for a in np.linspace(-2, 2, 7) for b in np.linspace(-2, 2, 7)])
    stay = {}
    for ax, (name, operator) in zip(axs, prox.items(), strict=True):
        ends = np.array([operator(p, t) for p in points])
        move = ends - points
        ax.quiver(*points.T, *move.T, angles="xy", scale_units="xy", scale=1, color=SKY, width=0.006)
        ax.scatter(*ends.T, s=14, color=RED, zorder=3)
        ax.set(title=name, aspect="equal", xlim=(-2.3, 2.3), ylim=(-2.3, 2.3), xlabel="$w_1$")
        stay[name] = (ends == 0).any(axis=1).sum(), (ends == 0).all(axis=1).sum()
    axs[0].set_ylabel("$w_2$")
    soft, _, group = stay.values()
    show(
        fig,
        f"Where prox sends {len(points)} points, t = {t:.0f}. Soft puts {soft[0]} of them on an axis, "
        f"{soft[1]} at the "
        f"origin. Group moves straight to the origin, and {group[1]} arrive. Box sends all that is outside "
        "to its walls.",
    )


def show_on_contours(X, y, lam, steps, L, turns):
    """Proximal steps on level sets: gradient arrow, shrink arrow; coordinate descent beside them."""
    fig, (left, right) = figure(2, width=9.5, height=3.9)
    a, b = np.linspace(-4, 48, 90), np.linspace(-34, 6, 90)
    values = np.array([[((y - X @ [p, q]) ** 2).sum() + lam * (abs(p) + abs(q)) for p in a] for q in b])
    low = values.min()
    for ax in (left, right):
        ax.contour(a, b, values, levels=low + np.geomspace(8e3, 1e6, 9), colors="#bbbbbb", linewidths=0.8)
        ax.axhline(0, color=GREY, linewidth=0.8)
        ax.axvline(0, color=GREY, linewidth=0.8)
        ax.set(xlabel="weight of bmi", aspect="equal")
    for w, after in zip(steps[:-1], steps[1:], strict=True):
        z = w - 2 * X.T @ (X @ w - y) / L
        for start, end, colour in ((w, z, BLACK), (z, after, RED)):
            left.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.5,
                                                      "shrinkA": 0, "shrinkB": 0})  # fmt: skip
    left.set(ylabel="weight of hdl", title="ISTA: gradient (black), shrink (orange)")
    corners = [turns[0]]
    for before, after in zip(turns[:-1], turns[1:], strict=True):
        corners += [np.array([after[0], before[1]]), after]
    right.plot(*np.array(corners).T, "-o", color=GREEN, markersize=4)
    right.set_title("coordinate descent: one weight at a time")
    end = turns[-1]
    for ax in (left, right):
        ax.plot(*end, "x", color=BLUE, markersize=10, markeredgewidth=2, zorder=5, label="minimum")
        ax.legend(fontsize=9, loc="lower left")
    show(
        fig,
        f"The Lasso for bmi and hdl, λ = {lam:.0f}. Both walks start at 0; the minimum is ({end[0]:.1f}, "
        f"{end[1]:.1f}). After 3 sweeps coordinate descent is at ({turns[3][0]:.1f}, {turns[3][1]:.1f}), "
        f"after {len(steps) - 1} steps ISTA at ({steps[-1][0]:.1f}, {steps[-1][1]:.1f}).".replace(" -", " −"),
    )


def show_convergence(gap, bounds, runs, goal):
    """The objective above its minimum for each method, step by step, as far as a thousandth."""
    fig, ax = figure(width=8, height=4)
    for (name, values), colour, line in zip(gap.items(), COLOURS, (*LINES, LINES[0]), strict=False):
        ax.loglog(np.arange(1, len(values)), np.where(values[1:] > 1e-3, values[1:], np.nan), color=colour,
                  linestyle=line, linewidth=0.8 if "sub" in name else 1.8,
                  label=f"{name}: {np.count_nonzero(runs[name][-1])} weights not 0")  # fmt: skip
    for (name, values), colour in zip(bounds.items(), COLOURS, strict=False):
        k = np.arange(1, len(values) + 1)
        ax.loglog(k, values, color=colour, linewidth=0.7)
        ax.annotate(f"{name}: at most", (k[-1], values[-1]), xytext=(4, 0), textcoords="offset points",
                    color=colour, fontsize=8, va="center", annotation_clip=False)  # fmt: skip
    ax.set(xlabel="steps, or sweeps (a sweep costs what a step costs)", ylabel="objective above its minimum",
           xlim=(0.9, 1000), ylim=(8e-4, 3e9))  # fmt: skip
    ax.legend(fontsize=9, loc="upper right", ncols=2)
    told = ", ".join(f"{v[100]:.2g} ({name})" for name, v in gap.items() if "sub" not in name)
    late = ", ".join(f"{v[-100:].mean():.0f} ({name})" for name, v in gap.items() if "sub" in name)
    show(
        fig,
        f"Ten measurements, λ = 900, {np.count_nonzero(goal)} weights not 0 at the minimum. Gap after 100 "
        f"steps: {told}; on average after 900 to 1000: {late}.",
    )


def show_race(levels, races):
    """Held-out error of the methods at some ratios of signal to noise; truth → name → (seeds, levels)."""
    fig, axs = figure(len(races), width=9.8, height=3.9, sharey=True)
    told = []
    for ax, (truth, errors) in zip(axs, races.items(), strict=True):
        for place, (name, values) in enumerate(errors.items()):
            x = np.arange(len(levels)) + 0.14 * (place - 1.5)
            se = values.std(axis=0, ddof=1) / np.sqrt(len(values))
            ax.plot(np.tile(x, len(values)), values.ravel(), ".", color=COLOURS[place], alpha=0.2,
                    markersize=4)  # fmt: skip
            ax.errorbar(x, values.mean(axis=0), se, fmt=MARKERS[place], color=COLOURS[place], markersize=7,
                        capsize=3, label=name)  # fmt: skip
        ax.axhline(1, color=BLACK, linewidth=0.8, linestyle=LINES[1], label="always the mean")
        ax.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        ax.set(xlabel="signal / noise (variances)", title=truth, ylim=(-0.06, 4))
        ends = (f"{name} {v.mean(axis=0)[0]:.2f} and {v.mean(axis=0)[-1]:.2f}" for name, v in errors.items())
        told.append(f"{truth}: {', '.join(ends)}")
    above = sum((v > 4).sum() for errors in races.values() for v in errors.values())
    axs[0].set_ylabel("error / variance of the signal")
    axs[-1].legend(fontsize=9, loc="upper right", ncols=2)
    show(
        fig,
        f"40 rows, 60 features, {len(values)} draws. Mean error (bars: standard error) with most and with "
        f"least noise; {'; '.join(told)}. Always saying the mean has 1. "
        f"Draws above 4, not shown: {above}.",
    )


def show_sharing(shares):
    """Weights of two near copies on fresh rows, for each method an array (draws, 2)."""
    fig, axs = figure(len(shares), width=7.5, height=3.7, sharex=True, sharey=True)
    for ax, (name, W) in zip(axs, shares.items(), strict=True):
        ax.scatter(*W.T, s=24, color=RED, alpha=0.7, zorder=3)
        ax.axline((0, 0), slope=1, color=GREY, linewidth=0.8)
        ax.set(title=name, xlabel="weight of copy 1", xlim=(-0.2, 3.2), ylim=(-0.2, 3.2), aspect="equal")
    axs[0].set_ylabel("weight of copy 2")
    told = "; ".join(f"{name} {np.abs(np.diff(W, axis=1)).mean():.2f}" for name, W in shares.items())
    first, second = (shares["Lasso"] == 0).sum(axis=0)
    both = (shares["Lasso"] != 0).all(axis=1).sum()
    show(
        fig,
        f"Two near copies, {len(shares['Lasso'])} times fresh rows. The weights differ on average by: "
        f"{told}. The "
        f"Lasso leaves the first copy out {first} times, the second {second} times, neither {both} times.",
    )


def show_C(kept, few, held, most):
    """Weights that are not 0 against C, name → (C, counts); accuracy on held-out folds, and of one answer."""
    fig, (left, right) = figure(2, width=9.8, height=3.6)
    for (name, (Cs, many)), line, marker in zip(kept.items(), LINES, MARKERS, strict=False):
        left.semilogx(Cs, many, linestyle=line, marker=marker, markersize=3, label=name)
    Cs, many = kept["L1 logistic"]
    falls = np.flatnonzero(np.diff(many) < 0)
    left.plot(Cs[falls + 1], many[falls + 1], "v", color=BLACK, markersize=7, label="fewer, though C grew")
    left.set(xlabel="C", ylabel="weights that are not 0", ylim=(-1, 38))
    left.legend(fontsize=8, ncols=2, loc="upper left")
    middle, spread = 100 * held.mean(axis=1), 100 * held.std(axis=1, ddof=1)
    right.errorbar(few, middle, spread, marker=MARKERS[0], capsize=3)
    right.set(xscale="log", xlabel="C", ylabel="L1 logistic: held-out accuracy (%)")
    at = np.abs(Cs - 0.1).argmin()
    show(
        fig,
        f"569 tumours. With C = {Cs[at]:.2f} L1 logistic keeps {many[at]} of 30 features, L2 all at every "
        f"C. Over {len(Cs)} values of C the number falls {len(falls)} times as C grows. The highest of "
        f"{len(few)} held-out accuracies, so a little too good: {middle.max():.0f} ± "
        f"{spread[middle.argmax()]:.0f} %. Always the larger class: {100 * most:.0f} %.",
    )


def show_stability(choices, stable, names, by_chance):
    """Which features were chosen on each half, dark."""
    fig, axs = figure(len(choices), width=9.5, height=3.8, sharey=True)
    for ax, (name, sets) in zip(axs, choices.items(), strict=True):
        table = [[j in A for A in sets] for j in range(len(names))]
        ax.imshow(table, aspect="auto", cmap="Greys", vmin=0, vmax=1.4)
        ax.set(title=f"{name}: stability {stable[name]:.2f}", xlabel="half of the patients")
        ax.set(xticks=(0, 9, 19), xticklabels=(1, 10, 20))
        ax.set_yticks(range(len(names)), names)
        ax.grid(False)
    told = ", ".join(f"{name} {value:.2f}" for name, value in stable.items())
    show(
        fig,
        f"Which four measurements were chosen (dark) on twenty halves. Mean Jaccard index: {told}, "
        f"by chance {by_chance:.2f}.",
    )


def show_shares(share, names, cut, false, once):
    """In which share of halves each feature was chosen, noise included, and what a single fit chooses."""
    fig, ax = figure(width=9.5, height=3.3)
    places = np.arange(len(share))
    real = places < len(names)
    ax.bar(places[real], share[real], color=BLUE, label="measurements")
    ax.bar(places[~real], share[~real], color=GREY, label="noise")
    ax.plot(sorted(once), np.full(len(once), 1.06), "v", color=RED, label=f"one fit's first {len(once)}")
    ax.axhline(cut, color=BLACK, linestyle=LINES[1], linewidth=1)
    ax.set_xticks(places, [*names, *[""] * (~real).sum()], rotation=60)
    ax.set(ylabel="share of 50 halves", ylim=(0, 1.3), yticks=(0, 0.5, 1))
    ax.legend(fontsize=9, ncols=3, loc="upper right")
    kept, wrong = share >= cut, sum(j >= len(names) for j in once)
    show(
        fig,
        f"Ten measurements and {(~real).sum()} columns of noise. Chosen in {100 * cut:.0f} % or more: "
        f"{kept.sum()}, of "
        f"them noise {(kept & ~real).sum()} (bound {false:.1f}). The first {len(once)} of one fit hold "
        f"{wrong} of noise.",
    )
