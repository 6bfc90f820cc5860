"""The lecturer's guide: what it names exists, its tables are the questions' own, its example works."""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grading.classroom import export, grade
from grading.registry import all_questions
from tests.grading.small import needs_sandbox
from tools import books, build_guide
from tools.books import ROOT
from tools.site import live, notebook_reader

GUIDE, OWN = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("lecturers.md", "own-question.md")
)
QUESTIONS = {q.id: q for q in all_questions()}
CHAPTERS = {
    int(path.stem[:2]): nbformat.v4.new_notebook(
        cells=sum((nbformat.read(one, as_version=4).cells for one in books.together(path)), [])
    )
    for path in books.chapters()
    if "01" <= path.stem[:2] <= "12"
}
STILLS = [one["still"] for one in live.figures().values()]  # the site and the slides move these
FAILS = "Breaks here|When it fails"
PLACE = re.compile(
    rf"^### (?P<section>\d+\.\d+) |^#+ |(?P<bet>\*\*Bet\.\*\*)|(?P<quick>quick question)|(?P<fails>{FAILS})",
    re.M | re.I,
)
WHAT = {"bet": "bet", "quick": "quick question", "fails": FAILS}


def features():
    """{"1.6": {"figure", "slider", …}}: what each section offers to show."""
    found, here = {}, None
    for nb in CHAPTERS.values():
        for cell in nb.cells:
            if cell.cell_type == "code":
                moves = "widget" in notebook_reader.tags(cell) or any(
                    live.draws(cell, still) for still in STILLS
                )
                seen = {"slider"} if moves else set()
                seen |= (
                    {"figure"} if any("image/png" in out.get("data", {}) for out in cell.outputs) else set()
                )
                found.setdefault(here, set()).update(seen)
                continue
            for match in PLACE.finditer(cell.source):
                if match[0].startswith("#"):
                    here = match["section"]
                else:
                    found.setdefault(here, set()).add(WHAT[match.lastgroup])
    return found


def test_the_tables_say_what_the_questions_declare():
    assert build_guide.with_tables(GUIDE) == GUIDE, "run tools/build_guide.py"


def test_a_mistake_that_is_none_is_noticed():
    with pytest.raises(ValueError, match="no mistake 'left-handed'"):
        build_guide.row("pca.2", "left-handed")


def test_every_chapter_has_its_plan_and_its_mistakes():
    parts = re.split(r"^### (?=\d+ ·)", GUIDE, flags=re.M)[1:]
    titles = [nb.cells[0].source.partition("\n")[0].removeprefix("# ") for nb in CHAPTERS.values()]
    assert [part.partition("\n")[0] for part in parts] == titles
    for part in parts:
        assert all(f"| {row} |" in part for row in ("only 45 minutes", "first of two", "second of two"))
        pairs = build_guide.listed(build_guide.TABLE.search(part)[2])
        assert 2 <= len(pairs) == len(set(pairs)) <= 4
        assert {build_guide.exercises()[question][:2] for question, _ in pairs} == {
            f"{int(part.split()[0]):02}"
        }


def test_every_question_that_is_named_exists():
    topics = {id.split(".")[0] for id in QUESTIONS}
    named = set(re.findall(rf"\b(?:{'|'.join(sorted(topics))})\.\d+\b", GUIDE))
    assert len(named) > 50 and named <= set(QUESTIONS)
    assert set(re.findall(r"\| `(\w+)` \|", GUIDE)) == topics - {"capstone"}


def test_every_section_and_equation_that_is_named_exists():
    named = set(re.findall(r"§(\d+\.\d+)", GUIDE))
    assert len(named) > 120 and named <= set(notebook_reader.sections())
    equations = set(re.findall(r"\((\d+\.\d+)\)", GUIDE))
    assert equations and equations <= set(notebook_reader.equations())


@pytest.mark.parametrize("what", ["figure", "bet", "quick question", FAILS, "slider"])
def test_what_is_to_be_shown_stands_in_its_section(what):
    named, there = re.findall(rf"(?:{what}) of §(\d+\.\d+)", GUIDE), features()
    assert len(named) > 3
    assert [section for section in named if what not in there[section]] == []


