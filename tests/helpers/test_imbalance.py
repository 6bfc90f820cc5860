"""imbalance: equal to imbalanced-learn and scikit-learn, to slow loops, and to what the papers promise."""
import pickle
from itertools import product

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as metrics
from hypothesis import given, settings, strategies as st
from imblearn import over_sampling, under_sampling
from imblearn.ensemble import EasyEnsembleClassifier as TwinEasyEnsemble
from imblearn.pipeline import Pipeline
from scipy.optimize import minimize
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn import ensemble, svm
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import (FixedThresholdClassifier, StratifiedKFold, TunedThresholdClassifierCV,
                                     cross_validate)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from helpers import imbalance
from helpers.comparing import close
from helpers.imbalance import thresholds
from helpers.imbalance.ensemble import _Stumps


@pytest.fixture(scope="module")
def skewed():
    return make_classification(400, 5, weights=[0.85], class_sep=0.7, flip_y=0.05, random_state=1)


@pytest.fixture(scope="module")
def three():
    X, y = make_classification(300, 4, n_informative=4, n_redundant=0, n_classes=3, weights=[0.6, 0.3],
                               class_sep=0.6, random_state=0)
    return X + 1000, y


@parametrize_with_checks([
    imbalance.ThresholdClassifier(GaussianNB(), thresholds=[0.5, 2.0]),
    imbalance.ThresholdClassifier(GaussianNB(), threshold="cost"),
    imbalance.ThresholdClassifier(RidgeClassifier(), threshold=0.0),
    imbalance.AdaBoostClassifier(5),
    imbalance.EasyEnsembleClassifier(2, imbalance.AdaBoostClassifier(3)),
    imbalance.EasyEnsembleClassifier(2, DecisionTreeClassifier(max_depth=2)),
    imbalance.OneClassSVM(tol=1e-10),
    imbalance.OneClassSVM(kernel="linear", tol=1e-10),
    imbalance.OneClassSVM(kernel="poly", tol=1e-10),
])
def test_estimator_rules(estimator, check):
    check(estimator)


def test_the_folder_lists_what_it_has():
    assert set(dir(imbalance)) == set(imbalance.__all__) and imbalance.SMOTE.__name__ == "SMOTE"
    with pytest.raises(AttributeError, match="has no 'SMOTTE'; it has AdaBoostClassifier"):
        imbalance.SMOTTE
    for name in imbalance.__all__:
        assert getattr(imbalance, name).__name__ == name


# ------------------------------------------------------------ posteriors and thresholds
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
    assert (cheaper == (p > t + 1e-12))[np.abs(p - t) > 1e-9].all() and close(t * costs[1],
                                                                              (1 - t) * costs[0])


@pytest.mark.parametrize("name", thresholds.METRICS)
def test_curve_equals_scikit_learn_at_every_threshold(name):
    rng = np.random.default_rng(2)
    y, s = rng.random(60) < 0.3, rng.random(60).round(1)                    # many ties
    t, values = imbalance.threshold_curve(y, s, metric=name)
    scorer = getattr(metrics, name + "_score")
    assert (t == np.unique(s)).all() and close(values, [scorer(y, s >= cut) for cut in t], 1e-12)
    t, values = imbalance.threshold_curve(y, s, [0.35, 2.0], name)
    options = {"zero_division": 0} if name in ("f1", "jaccard", "precision") else {}
    assert close(values, [scorer(y, s >= cut, **options) for cut in (0.35, 2.0)], 1e-12)


def test_curve_takes_a_function_of_the_counts():
    _, cost = imbalance.threshold_curve([0, 1, 1], [0.1, 0.2, 0.3], [0.0, 0.25], lambda tp, fp, fn,
                                        tn: 9 * fn + fp)
    assert cost.tolist() == [1, 9]


GRID = [dict(scoring=s, response_method=r, thresholds=t, cv=cv, refit=refit) for s, r, t, (cv, refit) in [
    ("balanced_accuracy", "auto", 100, (None, True)), ("f1", "predict_proba", 30, (3, True)),
    ("accuracy", "decision_function", 40, (StratifiedKFold(4), True)), ("recall", "auto", 5, (0.3, False)),
    ("precision", "auto", np.linspace(0.1, 0.8, 9), (0.3, True)),
    ("jaccard", "auto", [0.2, 0.4, 0.5], (3, True)),
    ("matthews_corrcoef", "auto", 20, (3, True)),
    (metrics.make_scorer(metrics.fbeta_score, beta=2), "decision_function", 20, (3, True))]]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("options", GRID, ids=lambda o: f"{o['scoring']!s:.20}")
