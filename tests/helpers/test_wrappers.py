"""Wrappers: equal to scikit-learn, to slow loops and to the exhaustive optimum."""

import itertools
import time

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.feature_selection as twin
import tqdm.auto
from joblib import parallel_config
from sklearn.base import clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from helpers.feature_selection import RFE, ExhaustiveSelector, LasVegasWrapper
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from tests.helpers.covering import each_value, pairwise
from tests.helpers.wrapper_problems import KNN, LDA, MSE, OLS, STEPS, TREE, named, problem, score, target

Twin = twin.SequentialFeatureSelector


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# ---------------------------------------------------------------- greedy search
@pairwise
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("how_many", ["auto", 2, 0.99])
@pytest.mark.parametrize("model", [OLS, LDA, KNN, TREE], ids=named)
def test_search_is_the_twins(model, how_many, direction):
    X, labels, numbers = problem(1, d=5)
    y = labels if is_classifier(model) else numbers
    options = dict(n_features_to_select=how_many, direction=direction, cv=3)
    other = Twin(model, **options).fit(X, y)
    mine = Greedy(model, **options).fit(X, y)
    np.testing.assert_array_equal(mine.get_support(), other.get_support())
    assert mine.n_features_to_select_ == other.n_features_to_select_ == mine.support_.sum()


@pairwise
@pytest.mark.parametrize("tol", [1e-3, 0.3])
@pytest.mark.parametrize("scoring", [None, MSE, "neg_mean_absolute_error"])
@pytest.mark.parametrize(
    "cv", [4, KFold(3, shuffle=True, random_state=0), ShuffleSplit(4, random_state=0)], ids=named
)
def test_forward_until_the_gain_is_small_is_the_twins(cv, scoring, tol):
    X, _, y = problem(2)
    options = dict(tol=tol, scoring=scoring, cv=cv)
    mine, other = (S(OLS, **options).fit(X, y) for S in (Greedy, Twin))
    np.testing.assert_array_equal(mine.get_support(), other.get_support())


def test_backward_keeps_all_where_each_is_needed():  # scikit-learn's issue 26369: it drops one
    X = np.random.default_rng(0).normal(size=(60, 4))
    options = dict(tol=-1e-3, direction="backward")
    mine, other = (S(OLS, **options).fit(X, X.sum(axis=1)) for S in (Greedy, Twin))
    assert (mine.n_features_to_select_, other.n_features_to_select_) == (4, 3)
    noise = np.random.default_rng(1).normal(size=(60, 2))
    y = X.sum(axis=1) + 0.1 * noise[:, 0]
    both = np.column_stack([X, np.random.default_rng(2).normal(size=(60, 2))])
    assert Greedy(OLS, **options).fit(both, y).support_.tolist() == [True] * 4 + [False] * 2


@pytest.mark.parametrize("model", [OLS, KNN], ids=named)
def test_greedy_steps_by_loops(model):  # item 09.2 as it is said
    X, labels, numbers = problem(3)
    y, chosen, history = target(model, labels, numbers), [], []
    while len(chosen) < 4:
        scores = {j: score(model, X, y, sorted([*chosen, j]), cv=3) for j in range(6) if j not in chosen}
        chosen.append(max(scores, key=scores.get))
        history.append((chosen[-1], scores[chosen[-1]]))
    search = Greedy(model, n_features_to_select=4, cv=3).fit(X, y)
    assert [j for j, _ in search.history_] == [j for j, _ in history]
    assert [s for _, s in search.history_] == pytest.approx([s for _, s in history])


@pytest.mark.parametrize("closed", [pytest.param(True, marks=pytest.mark.speed), False])
def test_cost_to_the_full_set(closed):  # item 09.3: d (d + 1) / 2 subsets, by folds
    X, _, y = problem(4)
    search = Greedy(OLS, n_features_to_select=1.0, cv=3, fast=closed).fit(X, y)
    assert (search.n_subsets_, search.n_fits_) == (21, 0 if closed else 63)
    search = Greedy(OLS, n_features_to_select=2, direction="backward").fit(X, y)
    assert search.n_subsets_ == 6 + 5 + 4 + 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how_many", [1, 3, 5])
