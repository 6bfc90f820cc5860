"""Find what students handed in: folders and zips as course systems make them. Nothing of it is trusted.

    <student>/<homework>.ipynb, <student>/<homework>/<any>.ipynb        nbgrader
    <student>.ipynb                                                     a flat folder
    Ann Lee_123_assignsubmission_file_/<any>.ipynb                      Moodle, each in a folder
    Ann Lee_123_assignsubmission_file_<any>.ipynb                       Moodle, flat
    leeann_LATE_123_456_<any>.ipynb                                     Canvas

Whose a file is, the first part of its path says, which the course system wrote; no later part does, since
students name those. Names from a zip are never used as paths; symbolic links are not followed.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import unicodedata
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from grading.classroom.answers import BYTES, Unreadable
from grading.classroom.fingerprint import digest

__all__ = [
    "Found",
    "Submission",
    "SubmissionError",
    "choose",
    "find_submissions",
    "look_through",
    "safe_name",
]

# A folder's end is Moodle's, whatever the name before it holds; a file's end is the student's.
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w*")
MOODLE_FLAT = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file_.*", re.S)
CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_.+", re.S)
HOMEWORK = re.compile(r"\d\d-[a-z-]+", re.I)
ZIP_BYTES = 20 * 2**30
NO_TIME = dt.datetime.fromtimestamp(0, dt.timezone.utc)


class SubmissionError(ValueError):
    """There is nothing to grade, or not where it was looked for; says what to do."""


@dataclass(frozen=True)
class Submission:
    """One file of one student.

    student : the name, and the id where the course system gives one: two of one name stay two
    id : the course system's number for the student, or ""
    read : gives its bytes, or raises Unreadable
    late : it came after the time that counts
    """

    student: str
    file: str
    time: dt.datetime
    read: Callable[[], bytes] = field(repr=False)
    late: bool = False
    id: str = ""

    @property
    def name(self):
        """Of the files that belong to this submission."""
        return safe_name(self.student)


def safe_name(student: str) -> str:
    """A file name for a student: the name itself where that is safe, else a readable part and a hash."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_.@+-]{0,60}", student) and not student.endswith("."):
        return student
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    return f"{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')[:40] or 'student'}-{digest(student)[:8]}"


@dataclass(frozen=True)
class Found:
    """What lies in a place.

    left_out : {whose: files}, of those of whom there are files but no notebook of this homework
    """

    submissions: list[Submission]
    left_out: dict[str, list[str]]


def find_submissions(place: Path, homework: str) -> list[Submission]:
    """All submissions of a homework, sorted by student and time."""
    return look_through(place, homework).submissions


def look_through(place: Path, homework: str) -> Found:
    """All submissions of a homework, and who is left out. Raises SubmissionError where there is none."""
    if not place.exists():
        raise SubmissionError(f"{place} does not exist")
    entries = _in_zip(place, homework) if place.is_file() else _in_folder(place, homework)
    found, others = [], {}
    for inside, time, read in entries:
        student, id = _student(inside)
        file = _words(inside)
        if is_notebook(inside) and not student.startswith(".") and _is_of(inside, homework):
            found.append(Submission(student, file, time, read, id=id))
        elif len(inside.parts) > 1 or id or is_notebook(inside):
            others.setdefault(student, []).append(file)
    if not found:
        raise SubmissionError(
            f"no notebook in {place}: submissions are <student>/{homework}.ipynb, <student>.ipynb, "
            "or the zip of Moodle or Canvas"
        )
    found = _told_apart(sorted(found, key=lambda s: (s.student, s.time, s.file)))
    have = {one.student for one in found}
    return Found(found, {who: files for who, files in sorted(others.items()) if who not in have})


def _told_apart(found):
    """Files of the same name, from two zips or twice in one, get a number."""
    seen, apart = {}, []
    for one in found:
        seen[one.file] = count = seen.get(one.file, 0) + 1
        apart.append(one if count == 1 else replace(one, file=f"{one.file} ({count})"))
    return apart


# ---- whose a file is, by its path inside the place


def _words(path):
    """A path as text that every file can hold, also where its bytes are no text."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def is_notebook(inside):
    return inside.suffix.lower() == ".ipynb"


def _is_kept(inside):
    """No copy of an editor, and nothing that a system hides: such a folder is no student's."""
    return "__MACOSX" not in inside.parts and not any(part.startswith(".") for part in inside.parts[1:])


def _student(inside):
    """(name and id, id) of whom a file belongs to: by the first part of its path alone."""
    top = _words(PurePosixPath(inside.parts[0]))
    flat = len(inside.parts) == 1
    match = (MOODLE_FLAT.fullmatch(top) or CANVAS.fullmatch(top)) if flat else MOODLE.fullmatch(top)
    if match:
        return f"{match['name']} ({match['id']})", match["id"]
    return (_words(PurePosixPath(inside.stem)) if flat and is_notebook(inside) else top), ""


def _is_of(inside, homework):
    """A file of this homework, or one of which nobody can say that it is another's."""
    parts = inside.parts
    if len(parts) == 1 or MOODLE.fullmatch(parts[0]):
        return True
    if len(parts) > 2 and HOMEWORK.fullmatch(parts[1]):
        return parts[1] == homework
    return _is_named(inside, homework) or not HOMEWORK.match(inside.stem)


