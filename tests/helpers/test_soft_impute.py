"""SoftImpute: optimal by its subgradient, and equal to the loop of chapter 6."""

import pickle
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from helpers.methods.soft_impute import SoftImpute, svt

quick = settings(deadline=None, max_examples=25)
nan = np.nan


def low_rank(n=40, d=30, r=3, seen=0.6, noise=0.1, seed=0):
    """The table with blanks, and the whole of it."""
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(n, r)) @ rng.normal(size=(r, d))
    observed = rng.random((n, d)) < seen
    observed[rng.integers(0, n, d), np.arange(d)] = True  # no column of blanks
    return np.where(observed, M + noise * rng.normal(size=M.shape), nan), M


def objective(X, Z, lam):
    return 0.5 * np.nansum((X - Z) ** 2) + lam * np.linalg.norm(Z, "nuc")


TABLES = {
    "tall": low_rank()[0],
    "wide": low_rank(12, 50)[0],
    "one feature": low_rank(9, 1, 1)[0],
    "full rank": low_rank(25, 20, 20)[0],
    "no blanks": low_rank(seen=1)[0],
    "few seen": low_rank(40, 20, 2, 0.25)[0],
    "duplicated rows": np.repeat(low_rank(10, 8)[0], 3, axis=0),
    "far from 0": low_rank()[0] + 50,
    "one row": low_rank(1, 6, 1, 1)[0],
    "a row of blanks": np.vstack([low_rank(12, 9)[0], np.full(9, nan)]),
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)


