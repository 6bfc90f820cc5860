"""Which modules an answer uses: the one rule, for ``check`` and for the class's grader, of what is forbidden.

It reads the cells and runs nothing. From the name of the answer it follows every name that is used, through
functions, classes and values of the notebook, whichever cell defines them last. The sandbox refuses at run
time what hides from a reader.
"""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache, lru_cache
from importlib import import_module

HIDES = tuple(
    "eval exec compile globals __import__ importlib sys.modules pydoc.locate pkgutil.resolve_name runpy "
    "sklearn.utils.all_estimators".split()
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = (*FUNCTIONS, ast.ClassDef)
PARTS = (ast.Attribute, ast.Subscript)
# each in one pass over a line, however many blanks or empty lines there are
LINE_MAGIC = re.compile(r"^([ \t]*)%%?(?:time|timeit|capture|prun)\b[ \t]*(?:-\S+[ \t]*)*", re.M)
OTHER_MAGIC = re.compile(r"^([ \t]*)(?![ \t])(?:[%!?].*|.*\?)$", re.M)
ASSIGNED_MAGIC = re.compile(r"=[ \t]*[!%].*$", re.M)


class Forbidden(Exception):
    """Found; the module."""


def refusal(module: str) -> str:
    """What a student is told."""
    return f"{module} is not allowed here: the point is to write it yourself."


def forbidden_module(sources, name: str, forbids) -> str | None:
    """The first module of `forbids` that the value of a name uses, or what would hide it (exec, importlib …).

    sources : the cells in the order in which they run
    name : what the answer is called
    forbids : dotted names of modules; what stands below them is forbidden too
    """
    if not forbids:
        return None
    try:
        _Reader(sources, forbids).follow(name)
    except Forbidden as found:
        return str(found)
    except RecursionError:  # no honest answer is so deep: the sandbox has the word
        return None
    return None


def is_in(path, forbids):
    return next((bad for bad in forbids if path == bad or path.startswith(bad + ".")), None)


@cache
def home(path):
    """Where that which a dotted path names is defined: a module may hand on what another one holds."""
    parts = path.split(".")
    if any(part in ("conftest", "tests") or part.startswith("__") for part in parts):
        return path
    for i in range(len(parts), 0, -1):
        try:
            value = import_module(".".join(parts[:i]))
            for part in parts[i:]:
                value = getattr(value, part)
        except Exception:
            continue
        origin = getattr(value, "__module__", None)
        return origin if isinstance(origin, str) else getattr(value, "__name__", path)
    return path


@lru_cache(1024)  # of a class, most cells are the same
def parsed(source):
    """The statements of a cell, without IPython's magics; none where it is no Python."""
    plain = ASSIGNED_MAGIC.sub("= None", OTHER_MAGIC.sub(r"\1pass", LINE_MAGIC.sub(r"\1", source)))
    for text in (source, plain):
        try:
            return ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return []


# ---- what the cells bind


def flat(body):
    """The statements that run in the notebook's own namespace, those inside if, for, with and try too."""
    for statement in body:
        yield statement
        if not isinstance(statement, SCOPES):
            for part in ("body", "handlers", "orelse", "finalbody", "cases"):
                yield from flat(getattr(statement, part, ()))


def names_in(target):
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and not is_load(node)]


def is_load(node):
    return isinstance(node.ctx, ast.Load)


def root(node):
    """The name that `a.b[c].d` begins with."""
    while isinstance(node, PARTS):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def own(node):
    """A node and what stands in it, without the insides of functions and classes there."""
    waiting = [node]  # not by calling itself: a sum may have a thousand parts
    while waiting:
        one = waiting.pop()
        yield one
        if one is node or not isinstance(one, SCOPES):
            waiting += reversed(list(ast.iter_child_nodes(one)))


def imports(node):
    """(name, path) of an import statement: what it binds, and what that stands for."""
    if isinstance(node, ast.Import):
        return [
            (a.asname or a.name.partition(".")[0], a.name if a.asname else a.name.partition(".")[0])
            for a in node.names
        ]
    module = node.module or ""
    return [(a.asname or a.name, f"{module}.{a.name}") for a in node.names]


