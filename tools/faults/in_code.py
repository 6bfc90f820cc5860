"""Small faults on purpose: the mistakes that a formula's code could hold, one at a time.

    for fault in faults("s = (x - m).T @ (x - m) / (n - 1)"):
        print(fault.line, fault.what)           # … "n - 1: the constant dropped" …

A check is worth what it notices. `try_faults.py` plants these faults in the chapters, and `reference_mutants`
in the questions' references. The list is the same on every machine.
"""

import ast
import random
from typing import NamedTuple

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NEARLY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
PAIRS = (
    "min max",
    "argmin argmax",
    "nanmin nanmax",
    "minimum maximum",
    "mean sum",
    "nanmean nansum",
    "std var",
    "any all",
    "floor ceil",
    "log log2",
    "log1p log",
    "exp exp2",
    "sin cos",
    "cumsum cumprod",
    "inner outer",
    "zeros ones",
    "zeros_like ones_like",
    "triu tril",
    "vstack hstack",
    "union1d intersect1d",
)
BUILTINS = {"min": "max", "max": "min", "sum": "max", "any": "all", "all": "any"}
SORTS = ("sort", "argsort", "lexsort", "sorted")
SET_UP = ("rng", "random", "plt", "ax", "axes", "fig", "print", "display", "range", "figure")
SET_UP_STARTS = ("make_", "load_", "default_rng", "set_", "plot", "show")
SET_UP_KEYWORDS = "atol rtol tol seed random_state size figsize n_samples alt draws trials".split()
INEQUALITIES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
# What needs no parentheses wherever it is put.
BARE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.Tuple, ast.Slice, ast.stmt)


def _both_ways(pairs):
    """{"min": "max", "max": "min", …}; the first pair that names a function decides."""
    out = {}
    for a, b in (p.split() for p in pairs):
        out.setdefault(a, b)
        out.setdefault(b, a)
    return out


NAMES = _both_ways(PAIRS)


class Fault(NamedTuple):
    """One small mistake: its line, what it is in words, the whole faulty code and the kind."""

    line: int
    what: str
    code: str
    kind: str

    def diff(self, sound):
        """The first line that differs, as "- sound" and "+ faulty"."""
        pairs = zip(sound.split("\n"), self.code.split("\n"))
        old, new = next((p for p in pairs if p[0] != p[1]), ("", ""))
        return f"- {old.strip()}\n+ {new.strip()}"


# Each rule takes a node and its parent, and yields (what happened, the node instead).


def _operator(node, parent):
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATORS:
        yield "another operator", _with(node, op=OPERATORS[type(node.op)]())


