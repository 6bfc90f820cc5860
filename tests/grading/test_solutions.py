"""What is released as right gets all points where a class is graded, and not in `check` alone."""

from pathlib import Path

import pytest

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from grading.sandbox.host import Sandbox

ROOT = Path(__file__).parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))


@pytest.fixture(scope="module")
def graders():
    """One for each homework, all in one sandbox, which is started once and holds the modules of all."""
    made = {
        path: Grader(
            Homework(ROOT / "exercises" / path.name.replace("solution", "homework")), "a salt of the tests"
        )
        for path in SOLUTIONS
    }
    prepared = [one.prepare() for one in made.values()]
    modules = {module for modules, _ in prepared for module in modules}
    with Sandbox(
        modules, cases={id: inputs for _, cases in prepared for id, inputs in cases.items()}
    ) as sandbox:
        for one in made.values():
            one.sandbox = sandbox
        yield made


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_a_released_solution_gets_all_points_in_the_class(path, graders):
    result = graders[path].grade("ann", path.read_bytes())
    lost = {name: one.notes for name, one in result.questions.items() if one.points < one.of}
    assert (result.status, result.points, lost) == ("graded", graders[path].homework.points, {})
