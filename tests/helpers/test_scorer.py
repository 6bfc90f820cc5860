"""The scorer: one set of folds, ties settled by fits and then by size, errors that name the columns."""

from types import SimpleNamespace

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut
from sklearn.utils.parallel import Parallel

from helpers._fast.scorer import BoundedEntry, BoundedScorer, known
from helpers.feature_selection import ExhaustiveSelector, LasVegasWrapper
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from helpers.feature_selection import scorer as of_scores
from helpers.feature_selection.scorer import Entry, Scorer
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


@pytest.mark.speed
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


# ---------------------------------------------------------------- the scorer alone
SCORES = [0.5, 0.6, 0.6, 0.5, 0.6 + 1e-13, 0.6 + 1e-11, 0.1]


class Known(Scorer):
    """A scorer that knows its scores."""

    def scores(self, subsets):
        return np.array([SCORES[j] for *_, j in subsets])


def scorer_of(kind, model=OLS, seed=0):
    X, labels, numbers = problem(seed)
    y = labels if model is KNN else numbers
    return kind(Greedy(model, cv=3), X, y), X, y


def test_scores_are_means_over_the_folds():
    subsets = [np.array(s) for s in ([0], [1, 2], [3], [0, 4, 5], [2, 5])]
    scorer, X, y = scorer_of(Scorer)
    wanted = [score(OLS, X, y, s, cv=3) for s in subsets]
    np.testing.assert_allclose(scorer.scores(subsets), wanted)
    assert (scorer.n_subsets, scorer.n_fits) == (5, 15)
    assert scorer.best(subsets) == (np.argmax(wanted), pytest.approx(max(wanted)))
    assert (scorer.n_subsets, scorer.n_fits) == (10, 30)
    scorer, X, labels = scorer_of(Scorer, KNN)  # as many of each class in every fold
    np.testing.assert_allclose(scorer.scores(subsets), [score(KNN, X, labels, s, cv=3) for s in subsets])


def test_the_score_of_a_subset_on_a_fold(monkeypatch):
    scorer, X, y = scorer_of(Scorer)
    asked, scorer.n_jobs = [], 2
    monkeypatch.setattr(of_scores, "Parallel", lambda n_jobs: asked.append(n_jobs) or Parallel())
    train, test = fold = scorer.folds[2]
    right = OLS.fit(X[train][:, [1, 2]], y[train]).score(X[test][:, [1, 2]], y[test])
    assert scorer.fitted_scores([(np.array([1, 2]), fold)]) == [pytest.approx(right)] and scorer.n_fits == 1
    assert asked == [2]


def test_of_equally_good_subsets_the_first_is_best():
    assert scorer_of(Known)[0].best([[0], [1], [2]]) == (1, 0.6)


@pytest.mark.parametrize(
    "champion, challenger, won",
    [
        (None, [6], True),
        ([0], [1], True),
        ([1], [0], False),
        ([7, 1], [2], True),  # equal: the smaller wins
        ([1], [7, 2], False),
        ([1], [2], False),
        ([7, 1], [4], True),  # so does one that only rounding parts
        ([1], [4], False),
        ([7, 4], [1], True),
        ([1], [7, 5], True),
        ([7, 5], [1], False),
    ],
)
def test_who_challenges_the_champion(champion, challenger, won):
    holder = None if champion is None else Entry(champion, SCORES[champion[-1]])
    ((winner, answer),) = scorer_of(Known)[0].contests(holder, [challenger])
    assert answer == won and winner.subset is (challenger if won else champion)
    assert winner.score == SCORES[winner.subset[-1]]


def test_each_challenges_the_champion_of_its_turn():
    contests = scorer_of(Known)[0].contests(None, [[0], [1], [3], [5]])
    assert [(c.subset, won) for c, won in contests] == [([0], True), ([1], True), ([1], False), ([5], True)]


# ---------------------------------------------------------------- the scorer with bounds
def entry(subset, score, width=0.0):
    """An entry whose two folds score about `score`."""
    mean = np.array([score, score])
    return BoundedEntry(np.array(subset), mean - width, mean + width)


@pytest.mark.speed
def test_bounds_hold_the_scores_and_count_the_subsets():
    subsets = [np.array(s) for s in ([0], [1, 2], [3], [0, 4, 5], [2, 5])]
    scorer, X, y = scorer_of(BoundedScorer)
    low, high = scorer.bounds(subsets)
    assert low.shape == high.shape == (5, 3) and scorer.n_subsets == 5 and scorer.n_fits == 0
    assert (high - low < 1e-6).all()
    low[:], high[:] = -np.inf, np.inf
    scorer.settle(subsets, low, high)
    np.testing.assert_allclose(low.mean(axis=1), [score(OLS, X, y, s, cv=3) for s in subsets])
    assert scorer.n_fits == 15 and (low == high).all()


@pytest.mark.speed
def test_only_what_is_open_is_fitted():
    scorer, X, y = scorer_of(BoundedScorer)
    subsets, low, high = [np.array([0]), np.array([1, 2])], np.zeros((2, 3)), np.zeros((2, 3))
    high[1, 2] = 1
    scorer.settle(subsets, low, high)
    train, test = scorer.folds[2]
    right = OLS.fit(X[train][:, [1, 2]], y[train]).score(X[test][:, [1, 2]], y[test])
    assert scorer.n_fits == 1 and low[1, 2] == high[1, 2] == pytest.approx(right)
    assert not low[0].any() and not low[1, :2].any()


