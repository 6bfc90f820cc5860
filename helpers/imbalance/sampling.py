"""Resampling: fewer negatives, more positives, new ones between positives, chapter 12.

Resample training rows only: inside a cross-validation imbalanced-learn's own Pipeline does that, and takes
these samplers.
"""

import warnings
from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from helpers._checks import check_array, check_choices, validate_data
from helpers._nearest import without_self
from helpers._tags import tagged
from helpers.neighbors import k_nearest

__all__ = ["BorderlineSMOTE", "RandomOverSampler", "RandomUnderSampler", "SMOTE", "borderline_sets"]


def _sizes(y, strategy, over):
    """How many rows every class that is touched should have, {class: n}, classes in order.

    Over-sampling brings classes up to the largest, under-sampling down to the smallest.
    """
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise ValueError(f"y has one class only ({classes[0]}): resampling needs at least two.")
    have = dict(zip(classes, counts))
    if callable(strategy):
        strategy = strategy(y)
    if isinstance(strategy, dict):
        wanted = _checked_sizes(strategy, have, over)
    elif isinstance(strategy, str):
        wanted = dict.fromkeys(_named(strategy, have, over), max(counts) if over else min(counts))
    else:
        wanted = _by_ratio(strategy, have, over)
    return {c: int(wanted[c]) for c in classes if c in wanted}


def _named(strategy, have, over):
    largest, smallest = max(have, key=have.get), min(have, key=have.get)
    strategy = {"auto": "not majority" if over else "not minority"}.get(strategy, strategy)
    names = {"all": set(have), "not majority": set(have) - {largest}, "not minority": set(have) - {smallest}}
    names |= {"minority": {smallest}} if over else {"majority": {largest}}
    if strategy not in names:
        raise ValueError(
            f"sampling_strategy={strategy!r}: use 'auto', {', '.join(map(repr, names))}, a "
            "ratio in (0, 1], a dict {class: rows} or a function of y that returns one."
        )
    return names[strategy]


def _by_ratio(ratio, have, over):
    """Binary: rows of the smaller class for one of the larger."""
    if not (isinstance(ratio, Real) and 0 < ratio <= 1):
        raise ValueError(f"sampling_strategy={ratio!r}: a ratio lies in (0, 1].")
    if len(have) != 2:
        raise ValueError(f"A ratio is for two classes, y has {len(have)}: give a dict {{class: rows}}.")
    smallest, largest = sorted(have, key=have.get)
    n = int(have[largest] * ratio) if over else int(have[smallest] / ratio)
    if over and n < have[smallest] or not over and n > have[largest]:
        raise ValueError(f"The classes are closer than the ratio {ratio} already: give a larger one.")
    return {smallest: n} if over else {largest: n}


def _checked_sizes(sizes, have, over):
    for c, n in sizes.items():
        if c not in have:
            raise ValueError(f"sampling_strategy names class {c!r}, which y does not have: {list(have)}.")
        if n < 0 or (n < have[c] if over else n > have[c]):
            direction = "Over-sampling adds rows" if over else "Under-sampling removes rows"
            raise ValueError(f"{direction}: class {c!r} has {have[c]}, sampling_strategy asks for {n}.")
    return sizes


@tagged("input_tags", sparse=True)
@tagged("target_tags", required=True)
class _Sampler(OneToOneFeatureMixin, BaseEstimator):
    """What the samplers share: `fit_resample(X, y)` returns a resampled table and its labels."""

    def fit(self, X, y):
        """Check the input and how many rows each class should have; nothing is resampled."""
        self._checked(X, y)
        return self

    def fit_resample(self, X, y):
        """The resampled rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d)
        y : array of shape (n,)

        Returns
        -------
        X, y : of the kind given; data frames keep their columns
        """
        table, labels = self._checked(X, y)
        X_new, y_new = self._resample(table, labels)
        X_new = _as_given(X_new, X)
        return X_new, _as_given(y_new, y, getattr(X_new, "index", None))


