"""Points and feedback for one answer: the same for a learner's notebook and for a class.

`judge` never touches the answer itself: it asks `call(args)` for what the answer gives, so the answer may
run in another process.
"""

from __future__ import annotations

import copy
import hashlib
import math
import random
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from grading.feedback import cause, difference, is_beyond, parts_right
from grading.question import Question, Task
from grading.typed_formula import written
from helpers.reading import ReadingError

# not in digits, which might be those of the answer
IN_WORDS = "no one two three four five six seven eight nine ten".split()
NOT_ATTEMPTED = "not attempted yet"
UNSEEDED = "called twice with one seed, your function gives two results. Where does it draw from?"
SAME_SEED = "another seed gives the same result. What should the seed decide?"
CHANGED = "your function changed its own input: a caller would be surprised. Work on a copy."
KEPT = 10_000  # verdicts
ATTEMPTS = 10  # to draw a task on which the reference is right
WRONG = "the values differ from the expected ones."
BEYOND = "your result holds NaN, an infinity, or a number beyond 1e150: where does a 0/0 come from?"
PLENTY, COUNTED = 10_000, 10**6  # values of an answer that no judge minds; beyond this they are not counted


class CallFailed(Exception):
    """The answer gave nothing: it raised or was never written. The text is for the student."""


class TimedOut(CallFailed):
    """It was still running: in a notebook it is not asked again, since every case would take as long."""


@dataclass
class Result:
    """Points and what to tell the student, one note for each case that failed.

    aside : what costs no point
    replay : (case, seed) of the first draw that failed
    lost : (case, draw, the first difference in numbers) of each case that failed, for a class
    formula : the TeX that was read, of a question for a formula
    unread : it could not be read, which is no try
    """

    question: Question
    points: float = 0.0
    notes: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    aside: str = ""
    replay: tuple = ()
    lost: list[tuple] = field(default_factory=list)
    formula: str = ""
    unread: bool = False

    @property
    def full(self) -> bool:
        return abs(self.points - self.question.points) < 1e-9


@dataclass(frozen=True)
class Packed:
    """What an answer gave, as text that came from elsewhere.

    unpack : text -> the value; raises CallFailed
    """

    text: str
    unpack: Callable[[str], object]

    def value(self):
        try:
            return self.unpack(self.text)
        except CallFailed as failure:
            return failure


class Memory:
    """What the judge of a class keeps: drawn tasks, what references and mistakes give for them, verdicts.

    A class is asked a few sets of inputs only, and most answers give what somebody's gave before.
    """

    def __init__(self):
        self.tasks, self.verdicts, self.args = {}, {}, set()

    def task(self, question: Question, index: int, seed) -> Task:
        key = question.id, index, seed
        if key not in self.tasks:
            self.tasks[key] = task = fair_task(question, index, seed)
            self.args.add(id(task.args))
        return self.tasks[key]

    def holds(self, args) -> bool:
        """Whether these are the arguments of a task that is kept."""
        return id(args) in self.args

    def verdict(self, question, tried, seeds, make: Callable[[], Result]) -> Result:
        """That of an answer which gave just the same for the same inputs, or a new one."""
        key = hashlib.sha256(repr((question.id, seeds)).encode())
        for _, got in (asked for one in tried for asked in [*one, (None, "end of the case")]):
            words = got.text if isinstance(got, Packed) else str(got)
            key.update(f"{type(got).__name__} {len(words)} {words} ".encode(errors="replace"))
        if key.digest() not in self.verdicts:
            if len(self.verdicts) >= KEPT:
                self.verdicts.clear()
            self.verdicts[key.digest()] = make()
        return self.verdicts[key.digest()]


def fair_task(question: Question, index: int, seed) -> Task:
    """A drawn task on which the reference itself is right: where chance has a say, it may not be."""
    for attempt in range(ATTEMPTS):
        task = replace(question.task(index, (*seed, attempt) if attempt else seed), kept={})
        if question.checker is None or not question.is_drawn or question.is_formula:
            return task
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if question.refusal(question.answer_to(question.truth, task), task) is None:
                return task
    return task


