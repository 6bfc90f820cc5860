"""Figures of chapter 12: rare classes, thresholds and costs, resampling, one class alone.

Draws for the derivations of chapter 12: counts, shares, odds, costs, pairs of positives, one class.
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle
from sklearn.svm import OneClassSVM

from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, show

__all__ = [
    "all_on_the_limit",
    "better_cut",
    "costs",
    "counts",
    "labels",
    "one_class",
    "pair",
    "probability",
    "two_worlds",
]

# ---- what the derivations draw at random


def counts(rng):
    """How many rows of each class are called positive and negative: four different numbers."""
    TP, FN, FP, TN = (rng.permutation(400)[:4] + 1).tolist()
    return {"TP": TP, "FN": FN, "FP": FP, "TN": TN}


def labels(rng):
    """Yes (1) or no (0) for some positives and some negatives, in all pairs of one with one."""
    yes, no = (rng.random(int(rng.integers(2, 12))) < rng.random() for _ in range(2))
    s_plus, s_minus = (grid.ravel().astype(float) for grid in np.meshgrid(yes, no))
    return {"s_plus": s_plus, "s_minus": s_minus, "t": yes.mean(), "f": no.mean()}


def areas_under_one_corner(t, f):
    """The area below the way (0, 0), (f, t), (1, 1): a triangle, a rectangle, a triangle."""
    return f * t / 2 + (1 - f) * t + (1 - f) * (1 - t) / 2


def probability(rng):
    """A probability, and how many rows each class has."""
    drawn = counts(rng)
    return drawn | {"p": rng.uniform(0.02, 0.98)}


def two_worlds(rng):
    """Densities of both classes at a row, and a share of positives in each of two worlds."""
    pos, neg = rng.uniform(0.1, 2, size=2)
    share, other = rng.uniform(0.05, 0.95, size=2)
    return {"pos": pos, "neg": neg, "pi": share, "pi_prime": other}


def by_bayes(pos, neg, pi_prime):
    """The odds of a row in the other world: how much of what lies there is positive."""
    yes, no = pi_prime * pos, (1 - pi_prime) * neg
    p = yes / (yes + no)
    return p / (1 - p)


def costs(rng):
    """A probability, and what a false alarm and a miss cost."""
    return {"p": rng.random(), "alarm": rng.uniform(0.1, 10), "miss": rng.uniform(0.1, 10)}


def pair(rng, shape):
    """Two rows, and how far along the way between them."""
    x, x_hat = rng.normal(size=(2, shape.d)) + shape.mean
    return {"x": x, "x_hat": x_hat, "delta": rng.random()}


def better_cut(rng):
    """Counts, and some more rows that may be called positive: how many, and how probable they are."""
    drawn = counts(rng)
    return drawn | {"B": int(rng.integers(1, drawn["FN"] + drawn["TN"] + 1)), "p": rng.uniform(0.02, 0.98)}


def _fitted(X, K, nu, **options):
    """What scikit-learn makes of a table whose kernel matrix is K, rows on the border counted as inside."""
    model = OneClassSVM(nu=nu, tol=1e-9, **options).fit(X)
    alpha = np.zeros(len(X))
    alpha[model.support_] = model.dual_coef_[0].round(9)
    s = K @ alpha
    return {"K": K, "n": len(X), "nu": nu, "alpha": alpha, "s": s, "rho": s[alpha < 1].min()}


def one_class(rng, shape):
    """A table, a limit, and what a one-class SVM makes of them: weights, scores, the level of its border."""
    X = rng.normal(size=(4 * shape.n, shape.d)) + shape.mean
    bumps = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    return _fitted(X, bumps, float(rng.uniform(0.1, 0.9)), kernel="rbf", gamma=0.5)


def all_on_the_limit(rng, shape):
    """One positive feature and a linear kernel: the k smallest rows carry all the weight, and are outside."""
    n = 4 * shape.n
    k = int(rng.integers(1, n))
    X = np.sort(rng.uniform(1, 5, size=n))[:, None]
    return _fitted(X, X @ X.T, k / n, kernel="linear")


def outside(K, alpha, rho):
    """The share of rows whose sum of bumps is below the level."""
    return np.mean(K @ alpha < rho)


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"
PALE = "#cccccc"


def show_insured(p, y):
    """A thousand of the insured as dots, and the probabilities that both groups are given."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1, 1.5))
    few = round(1000 * y.mean())
    x, z = np.arange(1000) % 40, np.arange(1000) // 40
    left.scatter(x[few:], z[few:], s=7, color=PALE)
    left.scatter(x[:few], z[:few], s=16, color=RED, marker=MARKERS[1])
    left.set(xticks=[], yticks=[], title=f"of 1000 people {few} are frequent visitors")
    left.spines[:].set_visible(False)
    left.grid(False)
    bins = np.geomspace(0.005, 1, 40)
    for rows, colour, name in ((~y, GREY, "others"), (y, RED, "frequent visitors")):
        weights = np.full(rows.sum(), 100 / rows.sum())
        right.hist(p[rows], bins, weights=weights, color=colour, alpha=0.55, label=name)
    right.axvline(0.5, color=BLACK, linestyle=LINES[1])
    right.annotate("the program\nsays yes", (0.53, 9), fontsize=9)
    right.set(xscale="log", xlabel="probability that the program gives", ylabel="% of the group")
    right.set_xticks([0.01, 0.03, 0.1, 0.3, 1], ["0.01", "0.03", "0.1", "0.3", "1"])
    right.legend(fontsize=9, loc="upper right", bbox_to_anchor=(0.82, 1))
    show(
        fig,
        f"Left, how rare they are. Right, {len(y):,} people whom the program has not seen: the mean "
        "probability is "
        f"{p[y].mean():.3f} for the {y.sum()} frequent visitors, {p[~y].mean():.3f} for the others; "
        f"{(p > 0.5).sum()} get more than one half.",
    )


