"""The covariance matrix batch by batch: centring never copies the whole table."""

import numpy as np
from scipy.linalg.blas import dsyrk

from helpers._linalg import dense
from helpers._rows import row_batches


def covariance(X, mean, ddof=1):
    """S is symmetric: only one triangle is summed."""
    d, mean = X.shape[1], np.asarray(mean, float)
    S = np.zeros((d, d), order="F")
    for rows in row_batches(X.shape[0], d):
        S = dsyrk(
            1.0, (dense(X[rows]) - mean).T, beta=1.0, c=S, overwrite_c=True
        )  # S += AᵀA above the diagonal
    return (np.triu(S) + np.triu(S, 1).T) / max(X.shape[0] - ddof, 1)