@pytest.mark.speed
def test_the_first_of_the_best():
    scorer, *_ = scorer_of(BoundedScorer)
    subsets = [np.array([j]) for j in range(4)]
    scores = np.array([[0.2, 0.4], [0.5, 0.3], [0.9, -0.1], [0.3, 0.5]])
    assert scorer.best_within(subsets, scores, scores) == (1, pytest.approx(0.4))
    one = scores[:1].copy()
    assert scorer.best_within(subsets[:1], one, one + 1e-9) == (0, pytest.approx(0.3)) and scorer.n_fits == 0
    with pytest.raises(IndexError):  # wide bounds: it asks the learner
        scorer.best_within([np.array([99])], one[:, :1] - 1, one[:, :1] + 1)


@pytest.mark.speed
def test_a_tie_by_the_bounds_is_settled_by_fits():
    scorer, X, y = scorer_of(BoundedScorer)
    subsets, low = [np.array([0]), np.array([1])], np.full((2, 3), 0.5)
    scores = [score(OLS, X, y, s, cv=3) for s in subsets]
    assert scorer.best_within(subsets, low, low + 1e-9) == (np.argmax(scores), pytest.approx(max(scores)))


@pytest.mark.speed
def test_one_far_ahead_needs_no_fit():
    scorer, *_ = scorer_of(BoundedScorer)
    low = np.array([[0.1, 0.1, 0.1], [0.5, 0.5, 0.5], [-np.inf] * 3])
    assert scorer.best_within([None] * 3, low, np.array([[0.4] * 3, [0.5] * 3, [0.45] * 3])) == (1, 0.5)
    assert scorer.n_fits == 0


@pytest.mark.speed
@pytest.mark.parametrize(
    "champion, challenger, won",
    [
        (None, entry([0], -9.0), True),
        (entry([0], 0.5), entry([1], 0.6), True),
        (entry([0], 0.6), entry([1], 0.5), False),
        (entry([0], 0.5, 0.01), entry([1], 0.6, 0.01), True),
        (entry([0], 0.6, 0.01), entry([1], 0.5, 0.01), False),
        (entry([0, 1], 0.5), entry([2], 0.5), True),
        (entry([0], 0.5), entry([1, 2], 0.5), False),
        (entry([0], 0.5), entry([1], 0.5), False),
        (entry([0, 1], 0.5), entry([2], 0.5 + 1e-13), True),
        (entry([0], 0.5), entry([1], 0.5 + 1e-13), False),
        (entry([0, 1], 0.5), entry([2], 0.5 - 1e-13), True),
        (entry([0], 0.5), entry([1, 2], 0.5 + 1e-11), True),
        (entry([0, 1], 0.5), entry([2], 0.5 - 1e-11), False),
    ],
)
def test_a_contest(champion, challenger, won):
    scorer, *_ = scorer_of(BoundedScorer)
    winner, answer = scorer.contest(champion, challenger)
    assert winner.subset is (challenger if won else champion).subset
    assert answer == won and scorer.n_fits == 0


@pytest.mark.speed
def test_a_contest_with_open_bounds_is_settled_by_fits():
    scorer, X, y = scorer_of(BoundedScorer)
    open_ = [BoundedEntry(np.array(s), np.full(3, -np.inf), np.full(3, np.inf)) for s in ([0], [1])]
    winner, won = scorer.contest(*open_)
    scores = [score(OLS, X, y, e.subset, cv=3) for e in open_]
    assert won == (scores[1] > scores[0]) and winner.score == pytest.approx(max(scores))
    assert scorer.n_fits == 6


@pytest.mark.speed
def test_contests_fit_nobody_who_cannot_win():
    scorer, X, y = scorer_of(BoundedScorer)
    scorer.closed = SimpleNamespace(bounds=lambda S: (np.full((len(S), 3), 0.1), np.full((len(S), 3), 0.4)))
    champion = BoundedEntry(np.array([0]), np.full(3, 0.5), np.full(3, 0.5))
    contests = scorer.contests(champion, [np.array([1]), np.array([2])])
    assert [(winner.subset.tolist(), won) for winner, won in contests] == [([0], False)] * 2
    assert scorer.n_fits == 0
    low = BoundedEntry(np.array([0]), np.full(3, 0.3), np.full(3, 0.3))  # the bounds leave it open
    list(scorer.contests(low, [np.array([1]), np.array([2])]))
    assert scorer.n_fits == 6

    both = np.array([[0.1] * 3, [0.1] * 3]), np.array([[0.4] * 3, [0.6] * 3])
    scorer.closed, champion = SimpleNamespace(bounds=lambda S: both), entry([0], 0.5)
    list(scorer.contests(champion, [np.array([1]), np.array([2])]))
    assert scorer.n_fits == 9  # of these two only one may win
    scorer.closed = SimpleNamespace(bounds=lambda S: (np.full((1, 3), -2.0), np.full((1, 3), -1.0)))
    list(scorer.contests(entry([0], -0.5), [np.array([1])]))
    assert scorer.n_fits == 9


@pytest.mark.speed
def test_an_entry_scores_the_middle():
    assert BoundedEntry(None, np.array([0.0, 0.2]), np.array([0.4, 0.6])).score == pytest.approx(0.3)


@pytest.mark.speed
def test_known_is_a_matter_of_rounding():
    low = np.array([[1.0, 1.0], [1.0, 1.0], [-np.inf, 0], [-1.0, 1]])
    high = np.array([[1.0, 1.0], [1.0, 1.1], [0, 0], [-1 + 1e-9, 1]])
    assert known(low, high).tolist() == [True, False, False, True]
    assert not known(-low[:2], -low[:2] + [[0, 1e-5], [1e-5, 0]]).any()
