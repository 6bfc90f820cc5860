"""Nearest neighbours: equal to scikit-learn, to slow loops, and to the definition, over every option."""

import inspect
import tracemalloc
from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.neighbors as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError

from helpers import neighbors
from helpers._fast import neighbors as drawer
from helpers.neighbors import KNeighborsClassifier, KNeighborsRegressor, k_nearest
from tests.helpers.covering import each_value, pairwise

POWERS = (1, 1.5, 2, 3, np.inf)


def fading(distances):
    return np.exp(-distances)


class Fading:
    """The same as an object, whose name holds no address: the processes of a run have to agree on it."""

    def __call__(self, distances):
        return fading(distances)

    def __repr__(self):
        return "fading"


WEIGHTS = {"uniform": "uniform", "distance": "distance", "function": fading}
over_p = pytest.mark.parametrize("p", POWERS)
over_weights = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
over_k = pytest.mark.parametrize("k", [1, 2, 5, 30])
quick = settings(deadline=None, max_examples=25)


def loops(X, Q, k, p=2):
    """Distance by distance; of equally near rows the one stored first. Exact for small whole numbers."""
    found = []
    for q in Q:
        gaps = [np.abs(x.astype(float) - q.astype(float)) for x in X]
        found.append(
            sorted((g.max() if p == np.inf else (g**p).sum() ** (1 / p), i) for i, g in enumerate(gaps))[:k]
        )
    return np.array([[d for d, _ in row] for row in found]), np.array([[i for _, i in row] for row in found])


def agree(mine, wanted):
    np.testing.assert_array_equal(mine[1], wanted[1])
    np.testing.assert_allclose(mine[0], wanted[0], rtol=1e-12, atol=1e-12)


def table(n=60, d=4, m=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.2, 5, d) + 3 * rng.normal(size=d)
    return X, X[:m] + rng.normal(size=(m, d)), rng.choice(list("cab"), n), rng.normal(size=n)


@pytest.fixture
def screened(monkeypatch):
    """Counts the blocks that went through the float32 screen, and the queries that it sent on."""
    seen = {"blocks": 0, "unsure": 0}
    screen, slow = drawer.Screen.__call__, drawer.all_distances

    def counted(self, Q, k):
        seen["blocks"] += 1
        monkeypatch.setattr(drawer, "all_distances", unsure)
        return screen(self, Q, k)

    def unsure(X, Q, k, p):
        seen["unsure"] += len(Q)
        return slow(X, Q, k, p)

    monkeypatch.setattr(drawer.Screen, "__call__", counted)
    return seen


# ---- k_nearest: all distances


@each_value
@over_p
@over_k
def test_the_neighbours_of_queries(p, k):  # item 01.1
    X, Q, *_ = table()
    agree(k_nearest(X, Q, k, p), loops(X, Q, k, p))
    agree(
        k_nearest(X, Q, k, p),
        twin.NearestNeighbors(n_neighbors=k, p=p, algorithm="brute").fit(X).kneighbors(Q),
    )


@each_value
@over_p
@pytest.mark.parametrize("k", [1, 4, 59])
def test_a_row_is_not_its_own_neighbour(p, k):
    X = table()[0]
    agree(k_nearest(X, k=k, p=p), twin.NearestNeighbors(n_neighbors=k, p=p).fit(X).kneighbors())


def test_five_neighbours_and_euclid_unless_told():
    X, Q, *_ = table()
    agree(k_nearest(X, Q), loops(X, Q, 5, 2))


@over_p
@quick
@given(data=st.data())
def test_ties_go_to_the_row_stored_first(p, data):
    whole = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=4, max_size=12)
    X, Q = (np.array(data.draw(whole)) for _ in "XQ")
    k = data.draw(st.integers(1, len(X)))
    wanted = loops(X, Q, k, p)
    np.testing.assert_array_equal(k_nearest(X, Q, k, p)[1], wanted[1])