def _is_sum(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def _constant(node, parent):
    """n for n - 1, and the like."""
    if _is_sum(node) and isinstance(node.right, ast.Constant):
        yield "the constant dropped", node.left


def _term(node, parent):
    if _is_sum(node) and not isinstance(node.right, ast.Constant):
        yield "the second term dropped", node.left


def _factors(node, parent):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield "the factors swapped", _with(node, left=node.right, right=node.left)


def _sign(node, parent):
    """-x, and -0.5 * x; but not x[-1] or axis=-1, where the minus counts from the end."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if isinstance(parent, ast.BinOp) or not isinstance(node.operand, ast.Constant):
            yield "the sign dropped", node.operand


def _transpose(node, parent):
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "the transpose dropped", node.value


def _name(node, parent):
    if isinstance(node, ast.Attribute) and node.attr in NAMES and isinstance(node.ctx, ast.Load):
        yield NAMES[node.attr], _with(node, attr=NAMES[node.attr])
    elif isinstance(node, ast.Name) and node.id in BUILTINS and isinstance(node.ctx, ast.Load):
        yield BUILTINS[node.id], _with(node, id=BUILTINS[node.id])


def _root(node, parent):
    if isinstance(node, ast.Call) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        if called(node) in ("sqrt", "abs", "fabs"):
            yield "not taken", node.args[0]
    if isinstance(node, ast.Call) and called(node) == "norm":
        yield "squared", ast.BinOp(node, ast.Pow(), ast.Constant(2))


def _axis(node, parent):
    if isinstance(parent, ast.keyword) and parent.arg == "axis" and isinstance(node, ast.Constant):
        if node.value in (0, 1):
            yield "the other axis", ast.Constant(1 - node.value)


def _reversed(node, parent):
    if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "::-1":
        yield "not reversed", node.value


def _order(node, parent):
    """The largest first instead of the smallest, or the reverse."""
    if not (isinstance(node, ast.Call) and called(node) in SORTS and node.args):
        return  # x.sort() returns nothing to turn round
    backwards = ast.Slice(step=ast.Constant(-1))
    if not (isinstance(parent, ast.Subscript) and ast.unparse(parent.slice) == ast.unparse(backwards)):
        yield "in reverse order", ast.Subscript(node, backwards, ast.Load())


def _number(node, parent):
    """Off by one; a number below 0.01 is a tolerance, and an axis has its own rule."""
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        return
    if isinstance(parent, ast.keyword) and parent.arg == "axis":
        return
    if type(node.value) is int:
        yield "one more", ast.Constant(node.value + 1)
        yield "one less", ast.Constant(node.value - 1)
    elif 0.01 <= node.value < 1e6:
        yield "one more", ast.Constant(node.value + 1)


def _flag(node, parent):
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield str(not node.value), ast.Constant(not node.value)


def _comparison(node, parent):
    if not isinstance(node, ast.Compare):
        return
    for i, op in enumerate(node.ops):
        for what, table in (("the edge moved", NEARLY), ("turned round", OPPOSITE)):
            if type(op) in table:
                yield what, _with(node, ops=[*node.ops[:i], table[type(op)](), *node.ops[i + 1 :]])


def _logic(node, parent):
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and for or, or for and", _with(node, op=other)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        yield "the not dropped", node.operand
    elif node is getattr(parent, "test", None) and not isinstance(node, ast.Compare):
        yield "turned round", ast.UnaryOp(ast.Not(), node)


def _keyword(node, parent):
    if isinstance(node, ast.Call):
        for k in node.keywords:
            if k.arg not in (None, "stacklevel", *SET_UP_KEYWORDS):
                yield f"{k.arg}= dropped", _with(node, keywords=[x for x in node.keywords if x is not k])


def _slice(node, parent):
    if isinstance(node, ast.Slice):
        for edge in ("lower", "upper"):
            if getattr(node, edge) is not None:
                yield f"the {edge} end dropped", _with(node, **{edge: None})


def _statement(node, parent):
    """A step or a check of the input that is forgotten."""
    if isinstance(node, ast.AugAssign) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "left out", ast.Pass()


def _returned(node, parent):
    """Another local name, or a tuple the wrong way round."""
    if not isinstance(parent, ast.Return):
        return
    if isinstance(node, ast.Tuple) and len(node.elts) > 1:
        first, second, *others = node.elts
        yield "the first two returned in the other order", _with(node, elts=[second, first, *others])
    elif isinstance(node, ast.Name):
        others = [name for name in parent.locals if name != node.id]
        if others:
            yield f"{others[-1]} returned instead", ast.Name(others[-1], ast.Load())


RULES = {
    "operator": _operator,
    "constant": _constant,
    "term": _term,
    "factors": _factors,
    "sign": _sign,
    "transpose": _transpose,
    "name": _name,
    "root": _root,
    "axis": _axis,
    "reversed": _reversed,
    "order": _order,
    "number": _number,
    "flag": _flag,
    "comparison": _comparison,
    "logic": _logic,
    "keyword": _keyword,
    "slice": _slice,
    "statement": _statement,
    "returned": _returned,
}
MODULE = tuple(RULES)
CHAPTER = tuple("operator constant factors sign transpose name root axis reversed order".split())


def faults(code, kinds=MODULE, set_up=True):
    """Every small fault of the code, in the order of the source.

    `kinds` are names of RULES. With `set_up=False` only what states mathematics is touched (a chapter's check
    cells): no data generation, plots, messages, tolerances or numbers of repetitions.
    """
    tree = ast.parse(code)
    _note_locals(tree)
    commuting = {id(n) for n in ast.walk(tree) for n in _factors_in_a_trace(n)}
    found = {}
    for node, parent in _walk(tree, None, set_up):
        for kind in kinds:
            if kind == "factors" and id(node) in commuting or not set_up and _is_how_strict(node, parent):
                continue
            for what, new in RULES[kind](node, parent):
                if (text := ast.unparse(new)) != ast.unparse(node):
                    faulty = spliced(code, node, text if isinstance(new, BARE) else f"({text})")
                    what = f"{_shown(node, parent)}: {what}"
                    found.setdefault(faulty, Fault(node.lineno, what, faulty, kind))
    return sorted(found.values(), key=lambda f: f.line)


def formula_faults(code):
    """The faults of a chapter's cell."""
    return faults(code, CHAPTER, set_up=False)


def sample(found, n, seed):
    """At most n of the faults, drawn from the seed, in the order of the source."""
    chosen = random.Random(seed).sample(range(len(found)), min(n, len(found)))
    return [found[i] for i in sorted(chosen)]


def _shown(node, parent):
    """The node's source; a mere number or flag with what it stands in."""
    if isinstance(node, ast.Constant) and isinstance(parent, (ast.expr, ast.keyword, ast.Slice)):
        return f"{node.value} in {ast.unparse(parent)}"
    return ast.unparse(node)


def _with(node, **fields):
    """The node with some fields changed; the original stays as it is."""
    return type(node)(**{name: fields.get(name, getattr(node, name, None)) for name in node._fields})


def spliced(code, node, text):
    """The source with the node's own text replaced: comments and the other lines stay."""
    data = code.encode()  # ast counts columns in UTF-8 bytes
    lines = data.split(b"\n")
    begin = sum(len(line) + 1 for line in lines[: node.lineno - 1]) + node.col_offset
    end = sum(len(line) + 1 for line in lines[: node.end_lineno - 1]) + node.end_col_offset
    return (data[:begin] + text.encode() + data[end:]).decode()


def called(node):
    """The name of what is called, "" for anything but a call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _note_locals(tree):
    """Give each return the plain names that its function has by then, in order."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            stored = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            names = [(0, a.arg) for a in function.args.args if a.arg not in ("self", "cls")]
            names += [(n.lineno, n.id) for n in stored]
            for node in nodes:
                if isinstance(node, ast.Return):
                    by_then = (name for line, name in sorted(names) if line < node.lineno)
                    node.locals = list(dict.fromkeys(by_then))


def _factors_in_a_trace(node):
    """tr AB = tr BA: the outermost product in a trace may be swapped."""
    if not isinstance(node, ast.Call) or called(node) != "trace":
        return
    waiting = list(node.args) or [getattr(node.func, "value", node)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult):
            yield part
        elif isinstance(part, ast.BinOp):
            waiting += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp):
            waiting.append(part.operand)


