"""The judge: one set of folds, ties settled by fits and then by size, errors that name the columns."""

from types import SimpleNamespace

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut

from helpers.feature_selection import ExhaustiveSelector, LasVegasWrapper
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from helpers.feature_selection.judge import Entry, Judge, _narrow, may_use
from tests.helpers.wrapper_problems import KNN, LDA, MSE, OLS, named, problem, score


@pytest.mark.parametrize(
    "search",
    [ExhaustiveSelector(KNN, cv=3), LasVegasWrapper(KNN, cv=3, max_tries=60, random_state=0)],
    ids=named,
)
def test_of_equals_the_smaller_wins(search):  # erratum E71
    y = np.arange(30) % 2
    X = np.column_stack([y, y, 1 - y, np.zeros(30)]).astype(float)
    assert clone(search).fit(X, y).support_.sum() == 1


def test_draws_do_not_depend_on_jobs_or_closed_forms():
    X, _, y = problem(10)
    options = dict(max_tries=15, cv=3, random_state=2)
    with parallel_config(backend="threading"):
        runs = [
            LasVegasWrapper(OLS, fast=closed, n_jobs=jobs, **options).fit(X, y)
            for closed, jobs in [(True, None), (False, None), (False, 3)]
        ]
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
def test_a_learner_that_fails_says_on_which_columns(closed):  # scikit-learn's does on a constant one
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


# ---------------------------------------------------------------- the judge alone
def judge_of(model=OLS, seed=0, **options):
    X, labels, numbers = problem(seed)
    y = labels if model is KNN else numbers
    return Judge(Greedy(model, cv=3, **options), X, y), X, y


def known(subset, score, width=0.0):
    """An entry whose two folds score about `score`."""
    mean = np.array([score, score])
    return Entry(np.array(subset), mean - width, mean + width)


def test_bounds_hold_the_scores_and_count_the_subsets():
    subsets = [np.array(s) for s in ([0], [1, 2], [3], [0, 4, 5], [2, 5])]
    for closed in ("auto", False):
        judge, X, y = judge_of(fast=closed)
        low, high = judge.bounds(subsets)
        assert low.shape == high.shape == (5, 3) and judge.n_subsets == 5 and judge.n_fits == 0
        assert (high - low < 1e-6).all() if closed else np.isposinf(high).all() and np.isneginf(low).all()
        judge.settle(subsets, low, high)
        np.testing.assert_allclose(low.mean(axis=1), [score(OLS, X, y, s, cv=3) for s in subsets])
    assert judge.n_fits == 15 and (low == high).all()


def test_only_what_is_open_is_fitted():
    judge, X, y = judge_of(fast=False)
    subsets, low, high = [np.array([0]), np.array([1, 2])], np.zeros((2, 3)), np.zeros((2, 3))
    high[1, 2] = 1
    judge.settle(subsets, low, high)
    train, test = judge.folds[2]
    right = OLS.fit(X[train][:, [1, 2]], y[train]).score(X[test][:, [1, 2]], y[test])
    assert judge.n_fits == 1 and low[1, 2] == high[1, 2] == pytest.approx(right)
    assert not low[0].any() and not low[1, :2].any()


@pytest.mark.parametrize("model", [OLS, KNN], ids=named)  # the first knows more than one at a time
def test_bounds_without_each_column(model):
    judge, X, y = judge_of(model)
    subset = np.array([0, 2, 3, 5])
    low, high = judge.bounds_without(subset)
    scores = [score(model, X, y, np.delete(subset, i), cv=3) for i in range(4)]
    assert judge.n_subsets == 4
    assert (low.mean(axis=1) - 1e-12 <= scores).all() and (scores <= high.mean(axis=1) + 1e-12).all()


def test_the_first_of_the_best():
    judge, *_ = judge_of(fast=False)
    subsets = [np.array([j]) for j in range(4)]
    scores = np.array([[0.2, 0.4], [0.5, 0.3], [0.9, -0.1], [0.3, 0.5]])
    assert judge.best(subsets, scores, scores) == (1, pytest.approx(0.4))
    one = scores[:1].copy()
    assert judge.best(subsets[:1], one, one + 1e-9) == (0, pytest.approx(0.3)) and judge.n_fits == 0
    with pytest.raises(IndexError):  # wide bounds: it asks the learner
        judge.best([np.array([99])], one[:, :1] - 1, one[:, :1] + 1)


def test_a_tie_by_the_bounds_is_settled_by_fits():
    judge, X, y = judge_of(fast=False)
    subsets, low = [np.array([0]), np.array([1])], np.full((2, 3), 0.5)
    scores = [score(OLS, X, y, s, cv=3) for s in subsets]
    assert judge.best(subsets, low, low + 1e-9) == (np.argmax(scores), pytest.approx(max(scores)))


