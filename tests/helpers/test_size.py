"""helpers stays small: a bound with room over all of it, one over its methods, and functions on a screen."""

import ast
from pathlib import Path

import pytest

HELPERS = Path(__file__).resolve().parents[2] / "helpers"
ALL, METHODS = 11_000, 2_000  # lines of Python, docstrings included
STATEMENTS = 30  # of a function
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def lines(folder):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py"))


def statements(function):
    """Of a function, but those of its docstring and of functions inside it."""
    inner = {
        id(n)
        for f in ast.walk(function)
        if isinstance(f, DEFINITIONS) and f is not function
        for n in ast.walk(f)
    }
    found = [n for n in ast.walk(function) if isinstance(n, ast.stmt) and id(n) not in inner]
    return len(found) - 1 - (ast.get_docstring(function) is not None)


def test_helpers_are_small():
    assert lines(HELPERS) <= ALL


def test_the_methods_are_few_and_short():
    assert lines(HELPERS / "methods") <= METHODS


@pytest.mark.parametrize(
    "path", sorted(HELPERS.rglob("*.py")), ids=lambda p: p.relative_to(HELPERS).as_posix()
)
def test_every_function_is_short(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, DEFINITIONS)]
    assert {f.name: statements(f) for f in functions if statements(f) > STATEMENTS} == {}
