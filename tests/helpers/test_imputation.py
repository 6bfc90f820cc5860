"""Proper draws come from the posterior; Rubin's rules by loops and beside statsmodels; intervals hold."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from statsmodels.imputation.mice import MICE

from helpers.methods.imputation import draw_tables, pool

quick = settings(deadline=None, max_examples=25)
nan = np.nan


def table(n=60, d=4, share=0.15, seed=0):
    """Related columns, some of it blank."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    return np.where(rng.random((n, d)) < share, nan, X)


# ---- draws


def test_draws_have_the_posterior_predictive_distribution():
    """A new value given x is Student's t: mean ŷ, scale² = s² (1 + xᵀ (AᵀA)⁻¹ x), n - d degrees."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(14, 3))
    X[:, 2] += X[:, 0]
    X[13, 2] = nan
    A, y, x = np.column_stack([np.ones(13), X[:13, :2]]), X[:13, 2], np.array([1, *X[13, :2]])
    b, (rss,), *_ = np.linalg.lstsq(A, y)
    scale = np.sqrt(rss / 10 * (1 + x @ np.linalg.inv(A.T @ A) @ x))
    values = draw_tables(X, 4000, rounds=1, random_state=0)[:, 13, 2]
    assert stats.kstest((values - x @ b) / scale, stats.t(10).cdf).pvalue > 0.01


def test_draws_for_two_blanks_share_their_coefficients():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(12, 2))
    X[10:, 0], X[10:, 1] = [30, 31], nan  # far out: the slope rules
    a, b = draw_tables(X, 500, rounds=1, random_state=0)[:, 10:, 1].T
    assert np.corrcoef(a, b)[0, 1] > 0.98


@pytest.mark.parametrize("cell", [1e9, 1e10, 1e12])
@pytest.mark.parametrize("row", [0, 3])  # a row that is filled, and one that teaches
def test_one_huge_cell_elsewhere_costs_no_digits(cell, row):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 0] = X[:, 2] + 0.1 * rng.normal(size=200)
    X[[0, 5, 7], 0] = nan
    plain = draw_tables(X, 20, random_state=0)[:, [5, 7], 0]
    X[row, 1] = cell
    beside = draw_tables(X, 20, random_state=0)[:, [5, 7], 0]
    assert np.abs(beside - X[[5, 7], 2]).max() < 0.5  # noise of 0.1
    assert_allclose(beside, plain, atol=0.1)


def test_a_huge_cell_in_the_column_that_predicts():
    """Least squares by scikit-learn says the same: the row that holds the cell is the one to be filled."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 0] = X[:, 1] + 0.1 * rng.normal(size=200)
    X[0, 1], X[[0, 5, 7], 0] = 1e9, nan
    filled = draw_tables(X, 50, random_state=0)[:, 5, 0]
    assert abs(filled.mean() - X[5, 1]) < 0.1 and filled.std() < 0.2


def test_means_far_from_0_cost_no_digits():
    X = table(200, share=0.1)
    near, far = (draw_tables(Z, 3, random_state=0) for Z in (X, X + 1e8))
    assert_allclose(far - 1e8, near, atol=1e-5)


def test_tables_keep_what_was_observed_and_differ_elsewhere():
    X, blank = table(), np.isnan(table())
    tables = draw_tables(X, 4, random_state=0)
    assert tables.shape == (4, *X.shape)
    assert_array_equal(tables[:, ~blank], np.broadcast_to(X[~blank], (4, (~blank).sum())))
    assert tables[:, blank].std(axis=0).min() > 0
    assert_array_equal(tables, draw_tables(X, 4, random_state=0))
    assert not np.allclose(tables, draw_tables(X, 4, random_state=1))
    assert_array_equal(X, table())
    assert_array_equal(draw_tables(table(share=0), 2), [table(share=0)] * 2)


def test_draws_do_not_depend_on_the_unit():
    X = table()
    for whole, small in zip(*(draw_tables(X * unit, 2, random_state=0) for unit in (1, 2.0**-12))):
        assert_allclose(small * 2.0**12, whole, rtol=1e-9)


def test_dependent_and_constant_columns_do_not_stop_it():
    X = np.column_stack([table(), table(share=0)[:, 0] * 2, np.full(60, 7.0)])
    X[4, 5] = nan
    tables = draw_tables(X, 3, random_state=0)
    assert np.isfinite(tables).all() and np.abs(tables).max() < 100
    assert_allclose(tables[:, 4, 5], 7, rtol=1e-6)


def test_spread_is_that_of_scikit_learns_posterior():
    X, blank = table(200, share=0.2), np.isnan(table(200, share=0.2))
    mine = draw_tables(X, 10, rounds=3, random_state=0)
    options = dict(max_iter=3, sample_posterior=True, skip_complete=True)
    theirs = np.array([IterativeImputer(random_state=s, **options).fit_transform(X) for s in range(10)])
    spread, twins = (tables.var(axis=0, ddof=1)[blank].mean() for tables in (mine, theirs))
    assert_allclose(spread, twins, rtol=0.2)
    gap = np.square(mine.mean(axis=0) - theirs.mean(axis=0))[blank].mean()
    assert_allclose(gap, spread / 10 + twins / 10, rtol=0.4)  # two means of ten draws each


