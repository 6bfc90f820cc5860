"""The terms of docs/glossary.tsv, and the sections of the chapters that define them."""

import csv
import re

import nbformat

from tools import books
from tools.books import ROOT

TERMS = ROOT / "docs" / "glossary.tsv"
GLOSSARY = "14-glossary.ipynb"
HEADING = re.compile(r"^#{2,6} +((\d+\.\d+) .+?)[ #]*$", re.M)
PLAIN = re.compile(r"^#{2,6} +((.+?))[ #]*$", re.M)
LEARNERS = "00b"  # the one notebook whose headings have no numbers
FOLD = re.compile(r"<details>.*?</details>", re.S)  # quotes others, and defines nothing
CHINESE = re.compile(r"[\u4e00-\u9fff]")
FIELDS = ("term", "chinese", "meaning", "section", "also", "see", "pinyin")


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
