r"""Names: how they are written, and how one in a formula finds its symbol in the table.

A name is a base with primes, what stands below and above, and what brackets hold. The longest declared one
counts: of ``D^{(2)}`` the table may have all, of ``x_i^2`` only ``x_i``, and ``^2`` is a power. A letter
declared as a function calls what stands in its brackets; declared as anything else it is multiplied by them.
"""

import itertools
import re
from typing import NamedTuple

from helpers.reading.tokens import ACCENTS, SCRIPTS, parts, refuse, shown, tree
from helpers.reading.values import HERE, OUTCOME, RULES, Node, taken, unit_matrix

__all__ = ["SEPARATORS", "NameReader", "Spelling", "base_at", "caught", "is_index", "is_letter", "spell"]

ACCENTED = tuple(f"{accent} " for accent in ACCENTS)
WORDS = (r"\text{", r"\operatorname{", r"\mathtt{", r"\mathbf{", r"\mathcal{", r"\mathfrak{")
CALLED = {r"\cos", r"\sin", r"\det", r"\exp", r"\log", r"\ln"}  # a table may give them another meaning
GREEK = re.compile(
    r"\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|"
    r"upsilon|phi|chi|psi|omega|ell)",
    re.I,
)
MARKS = {"*": "star", "+": "plus", "-": "minus"}
SEPARATORS = (",", ";", r"\mid")
LONGEST = 12  # letters of a name: a row of 2000 letters must not be looked through from each of them
PRODUCT = re.compile(r"[A-Za-z](?: [A-Za-z])+")  # λ_{ij} is no λ_j with the index i times j

OPERATOR = re.compile("(?:tr|log|ln|exp|max|min|det|sin|cos|diag|sum|rank|sign)(?![A-Za-z])")
ENTRIES = {"column": "i", "row": "i", "matrix": "i j"}


class Spelling(NamedTuple):
    """How a symbol is written; `args` is what its brackets hold, None where it has none."""

    base: str
    primes: int = 0
    sub: str = ""
    sup: str = ""
    args: str = None

    @property
    def draw_name(self):
        """Its name in Python: X, x_bar, mu_1, N_plus."""
        first, *rest = re.findall("[A-Za-z0-9]+", self.base)
        words = [*rest, first] if "\\" + first in ACCENTS else [first, *rest][-1:]
        words += [MARKS.get(t, t.strip("\\")) for t in f"{self.sub} {self.sup}".split()]
        return "_".join(filter(str.isalnum, [*words, *["prime"] * self.primes]))


def is_letter(text):
    return len(text) == 1 and text.isalpha()


def is_index(text):
    return is_letter(text) and text.islower()


def base_at(row, i, bases):
    """(base, next) of the name at i, or None. Of several letters the longest run that is declared counts."""
    text = row[i].text if i < len(row) else ""
    called = text in CALLED and text in (bases or CALLED)
    if text.startswith((*ACCENTED, *WORDS)) or GREEK.fullmatch(text) or called:
        return text, i + 1
    letters = list(itertools.takewhile(lambda atom: is_letter(atom.text), row[i : i + LONGEST]))
    bare = len(list(itertools.takewhile(lambda atom: not atom.marks, letters)))
    runs = list(itertools.accumulate(atom.text for atom in letters[: bare + 1]))
    declared = [run for run in runs if bases is None or run in bases] or runs[:1]
    return (declared[-1], i + len(declared[-1])) if runs else None


def spell(tex):
    """The `Spelling` of a symbol, as it stands in the table's first column."""
    row = tree(tex)
    base = base_at(row, 0, None)
    why = rf"“{tex}” is no symbol: a letter, an accent with a letter, \operatorname{{…}} or \text{{…}}"
    refuse(tex, 0, why, base is None)
    name, brackets = row[base[1] - 1], [atom for atom in row[base[1] :] if atom.text == "("][:1]
    called = [shown(atom.inside[0]) for atom in brackets]
    bare = [f"( {inside} )" for inside in called]  # f(w)^2 is none
    refuse(tex, 0, f"“{tex}” is not one symbol", [str(atom) for atom in row[base[1] :]] != bare)
    return Spelling(base[0], name.primes, shown(name.sub or ()), shown(name.sup or ()), *called)


def caught(declared, script, indices):
    r"""{index: what stands in its place}, or None where the script is another one.

    Commas are needed only where more than one sign stands in a place.

    Examples
    --------
    >>> [caught("i j", script, "ij") for script in ("2 k", "i + 1 , j", "12", "i + 1 j")]
    [{'i': '2', 'j': 'k'}, {'i': 'i + 1', 'j': 'j'}, {'i': '1', 'j': '2'}, None]
    """
    places = declared.replace(" ,", "").split()
    for pieces in (script.split(), script.split(" , "), [*script] if script.isdigit() else []):
        fits = all(p == t or p in indices and t and not PRODUCT.fullmatch(t) for p, t in zip(places, pieces))
        if len(pieces) == len(places) and fits:
            return {p: t for p, t in zip(places, pieces) if p in indices}
    return None


