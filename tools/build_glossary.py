"""Write notebooks/14-glossary.ipynb from docs/glossary.tsv: term, 中文, meaning, section that defines it.

uv run python tools/build_glossary.py             # write it
uv run python tools/build_glossary.py --check     # write nothing; exit status 1 when it is out of date
"""

import csv
import re
import sys

import nbformat

from tools._generated import KERNEL, ROOT, write_or_check

TERMS = ROOT / "docs" / "glossary.tsv"
GLOSSARY = "14-glossary.ipynb"
HEADING = re.compile(r"^#{2,6} +((\d+\.\d+) .+?)[ #]*$", re.M)
FIELDS = ("term", "chinese", "meaning", "section")
HEAD = """# 14 · Glossary

Every term of the course, in English and Chinese, in one line, with the section that defines it."""


class GlossaryError(ValueError):
    """A term whose section does not exist, or a line that is no term."""


def read_terms(path=TERMS):
    """One dict for each line, sorted as a reader looks for them."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if line]
    for line in lines:
        if len(line) != len(FIELDS) or not all(map(str.strip, line)):
            raise GlossaryError(f"not four fields with tabs between them: {line}")
    terms = [dict(zip(FIELDS, map(str.strip, line))) for line in lines]
    return sorted(terms, key=lambda term: term["term"].lower().lstrip("$\\χ"))


def sections(folder=None):
    """{"2.3": (file, heading, text up to the next heading)} of all chapters, the opening with the first."""
    found = {}
    for path in sorted((folder or ROOT / "notebooks").glob("[0-9]*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        marks = [*HEADING.finditer(text)]
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        opening = [text[: mark.start()] for mark in marks[:1]] + [""] * len(marks)
        found |= {
            mark[2]: (path.name, mark[1], before + text[mark.end() : end])
            for mark, end, before in zip(marks, ends, opening)
        }
    return found


def anchor(heading):
    """JupyterLab's: the text of the heading, with - for each blank."""
    return re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", heading).replace(" ", "-")


def table(terms, known):
    lines = ["| term | 中文 | meaning | defined in |", "|---|---|---|---|"]
    for term in terms:
        if term["section"] not in known:
            raise GlossaryError(f"{term['term']}: there is no section {term['section']}")
        file, heading, _ = known[term["section"]]
        link = f"[{term['section']}]({file}#{anchor(heading)})"
        lines.append(f"| {term['term']} | {term['chinese']} | {term['meaning']} | {link} |")
    return "\n".join(lines)


def glossary(terms, known):
    cells = [
        nbformat.v4.new_markdown_cell(text, id=name)
        for name, text in (("title", HEAD), ("terms", table(terms, known)))
    ]
    nb = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    return nbformat.writes(nb) + "\n"


def main(argv=None):
    return write_or_check(
        ROOT / "notebooks" / GLOSSARY, lambda _: glossary(read_terms(), sections()), __doc__, argv
    )


if __name__ == "__main__":
    sys.exit(main())