def show_all_thresholds(alarms, found, y, spots, auc, spread):
    """The ROC curve and precision against recall; spots: (name, false alarms, hits) as rows."""
    fig, (left, right) = figure(2, width=9.5, height=3.8)
    left.plot(alarms, found, color=BLUE)
    left.plot([0, 1], [0, 1], color=BLACK, linestyle=LINES[3], label="guessing")
    hits, false = found * y.sum(), alarms * (~y).sum()
    some = hits + false >= (spots[0][1] | spots[0][2]).sum()
    right.plot(found[some], (hits / np.maximum(hits + false, 1))[some], color=BLUE)
    right.axhline(y.mean(), color=BLACK, linestyle=LINES[3], label="guessing")
    told = []
    for (name, false, hits), marker, colour in zip(spots, MARKERS, (RED, GREEN, ORANGE), strict=False):
        t, f, precise = hits.sum() / y.sum(), false.sum() / (~y).sum(), hits.sum() / (hits | false).sum()
        left.plot(f, t, marker, color=colour, markersize=9, label=name)
        right.plot(t, precise, marker, color=colour, markersize=9, label=name)
        told.append(f"{name}: recall {100 * t:.0f} %, precision {100 * precise:.0f} %")
    left.set(
        xlabel="false alarms among the negatives", ylabel="recall", title=f"area {auc:.2f} ± {spread:.2f}"
    )
    right.set(xlabel="recall", ylabel="precision", ylim=(-0.05, 1.05), title="the same program")
    left.legend(fontsize=9, loc="lower right")
    show(fig, f"The program at all thresholds. ROC area {auc:.2f} ± {spread:.2f}. {'; '.join(told)}.")


def show_rescaled(p, bar, weighted, y):
    """Probabilities as fitted, rescaled, and fitted with class weights."""
    fig, (left, right) = figure(2, width=9, height=3.6)
    left.plot(p, bar, ".", color=BLUE, markersize=3)
    left.plot([0, 1], [0, 1], color=BLACK, linestyle=LINES[3])
    left.set(xlabel="$p$ as fitted", ylabel=r"rescaled, $\bar p$", title="rescaling (12.6)")
    for rows, colour, size, name in ((~y, GREY, 2, "others"), (y, RED, 4, "frequent visitors")):
        right.plot(bar[rows], weighted[rows], ".", color=colour, markersize=size, label=name)
    right.plot([0, 1], [0, 1], color=BLACK, linestyle=LINES[3])
    right.set(xlabel=r"rescaled, $\bar p$", ylabel="fitted with weights", title="rescaling or weights?")
    right.legend(fontsize=9, loc="lower right", markerscale=3)
    show(
        fig,
        f"Left: rescaling lifts a mean of {p.mean():.3f} to {bar.mean():.2f}. Right: class weights in the "
        "fit give "
        f"nearly the same; mean distance {np.abs(bar - weighted).mean():.2f}.",
    )


