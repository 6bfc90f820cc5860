"""The course as a zip: what a copy of it holds, and what it does not."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tools.books import ROOT

COURSE = (
    *(
        "README.md",
        "LICENSE",
        "LICENSE-text",
        "CITATION.cff",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ),
    *("conftest.py", "pyproject.toml", "requirements.txt", "environment.yml", "notebooks", "exercises"),
    *("helpers", "grading", "homework", "course", "docs", "tests", "tools"),
    *(".binder", ".ci", ".github", ".gitignore", ".git-blame-ignore-revs", ".zenodo.json"),
)
# What a run leaves behind, in any folder.
LEFT_BEHIND = ("__pycache__", ".ipynb_checkpoints", ".progress.jsonl", ".DS_Store")


def course_files(with_solutions=False):
    """What a copy of the course holds: not what it left behind when it ran."""
    for name in (*COURSE, *(("solutions",) if with_solutions else ())):
        paths = (ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name]
        yield from (one for one in paths if one.is_file() and not is_left_behind(one.relative_to(ROOT)))


def is_left_behind(path):
    return any(part in LEFT_BEHIND or part.endswith("cache") for part in path.parts)


def write_zip(target, with_solutions=False):
    """The course as a zip, all of it in one folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(course_files(with_solutions)):
            archive.write(path, Path("fewer-dimensions", path.relative_to(ROOT)))
    return target
