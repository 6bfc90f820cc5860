"""Coding: values as bits. Binarisation and one-hot codes, chapter 5."""

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from helpers._checks import FLOATS, check_array, check_choices, validate_data
from helpers._tags import tagged
from helpers.preprocessing._categories import (
    CategoryEncoder,
    as_given,
    check_output,
    distinct,
    indicators,
    is_blank,
)

__all__ = ["Binarizer", "OneHotEncoder"]


@tagged("input_tags", sparse=True)
@tagged(requires_fit=False)
class Binarizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """1 where a value reaches the threshold, else 0.

    Two conventions differ where x equals the threshold: ``x > ε`` (scikit-learn) and ``x >= ε`` (the
    chapter's).

    Parameters
    ----------
    threshold : float, ε; a hyper-parameter
    inclusive : bool
        False: ``x > ε``. True: ``x >= ε``.

    Raises
    ------
    ValueError
        Sparse input whose zeros would become 1.

    Examples
    --------
    >>> Binarizer(threshold=2.0).fit_transform([[1.0, 2.0, 3.0]])
    array([[0., 0., 1.]])
    >>> Binarizer(threshold=2.0, inclusive=True).fit_transform([[1.0, 2.0, 3.0]])
    array([[0., 1., 1.]])
    """

    def __init__(self, *, threshold=0.0, inclusive=False):
        self.threshold = threshold
        self.inclusive = inclusive

    def fit(self, X, y=None):
        """Check X; there is nothing to learn."""
        validate_data(self, X, dtype=FLOATS, accept_sparse=("csr", "csc"))
        return self

    def transform(self, X):
        """Compare every value with the threshold."""
        X = validate_data(self, X, dtype=FLOATS, accept_sparse=("csr", "csc"), reset=False)
        reaches = np.greater_equal if self.inclusive else np.greater
        if not issparse(X):
            return reaches(X, self.threshold).astype(X.dtype)
        if reaches(0, self.threshold):
            raise ValueError(
                f"threshold={self.threshold} turns every zero of the sparse table into 1: "
                "raise the threshold, or give a dense table."
            )
        X = X.copy()
        X.data = reaches(X.data, self.threshold).astype(X.dtype)
        X.eliminate_zeros()
        return X


