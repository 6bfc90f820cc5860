r"""How a name in a formula finds its symbol in the table, and what its indices and brackets hold.

The longest declared name wins: of ``D^{(2)}`` the table may have all, of ``x_i^2`` only ``x_i``. A letter
declared as a function calls what stands in its brackets; declared as anything else it is multiplied by them.
"""

import re

from helpers.reading.names import SEPARATORS, base_at, caught, patterns, scripts_at
from helpers.reading.tokens import parts, shown, tree
from helpers.reading.values import HERE, OUTCOME, RULES, Node, taken, unit_matrix

__all__ = ["NameReader"]

OPERATOR = re.compile("(?:tr|log|ln|exp|max|min|det|sin|cos|diag|sum|rank|sign)(?![A-Za-z])")
ENTRIES = {"column": patterns("i", "i"), "row": patterns("i", "i"), "matrix": patterns("i j", "ij")}


class NameReader:
    """The part of `Reader` that reads names, indices and calls."""

    def scripts(self):
        found, primes, self.i = scripts_at(self.toks, self.i, self.tex)
        self.refuse(self.at, "a prime belongs to a declared symbol", when=primes)
        return found

    def name(self):
        """The node of the name that stands here; None where none does."""
        at, base = self.at, base_at(self.toks, self.i, self.table.bases)
        if base is None or base[0] in RULES and base[0] not in self.table.bases:
            return None
        symbol, texts, left = self.find(*base)
        if symbol is None:
            return self.raised(self.node(at, "scalar", float, self.index(base[0], at)), left)
        if symbol.kind not in ("expectation", "probability"):
            return self.raised(self.symbol_node(symbol, texts, at), left)
        self.refuse(at, f"put brackets: ({symbol.text} …)^2", when=left)
        return self.expectation(symbol, at)

    def find(self, base, behind):
        """(the longest declared symbol that stands here, {index: its text}, scripts left over).

        No symbol is an index.
        """
        at, table = self.at, self.table
        word = OPERATOR.match(self.tex, at)
        stray = word and len(base) == 1 and self.tex[at - 1 :][:1] != "\\" and word[0] not in table.bases
        self.refuse(at, f"{word and word[0]} stands here as single letters: write it with a backslash", stray)
        scripts, primes, self.i = scripts_at(self.toks, behind, self.tex)
        script = {s.mark: s for s in reversed(scripts)}
        bare = not primes and "_" not in script
        symbols = [] if base in self.scope and bare else table.symbols.get(base, ())
        found = [(s, texts) for s in symbols if (texts := self.match(s, primes, script)) is not None]
        if not found and bare and (base in self.scope or table.is_index(base)):
            return None, {}, scripts
        self.refuse(at, self.undeclared(base, primes), when=not found)
        symbol, texts = max(found, key=lambda match: match[0].precedence)
        return symbol, texts, [s for s in scripts if s.mark not in symbol.declared or s is not script[s.mark]]

    def undeclared(self, base, primes):
        written, symbols = base + "'" * primes, self.table.symbols.get(base, ())
        if base.startswith(r"\text{"):
            return f"{written} is words: a line of words is marked in_words=True"
        if symbols:
            brackets = ": a function needs its brackets" if symbols[0].is_function else ""
            like = ", ".join(s.text for s in symbols)
            return f"{written} is not declared like this; the notation table has {like}{brackets}"
        known = [s.text for s in self.table.rows]
        some = ", ".join(known[:12] + ["…"] * (len(known) > 12)) or "it is empty"
        return f"{written} is not in the notation table ({some})"

    def match(self, symbol, primes, script):
        """{index: its text} when the symbol is written like what stands here."""
        found = [caught(pattern, script.get(mark)) for mark, pattern in symbol.declared.items()]
        group = self.toks[self.i] if self.peek() == "(" else None
        called = symbol.spelling.args is None or group and script.keys() == symbol.declared.keys()
        if None in found or not called or symbol.spelling.primes != primes or not symbol.takes(group):
            return None
        return {index: text for texts in found for index, text in texts.items()}

    # ---- nodes

    def index(self, text, at, extent=None):
        """The node of an index; a bare letter notes how far it runs. One that nothing binds is free."""
        if text not in self.scope and not self.table.is_index(text):
            node = self.inside(tree(text, at), at)
            return self.apply(at, "an index", node, number=node.number)
        if text not in self.scope:
            ended = text in self.ended
            self.refuse(at, f"{text} is bound by the sum before, which ended: is a bracket missing?", ended)
            self.refuse(
                at, f"{text} is not bound here: sum over it, or declare its value", not self.may_be_free
            )
            self.free.setdefault(text, self.table.extents(text))
        self.scope.get(text, self.free.get(text)).extend([extent] if extent else [])
        return Node("index", lambda env: env.at[text], 0)

    def symbol_node(self, symbol, texts, at):
        symbol.compile(self.table)
        random = symbol.random and OUTCOME not in self.scope
        self.refuse(at, f"{symbol.text} is random: take its expectation or a probability", when=random)
        indices = [self.index(texts.get(x, x), at, symbol.extents.get(x)) for x in symbol.indices]
        if symbol.is_function:
            return self.call(symbol, indices, at)
        self.i += symbol.spelling.args is not None  # H(a | b) is a name
        member = symbol.text, symbol.value, indices
        return self.node(at, symbol.kind, symbol.value, HERE, *indices, member=member)

    def call(self, symbol, indices, at):
        group = self.next()
        pairs = zip(parts(group.inside, *SEPARATORS), symbol.parameters)
        first, *others = [self.argument_of(symbol, toks, parameter, group) for toks, parameter in pairs]

        def value(env, x):
            return symbol.call(env, *[n.run(env) for n in indices], x, *[n.run(env) for n in others])

        return self.node(at, symbol.kind, symbol.call, HERE, *indices, first, *others, varied=(first, value))

    def argument_of(self, symbol, toks, parameter, group):
        """A value of the parameter's kind, or an index."""
        if parameter.kind == "index":
            return self.index(shown(toks), group.at, self.table.extents(parameter.text)[0])
        parameter.compile(self.table)
        node, kind = self.inside(toks, group.end - 1), parameter.kind
        self.refuse(
            group.at, f"{symbol.text} takes a {kind} here, and this is a {node.kind}", node.kind != kind
        )
        return node

    def entry(self, node, script):
        """x_i of a column, A_{ij} of a matrix, counted from 1; I_k."""
        at = script.at
        if node.kind == "unit":
            size = self.apply(at, "the size of a unit matrix", self.inside(script.toks, at))
            return self.node(at, "matrix", unit_matrix, HERE, node, size)
        found = caught(ENTRIES[node.kind], script) if node.kind in ENTRIES else None
        self.refuse(at, f"an index of a {node.kind}: declare what its parts are called", when=found is None)
        lengths = [lambda env, axis=axis: node.run(env).shape[axis] for axis in range(2)]
        indices = [self.index(text, at, length) for text, length in zip(found.values(), lengths)]

        def value(env, *numbers):
            return taken(node.run(env), numbers)

        member = node.member[0] or object(), value, indices
        return self.node(at, "scalar", value, HERE, *indices, member=member)
