"""`course release`: a homework as a folder or zip: the exercise and all that it needs to answer back."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from grading.classroom.answers import Homework, Unreadable, find_homework
from grading.folder import course_folder
from grading.imports import files_needed
from grading.registry import PACKAGE, folders

NO_CACHE = shutil.ignore_patterns("__pycache__")
UNASKED = shutil.ignore_patterns("__pycache__", "tried_answers.py")  # no student needs these

README = """# {title}

1. Put this folder anywhere. You need Python 3.11, 3.12, 3.13 or 3.14.
2. In it: `pip install -r requirements.txt`, then `jupyter lab {name}.ipynb`.
3. Write your answers where you see `...`, run the cell, then the `check` below it.
4. Before you hand in: Kernel > Restart Kernel and Run All Cells. It has to work from top to bottom, without a
   keyboard and without a network. All cells together may take five minutes, one cell half a minute.
5. Save, and hand in `{name}.ipynb`: this one file. Other files beside it are not graded.
"""
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(\.\./[^)]*\)")  # into the course, which is not handed out
JUPYTER = ["jupyterlab", "ipykernel"]


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
    (folder / exercise.name).write_text(without_links(exercise.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "requirements.txt").write_text("\n".join([*pins(course), ""]), encoding="utf-8")
    (folder / "README.md").write_text(
        README.format(title=homework.title, name=exercise.stem), encoding="utf-8"
    )


def without_links(text):
    """The notebook with the words alone of links that lead out of the folder."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(r"\1", "".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def pins(course):
    """What a student installs: the packages that the course itself names, at its versions, and Jupyter."""
    about = tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8"))
    names = [re.match(r"[\w.-]+", one)[0] for one in about["project"]["dependencies"]] + JUPYTER
    lines = (course / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if re.split(r"[=\s]", line)[0] in names]
