"""Shattering and the VC dimension by brute force, chapter 7."""

from itertools import combinations, product
from math import comb
from numbers import Integral

import numpy as np
from scipy.optimize import linprog
from sklearn.utils.validation import check_array

from helpers.methods.bounds import growth_bound

__all__ = ["cover_count", "half_spaces", "is_shattered", "separable", "vc_dimension"]

MOST_POINTS = 12  # 2^11 linear programmes take some seconds
MOST_SETS = 5000


def separable(points, labels):
    """Whether a hyperplane has all True points strictly on one side and all others on the other, (7.7).

    A linear programme asks for (w, b) with ``y_i (w·p_i + b) >= 1``, y = ±1; the 1 forbids w = 0, which
    separates nothing.

    Short version: chapter 7, `separating_line`.

    Parameters
    ----------
    points : array of shape (n, d)
    labels : n booleans

    Returns
    -------
    answer : bool

    Raises
    ------
    ValueError
        Not True or False for each point.

    Examples
    --------
    >>> square = [[0, 0], [1, 1], [0, 1], [1, 0]]
    >>> separable(square, [True, True, False, True]), separable(square, [True, True, False, False])
    (True, False)
    """
    P, labels = check_array(points, dtype=float), np.asarray(labels)
    if labels.shape != (len(P),) or labels.dtype != bool:
        raise ValueError(f"labels={labels!r}: give True or False for each of {len(P)} points, as in y > 0.")
    P = P - P.mean(axis=0)  # neither origin nor units matter, but the programme's tolerances are absolute
    reach = np.abs(P).max(axis=0)
    A = np.column_stack([P / np.where(reach > 0, reach, 1), np.ones(len(P))])
    A *= np.where(labels, 1, -1)[:, None]
    found = linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(P)), bounds=(None, None))
    return found.status == 0


def half_spaces(points):
    """The labellings of the points that some hyperplane realises.

    Parameters
    ----------
    points : array of shape (n, d), at most 12 points: each of the 2^n labellings is tried

    Returns
    -------
    labellings : set of tuples of n booleans

    Raises
    ------
    ValueError
        More than 12 points.

    Examples
    --------
    >>> len(half_spaces([[0, 0], [1, 0], [0, 1]])), len(half_spaces([[0, 0], [1, 1], [2, 2]]))    # collinear
    (8, 6)
    """
    n = len(points)
    if n > MOST_POINTS:
        raise ValueError(f"{n} points have 2^{n} labellings, each to be tried: give at most {MOST_POINTS}.")
    found = set()
    for rest in product((False, True), repeat=n - 1):
        labels = (False, *rest)
        if separable(points, labels):  # then its opposite is, by (-w, -b)
            found |= {labels, tuple(not label for label in labels)}
    return found


def is_shattered(points, hypotheses=half_spaces):
    """Whether the class realises each of the 2^n labellings of the points.

    Parameters
    ----------
    points : array of shape (n, d), or n numbers
    hypotheses : function of points -> set of the labellings, tuples of booleans, that the class realises

    Returns
    -------
    answer : bool

    Raises
    ------
    ValueError
        Points that the class refuses: for `half_spaces` more than 12.

    Examples
    --------
    >>> is_shattered([[0, 0], [1, 0], [0, 1]]), is_shattered([[0, 0], [1, 0], [2, 0]])
    (True, False)
    """
    return len(hypotheses(points)) == 2 ** len(points)


def vc_dimension(pool, hypotheses=half_spaces):
    """The size of the largest subset of the pool that the class shatters.

    One shattered subset of a size is enough; the first size without any ends the search, for subsets of a
    shattered set are shattered. Over all of space the dimension is at least this.

    Parameters
    ----------
    pool : array of shape (n, d), or n numbers
    hypotheses : as in `is_shattered`

    Returns
    -------
    dimension : int, 0 if no single point is shattered

    Raises
    ------
    ValueError
        A pool with more than 5000 subsets of a size that has to be tried; points that the class refuses.

    References
    ----------
    Vapnik and Chervonenkis, On the uniform convergence of …, Theory Probab. Appl. 16, 1971.

    Examples
    --------
    >>> vc_dimension([1, 2, 3, 4], lambda x: {tuple(x >= cut) for cut in [*x, np.inf]})    # thresholds
    1
    >>> vc_dimension([[0, 0], [1, 1], [2, 2], [3, 0], [1, 3]])
    3
    """
    pool = np.asarray(pool)
    for size in range(1, len(pool) + 1):
        if (many := comb(len(pool), size)) > MOST_SETS:
            raise ValueError(f"{len(pool)} points have {many:,} subsets of {size} to try: give fewer points.")
        subsets = combinations(range(len(pool)), size)
        if not any(is_shattered(pool[list(rows)], hypotheses) for rows in subsets):
            return size - 1
    return len(pool)


def cover_count(n, d):
    """Labellings of n points in general position by hyperplanes in d dimensions: ``2 sum_{i<=d} C(n-1, i)``.

    Parameters
    ----------
    n : int >= 1, points
    d : int >= 0, dimensions

    Returns
    -------
    count : int; 2^n for n <= d + 1

    Raises
    ------
    ValueError
        No points, a negative dimension, or a sum of more than 10,000 terms.

    References
    ----------
    Cover, Geometrical and statistical properties of systems of linear inequalities, IEEE Trans. Electronic
    Computers 14, 1965.

    Examples
    --------
    >>> [cover_count(n, 2) for n in (1, 2, 3, 4, 5)]
    [2, 4, 8, 14, 22]
    """
    if not isinstance(n, Integral) or n < 1:
        raise ValueError(f"n={n!r}: give a whole number of points, from 1 up.")
    return 2 * growth_bound(n - 1, d)
