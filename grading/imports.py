"""Which files of the course Python source leads to, by its import statements; nothing is run to find out."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def imported(source: str, roots: tuple[Path, ...] = (ROOT,)) -> set[str]:
    """The modules of helpers, grading and homework that the source imports, with their dotted names.

    roots : the folders of these packages
    """
    found = set()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if any(is_ours(name, root) for root in roots)}


def is_ours(name, root):
    place = root / name.replace(".", "/")
    in_course = name.partition(".")[0] in ("helpers", "grading", "homework")
    return in_course and (place.is_dir() or place.with_suffix(".py").is_file())


@cache
def files_needed(modules: frozenset[str], roots: tuple[Path, ...] = (ROOT,)) -> frozenset[Path]:
    """The files of these modules, of all that they import in turn, and of the packages that hold them."""
    files, waiting = set(), set(modules)
    while waiting:
        module = waiting.pop()
        for path in set().union(*(files_of(module, root) for root in roots)) - files:
            files.add(path)
            waiting |= imported_by(path, roots)
    return frozenset(files)


@cache
def imported_by(path, roots):
    return imported(path.read_text(encoding="utf-8"), roots)


def files_of(module, root):
    """A module's own files. A package of helpers hands out its modules by name: all of them belong to it."""
    place = root / module.replace(".", "/")
    files = {package / "__init__.py" for package in (place, *place.parents) if package.is_relative_to(root)}
    files |= {place.with_suffix(".py")}
    if module.startswith("helpers."):
        files |= set(place.glob("*.py"))
    return {path for path in files if path.is_file()}
