"""Sparse coding: few atoms of a given dictionary make up each sample, chapter 10.

The chapter has samples, and atoms, as columns: x ≈ B α. Code has them as rows, like scikit-learn: X ≈ A B
with X of shape (n, d), codes A of shape (n, k), dictionary B of shape (k, d) with an atom in each row.
"""

from itertools import islice

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import gen_even_slices
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_array, validate_data

from helpers._checks import FLOATS
from helpers._fast import faster
from helpers._fista import extrapolate, proximal_steps
from helpers._tags import tagged
from helpers.linear_model.lasso import duality_gap, lipschitz_constant, threshold_of

__all__ = ["SparseCoder", "lasso_codes", "orthogonal_mp", "sparse_encode"]


def orthogonal_mp(X, dictionary, *, n_nonzero_coefs=None, tol=None):
    """Orthogonal matching pursuit: add the atom that explains most, refit all, repeat, (10.3).

    An atom explains a residual by ``|b·r| / |b|``: its direction counts, not its length or its sign
    (scikit-learn's orthogonal_mp takes |b·r|: the same for atoms of length 1). After each refit the
    residual is orthogonal to all chosen atoms.

    Short version: chapter 6, `omp`; chapter 10, `omp`.

    Parameters
    ----------
    X : array of shape (n, d), samples in rows
    dictionary : array of shape (k, d), atoms in rows
    n_nonzero_coefs : int or None
        Atoms for each sample at most. Default: max(1, d / 10) without `tol`, else no limit but min(k, d).
    tol : float or None
        Stop as soon as the squared length of the residual is at most this.

    Returns
    -------
    codes : array of shape (n, k)

    Raises
    ------
    ValueError
        More nonzeros than min(k, d), a negative tolerance, shapes that do not fit.

    References
    ----------
    Pati, Rezaiifar and Krishnaprasad, Orthogonal matching pursuit, Asilomar 1993. Rubinstein, Zibulevsky and
    Elad, Efficient implementation of the K-SVD algorithm using batch orthogonal matching pursuit, Technion
    CS-2008-08.

    Examples
    --------
    >>> orthogonal_mp([[0.0, -3.0, 1.0]], np.eye(3), n_nonzero_coefs=1)
    array([[ 0., -3.,  0.]])
    """
    X, dictionary = _fitting(X, dictionary)
    return sparse_omp(X, dictionary, n_nonzero_coefs, tol).toarray().astype(X.dtype, copy=False)


def sparse_omp(X, B, n_nonzero_coefs=None, tol=None):
    """`orthogonal_mp` as a CSR matrix."""
    s = _how_many(n_nonzero_coefs, tol, B.shape)
    length = np.linalg.norm(B.astype(float), axis=1)
    length[length == 0] = 1  # an atom of zeros: never chosen
    codes = pursue(X, B / length[:, None], s, tol or 0.0)
    codes.data /= length[codes.indices]
    return codes


@faster("sparse_coding")
def pursue(X, U, s, tol):
    """OMP of every sample over unit atoms, (10.3)."""
    return csr_matrix(np.array([_pursuit(x, U, s, tol) for x in X.astype(float)]))


def _pursuit(x, U, s, tol):
    chosen, r, c = [], x, np.zeros(len(U))
    while len(chosen) < s and r @ r > tol:
        products = np.abs(U @ r)
        if products.max() <= 1e-7 * np.linalg.norm(x):  # rounding is all that is left
            break
        chosen.append(products.argmax())  # the atom that explains the residual best
        c[chosen] = np.linalg.lstsq(U[chosen].T, x)[0]  # refit all
        r = x - c @ U
    return c


