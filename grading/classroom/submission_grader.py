"""Grade one submission: run its cells in the sandbox, ask for its answers, judge them on this side."""

from __future__ import annotations

import contextlib
import itertools
import re
import time
from functools import cached_property, partial

from grading.classroom.answers import Homework, Unreadable, read_cells
from grading.classroom.fingerprint import digest, of_environment, of_question, question_key
from grading.classroom.idle_cells import needed
from grading.classroom.notebook import Notebook, packed
from grading.classroom.plain_text import printable
from grading.classroom.records import NEEDS_A_HUMAN, Answer, Graded, sha_of
from grading.classroom.turns import alone, beside_others
from grading.forbidden import forbidden_module, refusal
from grading.judge import Memory, Result, judge
from grading.sandbox.host import Sandbox
from grading.sandbox.probes import verify

SLOW = 10.0  # seconds: where a call may take longer, a case has one input from salt and student
CELL_SECONDS, CELLS_SECONDS = 30.0, 300.0  # of a cell; of all cells, each time they are run
WHOLE = 1500.0  # seconds of a submission: its cells run again after each hang, and this bounds how often
ALONE = 120.0  # seconds in all for which a submission may keep others waiting; what is left then stands
LONGEST = 1e6  # seconds of a call, where the question does not say less
SETS = 4  # of secret inputs, for all of a class: who gets which, salt and name decide
# what a forbidden module may be needed by, or hide in: an answer that uses none of these is right in any room
LIBRARIES = frozenset(
    "sklearn scipy pandas skimage networkx imblearn statsmodels skrebate helpers grading".split()
)
LATE = "{} question{} not asked: its cells and answers took {:.0f} minutes. What was asked stands"
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


