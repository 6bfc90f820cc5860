"""`course grade`: grade a class. Goes on where it stopped; nothing is graded twice, nothing is lost.

Each of the workers is a process with a sandbox of its own. Results are written one by one as they come.
"""
from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

from helpers.grading.answers import Homework, Unreadable
from helpers.grading.one import question_key
from helpers.grading.store import Store, StoreError
from helpers.grading.submissions import SubmissionError, choose, find_submissions

__all__ = ["arguments", "grade_class", "run"]

ATTEMPTS = 3                    # a submission during which the worker itself died so often needs a human


def arguments(parser):
    parser.add_argument("homework", help="the exercise: 02, 02-pca, or its file")
    parser.add_argument("submissions", type=Path, help="a folder (<student>/<homework>.ipynb or <student>.ipynb), or the zip of Moodle or Canvas")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder for the grades; started again, it goes on there")
    parser.add_argument("-j", "--workers", type=int, default=2, help="submissions graded at a time (default: 2)")
    parser.add_argument("--take", choices=("last", "best", "first"), default="last", help="which of several submissions counts (default: last)")
    parser.add_argument("--until", type=moment, metavar="TIME", help='when it was due, "2026-11-20 23:59": what came later does not count')
    parser.add_argument("--salt", type=Path, metavar="FILE", help="the file with your secret; without it COURSE_SALT, else a new one in the output folder")
    parser.add_argument("--memory", type=float, default=3.0, metavar="GB", help="for one submission (default: 3)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="grade on a cluster: the address of a Dask scheduler, tcp://…")


def moment(text):
    time = dt.datetime.fromisoformat(text)
    return time if time.tzinfo else time.astimezone()


def run(options):
    from helpers.cli import course_folder
    from helpers.grading.sandbox import SandboxError
    try:
        homework = find_homework(course_folder(), options.homework)
        told = grade_class(homework, options)
    except (SubmissionError, StoreError, SandboxError) as problem:
        print(f"course grade: {problem}", file=sys.stderr)
        return 1
    print(told)
    return 0


def find_homework(course, name):
    """The path of an exercise: by number, by name, or as a file."""
    if Path(name).is_file():
        return Path(name).resolve()
    found = sorted((course / "exercises").glob(f"{name}.ipynb")) or sorted((course / "exercises").glob(f"{name}-*.ipynb"))
    if not found:
        known = ", ".join(path.stem for path in sorted((course / "exercises").glob("*.ipynb")))
        raise SubmissionError(f"there is no exercise {name!r}; there are {known}")
    return found[0]


def grade_class(path, options):
    """Grade what is not graded yet; write gradebook and report what was done, in a sentence."""
    homework, store = Homework(path), Store(options.output)
    with store.locked():
        salt = store.salt(options.salt)
        wanted = choose(find_submissions(options.submissions, homework.name), options.take, options.until)
        jobs = [job for job in (make_job(one, homework, salt, store) for one in wanted) if job]
        limits = {"total_memory": int(options.memory * 2**30), "memory": int(options.memory * 2**30)}
        work = on_cluster if options.scheduler else on_this_machine
        work(jobs, path, salt, limits, store, options)
        finish(wanted, homework, store, options)
    humans = sum(result["status"] != "graded" for result in store.all())
    return (f"{len(wanted)} submissions, {len(jobs)} of them graded now, the others before; {humans} need a human. "
            f"Gradebook: {store.folder / 'gradebook.csv'}. Next: course report {store.folder}")


def make_job(one, homework, salt, store):
    """What a worker needs, or None where all is graded already."""
    try:
        data, problem = one.read(), ""
    except Unreadable as error:
        data, problem = b"", str(error)
    sha = hashlib.sha256(data).hexdigest()
    before = store.load(file_name(one)) or {"questions": {}, "sha256": "", "status": ""}
    known = {q.id: before["questions"][q.id] for q in homework.questions
             if before["questions"].get(q.id, {}).get("key") == question_key(q, salt, one.student, sha)}
    about = {"file": one.file, "submitted": one.time.isoformat(timespec="seconds"), "late": one.late, "order": [q.id for q in homework.questions]}
    if before["sha256"] == sha and (len(known) == len(homework.questions) or before["status"] == "needs a human"):
        if {key: before.get(key) for key in about} != about:
            store.save(file_name(one), before | about)
        return None
    return {"name": file_name(one), "student": one.student, "data": base64.b64encode(data).decode(), "known": known,
            "about": about, "problem": problem, "attempts": 0}


def file_name(one):
    """Of its result: the student, and where several are kept, the file."""
    from helpers.grading.fingerprint import digest
    return f"{one.name}-{digest(one.file)[:8]}"


# ---- workers on this machine

def on_this_machine(jobs, path, salt, limits, store, options):
    from tqdm import tqdm
    waiting, failed = queue.Queue(), []
    for job in jobs:
        waiting.put(job)
    with tqdm(total=len(jobs), desc="grading", unit="submission", disable=None) as bar:
        threads = [threading.Thread(target=serve, args=(waiting, path, salt, limits, store, bar, failed))
                   for _ in range(min(options.workers, len(jobs)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]


def serve(waiting, path, salt, limits, store, bar, failed):
    """Feed one worker until nothing waits; a worker that dies is replaced."""
    worker = None
    while not failed:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        try:
            worker = worker or Worker(path, salt, limits)
            began = time.perf_counter()
            result = needs_human(job, job["problem"], path) if job["problem"] else worker.grade(job)
            keep(result, job, store, time.perf_counter() - began)
            bar.update()
        except WorkerDied as death:
            worker = worker and worker.stop()
            job["attempts"] += 1
            if "sandbox" in str(death):
                failed.append(StoreError(str(death)))
            elif job["attempts"] < ATTEMPTS:
                waiting.put(job)
            else:
                keep(needs_human(job, f"the grader died {ATTEMPTS} times on it: {death}", path), job, store, 0)
                bar.update()
        except Exception as error:
            failed.append(error)
    if worker:
        worker.stop()


def keep(result, job, store, seconds):
    store.save(job["name"], result | job["about"])
    store.append("times.csv", f"{job['name']},{seconds:.3f}\n")


def needs_human(job, reason, path):
    data = base64.b64decode(job["data"])
    homework = Homework(path)
    return {"student": job["student"], "homework": homework.name, "sha256": hashlib.sha256(data).hexdigest(), "status": "needs a human",
            "reason": reason, "points": 0.0, "of": homework.points, "questions": {}, "errors": []}


class WorkerDied(RuntimeError):
    """The worker's process ended; its last words."""


class Worker:
    """A grader in a process of its own."""

    def __init__(self, path, salt, limits):
        import tempfile
        self.words = tempfile.TemporaryFile()
        self.process = subprocess.Popen([sys.executable, "-m", "helpers.grading.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.words, text=True, encoding="utf-8", bufsize=1)
        self.tell({"homework": str(path), "salt": salt, "limits": limits})

    def tell(self, message):
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied(self.last_words()) from error

    def grade(self, job):
        self.tell({key: job[key] for key in ("student", "data", "known")})
        line = self.process.stdout.readline()
        if not line:
            raise WorkerDied(self.last_words())
        return json.loads(line)

    def last_words(self):
        self.process.wait(timeout=10)
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:500] if lines else f"exit status {self.process.returncode}"

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def on_cluster(jobs, path, salt, limits, store, options):
    from helpers.grading.cluster import grade_on_cluster
    grade_on_cluster(jobs, path, salt, limits, store, options)


# ---- after all

def finish(wanted, homework, store, options):
    """The gradebook: the result that counts of each student, by the lecturer's rule."""
    best = {}
    for one in wanted:
        result = store.load(file_name(one))
        if result is not None and (one.student not in best or better(result, best[one.student])):
            best[one.student] = result
    rule = {"take": options.take, "until": options.until.isoformat() if options.until else None}
    store.write(store.folder / "class.json", json.dumps({"homework": homework.name, "rule": rule, "counts": sorted(
        file_name(one) for one in wanted if store.load(file_name(one)) == best.get(one.student))}, indent=1) + "\n")
    store.write_gradebook([best[student] for student in sorted(best)])


def better(a, b):
    return (not a["late"], a["points"]) > (not b["late"], b["points"])
