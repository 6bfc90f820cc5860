r"""What values make together, kind by kind: one table of rules.

A scalar is a float, a column or a row a 1-D array, a matrix a 2-D array, a set a frozenset, a truth a bool.
The kind is known before the value, so that a column times a column is refused also where both have length 1.
``unit`` is a multiple of the unit matrix whose size its neighbours give; its value is that multiple.
"""

import math
import operator
import re
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np


class Misfit(Exception):
    """Values that have no result together; the reader adds the place."""


@dataclass(eq=False)
class Node:
    """A piece of a formula as it was read: its kind, its function of the environment, its cost in steps.

    number : of an integer that stands there as such
    member : of an indexed name, and of what is made of it and of numbers, which one, its value for other
        indices, and their nodes
    made : by which operator, where no bracket stands around it
    varied : of a call, the node of its argument, and its value for another one
    """

    kind: str
    run: object
    cost: int = 1
    number: int = None
    member: tuple = (None, None, ())
    varied: tuple = None
    made: str = None


HERE = Node("environment", lambda env: env, 0)
OUTCOME = r"\E"  # the index of what is random


# ---- checks


def require(holds, why, *values):
    """Misfit when it does not hold; an array among the values is told by its shape."""
    if not holds:
        told = [" × ".join(map(str, v.shape)) if isinstance(v, np.ndarray) and v.ndim else v for v in values]
        raise Misfit(why.format(*told))


def _times(a, b):
    require(a.shape[-1] == b.shape[0], "the shapes do not fit: {} times {}", a, b)
    return a @ b


def _alike(function):
    """A function of two arrays of one shape."""

    def checked(a, b):
        require(np.shape(a) == np.shape(b), "the shapes differ: {} and {}", a, b)
        return function(a, b)

    return checked


def square(a):
    require(a.shape[0] == a.shape[1], "the matrix is not square: {}", a)
    return a


def finite(*values):
    """The values, none of which is infinite or nan."""
    for v in values:
        require(math.isfinite(v), "{} is no value", v)
    return values


def whole(x):
    require(x == int(x), "a whole number is needed here, not {:g}", x)
    return int(x)


def symmetric(a, what):
    """The matrix; Misfit when it is not symmetric."""
    near = np.allclose(square(a), a.T, rtol=0, atol=1e-10 * max(1.0, np.abs(a).max(initial=0)))
    require(near, "{} of a symmetric matrix, and this one is not", what)
    return a


def same(a, b):
    """Both sides of a displayed equality agree, to 1e-9 of the largest number."""
    largest = max(1.0, *(np.abs(x).max(initial=0) for x in (a, b)))
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=1e-9 * largest)


# ---- functions


def _divide(a, b):
    require(b != 0, "this divides by 0")
    return a / finite(b)[0]


def _log(x):
    require(x > 0, "{:g} has no logarithm", x)
    return math.log(x)


def _power(a, p):
    require(a >= 0 or p == int(p), "{:g} to the power {:g} is not real", a, p)
    return a**p


def _matrix_power(a, p):
    if p != int(p):
        lam, V = np.linalg.eigh(symmetric(a, "a root is taken"))
        edge = 1e-10 * max(abs(lam).max(initial=0), 1e-300)
        least = lam.min(initial=1 if p < 0 else 0)
        has_power = least > edge if p < 0 else least >= -edge
        require(has_power, "the eigenvalue {:.3g} has no power {:g}", least, p)
        return (V * np.maximum(lam, 0) ** p) @ V.T
    require(abs(p) <= 1000, "a matrix to the power {:g}: at most 1000 is computed", p)
    regular = p >= 0 or np.isfinite(a).all() and np.linalg.cond(a) <= 1e13
    require(regular, "the matrix is singular and has no inverse")
    return np.linalg.matrix_power(a, int(p))


def _choose(n, k):
    n, k = whole(n), whole(k)
    require(0 <= n <= 1000, "the binomial of {}: 0 to 1000 are computed", n)
    return math.comb(n, k) if k >= 0 else 0


def _p_norm(x, p):
    require(p >= 1, "a p-norm needs p of at least 1, not {:g}", p)
    return np.linalg.norm(x, p)


def _itself(a):
    return a


def _compared(relation):
    return lambda a, b: relation(*finite(a, b))


def _sized(multiple, a):
    """The multiple of I that stands beside a matrix."""
    return multiple * np.eye(len(square(a)))


