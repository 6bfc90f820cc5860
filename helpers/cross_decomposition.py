"""Canonical correlation analysis: how two views of the same objects correlate most, chapter 3."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from helpers._linalg import covariance, cross_covariance, fixed_signs, whitening
from helpers._tags import tagged

__all__ = ["CCA"]


@tagged("target_tags", required=True)
class CCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Canonical correlation analysis by whitening both views and one SVD, (3.10), (3.11).

    With ``Σ_11 = cov(X) + r_1 I``, ``Σ_22 = cov(Y) + r_2 I`` and ``Σ_12 = cov(X, Y)`` (divisor n - 1, no
    ridge), the whitened cross-covariance ``T = Σ_11^(-1/2) Σ_12 Σ_22^(-1/2) = U D Vᵀ`` holds the canonical
    correlations in D, and ``W_1 = Σ_11^(-1/2) U_k``, ``W_2 = Σ_22^(-1/2) V_k`` project the views:
    ``W_1ᵀ(x - x̄)``, ``W_2ᵀ(y - ȳ)``. The i-th projections correlate by D_ii, projections of different rank
    not at all.

    Short version: chapter 3, `cca`.

    Parameters
    ----------
    n_components : int
        Pairs of directions, at most the smaller rank of the two views.
    ridge : number or pair of numbers >= 0
        r, or (r_1, r_2), in squared units of the features: standardise first where units differ. Without a
        ridge units do not matter.

    Attributes
    ----------
    correlations_ : array of shape (k,), D in [0, 1], largest first; with a ridge smaller than the scores'
        correlations
    x_rotations_, y_rotations_ : arrays of shape (d_x, k) and (d_y, k), W_1 and W_2, with ``Wᵀ Σ W = I``; in
        each pair of columns the largest entry is positive
    x_mean_, y_mean_ : arrays of shape (d_x,) and (d_y,)

    Raises
    ------
    ValueError
        More components than rank, a negative ridge, views of different length.

    Warns
    -----
    UserWarning
        Without a ridge, when the ranks of the views sum to more than n - 1: two such subspaces of the n - 1
        dimensions must meet, so that some correlations are 1 whatever the data, noise included.

    Notes
    -----
    scikit-learn's twin finds the same directions one by one, by iteration; its columns have other lengths.

    References
    ----------
    Hotelling, Relations between two sets of variates, Biometrika 28, 1936. Vinod, Canonical ridge and
    econometrics of joint production, J. Econometrics 4, 1976.

    Examples
    --------
    No column of X is y; their difference is.

    >>> X = [[1.0, 1.0], [3.0, 2.0], [2.0, 3.0], [9.0, 8.0], [5.0, 5.0]]
    >>> cca = CCA(n_components=1).fit(X, [0.0, 1.0, -1.0, 1.0, 0.0])
    >>> cca.correlations_.round(6), (cca.x_rotations_ / cca.x_rotations_[0]).round(6).ravel()
    (array([1.]), array([ 1., -1.]))
    """

    def __init__(self, n_components=2, *, ridge=0.0):
        self.n_components = n_components
        self.ridge = ridge

    def fit(self, X, y):
        """Find the directions; X of shape (n, d_x), y of shape (n, d_y) or (n,)."""
        X, y = validate_data(self, X, y, dtype=float, ensure_min_samples=2, multi_output=True)
        Y = _second_view(y)
        r1, r2 = self._ridges()
        self.x_mean_, self.y_mean_ = X.mean(axis=0), Y.mean(axis=0)
        x_white = _white(X, self.x_mean_, r1)  # Σ_11^(-1/2)
        y_white = _white(Y, self.y_mean_, r2)  # Σ_22^(-1/2)
        if r1 == r2 == 0:
            _warn_if_forced(x_white.shape[1], y_white.shape[1], len(X))
        S12 = cross_covariance(X, self.x_mean_, Y, self.y_mean_)  # (d_x, d_y)
        U, D, Vt = np.linalg.svd(x_white.T @ S12 @ y_white, full_matrices=False)
        k = self._how_many(len(D))
        self.correlations_ = np.minimum(D[:k], 1)
        pairs = fixed_signs(np.vstack([x_white @ U[:, :k], y_white @ Vt[:k].T]).T).T  # W_1 above W_2
        self.x_rotations_, self.y_rotations_ = np.split(pairs, [X.shape[1]])
        return self

    def transform(self, X, y=None):
        """Projections ``W_1ᵀ(x - x̄)``, shape (n, k); with y a pair, the second ``W_2ᵀ(y - ȳ)``."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        x_scores = (X - self.x_mean_) @ self.x_rotations_
        if y is None:
            return x_scores
        Y = _second_view(y)
        if Y.shape[1] != len(self.y_mean_):
            raise ValueError(f"y has {Y.shape[1]} features, but CCA was fitted on {len(self.y_mean_)}.")
        return x_scores, (Y - self.y_mean_) @ self.y_rotations_

    def fit_transform(self, X, y):
        """Fit, then the projections of both views."""
        return self.fit(X, y).transform(X, y)

    def score(self, X, y):
        """Total correlation: the sum over i of the correlation of the i-th projections, (3.13).

        At most k; on held-out rows it tells which ridge to take (a constant projection correlates by 0).
        """
        A, B = map(_deviations, self.transform(X, y))
        lengths = np.linalg.norm(A, axis=0) * np.linalg.norm(B, axis=0)
        products = (A * B).sum(axis=0)
        return float(np.divide(products, lengths, out=np.zeros(len(lengths)), where=lengths > 0).sum())

    @property
    def _n_features_out(self):
        return self.x_rotations_.shape[1]

    def _ridges(self):
        r = np.asarray(self.ridge, float)
        if r.shape not in ((), (2,)) or not (np.isfinite(r) & (r >= 0)).all():
            raise ValueError(f"ridge={self.ridge!r}: give a number >= 0, or a pair (r_1, r_2) of them.")
        return np.broadcast_to(r, 2)

    def _how_many(self, most):
        k = self.n_components
        if not 1 <= k <= most:
            raise ValueError(
                f"n_components={k}, but the smaller rank of the two views is {most}: choose 1 to {most}."
            )
        return k


def _second_view(y):
    Y = check_array(y, input_name="y", dtype=float, ensure_2d=False)
    return Y[:, None] if Y.ndim == 1 else Y


def _white(X, mean, r):
    """Whitening of ``cov(X) + r I``; directions without variance are left out."""
    S = covariance(X, mean) + r * np.eye(X.shape[1])
    return whitening(S, max(X.shape), 0 if r else mean)


def _deviations(Z):
    """Columns less their means; exactly 0 where nothing but rounding is left."""
    Z = np.asarray(Z)
    A = Z - Z.mean(axis=0)
    return np.where(np.abs(A).max(axis=0) > 1e-12 * np.abs(Z).max(axis=0), A, 0)


def _warn_if_forced(rank_x, rank_y, n):
    """Subspaces of r_x and r_y of the n - 1 dimensions of centred rows share r_x + r_y - (n - 1) or more."""
    forced = rank_x + rank_y - (n - 1)
    if forced > 0:
        warnings.warn(
            f"{n} rows are too few: the views have ranks {rank_x} and {rank_y}, so that {forced} "
            "of the canonical correlations are 1 even for noise. Give a ridge, more rows or fewer "
            "features.",
            stacklevel=3,
        )
