"""Wrappers around a learner, chapter 9: same learner and folds on both sides, and the same subset found."""

import numpy as np
from sklearn.datasets import load_breast_cancer, make_regression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import RFE as TheirRFE
from sklearn.feature_selection import SequentialFeatureSelector as Theirs
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.families.data import digits
from benchmarks.workload import Case, equal_within, same, workload
from helpers.feature_selection import RFE, LasVegasWrapper, SequentialFeatureSelector


def regression(n, d):
    return make_regression(n, d, n_informative=min(12, d), noise=20, random_state=0)


def greedy(learner, X, y, k, cv, direction="forward", **more):
    """Case of a greedy search; `more` are further peers."""

    def search(make):
        found = make(learner, n_features_to_select=k, cv=cv, direction=direction).fit(X, y)
        return found.get_support(indices=True)

    return Case(
        lambda: search(SequentialFeatureSelector), {"scikit-learn": lambda: search(Theirs), **more}, same
    )


def by_mlxtend(learner, X, y, k, cv):
    from mlxtend.feature_selection import SequentialFeatureSelector as Sequential

    return np.sort(Sequential(learner, k_features=k, floating=False, cv=cv).fit(X, y).k_feature_idx_)


@workload(
    "{n} × {d}, least squares, choose {k}, R² of 5 folds",
    small=dict(n=100, d=8, k=3),
    typical=dict(n=40, d=60, k=3),
    grow={"n": 125, "d": 10, "k": 2},
)
def forward_ols(n=1000, d=40, k=8):
    X, y = regression(n, d)
    learner, cv = LinearRegression(), KFold(5)
    return greedy(learner, X, y, k, cv, mlxtend=lambda: by_mlxtend(learner, X, y, k, cv))


@workload(
    "{n} × {d}, least squares, drop {dropped}, R² of 5 folds",
    small=dict(n=100, d=8, dropped=3),
    typical=dict(n=400, d=20),
    grow={"n": 125, "d": 10, "dropped": 2},
)
def backward_ols(n=1000, d=40, dropped=8):
    X, y = regression(n, d)
    return greedy(LinearRegression(), X, y, d - dropped, KFold(5), "backward")


@workload(
    "breast cancer, {n} × {d}, 5 neighbours, choose {k}, accuracy of 5 folds",
    small=dict(n=150, d=4, k=2),
    typical=dict(n=300, d=12),
    grow={"n": 71, "d": 5, "k": 1},
)
def forward_knn(n=569, d=30, k=4):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = ((X - X.mean(axis=0)) / X.std(axis=0))[:n, :d], y[:n]
    learner, cv = KNeighborsClassifier(5), StratifiedKFold(5)
    return greedy(learner, X, y, k, cv, mlxtend=lambda: by_mlxtend(learner, X, y, k, cv))


@workload(
    "digits, {n} × {d}, discriminant analysis, choose {k}, accuracy of 5 folds",
    small=dict(n=150, d=6, k=2),
    typical=dict(n=600, d=20),
    grow={"n": 224, "d": 6, "k": 1},
)
def forward_lda(n=1797, d=52, k=4):
    X, y = digits()
    liveliest = np.sort(np.argsort(-X.std(axis=0), kind="stable")[:d])  # 52 of 64 pixels deviate by over 1/2
    X, y = X[:n, liveliest], y[:n]
    return greedy(LinearDiscriminantAnalysis(), X, y, k, StratifiedKFold(5))


@workload(
    "{n} × {d}, {tries} random subsets, mean squared error of 5 folds",
    small=dict(n=100, d=8, tries=50),
    typical=dict(n=400, d=20, tries=200),
    grow={"n": 125, "d": 5, "tries": 50},
)
def lvw(n=1000, d=40, tries=400):
    X, y = regression(n, d)
    rng, folds = np.random.RandomState(0), list(KFold(5).split(X))
    masks = [np.ones(d, bool)]
    while len(masks) <= tries:  # the subsets that our wrapper draws, too
        mask = rng.random_sample(d) < 0.5
        masks += [mask] if mask.any() else []

    def each_fitted():
        errors = [
            -cross_val_score(
                LinearRegression(), X[:, mask], y, cv=folds, scoring="neg_mean_squared_error"
            ).mean()
            for mask in masks
        ]
        return np.minimum.accumulate(errors)

    def ours():
        search = LasVegasWrapper(
            LinearRegression(),
            max_tries=tries,
            stop="total",
            cv=folds,
            random_state=0,
            scoring="neg_mean_squared_error",
        )
        return search.fit(X, y).err_star_history_

    return Case(ours, {"scikit-learn (each subset fitted)": each_fitted}, equal_within(1e-9))


@workload(
    "{n} × {d}, least squares, down to {k}",
    small=dict(n=100, d=10, k=3),
    typical=dict(n=400, d=50, k=10),
    grow={"n": 500, "d": 30},
)
def rfe(n=2000, d=120, k=20):
    X, y = make_regression(n, d, n_informative=d // 4, noise=30, random_state=0)
    return Case(
        lambda: RFE(LinearRegression(), n_features_to_select=k).fit(X, y).ranking_,
        {"scikit-learn": lambda: TheirRFE(LinearRegression(), n_features_to_select=k).fit(X, y).ranking_},
        same,
    )
