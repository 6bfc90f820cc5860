"""Isomap and LLE: the same as scikit-learn's, as slow loops, and what chapter 4 claims of them."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from scipy.stats import ortho_group
from sklearn import manifold as twin
from sklearn.base import clone
from sklearn.datasets import make_swiss_roll
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from helpers import manifold
from helpers._fast import manifold as drawer
from helpers.comparing import close, same_up_to_rotation, same_up_to_sign
from helpers.manifold import (
    Isomap,
    LocallyLinearEmbedding,
    classical_mds,
    double_centre,
    geodesic_distances,
    lle_embedding,
    lle_weights,
    neighbour_graph,
)
from tests.helpers.covering import each_value, pairwise


def roll(n=300, seed=0):
    return make_swiss_roll(n, random_state=seed)[0]


def quiet(estimator, X):
    """Fit without the warnings that disconnected graphs give here and in the twin."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X)


def table(kind):
    """Tables of every awkward shape."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 4))
    return {
        "plain": X,
        "wide": rng.normal(size=(12, 30)),
        "rank 2": X[:, :2] @ rng.normal(size=(2, 5)),
        "one feature": X[:, :1],
        "far from 0": X + 1e6,
        "copies": np.repeat(X[:15], 2, axis=0),
        "grid": np.array(list(itertools.product(range(6), range(5)))) * 1.0,
    }[kind]


KINDS = ["plain", "wide", "rank 2", "one feature", "far from 0", "copies", "grid"]


# ------------------------------------------------------------ graph
@each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [1, 2, 3.5])
@pytest.mark.parametrize("near", [{"n_neighbors": 4}, {"n_neighbors": None, "radius": 1.3}])
def test_graph_by_loops(kind, p, near):
    X = table(kind)
    D = cdist(X, X, "minkowski", p=p)
    graph = neighbour_graph(X, p=p, **near)
    for i, row in enumerate(D):
        others = [j for j in np.argsort(row, kind="stable") if j != i]
        expected = others[:4] if near["n_neighbors"] else [j for j in others if row[j] <= 1.3]
        edges = slice(*graph.indptr[i : i + 2])
        assert sorted(graph.indices[edges]) == sorted(expected)
        assert close(graph.data[edges], row[graph.indices[edges]])


@pytest.mark.parametrize("d", [2, 6])
@pytest.mark.parametrize(
    "near", [{"n_neighbors": 7}, {"n_neighbors": 8}, {"n_neighbors": None, "radius": 1.5}]
)
def test_graph_of_queries(d, near):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(8, d)), rng.normal(size=(5, d))
    D = cdist(Q, X)
    limit = near.get("radius") or np.sort(D)[:, near["n_neighbors"] - 1, None]
    assert close(neighbour_graph(X, Q, **near).toarray(), np.where(D <= limit, D, 0))


def test_radius_searched_in_parts(monkeypatch):
    search, sizes = manifold.distances, []

    def counted(Q, X, p):
        sizes.append(len(Q))
        return search(Q, X, p)

    monkeypatch.setattr(manifold, "distances", counted)
    whole = neighbour_graph(roll(), n_neighbors=None, radius=4.0)
    assert sizes == [300]
    monkeypatch.setattr(manifold, "DISTANCES", 10_000)
    parts = neighbour_graph(roll(), n_neighbors=None, radius=4.0)
    assert sum(sizes[1:]) == 300 and max(sizes[1:]) * 300 <= 10_000
    monkeypatch.setattr(manifold, "DISTANCES", 10)
    neighbour_graph(roll(20), n_neighbors=None, radius=4.0)
    assert sizes[-20:] == [1] * 20 and sum(sizes) == 620, "never less than a row"
    assert whole.nnz == parts.nnz > 1000 and abs(whole - parts).max() == 0


def test_radius_includes_its_rim_and_zero_joins_copies_only():
    X = np.array([[0.0], [1.0], [2.5], [0.0]])
    assert (
        neighbour_graph(X, n_neighbors=None, radius=1).toarray()
        == [[0, 1, 0, 0], [1, 0, 0, 1], [0] * 4, [0, 1, 0, 0]]
    ).all()
    assert sorted(neighbour_graph(X, n_neighbors=None, radius=0).indices) == [0, 3]


@pytest.mark.parametrize("near", [{"n_neighbors": 5}, {"n_neighbors": None, "radius": 2.0}])
@pytest.mark.parametrize("p", [1, 2])
def test_sparse_rows(near, p):
    X = np.random.default_rng(1).poisson(0.6, size=(50, 7)).astype(float) + np.eye(50, 7)
    dense, sparse = (neighbour_graph(data, p=p, **near).toarray() for data in (X, csr_matrix(X)))
    assert np.allclose(dense, sparse, atol=1e-7)
    X[:20, 6] = 0  # queries whose last column is empty
    dense, sparse = (neighbour_graph(f(X), f(X[:20]), p=p, **near).toarray() for f in (np.array, csr_matrix))
    assert np.allclose(dense, sparse, atol=1e-7)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"radius": 1.0}, "give one, and set the other"),
        ({"n_neighbors": None}, "give one, and set the other"),
        ({"n_neighbors": None, "radius": -0.1}, "must be >= 0"),
        ({"n_neighbors": None, "radius": 1.0, "p": 0.5}, "p >= 1"),
        ({"n_neighbors": 3, "p": 0.5}, "choose p >= 1"),
        ({"n_neighbors": 0}, "only 1 to 9 are possible"),
        ({"n_neighbors": 10}, "only 1 to 9 are possible"),
    ],
)
def test_graph_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        neighbour_graph(roll(10), **arguments)


def test_sparse_radius_refuses_other_exponents():
    with pytest.raises(ValueError, match="1 or 2 for sparse rows"):
        neighbour_graph(csr_matrix(roll(10)), n_neighbors=None, radius=1.0, p=3)


# ------------------------------------------------------------ geodesics
def paths_by_loops(lengths):
    """Floyd and Warshall: may k shorten the way from i to j?"""
    D = np.where(lengths < np.inf, lengths, np.inf)
    for k, i, j in itertools.product(range(len(D)), repeat=3):
        D[i, j] = min(D[i, j], D[i, k] + D[k, j])
    return D


@pytest.mark.parametrize("kind", ["plain", "wide", "one feature", "copies", "grid"])
def test_geodesics_by_loops(kind):
    X = table(kind)
    D = cdist(X, X)
    joined = np.zeros(D.shape, bool)
    for i, row in enumerate(D):
        for j in sorted(set(range(len(D))) - {i}, key=lambda j: (row[j], j))[:7]:
            joined[i, j] = joined[j, i] = True  # i reaches j: the way back is open too
    expected = paths_by_loops(np.where(joined, D, np.where(np.eye(len(X)), 0, np.inf)))
    assert close(geodesic_distances(X, n_neighbors=7), expected)


def test_geodesics_are_a_metric_at_least_as_long_as_the_chord():
    X = roll(80)
    D = geodesic_distances(X, n_neighbors=6)
    assert close(D, D.T) and (np.diag(D) == 0).all() and (D >= cdist(X, X) - 1e-9).all()
    assert (D[:, :, None] + D[None] >= D[:, None] - 1e-9).all()


def test_copies_are_joined_at_distance_0():
    X = np.repeat(roll(60), 2, axis=0)
    D = geodesic_distances(X, n_neighbors=12)
    assert (D[np.arange(0, 120, 2), np.arange(1, 120, 2)] == 0).all()


def test_semicircle():  # item 04.8
    angle = np.linspace(0, np.pi, 400)
    arc = np.column_stack([np.cos(angle), np.sin(angle)])
    assert abs(geodesic_distances(arc, n_neighbors=2)[0, -1] - np.pi) < 1e-5


def test_too_few_neighbours_and_too_many_on_the_roll():  # item 04.7
    X, t = make_swiss_roll(1000, random_state=0)
    with pytest.raises(ValueError, match=r"falls into 4 components.*Raise n_neighbors \(now 3\)"):
        geodesic_distances(X, n_neighbors=3)
    length = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2  # of the spiral from its centre
    true = np.hypot(length[:, None] - length, X[:, 1:2] - X[:, 1])
    i, j = np.unravel_index(true.argmax(), true.shape)
    assert geodesic_distances(X, n_neighbors=40)[i, j] < 0.5 * true[i, j]  # a short cut
    assert 0.95 < geodesic_distances(X, n_neighbors=10)[i, j] / true[i, j] < 1.1


def test_disconnected_radius_names_the_radius():
    with pytest.raises(ValueError, match=r"falls into 300 components.*radius \(now 0.001\)"):
        geodesic_distances(roll(), n_neighbors=None, radius=0.001)


def test_components_joined_by_their_closest_pairs():
    X = np.array([[0.0], [1], [2], [10], [11], [12], [30], [31], [32]])
    with pytest.warns(UserWarning, match="falls into 3 components"):
        D = geodesic_distances(X, n_neighbors=2, disconnected="warn")
    assert close(D, cdist(X, X))


def test_no_third_way_with_components():
    with pytest.raises(ValueError, match="use 'error' or 'warn'"):
        geodesic_distances(roll(20), n_neighbors=1, disconnected="ignore")


# ------------------------------------------------------------ classical MDS
def test_double_centre_is_H_A_H():
    A = np.random.default_rng(0).normal(size=(7, 7))
    H = np.eye(7) - 1 / 7
    assert close(double_centre(A), H @ A @ H)


@pytest.mark.parametrize("kind", KINDS)
def test_gram_matrix_and_distances_come_back(kind):  # items 04.9 and 04.10
    X = table(kind)
    D, Xc = cdist(X, X), X - X.mean(axis=0)
    k = np.linalg.matrix_rank(Xc)
    assert close(double_centre(D**2) / -2, Xc @ Xc.T, tol=1e-7)
    Z = classical_mds(D, k)
    assert close(cdist(Z, Z), D, tol=1e-6)
    assert close(Z.mean(axis=0) + 1, np.ones(k)) and close(Z.T @ Z, np.diag(np.diag(Z.T @ Z)))
    assert same_up_to_rotation(Z, PCA(k).fit_transform(X), tol=1e-6)


def test_mds_by_all_eigenvectors():
    D = geodesic_distances(roll(60), n_neighbors=6)
    H = np.eye(60) - 1 / 60
    values, V = np.linalg.eigh(-H @ D**2 @ H / 2)
    for solver in ("auto", "dense", "arpack"):
        Z = classical_mds(D, 3, eigen_solver=solver)
        assert same_up_to_sign(Z, V[:, :-4:-1] * np.sqrt(values[:-4:-1]))
        assert (Z[np.abs(Z).argmax(axis=0), range(3)] > 0).all()


def test_distances_that_were_not_squared_give_other_points():  # erratum E23
    X = np.random.default_rng(0).normal(size=(30, 2)) * 5
    D = cdist(X, X)
    Z = classical_mds(np.sqrt(D), 2)
    assert np.abs(cdist(Z, Z) - D).max() > 3


@pytest.mark.parametrize(
    "D, k, message",
    [
        ([[0, 1], [1, 0], [2, 1]], 1, "square and symmetric"),
        ([[0, 1, 2], [1, 0, 1], [3, 1, 0]], 1, "square and symmetric"),
        ([[0, np.inf], [np.inf, 0]], 1, "no path is no distance"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 2, "span only 1 directions"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 3, "choose 1 to 2"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 0, "choose 1 to 2"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 1.5, "n_components=1.5: give a whole number"),
        ([[0, -0.5], [-0.5, 0]], 1, "negative entries"),
        ([[0, 0], [0, 0]], 1, "span only 0 directions"),
        ([[0]], 1, "minimum of 2"),
    ],
)
def test_mds_refuses(D, k, message):
    with pytest.raises(ValueError, match=message):
        classical_mds(np.array(D, float), k)


# ------------------------------------------------------------ Isomap
@pairwise
@pytest.mark.parametrize("n_neighbors, radius", [(6, None), (15, None), (None, 7.0)])
@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("eigen_solver", ["auto", "dense", "arpack"])
def test_isomap_is_the_twin(n_neighbors, radius, p, n_components, eigen_solver):
    options = dict(n_neighbors=n_neighbors, radius=radius, p=p)
    options |= dict(n_components=n_components, eigen_solver=eigen_solver)
    X, new = roll(150), roll(20, seed=5)
    ours, theirs = quiet(Isomap(**options), X), quiet(twin.Isomap(**options), X)
    assert close(ours.dist_matrix_, theirs.dist_matrix_)
    assert same_up_to_sign(ours.embedding_, theirs.embedding_)
    assert same_up_to_sign(
        np.vstack([ours.embedding_, ours.transform(new)]),
        np.vstack([theirs.embedding_, theirs.transform(new)]),
    )
    assert close(ours.reconstruction_error(), theirs.reconstruction_error())


@pytest.mark.parametrize("kind", ["wide", "far from 0", "grid", "one feature"])
def test_isomap_is_the_twin_on_awkward_tables(kind):
    X = table(kind)
    ours, theirs = (quiet(I(n_neighbors=7, n_components=1), X) for I in (Isomap, twin.Isomap))
    assert same_up_to_sign(ours.embedding_, theirs.embedding_, tol=1e-6)


def test_sparse_isomap_is_the_twin():
    X = csr_matrix(roll(100))
    ours, theirs = (quiet(I(n_neighbors=8), X) for I in (Isomap, twin.Isomap))
    assert same_up_to_sign(ours.embedding_, theirs.embedding_, tol=1e-6)
    assert close(ours.transform(X), ours.embedding_, tol=1e-5)


def test_float32_is_kept():
    X = roll(100).astype(np.float32)
    ours, double = Isomap(8).fit(X), Isomap(8).fit(X.astype(float))
    assert np.isclose(ours.reconstruction_error(), double.reconstruction_error(), rtol=1e-7)
    assert ours.embedding_.dtype == ours.dist_matrix_.dtype == ours.transform(X).dtype == np.float32
    assert close(ours.embedding_, double.embedding_, tol=1e-5)
    assert get_tags(ours).transformer_tags.preserves_dtype == ["float64", "float32"]


def test_whole_numbers():
    X = np.random.default_rng(0).integers(0, 50, size=(40, 4))
    ours, theirs = (I(n_neighbors=8).fit(X) for I in (Isomap, twin.Isomap))
    assert same_up_to_sign(ours.embedding_, theirs.embedding_) and close(ours.transform(X), ours.embedding_)
    assert close(classical_mds(np.array([[0, 200], [200, 0]], np.uint8), 1), [[100], [-100]])


def test_distances_in_float32_lose_nothing_more():
    X = table("plain")[:, :3] + 100
    Z = classical_mds(cdist(X, X).astype(np.float32), 3)
    assert Z.dtype == float and close(cdist(Z, Z), cdist(X, X), tol=1e-6)


def test_training_rows_transform_to_their_embedding():
    for near in ({"n_neighbors": 8}, {"n_neighbors": None, "radius": 7.0}):
        isomap = Isomap(**near).fit(roll())
        assert close(isomap.transform(roll()), isomap.embedding_)


def test_isomap_unrolls_what_pca_cannot():  # item 04.1, E20 for new rows
    X, t = make_swiss_roll(1000, random_state=0)
    new, s = make_swiss_roll(200, random_state=1)

    def best(Z, t):
        return max(abs(np.corrcoef(z, t)[0, 1]) for z in Z.T)

    isomap = Isomap(10).fit(X)
    assert best(PCA(2).fit_transform(X), t) < 0.25
    assert best(isomap.embedding_, t) > 0.99 and best(isomap.transform(new), s) > 0.98


def test_two_components_warn_and_join_as_the_twin_does():
    X = np.vstack([table("plain"), table("plain") + 30])
    with pytest.warns(UserWarning, match="falls into 2 components") as caught:
        ours = Isomap(6).fit(X)
    assert caught[0].filename == __file__  # it points to the line that called fit
    assert same_up_to_sign(ours.embedding_, quiet(twin.Isomap(n_neighbors=6), X).embedding_)
    with pytest.raises(ValueError, match=r"falls into 2 components.*Raise n_neighbors \(now 6\)"):
        Isomap(6, disconnected="error").fit(X)


def test_a_new_row_beyond_the_radius():
    isomap = Isomap(None, radius=7.0).fit(roll())
    with pytest.raises(ValueError, match="2 rows have no training row within radius=7.0"):
        isomap.transform(np.vstack([roll(5), [[999.0] * 3, [-999.0] * 3]]))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"n_neighbors": 6, "radius": 1.0}, "give one"),
        ({"n_neighbors": 20}, "only 1 to 19"),
        ({"n_components": 20, "n_neighbors": 19}, "choose 1 to 19"),
        ({"eigen_solver": "svd"}, "use 'auto', 'arpack' or 'dense'"),
    ],
)
def test_isomap_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        quiet(Isomap(**options), roll(20))


@pytest.mark.parametrize("name", ["Isomap", "LocallyLinearEmbedding"])
def test_defaults_are_the_twins(name):
    ours, theirs = getattr(manifold, name)().get_params(), getattr(twin, name)().get_params()
    assert ours.pop("disconnected") == "warn" and ours.items() <= theirs.items()
    X = roll(250)
    assert close(neighbour_graph(X).toarray(), neighbour_graph(X, n_neighbors=5, p=2).toarray())
    assert close(geodesic_distances(X), geodesic_distances(X, n_neighbors=5, p=2))
    assert close(lle_weights(X).toarray(), lle_weights(X, n_neighbors=5, reg=1e-3).toarray())
    assert classical_mds(cdist(X, X)).shape == lle_embedding(lle_weights(X, n_neighbors=12)).shape == (250, 2)


@pytest.mark.speed
@pytest.mark.parametrize("n, k, dense", [(200, 9, True), (201, 9, False), (201, 10, True), (10, 1, True)])
def test_auto_takes_the_solver_that_pays(n, k, dense):
    assert drawer.few_of_many("auto", n, k) != dense
    assert drawer.few_of_many("arpack", n, k) and not drawer.few_of_many("dense", n, k)


def test_names_and_frames():
    for estimator in (Isomap(8), LocallyLinearEmbedding(12)):
        frame = estimator.set_output(transform="pandas").fit_transform(roll(100))
        name = type(estimator).__name__.lower()
        assert list(frame.columns) == list(estimator.transform(roll(5)).columns) == [f"{name}0", f"{name}1"]
        with pytest.raises(NotFittedError):
            clone(estimator).transform(roll(5))
    with pytest.raises(NotFittedError):
        Isomap().reconstruction_error()


@pytest.mark.parametrize(
    "estimator",
    [
        Isomap(8),
        Isomap(8, eigen_solver="dense"),
        LocallyLinearEmbedding(12),
        LocallyLinearEmbedding(12, eigen_solver="dense"),
    ],
)
def test_every_run_gives_the_same_bytes(estimator):
    assert (estimator.fit(roll()).embedding_ == estimator.fit(roll()).embedding_).all()


# ------------------------------------------------------------ LLE: weights
def weights_by_loops(X, Q, near, reg):
    """Lagrange's conditions of one row at a time: 2 (C + reg tr C) w = μ 1, sum w = 1."""
    W = np.zeros((len(Q), len(X)))
    for i, neighbours in enumerate(near):
        k = len(neighbours)
        C = np.array([[(Q[i] - X[a]) @ (Q[i] - X[b]) for a in neighbours] for b in neighbours])
        K = np.ones((k + 1, k + 1))
        K[:k, :k], K[k, k] = 2 * (C + reg * (np.trace(C) or 1) * np.eye(k)), 0
        W[i, neighbours] = np.linalg.solve(K, np.r_[np.zeros(k), 1])[:k]
    return W


