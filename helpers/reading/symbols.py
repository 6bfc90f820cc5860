r"""The symbols of a table, where their values come from, and the environment of one draw that holds them."""

import re
from dataclasses import dataclass, field

import numpy as np

from helpers.reading.grammar import Reader
from helpers.reading.names import ACCENTS, is_letter, parts, spell
from helpers.reading.naming import unit_matrix
from helpers.reading.tokens import ReadingError, tokens
from helpers.reading.values import Misfit

__all__ = ["BUDGET", "Environment", "Symbol", "Table"]

BUDGET = 200_000  # terms times operations: more is refused
DIMENSIONS = {"scalar": 0, "column": 1, "row": 1, "matrix": 2}
KINDS = {**DIMENSIONS, "index": 0, "set": 1, "truth": 0, "expectation": 1, "probability": 1, "": 0}
SYNONYMS = {"number": "scalar", "index set": "set"}
PART = re.compile(r"(row|column|entry|item|eigenvalue|singular value)((?:\s+|,)[a-z][a-z, ]*?)? of (.+)")
UNIT = re.compile(r"unit matrix|ones|unit column ([a-z])")


@dataclass(eq=False)
class Symbol:
    """One row of the table: how it is written, its kind and size, and its source.

    `value(env, indices)` is its value, `extents` how far its indices run.
    """

    text: str
    kind: str
    size: tuple = ()
    source: str = ""
    is_function: bool = False
    random: bool = False
    spelling: object = None
    indices: tuple = ()
    extents: dict = field(default_factory=dict)
    parameters: list = field(default_factory=list)
    state: str = "new"

    def __post_init__(self):
        self.spelling = spell(self.text, lambda i, why: ReadingError(self.text, 0, why))
        if self.kind == "index" and self.source:
            self.kind, self.size = "scalar", ()  # a fixed one, which counts from 1
        self.draw_name = _draw_name(self.spelling)

    def copy(self):
        """The same declaration, not yet compiled: a wider table compiles it anew."""
        return Symbol(
            self.text,
            self.kind if not self.kind == "unit" else "matrix",
            self.size,
            self.source,
            self.is_function,
            self.random,
        )

    def prepare(self, table):
        """Once all rows are known: which letters of its scripts are indices."""
        spelling, source = self.spelling, self.source
        letters = [t for t in (*spelling.sub, *spelling.sup) if is_letter(t) and t.islower()]
        part, unit = PART.fullmatch(source), UNIT.fullmatch(source)
        named = re.findall("[a-z]", part[2] or "") if part else [unit[1]] if unit and unit[1] else None
        if part:
            self.indices = tuple(named or letters)
        elif named:
            self.indices = tuple(named)
        elif source and source[0] != "`":
            inside = {t.text for t in tokens(source)}
            self.indices = tuple(x for x in letters if x in inside and table.may_bind(x))
        else:
            self.indices = tuple(x for x in letters if self.is_function and table.is_index(x))
        if set(self.indices) - set(letters):
            raise ReadingError(
                self.text, 0, f"{', '.join(self.indices)} of “{source}” is no index of {self.text}"
            )
        if self.is_function:
            self._parameters(table)
        self.sub, self.sup = self._pattern(spelling.sub), self._pattern(spelling.sup)
        literal = sum(len(p) for p in (*self.sub, *self.sup)) - len(self.indices)
        self.precedence = (spelling.args is not None, bool(self.sub) + bool(self.sup), literal)

    def _pattern(self, texts):
        if "," in texts:
            return tuple(tuple(p.split()) for p in " ".join(texts).split(","))
        apart = len(texts) > 1 and all(t in self.indices or t.isdigit() for t in texts)
        return tuple((t,) for t in texts) if apart else (tuple(texts),) if texts else ()

    # ---- compiling the source, once

    def compile(self, table):
        if self.state == "done":
            return
        if self.state == "busy":
            raise ReadingError(self.source, 0, f"{self.text} is defined by itself")
        self.state = "busy"
        self.extents = {x: e for x in self.indices if (e := table.range_of(x))}
        self.fetch = self._source(table)
        self.state = "done"

    def _parameters(self, table):
        toks = tokens(" ".join(self.spelling.args))
        spans, self.separators = parts(toks, 0, len(toks), (",", ";", r"\mid"))
        for a, b in spans:
            text = " ".join(t.text for t in toks[a:b])
            symbol, extent = table.plain(text), table.range_of(text)
            if symbol is None and not extent:
                raise ReadingError(self.text, 0, f"{text}, which {self.text} takes, is not declared")
            self.parameters.append(Parameter(symbol.text if symbol else text, symbol, extent))

    def _source(self, table):
        part, unit = PART.fullmatch(self.source), UNIT.fullmatch(self.source)
        if self.kind in ("expectation", "probability"):
            return self._drawn() if self.source else None
        if not self.source or self.source[0] == "`":
            return self._drawn()
        if part:
            return self._part(part[1], part[3], table)
        if unit:
            return self._unit(unit, table)
        return self._defined(table)

    def _drawn(self):
        name = self.source.strip("` ") or self.draw_name

        def fetch(env, numbers):
            if name not in env.draw:
                if name in env.sizes:
                    return float(env.sizes[name])
                raise Misfit(
                    f"{self.text} is not in the draw, which has {', '.join(env.draw)}: name it in the "
                    "last column between backticks"
                )
            raw = env.draw[name]
            if self.is_function:
                return raw
            return _value(raw[env.outcome] if self.random else raw, self)

        if self.random:
            self.outcomes = lambda env: len(env.draw[name])
        return fetch

    def _part(self, what, of, table):
        """row i of X: the value, and how far i runs."""
        whole = self._whole(what, of, table)
        axes = [1] if what == "column" else list(range(len(self.indices)))
        for letter, axis in zip(self.indices, axes):
            self.extents[letter] = lambda env, axis=axis: _length(whole(env), axis)

        def fetch(env, numbers):
            found = whole(env)
            for number, axis in zip(numbers, axes):
                if not 1 <= number <= _length(found, axis):
                    raise Misfit(f"{self.text}: {number} of {_length(found, axis)}; counting starts at 1")
            if what == "column":
                return _value(found[:, numbers[0] - 1], self)
            for number in numbers:
                found = found[number - 1]
            return _value(found, self)

        return fetch

    def _whole(self, what, of, table):
        """What it is a part of, as a function of the environment."""
        if of[0] == "`":
            whole = _raw(of.strip("` "), what)
        else:
            reader = Reader(of, table, {r"\E": []} if self.random else None, may_be_free=False)
            node = reader.within(0, reader.end)
            if self.random:
                self.outcomes = reader.length("E", reader.scope[r"\E"], 0)
            if (
                node.kind not in (("column", "row", "matrix") if what == "entry" else ("matrix",))
                or what == "item"
            ):
                raise ReadingError(of, 0, f"{what} of a {node.kind}")
            whole = node.run
        return (lambda env: SPECTRA[what](np.asarray(whole(env)))) if what in SPECTRA else whole

    def _unit(self, unit, table):
        """I, e_j and 1, as large as declared; I without a size takes its neighbour's."""

        def eye(env):
            return unit_matrix(env, 1.0, env.size_of(self.size[-1]))

        if self.source == "unit matrix" and not self.size:
            self.kind = "unit"
            return lambda env, numbers: 1.0
        if not self.size:
            raise ReadingError(self.text, 0, f"how long is {self.text}? Write column n")
        if self.source == "unit matrix":
            return lambda env, numbers: eye(env)
        if self.source == "ones":
            return lambda env, numbers: np.ones(len(eye(env)))
        self.extents[unit[1]] = lambda env: len(eye(env))

        def column(env, numbers):
            if not 1 <= numbers[0] <= len(eye(env)):
                raise Misfit(f"{self.text}: {numbers[0]} of {len(eye(env))}; counting starts at 1")
            return eye(env)[numbers[0] - 1]

        return column

    def _defined(self, table):
        """By its own formula, whose free indices are this symbol's."""
        scope = {x: [e] if (e := table.range_of(x)) else [] for x in self.indices}
        scope.update({p.text: [] for p in self.parameters if p.extent})
        if self.random:
            scope[r"\E"] = []
        reader = Reader(self.source, table, scope, may_be_free=False)
        node = reader.within(0, reader.end, reader.relation)
        self.cost = reader.cost
        if self.kind and node.kind not in (self.kind, {"matrix": "unit"}.get(self.kind)):
            raise ReadingError(
                self.source, 0, f"{self.text} is declared as a {self.kind}, and this is a {node.kind}"
            )
        self.kind = self.kind or node.kind
        for letter in self.indices:
            if reader.scope[letter]:
                self.extents[letter] = reader.length(letter, reader.scope[letter], 0)
        if self.random:
            self.outcomes = reader.length("E", reader.scope[r"\E"], 0)
        return lambda env, numbers: _sized(_open(node, env, self), self, env)

    # ---- values

    def value(self, env, numbers=()):
        """Its value in an environment; kept, so that each draw computes it once."""
        if not numbers and self.text in env.given:
            return env.given[self.text]
        key = (self.text, numbers, env.outcome) if self.random else (self.text, numbers)
        if key not in env.cache:
            env.spend(1)
            kept, env.at = env.at, dict(zip(self.indices, numbers))
            try:
                env.cache[key] = self.fetch(env, numbers)
            finally:
                env.at = kept
        return env.cache[key]

    def call(self, env, values):
        """A function's value: from the draw's function, or its formula with the arguments in their place."""
        count = len(self.indices)
        numbers, arguments = tuple(values[:count]), values[count:]
        env.spend(getattr(self, "cost", 5))
        if not self.source or self.source[0] == "`":
            function = self.fetch(env, ())
            return _value(function(*numbers, *arguments), self)
        given = {p.text: a for p, a in zip(self.parameters, arguments) if not p.extent}
        at = dict(zip(self.indices, numbers))
        at.update({p.text: a for p, a in zip(self.parameters, arguments) if p.extent})
        return self.fetch(env.but(given, at), numbers)

    def weights(self, env, n):
        """Of the outcomes of an expectation: equal, or those of the draw."""
        if self.fetch is None:
            return np.full(n, 1 / n)
        found = np.asarray(env.draw[self.source.strip("` ")], float)
        if found.shape != (n,):
            raise Misfit(f"{self.text} has {len(found)} probabilities for {n} outcomes")
        return found


