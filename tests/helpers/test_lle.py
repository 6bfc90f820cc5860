"""LLE's weights: brute force, invariants, bad input."""

import numpy as np
import pytest
from sklearn.manifold._locally_linear import barycenter_kneighbors_graph

from helpers.methods.lle import lle_weights


def cloud(seed, n=20, d=5):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize(("d", "k", "reg"), [(5, 3, 0), (2, 6, 1e-3), (5, 19, 0.1)])
def test_each_row_by_itself(d, k, reg):
    """Least squares with its constraint, by Lagrange's equations: the sum is 1, the residual meets no gap."""
    X = cloud(k, d=d)
    W = lle_weights(X, n_neighbors=k, reg=reg).toarray()
    for i, x in enumerate(X):
        near = np.argsort(((X - x) ** 2).sum(axis=1))[1 : k + 1]
        gaps = x - X[near]
        C = gaps @ gaps.T
        system = np.block([[C + reg * np.trace(C) * np.eye(k), np.ones((k, 1))], [np.ones(k), 0]])
        assert np.allclose(W[i, near], np.linalg.solve(system, [0] * k + [1])[:k])
        assert np.count_nonzero(W[i]) == k


def test_moved_rows_and_scikit_learn():
    X, turn = cloud(0), np.linalg.qr(cloud(1, 5, 5))[0]
    W = lle_weights(X, n_neighbors=8).toarray()
    assert np.allclose(W.sum(axis=1), 1)
    assert np.allclose(W, lle_weights(1e6 * X @ turn - 7, n_neighbors=8).toarray())
    assert np.allclose(W, barycenter_kneighbors_graph(X, 8).toarray())


def test_copies_weigh_alike():
    assert np.allclose(lle_weights(np.ones((4, 2)), n_neighbors=2).data, 0.5)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (dict(n_neighbors=20), "choose 1 to 19"),
        (dict(n_neighbors=0), "choose 1 to 19"),
        (dict(reg=-1e-3), "at least 0"),
        (dict(n_neighbors=6, reg=0), "set reg > 0"),
    ],
)
def test_bad_input(bad, says):
    with pytest.raises(ValueError, match=says):
        lle_weights(cloud(0), **bad)


@pytest.mark.parametrize("X", [[1.0, 2.0], [[np.nan], [1.0], [2.0]]])
def test_bad_tables(X):
    with pytest.raises(ValueError):
        lle_weights(X, n_neighbors=1)
