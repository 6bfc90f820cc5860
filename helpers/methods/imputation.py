"""Multiple imputation: several completed tables, proper draws, and one answer from all of them, chapter 5."""

from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.linalg import solve_triangular
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array

__all__ = ["Pooled", "draw_tables", "pool"]

RIDGE = 1e-5  # by which share the diagonal of S grows, for columns that depend on each other; as in mice


def draw_tables(X, M, *, rounds=10, random_state=None):
    """M completed tables, whose blanks are draws from what the observed values leave open.

    Column after column, from the rows where column j is observed. With n_o such rows, d columns, S the
    scatter matrix of the others (its diagonal a little larger), b their least-squares coefficients and R the
    residual sum of squares,

        ``σ² = R / χ²(n_o - d)``,   ``b* ~ N(b, σ² S⁻¹)``,   ``blank = mean*_j + (x - means) · b* + σ ε``,

    where mean*_j ~ N(mean_j, σ²/n_o) and ε is a standard normal number for each blank. That is a draw from
    the posterior under the usual flat prior: it contains both the noise of the values and the uncertainty of
    the coefficients, so the draws are *proper*. Analyse every table by itself and `pool` the answers: never
    average the tables, never pick one (erratum E30).

    Parameters
    ----------
    X : array of shape (n, d); NaN is a blank
    M : int >= 1
    rounds : int >= 1
        How often each column takes its turn; 1 is enough where only one column has blanks.
    random_state : int, RandomState or None

    Returns
    -------
    tables : array of shape (M, n, d); observed values are the same in all

    Raises
    ------
    ValueError
        A column with blanks that has no more observed values than coefficients.

    References
    ----------
    Rubin, Multiple Imputation for Nonresponse in Surveys, 1987. van Buuren and Groothuis-Oudshoorn, mice,
    J. Stat. Software 45, 2011.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=200)
    >>> y = np.where(x > 0.5, np.nan, x + rng.normal(size=200))        # blank where x is large
    >>> tables = draw_tables(np.column_stack([x, y]), 20, random_state=0)
    >>> answer = pool([t[:, 1].mean() for t in tables], [t[:, 1].var(ddof=1) / 200 for t in tables])
    >>> print(f"observed {np.nanmean(y):.2f}, pooled {answer.low:.2f} to {answer.high:.2f}, true 0")
    observed -0.51, pooled -0.28 to 0.26, true 0
    """
    X = check_array(X, dtype=float, ensure_all_finite="allow-nan")
    if M < 1 or rounds < 1:
        raise ValueError(f"M={M}, rounds={rounds}: give whole numbers from 1 up.")
    blank = np.isnan(X)
    observed = (~blank).sum(axis=0)
    few = np.flatnonzero(blank.any(axis=0) & (observed <= X.shape[1]))
    if len(few):
        raise ValueError(
            f"The columns {few} have {observed[few]} observed values for {X.shape[1]} coefficients: at least "
            f"{X.shape[1] + 1} are needed to tell the noise. Drop columns."
        )
    start = np.where(blank, np.nanmean(X, axis=0), X)
    seeds = check_random_state(random_state).randint(2**31 - 1, size=M)
    return np.array([_one_table(start.copy(), blank, rounds, np.random.default_rng(s)) for s in seeds])


def _one_table(Z, blank, rounds, rng):
    for _ in range(rounds):
        for j in np.flatnonzero(blank.any(axis=0)):
            Z[blank[:, j], j] = _draw(Z, j, blank[:, j], rng)
    return Z


def _draw(Z, j, gaps, rng):
    """Values for the blanks of column j: one draw of the regression, and noise for each blank."""
    seen = Z[~gaps]
    (n_o, d), means = seen.shape, seen.mean(axis=0)
    S = (seen - means).T @ (seen - means)  # centred first: one huge cell elsewhere costs no digits
    c, s = S[j].copy(), S[j, j]
    S[j] = S[:, j] = c[j] = 0  # j does not predict itself
    L = np.linalg.cholesky(S + np.diag(np.where(np.diag(S) > 0, RIDGE * np.diag(S), 1)))  # 1: j, constants
    u = solve_triangular(L, c, lower=True)  # b = L⁻ᵀ u
    sigma = np.sqrt(max(s - u @ u, 0) / rng.chisquare(n_o - d))  # R = s - |u|²
    b = solve_triangular(L.T, u + sigma * rng.standard_normal(d), lower=False)
    b[j] = 0
    mean = means[j] + sigma / np.sqrt(n_o) * rng.standard_normal()
    return mean + (Z[gaps] - means) @ b + sigma * rng.standard_normal(gaps.sum())


class Pooled(NamedTuple):
    """What `pool` returns; numbers, or arrays of one number for each quantity.

    Attributes
    ----------
    estimate : θ̄
    variance : T, the whole of it
    within, between : Ū and B, its parts
    df : ν, degrees of freedom
    low, high : ends of the interval of 95 %
    """

    estimate: np.ndarray
    variance: np.ndarray
    within: np.ndarray
    between: np.ndarray
    df: np.ndarray
    low: np.ndarray
    high: np.ndarray


def pool(estimates, variances):
    """Pool the M estimates and their variances by Rubin's rules, (5.3), (5.4).

    With the estimates θ_m and their squared standard errors U_m:

    - estimate: ``θ̄ = mean θ_m``,
    - within: ``Ū = mean U_m``, the uncertainty that complete data would have had,
    - between: ``B = sum (θ_m - θ̄)² / (M - 1)``, what the blanks add,
    - variance: ``T = Ū + (1 + 1/M) B``; Ū alone is too small, since the M answers disagree,
    - df: ``ν = (M - 1) / γ²`` with ``γ = (1 + 1/M) B / T``, the share of T that the blanks cause,
    - low, high: ``θ̄ ± t_ν √T``, with 95 % between.

    All M answers count. Keeping the table that fits best (erratum E30) throws B away.

    Parameters
    ----------
    estimates, variances : arrays of shape (M,) or (M, k), M >= 2

    Returns
    -------
    Pooled

    Raises
    ------
    ValueError
        Fewer than two estimates, other shapes, a variance below 0 or without a value.

    References
    ----------
    Rubin, Multiple Imputation for Nonresponse in Surveys, 1987.

    Examples
    --------
    >>> answer = pool([1.0, 2.0, 3.0], [0.5, 0.5, 0.5])
    >>> print(answer.estimate, round(answer.variance, 4), round(answer.df, 4))
    2.0 1.8333 3.7812
    """
    theta, U = np.asarray(estimates, float), np.asarray(variances, float)
    _check(theta, U)
    M = len(theta)
    centre, within, between = theta.mean(axis=0), U.mean(axis=0), theta.var(axis=0, ddof=1)  # (5.3)
    total = within + (1 + 1 / M) * between  # (5.4)
    share = np.divide((1 + 1 / M) * between, total, out=np.zeros_like(total), where=total > 0)  # γ
    with np.errstate(divide="ignore"):
        df = (M - 1) / share**2  # infinite where all agree
    half = stats.t.ppf(0.975, df) * np.sqrt(total)
    return Pooled(centre, total, within, between, df, centre - half, centre + half)


def _check(theta, U):
    if theta.shape != U.shape or theta.ndim not in (1, 2):
        raise ValueError(
            f"estimates and variances need the same shape (M,) or (M, k); got {theta.shape} and {U.shape}."
        )
    if len(theta) < 2:
        raise ValueError("One estimate says nothing about how much the tables disagree: give at least two.")
    if not (U >= 0).all():
        raise ValueError("variances must be numbers >= 0: give squared standard errors.")
