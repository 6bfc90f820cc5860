"""How fast a class is graded: a synthetic class of each homework, perfect, partly wrong, broken and hostile.

uv run python tools/time_class.py --n 100 --write             # the table in docs/grading.md
"""

import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from course.cli import main as course
from tools import written
from tools.books import ROOT, solution_of

HOSTILE = [
    "import os\nos._exit(0)",
    "import os\nos.kill(os.getpid(), 9)",
    "raise SystemExit",
    "print('x' * 10**7)",
    "import numpy\nnumpy.allclose = lambda *a, **k: True",
    "x = [[]]\nwhile len(x) < 10**6:\n    x.append(x)",
]


# ---- the class


def submissions(folder, homework, count, rng, shares=(50, 30, 10, 10)):
    """Writes the class, with the shares of one that works: half is right, a tenth does not play fair."""
    whole = solved(homework)
    for i in range(count):
        kind = rng.choices(("perfect", "partly", "broken", "hostile"), shares)[0]
        path = folder / f"s{i:04d}-{kind}" / f"{homework}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(KINDS[kind](json.loads(json.dumps(whole)), rng))


def solved(homework):
    """The released exercise with the solution's answers in it."""
    exercise, solution = (
        json.loads((ROOT / folder / f"{stem}.ipynb").read_text(encoding="utf-8"))
        for folder, stem in (("exercises", homework), ("solutions", solution_of(homework)))
    )
    right = {grade_id(cell): cell["source"] for cell in solution["cells"] if grade_id(cell)}
    for cell in exercise["cells"]:
        cell["source"] = right.get(grade_id(cell), cell["source"])
    return exercise


def grade_id(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def answers(notebook):
    return [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]


def perfect(notebook, rng):
    return json.dumps(notebook).encode()


def partly(notebook, rng):
    """A third of the answers are missing, or hold a small slip."""
    for cell in rng.sample(answers(notebook), k=max(1, len(answers(notebook)) // 3)):
        text = "".join(cell["source"])
        cell["source"] = (
            text.replace("mean", "median").replace("argmax", "argmin") if rng.random() < 0.7 else ""
        )
    return json.dumps(notebook).encode()


def broken(notebook, rng):
    data = json.dumps(notebook).encode()
    return (
        data[: rng.randrange(len(data))]
        if rng.random() < 0.5
        else json.dumps({"cells": answers(notebook)[:2]}).encode()
    )


def hostile(notebook, rng):
    cell = rng.choice(answers(notebook))
    cell["source"] = rng.choice(HOSTILE)
    return json.dumps(notebook).encode()


KINDS = {"perfect": perfect, "partly": partly, "broken": broken, "hostile": hostile}


# ---- the grader


class Watch(threading.Thread):
    """Processor seconds and memory of this process and of all that it started, while a class is graded.

    What ended counts with who waited for it; with `getrusage`, what ran in a sandbox would not. Seconds are
    counted from a quarter of the results on: without the start.
    """

    def __init__(self, results):
        super().__init__(daemon=True)
        self.results, self.over, self.most, self.seen = results, threading.Event(), 0, []

    def run(self):
        while not self.over.wait(0.25):
            tree = [psutil.Process(), *psutil.Process().children(recursive=True)]
            watching = time.thread_time()  # is no grading
            self.seen.append((len(list(self.results.glob("*.json"))), sum(map(used, tree)) - watching))
            if len(self.seen) % 8 == 0:  # a costly question
                self.most = max(self.most, sum(map(held, tree)))

    def seconds(self):
        """Of the processor, for each submission. A worker that ends takes its own along: to the most."""
        last = max(self.seen, key=lambda one: one[1])
        first = next(one for one in self.seen if one[0] >= last[0] / 4)
        return (last[1] - first[1]) / (last[0] - first[0])


def used(process):
    try:
        return sum(process.cpu_times()[:4])  # its own, and of its children that ended
    except psutil.Error:  # it ended meanwhile
        return 0.0


def held(process):
    """Bytes; of a page that several share, its part."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0


# ---- each homework


TABLE = re.compile(r"(?<=<!-- each -->\n).*?(?=<!-- /each -->)", re.S)


def each(options):
    """A row for each homework: perfect submissions, and a class as it is."""
    rows = [
        "| homework | perfect, a second | of the processor, s each | a class, a second | memory, MB |",
        "|---|---|---|---|---|",
    ]
    for path in sorted((ROOT / "exercises").glob("*.ipynb")):
        perfect, _ = measured(path, options, (1, 0, 0, 0))
        mixed, memory = measured(path, options, (50, 30, 10, 10))
        rate = [os.cpu_count() / seconds for seconds in (perfect, mixed)]
        rows.append(f"| {path.stem} | {rate[0]:.1f} | {perfect:.2f} | {rate[1]:.1f} | {memory / 2**20:.0f} |")
        print(rows[-1], flush=True)
    if options.write:
        write(
            f"{options.n} perfect submissions of each, and a class of {options.n} as it is, graded by "
            f"{options.workers} workers on {os.cpu_count()} cores. Counted are seconds of the processor, "
            f"without the start; a second has {os.cpu_count()} of them.\n\n" + "\n".join(rows) + "\n"
        )


def write(text, page=ROOT / "docs" / "grading.md"):
    page.write_text(TABLE.sub(lambda _: text, page.read_text(encoding="utf-8")), encoding="utf-8")


def measured(exercise, options, shares):
    """Processor seconds of each submission, and the largest memory of the whole class."""
    with tempfile.TemporaryDirectory() as folder:
        place, grades = Path(folder, "submissions"), Path(folder, "grades")
        submissions(place, exercise.stem, options.n, random.Random(0), shares)
        watch = Watch(grades / "results")
        watch.start()
        if course(["grade", str(exercise), str(place), "-o", str(grades), "-j", str(options.workers)]):
            sys.exit("the class was not graded")
        watch.over.set()
        watch.join()
        return watch.seconds(), watch.most


def main():
    parser = written.parser(__doc__)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the table into docs/grading.md")
    each(parser.parse_args())


if __name__ == "__main__":
    main()
