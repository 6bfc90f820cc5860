"""Submissions that would keep the lecturer's side busy, or fill its memory: it gives up on them, in words."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from grading.classroom import worker_pool
from grading.classroom.answers import Cell, Homework
from grading.classroom.notebook import ERRORS, Notebook
from grading.classroom.records import Graded, Job, Settings
from grading.classroom.store import Store
from grading.classroom.submission_grader import Grader
from grading.judge import CallFailed
from grading.registry import find
from grading.sandbox.inside import wire
from tests.attacks.test_attacks import ASKED, FRAMES, pipe
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook, worth

pytestmark = needs_sandbox

COLLIDING = "[[0, 0]] + [[i * (2**61 - 1), 0] for i in range(1, {n})]"


def raw(value):
    """An answer that writes this expression as its reply, by hand."""
    return pipe(
        f"data = json.dumps({{'id': {ASKED}['id'], 'ok': True, 'value': {value}}}).encode(); "
        "socket.socket(fileno=os.dup(fd)).sendall(struct.pack('<I', len(data)) + data)"
    )


def compiles(source):
    """Whether this Python takes it: 3.11 and 3.12 find 5000 terms too deep, 3.13 does not."""
    try:
        compile(source, "an answer", "exec")
    except RecursionError:
        return False
    return True


SUM = MEAN + "    return " + "+".join(["a.b.c"] * 5000)  # behind a right answer's own return
# name: the points that it deserves, and its cells
ATTACKS = {
    "a dict of 800,000 keys with one hash": worth(
        3, FRAMES, raw("{'~': 'dict', 'v': " + COLLIDING.format(n=800_000) + "}"), MEAN
    ),
    "a dict of 20,000 keys with one hash": worth(
        3, FRAMES, raw("{'~': 'dict', 'v': " + COLLIDING.format(n=20_000) + "}"), MEAN
    ),
    "the same, honestly": worth(
        3,
        "made = []\n"  # once: it is long in the making, and as long to judge
        "def majority(labels):\n"
        f"    made or made.append(dict({COLLIDING.format(n=20_000)}))\n"
        "    return made[0]",
        MEAN,
    ),
    "eight million empty lists": worth(3, FRAMES, raw("[[]] * 7_900_000"), MEAN),
    "a table of 100,000 columns": worth(3, FRAMES, raw("{'~': 'table', 'v': [['', []]] * 100_000}"), MEAN),
    "a dtype of 200,000 fields": worth(
        3, FRAMES, raw("{'~': 'array', 'd': 'f8,' * 200_000 + 'f8', 's': [1], 'b': ''}"), MEAN
    ),
    "an attribute 700 deep": worth(5, "a = 0\n" + COUNT, MEAN + "    return " + "a." * 700 + "a"),
    "an attribute 700 deep at the top": worth(5, "x = " + "a." * 700 + "a", COUNT, MEAN),
    "calls 700 deep": worth(5, COUNT, MEAN, "y = " + "f(" * 700 + ")" * 700),
    "a sum of 5000 terms in the answer": worth(5 if compiles(SUM) else 2, COUNT, SUM),
    "brackets 5000 deep": worth(5, "x = " + "[" * 5000 + "]" * 5000, COUNT, MEAN),
}


@pytest.fixture(scope="module")
def homework(tmp_path_factory):
    return Homework(exercise(tmp_path_factory.mktemp("exercise") / "00-two.ipynb"))


@pytest.fixture(scope="module")
def grader(homework):
    one = Grader(homework, "a salt of the tests", cell_seconds=4.0, call_seconds=20.0)
    yield one
    one.close()


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_sent_to_keep_the_judge_busy_costs_its_own_question(grader, name):
    """Processor time of this process, which decodes and judges: seconds, whatever else the machine does."""
    cells, points = ATTACKS[name]
    began = time.process_time()
    result = grader.grade("mallory", notebook(cells))
    assert (result.status, result.points) == ("graded", points), result.questions
    assert time.process_time() - began < 60


def test_a_reply_is_counted_before_it_is_built(monkeypatch):
    """Neither is the JSON read, nor a dict made, of what holds more than a reply may."""
    import socket

    monkeypatch.setattr(wire, "VALUES", 1000)
    for value, fits in (([0] * 990, True), ([0] * 1100, False), ([[]] * 600, False), ("a, b" * 10, True)):
        ours, theirs = socket.socketpair()
        wire.send(theirs, value)
        if fits:
            assert wire.receive(ours, None, wire.VALUES) == value
        else:
            monkeypatch.setattr(wire.json, "loads", lambda data: pytest.fail("it was read"))
            with pytest.raises(wire.WireError, match="too many values"):
                wire.receive(ours, None, wire.VALUES)
            monkeypatch.undo()
            monkeypatch.setattr(wire, "VALUES", 1000)


def test_an_honest_dict_of_many_keys_is_read():
    value = {i: str(i) for i in range(20_000)} | {f"key {i}": i for i in range(1000)} | {(1, 2): 3.5}
    assert wire.decode(json.loads(json.dumps(wire.encode(value)))) == value


def test_errors_of_a_cell_are_bounded_on_this_side():
    about = Notebook(None, (), "", [], {})
    for number in range(1, 50):
        about.note(number, {"ok": True, "errors": [["E" * 10**5, "x" * 10**6]] * 10_000})
    assert len(about.errors) == ERRORS[1] and max(map(len, about.errors)) < 1100
    assert sum(error.startswith("Cell 1:") for error in about.errors) == ERRORS[0]


class Slow:
    """A sandbox in which each cell takes a second of a clock that the test holds."""

    def __init__(self):
        self.now, self.ran = 0.0, 0

    def process(self, forbids):
        return self

    def requests(self, message, seconds, count):
        for _ in range(count):
            self.now += 1.0
            self.ran += 1
            yield {"ok": True, "errors": []}

    def close(self):
        pass


@pytest.mark.parametrize("cells", [5, 40, 400])
def test_all_cells_of_a_notebook_together_have_so_much_time(monkeypatch, cells):
    sandbox = Slow()
    monkeypatch.setattr("grading.classroom.notebook.time.monotonic", lambda: sandbox.now)
    about = Notebook(sandbox, (), "", [Cell(i, "code", "x") for i in range(cells)], {"cell": 30, "cells": 20})
    about.running()
    assert sandbox.ran <= 2 * 21
    assert bool(about.lost_cells) == (cells > 20)


@pytest.mark.parametrize("until", [50.0, 500.0])
def test_an_answer_that_loses_the_process_again_and_again_buys_no_time_beyond_the_deadline(
    monkeypatch, until
):
    sandbox = Slow()
    monkeypatch.setattr("grading.classroom.notebook.time.monotonic", lambda: sandbox.now)
    about = Notebook(sandbox, (), "", [Cell(i, "code", "x") for i in range(18)], {"cell": 30, "cells": 20})
    about.until = until
    for _ in range(100):
        about.running()
        about.process = None  # lost in a call
    assert until < sandbox.now <= until + 2 * 19 + 100


def test_who_works_alone_ends_when_others_have_waited_long_enough(monkeypatch):
    """However many cells there are, and however often an answer loses them."""
    sandbox = Slow()
    monkeypatch.setattr("grading.classroom.notebook.time.monotonic", lambda: sandbox.now)
    about = Notebook(sandbox, (), "", [Cell(i, "code", "x") for i in range(20)], {"cell": 30, "cells": 300})
    about.until = 50.0
    for _ in range(100):
        about.running()
        about.process = None
    assert sandbox.now <= 50 + 2 * 21 + 100 and about.stopped


@pytest.mark.parametrize("hangs", ["in calls", "in cells"])
def test_no_hang_costs_a_cell_its_time(monkeypatch, hangs):
    """Five of them in a row: the cells that are left run each time, as if it were the first."""
    sandbox = Slow()
    monkeypatch.setattr("grading.classroom.notebook.time.monotonic", lambda: sandbox.now)
    about = Notebook(sandbox, (), "", [Cell(i, "code", "x") for i in range(12)], {"cell": 30, "cells": 14})
    for i in range(5):
        about.running()
        if hangs == "in calls":
            about.ended(find("knn.2"), "time")
        else:
            about.lose(i + 1, "time")
    about.running()
    assert not [said for said in about.lost_cells if "not run" in said]


def test_a_name_that_is_gone_when_cells_were_not_run_again_is_no_error_of_the_answer():
    about = Notebook(None, (), "", [], {"call": 1.0})
    about.process = SimpleNamespace(
        request=lambda *a, **k: {"ok": False, "kind": "KeyError", "text": "'majority'"}
    )
    about.lost_cells = ["Cell 3 and those after it were not run."]
    with pytest.raises(CallFailed, match="^majority is not defined. Cell 3"):
        about.answer(find("knn.2"), ([1, 2],))


# ---- the deadline, and Ctrl-C

HANGS = """
import sys, time
from grading.classroom import worker_process
from grading.classroom.submission_grader import Grader
grade = Grader.grade
def hangs(self, student, *about):
    while student == "mallory":
        try:
            time.sleep(0.1)
        except BaseException:
            pass
    return grade(self, student, *about)
