"""`course grade` from end to end: a small class, one worker or two, killed and started again, its pages."""

import contextlib
import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from course.cli import main
from grading.classroom import grade, worker_pool
from grading.classroom.answers import Homework
from grading.classroom.fingerprint import of_environment, question_key
from grading.classroom.notebook import Notebook
from grading.classroom.records import Answer, Graded, Reply, sha_of
from grading.classroom.report import write_report
from grading.classroom.store import Store
from grading.classroom.submission_grader import Grader
from grading.classroom.worker_pool import ATTEMPTS, WorkerDied
from grading.sandbox import host as sandbox_module
from grading.sandbox import probes
from grading.sandbox.host import GROUPS, LAYERS, Sandbox, SandboxEnded, SandboxError
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook
from tools.books import ROOT

pytestmark = needs_sandbox

SALT = "beef" * 16
EXITS = "import os\ndef majority(labels):\n    os._exit(0)"
SMALLEST = "def majority(labels):\n    return min(labels)"
MARKUP = "def majority(labels):\n    raise ValueError('<script>alert(1)</script>')"
# student: (bytes of the notebook, points, status)
CLASS = {
    "ann": (notebook([COUNT, MEAN]), 5, "graded"),
    "bob": (notebook([COUNT]), 2, "graded"),
    "cat": (notebook(["# nothing"]), 0, "graded"),
    "dan": (b"", 0, "needs a human"),
    "eve": (random.Random(0).randbytes(3000), 0, "needs a human"),
    "fay": (notebook([COUNT, MEAN])[:-40], 0, "needs a human"),
    "gus": (notebook([EXITS, MEAN]), 3, "graded"),
    "hal": (notebook([SMALLEST, MEAN]), 3, "graded"),
    "ivy": (
        json.dumps({"cells": [{"cell_type": "code", "source": s} for s in (MEAN, COUNT, "1/0")]}).encode(),
        5,
        "graded",
    ),
    "=SUM(A1)": (notebook([COUNT]), 2, "graded"),
    "<b>Zoë": (notebook([MARKUP, "name = '<img src=x onerror=alert(1)>'", MEAN]), 3, "graded"),
    "kim": (notebook([COUNT, COUNT, MEAN]), 5, "graded"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The exercise and the submissions; two more students sent links to the lecturer's files."""
    place = tmp_path_factory.mktemp("class")
    exercise(place / "exercises" / "00-two.ipynb")
    (place / "salt").write_text(
        SALT + "\n", encoding="utf-8"
    )  # of the tests: a drawn one would let a guess be right at times
    (place / "salt").chmod(0o600)
    folder = place / "submissions"
    for student, (data, _, _) in CLASS.items():
        path = folder / student / "00-two.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        os.utime(path, (1.8e9, 1.8e9))
    (place / "secret.ipynb").write_bytes(CLASS["ann"][0])
    (folder / "lee").mkdir()
    (folder / "lee" / "00-two.ipynb").symlink_to(place / "secret.ipynb")
    (folder / "max").symlink_to(folder / "ann")
    return place


def words(place, output, *more):
    given = place / "exercises" / "00-two.ipynb", place / "submissions"
    return ["grade", *map(str, given), "-o", str(output), "--salt", str(place / "salt"), *more]


def results(output):
    return {path.name: path.read_bytes() for path in sorted((output / "results").glob("*.json"))} | {
        name: (output / name).read_bytes() for name in ("gradebook.csv", "class.json")
    }


@pytest.fixture(scope="module")
def graded(place):
    """The class, graded by one worker."""
    assert main(words(place, place / "one", "-j", "1")) == 0
    return place / "one"


def snapshot():
    return {
        str(path): path.stat().st_mtime_ns
        for folder in ("helpers", "grading", "homework", "exercises", "solutions", "notebooks")
        for path in (ROOT / folder).rglob("*")
        if "__pycache__" not in path.parts
    }


def test_everybody_gets_what_is_deserved(place, graded):
    found = {r.student: (r.points, r.status) for r in Store(graded).all()}
    assert found == {student: (points, status) for student, (_, points, status) in CLASS.items()} | {
        "lee": (0, "needs a human")
    }
    of = {r.student: r for r in Store(graded).all()}
    assert "links are not followed" in of["lee"].reason
    assert of["ivy"].errors == ["Cell 3: ZeroDivisionError: division by zero"]
    assert "ended the whole program" in of["gus"].questions["knn.2"].notes[0]
    assert of["bob"].questions["knn.4"].notes == ["knn_regress is not defined."]


def test_whatever_a_cell_reports_is_told_with_its_number():
    about = Notebook(None, (), "", [], {})
    about.note(3, {"ok": True, "errors": [["ValueError", "no"], "no list", 7]})
    about.note(4, {"ok": False, "kind": "MemoryError", "text": "too much", "errors": "no list"})
    assert about.errors == [
        "Cell 3: ValueError: no",
        "Cell 3: an error",
        "Cell 3: an error",
        "Cell 4: MemoryError: too much",
    ]


def test_the_gradebook_is_a_table_without_formulas(graded):
    with open(graded / "gradebook.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] for row in rows] == [
        "<b>Zoë",
        "'=SUM(A1)",
        *"ann bob cat dan eve fay gus hal ivy kim lee".split(),
    ]
    assert rows[2] == {
        "student": "ann",
        "homework": "00-two",
        "points": "5",
        "of": "5",
        "status": "graded",
        "knn.2": "2",
        "knn.4": "3",
        "submitted": "2027-01-15T08:00:00+00:00",
        "late": "",
        "reason": "",
    }


def test_started_again_it_grades_nothing_and_changes_nothing(place, graded, capsys, monkeypatch):
    monkeypatch.setattr(worker_pool, "Worker", None)
    before = results(graded)
    assert main(words(place, graded)) == 0
    assert "13 submissions, 0 of them graded now" in capsys.readouterr().out and results(graded) == before


HEAVY = {
    "scipy",
    "sklearn",
    "pandas",
    "matplotlib",
    "skimage",
    "statsmodels",
    "imblearn",
    "IPython",
    "homework.knn",
}


def test_started_again_it_imports_nothing_that_takes_long(place, graded):
    source = f"import sys\nfrom course.cli import main\nmain(sys.argv[1:])\nprint(sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", source, *words(place, graded)], capture_output=True, text=True, cwd=ROOT
    )
    assert "0 of them graded now" in done.stdout and done.stdout.endswith("[]\n"), done.stdout + done.stderr