def _is_named(inside, homework):
    return bool(re.fullmatch(rf"{re.escape(homework)}([ _-].*|\(\d+\))?", inside.stem, re.I))


# ---- a folder


def _in_folder(folder, homework):
    """(path inside, time, read) of each file; those of a zip at the top as if it were unpacked."""
    for path in sorted(folder.rglob("*")):
        inside = PurePosixPath(path.relative_to(folder).as_posix())
        if not _is_kept(inside) or path.is_dir() and not path.is_symlink():
            continue
        if path.suffix.lower() == ".zip" and len(inside.parts) == 1 and not _student(inside)[1]:
            if not path.is_symlink():
                yield from _in_zip(path, homework)
        else:
            yield inside, _time(path, inside, homework), lambda path=path: _bytes(path, folder)


def _time(path, inside, homework):
    """When it was handed in: nbgrader's timestamp.txt in nbgrader's layout, else the file's own time.

    In any other place a student may have put that file there.
    """
    stamp = path.parent / "timestamp.txt"
    nbgrader = len(inside.parts) == 3 and inside.parts[1] == homework and not _student(inside)[1]
    if nbgrader and stamp.is_file() and not stamp.is_symlink() and stamp.stat().st_size < 200:
        text = re.sub(r" UTC$", "+00:00", stamp.read_text(encoding="utf-8", errors="replace").strip())
        try:
            return _aware(dt.datetime.fromisoformat(text))
        except (ValueError, OverflowError, OSError):
            pass
    try:
        return _aware(dt.datetime.fromtimestamp(path.lstat().st_mtime, dt.timezone.utc))
    except (ValueError, OverflowError, OSError):
        return NO_TIME


def _aware(time):
    """With its zone; OverflowError for one that no other zone can tell, as the last hours of year 9999."""
    time = time if time.tzinfo else time.astimezone()
    day = dt.timedelta(days=1)
    return time - day + day + day - day


def _bytes(path, top):
    linked = any(part.is_symlink() for part in [path, *path.parents] if part != top and top in part.parents)
    if linked or not path.is_file():
        raise Unreadable("it is a symbolic link, or no file: links are not followed")
    try:
        with open(path, "rb") as file:
            return file.read(BYTES + 1)
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from error


# ---- a zip


def _in_zip(path, homework):
    """(path inside, time, read) of each file, without the folder in which all of them may lie."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise SubmissionError(f"{path} is no zip that can be read: {error}") from error
    if sum(entry.file_size for entry in entries) > ZIP_BYTES:
        raise SubmissionError(f"{path} unpacks to more than {ZIP_BYTES // 2**30} GiB")
    files = [(inside, entry) for entry in entries if not entry.is_dir() and (inside := _inside(entry))]
    top = _common_top([inside for inside, _ in files if is_notebook(inside) and _is_kept(inside)], homework)
    for inside, entry in files:
        inside = PurePosixPath(*inside.parts[top:])
        if inside.parts and _is_kept(inside):
            yield inside, _zip_time(entry), lambda entry=entry: _unzip(path, entry)


def _inside(entry):
    """The path of an entry, which leads nowhere; None for a name of nothing."""
    parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
    parts = [part for part in parts if part not in ("/", "..", ".")]
    return PurePosixPath(*parts) if parts else None


def _common_top(notebooks, homework):
    """How many folders lie around the whole class: all notebooks are in them.

    A folder is one student's where Moodle named it, or where what lies in it are homeworks.
    """
    depth = 0
    while notebooks and all(len(inside.parts) > depth + 1 for inside in notebooks):
        top = {inside.parts[depth] for inside in notebooks}
        below = {PurePosixPath(inside.parts[depth + 1]) for inside in notebooks}
        homeworks = all(HOMEWORK.match(part.name) for part in below)
        if len(top) > 1 or MOODLE.fullmatch(*top) or homeworks or any(_is_named(p, homework) for p in below):
            break
        depth += 1
    return depth


def _zip_time(entry):
    try:
        return _aware(dt.datetime(*entry.date_time))
    except (ValueError, OverflowError, OSError):  # a month 0, as some programs write
        return NO_TIME


def _unzip(path, entry):
    try:
        with zipfile.ZipFile(path) as archive, archive.open(entry) as file:
            return file.read(BYTES + 1)
    except Exception as error:  # each way of packing has errors of its own
        raise Unreadable(f"it cannot be unpacked: {error}") from error


def choose(submissions, take="last", until: dt.datetime | None = None) -> list[Submission]:
    """What counts: one submission of each student; all in time where the best is to be taken.

    take : "last", "first", or "best" (all are graded, and the best result counts)
    until : a later one counts only where its student has no other, and is marked late
    """
    marked = [replace(s, late=until is not None and s.time > until) for s in submissions]
    of = {}
    for one in marked:
        of.setdefault(one.student, []).append(one)
    chosen = []
    for many in of.values():
        in_time = [s for s in many if not s.late] or many[:1]
        chosen += in_time if take == "best" else [in_time[-1 if take == "last" else 0]]
    return chosen
