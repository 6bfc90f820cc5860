"""Many classes from judges of two, chapter 11: fit and predict."""

import numpy as np
from sklearn.linear_model import RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier as TheirPairs
from sklearn.multiclass import OutputCodeClassifier as TheirCode

from benchmarks.families.data import noisy_digits
from benchmarks.workload import Case, same, workload
from helpers.multiclass import OneVsOneClassifier, OutputCodeClassifier


def some_digits(n, d):
    """Rows of all copies alike."""
    X, y = noisy_digits(6)
    rows = np.arange(len(y)) if n == len(y) else np.random.default_rng(0).permutation(len(y))[:n]
    return X[rows, -d:], y[rows]


@workload(
    "digits and 5 noisy copies, {n} × {d}, 45 ridge judges",
    small=dict(n=200, d=16),
    typical=dict(n=1797),
    grow={"n": 1347, "d": 8},
)
def ovo(n=10782, d=64):
    X, y = some_digits(n, d)
    return Case(
        lambda: OneVsOneClassifier(RidgeClassifier(1.0)).fit(X, y).predict(X),
        {"scikit-learn": lambda: TheirPairs(RidgeClassifier(1.0)).fit(X, y).predict(X)},
        same,
    )


@workload(
    "digits and 5 noisy copies, {n} × {d}, {size} columns of code a class, ridge",
    small=dict(n=200, d=16, size=2),
    typical=dict(n=1797),
    grow={"n": 1347, "d": 8, "size": 2},
)
def ecoc(n=10782, d=64, size=6):
    X, y = some_digits(n, d)

    def theirs():
        return TheirCode(RidgeClassifier(1.0), code_size=size, random_state=0).fit(X, y)

    code = theirs().code_book_  # the same words for both
    return Case(
        lambda: OutputCodeClassifier(RidgeClassifier(1.0), code=code).fit(X, y).predict(X),
        {"scikit-learn": lambda: theirs().predict(X)},
        same,
    )
