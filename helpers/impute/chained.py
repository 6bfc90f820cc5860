"""Every column predicted from the others, in turns: once, or M times with noise, chapter 5."""

import warnings

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from helpers._checks import FLOATS, check_choices, check_count, check_stop
from helpers._fast import faster
from helpers._tags import tagged
from helpers.impute.simple import Imputer, SimpleImputer

__all__ = ["ModelImputer", "MultipleImputer"]

ORDERS = ("ascending", "descending", "roman", "arabic", "random")


class Chain:
    """A completed table, whose blanks are filled again and again."""

    def __init__(self, X, blank, start):
        """Fill the blanks with `start`, shape (d,)."""
        Z = np.where(blank, start, X)
        self.centre, self.blank = Z.mean(axis=0), blank  # a shift that keeps the digits
        self.A = Z - self.centre  # (n, d)

    def regression(self, j):
        """What the regression of column j needs, from the rows where it is observed.

        Returns their number n_o, their means (d,), the scatter matrix S (d, d) of the other columns (row
        and column j are 0), their products c (d,) with column j, and the scatter s of column j.
        """
        seen = self.A[~self.blank[:, j]]
        means = seen.mean(axis=0)
        S = (seen - means).T @ (seen - means)
        c, s = S[j].copy(), S[j, j]
        S[j] = S[:, j] = c[j] = 0  # j does not predict itself
        return len(seen), means, S, c, s

    def predict(self, j, b, means):
        """``mean_j + (x - means) · b`` for the rows where column j is blank."""
        return (self.A[self.blank[:, j]] - means) @ b + means[j]

    def fill(self, j, values):
        """Put the values where column j is blank."""
        self.A[self.blank[:, j], j] = values

    def table(self):
        """The completed table."""
        return self.A + self.centre


@faster("chained")
def begin(X, blank, start):
    """A chain that begins with the blanks filled."""
    return Chain(X, blank, start)


def _order(blank, order, rng):
    """In which order the columns take their turns."""
    columns = np.arange(blank.shape[1])
    if order == "random":
        return rng.permutation(columns)
    if order in ("ascending", "descending"):  # by number of blanks
        columns = np.argsort(blank.sum(axis=0), kind="stable")
    return columns[::-1] if order in ("arabic", "descending") else columns


def _start(X, strategy):
    return SimpleImputer(strategy=strategy).fit(X).statistics_.astype(float)