def bindings(statement):
    """(name, node) for each name that a statement of the notebook binds."""
    if isinstance(statement, SCOPES):
        yield statement.name, statement
    elif is_import(statement):
        yield from ((name, statement) for name, _ in imports(statement))
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from ((name, statement.value) for target in targets for name in names_in(target))
    elif isinstance(statement, (ast.For, ast.AsyncFor)):
        yield from ((name, statement.iter) for name in names_in(statement.target))
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        items = [item for item in statement.items if item.optional_vars is not None]
        yield from ((name, item.context_expr) for item in items for name in names_in(item.optional_vars))
    for node in own(statement) if not isinstance(statement, SCOPES) else ():
        if isinstance(node, ast.NamedExpr):
            yield node.target.id, node.value


def changes(statement):
    """(name, node) for each name that a statement changes: x += …, x.a = …, setattr(x, …), x.append(…)."""
    if isinstance(statement, ast.AugAssign):
        yield root(statement.target), statement.value
    elif isinstance(statement, ast.Assign):
        parts = [part for target in statement.targets for part in ast.walk(target)]
        yield from ((root(part), statement.value) for part in parts if isinstance(part, PARTS))
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute):
            yield root(call.func), call
        elif root(call.func) == "setattr" and call.args:
            yield root(call.args[0]), call
    elif isinstance(statement, SCOPES):
        declared = (node for node in ast.walk(statement) if isinstance(node, ast.Global))
        yield from ((name, statement) for node in declared for name in node.names)


@lru_cache(maxsize=1)  # the next question has the same cells
def bound_by(sources):
    """{name: [nodes]}: what each name stands for after the last cell, and what changed it.

    Under "*": statements that may bind any name, `from module import *` and exec.
    """
    bound = {"*": []}
    for statement, around in (pair for source in sources for pair in with_imports_around(parsed(source))):
        for name, node in bindings(statement):
            bound[name] = [*(bound["*"] if name == "*" else ()), node, *around]
        for name, node in changes(statement):
            if isinstance(node, SCOPES) or not is_import(bound.get(name, [None])[0]) and name in bound:
                bound.setdefault(name, []).append(node)
        if not isinstance(statement, SCOPES) and any(binds_any(node) for node in own(statement)):
            bound["*"].append(statement)
    return bound


def with_imports_around(body):
    """(statement, [the imports in the block around it]): where one of them fails, all of the block does."""
    for top in body:
        inside = list(flat([top]))
        imports = [one for one in inside if is_import(one) and one is not top]
        around = [ast.Module(imports, [])] if imports else []
        yield from ((statement, around) for statement in inside)


def is_import(node):
    return isinstance(node, (ast.Import, ast.ImportFrom))


def binds_any(node):
    return isinstance(node, ast.Name) and node.id in ("exec", "eval", "globals")


def only(name, node):
    """Of an import statement what binds the name: the rest of it is another matter."""
    wanted = [a for a, (bound, _) in zip(node.names, imports(node)) if bound == name]
    one = (
        ast.Import(wanted)
        if isinstance(node, ast.Import)
        else ast.ImportFrom(node.module, wanted, node.level)
    )
    return one if wanted else node


# ---- what a name leads to


