r"""What two values make, kind by kind: a column times a column is refused also where both have length 1.

A scalar is a float, a column or a row a 1-D array, a matrix a 2-D array; the kind is known before the value.
``unit`` is a multiple of the unit matrix whose size its neighbours give; its value is that multiple.
"""

import math
import operator

import numpy as np

__all__ = [
    "FUNCTIONS",
    "Misfit",
    "RELATIONS",
    "add",
    "choose",
    "inner",
    "norm",
    "odot",
    "power",
    "product",
    "root",
    "same",
    "transpose",
    "whole",
]


class Misfit(Exception):
    """Values that have no result together; the reader adds the place."""


# ---- products and sums


def _fit(wanted, a, b, names):
    if not wanted:
        raise Misfit(f"the shapes do not fit: {names[0]} {_shape(a)} times {names[1]} {_shape(b)}")


def _shape(x):
    return " × ".join(map(str, np.shape(x)))


def _chain(left, right, result):
    def times(a, b):
        _fit(a.shape[-1] == b.shape[0], a, b, (left, right))
        return float(a @ b) if result == "scalar" else a @ b

    return times


SCALED = "scalar", "column", "row", "matrix", "unit"
PRODUCTS = {("column", "row"): ("matrix", np.outer)}
for _left, _right, _result in (
    ("row", "column", "scalar"),
    ("matrix", "column", "column"),
    ("row", "matrix", "row"),
    ("matrix", "matrix", "matrix"),
):
    PRODUCTS[_left, _right] = _result, _chain(_left, _right, _result)
for _kind in SCALED:
    for _one in ("scalar", "unit"):
        PRODUCTS[_one, _kind] = PRODUCTS[_kind, _one] = _kind, operator.mul
PRODUCTS["scalar", "unit"] = PRODUCTS["unit", "scalar"] = "unit", operator.mul
HINTS = {
    ("column", "column"): r"write x^\top y, x \cdot y, or x y^\top",
    ("row", "row"): r"write x y^\top, or x \odot y entry by entry",
    ("column", "matrix"): "a column stands to the right of a matrix, or is transposed",
    ("matrix", "row"): "a row stands to the left of a matrix, or is transposed",
}


def product(left, right):
    """(kind, function) of a product; Misfit where there is none."""
    if (left, right) not in PRODUCTS:
        hint = HINTS.get((left, right), "it has no value")
        raise Misfit(f"a {left} times a {right}: {hint}")
    return PRODUCTS[left, right]


def inner(left, right):
    """x · y, of two columns or rows; of scalars it is the product."""
    if left == right and left in ("column", "row", "matrix"):
        return "scalar", lambda a, b: float((_alike(a, b)[0] * b).sum())
    return product(left, right)


def odot(left, right):
    """Entry by entry."""
    if left != right or left not in ("column", "row", "matrix"):
        raise Misfit(rf"\odot takes two values of one kind, not a {left} and a {right}")
    return left, lambda a, b: _alike(a, b)[0] * b


def _alike(a, b):
    if np.shape(a) != np.shape(b):
        raise Misfit(f"the shapes differ: {_shape(a)} and {_shape(b)}")
    return a, b


def _square(a):
    if a.shape[0] != a.shape[1]:
        raise Misfit(f"the matrix is not square: {_shape(a)}")
    return a


def add(left, right, sign=1):
    """(kind, function) of a sum or, with sign −1, of a difference."""
    if {left, right} == {"unit", "matrix"}:

        def plus(a, b):
            m = _square(b if left == "unit" else a)
            eye = np.eye(len(m))
            return (a * eye if left == "unit" else a) + sign * (b * eye if right == "unit" else b)

        return "matrix", plus
    if left != right or left not in SCALED:
        raise Misfit(
            f"a {left} and a {right} cannot be added"
            + (
                ": do you mean a multiple of I?"
                if "matrix" in (left, right) and "scalar" in (left, right)
                else ""
            )
        )
    if left in ("scalar", "unit"):
        return left, operator.add if sign == 1 else operator.sub
    return left, lambda a, b: _alike(a, b)[0] + sign * b


# ---- powers

TRANSPOSED = {"scalar": "scalar", "unit": "unit", "column": "row", "row": "column", "matrix": "matrix"}


def transpose(kind):
    if kind not in TRANSPOSED:
        raise Misfit(f"a {kind} has no transpose")
    return TRANSPOSED[kind], (lambda a: a.T) if kind == "matrix" else (lambda a: a)


def power(kind):
    """(kind, function) of a power with a scalar exponent."""
    if kind in ("scalar", "unit"):
        return kind, _scalar_power
    if kind != "matrix":
        raise Misfit(f"a power of a {kind}: write x^\\top x or \\lVert x \\rVert^2")
    return "matrix", _matrix_power


def _scalar_power(a, p):
    if a < 0 and p != int(p):
        raise Misfit(f"{a:g} to the power {p:g} is not real")
    return float(a) ** p


