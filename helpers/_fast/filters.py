"""Sums over classes and columns: a block of rows at a time, and of sparse tables only what is stored."""

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import gen_batches

BLOCK = 2**17  # numbers of a block of rows: sums are taken while the rows are in the cache


def _class_sums(X, codes):
    if issparse(X):
        return (one_hot(codes).T @ csr_array(X, dtype=float)).toarray()
    sums = np.zeros((codes.max() + 1, X.shape[1]))
    for rows in row_blocks(X):
        sums += one_hot(codes[rows], len(sums)).T @ X[rows]
    return sums


def _between_and_within(X, codes):
    counts = np.bincount(codes)[:, None]
    shifted_sums = sparse_sums if issparse(X) else sums_near_means
    start, sums, squares = shifted_sums(X, codes, counts)
    means = start - start[0] + sums / counts  # (C, d), counted from start[0]
    grand = (counts * means).sum(axis=0) / len(codes)
    ssb = (counts * (means - grand) ** 2).sum(axis=0)
    return ssb, np.maximum(squares, 0)


def sums_near_means(X, codes, counts):
    """Per class ``start_c``, a value near its mean, and ``sum_i (x_i - start_c)``, both (C, d); SSE, (d,)."""
    start = np.array([column_middles(X, np.flatnonzero(codes == c)) for c in range(len(counts))], dtype=float)
    sums, squares = np.zeros_like(start), np.zeros(X.shape[1])
    for rows in row_blocks(X):
        Z = X[rows] - start[codes[rows]]  # exact where the two are close (Sterbenz)
        sums += one_hot(codes[rows], len(counts)).T @ Z
        squares += np.einsum("ij,ij->j", Z, Z)
    return start, sums, squares - (sums**2 / counts).sum(axis=0)  # about any start


def sparse_sums(X, codes, counts):
    """The same about 0, from what is stored: a cell that is not adds mean_c² to SSE."""
    sums, (values, i, j) = _class_sums(X, codes), stored_cells(X)
    means = sums / counts
    stored = _class_sums(csr_array((np.ones(len(i)), (i, j)), shape=X.shape), codes)
    squares = np.bincount(j, (values - means[codes[i], j]) ** 2, X.shape[1])
    return np.zeros_like(sums), sums, squares + ((counts - stored) * means**2).sum(axis=0)


def stored_cells(X):
    """What a sparse table stores: values, rows, columns."""
    cells = X.tocoo()
    cells.sum_duplicates()
    return cells.data, *cells.coords


def _products_and_squares(X, t, center):
    if issparse(X):
        X = X.astype(float)
        (n, d), means, (values, _, j) = X.shape, center * np.ravel(X.mean(axis=0)), stored_cells(X)
        squares = np.bincount(j, (values - means[j]) ** 2, d)
        return X.T @ t, squares + (n - np.bincount(j, minlength=d)) * means**2
    products, sums, squares = np.zeros((3, X.shape[1]))
    start = column_middles(X, np.arange(len(X))).astype(float) if center else sums.copy()
    for rows in row_blocks(X):
        Z = X[rows] - start
        products += t[rows] @ Z
        sums += np.ones(len(Z)) @ Z
        squares += np.einsum("ij,ij->j", Z, Z)
    return products, np.maximum(squares - center * sums**2 / len(X), 0)  # as for SSE: about any start


def column_middles(X, rows, at_most=101):
    """In every column the median of some of the rows: near the mean, and a value that the column holds."""
    some = rows[:: -(-len(rows) // at_most)]
    return np.sort(X[some], axis=0)[len(some) // 2]


def one_hot(codes, n_classes=None):
    """Sparse matrix with one 1 in each row: its products cost as much for a thousand classes as for two."""
    n = len(codes)
    return csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, n_classes or codes.max() + 1))


def row_blocks(X):
    return gen_batches(X.shape[0], max(1, BLOCK // X.shape[1]))
