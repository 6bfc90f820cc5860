"""A chapter's listing against the library that does the same, on nasty tables.

from tests.listings import agree, listing

nearest_by_sorting = listing("01-knn", "nearest_by_sorting")

def test_nearest():
    agree("nearest", lambda X: nearest_by_sorting(X, X, 1), lambda X: …, reasons={"float32": "…"})
"""

import ast
import dis
import types
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from tests import rules
from tests.listings.nasty import TWISTS, problems, table
from tools import books

__all__ = ["FINITE", "agree", "listing"]

BOOKS = Path(__file__).resolve().parents[2] / "notebooks"
FINITE = [name for name in TWISTS if name not in ("a blank", "infinity")]
DENSE = [name for name in FINITE if not name.startswith("sparse")]


@cache
def definitions(begins):
    """{name: the statement at the top level of a chapter that binds it first; a definition before others}."""
    [path] = books.chapters(BOOKS, begins)
    found = {}
    for cell in sum((rules.code_cells(rules.read(one)) for one in books.together(path)), []):
        for node in rules.parsed(cell.source).body:
            for name in bound(node):
                if name not in found or defines(node) and not defines(found[name]):
                    found[name] = node
    return found


def defines(node):
    return isinstance(node, (ast.FunctionDef, ast.ClassDef))


def bound(node):
    """The names that a statement gives a value."""
    if defines(node):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def listing(begins, name):
    """A function of the chapter whose file begins so, with all that it uses of that chapter, and no more."""
    known, needed, waiting = definitions(begins), [], [name]
    if name not in known:
        raise LookupError(f"chapter {begins} defines no {name}")
    while waiting:
        node = known.get(waiting.pop())
        if node is not None and node not in needed:
            needed.append(node)
            waiting += used(compiled(node))
    order = list(known.values())
    space = {}
    for node in sorted(needed, key=order.index):
        exec(compiled(node), space)
    return space[name]


def compiled(node):
    return compile(ast.Module([node], []), "<chapter>", "exec")


def used(code):
    """The names that it looks up outside of its functions."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from used(part)


def agree(name, ours, theirs, *, twists=DENSE, reasons=None, draws=120, size=(None, None), tol=1e-6):
    """Equal on nasty tables, both refuse, or a listed reason why not; an unneeded reason is an error.

    name : fixes the seed
    ours, theirs : functions of (table, generator), both of which start from the same generator
    reasons : {twist: why the two may differ on it}
    size : rows and columns; None draws them
    """
    reasons, met, wrong = reasons or {}, set(), []
    for draw, rng, twist in problems(name, draws, {t: TWISTS[t] for t in twists}):
        X = table(rng, twist, *size)
        seed = int(rng.integers(2**31))
        a, b = (outcome(one, X, np.random.default_rng(seed)) for one in (ours, theirs))
        if not same(a, b, tol):
            (met.add if twist in reasons else wrong.append)(
                twist if twist in reasons else (draw, twist, a, b)
            )
    assert not wrong, f"{name}: {len(wrong)} differ, the first: {wrong[0]}"
    assert met == set(reasons), f"{name}: no table needs the reasons for {set(reasons) - met}"


def outcome(function, X, rng):
    """What it gives, or the error as a refusal."""
    with np.errstate(all="ignore"):
        try:
            return function(X, rng)
        except (ValueError, TypeError, ArithmeticError, IndexError, np.linalg.LinAlgError) as error:
            return error


def same(a, b, tol):
    if isinstance(a, Exception) or isinstance(b, Exception):
        return isinstance(a, Exception) and isinstance(b, Exception)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(same(x, y, tol) for x, y in zip(a, b))
    a, b = (np.asarray(v.toarray() if sp.issparse(v) else v) for v in (a, b))
    if a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc" and b.dtype.kind not in "fc":
        return bool((a == b).all())
    scale = np.abs(b[np.isfinite(b)]).max(initial=0)
    return np.allclose(a, b, rtol=tol, atol=tol * scale, equal_nan=True)