def test_tuned_as_the_twin(skewed, options):
    X, y = skewed
    there = TunedThresholdClassifierCV(LogisticRegression(), random_state=0, store_cv_results=True,
                                       **options).fit(X, y)
    here = imbalance.ThresholdClassifier(LogisticRegression(), random_state=0, **options).fit(X, y)
    assert close(here.cv_results_["thresholds"], there.cv_results_["thresholds"], 1e-12)
    assert close(here.cv_results_["scores"], there.cv_results_["scores"], 1e-12)
    assert (here.best_threshold_,
            here.best_score_) == pytest.approx((there.best_threshold_, there.best_score_))
    assert (here.predict(X) == there.predict(X)).all()
    assert close(here.predict_proba(X), there.predict_proba(X)) and close(here.decision_function(X),
                                                                          there.decision_function(X))


def test_tuned_on_a_fitted_classifier(skewed):
    X, y = skewed
    model = LogisticRegression().fit(X, y)
    there = TunedThresholdClassifierCV(model, cv="prefit", refit=False).fit(X, y)
    here = imbalance.ThresholdClassifier(model, cv="prefit", refit=False).fit(X, y)
    assert here.best_threshold_ == pytest.approx(there.best_threshold_) and here.estimator_ is model
    fixed = imbalance.ThresholdClassifier(model, cv="prefit", threshold=0.2).fit(X[:8], [0, 1] * 4)
    assert fixed.estimator_ is model


@pytest.mark.parametrize("method, cut",
                         list(product(["auto", "predict_proba", "decision_function"], [0.3, -1.0, 1])))
def test_a_given_threshold_as_the_twin(skewed, method, cut):
    X, y = skewed[0], np.array(["no", "yes"])[skewed[1]]
    there = FixedThresholdClassifier(LogisticRegression(), threshold=cut, response_method=method,
                                     pos_label="yes")
    here = imbalance.ThresholdClassifier(LogisticRegression(), threshold=cut, response_method=method).fit(X,
                                                                                                          y)
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


@pytest.mark.parametrize("train, message", [
    (dict(threshold="best"), "use 'tuned', 'prior', 'cost' or a number"),
    (dict(response_method="predict"), "use 'auto', 'predict_proba' or"),
    (dict(cv="prefit"), "'prefit' needs refit=False"),
    (dict(cv="3", refit=False), "'prefit' needs refit=False"),
    (dict(cv=3, refit=False), "keeps the fit of one split"),
    (dict(cv=1), "at least one train/test split"),
    (dict(threshold="cost", costs=(-1, 1)), "none may be negative"),
    (dict(estimator=RidgeClassifier(), threshold="prior"), "must give probabilities"),
    (dict(estimator=DecisionTreeClassifier(max_depth=1, min_samples_leaf=400)), "constant predictions"),
])
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


# ------------------------------------------------------------ samplers
UNDER = ["auto", "majority", "not majority", "not minority", "all", 0.5, {0: 30, 2: 20}, lambda y: {1: 50}]
OVER = ["auto", "minority", "not majority", "not minority", "all", 0.9, {2: 120, 1: 100}, lambda y: {1: 150}]


def of_both(name, module, X, y, **options):
    """Rows and labels of the twin's sampler and of ours."""
    with np.errstate(all="ignore"):
        there, here = getattr(module, name)(random_state=3, **options), getattr(imbalance,
                                                                                name)(random_state=3,
                                                                                      **options)
        return (there, *there.fit_resample(X, y)), (here, *here.fit_resample(X, y))


def same_result(a, b):
    assert type(a[1]) is type(b[1]) and type(a[2]) is type(b[2])
    A, B = (m[1].toarray() if hasattr(m[1], "toarray") else np.asarray(m[1]) for m in (a, b))
    assert A.shape == B.shape and A.dtype == B.dtype and (a[2] == b[2]).all()
    assert close(A, B, 1e-12) if A.dtype.kind == "f" else (A == B).all()
    assert dict(a[0].sampling_strategy_) == b[0].sampling_strategy_


