"""Fewer cases leave out no pair of options, or no option."""

from itertools import combinations, product

import pytest

from tests.helpers.covering import each_value, pairwise

SIZES = [(3, 11, 7, 2), (2, 2, 3, 4, 2, 3, 2), (5, 4), (6, 1, 4), (3,)]


def cases(decorator, sizes):
    """The rows of values that the decorator leaves of the full product."""

    def test():
        pass

    for f, size in enumerate(sizes):
        pytest.mark.parametrize(f"a{f}", range(size))(test)
    (mark,) = decorator(test).pytestmark
    assert mark.args[0] == ", ".join(f"a{f}" for f in range(len(sizes)))
    return [case.values for case in mark.args[1]]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_every_pair_meets(sizes):
    rows = cases(pairwise, sizes)
    for f, g in combinations(range(len(sizes)), 2):
        assert {(row[f], row[g]) for row in rows} == set(product(range(sizes[f]), range(sizes[g])))
    largest = sorted(sizes)[-2:]
    assert len(rows) <= 2 * largest[0] * largest[-1] and len(set(rows)) == len(rows)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_every_value_occurs(sizes):
    rows = cases(each_value, sizes)
    assert [{row[f] for row in rows} for f in range(len(sizes))] == [set(range(size)) for size in sizes]
    assert len(rows) == max(sizes)


def test_two_short_lists_do_not_go_in_step():
    rows = cases(each_value, (2, 2, 11))
    assert {row[:2] for row in rows} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_names_and_marks_are_kept():
    @each_value
    @pytest.mark.usefixtures("tmp_path")
    @pytest.mark.parametrize("x, y", [(1, 2), pytest.param(3, 4, id="odd", marks=pytest.mark.skip)])
    @pytest.mark.parametrize("kind", [dict, list], ids=["a dict", "a list"])
    def test():
        pass

    other, mark = test.pytestmark
    assert other.name == "usefixtures"
    assert [case.id for case in mark.args[1]] == ["a dict-1-2", "a list-odd"]
    assert [len(case.marks) for case in mark.args[1]] == [0, 1]
