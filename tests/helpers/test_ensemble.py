"""Boosted stumps and EasyEnsemble: equal to scikit-learn, to slow loops, and as good as imbalanced-learn."""

import pickle

import joblib
import numpy as np
import pytest
import sklearn.metrics as metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn.ensemble import EasyEnsembleClassifier as TwinEasyEnsemble
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn import ensemble
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from helpers import imbalance
from helpers.comparing import close
from helpers.imbalance.ensemble import _Stumps


@pytest.fixture(scope="module")
def skewed():
    return make_classification(400, 5, weights=[0.85], class_sep=0.7, flip_y=0.05, random_state=1)


# ------------------------------------------------------------ boosted stumps
def clean(X):
    """Values that float32 holds: scikit-learn's trees round to it."""
    return np.asarray(X, np.float32).astype(float)


@pytest.mark.parametrize("rounds, rate", [(1, 1.0), (30, 1.0), (30, 0.5), (10, 1.5)])
@pytest.mark.parametrize("weighted", [False, True])
def test_adaboost_as_the_twin(rounds, rate, weighted):
    X, y = load_breast_cancer(return_X_y=True)
    w = np.random.default_rng(0).integers(1, 4, len(y)).astype(np.float32) if weighted else None
    X = clean(X)
    there = ensemble.AdaBoostClassifier(n_estimators=rounds, learning_rate=rate, random_state=0).fit(X, y, w)
    here = imbalance.AdaBoostClassifier(rounds, learning_rate=rate).fit(X, y, w)
    assert close(here.estimator_weights_, there.estimator_weights_, 1e-9)
    assert close(here.estimator_errors_, there.estimator_errors_, 1e-9)
    assert close(here.decision_function(X), there.decision_function(X), 1e-9)
    assert (
        close(here.predict_proba(X), there.predict_proba(X), 1e-9)
        and (here.predict(X) == there.predict(X)).all()
    )


def impurity_by_loops(X, sign, w):
    """Least weighted Gini impurity over every feature and cut."""
    best = np.inf
    for j, cut in [(i, c) for i in range(X.shape[1]) for c in np.unique(X[:, i])[:-1]]:
        total = 0.0
        for side in (X[:, j] <= cut, X[:, j] > cut):
            weight, p = w[side].sum(), w[side & (sign > 0)].sum() / w[side].sum()
            total += weight * 2 * p * (1 - p)
        best = min(best, total)
    return best


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 10**6))
def test_the_best_stump_by_loops(n, d, seed):
    rng = np.random.default_rng(seed)
    X, sign, w = rng.integers(0, 4, (n, d)).astype(float), rng.choice([-1.0, 1.0], n), rng.random(n) + 0.01
    j, cut, a, b = _Stumps(X, sign).best(w)
    if np.isinf(cut):
        assert (X == X[0]).all() and a == b == (1 if w[sign > 0].sum() > w.sum() / 2 else -1)
        return
    total = 0.0
    for side, says in ((X[:, j] <= cut, a), (X[:, j] > cut, b)):
        p = w[side & (sign > 0)].sum() / w[side].sum()
        total += w[side].sum() * 2 * p * (1 - p)
        assert abs(p - 0.5) < 1e-12 or says == (1 if p > 0.5 else -1)
    assert abs(total - impurity_by_loops(X, sign, w)) < 1e-9 and cut not in X[:, j]


def test_boosting_invariants(skewed):
    """Freund and Schapire 1997: training error ≤ Π 2√(ε(1-ε)); of equal cuts the first feature's first."""
    X, y = skewed
    for rounds in (1, 5, 40):
        model = imbalance.AdaBoostClassifier(rounds).fit(X, y)
        e = model.estimator_errors_
        bound = np.prod(2 * np.sqrt(e * (1 - e)))
        assert (model.predict(X) != y).mean() <= bound + 1e-12 and len(e) == rounds
    twice = imbalance.AdaBoostClassifier(3).fit(np.c_[X, X], y)
    assert (twice.stumps_[:, 0] < 5).all() and (twice.stumps_[:, 0] == model.stumps_[:3, 0]).all()


