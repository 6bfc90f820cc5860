"""`course release`: a homework as a folder or zip: the exercise and all that it needs to answer back."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from grading.classroom.answers import Homework, Unreadable, find_homework
from grading.folder import course_folder
from grading.imports import files_needed
from grading.registry import PACKAGE, folders

__all__ = ["arguments", "release", "run"]

NO_CACHE = shutil.ignore_patterns("__pycache__")
UNASKED = shutil.ignore_patterns("__pycache__", "tried_answers.py")  # no student needs these

README = """# {title}

1. Put this folder anywhere. You need Python 3.11, 3.12 or 3.13.
2. In it: `pip install -r requirements.txt`, then `jupyter lab {name}.ipynb`.
3. Write your answers where you see `...`, run the cell, then the `check` below it. Hand in `{name}.ipynb`.
"""


def arguments(parser):
    parser.add_argument("homework", help="the exercise: its number (02), its name, or its file")
    parser.add_argument("output", type=Path, help="the folder to make, or a name that ends in .zip")
    parser.epilog = (
        "It holds the exercise, the part of the course's package that answers back (`check`, and the "
        "questions of this homework and no other), requirements.txt, and a README for students. Whoever "
        "looks finds the questions' references in the package, as in the course itself; the inputs on "
        "which you grade are not in it: they are drawn from your salt."
    )


def run(options):
    try:
        made = release(course_folder(), find_homework(options.homework), options.output)
    except (Unreadable, FileExistsError) as problem:
        print(f"course release: {problem}", file=sys.stderr)
        return 1
    print(f"For your students: {made}")
    return 0


def release(course: Path, exercise: Path, output: Path) -> Path:
    """Write the folder, or the zip."""
    if output.exists() and (output.is_file() or any(output.iterdir())):
        raise FileExistsError(f"{output} exists already: give another name, or remove it")
    if output.suffix == ".zip":
        with tempfile.TemporaryDirectory() as folder:
            fill(course, exercise, Path(folder) / exercise.stem)
            return Path(shutil.make_archive(str(output.with_suffix("")), "zip", folder))
    fill(course, exercise, output)
    return output


def fill(course, exercise, folder):
    homework, needed = Homework(exercise), files_needed(frozenset({"grading", PACKAGE}), (course,))
    shutil.copytree(course / "helpers", folder / "helpers", ignore=NO_CACHE)
    for path in needed:
        if not path.is_relative_to(course / "helpers"):
            target = folder / path.relative_to(course)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for topic in homework.topics:
        shutil.copytree(folders()[topic], folder / PACKAGE / topic, ignore=UNASKED)
    shutil.copy(exercise, folder)
    shutil.copy(course / "requirements.txt", folder)
    (folder / "README.md").write_text(
        README.format(title=homework.title, name=exercise.stem), encoding="utf-8"
    )
