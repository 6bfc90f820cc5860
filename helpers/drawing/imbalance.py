"""Figures of chapter 12: rare classes, thresholds and costs, resampling, one class alone."""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, show

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
    left.set(xticks=[], yticks=[], title=f"of 1000 people {few} come every month")
    left.spines[:].set_visible(False)
    left.grid(False)
    bins = np.geomspace(0.005, 1, 40)
    for rows, colour, name in ((~y, GREY, "others"), (y, RED, "come every month")):
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
        f"{p[y].mean():.3f} for the {y.sum()} who come every month, {p[~y].mean():.3f} for the others; "
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
        right.plot(t, min(precise, 0.36), marker, color=colour, markersize=9, label=name)
        told.append(f"{name}: recall {t:.0%}, precision {precise:.0%}")
    left.set(
        xlabel="false alarms among the negatives", ylabel="recall", title=f"area {auc:.2f} ± {spread:.2f}"
    )
    right.set(xlabel="recall", ylabel="precision", ylim=(0, 0.4), title="the same program")
    left.legend(fontsize=9, loc="lower right")
    show(fig, f"The program at all thresholds. ROC area {auc:.2f} ± {spread:.2f}. {'; '.join(told)}.")


def show_rescaled(p, bar, weighted, y, areas):
    """Probabilities as fitted, rescaled, and fitted with class weights."""
    fig, (left, right) = figure(2, width=9, height=3.6)
    left.plot(p, bar, ".", color=BLUE, markersize=3)
    left.plot([0, 1], [0, 1], color=BLACK, linestyle=LINES[3])
    left.set(xlabel="$p$ as fitted", ylabel=r"rescaled, $\bar p$", title="rescaling (12.6)")
    for rows, colour, size, name in ((~y, GREY, 2, "others"), (y, RED, 4, "come every month")):
        right.plot(bar[rows], weighted[rows], ".", color=colour, markersize=size, label=name)
    right.plot([0, 1], [0, 1], color=BLACK, linestyle=LINES[3])
    right.set(xlabel=r"rescaled, $\bar p$", ylabel="fitted with weights", title="rescaling or weights?")
    right.legend(fontsize=9, loc="lower right", markerscale=3)
    show(
        fig,
        f"Left: rescaling lifts a mean of {p.mean():.3f} to {bar.mean():.2f}. Right: class weights in the "
        "fit give "
        f"nearly the same; mean distance {np.abs(bar - weighted).mean():.2f}, AUC {areas[0]:.3f} and "
        f"{areas[1]:.3f}.",
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
        ax.set(xlabel="x")
    left.legend(loc="upper left", fontsize=9)
    left.set(title="shares times densities", ylim=(0, 0.5))
    right.legend(loc="lower right", fontsize=9, bbox_to_anchor=(1, 0.12))
    right.set(title="called positive right of the cut", ylim=(0, 0.95))
    at = np.abs(cuts - at_share).argmin()
    show(
        fig,
        f"One feature, one positive in ten. The cut at one half has the least error, {error.min():.1%}. The "
        "cut at the "
        f"base rate has the least balanced error, {balanced.min():.1%}, at an error of {error[at]:.1%}.",
    )


def show_money(cuts, profits, marks):
    """Profit against the cut, a line for each split, and some cuts by name."""
    fig, ax = figure(width=7.5, height=3.7)
    ax.plot(cuts, profits.T, color=SKY, linewidth=0.8)
    middle = profits.mean(axis=0)
    ax.plot(cuts, middle, color=BLUE, linewidth=2.5, label=f"mean of {len(profits)} splits")
    ax.axhline(0, color=BLACK, linewidth=0.8)
    told = []
    for (name, cut), line, colour in zip(marks.items(), LINES, (GREEN, BLACK, RED), strict=False):
        ax.axvline(cut, color=colour, linestyle=line, linewidth=1.5, label=name)
        told.append(f"{name} {np.interp(cut, cuts, middle):.0f}")
    ax.set(
        xscale="log", xlabel="call where p is above", ylabel="profit, thousands of dollars", ylim=(-130, 75)
    )
    ax.set_xticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.5], ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5"])
    ax.minorticks_off()
    ax.legend(fontsize=9, loc="lower right", bbox_to_anchor=(0.93, 0))
    best = cuts[middle.argmax()]
    show(
        fig,
        f"What a cut earns on the half not in training. Thousands on average: {', '.join(told)}. With "
        "hindsight the "
        f"best of {len(cuts)} cuts, {best:.3f}, earns {middle.max():.0f}.",
    )


