"""``check("music.3")``: instant feedback in the notebook; ``hint`` and ``case`` for a closer look."""

from __future__ import annotations

import copy
import os
from pathlib import Path

from grading import shell
from grading.calling import call, judge_named
from grading.given import Given, call_of
from grading.judge import CallFailed
from grading.pictures import picture, picture_of, plotting
from grading.progress import note, reached, standing
from grading.question import Question
from grading.registry import NoQuestion, all_questions, find, join
from grading.verdict import Typeset, Verdict

LEFT_BEHIND = "Only the notebook is handed in, not {} beside it: what you need of it belongs in a cell."
_hints_given: dict[str, int] = {}
_failed_last: dict[str, tuple] = {}  # (case, seed), while some case of the question is right


def asked(id: str) -> Question:
    """The question of that id: of the course, or of a folder `homework` beside the notebook."""
    join(Path.cwd())
    return find(id)


def check(id: str):
    """Judge your answer to a question and say what is wrong.

    ::

        check("music.1")
        music.1   0 / 2   answers_1 is not defined yet: run the cell above first.
          More: hint("music.1")
    """
    try:
        question = asked(id)
    except KeyError as unknown:
        return print(unknown.args[0])
    if question.meanwhile and reached() is not None:  # a learner's, and not in a stored solution
        print(question.meanwhile, flush=True)
    result = judge_named(question, shell.names(), shell.cells())
    _failed_last[question.id] = result.replay if result.points and question.is_drawn else ()
    if result.formula:
        shell.display(Typeset(result.formula))
    if not result.unread:  # what could not be read is no try
        note(question.id, result.points, question.points)
    if files := shell.left_behind():
        result.aside = f"{result.aside} {LEFT_BEHIND.format(', '.join(files))}".strip()
    so_far = best_so_far(question)
    then = question.then if so_far and result.full else ""  # a learner's, and not in a stored solution
    shell.display(Verdict(result, "\n  ".join(filter(None, [then, so_far]))))
    if so_far and result.replay and picture_of(question):
        draw(question, shell.names().get(question.name), *result.replay)
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":  # nbgrader reads the points from the cell's value
        return result.points


def draw(question, answer, number, seed):
    """The learner's own mistake on the draw that failed."""
    args = question.task(number, seed).args
    try:
        drawn = picture(question, call(answer, copy.deepcopy(args), question.seconds), args)
    except CallFailed:
        return
    if drawn:
        plotting().show(*drawn)


def best_so_far(question):
    """What of the homework is reached so far, in a line; nothing where this is no homework."""
    topic, points = question.topic, reached()
    return "" if points is None else f"{topic}, best so far: {standing(all_questions(topic), points)}"


def hint(id: str):
    """The next hint of a question's ladder; after the last it starts again."""
    try:
        question = asked(id)
    except KeyError as unknown:
        return print(unknown.args[0])
    if not question.hints:
        return print(f"{question.id} has no hint beyond what check says.")
    i = _hints_given.get(question.id, 0)
    _hints_given[question.id] = (i + 1) % len(question.hints)
    if replay := _failed_last.get(question.id):
        print(f"Still wrong: {question.cases[replay[0]].label}. Its input: {call_of(question, *replay)}")
    print(f"Hint {i + 1} of {len(question.hints)}: {question.hints[i]}")


def case(id: str, number: int = 0, seed: int = 0):
    """The input of a public case, to try your function on: ``X, k = case("music.3")``."""
    return Given(asked(id), number, seed).unpacked()


def notation(id: str):
    """The names that the formula of a question may use, as a table."""
    names = asked(id).formula
    if names is None:
        others = [one.id for one in all_questions(asked(id).topic) if one.formula]
        raise NoQuestion(f"{id} does not ask for a formula; those that do: {', '.join(others) or 'none'}")
    return names
