"""The class list: who handed nothing in, who is not on the list, who is there twice.

Any table with a column of names, of ids, or of both: the list of Moodle's or Canvas' gradebook, or your own.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

from grading.classroom.plain_text import look
from grading.classroom.submissions import SubmissionError

NAMES = ("student", "name", "full name", "student_id", "username", "sis login id")
CANVAS_OWN = ("Points Possible", "Student, Test")  # lines of its gradebook that are nobody's
IDS = ("id", "identifier")  # Canvas', Moodle's: "Participant 123"


def read_roster(path: Path) -> list[tuple[str, str]]:
    """(name, id) of each line; either may be "". Raises SubmissionError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SubmissionError(f"{path} is no class list that can be read: {error}") from error
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    name, id = (next((head.index(word) for word in words if word in head), None) for words in (NAMES, IDS))
    if name is None and id is None:
        raise SubmissionError(
            f"{path} is no class list: its first line names no column `student` (the name that a submission "
            "has) or `id` (the number in the names of Moodle and Canvas)"
        )
    lines = [(cell(row, name), "".join(re.findall(r"\d+$", cell(row, id)))) for row in rows[1:]]
    return [line for line in lines if line[0].strip() not in CANVAS_OWN]


def cell(row, index):
    return row[index].strip() if index is not None and index < len(row) else ""


def compare(roster, students: dict[str, str]) -> dict[str, list[str]]:
    """{"missing", "unexpected", "double"}: names, sorted.

    students : {student: id or ""} of all who handed something in

    A line and a student belong together by their id where both have one, else by their name. A name that
    belongs to two of the other side says nothing of either: both are `double`.
    """
    hits = {
        student: [i for i, line in enumerate(roster) if is_same(line, student, id)]
        for student, id in students.items()
    }
    count = Counter(i for lines in hits.values() for i in lines)
    label = [name if name and not id else f"{name} ({id})".strip() for name, id in roster]
    double = {s for s, lines in hits.items() if len(lines) > 1 or any(count[i] > 1 for i in lines)}
    double |= {one for one, n in Counter(label).items() if n > 1}
    return {
        "missing": sorted({label[i] for i in range(len(roster)) if not count[i]}),
        "unexpected": sorted(student for student, lines in hits.items() if not lines),
        "double": sorted(double),
    }


def is_same(line, student, id):
    name, number = line
    if number and id:
        return number == id
    return look(name) in (look(student), look(student.removesuffix(f" ({id})")))