def name(option):
    """A test's name for an option: none with an address in it, on which the processes of a run would not agree."""
    return "function" if callable(option) else str(option)


@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("strategy", UNDER, ids=name)
def test_under_sampling_as_the_twin(three, skewed, strategy, replacement):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both("RandomUnderSampler", under_sampling, X, y, sampling_strategy=strategy,
                   replacement=replacement)
    same_result(a, b)
    assert (a[0].sample_indices_ == b[0].sample_indices_).all() and (b[1] == X[b[0].sample_indices_]).all()


@pytest.mark.parametrize("shrinkage", [None, 0.5, {0: 1.0, 1: 2.0, 2: 0.0}])
@pytest.mark.parametrize("strategy", OVER, ids=name)
def test_over_sampling_as_the_twin(three, skewed, strategy, shrinkage):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both("RandomOverSampler", over_sampling, X, y, sampling_strategy=strategy, shrinkage=shrinkage)
    same_result(a, b)
    assert (a[0].sample_indices_ == b[0].sample_indices_).all()


@pytest.mark.parametrize("name, options",
                         [("SMOTE", {}), ("SMOTE", {"k_neighbors": 2}), ("BorderlineSMOTE", {}),
                                           ("BorderlineSMOTE", {"k_neighbors": 3, "m_neighbors": 7})],
                         ids=str)
@pytest.mark.parametrize("strategy", OVER, ids=name)
def test_smote_as_the_twin(three, skewed, name, options, strategy):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both(name, over_sampling, X, y, sampling_strategy=strategy, **options)
    same_result(a, b)
    if name == "BorderlineSMOTE":
        assert all((a[0].in_danger_indices[c] == rows).all() for c, rows in b[0].in_danger_indices.items())
        assert set(a[0].in_danger_indices) == set(b[0].in_danger_indices)


@pytest.mark.parametrize("kind", ["sparse", "float32", "integers", "frame", "text labels"])
@pytest.mark.parametrize("name", ["RandomUnderSampler", "RandomOverSampler", "SMOTE", "BorderlineSMOTE"])
def test_kinds_of_tables_as_the_twin(three, name, kind):
    X, y = three[0] - 1000, three[1]
    X, y = {"sparse": lambda: (csr_matrix(X * (np.abs(X) > 0.5)), y), "float32": lambda: (X.astype("f4"), y),
            "integers": lambda: ((10 * X).round().astype(int) + np.arange(300)[:, None] * 7 % 5, y),
            "frame": lambda: (pd.DataFrame(X, columns=list("abcd")), pd.Series(y, name="label")),
            "text labels": lambda: (X, np.array(["x", "yy", "z"])[y])}[kind]()
    a, b = of_both(name, under_sampling if "Under" in name else over_sampling, X, y)
    if kind == "integers" and "SMOTE" in name:  # many ties among the distances: other neighbours
        assert b[1].dtype == a[1].dtype and b[1].shape == a[1].shape
        return
    same_result(a, b)
    if kind == "frame":
        assert list(b[1].columns) == list("abcd") and b[2].name == "label"
        assert (a[1].index == b[1].index).all() and (a[2].index == b[2].index).all()


def test_blurred_copies_of_sparse_rows_and_frames(three):
    X, y = three
    frame = pd.DataFrame(X, columns=list("abcd"))
    for table in (csr_matrix(X * (X > 1000)), frame):
        a, b = of_both("RandomOverSampler", over_sampling, table, y, shrinkage=1.0)
        same_result(a, b)


def test_labels_of_a_category_stay_so(three):
    frame, y = pd.DataFrame(three[0]), pd.Series(list("abc"), dtype="category").iloc[three[1]]
    for sampler in (imbalance.RandomUnderSampler(), imbalance.SMOTE()):
        assert sampler.fit_resample(frame, y.reset_index(drop=True))[1].dtype == "category"


def test_a_class_may_vanish(three):
    kept = imbalance.RandomUnderSampler(sampling_strategy={1: 0}).fit_resample(*three)[1]
    assert set(kept) == {0, 2}


