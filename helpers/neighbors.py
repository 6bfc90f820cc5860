"""k nearest neighbours: predict from the k training rows that lie closest, chapter 1."""

import numpy as np
from scipy.sparse import issparse
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import pairwise_distances
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from helpers._checks import check_count

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor", "k_nearest"]

BLOCK = 2**21  # distances held at a time: memory stays bounded however many queries come
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
    others_only = queries is None
    Q = X if others_only else check_array(queries, accept_sparse="csr")
    _check_k_and_p(X, Q, k, p, others_only)
    wanted = k + 1 if others_only else k
    distances, indices = np.empty((Q.shape[0], wanted)), np.empty((Q.shape[0], wanted), np.intp)
    search, step = _quickest(X, Q, wanted, p), max(1, BLOCK // X.shape[0])
    for rows in (slice(s, s + step) for s in range(0, Q.shape[0], step)):
        distances[rows], indices[rows] = search(Q[rows], wanted)
    return _without_self(distances, indices) if others_only else (distances, indices)


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


def _quickest(X, Q, k, p):
    """The function (queries, k) that finds the nearest rows of X soonest; all find the same."""
    if _Screen.pays(X, Q, k, p):
        return _Screen(X, k)
    if _Tree.pays(X, Q, k):
        return _Tree(X, p)
    return lambda queries, k: _by_all_distances(X, queries, k, p)


def _by_all_distances(X, Q, k, p):
    """Every distance of the block, then the k smallest; exact ties go to the row stored first."""
    if issparse(X) or issparse(Q):
        Q, X = (Q, X) if p == 2 else map(short_indices, (Q, X))
        D = pairwise_distances(Q, X, metric="euclidean" if p == 2 else "manhattan")
    else:
        D = cdist(Q, X, "chebyshev") if np.isinf(p) else cdist(Q, X, "minkowski", p=p)
    nearest = np.argpartition(D, k - 1, axis=1)[:, :k]
    kth = np.take_along_axis(D, nearest, 1).max(axis=1, keepdims=True)
    tied = (D <= kth).sum(axis=1) > k
    nearest[tied] = np.argsort(D[tied], axis=1, kind="stable")[:, :k]
    return _nearest_first(np.take_along_axis(D, nearest, 1), nearest, k)


def short_indices(X):
    """A CSR table with 32-bit indices: city block distances of sparse rows are computed with no others."""
    if not issparse(X) or X.indices.dtype == X.indptr.dtype == np.int32:
        return X
    if max(X.nnz, *X.shape) > SHORT:
        raise ValueError(
            f"p=1 takes sparse tables of at most {SHORT} stored numbers, not {X.nnz} in shape {X.shape}: "
            "use p=2, or give fewer rows at a time."
        )
    return type(X)((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def _nearest_first(D, indices, k):
    order = np.lexsort((indices, D))[:, :k]
    return np.take_along_axis(D, order, 1), np.take_along_axis(indices, order, 1)


class _Screen:
    """Nearest rows by a float32 matrix product, ``|x|² - 2 x·q`` (1.2), and a certificate.

    The product proposes k + EXTRA candidates, exact distances rank them. The rounding error of the screen is bounded,
    so a query whose k-th exact distance does not lie clearly below the best row left out is known, and is searched
    again among all rows. The rows stand in groups of g: the m smallest values lie in the m groups with the smallest
    minima, so few of the n values need ranking.
    """

    EXTRA = 4

    @classmethod
    def group(cls, n, k):
        """The g for which n / g minima and m g members are fewest."""
        return int(np.sqrt(n / (k + cls.EXTRA)))

    @classmethod
    def pays(cls, X, Q, k, p):
        """Euclid, dense, and many more rows than candidates."""
        return (
            p == 2 and not (issparse(X) or issparse(Q)) and X.shape[1] > 3 and cls.group(X.shape[0], k) >= 8
        )

    def __init__(self, X, k):
        n, d = X.shape
        self.g = self.group(n, k)
        self.X, self.centre = X, X.mean(axis=0, dtype=float)  # centred coordinates round less
        A = X - self.centre
        self.unit = np.abs(A).max() or 1.0  # and float32 neither overflows nor vanishes
        A /= self.unit
        squared = np.einsum("ij,ij->i", A, A)
        self.reach, self.rounding = squared.max(), 4 * (d + 3) * 2.0**-24
        layers = np.zeros((-(-n // self.g), self.g, d + 1), np.float32)
        rows = layers.reshape(-1, d + 1)  # (-2x, |x|²), padded with inf
        rows[:n, :d], rows[:n, d], rows[n:, d] = -2 * A, squared, np.inf
        self.screen = layers.transpose(1, 0, 2).reshape(-1, d + 1)  # layer r: member r of every group

    def __call__(self, Q, k):
        q = (Q - self.centre) / self.unit
        q2 = np.einsum("ij,ij->i", q, q)
        candidates, left_out = self._smallest(q, k + self.EXTRA)
        D2 = (np.subtract(self.X[candidates], Q[:, None], dtype=float) ** 2).sum(axis=2)  # uint8 would wrap
        distances, indices = _nearest_first(np.sqrt(D2), candidates, k)
        error = self.rounding * (2 * np.sqrt(self.reach * q2) + self.reach + 2.0**-26 * q2)
        sure = (distances[:, -1] / self.unit) ** 2 - q2 + error < left_out
        unsure = ~(sure & np.isfinite(left_out))  # float32 overflows where a query is very far
        if unsure.any():
            distances[unsure], indices[unsure] = _by_all_distances(self.X, Q[unsure], k, 2)
        return distances, indices

    def _smallest(self, q, m):
        """Rows with the m smallest screened values, and a bound that no other row falls below."""
        with np.errstate(over="ignore", invalid="ignore"):
            q1 = np.column_stack([q, np.ones(len(q))]).astype(np.float32)
            S = (q1 @ self.screen.T).reshape(len(q), self.g, -1)  # (queries, member, group)
        best = _columns_of_smallest(S.min(axis=1), m)[:, :, None]  # groups
        members, flat = np.arange(self.g), (len(q), m * self.g)
        values = S[np.arange(len(q))[:, None, None], members, best].reshape(flat)
        rows = (best * self.g + members).reshape(flat)
        keep = _columns_of_smallest(values, m)
        return np.take_along_axis(rows, keep, 1), np.take_along_axis(values, keep, 1).max(axis=1)


def _columns_of_smallest(A, m):
    """Where the m smallest numbers of every row stand, in no order: NumPy partitions values sooner than places."""
    kth = np.partition(A, m - 1, axis=1)[:, m - 1, None]
    row, column = np.divmod(
        np.flatnonzero(~(A > kth)), A.shape[1]
    )  # m of every row; with a tie or a NaN more
    clear = np.bincount(row) == m
    columns = np.empty((len(A), m), np.intp)
    columns[clear] = column[clear[row]].reshape(-1, m)
    columns[~clear] = np.argpartition(A[~clear], m - 1, axis=1)[:, :m]
    return columns


class _Tree:
    """Nearest rows by a k-d tree, for up to 3 features; queries with (nearly) equal distances are searched again."""

    @staticmethod
    def pays(X, Q, k):
        """Few features, dense, and one row more than asked for: does the last distance tie with the next?"""
        return not (issparse(X) or issparse(Q)) and X.shape[1] <= 3 and k < X.shape[0]

    def __init__(self, X, p):
        self.X, self.p, self.tree = X, p, KDTree(X)

    def __call__(self, Q, k):
        distances, indices = self.tree.query(Q, k + 1, p=self.p)
        tied = (distances[:, :-1] >= (1 - 1e-12) * distances[:, 1:]).any(axis=1)
        distances, indices = distances[:, :-1], indices[:, :-1]
        if tied.any():  # the row stored first comes first
            distances[tied], indices[tied] = _by_all_distances(self.X, Q[tied], k, self.p)
        return distances, indices


def _without_self(distances, indices):
    """Drop each row's own index; where copies crowd it out, drop the last."""
    m, k = indices.shape
    keep = indices != np.arange(m)[:, None]
    keep[keep.all(axis=1), -1] = False
    return distances[keep].reshape(m, k - 1), indices[keep].reshape(m, k - 1)


def _inverse_distances(distances):
    """1/d, where an exact match decides alone: its weight would be infinite (1.4)."""
    with np.errstate(divide="ignore", over="ignore"):
        weights = 1 / distances
    exact = np.isinf(weights)
    return np.where(exact.any(axis=1, keepdims=True), exact, weights)


class _Neighbors(BaseEstimator):
    """What classifier and regressor share: a lazy learner stores the rows and computes at the query."""

    def __init__(self, n_neighbors=5, *, weights="uniform", p=2):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.p = p

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        return tags

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
        distances, indices = self.kneighbors(X)
        if callable(self.weights):
            weights = np.asarray(self.weights(distances))
            if not weights.any(axis=1).all():
                raise ValueError(
                    "weights: your function gives all neighbours of a row the weight 0, so that none has "
                    "a say; let at least one count."
                )
            return indices, weights
        return indices, np.ones_like(distances) if self.weights == "uniform" else _inverse_distances(
            distances
        )


class KNeighborsClassifier(ClassifierMixin, _Neighbors):
    """Vote of the k nearest training rows.

    The share of class c is ``sum_i w_i [y_i = c] / sum_i w_i`` over the k neighbours, eq. (1.3); the class with the
    largest share is predicted, of equal shares the one that sorts first.

    Short version: chapter 1, `weights_of`.

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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

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
        """Share of the votes of every class, (1.3); shape (m, n_classes), or a list with one for each column of y."""
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

    Short version: chapter 1, `weights_of`.

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
