"""Soft-impute: blanks filled so that the table has small nuclear norm, hence low rank, chapter 6."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

__all__ = ["SoftImpute", "svt"]


def svt(F, lam):
    """Singular values soft-thresholded, ``U max(Σ - λ, 0) Vᵀ``: the Z that minimises ``½|F - Z|² + λ|Z|_*``
    (6.14).

    Parameters
    ----------
    F : array of shape (n, d), without blanks
    lam : float >= 0
        λ, in units of singular values.

    Returns
    -------
    Z : array of shape (n, d)

    Raises
    ------
    ValueError
        A negative penalty, or NaN.

    Examples
    --------
    >>> svt(np.diag([5.0, 1.0]), 2.0)
    array([[3., 0.],
           [0., 0.]])
    """
    if not lam >= 0:
        raise ValueError(f"lam={lam}: give a penalty >= 0.")
    U, s, Vt = _shrunk(check_array(F, dtype=float), lam)
    return (U * s) @ Vt


def _shrunk(F, lam):
    """The singular values that stay above 0, less λ, and their vectors."""
    U, s, Vt = np.linalg.svd(F, full_matrices=False)
    k = (s > lam).sum()
    return U[:, :k], s[:k] - lam, Vt[:k]


class SoftImpute(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Matrix completion by nuclear norm, (6.12).

    Minimises ``½ sum_seen (x_ij - z_ij)² + λ|Z|_*``, where the nuclear norm ``|Z|_*`` is the sum of the
    singular values; blanks then take their values from Z. Each step fills the blanks with the last Z and
    thresholds, which never raises the objective:

        ``F = P_seen(X) + P_blank(Z)``,   ``Z = svt(F, λ)``.

    Short version: chapter 6, `soft_impute`.

    Parameters
    ----------
    lam : float > 0
        λ, in units of singular values; the larger, the lower the rank. At the largest singular value of the
        table with blanks set to 0, and above, Z = 0.
    max_iter : int
    tol : float
        Stop when ``|Z - last Z| <= tol |last Z|``.

    Attributes
    ----------
    components_ : array of shape (k, d), right singular vectors of Z
    singular_values_ : array of shape (k,), those of Z
    n_iter_ : int

    Raises
    ------
    ValueError
        A column without any observed value; lam <= 0.

    Warns
    -----
    ConvergenceWarning
        Still changing after `max_iter` steps.

    Notes
    -----
    Means are not removed: where columns have means far from 0, subtract them first. A row without any value
    gets zeros.

    References
    ----------
    Mazumder, Hastie and Tibshirani, Spectral regularization algorithms for learning large incomplete
    matrices, JMLR 11, 2010. Hastie, Mazumder, Lee and Zadeh, Matrix completion and low-rank SVD via fast
    alternating least squares, JMLR 16, 2015.

    Examples
    --------
    >>> X = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 2.0])               # rank 1
    >>> X[2, 1] = np.nan                                                   # was -3
    >>> SoftImpute(0.01).fit_transform(X)[2, 1].round(1)
    np.float64(-3.0)
    """

    def __init__(self, lam, *, max_iter=1000, tol=1e-5):
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y=None):
        """Find Z."""
        X = validate_data(self, X, dtype=float, ensure_all_finite="allow-nan")
        blank = np.isnan(X)
        self._check(blank)
        Z = np.zeros(X.shape)
        for step in range(1, self.max_iter + 1):
            self.n_iter_, last = step, Z
            U, s, Vt = _shrunk(np.where(blank, Z, X), self.lam)  # (6.14)
            Z = (U * s) @ Vt
            if np.linalg.norm(Z - last) <= self.tol * np.linalg.norm(last):
                break
        else:
            warnings.warn(
                f"After {self.max_iter} steps Z still changes by more than tol={self.tol}: "
                "increase max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.singular_values_, self.components_ = s, Vt
        return self

    def _check(self, blank):
        if blank.all(axis=0).any():
            raise ValueError(
                f"Columns {np.flatnonzero(blank.all(axis=0)).tolist()} have no value at all: drop them."
            )
        if not self.lam > 0:
            raise ValueError(f"lam={self.lam}: give a penalty > 0; at 0 every filling is as good.")
        if self.max_iter < 1:
            raise ValueError(f"max_iter={self.max_iter}: give at least one step.")

    def transform(self, X):
        """Fill the blanks of any rows, with the right singular vectors of the training rows.

        With ``B = V Σ^½`` each row's ``a`` minimises ``½ sum_seen (x_j - B_j a)² + λ/2 |a|²`` and its
        blanks become ``B a``; for a training row that is its row of Z, since ``|Z|_* = min ½(|A|² + |B|²)``
        over ``Z = A Bᵀ``. One row after the other, for k × k numbers at a time.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, ensure_all_finite="allow-nan", reset=False, copy=True)
        B = self.components_.T * np.sqrt(self.singular_values_)  # (d, k)
        penalty = self.lam * np.eye(B.shape[1])
        for x in X:
            blank = np.isnan(x)
            if blank.any():
                seen = B[~blank]
                x[blank] = B[blank] @ np.linalg.solve(seen.T @ seen + penalty, seen.T @ x[~blank])
        return X
