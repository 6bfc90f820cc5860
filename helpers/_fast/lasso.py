"""The Lasso on Gram matrices, of a working set of columns where there are many, with an exact last step."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.linalg import eigsh

from helpers._fista import extrapolate
from helpers.linear_model.lasso import duality_gap, threshold_of

CHECK = 10  # iterations between two looks at the duality gap
SMALL = 2**9  # features whose Gram matrix is written out when several problems share it


@dataclass
class Problem:
    """Rows b of B, each ``min ½ bᵀGb - cᵀb + sum_j lam_j |b_j|`` with its own row c of C.

    Least squares has ``G = XᵀX, c = Xᵀy``; the elastic net has its ridge on the diagonal of G besides.
    """

    G: np.ndarray  # (d, d)
    C: np.ndarray  # (t, d)
    squares: np.ndarray  # (t,) |y|²
    lam: np.ndarray  # (d,)
    positive: bool
    L: float  # no less than the largest eigenvalue of G

    def rows(self, which):
        """The same matrix, fewer right-hand sides."""
        return replace(self, C=self.C[which], squares=self.squares[which])

    def gaps(self, B):
        """Duality gap of every row, shape (t,)."""
        fit = B @ self.G
        along = (self.C * B).sum(axis=1)  # y·Xb
        residual = self.squares - 2 * along + (fit * B).sum(axis=1)  # |y - Xb|²
        return duality_gap(residual, self.squares - along, B, self.C - fit, self.lam, self.positive)

    def exact(self, b, c):
        """With its signs s known, b solves ``G_AA b_A = c_A - lam s_A`` on its nonzeros A; b where it does
        not."""
        A = np.flatnonzero(b)
        try:
            solved = np.linalg.solve(self.G[np.ix_(A, A)], c[A] - self.lam[A] * np.sign(b[A]))
        except np.linalg.LinAlgError:
            return b
        exact = np.zeros_like(b)
        exact[A] = np.where(solved * b[A] > 0, solved, 0)
        return exact


def _largest_eigenvalue(G):
    """A little more than the largest eigenvalue, so that a step 1/L never overshoots; 1 for G = 0."""
    if len(G) <= 64:
        return np.linalg.eigvalsh(G)[-1] or 1.0
    start = np.random.default_rng(0).normal(size=len(G))
    return 1.02 * eigsh(G, k=1, which="LA", v0=start, tol=1e-2, return_eigenvectors=False)[0]


def descend(problem, B, tol, max_iter, solver):
    """Proximal gradient on every row until its duality gap is at most tol: (B, gaps, iterations).

    A row that is done leaves. FISTA forgets its momentum when that points uphill, and tries, whenever the set
    of nonzeros has settled, whether the linear system of their signs ends the search: the gap decides.
    """
    done, gaps, live = B.copy(), np.full(len(B), np.inf), np.arange(len(B))
    Z, t, seen, shrink = B, np.ones((len(B), 1)), None, threshold_of(problem.positive)
    for it in range(1, max_iter + 1):
        step = Z + (problem.C - Z @ problem.G) / problem.L
        new = shrink(step, problem.lam / problem.L)  # (9.21)
        Z, t = extrapolate(new, B, Z, t, axis=-1) if solver == "fista" else (new, t)
        B = new
        if it % CHECK == 0 or it == max_iter:
            if solver == "fista" and (tol >= 0).all():
                B, seen = _finish(problem, B, seen)
            done[live], gaps[live] = B, problem.gaps(B)
            go = gaps[live] > tol[live]
            if not go.any():
                break
            problem, live = problem.rows(go), live[go]
            B, Z, t, seen = B[go], Z[go], t[go], seen[go] if seen is not None else None
    return done, gaps, it


def _finish(problem, B, seen):
    """Rows whose nonzeros did not change since the last look, solved exactly where that lowers the gap."""
    support = B != 0
    still = np.flatnonzero((support == seen).all(axis=1)) if seen is not None else []
    if len(still):
        exact = np.array([problem.exact(B[i], problem.C[i]) for i in still])
        part = problem.rows(still)
        better = part.gaps(exact) < part.gaps(B[still])
        B[still[better]] = exact[better]
    return B, support


def _together(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """All targets at once on one Gram matrix, in units where every column has length 1."""
    G, C = table.normal_equations(Y)
    G[np.diag_indices_from(G)] += ridge
    lengths = np.sqrt(np.diag(G))
    lengths[lengths == 0] = 1
    squares = (Y**2).sum(axis=0)
    G = G / np.outer(lengths, lengths)
    problem = Problem(G, C.T / lengths, squares, lam / lengths, positive, _largest_eigenvalue(G))
    B, gaps, n_iter = descend(problem, B * lengths, tol * squares, max_iter, solver)
    return B / lengths, gaps, n_iter


def _by_working_set(table, y, b, lam, ridge, tol, max_iter, solver, positive):
    """One target, few nonzeros: solve on the most promising columns, until no other column wants to enter."""
    d, squares, total, enough = len(b), np.array([y @ y]), 0, np.inf
    size, W = min(d, 200), np.zeros(0, int)
    residual = y - table.times(b) if b.any() else y
    while True:
        R = table.correlate(residual) - ridge * b  # (d,): of all columns
        r2 = np.array([residual @ residual + ridge * b @ b])
        gap = duality_gap(r2, np.array([y @ residual]), b[None], R[None], np.full(d, lam), positive)
        pull = R if positive else np.abs(R)
        settled = np.delete(pull, W).max(initial=0) <= lam  # the optimum on W is the optimum
        if gap <= tol * squares or (settled and enough < tol) or total >= max_iter:
            return b, gap[0], total
        enough = 0.3 * tol if settled else max(0.3 * tol, 0.02 * gap[0] / squares[0])
        W = np.sort(np.argpartition(np.where(b != 0, -np.inf, -pull), size - 1)[:size])
        part = table.columns(W) if size < d else table
        solved, _, n = _together(
            part, y[:, None], b[None, W], lam, ridge, enough, max_iter - total, solver, positive
        )
        b = np.zeros(d)
        b[W], total = solved[0], total + n
        residual = y - part.times(solved[0])
        size = min(d, max(size, 2 * np.count_nonzero(b)))


def minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """Weights (t, d), gaps (t,) and iterations of every target; B is where to begin."""
    if len(B) > 1 and B.shape[1] <= min(SMALL, len(Y)):  # a Gram matrix no larger than the table
        B, gaps, n_iter = _together(table, Y, B, lam, ridge, tol, max_iter, solver, positive)
        return B, gaps, [n_iter] * len(B)
    each = [_by_working_set(table, y, b, lam, ridge, tol, max_iter, solver, positive) for y, b in zip(Y.T, B)]
    return tuple(np.array(part) for part in zip(*each))
