"""Which subset is best, without fitting the learner for each of them.

A closed form (subsets.py) bounds the scores, closely as a rule. The learner is fitted where the bounds leave
open which subset is better, so that the choice is the one that fitting would make.
"""

from typing import NamedTuple

import numpy as np

from helpers._fast.subsets import closed_form, may_use, why_not
from helpers.feature_selection.scorer import EQUAL, Scorer, beats


def scorer_for(wrapper, X, y):
    reason = why_not(wrapper.estimator, X, None if y is None else np.asarray(y), wrapper.scoring)
    return BoundedScorer(wrapper, X, y) if may_use(wrapper.fast, reason) else NotImplemented


class BoundedEntry(NamedTuple):
    """A subset, and what is known of its score on every fold: between low and high, (f,) each."""

    subset: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def score(self):
        return float((self.low + self.high).mean() / 2)


class BoundedScorer(Scorer):
    """The scorer for learners with a closed form."""

    def __init__(self, wrapper, X, y):
        super().__init__(wrapper, X, y)
        self.closed, self.at_a_time = closed_form(wrapper.estimator, X, y, self.folds, wrapper.scoring), 256

    def bounds(self, subsets):
        """Bounds (c, f), (c, f) of the scores of c subsets; all of one size are bounded at once."""
        self.n_subsets += len(subsets)
        low, high = np.empty((2, len(subsets), len(self.folds)))
        sizes = np.array([len(subset) for subset in subsets])
        for q in np.unique(sizes):
            rows = np.flatnonzero(sizes == q)
            low[rows], high[rows] = self.closed.bounds(np.array([subsets[i] for i in rows]))
        return low, high

    def settle(self, subsets, low, high):
        """Fit the learner where low < high, and write the score there."""
        cells = np.argwhere(low < high)
        found = self.fitted_scores([(subsets[i], self.folds[f]) for i, f in cells])
        low[tuple(cells.T)] = high[tuple(cells.T)] = found

    def best(self, subsets):
        return self.best_within(subsets, *self.bounds(subsets))

    def best_within(self, subsets, low, high):
        may_be_best = np.flatnonzero(high.mean(axis=1) >= low.mean(axis=1).max())
        low, high = low[may_be_best], high[may_be_best]
        if len(may_be_best) > 1 or not known(low, high).all():
            self.settle([subsets[i] for i in may_be_best], low, high)
        scores = ((low + high) / 2).mean(axis=1)
        return may_be_best[scores.argmax()], scores.max()

    def contests(self, champion, subsets):
        low, high = self.bounds(subsets)
        may_win = high.mean(axis=1) >= (-np.inf if champion is None else champion.low.mean() - EQUAL)
        rows = np.flatnonzero(may_win & ~known(low, high))
        settled = low[rows], high[rows]
        self.settle([subsets[i] for i in rows], *settled)
        low[rows], high[rows] = settled
        for challenger in map(BoundedEntry, subsets, low, high):
            champion, won = self.contest(champion, challenger)
            yield champion, won

    def contest(self, champion, challenger):
        if champion is None or challenger.low.mean() > champion.high.mean() + EQUAL:
            return challenger, True
        if challenger.high.mean() < champion.low.mean() - EQUAL:
            return champion, False
        subsets, low, high = zip(champion, challenger)
        low, high = np.array(low), np.array(high)
        self.settle(subsets, low, high)
        champion, challenger = map(BoundedEntry, subsets, low, high)
        won = beats(challenger, champion)
        return (challenger if won else champion), won


def known(low, high):
    """Rows whose bounds differ by rounding only."""
    return ((high - low <= 1e-6 * (np.abs(low) + np.abs(high))) & np.isfinite(high - low)).all(axis=1)
