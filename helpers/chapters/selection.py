"""Figures of chapter 7: model selection.

Draws for the derivations of chapter 7: fits, rows left out, small worlds, labellings, margins.
"""

from itertools import combinations, product
from math import e

import numpy as np
from matplotlib.patches import Circle, Patch, Rectangle
from scipy.stats import binom, multinomial

from helpers.methods.bounds import hoeffding_gap, vc_gap
from helpers.plotting import COLOURS, GREY, LINES, MARKERS, figure, scatter_classes, show

# ---- what the derivations draw at random


def fits(rng):
    """A truth f at one place; every pair of a new label and a fit: noise of mean 0, which no fit knows."""
    noise = rng.normal(size=5)
    noise -= noise.mean()
    f, guesses = 3 * rng.normal(), rng.normal(size=4) + 3 * rng.normal()
    y, f_hat = np.array(list(product(f + noise, guesses))).T
    return {"f": f, "y": y, "f_hat": f_hat, "sigma": noise.std(), "noise": noise, "guesses": guesses}


def regression(rng):
    """More rows than columns, a column of ones, and the weights when each row in turn is left out."""
    n, d = int(rng.integers(6, 12)), int(rng.integers(1, 4))
    X = np.column_stack([np.ones(n), rng.normal(size=(n, d)) + 2])
    y = rng.normal(size=n) + 3
    without = [np.linalg.lstsq(np.delete(X, i, 0), np.delete(y, i), rcond=None)[0] for i in range(n)]
    return {"X": X, "y": y, "n": n, "d": d + 1, "without": np.array(without)}


def throws(rng):
    """Every count of errors in n throws, how likely it is, and the s that makes the bound best."""
    n, true, gamma = int(rng.integers(3, 40)), rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.4)
    counts = np.arange(n + 1)
    drawn = {"n": n, "true": true, "gamma": gamma, "s": 4 * gamma, "e": e}
    return drawn | {"shares": counts / n, "chance": binom.pmf(counts, n, true)}


def small_world(rng):
    """A world of 4 possible samples, k hypotheses right or wrong on each, and every sample of size n."""
    n, k, delta = int(rng.integers(5, 10)), int(rng.integers(1, 5)), rng.uniform(0.1, 0.9)
    p, wrong = rng.dirichlet(np.ones(4)), rng.integers(0, 2, size=(k, 4))
    counts = np.array([c for c in product(range(n + 1), repeat=4) if sum(c) == n])
    return {
        "n": n,
        "k": k,
        "e": e,
        "delta": delta,
        "gamma": hoeffding_gap(n, k, delta),
        "chance": multinomial.pmf(counts, n, p),
        "training": counts / n @ wrong.T,
        "true": wrong @ p,
    }


def _chosen(drawn):
    best = {"best": int(drawn["training"].argmin()) + 1, "star": int(drawn["true"].argmin()) + 1}
    return drawn | best | {"k": len(drawn["true"])}


def close_errors(rng):
    """True errors, and training errors that differ from them by at most gamma; the best of each."""
    true, gamma = rng.uniform(0.1, 0.5, size=6), rng.uniform(0.01, 0.1)
    return _chosen({"true": true, "training": true + rng.uniform(-gamma, gamma, size=6), "gamma": gamma})


def worst_case(rng):
    """The worse of two looks better by gamma, the best one worse by gamma: all of it is lost."""
    gamma, best = rng.uniform(0.01, 0.1), rng.uniform(0.1, 0.3)
    shown = np.array([best + gamma - 1e-12, best + gamma])
    return _chosen({"true": np.array([best + 2 * gamma, best]), "training": shown, "gamma": gamma})


def _dimension(rows):
    """The size of the largest set of columns on which all patterns occur among the rows."""
    n = rows.shape[1]
    shattered = [
        size
        for size in range(n + 1)
        for columns in combinations(range(n), size)
        if len(np.unique(rows[:, columns], axis=0)) == 2**size
    ]
    return max(shattered)


