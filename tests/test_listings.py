"""A chapter's listing says where the same stands ready to use, and tests/listings holds the two together.

below the listing:   In scikit-learn: `sklearn.decomposition.PCA`.
or, where no kept library has it:   In this course: `helpers.methods.ksvd.KSVD`.
in that method's docstring:         Short version: chapter 10, `ksvd`.
"""

import ast
import re
from functools import cache
from pydoc import locate

import pytest
from sklearn.experimental import enable_iterative_imputer  # noqa: F401

from tests import rules
from tools import books
from tools.books import ROOT

BOOKS = books.chapters(ROOT / "notebooks", "[01][0-9]-")
METHODS = sorted((ROOT / "helpers" / "methods").glob("*.py"))
HOMES = {
    "scikit-learn": "sklearn",
    "imbalanced-learn": "imblearn",
    "scikit-image": "skimage",
    "statsmodels": "statsmodels",
    "SciPy": "scipy",
    "NumPy": "numpy",
    "pandas": "pandas",
    "this course": "helpers.methods",
}
NAMES = r"`[\w.]+`(?:(?:, | and )`[\w.]+`)*"
FORWARD = re.compile(rf"^In ({'|'.join(HOMES)}): ({NAMES})\.$", re.M)
BACK = re.compile(rf"^ *Short version: (chapter \d+, {NAMES}(?:; chapter \d+, {NAMES})*)\.$", re.M)
LOADED = re.compile(r'listing\(\s*(?:"(\d\d)[\w-]*"|CHAPTER),\s*"(\w+)"')


def in_backticks(text):
    return re.findall(r"`(.+?)`", text)


@cache
def cells(path):
    """Of a chapter and its companion."""
    return sum((rules.read(one).cells for one in books.together(path)), [])


def listings(chapter):
    """(functions that the cell above defines, the library, the name in it), for each name below a listing."""
    above = set()
    for cell in cells(BOOKS[chapter]):
        if cell.cell_type == "code":
            tree = rules.parsed(cell.source).body
            above = {node.name for node in tree if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        else:
            for home, names in FORWARD.findall(cell.source):
                yield from ((above, home, name) for name in in_backticks(names))


def short_versions(doc):
    """{chapter: the functions in it that a docstring names}"""
    found = re.findall(rf"chapter (\d+), ({NAMES})", "; ".join(BACK.findall(doc or "")))
    return {int(chapter): set(in_backticks(names)) for chapter, names in found}


def documented(tree, prefix):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield f"{prefix}.{node.name}", ast.get_docstring(node)
            yield from documented(node, f"{prefix}.{node.name}")


def held():
    """(chapter, listing) that tests/listings load."""
    for path in (ROOT / "tests" / "listings").glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        chapter = re.search(r'^CHAPTER = "(\d\d)', text, re.M)
        for number, name in LOADED.findall(text):
            yield int(number or chapter[1]), name


@pytest.mark.parametrize("chapter", range(1, 13))
def test_a_listing_says_where_it_stands_ready_and_is_held_to_it(chapter):
    found, tested = list(listings(chapter)), set(held())
    assert found
    for above, home, name in found:
        assert name.startswith(HOMES[home] + "."), f"{name} is not in {home}"
        there = locate(name)
        assert there is not None, f"{name} does not exist"
        assert above, f"no listing stands above {name}"
        if home == "this course":
            back = short_versions(there.__doc__).get(chapter, set())
            assert back & above, f"{name} names {back or 'nothing'} of chapter {chapter}, above it is {above}"
        else:
            assert {(chapter, one) for one in above} & tested, (
                f"tests/listings hold none of {above} to {name}"
            )


def test_a_method_names_a_listing_that_names_it():
    for path in METHODS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, doc in documented(tree, f"helpers.methods.{path.stem}"):
            for chapter, named in short_versions(doc).items():
                listed = [above for above, _, other in listings(chapter) if other == name]
                missing = named - set().union(*listed)
                assert not missing, f"{name} names {missing}, and no such listing of chapter {chapter}"


def test_every_such_sentence_is_found():
    """In another wording it would be looked for in vain above."""
    texts = [(path, "Short version", BACK, path.read_text(encoding="utf-8")) for path in METHODS]
    texts += [
        (path, begins, FORWARD, cell.source)
        for path in BOOKS
        for cell in cells(path)
        for begins in [*(f"\nIn {home}: `" for home in HOMES), "With every option"]
        if begins in f"\n{cell.source}"
    ]
    for path, begins, pattern, text in texts:
        stand = f"\n{text}".count(begins)
        found = [
            m for m in pattern.finditer(f"\n{text}") if f"\n{m[0]}".lstrip(" \n").startswith(begins.strip())
        ]
        assert stand == len(found), (
            f"{path.name}: of {stand} sentences that begin {begins!r} {len(found)} are found"
        )


def test_helpers_cite_no_item_of_the_syllabus():
    """An item's number stands in cells' tags, where no reader sees it; an equation's in the chapter."""
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        found = re.findall(r"\bitems?\s+\d\d\.\d+", path.read_text(encoding="utf-8"), re.I)
        assert not found, f"{path.name}: {found}"
