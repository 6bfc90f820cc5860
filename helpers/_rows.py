"""Work through a tall table a few rows at a time: what lies between stays in the processor's cache."""
import numpy as np

BLOCK = 2**15  # numbers of a block: 256 KiB


def row_blocks(X):
    """Slices that cut the rows of X into blocks of about BLOCK numbers."""
    step = max(1, BLOCK // X.shape[1])
    return (slice(start, start + step) for start in range(0, len(X), step))


def by_blocks(X, function):
    """``function(X)``, block by block, for a function that treats every row alike; X's shape and dtype."""
    Z = np.empty(X.shape, X.dtype)
    for rows in row_blocks(X):
        Z[rows] = function(X[rows])
    return Z