@each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reg", [1e-3, 0.1])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_weights_by_loops(kind, reg, k):
    X = table(kind)
    near = [[j for j in np.argsort(row, kind="stable") if j != i][:k] for i, row in enumerate(cdist(X, X))]
    W = lle_weights(X, n_neighbors=k, reg=reg).toarray()
    assert close(W, weights_by_loops(X, X, near, reg), tol=1e-6)


@pytest.mark.parametrize("block", [1, 6 * 6 * 7])
def test_weights_of_queries_and_in_blocks(monkeypatch, block):
    X, Q = roll(100), roll(30, seed=1)
    near = np.argsort(cdist(Q, X), axis=1)[:, :6]
    monkeypatch.setattr(manifold, "BLOCK", block)
    assert close(lle_weights(X, Q, n_neighbors=6).toarray(), weights_by_loops(X, Q, near, 1e-3), tol=1e-7)


def test_memory_of_the_weights_is_bounded(monkeypatch):
    sizes = []

    def spy(differences, reg):
        sizes.append(len(differences) * 12 * 12)
        return np.ones(differences.shape[:2])

    monkeypatch.setattr(manifold, "_barycentric", spy)
    lle_weights(roll(8000), n_neighbors=12)
    assert len(sizes) == 2 and max(sizes) <= 2**20
    monkeypatch.setattr(manifold, "BLOCK", 1)
    lle_weights(roll(20), n_neighbors=12)
    assert sizes[2:] == [12 * 12] * 20, "never less than a row"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-3, 3), st.integers(2, 9))
