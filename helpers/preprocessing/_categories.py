"""The values of a column and their positions: what one-hot codes and crossed bins share."""

import numpy as np
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from helpers._fast import faster
from helpers._tags import tagged

__all__ = ["CategoryEncoder", "as_given", "check_output", "distinct", "indicators", "is_blank", "positions"]


@tagged("input_tags", categorical=True, allow_nan=True)
class CategoryEncoder(TransformerMixin, BaseEstimator):
    """Columns of values to columns of positions; a subclass's `_apply` says what becomes of the positions.

    `_learn` sets `categories_`, a list of d arrays in which a blank stands last.
    """

    missing = "column"

    def fit(self, X, y=None):
        """Find the values of every column."""
        return self._learn(self._columns(X, reset=True))

    def transform(self, X):
        """Code the values of X by those of the training rows."""
        check_is_fitted(self)
        return self._apply(self._columns(X, reset=False))

    def _codes(self, columns):
        """Position of every value among its column's categories, -1 where it has none."""
        codes = [positions(column, values) for column, values in zip(columns, self.categories_)]
        for j, (column, code) in enumerate(zip(columns, codes)):
            unknown = code < 0 if self.missing == "column" else (code < 0) & ~is_blank(column)
            if self.handle_unknown == "error" and unknown.any():
                raise ValueError(
                    f"Found unknown categories {_first_few(column[unknown])} in column {j}: fit "
                    "on rows (or `categories`) that have them, or use handle_unknown='ignore'."
                )
        return codes

    def _columns(self, X, reset):
        """The columns as separate arrays: those of a data frame keep their types."""
        if hasattr(X, "iloc") and X.ndim == 2:
            columns = [
                check_array(X.iloc[:, j], ensure_2d=False, dtype=None, ensure_all_finite="allow-nan")
                for j in range(X.shape[1])
            ]
        else:
            given, X = X, check_array(X, dtype=None, ensure_all_finite="allow-nan")
            if X.dtype.kind == "U" and not hasattr(given, "dtype"):  # a list may mix text and numbers
                X = check_array(given, dtype=object, ensure_all_finite="allow-nan")
            columns = list(X.T)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return columns


def check_output(estimator, sparse):
    """Refuse sparse bits where a data frame was asked for."""
    wanted = _get_output_config("transform", estimator=estimator)["dense"]
    if sparse and wanted != "default":
        raise ValueError(
            f"{wanted.capitalize()} output does not support sparse data. Use sparse_output=False"
            " (or encode='onehot-dense'), or set_output(transform='default')."
        )


def indicators(codes, sizes, dtype=float, sparse=False):
    """One 1 for every code: ``Z[i, offset_j + codes[j][i]] = 1``; code -1 leaves all bits 0.

    Parameters
    ----------
    codes : list of d int arrays of shape (n,), column j from -1 to ``sizes[j] - 1``
    sizes : d numbers of bits

    Returns
    -------
    array or CSR matrix of shape (n, sum of sizes)

    Examples
    --------
    >>> indicators([np.array([0, 1, -1]), np.array([2, 0, 1])], [2, 3])
    array([[1., 0., 0., 0., 1.],
           [0., 1., 1., 0., 0.],
           [0., 0., 0., 1., 0.]])
    """
    starts = np.cumsum([0, *sizes])
    places = np.column_stack([start + code for start, code in zip(starts, codes)])  # (n, d)
    marked = np.column_stack([code >= 0 for code in codes])
    if sparse:
        row_starts = np.concatenate([[0], marked.sum(axis=1).cumsum()])
        bits = np.ones(row_starts[-1], dtype), places[marked], row_starts
        return csr_matrix(csr_array(bits, (len(places), starts[-1])))
    Z = np.zeros((len(places), starts[-1]), dtype)
    Z[marked.nonzero()[0], places[marked]] = 1
    return Z


def is_blank(column):
    """Where the column has NaN, None or pd.NA."""
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype != object:
        return np.zeros(len(column), bool)
    import pandas as pd  # knows every kind of blank in a column of objects

    return pd.isna(column)


def distinct(column):
    """The column's values, sorted, each once; NaN last when there are blanks.

    Examples
    --------
    >>> distinct(np.array([2.0, np.nan, 1.0, 2.0]))
    array([ 1.,  2., nan])
    """
    blank = is_blank(column)
    seen = column[~blank]
    values = _sorted_objects(seen) if seen.dtype == object else sorted_numbers(seen)
    return np.append(values, np.nan) if blank.any() else values


@faster("categories")
def sorted_numbers(values):
    """Each once (or texts)."""
    return np.unique(values)


def _sorted_objects(values):
    try:
        return np.array(sorted(set(values)), dtype=object)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in values})
        raise TypeError(
            "The encoder's argument must be uniformly strings or numbers in every column. Got "
            f"{kinds} in one: turn them into one type."
        ) from None


def as_given(values, column, j):
    """The categories given for column j, as an array in their order, a blank last."""
    values = np.array(values, dtype=None if column.dtype.kind in "fiub" else object)
    blank = is_blank(values)
    if len(set(values[~blank].tolist())) + min(1, blank.sum()) < len(values):
        raise ValueError(f"In column {j}, the predefined categories contain duplicate elements.")
    return np.append(values[~blank], np.nan) if blank.any() else values


def positions(column, values):
    """Position of every entry among the values, -1 where it is not among them.

    Examples
    --------
    >>> positions(np.array([7, 3, 5]), np.array([3, 7]))
    array([ 1,  0, -1])
    """
    blank = is_blank(values)
    real = values[~blank]
    if column.dtype.kind in "fiub" and values.dtype.kind in "fiub":
        places = positions_of_numbers(column, real)
    else:
        place = {value: k for k, value in enumerate(real.tolist())}
        places = np.array([place.get(value, -1) for value in column.tolist()])
    if blank.any():
        places[is_blank(column)] = len(real)
    return places


@faster("categories")
def positions_of_numbers(column, values):
    """The same for numbers without blanks among the values."""
    if not len(values):
        return np.full(len(column), -1)
    order = np.argsort(values)
    nearest = order[np.minimum(np.searchsorted(values, column, sorter=order), len(values) - 1)]
    return np.where(values[nearest] == column, nearest, -1)


def _first_few(values):
    different = list(dict.fromkeys(values.tolist()))
    return different[:3] + ["…"] * (len(different) > 3)
