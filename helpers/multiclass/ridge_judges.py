"""Ridge judges of every column of a code book from one pass over the table."""

from copy import copy

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

LIMIT = 2**22  # numbers that the class scatters may hold


def in_closed_form(estimator, X, classes, sample_weight):
    """Whether class means and scatters are all that the judges need, and are no larger than the table."""
    from sklearn.linear_model import RidgeClassifier

    if type(estimator) is not RidgeClassifier or issparse(X):
        return False
    plain = (
        estimator.fit_intercept
        and estimator.class_weight is None
        and not estimator.positive
        and estimator.solver in ("auto", "cholesky")
        and np.ndim(estimator.alpha) == 0
        and estimator.alpha > 0
    )
    n_classes, (n, d) = classes.max() + 1, X.shape
    weighty = sample_weight is None or (np.bincount(classes, sample_weight) > 0).all()
    return bool(plain and weighty and d <= n and n_classes * d * d <= LIMIT)


def ridge_judges(estimator, X, classes, signs, sample_weight):
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
        m = n @ means[asked] / n.sum()  # (d,)
        C = means[asked] - m  # (classes asked, d)
        T = signs[asked][:, judges].astype(float)  # (classes asked, judges)
        S = scatters[asked].sum(axis=0) + (n[:, None] * C).T @ C
        S[np.diag_indices_from(S)] += estimator.alpha
        W = np.linalg.solve(S, C.T @ (n[:, None] * T))  # (d, judges)
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
