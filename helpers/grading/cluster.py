"""`course grade --scheduler tcp://…`: the same grades, from the workers of a Dask cluster.

Each thread of a Dask worker has a grader of its own, with its sandbox. A machine that is lost gives its submissions
back to the scheduler. The salt travels to the workers: use a network or a TLS scheduler that you trust.
"""
from __future__ import annotations

import threading
from pathlib import Path

from helpers.grading.fingerprint import of_environment
from helpers.grading.grade import ATTEMPTS, DIED, Worker, WorkerDied, keep, needs_human
from helpers.grading.store import StoreError

__all__ = ["grade_job", "grade_on_cluster"]

OWN = threading.local()         # the grader of this thread, and for what it was started


def grade_on_cluster(jobs, settings, store, options):
    """Hand out all jobs; keep each result as it comes."""
    try:
        from distributed import Client, as_completed
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise StoreError("a cluster needs Dask: pip install 'fewer-dimensions[cluster]'") from error
    from tqdm import tqdm
    exercise = Path(settings["homework"])
    with Client(options.scheduler, set_as_default=False) as client, tqdm(total=len(jobs), desc="grading", unit="submission", disable=None) as bar:
        waiting = {client.submit(grade_job, job, settings, exercise.read_bytes(), pure=False, retries=ATTEMPTS - 1): job for job in jobs}
        for future in as_completed(list(waiting)):
            job = waiting.pop(future)
            try:
                told = future.result()
            except (WorkerDied, KilledWorker) as death:
                told = {"result": needs_human(job, f"{DIED} {ATTEMPTS} times on it: {death}", settings), "seconds": {}}
            if told.setdefault("environment", of_environment()) != of_environment():
                raise StoreError("a worker of the cluster has another version of the course, of Python or of a package: install the same there")
            keep(told, job, store)
            bar.update()


def grade_job(job, settings, exercise: bytes):
    """On a worker: grade one submission with this thread's grader."""
    if getattr(OWN, "settings", None) != settings:
        close()
        OWN.grader, OWN.settings = Worker(settings, exercise), settings
    try:
        return OWN.grader.grade(job) | {"environment": of_environment()}
    except WorkerDied:
        close()
        raise


def close():
    if getattr(OWN, "settings", None) is not None:
        OWN.grader.stop()
    OWN.grader = OWN.settings = None
