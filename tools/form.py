"""How a chapter reads: what a learner sees before unfolding anything. docs/form.toml has the bars and says
what they mean.

uv run python tools/form.py                          # a row for each chapter
uv run python tools/form.py --strict                 # and what it misses; exit status 1 if a chapter is held
to it
uv run python tools/form.py --cells notebooks/02-pca.ipynb    # the cells behind the figures
"""

import ast
import builtins
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import nbformat

from tools import books, written
from tools.books import ROOT
from tools.site.notebook_reader import TICK, tags

WIDEST = 88
FOLD = re.compile(r"<details.*?</details>", re.S)
MAY = re.compile(r"\bYou (?:may|might|will|can) (?:also )?(?:read|find|meet|hear|see it said)\b")
MAGIC = re.compile(r"^([ \t]*)(?:[%!].*|[\w.]+\?+[ \t]*)$", re.M)
PICTURES, TABLES = ("image/png", "image/svg+xml"), ("text/html", "text/markdown")
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
CHECKS = ("evidence", "compare", "Derivation")
DRAWS = ("show", "draw", "plot")
SHARES = ("asserts", "seen", "drawn")
DISPLAYED = re.compile(r"\$\$.*?\$\$|```.*?```", re.S)
MATHS = re.compile(r"\$[^$]*\$")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
NO_SENTENCE = re.compile(r"\s*(\||#|!\[|\*\*In short)")
SHORTENED = re.compile(r"\b(e\.g|i\.e|[Ff]ig|No|vs|cf|Dr|al|St)\.")
ENDS = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)[)*_\"”]*\s+")
WORD = re.compile(r"\w[\w'’-]*")
PUBLIC = re.compile(
    r"helpers(\.(datasets|plotting|evidence))?$"
)  # what an open cell may import of the course


@cache
def bars():
    return tomllib.loads((ROOT / "docs" / "form.toml").read_text(encoding="utf-8"))


def held():
    """The chapters 1 to 12 and all companions."""
    every = [path.stem for path in books.books(ROOT / "notebooks")]
    return [stem for stem in every if "01" <= stem[:2] <= "12" or books.is_companion(stem)]


# ---- one cell


def tree(cell):
    return ast.parse(MAGIC.sub(r"\1pass", cell.source))


def code_lines(cell):
    """Lines that are neither empty nor a comment."""
    return [line for line in cell.source.splitlines() if line.strip() and not line.strip().startswith("#")]


def is_folded(cell):
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden")) or "widget" in tags(cell)


def spanned(nodes):
    """The numbers of the lines on which they stand."""
    return {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}


def assert_lines(cell):
    return len(spanned(node for node in ast.walk(tree(cell)) if isinstance(node, ast.Assert)))


def calls(cell):
    """(name, call) of each function or method that is called."""
    found = [node for node in ast.walk(tree(cell)) if isinstance(node, ast.Call)]
    return [(getattr(call.func, "attr", getattr(call.func, "id", "")), call) for call in found]


def only_defines(cell):
    """Imports, functions, classes, constants: nothing to show."""
    constant = (ast.Constant, ast.UnaryOp)
    return all(
        isinstance(node, DEFINES) or isinstance(node, ast.Assign) and isinstance(node.value, constant)
        for node in tree(cell).body
    )


def only_draws(cell):
    functions = [node.name for node in tree(cell).body if isinstance(node, ast.FunctionDef)]
    return only_defines(cell) and all(name.startswith(DRAWS) for name in functions)


def only_imports(cell):
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree(cell).body)


def printed(cell):
    return [line for out in cell.outputs for line in out.get("text", "").splitlines() if line.strip()]


def has(cell, kinds):
    return any(kind in out.get("data", {}) for out in cell.outputs for kind in kinds)


def is_seen(cell):
    """A picture; or, of an open cell, a table or a line that is no evidence of a check."""
    told = [line for line in printed(cell) if not line.startswith(TICK)]
    return has(cell, PICTURES) or not is_folded(cell) and (bool(told) or has(cell, TABLES))


def is_check(cell):
    """An assert, NumPy's own, a derivation, a comparison, a line of evidence."""
    return assert_lines(cell) or any(name in CHECKS or name.startswith("assert_") for name, _ in calls(cell))


def has_evidence(cell):
    """A tick whose numbers the cell computed, said after its last assert; or both arms of a comparison."""
    told = [call for name, call in calls(cell) if name == "evidence"]
    computed = [c for c in told if any(isinstance(node, ast.FormattedValue) for node in ast.walk(c))]
    last = max((node.lineno for node in ast.walk(tree(cell)) if isinstance(node, ast.Assert)), default=0)
    ticked = any(line.startswith(TICK) for line in printed(cell))
    late = bool(computed) and max(call.lineno for call in computed) > last
    return ticked and late or any(name == "compare" for name, _ in calls(cell))


