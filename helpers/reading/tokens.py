r"""TeX as tokens, each with its place; and the error that shows the place.

Spaces and sizes of brackets go; ``\left|`` and ``\right|`` say which bar opens, so they become ``\lvert`` and
``\rvert``. A comma with a wide space after it begins a where-clause.
"""

import re
from typing import NamedTuple

__all__ = ["LETTERS", "NESTED", "ReadingError", "Token", "tokens"]

LETTERS, NESTED = 2000, 50  # more is refused before any work is done
WORD = re.compile(
    r"(\\(?:text|operatorname|mathrm|mathtt|mathbf|mathcal|mathfrak|begin|end))(?![A-Za-z])\*?\s*"
    r"(\{[^{}]*\}|[A-Za-z0-9])"
)
TOKEN = re.compile(rf"{WORD.pattern}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S|\s+", re.S)
SPACE = re.compile(r"\s+|\\[,;:!> ]|~|\\(?:quad|qquad|displaystyle|textstyle|limits|nolimits)")
WIDE = re.compile(r",\s*(?:\\quad|\\qquad|\\ )")
BIG = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)")
BARS = {"|": (r"\lvert", r"\rvert"), r"\|": (r"\lVert", r"\rVert"), r"\Vert": (r"\lVert", r"\rVert")}
SAME = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\Vert": r"\|",
    r"\vert": "|",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\ast": "*",
    r"\ldots": r"\dots",
    r"\cdots": r"\dots",
    r"\prime": "'",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\intercal": r"\top",
}
OPEN = {"{", "(", "[", r"\{", r"\lVert", r"\lvert", r"\langle", r"\lfloor", r"\lceil", r"\begin{cases}"}
CLOSE = {"}", ")", "]", r"\}", r"\rVert", r"\rvert", r"\rangle", r"\rfloor", r"\rceil", r"\end{cases}"}


class Token(NamedTuple):
    text: str
    at: int


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


def tokens(tex):
    """The tokens of a formula; too long or too deep is refused.

    Examples
    --------
    >>> [t.text for t in tokens(r"\\tfrac1n \\left| x_i \\right|, \\quad n = 2")]
    ['\\\\frac', '1', 'n', '\\\\lvert', 'x', '_', 'i', '\\\\rvert', 'where', 'n', '=', '2']
    """
    if len(tex) > LETTERS:
        raise ReadingError(tex[:80], 0, f"the formula has {len(tex)} letters; at most {LETTERS} are read")
    found, depth, big, skip = [], 0, None, -1
    for match in TOKEN.finditer(tex):
        text, at = match.group(), match.start()
        if at < skip:
            continue
        if text == "," and depth == 0 and (wide := WIDE.match(tex, at)):
            text, skip = "where", wide.end()
        if BIG.fullmatch(text):
            big = text
        elif not SPACE.fullmatch(text):
            text, big = _normal(text, big), None
            depth += (text in OPEN) - (text in CLOSE)
            if depth > NESTED:
                raise ReadingError(tex, at, f"more than {NESTED} brackets inside each other")
            found.append(Token(text, at))
    return _bare(found)


def _normal(text, big):
    """One spelling for each token."""
    if text in BARS and big and (big in (r"\left", r"\right") or big[-1] in "lr"):
        return BARS[text][big == r"\right" or big[-1] == "r"]
    if word := WORD.fullmatch(text):
        command = r"\operatorname" if word[1] == r"\mathrm" else word[1]
        return f"{command}{{{word[2].strip('{}')}}}"
    return SAME.get(text, text)


def _bare(found):
    """Braces around one token say nothing: x_{i} is x_i. A brace that stands for several stays."""
    kept, i = [], 0
    while i < len(found):
        lone = (
            found[i].text == "{"
            and i + 2 < len(found)
            and found[i + 2].text == "}"
            and found[i + 1].text not in "{}"
            and not (found[i + 1].text.isdigit() and len(found[i + 1].text) > 1)
        )
        kept.append(found[i + 1] if lone else found[i])
        i += 3 if lone else 1
    return kept
