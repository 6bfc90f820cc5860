"""One number for every blank of a column: mean, median, mode, constant, mean of the class, chapter 5."""

from collections import Counter

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from helpers._checks import FLOATS, validate_data
from helpers._tags import tagged

__all__ = ["Imputer", "SimpleImputer"]

STRATEGIES = ("mean", "median", "most_frequent", "constant", "class_mean")


@tagged("input_tags", allow_nan=True)
class Imputer(TransformerMixin, BaseEstimator):
    """What the imputers share: blanks are NaN; columns of their own may tell where they stood.

    The indicator says what the filled number cannot: this value is a guess.
    """

    def get_feature_names_out(self, input_features=None):
        """The columns' names, then ``missingindicator_…`` for those that had blanks in the training rows."""
        check_is_fitted(self)
        names = np.asarray(_check_feature_names_in(self, input_features), dtype=object)
        marks = [f"missingindicator_{name}" for name in names[self.indicator_features_]]
        return np.append(names, np.array(marks, dtype=object))

    def _look_over(self, blank, may_be_empty=False):
        """Remember which columns get an indicator, and refuse those without any observed value."""
        blanks = np.asarray(blank.sum(axis=0)).ravel()  # in every column
        self.indicator_features_ = np.flatnonzero(blanks > 0) if self.add_indicator else np.array([], int)
        empty = np.flatnonzero(blanks == blank.shape[0])
        if len(empty) and not may_be_empty:
            names = getattr(self, "feature_names_in_", range(blank.shape[1]))
            raise ValueError(
                f"No value is observed in the columns {[names[j] for j in empty]}: drop them, "
                "or fill them with a constant first."
            )

    def _with_indicator(self, Z, blank):
        return np.hstack([Z, blank[:, self.indicator_features_]]) if self.add_indicator else Z


