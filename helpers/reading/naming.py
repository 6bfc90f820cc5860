r"""How a name in a formula finds its symbol in the table, and what its indices and brackets hold.

The longest declared name wins: of ``D^{(2)}`` the table may have all, of ``x_i^2`` only ``x_i``. A letter
declared as a function calls what stands in its brackets; declared as anything else it is multiplied by them.
"""

import re

import numpy as np

from helpers.reading.names import SEPARATORS, base_at, behind, group, is_letter, parts, scripts_at
from helpers.reading.node import Node
from helpers.reading.values import FUNCTIONS, Misfit, whole

__all__ = ["NameReader", "unit_matrix"]

OPERATOR = re.compile("(?:tr|log|ln|exp|max|min|det|sin|cos|diag|sum|rank|sign)(?![A-Za-z])")
LARGEST = 64  # of a unit matrix


class NameReader:
    """The part of `Reader` that reads names, indices and calls."""

    def scripts(self):
        return scripts_at(self.toks, self.i, self.end, self.error)

    def group(self, i):
        return group(self.toks[: self.end], i, self.error)

    def behind(self, i):
        return behind(self.toks[: self.end], i, self.error)

    def base(self):
        return base_at(self.toks[: self.end], self.i, self.table.bases)

    def at_name(self):
        found = self.base()
        return found is not None and (found[0] in self.table.bases or found[0] not in FUNCTIONS)

    def name(self):
        """(node, scripts left over) of the name that stands here."""
        at = self.i
        base, self.i = self.base()
        scripts, primes, self.i = self.scripts()
        low, high = (next((s for s in scripts if s.mark == mark), None) for mark in "_^")
        if word := OPERATOR.match(self.tex, self.toks[at].at):
            if (
                self.tex[self.toks[at].at - 1 :][:1] != "\\"
                and word[0] not in self.table.bases
                and len(base) == 1
            ):
                raise self.error(
                    at, f"{word[0]} stands here as single letters: write \\{word[0]}, or \\operatorname"
                )
        if base in self.scope and not primes and not low:
            return self.letter(base), scripts
        found = [m for s in self.table.symbols.get(base, ()) if (m := self.match(s, primes, low, high))]
        if not found:
            if self.table.is_index(base) and not primes and not low:
                return self.letter(base, at), scripts
            raise self.error(at, self.undeclared(base, primes, low))
        symbol, used, spans, called = max(found, key=lambda m: m[0].precedence)
        left = [s for s in scripts if s not in used]
        if symbol.kind in ("expectation", "probability"):
            return self.expectation(symbol, at, left), []
        if called is not None:
            self.i = self.behind(self.i)
        node = self.symbol_node(symbol, spans, called, at)
        return node, left

    def undeclared(self, base, primes, low):
        shown = base + "'" * primes
        if base.startswith(r"\text{"):
            return f"{shown} is words: a line of words is marked in_words=True"
        shown_first = self.table.shown()
        known = ", ".join(shown_first[:12]) + (", …" if len(shown_first) > 12 else "") or "it is empty"
        if base in self.table.symbols:
            like = ", ".join(s.text for s in self.table.symbols[base])
            brackets = ": a function needs its brackets" if self.table.symbols[base][0].is_function else ""
            return f"{shown} is not declared like this; the notation table has {like}{brackets}"
        return f"{shown} is not in the notation table ({known})"

    # ---- matching a symbol

    def match(self, symbol, primes, low, high):
        """(symbol, scripts used, spans of its indices, spans of its arguments), or None."""
        spelling, used, spans = symbol.spelling, [], {}
        if spelling.primes != primes:
            return None
        for pattern, script in ((symbol.sub, low), (symbol.sup, high)):
            if not pattern:
                continue
            found = script and self.match_parts(pattern, script, symbol.indices)
            if found is None:
                return None
            spans.update(found)
            used.append(script)
        called = None
        if spelling.args is not None:
            called = self.match_call(symbol)
            if called is None or high and not symbol.sup or low and not symbol.sub:
                return None
        return symbol, used, spans, called

    def match_parts(self, pattern, script, indices):
        """{letter: span} of the indices in a script, where every other token is the pattern's."""
        toks, a, b = self.toks, script.start, script.end
        spans, _ = parts(toks, a, b)
        if len(spans) == 1 and len(pattern) > 1:
            digits = toks[a].text if b == a + 1 and toks[a].text.isdigit() else ""
            spans = [int(d) for d in digits] or [(j, j + 1) for j in range(a, b)]
        if len(spans) != len(pattern):
            return None
        found = {}
        for part, span in zip(pattern, spans):
            if len(part) == 1 and part[0] in indices:
                if isinstance(span, tuple) and span[1] - span[0] > 1 and self.only_letters(*span):
                    return None  # λ_{ij} is no λ_j with the index i times j
                found[part[0]] = span
            elif isinstance(span, int):
                if part != (str(span),):
                    return None
            elif not self.same_but_letters(part, span, indices, found):
                return None
        return found

    def only_letters(self, a, b):
        return all(is_letter(t.text) for t in self.toks[a:b])

    def same_but_letters(self, part, span, indices, found):
        """(-i): the pattern's tokens, with something else in the place of its letter."""
        if span[1] - span[0] != len(part):
            return False
        for j, text in zip(range(*span), part):
            if text in indices and len(part) > 1:
                found[text] = (j, j + 1)
            elif self.toks[j].text != text:
                return False
        return True

    def match_call(self, symbol):
        """The spans of the arguments when brackets of that form stand here."""
        if self.peek() != "(":
            return None
        a, b = self.i + 1, self.behind(self.i) - 1
        if not symbol.is_function:
            return () if tuple(t.text for t in self.toks[a:b]) == symbol.spelling.args else None
        spans, between = parts(self.toks, a, b, SEPARATORS)
        return spans if between == symbol.separators else None

    # ---- nodes

    def letter(self, letter, at=None):
        """An index as a number."""
        if letter not in self.scope:
            self.free_letter(letter, at)
        return Node("scalar", lambda env: float(env.at[letter]))

    def free_letter(self, letter, at):
        if letter in self.bound_before:
            raise self.error(at, f"{letter} is bound by the sum before, which ended: is a bracket missing?")
        if not self.may_be_free:
            raise self.error(at, f"{letter} is not bound here: sum over it, or declare its value")
        self.free.setdefault(letter, [e for e in [self.table.range_of(letter)] if e])

    def index(self, span, extent=None):
        """A function of the environment that gives the index; a bare letter notes how far it runs."""
        if isinstance(span, int):
            return Node("scalar", lambda env: span, ("number", span))
        a, b = span
        text = self.toks[a].text if b == a + 1 else ""
        if text in self.scope or text and self.table.is_index(text):
            if text not in self.scope:
                self.free_letter(text, a)
            carriers = self.scope.get(text) if text in self.scope else self.free[text]
            if carriers is not None and extent:
                carriers.append(extent)
            return Node("scalar", lambda env: env.at[text])
        node = self.scalar(self.within(a, b), a, "an index")
        made = self.node(a, ("scalar", whole), node)
        made.family = node.family
        return made

    def symbol_node(self, symbol, spans, called, at):
        symbol.compile(self.table)
        if symbol.random:
            if r"\E" not in self.scope:
                raise self.error(at, f"{symbol.text} is random: take its expectation or a probability")
            self.scope[r"\E"].append(symbol.outcomes)
        indices = [self.index(spans[x], symbol.extents.get(x)) for x in symbol.indices]
        if symbol.is_function:
            return self.call(symbol, indices, called, at)
        if symbol.kind == "function":
            raise self.error(at, f"{symbol.text} is a function")
        if not indices:
            node = self.reading(at, symbol.kind, symbol.value)
            node.family = (symbol.text,)
            return node
        runs = [i.run for i in indices]

        def member(env, numbers):
            return symbol.value(env, numbers)

        node = self.reading(at, symbol.kind, lambda env: symbol.value(env, tuple([r(env) for r in runs])))
        node.family = (symbol.text, member, indices)
        return node

    def reading(self, at, kind, run):
        """A node whose misfits get this place."""
        self.cost += 1

        def placed(env):
            try:
                return run(env)
            except Misfit as e:
                raise self.error(at, str(e)) from None

        return Node(kind, placed)

    def call(self, symbol, indices, spans, at):
        arguments = []
        for (a, b), parameter in zip(spans, symbol.parameters):
            if parameter.extent:
                arguments.append(self.index((a, b), parameter.extent))
                continue
            node, kind = self.within(a, b), parameter.kind(self.table)
            if node.kind != kind:
                raise self.error(a, f"{symbol.text} takes a {kind} here, and this is a {node.kind}")
            arguments.append(node)
        runs = [n.run for n in [*indices, *arguments]]
        node = self.reading(at, symbol.kind, lambda env: symbol.call(env, [r(env) for r in runs]))
        node.call = symbol, indices, arguments
        return node

    def sized_unit(self, node, script):
        """I_k."""
        size = self.scalar(self.within(script.start, script.end), script.start, "the size of a unit matrix")
        return self.reading(script.at, "matrix", lambda env: unit_matrix(env, node.run(env), size.run(env)))

    def entry(self, node, script):
        """x_i of a column, A_{ij} of a matrix: counted from 1."""
        if node.kind == "unit":
            return self.sized_unit(node, script)
        wanted = {"column": 1, "row": 1, "matrix": 2}.get(node.kind, 0)
        pattern = (("i",), ("j",))[:wanted]
        found = wanted and self.match_parts(pattern, script, ("i", "j"))
        if not found:
            declare = "declare what its rows or columns are called" if wanted == 2 else "it has no entries"
            raise self.error(script.at, f"an index of a {node.kind}: {declare}")

        def length(axis):
            return lambda env: node.run(env).shape[axis]

        indices = [self.index(found[x[0]], length(axis)) for axis, x in enumerate(pattern)]
        runs = [i.run for i in indices]
        made = self.reading(script.at, "scalar", lambda env: _entry(node.run(env), [r(env) for r in runs]))
        made.family = (node.family or object(), lambda env, numbers: _entry(node.run(env), numbers), indices)
        return made


def unit_matrix(env, multiple, n):
    """As large as the draw's arrays at most, or 64: a formula must not ask for gigabytes."""
    n, most = whole(n, "the size of a unit matrix"), max([LARGEST, *env.sizes.values()])
    if not 0 < n <= most:
        raise Misfit(f"a unit matrix of size {n}: 1 to {most} are computed")
    return multiple * np.eye(n)


def _entry(value, numbers):
    for number, length in zip(numbers, value.shape):
        if not 1 <= number <= length:
            raise Misfit(f"entry {number} of {length}: counting starts at 1")
    return float(value[tuple(n - 1 for n in numbers)])
