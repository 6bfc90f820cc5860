"""What the linear models share: the centred table that a fit with an intercept sees, and the prediction."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from helpers._checks import FLOATS, validate_data
from helpers._fast import faster
from helpers._linalg import dense
from helpers._tags import tagged


@dataclass
class Centred:
    """A regression problem without its means."""

    table: "Table"
    Y: np.ndarray  # (n, n_targets)
    y_mean: np.ndarray  # (n_targets,)
    y_is_1d: bool
    dtype: np.dtype


@tagged("input_tags", sparse=True)
@tagged("target_tags", multi_output=True)
class LinearRegressor(RegressorMixin, BaseEstimator):
    """``ŷ = X w + b``; what a subclass adds is how w is found."""

    def _centred(self, X, y, sample_weight):
        """Checked input without its means: the table, and the targets as (n, n_targets)."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS, multi_output=True, y_numeric=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        table = centred_table(X, sample_weight, self.fit_intercept)
        Y = y.reshape(len(y), -1).astype(float)
        means = weighted_mean(Y, table.roots**2) if self.fit_intercept else np.zeros(Y.shape[1])
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
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        return X @ self.coef_.T + self.intercept_


def weighted_mean(Z, s):
    """``sum_i s_i z_i / sum_i s_i`` of the rows of an array or a sparse matrix."""
    return Z.T @ s / s.sum()


@faster("tables")
def centred_table(X, weights=None, centre=True):
    """What a fit with an intercept (`centre`) and sample weights s sees: ``diag(√s)(X - 1 meanᵀ)``."""
    X, s = dense(X), np.ones(X.shape[0]) if weights is None else weights
    mean = weighted_mean(X, s) if centre else np.zeros(X.shape[1])
    A = X - mean if centre else X.astype(float, copy=False)
    return Table(A if weights is None else A * np.sqrt(s)[:, None], mean, np.sqrt(s))


@dataclass
class Table:
    """``X̃ = diag(√s)(X - 1 meanᵀ)``, written out in A."""

    A: np.ndarray  # (n, d)
    mean: np.ndarray  # (d,)
    roots: np.ndarray  # (n,), √s

    @property
    def shape(self):
        """(n, d)."""
        return self.A.shape

    def columns(self, chosen):
        """The same table with fewer columns."""
        return Table(self.A[:, chosen], self.mean[chosen], self.roots)

    def dense(self):
        """X̃ itself, (n, d)."""
        return self.A

    def normal_equations(self, Y):
        """``X̃ᵀX̃`` and ``X̃ᵀY``, (d, d) and (d, k)."""
        return self.A.T @ self.A, self.A.T @ Y

    def outer(self):
        """``X̃X̃ᵀ``, (n, n)."""
        return self.A @ self.A.T

    def correlate(self, R):
        """``X̃ᵀR``, (d, k)."""
        return self.A.T @ R

    def times(self, W):
        """``X̃W``, (n, k)."""
        return self.A @ W
