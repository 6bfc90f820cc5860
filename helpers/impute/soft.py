"""SoftImpute: blanks filled so that the table has small nuclear norm, hence low rank, chapter 6."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from helpers._checks import FLOATS, check_stop
from helpers._fast import faster
from helpers._fista import momentum
from helpers._linalg import fixed_signs
from helpers.impute.simple import Imputer

__all__ = ["SoftImpute", "svt"]


def svt(X, lam):
    """Singular values soft-thresholded, ``U max(Σ - λ, 0) Vᵀ``: the Z that minimises ``½|X - Z|² + λ|Z|_*``
    (6.23).

    Parameters
    ----------
    X : array of shape (n, d), without blanks
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
    return _thresholded(check_array(X, dtype=FLOATS), lam)[0]


class SoftImpute(Imputer):
    """Matrix completion by nuclear norm, (6.21).

    Minimises ``½ sum_seen (x_ij - z_ij)² + λ|Z|_*``, where the nuclear norm ``|Z|_*`` is the sum of the
    singular values; blanks then take their values from Z. Each step fills the blanks with the last Z and
    thresholds,

        ``F = P_seen(X) + P_blank(Z)``,   ``Z = svt(F, λ)``,

    which never raises the objective. Momentum (each step goes on a little in the last step's direction) saves
    most of the steps where λ is small; a step that would raise the objective is taken again without.

    Short version: chapter 6, `soft_impute`.

    Parameters
    ----------
    lam : float >= 0 or None
        λ, in units of singular values; the larger, the lower the rank. None: a fiftieth of the largest
        singular value of the table with blanks set to 0. At that value itself, and above, Z = 0.
    max_iter : int
    tol : float
        Stop when ``|Z - last Z| <= tol |last Z|``.
    add_indicator : bool
        Append a 0/1 column for each column that had blanks in the training rows.
    random_state : int, RandomState or None
        For the directions in which to look first; the result does not depend on it, within `tol`.

    Attributes
    ----------
    lam_ : float
    components_ : array of shape (k, d), the right singular vectors of Z; in each the largest entry is
    positive
    singular_values_ : array of shape (k,), those of Z
    objective_ : list of float, after every step; never rises
    n_iter_ : int
    indicator_features_ : int array, the columns with an indicator

    Raises
    ------
    ValueError
        A column without any observed value; lam < 0.

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

    def __init__(self, lam=None, *, max_iter=1000, tol=1e-5, add_indicator=False, random_state=0):
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol
        self.add_indicator = add_indicator
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find Z."""
        X = validate_data(self, X, dtype=FLOATS, ensure_all_finite="allow-nan")
        blank = np.isnan(X)
        self._look_over(blank)
        observed = np.where(blank, 0, X).astype(float)  # P_seen(X)
        self.lam_ = np.linalg.norm(observed, 2) / 50 if self.lam is None else self.lam
        check_stop(self.max_iter, self.tol)
        if not self.lam_ >= 0:
            raise ValueError(f"lam={self.lam}: give a penalty lam >= 0.")
        threshold = thresholder(X.shape, check_random_state(self.random_state))
        s, Vt = self._iterate(observed, (~blank).astype(float), threshold)
        self.singular_values_, self.components_ = s, fixed_signs(Vt)
        return self

    def _iterate(self, observed, seen, threshold):
        F, last, last_R = observed, np.zeros_like(observed), observed
        t, push, self.objective_ = 1.0, 0.0, []
        for step in range(1, self.max_iter + 1):
            self.n_iter_ = step
            Z, s, Vt, all_seen = threshold(F, self.lam_)
            R = (observed - Z) * seen  # P_seen(X - Z)
            objective = 0.5 * np.vdot(R, R) + self.lam_ * s.sum()
            if push and objective > self.objective_[-1]:  # too far: back, and a step without
                F, t, push = last + last_R, 1.0, 0.0
                continue
            self.objective_.append(objective)
            if all_seen and np.linalg.norm(Z - last) <= self.tol * np.linalg.norm(last):
                break
            t, push = momentum(t)
            F = Z + R + push * (Z + R - last - last_R)  # P_seen(X) + P_blank(Z), and on
            last, last_R = Z, R
        else:
            warnings.warn(
                f"After {self.max_iter} steps Z still changes by more than tol={self.tol}: "
                "increase max_iter.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return s, Vt

    def transform(self, X):
        """Fill the blanks of any rows, with the right singular vectors of the training rows.

        With ``B = V Σ^½`` each row's ``a`` minimises ``½ sum_seen (x_j - B_j a)² + λ/2 |a|²`` and its
        blanks become ``B a``; for a training row that is its row of Z, since ``|Z|_* = min ½(|A|² + |B|²)``
        over ``Z = A Bᵀ``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, ensure_all_finite="allow-nan", reset=False)
        blank = np.isnan(X)
        B = self.components_.T * np.sqrt(self.singular_values_)  # (d, k)
        k, seen = B.shape[1], (~blank).astype(float)
        pairs = (B[:, :, None] * B[:, None]).reshape(len(B), -1)  # (d, k²)
        G = (seen @ pairs).reshape(len(X), k, k)  # B_seenᵀ B_seen of every row
        A = np.linalg.solve(G + self.lam_ * np.eye(k), (np.where(blank, 0, X) @ B)[:, :, None])[:, :, 0]
        return self._with_indicator(np.where(blank, A @ B.T, X).astype(X.dtype), blank)


@faster("soft")
def thresholder(shape, rng):
    """The function (F, λ) -> svt(F, λ), its singular values > 0 and right vectors, and whether none is
    missing."""
    return lambda F, lam: (*_thresholded(F, lam), True)


def _thresholded(F, lam):
    """``U max(Σ - λ, 0) Vᵀ``, what is left of the singular values, and their right vectors."""
    U, s, Vt = np.linalg.svd(F, full_matrices=False)
    s = s[s > lam] - lam
    return (U[:, : len(s)] * s) @ Vt[: len(s)], s, Vt[: len(s)]