def _split(rows):
    """What the induction counts: labellings of all points, of all but the last, and which go on both ways."""
    shorter, times = np.unique(rows[:, :-1], axis=0, return_counts=True)
    sizes = {"m": len(rows), "a": len(shorter), "b": int((times == 2).sum())}
    return {"rows": rows, "n": rows.shape[1], "D": _dimension(rows)} | sizes


def family(rng):
    """A class on n points, of dimension at least 1: some of the labellings, drawn at random."""
    everything = np.array(list(product((0, 1), repeat=int(rng.integers(3, 6)))))
    while True:
        drawn = _split(everything[rng.random(len(everything)) < rng.uniform(0.15, 0.9)])
        if drawn["D"]:
            return drawn


def few_ones(rng):
    """All labellings with at most D ones: as many as the lemma allows."""
    everything = np.array(list(product((0, 1), repeat=int(rng.integers(3, 6)))))
    return _split(everything[everything.sum(axis=1) <= rng.integers(1, 3)])


def vc_sizes(rng):
    """A dimension, a number of samples that is larger, a probability, and the gap that they allow."""
    D = int(rng.integers(1, 12))
    n, delta = D * int(rng.integers(1, 45)), rng.uniform(0.001, 0.5)
    return {"D": D, "n": n, "delta": delta, "g": vc_gap(n, D, delta), "e": e}


def guesser(rng):
    """All labels and samples of D points; a learner that remembers, and guesses in a fixed way elsewhere."""
    D, n = int(rng.integers(2, 5)), int(rng.integers(1, 5))
    guess = rng.integers(0, 2, size=D)
    worlds = list(product(product((0, 1), repeat=D), product(range(D), repeat=n)))
    met = np.array([np.isin(np.arange(D), sample) for _, sample in worlds])
    errors = [(np.where(seen, y, guess) != y).mean() for (y, _), seen in zip(worlds, met, strict=True)]
    return {"D": D, "n": n, "errors": np.array(errors), "unmet": 1 - met.mean(axis=1)}


def radon(rng, shape):
    """d + 2 points with any hyperplane, and weights with sum 0 that balance the points."""
    P = rng.normal(size=(shape.d + 2, shape.d)) + shape.mean
    a = np.linalg.svd(np.column_stack([P, np.ones(len(P))]).T)[2][-1]
    return {"P": P, "a": a, "w": rng.normal(size=shape.d), "b": rng.normal(), "d": shape.d}


def cloned(rng, shape):
    """The same with weights that balance nothing."""
    return radon(rng, shape) | {"a": rng.normal(size=shape.d + 2)}


def _with_margins(P, R):
    Y = np.array(list(product((-1.0, 1.0), repeat=len(P))))
    W = Y @ np.linalg.pinv(P).T  # w·p_i = y_i exactly …
    W = W / np.linalg.norm(W, axis=1, keepdims=True)  # … and of length 1
    return {"P": P, "Y": Y, "W": W, "gamma": (Y * (W @ P.T)).min(), "R": R, "r": len(P), "d": P.shape[1]}


def margins(rng):
    """Four independent points of a ball; for each labelling a unit vector, and the margin that all keep."""
    P = rng.normal(size=(4, int(rng.integers(4, 7))))
    return _with_margins(P / np.linalg.norm(P, axis=1).max() * 1.5, 1.5)


def orthogonal(rng):
    """Points at right angles on the sphere: the bound is met."""
    return _with_margins(1.5 * np.linalg.qr(rng.normal(size=(6, 4)))[0].T, 1.5)


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
PALE = "#dddddd"
MASS, DEPTH = "body mass (kg)", "bill depth (mm)"


def _at(grid, mass):
    """Masses of a grid from -1 to 1."""
    return (grid + 1) * np.ptp(mass) / 2 + mass.min()


