"""Open answers: the lecturer's points and words in a table, rubric.csv, that any spreadsheet opens.

    student,question,points,of,comment
    ann,essay,1.5,2,well said

A line without points counts nothing yet. `of` is what the question is worth to everybody; without it the
points are extra.
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from grading.classroom.plain_text import labels
from grading.classroom.store import StoreError

COLUMNS = ("student", "question", "points", "of", "comment")


class Rubric:
    """What was given for open answers: `lines(student)`, `points(student)`; `of` is what all are worth."""

    def __init__(self):
        self.given, self.worth = {}, {}

    @property
    def of(self):
        return sum(self.worth.values())

    def lines(self, student) -> list[tuple]:
        """(question, points, comment) in the order of the file."""
        return [(question, *verdict) for (one, question), verdict in self.given.items() if one == student]

    def points(self, student) -> float:
        return sum(points for _, points, _ in self.lines(student))


def read_rubric(path: Path, results, asked=False) -> Rubric:
    """The rubric in a file; an empty one where there is none, unless just this file was asked for.

    Raises StoreError, with the line, for names that are not in the class and for points that are no number.
    """
    names = labels([r.student for r in results])
    rubric, known = Rubric(), {name: one for one, label in names.items() for name in (one, label)}
    if not path.is_file():
        if asked:
            raise StoreError(
                f"there is no file {path}: `--rubric` names a table with the columns {', '.join(COLUMNS)}"
            )
        return rubric
    for number, row in table(path):
        try:
            add(rubric, row, known)
        except ValueError as problem:
            raise StoreError(f"{path}, line {number}: {problem}") from problem
    return rubric


def table(path):
    """(line number, row) of each line that holds points."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise StoreError(f"{path} is no text in UTF-8: save it as 'CSV UTF-8'") from error
    head = text.partition("\n")[0]
    lines = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ","
    )
    missing = [name for name in ("student", "points") if name not in (lines.fieldnames or ())]
    if missing:
        raise StoreError(
            f"{path}, line 1: the column {' and '.join(missing)} is missing; "
            f"the columns are {', '.join(COLUMNS)}"
        )
    for row in lines:
        if (row["points"] or "").strip():
            yield lines.line_num, row


def add(rubric, row, known):
    student, question = known.get(row["student"]), row.get("question") or "open answer"
    if student is None:
        raise ValueError(f"there is no student {row['student']!r} in these grades")
    if (student, question) in rubric.given:
        raise ValueError(f"{question!r} of {student!r} has points already, in a line before")
    points, of = number(row["points"]), number(row.get("of") or "0")
    if rubric.worth.setdefault(question, of) != of:
        raise ValueError(f"{question!r} is worth {of:g} here and {rubric.worth[question]:g} in a line before")
    rubric.given[student, question] = (points, row.get("comment") or "")


def number(words):
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{words!r} is no number of points (write 1.5)")
    return value


def empty_rubric(results) -> str:
    """A table to fill in: a line for each student."""
    buffer = io.StringIO()
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows(
        [name, "open answer", "", "", ""] for name in labels([r.student for r in results]).values()
    )
    return buffer.getvalue()
