"""Scores of features, chapter 8."""

import numpy as np
from sklearn import feature_selection as sk
from sklearn.datasets import load_breast_cancer

from benchmarks.families.data import classes
from benchmarks.workload import Case, equal_within, workload
from helpers import feature_selection as fs


@workload(
    "{n} × {d} whole numbers, {levels} levels, 4 classes",
    small=dict(n=200, d=8, levels=4),
    typical=dict(n=2000, d=50),
    grow={"n": 2500, "d": 19, "levels": 8},
)
def infogain(n=20000, d=150, levels=8):
    rng = np.random.default_rng(0)
    X = rng.integers(0, levels, size=(n, d))
    y = (X[:, 0] + rng.integers(0, 6, n)) % 4
    return Case(
        lambda: fs.mutual_info_classif(X, y, discrete_features=True),
        {"scikit-learn": lambda: sk.mutual_info_classif(X, y, discrete_features=True)},
        equal_within(1e-10),
    )


@workload(
    "{n} × {d}, {c} classes, {k} neighbours",
    small=dict(n=150, d=4, c=2),
    typical=dict(n=1000, d=20),
    grow={"n": 1250, "d": 9, "k": 3},
)
def mi_continuous(n=10000, d=40, k=3, c=4):
    X, y = classes(n, d, c)
    return Case(
        lambda: fs.mutual_info_classif(X, y, n_neighbors=k, random_state=0),
        {"scikit-learn": lambda: sk.mutual_info_classif(X, y, n_neighbors=k, random_state=0)},
        equal_within(1e-10),
    )


@workload(
    "{n} × {d}, {c} classes",
    small=dict(n=150, d=4, c=3),
    typical=dict(n=60, d=2000, c=2),
    grow={"n": 31250, "d": 16, "c": 4},
)
def fclassif(n=250000, d=100, c=10):
    X, y = classes(n, d, c, n_informative=min(d, max(6, d // 3)))
    return Case(
        lambda: fs.f_classif(X, y)[0], {"scikit-learn": lambda: sk.f_classif(X, y)[0]}, equal_within(1e-9)
    )


@workload(
    "{n} × {d} counts, {c} classes",
    small=dict(n=150, d=4, c=3),
    typical=dict(n=500, d=2000, c=4),
    grow={"n": 100000, "d": 10, "c": 4},
)
def chi2(n=800000, d=80, c=10):
    rng = np.random.default_rng(0)
    X, y = rng.poisson(2, size=(n, d)).astype(float), rng.integers(0, c, n)
    return Case(lambda: fs.chi2(X, y)[0], {"scikit-learn": lambda: sk.chi2(X, y)[0]}, equal_within(1e-9))


@workload("{n} × {d}", small=dict(n=442, d=10), typical=dict(n=100, d=2000), grow={"n": 50000, "d": 10})
def fregression(n=400000, d=80):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + rng.normal(size=n)
    return Case(
        lambda: fs.f_regression(X, y)[0],
        {"scikit-learn": lambda: sk.f_regression(X, y)[0]},
        equal_within(1e-9),
    )


@workload(
    "breast cancer and a jittered copy, {n} × {d}, {k} neighbours",
    small=dict(n=150, d=4),
    typical=dict(n=569),
    grow={"n": 142, "d": 4, "k": 5},
)
def relieff(n=1138, d=30, k=10):
    X, y = load_breast_cancer(return_X_y=True)
    X = np.vstack([X, X + X.std(axis=0) * 0.05 * np.random.default_rng(0).normal(size=X.shape)])
    order = np.arange(len(X)) if n == len(X) else np.random.default_rng(0).permutation(len(X))[:n]
    X, y = X[order, :d], np.r_[y, y][order]

    def skrebate():
        from skrebate import ReliefF

        return ReliefF(n_neighbors=k).fit(X, y).feature_importances_

    return Case(
        lambda: fs.ReliefF(n_neighbors=k).fit(X, y).feature_importances_,
        {"skrebate": skrebate},
        equal_within(1e-9),
    )
