"""How fast a class is graded: a synthetic class of each homework, perfect, partly wrong, broken and hostile.

uv run python tools/time_class.py --n 100 --write             # the table in docs/grading.md
"""

import json
import os
import random
import re
import resource
import sys
import tempfile
import threading
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


class Memory(threading.Thread):
    """The largest sum of what this process and all that it started hold; a shared page counts once."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.over = 0, threading.Event()

    def run(self):
        while not self.over.wait(2.0):
            self.most = max(
                self.most, sum(map(held, [psutil.Process(), *psutil.Process().children(recursive=True)]))
            )


def held(process):
    try:
        return process.memory_full_info().pss
    except psutil.Error:  # it ended meanwhile
        return 0


def grade(place, grades, options):
    """The largest memory of the whole class."""
    memory = Memory()
    memory.start()
    exercise = ROOT / "exercises" / f"{options.homework}.ipynb"
    if course(["grade", str(exercise), str(place), "-o", str(grades), "-j", str(options.workers)]):
        sys.exit("the class was not graded")
    memory.over.set()
    return memory.most


# ---- each homework


TABLE = re.compile(r"(?<=<!-- each -->\n).*?(?=<!-- /each -->)", re.S)


def each(options):
    """A row for each homework: perfect submissions, and a class as it is."""
    rows = [
        "| homework | perfect, a second | of the processor, s each | a class, a second | memory, MB |",
        "|---|---|---|---|---|",
    ]
    for path in sorted((ROOT / "exercises").glob("*.ipynb")):
        options.homework = path.stem
        perfect, used, _ = measured(options, (1, 0, 0, 0))
        mixed, _, memory = measured(options, (50, 30, 10, 10))
        rows.append(f"| {path.stem} | {perfect:.1f} | {used:.2f} | {mixed:.1f} | {memory / 2**20:.0f} |")
        print(rows[-1], flush=True)
    if options.write:
        write(
            f"{options.n} submissions of each, {options.workers} workers on {os.cpu_count()} cores, "
            f"load {os.getloadavg()[1]:.1f}:\n\n" + "\n".join(rows) + "\n"
        )


def write(text, page=ROOT / "docs" / "grading.md"):
    page.write_text(TABLE.sub(lambda _: text, page.read_text(encoding="utf-8")), encoding="utf-8")


def measured(options, shares):
    """Submissions a second, processor seconds of each (the start among them), and the largest memory."""
    with tempfile.TemporaryDirectory() as folder:
        place, grades = Path(folder, "submissions"), Path(folder, "grades")
        submissions(place, options.homework, options.n, random.Random(0), shares)
        before = processor()
        memory = grade(place, grades, options)
        return rate(grades), (processor() - before) / options.n, memory


def processor():
    """Seconds of all processes that this one started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate(grades):
    """Results a second, between the first and the last: without the start of the sandboxes."""
    times = sorted(path.stat().st_mtime for path in (grades / "results").glob("*.json"))
    return (len(times) - 1) / (times[-1] - times[0])


def main():
    parser = written.parser(__doc__)
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the table into docs/grading.md")
    each(parser.parse_args())


if __name__ == "__main__":
    main()
