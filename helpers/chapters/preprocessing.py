"""Figures of chapter 5: the field book, blanks and what fills them, codes, buckets, scales.

Draws for the derivations of chapter 5: blocks of rows, columns with holes, names, boundaries, valleys.
"""

from itertools import product

import numpy as np
from scipy.spatial.distance import cosine

from helpers.derivation import samples
from helpers.plotting import COLOURS, LINES, MARKERS, figure, show

__all__ = [
    "buckets",
    "column",
    "decided",
    "fit",
    "holes",
    "pooled",
    "question",
    "regression",
    "table",
    "two_names",
    "two_rows",
    "valley",
]

# ---- what the derivations draw at random


MOMENTS = {  # the functions s², cov and corr of the notation table
    "variance": lambda f: np.var(f, ddof=1),
    "cov": lambda f, g: np.cov(f, g)[0, 1],
    "corr": lambda f, g: np.corrcoef(f, g)[0, 1],
}


def table(rng, shape):
    """A table, and the standard deviations of its columns."""
    X = samples(rng, shape)
    return {"X": X, "n": shape.n, "d": shape.d, "deviations": X.std(axis=0)}


def regression(rng, shape):
    """A table of full rank with answers, whole and cut into three blocks of rows."""
    n = shape.n + shape.d + 3
    X = rng.normal(size=(n, shape.d)) + shape.mean * rng.normal(size=shape.d)
    y = X.sum(axis=1) + rng.normal(size=n)
    cut = [1, n // 2]
    return {
        "X": X,
        "y": y,
        "n": n,
        "d": shape.d,
        "w": np.linalg.lstsq(X, y)[0] + rng.normal(size=shape.d),
        "tables": np.split(X, cut),
        "answers": np.split(y, cut),
    }


def mean_filled(x, seen):
    """The column with its blanks filled by the mean of what is seen."""
    return np.where(seen == 1, x, x[seen == 1].mean())


def holes(rng, shape):
    """Two related columns, and where the first is seen."""
    n = shape.n + 3
    x = rng.normal(size=n) + shape.mean
    seen = rng.permutation(np.arange(n) < rng.integers(3, n)).astype(float)
    y = x + rng.normal(size=n) + shape.mean
    there = np.array([x, y])[:, seen == 1]
    return {
        "x": x,
        "y": y,
        "n": n,
        "seen": seen,
        "x_tilde": mean_filled(x, seen),
        "mean_seen": there[0].mean(),
        "var_seen": np.var(there[0], ddof=1),
        "cov_seen": np.cov(there)[0, 1],
    } | MOMENTS


def fit(rng, shape):
    """A column, and its least-squares fit from others."""
    n = shape.n + shape.d + 3
    X = np.column_stack([np.ones(n), rng.normal(size=(n, shape.d))])
    x = X.sum(axis=1) + 3 * rng.normal(size=n) + shape.mean
    return {"x": x, "n": n, "x_hat": X @ np.linalg.lstsq(X, x)[0]} | MOMENTS


def pooled(rng):
    """Independent errors of M tables, of the real one and its own: all their signs, equally likely."""
    M, B, U = int(rng.integers(2, 6)), rng.uniform(0.1, 2), rng.uniform(0.1, 2)
    signs = np.array(list(product([-1.0, 1.0], repeat=M + 2))).T  # (M + 2, outcomes)
    errors = np.sqrt(B) * signs[:-1]
    return {"M": M, "B": B, "U": U, "tables": errors[:M], "real": errors[M], "own": np.sqrt(U) * signs[-1]}


def of_all_errors(M, B, U):
    """The variance of (δ_1 + … + δ_M)/M - δ_0 - u, from the variance of each term."""
    weights, variances = np.array([1 / M] * M + [-1, -1]), np.array([B] * (M + 1) + [U])
    return (weights**2 * variances).sum()


def two_names(rng, shape):
    """The numbers of two different names among K, counted from 1."""
    K = shape.d + 2
    i, j = rng.choice(K, size=2, replace=False) + 1
    return {"i": int(i), "j": int(j), "K": K}


def _phi(t):
    return -t * np.log2(t) if t > 0 else 0.0


def _asked(is_a, y):
    """The joint shares of classes and answers; the first answer is yes."""
    joint = np.array([[((y == c) & (is_a == answer)).mean() for answer in (1, 0)] for c in np.unique(y)])
    return {"is_a": is_a, "y": y, "joint": joint, "phi": _phi}


def question(rng, shape):
    """Is the name a? And two or three classes that depend on it."""
    is_a = np.r_[1, 0, rng.uniform(size=shape.n + 8) < 0.3].astype(int)
    return _asked(is_a, rng.integers(0, 3, size=len(is_a)) * (rng.uniform(size=len(is_a)) < 0.6) + is_a)


def decided(rng, shape):
    """Two classes, of which one is just the name a."""
    is_a = question(rng, shape)["is_a"]
    return _asked(is_a, is_a.copy())


def buckets(rng, shape):
    """Boundaries, a number, the heights of the buckets and the number's bits."""
    edges, a = np.sort(rng.normal(size=shape.d)), rng.normal()
    w = rng.normal(size=shape.d + 1)
    bits = (np.arange(len(w)) == (edges <= a).sum()).astype(float)
    return {
        "a": a,
        "edges": edges,
        "M": shape.d,
        "w": w,
        "x_prime": bits,
        "height": lambda k: w[int(k)],
    }


def column(rng):
    """A column far from 0, its deviation, and a number to divide by."""
    v = 20 * rng.normal() + rng.uniform(0.1, 9) * rng.normal(size=12)
    return {"v": v, "n": len(v), "c": rng.uniform(0.5, 5), "deviation": v.std()}


def valley(rng, shape):
    """Second derivatives of a loss: symmetric, all eigenvalues above 0."""
    B = rng.normal(size=(shape.d + 1, shape.d + 3))
    return {"A": B @ B.T, "d": shape.d + 1}


def worst_of_a_step(A):
    """The largest stretch of I - η A, by its singular values."""
    lam = np.linalg.eigvalsh(A)
    return np.linalg.svd(np.eye(len(A)) - 2 / (lam[0] + lam[-1]) * A, compute_uv=False)[0]


def _similarity(x, y):
    return 1 - cosine(x, y)


def two_rows(rng, shape):
    """Two rows of any length, and a function that gives the cosine of their angle."""
    x, y = rng.normal(size=shape.d + 1), rng.normal(size=shape.d + 1) + shape.mean
    return {"x": x, "y": y, "d": shape.d + 1, "cosine": _similarity}


def distance_of_units(x, y):
    """The squared distance of two rows, each divided by its length."""
    return ((x / np.sqrt(x.dot(x)) - y / np.sqrt(y.dot(y))) ** 2).sum()


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY, PALE = "#999999", "#dddddd"


def show_blanks(table):
    """The whole table: a dark mark for each blank, the columns below each other."""
    blank = table.isna().to_numpy()
    fig, ax = figure(width=9, height=4.2)
    ax.imshow(blank.T, aspect="auto", cmap="Greys", vmin=0, vmax=1.1, interpolation="none")
    names = [f"{name} ({n})" if n else name for name, n in zip(table.columns, blank.sum(axis=0), strict=True)]
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.set_yticks(np.arange(len(names)) + 0.5, minor=True)
    ax.grid(False)
    ax.grid(True, axis="y", which="minor")
    ax.tick_params(which="minor", length=0)
    ax.set(xlabel="bird, in the order of the file")
    alone = blank.sum(axis=0).argmax()
    show(
        fig,
        f"The field book of {blank.shape[0]} birds: dark is blank (how many in brackets). {blank.sum()} of "
        f"{blank.size} cells, {blank[:, alone].sum()} of them in {table.columns[alone]}.",
    )


def show_alarms(rises):
    """By how much each cause of dirt raises each number of the audit; cause → kind → count."""
    causes, kinds = list(rises), list(next(iter(rises.values())))
    counts = np.array([[rises[cause][kind] for kind in kinds] for cause in causes])
    fig, ax = figure(width=6.5, height=3.6)
    ax.imshow(counts > 0, aspect="auto", cmap="Blues", vmin=0, vmax=1.6)
    for (i, j), n in np.ndenumerate(counts):
        ax.annotate(f"{n:+d}" if n else "0", (j, i), ha="center", va="center", color=BLACK if n else GREY)
    ax.set_xticks(range(len(kinds)), kinds)
    ax.set_yticks(range(len(causes)), causes)
    ax.grid(False)
    show(
        fig,
        f"What the audit says after each of {len(causes)} causes: {np.count_nonzero(counts)} find their "
        f"number, {(~counts.any(axis=1)).sum()} does not.",
    )


def show_told(bits, seen, new):
    """How many bits a column tells, and how well it predicts seen and new rows; dicts by column."""
    names = list(bits)
    place = np.arange(len(names))[::-1]
    fig, (left, right) = figure(2, width=9.5, height=2.8, sharey=True)
    left.barh(place, list(bits.values()), color=SKY)
    left.set(xlabel="bits told about the sex (of 1)", xlim=(0, 1.15))
    left.set_yticks(place, names)
    for where, value in zip(place, bits.values(), strict=True):
        left.annotate(f"{value:.2f}", (value, where), xytext=(4, -4), textcoords="offset points", fontsize=9)
    for values, marker, colour, label in (
        (seen, "o", BLUE, "training rows"),
        (new, "^", RED, "held-out rows"),
    ):
        right.plot([100 * v for v in values.values()], place, marker, color=colour, markersize=9, label=label)
    right.axvline(50, color=BLACK, linestyle=LINES[1], linewidth=1)
    right.set(xlabel="sex read right by a tree (%)", xlim=(40, 104), ylim=(-0.6, len(names) + 0.2))
    right.legend(fontsize=9, ncols=2, loc="upper center")
    show(
        fig,
        f"The id tells {bits['id']:.2f} bits, is right on {100 * seen['id']:.0f} % of the training rows and "
        "on "
        f"{100 * new['id']:.0f} % of the others; a coin has 50.",
    )


def show_slips(pair, slips, by_line, by_density, sizes, alone):
    """Flippers against masses with five slips, and the share found of single slips of each size.

    pair: flipper, mass; sizes: (swaps,) in mm; alone: (swaps, line and density), found or not.
    """
    fig, (ax, right) = figure(2, width=9.8, height=3.8, width_ratios=(1.6, 1))
    ok = np.setdiff1d(np.arange(len(pair)), slips)
    ax.scatter(pair[ok, 1], pair[ok, 0], s=14, color=BLUE, alpha=0.6, label="as measured")
    ax.scatter(pair[slips, 1], pair[slips, 0], s=60, color=RED, marker="^", label="digits swapped")
    slope, start = np.polyfit(pair[:, 1], pair[:, 0], 1)
    ax.axline((4000, start + 4000 * slope), slope=slope, color=BLACK, linewidth=1, label="fitted line")
    ends = np.column_stack([pair[slips, 1], start + slope * pair[slips, 1]])
    for (x, foot), top in zip(ends, pair[slips, 0], strict=True):
        ax.plot([x, x], [foot, top], color=RED, linewidth=0.8)
    ax.set(xlabel="body mass (g)", ylabel="flipper (mm)", ylim=(125, 310))
    ax.legend(loc="upper left", fontsize=9, ncols=3)
    steps = np.unique(sizes)
    for k, name in enumerate(("by the line", "by density")):
        found = [100 * alone[sizes == step, k].mean() for step in steps]
        right.plot(steps, found, color=COLOURS[k], linestyle=LINES[k], marker=MARKERS[k], label=name)
    right.set(xlabel="size of a single slip (mm)", ylabel="found (%)", ylim=(-4, 108), xticks=steps)
    right.legend(fontsize=9, loc="lower right")
    share = 100 * alone.mean(axis=0)
    show(
        fig,
        f"{len(pair)} penguins, five with swapped digits. The line marks {len(by_line)} birds, density "
        f"{len(by_density)}; {len(set(by_line) & set(by_density) & set(slips))} are planted ones. Right: of "
        f"{len(sizes)} possible swaps, one at a time, they find {share[0]:.0f} and {share[1]:.0f} %.",
    )


def show_mechanisms(x, y, lost):
    """Three ways to lose y: what is seen, what is blank, and both means; name → mask."""
    fig, axs = figure(len(lost), width=9.8, height=3.6, sharex=True, sharey=True)
    told = []
    for ax, (name, blank) in zip(axs, lost.items(), strict=True):
        ax.scatter(x[~blank], y[~blank], s=10, color=BLUE, label="seen")
        ax.scatter(x[blank], y[blank], s=14, facecolor="none", edgecolor=RED, linewidth=0.8, label="blank")
        ax.axhline(y.mean(), color=BLACK, linewidth=1, label="true mean")
        ax.axhline(y[~blank].mean(), color=BLUE, linestyle=LINES[1], label="mean of the seen")
        ax.set(title=name, xlabel="flipper (s.d.)")
        told.append(f"{name.partition(':')[0]} {y[~blank].mean() - y.mean():+.2f}".replace("-", "−"))
    axs[0].set(ylabel="mass (s.d.)", ylim=(-2.4, 4.4))
    axs[0].legend(fontsize=8, ncols=2, loc="upper left")
    show(
        fig,
        f"{len(y)} birds, half of the masses blank. Error of the mean of the seen, in s.d.: "
        f"{', '.join(told)}.",
    )


def show_bias(off, labels):
    """Mean and spread of the errors of several estimates; name → (repeats, estimates)."""
    fig, ax = figure(width=7.5, height=3.5)
    for place, errors in enumerate(off.values()):
        for k, label in enumerate(labels):
            ax.errorbar(
                place + 0.18 * (k - 1),
                errors[:, k].mean(),
                errors[:, k].std(ddof=1),
                fmt=MARKERS[k],
                color=COLOURS[k],
                markersize=8,
                capsize=3,
                label=label if place == 0 else None,
            )
    ax.axhline(0, color=BLACK, linewidth=1)
    ax.set_xticks(range(len(off)), list(off))
    ax.set(ylabel="error of the mean (s.d.)", xlim=(-0.5, len(off) - 0.5))
    ax.legend(fontsize=9, loc="lower left")
    told = "; ".join(
        f"{name.partition(':')[0]} {', '.join(f'{e:.2f}' for e in errors.mean(axis=0))}".replace("-", "−")
        for name, errors in off.items()
    )
    show(
        fig,
        f"Error of the mean mass, {len(errors)} repeats (bars: their standard deviation). As seen, by a "
        "line, by a "
        f"parabola: {told}.",
    )


def show_stripe(x, y, filled, known):
    """A column filled with its mean beside what was there; x complete, known: where y is seen."""
    fig, (left, right) = figure(2, width=9.5, height=3.6, sharex=True, sharey=True)
    for ax, values, label, title in (
        (left, y, "will be lost", "as it was"),
        (right, filled, "filled with the mean", "filled"),
    ):
        ax.scatter(x[known], values[known], s=12, color=BLUE, alpha=0.6, label="seen")
        ax.scatter(x[~known], values[~known], s=14, color=RED, marker="^", alpha=0.7, label=label)
        ax.set(title=f"{title}: correlation {np.corrcoef(x, values)[0, 1]:.2f}", xlabel="body mass (g)")
        ax.legend(fontsize=9, loc="upper left")
    left.set_ylabel("flipper (mm)")
    show(
        fig,
        f"{(~known).sum()} of {len(known)} flippers filled with their mean: a stripe of birds that never "
        "lived. "
        f"The variance falls to {100 * filled.var(ddof=1) / y[known].var(ddof=1):.0f} %, the correlation "
        "from "
        f"{np.corrcoef(x, y)[0, 1]:.2f} to {np.corrcoef(x, filled)[0, 1]:.2f}.",
    )


def show_p_values(p_values):
    """Histograms of p-values on noise; name → p-values."""
    fig, axs = figure(len(p_values), width=9, height=3, sharey=True)
    told = []
    for ax, (name, p) in zip(axs, p_values.items(), strict=True):
        _, _, bars = ax.hist(p, bins=np.linspace(0, 1, 21), color=SKY, edgecolor="white")
        bars[0].set_facecolor(RED)
        ax.axhline(len(p) / 20, color=BLACK, linestyle=LINES[1], linewidth=1)
        ax.set(title=name, xlabel="p-value")
        told.append(f"{name} {100 * (p < 0.05).mean():.0f} %")
    axs[0].set_ylabel("columns of noise")
    show(
        fig,
        f"p-values of {len(p)} columns of noise; dashed: what should be. Below 0.05 (orange-red): "
        f"{', '.join(told)}.",
    )


def show_dilemma(relations, misses):
    """Typical miss of the fillers against the correlation of two columns; name → misses."""
    fig, ax = figure(width=7, height=3.4)
    ax.plot(
        fine := np.linspace(0, 1, 200),
        np.sqrt(1 - fine**2),
        color=GREY,
        linewidth=1,
        label="$\\sqrt{1 - \\mathrm{corr}^2}$",
    )
    for k, (name, values) in enumerate(misses.items()):
        ax.plot(relations, values, MARKERS[k], color=COLOURS[k], markersize=8, label=name)
    for x, said, side in ((0.02, "nothing to learn", "left"), (0.86, "redundant", "right")):
        ax.annotate(said, (x, 0.06), ha=side, color=GREY)
    ax.set(xlabel="correlation of the two columns", ylabel="typical miss (s.d.)", ylim=(-0.03, 1.25))
    ax.legend(fontsize=9, loc="upper right", ncols=3)
    half = np.flatnonzero(relations == 0.6)[0]
    show(
        fig,
        f"How far fillers miss. With a correlation of 0.6 the model misses by {misses['model'][half]:.2f} "
        f"standard deviations, the mean by {misses['mean'][half]:.2f}.",
    )


def show_intervals(estimates, arms, truth, coverage):
    """A ladder of intervals for each arm; estimates: (studies, arms, 2), an estimate and its half width."""
    fig, axs = figure(len(arms), width=9.8, height=3.8, sharex=True, sharey=True)
    for k, (ax, arm) in enumerate(zip(axs, arms, strict=True)):
        for row, (middle, half) in enumerate(estimates[:, k]):
            hit = abs(middle - truth) <= half
            ax.plot(
                [middle - half, middle + half],
                [row, row],
                color=BLUE if hit else RED,
                linestyle="-" if hit else (0, (2, 1)),
                linewidth=1.5,
            )
        ax.axvline(truth, color=BLACK, linewidth=1)
        ax.set(title=f"{arm}: {100 * coverage[k]:.0f} %", yticks=[], xlabel="slope")
    told = ", ".join(f"{100 * share:.0f} % ({arm})" for arm, share in zip(arms, coverage, strict=True))
    show(
        fig,
        f"Intervals of {len(estimates)} studies; dashed orange-red ones miss the true slope {truth}. They "
        f"hold it, over all studies, in {told}.",
    )


FILLINGS = (
    "delete rows",
    "mean",
    "mean + indicator",
    "model without y",
    "model with y",
    "draws without y",
    "draws with y",
)
MECHANISMS = ("MCAR", "MAR", "MNAR")


def _cells(ax, colour, texts, title, most):
    """A table of coloured cells with a number in each; NaN is hatched."""
    ax.imshow(np.ma.masked_invalid(colour), aspect="auto", cmap="Reds", vmin=0, vmax=most)
    for (i, j), text in np.ndenumerate(texts):
        dark = np.isfinite(colour[i, j]) and colour[i, j] > 0.65 * most
        ax.annotate(text, (j, i), ha="center", va="center", fontsize=8, color="white" if dark else BLACK)
    ax.set_xticks(range(3), MECHANISMS, fontsize=8)
    ax.set_title(title, fontsize=9)
    ax.grid(False)
    ax.tick_params(length=0)


def show_conclusions(bias, held):
    """Bias and coverage of three answers; arrays (mechanism, filling, purpose)."""
    fig, axs = figure(3, 2, width=9.8, height=6, sharey=True)
    for k, purpose in enumerate(("mean of x", "slope alone", "slope beside z")):
        b, c = bias[..., k].T, held[..., k].T
        said = [[f"{round(v, 2) + 0.0:+.2f}" for v in row] for row in b]
        _cells(axs[0, k], np.abs(b), said, f"bias: {purpose}", 0.6)
        said = [[f"{100 * v:.0f} %" for v in row] for row in c]
        _cells(axs[1, k], np.maximum(0.95 - c, 0), said, f"intervals hold it: {purpose}", 0.95)
    for row in axs:
        row[0].set_yticks(range(7), FILLINGS, fontsize=9)
    show(
        fig,
        f"To conclude: seven fillings, three mechanisms; redder is worse. Draws with y, MAR: biases at most "
        f"{np.abs(bias[1, 6]).max():.2f}, coverage at least {100 * held[1, 6].min():.0f} %. By a coin, the "
        f"slope beside z is {1 + bias[0, 5, 2]:.2f} for 1 with draws without y, {1 + bias[0, 4, 2]:.2f} with "
        "a model with y.",
    )


def show_predictions(error):
    """Error on new rows over that without blanks; (mechanism, filling, learner), NaN where it cannot."""
    fig, axs = figure(2, width=7, height=2.9, sharey=True)
    for k, learner in enumerate(("least squares", "boosting")):
        e = error[:, 1:4, k].T
        _cells(axs[k], e - 1, [[f"{v:.2f}" for v in row] for row in e], learner, 1.2)
    axs[0].set_yticks(range(3), FILLINGS[1:4], fontsize=9)
    show(
        fig,
        f"To predict: squared error on new rows, over the same learner's without blanks (compare within a "
        f"panel). MNAR, least squares: {error[2, 1, 0]:.2f} with the mean, {error[2, 2, 0]:.2f} with the "
        "indicator. New rows cannot be deleted, and have no y.",
    )


def show_miss_and_spread(side):
    """Fillers in the plane of miss and spread; name → (species unknown and known, miss and spread)."""
    fig, ax = figure(width=7.5, height=3.8)
    ax.axvline(1, color=BLACK, linestyle=LINES[1], linewidth=1)
    for k, (name, both) in enumerate(side.items()):
        (plain, spread), (told, wider) = both
        colour, marker = COLOURS[k % 7], MARKERS[k % len(MARKERS)]
        ax.plot([spread, wider], [plain, told], color=colour, linewidth=1)
        ax.plot(spread, plain, marker, color=colour, markersize=7, markerfacecolor="white")
        name = "mean, species' mean" if name == "mean" else name
        ax.plot(wider, told, marker, color=colour, markersize=8, label=name)
    ax.set(xlabel="spread of what is filled in (dashed: of the true values)", ylabel="typical miss (s.d.)")
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    said = ", ".join(f"{both[1, 0]:.2f} ({name})" for name, both in side.items())
    show(fig, f"Six fillers, without the species (hollow) and with it. Typical miss with it: {said}.")


def show_thresholds(image, read):
    """A digit cut at each threshold, and the accuracy; threshold → accuracy."""
    fig, axs = figure(len(read) + 1, width=9, height=2, width_ratios=None)
    axs[0].imshow(image.reshape(8, 8), cmap="Greys")
    axs[0].set_title("grey values")
    for ax, (threshold, accuracy) in zip(axs[1:], read.items(), strict=True):
        ax.imshow(image.reshape(8, 8) > threshold, cmap="Greys", vmin=0, vmax=1)
        ax.set_title(f"> {threshold}: {100 * accuracy:.0f} %")
    for ax in axs:
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    best = max(read, key=read.get)
    show(
        fig,
        f"A three, cut at {len(read)} thresholds, and how often Bernoulli naive Bayes reads the held-out "
        "digits: best "
        f"at {best}, {100 * read[best]:.0f} %.",
    )


def show_slivers(town, gains, depths, right_at):
    """Bits told by the town and by one question; held-out accuracy against depth, code → (seeds, depths)."""
    fig, (left, right) = figure(2, width=9.5, height=3.2, width_ratios=(1, 1.8))
    left.bar(["the town", "“is it town 7?”"], [town, gains[7]], color=[BLUE, RED])
    left.bar_label(left.containers[0], fmt="%.2f")
    left.set(ylabel="bits told about buying", ylim=(0, 1.15))
    for k, (name, runs) in enumerate(right_at.items()):
        mean, spread = 100 * runs.mean(axis=0), 100 * runs.std(axis=0, ddof=1)
        right.plot(depths, mean, color=COLOURS[k], linestyle=LINES[k], marker=MARKERS[k], label=name)
        right.fill_between(
            depths, mean - spread, np.minimum(mean + spread, 100), color=COLOURS[k], alpha=0.15
        )
    right.set(xlabel="depth that the tree may have", ylabel="right, held out (%)", ylim=(48, 104))
    right.legend(fontsize=9, loc="lower right")
    bits, number = (100 * right_at[name].mean(axis=0) for name in ("a bit each", "a number each"))
    six = list(depths).index(6)
    show(
        fig,
        f"The town tells {town:.2f} bits, a question about one town {gains.max():.3f}. Held out, "
        f"{len(runs)} draws: bits {bits[six]:.0f} % at depth 6, {bits[-1]:.0f} % at {depths[-1]}; numbers "
        f"{number[six]:.0f} and {number[-1]:.0f} %.",
    )


def show_codes(sizes, results, control):
    """Training and new rows for each code and size of town, and the training rows of a code made of other
    labels; code → (seeds, sizes, 2)."""
    fig, axs = figure(len(sizes), width=9.5, height=3.4, sharey=True)
    for k, (ax, size) in enumerate(zip(axs, sizes, strict=True)):
        for place, (name, runs) in enumerate(results.items()):
            train, new = 100 * runs[:, k].mean(axis=0)
            labels = ("training rows", "new rows", "training, control") if place == 0 else (None,) * 3
            ax.plot([place, place], [train, new], color=GREY, linewidth=1.2)
            ax.plot(place, train, "o", color=BLUE, markersize=9, label=labels[0])
            ax.plot(place, new, "^", color=RED, markersize=9, label=labels[1])
            ax.plot([place - 0.3, place + 0.3], [100 * control[name][:, k, 0].mean()] * 2, color=BLACK,
                    linewidth=2, label=labels[2])  # fmt: skip
        ax.set_xticks(range(len(results)), [name.replace(" ", "\n", 1) for name in results])
        ax.set(title=f"towns of {size}", xlim=(-0.6, len(results) - 0.4), ylim=(44, 97))
    axs[0].set_ylabel("right (%)")
    axs[0].legend(fontsize=9, loc="upper right")
    loo, crossed, other = (
        ", ".join(f"{v:.0f}" for v in 100 * runs[..., 0].mean(axis=0))
        for runs in (results["leave one out"], results["cross-fitted"], control["cross-fitted"])
    )
    show(
        fig,
        f"Three codes of tossed coins: what a tree gets right. Training rows: leave one out {loo} %; "
        f"cross-fitted {crossed} %, and made of other tosses (control, black) {other} %.",
    )


def show_bins(column, edges):
    """A skewed column and the edges of its buckets, on a logarithmic axis; name → edges."""
    fig, axs = figure(len(edges), width=9.5, height=3, sharex=True, sharey=True)
    told = []
    for ax, (name, cuts) in zip(axs, edges.items(), strict=True):
        counts = np.histogram(column, cuts)[0]
        ax.hist(column, bins=np.geomspace(column.min(), column.max(), 60), color=SKY)
        for edge in cuts[1:-1]:
            ax.axvline(edge, color=RED, linewidth=1)
        for end in cuts[[0, -1]]:
            ax.axvline(end, color=GREY, linewidth=1, linestyle=LINES[1])
        ax.set(xscale="log", xticks=(10, 30, 100, 300), xticklabels=(10, 30, 100, 300), xlabel="area error")
        ax.minorticks_off()
        ax.set_title(f"{name}: {counts.min()} to {counts.max()} rows in a bucket")
        told.append(f"{name} {counts.min()} to {counts.max()}")
    axs[0].set(ylabel="tumours")
    show(
        fig,
        f"Eight buckets of a skewed column (its ends dashed, its axis logarithmic), equally wide or full; "
        f"rows in one: {', '.join(told)}.",
    )


def show_steps(a, b, fitted, bins, curves):
    """A wave with three fits; R² against the number of buckets; curves: (seeds, bins, 2), train and new."""
    fig, (left, right) = figure(2, width=9.5, height=3.6)
    grid = np.linspace(a.min(), a.max(), 800)[:, None]
    left.scatter(a, b, s=8, color="#bbbbbb")
    for k, (name, model) in enumerate(fitted.items()):
        left.plot(
            grid, model.predict(grid), color=COLOURS[(1, 0, 2)[k]], linestyle=LINES[(1, 0, 3)[k]], label=name
        )
    left.set(xlabel="a", ylabel="answer", ylim=(-1.3, 1.9))
    left.legend(fontsize=9, loc="upper right", ncols=3)
    train, new = curves.mean(axis=0).T
    for values, spread, name, k in (
        (train, curves[..., 0].std(axis=0), "60 training rows", 1),
        (new, curves[..., 1].std(axis=0), "new rows", 0),
    ):
        right.plot(bins, values, color=COLOURS[k], linestyle=LINES[k], marker=MARKERS[k], label=name)
        right.fill_between(bins, values - spread, values + spread, color=COLOURS[k], alpha=0.15)
    right.set(xlabel="buckets", ylabel="R²", ylim=(0.4, 1.02))
    right.legend(fontsize=9, loc="lower center")
    show(
        fig,
        f"Left: a wave and three fits. Right, mean and spread of {len(curves)} draws: 40 buckets for 60 "
        "rows have R² "
        f"{train[-1]:.2f} in training and {new[-1]:.2f} on new rows; {bins[new.argmax()]} have "
        f"{new.max():.2f} there.",
    )


def show_climb(a, b, predict, scores):
    """Some rows, a staircase through them, and its R² on them and on new ones."""
    fig, ax = figure(width=7, height=3.4)
    grid = np.linspace(a.min(), a.max(), 800)[:, None]
    ax.plot(a, b, "o", color=GREY)
    ax.plot(grid, predict(grid), color=BLUE)
    ax.set(xlabel="a", ylabel="answer", ylim=(-2.2, 2.2))
    show(fig, f"R² on the {len(a)} rows {scores[0]:.2f}, on new ones {scores[1]:.2f}.")


def show_contest(contest, hows):
    """Accuracy on new rows of several models in several worlds; world → (seeds, models)."""
    fig, ax = figure(width=8, height=3.4)
    for place, runs in enumerate(contest.values()):
        for k, how in enumerate(hows):
            x = place + 0.2 * (k - 1.5)
            ax.plot(np.full(len(runs), x), 100 * runs[:, k], ".", color=COLOURS[k], alpha=0.3)
            ax.plot(x, 100 * runs[:, k].mean(), MARKERS[k], color=COLOURS[k], markersize=9,
                    label=how if place == 0 else None)  # fmt: skip
    ax.set_xticks(range(len(contest)), [f"the truth: {name}" for name in contest])
    ax.set(ylabel="right on new rows (%)", ylim=(48, 98))
    ax.legend(fontsize=9, ncols=4, loc="upper center")
    told = "; ".join(
        f"{world}: {', '.join(f'{100 * v:.0f}' for v in runs.mean(axis=0))}"
        for world, runs in contest.items()
    )
    show(
        fig,
        f"200 training rows, {len(runs)} draws of each world. Raw, audited, buckets, boosting, in %: {told}.",
    )


def show_who_decides(shares, names, accuracy):
    """Each column's share of all squared distance, and what scaling does to the neighbours' accuracy."""
    fig, (left, right) = figure(2, width=9.5, height=3.5, width_ratios=(1.7, 1))
    order = np.argsort(shares)
    left.barh(np.array(names)[order], 100 * shares[order], color=SKY)
    left.set(xscale="log", xlabel="share of all squared distance (%, each line ten times the last)")
    left.tick_params(axis="y", labelsize=8)
    right.bar(list(accuracy), [100 * v for v in accuracy.values()], color=[RED, BLUE], width=0.6)
    right.bar_label(right.containers[0], fmt="%.0f %%")
    right.set(ylabel="growers read right (%)", ylim=(0, 112))
    low, high = accuracy.values()
    show(
        fig,
        f"One of {len(names)} measurements has {100 * shares.max():.1f} % of all squared distance. Five "
        "neighbours name "
        f"the grower in {100 * low:.0f} % as measured, in {100 * high:.0f} % scaled.",
    )


def show_scales(shapes, skews):
    """Histograms of one column on several scales; name → values, name → skewness."""
    fig, axs = figure(3, 2, width=9.5, height=4.4)
    for ax, (name, values) in zip(axs.flat, shapes.items(), strict=True):
        ax.hist(values, bins=40, color=SKY)
        ax.set_title(f"{name}: skewness {skews[name]:.1f}".replace("-0.0", "0.0"))
        ax.set_yticks([])
        ax.grid(False)
    show(
        fig,
        f"One measurement of {len(values)} tumours on six scales. Only the lower three change its shape: "
        "skewness "
        f"{skews['z-score']:.1f} above, {skews['logarithm']:.1f} after the logarithm.",
    )


def show_colony(past, kind, colony, recognised):
    """Two scaled columns of the training rows and a colony scaled in two ways; name → rows."""
    fig, axs = figure(2, width=9.5, height=3.8, sharex=True, sharey=True)
    for ax, (how, Z) in zip(axs, colony.items(), strict=True):
        for k, species in enumerate(np.unique(kind)):
            rows = past[kind == species]
            ax.scatter(
                rows[:, 2], rows[:, 3], s=14, marker=MARKERS[k], color=COLOURS[k], alpha=0.35, label=species
            )
        ax.scatter(Z[:, 2], Z[:, 3], s=26, marker="x", color=BLACK, linewidth=1, label="the colony")
        ax.set(title=f"{how}: {100 * recognised[how]:.0f} % recognised", xlabel="flipper, scaled")
    axs[0].set_ylabel("mass, scaled")
    axs[0].legend(fontsize=8, loc="upper left")
    told = ", ".join(f"{how} {100 * v:.0f} %" for how, v in recognised.items())
    show(
        fig,
        f"{len(Z)} Gentoo of 2009 (crosses) among the birds of 2007 and 2008. Recognised, scaled {told}. In "
        "all four "
        "columns five neighbours decide.",
    )


def show_walks(walks, conditions):
    """First steps of gradient descent on level sets, and the errors; name → (path, A, goal)."""
    fig, axs = figure(3, width=9.8, height=3.6)
    for k, (ax, (name, (path, A, goal))) in enumerate(zip(axs, walks.items(), strict=False)):
        steps = path[:13]
        reach = 1.25 * np.abs(steps - goal).max(axis=0)
        U, V = np.meshgrid(*(np.linspace(g - r, g + r, 120) for g, r in zip(goal, reach, strict=True)))
        E = np.stack([U - goal[0], V - goal[1]], axis=-1)
        ax.contour(
            U, V, np.sqrt(np.einsum("abi,ij,abj->ab", E, A, E)), levels=9, colors="#bbbbbb", linewidths=0.8
        )
        ax.plot(*steps.T, "-o", markersize=3, linewidth=1.2, color=COLOURS[k])
        ax.plot(*goal, "*", markersize=13, color=BLACK)
        ax.set(title=f"{name}: 12 of {len(path) - 1} steps", xlabel="weight of the flipper")
        ax.tick_params(labelsize=8)
        error = np.linalg.norm(path - goal, axis=1) / np.linalg.norm(goal)
        axs[2].semilogy(error, color=COLOURS[k], linestyle=LINES[k], label=name)
        rate = (conditions[k] - 1) / (conditions[k] + 1)
        worst = error[0] * rate ** np.arange(len(error))
        axs[2].semilogy(worst, color=GREY, linestyle=":", label="at worst (5.16)" if k else None)
    axs[0].set_ylabel("weight of the bill depth")
    axs[2].set(xlabel="step", title="error left", ylim=(3e-7, 30))
    axs[2].legend(fontsize=8, loc="upper right")
    told = ", ".join(
        f"{name} {len(path) - 1} (condition {condition:.1f})"
        for (name, (path, *_)), condition in zip(walks.items(), conditions, strict=True)
    )
    show(
        fig,
        "Gradient descent to the same fit (star; axes of unlike units). Steps until a millionth is left: "
        f"{told}.",
    )


def show_light(dim, unit, accuracy):
    """Pictures in their own light and made of length one, and what five neighbours read."""
    fig, axs = figure(len(dim), 2, width=9, height=2.7)
    for pictures, row in ((dim, axs[0]), (unit, axs[1])):
        for picture, ax in zip(pictures, row, strict=True):
            ax.imshow(picture.reshape(8, 8), cmap="Greys", vmin=0, vmax=16 if pictures is dim else unit.max())
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
    axs[0, 0].set_ylabel("as seen", fontsize=9)
    axs[1, 0].set_ylabel("length one", fontsize=9)
    told = ", ".join(f"{name} {100 * v:.0f} %" for name, v in accuracy.items())
    show(
        fig,
        f"{len(dim)} digits, each in its own light, and below made of length one. Five neighbours read: "
        f"{told}.",
    )


def show_pipeline(shape, past, numbers, right):
    """The way from the raw table to the learner, as boxes and arrows."""
    fig, ax = figure(width=9.8, height=3)
    boxes = {
        "raw": (0.6, 1, f"raw table\n{past} × {shape[1]}", PALE),
        "bits": (2.7, 0.25, "one-hot\n(names)", SKY),
        "join": (4.5, 1, f"{past} × {len(numbers) + 3}\nnumbers", PALE),
        "fill": (6.1, 1, "fill\n(model)", SKY),
        "scale": (7.6, 1, "scale\n(z-score)", SKY),
        "learn": (9.3, 1, "5 nearest\nneighbours", SKY),
    }
    drawn = {
        name: ax.annotate(text, (x, y), ha="center", va="center",
                          bbox={"boxstyle": "round,pad=0.45", "fc": colour, "ec": GREY})
        for name, (x, y, text, colour) in boxes.items()
    }  # fmt: skip
    for start, end, bend in (
        ("raw", "bits", 0), ("bits", "join", 0), ("raw", "join", -0.35),
        ("join", "fill", 0), ("fill", "scale", 0), ("scale", "learn", 0),
    ):  # fmt: skip
        ax.annotate("", boxes[end][:2], boxes[start][:2], arrowprops={
            "arrowstyle": "-|>", "color": BLACK, "connectionstyle": f"arc3,rad={bend}",
            "patchA": drawn[start].get_bbox_patch(), "patchB": drawn[end].get_bbox_patch(),
        })  # fmt: skip
    ax.annotate(f"{len(numbers)} numbers, as they are", (2.55, 1.72), ha="center", fontsize=9)
    ax.annotate("species", (1.55, 0.42), ha="right", fontsize=9)
    ax.annotate(
        f"the sex and {shape[1] - len(numbers) - 2} more columns\nare not named: they fall out",
        (0.6, -0.15),
        ha="center",
        va="center",
        fontsize=8,
        color="#555555",
    )
    ax.set(xlim=(-0.5, 10.2), ylim=(-0.45, 2.3))
    ax.axis("off")
    show(
        fig,
        f"The pipeline, fitted on {past} birds of 2007 and 2008 (blue: what learns from them). On the "
        f"{shape[0] - past} birds of 2009 it is right in {100 * right:.0f} %.",
    )
