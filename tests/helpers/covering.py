"""Fewer cases that see as much: not every combination of options, but every pair of them, or every one.

Write `@pairwise` or `@each_value` above a stack of `pytest.mark.parametrize`. Most faults show with one
option or with two of them together (Kuhn, Wallace and Gallo 2004, IEEE Trans. Software Engineering 30(6)).
"""

from collections import Counter
from itertools import combinations, product

import pytest


def pairwise(test):
    """Every value beside every value of each other argument, in as few cases as a greedy search finds."""
    return _chosen(test, _pairs)


def each_value(test):
    """Every value of every argument once: as many cases as the longest list of values."""
    return _chosen(test, _singles)


def _chosen(test, choose):
    stack = [mark for mark in test.pytestmark if mark.name == "parametrize"]
    test.pytestmark = [mark for mark in test.pytestmark if mark.name != "parametrize"]
    factors = [_values(*mark.args, **mark.kwargs) for mark in stack]
    rows = [[factor[i] for factor, i in zip(factors, row)] for row in choose([len(f) for f in factors])]
    cases = [
        pytest.param(
            *(v for one in row for v in one.values),
            id="-".join(one.id for one in row),
            marks=[mark for one in row for mark in one.marks],
        )
        for row in rows
    ]
    return pytest.mark.parametrize(", ".join(mark.args[0] for mark in stack), cases)(test)


def _values(names, values, ids=None):
    """Each as a pytest.param with an id."""
    several, values = "," in names, list(values)
    ids = [ids(v) for v in values] if callable(ids) else [None] * len(values) if ids is None else list(ids)
    for i, (value, known) in enumerate(zip(values, ids, strict=True)):
        one = value if hasattr(value, "marks") else pytest.param(*(value if several else (value,)))
        plain = all(isinstance(v, (str, int, float, bool, type(None))) for v in one.values)
        text = "-".join(map(str, one.values)) if plain else getattr(one.values[0], "__name__", f"{names}{i}")
        values[i] = pytest.param(*one.values, id=one.id or known or text, marks=one.marks)
    return values


def _singles(sizes):
    """As many rows as the longest factor has places: each place as often as others, pairs evenly."""
    rows, used = [], Counter()
    for _ in range(max(sizes)):
        row = []
        for f, size in enumerate(sizes):
            beside = [[((g, b), (f, a)) for g, b in enumerate(row)] for a in range(size)]
            seen = [(used[f, a], sum(used[pair] for pair in beside[a])) for a in range(size)]
            row.append(seen.index(min(seen)))
            used.update([(f, row[f]), *beside[row[f]]])
        rows.append(row)
    return rows


def _pairs(sizes):
    """Rows of places, one for each factor: every two places of two factors meet in some row."""
    if len(sizes) < 3:
        return list(product(*map(range, sizes)))
    left = {
        ((f, a), (g, b))
        for f, g in combinations(range(len(sizes)), 2)
        for a, b in product(range(sizes[f]), range(sizes[g]))
    }
    rows, order = [], sorted(range(len(sizes)), key=lambda f: -sizes[f])
    while left:
        row = dict(min(left))  # a pair that is missing; then what makes the most other pairs
        for f in (f for f in order if f not in row):
            gain = [sum(_pair((f, a), (g, b)) in left for g, b in row.items()) for a in range(sizes[f])]
            best = [a for a in range(sizes[f]) if gain[a] == max(gain)]
            row[f] = best[len(rows) % len(best)]
        left -= {_pair(*two) for two in combinations(row.items(), 2)}
        rows.append([row[f] for f in range(len(sizes))])
    return rows


def _pair(one, other):
    return min(one, other), max(one, other)
