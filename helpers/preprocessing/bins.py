"""Bins: numbers into buckets, and buckets crossed, chapter 5."""

import warnings
from itertools import combinations, product

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight, check_is_fitted

from helpers._checks import FLOATS, check_array, check_choices, validate_data
from helpers.preprocessing._categories import CategoryEncoder, check_output, distinct, indicators

__all__ = ["FeatureCross", "KBinsDiscretizer", "bucket"]

CODES = ("onehot", "onehot-dense", "ordinal")


def bucket(a, boundaries):
    """How many boundaries each number has reached, ``sum_k [b_k <= a]``, (5.11).

    M boundaries make M + 1 buckets (erratum E36): 0 if a < b_1, k if b_k <= a < b_{k+1}, M if a >= b_M. A
    number on a boundary belongs to the bucket above.

    Parameters
    ----------
    a : array of numbers
    boundaries : array of shape (M,), ascending

    Returns
    -------
    positions : int array of the shape of a, 0 to M

    Raises
    ------
    ValueError
        NaN among the numbers, or boundaries that do not ascend.

    Examples
    --------
    >>> bucket([0.5, 1.3, 5.25, 26, 300], [1.3, 5.2, 26, 260])
    array([0, 1, 2, 3, 4])
    """
    a, boundaries = np.asarray(a), np.asarray(boundaries)
    if np.isnan(a).any():
        raise ValueError("a has blanks (NaN), which lie in no bucket: fill them first.")
    if not (boundaries[1:] >= boundaries[:-1]).all():
        raise ValueError("The boundaries must ascend: sort them, and drop NaN.")
    return np.searchsorted(boundaries, a, side="right")


class KBinsDiscretizer(TransformerMixin, BaseEstimator):
    """Numbers into buckets, as positions or as bits, chapter 5.

    Every column has boundaries b_1 < … < b_M and so M + 1 buckets; see `bucket`. The buckets at both ends
    are open: they take new values beyond the training rows'.

    Parameters
    ----------
    n_bins : int or d ints, at least 2
        Number of buckets, M + 1.
    encode : 'onehot', 'onehot-dense' or 'ordinal'
        A CSR matrix of bits, a dense array of bits, or positions 0 … M as floats.
    strategy : 'uniform' or 'quantile'
        Buckets of equal width, or of (nearly) equal count.
    quantile_method : one of `numpy.quantile`'s methods
        The default's edges are found in whole numbers, so that counts without ties differ by at most 1;
        scikit-learn's go through floats, and may put the edge one value beside (60 rows, 3 bins).
    edges : increasing numbers, or d lists of them
        The boundaries b_1 … b_M themselves, the same for every column or a list for each. `n_bins` and
        `strategy` then have no say.

    Attributes
    ----------
    bin_edges_ : object array of d arrays of M + 2 numbers: smallest value, b_1 … b_M, largest value
    n_bins_ : int array of shape (d,), M + 1

    Raises
    ------
    ValueError
        Fewer than 2 bins, edges that do not increase, weights with a `quantile_method` that has no weighted
        form.

    Warns
    -----
    UserWarning
        A constant column (one bucket), or quantiles that fall together (fewer buckets). "Together" is
        closer than 1e-8 of the column's range; scikit-learn's 1e-8 is absolute, so it changes with the
        unit.

    Examples
    --------
    >>> income = KBinsDiscretizer(edges=[1.3, 5.2, 26, 260], encode="ordinal")
    >>> income.fit_transform([[0.5], [1.3], [5.25], [26.0], [300.0]]).ravel()
    array([0., 1., 2., 3., 4.])
    >>> income.inverse_transform([[1.0]])
    array([[3.25]])
    """

    def __init__(
        self,
        n_bins=5,
        *,
        encode="onehot",
        strategy="quantile",
        quantile_method="averaged_inverted_cdf",
        edges=None,
    ):
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.quantile_method = quantile_method
        self.edges = edges

    def fit(self, X, y=None, sample_weight=None):
        """Find the boundaries of every column; a row of weight 2 counts like two, of weight 0 not at all."""
        X = validate_data(self, X, dtype=FLOATS)
        check_choices(self, encode=CODES, strategy=("uniform", "quantile"))
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            X, sample_weight = X[sample_weight > 0], sample_weight[sample_weight > 0]
        find = self._edges_from(X.shape[1], sample_weight)
        self.bin_edges_ = np.empty(X.shape[1], dtype=object)
        for j in range(X.shape[1]):
            self.bin_edges_[j] = find(X[:, j], j)
        self.n_bins_ = np.array([len(edges) - 1 for edges in self.bin_edges_])
        return self

    def transform(self, X):
        """Bucket of every value."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        check_output(self, self.encode == "onehot")
        columns = (np.ascontiguousarray(column) for column in X.T)
        codes = [bucket(column, edges[1:-1]) for column, edges in zip(columns, self.bin_edges_)]
        if self.encode != "ordinal":
            return indicators(codes, self.n_bins_, X.dtype, self.encode == "onehot")
        return np.column_stack(codes).astype(X.dtype)

    def inverse_transform(self, Z):
        """Centre of every bucket: the order inside a bucket is lost (erratum E34)."""
        check_is_fitted(self)
        Z = check_array(Z, dtype=FLOATS, accept_sparse="csr")
        width = self.n_features_in_ if self.encode == "ordinal" else self.n_bins_.sum()
        if Z.shape[1] != width:
            raise ValueError(f"Incorrect number of features. Expecting {width}, received {Z.shape[1]}.")
        codes = Z.T.astype(int) if self.encode == "ordinal" else _which_bit(Z, self.n_bins_)
        centres = [(edges[:-1] + edges[1:]) / 2 for edges in self.bin_edges_]
        return np.column_stack([centre[code] for centre, code in zip(centres, codes)]).astype(Z.dtype)

    def get_feature_names_out(self, input_features=None):
        """The columns' names; for bits ``feature_position``."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        if self.encode == "ordinal":
            return names
        bits = [f"{name}_{k:.1f}" for name, size in zip(names, self.n_bins_) for k in range(size)]
        return np.array(bits, dtype=object)

    def _edges_from(self, d, weights):
        """The function (column, j) -> edges that the parameters ask for."""
        if self.edges is not None:
            given = _given_boundaries(self.edges, d)
            return lambda column, j: np.array([
                min(column.min(), given[j][0]),
                *given[j],
                max(column.max(), given[j][-1]),
            ])
        n_bins = self._n_bins(d)
        if self.strategy == "uniform":
            return lambda column, j: _uniform(column, n_bins[j], j)
        return lambda column, j: _quantiles(column, n_bins[j], j, self.quantile_method, weights)

    def _n_bins(self, d):
        n_bins = np.full(d, self.n_bins) if np.ndim(self.n_bins) == 0 else np.asarray(self.n_bins)
        if n_bins.shape != (d,):
            raise ValueError(f"n_bins must be a scalar or array of shape (n_features,), here ({d},).")
        if (n_bins != n_bins.astype(int)).any() or n_bins.min() < 2:
            raise ValueError(f"n_bins={self.n_bins}: invalid number of bins; take whole numbers, at least 2.")
        return n_bins.astype(int)


