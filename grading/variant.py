"""How a variant is declared: a question for a value with other numbers; and statements with reasons."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from grading.fresh_reading import fresh_reading_of
from grading.question import Case, Mistake, Question
from grading.reasons import READINGS, checker
from grading.registry import NoQuestion, find, load
from helpers.comparing import same_labels

VARIANTS: dict[str, Callable] = {}
BANKS: dict[str, tuple[Statement, ...]] = {}
CLAIMS: dict[str, tuple[tuple[Statement, ...], ...]] = {}
ASKED = 8  # statements of a quiz
ENOUGH = 1000  # draws; a variant that tells its mistakes apart comes long before


@dataclass(frozen=True)
class Statement:
    """What is true or false for certain, and why.

    check : computes whether it is true; None for what words mean, which no run decides
    """

    text: str
    true: bool
    because: str
    check: Callable | None = None


@dataclass(frozen=True)
class Variant:
    """What is asked this time.

    mistakes : {name of a mistake of the question: the answer it gives here}; its hint stays
    hints, checker, same : in place of the question's own
    """

    text: str
    truth: object
    mistakes: dict = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    checker: Callable | None = None
    same: Callable | None = None


@dataclass(frozen=True)
class Claims:
    """A question for a list of true and false, put again: what stands before the list, and its statements."""

    text: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Fresh:
    """A variant as it is put: its text, the question that judges, statements with reasons, a figure."""

    question: Question
    text: str
    statements: tuple[Statement, ...] = ()
    figure: Callable | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(one.because for one in self.statements)


def variant(id: str):
    """Declare the function rng -> Variant of a question."""

    def declared(draw):
        VARIANTS[id] = draw
        return draw

    return declared


def bank(topic: str, *statements: Statement) -> None:
    """Declare the statements of a chapter, each with its reason, and with a check unless it is of words."""
    BANKS[topic] = statements


def holds(text: str, because: str, check: Callable) -> Statement:
    return Statement(text, True, because, check)


def fails(text: str, because: str, check: Callable) -> Statement:
    return Statement(text, False, because, check)


def means(text: str, true: bool, because: str) -> Statement:
    """What a word or a method is by definition: there is nothing to run."""
    return Statement(text, true, because)


def worded(check: Callable, true: bool, *wordings) -> tuple[Statement, ...]:
    """One claim in several wordings: (text, why), or (text, why, False) where it says the opposite.

    check : computes whether the claim is true
    """

    def statement(text, because, agrees=True):
        return Statement(text, true == agrees, because, lambda: bool(check()) == agrees)

    return tuple(statement(*wording) for wording in wordings)


def reworded(id: str, text: str, *claims) -> None:
    """Declare a variant: of each claim one of its wordings, in any order; some are true and some false."""
    CLAIMS[id] = claims

    def draw(rng):
        while True:
            chosen = [wordings[rng.integers(len(wordings))] for wordings in claims]
            if 2 <= sum(one.true for one in chosen) <= len(chosen) - 2:
                return Claims(text, tuple(chosen[i] for i in rng.permutation(len(chosen))))

    VARIANTS[id] = draw


def also(checker: Callable, demand: Callable) -> Callable:
    """The checker of a question, after what is asked for besides: answer -> None, or what is amiss."""

    def both(got, *hidden):
        try:
            amiss = demand(got)
        except (TypeError, ValueError, IndexError, AttributeError):
            amiss = None  # it has another form: the question's own checker says which is asked for
        return amiss or checker(got, *hidden)

    return both


def fresh(question: Question, seed: int) -> Fresh:
    """A fresh variant of a question. One on drawn input is its own: it draws from another seed."""
    load(question.topic, "variants")
    rng = np.random.default_rng([seed, zlib.crc32(question.id.encode())])
    if question.is_drawn:
        return Fresh(question, "")
    if question.id in READINGS:
        return read_again(question, rng)
    if question.id not in VARIANTS:
        return quiz(question, rng)
    for _ in range(ENOUGH):
        drawn = VARIANTS[question.id](rng)
        if isinstance(drawn, Claims):
            return true_or_false(question, drawn)
        made = _varied(question, drawn)
        if _tells_apart(made):
            return Fresh(made, drawn.text)
    raise RuntimeError(f"{question.id}: no variant in {ENOUGH} draws tells its mistakes apart")


def read_again(question: Question, rng) -> Fresh:
    """A figure of other data, or a report once more: choices and reasons under other letters and numbers."""
    fresh = fresh_reading_of(question, rng)
    words = fresh.words if fresh else {}
    asked = READINGS[question.id]
    shuffled = [
        {in_words(key, words): hint and in_words(hint, words) for key, hint in in_another_order(told, rng)}
        for told in (asked.choices, asked.reasons)
    ]
    text = in_words(asked.text, words)
    again = replace(asked, text=text, choices=shuffled[0], reasons=shuffled[1])
    made = replace(
        question,
        truth=again.truth,
        checker=checker(again.truth),
        mistakes=tuple(Mistake(name, *told) for name, told in again.mistakes().items()),
        hints=tuple(in_words(hint, words) for hint in question.hints),
    )
    return Fresh(made, again.markdown, figure=fresh and fresh.draw)


def in_another_order(told: dict, rng) -> list:
    return [list(told.items())[i] for i in rng.permutation(len(told))]


def in_words(text: str, words: dict) -> str:
    """The text with each word exchanged; what has been put in is not exchanged again."""
    if not words:
        return text
    return re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], text)


def quiz(question: Question, rng) -> Fresh:
    """True or false: statements of the chapter's bank, some of either kind."""
    load(question.topic, "variants")
    if question.topic not in BANKS:
        raise NoQuestion(f"{question.id} has nothing to practise: its homework declares no variant")
    statements = BANKS[question.topic]
    while True:
        chosen = [statements[i] for i in rng.permutation(len(statements))[:ASKED]]
        truth = [one.true for one in chosen]
        if 2 <= sum(truth) <= ASKED - 2:
            break
    return true_or_false(question, Claims("True or false?", tuple(chosen)))


