"""Find what students handed in: folders and zips as course systems make them. Nothing of it is trusted.

    <student>/<homework>.ipynb, <student>/<homework>/<any>.ipynb        nbgrader
    <student>.ipynb, <student>.zip                                      a flat folder
    Ann Lee_123_assignsubmission_file_/<any>.ipynb                      Moodle, each in a folder
    Ann Lee_123_assignsubmission_file_<any>.ipynb                       Moodle, flat
    leeann_LATE_123_456_<any>.ipynb, anon_Ab1x2_456_<any>.ipynb         Canvas
    Homework 2_annlee_attempt_2026-11-19-10-00-00_<any>.ipynb           Blackboard

A folder is read as a zip is: folders that lie around the whole class are passed over, which is said. Whose a
file is, the first part of its path says, which the course system wrote; no later part does, since students
name those. Names from a zip are never used as paths; symbolic links are not followed.
"""

from __future__ import annotations

import datetime as dt
import io
import os
import re
import unicodedata
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from grading.classroom.answers import BYTES, Unreadable
from grading.classroom.fingerprint import digest

# A folder's end is Moodle's, whatever the name before it holds; a file's end is the student's.
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w*")
FLAT = (  # of a file, the course system's part comes first
    re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_.*", re.S),
    re.compile(r"(?P<name>anon_[A-Za-z0-9]{5})(?P<late>_LATE)?_(?P<attempt>\d{1,20})_.+", re.S),
    re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?P<attempt>\d{1,20})_.+", re.S),
    re.compile(r"[^_]*_(?P<name>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_.*|\.txt)", re.S),
)
HOMEWORK = re.compile(r"\d\d-[a-z-]+", re.I)
LINK = "a symbolic link"  # what there is of a folder that is one
ZIP_BYTES = 20 * 2**30
NOTEBOOKS = 20  # in a zip that a student handed in
# endings of what students hand in, alone in a flat folder; others are the lecturer's
HANDED = (".ipynb", ".zip", ".rar", ".7z", ".gz", ".tar", ".py", ".html", ".htm", ".pdf", ".docx")
LONG_AGO = dt.datetime.fromtimestamp(0, dt.timezone.utc)


class SubmissionError(ValueError):
    """There is nothing to grade, or not where it was looked for; says what to do."""


@dataclass(frozen=True)
class Submission:
    """One file of one student.

    student : the name, and the id where the course system gives one: two of one name stay two
    id : the course system's number for the student, or ""
    time : when it was handed in; None where nothing says so
    read : gives its bytes, or raises Unreadable
    late : the course system marked it late, or it came after the time that counts
    attempt : Canvas' number of the file: later ones have larger numbers
    """

    student: str
    file: str
    time: dt.datetime | None
    read: Callable[[], bytes] = field(repr=False)
    late: bool = False
    id: str = ""
    attempt: int = 0

    @property
    def name(self):
        """Of the files that belong to this submission."""
        return safe_name(self.student)

    @property
    def order(self):
        """(when it came, as far as anybody knows, its name): "Version 2" is before "Version 10"."""
        return (self.time or LONG_AGO, self.attempt), [
            int(n[-99:]) if i % 2 else n for i, n in enumerate(re.split(r"(\d+)", self.file))
        ]


def safe_name(student: str) -> str:
    """A file name for a student: the name itself where that is safe, else a readable part and a hash."""
    is_safe = re.fullmatch(r"[a-z0-9][a-z0-9_.@+-]{0,60}", student) and not student.endswith(".")
    if is_safe and not re.search(r"-[0-9a-f]{8}$", student):  # it would be taken for another's hash
        return student
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    return f"{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')[:40] or 'student'}-{digest(student)[:8]}"


@dataclass(frozen=True)
class Found:
    """What lies in a place.

    left_out : {whose: files}, of those of whom there are files but no notebook
    inside : the folder that lies around the whole class, or ""
    """

    submissions: list[Submission]
    left_out: dict[str, list[str]]
    inside: str = ""


