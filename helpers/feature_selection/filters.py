"""Filters that score a feature by a test: chi-squared, analysis of variance, correlation; chapter 8."""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse
from scipy.special import chdtrc, fdtrc
from sklearn.utils.validation import check_array, check_consistent_length, check_X_y

from helpers._fast import faster
from helpers._linalg import dense

__all__ = [
    "Anova",
    "Chi2Test",
    "chi2",
    "chi2_test",
    "contingency_table",
    "expected_counts",
    "f_classif",
    "f_oneway",
    "f_regression",
    "pearson_r",
    "r_regression",
]


def levels(values, name="y"):
    """The distinct values of a discrete variable, sorted, and the number of each row's value among them."""
    values = np.asarray(values)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"{name} has shape {values.shape}: give one value for each row, shape (n,), n > 0.")
    if _has_blanks(values):
        raise ValueError(f"{name} has blanks (NaN or None): fill them, or give them a level of their own.")
    return np.unique(values, return_inverse=True)


def _has_blanks(values):
    if values.dtype.kind in "fc":
        return bool(np.isnan(values).any())
    if values.dtype == object:
        from pandas import isna  # it knows None, NaN, NaT and pandas.NA

        return bool(isna(values).any())
    return False


def _classes(y):
    """Levels of a target, which must be at least two."""
    classes, codes = levels(y)
    if len(classes) < 2:
        raise ValueError(f"y has one class ({classes[0]}): a test compares at least two.")
    return classes, codes


def _checked(X, y, y_numeric=False):
    return check_X_y(X, y, accept_sparse="csr", dtype=[np.float64, np.float32], y_numeric=y_numeric)


# ---------------------------------------------------------------- chi-squared
def contingency_table(x, y):
    """How often each level of x meets each level of y, chapter 8.

    Parameters
    ----------
    x, y : arrays of shape (n,), labels

    Returns
    -------
    table : int array of shape (levels of x, levels of y), both sorted

    Raises
    ------
    ValueError
        Variables of unlike length, no rows, or blanks.

    Examples
    --------
    >>> contingency_table(["a", "b", "b", "b"], [0, 0, 1, 1])
    array([[1, 0],
           [1, 2]])
    """
    check_consistent_length(x, y)
    (rows, i), (columns, j) = levels(x, "x"), levels(y)
    shape = len(rows), len(columns)
    return np.bincount(i * shape[1] + j, minlength=shape[0] * shape[1]).reshape(shape)


def expected_counts(table):
    """Counts to expect of independence: ``E = N P(A) P(B) = row total · column total / N``, (8.3).

    Parameters
    ----------
    table : array of shape (r, c) of counts, at least 2 x 2

    Returns
    -------
    E : array of shape (r, c), with the row and column totals of the table

    Raises
    ------
    ValueError
        Not a table of counts, or an empty row or column.

    Examples
    --------
    >>> expected_counts([[10, 20], [30, 60]])
    array([[10., 20.],
           [30., 60.]])
    """
    O = _counts(table)
    return np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()


def _counts(table):
    """A table of counts that a test can use, or the reason why none can."""
    O = np.asarray(table, dtype=float)
    if O.ndim != 2 or min(O.shape) < 2:
        raise ValueError(f"The table has shape {O.shape}: a test needs at least two rows and two columns.")
    if not np.isfinite(O).all() or (O < 0).any():
        raise ValueError("The table has blanks or negative numbers: give counts.")
    for kind, sums in (("row", O.sum(axis=1)), ("column", O.sum(axis=0))):
        if (sums == 0).any():
            raise ValueError(f"The table's {kind} {sums.argmin()} is empty: drop it, it was never seen.")
    return O


class Chi2Test(NamedTuple):
    """The statistic, ``P(chi2_dof >= statistic | independence)``, degrees of freedom, expected counts.

    Attributes
    ----------
    statistic : float
    pvalue : float
    dof : int, (r - 1)(c - 1)
    expected_freq : array of shape (r, c), see `expected_counts`
    """

    statistic: float
    pvalue: float
    dof: int
    expected_freq: np.ndarray