class Grader:
    """Grades submissions of one homework, one after the other, in one warm sandbox.

    homework : Homework
    salt : the lecturer's secret; it decides on which inputs a class is tried, and who of it on which
    limits : see grading.sandbox.host.LIMITS
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
        self.seconds = {"cell": cell_seconds, "cells": CELLS_SECONDS, "call": call_seconds}
        self.sandbox, self.seconds_of = None, {}
        self.memory, self.packed = Memory(), {}
        self.prelude = homework.prelude()

    @cached_property
    def forbidden(self):
        return tuple(sorted({module for q in self.homework.questions for module in q.forbids}))

    def grade(self, student: str, data: bytes, answers=None, errors=()) -> Graded:
        """The result of a submission; the same for the same submission and salt.

        answers, errors : those of questions, by id, that need not be graded again; what their cells raised
        """
        answers, errors, sha = dict(answers or {}), list(errors), sha_of(data)
        status, reason = "graded", ""
        self.seconds_of = {}  # how long each took; no part of the result
        try:
            cells = read_cells(data)
            self.grade_cells(cells, student, sha, answers, errors)
        except Unreadable as problem:
            status, reason = NEEDS_A_HUMAN, str(problem)
        answers = {q.id: answers[q.id] for q in self.homework.questions if q.id in answers}
        points = sum(answer.points for answer in answers.values())
        return Graded(
            student, self.homework.name, sha, self.homework.points, status, reason, points, answers, errors
        )

    def grade_cells(self, cells, student, sha, answers, errors):
        """Fills in the answers that are not there yet, and the errors.

        One notebook for all answers that use no library, in a room without any module that is forbidden
        somewhere; for the others, one for each set of forbidden modules.
        """
        found = self.homework.answers(cells)
        if others := self.homework.asked_elsewhere(cells):
            raise Unreadable(f"it is another homework's notebook: its cells ask for {', '.join(others[:3])}")
        to_run = self.homework.to_run(cells)
        to_run = needed(to_run, self.homework.released, frozenset(cell.number for cell in found.values()))
        self.turn, self.last = ALONE, time.monotonic() + WHOLE

        def put(questions, notebook):
            for question in itertools.takewhile(lambda _: time.monotonic() < notebook.until, questions):
                answer = self.answer(question, notebook, found.get(question.id), student, sha)
                if time.monotonic() < notebook.until:  # else it was cut short
                    answers[question.id] = answer

        ask = partial(self.ask, to_run, put)
        waiting = [question for question in self.homework.questions if question.id not in answers]
        plain = self.plain(waiting, [self.prelude, *(cell.source for cell in to_run)])
        if any(question.forbids for question in plain):
            raised = ask(
                self.forbidden, lambda notebook: [q for q in plain if q.forbids or notebook.is_quiet()]
            )
            errors[:] = [] if not raised else errors
        groups = {}
        for question in waiting:
            if question.id not in answers:
                groups.setdefault(tuple(sorted(question.forbids)), []).append(question)
        for forbids, questions in sorted(groups.items(), key=lambda pair: len(pair[0])):
            raised = ask(forbids, lambda notebook, questions=questions: questions)
            if not forbids:  # elsewhere the exercise's own imports may be refused
                errors[:] = [clean(error) for error in raised]
        if late := sum(question.id not in answers for question in waiting):
            raise Unreadable(LATE.format(late, "" if late == 1 else "s", WHOLE / 60))

    def ask(self, to_run, put, forbids, choose):
        """The errors of the cells. What ran out of time beside others is tried once more, alone."""
        with beside_others(), self.notebook(forbids, to_run) as notebook:
            notebook.until = self.last
            asked = list(choose(notebook))
            put(asked, notebook)
        if again := list(filter(notebook.ran_out_of_time, asked)):
            with alone(), self.notebook(forbids, to_run) as notebook:
                began = time.monotonic()
                notebook.until = min(began + self.turn, self.last)
                put(again, notebook)
            self.turn -= time.monotonic() - began
        return notebook.errors

    def notebook(self, forbids, cells):
        notebook = Notebook(self.ready(), forbids, self.prelude, cells, self.seconds, self.pack)
        return contextlib.closing(notebook)

    def plain(self, questions, sources):
        """Those whose answer uses no library, so that it is the same in any room."""
        libraries = tuple(sorted(LIBRARIES | {name.partition(".")[0] for name in self.forbidden}))
        return [q for q in questions if self.forbidden and not forbidden_module(sources, q.name, libraries)]

    def pack(self, args):
        """Arguments as a part of a message; of those that are asked again and again, made once."""
        if id(args) not in self.packed:
            if not self.memory.holds(args):
                return packed(args)
            self.packed[id(args)] = packed(args)
        return self.packed[id(args)]

    def answer(self, question, notebook, cell, student, sha) -> Answer:
        began = time.perf_counter()
        verdict = self.judged(question, notebook, student, cell)
        self.seconds_of[question.id] = time.perf_counter() - began
        return Answer(
            verdict.points,
            question.points,
            [clean(note) for note in verdict.notes],
            list(dict.fromkeys(verdict.mistakes)),
            cell.source if cell else "",
            {"question": of_question(question.id), "environment": of_environment()},
            question_key(question.id, self.salt, student, sha),
            [[case, draw, clean(first)] for case, draw, first in verdict.lost],
        )

    def judged(self, question, notebook, student, cell) -> Result:
        if module := forbidden_module(notebook.sources, question.name, question.forbids):
            return Result(question, 0.0, [refusal(module)])
        missing = notebook.look(question, cell)
        if missing is not None:
            return Result(question, 0.0, [missing])
        seeds = seeds_of(question, self.salt, student)
        return judge(question, lambda args: notebook.answer(question, args), seeds, False, self.memory)

    def ready(self):
        if self.sandbox is None or not self.sandbox.is_alive():
            self.close()
            self.sandbox = Sandbox(limits=self.limits, safe=self.safe, meanwhile=self.prepare)
            if self.safe:
                verify(self.sandbox)
        return self.sandbox

    def prepare(self):
        """(modules, public inputs) for the sandbox; what all results name is read on the way."""
        of_environment()
        for id in self.homework.ids:
            of_question(id)
        drawn = [q for q in self.homework.questions if q.is_drawn]
        return self.homework.modules(), {
            q.id: [q.task(i, 0).args for i in range(len(q.cases))] for q in drawn
        }

    def close(self):
        if self.sandbox is not None:
            self.sandbox.stop()
            self.sandbox = None


def seeds_of(question, salt, student):
    """The secret draws of each case on which this student is tried."""
    of_class = int(digest(salt, student), 16) % SETS
    secret = int(digest(salt, "the class", of_class), 16)
    return [(secret, i) for i in range(question.draws if question.seconds <= SLOW else 1)]


def clean(text):
    """Text for people: no control characters, no addresses, of bounded length."""
    return printable(ADDRESS.sub("0x…", str(text))[:2000], keep="\n")
