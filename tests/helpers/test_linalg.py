"""Covariances by blocks, eigenvectors in order and with a sign, rank, whitening."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import _rows
from helpers._linalg import (
    covariance,
    cross_covariance,
    fixed_signs,
    largest_first,
    orthonormal_basis,
    rank,
    some_eigenpairs,
    whitening,
)
from helpers.comparing import close
from helpers.derivation import SHAPES, samples
from tests.helpers.covering import each_value

rows = hnp.arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=st.floats(-9, 9))
over_shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
blocks = pytest.mark.parametrize("block", [1, 7, 8, 2**20])


@pytest.fixture
def X(shape):
    return samples(np.random.default_rng(0), shape)


@each_value
@over_shapes
@blocks
@pytest.mark.parametrize("ddof", [0, 1])
def test_covariance_is_numpys(X, block, ddof, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    S = np.cov(X, rowvar=False, ddof=ddof).reshape(X.shape[1], -1)
    assert close(covariance(X, X.mean(axis=0), ddof), S, 1e-12)


def test_covariance_divides_by_n_minus_1_unless_told_and_never_by_0():
    for way in (covariance, covariance.plain):
        assert way(np.array([[1.0], [3.0]]), 2.0).tolist() == [[2.0]]
        assert way(np.array([[1.0]]), 1.0).tolist() == [[0.0]]
    assert cross_covariance(
        np.array([[1.0], [2.0], [3.0]]), 2.0, np.array([[0.0], [2], [4]]), 2.0
    ).tolist() == [[2.0]]


def test_covariance_keeps_its_digits_far_from_0():
    Z = np.random.default_rng(0).integers(-9, 10, size=(1000, 3)).astype(float)
    X = Z + 2.0**40
    assert close(covariance(X, X.mean(axis=0)), np.cov(Z, rowvar=False), 1e-6)


@blocks
@pytest.mark.parametrize("ddof", [0, 1])
def test_cross_covariance_by_loops(block, ddof, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(9, 2)) + 5, rng.normal(size=(9, 3))
    mx, my = X.mean(axis=0), Y.mean(axis=0)
    wanted = sum(np.outer(x - mx, y - my) for x, y in zip(X, Y)) / (9 - ddof)
    assert close(cross_covariance(X, mx, Y, my, ddof), wanted, 1e-12)
    assert close(cross_covariance(Y, my, X, mx, ddof), wanted.T, 1e-12)


def test_the_mean_is_the_one_given():
    X = np.array([[1.0], [3.0]])
    assert covariance(X, np.zeros(1), ddof=0).tolist() == [[5.0]]
    assert cross_covariance(X, np.zeros(1), X.copy(), np.ones(1), ddof=0).tolist() == [[3.0]]
    assert cross_covariance(X, np.ones(1), X.copy(), np.zeros(1), ddof=0).tolist() == [[3.0]]


@over_shapes
def test_the_largest_eigenvalue_first_with_its_vector(X):
    S = covariance(X, X.mean(axis=0))
    values, vectors = largest_first(S)
    assert (np.diff(values) <= 0).all()
    assert close(S @ vectors, vectors * values, 1e-12) and close(vectors.T @ vectors, np.eye(len(S)), 1e-12)


def test_some_eigenpairs_are_numpys(monkeypatch):
    """Also where LAPACK's search for a few finds none."""
    S = np.cov(np.random.default_rng(0).normal(size=(9, 5)), rowvar=False)
    none = np.empty(0), np.empty((5, 0))
    for _ in range(2):
        for first, last in ((0, 0), (1, 3), (3, 4), (0, 4)):
            values, vectors = some_eigenpairs(S, first, last)
            assert close(values, np.linalg.eigvalsh(S)[first : last + 1], 1e-12)
            assert close(S @ vectors, vectors * values, 1e-12) and vectors.shape == (5, last - first + 1)
        monkeypatch.setattr("helpers._linalg.eigh", lambda S, subset_by_index: none)