def _eigenvalues(a):
    if a.shape[0] != a.shape[1] or not np.allclose(a, a.T, rtol=0, atol=1e-10 * max(1.0, np.abs(a).max())):
        raise Misfit("eigenvalues are taken of a symmetric matrix, and this one is not")
    return np.linalg.eigvalsh(a)[::-1]


SPECTRA = {"eigenvalue": _eigenvalues, "singular value": lambda a: np.linalg.svd(a, compute_uv=False)}


@dataclass
class Parameter:
    """What a function takes: a declared symbol, or an index with its range."""

    text: str
    symbol: object
    extent: object

    def kind(self, table):
        self.symbol.compile(table)
        return self.symbol.kind


def _draw_name(spelling):
    """The Python name of a symbol: X, x_bar, mu_1, N_plus."""
    words = re.findall("[A-Za-z0-9]+", spelling.base)
    accented = len(words) > 1 and "\\" + words[0] in ACCENTS
    name = [*words[1:], words[0]] if accented else words[-1:]
    marks = {"*": "star", "+": "plus", "-": "minus"}
    name += [marks.get(t, t.strip("\\")) for t in (*spelling.sub, *spelling.sup)] + [
        "prime"
    ] * spelling.primes
    return "_".join(filter(str.isalnum, name))


def _raw(name, what):
    def whole(env):
        if name not in env.draw:
            raise Misfit(f"{name} is not in the draw")
        return env.draw[name] if what == "item" else np.asarray(env.draw[name], float)

    return whole


