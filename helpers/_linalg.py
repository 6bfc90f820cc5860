"""The few pieces of linear algebra that several families share."""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import issparse

from helpers._fast import faster


@faster("linalg")
def covariance(X, mean, ddof=1):
    """``sum_i (x_i - mean)(x_i - mean)ᵀ / (n - ddof)``; shape (d, d).

    Centring comes before the product: XᵀX - n·mean·meanᵀ loses its digits when the mean is far from 0. So the
    zeros of a sparse table are written out.
    """
    A = dense(X) - np.asarray(mean, float)  # float64 sums of float32 rows, too
    return A.T @ A / max(len(A) - ddof, 1)


def cross_covariance(X, x_mean, Y, y_mean, ddof=1):
    """``sum_i (x_i - x_mean)(y_i - y_mean)ᵀ / (n - ddof)``; shape (d_x, d_y)."""
    C = (X - np.asarray(x_mean, float)).T @ (Y - np.asarray(y_mean, float))
    return C / max(len(X) - ddof, 1)


def dense(X):
    """X, or the zeros of a sparse X written out."""
    return X.toarray() if issparse(X) else X


def largest_first(S):
    """Eigenvalues of a symmetric matrix, largest first, and its eigenvectors in the columns."""
    values, vectors = np.linalg.eigh(S)
    return values[::-1], vectors[:, ::-1]


def some_eigenpairs(S, first, last):
    """Eigenvalues number `first` to `last` of a symmetric matrix, smallest first, and their eigenvectors.

    LAPACK's search for a few finds none at all for some matrices with many equal eigenvalues, and does not
    say so: then all are computed.
    """
    values, V = eigh(S, subset_by_index=(first, last))
    if len(values) <= last - first:
        values, V = (part[..., first : last + 1] for part in np.linalg.eigh(S))
    return values, V


def fixed_signs(rows):
    """Every row times ±1, so that its largest entry (the first of nearly equal ones) is positive."""
    size = np.abs(rows)
    first = (size >= (1 - 1e-6) * size.max(axis=1, keepdims=True)).argmax(axis=1)
    return rows * np.where(rows[np.arange(len(rows)), first] < 0, -1, 1)[:, None]


def rank(values, size):
    """How many eigenvalues, largest first, stand out of rounding; `size` is the longer side of the matrix."""
    return int((values > max(0, values.max(initial=0)) * size * np.finfo(float).eps).sum())


def orthonormal_basis(X, with_ones=True):
    """Orthonormal columns (n, p) that span those of X and, `with_ones`, a column of ones.

    Every column is measured in its own length, so that p does not depend on units; a direction within the
    rounding of the columns (as they stand, far from 0 or not) is none.
    """
    A = X - X.mean(axis=0) if with_ones else X
    A = A - A.mean(axis=0) if with_ones else A  # the first mean was rounded
    size, length = np.linalg.norm(X, axis=0), np.linalg.norm(A, axis=0)
    varies = length > 1e-13 * size
    U, s, Vt = np.linalg.svd(A[:, varies] / length[varies], full_matrices=False)
    rounding = np.finfo(float).eps * np.linalg.norm(Vt * (size[varies] / length[varies]), axis=1)
    U = U[:, s > max(X.shape) * rounding]
    return np.column_stack([np.full(len(X), len(X) ** -0.5), U]) if with_ones else U


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