def test_another_metric_has_another_neighbour():  # item 01.6: (3, 0) or (2, 2)?
    X = [[3.0, 0.0], [2.0, 2.0]]
    assert [k_nearest(X, [[0.0, 0.0]], 1, p)[1].item() for p in (1, 2, np.inf)] == [0, 1, 1]
    assert k_nearest(X, [[0.0, 0.0]], 2)[0].tolist() == [[8**0.5, 3.0]]


def test_copies_crowd_out_the_row_itself():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [5.0]])
    distances, indices = k_nearest(X, k=2)
    assert indices.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1], [0, 1]]
    assert distances.tolist() == [[0, 0]] * 4 + [[5, 5]]


@pytest.mark.parametrize("form", [np.int8, np.uint8, np.int64, bool, np.float32, list, pd.DataFrame])
def test_any_table_of_numbers(form):
    """Whole numbers are not subtracted as bytes, where 3 - 5 is 254."""
    X, Q = np.random.default_rng(0).integers(0, 2 if form is bool else 120, (2, 900, 5))
    as_form = {list: np.ndarray.tolist, pd.DataFrame: pd.DataFrame}.get(form, lambda a: a.astype(form))
    for rows in (40, 900):  # all distances, and the screen
        mine = k_nearest(as_form(X[:rows]), as_form(Q[:15]), 3)
        agree(mine, loops(X[:rows], Q[:15], 3))
        assert mine[0].dtype == np.float64


@pairwise
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("sparse", ["rows", "queries", "both"])
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix])
def test_sparse(p, sparse, form):
    X, Q = np.random.default_rng(0).integers(0, 3, (2, 40, 6)).astype(float)
    rows, queries = (form(X) if sparse != "queries" else X), (form(Q) if sparse != "rows" else Q)
    agree(k_nearest(rows, queries, 3, p), loops(X, Q, 3, p))
    if sparse == "both":
        agree(k_nearest(rows, k=3, p=p), k_nearest(X, k=3, p=p))


@pytest.mark.parametrize("p", [1, 2])
def test_sparse_with_long_indices(p):
    X = sp.csr_array(np.random.default_rng(0).integers(0, 3, (40, 6)).astype(float))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    agree(k_nearest(X, X[:9], 3, p), loops(X.toarray(), X[:9].toarray(), 3, p))
    assert X.indices.dtype == np.int64


def test_sparse_tables_too_large_for_city_blocks(monkeypatch):
    X = sp.csr_array(np.eye(9))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    monkeypatch.setattr(neighbors, "SHORT", 9)
    assert neighbors._short_indices(X).indices.dtype == np.int32
    monkeypatch.setattr(neighbors, "SHORT", 8)  # 2**31 - 1 numbers would need 24 GB
    with pytest.raises(ValueError, match=r"at most 8 stored numbers, not 9 in shape \(9, 9\): use p=2, or"):
        k_nearest(X, X, 2, p=1)
    assert k_nearest(X, X, 1)[1].ravel().tolist() == list(range(9))


def test_one_feature_and_one_row():
    agree(k_nearest([[2.0]], [[5.0], [1.0]], 1), (np.array([[3.0], [1.0]]), np.array([[0], [0]])))


# ---- k_nearest: the float32 screen

LARGE = {
    "normal": lambda rng: rng.normal(size=(1100, 6)),
    "mean far from 0": lambda rng: 1e6 + rng.normal(size=(1100, 6)),
    "mean farther than float32 sees": lambda rng: 1e9 + rng.normal(size=(1100, 6)),
    "whole numbers": lambda rng: rng.integers(0, 4, (1100, 6)).astype(float),
    "every row twice": lambda rng: np.repeat(rng.normal(size=(550, 6)), 2, axis=0),
    "one far row": lambda rng: rng.normal(size=(1100, 6)) * np.where(np.arange(1100) == 7, 1e8, 1)[:, None],
    "unlike units": lambda rng: rng.normal(size=(1100, 6)) * 10.0 ** np.arange(-6, 6, 2),
    "huge": lambda rng: 1e25 * rng.normal(size=(1100, 6)),
    "tiny": lambda rng: 1e-30 * rng.normal(size=(1100, 6)),
    "all rows equal": lambda rng: np.full((1100, 6), 0.1),
    "rows not a multiple of the groups": lambda rng: rng.normal(size=(1101, 6)),
    "wide": lambda rng: rng.normal(size=(1100, 300)),
}


