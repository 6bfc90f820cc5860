"""Classifiers that ask binary classifiers and combine what they say, chapter 11."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted, validate_data

from helpers._fast import faster
from helpers.multiclass.codes import (
    code_distance,
    exhaustive_code,
    nearest_code,
    pair_votes,
    pairs_code,
    random_code,
)

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier"]


def _has(name):
    def check(self):
        getattr(self.estimators_[0] if hasattr(self, "estimators_") else self.estimator, name)
        return True

    return check


class _Reduction(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What the three share: every column of a code book becomes a binary classifier."""

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.pairwise = inner.sparse, inner.pairwise
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def _validated(self, X, *y, **options):
        allow_nan = get_tags(self.estimator).input_tags.allow_nan
        return validate_data(
            self, X, *y, accept_sparse=["csr", "csc"], ensure_all_finite=not allow_nan, **options
        )

    def fit(self, X, y, sample_weight=None):
        """Train the binary classifiers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array of shape (n,)
        sample_weight : array of shape (n,) or None; only for an estimator that takes it
        """
        X, y = self._validated(X, y)
        check_classification_targets(y)
        self.classes_, classes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class only ({self.classes_[0]}): a binary classifier needs two.")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
            if (np.bincount(classes, sample_weight) > 0).sum() < 2:
                raise ValueError(
                    "Only one class has rows with a weight: a binary classifier needs rows of two classes."
                )
        signs = self._signs()  # (K, M) of -1, 0, +1
        pairwise = get_tags(self.estimator).input_tags.pairwise
        self._rows = [np.flatnonzero(column) for column in signs[classes].T] if pairwise else None
        self.estimators_ = fit_each(self.estimator, X, classes, signs, sample_weight, self.n_jobs)
        return self

    def scores(self, X):
        """What every binary classifier says: decision scores, else probabilities of +1; shape (n, M)."""
        check_is_fitted(self)
        return scores_of(self.estimators_, self._validated(X, reset=False), self._rows)

    @property
    def _threshold(self):
        return 0.0 if _decides(self.estimators_[0]) else 0.5

    @property
    def n_classes_(self):
        """Number of classes K."""
        return len(self.classes_)


@faster("ridge_classifiers")
def fit_each(estimator, X, classes, signs, sample_weight, n_jobs):
    """A binary classifier for every column of the code book signs, (K, M)."""
    return Parallel(n_jobs=n_jobs)(
        delayed(_fit_one)(clone(estimator), X, target, sample_weight) for target in signs[classes].T
    )


def _fit_one(estimator, X, target, sample_weight):
    rows = np.flatnonzero(target)  # only the classes that it is asked about
    weights = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
    pairwise = get_tags(estimator).input_tags.pairwise
    part = X if len(rows) == len(target) else X[rows][:, rows] if pairwise else X[rows]
    return estimator.fit(part, (target[rows] > 0).astype(int), **weights)


@faster("ridge_classifiers")
def scores_of(estimators, X, rows):
    """Shape (n, M); of a kernel matrix each has seen the columns of its rows only."""
    seen = [X] * len(estimators) if rows is None else [X[:, r] for r in rows]
    return np.column_stack([_score(estimator, part) for estimator, part in zip(estimators, seen)])


def _decides(estimator):
    return hasattr(estimator, "decision_function") and not is_regressor(estimator)


def _score(estimator, X):
    if is_regressor(estimator):
        return estimator.predict(X)
    return (
        np.ravel(estimator.decision_function(X)) if _decides(estimator) else estimator.predict_proba(X)[:, 1]
    )


