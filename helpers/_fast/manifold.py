"""A few eigenvectors of a large matrix by iteration."""

import numpy as np
from scipy.sparse import eye_array
from scipy.sparse.linalg import LinearOperator, eigsh, splu

SHIFT = 1e-12  # M + SHIFT I has an inverse although M 1 = 0; weights have no unit, so this is small for all


def few_of_many(eigen_solver, n, k):
    return eigen_solver == "arpack" or eigen_solver == "auto" and n > 200 and k < 10


def start(n):
    """A fixed start for the iteration: every run gives the same bytes."""
    return np.random.default_rng(0).standard_normal(n)


def _largest(G, k, eigen_solver):
    if not few_of_many(eigen_solver, len(G), k) or not G.any():
        return NotImplemented
    values, V = eigsh(G, k, which="LA", v0=start(len(G)))
    return values[::-1], V[:, ::-1]


def _smallest(M, k, eigen_solver):
    """The largest eigenvectors of the inverse, taken among vectors of mean 0."""
    n, _ = M.shape
    if not few_of_many(eigen_solver, n, k):
        return NotImplemented
    factors = splu(
        (M + SHIFT * eye_array(n)).tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}
    )  # positive definite

    def centred(v):
        return v - v.mean()

    inverse = LinearOperator((n, n), matvec=lambda v: centred(factors.solve(centred(v.ravel()))), dtype=float)
    return eigsh(inverse, k, which="LA", v0=centred(start(n)))[1][:, ::-1]
