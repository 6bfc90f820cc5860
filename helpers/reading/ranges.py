r"""What runs over an index: sums, products, maxima, counts, dots, expectations; and gradients.

A range comes from what is declared: the families that carry the index, and all must have one length. An
index is bound once; an empty sum is nothing, of a column too. What is random carries the index ``\E``, the
number of its outcome, which an expectation binds.
"""

import itertools
import math

import numpy as np

from helpers.reading.names import is_index, is_letter
from helpers.reading.tokens import Token, parts
from helpers.reading.values import HERE, OUTCOME, Misfit, Node, require

__all__ = ["RangeReader"]

BOTH_ENDS = r"a range needs both ends: \sum_{i=1}^{n}"


class RangeReader:
    """The part of `Reader` that binds indices."""

    # ---- binding

    def is_new(self, letter):
        return is_index(letter) and letter not in {*self.scope, *self.free} and self.table.may_bind(letter)

    def bind(self, letter, at):
        new = self.is_new(letter)
        self.refuse(
            at, f"{letter} cannot be an index: it means something already, or is no small letter", not new
        )
        self.scope[letter] = self.table.extents(letter)

    def length(self, letter, carriers, at):
        """How far an index runs: the families that carry it say so, and agree."""
        self.refuse(
            at,
            f"how far does {letter} run? Give it a range, or declare a family that has it as its index",
            when=not carriers,
        )

        def run(env):
            lengths = sorted({carrier(env) for carrier in carriers})
            require(len(lengths) == 1, "{} has two lengths here: {}", letter, " and ".join(map(str, lengths)))
            return lengths[0]

        return run

    def subscript(self, low, upper):
        """Bind what stands below: (letters, first, conditions)."""
        letters, first, conditions = [], None, []
        for part in parts(low.toks, ","):
            texts = [t.text for token in part for t in token.flat()]
            new = [t for t in dict.fromkeys(texts) if self.is_new(t)]
            starts = texts[1:2] == ["="] and texts[0] in new
            self.refuse(low.at, BOTH_ENDS, when=starts != (upper is not None) and (starts or not letters))
            if starts:
                new, first = (
                    texts[:1],
                    self.apply(low.at, "the end of a range", self.inside(part[2:], low.end)),
                )
            elif all(map(is_letter, texts)):
                new = texts
            else:
                conditions.append(part)
            for letter in new:
                self.bind(letter, low.at)
            letters += new
        self.refuse(
            low.at, "no new index stands below: each letter means something already", when=not letters
        )
        return letters, first, [self.inside(c, low.end, self.truth) for c in conditions]

    # ---- sums, products, maxima, counts, expectations

    def big(self, token):
        """Σ, Π, max, min over an index: they take the product that follows."""
        script = {s.mark: s for s in self.scripts()}
        low, high = script.get("_"), script.get("^")
        self.refuse(token.at, f"{token.text} needs its index below: {token.text}_i", when=low is None)
        upper = high and self.apply(high.at, "the end of a range", self.inside(high.toks, high.end))
        letters, first, tests = self.subscript(low, upper)
        return self.folded(token, letters, self.operand(token.text), tests, (first, upper) if upper else ())

    def folded(self, token, letters, body, tests=(), ends=()):
        """The node that adds up, multiplies, compares or counts the body's values."""
        self.ended.update(letters)
        carriers = [self.scope.pop(letter) for letter in letters][len(ends[:1]) :]
        counts = [self.length(*pair, token.at) for pair in zip(letters[len(ends[:1]) :], carriers)]
        cost = sum(n.cost for n in [body, *tests])
        kind, function = self.rule(token.at, token.text, body.kind)

        def run(env, *ends):
            spans = [range(1, count(env) + 1) for count in counts]
            if ends:
                spans.insert(0, range(ends[0], ends[1] + 1))
            terms = _terms(env, letters, spans, body, tests, cost)
            if token.text != r"\sum":
                return function(terms)
            first = next(terms, None)
            return (
                _nothing(env, letters, body) if first is None else function(itertools.chain([first], terms))
            )

        return self.node(token.at, kind, run, HERE, *ends, cost=cost)

    def members(self, token, group):
        r"""\min\{k : …\}, \#\{k : …\}: of the indices for which the condition holds."""
        name, *conditions = parts(group.inside, ":")
        fits = len(name) == len(conditions) == 1
        self.refuse(group.at, f"write {token.text}\\{{k : a condition\\}}", when=not fits)
        letter = name[0].text
        self.bind(letter, group.at)
        tests = [self.inside(conditions[0], group.end - 1, self.truth)]
        number = self.node(group.at, "scalar", float, self.index(letter, group.at))
        return self.folded(token, [letter], number, tests)

    def expectation(self, symbol, at):
        """E takes the product that follows, P a relation in brackets; over the outcomes of what is random."""
        symbol.compile(self.table)
        outer, self.scope[OUTCOME] = self.scope.get(OUTCOME), []
        inside = {t.text for t in self.toks[self.i].inside} if self.peek() in ("(", "[") else set()
        if symbol.kind == "expectation":  # E (x - y)^2 is of the square; of E(x)^2 that is not clear
            of_a_sum = self.peek() == "(" and inside & {"+", "-", r"\sum", r"\frac"}
            self.refuse_unclear_call(clear=("_", "/", "^") if of_a_sum else ("_", "/"))
            body = self.product()
        else:
            self.refuse(self.at, "( is missing here", when=self.peek() != "(")
            group = self.next()
            body = self.apply(at, "[", self.inside(group.inside, group.end - 1, self.truth))
        self.refuse(at, f"nothing random stands behind {symbol.text}", when=not self.scope[OUTCOME])
        count = self.length(OUTCOME, self.scope[OUTCOME], at)
        weighted = self.node(at, body.kind, lambda env, x: symbol.weight(env, count(env)) * x, HERE, body)
        mean = self.folded(Token(r"\sum", at, at), [OUTCOME], weighted)
        self.scope.update({} if outer is None else {OUTCOME: outer})
        return mean

    def dots(self, first, sign, at):
        r"""a_1 + \dots + a_k: of one family, from the first index to the last."""
        self.next()
        both = sign == "+" and self.peek() == "+" and self.next()
        self.refuse(at, r"dots stand between two plus signs: a_1 + \dots + a_k", when=not both)
        (family, member, starts), (other, _, ends) = first.member, self.product().member
        numbers = {n.number for n in starts}
        clear = family is not None and family == other and len(numbers) == 1 and None not in numbers
        self.refuse(
            at,
            r"what do the dots stand for? They run from a_1 to a_k of one family; or write a sum",
            when=not clear,
        )
        kind, total = self.rule(at, r"\sum", first.kind)

        def run(env, start, last, *others):
            require(start <= last and {*others} <= {last}, "the dots have no last index")
            env.spend(last)
            return total(member(env, *[j] * len(ends)) for j in range(start, last + 1))

        return self.node(at, kind, run, HERE, starts[0], *ends)

    # ---- gradients

    def gradient(self, token):
        r"""\nabla f(w), or \nabla_w [ … ], by central differences."""
        body, script = None, "".join(s.mark + s.text for s in self.scripts())
        if script:
            symbol = self.table.plain(script[1:]) if script[0] == "_" and "^" not in script else None
            self.refuse(token.at, "the gradient is by a declared symbol", when=not symbol or symbol.indices)
            symbol.compile(self.table)
            start = Node(symbol.kind, symbol.value)
            body = self.primary() if self.peek() in ("(", "[", r"\{") else self.factor()
            body.varied = start, lambda env, x: body.run(env.but({symbol.text: x}))
        body = body or self.name()
        self.refuse(
            token.at,
            r"write \nabla f(w), with what it is taken at, or \nabla_w [ … ]",
            when=body is None or body.varied is None,
        )
        start, value = body.varied
        fits = body.kind == "scalar" and start.kind in ("scalar", "column", "matrix")
        self.refuse(token.at, "a gradient is of a scalar, by a scalar, a column or a matrix", when=not fits)
        return self.node(token.at, start.kind, lambda env, x: _slope(value, env, x), HERE, start)


def _terms(env, letters, spans, body, tests, cost):
    """The body's values, one for each choice of the indices that meets the conditions."""
    env.spend(cost * math.prod(map(len, spans)))
    for numbers in itertools.product(*spans):
        here = env.moved(zip(letters, numbers))
        if all(test.run(here) for test in tests):
            yield body.run(here)


def _nothing(env, letters, body):
    """An empty sum: 0, or a column or matrix of zeros of the shape that a term would have."""
    try:
        return (
            0.0
            if body.kind in ("scalar", "unit")
            else np.zeros_like(body.run(env.moved(dict.fromkeys(letters, 1))))
        )
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