def show_two_minima(x, shapes, cuts, error, balanced, at_half, at_share):
    """Two Gaussians, and the two errors against the cut."""
    fig, (left, right) = figure(2, width=9.5, height=3.5)
    for values, line, colour, name in zip(
        shapes, LINES, (BLUE, RED), ("negatives", "positives"), strict=False
    ):
        left.plot(x, values, linestyle=line, color=colour, label=name)
    right.plot(cuts, error, color=BLUE, label="error")
    right.plot(cuts, balanced, color=RED, linestyle=LINES[1], label="balanced error")
    for values, cut, colour in ((error, at_half, BLUE), (balanced, at_share, RED)):
        right.plot(cut, np.interp(cut, cuts, values), "o", color=colour, markersize=8)
    for ax, place in ((left, 0.44), (right, 0.84)):
        for cut, text in ((at_half, "p > 1/2"), (at_share, "p > 0.1")):
            ax.axvline(cut, color=BLACK, linestyle=":", linewidth=1)
            ax.text(cut + 0.08, place, text, fontsize=9)
        ax.set(xlabel="the feature")
    left.legend(loc="upper left", fontsize=9)
    left.set(title="shares times densities", ylim=(0, 0.5))
    right.legend(loc="lower right", fontsize=9, bbox_to_anchor=(1, 0.12))
    right.set(title="called positive right of the cut", ylim=(0, 0.95))
    at = np.abs(cuts - at_share).argmin()
    show(
        fig,
        "One feature, one positive in ten. The cut at one half has the least error, "
        f"{100 * error.min():.1f} %. The cut at the base rate has the least balanced error, "
        f"{100 * balanced.min():.1f} %, at an error of {100 * error[at]:.1f} %.",
    )


def show_money(cuts, profits, marks):
    """Profit against the cut, a line for each split, and some cuts by name."""
    fig, ax = figure(width=7.5, height=3.7)
    ax.plot(cuts, profits.T, color=SKY, linewidth=0.8)
    middle = profits.mean(axis=0)
    ax.plot(cuts, middle, color=BLUE, linewidth=2.5, label=f"mean of {len(profits)} splits")
    ax.axhline(0, color=BLACK, linewidth=0.8)
    for (name, cut), line, colour in zip(marks.items(), LINES, (GREEN, BLACK, RED), strict=False):
        ax.axvline(cut, color=colour, linestyle=line, linewidth=1.5, label=name)
    ax.set(
        xscale="log", xlabel="call where p is above", ylabel="profit, thousands of dollars", ylim=(-130, 75)
    )
    ax.set_xticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.5], ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5"])
    ax.minorticks_off()
    ax.legend(fontsize=9, loc="lower right", bbox_to_anchor=(0.93, 0))
    best = cuts[middle.argmax()]
    show(
        fig,
        f"What a cut earns on the half not in training, {len(profits)} splits of the same rows. With "
        f"hindsight, of {len(cuts)} cuts {best:.3f} earns most, {middle.max():.0f} thousand on average.",
    )


def show_shares(found, truth, share):
    """The shares that EM finds: name → values; the last are those of the insured."""
    fig, ax = figure(width=9, height=3.6)
    last = len(found) - 1
    told = []
    for place, (name, values) in enumerate(found.items()):
        values = 100 * np.asarray(values)
        shift = np.linspace(-0.15, 0.15, len(values))
        ax.plot(place + shift, values, MARKERS[place], color=RED if place == last else BLUE, alpha=0.8)
        told.append(f"{values.min():.1f} to {values.max():.1f} % ({name})")
    ax.plot([-0.4, last - 0.6], [100 * truth] * 2, color=BLACK, linestyle=LINES[1], label="the truth")
    ax.plot([last - 0.4, last + 0.4], [100 * share] * 2, color=BLACK, linestyle=LINES[1])
    ax.set_xticks(range(last + 1), found, fontsize=10)
    ax.set(ylabel="share that EM finds (%)", ylim=(-0.8, None))
    ax.legend(fontsize=9, loc="upper left")
    show(
        fig,
        f"{len(values)} draws each, the truth is {100 * truth:.0f} % ({100 * share:.1f} % for the insured). "
        f"EM finds: {', '.join(told)}.",
    )


