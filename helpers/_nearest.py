"""The k smallest of a row, and neighbours without the row itself: wherever rows are compared with rows."""

import numpy as np

from helpers._fast import faster

__all__ = ["k_smallest", "without_self"]


@faster("nearest")
def k_smallest(D, k):
    """Columns of the k smallest numbers of every row, smallest first, of equals the first; shape (m, k)."""
    return np.argsort(D, axis=1, kind="stable")[:, :k]


def without_self(near, rows):
    """Mask that drops from each list of neighbours, (m, k + 1), its own row, (m,); k are left in every list.

    Where so many copies of a row stand before it that it is not in its list, the last of the list is dropped.
    """
    keep = near != np.asarray(rows)[:, None]
    keep[keep.all(axis=1), -1] = False
    return keep
