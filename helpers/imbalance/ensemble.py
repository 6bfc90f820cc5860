"""Boosted stumps, and many of them on balanced samples of an unbalanced table, chapter 12."""

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from helpers._checks import check_count, validate_data
from helpers._linalg import dense
from helpers._tags import tagged
from helpers.imbalance.sampling import RandomUnderSampler

__all__ = ["AdaBoostClassifier", "EasyEnsembleClassifier"]


def _two_classes(y):
    """Class labels, and the rows' class as 0 or 1."""
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(
            f"Only binary classification is supported: y has {len(classes)} class(es). Give two; with more "
            "of them wrap the classifier in OneVsRestClassifier."
        )
    return classes, codes


class _Stumps:
    """Every stump of a table, ready to be weighed: one sort serves all rounds of boosting.

    A stump says a where x_j ≤ t, else b, with a, b = ±1. Between two values of a sorted feature the weights
    left of the cut are a running sum.
    """

    def __init__(self, X, sign):
        self.X, self.sign = X, sign
        self.order = X.argsort(axis=0, kind="stable")  # (n, d)
        self.sorted = np.take_along_axis(X, self.order, 0)
        self.no_cut = ~(self.sorted[1:] > self.sorted[:-1])  # (n - 1, d): equal values stay together
        self.ones = (sign > 0).astype(float)

    def best(self, w):
        """The cut of least weighted Gini impurity, a tree of depth 1: (feature, threshold, a, b)."""
        total, positive = w.sum(), w @ self.ones
        left = w[self.order].cumsum(axis=0)[:-1]  # weight left of every cut
        left_positive = (w * self.ones)[self.order].cumsum(axis=0)[:-1]
        right, right_positive = total - left, positive - left_positive
        with np.errstate(divide="ignore", invalid="ignore"):
            purity = _purity(left_positive, left) + _purity(right_positive, right)
        purity[self.no_cut | ~np.isfinite(purity)] = -1
        if purity.max(initial=-1) < 0:  # constant features: one leaf
            return 0, np.inf, _majority(positive, total), _majority(positive, total)
        best = purity >= purity.max() * (1 - 1e-12)  # equal up to rounding
        j, i = divmod(best.T.argmax(), len(purity))  # first feature, then first cut
        low, high = self.sorted[i : i + 2, j]
        middle = low / 2 + high / 2
        cut = middle if middle < high else low  # between two neighbouring floats lies no other
        return (
            j,
            cut,
            _majority(left_positive[i, j], left[i, j]),
            _majority(right_positive[i, j], right[i, j]),
        )


def _purity(positive, total):
    """Weight times (1 - Gini impurity): ``(w⁺² + w⁻²) / (w⁺ + w⁻)``."""
    return (positive**2 + (total - positive) ** 2) / total


def _majority(positive, total):
    return 1.0 if 2 * positive > total else -1.0


