"""Many classes from two-class judges: one-vs-rest, one-vs-one and output codes, chapter 11.

All three are one idea: a code book of shape (K, M) with a row for each class and a column for each judge.
In its column a judge calls the classes marked +1 positive, those marked -1 negative, and is never asked
about those marked 0.
"""
from copy import copy

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.random import sample_without_replacement
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted, validate_data

__all__ = ["OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier", "code_distance",
           "errors_corrected", "exhaustive_code", "nearest_code", "pair_votes", "pairs_code", "random_code"]

LIMIT = 2**22  # numbers that the class scatters of the ridge path may hold


def pairs_code(n_classes):
    """Code book of one-vs-one, items 11.4 and 11.6: the judge of (i, j), i < j, says -1 for i and +1 for j.

    Parameters
    ----------
    n_classes : int >= 2, K

    Returns
    -------
    code : int array of shape (K, K(K-1)/2), values -1, 0, +1

    Raises
    ------
    ValueError
        Fewer than two classes.

    Examples
    --------
    >>> pairs_code(3)
    array([[-1, -1,  0],
           [ 1,  0, -1],
           [ 0,  1,  1]])
    """
    if n_classes < 2:
        raise ValueError(f"n_classes={n_classes}: a pair needs two classes.")
    i, j = np.triu_indices(n_classes, 1)
    code = np.zeros((n_classes, len(i)), int)
    code[i, np.arange(len(i))] = -1
    code[j, np.arange(len(j))] = 1
    return code


def pair_votes(scores, n_classes, *, threshold=0.0):
    """Votes of the K(K-1)/2 judges, equal counts told apart by their confidence, item 11.5, (11.3).

    A score above the threshold is a vote for j, else for i. To the votes comes ``c / (3 (|c| + 1))``, where
    c sums how far above (for j) or below (for i) the threshold the scores of a class lie: less than 1/3, so
    that it decides between equal counts only.

    Parameters
    ----------
    scores : array of shape (n, K(K-1)/2), pairs in the order of `pairs_code`
    n_classes : int, K
    threshold : float, 0 for decision scores, 0.5 for probabilities

    Returns
    -------
    array of shape (n, K)

    References
    ----------
    Hastie and Tibshirani, Classification by pairwise coupling, Annals of Statistics 26, 1998. The rule for
    ties is scikit-learn's (which does not subtract the 0.5 of probabilities: there a tie favours classes
    that sort last).

    Examples
    --------
    A cycle, one vote each: the judge of (0, 2) was the surest, and spoke for 0.

    >>> pair_votes(np.array([[0.1, -3.0, 0.2]]), 3).round(2)
    array([[1.25, 0.97, 0.75]])
    """
    code = pairs_code(n_classes).astype(float)
    votes = (scores > threshold).astype(float) @ code.T + (code < 0).sum(axis=1)  # all for i, bar the yeses
    confidence = scores @ code.T - threshold * code.sum(axis=1)
    return votes + confidence / (3 * (np.abs(confidence) + 1))


def exhaustive_code(n_classes):
    """Every way to split K classes in two, once: 2^(K-1) - 1 columns, item 11.9, (11.7).

    The first row is all ones; row i (from 1) alternates runs of 2^(K-i) zeros and ones.

    Parameters
    ----------
    n_classes : int, K, 2 to 16 (these have 32,767 columns)

    Returns
    -------
    code : int array of shape (K, 2^(K-1) - 1) of zeros and ones

    Raises
    ------
    ValueError
        Fewer than 2 classes, or more than 16.

    References
    ----------
    Dietterich and Bakiri, Solving multiclass learning problems via error-correcting output codes, JAIR 2,
    1995.

    Examples
    --------
    >>> exhaustive_code(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])
    """
    if not 2 <= n_classes <= 16:
        raise ValueError(f"An exhaustive code of {n_classes} classes has 2**{n_classes - 1} - 1 columns: "
                         "use it for 2 to 16 classes, and code='random' for more.")
    return _columns(np.arange(2 ** (n_classes - 1) - 1), n_classes)


def _columns(numbers, n_classes):
    """Column m: a one, then m in binary. All ones is no split, a complement the same: both left out."""
    bits = numbers >> np.arange(n_classes - 2, -1, -1)[:, None] & 1                # (K - 1, M)
    return np.vstack([np.ones(len(numbers), int), bits])