def _cells(ax, y, colours, height=0.8, hatches=None):
    """A row of boxes, one for each sample."""
    for i, colour in enumerate(colours):
        hatch = hatches[i] if hatches is not None else ""
        ax.add_patch(
            Rectangle(
                (i, y - height / 2),
                1,
                height,
                facecolor=colour,
                edgecolor="white",
                linewidth=0.8,
                hatch=hatch,
            )
        )


def _roles(train="trains", test="validates"):
    return [
        Patch(facecolor=SKY, label=train),
        Patch(facecolor=RED, hatch="//", edgecolor="white", label=test),
    ]


def _role_cells(ax, y, roles, height=0.8):
    """Boxes for 1 (trains), 2 (validates), 3 (kept apart), 0 (not used)."""
    colours = np.array([PALE, SKY, RED, BLACK])[roles]
    _cells(ax, y, colours, height, np.where(roles == 2, "//", ""))


def show_folds(tests, n):
    """Which rows validate in which fold."""
    fig, ax = figure(width=8, height=2.4)
    for fold, test in enumerate(tests):
        _role_cells(ax, fold, 1 + np.isin(np.arange(n), test))
    ax.set(xlim=(0, n), ylim=(len(tests) - 0.4, -0.6), xlabel="row", yticks=range(len(tests)))
    ax.set_yticks(range(len(tests)), [f"round {i + 1}" for i in range(len(tests))])
    ax.set_xticks(np.arange(n) + 0.5, np.arange(1, n + 1), fontsize=8)
    ax.grid(False)
    ax.legend(handles=_roles(), loc="upper left", bbox_to_anchor=(1.01, 1))
    sizes = ", ".join(str(len(test)) for test in tests)
    show(
        fig,
        f"{len(tests)} folds of {n} rows, shuffled. Each row validates once; the folds hold {sizes} rows.",
    )


def show_splitters(ways, classes, groups):
    """Several ways to cut the same rows: first the rows' classes and groups, then each way's folds."""
    n = len(classes)
    fig, ax = figure(width=8, height=4.4)
    for y, names in ((0, np.array(list("ABC"))[classes]), (1, groups + 1)):
        _cells(ax, y, ["white"] * n)
        for i, name in enumerate(names):
            ax.text(i + 0.5, y, name, ha="center", va="center", fontsize=9)
    ticks = {0: "class", 1: "patient"}
    y = 2.7
    for name, cv in ways.items():
        apart = groups if name == "grouped" else None
        for fold, (train, test) in enumerate(cv.split(np.zeros(n), classes, apart)):
            roles = np.zeros(n, int)
            roles[train], roles[test] = 1, 2
            _role_cells(ax, y + 0.55 * fold, roles, 0.48)
        ticks[y + 0.8] = name
        y += 2.8
    ax.set(xlim=(0, n), ylim=(y - 0.4, -0.6), xlabel="row")
    ax.set_yticks(list(ticks), list(ticks.values()))
    ax.set_xticks([])
    ax.grid(False)
    handles = [*_roles(), Patch(facecolor=PALE, label="not used")]
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1))
    show(
        fig,
        f"{n} rows of {len(set(classes))} classes and {len(set(groups))} patients, sorted by class, and "
        f"{len(ways)} ways to make four folds of them.",
    )


def show_leverage(mass, bill, seen, leverages, grid, two):
    """Penguins as large as their leverage, and the cubic with and without the strongest."""
    fig, (left, right) = figure(2, width=9.5, height=3.4)
    strong = leverages.argmax()
    left.scatter(mass[seen], bill[seen], s=10 + 300 * leverages, color=SKY, edgecolor=BLUE)
    left.plot(_at(grid, mass), two[:, 0], color=BLACK, label="all thirty")
    left.plot(_at(grid, mass), two[:, 1], color=RED, linestyle=LINES[1], label="without the strongest")
    left.plot(mass[seen][strong], bill[seen][strong], "x", color=RED, markersize=9, markeredgewidth=2)
    reach = mass[seen].min() - 0.1, mass[seen].max() + 0.1
    left.set(ylim=(12, 24), xlim=reach, xlabel=MASS, ylabel=DEPTH)
    left.legend(loc="upper right")
    right.plot(mass[seen], leverages, "o", color=BLUE)
    right.axhline(leverages.mean(), color=BLACK, linewidth=1, linestyle=LINES[1], label="mean")
    right.set(xlabel=MASS, ylabel="leverage", ylim=(0, 1.02))
    right.legend(loc="upper left")
    show(
        fig,
        f"Leverages of {len(seen)} penguins for degree 3: {leverages.mean():.2f} on average, "
        f"{leverages.max():.2f} for the strongest (cross), without which the curve would go elsewhere.",
    )