# ---- one chapter


def prose(cell):
    """A Markdown cell's text outside of folds."""
    return FOLD.sub("", cell.source)


def unseen(nb):
    """(cell, title) of the sections (###) without a figure, a table or a printed line; and how many there
    are."""
    sections = []
    for i, cell in enumerate(nb.cells):
        if cell.cell_type == "code":
            if sections:
                sections[-1][2] |= is_seen(cell)
            continue
        first, *pieces = re.split(r"^(?=### )", prose(cell), flags=re.M)
        for piece in [first, *pieces]:
            if piece.startswith("### "):
                sections.append([i, piece.partition("\n")[0][4:], False])
            table = re.search(r"^\|.*\|\s*$", piece, re.M) and "in-short" not in tags(cell)
            if sections:
                sections[-1][2] |= bool(table) or "![" in piece
    return [(i, title) for i, title, seen in sections if not seen], len(sections)


def places(nb):
    """{bar: [(cell, what stands there)]}: the cells behind the figures."""
    code = [(i, cell) for i, cell in enumerate(nb.cells) if cell.cell_type == "code"]
    text = [(i, cell) for i, cell in enumerate(nb.cells) if cell.cell_type == "markdown"]
    open_ = [(i, cell) for i, cell in code if not is_folded(cell)]
    folds = [(i, cell) for i, cell in code if is_folded(cell) and "widget" not in tags(cell)]
    where = {
        "asserts": [(i, c) for i, c in open_ if assert_lines(c)],
        "mute": [(i, c) for i, c in folds if assert_lines(c) and not has_evidence(c)],
        "hidden": [(i, c) for i, c in folds if not is_allowed(c)],
        "unnamed": [(i, c) for i, c in folds if not c.source.startswith("#")],
    }
    found = {bar: [(i, c.source.partition("\n")[0][:70]) for i, c in cells] for bar, cells in where.items()}
    found["wide"] = [(i, s[:70]) for i, c in code for s in c.source.splitlines() if len(s) > WIDEST]
    found["may"] = [(i, one[0]) for i, c in text for one in MAY.finditer(prose(c))]
    found["seen"] = unseen(nb)[0]
    return found


def is_allowed(cell):
    """What may stand folded: a check, a derivation, a drawing, a table of notation, imports."""
    return is_check(cell) or has(cell, PICTURES + TABLES) or only_draws(cell) or only_imports(cell)


# ---- how long it takes, how it is said, and what a reader could copy


def sentences(cell):
    """(sentence, number of its words) in a cell's prose; headings, tables and cards aside."""
    text = MATHS.sub(" x ", DISPLAYED.sub(" ", prose(cell)))
    lines = (line for line in text.splitlines() if not NO_SENTENCE.match(line))
    for block in "\n".join(lines).split("\n\n"):
        plain = SHORTENED.sub(r"\1", LINK.sub(r"\1", " ".join(block.split())))
        for one in ENDS.split(plain):
            if count := len(WORD.findall(one)):
                yield one.strip(), count


def is_telegram(sentence, count):
    """At most three words, without a verb's room: no question, no bold lead, no name with an initial."""
    named = sentence.startswith("**") or "?" in sentence or re.search(r"[A-Z]\.$", sentence)
    return count <= 3 and not named and bool(re.search(r"[a-z]{2}", sentence))


