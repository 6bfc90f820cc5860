"""Make what a release consists of, in _build/release.

    uv run python tools/make_release.py                     # the course as a zip, for learners
    uv run python tools/make_release.py --with-solutions    # one for lecturers beside it
    uv run python tools/make_release.py --pdf               # the PDF too; needs Chromium

The version is pyproject.toml's, and CHANGELOG.md has to say what is new in it: that is printed, to be put
above the files on the page of the release.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).resolve().parents[1]
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
LEFT_BEHIND = ("__pycache__", ".ipynb_checkpoints", ".progress.jsonl", ".DS_Store", "capstone-report")


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


def news(version, changelog):
    """The part of CHANGELOG.md that is about this version."""
    parts = changelog.split("\n## ")
    told = next((part for part in parts if part.partition("\n")[0].split(" ")[0] == version), None)
    if told is None:
        raise SystemExit(f'CHANGELOG.md has no part "## {version} (date)": write what is new.')
    return told.partition("\n")[2].strip()


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "release")
    parser.add_argument("--with-solutions", action="store_true", help="make the lecturers' zip too")
    parser.add_argument("--pdf", action="store_true", help="make the PDF too; needs Chromium")
    chosen = parser.parse_args(argv)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = news(project["version"], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    name = f"{project['name']}-{project['version']}"
    made = [write_zip(chosen.out / f"{name}.zip")]
    if chosen.with_solutions:
        made.append(write_zip(chosen.out / f"{name}-with-solutions.zip", with_solutions=True))
    if chosen.pdf:
        from tools import build_site

        site = chosen.out / "site"
        if build_site.build(site, pdf=True):
            return 1
        made.append((site / "downloads" / "fewer-dimensions.pdf").rename(chosen.out / f"{name}.pdf"))
    print(told, *("", "Put these files beside it:"), *made, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