def test_bidirectional_by_loops(seed, how_many):  # item 09.5: added and dropped stay disjoint
    X, _, y = problem(seed)
    added, dropped = [], []

    def best(subsets):
        return max(subsets, key=lambda j: score(OLS, X, y, subsets[j], cv=3))

    while len(added) < how_many < 6 - len(dropped):
        free = [j for j in range(6) if j not in added + dropped]
        added.append(best({j: sorted([*added, j]) for j in free}))
        free.remove(added[-1])
        if free and len(added) < how_many:
            dropped.append(best({j: [i for i in range(6) if i not in dropped and i != j] for j in free}))
    kept = added if len(added) == how_many else set(range(6)) - set(dropped)
    search = Greedy(OLS, n_features_to_select=how_many, direction="bidirectional", cv=3)
    search.fit(X, y)
    steps = [j for j, _ in search.history_]
    assert sorted(kept) == search.get_support(indices=True).tolist()
    assert [j for j in steps if j >= 0] == added and [~j for j in steps if j < 0] == dropped


def test_bidirectional_until_the_gain_is_small(rng):
    X = rng.normal(size=(80, 6))
    y = X[:, 1] + X[:, 4] + 0.1 * rng.normal(size=80)
    search = Greedy(OLS, tol=0.05, direction="bidirectional").fit(X, y)
    steps = [j for j, _ in search.history_]
    assert search.get_support(indices=True).tolist() == [1, 4]
    assert {j for j in steps if j >= 0}.isdisjoint(~j for j in steps if j < 0)
    assert sum(j < 0 for j in steps) == 2  # after each addition noise leaves
    all_needed = Greedy(OLS, tol=1e-6, direction="bidirectional").fit(X, X.sum(axis=1))
    assert all_needed.support_.all() and all(j >= 0 for j, _ in all_needed.history_)


def test_greedy_misses_the_best_pair(rng):  # item 09.6: exclusive or, noisy copy of y
    a, b = rng.integers(0, 2, size=(2, 300))
    y = a ^ b
    X = np.column_stack([a, b, np.where(rng.random(300) < 0.72, y, 1 - y)])
    model = DecisionTreeClassifier(random_state=0)
    assert 2 in Greedy(model, n_features_to_select=2).fit(X, y).get_support(indices=True)
    best = ExhaustiveSelector(model).fit(X, y)
    assert best.get_support(indices=True).tolist() == [0, 1] and best.best_score_ == 1
    backward = Greedy(model, n_features_to_select=2, direction="backward").fit(X, y)
    assert backward.get_support(indices=True).tolist() == [0, 1]  # item 09.4


# ---------------------------------------------------------------- all subsets
@pytest.mark.parametrize("model", [OLS, LDA, TREE], ids=named)
@pytest.mark.parametrize("sizes", [(1, None), (2, 3), (4, 4)])
def test_exhaustive_search_by_loops(monkeypatch, sizes, model):
    monkeypatch.setattr("helpers.feature_selection.wrappers.BATCH", 4)
    X, labels, numbers = problem(5, d=5)
    y = numbers if model is not LDA else labels
    every = [s for k in range(sizes[0], (sizes[1] or 5) + 1) for s in itertools.combinations(range(5), k)]
    scores = [score(model, X, y, s, cv=3) for s in every]
    search = ExhaustiveSelector(model, min_features=sizes[0], max_features=sizes[1], cv=3).fit(X, y)
    assert tuple(search.get_support(indices=True)) == every[int(np.argmax(scores))]
    assert search.best_score_ == pytest.approx(max(scores)) and search.n_subsets_ == len(every)


# ---------------------------------------------------------------- random subsets
@pytest.mark.parametrize("stop", ["total", "failures"])
@pytest.mark.parametrize("model", [OLS, KNN, Ridge()], ids=named)
def test_lvw_finds_the_best_of_few(model, stop):  # item 09.8: equals the exhaustive optimum
    X, labels, numbers = problem(6, d=4)
    y = labels if model is KNN else numbers
    search = LasVegasWrapper(model, max_tries=80, stop=stop, cv=2, random_state=0).fit(X, y)
    best = ExhaustiveSelector(model, cv=2).fit(X, y)
    assert search.support_.sum() == best.support_.sum()
    assert search.err_star_ == pytest.approx(1 - best.best_score_)
    assert (np.diff(search.err_star_history_) <= 0).all()


