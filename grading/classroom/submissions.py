"""Find what students handed in: folders and zips as course systems make them. Nothing of it is trusted.

    <student>/<homework>.ipynb, <student>/<homework>/<any>.ipynb        nbgrader
    <student>.ipynb                                                     a flat folder
    Ann Lee_123_assignsubmission_file_/<any>.ipynb, in a zip            Moodle
    leeann_LATE_123_456_<any>.ipynb, in a zip                           Canvas

Names from a zip are never used as paths; symbolic links are not followed.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from grading.classroom.answers import BYTES, Unreadable
from grading.classroom.fingerprint import digest

__all__ = ["Submission", "SubmissionError", "choose", "find_submissions", "safe_name"]

MOODLE = re.compile(r"(?P<student>.+?)_\d+_assignsubmission_\w*")
CANVAS = re.compile(r"(?P<student>[^_]+)(?:_LATE)?_\d+_\d+_.+")
ZIP_BYTES = 20 * 2**30


class SubmissionError(ValueError):
    """There is nothing to grade, or not where it was looked for; says what to do."""


@dataclass(frozen=True)
class Submission:
    """One file of one student.

    read : gives its bytes, or raises Unreadable
    late : it came after the time that counts
    """

    student: str
    file: str
    time: dt.datetime
    read: Callable[[], bytes] = field(repr=False)
    late: bool = False

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


def find_submissions(place: Path, homework: str) -> list[Submission]:
    """All submissions of a homework, sorted by student and time."""
    if not place.exists():
        raise SubmissionError(f"{place} does not exist")
    found = list(_in_zip(place, homework) if place.is_file() else _in_folder(place, homework))
    if not found:
        raise SubmissionError(
            f"no notebook in {place}: submissions are <student>/{homework}.ipynb, <student>.ipynb, "
            "or the zip of Moodle or Canvas"
        )
    return _told_apart(sorted(found, key=lambda s: (s.student, s.time, s.file)))


def _told_apart(found):
    """Files of the same name, from two zips or twice in one, get a number."""
    seen, apart = {}, []
    for one in found:
        seen[one.file] = count = seen.get(one.file, 0) + 1
        apart.append(one if count == 1 else replace(one, file=f"{one.file} ({count})"))
    return apart


def _words(path):
    """A path as text that every file can hold, also where its bytes are no text."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _in_folder(folder, homework) -> Iterator[Submission]:
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or path.suffix.lower() not in (
            ".ipynb",
            ".zip",
        ):
            continue
        if path.suffix.lower() == ".zip" and len(inside.parts) == 1 and not path.is_symlink():
            yield from _in_zip(path, homework)
        elif len(inside.parts) == 1 or _is_of(inside, homework):
            name = PurePosixPath(_words(inside))
            yield Submission(
                _student(name), str(name), _time(path), lambda path=path, top=folder: _bytes(path, top)
            )


def _is_of(inside, homework):
    """In a student's folder: a file of this homework, or the only kind of file that there can be."""
    named = re.compile(rf"{re.escape(homework)}([ _-].*|\(\d+\))?", re.I)
    others = re.compile(r"\d\d-[a-z-]+", re.I)
    folder = inside.parts[1] if len(inside.parts) > 2 else None
    if folder and others.fullmatch(folder):
        return folder == homework
    return bool(named.fullmatch(inside.stem)) or not others.match(inside.stem)


def _student(inside):
    """Who a file belongs to, by its folder or its name."""
    top = inside.parts[0] if len(inside.parts) > 1 else inside.stem
    match = MOODLE.fullmatch(top) or (CANVAS.fullmatch(top) if len(inside.parts) == 1 else None)
    return match["student"] if match else top


def _time(path):
    """When it was handed in: nbgrader's timestamp.txt, else the file's own time."""
    stamp = path.parent / "timestamp.txt"
    if stamp.is_file() and not stamp.is_symlink() and stamp.stat().st_size < 200:
        text = re.sub(r" UTC$", "+00:00", stamp.read_text(encoding="utf-8", errors="replace").strip())
        try:
            return _aware(dt.datetime.fromisoformat(text))
        except ValueError:
            pass
    return dt.datetime.fromtimestamp(path.lstat().st_mtime, dt.timezone.utc)


def _aware(time):
    return time if time.tzinfo else time.astimezone()


def _bytes(path, top):
    linked = any(part.is_symlink() for part in [path, *path.parents] if part != top and top in part.parents)
    if linked or not path.is_file():
        raise Unreadable("it is a symbolic link, or no file: links are not followed")
    try:
        with open(path, "rb") as file:
            return file.read(BYTES + 1)
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from error


def _in_zip(path, homework) -> Iterator[Submission]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise SubmissionError(f"{path} is no zip that can be read: {error}") from error
    if sum(entry.file_size for entry in entries) > ZIP_BYTES:
        raise SubmissionError(f"{path} unpacks to more than {ZIP_BYTES // 2**30} GiB")
    for entry in entries:
        parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
        inside = PurePosixPath(*[part for part in parts if part not in ("/", "..", ".")])
        if entry.is_dir() or inside.suffix.lower() != ".ipynb" or "__MACOSX" in inside.parts:
            continue
        depth = 3 if len(inside.parts) > 2 and inside.parts[-2] == homework else 2
        inside = PurePosixPath(_words(PurePosixPath(*inside.parts[-depth:])))
        if len(inside.parts) == 1 or MOODLE.fullmatch(inside.parts[0]) or _is_of(inside, homework):
            yield Submission(
                _student(inside), str(inside), _zip_time(entry), lambda entry=entry: _unzip(path, entry)
            )


def _zip_time(entry):
    try:
        return dt.datetime(*entry.date_time).astimezone()
    except (ValueError, OverflowError, OSError):  # a month 0, as some programs write
        return dt.datetime.fromtimestamp(0, dt.timezone.utc)


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