def _as_given(values, original, index=None):
    """A data frame or series where one was given."""
    if not hasattr(original, "iloc") or hasattr(values, "iloc"):
        return values
    import pandas as pd

    if hasattr(original, "columns"):
        make = pd.DataFrame.sparse.from_spmatrix if sparse.issparse(values) else pd.DataFrame
        return make(values, columns=original.columns).astype(original.dtypes)
    return pd.Series(values, index=index, name=original.name, dtype=original.dtype)


@tagged("input_tags", string=True, allow_nan=True)
class _RandomSampler(_Sampler):
    """Picks rows as they are, so that any table will do: text, blanks, sparse, data frames."""

    def _checked(self, X, y):
        X = X if hasattr(X, "iloc") or sparse.issparse(X) else np.asarray(X)
        if X.ndim != 2 or not all(X.shape):
            few = f"0 feature(s) (shape={X.shape}) while a minimum of 1 is required"
            found = few if X.shape[1:] == (0,) else f"shape {X.shape}"
            raise ValueError(f"X has {found}: give a table of rows and columns, at least one of each.")
        check_classification_targets(y)
        X = X.tocsr() if sparse.issparse(X) else X
        y = column_or_1d(y)
        validate_data(self, X, y, skip_check_array=True)
        if len(y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(y)}: give a label for each row.")
        self.sampling_strategy_ = _sizes(y, self.sampling_strategy, self._over)
        return X, y


class RandomUnderSampler(_RandomSampler):
    """Drop rows of the frequent classes at random, chapter 12: simple, and it loses information.

    Parameters
    ----------
    sampling_strategy : 'auto' ('not minority'), 'majority', 'not majority', 'all', float, dict or callable
        Which classes shrink to the smallest; a ratio smallest / largest; {class: rows kept}.
    random_state : int, RandomState or None
    replacement : bool

    Attributes
    ----------
    sampling_strategy_ : dict {class: rows kept}
    sample_indices_ : int array, the rows of X that were kept, class by class

    Raises
    ------
    ValueError
        One class only; more rows asked for than there are.

    Examples
    --------
    >>> X, y = np.arange(6)[:, None], np.array([0, 0, 0, 0, 1, 1])
    >>> RandomUnderSampler(random_state=0).fit_resample(X, y)[1]
    array([0, 0, 1, 1])
    """

    _over = False

    def __init__(self, *, sampling_strategy="auto", random_state=None, replacement=False):
        self.sampling_strategy = sampling_strategy
        self.random_state = random_state
        self.replacement = replacement

    def _resample(self, X, y):
        rng, kept = check_random_state(self.random_state), []
        for c in np.unique(y):
            rows = np.flatnonzero(y == c)
            if c in self.sampling_strategy_:
                rows = rows[rng.choice(len(rows), self.sampling_strategy_[c], replace=self.replacement)]
            kept.append(rows)
        self.sample_indices_ = np.concatenate(kept)
        return _safe_indexing(X, self.sample_indices_), y[self.sample_indices_]


