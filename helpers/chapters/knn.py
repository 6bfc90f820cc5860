"""Figures of chapter 1: k nearest neighbours and the curse of dimensionality.

Draws for the derivations of chapter 1: two samples, beliefs about classes, balls that cover a cube.
"""

from math import gamma, pi

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle, Rectangle

from helpers.plotting import COLOURS, GREY, LINES, MARKERS, figure, scatter_classes, show

# ---- what the derivations draw at random


def pair(rng, shape):
    """A sample x and a query q, both (d,)."""
    x, q = rng.normal(size=(2, shape.d)) + shape.mean
    return {"x": x, "q": q, "d": shape.d}


class Posterior:
    """P(c | at) = softmax(A at + b) at class c = 1, 2 …; equal to another of the same A and b."""

    def __init__(self, A, b):
        self.A, self.b = A, b

    def shares(self, at):
        """Of all classes, shape (C,)."""
        scores = self.A @ at + self.b
        likely = np.exp(scores - scores.max())
        return likely / likely.sum()

    def __call__(self, c, at):
        return self.shares(np.asarray(at, float))[int(c) - 1]

    def __eq__(self, other):
        return np.array_equal(self.A, other.A) and np.array_equal(self.b, other.b)


def _told(rng, A, b):
    """Three places q, z, v and what is believed at q and z; `best` counts from 1."""
    P, (q, z, v) = Posterior(A, b), rng.normal(size=(3, A.shape[1]))
    pq, pz = P.shares(q), P.shares(z)
    places = {"q": q, "z": z, "v": v, "n": 10.0, "d": len(q)}
    return places | {"P": P, "pq": pq, "pz": pz, "best": int(pq.argmax()) + 1, "C": len(pq)}


def beliefs(rng):
    """Two to ten classes whose probabilities change smoothly with the place; three places q, z, v."""
    d, C = int(rng.integers(1, 4)), int(rng.choice([2, 3, 5, 10]))
    return _told(rng, 2 * rng.normal(size=(C, d)), rng.normal(size=C))


def certain(rng):
    """One class is sure, everywhere."""
    C = int(rng.integers(2, 5))
    sure = np.full(C, -np.inf)
    sure[rng.integers(C)] = 0
    return _told(rng, np.zeros((C, 2)), sure)


def even_rest(rng):
    """Everywhere the most probable class has the same share, and the others have equal shares of the rest."""
    C = int(rng.choice([2, 3, 5, 10]))
    best = rng.uniform(1 / C, 1)
    shares = rng.permutation(np.r_[best, np.full(C - 1, (1 - best) / (C - 1))])
    return _told(rng, np.zeros((C, 2)), np.log(shares))


def dimension(rng):
    """A dimension from 1 to 20, pi and the gamma function."""
    return {"d": int(rng.integers(1, 21)), "pi": pi, "gamma": gamma}


def _covered(d, N, delta):
    return {"d": d, "N": float(N), "delta": delta, "pi": pi, "gamma": gamma}


def cover(rng):
    """A cover that exists: cells of a grid in up to 20 dimensions, or centres without order in up to 3."""
    if rng.integers(2):
        d, cells = int(rng.integers(1, 21)), int(rng.integers(1, 50))
        return _covered(d, float(cells) ** d, np.sqrt(d) / (2 * cells))
    d, N = int(rng.integers(1, 4)), int(rng.integers(1, 40))
    side = {1: 400, 2: 60, 3: 20}[d]
    ticks = (np.arange(side) + 0.5) / side
    places = np.stack(np.meshgrid(*[ticks] * d), axis=-1).reshape(-1, d)
    centres = rng.uniform(size=(N, d))
    farthest = np.sqrt(((places[:, None] - centres) ** 2).sum(axis=2).min(axis=1).max())
    return _covered(d, N, farthest + np.sqrt(d) / (2 * side))  # no point of a cell is farther from its middle


def cover_of_the_line(rng):
    """Intervals side by side: the only balls that fill without overlap."""
    cells = int(rng.integers(1, 50))
    return _covered(1, cells, 1 / (2 * cells))


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
LENGTH, DEPTH = "bill length (mm)", "bill depth (mm)"


def _painted(ax, xs, ys, classes):
    """The plane in the colours of the classes."""
    classes = classes.reshape(len(ys), len(xs))
    for c in np.unique(classes):
        ax.contourf(xs, ys, classes == c, levels=[0.5, 1.5], colors=[COLOURS[c]], alpha=0.18)
    ax.set(xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))


