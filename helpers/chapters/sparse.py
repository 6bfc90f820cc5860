"""Figures of chapter 10: sparse coding and K-SVD.

Draws for the derivations of chapter 10: samples, atoms and codes stand in columns, as on its paper.

Beside the draws stand what a derivation is told: atoms left out, the codes and atoms at which a bound is met.
"""

from itertools import combinations

import numpy as np
from matplotlib.patches import Rectangle
from scipy.optimize import minimize

from helpers.derivation import samples
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, show

__all__ = [
    "best_codes",
    "chosen",
    "coded",
    "dictionary",
    "minimum",
    "minimum_at_work",
    "one_atom",
    "pieces",
    "rest",
    "some_matrix",
    "top_triple",
    "two_codes",
]

# ---- what the derivations draw at random


def _unit(columns):
    return columns / np.linalg.norm(columns, axis=0)


def dictionary(rng, shape):
    """Samples X, more atoms than features B, sparse codes A, an atom j that somebody uses."""
    k = shape.d + 2
    A = rng.normal(size=(k, shape.n)) * (rng.uniform(size=(k, shape.n)) < 0.5)
    j = int(rng.integers(k))
    A[j, :2] = rng.normal(size=2)
    X, B = samples(rng, shape).T, _unit(rng.normal(size=(shape.d, k)))
    sizes = {"n": shape.n, "d": shape.d, "k": k, "j": j + 1}
    return {"X": X, "B": B, "A": A, **sizes, "c": rng.uniform(2, 9), "lam": rng.uniform(0.5, 2)}


def one_atom(rng, shape):
    """A residual and an atom of length 1."""
    return {"r": samples(rng, shape)[0], "b": _unit(rng.normal(size=shape.d))}


def chosen(rng, shape):
    """A sample, and one or two chosen atoms."""
    s = min(2, shape.d)
    return {"x": samples(rng, shape)[0], "B_S": _unit(rng.normal(size=(shape.d, s))), "s": s}


def _lasso(B, x, lam):
    """The L1 code by a solver that knows nothing of sparse coding: codes split into their two signs."""
    k = B.shape[1]
    both = np.hstack([B, -B])

    def value(c):
        left = x - both @ c
        return left @ left + lam * c.sum(), lam - 2 * both.T @ left

    options = {"maxiter": 20_000, "maxfun": 200_000, "ftol": 1e-16, "gtol": 1e-10}
    c = minimize(value, np.zeros(2 * k), jac=True, bounds=[(0, None)] * (2 * k), options=options).x
    return _polished(B, x, lam, c[:k] - c[k:])


def _polished(B, x, lam, code):
    """The same support to the last digit: its equations are linear once the signs are known."""
    on = np.abs(code) > 1e-6
    fine, S = np.zeros_like(code), B[:, on]
    fine[on] = np.linalg.lstsq(S.T @ S, S.T @ x - lam / 2 * np.sign(code[on]))[0]
    return fine


def minimum(rng, shape):
    """A sample, a dictionary, a penalty and the code that is best for them."""
    x, B = samples(rng, shape)[0], _unit(rng.normal(size=(shape.d, shape.d + 2)))
    lam = 2 * np.abs(B.T @ x).max() * rng.uniform(0.2, 1.2)
    return {"x": x, "B": B, "lam": lam, "alpha": _lasso(B, x, lam)}


def minimum_at_work(rng, shape):
    """The same with a penalty at which some atom works."""
    x, B = samples(rng, shape)[0], _unit(rng.normal(size=(shape.d, shape.d + 2)))
    lam = np.abs(B.T @ x).max()
    return {"x": x, "B": B, "lam": lam, "alpha": _lasso(B, x, lam)}


def coded(rng, shape):
    """`dictionary`, and an atom b that may take the place of atom j."""
    return {**dictionary(rng, shape), "b": rng.normal(size=shape.d)}


def some_matrix(rng, shape):
    """Any matrix."""
    return {"M": samples(rng, shape).T}


def rest(rng, shape):
    """What the other atoms leave, an atom of length 1, its codes (some are 0), and its users."""
    E, a = samples(rng, shape).T, rng.normal(size=shape.n)
    a[2:] *= rng.uniform(size=shape.n - 2) < 0.5
    users = a != 0
    used = {
        "omega": 1 + np.flatnonzero(users),
        "E_omega": E[:, users],
        "a_omega": a[users],
        "m": int(users.sum()),
    }
    return {"E": E, "b": _unit(rng.normal(size=shape.d)), "a": a, "n": shape.n, "d": shape.d, **used}


