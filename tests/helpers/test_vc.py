"""Shattering: linear programmes against random lines and Cover's count; VC dimensions and their theorems."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.methods.vc import cover_count, half_spaces, is_shattered, separable, vc_dimension

quick = settings(deadline=None, max_examples=8)
SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]
LINE = [[0, 0], [1, 1], [2, 2]]


def cloud(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def thresholds(x):
    return {tuple((x >= cut).tolist()) for cut in [*x, np.inf]}


def by_many_random_lines(P):
    """The labellings that 5000 random hyperplanes realise."""
    A = np.column_stack([P, np.ones(len(P))])
    w = np.random.default_rng(0).normal(size=(A.shape[1], 5000))
    return {tuple(row) for row in np.unique(A @ w > 0, axis=1).T.tolist()}


def test_three_points_four_points_and_three_on_a_line():  # items 07.7 and 07.8
    assert is_shattered(SQUARE[:3]) and not is_shattered(SQUARE)
    assert len(half_spaces(SQUARE)) == 14 and len(half_spaces(LINE)) == 6


def test_the_exclusive_or_is_what_a_line_cannot_do():
    missing = set(product([False, True], repeat=4)) - half_spaces(SQUARE)
    assert missing == {(False, True, True, False), (True, False, False, True)}


@pytest.mark.parametrize("d", [1, 2, 3])
def test_cover_counts_points_in_general_position(d):  # items 07.7 and 07.11
    for n in (d + 1, d + 2, d + 3):
        assert len(half_spaces(cloud(n, d))) == cover_count(n, d)
    assert cover_count(3, 0) == 2 and cover_count(d + 1, d) == 2 ** (d + 1)
    assert cover_count(d + 2, d) == {1: 6, 2: 14, 3: 30}[d]


@given(seed=st.integers(0, 1000))
@quick
def test_random_lines_find_the_same_labellings(seed):
    P = np.random.default_rng(seed).integers(-2, 3, (4, 2)) + 0.5
    found = half_spaces(P)
    assert by_many_random_lines(P) <= found
    assert all(tuple(not label for label in labels) in found for labels in found)


def test_nothing_is_separated_by_w_zero():
    assert not separable([[1.0, 1.0], [1.0, 1.0]], [True, False])  # the same point twice
    assert separable([[1.0, 1.0], [1.0, 1.0]], [True, True])


@pytest.mark.parametrize(
    "size, shift", [(1e-14, 0), (1e15, 0), (1, 1e4), (1, 1e9), (1e-3, 10), ([1, 1e-9], 0), ([1e-6, 1e9], 0)]
)
@pytest.mark.parametrize("points", [SQUARE, [[-1, 0], [1, 0], [0, 1], [0, -1]]], ids=["square", "diamond"])
def test_neither_units_nor_origin_matter(points, size, shift):
    P = np.array(points, float) * size + shift
    assert len(half_spaces(P)) == 14 and len(half_spaces(P[:3])) == 8


@pytest.mark.parametrize(
    "pool, dimension",
    [(cloud(5, 1), 2), (cloud(5, 2), 3), (cloud(5, 3), 4), (LINE, 2), (LINE + [[0, 1]], 3), (SQUARE[:2], 2)],
    ids=["line", "plane", "space", "collinear", "one set is enough", "all of them"],
)
def test_vc_dimensions(pool, dimension):  # items 07.6 to 07.8 and 07.11
    assert vc_dimension(pool) == dimension


def test_dimensions_of_other_classes():
    assert vc_dimension([1, 2, 3, 4], thresholds) == 1  # item 07.6
    assert vc_dimension([1.0, 2.0], lambda x: {(True,) * len(x)}) == 0
    assert vc_dimension([1.0, 2.0], lambda x: set(product([False, True], repeat=len(x)))) == 2


REFUSED = {
    "labels too short": (lambda: separable(SQUARE, [True]), "give True or False for each of 4 points"),
    "labels of plus and minus": (lambda: separable(SQUARE, [-1, 1, 1, -1]), "as in y > 0"),
    "a blank": (lambda: separable([[np.nan], [1]], [True, False]), "NaN"),
    "too many points": (lambda: half_spaces(cloud(13, 2)), r"13 points have 2\^13 labellings"),
    "too many subsets": (
        lambda: vc_dimension(cloud(30, 2)),
        "30 points have 27,405 subsets of 4 to try: give fewer points",
    ),
    "no point": (lambda: cover_count(0, 2), "n=0: give a whole number of points, from 1 up"),
    "no dimension": (lambda: cover_count(2, -1), "D=-1"),
    "no end": (lambda: cover_count(5, np.inf), "D=inf"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
