"""Which cell answers what, in notebooks of every editor; what goes over the wire; what a grade hangs on."""

import importlib
import json
import random
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import homework as course_homework
from grading.classroom import fingerprint
from grading.classroom.answers import BYTES, CELLS, Homework, Unreadable, read_cells, without_outputs
from grading.classroom.fingerprint import of_question
from grading.imports import files_needed
from grading.question import REGISTRY
from grading.sandbox.inside import wire
from tests.grading.fuzz import fuzzed, survives
from tests.grading.small import COUNT, MEAN, exercise
from tools.books import ROOT

OTHER = "def helper(x):\n    return x"


@pytest.fixture(scope="module")
def homework(tmp_path_factory):
    return Homework(exercise(tmp_path_factory.mktemp("exercise") / "00-two.ipynb"))


def cell(source, kind="code", **more):
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def nbgrader(name):
    return {"metadata": {"nbgrader": {"grade_id": name}}}


def file(*cells):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def answers(homework, *cells):
    read = read_cells(file(*cells))
    return {id: cell.source for id, cell in homework.answers(read).items()}


BOTH = {"knn.2": COUNT, "knn.4": MEAN}


def test_the_exercise_knows_its_questions(homework):
    assert [q.id for q in homework.questions] == ["knn.2", "knn.4"] and homework.points == 5
    assert homework.prelude() == "import numpy as np" and homework.name == "00-two"


HANDED_IN = {
    "by id": (cell(COUNT, id="knn-2"), cell(MEAN, id="knn-4")),
    "by nbgrader's id": (cell(COUNT, **nbgrader("knn-2")), cell(MEAN, **nbgrader("knn-4"))),
    "by name, as from Colab": (cell(COUNT), cell(MEAN)),
    "in another order": (cell(MEAN), cell(OTHER), cell(COUNT)),
    "copied, and one emptied": (
        cell(COUNT, id="knn-2"),
        cell("x = 1", id="knn-2"),
        cell(MEAN, id="a"),
        cell("", id="knn-4"),
    ),
    "retyped": (cell(COUNT, "markdown", id="knn-2"), cell(MEAN, "raw")),
    "lines in lists": (cell(COUNT.splitlines(keepends=True)), cell(MEAN.splitlines(keepends=True))),
}


def test_answers_are_found(homework):
    found = {how: answers(homework, *cells) for how, cells in HANDED_IN.items()}
    assert found == dict.fromkeys(HANDED_IN, BOTH)


def test_the_last_definition_counts_and_what_is_missing_is_missing(homework):
    assert answers(homework, cell(COUNT + "# old"), cell(COUNT)) == {"knn.2": COUNT}


def test_notebooks_of_the_third_format(homework):
    old = json.dumps({
        "worksheets": [{"cells": [{"cell_type": "code", "input": COUNT}]}],
        "nbformat": 3,
    }).encode()
    assert [c.source for c in homework.answers(read_cells(old)).values()] == [COUNT]


def test_what_runs_code_and_answers_of_the_wrong_type_but_no_prose(homework):
    cells = read_cells(
        file(
            cell(COUNT, "markdown", id="knn-2"),
            cell("# Title", "markdown"),
            cell(""),
            cell(OTHER),
            cell("Words.", "markdown", id="knn-4"),
        )
    )
    assert [c.source for c in homework.to_run(cells)] == [COUNT, OTHER]


NO_NOTEBOOKS = [
    (b"", "empty"),
    (b"  \n", "empty"),
    (b"\x00" * 100, "empty"),
    (b"\xff\xfe{}", "no notebook"),
    (b"[]", "no cells"),
    (b"3", "no cells"),
    (b"{}", "no cells"),
    (b'{"cells": 3}', "no cells"),
    (b'{"worksheets": null}', "no cells"),
    (b'{"cells": []}', "no cells"),
    (b"[" * 10**6, "no notebook"),
    (b'{"cells": ' + b"[" * 10**5 + b"]" * 10**5 + b"}", "no notebook"),
    (b"1" * 10**4, "no notebook"),
    (b"PK\x03\x04 a zip", "no notebook: it is a zip"),
    (b"%PDF-1.7", "it is a PDF"),
    (b"<!DOCTYPE html>", "it is a web page"),
    (b'{"cells": [', "ends in the middle"),
    (b'{"cells": []}}', "goes on after the notebook's end"),
    (b'{\n<<<<<<< HEAD\n"cells": []}', "conflict of Git"),
    ('{"cells": ["\xe9"]}'.encode("latin-1"), "not in UTF-8"),
    (b'{"url": "x", "doc_id": "1"}', "link to a file in Google Drive"),
    (b"x" * (BYTES + 1), "more than 200 MB"),
    (b"[" + b"{}," * 10**7 + b"0]", "too many values"),
    (json.dumps({"cells": [{}] * (CELLS + 1)}).encode(), "2001 cells"),
]