class SimpleImputer(Imputer):
    """The same number for every blank of a column, chapter 5.

    Cheap, and not free: filling with the mean multiplies the variance by exactly ``(n_o - 1)/(n - 1)``, n_o
    of n values observed, and pulls correlations towards 0 (erratum E31). To draw conclusions use
    `MultipleImputer`.

    **Class means use the answer** (erratum E32): the filler of a training row then contains its label. A
    new row has no label, so it cannot be filled the same way, and a test on the filled table finds effects
    that are not there. This class therefore asks for y whenever it fills, ``transform(X, y)``, and refuses
    without: a Pipeline with ``strategy="class_mean"`` fits, but cannot predict. Use it to describe labelled
    data, not in front of a classifier.

    Parameters
    ----------
    strategy : 'mean', 'median', 'most_frequent', 'constant' or 'class_mean'
        Of equally frequent values the smallest. Only 'most_frequent' and 'constant' take text. A class
        without an observed value in a column gets the column's mean.
    fill_value : number or text
        For 'constant'; None: 0, or "missing_value" in a table of text.
    add_indicator : bool
        Append a 0/1 column for each column that had blanks in the training rows.

    Attributes
    ----------
    statistics_ : array of shape (d,); 'class_mean': (n_classes, d)
    classes_ : array of shape (n_classes,), only with 'class_mean'
    indicator_features_ : int array, the columns with an indicator

    Raises
    ------
    ValueError
        A column without any observed value (unless 'constant'), text with 'mean' or 'median', 'class_mean'
        without y.

    Notes
    -----
    Blanks are NaN (in tables of text None and pd.NA too); turn codes such as -999 into NaN first. In a
    sparse matrix the entries that are not stored are zeros, not blanks.

    Examples
    --------
    >>> SimpleImputer().fit_transform([[1.0], [np.nan], [5.0]]).ravel()
    array([1., 3., 5.])
    >>> by_class = SimpleImputer(strategy="class_mean")
    >>> by_class.fit_transform([[1.0], [np.nan], [5.0], [7.0]], ["a", "a", "b", "b"]).ravel()
    array([1., 1., 5., 7.])
    """

    def __init__(self, *, strategy="mean", fill_value=None, add_indicator=False):
        self.strategy = strategy
        self.fill_value = fill_value
        self.add_indicator = add_indicator

    def fit(self, X, y=None):
        """Find the number for every column (and class)."""
        X = self._checked(X, reset=True)
        return self._learn(X, _blank(X), y)

    def fit_transform(self, X, y=None):
        """``fit(X, y).transform(X, y)``, with X checked once."""
        X = self._checked(X, reset=True)
        blank = _blank(X)
        return self._learn(X, blank, y)._apply(X, blank, y)

    def transform(self, X, y=None):
        """Fill the blanks; 'class_mean' needs the rows' labels."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return self._apply(X, _blank(X), y)

    def _checked(self, X, reset):
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy={self.strategy!r}: use one of {', '.join(map(repr, STRATEGIES))}.")
        options = dict(
            reset=reset,
            ensure_all_finite="allow-nan",
            accept_sparse=False if self.strategy == "class_mean" else "csc",
        )
        try:
            checked = validate_data(
                self, X, dtype=None if self.strategy in ("most_frequent", "constant") else FLOATS, **options
            )
        except ValueError as error:
            if "could not convert" not in str(error):
                raise
            raise ValueError(
                f"Cannot use {self.strategy} strategy with non-numeric data ({error}): use "
                "'most_frequent' or 'constant', or encode the column first."
            ) from None
        return validate_data(self, X, dtype=object, **options) if checked.dtype.kind == "U" else checked

    def _learn(self, X, blank, y):
        self._look_over(blank, may_be_empty=self.strategy == "constant")
        if self.strategy == "class_mean":
            self.classes_, codes = np.unique(self._labels(X, y), return_inverse=True)
            self.statistics_ = _group_means(X, blank, codes, len(self.classes_)).astype(X.dtype)
        elif self.strategy == "mean" and not sp.issparse(X):
            self.statistics_ = _group_means(X, blank)[0].astype(X.dtype)
        else:
            self.statistics_ = self._of_each_column(X)
        return self

    def _of_each_column(self, X):
        if self.strategy == "constant":
            return np.full(X.shape[1], self._constant(X.dtype))
        statistic = {"mean": np.mean, "median": np.median, "most_frequent": _mode}[self.strategy]
        columns = (X[:, [j]].toarray().ravel() for j in range(X.shape[1])) if sp.issparse(X) else X.T
        return np.array([statistic(column[~_blank(column)]) for column in columns], dtype=X.dtype)

    def _constant(self, dtype):
        if self.fill_value is None:
            return "missing_value" if dtype.kind == "O" else dtype.type(0)
        if not np.can_cast(type(self.fill_value), dtype, casting="same_kind"):
            raise ValueError(f"fill_value={self.fill_value!r} cannot be cast to the type of X, {dtype!r}.")
        return np.array(self.fill_value, dtype=dtype)[()]

    def _labels(self, X, y):
        if y is None:
            raise ValueError(
                "strategy='class_mean' fills with the mean of the row's class, so requires y. "
                "A new row has no label: for prediction use 'mean' (erratum E32)."
            )
        check_consistent_length(X, y)
        return column_or_1d(y)

    def _apply(self, X, blank, y):
        if sp.issparse(X):
            return self._apply_sparse(X, blank)
        Z, at = X.copy(), np.flatnonzero(blank)
        row, column = np.divmod(at, X.shape[1])
        group = self._codes(self._labels(X, y))[row] if self.strategy == "class_mean" else 0
        Z.ravel()[at] = np.atleast_2d(self.statistics_)[group, column]
        return self._with_indicator(Z, blank)

    def _codes(self, y):
        codes = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        unknown = self.classes_[codes] != y
        if unknown.any():
            raise ValueError(f"y has the labels {np.unique(y[unknown])}, which the training rows lacked.")
        return codes

    def _apply_sparse(self, X, blank):
        X, column = X.copy(), np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
        X.data[blank.data] = self.statistics_[column[blank.data]]
        if not self.add_indicator:
            return X
        marks = blank[:, self.indicator_features_]
        marks.eliminate_zeros()
        return sp.hstack([X, marks], format="csc")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.strategy != "class_mean"
        tags.input_tags.string = self.strategy == "constant"
        tags.target_tags.required = self.strategy == "class_mean"
        return tags


def _blank(X):
    """Where the table (or column) has no value."""
    if sp.issparse(X):
        return type(X)((np.isnan(X.data), X.indices, X.indptr), X.shape)  # True for a stored blank
    if X.dtype == object:
        import pandas as pd  # knows every kind of blank among objects

        return pd.isna(X)
    return np.isnan(X) if X.dtype.kind == "f" else np.zeros(X.shape, bool)


def _group_means(X, blank, codes=None, C=1):
    """Mean of the observed values of every group and column, (C, d); the column's where a group has none."""
    codes, d = np.zeros(len(X), int) if codes is None else codes, X.shape[1]
    seen, at = np.array(X, float, order="C"), np.flatnonzero(blank)
    seen.ravel()[at] = 0
    total = (np.arange(C)[:, None] == codes).astype(float) @ seen  # (C, n) (n, d)
    blanks = np.bincount(codes[at // d] * d + at % d, minlength=C * d).reshape(C, d)
    count = np.bincount(codes, minlength=C)[:, None] - blanks
    overall = np.tile(total.sum(axis=0) / count.sum(axis=0), (C, 1))
    return np.divide(total, count, out=overall, where=count > 0)


def _mode(values):
    """The most frequent value; of equally frequent ones the smallest."""
    if values.dtype != object:
        different, counts = np.unique(values, return_counts=True)
        return different[counts.argmax()]
    try:
        counts = Counter(values)
    except TypeError:
        raise TypeError("The imputer's argument must be a table of strings or numbers or blanks.") from None
    most = max(counts.values())
    return min((value for value in counts if counts[value] == most), key=lambda v: (str(type(v)), v))
