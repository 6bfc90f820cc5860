"""k nearest neighbours: predict from the k training rows that lie closest, chapter 1."""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics.pairwise import euclidean_distances, manhattan_distances
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from helpers._checks import check_array, check_count, validate_data
from helpers._fast import faster
from helpers._nearest import k_smallest, without_self
from helpers._tags import tagged

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "k_nearest"]

SHORT = np.iinfo(np.int32).max


def k_nearest(X, queries=None, k=5, p=2):
    """The k rows of X nearest to every query, nearest first; of equally near rows the one stored first.

    The distance is Minkowski's, ``(sum_j |x_j - q_j|**p) ** (1/p)``, eq. (1.1): p = 1 city block, 2 Euclid,
    ``np.inf`` the largest coordinate difference.

    Short version: chapter 1, `nearest_by_sorting`; chapter 4, `nearest`.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    queries : array or CSR matrix of shape (m, d), or None
        With None every row of X is a query and is not its own neighbour.
    k : int, at most n (n - 1 with ``queries=None``)
    p : float >= 1
        Sparse input: 1 or 2.

    Returns
    -------
    distances : array of shape (m, k)
    indices : int array of shape (m, k), rows of X

    Raises
    ------
    ValueError
        More neighbours than rows, p < 1, or queries with other features than X.

    Examples
    --------
    >>> distances, indices = k_nearest([[0.0], [1.0], [3.0]], [[0.9]], k=2)
    >>> indices
    array([[1, 0]])
    """
    X = check_array(X, accept_sparse="csr")
    Q = X if queries is None else check_array(queries, accept_sparse="csr")
    _check_k_and_p(X, Q, k, p, others_only=queries is None)
    if queries is not None:
        return _nearest(X, Q, k, p)
    lengths, near = _nearest(X, X, k + 1, p)
    others = without_self(near, np.arange(X.shape[0]))
    return lengths[others].reshape(-1, k), near[others].reshape(-1, k)


@faster("neighbors")
def _nearest(X, Q, k, p):
    """All distances from every query, then the k smallest; exact ties go to the row stored first."""
    D = distances(Q, X, p)
    near = k_smallest(D, k)
    return np.take_along_axis(D, near, 1), near


def distances(Q, X, p):
    """Minkowski's distance from every row of Q to every row of X, (1.1); shape (m, n)."""
    if issparse(X) or issparse(Q):
        return euclidean_distances(Q, X) if p == 2 else manhattan_distances(*map(_short_indices, (Q, X)))
    return cdist(Q, X, "chebyshev") if np.isinf(p) else cdist(Q, X, "minkowski", p=p)


