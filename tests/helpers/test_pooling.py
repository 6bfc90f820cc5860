"""Rubin's rules: equal to their formulas and to statsmodels; intervals hold what they promise."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.imputation.mice import MICE

from helpers.impute import MultipleImputer, SimpleImputer, pool

quick = settings(deadline=None, max_examples=25)
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
    together = pool(theta, U, level=0.8, df_complete=20)
    for k in range(3):
        alone = pool(theta[:, k], U[:, k], level=0.8, df_complete=20)
        assert_allclose([field[k] for field in together], alone, rtol=1e-14)


def test_answers_that_agree_leave_the_normal_interval():
    answer = pool([2.0, 2.0, 2.0], [4.0, 4.0, 4.0])
    assert answer.variance == answer.within == 4 and answer.between == 0 and np.isinf(answer.df)
    assert_allclose([answer.low, answer.high], [2 - 1.959964 * 2, 2 + 1.959964 * 2], rtol=1e-6)


def test_certain_answers_that_agree_have_no_interval():
    answer = pool([2.0, 2.0], [0.0, 0.0])
    assert (answer.variance, answer.low, answer.high) == (0, 2, 2)


def test_small_tables_have_fewer_degrees_of_freedom():
    """Barnard and Rubin (1999): with γ = 1/3 and 10 complete, 1/ν = γ²/(M - 1) + 13/(11·10·(1 - γ))."""
    theta = np.array([-1.0, 0, 1])  # B = 1, (1 + 1/3) B = 4/3
    answer = pool(theta, np.full(3, 8 / 3), df_complete=10)  # T = 4, γ = 1/3
    assert_allclose(answer.df, 1 / ((1 / 9) / 2 + 13 / (11 * 10 * 2 / 3)), rtol=1e-12)
    assert answer.df < 10 < pool(theta, np.full(3, 8 / 3)).df
    agreed = pool(np.zeros(3), np.ones(3), df_complete=10)
    assert_allclose(agreed.df, 110 / 13, rtol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_interval_has_its_level(level):
    answer = pool([1.0, 2.0, 4.0], [1.0, 2.0, 1.0], level=level)
    inside = stats.t.cdf((answer.high - answer.estimate) / answer.variance**0.5, answer.df)
    assert_allclose(2 * inside - 1, level, rtol=1e-9)
    assert_allclose(answer.high - answer.estimate, answer.estimate - answer.low)


# ---- does the interval hold the truth? item 05.18, erratum E30


def mean_and_variance(y):
    return y.mean(), y.var(ddof=1) / len(y)


def holds_zero(estimate, variance, df):
    return abs(estimate) <= stats.t.ppf(0.975, df) * variance**0.5


def one_table(rng, n=100):
    """The mean of y is 0; y is blank where x is large (missing at random), about 4 in 10."""
    x = rng.normal(size=n)
    y = 0.8 * x + 0.6 * rng.normal(size=n)
    return np.column_stack([x, np.where(rng.random(n) < 1 / (1 + np.exp(0.7 - 2.5 * x)), np.nan, y)])


def test_pooled_intervals_hold_the_truth_and_others_do_not():
    rng, runs = np.random.default_rng(0), 150
    held = dict.fromkeys(["pooled", "one table", "complete cases", "mean imputation"], 0)
    for seed in range(runs):
        X = one_table(rng)
        tables = MultipleImputer(10, max_iter=2, random_state=seed).impute(X)
        answers = [mean_and_variance(table[:, 1]) for table in tables]
        pooled, seen = pool(*zip(*answers), df_complete=99), X[~np.isnan(X[:, 1]), 1]
        held["pooled"] += pooled.low <= 0 <= pooled.high
        held["one table"] += holds_zero(*answers[0], 99)
        held["complete cases"] += holds_zero(*mean_and_variance(seen), len(seen) - 1)
        held["mean imputation"] += holds_zero(*mean_and_variance(SimpleImputer().fit_transform(X)[:, 1]), 99)
    share = {name: count / runs for name, count in held.items()}
    assert share["pooled"] > 0.90  # of a promised 0.95
    assert share["one table"] < share["pooled"] - 0.1
    assert share["complete cases"] < 0.5 and share["mean imputation"] < 0.2


# ---- refusals

BAD = {
    "shapes": ([1.0, 2.0], [1.0], {}, r"same shape .*got \(2,\) and \(1,\)"),
    "number": (1.0, 1.0, {}, "same shape"),
    "one": ([1.0], [1.0], {}, "at least two"),
    "negative": ([1.0, 2.0], [1.0, -1.0], {}, "squared standard errors"),
    "blank": ([1.0, 2.0], [1.0, np.nan], {}, "numbers >= 0"),
    "level 1": ([1.0, 2.0], [1.0, 1.0], {"level": 1}, "level=1"),
    "level 0": ([1.0, 2.0], [1.0, 1.0], {"level": 0}, "level=0"),
}


@pytest.mark.parametrize("estimates, variances, options, message", BAD.values(), ids=BAD)
def test_what_is_refused(estimates, variances, options, message):
    with pytest.raises(ValueError, match=message):
        pool(estimates, variances, **options)