class RandomOverSampler(_RandomSampler):
    """Repeat rows of the rare classes at random, chapter 12: a flexible model learns the copies by heart.

    Parameters
    ----------
    sampling_strategy : 'auto' ('not majority'), 'minority', 'not minority', 'all', float, dict or callable
        Which classes grow to the largest; a ratio smallest / largest; {class: rows afterwards}.
    random_state : int, RandomState or None
    shrinkage : float, dict {class: float} or None
        Blur the copies by normal noise, in each feature with this many times Silverman's width
        ``(4 / ((d + 2) n))^(1/(d + 4))`` times its standard deviation in the class (smoothed bootstrap).

    Attributes
    ----------
    sampling_strategy_ : dict {class: rows added}
    sample_indices_ : int array, the rows of X that the result is made of: all, then the copied ones

    Raises
    ------
    ValueError
        One class only; fewer rows asked for than there are.

    References
    ----------
    Menardi and Torelli, Training and assessing classification rules with imbalanced data, DMKD 28, 2014.

    Examples
    --------
    >>> X, y = np.arange(6)[:, None], np.array([0, 0, 0, 0, 1, 1])
    >>> X_new, y_new = RandomOverSampler(random_state=0).fit_resample(X, y)
    >>> X_new.ravel(), y_new
    (array([0, 1, 2, 3, 4, 5, 4, 5]), array([0, 0, 0, 0, 1, 1, 1, 1]))
    """

    _over = True

    def __init__(self, *, sampling_strategy="auto", random_state=None, shrinkage=None):
        self.sampling_strategy = sampling_strategy
        self.random_state = random_state
        self.shrinkage = shrinkage

    def _checked(self, X, y):
        X, y = super()._checked(X, y)
        self.sampling_strategy_ = _added(self.sampling_strategy_, y)
        self.shrinkage_ = self.shrinkage
        if isinstance(self.shrinkage, Real):
            self.shrinkage_ = dict.fromkeys(self.sampling_strategy_, self.shrinkage)
        if (
            isinstance(self.shrinkage, str)
            or self.shrinkage_ is not None
            and not all(self.shrinkage_.get(c, -1) >= 0 for c in self.sampling_strategy_)
        ):
            raise ValueError(
                f"shrinkage={self.shrinkage!r}: give a number ≥ 0, or one for each class that "
                f"grows ({list(self.sampling_strategy_)})."
            )
        return X, y

    def _resample(self, X, y):
        rng = check_random_state(self.random_state)
        copied, blurred = [np.arange(len(y))], []
        for c, n in self.sampling_strategy_.items():
            rows = np.flatnonzero(y == c)
            copied.append(rng.choice(rows, n, replace=True))
            if self.shrinkage_ is not None:
                blurred.append(self._blurred(X, rows, copied[-1], self.shrinkage_[c], rng))
        self.sample_indices_ = np.concatenate(copied)
        y_new = y[self.sample_indices_]
        if self.shrinkage_ is None:
            X_new = _safe_indexing(X, self.sample_indices_)
            return X_new.reset_index(drop=True) if hasattr(X_new, "iloc") else X_new, y_new
        return _stacked([X if sparse.issparse(X) else np.asarray(X), *blurred]), y_new

    def _blurred(self, X, rows, copied, shrinkage, rng):
        table = check_array(X, accept_sparse="csr")
        dense = table.toarray() if sparse.issparse(table) else table
        n, d = dense.shape
        width = shrinkage * (4 / ((d + 2) * n)) ** (1 / (d + 4)) * dense[rows].std(axis=0)  # (d,)
        new = rng.standard_normal((len(copied), d)) * width + dense[copied]
        return sparse.csr_matrix(new) if sparse.issparse(table) else new


def _added(sizes, y):
    """Rows to add instead of rows afterwards."""
    return {c: n - int((y == c).sum()) for c, n in sizes.items()}


def _stacked(parts):
    return sparse.vstack(parts, format=parts[0].format) if sparse.issparse(parts[0]) else np.vstack(parts)


def _neighbours(X, rows, k):
    """The k rows of X nearest to X[rows], a row never its own neighbour; indices of shape (len(rows), k)."""
    _, near = k_nearest(X, X[rows], k + 1)
    return near[without_self(near, rows)].reshape(len(rows), k)


