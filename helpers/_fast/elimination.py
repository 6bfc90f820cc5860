"""Recursive elimination for least squares without refitting: one inverse, down-dated while columns leave."""

import numpy as np

from helpers._fast.subsets import COLLINEAR, NEAR, inverse, may_use, variance_inflation, why_not
from helpers.feature_selection.wrappers import smallest_weights as by_fitting


def smallest_weights(rfe, X, y, fit_params):
    squares = type(rfe.estimator).__name__ == "LinearRegression" and rfe.importance_getter in (
        "auto",
        "coef_",
    )
    weights_differ = None if squares and not fit_params else "only the weights of least squares have one here"
    reason = why_not(rfe.estimator, X, y, None) or weights_differ
    if not may_use(rfe.fast, reason) or not np.isfinite(X).all():
        return NotImplemented
    closed = SquaresElimination(X.astype(float), y.astype(float), rfe.estimator.fit_intercept)
    fitted = by_fitting.plain(rfe, X, y, fit_params)

    def smallest(columns, m):
        gone = np.flatnonzero(~np.isin(closed.columns, columns))
        if len(gone):
            closed.drop(gone)
        found = closed.smallest(m)
        return fitted(columns, m) if found is None else found

    return smallest


class SquaresElimination:
    """Least-squares weights b while columns leave: b and ``P = (XᵀX)⁻¹`` are down-dated, not solved again."""

    def __init__(self, X, y, fit_intercept):
        self.X = X - X.mean(axis=0) if fit_intercept else X
        self.y = y - y.mean() if fit_intercept else y
        self.columns, self.length = np.arange(X.shape[1]), np.linalg.norm(self.y)
        self._solve()

    def _solve(self):
        A = self.X if len(self.columns) == self.X.shape[1] else self.X[:, self.columns]
        G = A.T @ A
        self.P = inverse(G)
        self.b = self.P @ (A.T @ self.y)
        self.well_conditioned = bool(variance_inflation(G, self.P) < COLLINEAR)

    def smallest(self, m):
        """Positions of the m smallest |b|, or None where rounding could decide."""
        if not self.well_conditioned:
            return None
        size = np.abs(self.b)
        margin = NEAR * np.sqrt(np.diag(self.P)) * self.length
        order = np.argsort(size, kind="stable")
        weak, strong = order[:m], order[m:]
        return weak if (size + margin)[weak].max() < (size - margin)[strong].min() else None

    def drop(self, positions):
        """Take columns R out of the kept K: ``b_K - P_KR P_RR⁻¹ b_R`` and ``P_KK - P_KR P_RR⁻¹ P_RK``."""
        R, K = np.asarray(positions), np.delete(np.arange(len(self.columns)), positions)
        self.columns = self.columns[K]
        if not self.well_conditioned:
            return self._solve()
        P_R = self.P[R]
        P_RK = P_R[:, K]
        gain = np.linalg.solve(P_R[:, R], P_RK).T  # P_KR P_RR⁻¹, P is symmetric
        self.b = self.b[K] - gain @ self.b[R]
        self.P = self.P[K][:, K] - gain @ P_RK
