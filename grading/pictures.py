"""A learner's own mistake, drawn: what the answer gave on the draw that failed, beside what was given.

The drawings are the homeworks' own, in their figures.py: functions of what the answer gave and of the
arguments of the draw. They return a figure and its sentence, and tell no more of the answer than a hint does.
"""

import importlib
from collections.abc import Callable

import numpy as np

from grading.question import Question
from grading.registry import load

PICTURES: dict[str, Callable] = {}


def mistake_drawn(*ids: str):
    """Declare the function (got, *args) -> (figure, its sentence) of questions."""

    def declared(draw):
        PICTURES.update(dict.fromkeys(ids, draw))
        return draw

    return declared


def picture_of(question: Question) -> Callable | None:
    """The function that draws mistakes of a question; None where there is none."""
    load(question.topic, "figures")
    return PICTURES.get(question.id)


def picture(question: Question, got, args):
    """(figure, its sentence); None where there is none, or the answer has a form that cannot be drawn."""
    draw = picture_of(question)
    if draw is None:
        return None
    try:
        with np.errstate(all="ignore"):
            return draw(got, *args)
    except Exception:  # any answer may come: what cannot be drawn has been told in words
        import matplotlib.pyplot as plt

        plt.close("all")
        return None


def plotting():
    """Imported by its name in text: no grade of a class hangs on how figures look (`grading.imports`)."""
    return importlib.import_module("helpers.plotting")
