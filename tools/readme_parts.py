"""Write what README.md takes from elsewhere: the chapters that exist, and the addresses in docs/site.toml.

uv run python tools/readme_parts.py             # write it
uv run python tools/readme_parts.py --check     # exit status 1 when it is out of date
"""

import re
import sys
import tomllib

import nbformat

from tools import books
from tools.books import ROOT
from tools.site.chapter_page import address_of
from tools.written import write_or_check

PART = r"(<!-- {0}: .*? -->\n).*?(?=<!-- end of {0} -->)"
SETTINGS = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))
IN_A_ROW = 4


def addresses(settings):
    """Where to read, to run and to ask, as far as docs/site.toml knows it."""
    site, repository = settings["address"], settings["repository"]
    links = [f"**[Read it on the web]({site})**"] * bool(site)
    if repository:
        where = address_of(repository)
        links += [
            f"[Run it on Binder](https://mybinder.org/v2/gh/{where}/HEAD?urlpath=lab/tree/notebooks/00-start-here.ipynb)",
            f"[Releases]({repository}/releases)",
            f"[Ask, or report an error]({repository}/issues)",
        ]
    return " · ".join(links) + "\n" * bool(links)


def gallery(paths, site):
    """Rows of pictures, each a link to its chapter: to its page where the site has an address."""
    cells = [
        f"[![{title_of(path)}](docs/images/chapter-{path.name[:2]}.png)]"
        f"({f'{site}notebooks/{path.stem}.html' if site else f'notebooks/{path.name}'})"
        for path in paths
        if "01" <= path.name[:2] <= "12"
    ]
    rows = [cells[i : i + IN_A_ROW] for i in range(0, len(cells), IN_A_ROW)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines[:1], "|---" * IN_A_ROW + "|", *lines[1:]]) + "\n" if lines else ""


def title_of(path):
    return nbformat.read(path, as_version=4).cells[0].source.partition("\n")[0].removeprefix("# ")


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
    path = ROOT / "exercises" / f"{books.homework_of(name)}.ipynb"
    if not path.exists():
        return ""
    grading = [cell.metadata.get("nbgrader", {}) for cell in nbformat.read(path, as_version=4).cells]
    points = [g["points"] for g in grading if g.get("grade")]
    return f"[{len(points)} questions, {sum(points):g} points](exercises/{path.name})"


def with_parts(text):
    chapters = [p for p in books.chapters(ROOT / "notebooks") if not p.name.startswith("00")]
    head = "| | chapter | checked | homework |\n|---|---|---|---|\n"
    parts = {
        "address": addresses(SETTINGS),
        "pictures": gallery(chapters, SETTINGS["address"]),
        "chapters": head + "\n".join(map(row, chapters)) + "\n",
    }
    for name, part in parts.items():
        text = re.sub(PART.format(name), lambda m, part=part: m[1] + part, text, flags=re.S)
    return text


def main(argv=None):
    return write_or_check(ROOT / "README.md", with_parts, __doc__, argv)


if __name__ == "__main__":
    sys.exit(main())
