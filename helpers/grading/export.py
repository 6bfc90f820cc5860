"""`course export`: the grades as a table that a course system takes."""
from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from helpers.grading.report import counting, merged_rubric, total
from helpers.grading.store import Store, StoreError, harmless

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
    parser.add_argument("--format", choices=FORMATS, default="nbgrader", help="the course system (default: nbgrader)")
    parser.add_argument("-o", "--output", type=Path, help="the file to write (default: <grades>/<format>.csv)")
    parser.add_argument("--rubric", type=Path, metavar="CSV", help="points for open answers, see `course report`")


def run(options):
    try:
        store = Store(options.grades)
        about = json.loads((store.folder / "class.json").read_text(encoding="utf-8"))
        results = counting(store, about)
        rows = table(results, options.format, merged_rubric(options.rubric or store.folder / "rubric.csv", results))
    except (FileNotFoundError, StoreError) as problem:
        print(f"course export: {options.grades}: {problem}. Run `course grade` first.", file=sys.stderr)
        return 1
    target = options.output or store.folder / f"{options.format}.csv"
    with open(target, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(f"{len(rows) - 1} grades in {target}")
    return 0


def table(results, system, open_points):
    """Rows, the first with the names of the columns."""
    student, score, fixed = FORMATS[system]
    homework = results[0]["homework"] if results else "homework"
    rows = [[student, *fixed, score or homework]]
    for r in results:
        rows.append([harmless(r["student"]), *(r[key] for key in fixed.values()), f"{total(r, open_points.get(r['student'], [])):g}"])
    return rows
