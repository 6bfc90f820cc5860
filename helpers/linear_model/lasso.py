"""The Lasso: least squares with a penalty on the absolute weights, so that many of them are exactly 0,
chapter 9.

The chapter writes ``|y - Xw|² + λ|w|₁``, with λ outside the sum over the samples (erratum E74).
scikit-learn, and so the estimators below, divide the squared error by 2N: ``alpha = λ/2N`` gives the same w.
The functions `proximal_gradient` and `kkt_residual` take the chapter's λ.
"""

import warnings
from itertools import islice

import numpy as np
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from helpers._checks import check_array, check_count, check_stop, check_X_y
from helpers._fast import faster
from helpers._fista import extrapolate, proximal_steps, straight_on
from helpers.linear_model._base import LinearRegressor, centred_table

__all__ = [
    "ElasticNet",
    "Lasso",
    "enet_path",
    "kkt_residual",
    "lasso_path",
    "lipschitz_constant",
    "proximal_gradient",
    "soft_threshold",
]


def soft_threshold(z, t):
    """``sign(z) max(|z| - t, 0)``, the minimiser of ``½|w - z|² + t|w|₁``, (9.8): at most t is taken
    off, towards 0.

    Parameters
    ----------
    z : array or number
    t : float >= 0, or array that broadcasts against z

    Returns
    -------
    w : array of the shape of z

    Raises
    ------
    ValueError
        A negative threshold.

    Examples
    --------
    >>> soft_threshold([-3.0, -0.5, 0.0, 0.5, 3.0], 1.0)
    array([-2.,  0.,  0.,  0.,  2.])
    """
    if np.min(t) < 0:
        raise ValueError(f"t={t}: a threshold is at least 0.")
    z = np.asarray(z)
    return z - np.clip(z, -t, t)


def lipschitz_constant(X):
    """``L = 2 |X|₂²``: the gradient of ``|y - Xw|²`` moves at most L times as far as w, (9.16).

    The norms are not squared (erratum E72), the largest singular value is.

    Parameters
    ----------
    X : array of shape (n, d)

    Returns
    -------
    L : float

    Examples
    --------
    >>> float(lipschitz_constant([[3.0, 0.0], [0.0, 4.0]]))
    32.0
    """
    return 2 * np.linalg.norm(check_array(X), 2) ** 2


def kkt_residual(X, y, w, lam):
    """How far w is from minimising ``|y - Xw|² + lam |w|₁``: 0 exactly at a minimiser, (9.5), (9.6).

    With g the gradient ``2Xᵀ(Xw - y)``, a minimiser has ``g_j = -lam sign(w_j)`` where ``w_j ≠ 0`` and
    ``|g_j| <= lam`` where ``w_j = 0``; the largest violation is returned.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,)
    w : array of shape (d,)
    lam : float >= 0

    Returns
    -------
    violation : float, at least 0, in units of lam

    Raises
    ------
    ValueError
        A negative `lam`.

    Examples
    --------
    >>> float(kkt_residual([[1.0], [1.0]], [1.0, 3.0], [1.5], lam=2.0))
    0.0
    """
    X, y = check_X_y(X, y, y_numeric=True)
    _check_lam(lam)
    w = np.asarray(w, float)
    g = 2 * X.T @ (X @ w - y)  # (d,)
    return np.where(w != 0, np.abs(g + lam * np.sign(w)), np.maximum(np.abs(g) - lam, 0)).max()