BAD_TABLES = {
    "empty": ([[nan, 1.0], [nan, 2.0]], {}, r"\[0\] have \[0\] observed"),
    "few rows": ([[nan, 1.0], [1, 2], [2, 3]], {}, r"\[0\] have \[2\] .* at least 3"),
    "no tables": (table(), {"M": 0}, "M=0"),
    "no rounds": (table(), {"rounds": 0}, "rounds=0"),
    "infinity": ([[np.inf, 1.0]], {}, "infinity"),
}


@pytest.mark.parametrize("X, options, message", BAD_TABLES.values(), ids=BAD_TABLES)
def test_tables_that_are_refused(X, options, message):
    with pytest.raises(ValueError, match=message):
        draw_tables(X, **{"M": 2} | options)


def test_one_row_more_than_coefficients_is_enough():
    assert np.isfinite(draw_tables([[nan, 1.0], [1, 2], [2, 3.5], [2, 4]], 2)).all()


# ---- Rubin's rules

numbers = st.lists(st.floats(-100, 100), min_size=2, max_size=12)


@quick
@given(numbers, st.floats(0.01, 50), st.integers(0, 100))
def test_the_rules_by_loops(theta, size, seed):
    U, M = list(size * np.random.default_rng(seed).uniform(0.5, 2, len(theta))), len(theta)
    centre = sum(theta) / M
    within, between = sum(U) / M, sum((t - centre) ** 2 for t in theta) / (M - 1)
    T = within + (1 + 1 / M) * between
    answer = pool(theta, U)
    assert_allclose(answer[:4], [centre, T, within, between], rtol=1e-9, atol=1e-9)
    if between > 1e-6 * T:
        assert_allclose(answer.df, (M - 1) * (1 + within / ((1 + 1 / M) * between)) ** 2, rtol=1e-6)
    wanted = stats.t.interval(0.95, answer.df, centre, T**0.5)
    assert_allclose([answer.low, answer.high], wanted, rtol=1e-9, atol=1e-9)


def test_the_total_variance_is_that_of_statsmodels():
    rng = np.random.default_rng(0)
    theta, U = rng.normal(size=(7, 3)), rng.uniform(0.5, 1, (7, 3))
    fits = [SimpleNamespace(params=t, cov_params=partial(np.diag, u)) for t, u in zip(theta, U)]
    fits = [SimpleNamespace(_results=fit, scale=1.0) for fit in fits]
    mice = SimpleNamespace(results_list=fits, exog_names=list("abc"), endog_names="y", model_class=object)
    theirs, mine = MICE.combine(mice), pool(theta, U)
    assert_allclose(mine.estimate, theirs.params, rtol=1e-12)
    assert_allclose(mine.variance, np.diag(theirs.cov_params()), rtol=1e-12)
    assert_allclose((1 + 1 / 7) * mine.between / mine.variance, theirs.frac_miss_info, rtol=1e-12)


def test_several_quantities_are_pooled_one_by_one():
    rng = np.random.default_rng(0)
    theta, U = rng.normal(size=(5, 3)), rng.uniform(0.5, 1, (5, 3))
    together = pool(theta, U)
    for k in range(3):
        assert_allclose([field[k] for field in together], pool(theta[:, k], U[:, k]), rtol=1e-14)


def test_answers_that_agree_leave_the_normal_interval():
    answer = pool([2.0, 2.0, 2.0], [4.0, 4.0, 4.0])
    assert answer.variance == answer.within == 4 and answer.between == 0 and np.isinf(answer.df)
    assert_allclose([answer.low, answer.high], [2 - 1.959964 * 2, 2 + 1.959964 * 2], rtol=1e-6)
    certain = pool([2.0, 2.0], [0.0, 0.0])
    assert (certain.variance, certain.low, certain.high) == (0, 2, 2)


def test_pooled_intervals_hold_the_truth_and_one_table_does_not():  # item 05.18, erratum E30
    """The mean of y is 0; y is blank where x is large (missing at random), about 4 in 10."""
    rng, held = np.random.default_rng(0), np.zeros(2)
    for seed in range(150):
        x = rng.normal(size=100)
        y = 0.8 * x + 0.6 * rng.normal(size=100)
        holes = np.column_stack([x, np.where(rng.random(100) < 1 / (1 + np.exp(0.7 - 2.5 * x)), nan, y)])
        tables = draw_tables(holes, 10, rounds=1, random_state=seed)[..., 1]
        means, variances = tables.mean(axis=1), tables.var(axis=1, ddof=1) / 100
        answer = pool(means, variances)
        alone = stats.t.interval(0.95, 99, means[0], variances[0] ** 0.5)
        held += [answer.low <= 0 <= answer.high, alone[0] <= 0 <= alone[1]]
    pooled, one = held / 150
    assert pooled > 0.90 > pooled - 0.1 > one  # of a promised 0.95


BAD_ANSWERS = {
    "shapes": ([1.0, 2.0], [1.0], r"same shape .*got \(2,\) and \(1,\)"),
    "number": (1.0, 1.0, "same shape"),
    "one": ([1.0], [1.0], "at least two"),
    "negative": ([1.0, 2.0], [1.0, -1.0], "squared standard errors"),
    "blank": ([1.0, 2.0], [1.0, nan], "numbers >= 0"),
}


@pytest.mark.parametrize("estimates, variances, message", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_answers_that_are_refused(estimates, variances, message):
    with pytest.raises(ValueError, match=message):
        pool(estimates, variances)
