"""Questions that ask why: a reading (a figure, or a report with a flaw), and a choice with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grading.question import Case, Question, Task, question

READINGS: dict[str, Reading] = {}
BECAUSE: dict[str, Because] = {}
CHOICE, REASON = "choice", "reason"  # what a case judges
LETTERS = "abcdef"


@dataclass(frozen=True)
class Reading:
    """Choices and reasons, each with the hint that refutes it; None stands for the right one."""

    name: str
    text: str
    choices: dict[str, str | None]
    reasons: dict[str, str | None]

    @property
    def truth(self):
        """("b", 3): the letter of the right choice, the number of the right reason."""
        choice, reason = (list(told.values()).index(None) for told in (self.choices, self.reasons))
        return LETTERS[choice], reason + 1

    @property
    def markdown(self):
        """The task, as the notebook has it."""
        lines = [self.text, ""]
        lines += [f"- **{letter}** {choice}" for letter, choice in zip(LETTERS, self.choices)]
        lines += ["", "because", "", *numbered(self.reasons)]
        example = f'`{self.name} = ("{LETTERS[0]}", 1)`'
        return "\n".join([*lines, "", f"Answer with a letter and a number, as in {example}."])

    def mistakes(self):
        """Every other pair: a wrong choice is refuted whatever its reason; then the reason is."""
        told = {}
        for i, (choice, amiss) in enumerate(self.choices.items()):
            for j, (_, unfounded) in enumerate(self.reasons.items(), 1):
                if hint := amiss or unfounded:
                    told[f"{choice} ({j})"] = hint, (LETTERS[i], j)
        return told


@dataclass(frozen=True)
class Because:
    """Why is it so? Reasons, each with the hint that refutes it; None stands for the right one.

    asked : the question, which does not give the choice away
    """

    asked: str
    reasons: dict[str, str | None]

    @property
    def number(self):
        """Of the right reason."""
        return list(self.reasons.values()).index(None) + 1

    @property
    def markdown(self):
        """The question and its reasons, as the notebook has them."""
        return "\n".join([self.asked, "", *numbered(self.reasons)])

    def refusal(self, number):
        """None for the right reason; else what speaks against that one."""
        told = dict(enumerate(self.reasons.values(), 1))
        return told.get(whole(number), "No reason has that number.")


def numbered(reasons):
    return [f"{number}. {reason}" for number, reason in enumerate(reasons, 1)]


def reading(id, title, *, name, text, choices, reasons, hints, stars=1, then="") -> Question:
    """Declare a question of this kind: a point for the choice, and one for the right reason of it."""
    asked = READINGS[id] = Reading(name, text, choices, reasons)
    for told in (choices, reasons):
        if list(told.values()).count(None) != 1 or len(told) < 4:
            raise ValueError(f"{id}: of four or more choices and reasons one is right, the one with None")
    return question(
        id,
        title,
        name=name,
        stars=stars,
        cases=[Case(1, "your choice", _choice), Case(1, "your reason", _reason)],
        truth=asked.truth,
        checker=checker(asked.truth),
        same=lambda a, b: pair(a) == pair(b),
        mistakes=asked.mistakes(),
        hints=hints,
        then=then,
    )


def _choice(rng):
    return Task((), CHOICE)


def _reason(rng):
    return Task((), REASON)


def whole(number):
    """A number of a reason, in whichever way it was typed."""
    if float(number) != int(float(number)):
        raise ValueError("reasons are whole numbers")
    return int(float(number))


def pair(got):
    """A letter and a number, in whichever way they were typed."""
    choice, reason = got
    return str(choice).strip(" ()").lower(), whole(reason)


def checker(truth):
    """The reason counts only for the right choice."""

    def check(got, part):
        try:
            mine = pair(got)
        except (TypeError, ValueError):
            return 'Answer with a pair: a letter and a number, as in ("a", 1).'
        return None if mine[:1] == truth[:1] and (part == CHOICE or mine == truth) else ""

    return check


def reasoned(
    id,
    title,
    *,
    because: Because,
    cases,
    truth,
    mistakes,
    same: Callable,
    checker=None,
    disguise=None,
    for_reason=None,
    **fields,
) -> Question:
    """Declare a question for a choice and the number of its reason, a pair: the reason is worth a point.

    truth : the pair, or a function that returns it
    cases, mistakes, same, checker, disguise : of the choice alone, as in `question`
    for_reason : a draw on which the reason is asked for, where the first case's is costly
    """
    BECAUSE[id] = because
    cases = (cases,) if isinstance(cases, Case) else tuple(cases)
    if list(because.reasons.values()).count(None) != 1 or len(because.reasons) < 4:
        raise ValueError(f"{id}: of four or more reasons one is right, the one with None")
    return question(
        id,
        title,
        cases=[*cases, Case(1, "your reason", _for_the_reason(for_reason or cases[0].draw))],
        truth=truth,
        mistakes={name: (hint, with_reason(a, because.number)) for name, (hint, a) in mistakes.items()},
        same=lambda a, b: bool(same(a[0], b[0])) and whole(a[1]) == whole(b[1]),
        checker=_pair_checker(because, checker or _list_checker(truth[0], mistakes, same)),
        disguise=disguise and (lambda task, rng: task if is_for_the_reason(task) else disguise(task, rng)),
        **fields,
    )


def with_reason(choice, number):
    """The pair that such a question asks for; of a function, one that returns it."""
    return (lambda *args: (choice(*args), number)) if callable(choice) else (choice, number)


def _for_the_reason(draw):
    """Input on which only the reason is judged."""

    def drawn(rng):
        task = draw(rng)
        return Task(task.args if isinstance(task, Task) else task, REASON)

    return drawn


def is_for_the_reason(task):
    return isinstance(task.hidden, str) and task.hidden == REASON


def _pair_checker(because, choice):
    def check(got, *args):
        try:
            mine, number = got
            whole(number)
        except (TypeError, ValueError):
            return "Asked for is a pair: your choice, and the number of its reason."
        if args and isinstance(args[-1], str) and args[-1] == REASON:
            return because.refusal(number)
        return choice(mine, *args)

    return check


def _list_checker(truth, mistakes, same):
    """A known mistake has its hint whatever the reason."""

    def check(got):
        if same(got, truth):
            return None
        return next((hint for hint, answer in mistakes.values() if same(got, answer)), "")

    return check