def random_code(n_classes, n_columns, *, random_state=None):
    """A random code book: each judge has a question of its own, each class a word of its own, item 11.8.

    No column is constant, repeated or the complement of another; rows are distinct.

    Parameters
    ----------
    n_classes : int, K
    n_columns : int, M, from log2 K (fewer cannot tell K classes apart) to 2^(K-1) - 1 (no more questions)
    random_state : int, RandomState or None

    Returns
    -------
    code : int array of shape (K, M) of zeros and ones

    Raises
    ------
    ValueError
        A number of columns out of that range.

    Examples
    --------
    >>> random_code(4, 3, random_state=0).shape
    (4, 3)
    """
    fewest, most = int(np.ceil(np.log2(n_classes))), 2 ** (n_classes - 1) - 1
    if not fewest <= n_columns <= most:
        raise ValueError(f"{n_columns} columns for {n_classes} classes: choose {fewest} (words must differ) "
                         f"to {most} (there are no more ways to split the classes in two).")
    rng = check_random_state(random_state)
    draw = _draw_rows if n_columns <= 2 * np.log2(n_classes) else _draw_columns
    while True:  # words that differ by construction; questions too, in most draws
        code = draw(n_classes, n_columns, rng)
        split = code ^ code[:1]                        # a column and its complement are one split
        if code_distance(code) and split.any(axis=0).all() and len(np.unique(split, axis=1).T) == n_columns:
            return code


def _draw_rows(n_classes, n_columns, rng):
    """Few columns: K different words of M bits."""
    words = sample_without_replacement(2**n_columns, n_classes, method="reservoir_sampling", random_state=rng)
    return words[:, None] >> np.arange(n_columns) & 1


def _draw_columns(n_classes, n_columns, rng):
    """Many columns: M different splits; of very many classes just bits, which hardly ever collide."""
    if n_classes <= 31:
        splits = 2 ** (n_classes - 1) - 1
        return _columns(sample_without_replacement(splits, n_columns, random_state=rng), n_classes)
    return rng.randint(2, size=(n_classes, n_columns))


def code_distance(code):
    """Smallest Hamming distance between two rows of a code, item 11.9.

    Parameters
    ----------
    code : array of shape (K, M), K >= 2

    Returns
    -------
    distance : int, 0 for equal rows

    Examples
    --------
    >>> code_distance(exhaustive_code(4))
    4
    >>> code_distance(np.eye(4))          # one-vs-rest: one wrong judge is one too many
    2
    """
    code = np.asarray(code)
    i, j = np.triu_indices(len(code), 1)
    return int((code[i] != code[j]).sum(axis=1).min())


def errors_corrected(distance):
    """Wrong judges that a code of this distance always survives: ``(d - 1) // 2``, item 11.9, (11.6).

    With d/2 errors a word may stand half-way between two classes.

    Parameters
    ----------
    distance : int >= 1, or array of such; see `code_distance`

    Returns
    -------
    errors : like distance

    Raises
    ------
    ValueError
        A distance below 1: two classes have the same word.

    Examples
    --------
    >>> [errors_corrected(d) for d in (1, 2, 3, 4, 5)]
    [0, 0, 1, 1, 2]
    """
    if not np.all(np.asarray(distance) >= 1):
        raise ValueError(f"distance={distance}: two rows of the code are the same; words must differ to correct "
                         "anything.")
    return (distance - 1) // 2


def nearest_code(outputs, code):
    """Row of the code nearest to each row of outputs (Euclid; between bits that is Hamming), item 11.9.

    Parameters
    ----------
    outputs : array of shape (n, M), scores or bits of the judges
    code : array of shape (K, M)

    Returns
    -------
    rows : int array of shape (n,); of equally near rows the first

    Examples
    --------
    >>> nearest_code(np.array([[1, 1, 1], [0, 0, 0]]), exhaustive_code(3))  # 000: two words are 1 away
    array([0, 1])
    """
    code = np.asarray(code, float)
    return ((code**2).sum(axis=1) - 2 * outputs @ code.T).argmin(axis=1)          # |o - c|² up to |o|²


def _has(name):
    def check(self):
        getattr(self.estimators_[0] if hasattr(self, "estimators_") else self.estimator, name)
        return True
    return check