def test_what_is_no_notebook_says_why(subtests):
    for data, why in NO_NOTEBOOKS:
        with subtests.test(f"{data[:20]}: {why}"), pytest.raises(Unreadable, match=why):
            read_cells(data)


def test_a_released_figure_does_not_take_the_name_of_an_answer(homework, monkeypatch):
    figure = "majority = np.zeros(3)  # of something else"
    cells = read_cells(file(cell(COUNT), cell(figure)))
    assert [one.source for one in homework.to_run(cells)] == [COUNT, figure]  # a student's own is run
    monkeypatch.setattr(homework, "cells", [*homework.cells, cells[1]])
    monkeypatch.setattr(homework, "released", homework.released | {figure})
    assert [one.source for one in homework.to_run(cells)] == [COUNT]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "exercises").glob("[0-9]*.ipynb")), ids=lambda path: path.stem
)
def test_what_a_class_asks_for_is_what_check_was_given(path):
    """In each homework's solution no cell that runs takes an answer's name after its own cell."""
    one = Homework(path)
    cells = read_cells((ROOT / "solutions" / path.name.replace("homework", "solution")).read_bytes())
    found, last = one.answers(cells), {}
    for ran in one.to_run(cells):
        last |= dict.fromkeys(ran.defines(), ran.number)
    assert {q.id: last[q.name] for q in one.questions} == {id: cell.number for id, cell in found.items()}


def test_another_homeworks_notebook_is_told_by_what_it_asks(homework):
    """Also where it has an answer of the same name."""
    other = [cell(COUNT), cell('check("music.3")')]
    assert homework.asked_elsewhere(read_cells(file(*other))) == ["music.3"]
    assert homework.asked_elsewhere(read_cells(file(*other, cell('check("knn.2")')))) == []
    assert homework.asked_elsewhere(read_cells(file(cell(COUNT), cell("")))) == []


