"""The methods with a dial of chapter 9: each setting's predictions, against another computation."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LinearRegression, Ridge

from helpers.draws.wrappers import best_dial, forward_dial, relaxed_dial, ridge_dial


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6)) + 0.5 * rng.normal(size=(30, 1))
    X -= X.mean(axis=0)
    y = X @ [2, 0, -1, 0, 0, 0.4] + rng.normal(size=30)
    return X, y - y.mean(), rng.normal(size=(5, 6))


def refit(X, y, new_X, A):
    return LinearRegression(fit_intercept=False).fit(X[:, A], y).predict(new_X[:, A])


def test_ridge_is_the_package_s(table):
    X, y, new_X = table
    for lam, told in zip((0.1, 10.0), ridge_dial(*table, (0.1, 10.0)), strict=True):
        assert np.allclose(told, Ridge(alpha=lam, fit_intercept=False).fit(X, y).predict(new_X))


def test_the_relaxed_lasso_is_the_lasso_then_halfway_then_least_squares_on_its_choice(table):
    X, y, new_X = table
    lams = np.array([60.0, 10.0])
    lasso, half, free = relaxed_dial(*table, lams).reshape(3, 2, 5)
    for lam, told, end in zip(lams, lasso, free, strict=True):
        model = Lasso(alpha=lam / 60, fit_intercept=False, tol=1e-10).fit(X, y)
        assert np.allclose(told, model.predict(new_X), atol=1e-2)
        assert 0 < (model.coef_ != 0).sum() < 6
        assert np.allclose(end, refit(X, y, new_X, np.flatnonzero(model.coef_)))
    assert np.allclose(half, (lasso + free) / 2)


def test_forward_search_adds_what_lowers_the_error_most(table):
    X, y, new_X = table
    told, A = forward_dial(*table, range(1, 4)), []
    assert not told[0].any()
    for k in (1, 2, 3):
        left = [j for j in range(6) if j not in A]
        A = [*A, min(left, key=lambda j: ((y - refit(X, y, X, [*A, j])) ** 2).sum())]  # noqa: B023
        assert np.allclose(told[k], refit(X, y, new_X, A))


def test_best_subset_has_the_least_error_of_its_size(table):
    X, y, new_X = table
    told = best_dial(*table, range(1, 4))
    assert not told[0].any()
    for k in (1, 2, 3):
        every = map(list, combinations(range(6), k))
        best = min(every, key=lambda A: ((y - refit(X, y, X, A)) ** 2).sum())
        assert np.allclose(told[k], refit(X, y, new_X, best))