def shown(plan):
    """The sections of "§1.1–§1.3, §1.6"."""
    known = list(notebook_reader.sections())
    for part in plan.split(", "):
        first, *last = (known.index(number) for number in re.findall(r"§(\d+\.\d+)", part))
        yield from known[first : (last or [first])[0] + 1]


def test_what_is_asked_and_run_belongs_to_what_is_shown():
    rows = re.findall(
        r"^\| (?:only 45 minutes|first of two|second of two) \| ([^|]+) \| (.+) \|$", GUIDE, re.M
    )
    assert len(rows) == 3 * len(CHAPTERS)
    for plan, rest in rows:
        assert set(re.findall(r"§(\d+\.\d+)", rest)) <= set(shown(plan)), rest


def test_twelve_weeks_leave_nothing_out():
    """The two lectures of a week begin and end where the chapter does, and nothing lies between them."""
    known = [
        tuple(map(int, number.split(".")))
        for number, place in notebook_reader.sections().items()
        if not books.is_companion(place.partition("#")[0])
    ]
    for week in range(1, 13):
        row = re.search(rf"^\| {week} \| §(\S+)–§(\S+) [^|]+ \| §(\S+)–§(\S+) [^|]+ \|", GUIDE, re.M)
        first, last, then, end = (tuple(map(int, number.split("."))) for number in row.groups())
        mine = [number for number in known if number[0] == week]
        assert (first, end) == (mine[0], mine[-1]) and mine.index(then) == mine.index(last) + 1


def test_what_the_guide_says_of_the_course_is_true():
    heads = [notebook_reader.at_head(nb) for nb in CHAPTERS.values()]
    rows = [head["Time"] for head in heads]
    minutes = sum(int(n) for row in rows for n in re.findall(r"\b(\d+)(?= minutes| more| for)", row))
    assert "about twenty hours" in GUIDE and abs(minutes / 60 - 20) < 1, minutes / 60
    assert "a thousand known mistakes" in GUIDE and sum(len(q.mistakes) for q in QUESTIONS.values()) > 950
    for number, needs in re.findall(r"\| (\d+) [^|]+ \| `\w+` \| ([\d, –]+)(?= \|)", GUIDE):
        said = heads[int(number) - 1]["You need"]
        assert {int(n) for n in re.findall(r"\d+", needs)} <= {
            int(n) for n in re.findall(r"\[chapter (\d+)\]", said)
        }


def test_files_and_options_that_are_named_exist():
    text = GUIDE + OWN
    for name in set(
        re.findall(r"(?<![\w/])(?:tools|helpers|solutions|exercises)/[\w/-]+\.(?:py|ipynb)", text)
    ):
        assert (ROOT / name).exists(), name
    parser = argparse.ArgumentParser()
    grade.arguments(parser)
    named = set(re.findall(r"(?<![\w-])--?[a-z]+", GUIDE))
    assert {"--take", "--until", "-j"} <= named & set(parser._option_string_actions)
    assert all(name in GUIDE for name in export.FORMATS)


# ---- the worked example

WITHIN, OUTSIDE = OWN.split("\n## 6.")  # in a copy of the course; in a folder outside of it


def fenced(text):
    """(language, text) of each block."""
    return re.findall(r"^```(\w*)\n(.*?)\n```$", text, re.M | re.S)


def blocks():
    """The declaration, the answers tried on it, and the cells of the solution, as the page prints them."""
    declaration, answers, *cells = [(kind, text) for kind, text in fenced(WITHIN) if kind]
    cells = [(new_markdown_cell if kind == "md" else new_code_cell)(text) for kind, text in cells]
    return declaration[1], answers[1], cells


def commands(page):
    """The lines to type, without `uv run` and remarks."""
    lines = "\n".join(text for kind, text in fenced(page) if not kind).splitlines()
    return [line.split("  #")[0].strip().removeprefix("uv run ") for line in lines]