def test_an_orthonormal_basis_spans_the_columns():
    """Whatever their units and however far from 0; what only rounding moves is none."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(9, 3))
    sums = Z @ np.array([[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]])
    tables = Z, Z * [1e-14, 1, 1e14], Z + [0, 5, 1e4], Z[:3], sums, Z * [1, 0, 1]
    for X, ones in itertools.product(tables, (True, False)):
        unit = X / np.maximum(np.linalg.norm(X, axis=0), 1e-300)
        columns = np.column_stack([np.ones(len(X)), unit]) if ones else unit
        U = orthonormal_basis(X, ones)
        assert U.shape[1] == np.linalg.matrix_rank(columns) and close(U.T @ U, np.eye(U.shape[1]), 1e-12)
        assert close(U @ (U.T @ columns), columns, 1e-9)
    z, w, few = rng.normal(size=(3, 100))
    far, ulps = 1e6 + z, 8 * np.spacing(1e6) * np.sign(few)
    for columns, p in (
        ((z, 1e6 + ulps / 8), 2),
        ((far, far / 3), 2),
        ((far, far + ulps), 2),
        ((far, far + 1e-4 * w), 3),
        ((w, w + 1e-10 * few, far), 4),
    ):
        assert orthonormal_basis(np.column_stack(columns)).shape == (100, p)


@settings(deadline=None, max_examples=25)
@given(rows)
def test_signs_do_not_depend_on_the_sign_that_came(A):
    fixed = fixed_signs(A)
    assert (fixed == fixed_signs(-A)).all() and (np.abs(fixed) == np.abs(A)).all()
    for row, given_row in zip(fixed, A):
        assert row[np.abs(row).argmax()] >= 0 or np.isclose(row.max(), -row.min(), rtol=1e-5)
        assert (row == given_row).all() or (row == -given_row).all()


def test_of_nearly_equal_entries_the_first_is_positive():
    """Rounding on another machine must not turn the vector round."""
    for nudge in (-1e-12, 0, 1e-12):
        assert fixed_signs(np.array([[-0.5, 0.5 + nudge, 0.1]]))[0, 0] == 0.5
    assert fixed_signs(np.array([[-0.5, 0.6]])).tolist() == [[-0.5, 0.6]]


@pytest.mark.parametrize(
    "values, size, wanted",
    [
        ([3.0, 1.0, 0.5], 3, 3),
        ([3.0, 1.0, 1e-17], 3, 2),
        ([1.0, 1e-15], 3, 2),
        ([1.0, 1e-15], 100, 1),
        ([0.0, 0.0], 2, 0),
        ([1e-30, 1e-31], 2, 2),
        ([-1e-20], 1, 0),
        ([], 1, 0),
        ([1.0, 4 * 2.0**-52], 4, 1),
        ([1.0, 5 * 2.0**-52], 4, 2),
    ],
)
def test_rank(values, size, wanted):
    assert rank(np.array(values), size) == wanted


@each_value
@over_shapes
@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e9])
def test_whitened_rows_have_covariance_identity(X, shape, unit):  # item 03.9
    X = X * np.geomspace(1, unit, X.shape[1])
    mean = X.mean(axis=0)
    W = whitening(covariance(X, mean), max(X.shape), mean)
    assert W.shape == (X.shape[1], min(shape.rank, len(X) - 1))
    assert close(np.cov((X - mean) @ W, rowvar=False).reshape(W.shape[1], -1), np.eye(W.shape[1]), 1e-7)


@pytest.mark.parametrize("far", [1e6, -1e6])
def test_a_feature_that_only_rounding_moves_is_left_out(far):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=50), np.full(50, far) + rng.choice([0, 1e-10], 50)])
    mean = X.mean(axis=0)
    assert whitening(covariance(X, mean), 50, mean).shape == (2, 1)
    assert whitening(np.diag([1.0, 0.0]), 50).shape == (2, 1)
