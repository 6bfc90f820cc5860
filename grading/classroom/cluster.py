"""`course grade --scheduler tcp://…`: the same grades, from the workers of a Dask cluster.

A task is one submission. Each thread of a Dask worker has a grader in a process of its own, as `course
grade` has on one machine, with a sandbox that stays warm. Results come back to the machine with the
gradebook, which alone writes.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from grading.classroom.answers import Homework
from grading.classroom.fingerprint import of_environment
from grading.classroom.records import Job, Reply, Settings
from grading.classroom.store import Store, StoreError
from grading.classroom.worker_pool import (
    ATTEMPTS,
    DIED,
    TookTooLong,
    WorkerDied,
    keep,
    needs_human,
    start_worker,
)
from grading.imports import ROOT
from grading.registry import PACKAGE, folders
from grading.sandbox.host import SandboxError

OWN = threading.local()  # the grader of this thread, and for what it was started
AHEAD = 3  # submissions under way for each thread: enough that none waits, and few in memory


class Sealed:
    """What no log of the cluster may show: the salt, names, answers."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "Sealed"


def on_cluster(jobs: list[Job], settings: Settings, store: Store, scheduler: str, exercise: dict[str, bytes]):
    """Hand out all jobs; keep each result as it comes.

    exercise : its files, which a worker writes beside each other; see `exercise_files`
    """
    distributed = dask_distributed()
    with (
        connected(distributed, scheduler) as client,
        tqdm(total=len(jobs), desc="grading", unit="submission", disable=None) as bar,
    ):
        waiting, under_way, done = list(reversed(jobs)), {}, distributed.as_completed(loop=client.loop)

        def hand_out():
            while waiting and len(under_way) < AHEAD * max(1, sum(client.nthreads().values())):
                job = waiting.pop()
                task = client.submit(
                    grade_job, Sealed((job, settings, exercise)), pure=False, retries=ATTEMPTS - 1
                )
                under_way[task] = job
                done.add(task)

        hand_out()
        for task in done:
            job = under_way.pop(task)
            reply = answer(task, job, settings)
            store.note_layers(reply.layers)
            keep(reply, job, store)
            bar.update()
            hand_out()


def exercise_files(homework: Homework) -> dict[str, bytes]:
    """The exercise, and the lecturer's own folders with its questions: a worker has the course's."""
    files = {homework.path.name: homework.path.read_bytes()}
    for topic in homework.topics:
        own = folders()[topic]
        if not own.is_relative_to(ROOT / PACKAGE):
            found = [part for part in own.rglob("*") if part.is_file() and "__pycache__" not in part.parts]
            files |= {
                f"{PACKAGE}/{part.relative_to(own.parent).as_posix()}": part.read_bytes() for part in found
            }
    return files


def dask_distributed():
    try:
        import distributed
    except ImportError as error:
        raise StoreError("a cluster needs Dask: pip install 'fewer-dimensions[cluster]'") from error
    return distributed


@contextlib.contextmanager
def connected(distributed, address):
    """A client of the scheduler; when that is gone, says so."""
    try:
        client = distributed.Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StoreError(
            f"no scheduler answers at {address}: start it with `dask scheduler`, or mend the address"
        ) from error
    try:
        with client:
            yield client
    except (distributed.client.FutureCancelledError, distributed.comm.CommClosedError) as error:
        raise StoreError(
            "the scheduler is gone. What was graded is kept: the same command goes on from here"
        ) from error
    except KeyboardInterrupt:
        raise StoreError("stopped. What was graded is kept: the same command goes on from here") from None


def answer(task, job: Job, settings: Settings) -> Reply:
    """What a worker found; a submission on which workers died again and again needs a human."""
    from distributed.scheduler import KilledWorker

    try:
        reply = task.result()
    except (WorkerDied, KilledWorker) as death:
        why = str(death) if isinstance(death, WorkerDied) else "its machine or the worker was gone each time"
        return needs_human(job, f"{DIED} {ATTEMPTS} times on it: {why}", settings)
    except SandboxError as problem:
        raise SandboxError(f"on a worker of the cluster: {problem}") from problem
    if reply.environment != of_environment():
        raise StoreError(
            "a worker of the cluster has another version of the course, of Python or of a package: "
            "install the same there"
        )
    return reply


# ---- on a worker


def grade_job(sealed: Sealed) -> Reply:
    """Grade one submission with this thread's grader, which is started where it is not there yet."""
    job, settings, exercise = sealed.value
    if getattr(OWN, "wanted", None) != (settings, exercise):
        stop()
        OWN.folder = tempfile.TemporaryDirectory(prefix="course-exercise-")
        path = Path(OWN.folder.name, settings.homework.name)
        for name, data in exercise.items():
            (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (path.parent / name).write_bytes(data)
        OWN.grader, OWN.wanted = start_worker(replace(settings, homework=path)), (settings, exercise)
    try:
        reply = OWN.grader.grade(job)
        return replace(reply, environment=of_environment(), layers=OWN.grader.layers)
    except TookTooLong as slow:
        stop()
        return replace(needs_human(job, str(slow), settings), environment=of_environment())
    except WorkerDied:
        stop()
        raise


def stop():
    if getattr(OWN, "wanted", None) is not None:
        OWN.grader.stop()
        OWN.folder.cleanup()
    OWN.grader = OWN.folder = OWN.wanted = None