def test_random_samplers_take_text_and_blanks():
    X, y = np.array([["a", None], ["b", 1.0], ["c", np.nan]], dtype=object), [0, 0, 1]
    for table in (X, pd.DataFrame(X, columns=["p", "q"])):
        new, labels = imbalance.RandomOverSampler(random_state=0).fit_resample(table, y)
        assert len(new) == 4 and list(labels) == [0, 0, 1, 1] and np.asarray(new)[3, 0] == "c"
        assert len(imbalance.RandomUnderSampler(random_state=0).fit_resample(table, y)[0]) == 2


def on_segment(x, a, b, most=1.0):
    """x = a + δ (b - a) with 0 ≤ δ ≤ most, one δ for all attributes."""
    delta = ((x - a) @ (b - a)) / max((b - a) @ (b - a), 1e-300)
    return np.abs(x - a - delta * (b - a)).max() < 1e-10 and -1e-10 <= delta <= most + 1e-10


def neighbours_by_loops(X, i, k):
    return sorted((r for r in range(len(X)) if r != i), key=lambda r: ((X[r] - X[i]) ** 2).sum())[:k]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6))
def test_every_new_row_lies_between_two_positives(d, k, seed):
    """Chawla et al. 2002: balanced; originals first; x on a segment from a to one of a's k nearest."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, d)) + 100, np.arange(30) % 4 == 0
    new, labels = imbalance.SMOTE(k_neighbors=k, random_state=seed).fit_resample(X, y)
    assert (new[:30] == X).all() and (labels[:30] == y).all()
    assert labels.sum() == (~labels).sum() and labels[30:].all()
    P = X[y]
    near = [neighbours_by_loops(P, i, k) for i in range(len(P))]
    for x in new[30:]:
        assert any(on_segment(x, P[i], P[j]) for i in range(len(P)) for j in near[i])


def test_a_row_is_never_its_own_neighbour():
    """Copies are at distance 0 too: the row itself must be dropped by its number, not by its rank."""
    X = np.repeat([[0.0], [1.0]], 4, axis=0)
    sets = imbalance.borderline_sets(X, [1, 0, 0, 0, 1, 1, 1, 0], 1, m_neighbors=3)
    assert {n: r.tolist() for n, r in sets.items()} == {"noise": [0], "danger": [], "safe": [4, 5, 6]}
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) < 12
    new = imbalance.SMOTE(k_neighbors=1, random_state=0).fit_resample(X, y)[0][40:]
    assert not any((x == X).all(axis=1).any() for x in new), "no copies"


@pytest.mark.parametrize("m", [1, 4, 5, 10])
def test_noise_danger_safe_by_loops(three, m):
    X, y = three
    sets = imbalance.borderline_sets(X, y, 2, m_neighbors=m)
    for i in np.flatnonzero(y == 2):
        others = sum(y[r] != 2 for r in neighbours_by_loops(X, i, m))
        name = "noise" if others == m else "danger" if 2 * others >= m else "safe"
        assert [i in sets[n] for n in ("noise", "danger", "safe")] == [n == name for n in ("noise", "danger",
                                                                                           "safe")]


def test_reference_size_of_the_danger_set():
    """1328 rows: imbalanced-learn's rule with scikit-learn's neighbours on a table of 30000 × 40."""
    X, y = make_classification(30000, 40, n_informative=13, n_redundant=6, weights=[0.9], flip_y=0,
                               class_sep=0.7,
                               random_state=0)
    assert len(imbalance.borderline_sets(X, y, 1, m_neighbors=10)["danger"]) == 1328


def test_borderline_2_goes_at_most_half_way_to_another_class(three):
    X, y = three
    a, b = of_both("BorderlineSMOTE", over_sampling, X, y, kind="borderline-2", sampling_strategy={2: 150})
    pool, same, other = [(i, j) for i in b[0].in_danger_indices[2] for j in neighbours_by_loops(X, i,
                                                                                                5)], 0, 0
    for x, of_twin in zip(b[1][300:], a[1][300:]):
        pairs = [(i, j) for i, j in pool
                 if on_segment(x, X[i], X[j], 1.0 if y[j] == 2 else 0.5)]
        assert pairs
        if any(y[j] == 2 for _, j in pairs):
            same += close(x, of_twin, 1e-12)
        else:
            other += any(on_segment(of_twin, X[i], X[j], 0.5) for i, j in pairs)
    assert same + other == len(b[1]) - 300 and same > 20 and other > 20


def test_nobody_in_danger():
    X, y = np.r_[np.arange(20.0), 100 + np.arange(8.0)][:, None], np.repeat([0, 1], [20, 8])
    with pytest.warns(UserWarning, match="No row of class 1 is in danger"):
        new, labels = imbalance.BorderlineSMOTE(k_neighbors=2, m_neighbors=4).fit_resample(X, y)
    assert len(new) == 28


@pytest.mark.parametrize("sampler", ["SMOTE", "BorderlineSMOTE", "RandomOverSampler", "RandomUnderSampler"])
def test_in_imbalanced_learns_pipeline_only_training_rows_are_resampled(skewed, sampler):
    X, y = skewed
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append(np.bincount(y))
            return super().fit(X, y)

        def predict(self, X):
            seen.append(len(X))
            return super().predict(X)

    pipe = Pipeline([("sample", getattr(imbalance, sampler)(random_state=0)), ("model", Spy())])
    assert np.isfinite(cross_validate(pipe, X, y, cv=4, scoring="balanced_accuracy")["test_score"]).all()
    assert all(s[0] == s[1] for s in seen[::2]) and seen[1::2] == [100] * 4
    again = pickle.loads(pickle.dumps(clone(pipe["sample"]).fit(X, y)))
    assert again.sampling_strategy_ == pipe["sample"].fit(X, y).sampling_strategy_


BAD = [
    ("SMOTE", dict(sampling_strategy="majority"), "use 'auto', 'all'"),
    ("RandomUnderSampler", dict(sampling_strategy="minority"), "use 'auto', 'all'"),
    ("SMOTE", dict(sampling_strategy=1.5), "a ratio lies in"),
       ("SMOTE", dict(sampling_strategy=0), "a ratio lies in"),
    ("SMOTE", dict(sampling_strategy=None), "a ratio lies in"),
    ("SMOTE", dict(sampling_strategy=0.1), "closer than the ratio 0.1"),
    ("RandomUnderSampler", dict(sampling_strategy=0.1), "closer than the ratio 0.1"),
    ("SMOTE", dict(sampling_strategy={7: 500}), "class 7, which y does not have"),
    ("SMOTE", dict(sampling_strategy={1: 5}), "adds rows: class 1 has .* asks for 5"),
    ("RandomUnderSampler", dict(sampling_strategy={1: 5000}), "removes rows: class 1 has .* asks for 5000"),
    ("RandomUnderSampler", dict(sampling_strategy={1: -1}), "asks for -1"),
    ("SMOTE", dict(k_neighbors=200),
     "there are only 65 rows to choose neighbours of class 1 from; choose 1 to 64"),
    ("SMOTE", dict(k_neighbors=0), "k_neighbors=0"),
       ("BorderlineSMOTE", dict(m_neighbors=400), "choose 1 to 399"),
    ("BorderlineSMOTE", dict(k_neighbors=65), "choose 1 to 64"),
       ("BorderlineSMOTE", dict(m_neighbors=0), "neighbors=0"),
    ("BorderlineSMOTE", dict(kind="borderline"), "use 'borderline-1' or 'borderline-2'"),
    ("RandomOverSampler", dict(shrinkage=-1.0), "a number ≥ 0"),
       ("RandomOverSampler", dict(shrinkage={0: 1}), "each class"),
]


@pytest.mark.parametrize("name, options, message", BAD)
def test_clear_errors_of_samplers(skewed, name, options, message):
    with pytest.raises(ValueError, match=message):
        getattr(imbalance, name)(**options).fit_resample(*skewed)


@pytest.mark.parametrize("name", ["SMOTE", "BorderlineSMOTE", "RandomOverSampler", "RandomUnderSampler"])
def test_samplers_need_two_classes_and_labels_for_all(skewed, name):
    sampler = getattr(imbalance, name)()
    with pytest.raises(ValueError, match="one class only"):
        sampler.fit_resample(skewed[0], np.zeros(400, int))
    with pytest.raises(ValueError, match="a label for each row|inconsistent numbers of samples"):
        sampler.fit_resample(skewed[0], skewed[1][:-1])
    with pytest.raises(ValueError, match="for two classes, y has 3"):
        sampler.set_params(sampling_strategy=0.5).fit_resample(skewed[0], np.arange(400) % 3)


def test_ratio_of_balanced_classes():
    y = np.arange(20) % 2
    for name in ("SMOTE", "RandomUnderSampler"):
        assert len(getattr(imbalance, name)(sampling_strategy=1.0).fit_resample(y[:, None] * 1.0, y)[1]) == 20


# ------------------------------------------------------------ boosted stumps
def clean(X):
    """Values that float32 holds: scikit-learn's trees round to it."""
    return np.asarray(X, np.float32).astype(float)


