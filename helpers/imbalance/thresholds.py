"""Moving the threshold instead of the data: rescaled posteriors, and where to cut, chapter 12."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import assert_all_finite, check_is_fitted, column_or_1d

__all__ = [
    "ThresholdClassifier",
    "rescale",
    "threshold_by_cost",
    "threshold_by_prior",
    "threshold_curve",
    "under_priors",
]


def rescale(p, n_pos, n_neg):
    """The posterior as if both classes were equally frequent, (12.6).

    ``p̄ / (1 - p̄) = p / (1 - p) · N⁻ / N⁺``; then p̄ > 1/2 says the same as p > N⁺/N. For
    calibrated p it is p > 1/2 that makes the fewest errors: the rescaled rule minimises the *balanced*
    error, that is, errors on a positive cost N⁻/N⁺ times as much.

    Parameters
    ----------
    p : array, probabilities of the positive class
    n_pos, n_neg : float, rows of the two classes in training

    Returns
    -------
    array like p

    Raises
    ------
    ValueError
        A probability outside [0, 1], or an empty class.

    References
    ----------
    Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier to new a priori probabilities,
    Neural Computation 14, 2002.

    Examples
    --------
    One in ten rows is positive: a row that is as likely positive as any other has odds 1 after rescaling.

    >>> rescale([0.1, 0.5], n_pos=10, n_neg=90)
    array([0.5, 0.9])
    """
    return under_priors(p, threshold_by_prior(n_pos, n_neg), 0.5)


def under_priors(p, train, new):
    """The posterior under another share of positives, both class densities kept, (12.6).

    ``odds_new = odds · new / (1 - new) · (1 - train) / train``: Bayes' rule with the other prior.

    Short version: chapter 12, `under_priors`.

    Parameters
    ----------
    p : array, probabilities of the positive class
    train, new : float in (0, 1), share of positives in training and where the model is used

    Returns
    -------
    array like p

    Raises
    ------
    ValueError
        Numbers that are no probabilities, or a share of positives outside (0, 1).

    Examples
    --------
    Trained half and half, used where one in ten is positive:

    >>> under_priors([0.5, 0.9], train=0.5, new=0.1)
    array([0.1, 0.5])
    """
    p = np.asarray(p, float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p holds values outside [0, 1]: give probabilities, not scores.")
    if not (0 < train < 1 and 0 < new < 1):
        raise ValueError(f"train={train}, new={new}: a share of positives lies between 0 and 1.")
    for_positive, for_negative = p * new / train, (1 - p) * (1 - new) / (1 - train)
    return for_positive / (for_positive + for_negative)


def threshold_by_prior(n_pos, n_neg):
    """``N⁺ / (N⁺ + N⁻)``: above it p speaks for positive more than the prior does, (12.5).

    A share is compared with a share: with the odds p / (1 - p) it is N⁺ / N⁻ that is compared.

    Parameters
    ----------
    n_pos, n_neg : float > 0, rows of the two classes in training

    Returns
    -------
    threshold : float in (0, 1), for probabilities

    Raises
    ------
    ValueError
        A class without rows.

    Examples
    --------
    >>> threshold_by_prior(3, 7)
    0.3
    """
    if not (n_pos > 0 and n_neg > 0):
        raise ValueError(f"n_pos={n_pos}, n_neg={n_neg}: both classes need rows.")
    return n_pos / (n_pos + n_neg)


def threshold_by_cost(false_positive, false_negative):
    """``c_FP / (c_FP + c_FN)``: above it "positive" costs less on average, for calibrated p, (12.8).

    Saying positive costs ``(1 - p) c_FP``, saying negative ``p c_FN``.

    Parameters
    ----------
    false_positive, false_negative : float >= 0, costs of the two errors in one unit

    Returns
    -------
    threshold : float in [0, 1], for probabilities

    Raises
    ------
    ValueError
        A negative cost, or none above 0.

    References
    ----------
    Elkan, The foundations of cost-sensitive learning, IJCAI 2001.

    Examples
    --------
    >>> threshold_by_cost(false_positive=1, false_negative=9)
    0.1
    """
    if not (false_positive >= 0 and false_negative >= 0 and false_positive + false_negative > 0):
        raise ValueError(
            f"Costs {false_positive} and {false_negative}: none may be negative, one must be positive."
        )
    return false_positive / (false_positive + false_negative)


def _share(part, whole):
    """part / whole, and 0 where nothing can be shared (as scikit-learn's metrics)."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole != 0)


METRICS = {  # of true positives, false positives, false negatives, true negatives
    "accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "balanced_accuracy": lambda tp, fp, fn, tn: (_share(tp, tp + fn) + _share(tn, tn + fp)) / 2,
    "f1": lambda tp, fp, fn, tn: _share(2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn, tn: _share(tp, tp + fp + fn),
    "precision": lambda tp, fp, fn, tn: _share(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: _share(tp, tp + fn),
}


def threshold_curve(positive, scores, thresholds=None, metric="balanced_accuracy"):
    """A metric at every threshold at once: "positive" is said where score ≥ threshold, chapter 12.

    One sort gives the counts of all thresholds; a loop would count every row again for each.

    Parameters
    ----------
    positive : bool array of shape (n,)
    scores : array of shape (n,)
    thresholds : array or None, all different scores in ascending order
    metric : a name in `METRICS`, or a function of (tp, fp, fn, tn), arrays with a value for every threshold

    Returns
    -------
    thresholds, values : arrays of one shape

    Raises
    ------
    ValueError
        Labels and scores of unlike shape, NaN, or an unknown metric.

    Examples
    --------
    >>> thresholds, values = threshold_curve([False, False, True, True], [0.1, 0.3, 0.2, 0.9])
    >>> thresholds, values
    (array([0.1, 0.2, 0.3, 0.9]), array([0.5 , 0.75, 0.5 , 0.75]))
    """
    positive, scores = np.asarray(positive, bool), np.asarray(scores, float)
    if positive.shape != scores.shape or np.isnan(scores).any():
        raise ValueError(
            f"positive has shape {positive.shape}, scores {scores.shape}: give one label and one score, "
            "not NaN, for each row."
        )
    if not callable(metric) and metric not in METRICS:
        raise ValueError(
            f"metric={metric!r}: use {', '.join(map(repr, METRICS))}, or a function of (tp, fp, fn, tn)."
        )
    thresholds = np.unique(scores) if thresholds is None else np.asarray(thresholds, float)
    n_pos, n_neg = positive.sum(), (~positive).sum()
    tp = n_pos - np.searchsorted(np.sort(scores[positive]), thresholds)
    fp = n_neg - np.searchsorted(np.sort(scores[~positive]), thresholds)
    return thresholds, METRICS.get(metric, metric)(tp, fp, n_pos - tp, n_neg - fp)


class _Says(ClassifierMixin, BaseEstimator):
    """A classifier that says what it was given: lets any scorer score a vector of labels."""

    def __init__(self, labels, classes_):
        self.labels, self.classes_ = labels, classes_

    def predict(self, X):
        return self.labels


def _has(name):
    def check(self):
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    return check


class ThresholdClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A two-class classifier cut elsewhere: positive where score ≥ threshold, chapter 12.

    The positive class is the one that sorts last.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or `decision_function`
    threshold : 'tuned', 'prior', 'cost' or float
        'tuned': the best of `thresholds`, its score averaged over the validation parts of `cv`, as
        scikit-learn's TunedThresholdClassifierCV. 'prior': the share of positives among the training rows.
        'cost': from `costs`. A number: as scikit-learn's FixedThresholdClassifier.
    costs : (float, float), of a false positive and of a false negative
    scoring : name or scorer
        Names in `METRICS` are evaluated at all thresholds by one sort; anything else that scikit-learn's
        `check_scoring` takes is evaluated at each.
    response_method : 'auto' (probabilities where there are any), 'predict_proba' or 'decision_function'
    thresholds : int (that many, equally spaced over the scores of each part) or array
    cv : int, splitter, float in (0, 1) (one stratified hold-out), 'prefit' or None (5 stratified folds)
    refit : bool
        After tuning fit on all rows; else keep the fit on the first training part (one split only).
    random_state : int, RandomState or None, of a hold-out
    n_jobs : int or None, folds at a time

    Attributes
    ----------
    best_threshold_ : float
    best_score_ : float, mean score at that threshold; only 'tuned'. Chosen as the best: optimistic
    cv_results_ : dict with arrays 'thresholds' and 'scores'; only 'tuned'
    estimator_ : the fitted classifier
    classes_ : array of shape (2,)

    Raises
    ------
    ValueError
        More or fewer than two classes; constant predictions; an option that is not known.

    References
    ----------
    Provost and Fawcett, Robust classification for imprecise environments, Machine Learning 42, 2001.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.arange(10.0)[:, None], np.array(list("nnnnynnnny"))
    >>> model = ThresholdClassifier(GaussianNB(), threshold="prior").fit(X, y)
    >>> model.best_threshold_, "".join(model.predict(X)), "".join(GaussianNB().fit(X, y).predict(X))
    (0.2, 'nnnnnnyyyy', 'nnnnnnnnnn')
    """

    def __init__(
        self,
        estimator,
        *,
        threshold="tuned",
        costs=(1.0, 1.0),
        scoring="balanced_accuracy",
        response_method="auto",
        thresholds=100,
        cv=None,
        refit=True,
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.threshold = threshold
        self.costs = costs
        self.scoring = scoring
        self.response_method = response_method
        self.thresholds = thresholds
        self.cv = cv
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags

    def fit(self, X, y):
        """Fit the classifier and find the threshold."""
        X, y = indexable(X, y)
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary" or len(np.unique(y)) < 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{kind} with {len(np.unique(y))} class(es): give two."
            )
        if self.threshold == "tuned":
            self._tune(X, y)
        else:
            self.estimator_ = self.estimator if self.cv == "prefit" else clone(self.estimator).fit(X, y)
            self.best_threshold_ = self._given_threshold(y == self.classes_[1])
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _given_threshold(self, positive):
        if isinstance(self.threshold, Real):
            return float(self.threshold)
        if self.threshold not in ("prior", "cost"):
            raise ValueError(f"threshold={self.threshold!r}: use 'tuned', 'prior', 'cost' or a number.")
        if self._response(self.estimator_) != "predict_proba":
            raise ValueError(
                f"threshold={self.threshold!r} is a share: the classifier must give probabilities."
            )
        if self.threshold == "cost":
            return threshold_by_cost(*self.costs)
        return float(threshold_by_prior(positive.sum(), (~positive).sum()))

    def _tune(self, X, y):
        """Score every threshold on rows that the fit has not seen."""
        splits = self._splits(X, y)
        if self.cv == "prefit":
            self.estimator_ = self.estimator
        else:
            rows = slice(None) if self.refit else splits[0][0]
            self.estimator_ = clone(self.estimator).fit(_safe_indexing(X, rows), y[rows])
        parts = Parallel(n_jobs=self.n_jobs)(delayed(self._curve)(X, y, *split) for split in splits)
        if any(np.isclose(t[0], t[-1]) for t, _ in parts):
            raise ValueError("The classifier makes constant predictions: there is no threshold to tune.")
        grid = self.thresholds
        if isinstance(grid, Integral):
            grid = np.linspace(min(t.min() for t, _ in parts), max(t.max() for t, _ in parts), grid)
        mean = np.mean([np.interp(grid, t, values) for t, values in parts], axis=0)
        self.cv_results_ = {"thresholds": np.asarray(grid), "scores": mean}
        self.best_threshold_, self.best_score_ = grid[mean.argmax()], mean.max()

    def _splits(self, X, y):
        """Pairs of training and validation rows."""
        from sklearn.model_selection import StratifiedShuffleSplit, check_cv

        if isinstance(self.cv, str):
            if self.cv != "prefit" or self.refit:
                raise ValueError(f"cv={self.cv!r} with refit={self.refit}: 'prefit' needs refit=False.")
            check_is_fitted(self.estimator, "classes_")
            return [(None, np.arange(len(y)))]
        if isinstance(self.cv, Real) and 0 < self.cv < 1:
            cv = StratifiedShuffleSplit(1, test_size=self.cv, random_state=self.random_state)
        else:
            cv = check_cv(self.cv, y=y, classifier=True)
        splits = list(cv.split(X, y))
        if not self.refit and len(splits) > 1:
            raise ValueError("refit=False keeps the fit of one split, and cv has several: use refit=True.")
        return splits

    def _curve(self, X, y, train, rows):
        """Thresholds and their scores on the validation rows of one split."""
        model = self.estimator_
        if train is not None:
            if len(np.unique(y[train])) < 2:
                raise ValueError(
                    "The training rows of a fold hold one class only: use stratified folds, or fewer, so "
                    "that each has rows of both."
                )
            model = clone(self.estimator).fit(_safe_indexing(X, train), y[train])
        part, truth = _safe_indexing(X, rows), y[rows]
        s = self._scores(model, part)
        grid = self.thresholds
        if isinstance(grid, Integral):
            grid = np.linspace(s.min(), s.max(), grid)
        if isinstance(self.scoring, str) and self.scoring in METRICS:
            return threshold_curve(truth == model.classes_[1], s, grid, self.scoring)
        from sklearn.metrics import check_scoring

        scorer = check_scoring(model, scoring=self.scoring)
        said = [model.classes_[(s >= t).astype(int)] for t in grid]
        return np.asarray(grid), np.array([
            scorer(_Says(labels, model.classes_), part, truth) for labels in said
        ])

    def _response(self, model):
        if self.response_method == "auto":
            return "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
        if self.response_method not in ("predict_proba", "decision_function"):
            raise ValueError(
                f"response_method={self.response_method!r}: use 'auto', 'predict_proba' or "
                "'decision_function'."
            )
        if not hasattr(model, self.response_method):
            raise ValueError(
                f"{type(model).__name__} has no {self.response_method}: use response_method='auto'."
            )
        return self.response_method

    def _scores(self, model, X):
        method = self._response(model)
        scores = getattr(model, method)(X)
        return scores[:, 1] if method == "predict_proba" else scores

    @property
    def classes_(self):
        """The two classes; the second is the positive one."""
        return self.estimator_.classes_

    def predict(self, X):
        """The positive class where the score is at least `best_threshold_`."""
        check_is_fitted(self, "estimator_")
        return self.classes_[(self._scores(self.estimator_, X) >= self.best_threshold_).astype(int)]

    @available_if(_has("predict_proba"))
    def predict_proba(self, X):
        """The classifier's own probabilities: moving the threshold does not change them."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.predict_proba(X)

    @available_if(_has("decision_function"))
    def decision_function(self, X):
        """The classifier's own scores."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.decision_function(X)
