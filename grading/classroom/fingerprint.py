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

from grading import question as declaring
from grading.imports import ROOT, files_needed, imported
from grading.registry import folder_of, roots

PACKAGES = (
    *("numpy", "scipy", "pandas", "scikit-learn", "imbalanced-learn", "statsmodels", "matplotlib"),
    "scikit-image",
)
JUDGES = frozenset({"grading.judge", "grading.classroom.submission_grader"})


def digest(*parts) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


def question_key(id: str, salt: str, student: str, sha: str) -> str:
    """Changes when anything changes on which the points of this answer depend."""
    return digest(of_question(id), of_environment(), salt, student, sha)


@cache
def of_environment() -> str:
    """Python, the packages, and the code that judges."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    return digest(sys.version_info[:2], *versions, *texts(judging_files()))


def judging_files() -> set[Path]:
    """All that judging and the grader import of the course, and what runs inside the sandbox."""
    return files_needed(JUDGES) | set((ROOT / "grading" / "sandbox" / "inside").glob("*.py"))


def texts(files):
    return [path.read_text(encoding="utf-8") for path in sorted(files)]


@cache
def of_question(id: str) -> str:
    """The declaration of a question, its functions, and the files of the course that these import."""
    source = (folder_of(id.split(".")[0]) / "questions.py").read_text(encoding="utf-8")
    tree = ast.parse(source)  # read, not imported: that would take longer than all else of an unchanged class
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
    modules = {name for node in used.values() for name in imported(ast.unparse(node), roots())}
    return digest(
        *(ast.dump(node) for node in calls),
        *(ast.dump(used[name]) for name in sorted(used)),
        *texts(files_needed(frozenset(modules), roots())),
        inspect.getsource(declaring),
    )


def _asked(call):
    return call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


def _binds(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
