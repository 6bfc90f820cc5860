"""SoftImpute: equal to the loop with full SVDs, optimal by its subgradient; never rising."""

from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from helpers._fast import soft
from helpers._fista import momentum
from helpers.impute import SoftImpute, svt
from helpers.impute.soft import thresholder
from tests.helpers.covering import each_value

quick = settings(deadline=None, max_examples=25)
nan = np.nan


def low_rank(n=40, d=30, r=3, seen=0.6, noise=0.1, seed=0):
    """The table with blanks, and the whole of it."""
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(n, r)) @ rng.normal(size=(r, d))
    observed = rng.random((n, d)) < seen
    observed[rng.integers(0, n, d), np.arange(d)] = True  # no column of blanks
    return np.where(observed, M + noise * rng.normal(size=M.shape), nan), M


def plain(X, lam, steps):
    """Fill, threshold, fill, threshold: a full SVD each time."""
    Z, seen = np.zeros_like(X), ~np.isnan(X)
    for _ in range(steps):
        U, s, Vt = np.linalg.svd(np.where(seen, X, Z), full_matrices=False)
        Z = U @ np.diag([max(v - lam, 0) for v in s]) @ Vt
    return Z


def objective(X, Z, lam):
    return 0.5 * np.nansum((X - Z) ** 2) + lam * np.linalg.norm(Z, "nuc")


TABLES = {
    "tall": low_rank()[0],
    "wide": low_rank(12, 50)[0],
    "one feature": low_rank(9, 1, 1)[0],
    "n = d": low_rank(20, 20)[0],
    "full rank": low_rank(25, 20, 20)[0],
    "no blanks": low_rank(seen=1)[0],
    "few seen": low_rank(40, 20, 2, 0.25)[0],
    "duplicated rows": np.repeat(low_rank(10, 8)[0], 3, axis=0),
    "far from 0": low_rank()[0] + 50,
    "one row": low_rank(1, 6, 1, 1)[0],
    "a row of blanks": np.vstack([low_rank(12, 9)[0], np.full(9, nan)]),
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)


# ---- the proximal operator, item 06.9