Grader.grade = hangs
worker_process.main()
"""


@pytest.fixture
def hanging(monkeypatch, tmp_path):
    """Workers that never come to an end with mallory's submission."""
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    started = subprocess.Popen

    def popen(words, **how):
        return started([sys.executable, str(tmp_path / "hangs.py")], **how)

    monkeypatch.setattr(worker_pool.subprocess, "Popen", popen)


@pytest.mark.usefixtures("hanging")
def test_a_submission_that_never_ends_is_given_up_and_named(homework, tmp_path, monkeypatch):
    path = exercise(tmp_path / "00-two.ipynb")
    graded = worker_pool.Worker.grade

    def grade(self, job):
        self.seconds = 2.0 if job.student == "mallory" else 60.0
        return graded(self, job)

    monkeypatch.setattr(worker_pool.Worker, "grade", grade)
    jobs = [Job(name, name, notebook([COUNT, MEAN])) for name in ("mallory", "ann")]
    store = Store(tmp_path / "grades")
    worker_pool.on_this_machine(jobs, Settings(path, "a salt of the tests"), store, workers=1)
    found = {r.student: r for r in store.all()}
    assert found["ann"].points == 5
    assert found["mallory"].status == "needs a human" and "took longer than" in found["mallory"].reason
    assert not store.under_way()


