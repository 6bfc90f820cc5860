"""Logistic regression with an L1, L2 or mixed penalty, by Newton's method or proximal gradient, chapter 9."""

import warnings

import numpy as np
from scipy.sparse import csr_array, hstack, issparse
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit, logsumexp, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from helpers._checks import FLOATS, check_stop, validate_data
from helpers._fista import proximal_steps
from helpers._tags import tagged
from helpers.linear_model._base import weighted_mean
from helpers.linear_model.lasso import soft_threshold

__all__ = ["LogisticRegression"]

FORMED = 128  # columns up to which a Hessian is formed: for more its products with vectors cost less


@tagged("input_tags", sparse=True)
class LogisticRegression(ClassifierMixin, BaseEstimator):
    """``min_w C sum_i s_i loss_i + l1_ratio |w|₁ + ½ (1 - l1_ratio) |w|²``, (9.27).

    Two classes: ``loss = log(1 + exp(-y (w·x + b)))`` with y = ±1; more: ``loss = -log p_y`` with ``p_k ∝
    exp(w_k·x + b_k)``. The intercepts are not penalised. Only the L1 part makes weights exactly 0 (erratum
    E75). Without an L1 part Newton's method is used, its steps by conjugate gradients; with one (accelerated)
    proximal gradient steps.

    Short version: chapter 9, `l1_logistic`; chapter 11, `train_softmax`.

    Parameters
    ----------
    C : float > 0
        Inverse strength of the penalty: smaller C, smaller (with L1: fewer) weights. ``np.inf``: no penalty.
    l1_ratio : float in [0, 1]
        0: L2. 1: L1. Between: elastic net.
    tol : float
        Stop when no entry of the gradient (of the mean loss plus penalty, columns scaled to unit deviation)
        violates the conditions of optimality by more.
    fit_intercept : bool
    class_weight : dict, 'balanced' or None
        Factors of the sample weights; 'balanced': total weight over n_classes times the class's.
    max_iter : int

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    coef_ : array of shape (1, d) for two classes, else (n_classes, d); without L1 those rows sum to 0
    intercept_ : array of shape (1,) or (n_classes,)
    n_iter_ : array of shape (1,)

    Raises
    ------
    ValueError
        One class only, C not positive, l1_ratio outside [0, 1].

    References
    ----------
    Cox, The regression analysis of binary sequences, J. Royal Stat. Soc. B 20, 1958. Beck and Teboulle, SIAM
    J. Imaging Sciences 2, 2009 (proximal gradient). Ng, Feature selection, L1 vs. L2 regularization, and
    rotational invariance, ICML 2004.

    Examples
    --------
    >>> X, y = [[-2.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [2.0, -1.0]], ["no", "no", "yes", "yes"]
    >>> LogisticRegression(C=1.0, l1_ratio=1.0).fit(X, y).coef_.round(2)
    array([[1.01, 0.  ]])
    """

    def __init__(
        self, C=1.0, *, l1_ratio=0.0, tol=1e-4, fit_intercept=True, class_weight=None, max_iter=10000
    ):
        self.C = C
        self.l1_ratio = l1_ratio
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.max_iter = max_iter

    def fit(self, X, y, sample_weight=None):
        """Find the weights and intercepts."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS)
        check_classification_targets(y)
        self._check()
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has only one class, {self.classes_[0]}: give rows of at least two classes.")
        s = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        if (np.bincount(codes, s) == 0).any() and self.class_weight == "balanced":
            raise ValueError("Every row of some class has weight 0: no factor balances it. Drop its rows.")
        if self.class_weight is not None:
            factors = compute_class_weight(self.class_weight, classes=self.classes_, y=y, sample_weight=s)
            s = s * factors[codes]
        targets = (
            np.eye(len(self.classes_))[codes] if len(self.classes_) > 2 else codes[:, None].astype(float)
        )
        A, mean, scale = _scaled(X, s, self.fit_intercept)
        strength = 0.0 if np.isinf(self.C) else 1 / (self.C * s.sum())
        free = np.r_[1 / scale, np.zeros(int(self.fit_intercept))][:, None]  # 0 for the intercept: no penalty
        lasso, ridge = strength * self.l1_ratio * free, strength * (1 - self.l1_ratio) * free**2
        model = _Model(A, targets, s / s.sum(), lasso, ridge)
        solve = _proximal_gradient if self.l1_ratio and strength else _newton
        P, n_iter, violation = solve(model, self.tol, self.max_iter)
        if violation > self.tol:
            warnings.warn(
                f"No convergence after {n_iter} steps: the gradient is {violation:.2g} off, "
                f"tol={self.tol}. Raise max_iter or tol, or lower C.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self._keep(P, mean, scale, n_iter, X.dtype)

    def _check(self):
        if not self.C > 0:
            raise ValueError(f"C={self.C}: choose C > 0; the smaller, the stronger the penalty.")
        if not 0 <= self.l1_ratio <= 1:
            raise ValueError(f"l1_ratio={self.l1_ratio}: choose a number in [0, 1]; 0 is L2, 1 is L1.")
        check_stop(self.max_iter, self.tol)

    def _keep(self, P, mean, scale, n_iter, dtype):
        """Back from scaled, centred columns to X's own."""
        W = P[: len(scale)] / scale[:, None]  # (d, k)
        b = P[-1] - mean @ W if self.fit_intercept else np.zeros(P.shape[1])
        b = b - b.mean() if len(b) > 1 else b  # equal changes of all change no probability
        self.coef_, self.intercept_ = np.ascontiguousarray(W.T).astype(dtype), b.astype(dtype)
        self.n_iter_ = np.array([n_iter], np.int32)
        return self

    def decision_function(self, X):
        """``w·x + b``: shape (n,), positive for `classes_[1]`, or (n, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=False)
        Z = X @ self.coef_.T + self.intercept_
        return Z[:, 0] if Z.shape[1] == 1 else Z

    def predict_proba(self, X):
        """Probability of every class, (n, n_classes)."""
        Z = self.decision_function(X)
        return softmax(Z, axis=1) if Z.ndim == 2 else np.column_stack([expit(-Z), expit(Z)])

    def predict_log_proba(self, X):
        """Logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def predict(self, X):
        """The most probable class."""
        Z = self.decision_function(X)
        return self.classes_[Z.argmax(axis=1) if Z.ndim == 2 else (Z > 0).astype(int)]


