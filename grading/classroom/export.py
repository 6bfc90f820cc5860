"""`course export`: the grades as a table that a course system takes."""

from __future__ import annotations

import csv
import sys
import zipfile
from pathlib import Path, PurePosixPath

from grading.classroom.plain_text import harmless, labels
from grading.classroom.rubric import read_rubric
from grading.classroom.store import StoreError, load_class

# What each importer reads: (columns, {column: what stands there}, lines below the head).
# Moodle: the grading worksheet of an assignment, by Identifier, Grade and "Last modified (grade)" (all three
# must be there). Canvas: the gradebook, by ID or SIS Login ID; the line of points possible makes the column.
FORMATS = {
    "nbgrader": {"student_id": "student", "assignment": "homework", "max_score": "of", "score": "points"},
    "canvas": {
        "Student": "name",
        "ID": "id",
        "SIS User ID": "",
        "SIS Login ID": "login",
        "Section": "",
        "{homework}": "points",
    },
    "moodle": {
        "Identifier": "participant",
        "Full name": "name",
        "Grade": "points",
        "Maximum grade": "of",
        "Last modified (grade)": "never",
    },
    "gradescope": {"SID": "student", "Max Points": "of", "Total Score": "points"},
}
POSSIBLE = {"Student": "    Points Possible", "{homework}": "{of}"}  # Canvas' second line


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
    parser.add_argument(
        "--pages",
        action="store_true",
        help="the students' pages in place of the table, as a zip that Moodle and Canvas give back to each "
        "(default: <grades>/pages.zip)",
    )
    parser.epilog = (
        "moodle: the grading worksheet; in the assignment, Submissions > Actions > Upload grading worksheet "
        "(older: Grading action). Students are known by the number in the names of Moodle's download. "
        "canvas: Gradebook > Import, by the number in the names of Canvas' download. nbgrader and "
        "gradescope, and whoever has no such number: by the name that the submission had. "
        "Pages lie where the submission lay: in Moodle, Submissions > Actions > Upload multiple feedback "
        "files in a zip; in Canvas, SpeedGrader's assignment > Re-upload submissions."
    )


def run(options):
    return pages(options) if options.pages else grades(options)


def pages(options):
    """A zip of the students' pages, each under the name that the course system gave to the submission."""
    target = options.output or options.grades / "pages.zip"
    try:
        _, about, results = load_class(options.grades)
        written = options.grades / "report" / "students"
        if not all((written / f"{name}.html").is_file() for name in about["counts"]):
            raise StoreError(f"not all pages are in {written}: run `course report {options.grades}` first")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, result in zip(about["counts"], results):
                archive.write(written / f"{name}.html", page_name(result.handed.file))
    except (StoreError, OSError) as problem:
        print(f"course export: {problem}", file=sys.stderr)
        return 1
    print(f"{len(results)} page{'' if len(results) == 1 else 's'} in {target}")
    return 0


def page_name(file):
    """Where a page lies so that its student gets it: in Moodle's folder, or beside Canvas' file."""
    path = PurePosixPath(file)
    top = PurePosixPath(path.parts[0])
    if len(path.parts) == 1 or top.suffix.lower() == ".zip":  # the file, or a zip of which it came
        return f"{top.stem}.html"
    return f"{top}/feedback.html"


def grades(options):
    target = options.output or options.grades / f"{options.format}.csv"
    try:
        store, about, results = load_class(options.grades)
        path = options.rubric or store.folder / "rubric.csv"
        rubric = read_rubric(path, results, asked=options.rubric is not None)
        rows = table(results, options.format, rubric, about.get("ids", {}))
        with open(target, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    except (StoreError, OSError) as problem:
        print(f"course export: {problem}", file=sys.stderr)
        return 1
    print(f"{len(results)} grade{'' if len(results) == 1 else 's'} in {target}")
    unknown = [r.student for r in results if r.student not in about.get("ids", {})]
    if options.format in ("moodle", "canvas") and unknown:
        print(
            f"{len(unknown)} of them without the number by which {options.format.title()} knows students, "
            f"since their files did not come from its download: {', '.join(map(harmless, unknown[:5]))}"
            + (" …" if len(unknown) > 5 else "")
        )
    return 0


def table(results, system, rubric, ids):
    """Rows, the first with the names of the columns.

    ids : {student: the course system's number}
    """
    columns = FORMATS[system]
    homework = results[0].homework if results else "homework"
    of = results[0].of + rubric.of if results else 0.0
    rows = [[column.format(homework=homework) for column in columns]]
    if system == "canvas":
        rows.append([POSSIBLE.get(column, "").format(of=f"{of:g}") for column in columns])
    names = labels([r.student for r in results])
    for r in results:
        known = facts(r, rubric, ids.get(r.student, ""), names[r.student])
        rows.append([known.get(fact, "") for fact in columns.values()])
    return rows


def facts(result, rubric, id, student):
    """student : the name in a table"""
    name = harmless(result.student.removesuffix(f" ({id})")) if id else student
    return {
        "student": student,
        "name": name,
        "id": id,
        "login": "" if id else name,
        "participant": f"Participant {id}" if id else "",
        "homework": result.homework,
        "of": f"{result.of + rubric.of:g}",
        "points": f"{result.points + rubric.points(result.student):g}",
        "never": "-",
    }
