"""Scaling: columns to a range or to mean 0 and deviation 1, rows to length 1, chapter 5."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from helpers._checks import FLOATS, check_array, validate_data
from helpers._fast import faster
from helpers._rows import by_rows
from helpers._tags import tagged

__all__ = ["MinMaxScaler", "Normalizer", "StandardScaler"]

EPS = np.finfo(float).eps


class _ColumnScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """What both column scalers share: learn from the training rows, apply to any rows."""

    def transform(self, X):
        """Scale X by what was learnt from the training rows; they alone decide."""
        check_is_fitted(self)
        return self._apply(self._checked(X, reset=False))

    def inverse_transform(self, X):
        """Undo the scaling."""
        check_is_fitted(self)
        X = check_array(X, dtype=FLOATS, ensure_all_finite="allow-nan", accept_sparse=self._sparse())
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} columns; the scaler was fitted on {self.n_features_in_}.")
        return self._undo(X)

    def _checked(self, X, reset):
        return validate_data(
            self, X, reset=reset, dtype=FLOATS, ensure_all_finite="allow-nan", accept_sparse=self._sparse()
        )

    def _sparse(self):
        return False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = bool(self._sparse())
        return tags


class MinMaxScaler(_ColumnScaler):
    """Every column onto [p, q]: ``v' = (v - min) / (max - min) · (q - p) + p``, (5.14).

    Both ends are attained on the training rows (erratum E26); new rows may fall outside. A column whose
    range is 0 (below 10 eps, as in scikit-learn: rounding) goes to p. Blanks (NaN) are left out of min and
    max, and stay blank.

    Parameters
    ----------
    feature_range : (p, q) with p < q
    clip : bool
        Move values of new rows that fall outside to the nearer end.

    Attributes
    ----------
    data_min_, data_max_, data_range_ : arrays of shape (d,)
    scale_, min_ : arrays of shape (d,)
        The same map as a line, ``v' = v · scale_ + min_``.
    n_samples_seen_ : int

    Raises
    ------
    ValueError
        p >= q.

    See Also
    --------
    StandardScaler : when the ends are unknown or are outliers.

    Examples
    --------
    >>> MinMaxScaler((2, 5)).fit_transform([[10.0], [18.0], [14.0]]).ravel()
    array([2. , 5. , 3.5])
    """

    def __init__(self, feature_range=(0, 1), *, clip=False):
        self.feature_range = feature_range
        self.clip = clip

    def fit(self, X, y=None):
        """Find the smallest and the largest value of every column."""
        X = self._checked(X, reset=True)
        p, q = self.feature_range
        if p >= q:
            raise ValueError(f"feature_range={self.feature_range}: give (p, q) with p < q.")
        self.data_min_, self.data_max_ = extreme(X, np.fmin), extreme(X, np.fmax)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (q - p) / self._range()
        self.min_ = p - self.data_min_ * self.scale_
        self.n_samples_seen_ = len(X)
        return self

    def _range(self):
        return np.where(self.data_range_ < 10 * np.finfo(self.data_range_.dtype).eps, 1, self.data_range_)

    def _apply(self, X):
        p, q = self.feature_range
        low, width = self._low_and_width(X.dtype)
        Z = by_rows(lambda A: (A - low) / width * (q - p) + p, X)  # (5.14): the largest meets 1, exactly
        return np.clip(Z, p, q, out=Z) if self.clip else Z

    def _undo(self, X):
        p, q = self.feature_range
        low, width = self._low_and_width(X.dtype)
        return by_rows(lambda A: (A - p) / (q - p) * width + low, X)

    def _low_and_width(self, dtype):
        return self.data_min_.astype(dtype), self._range().astype(dtype)


@faster("scale")
def extreme(X, better):
    """Smallest (`np.fmin`) or largest (`np.fmax`) value of every column, blanks left out."""
    return better.reduce(X)


@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
class StandardScaler(_ColumnScaler):
    """Every column to mean 0 and deviation 1: ``z = (v - μ) / σ``, (5.14).

    σ is the standard deviation, ``σ² = sum_i w_i (v_i - μ)² / sum_i w_i`` (the divisor is n, not n - 1),
    not the variance: dividing by σ² leaves deviation 1/σ (erratum E27). A constant column is centred and
    not divided. Blanks (NaN) are left out of the sums, and stay blank.

    Parameters
    ----------
    with_mean : bool
        Subtract μ. Sparse input needs False: subtracting would fill every zero.
    with_std : bool
        Divide by σ.

    Attributes
    ----------
    mean_, var_ : arrays of shape (d,)
    scale_ : array of shape (d,), or None without `with_std`
        σ; 1 for a constant column.
    n_samples_seen_ : int, or array of shape (d,) where blanks make it differ; with weights their sum

    Raises
    ------
    ValueError
        Sparse input with ``with_mean=True``; weights that are negative or sum to 0.

    References
    ----------
    Chan, Golub and LeVeque, Algorithms for computing the sample variance, The American Statistician 37, 1983.

    Examples
    --------
    >>> StandardScaler().fit_transform([[1.0, 5.0], [3.0, 5.0]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """

    def __init__(self, *, with_mean=True, with_std=True):
        self.with_mean = with_mean
        self.with_std = with_std

    def fit(self, X, y=None, sample_weight=None):
        """Find mean and variance of every column; a row of weight 2 counts like two rows."""
        X = self._checked(X, reset=True)
        weights = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        seen, self.mean_, self.var_ = (_sparse_moments if issparse(X) else moments)(X, weights)
        seen = seen if sample_weight is not None else seen.astype(int)
        self.n_samples_seen_ = seen[0] if (seen == seen[0]).all() else seen
        rounding = seen * EPS * self.var_ + (seen * self.mean_ * EPS) ** 2  # of var_
        constant = self.var_ <= rounding
        self.scale_ = np.where(constant, 1, np.sqrt(self.var_)) if self.with_std else None
        return self

    def _mean_and_scale(self, dtype):
        mean = self.mean_ if self.with_mean else np.zeros_like(self.mean_)
        scale = self.scale_ if self.with_std else np.ones_like(self.mean_)
        return mean.astype(dtype), scale.astype(dtype)

    def _apply(self, X):
        mean, scale = self._mean_and_scale(X.dtype)
        return _columns_times(X, 1 / scale) if issparse(X) else by_rows(lambda A: (A - mean) / scale, X)

    def _undo(self, X):
        mean, scale = self._mean_and_scale(X.dtype)
        return _columns_times(X, scale) if issparse(X) else by_rows(lambda A: A * scale + mean, X)

    def _sparse(self):
        return False if self.with_mean else ("csr",)

    def _checked(self, X, reset):
        if issparse(X) and self.with_mean:
            raise ValueError(
                "Cannot center sparse matrices: every zero would become -mean. Pass "
                "with_mean=False, or a dense table."
            )
        return super()._checked(X, reset)


@faster("scale")
def moments(X, weights):
    """Weight, mean and variance of every column.

    All is measured from a first estimate of the mean, whose rounding a second look corrects: far from 0 it
    counts.
    """
    origin = deviations(X, weights)[1]
    w, m, Q = deviations(X - origin, weights)
    return w, np.where(w > 0, origin + m, np.nan), np.divide(Q, w, out=np.full_like(Q, np.nan), where=w > 0)


def deviations(A, weights):
    """Weight, mean and sum of squared deviations of every column; a column of blanks: 0, 0, 0."""
    seen = ~np.isnan(A)
    w = np.where(seen.all(axis=0), weights.sum(), weights @ seen)  # alike to the last digit without blanks
    mean = np.divide(weights @ np.where(seen, A, 0), w, out=np.zeros_like(w), where=w > 0)
    return w, mean, weights @ np.where(seen, A - mean, 0) ** 2


def _sparse_moments(X, weights):
    """The same for a sparse table, whose zeros are counted, not visited."""
    X = X.tocoo()
    w, blank = weights[X.row], np.isnan(X.data)

    def column_sums(values):
        return np.bincount(X.col[~blank], (w * values)[~blank], minlength=X.shape[1])

    seen = weights.sum() - np.bincount(X.col[blank], w[blank], minlength=X.shape[1])
    mean = column_sums(X.data) / seen
    zeros = seen - column_sums(np.ones_like(w))
    return seen, mean, (column_sums((X.data - mean[X.col]) ** 2) + zeros * mean**2) / seen


def _columns_times(X, factors):
    X = X.copy()
    X.data *= factors[X.indices]
    return X


@tagged("input_tags", sparse=True)
@tagged(requires_fit=False)
class Normalizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Every row to length 1: ``x / L_p(x)`` with ``L_p(x) = (sum_j |x_j|**p) ** (1/p)``, (5.17).

    Rows, not columns: nothing is learnt from other rows. With p = 2 the inner product of two rows is their
    cosine. The zero row has no direction; it stays as it is (erratum E40).

    Parameters
    ----------
    norm : 'l1', 'l2', 'max' or a number p >= 1 (``np.inf`` is 'max')

    Raises
    ------
    ValueError
        Another name, or p < 1 (no norm: the triangle inequality fails).

    Examples
    --------
    >>> Normalizer().fit_transform([[3.0, 4.0]])
    array([[0.6, 0.8]])
    >>> Normalizer(norm=3).fit_transform([[1.0, 0.0], [0.0, -9.0]])
    array([[ 1.,  0.],
           [ 0., -1.]])
    """

    def __init__(self, norm="l2"):
        self.norm = norm

    def fit(self, X, y=None):
        """Check X; there is nothing to learn."""
        self._p()
        validate_data(self, X, dtype=FLOATS, accept_sparse="csr")
        return self

    def transform(self, X):
        """Divide every row by its length."""
        X, p = validate_data(self, X, dtype=FLOATS, accept_sparse="csr", reset=False), self._p()
        if issparse(X):
            return _sparse_rows_to_length_one(X, p)
        return by_rows(lambda A: A / _or_one(_lengths(A, p))[:, None], X)

    def _p(self):
        p = {"l1": 1, "l2": 2, "max": np.inf}.get(self.norm, self.norm)
        if isinstance(p, str) or not p >= 1:
            raise ValueError(f"norm={self.norm!r}: use 'l1', 'l2', 'max' or a number p >= 1.")
        return p


def _or_one(values):
    return np.where(values == 0, 1, values)


def _lengths(A, p):
    """L_p of every row; other powers than 1 and 2 of numbers at most 1 only, so that none overflows."""
    if p == 2:
        return np.sqrt(np.einsum("ij,ij->i", A, A))
    A = np.abs(A)
    if p == 1:
        return A.sum(axis=1)
    largest = A.max(axis=1)
    if np.isinf(p):
        return largest
    return largest * ((A / _or_one(largest)[:, None]) ** p).sum(axis=1) ** (1 / p)


def _sparse_rows_to_length_one(X, p):
    X = X.copy()
    for start, stop in zip(X.indptr, X.indptr[1:]):
        if stop > start:
            X.data[start:stop] /= _or_one(_lengths(X.data[None, start:stop], p))
    return X
