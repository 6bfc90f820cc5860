"""Kernel PCA: principal components of images φ(x), known by their inner products k(x, x') only, chapter 4."""

import numpy as np
from scipy.linalg import eigh, solve
from scipy.sparse import issparse
from scipy.sparse.linalg import eigsh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.extmath import row_norms, safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from helpers._checks import FLOATS, check_array, check_choices, check_count, validate_data
from helpers._linalg import dense, fixed_signs, some_eigenpairs
from helpers._rows import row_batches

__all__ = ["KernelPCA"]

ZERO = 1e-12  # an eigenvalue below this share of the largest is rounding (the twin's rule)


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """PCA in the space of a kernel ``k(x, x') = φ(x)·φ(x')``, (4.13) to (4.16).

    Centring the images turns the matrix K of all k(x_i, x_j) into ``H K H`` with ``H = I - 11ᵀ/n``. Its
    eigenvectors v and eigenvalues λ, largest first, give the scores ``√λ v`` of the training rows; a new row
    x has the scores ``vᵀ k̃(x) / √λ``, where k̃ holds the kernels of x with the training rows, centred by the
    *training* means.

    Short version: chapter 4, `kernel_pca`.

    Parameters
    ----------
    n_components : int or None
        None: all whose eigenvalue is not 0.
    kernel : str or function
        'linear' x·x'; 'poly' (γ x·x' + c)^degree; 'rbf' exp(-γ |x - x'|²); 'sigmoid' tanh(γ x·x' + c), no
        true kernel for every γ and c; 'cosine' x·x' / (|x||x'|); 'precomputed': X holds the kernels; or a
        function of two rows.
    gamma : float or None
        γ; None: 1/d.
    degree, coef0 : float
        Exponent of 'poly'; c of 'poly' and 'sigmoid'.
    kernel_params : dict or None
        Keyword arguments of a kernel that is a function.
    fit_inverse_transform : bool
        Learn the way back from scores to features, by kernel ridge regression.
    alpha : float
        Its penalty.
    eigen_solver : 'auto', 'dense' or 'arpack'
        'arpack' (Lanczos) finds the k largest alone. 'auto': 'arpack' for at most n/20 components of more
        than 200 rows.
    random_state : int, RandomState or None
        Where 'arpack' starts.
    n_jobs : int or None
        Processes for a kernel that is a function.

    Attributes
    ----------
    eigenvalues_ : array of shape (k,), of the centred kernel matrix; divided by n, variances of the scores
    eigenvectors_ : array of shape (n, k), unit columns; in each the largest entry is positive
    gamma_ : float
    X_fit_ : array or CSR matrix of shape (n, d), the training rows
    X_transformed_fit_, dual_coef_ : arrays of shape (n, k) and (n, d), with ``fit_inverse_transform=True``

    Raises
    ------
    ValueError
        More components than positive eigenvalues; a kernel matrix that is not symmetric, not finite or has
        clearly negative eigenvalues; an inverse from a precomputed kernel.

    References
    ----------
    Schölkopf, Smola and Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
    Computation 10, 1998. Bakır, Weston and Schölkopf, Learning to find pre-images, NIPS 16, 2004.

    Examples
    --------
    Two rings: no straight line parts them, the first component of an RBF kernel does.

    >>> angle = np.linspace(0, 6, 7)
    >>> circle = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> z = KernelPCA(n_components=1, kernel="rbf", gamma=0.2).fit_transform(np.vstack([circle, 4 * circle]))
    >>> bool(z[:7].min() > z[7:].max() or z[:7].max() < z[7:].min())
    True
    """

    def __init__(
        self,
        n_components=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        fit_inverse_transform=False,
        alpha=1.0,
        eigen_solver="auto",
        random_state=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_inverse_transform = fit_inverse_transform
        self.alpha = alpha
        self.eigen_solver = eigen_solver
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        """Centre the kernel matrix of the rows and take its leading eigenvectors."""
        self.X_fit_ = X = validate_data(
            self, X, accept_sparse=self._sparse(), dtype=FLOATS, copy=True, ensure_min_samples=2
        )
        self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
        self._check_options(X)
        K = self._kernel(X, X)  # (n, n)
        self._column_means = K.mean(axis=0)
        self.eigenvalues_, V = self._leading(self._centred(K))
        self.eigenvectors_ = fixed_signs(V.T).T
        if self.fit_inverse_transform:
            self._learn_the_way_back()
        return self

    def fit_transform(self, X, y=None):
        """Fit, then the scores ``√λ v`` of the training rows; shape (n, k)."""
        return self.fit(X)._scores().astype(self.X_fit_.dtype, copy=False)

    def transform(self, X):
        """Scores of new rows, from their kernels with the training rows; shape (m, k).

        Short version: chapter 4, `kernel_pca_transform`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=self._sparse(), dtype=FLOATS, reset=False)
        K = self._centred(self._kernel(X, self.X_fit_))  # (m, n)
        return (K @ (self.eigenvectors_ / np.sqrt(self.eigenvalues_))).astype(X.dtype, copy=False)

    def inverse_transform(self, Z):
        """Features whose scores are about Z, ``K(Z, Z_fit) (K(Z_fit, Z_fit) + αI)⁻¹ X_fit``; shape (m, d)."""
        check_is_fitted(self)
        if not self.fit_inverse_transform:
            raise NotFittedError("The way back was not learnt: fit with fit_inverse_transform=True.")
        Z = check_array(Z, dtype=FLOATS)
        return (self._kernel(Z, self.X_transformed_fit_) @ self.dual_coef_).astype(Z.dtype, copy=False)

    def _scores(self):
        return self.eigenvectors_ * np.sqrt(self.eigenvalues_)

    def _learn_the_way_back(self):
        """Kernel ridge regression of the rows on their scores."""
        self.X_transformed_fit_ = self._scores()
        K = self._kernel(self.X_transformed_fit_, self.X_transformed_fit_)
        K.flat[:: len(K) + 1] += self.alpha
        self.dual_coef_ = solve(K, self.X_fit_, assume_a="pos")

    def _kernel(self, X, Y):
        """k(x, x') of every row of X with every row of Y, in double precision."""
        if callable(self.kernel):
            from sklearn.metrics.pairwise import pairwise_kernels

            K = pairwise_kernels(X, Y, metric=self.kernel, n_jobs=self.n_jobs, **(self.kernel_params or {}))
        elif self.kernel == "precomputed":
            K = np.array(X, float)
        else:
            X, Y = (A.astype(float, copy=False) for A in (X, Y))
            with np.errstate(over="ignore", invalid="ignore"):  # said below, with the cure
                K = KERNELS[self.kernel](X, Y, self.gamma_, self.coef0, self.degree)
        if not np.isfinite(K.sum()):
            raise ValueError(
                f"kernel={self.kernel!r} gives NaN or infinity on these rows: scale the "
                "features, or choose another gamma, coef0 or degree."
            )
        return K

    def _centred(self, K):
        """In place ``K - row means - column means of the training matrix + its mean``."""
        K -= self._column_means
        K -= K.mean(axis=1, keepdims=True)
        return K

    def _leading(self, K):
        """The k largest eigenvalues, largest first, and their eigenvectors; those that are 0 left out."""
        n, k = len(K), self.n_components
        if k is None:
            return self._positive(*eigh(K))
        self._check_number(n - 1)  # centred: one eigenvalue is 0
        few = self.eigen_solver == "auto" and n > 200 and 20 * k <= n
        if (few or self.eigen_solver == "arpack") and K.any():  # equal rows: nothing to start from
            start = check_random_state(self.random_state).uniform(-1, 1, n)
            return self._positive(*eigsh(K, k, which="LA", v0=start))
        return self._positive(*some_eigenpairs(K, n - k, n - 1))

    def _positive(self, values, V):
        values, V = values[::-1], V[:, ::-1]
        r = int((values > ZERO * values[0]).sum())
        if self.n_components is not None:
            self._check_number(r)
        elif r == 0 or -values[-1] > 1e-5 * values[0]:
            raise ValueError(
                f"kernel={self.kernel!r}: on these rows the centred kernel matrix has "
                f"eigenvalues from {values[-1]:.2g} to {values[0]:.2g}; none below 0 and one "
                "above are needed. Choose another kernel, gamma or coef0, rows that differ, or "
                "an n_components."
            )
        return values[:r], V[:, :r]

    def _check_number(self, most):
        if not 1 <= self.n_components <= most:
            raise ValueError(
                f"n_components={self.n_components}, but the centred kernel matrix has at most "
                f"{most} positive eigenvalues: choose no more, at least 1, or None for all."
            )
        check_count("n_components", self.n_components)

    def _check_options(self, X):
        if not (callable(self.kernel) or self.kernel in (*KERNELS, "precomputed")):
            raise ValueError(f"kernel={self.kernel!r}: use one of {(*KERNELS, 'precomputed')} or a function.")
        check_choices(self, eigen_solver=("auto", "dense", "arpack"))
        if self.fit_inverse_transform and self.kernel == "precomputed":
            raise ValueError(
                "fit_inverse_transform needs the features, a precomputed kernel has none: give "
                "rows, and a function as kernel."
            )
        if self.kernel == "precomputed" and (X.shape[0] != X.shape[1] or not np.allclose(X, X.T)):
            raise ValueError(
                "A precomputed kernel must be a square, symmetric matrix: give k(x_i, x_j) of "
                f"all the training rows; this one has shape {X.shape}."
            )

    def _sparse(self):
        """Sparse rows are taken for the kernels of rows, but there is no way back to them."""
        return False if self.fit_inverse_transform or self.kernel == "precomputed" else "csr"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse())
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.eigenvalues_)


