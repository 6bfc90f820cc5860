"""Sparse recovery: basis pursuit, brute force over supports, and the constants that say when it works."""

from itertools import combinations, islice, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.fft import idct
from scipy.stats import norm

from helpers import _rows
from helpers.comparing import close
from helpers.linear_model import (
    BasisPursuit,
    Lasso,
    coherence,
    restricted_isometry_constant,
    sparse_recovery,
    sparsest_solution,
)


def problem(m, n, k, seed=0):
    """A Gaussian A with m rows and n columns, and y = As of an s with k nonzeros."""
    rng = np.random.default_rng(seed)
    A, s = rng.normal(size=(m, n)), np.zeros(n)
    s[rng.choice(n, k, replace=False)] = rng.normal(size=k)
    return A, s, A @ s


# ---- basis pursuit


def test_a_signal_that_is_sparse_in_cosines():  # item 06.3, erratum E42
    Psi = idct(np.eye(128), norm="ortho", axis=0)
    Phi, s, _ = problem(50, 128, 5)
    x = Psi @ s
    model = BasisPursuit(basis=Psi).fit(Phi, Phi @ x)
    assert np.abs(model.code_ - s).max() < 1e-10 and np.abs(model.coef_ - x).max() < 1e-10
    assert model.residual_ < 1e-10
    assert (np.abs(x) > 1e-3).mean() > 0.9 and close(model.predict(Phi), Phi @ x)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_signs_and_units_are_recovered(scale):
    A, s, y = problem(20, 40, 4)
    assert (s < 0).any() and close(BasisPursuit().fit(A, scale * y).code_, scale * s, 1e-8)
    assert close(BasisPursuit().fit(A * scale, y).code_, s / scale, 1e-8)


def weak_threshold(delta):
    """Largest k/n that L1 recovers from n = δN Gaussian measurements (Donoho, Maleki and Montanari 2009)."""
    z = np.linspace(0.01, 5, 50001)
    missed = 2 * ((1 + z**2) * norm.cdf(-z) - z * norm.pdf(z))
    return ((1 - missed / delta) / (1 + z**2 - missed)).max()


def test_donoho_and_tanners_curve():
    curve = {
        0.05: 0.1544,
        0.1: 0.1894,
        0.2: 0.2433,
        0.25: 0.2674,
        0.3: 0.2908,
        0.4: 0.3373,
        0.5: 0.3857,
        0.6: 0.4384,
        0.7: 0.4988,
        0.75: 0.5337,
        0.8: 0.5733,
        0.9: 0.6782,
    }
    assert np.allclose([weak_threshold(delta) for delta in curve], list(curve.values()), atol=6e-5)


@pytest.mark.parametrize("delta", [0.25, 0.5])
@pytest.mark.parametrize("rate, lowest, highest", [(0.78, 28, 30), (1.0, 8, 25), (1.25, 0, 6)])
def test_donoho_and_tanners_threshold(delta, rate, lowest, highest):
    n = round(200 * delta)
    k, found = round(rate * weak_threshold(delta) * n), 0
    for seed in range(30):
        A, s, y = problem(n, 200, k, seed)
        found += np.allclose(BasisPursuit().fit(A, y).code_, s, atol=1e-6)
    assert lowest <= found <= highest


@given(seed=st.integers(0, 1000), m=st.integers(1, 6), n=st.integers(2, 12))
@settings(deadline=None, max_examples=25)
def test_no_other_solution_has_a_smaller_sum(seed, m, n):
    A, _, y = problem(m, n, min(m, n), seed)
    s = BasisPursuit().fit(A, y).code_
    assert np.allclose(A @ s, y, atol=1e-8) and (np.abs(s) > 1e-9).sum() <= m  # a vertex
    null = np.linalg.svd(A)[2][m:]
    for v in np.random.default_rng(seed).normal(size=(20, len(null))) @ null:
        assert np.abs(s).sum() <= np.abs(s + v).sum() + 1e-9


def test_the_lasso_tends_to_basis_pursuit():  # item 06.7
    A, s, y = problem(20, 40, 3)
    assert close(
        Lasso(1e-4, fit_intercept=False, tol=1e-9).fit(A, y).coef_, BasisPursuit().fit(A, y).code_, 1e-2
    )


def test_the_shortest_solution_is_not_the_sparsest():  # item 06.2
    A, s, y = problem(20, 40, 3)
    shortest = np.linalg.pinv(A) @ y
    assert (np.abs(shortest) > 1e-6).sum() == 40 and not np.allclose(shortest, s, atol=0.1)


def test_measurements_may_be_objects():
    A, s, y = problem(10, 20, 2)
    assert close(BasisPursuit().fit(A, y.astype(object)).code_, s, 1e-8)


