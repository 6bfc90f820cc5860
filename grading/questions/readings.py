"""Questions that read: a figure, or a report with a flaw. The answer is a choice, and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass

from grading.questions.declaring import Case, Mistake, Question, Task, question

__all__ = ["READINGS", "Reading", "reading"]

READINGS: dict[str, Reading] = {}
CHOICE, REASON = range(2)
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
        lines += ["", "because", ""]
        lines += [f"{number}. {reason}" for number, reason in enumerate(self.reasons, 1)]
        example = f'`{self.name} = ("{LETTERS[0]}", 1)`'
        return "\n".join([*lines, "", f"Answer with a letter and a number, as in {example}."])

    def mistakes(self):
        """Every other pair: a wrong choice is refuted whatever its reason; then the reason is."""
        for i, (choice, amiss) in enumerate(self.choices.items()):
            for j, (_, unfounded) in enumerate(self.reasons.items(), 1):
                if hint := amiss or unfounded:
                    yield Mistake(f"{choice} ({j})", hint, (LETTERS[i], j))


def reading(id, title, *, name, text, choices, reasons, hints, stars=1) -> Question:
    """Declare a question of this kind: a point for the choice, and one for the right reason of it."""
    asked = READINGS[id] = Reading(name, text, choices, reasons)
    for told in (choices, reasons):
        if list(told.values()).count(None) != 1 or len(told) < 3:
            raise ValueError(f"{id}: of three or more choices and reasons one is right, the one with None")
    return question(
        id,
        title,
        name=name,
        stars=stars,
        cases=[Case(1, "your choice", _choice), Case(1, "your reason", _reason)],
        truth=asked.truth,
        checker=checker(asked.truth),
        same=lambda a, b: pair(a) == pair(b),
        mistakes=[*asked.mistakes()],
        hints=hints,
    )


def _choice(rng):
    return Task((), CHOICE)


def _reason(rng):
    return Task((), REASON)


def pair(got):
    """A letter and a number, in whichever way they were typed."""
    choice, reason = got
    if float(reason) != int(float(reason)):
        raise ValueError("reasons are whole numbers")
    return str(choice).strip(" ()").lower(), int(float(reason))


def checker(truth):
    """The reason counts only for the right choice."""

    def check(got, part):
        try:
            mine = pair(got)
        except (TypeError, ValueError):
            return 'Answer with a pair: a letter and a number, as in ("a", 1).'
        return None if mine[:1] == truth[:1] and (part == CHOICE or mine == truth) else ""

    return check
