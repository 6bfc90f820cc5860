"""Your own mistake, drawn: what your answer gave on the draw that failed, beside what was given.

Each function takes what the answer gave and the arguments of the draw, and returns a figure and its sentence.
Nothing is drawn that needs the right answer, but for `pca.2` and `pca.6`: there the length of your
axis' shadow tells no more than the hint does.
"""

import importlib

import numpy as np

__all__ = ["PICTURES", "picture", "plotting"]


def axis_over_the_cloud(got, X, k):
    """Your first axis over the cloud, seen along the two directions in which it varies most."""
    got, Xc = np.asarray(got, float), X - X.mean(axis=0)
    plane = np.linalg.svd(Xc, full_matrices=False)[2][:2]
    shadow, spread = plane @ got[:, 0], (Xc @ plane.T).std(axis=0)
    fig, ax = _axes(width=5)
    ax.plot(*(Xc @ plane.T).T, "o", alpha=0.6, label="samples")
    tip = 2 * spread[0] * shadow
    ax.annotate("", tip, (0, 0), arrowprops=dict(arrowstyle="-|>", color="C1", lw=2))
    ax.plot(*tip, "s", color="C1", label="your first axis")
    ax.set(aspect="equal", xlabel="largest variance", ylabel="second largest")
    ax.legend()
    held = 100 * ((Xc @ got[:, 0]) ** 2).sum() / (got[:, 0] @ got[:, 0] * (Xc**2).sum())
    return fig, (
        f"The samples, and your first axis among them. It holds {held:.0f} % of the variance, and its shadow "
        f"on this plane has the length {np.linalg.norm(shadow):.2f}."
    )


def classes_along_the_axis(got, X, y, k):
    """Where the rows of each class fall on your first axis."""
    along = (X - X.mean(axis=0)) @ np.asarray(got, float)[:, 0]
    labels = np.unique(y)
    fig, ax = _axes(height=2.5)
    for row, label in enumerate(labels):
        ax.plot(along[y == label], np.full((y == label).sum(), row), "o^sDv"[row % 5], alpha=0.5)
    ax.set(xlabel="your first axis", yticks=range(len(labels)), yticklabels=[f"class {c}" for c in labels])
    within = sum(((along[y == c] - along[y == c].mean()) ** 2).sum() for c in labels)
    share = within / ((along - along.mean()) ** 2).sum()
    return (
        fig,
        f"The classes in rows along your first axis: {100 * share:.0f} % of the spread is inside them.",
    )


def folds_as_colours(got, n, k, seed):
    """Which fold tests each row."""
    times = np.zeros((k, n))
    for number, fold in enumerate(list(got)[:k]):
        np.add.at(times[number], np.asarray(fold, int) % n, 1)
    tested = times.sum(axis=0)
    fig, ax = _axes(height=2.5)
    ax.imshow(times, aspect="auto", interpolation="nearest", cmap="cividis")
    ax.set(xlabel="row", ylabel="fold", yticks=range(k))
    return fig, (
        f"Which fold tests which of {n} rows: {int((tested == 0).sum())} rows are never tested, "
        f"{int((tested > 1).sum())} more than once; sizes from {times.sum(axis=1).min():.0f} to "
        f"{times.sum(axis=1).max():.0f}."
    )


def new_among_the_positives(got, X, y, k, n, seed):
    """Your new points over the two classes, in the first two features."""
    got, P = np.asarray(got, float), X[y]
    box = np.all((got >= P.min(axis=0)) & (got <= P.max(axis=0)), axis=1)
    fig, ax = _axes(width=5)
    for rows, mark, name in ((X[~y], "x", "negative"), (P, "o", "positive"), (got, "+", "your new points")):
        ax.plot(*rows[:, :2].T, mark, label=name)
    ax.legend()
    copies = (np.abs(got[:, None] - P).max(axis=2) < 1e-12).any(axis=1)
    return fig, (
        f"Positives, negatives and your {len(got)} new points: {int((~box).sum())} lie outside the box of "
        f"the positives, {int(copies.sum())} are copies."
    )


def distances_kept(got, D, k):
    """The distances of your map against those that were given."""
    Z = np.asarray(got, float)
    mine = np.linalg.norm(Z[:, None] - Z, axis=2)
    fig, ax = _axes(width=4.5)
    ax.plot(D.ravel(), mine.ravel(), "o", alpha=0.5)
    ax.axline((0, 0), slope=1, color="black", lw=1)
    ax.set(xlabel="given distance", ylabel="distance in your map")
    ratio = mine.sum() / D.sum()
    return (
        fig,
        f"Pairs of points; on the line a distance is kept. Yours are {ratio:.2f} times as long on average.",
    )


def plotting():
    """Imported by its name in text: no grade of a class hangs on how figures look (`grading.imports`)."""
    return importlib.import_module("helpers.plotting")


def _axes(**size):
    return plotting().figure(**size)


PICTURES = {
    "pca.2": axis_over_the_cloud,
    "pca.6": axis_over_the_cloud,
    "lda.5": classes_along_the_axis,
    "selection.2": folds_as_colours,
    "imbalance.7": new_among_the_positives,
    "manifold.8": distances_kept,
}


def picture(id, got, args):
    """(figure, its sentence); None where there is none, or the answer has a form that cannot be drawn."""
    if id not in PICTURES:
        return None
    try:
        with np.errstate(all="ignore"):
            return PICTURES[id](got, *args)
    except Exception:  # any answer may come: what cannot be drawn has been told in words
        import matplotlib.pyplot as plt

        plt.close("all")
        return None
