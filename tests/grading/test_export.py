"""The tables for course systems, as their importers read them."""

import csv
import html
import json
import zipfile

from course.cli import main
from grading.classroom.export import table
from grading.classroom.records import Answer, Graded, Handed
from grading.classroom.rubric import Rubric
from grading.classroom.store import Store

CLASS = {"Ann Lee (123)": "123", "Ann Lee (999)": "999", "bob": "", "＝HYPERLINK(1)": ""}


def results():
    answers = {"pca.1": Answer(2.5, 3.0)}
    return [
        Graded(student, "02-pca", "", 3.0, points=2.5, questions=answers, handed=Handed(order=["pca.1"]))
        for student in CLASS
    ]


def rows(system):
    return table(results(), system, Rubric(), {student: id for student, id in CLASS.items() if id})


def test_moodles_grading_worksheet():
    """Moodle looks for these three columns, and takes what follows "Participant " for the number."""
    head, ann, other, bob, _ = rows("moodle")
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(head)
    by = [dict(zip(head, row)) for row in (ann, other, bob)]
    assert [row["Identifier"] for row in by] == ["Participant 123", "Participant 999", ""]
    assert by[0]["Full name"] == by[1]["Full name"] == "Ann Lee" and by[0]["Grade"] == "2.5"


def test_canvas_gradebook():
    """Canvas wants Student and ID first, Section last before the homework, and a line of points possible."""
    head, possible, ann, other, bob, formula = rows("canvas")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "02-pca"]
    assert "Points Possible" in possible[0] and possible[-1] == "3"
    assert ann == ["Ann Lee", "123", "", "", "", "2.5"] and other[:2] == ["Ann Lee", "999"]
    assert bob == ["bob", "", "", "bob", "", "2.5"] and formula[0].startswith("'")


def test_pages_lie_where_moodle_and_canvas_look_for_them(tmp_path):
    files = {
        "Ann Lee (101)": "Ann Lee_101_assignsubmission_file_/deep/02-pca.ipynb",
        "leeann (4101)": "leeann_4101_901_02-pca.ipynb",
        "raybob (4102)": "raybob_LATE_4102_902_work.zip/02-pca.ipynb",
        "<b>": "<b>/x.ipynb",
    }
    store = Store(tmp_path)
    for i, (student, file) in enumerate(files.items()):
        store.save(f"s{i}", Graded(student, "02-pca", "", 3.0, handed=Handed(file, order=[])))
    about = {"homework": "02-pca", "titles": {}, "rule": {"take": "last", "until": None}}
    about |= {"several": {}, "left_out": {}, "ids": {}, "counts": ["s0", "s1", "s2", "s3"]}
    store.write(tmp_path / "class.json", json.dumps(about))
    assert main(["export", str(tmp_path), "--pages"]) == 1
    assert main(["report", str(tmp_path)]) == 0 and main(["export", str(tmp_path), "--pages"]) == 0
    with zipfile.ZipFile(tmp_path / "pages.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert list(pages) == [
        "Ann Lee_101_assignsubmission_file_/feedback.html",
        "leeann_4101_901_02-pca.html",
        "raybob_LATE_4102_902_work.html",
        "<b>/feedback.html",
    ]
    for student, page in zip(files, pages.values()):
        assert html.escape(f"Feedback for {student}") in page and "<title>" in page


def test_who_has_no_number_is_said(tmp_path, capsys):
    store = Store(tmp_path)
    for i, result in enumerate(results()):
        store.save(f"s{i}", result)
    about = '{"homework": "02-pca", "counts": ["s0", "s1", "s2"], "ids": {"Ann Lee (123)": "123"}}'
    store.write(tmp_path / "class.json", about)
    assert main(["export", str(tmp_path), "--format", "moodle"]) == 0
    said = capsys.readouterr().out
    assert "3 grades in" in said and "2 of them without the number" in said and "Ann Lee (999), bob" in said
    with open(tmp_path / "moodle.csv", encoding="utf-8", newline="") as file:
        assert [row["Identifier"] for row in csv.DictReader(file)] == ["Participant 123", "", ""]
