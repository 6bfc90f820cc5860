"""Time is the processor's: a busy machine costs no points, and burning it buys none."""

import contextlib
import textwrap
import threading
import time

import pytest

import grading.classroom.submission_grader
from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from grading.classroom.turns import alone, beside_others
from grading.sandbox.host import Process, ProcessLost, Sandbox
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

    def test_what_waits_in_sockets_is_memory(self):
        source = (
            "import os, socket, time\n"
            "def fill():\n"
            "    for _ in range(24):\n"
            "        if os.fork() == 0:\n"
            "            pairs = [socket.socketpair() for _ in range(55)]\n"
            "            for one in [one for pair in pairs for one in pair]:\n"
            "                one.setblocking(False)\n"
            "                try:\n"
            "                    while one.send(bytes(2**16)): pass\n"
            "                except BlockingIOError: pass\n"
            "            time.sleep(60)\n"
            "    time.sleep(5)\n"
        )
        with Sandbox(limits={"total_memory": 2**29}) as sandbox:
            process = sandbox.process()
            process.request({"op": "cell", "cell": 0, "source": source}, 60.0)
            with pytest.raises(ProcessLost, match="memory"):
                process.request(
                    {"op": "call", "name": "fill", "args": {"~": "tuple", "v": []}, "seed": 0}, 60.0
                )


@pytest.fixture(scope="module")
def grader(tmp_path_factory):
    """Without a sandbox, so that an answer can leave a mark: it is slow on its first try alone."""
    homework = Homework(exercise(tmp_path_factory.mktemp("exercise") / "00-two.ipynb"))
    one = Grader(homework, "a salt of the tests", cell_seconds=2.0, call_seconds=1.0, safe=False)
    yield one
    one.close()


class TestOnceMore:
    """What ran out of time beside others is tried once more alone, and only then counts."""

    @pytest.mark.parametrize("where", ["in a cell", "in a call"])
    def test_an_answer_that_was_slow_once_is_right(self, grader, tmp_path, monkeypatch, where):
        tries = []
        monkeypatch.setattr(
            grading.classroom.submission_grader, "beside_others", noted(tries, "beside others")
        )
        monkeypatch.setattr(grading.classroom.submission_grader, "alone", noted(tries, "alone"))
        slow_once = (
            f"import pathlib\nif not (mark := pathlib.Path({str(tmp_path / 'mark')!r})).exists():\n"
            "    mark.touch()\n    while True:\n        pass\n"
        )
        inside = COUNT.replace("    values,", textwrap.indent(slow_once, "    ") + "    values,")
        cells = [slow_once + COUNT, MEAN] if where == "in a cell" else [inside, MEAN]
        result = grader.grade("ann", notebook(cells))
        assert (result.points, result.errors) == (5, [])
        assert tries[:2] == ["beside others", "alone"] and tries.count("alone") == 1

    def test_what_is_slow_alone_is_slow_and_costs_its_own_question(self, grader):
        result = grader.grade("ann", notebook(["def majority(labels):\n    while True:\n        pass", MEAN]))
        assert result.points == 3 and "still running after 1 seconds" in result.questions["knn.2"].notes[-1]

    def test_how_long_others_wait_is_bounded(self, grader, monkeypatch):
        monkeypatch.setattr(grading.classroom.submission_grader, "ALONE", 0.5)
        asked, answer = [], grader.answer
        monkeypatch.setattr(grader, "answer", lambda q, *more: asked.append(q.id) or answer(q, *more))
        hangs = [
            "def {}(*args):\n    while True:\n        pass".format(n) for n in ("majority", "knn_regress")
        ]
        assert grader.grade("ann", notebook(hangs)).points == 0
        assert asked == ["knn.2", "knn.4", "knn.2"]

    def test_two_hangs_cost_their_own_questions_however_slow_the_cells(self, tmp_path, monkeypatch):
        """Cells that run nearly as long as they may, twice run again: the third answer still has them."""
        monkeypatch.setattr(grading.classroom.submission_grader, "CELLS_SECONDS", 6.0)
        monkeypatch.setattr(grading.classroom.submission_grader, "ALONE", 0.0)
        stubs = dict.fromkeys(("knn.2", "knn.3", "knn.4"), "...")
        homework = Homework(exercise(tmp_path / "00-three.ipynb", stubs))
        hangs = "def {}(*args):\n    while True:\n        pass"
        cells = [
            *(hangs.format(homework.questions[i].name) for i in (0, 1)),
            *["import time; time.sleep(2)"] * 2,
            MEAN,
        ]
        one = Grader(homework, "a salt of the tests", call_seconds=0.5, safe=False)
        try:
            result = one.grade("ann", notebook(cells))
        finally:
            one.close()
        assert [answer.points for answer in result.questions.values()] == [0, 0, 3], result.questions

    def test_what_was_not_asked_by_the_deadline_needs_a_human_and_what_was_stands(self, grader, monkeypatch):
        monkeypatch.setattr(grading.classroom.submission_grader, "WHOLE", 6.0)
        hang = "def knn_regress(*args):\n    import time\n    time.sleep(9)"
        result = grader.grade("ann", notebook([COUNT, hang]))
        assert (result.status, result.points) == ("needs a human", 2), result
        assert "1 question" in result.reason and "knn.4" not in result.questions


def noted(tries, what):
    @contextlib.contextmanager
    def turn():
        tries.append(what)
        yield

    return turn


def test_who_is_alone_has_waited_for_all_and_all_wait_for_it():
    inside, most, go = [], [], threading.Event()

    def work(turn, name):
        go.wait()
        for _ in range(20):
            with turn():
                inside.append(name)
                time.sleep(0.001)
                most.append(sorted(inside))
                inside.remove(name)

    threads = [
        threading.Thread(target=work, args=one)
        for one in ((beside_others, "a"), (beside_others, "b"), (alone, "c"))
    ]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(60)
    assert ["c"] in most and ["a", "b"] in most and all(one == ["c"] for one in most if "c" in one)