def show_which_rows():
    """Which rows choose the genes before the folds, and inside them."""
    fig, ax = figure(width=8, height=2.1)
    for y, used in ((0, 20), (1, 16)):
        _role_cells(ax, 1.9 * y, np.where(np.arange(20) < 16, 1, 2))
        ax.annotate("", (used, 1.9 * y + 0.6), (0, 1.9 * y + 0.6), arrowprops={"arrowstyle": "<->"})
        ax.text(used / 2, 1.9 * y + 0.75, "these rows choose the genes", ha="center", va="top", fontsize=9)
    ax.set_yticks([0, 1.9], ["before\nthe folds", "inside\nthe folds"])
    ax.set(xlim=(0, 20), ylim=(3.3, -0.6), xticks=[], xlabel="row")
    ax.grid(False)
    ax.legend(handles=_roles(), loc="upper left", bbox_to_anchor=(1.01, 1))
    show(
        fig,
        "One round with 20 rows: 16 train and 4 validate. The arrows show whose labels choose the genes: "
        "before the folds all 20 rows, inside them only the 16 that train.",
    )


def show_nested(n, outer, inner):
    """The rows of three outer folds, and of the inner folds within each."""
    fig, ax = figure(width=8, height=4)
    y, ticks = 0.0, {}
    for fold, (rest, test) in enumerate(list(outer.split(range(n)))[:3]):
        roles = np.ones(n, int)
        roles[test] = 3
        _role_cells(ax, y, roles, 0.9)
        ticks[y] = f"outer fold {fold + 1}"
        for k, (_, validate) in enumerate(inner.split(rest)):
            inside = np.ones(n, int)
            inside[rest[validate]], inside[test] = 2, 3
            _role_cells(ax, y + 0.85 + 0.5 * k, inside, 0.42)
        ticks[y + 1.6] = "inner folds"
        y += 3.5
    ax.set(xlim=(0, n), ylim=(y - 0.8, -0.6), xlabel="row")
    ax.set_yticks(list(ticks), list(ticks.values()))
    ax.set_xticks([])
    ax.grid(False)
    ax.legend(
        handles=[
            *_roles(),
            Patch(facecolor=BLACK, label="tests the winner"),
        ],
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
    )
    show(
        fig,
        f"Nested folds of {n} rows, the first three of {outer.n_splits} outer ones. The black rows "
        f"take no part in "
        f"the {inner.n_splits} inner folds that choose.",
    )


def show_stray(n, exact, bound):
    """The chance that a share strays, exactly, and its bound."""
    fig, ax = figure(width=7.5, height=3.2)
    ax.semilogy(n, bound, linestyle=LINES[1], color=RED, label="Hoeffding: 2 exp(−2γ²n)")
    ax.semilogy(n, exact, linestyle=LINES[0], color=BLUE, label="exactly, a fair coin")
    ax.axhline(1, color=BLACK, linewidth=0.8)
    ax.set(xlabel="throws", ylabel="chance to be off by more than 0.1", ylim=(exact.min() / 2, 3))
    ax.legend(loc="lower left")
    middle = len(n) // 2
    show(
        fig,
        f"The share of heads is off by more than 0.1 with chance {exact[middle]:.5f} after "
        f"{n[middle]} throws; the "
        f"bound says {bound[middle]:.3f}.",
    )


