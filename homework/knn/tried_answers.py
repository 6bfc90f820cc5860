"""Answers tried on homework 1, knn: what must be refused, and what is right in other words."""

import statistics
from fractions import Fraction
from math import dist

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from grading.tried_answers import promised, tried, twins
from homework.knn import questions as knn

tried(
    "knn.1",
    wrong=[[20, 22, 1, 1.5], [22, 20, 1.5, 1], [25, 22, 1.5, 1]],
    right=[(20, 22, 1.5, 1), np.array([20.0, 22.0, 1.5, 1.0]), [20.0, 22, 3 / 2, np.float64(1)]],
)


tried(
    "knn.2",
    wrong=[
        lambda labels: labels[0],
        max,
        min,
        lambda labels: int(np.median(labels)),
        lambda labels: np.mean(labels),
        lambda labels: min(labels, key=lambda label: (-labels.count(label), str(label))),
    ],
    right=[
        lambda labels: max(sorted(labels), key=labels.count),
        lambda labels: np.bincount(labels).argmax(),
        lambda labels: min(set(labels), key=lambda c: (-labels.count(c), c)),
        lambda labels: statistics.mode(sorted(labels)),
        lambda labels: min(statistics.multimode(labels)),
    ],
)


def _by_expansion(X, y, Q, k):
    """All squared distances by one matrix product, less what is the same for all rows."""
    X, Q = X.astype(float), Q.astype(float)
    D = (X**2).sum(axis=1) - 2 * Q @ X.T
    return [knn.most_frequent(y[o[:k]]) for o in np.argsort(D, axis=1, kind="stable")]


tried(
    "knn.3",
    wrong=[
        dict(first=1),
        dict(extra=1),
        dict(decide=max),
        dict(decide=lambda v: min(v, key=lambda label: (-list(v).count(label), str(label)))),
        dict(decide=lambda v: v[0]),
        lambda X, y, Q, k: np.full(len(Q), knn.most_frequent(y)),
        lambda X, y, Q, k: y[: len(Q)],
        dict(decide=knn.largest_of_tie),
        dict(sort=lambda d: np.argsort(d[::-1], kind="stable")),
        dict(distances=lambda X, q: (np.asarray(X, float) - q).sum(axis=1)),
        dict(distances=lambda X, q: np.abs(np.asarray(X, float) - q).max(axis=1)),
    ],
    right=[
        lambda X, y, Q, k: [
            knn.most_frequent(y[o[:k]]) for o in np.argsort(cdist(Q, X), axis=1, kind="stable")
        ],
        lambda X, y, Q, k: [
            knn.most_frequent([label for *_, label in sorted((dist(x, q), i, c) for i, (x, c) in rows)[:k]])
            for rows in [[*enumerate(zip(X.tolist(), y.tolist()))]]
            for q in Q.tolist()
        ],
        _by_expansion,
    ],
)


tried(
    "knn.4",
    wrong=[
        lambda d, y: (y / d**2).sum() / (1 / d**2).sum(),
        lambda d, y: (y / d).sum(),
        lambda d, y: y[d.argmin()],
        lambda d, y: (y / np.sqrt(d)).sum() / (1 / np.sqrt(d)).sum(),
        lambda d, y: np.median(y),
        lambda d, y: (y[d == 0].min() + y[d == 0].max()) / 2 if (d == 0).any() else knn.weighted_mean(d, y),
        lambda d, y: y[d == 0].sum() if (d == 0).any() else knn.weighted_mean(d, y),
    ],
    right=[
        lambda d, y: np.average(y, weights=1 / np.maximum(d, 1e-200)),
        lambda d, y: np.array(knn.weighted_mean(d, y)),
        lambda d, y: float(knn.weighted_mean(np.array(d), np.array(y))),
        lambda d, y: knn.weighted_mean(d.astype(np.float32), y.astype(np.float32)),
        lambda d, y: Fraction(float(knn.weighted_mean(d, y))),
    ],
)


tried("knn.5", wrong=[0.05, 0.95, 0.9, 0.1, 9 / 19, 10 / 19], right=[0, np.float64(0), np.array(0.0)])


