"""Outliers: rows far from a fitted line, or outside every cluster, chapter 5."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import _check_sample_weight

from helpers._checks import check_X_y, validate_data
from helpers._linalg import orthonormal_basis
from helpers._tags import tagged

__all__ = ["DBSCAN", "cluster_outliers", "residual_outliers", "standardized_residuals"]


def standardized_residuals(X, y, *, scale="studentized"):
    """How far each y lies from the least-squares fit, in standard deviations, chapter 5.

    With the residual ``r = y - ŷ`` and the leverage ``h_i``, the i-th diagonal entry of the hat matrix H,
    ``ŷ = H y``:

    - 'std': ``r_i / s`` with ``s² = sum r² / (n - p)``, p the number of coefficients. One outlier inflates
      s: in n rows no value exceeds ``√(n - p)``, so with 10 rows and a line nothing ever reaches 3.
    - 'mad': ``r_i / (1.4826 · median |r|)``, which up to half of the rows cannot inflate.
    - 'studentized': ``r_i / (s_(i) √(1 - h_i))`` with s from the fit without row i; for Gaussian noise
      Student's t with n - p - 1 degrees of freedom.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,)
    scale : 'std', 'mad' or 'studentized'

    Returns
    -------
    array of shape (n,)

    Raises
    ------
    ValueError
        Another scale, or no more rows than coefficients: the fit then passes through every row.

    References
    ----------
    Cook and Weisberg, Residuals and Influence in Regression, 1982.

    Examples
    --------
    >>> y = np.array([0.0, 1.1, 1.9, 3.0, 9.0, 5.1, 5.9])
    >>> standardized_residuals(np.arange(7.0)[:, None], y, scale="mad").round(1)
    array([-0.2, -0.3, -0.6, -0.7,  3.9, -0.9, -1.3])
    """
    X, y = check_X_y(X, y, dtype=float, y_numeric=True)
    n, U = len(X), orthonormal_basis(X)
    p = U.shape[1]
    r = y - y.mean()
    r -= U @ (U.T @ r)  # H = U Uᵀ
    r[np.abs(r) <= 1e-13 * np.abs(y).max()] = 0  # rounding is no residual
    if n - p < 1 + (scale == "studentized"):
        raise ValueError(f"{n} rows for {p} coefficients leave no residual to measure: give more rows.")
    if scale == "mad":
        return _divide(r, 1.4826 * np.median(np.abs(r)))
    if scale == "std":
        return _divide(r, np.sqrt(r @ r / (n - p)))
    if scale != "studentized":
        raise ValueError(f"scale={scale!r}: use 'std', 'mad' or 'studentized'.")
    free = np.maximum(1 - (U**2).sum(axis=1), 0)  # 1 - h_i
    without = np.maximum(r @ r - r**2 / np.maximum(free, 1e-12), 0) / (n - p - 1)  # s²_(i)
    return _divide(r, np.sqrt(without * free))


def _divide(r, s):
    """r / s: 0 where r is 0, infinite where the other rows fit perfectly."""
    with np.errstate(divide="ignore"):
        return np.divide(r, s, out=np.zeros_like(r), where=r != 0)


def residual_outliers(X, y, *, threshold=3.0, scale="studentized"):
    """Rows whose standardised residual exceeds the threshold in absolute value, chapter 5.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,)
    threshold : float >= 0, in standard deviations
    scale : 'studentized', 'std' or 'mad'

    Returns
    -------
    bool array of shape (n,)
        True for an outlier.

    Raises
    ------
    ValueError
        A negative threshold; see `standardized_residuals`.

    See Also
    --------
    standardized_residuals : the scales.

    Examples
    --------
    >>> y = np.array([0.0, 1.1, 1.9, 3.0, 9.0, 5.1, 5.9])
    >>> residual_outliers(np.arange(7.0)[:, None], y).nonzero()[0]
    array([4])
    """
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold}: give a number of standard deviations, >= 0.")
    return np.abs(standardized_residuals(X, y, scale=scale)) > threshold


@tagged("input_tags", sparse=True)
class DBSCAN(ClusterMixin, BaseEstimator):
    """Clusters are dense regions, what lies in none is noise: label -1, chapter 5.

    A row is *core* when at least `min_samples` rows (itself among them) lie within `eps`. Core rows within
    `eps` of each other belong to one cluster; any other row within `eps` of a core row joins that core
    row's cluster (of several the one with the lowest number); the rest is noise.

    Parameters
    ----------
    eps : float > 0
        Radius, in the units of X: scale the columns first.
    min_samples : int >= 1

    Attributes
    ----------
    labels_ : int array of shape (n,); clusters are numbered by their first core row, noise is -1
    core_sample_indices_ : int array
    components_ : array of the core rows

    Raises
    ------
    ValueError
        `eps` or `min_samples` not positive.

    References
    ----------
    Ester, Kriegel, Sander and Xu, A density-based algorithm for discovering clusters, KDD 1996.

    Examples
    --------
    >>> DBSCAN(eps=1.5, min_samples=2).fit_predict([[0.0], [1.0], [7.0], [8.0], [99.0]])
    array([ 0,  0,  1,  1, -1])
    """

    def __init__(self, eps=0.5, *, min_samples=5):
        self.eps = eps
        self.min_samples = min_samples

    def fit(self, X, y=None, sample_weight=None):
        """Find the core rows and join them; a row of weight w counts like w rows."""
        from sklearn.neighbors import radius_neighbors_graph

        X = validate_data(self, X, accept_sparse="csr")
        if not self.eps > 0 or self.min_samples < 1:
            raise ValueError(f"eps={self.eps}, min_samples={self.min_samples}: both must be > 0.")
        near = csr_array(radius_neighbors_graph(X, self.eps, include_self=True))  # (n, n), 1 within eps
        core = near @ _check_sample_weight(sample_weight, X) >= self.min_samples
        self.labels_ = _join(near, core)
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = X[self.core_sample_indices_]
        return self


def _join(near, core):
    """Clusters of the core rows, and of the rows near one."""
    labels = np.full(len(core), -1)
    _, component = connected_components(near[core][:, core])
    _, first, number = np.unique(component, return_index=True, return_inverse=True)
    labels[core] = np.argsort(np.argsort(first))[number]  # numbered by the first core row
    row, neighbour = near.nonzero()
    border = ~core[row] & core[neighbour]
    lowest = np.full(len(core), core.sum())
    np.minimum.at(lowest, row[border], labels[neighbour[border]])
    return np.where(core, labels, np.where(lowest < core.sum(), lowest, -1))


def cluster_outliers(X, *, eps=0.5, min_samples=5):
    """Rows outside every cluster, chapter 5: those that `DBSCAN` labels -1.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    eps, min_samples : as in `DBSCAN`

    Returns
    -------
    bool array of shape (n,)
        True for an outlier. (scikit-learn's outlier detectors say -1 for an outlier and +1 for the rest.)

    Raises
    ------
    ValueError
        `eps` or `min_samples` not positive.

    Examples
    --------
    >>> cluster_outliers([[0.0], [1.0], [2.0], [99.0]], eps=1.5, min_samples=2)
    array([False, False, False,  True])
    """
    return DBSCAN(eps, min_samples=min_samples).fit(X).labels_ == -1
