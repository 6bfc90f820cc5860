r"""What runs over an index: sums, products, maxima, counts, dots, expectations; and gradients.

A range comes from what is declared: the families that carry the index, and all must have one length. An index
is bound once; an empty sum is nothing, of a column too.
"""

import itertools
import math

import numpy as np

from helpers.reading.names import is_letter, parts
from helpers.reading.node import Node
from helpers.reading.values import Misfit, add, whole

__all__ = ["RangeReader"]

WORD = {r"\sum": "a sum", r"\prod": "a product", r"\max": "a maximum", r"\min": "a minimum"}


class RangeReader:
    """The part of `Reader` that binds indices."""

    # ---- binding

    def bind(self, letter, at, carriers=()):
        if letter in self.scope or letter in self.free:
            raise self.error(at, f"{letter} means something already where this stands: take another letter")
        if not (is_letter(letter) and letter.islower()) or not self.table.may_bind(letter):
            raise self.error(
                at, f"{letter} cannot be an index: it is declared as something else, or is no small letter"
            )
        declared = self.table.range_of(letter)
        self.scope[letter] = [declared] if declared else []

    def release(self, letters):
        self.bound_before.update(letters)
        return [self.scope.pop(letter) for letter in letters]

    def unbound(self, a, b):
        """The letters of a condition that it binds: those that mean nothing yet."""
        texts = dict.fromkeys(self.toks[j].text for j in range(a, b) if is_letter(self.toks[j].text))
        return [
            t
            for t in texts
            if t.islower() and t not in self.scope and t not in self.free and self.table.may_bind(t)
        ]

    def subscript(self, a, b, upper, at):
        """Bind what stands below; (letters, first, conditions)."""
        letters, first, conditions = [], None, []
        for start, stop in parts(self.toks, a, b)[0]:
            texts = [t.text for t in self.toks[start:stop]]
            if upper is not None and texts[1:2] == ["="] and len(letters) == 0:
                first = self.scalar(self.within(start + 2, stop), start, "the first index")
                new = texts[:1]
            elif upper is None and texts[1:2] == ["="] and self.unbound(start, start + 1):
                raise self.error(start, "a range needs both ends: \\sum_{i=1}^{n}")
            elif all(map(is_letter, texts)) and texts:
                new = texts
            else:
                new = self.unbound(start, stop)
                conditions.append((start, stop))
            for letter in new:
                self.bind(letter, start)
            letters += new
        if not letters:
            raise self.error(at, "no new index stands below: each of these letters means something already")
        if (upper is None) != (first is None):
            raise self.error(at, "a range needs both ends: \\sum_{i=1}^{n}")
        return letters, first, [self.within(x, y, self.truth) for x, y in conditions]

    # ---- sums, products, maxima

    def big(self, word, at):
        """Σ, Π, max, min over an index: they take the product that follows."""
        found, _, self.i = self.scripts()
        low, high = (next((s for s in found if s.mark == mark), None) for mark in "_^")
        if low is None:
            raise self.error(at, f"{WORD[word]} needs its index below: {word}_i")
        upper = high and self.scalar(self.within(high.start, high.end), high.start, "the last index")
        letters, first, tests = self.subscript(low.start, low.end, upper, low.start)
        before, start = self.cost, self.i
        body = self.product()
        if word != r"\sum" and any(t.text == "/" for t in self.toks[start : self.i]):
            raise self.error(at, f"does the slash divide {WORD[word]}, or each of its terms? Put brackets")
        terms = self.terms(letters, first, upper, tests, body, self.cost - before + 1, at)
        return self.folded(word, body, terms, letters, at)

    def terms(self, letters, first, upper, tests, body, cost, at):
        """A function of the environment that gives the body's values, one for each index."""
        carriers = self.release(letters)
        lengths = [
            None if upper is not None and k == 0 else self.length(letter, c, at)
            for k, (letter, c) in enumerate(zip(letters, carriers))
        ]

        def ranges(env):
            for length in lengths:
                if length is not None:
                    yield range(1, length(env) + 1)
                    continue
                a, b = (whole(n.run(env), "the end of a range") for n in (first, upper))
                yield range(a, b + 1)

        def run(env):
            spans = list(ranges(env))
            env.spend(cost * math.prod(map(len, spans)))
            here = env.at
            for numbers in itertools.product(*spans):
                env.at = {**here, **dict(zip(letters, numbers))}
                if all(test.run(env) for test in tests):
                    yield body.run(env)
            env.at = here

        return run

    def length(self, letter, carriers, at):
        """How far an index runs: the families that carry it say so, and agree."""
        if not carriers:
            raise self.error(
                at,
                f"how far does {letter} run? No family here has it as an index: give it a range, or "
                "declare it in the table",
            )

        def run(env):
            lengths = {c(env) for c in carriers}
            if len(lengths) > 1:
                raise Misfit(f"{letter} has two lengths here: " + " and ".join(map(str, sorted(lengths))))
            return lengths.pop()

        return run

    def folded(self, word, body, terms, letters, at):
        if word == r"\sum":
            kind, plus = add(body.kind, body.kind) if body.kind != "truth" else (None, None)
        else:
            kind, plus = ("scalar" if body.kind == "scalar" else None), None
        if kind is None:
            raise self.error(at, f"{WORD[word]} of what is a {body.kind}")

        def run(env):
            if word == r"\prod":
                return math.prod(terms(env))
            if word in (r"\max", r"\min"):
                found = list(terms(env))
                if not found or not np.isfinite(found).all():
                    raise Misfit(
                        f"{WORD[word]} over nothing" if not found else "what is compared is not finite"
                    )
                return (max if word == r"\max" else min)(found)
            total = None
            for term in terms(env):
                total = term if total is None else plus(total, term)
            return self.nothing(body, letters, env) if total is None else total

        return self.reading(at, kind, run)

    def nothing(self, body, letters, env):
        """An empty sum: 0, or a column or matrix of zeros of the shape that a term would have."""
        if body.kind in ("scalar", "unit"):
            return 0.0
        here, env.at = env.at, {**env.at, **dict.fromkeys(letters, 1)}
        try:
            return np.zeros_like(body.run(env))
        except (ValueError, ArithmeticError):
            raise Misfit(f"an empty sum of what is a {body.kind}, and no term says how long it is") from None
        finally:
            env.at = here

    # ---- sets, dots

    def members(self, word, at):
        r"""\min\{k : …\}: the least index for which the condition holds."""
        numbers = self.set_builder(at)
        best = max if word == r"\max" else min

        def run(env):
            found = list(numbers(env))
            if not found:
                raise Misfit("no index meets the condition")
            return float(best(found))

        return self.reading(at, "scalar", run)

    def count(self, at):
        r"""\#\{k : …\}."""
        numbers = self.set_builder(at)
        return self.reading(at, "scalar", lambda env: float(sum(1 for _ in numbers(env))))

    def set_builder(self, at):
        self.want(r"\{")
        letter = self.next()
        self.bind(letter, self.i - 1)
        self.want(":")
        before, test = self.cost, self.truth()
        self.want(r"\}")
        number = Node("scalar", lambda env: env.at[letter])
        return self.terms([letter], None, None, [test], number, self.cost - before + 1, at)

    def membership(self, first, sign):
        at = self.i
        node = self.product()
        if node.kind != "set":
            raise self.error(at, "a set is missing here: declare it as an index set")
        self.scalar(first, at, "a member")
        wanted = sign == r"\in"
        return self.node(at, ("truth", lambda x, s: (int(x) in s) == wanted), first, node)

    def dots(self, left, first, sign, at):
        r"""a_1 + \dots + a_k: one family, from the first index to the last."""
        self.i += 1
        if sign == "-" or self.peek() != "+":
            raise self.error(at, "dots stand between two plus signs: a_1 + \\dots + a_k")
        self.i += 1
        last = self.product()
        ends = [_number(n) for n in first.family[2]] if first.family and len(first.family) == 3 else [None]
        if last.family is None or len(last.family) != 3 or None in ends or len(set(ends)) > 1:
            raise self.error(at, "what do the dots stand for? Write a sum with its index")
        if first.family[0] != last.family[0] or left is not first:
            raise self.error(at, "dots run from a_1 to a_k of one family; write a sum with its index")
        member, runs = last.family[1], [n.run for n in last.family[2]]
        count, plus = len(runs), add(first.kind, first.kind)[1]

        def run(env):
            stops = {whole(r(env)) for r in runs}
            if len(stops) > 1 or min(stops) < ends[0]:
                raise Misfit("the dots have no last index")
            env.spend(max(stops))
            values = [member(env, (j,) * count) for j in range(ends[0], stops.pop() + 1)]
            return math.fsum(values) if first.kind == "scalar" else sum(values[1:], values[0])

        return self.reading(at, add(first.kind, last.kind)[0] if plus else None, run)

    # ---- expectations and gradients

    def expectation(self, symbol, at, left):
        """E takes the product that follows, P a relation in brackets; over the outcomes of what is random."""
        if left:
            raise self.error(at, f"put brackets: ({symbol.text} …)^2")
        symbol.compile(self.table)
        kept, self.scope[r"\E"] = self.scope.get(r"\E"), []
        before, body = self.cost, self.expected(symbol, at)
        carriers = self.scope.pop(r"\E")
        if kept is not None:
            self.scope[r"\E"] = kept
        if not carriers:
            raise self.error(at, f"nothing random stands behind {symbol.text}")
        length, cost = self.length(symbol.text, carriers, at), self.cost - before + 1

        def run(env):
            n, outer = length(env), env.outcome
            weights = symbol.weights(env, n)
            env.spend(cost * n)
            total = 0.0
            for env.outcome in range(n):
                total = total + weights[env.outcome] * body.run(env)
            env.outcome = outer
            return total

        return self.reading(at, "scalar" if body.kind == "truth" else body.kind, run)

    def expected(self, symbol, at):
        if symbol.kind == "expectation":
            self.unclear_bracket(at, power=not self.holds_a_sum())
            return self.product()
        self.want("(")
        body = self.truth()
        self.want(")")
        return body

    def holds_a_sum(self):
        """E (x - y)^2 is of the square; in E(x)^2 and E[x - y]^2 that is not clear."""
        inside = self.toks[self.i : self.behind(self.i)] if self.peek() == "(" else []
        return any(t.text in ("+", "-", r"\sum", r"\frac") for t in inside)

    def gradient(self, at):
        r"""\nabla f(w), or \nabla_w [ … ], by central differences."""
        body, kind, start, value = (self.by_symbol if self.peek() == "_" else self.of_call)(at)
        if body.kind != "scalar" or kind not in ("scalar", "column", "matrix"):
            raise self.error(at, "a gradient is of a scalar, by a scalar, a column or a matrix")
        return self.reading(at, kind, lambda env: _slope(lambda x: value(env, x), start(env), env)), []

    def by_symbol(self, at):
        """(body, kind of w, its value, the body's value at another w) of \\nabla_w [ … ]."""
        found, _, self.i = self.scripts()
        symbol = self.table.plain("".join(t.text for t in self.toks[found[0].start : found[0].end]))
        if symbol is None:
            raise self.error(at, "the gradient is by a declared symbol")
        symbol.compile(self.table)
        body = self.atom()[0] if self.peek() in ("(", "[", r"\{") else self.factor()
        return body, symbol.kind, symbol.value, lambda env, x: body.run(env.but({symbol.text: x}, env.at))

    def of_call(self, at):
        """The same of \\nabla f(w)."""
        node = self.name()[0] if self.at_name() else None
        if node is None or node.call is None or not node.call[2]:
            raise self.error(at, r"write \nabla f(w), with what it is taken at, or \nabla_w [ … ]")
        symbol, indices, (first, *others) = node.call

        def value(env, x):
            return symbol.call(env, [n.run(env) for n in indices] + [x] + [n.run(env) for n in others])

        return node, first.kind, first.run, value


def _number(node):
    return int(node.family[1]) if node.family and node.family[0] == "number" else None


def _slope(function, x, env):
    """Central differences of fourth order, with two steps that must agree."""
    x = np.asarray(x, float)
    env.spend(8 * x.size)
    step = 1e-3 * max(1.0, np.abs(x).max(initial=0))
    wide, narrow = (np.zeros(x.shape) for _ in range(2))
    for place in np.ndindex(x.shape):
        along = np.zeros(x.shape)
        along[place] = 1
        f = {t: function(_like(x + t * step * along)) for t in (-2, -1, -0.5, 0.5, 1, 2)}
        wide[place] = (8 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12 * step)
        narrow[place] = (8 * (f[0.5] - f[-0.5]) - (f[1] - f[-1])) / (6 * step)
    if not np.allclose(wide, narrow, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(wide).max(initial=0))):
        raise Misfit("there is no gradient here: the function has a corner or grows too fast")
    return _like(wide)


def _like(x):
    return float(x) if np.ndim(x) == 0 else x
