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
from helpers.reading.symbols import KINDS, UNIT, WORDS, Environment, Symbol, Table
from helpers.reading.tokens import parts, refuse, tree

KIND = re.compile(r"(random )?(index set|number|[a-z]+)( function)?\s*(.*)")
SYNONYMS = {"number": "scalar", "index set": "set", "function": "scalar"}
ALL_KINDS = (
    "number, column, row, matrix, index, index set, truth, … function, random …, expectation or probability"
)
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
        _refuse_twins(self.table)
        for symbol in self.table.rows:
            symbol.compile(self.table)
        if default:
            global _default
            _default = self

    def but(self, text):
        """The table with some symbols declared otherwise, for one chain; it does not become the default."""
        new = _lines(text)
        names = {name for line in new for name in _names(line)}
        kept = [[", ".join(n for n in _names(line) if n not in names), *line[1:]] for line in self.lines]
        lines = [line for line in [*kept, *new] if line[0]]
        return Notation("\n".join(map(" | ".join, lines)), default=False)

    def read(self, tex, may_be_free=False):
        """The `Formula` of some TeX."""
        return Formula(tex, self.table, may_be_free)

    def environment(self, draw):
        """The values of one draw, a dict of named quantities."""
        return Environment(self.table, draw)

    def __repr__(self):
        wide, kind = (max((len(line[k]) for line in self.lines), default=0) for k in range(2))
        return "\n".join(
            f"{a:<{wide}}    {b:<{kind}}    {c}{f': {d}' if d and d[0] != '`' else ''}"
            for a, b, c, d in self.lines
        )

    def _repr_markdown_(self):
        rows = ["| symbol | kind | meaning |", "|---|---|---|"]
        for line in self.lines:
            names = ", ".join(f"${_safe(n)}$" for n in _names(line))
            *words, size = KIND.fullmatch(line[1]).groups("")
            size = size and " $" + re.sub(r"\s*[×x]\s*", r" \\times ", size) + "$"
            rows.append(f"| {names} | {''.join(words)}{size} | {_meaning(line[2], line[3])} |")
        if len(self.lines) > 10:  # a few stand open
            head = "<details><summary><b>The names of this chapter</b>, "
            rows = [f"{head}to look up ({len(self.lines)})</summary>\n", *rows, "\n</details>"]
        return "\n".join(rows)


def _lines(text):
    """The cells of each line; a bar behind a backslash does not part them."""
    lines = []
    for line in filter(str.strip, text.splitlines()):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line, maxsplit=3)]
        short = len(cells) < 3 or not cells[0]
        why = "a line of the table is: symbol | kind and size | meaning | where from"
        refuse(line.strip(), 0, why, when=short)
        lines.append([*cells, *[""] * (4 - len(cells))])
    return lines


def _names(line):
    pieces = parts(tree(line[0]), ",", "where")
    return [line[0][piece[0].at : piece[-1].end] for piece in pieces if piece]


def _symbols(line):
    """The symbols of a line."""
    names, kind, _, source = _names(line), *line[1:]
    random, base, function, size = re.fullmatch(f"{KIND.pattern}|.*", kind).groups("")
    base, function = SYNONYMS.get(base, base), bool(function) or base == "function"
    refuse(kind, 0, f"{names[0]}: a kind is {ALL_KINDS}", when=base not in KINDS)
    size = tuple(re.split(r"\s*[×x]\s*", size)) if size else ()
    fits = len(size) in (0, KINDS[base]) and all(s.isalnum() for s in size)
    refuse(kind, 0, f"{names[0]}: the size of a {base}: column n, matrix n × d", when=not fits)
    for name in names:
        symbol = Symbol(name, base, size, source, function, bool(random))
        bare = function and symbol.spelling.args is None
        refuse(name, 0, f"a function is declared with what it takes: {name}(x)", when=bare)
        yield symbol


def _refuse_twins(table):
    """Two symbols of one spelling, or an index that could be a power, a call that could be a product."""
    spellings = [s.spelling for s in table.rows]
    powers = {s.spelling.base for s in table.rows if s.kind in ("scalar", "matrix") and not s.spelling.sup}
    for s in table.rows:
        base, sup = s.spelling.base, s.spelling.sup.split()
        refuse(s.text, 0, f"{s.text} is declared twice", when=spellings.count(s.spelling) > 1)
        unclear = base in powers and {*s.indices} & {*sup}
        refuse(s.text, 0, f"{base} is declared also: an index, or a power?", when=unclear)
        twin = s.is_function and s.spelling._replace(args=None) in spellings
        refuse(s.text, 0, f"{base} is declared also without brackets: a product, or a call?", when=twin)


def _safe(tex):
    """TeX that a Markdown table does not cut at its bars."""
    return tex.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _meaning(meaning, source):
    """What a symbol means and, where it is computed, from what; in TeX."""
    if not source or "`" in source or UNIT.fullmatch(source):
        return meaning
    words = WORDS.fullmatch(source)
    if not words:
        return f"{meaning}: ${_safe(source)}$"
    index = f" ${words[2]}$" if words[2] else ""
    return f"{meaning}: {words[1]}{index} of ${_safe(words[3])}$"