def test_one_far_ahead_needs_no_fit():
    judge, *_ = judge_of(fast=False)
    low = np.array([[0.1, 0.1, 0.1], [0.5, 0.5, 0.5], [-np.inf] * 3])
    assert judge.best([None] * 3, low, np.array([[0.4] * 3, [0.5] * 3, [0.45] * 3])) == (1, 0.5)
    assert judge.n_fits == 0


@pytest.mark.parametrize(
    "champion, challenger, won",
    [
        (None, known([0], -9.0), True),
        (known([0], 0.5), known([1], 0.6), True),
        (known([0], 0.6), known([1], 0.5), False),
        (known([0], 0.5, 0.01), known([1], 0.6, 0.01), True),
        (known([0], 0.6, 0.01), known([1], 0.5, 0.01), False),
        (known([0, 1], 0.5), known([2], 0.5), True),
        (known([0], 0.5), known([1, 2], 0.5), False),
        (known([0], 0.5), known([1], 0.5), False),
        (known([0, 1], 0.5), known([2], 0.5 + 1e-13), True),
        (known([0], 0.5), known([1], 0.5 + 1e-13), False),
        (known([0, 1], 0.5), known([2], 0.5 - 1e-13), True),
        (known([0], 0.5), known([1, 2], 0.5 + 1e-11), True),
        (known([0, 1], 0.5), known([2], 0.5 - 1e-11), False),
    ],
)
def test_a_duel(champion, challenger, won):
    judge, *_ = judge_of(fast=False)
    winner, answer = judge._duel(champion, challenger)
    assert winner.subset is (challenger if won else champion).subset
    assert answer == won and judge.n_fits == 0


def test_a_duel_with_open_bounds_is_settled_by_fits():
    judge, X, y = judge_of(fast=False)
    open_ = [Entry(np.array(s), np.full(3, -np.inf), np.full(3, np.inf)) for s in ([0], [1])]
    winner, won = judge._duel(*open_)
    scores = [score(OLS, X, y, e.subset, cv=3) for e in open_]
    assert won == (scores[1] > scores[0]) and winner.score == pytest.approx(max(scores)) and judge.n_fits == 6


def test_duels_fit_nobody_who_cannot_win():
    judge, X, y = judge_of(fast=False)
    judge.closed = SimpleNamespace(bounds=lambda S: (np.full((len(S), 3), 0.1), np.full((len(S), 3), 0.4)))
    champion = Entry(np.array([0]), np.full(3, 0.5), np.full(3, 0.5))
    duels = judge.duels(champion, [np.array([1]), np.array([2])])
    assert [(winner.subset.tolist(), won) for winner, won in duels] == [([0], False)] * 2
    assert judge.n_fits == 0
    low = Entry(np.array([0]), np.full(3, 0.3), np.full(3, 0.3))  # the bounds leave it open: a fit each
    list(judge.duels(low, [np.array([1]), np.array([2])]))
    assert judge.n_fits == 6

    both = np.array([[0.1] * 3, [0.1] * 3]), np.array([[0.4] * 3, [0.6] * 3])
    judge.closed, champion = SimpleNamespace(bounds=lambda S: both), known([0], 0.5)
    list(judge.duels(champion, [np.array([1]), np.array([2])]))
    assert judge.n_fits == 9  # of these two only one may win
    judge.closed = SimpleNamespace(bounds=lambda S: (np.full((1, 3), -2.0), np.full((1, 3), -1.0)))
    list(judge.duels(known([0], -0.5), [np.array([1])]))
    assert judge.n_fits == 9


def test_an_entry_scores_the_middle():
    assert Entry(None, np.array([0.0, 0.2]), np.array([0.4, 0.6])).score == pytest.approx(0.3)


def test_narrow_is_a_matter_of_rounding():
    low = np.array([[1.0, 1.0], [1.0, 1.0], [-np.inf, 0], [-1.0, 1]])
    high = np.array([[1.0, 1.0], [1.0, 1.1], [0, 0], [-1 + 1e-9, 1]])
    assert _narrow(low, high).tolist() == [True, False, False, True]
    assert not _narrow(-low[:2], -low[:2] + [[0, 1e-5], [1e-5, 0]]).any()


def test_may_use():
    assert may_use("auto", None) and may_use(True, None)
    assert may_use(False, None) is may_use("auto", "no") is False
    with pytest.raises(ValueError, match="fast=True, but it rains"):
        may_use(True, "it rains")
    with pytest.raises(ValueError, match="fast='yes'"):
        may_use("yes", None)
