"""Moved thresholds: equal to scikit-learn, to slow loops, and to what the papers promise."""

from itertools import product

import numpy as np
import pytest
import sklearn.metrics as metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold, TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from helpers import imbalance
from helpers.comparing import close
from helpers.imbalance import thresholds


@pytest.fixture(scope="module")
def skewed():
    return make_classification(400, 5, weights=[0.85], class_sep=0.7, flip_y=0.05, random_state=1)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 10**6))
def test_rescaled_odds(n_pos, n_neg, seed):
    """12.3 and 12.4: p̄ > 1/2 is p > N⁺/N; the odds are multiplied by N⁻/N⁺; all lies in [0, 1]."""
    p = np.random.default_rng(seed).random(50)
    moved = imbalance.rescale(p, n_pos, n_neg)
    assert ((moved > 0) & (moved < 1)).all() and (imbalance.rescale([0, 1], n_pos, n_neg) == [0, 1]).all()
    assert ((moved > 0.5) == (p > imbalance.threshold_by_prior(n_pos, n_neg))).all()
    assert close(moved / (1 - moved), p / (1 - p) * n_neg / n_pos, 1e-9)


def test_bayes_correction_of_two_gaussians():
    """N(0,1) and N(2,1), trained 1:1 and used 9:1: the cut moves from 1 to 1 + ln(9)/2 (analytic)."""
    x = 1 + np.log(9) / 2
    at_one_to_one = 1 / (1 + np.exp(-(2 * x - 2)))
    assert abs(imbalance.under_priors(at_one_to_one, train=0.5, new=0.1) - 0.5) < 1e-9
    rng = np.random.default_rng(0)
    X, y = np.r_[rng.normal(0, 1, 50000), rng.normal(2, 1, 50000)][:, None], np.repeat([0, 1], 50000)
    grid = np.linspace(0, 4, 4001)
    p = LogisticRegression().fit(X, y).predict_proba(grid[:, None])[:, 1]
    assert abs(grid[(imbalance.under_priors(p, 0.5, 0.1) > 0.5).argmax()] - 2.0986) < 0.05


def test_priors_move_and_move_back():
    p = np.random.default_rng(0).random((4, 3))
    there = imbalance.under_priors(p, 0.3, 0.8)
    assert close(imbalance.under_priors(there, 0.8, 0.3), p, 1e-12) and (there > p).all()
    assert close(there, p * 0.8 / 0.3 / (p * 0.8 / 0.3 + (1 - p) * 0.2 / 0.7), 1e-12)


@pytest.mark.parametrize("costs", [(1, 9), (1, 1), (5, 2), (0, 1)])
def test_cost_threshold_is_where_the_decisions_cost_the_same(costs):
    t = imbalance.threshold_by_cost(*costs)
    p = np.linspace(0, 1, 101)
    cheaper = (1 - p) * costs[0] < p * costs[1]
    assert (cheaper == (p > t + 1e-12))[np.abs(p - t) > 1e-9].all() and close(
        t * costs[1], (1 - t) * costs[0]
    )


@pytest.mark.parametrize("name", thresholds.METRICS)
def test_curve_equals_scikit_learn_at_every_threshold(name):
    rng = np.random.default_rng(2)
    y, s = rng.random(60) < 0.3, rng.random(60).round(1)  # many ties
    t, values = imbalance.threshold_curve(y, s, metric=name)
    scorer = getattr(metrics, name + "_score")
    assert (t == np.unique(s)).all() and close(values, [scorer(y, s >= cut) for cut in t], 1e-12)
    t, values = imbalance.threshold_curve(y, s, [0.35, 2.0], name)
    options = {"zero_division": 0} if name in ("f1", "jaccard", "precision") else {}
    assert close(values, [scorer(y, s >= cut, **options) for cut in (0.35, 2.0)], 1e-12)


def test_curve_takes_a_function_of_the_counts():
    _, cost = imbalance.threshold_curve(
        [0, 1, 1], [0.1, 0.2, 0.3], [0.0, 0.25], lambda tp, fp, fn, tn: 9 * fn + fp
    )
    assert cost.tolist() == [1, 9]


