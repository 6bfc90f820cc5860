"""Searches over subsets, against brute force and a scorer that is asked again."""

from itertools import product

import numpy as np
import pytest

from helpers.methods.subset_search import exhaustive_search, las_vegas


def some_errors(seed, d, digits=None):
    """A function of a subset, with ties where few digits are left, and the list of what it was asked."""
    rng, asked = np.random.default_rng(seed), []
    table = {kept: rng.random() for kept in product((False, True), repeat=d)}
    if digits is not None:
        table = {kept: round(value, digits) for kept, value in table.items()}

    def error(A):
        asked.append(A)
        return table[tuple(j in A for j in range(d))]

    return error, asked


@pytest.mark.parametrize("d", range(1, 7))
def test_the_best_of_all_subsets_is_found_and_each_is_asked_once(d):
    error, asked = some_errors(d, d, digits=1)
    subset, least = exhaustive_search(error, d)
    everything = list(asked)
    assert len({tuple(A) for A in everything}) == len(everything) == 2**d - 1
    assert least == error(subset) == min(map(error, everything))
    assert len(subset) == min(len(A) for A in everything if error(A) == least)


@pytest.mark.parametrize("d", [0, 21, 40, -1])
def test_too_many_subsets_are_refused(d):
    with pytest.raises(ValueError, match="choose 1 to 20 features"):
        exhaustive_search(len, d)


@pytest.mark.parametrize("in_a_row", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_las_vegas_keeps_the_best_that_it_drew(seed, in_a_row):
    error, asked = some_errors(seed, 6, digits=1)
    subset, history = las_vegas(error, 6, 15, np.random.default_rng(seed), in_a_row=in_a_row)
    drawn, best, failures = list(asked), list(range(6)), 0
    assert drawn[0] == best and len(history) == len(drawn)
    for A, least in zip(drawn[1:], history[1:], strict=True):
        won = (error(A), len(A)) < (error(best), len(best))
        failures, best = (0, A) if won else (failures + 1, best)
        assert least == error(best)
    assert subset == best
    assert failures == 15 if in_a_row else len(drawn) == 16


def test_every_subset_but_the_empty_one_is_drawn_alike():
    error, asked = some_errors(0, 3)
    las_vegas(error, 3, 7000, np.random.default_rng(0))
    counts = np.unique([sum(2**j for j in A) for A in asked[1:]], return_counts=True)
    assert counts[0].tolist() == list(range(1, 8)) and abs(counts[1] - 1000).max() < 120


@pytest.mark.parametrize(("d", "T"), [(0, 5), (3, 0), (3, np.inf), (3, 2.5), (None, 3)])
def test_las_vegas_needs_a_feature_and_a_try(d, T):
    with pytest.raises(ValueError, match="whole number of at least 1"):
        las_vegas(len, d, T, np.random.default_rng(0))
