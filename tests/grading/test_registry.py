"""Where homework is found: in the course, and in a folder beside the notebook or above it."""

import subprocess
import sys
from pathlib import Path

import pytest

import homework
from grading import practise, registry
from grading.imports import ROOT
from grading.registry import NoQuestion, all_questions, find, folders, join, load, places
from grading.sandbox import host
from grading.sandbox.probes import lecturers_files

QUESTION = """
from grading.question import Case, question

question("music.1", "Semitones", name="semitones", cases=Case(1), truth=12)
"""


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A notebook's path, with a homework about music beside it."""
    monkeypatch.setattr(homework, "__path__", [*homework.__path__])
    folder = tmp_path / "homework" / "music"
    folder.mkdir(parents=True)
    (folder / "questions.py").write_text(QUESTION, encoding="utf-8")
    yield tmp_path / "00-music.ipynb"
    for name in ("homework.music", "homework.music.questions"):
        sys.modules.pop(name, None)
    registry.REGISTRY.pop("music.1", None)


def test_a_folder_beside_the_notebook_joins_once(path):
    with pytest.raises(NoQuestion, match="there is no homework 'music'; there are capstone, filters"):
        find("music.1")
    join(path.parent)
    join(path.parent)
    assert places() == [str(ROOT / "homework"), str(path.parent / "homework")]
    assert find("music.1").topic == "music" and [q.id for q in all_questions("music")] == ["music.1"]
    with pytest.raises(NoQuestion, match="there is no question 'music.2'; music has music.1"):
        find("music.2")


def test_a_folder_above_the_notebook_joins(path):
    (path.parent / "week" / "one").mkdir(parents=True)
    join(path.parent / "week" / "one")
    assert folders()["music"] == path.parent / "homework" / "music"


def test_another_copy_of_the_course_stays_out(path):
    (path.parent / "grading").mkdir()
    join(path.parent)
    join(ROOT / "exercises")
    assert places() == [str(ROOT / "homework")]


def test_a_folder_without_questions_stays_out(path):
    (path.parent / "homework" / "music" / "questions.py").unlink()
    join(path.parent)
    assert places() == [str(ROOT / "homework")]


def test_two_homeworks_of_one_name_are_told_apart_by_nobody(path, capsys):
    (path.parent / "homework" / "music").rename(path.parent / "homework" / "knn")
    join(path.parent)
    with pytest.raises(NoQuestion, match="two homeworks are called 'knn'.*; rename yours"):
        find("knn.1")


def test_what_a_folder_does_not_hold_is_not_missed(path, capsys, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert practise("music.1") is practise("music") is None
    assert "music.1 has nothing to practise: its homework declares no variant" in capsys.readouterr().out
    assert load("music", "tried_answers") is None


def test_a_folder_that_is_a_package_does_not_hide_the_courses_own(path):
    (path.parent / "homework" / "__init__.py").touch()
    code = (
        "from grading.registry import find, join; join('.'); print(find('music.1').title, find('knn.1').name)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=path.parent, capture_output=True, text=True)
    assert done.stdout == "Semitones answers_1\n", done.stderr


def test_a_homework_that_is_installed_is_hidden_from_submissions(path, monkeypatch):
    installed = Path(sys.prefix).resolve() / "lib" / "homework"
    monkeypatch.setattr(homework, "__path__", [*places(), str(installed)])
    monkeypatch.setattr(host, "find_program", lambda name, package: name)
    words = " ".join(host.command(path.parent))
    assert "--perms 0000 --tmpfs /venv/lib/homework" in words


def test_the_probes_look_for_every_homework(path):
    join(path.parent)
    asked = {str(folder / "questions.py") for folder in folders().values()}
    assert str(path.parent / "homework" / "music" / "questions.py") in asked <= {*lecturers_files()}