def show_metrics(q, a, b, circles, far):
    """Two ways from q to b and to a, and all points at one distance for several exponents."""
    fig, (left, right) = figure(2, width=9, height=3.4)
    corner = np.array([b[0], q[1]])
    left.plot(
        *np.transpose([q, corner, b]), color=COLOURS[0], label=f"streets to b (p = 1): {far['b', 1]:.0f}"
    )
    left.plot(
        *np.transpose([q, b]),
        color=COLOURS[1],
        linestyle=LINES[1],
        label=f"straight to b (p = 2): {far['b', 2]:.2f}",
    )
    left.plot(*np.transpose([q, a]), color=GREEN, linestyle=LINES[2], label=f"to a, both: {far['a', 1]:.0f}")
    for i, (p, circle) in enumerate(circles.items()):
        right.plot(*circle.T, color=COLOURS[i], linestyle=LINES[i], label=f"p = {p}")
    for ax in (left, right):
        for name, point in (("q", q), ("a", a), ("b", b)):
            ax.plot(*point, "o", color=BLACK)
            place = (-14, -4) if name == "q" else (6, 5)
            ax.annotate(name, point, xytext=place, textcoords="offset points", fontsize=12)
        ax.set(aspect="equal", xlabel="$x_1$", ylim=(-2.3, 4.6))
    left.set(xlim=(-0.5, 6.3), ylim=(-1.2, 4.6))
    right.set(xlim=(-2.3, 5.5))
    left.legend(loc="lower left", fontsize=9)
    right.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=9)
    left.set_ylabel("$x_2$")
    show(
        fig,
        f"Left: along the streets b is at {far['b', 1]:.0f} and a, at {far['a', 1]:.0f}, is nearer; in a "
        "straight line b "
        f"is at {far['b', 2]:.2f} and nearer. Right: all points at distance 3 from q, for three exponents.",
    )


def show_ties(xs, ys, classes, tied, X, y):
    """The plane by the winner of the vote, ties dark, for several k."""
    fig, axs = figure(len(classes), width=9.5, height=2.3, sharey=True)
    for ax, k in zip(axs, classes, strict=True):
        _painted(ax, xs, ys, classes[k])
        dark = tied[k].reshape(len(ys), len(xs))
        ax.contourf(xs, ys, dark, levels=[0.5, 1.5], colors=["#444444"], alpha=0.75)
        scatter_classes(ax, X, y, s=6)
        ax.set(
            title=f"k = {k}: a tie on {100 * tied[k].mean():.0f} % of the plane",
            xlabel=LENGTH,
            aspect="equal",
        )
    axs[0].set(ylabel=DEPTH, yticks=[14, 16, 18, 20, 22])
    told = " and ".join(f"{100 * t.mean():.0f} % with k = {k}" for k, t in tied.items())
    show(
        fig,
        f"Where the vote of the k nearest is a tie (dark): {told}. Odd k ties too where three species meet.",
    )


