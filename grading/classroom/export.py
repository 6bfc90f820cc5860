"""`course export`: the grades as a table that a course system takes."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from grading.classroom.rubric import read_rubric
from grading.classroom.store import StoreError, harmless, load_class

__all__ = ["FORMATS", "arguments", "run", "table"]

# what each system calls its columns: (student, points, what is fixed)
FORMATS = {
    "nbgrader": ("student_id", "score", {"assignment": "homework", "max_score": "of"}),
    "canvas": ("SIS Login ID", None, {}),
    "moodle": ("Username", "Grade", {}),
    "gradescope": ("SID", "Total Score", {"Max Points": "of"}),
}


def arguments(parser):
    parser.add_argument("grades", type=Path, help="the folder that `course grade` wrote")
    parser.add_argument(
        "--format", choices=FORMATS, default="nbgrader", help="the course system (default: nbgrader)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, help="the file to write (default: <grades>/<format>.csv)"
    )
    parser.add_argument(
        "--rubric",
        type=Path,
        metavar="CSV",
        help="points for open answers (default: <grades>/rubric.csv), see `course report --help`",
    )
    parser.epilog = (
        "The first column names the student as the submission did: the folder, the file, or Moodle's and "
        "Canvas's name. Where your system knows students by another name, replace that column before you "
        "import the table."
    )


def run(options):
    target = options.output or options.grades / f"{options.format}.csv"
    try:
        store, _, results = load_class(options.grades)
        path = options.rubric or store.folder / "rubric.csv"
        rows = table(results, options.format, read_rubric(path, results, asked=options.rubric is not None))
        with open(target, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    except (StoreError, OSError) as problem:
        print(f"course export: {problem}", file=sys.stderr)
        return 1
    print(f"{len(rows) - 1} grade{'' if len(rows) == 2 else 's'} in {target}")
    return 0


def table(results, system, rubric):
    """Rows, the first with the names of the columns."""
    student, score, fixed = FORMATS[system]
    rows = [[student, *fixed, score or (results[0].homework if results else "homework")]]
    for r in results:
        known = {"homework": r.homework, "of": f"{r.of + rubric.of:g}"}
        points = r.points + rubric.points(r.student)
        rows.append([harmless(r.student), *(known[key] for key in fixed.values()), f"{points:g}"])
    return rows
