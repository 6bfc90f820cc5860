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


def labels_beside_rows(got, X, y, Q, k):
    """Your labels of the queries, each joined to the row that is nearest, in the first two columns."""
    got, labels = np.asarray(got), np.unique(y)
    near = np.linalg.norm(X.astype(float) - Q[:, None].astype(float), axis=2).argmin(axis=1)
    fig, ax = _axes(width=5)
    for row, query in zip(X[near], Q, strict=True):
        ax.plot(*np.array([row, query], float)[:, :2].T, color="grey", lw=1)
    for number, label in enumerate(labels):
        mark = "o^sDv"[number % 5]
        ax.plot(*X[y == label][:, :2].T, mark, color=f"C{number}", alpha=0.4, label=f"rows of {label}")
        yours = Q[got == label][:, :2].T
        ax.plot(*yours, mark, color=f"C{number}", ms=9, mec="black", label=f"yours: {label}")
    ax.plot(*Q[~np.isin(got, labels)][:, :2].T, "x", color="black")
    ax.legend(fontsize="small")
    strange = int((~np.isin(got, labels)).sum())
    return fig, (
        f"Rows and {len(Q)} queries with your labels: {int((got == y[near]).sum())} have the label of the "
        f"row that is nearest, {strange} have a label that no row has."
    )


def buckets_along_the_line(got, a, edges):
    """The bucket that you give each number, and the edges."""
    got = np.asarray(got, float)
    fig, ax = _axes(height=2.8)
    for edge in edges:
        ax.axvline(edge, color="grey", lw=1)
    ax.plot(a, got + np.zeros(len(a)), "o")
    ax.set(xlabel="number (a line at each edge)", ylabel="your bucket", yticks=np.unique(got))
    return fig, (
        f"Your buckets of {len(a)} numbers, from {got.min():.0f} to {got.max():.0f}; there are {len(edges)} "
        f"edges, and {int(np.isin(a, edges).sum())} numbers lie on one."
    )


def code_and_what_it_misses(got, A, y):
    """Your solution as stems."""
    got = np.asarray(got, float)
    fig, ax = _axes(height=2.8)
    ax.stem(got)
    ax.set(xlabel="unknown", ylabel="your value")
    missed = np.linalg.norm(A @ got - y) / np.linalg.norm(y)
    return fig, (
        f"Your {len(got)} values: {int((np.abs(got) > 1e-6).sum())} are not 0, their absolute values add up "
        f"to {np.abs(got).sum():.3g}, and A times them misses y by {100 * missed:.0f} % of its length."
    )


def line_of_your_first_column(got, X, y, k):
    """Your first column against y."""
    first = int(np.asarray(got)[0])
    fig, ax = _axes(width=5)
    ax.plot(X[:, first], y, "o", alpha=0.6)
    ax.set(xlabel=f"column {first}, your first", ylabel="y")
    r = np.corrcoef(X[:, first], y)[0, 1]
    return fig, f"Column {first}, which you put first, against y: their correlation is {r:.2f}."


def errors_along_the_search(got, X, y):
    """The errors that you note, step by step."""
    chosen, errors = list(got[0]), np.asarray(got[1], float)
    fig, ax = _axes(height=2.8)
    ax.plot(np.arange(1, len(errors) + 1), errors, "o-")
    ax.set(xlabel="columns held", ylabel="your error", xticks=np.arange(1, len(errors) + 1))
    rises = int((np.diff(errors) >= 0).sum())
    return fig, (
        f"Your search holds {len(chosen)} of {X.shape[1]} columns, the first is {chosen[0]}; the error goes "
        f"from {errors[0]:.3g} to {errors[-1]:.3g}; steps that do not lower it: {rises}."
    )


def residual_against_the_atoms(got, x, B, s):
    """How much of each atom is left in your residual; the atoms are rows."""
    got = np.asarray(got, float)
    unit = B / np.linalg.norm(B, axis=1, keepdims=True)
    left, used = np.abs(unit @ (x - got @ B)), np.flatnonzero(got)
    fig, ax = _axes(height=2.8)
    ax.bar(np.arange(len(B)), left, color="C0", label="not used")
    ax.plot(used, left[used], "s", color="C1", label="used")
    ax.set(xlabel="atom", ylabel="product with residual")
    ax.legend()
    return fig, (
        f"The products of your residual with {len(B)} atoms of length 1: you use {len(used)} atoms, and the "
        f"largest product with one of these is {left[used].max(initial=0):.3f}."
    )


def places_that_differ(got, code, out):
    """How far each word that came out lies from the word of the class that you name."""
    got = np.asarray(got).astype(int)
    away = np.abs(out - code[got]).sum(axis=1)
    fig, ax = _axes(height=2.8)
    ax.bar(np.arange(len(away)), away)
    ax.set(xlabel="row", ylabel="places that differ")
    return fig, (
        f"What {len(away)} rows say against the words of your classes: they differ in {away.mean():.1f} of "
        f"{code.shape[1]} places on average, in {away.max():.1f} at most."
    )


def straight_pairs(got, X, L):
    """The pairs of rows that you let the ant join in a straight line."""
    got, away = np.asarray(got, float), np.linalg.norm(X[:, None] - X, axis=2)
    pairs = np.argwhere(np.triu(np.isclose(got, away), 1))
    fig, ax = _axes(width=5)
    for i, j in pairs:
        ax.plot(*X[[i, j]].T, color="C1", lw=1)
    ax.plot(*X.T, "o")
    ax.set(aspect="equal")
    upper = np.triu_indices(len(X), 1)
    short, endless = (got < away - 1e-9)[upper].sum(), np.isinf(got)[upper].sum()
    return fig, (
        f"{len(X)} rows, and lines between the {len(pairs)} pairs to which you give their straight distance; "
        f"to {short} pairs you give less, to {endless} infinity."
    )


def plotting():
    """Imported by its name in text: no grade of a class hangs on how figures look (`grading.imports`)."""
    return importlib.import_module("helpers.plotting")


def _axes(**size):
    return plotting().figure(**size)


PICTURES = {
    "knn.3": labels_beside_rows,
    "pca.2": axis_over_the_cloud,
    "pca.6": axis_over_the_cloud,
    "lda.5": classes_along_the_axis,
    "manifold.7": straight_pairs,
    "manifold.8": distances_kept,
    "preprocessing.6": buckets_along_the_line,
    "recovery.3": code_and_what_it_misses,
    "selection.2": folds_as_colours,
    "filters.7": line_of_your_first_column,
    "wrappers.2": errors_along_the_search,
    "sparse.2": residual_against_the_atoms,
    "multiclass.8": places_that_differ,
    "imbalance.7": new_among_the_positives,
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
