r"""What is meant by the letters of a formula: which are indices, and which symbols of the table.

How far an index runs comes from what is declared: the families that carry it, and all must have one length.
It is bound once. What is random carries the index ``\E``, the number of its outcome, which an expectation
binds. Of symbols the longest declared name wins: of ``D^{(2)}`` the table may have all, of ``x_i^2`` only
``x_i``. A letter declared as a function calls what stands in its brackets; declared as anything else it is
multiplied by them.
"""

import re

from helpers.reading.spelling import Script, base_at, caught, is_index, scripts_at
from helpers.reading.values import RULES, Node, require

TURNED = ("matrix", "column", "row")
OPERATOR = re.compile("(?:tr|log|ln|exp|max|min|det|sin|cos|diag|sum|rank|sign)(?![A-Za-z])")


class Scope:
    """The indices of one formula, each with its carriers: the lengths of the families that carry it.

    `bound` are those that something binds here; `free` those that nothing binds: the formula then holds for
    each of their values; `ended` those whose sum is over.
    """

    def __init__(self, table, refuse, bound, may_be_free):
        self.table, self.refuse, self.may_be_free = table, refuse, may_be_free
        self.bound, self.free, self.ended, self.used = dict(bound), {}, set(), set()

    def is_new(self, letter):
        return is_index(letter) and letter not in {*self.bound, *self.free} and self.table.may_bind(letter)

    def bind(self, letter, at):
        why = f"{letter} cannot be an index here, it means something already: take another small letter"
        self.refuse(at, why, when=not self.is_new(letter))
        self.bound[letter] = self.table.extents(letter)
        self.used.discard(letter)

    def end(self, letters, at, fixed=0):
        """How far each runs, but for the first ones, whose ends are fixed; what they bound is over."""
        self.ended.update(letters)
        pairs = [(letter, self.bound.pop(letter)) for letter in letters]
        return [self.length(letter, carriers, at) for letter, carriers in pairs[fixed:]]

    def set_aside(self, letter):
        """The carriers of an index that has done its work, by its letter, so that another may have it."""
        return {letter: self.bound.pop(letter)} if letter in self.used else {}

    def knows(self, letter):
        return letter in self.bound or self.table.is_index(letter)

    def index(self, letter, at, carrier=None):
        """The node of a letter, whose carrier is noted. One that nothing binds is free."""
        if letter not in self.bound:
            why = f"{letter} is bound by the sum before, which ended: is a bracket missing?"
            self.refuse(at, why, when=letter in self.ended)
            why = f"{letter} is not bound here: sum over it, or declare its value"
            self.refuse(at, why, when=not self.may_be_free)
            self.free.setdefault(letter, self.table.extents(letter))
        self.used.add(letter)
        self.bound.get(letter, self.free.get(letter)).extend([carrier] if carrier else [])
        return Node("index", lambda env: env.at[letter], 0)

    def length(self, letter, carriers, at):
        """How far an index runs: its carriers say so, and agree."""
        why = f"how far does {letter} run? Give it a range, or declare a family that has it as its index"
        self.refuse(at, why, when=not carriers)

        def run(env):
            lengths = sorted({carrier(env) for carrier in carriers})
            require(len(lengths) == 1, "{} has two lengths here: {}", letter, " and ".join(map(str, lengths)))
            return lengths[0]

        return run


class Names:
    """Looks up in a `table` what stands at a `cursor`; `scope` knows which letters are indices there."""

    def __init__(self, table, cursor, scope):
        self.table, self.cursor, self.scope = table, cursor, scope

    def base(self):
        """(name, next) of the base that stands here, or None; a built-in meaning is none unless declared."""
        found = base_at(self.cursor.toks, self.cursor.i, self.table.bases)
        built_in = found and found[0] in RULES and found[0] not in self.table.bases
        return None if built_in else found

    def scripts(self):
        """What is written below and above, next."""
        cursor = self.cursor
        found, primes, cursor.i = scripts_at(cursor.toks, cursor.i, cursor.tex)
        cursor.refuse(cursor.at, "a prime belongs to a declared symbol", when=primes)
        return found

    def find(self, base, behind):
        """(the longest declared symbol that stands here, {index: its text}, scripts left over).

        No symbol is an index.
        """
        cursor, scope, at = self.cursor, self.scope, self.cursor.at
        self.refuse_letters(base)
        scripts, primes, cursor.i = scripts_at(cursor.toks, behind, cursor.tex)
        script = {s.mark: s for s in reversed(scripts)}
        bare = not primes and "_" not in script
        symbols = [] if base in scope.bound and bare else self.table.symbols.get(base, ())
        found = [(s, texts) for s in symbols if (texts := self.match(s, primes, script)) is not None]
        if not found and primes == 1 and any(s.kind in TURNED for s in symbols):
            found = [(s, texts) for s in symbols if (texts := self.match(s, 0, script)) is not None]
            scripts = [Script("^", r"\top", [], at, at), *scripts]
        if not found and bare and scope.knows(base):
            return None, {}, scripts
        cursor.refuse(at, self.undeclared(base, primes), when=not found)
        self.refuse_digits(found, script)
        symbol, texts = max(found, key=lambda match: match[0].precedence)
        return symbol, texts, [s for s in scripts if s.mark not in symbol.declared or s is not script[s.mark]]

    def refuse_digits(self, found, script):
        """x_{12} where both x_i and x_{ij} are declared."""
        digits = [s for s in script.values() if re.fullmatch(r"\d\d+", s.text)]
        families = {len(s.indices) for s, texts in found if texts}
        both = digits and len(families) > 1
        low = digits[0].text if both else "  "
        why = f"is this number {low}, or {low[0]} and {low[1:]}? Write {{{low[0]},{low[1:]}}} for two indices"
        self.cursor.refuse(self.cursor.at, why, when=both)

    def refuse_letters(self, base):
        """``tr A`` without its backslash is t times r."""
        at, tex = self.cursor.at, self.cursor.tex
        word = OPERATOR.match(tex, at)
        stray = word and len(base) == 1 and tex[at - 1 :][:1] != "\\" and word[0] not in self.table.bases
        why = f"{word and word[0]} stands here as single letters: write it with a backslash"
        self.cursor.refuse(at, why, stray)

    def match(self, symbol, primes, script):
        """{index: its text} when the symbol is written like what stands here."""
        found = [caught(pattern, script.get(mark)) for mark, pattern in symbol.declared.items()]
        group = self.cursor.toks[self.cursor.i] if self.cursor.peek() == "(" else None
        called = symbol.spelling.args is None or group and script.keys() == symbol.declared.keys()
        if None in found or not called or symbol.spelling.primes != primes or not symbol.takes(group):
            return None
        return {index: text for texts in found for index, text in texts.items()}

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
