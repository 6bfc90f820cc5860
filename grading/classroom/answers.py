"""A student's notebook as what can be run: cells, and which of them answers which question.

Nothing here trusts the file: any bytes give cells or `Unreadable`, whose text says what a person should
look at.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grading.folder import course_folder
from grading.imports import imported
from grading.questions_asked import questions_asked
from grading.registry import find, join

BYTES, CELLS = 200 * 2**20, 2000
SOURCE, SOURCES = 200_000, 20 * 2**20  # letters that are read of a cell; of all of them together
CODE = 2 * 2**20  # letters of all code cells: what following their names costs
SIGNS = 20 * 10**6  # commas and brackets in a file: what reading it costs
LEAN = 2**20  # bytes of a notebook of which outputs need not be carried about

GRADE_ID = re.compile(r"([a-z]+)-(\d+)(?:-check)?")


class Unreadable(Exception):
    """No notebook that can be graded; says why."""


@dataclass(frozen=True)
class Cell:
    """A cell as it stands in the file."""

    number: int
    kind: str
    source: str
    id: str = ""
    grade_id: str = ""

    def defines(self):
        """Names that its top level assigns or defines."""
        return self._defined

    @cached_property  # asked for each question, and a cell may be long
    def _defined(self):
        try:
            tree = ast.parse(self.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {a or b for a, b in re.findall(r"^def (\w+)|^(\w+) *=", self.source, re.M)}
        return {name for node in tree.body for name in _bound(node)}


def _bound(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in filter(None, targets):
        yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def read_cells(data: bytes) -> list[Cell]:
    """The cells of a notebook of any version and of any editor."""
    raw = raw_cells(data)
    if not raw:
        link = b'"doc_id"' in data[:2000]
        raise Unreadable("the file holds no cells" + ": it is a link to a file in Google Drive" * link)
    if len(raw) > CELLS:
        raise Unreadable(f"the notebook has {len(raw)} cells; {CELLS} are allowed")
    raw = [(i, cell, _source(cell)) for i, cell in enumerate(raw) if isinstance(cell, dict)]
    if (size := sum(len(source) for _, _, source in raw)) > SOURCES:
        raise Unreadable(f"the cells hold {size / 2**20:.0f} MB of text; {SOURCES // 2**20} are allowed")
    cells = [_cell(*one) for one in raw]
    if (size := sum(len(cell.source) for cell in cells if cell.kind == "code")) > CODE:
        raise Unreadable(f"the code cells hold {size / 2**20:.1f} MB of text; {CODE // 2**20} are allowed")
    return cells


def raw_cells(data: bytes) -> list:
    """What the file has for cells, in JSON."""
    if len(data) > BYTES:
        raise Unreadable(f"the file has more than {BYTES // 2**20} MB. Clear all outputs, and save it")
    if not data.strip(b"\0 \t\r\n"):
        raise Unreadable("the file is empty")
    if sum(map(data.count, (b",", b"[", b"{"))) > SIGNS:
        raise Unreadable("the file holds too many values. Clear all outputs, and save it")
    try:
        notebook = json.loads(_decoded(data))
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(_what_is_wrong(data, error)) from error
    sheets = notebook.get("worksheets", [notebook]) if isinstance(notebook, dict) else None
    return [cell for sheet in _list(sheets) if isinstance(sheet, dict) for cell in _list(sheet.get("cells"))]


def _decoded(data):
    """As text: UTF-8, or UTF-16 as Windows marks it. A disk may have filled the file up with NULs."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    return data.rstrip(b"\0").decode("utf-8-sig")


OTHER_FILES = {  # how they begin
    b"%PDF": "a PDF",
    b"PK": "a zip, or a document of an office program",
    b"<": "a web page",
    b"\x1f\x8b": "packed with gzip",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"#": "a Python script or text",
    b"import ": "a Python script",
}


