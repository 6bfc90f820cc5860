"""Which notebooks are chapters, and which are companions: `02-pca-more.ipynb` is that of `02-pca.ipynb`.

A companion holds what not everybody reads. It is a page of its own, below its chapter's, and runs by itself;
the numbers of sections and equations run on from the chapter, and both together hold its items and errata.
"""

from pathlib import Path

__all__ = ["MORE", "books", "chapter_of", "chapters", "companions", "is_companion", "together"]

ROOT = Path(__file__).resolve().parents[1]
MORE = "-more"


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


def companions(folder=ROOT / "notebooks", begins="[0-9]"):
    """Those that are."""
    return [path for path in books(folder, begins) if is_companion(path)]


def together(path):
    """A chapter, and its companion if it has one."""
    more = Path(path).with_name(f"{chapter_of(Path(path).stem)}{MORE}.ipynb")
    return [Path(path)] + [more] * more.exists()
