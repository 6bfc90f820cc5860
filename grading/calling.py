"""A learner's answer, called: with a deadline, and what goes wrong becomes a sentence."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from grading.feedback import NOTHING, STILL_RUNNING, is_stub, raised
from grading.forbidden import forbidden_module, refusal
from grading.judge import NOT_ATTEMPTED, CallFailed, Result, TimedOut, judge
from grading.question import Question

__all__ = ["call", "judge_named"]


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
            return judge(question, lambda args: answer, seeds)
        return judge(question, lambda args: call(answer, args, question.seconds), seeds)


def call(function, args: tuple, seconds: float):
    """``function(*args)`` with a time limit, on any operating system; what goes wrong becomes a sentence."""
    outcome = {}

    def run():
        try:
            with np.errstate(all="ignore"), threadpool_limits(1):  # OpenMP keeps a limit for each thread
                outcome["value"] = function(*args)
            if outcome["value"] is None and not is_stub(function):
                outcome["error"] = CallFailed(NOTHING)
        except NotImplementedError:
            outcome["value"] = None
        except BaseException as error:
            outcome["error"] = error

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if worker.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit))
        raise TimedOut(f"your function {STILL_RUNNING.format(seconds=seconds)}")
    if isinstance(outcome.get("error"), CallFailed):
        raise outcome["error"]
    if "error" in outcome:
        error = outcome["error"]
        raise CallFailed(raised(type(error).__name__, error, line_of(error, function))) from error
    return outcome["value"]


def line_of(error, function):
    """The line of the learner's cell where it happened; None where that was elsewhere.

    `sandbox/inside/server.py` has the same for its cells: nothing of this side may be imported there.
    """
    line, trace, own = None, error.__traceback__, getattr(function, "__code__", None)
    while trace is not None:
        if own and trace.tb_frame.f_code.co_filename == own.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
