"""Grade one submission: run its cells in the sandbox, ask for its answers, judge them on this side."""

from __future__ import annotations

import ast
import hashlib
import re
import time

from grading.classroom.answers import Homework, Unreadable, read_cells
from grading.classroom.fingerprint import digest, of_environment, of_question
from grading.judging import CallFailed, Result, judge
from grading.questions.declaring import Question
from grading.sandbox.host import ProcessLost, Sandbox
from grading.sandbox.inside import wire
from grading.sandbox.probes import verify

__all__ = ["Grader", "question_key"]

SLOW = 10.0  # seconds: where a call may take longer, a case has one input from salt and student
CELL_SECONDS = 30.0
PART = 10**6  # characters of source in a message, or one cell more
LONGEST = 1e6  # seconds of a call, where the question does not say less
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
LOST = {
    "time": "was still running after {seconds:g} seconds. Is there a loop that never ends, or one over pairs that "
    "an array operation could do?",
    "memory": "used more memory than a submission may have.",
    "end": "ended the whole program: does it call exit, or use very much memory?",
}


def question_key(question: Question, salt: str, student: str, sha: str) -> str:
    """Changes when anything changes on which the points of this answer depend."""
    return digest(of_question(question.id), of_environment(), salt, student, sha)


class Grader:
    """Grades submissions of one homework, one after the other, in one warm sandbox.

    homework : Homework
    salt : the lecturer's secret; with the student's name it decides on which input an answer is tried
    limits : see grading.sandbox.host.Limits
    safe : False runs submissions without a sandbox
    cell_seconds, call_seconds : how long a cell may run, and a call at most (a question may say less)
    """

    def __init__(
        self,
        homework: Homework,
        salt: str,
        limits=None,
        cell_seconds=CELL_SECONDS,
        call_seconds=LONGEST,
        safe=True,
    ):
        self.homework, self.salt, self.limits, self.safe = homework, salt, limits or {}, safe
        self.seconds = {"cell": cell_seconds, "call": call_seconds}
        self.sandbox, self.seconds_of = None, {}
        self.cases = {
            q.id: [q.task(i, 0).args for i in range(len(q.cases))]
            for q in homework.questions
            if q.is_function
        }

    def grade(self, student: str, data: bytes, known=None, errors=()) -> dict:
        """The result of a submission, ready for JSON; the same for the same submission and salt.

        known, errors : results of questions, by id, that need not be graded again; what their cells raised
        """
        sha = hashlib.sha256(data).hexdigest()
        result = {
            "student": student,
            "homework": self.homework.name,
            "sha256": sha,
            "status": "graded",
            "reason": "",
            "points": 0.0,
            "of": self.homework.points,
            "questions": dict(known or {}),
            "errors": list(errors),
        }
        self.seconds_of = {}  # how long each took; no part of the result
        try:
            cells = read_cells(data)
            self.grade_cells(cells, student, sha, result)
        except Unreadable as problem:
            result.update(status="needs a human", reason=str(problem))
        told = result["questions"]
        result["questions"] = {q.id: told[q.id] for q in self.homework.questions if q.id in told}
        result["points"] = sum(one["points"] for one in result["questions"].values())
        return result

    def grade_cells(self, cells, student, sha, result):
        answers, groups = self.homework.answers(cells), {}
        to_run = self.homework.to_run(cells)
        for question in self.homework.questions:
            if question.id not in result["questions"]:
                groups.setdefault(tuple(sorted(question.forbids)), []).append(question)
        for forbids, questions in sorted(groups.items(), key=lambda pair: len(pair[0])):
            notebook = Notebook(self.ready(), forbids, self.homework.prelude(), to_run, self.seconds)
            for question in questions:
                cell, began = answers.get(question.id), time.perf_counter()
                verdict = self.judged(question, notebook, cell, student)
                self.seconds_of[question.id] = time.perf_counter() - began
                result["questions"][question.id] = {
                    "points": verdict.points,
                    "of": question.points,
                    "notes": [clean(n) for n in verdict.notes],
                    "mistakes": list(dict.fromkeys(verdict.mistakes)),
                    "source": cell.source if cell else "",
                    "made_by": {"question": of_question(question.id), "environment": of_environment()},
                    "key": question_key(question, self.salt, student, sha),
                }
            notebook.close()
            if not forbids:  # elsewhere the exercise's own imports may be refused
                result["errors"] = [clean(error) for error in notebook.errors]

    def judged(self, question, notebook, cell, student) -> Result:
        if cell and (module := imports_of(cell.source, question.forbids)):
            return Result(
                question, 0.0, [f"{module} is not allowed here: the point is to write it yourself."]
            )
        found = notebook.look(question)
        if found is not None:
            return Result(question, 0.0, [found])
        secret = int(digest(self.salt, student), 16)
        seeds = [(secret, i) for i in range(question.draws if question.seconds <= SLOW else 1)]
        return judge(question, lambda args: notebook.answer(question, args), seeds, show=False)

    def ready(self):
        if self.sandbox is None or not self.sandbox.is_alive():
            self.close()
            self.sandbox = Sandbox(self.homework.modules(), self.limits, self.cases, safe=self.safe)
            if self.safe:
                verify(self.sandbox)
        return self.sandbox

    def close(self):
        if self.sandbox is not None:
            self.sandbox.stop()
            self.sandbox = None


