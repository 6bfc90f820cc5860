"""Imputation in turns: equal to scikit-learn's, to regressions written out, to the posterior's law."""

import warnings
from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import BayesianRidge, Ridge

from helpers.impute import ModelImputer, MultipleImputer
from helpers.impute.chained import _by_evidence, _draw, begin
from tests.helpers.covering import each_value

quick = settings(deadline=None, max_examples=25)
nan = np.nan
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def draw(n=60, d=5, seed=0, share=0.15, shift=3.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + 0.5 * rng.normal(size=(n, d))
    X += shift * rng.normal(size=d)
    blank = rng.random((n, d)) < share * rng.uniform(0.2, 2, d)
    blank[:2] = False
    return np.where(blank, nan, X)


TABLES = {
    "tall": draw(),
    "n < d": draw(8, 12),
    "two features": draw(20, 2),
    "one feature": draw(12, 1, share=0.4),
    "no blanks": draw(share=0),
    "far from 0": draw(shift=1e5),
    "duplicated rows": np.repeat(draw(15), 3, axis=0),
    "most are blank": draw(share=0.6),
    "dependent columns": np.column_stack([draw(share=0), draw()[:, 0]]),
    "constant column": np.column_stack([draw(), np.full(60, 7.0)]),
    "one complete": np.column_stack([draw(), np.arange(60) % 7]),
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
ORDERS = ["ascending", "descending", "roman", "arabic"]
STARTS = ["mean", "median", "most_frequent", "constant"]


def twin(X, alpha=None, **options):
    return IterativeImputer(None if alpha is None else Ridge(alpha=alpha), **options).fit(X)


# ---- the Gram matrix that is kept


@pytest.mark.speed
@quick
@given(st.integers(4, 30), st.integers(2, 5), st.integers(0, 1000))
def test_the_gram_matrix_stays_that_of_the_table(n, d, seed):
    X, rng = draw(n, d, seed, 0.3), np.random.default_rng(seed)
    chain = begin(X, np.isnan(X), rng.normal(size=d))
    for j in rng.permutation(d):
        chain.fill(j, rng.normal(size=np.isnan(X[:, j]).sum()))
    A = np.column_stack([chain.table() - chain.centre, np.ones(n)])
    assert_allclose(chain.G, A.T @ A, atol=1e-9 * np.abs(chain.G).max())
    assert_array_equal(chain.G, chain.G.T)
    assert_allclose(chain.table()[~np.isnan(X)], X[~np.isnan(X)], rtol=1e-12)


def test_a_regression_sees_only_the_rows_where_its_column_is_observed():
    X = draw()
    chain = begin(X, np.isnan(X), np.zeros(5))
    n_o, means, S, c, s = chain.regression(1)
    Z = np.nan_to_num(X)[~np.isnan(X[:, 1])] - chain.centre
    scatter = (Z - Z.mean(axis=0)).T @ (Z - Z.mean(axis=0))
    others = [0, 2, 3, 4]
    assert_allclose(n_o, len(Z))
    assert_allclose(means, Z.mean(axis=0), atol=1e-12)
    assert_allclose(S[np.ix_(others, others)], scatter[np.ix_(others, others)], rtol=1e-9)
    assert_allclose(c[others], scatter[1, others], rtol=1e-9)
    assert_allclose(s, scatter[1, 1], rtol=1e-9)
    assert not S[1].any() and not S[:, 1].any() and c[1] == 0


# ---- model imputation, item 05.16


@each_value
@over_tables
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 30.0])
@pytest.mark.parametrize("order", ORDERS)
def test_model_imputation_is_the_twins(X, alpha, order):
    options = dict(max_iter=4, tol=0, imputation_order=order)
    mine, theirs = ModelImputer(alpha, **options).fit(X), twin(X, alpha, **options)
    size = np.nanmax(np.abs(X))
    assert_allclose(mine.transform(X), theirs.transform(X), rtol=1e-9, atol=1e-9 * size)
    assert_allclose(mine.fit_transform(X), mine.transform(X), rtol=1e-9, atol=1e-12 * size)
    if mine.n_iter_ > 1:  # blanks where training had none
        new = draw(30, X.shape[1], seed=9)
        assert_allclose(mine.transform(new), theirs.transform(new), rtol=1e-7, atol=1e-9 * size)