def _short_indices(X):
    """A CSR table with 32-bit indices: scikit-learn's city block distances of sparse rows take no others."""
    if not issparse(X) or X.indices.dtype == X.indptr.dtype == np.int32:
        return X
    if max(X.nnz, *X.shape) > SHORT:
        raise ValueError(
            f"p=1 takes sparse tables of at most {SHORT} stored numbers, not {X.nnz} in shape {X.shape}: "
            "use p=2, or give fewer rows at a time."
        )
    return type(X)((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def _check_k_and_p(X, Q, k, p, others_only):
    most = X.shape[0] - others_only
    if X.shape[1] != Q.shape[1]:
        raise ValueError(
            f"queries have {Q.shape[1]} features, but X has {X.shape[1]}: give both the same columns."
        )
    if not 1 <= k <= most:
        raise ValueError(
            f"n_neighbors={k}, but only 1 to {most} are possible with n_samples={X.shape[0]}, "
            f"n_samples_fit = {X.shape[0]}: choose fewer neighbours or give more rows."
        )
    _check_power(p)
    if (issparse(X) or issparse(Q)) and p not in (1, 2):
        raise ValueError(
            f"p={p} needs dense rows: sparse ones are compared with p=1 or p=2 (or use .toarray())."
        )


def _check_power(p):
    if not p >= 1:
        raise ValueError(f"p={p}: below 1 Minkowski's formula breaks the triangle inequality; choose p >= 1.")


def _inverse_distances(distances):
    """1/d, where an exact match decides alone: its weight would be infinite (1.4)."""
    with np.errstate(divide="ignore", over="ignore"):
        weights = 1 / distances
    exact = np.isinf(weights)
    return np.where(exact.any(axis=1, keepdims=True), exact, weights)


@tagged("input_tags", sparse=True)
@tagged("target_tags", multi_output=True)
class _Neighbors(BaseEstimator):
    """What classifier and regressor share: a lazy learner stores the rows and computes at the query."""

    def __init__(self, n_neighbors=5, *, weights="uniform", p=2):
        self.n_neighbors, self.weights, self.p = n_neighbors, weights, p

    def _store(self, X):
        if self.weights not in ("uniform", "distance") and not callable(self.weights):
            raise ValueError(
                f"weights={self.weights!r}: use 'uniform', 'distance' or a function of the distances."
            )
        check_count("n_neighbors", self.n_neighbors)
        _check_power(self.p)
        self._fit_X = X

    def kneighbors(self, X=None, n_neighbors=None):
        """Distances and row numbers of the nearest training rows, nearest first.

        Without X: the neighbours of every training row, itself excluded.
        """
        check_is_fitted(self)
        if X is not None:
            X = validate_data(self, X, reset=False, accept_sparse="csr")
        return k_nearest(self._fit_X, X, self.n_neighbors if n_neighbors is None else n_neighbors, self.p)

    def _neighbors_and_weights(self, X):
        lengths, near = self.kneighbors(X)
        if not callable(self.weights):
            return near, np.ones_like(lengths) if self.weights == "uniform" else _inverse_distances(lengths)
        weights = np.asarray(self.weights(lengths))
        if not weights.any(axis=1).all():
            raise ValueError(
                "weights: your function gives all neighbours of a row the weight 0, so that none has "
                "a say; let at least one count."
            )
        return near, weights


@tagged("classifier_tags", multi_label=True)
class KNeighborsClassifier(ClassifierMixin, _Neighbors):
    """Vote of the k nearest training rows.

    The share of class c is ``sum_i w_i [y_i = c] / sum_i w_i`` over the k neighbours, eq. (1.3); the class
    with the largest share is predicted, of equal shares the one that sorts first.

    Short version: chapter 1, `vote`.

    Parameters
    ----------
    n_neighbors : int
    weights : 'uniform', 'distance' (w = 1/d; an exact match decides alone) or a function of the distances
    p : float >= 1, Minkowski's exponent

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of one such array for each column of y
    outputs_2d_ : bool
        y has several columns: each is voted on by itself.

    Raises
    ------
    ValueError
        At prediction: more neighbours than training rows, or a function that gives all of them the weight 0.

    References
    ----------
    Cover and Hart, Nearest neighbor pattern classification, IEEE Trans. Inform. Theory 13, 1967.

    Examples
    --------
    >>> KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [9]], list("aabb")).predict([[1.2]])
    array(['a'], dtype='<U1')
    """

    def fit(self, X, y):
        """Store the rows and their labels, (n,) or (n, n_outputs); no distance is computed."""
        X, y = validate_data(self, X, y, accept_sparse="csr", multi_output=True)
        check_classification_targets(y)
        self._store(X)
        self.outputs_2d_ = y.ndim == 2 and y.shape[1] > 1
        columns = y.T if self.outputs_2d_ else [column_or_1d(y, warn=True)]
        found = [np.unique(column, return_inverse=True) for column in columns]
        self.classes_, self._y = map(list, zip(*found)) if self.outputs_2d_ else found[0]
        return self

    def predict_proba(self, X):
        """Share of the votes of every class, (1.3); shape (m, n_classes), or a list, one per column of y."""
        indices, weights = self._neighbors_and_weights(X)
        if self.outputs_2d_:
            return [_shares(y[indices], weights, len(classes)) for y, classes in zip(self._y, self.classes_)]
        return _shares(self._y[indices], weights, len(self.classes_))

    def predict(self, X):
        """The class with the largest share; shape (m,) or (m, n_outputs)."""
        shares = self.predict_proba(X)
        if self.outputs_2d_:
            return np.column_stack([classes[s.argmax(axis=1)] for classes, s in zip(self.classes_, shares)])
        return self.classes_[shares.argmax(axis=1)]


def _shares(labels, weights, C):
    """The neighbours' labels 0 … C - 1 and weights, (m, k), as shares of the vote, (m, C)."""
    m = len(labels)
    ballots = np.arange(m)[:, None] * C + labels  # one cell for each (query, class)
    votes = np.bincount(ballots.ravel(), weights.ravel(), minlength=m * C).reshape(m, C)
    return votes / votes.sum(axis=1, keepdims=True)


class KNeighborsRegressor(RegressorMixin, _Neighbors):
    """Weighted mean of the k nearest training targets, ``sum_i w_i y_i / sum_i w_i``, eq. (1.4).

    Short version: chapter 1, `average`.

    Parameters
    ----------
    n_neighbors : int
    weights : 'uniform', 'distance' (w = 1/d; an exact match decides alone) or a function of the distances
    p : float >= 1, Minkowski's exponent

    Examples
    --------
    >>> KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [5]], [10.0, 20.0, 90.0]).predict([[0.4]])
    array([15.])
    """

    def fit(self, X, y):
        """Store the rows and their targets, shape (n,) or (n, n_outputs)."""
        X, self._y = validate_data(self, X, y, accept_sparse="csr", multi_output=True, y_numeric=True)
        self._store(X)
        return self

    def predict(self, X):
        """Weighted mean of the neighbours' targets."""
        indices, weights = self._neighbors_and_weights(X)
        weights = weights / weights.sum(axis=1, keepdims=True)
        return np.einsum("mk,mk...->m...", weights, self._y[indices])