@each_value
@pytest.mark.speed
@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
@pytest.mark.parametrize("k", [1, 5])
def test_the_screen_finds_the_same_rows(make, k, screened):
    rng = np.random.default_rng(0)
    X = make(rng)
    Q = np.concatenate([X[:5], X[5:20] + 0.3 * np.abs(X).max() * rng.normal(size=(15, X.shape[1])), X[-3:]])
    mine = k_nearest(X, Q, k)
    assert screened["blocks"] == 1
    agree(mine, neighbors._nearest.plain(X, Q, k, 2))
    np.testing.assert_array_equal(mine[1], np.argsort(cdist(Q, X), axis=1, kind="stable")[:, :k])


@pytest.mark.speed
def test_the_screen_is_sure_of_most_queries(screened):
    X, Q = np.random.default_rng(0).normal(size=(2, 3000, 8))
    k_nearest(X, Q[:200], 5)
    assert (screened["blocks"], screened["unsure"] < 5) == (1, True)


@pytest.mark.speed
@pytest.mark.parametrize("unit", [2.0**-100, 1.0, 2.0**80])
def test_no_unit_is_too_large_or_too_small_for_the_screen(unit, screened):
    half = np.random.default_rng(0).integers(-99, 100, size=(1000, 5)) * unit
    X = np.concatenate([half, -half, np.zeros((1, 5))])  # mean 0, and a row there
    k_nearest(X, X[:100] + 0.5 * unit, 5)
    assert (screened["blocks"], screened["unsure"] < 20) == (1, True)


@pytest.mark.speed
def test_the_screen_leaves_no_row_itself_among_its_neighbours(screened):
    X = np.random.default_rng(0).normal(size=(1000, 5))
    agree(k_nearest(X, k=4), twin.NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X).kneighbors())
    assert screened["blocks"]


def test_queries_far_outside_the_data(screened):
    X = np.random.default_rng(0).normal(size=(1000, 5))
    for far in (1e3, 1e12, 1e60):
        Q = far * np.eye(5)
        agree(k_nearest(X, Q, 3), neighbors._nearest.plain(X, Q, 3, 2))


def test_far_queries_that_only_rounding_tells_apart():
    """Rows in a plane, lifted towards the queries by less than a float32 product of such numbers can show."""
    rng, up = np.random.default_rng(0), np.full(5, 5**-0.5)
    flat = rng.normal(size=(1000, 5)) @ (np.eye(5) - np.outer(up, up))
    X = flat / np.linalg.norm(flat, axis=1, keepdims=True) + np.outer(3e-9 * rng.permutation(1000), up)
    Q = np.outer(np.geomspace(1e3, 1e5, 40), up)
    agree(k_nearest(X, Q, 5), neighbors._nearest.plain(X, Q, 5, 2))


@pytest.mark.parametrize("sparse", ["rows", "queries"])
@pytest.mark.parametrize("d", [3, 5])
def test_sparse_beside_dense_is_left_to_all_distances(d, sparse):  # neither the tree nor the screen takes it
    X, Q = np.random.default_rng(0).normal(size=(2, 1000, d))
    rows, queries = (sp.csr_array(X), Q[:9]) if sparse == "rows" else (X, sp.csr_array(Q[:9]))
    agree(k_nearest(rows, queries, 5), k_nearest(X, Q[:9], 5))


