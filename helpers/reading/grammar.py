r"""The grammar: tokens to a `Node`, which has a kind and a function of the `Environment`.

Nothing is kept but closures: a formula is compiled once and computed on each draw. The head of the package
shows the grammar that the methods of `Reader` follow, from `formula` down to `atom`.
"""

import math

import numpy as np

from helpers.reading.naming import NameReader
from helpers.reading.node import Node
from helpers.reading.ranges import RangeReader
from helpers.reading.tokens import NESTED, ReadingError, tokens
from helpers.reading.values import (
    FUNCTIONS,
    RELATIONS,
    Misfit,
    add,
    choose,
    inner,
    norm,
    odot,
    power,
    product,
    root,
    transpose,
)

__all__ = ["Reader"]

ENDS = {
    None,
    "+",
    "-",
    ")",
    "]",
    "}",
    ",",
    "where",
    ":",
    ";",
    "&",
    r"\\",
    r"\mid",
    r"\}",
    r"\rvert",
    r"\rVert",
    r"\rangle",
    r"\rfloor",
    r"\rceil",
    r"\in",
    r"\notin",
    r"\dots",
    r"\end{cases}",
    *RELATIONS,
}
DEAR = 100  # terms of a sum that one inverse or one norm of a matrix counts for
DERIVATIVES = ("d", r"\operatorname{d}", r"\partial")
SIGNS = (r"\cdot", r"\times", r"\odot")
PREFIXED = {r"\operatorname{tr}", r"\operatorname{rank}"}  # they take the product that follows
FAILURES = (Misfit, ArithmeticError, np.linalg.LinAlgError, ValueError)


