"""Refreshed notebooks have stable bytes; exercises hold no trace of their solutions."""

import os

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import build_exercises, refresh

ANSWER = """def double(x):
    ### BEGIN SOLUTION
    twice = 2 * x    # the trick
    return twice
    ### END SOLUTION
"""


def answer_cell(source, kind=new_code_cell, **metadata):
    return kind(source, metadata={"nbgrader": {"solution": True, "grade_id": "double"}, **metadata})


@pytest.fixture
def solution():
    shown = new_output("execute_result", data={"text/plain": "4"}, execution_count=1)
    return new_notebook(
        cells=[
            new_markdown_cell("# Homework"),
            answer_cell(ANSWER),
            new_code_cell("double(2)", outputs=[shown], execution_count=1),
            new_code_cell("# why it works: twice = 2 * x", metadata={"tags": ["solution-only"]}),
        ]
    )


# ---- exercises


def test_an_answer_becomes_an_ellipsis(solution):
    made = build_exercises.exercise(solution)
    assert made.cells[1].source == "def double(x):\n    ...\n"
    assert made.cells[1].metadata.nbgrader.solution and made.cells[1].id == solution.cells[1].id


def test_what_was_run_and_what_is_for_solutions_only_is_gone(solution):
    made = build_exercises.exercise(solution)
    assert [c.cell_type for c in made.cells] == ["markdown", "code", "code"]
    assert made.cells[2].outputs == [] and made.cells[2].execution_count is None
    assert "twice" not in build_exercises.as_text(made)


def test_the_solution_is_left_alone(solution):
    before = build_exercises.as_text(solution)
    build_exercises.exercise(solution)
    assert build_exercises.as_text(solution) == before


def test_every_region_of_a_cell_is_hidden(solution):
    solution.cells[1].source = ANSWER + ANSWER.replace("double", "triple")
    made = build_exercises.exercise(solution).cells[1].source
    assert made == "def double(x):\n    ...\ndef triple(x):\n    ...\n"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def double(x):\n    return 2 * x", "without ### BEGIN SOLUTION"),
        ("### BEGIN SOLUTION\nx = 2", "without ### BEGIN SOLUTION"),
        (ANSWER + "### BEGIN SOLUTION\nx = 2", "without its partner"),
        (2 * "### BEGIN SOLUTION\n" + "b = 2\n" + 2 * "### END SOLUTION\n", "without its partner"),
    ],
)
def test_a_badly_marked_answer_is_refused(solution, source, why):
    solution.cells[1].source = source
    with pytest.raises(build_exercises.SolutionError, match=why):
        build_exercises.exercise(solution)


@pytest.mark.parametrize(
    "cell",
    [
        new_code_cell(ANSWER),  # not declared as an answer
        new_code_cell("def other(x):\n    twice = 2 * x\n    return twice"),
        new_markdown_cell("Hint:\n\n    twice = 2 * x\n    return twice"),
    ],
)
def test_an_answer_that_stands_elsewhere_is_refused(solution, cell):
    solution.cells.append(cell)
    with pytest.raises(build_exercises.SolutionError):
        build_exercises.exercise(solution)


@pytest.fixture
def homework(tmp_path, solution):
    (tmp_path / "solutions").mkdir()
    nbformat.write(solution, tmp_path / "solutions" / "02-solution.ipynb")
    assert build_exercises.build(tmp_path) == []
    return tmp_path


def test_exercises_are_built_with_the_same_bytes_every_time(homework):
    made = homework / "exercises" / "02-homework.ipynb"
    before = made.read_bytes()
    assert build_exercises.build(homework, check=True) == []
    assert build_exercises.build(homework) == [] and made.read_bytes() == before


def test_check_finds_an_edited_a_missing_and_an_orphaned_exercise(homework):
    made = homework / "exercises" / "02-homework.ipynb"
    made.write_text(made.read_text(encoding="utf-8").replace("Homework", "Homework!"), encoding="utf-8")
    assert "is not what" in build_exercises.build(homework, check=True)[0]
    made.rename(made.with_name("03-homework.ipynb"))
    assert [p.split(" ")[0] for p in build_exercises.build(homework, check=True)] == [
        "exercises/02-homework.ipynb",
        "exercises/03-homework.ipynb",
    ]


# ---- refreshed notebooks


def test_noise_is_removed():
    noisy = [
        new_output("stream", text="/tmp/ipykernel_77/123.py:2: Warning"),
        new_output(
            "execute_result", data={"text/plain": "<A at 0x7f00aa11bb22>", "image/png": "0x7f00aa11bb22"}
        ),
        new_output("error", ename="E", evalue="bad", traceback=["File /home/me/x.py", "E: bad"]),
    ]
    cell = new_code_cell("a", outputs=noisy, metadata={"execution": {"t": "1"}, "tags": ["eq:2.1"]})
    stream, result, error = refresh.normalised(new_notebook(cells=[cell])).cells[0].outputs
    assert stream.text == "cell.py:2: Warning"
    assert result.data == {"text/plain": "<A at 0x0>", "image/png": "0x7f00aa11bb22"}
    assert error.traceback == ["E: bad"]
    assert dict(cell.metadata) == {"tags": ["eq:2.1"]}


def test_notebooks_are_stored_and_compared_under_the_same_settings():
    assert {name: os.environ.get(name) for name in refresh.SETTINGS if name != "TZ"} == {
        name: value for name, value in refresh.SETTINGS.items() if name != "TZ"
    }


def test_a_widget_stores_nothing():
    cell = new_code_cell("a", outputs=[new_output("stream", text="x")], metadata={"tags": ["widget"]})
    assert refresh.normalised(new_notebook(cells=[cell])).cells[0].outputs == []


def test_a_second_run_gives_the_same_bytes_and_check_sees_a_change(tmp_path):
    path = tmp_path / "one.ipynb"
    nb = new_notebook(
        cells=[
            new_markdown_cell("# One"),
            new_code_cell("print('é', object())\nobject()"),
            new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}),
        ]
    )
    nbformat.write(nb, path)
    assert refresh.refresh(path) == "changed"
    first = path.read_bytes()
    assert refresh.refresh(path) == "same" and path.read_bytes() == first
    assert [c.execution_count for c in nbformat.read(path, 4).cells[1:]] == [1, 2]
    path.write_bytes(first.replace(b"0x0", b"0x1"))
    assert refresh.main(["--check", str(path)]) == 1
    assert b"0x1" in path.read_bytes()


def test_a_failing_notebook_is_reported_and_left_as_it_was(tmp_path, capsys):
    path = tmp_path / "bad.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    assert refresh.main([str(path)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out and path.read_bytes() == before