def test_two_readings_of_T():  # erratum E71
    X, _, y = problem(8, d=8)
    total = LasVegasWrapper(OLS, max_tries=50, stop="total", random_state=1).fit(X, y)
    failures = LasVegasWrapper(OLS, max_tries=50, random_state=1).fit(X, y)
    assert total.n_tries_ == 50 and len(total.err_star_history_) == 51 and total.n_subsets_ == 51
    last = np.flatnonzero(np.diff(failures.err_star_history_))[-1] + 1  # the last success, then T failures
    assert failures.n_tries_ == last + 50 > 50
    all_needed = LasVegasWrapper(OLS, max_tries=9, random_state=0).fit(X, X.sum(axis=1))
    assert all_needed.n_tries_ == 9 and all_needed.support_.all()
    np.testing.assert_array_equal(failures.err_star_history_[:51], total.err_star_history_)


def test_lvw_by_loops():
    X, labels, _ = problem(9, d=5)
    rng, best, err = np.random.RandomState(5), set(range(5)), 1 - score(KNN, X, labels, range(5), cv=3)
    history = [err]
    for _ in range(25):
        while not (mask := rng.random_sample(5) < 0.5).any():
            pass
        new, new_err = set(np.flatnonzero(mask)), 1 - score(KNN, X, labels, np.flatnonzero(mask), cv=3)
        if new_err < err - 1e-12 or abs(new_err - err) < 1e-12 and len(new) < len(best):
            best, err = new, new_err
        history.append(err)
    search = LasVegasWrapper(KNN, max_tries=25, stop="total", cv=3, random_state=5).fit(X, labels)
    assert set(search.get_support(indices=True)) == best
    np.testing.assert_allclose(search.err_star_history_, history)


def test_every_subset_is_equally_likely():  # none empty; item 09.9: T / 2^d
    from helpers.feature_selection.wrappers import _random_subset

    rng = np.random.RandomState(0)
    codes = [sum(2**j for j in _random_subset(rng, 3)) for _ in range(7000)]
    assert 0 not in codes and abs(np.bincount(codes, minlength=8)[1:] - 1000).max() < 5 * 1000**0.5
    assert 100 / 2**20 == pytest.approx(9.5e-5, abs=5e-7)


def test_time_limit_still_gives_an_answer():
    X, _, y = problem(12)
    begin = time.perf_counter()
    search = LasVegasWrapper(Ridge(), max_tries=10**9, time_limit=0.1).fit(X, y)
    assert 0 < search.n_tries_ and time.perf_counter() - begin < 20 and search.support_.any()
    assert LasVegasWrapper(Ridge(), max_tries=3, stop="total", time_limit=1e9).fit(X, y).n_tries_ == 3


@pytest.mark.parametrize("scoring, lowest", [(None, 0), (MSE, 0), ("r2", 0), ("max_error", 0)])
def test_errors_are_losses(rng, scoring, lowest):
    X = rng.normal(size=(40, 3))
    scoring = "neg_max_error" if scoring == "max_error" else scoring
    search = LasVegasWrapper(OLS, max_tries=20, scoring=scoring, random_state=0).fit(X, X[:, 0])
    assert search.err_star_ == pytest.approx(lowest, abs=1e-12)


# ---------------------------------------------------------------- elimination by weight
def same_ranking(model, X, y, fit_params=None, **options):
    mine, other = (R(model, **options).fit(X, y, **(fit_params or {})) for R in (RFE, twin.RFE))
    np.testing.assert_array_equal(mine.ranking_, other.ranking_)
    np.testing.assert_array_equal(mine.support_, other.support_)
    assert mine.n_features_ == other.n_features_
    return mine, other


@each_value
@pytest.mark.parametrize("options", STEPS, ids=named)
@pytest.mark.parametrize("model", [OLS, Ridge(), LogisticRegression(), LDA, TREE], ids=named)
def test_elimination_is_the_twins(model, options):
    X, labels, numbers = problem(13)
    y = labels if is_classifier(model) else numbers
    mine, other = same_ranking(model, X, y, **options)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    assert mine.score(X, y) == other.score(X, y)


