"""Why a point was lost: kept with each result, printed as a cell, shown on the student's page."""

import json
import shutil

import pytest

from course.cli import main
from grading.classroom.records import Graded
from grading.classroom.replay import cells
from grading.classroom.store import Store, StoreError
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook

pytestmark = needs_sandbox

SHIFTED = MEAN.replace("(1 / distances).sum()", "(1 / distances).sum() + 0.25")
CLASS = {
    "ann": [COUNT, SHIFTED],
    "bob": [COUNT.replace("majority", "majorty"), "def knn_regress(distances, values)\n    return 3"],
    "cat": [COUNT, MEAN],
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    place = tmp_path_factory.mktemp("replay")
    path = exercise(place / "exercises" / "00-two.ipynb")
    for student, answers in CLASS.items():
        (place / "in" / student).mkdir(parents=True)
        (place / "in" / student / "00-two.ipynb").write_bytes(notebook(answers))
    assert main(["grade", str(path), str(place / "in"), "-o", str(place / "grades"), "-j", "1"]) == 0
    return place / "grades"


def test_each_lost_point_keeps_its_case_its_draw_and_the_first_difference(graded):
    ann = Store(graded).load(next((graded / "results").glob("ann-*")).stem)
    (case, draw, first), *_ = ann.questions["knn.4"].lost
    assert ann.questions["knn.4"].points < 3 and "yours" in first and "expected" in first
    assert (case, draw) == (0, 0) and ann.questions["knn.2"].lost == []
    again = Graded.from_json(json.loads(json.dumps(ann.to_json())))
    assert again.questions["knn.4"].lost == ann.questions["knn.4"].lost


def test_the_printed_cell_shows_the_difference_that_the_class_had(graded, capsys):
    """Run as it is, with NumPy imported: what the answer gives and what was asked for."""
    ann = Store(graded).load(next((graded / "results").glob("ann-*")).stem)
    first = ann.questions["knn.4"].lost[0][2]
    (cell, *_) = cells(graded, "ann")
    *before, theirs, expected = cell.splitlines()
    names = {}
    exec("import numpy as np\n" + "\n".join(before), names)
    for word in (eval(theirs, names), eval(expected, names)):
        assert f"{word:.4g}"[:5] in first
    assert main(["replay", str(graded), "ann", "knn.4"]) == 0 and cell in capsys.readouterr().out
    assert main(["replay", str(graded), "cat"]) == 0 and "No point was lost." in capsys.readouterr().out


@pytest.mark.parametrize(
    "student, id, why",
    [("zoe", None, "nobody"), ("a", None, "ann, cat"), ("ann", "knn.9", "no question knn.9")],
)
def test_who_or_what_is_not_there_is_said(graded, student, id, why):
    with pytest.raises(StoreError, match=why):
        cells(graded, student, id)


def test_another_name_and_a_cell_that_is_no_python_are_told(graded):
    bob = Store(graded).load(next((graded / "results").glob("bob-*")).stem)
    (name,), (syntax,) = bob.questions["knn.2"].notes, bob.questions["knn.4"].notes
    assert name == "majority is not defined. Is it what you call majorty?"
    assert "SyntaxError: expected ':' (line 1: def knn_regress(distances, values))" in syntax


def test_the_students_page_shows_the_first_difference(graded, tmp_path):
    shutil.copytree(graded, tmp_path / "grades")
    assert main(["report", str(tmp_path / "grades")]) == 0
    pages = {
        path.name[:3]: path.read_text() for path in (tmp_path / "grades" / "report" / "students").iterdir()
    }
    assert "On one of the inputs" in pages["ann"] and "yours" in pages["ann"]
    assert "On one of the inputs" not in pages["cat"]
