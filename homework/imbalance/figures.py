"""Figures of homework 12, imbalance: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, swapped
from grading.pictures import mistake_drawn
from helpers.plotting import COLOURS, figure


@fresh_reading("imbalance.12")
def roc_curves(rng):
    fpr, bend, reached = np.linspace(0, 1, 500), rng.uniform(0.05, 0.15), rng.uniform(0.4, 0.6)
    steep = np.interp(fpr, [0, bend, 1], [0, reached, 1])
    area = bend * reached / 2 + (1 - bend) * (1 + reached) / 2
    late = np.minimum(1, fpr / (2 - 2 * area))
    styles = rng.permutation(["-", "--"])

    def draw():
        fig, ax = figure(width=4.5, height=4)
        for curve, style, colour in zip((steep, late), styles, COLOURS, strict=False):
            ax.plot(fpr, curve, style, color=colour, label="solid" if style == "-" else "dashed")
        ax.plot([0, 1], [0, 1], ":", color="grey")
        ax.set(xlabel="false alarms among negatives", ylabel="recall", aspect="equal")
        ax.legend(loc="lower right")
        below = [np.mean((c[1:] + c[:-1]) / 2) for c in (steep, late)]
        return fig, (
            f"Two curves above the diagonal that cross; below are {below[0]:.2f} and {below[1]:.2f}."
        )

    few = slice(1, 6)  # with 50 rows to look at, at most 50 of 9,900 are false alarms
    words = swapped("solid", "dashed") if styles[0] == "--" else {}
    return FreshReading(draw, (steep[few] > late[few]).all(), words)


@fresh_reading("imbalance.13")
def rare_disease(rng):
    """The ill have values in the upper part of a range, where the healthy are as well."""
    from sklearn.metrics import roc_auc_score

    percent, persons, upper = int(rng.integers(1, 5)), 1000 * int(rng.integers(2, 9)), rng.uniform(0.15, 0.3)
    ill = np.arange(persons) < percent * persons // 100
    value = np.where(ill, 1 - upper, 0) + np.where(ill, upper, 1) * rng.random(persons)
    highest = percent / (percent + upper * (100 - percent))  # probability in the upper part
    words = {
        "2 %": f"{percent} %",
        "5000": str(persons),
        "0.980": f"{1 - percent / 100:.3f}",
        "0.91": f"{roc_auc_score(ill, value):.2f}",
    }
    return FreshReading(None, highest < 0.45, words)


@mistake_drawn("imbalance.7")
def new_among_the_positives(got, X, y, k, n, seed):
    """Your new points over the two classes, in the first two features."""
    got, P = np.asarray(got, float), X[y]
    box = np.all((got >= P.min(axis=0)) & (got <= P.max(axis=0)), axis=1)
    fig, ax = figure(width=5)
    for rows, mark, name in ((X[~y], "x", "negative"), (P, "o", "positive"), (got, "+", "your new points")):
        ax.plot(*rows[:, :2].T, mark, label=name)
    ax.set(xlabel="first feature", ylabel="second feature")
    ax.legend()
    copies = (np.abs(got[:, None] - P).max(axis=2) < 1e-12).any(axis=1)
    odd = {"outside the box of the positives": (~box).sum(), "copies": copies.sum()}
    told = ", ".join(f"{count} {what}" for what, count in odd.items() if count)
    return fig, f"Positives, negatives and your {len(got)} new points{told and ': '}{told}."
