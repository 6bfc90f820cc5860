r"""What a typed formula comes to: its TeX read with a notation table and computed on a draw.

The TeX is a plain string, and nothing in it is ever executed. It is read where the judge runs, never in the
process of the submission, and within bounds on its length, its depth and the terms of its sums.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from helpers.comparing import close
from helpers.reading import ReadingError
from helpers.reading.formula import CLAUSE, WHERE
from helpers.reading.symbols import Environment
from helpers.reading.tokens import LETTERS, tokens, tree
from helpers.reading.values import RELATIONS

STEPS = 20_000  # terms times operations, of one formula on one draw
ESCAPED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")  # what "\frac" and "\top" become without the r
WORDS = {
    "scalar": "a number",
    "column": "a column of length {}",
    "row": "a row of length {}",
    "matrix": "a matrix of shape {} × {}",
}


@dataclass(frozen=True)
class Computed:
    """The value of a formula on a draw, over the indices that are free in what was asked for.

    kind : scalar, column, row or matrix
    free : the indices for each of whose values it holds
    value : array, the free indices' axes first
    """

    kind: str
    free: tuple
    value: np.ndarray

    def __array__(self, dtype=None, copy=None):
        return np.array(self.value, dtype)

    @property
    def words(self):
        """What it is, in words: "a column of length 3 for each i"."""
        words = WORDS[self.kind].format(*self.value.shape[len(self.free) :])
        return words + (f" for each {' and '.join(self.free)}" if self.free else "")


def written(answer) -> str:
    """The TeX of an answer, on one line and without dollars around it; ReadingError when it is no text."""
    if type(answer) not in (str, np.str_):
        raise ReadingError(
            "", 0, f'write the formula as text, r"…"; yours is of type {type(answer).__name__}'
        )
    tex = str(answer)
    if len(tex) > LETTERS:
        raise ReadingError(tex[:80], 0, f"it has {len(tex)} letters; at most {LETTERS} are read")
    if found := ESCAPED.search(tex):
        raise ReadingError(
            ESCAPED.sub("\N{REPLACEMENT CHARACTER}", tex[: found.start() + 40]),
            found.start(),
            'Python has read a backslash as something else: put an r before the quotation marks, r"…"',
        )
    return tex.encode("utf-8", "replace").decode().replace("\n", " ").strip(" $")


def compute(answer, names, draw, asked) -> Computed:
    """What a formula comes to on a draw.

    Parameters
    ----------
    answer : str, TeX
    names : Notation
    draw : dict, a value for each quantity that `names` does not define
    asked : str, the TeX of the reference, whose free indices are those of the answer

    Raises
    ------
    ReadingError
        Where, and why, it has no one reading or no value.
    """
    tex, reference = written(answer), _reference(names, asked)
    if not tex:
        raise ReadingError("", 0, "the formula is empty")
    _refuse_a_relation(tex)
    try:
        formula = names.read(tex, may_be_free=bool(reference.free))
        _refuse_what_is_no_value(formula, reference, tex)
        environment = Environment(names.table, draw, STEPS)
        lengths = reference.lengths(environment)
        value = formula.values(environment, lengths)[0]
    except RecursionError:
        raise ReadingError(tex, 0, "too many operations inside each other") from None
    return Computed(formula.kind, reference.free, np.asarray(value, float))


def same_values(a: Computed, b: Computed) -> bool:
    """One kind, one shape, and equal numbers."""
    return a.kind == b.kind and close(a.value, b.value)


@cache
def _reference(names, tex):
    return names.read(tex, may_be_free=True)


def _refuse_a_relation(tex):
    """share = … : asked for is what stands behind the sign."""
    for t in tree(tex):
        if t.text in CLAUSE or WHERE.fullmatch(t.text):
            return
        if t.text in RELATIONS:
            raise ReadingError(
                tex, t.at, f"write the value alone, without {t.text} and what stands before it"
            )


def _refuse_what_is_no_value(formula, reference, tex):
    """A free index that nobody asked for, a unit matrix of no size."""
    if stray := sorted(set(formula.free) - set(reference.free)):
        at = next((t.at for t in tokens(tex) if t.text == stray[0]), 0)
        raise ReadingError(tex, at, f"{stray[0]} is free: this is asked for each {', '.join(reference.free)}")
    if formula.kind not in WORDS:
        hint = "how large is this unit matrix? Write I_k" if formula.kind == "unit" else "this is no number"
        raise ReadingError(tex, 0, hint)
