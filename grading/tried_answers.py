"""Answers that put the questions to the test: what must be refused, and what is right in other words.

One file in each folder of homework. A dict stands for the reference with these parts exchanged, as in the
question's mistakes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from grading.question import Question
from grading.reasons import BECAUSE, READINGS, with_reason
from grading.registry import find, load

REGISTRY, PROMISES = {}, {}


@dataclass(frozen=True)
class Tried:
    """Functions with the reference's signature, or values, as the question asks for; and draws for faults."""

    wrong: tuple = ()
    right: tuple = ()
    small: tuple = ()
    promises: dict = field(default_factory=dict)


def tried(id: str, *, wrong: Sequence = (), right: Sequence = (), small: Sequence = ()) -> Tried:
    """Declare what a question refuses beyond its mistakes, and what it accepts beside its reference.

    small : a draw for each case where its own is costly: input of the same kind that shows as many faults of
        the reference
    """
    answer = find(id).with_parts
    REGISTRY[id] = Tried(tuple(map(answer, wrong)), tuple(map(answer, right)), tuple(small))
    return REGISTRY[id]


def promised(questions: dict) -> None:
    """Declare what the texts of a homework's functions promise of their input, so that some draw shows it.

    questions : {id: {words of the task: (the arguments) -> whether this input shows it}}, None where the
        words speak of no input. Words that begin with "no" are kept by every draw.
    """
    PROMISES.update(questions)


def twins(X):
    """Whether two rows are equal."""
    return len(np.unique(X, axis=0)) < len(X)


def answers_to(question: Question) -> Tried:
    """What is tried on that question: nothing when nobody declared anything."""
    load(question.topic, "tried_answers")
    if question.id in READINGS:
        letter, number = READINGS[question.id].truth
        right = ([letter.upper(), number], np.array([letter, number]), (f"{letter})", float(number)))
        return Tried(((letter, number + 0.5), letter, number, (number, letter), f"{letter} {number}"), right)
    declared = replace(REGISTRY.get(question.id, Tried()), promises=PROMISES.get(question.id, {}))
    if question.id in BECAUSE:
        return paired(declared, question.truth, BECAUSE[question.id].number)
    return declared


def paired(choices, truth, number):
    """The declared choices with the right reason; and the right choice with a reason that is none."""
    pairs = [[with_reason(choice, number) for choice in some] for some in (choices.wrong, choices.right)]
    if callable(truth):
        return replace(choices, wrong=(*pairs[0], lambda *args: truth(*args)[0]), right=pairs[1])
    odd = [(truth[0], other) for other in (0, number + 0.5, "?", None)]
    return replace(choices, wrong=(*pairs[0], truth[0], *odd), right=pairs[1])
