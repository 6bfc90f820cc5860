"""What a case gives: the arguments of a function, shown with their names."""

from __future__ import annotations

import inspect
from itertools import starmap

import numpy as np

from grading.question import Question

SHORT = 30  # letters of a list that is shown whole


def call_of(question: Question, number: int = 0, seed: int = 0) -> str:
    """The call of `case` that gives this very input."""
    which = f", {number}, seed={seed}" if seed else f", {number}" if number else ""
    return f'case("{question.id}"{which})'


def names_of(question: Question) -> list[str]:
    """The names of a function's arguments."""
    return [*inspect.signature(question.truth).parameters] if question.is_function else []


class Given(tuple):
    """The arguments of a case: a tuple that is shown short, with their names and how to unpack them.

    >>> from grading.question import Case
    >>> cases = (Case(1, draw=lambda rng: (np.arange(3), 2)), Case(1, draw=lambda rng: (np.arange(5) / 4, 3)))
    >>> Given(Question("music.4", "", "beats", cases, truth=lambda times, bar: times % bar), 1)
    times (5,) · bar = 3
    times, bar = case("music.4", 1)
    times = [0.   0.25 0.5  0.75 1.  ]
    """

    def __new__(cls, question: Question, number: int = 0, seed: int = 0):
        made = super().__new__(cls, question.task(number, seed).args)
        made.names = names_of(question)[: len(made)]
        made.call = call_of(question, number, seed)
        return made

    def unpacked(self):
        """The only argument, or all."""
        return self[0] if len(self) == 1 else self if self.names else tuple(self)

    def __reduce__(self):  # elsewhere it is any tuple
        return tuple, (list(self),)

    def __repr__(self):
        named = dict(zip(self.names, self))
        sized = {name: value for name, value in named.items() if np.ndim(getattr(value, "shape", 0))}
        lines = [" · ".join(starmap(sized_up, named.items())), f"{', '.join(self.names)} = {self.call}"]
        return "\n".join([*lines, *(f"{name} = {in_short(name, value)}" for name, value in sized.items())])


def sized_up(name, value):
    """`X (25, 3)`, `folds (list of 4)`, `k = 3`."""
    if np.ndim(getattr(value, "shape", 0)):
        return f"{name} {value.shape}"
    text = f"{value:.4g}" if isinstance(value, float) else repr(value)
    return f"{name} = {text}" if len(text) <= SHORT else f"{name} ({type(value).__name__} of {len(value)})"


def in_short(name, value):
    """The first and last rows of an array or a table, in few digits."""
    if hasattr(value, "to_string"):
        return "\n" + value.to_string(max_rows=6, max_cols=4, max_colwidth=16)
    with np.printoptions(precision=3, suppress=True, threshold=20, edgeitems=3):
        return str(value).replace("\n", "\n" + " " * len(f"{name} = "))
