"""Relief and ReliefF: a good feature differs between near rows of unlike classes, not of one; chapter 8."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from helpers._checks import feature_mask
from helpers._fast import faster
from helpers._nearest import k_smallest
from helpers._tags import tagged

__all__ = ["Relief", "ReliefF"]


@tagged("input_tags", allow_nan=True)
@tagged("target_tags", required=True)
class _Relief(SelectorMixin, BaseEstimator):
    """What both share: nearest hits and misses, the average over rows, the choice of features."""

    def fit(self, X, y):
        """Weigh every feature."""
        X, y = validate_data(self, X, y, dtype=float, ensure_all_finite="allow-nan", ensure_min_samples=2)
        codes = self._codes(y)
        difference = _Difference(X, codes, feature_mask(self.discrete_features, X.shape[1]), self.power)
        rows = self._sample(len(X))
        sums = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._contribution)(together, codes, difference)
            for together in self._shown(_groups(rows, codes, difference))
        )
        self.feature_importances_ = np.sum(sums, axis=0) / len(rows)  # the average over the rows
        self._choose()
        return self

    def _contribution(self, rows, codes, difference):
        """Sum over rows of one class: mean diff to the nearest misses, less mean diff to the nearest hits."""
        D, k, total = difference.distances(rows), codes[rows[0]], np.zeros(difference.Z.shape[1])
        D[np.arange(len(rows)), rows] = np.inf  # no row is its own hit
        for members, weight in [(codes == k, -1.0), *self._rivals(codes, k)]:
            members = np.flatnonzero(members)
            most = min(self._n_neighbors(), len(members) - (weight < 0))  # a small class gives all it has
            nearest = members[k_smallest(D[:, members], most)]  # (b, most)
            total += weight * difference(rows, nearest).mean(axis=1).sum(axis=0)  # (8.29), (8.30)
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

    def _sample(self, n):
        m = self.n_samples
        if m is None:
            return np.arange(n)
        if not 1 <= m <= n:
            raise ValueError(f"n_samples={m}: the table has {n} rows to sample from.")
        return np.sort(check_random_state(self.random_state).choice(n, m, replace=False))

    def _shown(self, groups):
        from tqdm.auto import tqdm

        return tqdm(groups, desc=type(self).__name__, disable=not self.progress)

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
    """Relief: ``w_j = mean_i [diff_j(x_i, near miss)² - diff_j(x_i, near hit)²]``, (8.29).

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
        self.n_features_to_select, self.threshold = n_features_to_select, threshold
        self.discrete_features, self.power = discrete_features, power
        self.n_samples, self.random_state = n_samples, random_state
        self.n_jobs, self.progress = n_jobs, progress

    def _n_neighbors(self):
        return 1

    def _rivals(self, codes, k):
        return [(codes != k, 1.0)]


class ReliefF(_Relief):
    """ReliefF: Relief for any number of classes, with k neighbours from each, (8.30).

    ``w_j = mean_i [sum_{l != c} p_l / (1 - p_c) diff_j(x_i, near misses in l) - diff_j(x_i, near hits)]``
    with c the class of row i, p the shares of the classes, and diff averaged over a class's k nearest rows.
    The misses' weights sum to 1 (erratum E69), so for two classes, k = 1 and ``power=2`` this is Relief.

    Short version: chapter 8, `relieff`.

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
        self.n_features_to_select, self.threshold = n_features_to_select, threshold
        self.n_neighbors, self.power, self.discrete_features = n_neighbors, power, discrete_features
        self.n_samples, self.random_state = n_samples, random_state
        self.n_jobs, self.progress = n_jobs, progress

    def _n_neighbors(self):
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors={self.n_neighbors}: choose at least 1.")
        return self.n_neighbors

    def _rivals(self, codes, k):
        p = np.bincount(codes) / len(codes)
        return [(codes == c, p[c] / (1 - p[k])) for c in range(len(p)) if c != k]


@faster("relief")
def _groups(rows, codes, difference):
    """Rows of one class whose terms are summed together: each by itself."""
    return rows[:, None]


class _Difference:
    """``diff_j ** power`` from rows to others, and its sum over the features, the distance."""

    def __init__(self, X, codes, discrete, power):
        if power not in (1, 2):
            raise ValueError(f"power={power}: use 1 (city block) or 2 (squared Euclid).")
        self.Z, self.discrete, self.power = _with_range_1(X, discrete), discrete, power
        self.blanks = _Blanks(self.Z, codes, self.between_values) if np.isnan(X).any() else None

    def between_values(self, a, b):
        gap = np.abs(a - b)
        return np.where(self.discrete, np.sign(gap), gap**self.power)

    def __call__(self, rows, others):
        """From each of b rows to the m rows named in its row of `others`; shape (b, m, d)."""
        diff = self.between_values(self.Z[rows][:, None], self.Z[others])
        return diff if self.blanks is None else self.blanks.filled(diff, rows, others)

    def distances(self, rows):
        """From some rows to all; shape (b, n)."""
        if self.blanks is not None:
            return self(rows, np.arange(len(self.Z))[None, :]).sum(axis=2)
        amounts, levels = self.Z[:, ~self.discrete], self.Z[:, self.discrete]
        D = cdist(amounts[rows], amounts, "cityblock" if self.power == 1 else "sqeuclidean")
        if levels.shape[1]:
            D += np.rint(levels.shape[1] * cdist(levels[rows], levels, "hamming"))  # how many differ
        return D


def _with_range_1(X, discrete):
    """The continuous columns in units of their range."""
    blank = np.isnan(X).all(axis=0)
    if blank.any():
        raise ValueError(f"Column {blank.argmax()} has no value at all: drop it.")
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    return np.where(discrete, X, (X - low) / np.where(high > low, high - low, 1))


class _Blanks:
    """What a blank counts: the mean difference to the values seen in its class.

    to_class[c, i, j]: from the value of row i to the values of class c, for a discrete feature
    ``1 - P(value | c)``; between_classes[c, c', j]: from the values of c to those of c'. Where a class has no
    value, those of all rows stand in.
    """

    def __init__(self, Z, codes, between_values):
        self.blank, self.codes = np.isnan(Z), codes
        known = ~self.blank & (codes == np.unique(codes)[:, None])[:, :, None]  # (C, n, d)
        known |= ~self.blank & ~known.any(axis=1, keepdims=True)
        self.to_class = np.empty(known.shape)
        for i, row in enumerate(Z):
            diff = between_values(row, Z)
            self.to_class[:, i] = [diff.mean(axis=0, where=in_class) for in_class in known]
        self.between_classes = np.array([self.to_class.mean(axis=1, where=in_class) for in_class in known])

    def filled(self, diff, rows, others):
        """The differences (b, m, d), with what is expected where either of the two rows has a blank."""
        rows = np.asarray(rows)[:, None]
        mine, theirs, own, other = self.blank[rows], self.blank[others], self.codes[rows], self.codes[others]
        diff = np.where(theirs, self.to_class[other, rows], diff)
        diff = np.where(mine, self.to_class[own, others], diff)
        return np.where(mine & theirs, self.between_classes[own, other], diff)
