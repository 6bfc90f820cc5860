"""Small faults on purpose: the mistakes that a formula's code could hold, one at a time.

    for fault in faults("s = (x - m).T @ (x - m) / (n - 1)"):
        print(fault.line, fault.what)           # … "n - 1: the constant dropped" …

A check is worth what it notices. `try_faults.py` plants these faults in the chapters, and `reference_mutants`
in the questions' references. The list is the same on every machine.
"""

import ast
import functools
import inspect
import linecache
import os
import random
import signal
import sys
import textwrap
import traceback
import types
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
SET_UP_KEYWORDS = (
    "atol",
    "rtol",
    "tol",
    "seed",
    "random_state",
    "size",
    "figsize",
    "n_samples",
    "alt",
    "draws",
    "trials",
)
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
CHAPTER = (
    "operator",
    "constant",
    "factors",
    "sign",
    "transpose",
    "name",
    "root",
    "axis",
    "reversed",
    "order",
)


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


# ---- mutants of a function that can be called ---------------------------------------


def reference_mutants(function, inside=(), kinds=MODULE, seconds=5):
    """(what, callable) for each fault of a function, and of the helpers `inside` that it calls by name.

    Each mutant lives in a copy of its module's namespace; the module is not touched. A mutant that cannot be
    defined at all is left out. Where the system has timers, a call longer than `seconds` raises TimeoutError.
    """
    for what, mutant in _mutants(function, kinds):
        yield what, _bounded(mutant, seconds)
    for helper in inside:
        for what, mutant in _mutants(helper, kinds):
            twin = _rebound(function, {**function.__globals__, helper.__name__: mutant})
            yield f"{helper.__name__}: {what}", _bounded(twin, seconds)


def _mutants(thing, kinds):
    """Mutants of a function or a class."""
    source, namespace = _source(thing), _namespace(thing)
    for i, fault in enumerate(faults(source, kinds)):
        filename = f"<fault {i} of {thing.__qualname__}>"
        linecache.cache[filename] = (len(fault.code), None, fault.code.splitlines(True), filename)
        own = dict(namespace)
        try:
            exec(compile(fault.code, filename, "exec"), own)
        except Exception:  # e.g. a default that cannot be computed
            continue
        yield f"line {fault.line}: {fault.what}", own[thing.__name__]


def _source(thing):
    """The definition without its decorators, which would register it a second time."""
    if thing.__name__ == "<lambda>":
        raise ValueError("a lambda has no source of its own: define the reference with def")
    source = textwrap.dedent(inspect.getsource(thing))
    first = ast.parse(source).body[0]
    return "\n".join(source.split("\n")[first.lineno - 1 :])


def _namespace(thing):
    if inspect.isclass(thing):
        return vars(sys.modules[thing.__module__])
    return {**thing.__globals__, **inspect.getclosurevars(thing).nonlocals}


def _rebound(function, namespace):
    twin = types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__kwdefaults__ = function.__kwdefaults__
    return functools.update_wrapper(twin, function)


def _bounded(function, seconds):
    if inspect.isclass(function) or not hasattr(signal, "setitimer"):
        return function

    def too_slow(*_):
        raise TimeoutError(f"more than {seconds} s")

    @functools.wraps(function)
    def bounded(*args, **kwargs):
        before = signal.signal(signal.SIGALRM, too_slow)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return function(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return bounded


# ---- a run that may hang, crash or fill the memory ----------------------------------


def need_fork():
    """Exit with status 2 where processes cannot fork (Windows)."""
    if not hasattr(os, "fork"):
        print(
            "This tool forks its process for every fault, which Windows cannot do: "
            "run it on Linux, macOS or WSL.",
            file=sys.stderr,
        )
        raise SystemExit(2)


def start(action, seconds):
    """Begin action() in a forked child; the child's process id.

    The child ends after `seconds` of its own work, or of 5 times that when it works little: a busy machine
    changes no verdict. It leads a group of its own and exits with what the action returns, 1 when that
    raises.
    """
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout, sys.stderr = (
            open(1, "w", closefd=False, encoding="utf-8"),
            open(2, "w", closefd=False, encoding="utf-8"),
        )
        _limit_time(max(1, int(seconds)))
        _limit_memory()
        status = int(action() or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def finish(pid):
    """Wait for the child and end what it left behind; its exit code (negative: the signal that ended it)."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        os.killpg(pid, signal.SIGKILL)  # the child's own group: workers that it started
    except (ProcessLookupError, PermissionError):
        pass
    return code


def _limit_time(seconds):
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(5 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _limit_memory():
    """A fault in a size must not take the machine down (macOS does not keep this limit)."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, resource.getrlimit(resource.RLIMIT_AS)[1]))
