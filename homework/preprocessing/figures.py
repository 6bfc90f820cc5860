"""Figures of homework 5, preprocessing: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import COLOURS, figure


@fresh_reading("preprocessing.12")
def filled(rng):
    middle, wide, share = rng.integers(20, 90), rng.uniform(4, 12), rng.uniform(0.5, 0.8)
    values = rng.normal(middle, wide, size=500)
    seen = rng.random(500) < share
    column = np.where(seen, values, values[seen].mean())

    def draw():
        fig, (left, right) = figure(2, height=2.6)
        for ax, part, name in ((left, values[seen], "seen"), (right, column, "filled")):
            ax.hist(part, np.linspace(middle - 3 * wide, middle + 3 * wide, 27), color=COLOURS[0])
            ax.set(title=f"{name}: {len(part)} values", xlabel="value")
        return fig, (
            f"Left a bell of {seen.sum()} values; right the same bell with a spike of {(~seen).sum()} at one "
            "place."
        )

    return FreshReading(draw, column.var() < 0.9 * values[seen].var())


@fresh_reading("preprocessing.13")
def towns(rng):
    from sklearn.metrics import roc_auc_score

    customers, many = 100 * int(rng.integers(20, 50)), 100 * int(rng.integers(6, 12))
    home = rng.integers(many, size=customers)
    label = rng.random(customers) < 0.5 + 0.15 * rng.normal(size=many).clip(-2, 2)[home]

    def auc(towns):
        sums, sizes = np.bincount(towns, label, many), np.bincount(towns, minlength=many)
        return roc_auc_score(label, sums[towns] / sizes[towns])

    real, by_lot = auc(home), auc(rng.integers(many, size=customers))
    words = {"3000": str(customers), "900": str(many), "0.86": f"{real:.2f}", "0.84": f"{by_lot:.2f}"}
    return FreshReading(None, 0.7 < by_lot < real - 0.015, words)


@mistake_drawn("preprocessing.6")
def buckets_along_the_line(got, a, edges):
    """The bucket that you give each number, and the edges."""
    got = np.asarray(got, float)
    fig, ax = figure(height=2.8)
    for edge in edges:
        ax.axvline(edge, color="grey", lw=1)
    ax.plot(a, got + np.zeros(len(a)), "o")
    ax.set(xlabel="number (a line at each edge)", ylabel="your bucket", yticks=np.unique(got))
    return fig, (
        f"Your buckets of {len(a)} numbers, from {got.min():.0f} to {got.max():.0f}; there are {len(edges)} "
        f"edges, and {int(np.isin(a, edges).sum())} numbers lie on one."
    )
