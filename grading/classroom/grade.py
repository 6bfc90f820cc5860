"""`course grade`: grade a class. Goes on where it stopped; nothing is graded twice, nothing is lost.

Each of the workers is a process with a sandbox of its own. Results are written one by one as they come.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections import Counter
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

from grading.classroom.answers import Homework, Unreadable, find_homework, without_outputs
from grading.classroom.fingerprint import digest, question_key
from grading.classroom.plain_text import printable
from grading.classroom.records import Handed, Job, Settings, sha_of
from grading.classroom.roster import compare, read_roster
from grading.classroom.store import Store, StoreError
from grading.classroom.submissions import SubmissionError, choose, look_through
from grading.classroom.worker_pool import DIED, keep, needs_human, on_this_machine
from grading.sandbox.host import SandboxError

GUIDE = """
submissions, in a folder or a zip:
  your own     <student>/02-scales.ipynb, <student>.ipynb, or <student>.zip
  nbgrader     <student>/02-scales/<any>.ipynb, with timestamp.txt
  Moodle       its zip, or unpacked: Ann Lee_123_assignsubmission_file_/<any>.ipynb
  Canvas       its zip, or unpacked: leeann_LATE_123_456_<any>.ipynb
  Blackboard   Homework 2_annlee_attempt_2026-11-19-10-00-00_<any>.ipynb
  others       a folder for each student; folders around the class are passed over
A student is the name and the number that the course system gives: "Ann Lee (123)".
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
  course grade 02 moodle.zip -o grades/ --class students.csv
  course report grades/            then: the class report, and a page for each student