class ModelImputer(Imputer):
    """Each blank predicted from the row's other values by ridge regression, round after round, chapter 5.

    Start from a simple filling. Then for every column j in turn, over the rows where j is observed, solve

        ``(S + α I) b = c``,   S the scatter matrix of the other columns, c their products with column j,

    and fill the blanks of j with ``mean_j + (x - means) · b``; repeat until no filled value changes by more
    than ``tol`` times the largest observed value. Where j is unrelated to the others this is the mean again.

    Short version: chapter 5, `in_turns`.

    Parameters
    ----------
    alpha : float > 0 or 'evidence'
        Ridge penalty; 'evidence': found for each regression by maximising the evidence (Bayesian ridge
        regression).
    max_iter : int
        Rounds.
    tol : float
        Compared with the sum of a row's changes, as in scikit-learn.
    initial_strategy : 'mean', 'median', 'most_frequent' or 'constant' (0), the start
    imputation_order : 'ascending', 'descending', 'roman', 'arabic' or 'random'
        By the number of blanks; from left to right, from right to left.
    add_indicator : bool
        Append a 0/1 column for each column that had blanks in the training rows.
    random_state : int, RandomState or None, for the random order

    Attributes
    ----------
    imputation_sequence_ : list of (j, b, means), the regressions in the order in which they were made
        `transform` goes through them again for new rows: the training rows' models fill them.
    initial_statistics_ : array of shape (d,)
    n_iter_ : int
    indicator_features_ : int array, the columns with an indicator

    Raises
    ------
    ValueError
        A column without any observed value; alpha <= 0.

    Warns
    -----
    ConvergenceWarning
        Still changing after `max_iter` rounds.

    Notes
    -----
    scikit-learn's twin is ``IterativeImputer(Ridge(alpha))``, with 'evidence' ``IterativeImputer()``. One
    value for a blank hides that it is a guess: standard errors from the completed table are too small; see
    `MultipleImputer`.

    References
    ----------
    Buck, A method of estimation of missing values in multivariate data, J. R. Statist. Soc. B 22, 1960.
    MacKay, Bayesian interpolation, Neural Computation 4, 1992.

    Examples
    --------
    >>> X = [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, np.nan]]
    >>> ModelImputer(alpha=1e-6).fit_transform(X)[3].round(3)
    array([4., 8.])
    """

    def __init__(
        self,
        alpha=1e-3,
        *,
        max_iter=10,
        tol=1e-3,
        initial_strategy="mean",
        imputation_order="ascending",
        add_indicator=False,
        random_state=None,
    ):
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.initial_strategy = initial_strategy
        self.imputation_order = imputation_order
        self.add_indicator = add_indicator
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the models."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X, y=None):
        """Find the models and fill the training rows."""
        X = validate_data(self, X, dtype=FLOATS, ensure_all_finite="allow-nan")
        self._check_options()
        blank = np.isnan(X)
        self._look_over(blank)
        self.initial_statistics_ = _start(X, self.initial_strategy)
        chain = begin(X, blank, self.initial_statistics_)
        self._centre = chain.centre
        self._iterate(chain, blank, self.tol * np.abs(X[~blank]).max())
        return self._completed(X, chain.table(), blank)

    def transform(self, X):
        """Fill new rows by the training rows' models, in the same order and as often."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, ensure_all_finite="allow-nan", reset=False)
        blank = np.isnan(X)
        A = np.where(blank, self.initial_statistics_, X) - self._centre
        rows = [np.flatnonzero(column) for column in blank.T]
        for j, b, means in self.imputation_sequence_:
            A[rows[j], j] = (A[rows[j]] - means) @ b + means[j]
        return self._completed(X, A + self._centre, blank)

    def _check_options(self):
        if self.alpha != "evidence" and (isinstance(self.alpha, str) or not self.alpha > 0):
            raise ValueError(
                f"alpha={self.alpha!r}: give a penalty > 0, so that the equations have one "
                "solution, or 'evidence'."
            )
        check_choices(self, imputation_order=ORDERS)
        check_stop(self.max_iter, self.tol, fewest=0)

    def _iterate(self, chain, blank, largest_change):
        rng = check_random_state(self.random_state)
        self.imputation_sequence_, self.n_iter_ = [], 0
        if blank.shape[1] == 1:  # nothing to predict from
            return
        for rounds in range(1, self.max_iter + 1):
            self.n_iter_, before = rounds, chain.A.copy()
            for j in _order(blank, self.imputation_order, rng):
                n_o, means, S, c, s = chain.regression(j)
                b = _by_evidence(n_o, S, c, s) if self.alpha == "evidence" else _ridge(S, c, self.alpha)
                chain.fill(j, chain.predict(j, b, means))
                self.imputation_sequence_.append((j, b, means))
            # a complete table never changes, and cannot say when new rows have settled: all rounds
            if blank.any() and np.abs(chain.A - before).sum(axis=1).max() < largest_change:
                return
        if self.max_iter > 0 and blank.any():
            warnings.warn(
                f"After {self.max_iter} rounds values still change by more than tol={self.tol} "
                "of the largest: increase max_iter.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _completed(self, X, table, blank):
        return self._with_indicator(np.where(blank, table, X).astype(X.dtype), blank)


def _ridge(S, c, alpha):
    try:
        return np.linalg.solve(S + alpha * np.eye(len(S)), c)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            f"alpha={alpha} is lost beside columns as large as these, which depend on each other: raise "
            "alpha, or scale the columns."
        ) from error


def _by_evidence(n_o, S, c, s, max_iter=300, tol=1e-3, vague=1e-6):
    """Ridge coefficients with noise precision α and coefficient precision λ that maximise the evidence.

    MacKay's iteration, with Gamma priors so vague that they only prevent division by 0:
    ``γ = sum α l_i / (λ + α l_i)``, ``λ = γ / |b|²``, ``α = (n - γ) / |y - X b|²``, l the eigenvalues of S.
    """
    l, V = np.linalg.eigh(S)
    l, c_V = np.maximum(l, 0), V.T @ c
    alpha, lam, old = 1 / (s / n_o + np.finfo(float).eps), 1.0, None
    for _ in range(max_iter):
        b = V @ (c_V / (l + lam / alpha))
        gamma = (alpha * l / (lam + alpha * l)).sum()
        lam = (gamma + 2 * vague) / (b @ b + 2 * vague)
        alpha = (n_o - gamma + 2 * vague) / (max(s - 2 * b @ c + b @ S @ b, 0) + 2 * vague)
        if old is not None and np.abs(b - old).sum() < tol:
            break
        old = b
    return V @ (c_V / (l + lam / alpha))


@tagged("input_tags", allow_nan=True)
class MultipleImputer(BaseEstimator):
    """M completed tables, whose blanks are draws from what the observed values leave open, chapter 5.

    As `ModelImputer`, but each regression is drawn, not solved: with n_o observed rows, d coefficients
    (intercept included) and residual sum of squares R of the least-squares fit b,

        ``σ² = R / χ²(n_o - d)``,   ``b* ~ N(b, σ² S⁻¹)``,   ``blank = mean*_j + (x - means) · b* + σ ε``,

    where mean*_j ~ N(mean_j, σ²/n_o) and ε is a standard normal number for each blank. That is a draw from
    the posterior under the usual flat prior: it contains both the noise of the values and the uncertainty
    of the coefficients. Analyse every table by itself and `pool` the answers: never average the tables,
    never pick one (erratum E30).

    Parameters
    ----------
    n_imputations : int, M
    max_iter : int
        Rounds before a table is taken.
    initial_strategy : 'mean', 'median', 'most_frequent' or 'constant' (0), the start
    ridge : float >= 0
        The diagonal of S grows by this share, for columns that depend on each other.
    progress : bool
        A bar over the M tables.
    n_jobs : int or None
        Tables made at the same time, through joblib; the result does not depend on it.
    random_state : int, RandomState or None

    Attributes
    ----------
    tables_ : array of shape (M, n, d); observed values are the same in all

    Raises
    ------
    ValueError
        A column without any observed value, or with no more observed values than coefficients.

    References
    ----------
    Rubin, Multiple Imputation for Nonresponse in Surveys, 1987. van Buuren and Groothuis-Oudshoorn, mice,
    J. Stat. Software 45, 2011.

    Examples
    --------
    >>> from helpers.impute import pool
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=200)
    >>> y = np.where(x > 0.5, np.nan, x + rng.normal(size=200))        # blank where x is large
    >>> tables = MultipleImputer(20, random_state=0).impute(np.column_stack([x, y]))
    >>> answer = pool([t[:, 1].mean() for t in tables], [t[:, 1].var(ddof=1) / 200 for t in tables])
    >>> print(f"observed {np.nanmean(y):.2f}, pooled {answer.low:.2f} to {answer.high:.2f}, true 0")
    observed -0.51, pooled -0.28 to 0.26, true 0
    """

    def __init__(
        self,
        n_imputations=5,
        *,
        max_iter=10,
        initial_strategy="mean",
        ridge=1e-5,
        progress=False,
        n_jobs=None,
        random_state=None,
    ):
        self.n_imputations = n_imputations
        self.max_iter = max_iter
        self.initial_strategy = initial_strategy
        self.ridge = ridge
        self.progress = progress
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Make the M tables."""
        from joblib import Parallel, delayed
        from tqdm import tqdm

        X = validate_data(self, X, dtype=FLOATS, ensure_all_finite="allow-nan")
        check_count("n_imputations", self.n_imputations)
        check_count("max_iter", self.max_iter)
        if not self.ridge >= 0:
            raise ValueError(f"ridge={self.ridge}: give a share >= 0.")
        blank = np.isnan(X)
        start = _start(X, self.initial_strategy)
        _enough_rows(blank)
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=self.n_imputations)
        seeds = tqdm(seeds, disable=not self.progress)
        self.tables_ = np.array(
            Parallel(n_jobs=self.n_jobs)(
                delayed(_drawn_table)(X, blank, start, self.max_iter, self.ridge, seed) for seed in seeds
            )
        )
        return self

    def impute(self, X):
        """The M completed tables of X; array of shape (M, n, d)."""
        return self.fit(X).tables_


