r"""TeX as atoms with their places, and the error that shows the place.

An atom is what TeX calls one: a sign, a name, a bracket or a command, with what stands inside, below and
above it. Spaces and sizes of brackets go; ``\left|`` and ``\right|`` say which bar opens, so they become
``\lvert`` and ``\rvert``. A comma with a wide space after it begins a where-clause.
"""

import itertools
import re
from collections import deque
from dataclasses import dataclass
from functools import partial

__all__ = [
    "ARITY",
    "LETTERS",
    "NESTED",
    "SCRIPTS",
    "Atom",
    "ReadingError",
    "parts",
    "refuse",
    "shown",
    "tokens",
    "tree",
]

LETTERS, NESTED = 2000, 50  # more is refused before any work is done
WORD = re.compile(
    r"(\\(?:text|operatorname|mathrm|mathtt|mathbf|mathcal|mathfrak|begin|end))(?![A-Za-z])\*?\s*"
    r"(\{[^{}]*\}|[A-Za-z0-9])"
)
SIZED_BAR = re.compile(r"\\(?:(left|[bB]igg?l)|right|[bB]igg?r)\s*(?:(\||\\vert\b)|\\\||\\Vert\b)")
TOKEN = re.compile(rf"{WORD.pattern}|{SIZED_BAR.pattern}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S|\s+", re.S)
SPACE = re.compile(
    r"\s+|\\[,;:!> ]|~|\\(?:quad|qquad|displaystyle|textstyle|limits|nolimits)"
    r"|\\(?:left|right|middle|[bB]igg?[lrm]?)"
)
WIDE = re.compile(r",\s*(?:\\quad|\\qquad|\\ )")
SCRIPTS = "'_^"  # their marks
DIGITS = re.compile(r"\d\d+")
SAME = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\Vert": r"\|",
    r"\vert": "|",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\mathrm": r"\operatorname",
    r"\ast": "*",
    r"\ldots": r"\dots",
    r"\cdots": r"\dots",
    r"\prime": "'",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\intercal": r"\top",
}
PAIRS = {
    "{": "}",
    "(": ")",
    "[": "]",
    r"\{": r"\}",
    "|": "|",
    r"\|": r"\|",
    r"\lvert": r"\rvert",
    r"\lVert": r"\rVert",
    r"\langle": r"\rangle",
    r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil",
    r"\begin{cases}": r"\end{cases}",
}
CLOSING = {*PAIRS.values()} - {*PAIRS}
ACCENTS = (r"\hat", r"\bar", r"\tilde", r"\dot", r"\widehat", r"\widetilde", r"\overline", r"\vec")
ARITY = {r"\frac": 2, r"\binom": 2, r"\sqrt": 1, **dict.fromkeys(ACCENTS, 1)}
BEFORE_A_TERM = {"+", "-", "=", "<", ">", r"\le", r"\ge", r"\ne", ",", "where", ":", "&", r"\\"}
BEFORE_A_FACTOR = {*BEFORE_A_TERM, "/", r"\cdot", r"\times", r"\odot", r"\ln", r"\log", r"\exp"}


class ReadingError(ValueError):
    """A formula that has no one reading or no value: where, and what to do.

    Parameters
    ----------
    tex : str
    at : int, the place in it
    why : str
    """

    def __init__(self, tex, at, why):
        start = max(0, at - 60)
        shown = " ".join(tex[start : at + 40].split("\n"))
        self.tex, self.at, self.why = tex, at, why
        super().__init__(f"{why}\n  {shown}\n  {' ' * (at - start)}^")

    def _render_traceback_(self):
        """IPython shows the message alone: the stack would lead into this module."""
        return [f"{type(self).__name__}: {self}"]


def refuse(tex, at, why, when=True):
    if when:
        raise ReadingError(tex, at, why)


@dataclass
class Atom:
    r"""A sign, name, bracket or command; `end` is behind its last letter.

    inside : what a bracket holds, or a command takes: rows of atoms
    sub, sup : what stands below and above, rows too
    """

    text: str
    at: int
    end: int
    inside: tuple = ()
    sub: list = None
    sup: list = None
    primes: int = 0

    @property
    def marks(self):
        """The marks of its scripts."""
        return "'" * self.primes + "_" * (self.sub is not None) + "^" * (self.sup is not None)

    def __str__(self):
        closing = f" {PAIRS[self.text]}" if self.text in PAIRS else ""
        inside = [shown(row) + closing if closing else _braced(row) for row in self.inside]
        scripts = [f"{m} {_braced(row)}" for m, row in (("_", self.sub), ("^", self.sup)) if row is not None]
        return " ".join([self.text, *inside, *"'" * self.primes, *scripts])


def shown(row):
    r"""Atoms in one spelling, with a space between any two signs.

    Examples
    --------
    >>> shown(tree(r"\tfrac1n x_{i}^\top \left| x_{i,1} \right|, \quad n = 2"))
    '\\frac 1 n x _ i ^ \\top \\lvert x _ { i , 1 } \\rvert where n = 2'
    """
    return " ".join(map(str, row))


