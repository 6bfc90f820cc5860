"""Figures of homework 1, knn: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, two_lines
from grading.pictures import mistake_drawn
from helpers.plotting import figure


@fresh_reading("knn.14")
def noisy_labels(rng):
    from sklearn.neighbors import KNeighborsClassifier

    X, share = rng.normal(size=(600, 2)), rng.uniform(0.12, 0.3)
    y = (X @ rng.normal(size=2) > 0) ^ (rng.random(600) < share)
    ks = np.r_[1:32:2]
    models = [KNeighborsClassifier(k).fit(X[:300], y[:300]) for k in ks]
    stored, held_out = (
        np.array([np.mean(m.predict(X[part]) != y[part]) for m in models])
        for part in (slice(300), slice(300, 600))
    )

    def draw():
        axes = dict(xlabel="k", ylabel="share of errors")
        fig = two_lines(ks, stored, held_out, ("stored rows", "held-out rows"), **axes)
        return fig, (
            f"Errors for k from 1 to {ks[-1]}: on stored rows they begin at {stored[0]:.2f} and rise, "
            f"on held-out rows they begin at {held_out[0]:.2f} and fall."
        )

    return FreshReading(draw, stored[0] == 0 and held_out[0] > held_out[-4:].mean() + 0.03)


@fresh_reading("knn.15")
def leaves(rng):
    """Three species: the weight tells them apart, length and width hardly do."""
    from sklearn.neighbors import KNeighborsClassifier

    species, low, high = np.arange(240) % 3, int(rng.integers(10, 40)), int(rng.integers(60, 120))
    sides = low + (high - low) * (rng.random((240, 2)) + 0.25 * species[:, None]) / 1.5
    weight = 0.001 * (1 + species + rng.random(240))

    def right(*columns):
        rows = np.column_stack(columns)
        return KNeighborsClassifier(5).fit(rows[:120], species[:120]).score(rows[120:], species[120:])

    with_it, without, scaled = right(sides, weight), right(sides), right(sides / (high - low), weight / 0.003)
    words = {
        "20 to 80": f"{low} to {high}",
        "61 %": f"{100 * without:.0f} %",
        "lengths by 60": f"lengths by {high - low}",
    }
    return FreshReading(None, with_it == without < scaled - 0.1, words)


@mistake_drawn("knn.3")
def labels_beside_rows(got, X, y, Q, k):
    """Your labels of the queries, each joined to the row that is nearest, in the first two columns.

    With two columns the picture shows all; with more, a row that looks nearer may be farther.
    """
    got, labels = np.asarray(got), np.unique(y)
    near = np.linalg.norm(X.astype(float) - Q[:, None].astype(float), axis=2).argmin(axis=1)
    fig, ax = figure(width=5)
    for row, query in zip(X[near], Q, strict=True):
        ax.plot(*np.array([row, query], float)[:, :2].T, color="grey", lw=1)
    for number, label in enumerate(labels):
        mark = "o^sDv"[number % 5]
        ax.plot(*X[y == label][:, :2].T, mark, color=f"C{number}", alpha=0.4, label=f"rows of {label}")
        yours = Q[got == label][:, :2].T
        ax.plot(*yours, mark, color=f"C{number}", ms=9, mec="black", label=f"yours: {label}")
    ax.plot(*Q[~np.isin(got, labels)][:, :2].T, "x", color="black")
    ax.set(xlabel="first column", ylabel="second column")
    ax.legend(fontsize="small")
    strange = int((~np.isin(got, labels)).sum())
    return fig, (
        f"Rows and {len(Q)} queries with your labels: {int((got == y[near]).sum())} have the label of the "
        f"row that is nearest, {strange} have a label that no row has."
        + (f" Only two of {X.shape[1]} columns are seen, and distances take all." if X.shape[1] > 2 else "")
    )
