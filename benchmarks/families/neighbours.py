"""Nearest neighbours, chapter 1. The fit only stores the rows: the prediction is timed."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier as Theirs

from benchmarks.families.data import classes, digits
from benchmarks.workload import Case, same, workload
from helpers.neighbors import KNeighborsClassifier


@workload(
    "{n} × {d}, {queries} queries, k = {k}, {c} classes",
    small=dict(n=150, d=4, c=2, queries=50),
    typical=dict(n=1500, d=20, queries=500),
    grow={"n": 2500, "d": 16, "k": 5},
)
def knn(n=20000, d=64, queries=5000, k=5, c=5):
    X, y = classes(n + queries, d, c)
    A, a, Q = X[:n], y[:n], X[n:]
    ours, theirs = KNeighborsClassifier(k).fit(A, a), Theirs(k).fit(A, a)
    return Case(lambda: ours.predict(Q), {"scikit-learn": lambda: theirs.predict(Q)}, same)


@workload(
    "digits, {n} rows, {queries} queries, k = {k}, votes weighted by 1 / distance",
    small=dict(n=200, queries=50),
    typical=dict(queries=500),
    grow={"queries": 3750, "k": 5},
)
def knn_digits(n=1297, queries=30000, k=5):
    X, y = digits()
    Q = np.tile(X[1297:], (60, 1))[:queries]
    ours, theirs = (make(k, weights="distance").fit(X[:n], y[:n]) for make in (KNeighborsClassifier, Theirs))
    return Case(lambda: ours.predict(Q), {"scikit-learn": lambda: theirs.predict(Q)}, same)
