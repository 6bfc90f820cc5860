"""Is a question's judgement worth anything? Every declared question is put to the same trials.

Each trial returns what is wrong with a question, in words. The trials themselves are tried at the end, on
questions that are wrong on purpose.
"""

import copy
import dataclasses
import functools
import inspect
import itertools
import json
import math
import pickle
import re
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from grading import question as declaring
from grading.calling import call
from grading.judge import NOT_ATTEMPTED, CallFailed, judge
from grading.question import Case, Question
from grading.reasons import BECAUSE, READINGS, with_reason
from grading.registry import all_questions, topics
from grading.tried_answers import answers_to
from tools.build_exercises import is_ours
from tools.faults.in_tex import faulty_tex
from tools.faults.mutants import reference_mutants

PUBLIC = (0, 1, 2)
SALTED = (2**64 + 12345, 77)  # the grader's seeds: a secret, and a student
FIRST_TEN = (SALTED, *range(9))
BUDGET = 0.5  # processor seconds for the draws of one answer: 50 draws where one takes 10 ms, 10 where 50 ms
pytestmark = pytest.mark.filterwarnings("ignore")  # wrong answers may warn

HEADING = re.compile(r"## Question (\d+) (★+) \(([\d.]+) points?(, core)?\): \S")
FILES = {
    question.split(".")[0]: path
    for path in (Path(__file__).parents[2] / "exercises").glob("[0-9]*.ipynb")
    for question in re.findall(r'check\(\\"([\w.]+)\\"\)', path.read_text(encoding="utf-8"))[:1]
}