def best_codes(rng, shape):
    """The same with the best codes for the atom."""
    drawn = rest(rng, shape)
    return drawn | {"a": drawn["E"].T @ drawn["b"]}


def top_triple(rng, shape):
    """The same with the first left singular vector for an atom."""
    drawn = rest(rng, shape)
    return drawn | {"b": np.linalg.svd(drawn["E"])[0][:, 0]}


def pieces(rng):
    """Pieces of length 3 of a row of 6 pixels, the matrices that cut them out, and some picture z."""
    cuts, p = np.array([np.eye(6)[i : i + 3] for i in range(4)]), rng.normal(size=(4, 3))
    counts = cuts.sum(axis=(0, 1))
    means = np.einsum("ijl,ij->l", cuts, p) / counts
    return {"R": cuts, "p": p, "z": rng.normal(size=6), "counts": counts, "means": means}


def two_codes(rng, shape):
    """Two codes of one sample, the difference of which is a sparse vector of the null space of B."""
    d, k = shape.d, shape.d + 2
    B = _unit(rng.normal(size=(d, k)))
    on = rng.permutation(k)[: d + 1]
    null = np.zeros(k)
    null[on] = np.linalg.svd(B[:, on])[2][-1]
    alpha = rng.normal(size=k) * (rng.uniform(size=k) < 0.4)
    shared = rng.uniform(size=k) < 0.5
    alpha = np.where(shared, -null, alpha)
    return {"B": B, "alpha": alpha, "alpha_prime": alpha + null, "k": k, "d": d, "p": spark(B)}


def spark(B):
    """The fewest columns of B that are linearly dependent, by trying; inf where none are."""
    d, k = B.shape
    for size in range(1, min(d + 1, k) + 1):
        if any(np.linalg.matrix_rank(B[:, list(c)], tol=1e-9) < size for c in combinations(range(k), size)):
            return size
    return np.inf


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY, FRAME = "#999999", "#b9d4ea"


def _tiles(axs, patches, titles=None, own=True):
    """Patches as pictures; each on its own grey scale, 0 in the middle, or all on one."""
    side = int(np.sqrt(np.shape(patches)[-1]))
    for i, (ax, p) in enumerate(zip(np.ravel(axs), patches, strict=True)):
        reach = np.abs(p).max() if own else np.abs(patches).max()
        grid_of_images([ax], [p.reshape(side, side)], [titles[i]] if titles else None, -reach, reach)
        ax.spines[:].set(visible=True, color=GREY)


def show_strokes(image, corner, patch, code, atoms):
    """The photograph with a frame around one patch; the patch, its strokes and their sum."""
    fig = figure(width=9.5, height=3)[0]
    fig.clear()
    left, right = fig.subfigures(1, 2, width_ratios=(1, 2.4))
    ax = left.subplots()
    grid_of_images([ax], [image])
    size, half = int(np.sqrt(len(patch))), image.shape[1] / 2
    ax.add_patch(Rectangle(corner, size, size, fill=False, edgecolor=RED, linewidth=2))
    ground = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
    place = np.add(corner, (45, 45))
    ax.annotate("this patch", corner, place, color=RED, fontsize=9, bbox=ground)
    ax.axvline(half, color="white", linewidth=1, linestyle=LINES[1])
    ax.set_title("learned from | never seen", fontsize=9)
    strokes = np.argsort(-np.abs(code))[: np.count_nonzero(code)]
    built = code @ atoms
    rows = right.subplots(2, len(strokes) + 2)
    top = [patch, *atoms[strokes], built]
    _tiles(rows[0], top, ["the patch", *(f"atom {j}" for j in strokes), "their sum"])
    below = [patch, *(code[strokes, None] * atoms[strokes]), built]
    _tiles(rows[1], below, ["", *(f"× {code[j]:+.2f}" for j in strokes), "their sum"], own=False)
    rows[1][0].set_visible(False)
    rows[0][-1].set_visible(False)
    for k, sign in enumerate([*["+"] * (len(strokes) - 1), "="], start=1):
        rows[1][k].text(1.13, 0.5, sign, transform=rows[1][k].transAxes, ha="center", va="center")
    error = np.sqrt(((built - patch) ** 2).mean())
    show(
        fig,
        f"A patch of {len(patch)} pixels that was not seen in learning, and {len(strokes)} of {len(atoms)} "
        "atoms. Each times its number (below, on one grey scale), added up, gives the patch but for "
        f"{error:.2f} (root mean square), on a scale from 0 to 1.",
    )


