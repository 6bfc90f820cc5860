"""docs/agreement.md is what the tool writes, and names everything that the package offers."""

import re

import numpy as np
import pytest

from helpers._fast import is_open
from tools import agreement
from tools.agreement_rows import ROWS


def test_the_table_stands_as_the_tool_writes_it():
    """To the letter with the drawer open, whose Lasso ends with an exact step; nearly so without."""
    text, stored = agreement.page(), agreement.PAGE.read_text(encoding="utf-8")
    if not is_open():
        text, stored = (re.sub(r"1e-(12|09|06) \|", "small |", one) for one in (text, stored))
    assert text == stored


def test_every_public_name_is_listed():
    assert agreement.listed_names() == agreement.public_names()


def test_nothing_differs_by_much():
    last = re.findall(r"\| ([^|]+) \|\n", agreement.PAGE.read_text(encoding="utf-8").split("## Without")[0])[
        1:
    ]
    assert len(last) == len(ROWS) and set(last) == {"equal", "1e-12", "1e-09", "1e-06", "1e-05"}


@pytest.mark.parametrize(
    "ours, theirs, signs, wanted",
    [
        ([1, 2], [1, 2], False, 0),
        ([1, 2], [1, 3], False, np.inf),
        ([1.0, 2.0], [1.0, 4.0], False, 0.5),
        ([[1.0, -2.0]], [[1.0, 2.0]], True, 1e-300),
        ([[1.0, -2.0]], [[1.0, 2.0]], False, 2.0),
        ([True], [False], False, np.inf),
        (["a"], ["a"], False, 0),
        ([np.nan, 1.0], [0.0, 1.0], False, np.inf),
    ],
    ids=str,
)
def test_a_difference_is_seen(ours, theirs, signs, wanted):
    assert agreement.difference(np.array(ours), np.array(theirs), signs) == wanted


def test_shapes_must_be_alike():
    with pytest.raises(AssertionError, match="shapes"):
        agreement.difference(np.ones((2, 1)), np.ones(2), False)


@pytest.mark.parametrize(
    "worst, shown", [(0, "equal"), (1e-300, "1e-12"), (2e-12, "1e-09"), (2e-6, "1e-05"), (1, "more")]
)
def test_rounding_goes_up(worst, shown):
    assert agreement.rounded_up(worst) == shown
