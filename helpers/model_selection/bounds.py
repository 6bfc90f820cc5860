"""How many samples are enough: bounds for finite classes, by bits and by VC dimension; chapter 7.
 γ is the gap allowed between training and generalisation error, δ the probability with which it may fail. The
bounds are sufficient, never necessary (erratum E45).
"""

from math import ceil, comb, exp, lgamma, log, sqrt

__all__ = [
    "bits_sample_size",
    "growth_bound",
    "hoeffding_gap",
    "hoeffding_sample_size",
    "margin_vc_bound",
    "vc_gap",
    "vc_rate",
    "vc_sample_size",
]


def _check(gamma=1, delta=1, **counts):
    if not gamma > 0:
        raise ValueError(f"gamma={gamma}: the gap must be positive.")
    if not 0 < delta <= 1:
        raise ValueError(f"delta={delta}: a probability in (0, 1].")
    for name, value in counts.items():
        if not value >= 1:
            raise ValueError(f"{name}={value}: must be at least 1.")


def _check_dimension(d):
    if d < 0:
        raise ValueError(f"d={d}: a VC dimension is at least 0.")


def hoeffding_sample_size(k, gamma, delta):
    """Smallest m with ``m >= 1/(2γ²) · ln(2k/δ)``, chapter 7.

    Then, with probability at least 1 - δ, all k hypotheses have training and generalisation error within γ,
    and the one of least training error is within 2γ of the best.

    Parameters
    ----------
    k : int, hypotheses
    gamma : float > 0, the gap γ
    delta : float in (0, 1], the probability δ

    Returns
    -------
    m : int, samples

    Raises
    ------
    ValueError
        No hypotheses, a gap that is not positive, or a δ outside (0, 1].

    References
    ----------
    Hoeffding, Probability inequalities for sums of bounded random variables, J. Amer. Stat. Assoc. 58, 1963.

    Examples
    --------
    >>> hoeffding_sample_size(k=50, gamma=0.1, delta=0.05)
    381
    """
    _check(gamma, delta, k=k)
    return ceil(log(2 * k / delta) / (2 * gamma**2))


def hoeffding_gap(m, k, delta):
    """The γ that m samples allow for k hypotheses: ``√(ln(2k/δ) / 2m)``, (7.5).

    Parameters
    ----------
    m : int, samples
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
    >>> round(hoeffding_gap(m=381, k=50, delta=0.05), 4)
    0.0999
    """
    _check(delta=delta, m=m, k=k)
    return sqrt(log(2 * k / delta) / (2 * m))


def bits_sample_size(d, gamma, delta, *, bits=64):
    """`hoeffding_sample_size` for the ``k = 2^(bits·d)`` hypotheses that d numbers of so many bits can write.

    ``ln(2k/δ) = bits·d·ln 2 + ln(2/δ)``, a sum, erratum E45: linear in the number d of parameters.

    Parameters
    ----------
    d : int, parameters
    gamma : float > 0, the gap γ
    delta : float in (0, 1], the probability δ
    bits : int, for each parameter

    Returns
    -------
    m : int, samples

    Raises
    ------
    ValueError
        No parameters or bits, a gap that is not positive, or a δ outside (0, 1].

    Examples
    --------
    >>> bits_sample_size(d=10, gamma=0.1, delta=1e-6)
    22907
    """
    _check(gamma, delta, d=d, bits=bits)
    return ceil((bits * d * log(2) + log(2 / delta)) / (2 * gamma**2))


def growth_bound(m, d):
    """Most labellings of m points by a class of VC dimension d: ``sum_{i<=d} C(m, i)`` (Sauer and Shelah,
    1972).

    Parameters
    ----------
    m : int, points
    d : int >= 0, the VC dimension

    Returns
    -------
    count : int; 2^m for m <= d

    Raises
    ------
    ValueError
        No points, or a negative dimension.

    References
    ----------
    Sauer, On the density of families of sets, J. Combinatorial Theory A 13, 1972.

    Examples
    --------
    >>> growth_bound(4, 2), growth_bound(2, 2)
    (11, 4)
    """
    _check(m=m)
    _check_dimension(d)
    return sum(comb(m, i) for i in range(min(d, m) + 1))


