"""`course grade`: grade a class. Goes on where it stopped; nothing is graded twice, nothing is lost.

Each of the workers is a process with a sandbox of its own. Results are written one by one as they come.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import datetime as dt
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from grading.classroom.answers import Homework, Unreadable
from grading.classroom.one import question_key
from grading.classroom.store import Store, StoreError
from grading.classroom.submissions import SubmissionError, choose, find_submissions
from grading.folder import course_folder
from grading.sandbox.host import ROOT, SandboxError

__all__ = ["arguments", "grade_class", "run"]

DIED = "the grader died"
ATTEMPTS = 3  # so often a worker is started, and a submission tried on which one died


GUIDE = """
submissions, in a folder or a zip:
  your own     <student>/02-pca.ipynb, or <student>.ipynb
  nbgrader     <student>/02-pca/<any>.ipynb, with timestamp.txt
  Moodle       its zip, or unpacked: Ann Lee_123_assignsubmission_file_/<any>.ipynb
  Canvas       its zip, or unpacked: leeann_LATE_123_456_<any>.ipynb
A file that is no notebook gets the status "needs a human" with the reason; the class goes on.

what is written:
  gradebook.csv   a line for each student: points of each question, status, time
  results/        all that was found, a file for each submission
  changes.jsonl   whose points changed in a later run, and why
  times.csv       submission, question, seconds
  salt            your secret, unless it is given: the inputs are drawn from it and the student's name.
                  It is never printed, and never inside the sandbox. Keep it.

Stopped, or killed at any moment, the same command goes on. It grades what is new, and again what
hangs on something that changed: a submission, a mended question, the salt, the environment.

Submissions run in a sandbox, on Linux with bubblewrap (apt-get install bubblewrap). Before the first
of them, probes try to break out; one that succeeds stops the run and is named.

examples:
  course grade 02 submissions/ -o grades/
  course grade 02 moodle.zip -o grades/ --take best --until "2026-11-20 23:59"
  course report grades/            then: the class report, and a page for each student

