"""Tall tables a few rows at a time: what lies between stays small."""

from sklearn.utils import gen_batches

from helpers._fast import faster

BLOCK = 2**17  # numbers of a batch: 1 MiB


def row_batches(n, width):
    """Slices of n rows, with so many numbers to a row: about BLOCK numbers each."""
    return gen_batches(n, max(1, BLOCK // width)) if n else iter(())


@faster("rows")
def by_rows(change, X):
    """``change(X)``, of the type of X, for a change that treats every row alike."""
    return change(X).astype(X.dtype, copy=False)
