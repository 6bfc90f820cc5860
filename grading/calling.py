"""A learner's answer, called: with a deadline, and what goes wrong becomes a sentence."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache

from threadpoolctl import threadpool_limits

from grading.feedback import NOTHING, STILL_RUNNING, TAKEN, raised
from grading.forbidden import forbidden_module, refusal
from grading.judge import NOT_ATTEMPTED, CallFailed, Result, TimedOut, judge
from grading.question import Question
from grading.sandbox.inside import wire


def judge_named(question: Question, names: dict, cells: Sequence[str], seeds: Sequence = (0, 1, 2)) -> Result:
    """What the notebook has under the question's name, judged.

    names, cells : the notebook's values, and the sources of them
    """
    if question.name not in names:
        return Result(question, 0.0, [f"{question.name} is not defined yet: run the cell above first."])
    answer = names[question.name]
    if question.is_function and not callable(answer):
        if answer is None or answer is ...:
            return Result(question, 0.0, [NOT_ATTEMPTED])
        return Result(
            question, 0.0, [f"{question.name} should be a function; it is {type(answer).__name__}."]
        )
    if module := forbidden_module(cells, question.name, question.forbids):
        return Result(question, 0.0, [refusal(module)])
    with threadpool_limits(1):  # as in a class: on small data several threads mostly wait for each other
        if not question.is_function:
            given = cache(lambda: plain(lambda: wire.encode(wire.settled(answer))))
            return judge(question, lambda args: given(), seeds)
        return judge(question, lambda args: call(answer, args, question.seconds), seeds)


def call(function, args: tuple, seconds: float):
    """``function(*args)`` with a time limit, on any operating system; what goes wrong becomes a sentence."""
    outcome = {}

    def run():
        try:
            with threadpool_limits(1):  # OpenMP keeps a limit for each thread
                outcome["value"] = plain(lambda: wire.give(function, args), function)
        except CallFailed as failure:
            outcome["failure"] = failure

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if worker.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit))
        raise TimedOut(f"your function {STILL_RUNNING.format(seconds=seconds)}")
    if "failure" in outcome:
        raise outcome["failure"]
    return outcome["value"]


def plain(encoded, function=None):
    """What a class's judge would be given of it; or CallFailed, with the sentence that a class has for it."""
    try:
        return wire.arrived(encoded())
    except wire.WireError as error:
        raise CallFailed(TAKEN.format(error)) from error
    except wire.NothingGiven:
        raise CallFailed(NOTHING) from None
    except BaseException as error:
        raise CallFailed(raised(type(error).__name__, error, wire.line_of(error, function))) from error
