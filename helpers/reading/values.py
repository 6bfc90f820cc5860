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

__all__ = [
    "FUNCTIONS",
    "HERE",
    "OUTCOME",
    "Misfit",
    "Node",
    "RELATIONS",
    "RULES",
    "require",
    "rule",
    "same",
    "symmetric",
    "taken",
    "unit_matrix",
    "whole",
]


class Misfit(Exception):
    """Values that have no result together; the reader adds the place."""


@dataclass(eq=False)
class Node:
    """A piece of a formula as it was read: its kind, and its function of the environment.

    number : of an integer that stands there as such
    made : by which operator, where no bracket stands around it
    varied : of a call, the node of its argument, and its value for another one
    """

    kind: str
    run: object
    number: int = None
    varied: tuple = None
    made: str = None


HERE = Node("environment", lambda env: env)
OUTCOME = r"\E"  # the index of what is random


# ---- what must hold


def require(holds, why, *values):
    """Misfit when it does not hold; an array among the values is told by its shape."""
    if not holds:
        told = [" × ".join(map(str, v.shape)) if isinstance(v, np.ndarray) and v.ndim else v for v in values]
        raise Misfit(why.format(*told))


def given(holds, why, function):
    """The function, of values for which something holds."""

    def checked(*values):
        require(holds(*values), why, *values)
        return function(*values)

    return checked


def alike(function):
    """Of two arrays of one shape."""
    return given(lambda a, b: np.shape(a) == np.shape(b), "the shapes differ: {} and {}", function)


def finite(*values):
    return all(map(math.isfinite, values))


def square(a, *_):
    return a.shape[0] == a.shape[1]


def symmetric(a, what):
    """The matrix; Misfit when it is not symmetric."""
    require(square(a), "the matrix is not square: {}", a)
    near = np.allclose(a, a.T, rtol=0, atol=1e-10 * max(1.0, np.abs(a).max(initial=0)))
    require(near, "{} of a symmetric matrix, and this one is not", what)
    return a


def same(a, b):
    """Both sides of a displayed equality agree, to 1e-9 of the largest number."""
    largest = max(1.0, *(np.abs(x).max(initial=0) for x in (a, b)))
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=1e-9 * largest)


# ---- functions

LARGEST = 64  # of a unit matrix
whole = given(lambda x: x == int(x), "a whole number is needed here, not {:g}", int)
times = given(lambda a, b: a.shape[-1] == b.shape[0], "the shapes do not fit: {} times {}", operator.matmul)
divide = given(lambda a, b: b != 0 and finite(b), "this divides by {1:g}", operator.truediv)
logarithm = given(lambda x: x > 0, "{:g} has no logarithm", math.log)
power = given(lambda a, p: a >= 0 or p == int(p), "{:g} to the power {:g} is not real", operator.pow)
inner = alike(lambda a, b: (a * b).sum())
p_norm = given(lambda x, p: p >= 1, "a p-norm needs p of at least 1, not {1:g}", np.linalg.norm)
trace = given(square, "the matrix is not square: {}", np.trace)


def matrix_power(a, p):
    """Of a whole number a product or an inverse, else a root by the eigenvalues."""
    if p == int(p):
        require(abs(p) <= 1000, "a matrix to the power {:g}: at most 1000 is computed", p)
        regular = p >= 0 or np.isfinite(a).all() and np.linalg.cond(a) <= 1e13
        require(regular, "the matrix is singular and has no inverse")
        return np.linalg.matrix_power(a, int(p))
    lam, V = np.linalg.eigh(symmetric(a, "a root is taken"))
    edge, least = 1e-10 * max(abs(lam).max(initial=0), 1e-300), lam.min(initial=1 if p < 0 else 0)
    positive = least > edge if p < 0 else least >= -edge
    require(positive, "the eigenvalue {:.3g} has no power {:g}", least, p)
    return (V * np.maximum(lam, 0) ** p) @ V.T


