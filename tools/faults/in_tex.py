r"""Small faults in the TeX that a chain of equalities displays, one at a time.

    for fault in tex_faults(code, named=True):
        print(fault.what)          # … "2 S w - 2 \lambda w ⇒ 2 S w + 2 \lambda w" …

Only lines that are read with a notation table are touched: the others are text to the machine, and a fault in
them could not be noticed. A fault that is none, because both formulas are equal, is set aside in
docs/no-faults.toml with the identity that says so; `refutation` proves it on generic draws.
"""

import ast
import re

import numpy as np

from helpers.derivation import Derivation
from helpers.reading import ReadingError
from helpers.reading.tokens import tokens
from tools.faults.in_code import Fault, called, spliced

LINES = (
    "begin", "equals", "at_most", "at_least", "approximately", "tends_to", "equals_up_to", "same_minimiser",
)  # fmt: skip
BECOMES = " ⇒ "
ACCENTS = (r"\bar", r"\hat", r"\tilde")
ENDS = {r"\le": "<", r"\leq": "<", "<": r"\le", ">": r"\ge", r"\ge": ">", r"\geq": ">"}
OPENERS = (None, "(", "[", "{", r"\{", "=", r"\lVert", r"\lvert", "where")


def tex_faults(code, named):
    """The faults of a cell's displayed lines, in the order of the source.

    `named` says whether the notebook has a table already, which a chain takes by default.
    """
    tree = ast.parse(code)
    tables = named or any(called(n) == "Notation" for n in ast.walk(tree))
    chains = _chains(tree, tables)
    found = {}
    for node in ast.walk(tree):
        text = _displayed(node, chains)
        for faulty in faulty_tex(text.value) if text is not None else ():
            what = f"{text.value}{BECOMES}{faulty}"
            changed = spliced(code, text, repr(faulty))
            found.setdefault(changed, Fault(text.lineno, what, changed, "tex"))
    return sorted(found.values(), key=lambda f: f.line)