def borrowed(nb):
    """(cell, name) for each name that an open cell uses and no open cell up to it defines or imports."""
    known = {*dir(builtins), "display", "get_ipython", "In", "Out", "_"}
    for i, cell in enumerate(nb.cells):
        if cell.cell_type == "code" and not is_folded(cell):
            nodes = list(ast.walk(tree(cell)))
            known |= {name for node in nodes for name in given(node)}
            used = (n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
            yield from ((i, name) for name in dict.fromkeys(used) if name not in known)


def given(node):
    """The names to which a node gives a value."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name


def own_imports(nb):
    """(cell, what) that open cells import of the course, but its data, its plotting and its evidence."""
    for i, cell in enumerate(nb.cells):
        if cell.cell_type == "code" and not is_folded(cell):
            for node in ast.walk(tree(cell)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("helpers"):
                    if not PUBLIC.match(node.module):
                        yield from ((i, f"{node.module}.{alias.name}") for alias in node.names)


def draws_itself(cell):
    """The picture's own lines are Matplotlib's or scikit-learn's, not a drawing's of the course."""
    return not any(name.startswith("show_") for name, _ in calls(cell))


def reading(nb):
    """({bar: figure}, {bar: places}): what is read, and what can be copied."""
    text = [(i, c) for i, c in enumerate(nb.cells) if c.cell_type == "markdown"]
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    open_ = [cell for cell in code if not is_folded(cell)]
    said = [(i, *one) for i, c in text if "in-short" not in tags(c) for one in sentences(c)]
    pictures = [cell for cell in code if has(cell, PICTURES)]
    drawn = [cell for cell in pictures if not is_folded(cell) and draws_itself(cell)]
    formulas = sum(c.source.count(r"\tag") for _, c in text) + sum(has(c, ("text/latex",)) for c in code)
    lines = [sum(bool(line.strip()) for line in cell.source.splitlines()) for cell in open_]
    found = {
        "telegrams": [(i, one) for i, one, count in said if is_telegram(one, count)],
        "alone": list(borrowed(nb)),
        "own": list(own_imports(nb)),
    }
    words_ = sum(len(WORD.findall(MATHS.sub(" x ", DISPLAYED.sub(" ", prose(c))))) for _, c in text)
    row = {bar: len(where) for bar, where in found.items()}
    row["minutes"] = words_ / 150 + sum(lines) / 8 + formulas / 3 + len(pictures)
    row["sentence"] = round(sum(count for *_, count in said) / (len(said) or 1), 1)
    row["drawn"] = len(drawn) / (len(pictures) or 1)
    row["cell"] = max(lines, default=0)
    return row, found


def measure(nb):
    """{bar: figure} of a notebook, and the places behind them."""
    found = places(nb)
    open_ = [cell for cell in nb.cells if cell.cell_type == "code" and not is_folded(cell)]
    row = {bar: len(cells) for bar, cells in found.items()}
    row["asserts"] = sum(map(assert_lines, open_)) / (sum(len(code_lines(cell)) for cell in open_) or 1)
    row["seen"] = 1 - len(found["seen"]) / (unseen(nb)[1] or 1)
    more, where = reading(nb)
    return row | more, found | where


def limits(stem):
    """({bar: most}, {bar: least}) for a chapter or a companion."""
    if books.is_companion(stem):
        return dict(bars()["companion"]["most"]), {}
    most, least = (dict(bars()["chapter"][side]) for side in ("most", "least"))
    most["minutes"] = most.pop("minutes_of").get(stem[:2], most["minutes"])
    return most, least


def missed(nb, stem):
    """What the chapter misses, in words."""
    row, found = measure(nb)
    most, least = limits(stem)
    over = [(bar, ">", top) for bar, top in most.items() if row[bar] > top]
    over += [(bar, "<", low) for bar, low in least.items() if row[bar] < low]
    return [
        f"{bar} {shown(bar, row[bar])} {sign} {shown(bar, bar_)}{first(found.get(bar))}"
        for bar, sign, bar_ in over
    ]


def shown(bar, value):
    return f"{value:.0%}" if bar in SHARES else f"{value:.2f}" if bar == "minutes" else str(value)


def first(cells):
    """ ": cell 7 (`x = …`), and 3 more"."""
    if not cells:
        return ""
    (i, what), more = cells[0], len(cells) - 1
    return f": cell {i} ({what})" + f", and {more} more" * bool(more)


# ---- the table


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; without any, chapters 1 to 12")
    parser.add_argument("--strict", action="store_true", help="say what is missed")
    parser.add_argument("--cells", action="store_true", help="name the cells")
    chosen = parser.parse_args(argv)
    every = [p for p in books.books(ROOT / "notebooks") if "01" <= p.name[:2] <= "12"]
    columns = [*limits("")[0], "own", *limits("")[1]]
    print(f"{'chapter':<28}" + "".join(f"{bar:>10}" for bar in columns))
    failed = False
    for path in chosen.paths or every:
        nb = nbformat.read(path, as_version=4)
        row, found = measure(nb)
        print(f"{path.stem[:27]:<28}" + "".join(f"{shown(bar, row[bar]):>10}" for bar in columns))
        if chosen.strict:
            short = missed(nb, path.stem)
            failed |= bool(short) and (path.stem in held() or bool(chosen.paths))
            print(*(f"    {one}" for one in short), sep="\n")
        if chosen.cells:
            print(
                *(f"    {bar}: cell {i}: {what}" for bar, cells in found.items() for i, what in cells),
                sep="\n",
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
