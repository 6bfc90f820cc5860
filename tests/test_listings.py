"""Chapter and package know each other: a listing names the helper that does the same, and is named by it.

in the notebook, below the listing: With every option, and fast: `helpers.neighbors.k_nearest`.
in that helper's docstring:         Short version: chapter 1, `nearest_by_sorting`.
"""

import ast
import re
from functools import cache
from pathlib import Path
from pydoc import locate

import pytest

from tests import rules

ROOT = Path(__file__).resolve().parents[1]
BOOKS = sorted((ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))
SOURCES = sorted((ROOT / "helpers").rglob("*.py"))
NAMES = r"`[\w.]+`(?:(?:, | and )`[\w.]+`)*"
FORWARD = re.compile(rf"^With every option(?:, and fast)?: ({NAMES})\.$", re.M)
BACK = re.compile(rf"^ *Short version: (chapter \d+, {NAMES}(?:; chapter \d+, {NAMES})*)\.$", re.M)


def in_backticks(text):
    return re.findall(r"`(.+?)`", text)


@cache
def cells(path):
    return rules.read(path).cells


def listings(chapter):
    """(functions that the cell above defines, the helper that is named below it), for each helper."""
    above = set()
    for cell in cells(BOOKS[chapter]):
        if cell.cell_type == "code":
            above = {
                node.name for node in rules.parsed(cell.source).body if isinstance(node, ast.FunctionDef)
            }
        else:
            sentences = FORWARD.findall(cell.source)
            yield from ((above, name) for sentence in sentences for name in in_backticks(sentence))


def short_versions(doc):
    """{chapter: the functions in it that a docstring names}"""
    found = re.findall(rf"chapter (\d+), ({NAMES})", "; ".join(BACK.findall(doc or "")))
    return {int(chapter): set(in_backticks(names)) for chapter, names in found}


@cache
def docstrings():
    """{name by which it is imported: docstring} of all functions, classes and methods of helpers."""
    found = {}
    for path in SOURCES:
        family = path.relative_to(ROOT).with_suffix("").parts[:2]
        found |= dict(documented(ast.parse(path.read_text(encoding="utf-8")), ".".join(family)))
    return found


def documented(tree, prefix):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield f"{prefix}.{node.name}", ast.get_docstring(node)
            yield from documented(node, f"{prefix}.{node.name}")


@pytest.mark.parametrize("chapter", range(1, 13))
def test_a_listing_and_its_helper_name_each_other(chapter):
    found = list(listings(chapter))
    assert found
    for above, name in found:
        helper = locate(name)
        assert helper is not None, f"{name} does not exist"
        back = short_versions(helper.__doc__).get(chapter, set())
        assert back & above, f"{name} names {back or 'nothing'} of chapter {chapter}; above it stands {above}"
    for name, doc in docstrings().items():
        listed = set().union(*(above for above, other in found if other == name))
        missing = short_versions(doc).get(chapter, set()) - listed
        assert not missing, f"{name} names {missing}, and no such listing of chapter {chapter} names it"


def test_every_such_sentence_is_found():
    """In another wording it would be looked for in vain above."""
    texts = [(path, "Short version", BACK, path.read_text(encoding="utf-8")) for path in SOURCES]
    texts += [(path, "With every option", FORWARD, cell.source) for path in BOOKS for cell in cells(path)]
    for path, begins, pattern, text in texts:
        stand, found = text.count(begins), len(pattern.findall(text))
        assert stand == found, f"{path.name}: of {stand} sentences that begin {begins!r} {found} are found"


def test_helpers_cite_no_item_of_the_syllabus():
    """An item's number stands in cells' tags, where no reader sees it; an equation's in the chapter."""
    for path in SOURCES:
        found = re.findall(r"\bitems?\s+\d\d\.\d+", path.read_text(encoding="utf-8"), re.I)
        assert not found, f"{path.name}: {found}"