def _chains(tree, tables):
    """{name: whether its lines are read} of the chains that a cell makes."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            made = [n for n in ast.walk(node.value) if called(n) == "Derivation"]
            if made:
                found[node.targets[0].id] = _is_read(made[0], tables)
    return found


def _is_read(call, tables):
    """names=None switches the reading off."""
    given = next((k.value for k in call.keywords if k.arg == "names"), None)
    return tables if given is None else not (isinstance(given, ast.Constant) and given.value is None)


def _displayed(node, chains):
    """The TeX of a chain's line that is read, or None."""
    if called(node) not in LINES or any(k.arg == "in_words" for k in node.keywords):
        return None
    root = node.func
    while isinstance(root, (ast.Attribute, ast.Call)):
        root = root.value if isinstance(root, ast.Attribute) else root.func
    strings = [a for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    place = 1 if called(node) == "equals_up_to" else 0
    return strings[place] if chains.get(getattr(root, "id", ""), False) and len(strings) > place else None


# ---- the faults of one formula


def faulty_tex(tex):
    """The formula with one small fault each, without repetition.

    Examples
    --------
    >>> faulty_tex(r"x_i^\\top w - 2")
    ['x_i w - 2', 'x_i^\\\\top w + 2', 'x_i^\\\\top w - 3']
    """
    try:
        toks = tokens(tex)
    except ReadingError:
        return []
    edits = [edit for rule in RULES for k in range(len(toks)) for edit in rule(tex, toks, k)]
    made = [tex[:a] + new + tex[b:] for a, b, new in sorted(edits, key=lambda e: e[:2])]
    return [t for t in dict.fromkeys(made) if t.split() != tex.split()]


def _text(toks, k):
    return toks[k].text if 0 <= k < len(toks) else None


def _end(tex, toks, k):
    """Where the token ends in the text, with braces that belong to it alone."""
    a = toks[k].at
    written = re.match(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|.", tex[a:], re.S).end()
    return a + written


def _span(tex, toks, k):
    """(start, end) of a script from its mark on, braces included."""
    start = toks[k].at
    after = start + 1 + (len(tex[start + 1 :]) - len(tex[start + 1 :].lstrip()))
    if tex[after : after + 1] != "{":
        return start, re.compile(r"\\[A-Za-z]+|.", re.S).match(tex, after).end()
    depth = 0
    for i in range(after, len(tex)):
        depth += (tex[i] == "{") - (tex[i] == "}")
        if depth == 0:
            return start, i + 1
    return start, len(tex)


def _sign(tex, toks, k):
    """+ for −, − for +; a minus at the head is dropped."""
    text, before = _text(toks, k), _text(toks, k - 1) if k else None
    if text not in ("+", "-") or _text(toks, k + 1) == r"\dots" or before == r"\dots":
        return
    if before in ("_", "^") and _text(toks, k + 1) is None:
        return
    if before in OPENERS or before in ("^", "_"):
        if text == "-":
            yield toks[k].at, toks[k].at + 1, ""
    else:
        yield toks[k].at, toks[k].at + 1, "-" if text == "+" else "+"


def _exponent(tex, toks, k):
    """A square becomes a cube or nothing, an inverse or a root is dropped."""
    if _text(toks, k) != "^":
        return
    a, b = _span(tex, toks, k)
    inside = tex[a + 1 : b].strip().strip("{} ")
    if re.fullmatch(r"\d+", inside):
        yield a, b, f"^{int(inside) + 1}"
        yield a, b, ""
    elif re.fullmatch(r"-?[\d/]+", inside):
        yield a, b, ""


def _transpose(tex, toks, k):
    if _text(toks, k) == r"\top":
        a = toks[k].at
        start = tex.rindex("^", 0, a + 1)
        a, b = _span(tex, toks, next(j for j in range(k, -1, -1) if toks[j].at == start))
        yield a, b, "" if b - a <= 6 else tex[a:b].replace(r"\top", "")


def _index(tex, toks, k):
    """Another index of the formula; a number one higher."""
    if _text(toks, k) != "_":
        return
    a, b = _span(tex, toks, k)
    inside = tex[a + 1 : b].strip().strip("{} ")
    if _text(toks, k - 1) in (r"\sum", r"\prod", r"\max", r"\min", r"\rVert", r"\log", r"\ln"):
        return
    if inside.isdigit():
        yield a, b, "_{" + "".join(str(int(c) + 1) for c in inside) + "}"
    letters = {_inside(tex, toks, j) for j in range(len(toks)) if _text(toks, j) == "_"}
    others = sorted(x for x in letters if re.fullmatch("[a-z]", x) and x != inside)
    if re.fullmatch("[a-z]", inside) and others:
        yield a, b, f"_{others[0]}"


def _inside(tex, toks, k):
    a, b = _span(tex, toks, k)
    return tex[a + 1 : b].strip().strip("{} ")


def _factor(tex, toks, k):
    """A number one higher; 1/n becomes 1/(n − 1); the one in a fraction's numerator is twice as much."""
    text, at = _text(toks, k), toks[k].at
    if text.isdigit() and _text(toks, k - 1) not in ("^", "_") and not _in_script(tex, toks, k):
        both = len(text) == 2 and _text(toks, k - 1) == r"\frac"  # \frac12
        for start, digits in [(at, text[0]), (at + 1, text[1])] if both else [(at, text)]:
            yield start, start + len(digits), _number(tex, start, int(digits) + 1)
    if text == "n" and _is_denominator(tex, toks[k].at):
        yield toks[k].at, toks[k].at + 1, "{(n - 1)}" if tex[toks[k].at - 1] != "{" else "n - 1"


def _number(tex, at, number):
    """In \\frac12 one digit is a numerator, so that more digits need braces."""
    bare = re.search(r"\\[tdf]*frac\s*(\d|[a-z])?$", tex[:at])
    return f"{{{number}}}" if bare and number > 9 else str(number)


def _in_script(tex, toks, k):
    at = toks[k].at
    spans = [_span(tex, toks, j) for j in range(k) if toks[j].text in ("^", "_")]
    return any(a < at < b for a, b in spans)


def _is_denominator(tex, at):
    return bool(re.search(r"(\\[tdf]*frac\s*(\{[^{}]*\}|\w)\s*\{?|/\s*)$", tex[:at])) and not re.match(
        r"n\s*[-+^_(]", tex[at:]
    )


def _bound(tex, toks, k):
    """The first or last index one higher, the edge of a condition moved."""
    text = _text(toks, k)
    if text in ENDS and _in_script(tex, toks, k):
        yield toks[k].at, _end(tex, toks, k), ENDS[text] + " "
    if text == "=" and _in_script(tex, toks, k) and (_text(toks, k + 1) or "").isdigit():
        following = toks[k + 1]
        yield following.at, _end(tex, toks, k + 1), str(int(following.text) + 1)
    if text == r"\dots" and _text(toks, k + 1) == "+":
        low = next((j for j in range(k, len(toks)) if toks[j].text == "_"), None)
        if low is not None:
            a, b = _span(tex, toks, low)
            yield a, b, f"_{{{_inside(tex, toks, low)} - 1}}"


def _accent(tex, toks, k):
    """A bar or a hat is dropped."""
    if _text(toks, k) in ACCENTS:
        a = toks[k].at
        yield a, a + len(toks[k].text), ""


def _name(tex, toks, k):
    """A maximum for a minimum, a norm of another kind."""
    text = _text(toks, k)
    if text in (r"\max", r"\min"):
        yield toks[k].at, toks[k].at + 4, r"\min" if text == r"\max" else r"\max"
    if text == r"\sum":
        yield toks[k].at, toks[k].at + 4, r"\prod"


RULES = (_sign, _exponent, _transpose, _index, _factor, _bound, _accent, _name)


# ---- a fault that is none


def refutation(chains, entry):
    """Why an entry's identity is not proved, or "" when the fault and the line are equal on generic draws.

    Arrays of the draw are replaced by generic ones of their shape (mean 1, no symmetry), but for those that
    the entry names in `needs`. With `up_to`, "a constant" or "a factor", the two may differ by one that does
    not change with the quantity `over`.
    """
    sound, faulty = entry["what"].split(BECOMES)
    made = next((c for c in chains if any(line.latex.endswith(sound) for line in c.lines)), None)
    if made is None:
        return "no line of this cell is displayed like that"
    try:
        formulas = [made.names.read(tex, may_be_free=True) for tex in (sound, faulty)]
    except ReadingError as e:
        return f"it cannot be read: {e.why}"
    rng, needs = np.random.default_rng(23), entry.get("needs", "").split()
    for sample in made.samples:
        generic = {k: v if k in needs else _generic(v, rng) for k, v in sample.items()}
        over = entry.get("over")
        draws = (
            [dict(generic, **{over: _generic(sample[over], rng)}) for _ in range(4)] if over else [generic]
        )
        pairs = [[f.values(made.names.environment(d))[0] for f in formulas] for d in draws]
        if not _equal_up_to(pairs, entry.get("up_to")):
            return f"on generic draws it is {pairs[0][0]} and {pairs[0][1]}"
    return ""


def _generic(value, rng):
    value = np.asarray(value)
    if value.dtype.kind not in "f" or value.size == 0:
        return value[()] if value.ndim == 0 else value
    return rng.normal(size=value.shape) + 1 if value.ndim else rng.uniform(0.5, 2)


def _equal_up_to(pairs, up_to):
    first = pairs[0]
    for sound, faulty in pairs:
        if up_to == "a factor":
            same = np.allclose(sound * first[1], faulty * first[0], rtol=1e-8)
            same &= bool(np.all(np.sign(sound) == np.sign(faulty)))
        elif up_to == "a constant":
            same = np.allclose(sound - first[0], faulty - first[1], rtol=1e-8, atol=1e-8)
        else:
            same = np.shape(sound) == np.shape(faulty) and np.allclose(sound, faulty, rtol=1e-8, atol=1e-8)
        if not same:
            return False
    return True


def chains_of(namespace):
    """The chains with a notation table that a notebook has made."""
    return [v for v in namespace.values() if isinstance(v, Derivation) and v.names is not None]