@over_tables
def test_evidence_is_the_twins_bayesian_ridge(X):
    options = dict(max_iter=3, tol=0, imputation_order="roman")
    mine, theirs = ModelImputer("evidence", **options).fit_transform(X), twin(X, **options).transform(X)
    assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6 * np.nanmax(np.abs(X)))


@pytest.mark.parametrize("unit", [1, 1e-3, 1e-4])
def test_evidence_with_few_rows_and_small_numbers(unit):  # where the vague priors have a say
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 3)), rng.normal(size=6)
    X, y = unit * (X - X.mean(axis=0)), unit * (y - y.mean())
    theirs = BayesianRidge(fit_intercept=False, max_iter=300, tol=1e-3).fit(X, y)
    assert_allclose(_by_evidence(6, X.T @ X, X.T @ y, y @ y), theirs.coef_, rtol=1e-7)


def test_evidence_without_convergence_is_one_step():
    S, c = np.array([[4.0, 1], [1, 3]]), np.array([1.0, 2])
    first, last = _by_evidence(10, S, c, 2.0, max_iter=1), _by_evidence(10, S, c, 2.0)
    assert 1e-3 < np.abs(first - last).max() < 0.1


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("max_iter", [1, 3])
def test_every_start_is_the_twins(start, max_iter):
    X, options = draw(), dict(max_iter=max_iter, tol=0, initial_strategy=start)
    mine, theirs, new = ModelImputer(1.0, **options), twin(X, 1.0, **options), draw(30, seed=9)
    assert_allclose(mine.fit_transform(X), theirs.transform(X), rtol=1e-10)
    assert_allclose(mine.transform(new), theirs.transform(new), rtol=1e-9)


def test_ten_rounds_and_five_tables_unless_told():
    assert (
        ModelImputer().max_iter == MultipleImputer().max_iter == 10 and MultipleImputer().n_imputations == 5
    )


@pytest.mark.parametrize("tol", [1e-1, 1e-2, 1e-3, 1e-5])
def test_it_stops_when_the_twin_does(tol):
    for X in (draw(), -draw() - 9):  # the largest value may be below 0
        mine, theirs = ModelImputer(1.0, tol=tol, max_iter=50).fit(X), twin(X, 1.0, tol=tol, max_iter=50)
        assert mine.n_iter_ == theirs.n_iter_ < 50
        assert_allclose(mine.transform(X), theirs.transform(X), rtol=1e-9)


def test_one_round_by_loops():
    X, alpha = draw(25, 3), 0.7
    Z = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    for j in range(3):
        seen, others = ~np.isnan(X[:, j]), [k for k in range(3) if k != j]
        A, y = Z[seen][:, others], X[seen, j]
        C = A - A.mean(0)
        b = np.linalg.solve(C.T @ C + alpha * np.eye(2), C.T @ (y - y.mean()))
        Z[~seen, j] = y.mean() + (Z[~seen][:, others] - A.mean(0)) @ b
    mine = ModelImputer(alpha, max_iter=1, imputation_order="roman").fit_transform(X)
    assert_allclose(mine, Z, rtol=1e-12)


def test_the_random_order_follows_its_seed():
    X = draw()
    results = [
        ModelImputer(1.0, max_iter=1, imputation_order="random", random_state=s).fit_transform(X)
        for s in (0, 0, 1)
    ]
    assert_array_equal(results[0], results[1])
    assert not np.allclose(results[0], results[2], rtol=1e-9)
    imputer = ModelImputer(max_iter=3, tol=0, imputation_order="random", random_state=0).fit(X)
    turns = [j for j, *_ in imputer.imputation_sequence_]
    assert all(sorted(turns[k : k + 5]) == list(range(5)) for k in (0, 5, 10)) and turns[:5] != turns[5:10]


def test_it_beats_the_mean_when_columns_are_related_and_only_then():
    rng = np.random.default_rng(0)
    for related in (True, False):
        truth = rng.normal(size=(300, 1)) @ np.ones((1, 4)) * related + 0.3 * rng.normal(size=(300, 4))
        X = np.where(rng.random(truth.shape) < 0.2, nan, truth)
        Z, means = ModelImputer().fit_transform(X), np.nanmean(X, axis=0)
        ratio = ((Z - truth)[np.isnan(X)] ** 2).mean() / ((means - truth)[np.isnan(X)] ** 2).mean()
        assert ratio < 0.3 if related else 0.95 < ratio < 1.1


