"""Where the course lies: the folder with notebooks/ and exercises/ in it."""

from pathlib import Path

START = Path("notebooks", "00-start-here.ipynb")


class CourseNotFound(LookupError):
    """No course around the working directory; says what to do."""


def course_folder(start=None):
    """The course around the working directory, or else the one that this file belongs to.

    Raises
    ------
    CourseNotFound
        There is none: this file is installed on its own, and no folder above holds the notebooks.
    """
    here = Path(start or Path.cwd()).resolve()
    for place in (here, *here.parents, Path(__file__).resolve().parents[1]):
        if (place / START).is_file():
            return place
    raise CourseNotFound(
        f"The course's notebooks are not here: no {START.as_posix()} in {here}, nor above it.\n"
        "Go to the folder that you cloned or unpacked, and run `course` there."
    )