def test_a_perfect_stump_ends_the_boosting():
    X, y = np.arange(8.0)[:, None], np.repeat(["a", "b"], 4)
    here, there = imbalance.AdaBoostClassifier().fit(X, y), ensemble.AdaBoostClassifier().fit(X, y)
    assert here.stumps_.tolist() == [[0, 3.5, -1, 1]] and here.estimator_weights_.tolist() == [1.0]
    assert close(here.predict_proba(X), there.predict_proba(X)) and here.score(X, y) == 1


def test_boosting_stops_at_chance():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    with pytest.raises(ValueError, match="No stump beats chance"):
        imbalance.AdaBoostClassifier().fit(X, y)  # XOR
    constant = imbalance.AdaBoostClassifier().fit(np.ones((5, 2)), [0, 0, 0, 1, 1])
    assert (constant.predict([[1, 1], [5, -5]]) == 0).all() and np.isinf(constant.stumps_[0, 1])
    for sign in (np.array([1.0, -1.0]), np.array([-1.0, 1.0])):  # rounding leaves no weight right of the cut
        assert _Stumps(np.array([[0.0], [1.0]]), sign).best(np.array([1, 1e-20])) == (
            0,
            np.inf,
            *sign[[0, 0]],
        )


def test_weightless_rows_do_not_exist(skewed):
    X, y = skewed
    keep = np.arange(400) % 3 > 0
    some, fewer = (
        imbalance.AdaBoostClassifier(9).fit(X, y, keep),
        imbalance.AdaBoostClassifier(9).fit(X[keep], y[keep]),
    )
    assert close(some.decision_function(X), fewer.decision_function(X), 1e-9)
    with pytest.raises(ValueError, match="Only one class has rows with a weight"):
        imbalance.AdaBoostClassifier().fit(X, y, y)


def test_negative_weights_are_refused(skewed):
    with pytest.raises(ValueError, match="Negative values"):
        imbalance.AdaBoostClassifier().fit(*skewed, np.where(np.arange(400) < 3, -1.0, 1.0))


@pytest.mark.parametrize("rate", [3.0, 30.0, 1e6])
def test_large_steps_forget_no_row(rate):
    """As scikit-learn, a weight falls to machine precision at most; α itself may be beyond e^α."""
    X, y = np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 0, 0])
    model = imbalance.AdaBoostClassifier(12, learning_rate=rate).fit(X, y)
    e, eps = model.estimator_errors_, np.finfo(float).eps
    assert len(e) == 12 and (e >= eps * (1 - 1e-9)).all() and (e < 0.5).all()
    assert close(model.estimator_weights_, rate * np.log((1 - e) / e), 1e-9)
    if rate == 3:
        there = ensemble.AdaBoostClassifier(n_estimators=4, learning_rate=rate).fit(X, y)
        assert close(e[:4], there.estimator_errors_, 1e-6)


@pytest.mark.parametrize("low", [1.0, np.nextafter(1, 2), -np.nextafter(1, 2), 0.0, -5e-324])
def test_neighbouring_floats_are_told_apart(low):
    """Half-way between them is one of them: rounded to the lower or to the upper one."""
    X, y = np.array([low, np.nextafter(low, np.inf)])[:, None], np.array([0, 1])
    assert (imbalance.AdaBoostClassifier().fit(X, y).predict(X) == y).all()


def test_a_tie_goes_to_the_first_class():
    """As scikit-learn, and as probabilities of 1/2 each would have it."""
    X = np.arange(8.0)[:, None]
    model = imbalance.AdaBoostClassifier().fit(X, np.repeat(["a", "b"], 4))
    model.stumps_, model.estimator_weights_ = np.array([[0, 3.5, -1, 1], [0, 3.5, 1, -1]]), np.ones(2)
    assert (model.predict_proba(X) == 0.5).all() and (model.predict(X) == "a").all()


def test_sparse_rows_are_boosted_as_dense_ones(skewed):
    X = np.where(np.abs(skewed[0]) < 0.7, 0, skewed[0])
    for model in (imbalance.AdaBoostClassifier(5), imbalance.EasyEnsembleClassifier(2, random_state=0)):
        on_dense, on_sparse = clone(model).fit(X, skewed[1]), clone(model).fit(csr_array(X), skewed[1])
        assert close(on_sparse.decision_function(csc_array(X)), on_dense.decision_function(X), 1e-12)


