r"""A formula with its where-clauses: ``\lVert X v \rVert^2, \quad v = 2 w``.

A clause ``v = …`` defines v when the table does not have it, in whatever order; any other clause is a
condition that must hold.
"""

import numpy as np

from helpers.reading.grammar import Reader
from helpers.reading.names import spell
from helpers.reading.symbols import Symbol, Table
from helpers.reading.tokens import CLOSE, OPEN, WIDE, ReadingError, tokens
from helpers.reading.values import RELATIONS, same

__all__ = ["Formula"]


class Formula:
    """A formula, compiled once; ``formula(environment)`` is its value, of a relation its truth.

    Attributes
    ----------
    tex, kind : str
    free : tuple of the indices that nothing binds: the formula then holds for each of their values
    """

    def __init__(self, tex, table, may_be_free=False):
        main, clauses = _split(tex)
        table, conditions = _with_clauses(table, clauses)
        self.tex, self.conditions = tex, [Formula(c, table, may_be_free=True) for c in conditions]
        self.reader = reader = Reader(main, table, may_be_free=may_be_free)
        self.sides, self.links = _sides(reader)
        self.kind = _one_kind(self.sides, reader) if len(self.sides) > 1 else self.sides[0].kind
        if set(self.links) - {"="} and self.kind != "scalar":
            raise reader.error(0, f"a relation compares scalars, and this is a {self.kind}")
        if any(not f.links for f in self.conditions):
            raise ReadingError(
                tex, len(main), "behind the comma stands a definition, a = …, or a condition, a < b"
            )
        self.free = tuple(sorted(reader.free))
        self._lengths = {x: reader.length(x, reader.free[x], 0) for x in self.free}

    def lengths(self, env):
        """How far each free index runs."""
        return {x: length(env) for x, length in self._lengths.items()}

    def values(self, env, lengths=None, like=None):
        """The values of all sides, over the free indices (of the chain, when `lengths` are given).

        `like` is an array that gives 0 and multiples of I their shape.
        """
        with np.errstate(all="ignore"):
            for condition in self.conditions:
                if not condition(env):
                    raise ReadingError(condition.tex, 0, "this condition does not hold")
            lengths = self.lengths(env) if lengths is None else lengths
            if set(self.free) - set(lengths):
                raise self.reader.error(
                    0, f"{', '.join(self.free)} stands free here, and not in the first line"
                )
            found = [_over(side, env, lengths) for side in self.sides]
        like = next((v for v, n in zip(found, self.sides) if n.kind != "unit" and np.ndim(v)), like)
        found = [self._fitted(v, n, like) for v, n in zip(found, self.sides)]
        for value in found:
            if not np.isfinite(value).all():
                raise self.reader.error(0, "the value is not finite")
        return found

    def _fitted(self, value, node, like):
        if like is not None and np.ndim(value) == 0 and np.ndim(like):
            if node.kind == "unit" and np.ndim(like) == 2:
                return value * np.eye(len(like))
            if node.family == ("number", 0.0):
                return np.zeros_like(like)
        return value

    def __call__(self, env):
        env.at = {}
        found = self.values(env)
        if not self.links:
            if self.sides[0].kind == "unit":
                raise self.reader.error(0, "how large is this unit matrix? Write I_k")
            return found[0]
        compare = {**RELATIONS, "=": same}
        return all(np.all(compare[link](a, b)) for link, a, b in zip(self.links, found, found[1:]))


def _over(side, env, lengths):
    """The value for each of the free indices, the first index first."""
    if not lengths:
        env.at = {}
        return side.run(env)
    letters, shape = list(lengths), tuple(lengths.values())
    found = []
    for place in np.ndindex(shape):
        env.spend(1)
        env.at = {x: k + 1 for x, k in zip(letters, place)}
        found.append(side.run(env))
    return np.reshape(found, shape + np.shape(found[0]))


def _split(tex):
    """The formula before its where-clauses, and the clauses."""
    places, depth = [], 0
    for t in tokens(tex):
        depth += (t.text in OPEN) - (t.text in CLOSE)
        if t.text == "where" and depth == 0:
            places.append(t.at)
    ends = [*places[1:], len(tex)]
    clauses = [tex[WIDE.match(tex, a).end() : b] for a, b in zip(places, ends)]
    return tex[: places[0]] if places else tex, clauses


def _with_clauses(table, clauses):
    """The table with what the clauses define, and the clauses that are conditions."""
    defined, conditions = [], []
    for clause in clauses:
        left, equal, right = clause.partition("=")
        symbol = _new_symbol(left.strip(), right.strip(), table) if equal else None
        if symbol and symbol.text in [s.text for s in defined]:
            raise ReadingError(clause, 0, f"{symbol.text} is defined twice")
        (defined if symbol else conditions).append(symbol or clause)
    if not defined:
        return table, conditions
    wider = Table([*(s.copy() for s in table.rows), *defined])
    for symbol in defined:
        symbol.compile(wider)
        if symbol.kind == "truth":
            raise ReadingError(symbol.source, 0, f"{symbol.text} would be defined by a relation")
    return wider, conditions


def _new_symbol(left, right, table):
    """The symbol that a clause defines, or None when it is declared already, or no symbol."""
    try:
        spelling = spell(left, lambda i, why: ReadingError(left, 0, why))
    except ReadingError:
        return None
    reader = Reader(left, table)
    if spelling.base in table.bases:
        try:
            reader.name()
            return None
        except ReadingError:
            pass
    return Symbol(left, "", source=right, is_function=spelling.args is not None)


def _sides(reader):
    nodes, links = [reader.sum()], []
    while reader.peek() in RELATIONS:
        links.append(reader.next())
        nodes.append(reader.sum())
    if reader.i < reader.end:
        raise reader.error(reader.i, f"{reader.peek()} cannot stand here")
    return nodes, links


def _one_kind(sides, reader):
    """The kind of all sides; 0 and multiples of I take that of the others."""
    kinds = {n.kind for n in sides if n.kind != "unit" and n.family != ("number", 0.0)} or {
        n.kind for n in sides
    }
    if len(kinds) > 1:
        raise reader.error(0, "the sides are of different kinds: " + ", ".join(sorted(kinds)))
    return kinds.pop()
