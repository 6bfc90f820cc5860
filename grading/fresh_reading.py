"""What a question reads, with other data: a figure, or the numbers of a report; words follow.

Declared in figures.py of a homework. Nothing here is imported that draws, since no grade hangs on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from grading.pictures import plotting
from grading.question import Question
from grading.registry import load

FRESH_READINGS: dict[str, Callable] = {}


@dataclass(frozen=True)
class FreshReading:
    """What is read this time.

    draw : () -> (a figure, its sentence); None for a report
    holds : whether the data show what the right choice says
    words : {in the text, the choices, the reasons or their hints: what stands there instead}
    """

    draw: Callable | None
    holds: bool
    words: dict = field(default_factory=dict)


def fresh_reading(id: str):
    """Declare the function rng -> FreshReading of a question."""

    def declared(drawn):
        FRESH_READINGS[id] = drawn
        return drawn

    return declared


def fresh_reading_of(question: Question, rng) -> FreshReading | None:
    """A reading that shows what is right; None where nothing of the question varies."""
    load(question.topic, "figures")
    if question.id not in FRESH_READINGS:
        return None
    while not (made := FRESH_READINGS[question.id](rng)).holds:
        pass
    return made


def swapped(one, other):
    """Words of which each stands for the other."""
    return {one: other, other: one}


def two_lines(x, first, second, labels, **axes):
    """A figure of two lines, told apart by mark and stroke as well."""
    fig, ax = plotting().figure(height=3)
    ax.plot(x, first, "o-", label=labels[0])
    ax.plot(x, second, "s--", label=labels[1])
    ax.set(**axes)
    ax.legend()
    return fig
