"""Dictionary learning: codes and atoms in turn, each by minimising the same objective, chapter 10.

The chapter has samples and atoms as columns, code as rows; see `helpers.decomposition.sparse_coding`.
"""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from helpers._checks import check_count, check_stop
from helpers.decomposition.sparse_coding import (
    FLOATS,
    SparseCodingMixin,
    check_algorithm,
    check_shape,
    fista,
    lasso_codes,
    rounds,
)

__all__ = ["DictionaryLearning"]


class DictionaryLearning(SparseCodingMixin, BaseEstimator):
    """Atoms B, no longer than 1, and codes A that minimise ``½ |X - A B|² + α |A|₁``, (10.8).

    (The chapter's λ, without the ½, is 2α.) Without that bound, atoms c times as long and codes 1/c as
    large would fit the same for a penalty as small as you like. Alternates: codes for given atoms (a lasso
    for each sample), then each atom for given codes and other atoms, in closed form. The objective never
    rises.

    Short version: chapter 10, `learn`.

    Parameters
    ----------
    n_components : int or None (d), atoms k
    alpha : float ≥ 0
    max_iter : int
    tol : float
        Stop when the objective falls by less than this share of it.
    code_steps : int or None
        FISTA steps on the codes in each round, started where the last round stopped; None: to convergence, as
        scikit-learn does.
    dict_init : array of shape (k, d) or None
        First atoms, cut to length 1. Default: principal directions (uncentred), then samples.
    code_init : array of shape (n, k) or None (zeros)
    positive_code, positive_dict : bool, no negative codes, no negative entries in atoms
    transform_algorithm, transform_n_nonzero_coefs, transform_tol, split_sign, transform_max_iter, n_jobs
        How `transform` codes new samples, see `SparseCoder`.
    transform_alpha : float or None (alpha)
    random_state : int, RandomState or None, which samples are first atoms
    progress : bool, a bar

    Attributes
    ----------
    components_ : array of shape (k, d), the atoms
    error_ : list, the objective after each round
    n_iter_ : int

    Raises
    ------
    ValueError
        α < 0; initial atoms or codes of another shape.

    References
    ----------
    Mairal, Bach, Ponce and Sapiro, Online learning for matrix factorization and sparse coding, JMLR 11, 2010.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> model = DictionaryLearning(8, alpha=0.5, max_iter=20, transform_algorithm="lasso_fista").fit(X)
    >>> bool((np.diff(model.error_) <= 0).all()), bool((model.transform(X) == 0).mean() > 0.5)
    (True, True)
    """

    def __init__(
        self,
        n_components=None,
        *,
        alpha=1.0,
        max_iter=100,
        tol=1e-6,
        code_steps=10,
        dict_init=None,
        code_init=None,
        positive_code=False,
        positive_dict=False,
        transform_algorithm="omp",
        transform_n_nonzero_coefs=None,
        transform_tol=None,
        transform_alpha=None,
        split_sign=False,
        transform_max_iter=1000,
        n_jobs=None,
        random_state=None,
        progress=False,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.code_steps = code_steps
        self.dict_init = dict_init
        self.code_init = code_init
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_tol = transform_tol
        self.transform_alpha = transform_alpha
        self.split_sign = split_sign
        self.transform_max_iter = transform_max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    def fit(self, X, y=None):
        """Learn the atoms."""
        self._learn(X)
        return self

    def _learn(self, X):
        """Learn the atoms; returns the codes that were learned with them, shape (n, k)."""
        X = validate_data(self, X, dtype=FLOATS)
        Y, B, A = X.astype(float), *self._start(X)
        self.error_ = []
        for _ in rounds(self.max_iter, self.progress, "dictionary"):
            A = self._new_codes(Y, B, A)
            B = new_atoms(Y, A, B, self.positive_dict)
            self.error_.append(((Y - A @ B) ** 2).sum() / 2 + self.alpha * np.abs(A).sum())
            if len(self.error_) > 1 and self.error_[-2] - self.error_[-1] <= self.tol * self.error_[-1]:
                break
        self.components_, self.n_iter_ = B.astype(X.dtype), len(self.error_)
        return A

    def _start(self, X):
        """First atoms, of length 1 at most, and first codes."""
        k = X.shape[1] if self.n_components is None else self.n_components
        if not self.alpha >= 0 or k < 1:
            raise ValueError(
                f"alpha={self.alpha}, n_components={k}: the penalty is at least 0, the atoms at least 1."
            )
        check_stop(self.max_iter, self.tol, fewest=0)
        if self.code_steps is not None:
            check_count("code_steps", self.code_steps)
        check_algorithm(self.transform_algorithm)
        B = first_atoms(X, k, self.dict_init, check_random_state(self.random_state))
        B = np.maximum(B, 0) if self.positive_dict else B
        A = np.zeros((len(X), k)) if self.code_init is None else self.code_init
        return B, check_shape("code_init", A, (len(X), k)).astype(float)

    def _new_codes(self, Y, B, A):
        """Codes for given atoms; a sample keeps its old code where a few steps have not made it better."""
        if self.code_steps is None:
            new = lasso_codes(
                Y, B, self.alpha, init=A, positive=self.positive_code, max_iter=10000, tol=1e-12
            )
        else:
            new = fista(Y, B, A, self.alpha, self.positive_code, self.code_steps)
        worse = self._objective(Y, B, new) > self._objective(Y, B, A)
        return np.where(worse[:, None], A, new)

    def _objective(self, Y, B, A):
        """Of every sample."""
        return ((Y - A @ B) ** 2).sum(axis=1) / 2 + self.alpha * np.abs(A).sum(axis=1)

    def transform(self, X):
        """Sparse codes of the rows of X, shape (n, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return self._codes(
            X, self.components_, self.alpha if self.transform_alpha is None else self.transform_alpha
        )

    def inverse_transform(self, X):
        """Samples from codes, ``X̂ = A B``; shape (n, d)."""
        check_is_fitted(self)
        return self._decoded(X, self.components_)

    @property
    def _n_features_out(self):
        return len(self.components_) * (2 if self.split_sign else 1)


def first_atoms(X, k, given, rng):
    """The k atoms given, or principal directions and then samples; none longer than 1."""
    if given is not None:
        B = check_shape("dict_init", given, (k, X.shape[1])).astype(float)
    else:
        B = np.linalg.svd(X.astype(float), full_matrices=False)[2][:k]
        B = np.vstack([B, X[rng.choice(len(X), k - len(B))]]) if k > len(B) else B
    return B / np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1)


def new_atoms(X, A, B, positive=False):
    """One sweep over the atoms: the best b_j of length ≤ 1 for given codes and other atoms, (10.9).

    Without the bound it solves ``(AᵀA)_jj b_j = (AᵀX)_j - Σ_{i≠j} (AᵀA)_ji b_i``; the bound shortens it. An
    atom that no sample uses becomes the sample that is served worst: it costs nothing, for its codes are 0.
    """
    B, AA, AX = B.copy(), A.T @ A, A.T @ X
    for j in np.flatnonzero(AA.diagonal() > 1e-12):
        b = B[j] + (AX[j] - AA[j] @ B) / AA[j, j]
        b = np.maximum(b, 0) if positive else b
        B[j] = b / max(1, np.linalg.norm(b))
    unused = np.flatnonzero((A == 0).all(axis=0))
    if len(unused):
        worst_first = np.argsort(-((X - A @ B) ** 2).sum(axis=1))
        for j, i in zip(unused, worst_first):
            b = np.maximum(X[i], 0) if positive else X[i]
            B[j] = b / max(np.linalg.norm(b), 1e-300)
    return B
