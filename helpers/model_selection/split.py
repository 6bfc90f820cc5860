"""Splitters: which rows train, which rows test; for scikit-learn's `cross_val_score` too; chapter 7."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples, column_or_1d

__all__ = ["GroupKFold", "HoldOut", "KFold", "LeaveOneOut", "StratifiedKFold"]


class _Splitter:
    """Every test part, and as training part all other rows."""

    def split(self, X, y=None, groups=None):
        """Pairs (train, test) of row numbers, each in ascending order."""
        n = _num_samples(X)
        for test in self._tests(n, y, groups):
            yield np.setdiff1d(np.arange(n), test), np.sort(test)

    def __repr__(self):
        options = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"


class _Folds(_Splitter):
    """What the k-fold splitters share: k, and whether the rows are shuffled first."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        if n_splits != int(n_splits) or n_splits < 2:
            raise ValueError(f"n_splits={n_splits}: choose a whole number of at least 2.")
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """The number of folds."""
        return self.n_splits


class KFold(_Folds):
    """k-fold cross-validation, chapter 7: every row is tested once; the sizes of two folds differ by at most
    one (E50).

    Parameters
    ----------
    n_splits : int >= 2, the number k of folds
    shuffle : bool
        Sorted rows need it: without it the folds are blocks of neighbouring rows.
    random_state : int, RandomState or None, for `shuffle`

    Raises
    ------
    ValueError
        Fewer than two folds; when splitting, more folds than rows.

    References
    ----------
    Stone, Cross-validatory choice and assessment of statistical predictions, J. Royal Stat. Soc. B 36, 1974.

    Examples
    --------
    >>> [test.tolist() for train, test in KFold(3).split(range(7))]
    [[0, 1, 2], [3, 4], [5, 6]]
    """

    def _tests(self, n, y, groups):
        if self.n_splits > n:
            raise ValueError(f"n_splits={self.n_splits}, but there are only {n} rows: choose fewer folds.")
        rows = np.arange(n)
        if self.shuffle:
            check_random_state(self.random_state).shuffle(rows)
        return np.array_split(rows, self.n_splits)  # 23 rows in 5: 5, 5, 5, 4, 4


class StratifiedKFold(_Folds):
    """k folds with (nearly) the class shares of the whole: counts of a class, and sizes, differ by at most
    one.

    The rows, sorted by class, are dealt out like cards to find how many of each class a fold gets.

    Parameters
    ----------
    n_splits, shuffle, random_state : as in `KFold`

    Raises
    ------
    ValueError
        Fewer than two folds; when splitting, no classes, or more folds than any class has rows.

    Examples
    --------
    >>> [test.tolist() for train, test in StratifiedKFold(2).split(range(6), list("aaaabb"))]
    [[0, 1, 4], [2, 3, 5]]
    """

    def _tests(self, n, y, groups):
        codes = _class_codes(y, n)
        counts = np.bincount(codes)
        if self.n_splits > counts.max():
            raise ValueError(
                f"n_splits={self.n_splits}, but no class has more than {counts.max()} rows: "
                "choose fewer folds."
            )
        dealt = np.arange(n) % self.n_splits  # cards: fold of the i-th row in class order
        fold, rng = np.empty(n, int), check_random_state(self.random_state)
        for c in range(len(counts)):
            of_class = np.sort(dealt[np.sort(codes) == c])
            if self.shuffle:
                rng.shuffle(of_class)
            fold[codes == c] = of_class
        return [np.flatnonzero(fold == k) for k in range(self.n_splits)]


def _class_codes(y, n):
    """Classes numbered in the order in which they appear."""
    if y is None:
        raise ValueError("Give y: the folds are stratified by its classes.")
    if type_of_target(y) not in ("binary", "multiclass"):
        raise ValueError(f"y is {type_of_target(y)}: stratification needs classes; use KFold for a number.")
    _, first, codes = np.unique(column_or_1d(y), return_index=True, return_inverse=True)
    if len(codes) != n:
        raise ValueError(f"X has {n} rows, y has {len(codes)}.")
    return np.argsort(np.argsort(first))[codes]


