"""The Lasso: least squares with a penalty on the absolute weights, so that many of them are exactly 0,
chapter 9.

The chapter writes ``|y - Xw|² + λ|w|₁``, with λ outside the sum over the samples (erratum E74).
scikit-learn, and so the estimators below, divide the squared error by 2N: ``alpha = λ/2N`` gives the same w.
The functions `proximal_gradient` and `kkt_residual` take the chapter's λ.
"""

import warnings

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_X_y

from helpers._checks import check_count, check_stop
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

CHECK = 10  # iterations between two looks at the duality gap
SMALL = 2**11  # features whose Gram matrix is written out when several problems share it


def soft_threshold(z, t):
    """``sign(z) max(|z| - t, 0)``, the minimiser of ``½|w - z|² + t|w|₁``, (9.12): at most t is taken
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
    return _shrunk(np.asarray(z), t)


def _shrunk(z, t):
    return z - np.clip(z, -t, t)


def _positive_threshold(z, t):
    """The minimiser of ``½|w - z|² + t|w|₁`` over w >= 0."""
    return np.maximum(z - t, 0)


def lipschitz_constant(X):
    """``L = 2 |X|₂²``: the gradient of ``|y - Xw|²`` moves at most L times as far as w, (9.15).

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
    """How far w is from minimising ``|y - Xw|² + lam |w|₁``: 0 exactly at a minimiser, (9.10).

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

    ISTA: ``w ← soft_threshold(w - ∇f(w)/L, lam/L)``; the objective F never rises, and after k steps ``F - F*
    <= L |w₀ - w*|²/2k`` (9.20). FISTA (`accelerate`) takes the step from a point further along the last move, and
    ``F - F* <= 2L |w₀ - w*|²/(k+1)²``.

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
    z, t = w, 1.0
    for _ in range(n_iter):
        gradient = 2 * X.T @ (X @ z - y)
        new = soft_threshold(z - gradient / L, lam / L) if L else w  # step 1/L on both parts
        t, last = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
        z = new + (last - 1) / t * (new - w) if accelerate else new
        w = new
        objectives.append(_objective(X, y, w, lam))
    return w, np.array(objectives)


def _check_lam(lam):
    if not lam >= 0:
        raise ValueError(f"lam={lam}: a negative penalty has no minimum; choose lam >= 0.")


def _objective(X, y, w, lam):
    return ((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()


class _Problem:
    """Rows b of B, each ``min ½ bᵀGb - cᵀb + sum_j lam_j |b_j|`` with its own row c of C.

    Least squares has ``G = XᵀX, c = Xᵀy``; the elastic net has its ridge on the diagonal of G besides.
    """

    def __init__(self, G, C, squares, lam, positive):
        self.G, self.C, self.squares, self.lam = G, C, squares, lam  # (d, d), (t, d), (t,) |y|², (d,)
        self.positive = positive
        self.shrink = _positive_threshold if positive else _shrunk
        self.L = _largest_eigenvalue(G)

    def rows(self, which):
        """The same matrix, fewer right-hand sides."""
        part = object.__new__(_Problem)
        vars(part).update(vars(self), C=self.C[which], squares=self.squares[which])
        return part

    def gaps(self, B):
        """Duality gap of every row, shape (t,)."""
        fit = B @ self.G
        along = (self.C * B).sum(axis=1)  # y·Xb
        residual = self.squares - 2 * along + (fit * B).sum(axis=1)  # |y - Xb|²
        return duality_gap(residual, self.squares - along, B, self.C - fit, self.lam, self.positive)

    def exact(self, b, c):
        """With its signs s known, b solves ``G_AA b_A = c_A - lam s_A`` on its nonzeros A; b where it does
        not."""
        A = np.flatnonzero(b)
        try:
            solved = np.linalg.solve(self.G[np.ix_(A, A)], c[A] - self.lam[A] * np.sign(b[A]))
        except np.linalg.LinAlgError:
            return b
        exact = np.zeros_like(b)
        exact[A] = np.where(solved * b[A] > 0, solved, 0)
        return exact


def duality_gap(residual, y_residual, B, R, lam, positive):
    """Objective minus the dual's at the residual shrunk until ``|Xᵀθ| <= lam``: the distance to the optimum
    is no larger.

    With r = y - Xb, ``R = Xᵀr`` and the largest s <= 1 that makes s·r feasible: ``½|r|² + lam·|b| - s y·r + ½
    s²|r|²``.
    """
    most = ((R if positive else np.abs(R)) / lam).max(axis=1)  # (t,)
    s = 1 / np.maximum(1, most)
    return 0.5 * residual + np.abs(B) @ lam - (s * y_residual - 0.5 * s**2 * residual)


def _largest_eigenvalue(G):
    """A little more than the largest eigenvalue, so that a step 1/L never overshoots; 1 for G = 0."""
    if len(G) <= 64:
        return np.linalg.eigvalsh(G)[-1] or 1.0
    start = np.random.default_rng(0).normal(size=len(G))
    return 1.02 * eigsh(G, k=1, which="LA", v0=start, tol=1e-2, return_eigenvectors=False)[0]


def _descend(problem, B, tol, max_iter, solver):
    """Proximal gradient on every row until its duality gap is at most tol: (B, gaps, iterations).

    A row that is done leaves. FISTA forgets its momentum when that points uphill, and tries, whenever the set
    of nonzeros has settled, whether the linear system of their signs ends the search: the gap decides.
    """
    done, gaps, live = B.copy(), np.full(len(B), np.inf), np.arange(len(B))
    Z, t, seen = B, np.ones((len(B), 1)), None
    for it in range(1, max_iter + 1):
        step = Z + (problem.C - Z @ problem.G) / problem.L
        new = problem.shrink(step, problem.lam / problem.L)  # (9.18)
        Z, t = _extrapolate(new, B, Z, t) if solver == "fista" else (new, t)
        B = new
        if it % CHECK == 0 or it == max_iter:
            if solver == "fista":
                B, seen = _finish(problem, B, seen)
            done[live], gaps[live] = B, problem.gaps(B)
            go = gaps[live] > tol[live]
            if not go.any():
                break
            problem, live = problem.rows(go), live[go]
            B, Z, t, seen = B[go], Z[go], t[go], seen[go] if seen is not None else None
    return done, gaps, it


def _extrapolate(new, old, Z, t):
    """FISTA's next point, ``new + (t - 1)/t' (new - old)``; a row that went uphill starts afresh."""
    move = new - old
    uphill = ((Z - new) * move).sum(axis=1, keepdims=True) > 0
    following = np.where(uphill, 1, (1 + np.sqrt(1 + 4 * t**2)) / 2)
    return new + np.where(uphill, 0, (t - 1) / following) * move, following


def _finish(problem, B, seen):
    """Rows whose nonzeros did not change since the last look, solved exactly where that lowers the gap."""
    support = B != 0
    still = np.flatnonzero((support == seen).all(axis=1)) if seen is not None else []
    if len(still):
        exact = np.array([problem.exact(B[i], problem.C[i]) for i in still])
        part = problem.rows(still)
        better = part.gaps(exact) < part.gaps(B[still])
        B = B.copy()
        B[still[better]] = exact[better]
    return B, support


def _together(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """All targets at once on one Gram matrix, in units where every column has length 1."""
    G, C = table.normal_equations(Y)
    G[np.diag_indices_from(G)] += ridge
    lengths = np.sqrt(np.diag(G))
    lengths[lengths == 0] = 1
    squares = (Y**2).sum(axis=0)
    problem = _Problem(G / np.outer(lengths, lengths), C.T / lengths, squares, lam / lengths, positive)
    B, gaps, n_iter = _descend(problem, B * lengths, tol * squares, max_iter, solver)
    return B / lengths, gaps, n_iter


def _by_working_set(table, y, b, lam, ridge, tol, max_iter, solver, positive):
    """One target, few nonzeros: solve on the most promising columns, until no other column wants to enter."""
    d, squares, total, enough = len(b), np.array([y @ y]), 0, np.inf
    size, W = min(d, 200), np.zeros(0, int)
    residual = y - table.times(b) if b.any() else y
    while True:
        R = table.correlate(residual) - ridge * b  # (d,): of all columns
        r2 = np.array([residual @ residual + ridge * b @ b])
        gap = duality_gap(r2, np.array([y @ residual]), b[None], R[None], np.full(d, lam), positive)
        pull = R if positive else np.abs(R)
        settled = np.delete(pull, W).max(initial=0) <= lam  # the optimum on W is the optimum
        if gap <= tol * squares or (settled and enough < tol) or total >= max_iter:
            return b, gap[0], total
        enough = 0.3 * tol if settled else max(0.3 * tol, 0.02 * gap[0] / squares[0])
        W = np.sort(np.argpartition(np.where(b != 0, -np.inf, -pull), size - 1)[:size])
        part = table.columns(W) if size < d else table
        solved, _, n = _together(
            part, y[:, None], b[None, W], lam, ridge, enough, max_iter - total, solver, positive
        )
        b = np.zeros(d)
        b[W], total = solved[0], total + n
        residual = y - part.times(solved[0])
        size = min(d, max(size, 2 * np.count_nonzero(b)))


def _minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """Weights (t, d), gaps (t,) and iterations of every target; B is where to begin."""
    if len(B) > 1 and B.shape[1] <= SMALL:
        B, gaps, n_iter = _together(table, Y, B, lam, ridge, tol, max_iter, solver, positive)
        return B, gaps, [n_iter] * len(B)
    each = [_by_working_set(table, y, b, lam, ridge, tol, max_iter, solver, positive) for y, b in zip(Y.T, B)]
    return tuple(np.array(part) for part in zip(*each))


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
        B, gaps, n_iter = _minimise(
            data.table, data.Y, start, lam, ridge, self.tol, self.max_iter, self.solver, self.positive
        )
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

    It takes the columns that correlate most with the residual as a working set, solves on their Gram matrix,
    and asks the duality gap of all columns whether others must join: for d ≫ n the Gram matrix of all is
    never formed.

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
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        alphas=alphas,
        positive=positive,
        max_iter=max_iter,
        tol=tol,
        solver=solver,
    )


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
        B, gap, _ = _minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive)
        _warn_if_far(gap, tol * (Y**2).sum(axis=0))
        coefs.append(B)
        gaps.append(gap / len(Y))
    coefs, gaps = np.stack(coefs, axis=-1), np.stack(gaps, axis=-1)
    return (alphas, coefs[0], gaps[0]) if y.ndim == 1 else (alphas, coefs, gaps)
