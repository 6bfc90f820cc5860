"""Damaged notebooks: truncated, with bytes flipped, with JSON mutated. As a command: python tests/grading/fuzz.py --n 10000"""
import argparse
import copy
import json
import random
import sys
import tempfile
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from helpers.grading.answers import Homework, Unreadable, read_cells        # noqa: E402
from tests.grading.small import COUNT, MEAN, exercise, notebook             # noqa: E402

JUNK = [None, True, -1, 1e308, "", "\0", "\ud800", "x" * 5000, [], {}, [[]], {"cells": {}}, "def f(:", "(" * 300, "import os; os._exit(1)"]


def fuzzed(rng, count):
    """`count` files as bytes, each damaged in one of five ways."""
    whole = notebook([COUNT, MEAN, "%time x = 1", "print('x')"])
    ways = (truncated, flipped, noise, mutated, mutated)
    for _ in range(count):
        yield rng.choice(ways)(rng, whole)


def truncated(rng, whole):
    return whole[:rng.randrange(len(whole))]


def flipped(rng, whole):
    data = bytearray(whole)
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def noise(rng, whole):
    return rng.randbytes(rng.randrange(500))


def mutated(rng, whole):
    """Well-formed JSON in which some values are others."""
    tree = json.loads(whole)
    for _ in range(rng.randrange(1, 6)):
        place = tree
        while isinstance(place, (dict, list)) and place:
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if rng.random() < 0.4 or not isinstance(place[key], (dict, list)) or not place[key]:
                place[key] = copy.deepcopy(rng.choice(JUNK))
                break
            place = place[key]
    return json.dumps(tree).encode()


def survives(homework, data):
    """What grading does before the sandbox: any bytes give cells that text files and pipes can hold, or Unreadable."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        homework = Homework(exercise(Path(folder) / "00-two.ipynb"))
    began, readable, slowest = time.perf_counter(), 0, 0.0
    for data in fuzzed(random.Random(options.seed), options.n):
        start = time.perf_counter()
        readable += survives(homework, data)
        slowest = max(slowest, time.perf_counter() - start)
    print(f"{options.n} damaged notebooks: {readable} could be read, {options.n - readable} need a human, none crashed; "
          f"slowest {slowest:.3f} s, all {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
