r"""The symbols of a table, where their values come from, and the environment of one draw that holds them.

Every symbol has a value for each choice of its indices: what the draw holds, a part of something larger, a
unit matrix, or a formula. What is random has one more index, the number of the outcome.
"""

import re
from dataclasses import replace
from functools import cached_property

import numpy as np

from helpers.reading.grammar import Reader
from helpers.reading.names import SEPARATORS, Spelling, caught, is_index, spell
from helpers.reading.tokens import ReadingError, parts, refuse, shown, tokens, tree
from helpers.reading.values import OUTCOME, Misfit, Node, require, taken, unit_matrix

__all__ = ["BUDGET", "KINDS", "UNIT", "WORDS", "Environment", "Symbol", "Table"]

BUDGET = 200_000  # terms times operations: more is refused
AXES = {"scalar": 0, "column": 1, "row": 1, "matrix": 2}
KINDS = {**AXES, "index": 1, "set": 1, "truth": 0, "expectation": 1, "probability": 1}
WORDS = re.compile(r"(row|column|entry|item|eigenvalue|singular value)\b(?: of|[ ,]([a-z, ]*?) of) (.+)")
UNIT = re.compile(r"unit matrix|ones|unit column ([a-z])")


class Symbol:
    """One row of a table: how it is written, its kind and size, and its source.

    Its `node` gives its value in an environment that holds its indices; `extents` says how far they run.
    """

    def __init__(self, text, kind, size=(), source="", is_function=False, random=False):
        self.declaration = text, kind, size, source, is_function, random
        self.text, self.kind, self.size, self.source, self.is_function, self.random = self.declaration
        self.spelling, self.is_drawn, self.busy = spell(text), source[:1] in ("", "`"), False
        self.words, self.unit = WORDS.fullmatch(source), UNIT.fullmatch(source)
        quoted = re.search("`(.+)`", source)
        self.draw_name = quoted[1].strip() if quoted else self.spelling.draw_name
        if kind == "index" and source:
            self.kind, self.size = "scalar", ()  # a fixed one, which counts from 1

    def prepare(self, table):
        """Once all rows are known: which letters of its scripts are indices, and what it takes."""
        self.table, args = table, self.spelling.args
        signs = f"{self.spelling.sub} {self.spelling.sup}".split()
        self.indices = tuple(self._indices([t for t in signs if is_index(t)]))
        why = (
            f"{', '.join(self.indices)} of “{self.source}” is no index of {self.text}, or stands there twice"
        )
        refuse(self.text, 0, why, when=len({*self.indices} & {*signs}) < len(self.indices))
        self.precedence = (args is not None, len(signs) > 0, len(signs) - len(self.indices))
        names = [shown(part) for part in parts(tree(args), *SEPARATORS)] if self.is_function else []
        self.parameters = [table.plain(name) for name in names]
        unknown = ", ".join(name for name, known in zip(names, self.parameters) if not known)
        refuse(self.text, 0, f"{unknown}, which {self.text} takes, is not declared", when=unknown)
        self.indices += (OUTCOME,) if self.random else ()

    def _indices(self, letters):
        if self.words or self.unit:
            named = re.findall("[a-z]", (self.words[2] if self.words else self.unit[1]) or "")
            return named or (letters if self.words else [])
        if self.is_drawn:
            return [x for x in letters if self.is_function and x in self.table.ranges]
        inside = {t.text for t in tokens(self.source)}
        return [x for x in letters if x in inside and self.table.may_bind(x)]

    # ---- in a formula

    def match(self, name, brackets):
        """(itself, {index: its text}, the name without its scripts) if name and brackets are like this."""
        _, primes, sub, sup, args = self.spelling
        below, above = (shown(row or ()) for row in (name.sub, name.sup))
        bare = above.removesuffix(r" \top") if sup and args is None else above  # x^{j\top} has a ⊤ of its own
        pairs = [(sub, below), (sup, bare)]
        found = [caught(a, b, self.indices) if a or self.is_function else {} for a, b in pairs]
        called = args is None or any(self._takes(b.inside[0]) for b in brackets)
        if None in found or not called or name.primes != primes:
            return None
        turned = name.sup[-1:] if bare != above else None
        left = replace(name, primes=0, sub=None if sub else name.sub, sup=turned if sup else name.sup)
        return self, {**found[0], **found[1]}, left

    def _takes(self, row):
        """Do brackets hold what it is declared with? Of a function, as many and so parted."""
        declared = tree(self.spelling.args)
        return (
            _separators(row) == _separators(declared) if self.is_function else shown(row) == shown(declared)
        )

    # ---- where its value comes from

    @cached_property
    def node(self):
        """What the draw holds, units, a formula, or a part of one that its indices count off."""
        refuse(self.source, 0, f"{self.text} is defined by itself", when=self.busy)
        self.busy = True
        known = [*self.indices, *(p.text for p in self.parameters if p.kind == "index")]
        scope = {x: self.table.extents(x) for x in known}
        reader = Reader(self.words[3] if self.words else self.source, self.table, scope, False)
        if self.unit:
            node = self._units(self.unit[0])
        elif reader.tex[:1] in ("", "`"):
            node = Node("drawn", self._drawn)
        else:
            node = reader.whole(reader.relation)
        if self.words:
            node = reader.apply(0, self.words[1], node)
        counted = self.words or self.unit or self.is_drawn
        node = self._counted(node, reader) if counted else self._formula(node)
        self.extents = {x: reader.length(x, reader.scope[x], 0) for x in self.indices if reader.scope[x]}
        self.kind = node.kind
        return node

    def _drawn(self, env):
        found = env.draw.get(self.draw_name, env.sizes.get(self.draw_name))
        why = "{} is not in the draw, which has {}: name it in the last column between backticks"
        require(found is not None, why, self.text, ", ".join(env.draw))
        return found

    def _counted(self, whole, reader):
        """What its indices count off from something larger, and how far they run."""
        letters = () if self.is_function else self.indices
        for axis, letter in enumerate(letters):
            reader.scope[letter].append(lambda env, axis=axis: len(taken(whole.run(env), (1,) * axis)))
        kind = whole.kind if whole.kind == "unit" else self.kind
        return Node(kind, lambda env: taken(whole.run(env), [env.at[x] for x in letters]))

    def _units(self, what):
        """I, e_j and 1, as large as declared; I without a size takes its neighbour's."""
        if what == "unit matrix" and not self.size:
            return Node("unit", lambda env: 1.0)
        refuse(self.text, 0, f"how long is {self.text}? Write column n", when=not self.size)
        diagonal = np.diag if what == "ones" else np.asarray
        return Node(self.kind, lambda env: diagonal(unit_matrix(env, 1.0, env.size_of(self.size[-1]))))

    def _formula(self, node):
        """A formula of the kind that is declared; a multiple of I is a matrix where it has a size."""
        opened = node.kind == "unit" and self.kind == "matrix"
        why = f"{self.text} is declared as a {self.kind}, and this is a {node.kind}"
        refuse(self.source, 0, why, when=self.kind not in ("", node.kind) and not opened)
        if not (opened and self.size):
            return node
        return Node("matrix", lambda env: node.run(env) * np.eye(env.size_of(self.size[0])))

    # ---- values

    def value(self, env, *numbers):
        """Its value in an environment; kept, so that each draw computes it once."""
        if self.text in env.at:
            return env.at[self.text]
        if (self, numbers) not in env.cache:
            env.spend(1)
            here = env.moved(zip(self.indices, numbers))
            env.cache[self, numbers] = self.fitted(self.node.run(here), env)
        return env.cache[self, numbers]

    def call(self, env, *values):
        """A function's value: from the draw's function, or its formula with the arguments in their place."""
        if self.is_drawn:
            return self.fitted(self._drawn(env)(*values), env)
        names = [*self.indices, *(p.text for p in self.parameters)]
        return self.node.run(env.moved(zip(names, values), cache={}))

    def weight(self, env, n):
        """Of the outcome at hand: all n are equally likely, or the draw says how likely."""
        found = self.node.run(env) if self.source else [1 / n] * n
        require(len(found) == n, "{} has {} probabilities for {} outcomes", self.text, len(found), n)
        return found[env.at[OUTCOME] - 1]

    def fitted(self, raw, env):
        """The value as the kind and of the size that are declared."""
        if self.kind == "set" or self.kind not in KINDS:
            return frozenset(map(int, raw)) if self.kind == "set" else raw
        value = np.asarray(raw)
        require(value.dtype.kind in "biuf", "{} is {} in the draw: floats are read", self.text, value.dtype)
        fits = value.ndim == AXES.get(self.kind, 0)
        require(fits, "{} is declared as a {}, and has the shape {}", self.text, self.kind, value.shape)
        for name, n in zip(self.size, value.shape):
            size, declared = env.size_of(name, n), " × ".join(self.size)
            why = "{} is declared {}, and has the shape {}: {} is {}"
            require(size == n, why, self.text, declared, value, name, size)
        return value.astype(float) if value.ndim else bool(raw) if self.kind == "truth" else float(raw)


