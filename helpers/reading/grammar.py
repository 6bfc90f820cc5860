r"""The grammar: tokens to a `Node`, which has a kind and a function of the `Environment`.

Nothing is kept but closures: a formula is compiled once and computed on each draw. The head of the package
shows the grammar that the methods of `Reader` follow: operators by their level in one table, then a factor
with its scripts, then what stands there. Each operation is looked up in the table of rules by the kinds that
it takes.
"""

import re

from helpers.reading.naming import NameReader
from helpers.reading.ranges import RangeReader
from helpers.reading.tokens import NESTED, ReadingError, Token, parts, refuse, shown, tree
from helpers.reading.values import FUNCTIONS, HERE, RELATIONS, RULES, Misfit, Node, require, rule

__all__ = ["Reader"]

ENDS = {None, "+", "-", ",", "where", ":", ";", "&", r"\\", r"\mid", r"\dots", r"\in", r"\notin", *RELATIONS}
LEVELS = {"+": 1, "-": 1, r"\cdot": 2, r"\times": 2, r"\odot": 2, "/": 3}
BRACKETS = {"(", r"\{", "{", "[", "|", r"\lvert", r"\langle", r"\lfloor", r"\lceil"}
COMMANDS = {r"\frac": ("/", 2), r"\binom": (r"\binom", 2), r"\sqrt": (r"\sqrt", 1)}
DERIVATIVE = re.compile(r"(d|\\operatorname{d}|\\partial) { \1 .*")
DECOMPOSED = {"^", "^+", r"\det", r"\operatorname{rank}", r"\lVert_2", r"\lVert_*"}
DIVIDED = {
    r"\prod": "the product",
    r"\max": "the maximum",
    r"\min": "the minimum",
    r"\operatorname{rank}": "the rank",
}
FAILURES = {
    ZeroDivisionError: "this divides by 0",
    OverflowError: "this is too large for a number",
    KeyError: "how far an index runs would depend on itself",
    IndexError: "",
    ArithmeticError: "",
    Misfit: "",
    ValueError: "",
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
        self.tex, self.table, self.may_be_free = tex, table, may_be_free
        self.toks, self.i, self.end, self.depth = tree(tex), 0, len(tex), 0
        self.scope, self.free, self.ended = dict(scope or {}), {}, set()
        while self.toks and self.toks[-1].text in (".", ","):
            self.toks.pop()  # the sentence's

    # ---- tokens

    def peek(self, ahead=0):
        return self.toks[self.i + ahead].text if self.i + ahead < len(self.toks) else None

    @property
    def at(self):
        """The place of the next token."""
        return self.toks[self.i].at if self.i < len(self.toks) else self.end

    def next(self):
        self.refuse(self.at, "the formula ends here; something is missing", when=self.peek() is None)
        self.i += 1
        return self.toks[self.i - 1]

    def refuse(self, at, why, when=True):
        refuse(self.tex, at, why, when)

    def whole(self, read):
        """Read all tokens."""
        found = read()
        self.refuse(self.at, f"{self.peek()} cannot stand here", when=self.peek() is not None)
        return found

    def inside(self, toks, end, read=None):
        """Read other tokens whole: a group, a script."""
        kept, self.toks, self.i, self.end = (self.toks, self.i, self.end), toks, 0, end
        found = self.whole(read or self.sum)
        self.toks, self.i, self.end = kept
        return found

    # ---- nodes

    def node(self, at, kind, function, *operands, cost=1, **known):
        """A node whose failures get this place; `known` says more of it."""
        runs = [n.run for n in operands]

        def run(env):
            try:
                value = function(*[r(env) for r in runs])
                return float(value) if kind == "scalar" else value
            except ReadingError:
                raise
            except tuple(FAILURES) as e:
                self.refuse(at, FAILURES.get(type(e)) or str(e))

        return Node(kind, run, cost + sum(n.cost for n in operands), **known)

    def rule(self, at, operation, *kinds):
        try:
            return rule(operation, *kinds)
        except Misfit as e:
            self.refuse(at, str(e))

    def apply(self, at, operation, *operands, made=None, **known):
        """The node that the rule for these kinds gives."""
        kind, function = self.rule(at, operation, *[n.kind for n in operands])
        large = any(n.kind == "matrix" for n in operands)
        cost = 1 if not large else 100 if operation in DECOMPOSED else 5
        return self.node(at, kind, function, *operands, cost=cost, made=made, **known)

    # ---- relation, sum, product

    def sides(self):
        """sum { (= | < | ≤ …) sum }: the sums, and the relations between them."""
        nodes, links = [self.sum()], []
        while self.peek() in {r"\in", r"\notin", *RELATIONS}:
            links.append(self.next())
            nodes.append(self.sum())
        return nodes, links

    def relation(self):
        """True when every link holds; a sum where there is none."""
        at, (nodes, links) = self.at, self.sides()
        truths = [self.apply(t.at, t.text, a, b) for t, a, b in zip(links, nodes, nodes[1:])]
        return self.node(at, "truth", lambda *found: all(found), *truths) if links else nodes[0]

    def truth(self):
        at, node = self.at, self.relation()
        self.refuse(at, "a condition is missing here, such as i < j", when=node.kind != "truth")
        return node

    def sum(self):
        return self.expression(1)

    def product(self):
        return self.expression(2)

    def level(self):
        """How tightly the next operator binds; factors that stand side by side have none between them."""
        return LEVELS.get(self.peek(), 0 if self.peek() in ENDS else 3)

    def expression(self, level):
        """Operators of one level, from the left; of each operand those that bind more tightly."""
        at, sign = self.at, self.next().text if level == 1 and self.peek() in ("+", "-") else "+"
        read = self.factor if level == 3 else lambda: self.expression(level + 1)
        node = read() if sign == "+" else self.apply(at, "minus", read())
        while self.level() == level:
            at, sign = self.at, self.next().text if self.peek() in LEVELS else ""
            if self.peek() == r"\dots":
                node = self.dots(node, sign, at)
                continue
            number = sign == "" and self.peek()[0].isdigit()
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
        more = sign == "/" and self.peek() not in ENDS
        self.refuse(self.at, r"a/bc can be read in two ways: write \frac{a}{bc} or (a/b) c", when=more)

    def operand(self, word):
        """The product that Σ, Π, max, tr and rank take."""
        at, node = self.at, self.product()
        self.refuse(
            at,
            f"what does the slash divide? Put brackets: is {DIVIDED.get(word)} divided, or what it is of?",
            when=word in DIVIDED and node.made == "/",
        )
        return node

    # ---- factor: what stands there with its scripts

    def factor(self):
        self.depth += 1
        self.refuse(self.at, f"more than {NESTED} operations inside each other", when=self.depth > NESTED)
        node = self.name() or self.primary()
        node = self.raised(node, self.scripts())
        self.depth -= 1
        return node

    def raised(self, node, scripts):
        """With its entry taken, then its power."""
        two = node.kind == "matrix" and {"_"} < {s.mark for s in scripts}
        self.refuse(
            self.at,
            "an entry of the power, or a power of the entry? Write (A^{-1})_{ij} or (A_{ij})^{-1}",
            when=two,
        )
        for script in sorted(scripts, key=lambda s: s.mark, reverse=True):
            node = self.scripted(node, script)
        return node

    def scripted(self, node, script):
        """Entry, positive part, transpose, pseudoinverse, power."""
        text, at, undeclared = script.text, script.at, script.text not in self.table.bases
        if script.mark + text in (r"^\top", "_+") or text == "+" and node.kind == "matrix":
            return self.apply(at, script.mark + text, node)
        if script.mark == "_":
            return self.entry(node, script)
        self.refuse(at, r"is the transpose meant? Write ^\top", when=text in ("T", "t") and undeclared)
        self.refuse(
            at, f"no symbol with ^{text} is declared", when=text in ("+", "*", "-", "c") and undeclared
        )
        named = len(script.toks) == 1 and text[0] == "("
        self.refuse(
            at, "an upper index in brackets is part of a name: declare it, or leave the brackets", named
        )
        return self.apply(at, "^", node, self.inside(script.toks, script.end))

    # ---- what stands there

    def primary(self):
        """A number, a bracket, or an operator with its argument."""
        token = self.next()
        at, text = token.at, token.text
        if text[0].isdigit():
            return Node("scalar", lambda env: float(text), number=float(text))
        if text in BRACKETS:
            nodes = [self.inside(part, token.end - 1, self.relation) for part in parts(token.inside, ",")]
            return self.apply(at, text, *nodes)
        if text in COMMANDS:
            derivative = DERIVATIVE.fullmatch(shown(self.toks[self.i : self.i + 2]))
            self.refuse(at, r"a derivative is written \nabla_t, with the function behind it", when=derivative)
            operation, count = COMMANDS[text]
            return self.apply(at, operation, *[self.argument() for _ in range(count)])
        self.refuse(at, "something is missing here", when=text in ENDS)
        words = f"{text} is words: a line that is words says in_words=True"
        self.refuse(at, words, when=text.startswith(r"\text{"))
        self.refuse(
            at, f"{UNREAD.get(text, text)} cannot be read here", when=text not in {*READERS, *FUNCTIONS}
        )
        return READERS.get(text, Reader.function)(self, token)

    def argument(self):
        """What a command takes: one token or a group; of 12 it takes the 1, as TeX does."""
        token = self.next()
        self.refuse(token.at, "write a root as a power: x^{1/3}", when=token.text == "[")
        self.refuse(token.at, "something is missing here: put braces", token.inside and token.text != "{")
        if re.fullmatch(r"\d\d+", token.text):
            self.i -= 1
            self.toks[self.i] = Token(token.text[1:], token.at + 1, token.end)
            token = Token(token.text[0], token.at, token.at + 1)
        return self.inside(token.inside if token.text == "{" else [token], token.end - 1)

    def function(self, token):
        r"""\ln x, \ln (x + y), \log_2 p: over a bare product it is refused."""
        name, scripts = token.text, self.scripts()
        base = scripts.pop(0) if name in (r"\log", r"\ln") and scripts and scripts[0].mark == "_" else None
        self.refuse(token.at, f"write the power around it: ({name} x)^2", when=scripts)
        closed = self.peek() in ("(", "[", r"\{", r"\lvert", "|")
        node = self.apply(token.at, name, self.primary() if closed else self.factor())
        more = closed and self.peek() in ("^", "_", "(", "[", r"\{")
        self.refuse(
            self.at, f"does this belong to what {name} is taken of? Put brackets around all of it", more
        )
        product = not closed and self.peek() not in ENDS
        self.refuse(self.at, f"{name} of a product: put brackets, {name}(ab) or ({name} a) b", when=product)
        if base is None:
            return node
        base = self.apply(token.at, r"\ln", self.inside(base.toks, base.end))
        return self.apply(token.at, "/", node, base)

    def prefixed(self, token):
        """tr and rank take the product that follows."""
        self.refuse_unclear_call()
        return self.apply(token.at, token.text, self.operand(token.text))

    def refuse_unclear_call(self, clear=("_", "/")):
        """tr (A) B and tr (A)^2: brackets that look like a call, with more behind them."""
        after = self.peek(1) if self.peek() in ("(", "[") else None
        self.refuse(
            self.at,
            "does this belong to the argument? Put brackets around all of it, or around the call",
            when=after not in ENDS and after not in clear,
        )

    def norm(self, token):
        r"""\lVert x \rVert, with its order below: 1, 2, \infty, F, * or a number p."""
        node, scripts = self.inside(token.inside, token.end - 1), self.scripts()
        low = [s for s in scripts if s.mark == "_"]
        order = r"\lVert" + "".join(f"_{s.text}" for s in low)
        numbers = [] if order in RULES else [self.inside(s.toks, s.end) for s in low]
        node = self.apply(token.at, r"\lVert_p" if numbers else order, node, *numbers)
        return self.raised(node, [s for s in scripts if s.mark != "_"])

    def largest(self, token):
        r"""\max(a, b) and \max\{a, b\}, \min\{k : …\} and \#\{k : …\}, or \max_i."""
        if self.peek() == "_" and token.text != r"\#":
            return self.big(token)
        name, group = token.text, self.next() if self.peek() in ("(", r"\{") else None
        self.refuse(
            token.at, f"{name} over what? Write {name}_i, {name}(a, b) or {name}\\{{a, b\\}}", not group
        )
        if name == r"\#" or ":" in [t.text for t in group.inside]:
            return self.members(token, group)
        nodes = [self.inside(part, group.end - 1) for part in parts(group.inside, ",")]
        function = [self.rule(token.at, name, n.kind)[1] for n in nodes][0]
        return self.node(token.at, "scalar", lambda *found: function(found), *nodes)

    def cases(self, token):
        r"""\begin{cases} value & condition \\ … & \text{otherwise} \end{cases}: the first that holds."""
        rows = [parts(row, "&") for row in parts(token.inside, r"\\") if row]
        self.refuse(token.at, "each case is: value & condition", when={len(row) for row in rows} != {2})
        values = [self.inside(value, token.end) for value, _ in rows]
        tests = [self.inside(condition, token.end, self.condition) for _, condition in rows]
        kinds = sorted({v.kind for v in values})
        self.refuse(token.at, "the cases are of different kinds: " + ", ".join(kinds), when=len(kinds) > 1)

        def run(env):
            chosen = next((value for value, test in zip(values, tests) if test.run(env)), None)
            require(chosen, r"no case holds here, and there is no \text{{otherwise}}")
            return chosen.run(env)

        return self.node(token.at, kinds[0], run, HERE, cost=sum(n.cost for n in [*values, *tests]))

    def condition(self):
        word = self.next().text if (self.peek() or "").startswith(r"\text{") else ""
        return Node("truth", lambda env: True) if word == r"\text{otherwise}" else self.truth()


READERS = {
    r"\lVert": Reader.norm,
    r"\|": Reader.norm,
    r"\begin{cases}": Reader.cases,
    r"\operatorname{tr}": Reader.prefixed,
    r"\operatorname{rank}": Reader.prefixed,
    r"\max": Reader.largest,
    r"\min": Reader.largest,
    r"\sum": Reader.big,
    r"\prod": Reader.big,
    r"\#": Reader.largest,
    r"\nabla": Reader.gradient,
}
