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
        symbol, scripts = self.find(*base)
        script = {s.mark: s for s in reversed(scripts)}
        used = [script[mark] for mark, declared in symbol.declared.items() if declared] if symbol else []
        left = [s for s in scripts if s not in used]
        if symbol is None:
            node = self.letter(base[0], at)
        elif symbol.kind in ("expectation", "probability"):
            self.refuse(at, f"put brackets: ({symbol.text} …)^2", when=left)
            node = self.expectation(symbol, at)
        else:
            node = self.symbol_node(symbol, at, script)
        return self.raised(node, left)

    def find(self, base, behind):
        """(symbol, scripts): the longest declared symbol that stands here; None is an index."""
        at, table = self.at, self.table
        word = OPERATOR.match(self.tex, at)
        stray = word and len(base) == 1 and self.tex[at - 1 :][:1] != "\\" and word[0] not in table.bases
        self.refuse(at, f"{word and word[0]} stands here as single letters: write it with a backslash", stray)
        scripts, primes, self.i = scripts_at(self.toks, behind, self.tex)
        script = {s.mark: s for s in reversed(scripts)}
        bare = not primes and "_" not in script
        if base in self.scope and bare:
            return None, scripts
        symbols = [s for s in table.symbols.get(base, ()) if self.fits(s, primes, script)]
        if not symbols and table.is_index(base) and bare:
            return None, scripts
        self.refuse(at, self.undeclared(base, primes), when=not symbols)
        return max(symbols, key=lambda s: s.precedence), scripts

    def undeclared(self, base, primes):
        like = ", ".join(s.text for s in self.table.symbols.get(base, ()))
        known = ", ".join([s.text for s in self.table.rows][:12]) or "which is empty"
        where = f"is not declared like this; the notation table has {like} (a function needs its brackets)"
        where = where if like else f"is not in the notation table ({known})"
        return (
            base + "'" * primes + " " + ("is words: in_words=True" if base.startswith(r"\text{") else where)
        )

    def fits(self, symbol, primes, script):
        """Is this symbol written like what stands here?"""
        wanted = {mark: pattern for mark, pattern in symbol.declared.items() if pattern}
        written = all(caught(pattern, script.get(mark)) is not None for mark, pattern in wanted.items())
        group = self.toks[self.i] if self.peek() == "(" else None
        called = symbol.spelling.args is None or group and set(script) == set(wanted) and symbol.takes(group)
        return symbol.spelling.primes == primes and written and called

    # ---- nodes

    def letter(self, letter, at):
        """An index as a number."""
        self.carriers(letter, at)
        return Node("scalar", lambda env: float(env.at[letter]))

    def carriers(self, letter, at):
        """Where the families are noted that carry an index; one that nothing binds is free."""
        if letter in self.scope:
            return self.scope[letter]
        ended = letter in self.ended
        self.refuse(
            at, f"{letter} is bound by the sum before, which ended: is a bracket missing?", when=ended
        )
        stray = not self.may_be_free
        self.refuse(at, f"{letter} is not bound here: sum over it, or declare its value", when=stray)
        return self.free.setdefault(letter, self.table.extents(letter))

    def index(self, text, at, extent=None):
        """The node of an index; a bare letter notes how far it runs."""
        if text in self.scope or self.table.is_index(text):
            self.carriers(text, at).extend([extent] if extent else [])
            return Node("index", lambda env: env.at[text], 0)
        node = self.inside(tree(text, at), at)
        made = self.apply(at, "an index", node)
        made.number = node.number
        return made

    def family(self, at, kind, key, value, indices):
        """The node of an indexed name: `value(env, *numbers)`."""
        node = self.node(at, kind, value, HERE, *indices)
        node.member = key, value, indices
        return node

    def symbol_node(self, symbol, at, script):
        symbol.compile(self.table)
        random = symbol.random and OUTCOME not in self.scope
        self.refuse(at, f"{symbol.text} is random: take its expectation or a probability", when=random)
        texts = {OUTCOME: OUTCOME}
        for mark, pattern in symbol.declared.items():
            texts |= caught(pattern, script.get(mark)) if pattern else {}
        indices = [self.index(texts[x], at, symbol.extents.get(x)) for x in symbol.indices]
        if symbol.is_function:
            return self.call(symbol, indices, at)
        self.i += symbol.spelling.args is not None  # H(a | b) is a name
        return self.family(at, symbol.kind, symbol.text, symbol.value, indices)

    def call(self, symbol, indices, at):
        group, arguments = self.next(), []
        for toks, parameter in zip(parts(group.inside, *SEPARATORS), symbol.parameters):
            if parameter.kind == "index":
                arguments.append(self.index(shown(toks), group.at, self.table.extents(parameter.text)[0]))
                continue
            parameter.compile(self.table)
            node, kind = self.inside(toks, group.end - 1), parameter.kind
            self.refuse(
                at, f"{symbol.text} takes a {kind} here, and this is a {node.kind}", node.kind != kind
            )
            arguments.append(node)
        node = self.node(at, symbol.kind, symbol.call, HERE, *indices, *arguments)
        others = [n for n in arguments[1:]]

        def value(env, x):
            return symbol.call(env, *[n.run(env) for n in indices], x, *[n.run(env) for n in others])

        node.varied = (arguments[0], value)
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
        key = node.member[0] or object()
        return self.family(at, "scalar", key, lambda env, *numbers: taken(node.run(env), numbers), indices)