@tagged("classifier_tags", multi_class=False)
@tagged("input_tags", sparse=True)
class AdaBoostClassifier(ClassifierMixin, BaseEstimator):
    """Boosted decision stumps for two classes, the learner of EasyEnsemble, chapter 12.

    Round t picks the stump h_t of least weighted impurity, gives it ``α_t = ν log((1 - ε_t) / ε_t)`` with
    its weighted error ε_t, and multiplies the weights of its errors by e^α. The decision is ``2 Σ α_t
    h_t(x) / Σ α_t``. scikit-learn's AdaBoostClassifier on its default stumps; of equally good cuts this
    takes the first feature's first one, scikit-learn a random feature's. (Its trees also round X to float32.)

    Parameters
    ----------
    n_estimators : int, rounds at most; fewer when a stump makes no error
    learning_rate : float > 0, ν

    Attributes
    ----------
    classes_ : array of shape (2,)
    stumps_ : array of shape (T, 4), rows (feature, threshold, answer ±1 up to it, answer above it)
    estimator_weights_, estimator_errors_ : arrays of shape (T,), α and ε

    Raises
    ------
    ValueError
        More or fewer than two classes; not even the first stump beats chance.

    References
    ----------
    Freund and Schapire, A decision-theoretic generalization of on-line learning, JCSS 55, 1997.

    Examples
    --------
    >>> X, y = np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 0, 0])
    >>> model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> model.stumps_[0], model.estimator_errors_[:1].round(3), model.score(X, y)
    (array([ 0. ,  3.5,  1. , -1. ]), array([0.167]), 1.0)
    """

    def __init__(self, n_estimators=50, *, learning_rate=1.0):
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate

    def fit(self, X, y, sample_weight=None):
        """Boost; weights default to equal ones. The zeros of sparse rows are written out."""
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_count("n_estimators", self.n_estimators)
        if not self.learning_rate > 0:
            raise ValueError(
                f"learning_rate={self.learning_rate}: give a number > 0; 1 is AdaBoost as published."
            )
        self.classes_, codes = _two_classes(y)
        w = _check_sample_weight(sample_weight, X, dtype=float, copy=True, ensure_non_negative=True)
        used = w > 0  # weightless rows do not exist
        if len(np.unique(codes[used])) < 2:
            raise ValueError("Only one class has rows with a weight: give two classes.")
        sign, stumps = np.where(codes[used] == 1, 1.0, -1.0), []
        table, w = _Stumps(dense(X[used]), sign), w[used]
        for _ in range(self.n_estimators):
            w = np.maximum(w / w.sum(), np.finfo(float).eps)  # no row is quite forgotten
            stump, error, wrong = self._round(table, w)
            if error >= 0.5:
                break
            alpha = self.learning_rate * np.log((1 - error) / error) if error > 0 else 1.0
            stumps.append((*stump, alpha, error))
            if error <= 0:
                break
            w = w * np.exp(min(alpha, 700) * wrong)  # e^710 is more than a float holds
        if not stumps:
            raise ValueError("No stump beats chance: no feature alone tells the classes apart.")
        model = np.array(stumps)
        self.stumps_, self.estimator_weights_, self.estimator_errors_ = model[:, :4], model[:, 4], model[:, 5]
        return self

    @staticmethod
    def _round(table, w):
        """The best stump, its weighted error and the rows it gets wrong."""
        j, cut, a, b = stump = table.best(w)
        wrong = np.where(table.X[:, j] <= cut, a, b) != table.sign
        return stump, w[wrong].sum() / w.sum(), wrong

    def decision_function(self, X):
        """``2 Σ α_t h_t(x) / Σ α_t``, shape (n,); above 0 the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        j, cut, a, b = self.stumps_.T
        alpha = self.estimator_weights_ / self.estimator_weights_.sum()
        return 2 * ((dense(X[:, j.astype(int)]) <= cut) @ (alpha * (a - b)) + alpha @ b)

    def predict(self, X):
        """The class with the larger say."""
        decision = self.decision_function(X)
        return self.classes_[(decision > 0).astype(int)]

    def predict_proba(self, X):
        """``1 / (1 + e^(-decision))`` for the second class, as scikit-learn; shape (n, 2)."""
        p = expit(self.decision_function(X))
        return np.column_stack([1 - p, p])


def _seeded(estimator, rng):
    """A fresh copy, each of its random states drawn from ours."""
    copy = clone(estimator)
    names = sorted(name for name in copy.get_params() if name.split("__")[-1] == "random_state")
    return copy.set_params(**{name: rng.randint(2**31 - 1) for name in names})


def _has(name):
    def check(self):
        getattr(self.estimators_[0] if hasattr(self, "estimators_") else self._base(), name)
        return True

    return check


class EasyEnsembleClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Undersample many times, boost each sample, average: little of the frequent class is lost, chapter 12.

    Parameters
    ----------
    n_estimators : int, balanced samples
    estimator : classifier or None (`AdaBoostClassifier` of 50 stumps)
    sampling_strategy : see `RandomUnderSampler`
    replacement : bool
    n_jobs : int or None, fits at a time
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : array of shape (2,)
    estimators_ : list of the fitted classifiers
    estimators_samples_ : list of int arrays, the rows that each was fitted on

    Raises
    ------
    ValueError
        More or fewer than two classes.

    References
    ----------
    Liu, Wu and Zhou, Exploratory undersampling for class-imbalance learning, IEEE Trans. SMC-B 39, 2009.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = (X[:, 0] > 1.5).astype(int)
    >>> model = EasyEnsembleClassifier(random_state=0).fit(X, y)
    >>> y.sum(), model.predict([[2.5, 0.0], [0.0, 0.0]])
    (np.int64(14), array([1, 0]))
    """

    def __init__(
        self,
        n_estimators=10,
        estimator=None,
        *,
        sampling_strategy="auto",
        replacement=False,
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.estimator = estimator
        self.sampling_strategy = sampling_strategy
        self.replacement = replacement
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self._base()).input_tags
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags

    def _base(self):
        return AdaBoostClassifier() if self.estimator is None else self.estimator

    def _validated(self, X, *y, **options):
        inner = get_tags(self._base()).input_tags
        return validate_data(
            self,
            X,
            *y,
            accept_sparse="csr" if inner.sparse else False,
            ensure_all_finite=not inner.allow_nan,
            **options,
        )

    def fit(self, X, y):
        """Fit one classifier on each balanced sample."""
        X, y = self._validated(X, y)
        check_count("n_estimators", self.n_estimators)
        self.classes_, codes = _two_classes(y)
        rng = check_random_state(self.random_state)
        self.estimators_samples_ = [self._sample(codes, y, rng) for _ in range(self.n_estimators)]
        self.estimators_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_seeded(self._base(), rng).fit)(X[rows], y[rows]) for rows in self.estimators_samples_
        )
        return self

    def _sample(self, codes, y, rng):
        """All rows of the rare class and as many of the other."""
        sampler = RandomUnderSampler(
            sampling_strategy=self.sampling_strategy, replacement=self.replacement, random_state=rng
        )
        sampler.fit_resample(np.empty((len(y), 1)), y)
        return sampler.sample_indices_

    def predict_proba(self, X):
        """Mean of the members' probabilities (of their votes where they have none); shape (n, 2)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        if hasattr(self.estimators_[0], "predict_proba"):
            return np.mean([member.predict_proba(X) for member in self.estimators_], axis=0)
        votes = np.mean([member.predict(X) == self.classes_[1] for member in self.estimators_], axis=0)
        return np.column_stack([1 - votes, votes])

    @available_if(_has("decision_function"))
    def decision_function(self, X):
        """Mean of the members' decisions; shape (n,)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        return np.mean([member.decision_function(X) for member in self.estimators_], axis=0)

    def predict(self, X):
        """The class with the larger mean probability."""
        P = self.predict_proba(X)
        return self.classes_[P.argmax(axis=1)]