tried(
    "knn.6",
    wrong=[
        lambda X, y, k: knn.loo_error(X, y, 1 if k > 1 else 3),
        lambda X, y, k: knn.loo_error(X, y, k + 1),
        lambda X, y, k: 0.5,
        lambda X, y, k: np.mean(y),
        lambda X, y, k: knn.loo_error(X[: len(X) // 2], y[: len(X) // 2], k),
        lambda X, y, k: knn.loo_error(X[:, :1], y, k),
        lambda X, y, k: knn.loo_error(-np.abs(X), y, k),
        lambda X, y, k: knn.loo_error(X, y, k, decide=max),
        lambda X, y, k: knn.loo_error(
            *(part[np.unique(X, axis=0, return_index=True)[1]] for part in (X, y)), k
        ),
        lambda X, y, k: knn.loo_error(X, y, k, decide=np.median),
        lambda X, y, k: knn.loo_error(
            X, y, k, decide=lambda v: min(v, key=lambda c: (-list(v).count(c), str(c)))
        ),
    ],
    right=[
        lambda X, y, k: np.mean(
            [knn.most_frequent(y[i]) for i in NearestNeighbors(n_neighbors=k).fit(X).kneighbors()[1]] != y
        ),
        lambda X, y, k: (
            sum(
                knn.most_frequent(np.delete(y, i)[np.argsort(cdist(X[i : i + 1], np.delete(X, i, 0))[0])[:k]])
                != y[i]
                for i in range(len(X))
            )
            / len(X)
        ),
        lambda X, y, k: np.array(knn.loo_error(X, y, k)),
    ],
)


tried(
    "knn.7",
    wrong=[
        lambda labels, truth: 0.5,
        lambda labels, truth: np.mean(labels[:, 0] == truth),
        lambda labels, truth: np.mean(labels[:, -1] == truth),
        lambda labels, truth: knn.committed_accuracy(labels, truth) * 60,
        lambda labels, truth: np.mean(labels.max(axis=1) == truth),
    ],
    right=[
        lambda labels, truth: np.mean((labels.mean(axis=1) > 0.5) == truth),
        lambda labels, truth: float(knn.committed_accuracy(labels.tolist(), truth.tolist())),
        lambda labels, truth: 1 - np.mean((labels.sum(axis=1) > 2) != truth),
    ],
)


tried(
    "knn.8",
    wrong=[
        ([1, 1], [2, 2], [0, 0]),
        ([0, 0], [0, 0], [0, 0]),
        ([4, 0], [2, 2], [0, 0]),
        [1, 2],
        "ab",
        ([3, 0], [2, 2], [0]),
        ([1, 0], [5, 5], [0, 0]),
        7,
    ],
    right=[
        np.array([[3, 0], [2, 2], [0, 0]]),
        ([[2, 2], [3, 0], [0, 0]]),
        ([4.0, 1.0], [3.0, 3.0], [1.0, 1.0]),
        ([3, 0, 0], [1.5, 1.5, 1.5], [0, 0, 0]),
    ],
)


tried(
    "knn.9",
    wrong=[lambda P: 1 - (P**2).mean(), lambda P: 1 - (P**2).sum(), lambda P: 0.75],
    right=[
        lambda P: np.mean([
            sum(p[a] * p[b] for a in range(len(p)) for b in range(len(p)) if a != b) for p in P
        ]),
        lambda P: float(1 - np.einsum("ij,ij->i", P, P).mean()),
        lambda P: (P * (1 - P)).sum(axis=1).mean(),
        lambda P: knn.limit_error(P.astype(np.float32)),
    ],
)


tried(
    "knn.10",
    wrong=[
        lambda X: X[:, 0] | X[:, 1],
        lambda X: np.arange(len(X)) % 2,
        lambda X: X[:, 0] & X[:, 1],
        lambda X: X.sum(axis=1),
        lambda X: [0, 1],
        lambda X: (X[:, :3].sum(axis=1) > 1).astype(int),
    ],
    right=[
        lambda X: np.logical_xor.reduce(X, axis=1),
        lambda X: [int(r.sum()) % 2 for r in X],
        lambda X: 1 - X.sum(axis=1) % 2,
        lambda X: X[:, 1:].sum(axis=1) % 2,
    ],
)


tried(
    "knn.11",
    wrong=[
        lambda X: knn.to_others(X).max() / knn.to_others(X).min() - 1,
        lambda X: np.median(np.ptp(knn.to_others(X), axis=1)),
        lambda X: np.ptp(X),
        lambda X: 3.5,
    ],
    right=[
        lambda X: np.median(knn.to_others(X).max(axis=1) / knn.to_others(X).min(axis=1) - 1),
        lambda X: np.array(knn.contrast(X)),
        lambda X: knn.contrast(X.astype(np.float32)),
    ],
)


tried(
    "knn.12",
    wrong=[
        lambda X, y, X_new: y[: len(X_new)],
        lambda X, y, X_new: np.zeros(len(X_new)),
        lambda X, y, X_new: [1],
        lambda X, y, X_new: np.full(len(X_new), 1),
        lambda X, y, X_new: (
            KNeighborsClassifier(7).fit(X, y).predict((X_new - X_new.mean(axis=0)) / X_new.std(axis=0))
        ),
        lambda X, y, X_new: KNeighborsClassifier(7).fit(X[:, -3:], y).predict(X_new[:, -3:]),
    ],
    right=[
        lambda X, y, X_new: knn.scaled_neighbours(X, y, X_new, k=11),
        lambda X, y, X_new: knn.scaled_neighbours(X, y, X_new, k=9).tolist(),
        lambda X, y, X_new: knn.scaled_neighbours(X[:, :13], y, X_new[:, :13], k=5),
    ],
)


tried(
    "knn.13",
    wrong=[
        r"\sum_{i=1}^k [y_i = c] / \sum_{i=1}^k 1 / d_i",
        r"\sum_{i=1}^k [y_i = c]",
        r"\frac{\sum_{i=1}^k [y_i = c] / d_i}{\sum_{i=1}^{k-1} 1 / d_i}",
        r"\max_i [y_i = c] / d_i",
        r"\frac{\sum_{i=1}^k y_i / d_i}{\sum_{i=1}^k 1 / d_i}",
        r"\frac{\sum_{i=1}^k [y_i = c] / d_i}{\sum_{i=1}^k [y_i = c]}",
        r"\frac{\sum_{i=1}^k [y_i = k] / d_i}{\sum_{i=1}^k 1 / d_i}",
        r"[y_i = c] / d_i",
        r"c",
        r"\frac{\sum_{i=1}^k",
    ],
    right=[
        r"\left(\sum_{j=1}^{k} \frac{1}{d_j}\right)^{-1} \sum_{l=1}^{k} \frac{[y_l = c]}{d_l}",
        r"\sum_i w_i [c = y_i], \quad w_i = \frac{1 / d_i}{\sum_j 1 / d_j}",
        r"\dfrac{ \sum\limits_{m = 1}^{k} d_{m}^{-1}\, [y_{m}=c] }{ \sum_m d_m^{-1} }",
        r"1 - \frac{\sum_i [y_i \neq c] / d_i}{\sum_i 1 / d_i}",
        r"$\sum_i \frac{[y_i = c]}{d_i \sum_j 1 / d_j}$",
    ],
)


def _tie(labels):
    counts = np.sort(np.unique(labels, return_counts=True)[1])
    return len(counts) > 1 and counts[-1] == counts[-2]


promised({
    "knn.2": {"Of equally frequent ones, the smallest": lambda labels: _tie(labels)},
    "knn.3": {
        "of equally frequent labels the smallest": lambda X, y, Q, k: any(
            _tie(y[np.argsort(d)[:k]]) for d in cdist(Q, X)
        ),
        "of equally near rows the one stored first": lambda X, y, Q, k: (
            np.diff(np.sort(cdist(Q, X))[:, k - 1 : k + 1]) == 0
        ).any(),
        "pictures (unsigned bytes)": lambda X, y, Q, k: X.dtype == Q.dtype == np.uint8,
        "labels that are not 0, 1, 2": lambda X, y, Q, k: not {*y} <= {*range(len({*y}))},
    },
    "knn.4": {"neighbours sit exactly on the query": lambda d, y: (d == 0).sum() > 2},
    "knn.6": {
        "Two rows may be equal: each is then another row for its twin": lambda X, y, k: twins(X),
        "(as in question 2)": lambda X, y, k: (
            knn.loo_error(X, y, k) != knn.loo_error(X, y, k, decide=knn.largest_of_tie)
        ),
    },
    "knn.7": {"at a tie, the smallest label": lambda labels, truth: any(map(_tie, labels))},
})
