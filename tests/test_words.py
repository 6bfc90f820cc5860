"""The field's words, in held chapters, glossary and homework; a private word only beside the standard one."""

import ast
import re
import tomllib

import pytest

from tests import rules
from tools import form
from tools.books import ROOT

TABLE = tomllib.loads((ROOT / "docs" / "words.toml").read_text(encoding="utf-8"))
WORDS, STILL = TABLE["word"], TABLE["still"]
GLOSSARY = "docs/glossary.tsv"


def pieces(path):
    """What a reader reads: each cell's prose or its strings and comments; each line of the glossary."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8").splitlines()
    return [
        cell.source if cell.cell_type == "markdown" else said(cell.source) for cell in rules.read(path).cells
    ]


def said(code):
    """The strings and comments of a cell, which stand on the page too."""
    strings = [n.value for n in ast.walk(rules.parsed(code)) if isinstance(n, ast.Constant)]
    return "\n".join([*(s for s in strings if isinstance(s, str)), *re.findall(r"#.*", code)])


def alone(text, word):
    """The private words of a piece of text beside which no standard one stands."""
    if any(one.lower() in text.lower() for one in word["field"]):
        return []
    return [pattern for pattern in word["ours"] if re.search(pattern, text, re.I)]


def private(texts):
    """The patterns that stand alone in any piece."""
    return {pattern for text in texts for word in WORDS for pattern in alone(text, word)}


def files():
    held = [ROOT / "notebooks" / f"{stem}.ipynb" for stem in form.held()]
    return [ROOT / GLOSSARY, *held, *sorted((ROOT / "solutions").glob("*.ipynb"))]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_fields_words_are_used(path):
    name = path.relative_to(ROOT).as_posix()
    excused = {pattern for pattern, names in STILL.items() if name in names}
    assert private(pieces(path)) - excused == set(), "the standard word first: docs/words.toml"
    assert excused <= private(pieces(path)), f"{name} was reworded: take it from the list in docs/words.toml"


def test_no_held_chapter_is_excused():
    assert not {f"notebooks/{stem}.ipynb" for stem in form.held()} & {
        name for names in STILL.values() for name in names
    }
    assert set(STILL) <= {pattern for word in WORDS for pattern in word["ours"]}


SEEN = {
    "Ten judges vote.": True,
    "Ten binary classifiers (our judges) vote.": False,
    "set the Brackets otherwise": True,
    "regroup": False,
    "a trace allows turning the factors round": True,
    "the cyclic property of the trace": False,
    "a bowl above it": True,
    "a quadratic upper bound, a bowl": False,
    "Cut a photograph into squares of 8 × 8": True,
    "least squares of the residuals": False,
    r"a price $\lambda$ on each weight": True,
    "the price of a house": False,
    "a dear step": True,
    "an expensive step": False,
}


def test_private_words_are_seen():
    assert {text: bool(private([text])) for text in SEEN} == SEEN


def test_strings_and_comments_are_read_and_names_are_not():
    assert private([said("judge = 1\nx = 2")]) == set()
    assert private([said('chain.equals("a", because="set the brackets otherwise")')]) != set()
    assert private([said("x = 1  # ten judges")]) != set()