class Reader(NameReader, RangeReader):
    """Reads one formula with the names of a table.

    `scope` holds the indices that are bound here, each with the lengths of the families that carry it; `free`
    those that are not bound: the formula then holds for each of their values.
    """

    def __init__(self, tex, table, scope=None, may_be_free=True):
        self.tex, self.table = tex, table
        self.toks = tokens(tex)
        self.i, self.end, self.depth, self.cost = 0, len(self.toks), 0, 0
        self.scope, self.free, self.bound_before = dict(scope or {}), {}, set()
        self.bars = self.norms = 0
        self.may_be_free = may_be_free
        while self.end and self.toks[self.end - 1].text in (".", ","):
            self.end -= 1  # the sentence's

    # ---- tokens

    def peek(self, ahead=0):
        return self.toks[self.i + ahead].text if self.i + ahead < self.end else None

    def next(self):
        if self.i >= self.end:
            raise self.error(self.i, "the formula ends here; something is missing")
        self.i += 1
        return self.toks[self.i - 1].text

    def want(self, text):
        if self.peek() != text:
            raise self.error(self.i, f"{text} is missing here")
        self.i += 1

    def error(self, i, why):
        at = self.toks[i].at if i < len(self.toks) else len(self.tex)
        return ReadingError(self.tex, at, why)

    def within(self, a, b, read=None):
        """Read the span from a to b whole."""
        kept, self.i, self.end = (self.i, self.end), a, b
        bars, self.bars, self.norms = (self.bars, self.norms), 0, 0
        node = (read or self.sum)()
        if self.i < self.end:
            raise self.error(self.i, f"{self.peek()} cannot stand here")
        (self.i, self.end), (self.bars, self.norms) = kept, bars
        return node

    def node(self, at, made, *nodes):
        """A node from (kind, function) and the nodes that the function takes; a misfit gets its place."""
        kind, function = made
        runs = [n.run for n in nodes]
        self.cost += 5 if any(n.kind == "matrix" for n in nodes) else 1

        def run(env):
            try:
                return function(*[r(env) for r in runs])
            except ReadingError:
                raise
            except FAILURES as e:
                raise self.error(at, _plain(e)) from None

        return Node(kind, run)

    def make(self, at, rule, *nodes, **options):
        """The node that a rule of `values` gives for these kinds."""
        try:
            return self.node(at, rule(*[n.kind for n in nodes], **options), *nodes)
        except Misfit as e:
            raise self.error(at, str(e)) from None

    def scalar(self, node, at, what):
        if node.kind != "scalar":
            raise self.error(at, f"{what} is a scalar, and this is a {node.kind}")
        return node

    # ---- formula, relation, sum, product

    def relation(self):
        """sum { (= | < | ≤ …) sum }: true when every link holds."""
        at, first = self.i, self.sum()
        if self.peek() in (r"\in", r"\notin"):
            return self.membership(first, self.next())
        nodes, links = [first], []
        while self.peek() in RELATIONS:
            links.append(RELATIONS[self.next()])
            nodes.append(self.sum())
        if not links:
            return first
        for n in nodes:
            self.scalar(n, at, "what a relation compares")
        return self.node(
            at, ("truth", lambda *v: all(f(a, b) for f, a, b in zip(links, _finite(v), v[1:]))), *nodes
        )

    def truth(self):
        at, node = self.i, self.relation()
        if node.kind != "truth":
            raise self.error(at, "a condition is missing here, such as i < j")
        return node

    def sum(self):
        """[+ | −] product { (+ | −) product }."""
        sign = self.next() if self.peek() in ("+", "-") else "+"
        at, node = self.i, self.product()
        left = node
        if sign == "-":
            left = self.node(at, (node.kind, lambda a: -a), node)
        while self.peek() in ("+", "-"):
            at, sign = self.i, self.next()
            if self.peek() == r"\dots":
                left = self.dots(left, node, sign, at)
                continue
            node = self.product()
            left = self.make(at, add, left, node, sign=1 if sign == "+" else -1)
        return left

    def product(self):
        r"""run { [· | × | ⊙] run }: u · A v is u · (A v)."""
        self.depth += 1
        if self.depth > NESTED:
            raise self.error(self.i, f"more than {NESTED} operations inside each other")
        self.pairs_of_bars = 0
        start, signs = self.i, set()
        node = self.run()
        while self.peek() in SIGNS:
            at, sign, single = self.i, self.next(), self.factors == 1
            right = self.run()
            signs.add(sign)
            if sign == r"\odot" and not single or r"\odot" in signs and (self.factors > 1 or len(signs) > 1):
                raise self.error(at, r"what is taken entry by entry? Put brackets around it")
            if sign == r"\cdot" and "inner" in signs and right.kind != "scalar":
                raise self.error(at, "u · v · w has two readings: put brackets")
            signs.update(["inner"] if node.kind == right.kind in ("column", "row") else [])
            node = self.joined(at, sign, node, right)
        if self.i == start:
            raise self.error(start, "something is missing here")
        self.depth -= 1
        return node

    def run(self):
        """factor { factor } [/ factor], from the left."""
        node, count = None, 0
        while not (self.peek() in ENDS or node and (self.closes_bar() or self.peek() in SIGNS)):
            at, sign = self.i, self.peek()
            count += 1
            if sign == "/" and node:
                self.i += 1
                node = self.divided(at, node)
                continue
            self.pairs_of_bars += sign == "|"
            if self.pairs_of_bars > 1:
                raise self.error(at, r"these bars can be paired in two ways: write \lvert … \rvert")
            if node and sign[0].isdigit():
                raise self.error(at, "a number behind a factor: is \\cdot, a power or an index meant?")
            bars = self.pairs_of_bars
            factor = self.factor()
            self.pairs_of_bars = bars
            node = factor if node is None else self.make(at, product, node, factor)
        if node is None:
            raise self.error(self.i, "something is missing here")
        self.factors = count
        return node

    def closes_bar(self):
        return self.peek() == "|" and self.bars or self.peek() == r"\|" and self.norms

    def divided(self, at, left):
        """Behind a slash only one factor may stand, since a/bc has two readings."""
        right = self.factor()
        if not (self.peek() in ENDS or self.closes_bar()):
            raise self.error(self.i, r"a/bc can be read in two ways: write \frac{a}{bc} or (a/b) c")
        return self.over(at, left, right)

    def joined(self, at, sign, left, right):
        if sign == r"\times" and {left.kind, right.kind} != {"scalar"}:
            raise self.error(at, r"\times stands between scalars")
        vectors = left.kind == right.kind != "matrix"
        return self.make(at, odot if sign == r"\odot" else inner if vectors else product, left, right)

    def over(self, at, top, bottom):
        self.scalar(bottom, at, "what is divided by")
        if top.kind not in ("scalar", "column", "row", "matrix", "unit"):
            raise self.error(at, f"a {top.kind} cannot be divided")
        return self.node(at, (top.kind, _divide), top, bottom)

    # ---- factor: an atom with what stands above and below it

    def factor(self):
        at = self.i
        self.depth += 1
        if self.depth > NESTED:
            raise self.error(at, f"more than {NESTED} operations inside each other")
        node, scripts = self.name() if self.at_name() else self.atom()
        found, more, self.i = self.scripts() if scripts is not None else ([], 0, self.i)
        if more:
            raise self.error(self.i - 1, "a prime belongs to a declared symbol")
        scripts = [*(scripts or []), *found]
        if node.kind == "matrix" and {"_"} < {s.mark for s in scripts}:
            raise self.error(
                at, "an entry of the power, or a power of the entry? Write (A^{-1})_{ij} or (A_{ij})^{-1}"
            )
        for script in sorted(scripts, key=lambda s: "_^T".index(s.mark)):
            node = self.scripted(node, script)
        self.depth -= 1
        return node

    def scripted(self, node, script):
        """Entry, positive part, transpose, inverse, power."""
        a, b = script.start, script.end
        text = "".join(t.text for t in self.toks[a:b])
        if script.mark == "_":
            return self.positive_part(node, script) if text == "+" else self.entry(node, script)
        if script.mark == "T" or text == r"\top":
            return self.make(script.at, transpose, node)
        if text == "+" and node.kind == "matrix":
            self.cost += DEAR
            return self.node(script.at, ("matrix", np.linalg.pinv), node)
        if text in ("T", "t") and text not in self.table.symbols:
            raise self.error(script.at, r"is the transpose meant? Write ^\top")
        if text[0] == "(" and self.behind(a) == b:
            raise self.error(
                script.at, "an upper index in brackets is part of a name: declare it, or leave the brackets"
            )
        if text in ("+", "*", "-", "c") and text not in self.table.symbols:
            raise self.error(script.at, f"no symbol with ^{text} is declared")
        exponent = self.scalar(self.within(a, b), a, "an exponent")
        self.cost += DEAR if node.kind == "matrix" else 0
        return self.make(script.at, lambda kind, _: power(kind), node, exponent)

    def positive_part(self, node, script):
        if node.kind not in ("scalar", "column", "row"):
            raise self.error(script.at, f"the positive part of a {node.kind}")
        keep = (lambda x: max(x, 0.0)) if node.kind == "scalar" else (lambda x: np.maximum(x, 0))
        return self.node(script.at, (node.kind, keep), node)

    # ---- atoms

    def atom(self):
        """(node, scripts that it may take): None for an operator, whose argument has taken them."""
        at, text = self.i, self.next()
        if text[0].isdigit():
            value = float(text)
            return Node("scalar", lambda env: value, ("number", value)), []
        if text in READERS:
            found = READERS[text](self, at)
            return found if isinstance(found, tuple) else (found, [])
        if text in (r"\sum", r"\prod") or text in (r"\max", r"\min") and self.peek() == "_":
            return self.big(text, at), None
        if text in (r"\max", r"\min"):
            return self.largest(text, at), []
        if text in PREFIXED:
            return self.prefixed(text, at), None
        if text in FUNCTIONS:
            return self.function(text, at), None
        if text == r"\nabla":
            return self.gradient(at)
        if text == r"\#":
            return self.count(at), []
        raise self.error(at, _unknown(text))

    def prefixed(self, text, at):
        """tr and rank take the product that follows."""
        self.unclear_bracket(at)
        start, node = self.i, self.product()
        if text.endswith("{rank}") and any(t.text == "/" for t in self.toks[start : self.i]):
            raise self.error(at, "is the rank divided, or what it is taken of? Put brackets")
        return self.applied(text, at, node)

    def unclear_bracket(self, at, power=True):
        """tr (A) B and tr (A)^2: brackets that look like a call, with more behind them."""
        if self.peek() not in ("(", "["):
            return
        end = self.behind(self.i)
        after = self.toks[end].text if end < self.end else None
        if after == "^" and power or after not in ENDS and after not in ("^", "_", "|", r"\|", "/"):
            raise self.error(
                end, "does this belong to the argument? Put brackets around all of it, or around the call"
            )

    def applied(self, text, at, node):
        takes, gives, function = FUNCTIONS[text]
        if node.kind != takes:
            raise self.error(at, f"{text} takes a {takes}, and this is a {node.kind}")
        self.cost += DEAR if takes == "matrix" else 0
        return self.node(at, (gives, function), node)

    def function(self, text, at):
        r"""\ln x, \ln (x + y), \log_2 p: over a bare product it is refused."""
        base = None
        if self.peek() == "_" and text in (r"\log", r"\ln"):
            found, _, self.i = self.scripts()
            base = self.scalar(self.within(found[0].start, found[0].end), at, "the base of a logarithm")
        if self.peek() in ("_", "^", "'"):
            raise self.error(self.i, f"write the power around it: ({text} x)^2")
        closed = self.peek() in ("(", "[", r"\{", r"\lvert", "|")
        node = self.atom()[0] if closed else self.factor()
        if closed and self.peek() in ("^", "_", "(", "[", r"\{"):
            raise self.error(
                self.i, f"does this belong to what {text} is taken of? Put brackets around all of it"
            )
        if not closed and not (self.peek() in ENDS or self.closes_bar()):
            raise self.error(self.i, f"{text} of a product: put brackets, {text}(ab) or ({text} a) b")
        node = self.applied(text, at, node)
        if base is None:
            return node
        return self.node(at, ("scalar", lambda x, b: x / FUNCTIONS[r"\ln"][2](b)), node, base)

    def largest(self, text, at):
        r"""\max(a, b) and \max\{a, b\}, or \min\{k : …\}."""
        if self.peek() not in ("(", r"\{"):
            raise self.error(at, f"{text} over what? Write {text}_i, {text}(a, b) or {text}\\{{a, b\\}}")
        end = self.behind(self.i)
        if any(t.text == ":" for t in self.toks[self.i : end]):
            return self.members(text, at)
        opener = self.next()
        nodes = [self.scalar(self.sum(), self.i, "what is compared")]
        while self.peek() == ",":
            self.i += 1
            nodes.append(self.scalar(self.sum(), self.i, "what is compared"))
        self.want(")" if opener == "(" else r"\}")
        best = max if text == r"\max" else min
        return self.node(at, ("scalar", lambda *v: best(_finite(v))), *nodes)

    def bracketed(self, at, close):
        node = self.isolated(self.sum)
        self.want(close)
        return node

    def isolated(self, read):
        """Bars opened outside a bracket are not closed inside."""
        bars, self.bars, self.norms = (self.bars, self.norms), 0, 0
        node = read()
        self.bars, self.norms = bars
        return node

    def square(self, at):
        """[ … ] groups; with a relation inside it is 1 or 0."""
        node = self.isolated(self.relation)
        self.want("]")
        return self.node(at, ("scalar", float), node) if node.kind == "truth" else node

    def braced(self, at):
        node = self.within(at + 1, self.behind(at) - 1)
        self.i = self.behind(at)
        return node

    def argument(self):
        """What a command takes: one token or a group; of 12 it takes the 1, as TeX does."""
        text = self.peek()
        if text and text.isdigit() and len(text) > 1:
            here = self.toks[self.i]
            self.toks[self.i : self.i + 1] = [here._replace(text=text[0]), type(here)(text[1:], here.at + 1)]
            self.end += 1
        a, b, behind = self.group(self.i)
        node = self.within(a, b)
        self.i = behind
        return node

    def fraction(self, at):
        (a, _, i), text = self.group(self.i), lambda j: self.toks[j].text if j < self.end else ""
        if text(a) in DERIVATIVES and i == self.i + 1 and text(i) == "{" and text(i + 1) == text(a):
            raise self.error(at, r"a derivative is written \nabla_t, with the function behind it")
        top = self.argument()
        return self.over(at, top, self.argument())

    def binomial(self, at):
        nodes = [self.scalar(self.argument(), at, "what a binomial takes") for _ in range(2)]
        return self.node(at, ("scalar", choose), *nodes)

    def square_root(self, at):
        if self.peek() == "[":
            raise self.error(self.i, "write a root as a power: x^{1/3}")
        return self.node(at, ("scalar", root), self.scalar(self.argument(), at, "what a root is taken of"))

    def absolute(self, at, close=r"\rvert"):
        plain, self.bars = close == "|", self.bars + (close == "|")
        node = self.sum() if plain else self.isolated(self.sum)
        self.want(close)
        self.bars -= plain
        if node.kind == "set":
            return self.node(at, ("scalar", lambda s: float(len(s))), node)
        if node.kind != "scalar":
            raise self.error(
                at, f"bars around a {node.kind}: \\lVert … \\rVert, \\det or \\operatorname{{rank}}?"
            )
        return self.node(at, ("scalar", abs), node)

    def norm(self, at, close=r"\rVert"):
        plain, self.norms = close == r"\|", self.norms + (close == r"\|")
        node = self.sum() if plain else self.isolated(self.sum)
        self.want(close)
        self.norms -= plain
        found, _, self.i = self.scripts()
        low = next((f for f in found if f.mark == "_"), None)
        rest = [f for f in found if f is not low]
        which = "".join(t.text for t in self.toks[low.start : low.end]) if low else ""
        self.cost += DEAR if node.kind == "matrix" else 0
        if which in ("", "1", "2", "F", "*", "0", r"\infty"):
            return self.make(at, lambda kind: ("scalar", norm(kind, which)), node), rest
        if node.kind not in ("column", "row"):
            raise self.error(at, f"a p-norm is of a column, not of a {node.kind}")
        p = self.scalar(self.within(low.start, low.end), low.start, "the p of a norm")
        return self.node(at, ("scalar", _p_norm), node, p), rest

    def angle(self, at):
        left = self.sum()
        self.want(",")
        right = self.sum()
        self.want(r"\rangle")
        if left.kind != right.kind or left.kind not in ("column", "row", "matrix"):
            raise self.error(at, f"an inner product of a {left.kind} and a {right.kind}")
        return self.make(at, inner, left, right)

    def rounded(self, at, close, function):
        node = self.scalar(self.isolated(self.sum), at, "what is rounded")
        self.want(close)
        return self.node(at, ("scalar", lambda x: float(function(x))), node)

    def cases(self, at):
        r"""\begin{cases} value & condition \\ … & \text{otherwise} \end{cases}: the first that holds."""
        values, tests = [], []
        while self.peek() not in (r"\end{cases}", None):
            values.append(self.sum())
            self.want("&")
            if (self.peek() or "").startswith(r"\text{"):
                if self.next() == r"\text{otherwise}":
                    tests.append(Node("truth", lambda env: True))
            if len(tests) < len(values):
                tests.append(self.truth())
            if self.peek() == r"\\":
                self.i += 1
        self.want(r"\end{cases}")
        kinds = {v.kind for v in values}
        if len(kinds) != 1:
            raise self.error(at, "the cases are of different kinds: " + ", ".join(sorted(kinds)))

        def run(env):
            for value, test in zip(values, tests):
                if test.run(env):
                    return value.run(env)
            raise self.error(at, "no case holds here, and there is no \\text{otherwise}")

        return Node(kinds.pop(), run)