def _how_many(n_nonzero_coefs, tol, shape):
    if tol is not None and tol < 0:
        raise ValueError(f"tol={tol}: the squared length of a residual is not negative.")
    if n_nonzero_coefs is None:
        return min(shape) if tol is not None else min(max(1, shape[1] // 10), *shape)
    if not 1 <= n_nonzero_coefs <= min(shape):
        raise ValueError(
            f"n_nonzero_coefs={n_nonzero_coefs}: with a dictionary of shape {shape} (atoms, "
            f"features) choose 1 to {min(shape)}."
        )
    return n_nonzero_coefs


def lasso_codes(X, dictionary, alpha, *, init=None, positive=False, max_iter=1000, tol=1e-8):
    """Codes that minimise ``½ |x - Bᵀc|² + α |c|₁`` for every sample, by FISTA on all at once, (10.4).

    (The chapter's λ, without the ½, is 2α.) A sample leaves the batch when its duality gap is at most tol ·
    |x|².

    Parameters
    ----------
    X : array of shape (n, d), samples in rows
    dictionary : array of shape (k, d), atoms in rows
    alpha : float ≥ 0, in units of X times units of the dictionary
    init : array of shape (n, k) or None, where to start
    positive : bool, codes ≥ 0
    max_iter : int
    tol : float

    Returns
    -------
    codes : array of shape (n, k)

    Raises
    ------
    ValueError
        α < 0, shapes that do not fit.

    References
    ----------
    Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm, SIAM J. Imaging Sciences 2, 2009.
    O'Donoghue and Candès, Adaptive restart for accelerated gradient schemes, FoCM 15, 2015.

    Examples
    --------
    With orthonormal atoms each product shrinks by α:

    >>> lasso_codes([[3.0, -0.5, -2.0]], np.eye(3), alpha=1.0)
    array([[ 2.,  0., -1.]])
    """
    X, dictionary = _fitting(X, dictionary)
    _check_alpha(alpha)
    Y, B, start = X.astype(float), dictionary.astype(float), np.zeros((len(X), len(dictionary)))
    start += 0 if init is None else init
    return fista(Y, B, start, alpha, positive, max_iter, tol).astype(X.dtype, copy=False)


@faster("sparse_coding")
def fista(X, B, start, alpha, positive, max_iter, tol=None):
    """The codes of `lasso_codes`, all samples at once, each with a momentum of its own; without tol all
    steps. A sample whose gap is small enough stays as it is, so that no code depends on the other samples."""
    L, shrink = lipschitz_constant(B) / 2 or 1.0, threshold_of(positive)
    codes, done = start, np.zeros((len(X), 1), bool)
    steps = proximal_steps(
        lambda Z: (Z @ B - X) @ B.T,
        lambda Z, step: shrink(Z, alpha * step),
        L,
        start,
        lambda *at: extrapolate(*at, axis=-1),
    )
    for C in islice(steps, max_iter):
        codes = np.where(done, codes, C)
        if tol is not None:
            done = (_gaps(X, B, codes, alpha, positive) <= tol * (X**2).sum(axis=1))[:, None]
        if done.all():
            break
    return codes


def _gaps(X, B, C, alpha, positive):
    """Duality gap of every sample."""
    R = X - C @ B
    return duality_gap((R**2).sum(axis=1), (X * R).sum(axis=1), C, R @ B.T, alpha, positive)


def _check_alpha(alpha):
    if not alpha >= 0:
        raise ValueError(f"alpha={alpha}: the penalty is not negative.")


def _fitting(X, dictionary):
    X, dictionary = check_array(X, dtype=FLOATS), check_array(dictionary, dtype=FLOATS)
    if X.shape[1] != dictionary.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} features, the atoms have {dictionary.shape[1]}: samples and atoms are rows."
        )
    return X, dictionary


def check_algorithm(name):
    """One that `sparse_encode` knows."""
    if name not in ("omp", "lasso_fista", "threshold"):
        raise ValueError(f"algorithm={name!r}: use 'omp', 'lasso_fista' or 'threshold'.")


def sparse_encode(
    X,
    dictionary,
    *,
    algorithm="omp",
    n_nonzero_coefs=None,
    tol=None,
    alpha=None,
    init=None,
    positive=False,
    max_iter=1000,
    n_jobs=None,
):
    """Sparse codes by one of three algorithms, chapter 10.

    Parameters
    ----------
    X : array of shape (n, d), samples in rows
    dictionary : array of shape (k, d), atoms in rows
    algorithm : 'omp', 'lasso_fista' or 'threshold'
        `orthogonal_mp`; `lasso_codes` (the minimiser of scikit-learn's 'lasso_cd' and 'lasso_lars');
        products with the atoms, shrunk by α: the lasso's codes only where atoms are orthonormal.
    n_nonzero_coefs, tol : see `orthogonal_mp`
    alpha : float or None (1), see `lasso_codes`
    init, positive, max_iter : see `lasso_codes`; 'threshold' takes positive too
    n_jobs : int or None, blocks of samples at a time

    Returns
    -------
    codes : array of shape (n, k)

    Raises
    ------
    ValueError
        An unknown algorithm, or an option that it does not have.

    Examples
    --------
    >>> sparse_encode([[3.0, -0.5, -2.0]], np.eye(3), algorithm="threshold", alpha=1.0, positive=True)
    array([[2., 0., 0.]])
    """
    X, B = _fitting(X, dictionary)
    alpha = 1.0 if alpha is None else alpha
    check_algorithm(algorithm)
    if algorithm == "omp" and positive:
        raise ValueError("OMP has no positive codes: use 'lasso_fista' or 'threshold'.")
    if algorithm != "omp":
        _check_alpha(alpha)
    start = np.zeros((len(X), len(B))) if init is None else init
    lasso = dict(positive=positive, max_iter=max_iter)
    encode = {
        "omp": lambda rows: orthogonal_mp(X[rows], B, n_nonzero_coefs=n_nonzero_coefs, tol=tol),
        "lasso_fista": lambda rows: lasso_codes(X[rows], B, alpha, init=start[rows], **lasso),
        "threshold": lambda rows: threshold_of(positive)(X[rows] @ B.T, alpha),
    }[algorithm]
    parts = gen_even_slices(len(X), min(effective_n_jobs(n_jobs), len(X)))
    return np.concatenate(Parallel(n_jobs=n_jobs)(delayed(encode)(rows) for rows in parts))


