"""Relief and ReliefF: a good feature differs between near rows of unlike classes, not of one; chapter 8."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["Relief", "ReliefF"]

BLOCK = 2**20  # differences held at a time


class _Relief(SelectorMixin, BaseEstimator):
    """What both share: nearest hits and misses, the average over rows, the choice of features."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def fit(self, X, y):
        """Weigh every feature."""
        X, y = validate_data(self, X, y, dtype=float, ensure_all_finite="allow-nan", ensure_min_samples=2)
        codes = self._codes(y)
        difference = _Difference(X, codes, self._discrete(X), self.power)
        rows = self._sample(len(X))
        of_class = (rows[codes[rows] == k] for k in range(codes.max() + 1))
        blocks = [block for rows_k in of_class for block in difference.blocks(rows_k)]
        sums = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._contribution)(difference, block) for block in self._shown(blocks)
        )
        self.feature_importances_ = np.sum(sums, axis=0) / len(rows)  # the average over the rows
        self._choose()
        return self

    def _contribution(self, difference, rows):
        """Sum over rows of one class: mean diff to the nearest misses, less mean diff to the nearest hits."""
        codes, k = difference.codes, difference.codes[rows[0]]
        D = difference.distances(rows)  # (b, n)
        D[np.arange(len(rows)), rows] = np.inf  # no row is its own hit
        total = np.zeros(difference.Z.shape[1])
        for members, weight in [(codes == k, -1.0), *self._rivals(codes, k)]:
            members = np.flatnonzero(members)
            most = min(self._n_neighbors(), len(members) - (weight < 0))  # a small class gives all it has
            nearest = members[_k_smallest(D[:, members], most)]  # (b, most)
            total += weight * difference.diff(rows, nearest).mean(axis=1).sum(axis=0)
        return total

    def _codes(self, y):
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class ({self.classes_[0]}): without a second there is no miss.")
        counts = np.bincount(codes)
        if counts.min() < 2:
            lonely = self.classes_[counts.argmin()]
            raise ValueError(f"Class {lonely} has one row, which has no hit: drop it or join it to another.")
        return codes

    def _discrete(self, X):
        """`discrete_features` as a mask of shape (d,)."""
        if np.ndim(self.discrete_features) == 0:
            return np.full(X.shape[1], bool(self.discrete_features))
        mask = np.zeros(X.shape[1], dtype=bool)
        mask[np.asarray(self.discrete_features)] = True
        return mask

    def _sample(self, n):
        m = self.n_samples
        if m is None:
            return np.arange(n)
        if not 1 <= m <= n:
            raise ValueError(f"n_samples={m}: the table has {n} rows to sample from.")
        return np.sort(check_random_state(self.random_state).choice(n, m, replace=False))

    def _shown(self, blocks):
        from tqdm.auto import tqdm

        return tqdm(blocks, desc=type(self).__name__, disable=not self.progress)

    def _choose(self):
        weights, k = self.feature_importances_, self.n_features_to_select
        self.top_features_ = np.argsort(-weights, kind="stable")
        if k is None:
            self.support_ = weights > self.threshold
            return
        k = int(k * len(weights)) if isinstance(k, (float, np.floating)) and 0 < k <= 1 else k
        if k != int(k) or not 1 <= k <= len(weights):
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select}, n_features={len(weights)}: "
                "choose an int from 1 on, a share in (0, 1] that keeps at least one, or None."
            )
        self.support_ = np.isin(np.arange(len(weights)), self.top_features_[: int(k)])

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_


