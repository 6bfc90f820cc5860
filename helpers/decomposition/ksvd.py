"""K-SVD: each atom, with the codes that use it, is the best rank one of what the others leave, chapter 10.

The chapter has samples and atoms as columns, code as rows; see `helpers.decomposition.sparse_coding`.
"""

import numpy as np
from scipy.sparse import csr_matrix, diags_array
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from helpers._checks import check_choices, check_count, check_stop
from helpers._fast import faster
from helpers._tags import tagged
from helpers.decomposition.sparse_coding import FLOATS, check_shape, orthogonal_mp, rounds, sparse_omp

__all__ = ["KSVD", "update_atom"]

ALIKE = 0.9  # cosine beyond which two atoms are copies
RARE = 0.3  # an atom with fewer uses than this share of the mean is rare
SLOW = 0.01  # a fall of the error by less than this share: time to try other atoms


def update_atom(E, codes, *, exact=True):
    """The atom b of length 1 and the codes a that explain E by ``a bᵀ``, (10.12).

    E holds, in rows, what the other atoms leave of the samples that use this one, and of no others: so no
    code becomes nonzero that was 0.

    Short version: chapter 10, `ksvd_atom`.

    Parameters
    ----------
    E : array of shape (m, d)
    codes : array of shape (m,), the present codes; used by the approximate update
    exact : bool
        True: the largest singular triple, ``b = v₁, a = σ₁ u₁``. False: the best atom for the present
        codes, then the best codes for it: no SVD, and the error falls too, though not as far.

    Returns
    -------
    atom : array of shape (d,), codes : array of shape (m,)

    References
    ----------
    Aharon, Elad and Bruckstein, K-SVD, IEEE Trans. Signal Processing 54, 2006. Rubinstein, Zibulevsky and
    Elad, Technion CS-2008-08 (the approximate update).

    Examples
    --------
    >>> atom, codes = update_atom(np.array([[3.0, 4.0], [6.0, 8.0]]), np.array([1.0, 1.0]), exact=False)
    >>> atom.round(2), codes.round(2)
    (array([0.6, 0.8]), array([ 5., 10.]))
    """
    b = codes @ E
    if exact or not b.any():
        b = np.linalg.svd(E, full_matrices=False)[2][0]  # v₁; σ₁ u₁ = E v₁
        b = b if (E @ b) @ codes >= 0 else -b  # of ±b the one nearer to the old
    b = b / np.linalg.norm(b)
    return b, E @ b