def chi2_test(table, *, correction=False):
    """Pearson's test that the rows and columns of a table of counts are independent, (8.4).

    ``chi2 = sum_ij (O_ij - E_ij)² / E_ij`` with ``(r - 1)(c - 1)`` degrees of freedom. Twin:
    `scipy.stats.chi2_contingency`, whose default is ``correction=True``.

    Short version: chapter 8, `chi_squared`.

    Parameters
    ----------
    table : array of shape (r, c) of counts, at least 2 x 2
    correction : bool
        Yates: in a 2 x 2 table every ``|O - E|`` is made smaller by up to 1/2.

    Returns
    -------
    Chi2Test : (statistic, pvalue, dof, expected_freq)

    Raises
    ------
    ValueError
        Not a table of counts, or an empty row or column.

    References
    ----------
    Pearson, On the criterion that a given system of deviations …, Phil. Mag. 50, 1900.

    Examples
    --------
    >>> test = chi2_test([[150, 200, 400], [350, 500, 1500]])     # the expected counts are not rounded: 26.73
    >>> round(test.statistic, 2), test.dof, round(test.pvalue, 7)
    (26.73, 2, 1.6e-06)
    """
    O, E = _counts(table), expected_counts(table)
    gap = np.abs(O - E)
    if correction and O.shape == (2, 2):
        gap = np.maximum(gap - 0.5, 0)
    statistic = float((gap**2 / E).sum())
    dof = (O.shape[0] - 1) * (O.shape[1] - 1)
    return Chi2Test(statistic, float(chdtrc(dof, statistic)), dof, E)


def chi2(X, y):
    """Chi-squared of every column of counts against the classes, (8.11), (8.12).

    ``O_cj = sum of column j over class c``, ``E_cj = (share of class c) (sum of column j)``,
    ``chi2_j = sum_c (O_cj - E_cj)² / E_cj`` with C - 1 degrees of freedom. A 0/1 column gets the chi2 of its
    table times (1 - share of ones): the columns of a full one-hot block sum to the chi2 of the block's table.

    Short version: chapter 8, `chi2_in_four_lines`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d), counts or 0/1: of measurements it grows with the units
    y : array of shape (n,), class labels

    Returns
    -------
    statistic, pvalues : arrays of shape (d,); NaN for a column of zeros

    Raises
    ------
    ValueError
        Negative numbers, one class.

    Examples
    --------
    >>> statistic, pvalues = chi2([[1, 3], [0, 5], [5, 1], [6, 2]], ["u", "u", "v", "v"])
    >>> statistic.round(3)
    array([8.333, 2.273])
    """
    X, y = _checked(X, y)
    classes, codes = _classes(y)
    if (X.data if issparse(X) else X).min(initial=0) < 0:
        raise ValueError(
            "Input X must be non-negative: chi2 compares counts. For measurements use "
            "f_classif, or cut them into bins and encode these one-hot."
        )
    O = _class_sums(X, codes)  # (C, d)
    E = np.outer(np.bincount(codes) / len(codes), O.sum(axis=0))
    with np.errstate(invalid="ignore"):  # 0/0 in a column of zeros
        statistic = ((O - E) ** 2 / E).sum(axis=0)
    return statistic, chdtrc(len(classes) - 1, statistic)


@faster("filters")
def _class_sums(X, codes):
    """Sums of the columns within every class, YᵀX with the one-hot matrix Y; shape (C, d)."""
    return np.eye(codes.max() + 1)[:, codes] @ X


# ---------------------------------------------------------------- analysis of variance
@dataclass(frozen=True)
class Anova:
    """One-way analysis of variance of one feature, chapter 8; print it to see the table.

    The k class means take k - 1 degrees of freedom, the n rows around them have n - k.

    Attributes
    ----------
    ssb : float, between the classes: ``sum_j n_j (mean_j - mean)²``, in the feature's unit squared
    sse : float, within the classes: ``sum_ij (x_ij - mean_j)²``, in the same unit
    df_between : int, k - 1
    df_within : int, n - k
    """

    ssb: float
    sse: float
    df_between: int
    df_within: int

    @property
    def sst(self):
        """All the variation, ``sum_ij (x_ij - mean)² = SSE + SSB``."""
        return self.ssb + self.sse

    @property
    def msb(self):
        """Between, for each degree of freedom."""
        return self.ssb / self.df_between

    @property
    def mse(self):
        """Within, for each degree of freedom."""
        return self.sse / self.df_within

    @property
    def statistic(self):
        """``F = MSB / MSE``, F(k - 1, n - k) distributed if all classes have one mean."""
        return float(_ratio(self.msb, self.mse))

    @property
    def pvalue(self):
        """``P(F(k - 1, n - k) >= F)``."""
        return float(fdtrc(self.df_between, self.df_within, self.statistic))

    def table(self):
        """The analysis-of-variance table as a data frame, in R's column names."""
        from pandas import DataFrame

        total = self.df_between + self.df_within
        return DataFrame(
            {
                "df": [self.df_between, self.df_within, total],
                "sum_sq": [self.ssb, self.sse, self.sst],
                "mean_sq": [self.msb, self.mse, np.nan],
                "F": [self.statistic, np.nan, np.nan],
                "PR(>F)": [self.pvalue, np.nan, np.nan],
            },
            index=["between", "within", "total"],
        )

    def __str__(self):
        return self.table().to_string(na_rep="", float_format="{:.6f}".format)


