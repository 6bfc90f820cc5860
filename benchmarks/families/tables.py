"""Scaling, coding and binning, chapter 5."""

import numpy as np
from sklearn import preprocessing as sk

from benchmarks.workload import Case, differing, equal_within, workload
from helpers.preprocessing import KBinsDiscretizer, MinMaxScaler, Normalizer, OneHotEncoder, StandardScaler


def normal(n, d):
    return np.random.default_rng(0).normal(3, 2, size=(n, d))


@workload("{n} × {d}", small=dict(n=150, d=4), typical=dict(n=5000, d=30), grow={"n": 150000, "d": 5})
def zscore(n=1200000, d=40):
    X = normal(n, d)
    return Case(
        lambda: StandardScaler().fit_transform(X),
        {"scikit-learn": lambda: sk.StandardScaler().fit_transform(X)},
        equal_within(1e-12),
    )


@workload("{n} × {d}", small=dict(n=150, d=4), typical=dict(n=5000, d=30), grow={"n": 150000, "d": 5})
def minmax(n=1200000, d=40):
    X = normal(n, d)
    return Case(
        lambda: MinMaxScaler().fit_transform(X),
        {"scikit-learn": lambda: sk.MinMaxScaler().fit_transform(X)},
        equal_within(1e-12),
    )


@workload(
    "{n} × {d}, rows to length 1",
    small=dict(n=150, d=4),
    typical=dict(n=5000, d=30),
    grow={"n": 150000, "d": 5},
)
def lpnorm(n=1200000, d=40):
    X = normal(n, d)
    return Case(
        lambda: Normalizer().fit_transform(X),
        {"scikit-learn": lambda: sk.Normalizer().fit_transform(X)},
        equal_within(1e-12),
    )


@workload(
    "{n} × {d} whole numbers, {levels} levels, dense",
    small=dict(n=200, d=4, levels=5),
    typical=dict(n=10000, d=10),
    grow={"n": 25000, "d": 3, "levels": 3},
)
def onehot(n=200000, d=20, levels=12):
    X = np.random.default_rng(0).integers(0, levels, size=(n, d))
    return Case(
        lambda: OneHotEncoder(sparse_output=False).fit_transform(X),
        {"scikit-learn": lambda: sk.OneHotEncoder(sparse_output=False).fit_transform(X)},
        equal_within(0),
    )


@workload(
    "{n} × {d}, {bins} bins of equal counts",
    small=dict(n=150, d=4, bins=4),
    typical=dict(n=10000),
    grow={"n": 37500, "d": 3, "bins": 5},
)
def bucketise(n=300000, d=20, bins=10):
    X = np.random.default_rng(0).normal(size=(n, d))

    def theirs():
        return sk.KBinsDiscretizer(
            bins, encode="ordinal", quantile_method="linear", subsample=None
        ).fit_transform(X)

    def feature_engine():
        from feature_engine.discretisation import EqualFrequencyDiscretiser

        return EqualFrequencyDiscretiser(q=bins).fit_transform(frame(X)).to_numpy()

    def agree(ours, peer, theirs):
        edges = bins * d if peer == "feature-engine" else 0  # its bins hold their right edge, ours the left
        return [("cells differing", differing(ours, theirs), edges)]

    return Case(
        lambda: KBinsDiscretizer(bins, encode="ordinal", quantile_method="linear").fit_transform(X),
        {"scikit-learn": theirs, "feature-engine": feature_engine},
        agree,
    )


def frame(X):
    """The table as a data frame, without a copy."""
    from pandas import DataFrame

    return DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])], copy=False)