def _walk(node, parent, set_up):
    """(node, parent) of what may hold a fault, in the order of the source."""
    if _states_nothing(node) or not set_up and _is_set_up(node):
        return
    if not set_up and isinstance(node, ast.For):  # how often it loops is set-up, what it does is not
        children = node.body + node.orelse
    elif not set_up and isinstance(node, ast.Compare) and isinstance(node.ops[0], INEQUALITIES):
        children = [_measured(node)]
    else:
        yield node, parent
        children = ast.iter_child_nodes(node)
    for child in children:
        yield from _walk(child, node, set_up)


def _states_nothing(node):
    """Imports, messages, annotations, docstrings."""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return True
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise, ast.arg))


def _is_set_up(node):
    """Data generation, plots, printing, tolerances."""
    if isinstance(node, ast.keyword):
        return node.arg in SET_UP_KEYWORDS
    if isinstance(node, ast.Call):
        return _root_name(node.func) in SET_UP or called(node).startswith(SET_UP_STARTS)
    return False


def _is_how_strict(node, parent):
    """``.all()`` of a check, and the absolute value of a difference: they state no formula."""
    if isinstance(node, ast.Attribute) and node.attr in ("all", "any"):
        return True
    return isinstance(node, ast.Call) and called(node) == "abs" and isinstance(parent, ast.Compare)


def _measured(comparison):
    """The side of an inequality that is measured: the others are tolerances."""
    sides = [comparison.left, *comparison.comparators]
    if len(sides) == 3:
        return sides[1]
    return next((s for s in sides if any(isinstance(n, ast.Name) for n in ast.walk(s))), sides[0])


def _root_name(node):
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")