def show_blocks(X, B, A):
    """X ≈ BA to one scale, samples in columns as on paper; zeros of A are white."""
    all_atoms, used = len(B), A.any(axis=0)
    X, B, A = X.T, B[used].T, A[:, used].T
    (d, n), k = X.shape, len(A)
    fig, ax = figure(width=9, height=3.3)
    left = 0
    for name, M, said in (("X", X, f"{d} × {n}"), ("B", B, f"{d} × {k}"), ("A", A, f"{k} × {n}")):
        reach = np.abs(M).max() * {"X": 1, "B": 0.6, "A": 0.25}[name]
        rows, columns = M.shape
        shown = np.ma.masked_equal(M, 0) if name == "A" else M
        ax.imshow(shown, cmap="gray" if name != "A" else "PuOr", vmin=-reach, vmax=reach,
                  extent=(left, left + columns, -rows, 0), zorder=2)  # fmt: skip
        ax.add_patch(Rectangle((left, -rows), columns, rows, fill=False, edgecolor=GREY, linewidth=0.8))
        ax.text(left + columns / 2, 6, f"{name}   {said}", ha="center", va="bottom")
        if name != "A":
            ax.text(left + columns + 16, -d / 2, "≈" if name == "X" else "·", ha="center", fontsize=18)
        left += columns + 32
    ax.set(xlim=(-5, left - 20), ylim=(-k - 4, 30), aspect="equal")
    ax.set_axis_off()
    many = (A != 0).sum(axis=0)
    show(
        fig,
        f"To scale: {n} patches in the columns of X, in the columns of B the {k} of {all_atoms} atoms that "
        "they use, "
        f"and the codes. Every column of A has {many.max()} numbers that are not 0 (violet above 0, orange "
        "below).",
    )


def show_pursuits(plane, target, ways, lengths):
    """Steps of both pursuits towards a point of the plane, numbered; lengths of the residual on a patch."""
    fig, (left, right) = figure(2, width=9.5, height=3.8)
    for j, atom in enumerate(plane):
        arrow = {"arrowstyle": "-|>", "color": GREY, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
        left.annotate("", atom, (0, 0), arrowprops=arrow)
        left.annotate(f"atom {j + 1}", atom, (3, -3), textcoords="offset points", color=GREY, fontsize=9)
    names = "matching pursuit", "orthogonal"
    for i, (name, way) in enumerate(zip(names, ways.values(), strict=True)):
        left.plot(*way.T, LINES[i], marker=MARKERS[i], color=COLOURS[i], label=name)
        for step, point in enumerate(way[1:4] if i == 0 else way[2:], start=1 + i):
            place = ((-4, 7), (8, 4))[i]
            left.annotate(step, point, place, textcoords="offset points", color=COLOURS[i], fontsize=9)
    left.plot(*target, "*", color=BLACK, markersize=13, zorder=0, alpha=0.6)
    left.set(aspect="equal", xlim=(-0.05, 1.6), ylim=(-0.05, 1.25), title="two atoms, one target (star)")
    left.set(xlabel="first coordinate", ylabel="second")
    for i, (name, line) in enumerate(zip(names, lengths.values(), strict=True)):
        right.plot(range(1, len(line) + 1), line, LINES[i], marker=MARKERS[i], color=COLOURS[i], label=name)
    right.set(xlabel="steps", ylabel="length of the residual", title="the framed patch", ylim=(0, None))
    right.legend()
    plain, orthogonal = ways.values()
    show(
        fig,
        f"Left: OMP is at the target after {len(orthogonal) - 1} steps, matching pursuit is off by "
        f"{np.linalg.norm(plain[2] - target):.2f} then and by {np.linalg.norm(plain[-1] - target):.3f} after "
        f"{len(plain) - 1}. Right: after {len(line)} steps the residual of the patch has length "
        f"{lengths['omp'][-1]:.2f} with refitting and {lengths['matching_pursuit'][-1]:.2f} without.",
    )


def show_greed(best, greedy):
    """How much more than the best pair OMP's pair leaves, of how many patches."""
    fig, ax = figure(width=7, height=2.6)
    more = 100 * (greedy / best - 1)
    same = more < 1e-6
    edges = np.arange(0, np.ceil(more.max() / 2.5) + 1) * 2.5
    ax.barh(-1.25, same.sum(), height=2, color=SKY, edgecolor=BLUE, label="the best pair, found")
    ax.hist(
        more[~same], edges, orientation="horizontal", color=ORANGE, edgecolor="white", label="another pair"
    )
    ax.set(xlabel="patches", ylabel="left above the\nbest pair (%)", ylim=(-2.6, edges[-1]))
    ax.legend(loc="upper right")
    show(
        fig,
        f"{len(best)} patches and two atoms each: OMP takes the best pair for {100 * same.mean():.0f} % of "
        "them, leaves "
        f"{more.max():.0f} % more at worst, and {100 * (greedy.sum() / best.sum() - 1):.1f} % more in all.",
    )


def show_contract(products, code, lam):
    """Twice each atom's product with the residual, and which atoms are at work."""
    fig, ax = figure(width=8, height=3)
    order, work = np.argsort(products), code != 0
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order))
    ax.vlines(place[~work], 0, products[~work], color=SKY, linewidth=1.5)
    ax.plot(place[work], products[work], MARKERS[2], color=RED, label=f"{work.sum()} atoms at work")
    ax.plot([], [], color=SKY, label=f"{(~work).sum()} idle ones")
    for side in (-lam, lam):
        ax.axhline(side, color=BLACK, linestyle=LINES[1], linewidth=1)
    ax.set_yticks([-lam, 0, lam], ["−λ", "0", "λ"])
    ax.set(xlabel="atoms, sorted", ylabel=r"$2\, b_j^\top (x - B\alpha)$")
    ax.set(ylim=(-1.35 * lam, 1.35 * lam))
    ax.legend(loc="center left", bbox_to_anchor=(0.03, 0.68))
    show(
        fig,
        f"The framed patch, λ = {lam}: the {work.sum()} atoms at work stand at λ or −λ; the largest idle "
        f"product is {np.abs(products[~work]).max():.3f}.",
    )