More in docs/grading.md.
"""


def arguments(parser):
    parser.formatter_class, parser.epilog = argparse.RawDescriptionHelpFormatter, GUIDE
    parser.add_argument("homework", help="the exercise: 02, 02-pca, or its file")
    parser.add_argument("submissions", type=Path, help="a folder or a zip, see below")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        help="the folder for the grades; started again, it goes on there",
    )
    parser.add_argument(
        "-j", "--workers", type=number_of_workers, default=2, help="submissions graded at a time (default: 2)"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="grade on a Dask cluster: the address that `dask scheduler` prints, tcp://…:8786",
    )
    parser.add_argument(
        "--take",
        choices=("last", "best", "first"),
        default="last",
        help="which of several submissions counts (default: last)",
    )
    parser.add_argument(
        "--until",
        type=moment,
        metavar="TIME",
        help='when it was due, "2026-11-20 23:59": what came later counts only for a student with '
        "nothing else, marked late",
    )
    parser.add_argument(
        "--salt",
        type=Path,
        metavar="FILE",
        help="the file with your secret; without it COURSE_SALT, else a new one in the output folder",
    )
    parser.add_argument(
        "--unsafe-no-sandbox",
        action="store_true",
        help="run submissions as they are, with all your rights: for notebooks that you wrote yourself",
    )
    parser.add_argument(
        "--memory", type=float, default=3.0, metavar="GB", help="for one submission (default: 3)"
    )


def moment(text):
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f'{text!r} is no time: write it as "2026-11-20 23:59"') from error
    return time if time.tzinfo else time.astimezone()


def number_of_workers(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of workers: write 1, or 2 …")
    return int(text)


def run(options):
    try:
        homework = find_homework(course_folder(), options.homework)
        told = grade_class(homework, options)
    except (SubmissionError, StoreError, SandboxError, Unreadable) as problem:
        print(f"course grade: {problem}", file=sys.stderr)
        return 1
    print(told)
    return 0


def find_homework(course, name):
    """The path of an exercise: by number, by name, or as a file."""
    if Path(name).is_file():
        return Path(name).resolve()
    name = f"{name:0>2}" if name.isdecimal() else name
    exercises = course / "exercises"
    found = sorted(exercises.glob(f"{name}.ipynb")) or sorted(exercises.glob(f"{name}-*.ipynb"))
    if not found:
        known = ", ".join(path.stem for path in sorted(exercises.glob("*.ipynb")))
        raise SubmissionError(f"there is no exercise {name!r}; there are {known}")
    return found[0]


def grade_class(path, options):
    """Grade what is not graded yet; write gradebook and report what was done, in a sentence."""
    homework, store = Homework(path), Store(options.output)
    if not homework.questions:
        raise SubmissionError(f"{path} asks no question: give an exercise, as a number (02) or as its file")
    with store.locked():
        salt = store.salt(options.salt)
        found = find_submissions(options.submissions, homework.name)
        wanted = choose(found, options.take, options.until)
        jobs = [job for job in (make_job(one, homework, salt, store) for one in wanted) if job]
        memory = int(options.memory * 2**30)
        settings = {
            "homework": str(path),
            "salt": salt,
            "limits": {"total_memory": memory, "memory": memory},
            "safe": not options.unsafe_no_sandbox,
        }
        for job in jobs:
            if job["problem"]:
                keep({"result": needs_human(job, job["problem"], settings), "seconds": {}}, job, store)
        grade_all = on_this_machine
        if options.scheduler:
            from grading.classroom.cluster import on_cluster as grade_all
        grade_all([job for job in jobs if not job["problem"]], settings, store, options)
        best = finish(wanted, Counter(one.student for one in found), homework, store, options)
    humans = sum(result["status"] != "graded" for result in best)
    return (
        f"{len(wanted)} submission{'' if len(wanted) == 1 else 's'}, {len(jobs)} of them graded now, the others "
        f"before; {humans} need a human. Gradebook: {store.folder / 'gradebook.csv'}. "
        f"Next: course report {store.folder}"
    )


def make_job(one, homework, salt, store):
    """What a worker needs, or None where all is graded already."""
    try:
        data, problem = one.read(), ""
    except Unreadable as error:
        data, problem = b"", str(error)
    sha = hashlib.sha256(data).hexdigest()
    before = store.load(file_name(one)) or {
        "questions": {},
        "sha256": "",
        "status": "",
        "reason": "",
        "errors": [],
    }
    known = {
        q.id: before["questions"][q.id]
        for q in homework.questions
        if before["questions"].get(q.id, {}).get("key") == question_key(q, salt, one.student, sha)
    }
    about = {
        "file": one.file,
        "submitted": one.time.isoformat(timespec="seconds"),
        "late": one.late,
        "order": [q.id for q in homework.questions],
    }
    unreadable = before["status"] == "needs a human" and not before["reason"].startswith(DIED)
    if before["sha256"] == sha and (len(known) == len(homework.questions) or unreadable):
        if {key: before.get(key) for key in about} != about:
            store.save(file_name(one), before | about)
        return None
    return {
        "name": file_name(one),
        "student": one.student,
        "data": base64.b64encode(data).decode(),
        "known": known,
        "errors": before["errors"] if before["sha256"] == sha else [],
        "about": about,
        "problem": problem,
        "attempts": 0,
    }


def file_name(one):
    """Of its result: the student, and where several are kept, the file."""
    from grading.classroom.fingerprint import digest

    return f"{one.name}-{digest(one.file)[:8]}"


# ---- workers on this machine


def on_this_machine(jobs, settings, store, options):
    from tqdm import tqdm

    waiting, failed = queue.Queue(), []
    for job in jobs:
        waiting.put(job)
    with tqdm(total=len(jobs), desc="grading", unit="submission", disable=None) as bar:
        threads = [
            threading.Thread(target=serve, args=(waiting, settings, store, bar, failed))
            for _ in range(min(options.workers, len(jobs)))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:  # each finishes what it has begun
            failed.append(StoreError("stopped. What was graded is kept: the same command goes on from here"))
            for thread in threads:
                thread.join()
    if failed:
        raise failed[0]


def serve(waiting, settings, store, bar, failed):
    """Feed one worker until nothing waits; a worker that dies is replaced."""
    worker = None
    while not failed:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        try:
            worker = worker or start_worker(settings)
            keep(worker.grade(job), job, store)
            bar.update()
        except WorkerDied as death:
            worker = worker and worker.stop()
            job["attempts"] += 1
            if job["attempts"] < ATTEMPTS:
                waiting.put(job)
            else:
                result = needs_human(job, f"{DIED} {ATTEMPTS} times on it: {death}", settings)
                keep({"result": result, "seconds": {}}, job, store)
                bar.update()
        except Exception as error:
            failed.append(error)
    if worker:
        worker.stop()


def keep(told, job, store):
    store.save(job["name"], told["result"] | job["about"])
    store.append(
        "times.csv", "".join(f"{job['name']},{id},{seconds:.3f}\n" for id, seconds in told["seconds"].items())
    )


def needs_human(job, reason, settings):
    sha = hashlib.sha256(base64.b64decode(job["data"])).hexdigest()
    homework = Homework(Path(settings["homework"]))
    return {
        "student": job["student"],
        "homework": homework.name,
        "sha256": sha,
        "status": "needs a human",
        "reason": reason,
        "points": 0.0,
        "of": homework.points,
        "questions": {},
        "errors": [],
    }


def start_worker(settings):
    """A worker that is ready; one that dies while it starts is replaced."""
    for _ in range(ATTEMPTS):
        try:
            return Worker(settings)
        except WorkerDied as death:
            last = death
    raise SandboxError(f"a worker died {ATTEMPTS} times while it started: {last}")


class WorkerDied(RuntimeError):
    """The worker's process ended; its last words."""


