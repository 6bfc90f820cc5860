"""``check("music.3")``: instant feedback in the notebook; ``hint`` and ``case`` for a closer look."""

from __future__ import annotations

import copy
import ctypes
import html
import os
import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from grading import progress as noted
from grading.case import Given, call_of
from grading.feedback import NOTHING, is_stub
from grading.forbidden import forbidden_module, refusal
from grading.judge import NOT_ATTEMPTED, CallFailed, Result, TimedOut, judge
from grading.pictures import picture, picture_of, plotting
from grading.question import Question
from grading.registry import NoQuestion, all_questions, find, join

__all__ = ["case", "check", "hint", "notation"]

_hints_given: dict[str, int] = {}
_failed_last: dict[str, tuple] = {}  # (case, seed), while some case of the question is right


COLUMNS = re.compile(r"\n((?:  .*\n?)+)")  # lines that stand below each other, number under number


MARKS = {  # Markdown that a sentence of the course may have
    re.compile(r"`([^`\n]+)`"): r"<code>\1</code>",
    re.compile(r"\*\*(\w(?:[^*\n]*\w)?)\*\*"): r"<b>\1</b>",
    re.compile(r"(?<![\w*])\*(\w(?:[^*\n]*\w)?)\*(?![\w*])"): r"<em>\1</em>",
}


def with_marks(text):
    for mark, tags in MARKS.items():
        text = mark.sub(tags, text)
    return text


def in_columns(text):
    lines = text.rstrip("\n").replace("\n", "&#10;")
    return f'<pre style="margin: 0">{lines}</pre>'


class Verdict:
    """Points and feedback, shown as HTML where there is HTML and as text elsewhere."""

    def __init__(self, result: Result, standing: str = ""):
        self.result, self.standing = result, standing

    def _lines(self):
        q, notes = self.result.question, self.result.notes
        said = ("\n" if any("\n" in note for note in notes) else " ").join(notes) if notes else "✓"
        said += f"   {self.result.aside}" if self.result.aside and self.result.full else ""
        head = f"{q.id}   {self.result.points:g} / {q.points:g}"
        more = notes and notes != [NOT_ATTEMPTED]
        tail = f'More: hint("{q.id}")' + (f"     Replay: {self._replay()}" if q.is_drawn else "")
        return head, said, tail if more else ""

    def _replay(self):
        """The call of `case` that gives the very input on which the answer failed."""
        return call_of(self.result.question, *self.result.replay)

    def _ours(self):
        """Sentences of the course, with Markdown."""
        return [mistake.hint for mistake in self.result.question.mistakes]

    def __repr__(self):
        head, said, tail = self._lines()
        return "\n  ".join(filter(None, [f"{head}   {said}", tail, self.standing]))

    def _repr_html_(self):
        head, said, tail = (html.escape(line) for line in self._lines())
        for ours in map(html.escape, self._ours()):  # no word of a learner's is ever markup
            said = said.replace(ours, with_marks(ours))
        mark = "#1a7f37" if self.result.full else "#9a6700"
        if self.result.unread:  # a mark stands under the place
            said = in_columns(said)
        else:
            said = COLUMNS.sub(lambda found: in_columns(found[1]), said).replace("\n", "<br>")
        tail = f"<br><code>{tail}</code>" if tail else ""
        for line in filter(None, self.standing.split("\n  ")):
            tail += f"<br><small>{html.escape(line)}</small>"
        return (
            f'<div role="status" style="border-left: 4px solid {mark}; padding: 0.2em 0.8em">'
            f"<b>{head}</b> &nbsp; {said}{tail}</div>"
        )


class Typeset:
    """A formula as it was read, typeset where that can be done; so a learner sees what was understood."""

    def __init__(self, tex: str):
        self.tex = tex

    def __repr__(self):
        return self.tex

    def _repr_latex_(self):
        return rf"$\displaystyle {self.tex}$"


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
    if question.meanwhile and noted.reached() is not None:  # a learner's, and not in a stored solution
        print(question.meanwhile, flush=True)
    result = _verdict(question, _namespace(), _cells())
    _failed_last[question.id] = result.replay if result.points and question.is_drawn else ()
    if result.formula:
        _display(Typeset(result.formula))
    if not result.unread:  # what could not be read is no try
        noted.note(question.id, result.points, question.points)
    standing = _standing(question)
    then = question.then if standing and result.full else ""  # a learner's, and not in a stored solution
    _display(Verdict(result, "\n  ".join(filter(None, [then, standing]))))
    if standing and result.replay and picture_of(question):
        _draw(question, _namespace().get(question.name), *result.replay)
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":  # nbgrader reads the points from the cell's value
        return result.points


def _draw(question, answer, number, seed):
    """The learner's own mistake on the draw that failed."""
    args = question.task(number, seed).args
    try:
        drawn = picture(question, call(answer, copy.deepcopy(args), question.seconds), args)
    except CallFailed:
        return
    if drawn:
        plotting().show(*drawn)


def _standing(question):
    """What of the homework is reached so far, in a line; nothing where this is no homework."""
    topic, points = question.topic, noted.reached()
    return "" if points is None else f"{topic}, best so far: {noted.standing(all_questions(topic), points)}"


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


def _display(verdict):
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
        from IPython.display import display

        display(verdict)
    else:
        print(verdict)


def _namespace() -> dict:
    """Where the student's names live: the notebook, or the script that calls."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell.user_ns if shell else vars(sys.modules["__main__"])


def _cells() -> list[str]:
    """The sources of these names, in the order in which they ran."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell:
        return list(shell.history_manager.input_hist_raw)
    script = getattr(sys.modules["__main__"], "__file__", None)
    return [Path(script).read_text(encoding="utf-8")] if script and Path(script).is_file() else []


def _verdict(question: Question, names: dict, cells: Sequence[str], seeds: Sequence = (0, 1, 2)) -> Result:
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
        raise TimedOut(
            f"your function was still running after {seconds:g} seconds. Is there a loop that never ends, "
            "or one over pairs that an array operation could do?"
        )
    if isinstance(outcome.get("error"), CallFailed):
        raise outcome["error"]
    if "error" in outcome:
        raise CallFailed(_tell(outcome["error"], function)) from outcome["error"]
    return outcome["value"]


def _tell(error, function):
    """The error, and the line of the student's own code where it happened."""
    line, trace, own = None, error.__traceback__, getattr(function, "__code__", None)
    while trace is not None:
        if own and trace.tb_frame.f_code.co_filename == own.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f" (line {line} of its cell)" if line else ""
    return f"your function raised {type(error).__name__}: {error}{where}."
