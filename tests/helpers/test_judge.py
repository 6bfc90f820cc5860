"""The judge: one set of folds, ties settled by fits and then by size, errors that name the columns."""
import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from helpers.feature_selection import ExhaustiveSelector, LasVegasWrapper
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from tests.helpers.wrapper_problems import KNN, LDA, MSE, OLS, named, problem


@pytest.mark.parametrize("search", [ExhaustiveSelector(KNN, cv=3),
                                    LasVegasWrapper(KNN, cv=3, max_tries=60, random_state=0)], ids=named)
def test_of_equals_the_smaller_wins(search):                          # erratum E71
    y = np.arange(30) % 2
    X = np.column_stack([y, y, 1 - y, np.zeros(30)]).astype(float)
    assert clone(search).fit(X, y).support_.sum() == 1


def test_draws_do_not_depend_on_jobs_or_closed_forms():
    X, _, y = problem(10)
    options = dict(max_tries=15, cv=3, random_state=2)
    with parallel_config(backend="threading"):
        runs = [LasVegasWrapper(OLS, fast=closed, n_jobs=jobs, **options).fit(X, y)
                for closed, jobs in [(True, None), (False, None), (False, 3)]]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.support_, runs[0].support_)
        np.testing.assert_allclose(run.err_star_history_, runs[0].err_star_history_, atol=1e-9)


@pytest.mark.parametrize("kind", ["copies", "exact"])
def test_lvw_near_ties_are_settled_by_fits(kind):
    X, _, y = problem(11, kind)
    options = dict(max_tries=25, cv=2, random_state=0)
    runs = [LasVegasWrapper(OLS, fast=closed, **options).fit(X, y) for closed in (True, False)]
    np.testing.assert_array_equal(runs[0].support_, runs[1].support_)
    assert runs[0].n_fits_ > 0


@pytest.mark.parametrize("closed", [True, False])
def test_a_learner_that_fails_says_on_which_columns(closed):          # scikit-learn's does on a constant one
    X, labels, _ = problem(0, "constant")
    with pytest.raises(IndexError) as failure:
        Greedy(LDA, fast=closed, cv=3).fit(X, labels)
    assert "with columns [3]" in failure.value.__notes__[0]


def test_leave_one_out_has_no_r2():
    X, _, y = problem(19, n=12)
    with pytest.warns(UserWarning), pytest.raises(ValueError, match="A score is NaN"):
        Greedy(OLS, cv=LeaveOneOut()).fit(X, y)
    one, two = (Greedy(OLS, cv=LeaveOneOut(), scoring=MSE, fast=f).fit(X, y) for f in (True, False))
    np.testing.assert_array_equal(one.support_, two.support_)