def show_shares(arms, values, truth, insured, share):
    """The shares that EM finds: columns of values for the arms, and those of the insured."""
    fig, ax = figure(width=8, height=3.4)
    columns = [*values.T, np.asarray(insured)]
    for place, found in enumerate(columns):
        shift = np.linspace(-0.15, 0.15, len(found))
        colour = RED if place == len(values.T) else BLUE
        ax.plot(place + shift, 100 * found, MARKERS[place], color=colour, alpha=0.8)
    ax.plot([-0.4, len(arms) - 0.6], [100 * truth] * 2, color=BLACK, linestyle=LINES[1], label="the truth")
    ax.plot([len(arms) - 0.4, len(arms) + 0.4], [100 * share] * 2, color=BLACK, linestyle=LINES[1])
    ax.set_xticks(range(len(columns)), [*arms, "the insured"])
    ax.set(ylabel="share that EM finds (%)", ylim=(-0.8, None))
    ax.legend(fontsize=9, loc="upper left")
    told = ", ".join(
        f"{name} {100 * c.min():.1f} to {100 * c.max():.1f} %"
        for name, c in zip([*arms, "the insured"], columns, strict=True)
    )
    show(
        fig,
        f"{len(values)} draws each, the truth is {truth:.0%} ({share:.1%} for the insured). EM finds: "
        f"{told}.",
    )


def show_eights(originals, shrunk):
    """The same digits at 8 × 8 and at 4 × 4 pixels."""
    fig, axes = figure(len(originals), 2, width=9, height=2.5)
    grid_of_images(axes[0], 16 - originals.reshape(-1, 8, 8))
    grid_of_images(axes[1], 1 - shrunk.reshape(-1, 4, 4))
    show(fig, f"{len(originals)} eights as they were written, and what the learners get: 16 numbers each.")


def show_copies(grown):
    """Where trees say positive; grown: name → (rows, positive, tree, recall in training and on new)."""
    fig, axs = figure(len(grown), width=9.5, height=3.6, sharex=True, sharey=True)
    xs, ys = np.linspace(-3.2, 3.8, 220), np.linspace(-3.2, 3.8, 220)
    plane = np.column_stack([a.ravel() for a in np.meshgrid(xs, ys)])
    told = []
    for ax, (name, (X, y, tree, (own, new))) in zip(axs, grown.items(), strict=True):
        yes = np.asarray(tree.predict(plane), float).reshape(len(ys), len(xs))
        ax.contourf(xs, ys, yes, levels=[0.5, 1.5], colors=[ORANGE], alpha=0.45)
        ax.plot(*X[~y].T, ".", color=GREY, markersize=2)
        ax.plot(*X[y].T, MARKERS[1], color=RED, markersize=6)
        ax.set(title=name, xlabel=f"finds {own:.0%}; of new ones {new:.0%}", xticks=[], yticks=[])
        told.append(f"{name} {own:.0%} and {new:.0%}")
    show(
        fig,
        f"{y.sum()} positives (triangles) among {len(y)} rows; shaded: called positive. Found in training "
        f"and of new positives: {', '.join(told)}.",
    )


def show_segments(P, i, j, made, box, off):
    """New rows between neighbours, with one δ for a row and with one for each attribute."""
    fig, axs = figure(2, width=9, height=3.6, sharex=True, sharey=True)
    for ax, rows, title in zip(
        axs, (made, box), ("one δ for the row", "a δ for each attribute"), strict=True
    ):
        for a, b in zip(i, j, strict=True):
            ax.plot(*P[[a, b]].T, color="#bbbbbb", linewidth=1)
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