@pytest.mark.parametrize("rounds, rate", [(1, 1.0), (30, 1.0), (30, 0.5), (10, 1.5)])
@pytest.mark.parametrize("weighted", [False, True])
def test_adaboost_as_the_twin(rounds, rate, weighted):
    X, y = load_breast_cancer(return_X_y=True)
    X, w = clean(X), np.random.default_rng(0).integers(1, 4, len(y)) * 1.0 if weighted else None
    there = ensemble.AdaBoostClassifier(n_estimators=rounds, learning_rate=rate, random_state=0).fit(X, y, w)
    here = imbalance.AdaBoostClassifier(rounds, learning_rate=rate).fit(X, y, w)
    assert close(here.estimator_weights_, there.estimator_weights_, 1e-9)
    assert close(here.estimator_errors_, there.estimator_errors_, 1e-9)
    assert close(here.decision_function(X), there.decision_function(X), 1e-9)
    assert close(here.predict_proba(X), there.predict_proba(X),
                 1e-9) and (here.predict(X) == there.predict(X)).all()


def impurity_by_loops(X, sign, w):
    """Least weighted Gini impurity over every feature and cut."""
    best = np.inf
    for j, cut in ((j, c) for j in range(X.shape[1]) for c in np.unique(X[:, j])[:-1]):
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
        imbalance.AdaBoostClassifier().fit(X, y)                               # XOR
    constant = imbalance.AdaBoostClassifier().fit(np.ones((5, 2)), [0, 0, 0, 1, 1])
    assert (constant.predict([[1, 1], [5, -5]]) == 0).all() and np.isinf(constant.stumps_[0, 1])


