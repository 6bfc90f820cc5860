"""The few pieces of linear algebra that several families share."""

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.sparse import issparse

BLOCK = 2**18  # numbers of a block of rows: centring never copies the whole table, and a block fits the cache


def covariance(X, mean, ddof=1):
    """``sum_i (x_i - mean)(x_i - mean)ᵀ / (n - ddof)``, block by block; shape (d, d).

    Centring comes before the product: XᵀX - n·mean·meanᵀ loses its digits when the mean is far from 0. So the
    rows of a CSR table are written out, a block at a time. S is symmetric: only one triangle is summed.
    """
    d, mean = X.shape[1], np.asarray(mean, float)  # float64 sums of float32 rows, too
    S = np.zeros((d, d), order="F")
    for rows in blocks(X.shape[0], d):
        S = dsyrk(
            1.0, (dense(X[rows]) - mean).T, beta=1.0, c=S, overwrite_c=True
        )  # S += AᵀA, above the diagonal
    return (np.triu(S) + np.triu(S, 1).T) / max(X.shape[0] - ddof, 1)


def cross_covariance(X, x_mean, Y, y_mean, ddof=1):
    """``sum_i (x_i - x_mean)(y_i - y_mean)ᵀ / (n - ddof)``; shape (d_x, d_y)."""
    x_mean, y_mean = np.asarray(x_mean, float), np.asarray(y_mean, float)
    C = np.zeros((X.shape[1], Y.shape[1]))
    for rows in blocks(X.shape[0], max(C.shape)):
        C += (X[rows] - x_mean).T @ (Y[rows] - y_mean)
    return C / max(X.shape[0] - ddof, 1)


def blocks(n, d):
    """Slices of n rows of d numbers, about BLOCK numbers each."""
    step = max(1, BLOCK // d)
    return (slice(start, start + step) for start in range(0, n, step))


def dense(X):
    """X, or the zeros of a sparse X written out."""
    return X.toarray() if issparse(X) else X


def largest_first(S):
    """Eigenvalues of a symmetric matrix, largest first, and its eigenvectors in the columns."""
    values, vectors = np.linalg.eigh(S)
    return values[::-1], vectors[:, ::-1]


def fixed_signs(rows):
    """Every row times ±1, so that its largest entry (the first of nearly equal ones) is positive."""
    size = np.abs(rows)
    first = (size >= (1 - 1e-6) * size.max(axis=1, keepdims=True)).argmax(axis=1)
    return rows * np.where(rows[np.arange(len(rows)), first] < 0, -1, 1)[:, None]


def rank(values, size):
    """How many eigenvalues, largest first, stand out of rounding; `size` is the longer side of the matrix."""
    return int((values > values[0] * size * np.finfo(float).eps).sum()) if values[0] > 0 else 0


def whitening(S, size, mean=0.0):
    """``W = P Λ^(-1/2)`` from ``S = P Λ Pᵀ``, so that ``Wᵀ S W = I``; shape (d, r), (3.8).

    Directions without variance are left out, so r is the rank of S. Every feature is first measured in its
    own standard deviation: the rank then does not depend on units. A deviation within the rounding of the
    feature's `mean` is none.
    """
    spread = np.sqrt(np.diag(S))
    unit = np.where(spread > np.abs(mean) * size * np.finfo(float).eps, spread, np.inf)
    values, P = largest_first(S / unit / unit[:, None])
    r = rank(values, size)
    return P[:, :r] / np.sqrt(values[:r]) / unit[:, None]