@dataclass(frozen=True)
class Entry:
    """A file as it lies there. `file` gives its path, or a file in memory; raises Unreadable."""

    path: PurePosixPath
    time: dt.datetime
    file: Callable[[], object]

    def is_a(self, ending):
        return self.path.suffix.lower() == ending

    def read(self):
        return _read(self.file())


def find_submissions(place: Path, homework: str) -> list[Submission]:
    """All submissions of a homework, sorted by student and time."""
    return look_through(place, homework).submissions


def look_through(place: Path, homework: str) -> Found:
    """All submissions of a homework, and who is left out. Raises SubmissionError where there is none."""
    if not place.exists():
        raise SubmissionError(f"{place} does not exist")
    entries, around = _without_folders_around(_entries(place), homework)
    zips = [one for one in entries if _is_flat_zip(one)]
    if zips and _are_downloads(zips, entries, homework):  # a course system's, as they came
        try:
            entries = [part for one in entries for part in (_of_zip(one) if one in zips else [one])]
        except Unreadable as problem:
            raise SubmissionError(f"{place} {str(problem).removeprefix('it ')}") from problem
        entries, around = _without_folders_around(entries, homework)
    stamps, of = {one.path: one for one in entries if one.path.name == "timestamp.txt"}, {}
    for entry in entries:
        entry = _stamped(entry, homework, stamps)
        whose = _whose(entry)
        of.setdefault(whose["name"], []).append((entry, whose))
    found, others = [], {}
    for student, files in of.items():
        mine = [] if student.startswith(".") else _of_student(student, files, homework)
        found += mine
        if not mine and any(len(entry.path.parts) > 1 or whose["known"] for entry, whose in files):
            others[student] = [_words(entry.path) for entry, _ in files]
    if not found:
        raise SubmissionError(
            f"no notebook in {place}: submissions are <student>/{homework}.ipynb, <student>.ipynb, "
            "or the zip of Moodle, Canvas or Blackboard"
        )
    found = _told_apart(sorted(found, key=lambda s: (s.student, s.order)))
    return Found(found, dict(sorted(others.items())), "/".join(around))


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


def _is_kept(inside):
    """No copy of an editor, and nothing that a system hides: such a folder is no student's."""
    hidden = any(part.startswith(".") for part in inside.parts[1:]) or inside.name.startswith("._")
    return "__MACOSX" not in inside.parts and not hidden


def _system_says(inside):
    """What a course system wrote into the first part of a path; nothing where none did."""
    top = _words(PurePosixPath(inside.parts[0]))
    if len(inside.parts) > 1:
        found = MOODLE.fullmatch(top)
    else:
        found = next(filter(None, (pattern.fullmatch(top) for pattern in FLAT)), None)
    return found.groupdict() if found else {}


def _whose(entry):
    """{"name": of the student, "known": there is one, "about": …}, by the first part of its path alone."""
    said, inside = _system_says(entry.path), entry.path
    name, id, time = said.get("name"), said.get("id") or "", entry.time
    if "attempt" in said:  # Canvas: its zip has the time of the download
        time = None
    elif "time" in said:
        time = _aware_or(dt.datetime.strptime, said["time"], "%Y-%m-%d-%H-%M-%S")
    is_handed = len(inside.parts) == 1 and inside.suffix.lower() in HANDED
    if name is None:
        name = _words(PurePosixPath(inside.stem if is_handed else inside.parts[0]))
    known, late = bool(said) or is_handed, bool(said.get("late"))
    about = {"id": id, "late": late, "time": time, "attempt": int(said.get("attempt", 0))}
    return {"name": f"{name} ({id})" if id else name, "known": known, "about": about}


def _of_student(student, files, homework):
    """The submissions among the files of one student; zips that were handed in are looked into."""
    found, loose = [], []
    for entry, whose in files:
        make = partial(Submission, student, **whose["about"])
        if entry.is_a(".ipynb") and not _is_in_anothers_folder(entry.path, homework):
            one = make(_words(entry.path), read=entry.read)
            (found if _is_of(entry.path, homework) else loose).append(one)
        elif entry.is_a(".zip"):
            found += _handed_in_as_zip(entry, make)
    return found or (loose if len(loose) == 1 else [])


