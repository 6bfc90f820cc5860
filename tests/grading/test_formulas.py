"""Questions that ask for a formula: what a learner reads, what is no try, and the same points in a class."""

import importlib
import json

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from grading import check, notation
from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from grading.judge import judge
from grading.question import REGISTRY, Case, question
from grading.registry import find
from grading.tried_answers import answers_to
from grading.typed_formula import compute
from grading.verdict import Verdict
from helpers.reading import Notation, ReadingError
from tests.grading.small import exercise, needs_sandbox, notebook

noted = importlib.import_module("grading.progress")  # the package's name `progress` is the function

IDS = ("knn.13", "pca.13", "pca.14")
RIGHT = r"\frac{\sum_{i=1}^k [y_i = c] / d_i}{\sum_{i=1}^k 1 / d_i}"
COUNTED = r"\frac1k \sum_{i=1}^k [y_i = c]"
COLUMNS = Notation(
    r"""
    A    | matrix n × d | rows                |
    n, d | number       | how many            |
    a_i  | column d     | row $i$             | row i of A
    I    | matrix       | the unit matrix     | unit matrix
    """,
    default=False,
)


def judged(id, tex, **how):
    return judge(find(id), lambda args: tex, **how)


@pytest.fixture
def mean():
    """A question for a column."""
    yield question(
        "knn.99",
        "A mean",
        name="mean",
        formula=COLUMNS,
        truth=r"\frac1n \sum_i a_i",
        cases=[
            Case(1, "three columns", lambda rng: (dict(A=rng.normal(size=(5, 3))),)),
            Case(2, "one column", lambda rng: (dict(A=rng.normal(size=(5, 1))),)),
        ],
    )
    del REGISTRY["knn.99"]


def verdict(q, tex):
    return judge(q, lambda args: tex).notes


# ---- what is said


@pytest.mark.parametrize(
    "tex, says",
    [
        (r"\frac1n \sum_i a_i^\top", "a row of length 3; asked for is a column of length 3."),
        (r"\frac1n \sum_i a_i^\top a_i", "a number; asked for is a column of length 3."),
        (r"\frac1n A", "a matrix of shape 5 × 3; asked for is a column of length 3."),
        (r"\sum_i a_i", "the values differ on one draw"),
        (r"a_i", "i is not bound here: sum over it"),
        (r"m = \frac1n \sum_i a_i", "write the value alone, without = and what stands before it"),
        ("I", "how large is this unit matrix? Write I_k"),
        (r"\frac1n \sum_i b_i", "b is not in the notation table (A, n, d, a_i, I)"),
        (r"\frac{1}{n - n} a_1", "this divides by 0"),
        ("", "the formula is empty"),
    ],
)
def test_a_learner_is_told_what_is_wrong(mean, tex, says):
    assert says in " ".join(verdict(mean, tex))


def test_kinds_are_static(mean):
    """A column of length 1 is a column: a number is not right, nor is a row."""
    result = judge(mean, lambda args: r"\frac1n \sum_i a_i^\top")
    assert result.points == 0 and "a row of length 1" in result.notes[1]
    assert judge(mean, lambda args: r"n^{-1} (a_1 + \dots + a_n)").full


def test_a_free_index_is_that_of_the_question():
    draw = find("pca.14").task(0, 0).args
    value = compute(r"\lVert z_i \rVert^2", find("pca.14").formula, *draw, r"z_{i,1}")
    assert value.free == ("i",) and value.words == "a number for each i"
    with pytest.raises(ReadingError, match="j is free: this is asked for each i"):
        compute("z_{j,1}", find("pca.14").formula, *draw, "z_{i,1}")


def test_accents_dollars_and_lines_are_as_they_come():
    ways = (rf"$ {RIGHT} $", rf"$${RIGHT}$$", RIGHT.replace(" ", "\n"), RIGHT.replace(r"\frac", r"\dfrac "))
    assert all(judged("knn.13", tex).full for tex in ways)


@pytest.mark.parametrize("id", IDS)
def test_a_verdict_shows_the_place(id):
    result = judged(id, r"\frac{1}{k} + \foo")
    assert result.unread
    assert result.notes[0].splitlines()[1:] == [r"  \frac{1}{k} + \foo", "                ^"]
    assert "^</pre>" in Verdict(result)._repr_html_() and "^" not in Verdict(judged(id, "k"))._repr_html_()


# ---- in a notebook


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course's folder, in whose exercises a learner works."""
    (tmp_path / "exercises").mkdir()
    nb = new_notebook(cells=[new_code_cell(f'check("{id}")') for id in IDS])
    (tmp_path / "exercises" / "01-formulas.ipynb").write_text(json.dumps(nb), encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    monkeypatch.setattr(noted, "course_folder", lambda: tmp_path)
    return tmp_path


def test_what_cannot_be_read_is_no_try(course, monkeypatch, capsys):
    import __main__

    for tex, tries in ((r"\frac{1", 0), (COUNTED, 1), ("\frac12", 1), (RIGHT, 2)):
        monkeypatch.setattr(__main__, "share_of_votes", tex, raising=False)
        check("knn.13")
        assert noted.best(course).get("knn.13", {"tries": 0})["tries"] == tries
    said = capsys.readouterr().out
    assert said.count(COUNTED) == said.count(RIGHT) == 1  # shown as they were read
    assert "2 / 2   ✓" in said and "Move one neighbour" in said and 'case("knn.13")' in said


def test_the_table_is_shown_as_it_is_used():
    assert notation("knn.13") is find("knn.13").formula
    assert "| $d_i$ | number | distance of neighbour" in notation("knn.13")._repr_markdown_()
    with pytest.raises(KeyError, match="knn.2 does not ask for a formula; those that do: knn.13"):
        notation("knn.2")


# ---- in a class


ASKS = [f'notation("{id}")\ncheck("{id}")' for id in IDS]
NAMES = {id: find(id).name for id in IDS}


def homework(folder):
    stubs = {id: f"{name} = (\n    ...\n)" for id, name in NAMES.items()}
    return Homework(exercise(folder / "00-formulas.ipynb", stubs))


class TestClass:
    pytestmark = needs_sandbox

    def test_a_submission_gets_the_points_that_check_gave(self, tmp_path):
        grader = Grader(homework(tmp_path), "salt")
        try:
            for place in (1, 2):  # one that is right, one that is wrong
                chosen = {
                    id: (*answers_to(find(id)).right[:2], *answers_to(find(id)).wrong)[place] for id in IDS
                }
                cells = [f"{NAMES[id]} = {tex!r}" for id, tex in chosen.items()]
                graded = grader.grade("ann", notebook([*ASKS, *cells])).questions
                for id, tex in chosen.items():
                    own = judged(id, tex)
                    assert graded[id].points == own.points == (find(id).points if place == 1 else 0)
            odd = ["np.str_(r'k')", "7", "'x' * 10**6", "type('T', (str,), {})('k')", "...", "lambda: 'k'"]
            for code in odd:
                cells = ["import numpy as np", f"{NAMES['knn.13']} = {code}"]
                assert grader.grade("bob", notebook(cells)).points == 0
            told = grader.grade("cat", notebook([f"share_of_votes = {COUNTED!r}"])).questions["knn.13"]
            assert told.mistakes == ["every vote counts the same"] and "expected" not in " ".join(told.notes)
        finally:
            grader.close()
