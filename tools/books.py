"""Which notebooks are chapters, and which are companions: `02-pca-more.ipynb` is that of `02-pca.ipynb`.

A companion holds what not everybody reads. It is a page of its own, below its chapter's, and runs by itself;
the numbers of sections and equations run on from the chapter, and both together hold its items and errata.
"""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MORE = "-more"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def is_companion(path):
    """Of a path or a stem."""
    return Path(path).name.removesuffix(".ipynb").removesuffix(".html").endswith(MORE)


def chapter_of(stem):
    """The stem of the chapter that a notebook belongs to: its own, or its companion's.

    Examples
    --------
    >>> chapter_of("02-pca-more"), chapter_of("02-pca")
    ('02-pca', '02-pca')
    """
    return stem.removesuffix(MORE)


def in_order(paths):
    """By number, each chapter before its companion."""
    return sorted(paths, key=lambda path: (chapter_of(path.stem), is_companion(path)))


def books(folder=ROOT / "notebooks", begins="[0-9]"):
    """All notebooks of a folder whose names begin so, each chapter before its companion."""
    return in_order(Path(folder).glob(f"{begins}*.ipynb"))


def chapters(folder=ROOT / "notebooks", begins="[0-9]"):
    """Those that are no companions."""
    return [path for path in books(folder, begins) if not is_companion(path)]


def together(path):
    """A chapter, and its companion if it has one."""
    more = Path(path).with_name(f"{chapter_of(Path(path).stem)}{MORE}.ipynb")
    return [Path(path)] + [more] * more.exists()


def homework_of(stem):
    """The stem of the homework in exercises/ that belongs to a chapter, or to its solution.

    Examples
    --------
    >>> homework_of("02-pca"), homework_of("02-solution"), solution_of("02-homework")
    ('02-homework', '02-homework', '02-solution')
    """
    return f"{stem.partition('-')[0]}-homework"


def solution_of(stem):
    """The stem of the solution in solutions/ that belongs to a chapter, or to its homework."""
    return f"{stem.partition('-')[0]}-solution"


def digest(cells):
    """Changes when any code cell does: counts of planted faults with another digest are out of date."""
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return hashlib.sha256("\0".join(code).encode()).hexdigest()[:16]
