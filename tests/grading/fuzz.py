"""Damaged notebooks: truncated, with bytes flipped, with JSON mutated; damaged replies of the sandbox, the
same way; and damaged code, run in the sandbox.

uv run python tests/grading/fuzz.py --n 10000 --replies 1000 --code 500
"""

import argparse
import copy
import json
import random
import socket
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from grading.classroom.answers import Homework, Unreadable, read_cells
from grading.classroom.notebook import Notebook
from grading.judge import Memory, judge
from grading.registry import find
from grading.sandbox.host import Process, ProcessLost
from grading.sandbox.inside import wire
from tests.grading.small import COUNT, MEAN, exercise, notebook

JUNK = [
    None,
    True,
    -1,
    1e308,
    "",
    "\0",
    "\ud800",
    "x" * 5000,
    [],
    {},
    [[]],
    {"cells": {}},
    "def f(:",
    "(" * 300,
    "import os; os._exit(1)",
]


def fuzzed(rng, count):
    """`count` files as bytes, each damaged in one of five ways."""
    whole = notebook([COUNT, MEAN, "%time x = 1", "print('x')"])
    ways = (truncated, flipped, noise, mutated, mutated)
    for _ in range(count):
        yield rng.choice(ways)(rng, whole)


def truncated(rng, whole):
    return whole[: rng.randrange(len(whole))]


def flipped(rng, whole):
    data = bytearray(whole)
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def noise(rng, whole):
    return rng.randbytes(rng.randrange(500))


def mutated(rng, whole, junk=JUNK):
    """Well-formed JSON in which some values are others."""
    tree = json.loads(whole)
    for _ in range(rng.randrange(1, 6)):
        place = tree
        while isinstance(place, (dict, list)) and place:
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if rng.random() < 0.4 or not isinstance(place[key], (dict, list)) or not place[key]:
                place[key] = copy.deepcopy(rng.choice(junk))
                break
            place = place[key]
    return json.dumps(tree).encode()


def survives(homework, data):
    """Before the sandbox: any bytes give cells that text files and pipes can hold, or Unreadable."""
    try:
        cells = read_cells(data)
    except Unreadable as problem:
        str(problem).encode()
        return False
    found, to_run = homework.answers(cells), homework.to_run(cells)
    assert set(found) <= {question.id for question in homework.questions}
    for cell in [*to_run, *found.values()]:
        assert isinstance(cell.source, str) and cell.source.encode() is not None
    return True


# ---- code

SNIPPETS = [
    "while True: pass",
    "raise SystemExit",
    "import os; os._exit(1)",
    "os.fork()",
    "x = [0] * 10**9",
    "print('x' * 10**6)",
    "return 1",
    "yield 2",
    "del np",
    "np = None",
    "import numpy as np",
    "global labels",
    "lambda: (yield)",
    "%%time",
    "!true",
    "?",
    "\0",
    "\ud800",
    "\u202e",
    "\t",
    "    ",
    "(" * 200,
    "'''",
    "\\",
    "#",
    "raise",
    "exit()",
    "input()",
    "await x",
    "from helpers import *",
    "labels = values = distances = None",
    "1 / 0",
    "__builtins__ = {}",
    "import sys; sys.setrecursionlimit(10**9)",
    "majority = majority.__class__",
    "def majority(*a): return majority(*a)",
]


def damaged_code(rng, count):
    """`count` notebooks with some characters and lines of right answers changed; one in ten is untouched."""
    for _ in range(count):
        cells = [COUNT, MEAN]
        for _ in range(rng.randrange(1, 4) if rng.random() < 0.9 else 0):
            i = rng.randrange(2)
            cells[i] = rng.choice((other_character, other_line, cut, moved))(rng, cells[i])
        yield json.dumps({
            "cells": [{"cell_type": "code", "source": source, "metadata": {}} for source in cells]
        }).encode()


def other_character(rng, source):
    i = rng.randrange(len(source) + 1)
    return source[:i] + rng.choice("()[]{}:,.=+-*/%!?'\"\\ \n\tx09_#@λ\0") + source[i + rng.randrange(2) :]


def other_line(rng, source):
    lines = source.split("\n")
    i = rng.randrange(len(lines) + 1)
    indent = len(lines[i - 1]) - len(lines[i - 1].lstrip()) if rng.random() < 0.7 else 0
    return "\n".join([*lines[:i], " " * indent + rng.choice(SNIPPETS), *lines[i:]])


def cut(rng, source):
    return source[: rng.randrange(len(source) + 1)]


def moved(rng, source):
    words = source.split(" ")
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    words[i], words[j] = words[j], words[i]
    return " ".join(words)


def run_through_the_sandbox(homework, rng, count, seconds=2.0):
    """Counter of (status, points).

    An untouched notebook gets all points after all the damaged ones, from the same fork server.
    """
    from grading.classroom.submission_grader import Grader

    counted = Counter()
    grader = Grader(
        homework,
        "a salt for damaged code",
        cell_seconds=seconds,
        call_seconds=seconds,
        limits={"memory": 2**30, "total_memory": 2**30},
    )
    try:
        server = grader.ready().server.pid
        for i, data in enumerate(damaged_code(rng, count)):
            result = grader.grade(f"s{i}", data)
            json.dumps(result.to_json(), ensure_ascii=False).encode()
            counted[result.status, result.points] += 1
        assert grader.grade("last", notebook([COUNT, MEAN])).points == 5
        assert grader.sandbox.server.pid == server
    finally:
        grader.close()
    assert set(counted) <= {("graded", points) for points in range(6)} | {("needs a human", 0)}
    return counted