def show_eights(originals, shrunk):
    """The same digits at 8 × 8 and at 4 × 4 pixels."""
    fig, axes = figure(len(originals), 2, width=9, height=2.5)
    grid_of_images(axes[0], 16 - originals.reshape(-1, 8, 8))
    grid_of_images(axes[1], 1 - shrunk.reshape(-1, 4, 4))
    show(fig, f"{len(originals)} eights as they were written, and what the learners get: 16 numbers each.")


def _said_yes(tree, node=0, low=(-9.0, -9.0), high=(9.0, 9.0)):
    """The boxes (lower corner, upper corner) of the leaves in which a tree of two features says yes."""
    if tree.children_left[node] < 0:
        return [(low, high)] if tree.value[node][0].argmax() else []
    j, cut = tree.feature[node], tree.threshold[node]
    left = _said_yes(tree, tree.children_left[node], low, [*high[:j], cut, *high[j + 1 :]])
    return left + _said_yes(tree, tree.children_right[node], [*low[:j], cut, *low[j + 1 :]], high)


def show_copies(grown):
    """Where trees say positive; grown: name → (rows, positive, tree, recall in training and on new)."""
    fig, axs = figure(len(grown), width=9.5, height=3.6, sharex=True, sharey=True)
    told = []
    for ax, (name, (X, y, tree, (own, new))) in zip(axs, grown.items(), strict=True):
        ax.plot(*X[~y].T, ".", color=GREY, markersize=2)
        for low, high in _said_yes(tree.tree_):
            box = Rectangle(low, *np.subtract(high, low), facecolor=ORANGE, edgecolor=BLACK, lw=0.8)
            box.set_alpha(0.6)
            ax.add_patch(box)
        ax.plot(*X[y].T, MARKERS[1], color=RED, markersize=3)
        ax.set(title=name, xlabel=f"finds {100 * own:.0f} %; of new ones {100 * new:.0f} %")
        ax.set(xlim=(-3.2, 3.8), ylim=(-3.2, 3.8), xticks=[], yticks=[])
        told.append(f"{100 * own:.0f} % and {100 * new:.0f} % ({name})")
    show(
        fig,
        f"{y.sum()} positives (triangles) among {len(y)} rows; boxes, some thin as a line: called positive. "
        f"Found in training and of new positives: {', '.join(told)}.",
    )


def _segments(starts, ends):
    """Two coordinates of many segments as one line, broken between them."""
    return np.stack([starts, ends, np.full_like(ends, np.nan)], axis=1).reshape(-1, 2).T


def show_segments(P, i, j, made, box, off):
    """New rows between neighbours, with one δ for a row and with one for each attribute."""
    fig, axs = figure(2, width=9, height=3.6, sharex=True, sharey=True)
    for ax, rows, title in zip(
        axs, (made, box), ("one δ for the row", "a δ for each attribute"), strict=True
    ):
        ax.plot(*_segments(P[i], P[j]), color="#bbbbbb", linewidth=1)
        ax.plot(*P.T, MARKERS[1], color=RED, markersize=8, label="positives")
        ax.plot(*rows.T, MARKERS[0], color=BLUE, markersize=4, label="new")
        ax.set_title(title)
    axs[0].legend(fontsize=9, loc="upper left", bbox_to_anchor=(0, 1.02))
    axs[0].set_ylim(-0.15, 3.7)
    show(
        fig,
        f"{len(P)} positives and {len(made)} new rows. With one δ for a row all lie on segments between "
        "positives; "
        f"with a δ for each attribute {off} of {len(made)} leave them.",
    )