def _given_boundaries(edges, d):
    """d float arrays of strictly increasing boundaries."""
    one_for_all = all(np.ndim(b) == 0 for b in edges)
    lists = [np.asarray(edges, float)] * d if one_for_all else [np.asarray(b, float) for b in edges]
    if len(lists) != d:
        raise ValueError(f"edges has {len(lists)} lists, but X has {d} columns.")
    for j, b in enumerate(lists):
        if len(b) == 0 or not np.isfinite(b).all() or (np.diff(b) <= 0).any():
            raise ValueError(f"edges of column {j} are {b}: give numbers, each larger than the one before.")
    return lists


def _is_constant(low, high, j):
    if low == high:
        warnings.warn(f"Feature {j} is constant and will be replaced with 0.", UserWarning, stacklevel=2)
    return low == high


def _uniform(column, n_bins, j):
    low, high = column.min(), column.max()
    return np.array([low, high]) if _is_constant(low, high, j) else np.linspace(low, high, n_bins + 1)


def _quantiles(column, n_bins, j, method, weights):
    if weights is not None:
        edges = _weighted_quantiles(column, n_bins, method, weights)
    elif method == "averaged_inverted_cdf":
        edges = _equal_counts(column, n_bins)
    else:
        edges = np.quantile(column, np.arange(n_bins + 1) / n_bins, method=method)
    if _is_constant(edges[0], edges[-1], j):
        return edges[[0, -1]]
    apart = np.append(True, np.diff(edges) > 1e-8 * (edges[-1] - edges[0]))
    if not apart.all():
        warnings.warn(
            f"Bins whose width are too small in feature {j} are removed: quantiles fall together. "
            "Consider decreasing the number of bins.",
            UserWarning,
            stacklevel=2,
        )
    return edges[apart].astype(float)


