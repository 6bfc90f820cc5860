"""What is released as right gets all points where a class is graded, and not in `check` alone."""

from pathlib import Path

import pytest

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_released_solution_gets_all_points_in_the_class(path):
    homework = Homework(ROOT / "exercises" / path.name.replace("solution", "homework"))
    grader = Grader(homework, "a salt of the tests")
    try:
        result = grader.grade("ann", path.read_bytes())
    finally:
        grader.close()
    lost = {name: one.notes for name, one in result.questions.items() if one.points < one.of}
    assert (result.status, result.points, lost) == ("graded", homework.points, {})
