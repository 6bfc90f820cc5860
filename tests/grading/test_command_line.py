"""What a lecturer types: the help explains all of it, and what is wrong gets an answer that says so."""

import argparse
import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from course import cli
from grading.classroom import submissions
from tests.grading.small import COUNT, exercise, notebook
from tools.books import ROOT


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys):
    """Type a command in a folder with one submission; returns what it said, and how it ended."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_SALT", raising=False)
    exercise(tmp_path / "00-two.ipynb")
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "ann.ipynb").write_bytes(b"no notebook")  # for this one no sandbox is needed
    (tmp_path / "empty").mkdir()
    (tmp_path / "words.txt").write_text("words", encoding="utf-8")
    (tmp_path / "none.ipynb").write_bytes(notebook([COUNT]))
    (tmp_path / "other.ipynb").write_bytes(notebook(['check("knn.999")']))

    def type_(line):
        try:
            status = cli.main(line.split(" "))
        except SystemExit as end:
            status = end.code
        said = capsys.readouterr()
        return status, said.out + said.err

    return type_


WRONG = {
    "no folder": ("grade 02 nothing -o g", "nothing does not exist"),
    "an empty folder": (
        "grade 02 empty -o g",
        "no notebook in empty: submissions are <student>/02-homework.ipynb",
    ),
    "no zip": ("grade 02 words.txt -o g", "words.txt is no zip that can be read"),
    "no homework of that name": (
        "grade 99 submissions -o g",
        "there is no exercise '99'; there are 01-homework",
    ),
    "a file that is no exercise": (
        "grade words.txt submissions -o g",
        "words.txt is no exercise: the file is no notebook",
    ),
    "a notebook without questions": (
        "grade none.ipynb submissions -o g",
        "none.ipynb asks no question: give an exercise",
    ),
    "a notebook with a question that nobody knows": (
        "grade other.ipynb submissions -o g",
        "there is no question 'knn.999'",
    ),
    "grades go into a file": (
        "grade 00-two.ipynb submissions -o words.txt",
        "words.txt cannot be the folder for grades",
    ),
    "the salt is a folder": (
        "grade 00-two.ipynb submissions -o g --salt empty",
        "no salt can be read from empty",
    ),
    "the salt is a notebook": (
        "grade 00-two.ipynb submissions -o g --salt words.txt",
        "the salt is shorter than 16 characters, in words.txt",
    ),
    "a time that is none": (
        "grade 00-two.ipynb submissions -o g --until tomorrow",
        "'tomorrow' is no time: write it as \"2026-11-20 23:59\"",
    ),
    "no workers": ("grade 00-two.ipynb submissions -o g -j 0", "'0' is no number of workers"),
    "no output": ("grade 00-two.ipynb submissions", "-o/--output"),
    "a report of nothing": ("report empty", "empty holds no grades: run `course grade` first"),
    "an export of nothing": ("export empty", "empty holds no grades: run `course grade` first"),
    "an export for nobody": ("export empty --format blackboard", "choose from"),
    "a release of nothing": ("release 99 out", "there is no exercise '99'"),
    "a release over something": ("release 02 submissions", "submissions exists already: give another name"),
}


def test_what_is_typed_wrong_says_what_to_do(typed, subtests):
    for name, (line, answer) in WRONG.items():
        status, said = typed(line)
        with subtests.test(name):
            assert status and answer in said and "Traceback" not in said


def test_a_number_without_its_zero_will_do(typed):
    assert (
        "no notebook in empty: submissions are <student>/02-homework.ipynb" in typed("grade 2 empty -o g")[1]
    )


def test_from_grade_to_export_and_words_on_the_way(typed):
    status, said = typed("grade 00-two.ipynb submissions -o g")
    assert status == 0
    assert "1 submission, 1 of them graded now" in said
    assert "1 need a human" in said
    assert "course report g" in said
    assert typed("report g")[0] == 0 and typed("export g --format canvas")[0] == 0
    rows = Path("g/rubric.csv").read_text(encoding="utf-8")
    assert rows == "student,question,points,of,comment\nann,open answer,,,\n"
    Path("g/rubric.csv").write_text(rows + "zoe,essay,1,,\n", encoding="utf-8")
    for command in ("report g", "export g"):
        status, said = typed(command)
        assert status == 1 and "rubric.csv, line 3: there is no student 'zoe'" in said
    status, said = typed("report g --rubric nowhere.csv")
    assert status == 1 and "there is no file nowhere.csv" in said
    status, said = typed("grade 00-two.ipynb submissions -o g --salt elsewhere")
    assert (
        status == 1 and "there is no file elsewhere: mend the path" in said and not Path("elsewhere").exists()
    )
    status, said = typed("export g -o nowhere/x.csv --rubric empty.csv")
    assert status == 1 and "Traceback" not in said


def test_a_salt_that_is_too_short_is_said_but_not_shown(typed, monkeypatch):
    monkeypatch.setenv("COURSE_SALT", "hunter2")
    status, said = typed("grade 00-two.ipynb submissions -o g")
    assert status == 1 and "the variable COURSE_SALT" in said and "hunter2" not in said


def test_a_submission_that_cannot_be_read_needs_a_human(typed, monkeypatch):
    """As one whose rights were taken away."""

    def refuse(path, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(submissions, "open", refuse, raising=False)
    assert typed("grade 00-two.ipynb submissions -o g")[0] == 0
    (result,) = (json.loads(path.read_text(encoding="utf-8")) for path in Path("g/results").iterdir())
    assert result["reason"] == "it cannot be read: Permission denied"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="submissions run in Linux namespaces only")
@pytest.mark.parametrize(("missing", "package"), [("bwrap", "bubblewrap"), ("setpriv", "util-linux")])
def test_a_program_that_is_missing_is_named_with_its_package(typed, monkeypatch, missing, package):
    from grading.sandbox import host as sandbox

    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None if name == missing else f"/usr/bin/{name}")
    with pytest.raises(sandbox.SandboxError, match=f"{missing} is missing.*apt-get install {package}"):
        sandbox.command(Path("."))


# ---- help and guide


@pytest.mark.parametrize("command", ["release", "grade", "report", "export"])
def test_help_explains_every_option(typed, command):
    status, said = typed(f"{command} --help")
    assert status == 0 and len(said.splitlines()) > 10
    listed = said.partition("options:")[2]
    explained = re.findall(r"^  (-\S.*?)(?:  +\S|\n {10,}\S)", listed, re.M)
    options = re.findall(r"^  (-\S.*)", listed, re.M)
    assert len(explained) == len(options) > 0


def test_the_guide_and_the_help_name_the_same_files(typed):
    guide = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    said = "".join(typed(f"{command} --help")[1] for command in ("grade", "report", "export"))
    for name in (
        "gradebook.csv",
        "results",
        "changes.jsonl",
        "times.csv",
        "salt",
        "rubric.csv",
        "report/index.html",
        "--take",
        "--until",
        "--salt",
        "COURSE_SALT" if "COURSE_SALT" in said else "salt",
        "--unsafe-no-sandbox",
        "timestamp.txt",
        "assignsubmission",
        "_LATE_",
    ):
        assert name.removeprefix("report/") in guide and name in said, name


def test_what_the_guide_shows_can_be_typed():
    """Each command of the guide is one that `course` knows, with options that it has."""
    guide = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    lines = re.findall(r"^uv run course (.*?)(?:#.*)?$", guide, re.M)
    assert len(lines) >= 4
    for line in lines:
        name, *rest = line.split()
        parser = argparse.ArgumentParser()
        importlib.import_module(cli.COMMANDS[name][1]).arguments(parser)
        parser.parse_args(rest)