def test_weightless_rows_do_not_exist(skewed):
    X, y = skewed
    keep = np.arange(400) % 3 > 0
    some, fewer = imbalance.AdaBoostClassifier(9).fit(X, y,
                                                      keep), imbalance.AdaBoostClassifier(9).fit(X[keep],
                                                                                                 y[keep])
    assert close(some.decision_function(X), fewer.decision_function(X), 1e-9)
    with pytest.raises(ValueError, match="Only one class has rows with a weight"):
        imbalance.AdaBoostClassifier().fit(X, y, y)


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
    assert close(model.decision_function(X_new), np.mean([m.decision_function(X_new) for m in there], axis=0),
                 1e-8)
    assert (model.predict(X_new) == (model.predict_proba(X_new)[:, 1] > 0.5)).all()
    assert len({tuple(rows) for rows in model.estimators_samples_}) == 4, "each its own sample"


def test_as_good_as_the_twin(rare):
    X, y, X_new, y_new = rare
    auc = [metrics.roc_auc_score(y_new, m.fit(X, y).predict_proba(X_new)[:, 1]) for m in
           (TwinEasyEnsemble(4, random_state=0), imbalance.EasyEnsembleClassifier(4, random_state=0))]
    assert auc[1] > auc[0] - 0.01 and auc[1] > 0.85


def test_other_members_strategies_and_jobs(rare):
    X, y, X_new, _ = rare
    options = dict(estimator=RidgeClassifier(), sampling_strategy=0.5, replacement=True, random_state=1)
    with joblib.parallel_config("threading"):
        model = imbalance.EasyEnsembleClassifier(3, **options, n_jobs=2).fit(X, y)
    assert (np.bincount(y[model.estimators_samples_[0]]) == [2 * y.sum(), y.sum()]).all()
    votes = np.mean([m.predict(X_new) for m in model.estimators_], axis=0)
    assert close(model.predict_proba(X_new)[:, 1], votes) and hasattr(model, "decision_function")
    again = pickle.loads(pickle.dumps(clone(model).set_params(n_jobs=None).fit(X, y)))
    assert (again.predict(X_new) == model.predict(X_new)).all()
    forest = imbalance.EasyEnsembleClassifier(2, RandomForestClassifier(3, random_state=0), random_state=0)
    assert not hasattr(forest, "decision_function") and forest.fit(csr_matrix(X), y).score(csr_matrix(X),
                                                                                           y) > 0.5


