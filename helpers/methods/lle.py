"""The weights of locally linear embedding: how each row is rebuilt from its neighbours, chapter 4."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_array

__all__ = ["lle_weights"]


def lle_weights(X, *, n_neighbors=5, reg=1e-3):
    """Weights that rebuild every row from its neighbours: ``min |x_i - Σ_j W_ij x_j|²``, ``Σ_j W_ij = 1``.

    The listing of LLE in chapter 4 computes the same weights.

    Parameters
    ----------
    X : array of shape (n, d)
    n_neighbors : int
        How many other rows rebuild a row, at most n - 1.
    reg : float >= 0
        Ridge, as a share of the trace of the local Gram matrix; it has no unit.

    Returns
    -------
    W : CSR array of shape (n, n)
        Rows sum to 1. They stay as they are when X is turned, shifted or scaled.

    Raises
    ------
    ValueError
        Not 1 to n - 1 neighbours, reg < 0, or reg = 0 where the weights are not unique.

    References
    ----------
    Roweis and Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290, 2000.

    Examples
    --------
    >>> lle_weights([[0.0], [1.0], [3.0]], n_neighbors=2, reg=1e-9).toarray().round(2)
    array([[ 0.  ,  1.5 , -0.5 ],
           [ 0.67,  0.  ,  0.33],
           [-2.  ,  3.  ,  0.  ]])
    """
    X = check_array(X, dtype=float)
    n, k = len(X), n_neighbors
    if not 1 <= k < n:
        raise ValueError(f"n_neighbors={k}: {n} rows have {n - 1} others each; choose 1 to {n - 1}.")
    if reg < 0:
        raise ValueError(f"reg={reg}: a ridge is at least 0.")
    near = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
    w = np.array([_weights(x, X[others], reg) for x, others in zip(X, near, strict=True)])
    return csr_array((w.ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))


def _weights(x, near, reg):
    """Weights of the rows of `near`, (4.5)."""
    C = (x - near) @ (x - near).T  # (k, k) local Gram matrix
    C += reg * (np.trace(C) or 1) * np.eye(len(C))  # copies of x have trace 0
    if reg == 0 and np.linalg.matrix_rank(C, hermitian=True) < len(C):
        raise ValueError(
            f"reg=0, but many weights of {len(C)} neighbours in {near.shape[1]} dimensions rebuild a row "
            "equally well: set reg > 0."
        )
    w = np.linalg.solve(C, np.ones(len(C)))  # C w = 1
    return w / w.sum()
