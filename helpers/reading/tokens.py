r"""TeX as tokens with their places, in a tree of brackets; a cursor that takes them one after the other; and
the error that shows the place.

Spaces and sizes of brackets go; ``\left|`` and ``\right|`` say which bar opens, so they become ``\lvert`` and
``\rvert``. A comma with a wide space after it begins a where-clause.
"""

import itertools
import re
from dataclasses import dataclass

LETTERS, NESTED = 2000, 50  # more is refused before any work is done
WORD = re.compile(
    r"(\\(?:text|operatorname|math(?:rm|tt|bf|cal|frak|bb|it|sf|scr)|boldsymbol|bm|begin|end))(?![A-Za-z])\*?"
    r"\s*(\{[^{}]*\}|[A-Za-z0-9]|\\[A-Za-z]+)"
)
SIZED_BAR = re.compile(r"\\(?:(left|[bB]igg?l)|right|[bB]igg?r)\s*(?:(\||\\vert\b)|\\\||\\Vert\b)")
TOKEN = re.compile(rf"{WORD.pattern}|{SIZED_BAR.pattern}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S|\s+", re.S)
SPACE = re.compile(
    r"\s+|\\[,;:!> ]|~|\\(?:quad|qquad|displaystyle|textstyle|limits|nolimits)"
    r"|\\(?:left|right|middle|[bB]igg?[lrm]?)"
)
NORM = re.compile(r"(?<![\\|])\|\|(?!\|)([^|]+)(?<!\\)\|\|(?!\|)")
WIDE = re.compile(r",\s*(?:\\quad|\\qquad|\\ )")
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
    r"\mathsf{T}": r"\top",
    r"\dagger": "+",
    **{rf"\operatorname{{{name}}}": rf"\{name}" for name in ("ln", "log", "exp", "max", "min", "det")},
    **{rf"\text{{{name}}}": rf"\operatorname{{{name}}}" for name in ("tr", "rank", "diag", "sign", "sgn")},
    r"\operatorname{argmin}": r"\argmin",
    r"\operatorname{argmax}": r"\argmax",
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
TWO_WAYS = r"these bars can be paired in two ways: write \lvert … \rvert"
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
class Token:
    """A token and, of a bracket, what stands inside it; `end` is behind its last letter."""

    text: str
    at: int
    end: int
    inside: list = None

    def flat(self):
        """The token, all that stands inside it, and the bracket that closes it."""
        within = [t for token in self.inside or () for t in token.flat()]
        closing = [] if self.inside is None else [Token(PAIRS[self.text], self.end - 1, self.end)]
        return [self, *within, *closing]


def tokens(tex):
    """The tokens of a formula in one row.

    Examples
    --------
    >>> [t.text for t in tokens(r"\\tfrac1n \\left| x_{i} \\right|, \\quad n = 2")]
    ['\\\\frac', '1', 'n', '\\\\lvert', 'x', '_', 'i', '\\\\rvert', 'where', 'n', '=', '2']
    """
    return [t for token in tree(tex) for t in token.flat()]


def shown(toks):
    """Their text, with a space between any two."""
    return " ".join(t.text for token in toks for t in token.flat())


def parts(toks, *separators):
    """What stands between separators."""
    ends = [i for i, token in enumerate(toks) if token.text in separators]
    return [toks[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(toks)])]


def tree(tex, at=None):
    """The tokens of a formula, brackets with their contents; what is too long or too deep is refused.

    `at` is the place of them all, when the text was cut out of a longer one.
    """
    refuse(tex[:80], 0, f"the formula has {len(tex)} letters; at most {LETTERS} are read", len(tex) > LETTERS)
    tex = NORM.sub(r"\\|\1\\|", tex)  # ||u|| is as long as \|u\|
    stack = [Token("", 0, 0, [])]
    for token in _spelled(tex, at):
        if _parts_what_closes(stack, token):
            bar = stack.pop()
            stack[-1].inside += bar.inside
            bar.text, bar.end, bar.inside = r"\mid", bar.at + 1, None
        outer = stack[-1]
        if token.text == PAIRS.get(outer.text) and not _opens(token, outer.inside):
            stack.pop().end = token.end
            stack[-1].inside[-1] = _bare(outer)
            continue
        if token.text == "," and len(stack) == 1 and WIDE.match(tex, token.at):
            token.text = "where"
        refuse(tex, token.at, f"{token.text} cannot stand here", token.text in CLOSING)
        refuse(tex, token.at, TWO_WAYS, token.text == "|" and _is_second(outer.inside))
        refuse(tex, token.at, f"more than {NESTED} brackets inside each other", len(stack) > NESTED)
        outer.inside.append(token)
        if token.text in PAIRS:
            stack.append(token)
            token.inside = []
    refuse(tex, stack[-1].at, "this bracket is never closed", len(stack) > 1)
    return stack[0].inside


