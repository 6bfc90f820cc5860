"""K-SVD: each atom, with the codes that use it, is the best rank one of what the others leave; chapter 10.

Samples, codes and atoms stand in rows, ``X ≈ A B``. scikit-learn learns dictionaries with a penalty on the
codes, not with a number of atoms for each sample.
"""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

__all__ = ["KSVD", "batch_omp"]


def batch_omp(X, B, *, n_nonzero_coefs=None, tol=0.0):
    """Orthogonal matching pursuit, each step for all samples at once (10.3).

    The next atom is the one with the largest ``|b·r| / |b|``; then all chosen atoms are fitted again.
    scikit-learn's orthogonal_mp goes from sample to sample, wants atoms of length 1, and takes one atom at
    least even where `tol` is met without.

    Short version: chapter 10, `omp`.

    Parameters
    ----------
    X, B : arrays of shape (n, d), (k, d), samples and atoms in rows
    n_nonzero_coefs : int or None (no limit but min(k, d)), atoms for each sample at most
    tol : float
        A sample is done as soon as the squared length of its residual is at most this.

    Returns
    -------
    codes : array of shape (n, k)

    Raises
    ------
    ValueError
        More nonzeros than min(k, d) or fewer than 1, a negative `tol`, samples and atoms that do not fit.

    References
    ----------
    Rubinstein, Zibulevsky and Elad, Efficient implementation of the K-SVD algorithm using batch orthogonal
    matching pursuit, Technion CS-2008-08.

    Examples
    --------
    >>> batch_omp([[0.0, -3.0, 1.0]], np.eye(3), n_nonzero_coefs=1)
    array([[ 0., -3.,  0.]])
    """
    X, B = check_array(X, dtype=float), check_array(B, dtype=float)
    s = _check_coder(X.shape[1], B.shape, n_nonzero_coefs, tol)
    length = np.linalg.norm(B, axis=1)
    length[length == 0] = 1  # an atom of zeros is never chosen
    parts = np.array_split(X, 1 + len(X) // 500)  # tables that stay in the processor's cache
    return np.vstack([_pursue(part, B / length[:, None], s, tol) for part in parts]) / length


def _pursue(X, U, s, tol):
    """Codes over the unit atoms U."""
    A, R, rows, chosen = np.zeros((len(X), len(U))), X, np.arange(len(X)), np.empty((len(X), 0), int)
    tiny = 1e-7 * np.linalg.norm(X, axis=1)  # products no larger are rounding
    for _ in range(s):
        sizes = np.abs(R @ U.T)
        np.put_along_axis(sizes, chosen, 0, axis=1)  # these are orthogonal to the residual
        best = sizes.argmax(axis=1)
        going = ((R**2).sum(axis=1) > tol) & (sizes[np.arange(len(R)), best] > tiny[rows])
        rows, chosen = rows[going], np.column_stack([chosen, best])[going]
        S = U[chosen]  # (samples, atoms, d)
        c = np.linalg.solve(S @ S.transpose(0, 2, 1), S @ X[rows][:, :, None])
        A[rows[:, None], chosen] = c[:, :, 0]
        R = X[rows] - (c.transpose(0, 2, 1) @ S)[:, 0]
    return A


def _check_coder(d, shape, n_nonzero_coefs, tol):
    """How many atoms a sample may use."""
    if shape[1] != d:
        raise ValueError(f"Samples have {d} features, atoms {shape[1]}: both stand in rows.")
    if not tol >= 0:
        raise ValueError(f"tol={tol}: the squared length of a residual is at least 0.")
    s = min(shape) if n_nonzero_coefs is None else n_nonzero_coefs
    if not 1 <= s <= min(shape):
        raise ValueError(f"n_nonzero_coefs={s}: {shape[0]} atoms of {d} numbers; choose 1 to {min(shape)}.")
    return s


class KSVD(TransformerMixin, BaseEstimator):
    """Atoms B of length 1 and codes A with few nonzeros a row that make ``|X - A B|²`` small.

    A round codes all samples by OMP, then moves each atom together with its codes: to the best rank one of
    what the other atoms leave of the samples that use it (10.9), (10.10). No sweep raises the error; a
    coding may.

    Short version: chapter 10, `ksvd`.

    Parameters
    ----------
    n_components : int, atoms k
    n_nonzero_coefs, code_tol : see `batch_omp`, where the second is called tol
    max_iter : int, rounds; 0: the first atoms stay
    dict_init : array of shape (k, d), first atoms, brought to length 1; None: samples, drawn at random
    random_state : int or None

    Attributes
    ----------
    components_ : array of shape (k, d)
    error_ : list, ``|X - A B|²`` after each round

    Raises
    ------
    ValueError
        As in `batch_omp`; fewer samples than atoms; first atoms of another shape or of length 0.

    References
    ----------
    Aharon, Elad and Bruckstein, K-SVD, IEEE Trans. Signal Processing 54, 2006.

    Examples
    --------
    >>> X = np.array([[3.0, 0.0, 4.0], [0.0, 1.0, 0.0], [6.0, 0.0, 8.0], [0.0, -2.0, 0.0]])
    >>> model = KSVD(2, n_nonzero_coefs=1, max_iter=2, dict_init=[[1, 0, 0], [0, 1, 0]]).fit(X)
    >>> abs(model.components_).round(1)
    array([[0.6, 0. , 0.8],
           [0. , 1. , 0. ]])
    """

    def __init__(
        self,
        n_components,
        *,
        n_nonzero_coefs=None,
        code_tol=0.0,
        max_iter=30,
        dict_init=None,
        random_state=None,
    ):
        self.n_components, self.n_nonzero_coefs, self.code_tol = n_components, n_nonzero_coefs, code_tol
        self.max_iter, self.dict_init, self.random_state = max_iter, dict_init, random_state

    def fit(self, X, y=None):
        """Learn the atoms."""
        X = validate_data(self, X, dtype=float)
        B, self.error_ = self._first_atoms(X), []
        for _ in range(self.max_iter):
            B, A = sweep(X, B, self._codes(X, B))
            self.error_.append(((X - A @ B) ** 2).sum())
        self.components_ = B
        return self

    def _first_atoms(self, X):
        k, some = self.n_components, X[X.any(axis=1)]
        if self.dict_init is None:
            if not 1 <= k <= len(some):
                raise ValueError(f"n_components={k}: choose 1 to {len(some)}, the samples that are not 0.")
            B = np.random.default_rng(self.random_state).permutation(some)[:k]
        else:
            B = check_array(self.dict_init, dtype=float)
            if B.shape != (k, X.shape[1]) or not B.any(axis=1).all():
                raise ValueError(f"dict_init needs shape {(k, X.shape[1])}, and no atom of zeros.")
        return B / np.linalg.norm(B, axis=1, keepdims=True)

    def _codes(self, X, B):
        return batch_omp(X, B, n_nonzero_coefs=self.n_nonzero_coefs, tol=self.code_tol)

    def transform(self, X):
        """Codes of the rows of X by OMP, shape (n, k)."""
        check_is_fitted(self)
        return self._codes(validate_data(self, X, dtype=float, reset=False), self.components_)


def sweep(X, B, A):
    """Every atom in turn with the codes of the samples that use it; new atoms and codes."""
    B, codes, R = B.copy(), A.T.copy(), X - A @ B
    for j in np.flatnonzero(codes.any(axis=1)):  # an idle atom learns nothing
        used = np.flatnonzero(codes[j])
        E = R[used] + np.outer(codes[j, used], B[j])  # what the other atoms leave (10.7), (10.10)
        b = np.linalg.svd(E, full_matrices=False)[2][0]
        B[j] = b / np.linalg.norm(b)  # its length is 1 to the last digit
        codes[j, used] = E @ B[j]  # σ₁u₁ of (10.9)
        R[used] = E - np.outer(codes[j, used], B[j])
    return B, codes.T
