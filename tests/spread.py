"""How tests are dealt to several processes: file by file, and of the homework's trials question by question.

The cells of a notebook share a kernel, so they stay together. The trials of a question share what its answers
gave; those of another question can run elsewhere.
"""

import re

from xdist.scheduler import LoadFileScheduling

__all__ = ["ByFileAndQuestion"]

TRIAL = re.compile(r"tests/homework/test_questions\.py::test_every_question\[\w+-([a-z_]+\.\d+)\]")


class ByFileAndQuestion(LoadFileScheduling):
    """What ``--dist loadfile`` does; but the trials of a question are a file of their own."""

    def _split_scope(self, nodeid):
        trial = TRIAL.fullmatch(nodeid)
        return trial[1] if trial else super()._split_scope(nodeid)