def words(topic):
    """All that the notebook of a homework tells."""
    cells = json.loads(FILES[topic].read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def tasks_of(topic):
    """{id: the text of the task}, as the notebook has it."""
    told = HEADING.split(words(topic).partition("\n## What to review")[0])
    return {f"{topic}.{n}": text for n, text in zip(told[1::5], told[5::5], strict=True)}


TASKS = {id: text for topic in FILES for id, text in tasks_of(topic).items()}

# Questions of two or three stars whose wrong answers are mostly no method that one could name.
FEW_MISTAKES = {
    "knn.8": "the answer is three points: most wrong ones are just other points",
    "knn.12": "held-out accuracy: beyond scaling and k there is little to do wrong without a crash",
    "filters.9": "the answer is one of five columns: most wrong scores fall for the same one",
    "pca.9": "the answer is a table: most wrong ones are just other tables",
    "selection.12": "the answer is one of twenty degrees: different mistakes give the same",
    "multiclass.12": "the answer is one of two names: different mistakes give the same",
}
# Faults of a reference that change no answer that the question asks for.
# a mean is the sum over a constant
SAME_ORDER = "((X - q) ** 2).sum: mean", "((X[others] - X[i]) ** 2).sum: mean"
NO_TIES = "kind='stable'): kind= dropped"  # distances of drawn rows do not tie, or only where it is no matter
IN_NO_FOLD = "np.zeros: ones", "5 in range(5): one more"  # each row is tested once; a sixth fold is empty
NO_FAULT = {
    "knn.3": SAME_ORDER,
    "knn.6": (*SAME_ORDER, NO_TIES),
    "knn.12": (
        "7: one more",
        "7: one less",  # any k that does well
        "X.mean(axis=0): axis= dropped",
        "X.mean: sum",
    ),  # a shift of all rows moves no neighbour
    "lda.9": (
        *("6: one more", "6: one less"),  # any number of folds does
        "part != f: turned round",  # the rows left out, around their own mean
        *("(z1 * z2).mean: sum", "(z1 ** 2).mean: sum", "(z2 ** 2).mean: sum"),  # all scores alike
        "np.mean: sum",
    ),
    "lda.10": (":3: the upper end dropped", "3 in :3: one more"),  # a candidate is its own best partner
    "pca.11": ("the edge moved",),  # an eigenvalue exactly at the limit
    "sparse.10": (
        "1 in -1: one more",
        "1 in -1: one less",
    ),  # the round before the last, or the first, ranks the starts too
    "sparse.11": ("noisy.mean: sum",),  # the constant cosine takes up any grey
    "manifold.3": (": not taken",),  # the largest eigenvalues are above 0
    "manifold.8": ("G.T: the transpose dropped", ": not taken"),  # G is symmetric up to rounding
    "manifold.4": ("axis=0: the other axis",),  # K is symmetric
    "manifold.5": ("argsort(axis=1): axis= dropped",),  # the last axis is NumPy's own choice
    "manifold.7": (
        "argsort(axis=1): axis= dropped",
        "the lower end dropped",
        "1 in 1:L + 1: one less",
    ),  # an edge of length 0 from a row to itself
    "manifold.10": (
        "the edge moved",
        "ways[0]: one more",
        "ways[0]: one less",
        "len(sound) // 2: one more",
    ),  # any L that does
    "manifold.11": (
        "n_components= dropped",
        "one more",
        "8 in n_neighbors=8: one less",
        "0 in (:, 0): one less",
    ),  # any map that does well; its first column
    "filters.7": ("all= dropped",),  # it only silences a warning
    "filters.12": (": not taken", "metric).sum: mean"),  # squares follow; the nearest stays the nearest
    "filters.8": ("np.sum: mean",),  # entropy takes counts or their shares
    "selection.12": (
        "21 in range(1, 21): one more",
        "21 in range(1, 21): one less",
        "np.mean: sum",
        "H @ y: the factors swapped",  # degree 20 never wins; H is symmetric
        "1 in range(1, 21): one less",
        "1 in range(1, 21): one more",
        "int(np.argmin(errors)) + 1: the constant dropped",
        "1 in int(np.argmin(errors)) + 1: one less",
        "1 in int(np.argmin(errors)) + 1: one more",
    ),  # or one degree beside
    "selection.9": ("1.0: one more", "H @ y: the factors swapped"),  # the same span; H is symmetric
    "selection.11": (".mean: sum",),  # the least sum is the least mean
    "recovery.4": ("norm='ortho'): norm= dropped",),  # the waves in play keep one common length
    "recovery.9": ("np.zeros: ones",),  # any first guess leads to the one minimum
    "recovery.11": ("default_rng(0): one more",),  # other entries are set aside
    "multiclass.8": ("((out[:, None] - code) ** 2).sum: mean",),  # the nearest stays the nearest
    "multiclass.12": (
        *(".mean: sum", "cv= dropped", "one more", "one less"),  # any number of folds does
        "alpha= dropped",  # any small ridge does
    ),
    "imbalance.4": ("the edge moved",),  # a p exactly at the base rate
    "imbalance.6": ("the edge moved",),  # two costs that are exactly equal
    "imbalance.9": ("5: one more", "5: one less"),  # four, five or six copies outvote five neighbours alike
    "wrappers.2": (
        "new >= least: the edge moved",  # two held-out errors that are exactly equal
        *IN_NO_FOLD,
    ),
    "wrappers.5": (*IN_NO_FOLD, "cv_error: line 7: np.mean: sum"),  # the pairs keep their order
}


def marks(q, answer, seeds=PUBLIC):
    """What the judge says to an answer: a function, or a value."""

    def run(args):
        try:
            with np.errstate(all="ignore"):
                return answer(*args) if callable(answer) else answer
        except Exception as error:
            raise CallFailed(repr(error)) from error

    return judge(q, run, seeds)


def accepts(q, answer, seeds=PUBLIC):
    """Only whether: no cause is looked for, and the first seed that is refused settles it."""
    silent = dataclasses.replace(q, mistakes=())
    return all(marks(silent, answer, [seed]).full for seed in (seeds if q.is_drawn else seeds[:1]))


@dataclasses.dataclass(frozen=True)
class OnTrial(Question):
    """A question, and the answers that put it to the test."""

    wrong: tuple = ()
    right: tuple = ()
    small: tuple = ()
    promises: dict = dataclasses.field(default_factory=dict, compare=False)
    text: str = ""
    drawn: dict = dataclasses.field(default_factory=dict, compare=False)

    def refusal(self, got, task):
        """Checkers are not handed a copy: a trial sees to it that they change nothing."""
        return super().refusal(got, dataclasses.replace(task, kept=None) if self.checker else task)

    @property
    def on_small_input(self):
        """The same question with the draws that show its faults, where it has some."""
        if not self.small:
            return self
        pairs = zip(self.cases, self.small, strict=True)
        cases = tuple(dataclasses.replace(case, draw=draw) for case, draw in pairs)
        return dataclasses.replace(self, cases=cases, drawn={})

    def task(self, case, seed):
        """Ten inputs of each case are drawn once: some questions draw until the input is good.

        With them is kept what the reference and the mistakes give; nobody else is handed the originals.
        """
        if seed not in FIRST_TEN:
            return super().task(case, seed)
        if (case, seed) not in self.drawn:
            self.drawn[case, seed] = dataclasses.replace(super().task(case, seed), kept={})
        return self.drawn[case, seed]


def remembered(answer, worth=1e-3):
    """The same function, which computes nothing twice that takes longer than `worth` processor seconds."""
    known = {}

    @functools.wraps(answer)
    def recall(*args, **named):
        if any(map(callable, named.values())):  # a part exchanged: what it is, no key tells
            return answer(*args, **named)
        key = pickle.dumps((args, named))
        if key in known:
            return copy.deepcopy(known[key])
        begun = time.process_time()
        value = answer(*args, **named)
        if time.process_time() - begun > worth:
            known[key] = copy.deepcopy(value)
        return value

    return recall if callable(answer) else answer


def put_to_the_test(q):
    """The question with the answers to try; its own are computed once for each draw."""
    answers = answers_to(q)
    mistakes = tuple(dataclasses.replace(m, answer=remembered(m.answer)) for m in q.mistakes)
    own = vars(q) | {"truth": remembered(q.truth), "mistakes": mistakes}
    return OnTrial(**own, **vars(answers), text=TASKS.get(q.id, ""))


def call_by_name(q, replace):
    """Answers that call the reference by its name are given what is remembered, too."""
    topic, truth = q.id.split(".")[0], inspect.unwrap(q.truth)
    for room in [room for name, room in sys.modules.items() if name.startswith(f"homework.{topic}.")]:
        for name in [name for name, thing in vars(room).items() if thing is truth]:
            replace(room, name, q.truth)


QUESTIONS = [put_to_the_test(q) for q in all_questions()]


def is_slow(q):
    """One draw is many trials, which take long: what is tried of it hangs on no machine."""
    return q.seconds > 10 or q.id in ("multiclass.12", "manifold.10")


def public(q):
    return PUBLIC[:1] if is_slow(q) else PUBLIC


def seeds_for(q, many):
    """As many as the budget allows, three at least, of a slow one two; of a value, nothing is drawn.

    The next one is asked for when the last has been tried. The first is free: it also loads what the second
    finds.
    """
    seeds, begun = [SALTED, *range(many - 1)] if q.is_drawn else PUBLIC[:1], 0.0
    for tried, seed in enumerate(seeds):
        each = (time.process_time() - begun) / max(tried - 1, 1)
        if tried >= (2 if is_slow(q) else 3) and (tried + 1) * each > BUDGET:
            return
        yield seed
        begun = begun if tried else time.process_time()


# ---- the trials


def reference_is_right(q):
    """Full marks on up to 50 draws, and the same twice: what is remembered and what is computed anew."""
    for seed in seeds_for(q, 50):
        result = marks(q, inspect.unwrap(q.truth), [seed])
        if not result.full:
            yield f"the reference loses points on seed {seed}: {result.notes}"


def reference_is_calm(q):
    for i in range(len(q.cases)):
        task = Question.task(q, i, 0)
        before, begun = copy.deepcopy(task.args), time.process_time()
        q.answer_to(inspect.unwrap(q.truth), task)
        if time.process_time() - begun > q.seconds / 2:
            yield f"the reference takes more than half of the {q.seconds:g} s on {q.cases[i].label}"
        if pickle.dumps(before) != pickle.dumps(task.args):
            yield f"the reference changes its input on {q.cases[i].label}"
        task = Question.task(q, i, 0)
        q.refusal(q.answer_to(q.truth, task), task)
        if pickle.dumps(before) != pickle.dumps(task.args):
            yield f"the checker changes its input on {q.cases[i].label}"
        if q.is_drawn and pickle.dumps(Question.task(q, i, 0).args) != pickle.dumps(before):
            yield f"the same seed draws another input on {q.cases[i].label}"
        others = (pickle.dumps(Question.task(q, i, seed).args) for seed in (*PUBLIC[1:], SALTED))
        if q.is_drawn and all(other == pickle.dumps(before) for other in others):
            yield f"every seed draws the same input on {q.cases[i].label}: a table of answers would do"


def mistakes_are_told(q):
    """Each is refused on the public draws; whoever gives that very answer is told its own hint, no other."""
    for mistake in q.mistakes:
        result = marks(q, mistake.answer, public(q))
        if result.full:
            yield f"{mistake.name!r} gets full marks"
        elif not any(mistake.hint in note for note in result.notes):
            yield f"{mistake.name!r} is told {result.notes}"
        others = [m.hint for m in q.mistakes if m.hint not in mistake.hint]  # one may begin like another
        if any(hint in note for hint in others for note in result.notes):
            yield f"{mistake.name!r} is told another's hint: {result.notes}"


def wrong_is_refused(q):
    for i, answer in enumerate(q.wrong):
        if accepts(q, answer, public(q)):
            yield f"wrong[{i}] gets full marks"
    for constant in constants(q):
        if accepts(q, lambda *args, constant=constant: constant, public(q)):
            yield f"{constant!r}, whatever the data, gets full marks"


def constants(q, many=50):
    """For a checker that forgives: what the reference says of other draws, and a grid between."""
    if not q.is_function or q.is_formula or q.checker is None:
        return []
    told = [
        q.answer_to(q.truth, Question.task(q, i, s))
        for i in range(len(q.cases))
        for s in (3, 4, 5)[: len(public(q))]
    ]
    try:
        rows = np.array([np.atleast_1d(np.asarray(one, float)) for one in told])
    except (TypeError, ValueError):
        return told
    if rows.ndim > 2 or rows.shape[1] > 2:
        return told  # a table of the drawn data's shape
    each = many if (np.ptp(rows, axis=0) > 0).sum() <= 1 else 7
    whole = [all(value.is_integer() for value in column.tolist()) for column in rows.T]
    axes = [
        np.unique(np.linspace(column.min(), column.max(), each).round()).astype(int).tolist()
        if counts
        else np.linspace(column.min(), column.max(), each).tolist()
        for column, counts in zip(rows.T, whole, strict=True)
    ]
    grid = list(itertools.product(*axes))
    return told + (grid if np.ndim(told[0]) else [one for (one,) in grid])


def right_is_accepted(q):
    """Other ways to a right answer, and the reference's own numbers in other types."""
    if len(q.right) < 3:
        yield f"{len(q.right)} other right answers; give at least 3"
    tried = {f"right[{i}]": answer for i, answer in enumerate(q.right)}
    if not q.is_formula:
        tried |= {what: in_type(turn, q.truth) for what, turn in TYPES.items()}
    for what, answer in tried.items():
        for seed in seeds_for(q, 10) if what.startswith("right") else PUBLIC[:1]:
            result = marks(q, answer, [seed])
            if not result.full:
                yield f"{what} is refused on seed {seed}: {result.notes}"
                break


def in_type(turn, answer):
    """The same answer, but each array and number in it turned; what `turn` refuses stays."""

    def turned(value):
        if isinstance(value, (tuple, list)):
            return [turned(v) for v in value]
        return turn(value) if isinstance(value, (np.ndarray, np.generic, float)) else value

    return (lambda *args: turned(answer(*args))) if callable(answer) else turned(answer)


def of_floats(turn):
    return lambda value: turn(value) if np.asarray(value).dtype.kind == "f" else value


TYPES = {
    "a list": lambda value: value.tolist() if hasattr(value, "tolist") else value,
    "what has single precision": of_floats(lambda value: np.float32(value)[()]),
    "what is complex with nothing imaginary": of_floats(lambda value: value + 0j),
    "a pandas object": lambda value: {1: pd.Series, 2: pd.DataFrame}.get(np.ndim(value), lambda v: v)(value),
}


def enough_is_tried(q):
    if len(q.mistakes) + len(q.wrong) < 8:
        yield f"{len(q.mistakes) + len(q.wrong)} wrong answers; give at least 8"
    if q.stars > 1 and len(q.mistakes) < 4 and q.id not in FEW_MISTAKES:
        yield f"{len(q.mistakes)} mistakes with a name; for {q.stars} stars give at least 4"


def small_changes_are_noticed(q):
    """At least 95 % of the small faults of the reference; of a value, every change of one of its numbers."""
    if not CONCERNS[small_changes_are_noticed](q):
        return  # many values are right: `wrong` has to do
    changed, seeds = dict([*faults_of(q)][:: 4 if is_slow(q) else 1]), public(q)
    on = q.on_small_input
    if not accepts(on, q.truth, seeds):
        yield "the reference itself is refused on the input for its faults"
    missed = [what for what, answer in changed.items() if accepts(on, answer, seeds)]
    missed = [what for what in missed if not what.endswith(NO_FAULT.get(q.id, ("\0",)))]
    promised = [what for what in missed if what.endswith(PROMISED)]
    if promised or len(missed) > 0.05 * len(changed):
        yield f"{len(missed)} of {len(changed)} faults are not noticed: " + "; ".join(missed)


# What a text promises and a draw must show: a value exactly at a limit, rows that are equally near.
PROMISED = ("the edge moved", "kind= dropped")


# Words by which a text promises something of its input: ties and twins, blanks, ends and limits, odd shapes.
PROMISING = re.compile(
    r"(?<![Yy]ou )\bmay (?:even|be(?! at most)|have|hold|lie|differ|number)\b|\bmust also work|\beven with\b"
    r"|\bequal(?:ly)? (?!parts|likely)|\bties?\b|\btwin|of several the|\bconstant (?:in|column)|of zeros"
    r"|\bNaN|np\.nan|with a blank|is blank|blanks are|least one blank"
    r"|both included|\ba single (?:new |test )?row|\bempty\b|any (?:labels|sizes?|lengths|unit|whole)"
    r"|\\le |(?:above|at least\*\*|at most one|score >) ?(?:0|the share|standard)"
)
PIECE = re.compile(r"[^.:;?!]+[.:;?!]?")


def promises_are_drawn(q):
    """What the text promises of its input is declared, and the draws that one learner is given show it."""
    task = q.text.split("**Why**")[0].split("*Not allowed")[0]
    spans = [(task.find(quoted), len(quoted)) for quoted in q.promises]
    yield from (f"the text has no {quoted!r}" for quoted in q.promises if quoted not in task)
    for piece in PIECE.finditer(task):
        covered = any(at < piece.end() and piece.start() < at + long for at, long in spans)
        if PROMISING.search(piece[0]) and not covered:
            yield f"no draw is asked to show: {piece[0].strip()!r}"
    for quoted, shows in q.promises.items():
        always = all if quoted.lower().startswith(("no ", "without ")) else any
        for seeds in (PUBLIC, [(SALTED[0], n) for n in range(q.draws)]) if shows else ():
            draws = [q.task(case, seed) for case in range(len(q.cases)) for seed in seeds]
            if not always(bool(shows(*copy.deepcopy(draw.args))) for draw in draws):
                yield f"{'a draw breaks' if always is all else 'no draw shows'} it: {quoted!r}"


def faults_of(q):
    """(what, answer) with one small fault: of a reference in code, in TeX, or of a value."""
    if q.is_formula:
        return ((tex, tex) for tex in faulty_tex(q.truth))
    return faulty(q) if q.is_function else perturbed(q.truth)


def faulty(q):
    """Mutants of the reference and of the functions of its module that it calls."""
    truth = inspect.unwrap(q.truth)
    home = truth.__globals__
    used = [inspect.unwrap(home[n]) for n in names_in(truth.__code__) if inspect.isfunction(home.get(n))]
    inside = [function for function in used if function.__globals__ is home]
    return reference_mutants(truth, inside=inside, seconds=min(q.seconds, 5))


def names_in(code):
    """Each name that a function looks up, also in what is defined inside it, in the same order everywhere.

    Up to Python 3.11 a list comprehension is defined inside; from 3.12 on it is a part of the function.
    """
    inner = [c for c in code.co_consts if inspect.iscode(c)]
    return sorted({*code.co_names}.union(*map(names_in, inner)))


def perturbed(value):
    """(what, value) with one number changed, for each number of a value however nested."""
    if isinstance(value, (list, tuple, np.ndarray)):
        for i, part in enumerate(value):
            for what, other in perturbed(part):
                yield f"[{i}]{what}", [*value[:i], other, *value[i + 1 :]]
    elif isinstance(value, (int, float, np.number)):
        yield from {" + 1": value + 1, " - 1": value - 1, " missing": np.nan}.items()
        if value:
            yield from {" 2 % more": 1.02 * value, " negative": -value}.items()
    else:
        yield " other", f"not {value}"


def nothing_is_not_attempted(q):
    def unwritten(*args):
        raise NotImplementedError

    tried = {"None": None, "...": ...}
    if q.is_function:
        tried = {"None": lambda *args: None, "...": lambda *args: ..., "NotImplementedError": unwritten}
    for name, answer in tried.items():
        result = judge(q, functools.partial(attempt, q, answer))
        if (result.points, result.notes) != (0, [NOT_ATTEMPTED]):
            yield f"{name} gives {result.points:g} points and {result.notes}"


def attempt(q, answer, args):
    """As `check` asks a learner's function, or takes a value."""
    return call(answer, args, q.seconds) if callable(answer) else answer


JUNK = [
    0,
    -1.5,
    np.nan,
    np.inf,
    "text",
    "",
    b"x",
    [],
    [[]],
    {},
    set(),
    [1, [2]],
    [None],
    object(),
    len,
    (),
    1j,
    True,
    np.zeros(0),
    np.zeros((2, 0)),
    np.full((3, 3), np.nan),
    [["a"], 1],
    np.eye(2)[None],
    pd.DataFrame({"a": [1]}),
]


def junk_is_refused(q):
    """Whatever comes back, the judge says something and goes on."""
    for junk in JUNK:
        answer = (lambda *args, junk=junk: copy.copy(junk)) if q.is_function else junk
        result = marks(dataclasses.replace(q, mistakes=()), answer)
        if q.is_drawn and result.points:
            yield f"{junk!r} gets {result.points:g} points"
        if not result.full and not all(result.notes):
            yield f"nothing is said to {junk!r}"


def texts_are_sentences(q):
    told = [*q.hints, *(m.hint for m in q.mistakes)]
    if not q.hints:
        yield "no hint to ask for"
    for text in told:
        if not re.search(r"[.?][)\"*]?$", text) or text != text.strip():
            yield f"no sentence: {text!r}"
    labels = Counter(c.label for c in q.cases)
    yield from (f"the case {label!r} stands twice" for label, n in labels.items() if n > 1)
    if len(q.cases) > 1 and any(c.label == Case(1).label for c in q.cases):
        yield "a case without a label"


def secrets_are_kept(q):
    """No hint holds a number that is asked for; 0 and 1 count only where nothing else is asked."""
    if not q.secret:
        return
    asked = [float(x) for x in numbers_in(q.truth[0] if q.id in BECAUSE else q.truth)]
    asked = [x for x in asked if x not in (0, 1)] or asked
    told = [
        *q.hints,
        *(m.hint for m in q.mistakes),
        *(n for m in q.mistakes for n in marks(q, m.answer).notes),
    ]
    told += [n for answer in q.wrong for n in marks(q, answer).notes]
    for text in told:
        named = [
            float(x)
            for x in re.findall(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w,])", re.sub(r"shape \(.*?\)", "", text))
        ]
        words = {"zero": 0, "half": 0.5}
        named += [value for word, value in words.items() if re.search(rf"\b{word}\b", text, re.I)]
        if any(math.isclose(a, b, rel_tol=1e-3) for a in asked for b in named) or "expected  " in text:
            yield f"gives the answer away: {text!r}"


