"""A centred sparse table that is never written out."""

import numpy as np
from scipy.sparse import issparse

from helpers._rows import row_batches
from helpers.linear_model import _base


def centred_table(X, weights=None, centre=True):
    """Dense tables are left to the plain one."""
    if not issparse(X):
        return NotImplemented
    X, s = X.astype(float), np.ones(X.shape[0]) if weights is None else weights
    mean = _base.weighted_mean(X, s) if centre else np.zeros(X.shape[1])
    return SparseTable(X.multiply(np.sqrt(s)[:, None]).tocsr(), mean, np.sqrt(s))


class SparseTable(_base.Table):
    """X̃ as the sparse ``S = diag(√s) X`` minus the rank-one ``√s meanᵀ``; A holds S."""

    def columns(self, chosen):
        """The same table with fewer columns."""
        return SparseTable(self.A[:, chosen], self.mean[chosen], self.roots)

    def dense(self):
        """X̃ itself, (n, d)."""
        return self.A.toarray() - np.outer(self.roots, self.mean)

    def normal_equations(self, Y):
        """Written out a batch at a time: SᵀS - (sum s) mean meanᵀ has no digits left where means are
        large."""
        G, C = np.zeros((self.shape[1],) * 2), np.zeros((self.shape[1], Y.shape[1]))
        for rows in row_batches(*self.shape):
            A = self.A[rows].toarray() - np.outer(self.roots[rows], self.mean)
            G, C = G + A.T @ A, C + A.T @ Y[rows]
        return G, C

    def outer(self):
        """The same with a batch of columns."""
        S, K = self.A.tocsc(), 0
        for some in row_batches(S.shape[1], S.shape[0]):
            A = S[:, some].toarray() - np.outer(self.roots, self.mean[some])
            K = K + A @ A.T
        return K

    def correlate(self, R):
        """``X̃ᵀR``, (d, k)."""
        return self.A.T @ R - np.multiply.outer(self.mean, self.roots @ R)

    def times(self, W):
        """``X̃W``, (n, k)."""
        return self.A @ W - np.multiply.outer(self.roots, self.mean @ W)