@pytest.mark.speed
@pytest.mark.parametrize(
    "n, d, p, k, screens",
    [
        (1000, 4, 2, 5, True),
        (1000, 3, 2, 5, False),
        (1000, 4, 1, 5, False),
        (575, 4, 2, 5, False),
        (576, 4, 2, 5, True),
    ],
)
def test_the_screen_is_used_where_it_pays(n, d, p, k, screens, screened):
    k_nearest(np.random.default_rng(0).normal(size=(n, d)), np.zeros((3, d)), k, p)
    assert screened["blocks"] == screens


@each_value
@pytest.mark.parametrize("m", [1, 3, 5, 8])  # 5 of 9 are the smallest, 5 the largest
@pytest.mark.parametrize(
    "numbers", ["all different", "many alike", "all alike", "infinite", "some no numbers"]
)
def test_places_of_the_smallest(m, numbers):
    rng = np.random.default_rng(m)
    A = rng.normal(size=(40, 9)).astype(np.float32)
    if numbers == "many alike":
        A = np.round(A)
    elif numbers == "all alike":
        A[::2] = 7
    elif numbers == "infinite":
        A[::3, 2:] = np.inf
    elif numbers == "some no numbers":
        A[::3, :4], A[5] = np.nan, np.nan
    columns = drawer.columns_of_smallest(A, m)
    assert columns.shape == (40, m) and all(len(set(row)) == m for row in columns.tolist())
    found = np.sort(np.take_along_axis(A, columns, 1), axis=1)
    np.testing.assert_array_equal(found, np.sort(A, axis=1)[:, :m])  # NaN counts as larger than all


# ---- k_nearest: the k-d tree

FEW = {
    "normal": lambda rng, d: rng.normal(size=(300, d)),
    "mean far from 0": lambda rng, d: 1e9 + rng.normal(size=(300, d)),
    "whole numbers": lambda rng, d: rng.integers(0, 9, (300, d)),
    "bytes": lambda rng, d: rng.integers(0, 256, (300, d)).astype(np.uint8),
    "some rows twice": lambda rng, d: np.concatenate([
        2 * [a] if i % 9 == 0 else [a] for i, a in enumerate(rng.normal(size=(270, d)))
    ]),
    "all rows equal": lambda rng, d: np.full((300, d), 0.1),
    "huge": lambda rng, d: 1e200 * rng.normal(size=(300, d)),
    "tiny": lambda rng, d: 1e-200 * rng.normal(size=(300, d)),
}


@each_value
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("p", [1, 2, 3.5, np.inf])
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("make", FEW.values(), ids=FEW)
def test_the_tree_finds_the_same_rows(make, d, p):
    X = make(np.random.default_rng(0), d)
    for Q, k in ((X[:40], 5), (X[:40], 299), (X[-20:][::-1], 1)):
        mine, wanted = k_nearest(X, Q, k, p), neighbors._nearest.plain(X, Q, k, p)
        np.testing.assert_array_equal(mine[1], wanted[1])
        np.testing.assert_allclose(mine[0], wanted[0], rtol=1e-12)


@pytest.mark.speed
@pytest.mark.parametrize(
    "d, k, slowly", [(1, 5, 1), (3, 5, 1), (3, 47, 1), (3, 49, 3), (3, 50, 3), (4, 5, 3)]
)
def test_the_tree_is_used_where_it_pays(d, k, slowly, monkeypatch):
    """And only queries with ties are searched again: those far out, where two rows are the same."""
    X, slow, sent = np.random.default_rng(0).normal(size=(50, d)), neighbors._nearest.plain, []
    X[-2:] = 1e3
    monkeypatch.setattr(drawer, "all_distances", lambda X, Q, k, p: sent.append(len(Q)) or slow(X, Q, k, p))
    k_nearest(X, X[[0, 1, -1]], k)
    assert sent == [slowly]


# ---- blocks


