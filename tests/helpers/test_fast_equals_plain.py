"""What the drawer answers is what the plain code in view answers, on drawn tables and on nasty ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LinearRegression

from helpers import _nearest, manifold, neighbors
from helpers.feature_selection import (
    RFE,
    ExhaustiveSelector,
    LasVegasWrapper,
    ReliefF,
    filters,
    information,
    scorer,
    wrappers,
)
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from tests.helpers.covering import each_value
from tests.helpers.wrapper_problems import LEARNERS, problem, target

pytestmark = pytest.mark.speed

TABLES = {
    "normal": lambda rng: rng.normal(size=(90, 5)),
    "ties": lambda rng: rng.integers(0, 3, (90, 5)).astype(float),
    "every row twice": lambda rng: np.repeat(rng.normal(size=(45, 5)), 2, axis=0),
    "constant columns": lambda rng: np.where([1, 0, 1, 0, 1], rng.normal(size=(90, 5)), 0.1),
    "all rows equal": lambda rng: np.full((90, 5), 0.1),
    "few rows": lambda rng: rng.normal(size=(6, 5)),
    "fewer rows than columns": lambda rng: rng.normal(size=(8, 30)),
    "one column": lambda rng: rng.normal(size=(90, 1)),
    "far from 0": lambda rng: 1e8 + rng.normal(size=(90, 5)),
    "float32": lambda rng: rng.normal(size=(90, 5)).astype(np.float32),
    "whole numbers": lambda rng: rng.integers(0, 9, (90, 5)),
    "bytes": lambda rng: rng.integers(0, 256, (90, 5)).astype(np.uint8),
    "many rows": lambda rng: rng.normal(size=(1200, 5)),
    "many rows with ties": lambda rng: rng.integers(0, 4, (1200, 5)).astype(float),
    "many rows far from 0": lambda rng: 1e8 + rng.normal(size=(1200, 5)),
    "sparse": lambda rng: sp.csr_array(rng.poisson(0.4, (90, 5)).astype(float)),
    "sparse float32": lambda rng: sp.csr_array(rng.poisson(0.4, (90, 5)).astype(np.float32)),
    "sparse far from 0": lambda rng: sp.csr_array(rng.poisson(0.4, (90, 5)) * (1e6 + rng.random((90, 5)))),
}
over_tables = pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
close = np.testing.assert_allclose


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def codes_of(rng, n, n_classes=3):
    return rng.permutation(np.arange(n) % n_classes)


def both(function, *args):
    """What the two ways give; where the drawer leaves the answer to the plain way, they are one."""
    return function(*args), function.plain(*args)


# ---------------------------------------------------------------- nearest neighbours
DENSE = {name: make for name, make in TABLES.items() if "sparse" not in name}


@over_tables
def test_nearest_rows_by_squares(rng, make):
    same_neighbours(make(rng), 2)


@each_value
@pytest.mark.parametrize("make", DENSE.values(), ids=DENSE)
@pytest.mark.parametrize("p", [1, 3, np.inf])
def test_nearest_rows_by_other_distances(rng, make, p):
    same_neighbours(make(rng), p)


def test_nearest_rows_by_city_blocks_of_sparse_rows(rng):
    same_neighbours(TABLES["sparse"](rng), 1)


def same_neighbours(X, p):
    for k in (1, 4, X.shape[0]):
        (one, near), (other, wanted) = both(neighbors._nearest, X, X[:40], k, p)
        np.testing.assert_array_equal(near, wanted)
        close(one, other, rtol=1e-12)


@pytest.mark.parametrize("ties", [True, False])
def test_k_smallest(rng, ties):
    for n in (1, 2, 9, 50):
        D = rng.integers(0, 5, (30, n)).astype(float) if ties else rng.normal(size=(30, n))
        D[::4, ::2] = np.inf
        for k in {1, n // 2 or 1, n}:
            np.testing.assert_array_equal(*both(_nearest.k_smallest, D, k))


# ---------------------------------------------------------------- filters
@each_value
@over_tables
@pytest.mark.parametrize("n_classes", [2, 5])
def test_sums_by_class(rng, make, n_classes):
    X = make(rng)
    codes = codes_of(rng, X.shape[0], n_classes)
    close(*both(filters._class_sums, X, codes), rtol=1e-6 if X.dtype == np.float32 else 1e-12, atol=1e-9)


@each_value
@over_tables
@pytest.mark.parametrize("center", [True, False])
def test_products_and_squares(rng, make, center):
    X = make(rng)
    t = rng.normal(size=X.shape[0])
    t -= t.mean()
    for one, other in zip(*both(filters._products_and_squares, X, t, center), strict=True):
        close(one, other, rtol=1e-6, atol=1e-9 * np.abs(other).max())


# ---------------------------------------------------------------- mutual information
@over_tables
def test_information_of_discrete_columns(rng, make):
    X = make(rng)
    close(*both(information._discrete_scores, X, codes_of(rng, X.shape[0])), atol=1e-12)
    assert information._discrete_scores(X[:, []], codes_of(rng, X.shape[0])).shape == (0,)


LINES = {
    "normal": lambda rng: rng.normal(size=80),
    "evenly spaced": lambda rng: rng.permutation(80) * 0.1,
    "equal values, parted": lambda rng: rng.integers(0, 6, 80) + 1e-10 * rng.normal(size=80),
    "far from 0": lambda rng: 1e8 + rng.normal(size=80),
    "few": lambda rng: rng.normal(size=7),
}


@pytest.mark.parametrize("make", LINES.values(), ids=LINES)
@pytest.mark.parametrize("k", [1, 4])
def test_information_by_neighbours(rng, make, k):
    x = make(rng)
    labels = rng.integers(0, 4, len(x))
    labels[0] = 99  # a class of one row
    close(*both(information._ross, x, labels, k), atol=1e-12)
    y = x + rng.normal(size=len(x))
    for one, other in zip(*both(information._counts_nearer, x, y, k), strict=True):
        np.testing.assert_array_equal(one, other)
    assert information._ross(x, np.arange(len(x)), k) == information._ross.plain(x, np.arange(len(x)), k) == 0


# ---------------------------------------------------------------- Relief
@each_value
@pytest.mark.parametrize("make", DENSE.values(), ids=DENSE)
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("blanks", [0, 0.2])
def test_relief(monkeypatch, rng, make, power, blanks):
    X = make(rng).astype(float)[:90]
    X[rng.random(X.shape) < blanks], X[0] = np.nan, 1
    relief = ReliefF(1, n_neighbors=4, power=power, discrete_features=[0])
    y = codes_of(rng, len(X))
    quick = relief.fit(X, y).feature_importances_
    monkeypatch.setenv("HELPERS_PLAIN", "1")
    close(relief.fit(X, y).feature_importances_, quick, atol=1e-13)


# ---------------------------------------------------------------- wrappers
SEARCHES = {
    "forward": lambda model: Greedy(model, cv=3, n_features_to_select=3),
    "backward": lambda model: Greedy(model, cv=3, direction="backward", n_features_to_select=2),
    "both ways": lambda model: Greedy(model, cv=3, direction="bidirectional", tol=1e-3),
    "exhaustive": lambda model: ExhaustiveSelector(model, cv=2, max_features=3),
    "las vegas": lambda model: LasVegasWrapper(model, cv=2, max_tries=6, random_state=0),
}


@each_value
@pytest.mark.parametrize("kind", ["plain", "integers", "copies", "far", "exact"])
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("name", ["least squares", "knn", "lda"])
def test_searches(monkeypatch, name, search, kind):
    model = LEARNERS[name]
    X, labels, numbers = problem(3, kind, n=30, d=5)
    y = target(model, labels, numbers)
    quick = search(model).fit(X, y)
    monkeypatch.setenv("HELPERS_PLAIN", "1")
    plain = search(model).fit(X, y)
    np.testing.assert_array_equal(quick.support_, plain.support_)
    assert quick.n_subsets_ == plain.n_subsets_ and quick.n_fits_ <= plain.n_fits_
    assert plain.n_fits_ == plain.n_subsets_ * search(model).cv
    if hasattr(quick, "history_"):
        assert [j for j, _ in quick.history_] == [j for j, _ in plain.history_]


def test_the_scorer_is_the_plain_one_where_there_is_no_closed_form():
    X, _, y = problem(0)
    for wrapper in (Greedy(LinearRegression(positive=True)), Greedy(LinearRegression(), fast=False)):
        assert type(scorer.scorer_for(wrapper, X, y)) is scorer.Scorer
    assert type(scorer.scorer_for(Greedy(LinearRegression()), X, y)) is not scorer.Scorer


@pytest.mark.parametrize("kind", ["plain", "integers", "copies", "far", "exact", "constant"])
def test_smallest_weights(kind):
    X, _, y = problem(4, kind)
    rfe = RFE(LinearRegression())
    rfe.n_fits_ = 0
    ways = both(wrappers.smallest_weights, rfe, X, y, {})
    columns = np.arange(6)
    for m in (1, 2, 1):
        one, other = (way(columns, m) for way in ways)
        np.testing.assert_array_equal(one, other)
        columns = np.delete(columns, other)


# ---------------------------------------------------------------- manifolds
@pytest.mark.parametrize("solver", ["arpack", "auto", "dense"])
@pytest.mark.parametrize("n", [30, 230])
def test_eigenvectors(rng, n, solver):
    A = rng.normal(size=(n, n)) / n**0.5
    G = np.diag(np.r_[3.0 * n, 2.0 * n, 1.5 * n, np.zeros(n - 3)]) + A @ A.T
    (values, V), (wanted, U) = both(manifold._largest, G, 3, solver)
    close(values, wanted, rtol=1e-10)
    close(np.abs((V * U).sum(axis=0)), 1, rtol=1e-10)

    W = manifold.lle_weights(rng.normal(size=(n, 3)), n_neighbors=8)
    B = sp.eye_array(n, format="csr") - W
    V, U = both(manifold._smallest, B.T @ B, 2, solver)
    close(np.abs((V * U).sum(axis=0)), 1, rtol=1e-6)