class Worker:
    """A grader in a process of its own."""

    def __init__(self, settings):
        self.words = tempfile.TemporaryFile()
        where = {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
        self.process = subprocess.Popen(  # -P: no module is taken from a folder of submissions
            [sys.executable, "-P", "-m", "grading.classroom.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            text=True,
            encoding="utf-8",
            env=os.environ | where,
            start_new_session=True,
        )
        told = self.ask(settings)
        if "refused" in told:
            self.stop()
            raise SandboxError(told["refused"])

    def ask(self, message):
        line = ""
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise WorkerDied(self.last_words())
        return json.loads(line)

    def grade(self, job):
        """{"result": …, "seconds": of each question}"""
        return self.ask({key: job[key] for key in ("student", "data", "known", "errors")})

    def last_words(self):
        self.process.wait(timeout=10)
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:500] if lines else f"exit status {self.process.returncode}"

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


# ---- after all


def finish(wanted, handed_in, homework, store, options):
    """The gradebook: the result that counts of each student, by the lecturer's rule.

    handed_in : {student: number of submissions}
    """
    best = {}
    for one in wanted:
        result = store.load(file_name(one))
        if result is not None and (one.student not in best or better(result, best[one.student])):
            best[one.student] = result
    rule = {"take": options.take, "until": options.until.isoformat() if options.until else None}
    store.write(
        store.folder / "class.json",
        json.dumps(
            {
                "homework": homework.name,
                "rule": rule,
                "several": {student: many for student, many in sorted(handed_in.items()) if many > 1},
                "counts": sorted(
                    file_name(one) for one in wanted if store.load(file_name(one)) == best.get(one.student)
                ),
            },
            indent=1,
        )
        + "\n",
    )
    store.write_gradebook([best[student] for student in sorted(best)])
    return list(best.values())


def better(a, b):
    return (not a["late"], a["points"]) > (not b["late"], b["points"])