def _scaled(X, s, fit_intercept):
    """Columns of unit deviation (a penalty scaled alike has the same minimiser, found in fewer steps), and
    one of ones.

    With an intercept the columns are centred besides; of a sparse X those that are far from 0 only, which
    have hardly a zero to keep.
    """
    n, d = X.shape
    mean = weighted_mean(X, s) if fit_intercept else np.zeros(d)
    if issparse(X):
        mean = np.where(mean**2 > 0.99 * weighted_mean(X.multiply(X).tocsr(), s), mean, 0)
        X = X - csr_array(np.ones((n, 1))) @ csr_array(mean[None])
    scale = np.sqrt(weighted_mean(X.multiply(X).tocsr() if issparse(X) else (X - mean) ** 2, s))
    constant = scale <= 1e-14 * np.abs(mean)
    scale = np.maximum(np.where(constant, 1, scale), 1e-20)  # whose square is bearable
    ones = np.ones((n, int(fit_intercept)))
    if issparse(X):
        return csr_array(hstack([X / scale, ones])), mean, scale
    return np.hstack([np.where(constant, 0, (X - mean) / scale), ones]), mean, scale


class _Model:
    """Mean loss ``sum_i s_i loss_i`` plus penalties of parameters P, (p, k), on the table A, (n, p)."""

    def __init__(self, A, targets, s, lasso, ridge):
        self.A, self.Y, self.s = A, targets, s[:, None]  # (n, p), (n, k), (n, 1)
        self.lasso, self.ridge, self.binary = lasso, ridge, targets.shape[1] == 1  # 0 for the intercept

    def value(self, Z, P):
        """Loss plus L2 penalty at the scores Z = A P."""
        logs = np.logaddexp(0, Z) if self.binary else logsumexp(Z, axis=1, keepdims=True)
        losses = logs - (Z * self.Y).sum(axis=1, keepdims=True)
        return (self.s * losses).sum() + 0.5 * (self.ridge * P**2).sum()

    def probabilities(self, Z):
        """``p_k`` of every row, (n, k); for two classes that of the second."""
        return expit(Z) if self.binary else softmax(Z, axis=1)

    def gradient(self, Z, P):
        """``Aᵀ s (p - y) + ridge P``, (p, k)."""
        return self.A.T @ (self.s * (self.probabilities(Z) - self.Y)) + self.ridge * P

    def violation(self, G, P):
        """By how much the gradient G misses ``-lasso sign(P)``, or [-lasso, lasso] where P is 0, at most."""
        at_zero = np.maximum(np.abs(G) - self.lasso, 0)
        return np.where(P != 0, np.abs(G + self.lasso * np.sign(P)), at_zero).max()

    def hessian(self, Z):
        """H, (p k, p k): the matrix, where it is soon formed; else only its products with vectors."""
        p, shape = self.probabilities(Z), (self.A.shape[1], Z.shape[1])
        if self.binary and shape[0] <= FORMED:
            return self._gram((self.s * p * (1 - p))[:, 0]) + np.diag(self.ridge[:, 0])
        return LinearOperator(
            2 * (np.prod(shape),), lambda v: self.along(p, v.reshape(shape)).ravel(), dtype=float
        )

    def along(self, p, V):
        """The Hessian times V, (p, k): ``Aᵀ s q + ridge V``, ``q_k = p_k (u_k - sum_l p_l u_l)``, u = A V."""
        u = self.A @ V
        mean = p * u if self.binary else (p * u).sum(axis=1, keepdims=True)
        return self.A.T @ (self.s * p * (u - mean)) + self.ridge * V

    def _gram(self, h):
        """``Aᵀ diag(h) A`` for h >= 0."""
        if issparse(self.A):
            return (self.A.T @ self.A.multiply(h[:, None])).toarray()
        B = self.A * np.sqrt(h)[:, None]
        return B.T @ B