@each_value
@pytest.mark.parametrize("block", [1, 100, 1999, 2000, 10**6])
@pytest.mark.parametrize("n", [40, 1000])
def test_any_block_size_gives_the_same(block, n, monkeypatch):
    X, Q = np.random.default_rng(0).normal(size=(2, n, 5))
    wanted, own = k_nearest(X, Q[:33], 3), k_nearest(X, k=3)
    monkeypatch.setattr(drawer, "BLOCK", block)
    agree(k_nearest(X, Q[:33], 3), wanted)
    agree(k_nearest(X[:40], k=3), k_nearest(X[:40], k=3))
    if block > 1:
        agree(k_nearest(X, k=3), own)


@pytest.mark.speed
@pytest.mark.parametrize("p", [1, 2])
def test_memory_stays_bounded(p):
    """All distances would take 320 MB."""
    X, Q = np.random.default_rng(0).normal(size=(2, 20000, 4))
    tracemalloc.start()
    k_nearest(X, Q[:2000], 3, p)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20


# ---- what cannot be done


@pytest.mark.parametrize(
    "arguments, says",
    [
        pytest.param(dict(k=5), "n_neighbors=5, but only 1 to 4 are possible", id="k > n"),
        pytest.param(dict(k=0), "n_neighbors=0", id="k = 0"),
        pytest.param(dict(queries=None, k=4), "only 1 to 3 are possible", id="k = n without queries"),
        pytest.param(dict(p=0.5), "triangle inequality", id="p < 1"),
        pytest.param(dict(p=np.nan), "triangle inequality", id="p is NaN"),
        pytest.param(dict(X=sp.eye_array(4, format="csr"), p=3), "dense rows", id="sparse rows, p = 3"),
        pytest.param(
            dict(queries=sp.eye_array(4, format="csr"), p=np.inf), "dense rows", id="sparse queries, p = inf"
        ),
        pytest.param(dict(queries=[[1.0]]), "queries have 1 features, but X has 4", id="features"),
        pytest.param(dict(queries=[[1.0, 2, 3, np.nan]]), "NaN", id="NaN"),
        pytest.param(dict(X=np.zeros((0, 4))), "0 sample", id="empty"),
    ],
)
def test_errors(arguments, says):
    with pytest.raises(ValueError, match=says):
        k_nearest(**{"X": np.eye(4), "queries": np.eye(4), "k": 2, **arguments})


@each_value
@pytest.mark.parametrize("weights", ["gauss", None, 1])
@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_unknown_weights(learner, weights):
    with pytest.raises(ValueError, match="use 'uniform', 'distance' or a function"):
        learner(weights=weights).fit([[0.0], [1.0]], [0, 1])


def test_a_learner_must_be_fitted_and_have_enough_rows():
    with pytest.raises(NotFittedError):
        KNeighborsClassifier().predict([[0.0]])
    with pytest.raises(ValueError, match="n_neighbors=5, but only 1 to 2"):
        KNeighborsRegressor().fit([[0.0], [1.0]], [0, 1]).predict([[0.0]])
    for wrong, says in ((dict(n_neighbors=0), "n_neighbors=0"), (dict(p=0.5), "p=0.5: .* choose p >= 1")):
        with pytest.raises(ValueError, match=says):  # before there is a query
            KNeighborsClassifier(**wrong).fit([[0.0], [1.0]], [0, 1])


def test_a_classifier_wants_classes():
    with pytest.raises(ValueError, match="Unknown label type"):
        KNeighborsClassifier(1).fit([[0.0], [1.0]], [0.5, 1.5])


# ---- the learners


@each_value
@over_weights
@over_p
@over_k
def test_votes_are_the_twins(weights, p, k):  # item 01.2
    X, Q, y, _ = table()
    Q[:5] = X[:5]  # exact matches too
    mine, other = (
        one(k, weights=weights, p=p).fit(X, y) for one in (KNeighborsClassifier, twin.KNeighborsClassifier)
    )
    np.testing.assert_allclose(mine.predict_proba(Q), other.predict_proba(Q), atol=1e-12)
    np.testing.assert_array_equal(mine.predict(Q), other.predict(Q))
    assert mine.score(Q, y[:20]) == other.score(Q, y[:20])


