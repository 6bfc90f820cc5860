r"""The grammar: atoms to a `Node`, which has a kind and a function of the `Environment`.

Nothing is kept but closures: a formula is compiled once and computed on each draw. The head of the package
shows the grammar that the methods of `Reader` follow: operators by their level in one table, then a factor
with its scripts, then what stands there. Each operation is looked up in the table of rules by the kinds that
it takes.
"""

import re
from dataclasses import replace
from functools import partial

from helpers.reading.names import NameReader
from helpers.reading.ranges import RangeReader
from helpers.reading.tokens import ARITY, NESTED, SCRIPTS, Atom, ReadingError, parts, refuse, shown, tree
from helpers.reading.values import FUNCTIONS, HERE, RELATIONS, RULES, Misfit, Node, require, rule

__all__ = ["Reader"]

LINKS = {r"\in", r"\notin", *RELATIONS}
ENDS = {"", "+", "-", ",", "where", ":", ";", "&", r"\\", r"\mid", r"\dots", *LINKS}
LEVELS = {"+": 1, "-": 1, r"\cdot": 2, r"\times": 2, r"\odot": 2, "/": 3}
BRACKETS = {"(", r"\{", "{", "[", "|", r"\lvert", r"\langle", r"\lfloor", r"\lceil"}
DERIVATIVE = re.compile(r"\\frac (d|\\operatorname{d}|\\partial) { \1 [A-Za-z\\]\S* }")
DECOMPOSED = {"^", "^+", r"\det", r"\operatorname{rank}", r"\lVert_2", r"\lVert_*"}
DIVIDED = {
    r"\prod": "the product",
    r"\max": "the maximum",
    r"\min": "the minimum",
    r"\operatorname{rank}": "the rank",
}
FAILURES = {  # "" where the exception says it
    ZeroDivisionError: "this divides by 0",
    OverflowError: "this is too large for a number",
    KeyError: "how far an index runs would depend on itself",
    IndexError: "",
    ArithmeticError: "",
    Misfit: "",
    ValueError: "",
}
NO_POWER = {
    **dict.fromkeys("Tt", r"is the transpose meant? Write ^\top"),
    **{mark: f"no symbol with ^{mark} is declared" for mark in "+*-c"},
}
UNREAD = {
    r"\lim": "a limit",
    r"\int": "an integral",
    r"\arg": "an argmin inside a formula",
    "*": r"* (write \cdot)",
    r"\infty": "∞",
}


