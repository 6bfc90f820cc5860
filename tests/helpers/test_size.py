"""The package stays small: logical lines, which docstrings, comments and blank lines are not."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

HELPERS = Path(__file__).resolve().parents[2] / "helpers"
# What chapters import besides the algorithms.
BESIDE = ("derivation.py", "comparing.py", "evidence.py", "datasets.py", "plotting.py")
FOLDERS = ("reading", "draws", "drawing")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)


def line_ends(source):
    """Numbers of the physical lines on which a logical line ends, docstrings left out."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    ends = {token.start[0] for token in tokens if token.type == tokenize.NEWLINE}
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, DEFINITIONS)]
    return ends - {node.body[0].end_lineno for node in nodes if ast.get_docstring(node) is not None}


def algorithms():
    return [
        path
        for path in sorted(HELPERS.rglob("*.py"))
        if path.name not in BESIDE and not {"_fast", *FOLDERS} & set(path.relative_to(HELPERS).parts)
    ]


def logical_lines(paths):
    return sum(len(line_ends(path.read_text(encoding="utf-8"))) for path in paths)


def test_docstrings_comments_and_breaks_are_no_lines():
    source = '"""Module."""\n\n# a comment\ndef f(\na):\n    """What\n    it does."""\n    return (\n a\n)\n'
    assert line_ends(source) == {5, 10}


def test_the_drawer_is_small():
    assert logical_lines((HELPERS / "_fast").glob("*.py")) <= 900


def test_the_algorithms_are_small():
    assert len(algorithms()) > 50 and logical_lines(algorithms()) <= 5000


@pytest.mark.parametrize("path", [HELPERS, *HELPERS.glob("*/")], ids=lambda path: path.name)
def test_every_function_is_short(path):
    long = {}
    for file in path.glob("*.py"):
        source = file.read_text(encoding="utf-8")
        ends = line_ends(source)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, DEFINITIONS[:2]):
                count = len(ends & set(range(node.lineno, node.end_lineno + 1)))
                if count > 30:
                    long[f"{file.name}:{node.name}"] = count
    assert long == {}
