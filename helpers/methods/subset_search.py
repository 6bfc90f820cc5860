"""Searches over subsets of the features: all of them, or random ones (LVW); chapter 9.

scikit-learn has greedy searches alone. A subset is judged by a function that the caller gives: the error of
a learner that sees these columns.
"""

from itertools import combinations
from numbers import Integral

import numpy as np

__all__ = ["exhaustive_search", "las_vegas"]

MOST = 20  # features whose subsets may all be tried


def exhaustive_search(error, d):
    """The best of all ``2^d - 1`` subsets of d features, of equally good ones the smallest (9.19), (9.13).

    Parameters
    ----------
    error : function of a list of columns, the smaller the better
    d : int, at most 20

    Returns
    -------
    subset : list of int
    least : float, its error: the least of many, too good for fresh rows

    Raises
    ------
    ValueError
        No feature, or too many to try all subsets.

    Examples
    --------
    >>> exhaustive_search(lambda A: abs(sum(A) - 3), 4)
    ([3], 0)
    """
    if not 1 <= d <= MOST:
        raise ValueError(f"d={d}: {2.0**d - 1:.3g} subsets; choose 1 to {MOST} features, or a greedy search.")
    every = (list(A) for k in range(1, d + 1) for A in combinations(range(d), k))
    least, subset = min(((error(A), A) for A in every), key=lambda scored: scored[0])
    return subset, least


def las_vegas(error, d, T, rng, *, in_a_row=False):
    """LVW: random subsets; a better one, or an equally good smaller one, replaces the best so far.

    It begins with all features and their error err*, so it always holds an answer. T tries meet one given
    subset with a probability of at most ``T / (2^d - 1)`` (9.22). err* is the least of many errors on the
    same folds, too good for fresh rows.

    Short version: chapter 9, `lvw`.

    Parameters
    ----------
    error : function of a list of columns, the smaller the better
    d : int
    T : int, tries in all; `in_a_row`: tries in a row without success, counted from 0 after each success, as
        in the paper
    rng : numpy Generator
    in_a_row : bool

    Returns
    -------
    subset : list of int
    history : list, err* at the start and after every try; never rises

    Raises
    ------
    ValueError
        Fewer than one try or feature.

    References
    ----------
    Liu and Setiono, Feature selection and classification: a probabilistic wrapper approach, IEA/AIE 1996.

    Examples
    --------
    >>> las_vegas(lambda A: float(A != [1, 2]), 3, 50, np.random.default_rng(0))[0]
    [1, 2]
    """
    for name, count in (("d", d), ("T", T)):
        if not isinstance(count, Integral) or count < 1:
            raise ValueError(f"{name}={count!r}: choose a whole number of at least 1.")
    A = list(range(d))
    least = error(A)
    history, failures = [least], 0
    while (failures if in_a_row else len(history) - 1) < T:
        B = np.flatnonzero(rng.random(d) < 0.5).tolist()
        if not B:
            continue  # nothing to train on: draw again
        new = error(B)
        failures += 1
        if new < least or new == least and len(B) < len(A):
            A, least, failures = B, new, 0
        history.append(least)
    return A, history
