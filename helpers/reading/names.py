r"""Names: the longest declared one wins, with as many of its indices, primes and brackets as the table has.

What is left over is an operation: in ``x_i^2`` the table has ``x_i``, and ``^2`` is a power.
"""

from dataclasses import dataclass, field

from helpers.reading.tokens import CLOSE, OPEN, tokens

__all__ = ["Script", "Spelling", "base_at", "group", "parts", "scripts_at", "spell"]

ACCENTS = {r"\hat", r"\bar", r"\tilde", r"\dot", r"\widehat", r"\widetilde", r"\overline", r"\vec"}
WORDS = (r"\text{", r"\operatorname{", r"\mathtt{", r"\mathbf{", r"\mathcal{", r"\mathfrak{")
CALLED = {r"\cos", r"\sin", r"\det", r"\exp", r"\log", r"\ln"}  # a table may give them another meaning
SEPARATORS = {",", ";", r"\mid"}
LONGEST = 12  # letters of a name: a row of 2000 letters must not be looked through from each of them


@dataclass(frozen=True)
class Script:
    """``_`` or ``^`` with the tokens from `start` to `end`, braces left out."""

    mark: str
    start: int
    end: int
    at: int


@dataclass
class Spelling:
    """How a declared symbol is written: its base, primes, lower and upper part, what its brackets hold."""

    base: str
    primes: int = 0
    sub: tuple = ()
    sup: tuple = ()
    args: tuple = None
    text: str = field(default="", compare=False)


def is_letter(text):
    return len(text) == 1 and text.isalpha()


def is_greek(text):
    return text[0] == "\\" and text[1:].isalpha() and text.lower() in GREEK


GREEK = {
    "\\" + name
    for name in (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho "
        "sigma tau upsilon phi varphi chi psi omega ell nabla"
    ).split()
} - {r"\nabla"}


def group(toks, i, error):
    """(first, behind the last, next) of the group at i: one token, or what stands in braces."""
    if i >= len(toks):
        raise error(i, "the formula ends here; something is missing")
    if toks[i].text != "{":
        if toks[i].text in CLOSE or toks[i].text in "^_":
            raise error(i, "something is missing here")
        return i, i + 1, i + 1
    end = behind(toks, i, error)
    return i + 1, end - 1, end


def behind(toks, i, error):
    """The place behind the bracket that closes the one at i."""
    depth = 0
    for j in range(i, len(toks)):
        depth += (toks[j].text in OPEN) - (toks[j].text in CLOSE)
        if depth == 0:
            return j + 1
    raise error(i, "this bracket is never closed")


def base_at(toks, i, bases):
    """(name, next) of the base at i, or None. Of several letters the longest run that is declared counts."""
    text = toks[i].text if i < len(toks) else ""
    if text in ACCENTS:
        if i + 1 < len(toks) and toks[i + 1].text == "{":
            end = next((j for j in range(i, len(toks)) if toks[j].text == "}"), len(toks) - 1)
            return text + "{" + "".join(t.text for t in toks[i + 2 : end]) + "}", end + 1
        inner = base_at(toks, i + 1, ())
        return inner and (f"{text}{{{inner[0]}}}", inner[1])
    if text.startswith(WORDS) or is_greek(text) or text in CALLED and (bases is None or text in bases):
        return text, i + 1
    if is_letter(text):
        end = i + 1
        while end < min(len(toks), i + LONGEST) and is_letter(toks[end].text):
            end += 1
        for stop in range(end, i + 1, -1):
            if bases is None or "".join(t.text for t in toks[i:stop]) in bases:
                return "".join(t.text for t in toks[i:stop]), stop
        return text, i + 1
    return None


def scripts_at(toks, i, end, error):
    """(scripts, primes, next): what is written below and above. A script that ends in ⊤ is two."""
    found, primes = [], 0
    while i < end and toks[i].text in ("_", "^", "'"):
        if toks[i].text == "'":
            primes, i = primes + 1, i + 1
            continue
        mark, at = toks[i].text, i
        a, b, i = group(toks, i + 1, error)
        if b == a + 1 and toks[a].text.isdigit() and len(toks[a].text) > 1 and toks[a - 1].text != "{":
            raise error(a, f"TeX takes the first digit only: write {mark}{{{toks[a].text}}}")
        if any(s.mark == mark for s in found):
            raise error(at, f"a second {mark}: put brackets around what the first belongs to")
        if mark == "^" and b - a > 1 and toks[b - 1].text == r"\top":
            found.append(Script("^", a, b - 1, at))
            found.append(Script("T", b - 1, b, at))
        else:
            found.append(Script(mark, a, b, at))
    return found, primes, i


def parts(toks, a, b, separators=(",",)):
    """The spans between separators that stand in no bracket, and the separators."""
    spans, between, depth, start = [], [], 0, a
    for j in range(a, b):
        depth += (toks[j].text in OPEN) - (toks[j].text in CLOSE)
        if depth == 0 and toks[j].text in separators:
            spans.append((start, j))
            between.append(toks[j].text)
            start = j + 1
    return [*spans, (start, b)], tuple(between)


def spell(tex, error):
    """The spelling of a symbol in the table's first column."""
    toks = tokens(tex)
    base = base_at(toks, 0, None) if toks else None
    if base is None:
        raise error(
            0, f"“{tex}” is no symbol: a letter, an accent with a letter, \\operatorname{{…}} or \\text{{…}}"
        )
    found, primes, i = scripts_at(toks, base[1], len(toks), error)
    spelling = Spelling(base[0], primes, text=tex)
    for s in found:
        texts = tuple(t.text for t in toks[s.start : s.end])
        setattr(spelling, "sub" if s.mark == "_" else "sup", texts)
    if i < len(toks) and toks[i].text == "(":
        end = behind(toks, i, error)
        spelling.args, i = tuple(t.text for t in toks[i + 1 : end - 1]), end
    if i < len(toks):
        raise error(i, f"“{tex}” is not one symbol")
    return spelling
