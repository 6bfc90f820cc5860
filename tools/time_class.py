"""How fast a class is graded: a synthetic class of one homework, perfect, partly wrong, broken and hostile.

    uv run python tools/time_class.py --n 1000 --workers 2                      # the course's grader
    uv run python tools/time_class.py --n 1000 --workers 2 --nbgrader FOLDER    # and nbgrader on some
    uv run python tools/time_class.py --each --n 100 --write             # the table in docs/grading.md

FOLDER gets an environment with nbgrader when it holds none yet (tools/nbgrader-requirements.txt; needs
uv). nbgrader grades half of its sample before the class is graded and half after it: both meet the same
machine.
"""

import csv
import json
import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
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


# ---- the course's grader


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
    """Seconds, and the largest memory, of the whole class."""
    memory, began = Memory(), time.perf_counter()
    memory.start()
    exercise = ROOT / "exercises" / f"{options.homework}.ipynb"
    if course(["grade", str(exercise), str(place), "-o", str(grades), "-j", str(options.workers)]):
        sys.exit("the class was not graded")
    memory.over.set()
    return time.perf_counter() - began, memory.most


def seconds_of(grades):
    """{submission: seconds}"""
    of = defaultdict(float)
    with open(grades / "times.csv", encoding="utf-8", newline="") as file:
        for name, _, taken in csv.reader(file):
            of[name] += float(taken)
    return of


def report(grades, options, seconds, memory):
    median, late = np.quantile(list(seconds_of(grades).values()), [0.5, 0.95])
    results = [json.loads(path.read_text(encoding="utf-8")) for path in (grades / "results").glob("*.json")]
    print(
        f"{options.n} submissions of {options.homework}, {options.workers} workers "
        f"on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: "
        f"{seconds:.0f} s, {options.n / seconds:.1f} a second"
    )
    print(f"one submission: median {median:.2f} s, 95th percentile {late:.2f} s")
    print(f"memory of the whole run: {memory / 2**20:.0f} MB")
    print(
        "points reached: "
        + ", ".join(
            f"{kind} {100 * np.mean(share):.0f} % of {len(share)}" for kind, share in shares(results).items()
        )
    )


def shares(results):
    found = {kind: [r["points"] / r["of"] for r in results if r["student"].endswith(kind)] for kind in KINDS}
    return {kind: share for kind, share in found.items() if share}


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
        _, memory = grade(place, grades, options)
        return rate(grades), (processor() - before) / options.n, memory


def processor():
    """Seconds of all processes that this one started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rate(grades):
    """Results a second, between the first and the last: without the start of the sandboxes."""
    times = sorted(path.stat().st_mtime for path in (grades / "results").glob("*.json"))
    return (len(times) - 1) / (times[-1] - times[0])


# ---- nbgrader, on some of the same submissions


def environment(folder):
    """The folder's nbgrader, installed when it is not there yet; and a kernel there that is this Python."""
    if not (folder / "bin" / "nbgrader").exists():
        subprocess.run(["uv", "venv", "--python", sys.executable, str(folder)], check=True)
        subprocess.run(
            [
                "uv",
                "pip",
                "install",
                "--python",
                str(folder / "bin" / "python"),
                "-r",
                str(ROOT / "tools" / "nbgrader-requirements.txt"),
            ],
            check=True,
        )
    kernel = folder / "share" / "jupyter" / "kernels" / "course" / "kernel.json"
    kernel.parent.mkdir(parents=True, exist_ok=True)
    kernel.write_text(
        json.dumps({
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": "course",
            "language": "python",
            "env": {"PYTHONPATH": str(ROOT)},
        }),
        encoding="utf-8",
    )
    return folder / "bin" / "nbgrader"


def with_kernel(data):
    notebook = json.loads(data)
    notebook["metadata"]["kernelspec"] = {"name": "course", "display_name": "course", "language": "python"}
    return json.dumps(notebook)


