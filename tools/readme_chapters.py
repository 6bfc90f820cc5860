"""Write the table of chapters in README.md from the notebooks and exercises that exist.

uv run python tools/readme_chapters.py             # write it
uv run python tools/readme_chapters.py --check     # exit status 1 when it is out of date
"""

import re
import sys

import nbformat

from tools import books
from tools._generated import ROOT, write_or_check

TABLE = re.compile(r"(<!-- chapters: .*? -->\n).*?(?=<!-- end of chapters -->)", re.S)


def row(path):
    """One chapter: its title, how many items and errata it and its companion check, its homework."""
    nb = nbformat.read(path, as_version=4)
    number, title = re.match(r"# (\d+) · (.+)", nb.cells[0].source).groups()
    cells = sum((nbformat.read(one, as_version=4).cells for one in books.together(path)), [])
    tags = {tag for cell in cells for tag in cell.metadata.get("tags", [])}
    items = sum(tag.startswith("item:") for tag in tags)
    errata = sum(tag.startswith("erratum:") for tag in tags)
    counted = [
        f"{items} items" * bool(items),
        f"{errata} {'erratum' if errata == 1 else 'errata'}" * bool(errata),
    ]
    checked = ", ".join(filter(None, counted))
    return f"| {number} | [{title}](notebooks/{path.name}) | {checked} | {homework(path.name)} |"


def homework(name):
    """Number of questions and points, with a link, when there is homework."""
    path = ROOT / "exercises" / name
    if not path.exists():
        return ""
    grading = [cell.metadata.get("nbgrader", {}) for cell in nbformat.read(path, as_version=4).cells]
    points = [g["points"] for g in grading if g.get("grade")]
    return f"[{len(points)} questions, {sum(points):g} points](exercises/{name})"


def with_table(text):
    chapters = [p for p in books.chapters(ROOT / "notebooks") if not p.name.startswith("00")]
    head = "| | chapter | checked | homework |\n|---|---|---|---|\n"
    return TABLE.sub(lambda m: m[1] + head + "\n".join(map(row, chapters)) + "\n", text)


def main(argv=None):
    return write_or_check(ROOT / "README.md", with_table, __doc__, argv)


if __name__ == "__main__":
    sys.exit(main())