def show_bridge(X, y, bridges, edge=1.2):
    """SMOTE's rows with few and with more neighbours; bridges: k → rows."""
    fig, axs = figure(len(bridges), width=9.5, height=3.6, sharex=True, sharey=True)
    told = []
    for ax, (k, rows) in zip(axs, bridges.items(), strict=True):
        lost = np.abs(rows[:, 0]) < edge
        ax.plot(*X[~y].T, ".", color=GREY, label="negatives")
        ax.plot(*rows[~lost].T, "+", color=BLUE, markersize=5, label="new")
        ax.plot(*rows[lost].T, "x", color=RED, markersize=5, label="new, between the sides")
        ax.plot(*X[y].T, MARKERS[1], color=ORANGE, markersize=9, markeredgecolor=BLACK, label="positives")
        ax.set_title(f"{k} neighbours: {100 * lost.mean():.0f} % between the sides")
        told.append(f"{100 * lost.mean():.0f} % with {k} neighbours")
    axs[0].set_ylim(-3.2, 4.6)
    handles, labels = axs[1].get_legend_handles_labels()
    axs[0].legend(handles, labels, fontsize=9, loc="upper left", ncols=2)
    show(
        fig,
        f"Four positives on each side of {(~y).sum()} negatives, {len(rows)} new rows. Between the sides: "
        f"{', '.join(told)}.",
    )


def show_border(X, y, kinds, starts, near):
    """Positives by the company they keep; from those in danger go the segments for new rows."""
    fig, ax = figure(width=8, height=3.8)
    ax.plot(*X[~y].T, ".", color=GREY, label="negatives")
    ends = X[y][near].reshape(-1, 2)
    ways = _segments(np.repeat(starts, near.shape[1], axis=0), ends)
    ax.plot(*ways, color=SKY, linewidth=1, zorder=1)
    for kind, name, colour, marker in zip(
        kinds, ("noise", "danger", "safe"), (BLACK, RED, GREEN), "X^s", strict=True
    ):
        ax.plot(*X[y][kind].T, marker, color=colour, markersize=8, label=f"{name}: {kind.sum()}")
    ax.plot([], [], color=SKY, label="new rows lie here")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    show(
        fig,
        f"{y.sum()} positives by their ten nearest rows: {kinds[0].sum()} noise, {kinds[1].sum()} in danger, "
        f"{kinds[2].sum()} safe. New rows start from those in danger; {kinds[0][near].sum()} of the "
        f"{near.size} segments end at noise.",
    )


def show_leak(X, many, made, tested, beside, arms, values):
    """Test rows on segments between training rows, and the scores on noise."""
    fig, (left, right) = figure(2, width=9.5, height=3.7, width_ratios=(1.4, 1))
    left.plot(*X[many:].T, ".", color=PALE, label="negatives")
    left.plot(*made[~tested].T, MARKERS[0], color=BLUE, markersize=4, label="SMOTE's, in training")
    left.plot(*X[:many].T, MARKERS[1], color=BLACK, markersize=8, label="positives")
    left.plot(*made[tested].T, MARKERS[3], color=RED, markersize=5, label="SMOTE's, in the test")
    left.set(title="resampled first", xticks=[], yticks=[], ylim=(-2.9, 4.4))
    left.legend(fontsize=9, loc="upper center", ncols=2)
    for place, found in enumerate(values.T):
        shift = np.linspace(-0.1, 0.1, len(found))
        right.plot(place + shift, found, MARKERS[place], color=(GREEN, RED)[place], markersize=7)
    right.axhline(0.5, color=BLACK, linestyle=LINES[1])
    right.set_xticks(range(len(arms)), arms)
    right.set(ylabel="balanced accuracy", ylim=(0.4, 1.02), xlim=(-0.5, 1.5), title="noise: 0.5 is the truth")
    means = values.mean(axis=0)
    show(
        fig,
        f"Left, two features: of {len(beside)} test rows of SMOTE's (diamonds) {beside.sum()} have a "
        f"positive for nearest training row. Right, five features, one neighbour, {len(values)} seeds: "
        f"{arms[0]} {means[0]:.2f}, {arms[1]} {means[1]:.2f}.",
    )