def _bands(ax, xs, table, i, name, marker=True):
    """A line of means over the rows, with a band of one standard deviation."""
    middle, spread = table.mean(axis=0), table.std(axis=0, ddof=1)
    ax.plot(xs, middle, linestyle=LINES[i % 6], marker=MARKERS[i] if marker else None,
            color=COLOURS[i % 7], label=name)  # fmt: skip
    ax.fill_between(xs, middle - spread, middle + spread, color=COLOURS[i % 7], alpha=0.15, linewidth=0)


def show_coders(trades):
    """Share left against atoms a patch; a dict name → array (draws, dials, 2)."""
    fig, ax = figure(width=7.5, height=3.7)
    told = []
    for i, (name, table) in enumerate(trades.items()):
        middle = table.mean(axis=0)
        ax.plot(middle[:, 0], 100 * middle[:, 1], LINES[i], marker=MARKERS[i], label=name)
        told.append(f"{name} {100 * np.mean([np.interp(4, *t.T) for t in table]):.0f} %")
    ax.set(xlabel="atoms a patch, on average", ylabel="left unexplained (%)", ylim=(0, None), xlim=(0, 10.5))
    ax.legend()
    show(
        fig,
        f"Share of the squared grey values left, mean of {len(table)} draws of patches. With four atoms on "
        f"average: {', '.join(told)}.",
    )


def show_not_linear(code_x, code_y, code_sum):
    """Three codes as stems at their largest atoms: of x, of y; the code of the sum, the sum of the codes."""
    fig, axs = figure(1, 2, width=9, height=3.8, sharex=True, sharey=True)
    used = np.sort(np.argsort(-np.max(np.abs([code_x, code_y, code_sum]), axis=0))[:16])
    places = np.arange(len(used))
    apart = ("code of x", code_x, 0), ("code of y", code_y, 2)
    together = ("sum of the two codes", code_x + code_y, 6), ("code of x + y", code_sum, 1)
    for ax, rows in zip(axs, (apart, together), strict=True):
        for shift, (name, code, colour) in zip((-0.18, 0.18), rows, strict=True):
            on = code[used] != 0
            ax.vlines(places[on] + shift, 0, code[used][on], color=COLOURS[colour], linewidth=2)
            ax.plot(places[on] + shift, code[used][on], MARKERS[colour], color=COLOURS[colour], label=name)
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.legend(loc="upper right", ncols=2, fontsize=9)
        ax.set_ylabel("code")
    axs[1].set(xlabel="atom", xticks=places)
    axs[1].set_xticklabels(used, fontsize=9)
    both = (code_x + code_y) != 0
    show(
        fig,
        f"The two codes use {both.sum()} atoms together, the code of the sum {np.count_nonzero(code_sum)}; "
        f"{np.count_nonzero(both & (code_sum != 0))} are the same. Shown are the {len(used)} atoms with the "
        "largest codes.",
    )


