"""Figures of chapter 9: ridge, the Lasso, searches over subsets.

Draws for the derivations of chapter 9: tables, answers, penalties, weights of which some are 0.
"""

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Lasso

from helpers.derivation import samples
from helpers.methods.proximal_gradient import proximal_gradient, soft_threshold
from helpers.plotting import COLOURS, LINES, figure, show

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


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS


def show_corner(X, y, free, solutions):
    """Level sets of the squared error, and the ball that each solution touches; name → (w, p)."""
    fig, axs = figure(len(solutions), width=9, height=4.2)
    across, up, angles = np.linspace(-30, 80, 120), np.linspace(-56, 52, 120), np.linspace(0, 2 * np.pi, 401)

    def error(w):
        return ((y - X @ w) ** 2).sum()

    E = np.array([[error([a, b]) for a in across] for b in up])
    for ax, (name, (w, p)) in zip(axs, solutions.items(), strict=True):
        others = error(free) + len(y) * np.array([60, 200])
        ax.contour(across, up, E, levels=others, colors="#777777", linewidths=0.9)
        ax.contour(across, up, E, levels=[error(w)], colors=RED, linewidths=1.8)
        ball = np.column_stack([np.cos(angles), np.sin(angles)])
        ball *= (np.linalg.norm(w, p) / np.linalg.norm(ball, p, axis=1))[:, None]
        near = ax.inset_axes((0.02, 0.69, 0.42, 0.3), xticks=[], yticks=[])  # the touching point, magnified
        near.set(xlim=w[0] + np.array([-5, 5]), ylim=w[1] + np.array([-3.5, 3.5]))
        near.contour(across, up, E, levels=[error(w)], colors=RED, linewidths=1.8)
        for place in (ax, near):
            place.fill(*ball.T, alpha=0.3, color=SKY)
        near.plot(*w, "o", color=RED, markersize=5)
        if p == 1:  # the slopes of a side and of the ellipse in the corner
            gain = X.T @ (y - X @ w)
            slope = -gain[0] / gain[1]
            near.text(w[0] - 4.8, w[1] - 0.2, "slope 1", fontsize=9, va="center")
            near.text(w[0] - 1.2, w[1] - 2.2, f"slope {slope:.2f}", fontsize=9, va="center", color=RED)
        ax.plot(*free, "x", color=BLACK, markersize=8, label="least squares")
        ax.plot(*w, "o", color=RED, markersize=8, label="solution")
        ax.set(xlabel="weight of bmi", aspect="equal")
        ax.set_title(f"{name}: weights {w[0]:.1f} and {w[1] + 0:.1f}".replace("-", "−"))
    axs[0].set_ylabel("weight of hdl")
    axs[0].legend(loc="upper right", fontsize=9)
    (lasso, _), (ridge, _) = solutions.values()
    show(
        fig,
        f"Ellipses of equal squared error around the least-squares weights ({free[0]:.1f}, {free[1]:.1f}). "
        "They touch the diamond in its corner, "
        f"where hdl's weight is {abs(lasso[1]):.0f} (slope {slope:.2f}), "
        f"and the disc beside the axis, where it is {ridge[1]:.1f}. Above: magnified.".replace(" -", " −"),
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