class _Reduction(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What the three share: every column of a code book becomes a judge."""

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.pairwise = inner.sparse, inner.pairwise
        tags.input_tags.allow_nan = inner.allow_nan
        return tags

    def _validated(self, X, *y, **options):
        allow_nan = get_tags(self.estimator).input_tags.allow_nan
        return validate_data(self, X, *y, accept_sparse=["csr", "csc"], ensure_all_finite=not allow_nan,
                             **options)

    def fit(self, X, y, sample_weight=None):
        """Train the judges.

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
            raise ValueError(f"y has one class only ({self.classes_[0]}): a judge needs two.")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
            if (np.bincount(classes, sample_weight) > 0).sum() < 2:
                raise ValueError("Only one class has rows with a weight: a judge needs rows of two classes.")
        signs = self._signs()                                                     # (K, M) of -1, 0, +1
        if _ridge_in_closed_form(self.estimator, X, classes, sample_weight):
            self.estimators_ = _ridge_judges(self.estimator, X, classes, signs, sample_weight)
        else:
            self.estimators_ = self._fit_each(X, signs[classes].T, sample_weight)
        return self

    def _fit_each(self, X, targets, sample_weight):
        """One fit for every column: targets of shape (M, n)."""
        pairwise = get_tags(self.estimator).input_tags.pairwise
        self._rows = [np.flatnonzero(target) for target in targets] if pairwise else None
        return Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_judge)(clone(self.estimator), X, target, sample_weight, pairwise)
            for target in targets)

    def scores(self, X):
        """What every judge says: decision scores, else probabilities of +1; shape (n, M)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        if _is_linear(self.estimators_[0]):                          # one product asks all of them
            S = safe_sparse_dot(X, np.vstack([judge.coef_ for judge in self.estimators_]).T)
            S += np.hstack([judge.intercept_ for judge in self.estimators_])
            return S
        rows = getattr(self, "_rows", None)
        seen = [X] * len(self.estimators_) if rows is None else [X[:, r] for r in rows]
        return np.column_stack([_score(judge, part) for judge, part in zip(self.estimators_, seen)])

    @property
    def _threshold(self):
        return 0.0 if _decides(self.estimators_[0]) else 0.5

    @property
    def n_classes_(self):
        """Number of classes K."""
        return len(self.classes_)


def _fit_judge(judge, X, target, sample_weight, pairwise):
    rows = np.flatnonzero(target)  # only the classes that the judge is asked about (item 11.4)
    weights = {} if sample_weight is None else {"sample_weight": sample_weight[rows]}
    part = X if len(rows) == len(target) else X[rows][:, rows] if pairwise else X[rows]
    return judge.fit(part, (target[rows] > 0).astype(int), **weights)


def _decides(judge):
    return hasattr(judge, "decision_function") and not is_regressor(judge)


def _is_linear(judge):
    from sklearn.linear_model._base import LinearClassifierMixin
    plain = getattr(type(judge), "decision_function", None) is LinearClassifierMixin.decision_function
    return plain and not issparse(judge.coef_)


def _score(judge, X):
    if is_regressor(judge):
        return judge.predict(X)
    return np.ravel(judge.decision_function(X)) if _decides(judge) else judge.predict_proba(X)[:, 1]


def _ridge_in_closed_form(estimator, X, classes, sample_weight):
    """Whether class means and scatters are all that the judges need, and are no larger than the table."""
    from sklearn.linear_model import RidgeClassifier
    if type(estimator) is not RidgeClassifier or issparse(X):
        return False
    plain = (estimator.fit_intercept and estimator.class_weight is None and not estimator.positive
             and estimator.solver in ("auto", "cholesky")
             and np.ndim(estimator.alpha) == 0 and estimator.alpha > 0)
    n_classes, (n, d) = classes.max() + 1, X.shape
    weighty = sample_weight is None or (np.bincount(classes, sample_weight) > 0).all()
    return bool(plain and weighty and d <= n and n_classes * d * d <= LIMIT)


def _ridge_judges(estimator, X, classes, signs, sample_weight):
    """All ridge judges from one pass over the table.

    With targets t = ±1 a judge is ``w = (S + αI)⁻¹ Σ_c n_c (m_c - m) t_c`` with intercept ``t̄ - w·m``. The
    scatter S about the mean m of the classes asked is theirs within plus theirs between: ``Σ_c S_c + n_c
    (m_c - m)(m_c - m)ᵀ``. So counts n_c, means m_c and scatters S_c of the classes decide every judge, and
    judges with the same classes share the factorisation.
    """
    counts, means, scatters = _class_moments(X, classes, sample_weight)
    coef, intercept = np.empty((signs.shape[1], X.shape[1])), np.empty(signs.shape[1])
    questions, same = np.unique(signs != 0, axis=1, return_inverse=True)
    for q, asked in enumerate(questions.T):
        judges, n = same == q, counts[asked]
        m = n @ means[asked] / n.sum()                                            # (d,)
        C = means[asked] - m                                                      # (classes asked, d)
        T = signs[asked][:, judges].astype(float)                                 # (classes asked, judges)
        S = scatters[asked].sum(axis=0) + (n[:, None] * C).T @ C
        S[np.diag_indices_from(S)] += estimator.alpha
        W = np.linalg.solve(S, C.T @ (n[:, None] * T))                            # (d, judges)
        coef[judges], intercept[judges] = W.T, n @ T / n.sum() - m @ W
    kind = X.dtype if X.dtype.kind == "f" else float
    return _with_weights(estimator, X, coef.astype(kind), intercept.astype(kind))


def _class_moments(X, classes, sample_weight):
    counts = np.bincount(classes, sample_weight).astype(float)
    means, scatters = np.empty((len(counts), X.shape[1])), np.empty((len(counts), X.shape[1], X.shape[1]))
    for c in range(len(counts)):
        rows = np.flatnonzero(classes == c)
        A = np.asarray(X[rows], float)
        w = np.ones(len(rows)) if sample_weight is None else sample_weight[rows]
        means[c] = w @ A / counts[c]
        A -= means[c]
        scatters[c] = A.T @ A if sample_weight is None else (A.T * w) @ A
    return counts, means, scatters


def _with_weights(estimator, X, coef, intercept):
    """RidgeClassifiers in every attribute: copies of one fitted on two rows, their weights replaced."""
    template = clone(estimator).fit(X[:2], [0, 1])
    judges = [copy(template) for _ in coef]
    for judge, w, b in zip(judges, coef, intercept):
        judge.coef_ = w.reshape(np.shape(judge.coef_))
        judge.intercept_ = b.reshape(np.shape(judge.intercept_))
    return judges


class OneVsRestClassifier(_Reduction):
    """One judge for every class, "c or not c?"; the most confident one wins, items 11.2 and 11.3, (11.1).

    Predicts ``argmax_c s_c(x)``: scores are compared, not yes or no, for all judges may say no. They should
    speak in one unit. With two classes one judge does. Several labels for a row (the twin's multilabel
    case) are not taken.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all judges at once.
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    estimators_ : list of K fitted judges (one for K = 2)

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
        return np.array([[-1], [1]]) if K == 2 else 2 * np.eye(K, dtype=int) - 1  # identity code (item 11.7)

    def predict(self, X):
        """The class whose judge is the most confident."""
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
        """Each judge's probability of its class, divided by their sum; shape (n, K)."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        P = np.column_stack([judge.predict_proba(X)[:, 1] for judge in self.estimators_])
        P = np.column_stack([1 - P, P]) if P.shape[1] == 1 else P
        total = P.sum(axis=1, keepdims=True)
        return np.divide(P, total, out=P, where=total != 0)


class OneVsOneClassifier(_Reduction):
    """A judge for every pair of classes, trained on their rows only; most votes win, items 11.4 to 11.6.

    K(K-1)/2 judges, each with 2n/K rows of n where classes are equal: often less work than one-vs-rest,
    more to store. Equal votes are told apart by the judges' confidence, see `pair_votes`.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all judges at once.
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    estimators_ : list of K(K-1)/2 fitted judges, pairs in the order (0, 1), (0, 2), …, (K-2, K-1)

    Raises
    ------
    ValueError
        Only one class.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = [[0, 0], [1, 0], [8, 0], [9, 0], [0, 8], [0, 9]], list("aabbcc")
    >>> judges = OneVsOneClassifier(RidgeClassifier()).fit(X, y)
    >>> judges.predict([[0, 1], [1, 8]]), len(judges.estimators_)
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
    """Error-correcting output codes: judges spell a word, the nearest code word wins, items 11.7 to 11.9.

    Parameters
    ----------
    estimator : classifier (its `decision_function`, else `predict_proba` is used) or regressor
        A plain `RidgeClassifier` on at least as many rows as features is solved for all judges at once.
    code : 'random', 'exhaustive' or array of shape (K, M)
        'random': no constant, repeated or complementary column, rows distinct (the twin's may have all of
        these). 'exhaustive': all 2^(K-1) - 1 columns. An array of two values (0/1, -1/+1): its larger value
        means "positive".
    code_size : float
        'random': M is this many times K, and no more than 2^(K-1) - 1.
    decoding : 'soft' or 'hard'
        Distance from a word to the judges' scores (Euclid, as the twin) or to their yes and no (Hamming).
    random_state : int, RandomState or None
    n_jobs : int or None, fits at a time

    Attributes
    ----------
    classes_ : array of shape (K,)
    code_book_ : array of shape (K, M); -1 and +1 where judges give decision scores, else 0 and 1
    estimators_ : list of M fitted judges

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

    def __init__(self, estimator, *, code="random", code_size=1.5, decoding="soft", random_state=None,
                 n_jobs=None):
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
        """The class whose word is nearest to what the judges say."""
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
        raise ValueError("A column of the code is constant: its judge would see one class only.")
    if code_distance(code) == 0:
        raise ValueError("Two rows of the code are equal: nothing could tell their classes apart.")
    return code > code.min()