def _matrix_power(a, p):
    _square(a)
    if p != int(p):
        return _root_power(a, p)
    if abs(p) > 1000:
        raise Misfit(f"a matrix to the power {p:g}: at most 1000 is computed")
    if p < 0 and (not np.isfinite(a).all() or np.linalg.cond(a) > 1e13):
        raise Misfit("the matrix is singular and has no inverse")
    return np.linalg.matrix_power(a, int(p))


def _root_power(a, p):
    if not np.allclose(a, a.T, rtol=0, atol=1e-10 * max(1.0, np.abs(a).max(initial=0))):
        raise Misfit("a root is taken of a symmetric matrix only, and this one is not")
    lam, V = np.linalg.eigh((a + a.T) / 2)
    edge = 1e-10 * max(abs(lam).max(initial=0), 1e-300)
    if lam.min(initial=0) < -edge or p < 0 and lam.min(initial=1) <= edge:
        raise Misfit(f"a matrix with the eigenvalue {lam.min():.3g} has no power {p:g}")
    return (V * np.maximum(lam, 0) ** p) @ V.T


def root(a):
    if a < 0:
        raise Misfit(f"the square root of {a:g} is not real")
    return math.sqrt(a)


# ---- relations: exact, of scalars

RELATIONS = {
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    r"\le": operator.le,
    r"\ge": operator.ge,
    r"\ne": operator.ne,
}


def same(a, b, tol=1e-9):
    """Both sides of a displayed equality agree, to a share of the larger number."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    scale = max(1.0, np.abs(a).max(initial=0), np.abs(b).max(initial=0))
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tol * scale))


def whole(x, what="an index"):
    if x != int(x):
        raise Misfit(f"{what} is a whole number, not {x:g}")
    return int(x)


# ---- functions: (kind of the argument, kind of the value, function)


def _logarithm(x):
    if x <= 0:
        raise Misfit(f"{x:g} has no logarithm")
    return math.log(x)


def choose(n, k):
    n, k = whole(n, "what a binomial takes"), whole(k, "what a binomial takes")
    if not 0 <= n <= 1000:
        raise Misfit(f"the binomial of {n}: 0 to 1000 are computed")
    return float(math.comb(n, k)) if k >= 0 else 0.0


def _rank(a):
    return float(np.linalg.matrix_rank(a, hermitian=False))


FUNCTIONS = {
    r"\ln": ("scalar", "scalar", _logarithm),
    r"\log": ("scalar", "scalar", _logarithm),
    r"\exp": ("scalar", "scalar", math.exp),
    r"\sin": ("scalar", "scalar", math.sin),
    r"\cos": ("scalar", "scalar", math.cos),
    r"\tan": ("scalar", "scalar", math.tan),
    r"\arcsin": ("scalar", "scalar", math.asin),
    r"\arccos": ("scalar", "scalar", math.acos),
    r"\arctan": ("scalar", "scalar", math.atan),
    r"\tanh": ("scalar", "scalar", math.tanh),
    r"\operatorname{sign}": ("scalar", "scalar", lambda x: float(np.sign(x))),
    r"\det": ("matrix", "scalar", lambda a: float(np.linalg.det(_square(a)))),
    r"\operatorname{diag}": ("column", "matrix", np.diag),
    r"\operatorname{tr}": ("matrix", "scalar", lambda a: float(np.trace(_square(a)))),
    r"\operatorname{rank}": ("matrix", "scalar", _rank),
}
FUNCTIONS[r"\operatorname{sgn}"] = FUNCTIONS[r"\operatorname{sign}"]
FUNCTIONS[r"\operatorname{det}"] = FUNCTIONS[r"\det"]

NORMS = {
    ("column", "2"): lambda x: float(np.sqrt(x @ x)),
    ("column", "1"): lambda x: float(np.abs(x).sum()),
    ("column", r"\infty"): lambda x: float(np.abs(x).max(initial=0)),
    ("column", "0"): lambda x: float(np.count_nonzero(x)),
    ("matrix", "F"): lambda a: float(np.sqrt((a**2).sum())),
    ("matrix", "2"): lambda a: float(np.linalg.norm(a, 2)),
    ("matrix", "*"): lambda a: float(np.linalg.svd(a, compute_uv=False).sum()),
}


def norm(kind, which):
    """The function of a norm; a matrix has several, so that it must say which."""
    kind = "column" if kind == "row" else kind
    if kind == "matrix" and not which:
        raise Misfit(r"which norm of a matrix? \lVert A \rVert_F, _2 (the largest singular value) or _*")
    if kind == "scalar":
        raise Misfit(r"a scalar has an absolute value: \lvert x \rvert")
    if (kind, which or "2") not in NORMS:
        raise Misfit(f"no norm _{which} of a {kind} is known here")
    return NORMS[kind, which or "2"]
