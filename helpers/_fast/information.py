"""Mutual information of many columns: one table of counts for all, and neighbours on a line by sorting."""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial import KDTree
from scipy.special import digamma, rel_entr
from sklearn.utils import gen_batches

CELLS, ROWS = 2**22, 2**10  # cells of a block of columns, and its rows that are counted at a time


# ---------------------------------------------------------------- discrete columns
def _discrete_scores(X, codes):
    if not X.shape[1]:
        return NotImplemented
    blocks = [X[:, columns] for columns in gen_batches(X.shape[1], max(1, CELLS // X.shape[0]))]
    return np.concatenate([information(B.toarray() if issparse(B) else B, codes) for B in blocks])


def information(X, codes):
    """All (level, class) pairs of all columns in one table: each level of each column is a row of it."""
    numbers, lowest, n_levels = whole_levels(X)  # (n, d), (d,), (d,)
    n_classes, end = codes.max() + 1, n_levels.cumsum()
    first = end - n_levels  # a column's first row in the table
    counts = np.zeros(end[-1] * n_classes)
    for rows in gen_batches(len(X), ROWS):
        pairs = (numbers[rows] + (first - lowest)) * n_classes + codes[rows, None]
        counts += np.bincount(pairs.ravel(), minlength=len(counts))
    P = counts.reshape(-1, n_classes) / len(X)  # p(x, y)
    product = P.sum(axis=1, keepdims=True) * (np.bincount(codes) / len(X))
    return np.maximum(np.add.reduceat(rel_entr(P, product).sum(axis=1), first), 0)


def whole_levels(X):
    """Levels as whole numbers, the smallest in every column, and how many lie between it and the largest.

    A level in between that never occurs adds nothing to a sum over levels, so whole numbers stay as they are
    unless they are spread widely; anything else is numbered by sorting.
    """
    whole = X.dtype.kind in "iub" or (np.abs(X) < 2**31).all() and (X == np.rint(X)).all()
    if whole:
        lowest, highest = X.min(axis=0).astype(np.int64), X.max(axis=0).astype(np.int64)
        if (highest - lowest).max() <= len(X):
            return X.astype(np.int64, copy=False), lowest, highest - lowest + 1
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
    return codes, np.zeros(X.shape[1], dtype=int), codes.max(axis=0) + 1


# ---------------------------------------------------------------- neighbours on a line
def _ross(x, labels, k):
    codes = np.unique(labels, return_inverse=True)[1]
    order = np.argsort(x)
    order = order[np.bincount(codes)[codes[order]] > 1]
    if not len(order):
        return 0.0
    x, codes = x[order], codes[order]  # from here on sorted by x
    counts, r = np.bincount(codes), np.empty(len(x))
    ks = np.minimum(k, counts - 1)
    for c in np.flatnonzero(counts):
        r[codes == c] = kth_distance(x[codes == c], ks[c])
    psi = digamma(np.arange(len(x) + 1))  # a table: the same few whole numbers come again and again
    m = how_many_nearer(x, x, r)
    return max(0.0, psi[len(x)] + psi[ks[codes]].mean() - psi[counts[codes]].mean() - psi[m].mean())


def _counts_nearer(x, y, k):
    plane = np.column_stack([x, y])
    r = KDTree(plane).query(plane, k=[k + 1], p=np.inf)[0][:, 0]
    return tuple(how_many_nearer(np.sort(v), v, r) for v in (x, y))


def kth_distance(v, k):
    """Distance from every value of a sorted array to its k-th nearest other value.

    The value and its k nearest are k + 1 neighbours in a row, and its farther end is the k-th. So: the least
    distance to the farther end, over the rows of k + 1 that contain the value.
    """
    r = np.full(len(v), np.inf)
    for before in range(k + 1):  # the row begins so many places before the value
        i = slice(before, len(v) - k + before)
        first, last = v[: len(v) - k], v[k:]
        r[i] = np.minimum(r[i], np.maximum(v[i] - first, last - v[i]))
    return r


def how_many_nearer(v, x, r):
    """For every x how many of the sorted values v have ``|x - v| < r``."""
    low, high = np.searchsorted(v, x - r, "right"), np.searchsorted(v, x + r, "left")
    # x ± r is rounded, so the value on either side of each end is looked at once more
    low -= (low > 0) & (x - v[low - 1] < r)
    low += x - v[np.minimum(low, len(v) - 1)] >= r
    high += (high < len(v)) & (v[np.minimum(high, len(v) - 1)] - x < r)
    high -= v[high - 1] - x >= r
    return high - low