def _linear(X, Y, *_):
    return safe_sparse_dot(X, Y.T, dense_output=True)


def _from_the_mean(X, Y):
    """Both without the mean of Y, unless that is sparse: far from 0 products lose the digits that matter."""
    return (X, Y) if issparse(Y) else (dense(X) - Y.mean(axis=0), Y - Y.mean(axis=0))


def _rbf(X, Y, gamma, *_):
    """exp(-γ |x - y|²) with ``|x - y|² = |x|² + |y|² - 2 x·y``; rows near their mean round less.

    Where a distance is so much shorter than the rows that few of its digits are left, rows are subtracted.
    """
    X, Y = _from_the_mean(X, Y)
    x, y = row_norms(X, squared=True)[:, None], row_norms(Y, squared=True)
    K = _linear(X, Y)
    for rows in row_batches(*K.shape):
        lengths = x[rows] + y
        D = lengths - 2 * K[rows]
        i, j = np.nonzero(1e-6 * lengths >= D)
        for pairs in row_batches(len(i), X.shape[1]):
            D[i[pairs], j[pairs]] = ((dense(Y[j[pairs]]) - dense(X[rows][i[pairs]])) ** 2).sum(axis=1)
        K[rows] = np.exp(-gamma * D)
    return K


def _cosine(X, Y, *_):
    K = _linear(X, Y)
    for lengths in (row_norms(X)[:, None], row_norms(Y)):
        K /= np.where(lengths > 0, lengths, 1)
    return K


KERNELS = {
    "linear": lambda X, Y, *_: _linear(*_from_the_mean(X, Y)),  # centred later, it is the same
    "poly": lambda X, Y, gamma, coef0, degree: (gamma * _linear(X, Y) + coef0) ** degree,
    "rbf": _rbf,
    "sigmoid": lambda X, Y, gamma, coef0, degree: np.tanh(gamma * _linear(X, Y) + coef0),
    "cosine": _cosine,
}