def judge(
    question: Question,
    call: Callable[[tuple], object],
    seeds: Iterable = (0, 1, 2),
    show: bool = True,
    memory: Memory | None = None,
) -> Result:
    """Try the answer on every case, each drawn from every seed; a case counts when all its draws are right.

    `show`: a public case, whose expected values the student may see. Else the order is a secret's, too.

    All is asked before anything is judged: an answer that could see how far it got could change its mind.

    `memory`: of a class; then `call` runs elsewhere, changes no arguments here, and may give `Packed`.
    """
    try:
        return _judge(question, call, list(seeds), show, memory)
    except ReadingError as error:
        why = str(error) if error.tex else error.why
        return Result(question, 0.0, [f"your formula cannot be read and computed: {why}"], unread=True)


def _judge(question, call, seeds, show, memory):
    result = Result(question)
    seeds = seeds if question.is_drawn else seeds[:1]
    tried = _ask(question, call, seeds, show, result, memory)
    tried.append(_ask_again(call, *tried[0][0]) if question.seeded else [])
    if memory is None:
        return _marked(question, tried, seeds, show, result)
    return memory.verdict(question, tried, seeds, lambda: _marked(question, tried, seeds, show, result))


def _marked(question, tried, seeds, show, result):
    """Points and notes, from what was given for each draw; the last of `tried` tells of its seed."""
    right = []
    tried = [[(task, got.value() if isinstance(got, Packed) else got) for task, got in one] for one in tried]
    with warnings.catch_warnings():  # what the checker's own code warns of is no news for a student
        warnings.simplefilter("ignore")
        amiss = _seed_amiss(tried[0][0][1], [got for _, got in tried[-1]])
        for index, case in enumerate(question.cases):
            others = [one for i, case_tried in enumerate(tried) if i != index for one in case_tried]
            draw, note = _judge_case(question, tried[index], others, show, result)
            note = note or amiss
            if note is None:
                result.points += case.points
                right.append(case.label)
                continue
            if note == NOT_ATTEMPTED:
                return Result(question, 0.0, [NOT_ATTEMPTED])
            result.replay = result.replay or (index, seeds[draw])
            if not show:
                result.lost.append((index, draw, first_difference(question, tried[index], draw)))
            if len(question.cases) == 1:
                result.notes.append(note)
            elif note not in [told.split(": ", 1)[-1] for told in result.notes]:
                result.notes.append(f"On {case.label}: {note}")
        if result.notes and not question.is_drawn:
            _add_parts(question, tried[0], result)
    if right and result.notes:
        result.notes.insert(0, f"Right for {' and '.join(right)}.")
    return result


def first_difference(question, tried, draw):
    """What it gave and what was expected, place by place, of a question that may show it; else nothing."""
    given = [got for _, got in _given(question, tried)]
    if question.hides_expected or draw >= len(given) or len(given) < len(tried):
        return ""
    try:
        told = difference(question, given[draw], tried[draw][0], True)
    except Exception:  # nothing can be said of it
        return ""
    return told if "\n" in told else ""


def _add_parts(question, tried, result):
    """Of an answer by hand, points for the parts that are right, in halves."""
    right, parts = parts_right(question, tried[0][1])
    if right:
        result.points = math.floor(2 * question.points * right / parts) / 2
        be = "is" if right == 1 else "are"
        result.notes.insert(0, f"{IN_WORDS[right].capitalize()} of {IN_WORDS[parts]} parts {be} right.")


def _ask(question, call, seeds, show, result, memory):
    """[[(task, what the answer gave or how it failed)]] of each case, in the order of the seeds.

    A case on which the answer failed is not asked again: that it failed is no news to it. A learner's answer
    that is not there is asked for once.
    """
    order = [(index, seed) for index in range(len(question.cases)) for seed in seeds]
    if not show:
        random.Random(repr((question.id, seeds))).shuffle(order)
    tried, over = [{} for _ in question.cases], set()
    for index, seed in order:
        if index in over:
            continue
        task = memory.task(question, index, seed) if memory else question.task(index, seed)
        own = task.args if memory else copy.deepcopy(task.args)
        try:
            got = call(own)
            if not memory and is_changed(task.args, own):
                if question.keeps_input:
                    raise CallFailed(CHANGED)
                result.aside = f"Y{CHANGED[1:]}"
        except CallFailed as failure:
            got = failure
        if got is None or got is ... or isinstance(got, CallFailed):
            over.add(index)
        tried[index][seeds.index(seed)] = (task, got)
        if show and (isinstance(got, TimedOut) or (index, seed) == order[0] and _is_unwritten(got)):
            tried = [one or {0: (task, got)} for one in tried]
            break
    return [[one[i] for i in sorted(one)] for one in tried]