def true_or_false(question: Question, claims: Claims) -> Fresh:
    """A list of statements, each of which has its reason."""
    count = len(claims.statements)
    made = replace(
        question,
        truth=[one.true for one in claims.statements],
        cases=(Case(question.points),),
        checker=None,
        same=same_labels,
        mistakes=(),
        hints=("Try those that you doubt.",),
    )
    lines = [f"{i}. {one.text}" for i, one in enumerate(claims.statements, 1)]
    text = f"{claims.text} Answer with a list of {count} `True` or `False`.\n\n" + "\n".join(lines)
    return Fresh(made, text, claims.statements)


def _varied(question, drawn):
    hint_of = {m.name: m for m in question.mistakes}
    if drawn.checker:
        mistakes = question.mistakes
    else:
        mistakes = tuple(replace(hint_of[name], answer=answer) for name, answer in drawn.mistakes.items())
    return replace(
        question,
        truth=drawn.truth,
        mistakes=mistakes,
        hints=drawn.hints or question.hints,
        checker=drawn.checker or question.checker,
        same=drawn.same or question.same,
    )


def _tells_apart(question):
    """The truth and the mistakes of a drawn variant are different answers."""
    if question.checker:
        return True
    answers = [question.truth, *(m.answer for m in question.mistakes)]
    return not any(question.same(b, a) for i, a in enumerate(answers) for b in answers[i + 1 :])


def question_of(id: str) -> Question:
    """The question of that id, or, for the name of a chapter alone, one for its true and false statements."""
    if "." in id:
        return find(id)
    first = find(f"{id.strip().lower()}.1")
    return replace(
        first,
        id=id.strip().lower(),
        title="True or false",
        name="answers",
        truth=[],
        cases=(replace(first.cases[0], points=ASKED),),
        formula=None,
        checker=None,
        mistakes=(),
        same=same_labels,
        secret=True,
    )
