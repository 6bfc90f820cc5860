"""Damaged code in the sandbox: none crashes or hangs the grader, or costs the next submission a point."""

import json
import random
import subprocess
import sys

from grading.classroom.answers import Homework
from grading.imports import ROOT
from tests.grading import fuzz, kills, small

pytestmark = small.needs_sandbox


def test_damaged_code_crashes_and_hangs_nothing(tmp_path):
    results = fuzz.run_through_the_sandbox(
        Homework(small.exercise(tmp_path / "00-two.ipynb")), random.Random(0), 20
    )
    assert sum(results.values()) == 20 and len(results) > 2


def test_damaged_replies_crash_nothing_and_gain_nothing():
    counted = fuzz.run_replies(random.Random(1), 200)
    assert {points for _, points in counted} == {0} and len(counted) == 2, counted


def test_a_whole_reply_is_read_so_that_the_others_could_gain_something():
    question = fuzz.find("knn.1")
    body = json.dumps({"id": 1, "ok": True, "value": fuzz.wire.encode(question.truth)}).encode()
    assert fuzz.judged_reply(question, len(body).to_bytes(4, "little") + body).full


def test_a_class_whose_grader_is_killed_at_random_is_graded_as_if_nothing_had_happened(tmp_path):
    """With workers that answer at once."""

    def start(output):
        return subprocess.Popen([sys.executable, "-c", QUICK, str(output)], cwd=ROOT)

    killed, _ = kills.same_after_kills(start, tmp_path, random.Random(0), kills=2, longest=0.6)
    assert killed.total() == 2


# The store and the queue as they are; the worker is a function.
QUICK = """
import sys, time
from pathlib import Path
from grading.classroom import worker_pool
from grading.classroom.records import Graded, Job, Reply, Settings
from grading.classroom.store import Store
def answer(self, job):
    time.sleep(0.01)
    return Reply(Graded(job.student, "00-two", "", 5.0, points=2.0))
worker_pool.Worker.__init__ = worker_pool.Worker.stop = lambda self, *settings: None
worker_pool.Worker.grade = answer
store = Store(Path(sys.argv[1]))
with store.locked():
    jobs = [Job(name, name, b"") for name in map(str, range(60)) if store.load(name) is None]
    if jobs:
        worker_pool.on_this_machine(jobs, Settings(Path("00-two.ipynb"), "salt"), store, workers=2)
    store.write_gradebook(sorted(store.all(), key=lambda r: r.student))
    store.write(store.folder / "class.json", "{}")
"""
