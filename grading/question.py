"""How a question is declared: what is asked, on which input, what is right, which mistakes have a name."""

from __future__ import annotations

import copy
import hashlib
import inspect
import pickle
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps

import numpy as np

from grading.typed_formula import compute, same_values
from helpers.comparing import close
from helpers.reading import Notation

REGISTRY: dict[str, Question] = {}  # all that are declared so far
KEPT = 1000  # inputs of which `computed_once` knows the answer


@dataclass(frozen=True)
class Task:
    """Input of a case: what the student's function is given, and what only the checker knows."""

    args: tuple
    hidden: object = None
    kept: dict | None = field(default=None, compare=False, repr=False)  # answers given to it, see `Memory`


@dataclass(frozen=True)
class Case:
    """One kind of input and what a right answer to it is worth.

    label : ends the sentences "Right for …" and "On …"
    draw : rng -> tuple of arguments, or Task; for a formula, of one dict with the values of its names
    """

    points: float
    label: str = "the public case"
    draw: Callable = lambda rng: ()


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: a function like the reference, TeX, or a value. The hint asks, it never tells."""

    name: str
    hint: str
    answer: object


@dataclass(frozen=True)
class Question:
    """One question. See `question` for the fields."""

    id: str
    title: str
    name: str
    cases: tuple[Case, ...]
    truth: object
    formula: Notation | None = None
    parts: Callable | None = None
    stars: int = 1
    same: Callable = close
    checker: Callable | None = None
    mistakes: tuple[Mistake, ...] = ()
    hints: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    secret: bool = False
    seconds: float = 10.0
    draws: int = 3
    disguise: Callable | None = None
    keeps_input: bool = False
    seeded: bool = False
    core: bool = False
    then: str = ""
    meanwhile: str = ""
    amiss: Callable | None = None

    @property
    def topic(self) -> str:
        """The homework to which it belongs, as its id says."""
        return self.id.split(".")[0]

    @property
    def points(self) -> float:
        return sum(c.points for c in self.cases)

    @property
    def is_function(self) -> bool:
        """The student defines a function; otherwise a value."""
        return callable(self.truth)

    @property
    def is_formula(self) -> bool:
        """The student types TeX, which is read with a notation table."""
        return self.formula is not None

    @property
    def is_drawn(self) -> bool:
        """The answer is tried on drawn input."""
        return self.is_function or self.is_formula

    @property
    def hides_expected(self) -> bool:
        """The expected values are never shown: a secret, or one right answer of many."""
        return self.secret or self.checker is not None

    def with_parts(self, answer):
        """An answer as it is declared: a dict stands for the reference with these parts exchanged."""
        if not self.is_function or not isinstance(answer, dict):
            return answer
        parts = self.parts or self.truth
        inspect.signature(parts).bind_partial(**answer)  # a misspelt part raises TypeError here and now
        return partial(parts, **answer)

    def task(self, case: int, seed) -> Task:
        """The drawn input of a case. `seed` is a number, or the grader's secret and the student's number."""
        parts = seed if isinstance(seed, (tuple, list)) else [seed]
        rng = np.random.default_rng([*map(int, parts), zlib.crc32(self.id.encode()), case])
        drawn = self.cases[case].draw(rng)
        drawn = drawn if isinstance(drawn, Task) else Task(drawn)
        return self.disguise(drawn, rng) if self.disguise and len(parts) > 1 else drawn

    def answer_to(self, answer, task: Task):
        """What a reference, a mistake or another answer gives for this input; of a formula, its value."""
        if self.is_formula:
            return compute(answer, self.formula, *task.args, self.truth)
        if not callable(answer):
            return answer
        if task.kept is None:
            return answer(*task.args)
        if id(answer) not in task.kept:
            task.kept[id(answer)] = answer(*copy.deepcopy(task.args))
        return task.kept[id(answer)]

    def refusal(self, got, task: Task) -> str | None:
        """None when `got` is right; otherwise what is wrong with it, or "" when there is no more to say."""
        if self.checker is None:
            return None if self.same(got, self.answer_to(self.truth, task)) else ""
        hidden = () if task.hidden is None else (task.hidden,)
        args = task.args if task.kept is None else copy.deepcopy(task.args)
        return self.checker(got, *args, *hidden)


def question(
    id: str, title: str, *, cases: Sequence[Case] | Case, truth, name: str = "", mistakes=None, **fields
) -> Question:
    """Declare a question.

    Parameters
    ----------
    id : "music.3": the name of its folder in homework/ and a number
    title : as the notebook's heading says it
    cases : inputs with their points
    truth : the reference: a function of a case's arguments, the value asked for, or TeX. Its arguments with a
        default are parts that a mistake can exchange
    name : what the student defines; where it is not given, the reference's own name
    formula : a notation table, when the answer is TeX in a string: the names that it may use
    parts : the reference once more, where exchanging needs branches on which the reference never goes
    mistakes : {name: (hint, answer)}; a dict as answer exchanges parts of the reference
    stars : 1 to 3
    same : comparator from `helpers.comparing`; ignored where `checker` is given
    checker : ``checker(got, *args)`` or ``checker(got, *args, hidden)`` -> None if right, else why not or ""
    hints : a ladder for ``hint(id)``, the first the gentlest
    forbids : modules that the answer may not use
    secret : never show the expected values (questions for a number)
    seconds : time that one call may take
    disguise : (task, rng) -> task, for a class: the same task in a form that data carried in do not know
    keeps_input : the task asks that the arguments stay as they are: who changes them has no point
    seeded : the last argument is a seed: the same one gives the same again, another one another
    core : one of the five or six that hold the most of a chapter, in at most 75 minutes
    then : after full marks: another way, what it costs, or a question to go on with
    meanwhile : what `check` says before it begins, where that takes long
    amiss : (question, got) -> what is wrong with a value that is none of the mistakes, without telling it
    draws : inputs of each case for a student of a class; 1 where one input is many trials that take long
    """
    cases = (cases,) if isinstance(cases, Case) else tuple(cases)
    mistakes = [Mistake(name, *told) for name, told in (mistakes or {}).items()]
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()}
    if fields.get("formula") is not None:
        fields = {"same": same_values} | fields
    made = Question(id, title, name or truth.__name__, cases, truth, **fields)
    made = replace(made, mistakes=tuple(replace(m, answer=made.with_parts(m.answer)) for m in mistakes))
    if id in REGISTRY and REGISTRY[id].title != title:
        raise ValueError(f"question {id} is declared twice: {REGISTRY[id].title!r} and {title!r}")
    REGISTRY[id] = made
    return made


def computed_once(function):
    """What many answers ask for is kept: what a checker measures all of them by, a score that all compare."""
    known = {}

    @wraps(function)
    def recalled(*args, **named):
        key = hashlib.sha256(pickle.dumps((args, named))).digest()
        if key not in known:
            if len(known) >= KEPT:
                known.clear()
            known[key] = function(*args, **named)
        return known[key]

    return recalled
