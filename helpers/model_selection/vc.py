"""Shattering and the VC dimension by brute force, chapter 7."""

from itertools import combinations, product
from math import comb

import numpy as np
from scipy.optimize import linprog
from sklearn.utils.validation import check_array

__all__ = [
    "count_labellings",
    "cover_count",
    "half_spaces",
    "intervals",
    "is_shattered",
    "separable",
    "thresholds",
    "vc_dimension",
]

MOST = 20  # points whose 2^n labellings may be tried


def separable(P, labels, *, fit_intercept=True):
    """Whether a hyperplane has all True points strictly on one side and all others on the other, (7.7).

    A linear programme asks for (w, b) with ``y_i (w·p_i + b) >= 1``, y = ±1; the 1 forbids w = 0, which
    separates nothing.

    Short version: chapter 7, `separating_line`.

    Parameters
    ----------
    P : array of shape (n, d)
    labels : n booleans
    fit_intercept : bool, False: only hyperplanes through 0

    Returns
    -------
    answer : bool

    Raises
    ------
    ValueError
        Not one label for each point.

    Examples
    --------
    >>> square = [[0, 0], [1, 1], [0, 1], [1, 0]]
    >>> separable(square, [True, True, False, True]), separable(square, [True, True, False, False])
    (True, False)
    """
    P = check_array(P, dtype=float)
    y = np.where(np.asarray(labels, bool), 1.0, -1.0)
    if y.shape != (len(P),):
        raise ValueError(f"labels has shape {y.shape}: give one for each of {len(P)} points.")
    A = P - P.mean(axis=0) if fit_intercept else P
    A = A / (np.abs(A).max() or 1.0)  # the programme's tolerances are absolute
    A = np.column_stack([A, np.ones(len(P))]) if fit_intercept else A
    found = linprog(np.zeros(A.shape[1]), A_ub=-y[:, None] * A, b_ub=-np.ones(len(P)), bounds=(None, None))
    return found.status == 0


def half_spaces(P, *, fit_intercept=True):
    """The labellings of the points P that some hyperplane realises, as a set of tuples of booleans.

    Parameters
    ----------
    P : array of shape (n, d), 1 to 20 points
    fit_intercept : bool, False: only hyperplanes through 0

    Returns
    -------
    labellings : set of tuples of n booleans

    Raises
    ------
    ValueError
        More points than can be tried in every labelling.

    Examples
    --------
    >>> len(half_spaces([[0, 0], [1, 0], [0, 1]])), len(half_spaces([[0, 0], [1, 1], [2, 2]]))    # collinear
    (8, 6)
    """
    P = np.asarray(P)
    if len(P) > MOST:
        raise ValueError(
            f"{len(P)} points have 2^{len(P)} labellings: brute force tries at most {MOST} points."
        )
    found = set()
    for rest in product((False, True), repeat=len(P) - 1):
        labels = (False, *rest)  # its opposite is realised by -w
        if separable(P, labels, fit_intercept=fit_intercept):
            found |= {labels, tuple(not label for label in labels)}
    return found


def thresholds(P):
    """The labellings of points on the line by ``x >= θ``, chapter 7.

    Parameters
    ----------
    P : array of shape (n,) or (n, 1)

    Returns
    -------
    labellings : set of tuples of n booleans; n + 1 of them for distinct points

    Raises
    ------
    ValueError
        Points that are not finite numbers in one column.

    Examples
    --------
    >>> sorted(thresholds([2.0, 1.0]))
    [(False, False), (True, False), (True, True)]
    """
    x = _on_the_line(P)
    return {tuple((x >= cut).tolist()) for cut in [*x, np.inf]}


def intervals(P):
    """The labellings of points on the line by ``a <= x <= b``, chapter 7.

    Parameters
    ----------
    P : array of shape (n,) or (n, 1)

    Returns
    -------
    labellings : set of tuples of n booleans; 1 + n(n + 1)/2 of them for distinct points

    Raises
    ------
    ValueError
        Points that are not finite numbers in one column.

    Examples
    --------
    >>> len(intervals([1.0, 2.0])), len(intervals([1.0, 2.0, 3.0]))
    (4, 7)
    """
    x = _on_the_line(P)
    nothing = (False,) * len(x)
    return {nothing} | {tuple(((a <= x) & (x <= b)).tolist()) for a in x for b in x}