def _separators(row):
    return [atom.text for atom in row if atom.text in SEPARATORS]


class Table:
    """Symbols by their base; and which letters are indices."""

    def __init__(self, symbols):
        self.rows, self.symbols = list(symbols), {}
        self.ranges = {s.text: s for s in self.rows if s.kind == "index" and not s.spelling.sub}
        for s in self.rows:
            if s not in self.ranges.values():
                self.symbols.setdefault(s.spelling.base, []).append(s)
        self.bases = frozenset(self.symbols)
        for s in self.rows:
            s.prepare(self)
        self.letters = {x for s in self.rows for x in s.indices} - {OUTCOME}

    def find(self, base, name, brackets):
        """The `Symbol.match` of the longest symbol that is written like this, or None."""
        found = filter(None, [s.match(name, brackets) for s in self.symbols.get(base, ())])
        return max(found, key=lambda match: match[0].precedence, default=None)

    def plain(self, text):
        """The symbol that is written just so."""
        return next((s for s in self.rows if s.spelling == spell(text)), None)

    def extents(self, letter):
        """How far a declared index runs, as a list of one function; an empty one where it is not declared."""
        row = self.ranges.get(letter)
        return [lambda env: env.size_of(row.size[0])] if row and row.size else []

    def may_bind(self, letter):
        """A bare letter that is declared cannot run; c^* or h(t) leave c and h free."""
        return Spelling(letter) not in [s.spelling for s in self.symbols.get(letter, ())]

    def is_index(self, letter):
        return letter in self.ranges or letter in self.letters and self.may_bind(letter)


