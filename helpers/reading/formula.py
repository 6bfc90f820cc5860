r"""A formula with its where-clauses: ``\lVert X v \rVert^2, \quad v = 2 w``.

A clause ``v = …`` defines v when the table does not have it, in whatever order; any other clause is a
condition that must hold.
"""

import re

import numpy as np

from helpers.reading.grammar import Reader
from helpers.reading.spelling import base_at, spell
from helpers.reading.symbols import Symbol, Table
from helpers.reading.tokens import ReadingError, refuse, tree
from helpers.reading.values import RELATIONS, same

CLAUSE = ("where", ",")  # outside of all brackets: what follows is a definition or a condition
WHERE = re.compile(r"\\text\{\s*(?:,\s*)?(?:where|with|and)\s*\}")


class Formula:
    """A formula, compiled once; ``formula(environment)`` is its value, of a relation its truth.

    Attributes
    ----------
    tex, kind : str
    free : tuple of the indices that nothing binds: the formula then holds for each of their values
    """

    def __init__(self, tex, table, may_be_free=False):
        main, *clauses = _split(tex)
        table, conditions = _with_clauses(table, clauses)
        self.tex, self.conditions = tex, [Formula(c, table, may_be_free=True) for c in conditions]
        reader = Reader(main, table, may_be_free=may_be_free)
        self.sides, links = reader.cursor.whole(reader.sides)
        self.links = [t.text for t in links]
        self.kind, *others = sorted({n.kind for n in self.sides if not _is_open(n)} or {self.sides[0].kind})
        reader.refuse(0, f"the sides are of different kinds: {', '.join([self.kind, *others])}", when=others)
        unfit = {*self.links} - {*(RELATIONS if self.kind == "scalar" else "=")}
        reader.refuse(0, f"a relation compares scalars, and this is a {self.kind}", when=unfit)
        neither = not all(f.links for f in self.conditions)
        refuse(tex, len(main), "behind the comma stands a definition, a = …, or a condition, a < b", neither)
        free = reader.scope.free
        self.free, self.refuse = tuple(sorted(free)), reader.refuse
        self._lengths = {x: reader.scope.length(x, free[x], 0) for x in self.free}

    def lengths(self, env):
        """How far each free index runs."""
        return {x: length(env) for x, length in self._lengths.items()}

    def values(self, env, lengths=None, like=None):
        """The values of all sides, over the free indices (of the chain, when `lengths` are given).

        `like` is an array that gives 0 and multiples of I their shape.
        """
        with np.errstate(all="ignore"):
            for condition in self.conditions:
                refuse(condition.tex, 0, "this condition does not hold", when=not condition(env))
            lengths = self.lengths(env) if lengths is None else lengths
            stray = ", ".join(sorted(set(self.free) - set(lengths)))
            self.refuse(0, f"{stray} stands free here, and not in the first line", when=stray)
            found = [_over(side, env, lengths) for side in self.sides]
        like = next((v for v, n in zip(found, self.sides) if n.kind != "unit" and np.ndim(v)), like)
        found = [_shaped(v, n, like) for v, n in zip(found, self.sides)]
        self.refuse(0, "the value is not finite", when=not all(np.isfinite(v).all() for v in found))
        return found

    def __call__(self, env):
        found = self.values(env)
        compare = {**RELATIONS, "=": same}
        if self.links:
            return all(np.all(compare[link](a, b)) for link, a, b in zip(self.links, found, found[1:]))
        self.refuse(0, "how large is this unit matrix? Write I_k", when=self.kind == "unit")
        return found[0]


def _is_open(node):
    """0 and multiples of I take the kind and the shape of the other side."""
    return node.kind == "unit" or node.number == 0


def _shaped(value, node, like):
    wanted = np.ndim(like) == 2 if node.kind == "unit" else np.ndim(like) and node.number == 0
    if np.ndim(value) or not wanted:
        return value
    return value * np.eye(len(like)) if node.kind == "unit" else np.zeros_like(like)


def _over(side, env, lengths):
    """The value for each of the free indices, the first index first."""
    shape, found = tuple(lengths.values()), []
    for place in np.ndindex(shape):
        env.spend(1)
        found.append(side.run(env.moved({x: k + 1 for x, k in zip(lengths, place)})))
    return np.reshape(found, shape + np.shape(found[0])) if lengths else found[0]


def _split(tex):
    """The formula before its where-clauses, and the clauses."""
    commas = [t for t in tree(tex) if t.text in CLAUSE or WHERE.fullmatch(t.text)]
    starts, ends = [0, *(t.end for t in commas)], [*(t.at for t in commas), len(tex)]
    main, *clauses = [tex[a:b] for a, b in zip(starts, ends)]
    return [main, *(clause for clause in clauses if clause.strip(" .~"))]


def _with_clauses(table, clauses):
    """The table with what the clauses define, and the clauses that are conditions."""
    defined, conditions = {}, []
    for clause in clauses:
        left, equal, right = (side.strip() for side in clause.partition("="))
        if equal and _is_new(left, table):
            refuse(clause, 0, f"{left} is defined twice", when=left in defined)
            defined[left] = Symbol(left, "", source=right, is_function=spell(left).args is not None)
        else:
            conditions.append(clause)
    if not defined:
        return table, conditions
    wider = Table([*(Symbol(*s.declaration) for s in table.rows), *defined.values()])
    for symbol in defined.values():
        symbol.compile(wider)
        refuse(symbol.source, 0, f"{symbol.text} would be defined by a relation", when=symbol.kind == "truth")
    return wider, conditions


def _is_new(left, table):
    """Is this a symbol, and one that the table does not have?"""
    try:
        base = spell(left).base
    except ReadingError:
        return False
    try:
        texts = Reader(left, table).names.find(*base_at(tree(left), 0, table.bases))[1]
    except ReadingError:
        return True
    return base not in table.bases or r"\cdot" in texts.values()  # t_{i \cdot} is no t_{ij}
