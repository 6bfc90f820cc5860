"""What an answer is given in a class is what it is given by `check`: types, shapes and values."""

import json

import numpy as np
import pandas as pd
import pytest

from grading.registry import all_questions
from grading.sandbox.inside import wire


def there(value):
    return wire.decode(json.loads(json.dumps(wire.encode(value))))


def alike(a, b):
    """The same type, all the way down, and the same values."""
    if isinstance(a, np.ndarray):
        same = type(b) is np.ndarray and a.shape == b.shape and a.dtype.kind == b.dtype.kind
        return same and all(x is y or x == y or (x != x and y != y) for x, y in zip(a.ravel(), b.ravel()))
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[k], b[k]) for k in a)
    if hasattr(a, "columns"):
        return list(a.columns) == list(b.columns) and a.equals(b)
    return isinstance(a, np.random.Generator) or a == b or a != a and b != b


ARRAYS = [
    np.array(["red", "blue"]),
    np.array([["a", "bc"], ["", "ü"]]),
    np.array(["x", None, 3.5, float("nan")], dtype=object),
    np.zeros((0, 3)),
    np.array([], dtype=str),
    np.arange(6.0).reshape(2, 3),
    (np.array([True, False]), ["a"], {"k": np.array(["v"])}),
]


def test_arrays_stay_arrays():
    assert [value for value in ARRAYS if not alike(value, there(value))] == []


def test_a_table_of_very_many_columns_is_refused_where_it_is_made():
    """As where it comes to: each of its columns would be read before anybody counts them."""
    rows = np.zeros((1, wire.COLUMNS + 1))
    assert alike(pd.DataFrame(rows[:, 1:]), there(pd.DataFrame(rows[:, 1:])))
    with pytest.raises(wire.WireError, match=wire.TOO_MANY_COLUMNS):
        wire.encode(pd.DataFrame(rows))
    with pytest.raises(wire.WireError, match=wire.TOO_MANY_COLUMNS):
        wire.decode({"~": "table", "v": [["", [0.0]]] * (wire.COLUMNS + 1)})


def form(value):
    """What encoding looks at: types, kinds of number and axes, all the way down."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.kind, value.ndim, frozenset(map(type, value.ravel().tolist()))
    if isinstance(value, (list, tuple)):
        return type(value), frozenset(map(form, value))
    if isinstance(value, dict):
        return dict, frozenset((form(k), form(v)) for k, v in value.items())
    return type(value)


def tasks():
    """{question and case: arguments}: the first task that asks with arguments of each form."""
    asked = {}
    for q in (q for q in all_questions() if q.is_function and q.seconds <= 10):
        for case in range(len(q.cases)):
            args = tuple(q.task(case, 0).args)
            asked.setdefault(form(args), (f"{q.id} {case}", args))
    return dict(asked.values())


def test_a_class_is_asked_what_a_learner_is_asked():
    asked = tasks()
    other = {name: (args, there(args)) for name, args in asked.items() if not alike(args, there(args))}
    assert len(asked) > 40 and other == {}


HOSTILE = {
    "a long word among many": {"~": "words", "s": [1001], "v": ["x" * 10**5] + ["y"] * 1000},
    "words that are none": {"~": "words", "s": [1], "v": [{"~": "dict", "v": []}]},
    "another shape": {"~": "words", "s": [3], "v": ["a"]},
    "a shape below nothing": {"~": "objects", "s": [-1, -1], "v": [1]},
    "many dimensions": {"~": "objects", "s": [1] * 40, "v": [1]},
    "a shape without end": {"~": "words", "s": [10**18, 0], "v": ["a"]},
    "a dtype of nothing": {"~": "array", "d": "V0", "s": [0], "b": ""},
    "an array in an array": {"~": "objects", "s": [1], "v": [[1, 2]]},
    "no list": {"~": "objects", "s": [1], "v": 7},
}


def test_what_is_no_array_is_refused(subtests):
    for what, sent in HOSTILE.items():
        with subtests.test(what), pytest.raises(wire.WireError):
            wire.decode(sent)