def show_one_class(X, xs, ys, heights, outside):
    """The border of a one-class SVM for each ν."""
    fig, axs = figure(len(heights), width=9, height=3.5, sharey=True)
    told = []
    for ax, (nu, height) in zip(axs, heights.items(), strict=True):
        ax.contourf(xs, ys, height, levels=[0, height.max()], colors=[SKY], alpha=0.35)
        out = outside[nu]
        ax.plot(*X[~out].T, ".", color="#777777", markersize=4)
        ax.plot(*X[out].T, "x", color=RED)
        told.append(f"{100 * out.mean():.1f} % for {nu}")
        ax.set(title=f"ν = {nu}: {100 * out.mean():.1f} % outside")
        ax.set(aspect="equal", xlim=(-4.5, 4.5), ylim=(-3, 3))
    show(
        fig, f"One class of {len(X)} rows; shaded: accepted. At most a share ν is outside: {', '.join(told)}."
    )


def show_directions(heights, eight, factors, sweep):
    """Scores of new digits under a model of the others and of the eights; AUC against γ."""
    fig, axs = figure(len(heights) + 1, width=10.5, height=3.4)
    told = []
    for ax, (name, height) in zip(axs[:-1], heights.items(), strict=True):
        bins = np.linspace(height.min(), height.max(), 35)
        for rows, colour, label in ((~eight, GREY, "other digits"), (eight, RED, "eights")):
            weights = np.full(rows.sum(), 100 / rows.sum())
            ax.hist(height[rows], bins, weights=weights, color=colour, alpha=0.6, label=label)
        ax.axvline(0, color=BLACK, linestyle=LINES[1])
        ax.set(title=name, xlabel="strange  ←  score  →  familiar")
    axs[0].set_ylabel("% of the group")
    axs[1].legend(fontsize=9, loc="upper left")
    for (name, values), colour, line in zip(sweep.items(), (BLUE, GREEN), LINES, strict=False):
        middle = values.mean(axis=1)
        axs[-1].semilogx(factors, middle, marker="o", color=colour, linestyle=line, label=name)
        told.append(f"{name} {middle.min():.2f} to {middle.max():.2f}")
    axs[-1].axhline(0.5, color=BLACK, linestyle=LINES[3])
    axs[-1].set(title="AUC, narrower bumps", xlabel="γ, times the default", ylim=(0, 1.02))
    axs[-1].legend(fontsize=9, loc="center left", bbox_to_anchor=(0, 0.7))
    show(
        fig,
        f"Left and middle: two models of one class on {len(eight)} new digits, the default γ. Right, "
        f"AUC from γ × {factors[0]:g} to × {factors[-1]:g}: {'; '.join(told)}.",
    )


def show_contest(areas):
    """AUC and average precision of each learner with each remedy; areas: (learner, remedy) → splits × 2."""
    fig, axs = figure(2, width=10, height=5, sharey=True)
    looks = {
        "as it is": (BLACK, "o"),
        "undersampled": (BLUE, "v"),
        "copies": (ORANGE, "s"),
        "SMOTE": (RED, "^"),
        "Borderline-SMOTE": (PINK, "D"),
    }
    drawn = {pair: found for pair, found in areas.items() if pair[1] in looks or not pair[1]}
    learners = list(dict.fromkeys(who for who, _ in drawn))
    for (who, how), found in drawn.items():
        colour, marker = looks.get(how, (GREEN, "P"))
        place = len(learners) - 1 - learners.index(who)
        place += 0.32 - 0.16 * list(looks).index(how) if how in looks else 0
        for ax, values in zip(axs, found.T, strict=False):
            look = {"color": colour, "marker": marker, "capsize": 3, "markersize": 5}
            ax.errorbar(values.mean(), place, xerr=values.std(ddof=1), **look)
    for how, (colour, marker) in looks.items():
        axs[1].plot([], [], marker, color=colour, label=how)
    axs[0].set_yticks(np.arange(len(learners))[::-1], learners)
    axs[0].set(xlabel="AUC on 897 new digits")
    axs[1].set(xlabel="average precision: the first alarms")
    axs[1].legend(fontsize=9, loc="lower left")
    told = [
        f"{who} {found[:, 0].mean():.3f} and {found[:, 1].mean():.2f}"
        for (who, how), found in areas.items()
        if how == "as it is"
    ]
    many = len(next(iter(areas.values())))
    show(fig, f"{many} splits; bars: standard deviation. As they are, AUC and AP: {', '.join(told)}.")