def test_weights_ignore_turns_shifts_and_scale(seed, log_scale, k):  # item 04.3
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3))
    W = lle_weights(X, n_neighbors=k)
    moved = 10**log_scale * (X @ ortho_group(3, seed=seed).rvs().T + rng.normal(size=3) * 10)
    assert close(lle_weights(moved, n_neighbors=k).toarray(), W.toarray(), tol=1e-6)
    assert close(W.sum(axis=1), np.ones(25))


def test_midpoint_and_a_row_among_copies():
    assert close(lle_weights([[0.0, 0], [2, 4]], [[1.0, 2]], n_neighbors=2).toarray(), [[0.5, 0.5]])
    assert close(lle_weights([[1.0], [1], [1]], n_neighbors=2).toarray(), (1 - np.eye(3)) / 2)


def test_twelve_neighbours_in_three_dimensions():  # item 04.4, erratum E22
    X = roll()
    differences = X[neighbour_graph(X, n_neighbors=12).indices[:12]] - X[0]
    assert np.linalg.matrix_rank(differences @ differences.T) == 3
    with pytest.raises(ValueError, match="rebuild 300 of the rows from n_neighbors=12 .* in 3 dimensions"):
        lle_weights(X, n_neighbors=12, reg=0)


def test_without_ridge_three_neighbours_in_three_dimensions():
    X = roll()
    near = np.argsort(cdist(X, X), axis=1)[:, 1:4]
    assert close(lle_weights(X, n_neighbors=3, reg=0).toarray(), weights_by_loops(X, X, near, 0), tol=1e-5)