def borderline_sets(X, y, target, *, m_neighbors=10):
    """Noise, danger and safe: the rows of one class by the company they keep, (12.12).

    Of the m nearest rows of any class m′ belong to others: noise if m′ = m, danger if m/2 ≤ m′ < m, else
    safe.

    Short version: chapter 12, `company`.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    y : array of shape (n,)
    target : label of the rare class
    m_neighbors : int, m

    Returns
    -------
    dict of int arrays 'noise', 'danger', 'safe' : rows of X, together all rows of the class

    Raises
    ------
    ValueError
        `m_neighbors` outside 1 to n - 1.

    References
    ----------
    Han, Wang and Mao, Borderline-SMOTE, ICIC 2005.

    Examples
    --------
    Of the two nearest of 4.0 one is of the other class.

    >>> X, y = [[0.0], [1.0], [2.0], [4.0], [5.0], [6.0], [9.0]], [1, 1, 1, 1, 0, 0, 0]
    >>> {name: rows.tolist() for name, rows in borderline_sets(X, y, 1, m_neighbors=2).items()}
    {'noise': [], 'danger': [3], 'safe': [0, 1, 2]}
    """
    X, y = check_array(X, accept_sparse="csr"), np.asarray(y)
    rows = np.flatnonzero(y == target)
    if not 1 <= m_neighbors < len(y):
        raise ValueError(f"m_neighbors={m_neighbors}: the table has {len(y)} rows, choose 1 to {len(y) - 1}.")
    others = (y[_neighbours(X, rows, m_neighbors)] != target).sum(axis=1)  # m′
    noise, danger = others == m_neighbors, (others >= m_neighbors / 2) & (others < m_neighbors)
    return {"noise": rows[noise], "danger": rows[danger], "safe": rows[~(noise | danger)]}


class _Smote(_Sampler):
    def _checked(self, X, y):
        check_classification_targets(y)
        X, y = validate_data(self, X, y, accept_sparse="csr")
        self.sampling_strategy_ = _added(_sizes(y, self.sampling_strategy, over=True), y)
        return X, y

    def _resample(self, X, y):
        tables, labels = [X], [y]
        for c, n in self.sampling_strategy_.items():
            if n and (new := self._new_rows(X, y, c, n)) is not None:
                tables.append(new)
                labels.append(np.full(n, c, dtype=y.dtype))
        return _stacked(tables), np.concatenate(labels)

    def _check_k(self, c, available):
        if not 1 <= self.k_neighbors < available:
            raise ValueError(
                f"k_neighbors={self.k_neighbors}: there are only {available} rows to choose "
                f"neighbours of class {c} from; choose 1 to {available - 1}."
            )

    def _drawn(self, near, n):
        """Of all pairs of a row and a neighbour n at random, and one δ in [0, 1) for each."""
        rng = check_random_state(self.random_state)
        start, which = np.divmod(rng.randint(near.size, size=n), near.shape[1])
        return start, near[start, which], rng.uniform(size=n)


def _between(A, B, delta):
    """``a + δ (b - a)``: one number δ for a row, so that it lies on the segment from a to b (12.10)."""
    if sparse.issparse(A):
        return (A + sparse.diags_array(delta) @ (B - A)).astype(A.dtype).tocsr()
    return (A + delta[:, None] * (B - A)).astype(A.dtype, copy=False)


class SMOTE(_Smote):
    """New positives between positives: ``x_i + δ (x̂_i - x_i)``, (12.10).

    x̂_i is one of the k nearest rows *of the same class* (never x_i itself), δ one number in [0, 1) for the
    whole row. Problems: where positives lie on both sides of negatives the new points lie among
    these, and points deep inside a class say nothing new.

    Short version: chapter 12, `smote`.

    Parameters
    ----------
    sampling_strategy : 'auto' ('not majority'), 'minority', 'not minority', 'all', float, dict or callable
        Which classes grow to the largest; a ratio smallest / largest; {class: rows afterwards}.
    random_state : int, RandomState or None; an int gives imbalanced-learn's rows
    k_neighbors : int

    Attributes
    ----------
    sampling_strategy_ : dict {class: rows added}

    Raises
    ------
    ValueError
        One class only; as many neighbours asked for as the class has rows.

    References
    ----------
    Chawla, Bowyer, Hall and Kegelmeyer, SMOTE: synthetic minority over-sampling technique, JAIR 16, 2002.
    (Their pseudo-code draws δ for each attribute: such points leave the segment that their text describes.)

    Examples
    --------
    >>> X, y = np.array([[0.0], [1.0], [9.0], [9.5], [9.9], [8.0]]), np.array([1, 1, 0, 0, 0, 0])
    >>> X_new, y_new = SMOTE(k_neighbors=1, random_state=0).fit_resample(X, y)
    >>> y_new, X_new[6:].min() >= 0, X_new[6:].max() <= 1
    (array([1, 1, 0, 0, 0, 0, 1, 1]), np.True_, np.True_)
    """

    def __init__(self, *, sampling_strategy="auto", random_state=None, k_neighbors=5):
        self.sampling_strategy = sampling_strategy
        self.random_state = random_state
        self.k_neighbors = k_neighbors

    def _new_rows(self, X, y, c, n):
        P = X[np.flatnonzero(y == c)]
        self._check_k(c, P.shape[0])
        _, near = k_nearest(P, None, self.k_neighbors)
        a, b, delta = self._drawn(near, n)
        return _between(P[a], P[b], delta)


