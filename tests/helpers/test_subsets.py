"""Closed forms: their bounds hold, and the wrappers choose with them what fitting chooses."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.covariance import OAS
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import helpers.discriminant_analysis
from helpers._fast import subsets as drawer
from helpers._fast.elimination import SquaresElimination
from helpers._fast.scorer import known
from helpers.feature_selection import RFE, ExhaustiveSelector, LasVegasWrapper
from helpers.feature_selection import SequentialFeatureSelector as Greedy
from tests.helpers.covering import each_value
from tests.helpers.wrapper_problems import KINDS, LDA, LEARNERS, MSE, OLS, STEPS, named, problem, target

pytestmark = pytest.mark.speed


@pytest.mark.parametrize("seed", range(21))
def test_closed_forms_choose_what_fitting_chooses(seed):  # each learner in each direction
    rng = np.random.default_rng(1000 + seed)
    model = list(LEARNERS.values())[seed % len(LEARNERS)]
    kind = rng.choice(KINDS[:-1] if "Discriminant" in str(model) else KINDS)  # it fails on constant columns
    X, labels, numbers = problem(seed, kind, n=rng.integers(24, 48), d=rng.integers(5, 7))
    y = target(model, labels, numbers)
    options = dict(
        direction=["forward", "backward", "bidirectional"][seed % 3],
        cv=2,
        scoring=[None, "r2", MSE][rng.integers(3)] if y is numbers else None,
    )
    if rng.random() < 0.3:
        options["tol"] = 0.01
    one, two = (Greedy(model, fast=closed, **options).fit(X, y) for closed in (True, False))
    assert one.get_support(indices=True).tolist() == two.get_support(indices=True).tolist()
    assert [j for j, _ in one.history_] == [j for j, _ in two.history_]
    assert [s for _, s in one.history_] == pytest.approx([s for _, s in two.history_], rel=1e-6, abs=1e-9)
    assert one.n_subsets_ == two.n_subsets_ and one.n_fits_ <= two.n_fits_


@pytest.mark.parametrize(
    "make",
    [
        lambda model, closed, seed: ExhaustiveSelector(model, cv=2, fast=closed, max_features=1 + seed % 2),
        lambda model, closed, seed: LasVegasWrapper(
            model, cv=2, fast=closed, max_tries=4, stop="total", random_state=seed
        ),
        lambda model, closed, seed: RFE(
            LinearRegression(fit_intercept=seed % 2 == 0),
            fast=closed,
            step=1 + seed % 3,
            n_features_to_select=1,
        ),
    ],
    ids=["exhaustive", "las vegas", "elimination"],
)
def test_every_wrapper_chooses_alike_on_100_problems(make):
    for seed in range(100):
        model, kind = list(LEARNERS.values())[seed % len(LEARNERS)], KINDS[seed % (len(KINDS) - 1)]
        X, labels, numbers = problem(3000 + seed, kind, n=24, d=4)
        y = numbers if "RFE" in str(make(model, True, seed)) else target(model, labels, numbers)
        one, two = (make(model, closed, seed).fit(X, y) for closed in (True, False))
        np.testing.assert_array_equal(one.support_, two.support_, err_msg=f"seed {seed}, {kind}, {model}")


@pytest.mark.parametrize(
    "name, kind",
    [
        (name, kind)
        for i, name in enumerate(LEARNERS)
        for kind in KINDS[i % 2 :: 2]
        if "lda" not in name or kind != "constant"
    ],
)
def test_bounds_hold(monkeypatch, name, kind):  # on every subset of every size
    monkeypatch.setattr(drawer, "BLOCK", 500)
    X, labels, numbers = problem(7, kind, n=36, d=5)
    model = LEARNERS[name]
    y, wide = target(model, labels, numbers), 0
    folds = list(KFold(3, shuffle=True, random_state=0).split(X))
    for scoring in [None, MSE] if y is numbers else ["accuracy"]:
        closed = drawer.closed_form(model, X, y, folds, scoring)
        for q in (1, 3, 4):
            subsets = np.array(list(itertools.combinations(range(5), q)))
            low, high = closed.bounds(subsets)
            true = [cross_val_score(model, X[:, subset], y, cv=folds, scoring=scoring) for subset in subsets]
            assert (low <= true).all() and (true <= high).all()
            wide += (~known(low, high)).sum()
    assert kind != "plain" or wide == 0  # and they are worth something


def test_mirror_images_are_left_to_the_learner():  # equally near neighbours of unlike classes
    X = np.array([[-2.0, 0], [-1, 1], [1, 0], [2, 1], [0, 0], [0, 1]])
    folds = [(np.arange(4), np.array([4, 5]))]
    for y, expected in (
        ([0, 0, 1, 1, 0, 1], (0, 1)),
        ([0, 0, 0, 1, 0, 1], (0.5, 0.5)),
    ):  # both of the ties are of class 0
        closed = drawer.closed_form(KNeighborsClassifier(1), X, y, folds, None)
        assert tuple(float(bound[0, 0]) for bound in closed.bounds(np.array([[0]]))) == expected


def test_neighbours_that_rounding_tells_apart_are_left_to_the_learner():
    X = np.array([[0.2], [0.4], [0.4], [0.3], [0.0]])  # 0.3 - 0.2 < 0.4 - 0.3 in floating point
    assert X[3] - X[0] < X[1] - X[3]
    folds = [(np.array([0, 1, 2, 4]), np.array([3]))]
    far = np.array([[1e8 + 1], [1e8 - 2], [1e8 - 2], [1e8], [0.0]])  # squares of 1e16: 1 and 4 are noise
    for table, k in ((X, 1), (X, 2), (far, 1)):
        closed = drawer.closed_form(KNeighborsClassifier(k), table, [0, 1, 1, 0, 1], folds, None)
        assert [float(b[0, 0]) for b in closed.bounds(np.array([[0]]))] == [0, 1]


def test_discriminants_that_rounding_tells_apart_are_left_to_the_learner():
    X = np.array([-1.001, -0.999, 0.999, 1.001, 5e-12])[:, None]  # scores of 5e5 that differ by 1e-5
    closed = drawer.closed_form(LDA, X, [0, 0, 1, 1, 1], [(np.arange(4), np.array([4]))], None)
    assert [float(b[0, 0]) for b in closed.bounds(np.array([[0]]))] == [0, 1]


@pytest.mark.parametrize("name", ["least squares", "lda", "knn"])
def test_bounds_come_in_blocks_of_any_size(monkeypatch, name):
    X, labels, numbers = problem(7, n=36, d=5)
    y = target(LEARNERS[name], labels, numbers)
    subsets, folds = np.array(list(itertools.combinations(range(5), 2))), list(KFold(3).split(X))
    closed = drawer.closed_form(LEARNERS[name], X, y, folds, None)
    at_once = closed.bounds(subsets)
    monkeypatch.setattr(drawer, "BLOCK", 1)
    np.testing.assert_allclose(closed.bounds(subsets), at_once, rtol=1e-9)


def test_where_the_columns_lie_is_no_matter_to_discriminants_and_lines():
    X, labels, numbers = problem(7)
    subsets, folds = np.array(list(itertools.combinations(range(6), 3))), list(KFold(3).split(X))
    for model, y, within in ((LDA, labels, 0), (OLS, numbers, 1e-6)):
        near, far = (
            np.array(drawer.closed_form(model, table, y, folds, None).bounds(subsets))
            for table in (X, X + 1e5 * np.arange(6))
        )
        np.testing.assert_allclose(far, near, rtol=0, atol=within)


def test_classes_without_training_rows_are_left_to_the_learner():
    X, y = np.random.default_rng(0).normal(size=(9, 2)), np.array([0] * 4 + [1] * 3 + [2] * 2)
    for train in (np.arange(7), np.r_[:4, 7:9], np.r_[1:7]):  # a class of its own, or beside a known one
        closed = drawer.closed_form(LDA, X, y, [(train, np.setdiff1d(np.arange(9), train))], None)
        assert [float(b[0, 0]) for b in closed.bounds(np.array([[0, 1]]))] == [0, 1]
    few = drawer.closed_form(KNeighborsClassifier(7), X, y, [(np.arange(7), np.arange(7, 9))], None)
    assert [float(b[0, 0]) for b in few.bounds(np.array([[0, 1]]))] == [0, 1]


@pytest.mark.parametrize(
    "model, X, y, scoring, reason",
    [
        (Ridge(), np.eye(4), np.arange(4.0), None, "Ridge is not least squares"),
        (LinearRegression(positive=True), np.eye(4), np.arange(4.0), None, "positive=True"),
        (KNeighborsClassifier(weights="distance"), np.eye(4), np.arange(4), None, "weights='distance'"),
        (KNeighborsClassifier(p=3), np.eye(4), np.arange(4), None, "p=3"),
        (KNeighborsClassifier(metric="cosine"), np.eye(4), np.arange(4), None, "metric='cosine'"),
        (LinearDiscriminantAnalysis("lsqr", shrinkage=0.1), np.eye(4), np.arange(4), None, "shrinkage=0.1"),
        (LinearDiscriminantAnalysis(priors=[0.5, 0.5]), np.eye(4), np.arange(4), None, "priors"),
        (LinearDiscriminantAnalysis(tol=0.1), np.eye(4), np.arange(4), None, "tol=0.1"),
        (LinearDiscriminantAnalysis(covariance_estimator=OAS()), np.eye(4), np.arange(4), None, "OAS"),
        (LDA, np.eye(4), np.arange(4), "f1_macro", "scoring='f1_macro'"),
        (OLS, np.eye(4), np.arange(4.0), "neg_mean_absolute_error", "scoring='neg_mean_absolute_error'"),
        (OLS, np.eye(4, dtype=np.float32), np.arange(4.0), None, "double precision"),
        (OLS, sp.csr_array(np.eye(4)), np.arange(4.0), None, "not a dense table"),
        (OLS, np.eye(4), np.eye(4), None, "y is not one column"),
        (OLS, np.eye(4), None, None, "y is not one column"),
        (OLS, np.eye(4, dtype=int), np.arange(4), None, None),
        (
            helpers.discriminant_analysis.LinearDiscriminantAnalysis(),
            np.eye(4),
            np.arange(4),
            "accuracy",
            None,
        ),
    ],
)
def test_where_a_closed_form_exists(model, X, y, scoring, reason):
    found = drawer.why_not(model, X, y, scoring)
    assert found is None if reason is None else reason in found


def test_fast_must_not_be_promised_in_vain():
    X, labels, numbers = problem(0)
    for search in (Greedy(Ridge(), fast=True), RFE(Ridge(), fast=True), LasVegasWrapper(Ridge(), fast=True)):
        with pytest.raises(ValueError, match="fast=True, but Ridge is not least squares"):
            search.fit(X, numbers)
    with pytest.raises(ValueError, match="fast=True, but only the weights of least squares"):
        RFE(LDA, fast=True).fit(X, labels)
    for search in (Greedy(OLS, fast="yes"), RFE(OLS, fast="yes")):
        with pytest.raises(ValueError, match="fast='yes': use 'auto'"):
            search.fit(X, numbers)


def test_may_use():
    assert drawer.may_use("auto", None) and drawer.may_use(True, None)
    assert drawer.may_use(False, None) is drawer.may_use("auto", "no") is False
    with pytest.raises(ValueError, match="fast=True, but it rains"):
        drawer.may_use(True, "it rains")
    with pytest.raises(ValueError, match="fast='yes'"):
        drawer.may_use("yes", None)


# ---------------------------------------------------------------- weights
@each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", STEPS, ids=named)
def test_down_dated_weights_rank_as_fitted_ones(kind, options):
    for seed in range(2):
        X, _, y = problem(20 + seed, kind)
        for model in (OLS, LinearRegression(fit_intercept=False)):
            one, two = (RFE(model, fast=closed, **options).fit(X, y) for closed in (True, False))
            np.testing.assert_array_equal(one.ranking_, two.ranking_)
            np.testing.assert_array_equal(one.support_, one.ranking_ == 1)
            assert kind not in ("plain", "far") or not model.fit_intercept or one.n_fits_ == 0


def test_down_dating_step_by_step():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 8)) + 3, rng.normal(size=50)
    weights = SquaresElimination(X, y, True)
    for gone in ([2], [0, 4], [1, 2, 3]):
        weights.drop(np.array(gone))
        np.testing.assert_allclose(weights.b, OLS.fit(X[:, weights.columns], y).coef_, rtol=1e-10)
    assert weights.columns.tolist() == [1, 7]


@pytest.mark.parametrize("unit", [1e-4, 1.0, 1e4])
def test_equal_weights_are_left_to_the_learner_in_any_unit(unit):
    X = unit * np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    near, far = (SquaresElimination(X, X @ [1 + gap, 1], True) for gap in (1e-11, 1e-3))
    assert near.smallest(1) is None and far.smallest(1).tolist() == [1]