def _added(sign):
    """The rules of a sum or a difference."""
    return {
        "X X → X": _alike(sign),
        "matrix unit → matrix": lambda a, b: sign(a, _sized(b, a)),
        "unit matrix → matrix": lambda a, b: sign(_sized(a, b), b),
    }


def _extreme(best):
    def of(values):
        values = finite(*values)
        require(values, "a maximum or a minimum over nothing")
        return best(values)

    return of


def _place(best):
    """Where the best value stands, of pairs (value, place); two such places are no value."""
    wanted = _extreme(best)

    def of(pairs):
        pairs = list(pairs)
        most = wanted(value for value, _ in pairs)
        places = [place for value, place in pairs if value == most]
        require(len(places) == 1, "{:g} stands in two places, {} and {}: which is meant?", most, *places[:2])
        return places[0]

    return of


# ---- parts of arrays

LARGEST = 64  # of a unit matrix


def taken(value, numbers):
    """The entry, the row, the item of these numbers; counting starts at 1."""
    for number in numbers:
        require(1 <= number <= len(value), "number {} of {}: counting starts at 1", number, len(value))
        value = value[number - 1]
    return value


def unit_matrix(env, multiple, n):
    """As large as the draw's arrays at most, or 64: a formula must not ask for gigabytes."""
    most = max([LARGEST, *env.sizes.values()])
    require(0 < n <= most, "a unit matrix of size {}: 1 to {} are computed", n, most)
    return multiple * np.eye(n)


# ---- the rules: what kinds make what kind, and how
# V is a column or a row, A an array, X whatever can be scaled

LETTERS = {"V": "column row", "A": "column row matrix", "X": "scalar unit column row matrix"}
RELATIONS = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    r"\le": operator.le,
    r"\ge": operator.ge,
    r"\ne": operator.ne,
}
SCALAR_FUNCTIONS = {
    r"\ln": _log,
    r"\log": _log,
    r"\exp": math.exp,
    r"\sin": math.sin,
    r"\cos": math.cos,
    r"\tan": math.tan,
    r"\arcsin": math.asin,
    r"\arccos": math.acos,
    r"\arctan": math.atan,
    r"\tanh": math.tanh,
    r"\operatorname{sign}": np.sign,
    r"\operatorname{sgn}": np.sign,
}
MATRIX_FUNCTIONS = {
    **dict.fromkeys([r"\det", r"\operatorname{det}"], {"matrix → scalar": np.linalg.det}),
    r"\operatorname{diag}": {"column → matrix": np.diag},
}
FUNCTIONS = {*SCALAR_FUNCTIONS, *MATRIX_FUNCTIONS}
INNER = _alike(lambda a, b: (a * b).sum())
PRODUCTS = {
    "row column → scalar": _times,
    "matrix column → column": _times,
    "row matrix → row": _times,
    "matrix matrix → matrix": _times,
    "column row → matrix": np.outer,
    "unit X → X": operator.mul,
    "X unit → X": operator.mul,
    "scalar X → X": operator.mul,
    "X scalar → X": operator.mul,
}
SIGNATURES = {
    "": PRODUCTS,
    r"\cdot": {**PRODUCTS, "V V → scalar": INNER},
    r"\times": {"scalar scalar → scalar": operator.mul},
    r"\odot": {"A A → A": _alike(operator.mul)},
    r"\langle": {"A A → scalar": INNER},
    "+": _added(operator.add),
    "-": _added(operator.sub),
    "minus": {"X → X": operator.neg},
    "/": {"X scalar → X": _divide},
    "^": {
        "scalar scalar → scalar": _power,
        "unit scalar → unit": _power,
        "matrix scalar → matrix": _matrix_power,
    },
    r"^\top": {
        "scalar → scalar": _itself,
        "unit → unit": _itself,
        "column → row": _itself,
        "row → column": _itself,
        "matrix → matrix": np.transpose,
    },
    "^+": {"matrix → matrix": np.linalg.pinv},
    "_+": {"scalar → scalar": lambda x: max(x, 0), "V → V": lambda x: np.maximum(x, 0)},
    **dict.fromkeys(["(", "{", r"\{"], {"X → X": _itself}),
    "[": {"X → X": _itself, "truth → scalar": float},
    **dict.fromkeys(["|", r"\lvert"], {"scalar → scalar": abs, "set → scalar": len}),
    r"\lfloor": {"scalar → scalar": math.floor},
    r"\lceil": {"scalar → scalar": math.ceil},
    r"\lVert": {"V → scalar": np.linalg.norm},
    r"\lVert_0": {"V → scalar": np.count_nonzero},
    r"\lVert_1": {"V → scalar": partial(np.linalg.norm, ord=1)},
    r"\lVert_2": {"V → scalar": np.linalg.norm, "matrix → scalar": partial(np.linalg.norm, ord=2)},
    r"\lVert_\infty": {"V → scalar": partial(np.linalg.norm, ord=np.inf)},
    r"\lVert_F": {"matrix → scalar": np.linalg.norm},
    r"\lVert_*": {"matrix → scalar": partial(np.linalg.norm, ord="nuc")},
    r"\lVert of an order": {"V scalar → scalar": _p_norm},
    r"\binom": {"scalar scalar → scalar": _choose},
    r"\sqrt": {"scalar → scalar": lambda a: _power(a, 0.5)},
    r"\in": {"scalar set → truth": lambda x, members: x in members},
    r"\notin": {"scalar set → truth": lambda x, members: x not in members},
    "an index": {"scalar → index": whole},
    "the end of a range": {"scalar → index": whole},
    "the size of a unit matrix": {"scalar → index": whole},
    r"\sum": {"X → X": partial(reduce, operator.add)},
    r"\prod": {"scalar → scalar": math.prod},
    r"\max": {"scalar → scalar": _extreme(max)},
    r"\min": {"scalar → scalar": _extreme(min)},
    r"\arg\max": {"pair → scalar": _place(max)},
    r"\arg\min": {"pair → scalar": _place(min)},
    r"\#": {"scalar → scalar": lambda terms: len(list(terms))},
    r"\operatorname{tr}": {"matrix → scalar": lambda a: np.trace(square(a))},
    r"\operatorname{rank}": {"matrix → scalar": np.linalg.matrix_rank},
    **MATRIX_FUNCTIONS,
    **{name: {"scalar → scalar": function} for name, function in SCALAR_FUNCTIONS.items()},
    **{name: {"scalar scalar → truth": _compared(function)} for name, function in RELATIONS.items()},
}