def test_elimination_follows_the_twin_elsewhere():
    X, labels, numbers = problem(14)
    flat = TransformedTargetRegressor(LinearRegression())
    same_ranking(flat, X, numbers, importance_getter="regressor_.coef_")
    same_ranking(OLS, X, numbers, importance_getter=lambda model: -model.coef_)
    same_ranking(OLS, X, np.column_stack([numbers, X[:, 0]]))
    same_ranking(OLS, X, numbers, dict(sample_weight=np.arange(42.0)))
    same_ranking(ExtraTreesClassifier(5, random_state=0), X, labels)
    mine, other = same_ranking(SVC(kernel="linear"), sp.csr_array(X), labels)
    np.testing.assert_array_equal(mine.classes_, other.classes_)
    np.testing.assert_allclose(mine.decision_function(X), other.decision_function(X))
    mine, other = same_ranking(LDA, X, labels)
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X))
    np.testing.assert_allclose(mine.predict_log_proba(X), other.predict_log_proba(X))
    assert not hasattr(RFE(OLS), "predict_proba")


def test_half_of_the_features_leave_at_a_time():
    X, _, y = problem(13)
    for step, rounds in ((0.5, 2), (0.1, 5)):  # 3 and 2 of 6; always at least one
        mine, _ = same_ranking(OLS, X, y, n_features_to_select=1, step=step)
        assert mine.ranking_.max() == rounds + 1


@pytest.mark.parametrize("closed, fits", [pytest.param(True, 0, marks=pytest.mark.speed), (False, 4)])
def test_elimination_counts_its_fits(closed, fits):
    X, _, y = problem(15)
    assert RFE(OLS, n_features_to_select=2, fast=closed).fit(X, y).n_fits_ == fits


def test_weights_have_units():  # erratum E25
    X = np.random.default_rng(0).normal(size=(50, 2))
    y = 2 * X[:, 0] + X[:, 1]
    assert RFE(OLS).fit(X, y).ranking_.tolist() == [1, 2]
    assert RFE(OLS).fit(X * [1000, 1], y).ranking_.tolist() == [2, 1]


def test_a_twin_that_leaves_hands_on_its_weight(rng):  # item 09.11: one ranking would not do
    u, v, noise = rng.normal(size=(3, 400))
    X = np.column_stack([u + 0.01 * rng.normal(size=400), u + 0.01 * rng.normal(size=400), v])
    y = u + 0.7 * v + 0.01 * noise
    assert RFE(OLS, n_features_to_select=1).fit(X, y).ranking_[2] != 1
    assert np.argmax(np.abs(OLS.fit(X, y).coef_)) == 2


# ---------------------------------------------------------------- form of input, output and errors
SEARCHES = [
    Greedy(OLS, n_features_to_select=2),
    ExhaustiveSelector(OLS, max_features=2),
    LasVegasWrapper(OLS, max_tries=10, random_state=0),
    RFE(OLS, n_features_to_select=2),
]


@pytest.mark.parametrize("search", SEARCHES, ids=named)
def test_pandas_sparse_and_single_precision(search):
    X, _, y = problem(16)
    frame, plain = pd.DataFrame(X, columns=list("abcdef")), clone(search).fit(X, y)
    named = clone(search).set_output(transform="pandas").fit(frame, pd.Series(y))
    assert list(named.transform(frame)) == [c for c, kept in zip("abcdef", plain.support_) if kept]
    np.testing.assert_array_equal(clone(search).fit(sp.csc_array(X), y).support_, plain.support_)
    assert clone(search).fit(X.astype(np.float32), y).transform(X.astype(np.float32)).dtype == np.float32


def test_learners_without_y_and_with_blanks():
    X, labels, y = problem(17)
    for model in (PCA(1), KMeans(2, random_state=0, n_init=1)):
        mine, other = (S(model, n_features_to_select=2, cv=3).fit(X) for S in (Greedy, Twin))
        np.testing.assert_array_equal(mine.get_support(), other.get_support())
    X[::7, 0] = np.nan
    search = Greedy(TREE, n_features_to_select=2).fit(X, y)
    assert search.transform(X).shape == (42, 2)


@pytest.mark.parametrize("search", SEARCHES, ids=named)
def test_progress_and_jobs_change_nothing(search, capsys):
    X, _, y = problem(18)
    quiet = clone(search).fit(X, y)
    assert capsys.readouterr().err == ""
    shown = clone(search).set_params(progress=True, fast=False)
    if hasattr(search, "n_jobs"):
        shown.set_params(n_jobs=2)
    with parallel_config(backend="threading"):
        np.testing.assert_array_equal(shown.fit(X, y).support_, quiet.support_)
    assert type(search).__name__ in capsys.readouterr().err