def _handed_in_as_zip(entry, make):
    """The notebooks in it, or one submission that says why nobody can look into it."""
    try:
        inside = [one for one in _of_zip(entry) if one.is_a(".ipynb")]
        if len(inside) > NOTEBOOKS:
            raise Unreadable(f"the zip holds {len(inside)} notebooks; {NOTEBOOKS} are allowed")
    except Unreadable as problem:
        return [make(_words(entry.path), read=partial(_refuse, str(problem)))]
    return [make(_words(entry.path / one.path), read=one.read) for one in inside]


def _refuse(why):
    raise Unreadable(why)


def _is_in_anothers_folder(inside, homework):
    """nbgrader's layout: <student>/<homework>/<any>.ipynb."""
    is_nbgraders = len(inside.parts) > 2 and not _system_says(inside) and HOMEWORK.fullmatch(inside.parts[1])
    return bool(is_nbgraders) and inside.parts[1] != homework


def _is_of(inside, homework):
    """A file of this homework, or one of which its name does not say that it is another's."""
    if len(inside.parts) == 1 or _system_says(inside) or inside.parts[1] == homework:
        return True
    return _begins(inside.name, homework) or not HOMEWORK.match(inside.stem)


def _begins(name, homework):
    """By its number where the homework has one, as 02-homework does: students call it what they like."""
    own = homework.partition("-")[0] + "-" if HOMEWORK.match(homework) else homework
    return name.lower().startswith(own.lower())


# ---- folders around the class, and zips of a course system


def _without_folders_around(entries, homework):
    """(entries, the folders that were passed over): those in which all that students handed in lies.

    A folder is one student's where a course system named it, or where what lies in it are homeworks.
    """
    handed, around = [one.path for one in entries if one.is_a(".ipynb") or one.is_a(".zip")], []
    while handed and all(len(path.parts) > 1 for path in handed):
        top, inner = {path.parts[0] for path in handed}, [PurePosixPath(*path.parts[1:]) for path in handed]
        first = {path.parts[0] for path in inner}
        own = any(_begins(name, homework) for name in first) or all(map(HOMEWORK.match, first))
        alone = len(inner) == 1 and len(inner[0].parts) == 1 and not _system_says(inner[0])
        if len(top) > 1 or MOODLE.fullmatch(*top) or own or alone:
            break
        around, handed = [*around, *top], inner
    depth = len(around)
    return [_below(one, depth) if list(one.path.parts[:depth]) == around else one for one in entries], around


def _below(entry, depth):
    return replace(entry, path=PurePosixPath(*entry.path.parts[depth:]))


def _is_flat_zip(entry):
    return entry.is_a(".zip") and len(entry.path.parts) == 1 and not _system_says(entry.path)


def _are_downloads(zips, entries, homework):
    """Whether zips at the top are a course system's, and none is a student's own.

    One that lies there without any notebook is; several are where a course system named all that is in them.
    """
    if len(zips) == 1 and not any(one.is_a(".ipynb") for one in entries):
        return True
    try:
        inside, _ = _without_folders_around([one for zip in zips for one in _of_zip(zip)], homework)
    except Unreadable:
        return False
    return all(_system_says(one.path) for one in inside if one.is_a(".ipynb"))


# ---- a folder


def _entries(place):
    """All files of a folder; of a zip, itself."""
    if place.is_file():
        return [Entry(PurePosixPath("all.zip"), LONG_AGO, lambda: place)]
    paths = ((path, PurePosixPath(path.relative_to(place).as_posix())) for path in sorted(place.rglob("*")))
    return [
        Entry(inside / LINK if path.is_dir() else inside, _time(path), partial(_no_link, path, place))
        for path, inside in paths
        if _is_kept(inside) and (path.is_symlink() or not path.is_dir())
    ]


def _time(path):
    return _aware_or(dt.datetime.fromtimestamp, path.lstat().st_mtime, dt.timezone.utc)


