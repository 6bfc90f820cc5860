"""Scores of features, chapter 8."""

import numpy as np
from sklearn import feature_selection as sk
from sklearn.datasets import load_breast_cancer

from benchmarks.families.data import classes
from benchmarks.workload import Case, equal_within, workload
from helpers import feature_selection as fs


@workload("20000 × 150 whole numbers, 8 levels, 4 classes", grow={"n": 2500, "d": 19, "levels": 8})
def infogain(n=20000, d=150, levels=8):
    rng = np.random.default_rng(0)
    X = rng.integers(0, levels, size=(n, d))
    y = (X[:, 0] + rng.integers(0, 6, n)) % 4
    return Case(
        lambda: fs.mutual_info_classif(X, y, discrete_features=True),
        {"scikit-learn": lambda: sk.mutual_info_classif(X, y, discrete_features=True)},
        equal_within(1e-10),
    )


@workload("10000 × 40, 4 classes, 3 neighbours", grow={"n": 1250, "d": 9, "k": 3})
def mi_continuous(n=10000, d=40, k=3):
    X, y = classes(n, d, 4)
    return Case(
        lambda: fs.mutual_info_classif(X, y, n_neighbors=k, random_state=0),
        {"scikit-learn": lambda: sk.mutual_info_classif(X, y, n_neighbors=k, random_state=0)},
        equal_within(1e-10),
    )


@workload("250000 × 100, 10 classes", grow={"n": 31250, "d": 16, "c": 4})
def fclassif(n=250000, d=100, c=10):
    X, y = classes(n, d, c, n_informative=max(6, d // 3))
    return Case(
        lambda: fs.f_classif(X, y)[0], {"scikit-learn": lambda: sk.f_classif(X, y)[0]}, equal_within(1e-9)
    )


@workload("800000 × 80 counts, 10 classes", grow={"n": 100000, "d": 10, "c": 4})
def chi2(n=800000, d=80, c=10):
    rng = np.random.default_rng(0)
    X, y = rng.poisson(2, size=(n, d)).astype(float), rng.integers(0, c, n)
    return Case(lambda: fs.chi2(X, y)[0], {"scikit-learn": lambda: sk.chi2(X, y)[0]}, equal_within(1e-9))


@workload("400000 × 80", grow={"n": 50000, "d": 10})
def fregression(n=400000, d=80):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + rng.normal(size=n)
    return Case(
        lambda: fs.f_regression(X, y)[0],
        {"scikit-learn": lambda: sk.f_regression(X, y)[0]},
        equal_within(1e-9),
    )


@workload("breast cancer and a jittered copy, 1138 × 30, 10 neighbours", grow={"n": 142, "d": 4, "k": 5})
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