@quick
@given(st.integers(1, 6), st.integers(1, 6), st.floats(0, 3), st.integers(0, 1000))
def test_svt_minimises_its_objective(n, d, lam, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Z = svt(X, lam)
    for scale in (1e-3, 0.1, 1):
        assert objective(X, Z, lam) <= objective(X, Z + scale * rng.normal(size=(n, d)), lam) + 1e-12


# ---- against the plain loop


@each_value
@over_tables
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_it_finds_what_the_plain_loop_finds(X, share):
    lam = share * np.linalg.norm(np.nan_to_num(X), 2)
    mine = SoftImpute(lam, tol=1e-10, max_iter=10000).fit(X)
    wanted, Z = plain(X, lam, 500), mine.transform(X)
    blank = np.isnan(X)
    assert 1 - 1e-5 < mine.objective_[-1] / objective(X, wanted, lam) < 1 + 1e-9
    assert_allclose(Z[blank], wanted[blank], atol=1e-3 * np.nanmax(np.abs(X)))
    assert_array_equal(Z[~blank], X[~blank])
    s = np.linalg.svd(wanted)[1]
    assert_allclose(mine.singular_values_, s[s > 1e-6 * lam], rtol=1e-3, atol=0.1 * lam)


@over_tables
def test_the_subgradient_is_zero(X):
    """``P_seen(X - Z) = λ(U Vᵀ + W)`` with Uᵀ W = 0, W V = 0 and |W|₂ <= 1: no other Z is better."""
    lam = 0.1 * np.linalg.norm(np.nan_to_num(X), 2)
    imputer = SoftImpute(lam, tol=1e-12, max_iter=20000).fit(X)
    V, s = imputer.components_.T, imputer.singular_values_
    A = completed_rows(imputer, X)
    G = np.nan_to_num(X - A @ V.T) / lam  # (n, d)
    U = A / s
    assert_allclose(U.T @ U, np.eye(len(s)), atol=1e-4)
    assert_allclose(V.T @ V, np.eye(len(s)), atol=1e-12)
    assert_allclose(G @ V, U, atol=1e-4)
    assert_allclose(U.T @ G, V.T, atol=1e-4)
    assert np.linalg.norm(G - U @ V.T, 2) <= 1 + 1e-4


def completed_rows(imputer, X):
    """The rows of Z in the basis V, one ridge regression a row."""
    B, seen = imputer.components_.T * np.sqrt(imputer.singular_values_), ~np.isnan(X)
    penalty = imputer.lam_ * np.eye(B.shape[1])
    rows = [np.linalg.solve(B[i].T @ B[i] + penalty, B[i].T @ x[i]) for x, i in zip(X, seen)]
    return np.array(rows) * np.sqrt(imputer.singular_values_)


def test_new_rows_are_filled_by_a_ridge_regression():
    X, new = low_rank()[0], low_rank(15, 30, seed=0)[0]
    imputer = SoftImpute(2.0).fit(X)
    wanted = completed_rows(imputer, new) @ imputer.components_
    assert_allclose(imputer.transform(new), np.where(np.isnan(new), wanted, new), rtol=1e-9)
    assert_allclose(imputer.transform(new)[3:4], imputer.transform(new[3:4]), rtol=1e-12)


@each_value
@over_tables
@pytest.mark.parametrize("lam", [None, 0.05, 1.0, 5.0])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_objective_never_rises(X, lam):
    history = np.array(SoftImpute(lam, max_iter=200).fit(X).objective_)
    assert (np.diff(history) <= 1e-12 * history[0]).all()
    assert history[0] <= 0.5 * np.nansum(X**2)  # that of Z = 0


def test_the_reference_workload():
    """The objective that fancyimpute 0.7.0 reaches on this table (500 x 300, rank 8, 40 % seen, λ = 15)."""
    rng = np.random.default_rng(0)
    M = rng.normal(size=(500, 8)) @ rng.normal(size=(8, 300))
    X = np.where(rng.random(M.shape) < 0.4, M + 0.1 * rng.normal(size=M.shape), nan)
    imputer = SoftImpute(15.0)
    F = imputer.fit_transform(X)
    assert objective(X, svt(F, 15.0), 15.0) <= 43647.25448784095 * (1 + 1e-8)
    assert imputer.objective_[-1] <= 43647.25448784095 * (1 + 1e-8)
    assert imputer.n_iter_ < 41 and len(imputer.singular_values_) == 8  # the plain loop takes 41


# ---- what λ, rank and blanks do, items 06.8 and 06.11


def test_enough_entries_bring_the_table_back():
    X, M = low_rank(60, 50, 2, 0.5, noise=0)
    Z = SoftImpute(1e-3, tol=1e-6, max_iter=5000).fit_transform(X)
    assert np.linalg.norm(Z - M) / np.linalg.norm(M) < 1e-3
    few, M = low_rank(60, 50, 2, 0.1, noise=0)
    Z = SoftImpute(1e-2, tol=1e-4, max_iter=5000).fit_transform(few)
    assert np.linalg.norm(Z - M) / np.linalg.norm(M) > 0.3  # fewer than r(n + d - r) = 216


def test_two_by_two_of_rank_one():  # a22 = a12 a21 / a11
    Z = SoftImpute(1e-4, tol=1e-9, max_iter=10**5).fit_transform([[6.0, 3.0], [2.0, nan]])
    assert_allclose(Z[1, 1], 1, rtol=1e-2)


def test_from_the_largest_singular_value_on_nothing_is_left():
    X = low_rank()[0]
    top = np.linalg.norm(np.nan_to_num(X), 2)
    nothing, something = SoftImpute(top * 1.001).fit(X), SoftImpute(top * 0.98).fit(X)
    assert nothing.components_.shape == (0, 30) and len(something.singular_values_) == 1
    assert nothing.n_iter_ == 1
    Z, s, Vt, _ = thresholder.plain(X.shape, None)(np.nan_to_num(X), top * 0.98)
    assert Vt.shape == (1, 30)
    assert_allclose([s[0], np.linalg.norm(Z - Z @ Vt.T @ Vt)], [0.02 * top, 0], atol=1e-12 * top)
    assert_array_equal(nothing.transform(X), np.nan_to_num(X))
    assert_allclose(SoftImpute().fit(X).lam_, top / 50, rtol=1e-12)


def test_the_larger_lambda_the_lower_the_rank():
    X = low_rank(40, 30, 10)[0]
    ranks = [len(SoftImpute(lam).fit(X).singular_values_) for lam in (0.5, 2, 5, 10, 20)]
    assert ranks == sorted(ranks, reverse=True) and ranks[0] > ranks[-1]


def test_every_direction_is_found_when_many_are_wanted():
    """The search begins with 10 directions; λ is small, so that Z has full rank 60."""
    X = low_rank(80, 60, 60, 0.95, noise=0)[0]
    imputer = SoftImpute(0.05).fit(X)
    assert len(imputer.singular_values_) == 60
    assert imputer.objective_[-1] < objective(X, plain(X, 0.05, 400), 0.05)


def test_where_the_search_begins_does_not_matter():
    X = low_rank()[0]
    a, b = (SoftImpute(1.0, tol=1e-9, random_state=s).fit_transform(X) for s in (0, 1))
    assert_allclose(a, b, atol=1e-5)
    assert_array_equal(a, SoftImpute(1.0, tol=1e-9).fit_transform(X))


def test_momentum_saves_steps():
    X = low_rank(60, 50, 2, 0.5, noise=0)[0]
    assert SoftImpute(0.1, tol=1e-6).fit(X).n_iter_ < 130  # 396 without
    assert SoftImpute(0.1, tol=1e-6).fit(X).objective_[-1] < objective(X, plain(X, 0.1, 396), 0.1)


def test_momentum_follows_nesterov():
    t, push = momentum(1.0)
    assert (t, push) == ((1 + 5**0.5) / 2, 0) and momentum(2.0)[1] == 1 / momentum(2.0)[0]


@pytest.mark.speed
def test_the_search_is_as_wide_as_the_rank_asks(monkeypatch):
    """Twice as many directions while all are used, then five more than are."""
    widths, among = [], soft.among

    def seen(F, V, lam):
        Z, s, Vt = among(F, V, lam)
        widths.append((V.shape[1], len(s)))
        return Z, s, Vt

    monkeypatch.setattr(soft, "among", seen)
    SoftImpute(2.0).fit(low_rank(60, 50, 3)[0])
    SoftImpute(0.01, tol=1e-2).fit(low_rank(200, 150, 150, 0.95, noise=0)[0])
    assert widths[0][0] == 10 and (18, 18) in widths  # an eighth, or ten
    for (wide, used), (after, _) in zip(widths, widths[1:]):
        assert after in (18, min(2 * used if used == wide else used + soft.EXTRA, 150))


# ---- conventions, types, refusals


def test_signs_are_fixed():
    V = SoftImpute(1.0).fit(low_rank()[0]).components_
    assert (V[np.arange(len(V)), np.abs(V).argmax(axis=1)] > 0).all()


def test_types_names_and_indicator():
    frame = pd.DataFrame(low_rank(12, 4)[0], columns=list("abcd"))
    Z = SoftImpute(1.0, add_indicator=True).set_output(transform="pandas").fit_transform(frame)
    assert list(Z)[:4] == list("abcd") and all(c.startswith("missingindicator_") for c in list(Z)[4:])
    assert SoftImpute(1.0).fit_transform(frame.to_numpy(np.float32)).dtype == np.float32
    X = frame.to_numpy(copy=True)
    kept = X.copy()
    imputer = loads(dumps(SoftImpute(1.0).fit(X)))
    assert_array_equal(imputer.transform(X), SoftImpute(1.0).fit_transform(X))
    assert_array_equal(X, kept)


def test_what_has_not_converged_says_so():
    with pytest.warns(ConvergenceWarning, match="After 3 steps .* tol=1e-05: increase max_iter"):
        imputer = SoftImpute(0.5, max_iter=3).fit(low_rank()[0])
    assert imputer.n_iter_ == 3
    with pytest.warns(ConvergenceWarning, match="After 1 steps"):
        once = SoftImpute(0.5, max_iter=1).fit(low_rank()[0])
    assert once.n_iter_ == len(once.objective_) == 1
    with pytest.warns(ConvergenceWarning, match="After 1000 steps") as caught:
        SoftImpute(1e-5, tol=1e-9).fit([[6.0, 3.0], [2.0, nan]])
    assert caught[0].filename == __file__


def test_before_it_is_fitted_nothing_is_filled():
    with pytest.raises(NotFittedError):
        SoftImpute().transform(low_rank()[0])


def test_thresholding_keeps_float32():
    assert svt(np.eye(3, dtype=np.float32), 0.5).dtype == np.float32
    assert svt(np.eye(3, dtype=np.float16), 0.5).tolist() == (np.eye(3) / 2).tolist()


def test_a_penalty_may_be_0_and_not_less():
    X = low_rank(seen=1)[0]
    imputer = SoftImpute(0).fit(X)
    assert_allclose(imputer.singular_values_, np.linalg.svd(X)[1])
    assert imputer.objective_[-1] < 1e-20 and np.allclose(svt(X, 0), X)
    with pytest.raises(ValueError, match="lam=-0.5"):
        svt(X, -0.5)


BAD = {
    "negative": (SoftImpute(-1.0), low_rank()[0], "lam=-1.0.*lam >= 0"),
    "no steps": (SoftImpute(max_iter=0), low_rank()[0], "max_iter=0"),
    "empty": (SoftImpute(), [[nan, 1.0], [nan, 2.0]], r"columns \[0\]"),
    "infinite": (SoftImpute(), [[np.inf]], "infinity"),
}


@pytest.mark.parametrize("imputer, X, message", BAD.values(), ids=BAD)
def test_what_is_refused(imputer, X, message):
    with pytest.raises(ValueError, match=message):
        imputer.fit(X)