# ------------------------------------------------------------ EasyEnsemble
@pytest.fixture(scope="module")
def rare():
    X, y = make_classification(3000, 10, n_informative=4, weights=[0.96], flip_y=0, random_state=0)
    return clean(X[:1500]), y[:1500], clean(X[1500:]), y[1500:]


def test_members_are_adaboosts_on_balanced_samples(rare):
    X, y, X_new, _ = rare
    model = imbalance.EasyEnsembleClassifier(4, random_state=0).fit(X, y)
    there = []
    for rows in model.estimators_samples_:
        assert (np.bincount(y[rows]) == y.sum()).all() and set(np.flatnonzero(y)) <= set(rows)
        assert len(set(rows)) == len(rows)
        there.append(ensemble.AdaBoostClassifier(random_state=0).fit(X[rows], y[rows]))
    assert close(model.predict_proba(X_new), np.mean([m.predict_proba(X_new) for m in there], axis=0), 1e-8)
    assert close(
        model.decision_function(X_new), np.mean([m.decision_function(X_new) for m in there], axis=0), 1e-8
    )
    assert (model.predict(X_new) == (model.predict_proba(X_new)[:, 1] > 0.5)).all()
    assert len({tuple(rows) for rows in model.estimators_samples_}) == 4, "each its own sample"


def test_as_good_as_the_twin(rare):
    X, y, X_new, y_new = rare
    auc = [
        metrics.roc_auc_score(y_new, m.fit(X, y).predict_proba(X_new)[:, 1])
        for m in (TwinEasyEnsemble(4, random_state=0), imbalance.EasyEnsembleClassifier(4, random_state=0))
    ]
    assert auc[1] > auc[0] - 0.01 and auc[1] > 0.85


def test_other_members_strategies_and_jobs(rare):
    X, y, X_new, _ = rare
    options = dict(estimator=RidgeClassifier(), sampling_strategy=0.5, replacement=True, random_state=1)
    with joblib.parallel_config("threading"):
        model = imbalance.EasyEnsembleClassifier(3, **options, n_jobs=2).fit(X, y)
    rows = model.estimators_samples_[0]
    assert (np.bincount(y[rows]) == [2 * y.sum(), y.sum()]).all() and len(set(rows)) < len(rows)
    votes = np.mean([m.predict(X_new) for m in model.estimators_], axis=0)
    assert close(model.predict_proba(X_new), np.c_[1 - votes, votes]) and hasattr(model, "decision_function")
    again = pickle.loads(pickle.dumps(clone(model).set_params(n_jobs=None).fit(X, y)))
    assert (again.predict(X_new) == model.predict(X_new)).all()
    forest = imbalance.EasyEnsembleClassifier(2, RandomForestClassifier(3, random_state=0), random_state=0)
    assert (
        not hasattr(forest, "decision_function")
        and forest.fit(csr_matrix(X), y).score(csr_matrix(X), y) > 0.5
    )


def test_scores_are_there_before_the_fit_where_members_have_them(skewed):
    X, y = skewed
    assert hasattr(imbalance.EasyEnsembleClassifier(), "decision_function")
    alone = imbalance.EasyEnsembleClassifier(1, random_state=0).fit(X, y)
    assert close(alone.decision_function(X), alone.estimators_[0].decision_function(X))
    with pytest.raises(ValueError, match="n_estimators=0"):
        imbalance.EasyEnsembleClassifier(0).fit(X, y)
    assert not hasattr(
        imbalance.EasyEnsembleClassifier(estimator=DecisionTreeClassifier()), "decision_function"
    )


def test_every_member_has_seeds_of_its_own(skewed):
    """Also where the random state is a part's: in a pipeline, or in what a pipeline holds."""
    base = make_pipeline(StandardScaler(), RandomForestClassifier(1, max_depth=1))
    model = imbalance.EasyEnsembleClassifier(3, base, random_state=0).fit(*skewed)
    seeds = [m.get_params()["randomforestclassifier__random_state"] for m in model.estimators_]
    assert len(set(seeds)) == 3 and all(0 <= seed < 2**32 for seed in seeds)
