r"""The symbols of a table, where their values come from, and the environment of one draw that holds them.

Every symbol has a value for each choice of its indices: what the draw holds, a part of something larger, a
unit matrix, or a formula. What is random has one more index, the number of the outcome.
"""

import re

import numpy as np

from helpers.reading.grammar import Reader
from helpers.reading.spelling import SEPARATORS, Spelling, is_index, patterns, spell
from helpers.reading.tokens import ReadingError, parts, refuse, shown, tokens, tree
from helpers.reading.values import OUTCOME, Misfit, require, symmetric, taken, unit_matrix

BUDGET = 200_000  # terms times operations: more is refused
AXES = {"scalar": 0, "column": 1, "row": 1, "matrix": 2}
KINDS = {**AXES, "index": 1, "set": 1, "truth": 0, "expectation": 1, "probability": 1}
WORDS = re.compile(r"(row|column|entry|item|eigenvalue|singular value)\b(?: of|[ ,]([a-z, ]*?) of) (.+)")
UNIT = re.compile(r"unit matrix|ones|unit column ([a-z])")
PARTS = {  # what the part is of, and what is counted off from the front
    "": ("", None),
    "row": ("matrix", np.asarray),
    "column": ("matrix", np.transpose),
    "entry": ("matrix column row", np.asarray),
    "item": ("", list),
    "eigenvalue": ("matrix", lambda a: np.linalg.eigvalsh(symmetric(a, "eigenvalues are taken"))[::-1]),
    "singular value": ("matrix", lambda a: np.linalg.svd(a, compute_uv=False)),
}


class Symbol:
    """One row of the table: how it is written, its kind and size, and its source.

    Once it is compiled, `extents` says how far its indices run, and `run` gives its value in an environment
    that holds them.
    """

    def __init__(self, text, kind, size=(), source="", is_function=False, random=False):
        self.declaration = text, kind, size, source, is_function, random
        self.text, self.kind, self.size, self.source, self.is_function, self.random = self.declaration
        self.spelling, self.extents, self.cost, self.run, self.busy = spell(text), {}, 5, None, False
        self.is_drawn = not source or source[0] == "`"
        self.draw_name = source.strip("` ") if source and self.is_drawn else self.spelling.draw_name
        if kind == "index" and source:
            self.kind, self.size = "scalar", ()  # a fixed one, which counts from 1

    def prepare(self, table):
        """Once all rows are known: which letters of its scripts are indices, and what it takes."""
        _, _, sub, sup, args = self.spelling
        letters = [t for t in f"{sub} {sup}".split() if is_index(t)]
        self.indices = tuple(self._indices(letters, table))
        known = len(set(self.indices) & set(letters)) == len(self.indices)
        letters = ", ".join(self.indices)
        why = f"{letters} of “{self.source}” is no index of {self.text}, or stands there twice"
        refuse(self.text, 0, why, when=not known)
        self.declared = {mark: patterns(s, self.indices) for mark, s in (("_", sub), ("^", sup)) if s}
        literal = len(sub.split() + sup.split()) - len(self.indices)
        self.precedence = (args is not None, bool(sub) + bool(sup), literal, len(self.indices))
        names = [shown(part) for part in parts(tree(args), *SEPARATORS)] if self.is_function else []
        for name in names:
            known = table.plain(name) or table.extents(name)
            refuse(self.text, 0, f"{name}, which {self.text} takes, is not declared", when=not known)
        self.parameters = [table.plain(name) or table.ranges[name] for name in names]
        self.indices += (OUTCOME,) if self.random else ()

    def _indices(self, letters, table):
        words, unit = WORDS.fullmatch(self.source), UNIT.fullmatch(self.source)
        if words or unit:
            named = re.findall("[a-z]", (words[2] if words else unit[1]) or "")
            return named or (letters if words else [])
        if self.is_drawn:
            return [x for x in letters if self.is_function and table.is_index(x)]
        inside = {t.text for t in tokens(self.source)}
        return [x for x in letters if x in inside and table.may_bind(x)]

    def takes(self, group):
        """Do these brackets hold what the symbol is declared with? Of a function, as many and so parted."""
        args = self.spelling.args
        if args is None or not self.is_function:
            return args is None or shown(group.inside) == args
        return _separators(group.inside) == _separators(tree(args))

    # ---- compiling the source, once

    def compile(self, table):
        refuse(self.source, 0, f"{self.text} is defined by itself", when=self.busy)
        if self.run:
            return
        self.busy = True
        known = [*self.indices, *(p.text for p in self.parameters if p.kind == "index")]
        words, unit = WORDS.fullmatch(self.source), UNIT.fullmatch(self.source)
        carriers = {x: table.extents(x) for x in known}
        reader = Reader(words[3] if words else self.source, table, carriers, may_be_free=False)
        if self.is_drawn:
            whole = self._drawn(self.draw_name)
        else:
            whole = self._unit(unit[0]) if unit else self._of(words[1] if words else "", reader)
        counted = words or unit or self.is_drawn and not self.is_function
        self.run = self._counted(whole, carriers) if counted else whole
        self.extents = {x: reader.scope.length(x, carriers[x], 0) for x in self.indices if carriers[x]}
        self.busy = False

    def _drawn(self, name):
        def run(env):
            found, has = env.draw.get(name, env.sizes.get(name)), ", ".join(env.draw)
            why = "{} is not in the draw, which has {}: name it in the last column between backticks"
            require(found is not None, why, self.text, has)
            return found

        return run

    def _counted(self, whole, carriers):
        """What its indices count off from something larger, and how far they run."""
        for axis, letter in enumerate(self.indices):
            carriers[letter].append(lambda env, axis=axis: len(taken(whole(env), (1,) * axis)))
        return lambda env: taken(whole(env), [env.at[x] for x in self.indices])

    def _unit(self, what):
        """I, e_j and 1, as large as declared; I without a size takes its neighbour's."""
        self.kind = self.kind if self.size or what != "unit matrix" else "unit"
        endless = not self.size and self.kind != "unit"
        refuse(self.text, 0, f"how long is {self.text}? Write column n", when=endless)
        diagonal = np.diag if what == "ones" else np.asarray
        size = self.size and self.size[-1]
        return lambda env: diagonal(unit_matrix(env, 1.0, env.size_of(size))) if size else 1.0

    def _of(self, what, reader):
        """A formula, whose free indices are this symbol's, or the larger thing that it is a part of."""
        kinds, turned = PARTS[what]
        tex = reader.cursor.tex
        if tex[0] == "`":
            drawn = self._drawn(tex.strip("` "))
            return lambda env: turned(drawn(env))
        node = reader.cursor.whole(reader.relation)
        if what:
            reader.refuse(0, f"{what} of a {node.kind}", when=node.kind not in kinds.split())
            return lambda env: turned(node.run(env))
        opened = node.kind == "unit" and self.kind == "matrix"
        unfit = self.kind not in ("", node.kind) and not opened
        reader.refuse(0, f"{self.text} is declared as a {self.kind}, and this is a {node.kind}", when=unfit)
        sized = opened and self.size
        self.kind, self.cost = self.kind if sized else node.kind, node.cost
        return (lambda env: node.run(env) * np.eye(env.size_of(self.size[0]))) if sized else node.run

    # ---- values

    def value(self, env, *numbers):
        """Its value in an environment; kept, so that each draw computes it once."""
        if self.text in env.at:
            return env.at[self.text]
        if (self, numbers) not in env.cache:
            env.spend(1)
            here = env.moved(zip(self.indices, numbers))
            env.cache[self, numbers] = self.fitted(self.run(here), env)
        return env.cache[self, numbers]

    def call(self, env, *values):
        """A function's value: from the draw's function, or its formula with the arguments in their place."""
        env.spend(self.cost)
        if self.is_drawn:
            return self.fitted(self.run(env)(*values), env)
        return self.run(env.but(dict(zip([*self.indices, *(p.text for p in self.parameters)], values))))

    def weight(self, env, n):
        """Of the outcome at hand: all n are equally likely, or the draw says how likely."""
        found = self.run(env) if self.source else [1 / n] * n
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
            size, told = env.size_of(name, n), " × ".join(self.size)
            why = "{} is declared {}, and has the shape {}: {} is {}"
            require(size == n, why, self.text, told, value, name, size)
        return value.astype(float) if value.ndim else bool(raw) if self.kind == "truth" else float(raw)