def f_oneway(*groups):
    """Analysis of variance of one measurement in k groups, (8.13) to (8.18).

    Short version: chapter 8, `f_statistic`.

    Parameters
    ----------
    *groups : at least two arrays of shape (n_j,), any lengths

    Returns
    -------
    Anova : its ``statistic`` and ``pvalue`` are those of `scipy.stats.f_oneway`

    Raises
    ------
    ValueError
        One group, an empty group, one row in each group, or blanks.

    References
    ----------
    Fisher, Statistical Methods for Research Workers, 1925.

    Examples
    --------
    >>> print(f_oneway([1.70, 1.69, 1.55, 1.80], [1.58, 1.57, 1.77, 1.60]))
             df   sum_sq  mean_sq        F   PR(>F)
    between   1 0.006050 0.006050 0.622642 0.460102
    within    6 0.058300 0.009717
    total     7 0.064350
    """
    columns = [
        check_array(group, ensure_2d=False, dtype=float, input_name=f"group {j}")
        for j, group in enumerate(groups)
    ]
    if any(column.ndim != 1 for column in columns):
        raise ValueError("f_oneway takes one array of shape (n,) for each group; for a table use f_classif.")
    codes = np.repeat(np.arange(len(groups)), [len(column) for column in columns])
    df = _degrees_of_freedom(codes, len(groups))
    ssb, sse = _between_and_within(np.concatenate(columns)[:, None], codes)
    return Anova(float(ssb[0]), float(sse[0]), *df)


def f_classif(X, y):
    """Analysis of variance of every column: ``F = (SSB / (k - 1)) / (SSE / (n - k))``, (8.18).

    A value of its class is subtracted before anything is squared, so that a mean far from 0 costs no
    digits: NIST's hard sets (mean 10¹², spread 0.1) keep the four digits that their storage leaves.

    Short version: chapter 8, `f_statistic`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,), class labels

    Returns
    -------
    statistic, pvalues : arrays of shape (d,); NaN, with a warning, for constant columns

    Raises
    ------
    ValueError
        One class, or no class with more than one row.

    Examples
    --------
    >>> F, p = f_classif([[1.6], [1.7], [1.8], [1.9]], [0, 0, 1, 1])
    >>> F.round(3), p.round(3)
    (array([8.]), array([0.106]))
    """
    X, y = _checked(X, y)
    classes, codes = _classes(y)
    df_between, df_within = _degrees_of_freedom(codes, len(classes))
    ssb, sse = _between_and_within(X, codes)
    constant = np.flatnonzero((ssb == 0) & (sse == 0))
    if len(constant):
        warnings.warn(f"Features {constant} are constant: they have no F. Drop them.", stacklevel=2)
    F = _ratio(ssb / df_between, sse / df_within)
    return F, fdtrc(df_between, df_within, F)


def _ratio(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):  # no spread in the classes: inf; none at all: NaN
        return np.divide(a, b)


def _degrees_of_freedom(codes, k):
    if k < 2:
        raise ValueError("Analysis of variance compares at least two groups.")
    if len(codes) == k:
        raise ValueError(f"Each of the {k} classes has one row: there is no spread to compare with.")
    return k - 1, len(codes) - k


def _between_and_within(X, codes):
    """``SSB = sum_c n_c (mean_c - mean)²`` and ``SSE = sum_i (x_i - mean_c)²`` of every column, (d,)."""
    counts = np.bincount(codes)[:, None]  # (C, 1)
    start, offset, sse = _within(X, codes, counts)
    means = start - start[0] + offset  # (C, d), counted from the first class's start
    grand = (counts * means).sum(axis=0) / len(codes)  # weighted: not the mean of the means
    return (counts * (means - grand) ** 2).sum(axis=0), sse


