"""Nearest neighbours, chapter 1. The fit only stores the rows: the prediction is timed."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier as Theirs

from benchmarks.families.data import classes, digits
from benchmarks.workload import Case, same, workload
from helpers.neighbors import KNeighborsClassifier


@workload("20000 × 64, 5000 queries, k = 5, 5 classes", grow={"n": 2500, "d": 16, "k": 5})
def knn(n=20000, d=64, k=5):
    X, y = classes(n + 5000, d, 5)
    A, a, Q = X[:n], y[:n], X[n:]
    ours, theirs = KNeighborsClassifier(k).fit(A, a), Theirs(k, algorithm="brute").fit(A, a)
    return Case(lambda: ours.predict(Q), {"scikit-learn (brute)": lambda: theirs.predict(Q)}, same)


@workload(
    "digits, 1297 rows, 30000 queries, k = 5, votes weighted by 1 / distance", grow={"queries": 3750, "k": 5}
)
def knn_digits(queries=30000, k=5):
    X, y = digits()
    Q = np.tile(X[1297:], (60, 1))[:queries]
    ours, theirs = (
        make(k, weights="distance").fit(X[:1297], y[:1297]) for make in (KNeighborsClassifier, Theirs)
    )
    return Case(lambda: ours.predict(Q), {"scikit-learn": lambda: theirs.predict(Q)}, same)
