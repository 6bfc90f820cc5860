"""Lead from each erratum of notebooks/13-errata.ipynb to the section that tells its story: the one that holds
the check tagged with its number. Whatever stands behind "Told in" is written anew.

uv run python tools/link_errata.py             # write it
uv run python tools/link_errata.py --check     # write nothing; exit status 1 when it is out of date
"""

import re
import sys

import nbformat

from tools import books
from tools.books import ROOT
from tools.site.terms import HEADING, slug
from tools.written import write_or_check

ERRATA = "13-errata.ipynb"
TOLD = re.compile(r"Told in .+$", re.M)
NUMBER = re.compile(r"^### (E\d\d)$", re.M)


class ErratumError(ValueError):
    """An erratum that no chapter checks."""


def places(folder=None):
    """{"E06": [(file, heading), …]}: the numbered sections of the chapters that check each erratum."""
    found = {}
    for path in books.books(folder or ROOT / "notebooks", "[01]"):
        heading = None
        for cell in nbformat.read(path, as_version=4).cells if path.name != ERRATA else ():
            if cell.cell_type == "markdown":
                heading = ([m[1] for m in HEADING.finditer(cell.source)] or [heading])[-1]
                continue
            for tag in cell.metadata.get("tags", []):
                kind, _, number = tag.partition(":")
                here = found.setdefault(number, []) if kind == "erratum" and heading else [None]
                here += [(path.name, heading)] * ((path.name, heading) not in here)
    return found


def told(number, known):
    """The sentence with its links."""
    if number not in known:
        raise ErratumError(f"{number}: no section of a chapter has a check tagged erratum:{number}")
    links = [f"[{heading}]({file}#{slug(heading)})" for file, heading in known[number]]
    return f"Told in {' and '.join(links)}."


def retold(text, known):
    nb = nbformat.reads(text, as_version=4)
    for cell in nb.cells:
        number = NUMBER.search(cell.source) if cell.cell_type == "markdown" else None
        if number:
            cell.source = TOLD.sub(lambda _, n=number[1]: told(n, known), cell.source)
    return nbformat.writes(nb) + "\n"


def main(argv=None):
    return write_or_check(ROOT / "notebooks" / ERRATA, lambda text: retold(text, places()), __doc__, argv)


if __name__ == "__main__":
    sys.exit(main())
