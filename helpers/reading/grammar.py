r"""The grammar: tokens to a `Node`, which has a kind and a function of the `Environment`.

Nothing is kept but closures: a formula is compiled once and computed on each draw. The head of the package
shows the grammar that the methods of `Reader` follow: operators by their level in one table, then a factor
with its scripts, then what stands there. Each operation is looked up in the table of rules by the kinds that
it takes.
"""

import math
import re

from helpers.reading.meaning import Names, Scope
from helpers.reading.nodes import Maker
from helpers.reading.spelling import SEPARATORS, caught, is_letter, patterns
from helpers.reading.tokens import NESTED, Cursor, Token, parts, shown, tree
from helpers.reading.values import FUNCTIONS, HERE, OUTCOME, RELATIONS, RULES, Node, taken, unit_matrix

ENDS = {None, "+", "-", ",", "where", ":", ";", "&", r"\\", r"\mid", r"\dots", r"\in", r"\notin", *RELATIONS}
LEVELS = {"+": 1, "-": 1, r"\cdot": 2, r"\times": 2, r"\odot": 2, "/": 3}
BRACKETS = {"(", r"\{", "{", "[", "|", r"\lvert", r"\langle", r"\lfloor", r"\lceil"}
COMMANDS = {r"\frac": ("/", 2), r"\binom": (r"\binom", 2), r"\sqrt": (r"\sqrt", 1)}
DERIVATIVE = re.compile(r"(d|\\operatorname{d}|\\partial) { \1 .*")
DIVIDED = {
    r"\prod": "product",
    r"\max": "maximum",
    r"\min": "minimum",
    r"\arg\max": "place",
    r"\arg\min": "place",
    r"\operatorname{rank}": "rank",
}
UNREAD = {
    r"\lim": "a limit",
    r"\int": "an integral",
    "*": r"* (write \cdot)",
    r"\infty": "∞",
}
ENTRIES = {"column": patterns("i", "i"), "row": patterns("i", "i"), "matrix": patterns("i j", "ij")}
BOTH_ENDS = r"a range needs both ends: \sum_{i=1}^{n}"