def _equal_counts(column, n_bins):
    """Edges after n/K, 2n/K, … of the n values in order: half way to the next one where that is a whole
    number.

    In whole numbers, so that counts differ by at most 1: in floats 9 · (1/9 + 1/9 + …) may miss a number.
    """
    k, n = np.arange(n_bins + 1), len(column)
    last, following = np.maximum(-(-k * n // n_bins) - 1, 0), np.minimum(k * n // n_bins, n - 1)
    values = np.partition(column, np.r_[last, following]).astype(float)
    return (values[last] + values[following]) / 2


def _weighted_quantiles(column, n_bins, method, weights):
    """The same by weight: the smallest value with the share k/K of the weight at or below it.

    'averaged': where that share is k/K exactly, half way to the next value.
    """
    if method not in ("inverted_cdf", "averaged_inverted_cdf"):
        raise ValueError(
            f"quantile_method={method!r} has no weighted form: with sample_weight use "
            "'averaged_inverted_cdf' or 'inverted_cdf'."
        )
    order = np.argsort(column)
    below = weights[order].cumsum()  # weight up to here
    wanted, rounding = below[-1] * np.arange(n_bins + 1) / n_bins, 1e-12 * below[-1]
    values = column[order].astype(float)
    last = values[np.searchsorted(below, wanted - rounding)]
    if method == "inverted_cdf":
        return last
    following = np.searchsorted(below, wanted + rounding, side="right")
    return (last + values[np.minimum(following, len(values) - 1)]) / 2


def _which_bit(Z, sizes):
    """Position of the 1 among the bits of every column."""
    ends = np.cumsum(sizes)
    Z = Z.toarray() if issparse(Z) else Z
    return [Z[:, end - size : end].argmax(axis=1) for end, size in zip(ends, sizes)]


class FeatureCross(CategoryEncoder):
    """Binned features crossed: one value for every combination, chapter 5.

    Two features with N and M values have N + M bits when coded apart and N · M when crossed; a linear model
    of the crossed bits has a free height for every cell of the table, so it also fits what the parts decide
    only together. The bit of the cell (i, k) is the product of the parts' bits, ``e_ik = e_i · e_k``; its
    position is ``i·M + k``.

    Parameters
    ----------
    groups : None or list of tuples
        Which columns to cross, by number or name, e.g. ``[(0, 1), (0, 2, 3)]``; None: every pair.
    encode : 'onehot', 'onehot-dense' or 'ordinal'
        A CSR matrix of bits, a dense array of bits, or positions as floats.
    handle_unknown : 'error' or 'ignore'
        A value that the training rows lacked: an error, or no bit (position -1) in every cross with it.

    Attributes
    ----------
    categories_ : list of d arrays, the values of every column
    groups_ : list of tuples of column numbers
    n_cells_ : list of int, product of the group's numbers of values

    Raises
    ------
    ValueError
        Fewer than two columns, a group with an unknown column.

    Examples
    --------
    >>> cross = FeatureCross().fit([["a", 0], ["b", 1], ["a", 2]])
    >>> cross.transform([["b", 1]])
    array([[0., 0., 0., 0., 1., 0.]])
    >>> cross.get_feature_names_out()[4]
    'x0_b*x1_1'
    """

    def __init__(self, *, groups=None, encode="onehot-dense", handle_unknown="error"):
        self.groups = groups
        self.encode = encode
        self.handle_unknown = handle_unknown

    def get_feature_names_out(self, input_features=None):
        """``a_i*b_k`` for the cell (i, k) of the columns a and b; 'ordinal': ``a*b``."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        if self.encode == "ordinal":
            return np.array(["*".join(names[j] for j in group) for group in self.groups_], dtype=object)
        bits = [[f"{name}_{value}" for value in values] for name, values in zip(names, self.categories_)]
        cells = (cell for group in self.groups_ for cell in product(*(bits[j] for j in group)))
        return np.array(["*".join(cell) for cell in cells], dtype=object)

    def _learn(self, columns):
        if self.encode not in CODES or self.handle_unknown not in ("error", "ignore"):
            raise ValueError(
                f"encode={self.encode!r}, handle_unknown={self.handle_unknown!r}: use one of "
                f"{CODES}, and 'error' or 'ignore'."
            )
        self.categories_ = [distinct(column) for column in columns]
        self.groups_ = self._column_numbers(len(columns))
        self.n_cells_ = [int(np.prod(self._sizes(group))) for group in self.groups_]
        return self

    def _column_numbers(self, d):
        if d < 2:
            raise ValueError(f"X has {d} feature(s): crossing needs at least two columns.")
        if self.groups is None:
            return list(combinations(range(d), 2))
        number = {j: j for j in range(d)}
        number |= {name: j for j, name in enumerate(getattr(self, "feature_names_in_", ()))}
        unknown = [column for group in self.groups for column in group if column not in number]
        if unknown:
            raise ValueError(f"groups names the columns {unknown}, which X lacks; it has {list(number)}.")
        return [tuple(number[column] for column in group) for group in self.groups]

    def _sizes(self, group):
        return [len(self.categories_[j]) for j in group]

    def _apply(self, columns):
        check_output(self, self.encode == "onehot")
        codes = self._codes(columns)
        cells = [self._cell([codes[j] for j in group], self._sizes(group)) for group in self.groups_]
        if self.encode == "ordinal":
            return np.column_stack(cells).astype(float)
        return indicators(cells, self.n_cells_, float, self.encode == "onehot")

    @staticmethod
    def _cell(codes, sizes):
        """``i·M + k``, and so on for more than two; -1 where a part is unknown."""
        known = np.min(codes, axis=0) >= 0
        return np.where(known, np.ravel_multi_index([np.maximum(code, 0) for code in codes], sizes), -1)
