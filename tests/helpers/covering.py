"""Fewer cases that see as much: not every combination of values, but every value once.

Write `@each_value` above a stack of `pytest.mark.parametrize`.
"""

from collections import Counter

import pytest


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
