"""The package as a whole: methods cite equations that stand in chapters, and are documented."""

import importlib
import inspect
import json
import pkgutil
import re
from dataclasses import is_dataclass

import pytest

import helpers
from helpers import methods
from tools.books import ROOT

METHODS = [m.name for m in pkgutil.iter_modules(methods.__path__, "helpers.methods.")]
# Modules whose public functions say what goes in and what comes out.
DOCUMENTED = [
    *METHODS,
    *(f"helpers.{name}" for name in "comparing datasets derivation evidence plotting".split()),
]


def equations():
    """Numbers of all equations of the chapters: set by hand, or by the derivation that shows them."""
    paths = ROOT.glob("notebooks/[01][0-9]-*.ipynb")
    chapters = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    sources = ("".join(cell["source"]) for chapter in chapters for cell in chapter["cells"])
    return {number for source in sources for number in re.findall(r'(?:\\tag\{|result\(")(\d+\.\d+)', source)}


def test_equations_that_the_code_cites_stand_in_the_chapters():
    """(7.13) in a comment or a docstring, but no argument of a call."""
    known, cited = equations(), set()
    for name in METHODS:
        text = ROOT.joinpath(*name.split(".")).with_suffix(".py").read_text(encoding="utf-8")
        found = set(re.findall(r"(?<![\w.])\(([1-9]\d?\.[1-9]\d?)\)", text))
        assert found <= known, f"{name} cites {sorted(found - known)}"
        cited |= found
    assert len(cited) > 20  # who reads a chapter finds its numbers


def offered(name):
    module = importlib.import_module(name)
    return {f"{name}.{one}": getattr(module, one) for one in module.__all__}


@pytest.mark.parametrize("name", METHODS)
def test_what_raises_says_so_and_what_a_method_is_stands_in_its_source(name):
    module = importlib.import_module(name)
    for one, it in offered(name).items():
        if callable(it) and "raise ValueError" in inspect.getsource(it):
            assert "Raises\n" in inspect.getdoc(it), one
    assert re.search(r"\b(1[89]|20)\d\d\b", inspect.getsource(module)), f"{name} names no source"


def named(doc, title):
    """Names that a numpydoc section gives: ``p, q : arrays`` names p and q."""
    section = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n[A-Z][a-z]+\n-+\n|\Z)", doc, re.M | re.S)
    lines = section[1].splitlines() if section else []
    return {
        name.strip(" *")
        for line in lines
        if line and line[0] != " "
        for name in re.split(r" : |, as in |: see ", line)[0].split(",")
    }


def undocumented(it):
    """What the docstring leaves out, or makes up."""
    doc, expected = inspect.getdoc(it) or "", set(inspect.signature(it).parameters)
    record = isinstance(it, type) and (issubclass(it, tuple) or is_dataclass(it))
    wrong = expected ^ named(doc, "Attributes" if record else "Parameters")
    silent = inspect.isfunction(it) and not named(doc, "Returns")
    return wrong | {"Returns"} if silent else wrong


def is_error(it):
    return isinstance(it, type) and issubclass(it, Exception)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings_name_every_parameter_and_what_is_returned(name):
    found = {one: undocumented(it) for one, it in offered(name).items() if callable(it) and not is_error(it)}
    assert found and {one: sorted(wrong) for one, wrong in found.items() if wrong} == {}


def test_helpers_hold_what_their_name_says():
    """Modules and rooms of the package: a new one is a decision, not an accident."""
    assert sorted(m.name for m in pkgutil.iter_modules(helpers.__path__)) == [
        "chapters",
        "comparing",
        "datasets",
        "derivation",
        "evidence",
        "methods",
        "plotting",
        "reading",
    ]


def test_where_no_import_asks_a_module_that_is_not_found_is_none_of_an_older_course():
    """pytest looks for a package beside its files, too: `pytest grading` by itself."""
    assert helpers.Moved.find_spec("grading.classroom", ["elsewhere"]) is None
    with pytest.raises(ModuleNotFoundError, match="older version"):
        helpers.Moved.find_spec("helpers.families", helpers.__path__)