@quick
@given(st.integers(1, 6), st.integers(1, 6), st.floats(0, 3), st.integers(0, 1000))
def test_svt_minimises_its_objective(n, d, lam, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Z = svt(X, lam)
    for scale in (1e-3, 0.1, 1):
        assert objective(X, Z, lam) <= objective(X, Z + scale * rng.normal(size=(n, d)), lam) + 1e-12
    assert_allclose(svt(X, 0), X, atol=1e-12)


def rows_of_Z(imputer, X):
    """The rows of Z in the basis V, one ridge regression a row, (n, k)."""
    root = np.sqrt(imputer.singular_values_)
    B, penalty = imputer.components_.T * root, imputer.lam * np.eye(len(root))
    rows = [(B[~np.isnan(x)], x[~np.isnan(x)]) for x in X]
    return np.array([np.linalg.solve(b.T @ b + penalty, b.T @ x) for b, x in rows]) * root


@over_tables
def test_the_subgradient_is_zero(X):
    """``P_seen(X - Z) = λ(U Vᵀ + W)`` with Uᵀ W = 0, W V = 0 and |W|₂ <= 1: no other Z is better."""
    lam = 0.1 * np.linalg.norm(np.nan_to_num(X), 2)
    imputer = SoftImpute(lam, tol=1e-13, max_iter=20000).fit(X)
    V, s = imputer.components_.T, imputer.singular_values_
    A = rows_of_Z(imputer, X)
    G, U = np.nan_to_num(X - A @ V.T) / lam, A / s
    assert_allclose(U.T @ U, np.eye(len(s)), atol=1e-4)
    assert_allclose(V.T @ V, np.eye(len(s)), atol=1e-12)
    assert_allclose(G @ V, U, atol=1e-4)
    assert_allclose(U.T @ G, V.T, atol=1e-4)
    assert np.linalg.norm(G - U @ V.T, 2) <= 1 + 1e-4


@over_tables
def test_the_plain_loop_fills_the_same(X):
    lam = 0.2 * np.linalg.norm(np.nan_to_num(X), 2)
    Z, seen, falls = np.zeros_like(X), ~np.isnan(X), []
    for _ in range(500):
        Z = svt(np.where(seen, X, Z), lam)
        falls.append(objective(X, Z, lam))
    assert (np.diff(falls) <= 1e-12 * falls[0]).all()
    filled = SoftImpute(lam, tol=1e-12, max_iter=20000).fit_transform(X)
    assert_array_equal(filled[seen], X[seen])
    assert_allclose(filled, np.where(seen, X, Z), atol=1e-3 * np.nanmax(np.abs(X)))


def test_new_rows_are_filled_by_a_ridge_regression():
    X, new = low_rank()[0], low_rank(15, 30, seed=1)[0]
    imputer = SoftImpute(2.0).fit(X)
    wanted, given_rows = rows_of_Z(imputer, new) @ imputer.components_, new.copy()
    filled = imputer.transform(new)
    assert_allclose(filled, np.where(np.isnan(new), wanted, new), rtol=1e-9)
    assert_allclose(filled[3:4], imputer.transform(new[3:4]), rtol=1e-12)
    assert_array_equal(new, given_rows)  # it fills a copy


def test_filling_takes_little_memory():
    """Not n·k² numbers: 2000 rows of rank 60 would be 55 MiB."""
    X = low_rank(2000, 60, 60, 0.8)[0]
    imputer = SoftImpute(1.0, tol=1.0).fit(X)
    tracemalloc.start()
    imputer.transform(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(imputer.singular_values_) == 60 and peak < 4 * X.nbytes


def test_enough_entries_bring_the_table_back():  # item 06.11
    X, M = low_rank(60, 50, 2, 0.5, noise=0)
    Z = SoftImpute(0.05, tol=1e-6, max_iter=5000).fit_transform(X)
    assert np.linalg.norm(Z - M) / np.linalg.norm(M) < 0.01
    few, M = low_rank(60, 50, 2, 0.1, noise=0)  # fewer than r(n + d - r) = 216
    Z = SoftImpute(1.0, tol=1e-4).fit_transform(few)
    assert np.linalg.norm(Z - M) / np.linalg.norm(M) > 0.3


def test_the_larger_lambda_the_lower_the_rank():
    X = low_rank(40, 30, 10)[0]
    ranks = [len(SoftImpute(lam).fit(X).singular_values_) for lam in (0.5, 2, 5, 10, 20)]
    assert ranks == sorted(ranks, reverse=True) and ranks[0] > ranks[-1]
    top = np.linalg.norm(np.nan_to_num(X), 2)
    nothing, something = SoftImpute(top * 1.001).fit(X), SoftImpute(top * 0.98).fit(X)
    assert nothing.n_iter_ == 1 and len(something.singular_values_) == 1
    assert_array_equal(nothing.transform(X), np.nan_to_num(X))


def test_it_is_an_estimator():
    X = pd.DataFrame(low_rank(12, 4)[0], columns=list("abcd"))
    imputer = SoftImpute(1.0).fit(X)
    frame = clone(imputer).set_output(transform="pandas").fit_transform(X)
    assert list(frame) == list("abcd")
    again = pickle.loads(pickle.dumps(imputer)).transform(X)
    assert_array_equal(frame, again)
    with pytest.raises(NotFittedError):
        SoftImpute(1.0).transform(X)


def test_what_has_not_settled_says_so():
    with pytest.warns(ConvergenceWarning, match="After 2 steps Z still changes"):
        SoftImpute(0.5, max_iter=2).fit(low_rank()[0])


BAD = {
    "a column of blanks": (SoftImpute(1.0), [[1.0, nan], [2.0, nan]], r"Columns \[1\] have no value"),
    "no penalty": (SoftImpute(0.0), [[1.0]], "lam=0.0: give a penalty > 0"),
    "a penalty that is no number": (SoftImpute(nan), [[1.0]], "lam=nan: give a penalty > 0"),
    "no step": (SoftImpute(1.0, max_iter=0), [[1.0]], "max_iter=0"),
    "infinity": (SoftImpute(1.0), [[np.inf]], "infinity"),
}


@pytest.mark.parametrize("imputer, X, message", BAD.values(), ids=BAD)
def test_what_is_refused(imputer, X, message):
    with pytest.raises(ValueError, match=message):
        imputer.fit(X)


@pytest.mark.parametrize("lam", [-1.0, nan])
def test_svt_refuses_a_negative_penalty(lam):
    with pytest.raises(ValueError, match="give a penalty >= 0"):
        svt(np.eye(2), lam)
