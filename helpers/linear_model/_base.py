"""What the linear models share: the centred table that a fit with an intercept sees, and the prediction."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

BLOCK = 2**20  # numbers held at a time: a dense table is centred block by block, never copied whole


@dataclass
class Centred:
    """A regression problem without its means."""

    table: "DenseTable"
    Y: np.ndarray  # (n, n_targets)
    y_mean: np.ndarray  # (n_targets,)
    y_is_1d: bool
    dtype: np.dtype


class LinearRegressor(RegressorMixin, BaseEstimator):
    """``ŷ = X w + b``; what a subclass adds is how w is found."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        return tags

    def _centred(self, X, y, sample_weight):
        """Checked input without its means: the table, and the targets as (n, n_targets)."""
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], multi_output=True, y_numeric=True
        )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        table = centred_table(X, sample_weight, self.fit_intercept)
        Y = y.reshape(len(y), -1).astype(float)
        means = table.weighted_mean(Y) if self.fit_intercept else np.zeros(Y.shape[1])
        return Centred(table, (Y - means) * table.roots[:, None], means, y.ndim == 1, X.dtype)

    def _keep(self, data, W):
        """Store the weights W, (n_features, n_targets), and the intercept ``b = ȳ - x̄·w``."""
        b = data.y_mean - data.table.mean @ W if self.fit_intercept else np.zeros(1)
        self.coef_ = np.ascontiguousarray(W.T if W.shape[1] > 1 else W[:, 0]).astype(data.dtype)
        one_number = data.y_is_1d or not self.fit_intercept
        self.intercept_ = b.astype(data.dtype)[0] if one_number else b.astype(data.dtype)
        return self

    def predict(self, X):
        """``X w + b``; shape (n,) or (n, n_targets)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        return X @ self.coef_.T + self.intercept_


def centred_table(X, weights=None, centre=True):
    """What a fit with an intercept (`centre`) and sample weights s sees: ``diag(√s)(X - 1 meanᵀ)``."""
    roots = np.ones(X.shape[0]) if weights is None else np.sqrt(weights)
    kind = SparseTable if issparse(X) else DenseTable
    table = kind(X, np.zeros(X.shape[1]), roots, weights is None)
    if centre:
        table.mean = table.weighted_mean(X)
    return table


class DenseTable:
    """``X̃ = diag(√s)(X - 1 meanᵀ)`` in blocks of rows: products of X̃ without a copy of X."""

    def __init__(self, X, mean, roots, even):
        self.X, self.mean, self.roots, self.even = X, mean, roots, even
        self.shape = X.shape

    def weighted_mean(self, Z):
        """``sum_i s_i z_i / sum_i s_i``."""
        return Z.mean(axis=0, dtype=float) if self.even else np.average(Z, axis=0, weights=self.roots**2)

    def columns(self, chosen):
        """The same table with fewer columns."""
        return type(self)(self.X[:, chosen], self.mean[chosen], self.roots, self.even)

    def blocks(self):
        """Slices of rows and what stands in them."""
        n, d = self.shape
        plain = self.even and self.X.dtype == float and not self.mean.any()
        step = n if plain else max(1, BLOCK // d)
        for rows in (slice(s, s + step) for s in range(0, n, step)):
            A = self.X[rows] if plain else self.X[rows] - self.mean
            yield rows, A if self.even else A * self.roots[rows, None]

    def dense(self):
        """X̃ itself, (n, d)."""
        return np.concatenate([A for _, A in self.blocks()])

    def normal_equations(self, Y):
        """``X̃ᵀX̃`` and ``X̃ᵀY``, (d, d) and (d, k), in one pass."""
        G, C = 0, 0
        for rows, A in self.blocks():
            G, C = G + A.T @ A, C + A.T @ Y[rows]
        return G, C

    def outer(self):
        """``X̃X̃ᵀ``, (n, n)."""
        A = self.dense()
        return A @ A.T

    def correlate(self, R):
        """``X̃ᵀR``, (d, k)."""
        return sum(A.T @ R[rows] for rows, A in self.blocks())

    def times(self, W):
        """``X̃W``, (n, k)."""
        return np.concatenate([A @ W for _, A in self.blocks()])


class SparseTable(DenseTable):
    """X̃ as the sparse ``diag(√s) X`` minus the rank-one ``√s meanᵀ``, which is never written out."""

    def __init__(self, X, mean, roots, even):
        super().__init__(X, mean, roots, even)
        self.S = X.astype(float) if even else X.astype(float).multiply(roots[:, None]).tocsr()

    def weighted_mean(self, Z):
        """``sum_i s_i z_i / sum_i s_i``."""
        s = self.roots**2
        return np.asarray(Z.T @ s if issparse(Z) else s @ Z).T / s.sum()

    def dense(self):
        """X̃ itself, (n, d)."""
        return self.S.toarray() - np.outer(self.roots, self.mean)

    def normal_equations(self, Y):
        """``X̃ᵀX̃ = SᵀS - (sum s) mean meanᵀ`` and ``X̃ᵀY``."""
        G = (self.S.T @ self.S).toarray() - (self.roots @ self.roots) * np.outer(self.mean, self.mean)
        return G, self.correlate(Y)

    def outer(self):
        """``X̃X̃ᵀ``, (n, n)."""
        cross = np.outer(self.S @ self.mean, self.roots)
        constant = (self.mean @ self.mean) * np.outer(self.roots, self.roots)
        return (self.S @ self.S.T).toarray() - cross - cross.T + constant

    def correlate(self, R):
        """``X̃ᵀR``, (d, k)."""
        return self.S.T @ R - np.multiply.outer(self.mean, self.roots @ R)

    def times(self, W):
        """``X̃W``, (n, k)."""
        return self.S @ W - np.multiply.outer(self.roots, self.mean @ W)
