"""What to tell of a wrong answer: its cause where that is certain, else where it differs."""

from __future__ import annotations

import numpy as np

from grading.question import Question, Task
from grading.typed_formula import Computed
from helpers.comparing import tolerance

NOTHING = "your function returned nothing (None). Is a `return` missing? `print` gives no answer."
TAKEN = "your result cannot be taken: {}."
STILL_RUNNING = (
    "was still running after {seconds:g} seconds. Is there a loop that never ends, or one over pairs that an "
    "array operation could do?"
)
RAGGED = "a list whose parts differ in shape"
ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
TOO_LARGE = 1e150  # the square of a number beyond is none
SHOWN = 6  # places where two arrays differ
TINY, ROUNDING = 1e-6, 1e-12  # what may be rounding alone; what it is against the right numbers
CLOSE = 1e-8  # against the largest number: what `close` forgives


def cause(question: Question, given: list, others: list = ()) -> object | None:
    """The known mistake that gives the very answer, on every draw: one draw may coincide.

    given : [(task, what the answer gave)]
    others : the same of other cases. Where two mistakes give this answer, they tell which of the two it is.
    """
    fitting = [
        mistake
        for mistake in question.mistakes
        if all(_reproduces(question, mistake, got, task) for task, got in given)
    ]
    if len(fitting) > 1:
        told = [sum(_reproduces(question, m, got, task) for task, got in others) for m in fitting]
        return fitting[told.index(max(told))]
    return fitting[0] if fitting else None


def _reproduces(question, mistake, got, task):
    try:
        with np.errstate(all="ignore"):
            wrong = question.answer_to(mistake.answer, task)
            return (
                bool(question.same(got, wrong))
                or _same_blanks(got, wrong)
                or _both_nothing(question, got, wrong, task)
            )
    except Exception:  # a mistake may well crash on some input; then it did not give this answer
        return False


def _same_blanks(got, wrong):
    """Equal numbers, with NaN and infinities in the same places: comparators refuse those."""
    return (
        np.shape(got) == np.shape(wrong)
        and np.isnan(np.asarray(wrong, float) * 0).any()
        and bool(np.allclose(np.asarray(got, float), wrong, equal_nan=True))
    )


def _both_nothing(question, got, wrong, task):
    """0 but for rounding, as comparators cannot see that have nothing larger to measure it by."""
    size = max(np.abs(np.asarray(part, float)).max(initial=0) for part in (got, wrong))
    if np.shape(got) != np.shape(wrong) or not size < TINY:
        return False
    want = np.abs(np.asarray(question.answer_to(question.truth, task), float)).max(initial=0)
    return bool(size < ROUNDING * want < np.inf)


def raised(kind, text, line) -> str:
    """That a learner's function failed, and in which line of its cell, where that is known."""
    where = f" (line {line} of its cell)" if line else ""
    return f"your function raised {kind}: {text}{where}."