def _ask_again(call, task, got):
    """[(task, what it gives)] with the same seed once more, and with another."""
    if _is_nothing(got):
        return []
    again, other, given = copy.deepcopy(task.args), copy.deepcopy(task.args), []
    for args in (again, (*other[:-1], other[-1] + 1)):
        try:
            given.append((task, call(args)))
        except CallFailed as failure:
            return [*given, (task, failure)]
    return given


def _seed_amiss(got, again):
    """None when the seed decides, and it alone. again: what it gave for the same seed, and for another."""
    if _is_nothing(got):
        return None
    for given, should_change, amiss in zip(again, (False, True), (UNSEEDED, SAME_SEED)):
        if isinstance(given, CallFailed):
            return str(given)
        if is_changed(got, given) != should_change:
            return amiss
    return None


def is_changed(before, after):
    """Whether arrays, tables or lists hold something else than before; of other objects nothing is known."""
    try:
        return bool(_is_other(before, after))
    except Exception:  # of another kind, so that nothing compares them
        return True


def _is_other(before, after):
    if isinstance(before, (list, tuple)):
        return len(before) != len(after) or any(map(is_changed, before, after))
    if isinstance(before, dict):
        return before.keys() != after.keys() or any(is_changed(before[key], after[key]) for key in before)
    if isinstance(before, np.ndarray):
        blanks = before.dtype.kind in "fc"
        return not np.array_equal(before, after, equal_nan=blanks)
    if isinstance(before, (int, float, str, np.generic)):
        return before == before and before != after  # a blank is a blank
    return hasattr(before, "equals") and not before.equals(after)


def _judge_case(question, tried, others, show, result):
    """(which draw, the note) of the first draw that fails; no note when all are right.

    others : what was tried on the other cases
    """
    given = _given(question, tried)
    for draw, (task, got) in enumerate(tried):
        if isinstance(got, CallFailed):
            return draw, str(got)
        if _is_nothing(got):
            return draw, NOT_ATTEMPTED
        if question.is_formula:
            result.formula = written(got)
        note = explain(question, given[draw][1], task, given, show, result.mistakes, others)
        if note is not None:
            return draw, note
    return 0, None


def _given(question, tried):
    """[(task, what the answer gave)] where it gave something; of a formula, its value."""
    given = [(task, got) for task, got in tried if not _is_nothing(got)]
    if question.is_formula:
        return [(task, question.answer_to(got, task)) for task, got in given]
    return given


def _is_unwritten(got):
    return _is_nothing(got) and (not isinstance(got, CallFailed) or str(got) == NOT_ATTEMPTED)


def _is_nothing(got):
    return got is None or got is ... or isinstance(got, CallFailed)


def explain(
    question: Question, got, task: Task, given: list, show: bool, mistakes: list[str], others: list = ()
) -> str | None:
    """None when `got` is right; otherwise the most that is known about what is wrong with it.

    given : [(task, what the answer gave)] of all draws of the case: a cause has to explain them all
    others : the same of the other cases: of two causes, the one that explains these as well is told
    """
    if too_many(question, got, task):
        return "your result holds far more values than were asked for."
    try:
        why = question.refusal(got, task)
        if why is None and is_beyond(got) and not is_beyond(question.answer_to(question.truth, task)):
            why = BEYOND  # to a judge that compares with it, everything may look right
    except Exception:  # a judge meets an answer that it did not expect: it is wrong, the class goes on
        why = ""
    if why is None:
        return None
    try:
        if (mistake := cause(question, given, others)) is not None:
            mistakes.append(mistake.name)
            return mistake.hint
        if question.amiss is not None:
            return question.amiss(question, got)
        return why or difference(question, got, task, show)
    except Exception:  # that it is wrong is certain, whatever nobody can say of it
        return why or WRONG


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
