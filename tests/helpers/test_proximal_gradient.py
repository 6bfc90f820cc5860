"""Proximal gradient and the Lasso's conditions of optimality, against scikit-learn and by hand."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from helpers.methods.proximal_gradient import kkt_residual, proximal_gradient, soft_threshold


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6))
    return X, X @ [2, 0, 0, -1, 0, 0.5] + rng.normal(size=30)


def minimiser(X, y, lam):
    model = Lasso(alpha=lam / (2 * len(y)), fit_intercept=False, tol=1e-14, max_iter=10**6)
    return model.fit(X, y).coef_


def objective(X, y, lam, w):
    return ((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()


def test_no_other_number_is_better_than_the_soft_threshold():
    grid = np.linspace(-5, 5, 10001)
    for z in (-3.2, -0.4, 0.0, 0.9, 2.5):
        costs = (grid - z) ** 2 / 2 + 0.8 * np.abs(grid)
        assert soft_threshold(z, 0.8) == pytest.approx(grid[costs.argmin()], abs=1e-3)


def test_thresholds_may_differ_from_entry_to_entry():
    assert soft_threshold(np.array([[3.0, -3.0]]), np.array([1.0, 2.0])).tolist() == [[2, -1]]
    assert soft_threshold(np.array([-np.inf, 4]), 0.0).tolist() == [-np.inf, 4]


def test_a_threshold_is_no_negative_number():
    for t in (-1, [1, -1], np.nan):
        with pytest.raises(ValueError, match="at least 0"):
            soft_threshold([1.0, 2.0], t)


@pytest.mark.parametrize("lam", [0.5, 10.0, 60.0, 1e4])
def test_the_residual_of_kkt_is_0_at_the_minimum_and_nowhere_else(table, lam):
    X, y = table
    w = minimiser(X, y, lam)
    assert kkt_residual(X, y, w, lam) < 1e-6
    for j in range(6):
        away = w.copy()
        away[j] += 0.1
        assert kkt_residual(X, y, away, lam) > 0.1


def test_at_0_the_largest_correlation_decides(table):
    X, y = table
    most = 2 * np.abs(X.T @ y).max()
    assert kkt_residual(X, y, np.zeros(6), most) == 0
    assert kkt_residual(X, y, np.zeros(6), most - 3) == pytest.approx(3)


@pytest.mark.parametrize("accelerate", [False, True])
@pytest.mark.parametrize("lam", [0.0, 8.0])
def test_the_steps_arrive_at_the_minimum(table, accelerate, lam):
    X, y = table
    w, objectives = proximal_gradient(X, y, lam, accelerate=accelerate, n_iter=600)
    best = minimiser(X, y, lam) if lam else np.linalg.lstsq(X, y)[0]
    assert np.allclose(w, best, atol=1e-6) and len(objectives) == 601
    assert objectives[-1] == pytest.approx(objective(X, y, lam, w))
    assert objectives[0] == pytest.approx(y @ y)


def test_ista_never_rises_and_both_keep_their_bounds(table):
    X, y = table
    X = X * [1, 1, 1, 0.1, 0.1, 0.1]  # slow
    w, lam, k = minimiser(X, y, 2.0), 2.0, np.arange(1, 201)
    far, least = np.linalg.norm(X, 2) ** 2 * w @ w, objective(X, y, lam, w)
    by_ista, by_fista = (
        proximal_gradient(X, y, lam, accelerate=fast, n_iter=200)[1] - least for fast in (False, True)
    )
    assert (np.diff(by_ista) <= 1e-9).all()
    assert (by_ista[1:] <= far / k + 1e-9).all()  # (9.26)
    assert (by_fista[1:] <= 4 * far / (k + 1) ** 2 + 1e-9).all()  # (9.27)


def test_it_begins_where_it_is_told_and_leaves_that_as_it_was(table):
    X, y = table
    begin = np.ones(6)
    w, objectives = proximal_gradient(X, y, 3.0, n_iter=0, w=begin)
    assert w.tolist() == [1] * 6 and objectives == [objective(X, y, 3.0, begin)]
    proximal_gradient(X, y, 3.0, n_iter=5, w=begin)
    assert begin.tolist() == [1] * 6


def test_a_table_of_zeros_leaves_no_weight():
    assert not proximal_gradient(np.zeros((3, 2)), np.ones(3), 1.0, n_iter=9)[0].any()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(lam=-1), "negative penalty"),
        (dict(lam=np.nan), "negative penalty"),
        (dict(w=np.zeros(5)), "6 columns"),
        (dict(y=np.ones(29)), "inconsistent"),
        (dict(X=np.full((30, 6), np.nan)), "NaN"),
    ],
)
def test_what_does_not_fit_is_refused(table, change, says):
    X, y = table
    given = dict(X=X, y=y, w=np.zeros(6), lam=1.0) | change
    for function in (kkt_residual, proximal_gradient):
        with pytest.raises(ValueError, match=says):
            function(**given)


def test_a_negative_number_of_steps_is_refused(table):
    with pytest.raises(ValueError, match="n_iter=-1"):
        proximal_gradient(*table, 1.0, n_iter=-1)
