r"""A notation table: what the reader of a chapter sees, and what binds its formulas.

>>> names = Notation(r'''
...     X      | matrix n × d | samples, one in each row |
...     n      | number       | how many samples         |
...     x_i    | column       | sample $i$               | row i of X
...     \bar x | column       | their mean               | \frac1n \sum_i x_i
... ''', default=False)
>>> spread = names.read(r"\sum_i \lVert x_i - \bar x \rVert^2")
>>> spread(names.environment({"X": [[1.0, 2.0], [3.0, 2.0]]}))
2.0
"""

import re

from helpers.reading.formula import Formula
from helpers.reading.names import parts
from helpers.reading.symbols import KINDS, SYNONYMS, Environment, Symbol, Table
from helpers.reading.tokens import ReadingError, tokens

__all__ = ["Notation", "default_notation"]

KIND = re.compile(r"(random )?(index set|number|[a-z]+)( function)?\s*(.*)")
_default = None


def default_notation():
    """The table that was made last, or None."""
    return _default


class Notation:
    r"""The symbols of a chapter, one in each line: ``symbol | kind and size | meaning | where from``.

    The last column holds nothing (the draw has it under this name: ``\bar x`` is ``x_bar``; a number may also
    be a size), a name between backticks (the draw has it under that one), ``row i of X``, ``column j of X``,
    ``entry of X``, ``item c of `means```, ``eigenvalue j of S`` and ``singular value j of X`` (the largest
    first), ``unit matrix``, ``ones``, ``unit column j``, or TeX. Symbols of one kind may share a line, with
    commas between. Sizes are checked against the draw.

    Kinds: number, column, row, matrix, index (with a size: how far it runs), index set, truth; each also as
    ``… function``, with its arguments in the symbol; ``random …`` (the draw has one value for each outcome);
    ``expectation`` and ``probability`` (over outcomes that are equally likely, or as likely as the last
    column says).

    Parameters
    ----------
    text : str
    default : bool
        A new table is the one that derivations use from now on.

    Raises
    ------
    ReadingError
        A line that is incomplete, or whose last column cannot be read.

    Examples
    --------
    >>> Notation("w | column d | weights | ", default=False)
    w    column d    weights
    """

    def __init__(self, text, default=True):
        self.lines = _lines(text)
        self.table = Table(s for line in self.lines for s in _symbols(line))
        _declared_once(self.table)
        for symbol in self.table.rows:
            if symbol not in self.table.ranges.values():
                symbol.compile(self.table)
        if default:
            global _default
            _default = self

    def but(self, text):
        """The table with some symbols declared otherwise, for one chain; it does not become the default."""
        new = _lines(text)
        names = {name for line in new for name in _names(line)}
        kept = []
        for line in self.lines:
            left = [name for name in _names(line) if name not in names]
            if left:
                kept.append([", ".join(left), *line[1:]])
        return Notation("\n".join(" | ".join(line) for line in [*kept, *new]), default=False)

    def read(self, tex, may_be_free=False):
        """The `Formula` of some TeX."""
        return Formula(tex, self.table, may_be_free)

    def environment(self, draw):
        """The values of one draw, a dict of named quantities."""
        return Environment(self.table, draw)

    def __repr__(self):
        widths = [max((len(line[k]) for line in self.lines), default=0) for k in range(2)]
        return "\n".join(
            f"{a:<{widths[0]}}    {b:<{widths[1]}}    {_meaning(c, d, False)}" for a, b, c, d in self.lines
        )

    def _repr_markdown_(self):
        rows = [
            f"| {', '.join(f'${_safe(n)}$' for n in _names(line))} | {_shown_kind(line[1])} "
            f"| {_meaning(line[2], line[3], True)} |"
            for line in self.lines
        ]
        return "\n".join(["| symbol | kind | meaning |", "|---|---|---|", *rows])


def _lines(text):
    lines = []
    for line in filter(str.strip, text.splitlines()):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line, maxsplit=3)]
        if len(cells) < 3 or not cells[0]:
            raise ReadingError(
                line.strip(), 0, "a line of the table is: symbol | kind and size | meaning | where from"
            )
        lines.append([*cells, *[""] * (4 - len(cells))])
    return lines


def _names(line):
    toks = tokens(line[0])
    spans, _ = parts(toks, 0, len(toks), (",", "where"))
    ends = [toks[b].at if b < len(toks) else len(line[0]) for _, b in spans]
    return [line[0][toks[a].at : end].strip() for (a, b), end in zip(spans, ends) if a < b]


def _symbols(line):
    """The symbols of a line."""
    names, kind, _, source = _names(line), *line[1:]
    found = KIND.fullmatch(kind)
    base = found and SYNONYMS.get(found[2], found[2])
    if not found or not (base in KINDS and base or base == "function"):
        raise ReadingError(
            kind,
            0,
            f"{names[0]}: a kind is number, column, row, matrix, index, index set, truth, "
            "… function, random …, expectation or probability",
        )
    size = tuple(re.split(r"\s*[×x]\s*", found[4])) if found[4] else ()
    function = bool(found[3]) or base == "function"
    base = "scalar" if base == "function" else base
    if len(size) not in (0, max(KINDS[base], base == "index")) or not all(s.isalnum() for s in size):
        raise ReadingError(kind, 0, f"{names[0]}: the size of a {base}: column n, matrix n × d")
    for name in names:
        symbol = Symbol(name, base, size, source, function, bool(found[1]))
        if function != (symbol.spelling.args is not None) and function:
            raise ReadingError(name, 0, f"a function is declared with what it takes: {name}(x)")
        yield symbol


def _declared_once(table):
    seen = {}
    for s in table.rows:
        key = (s.spelling.base, s.spelling.primes, s.sub, s.sup, s.spelling.args)
        if key in seen:
            raise ReadingError(s.text, 0, f"{s.text} is declared twice")
        seen[key] = s
    numbers = {
        s.spelling.base: s for s in table.rows if s.kind in ("scalar", "matrix") and not s.spelling.sup
    }
    for s in table.rows:
        if s.sup and set(s.indices) & set(s.spelling.sup) and s.spelling.base in numbers:
            raise ReadingError(
                s.text, 0, f"{numbers[s.spelling.base].text} is declared also: an index, or a power?"
            )
        bare = (s.spelling.base, s.spelling.primes, s.sub, s.sup, None)
        if s.is_function and bare in seen:
            raise ReadingError(
                s.text, 0, f"{seen[bare].text} is declared also without brackets: a product, or a call?"
            )


def _safe(tex):
    """TeX that a Markdown table does not cut at its bars."""
    return tex.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _shown_kind(kind):
    found = KIND.fullmatch(kind)
    size = re.sub(r"\s*[×x]\s*", r" \\times ", found[4])
    return kind[: len(kind) - len(found[4])] + (f"${size}$" if size else "")


def _meaning(meaning, source, tex):
    """What a symbol means and, where it is computed, from what."""
    if not source or source[0] == "`":
        return meaning
    words = re.fullmatch(r"(row|column|entry|item|eigenvalue|singular|unit|ones)\b(.*)", source)
    if not tex:
        return f"{meaning}: {source}"
    if not words:
        return f"{meaning}: ${_safe(source)}$"
    found = re.fullmatch(r"(\w+(?: value)?) ?([a-z, ]*?) of (.+)", source)
    if not found or found[3][0] == "`":
        return meaning
    index = f" ${found[2]}$" if found[2] else ""
    return f"{meaning}: {found[1]}{index} of ${_safe(found[3])}$"
