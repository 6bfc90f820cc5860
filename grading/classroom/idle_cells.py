"""Cells of an exercise that need not run: they stand there as released, and nothing hangs on them.

Their figures and tables are for a reader. Of a student's own cells none is ever left out.
"""

from __future__ import annotations

import ast
import re
import symtable
from functools import lru_cache

from grading.forbidden import bindings, changes, flat, is_import, parsed, root

SHOWS = frozenset({
    "plt",
    "print",
    "display",
    "check",
    "hint",
    "notation",
})  # what they change is seen, not used
LOOKS_UP = re.compile(  # names by their text
    r"(?<![.\w])(?:eval|exec|globals|locals|vars|get_ipython|__import__|importlib)\b"
    r"|\b(?:builtins|__main__|__builtins__|sys\.modules|pydoc|inspect|gc)\b|f_globals|f_locals|__globals__"
)
FOR_ALL = re.compile(r"\bseed\(|set_state|seterr|rcParams|set_printoptions|set_option|environ|filterwarnings")
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def needed(cells, released: frozenset[str], answers: frozenset[int]):
    """The cells that have to run, in their order.

    released : the sources of the exercise's own cells
    answers : numbers of the cells that hold answers
    """
    try:
        return _needed(cells, released, answers)
    except RecursionError:  # an expression of thousands of parts: nobody follows its names
        return list(cells)


def _needed(cells, released, answers):
    own = [cell for cell in cells if cell.number in answers or cell.source.strip() not in released]
    hidden = any(re.search(r"\bglobal\b", cell.source) for cell in cells)
    if hidden or any(LOOKS_UP.search(cell.source) for cell in own):  # who can say which names it uses?
        return list(cells)
    bound = set().union(*(bound_by(cell.source) for cell in cells))
    waiting = [cell for cell in cells if cell not in own and not FOR_ALL.search(cell.source)]
    run, more = [], [cell for cell in cells if cell not in waiting]
    while more:
        run, waiting = [*run, *more], [cell for cell in waiting if cell not in more]
        more = [cell for cell in waiting if touched_by(cell.source) & bound & used_after(cell, run)]
    idle = {cell.number for cell in waiting}
    return [cell for cell in cells if cell.number not in idle]


def used_after(cell, others):
    """What other cells read once this one has run: in functions, and below it at the top too."""
    read = [used_by(other.source) for other in others]
    return set().union(
        *(inner for _, inner in read),
        *(top for (top, _), other in zip(read, others) if other.number > cell.number),
    )


@lru_cache(1024)
def used_by(source) -> tuple[frozenset[str], frozenset[str]]:
    """The notebook's names that a cell reads: at the top, and in functions or a query of pandas (@name)."""
    body = parsed(source)
    everything = frozenset(re.findall(r"\w+", source))
    try:
        table = symtable.symtable(ast.unparse(ast.Module(list(body), [])), "cell", "exec")
    except UNREADABLE:
        return everything, everything
    if not body:
        return everything, everything
    texts = [node.value for part in body for node in ast.walk(part) if isinstance(node, ast.Constant)]
    inner = {word for text in texts if isinstance(text, str) for word in re.findall(r"@(\w+)", text)}
    waiting = table.get_children()
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        inner |= {
            name.get_name() for name in scope.get_symbols() if name.is_global() or scope.get_type() == "class"
        }
    top = frozenset(name.get_name() for name in table.get_symbols() if name.is_referenced())
    return top, frozenset(inner)


@lru_cache(1024)
def bound_by(source) -> frozenset[str]:
    """Names that a cell binds, but for its imports."""
    statements = flat(parsed(source))
    return frozenset(name for one in statements for name, node in bindings(one) if not is_import(node))


@lru_cache(1024)
def touched_by(source) -> frozenset[str]:
    """Names that a cell binds or changes, hands to a call as they are, or calls a method of."""
    found = set(bound_by(source))
    for statement in flat(parsed(source)):
        found |= {name for name, _ in changes(statement) if name}
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            if root(call.func) not in SHOWS:
                handed = [*call.args, *(word.value for word in call.keywords)]
                found |= {part.id for part in handed if isinstance(part, ast.Name)}
                found |= {root(call.func)} if isinstance(call.func, ast.Attribute) else set()
    return frozenset(found - SHOWS - {None})