def _separators(toks):
    return [t.text for t in toks if t.text in SEPARATORS]


class Table:
    """Symbols by their base; and which letters are indices."""

    def __init__(self, symbols):
        self.rows, self.symbols, self.letters = list(symbols), {}, set()
        self.ranges = {s.spelling.base: s for s in self.rows if s.kind == "index" and not s.spelling.sub}
        for s in self.rows:
            if s not in self.ranges.values():
                self.symbols.setdefault(s.spelling.base, []).append(s)
        self.bases = frozenset(self.symbols)
        for s in self.rows:
            s.prepare(self)
        self.letters = {x for s in self.rows for x in s.indices} - {OUTCOME}

    def plain(self, text):
        """The symbol that is written just so."""
        wanted = spell(text) if text else None
        same = (s for s in self.symbols.get(wanted.base, ()) if s.spelling == wanted) if wanted else ()
        return next(iter(same), None)

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
        sized = [s for s in table.rows if s.is_drawn and s.size and s.kind in AXES and not s.is_function]
        for symbol in sized:
            try:
                if symbol.draw_name in draw:
                    symbol.value(self, *[1] * len(symbol.indices))
            except Misfit as e:
                raise ReadingError(symbol.text, 0, str(e)) from None

    def moved(self, indices):
        """The same values at other indices."""
        other = object.__new__(Environment)
        other.__dict__.update(self.__dict__, at={**self.at, **dict(indices)})
        return other

    def but(self, values):
        """The same draw with other values of some symbols: what depends on them is computed anew."""
        other = self.moved(values)
        other.cache = {}
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