def _rules(signatures):
    """{kinds: (kind of the result, function)}, each letter replaced by the kinds that it stands for."""
    found = {}
    for signature, function in signatures.items():
        letter = re.search(r"\b[VAX]\b", signature)
        for kind in LETTERS[letter[0]].split() if letter else [""]:
            given, result = re.sub(r"\b[VAX]\b", kind, signature).split(" → ")
            found[given] = result, function
    return found


RULES = {operation: _rules(signatures) for operation, signatures in SIGNATURES.items()}

# ---- what is said where there is no rule

SAYS = {
    **dict.fromkeys(["", r"\cdot"], "a {0} times a {1} has no value"),
    **dict.fromkeys("+-", "a {0} and a {1} cannot be added"),
    "/": "what is divided by is a scalar; here a {0} is divided by a {1}",
    "^": r"a power of a {0}; an exponent is a scalar, and this is a {1}",
    **dict.fromkeys(["|", r"\lvert"], r"bars around a {0}: \lVert … \rVert, \det or \operatorname{{rank}}?"),
    r"\lVert": r"which norm of a {0}? Of a matrix _F, _2 (the largest singular value) or _*; a scalar has "
    r"an absolute value, \lvert x \rvert",
    **dict.fromkeys([r"\in", r"\notin"], "a set is missing here: declare it as an index set"),
    **dict.fromkeys(RELATIONS, "a relation compares scalars, not a {0} and a {1}"),
}
HINTS = {
    "column column": r": write x^\top y, x \cdot y, or x y^\top",
    "row row": r": write x y^\top, or x \odot y entry by entry",
    "column matrix": ": a column stands to the right of a matrix, or is transposed",
    "matrix row": ": a row stands to the left of a matrix, or is transposed",
    "column scalar": r": write x^\top x or \lVert x \rVert^2",
    "matrix scalar": ": do you mean a multiple of I?",
    "scalar matrix": ": do you mean a multiple of I?",
}


def rule(operation, *kinds):
    """(kind, function) of an operation; Misfit where there is none."""
    given = " ".join(kinds)
    takes = " or a ".join(k.replace(" ", " and a ") for k in RULES[operation])
    if operation in SAYS:
        require(given in RULES[operation], SAYS[operation] + HINTS.get(given, ""), *kinds)
    require(given in RULES[operation], "{} takes a {}, and this is a {}", operation, takes, given)
    return RULES[operation][given]