def proximal_gradient(X, y, lam, *, accelerate=False, n_iter=100, w=None):
    """Minimise ``|y - Xw|² + lam |w|₁`` by a gradient step on the first term and a threshold for the second.

    ISTA: ``w ← soft_threshold(w - ∇f(w)/L, lam/L)``; the objective F never rises, and after k steps
    ``F - F* <= L |w₀ - w*|²/2k`` (9.23). FISTA (`accelerate`) takes the step from a point further along the
    last move, and ``F - F* <= 2L |w₀ - w*|²/(k+1)²``.

    Short version: chapter 6, `ista`; chapter 9, `ista` and `fista`.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,)
    lam : float >= 0, the chapter's λ; `Lasso` with ``alpha = lam / 2n`` has the same minimiser
    accelerate : bool
    n_iter : int
    w : array of shape (d,), where to begin; 0 by default

    Returns
    -------
    w : array of shape (d,)
    objectives : array of shape (n_iter + 1,)

    Raises
    ------
    ValueError
        A negative `lam` or `n_iter`.

    References
    ----------
    Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm for linear inverse problems, SIAM J.
    Imaging Sciences 2, 2009, theorems 3.1 and 4.4.

    Examples
    --------
    >>> w, objectives = proximal_gradient([[1.0], [1.0]], [1.0, 3.0], lam=2.0)
    >>> w.round(6), objectives[[0, -1]].round(6)
    (array([1.5]), array([10. ,  5.5]))
    """
    X, y = check_X_y(X, y, y_numeric=True)
    _check_lam(lam)
    check_count("n_iter", n_iter, 0)
    L = lipschitz_constant(X)
    w = np.zeros(X.shape[1]) if w is None else np.array(w, float)
    objectives = [_objective(X, y, w, lam)]
    steps = proximal_steps(
        lambda z: 2 * X.T @ (X @ z - y),
        lambda z, step: soft_threshold(z, lam * step) if L else z,
        L or 1.0,
        w,
        straight_on if accelerate else None,
    )
    for w in islice(steps, n_iter):
        objectives.append(_objective(X, y, w, lam))
    return w, np.array(objectives)


def _check_lam(lam):
    if not lam >= 0:
        raise ValueError(f"lam={lam}: a negative penalty has no minimum; choose lam >= 0.")