def nbgrader_course(folder, nbgrader, homework):
    """A course of nbgrader with the homework released."""
    source = folder / "source" / homework / f"{homework}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(
        with_kernel((ROOT / "solutions" / f"{solution_of(homework)}.ipynb").read_text(encoding="utf-8")),
        encoding="utf-8",
    )
    (folder / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'c'\nc.ExecutePreprocessor.timeout = 60\n",
        encoding="utf-8",
    )
    if run(nbgrader, folder, "generate_assignment", homework):
        sys.exit(
            "nbgrader did not take the homework:\n" + (folder / "log").read_text(encoding="utf-8")[-2000:]
        )


def run(nbgrader, folder, *words):
    """nbgrader finds programs of its own environment on the PATH."""
    own = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {
        "PATH": f"{nbgrader.parent}{os.pathsep}{os.environ['PATH']}"
    }
    with open(folder / "log", "a", encoding="utf-8") as log:
        return subprocess.run(
            [str(nbgrader), *words], cwd=folder, stdout=log, stderr=log, env=own, check=False
        ).returncode


def nbgrader_grades(folder, nbgrader, homework, chosen):
    """Seconds that nbgrader takes for these submissions."""
    for path in chosen:
        target = folder / "submitted" / path.parent.name / homework / f"{homework}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_text(with_kernel(path.read_bytes()), encoding="utf-8")
    began = time.perf_counter()
    run(nbgrader, folder, "autograde", homework)  # all in one go; those graded before are left alone
    return time.perf_counter() - began


def nbgrader_points(folder):
    """{student: points} of those that nbgrader graded."""
    query = (
        "select student_id, sum(auto_score) from submitted_assignment "
        "join submitted_notebook on submitted_notebook.assignment_id = submitted_assignment.id "
        "join grade on grade.notebook_id = submitted_notebook.id group by student_id"
    )
    with sqlite3.connect(folder / "gradebook.db") as book:
        return dict(book.execute(query))


def sample(place, count):
    """The first of each kind that nbgrader can read."""
    return [
        path for kind in ("perfect", "partly") for path in sorted(place.glob(f"*-{kind}/*.ipynb"))[:count]
    ]


def compare(grades, options, seconds, theirs, chosen, points):
    ours = {
        json.loads(path.read_text(encoding="utf-8"))["student"]: path.stem
        for path in (grades / "results").glob("*.json")
    }
    taken, per = seconds_of(grades), theirs / len(chosen)
    alone = sum(taken[ours[path.parent.name]] for path in chosen) / len(chosen)
    print(
        f"nbgrader, {len(chosen)} of the same submissions, {len(points)} of them graded: "
        f"{per:.1f} s a submission"
    )
    print(
        f"the same submissions here: {alone:.2f} s each, {per / alone:.0f} times quicker; "
        f"the class on {options.workers} workers: "
        f"{per / (seconds / options.n):.0f} times nbgrader's throughput"
    )


def main():
    parser = written.parser(__doc__)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--homework", default="01-homework")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--nbgrader",
        type=Path,
        metavar="FOLDER",
        help="compare with nbgrader, which stands or is installed in this folder",
    )
    parser.add_argument(
        "--sample",
        type=int,
        default=10,
        help="submissions of each kind for nbgrader, which takes long (default: 10)",
    )
    parser.add_argument("--each", action="store_true", help="a table: a class of N of each homework")
    parser.add_argument(
        "--write", action="store_true", help="with --each: put the table into docs/grading.md"
    )
    options = parser.parse_args()
    if options.each:
        return each(options)
    with tempfile.TemporaryDirectory() as folder:
        place, grades, theirs = Path(folder, "submissions"), Path(folder, "grades"), Path(folder, "nbgrader")
        submissions(place, options.homework, options.n, random.Random(0))
        chosen = sample(place, options.sample) if options.nbgrader else []
        if chosen:
            nbgrader = environment(options.nbgrader.resolve())
            nbgrader_course(theirs, nbgrader, options.homework)
            before = nbgrader_grades(theirs, nbgrader, options.homework, chosen[::2])
        seconds, memory = grade(place, grades, options)
        report(grades, options, seconds, memory)
        if chosen:
            after = nbgrader_grades(theirs, nbgrader, options.homework, chosen[1::2])
            compare(grades, options, seconds, before + after, chosen, nbgrader_points(theirs))


if __name__ == "__main__":
    main()
