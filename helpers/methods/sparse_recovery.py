"""Sparse recovery: the code with few nonzeros behind few measurements, and when it is found, chapter 6."""

from itertools import combinations, islice
from math import comb

import numpy as np
from scipy.optimize import linprog
from sklearn.utils.validation import check_array, check_X_y

__all__ = ["basis_pursuit", "coherence", "restricted_isometry_constant", "sparsest_solution"]

MOST = 10**6  # supports that brute force may try: some seconds


def basis_pursuit(A, y):
    """``min |s|₁`` subject to ``As = y``: of all codes with these measurements the one of least L1 norm.

    With s = u - v, u, v >= 0, it is the linear programme ``min sum(u + v)`` subject to ``A(u - v) = y``. A
    signal ``x = Ψs`` that is sparse in a basis Ψ is measured by ``A = ΦΨ`` (6.4): ``x = Ψ @
    basis_pursuit(Φ @ Ψ, y)``.

    Short version: chapter 6, `basis_pursuit`.

    Parameters
    ----------
    A : array of shape (m, n)
    y : array of shape (m,)

    Returns
    -------
    s : array of shape (n,)

    Raises
    ------
    ValueError
        No s solves the equations, as with noise in more measurements than unknowns.

    References
    ----------
    Chen, Donoho and Saunders, Atomic decomposition by basis pursuit, SIAM J. Sci. Comput. 20, 1998.

    Examples
    --------
    >>> A = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    >>> np.abs(basis_pursuit(A, [2.0, 2.0])).round(6)   # of all codes (2-t, 2-t, t) that of least |s|₁
    array([0., 0., 2.])
    """
    A, y = check_X_y(A, y, dtype=float, y_numeric=True)
    breadth = np.median(np.linalg.norm(A, axis=0)) or 1.0  # the solver's tolerances are absolute: so that
    size = np.abs(np.linalg.pinv(A) @ y).max() or 1.0  # columns and codes are of the order of 1
    pair = np.hstack([A, -A]) / breadth
    found = linprog(np.ones(pair.shape[1]), A_eq=pair, b_eq=y / breadth / size, bounds=(0, None))
    if found.status:
        raise ValueError(
            f"No s solves As = y for all {len(y)} rows ({found.message}) Measure without noise, or use the "
            "Lasso, which allows for it."
        )
    u, v = found.x.reshape(2, -1)
    return size * (u - v)


def sparsest_solution(A, y, *, tol=1e-9):
    """The s with fewest nonzeros such that ``|As - y| <= tol |y|``, by trying every support, smallest first,
    (6.5).

    Of supports of one size the first in lexicographic order that fits is returned.

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
        No s fits, or more than 10⁶ supports would have to be tried.

    Examples
    --------
    >>> sparsest_solution([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]], [1.0, 2.0]).round(6)
    array([0., 0., 1.])
    """
    A, y = check_X_y(A, y, dtype=float, y_numeric=True)
    m, n = A.shape
    for k in range(min(m, n) + 1):
        _check_count(n, k)
        for support in map(list, combinations(range(n), k)):
            values = np.linalg.lstsq(A[:, support], y)[0]
            if np.linalg.norm(A[:, support] @ values - y) <= tol * np.linalg.norm(y):
                s = np.zeros(n)
                s[support] = values
                return s
    raise ValueError("No s solves As = y: y lies outside the range of A. Raise tol if y is noisy.")


def _check_count(n, k):
    if comb(n, k) > MOST:
        raise ValueError(
            f"{k} of {n} columns: {comb(n, k):.3g} supports are too many to try (at most {MOST:.0e}); use "
            "fewer columns, or basis_pursuit."
        )


def restricted_isometry_constant(A, k):
    """Smallest δ with ``(1-δ)|s|² <= |As|² <= (1+δ)|s|²`` for every s with k nonzeros, (6.19).

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
        k outside 1..n, or more than 10⁶ choices.

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
    G, worst, supports = A.T @ A, 0.0, combinations(range(n), k)
    while some := list(islice(supports, 10_000)):
        T = np.array(some)  # (supports, k)
        values = np.linalg.eigvalsh(G[T[:, :, None], T[:, None]])  # of A_TᵀA_T, ascending
        worst = max(worst, 1 - values[:, 0].min(), values[:, -1].max() - 1)
    return float(worst)


def coherence(A):
    """``max_{i≠j} |a_i·a_j| / (|a_i| |a_j|)``: how alike two columns can be; (6.17).

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
