"""How tests are dealt to several processes: file by file, and of the homework's trials question by question.

The cells of a notebook share a kernel, so they stay together. The trials of a question share what its answers
gave; those of another question can run elsewhere. What is long is begun early, since a process that is busy
when all others have ended costs their time. Hostile submissions are mostly waited for: with a process of
their own, beside as many as there are processors, no processor waits with them.
"""

import json
import re
from functools import cache
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

TRIAL = re.compile(r"tests/homework/test_questions\.py::test_every_question\[([a-z_]+\.\d+)\]")
TIMES = Path(__file__).resolve().parents[1] / "docs" / "run-times.json"

# Beginnings of the names of units: the first that fits says when a unit is begun; all others come after.
ORDER = (
    "tests/site/test_site.py",  # builds the site, which the other files of its folder wait for
    "capstone.4",
    "multiclass.12",
    "notebooks/",
    "solutions/15-solution.ipynb",
    "solutions/",
    "tests/test_browser.py",
    "tests/grading/test_solutions.py",
    "tests/site/test_slides.py",
    "tests/site/test_pdf.py",
    "tests/test_course.py",
    "tests/test_stored.py",
    "tests/test_lecturers.py",
    "tests/site/",
    "tests/attacks/test_judge.py",
    "tests/test_recipes.py",
    "tests/test_faults.py",
    "tests/listings/",
)
# What waits: for limits of time, for processes that are killed and started again.
WAITING = (
    "tests/attacks/test_attacks.py",
    "tests/attacks/test_busy.py",
    "tests/attacks/test_time.py",
    "tests/grading/test_grade.py",
    "tests/attacks/test_calls.py",
    "tests/attacks/test_forbidden.py",
    "tests/grading/test_fuzz.py",
    "tests/grading/test_groups.py",
)


def unit(nodeid):
    """What one process runs as a whole: a file, or the trials of a question."""
    trial = TRIAL.fullmatch(nodeid)
    return trial[1] if trial else nodeid.split("::", 1)[0]


@cache
def seconds():
    return json.loads(TIMES.read_text(encoding="utf-8"))


def place(nodeid):
    """By this, tests are sorted: long units first, of the notebooks the longest first."""
    name = unit(nodeid)
    if name in WAITING:
        return WAITING.index(name), 0.0
    after = next((i for i, begins in enumerate(ORDER) if name.startswith(begins)), len(ORDER))
    long = seconds().get(Path(name).stem, 0.0) if name.startswith("notebooks/") else 0.0
    return len(WAITING) + after, -long


class ByFileAndQuestion(LoadFileScheduling):
    """What ``--dist loadfile`` does, with the units above. Of three processes or more, the last takes what
    waits, and the others leave that to it as long as there is something else."""

    def _split_scope(self, nodeid):
        return unit(nodeid)

    def _assign_work_unit(self, node):
        if self.numnodes > 2:
            waits = node.gateway.id == f"gw{self.numnodes - 1}"
            wanted = next((name for name in self.workqueue if (name in WAITING) == waits), None)
            if wanted:
                self.workqueue.move_to_end(wanted, last=False)
        super()._assign_work_unit(node)
