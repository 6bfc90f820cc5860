"""What a wrapper asks: which of these subsets has the best cross-validated score? Chapter 9."""

from itertools import product
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import Parallel, delayed

from helpers._fast import faster

__all__ = ["Entry", "Scorer", "scorer_for"]

EQUAL = 1e-12  # mean scores that differ by less count as equal: then fewer features win


class Entry(NamedTuple):
    """A subset and its mean score."""

    subset: np.ndarray
    score: float


@faster("scorer")
def scorer_for(wrapper, X, y):
    """The scorer that a wrapper asks, for its learner, its folds and its scoring."""
    return Scorer(wrapper, X, y)


class Scorer:
    """Cross-validated scores of subsets; the folds are drawn once, so that all subsets meet the same."""

    def __init__(self, wrapper, X, y):
        self.estimator, self.X, self.n_jobs = wrapper.estimator, X, wrapper.n_jobs
        self.y = None if y is None else np.asarray(y)
        self.folds = list(check_cv(wrapper.cv, y, classifier=is_classifier(self.estimator)).split(X, y))
        self.scoring = check_scoring(self.estimator, scoring=wrapper.scoring)
        self.at_a_time = effective_n_jobs(self.n_jobs)  # subsets, where the clock is looked at in between
        self.n_fits = self.n_subsets = 0

    def scores(self, subsets):
        """Mean scores (c,) of c subsets, a list of sorted arrays of columns."""
        self.n_subsets += len(subsets)
        found = self.fitted_scores(list(product(subsets, self.folds)))
        return np.reshape(found, (len(subsets), -1)).mean(axis=1)

    def fitted_scores(self, pairs):
        """Fit the learner for each pair of a subset and a fold, and score it on the rows left out."""
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_fold_score)(self.estimator, self.X, self.y, subset, *fold, self.scoring)
            for subset, fold in pairs
        )
        if np.isnan(found).any():
            raise ValueError("A score is NaN: choose another cv or scoring (R² needs two rows in a fold).")
        self.n_fits += len(pairs)
        return found

    def best(self, subsets):
        """Position and score of the first of the best."""
        scores = self.scores(subsets)
        return scores.argmax(), scores.max()

    def contests(self, champion, subsets):
        """Every subset in turn challenges the champion: who is it then, and has the challenger won?"""
        for challenger in map(Entry, subsets, self.scores(subsets)):
            won = champion is None or beats(challenger, champion)
            champion = challenger if won else champion
            yield champion, won


def beats(challenger, champion):
    """A higher score wins; of equal ones the smaller subset, and if they are alike the champion."""
    gap = challenger.score - champion.score
    return gap > EQUAL or abs(gap) <= EQUAL and len(challenger.subset) < len(champion.subset)


def _fold_score(estimator, X, y, subset, train, test, scoring):
    X = X[:, subset].tocsr() if issparse(X) else X[:, subset]
    parts = [(X[rows],) if y is None else (X[rows], y[rows]) for rows in (train, test)]
    try:
        return scoring(clone(estimator).fit(*parts[0]), *parts[1])
    except Exception as error:
        error.add_note(f"This happened with columns {list(map(int, subset))}: is one of them constant?")
        raise