class Environment:
    """The values of one draw: computed when asked for, and kept."""

    def __init__(self, table, draw, budget=BUDGET):
        self.draw, self.at, self.cache, self.sizes, self.left = draw, {}, {}, {}, [budget]
        for symbol in table.rows:
            try:
                if symbol.is_drawn and symbol.size and symbol.draw_name in draw and not symbol.is_function:
                    symbol.value(self, *[1] * len(symbol.indices))
            except Misfit as e:
                raise ReadingError(symbol.text, 0, str(e)) from None

    def moved(self, values, **known):
        """The same draw with other indices; with other values of symbols it needs a cache of its own."""
        other = object.__new__(Environment)
        other.__dict__.update(self.__dict__, at={**self.at, **dict(values)}, **known)
        return other

    def refill(self):
        """The whole budget again: for the next formula."""
        self.left[0] = BUDGET

    def spend(self, steps):
        self.left[0] -= steps
        require(self.left[0] >= 0, "this is more than can be added up here: too many terms")

    def size_of(self, name, found=None):
        """The number that a size stands for; a new one is what was found first."""
        if not name.isdigit() and name not in self.sizes:
            drawn = self.draw.get(name, found)
            require(drawn is not None, "the size {} is in no drawn array", name)
            self.sizes[name] = int(drawn)
        return int(self.sizes.get(name, name))
