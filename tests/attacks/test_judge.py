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


class Candidates:
    """Answers with its next idea as soon as what it is asked tells it that the last one was wrong.

    A judge that leaves a case after its first wrong draw says so by asking for another shape too early.
    """

    def __init__(self, ideas, draws):
        self.ideas, self.draws, self.shape, self.asked = list(ideas), draws, None, 0

    def __call__(self, args):
        if self.shape is not None and np.shape(args[0]) != self.shape and self.asked < self.draws:
            self.ideas = self.ideas[1:] or self.ideas
        if np.shape(args[0]) != self.shape:
            self.shape, self.asked = np.shape(args[0]), 0
        self.asked += 1
        return self.ideas[0](*args)


@pytest.fixture
def sums():
    return question(
        "knn.99",
        "Sums",
        name="sums",
        truth=lambda x: x.sum(),
        cases=[Case(1, f"{n} rows", lambda rng, n=n: (rng.normal(size=n),)) for n in (3, 4, 5, 6)],
    )


def test_an_answer_cannot_see_from_what_it_is_asked_whether_it_was_right(sums):
    ideas = [lambda x: x.max(), lambda x: x.sum()]
    assert judge(sums, Candidates(ideas, 3), [(7, i) for i in range(3)]).points == 0
    assert judge(sums, Candidates(ideas[1:], 3), [(7, i) for i in range(3)]).full


def test_the_same_is_asked_of_right_and_of_wrong_answers_in_a_secret_order(sums):
    def asked_of(answer, secret):
        shapes = []
        judge(
            sums,
            lambda args: shapes.append(len(args[0])) or answer(*args),
            [(secret, i) for i in range(3)],
            False,
        )
        return shapes

    right, wrong = (asked_of(answer, 7) for answer in (lambda x: x.sum(), lambda x: -99.0))
    assert right == wrong and sorted(right) == sorted([3, 4, 5, 6] * 3)
    assert asked_of(lambda x: x.sum(), 8) != right


def test_an_answer_that_fails_is_not_asked_the_same_kind_again(sums):
    """An answer that hangs costs its time once for each case."""
    from grading.judging import CallFailed

    asked = []

    def hangs(args):
        asked.append(len(args[0]))
        raise CallFailed("it hangs.")

    assert judge(sums, hangs, [(7, i) for i in range(3)], False).points == 0 and sorted(asked) == [3, 4, 5, 6]
