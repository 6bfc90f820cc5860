"""A student's notebook, running in the sandbox: its cells are run, its answers looked up and called."""

from __future__ import annotations

import difflib
import json
import math
import re
import time

from grading.classroom.answers import SOURCE
from grading.feedback import NOTHING, STILL_RUNNING, TAKEN, raised
from grading.judge import CHANGED, NOT_ATTEMPTED, CallFailed, Packed
from grading.sandbox.host import ProcessLost
from grading.sandbox.inside import wire

OWN_PLACE = re.compile(r" \(<(?:unknown|cell \d+|string)>, line (\d{1,6})\)$")
NOT_ALLOWED = "is not allowed here"
A_CELL = "a cell"
ERRORS = 20, 200  # that are kept of a cell, and of a notebook
PATIENCE = 4.0  # a call's seconds are the processor's; on the clock it may take so many times as long
LEAST = 0.1  # seconds, or share of its time, for what is begun when the time is up
PART = 10**6  # characters of source in a message, or one cell more
LOST = {
    "time": STILL_RUNNING,
    "memory": "used more memory than a submission may have.",
    "end": "ended the whole program: does it call exit, or use very much memory?",
}


class Notebook:
    """A student's notebook, running. A lost process is started again, without the cell that lost it.

    pack : what makes JSON of the arguments of a call
    seconds : {"cell", "cells", "call"}: how long a cell may run, all cells of one run, and a call at most
    late : ids of the questions that ran out of time, and A_CELL where a cell did
    until : when all must be at its end (time.monotonic), however often the cells run
    """

    def __init__(self, sandbox, forbids, prelude, cells, seconds, pack=None):
        self.stopped, self.until = False, math.inf
        self.sandbox, self.forbids, self.seconds = sandbox, forbids, seconds
        self.prelude, self.cells, self.pack = prelude, list(cells), pack or packed
        self.sources = [prelude, *(cell.source for cell in self.cells)]
        self.process, self.errors, self.lost_cells, self.late = None, [], [], set()

    def running(self):
        while self.process is None:
            self.process, self.errors = self.sandbox.process(self.forbids), []
            cells = [(0, self.prelude), *((cell.number + 1, cell.source) for cell in self.cells)]
            replies = self.replies(cells)
            last = min(time.monotonic() + self.seconds["cells"], self.until)  # each run has all its time
            for number, _ in cells:
                if time.monotonic() >= last and number:
                    self.stop_before(number)
                    break
                try:
                    self.note(number, next(replies))
                except ProcessLost as lost:
                    self.lose(number, str(lost))
                    break
            replies.close()
        return self.process

    def is_quiet(self):
        """Whether all cells ran, and none raised anything."""
        self.running()
        return not (self.errors or self.lost_cells)

    def replies(self, cells):
        for part in in_parts(cells):
            message = {"op": "cells", "cells": part}
            seconds = max(min(self.seconds["cell"], self.until - time.monotonic()), LEAST)
            yield from self.process.requests(message, seconds, count=len(part))

    def stop_before(self, number):
        """The time of all cells is used up: those before this one run once more, without it."""
        self.process.close()
        self.process, self.stopped = None, True
        self.cells = [cell for cell in self.cells if cell.number + 1 < number]
        self.lost_cells.append(f"Cell {number} and those after it were not run: the notebook takes too long.")

    def lose(self, number, why):
        """The cell on which a process was lost is not run again."""
        self.process = None
        self.note_late(A_CELL, why)
        self.cells = [cell for cell in self.cells if cell.number + 1 != number]
        self.lost_cells.append(f"Cell {number} " + LOST[why].format(seconds=self.seconds["cell"]))

    def note(self, number, reply):
        """What a cell raised. It is the student's side that says so: only so much of it is kept."""
        raised, found = reply.get("errors"), []
        if not reply.get("ok"):
            found.append([reply.get("kind"), reply.get("text")])
        found += raised[: ERRORS[0]] if isinstance(raised, list) and number else []
        for error in found[: ERRORS[1] - len(self.errors)]:
            self.errors.append(f"Cell {number}: {self.in_words(number, error)}")

    def in_words(self, number, error):
        """With the line that Python cannot read: the number of a cell is seen in no editor."""
        if not isinstance(error, list):
            return "an error"
        what = ": ".join(str(part)[:500] for part in error[:2])
        found = OWN_PLACE.search(what)
        line = int(found[1]) if found else 0
        source = next((cell.source for cell in self.cells if cell.number + 1 == number), "").splitlines()
        if 0 < line <= len(source):
            what = f"{OWN_PLACE.sub('', what)} (line {line}: {source[line - 1].strip()[:60]})"
        is_cut = sum(map(len, source)) + len(source) > SOURCE
        return what + f"; of so long a cell the first {SOURCE:,} letters are read" * is_cut

    def ended(self, question, why):
        """A call lost the process."""
        self.process = None
        self.note_late(question.id, why)

    def note_late(self, what, why):
        self.late |= {what} if str(why) == "time" else set()

    def ran_out_of_time(self, question):
        """Whether its answer did, or a cell. That all cells together take too long is another matter."""
        return bool(self.late & {question.id, A_CELL}) and not self.stopped

    def look(self, question, cell=None):
        """None when there is an answer; else what there is, in a sentence.

        cell : the one that should have defined it
        """
        try:
            reply = self.kind_of(question)
        except ProcessLost as lost:
            self.ended(question, lost)
            return "your notebook ended while its answers were looked up."
        if reply.get("defined") is not True:
            refused = [error for error in self.errors if NOT_ALLOWED in error][:1]
            own = f"Cell {cell.number + 1}: " if cell else "-"
            raised = [error for error in self.errors if error.startswith(own) and error not in refused][:1]
            return " ".join([
                f"{question.name} is not defined.",
                *self.similar(question.name),
                *refused,
                *raised,
                *self.lost_cells,
            ])
        if question.is_function and reply.get("callable") is not True and reply.get("blank") is not True:
            return f"{question.name} should be a function; it is {reply.get('type')}."
        if reply.get("blank") is True:
            return NOT_ATTEMPTED
        return None

    def kind_of(self, question):
        """Asked of a new process, too, where one ended: what an answer forged costs its own question only."""
        what = {"op": "kind", "name": question.name}, self.seconds["cell"]
        try:
            return self.running().request(*what)
        except ProcessLost as lost:
            if str(lost) == "time":
                raise
            self.ended(question, lost)
            return self.running().request(*what)

    def similar(self, name):
        """A question, where the cells define almost that name."""
        defined = {one for cell in self.cells for one in cell.defines()} - {name}
        for one in difflib.get_close_matches(name, defined, 1, 0.75):
            yield f"Is it what you call {one}?"

    def answer(self, question, args):
        """What the student's function gives, or the value of the name: None, or Packed."""
        what, more = {"op": "value", "name": question.name}, ""
        if question.is_function:
            what = {"op": "call", "name": question.name, "seed": 1, "kept": question.keeps_input}
            more = self.pack(args)
        seconds = min(question.seconds, self.seconds["call"])
        try:
            process = self.running()
            patience = max(min(PATIENCE, (self.until - time.monotonic()) / seconds), LEAST)
            reply = process.request(what, seconds, patience, more=more)
        except ProcessLost as lost:
            self.ended(question, lost)
            raise CallFailed("your function " + LOST[str(lost)].format(seconds=seconds)) from lost
        if reply.get("ok") is not True:
            if [reply.get("kind"), reply.get("text")] == ["KeyError", repr(question.name)]:
                raise CallFailed(" ".join([f"{question.name} is not defined.", *self.lost_cells]))
            raise CallFailed(why_not(reply))
        if reply.get("changed") is True:
            raise CallFailed(CHANGED)
        value = reply.get("value")
        return None if value is None else Packed(json.dumps(value), unpack)

    def close(self):
        if self.process is not None:
            self.process.close()


def why_not(reply):
    """What a call failed by. It is the student's side that says so: no word of it stands without ours."""
    kind, text, line = (reply.get(part) for part in ("kind", "text", "line"))
    if reply.get("why") == "nothing":
        return NOTHING
    if reply.get("why") == "refused":
        return TAKEN.format(text)
    return raised(kind, text, line if isinstance(line, int) else None)


def unpack(text):
    try:
        return wire.decode(json.loads(text))
    except wire.WireError as error:
        raise CallFailed(TAKEN.format(error)) from error


def packed(args):
    """Arguments of a call, as a part of a message."""
    return f'"args": {json.dumps(wire.encode(tuple(args)))}'


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