def show_hole(cs, fit, penalty):
    """Fit and penalty against the length of the atoms."""
    fig, ax = figure(width=6.5, height=3)
    ax.semilogx(cs, fit + penalty, LINES[0], marker=MARKERS[0], label="objective")
    ax.semilogx(cs, penalty, LINES[1], marker=MARKERS[1], label="of which penalty")
    ax.semilogx(cs, fit, LINES[2], color=GREY, label="of which error")
    ax.set(xlabel="atoms times c, codes divided by c", ylabel="value", ylim=(0, None))
    ax.legend()
    show(
        fig,
        f"The same fit, cheaper and cheaper: the penalty falls from {penalty[0]:.1f} to {penalty[-1]:.2f} "
        "as atoms "
        f"grow {cs[-1]:.0f} times as long. The error stays {fit[0]:.1f}.",
    )


def show_atoms_of_digits(films, rounds, course):
    """Ten atoms after some rounds, a row each; the objective after each half step."""
    fig = figure(width=9.5, height=3.3)[0]
    fig.clear()
    pictures, curve = fig.subfigures(1, 2, width_ratios=(2.2, 1))
    rows = pictures.subplots(len(films), 10)
    for row, B, many in zip(rows, films, rounds, strict=True):
        _tiles(row, B[:10])
        row[0].set_ylabel(f"round {many}", rotation=0, ha="right", va="center", fontsize=9)
    ax = curve.subplots()
    ax.plot(np.arange(1, len(course) + 1) / 2, course, marker=MARKERS[0], markersize=2.5)
    ax.set(xlabel="rounds", ylabel="objective (10.8)", ylim=(0, None))
    show(
        fig,
        f"Ten of {len(films[0])} atoms that begin as digits, after {rounds[1]}, {rounds[2]} and {rounds[3]} "
        "rounds "
        f"(grey is 0). The objective falls from {course[0]:.0f} to {course[-1]:.0f}, at no half step up.",
    )