def choose(n, k):
    n, k = whole(n), whole(k)
    require(0 <= n <= 1000, "the binomial of {}: 0 to 1000 are computed", n)
    return math.comb(n, k) if k >= 0 else 0


def extreme(best):
    def of(values):
        values = list(values)
        require(values, "a maximum or a minimum over nothing")
        require(finite(*values), "what is compared here is no value")
        return best(values)

    return of


def with_units(combine):
    """Sums and differences with a multiple of I, which is as large as the matrix beside it."""
    unit = given(square, "the matrix is not square: {}", lambda a, multiple: multiple * np.eye(len(a)))
    return {
        "X X → X": alike(combine),
        "matrix unit → matrix": lambda a, b: combine(a, unit(a, b)),
        "unit matrix → matrix": lambda a, b: combine(unit(b, a), b),
    }


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
# V is a column or a row, A an array, M and P what may be a name of the draw as well, X whatever can be scaled

LETTERS = {
    "V": "column row",
    "A": "column row matrix",
    "M": "matrix drawn",
    "P": "column row matrix drawn",
    "X": "scalar unit column row matrix",
}
RELATIONS = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    r"\le": operator.le,
    r"\ge": operator.ge,
    r"\ne": operator.ne,
}
SCALAR_FUNCTIONS = {
    r"\ln": logarithm,
    r"\log": logarithm,
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
    r"\det": {"matrix → scalar": np.linalg.det},
    r"\operatorname{det}": {"matrix → scalar": np.linalg.det},
    r"\operatorname{diag}": {"column → matrix": np.diag},
}
FUNCTIONS = {*SCALAR_FUNCTIONS, *MATRIX_FUNCTIONS}
PRODUCTS = {
    "row column → scalar": times,
    "matrix column → column": times,
    "row matrix → row": times,
    "matrix matrix → matrix": times,
    "column row → matrix": np.outer,
    "unit X → X": operator.mul,
    "X unit → X": operator.mul,
    "scalar X → X": operator.mul,
    "X scalar → X": operator.mul,
}
QUOTIENT = {"X scalar → X": divide}
GROUPED = {"X → X": lambda a: a}
LENGTH = {"scalar → scalar": abs, "set → scalar": len}
WHOLE = {"scalar → index": whole}
SIGNATURES = {
    "": PRODUCTS,
    r"\cdot": {**PRODUCTS, "V V → scalar": inner},
    r"\times": {"scalar scalar → scalar": operator.mul},
    r"\odot": {"A A → A": alike(operator.mul)},
    r"\langle": {"A A → scalar": inner},
    "+": with_units(operator.add),
    "-": with_units(operator.sub),
    "minus": {"X → X": operator.neg},
    "/": QUOTIENT,
    r"\frac": QUOTIENT,
    "^": {
        "scalar scalar → scalar": power,
        "unit scalar → unit": power,
        "matrix scalar → matrix": matrix_power,
    },
    r"^\top": {
        "scalar → scalar": float,
        "unit → unit": float,
        "column → row": np.asarray,
        "row → column": np.asarray,
        "matrix → matrix": np.transpose,
    },
    "^+": {"matrix → matrix": np.linalg.pinv},
    "_+": {"scalar → scalar": lambda x: max(x, 0), "V → V": lambda x: np.maximum(x, 0)},
    "(": GROUPED,
    "{": GROUPED,
    r"\{": GROUPED,
    "[": {**GROUPED, "truth → scalar": float},
    "|": LENGTH,
    r"\lvert": LENGTH,
    r"\lfloor": {"scalar → scalar": math.floor},
    r"\lceil": {"scalar → scalar": math.ceil},
    r"\lVert": {"V → scalar": np.linalg.norm},
    r"\lVert_0": {"V → scalar": np.count_nonzero},
    r"\lVert_1": {"V → scalar": partial(np.linalg.norm, ord=1)},
    r"\lVert_2": {"V → scalar": np.linalg.norm, "matrix → scalar": partial(np.linalg.norm, ord=2)},
    r"\lVert_\infty": {"V → scalar": partial(np.linalg.norm, ord=np.inf)},
    r"\lVert_F": {"matrix → scalar": np.linalg.norm},
    r"\lVert_*": {"matrix → scalar": partial(np.linalg.norm, ord="nuc")},
    r"\lVert_p": {"V scalar → scalar": p_norm},
    r"\binom": {"scalar scalar → scalar": choose},
    r"\sqrt": {"scalar → scalar": lambda a: power(a, 0.5)},
    r"\in": {"scalar set → truth": lambda x, members: x in members},
    r"\notin": {"scalar set → truth": lambda x, members: x not in members},
    "an index": WHOLE,
    "the end of a range": WHOLE,
    "the size of a unit matrix": WHOLE,
    r"\sum": {"X → X": lambda terms: reduce(operator.add, terms, 0.0)},
    r"\prod": {"scalar → scalar": math.prod},
    r"\max": {"scalar → scalar": extreme(max)},
    r"\min": {"scalar → scalar": extreme(min)},
    r"\#": {"scalar → scalar": lambda terms: len(list(terms))},
    r"\operatorname{tr}": {"matrix → scalar": trace},
    r"\operatorname{rank}": {"matrix → scalar": np.linalg.matrix_rank},
    "row": {"M → parts": np.asarray},
    "column": {"M → parts": np.transpose},
    "entry": {"P → parts": np.asarray},
    "item": {"drawn → parts": list},
    "eigenvalue": {"M → parts": lambda a: np.linalg.eigvalsh(symmetric(a, "eigenvalues are taken"))[::-1]},
    "singular value": {"M → parts": lambda a: np.linalg.svd(a, compute_uv=False)},
    **MATRIX_FUNCTIONS,
    **{name: {"scalar → scalar": function} for name, function in SCALAR_FUNCTIONS.items()},
    **{
        name: {"scalar scalar → truth": given(finite, "{} and {} are no values to compare", relation)}
        for name, relation in RELATIONS.items()
    },
}