def _length(value, axis):
    return value.shape[axis] if hasattr(value, "shape") else len(value)


def _open(node, env, symbol):
    """A multiple of the unit matrix where a matrix is declared takes the declared size."""
    value = node.run(env)
    if node.kind == "unit" and symbol.kind == "matrix" and symbol.size:
        return value * np.eye(env.size_of(symbol.size[0]))
    return value


def _value(raw, symbol):
    """What a draw holds, as the kind that is declared."""
    kind = symbol.kind
    if kind == "set":
        return frozenset(int(i) for i in raw)
    value = np.asarray(raw)
    if value.dtype.kind not in "biuf":
        raise Misfit(f"{symbol.text} is {value.dtype} in the draw: floats are read")
    if value.ndim != KINDS[kind]:
        raise Misfit(f"{symbol.text} is declared as a {kind}, and the draw has the shape {value.shape}")
    if kind in ("scalar", "index"):
        return float(value)
    return bool(value) if kind == "truth" else value.astype(float)


def _sized(value, symbol, env):
    """The value, when its shape is the declared one."""
    if symbol.size and np.ndim(value) == len(symbol.size):
        for name, n in zip(symbol.size, np.shape(value)):
            if env.size_of(name, n) != n:
                raise Misfit(
                    f"{symbol.text} is declared {' × '.join(symbol.size)}, and has the shape "
                    f"{' × '.join(map(str, np.shape(value)))}: {name} is {env.size_of(name)}"
                )
    return value


