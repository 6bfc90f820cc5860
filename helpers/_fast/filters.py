"""Sums over classes and columns: a block of rows at a time, and of sparse tables only what is stored."""

import numpy as np
from scipy.sparse import csr_array, issparse

from helpers._linalg import dense
from helpers._rows import row_batches


def _class_sums(X, codes):
    if issparse(X):
        return (one_hot(codes).T @ csr_array(X, dtype=float)).toarray()
    sums = np.zeros((codes.max() + 1, X.shape[1]))
    for rows in row_batches(*X.shape):
        sums += one_hot(codes[rows], len(sums)).T @ X[rows]
    return sums


def _within(X, codes, counts):
    start = starts(X, codes, counts)
    sums, squares = products_from(start, X, codes, one_hot(codes))
    offset = sums / counts
    return start, offset, np.maximum(squares - (sums * offset).sum(axis=0), 0)  # about any start


def _products_and_squares(X, t, center):
    n, one = len(t), np.zeros(len(t), int)
    start = starts(X, one, np.array([[n]])) * center
    (products, sums), squares = products_from(start, X, one, np.column_stack([t, np.ones(n)]))
    return products, np.maximum(squares - center * sums**2 / n, 0)


def products_from(start, X, codes, A):
    """``AᵀZ``, (m, d), and the squared lengths of Z's columns; Z is X less the `start` of a row's class."""
    if issparse(X):
        values, i, j = stored_cells(X)
        values = values - start[codes[i], j]
        Z = csr_array((values, (i, j)), shape=X.shape)
        return dense(A.T @ Z), np.bincount(j, values**2, X.shape[1])
    products, squares = np.zeros((A.shape[1], X.shape[1])), np.zeros(X.shape[1])
    for rows in row_batches(*X.shape):
        Z = X[rows] - (start[codes[rows]] if len(start) > 1 else start)  # exact where near (Sterbenz)
        products += A[rows].T @ Z
        squares += np.einsum("ij,ij->j", Z, Z)
    return products, squares


def starts(X, codes, counts):
    """In every class and column a value near the mean, (C, d): 0 where a sparse table leaves cells out."""
    if not issparse(X):
        return np.array(
            [column_middles(X, np.flatnonzero(codes == c)) for c in range(len(counts))], dtype=float
        )
    values, i, j = stored_cells(X)
    start, stored = np.zeros((2, len(counts), X.shape[1]))
    start[codes[i], j] = values
    np.add.at(stored, (codes[i], j), 1)
    return np.where(stored < counts, 0, start)


def stored_cells(X):
    """What a sparse table stores: values, rows, columns."""
    cells = X.tocoo()
    cells.sum_duplicates()
    return cells.data.astype(float), *cells.coords


def column_middles(X, rows, at_most=101):
    """In every column the median of some of the rows: near the mean, and a value that the column holds."""
    some = rows[:: -(-len(rows) // at_most)]
    return np.sort(X[some], axis=0)[len(some) // 2]


def one_hot(codes, n_classes=None):
    """Sparse matrix with one 1 in each row: its products cost as much for a thousand classes as for two."""
    n = len(codes)
    return csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, n_classes or codes.max() + 1))