def show_cells(xs, ys, classes, borders, X, y, species):
    """Each sample's cell, and the border between the species when one neighbour decides."""
    fig, ax = figure(width=9, height=2.8)
    _painted(ax, xs, ys, classes)
    ax.add_collection(LineCollection(borders, colors=GREY, linewidths=0.8))
    scatter_classes(ax, X, y, labels=species)
    ax.set(xlabel=LENGTH, ylabel=DEPTH, aspect="equal", xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    ax.grid(False)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    show(fig, f"{len(X)} penguins, each with the cell of all places that are nearer to it than to any other.")


def show_two_labels(pq, pz, names, error):
    """All pairs of labels of query and neighbour as rectangles, in the size of their probability."""
    fig, ax = figure(width=6.5, height=4.1)
    lefts, bottoms = np.r_[0, pq.cumsum()[:-1]], np.r_[0, pz.cumsum()[:-1]]
    for a, b in np.ndindex(len(pq), len(pz)):
        same = a == b
        box = (lefts[a], bottoms[b]), pq[a], pz[b]
        ax.add_patch(
            Rectangle(*box, facecolor=GREEN if same else ORANGE, alpha=0.55, edgecolor="white", linewidth=2)
        )
        text = f"{pq[a] * pz[b]:.2f}"
        ax.text(lefts[a] + pq[a] / 2, bottoms[b] + pz[b] / 2, text, ha="center", va="center", fontsize=10)
    ax.set_xticks(lefts + pq / 2, [f"{n}\n{v:.1f}" for n, v in zip(names, pq)])
    ax.set_yticks(bottoms + pz / 2, [f"{n}\n{v:.1f}" for n, v in zip(names, pz)])
    ax.set(
        xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="label of the query", ylabel="label of its neighbour"
    )
    ax.grid(False)
    ax.tick_params(length=0)
    handles = [Rectangle((0, 0), 1, 1, facecolor=c, alpha=0.55) for c in (GREEN, ORANGE)]
    ax.legend(handles, ["equal", f"error: {error:.2f}"], loc="center left", bbox_to_anchor=(1, 0.5))
    show(
        fig,
        f"The {len(pq) * len(pz)} pairs of labels: each area is the probability of its pair.",
    )


def show_bound(bayes, one_nn, classes):
    """Error of one neighbour against the best possible one, between its bounds."""
    fig, ax = figure(width=6.5, height=3.7)
    r = np.linspace(0, 1 - 1 / classes, 200)
    ax.scatter(bayes, one_nn, s=3, color=SKY)
    ax.plot(r, 2 * r, color=RED, linestyle=LINES[1], label="$2R^*$: twice Bayes (1.6)")
    ax.plot(r, r * (2 - classes / (classes - 1) * r), color=BLACK, label="Cover and Hart (1.13)")
    ax.plot(r, r, color=GREY, linestyle=LINES[2], label="$R^*$: Bayes itself")
    ax.set(xlabel="$R^*$, the least possible error", ylabel="error of one neighbour", ylim=(0, 1))
    ax.legend(loc="upper left", fontsize=10)
    worst = (one_nn - bayes).max()
    show(
        fig,
        f"{len(bayes)} beliefs about {classes} classes, in the limit: one neighbour errs at most "
        f"{worst:.2f} more than Bayes. "
        "Both meet where all is sure, and where classes share evenly.",
    )


def show_parity(stored, wrong, corners):
    """Three bits as a cube whose neighbouring corners never agree; errors of one neighbour on ten bits."""
    fig, (left, right) = figure(2, width=9.5, height=3.3)
    tilt = np.array([[1, 0], [0, 1], [0.45, 0.35]])
    bits = np.array(list(np.ndindex(2, 2, 2)))
    for a, b in np.ndindex(8, 8):
        if a < b and np.abs(bits[a] - bits[b]).sum() == 1:
            left.plot(*np.transpose(bits[[a, b]] @ tilt), color=GREY, linewidth=1, zorder=1)
    odd, flat = bits.sum(axis=1) % 2, bits @ tilt
    scatter_classes(left, flat, odd, labels=("even", "odd"), s=150, alpha=1)
    for corner, place in zip(bits, flat, strict=True):
        text = "".join(map(str, corner))
        left.annotate(text, place, xytext=(9, 8), textcoords="offset points", fontsize=9)
    left.set(aspect="equal", xlim=(-0.2, 2.3), ylim=(-0.2, 1.7))
    left.set_axis_off()
    left.legend(loc="center right")
    middle, spread = 100 * wrong.mean(axis=0), 100 * wrong.std(axis=0, ddof=1)
    right.errorbar(stored, middle, yerr=spread, marker=MARKERS[0], label="one neighbour")
    right.axhline(50, color=GREY, linestyle=LINES[1], label="a coin")
    right.axhline(0, color=BLACK, linestyle=LINES[2], label="Bayes, and twice Bayes", clip_on=False)
    right.set(
        xscale="log",
        xlabel=f"rows stored ({corners} different rows are possible)",
        ylabel="new rows wrong (%)",
        ylim=(0, 104),
    )
    right.set_xticks(stored, stored)
    right.minorticks_off()
    right.legend(loc="upper right", fontsize=9)
    worst = middle.argmax()
    show(
        fig,
        "Left: parity of three bits, every edge joins unlike labels. Right: ten bits; of new rows one "
        f"neighbour gets {middle[0]:.0f} % wrong with {stored[0]} rows stored, {middle[worst]:.0f} % with "
        f"{stored[worst]} and {middle[-1]:.0f} % with {stored[-1]}; Bayes none.",
    )


def show_ball_in_cube(shares):
    """The ball in the cube: drawn in two dimensions; its share of the cube by dimension."""
    fig, (square, right) = figure(2, width=7.5, height=3.1, width_ratios=(0.8, 1.2))
    square.add_patch(Rectangle((-1, -1), 2, 2, facecolor=ORANGE, alpha=0.5, edgecolor=BLACK))
    square.add_patch(Circle((0, 0), 1, facecolor="white"))
    square.add_patch(Circle((0, 0), 1, facecolor=BLUE, alpha=0.4))
    square.text(0, 0, f"{100 * shares[1]:.0f} %", ha="center", va="center")
    square.text(0, 1.08, "d = 2", ha="center")
    square.set(aspect="equal", xlim=(-1.05, 1.05), ylim=(-1.05, 1.3))
    square.set_axis_off()
    right.semilogy(np.arange(1, len(shares) + 1), shares, marker=MARKERS[0], markersize=4)
    right.set(xlabel="dimensions", ylabel="share of the cube around it")
    right.set_xticks([1, 5, 10, 15, 20])
    show(
        fig,
        f"The ball fills {100 * shares[1]:.0f} % of the square around it, {100 * shares[9]:.2f} % of the "
        f"cube in 10 dimensions, in 20 one part in {1e-6 / shares[19]:.0f} million.",
    )


def show_noise(added, results):
    """Accuracy against the number of features added, for features of several kinds."""
    fig, ax = figure(width=7.5, height=3.2)
    places = np.arange(len(added))
    for j, (name, values) in enumerate(results.items()):
        middle, spread = 100 * values.mean(axis=0), 100 * values.std(axis=0, ddof=1)
        ax.plot(places, middle, marker=MARKERS[j], linestyle=LINES[j], color=(RED, BLUE)[j], label=name)
        ax.fill_between(places, middle - spread, middle + spread, color=(RED, BLUE)[j], alpha=0.2)
    ax.axhline(10, color=BLACK, linewidth=1, linestyle=":")
    ax.annotate("guessing", (0, 11.5), fontsize=10)
    ax.set(
        xlabel="features added to 64 pixels (each step after 16: times 4)",
        ylabel="held-out digits right (%)",
        ylim=(0, 103),
    )
    ax.set_xticks(places, added)
    ax.legend(loc="center left", bbox_to_anchor=(0.02, 0.5))
    show(
        fig,
        "Five neighbours on digits with added features. Bands: one standard deviation, "
        f"{len(values)} forms, each held out once.",
    )


def show_sheet(roll, sheet):
    """A rolled-up sheet in space, and the same samples by their two coordinates."""
    fig = figure(width=9.5, height=3.8)[0]
    fig.clear()
    left = fig.add_subplot(1, 2, 1, projection="3d", computed_zorder=False)
    left.scatter(*roll.T, c=sheet[:, 0], s=8, cmap="cividis", depthshade=False)
    left.view_init(8, -72)
    left.set(title="as measured: three coordinates", xticklabels=[], yticklabels=[], zticklabels=[])
    left.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="$x_3$")
    left.set_box_aspect((1, 1, 0.9), zoom=1.15)
    right = fig.add_subplot(1, 2, 2)
    right.scatter(*sheet.T, c=sheet[:, 0], s=8, cmap="cividis")
    right.set(xlabel="along the sheet", ylabel="across the sheet", title="unrolled: two are enough")
    show(
        fig,
        f"{len(roll)} samples on a rolled-up sheet, coloured by where they lie along it: 3 coordinates, 2 "
        "needed.",
    )


