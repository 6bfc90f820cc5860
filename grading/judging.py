"""Points and feedback for one answer: the same for a learner's notebook and for a class.

`judge` never touches the answer itself: it asks `call(args)` for what the answer gives, so the answer may
run in another process.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from grading.formulas import Computed, written
from grading.questions.declaring import Question, Task
from helpers.reading import ReadingError

__all__ = ["CallFailed", "NOT_ATTEMPTED", "Result", "judge"]

NOT_ATTEMPTED = "not attempted yet"
RAGGED = "a list whose parts differ in shape"
PLENTY, COUNTED = 10_000, 10**6  # values of an answer that no judge minds; beyond this they are not counted


class CallFailed(Exception):
    """The answer gave nothing: it raised, hung or was never written. The text is for the student."""


@dataclass
class Result:
    """Points and what to tell the student, one note for each case that failed.

    formula : the TeX that was read, of a question for a formula
    unread : it could not be read, which is no try
    """

    question: Question
    points: float = 0.0
    notes: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    formula: str = ""
    unread: bool = False

    @property
    def full(self) -> bool:
        return abs(self.points - self.question.points) < 1e-9


def judge(
    question: Question, call: Callable[[tuple], object], seeds: Iterable = (0, 1, 2), show: bool = True
) -> Result:
    """Try the answer on every case, each drawn from every seed; a case counts when all its draws are right.

    `show`: a public case, whose expected values the student may see. Else the order is a secret's, too.

    All is asked before anything is judged: an answer that could see how far it got could change its mind.
    """
    try:
        return _judge(question, call, list(seeds), show)
    except ReadingError as error:
        why = str(error) if error.tex else error.why
        return Result(question, 0.0, [f"your formula cannot be read and computed: {why}"], unread=True)


def _judge(question, call, seeds, show):
    result, right = Result(question), []
    tried = _ask(question, call, seeds if question.is_drawn else seeds[:1], mixed=not show)
    for index, case in enumerate(question.cases):
        note = _judge_case(question, tried[index], show, result)
        if note is None:
            result.points += case.points
            right.append(case.label)
        elif note == NOT_ATTEMPTED:
            return Result(question, 0.0, [NOT_ATTEMPTED])
        elif len(question.cases) == 1:
            result.notes.append(note)
        elif f"{note}" not in [n.split(": ", 1)[-1] for n in result.notes]:
            result.notes.append(f"On {case.label}: {note}")
    if right and result.notes:
        result.notes.insert(0, f"Right for {' and '.join(right)}.")
    return result


def _ask(question, call, seeds, mixed):
    """[[(task, what the answer gave or how it failed)]] of each case, in the order of the seeds.

    A case on which the answer failed is not asked again: that it failed is no news to it.
    """
    order = [(index, seed) for index in range(len(question.cases)) for seed in seeds]
    if mixed:
        random.Random(repr((question.id, seeds))).shuffle(order)
    tried, over = [{} for _ in question.cases], set()
    for index, seed in order:
        if index in over:
            continue
        task = question.task(index, seed)
        try:
            got = call(copy.deepcopy(task.args))
        except CallFailed as failure:
            got = failure
        if got is None or got is ... or isinstance(got, CallFailed):
            over.add(index)
        tried[index][seeds.index(seed)] = (task, got)
    return [[one[i] for i in sorted(one)] for one in tried]


def _judge_case(question, tried, show, result):
    """None when right on every draw; else the note of the first draw that fails."""
    for task, got in tried:
        if isinstance(got, CallFailed):
            return str(got)
        if got is None or got is ...:
            return NOT_ATTEMPTED
        if question.is_formula:
            got, result.formula = question.answer_to(got, task), written(got)
        note = explain(question, got, task, show, result.mistakes)
        if note is not None:
            return note
    return None


def explain(question: Question, got, task: Task, show: bool, mistakes: list[str]) -> str | None:
    """None when `got` is right; otherwise the most that is known about what is wrong with it."""
    if too_many(question, got, task):
        return "your result holds far more values than were asked for."
    try:
        why = question.refusal(got, task)
    except Exception:  # a judge meets an answer that it did not expect: it is wrong, the class goes on
        why = ""
    if why is None:
        return None
    for mistake in question.mistakes:
        if _reproduces(question, mistake, got, task):
            mistakes.append(mistake.name)
            return mistake.hint
    return why or _what_differs(question, got, task, show)


def too_many(question, got, task):
    """More than ten times what the reference gives: comparing it could take all day, and all memory."""
    count = how_many(got)
    return count > PLENTY and count > 10 * how_many(question.answer_to(question.truth, task))


def how_many(value):
    """Values in an answer, and rows and columns of what has none.

    Up to COUNTED, also in a list that holds itself.
    """
    count, waiting = 0, [value]
    while waiting and count < COUNTED:
        part = waiting.pop()
        if isinstance(part, dict):
            part = [*part, *part.values()]
        if isinstance(part, (list, tuple, set, frozenset)):
            count += len(part)
            waiting += [p for p in part if not isinstance(p, (int, float))]
        elif isinstance(part, str):
            count += len(part)
        else:
            shape = getattr(part, "shape", ())
            plain = isinstance(shape, tuple) and all(isinstance(n, int) for n in shape)
            count += sum(shape) + math.prod(shape) if plain else 1
    return min(count, COUNTED)


def _reproduces(question, mistake, got, task):
    """The mistake gives the very answer that the student gave. Only then is a cause named."""
    try:
        with np.errstate(all="ignore"):
            wrong = question.answer_to(mistake.answer, task)
            return bool(question.same(got, wrong)) or _same_blanks(got, wrong)
    except Exception:  # a mistake may well crash on some input; then it did not give this answer
        return False


def _same_blanks(got, wrong):
    """Equal numbers, with NaN and infinities in the same places: comparators refuse those."""
    return (
        np.shape(got) == np.shape(wrong)
        and np.isnan(np.asarray(wrong, float) * 0).any()
        and bool(np.allclose(np.asarray(got, float), wrong, equal_nan=True))
    )


def _what_differs(question, got, task, show):
    """Type, shape, NaN, or the numbers beside each other."""
    want = question.answer_to(question.truth, task)
    if question.hides_expected:
        return "That is not it yet." if _looks_alike(got, want) else _kind(got, want)
    if not _looks_alike(got, want):
        return _kind(got, want)
    if _kind_of(got) == RAGGED:
        return "the values differ from the expected ones."
    array = np.asarray(got)
    if array.dtype.kind == "f" and np.isnan(array).any():
        return f"your result holds {int(np.isnan(array).sum())} NaN: where does a 0/0 or a blank come from?"
    if not show:
        return "the values differ from the expected ones."
    drawn = " On one draw:" if question.is_formula else ""
    return f"the values differ.{drawn}\n  yours     {_brief(got)}\n  expected  {_brief(want)}"


def _looks_alike(got, want):
    return _kind_of(got) == _kind_of(want)


def _kind(got, want):
    """One sentence on what came back and what was asked for."""
    return f"your result is {_kind_of(got)}; asked for is {_kind_of(want)}."


def _kind_of(value):
    if isinstance(value, Computed):
        return value.words
    kinds = {str: "text", (bool, np.bool_): "a truth value", dict: "a dict", (set, frozenset): "a set"}
    for types, name in kinds.items():
        if isinstance(value, types):
            return name
    try:
        shape = np.shape(value)
    except Exception:  # not even a shape can be asked for
        return RAGGED
    if callable(value):
        return "a function"
    return f"an array of shape {shape}" if shape else "a single value"


def _brief(value):
    array = np.asarray(value)
    if array.dtype.kind == "f":
        text = np.array2string(array.ravel()[:6], precision=4, suppress_small=True, separator="  ")[1:-1]
    else:
        text = "  ".join(map(str, array.ravel()[:6].tolist()))
    return text + (" …" if array.size > 6 else "")
