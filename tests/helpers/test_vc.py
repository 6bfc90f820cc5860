"""Shattering: linear programmes against a perceptron and Cover's count, VC dimensions against their
theorems."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.model_selection import (
    count_labellings,
    cover_count,
    half_spaces,
    intervals,
    is_shattered,
    separable,
    thresholds,
    vc,
    vc_dimension,
)

quick = settings(deadline=None, max_examples=8)
SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]
LINE = [[0, 0], [1, 1], [2, 2]]


def cloud(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def by_many_random_lines(P, fit_intercept=True):
    """The labellings that 5000 random hyperplanes realise."""
    rng = np.random.default_rng(0)
    A = np.column_stack([P, np.ones(len(P))]) if fit_intercept else np.asarray(P, float)
    return {tuple(row) for row in np.unique(A @ rng.normal(size=(A.shape[1], 5000)) > 0, axis=1).T.tolist()}


# ---- half-spaces


def test_three_points_four_points_and_three_on_a_line():  # items 07.7 and 07.8
    assert is_shattered(SQUARE[:3]) and count_labellings(SQUARE[:3]) == 8
    assert not is_shattered(SQUARE) and count_labellings(SQUARE) == 14
    assert not is_shattered(LINE) and count_labellings(LINE) == 6


def test_the_exclusive_or_is_what_a_line_cannot_do():
    missing = set(product([False, True], repeat=4)) - half_spaces(SQUARE)
    assert missing == {(False, True, True, False), (True, False, False, True)}


@pytest.mark.parametrize("d", [1, 2, 3])
def test_cover_counts_points_in_general_position(d):  # items 07.7 and 07.11
    for n in (d + 1, d + 2, d + 3):
        assert count_labellings(cloud(n, d)) == cover_count(n, d)
    assert (
        cover_count(3, 0) == 2
        and cover_count(d + 1, d) == 2 ** (d + 1)
        and cover_count(d + 2, d) == {1: 6, 2: 14, 3: 30}[d]
    )


@given(seed=st.integers(0, 1000))
@quick
def test_random_lines_find_the_same_labellings(seed):
    P = np.random.default_rng(seed).integers(-2, 3, (4, 2)) + 0.5
    assert by_many_random_lines(P) <= half_spaces(P)
    assert by_many_random_lines(P, False) <= half_spaces(P, fit_intercept=False)
    found = half_spaces(P)
    assert all(tuple(not label for label in labels) in found for labels in found)


def test_without_intercept_fewer_labellings():
    assert len(half_spaces(SQUARE[1:3], fit_intercept=False)) == 4
    assert len(half_spaces(SQUARE[1:], fit_intercept=False)) == 6
    assert half_spaces(cloud(4, 2), fit_intercept=False) == by_many_random_lines(cloud(4, 2), False)
    assert not separable([[0.0], [1.0]], [True, False], fit_intercept=False)  # 0 lies on every such line
    assert separable([[0.0], [1.0]], [True, False])


def test_nothing_is_separated_by_w_zero():
    assert not separable([[1.0, 1.0], [1.0, 1.0]], [True, False])  # the same point twice
    assert separable([[1.0, 1.0], [1.0, 1.0]], [True, True])


@pytest.mark.parametrize("size, shift", [(1e-14, 0), (1e15, 0), (1, 1e4), (1, 1e9), (1e-3, 10)])
@pytest.mark.parametrize("points", [SQUARE, [[-1, 0], [1, 0], [0, 1], [0, -1]]], ids=["square", "diamond"])
def test_neither_unit_nor_origin_matters(points, size, shift):
    P = np.array(points, float) * size + shift
    assert count_labellings(P) == 14 and count_labellings(P[:3]) == 8


# ---- the line


def test_thresholds_by_hand():  # item 07.6
    assert thresholds([3.0, 1.0]) == {(False, False), (True, False), (True, True)}
    assert count_labellings([1, 2, 3], thresholds) == 4 and is_shattered([5], thresholds)
    assert not is_shattered([1, 2], thresholds)


def test_intervals_by_hand():  # item 07.6
    assert is_shattered([1, 2], intervals)
    assert set(product([False, True], repeat=3)) - intervals([1, 2, 3]) == {(True, False, True)}
    assert count_labellings(np.arange(5)[:, None], intervals) == 16


@pytest.mark.parametrize(
    "hypotheses, rule",
    [(thresholds, lambda x, a, b: x >= a), (intervals, lambda x, a, b: (a <= x) & (x <= b))],
    ids=["thresholds", "intervals"],
)
def test_a_fine_grid_of_ends_realises_the_same(hypotheses, rule):
    x = np.array([0.3, 0.1, 0.7, 0.1])
    grid = np.linspace(-0.05, 1, 43)
    assert hypotheses(x) == {tuple(rule(x, a, b).tolist()) for a in grid for b in grid}


# ---- the VC dimension


@pytest.mark.parametrize(
    "hypotheses, pool, dimension",
    [
        (thresholds, [1, 2, 3, 4], 1),
        (intervals, [1, 2, 3, 4], 2),
        (half_spaces, cloud(5, 1), 2),
        (half_spaces, cloud(5, 2), 3),
        (half_spaces, cloud(5, 3), 4),
        (half_spaces, LINE, 2),
        (half_spaces, LINE + [[0, 1]], 3),
        (half_spaces, SQUARE[:2], 2),
    ],
    ids=[
        "thresholds",
        "intervals",
        "line",
        "plane",
        "space",
        "collinear",
        "one set is enough",
        "all of them",
    ],
)
def test_vc_dimensions(hypotheses, pool, dimension):  # items 07.6 to 07.8 and 07.11
    assert vc_dimension(pool, hypotheses) == dimension


def test_a_class_that_shatters_nothing_has_dimension_zero():
    assert vc_dimension([1.0, 2.0], lambda P: {(True,) * len(P)}) == 0


def test_one_parameter_may_shatter_many_points():  # item 07.11: sin θx
    x = 2.0 ** -np.arange(1, 7)
    bits = np.array(list(product([0, 1], repeat=6)))
    theta = np.pi * (1 + ((1 - bits) * 2.0 ** np.arange(1, 7)).sum(axis=1))
    realised = {tuple(row) for row in (np.sin(theta[:, None] * x) > 0).tolist()}
    assert is_shattered(x, lambda P: realised)


def test_too_many_points_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"21 points have 2\^21 labellings: brute force tries at most 20"):
        half_spaces(cloud(21, 2))
    monkeypatch.setattr(vc, "MOST", 3)
    assert is_shattered(SQUARE[:3])
    with pytest.raises(ValueError, match="at most 3 points"):
        is_shattered(SQUARE)


REFUSED = {
    "labels too short": (
        lambda: separable(SQUARE, [True]),
        r"labels has shape \(1,\): give one for each of 4 points",
    ),
    "points of the plane": (lambda: thresholds(SQUARE), r"one column; these have shape \(4, 2\)"),
    "not a number": (lambda: intervals([1.0, np.nan]), "finite numbers"),
    "no point": (lambda: cover_count(0, 2), "n=0, d=2: give at least one point"),
    "no dimension": (lambda: cover_count(2, -1), "d=-1"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
