"""Make what a release consists of, in _build/release.

    uv run python tools/make_release.py                     # the course as a zip, for learners
    uv run python tools/make_release.py --with-solutions    # one for lecturers beside it
    uv run python tools/make_release.py --pdf               # the PDF too; needs Chromium

The version is pyproject.toml's, and CHANGELOG.md has to say what is new in it: that is printed, to be put
above the files on the page of the release.
"""

import sys
import tomllib
from pathlib import Path

from tools import build_site, written
from tools.books import ROOT
from tools.site.course_zip import write_zip


def news(version, changelog):
    """The part of CHANGELOG.md that is about this version."""
    parts = changelog.split("\n## ")
    told = next((part for part in parts if part.partition("\n")[0].split(" ")[0] == version), None)
    if told is None:
        raise SystemExit(f'CHANGELOG.md has no part "## {version} (date)": write what is new.')
    return told.partition("\n")[2].strip()


def main(argv=None):
    parser = written.parser(__doc__)
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
        site = chosen.out / "site"
        if build_site.build(site, pdf=True):
            return 1
        made.append((site / "downloads" / "fewer-dimensions.pdf").rename(chosen.out / f"{name}.pdf"))
    print(told, *("", "Put these files beside it:"), *made, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