PRESSES = """
import signal, sys
from pathlib import Path
from grading.classroom import worker_pool
from grading.classroom.records import Job, Settings
from grading.classroom.store import Store
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
real = worker_pool.subprocess.Popen
worker_pool.subprocess.Popen = lambda words, **how: real([sys.executable, {hangs!r}], **how)
jobs = [Job(name, "mallory", b"") for name in ("one", "two", "three")]
worker_pool.on_this_machine(jobs, Settings(Path({path!r}), "a salt of the tests"), Store({grades!r}), workers=2)
"""


def test_ctrl_c_ends_a_run_whatever_a_submission_does_and_the_next_begins_with_all_others(tmp_path):
    (tmp_path / "hangs.py").write_text(HANGS, encoding="utf-8")
    path = exercise(tmp_path / "00-two.ipynb")
    grades = str(tmp_path / "grades")
    source = PRESSES.format(hangs=str(tmp_path / "hangs.py"), path=str(path), grades=grades)
    with subprocess.Popen([sys.executable, "-c", source], stderr=subprocess.PIPE, text=True) as run:
        try:
            store, end = Store(tmp_path / "grades"), time.monotonic() + 120
            while len(store.under_way()) < 2:
                assert time.monotonic() < end and run.poll() is None
                time.sleep(0.05)
            time.sleep(1)
            run.send_signal(signal.SIGINT)
            said = run.communicate(timeout=60)[1]
        finally:
            run.kill()  # a test that fails ends
    assert run.returncode == 1 and "stopped. What was graded is kept" in said
    assert store.under_way() == {"one", "two"} and store.all() == []


# ---- the folder of grades


@pytest.mark.parametrize(
    "damage",
    [
        "[]",
        '{"a": 1}',
        "7",
        '{"student": 1, "questions": 3}',
        "{",
        '{"questions": {"knn.2": 7}}',
        "\x00",
        '{"student": "ann", "homework": "x", "sha256": "", "of": "five"}',
        "[" * 100_000,
    ],
)
def test_a_damaged_result_is_none(tmp_path, damage):
    store = Store(tmp_path)
    store.path("ann").write_text(damage, encoding="utf-8")
    assert store.load("ann") is None and store.all() == []
    store.save("ann", Graded("ann", "00-two", "", 5.0))
    assert store.load("ann").student == "ann"


def test_a_folder_where_a_result_should_be_is_put_aside(tmp_path):
    store = Store(tmp_path)
    (store.path("ann") / "mine").mkdir(parents=True)
    assert store.load("ann") is None
    store.save("ann", Graded("ann", "00-two", "", 5.0))
    assert store.load("ann").student == "ann"
    assert [(path / "mine").is_dir() for path in store.results.glob("ann.json.folder-*")] == [True]


@pytest.mark.usefixtures("hanging")
def test_a_worker_ends_with_who_started_it_whatever_it_is_busy_with(tmp_path):
    path, started = exercise(tmp_path / "00-two.ipynb"), []

    def start():  # to the kernel the thread is who started it
        worker = worker_pool.Worker(Settings(path, "a salt of the tests"))
        worker.process.stdin.write(json.dumps(Job("m", "mallory", b"").to_json()) + "\n")
        worker.process.stdin.flush()
        started.append(worker)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert started[0].process.wait(10) == -9


def test_the_worker_limits_its_own_memory():
    source = (
        "from grading.classroom.worker_process import limit_memory\nimport numpy as np\nlimit_memory(2**32)\n"
        "try:\n    np.ones(2**30)\nexcept MemoryError:\n    print('refused')"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, cwd=root, env=dict(os.environ)
    )
    assert done.stdout == "refused\n", done.stderr
