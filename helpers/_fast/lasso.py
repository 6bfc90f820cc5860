"""The Lasso on Gram matrices: linear systems for one row, FISTA for many; working sets of many columns."""

from dataclasses import dataclass, replace

import numpy as np

from helpers._fista import extrapolate
from helpers.linear_model.lasso import duality_gap, threshold_of

CHECK = 10  # iterations between two looks at the duality gap
FEW = 6  # columns that may enter at once
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

    def looked_at(self, B):
        """Duality gap of every row, (t,), and how much each column would change the fit, ``C - BG``."""
        pull = self.C - B @ self.G
        y_residual = self.squares - (self.C * B).sum(axis=1)  # y·(y - Xb)
        residual = y_residual - (pull * B).sum(axis=1)  # |y - Xb|²
        return duality_gap(residual, y_residual, B, pull, self.lam, self.positive), pull


def descend(problem, B, tol, max_iter):
    """FISTA on every row until its duality gap is at most tol; all steps where that is negative.

    A row that is done leaves. FISTA forgets its momentum when that points uphill.
    """
    done, live = B.copy(), np.arange(len(B))
    Z, t, shrink = B, np.ones((len(B), 1)), threshold_of(problem.positive)
    for it in range(max_iter + 1):
        if it == max_iter or (it % CHECK == 0 and (tol >= 0).any()):
            done[live], go = B, problem.looked_at(B)[0] > tol[live]
            if it == max_iter or not go.any():
                break
            problem, live, B, Z, t = problem.rows(go), live[go], B[go], Z[go], t[go]
        new = shrink(Z + (problem.C - Z @ problem.G) / problem.L, problem.lam / problem.L)  # (9.21)
        (Z, t), B = extrapolate(new, B, Z, t, axis=-1), new
    return done


def by_signs(problem, b, tol, max_iter):
    """One row, by linear systems: (b, gap, steps). Where no step helps any more, the gap may be above tol.

    Let a few of the columns that want to enter in, suppose that no sign changes, and solve; of the points on
    the way there at which a weight turns 0, and then stays 0, take the one with the lowest objective.
    """
    G, lam, few = problem.G, problem.lam, FEW
    for steps in range(max_iter + 1):
        (gap,), (pull,) = problem.looked_at(b[None])
        if gap <= tol or steps == max_iter or few < 0:
            break
        over = np.where(b != 0, -np.inf, (pull if problem.positive else np.abs(pull)) - lam)
        new = np.argsort(-over)[:few]
        A = np.concatenate([np.flatnonzero(b), new[over[new] > 0]])
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


def each_by_signs(problem, B, tol, max_iter):
    """`by_signs` for one row after the other, in units where every column has length 1: (B, gaps, steps)."""
    roots = np.sqrt(np.diag(problem.G))
    lengths = np.where(roots > 0, roots, 1)
    G, C, lam = problem.G / np.outer(lengths, lengths), problem.C / lengths, problem.lam / lengths
    unit = replace(problem, G=G, C=C, lam=lam)
    each = (by_signs(unit.rows([i]), b, tol[i], max_iter) for i, b in enumerate(B * roots))
    B, gaps, steps = map(np.array, zip(*each))
    return B / lengths, gaps, steps


def _on_gram(table, Y, B, lam, ridge, tol, max_iter, positive):
    """Every target on the Gram matrix of all columns: (B, gaps, steps)."""
    G, C = table.normal_equations(Y)
    problem = Problem(G + ridge * np.eye(len(G)), C.T, (Y**2).sum(axis=0), np.full(len(G), lam), positive)
    return each_by_signs(problem, B, tol * problem.squares, max_iter)


def _by_working_set(table, y, b, lam, ridge, tol, max_iter, positive, total=0):
    """One target: solve on the most promising columns, until all together are near enough to the optimum.

    `total` steps have been made.
    """
    d, enough, stuck, W = len(b), tol * (y @ y), False, np.flatnonzero(b)
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
        (solved,), (left,), (steps,) = _on_gram(
            part, y[:, None], b[None, W], lam, ridge, 0.3 * tol, max_iter - total, positive
        )
        total, stuck, b = total + steps, steps == 0 or left > 0.3 * enough, np.zeros(d)
        b[W] = solved


def minimise(table, Y, B, lam, ridge, tol, max_iter, solver, positive):
    """Weights (t, d), gaps (t,) and steps of every target; B is where to begin.

    ISTA, and what rounding keeps from its optimum, is left to the plain one.
    """
    if solver == "ista":
        return NotImplemented
    d, first = B.shape[1], np.zeros(len(B), int)
    if d <= FIRST or (d <= len(Y) and d**2 <= len(B) * FIRST**2):  # no more than a working set for each
        B, _, first = _on_gram(table, Y, B, lam, ridge, 0.3 * tol, max_iter, positive)
    each = [
        _by_working_set(table, y, b, lam, ridge, tol, max_iter, positive, done)
        for y, b, done in zip(Y.T, B, first)
    ]
    B, gaps, steps = map(np.array, zip(*each))
    far = (gaps > tol * (Y**2).sum(axis=0)) & (steps < max_iter)
    return NotImplemented if far.any() else (B, gaps, steps)
