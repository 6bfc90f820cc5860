"""Cells of an exercise that need not run: they stand there as released, and nothing hangs on them.

Their figures and tables are for a reader. Of a student's own cells none is ever left out.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from grading.allowed import HIDES, bindings, changes, flat, is_import, parsed, root

__all__ = ["needed"]

SHOWS = frozenset({"plt", "print", "display", "check", "hint", "notation"})  # what they change is seen, not used
LOOKS_UP = re.compile(rf"\b(?:{'|'.join(map(re.escape, HIDES))}|locals|vars|get_ipython|__main__)\b")


def needed(cells, released: frozenset[str], answers: frozenset[int]):
    """The cells that have to run, in their order.

    released : the sources of the exercise's own cells
    answers : numbers of the cells that hold answers
    """
    own = [cell for cell in cells if cell.number in answers or cell.source.strip() not in released]
    if any(LOOKS_UP.search(cell.source) for cell in own):  # who can say which names it uses?
        return list(cells)
    waiting = [cell for cell in cells if cell not in own]
    used, more = set().union(*(words_of(cell.source) for cell in own)), True
    while more:
        more = [cell for cell in waiting if touched_by(cell.source) & used]
        waiting = [cell for cell in waiting if cell not in more]
        used.update(*(words_of(cell.source) for cell in more))
    idle = {cell.number for cell in waiting}
    return [cell for cell in cells if cell.number not in idle]


@lru_cache(4096)
def words_of(source) -> frozenset[str]:
    """All names, also those in text and comments."""
    return frozenset(re.findall(r"\w+", source))


@lru_cache(1024)
def touched_by(source) -> frozenset[str]:
    """Names that a cell binds or changes, or whose values it hands to what may change them."""
    found = set()
    for statement in flat(parsed(source)):
        found |= {name for name, node in bindings(statement) if not is_import(node)}
        found |= {name for name, _ in changes(statement) if name}
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            if root(call.func) not in SHOWS:
                found |= {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
    return frozenset(found - SHOWS)