class Relief(_Relief):
    """Relief: ``w_j = mean_i [diff_j(x_i, near miss)² - diff_j(x_i, near hit)²]``, (8.25).

    ``diff_j(a, b)`` is 0 or 1 for a discrete feature (equal, unequal) and ``|a_j - b_j| / range_j`` for a
    continuous one. Near hit and near miss, the closest other row of the same class and the closest of any
    other, are those with the least sum of ``diff²`` over all features. A weight above 0 says that the miss is
    farther than the hit in this feature; a subset's score is the sum of its weights. Cost: ``O(n² d)``.

    Short version: chapter 8, `relief`.

    Parameters
    ----------
    n_features_to_select : int, float in (0, 1] or None
        How many features, or which share of them, with the largest weights; None: those above the threshold.
    threshold : float
    discrete_features : bool, mask of shape (d,) or indices
        Which columns hold codes of levels rather than amounts.
    power : 2 or 1
        The exponent of diff, in the weights and in the distance.
    n_samples : int or None
        Rows to average over, drawn without replacement; None: all.
    random_state : int, RandomState or None
    n_jobs : int or None
    progress : bool, show a progress bar

    Attributes
    ----------
    feature_importances_ : array of shape (d,), the weights, in [-1, 1]
    top_features_ : int array of shape (d,), largest weight first
    support_ : bool array of shape (d,)
    classes_ : array of shape (n_classes,)

    Raises
    ------
    ValueError
        One class, a class of one row, a column without any value, a choice of features that is not possible.

    Notes
    -----
    Blanks (NaN) count by the difference to be expected, over the values seen in the class of the row with the
    blank (Kononenko 1994): for a discrete feature ``1 - P(value | class)``, and
    ``1 - sum_v P(v | class) P(v | class')`` where both rows have a blank.

    References
    ----------
    Kira and Rendell, The feature selection problem: traditional methods and a new algorithm, AAAI 1992.

    Examples
    --------
    >>> X = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> y = [0, 1, 1, 0, 0, 1, 1, 0]                                  # are x0 and x1 unlike?
    >>> relief = Relief(2, discrete_features=True).fit(X, y)
    >>> relief.feature_importances_, relief.get_support(indices=True)
    (array([ 0.5,  0.5, -1. ]), array([0, 1]))
    """

    def __init__(
        self,
        n_features_to_select=None,
        *,
        threshold=0.0,
        discrete_features=False,
        power=2,
        n_samples=None,
        random_state=None,
        n_jobs=None,
        progress=False,
    ):
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.discrete_features = discrete_features
        self.power = power
        self.n_samples = n_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _n_neighbors(self):
        return 1

    def _rivals(self, codes, k):
        return [(codes != k, 1.0)]


