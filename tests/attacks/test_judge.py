"""Plain data that is meant to keep the lecturer's side busy: refused before anything is compared."""

import numpy as np
import pandas as pd
import pytest

from grading import judging
from grading.judging import how_many, judge
from grading.questions.declaring import Case, question

LOOP = [1.0]
LOOP.append(LOOP)
HUGE = {
    "nothing, a billion times": np.zeros((10**9, 0)),
    "two million numbers": np.zeros(2 * 10**6),
    "one long row": np.zeros((1, 10**5)),
    "a million in a list": [0] * 10**6,
    "rows in lists": [[0.0, 1.0, 2.0]] * 10**5,
    "text": "x" * 10**6,
    "a dict": {i: i for i in range(10**5)},
    "a table": pd.DataFrame(np.zeros((10**5, 3))),
    "a tuple of arrays": (np.zeros(10**5),) * 3,
    "a list in itself": LOOP,
}


@pytest.fixture
def greedy(monkeypatch):
    """A question whose judge would take all memory, and all day."""
    monkeypatch.setattr(judging, "COUNTED", 10**5)  # what holds itself is counted to here

    def outer(got, X):
        pytest.fail("the checker was asked to compare it")

    return question(
        "knn.99",
        "A checker that compares everything with everything",
        name="greedy",
        truth=lambda X: X,
        checker=outer,
        cases=Case(1, draw=lambda rng: (rng.normal(size=(20, 3)),)),
    )


@pytest.fixture(autouse=True)
def forgotten():
    yield
    from grading.questions import declaring

    declaring.REGISTRY.pop("knn.99", None)


@pytest.mark.parametrize("name", HUGE)
def test_no_answer_keeps_a_checker_busy(greedy, name):
    result = judge(greedy, lambda args: HUGE[name], [1], show=False)
    assert result.points == 0 and result.notes == ["your result holds far more values than were asked for."]


def test_answers_as_large_as_asked_for_are_compared():
    large = question(
        "knn.99",
        "Large",
        name="large",
        truth=lambda n: np.arange(n),
        cases=Case(1, draw=lambda rng: (30_000,)),
    )
    assert judge(large, lambda args: list(range(30_000)), [1]).full
    assert judge(large, lambda args: np.arange(299_999), [1]).notes != [
        "your result holds far more values than were asked for."
    ]


def test_values_are_counted():
    assert [
        how_many(v) for v in (3, "abc", [1, 2], {"a": 1}, np.zeros((2, 3)), (np.zeros(2), [1, [2, 3]]), None)
    ] == [1, 3, 2, 3, 11, 10, 1]
    assert how_many(LOOP) == judging.COUNTED
