"""Sparse coding: few atoms of a given dictionary make up each sample, chapter 10.

The chapter has samples, and atoms, as columns: x ≈ B α. Code has them as rows, like scikit-learn: X ≈ A B
with X of shape (n, d), codes A of shape (n, k), dictionary B of shape (k, d) with an atom in each row.
"""

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_matrix
from scipy.sparse import vstack as sparse_vstack
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import gen_even_slices
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_array, validate_data

__all__ = ["SparseCoder", "lasso_codes", "orthogonal_mp", "sparse_encode"]

BLOCK = 2**18  # products held at a time: memory stays bounded however many samples come
FLOATS = [np.float64, np.float32]


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
    """`orthogonal_mp` as a CSR matrix, block by block."""
    s = _how_many(n_nonzero_coefs, tol, B.shape)
    length = np.linalg.norm(B.astype(float), axis=1)
    length[length == 0] = 1  # an atom of zeros: never chosen
    U = B / length[:, None]
    G, step = U @ U.T, max(1, BLOCK // len(B))
    blocks = (X[i : i + step].astype(float, copy=False) for i in range(0, len(X), step))
    codes = sparse_vstack(
        [_Pursuit(Y @ U.T, G, np.einsum("ij,ij->i", Y, Y), s).run(tol or 0.0) for Y in blocks], format="csr"
    )
    codes.data /= length[codes.indices]
    return codes


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


class _Pursuit:
    """OMP of many samples side by side: the last axis of most arrays is that of the samples still at work.

    The chosen atoms' Gram matrix is LLᵀ; each new atom adds a row to L, and one entry to the solution z of
    ``L z = (their products with x)``. The residual's squared length falls by z², and ``Lᵀ c = z`` gives the
    code c.
    """

    def __init__(self, products, gram, energy, s):
        n = len(products)
        self.products, self.gram, self.left = products, gram, energy.copy()  # (n, k), (k, k), (n,)
        self.tiny = 1e-7 * np.sqrt(energy)  # products no larger are rounding
        self.size = np.abs(products)  # of the residual's products with the atoms
        self.atoms, self.z, self.c = np.zeros((s, n), np.int32), np.zeros((s, n)), np.zeros((s, n))
        self.L = np.zeros((s, s, n))
        self.rows, self.found = np.arange(n), []

    def run(self, tol):
        """The codes, a CSR matrix of shape (n, k)."""
        shape, s = self.products.shape, len(self.z)
        for t in range(s):
            best = self.size.argmax(axis=1)  # the atom that explains the residual best
            done = (self.left <= tol) | (self.size[np.arange(len(best)), best] <= self.tiny)
            self._stop(done, t)
            if not len(self.rows):
                break
            self._add(best[~done], t)
            self._solve(t)
        self._stop(np.ones(len(self.rows), bool), s)
        rows, atoms, values = (np.concatenate(part) for part in zip(*self.found))
        return csr_matrix((values, (rows, atoms)), shape)

    def _stop(self, done, t):
        """Store the codes of the samples that are done, t atoms each, and go on with the others."""
        if not done.any():
            return
        self.found.append((
            np.tile(self.rows[done], t),
            self.atoms[:t, done].ravel(),
            self.c[:t, done].ravel(),
        ))
        going = np.flatnonzero(~done)
        self.products, self.size = self.products.take(going, axis=0), self.size.take(going, axis=0)
        for name in ("left", "tiny", "atoms", "z", "c", "L", "rows"):
            setattr(self, name, getattr(self, name).take(going, axis=-1))

    def _add(self, j, t):
        """Atom j is number t: its row of L by forward substitution."""
        self.atoms[t] = j
        w = self.gram[self.atoms[:t], j]  # (t, samples)
        for i in range(t):
            w[i] -= _inner(self.L[i, :i], w[:i])
            w[i] /= self.L[i, i]
        self.L[t, :t] = w
        self.L[t, t] = np.sqrt(np.maximum(1 - _inner(w, w), 1e-14))  # a unit atom
        self.z[t] = (self.products[np.arange(len(j)), j] - _inner(w, self.z[:t])) / self.L[t, t]
        self.left -= self.z[t] ** 2

    def _solve(self, t):
        """Codes by back substitution, then what is left to explain: ``B(x - Bᵀc) = Bx - Gc``."""
        for i in range(t, -1, -1):
            self.c[i] = (self.z[i] - _inner(self.L[i + 1 : t + 1, i], self.c[i + 1 : t + 1])) / self.L[i, i]
        if t + 1 == len(self.z):
            return
        atoms, c = self.atoms[: t + 1].T, self.c[: t + 1].T
        code = csr_matrix((c.ravel(), atoms.ravel(), np.arange(0, c.size + 1, t + 1)), self.products.shape)
        explained = code @ self.gram
        pull = np.subtract(self.products, explained, out=explained)
        self.size = np.abs(pull, out=pull)
        np.put_along_axis(self.size, atoms, 0, axis=1)  # orthogonal to the chosen atoms


def _inner(A, B):
    """``sum_i a_i b_i`` for every sample."""
    return np.einsum("in,in->n", A, B)


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
    B, step = dictionary.astype(float), max(1, BLOCK // len(dictionary))
    codes = np.zeros((len(X), len(B)))
    if init is not None:
        codes += init
    for rows in (slice(i, i + step) for i in range(0, len(X), step)):
        Y = X[rows].astype(float)
        energy = np.einsum("ij,ij->i", Y, Y)
        codes[rows] = fista(Y @ B.T, B, codes[rows], alpha, positive, max_iter, energy, tol)
    return codes.astype(X.dtype, copy=False)


def fista(products, B, start, alpha, positive, max_iter, energy=None, tol=None):
    """The batch of `lasso_codes`, from products XBᵀ and the dictionary; without tol all max_iter steps."""
    times_gram, L = _gram(B)  # L: the gradient's Lipschitz constant
    step, low = alpha / L, (0 if positive else -np.inf)
    codes, rows = start.copy(), np.arange(len(start))
    P, C, Z, t = products, start, start, np.ones((len(start), 1))
    for i in range(max_iter):
        N = P - times_gram(Z)
        N /= L
        N += Z  # a gradient step from Z …
        N = np.maximum(N - np.clip(N, -step, step), low)  # … then soft threshold
        move, ahead = N - C, (1 + np.sqrt(1 + 4 * t * t)) / 2
        turned = np.einsum("ij,ij->i", Z - N, move) > 0  # momentum points uphill: restart it
        push = np.where(turned[:, None], 0, (t - 1) / ahead)
        C, Z, t = N, N + push * move, np.where(turned[:, None], 1, ahead)
        if tol is not None and i % 10 == 9:
            going = _gap(P, C, P - times_gram(C), energy[rows], alpha, positive) > tol * energy[rows]
            codes[rows] = C
            P, C, Z, t, rows = P[going], C[going], Z[going], t[going], rows[going]
            if not len(rows):
                break
    codes[rows] = C
    return codes


def _gram(B):
    """``Z -> Z BBᵀ`` and the largest eigenvalue of BBᵀ: with few features B twice is less work than BBᵀ once."""
    k, d = B.shape
    G = B @ B.T if k <= 2 * d else None
    L = np.linalg.eigvalsh(G if k <= d else B.T @ B)[-1]
    return (lambda Z: Z @ B @ B.T) if G is None else (lambda Z: Z @ G), max(L, 1e-300) * (1 + 1e-12)


def _gap(products, C, left, energy, alpha, positive):
    """Objective minus dual objective at the scaled residual θr, for every sample; left: its products Br."""
    xr = energy - np.einsum("ij,ij->i", C, products)  # x·r
    rr = xr - np.einsum("ij,ij->i", C, left)  # r·r
    largest = (left if positive else np.abs(left)).max(axis=1)
    theta = np.minimum(1, alpha / np.maximum(largest, 1e-300))
    return rr / 2 + alpha * np.abs(C).sum(axis=1) - (theta * xr - theta**2 * rr / 2)


def _soft(V, alpha, positive):
    return np.maximum(V - np.clip(V, -alpha, alpha), 0 if positive else -np.inf)


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
    if algorithm == "omp":
        if positive:
            raise ValueError("OMP has no positive codes: use 'lasso_fista' or 'threshold'.")

        def encode(rows):
            return orthogonal_mp(X[rows], B, n_nonzero_coefs=n_nonzero_coefs, tol=tol)

    elif algorithm == "lasso_fista":

        def encode(rows):
            start = None if init is None else init[rows]
            return lasso_codes(X[rows], B, alpha, init=start, positive=positive, max_iter=max_iter)

    else:
        _check_alpha(alpha)

        def encode(rows):
            return _soft(X[rows] @ B.T, alpha, positive)

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
    if not progress:
        return range(n)
    from tqdm.auto import tqdm

    return tqdm(range(n), desc=name)


class SparseCodingMixin(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """`transform` and back, for estimators with the transform_… parameters of `SparseCoder`."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

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