def test_what_editors_and_disks_do_to_a_file_does_no_harm(homework):
    text = file(cell(COUNT)).decode()
    for data in (b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"), text.encode() + bytes(4096)):
        assert [one.source for one in read_cells(data)] == [COUNT]


def test_outputs_are_dropped_from_a_large_notebook(homework):
    large = file({**cell(COUNT), "outputs": [{"data": {"image/png": "x" * 30_000_000}}]}, cell(OTHER))
    lean = without_outputs(large)
    assert len(lean) < 1000 and read_cells(lean) == read_cells(large)
    for as_it_is in (file(cell(COUNT)), b"x" * 2**21):
        assert without_outputs(as_it_is) is as_it_is


def test_an_answer_is_not_hidden_by_a_stub(homework):
    stub = homework.asked["knn.2"].source
    for cells in ([cell(COUNT), cell(stub, id="knn-2")], [cell(stub, id="knn-2"), cell(COUNT), cell(stub)]):
        data = file(*cells)
        read = read_cells(data)
        assert homework.answers(read)["knn.2"].source == COUNT and homework.answered(data) == 1
        assert [one.source for one in homework.to_run(read)] == [COUNT]
    assert homework.answered(file(cell(stub))) == 0
    assert len(homework.to_run(read_cells(file(cell(stub))))) == 1


ODD = [
    None,
    3,
    [],
    "x",
    {"source": None},
    {"source": 3},
    {"source": [1, None, "x"]},
    {"metadata": 3, "source": "x"},
    {"metadata": {"nbgrader": []}, "id": {}, "cell_type": []},
    {"source": "def f(:"},
    {"source": "\0" * 9},
    {"source": "x = '\ud800'"},
]


def test_odd_cells_do_no_harm(homework, subtests):
    for part in ODD:
        with subtests.test(ascii(part)):
            read = read_cells(json.dumps({"cells": [part, cell(COUNT)]}).encode())
            assert homework.answers(read)["knn.2"].source == COUNT
            assert all(c.source.encode() for c in homework.to_run(read))


def test_500_damaged_notebooks_crash_nothing(homework):
    for data in fuzzed(random.Random(0), 500):
        survives(homework, data)


# ---- the wire

VALUES = [
    None,
    True,
    3,
    -2.5,
    "text",
    "李",
    [1, [2.0, "x"]],
    (1, (2,)),
    {"a": 1, 2: [3]},
    np.arange(6).reshape(2, 3),
    np.zeros((0, 3)),
    np.array([True, False]),
    np.array([1 + 2j]),
    np.float32(2),
    np.array(["a", "b"]),
    np.array([np.nan, np.inf]),
]


def test_plain_data_comes_back(subtests):
    for value in VALUES:
        with subtests.test(str(value)):
            back = wire.decode(json.loads(json.dumps(wire.encode(value))))
            np.testing.assert_equal(
                back.tolist() if isinstance(back, np.ndarray) else back,
                value.tolist() if isinstance(value, np.ndarray) else value,
            )
            assert not isinstance(value, (tuple, dict)) or type(back) is type(value)


def test_tables_and_generators_come_back():
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    back = wire.decode(json.loads(json.dumps(wire.encode(frame))))
    assert list(back.columns) == ["a", "b"] and back["a"].tolist() == [1, 2]
    rng = np.random.default_rng(5)
    assert wire.decode(json.loads(json.dumps(wire.encode(rng)))).random() == rng.random()


NOT_SENT = [object(), print, type, lambda: 0, b"bytes", np.array([object()]), types.ModuleType("m")]


def test_other_objects_are_not_sent(subtests):
    for value in NOT_SENT:
        with subtests.test(str(value)), pytest.raises(wire.WireError, match="cannot be handed in"):
            wire.encode(value)


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


JUNK = [
    {},
    {"~": "pickle", "v": ""},
    {"~": None},
    {"~": []},
    {"~": {}},
    {"~": "array"},
    {"~": "array", "d": "O", "s": [1], "b": ""},
    {"~": "array", "d": "<f8", "s": [10**12], "b": ""},
    {"~": "array", "d": "<f8", "s": [-1, -1], "b": "AAAAAAAAAAA="},
    {"~": "array", "d": "<f8", "s": [0] * 40, "b": ""},
    {"~": "array", "d": "V8", "s": [1], "b": "AAAAAAAAAAA="},
    {"~": "array", "d": "<f8", "s": "x", "b": 3},
    {"~": "array", "d": "<f8,<f8", "s": [1], "b": "A" * 22 + "=="},
    {"~": "dict", "v": [[[1], 2]]},
    {"~": "dict", "v": 3},
    {"~": "table", "v": [[1, [1]], [2, [1, 2]]]},
    {"~": "rng", "v": ["__class__", "{}"]},
    {"~": "rng", "v": ["PCG64", "{"]},
    deep(50),
    {"~": "tuple", "v": 3},
]


def test_junk_is_refused(subtests):
    for junk in JUNK:
        with subtests.test(str(junk)), pytest.raises(wire.WireError):
            wire.decode(junk)


def test_random_json_gives_plain_data_or_a_refusal():
    rng = random.Random(1)

    def anything(depth=0):
        pick = rng.randrange(8 if depth < 5 else 4)
        word = rng.choice(["", *"~ v d s b array tuple dict table rng <f8 PCG64 AAAA AAAAAAAAAAA=".split()])
        simple = [None, rng.randrange(-3, 99), rng.random(), word]
        if pick < 4:
            return simple[pick]
        parts = [anything(depth + 1) for _ in range(rng.randrange(4))]
        return (
            parts
            if pick < 6
            else {"~": rng.choice(list(wire.DECODERS)), "v": parts, "d": "<f8", "s": [1], "b": word}
        )

    decoded = 0
    for _ in range(3000):
        try:
            value = wire.decode(anything())
        except wire.WireError:
            continue
        assert is_plain(value), value
        decoded += 1
    assert 500 < decoded < 2500  # both happen, and often


def is_plain(value):
    """Numbers, text, lists, tuples, sets, dicts, arrays of these, tables and generators: of just these."""
    if type(value) in (list, tuple, set):
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(is_plain(key) and is_plain(part) for key, part in value.items())
    if type(value) is np.ndarray:
        return value.dtype.kind in "biufcU" or value.dtype == object and is_plain(value.tolist())
    if type(value) is pd.DataFrame:
        return all(map(is_plain, value.columns)) and all(is_plain(value[c].tolist()) for c in value)
    return type(value) in (type(None), bool, int, float, str, np.random.Generator)


# ---- what a grade hangs on

TOPIC = """
from grading.question import Case, question

def half(x):
    return x / SHARED

def twice(x):
    return x * 2

SHARED = 2

question("fresh.1", "One", name="one", truth=half, cases=Case(1, draw=lambda rng: (rng.normal(),)))
question("fresh.2", "Two", name="two", truth=twice, cases=Case(1, draw=lambda rng: (rng.normal(),)))
"""


@pytest.fixture
def topic(tmp_path, monkeypatch):
    """Hashes of both questions of a topic, after an edit of its file."""
    monkeypatch.setattr(course_homework, "__path__", [str(tmp_path), *course_homework.__path__])
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "__init__.py").touch()

    def hashes(old="", new=""):
        (tmp_path / "fresh" / "questions.py").write_text(
            TOPIC.replace(old, new) if old else TOPIC, encoding="utf-8"
        )
        forget()
        return [of_question("fresh.1"), of_question("fresh.2")]

    def forget():
        for name in ("homework.fresh.questions", "homework.fresh"):
            sys.modules.pop(name, None)
        for id in [id for id in REGISTRY if id.startswith("fresh.")]:
            del REGISTRY[id]
        of_question.cache_clear()
        importlib.invalidate_caches()
        importlib.import_module("linecache").clearcache()
        for path in tmp_path.rglob("*.pyc"):
            path.unlink()

    yield hashes
    forget()


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("x / SHARED", "x / 3", [True, False]),
        ("SHARED = 2", "SHARED = 3", [True, False]),
        ("x * 2", "x + x", [False, True]),
        ('"Two", name', '"Two!", name', [False, True]),
        ("def half(x):", "def half(x):   # a comment", [False, False]),
    ],
)
def test_mending_one_question_changes_only_its_own_hash(topic, old, new, changed):
    before = topic()
    assert [a != b for a, b in zip(before, topic(old, new))] == changed
    assert "homework.fresh.questions" not in sys.modules  # read, not imported