class ReliefF(_Relief):
    """ReliefF: Relief for any number of classes, with k neighbours from each, (8.26).

    ``w_j = mean_i [sum_{l != c} p_l / (1 - p_c) diff_j(x_i, near misses in l) - diff_j(x_i, near hits)]``
    with c the class of row i, p the shares of the classes, and diff averaged over a class's k nearest rows.
    The misses' weights sum to 1 (erratum E69), so for two classes, k = 1 and ``power=2`` this is Relief.

    Short version: chapter 8, `relief_many`.

    Parameters
    ----------
    n_features_to_select : int, float in (0, 1] or None
        How many features, or which share of them, with the largest weights; None: those above the threshold.
    n_neighbors : int
        k; a class with fewer rows gives all that it has.
    power : 1 or 2
        The exponent of diff, in the weights and in the distance: 1 is Kononenko's.
    threshold, discrete_features, n_samples, random_state, n_jobs, progress
        As in `Relief`; blanks too are treated as there.

    Attributes
    ----------
    feature_importances_ : array of shape (d,), the weights, in [-1, 1]; skrebate's for two classes
    top_features_ : int array of shape (d,), largest weight first
    support_ : bool array of shape (d,)
    classes_ : array of shape (n_classes,)

    Raises
    ------
    ValueError
        As `Relief`, and no neighbour asked for.

    References
    ----------
    Kononenko, Estimating attributes: analysis and extensions of RELIEF, ECML 1994.
    Robnik-Šikonja and Kononenko, Theoretical and empirical analysis of ReliefF, Machine Learning 53, 2003.

    Examples
    --------
    >>> X, y = [[0.0, 5.0], [0.2, 1.0], [0.8, 5.0], [1.0, 1.0]], ["u", "u", "v", "v"]
    >>> ReliefF(n_neighbors=1).fit(X, y).feature_importances_.round(2)
    array([ 0.6, -1. ])
    """

    def __init__(
        self,
        n_features_to_select=None,
        *,
        n_neighbors=10,
        power=1,
        threshold=0.0,
        discrete_features=False,
        n_samples=None,
        random_state=None,
        n_jobs=None,
        progress=False,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.power = power
        self.threshold = threshold
        self.discrete_features = discrete_features
        self.n_samples = n_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _n_neighbors(self):
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors={self.n_neighbors}: choose at least 1.")
        return self.n_neighbors

    def _rivals(self, codes, k):
        p = np.bincount(codes) / len(codes)
        return [(codes == c, p[c] / (1 - p[k])) for c in range(len(p)) if c != k]


class _Difference:
    """``diff_j ** power`` between rows, and its sum over the features, the distance."""

    def __init__(self, X, codes, discrete, power):
        if power not in (1, 2):
            raise ValueError(f"power={power}: use 1 (city block) or 2 (squared Euclid).")
        blank = np.isnan(X)
        if blank.all(axis=0).any():
            raise ValueError(f"Column {blank.all(axis=0).argmax()} has no value at all: drop it.")
        low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        self.Z = np.where(discrete, X, (X - low) / np.where(high > low, high - low, 1))  # ranges become 1
        self.codes, self.discrete, self.power = codes, discrete, power
        self.to_class = None
        if blank.any():
            self._expect()

    def blocks(self, rows):
        """Parts of the rows whose differences to all rows fit into a block."""
        width = self.Z.size if self.to_class is not None else len(self.Z)
        step = max(1, BLOCK // width)
        return [rows[start : start + step] for start in range(0, len(rows), step)]

    def distances(self, rows):
        """Distances from some rows to all; shape (b, n)."""
        if self.to_class is not None:
            return self.diff(rows, np.arange(len(self.Z))[None, :]).sum(axis=2)
        amounts, levels = self.Z[:, ~self.discrete], self.Z[:, self.discrete]
        D = cdist(amounts[rows], amounts, "cityblock" if self.power == 1 else "sqeuclidean")
        if levels.shape[1]:
            D += np.rint(levels.shape[1] * cdist(levels[rows], levels, "hamming"))
        return D

    def diff(self, rows, others):
        """From each of b rows to the m rows named in its row of `others`; shape (b, m, d)."""
        A, B = self.Z[rows][:, None], self.Z[others]
        D = self._between_values(A, B, self.discrete)
        if self.to_class is None:
            return D
        a, b = self.codes[rows][:, None], self.codes[others]
        D = np.where(np.isnan(B), self.to_class[b, rows[:, None]], D)
        D = np.where(np.isnan(A), self.to_class[a, others], D)
        return np.where(np.isnan(A) & np.isnan(B), self.between_classes[a, b], D)

    def _between_values(self, a, b, discrete):
        gap = np.abs(a - b)
        return np.where(discrete, np.sign(gap), gap if self.power == 1 else gap * gap)

    def _expect(self):
        """What a blank counts: the mean difference to the values seen in its class.

        to_class[c, i, j]: from the value of row i to the values of class c, for a discrete feature
        ``1 - P(value | c)``; between_classes[c, c', j]: from the values of c to those of c'. Where a class
        has no value, those of all rows stand in.
        """
        seen = ~np.isnan(self.Z)
        known = seen & (self.codes == np.unique(self.codes)[:, None])[:, :, None]  # (C, n, d)
        known |= seen & ~known.any(axis=1, keepdims=True)
        to_class = np.empty(known.shape)
        for c, j in np.ndindex(len(known), self.Z.shape[1]):
            values = self.Z[known[c, :, j], j]
            for rows in self.blocks(np.arange(len(self.Z))):
                diffs = self._between_values(self.Z[rows, j][:, None], values, self.discrete[j])
                to_class[c, rows, j] = diffs.mean(axis=1)
        self.to_class = to_class
        self.between_classes = np.array([np.nanmean(np.where(k, to_class, np.nan), axis=1) for k in known])


def _k_smallest(D, k):
    """Columns of the k smallest entries of every row; of equal ones the first."""
    near = np.argpartition(D, k - 1, axis=1)[:, :k]
    kth = np.take_along_axis(D, near, 1).max(axis=1, keepdims=True)
    tied = (D <= kth).sum(axis=1) > k
    near[tied] = np.argsort(D[tied], axis=1, kind="stable")[:, :k]
    return near
