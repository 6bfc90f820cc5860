"""The nearest rows sooner: few candidates by a matrix product or a k-d tree, and bounded memory."""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial import KDTree
from sklearn.utils import gen_batches

from helpers.neighbors import _nearest as nearest

BLOCK = 2**21  # distances held at a time: memory stays bounded however many queries come
SPARE = 4  # candidates of the screen beyond the k asked for
all_distances = nearest.plain


def _nearest(X, Q, k, p):
    search, step = quickest_search(X, Q, k, p), max(1, BLOCK // X.shape[0])
    blocks = [search(Q[rows], k) for rows in gen_batches(Q.shape[0], step)]
    return tuple(np.concatenate(parts) for parts in zip(*blocks))


def quickest_search(X, Q, k, p):
    """The function (queries, k) that finds the nearest rows of X soonest; all find the same."""
    dense, (n, d) = not (issparse(X) or issparse(Q)), X.shape
    if dense and d > 3 and p == 2 and group_size(n, k) >= 8:  # many more rows than candidates
        return Screen(X, k)
    if dense and d <= 3 and k < n:  # one row more than asked for: does the last distance tie with the next?
        return Tree(X, p)
    return lambda queries, k: all_distances(X, queries, k, p)


def group_size(n, k):
    """The g for which n / g minima and (k + SPARE) g members are fewest."""
    return int(np.sqrt(n / (k + SPARE)))


class Screen:
    """Nearest rows by a float32 matrix product, ``|x|² - 2 x·q`` (1.2), and a certificate.

    The product proposes k + SPARE candidates, exact distances rank them. The rounding error of the screen is
    bounded, so a query whose k-th exact distance does not lie clearly below the best row left out is known,
    and is searched again among all rows. The rows stand in groups of g: the m smallest values lie in the m
    groups with the smallest minima, so few of the n values need ranking.
    """

    def __init__(self, X, k):
        n, d = X.shape
        self.g = group_size(n, k)
        self.X, self.centre = X, X.mean(axis=0, dtype=float)  # centred coordinates round less
        A = X - self.centre
        self.unit = np.abs(A).max() or 1.0  # and float32 neither overflows nor vanishes
        A /= self.unit
        squared = np.einsum("ij,ij->i", A, A)
        self.reach, self.rounding = squared.max(), 4 * (d + 3) * 2.0**-24
        layers = np.zeros((-(-n // self.g), self.g, d + 1), np.float32)
        rows = layers.reshape(-1, d + 1)  # (-2x, |x|²), padded with inf
        rows[:n, :d], rows[:n, d], rows[n:, d] = -2 * A, squared, np.inf
        self.screen = layers.transpose(1, 0, 2).reshape(-1, d + 1)  # layer r: member r of every group

    def __call__(self, Q, k):
        q = (Q - self.centre) / self.unit
        q2 = np.einsum("ij,ij->i", q, q)
        candidates, best_left_out = self._candidates(q, k + SPARE)
        D2 = (np.subtract(self.X[candidates], Q[:, None], dtype=float) ** 2).sum(axis=2)  # uint8 would wrap
        lengths = np.sqrt(D2)
        order = np.lexsort((candidates, lengths))[:, :k]
        lengths, near = np.take_along_axis(lengths, order, 1), np.take_along_axis(candidates, order, 1)
        error = self.rounding * (2 * np.sqrt(self.reach * q2) + self.reach + 2.0**-26 * q2)
        certain = (lengths[:, -1] / self.unit) ** 2 - q2 + error < best_left_out
        uncertain = ~(certain & np.isfinite(best_left_out))  # float32 overflows where a query is very far
        if uncertain.any():
            lengths[uncertain], near[uncertain] = all_distances(self.X, Q[uncertain], k, 2)
        return lengths, near

    def _candidates(self, q, m):
        """Rows with the m smallest screened values, and a bound that no other row falls below."""
        with np.errstate(over="ignore", invalid="ignore"):
            q1 = np.column_stack([q, np.ones(len(q))]).astype(np.float32)
            S = (q1 @ self.screen.T).reshape(len(q), self.g, -1)  # (queries, member, group)
        groups = columns_of_smallest(S.min(axis=1), m)[:, :, None]
        members, flat = np.arange(self.g), (len(q), m * self.g)
        values = S[np.arange(len(q))[:, None, None], members, groups].reshape(flat)
        rows = (groups * self.g + members).reshape(flat)
        keep = columns_of_smallest(values, m)
        return np.take_along_axis(rows, keep, 1), np.take_along_axis(values, keep, 1).max(axis=1)


def columns_of_smallest(A, m):
    """Where the m smallest numbers of every row stand, in no order.

    NumPy partitions values sooner than places; a row with a tie at the m-th, or a NaN, finds more than m.
    """
    kth = np.partition(A, m - 1, axis=1)[:, m - 1, None]
    row, column = np.divmod(np.flatnonzero(~(A > kth)), A.shape[1])
    clear = np.bincount(row) == m
    columns = np.empty((len(A), m), np.intp)
    columns[clear] = column[clear[row]].reshape(-1, m)
    columns[~clear] = np.argpartition(A[~clear], m - 1, axis=1)[:, :m]
    return columns


class Tree:
    """Nearest rows by a k-d tree, for up to 3 features; (nearly) equal distances are searched again."""

    def __init__(self, X, p):
        self.X, self.p, self.tree = X, p, KDTree(X)

    def __call__(self, Q, k):
        lengths, near = self.tree.query(Q, k + 1, p=self.p)
        tied = (lengths[:, :-1] >= (1 - 1e-12) * lengths[:, 1:]).any(axis=1)
        lengths, near = lengths[:, :-1], near[:, :-1]
        if tied.any():  # the row stored first comes first
            lengths[tied], near[tied] = all_distances(self.X, Q[tied], k, self.p)
        return lengths, near
