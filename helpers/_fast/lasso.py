"""The Lasso on Gram matrices, of a working set of columns where there are many, with an exact last step."""

from dataclasses import dataclass, replace

import numpy as np

from helpers._fista import extrapolate
from helpers.linear_model.lasso import duality_gap, threshold_of

CHECK = 10  # iterations between two looks at the duality gap
FEW = 4  # columns that may enter at once
FIRST = 100  # columns of the first working set


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
    L: float = np.inf  # no less than the largest eigenvalue of G, where steps have its length

    def rows(self, which):
        """The same matrix, fewer right-hand sides."""
        return replace(self, C=self.C[which], squares=self.squares[which])

    def gaps(self, B):
        """Duality gap of every row, shape (t,)."""
        fit = B @ self.G
        along = (self.C * B).sum(axis=1)  # y·Xb
        residual = self.squares - 2 * along + (fit * B).sum(axis=1)  # |y - Xb|²
        return duality_gap(residual, self.squares - along, B, self.C - fit, self.lam, self.positive)


def descend(problem, B, tol, max_iter):
    """FISTA on every row until its duality gap is at most tol: (B, gaps, iterations).

    A row that is done leaves. FISTA forgets its momentum when that points uphill.
    """
    done, gaps, live = B.copy(), np.full(len(B), np.inf), np.arange(len(B))
    Z, t, shrink = B, np.ones((len(B), 1)), threshold_of(problem.positive)
    for it in range(1, max_iter + 1):
        step = Z + (problem.C - Z @ problem.G) / problem.L
        new = shrink(step, problem.lam / problem.L)  # (9.21)
        Z, t = extrapolate(new, B, Z, t, axis=-1)
        B = new
        if it % CHECK == 0 or it == max_iter:
            done[live], gaps[live] = B, problem.gaps(B)
            go = gaps[live] > tol[live]
            if not go.any():
                break
            problem, live = problem.rows(go), live[go]
            B, Z, t = B[go], Z[go], t[go]
    return done, gaps, it


def by_signs(problem, b, tol, max_iter):
    """One row, by linear systems: (b, gap, steps). Where no step helps any more, the gap may be above tol.

    Let a few of the columns that want to enter in, suppose that no sign changes, and solve; of the points on
    the way there at which a weight turns 0, and then stays 0, take the one with the lowest objective.
    """
    G, c, lam, few = problem.G, problem.C[0], problem.lam, FEW
    for steps in range(max_iter + 1):
        gap, pull = problem.gaps(b[None])[0], c - b @ G
        if gap <= tol or steps == max_iter or few < 0:
            break
        over = np.where(b != 0, -np.inf, (pull if problem.positive else np.abs(pull)) - lam)
        new = np.argsort(-over)[:few]
        A = np.r_[np.flatnonzero(b), new[over[new] > 0]]
        x, signs = b[A], np.sign(np.where(b[A] != 0, b[A], pull[A]))
        H, slope = G[A[:, None], A], pull[A] - lam[A] * signs
        move = np.linalg.solve(H + 1e-10 * np.eye(len(A)), slope)
        t = -np.divide(x, move, out=np.zeros_like(x), where=move != 0)
        ends = x + np.append(t[(t > 0) & (t < 1)], 1)[:, None] * move
        ends = np.where(ends * signs > 1e-14 * np.abs(ends).max(initial=0), ends, 0)
        change = ends - x
        rise = ((change @ H / 2 - pull[A]) * change).sum(axis=1) + (np.abs(ends) - np.abs(x)) @ lam[A]
        best = rise.argmin()
        if rise[best] < 0:
            b, few = b.copy(), max(FEW, 2 * few) if best == len(ends) - 1 else FEW
            b[A] = ends[best]
        else:  # one newcomer is sure to help where the others are at their best, and none where they are not
            few = (few > 1) - (few < 1)
    return b, gap, steps


def _on_gram(table, y, b, lam, ridge, tol, max_iter, positive):
    """One target in units where every column has length 1: (b, gap, steps)."""
    G, C = table.normal_equations(y[:, None])
    G[np.diag_indices_from(G)] += ridge
    lengths = np.sqrt(np.diag(G))
    lengths[lengths == 0] = 1
    problem = Problem(
        G / np.outer(lengths, lengths), C.T / lengths, np.array([y @ y]), lam / lengths, positive
    )
    b, gap, steps = by_signs(problem, b * lengths, tol * (y @ y), max_iter)
    return b / lengths, gap, steps


def _by_working_set(table, y, b, lam, ridge, tol, max_iter, positive):
    """One target: solve on the most promising columns, until all together are near enough to the optimum."""
    d, enough, total, stuck, W = len(b), tol * (y @ y), 0, False, np.flatnonzero(b)
    size, part = min(d, FIRST), table.columns(W)
    while True:
        residual = y - part.times(b[W])
        R = table.correlate(residual) - ridge * b  # (d,): of all columns
        r2 = np.array([residual @ residual + ridge * b @ b])
        gap = duality_gap(r2, np.array([y @ residual]), b[None], R[None], np.full(d, lam), positive)[0]
        if gap <= enough or stuck or total >= max_iter:
            return b, gap, total
        size = min(d, max(size, 2 * np.count_nonzero(b)))
        W = np.sort(
            np.argpartition(np.where(b != 0, -np.inf, -R if positive else -np.abs(R)), size - 1)[:size]
        )
        part = table.columns(W) if size < d else table
        solved, left, steps = _on_gram(part, y, b[W], lam, ridge, 0.3 * tol, max_iter - total, positive)
        total, stuck, b = total + steps, steps == 0 or left > 0.3 * enough, np.zeros(d)
        b[W] = solved


def minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """Weights (t, d), gaps (t,) and steps of every target; B is where to begin.

    ISTA, and what rounding keeps from its optimum, is left to the plain one.
    """
    if solver == "ista":
        return NotImplemented
    each = [_by_working_set(table, y, b, lam, ridge, tol, max_iter, positive) for y, b in zip(Y.T, B)]
    B, gaps, steps = (np.array(part) for part in zip(*each))
    far = (gaps > tol * (Y**2).sum(axis=0)) & (steps < max_iter)
    return NotImplemented if far.any() else (B, gaps, steps)
