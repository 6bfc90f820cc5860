"""Figures of homework 8, filters: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import COLOURS, figure


@fresh_reading("filters.13")
def p_values(rng):
    from scipy.stats import ttest_ind

    useful, label = int(rng.choice([60, 100, 200, 300])), np.arange(200) % 2
    table = rng.normal(size=(200, 1000))
    table[:, :useful] += 0.6 * label[:, None]
    heights = np.histogram(ttest_ind(table[label == 0], table[label == 1]).pvalue, 20, (0, 1))[0]
    low, high = round(0.8 * useful), round(1.2 * useful)

    def draw():
        fig, ax = figure(height=2.8)
        ax.bar(np.arange(20) / 20, heights, 0.05, align="edge", color=COLOURS[0], edgecolor="white")
        ax.set(xlabel="p", ylabel="features")
        return fig, (
            f"Twenty bars: the first holds {heights[0]:.0f} p-values, the others {heights[1:].mean():.0f} "
            "each on average."
        )

    words = {"About 120 to 180": f"About {low} to {high}"}
    return FreshReading(draw, low <= heights[0] - heights[1:].mean() <= high, words)


@fresh_reading("filters.14")
def survey(rng):
    """What scikit-learn's chi2 makes of a column: sums of each class against what its size lets expect."""
    from sklearn.feature_selection import chi2

    y = rng.random(rows := 100 * int(rng.integers(3, 10))) < 0.5
    income, answer = np.exp(rng.normal(10, 0.9, size=rows)), y ^ (rng.random(rows) < rng.uniform(0.2, 0.3))
    unlike, decides = chi2(np.column_stack([income, answer]), y)[0]
    words = {"first with 8112": f"first with {unlike:.0f}", "last with 31": f"last with {decides:.0f}"}
    return FreshReading(None, unlike > 10 * decides > 100, words)


@mistake_drawn("filters.7")
def line_of_your_first_column(got, X, y, k):
    """Your first column against y."""
    first = int(np.asarray(got)[0])
    fig, ax = figure(width=5)
    ax.plot(X[:, first], y, "o", alpha=0.6)
    ax.set(xlabel=f"column {first}, your first", ylabel="y")
    r = np.corrcoef(X[:, first], y)[0, 1]
    return fig, f"Column {first}, which you put first, against y: their correlation is {r:.2f}."
