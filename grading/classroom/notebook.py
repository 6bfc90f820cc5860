"""A student's notebook, running in the sandbox: its cells are run, its answers looked up and called."""

from __future__ import annotations

from grading.judging import NOT_ATTEMPTED, CallFailed
from grading.sandbox.host import ProcessLost
from grading.sandbox.inside import wire

__all__ = ["Notebook", "in_parts"]

PART = 10**6  # characters of source in a message, or one cell more
LOST = {
    "time": "was still running after {seconds:g} seconds. Is there a loop that never ends, or one over pairs "
    "that an array operation could do?",
    "memory": "used more memory than a submission may have.",
    "end": "ended the whole program: does it call exit, or use very much memory?",
}


class Notebook:
    """A student's notebook, running. A lost process is started again, without the cell that lost it."""

    def __init__(self, sandbox, forbids, prelude, cells, seconds):
        self.sandbox, self.forbids, self.seconds = sandbox, forbids, seconds
        self.prelude, self.cells = prelude, list(cells)
        self.sources = [prelude, *(cell.source for cell in self.cells)]
        self.process, self.errors, self.lost_cells = None, [], []

    def running(self):
        while self.process is None:
            self.process, self.errors = self.sandbox.process(self.forbids), []
            cells = [(0, self.prelude), *((cell.number + 1, cell.source) for cell in self.cells)]
            ask, seconds = self.process.requests, self.seconds["cell"]
            replies = (
                reply
                for part in in_parts(cells)
                for reply in ask({"op": "cells", "cells": part}, seconds, count=len(part))
            )
            for number, _ in cells:
                try:
                    self.note(number, next(replies))
                except ProcessLost as lost:
                    self.process = None
                    self.cells = [cell for cell in self.cells if cell.number + 1 != number]
                    self.lost_cells.append(
                        f"Cell {number} " + LOST[str(lost)].format(seconds=self.seconds["cell"])
                    )
                    break
        return self.process

    def note(self, number, reply):
        """What a cell raised."""
        if not reply.get("ok"):
            self.errors.append(f"Cell {number}: {reply.get('kind')}: {reply.get('text')}")
        for error in reply.get("errors", []) if isinstance(reply.get("errors"), list) and number else ():
            what = ": ".join(map(str, error[:2])) if isinstance(error, list) else "an error"
            self.errors.append(f"Cell {number}: {what}")

    def look(self, question):
        """None when there is an answer; else what there is, in a sentence."""
        try:
            reply = self.running().request({"op": "kind", "name": question.name}, self.seconds["cell"])
        except ProcessLost:
            self.process = None
            return "your notebook ended while its answers were looked up."
        if reply.get("defined") is not True:
            return " ".join([f"{question.name} is not defined.", *self.lost_cells])
        if question.is_function and reply.get("callable") is not True and reply.get("blank") is not True:
            return f"{question.name} should be a function; it is {reply.get('type')}."
        if reply.get("blank") is True:
            return NOT_ATTEMPTED
        return None

    def answer(self, question, args):
        """What the student's function gives, or the value of the name."""
        what = {"op": "value", "name": question.name}
        if question.is_function:
            what = {"op": "call", "name": question.name, "args": wire.encode(tuple(args)), "seed": 1}
        seconds = min(question.seconds, self.seconds["call"])
        try:
            reply = self.running().request(what, seconds)
        except ProcessLost as lost:
            self.process = None
            raise CallFailed("your function " + LOST[str(lost)].format(seconds=seconds)) from lost
        if reply.get("ok") is not True:
            where = f" (line {reply['line']} of its cell)" if isinstance(reply.get("line"), int) else ""
            kind, text = reply.get("kind"), reply.get("text")
            raise CallFailed(
                f"{text}." if kind == "WireError" else f"your function raised {kind}: {text}{where}."
            )
        try:
            return wire.decode(reply.get("value"))
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
