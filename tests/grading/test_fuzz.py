"""Damaged code in the sandbox: none crashes or hangs the grader, or costs the next submission a point."""

import random

from grading.classroom.answers import Homework
from tests.grading import fuzz, small

pytestmark = small.needs_sandbox


def test_damaged_code_crashes_and_hangs_nothing(tmp_path):
    results = fuzz.run_through_the_sandbox(
        Homework(small.exercise(tmp_path / "00-two.ipynb")), random.Random(0), 20
    )
    assert sum(results.values()) == 20 and len(results) > 2