def _on_the_line(P):
    x = np.asarray(P, float)
    if x.ndim == 2 and x.shape[1] == 1:
        x = x[:, 0]
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError(f"Points on the line are finite numbers in one column; these have shape {x.shape}.")
    return x


def count_labellings(P, hypotheses=half_spaces):
    """How many of the 2^n labellings of P the class realises.

    Parameters
    ----------
    P : array of shape (n, d), or of n numbers
    hypotheses : function of points -> set of labellings realised; see `vc_dimension`

    Returns
    -------
    count : int, at most 2^n

    Raises
    ------
    ValueError
        Points that the class refuses: for `half_spaces` more than 20.

    Examples
    --------
    >>> count_labellings([[0, 0], [1, 0], [0, 1], [1, 1]])           # all but the two diagonals
    14
    """
    return len(hypotheses(P))


def is_shattered(P, hypotheses=half_spaces):
    """Whether every labelling of P is realised, chapter 7.

    Parameters
    ----------
    P : array of shape (n, d), or of n numbers
    hypotheses : function of points -> set of labellings realised; see `vc_dimension`

    Returns
    -------
    answer : bool

    Raises
    ------
    ValueError
        Points that the class refuses, as in `count_labellings`.

    Examples
    --------
    >>> is_shattered([[0, 0], [1, 0], [0, 1]]), is_shattered([1.0, 2.0, 3.0], intervals)
    (True, False)
    """
    return count_labellings(P, hypotheses) == 2 ** len(P)


def vc_dimension(pool, hypotheses=half_spaces):
    """Size of the largest subset of the pool of points that the class shatters, chapter 7.

    One shattered subset of a size is enough. Over all of space the VC dimension is at least this;
    it is this when the pool is rich enough. Subsets of a shattered set are shattered, so the first size with
    none ends the search.

    Parameters
    ----------
    pool : array of shape (n, d), or of n numbers
    hypotheses : function of points -> set of labellings realised; `half_spaces`, `thresholds`, `intervals`

    Returns
    -------
    dimension : int, 0 if no single point is shattered

    Raises
    ------
    ValueError
        Points that the class refuses, as in `count_labellings`.

    References
    ----------
    Vapnik and Chervonenkis, On the uniform convergence of relative frequencies …, Theory Probab. Appl. 16,
    1971.

    Examples
    --------
    >>> vc_dimension([1, 2, 3, 4], thresholds), vc_dimension([1, 2, 3, 4], intervals)
    (1, 2)
    >>> vc_dimension([[0, 0], [1, 1], [2, 2], [3, 0], [1, 3]])
    3
    """
    pool = np.asarray(pool, float)
    size = 0
    while any(
        is_shattered(pool[list(rows)], hypotheses) for rows in combinations(range(len(pool)), size + 1)
    ):
        size += 1
    return size


def cover_count(n, d):
    """Labellings of n points in general position in d dimensions by hyperplanes: ``2 sum_{i<=d} C(n-1, i)``,
    chapter 7.

    Parameters
    ----------
    n : int >= 1, points
    d : int >= 0, dimension

    Returns
    -------
    count : int; 2^n for n <= d + 1

    Raises
    ------
    ValueError
        No points, or a negative dimension.

    References
    ----------
    Cover, Geometrical and statistical properties of systems of linear inequalities …, IEEE Trans. Electronic
    Computers 14, 1965.

    Examples
    --------
    >>> [cover_count(n, 2) for n in (1, 2, 3, 4, 5)]
    [2, 4, 8, 14, 22]
    """
    if n < 1 or d < 0:
        raise ValueError(f"n={n}, d={d}: give at least one point and a dimension of at least 0.")
    return 2 * sum(comb(n - 1, i) for i in range(d + 1))
