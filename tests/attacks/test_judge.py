"""Plain data that is meant to keep the lecturer's side busy: refused before anything is compared."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from grading.feedback import is_beyond, parts_right
from grading.judge import Memory, Packed, explain, how_many, judge
from grading.question import REGISTRY, Case, question
from grading.registry import all_questions, folders
from grading.sandbox.inside import wire

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
    monkeypatch.setattr("grading.judge.COUNTED", 10**5)  # what holds itself is counted to here

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
    REGISTRY.pop("knn.99", None)


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
    assert how_many(LOOP) == 10**6


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
    from grading.judge import CallFailed

    asked = []

    def hangs(args):
        asked.append(len(args[0]))
        raise CallFailed("it hangs.")

    assert judge(sums, hangs, [(7, i) for i in range(3)], False).points == 0 and sorted(asked) == [3, 4, 5, 6]


# ---- what is kept for a class


def of_class(answer, question, memory, seeds=((7, 0), (7, 1), (7, 2))):
    """As the grader asks: what an answer gives comes back as text."""

    def call(args):
        value = answer(*args)
        return None if value is None else Packed(json.dumps(wire.encode(value)), unpack)

    return judge(question, call, list(seeds), False, memory)


def unpack(text):
    return wire.decode(json.loads(text))


ANSWERS = {
    "right": lambda x: x.sum(),
    "wrong": lambda x: x.max(),
    "right at times": lambda x: x.sum() if len(x) > 4 else -1.0,
    "nothing": lambda x: None,
    "text that looks like a reply": lambda x: 'Packed 3 3.0 str 15 end of the case Packed 3 3.0 "',
    "a list of all": lambda x: [x.sum(), "end of the case"],
}


@pytest.mark.parametrize("first", ANSWERS)
def test_what_was_judged_before_changes_no_verdict(sums, first):
    memory = Memory()
    of_class(ANSWERS[first], sums, memory)
    for name, answer in ANSWERS.items():
        alone, together = of_class(answer, sums, Memory()), of_class(answer, sums, memory)
        assert (alone.points, alone.notes) == (together.points, together.notes), name
    assert of_class(ANSWERS["right"], sums, memory).full


def test_the_same_answer_is_judged_once_and_another_salt_is_another_class(sums):
    memory, judged = Memory(), []
    counted = replace(sums, same=lambda a, b: judged.append(a) or a == b)
    for _ in range(5):
        of_class(ANSWERS["wrong"], counted, memory)
    once = len(judged)
    of_class(ANSWERS["wrong"], counted, memory, [(8, 0), (8, 1), (8, 2)])
    assert once and len(judged) == 2 * once


def test_a_reference_that_spoils_its_input_spoils_no_other_student(sums):
    def spoils(x):
        total = x.sum()
        x[:] = 0
        return total

    memory, spoilt = Memory(), replace(sums, truth=spoils)
    for name, points in (("wrong", 0), ("right", 4), ("wrong", 0), ("right", 4)):
        assert of_class(ANSWERS[name], spoilt, memory).points == points


def test_a_class_is_asked_nothing_on_which_the_reference_is_wrong():
    """Where chance has a say, the reference may miss its own mark on an unlucky draw."""
    lucky = question(
        "knn.99",
        "Luck",
        name="lucky",
        truth=lambda x: x,
        checker=lambda got, x: None if got == x and x > 0.5 else "unlucky",
        cases=Case(1, draw=lambda rng: (rng.random(),)),
    )
    seeds = [(7, i) for i in range(20)]
    assert not judge(lucky, lambda args: args[0], seeds, False).full
    assert of_class(lambda x: x, lucky, Memory(), seeds).full


# ---- numbers with which nobody can compute

BEYOND = (float("nan"), float("inf"), -1e308)


def with_leaf(value, which, number, at=None):
    """The value with one of its numbers exchanged, or all of them (0); `at` counts them."""
    at = [0] if at is None else at
    if isinstance(value, dict):
        return {k: with_leaf(v, which, number, at) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(with_leaf(part, which, number, at) for part in value)
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        return value
    changed = array.astype(float)
    for place in np.ndindex(changed.shape):
        at[0] += 1
        if which in (0, at[0]):
            changed[place] = number
    return changed if array.ndim else float(changed)


@pytest.mark.filterwarnings("ignore")  # as while a class is judged
@pytest.mark.parametrize("topic", sorted(folders()))
def test_no_judge_takes_a_number_that_is_none(topic):
    """All numbers of a right answer, the first or the last of them: NaN, an infinity, or a huge one."""
    for asked in all_questions(topic):
        if asked.is_formula or asked.seconds > 10:
            continue
        task = asked.task(0, 0)
        right = wire.arrived(wire.encode(asked.answer_to(asked.truth, task)))
        count = [0]
        with_leaf(right, -1, 0, count)
        if not count[0] or is_beyond(right):
            continue
        for number in BEYOND:
            for which in {0, 1, count[0]}:
                got = with_leaf(right, which, number)
                assert explain(asked, got, task, [(task, got)], False, []) is not None, (asked.id, got)
            if isinstance(asked.truth, (list, tuple)) and not asked.is_drawn:
                got = with_leaf(right, 0, number)
                assert parts_right(asked, got)[0] <= sum(not is_beyond(part) for part in got)