def counted(monkeypatch, owner, name):
    """The calls of a function that runs on."""
    calls, real = [], getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args: calls.append(args) or real(*args))
    return calls


@pytest.mark.parametrize("take", ["last", "best"])
def test_without_a_command_line_a_run_reads_each_result_once(place, graded, tmp_path, monkeypatch, take):
    shutil.copytree(graded, tmp_path / "grades")
    monkeypatch.setattr(worker_pool, "Worker", None)
    read, parsed = counted(monkeypatch, Graded, "from_json"), counted(monkeypatch, Homework, "__init__")
    chosen = grade.Choices(take=take, salt=place / "salt")
    said = grade.grade_class(
        place / "exercises" / "00-two.ipynb", place / "submissions", tmp_path / "grades", chosen
    )
    assert "13 submissions, 0 of them graded now, the others before; 4 need a human" in said
    assert len(read) == 13 and len(parsed) == 1
    read.clear()
    write_report(tmp_path / "grades")
    assert len(read) == 13 and len(parsed) == 1


def test_what_nobody_can_read_needs_no_homework_parsed_again(place, tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    for student in ("ann", "bob"):
        (tmp_path / "in" / f"{student}.ipynb").symlink_to(place / "secret.ipynb")
    parsed = counted(monkeypatch, Homework, "__init__")
    said = grade.grade_class(place / "exercises" / "00-two.ipynb", tmp_path / "in", tmp_path / "grades")
    assert "2 submissions, 2 of them graded now, the others before; 2 need a human" in said
    assert len(parsed) == 1
    assert [(r.of, r.homework) for r in Store(tmp_path / "grades").all()] == [(5, "00-two")] * 2


def test_the_salt_is_secret(place, graded):
    assert not any(SALT.encode() in path.read_bytes() for path in graded.rglob("*") if path.is_file())


def children(pid):
    with contextlib.suppress(OSError):
        return [
            int(n)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for n in (task / "children").read_text(encoding="ascii").split()
        ]
    return []


def wait_for(condition, seconds=240):  # a sandbox may take minutes to see that its other end is gone
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


def start(place, output):
    return subprocess.Popen(
        [sys.executable, "-m", "course.cli", *words(place, output)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def count(output):
    return len(list((output / "results").glob("*.json")))


def test_killed_at_every_level_and_started_again_it_gives_the_same_bytes(place, graded):
    """First a sandbox, then a worker, then the grader itself; two workers, and one to finish."""
    output, before = place / "two", snapshot()
    with start(place, output) as grader:
        wait_for(lambda: count(output) >= 3)  # one needs no worker
        first, *others = children(grader.pid)
        for pid in (children(first) or [first])[:1] + others:
            os.kill(pid, signal.SIGKILL)  # the bubblewrap of one, and the other as a whole
        wait_for(lambda: count(output) >= 5)
        workers = children(grader.pid)
        grader.kill()
    assert grader.returncode == -signal.SIGKILL and count(output) < len(CLASS) + 1
    assert main(words(place, output, "-j", "1")) == 0
    assert results(output) == results(graded) and snapshot() == before
    assert not (output / "changes.jsonl").exists()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


# Its workers answer at once: the grader itself is killed, again and again, between and in its writes.
QUICK = """
import sys, time
from grading.classroom import grade, worker_pool
from grading.classroom.records import Answer, Graded, Reply, sha_of
def answer(self, job):
    time.sleep(0.02)
    questions = {id: Answer(1.0, 2.0, key="k") for id in ("knn.2", "knn.4")}
    return Reply(Graded(job.student, "00-two", sha_of(job.data), 5.0, points=2.0, questions=questions))
grade.question_key = lambda *about: "k"
worker_pool.Worker.__init__ = worker_pool.Worker.stop = lambda self, *settings: None
worker_pool.Worker.grade = answer
from course.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_killed_again_and_again_it_goes_on_and_grades_each_once(place, tmp_path):
    def begin(output):
        return subprocess.Popen(
            [sys.executable, "-c", QUICK, *words(place, output)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    killed = 0
    while count(tmp_path / "often") < len(CLASS) - 2:
        had = count(tmp_path / "often")
        with begin(tmp_path / "often") as grader:
            wait_for(
                lambda had=had, run=grader: count(tmp_path / "often") >= had + 3 or run.poll() is not None
            )
            grader.kill()
        assert grader.returncode == -signal.SIGKILL
        killed += 1
    for folder, graded_now in ((tmp_path / "often", None), (tmp_path / "once", 13), (tmp_path / "once", 0)):
        with begin(folder) as grader:
            said = grader.stdout.read()
        assert grader.returncode == 0
        assert graded_now is None or f"13 submissions, {graded_now} of them graded now" in said
    assert killed >= 2 and results(tmp_path / "often") == results(tmp_path / "once")


# ---- what a lecturer sees


def test_the_report_holds_no_script_and_no_markup_of_a_student(graded):
    assert main(["report", str(graded)]) == 0
    pages = {path.name: path.read_text(encoding="utf-8") for path in (graded / "report").rglob("*.html")}
    assert len(pages) == len(CLASS) + 2
    for page in pages.values():
        assert "<script" not in page
        assert "<img src=x" not in page
        assert "<b>Zo" not in page
        assert "default-src 'none'" in page
        assert "onerror" not in page.replace("&lt;img src=x onerror=alert(1)&gt;", "")
    index = pages["index.html"]
    assert 'alt="Points of 13 students: half of them have at least 2 of 5' in index
    assert "links are not followed" in index
    assert "knn.4" in index
    (zoe,) = (page for name, page in pages.items() if name.startswith("b-zoe"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in zoe and "bob" not in zoe and "counts.argmax" not in zoe


def test_the_report_says_what_stood_between_submissions_and_the_machine(graded, tmp_path):
    """Each layer, the sandbox's own words, and which of them this machine had not."""
    grades = shutil.copytree(graded, tmp_path / "grades")
    layers = json.loads((grades / "sandbox.json").read_text(encoding="utf-8"))
    assert list(layers) == [*LAYERS, GROUPS] and all(layers[what] for what in LAYERS)
    (grades / "sandbox.json").write_text(json.dumps(layers | {GROUPS: False}), encoding="utf-8")
    page = write_report(grades).read_text(encoding="utf-8")
    told = page.partition("What stood between submissions and this machine")[2].partition("</ul>")[0]
    assert re.findall(r"<li>([^<:]*)", told) == [*LAYERS, GROUPS]
    assert told.count("not on this machine") == 1 and f"{GROUPS}: <b>not on this machine" in told
    (grades / "sandbox.json").unlink()  # as where there was none
    assert "What stood between" not in write_report(grades).read_text(encoding="utf-8")


def test_points_of_open_answers_are_merged_and_exported(graded, capsys):
    rubric = graded / "rubric.csv"
    rubric.write_text("student,question,points,comment\nann,essay,1.5,<i>well</i> said\n", encoding="utf-8")
    try:
        assert main(["report", str(graded)]) == 0
        page = next((graded / "report" / "students").glob("ann*.html")).read_text(encoding="utf-8")
        assert "6.5 of 5" in page and "&lt;i&gt;well&lt;/i&gt; said" in page
        for system, expected in {
            "nbgrader": "ann,00-two,5,6.5",
            "canvas": "ann,,,ann,,6.5",
            "moodle": ",ann,6.5,5,-",
            "gradescope": "ann,5,6.5",
        }.items():
            assert main(["export", str(graded), "--format", system]) == 0
            lines = (graded / f"{system}.csv").read_text(encoding="utf-8").splitlines()
            assert expected in lines and len(lines) == len(CLASS) + 2 + (system == "canvas")
            assert not any(line.startswith("=") for line in lines)
        for wrong in ("nobody,essay,1,", "ann,essay,nan,", "ann,essay,many,", "ann,essay,1,\nann,essay,2,"):
            rubric.write_text(f"student,question,points,comment\n{wrong}\n", encoding="utf-8")
            assert main(["report", str(graded)]) == 1 and "rubric.csv, line" in capsys.readouterr().err
    finally:
        rubric.unlink()


def test_what_is_no_folder_of_grades_is_said(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 1 and main(["export", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("course grade") == 2


def test_a_result_that_is_gone_is_missed(graded, tmp_path, capsys):
    shutil.copytree(graded, tmp_path / "copy")
    next((tmp_path / "copy" / "results").glob("ann*")).unlink()
    assert main(["report", str(tmp_path / "copy")]) == 1
    assert "run `course grade` again" in capsys.readouterr().err


def test_a_homework_is_released_with_all_that_it_needs_and_no_other(tmp_path, capsys):
    assert main(["release", "01", str(tmp_path / "out")]) == 0
    made = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.py")}
    assert "homework/knn/questions.py" in made
    assert "homework/pca/questions.py" not in made
    assert "helpers/comparing.py" in made
    text = (tmp_path / "out" / "01-homework.ipynb").read_text(encoding="utf-8")
    assert "](../" not in text and json.loads(text)["cells"][0]["cell_type"] == "markdown"
    pins = (tmp_path / "out" / "requirements.txt").read_text(encoding="utf-8").split()
    assert {"numpy", "jupyterlab"} <= {pin.split("==")[0] for pin in pins} and len(pins) < 20
    code = "from grading import check, case; case('knn.2'); check('knn.2')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )
    assert done.returncode == 0, done.stderr
    assert main(["release", "01", str(tmp_path / "out")]) == 1 and "exists already" in capsys.readouterr().err
    assert main(["release", "01", str(tmp_path / "knn.zip")]) == 0 and (tmp_path / "knn.zip").is_file()
    assert main(["release", "99", str(tmp_path / "x")]) == 1 and "there are 01-" in capsys.readouterr().err


# ---- regrading


def fake_grade(self, job):
    made_by = {"question": "new", "environment": of_environment()}
    questions = {id: Answer(1.0, 2.0, made_by=made_by, key="k") for id in ("knn.2", "knn.4")}
    result = Graded(
        job.student, "00-two", sha_of(job.data), 5.0, points=2.0, questions=questions | job.answers
    )
    return Reply(result, {"knn.2": 0.1})


def test_only_the_question_that_was_mended_is_graded_again(place, graded, tmp_path, monkeypatch):
    shutil.copytree(graded, tmp_path / "grades")
    asked = []

    def mended(id, *rest):
        return "new" if id == "knn.2" else question_key(id, *rest)

    monkeypatch.setattr(grade, "question_key", mended)
    monkeypatch.setattr(worker_pool.Worker, "__init__", lambda self, settings: None)
    monkeypatch.setattr(worker_pool.Worker, "stop", lambda self: None)
    monkeypatch.setattr(
        worker_pool.Worker,
        "grade",
        lambda self, job: asked.append((job.student, set(job.answers))) or fake_grade(self, job),
    )
    assert main(words(place, tmp_path / "grades")) == 0
    assert sorted(asked) == [
        (s, {"knn.4"}) for s, (_, _, status) in sorted(CLASS.items()) if status == "graded"
    ]
    changed = {
        c["student"]: (c["question"], c["before"], c["after"]) for c in Store(tmp_path / "grades").changed()
    }
    assert changed["ann"] == ("knn.2", 2, 1) and "dan" not in changed
    assert main(["report", str(tmp_path / "grades")]) == 0
    page = (tmp_path / "grades" / "report" / "index.html").read_text(encoding="utf-8")
    assert "2 → 1" in page and "the question was mended" in page and "another submission" not in page


def test_a_submission_on_which_the_grader_dies_again_and_again_needs_a_human(place, tmp_path, monkeypatch):
    tries = []

    def dies(self, job):
        tries.append(job.student)
        if job.student == "bob":
            raise WorkerDied("exit status -9")
        return fake_grade(self, job)

    monkeypatch.setattr(worker_pool.Worker, "__init__", lambda self, settings: None)
    monkeypatch.setattr(worker_pool.Worker, "stop", lambda self: None)
    monkeypatch.setattr(worker_pool.Worker, "grade", dies)
    assert main(words(place, tmp_path)) == 0
    (bob,) = (r for r in Store(tmp_path).all() if r.student == "bob")
    assert tries.count("bob") == ATTEMPTS and bob.status == "needs a human" and "exit status -9" in bob.reason
    monkeypatch.setattr(worker_pool.Worker, "grade", fake_grade)
    assert main(words(place, tmp_path)) == 0  # the next run tries again
    (bob,) = (r for r in Store(tmp_path).all() if r.student == "bob")
    assert bob.status == "graded"


@pytest.mark.parametrize(
    "deaths", [ATTEMPTS - 1, ATTEMPTS], ids="in the end it starts|it never starts".split("|")
)
def test_a_worker_that_dies_while_it_starts_is_replaced_and_not_for_ever(
    place, tmp_path, monkeypatch, capsys, deaths
):
    starts = []

    def begin(self, settings):
        starts.append(self)
        if len(starts) <= deaths:
            raise WorkerDied("the sandbox was killed")

    monkeypatch.setattr(worker_pool.Worker, "__init__", begin)
    monkeypatch.setattr(worker_pool.Worker, "stop", lambda self: None)
    monkeypatch.setattr(worker_pool.Worker, "grade", fake_grade)
    never = deaths == ATTEMPTS
    assert main(words(place, tmp_path, "-j", "1")) == never and len(starts) == ATTEMPTS
    assert (
        f"a worker died {ATTEMPTS} times while it started: the sandbox was killed" in capsys.readouterr().err
    ) == never
    assert count(tmp_path) == (1 if never else len(CLASS) + 1)  # one needs no worker


# ---- the sandbox itself


@pytest.mark.parametrize(
    ("script", "error", "said"),
    [
        (
            "echo no namespaces for you >&2; exit 1",
            SandboxError,
            "did not start: no namespaces for you\nAllow unprivileged",
        ),
        ("kill -9 $$", SandboxEnded, "was killed before it could start"),
        ("exit 137", SandboxEnded, "was killed before it could start"),
    ],
    ids="refused|killed|what runs in it is killed".split("|"),
)
@pytest.mark.parametrize("padding", [0, 10**6], ids="reset connection|broken pipe".split("|"))
def test_a_sandbox_that_does_not_start_says_why(monkeypatch, script, error, said, padding):
    """The settings are never read: what the socket makes of that does not hide the reason."""
    monkeypatch.setattr(sandbox_module, "command", lambda folder: ["sh", "-c", f"sleep 0.2; {script}"])
    with pytest.raises(SandboxError, match=said) as raised:
        Sandbox(limits={"padding": "x" * padding})
    assert raised.type is error


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(limits={"memory": 2**30, "total_memory": 2**28}) as sandbox:
        yield sandbox


def test_every_probe_is_refused(sandbox):
    assert probes.open_probes(sandbox) == []


STANDARD_LIBRARY = """
def probe(known):
    import os, sys
    if (os.__file__, sys.version) != (known["library"], known["version"]):
        raise PermissionError(os.__file__)
"""


def test_the_sandbox_runs_the_python_that_grades(sandbox):
    """Not another one of the same version that the system has: wherever it stands, the sandbox can read it."""
    process = sandbox.process()
    known = {"library": os.__file__, "version": sys.version}
    assert not probes.is_refused(process, STANDARD_LIBRARY, known)
    process.close()


@pytest.fixture(scope="module")
def bare():
    with Sandbox(safe=False) as bare:
        yield bare


def test_nothing_stays_in_the_temporary_folder(tmp_path, monkeypatch):
    """Neither of this grader nor of one that was killed, whose number no process has."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / f"{sandbox_module.FOLDER.format(pid=2**22 + 1)}left").mkdir()
    with Sandbox(safe=False) as one:
        one.process().close()
        assert [*tmp_path.iterdir()] == [one.folder]
    assert not [*tmp_path.iterdir()]


HARMLESS = [
    "open a connection",
    "read the lecturer's files",
    "see another process",
    "call the system beyond the list",
    "meet another submission",
    "trace a process",
    "call the system without a filter",
    "start more processes than are allowed",
]


def test_without_a_sandbox_the_probes_succeed_and_stop_the_run(bare):
    """Only probes that change nothing: nobody's system is mounted over by a test."""
    chosen = {what: probes.PROBES[what] for what in HARMLESS}
    assert probes.open_probes(bare, chosen) == HARMLESS
    with pytest.raises(
        SandboxError, match="a submission could open a connection and read the lecturer's files"
    ):
        probes.verify(bare, chosen)


def test_a_probe_that_fails_for_another_reason_stops_the_run_too(sandbox):
    assert probes.open_probes(sandbox, {"spell": "def probe(known):\n    nonsense"}) == ["spell"]
    assert probes.open_probes(sandbox, {"parse": "def probe(known:"}) == ["parse"]


def test_a_run_stops_where_the_sandbox_does_not_hold(place, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))  # as where bubblewrap is not installed
    assert main(words(place, tmp_path / "grades")) == 1
    assert "apt-get install bubblewrap" in capsys.readouterr().err
    assert count(tmp_path / "grades") == 1
    assert not (tmp_path / "grades" / "gradebook.csv").exists()  # the link


def test_no_sandbox_must_be_typed(place, graded, tmp_path):
    """The same grades, but for what a sandbox is there to stop."""
    assert main(words(place, tmp_path / "grades", "--unsafe-no-sandbox", "-j", "1")) == 0
    assert results(tmp_path / "grades") == results(graded)


def test_memory_is_limited_for_all_processes_of_a_submission_together(place, sandbox):
    hold = (
        "import os, time\n"
        "def {name}:\n"
        "    for _ in range(4):\n"
        "        if os.fork() == 0:\n"
        "            break\n"
        "    hold = np.ones({mb} * 2**17)\n    time.sleep({wait})\n    return 0"
    )
    few = f"{hold.format(name='majority(labels)', mb=5, wait=0.5)} if os.getpid() == 1 else os._exit(0)"
    much = hold.format(name="majority(labels)", mb=100, wait=60)
    grader = Grader(Homework(place / "exercises" / "00-two.ipynb"), "salt of a test")
    grader.sandbox = sandbox
    results = {
        name: grader.grade("ann", notebook([source, MEAN])) for name, source in (("much", much), ("few", few))
    }
    assert all(
        "your function used more memory than a submission may have." in note
        for note in results["much"].questions["knn.2"].notes
    )
    assert "memory" not in results["few"].questions["knn.2"].notes[0]
    assert [result.points for result in results.values()] == [3, 3]
