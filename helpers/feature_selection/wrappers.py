"""Wrappers: subsets of the features, judged by the learner that will use them; chapter 9."""

from copy import deepcopy
from itertools import combinations, islice
from math import comb
from numbers import Integral
from operator import attrgetter
from time import perf_counter

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from helpers._checks import check_choices, validate_data
from helpers._fast import faster
from helpers.feature_selection.scorer import scorer_for

__all__ = ["RFE", "ExhaustiveSelector", "LasVegasWrapper", "SequentialFeatureSelector"]

BATCH = 256  # subsets scored at a time


class _Wrapper(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """What the wrappers share: they take what their learner takes, and keep a mask."""

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags

    def _checked_and_scorer(self, X, y):
        allow_nan = get_tags(self.estimator).input_tags.allow_nan
        X = validate_data(
            self, X, accept_sparse="csc", ensure_min_features=2, ensure_all_finite=not allow_nan
        )
        return X, scorer_for(self, X, y)

    def _keep(self, subset, scorer):
        self.support_ = np.isin(np.arange(self.n_features_in_), subset)
        self.n_fits_, self.n_subsets_ = scorer.n_fits, scorer.n_subsets
        return self

    def _bar(self, total=None):
        from tqdm.auto import tqdm

        return tqdm(total=total, desc=type(self).__name__, disable=not self.progress)

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_


# ---------------------------------------------------------------- greedy search
class SequentialFeatureSelector(_Wrapper):
    """Greedy search: the best next step, scored by cross-validation, (9.13).

    'forward' starts with no feature and adds the one with which the learner's score is best; 'backward'
    starts with all and drops the one without which it is best. 'bidirectional': every round adds one of the
    undecided features, which then stays, and drops another, which then stays away. Greedy search need not
    find the best subset, `ExhaustiveSelector` does (erratum E54); to the full set it scores d (d + 1) / 2
    subsets. The score of the subset that it returns is too good (E51): measure it on fresh rows.

    Short version: chapter 9, `forward`, `backward` and `bidirectional`.

    Parameters
    ----------
    estimator : the learner; anything with `fit` and a score
    n_features_to_select : 'auto', int or float in (0, 1]
        'auto': with `tol` until a step gains less than that, else half of the features.
    tol : float or None
        With 'auto': what an addition must gain at least, and a removal too (a negative tol allows that much
        loss); in a bidirectional search a removal may lose less than tol.
    direction : 'forward', 'backward' or 'bidirectional'
    scoring : str, callable or None (the learner's own score)
    cv : int, splitter or folds
    fast : 'auto', True or False
        Least squares, discriminant analysis without shrinkage and k nearest neighbours, with their own scores
        (and mean squared error): a closed form finds the same subset without fitting. True: an error where
        there is none.
    n_jobs : int or None, for fits
    progress : bool, show a progress bar

    Attributes
    ----------
    support_ : bool array of shape (d,)
    n_features_to_select_ : int
    history_ : list of (feature, score), in the order of the steps; a dropped feature as ``~feature``
    n_subsets_, n_fits_ : int
        Subsets scored, and fits made for it: folds times subsets unless a closed form spares them.

    Raises
    ------
    ValueError
        Nothing or everything to be selected, unknown options.

    Notes
    -----
    scikit-learn 1.9 does not compare the first removal of a backward search with 'auto' and `tol`, and so
    always drops a feature; here the first must pass like the others.

    References
    ----------
    Kohavi and John, Wrappers for feature subset selection, Artificial Intelligence 97, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> search = SequentialFeatureSelector(KNeighborsClassifier(3), n_features_to_select=2).fit(X, y)
    >>> search.get_support(indices=True), search.n_subsets_
    (array([0, 3]), 7)
    """

    def __init__(
        self,
        estimator,
        *,
        n_features_to_select="auto",
        tol=None,
        direction="forward",
        scoring=None,
        cv=5,
        fast="auto",
        n_jobs=None,
        progress=False,
    ):
        self.estimator, self.n_features_to_select, self.tol = estimator, n_features_to_select, tol
        self.direction, self.scoring, self.cv = direction, scoring, cv
        self.fast, self.n_jobs, self.progress = fast, n_jobs, progress

    def fit(self, X, y=None):
        """Search."""
        searches = {
            "forward": self._forward,
            "backward": self._backward,
            "bidirectional": self._bidirectional,
        }
        if self.direction not in searches:
            raise ValueError(f"direction={self.direction!r}: use {', '.join(map(repr, searches))}.")
        if self.tol is not None and self.tol < 0 and self.direction == "forward":
            raise ValueError(f"tol={self.tol}: tol must be strictly positive when doing forward selection.")
        X, scorer = self._checked_and_scorer(X, y)
        self.history_ = []
        with self._bar() as bar:
            for subset in searches[self.direction](scorer, X.shape[1]):
                kept = subset  # so far
                bar.update()
        self.n_features_to_select_ = len(kept)
        return self._keep(kept, scorer)

    def _forward(self, scorer, d):
        """The subset after every step, as in the other two searches."""
        kept, score = [], -np.inf
        for _ in range(self._how_many(d)):
            j, new = self._addition(scorer, kept, [j for j in range(d) if j not in kept])
            if self._by_gain and new - score < self.tol:
                break
            kept, score = self._step(kept, j, new)
            yield kept

    def _backward(self, scorer, d):
        kept = list(range(d))
        yield kept
        score = self._score(scorer, kept) if self._by_gain else None
        removals = self._how_many(d) if self.n_features_to_select == "auto" else d - self._how_many(d)
        for _ in range(removals):
            j, new = self._removal(scorer, kept, kept)
            if self._by_gain and new - score < self.tol:
                break
            kept, score = self._step(kept, ~j, new)
            yield kept

    def _bidirectional(self, scorer, d):
        kept, left, k = [], list(range(d)), d if self._by_gain else self._how_many(d)
        score, score_left = -np.inf, self._score(scorer, left) if self._by_gain else None
        while len(kept) < k < len(left) or self._by_gain and len(kept) < len(left):
            j, new = self._addition(scorer, kept, [j for j in left if j not in kept])
            if self._by_gain and new - score < self.tol:
                return
            kept, score = self._step(kept, j, new)
            yield kept
            undecided = [j for j in left if j not in kept]
            if len(kept) < k and undecided:
                j, new = self._removal(scorer, left, undecided)
                if not self._by_gain or score_left - new < self.tol:
                    left, score_left = self._step(left, ~j, new)
        yield kept if len(kept) == k else left

    @property
    def _by_gain(self):
        return self.n_features_to_select == "auto" and self.tol is not None

    def _how_many(self, d):
        """How many features to select; removals of a backward search with 'auto'."""
        k = self.n_features_to_select
        if k == "auto":
            return d // 2 if self.tol is None else d - 1
        if isinstance(k, Integral) and not 1 <= k < d:
            raise ValueError(f"n_features_to_select={k} must be < n_features = {d} and at least 1.")
        if isinstance(k, str) or not isinstance(k, Integral) and not 1 <= int(d * k) <= d:
            raise ValueError(
                f"n_features_to_select={k!r} with n_features = {d}: use 'auto', an int, or a "
                "share in (0, 1] that keeps at least one feature."
            )
        return int(k if isinstance(k, Integral) else d * k)

    def _score(self, scorer, subset):
        return scorer.best([np.array(subset)])[1]

    def _addition(self, scorer, kept, candidates):
        winner, score = scorer.best([np.sort([*kept, j]) for j in candidates])
        return candidates[winner], score

    def _removal(self, scorer, kept, candidates):
        winner, score = scorer.best([np.array([i for i in kept if i != j]) for j in candidates])
        return candidates[winner], score

    def _step(self, subset, j, score):
        """The subset with column j, or without it for ~j (< 0); the step is written down."""
        self.history_.append((int(j), float(score)))
        return sorted([*subset, j]) if j >= 0 else [i for i in subset if i != ~j], score


# ---------------------------------------------------------------- all subsets, and random ones
class ExhaustiveSelector(_Wrapper):
    """The best of all subsets of some sizes, of equally good ones the smallest, (9.10).

    All ``2^d - 1`` subsets of d features, or ``sum_k C(d, k)`` of the sizes k asked for.

    Short version: chapter 9, `cv_error`.

    Parameters
    ----------
    estimator : the learner
    min_features, max_features : int; max_features=None: all
    scoring, cv, fast, n_jobs, progress
        As in `SequentialFeatureSelector`.

    Attributes
    ----------
    support_ : bool array of shape (d,)
    best_score_ : float, mean over the folds
    n_subsets_, n_fits_ : int

    Raises
    ------
    ValueError
        Sizes that no subset has.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.array([[1, 3, 5], [2, 1, 4], [3, 4, 4], [4, 2, 1], [5, 5, 2], [6, 0, 0.0]])
    >>> search = ExhaustiveSelector(LinearRegression(), cv=3, scoring="neg_mean_squared_error")
    >>> search.fit(X, X[:, 0] - X[:, 1]).get_support(indices=True), search.n_subsets_
    (array([0, 1]), 7)
    """

    def __init__(
        self,
        estimator,
        *,
        min_features=1,
        max_features=None,
        scoring=None,
        cv=5,
        fast="auto",
        n_jobs=None,
        progress=False,
    ):
        self.estimator, self.min_features, self.max_features = estimator, min_features, max_features
        self.scoring, self.cv = scoring, cv
        self.fast, self.n_jobs, self.progress = fast, n_jobs, progress

    def fit(self, X, y=None):
        """Score them all."""
        X, scorer = self._checked_and_scorer(X, y)
        sizes = self._sizes(X.shape[1])
        best = None
        with self._bar(sum(comb(X.shape[1], k) for k in sizes)) as bar:
            for k in sizes:
                every = combinations(range(X.shape[1]), k)
                while batch := [np.array(subset) for subset in islice(every, BATCH)]:
                    *_, (best, _) = scorer.contests(best, batch)
                    bar.update(len(batch))
        self.best_score_ = best.score
        return self._keep(best.subset, scorer)

    def _sizes(self, d):
        low, high = self.min_features, d if self.max_features is None else self.max_features
        if not 1 <= low <= high <= d:
            raise ValueError(
                f"min_features={low}, max_features={high}: with n_features = {d} choose sizes "
                f"between 1 and {d}."
            )
        return range(low, high + 1)


class LasVegasWrapper(_Wrapper):
    """LVW: random subsets; a better one, or an equally good smaller one, replaces the best so far.

    It begins with all features and their error err*, so it always holds an answer, perhaps a poor one
    (erratum E71): the chance to draw one given subset of d features in T tries is about ``T / 2^d``, (9.14).
    err* is the least of many errors on the same folds, too good for fresh rows (E51).

    Short version: chapter 9, `lvw`.

    Parameters
    ----------
    estimator : the learner
    max_tries : int, T
    stop : 'failures' or 'total'
        The two readings of T: 'failures', tries in a row without success, counted from 0 after each (Liu and
        Setiono); 'total', tries in all.
    time_limit : float or None
        Seconds after which the best so far is returned; checked after every batch of tries.
    scoring, cv, fast, n_jobs
        As in `SequentialFeatureSelector`; ``cv=ShuffleSplit(1)`` is a hold-out. The error is 1 - score, and
        -score for a scoring that is the negative of a loss ('neg_mean_squared_error' …).
    random_state : int, RandomState or None
        The same draws whatever `n_jobs` and `fast`.
    progress : bool, show a progress bar

    Attributes
    ----------
    support_ : bool array of shape (d,)
    err_star_ : float
    err_star_history_ : array of shape (n_tries_ + 1,), err* at the start and after every try; never rises
    n_tries_, n_subsets_, n_fits_ : int

    Raises
    ------
    ValueError
        max_tries below 1, an unknown `stop`.

    References
    ----------
    Liu and Setiono, Feature selection and classification: a probabilistic wrapper approach, IEA/AIE 1996.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> search = LasVegasWrapper(LinearRegression(), max_tries=200, stop="total", random_state=0)
    >>> search.fit(X, X[:, 1] - X[:, 3]).get_support(indices=True)
    array([1, 3])
    """

    def __init__(
        self,
        estimator,
        *,
        max_tries=100,
        stop="failures",
        time_limit=None,
        scoring=None,
        cv=5,
        fast="auto",
        n_jobs=None,
        random_state=None,
        progress=False,
    ):
        self.estimator, self.max_tries, self.stop, self.time_limit = estimator, max_tries, stop, time_limit
        self.scoring, self.cv, self.random_state = scoring, cv, random_state
        self.fast, self.n_jobs, self.progress = fast, n_jobs, progress

    def fit(self, X, y=None):
        """Draw subsets until T or the time is used up."""
        self._check()
        X, scorer = self._checked_and_scorer(X, y)
        d, rng, begin = X.shape[1], check_random_state(self.random_state), perf_counter()
        ((best, _),) = scorer.contests(None, [np.arange(d)])
        history, failures = [best.score], 0  # scores of the best so far
        with self._bar(self.max_tries if self.stop == "total" else None) as bar:
            while left := self.max_tries - (failures if self.stop == "failures" else len(history) - 1):
                batch = [_random_subset(rng, d) for _ in range(min(left, scorer.at_a_time))]
                for champion, won in scorer.contests(best, batch):
                    best = champion
                    failures = 0 if won else failures + 1
                    history.append(max(best.score, history[-1]))
                bar.update(len(batch))
                if self.time_limit is not None and perf_counter() - begin > self.time_limit:
                    break
        self.err_star_history_ = self._error(np.array(history))
        self.err_star_, self.n_tries_ = float(self.err_star_history_[-1]), len(history) - 1
        return self._keep(best.subset, scorer)

    def _check(self):
        if self.max_tries < 1:
            raise ValueError(f"max_tries={self.max_tries}: try at least one subset.")
        check_choices(self, stop=("failures", "total"))

    def _error(self, score):
        return -score if isinstance(self.scoring, str) and self.scoring.startswith("neg_") else 1 - score


def _random_subset(rng, d):
    """Each of the 2^d - 1 subsets that are not empty, with equal probability."""
    while True:
        subset = np.flatnonzero(rng.random_sample(d) < 0.5)
        if len(subset):
            return subset


# ---------------------------------------------------------------- elimination by weight
@faster("elimination")
def smallest_weights(rfe, X, y, fit_params):
    """The function (columns, m): positions of the m smallest weights, of equals the first."""
    return lambda columns, m: np.argsort(rfe._weights(X[:, columns], y, fit_params), kind="stable")[:m]


def _learner_has(method):
    return lambda self: hasattr(getattr(self, "estimator_", self.estimator), method)


def _handed_on(method, summary):
    """A method of the learner, on the selected features; only where the learner has it."""

    def call(self, X):
        check_is_fitted(self)
        return getattr(self.estimator_, method)(self.transform(X))

    call.__name__, call.__doc__ = method, summary
    return available_if(_learner_has(method))(call)


class RFE(_Wrapper):
    """Recursive feature elimination: fit, drop the features with the smallest weights, fit again.

    A weight is ``|coef|`` (over several outputs: the sum of squares) or a feature importance. A linear
    learner's weights change with the units of the features: standardise first (erratum E25).

    Short version: chapter 9, `rfe`.

    Parameters
    ----------
    estimator : the learner, with `coef_` or `feature_importances_` once fitted
    n_features_to_select : int, float in (0, 1] or None (half)
    step : int >= 1, or float in (0, 1)
        How many features leave at a time, or which share of all.
    importance_getter : 'auto', dotted name of an attribute, or function of the fitted learner
    fast : 'auto', True or False
        Least squares: after one inverse every weight is down-dated, not fitted again; the same ranking.
    progress : bool, show a progress bar

    Attributes
    ----------
    support_ : bool array of shape (d,)
    ranking_ : int array of shape (d,), 1 for the selected, 2 for those that left last, …
    estimator_ : the learner, fitted to the selected features
    n_features_ : int
    n_fits_ : int, without the last one

    Raises
    ------
    ValueError
        More features than there are, a step of 0, a learner without weights.

    References
    ----------
    Guyon, Weston, Barnhill and Vapnik, Gene selection for cancer classification using support vector
    machines, Machine Learning 46, 2002.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> RFE(LinearRegression(), n_features_to_select=1).fit(X, X @ [3, 0, -5, 1]).ranking_
    array([2, 4, 1, 3])
    """

    def __init__(
        self,
        estimator,
        *,
        n_features_to_select=None,
        step=1,
        importance_getter="auto",
        fast="auto",
        progress=False,
    ):
        self.estimator, self.n_features_to_select, self.step = estimator, n_features_to_select, step
        self.importance_getter, self.fast, self.progress = importance_getter, fast, progress

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = deepcopy(inner.classifier_tags)
        tags.regressor_tags = deepcopy(inner.regressor_tags)
        for kind in (tags.classifier_tags, tags.regressor_tags):
            if kind is not None:
                kind.poor_score = True  # half of the features may be too few
        tags.target_tags.required = True
        tags.target_tags.multi_output = inner.target_tags.multi_output
        return tags

    def fit(self, X, y, **fit_params):
        """Rank the features and fit the learner to those that are left; `fit_params` go to its `fit`."""
        X, y = validate_data(
            self, X, y, accept_sparse="csc", ensure_min_features=2, ensure_all_finite=False, multi_output=True
        )
        k, step = self._how_many(X.shape[1]), self._step_size(X.shape[1])
        alive, left_in, rounds, self.n_fits_ = np.arange(X.shape[1]), np.zeros(X.shape[1], dtype=int), 0, 0
        weakest = smallest_weights(self, X, y, fit_params)
        with self._bar(X.shape[1] - k) as bar:
            while len(alive) > k:
                gone = weakest(alive, min(step, len(alive) - k))
                rounds += 1
                left_in[alive[gone]] = rounds
                alive = np.delete(alive, gone)
                bar.update(len(gone))
        self.support_, self.n_features_ = left_in == 0, k
        self.ranking_ = np.where(self.support_, 1, rounds + 2 - left_in)
        self.estimator_ = clone(self.estimator).fit(X[:, alive], y, **fit_params)
        return self

    def _how_many(self, d):
        k = d // 2 if self.n_features_to_select is None else self.n_features_to_select
        k = int(k * d) if not isinstance(k, Integral) else k
        if not 1 <= k <= d:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select} with n_features = {d}: "
                f"choose 1 to {d}, or a share in (0, 1] that keeps at least one."
            )
        return k

    def _step_size(self, d):
        if 0 < self.step < 1:
            return int(max(1, self.step * d))
        if self.step < 1 or self.step != int(self.step):
            raise ValueError(f"step={self.step}: drop 1, 2, … features at a time, or a share in (0, 1).")
        return int(self.step)

    def _weights(self, X, y, fit_params):
        """Squared weights of the fitted learner, (d,)."""
        model = clone(self.estimator).fit(X, y, **fit_params)
        self.n_fits_ += 1
        getter = self.importance_getter
        if getter == "auto":
            getter = next((name for name in ("coef_", "feature_importances_") if hasattr(model, name)), None)
            if getter is None:
                raise ValueError(
                    f"{type(model).__name__} has neither coef_ nor feature_importances_ once "
                    "fitted: say with importance_getter where its weights are."
                )
        weights = (attrgetter(getter) if isinstance(getter, str) else getter)(model)
        weights = weights.toarray() if issparse(weights) else np.asarray(weights)
        return (weights**2).reshape(-1, X.shape[1]).sum(axis=0)

    @property
    def classes_(self):
        """Class labels, where the learner is a classifier."""
        return self.estimator_.classes_

    @available_if(_learner_has("score"))
    def score(self, X, y, **score_params):
        """The learner's score on the selected features."""
        check_is_fitted(self)
        return self.estimator_.score(self.transform(X), y, **score_params)

    predict = _handed_on("predict", "The learner's prediction from the selected features.")
    decision_function = _handed_on("decision_function", "The learner's decision values from the features.")
    predict_proba = _handed_on("predict_proba", "The learner's class probabilities from the features.")
    predict_log_proba = _handed_on("predict_log_proba", "Their logarithms.")
