"""Leave-one-out errors of ridge regression from the smaller, (d, d) eigenproblem."""

import numpy as np

from helpers.linear_model.ridge import unit


def left_out(table, Y, alphas, fit_intercept):
    """For d < n: ``X̃ᵀX̃ = V diag(λ) Vᵀ``, so ŷ = U (c/(λ+α)) with U = X̃V and c = Uᵀy."""
    n, d = table.shape
    if n <= d:
        return NotImplemented
    G, C = table.normal_equations(Y)
    values, V = np.linalg.eigh(G)
    values = np.maximum(values, 0)
    U = table.times(V)  # (n, d)
    shrink = 1 / (values[:, None] + alphas)  # (d, a)
    c = V.T @ C  # (d, t)
    left = 1 - (U * U) @ shrink  # 1 - H_ii
    if fit_intercept:
        left -= (unit(table.roots) ** 2)[:, None]
    errors = np.stack([(y[:, None] - U @ (c_y[:, None] * shrink)) / left for y, c_y in zip(Y.T, c.T)], axis=1)
    return errors**2, lambda alpha: V @ (c / (values[:, None] + alpha))