def show_hidden(shares):
    """Distances of all pairs in several sets, and the nearest neighbours', as shares of the largest."""
    fig, axs = figure(len(shares), width=9.5, height=2.5, sharex=True)
    for ax, (name, (pairs, nearest)) in zip(axs, shares.items(), strict=True):
        ax.hist(pairs, bins=np.linspace(0, 1, 41), density=True, color=BLUE, alpha=0.7)
        ax.axvline(nearest.mean(), color=RED)
        ax.set(title=f"{name}: nearest at {nearest.mean():.2f}", xlabel="distance / farthest", yticks=[])
    axs[0].set_ylabel("pairs")
    told = ", ".join(f"{nearest.mean():.2f} for {name}" for name, (_, nearest) in shares.items())
    show(
        fig,
        f"Distances of all pairs among {len(nearest)} samples; orange-red: the mean distance to the nearest: "
        f"{told}.",
    )


def show_growth(sizes, growth):
    """How the nearest neighbour comes closer as the table grows, for data and for cubes."""
    fig, ax = figure(width=7.5, height=3.5)
    looks = [(BLUE, "-", 2.4), (ORANGE, "-", 2.4), *[(GREY, line, 1.4) for line in LINES[1:4]]]
    for (name, values), (colour, line, width) in zip(growth.items(), looks, strict=True):
        middle, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
        ax.plot(sizes, middle, color=colour, linestyle=line, linewidth=width)
        ax.fill_between(sizes, middle - spread, middle + spread, color=colour, alpha=0.2)
        place = "bottom" if name.startswith("cube") else "top"
        ax.text(sizes[-1] * 1.06, middle[-1], name, color=colour, va=place, fontsize=10)
    ax.set(
        xscale="log", yscale="log", xlabel="rows in the table", ylabel="distance to the nearest, first = 1"
    )
    ax.set_xticks(sizes, sizes)
    ax.set_yticks([0.1, 0.2, 0.5, 1], [0.1, 0.2, 0.5, 1])
    ax.minorticks_off()
    told = "; ".join(f"{name}: {v[:, -1].mean():.2f}" for name, v in growth.items())
    show(
        fig, f"From {sizes[0]} to {sizes[-1]} rows the nearest neighbour comes closer, to this share: {told}."
    )