def _rules(signatures):
    """{kinds: (kind of the result, function)}, each letter replaced by the kinds that it stands for."""
    found = {}
    for signature, function in signatures.items():
        letter = re.search(r"\b[VAMPX]\b", signature)
        for kind in LETTERS[letter[0]].split() if letter else [""]:
            takes, makes = re.sub(r"\b[VAMPX]\b", kind, signature).split(" → ")
            found[takes] = makes, function
    return found


RULES = {operation: _rules(signatures) for operation, signatures in SIGNATURES.items()}

# ---- what is said where there is no rule

SAYS = {
    "": "a {0} times a {1} has no value",
    r"\cdot": "a {0} times a {1} has no value",
    "+": "a {0} and a {1} cannot be added",
    "-": "a {0} and a {1} cannot be added",
    "/": "what is divided by is a scalar; here a {0} is divided by a {1}",
    r"\frac": "what is divided by is a scalar; here a {0} is divided by a {1}",
    "^": r"a power of a {0}; an exponent is a scalar, and this is a {1}",
    "|": r"bars around a {0}: \lVert … \rVert, \det or \operatorname{{rank}}?",
    r"\lVert": r"which norm of a {0}? Of a matrix _F, _2 (the largest singular value) or _*; a scalar has "
    r"an absolute value, \lvert x \rvert",
    r"\lvert": r"bars around a {0}: \lVert … \rVert, \det or \operatorname{{rank}}?",
    r"\in": "a set is missing here: declare it as an index set",
    r"\notin": "a set is missing here: declare it as an index set",
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
    rules, here = RULES[operation], " ".join(kinds)
    takes = " or a ".join(k.replace(" ", " and a ") for k in rules)
    says = (
        SAYS[operation] + HINTS.get(here, "") if operation in SAYS else "{2} takes a {3}, and this is a {4}"
    )
    require(here in rules, says, *(kinds * 2)[:2], operation, takes, here)
    return rules[here]
