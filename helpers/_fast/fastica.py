"""The fixed-point step of FastICA on rows that stay in the cache."""

import numpy as np

from helpers._rows import row_batches


def step(W, Z, g):
    """Batch by batch."""
    pull, slope = np.zeros_like(W), np.zeros(len(W), W.dtype)
    for rows in row_batches(len(Z), 8 * len(W)):
        z = Z[rows]  # (b, k)
        gu, mean_slope = g(W @ z.T)  # (m, b), (m,)
        pull += gu @ z
        slope += len(z) * mean_slope
    return (pull - slope[:, None] * W) / len(Z)