class Reader(NameReader, RangeReader):
    """Reads one formula with the names of a table.

    `scope` holds the indices that are bound here, each with the lengths of the families that carry it; `free`
    those that are not bound: the formula then holds for each of their values.
    """

    def __init__(self, tex, table, scope=None, may_be_free=True):
        self.tex, self.table, self.may_be_free, self.refuse = tex, table, may_be_free, partial(refuse, tex)
        self.row, self.i, self.end, self.depth = tree(tex), 0, len(tex), 0
        self.scope, self.free, self.ended = dict(scope or {}), {}, set()
        while self.row and str(self.row[-1]) in (".", ","):
            self.row.pop()  # the sentence's

    # ---- atoms

    @property
    def here(self):
        """The next atom; behind the last an empty one."""
        return self.row[self.i] if self.i < len(self.row) else Atom("", self.end, self.end)

    def next(self, own=""):
        """Go on; an atom may have those scripts that its reader looks at, so that none is passed over."""
        atom = self.here
        self.refuse(atom.at, "the formula ends here; something is missing", when=not atom.text)
        stray = atom.marks.strip(own)
        why = f"{stray[:1]} cannot stand at {atom.text}: write the power around it, ({atom.text} x)^2"
        self.refuse(atom.at, why, when=stray)
        self.i += 1
        return atom

    def whole(self, read):
        """Read all atoms."""
        found = read()
        self.refuse(self.here.at, f"{self.here.text} cannot stand here", when=self.here.text)
        return found

    def inside(self, row, at, read=None):
        """Read another row whole: a group, a script."""
        kept, self.row, self.i, self.end = (self.row, self.i, self.end), row, 0, row[-1].end if row else at
        found = self.whole(read or self.sum)
        self.row, self.i, self.end = kept
        return found

    # ---- nodes

    def node(self, at, kind, function, *operands, cost=1, **known):
        """A node whose failures get this place; `known` says more of it."""
        runs = [n.run for n in operands]

        def run(env):
            try:
                env.spend(cost)
                value = function(*[r(env) for r in runs])
                return float(value) if kind == "scalar" else value
            except ReadingError:
                raise
            except tuple(FAILURES) as e:
                self.refuse(at, FAILURES.get(type(e)) or str(e))

        return Node(kind, run, **known)

    def rule(self, at, operation, *kinds):
        try:
            return rule(operation, *kinds)
        except Misfit as e:
            self.refuse(at, str(e))

    def apply(self, at, operation, *operands, **known):
        """The node that the rule for these kinds gives."""
        kind, function = self.rule(at, operation, *[n.kind for n in operands])
        large = any(n.kind == "matrix" for n in operands)
        cost = 1 if not large else 100 if operation in DECOMPOSED else 5
        return self.node(at, kind, function, *operands, cost=cost, **known)

    # ---- relation, sum, product

    def sides(self):
        """sum { (= | < | ≤ …) sum }: the sums, and the relations between them."""
        nodes, links = [self.sum()], []
        while self.here.text in LINKS:
            links.append(self.next())
            nodes.append(self.sum())
        return nodes, links

    def relation(self):
        """True when every link holds; a sum where there is none."""
        at, (nodes, links) = self.here.at, self.sides()
        truths = [self.apply(link.at, link.text, a, b) for link, a, b in zip(links, nodes, nodes[1:])]
        return self.node(at, "truth", lambda *found: all(found), *truths) if links else nodes[0]

    def truth(self):
        at, node = self.here.at, self.relation()
        self.refuse(at, "a condition is missing here, such as i < j", when=node.kind != "truth")
        return node

    def sum(self):
        return self.expression(1)

    def product(self):
        return self.expression(2)

    def level(self):
        """How tightly the next operator binds; factors that stand side by side have none between them."""
        return LEVELS.get(self.here.text, 0 if self.here.text in ENDS else 3)

    def expression(self, level):
        """Operators of one level, from the left; of each operand those that bind more tightly."""
        start, at = self.i, self.here.at
        sign = self.next().text if level == 1 and self.here.text in ("+", "-") else "+"
        read = self.factor if level == 3 else lambda: self.expression(level + 1)
        node = read() if sign == "+" else self.apply(at, "minus", read())
        while self.level() == level:
            at, sign = self.here.at, self.next().text if self.here.text in LEVELS else ""
            if self.here.text == r"\dots":
                node = self.dots(self.row[start : self.i - 1], sign, at)
                continue
            number = sign == "" and str(self.here).lstrip("{ ")[:1].isdigit()
            self.refuse(at, r"a number behind a factor: is \cdot, a power or an index meant?", when=number)
            right = read()
            self.refuse_unclear(at, sign, node, right)
            inner = sign == r"\cdot" and node.kind == right.kind in ("column", "row")
            node = self.apply(at, sign, node, right, made="inner" if inner else sign)
        return node

    def refuse_unclear(self, at, sign, left, right):
        """What has two readings: u · v · w, A ⊙ B C, a / b c."""
        twice = sign == r"\cdot" and left.made == "inner" and right.kind != "scalar"
        self.refuse(at, "u · v · w has two readings: put brackets", when=twice)
        loose = {left.made, right.made} & {"", "/", r"\cdot", r"\times", "inner"}
        mixed = loose if sign == r"\odot" else left.made == r"\odot" and sign in LEVELS and LEVELS[sign] == 2
        self.refuse(at, "what is taken entry by entry? Put brackets around it", when=mixed)
        more = sign == "/" and self.here.text not in ENDS
        self.refuse(self.here.at, r"a/bc can be read in two ways: write \frac{a}{bc} or (a/b) c", when=more)

    def operand(self, word):
        """The product that Σ, Π, max, tr and rank take."""
        at, node = self.here.at, self.product()
        why = f"what does the slash divide? Put brackets: is {DIVIDED.get(word)} divided, or what it is of?"
        self.refuse(at, why, when=word in DIVIDED and node.made == "/")
        return node

    # ---- factor: what stands there with its scripts

    def factor(self):
        self.depth += 1
        self.refuse(self.here.at, f"more than {NESTED} operations inside each other", self.depth > NESTED)
        node = self.name() or self.primary()
        self.depth -= 1
        return node

    def scripted(self, node, atom):
        """With its entry taken, then its power."""
        self.refuse(atom.at, "a prime belongs to a declared symbol", when=atom.primes)
        both = node.kind == "matrix" and None not in (atom.sub, atom.sup)
        why = "an entry of the power, or a power of the entry? Write (A^{-1})_{ij} or (A_{ij})^{-1}"
        self.refuse(atom.at, why, when=both)
        if atom.sub is not None:
            node = self.apply(atom.at, "_+", node) if shown(atom.sub) == "+" else self.entry(node, atom)
        return node if atom.sup is None else self.power(node, atom.sup, atom.end)

    def power(self, node, row, end):
        at, text = row[0].at if row else end, shown(row)
        if row and row[-1].text == r"\top":
            return self.apply(at, r"^\top", self.power(node, row[:-1], end) if row[:-1] else node)
        if text == "+" and node.kind == "matrix":
            return self.apply(at, "^+", node)
        self.refuse(at, NO_POWER.get(text), when=text in NO_POWER and text not in self.table.bases)
        why = "an upper index in brackets is part of a name: declare it, or leave the brackets"
        self.refuse(at, why, when=len(row) == 1 and text[0] == "(")
        return self.apply(at, "^", node, self.inside(row, at))

    # ---- what stands there

    def primary(self):
        """A number, a bracket, or an operator with its argument."""
        text = self.here.text
        read, own = (Reader.number, SCRIPTS) if text[:1].isdigit() else READERS.get(text, (None, SCRIPTS))
        atom = self.next(own)
        self.refuse(atom.at, "something is missing here", when=text in ENDS)
        self.refuse(atom.at, f"{UNREAD.get(text, text)} cannot be read here", when=read is None)
        return read(self, atom)

    def function(self, atom):
        r"""\ln x, \ln (x + y), \log_2 p: over a bare product it is refused."""
        name, base, argument = atom.text, atom.sub, self.here
        node, after = self.apply(atom.at, name, self.factor()), self.here
        closed = argument.text in ("(", "[", r"\{", r"\lvert", "|")
        more = argument.sup or argument.sub or after.text in ("(", "[", r"\{")
        why = f"does this belong to what {name} is taken of? Put brackets around all of it"
        self.refuse(argument.end, why, when=closed and more)
        why = f"{name} of a product: put brackets, {name}(ab) or ({name} a) b"
        self.refuse(after.at, why, when=not closed and after.text not in ENDS)
        if not base:
            return node
        return self.apply(atom.at, "/", node, self.apply(atom.at, r"\ln", self.inside(base, atom.at)))

    def prefixed(self, atom):
        """tr and rank take the product that follows."""
        self.refuse_unclear_call()
        return self.apply(atom.at, atom.text, self.operand(atom.text))

    def refuse_unclear_call(self, may_be_raised=False):
        """tr (A) B and tr (A)^2: brackets that look like a call, with more behind them."""
        group, followed = self.here, any(a.text not in {"/", *ENDS} for a in self.row[self.i + 1 :][:1])
        more = followed or group.sup and not may_be_raised
        why = "does this belong to the argument? Put brackets around all of it, or around the call"
        self.refuse(group.at, why, when=group.text in ("(", "[") and not group.sub and more)

    def norm(self, atom):
        r"""\lVert x \rVert, with its order below: 1, 2, \infty, F, * or a number p."""
        node = self.inside(atom.inside[0], atom.at)
        order = r"\lVert" + (f"_{shown(atom.sub)}" if atom.sub else "")
        numbers = [] if order in RULES else [self.inside(atom.sub, atom.at)]
        node = self.apply(atom.at, r"\lVert_p" if numbers else order, node, *numbers)
        return self.scripted(node, replace(atom, sub=None))

    def largest(self, atom):
        r"""\max(a, b) and \max\{a, b\}, \min\{k : …\} and \#\{k : …\}, or \max_i."""
        if atom.sub and atom.text != r"\#":
            return self.big(atom)
        name, listed = atom.text, self.here.text in ("(", r"\{") and not (atom.sub or atom.sup)
        group = self.next(SCRIPTS) if listed else None
        why = f"{name} over what? Write {name}_i, {name}(a, b) or {name}\\{{a, b\\}}"
        self.refuse(atom.at, why, when=not group)
        if name == r"\#" or ":" in [a.text for a in group.inside[0]]:
            return self.members(atom, group)
        nodes = [self.inside(part, group.at) for part in parts(group.inside[0], ",")]
        function = [self.rule(atom.at, name, n.kind)[1] for n in nodes][0]
        node = self.node(atom.at, "scalar", lambda *found: function(found), *nodes)
        return self.scripted(node, group)

    def cases(self, atom):
        r"""\begin{cases} value & condition \\ … & \text{otherwise} \end{cases}: the first that holds."""
        rows = [parts(row, "&") for row in parts(atom.inside[0], r"\\") if row]
        self.refuse(atom.at, "each case is: value & condition", when={len(row) for row in rows} != {2})
        values = [self.inside(value, atom.end) for value, _ in rows]
        tests = [self.inside(condition, atom.end, self.condition) for _, condition in rows]
        kinds = sorted({v.kind for v in values})
        self.refuse(atom.at, "the cases are of different kinds: " + ", ".join(kinds), when=len(kinds) > 1)

        def run(env):
            chosen = next((value for value, test in zip(values, tests) if test.run(env)), None)
            require(chosen, r"no case holds here, and there is no \text{{otherwise}}")
            return chosen.run(env)

        return self.scripted(self.node(atom.at, kinds[0], run, HERE), atom)

    def number(self, atom):
        return self.scripted(Node("scalar", lambda env: float(atom.text), number=float(atom.text)), atom)

    def grouped(self, atom):
        """What stands in brackets, or what a command takes."""
        derivative = DERIVATIVE.match(str(atom))
        self.refuse(
            atom.at, r"a derivative is written \nabla_t, with the function behind it", when=derivative
        )
        rows = atom.inside if atom.text in ARITY else parts(atom.inside[0], ",")
        nodes = [self.inside(row, atom.at, self.relation) for row in rows]
        return self.scripted(self.apply(atom.at, atom.text, *nodes), atom)

    def condition(self):
        word = self.next().text if self.here.text.startswith(r"\text{") else ""
        return Node("truth", lambda env: True) if word == r"\text{otherwise}" else self.truth()


READERS = {  # and which scripts they look at
    **dict.fromkeys([*BRACKETS, r"\frac", r"\binom", r"\sqrt"], (Reader.grouped, SCRIPTS)),
    **dict.fromkeys(FUNCTIONS, (Reader.function, "")),
    r"\log": (Reader.function, "_"),
    r"\ln": (Reader.function, "_"),
    r"\operatorname{tr}": (Reader.prefixed, ""),
    r"\operatorname{rank}": (Reader.prefixed, ""),
    r"\lVert": (Reader.norm, SCRIPTS),
    r"\|": (Reader.norm, SCRIPTS),
    r"\begin{cases}": (Reader.cases, SCRIPTS),
    r"\max": (Reader.largest, "_^"),
    r"\min": (Reader.largest, "_^"),
    r"\#": (Reader.largest, "_^"),
    r"\sum": (Reader.big, "_^"),
    r"\prod": (Reader.big, "_^"),
    r"\nabla": (Reader.gradient, "_^"),
}