def numbers_in(value):
    if isinstance(value, (list, tuple, np.ndarray)):
        return [x for part in value for x in numbers_in(part)]
    return [value] if isinstance(value, (int, float, np.number)) else []


def declared_well(q):
    if not re.fullmatch(r"[a-z_]+\.[1-9]\d*", q.id):
        yield f"the id {q.id!r} should be a topic and a number"
    if not q.name.isidentifier() or not q.title or q.title.endswith("."):
        yield f"name {q.name!r}, title {q.title!r}"
    if q.stars not in (1, 2, 3) or not all(c.points > 0 for c in q.cases):
        yield f"{q.stars} stars, points {[c.points for c in q.cases]}"


def declaration_is_complete(q):
    """What is seen without an answer."""
    yield from declared_well(q)
    yield from texts_are_sentences(q)
    yield from enough_is_tried(q)


def no_answer_is_no_answer(q):
    """Nothing is not attempted, and junk is refused."""
    yield from nothing_is_not_attempted(q)
    yield from junk_is_refused(q)


def reference_is_sound(q):
    """Right whatever is drawn, and calm."""
    yield from reference_is_right(q)
    yield from reference_is_calm(q)


TRIALS = (
    reference_is_sound,
    mistakes_are_told,
    wrong_is_refused,
    right_is_accepted,
    small_changes_are_noticed,
    promises_are_drawn,
    no_answer_is_no_answer,
    secrets_are_kept,
)