class BorderlineSMOTE(_Smote):
    """SMOTE from the endangered rows only, those with mostly other neighbours, chapter 12.

    Parameters
    ----------
    sampling_strategy : 'auto' ('not majority'), 'minority', 'not minority', 'all', float, dict or callable
    random_state : int, RandomState or None
    k_neighbors : int, the neighbours that new rows lie towards
    m_neighbors : int, the neighbours that decide who is in danger, see `borderline_sets`
    kind : 'borderline-1' or 'borderline-2'
        Neighbours of the same class; or of any, and towards those of other classes δ stays below 1/2.
        (For these imbalanced-learn multiplies two random numbers; the paper draws one in [0, 1/2).)

    Attributes
    ----------
    sampling_strategy_ : dict {class: rows added}
    sets_ : dict {class: {'noise', 'danger', 'safe'}}, rows of X
    in_danger_indices : dict {class: rows of X in danger}, as imbalanced-learn

    Raises
    ------
    ValueError
        One class only; too many neighbours; an unknown kind.

    Warns
    -----
    UserWarning
        No row of a class is in danger: nothing is added to it.

    References
    ----------
    Han, Wang and Mao, Borderline-SMOTE, ICIC 2005.

    Examples
    --------
    Two of the three neighbours of 5.0 are of the other class: what is new lies between it and the nearest
    positive.

    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0], [5.0], [7.0], [8.0]]), np.array([0, 0, 0, 0, 1, 1, 1])
    >>> sampler = BorderlineSMOTE(k_neighbors=1, m_neighbors=3, random_state=0)
    >>> X_new, y_new = sampler.fit_resample(X, y)
    >>> sampler.sets_[1]["danger"], y_new[-1], 5 <= X_new[-1, 0] <= 7
    (array([4]), np.int64(1), np.True_)
    """

    def __init__(
        self,
        *,
        sampling_strategy="auto",
        random_state=None,
        k_neighbors=5,
        m_neighbors=10,
        kind="borderline-1",
    ):
        self.sampling_strategy = sampling_strategy
        self.random_state = random_state
        self.k_neighbors = k_neighbors
        self.m_neighbors, self.kind = m_neighbors, kind

    def _resample(self, X, y):
        check_choices(self, kind=("borderline-1", "borderline-2"))
        self.sets_ = {}
        result = super()._resample(X, y)
        self.in_danger_indices = {c: sets["danger"] for c, sets in self.sets_.items() if len(sets["danger"])}
        return result

    def _new_rows(self, X, y, c, n):
        self.sets_[c] = borderline_sets(X, y, c, m_neighbors=self.m_neighbors)
        danger, same = self.sets_[c]["danger"], np.flatnonzero(y == c)
        if not len(danger):
            warnings.warn(f"No row of class {c} is in danger: none is added.", stacklevel=5)
            return None
        pool = same if self.kind == "borderline-1" else np.arange(len(y))  # rows that may be neighbours
        self._check_k(c, len(pool))
        near = _neighbours(X[pool], np.searchsorted(pool, danger), self.k_neighbors)
        a, b, delta = self._drawn(near, n)
        delta = np.where(y[pool[b]] == c, delta, delta / 2)
        return _between(X[danger[a]], X[pool[b]], delta)
