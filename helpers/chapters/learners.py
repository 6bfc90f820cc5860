"""Figures of the page on learners: folds, maps of answers, a line, a race."""

import numpy as np

from helpers.plotting import COLOURS, MARKERS, figure, regions, scatter_classes, show


def show_folds(tests, scores, n):
    """Which rows are hidden in each round, and how the learner did on them."""
    fig, ax = figure(width=8, height=2.6)
    for i, (rows, score) in enumerate(zip(tests, scores, strict=True)):
        hidden = np.isin(np.arange(n), rows)
        ax.bar(np.arange(n)[~hidden], 0.8, width=1, bottom=i - 0.4, color="#dddddd")
        ax.bar(rows, 0.8, width=1, bottom=i - 0.4, color=COLOURS[0])
        ax.annotate(f"{100 * score:.1f} %", (n + 4, i), va="center", annotation_clip=False)
    ax.set(xlim=(0, n), ylim=(len(tests) - 0.5, -0.5), xlabel="row of the table", yticks=range(len(tests)))
    ax.set_yticklabels([f"round {i + 1}" for i in range(len(tests))])
    ax.grid(False)
    show(
        fig,
        f"Five rounds over {n} rows: learn from the grey ones, be tested on the blue ones. Right: the "
        "accuracy of "
        f"each round, from {100 * min(scores):.1f} to {100 * max(scores):.1f} %.",
    )


def show_map(predict, X, y, names, title):
    """What a learner answers where, and the hidden birds."""
    fig, ax = figure(width=5.6, height=3.2)
    regions(ax, predict, (31, 61), (12.5, 22.5))
    scatter_classes(ax, X, y, labels=names, s=14)
    share = 100 * (predict(X) == y).mean()
    ax.set(title=title, xlabel="bill length (mm)", ylabel="bill depth (mm)")
    ax.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    show(
        fig,
        f"The map of {title}, and {len(y)} hidden penguins: {share:.0f} % of them lie in their own colour.",
    )


def show_line(x, y, slope, start):
    """A line through a cloud, with some of its errors."""
    fig, ax = figure(width=5.6, height=3.2)
    ax.plot(x, y, MARKERS[0], color=COLOURS[5], markersize=3)
    for i in range(0, len(x), 12):
        ax.plot([x[i], x[i]], [y[i], start + slope * x[i]], color=COLOURS[4], linewidth=1)
    ends = np.array([x.min(), x.max()])
    ax.plot(ends, start + slope * ends, color=COLOURS[1])
    ax.set(xlabel="flipper length (mm)", ylabel="body mass (g)")
    show(
        fig,
        f"{len(x)} penguins, the line of least squares, and some of the errors whose squares it makes least: "
        f"{slope:.0f} g more for each millimetre of flipper.",
    )


def show_race(scores):
    """Accuracy of each learner on the same folds, one dot a fold; a dict name → scores."""
    fig, ax = figure(width=7, height=3.4)
    for i, values in enumerate(scores.values()):
        ax.plot(100 * values, np.full(len(values), i), MARKERS[0], color=COLOURS[5])
        ax.plot(100 * values.mean(), i, MARKERS[3], color=COLOURS[1], markersize=8)
    ax.set(
        yticks=range(len(scores)), xlabel="accuracy on the hidden fold (%)", ylim=(len(scores) - 0.5, -0.5)
    )
    ax.set_yticklabels(scores)
    means = [100 * values.mean() for values in scores.values()]
    show(
        fig,
        f"{len(scores)} learners on the same five folds (dots; diamonds are the means): from "
        f"{min(means):.1f} to "
        f"{max(means):.1f} % right.",
    )