More in docs/grading.md.
"""


def arguments(parser):
    parser.formatter_class, parser.epilog = argparse.RawDescriptionHelpFormatter, GUIDE
    parser.add_argument("homework", help="the exercise: its number (02), its name, or its file")
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
        "--class",
        dest="roster",
        type=Path,
        metavar="CSV",
        help="the class list, with a column `student` or `id`: says who is missing, unexpected or double",
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
        return time if time.tzinfo else time.astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(f'{text!r} is no time: write it as "2026-11-20 23:59"') from error


def number_of_workers(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of workers: write 1, or 2 …")
    return int(text)


@dataclass(frozen=True)
class Choices:
    """How a class is graded.

    take, until : which of several submissions counts; when it was due
    roster, salt : files, the class list and the secret
    memory : bytes for one submission
    safe : False runs submissions without a sandbox
    workers : submissions graded at a time
    """

    take: str = "last"
    until: dt.datetime | None = None
    roster: Path | None = None
    salt: Path | None = None
    memory: int = 3 * 2**30
    safe: bool = True
    workers: int = 2


def run(options):
    own = {part.name: getattr(options, part.name) for part in fields(Choices) if hasattr(options, part.name)}
    own |= {"memory": int(options.memory * 2**30), "safe": not options.unsafe_no_sandbox}
    try:
        homework = find_homework(options.homework)
        summary = grade_class(homework, options.submissions, options.output, Choices(**own))
    except (SubmissionError, StoreError, SandboxError, Unreadable) as problem:
        print(f"course grade: {problem}", file=sys.stderr)
        return 1
    print(summary)
    return 0


def grade_class(exercise: Path, submissions: Path, output: Path, choices: Choices = Choices()) -> str:
    """Grade what is not graded yet; write gradebook and report what was done, in a sentence.

    exercise : its file
    submissions : a folder or a zip
    output : the folder for the grades
    """
    homework, store = Homework(exercise), Store(output)
    if not homework.ids:
        raise SubmissionError(
            f"{exercise} asks no question: give an exercise, as a number (02) or as its file"
        )
    with store.locked():
        salt, noted = store.salt(choices.salt), len(store.changed())
        roster = read_roster(choices.roster) if choices.roster else None
        found = look_through(submissions, homework.name)
        people = everybody(found, roster)
        wanted = choose(found.submissions, choices.take, choices.until, partial(answered, homework))
        jobs = [job for job in (make_job(one, homework, salt, store) for one in wanted) if job]
        limits = {"total_memory": choices.memory, "memory": choices.memory}
        if jobs:
            settings = Settings(exercise, salt, limits, choices.safe)
            grade_jobs(jobs, settings, store, choices.workers, lambda: homework.points)
        titles = store.titles(homework.ids) or {q.id: q.title for q in homework.questions}
        best = finish(wanted, people, homework, titles, store, choices)
        moved = store.changed()[noted:]
    humans = sum(not result.is_graded for result in best)
    return (
        said(found, people, wanted, output)
        + said_of_changes(moved)
        + (
            f"{len(wanted)} submission{'' if len(wanted) == 1 else 's'}, {len(jobs)} of them graded now, "
            f"the others before; {humans} need a human. Gradebook: {store.folder / 'gradebook.csv'}. "
            f"Next: course report {store.folder}"
        )
    )


def grade_jobs(jobs, settings, store, workers, of):
    for job in jobs:
        if job.problem:
            keep(needs_human(job, job.problem, settings, of()), job, store)
    interrupted = store.under_way()  # what the last run was busy with when it ended comes last
    to_grade = sorted((job for job in jobs if not job.problem), key=lambda job: job.name in interrupted)
    on_this_machine(to_grade, settings, store, workers, of)


def make_job(one, homework, salt, store) -> Job | None:
    """What a worker needs, or None where all is graded already."""
    try:
        data, problem = without_outputs(one.read()), ""
    except Unreadable as error:
        data, problem = b"", str(error)
    sha, before = sha_of(data), store.load(file_name(one))
    submitted = one.time.isoformat(timespec="seconds") if one.time else ""
    handed = Handed(one.file, submitted, one.late, homework.ids)
    answers = {
        id: before.questions[id]
        for id in homework.ids
        if before and id in before.questions
        if before.questions[id].key == question_key(id, salt, one.student, sha)
    }
    same = before is not None and before.sha256 == sha
    unreadable = same and not before.is_graded and not before.reason.startswith(DIED)
    if same and (len(answers) == len(homework.ids) or unreadable):
        if before.handed != handed:
            store.save(file_name(one), before.of_file(handed))
        return None
    return Job(file_name(one), one.student, data, handed, answers, before.errors if same else [], problem)


def file_name(one):
    """Of its result: the student, and where several are kept, the file."""
    return f"{one.name}-{digest(one.file)[:8]}"


# ---- after all


def everybody(found, roster):
    """Who handed in what, of the class list too: what a lecturer has to know before trusting a gradebook."""
    handed_in = Counter(one.student for one in found.submissions)
    people = {
        "several": {student: many for student, many in sorted(handed_in.items()) if many > 1},
        "left_out": found.left_out,
        "ids": {one.student: one.id for one in found.submissions if one.id},
    }
    if roster is not None:
        students = {one.student: one.id for one in found.submissions}
        people["class"] = compare(roster, students)
        strangers = set(people["class"]["unexpected"])
        if len(roster) >= A_CLASS and (len(students) == 1 or strangers == set(students)):
            raise SubmissionError(
                f"the class list names {len(roster)}, and here is "
                + (f"one student: {next(iter(students))}" if len(students) == 1 else "nobody of them")
                + ". Give the folder or zip in which a folder or file of each student lies; if it is as it "
                "should be, leave out --class"
            )
    return people


LINE = 2000  # letters of a line that is told
CHANGES = 10  # of points, that are told at the end of a run
A_CLASS = 5  # names on a list, of which one alone hands nothing in
LISTED = {
    "missing": "on the class list, and handed nothing in",
    "unexpected": "handed in, and not on the class list",
    "double": "there twice, so that nobody can tell who is who",
}


def answered(homework, one):
    """How many answers stand in a submission; what nobody can read may hold some."""
    try:
        return homework.answered(one.read())
    except Unreadable:
        return 1


def said(found, people, wanted, output):
    """The same in lines, a line for what there is; and which of several files counts."""
    lines = (
        [f"All of them lie in {found.inside}: whose a file is, the folders there say."]
        if found.inside
        else []
    )
    lines += [
        f"Left out: {who}, of whom there is no notebook but {', '.join(files[:3])}"
        for who, files in people["left_out"].items()
        if who != output.name
    ]
    for student in people["several"]:
        many = [one.file for one in found.submissions if one.student == student]
        taken = [one.file for one in wanted if one.student == student]
        counts = "the best of" if len(taken) > 1 else "what counts is"
        rest = [file for file in many if file not in taken]
        lines.append(f"{student}: {counts} {', '.join(taken)}" + (f", not {', '.join(rest)}" if rest else ""))
    if any(one.time is None for one in wanted):
        lines.append("Canvas' files tell no time: late is who is marked LATE there.")
    for kind, names in people.get("class", {}).items():
        lines += [f"{len(names)} {LISTED[kind]}: {', '.join(names)}"] if names else []
    if "class" in people and not any(people["class"].values()):
        lines.append("Everybody on the class list handed in, and nobody else.")
    return "".join(f"{shortened(printable(line))}\n" for line in lines)


def shortened(line):
    """The name of a file in a zip may have 60,000 letters."""
    return line if len(line) <= LINE else f"{line[:LINE]} …"


def said_of_changes(moved):
    """Whose points changed in this run: the first few."""
    lines = [
        f"{one['student']}, {one['question']}: {one['before']:g} → {one['after']:g}, {one['why']}"
        for one in moved[:CHANGES]
    ]
    more = [f"… and {len(moved) - CHANGES} more: see the report"] if len(moved) > CHANGES else []
    return "".join(f"{printable(line)}\n" for line in (*lines, *more))


def finish(wanted, people, homework, titles, store, choices):
    """The gradebook: the result that counts of each student, by the lecturer's rule."""
    best = {}  # {student: (name of its file, result)}
    for one in wanted:
        name, result = file_name(one), store.load(file_name(one))
        if result is not None and (one.student not in best or better(result, best[one.student][1])):
            best[one.student] = name, result
    about = {
        "homework": homework.name,
        "exercise": str(homework.path.resolve()),
        "titles": titles,
        "rule": {"take": choices.take, "until": choices.until.isoformat() if choices.until else None},
        **people,
        "counts": sorted(name for name, _ in best.values()),
    }
    store.write(store.folder / "class.json", json.dumps(about, indent=1) + "\n")
    store.write_gradebook([best[student][1] for student in sorted(best)])
    return [result for _, result in best.values()]


def better(a, b):
    return (not a.handed.late, a.points) > (not b.handed.late, b.points)
