"""Workers on this machine: graders in processes of their own, fed from one queue, replaced when they die."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

from tqdm import tqdm

from grading.classroom.records import NEEDS_A_HUMAN, Graded, Job, Reply, Settings, sha_of
from grading.classroom.store import Store, StoreError
from grading.imports import ROOT
from grading.sandbox.host import SandboxError

DIED = "the grader died"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # read when NumPy is imported
START, LATEST = 600.0, 1800.0  # seconds for a worker to be ready; for one submission, all of it
SLOW = "it took longer than {minutes:g} minutes. Look for an answer, or a cell, that keeps the grader busy"
STARTING = threading.Lock()  # one after the other: the first grades while the next imports its libraries
ATTEMPTS = 3  # so often a worker is started, and a submission tried on which one died


class WorkerDied(RuntimeError):
    """The worker's process ended; its last words."""


class TookTooLong(RuntimeError):
    """The worker was still busy with a submission at the deadline, and was killed."""


class Worker:
    """A grader in a process of its own."""

    seconds = LATEST  # after which a submission is given up
    living: set[Worker] = set()  # for Ctrl-C, which ends them all
    layers: dict[str, bool] = {}  # of its sandbox
    titles: dict[str, str] = {}  # of the questions

    def __init__(self, settings: Settings):
        self.words = tempfile.TemporaryFile()
        where = {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
        self.process = subprocess.Popen(  # -P: no module is taken from a folder of submissions
            [sys.executable, "-P", "-m", "grading.classroom.worker_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            text=True,
            encoding="utf-8",
            env=os.environ | where | dict.fromkeys(THREADS, "1"),
            start_new_session=True,
        )
        self.living.add(self)
        ready = self.ask(settings)
        if "refused" in ready:
            self.stop()
            raise SandboxError(ready["refused"])
        self.layers, self.titles = ready["layers"], ready["titles"]

    def ask(self, message: Settings | Job, seconds: float = START) -> dict:
        """What it says to that. Raises WorkerDied, or TookTooLong: then it is dead, too."""
        late, line = threading.Event(), ""
        alarm = threading.Timer(seconds, lambda: (late.set(), self.kill()))
        alarm.daemon = True
        alarm.start()
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(message.to_json()) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        alarm.cancel()
        if line.endswith("\n"):
            return json.loads(line)
        if late.is_set():
            raise TookTooLong(SLOW.format(minutes=seconds / 60))
        raise WorkerDied(self.last_words())

    def kill(self):
        """At once; its sandbox ends with it."""
        self.process.kill()

    def grade(self, job: Job) -> Reply:
        return Reply.from_json(self.ask(job, self.seconds))

    def last_words(self):
        self.process.wait(timeout=10)
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:500] if lines else f"exit status {self.process.returncode}"

    def stop(self):
        self.living.discard(self)
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def start_worker(settings: Settings) -> Worker:
    """A worker that is ready; one that dies while it starts is replaced."""
    for _ in range(ATTEMPTS):
        try:
            return Worker(settings)
        except (WorkerDied, TookTooLong) as death:
            last = death
    raise SandboxError(f"a worker died {ATTEMPTS} times while it started: {last}")


def next_worker(settings, store, failed):
    """One that is ready, unless another failed to be."""
    with STARTING:
        if failed:
            raise failed[0]
        worker = start_worker(settings)
    store.note_layers(worker.layers)
    store.told = worker.titles
    return worker


def on_this_machine(jobs: list[Job], settings: Settings, store: Store, workers: int = 2, of=lambda: 0.0):
    """Hand out all jobs; keep each result as it comes.

    of : gives what the homework is worth; asked late, since its questions take long to import
    """
    waiting, failed = queue.Queue(), []
    for job in jobs:
        waiting.put(job)
    with tqdm(total=len(jobs), desc="grading", unit="submission", disable=None) as bar:
        threads = [
            threading.Thread(target=serve, args=(waiting, settings, store, bar, failed, of))
            for _ in range(min(workers, len(jobs)))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:  # at once, whatever a submission is doing
            failed.append(StoreError("stopped. What was graded is kept: the same command goes on from here"))
            while any(thread.is_alive() for thread in threads):
                for worker in list(Worker.living):
                    worker.kill()
                threads[-1].join(0.1)
    if failed:
        raise failed[0]


def serve(waiting, settings, store, bar, failed, of):
    """Feed one worker until nothing waits; a worker that dies is replaced."""
    worker = None
    while not failed:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        try:
            if worker is None:
                worker = next_worker(settings, store, failed)
            store.begin(job.name)
            keep(worker.grade(job), job, store)
            bar.update()
        except TookTooLong as slow:
            worker = worker and worker.stop()
            keep(needs_human(job, str(slow), settings, of()), job, store)
            bar.update()
        except WorkerDied as death:
            worker = worker and worker.stop()
            if failed:
                break
            try_again(job.again(), death, waiting, settings, store, bar, of)
        except Exception as error:
            failed.append(error)
    if worker:
        worker.stop()


def try_again(job, death, waiting, settings, store, bar, of):
    """Once more with another worker; a submission on which several died is set aside."""
    if job.attempts < ATTEMPTS:
        waiting.put(job)
    else:
        keep(needs_human(job, f"{DIED} {ATTEMPTS} times on it: {death}", settings, of()), job, store)
        bar.update()


def keep(reply: Reply, job: Job, store: Store):
    store.save(job.name, reply.result.of_file(job.handed))
    store.end(job.name)
    lines = [f"{job.name},{id},{seconds:.3f}\n" for id, seconds in reply.seconds.items()]
    store.append("times.csv", "".join(lines))


def needs_human(job: Job, reason: str, settings: Settings, of: float) -> Reply:
    """The reply on a submission that nothing could grade."""
    name = settings.homework.stem
    return Reply(Graded(job.student, name, sha_of(job.data), of, NEEDS_A_HUMAN, reason))
