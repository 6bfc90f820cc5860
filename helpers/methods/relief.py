"""Relief and ReliefF: a useful feature differs between near rows of unlike classes, not of one; chapter 8.

They are functions of (X, y), as `sklearn.feature_selection.SelectKBest` takes them.
"""

from numbers import Integral

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y

__all__ = ["relief_scores", "relieff_scores"]

BLOCK = 256  # rows whose distances stand in memory together
METRICS = {1: "cityblock", 2: "sqeuclidean"}


def relief_scores(X, y, *, discrete=False):
    """Relief: ``δ_j = mean_i [diff_j(x_i, near miss)² - diff_j(x_i, near hit)²]``, (8.10).

    ``diff_j(a, b)`` is 0 or 1 for a discrete feature (equal, unlike), for another ``|a_j - b_j| / range_j``.
    Near hit and near miss, the closest other row of the same class and the closest of any other, have the
    least sum of ``diff²`` over all features; of equally close ones the first counts. Cost: ``n² d``.

    Short version: chapter 8, `relief`.

    Parameters
    ----------
    X : array of shape (n, d), without blanks
    y : array of shape (n,), classes
    discrete : bool, or one for each column
        Which columns hold codes rather than amounts.

    Returns
    -------
    scores : array of shape (d,), from -1 to 1; 0 for a constant column

    Raises
    ------
    ValueError
        Blanks, one class, a class of one row, or a `discrete` that does not fit the columns.

    References
    ----------
    Kira and Rendell, The feature selection problem: traditional methods and a new algorithm, AAAI 1992.

    Examples
    --------
    >>> X = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> y = [0, 1, 1, 0, 0, 1, 1, 0]                                  # are x0 and x1 unlike?
    >>> relief_scores(X, y, discrete=True)
    array([ 0.5,  0.5, -1. ])
    """
    return _scores(X, y, 1, 2, discrete, lambda y, own: [(y != own, 1.0)])


def relieff_scores(X, y, m=10, *, power=2, discrete=False):
    """ReliefF: Relief for any number of classes, with m neighbours from each, (8.30).

    ``δ_j = mean_i [sum_{l != k} p_l / (1 - p_k) diff_j(x_i, misses in l)² - diff_j(x_i, hits)²]`` with k the
    class of row i, p the shares of the classes, and diff² averaged over the m nearest rows of a class.
    The misses' weights sum to 1 (8.31), so that for two classes and m = 1 this is `relief_scores`.

    Short version: chapter 8, `relieff`.

    Parameters
    ----------
    X, y, discrete : as in `relief_scores`
    m : int >= 1, neighbours; a class with fewer rows gives all that it has
    power : 2, or 1 for Kononenko's: the exponent of diff, in the scores and in the distance

    Returns
    -------
    scores : array of shape (d,), from -1 to 1; 0 for a constant column

    Raises
    ------
    ValueError
        As `relief_scores`; no neighbour, or another power.

    References
    ----------
    Kononenko, Estimating attributes: analysis and extensions of RELIEF, ECML 1994.
    Robnik-Šikonja and Kononenko, Theoretical and empirical analysis of ReliefF, Machine Learning 53, 2003.

    Examples
    --------
    >>> X, y = [[0.0, 5.0], [0.2, 1.0], [0.8, 5.0], [1.0, 1.0]], ["u", "u", "v", "v"]
    >>> relieff_scores(X, y, m=1, power=1).round(2)
    array([ 0.6, -1. ])
    """
    if not isinstance(m, Integral) or m < 1:
        raise ValueError(f"m={m!r}: ask a whole number of neighbours, at least 1.")
    if power not in METRICS:
        raise ValueError(f"power={power!r}: use 1 (plain differences) or 2 (squares).")
    return _scores(X, y, m, power, discrete, _each_class)


def _each_class(y, own):
    """The rows of each other class, and the weight of its misses."""
    return [(y == k, np.mean(y == k) / np.mean(y != own)) for k in np.unique(y) if k != own]


def _scores(X, y, m, power, discrete, rivals):
    X, y, discrete = _checked(X, y, discrete)
    width = np.ptp(X, axis=0)
    Z = np.where(discrete, X, (X - X.min(axis=0)) / np.where(width > 0, width, 1))
    scores = np.zeros(X.shape[1])
    for own in np.unique(y):
        mine = np.flatnonzero(y == own)
        for rows in np.split(mine, range(BLOCK, len(mine), BLOCK)):
            D = cdist(Z[rows][:, ~discrete], Z[:, ~discrete], METRICS[power])
            for code in Z[:, discrete].T:
                D += code[rows, None] != code
            D[np.arange(len(rows)), rows] = np.inf  # no row is its own hit
            for members, weight in [(y == own, -1.0), *rivals(y, own)]:
                members = np.flatnonzero(members)
                most = min(m, len(members) - (weight < 0))
                nearest = members[np.argsort(D[:, members], axis=1, kind="stable")[:, :most]]
                a, b = Z[rows][:, None], Z[nearest]  # (rows, 1, d), (rows, most, d)
                diff = np.where(discrete, a != b, np.abs(a - b) ** power)
                scores += weight * diff.mean(axis=1).sum(axis=0)
    return scores / len(y)


def _checked(X, y, discrete):
    X, y = check_X_y(X, y, dtype=float)
    check_classification_targets(y)
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise ValueError(f"y has one class ({classes[0]}): without a second there is no miss.")
    if counts.min() < 2:
        lonely = classes[counts.argmin()]
        raise ValueError(f"Class {lonely} has one row, which has no hit: drop it or join it to another.")
    mask = np.asarray(discrete)
    if mask.dtype != bool or mask.shape not in ((), X.shape[1:]):
        raise ValueError(
            f"discrete={discrete!r}: give True or False, or one for each of {X.shape[1]} columns."
        )
    return X, y, np.broadcast_to(mask, X.shape[1])