def show_two_ends(ends, values):
    """Atoms from two starts, each above the nearest of the other; how many atoms all ends share."""
    first, second = ends[3:5]
    cosines = np.abs(first @ second.T)
    order = np.argsort(-cosines.max(axis=1))
    lost = (cosines.max(axis=1) <= 0.95).sum()
    fig, rows = figure(len(first) // 2, 2, width=9.5, height=2.5)
    pick = np.r_[order[: len(order) - lost : 2][: len(first) // 2 - lost], order[len(order) - lost :]]
    mates = second[cosines[pick].argmax(axis=1)]
    mates = mates * np.sign((mates * first[pick]).sum(axis=1))[:, None]
    _tiles(rows[0], first[pick], [f"{cosines[j].max():.2f}" for j in pick])
    _tiles(rows[1], mates)
    for row, name in zip(rows, ("one start", "another"), strict=True):
        row[0].set_ylabel(name, fontsize=9)
    near = [np.abs(a @ b.T).max(axis=1) for i, a in enumerate(ends) for b in ends[:i]]
    show(
        fig,
        f"Above atoms from one start, below the nearest from another, with |cos|: some of the "
        f"{len(first) - lost} that have a twin, and all {lost} that have none. {len(ends)} starts "
        "end at "
        f"objectives from {min(values):.0f} to {max(values):.0f}; of the atoms, "
        f"{100 * np.mean(np.array(near) > 0.95):.0f} % "
        "have a twin (|cos| > 0.95) in another end.",
    )


def show_turning(E, atoms):
    """What the others leave of some samples; an atom in three positions, a dict name → (atom, codes)."""
    fig, axs = figure(len(atoms), width=9.5, height=3.2)
    reach = 1.1 * np.abs(E).max()
    errors = {}
    for ax, (name, (b, a)) in zip(axs, atoms.items(), strict=True):
        b, a = (b, a) if b[1] > 0 else (-b, -a)
        built = np.outer(a, b)
        errors[name] = ((E - built) ** 2).sum()
        ax.plot(*np.stack([E, built]).transpose(2, 0, 1), color=ORANGE, linewidth=0.8, zorder=1)
        ax.plot(*E.T, MARKERS[0], color=GREY, markersize=4, label="samples")
        ax.plot(*built.T, MARKERS[1], color=BLUE, markersize=4, label="code × atom")
        arrow = {"arrowstyle": "-|>", "color": RED, "linewidth": 2.4, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", b, (0, 0), arrowprops=arrow, zorder=5)
        ax.set(
            aspect="equal",
            xlim=(-reach, reach),
            ylim=(-reach, reach),
            title=f"{name}: {errors[name]:.1f}",
        )
        ax.set_xlabel("first coordinate")
    axs[0].set_ylabel("second")
    fig.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=9)
    told = ", ".join(f"{name} {error:.1f}" for name, error in errors.items())
    show(fig, f"{len(E)} samples, an atom (arrow) and what it makes of them. Squared error: {told}.")


def show_users(tables, j):
    """Which sample uses which atom, as dots; a dict name → codes."""
    fig, axs = figure(len(tables), width=9.5, height=2.9, sharey=True)
    for ax, (name, A) in zip(axs, tables.items(), strict=True):
        ax.imshow((A != 0).T, cmap="gray_r", aspect="auto")
        ax.axhspan(j - 0.5, j + 0.5, color=ORANGE, alpha=0.35, linewidth=0)
        ax.set(title=f"{name}: {(A[:, j] != 0).sum()} use atom {j}", xlabel="samples")
        ax.grid(False)
    axs[0].set_ylabel("atoms")
    counts = [int((A[:, j] != 0).sum()) for A in tables.values()]
    show(
        fig,
        f"Which sample uses which atom, before and after the update of atom {j} (orange). Restricted to its "
        "users, "
        f"{counts[1]} samples use it as before; with the SVD of all columns, {counts[2]} do.",
    )


def show_evolving(films, rounds, course, A):
    """The busiest atoms after some rounds, a row each; the error after each coding and each sweep."""
    fig = figure(width=9.5, height=3.3)[0]
    fig.clear()
    pictures, curve = fig.subfigures(1, 2, width_ratios=(2.2, 1))
    busy = np.argsort(-(A != 0).sum(axis=0))[:10]
    rows = pictures.subplots(len(films), 10)
    for row, B, many in zip(rows, films, rounds, strict=True):
        signs = np.sign((B[busy] * films[-1][busy]).sum(axis=1))[:, None]
        _tiles(row, signs * B[busy])
        row[0].set_ylabel(f"round {many}", rotation=0, ha="right", va="center", fontsize=9)
    ax, halves = curve.subplots(), np.arange(1, len(course) + 1) / 2
    ax.plot(halves, course, marker=MARKERS[0], markersize=2.5)
    for i in np.flatnonzero(np.diff(course) > 0):
        ax.plot(halves[i : i + 2], course[i : i + 2], color=RED, linewidth=2.5)
    ax.set(xlabel="rounds", ylabel="squared error", yscale="log", yticks=[5, 10, 20, 50])
    ax.set_yticklabels([5, 10, 20, 50])
    ax.minorticks_off()
    ups = (np.diff(course) > 0).sum()
    show(
        fig,
        f"The ten busiest of {len(films[0])} atoms, which begin as patches, after {rounds[1]}, {rounds[2]} "
        "and "
        f"{rounds[3]} rounds. The error falls from {course[0]:.0f} to {course[-1]:.1f}; {ups} codings "
        f"raised it (orange), so that its least, {course.min():.1f}, lies before the end.",
    )


def show_found(sizes, found, left):
    """Hidden atoms found and error left against the number of samples; arrays (seeds, sizes)."""
    fig, ax = figure(width=7, height=3.4)
    _bands(ax, sizes, 100 * found, 0, "hidden atoms found")
    _bands(ax, sizes, 100 * (1 - left), 1, "training samples explained")
    ax.set(xscale="log", xlabel="samples", ylabel="%", ylim=(-3, 108))
    ax.set_xticks(sizes, sizes)
    ax.minorticks_off()
    ax.legend(loc="lower right", bbox_to_anchor=(1, 0.08))
    parts = [
        f"{100 * found[:, i].mean():.0f} ± {100 * found[:, i].std(ddof=1):.0f} % from {sizes[i]}"
        for i in (0, 2, -1)
    ]
    show(
        fig,
        f"Of 50 hidden atoms K-SVD finds {parts[0]} samples, {parts[1]} and {parts[2]} (mean ± one standard "
        "deviation "
        f"of {len(found)} draws), while it explains {100 * (1 - left[:, 0].mean()):.0f} % of the first and "
        f"{100 * (1 - left[:, -1].mean()):.0f} % of the last.",
    )


def show_how_many(ks, curves):
    """Quality in training and held out against the number of atoms; a dict n → array (seeds, len(ks), 3)."""
    fig, axs = figure(len(curves), width=9, height=3.3, sharey=True)
    for ax, (n, table) in zip(axs, curves.items(), strict=True):
        for i, name in enumerate(("training patches", "blocks held out", "right half")):
            _bands(ax, ks, table[:, :, i], i, name)
        ax.set(xscale="log", xlabel="atoms k", title=f"{n} training patches")
        ax.set_xticks(ks, ks)
        ax.minorticks_off()
    axs[0].set_ylabel("PSNR with 4 atoms (dB)")
    axs[0].legend(loc="upper left")
    ends = {n: (t[:, -1].mean(axis=0), t[:, -1].std(axis=0, ddof=1)) for n, t in curves.items()}
    told = "; ".join(
        f"{n} patches: training {m[0]:.1f} ± {s[0]:.1f}, blocks held out {m[1]:.1f} ± {s[1]:.1f}, "
        f"right half {m[2]:.1f} ± {s[2]:.1f}"
        for n, (m, s) in ends.items()
    )
    show(
        fig,
        f"Quality with four atoms a patch against the size of the vocabulary. With {ks[-1]} atoms, {told} "
        "dB (mean "
        f"and spread of {len(table)} draws).",
    )


def _mosaic(B, across=8):
    """The first 64 atoms with a border that is no grey; NaN marks it."""
    tiles = [np.pad((b / np.abs(b).max()).reshape(8, 8), 1, constant_values=np.nan) for b in B[: 8 * across]]
    return np.vstack([np.hstack(tiles[i : i + across]) for i in range(0, len(tiles), across)])


def show_vocabularies(dictionaries):
    """64 atoms of each, on a coloured ground; a dict name → atoms."""
    import matplotlib as mpl

    fig, axs = figure(2, 2, width=7.6, height=8)
    grey = mpl.colormaps["gray"].copy()
    grey.set_bad(FRAME)
    for ax, (name, B) in zip(axs.flat, dictionaries.items(), strict=True):
        grid_of_images([ax], [_mosaic(B)], None, -1, 1, grey)
        ax.set_title(name)
    flat = [name for name, B in dictionaries.items() if (np.ptp(B[:64], axis=1) < 1e-6).any()]
    show(
        fig,
        "Four vocabularies for patches of 8 × 8 pixels. Cosines and PCA's first two rows are waves over the "
        "whole patch (PCA's other axes look like noise); learned atoms, as patches, hold edges and lines in "
        f"certain places. The white tile ({', '.join(flat)}) is constant, and nobody uses it.",
    )


def show_race(counts, race):
    """Quality against atoms a patch; a dict name → array (seeds, counts)."""
    fig, ax = figure(width=8.5, height=4.6)
    at = list(counts).index(4)
    order = sorted(race, key=lambda name: -race[name][:, -1].mean())
    for i, name in enumerate(order):
        _bands(ax, counts, race[name], i, name)
    ax.set(xlabel="atoms a patch, s", ylabel="PSNR on unseen patches (dB)", xticks=counts)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    told = ", ".join(
        f"{race[name][:, at].mean():.1f} ({name})"
        for name in sorted(race, key=lambda n: -race[n][:, at].mean())
    )
    show(
        fig,
        f"Eight ways to say a patch, mean and spread of {len(race[order[0]])} draws. With four atoms, in dB: "
        f"{told}. The legend is in the order of twelve.",
    )


def show_bits(budget):
    """Quality against bits a pixel; a dict name → array (seeds, counts, 2)."""
    fig, ax = figure(width=7.5, height=4)
    marks = {}
    for i, (name, table) in enumerate(budget.items()):
        x, y = table.mean(axis=0).T
        ax.plot(x, y, linestyle=LINES[i], marker=MARKERS[i], color=COLOURS[i], label=name)
        marks[name] = np.interp(0.65, x, y)
    ax.set(xlabel="bits a pixel", ylabel="PSNR on unseen patches (dB)", xlim=(0.2, 1.3))
    ax.axvline(0.65, color=GREY, linewidth=0.8, linestyle=LINES[3])
    ax.legend()
    told = ", ".join(f"{value:.1f} ({name})" for name, value in marks.items())
    show(fig, f"The same race by the bits that the codes cost. At 0.65 bits a pixel, in dB: {told}.")


def show_pictures(pictures, values):
    """Pictures side by side, with their PSNR where there is one; dicts by name."""
    fig, axs = figure(len(pictures), width=10, height=2.3)
    titles = [f"{name}: {values[name]:.1f} dB" if name in values else name for name in pictures]
    grid_of_images(axs, list(pictures.values()), titles, vmin=0, vmax=1)
    told = ", ".join(f"{value:.1f} ({name})" for name, value in values.items())
    show(fig, f"A part of the photograph; dB: {told}.")


def show_wrong_sigma(factors, pictures, truth):
    """Cleaned with too small, right and too large a σ; the quality against the factor."""
    psnr = [10 * np.log10(1 / ((z - truth) ** 2).mean()) for z in pictures]
    fig, axs = figure(4, width=9.5, height=2.8, width_ratios=(1, 1, 1, 1.7))
    right = int(np.argmin(np.abs(factors - 1)))
    picked = (0, right, len(factors) - 1)
    grid_of_images(axs[:3], [pictures[i] for i in picked], [f"{factors[i]:g} σ" for i in picked], 0, 1)
    axs[3].plot(factors, psnr, marker=MARKERS[0])
    axs[3].set(xlabel="assumed σ over the true one", ylabel="PSNR (dB)")
    show(
        fig,
        f"Cleaned as if the noise were {factors[0]:g}, 1 and {factors[-1]:g} times what it is: "
        f"{psnr[0]:.1f}, "
        f"{psnr[right]:.1f} and {psnr[-1]:.1f} dB.",
    )


def show_hole_and_scatter(truth, knowns, filled):
    """One hole and as many scattered pixels, before and after mending."""
    fig, axs = figure(4, width=9, height=2.45)
    holed = [np.where(known, truth, np.nan) for known in knowns]
    pictures = [holed[0], filled[0], holed[1], filled[1]]
    grid_of_images(axs, pictures, ["one hole", "mended", "scattered", "mended"], 0, 1)
    errors = [((z - truth)[~known] ** 2).mean() for z, known in zip(filled, knowns, strict=True)]
    show(
        fig,
        f"The same number of missing pixels, {(~knowns[0]).sum()}. Mean squared error in them: "
        f"{errors[0]:.3f} in one "
        f"hole, {errors[1]:.4f} scattered.",
    )


def show_colour(truth, dirty, clear, before, after):
    """A colour picture, noisy and cleaned."""
    fig, axs = figure(2, width=9.5, height=3.4)
    for ax, z, name in zip(
        axs, (dirty, clear), (f"noisy: {before:.1f} dB", f"cleaned: {after:.1f} dB"), strict=True
    ):
        ax.imshow(np.clip(z, 0, 1))
        ax.set(title=name, xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[:].set_visible(False)
    show(
        fig,
        f"A palace of {truth.shape[0]} × {truth.shape[1]} pixels in colour, with noise ({before:.1f} dB), "
        "and from sparse "
        f"codes over atoms of another photograph ({after:.1f} dB).",
    )


def show_words(used, sparse, dense):
    """Which paragraph uses which word."""
    fig, ax = figure(width=8.5, height=2.6)
    ax.imshow(
        used[:, np.argsort(-used.sum(axis=0), kind="stable")],
        cmap="gray_r",
        aspect="auto",
        interpolation="none",
    )
    ax.set(xlabel="words, the most common first", ylabel="paragraphs")
    ax.grid(False)
    show(
        fig,
        f"{used.shape[0]} paragraphs, {used.shape[1]} words; black where a paragraph uses the word, "
        f"{100 * used.mean():.1f} % of all. Stored with its zeros the table takes {dense:.0f} kB, without "
        f"{sparse:.0f}.",
    )