@faster("filters")
def _within(X, codes, counts):
    """A value start_c of each class, ``mean_c - start_c``, both (C, d), and SSE, (d,).

    Everything is counted from the first row of its class: ``x - start`` is exact where the two are close,
    while the means of numbers like 10¹² + 0.1 are rounded beyond what NIST's certified F allows.
    """
    X = dense(X).astype(float)
    start = X[np.unique(codes, return_index=True)[1]]  # (C, d)
    Z = X - start[codes]
    offset = _class_sums(Z, codes) / counts
    return start, offset, ((Z - offset[codes]) ** 2).sum(axis=0)


# ---------------------------------------------------------------- correlation
def r_regression(X, y, *, center=True, force_finite=True):
    """Correlation of every column with the target, (8.20).

    ``r = sum (x - x̄)(y - ȳ) / sqrt(sum (x - x̄)² sum (y - ȳ)²)``; ``center=False`` takes 0 for the means.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,), numbers
    center : bool
    force_finite : bool
        A constant column or target gets 0; NaN with False.

    Returns
    -------
    r : array of shape (d,), in [-1, 1]

    References
    ----------
    Pearson, Regression, heredity and panmixia, Phil. Trans. A 187, 1896.

    Examples
    --------
    >>> r_regression([[1.0, 4.0], [2.0, 1.0], [3.0, 0.0]], [1.0, 2.0, 3.0]).round(3)
    array([ 1.   , -0.961])
    """
    X, y = _checked(X, y, y_numeric=True)
    t = _centred(y) if center else y.astype(float)
    products, squares = _products_and_squares(X, t, center)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.clip(products / np.sqrt(squares) / np.sqrt(t @ t), -1, 1)
    return np.where(np.isnan(r), 0, r) if force_finite else r


def _centred(x):
    """``x - x̄``, counted from the first value, so that a mean far from 0 costs no digits."""
    z = x.astype(float) - x[0]
    return z - z.mean(axis=0)


@faster("filters")
def _products_and_squares(X, t, center):
    """``sum_i t_i (x_i - x̄)`` and ``sum_i (x_i - x̄)²`` of every column; with center=False 0 is put for x̄."""
    Z = _centred(dense(X)) if center else dense(X).astype(float)
    return t @ Z, (Z**2).sum(axis=0)


def f_regression(X, y, *, center=True, force_finite=True):
    """Test of every column's line: ``F = r² / (1 - r²) · (n - 2)``, F(1, n - 2) distributed, (8.22).

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,), numbers
    center : bool
        False: lines through the origin, n - 1 in place of n - 2.
    force_finite : bool
        A perfect line gets the largest float, a constant column F = 0 and p = 1; inf and NaN with False.

    Returns
    -------
    statistic, pvalues : arrays of shape (d,)

    Raises
    ------
    ValueError
        Fewer than three rows (two without an intercept): nothing is left to judge the line by.

    Examples
    --------
    >>> F, p = f_regression([[-2.0], [-1.0], [0.0], [1.0], [2.0]], [4.0, 1.0, 0.0, 1.0, 4.0])  # y = x²
    >>> F, p
    (array([0.]), array([1.]))
    """
    r = r_regression(X, y, center=center, force_finite=force_finite)
    df = np.size(y) - (2 if center else 1)
    if df < 1:
        raise ValueError(f"n_samples={np.size(y)} leaves no degree of freedom beside the line: add rows.")
    with np.errstate(divide="ignore"):
        F = r**2 / (1 - r**2) * df
    p = fdtrc(1, df, F)
    return (np.minimum(F, np.finfo(float).max), p) if force_finite else (F, p)


def pearson_r(x, y):
    """Correlation of two variables, chapter 8; see `r_regression`.

    Parameters
    ----------
    x, y : arrays of shape (n,), numbers

    Returns
    -------
    r : float in [-1, 1]; NaN if x or y is constant

    Raises
    ------
    ValueError
        Fewer than two rows, variables of unlike length, or blanks.

    Examples
    --------
    >>> round(pearson_r([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    """
    if np.size(x) < 2:
        raise ValueError(f"x has {np.size(x)} value(s): a correlation needs at least two rows.")
    x, y = (_moderate(np.asarray(v, dtype=float)) for v in (x, y))
    return float(r_regression(np.reshape(x, (-1, 1)), y, force_finite=False)[0])


def _moderate(v):
    """v in units in which its squares neither overflow nor vanish: r has no unit."""
    exponent = np.frexp(np.abs(v).max(initial=0))[1]
    return np.ldexp(v, -exponent)