def show_bridge(X, y, bridges):
    """SMOTE's rows with few and with more neighbours; bridges: k → (rows, lands among negatives)."""
    fig, axs = figure(len(bridges), width=9.5, height=3.6, sharex=True, sharey=True)
    told = []
    for ax, (k, (rows, lost)) in zip(axs, bridges.items(), strict=True):
        ax.plot(*X[~y].T, ".", color=GREY, label="negatives")
        ax.plot(*rows[~lost].T, "+", color=BLUE, markersize=5, label="new")
        ax.plot(*rows[lost].T, "x", color=RED, markersize=5, label="new, nearest to a negative")
        ax.plot(*X[y].T, MARKERS[1], color=ORANGE, markersize=9, markeredgecolor=BLACK, label="positives")
        ax.set_title(f"{k} neighbours: {lost.mean():.0%} land among the negatives")
        told.append(f"with {k} neighbours {lost.mean():.0%}")
    axs[0].set_ylim(-3.2, 4.6)
    handles, labels = axs[1].get_legend_handles_labels()
    axs[0].legend(handles, labels, fontsize=9, loc="upper left", ncols=2)
    show(
        fig,
        f"Four positives on each side of {(~y).sum()} negatives. Of {len(rows)} new rows lie nearest to a "
        "negative: "
        f"{', '.join(told)}.",
    )


def show_border(X, y, kinds, starts, ends):
    """Positives by the company they keep; from those in danger go the segments for new rows."""
    fig, ax = figure(width=8, height=3.8)
    ax.plot(*X[~y].T, ".", color=GREY, label="negatives")
    for start, others in zip(starts, ends, strict=True):
        for end in others:
            ax.plot(*np.array([start, end]).T, color=SKY, linewidth=1, zorder=1)
    for kind, name, colour, marker in zip(
        kinds, ("noise", "danger", "safe"), (BLACK, RED, GREEN), "X^s", strict=True
    ):
        ax.plot(*X[y][kind].T, marker, color=colour, markersize=8, label=f"{name}: {kind.sum()}")
    ax.plot([], [], color=SKY, label="new rows may lie here")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=9)
    show(
        fig,
        f"{y.sum()} positives by their ten nearest rows: {kinds[0].sum()} noise, {kinds[1].sum()} in danger, "
        f"{kinds[2].sum()} safe. New rows start from those in danger only.",
    )


def show_leak(X, many, made, tested, arms, values):
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
        "Left: every test row of SMOTE's (diamonds) has training rows beside it. Right: one neighbour on "
        "pure noise, "
        f"{len(values)} seeds: {arms[0]} {means[0]:.2f}, {arms[1]} {means[1]:.2f}.",
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
        ax.set(title=f"ν = {nu}: {out.mean():.1%} outside", aspect="equal", xlim=(-4.5, 4.5), ylim=(-3, 3))
        told.append(f"{out.mean():.1%} for {nu}")
    show(
        fig, f"One class of {len(X)} rows; shaded: accepted. At most a share ν is outside: {', '.join(told)}."
    )


def show_directions(heights, eight):
    """Scores of new digits under a model of the others, and under one of the eights."""
    fig, axs = figure(len(heights), width=9.5, height=3.4)
    told = []
    for ax, (name, height) in zip(axs, heights.items(), strict=True):
        bins = np.linspace(height.min(), height.max(), 35)
        for rows, colour, label in ((~eight, GREY, "other digits"), (eight, RED, "eights")):
            weights = np.full(rows.sum(), 100 / rows.sum())
            ax.hist(height[rows], bins, weights=weights, color=colour, alpha=0.6, label=label)
        ax.axvline(0, color=BLACK, linestyle=LINES[1])
        ax.set(title=name, xlabel="strange  ←  score  →  familiar")
        told.append(f"{name}: {(height[eight] > 0).mean():.0%} of the eights are familiar, "
                    f"{(height[~eight] > 0).mean():.0%} of the others")  # fmt: skip
    axs[0].set_ylabel("% of the group")
    axs[0].legend(fontsize=9, loc="upper left")
    show(fig, f"Two models of one class on {len(eight)} new digits. {'; '.join(told)}.")