class OneHotEncoder(CategoryEncoder):
    """A bit for every value: K values, K bits, exactly one of them 1, chapter 5.

    Three codes are in use, and they do not mix (erratum E39): K bits; K - 1 bits, where all zeros mean the
    dropped value (`drop`); K bits, where all zeros mean "missing" (``missing="all_zeros"``). Blanks are
    NaN, None or pd.NA.

    Parameters
    ----------
    categories : 'auto' or list of d lists
        The values of every column; 'auto': those of the training rows, sorted.
    drop : None, 'first' or 'if_binary'
        None: K bits. 'first': K - 1 bits, all zeros mean the first value: what a linear model with an
        intercept needs, since K bits add up to the intercept's column. 'if_binary': so only for columns of
        two values.
    missing : 'column' or 'all_zeros'
        'column': a blank is one more value, K + 1 bits, in columns where the training rows (or
        the given `categories`) have one. 'all_zeros': a blank sets no bit.
    sparse_output : bool
        A CSR matrix, or a dense array.
    dtype : the bits' number type
    handle_unknown : 'error' or 'ignore'
        A value that the training rows lacked: an error, or no bit set.

    Attributes
    ----------
    categories_ : list of d arrays; NaN, where it is a value, stands last
    drop_idx_ : None, or array of shape (d,) with the dropped position, or None where nothing is dropped

    Raises
    ------
    ValueError
        Unknown values; ``missing="all_zeros"`` together with `drop`; `categories` of another length than X
        or with a value twice.
    TypeError
        Text and numbers in one column: they have no order.

    Examples
    --------
    >>> encoder = OneHotEncoder(sparse_output=False).fit([["red"], ["blue"], ["red"]])
    >>> encoder.transform([["red"], ["blue"]])
    array([[0., 1.],
           [1., 0.]])
    >>> encoder.get_feature_names_out()
    array(['x0_blue', 'x0_red'], dtype=object)
    >>> OneHotEncoder(sparse_output=False, missing="all_zeros").fit_transform([[3.0], [1.0], [np.nan]])
    array([[0., 1.],
           [1., 0.],
           [0., 0.]])
    """

    def __init__(
        self,
        *,
        categories="auto",
        drop=None,
        missing="column",
        sparse_output=True,
        dtype=np.float64,
        handle_unknown="error",
    ):
        self.categories = categories
        self.drop = drop
        self.missing = missing
        self.sparse_output = sparse_output
        self.dtype = dtype
        self.handle_unknown = handle_unknown

    def inverse_transform(self, Z):
        """Back to the values. No bit set: the dropped value; else NaN (``missing="all_zeros"``) or None."""
        check_is_fitted(self)
        Z = check_array(Z, accept_sparse="csr")
        starts = np.cumsum([0, *self._sizes()])
        if Z.shape[1] != starts[-1]:
            raise ValueError(
                f"Shape of the passed X data is not correct. Expected {starts[-1]} columns, got {Z.shape[1]}."
            )
        columns = [self._decoded(j, Z[:, a:b]) for j, (a, b) in enumerate(zip(starts, starts[1:]))]
        X = np.empty((Z.shape[0], len(columns)), np.result_type(*columns))
        for j, column in enumerate(columns):
            X[:, j] = column
        return X

    def get_feature_names_out(self, input_features=None):
        """``feature_value`` for every bit."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        bits = [f"{name}_{value}" for j, name in enumerate(names) for value in self._kept(j)]
        return np.array(bits, dtype=object)

    def _learn(self, columns):
        self._check_options(len(columns))
        given = columns if isinstance(self.categories, str) else self.categories
        self.categories_ = [
            distinct(column) if values is column else as_given(values, column, j)
            for j, (column, values) in enumerate(zip(columns, given))
        ]
        if self.missing == "all_zeros":
            self.categories_ = [values[~is_blank(values)] for values in self.categories_]
        dropped = [0 if self.drop == "first" or len(values) == 2 else None for values in self.categories_]
        self.drop_idx_ = None if self.drop is None else np.array(dropped, dtype=object)
        if given is not columns and self.handle_unknown == "error":
            self._codes(columns)
        return self

    def _check_options(self, d):
        check_choices(
            self,
            drop=(None, "first", "if_binary"),
            missing=("column", "all_zeros"),
            handle_unknown=("error", "ignore"),
        )
        if self.missing == "all_zeros" and self.drop is not None:
            raise ValueError(
                f"missing='all_zeros' with drop={self.drop!r}: all zeros would mean 'missing' "
                "and also the dropped value. Use missing='column', or drop=None."
            )
        if not isinstance(self.categories, str) and len(self.categories) != d:
            raise ValueError(f"Shape mismatch: categories has {len(self.categories)} lists for {d} columns.")

    def _apply(self, columns):
        check_output(self, self.sparse_output)
        codes = self._codes(columns)
        for code, dropped in zip(codes, [None] * len(codes) if self.drop is None else self.drop_idx_):
            if self.drop is not None and (code < 0).any():
                warnings.warn(
                    f"Found unknown categories: with drop={self.drop!r} their zeros cannot be told "
                    "from the dropped value.",
                    UserWarning,
                    stacklevel=4,
                )
            if dropped is not None:
                code -= code >= 0  # the first value loses its bit: 0 becomes -1
        return indicators(codes, self._sizes(), self.dtype, self.sparse_output)

    def _sizes(self):
        return [len(self._kept(j)) for j in range(len(self.categories_))]

    def _kept(self, j):
        values, dropped = self.categories_[j], None if self.drop_idx_ is None else self.drop_idx_[j]
        return values if dropped is None else np.delete(values, dropped)

    def _decoded(self, j, bits):
        """One column from its bits: position k means value k, one position more what no bit at all means."""
        kept, none_set = self._kept(j), np.asarray(bits.sum(axis=1)).ravel() == 0
        if not none_set.any():
            return kept[np.asarray(bits.argmax(axis=1)).ravel()]
        zeros_mean = self._meaning_of_zeros(j, none_set)
        if kept.dtype.kind not in "fiu" or zeros_mean is None:
            kept = kept.astype(object)
        position = np.asarray(bits.argmax(axis=1)).ravel() if len(kept) else 0
        return np.append(kept, zeros_mean)[np.where(none_set, len(kept), position)]

    def _meaning_of_zeros(self, j, none_set):
        if self.drop_idx_ is not None and self.drop_idx_[j] is not None:
            return self.categories_[j][self.drop_idx_[j]]
        if self.missing == "all_zeros":
            return np.nan
        if self.handle_unknown == "ignore":
            return None
        raise ValueError(
            f"Samples {np.flatnonzero(none_set)} can not be inverted: no bit of column {j} is "
            "set, and all zeros are no code with drop=None and handle_unknown='error'."
        )
