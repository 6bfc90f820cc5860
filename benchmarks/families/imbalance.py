"""Rare classes, chapter 12."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV
from sklearn.svm import OneClassSVM as TheirSVM

from benchmarks.families.data import classes, noisy_digits
from benchmarks.workload import Case, equal_within, relative, same, workload
from helpers.imbalance import (
    SMOTE,
    AdaBoostClassifier,
    BorderlineSMOTE,
    EasyEnsembleClassifier,
    OneClassSVM,
    ThresholdClassifier,
)


@workload(
    "{n} × {d}, 15 % rare, {k} neighbours",
    small=dict(n=200, d=4),
    typical=dict(n=2000, d=20),
    grow={"n": 12500, "d": 12, "k": 5},
)
def smote(n=100000, d=40, k=5):
    X, y = classes(n, d, 2, weights=[0.85], flip_y=0)

    def theirs():
        from imblearn.over_sampling import SMOTE

        return SMOTE(random_state=0, k_neighbors=k).fit_resample(X, y)[0]

    return Case(
        lambda: SMOTE(random_state=0, k_neighbors=k).fit_resample(X, y)[0],
        {"imbalanced-learn": theirs},
        equal_within(1e-9),
    )


@workload(
    "{n} × {d}, 10 % rare, 10 and {k} neighbours",
    small=dict(n=200, d=4),
    typical=dict(n=2000, d=20),
    grow={"n": 3750, "d": 12, "k": 5},
)
def borderline_smote(n=30000, d=40, k=5):
    X, y = classes(n, d, 2, weights=[0.9], flip_y=0, class_sep=0.7)

    def theirs():
        from imblearn.over_sampling import BorderlineSMOTE

        return BorderlineSMOTE(random_state=0, k_neighbors=k).fit_resample(X, y)[0]

    return Case(
        lambda: BorderlineSMOTE(random_state=0, k_neighbors=k).fit_resample(X, y)[0],
        {"imbalanced-learn": theirs},
        equal_within(1e-9),
    )


@workload(
    "{n} × {d}, 10 % rare, logistic regression, 5 folds, {thresholds} thresholds",
    small=dict(n=200, d=4),
    typical=dict(n=2000),
    grow={"n": 2500, "d": 5, "thresholds": 25},
)
def threshold(n=20000, d=20, thresholds=100):
    X, y = classes(n, d, 2, weights=[0.9])

    def tuned(make):
        model = make(LogisticRegression(), cv=StratifiedKFold(5), thresholds=thresholds).fit(X, y)
        return [model.best_threshold_, model.best_score_]

    return Case(
        lambda: tuned(ThresholdClassifier),
        {"scikit-learn": lambda: tuned(TunedThresholdClassifierCV)},
        equal_within(1e-9),
    )


@workload(
    "{n} × {d}, 3 % rare, 10 samples, {stumps} stumps each",
    small=dict(n=400, d=4, stumps=10),
    typical=dict(n=2000),
    grow={"n": 1250, "d": 5, "stumps": 13},
)
def easyensemble(n=10000, d=20, stumps=50):
    X, y = classes(2 * n, d, 2, weights=[0.97], flip_y=0)

    def probabilities(make, base):
        return make(10, estimator=base, random_state=0).fit(X[:n], y[:n]).predict_proba(X[n:])[:, 1]

    def theirs():
        from imblearn.ensemble import EasyEnsembleClassifier

        return probabilities(EasyEnsembleClassifier, TheirAdaBoost(n_estimators=stumps))

    def agree(ours, peer, theirs):
        limit = 0.01 * max(1, 10000 / n) ** 0.5  # each draws its own samples
        return [
            ("area under the curve", abs(roc_auc_score(y[n:], ours) - roc_auc_score(y[n:], theirs)), limit)
        ]

    return Case(
        lambda: probabilities(EasyEnsembleClassifier, AdaBoostClassifier(stumps)),
        {"imbalanced-learn": theirs},
        agree,
    )


@workload(
    "breast cancer, 4 jittered copies, {n} × {d}, {stumps} stumps",
    small=dict(n=150, d=4, stumps=10),
    typical=dict(n=569),
    grow={"n": 285, "d": 4, "stumps": 7},
)
def adaboost_stumps(n=2276, d=30, stumps=50):
    X, y = load_breast_cancer(return_X_y=True)
    X = np.vstack([X * (1 + i * 0.01 * np.random.default_rng(i).normal(size=X.shape)) for i in range(4)])[
        :n, :d
    ]
    y = np.tile(y, 4)[:n]

    def labels(model):
        return model.fit(X, y).decision_function(X) > 0

    return Case(
        lambda: labels(AdaBoostClassifier(stumps)),
        {"scikit-learn": lambda: labels(TheirAdaBoost(n_estimators=stumps, random_state=0))},
        same,
    )


@workload(
    "digits and 2 noisy copies, {n} × {d}, ν = 0.3, RBF",
    small=dict(n=200),
    typical=dict(n=1000),
    grow={"n": 674, "d": 8},
)
def ocsvm(n=5391, d=64):
    X, _ = noisy_digits(3)
    X = X[np.arange(n) if n == len(X) else np.random.default_rng(0).permutation(len(X))[:n], -d:] / 16

    def objective(model):
        a = np.zeros(n)
        a[model.support_] = model.dual_coef_[0]
        return a @ rbf_kernel(X, gamma=0.05) @ a / 2

    def agree(ours, peer, theirs):
        return [
            ("dual objective", relative(objective(ours), objective(theirs)), 1e-6),
            ("boundary", relative(ours.offset_, theirs.offset_), 1e-3),
        ]

    return Case(
        lambda: OneClassSVM(nu=0.3, gamma=0.05).fit(X),
        {"scikit-learn": lambda: TheirSVM(nu=0.3, gamma=0.05).fit(X)},
        agree,
    )