class _Reader(ast.NodeVisitor):
    """Visits all that a name leads to. Raises Forbidden.

    scopes : of the functions around the node: {local name: the path that it stands for, or None}
    """

    def __init__(self, sources, forbids):
        self.bound, self.forbids = bound_by(tuple(sources)), forbids
        self.seen, self.waiting, self.scopes = set(), [], []

    def follow(self, name):
        self.waiting.append(name)
        while self.waiting:
            name = self.waiting.pop()
            if name not in self.seen:
                self.seen.add(name)
                for node in self.bound.get(name, ()):
                    self.visit(only(name, node) if is_import(node) else node)

    # ---- paths

    def path(self, node, depth=0):
        """The dotted path of a module, or of something in one, that an expression stands for; or None."""
        if depth > 50:
            return None
        if isinstance(node, ast.Name):
            return self.path_of_name(node.id, depth)
        if isinstance(node, ast.Attribute):
            base = self.path(node.value, depth + 1)
            return base and f"{base}.{node.attr}"
        if isinstance(node, ast.Call) and len(node.args) >= 1:
            return self.path_of_call(node, depth)
        return None

    def path_of_name(self, name, depth):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        first = self.bound.get(name, [None])[0]
        if is_import(first):
            return dict(imports(first))[name]
        if first is not None:
            return self.path(first, depth + 1)
        return name if hasattr(builtins, name) else None

    def path_of_call(self, node, depth):
        """Of getattr(module, "part"), import_module("module") and __import__("module")."""
        called, words = self.path(node.func, depth + 1), [constant(arg) for arg in node.args]
        if called == "getattr" and len(words) > 1 and words[1]:
            base = self.path(node.args[0], depth + 1)
            return base and f"{base}.{words[1]}"
        if called in ("importlib.import_module", "__import__") and words[0]:
            return (words[1] if len(words) > 1 and words[1] else "") * words[0].startswith(".") + words[0]
        return None

    def refuse(self, path, more=HIDES):
        if path is None:
            return
        same_package = any(bad.partition(".")[0] == path.partition(".")[0] for bad in self.forbids)
        bad = is_in(path, self.forbids) or same_package and is_in(home(path), self.forbids)
        if bad := bad or is_in(path, more):
            raise Forbidden(bad)

    def refuse_whole(self, path):
        """A package that holds a forbidden module, handed on whole: nobody sees what is taken from it."""
        whole = path and path.removesuffix(".__dict__")
        if bad := whole and next((bad for bad in self.forbids if bad.startswith(f"{whole}.")), None):
            raise Forbidden(bad)

    # ---- nodes

    def visit_Name(self, node):
        if is_load(node):
            self.used(node, self.path(node))

    def used(self, node, path):
        self.refuse(path)
        self.refuse_whole(path)
        if isinstance(node, ast.Name) and not any(node.id in scope for scope in self.scopes):
            self.waiting.append(node.id)
            if node.id not in self.bound and not hasattr(builtins, node.id):
                self.visit_unknown(node.id)

    def visit_unknown(self, name):
        """A name that no cell binds, nor IPython, may come from `from module import *` or from exec."""
        for node in self.bound["*"] if name not in ("display", "get_ipython") else ():
            if isinstance(node, ast.ImportFrom):
                self.refuse(f"{node.module}.{name}")
            else:
                self.visit(node)

    def visit_Attribute(self, node):
        path, inner = self.path(node), node.value
        if path is None:
            return self.visit(inner)
        self.refuse(path)
        if path.endswith(".__dict__"):
            self.refuse_whole(path)
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if isinstance(inner, ast.Name):
            self.waiting.append(inner.id)
        else:
            self.visit(inner)

    def visit_Call(self, node):
        path = self.path(node)
        if path is None:
            return self.generic_visit(node)
        self.refuse(path)
        self.waiting.append(root(node.args[0]))
        for part in (*node.args[1:], *node.keywords):
            self.visit(part)

    def visit_Import(self, node):
        for alias in node.names:
            self.refuse(alias.name, ())

    def visit_ImportFrom(self, node):
        for _, path in imports(node):
            self.refuse(path, ())

    def visit_Constant(self, node):
        if isinstance(node.value, str) and "." in node.value:
            self.refuse(is_in(node.value, self.forbids))

    def visit_FunctionDef(self, node):
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        for part in (*getattr(node, "decorator_list", ()), *defaults):
            self.visit(part)
        body = node.body if isinstance(node.body, list) else [node.body]
        self.in_scope(self.locals(node, body), body)

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_ListComp(self, node):
        inner = [name for part in node.generators for name in names_in(part.target)]
        self.in_scope(dict.fromkeys(inner), list(ast.iter_child_nodes(node)))

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def in_scope(self, names, nodes):
        self.scopes.append(names)
        for node in nodes:
            self.visit(node)
        self.scopes.pop()

    def locals(self, function, body):
        """The names of a function's own: its arguments, and what it binds."""
        found = {arg.arg: None for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
        everywhere, shared = [node for part in body for node in own(part)], set()
        for node in everywhere:
            if is_import(node):
                found |= dict(imports(node))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                shared |= set(node.names)
            elif isinstance(node, ast.Name) and not is_load(node):
                found.setdefault(node.id, None)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.setdefault(node.name, None)
        self.scopes.append(found)
        for node in everywhere:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = self.path(node.value)
        self.scopes.pop()
        return {name: path for name, path in found.items() if name not in shared}


def constant(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
