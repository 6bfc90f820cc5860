"""The methods with a dial of chapter 9: each setting's predictions, against another computation."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from helpers.chapters.wrappers import best_dial, forward_dial


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6)) + 0.5 * rng.normal(size=(30, 1))
    X -= X.mean(axis=0)
    y = X @ [2, 0, -1, 0, 0, 0.4] + rng.normal(size=30)
    return X, y - y.mean(), rng.normal(size=(5, 6))


def refit(X, y, new_X, A):
    return LinearRegression(fit_intercept=False).fit(X[:, A], y).predict(new_X[:, A])


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