def _newton(model, tol, max_iter):
    """``P ← P - t H⁻¹ ∇F`` with the step t halved until F falls."""
    P, Z = np.zeros((model.A.shape[1], model.Y.shape[1])), np.zeros_like(model.Y)
    value, G, it = model.value(Z, P), model.gradient(Z, P), 0
    while it < max_iter:
        step = _solve(model, Z, G)
        along, slope, t = model.A @ step, (G * step).sum(), 1.0
        rounding = 1e-14 * (1 + value)
        while (new := model.value(Z - t * along, P - t * step)) > value - 1e-4 * t * slope + rounding:
            t /= 2
        P, Z, value = P - t * step, Z - t * along, new
        G, it = model.gradient(Z, P), it + 1
        if model.violation(G, P) <= tol:
            break
    return P, it, model.violation(G, P)


def _solve(model, Z, G):
    """``H⁻¹ G`` by conjugate gradients, which a singular H does not stop; closer, the nearer the end is.

    Dembo, Eisenstat and Steihaug, Inexact Newton methods, SIAM J. Numerical Analysis 19, 1982.
    """
    rtol = min(0.1, np.linalg.norm(G) ** 0.5)
    return cg(model.hessian(Z), G.ravel(), rtol=rtol, atol=1e-15)[0].reshape(G.shape)


def _proximal_gradient(model, tol, max_iter):
    """``P ← soft_threshold(Q - ∇F(Q)/L, lasso/L)`` from FISTA's point Q, (9.21).

    No curvature of the loss exceeds ¼ (two classes) or ½ of that of ``sum_i s_i (a_i·w)²``.
    """
    A = model.A
    L = (
        np.linalg.eigvalsh(model._gram(model.s[:, 0]))[-1] * (0.25 if model.binary else 0.5)
        + model.ridge.max()
    )
    steps = proximal_steps(
        lambda Q: model.gradient(A @ Q, Q),
        lambda Q, step: soft_threshold(Q, model.lasso * step),
        L,
        np.zeros((A.shape[1], model.Y.shape[1])),
    )
    for it, P in enumerate(steps, 1):
        if it % 10 == 0 or it == max_iter:
            missed = model.violation(model.gradient(A @ P, P), P)
            if missed <= tol or it == max_iter:
                return P, it, missed
