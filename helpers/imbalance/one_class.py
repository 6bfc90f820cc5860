"""One-class SVM: learn one class alone, and call the rest outliers, chapter 12."""

import warnings
from functools import lru_cache

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.extmath import row_norms, safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from helpers._checks import check_choices, check_stop, validate_data
from helpers._rows import row_batches
from helpers._tags import tagged

__all__ = ["OneClassSVM"]


@tagged("input_tags", sparse=True)
class OneClassSVM(OutlierMixin, BaseEstimator):
    """A boundary around one class: the smallest share of space that holds most of it.

    Minimises ``½ αᵀKα`` subject to ``0 ≤ α_i ≤ 1, Σ α_i = ν n`` by sequential minimal optimisation: the
    pair of α that promises most moves along ``α_i + t, α_j - t`` to its minimum (libsvm, which the twin
    calls, chooses the same pairs and takes as many steps, give or take a few). A row is an outlier where
    ``Σ_i α_i k(x_i, x) < ρ``. At most a share ν of the training rows are outliers, at least a share ν are
    support vectors (12.13).

    Novelty detection trains on clean rows; with outliers among them ν should be no smaller than their share.

    Parameters
    ----------
    kernel : 'rbf' ``exp(-γ|x - z|²)``, 'linear' ``x·z``, 'poly' ``(γ x·z + c₀)^degree`` or 'sigmoid'
        The last is ``tanh(γ x·z + c₀)``, no inner product: the α found is a stationary point of several.
    degree : int
    gamma : 'scale' (1 / (d · variance of X)), 'auto' (1 / d) or float
        Rows count for their weight in that variance (in scikit-learn's all count alike).
    coef0 : float, c₀
    nu : float in (0, 1], ν
    tol : float
        Stop when no pair breaks the optimality conditions by more.
    cache_size : float, MiB of kernel rows kept
    max_iter : int, steps at most; -1: 100 000, or 100 for each row if that is more

    Attributes
    ----------
    support_ : int array of shape (s,), rows with α > 0
    support_vectors_ : array of shape (s, d)
    dual_coef_ : array of shape (1, s), their α
    offset_ : array of shape (1,), ρ; `intercept_` is -ρ
    coef_ : array of shape (1, d), linear kernel only
    n_iter_ : int

    Raises
    ------
    ValueError
        ν outside (0, 1], an unknown kernel, γ not positive.

    Warns
    -----
    ConvergenceWarning
        `max_iter` steps did not reach `tol`.

    References
    ----------
    Schölkopf, Platt, Shawe-Taylor, Smola and Williamson, Estimating the support of a high-dimensional
    distribution, Neural Computation 13, 2001. Fan, Chen and Lin, Working set selection using second order
    information, JMLR 6, 2005.

    Examples
    --------
    At most 20 of 200 rows are outliers; the others of these 20 lie on the boundary.

    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = OneClassSVM(nu=0.1).fit(X)
    >>> model.predict([[0.0, 0.0], [5.0, 5.0]]), (model.predict(X) == -1).sum()
    (array([ 1, -1]), np.int64(13))
    """

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        nu=0.5,
        tol=1e-3,
        cache_size=32,
        max_iter=-1,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.nu = nu
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter

    def fit(self, X, y=None, sample_weight=None):
        """Find α and ρ; a weight is the most that a row's α may be."""
        X = validate_data(self, X, accept_sparse="csr", dtype=float)
        if not 0 < self.nu <= 1:
            raise ValueError(f"nu={self.nu}: the share of outliers lies in (0, 1].")
        check_stop(self.max_iter, self.tol, fewest=-1)
        most = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        self._gamma = self._checked_gamma(X, most / most.sum())
        alpha, g = self._minimise(X, most)
        self.support_ = np.flatnonzero(alpha > 0)
        self.support_vectors_, self.dual_coef_ = X[self.support_], alpha[None, self.support_]
        size = (
            alpha.sum() * np.abs(_Kernel(X, self.kernel, self._gamma, self.coef0, self.degree).diagonal).max()
        )
        self.offset_ = np.array([
            _rho(alpha, g, most) - 1e-14 * size
        ])  # two sums of a score differ by so much
        self.intercept_ = -self.offset_
        return self

    def _minimise(self, X, most):
        """α and the gradient ``g = Kα``."""
        n, kernel = X.shape[0], _Kernel(X, self.kernel, self._gamma, self.coef0, self.degree)
        row = lru_cache(max(2, int(self.cache_size * 2**17 / n)))(lambda i: kernel(X[[i]])[0])
        diagonal = kernel.diagonal
        alpha = np.clip(self.nu * most.sum() - np.r_[0, most.cumsum()[:-1]], 0, most)  # the first rows full
        with np.errstate(over="ignore", invalid="ignore"):  # said here, with the cure
            g = kernel.times(alpha)
            if not np.isfinite(g @ g):
                raise ValueError(f"kernel={self.kernel!r}: its values overflow, scale the features.")
        tol = max(self.tol, 1e-13 * np.abs(g).max())  # finer differences are rounding
        limit, self.n_iter_ = self.max_iter if self.max_iter >= 0 else max(10**5, 100 * n), 0
        while self.n_iter_ < limit:
            i = np.where(alpha < most, g, np.inf).argmin()  # would gain most by growing
            gain = np.where(alpha > 0, g - g[i], 0)  # rows that may shrink in its favour
            if alpha[i] >= most[i] or gain.max() < tol:  # the KKT conditions hold
                return alpha, g
            curvature = np.maximum(diagonal + diagonal[i] - 2 * row(i), 1e-12)
            j = (np.maximum(gain, 0) ** 2 / curvature).argmax()  # largest fall of ½αᵀKα
            room = most[i] - alpha[i]
            step = min(gain[j] / curvature[j], room, alpha[j])
            alpha[i] = most[i] if step == room else alpha[i] + step  # a bound is met to the last digit
            alpha[j] -= step
            g += step * (row(i) - row(j))
            self.n_iter_ += 1
        warnings.warn(
            f"{limit} steps did not reach tol={self.tol}: raise max_iter, or scale the features.",
            ConvergenceWarning,
            stacklevel=3,
        )
        return alpha, g

    def _checked_gamma(self, X, share):
        check_choices(self, kernel=("rbf", "linear", "poly", "sigmoid"))
        if self.gamma == "auto":
            return 1 / X.shape[1]
        if self.gamma == "scale":
            variance = _variance(X, share)
            varies = variance > (1e-15 * abs(X).max()) ** 2  # less is rounding
            return 1 / (X.shape[1] * variance) if varies else 1.0
        if isinstance(self.gamma, str) or self.gamma <= 0:
            raise ValueError(f"gamma={self.gamma!r}: use 'scale', 'auto' or a positive number.")
        return self.gamma

    def score_samples(self, X):
        """``Σ_i α_i k(x_i, x)``; shape (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        kernel = _Kernel(X, self.kernel, self._gamma, self.coef0, self.degree)
        return kernel.times(self.dual_coef_[0], self.support_vectors_)

    def decision_function(self, X):
        """``score - ρ``: negative for outliers; shape (n,)."""
        return self.score_samples(X) - self.offset_

    def predict(self, X):
        """+1 inside, -1 for outliers."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    @property
    def coef_(self):
        """Weights of the features; linear kernel only."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only there for a linear kernel")
        return np.atleast_2d(self.dual_coef_ @ self.support_vectors_)


def _variance(X, share):
    """Of all values of the table together, each row counting for its share."""
    mean = share @ np.asarray(X.mean(axis=1)).ravel()
    if issparse(X):
        return share @ np.asarray(X.multiply(X).mean(axis=1)).ravel() - mean**2
    return share @ ((X - mean) ** 2).mean(axis=1)


class _Kernel:
    """k(a, x) between any rows and the rows of X."""

    def __init__(self, X, name, gamma, coef0, degree):
        self.X, self.name, self.gamma, self.coef0, self.degree = X, name, gamma, coef0, degree
        self.squared = row_norms(X, squared=True)

    def __call__(self, A):
        """Shape (rows of A, rows of X)."""
        K = safe_sparse_dot(A, self.X.T, dense_output=True)
        if self.name != "rbf":
            return self.of_products(K)
        K *= 2  # |a - x|² = |a|² + |x|² - 2 a·x
        K -= self.squared
        K -= row_norms(A, squared=True)[:, None]
        np.minimum(K, 0, out=K)
        K *= self.gamma
        return np.exp(K, out=K)

    def of_products(self, K):
        """k(a, x), where it depends on a·x alone."""
        if self.name == "poly":
            return (self.gamma * K + self.coef0) ** self.degree
        return np.tanh(self.gamma * K + self.coef0) if self.name == "sigmoid" else K

    @property
    def diagonal(self):
        """k(x, x) for every row."""
        return np.ones(len(self.squared)) if self.name == "rbf" else self.of_products(self.squared)

    def times(self, alpha, A=None):
        """``Σ_i α_i k(a_i, x)`` for every row x, block by block; without A the rows a are those of X."""
        used, n = np.flatnonzero(alpha), len(self.squared)
        rows = self.X if A is None else A
        return sum((alpha[used[b]] @ self(rows[used[b]]) for b in row_batches(len(used), n)), np.zeros(n))


def _rho(alpha, g, most):
    """The score on the boundary, where 0 < α < most; without such rows half-way between outside and inside.

    Those rows agree up to tol: the lowest of them, less a rounding error, counts all of them as inside, and
    so the share of outliers is at most ν. (libsvm takes their mean, which calls about half of them outliers.)
    """
    free, inside = (alpha > 0) & (alpha < most), (alpha == 0) & (most > 0)
    rho = g[free].min() if free.any() else g[alpha > 0].max()
    if inside.any() and not free.any():
        rho = (rho + g[inside].min()) / 2
    return rho - 1e-12 * np.abs(g).max()
