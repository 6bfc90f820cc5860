"""Figures of homework 4, manifold: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, swapped
from grading.pictures import mistake_drawn
from helpers.plotting import figure


@fresh_reading("manifold.12")
def unrolled(rng):
    from sklearn.manifold import Isomap

    t = np.sort(np.linspace(1.5, rng.uniform(4, 4.5), 250) + 0.01 * rng.normal(size=250)) * np.pi
    spiral = np.column_stack([t * np.cos(t), t * np.sin(t)])
    many_first = rng.random() < 0.5
    maps = [Isomap(n_neighbors=k, n_components=2).fit_transform(spiral) for k in (8, 10, 90)]
    order = [abs(np.corrcoef(one[:, 0], t)[0, 1]) for one in maps]

    def draw():
        fig, axes = figure(4, width=9, height=2.4)
        axes[0].scatter(*spiral.T, c=t, s=8)
        axes[0].set(title="the spiral", aspect="equal")
        shown = maps[::-1] if many_first else maps
        for ax, one, name in zip(axes[1:], shown, ("left", "middle", "right"), strict=True):
            ax.scatter(*one.T, c=t, s=8)
            ax.set(title=name)
        wide = [np.ptp(one[:, 0]) for one in shown]
        return fig, (
            f"A spiral of {len(t)} points, and three maps of it; the first is {wide[0]:.0f} wide, "
            f"the last {wide[-1]:.0f}."
        )

    words = swapped("left", "right") | {"few, some and many": "many, some and few"} if many_first else {}
    return FreshReading(draw, min(order[:2]) > 0.98 > 0.9 > order[2], words)


@mistake_drawn("manifold.8")
def distances_kept(got, D, k):
    """The distances of your map against those that were given."""
    Z = np.asarray(got, float)
    mine = np.linalg.norm(Z[:, None] - Z, axis=2)
    fig, ax = figure(width=4.5)
    ax.plot(D.ravel(), mine.ravel(), "o", alpha=0.5)
    ax.axline((0, 0), slope=1, color="black", lw=1)
    ax.set(xlabel="given distance", ylabel="distance in your map")
    ratio = mine.sum() / D.sum()
    return (
        fig,
        f"Pairs of points; on the line a distance is kept. Yours are {ratio:.2f} times as long on average.",
    )


@mistake_drawn("manifold.7")
def straight_pairs(got, X, L):
    """The pairs of rows that you let the ant join in a straight line."""
    got, away = np.asarray(got, float), np.linalg.norm(X[:, None] - X, axis=2)
    pairs = np.argwhere(np.triu(np.isclose(got, away), 1))
    fig, ax = figure(width=5)
    for i, j in pairs:
        ax.plot(*X[[i, j]].T, color="C1", lw=1)
    ax.plot(*X.T, "o")
    ax.set(aspect="equal", xlabel="first feature", ylabel="second feature")
    upper = np.triu_indices(len(X), 1)
    short, endless = (got < away - 1e-9)[upper].sum(), np.isinf(got)[upper].sum()
    return fig, (
        f"{len(X)} rows, and lines between the {len(pairs)} pairs to which you give their straight distance; "
        f"to {short} pairs you give less, to {endless} infinity."
    )
