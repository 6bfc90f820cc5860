"""The nodes of a formula: by the rule for the kinds of their operands, each with its place in the TeX.

What runs over an index is one node as well: sums, products, maxima, counts, dots. An empty sum is nothing, of
a column too.
"""

import itertools
import math

import numpy as np

from helpers.reading.tokens import ReadingError
from helpers.reading.values import HERE, Misfit, Node, require, rule

DECOMPOSED = {"^", "^+", r"\det", r"\operatorname{rank}", r"\lVert_2", r"\lVert_*"}
FAILURES = {
    ZeroDivisionError: "this divides by 0",
    OverflowError: "this is too large for a number",
    KeyError: "how far an index runs would depend on itself",
}


class Maker:
    """Is handed how a formula refuses: ``refuse(at, why)``."""

    def __init__(self, refuse):
        self.refuse = refuse

    def node(self, at, kind, function, *operands, cost=1, **known):
        """A node whose failures get this place; `known` says more of it."""
        runs = [n.run for n in operands]

        def run(env):
            try:
                value = function(*[r(env) for r in runs])
                return float(value) if kind == "scalar" else value
            except ReadingError:
                raise
            except (KeyError, IndexError, ValueError, ArithmeticError, Misfit) as e:
                self.refuse(at, FAILURES.get(type(e)) or str(e))

        return Node(kind, run, cost + sum(n.cost for n in operands), **known)

    def rule(self, at, operation, *kinds):
        """(kind, function) of an operation."""
        try:
            return rule(operation, *kinds)
        except Misfit as e:
            self.refuse(at, str(e))

    def apply(self, at, operation, *operands, made=None, **known):
        """The node that the rule for these kinds gives."""
        kind, function = self.rule(at, operation, *[n.kind for n in operands])
        large = any(n.kind == "matrix" for n in operands)
        cost = 1 if not large else 100 if operation in DECOMPOSED else 5
        node = self.node(at, kind, function, *operands, cost=cost, made=made, **known)
        if node.member[0] is None and operation not in ("+", "-"):
            node.member = self.member_of(operation, function, operands)
        return node

    def member_of(self, operation, function, operands):
        r"""What is made of one member and of numbers is one of a family: \exp(a_1), 2 a_1, 1 / a_1."""
        places = [i for i, n in enumerate(operands) if n.member[0] is not None]
        others = [n.number for n in operands if n.member[0] is None]
        if len(places) != 1 or None in others:
            return None, None, ()
        (place,) = places
        family, value, indices = operands[place].member

        def made(env, *numbers):
            values = [n.run(env) for n in operands]
            values[place] = value(env, *numbers)
            return function(*values)

        return (family, operation, place, *others), made, indices

    def first(self, at, values, tests):
        """Of the values the first whose test holds."""
        kinds = sorted({v.kind for v in values})
        self.refuse(at, "the cases are of different kinds: " + ", ".join(kinds), when=len(kinds) > 1)

        def run(env):
            chosen = next((value for value, test in zip(values, tests) if test.run(env)), None)
            require(chosen, r"no case holds here, and there is no \text{{otherwise}}")
            return chosen.run(env)

        return self.node(at, kinds[0], run, HERE, cost=sum(n.cost for n in [*values, *tests]))

    def folded(self, token, letters, counts, body, tests=(), ends=()):
        """Adds up, multiplies, compares or counts the values of the body, over its letters.

        Those for which `counts` says nothing, the first, run from the one of the `ends` to the other.
        """
        cost = sum(n.cost for n in [body, *tests])
        kind, function = self.rule(token.at, token.text, body.kind)

        def run(env, *ends):
            spans = [range(1, count(env) + 1) for count in counts]
            if ends:
                fixed = len(letters) - len(spans)
                spans = [range(ends[0], ends[1] + 1)] * fixed + spans
            terms = _terms(env, letters, spans, body, tests, cost)
            if token.text != r"\sum":
                return function(terms)
            first = next(terms, None)
            if first is None:
                return _nothing(env, letters, body)
            return function(itertools.chain([first], terms))

        return self.node(token.at, kind, run, HERE, *ends, cost=cost)

    def power(self, at, base, exponent):
        """With a number above, the power of a member is a member too: of the squares of its family."""
        node = self.apply(at, "^", base, exponent)
        family, value, indices = base.member
        if family is not None and exponent.number is not None:
            raised = self.rule(at, "^", base.kind, exponent.kind)[1]

            def powers(env, *numbers):
                return raised(value(env, *numbers), exponent.number)

            node.member = (family, exponent.number), powers, indices
        return node

    def between(self, first, last, at):
        """The sum of one family, from the index of the first to that of the last."""
        (family, member, starts), (other, _, ends) = first.member, last.member
        numbers = {n.number for n in starts}
        clear = family is not None and family == other and len(numbers) == 1 and None not in numbers
        why = r"what do the dots stand for? They run from a_1 to a_k of one family; or write a sum"
        self.refuse(at, why, when=not clear)
        kind, total = self.rule(at, r"\sum", first.kind)

        def run(env, start, last, *others):
            require(start <= last and {*others} <= {last}, "the dots have no last index")
            env.spend(last)
            return total(member(env, *[j] * len(ends)) for j in range(start, last + 1))

        return self.node(at, kind, run, HERE, starts[0], *ends)

    def refuse_a_leap(self, term, first, at):
        """a_1 + a_3 + \\dots: do the dots leave out every second one?"""
        (family, _, starts), (other, _, ends) = term.member, first.member
        steps = [None if None in (a.number, b.number) else b.number - a.number for a, b in zip(starts, ends)]
        why = "which do the dots leave out? Let the indices before them run one by one, or write a sum"
        self.refuse(at, why, when=family is not None and family == other and set(steps) != {1})

    def gradient(self, body, at):
        """By central differences."""
        start, value = body.varied
        fits = body.kind == "scalar" and start.kind in ("scalar", "column", "matrix")
        self.refuse(at, "a gradient is of a scalar, by a scalar, a column or a matrix", when=not fits)
        return self.node(at, start.kind, lambda env, x: _slope(value, env, x), HERE, start)