def test_repeated_and_unreachable_measurements():
    A, s, y = problem(10, 20, 2)
    assert close(BasisPursuit().fit(np.vstack([A, A]), np.r_[y, y]).code_, s, 1e-8)
    tall, y = problem(9, 3, 3)[0], np.arange(9.0)
    model = BasisPursuit().fit(tall, y)
    assert close(model.code_, np.linalg.lstsq(tall, y)[0], 1e-8)
    assert np.isclose(model.residual_, np.abs(tall @ model.code_ - y).max()) and model.residual_ > 0.1


def test_nothing_measured_means_nothing_found():
    assert not BasisPursuit().fit(np.zeros((2, 3)), [0.0, 0.0]).code_.any()
    assert not BasisPursuit().fit(np.eye(3), [0.0, 0.0, 0.0]).code_.any()


def test_frames_and_a_basis_that_does_not_fit():
    A, s, y = problem(10, 20, 2)
    frame = pd.DataFrame(A, columns=[f"x{i}" for i in range(20)])
    assert close(BasisPursuit().fit(frame, y).coef_, s, 1e-8)
    with pytest.raises(ValueError, match=r"basis has shape \(19, 19\): it needs 20 rows"):
        BasisPursuit(basis=np.eye(19)).fit(A, y)


def test_a_programme_that_fails_is_told(monkeypatch):
    class Failed:
        status, message = 4, "numbers went wrong"

    monkeypatch.setattr(sparse_recovery, "linprog", lambda *args, **options: Failed)
    with pytest.raises(RuntimeError, match="not solved: numbers went wrong"):
        BasisPursuit().fit(np.eye(2), [1.0, 2.0])


# ---- by brute force


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_the_sparsest_solution_is_the_planted_one(k):  # item 06.6
    A, s, y = problem(6, 10, k, seed=k)
    assert close(sparsest_solution(A, y), s, 1e-9)


def test_l1_and_l0_may_differ():  # erratum E41
    A, y = np.array([[1, 0, 0.1], [0, 1, 0.1]]), np.array([0.1, 0.1])
    assert close(sparsest_solution(A, y), [0, 0, 1]) and close(BasisPursuit().fit(A, y).code_, [0.1, 0.1, 0])


def test_noise_is_allowed_up_to_tol():
    A, s, y = problem(8, 10, 1)
    noisy = y + 1e-3 * np.linalg.norm(y) * np.r_[1, np.zeros(7)]
    assert np.array_equal(sparsest_solution(A, noisy, tol=2e-3) != 0, s != 0)
    with pytest.raises(ValueError, match="No s solves As = y"):
        sparsest_solution(A[:, :4], np.arange(8.0))


def test_numbers_of_few_bits_neither_wrap_round_nor_lose_digits():
    A = np.array([[200.0, 100, 0], [100, 200, 9]])
    for kind, function in product(
        (np.uint8, np.float16),
        (
            coherence,
            lambda A: restricted_isometry_constant(A, 2),
            lambda A: sparsest_solution(A, [2, 1]),
            lambda A: BasisPursuit().fit(A, [2, 1]).code_,
            lambda A: BasisPursuit(basis=A.T).fit(A, [2, 1]).code_,
        ),
    ):
        assert close(function(A.astype(kind)), function(A))


def test_a_faint_signal_is_none_the_less_found():
    A, s, y = problem(6, 10, 2)
    assert close(sparsest_solution(A, 1e-12 * y), 1e-12 * s, 1e-6)


def test_every_column_may_be_needed():
    assert close(sparsest_solution(np.eye(3), [1.0, 2.0, 3.0]), [1, 2, 3])
    assert not sparsest_solution(np.eye(3), [0.0, 0.0, 0.0]).any()


@pytest.mark.parametrize("length", [0.5, 1, 2])
def test_the_isometry_constant_by_its_definition(length):  # item 06.5
    A = problem(5, 7, 1)[0]
    A *= length / np.linalg.norm(A, axis=0)
    for k in (1, 2, 3):
        slow = max(
            np.linalg.norm(A[:, T].T @ A[:, T] - np.eye(k), 2) for T in map(list, combinations(range(7), k))
        )
        assert np.isclose(restricted_isometry_constant(A, k), slow, atol=1e-14)


@given(seed=st.integers(0, 1000), k=st.integers(1, 4))
@settings(deadline=None, max_examples=25)
def test_no_sparse_vector_leaves_the_bounds(seed, k):
    A, s, y = problem(4, 6, k, seed)
    A, y = A / 2, y / 2
    delta = restricted_isometry_constant(A, k)
    assert (1 - delta) * (s @ s) - 1e-12 <= y @ y <= (1 + delta) * (s @ s) + 1e-12
    assert k == 1 or restricted_isometry_constant(A, k - 1) <= delta + 1e-12  # nondecreasing in k