def _stamped(entry, homework, stamps):
    """With the time in nbgrader's timestamp.txt, in its layout alone: elsewhere a student may have put it."""
    inside = entry.path
    nbgraders = len(inside.parts) == 3 and inside.parts[1] == homework and not _system_says(inside)
    stamp = stamps.get(inside.parent / "timestamp.txt") if nbgraders else None
    if stamp is None:
        return entry
    try:
        text = re.sub(r" UTC$", "+00:00", stamp.read()[:200].decode("utf-8", "replace").strip())
    except Unreadable:
        return entry
    return replace(entry, time=_aware_or(dt.datetime.fromisoformat, text, otherwise=entry.time))


def _aware_or(make, *words, otherwise=LONG_AGO):
    """The time, with its zone; another for none, and for one that no other zone can tell."""
    day = dt.timedelta(days=1)
    try:
        time = make(*words)
        time = time if time.tzinfo else time.astimezone()
        return time - day + day + day - day
    except (ValueError, OverflowError, OSError):
        return otherwise


def _no_link(path, top):
    linked = any(part.is_symlink() for part in [path, *path.parents] if part != top and top in part.parents)
    if linked or not path.is_file():
        raise Unreadable("it is a symbolic link, or no file: links are not followed")
    return path


def _read(file):
    """The bytes of a path, or of a file in memory; one more than a notebook may have, at most."""
    try:
        with open(file, "rb") if isinstance(file, Path) else file as opened:
            return opened.read(BYTES + 1)
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from error


# ---- a zip


def _of_zip(zip):
    """What lies in it, as it would lie in a folder."""
    try:
        with zipfile.ZipFile(zip.file()) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        raise Unreadable(f"it is no zip that can be read: {error}") from error
    size = sum(info.file_size for info in infos)
    if size > ZIP_BYTES:
        raise Unreadable(f"it unpacks to more than {ZIP_BYTES // 2**30} GiB")
    inside = [(path, info) for info in infos if (path := _inside(info)) and _is_kept(path)]
    return [
        Entry(path, _aware_or(dt.datetime, *info.date_time), partial(_unzip, zip, info))
        for path, info in inside
    ]


# The two bytes of a Chinese character in GBK. Read as in old zips, most begin with a piece of a frame, which
# no name has.
GBK, FRAME = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]"), re.compile(rb"[\xb0-\xdf]")
IS_UTF8 = 0x800


def _as_meant(info):
    """The name of a file in a zip. Chinese Windows writes it in GBK and does not say so."""
    try:
        raw = b"" if info.flag_bits & IS_UTF8 else info.filename.encode("cp437")
        chinese = GBK.search(raw) and FRAME.search(raw) and GBK.sub(b"", raw).isascii()
        return raw.decode("gbk") if chinese else info.filename
    except UnicodeError:
        return info.filename


def _inside(info):
    """The path of an entry, which leads nowhere; None for a name of nothing."""
    parts = PurePosixPath(_as_meant(info).replace("\\", "/")).parts
    parts = [part for part in parts if part not in ("/", "..", ".")]
    return PurePosixPath(*parts) if parts else None


def _unzip(zip, info):
    try:
        with zipfile.ZipFile(zip.file()) as archive, archive.open(info) as file:
            return io.BytesIO(file.read(BYTES + 1))
    except Exception as error:  # each way of packing has errors of its own
        raise Unreadable(f"it cannot be unpacked: {error}") from error


def choose(submissions, take="last", until: dt.datetime | None = None, work=None) -> list[Submission]:
    """What counts: one submission of each student; all in time where the best is to be taken.

    take : "last", "first", or "best" (all are graded, and the best result counts)
    until : a later one counts only where its student has no other, and is marked late
    work : submission -> how many answers stand in it. One with none, a template, counts for nobody who has
        more; of those of one time the one with most does.
    """
    marked = [replace(s, late=s.late or bool(until and s.time and s.time > until)) for s in submissions]
    of = {}
    for one in marked:
        of.setdefault(one.student, []).append(one)
    chosen = []
    for many in of.values():
        if work and len(many) > 1:
            done = {one: work(one) for one in many}
            many = [one for one in many if done[one]] or many
            many = sorted(many, key=lambda one: (one.order[0], done[one], one.order[1]))
        in_time = [s for s in many if not s.late] or many[:1]
        chosen += in_time if take == "best" else [in_time[-1 if take == "last" else 0]]
    return chosen