def _enough_rows(blank):
    n, d = blank.shape
    observed = n - blank.sum(axis=0)
    few = np.flatnonzero(blank.any(axis=0) & (observed <= d))
    if len(few):
        raise ValueError(
            f"The columns {few} have {observed[few]} observed values for {d} coefficients: at "
            f"least {d + 1} are needed to tell the noise. Drop columns, or use ModelImputer."
        )


def _drawn_table(X, blank, start, max_iter, ridge, seed):
    """One completed table."""
    rng, chain = np.random.default_rng(seed), begin(X, blank, start)
    columns = np.flatnonzero(blank.any(axis=0))
    for _ in range(max_iter):
        for j in columns:
            chain.fill(j, _draw(chain, j, ridge, rng))
    return np.where(blank, chain.table(), X).astype(X.dtype)


def _draw(chain, j, ridge, rng):
    """Values for the blanks of column j: one draw of the regression, and noise for each blank."""
    n_o, means, S, c, s = chain.regression(j)
    d = len(S)
    K = S + np.diag(np.where(np.diag(S) > 0, ridge * np.diag(S), 1))  # 1: column j, constant columns
    L = np.linalg.cholesky(K)  # K = L Lᵀ
    u = solve_triangular(L, c, lower=True)  # b = L⁻ᵀ u
    sigma = np.sqrt(max(s - u @ u, 0) / rng.chisquare(n_o - d))  # R = s - |u|²
    b = solve_triangular(L.T, u + sigma * rng.standard_normal(d), lower=False)
    b[j] = 0
    shift = sigma / np.sqrt(n_o) * rng.standard_normal()  # of the mean
    return chain.predict(j, b, means) + shift + sigma * rng.standard_normal(chain.blank[:, j].sum())
