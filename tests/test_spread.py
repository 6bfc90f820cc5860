"""What one of several processes takes at a time."""

import pytest

from tests.spread import ByFileAndQuestion

TRIALS = "tests/homework/test_questions.py"


@pytest.fixture
def scope(monkeypatch):
    monkeypatch.setattr(ByFileAndQuestion, "__init__", lambda self: None)
    return ByFileAndQuestion()._split_scope


@pytest.mark.parametrize(
    ("nodeid", "taken_with"),
    [
        ("notebooks/02-pca.ipynb::Cell 7", "notebooks/02-pca.ipynb"),
        ("tests/test_course.py::test_start", "tests/test_course.py"),
        (f"{TRIALS}::test_every_question[mistakes_are_told-pca.6]", "pca.6"),
        (f"{TRIALS}::test_every_question[right_is_accepted-pca.6]", "pca.6"),
        (f"{TRIALS}::test_every_question[right_is_accepted-pca.16]", "pca.16"),
        (f"{TRIALS}::test_every_homework[pca]", TRIALS),
        (f"{TRIALS}::test_a_flaw_is_found[a slow reference]", TRIALS),
    ],
)
def test_cells_stay_together_and_so_do_the_trials_of_a_question(scope, nodeid, taken_with):
    assert scope(nodeid) == taken_with