def vc_rate(m, d, delta):
    """How the gap scales, ``√(d/m · ln(m/d) + 1/m · ln(1/δ))``: the O(·) of chapter 7 with its
    constant left out.

    Parameters
    ----------
    m : int, samples, at least d
    d : int >= 1, the VC dimension
    delta : float in (0, 1], the probability δ

    Returns
    -------
    rate : float

    Raises
    ------
    ValueError
        Fewer samples than d, a dimension below 1, or a δ outside (0, 1].

    Examples
    --------
    >>> round(vc_rate(1000, 10, 1.0), 4) == round(vc_rate(10000, 100, 1.0), 4)      # m grows like d
    True
    """
    _check(delta=delta, m=m, d=d)
    if m < d:
        raise ValueError(f"m={m} samples are fewer than d={d}: the rate needs m >= d.")
    return sqrt(d / m * log(m / d) + log(1 / delta) / m)


def vc_gap(m, d, delta):
    """A gap with its constants: ``√(8/m · ln(4 Π(2m)/δ))``, Π the `growth_bound`; often above 1, where it
    says nothing.

    With probability at least 1 - δ no hypothesis of a class of VC dimension d has a larger gap between its
    errors, (7.9).

    Parameters
    ----------
    m : int, samples
    d : int >= 0, the VC dimension
    delta : float in (0, 1], the probability δ

    Returns
    -------
    gamma : float, a difference of error rates

    Raises
    ------
    ValueError
        No samples, a negative dimension, or a δ outside (0, 1].

    References
    ----------
    Vapnik and Chervonenkis, Theory Probab. Appl. 16, 1971; as in Anthony and Bartlett, Neural Network
    Learning, 1999, theorem 4.3.

    Examples
    --------
    >>> round(vc_gap(100_000, 3, 0.05), 4)
    0.056
    """
    _check(delta=delta, m=m)
    _check_dimension(d)
    return sqrt(8 / m * (_log_growth(2 * m, d) + log(4 / delta)))


def _log_growth(m, d):
    """``ln growth_bound(m, d)`` without the huge integers."""
    logs = [lgamma(m + 1) - lgamma(i + 1) - lgamma(m - i + 1) for i in range(min(d, m) + 1)]
    top = max(logs)
    return top + log(sum(exp(x - top) for x in logs))


def vc_sample_size(d, gamma, delta):
    """Smallest m with ``vc_gap(m, d, delta) <= gamma``, chapter 7; about proportional to d.

    Parameters
    ----------
    d : int >= 0, the VC dimension
    gamma : float > 0, the gap γ
    delta : float in (0, 1], the probability δ

    Returns
    -------
    m : int, samples

    Raises
    ------
    ValueError
        A negative dimension, a gap that is not positive, or a δ outside (0, 1].

    Examples
    --------
    >>> m = vc_sample_size(3, 0.1, 0.05)
    >>> vc_gap(m, 3, 0.05) <= 0.1 < vc_gap(m - 1, 3, 0.05)
    True
    """
    _check(gamma, delta)
    high = 1
    while vc_gap(high, d, delta) > gamma:
        high *= 2
    low = 0  # too few
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if vc_gap(middle, d, delta) <= gamma else (middle, high)
    return high


def margin_vc_bound(R, gamma):
    """VC dimension of hyperplanes at distance γ or more from all points of a ball of radius R: at most
    ``⌈R²/γ²⌉ + 1``.

    It holds whatever the number of features, (7.12); ``R²/4γ²`` is wrong (erratum E47).

    Parameters
    ----------
    R : float > 0, radius of the ball
    gamma : float > 0, the margin γ, in the unit of R

    Returns
    -------
    bound : int

    Raises
    ------
    ValueError
        A margin or a radius that is not positive.

    References
    ----------
    Vapnik, The Nature of Statistical Learning Theory, 1995, theorem 5.1.

    Examples
    --------
    >>> margin_vc_bound(1, 0.75), margin_vc_bound(1, 3 ** -0.5)    # a triangle, a simplex: both shattered
    (3, 4)
    """
    _check(gamma)
    if not R > 0:
        raise ValueError(f"R={R}: the radius must be positive.")
    ratio = (R / gamma) ** 2
    return ceil(ratio * (1 - 1e-12)) + 1  # 3.0000000000000004 is 3