@each_value
@over_weights
@over_p
@over_k
@pytest.mark.parametrize("outputs", [1, 3])
def test_means_are_the_twins(weights, p, k, outputs):
    X, Q, _, y = table()
    Q[:5] = X[:5]
    Y = y if outputs == 1 else np.column_stack([y, y**2, np.arange(60)])
    mine, other = (
        one(k, weights=weights, p=p).fit(X, Y) for one in (KNeighborsRegressor, twin.KNeighborsRegressor)
    )
    np.testing.assert_allclose(mine.predict(Q), other.predict(Q), atol=1e-12)


@pairwise
@over_weights
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("form", [np.array, sp.csr_array], ids=["dense", "sparse"])
def test_each_column_of_labels_has_a_vote_of_its_own(weights, p, form):
    X, Q = np.random.default_rng(0).normal(size=(2, 40, 6)).clip(0)  # half of it 0
    Y = np.random.default_rng(1).choice(list("cab"), (40, 3)).astype("U2")
    Y[:, 2] = np.where(X[:, 0] > 0.5, "x", "yy")  # other classes, and one letter more
    mine, other = (
        one(5, weights=weights, p=p).fit(form(X), Y)
        for one in (KNeighborsClassifier, twin.KNeighborsClassifier)
    )
    assert (
        [c.tolist() for c in mine.classes_]
        == [c.tolist() for c in other.classes_]
        == [list("abc"), list("abc"), ["x", "yy"]]
    )
    alone = [KNeighborsClassifier(5, weights=weights, p=p).fit(form(X), y) for y in Y.T]
    np.testing.assert_array_equal(
        mine.predict(form(Q)), np.column_stack([one.predict(form(Q)) for one in alone])
    )
    for shares, one in zip(mine.predict_proba(form(Q)), alone, strict=True):
        np.testing.assert_array_equal(shares, one.predict_proba(form(Q)))
    np.testing.assert_array_equal(mine.predict(form(Q)), other.predict(form(Q)))
    for shares, theirs in zip(mine.predict_proba(form(Q)), other.predict_proba(form(Q)), strict=True):
        np.testing.assert_allclose(shares, theirs, atol=1e-6)


def test_a_table_of_one_column_is_a_list_of_labels():
    X, Q, y, _ = table()
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = KNeighborsClassifier().fit(X, y[:, None])
    assert (
        not model.outputs_2d_
        and model.predict(Q).tolist() == KNeighborsClassifier().fit(X, y).predict(Q).tolist()
    )


def test_several_labels_can_be_scored():
    X, Q, _, _ = table()
    Y, wanted = X[:, :2] > 3, Q[:, :2] > 3
    mine, other = (one().fit(X, Y) for one in (KNeighborsClassifier, twin.KNeighborsClassifier))
    assert 0 < mine.score(Q, wanted) == other.score(Q, wanted) < 1


@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_without_queries_every_row_is_left_out_once(learner):
    X, _, _, target = table()
    y = (target > 0).astype(int)
    wanted = [learner(3).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] for i in range(60)]
    np.testing.assert_allclose(learner(3).fit(X, y).predict(None), wanted, rtol=1e-12)


@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_some_neighbour_has_to_count(learner):
    with pytest.raises(ValueError, match="all neighbours of a row the weight 0.*let at least one count"):
        learner(1, weights=lambda distances: distances > 1).fit([[0.0], [9.0]], [0, 1]).predict([
            [5.0],
            [0.0],
        ])


def test_one_neighbour_that_counts_is_enough():
    model = KNeighborsRegressor(2, weights=lambda distances: distances < 1).fit([[0.0], [9.0]], [3.0, 7.0])
    assert model.predict([[0.5], [9.5]]).tolist() == [3.0, 7.0]