def show_flow(steps):
    """The decision flow: (question, answer to the right, what to do then, section) from the top."""
    fig, ax = figure(width=9, height=6.8)
    arrow = {"arrowstyle": "-|>", "color": BLACK, "lw": 1.2}
    for k, (question, answer, action, where) in enumerate(steps):
        height = len(steps) - 1 - k
        told = f"{k + 1}. {question}"
        for x, wide, text, colour in ((0, 3.6, told, SKY), (4.6, 4.4, action, ORANGE)):
            box = FancyBboxPatch((x, height + 0.15), wide, 0.6, boxstyle="round,pad=0.04")
            box.set(facecolor=colour, edgecolor="none", alpha=0.35)
            ax.add_patch(box)
            ax.text(x + wide / 2, height + 0.45, text, ha="center", va="center", fontsize=9)
        ax.annotate("", (4.54, height + 0.45), (3.67, height + 0.45), arrowprops=arrow)
        ax.text(4.05, height + 0.5, answer, ha="center", va="bottom", fontsize=9)
        ax.text(9.15, height + 0.45, where, va="center", fontsize=9, color="#555555")
        if k:
            ax.annotate("", (1.8, height + 0.81), (1.8, height + 1.1), arrowprops=arrow)
            other = {"no": "yes", "yes": "no"}[steps[k - 1][1]]
            ax.text(1.9, height + 0.95, other, va="center", fontsize=9)
    ax.set(xlim=(-0.15, 11.2), ylim=(0.05, len(steps)), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.grid(False)
    first, last = (steps[k][0].replace("\n", " ") for k in (0, -1))
    show(fig, f"What to do, in {len(steps)} steps, with their sections: from “{first}” to “{last}”.")


def show_calibrators(ways, y):
    """Reliability of naive Bayes as it is and calibrated: ways is method → probabilities."""
    fig, ax = figure(width=7, height=3.8)
    names = {"none": "as it is", "sigmoid": "Platt", "isotonic": "isotonic"}
    told = []
    for (method, p), marker, line, colour in zip(
        ways.items(), MARKERS, LINES, (BLACK, RED, BLUE), strict=False
    ):
        tenth = np.digitize(p, np.quantile(p, np.linspace(0.1, 0.9, 9)))
        points = np.array([[v[tenth == b].mean() for b in np.unique(tenth)] for v in (p, y)])
        ax.plot(*points, marker=marker, linestyle=line, color=colour, label=names[method])
        told.append(f"{names[method]} {points[0, -1]:.2f} given, {points[1, -1]:.2f} true")
    ax.plot([0.002, 0.3], [0.002, 0.3], color=BLACK, linestyle=":", label="calibrated")
    ax.set(xscale="log", yscale="log", xlabel="probability given", ylabel="share of frequent visitors")
    ax.legend(fontsize=9)
    show(
        fig,
        "Naive Bayes on the insured, a point for each tenth of the people. The top tenth: "
        f"{'; '.join(told)}.",
    )


def show_cleaning(X, y, links, partner, outvoted):
    """Tomek links, and the negatives that their neighbours outvote."""
    fig, axs = figure(2, width=9.5, height=3.7, sharex=True, sharey=True)
    for ax in axs:
        ax.plot(*X[~y].T, ".", color=GREY, markersize=5, label="negatives")
        ax.plot(*X[y].T, MARKERS[1], color=RED, markersize=6, label="positives")
    for a in np.flatnonzero(links):
        axs[0].plot(*X[[a, partner[a]]].T, color=BLACK, linewidth=1.2)
    for ax, gone, name in zip(axs, (links & ~y, outvoted), ("Tomek links", "ENN"), strict=True):
        ax.plot(*X[gone].T, "o", color=BLUE, markersize=10, fillstyle="none", label="would go")
        ax.set(title=f"{name}: {gone.sum()} negatives would go", xticks=[], yticks=[])
    axs[0].set_ylim(-2.6, 3.4)
    axs[0].legend(fontsize=9, loc="upper left", ncols=3)
    show(
        fig,
        f"{(~y).sum()} negatives, {y.sum()} positives. Tomek links mark {(links & ~y).sum()} negatives, "
        "edited "
        f"nearest neighbours {outvoted.sum()}.",
    )
