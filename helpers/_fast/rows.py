"""A change of a table batch by batch: what lies between stays in the processor's cache."""

import numpy as np

from helpers._rows import row_batches


def by_rows(change, X):
    """No table as large as X lies between."""
    Z = np.empty(X.shape, X.dtype)
    for rows in row_batches(len(X), 2 * X.shape[1]):
        Z[rows] = change(X[rows])
    return Z
