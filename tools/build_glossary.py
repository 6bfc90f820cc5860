"""Write notebooks/14-glossary.ipynb from docs/glossary.tsv, whose fields stand between tabs: term, 中文,
meaning, section, other names of the same ("also"), names of something near it ("see"), and the pinyin of all
Chinese names of the line in their order, without tones, by which the Chinese index is sorted.

A section is a number (7.4), or a chapter (7, 00b): then the glossary finds the first of its sections that
gives the Chinese name in brackets, or prints the term in bold, or names it.

uv run python tools/build_glossary.py             # write it
uv run python tools/build_glossary.py --check     # write nothing; exit status 1 when it is out of date
"""

import csv
import re
import sys
from itertools import groupby

import nbformat

from tools import books
from tools.books import KERNEL, ROOT
from tools.written import write_or_check

TERMS = ROOT / "docs" / "glossary.tsv"
GLOSSARY = "14-glossary.ipynb"
HEADING = re.compile(r"^#{2,6} +((\d+\.\d+) .+?)[ #]*$", re.M)
PLAIN = re.compile(r"^#{2,6} +((.+?))[ #]*$", re.M)
LEARNERS = "00b"  # the one notebook whose headings have no numbers
FOLD = re.compile(r"<details>.*?</details>", re.S)  # quotes others, and defines nothing
CHINESE = re.compile(r"[\u4e00-\u9fff]")
FIELDS = ("term", "chinese", "meaning", "section", "also", "see", "pinyin")
HEAD = """# 14 · Glossary

The terms of the course in English and Chinese, each with its meaning, the section that defines it, other
names of the same thing, and names of something near it.
[Begin with the Chinese](#Chinese-index), or with the English:"""


class GlossaryError(ValueError):
    """A term whose section does not exist, or a line that is no term."""


def read_terms(path=TERMS):
    """One dict for each line, sorted as a reader looks for them."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if line]
    for line in lines:
        if not 4 <= len(line) <= len(FIELDS) or not all(map(str.strip, line[:4])):
            raise GlossaryError(f"not four to seven fields with tabs between them: {line}")
    terms = [
        dict.fromkeys(FIELDS, "") | dict(zip(FIELDS, map(str.strip, line), strict=False)) for line in lines
    ]
    return sorted(terms, key=lambda term: term["term"].lower().lstrip("$\\χ"))


def split(names):
    """Names with / or commas between them, apart."""
    return [name.strip() for name in re.split(r"[/、，,;；]", names) if name.strip()]


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


def sections(folder=None):
    """{"2.3": (file, heading, text up to the next heading)} of all chapters, the opening with the first."""
    found = {}
    for path in books.books(folder or ROOT / "notebooks"):
        if path.name == GLOSSARY:
            continue
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        learners = path.name.startswith(LEARNERS)
        marks = [*(PLAIN if learners else HEADING).finditer(text)]
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        opening = [text[: mark.start()] for mark in marks[:1]] + [""] * len(marks)
        found |= {
            f"{LEARNERS} {mark[2]}" if learners else mark[2]: (
                path.name,
                mark[1],
                before + text[mark.end() : end],
            )
            for mark, end, before in zip(marks, ends, opening, strict=False)
        }
    return found


def named(term, text):
    """Whether the text has each word of one of the term's English names, in any form (axis, axes)."""
    text = text.lower()
    return any(
        all(word[:5] in text for word in re.findall(r"[\w²]+", name.lower()))
        for name in term["term"].split("/")
    )


def place(term, known):
    """The term's section: as given, or the chapter's first that defines it."""
    chapter = term["section"]
    if chapter in known:
        return chapter
    own = [one for one in known if re.split(r"[. ]", one)[0] == chapter]
    texts = {one: f"{known[one][1]}\n{FOLD.sub('', known[one][2])}" for one in own}
    for way in (in_brackets, in_bold, in_words, named):
        for one in own:
            if way(term, texts[one]):
                return one
    raise GlossaryError(f"{term['term']}: there is no section {chapter}, or none of it names the term")


def in_brackets(term, text):
    """(中文), as where a term is defined."""
    chinese = "|".join(re.escape(name) for name in split(term["chinese"]) if CHINESE.search(name))
    return bool(chinese and re.search(rf"\([^()]*(?:{chinese})", text))


def in_bold(term, text):
    bold = " ".join(re.findall(r"\*\*(.+?)\*\*", text) + text.split("\n")[:1])
    return in_words(term, bold)


def in_words(term, text):
    """One of the English names, whole, but for what stands in brackets."""
    names = [re.sub(r"\(.*?\)", "", name).strip() for name in term["term"].split("/")]
    return any(name.lower() in text.lower() for name in names)


def slug(heading):
    """JupyterLab's name of a heading: its text, with - for each blank."""
    return re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", heading).strip().replace(" ", "-")


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
