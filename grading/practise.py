"""``practise("music.1")``: a question with fresh numbers, as often as you like; nothing of it is noted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grading import shell
from grading.calling import call, judge_named
from grading.given import Given
from grading.judge import Result, judge
from grading.pictures import plotting
from grading.registry import join
from grading.statements import Statements
from grading.variant import fresh, question_of, quiz
from grading.verdict import Verdict

FIRST_SEED = 10_000  # `check` draws from 0, 1 and 2


class Text:
    """A task, as Markdown where there is a notebook."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return self.text


class Practice:
    """A fresh variant, with its own `check`, `hint` and `case`. Nothing is noted of it.

    Parameters
    ----------
    id : str, of a question; or of a chapter, for true and false statements
    seed : int, which variant
    """

    def __init__(self, id: str, seed: int):
        asked = question_of(id)
        self.seed, self._hints = seed, 0
        if "." in id:
            self._fresh = fresh(asked, seed)
        else:
            self._fresh = quiz(asked, np.random.default_rng(seed))
        self.question = self._fresh.question

    def __repr__(self):
        return f'practise("{self.question.id}", seed={self.seed}).check({self._blank})'

    @property
    def _blank(self):
        """The form of an answer, to be filled; nothing where the notebook's own is tried."""
        if self.question.is_drawn:
            return ""
        return "[…]" if isinstance(self.question.truth, list) else "…"

    @property
    def text(self) -> str:
        """The task."""
        if self._fresh.text:
            return self._fresh.text
        name = self.question.name
        if self.question.is_formula:
            return f'`.check()` tries your formula `{name}` on fresh numbers; `.check(r"…")` another one.'
        return (
            f"`.check()` tries your `{name}` on fresh input, other than the input of `check`. "
            f"`.case()` gives you one: say first what your function will make of it."
        )

    def check(self, *answer):
        """Judge an answer to this variant; without one, what the notebook has under the question's name."""
        verdict = Verdict(self._judged(*answer), more="More: .hint()", reasons=self._fresh.reasons)
        shell.display(verdict)

    def hint(self):
        """The next hint."""
        hints = self.question.hints
        print(f"Hint {self._hints % len(hints) + 1} of {len(hints)}: {hints[self._hints % len(hints)]}")
        self._hints += 1

    def case(self, number: int = 0):
        """The input of a case of this variant."""
        return Given(self.question, number, self.seed).unpacked()

    def _judged(self, *answer) -> Result:
        question = self.question
        if len(answer) > 1:
            answer = (answer,)  # .check(1, 2) for .check((1, 2))
        if not answer and not question.is_drawn:
            return Result(question, 0.0, ["Put your answer between the brackets."])
        seeds = [self.seed, self.seed + 1, self.seed + 2]
        if not answer:
            return judge_named(question, shell.names(), shell.cells(), seeds)
        if question.is_function and callable(answer[0]):
            return judge(question, lambda args: call(answer[0], args, question.seconds), seeds)
        result = judge(question, lambda args: answer[0], seeds)
        return self._with_reasons(result, answer[0]) if self._fresh.reasons else result

    def _with_reasons(self, result, answer):
        """Of true and false: how many are right, and the reasons of the others."""
        truth = self.question.truth
        if not isinstance(answer, (list, tuple, np.ndarray)) or len(answer) != len(truth):
            result.notes = [f"Asked for is a list of {len(truth)} times True or False."]
            return result
        wrong = [i for i, (mine, right) in enumerate(zip(answer, truth, strict=True)) if mine != right]
        result.points = round(self.question.points * (1 - len(wrong) / len(truth)), 2)
        result.notes = [f"{len(truth) - len(wrong)} of {len(truth)} are right."] if wrong else []
        result.notes += [f"\n{i + 1}: {str(truth[i]).lower()}. {self._fresh.reasons[i]}" for i in wrong]
        return result


def practise(id: str, seed: int | None = None) -> Practice | None:
    """Show a fresh variant of a question, or, for the name of a chapter, true and false statements.

    ::

        practise("music.5")
        A string of 65 cm sounds at 220 Hz. How long is the string that sounds at 330 Hz?
    """
    if seed is None:
        seed = FIRST_SEED + int(np.random.SeedSequence().generate_state(1)[0]) % 10**6
    join(Path.cwd())
    try:
        made = Practice(id, seed)
    except KeyError as unknown:
        return print(unknown.args[0])
    stated = made._fresh.statements
    shell.display(Statements(made.text, stated) if stated else Text(made.text))
    if made._fresh.figure:
        plotting().show(*made._fresh.figure())
    return made