@pytest.fixture
def course(tmp_path):
    """A copy of the course with the page's question in it."""
    for name in ("helpers", "grading", "homework", "tools", "tests/homework"):
        shutil.copytree(ROOT / name, tmp_path / name)  # compiled code too: it saves seconds
    for name in ("solutions", "exercises", "notebooks"):
        (tmp_path / name).mkdir()
    for name in ("solutions/05-solution.ipynb", "notebooks/00-start-here.ipynb", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    declaration, answers, cells = blocks()
    for name, text in (("questions.py", declaration), ("tried_answers.py", answers)):
        with open(tmp_path / "homework" / "preprocessing" / name, "a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")
    path = tmp_path / "solutions" / "05-solution.ipynb"
    nb = nbformat.read(path, as_version=4)
    nb.cells += cells
    nbformat.write(nb, path)
    return tmp_path


def typed(folder, line, **settings):
    """Run one line of the page in that folder."""
    words = re.findall(r'"[^"]*"|\S+', line)
    own = {
        name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"
    }  # options of ours print more
    program = {
        "python": [],
        "pytest": ["-m", "pytest", "-p", "no:cacheprovider", "-rp"],
        "course": ["-m", "course.cli"],
    }
    done = subprocess.run(
        [sys.executable, *program[words[0]], *(word.strip('"') for word in words[1:])],
        cwd=folder,
        env={**own, "PYTHONPATH": str(folder), **settings},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


def hand_in(folder, student, answer):
    """The exercise as students get it, with one answer written."""
    nb = nbformat.read(folder / "exercises" / "05-homework.ipynb", as_version=4)
    cell = next(
        cell for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "preprocessing-15"
    )
    assert cell.source == "def robust_scale(train, test):\n    ..."
    cell.source = answer
    (folder / "submissions").mkdir(exist_ok=True)
    nbformat.write(nb, folder / "submissions" / f"{student}.ipynb")


def test_the_page_asks_what_the_course_does_not():
    """Homework 5 has room for exactly this question."""
    mine = [q for q in QUESTIONS.values() if q.id.startswith("preprocessing.")]
    assert "preprocessing.15" not in QUESTIONS and len(mine) == 14 and sum(q.points for q in mine) + 3 <= 42


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_sandbox)], ids=["from empty to graded"])
def test_a_question_of_your_own(course, mark):
    build, trials, grade, report = commands(WITHIN)
    typed(course, build)
    said = typed(course, trials)
    assert "test_every_question[preprocessing.15]" in said and "test_every_homework" in said
    right = blocks()[2][1].source.replace("### BEGIN SOLUTION", "").replace("### END SOLUTION", "")
    hand_in(course, "ann", right)
    hand_in(
        course,
        "ben",
        "def robust_scale(train, test):\n    return (test - train.mean(axis=0)) / train.std(axis=0)",
    )
    typed(course, grade)
    typed(course, report)
    found = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in (course / "grades" / "results").glob("*.json")
    ]
    results = {one["student"]: one["questions"]["preprocessing.15"] for one in found}
    assert (results["ann"]["points"], results["ben"]["points"]) == (3, 0)
    assert "A single giant moves your centre" in str(results["ben"])
    assert "mean and deviation" in (course / "grades" / "report" / "index.html").read_text(encoding="utf-8")


# ---- a homework of another subject, outside of the course


RIGHT = """def molar_mass(formula):
    import re
    return sum(WEIGHTS[e] * int(n or 1) for e, n in re.findall("([A-Z])([0-9]*)", formula))"""
ONE_DIGIT = RIGHT.replace("[0-9]*", "[0-9]?")


@pytest.fixture
def subject(tmp_path):
    """The folder of the page, with its questions and its notebook."""
    (_, _), (_, declaration), *cells = [(kind, text) for kind, text in fenced(OUTSIDE) if kind]
    homework = tmp_path / "my-course" / "homework" / "chemistry"
    homework.mkdir(parents=True)
    (homework / "questions.py").write_text(declaration, encoding="utf-8")
    (homework / "tried_answers.py").write_text("raise AssertionError('nobody needs it')", encoding="utf-8")
    nbformat.write(
        new_notebook(cells=[new_code_cell(text) for _, text in cells]),
        tmp_path / "my-course" / "01-chemistry.ipynb",
    )
    return tmp_path


