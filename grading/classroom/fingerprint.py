"""What a grade depends on, as short hashes: a question, the environment, the salt.

A question's hash covers its declaration and all that it uses of its own module, so that mending one question
changes no other.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import inspect
import sys
from functools import cache
from pathlib import Path

__all__ = ["digest", "of_environment", "of_question"]

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "matplotlib", "scikit-image")


def digest(*parts) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


@cache
def of_environment() -> str:
    """Python, the packages, and the code that judges."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    here = Path(__file__).parent
    code = [
        (here / name).read_text(encoding="utf-8")
        for name in ("../judging.py", "one.py", "../sandbox/inside/server.py", "../sandbox/inside/wire.py")
    ]
    return digest(sys.version_info[:2], *versions, *code)


@cache
def of_question(id: str) -> str:
    """The declaration of a question, its functions, and the files of helpers that its module imports."""
    from grading.questions import declaring

    declaring.find(id)
    module = sys.modules[f"grading.questions.{id.split('.')[0]}"]
    tree = ast.parse(inspect.getsource(module))
    named, calls, imports = {}, [], {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports |= {alias.asname or alias.name.split(".")[0]: node for alias in node.names}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _asked(node.value) == id:
            calls.append(node)
        else:
            named |= {name: node for name in _binds(node)}
    used, waiting = {}, list(calls)
    while waiting:
        node = waiting.pop()
        for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - set(used):
            if name in named or name in imports:
                used[name] = named.get(name, imports.get(name))
                waiting.append(used[name])
    files = {
        f for node in used.values() if isinstance(node, (ast.Import, ast.ImportFrom)) for f in _files(node)
    }
    texts = [path.read_text(encoding="utf-8") for path in sorted(files)]
    return digest(
        *(ast.dump(node) for node in calls),
        *(ast.dump(used[name]) for name in sorted(used)),
        *texts,
        inspect.getsource(declaring),
    )


def _asked(call):
    return call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


def _binds(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _files(node):
    """The source files of the course that an import statement names."""
    names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    for name in names:
        if name and name.split(".")[0] in ("helpers", "grading"):
            source = inspect.getsourcefile(importlib.import_module(name))
            yield Path(source)