class Table:
    """Symbols by their base; and which letters are indices."""

    def __init__(self, symbols):
        self.rows = list(symbols)
        self.symbols, self.ranges = {}, {}
        for s in self.rows:
            if s.kind == "index" and not s.source and not s.spelling.sub:
                self.ranges[s.spelling.base] = s
            else:
                self.symbols.setdefault(s.spelling.base, []).append(s)
        self.bases = frozenset(self.symbols)
        for s in self.rows:
            s.prepare(self)
        self.letters = {x for s in self.rows for x in s.indices} | set(self.ranges)

    def shown(self):
        return [s.text for s in self.rows]

    def plain(self, text):
        """The symbol that is written just so."""
        wanted = spell(text, lambda i, why: ReadingError(text, 0, why)) if text else None
        return next((s for s in self.rows if s.spelling == wanted and s not in self.ranges.values()), None)

    def range_of(self, letter):
        """How far a declared index runs, as a function of the environment; None where it is not declared."""
        row = self.ranges.get(letter)
        if row is None or not row.size:
            return None
        return lambda env: env.size_of(row.size[0])

    def may_bind(self, letter):
        """A bare letter that is declared cannot run; c^* or h(t) leave c and h free."""
        return not any(
            s.spelling.args is None and not (s.spelling.sub or s.spelling.sup or s.spelling.primes)
            for s in self.symbols.get(letter, ())
        )

    def is_index(self, letter):
        return letter in self.ranges or letter in getattr(self, "letters", ()) and self.may_bind(letter)


class Environment:
    """The values of one draw: computed when asked for, and kept."""

    def __init__(self, table, draw, budget=BUDGET):
        self.table, self.draw, self.given, self.at = table, draw, {}, {}
        self.cache, self.sizes, self.outcome, self.left = {}, {}, None, [budget]
        for symbol in table.rows:
            drawn = not symbol.source or symbol.source[0] == "`"
            name = symbol.source.strip("` ") or symbol.draw_name
            if (
                drawn
                and name in draw
                and not symbol.is_function
                and symbol.size
                and symbol.kind in DIMENSIONS
            ):
                raw = draw[name][0] if symbol.random else draw[name]
                try:
                    _sized(_value(raw, symbol), symbol, self)
                except Misfit as e:
                    raise ReadingError(symbol.text, 0, str(e)) from None

    def but(self, given, at):
        """The same draw with other values of some symbols: what depends on them is computed anew."""
        other = object.__new__(Environment)
        other.__dict__.update(self.__dict__, given={**self.given, **given}, at=dict(at), cache={})
        return other

    def refill(self):
        """The whole budget again: for the next formula."""
        self.left[0] = BUDGET

    def spend(self, steps):
        self.left[0] -= steps
        if self.left[0] < 0:
            raise Misfit("this is more than can be added up here: too many terms")

    def size_of(self, name, found=None):
        """The number that a size stands for; a new one is what was found first."""
        if name.isdigit():
            return int(name)
        if name not in self.sizes:
            drawn = self.draw.get(name, found)
            if drawn is None:
                raise Misfit(f"the size {name} is in no drawn array")
            self.sizes[name] = int(drawn)
        return self.sizes[name]