class Notebook:
    """A student's notebook, running. A process that is lost is started again, without the cell that lost it."""

    def __init__(self, sandbox, forbids, prelude, cells, seconds):
        self.sandbox, self.forbids, self.seconds = sandbox, forbids, seconds
        self.prelude, self.cells = prelude, list(cells)
        self.process, self.errors, self.lost_cells = None, [], []

    def running(self):
        while self.process is None:
            self.process, self.errors = self.sandbox.process(self.forbids), []
            cells = [(0, self.prelude), *((cell.number + 1, cell.source) for cell in self.cells)]
            ask, seconds = self.process.requests, self.seconds["cell"]
            told = (
                answer
                for part in in_parts(cells)
                for answer in ask({"op": "cells", "cells": part}, seconds, count=len(part))
            )
            for number, _ in cells:
                try:
                    self.note(number, next(told))
                except ProcessLost as lost:
                    self.process = None
                    self.cells = [cell for cell in self.cells if cell.number + 1 != number]
                    self.lost_cells.append(
                        f"Cell {number} " + LOST[str(lost)].format(seconds=self.seconds["cell"])
                    )
                    break
        return self.process

    def note(self, number, told):
        """What a cell raised."""
        if not told.get("ok"):
            self.errors.append(f"Cell {number}: {told.get('kind')}: {told.get('text')}")
        for error in told.get("errors", []) if isinstance(told.get("errors"), list) and number else ():
            what = ": ".join(map(str, error[:2])) if isinstance(error, list) else "an error"
            self.errors.append(f"Cell {number}: {what}")

    def look(self, question):
        """None when there is an answer; else what there is, in a sentence."""
        try:
            told = self.running().request({"op": "kind", "name": question.name}, self.seconds["cell"])
        except ProcessLost:
            self.process = None
            return "your notebook ended while its answers were looked up."
        if told.get("defined") is not True:
            return " ".join([f"{question.name} is not defined.", *self.lost_cells])
        if question.is_function and told.get("callable") is not True and told.get("blank") is not True:
            return f"{question.name} should be a function; it is {told.get('type')}."
        if told.get("blank") is True:
            return "not attempted yet"
        return None

    def answer(self, question, args):
        """What the student's function gives, or the value of the name."""
        what = {"op": "value", "name": question.name}
        if question.is_function:
            what = {"op": "call", "name": question.name, "args": wire.encode(tuple(args)), "seed": 1}
        seconds = min(question.seconds, self.seconds["call"])
        try:
            told = self.running().request(what, seconds)
        except ProcessLost as lost:
            self.process = None
            raise CallFailed("your function " + LOST[str(lost)].format(seconds=seconds)) from lost
        if told.get("ok") is not True:
            where = f" (line {told['line']} of its cell)" if isinstance(told.get("line"), int) else ""
            kind, text = told.get("kind"), told.get("text")
            raise CallFailed(
                f"{text}." if kind == "WireError" else f"your function raised {kind}: {text}{where}."
            )
        try:
            return wire.decode(told.get("value"))
        except wire.WireError as error:
            raise CallFailed(f"{error}.") from error

    def close(self):
        if self.process is not None:
            self.process.close()


def in_parts(cells):
    """Lists of cells, each of which a message can hold."""
    part, size = [], 0
    for cell in cells:
        part.append(cell)
        size += len(cell[1])
        if size > PART:
            yield part
            part, size = [], 0
    yield from [part] if part else []


def imports_of(source, forbids):
    """The first forbidden module that the source imports or names, or None; the sandbox refuses the others too."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            names = [ast.unparse(node)]
        for name in names:
            if bad := next((bad for bad in forbids if name == bad or name.startswith(bad + ".")), None):
                return bad
    return None


def clean(text):
    """Text for people: no control characters, no addresses, of bounded length."""
    text = ADDRESS.sub("0x…", str(text))
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)[:2000]