def test_an_exact_relation_is_found():
    t = np.arange(10.0)
    X = np.column_stack([t, 2 * t + 1, 5 - t])
    Y = X.copy()
    Y[[2, 5, 7], [0, 1, 2]] = nan
    assert_allclose(ModelImputer(1e-9, tol=1e-9, max_iter=100).fit_transform(Y), X, atol=1e-5)


def test_no_rounds_leave_the_start():
    X = draw()
    imputer = ModelImputer(max_iter=0)
    assert_allclose(imputer.fit_transform(X), np.where(np.isnan(X), np.nanmean(X, axis=0), X), rtol=1e-12)
    assert imputer.n_iter_ == 0 and imputer.imputation_sequence_ == []


def test_a_complete_table_and_no_rounds_need_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a mark here would yield to the module's
        ModelImputer(max_iter=0).fit(draw())
        assert ModelImputer(tol=0).fit(draw(share=0)).n_iter_ == 10  # new rows may have blanks
        ModelImputer(tol=1e-2, max_iter=50).fit(draw())


def test_a_single_column_keeps_its_start():
    imputer = ModelImputer().fit(TABLES["one feature"])
    assert imputer.n_iter_ == twin(TABLES["one feature"]).n_iter_ == 0


def test_what_has_not_converged_says_so():
    with pytest.warns(ConvergenceWarning, match="After 2 rounds .* tol=1e-09 .*increase max_iter"):
        ModelImputer(max_iter=2, tol=1e-9).fit(draw())


@quick
@given(st.integers(5, 30), st.integers(1, 5), st.integers(0, 1000))
def test_observed_values_stay_exactly_and_blanks_go(n, d, seed):
    X = draw(n, d, seed, 0.3)
    kept = X.copy()
    imputer = ModelImputer(1.0, max_iter=3).fit(X)
    Z = loads(dumps(imputer)).transform(X)
    assert_array_equal(X, kept)
    assert_array_equal(Z[~np.isnan(X)], X[~np.isnan(X)])
    assert not np.isnan(Z).any()


def test_types_names_and_indicator():
    frame = pd.DataFrame(draw(), columns=list("abcde"))
    Z = ModelImputer(add_indicator=True).set_output(transform="pandas").fit_transform(frame)
    blank = frame.isna()
    marked = [c for c in frame if blank[c].any()]
    assert list(Z) == [*frame, *(f"missingindicator_{c}" for c in marked)]
    assert_array_equal(Z.iloc[:, 5:], blank[marked])
    assert ModelImputer().fit_transform(draw().astype(np.float32)).dtype == np.float32


# ---- multiple imputation, item 05.18


def one_draw(X, j, seed):
    chain = begin(X, np.isnan(X), np.nanmean(X, axis=0))
    return _draw(chain, j, 0, np.random.default_rng(seed))