@pytest.mark.parametrize(
    "search, steps",
    [
        (ExhaustiveSelector(OLS, max_features=2), 21),
        (LasVegasWrapper(OLS, max_tries=9, stop="total"), 9),
        (LasVegasWrapper(OLS, max_tries=9), None),
        (RFE(OLS, n_features_to_select=2), 4),
    ],
    ids=named,
)
def test_the_bar_knows_how_long_it_takes(monkeypatch, search, steps):
    bars = []

    class Bar(tqdm.auto.tqdm):
        def __init__(self, **options):
            super().__init__(**options)
            bars.append(self)

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    search = clone(search).set_params(progress=True).fit(X6, Y6)
    assert bars[0].total == steps and bars[0].n == (steps or search.n_tries_)


def test_as_little_as_can_be_asked_for():
    assert Greedy(OLS, n_features_to_select=0.2).fit(X6, Y6).support_.sum() == 1
    assert LasVegasWrapper(OLS, max_tries=1, stop="total").fit(X6, Y6).n_tries_ == 1
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        RFE(OLS, n_features_to_select=1).fit(X6[:, :1], Y6)


def test_iris_as_scikit_learns_guide():
    X, y = load_iris(return_X_y=True)
    search = Greedy(KNN, n_features_to_select=3).fit(X, y)  # five folds unless told
    assert search.support_.tolist() == [True, False, True, True]
    assert search.history_[-1][1] == pytest.approx(score(KNN, X, y, [0, 2, 3], cv=5))
    every = score(KNN, X, y, range(4), cv=5)
    assert ExhaustiveSelector(KNN, min_features=4).fit(X, y).best_score_ == pytest.approx(every)
    assert LasVegasWrapper(KNN, max_tries=1).fit(X, y).err_star_history_[0] == pytest.approx(1 - every)


X6, Y6 = np.random.default_rng(0).normal(size=(12, 6)), np.arange(12.0)


@pytest.mark.parametrize(
    "search, message",
    [
        (Greedy(OLS, direction="up"), "direction='up'"),
        (Greedy(OLS, tol=-1.0), "tol must be strictly positive"),
        (Greedy(OLS, n_features_to_select=6), "n_features_to_select=6 must be < n_features = 6"),
        (Greedy(OLS, n_features_to_select=0), "at least 1"),
        (Greedy(OLS, n_features_to_select=0.1), "a share in"),
        (Greedy(OLS, n_features_to_select=1.2), "a share in"),
        (Greedy(OLS, n_features_to_select="some"), "use 'auto', an int"),
        (ExhaustiveSelector(OLS, min_features=0), "min_features=0, max_features=6"),
        (ExhaustiveSelector(OLS, max_features=7), "between 1 and 6"),
        (ExhaustiveSelector(OLS, min_features=3, max_features=2), "min_features=3, max_features=2"),
        (LasVegasWrapper(OLS, max_tries=0), "max_tries=0"),
        (LasVegasWrapper(OLS, stop="never"), "stop='never'"),
        (RFE(OLS, n_features_to_select=7), "n_features_to_select=7 with n_features = 6"),
        (RFE(OLS, n_features_to_select=0), "n_features_to_select=0 with"),
        (RFE(OLS, n_features_to_select=0.1), "keeps at least one"),
        (RFE(OLS, step=0), "step=0: drop 1, 2"),
        (RFE(OLS, step=1.5), "step=1.5"),
        (RFE(OLS, step=-0.5), "step=-0.5"),
        (RFE(KNeighborsClassifier(1)), "neither coef_ nor feature_importances_"),
    ],
)
def test_errors_say_what_is_wrong(search, message):
    with pytest.raises(ValueError, match=message):
        search.fit(X6, Y6.astype(int))


def test_blanks_are_the_learners_affair():
    X = np.where(X6 > 1, np.nan, X6)
    assert np.isnan(X).any()
    for search in SEARCHES:
        with pytest.raises(ValueError, match="contains NaN"):
            clone(search).fit(X, Y6)