# Who is put to a trial; to the others it has nothing to say. Junk meets the rule by which answers are
# compared: the first question of each. What a value's reference is worth, `right_is_accepted` sees, which
# hands it in. All readings have one rule, and their answers, mistakes and hints are made by one function.
def rule(q):
    """By which its answers are compared: all readings share one, and all lists with a reason."""
    alike = "a reading" if q.id in READINGS else "a list" if q.id in BECAUSE and not q.is_function else None
    return alike or (q.checker or q.same).__code__, q.is_function


FIRST_OF_ITS_RULE = {q.id for q in {rule(q): q for q in reversed(QUESTIONS)}.values()}
OF_ITS_OWN = FIRST_OF_ITS_RULE | {q.id for q in QUESTIONS if q.id not in READINGS}
CONCERNS = {
    reference_is_sound: lambda q: q.is_drawn,
    mistakes_are_told: lambda q: q.id in OF_ITS_OWN,
    wrong_is_refused: lambda q: q.id in OF_ITS_OWN,
    right_is_accepted: lambda q: q.id in OF_ITS_OWN,
    no_answer_is_no_answer: lambda q: q.id in FIRST_OF_ITS_RULE,
    promises_are_drawn: lambda q: q.is_function,
    small_changes_are_noticed: lambda q: q.checker is None or q.is_function or q.id in BECAUSE,
    secrets_are_kept: lambda q: q.secret,
}