@pytest.mark.parametrize(
    "options, message", [({"reg": -1e-3}, "at least 0"), ({"n_neighbors": 30}, "only 1 to 29")]
)
def test_weights_refuse(options, message):
    with pytest.raises(ValueError, match=message):
        lle_weights(roll(30), **options)


# ------------------------------------------------------------ LLE: coordinates
def test_a_constant_costs_nothing():  # M 1 = 0
    W = lle_weights(roll(), n_neighbors=12)
    assert np.abs(np.ones(300) - W @ np.ones(300)).max() < 1e-12


@pytest.mark.parametrize("solver", ["dense", "arpack"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_coordinates_are_eigenvectors_2_to_K_plus_1(solver, k):  # item 04.5, erratum E21
    W = lle_weights(roll(120), n_neighbors=12).toarray()
    values, V = np.linalg.eigh((np.eye(120) - W).T @ (np.eye(120) - W))
    Z = lle_embedding(W, k, eigen_solver=solver)
    assert same_up_to_sign(Z, V[:, 1 : k + 1], tol=1e-5)
    assert np.abs(Z.sum(axis=0)).max() < 1e-9 and close(Z.T @ Z, np.eye(k))
    assert np.isclose(((Z - W @ Z) ** 2).sum(), values[1 : k + 1].sum(), rtol=1e-6)
    assert (Z[np.abs(Z).argmax(axis=0), range(k)] > 0).all()


@pytest.mark.parametrize("solver", ["dense", "arpack"])
def test_centred_even_where_other_vectors_cost_nothing_too(solver):
    n = 30
    W = (np.eye(n, k=1) + np.eye(n, k=-1)) / 2  # a straight line rebuilds itself exactly
    W[0, :3], W[-1, -3:] = [0, 2, -1], [-1, 2, 0]
    Z = lle_embedding(W, 1, eigen_solver=solver)
    line = np.arange(n) - (n - 1) / 2
    assert same_up_to_sign(Z, line[:, None] / np.linalg.norm(line), tol=1e-6)


def test_two_rows_and_one():
    assert close(Isomap(1, n_components=1).fit_transform([[3.0], [7.0]]), [[2], [-2]])
    for estimator in (Isomap(None, radius=1), Isomap(), LocallyLinearEmbedding(n_components=1)):
        with pytest.raises(ValueError, match="n_samples ?= ?1"):
            estimator.fit([[3.0]])
    assert close(lle_embedding([[0.0, 1], [1, 0]], 1), np.array([[1], [-1]]) / np.sqrt(2))


def test_no_random_rival_is_cheaper():
    W = lle_weights(roll(100), n_neighbors=10)
    Z = lle_embedding(W, 2)
    cost = ((Z - W @ Z) ** 2).sum()
    rng = np.random.default_rng(0)
    for _ in range(200):
        rival = Z + 0.02 * rng.normal(size=Z.shape)
        Q, _ = np.linalg.qr(rival - rival.mean(axis=0))
        assert ((Q - W @ Q) ** 2).sum() > cost


@pytest.mark.parametrize("k", [2, 3, 5, 12])
def test_every_closed_group_gives_a_zero_eigenvalue(k):  # item 04.4, erratum E22
    X = roll(400, seed=1)
    W = lle_weights(X, n_neighbors=k)
    A = np.eye(400) - W.toarray()
    zeros = (np.linalg.eigvalsh(A.T @ A) < 1e-12).sum()
    assert zeros > 10 or k > 3
    if zeros == 1:
        assert lle_embedding(W).shape == (400, 2)
    else:
        with pytest.raises(ValueError, match=rf"M has {zeros} zero eigenv.*Raise n_neighbors \(now {k}\)"):
            lle_embedding(W)


def test_a_connected_graph_may_hold_two_closed_groups():
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = W[3, 4] = W[4, 3] = 1
    W[2, [1, 3]] = 0.5  # row 2 hangs between two pairs
    with pytest.raises(ValueError, match="2 closed groups"):
        lle_embedding(W, 1)
    with pytest.warns(UserWarning, match="2 closed groups"):
        Z = lle_embedding(W, 1, disconnected="warn")
    assert np.allclose(Z[:, 0], Z[0, 0] * np.array([1, 1, 0, -1, -1])) and abs(Z[0, 0]) > 0.4


@pytest.mark.parametrize(
    "k, solver, message",
    [
        (0, "auto", "choose 1 to 29"),
        (30, "auto", "choose 1 to 29"),
        (2, "qr", "use 'auto', 'arpack' or 'dense'"),
    ],
)
def test_embedding_refuses(k, solver, message):
    with pytest.raises(ValueError, match=message):
        lle_embedding(lle_weights(roll(30), n_neighbors=12), k, eigen_solver=solver)


@pairwise
@pytest.mark.parametrize("n_neighbors", [10, 14])
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("reg", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("eigen_solver", ["auto", "dense", "arpack"])
def test_lle_is_the_twin(n_neighbors, n_components, reg, eigen_solver):
    X, new = roll(250), roll(20, seed=5)
    options = dict(n_neighbors=n_neighbors, n_components=n_components, reg=reg)
    ours = LocallyLinearEmbedding(**options, eigen_solver=eigen_solver).fit(X)
    theirs = twin.LocallyLinearEmbedding(**options, eigen_solver="dense").fit(X)
    assert same_up_to_sign(
        np.vstack([ours.embedding_, ours.transform(new)]),
        np.vstack([theirs.embedding_, theirs.transform(new)]),
        tol=1e-5,
    )
    assert np.isclose(ours.reconstruction_error_, theirs.reconstruction_error_, rtol=1e-5)


def test_lle_on_high_dimensional_rows_is_the_twin():
    X = np.random.default_rng(0).normal(size=(60, 100)) + 50
    ours, theirs = (L(n_neighbors=15).fit(X) for L in (LocallyLinearEmbedding, twin.LocallyLinearEmbedding))
    assert same_up_to_sign(ours.embedding_, theirs.embedding_, tol=1e-6)


def test_an_appended_row_moves_the_embedding_but_transform_does_not():  # item 04.6
    X, new = roll(), roll(1, seed=9)
    lle = LocallyLinearEmbedding(12).fit(X)
    before = lle.embedding_.copy()
    refit = LocallyLinearEmbedding(12).fit(np.vstack([X, new])).embedding_
    lle.transform(new)
    assert (lle.embedding_ == before).all() and np.abs(refit[:-1] - before).max() > 1e-5


def test_lle_warns_or_refuses_closed_groups():
    X = np.vstack([table("plain"), table("plain") + 30])
    with pytest.warns(UserWarning, match="2 closed groups"):
        LocallyLinearEmbedding(8).fit(X)
    with pytest.raises(ValueError, match="2 closed groups"):
        LocallyLinearEmbedding(8, disconnected="error").fit(X)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"n_components": 4}, "X has only 3 features"),
        ({"n_components": 0}, "choose 1 to 29"),
        ({"n_neighbors": 30}, "only 1 to 29"),
        ({"reg": -1}, "at least 0"),
        ({"disconnected": "no"}, "'warn'"),
        ({"eigen_solver": "qr", "n_neighbors": 20}, "use 'auto'"),
    ],
)
def test_lle_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        LocallyLinearEmbedding(**{"n_neighbors": 2, **options}).fit(roll(30))