# ---- replies


VALUES = [
    3,
    2.5,
    "three",
    [1, 2, 3],
    (1, "a"),
    {"a": 1, 2: [3.0]},
    np.arange(6.0).reshape(2, 3),
    np.array(["a", "b"]),
]
VALUES += [
    np.array([1, None], dtype=object),
    pd.DataFrame({"a": [1, 2]}),
    np.random.default_rng(0),
    True,
    1j,
    {1, 2},
]
WORDS = "~ v s d b array words objects dict table rng tuple PCG64 <f8 O".split()
NUMBERS = [-1, 0, 2**31, 2**63, 10**400, 1e308, -1e308, 0.1, True]


class Replies(Process):
    """A process of the sandbox that says just these bytes, and then is gone."""

    def __init__(self, data):
        self.talk, self.theirs = socket.socketpair()
        self.number, self.group = 0, None
        self.theirs.sendall(data[:100_000])  # as much as a socket takes without a reader
        self.theirs.shutdown(socket.SHUT_WR)

    def runs_out(self, seconds, last):
        return False

    def is_lost(self, why):
        return ProcessLost(why)


def damaged_replies(rng, count):
    """`count` replies to the first request, each right in form, or damaged in one of six ways."""
    ways = (truncated, flipped, noise, retagged, retagged, lambda rng, whole: whole)
    for _ in range(count):
        body = json.dumps({
            "id": 1,
            "ok": rng.random() < 0.95,
            "value": wire.encode(rng.choice(VALUES)),
        }).encode()
        body = rng.choice(ways)(rng, body)
        length = len(body) if rng.random() < 0.9 else rng.choice([0, 1, len(body) + 1, 2**31, 2**32 - 1])
        yield length.to_bytes(4, "little") + body


def retagged(rng, whole):
    """Well-formed JSON in which keys, tags, shapes and values are others."""
    return mutated(rng, whole, [*JUNK, *WORDS, *NUMBERS, json.loads(whole).get("value")])


def judged_reply(question, data, memory=None):
    """What the lecturer's side makes of a reply: the points, or the words that the student reads."""
    notebook = Notebook(None, (), "", [], {"cell": 5.0, "call": 5.0})
    opened = []
    notebook.running = lambda: opened.append(Replies(data)) or opened[-1]
    try:
        return judge(
            question,
            lambda args: notebook.answer(question, args),
            [(1, i) for i in range(3)],
            False,
            Memory(),
        )
    finally:
        for process in opened:
            process.talk.close()
            process.theirs.close()


def run_replies(rng, count):
    """Counter of (what became of it, points). No reply raises anything, and none gains a point but by the right value."""
    questions, counted = [find(id) for id in ("knn.2", "knn.3", "knn.4")], Counter()
    memory = Memory()
    for data in damaged_replies(rng, count):
        question = rng.choice(questions)
        result = judged_reply(question, data, memory)
        assert 0 <= result.points <= question.points
        assert all(len(note.encode("utf-8", "replace")) < 20_000 for note in result.notes)
        told = result.notes[0] if result.notes else "no word"
        counted["no reply at all" if "ended the whole" in told else "read", result.points] += 1
    return counted


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument(
        "--code", type=int, default=0, metavar="N", help="also run N notebooks of damaged code in the sandbox"
    )
    parser.add_argument("--replies", type=int, default=0, metavar="N", help="also N damaged replies")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        homework = Homework(exercise(Path(folder) / "00-two.ipynb"))
    began, readable, slowest = time.perf_counter(), 0, 0.0
    for data in fuzzed(random.Random(options.seed), options.n):
        start = time.perf_counter()
        readable += survives(homework, data)
        slowest = max(slowest, time.perf_counter() - start)
    print(
        f"{options.n} damaged notebooks: {readable} could be read, {options.n - readable} need a human, "
        "none crashed; "
        f"slowest {slowest:.3f} s, all {time.perf_counter() - began:.0f} s"
    )
    if options.replies:
        began = time.perf_counter()
        counted = run_replies(random.Random(options.seed), options.replies)
        print(
            f"{options.replies} damaged replies: none crashed; "
            + ", ".join(
                f"{count} × {what} ({points:g} points)" for (what, points), count in sorted(counted.items())
            )
            + f"; {time.perf_counter() - began:.0f} s"
        )
    if options.code:
        began = time.perf_counter()
        counted = run_through_the_sandbox(homework, random.Random(options.seed), options.code)
        print(
            f"{options.code} notebooks of damaged code in the sandbox: "
            + ", ".join(
                f"{count} × {status} {points:g}" for (status, points), count in sorted(counted.items())
            )
            + f"; {time.perf_counter() - began:.0f} s, the same fork server to the end"
        )


if __name__ == "__main__":
    main()
