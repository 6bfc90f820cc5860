r"""What runs over an index: sums, products, maxima, counts, dots, expectations; and gradients.

A range comes from what is declared: the families that carry the index, and all must have one length. An
index is bound once; an empty sum is nothing, of a column too. What is random carries the index ``\E``, the
number of its outcome, which an expectation binds. Dots are a sum over the index ``\dots``.
"""

import itertools
import math
from dataclasses import replace

import numpy as np

from helpers.reading.names import is_index, is_letter
from helpers.reading.tokens import SCRIPTS, Atom, parts, shown, tree
from helpers.reading.values import HERE, OUTCOME, Node, require

__all__ = ["RangeReader"]

DOTS = r"\dots"
STENCIL = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
BOTH_ENDS = r"a range needs both ends: \sum_{i=1}^{n}"


class RangeReader:
    """The part of `Reader` that binds indices."""

    # ---- binding

    def is_new(self, letter):
        return is_index(letter) and letter not in {*self.scope, *self.free} and self.table.may_bind(letter)

    def bind(self, letter, at):
        why = f"{letter} cannot be an index: it means something already, or is no small letter"
        self.refuse(at, why, when=not self.is_new(letter))
        self.scope[letter] = self.table.extents(letter)

    def length(self, letter, carriers, at):
        """How far an index runs: the families that carry it say so, and agree."""
        why = f"how far does {letter} run? Give it a range, or declare a family that has it as its index"
        self.refuse(at, why, when=not carriers)

        def run(env):
            lengths = sorted({carrier(env) for carrier in carriers})
            require(len(lengths) == 1, "{} has two lengths here: {}", letter, " and ".join(map(str, lengths)))
            return lengths[0]

        return run

    def end_of_range(self, row, at):
        return self.apply(at, "the end of a range", self.inside(row, at))

    # ---- sums, products, maxima, counts, expectations

    def big(self, atom):
        r"""Σ, Π, max, min over what stands below: i; i, j; ij; i = 1; i < j; j \in T."""
        self.refuse(atom.at, f"{atom.text} needs its index below: {atom.text}_i", when=not atom.sub)
        at, rows, ends, letters, conditions = atom.sub[0].at, parts(atom.sub, ","), (), [], []
        starts = [shown(row[1:2]) == "=" and self.is_new(shown(row[:1])) for row in rows]
        self.refuse(at, BOTH_ENDS, when=starts != [bool(atom.sup)] + [False] * len(rows[1:]))
        if atom.sup:
            ends = [self.end_of_range(row, at) for row in (rows[0][2:], atom.sup)]
            rows[0] = rows[0][:1]
        for row in rows:
            signs = shown(row).split()
            plain = all(map(is_letter, signs))
            conditions += [] if plain else [row]
            for letter in signs if plain else dict.fromkeys(filter(self.is_new, signs)):
                self.bind(letter, at)
                letters.append(letter)
        self.refuse(at, "no new index stands below: each letter means something already", when=not letters)
        tests = [self.inside(row, at, self.truth) for row in conditions]
        return self.folded(atom, letters, self.operand(atom.text), tests, ends)

    def folded(self, atom, letters, body, tests=(), ends=()):
        """The node that adds up, multiplies, compares or counts the body's values."""
        self.ended.update(letters)
        carriers = {letter: self.scope.pop(letter) for letter in letters}
        open_ended = letters[len(ends[:1]) :]
        counts = [self.length(letter, carriers[letter], atom.at) for letter in open_ended]
        kind, function = self.rule(atom.at, atom.text, body.kind)

        def run(env, *ends):
            spans = [range(ends[0], ends[1] + 1)] if ends else []
            spans += [range(1, count(env) + 1) for count in counts]
            found = function(_terms(env, letters, spans, body, tests))
            if np.ndim(found) or kind in ("scalar", "unit"):
                return found
            return np.zeros_like(body.run(env.moved(dict.fromkeys(letters, 1))))  # an empty sum

        return self.node(atom.at, kind, run, HERE, *ends)

    def members(self, atom, group):
        r"""\min\{k : …\}, \#\{k : …\}: of the indices for which the condition holds."""
        name, *conditions = parts(group.inside[0], ":")
        fits = len(name) == len(conditions) == 1
        self.refuse(group.at, f"write {atom.text}\\{{k : a condition\\}}", when=not fits)
        letter = shown(name)
        self.bind(letter, group.at)
        tests = [self.inside(conditions[0], group.at, self.truth)]
        number = self.node(group.at, "scalar", float, self.index(letter, group.at))
        return self.scripted(self.folded(atom, [letter], number, tests), group)

    def expectation(self, symbol, at, left):
        """E takes the product that follows, P a relation in brackets; over the outcomes of what is random."""
        outer, self.scope, group = self.scope, {**self.scope, OUTCOME: []}, self.here
        if symbol.kind == "expectation":  # E (x - y)^2 is of the square; of E(x)^2 that is not clear
            of_a_sum = {atom.text for row in group.inside for atom in row} & {"+", "-", r"\sum", r"\frac"}
            self.refuse_unclear_call(may_be_raised=group.text == "(" and of_a_sum)
            body = self.product()
        else:
            self.refuse(group.at, "( is missing here", when=group.text != "(")
            left = self.next(SCRIPTS)
            body = self.apply(at, "[", self.inside(group.inside[0], at, self.truth))
        self.refuse(at, f"nothing random stands behind {symbol.text}", when=not self.scope[OUTCOME])
        count = self.length(OUTCOME, self.scope[OUTCOME], at)
        weighted = self.node(at, body.kind, lambda env, x: symbol.weight(env, count(env)) * x, HERE, body)
        mean = self.folded(Atom(r"\sum", at, at), [OUTCOME], weighted)
        self.scope = outer
        return mean, left

    def dots(self, first, sign, at):
        r"""a_1 + \dots + a_k: the sum of a_j from the first index to the last."""
        self.next()
        both = sign == "+" and self.here.text == "+" and self.next()
        self.refuse(at, r"dots stand between two plus signs: a_1 + \dots + a_k", when=not both)
        start = self.i
        self.product()
        ends = [*first, *self.row[start : self.i]]
        one = len(ends) == 2 and len({str(replace(a, sub=None)) for a in ends}) == 1
        low, high = (shown(atom.sub or ()) for atom in (ends[0], ends[-1]))
        high = high.split() if len(low) > 1 else [high]  # A_{11} + \dots + A_{nn}
        clear = one and {*low} == {"1"} and len(high) == len(low) and len({*high}) == 1
        why = r"what do the dots stand for? They run from a_1 to a_k of one family; or write a sum"
        self.refuse(at, why, when=not clear)
        from_to = [self.end_of_range(tree(text, at), at) for text in ("1", high[0])]
        self.scope[DOTS] = []
        body = self.inside([replace(ends[0], sub=[Atom(DOTS, at, at)] * len(low))], at)
        return self.folded(Atom(r"\sum", at, at), [DOTS], body, (), from_to)

    # ---- gradients

    def gradient(self, atom):
        r"""\nabla f(w), or \nabla_w [ … ], by central differences."""
        group = Atom("", 0, 0)
        if atom.sub and not atom.sup:
            symbol = self.table.plain(shown(atom.sub))
            self.refuse(atom.at, "the gradient is by a declared symbol", when=not symbol or symbol.indices)
            start, body = Node(symbol.node.kind, symbol.value), self.factor()

            def value(env, x):
                return body.run(env.moved({symbol.text: x}, cache={}))

        else:
            body, group = (None if atom.sup else self.named()) or (None, group)
            start, value = (body and body.varied) or (None, None)
        why = r"write \nabla f(w), with what it is taken at, or \nabla_w [ … ]: by a declared symbol"
        self.refuse(atom.at, why, when=start is None)
        fits = body.kind == "scalar" and start.kind in ("scalar", "column", "matrix")
        self.refuse(atom.at, "a gradient is of a scalar, by a scalar, a column or a matrix", when=not fits)
        slope = self.node(atom.at, start.kind, lambda env, x: _slope(value, env, x), HERE, start)
        return self.scripted(slope, group)


def _terms(env, letters, spans, body, tests):
    """The body's values, one for each choice of the indices that meets the conditions."""
    env.spend(math.prod(map(len, spans)))
    for numbers in itertools.product(*spans):
        here = env.moved(zip(letters, numbers))
        if all(test.run(here) for test in tests):
            yield body.run(here)


def _slope(value, env, x):
    """Central differences of fourth order, with two steps that must agree."""
    x = np.asarray(x, float)

    def differences(step):
        along = step * np.eye(x.size).reshape(-1, *x.shape)
        return [sum(c * value(env, (x + t * a)[()]) for t, c in STENCIL.items()) / step for a in along]

    step = 1e-3 * max(1.0, np.abs(x).max(initial=0))
    wide, narrow = (np.reshape(differences(s), x.shape) for s in (step, step / 2))
    smooth = np.allclose(wide, narrow, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(wide).max(initial=0)))
    require(smooth, "there is no gradient here: the function has a corner or grows too fast")
    return wide[()]
