"""The k smallest of every row, and neighbours without the row itself, by slow loops."""

import numpy as np
import pytest

from helpers import _nearest


@pytest.mark.parametrize("seed", range(5))
def test_k_smallest_of_every_row(seed):
    D = np.random.default_rng(seed).integers(0, 4, (9, 7)).astype(float)
    for k in range(1, 8):
        wanted = [sorted(range(7), key=lambda j, row=row: (row[j], j))[:k] for row in D]
        for way in (_nearest.k_smallest, _nearest.k_smallest.plain):
            np.testing.assert_array_equal(way(D, k), wanted)


def test_a_row_leaves_its_list_or_the_last_does():
    near = np.array([[7, 1, 2], [3, 7, 2], [3, 2, 7], [1, 2, 3]])
    keep = _nearest.without_self(near, [7, 7, 7, 7])
    assert near[keep].reshape(4, 2).tolist() == [[1, 2], [3, 2], [3, 2], [1, 2]]
    assert _nearest.without_self(near, [7, 3, 9, 2]).sum(axis=1).tolist() == [2] * 4
