"""Sparse recovery: the signal with few nonzeros behind few measurements, and when it is found, chapter 6."""

from itertools import combinations, islice
from math import comb

import numpy as np
from scipy.linalg import svd
from scipy.optimize import linprog
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y, validate_data

from helpers._rows import row_batches

__all__ = ["BasisPursuit", "coherence", "restricted_isometry_constant", "sparsest_solution"]

MOST = 10**7  # supports that brute force may try


class BasisPursuit(RegressorMixin, BaseEstimator):
    """``min |s|₁`` subject to ``ΦΨ s = y``: the sparse code s of a signal ``x = Ψs`` from measurements y =
    Φx.

    With A = ΦΨ and s = u - v, u, v >= 0, it is the linear programme ``min sum(u + v)`` subject to ``A(u - v)
    = y``. Its constraints are written in the singular vectors of A, ``Vᵀs = Σ⁻¹Uᵀy``: no two of them repeat
    each other, and where no s reaches y (m > n, noise) the projection of y that A reaches is taken.

    Short version: chapter 6, `basis_pursuit`.

    Parameters
    ----------
    basis : array of shape (n, n_atoms) or None
        Ψ, its columns are the atoms: signal = basis @ code. None: the signal itself is sparse.

    Attributes
    ----------
    code_ : array of shape (n_atoms,), the sparse s
    coef_ : array of shape (n,), the signal x = Ψs
    residual_ : float, largest ``|ΦΨs - y|``; above rounding when no s reaches y

    Raises
    ------
    ValueError
        A basis whose rows are not the columns of Φ.

    References
    ----------
    Chen, Donoho and Saunders, Atomic decomposition by basis pursuit, SIAM J. Sci. Comput. 20, 1998.

    Examples
    --------
    >>> A = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    >>> BasisPursuit().fit(A, [2.0, 2.0]).code_            # of all solutions (2-t, 2-t, t) that of least |s|₁
    array([0., 0., 2.])
    """

    def __init__(self, *, basis=None):
        self.basis = basis

    def fit(self, X, y):
        """Find code and signal from the measurement matrix X = Φ, (m, n), and the measurements y, (m,)."""
        Phi, y = validate_data(self, X, y, y_numeric=True)
        Psi = np.eye(Phi.shape[1]) if self.basis is None else check_array(self.basis, dtype=float)
        if len(Psi) != Phi.shape[1]:
            raise ValueError(
                f"basis has shape {Psi.shape}: it needs {Phi.shape[1]} rows, one for each column of X."
            )
        A = Phi @ Psi  # (6.4)
        self.code_ = _least_absolute(A, y)
        self.coef_ = Psi @ self.code_
        self.residual_ = np.abs(A @ self.code_ - y).max()
        return self

    def predict(self, X):
        """The measurements ``Φx`` of the signal found."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False) @ self.coef_


def _least_absolute(A, y):
    """``min |s|₁`` over the least-squares solutions of As = y."""
    U, sigma, Vt = svd(A, full_matrices=False)
    solid = sigma > sigma[0] * max(A.shape) * np.finfo(float).eps
    target = U[:, solid].T @ y / sigma[solid]
    size = np.abs(target).max(initial=0) or 1.0  # HiGHS's tolerances are absolute
    V = Vt[solid]
    if not len(V):
        return np.zeros(A.shape[1])
    found = linprog(np.ones(2 * A.shape[1]), A_eq=np.hstack([V, -V]), b_eq=target / size, bounds=(0, None))
    if found.status:
        raise RuntimeError(f"The linear programme was not solved: {found.message}")
    u, v = found.x.reshape(2, -1)
    return size * (u - v)


def sparsest_solution(A, y, *, tol=1e-9):
    """The s with fewest nonzeros such that ``|As - y| <= tol |y|``, by trying every support, smallest first,
    (6.5).

    Of supports of one size the first in lexicographic order that fits is returned; E41 shows that L1 may
    choose another.

    Short version: chapter 6, `sparsest`.

    Parameters
    ----------
    A : array of shape (m, n)
    y : array of shape (m,)
    tol : float >= 0

    Returns
    -------
    s : array of shape (n,)

    Raises
    ------
    ValueError
        No s fits, or more than 10⁷ supports would have to be tried.

    Examples
    --------
    >>> sparsest_solution([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]], [1.0, 2.0]).round(6)
    array([0., 0., 1.])
    """
    A, y = check_X_y(A, y, dtype=float)
    m, n = A.shape
    for k in range(min(m, n) + 1):
        _check_count(n, k)
        for support in map(list, combinations(range(n), k)):
            values = np.linalg.lstsq(A[:, support], y, rcond=None)[0]
            if np.linalg.norm(A[:, support] @ values - y) <= tol * np.linalg.norm(y):
                s = np.zeros(n)
                s[support] = values
                return s
    raise ValueError("No s solves As = y: y lies outside the range of A. Raise tol if y is noisy.")


def _check_count(n, k):
    if comb(n, k) > MOST:
        raise ValueError(
            f"{k} of {n} columns: {comb(n, k):.3g} supports are too many to try (at most "
            f"{MOST:.0e}); use fewer columns, or BasisPursuit."
        )


def restricted_isometry_constant(A, k):
    """Smallest δ with ``(1-δ)|s|² <= |As|² <= (1+δ)|s|²`` for every s with k nonzeros, (6.8).

    ``δ_k = max_{|T|=k} |A_TᵀA_T - I|₂`` over *all* choices T of k columns (erratum E41), by brute force.

    Short version: chapter 6, `delta`.

    Parameters
    ----------
    A : array of shape (m, n); the columns are usually of length 1
    k : int, 1 to n

    Returns
    -------
    delta : float, at least 0

    Raises
    ------
    ValueError
        k outside 1..n, or more than 10⁷ choices.

    References
    ----------
    Candès and Tao, Decoding by linear programming, IEEE Trans. Inform. Theory 51, 2005.

    Examples
    --------
    >>> A = [[1.0, 1.0]]                          # E41: δ₁ = 0, yet both unit vectors measure the same
    >>> restricted_isometry_constant(A, 1), restricted_isometry_constant(A, 2)
    (0.0, 1.0)
    """
    A = check_array(A, dtype=float)
    n = A.shape[1]
    if not 1 <= k <= n:
        raise ValueError(f"k={k}: choose 1 to {n}, the number of columns.")
    _check_count(n, k)
    G, worst = A.T @ A, 0.0
    supports = combinations(range(n), k)
    for batch in row_batches(comb(n, k), k**2):
        T = np.array(list(islice(supports, batch.stop - batch.start)))  # (supports, k)
        values = np.linalg.eigvalsh(G[T[:, :, None], T[:, None, :]])  # of A_TᵀA_T, ascending
        worst = max(worst, 1 - values[:, 0].min(), values[:, -1].max() - 1)
    return float(worst)


def coherence(A):
    """``max_{i≠j} |a_i·a_j| / (|a_i| |a_j|)``: how alike two columns can be; (6.6).

    Below ``(1 + 1/coherence)/2`` nonzeros, L1 and orthogonal matching pursuit find the sparsest solution.

    Parameters
    ----------
    A : array of shape (m, n), n >= 2

    Returns
    -------
    mu : float, 0 (orthogonal columns) to 1 (two are parallel)

    Raises
    ------
    ValueError
        Fewer than two columns, or a column of zeros.

    References
    ----------
    Donoho and Elad, Optimally sparse representation in general dictionaries via ℓ¹ minimization, PNAS 100,
    2003.

    Examples
    --------
    >>> round(coherence([[1.0, 0.0, 3.0], [0.0, 2.0, 3.0]]), 4)
    0.7071
    """
    A = check_array(A, dtype=float)
    lengths = np.linalg.norm(A, axis=0)
    if (lengths == 0).any():
        raise ValueError(
            f"Columns {np.flatnonzero(lengths == 0).tolist()} of A are 0 and have no direction: drop them."
        )
    if A.shape[1] < 2:
        raise ValueError("A has one column: coherence compares two.")
    A = A / lengths
    return float(np.abs(A.T @ A - np.eye(A.shape[1])).max())
