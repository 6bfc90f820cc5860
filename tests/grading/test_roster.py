"""The class list against what was handed in: nobody vanishes, nobody appears, in silence."""

import dataclasses
import datetime as dt
from pathlib import Path

import pytest

from grading.classroom.grade import everybody, moment, said
from grading.classroom.roster import compare, read_roster
from grading.classroom.submissions import Found, Submission, SubmissionError


def roster(tmp_path, text):
    path = tmp_path / "students.csv"
    path.write_text(text, encoding="utf-8-sig")
    return read_roster(path)


def test_who_is_missing_unexpected_and_double(tmp_path):
    listed = roster(tmp_path, "student,section\nann,1\nBob Ray,1\n\ncat,2\n")
    assert compare(listed, {"Ann": "", "cat": "", "dan": ""}) == {
        "missing": ["Bob Ray"],
        "unexpected": ["dan"],
        "double": [],
    }


def test_two_of_one_name_are_told_apart_by_their_id_and_by_nothing_else(tmp_path):
    handed = {"Ann Lee (123)": "123", "Ann Lee (999)": "999"}
    both = {"missing": [], "unexpected": [], "double": []}
    assert compare(roster(tmp_path, "id,name\n123,Ann Lee\n999,Ann Lee\n"), handed) == both
    assert compare(roster(tmp_path, "name\nAnn Lee\n"), handed)["double"] == [
        "Ann Lee (123)",
        "Ann Lee (999)",
    ]
    assert compare(roster(tmp_path, "name\nAnn Lee\nAnn Lee\n"), {"Ann Lee": ""})["double"] == ["Ann Lee"]


@pytest.mark.parametrize(
    "text",
    [
        "Identifier,Full name,Email address,Grade\nParticipant 123,Ann Lee,a@x.org,-\n",
        'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Lee, Ann",123,,,A\n"Student, Test",9,,,A\n',
    ],
    ids=["Moodle", "Canvas"],
)
def test_the_lists_of_course_systems_are_read_as_they_are(tmp_path, text):
    assert not any(compare(roster(tmp_path, text), {"Ann Lee (123)": "123"}).values())
    assert compare(roster(tmp_path, text), {"Ann Lee (7)": "7"})["unexpected"] == ["Ann Lee (7)"]


@pytest.mark.parametrize("text", ["", "first,last\nAnn,Lee\n"])
def test_a_list_without_names_says_what_it_needs(tmp_path, text):
    with pytest.raises(SubmissionError, match="`student`"):
        roster(tmp_path, text)
    with pytest.raises(SubmissionError, match="no class list that can be read"):
        read_roster(tmp_path)


def test_the_command_says_who_is_left_out_and_shows_no_control_characters():
    one = Submission("ann", "ann.ipynb", dt.datetime.now(dt.timezone.utc), bytes)
    two, files = dataclasses.replace(one, file="x.ipynb"), {"bob\x1b[2J": ["bob/x.zip"], "grades": ["x.csv"]}
    found = Found([one, two], files, "submitted")
    people = everybody(found, [("ann", ""), ("cat", "")])
    assert people["several"] == {"ann": 2}
    words = said(found, people, [two], Path("in/grades"))
    assert "All of them lie in submitted" in words and "ann: what counts is x.ipynb, not ann.ipynb" in words
    assert "grades" not in words
    assert "Left out: bob\N{REPLACEMENT CHARACTER}[2J" in words and "bob/x.zip" in words
    assert "1 on the class list, and handed nothing in: cat" in words and "\x1b" not in words
    found = Found([one], {})
    assert "Everybody on the class list" in said(found, everybody(found, [("ann", "")]), [one], Path())


def test_one_submission_where_the_list_has_many_is_an_error():
    many = [(f"student {i}", "") for i in range(40)]
    one = Submission("student 1", "x.ipynb", None, bytes)
    for students, why in (
        (["student 1"], "names 40, and here is one student: student 1"),
        (["x", "y"], "nobody of them"),
    ):
        found = Found([dataclasses.replace(one, student=student) for student in students], {})
        with pytest.raises(SubmissionError, match=why):
            everybody(found, many)
    assert everybody(Found([one, dataclasses.replace(one, student="x")], {}), many)


@pytest.mark.parametrize("text", ["soon", "9999-12-31 23:59:59", "0001-01-01"])
def test_no_time_that_is_typed_is_a_traceback(monkeypatch, text):
    """Either it is a time, or the error that argparse prints."""
    import argparse

    try:
        assert moment(text).tzinfo
    except argparse.ArgumentTypeError as error:
        assert "is no time" in str(error)
