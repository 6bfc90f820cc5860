"""Linear binary classifiers all at once; ridge classifiers of every column of a code book from one pass
over the table."""

from copy import copy

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils.extmath import safe_sparse_dot

LIMIT = 2**22  # numbers that the class scatters may hold


def in_closed_form(estimator, X, classes, sample_weight):
    """Whether class means and scatters are all that the classifiers need, and are no larger than the
    table."""
    from sklearn.linear_model import RidgeClassifier

    plain = (
        type(estimator) is RidgeClassifier
        and not issparse(X)
        and sample_weight is None
        and estimator.fit_intercept
        and estimator.class_weight is None
        and not estimator.positive
        and estimator.solver in ("auto", "cholesky")
        and np.ndim(estimator.alpha) == 0
        and estimator.alpha > 0
    )
    return bool(plain and X.shape[1] <= X.shape[0] and (classes.max() + 1) * X.shape[1] ** 2 <= LIMIT)


def fit_each(estimator, X, classes, signs, sample_weight, n_jobs):
    """All plain ridge classifiers from one pass over the table.

    With targets t = ±1 a classifier is ``w = (S + αI)⁻¹ Σ_c n_c (m_c - m) t_c``, its intercept ``t̄ - w·m``.
    The scatter S about the mean m of the classes asked is theirs within plus theirs between:
    ``Σ_c S_c + n_c (m_c - m)(m_c - m)ᵀ``. So counts n_c, means m_c and scatters S_c of the classes decide
    every classifier, and those with the same classes share the factorisation.
    """
    if not in_closed_form(estimator, X, classes, sample_weight):
        return NotImplemented
    counts, means, scatters = _class_moments(X, classes)
    coef, intercept = np.empty((signs.shape[1], X.shape[1])), np.empty(signs.shape[1])
    questions, same = np.unique(signs != 0, axis=1, return_inverse=True)
    for q, asked in enumerate(questions.T):
        here, n = same == q, counts[asked]
        m = n @ means[asked] / n.sum()  # (d,)
        C = means[asked] - m  # (classes asked, d)
        T = signs[asked][:, here].astype(float)  # (classes asked, classifiers)
        S = scatters[asked].sum(axis=0) + (n[:, None] * C).T @ C
        S[np.diag_indices_from(S)] += estimator.alpha
        W = np.linalg.solve(S, C.T @ (n[:, None] * T))  # (d, classifiers)
        coef[here], intercept[here] = W.T, n @ T / n.sum() - m @ W
    kind = X.dtype if X.dtype.kind == "f" else float
    return _with_weights(estimator, X, coef.astype(kind), intercept.astype(kind))


def _class_moments(X, classes):
    counts = np.bincount(classes).astype(float)
    means, scatters = np.empty((len(counts), X.shape[1])), np.empty((len(counts), X.shape[1], X.shape[1]))
    for c in range(len(counts)):
        A = X[classes == c].astype(float)
        means[c] = A.mean(axis=0)
        A -= means[c]
        scatters[c] = A.T @ A
    return counts, means, scatters


def _with_weights(estimator, X, coef, intercept):
    """RidgeClassifiers in every attribute: copies of one fitted on two rows, their weights replaced."""
    template = clone(estimator).fit(X[:2], [0, 1])
    classifiers = [copy(template) for _ in coef]
    for one, w, b in zip(classifiers, coef, intercept):
        one.coef_ = w.reshape(np.shape(one.coef_))
        one.intercept_ = b.reshape(np.shape(one.intercept_))
    return classifiers


def scores_of(estimators, X, rows):
    """One product asks all linear classifiers."""
    from sklearn.linear_model._base import LinearClassifierMixin

    kind = getattr(type(estimators[0]), "decision_function", None)
    if kind is not LinearClassifierMixin.decision_function or issparse(estimators[0].coef_):
        return NotImplemented
    S = safe_sparse_dot(X, np.vstack([one.coef_ for one in estimators]).T)
    S += np.hstack([one.intercept_ for one in estimators])
    return S