def _braced(row):
    text = shown(row)
    return f"{{ {text} }}" if " " in text or DIGITS.fullmatch(text) else text


def parts(row, *separators):
    """What stands between separators; one with a script is none."""
    ends = [i for i, atom in enumerate(row) if atom.text in separators and not atom.marks]
    return [row[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(row)])]


def tokens(tex, at=None):
    """The signs one by one, in one spelling each; all have the place `at`, if it is given."""
    found = []
    for match in TOKEN.finditer(tex):
        text = match.group()
        if bar := SIZED_BAR.fullmatch(text):
            text = rf"\{'l' if bar[1] else 'r'}{'v' if bar[2] else 'V'}ert"
        elif word := WORD.fullmatch(text):
            text = f"{SAME.get(word[1], word[1])}{{{word[2].strip('{}')}}}"
        elif WIDE.match(tex, match.start()):
            text = "where"
        if not SPACE.fullmatch(text):
            found.append(Atom(SAME.get(text, text), *(match.span() if at is None else (at, at + 1))))
    return found


def tree(tex, at=None):
    """The atoms of a formula; what is too long or too deep is refused."""
    refuse(tex[:80], 0, f"the formula has {len(tex)} letters; at most {LETTERS} are read", len(tex) > LETTERS)
    return _Tree(tex, at).row()


class _Tree:
    """Takes the signs from the left and puts each where it belongs."""

    def __init__(self, tex, at):
        self.refuse, self.end, self.depth = partial(refuse, tex), len(tex), 0
        self.left = deque(tokens(tex, at))

    def row(self, opener=None):
        """Atoms up to the bracket that closes, or to the end."""
        row = []
        while self.left:
            atom = self.left[0]
            if opener and atom.text == PAIRS[opener.text] and not _opens(atom, row):
                opener.end = self.left.popleft().end
                return row
            twice = atom.text == "|" and _is_second(row)
            self.refuse(atom.at, r"these bars can be paired in two ways: write \lvert … \rvert", twice)
            row.append(self.scripted(self.atom()))
        self.refuse(opener and opener.at, "this bracket is never closed", opener)
        return row

    def atom(self):
        """The next sign, with what it holds or takes."""
        self.refuse(self.end, "the formula ends here; something is missing", not self.left)
        atom = self.left.popleft()
        self.refuse(atom.at, f"{atom.text} cannot stand here", atom.text in CLOSING)
        self.refuse(atom.at, "something is missing here", atom.text in [*SCRIPTS])
        self.refuse(atom.at, f"more than {NESTED} brackets inside each other", self.depth > NESTED)
        atom.text = "," if self.depth and atom.text == "where" else atom.text
        self.depth += 1
        taken = [self.group(atom) for _ in range(ARITY.get(atom.text, 0))]
        atom.inside = [self.row(atom)] if atom.text in PAIRS else taken
        self.depth -= 1
        if atom.text in ACCENTS:
            atom.text, atom.inside = str(atom), ()
        return atom

    def group(self, taker):
        """What a command or a script takes: what stands in braces, or one sign; of 12 it is the 1."""
        after = self.left[0] if self.left else taker
        self.refuse(after.at, "something is missing here", after.text in CLOSING)
        atom = self.atom()
        why = "put braces around what stands here; a root is a power: x^{1/3}"
        self.refuse(atom.at, f"something is missing here: {why}", atom.inside and atom.text != "{")
        taker.end = atom.end
        if not DIGITS.fullmatch(atom.text):
            return atom.inside[0] if atom.text == "{" else [atom]
        self.left.appendleft(Atom(atom.text[1:], atom.at + 1, atom.end))
        return [Atom(atom.text[0], atom.at, atom.at + 1)]

    def scripted(self, atom):
        """The atom with its primes and with what stands below and above it."""
        while self.left and self.left[0].text in [*SCRIPTS]:
            mark = self.left.popleft()
            if mark.text == "'":
                atom.primes, atom.end = atom.primes + 1, mark.end
                continue
            slot = {"_": "sub", "^": "sup"}[mark.text]
            again = getattr(atom, slot) is not None
            self.refuse(mark.at, f"a second {mark.text}: put brackets around the first", again)
            several = DIGITS.fullmatch(self.left[0].text) if self.left else None
            why = f"TeX takes the first digit only: write {mark.text}{{{several and several[0]}}}"
            self.refuse(mark.at, why, several)
            setattr(atom, slot, self.group(atom))
        return atom


def _opens(bar, before):
    """A plain bar opens where no factor stands before it."""
    return bar.text in ("|", r"\|") and (not before or before[-1].text in BEFORE_A_FACTOR)


def _is_second(before):
    """A second pair of plain bars in one product: |a|b|c| has two readings."""
    product = itertools.takewhile(lambda atom: atom.text not in BEFORE_A_TERM, reversed(before))
    return any(atom.text == "|" for atom in product)