# ------------------------------------------------------------ one class
@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(0)
    return 4 + np.vstack([rng.normal(size=(110, 3)), rng.normal(3, 3, size=(10, 3))])


KERNELS = [dict(kernel="rbf"), dict(kernel="rbf", gamma="auto"), dict(kernel="rbf", gamma=2.0),
           dict(kernel="linear"),
           dict(kernel="poly", gamma=0.05), dict(kernel="poly", degree=2, coef0=1.0, gamma=0.3),
           dict(kernel="sigmoid", gamma=0.01), dict(kernel="sigmoid", gamma=0.05, coef0=-2.0)]


@pytest.mark.parametrize("nu", [0.06, 0.3, 0.77])
@pytest.mark.parametrize("options", KERNELS, ids=str)
def test_one_class_as_the_twin(cloud, options, nu):
    there = svm.OneClassSVM(nu=nu, tol=1e-7, **options).fit(cloud)
    here = imbalance.OneClassSVM(nu=nu, tol=1e-7, **options).fit(cloud)
    scale = np.abs(there.score_samples(cloud)).max()
    assert close(here.score_samples(cloud), there.score_samples(cloud), 1e-6)
    assert abs(here.offset_[0] - there.offset_[0]) < 1e-6 * scale and close(here.intercept_, -here.offset_)
    assert here.n_iter_ <= 1.2 * there.n_iter_ + 5                # the same pairs, or nearly
    sure = np.abs(there.decision_function(cloud)) > 1e-5 * scale
    assert (here.predict(cloud) == there.predict(cloud))[sure].all()
    if options["kernel"] == "linear":
        assert close(here.coef_, there.coef_, 1e-6)
    else:
        with pytest.raises(AttributeError, match="linear kernel"):
            here.coef_


def test_weights_and_sparse_rows_as_the_twin(cloud):
    w = np.random.default_rng(1).random(120) * 2 * (np.arange(120) % 7 > 0)
    X = cloud * (cloud > 4)
    for table, weights in ((X, w), (csr_matrix(X), None), (csr_matrix(X), w)):
        gamma = "scale" if weights is None else 0.1
        there = svm.OneClassSVM(nu=0.4, tol=1e-9, gamma=gamma).fit(table, sample_weight=weights)
        here = imbalance.OneClassSVM(nu=0.4, tol=1e-9, gamma=gamma).fit(table, sample_weight=weights)
        assert close(here.decision_function(table), there.decision_function(table), 1e-6)


@pytest.mark.parametrize("options", KERNELS[:1] + KERNELS[2:-2], ids=str)
def test_the_dual_by_a_general_solver(options):
    X = np.random.default_rng(3).normal(size=(12, 2))
    model = imbalance.OneClassSVM(nu=0.4, tol=1e-10, **options).fit(X)
    extra = {"gamma": 1 / (2 * X.var())} | {name: value for name, value in options.items()
                                            if name != "kernel"}
    extra |= {"degree": 3, "coef0": 0} if options == dict(kernel="poly", gamma=0.05) else {}
    K = pairwise_kernels(X, metric=options["kernel"], filter_params=True, **extra)
    slow = minimize(lambda a: a @ K @ a / 2, np.full(12, 0.4), jac=lambda a: K @ a, bounds=[(0, 1)] * 12,
                    tol=1e-14,
                    constraints={"type": "eq", "fun": lambda a: a.sum() - 4.8}, method="SLSQP",
                    options={"maxiter": 999})
    alpha = np.zeros(12)
    alpha[model.support_] = model.dual_coef_[0]
    assert alpha @ K @ alpha / 2 <= slow.fun * (1 + 1e-7) + 1e-12 and abs(alpha.sum() - 4.8) < 1e-9


@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 1.0), st.sampled_from(["rbf", "linear", "poly", "sigmoid"]), st.integers(5, 60),
       st.integers(0, 10**6))