def test_draws_have_the_posterior_predictive_distribution():
    """A new value given x is Student's t: mean ŷ, scale² = s² (1 + xᵀ (AᵀA)⁻¹ x), n - d degrees."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(14, 3))
    X[:, 2] += X[:, 0]
    X[13, 2] = nan
    A, y, x = np.column_stack([np.ones(13), X[:13, :2]]), X[:13, 2], np.array([1, *X[13, :2]])
    b, (rss,), *_ = np.linalg.lstsq(A, y)
    scale = np.sqrt(rss / 10 * (1 + x @ np.linalg.inv(A.T @ A) @ x))
    values = [one_draw(X, 2, seed)[0] for seed in range(4000)]
    chain = begin(X, np.isnan(X), np.nanmean(X, axis=0))
    t = (np.array(values) + chain.centre[2] - x @ b) / scale
    assert stats.kstest(t, stats.t(10).cdf).pvalue > 0.01


def test_draws_for_two_blanks_share_their_coefficients():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=12), rng.normal(size=12)])
    X[10:, 0], X[10:, 1] = [30, 31], nan  # far out: the slope rules
    a, b = np.array([one_draw(X, 1, seed) for seed in range(500)]).T
    assert np.corrcoef(a, b)[0, 1] > 0.98


def test_tables_keep_what_was_observed_and_differ_elsewhere():
    X = draw()
    tables = MultipleImputer(4, random_state=0).impute(X)
    blank = np.isnan(X)
    assert tables.shape == (4, *X.shape)
    assert_array_equal(tables[:, ~blank], np.broadcast_to(X[~blank], (4, (~blank).sum())))
    assert tables[:, blank].std(axis=0).min() > 0
    assert_array_equal(tables, MultipleImputer(4, random_state=0).fit(X).tables_)
    assert not np.allclose(tables, MultipleImputer(4, random_state=1).impute(X))


def test_draws_do_not_depend_on_the_unit():
    X, imputer = draw(), MultipleImputer(n_imputations=2, random_state=0)
    for table, small in zip(imputer.impute(X), imputer.impute(X * 2.0**-12)):
        assert_allclose(small * 2.0**12, table, rtol=1e-9)


def test_the_result_does_not_depend_on_the_number_of_jobs():
    X = draw(20, 3)
    one = MultipleImputer(3, random_state=0, n_jobs=1).impute(X)
    with parallel_config("threading"):  # processes take long to start
        assert_array_equal(one, MultipleImputer(3, random_state=0, n_jobs=2).impute(X))


def test_a_bar_shows_the_progress(capsys):
    MultipleImputer(3, random_state=0).impute(draw())
    assert capsys.readouterr().err == ""
    MultipleImputer(3, random_state=0, progress=True).impute(draw())
    assert "3/3" in capsys.readouterr().err


def test_dependent_and_constant_columns_do_not_stop_it():
    X = np.column_stack([draw(), draw(share=0)[:, 0] * 2, np.full(60, 7.0)])
    X[4, 6] = nan
    tables = MultipleImputer(3, random_state=0).impute(X)
    assert np.isfinite(tables).all() and np.abs(tables).max() < 100
    assert_allclose(tables[:, 4, 6], 7, rtol=1e-6)


@pytest.mark.parametrize("start", STARTS)
def test_the_start_is_forgotten(start):
    X = draw(400, 3, share=0.3)
    tables = MultipleImputer(10, max_iter=15, initial_strategy=start, random_state=0).impute(X)
    wanted = MultipleImputer(10, max_iter=15, random_state=1).impute(X)
    assert_allclose(tables.mean(axis=(0, 1)), wanted.mean(axis=(0, 1)), atol=0.1)
    assert_allclose(tables.std(axis=(0, 1)), wanted.std(axis=(0, 1)), rtol=0.05)


def test_spread_is_that_of_the_twins_posterior():
    X, blank = draw(200, 4, share=0.2), np.isnan(draw(200, 4, share=0.2))
    mine = MultipleImputer(10, max_iter=3, random_state=0).impute(X)
    options = dict(max_iter=3, sample_posterior=True, skip_complete=True)
    theirs = np.array([twin(X, random_state=s, **options).transform(X) for s in range(10)])
    spread, twins = (tables.var(axis=0, ddof=1)[blank].mean() for tables in (mine, theirs))
    assert_allclose(spread, twins, rtol=0.2)
    gap = np.square(mine.mean(axis=0) - theirs.mean(axis=0))[blank].mean()
    assert_allclose(gap, spread / 10 + twins / 10, rtol=0.4)  # two means of ten draws each


def test_complete_tables_and_float32():
    X = draw(share=0)
    assert_array_equal(MultipleImputer(2).impute(X), [X, X])
    assert clone(MultipleImputer(2)).impute(draw().astype(np.float32)).dtype == np.float32


# ---- refusals

BAD = {
    "alpha 0": (ModelImputer(0), draw(), "alpha=0: give a penalty > 0.*'evidence'"),
    "alpha's name": (ModelImputer("best"), draw(), "alpha='best'"),
    "order": (ModelImputer(imputation_order="rome"), draw(), "imputation_order='rome'"),
    "start": (ModelImputer(initial_strategy="zero"), draw(), "strategy='zero'"),
    "empty": (ModelImputer(), [[nan, 1.0], [nan, 2.0]], r"No value is observed in the columns \[0\]"),
    "empty, M times": (MultipleImputer(), [[nan, 1.0], [nan, 2.0]], r"columns \[0\]"),
    "no tables": (MultipleImputer(0), draw(), "n_imputations=0"),
    "no rounds": (MultipleImputer(max_iter=0), draw(), "max_iter=0"),
    "few rows": (MultipleImputer(), [[nan, 1.0], [1, 2], [2, 3]], r"\[0\] have \[2\] .* at least 3"),
}


@pytest.mark.parametrize("imputer, X, message", BAD.values(), ids=BAD)
def test_what_is_refused(imputer, X, message):
    with pytest.raises(ValueError, match=message):
        imputer.fit(X)


def test_one_row_more_than_coefficients_is_enough():
    assert np.isfinite(MultipleImputer(2).impute([[nan, 1.0], [1, 2], [2, 3.5], [2, 4]])).all()