def is_beyond(value) -> bool:
    """Whether there is a number in it with which nobody can compute: NaN, an infinity, or a huge one."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple, set)):
        return any(map(is_beyond, value))
    if isinstance(value, int):
        return abs(value) > TOO_LARGE
    array = np.asarray(value)
    if array.dtype == object:
        return array.ndim > 0 and is_beyond(array.ravel().tolist())
    return array.dtype.kind in "fc" and not bool((np.abs(array) <= TOO_LARGE).all())


def parts_right(question: Question, got) -> tuple[int, int]:
    """(right, all) of the parts of an answer by hand; (0, 0) where it has none, or each is a yes or no."""
    truth = question.truth
    if (
        question.is_drawn
        or question.checker
        or len(question.cases) > 1
        or not isinstance(truth, (list, tuple))
    ):
        return 0, 0
    if not 2 <= len(truth) <= 10 or all(isinstance(part, (bool, np.bool_, str)) for part in truth):
        return 0, 0  # half of all guesses would be right
    try:
        mine = list(got)
        if isinstance(got, (str, dict, set)) or len(mine) != len(truth):
            return 0, len(truth)
        alone = [[*truth[:i], part, *truth[i + 1 :]] for i, part in enumerate(mine)]
        right = (
            not is_beyond(mine[i]) and question.same(type(truth)(alone[i]), truth) for i in range(len(mine))
        )
        return sum(map(bool, right)), len(truth)
    except Exception:  # whatever it is, it has no parts
        return 0, len(truth)


def difference(question: Question, got, task: Task, show: bool) -> str:
    """Kind, shape, NaN, or the places where the numbers differ."""
    want = _in_its_form(question, got, question.answer_to(question.truth, task))
    if _kind_of(got) != _kind_of(want):
        return f"your result is {_kind_of(got)}; asked for is {_asked(want)}."
    if question.hides_expected:
        return "That is not it yet."
    return _parts_differ(got, want, show) or _values_differ(question, got, want, show)


def _in_its_form(question, got, want):
    """What was expected, where signs or lengths of its columns are free as close to the answer as they go."""
    try:
        if question.checker or np.shape(got) != np.shape(want):
            return want
        mine, right = plain(got), np.asarray(want)
        signs = np.where((mine * right).sum(axis=0) < 0, -1, 1) if question.same(-right, want) else 1
        lengths = (
            np.sqrt((mine**2).sum(axis=0) / (right**2).sum(axis=0)) if question.same(2 * right, want) else 1
        )
        turned = right * signs * lengths
        return turned if question.same(turned, want) else want
    except Exception:  # text, a ragged list: what has neither
        return want


def _kind_of(value):
    if isinstance(value, Computed):
        return value.words
    kinds = {str: "text", (bool, np.bool_): "a truth value", dict: "a dict", (set, frozenset): "a set"}
    for types, name in kinds.items():
        if isinstance(value, types):
            return name
    try:
        shape = np.shape(value)
    except Exception:  # not even a shape can be asked for
        return RAGGED
    if callable(value):
        return "a function"
    return f"an array of shape {shape}" if shape else "a single value"


def _asked(want):
    """The kind of what was expected; of a list in parts, what they are."""
    if _kind_of(want) != RAGGED or not isinstance(want, (list, tuple)) or len(want) > SHOWN:
        return _kind_of(want)
    return f"a list of {len(want)} parts: {'; '.join(map(_kind_of, want))}"


def _parts_differ(got, want, show):
    """Of an answer in parts that differ in shape or are named: the first part that is wrong."""
    if isinstance(want, dict) and isinstance(got, dict):
        if got.keys() != want.keys():
            return f"your keys are {_listed(got)}; asked for are {_listed(want)}."
        pairs = [(f"Under the key {key!r}: ", got[key], want[key]) for key in want]
    elif _kind_of(want) == RAGGED and isinstance(want, (list, tuple)):
        if not isinstance(got, (list, tuple)) or len(got) != len(want):
            return f"your result has {_length(got)} parts; asked for are {len(want)}."
        names = [*ORDINAL, *(f"{i}th" for i in range(len(ORDINAL) + 1, len(want) + 1))]
        pairs = [(f"Your {name} part: ", g, w) for name, g, w in zip(names, got, want)]
    else:
        return None
    for where, mine, right in pairs:
        if _kind_of(mine) != _kind_of(right):
            return f"{where}it is {_kind_of(mine)}; asked for is {_kind_of(right)}."
        if _kind_of(right) == RAGGED:
            deeper = _parts_differ(mine, right, show)
            if deeper or not isinstance(right, (list, tuple)):
                deeper = (deeper or "its values differ from the expected ones.").replace(
                    "Your", "in it the", 1
                )
                return where + deeper
        elif _places(mine, right):
            return where + (_table(mine, right) if show else "its values differ from the expected ones.")
    return None


def _listed(keys):
    return ", ".join(sorted(map(repr, keys))[:SHOWN]) + (" …" if len(keys) > SHOWN else "")


def _length(value):
    return len(value) if hasattr(value, "__len__") else "no"


def _values_differ(question, got, want, show):
    if _kind_of(got) == RAGGED:
        return "the values differ from the expected ones."
    array = plain(got)
    if array.dtype.kind in "fc" and np.isnan(array).any():
        return f"your result holds {int(np.isnan(array).sum())} NaN: where does a 0/0 or a blank come from?"
    if not show:
        return "the values differ from the expected ones."
    return _table(got, want, " on one draw" if question.is_formula else "")


def plain(value):
    """An array of real numbers where it can be one: of complex numbers whose imaginary parts are 0, too."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufcO":
        return array
    try:
        real = np.real_if_close(array.astype(complex))
    except (TypeError, ValueError):
        return array
    return array if array.dtype.kind in "biuf" else real


def _places(got, want):
    """Indices where two values of one shape differ; all, where they cannot be compared."""
    mine, right = plain(got), plain(want)
    if mine.dtype.kind in "biufc" and right.dtype.kind in "biufc":
        mine, right = mine + 0.0, right + 0.0
        finite = [np.abs(one[np.isfinite(one)]).max(initial=0) for one in (mine, right)]
        with np.errstate(invalid="ignore"):
            near = np.abs(mine - right) <= tolerance(mine.real, right.real, tol=CLOSE) * max(finite)
        wrong = ~(near | (mine == right))  # infinity is infinity; NaN differs
    else:
        wrong = mine != right
    return [tuple(map(int, place)) for place in np.argwhere(wrong)]


def _table(got, want, drawn=""):
    """Yours and what was expected in columns, the places where they differ first."""
    mine, right = plain(got), plain(want)
    places = _places(mine, right)
    head = f"the values differ{drawn}"
    if places and mine.size > 1:
        head += f" in {len(places)} of {mine.size} places"
    if places and mine.dtype.kind == right.dtype.kind == "f" and mine.size > 1:
        most = max(abs(mine[p] - right[p]) for p in places)
        head += f", by {most:.3g} at most" if np.isfinite(most) else ""
    first = (places or [tuple(map(int, place)) for place in np.ndindex(mine.shape)])[:SHOWN]
    pairs = [(mine[place], right[place]) for place in first]
    rows = {"at": [f"[{', '.join(map(str, place))}]" for place in first]} if mine.ndim else {}
    rows |= dict(zip(("yours", "expected"), map(list, zip(*_told(pairs)))))
    wide = [max(map(len, column)) for column in zip(*rows.values())]
    more = "  …" if len(places) > SHOWN else ""
    lines = [
        f"  {name:<9} " + "  ".join(f"{text:>{n}}" for text, n in zip(texts, wide)) + more
        for name, texts in rows.items()
    ]
    return "\n".join([f"{head}.", *lines])


def _told(pairs):
    """Each pair as text, with as many digits as tell the two apart."""
    for mine, right in pairs:
        texts = str(mine), str(right)
        if all(isinstance(value, (float, np.floating)) for value in (mine, right)):
            texts = next(
                (both for n in range(4, 17) if len(set(both := (f"{mine:.{n}g}", f"{right:.{n}g}"))) == 2),
                texts,
            )
        yield texts