def _spelled(tex, at):
    """The tokens one by one, in one spelling each."""
    for match in TOKEN.finditer(tex):
        text = match.group()
        if bar := SIZED_BAR.fullmatch(text):
            text = rf"\{'l' if bar[1] else 'r'}{'v' if bar[2] else 'V'}ert"
        elif word := WORD.fullmatch(text):
            text = f"{SAME.get(word[1], word[1])}{{{word[2].strip('{}')}}}"
        if not SPACE.fullmatch(text):
            start, end = match.span() if at is None else (at, at + 1)
            yield Token(SAME.get(text, text), start, end)


def _parts_what_closes(stack, token):
    r"""One bar behind a factor, and the bracket around them closes: p_{j|i} is p_{j \mid i}."""
    bar = stack[-1]
    return (
        bar.text == "|" and token.text == PAIRS.get(stack[-2].text) and not _opens(bar, stack[-2].inside[:-1])
    )


def _opens(token, before):
    """A plain bar opens where no factor stands before it."""
    *others, last = ["+", *(t.text for t in before)]
    return token.text in ("|", r"\|") and last in BEFORE_A_FACTOR and others[-1:] not in (["_"], ["^"])


def _is_second(before):
    """A second pair of plain bars in one product: |a|b|c| has two readings."""
    product = itertools.takewhile(lambda token: token.text not in BEFORE_A_TERM, reversed(before))
    return any(token.text == "|" for token in product)


def _bare(group):
    """Braces around one token say nothing: x_{i} is x_i. A number of several digits keeps them."""
    lone = group.inside[0] if group.text == "{" and len(group.inside) == 1 else group
    if lone.inside is not None or re.fullmatch(r"\d\d+", lone.text):
        return group
    lone.end = group.end
    return lone


class Cursor:
    """Where the reading of a formula stands: at token `i` of a row that ends at the letter `end`."""

    def __init__(self, tex):
        self.tex, self.toks, self.i, self.end = tex, tree(tex), 0, len(tex)
        while self.toks and self.toks[-1].text in (".", ","):
            self.toks.pop()  # the sentence's

    def refuse(self, at, why, when=True):
        refuse(self.tex, at, why, when)

    @property
    def at(self):
        """The place of the next token."""
        return self.toks[self.i].at if self.i < len(self.toks) else self.end

    def peek(self, ahead=0):
        return self.toks[self.i + ahead].text if self.i + ahead < len(self.toks) else None

    def next(self):
        self.refuse(self.at, "the formula ends here; something is missing", when=self.peek() is None)
        self.i += 1
        return self.toks[self.i - 1]

    def argument(self):
        """(tokens, end) of what a command takes: one token or a group; of 12 it takes the 1, as TeX does."""
        token = self.next()
        self.refuse(token.at, "write a root as a power: x^{1/3}", when=token.text == "[")
        self.refuse(token.at, "something is missing here: put braces", token.inside and token.text != "{")
        if re.fullmatch(r"\d\d+", token.text):
            self.i -= 1
            self.toks[self.i] = Token(token.text[1:], token.at + 1, token.end)
            token = Token(token.text[0], token.at, token.at + 1)
        return token.inside if token.text == "{" else [token], token.end - 1

    def whole(self, read):
        """Read all tokens."""
        found = read()
        self.refuse(self.at, f"{self.peek()} cannot stand here", when=self.peek() is not None)
        return found

    def inside(self, toks, end, read):
        """Read other tokens whole, a group or a script, and come back."""
        kept, self.toks, self.i, self.end = (self.toks, self.i, self.end), toks, 0, end
        found = self.whole(read)
        self.toks, self.i, self.end = kept
        return found
