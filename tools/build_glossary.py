"""Write notebooks/14-glossary.ipynb from docs/glossary.tsv, whose fields stand between tabs: term, 中文,
meaning, section, other names of the same ("also"), names of something near it ("see"), and the pinyin of all
Chinese names of the line in their order, without tones, by which the Chinese index is sorted.

A section is a number (7.4), or a chapter (7, 00b): then the glossary finds the first of its sections that
gives the Chinese name in brackets, or prints the term in bold, or names it.

uv run python tools/build_glossary.py             # write it
uv run python tools/build_glossary.py --check     # write nothing; exit status 1 when it is out of date
"""

import re
import sys
from itertools import groupby

import nbformat

from tools.books import KERNEL, ROOT
from tools.site.terms import (
    CHINESE,
    GLOSSARY,
    LEARNERS,
    GlossaryError,
    place,
    read_terms,
    sections,
    slug,
    split,
)
from tools.written import write_or_check

HEAD = """# 14 · Glossary

The terms of the course in English and Chinese, each with its meaning, the section that defines it, other
names of the same thing, and names of something near it.
[Begin with the Chinese](#Chinese-index), or with the English:"""


def sounds(term):
    """[(Chinese name, its pinyin, "see " if it names something near)] of a line."""
    leads = {"chinese": "", "also": "", "see": "see "}
    names = [
        (name, lead) for field, lead in leads.items() for name in split(term[field]) if CHINESE.search(name)
    ]
    pinyin = split(term["pinyin"])
    if len(pinyin) != len(names):
        raise GlossaryError(f"{term['term']}: {len(names)} Chinese names, the pinyin of {len(pinyin)}")
    return [(name, sound, lead) for (name, lead), sound in zip(names, pinyin, strict=True)]


def link(term, known):
    where = place(term, known)
    file, heading, _ = known[where]
    label = "learners" if where.startswith(LEARNERS) else where
    return f"[{label}]({file}#{slug(heading)})"


def table(terms, known):
    lines = ["| term | 中文 | meaning | defined in | also called | see also |", "|---|---|---|---|---|---|"]
    for term in terms:
        row = (term["term"], term["chinese"], term["meaning"], link(term, known), term["also"], term["see"])
        lines.append(re.sub(r"\|  (?=\|)", "| ", f"| {' | '.join(row)} |"))
    return "\n".join(lines)


def initial(pinyin):
    """The letter under which a name stands."""
    return pinyin[0].upper() if pinyin[0].isalpha() else "·"


def index(terms, known):
    """Chinese first, by sound: a line for each initial."""
    names = sorted(
        (initial(sound), sound.lower(), name, f"{lead}{term['term']}", link(term, known))
        for term in terms
        for name, sound, lead in sounds(term)
    )
    lines = ["## Chinese index", "", "中文索引", "", "| | |", "|---|---|"]
    for letter, group in groupby(names, key=lambda one: one[0]):
        entries = " · ".join(f"{name} ({english}, {where})" for _, _, name, english, where in group)
        lines.append(f"| **{letter}** | {entries} |")
    return "\n".join(lines)


def glossary(terms, known):
    cells = [
        nbformat.v4.new_markdown_cell(text, id=name)
        for name, text in (("title", HEAD), ("terms", table(terms, known)), ("index", index(terms, known)))
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