THREE, SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 1.6]]), np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
SIDES, CROSSED = [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)], np.array([1, 1, -1, -1])
LINES_OF_THREE = [((0.0, 1.0), 0.5), ((1.6, 1.0), -1.6), ((-1.6, 1.0), 1.6), ((0.0, -1.0), 0.8)]  # w·p + b


def show_labellings(three, labellings, lines, square, impossible):
    """Each labelling of three points with its line; last, one of four points that no line says."""
    fig, axs = figure(5, 2, width=9.5, height=4)
    axs = axs.ravel()
    for ax, y, line in zip(axs, labellings, lines, strict=False):
        _labelled(ax, three, y)
        _line(ax, *line)
    _labelled(axs[8], square + [0.5, 0.2], impossible)
    axs[8].set_title("four: no line", fontsize=10)
    axs[9].set_axis_off()
    for ax in axs[:9]:
        ax.set(xlim=(-0.9, 2.9), ylim=(-0.9, 2.5), xticks=[], yticks=[], aspect="equal")
    show(
        fig,
        f"All {len(lines)} labellings of three points, each with a line that a linear programme "
        f"found (where all "
        "are alike it lies outside the picture, or none is needed); and one of four points that has none.",
    )


def _labelled(ax, points, y):
    for label, colour, marker in zip((-1, 1), COLOURS, MARKERS, strict=False):
        ax.scatter(*points[y == label].T, s=60, color=colour, marker=marker, zorder=3)


def _line(ax, w1, w2, b):
    """The line w·x + b = 0, if there is one."""
    if abs(w1) + abs(w2) > 1e-9:
        foot = np.array([-b * w1, -b * w2]) / (w1**2 + w2**2)
        ax.axline(foot, foot + [w2, -w1], color=BLACK, linewidth=1.2)


def show_all_classes(how_many, dimension, bounds):
    """How many labellings each class produces, by its dimension, under Sauer's bound."""
    fig, ax = figure(width=7.5, height=3.6)
    sizes, at, number = [], [], []
    for d in range(len(bounds)):
        found, counts = np.unique(how_many[dimension == d], return_counts=True)
        at += [d] * len(found)
        sizes += list(found)
        number += list(counts)
    ax.scatter(at, sizes, s=40 + 12 * np.log10(number) ** 2, color=SKY, edgecolor=BLUE, zorder=3)
    for d, bound in enumerate(bounds):
        ax.plot(
            [d - 0.3, d + 0.3],
            [bound, bound],
            color=RED,
            linewidth=2.4,
            label="Sauer's bound" * (d == 0) or None,
        )
        ax.text(d + 0.33, bound, str(bound), color=RED, va="center")
    ax.set(xlabel="VC dimension D", ylabel="labellings produced", xticks=range(len(bounds)), ylim=(0, 17.5))
    ax.legend(loc="lower right")
    told = ", ".join(map(str, bounds))
    show(
        fig,
        f"All {len(how_many):,} classes on four points, by dimension and by how many labellings "
        f"they produce (larger "
        f"dots: more classes). For D = 0 to {len(bounds) - 1} at most {told}: the bound is met, "
        f"and never passed.",
    )


def show_gap(n, gaps, bounds):
    """The largest gap of all thresholds, and the bound."""
    fig, ax = figure(width=7.5, height=3.2)
    ax.loglog(n, bounds, linestyle=LINES[1], marker=MARKERS[1], color=RED, label="bound (7.9), δ = 0.05")
    ax.loglog(n, gaps, marker=MARKERS[0], color=BLUE, label="largest gap of all thresholds: 95 % stay below")
    ax.axhline(1, color=BLACK, linewidth=0.8, linestyle=LINES[3])
    ax.text(n[-1], 1.08, "above 1 it says nothing", ha="right", va="bottom", fontsize=9)
    ax.set(xlabel="samples", ylabel="gap between the errors")
    ax.legend(loc="lower left")
    at = list(n).index(1000)
    show(
        fig,
        f"The largest gap between training and true error falls from {gaps[0]:.2f} at {n[0]} samples to "
        f"{gaps[-1]:.3f} at {n[-1]:,}, in all but 5 % of samples. The bound falls alike; "
        f"at 1000 it is {bounds[at] / gaps[at]:.1f} times as large.",
    )


