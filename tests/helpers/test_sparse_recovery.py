"""Sparse recovery: basis pursuit, brute force over supports, and the constants that say when it works."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.fft import idct

from helpers.methods import sparse_recovery
from helpers.methods.sparse_recovery import (
    basis_pursuit,
    coherence,
    restricted_isometry_constant,
    sparsest_solution,
)

quick = settings(deadline=None, max_examples=25)


def problem(m, n, k, seed=0):
    """A Gaussian A with m rows and n columns, a code s with k nonzeros, and y = As."""
    rng = np.random.default_rng(seed)
    A, s = rng.normal(size=(m, n)), np.zeros(n)
    s[rng.choice(n, k, replace=False)] = rng.normal(size=k)
    return A, s, A @ s


# ---- basis pursuit


def test_a_signal_that_is_sparse_in_cosines():  # item 06.3
    Psi = idct(np.eye(128), norm="ortho", axis=0)
    Phi, s, _ = problem(50, 128, 5)
    code = basis_pursuit(Phi @ Psi, Phi @ Psi @ s)
    assert np.abs(code - s).max() < 1e-9 and (np.abs(Psi @ code) > 1e-3).mean() > 0.9


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_signs_and_units_are_recovered(scale):
    A, s, y = problem(20, 40, 4)
    assert (s < 0).any()
    for code in (basis_pursuit(A, scale * y) / scale, basis_pursuit(A * scale, y) * scale):
        np.testing.assert_allclose(code, s, atol=1e-8)


@quick
@given(st.integers(0, 1000), st.integers(1, 6), st.integers(2, 12))
def test_no_other_solution_has_a_smaller_sum(seed, m, n):
    A, _, y = problem(m, n, min(m, n), seed)
    s = basis_pursuit(A, y)
    np.testing.assert_allclose(A @ s, y, atol=1e-8)
    assert (np.abs(s) > 1e-9).sum() <= m  # a vertex
    null = np.linalg.svd(A)[2][m:]
    for v in np.random.default_rng(seed).normal(size=(20, len(null))) @ null:
        assert np.abs(s).sum() <= np.abs(s + v).sum() + 1e-9


@quick
@given(st.integers(0, 1000), st.integers(1, 3), st.integers(2, 5))
def test_the_least_sum_stands_on_independent_columns(seed, m, n):
    """Brute force: of all solutions on m columns the least, for the optimum is a vertex."""
    A, _, y = problem(m, max(m, n), 1, seed)
    sums = []
    for T in map(list, combinations(range(A.shape[1]), m)):
        if np.linalg.matrix_rank(A[:, T]) == m:
            sums.append(np.abs(np.linalg.solve(A[:, T], y)).sum())
    assert np.isclose(np.abs(basis_pursuit(A, y)).sum(), min(sums))


def test_repeated_and_empty_measurements():
    A, s, y = problem(10, 20, 2)
    again, empty = np.vstack([A, A]), np.vstack([A, np.zeros(20)])
    np.testing.assert_allclose(basis_pursuit(again, np.r_[y, y]), s, atol=1e-8)
    np.testing.assert_allclose(basis_pursuit(empty, np.r_[y, 0]), s, atol=1e-8)
    assert (basis_pursuit(A, 0 * y) == 0).all() and (basis_pursuit(0 * A, 0 * y) == 0).all()


def test_measurements_that_no_code_explains():
    with pytest.raises(ValueError, match="No s solves As = y for all 3 rows.*use the Lasso"):
        basis_pursuit([[1.0], [1.0], [1.0]], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="NaN"):
        basis_pursuit([[np.nan, 1.0]], [1.0])


# ---- every support in turn


@quick
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(0, 3))
def test_the_sparsest_by_subsets_of_a_mask(seed, m, k):
    A, _, y = problem(m, 6, min(k, m), seed)
    s = sparsest_solution(A, y)
    np.testing.assert_allclose(A @ s, y, atol=1e-8)
    for mask in product([0, 1], repeat=6):
        if sum(mask) < np.count_nonzero(s):
            assert np.linalg.norm(A * mask @ np.linalg.pinv(A * mask) @ y - y) > 1e-9 * np.linalg.norm(y)


def test_where_l1_misses_the_sparsest_is_found():
    A = [[1.0, 0.0, 0.1], [0.0, 1.0, 0.1]]
    np.testing.assert_allclose(sparsest_solution(A, [0.1, 0.1]), [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(basis_pursuit(A, [0.1, 0.1]), [0.1, 0.1, 0], atol=1e-12)
    assert (sparsest_solution(A, [0.0, 0.0]) == 0).all()


def test_a_tolerance_takes_noise():
    A, s, y = problem(6, 10, 2)
    noisy = y + 1e-4 * np.random.default_rng(0).normal(size=6)
    found = sparsest_solution(A, noisy, tol=1e-3)
    assert np.array_equal(found != 0, s != 0)
    assert np.count_nonzero(sparsest_solution(A, noisy)) == 6


def test_what_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="y lies outside the range of A"):
        sparsest_solution([[1.0], [1.0]], [1.0, 2.0])
    monkeypatch.setattr(sparse_recovery, "MOST", 44)
    with pytest.raises(ValueError, match="2 of 10 columns: 45 supports are too many"):
        sparsest_solution(*problem(5, 10, 3)[::2])
    with pytest.raises(ValueError, match="2 of 10 columns: 45 supports are too many"):
        restricted_isometry_constant(np.eye(10), 2)


# ---- constants


@quick
@given(st.integers(0, 1000), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_the_constant_by_loops(seed, m, n, k):
    A, k = np.random.default_rng(seed).normal(size=(m, n)), min(k, n)
    worst = max(
        np.linalg.norm(A[:, T].T @ A[:, T] - np.eye(k), 2) for T in map(list, combinations(range(n), k))
    )
    assert np.isclose(restricted_isometry_constant(A, k), worst)


def test_the_last_supports_count_as_the_first():
    """More supports than one batch; the worst pair stands at either end."""
    A = np.eye(150)
    A[-1, -2] = A[0, 1] = 1.0
    for columns in (A[:, :-2], A[:, 2:]):
        assert np.isclose(restricted_isometry_constant(columns, 2), (1 + np.sqrt(5)) / 2)
    assert restricted_isometry_constant(A[:, 2:-2], 2) == 0


@quick
@given(st.integers(0, 1000), st.integers(1, 6), st.integers(2, 7))
def test_coherence_by_loops(seed, m, n):
    A = np.random.default_rng(seed).normal(size=(m, n))
    angles = [abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in combinations(A.T, 2)]
    assert np.isclose(coherence(A), max(angles))
    unit = A / np.linalg.norm(A, axis=0)
    assert np.isclose(restricted_isometry_constant(unit, 2), coherence(A))  # δ₂ is the coherence


BAD = {
    "order 0": (lambda: restricted_isometry_constant(np.eye(3), 0), "k=0: choose 1 to 3"),
    "order 4 of 3": (lambda: restricted_isometry_constant(np.eye(3), 4), "k=4: choose 1 to 3"),
    "a column of zeros": (lambda: coherence([[1.0, 0.0], [2.0, 0.0]]), r"Columns \[1\] of A are 0"),
    "one column": (lambda: coherence([[1.0], [2.0]]), "one column"),
}


@pytest.mark.parametrize("call, message", BAD.values(), ids=BAD)
def test_what_has_no_constant(call, message):
    with pytest.raises(ValueError, match=message):
        call()