def vote(d, labels, k, weights):
    """By hand: the sum of each label's weights; an exact match decides alone."""
    w = {"uniform": np.ones(k), "distance": (d == 0) if 0 in d else 1 / np.where(d == 0, 1, d)}.get(weights)
    w = weights(d) if w is None else w
    return {c: sum(wi for wi, label in zip(w, labels) if label == c) / sum(w) for c in sorted(set(labels))}


@each_value
@over_weights
@over_p
def test_votes_by_hand(weights, p):
    X, Q, y, target = table(n=12, m=4, seed=1)
    Q[0] = X[0] = X[1]  # two exact matches share the vote
    distances, indices = loops(X, Q, 4, p)
    shares = KNeighborsClassifier(4, weights=weights, p=p).fit(X, y).predict_proba(Q)
    means = KNeighborsRegressor(4, weights=weights, p=p).fit(X, target).predict(Q)
    for i, (d, near) in enumerate(zip(distances, indices)):
        wanted = vote(d, y[near], 4, weights)
        assert dict(zip("abc", shares[i])) == pytest.approx({c: wanted.get(c, 0) for c in "abc"})
        one_each = vote(d, near, 4, weights)
        assert means[i] == pytest.approx(sum(share * target[j] for j, share in one_each.items()))


def test_equal_shares_go_to_the_class_that_sorts_first():
    model = KNeighborsClassifier(2).fit([[0.0], [2.0]], ["b", "a"])
    assert model.predict([[1.0], [0.1]]).tolist() == ["a", "a"]


def test_the_nearest_of_equals_is_the_first_stored():
    X, y = [[0.0], [2.0], [0.0], [2.0]], ["p", "q", "r", "s"]
    assert KNeighborsClassifier(1).fit(X, y).predict([[1.0], [0.0], [2.0]]).tolist() == ["p", "p", "q"]


def test_a_planted_query_flips_with_the_weights_and_with_k():  # items 01.2 and 01.5
    X, y = [[0.0], [3.0], [4.0], [-9.0], [-9.0]], list("abbaa")
    answers = {
        (k, w): KNeighborsClassifier(k, weights=w).fit(X, y).predict([[1.0]]).item()
        for k in (1, 3, 5)
        for w in ("uniform", "distance")
    }
    assert answers == {
        (1, "uniform"): "a",
        (1, "distance"): "a",
        (3, "uniform"): "b",
        (3, "distance"): "a",
        (5, "uniform"): "a",
        (5, "distance"): "a",
    }


def test_one_neighbour_makes_no_error_on_its_own_rows():  # item 01.5
    X, _, y, _ = table()
    assert KNeighborsClassifier(1).fit(X, y).score(X, y) == 1


def test_all_neighbours_give_the_majority_and_the_mean():  # item 01.5
    X, Q, y, target = table()
    labels, counts = np.unique(y, return_counts=True)
    assert set(KNeighborsClassifier(60).fit(X, y).predict(Q)) == {labels[counts.argmax()]}
    np.testing.assert_allclose(KNeighborsRegressor(60).fit(X, target).predict(Q), target.mean())


def test_nothing_is_computed_at_fit(monkeypatch):  # item 01.4
    monkeypatch.setattr(neighbors, "k_nearest", None)
    X, _, y, target = table()
    assert KNeighborsClassifier().fit(X, y) and KNeighborsRegressor().fit(X, target)


@pytest.mark.parametrize("tiny", [0.0, 5e-324, 1e-310])
def test_an_exact_match_decides_alone(tiny):
    X, y = [[0.0], [1e-3], [1e-3]], [0.0, 9.0, 9.0]
    assert KNeighborsRegressor(3, weights="distance").fit(X, y).predict([[tiny]]).tolist() == [0.0]
    assert KNeighborsClassifier(3, weights="distance").fit(X, ["a", "b", "b"]).predict([[tiny]]).tolist() == [
        "a"
    ]