def _objective(X, y, w, lam):
    return ((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()


def duality_gap(residual, y_residual, W, R, lam, positive):
    """Objective minus the dual's at the residual shrunk until ``|Xᵀθ| <= lam``: the distance to the optimum
    is no larger.

    With r = y - Xw, ``R = Xᵀr`` and the largest s <= 1 that makes s·r feasible it is
    ``½|r|² + lam·|w| - s y·r + ½ s²|r|²``. Every row of W, (t, d), and of R is a problem of its own, with
    |r|² and y·r in arrays of shape (t,).
    """
    pull = R if positive else np.abs(R)
    s = np.divide(lam, pull, out=np.ones_like(pull), where=pull > lam).min(axis=1)
    return 0.5 * residual + (lam * np.abs(W)).sum(axis=1) - (s * y_residual - 0.5 * s**2 * residual)


def threshold_of(positive):
    """The minimiser of ``½|w - z|² + t|w|₁``, over w >= 0 if `positive`."""
    return (lambda z, t: np.maximum(z - t, 0)) if positive else soft_threshold


def _descend(A, y, w, lam, tol, max_iter, solver, positive):
    """``min ½|y - Aw|² + lam·|w|`` by proximal gradient steps until the duality gap is at most tol |y|²."""
    L, shrink = lipschitz_constant(A) / 2 or 1.0, threshold_of(positive)
    steps = proximal_steps(
        lambda z: A.T @ (A @ z - y),
        lambda z, step: shrink(z, lam * step),  # (9.21)
        L,
        w,
        extrapolate if solver == "fista" else None,
    )
    for it in range(1, max_iter + 1):
        w = next(steps)
        r = y - A @ w
        gap = duality_gap(r @ r, y @ r, w[None], (A.T @ r)[None], lam, positive)[0]
        if gap <= tol * y @ y or it == max_iter:
            return w, gap, it


@faster("lasso")
def minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """Weights (t, d), gaps (t,) and iterations of every target, one after the other; B is where to begin.

    A ridge is so many rows more, ``√ridge I``, with target 0. Columns of length 1 make units play no part.
    """
    d = table.shape[1]
    A, extra = np.vstack([table.dense(), np.sqrt(ridge) * np.eye(d)]), np.zeros(d)
    lengths = np.linalg.norm(A, axis=0)
    lengths[lengths == 0] = 1
    found = [
        _descend(A / lengths, np.r_[y, extra], b * lengths, lam / lengths, tol, max_iter, solver, positive)
        for y, b in zip(Y.T, B)
    ]
    W, gaps, n_iter = (np.array(part) for part in zip(*found))
    return W / lengths, gaps, n_iter


class _L1Regressor(LinearRegressor):
    """Fit and checks of the Lasso and the elastic net."""

    def fit(self, X, y, sample_weight=None):
        """Find w and b; `sample_weight` s, scaled to sum to n, weighs the squared errors."""
        _check_penalty(self.alpha, self._ratio, self.solver)
        check_stop(self.max_iter, self.tol)
        data = self._centred(X, y, sample_weight)
        total = data.table.roots @ data.table.roots  # n, or the sum of the weights
        start = np.zeros((data.Y.shape[1], data.table.shape[1]))
        lam, ridge = total * self.alpha * self._ratio, total * self.alpha * (1 - self._ratio)
        how = self.tol, self.max_iter, self.solver, self.positive
        B, gaps, n_iter = minimise(data.table, data.Y, start, lam, ridge, *how)
        _warn_if_far(gaps, self.tol * (data.Y**2).sum(axis=0))
        gaps, steps = gaps / total, [int(n) for n in n_iter]
        self.dual_gap_, self.n_iter_ = (gaps[0], steps[0]) if len(B) == 1 else (gaps, steps)
        return self._keep(data, B.T)

    @property
    def _ratio(self):
        return getattr(self, "l1_ratio", 1.0)

    @property
    def sparse_coef_(self):
        """`coef_` as a sparse array: its zeros are exact."""
        return csr_array(np.atleast_2d(self.coef_))


class Lasso(_L1Regressor):
    """``min_w 1/(2n) |y - Xw - b|² + alpha |w|₁``; the intercept b is not penalised.

    The chapter's ``min |y - Xw|² + λ|w|₁`` has the same solution for ``alpha = λ/2n`` (erratum E74); all
    weights are 0 from ``alpha = max_j |x_j·y|/n`` on, x_j centred.

    By proximal gradient steps, those of `proximal_gradient`, until the duality gap says that it is done. (The
    fast way takes the columns that correlate most with the residual as a working set, solves on their Gram
    matrix, and asks the duality gap of all columns whether others must join.)

    Short version: chapter 9, `fista`.

    Parameters
    ----------
    alpha : float > 0
    fit_intercept : bool
    max_iter : int
        Proximal gradient steps.
    tol : float
        Stop when the duality gap is at most ``tol |y|²`` (y centred): the objective times n is then that
        close to its minimum.
    positive : bool
        Only weights >= 0.
    solver : 'fista' or 'ista'
        'fista': proximal gradient with momentum, and a linear system when the signs have settled. 'ista':
        plain proximal gradient, slow on correlated columns.

    Attributes
    ----------
    coef_ : array of shape (d,) or (n_targets, d)
    sparse_coef_ : sparse array of shape (n_targets, d)
    intercept_ : float or array of shape (n_targets,)
    dual_gap_ : float or array, the duality gap over n
    n_iter_ : int or list of int

    Raises
    ------
    ValueError
        alpha not positive, unknown solver.

    References
    ----------
    Tibshirani, Regression shrinkage and selection via the lasso, J. Royal Stat. Soc. B 58, 1996. Beck and
    Teboulle, 2009. Massias, Gramfort and Salmon, Celer: a fast solver for the lasso with dual extrapolation,
    ICML 2018 (working sets).

    Examples
    --------
    >>> X, y = [[1.0, 1.0], [2.0, -1.0], [3.0, 0.0]], [1.0, 2.0, 3.0]
    >>> Lasso(alpha=0.1).fit(X, y).coef_.round(3)
    array([0.85, 0.  ])
    """

    def __init__(
        self, alpha=1.0, *, fit_intercept=True, max_iter=10000, tol=1e-4, positive=False, solver="fista"
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.positive = positive
        self.solver = solver


class ElasticNet(_L1Regressor):
    """``min_w 1/(2n) |y - Xw - b|² + alpha l1_ratio |w|₁ + ½ alpha (1 - l1_ratio) |w|²``.

    A Lasso whose Gram matrix has a ridge on the diagonal: correlated columns share their weight.

    Parameters
    ----------
    alpha : float > 0
    l1_ratio : float in (0, 1]; 1 is the `Lasso`, for 0 use `Ridge`
    fit_intercept, max_iter, tol, positive, solver : as in `Lasso`

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, dual_gap_, n_iter_ : as in `Lasso`

    References
    ----------
    Zou and Hastie, Regularization and variable selection via the elastic net, J. Royal Stat. Soc. B 67, 2005.

    Examples
    --------
    >>> X, y = [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [1.0, 2.0, 3.0]
    >>> ElasticNet(alpha=0.1).fit(X, y).coef_.round(3)
    array([0.446, 0.446])
    """

    def __init__(
        self,
        alpha=1.0,
        *,
        l1_ratio=0.5,
        fit_intercept=True,
        max_iter=10000,
        tol=1e-4,
        positive=False,
        solver="fista",
    ):
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.positive = positive
        self.solver = solver


def _check_penalty(alpha, l1_ratio, solver):
    if not np.all(np.asarray(alpha) > 0):
        raise ValueError(f"alpha={alpha}: choose alpha > 0; without a penalty it is Ridge(alpha=0).")
    if not 0 < l1_ratio <= 1:
        raise ValueError(
            f"l1_ratio={l1_ratio}: choose a number in (0, 1]; with 0 it is Ridge(alpha=n_samples * alpha)."
        )
    if solver not in ("fista", "ista"):
        raise ValueError(f"solver={solver!r}: use 'fista' or 'ista'.")


def _warn_if_far(gaps, allowed):
    worst = np.argmax(gaps - allowed)
    if gaps[worst] > allowed[worst]:
        warnings.warn(
            f"Objective did not converge: duality gap {gaps[worst]:.3g}, allowed "
            f"{allowed[worst]:.3g}. Raise max_iter, tol or alpha.",
            ConvergenceWarning,
            stacklevel=3,
        )


def lasso_path(X, y, *, eps=1e-3, alphas=100, positive=False, max_iter=10000, tol=1e-4, solver="fista"):
    """The Lasso for a falling sequence of alphas, each started from the one before; no intercept: centre X
    and y first.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,) or (n, n_targets)
    eps : float, smallest over largest alpha of the automatic sequence
    alphas : int, how many from the largest (where the first weight enters) to eps times that; or a list
    positive, max_iter, tol, solver : as in `Lasso`

    Returns
    -------
    alphas : array of shape (n_alphas,), falling
    coefs : array of shape (d, n_alphas) or (n_targets, d, n_alphas)
    dual_gaps : array of shape (n_alphas,) or (n_targets, n_alphas), over n

    Raises
    ------
    ValueError
        As in `enet_path`.

    Examples
    --------
    >>> alphas, coefs, _ = lasso_path([[1.0, 0.0], [0.0, 1.0]], [4.0, 2.0], alphas=[2.0, 1.0, 0.5])
    >>> coefs
    array([[0., 2., 3.],
           [0., 0., 1.]])
    """
    options = dict(positive=positive, max_iter=max_iter, tol=tol, solver=solver)
    return enet_path(X, y, l1_ratio=1.0, eps=eps, alphas=alphas, **options)


def enet_path(
    X, y, *, l1_ratio=0.5, eps=1e-3, alphas=100, positive=False, max_iter=10000, tol=1e-4, solver="fista"
):
    """The elastic net for a falling sequence of alphas, as `lasso_path` with a second penalty.

    Parameters
    ----------
    X, y, eps, alphas, positive, max_iter, tol, solver : as in `lasso_path`
    l1_ratio : float in (0, 1]
        Share of the L1 penalty, as in `ElasticNet`; with 1 it is the Lasso.

    Returns
    -------
    alphas, coefs, dual_gaps : as from `lasso_path`

    Raises
    ------
    ValueError
        An alpha, l1_ratio, eps, max_iter or tol that is out of range.

    Examples
    --------
    >>> alphas, coefs, _ = enet_path([[1.0, 0.0], [0.0, 1.0]], [4.0, 2.0], l1_ratio=0.5, alphas=[2.0, 1.0])
    >>> coefs.round(3)
    array([[0.667, 1.5  ],
           [0.   , 0.5  ]])
    """
    X, y = check_X_y(X, y, accept_sparse="csr", multi_output=True, y_numeric=True)
    table, Y = centred_table(X, centre=False), y.reshape(len(y), -1).astype(float)
    if not 0 < eps < 1:
        raise ValueError(f"eps={eps}: the smallest alpha is a share of the largest; choose 0 < eps < 1.")
    if np.ndim(alphas) == 0:
        alphas = np.abs(table.correlate(Y)).max() / (len(Y) * l1_ratio) * np.geomspace(1, eps, alphas)
    alphas = np.sort(np.asarray(alphas, float))[::-1]
    _check_penalty(alphas, l1_ratio, solver)
    check_stop(max_iter, tol)
    B, coefs, gaps = np.zeros((Y.shape[1], X.shape[1])), [], []
    for lam, ridge in zip(len(Y) * alphas * l1_ratio, len(Y) * alphas * (1 - l1_ratio)):
        B, gap, _ = minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive)
        _warn_if_far(gap, tol * (Y**2).sum(axis=0))
        coefs.append(B)
        gaps.append(gap / len(Y))
    coefs, gaps = np.stack(coefs, axis=-1), np.stack(gaps, axis=-1)
    return (alphas, coefs[0], gaps[0]) if y.ndim == 1 else (alphas, coefs, gaps)
