"""`course-dev`: what it would run for which change, and that it fails when a step does."""

import json
import subprocess
import sys

import pytest

from course import dev
from tools.books import ROOT

FILES = {
    "helpers/reading/__init__.py": "from helpers.reading.grammar import read",
    "helpers/reading/grammar.py": "def read(): pass",
    "helpers/methods/relief.py": "",
    "grading/judge.py": "",
    "homework/pca/questions.py": "from helpers.methods import relief",
    "homework/lda/questions.py": "",
    "tests/helpers/test_reading.py": "from helpers.reading import read",
    "tests/helpers/test_relief.py": "",
    "tests/grading/test_judge.py": "def test():\n    from grading import judge",
    "tests/test_words.py": 'LIST = "docs/words.toml"',
    "tests/homework/test_questions.py": "",
    "notebooks/02-pca.ipynb": "%matplotlib inline\x00from helpers.methods.relief import Relief",
    "solutions/02-solution.ipynb": "from grading import check",
}
TESTS = "tests/helpers/test_relief.py"
ASKED = "tests/homework/test_questions.py"


@pytest.fixture
def course(tmp_path):
    """A small one; a notebook's cells are parted by a zero."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb":
            text = json.dumps({"cells": [{"cell_type": "code", "source": c} for c in text.split("\x00")]})
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests", "pages", "homework"),
    [
        ([], [], [], None),
        (["tests/test_words.py"], ["tests/test_words.py"], [], None),
        (["docs/words.toml"], ["tests/test_words.py"], [], None),
        (["grading/judge.py"], ["tests/grading/test_judge.py"], [], None),
        (["helpers/reading/grammar.py"], ["tests/helpers/test_reading.py"], [], None),
        (["helpers/methods/relief.py"], [TESTS], ["notebooks/02-pca.ipynb"], "pca."),
        (["homework/lda/questions.py"], [], [], "lda."),
        (["homework/lda/questions.py", ASKED], [ASKED], [], None),
        (["solutions/02-solution.ipynb", "README"], [], ["solutions/02-solution.ipynb"], None),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, list) else str(value),
)
def test_a_change_names_its_tests(course, changed, tests, pages, homework):
    steps = dev.steps_for(changed, course)
    assert steps.get("tests", ["pytest", "-q"])[2:] == tests
    assert steps.get("chapters", ["pytest", "-q"])[2:] == pages
    assert steps.get("homework", [None])[-1] == homework
    assert steps.keys() >= dev.LINT.keys() if changed else steps == {}


def test_what_git_has_and_has_not_is_a_change(course):
    def git(*words):
        name = "-c", "user.name=A", "-c", "user.email=a@b"
        subprocess.run(["git", *name, *words], cwd=course, check=True, capture_output=True)

    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "all")
    git("checkout", "-b", "mine")
    (course / "grading/judge.py").write_text("changed = True", encoding="utf-8")
    git("commit", "-am", "judge")
    (course / "helpers/methods/relief.py").unlink()
    (course / "tests/test_new.py").write_text("", encoding="utf-8")
    found = dev.changed_files(course, "main")
    assert found == ["grading/judge.py", "helpers/methods/relief.py", "tests/test_new.py"]
    assert dev.changed_files(course, "HEAD") == found[1:]


@pytest.mark.parametrize(
    ("source", "status", "told"), [("", 0, "✓ second"), ("import nothing", 1, "✗ first")]
)
def test_one_step_that_fails_is_enough(tmp_path, capfd, source, status, told):
    (tmp_path / "first.py").write_text(source, encoding="utf-8")
    (tmp_path / "second.py").write_text("", encoding="utf-8")
    assert dev.run({"first": ["first"], "second": ["second"]}, tmp_path) == status
    out = capfd.readouterr().out
    assert told in out and "✓ second" in out


def test_quick_names_tests_that_exist():
    named = [word for step in dev.QUICK.values() for word in step if word.startswith("tests/")]
    assert named and all((ROOT / name.partition("::")[0]).exists() for name in named)
    assert (ROOT / "notebooks" / f"{dev.CHAPTER}.ipynb").exists()


def test_a_commit_that_git_does_not_know_is_named():
    command = [sys.executable, "-m", "course.dev", "changed", "--since", "no-such-branch"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "no-such-branch" in done.stderr and "Traceback" not in done.stderr
