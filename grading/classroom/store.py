"""Where grades live: a folder in which nothing is ever half written, lost or counted twice.

results/<student>.json     what was found, the same bytes for the same submission and salt
changes.jsonl              whose points changed in a later run, and why
times.csv                  seconds for each submission; no grade depends on them
gradebook.csv              one line for each student
sandbox.json               the layers of the sandbox, and which of them this machine had
salt                       the lecturer's secret, unless it is given otherwise
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import os
import secrets
import threading
from pathlib import Path

from grading.classroom.plain_text import harmless, labels
from grading.classroom.records import Answer, Graded

UNUSABLE = (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError)
UNDER_WAY = ".under-way"
NO_GRADES = "{} holds no grades: run `course grade` first, and give the folder that stands after its -o"


class StoreError(RuntimeError):
    """The folder cannot be used; says why and what to do."""


class Store:
    """The folder of one homework's grades."""

    def __init__(self, folder: Path):
        self.folder = Path(folder)
        self.results = self.folder / "results"
        self.noting = threading.Lock()
        self.known = {}  # results that were read or written since: no file is read twice
        self.told: dict[str, str] = {}  # titles of the questions, by a worker
        try:
            with full_disk_explained():
                self.results.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be the folder for grades: {error.strerror}") from error

    # ---- one grader at a time

    @contextlib.contextmanager
    def locked(self):
        """Held while a grader works; the system frees it when that process ends, however it ends."""
        import fcntl

        with full_disk_explained():
            file = open(self.folder / ".lock", "a", encoding="utf-8")  # noqa: SIM115
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(
                    f"another grader is at work in {self.folder}: wait for it, or stop it"
                ) from error
            yield

    def salt(self, given: Path | None = None) -> str:
        """The secret: from a file, the variable COURSE_SALT, or this folder, where it is made once."""
        if given is None and os.environ.get("COURSE_SALT"):
            return long_enough(os.environ["COURSE_SALT"], "the variable COURSE_SALT: give another")
        path = given or self.folder / "salt"
        if not path.exists():
            if given:
                raise StoreError(
                    f"there is no file {path}: mend the path, or leave --salt out, and a secret is made in "
                    f"{self.folder / 'salt'}"
                )
            self.write(path, secrets.token_hex(32) + "\n", mode=0o600)
        try:
            text = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(
                f"no salt can be read from {path}: it should be a text file that holds your secret and "
                "nothing else"
            ) from error
        return long_enough(text, f"{path}: delete the file, and a new one is made")

    # ---- results

    def path(self, name):
        return self.results / f"{name}.json"

    def load(self, name) -> Graded | None:
        """The result of that name; None where there is none, or it is damaged."""
        if name not in self.known:
            self.known[name] = self.read(name)
        return self.known[name]

    def read(self, name):
        try:
            return Graded.from_json(json.loads(self.path(name).read_text(encoding="utf-8")))
        except UNUSABLE:  # damaged: it is graded again
            return None

    def all(self) -> list[Graded]:
        found = [self.load(path.stem) for path in sorted(self.results.glob("*.json"))]
        return [result for result in found if result is not None]

    def save(self, name, result: Graded):
        """Note whose points change; then write the result as a whole, or not at all.

        Killed between the two, the next run notes the same change again: `changed` gives it once.
        """
        for change in changes(self.load(name), result):
            self.append("changes.jsonl", json.dumps(change, ensure_ascii=False) + "\n")
        text = json.dumps(result.to_json(), ensure_ascii=False, indent=1, sort_keys=True)
        path = self.path(name)
        if path.is_dir() and not path.is_symlink():  # put there by hand: it is kept, under another name
            os.replace(path, path.with_name(f"{path.name}.folder-{secrets.token_hex(4)}"))
        self.write(path, text + "\n")
        self.known[name] = result

    # ---- what stood between submissions and the machine

    def note_layers(self, layers: dict[str, bool]):
        """Of the sandbox of a worker; a layer counts where every worker so far had it."""
        with self.noting:
            before = self.layers()
            now = {what: has and before.get(what, True) for what, has in layers.items()}
            if {**before, **now} != before:
                self.write(self.folder / "sandbox.json", json.dumps({**before, **now}, indent=1) + "\n")

    def layers(self) -> dict[str, bool]:
        try:
            found = json.loads((self.folder / "sandbox.json").read_text(encoding="utf-8"))
            return {str(what): bool(has) for what, has in found.items()}
        except UNUSABLE:
            return {}

    def titles(self, ids) -> dict[str, str]:
        """Of these questions, as a worker or the last run knew them; nothing where it knew others."""
        try:
            text = "" if self.told else (self.folder / "class.json").read_text(encoding="utf-8")
            found = self.told or json.loads(text)["titles"]
            return found if list(found) == ids else {}
        except UNUSABLE:
            return {}

    # ---- what is under way: were the grader to hang on it, the next run would begin with all others

    def begin(self, name):
        with full_disk_explained():
            (self.folder / UNDER_WAY).mkdir(exist_ok=True)
            (self.folder / UNDER_WAY / name).touch()

    def end(self, name):
        (self.folder / UNDER_WAY / name).unlink(missing_ok=True)

    def under_way(self) -> set[str]:
        """Names of what an earlier run had begun and not ended."""
        folder = self.folder / UNDER_WAY
        return {path.name for path in folder.iterdir()} if folder.is_dir() else set()

    def changed(self) -> list[dict]:
        """All changes of points noted so far; a line that a full disk cut short is left out."""
        path, found = self.folder / "changes.jsonl", []
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
        for line in dict.fromkeys(lines):
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return [change for change in found if isinstance(change, dict)]

    def write(self, path, text, mode=0o666):
        """Whole or not at all, whatever happens meanwhile."""
        new = path.with_name(f".{path.name}.new")
        with full_disk_explained():
            new.unlink(missing_ok=True)
            opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(opened, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)

    def append(self, name, text):
        with full_disk_explained(), open(self.folder / name, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def write_gradebook(self, best):
        """best : the result that counts, of each student"""
        buffer = io.StringIO()
        rows = csv.writer(buffer, lineterminator="\n")
        ids = [id for result in best[:1] for id in result.handed.order]
        rows.writerow(["student", "homework", "points", "of", "status", *ids, "submitted", "late", "reason"])
        known = labels([r.student for r in best])
        for r in best:
            points = [f"{r.questions[id].points:g}" if id in r.questions else "" for id in ids]
            rows.writerow([
                known[r.student],
                harmless(r.homework),
                f"{r.points:g}",
                f"{r.of:g}",
                r.status,
                *points,
                r.handed.submitted,
                "late" if r.handed.late else "",
                harmless(r.reason),
            ])
        self.write(self.folder / "gradebook.csv", buffer.getvalue())


def long_enough(salt, where):
    if len(salt) < 16:
        raise StoreError(f"the salt is shorter than 16 characters, in {where}")
    return salt


def changes(before, after):
    """One record for each question whose points are others than before, with the reason."""
    if before is None:
        return
    none = Answer(0.0, 0.0)
    for id in dict.fromkeys([*before.questions, *after.questions]):
        was, now = before.questions.get(id, none), after.questions.get(id, none)
        if was.points != now.points:
            yield {
                "student": after.student,
                "question": id,
                "before": was.points,
                "after": now.points,
                "why": why(before, after, id),
            }


def why(before, after, id):
    """What a grade depends on, in the order in which a lecturer would ask."""
    if before.sha256 != after.sha256:
        return "another submission"
    if before.status != after.status:
        return after.reason if before.is_graded else f"it was {before.status!r} before"
    none = Answer(0.0, 0.0)
    was, now = (result.questions.get(id, none).made_by for result in (before, after))
    if id not in before.questions:
        return "the question was not in the homework"
    if was is None or now is None:
        return "the question or the environment changed"
    if was["question"] != now["question"]:
        return "the question was mended"
    if was["environment"] != now["environment"]:
        return "the environment changed: Python, a package or the grader"
    return "another salt: other inputs"


@contextlib.contextmanager
def full_disk_explained():
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreError(
                "the disk is full. All that was written before is safe: make room and start again"
            ) from error
        if error.errno == errno.EROFS:
            raise StoreError(
                "the folder for grades cannot be written: it is read-only. All that was written before is "
                "safe: mend the disk, or copy the folder to another, and start again"
            ) from error
        raise


def load_class(folder: Path):
    """The folder of grades, what is known of the run, and the result of each student that counts."""
    if not (folder / "class.json").is_file():
        raise StoreError(NO_GRADES.format(folder))
    store = Store(folder)
    about = json.loads((folder / "class.json").read_text(encoding="utf-8"))
    results = [store.load(name) for name in about["counts"]]
    if None in results:
        raise StoreError(f"a result is missing in {store.results}: run `course grade` again")
    return store, about, results