@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
class KSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Atoms B and codes A with few nonzeros a row that minimise ``|X - A B|²``, (10.13).

    Alternates OMP for the codes and `update_atom` for each atom with its codes. The error never rises: a
    sample keeps its old code where OMP, which is greedy, would raise the error. An atom that nobody uses
    becomes the sample that is served worst; so does, where the error does not rise for it, one that few
    samples use or that is nearly a copy of another.

    Short version: chapter 10, `ksvd`.

    Parameters
    ----------
    n_components : int or None (d), atoms k
    n_nonzero_coefs : int or None
        Nonzeros of a code, see `orthogonal_mp`.
    code_tol : float or None
        Only as many nonzeros as leave a squared error of at most this (then the sum of errors may rise).
    max_iter : int
    tol : float
        Stop when the error falls by less than this share of it; with `code_tol`, where the error is what you
        ask for and the codes get sparser instead, all rounds are made.
    update : 'approximate' (fast) or 'exact' (SVD)
    dict_init : array of shape (k, d) or None (samples, drawn at random), first atoms, brought to length 1
    random_state : int, RandomState or None
    progress : bool, a bar

    Attributes
    ----------
    components_ : array of shape (k, d), atoms of length 1
    error_ : list, ``|X - A B|²`` after each round
    n_iter_ : int

    Raises
    ------
    ValueError
        More nonzeros than atoms or features; an unknown update; initial atoms of another shape or of length
        0.

    References
    ----------
    Aharon, Elad and Bruckstein, K-SVD: an algorithm for designing overcomplete dictionaries for sparse
    representation, IEEE Trans. Signal Processing 54, 2006.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat([[3.0, 0.0, 4.0], [0.0, 1.0, 0.0]], 20, axis=0) * rng.normal(size=(40, 1))
    >>> model = KSVD(2, n_nonzero_coefs=1, random_state=0).fit(X)
    >>> abs(model.components_[abs(model.components_[:, 1]).argsort()]).round(2)
    array([[0.6, 0. , 0.8],
           [0. , 1. , 0. ]])
    """

    def __init__(
        self,
        n_components=None,
        *,
        n_nonzero_coefs=None,
        code_tol=None,
        max_iter=30,
        tol=1e-6,
        update="approximate",
        dict_init=None,
        random_state=None,
        progress=False,
    ):
        self.n_components = n_components
        self.n_nonzero_coefs = n_nonzero_coefs
        self.code_tol = code_tol
        self.max_iter = max_iter
        self.tol = tol
        self.update = update
        self.dict_init = dict_init
        self.random_state = random_state
        self.progress = progress

    def fit(self, X, y=None):
        """Learn the atoms."""
        X = validate_data(self, X, dtype=FLOATS)
        Y, B = X.astype(float), self._start(X.astype(float))
        A, R = csr_matrix((len(X), len(B))), Y.copy()
        self.error_ = []
        for _ in rounds(self.max_iter, self.progress, "K-SVD"):
            A, B, R = self._new_codes(Y, A, self._tries(Y, A, B, R), R)
            A, B, R = sweep(Y, A, B, R, self.update == "exact")
            self.error_.append(_squares(R).sum())
            if (
                self.code_tol is None
                and len(self.error_) > 1
                and self.error_[-2] - self.error_[-1] <= self.tol * self.error_[-1]
            ):
                break
        self.components_, self.n_iter_ = B.astype(X.dtype), len(self.error_)
        return self

    def _start(self, X):
        """First atoms, of length 1: samples, and random directions where these are too few."""
        check_choices(self, update=("approximate", "exact"))
        k = X.shape[1] if self.n_components is None else self.n_components
        check_count("n_components", k)
        check_stop(self.max_iter, self.tol, fewest=0)
        if self.dict_init is not None:
            B = check_shape("dict_init", self.dict_init, (k, X.shape[1]))
        else:
            rng = check_random_state(self.random_state)
            drawn = X[rng.permutation(np.flatnonzero(X.any(axis=1)))[:k]]
            B = np.vstack([drawn, rng.standard_normal((k - len(drawn), X.shape[1]))])
        length = np.linalg.norm(B, axis=1, keepdims=True)
        if not length.all():
            raise ValueError("dict_init holds an atom of zeros, which has no direction.")
        return B / length

    def _tries(self, X, A, B, R):
        """Dictionaries to try in turn, atoms that are of little use replaced by the samples served worst.

        Nobody misses an unused atom. Whether another is missed, the error will tell: once it falls slowly,
        try.
        """
        if not A.nnz:
            return [B]
        unused, useless = _superfluous(A, B)
        fresh = [_replaced(X, B, R, unused)]
        slow = len(self.error_) > 1 and self.error_[-2] - self.error_[-1] < SLOW * self.error_[-1]
        return [_replaced(X, B, R, useless), *fresh] if slow and (useless & ~unused).any() else fresh

    def _new_codes(self, X, A, dictionaries, R):
        """OMP's codes, the first dictionary with which the error does not rise, and the residual.

        With the last one samples keep their old code (of residual R) where it is better.
        """
        enough = np.maximum(_squares(R), self.code_tol or 0)
        for B in dictionaries:
            new = sparse_omp(X, B, self.n_nonzero_coefs, self.code_tol)
            left = X - new @ B
            error = _squares(left)
            if error.sum() <= enough.sum():
                return new, B, left
        worse = error > enough
        codes = csr_matrix(diags_array(1.0 * ~worse) @ new + diags_array(1.0 * worse) @ A)
        return codes, B, np.where(worse[:, None], R, left)

    def transform(self, X):
        """Codes of the rows of X by OMP, shape (n, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return orthogonal_mp(X, self.components_, n_nonzero_coefs=self.n_nonzero_coefs, tol=self.code_tol)

    def inverse_transform(self, X):
        """Samples from codes, ``X̂ = A B``; shape (n, d)."""
        check_is_fitted(self)
        return check_shape("X", X, (None, len(self.components_))) @ self.components_

    @property
    def _n_features_out(self):
        return len(self.components_)


def _squares(R):
    """Squared length of every row."""
    return np.einsum("ij,ij->i", R, R)


def _superfluous(A, B):
    """Atoms that no code uses; and these with the rare ones and with near copies of an earlier atom."""
    uses = np.bincount(A.indices, minlength=len(B))
    copy = np.triu(np.abs(B @ B.T) > ALIKE, 1).any(axis=0)
    return uses == 0, copy | (uses < RARE * uses.mean())


def _replaced(X, B, R, atoms):
    if not atoms.any():
        return B
    B, error = B.copy(), _squares(R)
    for j, i in zip(np.flatnonzero(atoms), np.argsort(-error, kind="stable")):
        if error[i] > 0:
            B[j] = X[i] / np.linalg.norm(X[i])
    return B


@faster("ksvd")
def sweep(X, A, B, R, exact):
    """Every atom in turn with the rows that use it (10.13); the codes A, the atoms B and R = X - AB."""
    A, B = A.toarray(), B.copy()
    for j in range(len(B)):
        rows = np.flatnonzero(A[:, j])  # row j of the chapter's a^j
        if len(rows):
            E = X[rows] - A[rows] @ B + np.outer(A[rows, j], B[j])  # what the other atoms leave (10.11)
            B[j], A[rows, j] = update_atom(E, A[rows, j], exact=exact)
    return csr_matrix(A), B, X - A @ B
