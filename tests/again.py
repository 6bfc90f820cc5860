"""Which cells of a notebook could do something else when all are run once more?

A cell that reads what it read before does what it did before. So only cells are run a second time that bind
or read a *moved* name: one that two cells bind, or whose value has changed since its cell made it.
"""

import ast

# Run in the kernel: the state of what a cell has just bound, and later, which of it has changed.
MARK = """
def _fingerprint(name):
    import types
    import joblib
    value = globals().get(name)
    if isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return id(value)
    try:
        return joblib.hash(value)
    except Exception:
        return None                                  # nobody knows: as if it had changed


def _mark(names, _kept={}):
    _kept.update({name: _fingerprint(name) for name in names})


def _changed():
    kept = _mark.__defaults__[0]
    return [name for name, print_ in kept.items() if print_ is None or _fingerprint(name) != print_]
"""
# Whoever names one of these can see or change more than names.
LOOKS_ABOUT = {
    *("globals", "locals", "vars", "dir", "eval", "exec", "get_ipython"),
    *("open", "os", "Path", "shutil"),
}


class Names(ast.NodeVisitor):
    """What a cell binds, and what it reads before it has bound it, in the order in which it is computed."""

    def __init__(self):
        self.bound, self.read, self.own = set(), set(), set()

    def visit_Name(self, node):
        if node.id in self.own:
            return
        if not isinstance(node.ctx, ast.Store):
            self.read |= {node.id} - self.bound
        if not isinstance(node.ctx, ast.Load):
            self.bound.add(node.id)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AugAssign(self, node):
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            self.visit(ast.Name(node.target.id, ast.Load()))
        self.visit(node.target)

    def visit_For(self, node):
        for part in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(part)

    def visit_alias(self, node):
        self.bound.add((node.asname or node.name).partition(".")[0])

    def inside(self, own, parts):
        """Names of a function or comprehension that belong to it alone are nobody else's."""
        before, self.own = self.own, self.own | own
        for part in parts:
            self.visit(part)
        self.own = before

    def visit_FunctionDef(self, node):
        own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        own |= {
            one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        self.inside(own, node.body)
        self.bound.add(node.name)

    def visit_Lambda(self, node):
        self.inside({one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}, [node.body])

    def visit_of(self, node, *values):
        targets = {
            one.id for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)
        }
        self.visit(node.generators[0].iter)
        rest = [one for part in node.generators for one in (part.iter, *part.ifs)][1:]
        self.inside(targets, [*rest, *values])

    def visit_ListComp(self, node):
        self.visit_of(node, node.elt)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node):
        self.visit_of(node, node.key, node.value)


def bound_and_read(source):
    """The two sets of names of a cell; None where it is no plain Python."""
    names = Names()
    try:
        names.visit(ast.parse(source))
    except SyntaxError:
        return None
    return names.bound, names.read


def moved_cells(sources, changed):
    """Which cells to run again, by their numbers.

    sources : the code of the cells
    changed : names whose values have changed since their cells ended
    """
    found = [bound_and_read(source) for source in sources]
    if None in found:
        return list(range(len(sources)))
    binders = {}
    for i, (bound, _) in enumerate(found):
        for name in bound:
            binders.setdefault(name, []).append(i)
    moved = LOOKS_ABOUT | {name for name in changed if any(name in read for _, read in found)}
    for i, (_, read) in enumerate(found):
        moved |= {
            name for name in read if len(binders.get(name, ())) > 1 or max(binders.get(name, [-1])) >= i
        }
    return [i for i, (bound, read) in enumerate(found) if moved & (bound | read)]