def _what_is_wrong(data, error):
    """Why a file is no notebook, in words."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if kind := next((words for sign, words in OTHER_FILES.items() if start.startswith(sign)), ""):
        return f"the file is no notebook: it is {kind}"
    if re.search(rb"^(<{7}|>{7}) ", data, re.M):
        return "the file holds a conflict of Git (<<<<<<<): it was merged by half"
    if start.startswith(b"{") and not data.rstrip(b"\0 \t\r\n").endswith(b"}"):
        return "the file ends in the middle: it was not saved or sent as a whole"
    if isinstance(error, UnicodeDecodeError):
        return "the file is not in UTF-8, as notebooks are: open it in Jupyter, and save it"
    if str(error).startswith("Extra data"):
        return "the file goes on after the notebook's end: open it in Jupyter, and save it"
    return f"the file is no notebook: {_first_line(error)}"


def without_outputs(data: bytes) -> bytes:
    """A large notebook without what nobody reads: pictures and printed lines."""
    if len(data) < LEAN:
        return data
    try:
        cells = [cell for cell in raw_cells(data) if isinstance(cell, dict)]
    except Unreadable:
        return data
    unread = ("outputs", "attachments")
    return json.dumps({"cells": [{k: v for k, v in c.items() if k not in unread} for c in cells]}).encode()


def _source(raw):
    source = raw.get("source", raw.get("input", ""))
    source = "".join(part for part in source if isinstance(part, str)) if isinstance(source, list) else source
    return source if isinstance(source, str) else ""


def _cell(number, raw, source):
    metadata = raw.get("metadata") if isinstance(raw.get("metadata"), dict) else {}
    grader = metadata.get("nbgrader") if isinstance(metadata.get("nbgrader"), dict) else {}
    return Cell(
        number,
        str(raw.get("cell_type", "")),
        _text(source[:SOURCE]),
        _text(str(raw.get("id", ""))),
        _text(str(grader.get("grade_id", ""))),
    )


def _text(words):
    """What a file can hold: no NUL, no half of a character."""
    return words.replace("\0", "").encode("utf-8", "replace").decode()


def _list(value):
    return value if isinstance(value, list) else []


def _first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


class Homework:
    """A released exercise: its questions, what they import, and where the answers stand.

    path : exercises/NN-….ipynb
    """

    def __init__(self, path: Path):
        self.path, self.name = path, path.stem
        join(path.parent)
        try:
            self.cells = read_cells(path.read_bytes())
        except Unreadable as problem:
            raise Unreadable(f"{path} is no exercise: {problem}") from problem
        code = [cell.source for cell in self.cells if cell.kind == "code"]
        self.ids = [id for source in code for id in questions_asked(source)]
        lines = (line for cell in self.cells for line in cell.source.splitlines())
        self.released = frozenset(cell.source.strip() for cell in self.cells)
        self.title = next((line.lstrip("# ") for line in lines if line.startswith("# ")), self.name)

    @cached_property  # that a class is graded is seen without them, and they import scikit-learn
    def questions(self):
        try:
            return [find(id) for id in self.ids]
        except KeyError as error:
            raise Unreadable(f"{self.path} is no exercise of this course: {error.args[0]}") from error

    @cached_property
    def asked(self):
        return {id: self.answer_cell(id) for id in self.ids}

    @property
    def points(self):
        return sum(q.points for q in self.questions)

    def answer_cell(self, id):
        """The exercise's own cell for the answer: by nbgrader's name, else the last one before its check."""
        named = [cell for cell in self.cells if cell.grade_id == id.replace(".", "-")]
        code = [cell for cell in self.cells if cell.kind == "code"]
        checks = (i for i, cell in enumerate(code) if id in questions_asked(cell.source))
        return named[0] if named else code[max(next(checks) - 1, 0)]

    def prelude(self):
        """The import statements of the exercise: they run first, even where a student deleted them."""
        found = []
        for cell in self.cells:
            if cell.kind == "code":
                found += [
                    ast.unparse(node)
                    for node in ast.parse(cell.source).body
                    if isinstance(node, (ast.Import, ast.ImportFrom))
                ]
        return "\n".join(found)

    @property
    def topics(self):
        """The folders that hold its questions, by name."""
        return sorted({question.topic for question in self.questions})

    def modules(self):
        """Modules that are imported once for all: the exercise's own `helpers`, and what it forbids."""
        forbidden = {module for question in self.questions for module in question.forbids}
        return sorted({n for n in imported(self.prelude()) if n.startswith("helpers.")} | forbidden)

    def answers(self, cells):
        """{question id: the student's cell}: found by the cell's id, by nbgrader's, or by its name."""
        found = {}
        for question in self.questions:
            written = [cell for cell in cells if cell.source.strip()]
            own = [cell for cell in written if cell.source.strip() not in self.released]
            if hits := self.hits(question, own) or self.hits(question, written):
                by_name = (cell for cell in reversed(hits) if question.name in cell.defines())
                found[question.id] = next(by_name, hits[-1])
        return found

    def hits(self, question, cells):
        """Of some cells those that may answer it: by the cell's id, else by nbgrader's, else by its name."""
        asked = self.asked[question.id]
        by_id = [cell for cell in cells if cell.id and cell.id == asked.id]
        by_grade_id = [cell for cell in cells if cell.grade_id and cell.grade_id == asked.grade_id]
        return by_id or by_grade_id or [cell for cell in cells if question.name in cell.defines()]

    def answered(self, data: bytes) -> int:
        """How many questions a file has an answer to; what nobody can read may hold one."""
        try:
            found = self.answers(read_cells(data))
        except Unreadable:
            return 1
        return sum(cell.source.strip() not in self.released for cell in found.values())

    def asked_elsewhere(self, cells):
        """The questions that a notebook asks, where none of them is of this homework."""
        asked = {id for cell in cells for id in questions_asked(cell.source)}
        asked |= {".".join(found.groups()) for cell in cells if (found := GRADE_ID.fullmatch(cell.grade_id))}
        return [] if asked & set(self.asked) else sorted(asked)

    def to_run(self, cells):
        """The cells to run, in the student's order: code, and answers whose type was changed by mistake.

        A cell as it was released may take the name of an answer: a stub beside it, a figure below that calls
        something else so. `check` stood before it, and it is left out.
        """
        found = self.answers(cells)
        answers, names = (
            {cell.number for cell in found.values()},
            {q.name for q in self.questions if q.id in found},
        )
        done = {cell.source.strip() for cell in self.cells if cell.kind == "code" and cell.defines() & names}
        done -= {cell.source.strip() for cell in found.values()}
        return [
            cell
            for cell in cells
            if cell.source.strip() and (cell.kind == "code" or cell.number in answers and cell.defines())
            if cell.source.strip() not in done
        ]


def find_homework(name):
    """The path of an exercise: by number or name in the course, or as a file, wherever that is."""
    if Path(name).is_file():
        return Path(name).resolve()
    name = f"{name:0>2}" if name.isdecimal() else name
    exercises = course_folder() / "exercises"
    found = sorted(exercises.glob(f"{name}.ipynb")) or sorted(exercises.glob(f"{name}-*.ipynb"))
    if not found:
        known = ", ".join(path.stem for path in sorted(exercises.glob("*.ipynb")))
        raise Unreadable(f"there is no exercise {name!r}; there are {known}")
    return found[0]