def _terms(env, letters, spans, body, tests, cost):
    """The body's values, one for each choice of the indices that meets the conditions."""
    env.spend(cost * math.prod(map(len, spans)))
    for numbers in itertools.product(*spans):
        here = env.moved(zip(letters, numbers))
        if all(test.run(here) for test in tests):
            yield body.run(here)


def _nothing(env, letters, body):
    """An empty sum: 0, or a column or matrix of zeros of the shape that a term would have."""
    if body.kind in ("scalar", "unit"):
        return 0.0
    try:
        return np.zeros_like(body.run(env.moved(dict.fromkeys(letters, 1))))
    except (ValueError, ArithmeticError):
        raise Misfit(f"an empty sum of what is a {body.kind}, and no term says how long it is") from None


def _slope(value, env, x):
    """Central differences of fourth order, with two steps that must agree."""
    x = np.asarray(x, float)
    env.spend(8 * x.size)
    step = 1e-3 * max(1.0, np.abs(x).max(initial=0))
    wide, narrow = np.zeros(x.shape), np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        along = np.zeros(x.shape)
        along[place] = step
        f = {t: value(env, (x + t * along)[()]) for t in (-2, -1, -0.5, 0.5, 1, 2)}
        wide[place] = (8 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12 * step)
        narrow[place] = (8 * (f[0.5] - f[-0.5]) - (f[1] - f[-1])) / (6 * step)
    near = 1e-6 * max(1.0, np.abs(wide).max(initial=0))
    smooth = np.allclose(wide, narrow, rtol=1e-6, atol=near)
    require(smooth, "there is no gradient here: the function has a corner or grows too fast")
    return wide[()]
