"""PCA: the orthogonal directions along which centred data varies most, chapter 2."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from helpers._checks import FLOATS, validate_data
from helpers._linalg import covariance, dense, fixed_signs, largest_first, rank
from helpers._tags import tagged

__all__ = ["PCA"]


@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
@tagged("input_tags", sparse=True)
class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Principal component analysis: ``S w = λ w`` for the covariance S (2.9), largest λ first (2.11).

    Short version: chapter 2, `principal_components`.

    Parameters
    ----------
    n_components : int, float in (0, 1) or None
        How many axes are kept: k of them; the fewest that keep the share t of the variance (2.17); or all
        that carry variance.
    solver : 'auto', 'covariance', 'gram' or 'svd'
        'covariance': eigenvectors of S, (d, d). 'gram': of the (n, n) matrix of inner products, for n ≪ d
        (2.15). 'svd': singular vectors of the centred table, the most exact. 'auto': 'gram' when n < d, else
        'covariance'. Sparse rows stay so for 'covariance' (a block at a time is written out), not for the
        other two.
    whiten : bool
        Divide every score by its standard deviation.

    Attributes
    ----------
    mean_ : array of shape (d,)
    components_ : array of shape (k, d), orthonormal rows; in each the largest entry is positive
    explained_variance_ : array of shape (k,), divisor n - 1, in squared units of X
    explained_variance_ratio_ : array of shape (k,)
    singular_values_ : array of shape (k,), of the centred table
    n_components_ : int

    Raises
    ------
    ValueError
        More components than directions with variance, a threshold outside (0, 1), no variance at all.

    References
    ----------
    Pearson, On lines and planes of closest fit, Phil. Mag. 2, 1901. Hotelling, J. Educ. Psychol. 24, 1933.

    Examples
    --------
    >>> X = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]
    >>> PCA(n_components=1).fit_transform(X).round(3)
    array([[-1.414],
           [ 0.   ],
           [ 1.414]])
    """

    def __init__(self, n_components=None, *, solver="auto", whiten=False):
        self.n_components = n_components
        self.solver = solver
        self.whiten = whiten

    def fit(self, X, y=None):
        """Find the mean and the axes."""
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, ensure_min_samples=2)
        mean = np.asarray(X.mean(axis=0, dtype=float)).ravel()  # (d,)
        values, axes = self._solver(X)(X, mean)  # (r,), the first k axes (k, d)
        if not len(values) or _all_alike(X):
            raise ValueError("X has no variance: every row is the same. Give rows that differ.")
        total = values.sum()
        k = self._how_many(values / total, X.shape)
        self.mean_ = mean.astype(X.dtype)
        self.components_ = fixed_signs(axes(k)).astype(X.dtype)
        self.explained_variance_ = values[:k].astype(X.dtype)
        self.explained_variance_ratio_ = (values[:k] / total).astype(X.dtype)
        self.singular_values_ = np.sqrt(self.explained_variance_ * (X.shape[0] - 1))
        self.n_components_ = k
        return self

    def transform(self, X):
        """Scores ``z = Wᵀ(x - mean)``, eq. (2.13); shape (n, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        W = self.components_.T
        Z = X @ W - self.mean_ @ W if issparse(X) else (X - self.mean_) @ W
        return Z / np.sqrt(self.explained_variance_) if self.whiten else Z

    def inverse_transform(self, Z):
        """Back to the features, ``x̂ = mean + W z``, eq. (2.13); shape (n, d)."""
        check_is_fitted(self)
        Z = np.asarray(Z) * np.sqrt(self.explained_variance_) if self.whiten else np.asarray(Z)
        return Z @ self.components_ + self.mean_

    @property
    def _n_features_out(self):
        return self.n_components_

    def _solver(self, X):
        solvers = {"covariance": _by_covariance, "gram": _by_gram, "svd": _by_svd}
        if self.solver == "auto":
            return _by_gram if X.shape[0] < X.shape[1] else _by_covariance
        if self.solver not in solvers:
            raise ValueError(f"solver={self.solver!r}: use 'auto', {', '.join(map(repr, solvers))}.")
        return solvers[self.solver]

    def _how_many(self, shares, shape):
        k = self.n_components
        if k is None:
            return len(shares)
        if isinstance(k, (float, np.floating)):
            if not 0 < k < 1:
                raise ValueError(
                    f"n_components={k}: a share of variance lies between 0 and 1; for a number of axes "
                    "give an int."
                )
            return int((shares.cumsum() < k - 1e-12).sum()) + 1  # fewest with share ≥ t  (2.17)
        if not isinstance(k, (int, np.integer)):
            raise ValueError(
                f"n_components={k!r}: give a number of axes, a share of variance between 0 and 1, or None."
            )
        if not 1 <= k <= len(shares):
            raise ValueError(
                f"n_components={k}, but in this table of shape {shape} only {len(shares)} directions "
                f"carry variance: choose 1 to {len(shares)}."
            )
        return k


def _all_alike(X):
    """Whether every row is the same; as a rule the first and the last tell."""
    return not abs(X[[0]] - X[[-1]]).max() and not (X.max(axis=0) - X.min(axis=0)).max()


def _by_covariance(X, mean):
    values, W = largest_first(covariance(X, mean))  # S W = W diag(λ)  (2.11)
    r = rank(values, max(X.shape))
    return values[:r], lambda k: W[:, :k].T


def _by_gram(X, mean):
    Xc = dense(X) - mean
    values, V = largest_first(Xc @ Xc.T / (len(Xc) - 1))  # same λ > 0 as S  (2.15)
    r = rank(values, max(X.shape))

    def axes(k):  # no more than are wanted
        W = V[:, :k].T @ Xc  # w = Xᵀv / √(nλ)  (2.16)
        return W / np.sqrt(np.einsum("kd,kd->k", W, W))[:, None]

    return values[:r], axes


def _by_svd(X, mean):
    _, s, Wt = np.linalg.svd(dense(X).astype(float) - mean, full_matrices=False)
    values = s**2 / (X.shape[0] - 1)  # a singular value is a length
    r = rank(values, max(X.shape))
    return values[:r], lambda k: Wt[:k]
