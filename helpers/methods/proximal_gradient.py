"""Proximal gradient descent for the Lasso, and how far weights are from its minimum; chapters 6 and 9.

The chapters' objective is ``|y - Xw|² + λ|w|₁``. scikit-learn's Lasso finds the same minimiser by coordinate
descent, for ``alpha = λ/2n``; it keeps neither the way there nor the conditions of optimality.
"""

import numpy as np
from sklearn.utils.validation import check_X_y

__all__ = ["kkt_residual", "proximal_gradient", "soft_threshold"]


def soft_threshold(z, t):
    """``sign(z) max(|z| - t, 0)``, the minimiser of ``½|w - z|² + t|w|₁`` (9.7).

    Parameters
    ----------
    z : array
    t : number >= 0, or an array of them of a shape that fits z

    Returns
    -------
    w : array of the shape of z

    Raises
    ------
    ValueError
        A threshold below 0.

    Examples
    --------
    >>> soft_threshold([-3.0, -0.5, 2.0], 1.0)
    array([-2.,  0.,  1.])
    """
    if not np.all(np.asarray(t) >= 0):
        raise ValueError(f"t={t}: a threshold is at least 0.")
    return z - np.clip(z, -np.asarray(t), t)


def kkt_residual(X, y, w, lam):
    """How far w is from minimising ``|y - Xw|² + lam |w|₁``; 0 exactly at a minimiser (9.4), (9.5).

    With g the gradient ``2Xᵀ(Xw - y)``, a minimiser has ``g_j = -lam sign(w_j)`` where ``w_j ≠ 0`` and
    ``|g_j| <= lam`` where ``w_j = 0``.

    Parameters
    ----------
    X, y, w : arrays of shape (n, d), (n,), (d,)
    lam : float >= 0

    Returns
    -------
    violation : float, the largest, in units of lam

    Raises
    ------
    ValueError
        A negative `lam`; rows of X and y, or columns of X and w, that do not fit.

    Examples
    --------
    >>> float(kkt_residual([[1.0], [1.0]], [1.0, 3.0], [1.5], lam=2.0))
    0.0
    """
    X, y, w = _checked(X, y, w, lam)
    g = 2 * X.T @ (X @ w - y)
    return np.where(w != 0, np.abs(g + lam * np.sign(w)), np.maximum(np.abs(g) - lam, 0)).max()


def proximal_gradient(X, y, lam, *, accelerate=False, n_iter=100, w=None):
    """Minimise ``F(w) = |y - Xw|² + lam |w|₁`` by gradient steps on the square, each with a threshold.

    ISTA: ``w ← soft_threshold(w - ∇f(w)/L, lam/L)`` (9.11); F never rises (9.12), and after k steps
    ``F - F* <= L |w₀ - w*|²/2k`` (9.26). FISTA (`accelerate`) takes the step from a point farther along the
    last move: ``F - F* <= 2L |w₀ - w*|²/(k + 1)²`` (9.27).

    Short version: chapter 9, `ista` and `fista`.

    Parameters
    ----------
    X, y : arrays of shape (n, d), (n,)
    lam : float >= 0
    accelerate : bool
    n_iter : int, steps
    w : array of shape (d,), where to begin; 0 by default

    Returns
    -------
    w : array of shape (d,)
    objectives : array of shape (n_iter + 1,), F at the start and after each step

    Raises
    ------
    ValueError
        As in `kkt_residual`; a negative `n_iter`.

    References
    ----------
    Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm for linear inverse problems, SIAM J.
    Imaging Sciences 2, 2009.

    Examples
    --------
    >>> w, objectives = proximal_gradient([[1.0], [1.0]], [1.0, 3.0], lam=2.0)
    >>> w.round(6), objectives[[0, -1]].round(6)
    (array([1.5]), array([10. ,  5.5]))
    """
    X, y, w = _checked(X, y, w, lam)
    if n_iter < 0:
        raise ValueError(f"n_iter={n_iter}: the number of steps is at least 0.")
    L = 2 * np.linalg.norm(X, 2) ** 2 or 1.0  # (9.9); a table of zeros: any step will do
    ahead, theta = w, 1.0
    objectives = [((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()]
    for _ in range(n_iter):
        before, w = w, soft_threshold(ahead - 2 * X.T @ (X @ ahead - y) / L, lam / L)
        last, theta = theta, (1 + np.sqrt(1 + 4 * theta**2)) / 2
        ahead = w + (last - 1) / theta * (w - before) if accelerate else w
        objectives.append(((y - X @ w) ** 2).sum() + lam * np.abs(w).sum())
    return w, np.array(objectives)


def _checked(X, y, w, lam):
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    w = np.zeros(X.shape[1]) if w is None else np.array(w, float)
    if w.shape != X.shape[1:]:
        raise ValueError(f"w has shape {w.shape}: X has {X.shape[1]} columns, each with a weight.")
    if not lam >= 0:
        raise ValueError(f"lam={lam}: a negative penalty has no minimum; choose lam >= 0.")
    return X, y, w
