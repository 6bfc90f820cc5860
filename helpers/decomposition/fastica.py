"""FastICA: unmix signals by looking for the least Gaussian projections, chapter 3."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from helpers._checks import FLOATS, check_choices, check_stop
from helpers._fast import faster
from helpers._linalg import fixed_signs
from helpers._tags import tagged
from helpers.decomposition.pca import PCA

__all__ = ["FastICA"]


@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
class FastICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Independent component analysis ``x = A s``: whiten, then turn to the least Gaussian axes, (3.14) to
    (3.16).

    After whitening, z has covariance I and the mixing that is left is orthogonal. An axis w is a fixed point
    of ``w ← E[z g(wᵀz)] - E[g'(wᵀz)] w``, made a unit vector again. Sources come back up to order, sign and
    scale, and only if at most one of them is Gaussian.

    Short version: chapter 3, `fast_ica_axis`.

    Parameters
    ----------
    n_components : int or None
        Sources; the data are first reduced to so many principal components (not with ``whiten=False``). None:
        all that carry variance.
    algorithm : 'parallel' or 'deflation'
        'parallel' moves all axes at once and makes them orthonormal together, ``W ← (W Wᵀ)^(-1/2) W``;
        'deflation' finds one after the other, each orthogonal to those before it (Gram-Schmidt).
    whiten : 'unit-variance', 'arbitrary-variance' or False
        Scale of the sources: variance 1, or length 1 (variance 1/n). False: X is white already.
    fun : 'logcosh', 'exp', 'cube' or function
        g(u) = tanh(αu), u exp(-u²/2) or u³ (the last is kurtosis: fast, but outliers lead it astray); or a
        function of u, shape (k, b), that returns g(u) and the mean of g'(u) along the last axis.
    fun_args : dict or None
        For 'logcosh' ``{"alpha": α}`` with 1 ≤ α ≤ 2, 1 if None; for a function its keyword arguments.
    max_iter : int
        Iterations, in 'deflation' for each axis.
    tol : float
        Stop when no axis turns by more: ``max |1 - |w_newᵀ w|| < tol``.
    w_init : array of shape (k, k), with ``whiten=False`` (k, d), or None
        Axes to start from; None: normal numbers from `random_state`.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : array of shape (k, d), unmixes: ``s = components_ (x - mean_)``; in each row the largest
        entry is positive
    mixing_ : array of shape (d, k), its pseudo-inverse
    mean_ : array of shape (d,), and whitening_ : array of shape (k, d), where X was whitened
    n_iter_ : int, in 'deflation' the most that an axis took

    Raises
    ------
    ValueError
        More components than directions with variance, an unknown option, w_init of another shape.

    Warns
    -----
    ConvergenceWarning
        An axis still turned after max_iter iterations: more of them, a larger tol, or more rows.

    References
    ----------
    Hyvärinen, Fast and robust fixed-point algorithms for independent component analysis, IEEE Trans. Neural
    Networks 10, 1999. Hyvärinen and Oja, Independent component analysis: algorithms and applications, Neural
    Networks 13, 2000.

    Examples
    --------
    A square wave and a saw tooth, mixed and found again.

    >>> t = np.arange(2000)
    >>> S = np.column_stack([np.sign(np.sin(t / 40)), t % 130 / 130])
    >>> found = FastICA(random_state=0).fit_transform(S @ [[1.0, 0.5], [0.4, 1.0]])
    >>> np.abs(np.corrcoef(S.T, found.T)[:2, 2:]).max(axis=1).round(2)
    array([1., 1.])
    """

    def __init__(
        self,
        n_components=None,
        *,
        algorithm="parallel",
        whiten="unit-variance",
        fun="logcosh",
        fun_args=None,
        max_iter=200,
        tol=1e-4,
        w_init=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.random_state = random_state

    def fit(self, X, y=None):
        """Whiten the rows, then turn the axes until they stop."""
        X = validate_data(self, X, dtype=FLOATS, ensure_min_samples=2)
        g, find = self._options()
        Z = self._whitened(X) if self.whiten else X  # (n, k), covariance I
        W, self.n_iter_, done = find(Z, self._start(Z), g, self.max_iter, self.tol)
        if not done:
            warnings.warn(
                f"FastICA still turns after max_iter={self.max_iter} iterations: give more, "
                "a larger tol or more rows. Gaussian sources never settle.",
                ConvergenceWarning,
                stacklevel=2,
            )
        if self.whiten:
            W = W @ self.whitening_ * (np.sqrt(len(X)) if self.whiten == "unit-variance" else 1)
        self.components_ = fixed_signs(W).astype(X.dtype, copy=False)
        self.mixing_ = np.linalg.pinv(self.components_)
        return self

    def transform(self, X):
        """Sources ``s = components_ (x - mean_)``; shape (n, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return (X - self.mean_ if self.whiten else X) @ self.components_.T

    def inverse_transform(self, S):
        """Mixtures ``x = mixing_ s + mean_``; shape (n, d)."""
        check_is_fitted(self)
        X = check_array(S, dtype=FLOATS) @ self.mixing_.T
        return X + self.mean_ if self.whiten else X

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _options(self):
        """The function g and the algorithm that the parameters name."""
        check_stop(self.max_iter, self.tol)
        args = self.fun_args or {}
        if not callable(self.fun) and self.fun not in FUNCTIONS:
            raise ValueError(f"fun={self.fun!r}: use {', '.join(map(repr, FUNCTIONS))} or a function.")
        alpha = args.get("alpha", 1.0)
        if self.fun == "logcosh" and not 1 <= alpha <= 2:
            raise ValueError(f"alpha={alpha}: for 'logcosh' it lies between 1 and 2.")
        check_choices(
            self, algorithm=tuple(ALGORITHMS), whiten=("unit-variance", "arbitrary-variance", False)
        )
        fun = self.fun if callable(self.fun) else FUNCTIONS[self.fun]
        return (lambda u: fun(u, **args)), ALGORITHMS[self.algorithm]

    def _whitened(self, X):
        """Scores on the principal axes, each divided by its standard deviation (divisor n), (3.15)."""
        pca = PCA(self.n_components).fit(X)
        self.mean_ = pca.mean_
        self.whitening_ = pca.components_ / pca.singular_values_[:, None]  # K, (k, d)
        return (X - self.mean_) @ (self.whitening_.T * X.dtype.type(np.sqrt(len(X))))

    def _start(self, Z):
        """Axes to start from, shape (k, features of Z)."""
        d = Z.shape[1]
        k = d if self.n_components is None else self.n_components
        if not 1 <= k <= d:
            raise ValueError(f"n_components={k}, but X has {d} features: choose 1 to {d}.")
        if self.w_init is None:
            return check_random_state(self.random_state).normal(size=(k, d)).astype(Z.dtype)
        W = np.asarray(self.w_init, Z.dtype)
        if W.shape != (k, d):
            raise ValueError(
                f"w_init has shape {W.shape}, but {k} sources in {d} white features need {(k, d)}."
            )
        return W


@faster("fastica")
def step(W, Z, g):
    """Every row ``w ← E[z g(wᵀz)] - E[g'(wᵀz)] w``; W of shape (m, k), Z of shape (n, k)."""
    gu, slope = g(W @ Z.T)  # (m, n), (m,)
    return gu @ Z / len(Z) - slope[:, None] * W


def _parallel(Z, W, g, max_iter, tol):
    """All axes at once."""
    W = _orthonormal(W)
    for i in range(1, max_iter + 1):
        old, W = W, _orthonormal(step(W, Z, g))
        if _turned(W, old) < tol:
            return W, i, True
    return W, max_iter, False


def _deflation(Z, W, g, max_iter, tol):
    """One axis after the other, each kept orthogonal to those found before."""
    found, steps = np.empty((0, W.shape[1]), W.dtype), []
    for w in W:
        w, i, done = _next_axis(Z, w / np.linalg.norm(w), found, g, max_iter, tol)
        found = np.vstack([found, w])
        steps.append((i, done))
    return found, max(i for i, _ in steps), all(done for _, done in steps)


def _next_axis(Z, w, found, g, max_iter, tol):
    """The fixed point among the unit vectors orthogonal to the rows of `found`."""
    for i in range(1, max_iter + 1):
        old, w = w, step(w[None], Z, g)[0]
        w = w - found.T @ (found @ w)  # Gram-Schmidt
        w = w / np.linalg.norm(w)
        if _turned(w[None], old[None]) < tol:
            return w, i, True
    return w, max_iter, False


def _orthonormal(W):
    """``(W Wᵀ)^(-1/2) W = U Vᵀ`` for the singular value decomposition ``W = U D Vᵀ``."""
    U, _, Vt = np.linalg.svd(W, full_matrices=False)
    return U @ Vt


def _turned(W, old):
    """By how much the axis that turned most did; a change of sign is no turn."""
    return np.abs(np.abs((W * old).sum(axis=1)) - 1).max()


def _logcosh(u, alpha=1.0):
    gu = np.tanh(alpha * u)
    return gu, alpha * (1 - gu**2).mean(axis=-1)


def _exp(u):
    bell = np.exp(-(u**2) / 2)
    return u * bell, ((1 - u**2) * bell).mean(axis=-1)


def _cube(u):
    return u**3, 3 * (u**2).mean(axis=-1)


FUNCTIONS = {"logcosh": _logcosh, "exp": _exp, "cube": _cube}
ALGORITHMS = {"parallel": _parallel, "deflation": _deflation}
