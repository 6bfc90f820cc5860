"""Batches of rows: every row once and in order, no batch larger than asked for, and X left as it is."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from helpers import _rows


@pytest.mark.parametrize(
    "n, width, rows",
    [
        (10, 1, [6, 4]),
        (10, 2, [3, 3, 3, 1]),
        (4, 6, [1, 1, 1, 1]),
        (3, 7, [1, 1, 1]),
        (6, 1, [6]),
        (0, 2, []),
    ],
)
def test_a_batch_holds_six_numbers(monkeypatch, n, width, rows):
    monkeypatch.setattr(_rows, "BLOCK", 6)
    assert [len(range(n)[batch]) for batch in _rows.row_batches(n, width)] == rows


@pytest.mark.speed
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_the_copy_is_changed_batch_by_batch(monkeypatch, order, dtype):
    monkeypatch.setattr(_rows, "BLOCK", 12)
    X, seen = np.asarray(np.arange(20).reshape(10, 2), dtype, order=order), []
    Z = _rows.by_rows(lambda A: seen.append(len(A)) or 2.0 * A.astype(float), X)
    assert_array_equal(Z, np.arange(0, 40, 2).reshape(10, 2))
    assert Z.dtype == dtype and seen == [3, 3, 3, 1]  # X and its copy share the 12 numbers
    assert_array_equal(X, np.arange(20).reshape(10, 2))


def test_the_type_is_kept_where_a_number_is_more_precise():
    X = np.ones((3, 2), np.float32)
    assert _rows.by_rows(lambda A: A * np.float64(0.5), X).dtype == np.float32
