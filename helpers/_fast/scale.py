"""Moments and extremes of columns in one pass over the table."""

import numpy as np

from helpers._rows import row_batches
from helpers.preprocessing.scale import deviations

LONG = 2**10  # numbers of a row that is long enough for numpy: 8 KiB


def extreme(X, better):
    """Short rows meet k at a time, laid end to end: numpy compares few long rows faster than many short
    ones."""
    n, d = X.shape
    k = max(1, min(n, LONG // d)) if X.flags.c_contiguous else 1
    whole = n - n % k
    best = better.reduce(X[:whole].reshape(-1, k, d))
    return better.reduce(np.vstack([best, X[whole:]]))


def moments(X, weights):
    """In one pass: batches are merged by Chan's formula.

    Two groups with means m, b and squared deviations Q, R merge to ``m + δ s`` and ``Q + R + δ² w s``,
    where δ = b - m, w is the weight of the first and s the share of the second. All is measured from the
    first batch's mean.
    """
    w, m, Q = np.zeros((3, X.shape[1]))
    batches = list(row_batches(*X.shape))
    origin = _deviations(X[batches[0]], weights[batches[0]])[1]
    for rows in batches:
        v, b, R = _deviations(X[rows] - origin, weights[rows])
        share = np.divide(v, w + v, out=np.zeros_like(v), where=v > 0)
        delta = b - m
        m, Q, w = m + delta * share, Q + R + delta**2 * w * share, w + v
    Q = np.divide(Q, w, out=np.full_like(Q, np.nan), where=w > 0)
    return w, np.where(w > 0, origin + m, np.nan), Q


def _deviations(A, weights):
    """Without a look for blanks where no mean is one."""
    total = weights.sum()
    mean = weights @ A / total if total else np.full(A.shape[1], np.nan)
    if np.isnan(mean).any():
        return deviations(A, weights)
    return np.full(len(mean), total), mean, weights @ (A - mean) ** 2
