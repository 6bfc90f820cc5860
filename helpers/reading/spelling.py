r"""How names are written: the longest declared one counts, with as many of its scripts as the table has.

What is left over is an operation: in ``x_i^2`` the table has ``x_i``, and ``^2`` is a power. A declared
script is a regular expression that catches what stands where an index stands: i and j of ``x_{ij}``.
"""

import itertools
import re
from typing import NamedTuple

from helpers.reading.tokens import refuse, shown, tree

ACCENTS = {r"\hat", r"\bar", r"\tilde", r"\dot", r"\widehat", r"\widetilde", r"\overline", r"\vec"}
FONT = re.compile(r"\\(?:operatorname|math[a-z]+|boldsymbol|bm)\{(.+?)\}")
WORDS = (r"\text{", r"\operatorname{", r"\math", r"\boldsymbol{", r"\bm{")
CALLED = {r"\cos", r"\sin", r"\det", r"\exp", r"\log", r"\ln"}  # a table may give them another meaning
GREEK = re.compile(
    r"\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|"
    r"upsilon|phi|chi|psi|omega|ell)",
    re.I,
)
MARKS = {"*": "star", "+": "plus", "-": "minus"}
SEPARATORS = (",", ";", r"\mid")
LONGEST = 12  # letters of a name: a row of 2000 letters must not be looked through from each of them
LONE = r"(?!(?:[A-Za-z] )+[A-Za-z](?: ,|$))(?:(?! , ).)+"  # λ_{ij} is no λ_j with the index i times j


class Script(NamedTuple):
    """What is written below (``_``) or above (``^``)."""

    mark: str
    text: str
    toks: list
    at: int
    end: int


class Spelling(NamedTuple):
    """How a symbol is written: its base, primes, scripts, and what its brackets hold."""

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


def base_at(toks, i, bases):
    """(name, next) of the base at i, or None: as it is declared, else without its font."""
    found = _base_at(toks, i, bases)
    if found and bases is not None and found[0] not in bases:
        plain = FONT.sub(lambda font: font[1].strip(), found[0])
        return (plain, found[1]) if plain in bases else found
    return found


def _base_at(toks, i, bases):
    """Of several letters the longest run that is declared counts."""
    text = toks[i].text if i < len(toks) else ""
    accents = len(list(itertools.takewhile(lambda token: token.text in ACCENTS, toks[i:])))
    if accents and i + accents < len(toks):
        return shown(toks[i : i + accents + 1]), i + accents + 1
    if text.startswith(WORDS) or GREEK.fullmatch(text) or text in CALLED and text in (bases or CALLED):
        return text, i + 1
    letters = itertools.takewhile(is_letter, (token.text for token in toks[i : i + LONGEST]))
    runs = list(itertools.accumulate(letters))
    declared = [run for run in runs if bases is None or run in bases] or runs[:1]
    return (declared[-1], i + len(declared[-1])) if runs else None


def scripts_at(toks, i, tex):
    """(scripts, primes, next): what is written below and above. A script that ends in ⊤ is two."""
    found, primes = [], 0
    while i < len(toks) and toks[i].text in ("_", "^", "'"):
        mark, at, i = toks[i].text, toks[i].at, i + 1
        if mark == "'":
            primes += 1
            continue
        refuse(tex, at + 1, "something is missing here", i == len(toks) or toks[i].text in ("_", "^"))
        refuse(tex, at, f"a second {mark}: put brackets around the first", mark in [s.mark for s in found])
        token, i = toks[i], i + 1
        digits = re.fullmatch(r"\d\d+", token.text)
        refuse(tex, token.at, f"TeX takes the first digit only: write {mark}{{{token.text}}}", digits)
        inner = token.inside if token.text == "{" else [token]
        cut = len(inner) - 1 if mark == "^" and len(inner) > 1 and inner[-1].text == r"\top" else len(inner)
        halves = [inner[:cut], inner[cut:]] if inner[cut:] else [inner]
        found += [Script(mark, shown(half), half, token.at, token.end) for half in halves]
    return found, primes, i


def spell(tex):
    """The `Spelling` of a symbol, as it stands in the table's first column."""
    toks = tree(tex)
    base = base_at(toks, 0, None)
    why = rf"“{tex}” is no symbol: a letter, an accent with a letter, \operatorname{{…}} or \text{{…}}"
    refuse(tex, 0, why, when=base is None)
    scripts, primes, i = scripts_at(toks, base[1], tex)
    script = {s.mark: s.text for s in scripts}
    called = [token for token in toks[i:] if token.text == "("][:1]
    refuse(tex, 0, f"“{tex}” is not one symbol", len(toks) > i + len(called))
    args = [shown(c.inside) for c in called]
    return Spelling(base[0], primes, script.get("_", ""), script.get("^", ""), *args)


def patterns(script, indices):
    """A declared script as regular expressions: with commas between its indices, and without.

    Examples
    --------
    >>> [p.pattern for p in patterns("0 j", "j")][1]
    '0 (?P<j>\\\\S+)'
    """
    pieces = script.split(" , ")
    if all(t in indices or t.isdigit() for t in script.split()):
        pieces = script.split()

    def expression(piece, lone):
        if piece in indices:
            return f"(?P<{piece}>{lone})"
        return " ".join(rf"(?P<{t}>\S+)" if t in indices else re.escape(t) for t in piece.split())

    styles = ((" , ", LONE), (" ", r"\S+"))
    return [re.compile(comma.join(expression(p, lone) for p in pieces)) for comma, lone in styles]


def caught(patterns, script):
    """{index: what stands in its place}, or None where the script is another one."""
    text = script.text if script else ""
    apart = " ".join(text) if text.isdigit() else text
    found = patterns[0].fullmatch(text) or patterns[1].fullmatch(apart)
    return found and found.groupdict()