class Reader:
    """Reads one formula with the names of a table.

    `bound` holds the indices that are bound from outside, each with its carriers; where `may_be_free`, others
    may stand free. What is beside the grammar is done by others: `cursor` holds the tokens, `scope` the
    indices; `names` finds symbols, `make` makes nodes.
    """

    def __init__(self, tex, table, bound=(), may_be_free=True):
        self.table, self.depth, self.summing = table, 0, ()
        self.cursor = Cursor(tex)
        self.refuse = self.cursor.refuse
        self.scope = Scope(table, self.refuse, bound, may_be_free)
        self.names = Names(table, self.cursor, self.scope)
        self.make = Maker(self.refuse)

    def inside(self, toks, end, read=None):
        """Other tokens, read whole."""
        summing, self.summing = self.summing, ()
        found = self.cursor.inside(toks, end, read or self.sum)
        self.summing = summing
        return found

    # ---- relation, sum, product

    def sides(self):
        """sum { (= | < | ≤ …) sum }: the sums, and the relations between them."""
        nodes, links = [self.sum()], []
        while self.cursor.peek() in {r"\in", r"\notin", *RELATIONS}:
            links.append(self.cursor.next())
            nodes.append(self.sum())
        return nodes, links

    def relation(self):
        """True when every link holds; a sum where there is none."""
        at, (nodes, links) = self.cursor.at, self.sides()
        truths = [self.make.apply(t.at, t.text, a, b) for t, a, b in zip(links, nodes, nodes[1:])]
        return self.make.node(at, "truth", lambda *found: all(found), *truths) if links else nodes[0]

    def truth(self):
        at, node = self.cursor.at, self.relation()
        self.refuse(at, "a condition is missing here, such as i < j", when=node.kind != "truth")
        return node

    def sum(self):
        return self.expression(1)

    def product(self):
        return self.expression(2)

    def level(self):
        """How tightly the next operator binds; factors that stand side by side have none between them."""
        return LEVELS.get(self.cursor.peek(), 0 if self.cursor.peek() in ENDS else 3)

    def expression(self, level):
        """Operators of one level, from the left; of each operand those that bind more tightly."""
        cursor, at = self.cursor, self.cursor.at
        sign = cursor.next().text if level == 1 and cursor.peek() in ("+", "-") else "+"
        read = self.factor if level == 3 else lambda: self.expression(level + 1)
        node = last = read() if sign == "+" else self.make.apply(at, "minus", read())
        before = None
        while self.level() == level:
            at, sign = cursor.at, cursor.next().text if cursor.peek() in LEVELS else ""
            if cursor.peek() == r"\dots":
                node = last = self.dots(before, last, sign, at)
                continue
            number = sign == "" and cursor.peek()[0].isdigit()
            self.refuse(at, r"a number behind a factor: is \cdot, a power or an index meant?", when=number)
            right = read()
            self.refuse_unclear(at, sign, node, right)
            inner = sign == r"\cdot" and node.kind == right.kind in ("column", "row")
            before, last = (node, last, sign), right
            node = self.make.apply(at, sign, node, right, made="inner" if inner else sign)
        return node

    def refuse_unclear(self, at, sign, left, right):
        """What has two readings: u · v · w, A ⊙ B C, a / b c."""
        twice = sign == r"\cdot" and left.made == "inner" and right.kind != "scalar"
        self.refuse(at, "u · v · w has two readings: put brackets", when=twice)
        loose = {left.made, right.made} & {"", "/", r"\cdot", r"\times", "inner"}
        mixed = loose if sign == r"\odot" else left.made == r"\odot" and sign in LEVELS and LEVELS[sign] == 2
        self.refuse(at, "what is taken entry by entry? Put brackets around it", when=mixed)
        more = sign == "/" and self.cursor.peek() not in {"/", *ENDS}
        self.refuse(self.cursor.at, r"a/bc can be read in two ways: write \frac{a}{bc} or (a/b) c", when=more)

    # ---- factor: what stands there with its scripts

    def factor(self):
        self.depth += 1
        why = f"more than {NESTED} operations inside each other"
        self.refuse(self.cursor.at, why, when=self.depth > NESTED)
        node = self.name() or self.primary()
        node = self.raised(node, self.names.scripts())
        self.depth -= 1
        return node

    def raised(self, node, scripts):
        """With its entry taken, then its power."""
        two = node.kind == "matrix" and {"_"} < {s.mark for s in scripts}
        why = "an entry of the power, or a power of the entry? Write (A^{-1})_{ij} or (A_{ij})^{-1}"
        self.refuse(self.cursor.at, why, when=two)
        for script in sorted(scripts, key=lambda s: s.mark, reverse=True):
            node = self.scripted(node, script)
        return node

    def scripted(self, node, script):
        """Entry, positive part, transpose, pseudoinverse, power."""
        text, at, undeclared = script.text, script.at, script.text not in self.table.bases
        if script.mark + text in (r"^\top", "_+") or text == "+" and node.kind == "matrix":
            return self.make.apply(at, script.mark + text, node)
        if script.mark == "_":
            return self.entry(node, script)
        turns = node.kind in ("column", "row", "matrix")
        if text == "T" and undeclared and turns:
            return self.make.apply(at, r"^\top", node)
        why = r"is the transpose meant? Write ^\top; the power T is ^{1 \cdot T}"
        self.refuse(at, why, when=text in ("T", "t") and (turns or undeclared))
        marked = text in ("+", "*", "-", "c") and undeclared
        self.refuse(at, f"no symbol with ^{text} is declared", when=marked)
        named = len(script.toks) == 1 and text[0] == "("
        why = "an upper index in brackets is part of a name: declare it, or leave the brackets"
        self.refuse(at, why, when=named)
        return self.make.power(at, node, self.inside(script.toks, script.end))

    def entry(self, node, script):
        """x_i of a column, A_{ij} of a matrix, counted from 1; I_k."""
        at = script.at
        if node.kind == "unit":
            size = self.make.apply(at, "the size of a unit matrix", self.inside(script.toks, at))
            return self.make.node(at, "matrix", unit_matrix, HERE, node, size)
        found = caught(ENTRIES[node.kind], script) if node.kind in ENTRIES else None
        self.refuse(at, f"an index of a {node.kind}: declare what its parts are called", when=found is None)
        lengths = [lambda env, axis=axis: node.run(env).shape[axis] for axis in range(2)]
        indices = [self.index(text, at, length) for text, length in zip(found.values(), lengths)]

        def value(env, *numbers):
            return taken(node.run(env), numbers)

        member = node.member[0] or object(), value, indices
        return self.make.node(at, "scalar", value, HERE, *indices, member=member)

    # ---- names, their indices, and calls

    def name(self):
        """The node of the name that stands here; None where none does."""
        at, base = self.cursor.at, self.names.base()
        if base is None:
            return None
        if base[0] in AS_TYPED and base[0] not in self.table.bases and not self.scope.knows(base[0]):
            return AS_TYPED[base[0]](self, at, *base)
        symbol, texts, left = self.names.find(*base)
        if symbol is None:
            return self.raised(self.make.node(at, "scalar", float, self.index(base[0], at)), left)
        if symbol.kind not in ("expectation", "probability"):
            return self.raised(self.symbol_node(symbol, texts, at), left)
        self.refuse(at, f"put brackets: ({symbol.text} …)^2", when=left)
        closed = symbol.kind == "expectation" and self.cursor.peek() == "["
        node = self.expectation(symbol, at)
        return self.raised(node, self.names.scripts()) if closed else node

    def euler(self, at, base, behind):
        r"""e^x where no e is declared: \exp(x)."""
        powers = self.cursor.toks[behind : behind + 1]
        why = f"{self.names.undeclared(base, 0)}; e with an exponent is read"
        self.refuse(at, why, when=not powers or powers[0].text != "^")
        self.cursor.i = behind
        return self.raised(Node("scalar", lambda env: math.e, number=math.e), self.names.scripts())

    def indicator(self, at, base, behind):
        r"""\mathbb 1\{a < b\} and \mathbf 1_{a < b} where no such ones are declared: [a < b]."""
        self.cursor.i = behind
        scripts = self.names.scripts() if self.cursor.peek() == "_" else []
        toks = scripts[0].toks if scripts else self.cursor.toks[behind : behind + 1]
        opened = toks[0] if len(toks) == 1 and toks[0].text in (r"\{", "(", "[") else None
        why = f"{self.names.undeclared(base, 0)}; what is counted stands in a bracket: [a = b]"
        self.refuse(at, why, when=not (scripts or opened) or len(scripts) > 1)
        self.cursor.i += not scripts
        inside = opened.inside if opened else toks
        node = self.make.apply(at, "[", self.inside(inside, toks[-1].end, self.truth))
        return self.raised(node, self.names.scripts())

    def index(self, text, at, carrier=None):
        """A letter, whose carrier is noted, or a number that is computed."""
        if self.scope.knows(text):
            return self.scope.index(text, at, carrier)
        node = self.inside(tree(text, at), at)
        return self.make.apply(at, "an index", node, number=node.number)

    def symbol_node(self, symbol, texts, at):
        symbol.compile(self.table)
        random = symbol.random and OUTCOME not in self.scope.bound
        self.refuse(at, f"{symbol.text} is random: take its expectation or a probability", when=random)
        indices = [self.index(texts.get(x, x), at, symbol.extents.get(x)) for x in symbol.indices]
        if symbol.is_function:
            return self.call(symbol, indices, at)
        self.cursor.i += symbol.spelling.args is not None  # H(a | b) is a name
        member = symbol.text, symbol.value, indices
        return self.make.node(at, symbol.kind, symbol.value, HERE, *indices, member=member)

    def call(self, symbol, indices, at):
        group = self.cursor.next()
        pairs = zip(parts(group.inside, *SEPARATORS), symbol.parameters)
        first, *others = [self.argument_of(symbol, toks, parameter, group) for toks, parameter in pairs]

        def value(env, x):
            return symbol.call(env, *[n.run(env) for n in indices], x, *[n.run(env) for n in others])

        varied, operands = (first, value), (HERE, *indices, first, *others)
        return self.make.node(at, symbol.kind, symbol.call, *operands, varied=varied)

    def argument_of(self, symbol, toks, parameter, group):
        """A value of the parameter's kind, or an index."""
        if parameter.kind == "index":
            return self.index(shown(toks), group.at, self.table.extents(parameter.text)[0])
        parameter.compile(self.table)
        node, kind = self.inside(toks, group.end - 1), parameter.kind
        why = f"{symbol.text} takes a {kind} here, and this is a {node.kind}"
        self.refuse(group.at, why, when=node.kind != kind)
        return node

    # ---- what else stands there

    def primary(self):
        """A number, a bracket, or an operator with its argument."""
        token = self.cursor.next()
        at, text = token.at, token.text
        if text[0].isdigit():
            return Node("scalar", lambda env: float(text), number=float(text))
        if text in BRACKETS:
            nodes = [self.inside(part, token.end - 1, self.relation) for part in parts(token.inside, ",")]
            return self.make.apply(at, text, *nodes)
        if text in COMMANDS:
            return self.command(token)
        self.refuse(at, "something is missing here", when=text in ENDS)
        words = f"{text} is words: a line that is words says in_words=True"
        self.refuse(at, words, when=text.startswith(r"\text{"))
        unknown = text not in {*READERS, *FUNCTIONS}
        self.refuse(at, f"{UNREAD.get(text, text)} cannot be read here", when=unknown)
        return READERS.get(text, Reader.function)(self, token)

    def command(self, token):
        r"""\frac{}{}, \binom{}{}, \sqrt{}."""
        derivative = DERIVATIVE.fullmatch(shown(self.cursor.toks[self.cursor.i :][:2]))
        why = r"a derivative is written \nabla_t, with the function behind it"
        self.refuse(token.at, why, when=derivative)
        operation, count = COMMANDS[token.text]
        nodes = [self.inside(*self.cursor.argument()) for _ in range(count)]
        return self.make.apply(token.at, operation, *nodes)

    def function(self, token):
        r"""\ln x, \ln (x + y), \log_2 p: over a bare product it is refused."""
        cursor, name, scripts = self.cursor, token.text, self.names.scripts()
        base = scripts.pop(0) if name in (r"\log", r"\ln") and scripts and scripts[0].mark == "_" else None
        self.refuse(token.at, f"write the power around it: ({name} x)^2", when=scripts)
        closed = cursor.peek() in ("(", "[", r"\{", r"\lvert", "|")
        node = self.make.apply(token.at, name, self.primary() if closed else self.factor())
        more = closed and cursor.peek() in ("^", "_", "(", "[", r"\{")
        why = f"does this belong to what {name} is taken of? Put brackets around all of it"
        self.refuse(cursor.at, why, when=more)
        product = not closed and cursor.peek() not in ENDS
        self.refuse(cursor.at, f"{name} of a product: put brackets, {name}(ab) or ({name} a) b", when=product)
        if base is None:
            return node
        base = self.make.apply(token.at, r"\ln", self.inside(base.toks, base.end))
        return self.make.apply(token.at, "/", node, base)

    def norm(self, token):
        r"""\lVert x \rVert, with its order below: 1, 2, \infty, F, * or a number p."""
        node, scripts = self.inside(token.inside, token.end - 1), self.names.scripts()
        low = [s for s in scripts if s.mark == "_"]
        order = r"\lVert" + "".join(f"_{s.text}" for s in low)
        numbers = [] if order in RULES else [self.inside(s.toks, s.end) for s in low]
        node = self.make.apply(token.at, r"\lVert of an order" if numbers else order, node, *numbers)
        return self.raised(node, [s for s in scripts if s.mark != "_"])

    def cases(self, token):
        r"""\begin{cases} value & condition \\ … & \text{otherwise} \end{cases}: the first that holds."""
        rows = [parts(row, "&") for row in parts(token.inside, r"\\") if row]
        self.refuse(token.at, "each case is: value & condition", when={len(row) for row in rows} != {2})
        values = [self.inside(value, token.end) for value, _ in rows]
        tests = [self.inside(condition, token.end, self.condition) for _, condition in rows]
        return self.make.first(token.at, values, tests)

    def condition(self):
        word = self.cursor.next().text if (self.cursor.peek() or "").startswith(r"\text{") else ""
        return Node("truth", lambda env: True) if word == r"\text{otherwise}" else self.truth()

    # ---- what takes the product that follows

    def operand(self, word):
        """The product that Σ, Π, max, tr and rank take."""
        at, node = self.cursor.at, self.product()
        why = (
            f"what does the slash divide? Put brackets: is the {DIVIDED.get(word)} divided, or what it is of?"
        )
        self.refuse(at, why, when=word in DIVIDED and node.made == "/")
        return node

    def prefixed(self, token):
        """tr and rank."""
        self.refuse_unclear_call()
        return self.make.apply(token.at, token.text, self.operand(token.text))

    def refuse_unclear_call(self, clear=("_", "/")):
        """tr (A) B and tr (A)^2: brackets that look like a call, with more behind them."""
        after = self.cursor.peek(1) if self.cursor.peek() in ("(", "[") else None
        why = "does this belong to the argument? Put brackets around all of it, or around the call"
        self.refuse(self.cursor.at, why, when=after not in ENDS and after not in clear)

    def big(self, token):
        """Σ, Π, max, min over an index; Σ_l a_l Σ_l b_l is a product of two sums."""
        script = {s.mark: s for s in self.names.scripts()}
        low, high = script.get("_"), script.get("^")
        self.refuse(token.at, f"{token.text} needs its index below: {token.text}_i", when=low is None)
        last = high and self.end_of_range(high.toks, high)
        outer = self.summing if token.text == r"\sum" else ()
        letters, tests, first, fixed, aside = self.below(low, last, outer)
        summing, self.summing = self.summing, (*outer, *letters) if token.text == r"\sum" else ()
        body, ends = self.operand(token.text), (first, last) if last else ()
        self.summing = summing
        counts = self.scope.end(letters, token.at, fixed)
        self.scope.bound.update(aside)
        body = self.placed(body, letters, token) if token.text.startswith(r"\arg") else body
        return self.make.folded(token, letters, counts, body, tests, ends)

    def end_of_range(self, toks, script):
        return self.make.apply(script.at, "the end of a range", self.inside(toks, script.end))

    def below(self, low, last, outer):
        """What stands below binds new letters: i, j; i = 1 where `last` stands above; or says a condition.

        outer : the letters of the sums outside that this one is a factor of; it may use them again
        Returns letters, conditions, the first number of a range, how many letters have that range, and what
        has been set aside.
        """
        letters, first, conditions, fixed, aside = [], None, [], 0, {}
        for part in parts(low.toks, ",", ":"):
            texts = [t.text for token in part for t in token.flat()]
            equals = texts[1:2] == ["="] and is_letter(texts[0])
            starts = equals and (self.scope.is_new(texts[0]) or last is not None and first is None)
            self.refuse(low.at, BOTH_ENDS, when=starts and (last is None or first))
            new = texts[:1] if starts else texts if all(map(is_letter, texts)) else self.new_in(texts)
            for letter in new:
                aside |= self.scope.set_aside(letter) if letter in outer else {}
                self.scope.bind(letter, low.at)
            letters += new
            if starts:
                first, fixed = self.end_of_range(part[2:], low), len(letters)
            elif not all(map(is_letter, texts)):
                conditions.append(part)
        self.refuse(low.at, BOTH_ENDS, when=last is not None and first is None)
        why = "no new index stands below: each letter means something already"
        self.refuse(low.at, why, when=not letters)
        tests = [self.inside(c, low.end, self.truth) for c in conditions]
        return letters, tests, first, fixed, aside

    def new_in(self, texts):
        """The new indices of a condition; the y of y_i is a name, and runs over nothing."""
        named = {
            t for t, behind in zip(texts, texts[1:]) if t in self.table.bases and behind in ("_", "^", "'")
        }
        return [t for t in dict.fromkeys(texts) if self.scope.is_new(t) and t not in named]

    def argument(self, token):
        r"""\arg\min_j: the index for which the value is least."""
        best = self.cursor.next().text if token.text == r"\arg" else "\\" + token.text[-3:]
        over = self.cursor.peek(1) if self.cursor.peek() == "_" else ""
        fits = best in (r"\min", r"\max") and (over == "{" or self.scope.is_new(over or ""))
        self.refuse(token.at, r"an argmin is read over a new index, as in \arg\min_j a_j", when=not fits)
        return self.big(Token(rf"\arg{best}", token.at, token.end))

    def placed(self, body, letters, token):
        """A value with its place."""
        self.refuse(
            token.at, f"{token.text} takes a scalar, and this is a {body.kind}", when=body.kind != "scalar"
        )
        self.refuse(token.at, f"{token.text} is read over one index", when=len(letters) != 1)
        return Node("pair", lambda env: (body.run(env), env.at[letters[0]]), body.cost)

    def largest(self, token):
        r"""\max(a, b) and \max\{a, b\}, \min\{k : …\} and \#\{k : …\}, or \max_i."""
        name, cursor = token.text, self.cursor
        if cursor.peek() == "_" and name != r"\#":
            return self.big(token)
        group = cursor.next() if cursor.peek() in ("(", r"\{") else None
        why = f"{name} over what? Write {name}_i, {name}(a, b) or {name}\\{{a, b\\}}"
        self.refuse(token.at, why, when=not group)
        if name == r"\#" or ":" in [t.text for t in group.inside]:
            return self.members(token, group)
        nodes = [self.inside(part, group.end - 1) for part in parts(group.inside, ",")]
        function = [self.make.rule(token.at, name, n.kind)[1] for n in nodes][0]
        return self.make.node(token.at, "scalar", lambda *found: function(found), *nodes)

    def members(self, token, group):
        r"""\min\{k : …\}, \#\{k : …\}: of the indices for which the condition holds."""
        name, *conditions = parts(group.inside, ":")
        fits = len(name) == len(conditions) == 1
        self.refuse(group.at, f"write {token.text}\\{{k : a condition\\}}", when=not fits)
        letter = name[0].text
        self.scope.bind(letter, group.at)
        test = self.inside(conditions[0], group.end - 1, self.truth)
        number = self.make.node(group.at, "scalar", float, self.index(letter, group.at))
        return self.make.folded(token, [letter], self.scope.end([letter], token.at), number, [test])

    def expectation(self, symbol, at):
        """E takes the product that follows, P a relation in brackets; over the outcomes of what is random."""
        symbol.compile(self.table)
        bound = self.scope.bound
        outer, bound[OUTCOME] = bound.get(OUTCOME), []
        body = self.expected() if symbol.kind == "expectation" else self.event(at)
        self.refuse(at, f"nothing random stands behind {symbol.text}", when=not bound[OUTCOME])
        (count,) = counts = self.scope.end([OUTCOME], at)
        bound.update({} if outer is None else {OUTCOME: outer})
        term = self.make.node(at, body.kind, lambda env, x: symbol.weight(env, count(env)) * x, HERE, body)
        return self.make.folded(Token(r"\sum", at, at), [OUTCOME], counts, term)

    def expected(self):
        """E (x - y)^2 is of the square; of E(x)^2 that is not clear; E[x]^2 is the square of E[x]."""
        if self.cursor.peek() == "[":
            return self.primary()
        inside = {t.text for t in self.cursor.toks[self.cursor.i].inside} if self.cursor.peek() == "(" else {}
        of_a_sum = {"+", "-", r"\sum", r"\frac"} & {*inside}
        self.refuse_unclear_call(clear=("_", "/", "^") if of_a_sum else ("_", "/"))
        return self.product()

    def event(self, at):
        """1 where the relation holds, else 0."""
        self.refuse(self.cursor.at, "( is missing here", when=self.cursor.peek() != "(")
        group = self.cursor.next()
        return self.make.apply(at, "[", self.inside(group.inside, group.end - 1, self.truth))

    def dots(self, before, first, sign, at):
        r"""a_1 + \dots + a_k: of one family, from the first index to the last; also a_1 + a_2 + \dots + a_k.

        before : the sum before `first`, its last term, and the sign between them
        """
        self.cursor.next()
        both = sign == "+" and self.cursor.peek() == "+" and self.cursor.next()
        self.refuse(at, r"dots stand between two plus signs: a_1 + \dots + a_k", when=not both)
        total = self.make.between(first, self.product(), at)
        if before is None:
            return total
        total_before, term, sign = before
        self.make.refuse_a_leap(term, first, at)
        return self.make.apply(at, sign, total_before, total)

    def gradient(self, token):
        r"""\nabla f(w), or \nabla_w [ … ]."""
        body, script = None, "".join(s.mark + s.text for s in self.names.scripts())
        if script:
            symbol = self.table.plain(script[1:]) if script[0] == "_" and "^" not in script else None
            unfit = not symbol or symbol.indices
            self.refuse(token.at, "the gradient is by a declared symbol", when=unfit)
            symbol.compile(self.table)
            start = Node(symbol.kind, symbol.value)
            body = self.primary() if self.cursor.peek() in ("(", "[", r"\{") else self.factor()
            body.varied = start, lambda env, x: body.run(env.but({symbol.text: x}))
        body = body or self.name()
        unfit = body is None or body.varied is None
        self.refuse(token.at, r"write \nabla f(w), with what it is taken at, or \nabla_w [ … ]", when=unfit)
        return self.make.gradient(body, token.at)


AS_TYPED = {
    **dict.fromkeys(["e", r"\operatorname{e}"], Reader.euler),
    **dict.fromkeys([r"\mathbb{1}", r"\mathbf{1}", r"\boldsymbol{1}", r"\mathbb{I}"], Reader.indicator),
}
READERS = {
    **dict.fromkeys([r"\lVert", r"\|"], Reader.norm),
    **dict.fromkeys([r"\operatorname{tr}", r"\operatorname{rank}"], Reader.prefixed),
    **dict.fromkeys([r"\max", r"\min", r"\#"], Reader.largest),
    **dict.fromkeys([r"\sum", r"\prod"], Reader.big),
    **dict.fromkeys([r"\arg", r"\argmin", r"\argmax"], Reader.argument),
    r"\begin{cases}": Reader.cases,
    r"\nabla": Reader.gradient,
}