def test_isometry_from_both_sides_and_in_blocks(monkeypatch):
    assert restricted_isometry_constant(np.eye(4), 3) == 0
    assert np.isclose(restricted_isometry_constant(0.5 * np.eye(3), 2), 0.75)  # shrinks
    assert np.isclose(restricted_isometry_constant(2 * np.eye(3), 2), 3)  # stretches
    A = problem(5, 8, 1)[0] / 3
    whole = restricted_isometry_constant(A, 3)
    monkeypatch.setattr(_rows, "BLOCK", 20)
    assert restricted_isometry_constant(A, 3) == whole


@pytest.mark.parametrize("numbers, k, at_a_time", [(32, 2, 8), (1, 2, 1), (27, 3, 3)])
def test_supports_come_in_blocks_that_fit(numbers, k, at_a_time, monkeypatch):
    asked = []
    monkeypatch.setattr(_rows, "BLOCK", numbers)
    monkeypatch.setattr(sparse_recovery, "islice", lambda it, n: asked.append(n) or islice(it, n))
    restricted_isometry_constant(np.eye(5), k)
    assert set(asked[:-1]) == {at_a_time} >= {max(asked)} and sum(asked) == comb(5, k)


def test_no_more_columns_are_tried_than_there_are_measurements(monkeypatch):
    tried = []
    monkeypatch.setattr(sparse_recovery, "_check_count", lambda n, k: tried.append(k))
    with pytest.raises(ValueError, match="No s solves"):
        sparsest_solution(np.ones((2, 5)), [1.0, 2.0])
    assert tried == [0, 1, 2]


def test_one_coherent_pair_is_found_wherever_it_stands():  # not only among neighbours
    A = np.linalg.qr(problem(8, 8, 1)[0])[0]
    A[:, 6] = A[:, 1]
    assert np.isclose(restricted_isometry_constant(A, 2), 1) and np.isclose(coherence(A), 1)


def test_coherence_is_the_isometry_constant_of_pairs():
    A = problem(10, 15, 1)[0]
    unit = A / np.linalg.norm(A, axis=0)
    assert np.isclose(coherence(A), restricted_isometry_constant(unit, 2))
    assert np.isclose(coherence(A[:, :2]), abs(unit[:, 0] @ unit[:, 1]))
    assert np.isclose(coherence(A), max(abs(unit[:, i] @ unit[:, j]) for i, j in combinations(range(15), 2)))
    assert coherence(A * np.linspace(1, 9, 15) * (-1) ** np.arange(15)) == pytest.approx(coherence(A))


def test_below_the_coherence_bound_both_find_the_planted_code():
    # Donoho and Elad 2003; I and Hadamard: coherence 1/4
    H = np.array([[(-1) ** bin(i & j).count("1") for j in range(16)] for i in range(16)]) / 4
    A = np.hstack([np.eye(16), H])
    assert np.isclose(coherence(A), 0.25)  # fewer than 2.5 nonzeros
    for seed in range(10):
        s = problem(1, 32, 2, seed)[1]
        assert close(BasisPursuit().fit(A, A @ s).code_, s, 1e-8)
        assert close(sparsest_solution(A, A @ s), s, 1e-8)


REFUSED = {
    "k is 0": (lambda: restricted_isometry_constant(np.eye(3), 0), "k=0: choose 1 to 3"),
    "k is too large": (lambda: restricted_isometry_constant(np.eye(3), 4), "k=4: choose 1 to 3"),
    "too many supports": (
        lambda: restricted_isometry_constant(np.ones((2, 100)), 10),
        "10 of 100 columns: .* too many",
    ),
    "too many for L0": (
        lambda: sparsest_solution(np.ones((9, 400)), np.arange(9.0)),
        "too many to try .* BasisPursuit",
    ),
    "zero column": (lambda: coherence([[1.0, 0.0]]), r"Columns \[1\] of A are 0"),
    "one column": (lambda: coherence([[1.0]]), "one column: coherence compares two"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message, monkeypatch):
    monkeypatch.setattr(sparse_recovery, "MOST", 1000)
    with pytest.raises(ValueError, match=message):
        call()


def test_how_many_supports_may_be_tried(monkeypatch):
    monkeypatch.setattr(sparse_recovery, "MOST", comb(6, 2))
    assert restricted_isometry_constant(np.eye(6), 2) == 0
    with pytest.raises(ValueError, match="too many"):
        restricted_isometry_constant(np.eye(6), 3)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"1.59e\+07 supports are too many to try \(at most 1e\+07\)"):
        restricted_isometry_constant(np.eye(50), 6)