def _plain(e):
    if isinstance(e, ZeroDivisionError):
        return "this divides by 0"
    return "this is too large for a number" if isinstance(e, OverflowError) else str(e) or type(e).__name__


def _finite(values):
    for v in values:
        if not math.isfinite(v):
            raise Misfit(f"{v} is no value")
    return values


def _divide(a, b):
    if b == 0:
        raise ZeroDivisionError
    return a / _finite([b])[0]


def _p_norm(x, p):
    if p < 1:
        raise Misfit(f"a p-norm needs p of at least 1, not {p:g}")
    return float((np.abs(x) ** p).sum() ** (1 / p))


def _unknown(text):
    words = {
        r"\lim": "a limit",
        r"\int": "an integral",
        r"\arg": "an argmin inside a formula",
        "*": r"* (write \cdot)",
        r"\infty": "∞",
    }
    if text.startswith(r"\text{"):
        return f"{text} is words: a line that is words says in_words=True"
    return f"{words.get(text, text)} cannot be read here"


READERS = {
    "(": lambda r, at: r.bracketed(at, ")"),
    r"\{": lambda r, at: r.bracketed(at, r"\}"),
    "[": Reader.square,
    "{": Reader.braced,
    r"\frac": Reader.fraction,
    r"\binom": Reader.binomial,
    r"\sqrt": Reader.square_root,
    r"\lvert": Reader.absolute,
    "|": lambda r, at: r.absolute(at, "|"),
    r"\lVert": Reader.norm,
    r"\|": lambda r, at: r.norm(at, r"\|"),
    r"\langle": Reader.angle,
    r"\begin{cases}": Reader.cases,
    r"\lfloor": lambda r, at: r.rounded(at, r"\rfloor", math.floor),
    r"\lceil": lambda r, at: r.rounded(at, r"\rceil", math.ceil),
}
