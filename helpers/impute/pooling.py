"""Rubin's rules: one answer from the M answers of M completed tables, chapter 5."""

from typing import NamedTuple

import numpy as np
from scipy import stats

__all__ = ["Pooled", "pool"]


class Pooled(NamedTuple):
    """What `pool` returns; numbers, or arrays of one number for each quantity.

    Attributes
    ----------
    estimate : θ̄
    variance : T, the whole of it
    within, between : Ū and B, its parts
    df : ν, degrees of freedom
    low, high : ends of the interval
    """

    estimate: np.ndarray
    variance: np.ndarray
    within: np.ndarray
    between: np.ndarray
    df: np.ndarray
    low: np.ndarray
    high: np.ndarray


def pool(estimates, variances, *, level=0.95, df_complete=None):
    """Pool the M estimates and their variances by Rubin's rules, (5.7), (5.8).

    With the estimates θ_m and their squared standard errors U_m:

    - estimate: ``θ̄ = mean θ_m``,
    - within: ``Ū = mean U_m``, the uncertainty that complete data would have had,
    - between: ``B = sum (θ_m - θ̄)² / (M - 1)``, what the blanks add,
    - variance: ``T = Ū + (1 + 1/M) B``; Ū alone is too small, since the M answers disagree,
    - df: ``ν = (M - 1) / γ²`` with ``γ = (1 + 1/M) B / T``, the share of T that the blanks cause,
    - low, high: ``θ̄ ± t_ν √T``.

    All M answers count. Keeping the table that fits best (erratum E30) throws B away.

    Parameters
    ----------
    estimates, variances : arrays of shape (M,) or (M, k), M >= 2
    level : float in (0, 1), of the interval
    df_complete : number or None
        Degrees of freedom that the complete data would have had, for small tables (Barnard and Rubin, 1999).

    Returns
    -------
    Pooled

    Raises
    ------
    ValueError
        Fewer than two estimates, other shapes, a negative variance, a level outside (0, 1).

    References
    ----------
    Rubin, Multiple Imputation for Nonresponse in Surveys, 1987. Barnard and Rubin, Small-sample degrees of
    freedom with multiple imputation, Biometrika 86, 1999.

    Examples
    --------
    >>> answer = pool([1.0, 2.0, 3.0], [0.5, 0.5, 0.5])
    >>> print(answer.estimate, round(answer.variance, 4), round(answer.df, 4))
    2.0 1.8333 3.7812
    """
    theta, U = np.asarray(estimates, float), np.asarray(variances, float)
    _check(theta, U, level)
    M = len(theta)
    centre, within, between = theta.mean(axis=0), U.mean(axis=0), theta.var(axis=0, ddof=1)
    total = within + (1 + 1 / M) * between
    share = np.divide((1 + 1 / M) * between, total, out=np.zeros_like(total), where=total > 0)  # γ
    with np.errstate(divide="ignore"):
        df = (M - 1) / share**2  # infinite where all agree
    if df_complete is not None:
        df = 1 / (1 / df + 1 / ((df_complete + 1) / (df_complete + 3) * df_complete * (1 - share)))
    half = stats.t.ppf((1 + level) / 2, df) * np.sqrt(total)
    return Pooled(centre, total, within, between, df, centre - half, centre + half)


def _check(theta, U, level):
    if theta.shape != U.shape or theta.ndim not in (1, 2):
        raise ValueError(
            f"estimates and variances need the same shape (M,) or (M, k); got {theta.shape} and {U.shape}."
        )
    if len(theta) < 2:
        raise ValueError("One estimate says nothing about how much the tables disagree: give at least two.")
    if not (U >= 0).all():
        raise ValueError("variances must be numbers >= 0: give squared standard errors.")
    if not 0 < level < 1:
        raise ValueError(f"level={level}: give a number between 0 and 1, such as 0.95.")
