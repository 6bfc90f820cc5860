"""Time is the processor's: a busy machine costs no points, and burning it buys none."""

import pytest

from grading.classroom.answers import Homework
from grading.classroom.grader import Grader
from grading.sandbox.host import Process, Sandbox
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook


class Fake(Process):
    """A process on a machine that gives it a share of the processor; it needs so much to answer."""

    def __init__(self, needs, share):
        self.needs, self.share, self.now = needs, share, 0.0

    def speaks(self, seconds):
        self.now += seconds
        return self.now * self.share >= self.needs

    def cpu(self):
        return self.now * self.share


@pytest.mark.parametrize("share", [1.0, 0.5, 0.3])
@pytest.mark.parametrize("needs", [0.01, 1.0, 9.5, 11.0, 100.0])
def test_processor_time_decides_under_any_load(monkeypatch, needs, share):
    one = Fake(needs, share)
    monkeypatch.setattr("grading.sandbox.host.time.monotonic", lambda: one.now)
    assert one.runs_out(10.0, last=40.0) == (needs > 10)
    assert one.now <= 40.0


def test_the_clock_is_a_backstop(monkeypatch):
    one = Fake(1.0, share=0.001)
    monkeypatch.setattr("grading.sandbox.host.time.monotonic", lambda: one.now)
    assert one.runs_out(10.0, last=40.0) and one.now == pytest.approx(40.0)


class TestInTheSandbox:
    pytestmark = needs_sandbox

    def test_what_waits_for_the_processor_is_not_slow(self, tmp_path):
        """It waits half as long again as it may compute: as if others had the processor meanwhile."""
        grader = Grader(
            Homework(exercise(tmp_path / "00-two.ipynb")), "a salt of the tests", call_seconds=1.0
        )
        waits = COUNT.replace("    values,", "    import time; time.sleep(1.5)\n    values,")
        burns = MEAN.replace("    exact", "    while True:\n        pass\n    exact", 1)
        try:
            result = grader.grade("ann", notebook([waits, burns]))
        finally:
            grader.close()
        assert result.points == 2, result.questions
        assert "was still running after 1 seconds" in result.questions["knn.4"].notes[-1]

    def test_processor_time_is_counted_by_the_supervisor_children_included(self):
        source = (
            "import os, time\n"
            "def burn():\n"
            "    child = os.fork()\n"
            "    while time.process_time() < 0.6:\n"
            "        pass\n"
            "    child == 0 and os._exit(0)\n"
            "    os.waitpid(child, 0)\n"
        )
        with Sandbox() as sandbox:
            process = sandbox.process()
            process.request({"op": "cell", "cell": 0, "source": source}, 60.0)
            before = process.cpu()
            process.request({"op": "call", "name": "burn", "args": {"~": "tuple", "v": []}, "seed": 0}, 60.0)
            assert 0.5 < process.cpu() - before
            assert process.close()["reason"] == "asked"
