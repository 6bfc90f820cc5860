"""How many samples are enough: bounds for finite classes and by VC dimension, chapter 7.

γ is the gap allowed between training and generalisation error, δ the probability that it may be larger. The
bounds are sufficient, never necessary (erratum E45). Logarithms are taken of whole numbers of any length.
"""

from math import ceil, comb, log, sqrt
from numbers import Integral

__all__ = ["growth_bound", "hoeffding_gap", "hoeffding_sample_size", "vc_gap", "vc_sample_size"]

MOST = 10_000  # terms of a sum


def _whole(name, value, fewest):
    if not isinstance(value, Integral) or value < fewest:
        raise ValueError(f"{name}={value!r}: give a whole number from {fewest} up.")
    return int(value)


def _gap(gamma):
    if not 1e-9 <= gamma <= 1:
        raise ValueError(f"gamma={gamma}: give a gap between two error rates, from 1e-9 to 1.")


def _chance(delta):
    if not 0 < delta <= 1:
        raise ValueError(f"delta={delta}: give a probability above 0 and at most 1.")


def hoeffding_sample_size(k, gamma, delta):
    """The smallest n with ``n >= 1/(2γ²) · ln(2k/δ)``, (7.3).

    So many samples keep all k training errors within γ of the true ones, with probability at least 1 - δ. For
    d numbers of 64 bits give ``k=2**(64 * d)``.

    Parameters
    ----------
    k : int, hypotheses
    gamma : float from 1e-9 to 1, the gap γ
    delta : float in (0, 1], the probability δ

    Returns
    -------
    n : int, samples

    Raises
    ------
    ValueError
        No hypotheses, or a γ or δ outside its range.

    References
    ----------
    Hoeffding, Probability inequalities for sums of bounded random variables, J. Amer. Stat. Assoc. 58, 1963.

    Examples
    --------
    >>> hoeffding_sample_size(50, 0.1, 0.05), hoeffding_sample_size(2 ** (64 * 10), 0.1, 1e-6)
    (381, 22907)
    """
    k = _whole("k", k, 1)
    _gap(gamma)
    _chance(delta)
    return ceil((log(2 * k) - log(delta)) / (2 * gamma**2))


def hoeffding_gap(n, k, delta):
    """The γ that n samples allow for k hypotheses: ``√(ln(2k/δ) / 2n)``, (7.3).

    Parameters
    ----------
    n : int, samples
    k : int, hypotheses
    delta : float in (0, 1], the probability δ

    Returns
    -------
    gamma : float, a difference of error rates

    Raises
    ------
    ValueError
        No samples, no hypotheses, or a δ outside (0, 1].

    Examples
    --------
    >>> round(hoeffding_gap(381, 50, 0.05), 4)
    0.0999
    """
    n, k = _whole("n", n, 1), _whole("k", k, 1)
    _chance(delta)
    return sqrt((log(2 * k) - log(delta)) / (2 * n))


def growth_bound(n, D):
    """The most labellings of n points by a class of VC dimension D: ``sum_{i<=D} C(n, i)``, (7.8).

    Parameters
    ----------
    n : int >= 0, points
    D : int >= 0, the VC dimension

    Returns
    -------
    count : int; 2^n for n <= D

    Raises
    ------
    ValueError
        A number that is negative or not whole, or a sum of more than 10,000 terms.

    References
    ----------
    Sauer, On the density of families of sets, J. Combinatorial Theory A 13, 1972.

    Examples
    --------
    >>> growth_bound(4, 2), growth_bound(2, 2)
    (11, 4)
    """
    n, D = _whole("n", n, 0), _whole("D", D, 0)
    if min(n, D) > MOST:
        raise ValueError(f"n={n}, D={D}: the sum has {min(n, D) + 1:,} terms; {MOST:,} are the most.")
    return sum(comb(n, i) for i in range(min(n, D) + 1))


def vc_gap(n, D, delta):
    """The gap that n samples allow for a class of VC dimension D: ``√(8/n · ln(4/δ · sum C(2n, i)))``, (7.9).

    With probability at least 1 - δ no hypothesis of the class has a larger one. Above 1 it says nothing.

    Parameters
    ----------
    n : int, samples
    D : int >= 0, the VC dimension
    delta : float in (0, 1], the probability δ

    Returns
    -------
    gamma : float, a difference of error rates

    Raises
    ------
    ValueError
        No samples, a δ outside (0, 1], or a dimension that `growth_bound` refuses.

    References
    ----------
    Vapnik and Chervonenkis, Theory Probab. Appl. 16, 1971; as in Anthony and Bartlett, Neural Network
    Learning, 1999, theorem 4.3.

    Examples
    --------
    >>> round(vc_gap(100_000, 3, 0.05), 4)
    0.056
    """
    n = _whole("n", n, 1)
    _chance(delta)
    return sqrt(8 / n * (log(4 * growth_bound(2 * n, D)) - log(delta)))


def vc_sample_size(D, gamma, delta):
    """The smallest n with ``vc_gap(n, D, delta) <= gamma``, about proportional to D.

    Parameters
    ----------
    D : int >= 0, the VC dimension; an infinite one has no such n
    gamma : float from 1e-9 to 1, the gap γ
    delta : float in (0, 1], the probability δ

    Returns
    -------
    n : int, samples

    Raises
    ------
    ValueError
        A γ or δ outside its range, or a dimension that `growth_bound` refuses.

    Examples
    --------
    >>> n = vc_sample_size(3, 0.1, 0.05)
    >>> vc_gap(n, 3, 0.05) <= 0.1 < vc_gap(n - 1, 3, 0.05)
    True
    """
    _gap(gamma)
    too_few, enough = 0, 1
    while vc_gap(enough, D, delta) > gamma:
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if vc_gap(middle, D, delta) <= gamma else (middle, enough)
    return enough