def answered(path, answer):
    """The notebook with that answer."""
    nb = nbformat.read(path, as_version=4)
    nb.cells[1].source = answer
    return nb


def said_by_check(path, answer):
    """What `check` says in a kernel of the notebook's folder, and where the kernel has its questions from."""
    nb = answered(path, answer)
    nb.cells.append(
        new_code_cell("import grading, homework.chemistry.questions as q; grading.__file__, q.__file__")
    )
    place = {"metadata": {"path": str(path.parent)}}
    NotebookClient(nb, timeout=120, kernel_name="python3", resources=place).execute()
    *_, check, places = [cell.outputs[-1].data["text/plain"] for cell in nb.cells if cell.outputs]
    return check, [Path(place) for place in ast.literal_eval(places)]


def test_check_answers_beside_a_folder_of_another_subject(subject):
    said, (engine, questions) = said_by_check(subject / "my-course" / "01-chemistry.ipynb", ONE_DIGIT)
    assert "0 / 2" in said and "What does your function make of C12?" in said
    assert engine.is_relative_to(ROOT) and questions.is_relative_to(subject / "my-course")


def test_a_release_of_another_subject_answers_at_a_students_place(subject):
    release, *_ = commands(OUTSIDE)
    typed(subject, release, PYTHONPATH=str(ROOT))
    with zipfile.ZipFile(subject / "out.zip") as archive:
        archive.extractall(subject / "students")
    place = subject / "students" / "01-chemistry"
    assert sorted(path.name for path in (place / "homework").iterdir()) == ["__init__.py", "chemistry"]
    assert [path.name for path in (place / "homework" / "chemistry").iterdir()] == ["questions.py"]
    shutil.rmtree(subject / "my-course")
    for answer, points in ((RIGHT, "2 / 2   ✓"), (ONE_DIGIT, "0 / 2")):
        said, files = said_by_check(place / "01-chemistry.ipynb", answer)
        assert points in said and all(path.is_relative_to(place) for path in files)


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_sandbox)], ids=["in the sandbox"])
def test_a_class_of_another_subject(subject, mark):
    _, grade, report = commands(OUTSIDE)
    looks = RIGHT.replace("import re", "import re, homework.chemistry.questions")
    (subject / "submissions" / "homework" / "knn").mkdir(parents=True)  # of no use to whoever hands it in
    (subject / "submissions" / "homework" / "knn" / "questions.py").write_text("1 / 0", encoding="utf-8")
    for student, answer in (("ann", RIGHT), ("ben", ONE_DIGIT), ("mallory", looks)):
        nb = answered(subject / "my-course" / "01-chemistry.ipynb", answer)
        nbformat.write(nb, subject / "submissions" / f"{student}.ipynb")
    typed(subject, grade, PYTHONPATH=str(ROOT))
    found = (
        json.loads(path.read_text(encoding="utf-8")) for path in (subject / "grades" / "results").glob("*")
    )
    results = {one["student"]: one["questions"]["chemistry.1"] for one in found}
    assert {student: one["points"] for student, one in results.items()} == {"ann": 2, "ben": 0, "mallory": 0}
    assert results["ben"]["mistakes"] == ["one digit"]
    assert "No module named 'homework'" in str(results["mallory"]["notes"])
    shutil.rmtree(subject / "my-course")  # the report needs no question
    typed(subject, report, PYTHONPATH=str(ROOT))
    page = (subject / "grades" / "report" / "index.html").read_text(encoding="utf-8")
    assert "one digit" in page and "chemistry.1 Molar mass" in page


def test_how_many_answers_are_the_same_for_all():
    drawn = sum(q.is_drawn for q in QUESTIONS.values())
    assert f"for {drawn} of the {len(QUESTIONS)} questions" in GUIDE
    assert f"The other {len(QUESTIONS) - drawn} " in GUIDE