IMPORTED = """
import sys
import grading.judge, grading.classroom.submission_grader
print(*sorted(m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] in ("helpers", "grading", "homework")))
"""
JUDGES = """
grading/__init__.py grading/calling.py grading/given.py grading/questions_asked.py grading/check.py grading/classroom/__init__.py
grading/classroom/turns.py grading/classroom/answers.py grading/classroom/fingerprint.py
grading/classroom/submission_grader.py grading/classroom/idle_cells.py grading/classroom/notebook.py
grading/classroom/plain_text.py grading/classroom/records.py grading/feedback.py grading/folder.py grading/forbidden.py grading/typed_formula.py
grading/imports.py grading/judge.py grading/fresh_reading.py grading/pictures.py grading/practise.py grading/progress.py
grading/question.py grading/reasons.py grading/registry.py grading/sandbox/__init__.py grading/sandbox/groups.py
grading/sandbox/host.py grading/sandbox/inside/__init__.py grading/sandbox/inside/calls.py grading/sandbox/inside/gate.py
grading/sandbox/inside/habits.py grading/sandbox/inside/supervision.py
grading/sandbox/inside/isolation.py grading/sandbox/inside/server.py grading/sandbox/inside/silent.py
grading/sandbox/inside/wire.py grading/sandbox/probes.py grading/shell.py grading/statements.py grading/variant.py grading/verdict.py helpers/__init__.py
helpers/comparing.py helpers/reading/__init__.py helpers/reading/formula.py helpers/reading/grammar.py
helpers/reading/spelling.py helpers/reading/meaning.py helpers/reading/nodes.py helpers/reading/notation.py
helpers/reading/symbols.py helpers/reading/tokens.py helpers/reading/values.py
""".split()


def test_a_grade_hangs_on_all_that_judging_imports():
    files = fingerprint.judging_files()
    assert sorted(path.relative_to(ROOT).as_posix() for path in files) == sorted(JUDGES)
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert {Path(path) for path in done.stdout.split()} <= files


def test_a_module_that_judging_begins_to_import_is_found(tmp_path):
    """Also one that another imports, and one that is imported inside a function."""
    for name, source in {
        "grading/__init__": "",
        "grading/judge": "from helpers.one import x",
        "helpers/__init__": "",
        "helpers/one": "def f():\n    import helpers.two",
        "helpers/two": "import numpy",
        "helpers/three": "",
    }.items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
    found = files_needed(frozenset({"grading.judge"}), (tmp_path,))
    assert {path.stem for path in found} == {"__init__", "judge", "one", "two"}


@pytest.mark.parametrize(
    "changed", ["helpers/comparing.py", "grading/classroom/answers.py", "grading/forbidden.py"]
)
def test_a_changed_tolerance_or_reader_changes_the_environment(tmp_path, monkeypatch, changed):
    for folder in ("helpers", "grading", "homework"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))

    def of_environment():
        files = {tmp_path / path.relative_to(ROOT) for path in fingerprint.judging_files()}
        with monkeypatch.context() as patched:
            patched.setattr(fingerprint, "judging_files", lambda: files)
            return fingerprint.of_environment.__wrapped__()

    before = of_environment()
    assert before == fingerprint.of_environment() == of_environment()
    path = tmp_path / changed
    source = path.read_text(encoding="utf-8")
    edited = source.replace("1e-8", "1e-3") if "comparing" in changed else source + "\nx = 1\n"
    assert edited != source
    path.write_text(edited, encoding="utf-8")
    assert of_environment() != before