class NameReader:
    """The part of `Reader` that reads names, indices and calls."""

    def name(self):
        """The node of the name that stands here, with its scripts; None where none does."""
        found = self.named()
        return found and self.scripted(*found)

    def named(self):
        """(node, the atom whose scripts are left over) of a name."""
        at, base = self.here.at, base_at(self.row, self.i, self.table.bases)
        if base is None or base[0] in RULES and base[0] not in self.table.bases:
            return None
        symbol, texts, left = self.find(*base)
        if symbol is None:
            return self.node(at, "scalar", float, self.index(base[0], at)), left
        if symbol.kind not in ("expectation", "probability"):
            return self.symbol_node(symbol, texts, at, left)
        self.refuse(at, f"put brackets: ({symbol.text} …)^2", when=left.sub or left.sup)
        return self.expectation(symbol, at, left)

    def find(self, base, behind):
        """(the longest declared symbol that stands here, {index: its text}, its atom with what is left over).

        No symbol is an index. The row goes on behind the name; of a function its brackets come next.
        """
        at, table, name = self.here.at, self.table, self.row[behind - 1]
        word = OPERATOR.match(self.tex, at)
        stray = word and len(base) == 1 and self.tex[at - 1 :][:1] != "\\" and word[0] not in table.bases
        self.refuse(at, f"{word and word[0]} stands here as single letters: write it with a backslash", stray)
        self.i = behind
        bare = not name.primes and name.sub is None
        if bare and base in self.scope:
            return None, {}, name
        found = table.find(base, name, [self.here] * (self.here.text == "("))
        if not found and bare and table.is_index(base):
            return None, {}, name
        self.refuse(at, self.undeclared(base, name.primes), when=not found)
        return found

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

    # ---- nodes

    def index(self, text, at, extent=None):
        """The node of an index; a bare letter notes how far it runs. One that nothing binds is free."""
        if text not in self.scope and not self.table.is_index(text):
            node = self.inside(tree(text, at), at)
            return self.apply(at, "an index", node)
        if text not in self.scope:
            ended = text in self.ended
            self.refuse(at, f"{text} is bound by the sum before, which ended: is a bracket missing?", ended)
            unbound = f"{text} is not bound here: sum over it, or declare its value"
            self.refuse(at, unbound, when=not self.may_be_free)
            self.free.setdefault(text, self.table.extents(text))
        self.scope.get(text, self.free.get(text)).extend([extent] if extent else [])
        return Node("index", lambda env: env.at[text])

    def symbol_node(self, symbol, texts, at, left):
        kind = symbol.node.kind
        random = symbol.random and OUTCOME not in self.scope
        self.refuse(at, f"{symbol.text} is random: take its expectation or a probability", when=random)
        indices = [self.index(texts.get(x, x), at, symbol.extents.get(x)) for x in symbol.indices]
        left = left if symbol.spelling.args is None else self.next(SCRIPTS)
        if symbol.is_function:
            return self.call(symbol, indices, left, at), left
        return self.node(at, kind, symbol.value, HERE, *indices), left

    def call(self, symbol, indices, group, at):
        pairs = zip(parts(group.inside[0], *SEPARATORS), symbol.parameters)
        first, *others = [self.argument_of(symbol, row, parameter, group.at) for row, parameter in pairs]

        def value(env, x):
            return symbol.call(env, *[n.run(env) for n in indices], x, *[n.run(env) for n in others])

        return self.node(at, symbol.kind, value, HERE, first, varied=(first, value))

    def argument_of(self, symbol, row, parameter, at):
        """A value of the parameter's kind, or an index."""
        if parameter.kind == "index":
            return self.index(shown(row), at, self.table.extents(parameter.text)[0])
        node, kind = self.inside(row, at), parameter.node.kind
        self.refuse(at, f"{symbol.text} takes a {kind} here, and this is a {node.kind}", node.kind != kind)
        return node

    def entry(self, node, atom):
        """x_i of a column, A_{ij} of a matrix, counted from 1; I_k."""
        at = atom.sub[0].at if atom.sub else atom.end
        if node.kind == "unit":
            size = self.apply(at, "the size of a unit matrix", self.inside(atom.sub, at))
            return self.node(at, "matrix", unit_matrix, HERE, node, size)
        found = caught(ENTRIES[node.kind], shown(atom.sub), "ij") if node.kind in ENTRIES else None
        self.refuse(at, f"an index of a {node.kind}: declare what its parts are called", when=found is None)
        lengths = [lambda env, axis=axis: node.run(env).shape[axis] for axis in range(2)]
        indices = [self.index(text, at, length) for text, length in zip(found.values(), lengths)]
        return self.node(at, "scalar", lambda a, *numbers: taken(a, numbers), node, *indices)