GRID = [
    dict(scoring=s, response_method=r, thresholds=t, cv=cv, refit=refit)
    for s, r, t, (cv, refit) in [
        ("balanced_accuracy", "auto", 100, (None, True)),
        ("f1", "predict_proba", 30, (3, True)),
        ("accuracy", "decision_function", 40, (StratifiedKFold(4), True)),
        ("recall", "auto", 5, (0.3, False)),
        ("precision", "auto", np.linspace(0.1, 0.8, 9), (0.3, True)),
        ("jaccard", "auto", [0.2, 0.4, 0.5], (3, True)),
        ("matthews_corrcoef", "auto", 20, (3, True)),
        (metrics.make_scorer(metrics.fbeta_score, beta=2), "decision_function", 20, (3, True)),
    ]
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("options", GRID, ids=lambda o: f"{o['scoring']!s:.20}")
def test_tuned_as_the_twin(skewed, options):
    X, y = skewed
    there = TunedThresholdClassifierCV(
        LogisticRegression(), random_state=0, store_cv_results=True, **options
    ).fit(X, y)
    here = imbalance.ThresholdClassifier(LogisticRegression(), random_state=0, **options).fit(X, y)
    assert close(here.cv_results_["thresholds"], there.cv_results_["thresholds"], 1e-12)
    assert close(here.cv_results_["scores"], there.cv_results_["scores"], 1e-12)
    assert (here.best_threshold_, here.best_score_) == pytest.approx((
        there.best_threshold_,
        there.best_score_,
    ))
    assert (here.predict(X) == there.predict(X)).all()
    assert close(here.predict_proba(X), there.predict_proba(X)) and close(
        here.decision_function(X), there.decision_function(X)
    )


def test_tuned_on_a_fitted_classifier(skewed):
    X, y = skewed
    model = LogisticRegression().fit(X, y)
    there = TunedThresholdClassifierCV(model, cv="prefit", refit=False).fit(X, y)
    here = imbalance.ThresholdClassifier(model, cv="prefit", refit=False).fit(X, y)
    assert here.best_threshold_ == pytest.approx(there.best_threshold_) and here.estimator_ is model
    fixed = imbalance.ThresholdClassifier(model, cv="prefit", threshold=0.2).fit(X[:8], [0, 1] * 4)
    assert fixed.estimator_ is model


@pytest.mark.parametrize(
    "method, cut", list(product(["auto", "predict_proba", "decision_function"], [0.3, -1.0, 1]))
)
def test_a_given_threshold_as_the_twin(skewed, method, cut):
    X, y = skewed[0], np.array(["no", "yes"])[skewed[1]]
    there = FixedThresholdClassifier(
        LogisticRegression(), threshold=cut, response_method=method, pos_label="yes"
    )
    here = imbalance.ThresholdClassifier(LogisticRegression(), threshold=cut, response_method=method).fit(
        X, y
    )
    assert (here.predict(X) == there.fit(X, y).predict(X)).all()


def test_thresholds_by_prior_and_cost(skewed):
    X, y = skewed
    p = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    by_prior = imbalance.ThresholdClassifier(LogisticRegression(), threshold="prior").fit(X, y)
    assert by_prior.best_threshold_ == y.mean() and (by_prior.predict(X) == (p >= y.mean())).all()
    assert (by_prior.predict(X) == (imbalance.rescale(p, y.sum(), (1 - y).sum()) >= 0.5)).all()
    assert y[by_prior.predict(X) == 1].sum() > y[p >= 0.5].sum(), "more positives are found"
    by_cost = imbalance.ThresholdClassifier(LogisticRegression(), threshold="cost", costs=(1, 4)).fit(X, y)
    assert by_cost.best_threshold_ == 0.2


@pytest.mark.parametrize(
    "train, message",
    [
        (dict(threshold="best"), "use 'tuned', 'prior', 'cost' or a number"),
        (dict(response_method="predict"), "use 'auto', 'predict_proba' or"),
        (dict(cv="prefit"), "'prefit' needs refit=False"),
        (dict(cv="3", refit=False), "'prefit' needs refit=False"),
        (dict(cv=3, refit=False), "keeps the fit of one split"),
        (dict(cv=1), "at least one train/test split"),
        (dict(threshold="cost", costs=(-1, 1)), "none may be negative"),
        (dict(estimator=RidgeClassifier(), threshold="prior"), "must give probabilities"),
        (dict(estimator=DecisionTreeClassifier(max_depth=1, min_samples_leaf=400)), "constant predictions"),
    ],
)
def test_clear_errors_of_thresholds(skewed, train, message):
    with pytest.raises(ValueError, match=message):
        imbalance.ThresholdClassifier(**{"estimator": LogisticRegression()} | train).fit(*skewed)


def test_clear_errors_of_posteriors():
    for bad in (lambda: imbalance.rescale([1.2], 1, 1), lambda: imbalance.under_priors([-0.1], 0.5, 0.5)):
        with pytest.raises(ValueError, match="give probabilities, not scores"):
            bad()
    for train, new in ((0, 0.5), (0.5, 1), (1, 0.5), (0.5, 0)):
        with pytest.raises(ValueError, match="a share of positives lies between 0 and 1"):
            imbalance.under_priors([0.5], train, new)
    for counts in ((0, 5), (5, 0)):
        with pytest.raises(ValueError, match="both classes need rows"):
            imbalance.rescale([0.5], *counts)
    with pytest.raises(ValueError, match="one must be positive"):
        imbalance.threshold_by_cost(0, 0)


def test_costs_are_equal_unless_told():
    X, y = np.arange(6.0)[:, None], np.array([0, 1, 0, 1, 0, 1])
    assert imbalance.ThresholdClassifier(GaussianNB(), threshold="cost").fit(X, y).best_threshold_ == 0.5
    with pytest.raises(ValueError, match="Input y contains NaN"):
        imbalance.ThresholdClassifier(GaussianNB()).fit(X, [0, 1, 0, 1, 0, np.nan])
    with pytest.raises(ValueError, match="Unknown label type for y"):
        imbalance.ThresholdClassifier(GaussianNB()).fit(X, y.astype(object))
    with pytest.warns(DataConversionWarning):
        imbalance.ThresholdClassifier(GaussianNB(), threshold="cost").fit(X, y[:, None])
