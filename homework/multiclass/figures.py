"""Figures of homework 11, multiclass: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import figure


@fresh_reading("multiclass.13")
def three_scores(rng):
    from sklearn.linear_model import LogisticRegression

    apart, wide, names = rng.uniform(3, 5), rng.uniform(0.5, 0.9), ("left", "middle", "right")
    x, label = rng.normal(np.repeat([-apart, 0, apart], 100), wide), np.repeat([0, 1, 2], 100)
    line = np.linspace(-1.5 * apart, 1.5 * apart, 200)
    models = [LogisticRegression().fit(x[:, None], label == c) for c in range(3)]
    scores = np.array([one.decision_function(line[:, None]) for one in models])

    def draw():
        fig, ax = figure(height=3)
        for score, style, name in zip(scores, ("-", "--", ":"), names, strict=True):
            ax.plot(line, score, style, label=name)
        ax.axhline(0, color="grey", lw=1)
        ax.set(xlabel="x", ylabel="decision score", ylim=(-9, 6))
        ax.legend()
        return (fig, f"A falling, a nearly level and a rising line, at most {scores[1].max():.2f}.")

    return FreshReading(draw, scores[1].max() < 0 and scores[:, 100].argmax() == 1)


@fresh_reading("multiclass.14")
def confused(rng):
    a, b, c = rng.integers(3, 9), rng.integers(2, 9), int(rng.integers(20, 31))
    table = np.array([[100 - 2 * a, a, a], [b, 100 - 2 * b, b], [c, 50 - c, 0]])
    right, recalls = np.diag(table).sum() / 250, np.diag(table) / table.sum(axis=1)
    words = {
        "| **A** | 90 | 5 | 5 |": f"| **A** | {100 - 2 * a} | {a} | {a} |",
        "| **B** | 4 | 92 | 4 |": f"| **B** | {b} | {100 - 2 * b} | {b} |",
        "| **C** | 24 | 26 | 0 |": f"| **C** | {c} | {50 - c} | 0 |",
        "0.73": f"{right:.2f}",
        "0.61": f"{recalls.mean():.2f}",
        "5 and 4": f"{a} and {b}",
        "nine rows": f"{a + b} rows",
    }
    return FreshReading(None, recalls[2] == 0 and right > 0.6, words)


@mistake_drawn("multiclass.8")
def places_that_differ(got, code, out):
    """How far each word that came out lies from the word of the class that you name."""
    got = np.asarray(got).astype(int)
    away = np.abs(out - code[got]).sum(axis=1)
    fig, ax = figure(height=2.8)
    ax.bar(np.arange(len(away)), away)
    ax.set(xlabel="row", ylabel="places that differ")
    return fig, (
        f"What {len(away)} rows say against the words of your classes: they differ in {away.mean():.1f} of "
        f"{code.shape[1]} places on average, in {away.max():.1f} at most."
    )