class LeaveOneOut(_Splitter):
    """n folds of one row, chapter 7: for scarce data. Score all predictions together: one row has no R².

    Raises
    ------
    ValueError
        When splitting: fewer than two rows.

    Examples
    --------
    >>> [test.tolist() for train, test in LeaveOneOut().split("abc")]
    [[0], [1], [2]]
    """

    def get_n_splits(self, X, y=None, groups=None):
        """The number of rows."""
        return _num_samples(X)

    def _tests(self, n, y, groups):
        if n < 2:
            raise ValueError("One row: leaving it out leaves nothing to train on.")
        return np.arange(n)[:, None]


class GroupKFold(_Folds):
    """k folds that keep every group (a patient, a day) together; the largest group goes to the smallest fold,
    and so on.

    Parameters
    ----------
    n_splits : int >= 2
    shuffle : bool
        Deal the groups out at random instead, about equally many to a fold.
    random_state : int, RandomState or None, for `shuffle`

    Raises
    ------
    ValueError
        Fewer than two folds; when splitting, no groups, or more folds than groups.

    Examples
    --------
    >>> names = ["ann", "bob", "bob", "eve", "bob"]
    >>> [test.tolist() for train, test in GroupKFold(2).split(names, groups=names)]
    [[1, 2, 4], [0, 3]]
    """

    def _tests(self, n, y, groups):
        if groups is None:
            raise ValueError("Give groups, one label for each row: rows with the same label stay together.")
        names, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
        if len(codes) != n:
            raise ValueError(f"X has {n} rows, groups has {len(codes)}.")
        if self.n_splits > len(names):
            raise ValueError(
                f"n_splits={self.n_splits}, but there are only {len(names)} groups: choose fewer folds."
            )
        if self.shuffle:
            order = check_random_state(self.random_state).permutation(len(names))
            return [np.flatnonzero(np.isin(codes, part)) for part in np.array_split(order, self.n_splits)]
        fold, filled = np.empty(len(names), int), np.zeros(self.n_splits)
        for g in np.argsort(sizes, kind="stable")[::-1]:  # largest group first
            fold[g] = filled.argmin()
            filled[fold[g]] += sizes[g]
        return [np.flatnonzero(fold[codes] == k) for k in range(self.n_splits)]


class HoldOut(_Splitter):
    """One random split, chapter 7: S_train to fit every model, S_cv to choose among them.

    Parameters
    ----------
    test_size : float in (0, 1) or int
        Share (rounded up) or number of rows held out; the chapter's rule of thumb is 0.3.
    stratify : bool
        Keep the class shares of y in both parts, to within one row.
    random_state : int, RandomState or None

    Raises
    ------
    ValueError
        A `test_size` that is neither a share nor a number of rows; when splitting, none left to train on.

    Examples
    --------
    >>> (train, test), = HoldOut(0.3, random_state=0).split(range(10))
    >>> train.tolist(), test.tolist()
    ([0, 1, 3, 5, 6, 7, 9], [2, 4, 8])
    """

    def __init__(self, test_size=0.3, *, stratify=False, random_state=None):
        if not (
            isinstance(test_size, Real)
            and 0 < test_size < 1
            or isinstance(test_size, Integral)
            and test_size > 0
        ):
            raise ValueError(f"test_size={test_size}: choose a share between 0 and 1, or a number of rows.")
        self.test_size = test_size
        self.stratify = stratify
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """One."""
        return 1

    def _tests(self, n, y, groups):
        held = int(np.ceil(self.test_size * n)) if self.test_size < 1 else int(self.test_size)
        if held >= n:
            raise ValueError(f"test_size={self.test_size} of {n} rows leaves none to train on.")
        shuffled = check_random_state(self.random_state).permutation(n)
        if not self.stratify:
            return [shuffled[:held]]
        by_class = shuffled[np.argsort(_class_codes(y, n)[shuffled], kind="stable")]
        return [by_class[np.arange(held) * n // held]]  # every (n/held)-th row in class order
