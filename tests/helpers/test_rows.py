"""Blocks of rows: every row once and in order, no block larger than asked for, and X left as it is."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from helpers import _rows


@pytest.mark.parametrize(
    "n, d, tables, rows",
    [
        (10, 1, 1, [6, 4]),
        (10, 2, 1, [3, 3, 3, 1]),
        (4, 6, 1, [1, 1, 1, 1]),
        (3, 7, 1, [1, 1, 1]),
        (6, 1, 1, [6]),
        (10, 1, 2, [3, 3, 3, 1]),
        (3, 2, 2, [1, 1, 1]),
        (5, 1, 6, [1] * 5),
        (0, 2, 1, []),
    ],
)
def test_blocks_share_six_numbers(monkeypatch, n, d, tables, rows):
    monkeypatch.setattr(_rows, "BLOCK", 6)
    X = np.arange(n * d).reshape(n, d)
    blocks = [X[block] for block in _rows.row_blocks(X, tables)]
    assert [len(block) for block in blocks] == rows
    assert_array_equal(np.concatenate([X[:0], *blocks]), X)


def test_a_block_fits_the_cache():
    assert 8 * _rows.BLOCK == 256 * 1024
    assert next(_rows.row_blocks(np.zeros((2**16, 1)))) == slice(0, _rows.BLOCK)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_the_copy_is_changed_block_by_block(monkeypatch, order, dtype):
    monkeypatch.setattr(_rows, "BLOCK", 12)
    X, seen = np.asarray(np.arange(20).reshape(10, 2), dtype, order=order), []

    def double(A):
        seen.append(len(A))
        A *= 2

    Z = _rows.by_blocks(X, double)
    assert_array_equal(Z, np.arange(0, 40, 2).reshape(10, 2))
    assert Z.dtype == dtype and seen == [3, 3, 3, 1]  # X and its copy share the 12 numbers
    assert_array_equal(X, np.arange(20).reshape(10, 2))
