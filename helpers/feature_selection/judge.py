"""What a wrapper asks: which of these subsets has the best cross-validated score? Chapter 9."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import Parallel, delayed

from helpers.feature_selection.fast import closed_form, why_not

__all__ = ["Entry", "Judge", "may_use"]

EQUAL = 1e-12  # mean scores that differ by less count as equal: then fewer features win


class Entry(NamedTuple):
    """A subset, and what is known of its score on every fold: between low and high, (f,) each."""

    subset: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def score(self):
        return float((self.low + self.high).mean() / 2)


class Judge:
    """Cross-validated scores of subsets; the folds are drawn once, so that all subsets meet the same.

    A closed form bounds the scores, closely as a rule; without one nothing is known. The learner is fitted
    where the bounds leave open which subset is better.
    """

    def __init__(self, wrapper, X, y):
        self.estimator, self.X, self.n_jobs = wrapper.estimator, X, wrapper.n_jobs
        self.y = None if y is None else np.asarray(y)
        self.folds = list(check_cv(wrapper.cv, y, classifier=is_classifier(self.estimator)).split(X, y))
        self.scorer = check_scoring(self.estimator, scoring=wrapper.scoring)
        self.closed = None
        if may_use(wrapper.fast, why_not(self.estimator, X, self.y, wrapper.scoring)):
            self.closed = closed_form(self.estimator, X, self.y, self.folds, wrapper.scoring)
        self.n_fits = self.n_subsets = 0

    def bounds(self, subsets):
        """Bounds (c, f), (c, f) of the scores of c subsets, a list of sorted arrays of columns."""
        self.n_subsets += len(subsets)
        low = np.full((len(subsets), len(self.folds)), -np.inf)
        high = -low
        if self.closed is not None:
            sizes = np.array([len(subset) for subset in subsets])
            for q in np.unique(sizes):
                rows = np.flatnonzero(sizes == q)
                low[rows], high[rows] = self.closed.bounds(np.array([subsets[i] for i in rows]))
        return low, high

    def bounds_without(self, subset):
        """Bounds (q, f), (q, f) of the scores of a subset less each of its q columns."""
        if not hasattr(self.closed, "bounds_without"):
            return self.bounds([np.delete(subset, i) for i in range(len(subset))])
        self.n_subsets += len(subset)
        return self.closed.bounds_without(subset)

    def settle(self, subsets, low, high):
        """Fit the learner where low < high, and write the score there."""
        cells = np.argwhere(low < high)
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_fold_score)(self.estimator, self.X, self.y, subsets[i], *self.folds[f], self.scorer)
            for i, f in cells
        )
        if np.isnan(found).any():
            raise ValueError("A score is NaN: choose another cv or scoring (R² needs two rows in a fold).")
        low[tuple(cells.T)] = high[tuple(cells.T)] = found
        self.n_fits += len(cells)

    def best(self, subsets, low, high):
        """Position and score of the first of the best."""
        open_ = np.flatnonzero(high.mean(axis=1) >= low.mean(axis=1).max())  # the others cannot win
        low, high = low[open_], high[open_]
        if len(open_) > 1 or not _narrow(low, high).all():
            self.settle([subsets[i] for i in open_], low, high)
        scores = ((low + high) / 2).mean(axis=1)
        return open_[scores.argmax()], scores.max()

    def duels(self, champion, subsets):
        """Every subset in turn challenges the champion: who is it then, and has the challenger won?"""
        low, high = self.bounds(subsets)
        may_win = high.mean(axis=1) >= (-np.inf if champion is None else champion.low.mean() - EQUAL)
        rows = np.flatnonzero(may_win & ~_narrow(low, high))
        settled = low[rows], high[rows]
        self.settle([subsets[i] for i in rows], *settled)
        low[rows], high[rows] = settled
        for challenger in map(Entry, subsets, low, high):
            champion, won = self._duel(champion, challenger)
            yield champion, won

    def _duel(self, champion, challenger):
        """A higher score wins; of equal ones the smaller subset, and if they are alike the champion."""
        if champion is None or challenger.low.mean() > champion.high.mean() + EQUAL:
            return challenger, True
        if challenger.high.mean() < champion.low.mean() - EQUAL:
            return champion, False
        subsets, low, high = zip(champion, challenger)
        low, high = np.array(low), np.array(high)
        self.settle(subsets, low, high)
        champion, challenger = map(Entry, subsets, low, high)
        gap = challenger.score - champion.score
        won = gap > EQUAL or abs(gap) <= EQUAL and len(challenger.subset) < len(champion.subset)
        return (challenger if won else champion), won


def _narrow(low, high):
    """Rows whose bounds differ by rounding only."""
    width = high - low
    return (np.isfinite(width) & (width <= 1e-6 * (np.abs(low) + np.abs(high)))).all(axis=1)


def _fold_score(estimator, X, y, subset, train, test, scorer):
    X = X[:, subset].tocsr() if issparse(X) else X[:, subset]
    parts = [(X[rows],) if y is None else (X[rows], y[rows]) for rows in (train, test)]
    try:
        return scorer(clone(estimator).fit(*parts[0]), *parts[1])
    except Exception as error:
        error.add_note(f"This happened with columns {list(map(int, subset))}: is one of them constant?")
        raise


def may_use(fast, reason):
    """Does `fast` ask for a closed form, and is there no reason against it? With True there must be none."""
    if fast not in (True, False, "auto"):
        raise ValueError(f"fast={fast!r}: use 'auto', True or False.")
    if fast is True and reason is not None:
        raise ValueError(f"fast=True, but {reason}: use fast='auto' to fit the learner instead.")
    return bool(fast) and reason is None