@pytest.mark.parametrize("q", QUESTIONS, ids=lambda q: q.id)
def test_every_question(q, monkeypatch):
    call_by_name(q, monkeypatch.setattr)
    tried = [trial for trial in TRIALS if CONCERNS.get(trial, bool)(q)]
    found = {trial.__name__: list(trial(q)) for trial in tried}
    assert not {name: problems for name, problems in found.items() if problems}


def test_each_declaration_is_complete():
    found = {q.id: list(declaration_is_complete(q)) for q in QUESTIONS}
    assert not {id: problems for id, problems in found.items() if problems}


def test_each_wrong_reason_is_refuted_by_its_own_hint_whatever_the_choice():
    for q in (q for q in QUESTIONS if q.id in BECAUSE):
        because = BECAUSE[q.id]
        choice = (lambda *args, q=q: q.truth(*args)[0]) if q.is_function else q.truth[0]
        for number, hint in enumerate(because.reasons.values(), 1):
            result = marks(q, with_reason(choice, number), PUBLIC[:1])
            told = [other for other in because.reasons.values() if other and other in " ".join(result.notes)]
            assert told == ([hint] if hint else []), q.id
            assert result.full or number != because.number, q.id


def test_the_length_of_an_option_says_nothing():
    """Nor its rank by length: whoever counts letters is right no more often than by guessing, or hardly."""
    lists = [options for read in READINGS.values() for options in (read.choices, read.reasons)]
    lists += [because.reasons for because in BECAUSE.values()]
    assert all(len(options) >= 4 for options in lists)
    ranks = Counter(sorted(options, key=len).index(right(options)) for options in lists)
    assert max(ranks[0], ranks[3]) <= len(lists) / 4 and max(ranks.values()) <= 0.4 * len(lists), ranks
    for options in lists:
        others = [len(option) for option, amiss in options.items() if amiss]
        assert len(right(options)) < 1.25 * max(others), right(options)


