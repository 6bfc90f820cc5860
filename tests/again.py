"""Which cells of a notebook could do something else when all are run once more?

A cell that reads what it read before does what it did before. So only cells are run a second time that bind
or read a *moved* name: one that two cells bind, other than by the same import, or whose value has changed
since its cell made it.
"""

import ast

# Whoever names one of these can see or change more than names.
LOOKS_ABOUT = {
    *("globals", "locals", "vars", "dir", "eval", "exec", "get_ipython"),
    *("open", "os", "Path", "shutil"),
}


class Names(ast.NodeVisitor):
    """What a cell binds, and what it reads before it has bound it, in the order in which it is computed."""

    def __init__(self):
        self.bound, self.read, self.own = set(), set(), set()
        self.at_once, self.depth = set(), 0  # read outside of functions, which may be called later
        self.ways = set()  # (name, what is imported under it), or None for what is computed

    def bind(self, name, imported=None):
        self.bound.add(name)
        self.ways.add((name, imported))

    def visit_Name(self, node):
        if node.id in self.own:
            return
        if not isinstance(node.ctx, ast.Store):
            self.read |= {node.id} - self.bound
            self.at_once |= set() if self.depth else {node.id} - self.bound
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id)

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

    def visit_Import(self, node):
        for one in node.names:
            first = one.name.partition(".")[0]
            self.bind(one.asname or first, one.name if one.asname else first)

    def visit_ImportFrom(self, node):
        for one in node.names:
            self.bind(one.asname or one.name, (node.level, node.module, one.name))

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
        self.depth += 1
        self.inside(own, node.body)
        self.depth -= 1
        self.bind(node.name)

    def visit_Lambda(self, node):
        self.depth += 1
        self.inside({one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}, [node.body])
        self.depth -= 1

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


def names_of(source):
    """Of a cell; None where it is no plain Python."""
    names = Names()
    try:
        names.visit(ast.parse(source))
    except SyntaxError:
        return None
    return names


def moved_cells(sources, changed):
    """Which cells to run again, by their numbers.

    sources : the code of the cells
    changed : names whose values have changed since their cells ended
    """
    found = [names_of(source) for source in sources]
    if None in found:
        return list(range(len(sources)))
    binders, ways = {}, {}
    for i, names in enumerate(found):
        for name in names.bound:
            binders.setdefault(name, []).append(i)
        for name, imported in names.ways:
            ways.setdefault(name, set()).add(imported)
    moved = LOOKS_ABOUT | {name for name in changed if any(name in names.read for names in found)}
    for i, names in enumerate(found):
        moved |= {
            name
            for name in names.read
            if (len(binders.get(name, ())) > 1 or max(binders.get(name, [-1])) >= i)
            and (len(ways[name]) > 1 or None in ways[name])  # the same import binds the same
        }
    return [i for i, names in enumerate(found) if moved & (names.bound | names.read)]
