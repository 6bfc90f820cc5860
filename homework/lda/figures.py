"""Figures of homework 3, lda: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, swapped
from grading.pictures import mistake_drawn
from helpers.plotting import COLOURS, figure


@fresh_reading("lda.12")
def two_clouds(rng):
    angle, y = rng.uniform(0.3, 1.2), np.arange(200) % 2
    along, across = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    gap = 0.25 * along + rng.uniform(1, 1.3) * across
    rows = (
        rng.normal(size=(200, 2)) * [3, 0.5] @ np.array([along, across]) + np.where(y, 1, -1)[:, None] * gap
    )
    styles = rng.permutation(["-", "--"])

    def draw():
        fig, ax = figure(width=5)
        for label, marker in enumerate("os"):
            ax.plot(*rows[y == label].T, marker, color=COLOURS[label], label=f"class {label}")
        for way, style in zip((along, across), styles, strict=True):
            ax.axline((0, 0), way, color="black", lw=2, ls=style)
        ax.set(aspect="equal")
        ax.legend()
        leans = f"{np.rad2deg(angle):.0f} degrees"
        return fig, f"Two long clouds of {sum(y)} points side by side; one line leans by {leans}."

    apart = [
        abs(np.diff([(rows @ w)[y == c].mean() for c in (0, 1)])[0]) / (rows @ w)[y == 0].std()
        for w in (along, across)
    ]
    words = swapped("solid", "dashed") if styles[0] == "--" else {}
    return FreshReading(draw, apart[1] > 2 > 1 > apart[0], words)


@fresh_reading("lda.13")
def pilot_study(rng):
    questions = int(rng.integers(20, 60))
    students = int(rng.integers(12, questions))
    X, Y = rng.normal(size=(2, students, questions))
    U, V = (np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)[0][:, : students - 1] for Z in (X, Y))
    largest = np.linalg.svd(U.T @ V, compute_uv=False)[0]
    words = {
        "25 students, 30 questions": f"{students} students, {questions} questions",
        "and 30 after it": f"and {questions} after it",
        "30 columns span all centred vectors of 25 numbers": (
            f"{questions} columns span all centred vectors of {students} numbers"
        ),
    }
    return FreshReading(None, np.isclose(largest, 1), words)


@mistake_drawn("lda.5")
def classes_along_the_axis(got, X, y, k):
    """Where the rows of each class fall on your first axis."""
    along = (X - X.mean(axis=0)) @ np.asarray(got, float)[:, 0]
    labels = np.unique(y)
    fig, ax = figure(height=2.5)
    for row, label in enumerate(labels):
        ax.plot(along[y == label], np.full((y == label).sum(), row), "o^sDv"[row % 5], alpha=0.5)
    ax.set(xlabel="your first axis", yticks=range(len(labels)), yticklabels=[f"class {c}" for c in labels])
    within = sum(((along[y == c] - along[y == c].mean()) ** 2).sum() for c in labels)
    share = within / ((along - along.mean()) ** 2).sum()
    return (
        fig,
        f"The classes in rows along your first axis: {100 * share:.0f} % of the spread is inside them.",
    )