def right(options):
    return next(option for option, amiss in options.items() if amiss is None)


# ---- a homework as a whole


SHORT = 4, 6, 12, 20  # the capstone, of 90 minutes: questions and points


def homework_problems(questions):
    topic = questions[0].id.split(".")[0]
    ids, names, titles = ([getattr(q, field) for q in questions] for field in ("id", "name", "title"))
    if ids != [f"{topic}.{i}" for i in range(1, len(ids) + 1)]:
        yield f"the ids are {ids}"
    for one in (names, titles):
        yield from (f"{x!r} stands twice" for x, n in Counter(one).items() if n > 1)
    for q in questions:
        if not re.match(r"(Go on|Cost|Another way): .+[.?]$", q.then):
            yield f"{q.id} ends with its tick: {q.then!r}"
    few, many, least, most = SHORT if topic == "capstone" else (10, 16, 25, 42)
    if not few <= len(questions) <= many:
        yield f"{len(questions)} questions; {few} to {many} fill a homework"
    if not least <= sum(q.points for q in questions) <= most:
        yield f"{sum(q.points for q in questions):g} points; give {least} to {most}"
    if {q.stars for q in questions} != {1, 2, 3}:
        yield "from warm-up to open-ended: one, two and three stars"


def test_every_homework():
    found = {topic: list(homework_problems(all_questions(topic))) for topic in topics()}
    assert not {topic: problems for topic, problems in found.items() if problems}


def test_every_question_has_its_answers_once():
    files = (Path(__file__).parents[2] / "homework").glob("*/tried_answers.py")
    declared = re.findall(
        r'^tried\(\s*"(.+?)"', "\n".join(f.read_text(encoding="utf-8") for f in files), re.M
    )
    assert sorted(declared) == sorted(q.id for q in QUESTIONS if q.id not in READINGS)


def test_exceptions_are_still_needed():
    known = {q.id: q for q in QUESTIONS}
    assert all(len(known[i].mistakes) < 4 and known[i].stars > 1 for i in FEW_MISTAKES)
    assert set(NO_FAULT) <= set(known)


# ---- do the trials find what is wrong?