@quick
@given(seed=st.integers(0, 10**6), weights=st.sampled_from(list(WEIGHTS.values())), k=st.integers(1, 12))
def test_shares_sum_to_one_and_means_lie_between(seed, weights, k):
    X, Q, y, target = table(n=12, seed=seed, m=8)
    shares = KNeighborsClassifier(k, weights=weights).fit(X, y).predict_proba(Q)
    means = KNeighborsRegressor(k, weights=weights).fit(X, target).predict(Q)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (
        (shares >= 0).all() and (means <= target.max() + 1e-9).all() and (means >= target.min() - 1e-9).all()
    )


@quick
@given(seed=st.integers(0, 10**6), p=st.sampled_from(POWERS))
def test_a_shift_and_a_unit_change_no_neighbour(seed, p):
    X, Q, y, _ = table(n=15, seed=seed, m=6)
    one, other = (
        KNeighborsClassifier(3, p=p).fit(f(X), y).predict(f(Q)) for f in (lambda a: a, lambda a: 4 * a + 32)
    )
    assert (one == other).all()


@over_weights
@pytest.mark.parametrize("p", [1, 2])
def test_sparse_rows_give_the_same_prediction(weights, p):
    X, Q = np.random.default_rng(0).integers(0, 3, (2, 40, 6)).astype(float)
    Q, y = X[:9] + Q[:9], np.arange(40) % 3
    for learner in (KNeighborsClassifier, KNeighborsRegressor):
        dense, sparse = (
            learner(5, weights=weights, p=p).fit(f(X), y).predict(f(Q)) for f in (np.array, sp.csr_array)
        )
        np.testing.assert_allclose(sparse, dense, rtol=1e-6)


@pytest.mark.parametrize("n_neighbors", [None, 3])
def test_kneighbors_are_the_twins(n_neighbors):
    X, Q, y, _ = table()
    mine, other = (one(4).fit(X, y) for one in (KNeighborsClassifier, twin.KNeighborsClassifier))
    agree(mine.kneighbors(Q, n_neighbors), other.kneighbors(Q, n_neighbors))
    agree(mine.kneighbors(n_neighbors=n_neighbors), other.kneighbors(n_neighbors=n_neighbors))


def test_names_of_a_frame_are_kept_and_compared():
    X, _, y, _ = table()
    frame = pd.DataFrame(X, columns=list("wxyz"))
    model = KNeighborsClassifier().fit(frame, y)
    assert model.feature_names_in_.tolist() == list("wxyz") and model.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("zyxw")])


@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_clone_and_pickle(learner):
    X, Q, _, target = table()
    y = (target > 0).astype(int)
    model = learner(3, weights="distance", p=1)
    assert clone(model).get_params() == {"n_neighbors": 3, "weights": "distance", "p": 1}
    fitted = clone(model).fit(X, y)
    np.testing.assert_array_equal(loads(dumps(fitted)).predict(Q), fitted.predict(Q))


@pytest.mark.parametrize("name", ["KNeighborsClassifier", "KNeighborsRegressor"])
def test_names_and_defaults_are_the_twins(name):
    mine, other = (inspect.signature(getattr(module, name)).parameters for module in (neighbors, twin))
    assert {k: v.default for k, v in mine.items()} == {k: other[k].default for k in mine}
    assert [v.kind.name for v in mine.values()] == ["POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", "KEYWORD_ONLY"]


def test_regression_targets_may_be_whole_numbers_and_classes_numbers():
    for y in ([1, 2, 9], np.array([1, 2, 9], object)):
        assert KNeighborsRegressor(2).fit([[0], [1], [5]], y).predict([[0]]).tolist() == [1.5]
    model = KNeighborsClassifier(1).fit([[0], [1]], [30, 4])
    assert model.classes_.tolist() == [4, 30] and model.predict([[0]]).tolist() == [30]
