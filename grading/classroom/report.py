"""`course report`: what a class got, and what it got wrong, as web pages without any script.

index.html is for the lecturer; students/<name>.html for one student each.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from grading.classroom.figures import class_figures, seconds_taken
from grading.classroom.pages import render
from grading.classroom.plots import class_plots
from grading.classroom.rubric import empty_rubric, read_rubric
from grading.classroom.store import StoreError, load_class

SHOWN, NAMED = 5, 8  # commonest mistakes of a question; students named in a remark
CHANGES = 500  # the last ones


def arguments(parser):
    parser.add_argument("grades", type=Path, help="the folder that `course grade` wrote")
    parser.add_argument(
        "--rubric",
        type=Path,
        metavar="CSV",
        help="points for open answers (default: <grades>/rubric.csv, written on first use for you to "
        "fill in): columns student, question, points, of (what it is worth), comment",
    )
    parser.epilog = (
        "Writes <grades>/report/index.html, which is for you alone, and "
        "<grades>/report/students/<name>.html, a page for each student with that student's answers and "
        "feedback only. Run it again whenever you like."
    )


def run(options):
    try:
        index = write_report(options.grades, options.rubric)
    except StoreError as problem:
        print(f"course report: {problem}", file=sys.stderr)
        return 1
    print(f"The report is in {index}; a page for each student is in {index.parent / 'students'}.")
    return 0


def write_report(folder: Path, rubric: Path | None = None) -> Path:
    """Write all pages; returns the first."""
    store, about, results = load_class(folder)
    path = rubric or folder / "rubric.csv"
    if not path.exists() and rubric is None:
        store.write(path, empty_rubric(results))
    given = read_rubric(path, results, asked=rubric is not None)
    students = folder / "report" / "students"
    students.mkdir(parents=True, exist_ok=True)
    for name, result in zip(about["counts"], results):
        store.write(students / f"{name}.html", student_page(about, result, given))
    index = folder / "report" / "index.html"
    store.write(index, class_page(about, results, given, store))
    return index


def student_page(about, result, rubric):
    """What one student may read: the points, the feedback and the answers of just this student."""
    student = result.student
    return render(
        "student.html",
        title=f"Feedback for {student}",
        about=about,
        result=result,
        several=about.get("several", {}).get(student),
        points=result.points + rubric.points(student),
        of=result.of + rubric.of,
        answers={id: result.questions[id] for id in result.handed.order if id in result.questions},
        open_answers=rubric.lines(student),
    )


def class_page(about, results, rubric, store):
    """What the lecturer reads."""
    figures = class_figures(results, seconds_taken(store, set(about["counts"])))
    points, of = totals(results, rubric)
    return render(
        "class.html",
        title=f"Class report: {about['homework']}",
        about=about,
        several=about.get("several", {}),
        results=results,
        students=sorted(results, key=lambda r: r.student.casefold()),
        pages={r.student: f"students/{name}.html" for name, r in zip(about["counts"], results)},
        rubric=rubric,
        of=of,
        summary=summary(results, points, of) if results else [],
        figures=figures,
        plots=class_plots(points, of, figures) if figures else [],
        changes=store.changed(),
        layers=store.layers(),
        shown_at_most=SHOWN,
        named_at_most=NAMED,
        changes_at_most=CHANGES,
    )


def totals(results, rubric):
    """The points of each student, with those for open answers, and what all of it is worth."""
    points = np.array([r.points + rubric.points(r.student) for r in results])
    return points, max((r.of for r in results), default=1) + rubric.of


def summary(results, points, of):
    """What matters most: (name, number)."""
    return [
        ("students", len(results)),
        (f"median, of {of:g} points", f"{np.median(points):g}"),
        ("mean", f"{points.mean():.1f}"),
        ("all points", int((points >= of - 1e-9).sum())),
        ("late", sum(r.handed.late for r in results)),
        ("need a human", sum(not r.is_graded for r in results)),
    ]
