"""Codes of many samples side by side, batch by batch: memory stays bounded however many samples come."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse import vstack as sparse_vstack

from helpers._fast.lasso import Problem, descend, each_by_signs
from helpers._rows import row_batches


def pursue(X, U, s, tol):
    """Batch OMP of Rubinstein, Zibulevsky and Elad."""
    gram, batches = U @ U.T, (X[rows].astype(float, copy=False) for rows in row_batches(len(X), len(U)))
    codes = [_Pursuit(Y @ U.T, gram, np.einsum("ij,ij->i", Y, Y), s).run(tol) for Y in batches]
    return sparse_vstack(codes, format="csr")


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
        self.atoms, self.z, self.c = np.empty((s, n), np.int32), np.empty((s, n)), np.empty((s, n))
        self.L = np.empty((s, s, n))  # below the diagonal
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
        self.products = self.products.take(going, axis=0)
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


def fista(X, B, start, alpha, positive, max_iter, tol=None):
    """The Lasso's loop on products with the atoms: a sample whose gap is small enough leaves its batch."""
    codes, G, lam = start.copy(), B @ B.T, np.full(len(B), alpha)
    largest = np.linalg.eigvalsh(G if len(B) <= B.shape[1] else B.T @ B)[-1]
    for rows in row_batches(len(X), len(B)):
        energy = np.einsum("ij,ij->i", X[rows], X[rows])
        problem = Problem(G, X[rows] @ B.T, energy, lam, positive, max(largest, 1e-300) * (1 + 1e-12))
        enough = np.full(len(energy), -1.0) if tol is None else tol * energy
        if tol is not None and len(X) <= len(B):  # few samples: one after the other
            codes[rows] = each_by_signs(problem, codes[rows], enough, max_iter)[0]
        codes[rows] = descend(problem, codes[rows], enough, max_iter)
    return codes