def check_shape(name, values, shape):
    """An array of that shape, None standing for any number, or an error that says which was expected."""
    array = check_array(values, dtype=FLOATS)
    if any(want not in (None, have) for want, have in zip(shape, array.shape)):
        raise ValueError(f"{name} has shape {array.shape}; give {shape}: samples and atoms are rows.")
    return array


def rounds(n, progress, name):
    """0, 1, …, n - 1, with a bar when asked."""
    from tqdm.auto import tqdm

    return tqdm(range(n), desc=name, disable=not progress)


@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
class SparseCodingMixin(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """`transform` and back, for estimators with the transform_… parameters of `SparseCoder`."""

    def _codes(self, X, dictionary, alpha):
        codes = sparse_encode(
            X,
            dictionary,
            algorithm=self.transform_algorithm,
            tol=self.transform_tol,
            n_nonzero_coefs=self.transform_n_nonzero_coefs,
            alpha=alpha,
            positive=self.positive_code,
            max_iter=self.transform_max_iter,
            n_jobs=self.n_jobs,
        )
        return np.hstack([np.maximum(codes, 0), np.maximum(-codes, 0)]) if self.split_sign else codes

    def _decoded(self, codes, dictionary):
        k = len(dictionary)
        codes = check_shape("X", codes, (None, 2 * k if self.split_sign else k))
        return (codes[:, :k] - codes[:, k:] if self.split_sign else codes) @ dictionary


@tagged(requires_fit=False)
class SparseCoder(SparseCodingMixin, BaseEstimator):
    """Codes over a dictionary that is given: find the codes only, chapter 10.

    Parameters
    ----------
    dictionary : array of shape (k, d), atoms in rows
    transform_algorithm : 'omp', 'lasso_fista' or 'threshold', see `sparse_encode`
    transform_n_nonzero_coefs, transform_tol : see `orthogonal_mp`
    transform_alpha : float or None (1), see `lasso_codes`
    split_sign : bool
        Positive and negative parts as columns of their own, (n, 2k).
    positive_code : bool
    transform_max_iter : int
    n_jobs : int or None, blocks of samples at a time

    Attributes
    ----------
    n_components_ : int, k

    Examples
    --------
    >>> SparseCoder(np.eye(3), transform_n_nonzero_coefs=1).transform([[0.0, -3.0, 1.0]])
    array([[ 0., -3.,  0.]])
    """

    def __init__(
        self,
        dictionary,
        *,
        transform_algorithm="omp",
        transform_n_nonzero_coefs=None,
        transform_tol=None,
        transform_alpha=None,
        split_sign=False,
        positive_code=False,
        transform_max_iter=1000,
        n_jobs=None,
    ):
        self.dictionary = dictionary
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_tol = transform_tol
        self.transform_alpha = transform_alpha
        self.split_sign = split_sign
        self.positive_code = positive_code
        self.transform_max_iter = transform_max_iter
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        """Check that samples and atoms have the same features; nothing is learned."""
        check_algorithm(self.transform_algorithm)
        _fitting(validate_data(self, X, dtype=FLOATS), self.dictionary)
        return self

    def transform(self, X):
        """Sparse codes of the rows of X, shape (n, k)."""
        X = validate_data(self, X, dtype=FLOATS, reset=False)
        return self._codes(X, self.dictionary, self.transform_alpha)

    def inverse_transform(self, X):
        """Samples from codes, ``X̂ = A B``; shape (n, d)."""
        return self._decoded(X, check_array(self.dictionary, dtype=FLOATS))

    @property
    def n_components_(self):
        """Number of atoms."""
        return len(self.dictionary)

    @property
    def _n_features_out(self):
        return self.n_components_ * (2 if self.split_sign else 1)