def middle(x):
    """Half of the numbers are at most as large; of two in the middle the larger."""
    return np.sort(x)[len(x) // 2]


def higher(x):
    return np.quantile(x, 0.5, method="higher")


def draw_odd(rng):
    return (rng.normal(size=25) + 3,)


def draw_even(rng):
    return (rng.normal(size=26) + 3,)


def made(**fields):
    """A question in order, but for the fields given."""
    fields = (
        dict(
            id="toy.1",
            title="The middle",
            name="middle",
            truth=middle,
            stars=2,
            cases=(Case(2, "an odd number", draw_odd), Case(1, "an even number", draw_even)),
            mistakes={
                "mean": ("A single giant moves yours. Should it?", np.mean),
                "largest": ("Sort, and look again.", max),
                "smallest": ("Sort; then where to look?", min),
                "unsorted": ("What if they came in another order?", lambda x: x[len(x) // 2]),
            },
            wrong=(lambda x: 0, lambda x: x, lambda x: np.ptp(x), lambda x: np.sort(x)[1]),
            right=(higher, lambda x: sorted(x)[len(x) // 2], lambda x: -np.sort(-x)[(len(x) - 1) // 2]),
            hints=("Sort first.", "Which place is the middle?"),
            then="Go on: which row would you leave out?",
        )
        | fields
    )
    fields["mistakes"] = tuple(declaring.Mistake(name, *told) for name, told in fields["mistakes"].items())
    return OnTrial(**fields)


def valued(**fields):
    """A question for a number, in order, but for the fields given."""
    value = dict(
        truth=12.5,
        cases=(Case(2),),
        secret=True,
        wrong=(1, 2, 3, 4, "12.5", [12.5], 25),
        right=(12.5, 25 / 2),
        mistakes={"half": ("Twice that, or once?", 6.25)},
        stars=1,
    )
    return made(**value | {"right": (12.5, 25 / 2, np.float64(12.5)), **fields})


def test_a_good_question_passes_every_trial():
    for q in (made(), valued()):
        assert [problem for trial in (*TRIALS, declaration_is_complete) for problem in trial(q)] == []


FLAWED = {
    reference_is_sound: {
        "a reference that is wrong at times": (
            dict(checker=lambda got, x: None if x[0] > 2 else "no"),
            "loses points",
        ),
        "a reference that is another each time": (
            dict(truth=remembered(lambda x: middle(x) + np.random.rand(), worth=-1)),
            "loses points",
        ),
        "a reference that changes its input": (
            dict(truth=lambda x: (x.sort(), x[len(x) // 2])[1]),
            "changes its input",
        ),
        "a checker that changes its input": (
            dict(checker=lambda got, x: x.sort()),
            "the checker changes its input",
        ),
        "a slow reference": (dict(seconds=0.0), "more than half"),
        "a draw that ignores its seed": (
            dict(cases=(Case(1, draw=lambda rng: (np.arange(5),)),)),
            "same input",
        ),
        "a draw with a seed of its own": (
            dict(cases=(Case(1, draw=lambda rng: (np.random.rand(5),)),)),
            "another input",
        ),
    },
    mistakes_are_told: {
        "too lenient": (dict(same=lambda a, b: True), "'mean' gets full marks"),
        "a mistake that is none": (dict(mistakes={"higher": ("Why?", higher)}), "'higher' gets full marks"),
        "a mistake that the draws hide": (
            dict(
                cases=(Case(1, draw=draw_odd),),
                mistakes={"lower": ("Which of both?", lambda x: np.sort(x)[(len(x) - 1) // 2])},
            ),
            "'lower' gets full marks",
        ),
        "two mistakes with one answer": (
            dict(mistakes={"largest": ("Sort.", max), "last": ("Last?", lambda x: np.sort(x)[-1])}),
            "'last' is told",
        ),
    },
    wrong_is_refused: {
        "a judge with no eyes": (dict(checker=lambda got, x: None), r"wrong\[0\] gets full marks"),
        "a wrong answer that is right": (dict(wrong=(higher,)), r"wrong\[0\] gets full marks"),
    },
    right_is_accepted: {
        "too few right ones": (dict(right=(higher,)), "1 other right answers"),
        "too strict": (dict(same=lambda a, b: type(a) is type(b) and a == b), "a list is refused"),
        "a right one that is wrong at times": (dict(right=(higher, np.median, higher)), r"right\[1\]"),
    },
    declaration_is_complete: {
        "too few wrong ones": (dict(wrong=()), "4 wrong answers"),
        "too few names": (dict(mistakes={}, wrong=(max,) * 8), "0 mistakes with a name"),
        "no hints": (dict(hints=()), "no hint to ask for"),
        "a hint that is no sentence": (dict(hints=("sort it",)), "no sentence"),
        "a mistake's hint that is none": (dict(mistakes={"mean": ("no!", np.mean)}), "no sentence"),
        "a label twice": (dict(cases=(Case(1, "this", draw_odd), Case(1, "this", draw_odd))), "stands twice"),
        "a case without a label": (
            dict(cases=(Case(1, draw=draw_odd), Case(1, "this", draw_odd))),
            "without a label",
        ),
        "an id without a number": (dict(id="toy"), "topic and a number"),
        "no name to define": (dict(name="two words"), "two words"),
        "no points": (dict(cases=(Case(0, draw=draw_odd),)), r"points \[0\]"),
        "four stars": (dict(stars=4), "4 stars"),
    },
    small_changes_are_noticed: {
        "cases that hide faults": (
            dict(cases=(Case(1, draw=lambda rng: (np.full(4, rng.normal()),)),)),
            "faults are not noticed",
        ),
        "small input that the reference cannot have": (
            dict(small=(draw_odd, lambda rng: ([],))),
            "the reference itself is refused",
        ),
        "small input that hides faults": (
            dict(small=(lambda rng: (np.full(4, rng.normal()),),) * 2),
            "faults are not noticed",
        ),
        "a tolerance too wide": (
            dict(same=lambda a, b: np.shape(a) == () and abs(a - b) < 50),
            "not noticed",
        ),
    },
    promises_are_drawn: {
        "a promise that nobody declared": (dict(text="Numbers may be negative."), "no draw is asked to show"),
        "a promise that no draw keeps": (
            dict(text="Numbers may be negative.", promises={"may be negative": lambda x: (x < -9).any()}),
            "no draw shows it",
        ),
        "a promise that one draw breaks": (
            dict(text="No two are equal.", promises={"No two": lambda x: len(x) > 25}),
            "a draw breaks it",
        ),
        "words that the text has lost": (dict(promises={"may be 0": lambda x: True}), "the text has no"),
    },
    no_answer_is_no_answer: {"junk that counts": (dict(same=lambda a, b: bool(a)), "gets 3 points")},
}
FLAWED_VALUES = {
    "the number in a hint": (secrets_are_kept, dict(hints=("It is 12.50.",)), "gives the answer away"),
    "the number in a mistake's hint": (
        secrets_are_kept,
        dict(mistakes={"half": ("Not 12.5?", 6.25)}),
        "gives the answer away",
    ),
    "a word for the number": (
        secrets_are_kept,
        dict(truth=0.0, hints=("Zero is a number too.",)),
        "gives the answer away",
    ),
    "the number shown": (
        secrets_are_kept,
        dict(checker=lambda got: None if got == 12.5 else "Not 12.5."),
        "gives the answer away",
    ),
    "a number that need not be exact": (
        small_changes_are_noticed,
        dict(same=lambda a, b: abs(a - b) < 2),
        "not noticed: .*1",
    ),
    "numbers in any order": (
        wrong_is_refused,
        dict(truth=[1, 2], same=lambda a, b: sorted(a) == b, wrong=([2, 1],)),
        "full marks",
    ),
}


def test_a_flaw_is_found():
    for trial, what, flaw, says in [
        (t, what, *told) for t, flaws in FLAWED.items() for what, told in flaws.items()
    ]:
        assert re.search(says, "\n".join(trial(made(**flaw)))), what
    for what, (trial, flaw, says) in FLAWED_VALUES.items():
        assert re.search(says, "\n".join(trial(valued(**flaw)))), what


COSTS = [
    (0.0, 10.0, 50),
    (0.0099, 10.0, 50),
    (0.0499, 10.0, 10),
    (0.3, 10.0, 3),
    (9.0, 10.0, 3),
    (9.0, 20.0, 2),
]


def test_a_costly_question_draws_less(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    for cost, seconds, draws in COSTS:
        tried = []
        for seed in seeds_for(made(seconds=seconds), 50):
            clock[0] += cost if tried else 20  # the first also loads
            tried.append(seed)
        assert tried == [SALTED, *range(draws - 1)], cost
    assert [*seeds_for(valued(), 50)] == [0]


def test_what_takes_long_is_computed_once():
    calls = []

    def slow(x):
        calls.append(x)
        begun = time.process_time()
        while time.process_time() - begun < 2e-3:
            pass
        return [x]

    recall = remembered(slow)
    recall(1).append(9)
    assert (recall(1), recall(2), calls) == ([1], [2], [1, 2])
    assert inspect.unwrap(recall) is slow and remembered(7) == 7


def test_what_a_checker_computes_of_an_input_is_kept_for_that_very_input(monkeypatch):
    monkeypatch.setattr(declaring, "KEPT", 2)
    calls = []
    total = declaring.computed_once(lambda X, n: calls.append(n) or X.sum() + n)
    X, other = np.eye(2), np.array([[1, 0], [0, 1 + 1e-15]])
    assert total(X, 1) == total(X.copy(), 1) == 3 < total(other, 1) and total(X, 2) == 4
    assert calls == [1, 1, 2]
    assert total(X, 1) == 3 and len(calls) == 4  # of two inputs it knew no third


def test_lists_stand_for_arrays_however_nested():
    assert in_type(TYPES["a list"], (np.eye(2), [np.int64(1), "a"])) == [[[1, 0], [0, 1]], [1, "a"]]
    assert in_type(TYPES["a list"], np.sort)([2, 1]) == [1, 2]


def test_each_number_of_a_value_is_changed():
    assert sum(1 for _ in perturbed(([1.0, 0], ["a"]))) == 5 + 3 + 1


def homework(**fields):
    return [made(id=f"toy.{i}", name=f"f{i}", title=f"T{i}", stars=1 + i % 3) for i in range(1, 11)]


HOMEWORKS = {
    "in order": (homework(), None),
    "too long": (
        homework() + [made(id=f"toy.{i}", name=f"g{i}", title=f"G{i}") for i in range(11, 18)],
        "17 questions.*51 points",
    ),
    "too short": (homework()[:9], "9 questions"),
    "a number left out": ([*homework()[:9], made(id="toy.11", name="g", title="G", stars=3)], "the ids are"),
    "a name twice": (
        [*homework()[:9], made(id="toy.10", name="f1", title="G", stars=2)],
        "'f1' stands twice",
    ),
    "a tick and no more": ([*homework()[:9], made(id="toy.10", name="g", title="G", then="")], "its tick"),
    "a title twice": (
        [*homework()[:9], made(id="toy.10", name="g", title="T1", stars=2)],
        "'T1' stands twice",
    ),
    "all alike": (
        [made(id=f"toy.{i}", name=f"f{i}", title=f"T{i}") for i in range(1, 11)],
        "from warm-up to open-ended",
    ),
}


def test_a_flaw_of_a_homework_is_found():
    for what, (questions, says) in HOMEWORKS.items():
        found = " ".join(homework_problems(questions))
        assert re.search(says, found) if says else not found, what


# ---- the notebooks say what the questions declare

MINUTES = {1: 5, 2: 13, 3: 22}  # of a second-year student who has read the chapter, after reading the task
READ = 130  # words of a task in a minute
HEAD = re.compile(r"about ([a-z ]+?) hours?:?.*the (\w+) marked \*core\*, in about (\d+) minutes", re.S)
HALVES = {5: "two and a half", 6: "three", 7: "three and a half", 8: "four"}
COPY = re.compile(r"given stays as it is|: a cop(?:y|ies) |: copies |Do not change `")


def test_the_notebook_has_each_question_with_its_stars_points_and_text():
    for topic in topics():
        the_notebook_says_it(topic)


def the_notebook_says_it(topic):
    """Stars, points, text, and the modules that a question forbids."""
    text = words(topic)
    told = {int(n): (len(stars), float(of), bool(core)) for n, stars, of, core in HEADING.findall(text)}
    asked = all_questions(topic)
    assert told == {i: (q.stars, float(q.points), q.core) for i, q in enumerate(asked, 1)}
    texts = {i: TASKS[q.id] for i, q in enumerate(asked, 1)}
    for i, q in enumerate(asked, 1):
        assert all(f"`{module}`" in texts[i] for module in q.forbids if not is_ours(module))
        assert q.keeps_input == bool(COPY.search(texts[i])), f"{q.id}: who changes the input has no point?"
        if q.id in BECAUSE:
            assert BECAUSE[q.id].markdown in texts[i]
        if q.id in READINGS:
            read = READINGS[q.id]
            assert read.text in text and read.markdown.removeprefix(read.text).strip() in text


def test_each_homework_says_how_long_it_takes():
    for topic in [topic for topic in topics() if topic != "capstone"]:
        head, *tasks = re.split(r"^## Question ", words(topic), flags=re.M)
        asked = all_questions(topic)
        minutes = [
            MINUTES[q.stars] + len(re.findall(r"\w+", task)) / READ
            for q, task in zip(asked, tasks, strict=True)
        ]
        core = [m for q, m in zip(asked, minutes, strict=True) if q.core]
        count = {5: "five", 6: "six"}[len(core)]
        hours, told, about = HEAD.search(head).groups()
        assert round(sum(core)) <= 75 and (told, int(about)) == (count, 5 * round(sum(core) / 5)), (
            topic,
            sum(core),
        )
        assert hours == HALVES[round(sum(minutes) / 30)], (topic, sum(minutes))
        assert not all(q.is_drawn for q in asked if q.core), topic
