"""Chapter 1's listings against scikit-learn's neighbours and SciPy's distances."""

import numpy as np
import pytest
from scipy.spatial.distance import minkowski
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors

from tests.listings import agree, listing
from tests.listings.nasty import classes

nearest_by_sorting = listing("01-knn", "nearest_by_sorting")
distance = listing("01-knn", "distance")
vote = listing("01-knn", "vote")

TIE = "of rows that are equally near the listing takes the one stored first, a tree the one it meets first"
ZERO = "on a neighbour that is the query the listing divides by 0; the library lets it decide alone"


def queries(X, rng, m=5):
    """Rows of X, moved a little by a step of their own size."""
    X = np.asarray(X, float)
    return X[rng.integers(len(X), size=m)] + 0.1 * X.std() * rng.normal(size=(m, X.shape[1]))


def found(X, rng):
    """Of each query: distances, row numbers."""
    X, Q = np.asarray(X, float), queries(X, rng)
    k = int(rng.integers(1, len(X) + 1))
    return X, Q, [nearest_by_sorting(X, q, k) for q in Q]


def tree(X, k):
    """A search that computes each distance from differences, as the listing does."""
    return NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(X)


def test_distances():
    def ours(X, rng):
        return np.array([far for far, _ in found(X, rng)[2]])

    def theirs(X, rng):
        X, Q, near = found(X, rng)
        return tree(X, len(near[0][0])).kneighbors(Q)[0]

    agree("distances", ours, theirs)


def test_distances_by_one_product():
    """(1.9) in place of differences."""

    def ours(X, rng):
        return np.array([far for far, _ in found(X, rng)[2]])

    def theirs(X, rng):
        X, Q, near = found(X, rng)
        return NearestNeighbors(n_neighbors=len(near[0][0]), algorithm="brute").fit(X).kneighbors(Q)[0]

    agree("by one product", ours, theirs, reasons={"offset 1e8": "x·x - 2 x·q + q·q of 1e16 leaves no digit"})


def test_rows():
    def ours(X, rng):
        return np.array([rows for _, rows in found(X, rng)[2]])

    def theirs(X, rng):
        X, Q, near = found(X, rng)
        return tree(X, len(near[0][0])).kneighbors(Q)[1]

    twists = "equal rows", "all rows equal", "ties", "a constant column"  # the last where it is the only one
    agree("rows", ours, theirs, reasons=dict.fromkeys(twists, TIE))


@pytest.mark.parametrize("p", (1, 1.5, 2, 3))
def test_minkowski(p):
    agree(
        f"minkowski {p}",
        lambda X, rng: [distance(np.asarray(X, float)[0], q, p) for q in queries(X, rng)],
        lambda X, rng: [minkowski(np.asarray(X, float)[0], q, p) for q in queries(X, rng)],
    )


@pytest.mark.parametrize(
    "weights, reasons",
    [
        ("uniform", {"equal rows": TIE, "ties": TIE}),
        ("distance", {"equal rows": TIE, "ties": TIE, "all rows equal": ZERO, "a constant column": ZERO}),
    ],
)
def test_vote_and_mean(weights, reasons):
    def asked(X, rng):
        X, Q, near = found(X, rng)
        w = [np.ones(len(far)) if weights == "uniform" else 1 / far for far, _ in near]
        y = classes(rng, len(X), k=3)
        return X, Q, [rows for _, rows in near], w, y

    def ours(X, rng):
        X, Q, near, w, y = asked(X, rng)
        shares = [vote(y[i], v, np.unique(y)) for i, v in zip(near, w, strict=True)]
        return np.array(shares), np.array([(v * y[i]).sum() / v.sum() for i, v in zip(near, w, strict=True)])

    def theirs(X, rng):
        X, Q, near, w, y = asked(X, rng)
        how = dict(n_neighbors=len(near[0]), weights=weights, algorithm="kd_tree")
        return (
            KNeighborsClassifier(**how).fit(X, y).predict_proba(Q),
            KNeighborsRegressor(**how).fit(X, y).predict(Q),
        )

    agree(f"vote {weights}", ours, theirs, reasons=reasons)
