"""Formulas that are meant to keep the reader busy, or to bring it down: refused before much is done."""

import re

import pytest

from grading.judge import judge
from grading.registry import find
from helpers.reading import spelling

HOSTILE = {
    "two thousand letters and one": ("1 + " * 500 + "k", "2001 letters"),
    "ten million letters": ("x" * 10**7, "10000000 letters"),
    "a thousand brackets": ("{" * 1000 + "1" + "}" * 1000, "brackets inside each other|letters"),
    "sixty brackets": ("(" * 60 + "1" + ")" * 60, "50 brackets inside each other"),
    "six hundred logarithms": (r"\ln" * 600 + " k", "50 operations inside each other"),
    "a huge sum": (r"\sum_{j=1}^{10^8} j", "too many terms"),
    "a sum of sums": (r"\sum_{a=1}^{999} \sum_{b=1}^{999} 1", "too many terms"),
    "a tower": (r"9^{9^{9^{9}}}", "too large"),
    "a matrix to the power a thousand": (r"\operatorname{tr}((X^\top X)^{1000})", "not finite"),
    "a row of letters": ("i" * 1999, "how far does i run"),
    "an unknown name": (r"\lVert x_i - \hat x_i \rVert^2", "not in the notation table"),
    "an unknown command": (r"\input{/etc/passwd}", "cannot be read"),
    "a macro": (r"\def\a{\a\a}\a", "cannot be read"),
    "a page": ("<script>alert(1)</script>", "cannot be read"),
    "half of a pair": ("\ud800", "cannot be read"),
    "control characters": ("k\x00\x1b[2J", "r before the quotation marks"),
    "backslashes that Python has read": ("\frac{1}{n}", "r before the quotation marks"),
    "a name that is defined by itself": (r"a, \quad a = a", "defined by itself"),
    "no text": (7, "of type int"),
    "a list": ([r"\frac{1}{n}"], "of type list"),
    "text of a class of its own": (type("Text", (str,), {})("k"), "of type Text"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_hostile_formula_gets_a_point_or_costs_a_try(name):
    tex, says = HOSTILE[name]
    result = judge(find("pca.14"), lambda args: tex, show=False)
    assert (result.points, result.unread, len(result.notes)) == (0, True, 1)
    assert re.search(says, result.notes[0]), result.notes[0]
    assert len(result.notes[0]) < 400 and result.notes[0].encode()


def test_the_work_grows_with_the_length_alone(monkeypatch):
    """Of names that stand in a row, each letter is looked at a bounded number of times."""
    looked, is_letter = [], spelling.is_letter
    monkeypatch.setattr(spelling, "is_letter", lambda text: looked.append(0) or is_letter(text))
    judge(find("pca.14"), lambda args: "i" * 1999)
    assert 0 < len(looked) < 100 * 1999