class OneVsRestClassifier(_Reduction):
    """One binary classifier for every class, "c or not c?"; the most confident one wins, (11.1).

    Predicts ``argmax_c s_c(x)``: scores are compared, not yes or no, for all may say no. They should
    speak in one unit. With two classes one does. Several labels for a row (the twin's multilabel
    case) are not taken.

    Short version: chapter 11, `ovr_scores` and `ovr_predict`.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all columns at once.
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    estimators_ : list of K fitted binary classifiers (one for K = 2)

    Raises
    ------
    ValueError
        Only one class.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = [[0, 0], [1, 0], [8, 0], [9, 0], [0, 8], [0, 9]], list("aabbcc")
    >>> OneVsRestClassifier(RidgeClassifier()).fit(X, y).predict([[0, 1], [1, 8]])
    array(['a', 'c'], dtype='<U1')
    """

    def __init__(self, estimator, *, n_jobs=None):
        self.estimator = estimator
        self.n_jobs = n_jobs

    def _signs(self):
        K = len(self.classes_)
        return np.array([[-1], [1]]) if K == 2 else 2 * np.eye(K, dtype=int) - 1  # identity code

    def predict(self, X):
        """The class whose classifier is the most confident."""
        S = self.scores(X)
        best = (S[:, 0] > self._threshold).astype(int) if S.shape[1] == 1 else S.argmax(axis=1)
        return self.classes_[best]

    @available_if(_has("decision_function"))
    def decision_function(self, X):
        """Score of every class, shape (n, K); (n,) for two classes."""
        S = self.scores(X)
        return S[:, 0] if S.shape[1] == 1 else S

    @available_if(_has("predict_proba"))
    def predict_proba(self, X):
        """Each one's probability of its class, divided by their sum; shape (n, K)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        P = np.column_stack([one.predict_proba(X)[:, 1] for one in self.estimators_])
        P = np.column_stack([1 - P, P]) if P.shape[1] == 1 else P
        total = P.sum(axis=1, keepdims=True)
        return np.divide(P, total, out=P, where=total != 0)


class OneVsOneClassifier(_Reduction):
    """A binary classifier for every pair of classes, trained on their rows only; most votes win.

    K(K-1)/2 of them, each with 2n/K rows of n where classes are equal: often less work than one-vs-rest,
    more to store. Equal votes are told apart by their confidence, see `pair_votes`.

    Short version: chapter 11, `ovo_scores`.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all columns at once.
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    estimators_ : list of K(K-1)/2 fitted binary classifiers, pairs in the order (0, 1), (0, 2), …, (K-2, K-1)

    Raises
    ------
    ValueError
        Only one class.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = [[0, 0], [1, 0], [8, 0], [9, 0], [0, 8], [0, 9]], list("aabbcc")
    >>> model = OneVsOneClassifier(RidgeClassifier()).fit(X, y)
    >>> model.predict([[0, 1], [1, 8]]), len(model.estimators_)
    (array(['a', 'c'], dtype='<U1'), 3)
    """

    def __init__(self, estimator, *, n_jobs=None):
        self.estimator = estimator
        self.n_jobs = n_jobs

    def _signs(self):
        return pairs_code(len(self.classes_))

    def decision_function(self, X):
        """Votes and their tie-break, shape (n, K); for two classes the second column, shape (n,)."""
        V = pair_votes(self.scores(X), len(self.classes_), threshold=self._threshold)
        return V[:, 1] if V.shape[1] == 2 else V

    def predict(self, X):
        """The class with the most votes."""
        V = self.decision_function(X)
        return self.classes_[(V > 0).astype(int) if V.ndim == 1 else V.argmax(axis=1)]


class OutputCodeClassifier(_Reduction):
    """Error-correcting output codes: binary classifiers spell a word, the nearest code word wins.

    Short version: chapter 11, `ecoc_scores`.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all columns at once.
    code : 'random', 'exhaustive' or array of shape (K, M)
        'random': no constant, repeated or complementary column, rows distinct (the twin's may have all of
        these). 'exhaustive': all 2^(K-1) - 1 columns. An array of two values (0/1, -1/+1): its larger value
        means "positive".
    code_size : float
        'random': M is this many times K, and no more than 2^(K-1) - 1.
    decoding : 'soft' or 'hard'
        Distance from a word to the classifiers' scores (Euclid, as the twin) or to their yes and no
        (Hamming).
    random_state : int, RandomState or None
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    code_book_ : array of shape (K, M); -1 and +1 where they give decision scores, else 0 and 1
    estimators_ : list of M fitted binary classifiers

    Raises
    ------
    ValueError
        Only one class; equal rows or a constant column in the code; too few columns for K different words.

    References
    ----------
    Dietterich and Bakiri, Solving multiclass learning problems via error-correcting output codes, JAIR 2,
    1995. Allwein, Schapire and Singer, Reducing multiclass to binary, JMLR 1, 2000.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = [[0, 0], [1, 0], [8, 0], [9, 0], [0, 8], [0, 9]], list("aabbcc")
    >>> OutputCodeClassifier(RidgeClassifier(), code="exhaustive").fit(X, y).predict([[0, 1], [1, 8]])
    array(['a', 'c'], dtype='<U1')
    """

    def __init__(
        self, estimator, *, code="random", code_size=1.5, decoding="soft", random_state=None, n_jobs=None
    ):
        self.estimator = estimator
        self.code = code
        self.code_size = code_size
        self.decoding = decoding
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _signs(self):
        if self.decoding not in ("soft", "hard"):
            raise ValueError(f"decoding={self.decoding!r}: use 'soft' or 'hard'.")
        code = self._code(len(self.classes_))
        self.code_book_ = np.where(code > 0, 1.0, -1.0 if _decides(self.estimator) else 0.0)
        return np.where(code > 0, 1, -1)

    def _code(self, K):
        if not isinstance(self.code, str):
            return _checked_code(self.code, K)
        if self.code == "exhaustive":
            return exhaustive_code(K)
        if self.code != "random":
            raise ValueError(f"code={self.code!r}: use 'random', 'exhaustive' or an array of shape (K, M).")
        return random_code(K, min(int(K * self.code_size), 2 ** (K - 1) - 1), random_state=self.random_state)

    def predict(self, X):
        """The class whose word is nearest to what the classifiers say."""
        outputs = self.scores(X)
        if self.decoding == "hard":
            outputs = np.where(outputs > self._threshold, self.code_book_.max(), self.code_book_.min())
        return self.classes_[nearest_code(outputs, self.code_book_)]


def _checked_code(code, K):
    code = check_array(code)
    if len(code) != K:
        raise ValueError(f"The code has {len(code)} rows for {K} classes: give one row for each class.")
    if len(np.unique(code)) != 2:
        raise ValueError(f"The code holds the values {np.unique(code)[:5]}: use two, such as 0 and 1.")
    if (code == code[0]).all(axis=0).any():
        raise ValueError("A column of the code is constant: its classifier would see one class only.")
    if code_distance(code) == 0:
        raise ValueError("Two rows of the code are equal: nothing could tell their classes apart.")
    return code > code.min()