def show_waves(points, wanted, frequency):
    """The sine that says each of the wanted labellings, in a window of one wave around each point."""
    fig, axs = figure(len(points), len(wanted), width=9.5, height=3.6, sharey=True)
    for row, y in zip(axs, wanted, strict=True):
        theta = frequency(np.array(y))
        for ax, x, label in zip(row, points[::-1], y[::-1], strict=True):
            at = x + np.linspace(-1, 1, 300) * min(np.pi / theta, 0.9 * x)
            ax.plot(at / x, np.sin(theta * at), color=GREY)
            which = label < 0
            ax.plot(1, np.sin(theta * x), MARKERS[which], color=(BLUE, RED)[which], markersize=8)
            ax.axhline(0, color=BLACK, linewidth=0.8)
            ax.set(title=f"around {x:g}", xticks=[])
        row[0].set_ylabel(f"sin θx\nθ = {theta / np.pi:,.0f} π")
    show(
        fig,
        f"One parameter: a sine says “yes” (circles, above 0) and “no” (triangles, below) to {len(points)} "
        "points as you wish. A row for each wish, a window for each point, at most one wave wide.",
    )


def show_triangle(triangle, kept):
    """A line for each corner against the other two, and the margin that it keeps."""
    fig, axs = figure(3, width=9, height=3)
    for ax, odd in zip(axs, range(3), strict=True):
        normal = triangle[odd]
        scatter_classes(ax, triangle, np.arange(3) == odd, s=60, zorder=3)
        ax.add_patch(Circle((0, 0), 1, fill=False, color=GREY))
        for shift, line in ((1 - kept, "-"), (1.0, ":"), (1 - 2 * kept, ":")):
            ax.axline(
                shift * normal, shift * normal + [-normal[1], normal[0]], color=BLACK, linestyle=line, lw=1
            )
        ax.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal", xticks=[], yticks=[])
    show(
        fig,
        f"A triangle in the unit circle: for each corner a line keeps {kept} from all three "
        f"(dotted). 1/γ² is "
        f"{1 / kept**2:.2f}, rounded up and plus one: {int(np.ceil(1 / kept**2)) + 1} points.",
    )


def _lowest(moved, values):
    """Where the values are lowest: a place, or the steps from … to …."""
    low = np.flatnonzero(np.isclose(values, values.min(), rtol=0, atol=1e-9))
    steps = np.split(moved[low], np.flatnonzero(np.diff(low) > 1) + 1)
    return " and ".join(f"{s[0]:.2f} to {s[-1]:.2f}" if len(s) > 1 else f"{s[0]:.2f}" for s in steps)


def show_losses(losses, moved, risks):
    """Three losses of one sample, and their means as one weight moves."""
    fig, (left, right) = figure(2, width=9.5, height=3.3)
    z = np.linspace(-2, 3, 501)
    for (name, loss), line in zip(losses.items(), LINES, strict=False):
        left.plot(z, loss(z), linestyle=line, label=name)
        right.plot(moved, risks[name], linestyle=line, label=name)
    left.set(xlabel="z = y (w·x + b)", ylabel="loss of one sample")
    right.set(xlabel="one weight, the other held fixed", ylabel="mean loss of 40 tumours", ylim=(0, 2))
    left.legend()
    told = "; ".join(f"{_lowest(moved, values)} ({name})" for name, values in risks.items())
    show(
        fig,
        "The 0–1 loss and two convex functions above it, for one sample and for 40 tumours as one weight "
        f"moves: a staircase and two valleys. Lowest at {told}.",
    )