def test_share_of_outliers_at_most_nu_at_most_support(nu, kernel, n, seed):
    """Schölkopf et al. 2001, Proposition 4, and the optimality conditions."""
    X = np.random.default_rng(seed).normal(size=(n, 2)) + 2
    model = imbalance.OneClassSVM(nu=nu, kernel=kernel, tol=1e-8).fit(X)
    alpha, d = np.zeros(n), model.decision_function(X)
    alpha[model.support_] = model.dual_coef_[0]
    slack = 1e-6 * max(1, np.abs(d).max())
    assert (model.predict(X) == -1).mean() <= nu + 1e-9 and len(model.support_) / n >= nu - 1e-9
    assert abs(alpha.sum() - nu * n) < 1e-8 * n and alpha.min() >= 0 and alpha.max() <= 1
    assert (d[alpha == 0] >= -slack).all() and (d[alpha == 1] <= slack).all()
    assert (np.abs(d[(alpha > 0) & (alpha < 1)]) <= slack).all()


def test_far_points_are_rejected_and_dirty_training_costs(cloud):
    """12.11 and E84: +1 is inside, -1 outside; a far cluster in training is called normal more often."""
    rng = np.random.default_rng(0)
    normal, far = rng.normal(size=(200, 2)), rng.normal(8, 0.3, size=(20, 2))
    sound = imbalance.OneClassSVM(nu=0.05, gamma=0.5).fit(normal)
    assert (sound.predict(far) == -1).all() and (sound.predict(normal) == 1).mean() > 0.9
    dirty = imbalance.OneClassSVM(nu=0.05, gamma=0.5).fit(np.vstack([normal, far]))
    assert (dirty.predict(far) == -1).mean() < 0.5


def test_small_caches_and_step_limits(cloud):
    sound = imbalance.OneClassSVM(nu=0.3).fit(cloud)
    tiny = imbalance.OneClassSVM(nu=0.3, cache_size=1e-6).fit(cloud)
    assert close(sound.offset_, tiny.offset_) and tiny.n_iter_ == sound.n_iter_ > 5
    with pytest.warns(UserWarning, match="5 steps did not reach tol=0.001"):
        assert imbalance.OneClassSVM(nu=0.3, max_iter=5).fit(cloud).n_iter_ == 5
    assert imbalance.OneClassSVM(nu=0.3, max_iter=sound.n_iter_ + 1).fit(cloud).n_iter_ == sound.n_iter_


@pytest.mark.parametrize("options, message", [
    (dict(nu=0), "lies in"), (dict(nu=1.01), "lies in"),
                                              (dict(kernel="cubic"), "use 'rbf', 'linear', 'poly' or 'sigmoid'"),
    (dict(gamma=0), "positive number"), (dict(gamma="large"), "positive number")])
def test_clear_errors_of_one_class(cloud, options, message):
    with pytest.raises(ValueError, match=message):
        imbalance.OneClassSVM(**options).fit(cloud)
    with pytest.raises(ValueError, match="at least one non-zero"):
        imbalance.OneClassSVM().fit(cloud, sample_weight=np.zeros(120))


def test_constant_table_and_full_weights():
    X = np.ones((6, 2))
    assert (imbalance.OneClassSVM(nu=0.5).fit(X).predict(X) == 1).all()
    everything = imbalance.OneClassSVM(nu=1.0).fit(np.arange(6.0)[:, None])
    assert len(everything.support_) == 6 and (everything.dual_coef_ == 1).all()


def test_costs_are_equal_unless_told():
    X, y = np.arange(6.0)[:, None], np.array([0, 1, 0, 1, 0, 1])
    assert imbalance.ThresholdClassifier(GaussianNB(), threshold="cost").fit(X, y).best_threshold_ == 0.5
    with pytest.raises(ValueError, match="Input y contains NaN"):
        imbalance.ThresholdClassifier(GaussianNB()).fit(X, [0, 1, 0, 1, 0, np.nan])
    with pytest.raises(ValueError, match="Unknown label type for y"):
        imbalance.ThresholdClassifier(GaussianNB()).fit(X, y.astype(object))
    with pytest.warns(DataConversionWarning):
        imbalance.ThresholdClassifier(GaussianNB(), threshold="cost").fit(X, y[:, None])