def show_contest(areas):
    """AUC of each learner with each remedy, every split a dot; areas: (learner, remedy) → array."""
    fig, ax = figure(width=9, height=4.6)
    learners = list(dict.fromkeys(who for who, _ in areas))
    looks = {
        "as it is": (BLACK, "o"),
        "undersampled": (BLUE, "v"),
        "copies": (ORANGE, "s"),
        "SMOTE": (RED, "^"),
    }
    for (who, how), found in areas.items():
        colour, marker = looks.get(how, (GREEN, "D"))
        place = len(learners) - 1 - learners.index(who)
        place += 0.27 - 0.18 * list(looks).index(how) if how in looks else 0
        ax.plot(found, np.full(len(found), place), ".", color=colour, markersize=3, alpha=0.35)
        ax.errorbar(found.mean(), place, xerr=found.std(ddof=1), color=colour, marker=marker, capsize=3)
    for how, (colour, marker) in looks.items():
        ax.plot([], [], marker, color=colour, label=how)
    names = {who: who if how in looks else f"{who}\n{how}".strip() for who, how in areas}
    ax.set_yticks(np.arange(len(learners))[::-1], list(names.values()))
    ax.set(xlabel="AUC on 897 new digits", xlim=(0.78, 1))
    ax.legend(fontsize=9, loc="lower left")
    plain = {who: areas[who, "as it is"].mean() for who, how in areas if how == "as it is"}
    told = ", ".join(f"{who} {value:.3f}" for who, value in plain.items())
    show(fig, f"{len(next(iter(areas.values())))} splits; bars: standard deviation. As it is: {told}. "
              "EasyEnsemble "
              f"{areas['EasyEnsemble', ''].mean():.3f}.")  # fmt: skip


def show_flow(steps):
    """The decision flow: (question, answer to the right, what to do then, section) from the top."""
    fig, ax = figure(width=9, height=6.2)
    arrow = {"arrowstyle": "-|>", "color": BLACK, "lw": 1.2}
    for k, (question, answer, action, where) in enumerate(steps):
        height = len(steps) - 1 - k
        for x, wide, text, colour in ((0, 3.6, question, SKY), (4.6, 4.4, action, ORANGE)):
            if text:
                box = FancyBboxPatch((x, height + 0.15), wide, 0.6, boxstyle="round,pad=0.04")
                box.set(facecolor=colour, edgecolor="none", alpha=0.35)
                ax.add_patch(box)
                ax.text(x + wide / 2, height + 0.45, text, ha="center", va="center", fontsize=9)
        if action:
            ax.annotate("", (4.54, height + 0.45), (3.67, height + 0.45), arrowprops=arrow)
            ax.text(4.05, height + 0.5, answer, ha="center", va="bottom", fontsize=9)
        ax.text(9.15, height + 0.45, where, va="center", fontsize=9, color="#555555")
        if k:
            ax.annotate("", (1.8, height + 0.81), (1.8, height + 1.1), arrowprops=arrow)
            other = {"no": "yes", "yes": "no"}[steps[k - 1][1]]
            ax.text(1.9, height + 0.95, other, va="center", fontsize=9)
    ax.set(xlim=(-0.15, 10.6), ylim=(0.05, len(steps)), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.grid(False)
    questions = "; ".join(question.replace("\n", " ") for question, *_ in steps)
    show(fig, f"What to do, in {len(steps)} steps. {questions}.")


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
    ax.set(xscale="log", yscale="log", xlabel="probability given", ylabel="share that comes every month")
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
        axs[0].plot(*X[[a, partner[a]]].T, color=BLACK, linewidth=2.5)
    for ax, gone, name in zip(axs, (links & ~y, outvoted), ("Tomek links", "ENN"), strict=True):
        ax.plot(*X[gone].T, "o", color=BLUE, markersize=10, fillstyle="none", label="would go")
        ax.set(title=f"{name}: {gone.sum()} negatives would go", xticks=[], yticks=[])
    axs[0].set_ylim(-2.6, 4.2)
    axs[0].legend(fontsize=9, loc="upper left", ncols=3)
    show(
        fig,
        f"{(~y).sum()} negatives, {y.sum()} positives. Tomek links mark {(links & ~y).sum()} negatives, "
        "edited "
        f"nearest neighbours {outvoted.sum()}.",
    )
