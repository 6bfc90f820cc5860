"""check: what a learner is told, in words, in HTML and in a real notebook."""

import array
import collections
import fractions
import importlib
import itertools
import sys
import textwrap
import threading
import time
import types
import warnings
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import nbformat
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
from nbclient import NotebookClient
from threadpoolctl import threadpool_info, threadpool_limits

import homework
from grading import case, check, hint, registry
from grading.calling import call, judge_named
from grading.judge import NOT_ATTEMPTED, SAME_SEED, UNSEEDED, CallFailed, Result, judge
from grading.question import REGISTRY, Case, Mistake, Question, Task, question
from grading.registry import all_questions, find
from grading.verdict import Verdict
from helpers.comparing import same_set, same_up_to_scale, same_up_to_sign

checking = importlib.import_module("grading.check")  # the package's name `check` is the function

TOY = '''
"""A homework that stands beside the course's own for a test."""
import numpy as np

from grading.question import Case, Task, question


def draw_row(rng):
    return (rng.normal(size=4),)


def draw_far(rng):
    return (rng.normal(size=4) + 100,)


def spread(x):
    return x - x.mean()


question("toy.1", "Centre", name="centre", truth=spread, stars=2, seconds=0.5,
    forbids=("statistics", "numpy.linalg", "os.path"),
    cases=[Case(1, "numbers near 0", draw_row), Case(2, "numbers far from 0", draw_far)],
    mistakes={"median": ("Which middle did you take?", lambda x: x - np.median(x)),
              "blank": ("What is the mean of a blank?", lambda x: x * np.nan),
              "crashes": ("Never seen.", lambda x: 1 / 0)},
    hints=["What should the sum of your result be?", "Subtract the mean."])

question("toy.2", "A number", name="number", cases=Case(2), truth=42.0, secret=True,
    mistakes={"half": ("Half of it; why?", 21.0)})

question("toy.3", "Two", name="total", truth=lambda a, b: a + b,
    cases=Case(1.5, "two numbers", lambda rng: (rng.normal(), rng.normal())))

question("toy.4", "Guess", name="guess", truth=lambda X: X[:, 0] > 0, cases=Case(1, draw=lambda rng: (
    lambda X: Task((X,), hidden=X[:, 0] > 0))(rng.normal(size=(6, 2)))),
    checker=lambda got, X, truth:
        None if np.mean(np.asarray(got) == truth) > 0.9 else "Fewer than nine in ten.")
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with one more homework."""
    folder = tmp_path_factory.mktemp("topics")
    (folder / "toy").mkdir()
    (folder / "toy" / "__init__.py").touch()
    (folder / "toy" / "questions.py").write_text(TOY, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def toy(folder, monkeypatch):
    """The course with the homework `toy`, as long as the test runs."""
    monkeypatch.setattr(homework, "__path__", [*homework.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, "homework.toy.questions", raising=False)
    monkeypatch.setattr(checking, "_hints_given", {})
    monkeypatch.setattr(checking, "_failed_last", {})
    with mock.patch.dict(REGISTRY, clear=True):
        yield
    for name in ("homework.toy.questions", "homework.toy"):
        sys.modules.pop(name, None)


@pytest.fixture
def verdict(monkeypatch, capsys):
    """What check prints once the student has defined a name."""

    def verdict(id="toy.1", **names):
        for name, value in names.items():
            monkeypatch.setattr(sys.modules["__main__"], name, value, raising=False)
        check(id)
        return capsys.readouterr().out.strip()

    return verdict


def written(code, **names):
    """A function as a student types it: in a namespace of its own, with a file name of its own."""
    space = {"np": np, "__name__": "__main__", **names}
    exec(compile(textwrap.dedent(code), "<cell>", "exec"), space)
    return space["centre"]


def made(**fields):
    """A question of 0 arguments with one case."""
    fields = {"id": "t.1", "title": "t", "name": "f", "cases": (Case(1),), "truth": 1.0} | fields
    return Question(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})


# ---- points and words


def test_right(verdict):
    assert verdict(centre=lambda x: x - x.mean()) == "toy.1   3 / 3   ✓"
    assert verdict("toy.2", number=42) == "toy.2   2 / 2   ✓"
    assert verdict("toy.3", total=lambda a, b: a + b) == "toy.3   1.5 / 1.5   ✓"


NOT_YET = {"None": lambda x: None, "...": lambda x: ..., "the stub": None, "the ellipsis": ...}


def test_not_attempted(verdict):
    said = {how: verdict(centre=answer) for how, answer in NOT_YET.items()}
    assert said == dict.fromkeys(NOT_YET, f"toy.1   0 / 3   {NOT_ATTEMPTED}")


def test_not_attempted_by_raising_and_for_a_value(verdict):
    def stub(x):
        raise NotImplementedError

    assert verdict(centre=stub) == f"toy.1   0 / 3   {NOT_ATTEMPTED}"
    assert verdict("toy.2", number=...) == verdict("toy.2", number=None) == f"toy.2   0 / 2   {NOT_ATTEMPTED}"


def test_an_answer_that_is_not_there_is_asked_for_once(verdict):
    """Its cases may take long to draw. Who answers on one case, and not on another, is asked for each."""
    asked = []

    def written(near):
        def centre(x):
            asked.append(x)
            if near and abs(x.mean()) < 50:
                return x - x.mean()
            raise NotImplementedError

        return centre

    assert verdict(centre=written(False)) == f"toy.1   0 / 3   {NOT_ATTEMPTED}" and len(asked) == 1
    assert verdict(centre=written(True)) == f"toy.1   0 / 3   {NOT_ATTEMPTED}" and len(asked) == 1 + 3 + 1


def test_not_defined(verdict):
    assert verdict().startswith("toy.1   0 / 3   centre is not defined yet: run the cell above first.")


SAID = {
    "a number for a function": (3, "centre should be a function; it is int."),
    "text for a function": ("abc", "centre should be a function; it is str."),
    "wrong shape": (
        lambda x: x[:2],
        r"your result is an array of shape (2,); asked for is an array of shape (4,).",
    ),
    "a number for a row": (
        lambda x: x.mean(),
        "your result is a single value; asked for is an array of shape (4,).",
    ),
    "a column": (lambda x: x[:, None], "your result is an array of shape (4, 1); asked for"),
    "text": (lambda x: "abcd", "your result is text; asked for"),
    "a dict": (lambda x: {}, "your result is a dict; asked for"),
    "a set": (lambda x: {1, 2}, "your result is a set; asked for"),
    "a truth value": (lambda x: True, "your result is a truth value; asked for"),
    "NumPy's truth value": (lambda x: np.True_, "your result is a truth value; asked for"),
    "a function": (lambda x: np.mean, "your result cannot be taken: a function cannot be handed in"),
    "ragged": (lambda x: [1, [2, 3]], "your result is a list whose parts differ in shape; asked for"),
    "some NaN": (
        lambda x: np.where(x > x.min(), x, np.nan),
        "your result holds 1 NaN: where does a 0/0 or a blank come from?",
    ),
    "other values": (lambda x: x - x.mean() + 1, "the values differ in 4 of 4 places, by 1 at most.\n  at "),
    "a named mistake": (lambda x: x - np.median(x), "Which middle did you take?"),
    "a mistake that gives NaN": (lambda x: x + np.nan, "What is the mean of a blank?"),
    "an exception": (lambda x: x["a"], "your function raised IndexError: only integers"),
    "too few arguments": (lambda: 0, "your function raised TypeError: "),
    "exit": (lambda x: sys.exit("bye"), "your function raised SystemExit: bye ("),
    "a broken object": (lambda x: Broken(), "your function raised RuntimeError"),
}


class Broken:
    def __array__(self, *_, **__):
        raise RuntimeError


def test_what_is_said(verdict, subtests):
    for what, (answer, says) in SAID.items():
        with subtests.test(what):
            text = verdict(centre=answer)
            assert text.startswith("toy.1   0 / 3   ") and says in text
            assert text.endswith('More: hint("toy.1")     Replay: case("toy.1")')


def test_yours_and_expected_stand_below_each_other(verdict):
    x = find("toy.1").task(0, 0).args[0]
    at, yours, expected = verdict(centre=lambda x: x - x.mean() + 1).splitlines()[1:4]
    assert [float(v) for v in expected.split()[1:]] == pytest.approx(x - x.mean(), abs=1e-3)
    assert [float(v) for v in yours.split()[1:]] == pytest.approx(x - x.mean() + 1, abs=1e-3)
    assert at.split() == ["at", "[0]", "[1]", "[2]", "[3]"] and len(at) == len(yours) == len(expected)


def test_only_places_that_differ_with_digits_that_show_it(verdict):
    def off(x):
        right = x - x.mean()
        right[2] *= 1 + 3e-7
        return right

    head, at, yours, expected = verdict(centre=off).splitlines()[:4]
    assert "the values differ in 1 of 4 places, by " in head and at.split() == ["at", "[2]"]
    assert yours.split()[1] != expected.split()[1]


def test_the_replay_gives_the_input_that_failed(verdict, capsys):
    far = lambda x: x - x.mean() * (abs(x.mean()) < 50)  # noqa: E731
    assert verdict(centre=far).endswith('Replay: case("toy.1", 1)')
    third = find("toy.1").task(1, 2).args[0]
    last = lambda x: x - x.mean() + (x[0] == third[0])  # noqa: E731
    assert verdict(centre=last).endswith('Replay: case("toy.1", 1, seed=2)')
    assert (case("toy.1", 1, seed=2) == third).all()


def test_a_mistake_is_named_only_when_it_explains_every_draw(verdict):
    first = find("toy.1").task(0, 0).args[0]
    once = lambda x: x - (np.median(x) if x[0] == first[0] else x.mean() + 1)  # noqa: E731
    assert "Which middle" not in verdict(centre=once)


def test_a_missing_return_is_called_that(verdict):
    def prints(x):
        print(x - x.mean())

    assert "your function returned nothing (None). Is a `return` missing?" in verdict(centre=prints)


def test_one_timeout_for_a_question(verdict):
    asked = []

    def hangs(x):
        asked.append(1)
        while True:
            time.sleep(0.001)

    text = verdict(centre=hangs)
    assert len(asked) == 1 and text.count("still running") == 1 and text.startswith("toy.1   0 / 3")


@pytest.mark.parametrize(
    "form",
    [sparse.csr_array, iter, tuple, pd.Series, pd.Index, pd.array, np.longdouble, collections.deque]
    + [lambda x: array.array("d", x), lambda x: map(fractions.Fraction, x), lambda x: (v for v in x)]
    + [lambda x: dict(enumerate(x)).values(), lambda x: pd.Categorical(x), lambda x: np.ma.masked_array(x)],
)
def test_what_stands_for_an_array_is_taken_as_one(form, verdict):
    assert verdict(centre=lambda x: form(x - x.mean())) == "toy.1   3 / 3   ✓"


@pytest.mark.parametrize(
    "answer, says",
    [
        (lambda x: itertools.repeat(x), "more than 1000000 values cannot be handed in"),
        (lambda x: object(), "a value of type object cannot be handed in"),
        (lambda x: [print], "a function cannot be handed in"),
        (lambda x: np.zeros(10**7), "an array of shape (10000000,) is too large to be handed in"),
        (lambda x: sparse.csr_array((10**6, 10**6)), "an array of shape (1000000, 1000000) is too large"),
        (lambda x: bytes(x.astype(int)), "bytes cannot be handed in"),
    ],
)
def test_what_a_class_cannot_take_is_refused_in_its_words(answer, says, verdict):
    assert f"your result cannot be taken: {says}" in verdict(centre=answer)


def test_files_that_a_class_will_not_have_are_named(verdict, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("my_tools.py", "zero.txt", "written.py", "unread.txt"):
        (tmp_path / name).touch()
    cells = ["from my_tools import x", "open('zero.txt')", "%%writefile written.py\nx = 1", "import written"]
    monkeypatch.setattr(checking.shell, "ipython", lambda: True)
    monkeypatch.setattr(checking.shell, "cells", lambda: cells)
    assert checking.shell.left_behind() == ["my_tools.py", "zero.txt"]
    monkeypatch.setattr(checking.shell, "ipython", lambda: None)
    monkeypatch.setattr(checking.shell, "left_behind", lambda: ["zero.txt"])
    assert "not zero.txt beside it" in verdict(centre=lambda x: x - x.mean())


def test_no_warning_of_the_courses_own_code(verdict):
    question(
        "toy.5",
        "Warn",
        name="warns",
        cases=Case(1, draw=lambda rng: (rng.normal(size=2),)),
        truth=lambda x: x + 1,
        mistakes={"loud": ("Loud?", lambda x: warnings.warn("ours", stacklevel=2) or x)},
    )
    assert "Loud?" in verdict("toy.5", warns=lambda x: x)


def test_blanks_and_capitals_of_an_id_do_not_matter(verdict, capsys):
    assert verdict(" Toy.1 ", centre=lambda x: x - x.mean()) == "toy.1   3 / 3   ✓"
    hint("TOY.1")
    assert capsys.readouterr().out.startswith("Hint 1 of 2") and len(case(" toy.3")) == 2


def test_part_of_the_points(verdict):
    text = verdict(centre=lambda x: x - x.mean() * (abs(x.mean()) < 50))
    assert text.startswith(
        "toy.1   1 / 3   Right for numbers near 0.\nOn numbers far from 0: the values differ in 4 of 4 places"
    )


def test_sentences_stand_in_a_line(verdict):
    text = verdict(centre=lambda x: (x - x.mean())[: 2 if abs(x.mean()) > 50 else 4])
    assert text.startswith("toy.1   1 / 3   Right for numbers near 0. On numbers far from 0: your result is")


def test_the_same_trouble_is_told_once(verdict):
    assert verdict(centre=lambda x: x[:2]).count("your result is an array of shape (2,)") == 1


def test_a_secret_number_stays_secret(verdict):
    assert verdict("toy.2", number=41).startswith("toy.2   0 / 2   That is not it yet.")
    assert "your result is an array of shape (1,); asked for is a single value." in verdict(
        "toy.2", number=[42]
    )
    assert verdict("toy.2", number=21).startswith("toy.2   0 / 2   Half of it; why?")
    assert "a function cannot be handed in" in verdict("toy.2", number=np.mean)
    assert "raised RuntimeError" in verdict("toy.2", number=Broken())
    assert "case(" not in verdict("toy.2", number=41) and "42" not in verdict("toy.2", number=41)


def test_a_judge_has_its_own_words(verdict):
    assert verdict("toy.4", guess=lambda X: X[:, 0] > 0) == "toy.4   1 / 1   ✓"
    assert "Fewer than nine in ten." in verdict("toy.4", guess=lambda X: X[:, 0] < 0)
    assert "asked for is an array of shape (6,)" in verdict("toy.4", guess=lambda X: [1, [2]])


def test_input_is_the_judges_own_copy(verdict):
    def works_in_place(x):
        x -= x.mean()
        return x

    assert verdict(centre=works_in_place).endswith(
        "✓   Your function changed its own input: a caller would be surprised. Work on a copy."
    )
    question(
        "toy.6",
        "Keep",
        name="kept",
        cases=Case(1, draw=lambda rng: (rng.normal(size=2),)),
        truth=lambda x: x - x.mean(),
        keeps_input=True,
    )
    assert "0 / 1   your function changed its own input" in verdict("toy.6", kept=works_in_place)

    def forgets(x):
        x[:] = 0
        return x

    assert "0 / 3" in verdict(centre=forgets) and verdict(centre=lambda x: x - x.mean()).endswith("✓")


def test_warnings_of_numpy_do_not_disturb(verdict):
    assert verdict(centre=lambda x: x - x.mean() + 0 * np.log(np.zeros(4)).clip(0)).endswith("✓")


def test_an_unknown_question(capsys):
    check("toy.9")
    hint("tay.1")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("there is no question 'toy.9'; toy has toy.1, toy.2")
    assert second.startswith("there is no homework 'tay'; there are") and "toy" in second
    with pytest.raises(KeyError, match="^there is no question 'toy.9'"):
        case("toy.9")


# ---- exceptions and time


def test_the_line_of_the_students_own_cell(verdict):
    answer = written("""
        def centre(x):
            y = x.mean()
            return np.reshape(x - y, (3, 3))
        """)
    assert "your function raised ValueError: cannot reshape array" in verdict(centre=answer)
    assert "(line 4 of its cell)." in verdict(centre=answer)


def test_the_deepest_line_of_the_cell(verdict):
    answer = written("def part(x):\n    return x / x.nothing\n\ndef centre(x):\n    return part(x)\n")
    assert "object has no attribute 'nothing' (line 2 of its cell)." in verdict(centre=answer)


def test_no_line_where_there_is_none(verdict):
    text = verdict(centre=int)
    assert "your function raised TypeError: only 0-dimensional arrays" in text and "of its cell" not in text


def test_too_slow_and_the_loop_ends(verdict):
    turns = []

    def loop(x):
        while True:
            turns.append(1)
            time.sleep(0.001)

    before, begun = threading.active_count(), time.perf_counter()
    text = verdict(centre=loop)
    assert "your function was still running after 0.5 seconds. Is there a loop that never ends" in text
    assert time.perf_counter() - begun < 20
    for _ in range(200):
        if threading.active_count() <= before:
            break
        time.sleep(0.05)
    assert threading.active_count() <= before
    count = len(turns)
    time.sleep(0.05)
    assert len(turns) == count


def threads_of_blas():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_call_gives_what_the_function_gives(verdict):
    """check calls it on one thread of BLAS, which the learner's own cells do not notice."""
    seen = []
    with threadpool_limits(2):
        verdict(centre=lambda x: (seen.append(threads_of_blas()), x - x.mean())[1])
        assert len(seen) == 6 and all(one <= {1} for one in seen) and threads_of_blas() <= {2}
    assert call(max, (3, 4), 5.0) == 4
    with pytest.raises(CallFailed, match="raised ZeroDivisionError") as caught:
        call(lambda: 1 / 0, (), 5.0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


# ---- display

HOSTILE = "<script>alert('x')</script> & <b>"


def shown(answer):
    return Verdict(judge_named(find("toy.1"), {"centre": answer}, []))


def test_html_says_the_same():
    html = shown(lambda x: x - np.median(x))._repr_html_()
    assert "<b>toy.1   0 / 3</b>" in html and "Which middle did you take?" in html and 'role="status"' in html
    assert "<code>More: hint(&quot;toy.1&quot;)" in html


def test_colour_tells_full_marks_and_so_do_words():
    full, part = shown(lambda x: x - x.mean())._repr_html_(), shown(lambda x: x)._repr_html_()
    assert "#1a7f37" in full and "✓" in full and "hint" not in full
    assert "#9a6700" in part and "✓" not in part


def test_lines_of_text_are_lines_of_html():
    html = shown(lambda x: x)._repr_html_()
    assert '<pre style="margin: 0">  at ' in html and "&#10;  yours" in html and "\n" not in html


def test_hostile_text_is_escaped():
    def fails(x):
        raise ValueError(HOSTILE)

    for verdict in (shown(fails), shown(type("<b>", (), {})()), shown(lambda x: HOSTILE)):
        html = verdict._repr_html_()
        assert "<script" not in html and html.count("<b>") == 1
    assert HOSTILE in repr(shown(fails)) and "&lt;script&gt;" in shown(fails)._repr_html_()


def test_marks_are_shown_in_our_own_words_alone():
    mistake = Mistake("m", "Which `x` < 3 changes with *every* bit? **All**, but err*?", 0)
    result = Result(made(mistakes=(mistake,)), notes=[mistake.hint, "it raised ValueError: *none* `here`."])
    html = Verdict(result)._repr_html_()
    assert "<code>x</code> &lt; 3 changes with <em>every</em> bit? <b>All</b>, but err*?" in html
    assert "*none* `here`" in html and "*every*" in repr(Verdict(result))


def test_not_attempted_offers_nothing_more():
    assert repr(shown(lambda x: None)) == "toy.1   0 / 3   not attempted yet"


def test_where_there_is_ipython_it_displays(monkeypatch):
    displayed = []
    history = types.SimpleNamespace(input_hist_raw=["", "centre = lambda x: x"])
    shell = types.SimpleNamespace(user_ns={"centre": lambda x: x}, history_manager=history)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=displayed.append))
    check("toy.1")
    assert isinstance(displayed[0], Verdict)


# ---- nbgrader, hints, cases


@pytest.mark.parametrize("setting, given", [("autograde", 1), ("validate", None), (None, None)])
def test_nbgrader_is_given_the_points(setting, given, verdict, monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    if setting:
        monkeypatch.setenv("NBGRADER_EXECUTION", setting)
    verdict(centre=lambda x: x - x.mean() * (abs(x.mean()) < 50))
    assert check("toy.1") == given


def test_hints_are_a_ladder_that_starts_again(capsys):
    for _ in range(3):
        hint("toy.1")
    hint("toy.2")
    first, second, third, none = capsys.readouterr().out.strip().splitlines()
    assert first == third == "Hint 1 of 2: What should the sum of your result be?"
    assert second == "Hint 2 of 2: Subtract the mean."
    assert none == "toy.2 has no hint beyond what check says."


def test_a_hint_begins_with_the_case_that_failed_last(verdict, capsys):
    verdict(centre=lambda x: x - x.mean() * (abs(x.mean()) < 50))
    hint("toy.1")
    verdict_and_hint = capsys.readouterr().out
    assert verdict_and_hint.startswith('Still wrong: numbers far from 0. Its input: case("toy.1", 1)\nHint 1')
    verdict(centre=lambda x: x - x.mean())
    hint("toy.1")
    assert capsys.readouterr().out.startswith("Hint 2")


def test_what_takes_long_says_so_to_a_learner(verdict, monkeypatch):
    monkeypatch.setitem(REGISTRY, "toy.2", replace(find("toy.2"), meanwhile="A while."))
    assert "A while." not in verdict("toy.2", number=1)
    monkeypatch.setattr(checking, "reached", dict)
    assert verdict("toy.2", number=1).startswith("A while.\ntoy.2")


def test_case_gives_the_public_input():
    assert (case("toy.1") == find("toy.1").task(0, 0).args[0]).all()
    assert (case("toy.1", 1, seed=2) == find("toy.1").task(1, 2).args[0]).all()
    assert case("toy.1", 1).min() > 50
    assert len(case("toy.3")) == 2
    assert case("toy.4").shape == (6, 2)  # without what is hidden
    case("toy.1")[:] = 0
    assert case("toy.1").any()


# ---- judging, in itself


def test_each_seed_and_case_draws_its_own():
    q = find("toy.1")
    rows = [q.task(c, s).args[0].tobytes() for c in (0, 1) for s in (0, 1, 2, (2**70, 5), (2**70, 6))]
    assert len(set(rows)) == 10 and q.task(0, (2**70, 5)).args[0].tobytes() == rows[3]


def test_a_case_counts_when_all_its_draws_are_right():
    q, lucky = find("toy.3"), {find("toy.3").task(0, s).args for s in (0, 1)}
    answer = lambda args: sum(args) * (args in lucky)  # noqa: E731
    assert judge(q, answer, seeds=(0, 1)).full and not judge(q, answer, seeds=(0, 1, 2)).full


def test_a_value_is_asked_for_once():
    asked = []
    judge(find("toy.2"), lambda args: asked.append(args) or 42)
    assert asked == [()]


def test_a_result_knows_the_mistakes():
    result = judge(find("toy.1"), lambda args: args[0] - np.median(args[0]))
    assert set(result.mistakes) == {"median"} and not result.full and result.points == 0


def test_thirds_of_points_add_up():
    q = Question(
        "t.1", "t", "f", tuple(Case(0.1, str(i), lambda rng: (rng.normal(),)) for i in range(10)), lambda x: x
    )
    assert judge(q, lambda args: args[0]).full


def test_expected_values_are_not_shown_to_a_class():
    shown_to_all = judge(find("toy.3"), lambda args: 0.0, show=True).notes[0]
    graded = judge(find("toy.3"), lambda args: 0.0, show=False).notes[0]
    assert "expected  " in shown_to_all and graded == "the values differ from the expected ones."


def test_where_signs_or_lengths_are_free_they_are_no_difference():
    X = np.arange(1.0, 7).reshape(3, 2)
    long = X * [2, 0.1]
    long[0, 0] *= 1.001
    axes = made(truth=lambda: X, same=same_up_to_scale)
    assert judge(axes, lambda args: X * [2, 0.1]).full
    said = judge(axes, lambda args: long).notes[0]
    assert "differ in 3 of 6 places, by 0.00194 at most" in said and "expected       2  6.0002" in said
    q = made(truth=lambda: X, same=same_up_to_sign)
    assert judge(q, lambda args: X * [-1, 1]).full
    wrong = X * [-1, 1]
    wrong[0, 0] = -9
    assert "differ in 1 of 6 places" in judge(q, lambda args: wrong).notes[0]
    assert "differ in 3 of 6 places" in judge(made(truth=lambda: X), lambda args: wrong).notes[0]


def test_infinity_is_infinity_and_a_type_is_no_difference():
    q = made(truth=lambda: np.array([np.inf, 1 / 3, 2]), same=lambda a, b: False)
    for wrong in ([np.inf, 1 / 3, 3], [np.inf, 1 / 3, 3 + 0j], [np.inf, Fraction(1, 3), 3]):
        for mine in (wrong, np.float32(wrong) if np.isrealobj(wrong) else wrong):
            (said,) = judge(q, lambda args, mine=mine: mine).notes
            assert "differ in 1 of 3 places, by 1 at most.\n  at        [2]\n  yours       3\n" in said
    assert "in 1 of 3 places.\n" in judge(q, lambda args: [np.inf, np.inf, 2]).notes[0]
    assert "holds 1 NaN" in judge(q, lambda args: [np.nan, 0j, 2]).notes[0]


def test_a_mistake_that_gives_0_is_known_by_what_rounding_leaves():
    mistakes = [Mistake("own mean", "Whose mean?", lambda: np.zeros(2))]
    q = made(truth=lambda: np.array([1.0, 2]), mistakes=mistakes)
    assert judge(q, lambda args: np.array([1e-16, -3e-15])).notes == ["Whose mean?"]
    assert judge(q, lambda args: np.array([1e-9, 0])).notes != ["Whose mean?"]


def test_ragged_answers_and_long_ones_and_words():
    ragged = Question("t.1", "t", "f", (Case(1),), truth=[[1, 2], [3]], same=lambda a, b: a == b)
    assert judge(ragged, lambda args: [[1, 2], [4]]).notes == [
        "One of two parts is right.",
        "Your second part: the values differ.\n  at        [0]\n  yours       4\n  expected    3",
    ]
    assert judge(ragged, lambda args: [[1, 2, 3], [3]]).notes[-1] == (
        "Your first part: it is an array of shape (3,); asked for is an array of shape (2,)."
    )
    assert judge(ragged, lambda args: [[1, 2], [3], 4]).notes == ["your result has 3 parts; asked for are 2."]
    long = Question("t.2", "t", "f", (Case(1),), truth=list(range(9)))
    assert judge(long, lambda args: [0] * 9).notes == [
        "One of nine parts is right.",
        "the values differ in 8 of 9 places.\n"
        "  at        [1]  [2]  [3]  [4]  [5]  [6]  …\n"
        "  yours       0    0    0    0    0    0  …\n"
        "  expected    1    2    3    4    5    6  …",
    ]
    assert (
        "asked for is a list of 2 parts: an array of shape (2,); an array of shape (1,)."
        in (judge(ragged, lambda args: [1, 2, 3]).notes[0])
    )
    deep = Question("t.4", "t", "f", (Case(1),), truth=[[[1, 2], [3]], 4], same=lambda a, b: a == b)
    said = judge(deep, lambda args: [[[1, 2], [9]], 4]).notes[-1]
    assert said.startswith("Your first part: in it the second part: the values differ")
    words = Question("t.3", "t", "f", (Case(1),), truth={"a", "b"}, same=same_set)
    assert judge(words, lambda args: ["b", "a"]).full
    assert "asked for is a set" in judge(words, lambda args: 3).notes[0]


def test_parts_of_an_answer_by_hand_have_points():
    by_hand = Question("t.1", "t", "f", (Case(2),), truth=[1.0, 2.0, 3.0, 4.0], secret=True)
    for answer, points in (([1, 2, 3, 4], 2), ([1, 2, 3, 5], 1.5), ([1, 9, 9, 4], 1), ([1, 9, 9, 9], 0.5)):
        result = judge(by_hand, lambda args, answer=answer: answer)
        assert result.points == points and result.full == (points == 2)
    assert result.notes == ["One of four parts is right.", "That is not it yet."]
    for answer in ([9, 9, 9, 9], [1, 2, 3], "1234", None, 1, {1, 2, 3, 4}):
        assert judge(by_hand, lambda args, answer=answer: answer).points == 0
    guessed = Question("t.2", "t", "f", (Case(2),), truth=[True, False, True], secret=True)
    assert judge(guessed, lambda args: [True, False, False]).points == 0  # a coin would earn half


def test_the_seed_decides_and_it_alone():
    drawn = lambda n, seed: np.random.default_rng(seed).random(n)  # noqa: E731
    q = Question(
        "t.1", "t", "f", (Case(1, draw=lambda rng: (4, int(rng.integers(99)))),), drawn,
        checker=lambda got, n, seed: None if np.shape(got) == (n,) else "", seeded=True,
    )  # fmt: skip
    assert judge(q, lambda args: drawn(*args)).full
    assert judge(q, lambda args: drawn(args[0], None)).notes == [UNSEEDED]
    assert judge(q, lambda args: drawn(args[0], 0)).notes == [SAME_SEED]


def test_a_checker_that_crashes_refuses():
    q = Question("t.1", "t", "f", (Case(1),), truth=1, checker=lambda got: got.nothing)
    assert judge(q, lambda args: 5).notes == ["That is not it yet."]


def test_a_call_that_fails_is_told():
    def call(args):
        raise CallFailed("it ran away.")

    result = judge(find("toy.1"), call)
    assert result.notes == ["On numbers near 0: it ran away."] and isinstance(result, Result)


# ---- declaring


def test_a_question_is_found_by_importing_its_own_module():
    assert find("toy.1").title == "Centre" and list(REGISTRY) == [f"toy.{i}" for i in range(1, 5)]


def test_all_questions_of_one_topic_and_of_all(monkeypatch):
    assert [q.id for q in all_questions("toy")] == [f"toy.{i}" for i in range(1, 5)]
    monkeypatch.setattr(registry, "topics", lambda: ["toy"])
    assert all_questions() == all_questions("toy") and find("toy.1").topic == "toy"


def test_fields_become_what_the_question_holds():
    q = question(
        "t.1",
        "t",
        name="f",
        cases=Case(2),
        truth=1,
        mistakes={"m": ("h?", 2), "n": ("i?", 3)},
        hints=["h."],
    )
    assert q.cases == (Case(2),) and [m.name for m in q.mistakes] == ["m", "n"]
    assert q.hints == ("h.",) and [m.answer for m in q.mistakes] == [2, 3]
    assert q.points == 2 and not q.is_function and q.stars == 1 and REGISTRY["t.1"] is q


def test_a_dict_exchanges_parts_of_the_reference():
    q = question(
        "t.1",
        "t",
        name="f",
        cases=Case(1, draw=lambda rng: (3.0,)),
        truth=lambda x, step=1: x + step,
        mistakes={"back": ("Which way?", dict(step=-1)), "still": ("Which step?", lambda x: x)},
    )
    assert [q.answer_to(m.answer, q.task(0, 0)) for m in q.mistakes] == [2, 3]
    assert q.with_parts({})(3) == 4
    with pytest.raises(TypeError, match="stride"):
        q.with_parts(dict(stride=2))


def test_without_parts_a_dict_is_a_value():
    q = question("t.1", "t", name="f", cases=Case(1), truth={"a": 1}, mistakes={"m": ("h?", {"a": 2})})
    assert q.mistakes[0].answer == q.with_parts({"a": 2}) == {"a": 2}


def test_one_id_is_one_question():
    question("t.1", "One", name="f", cases=Case(1), truth=1)
    question("t.1", "One", name="f", cases=Case(1), truth=2)  # run again, say after a change
    with pytest.raises(ValueError, match="question t.1 is declared twice: 'One' and 'Two'"):
        question("t.1", "Two", name="f", cases=Case(1), truth=1)


def test_what_is_drawn_may_hide_a_part():
    task = find("toy.4").task(0, 0)
    assert isinstance(task, Task) and (task.hidden == (task.args[0][:, 0] > 0)).all()
    assert find("toy.2").task(0, 0) == Task(())


OLDER = (
    "from helpers.grading import check",
    "from helpers.families import PCA",
    "import helpers.families.of_old",
    "from grading.families import x",
)


def test_an_exercise_of_an_older_course_says_what_to_write(subtests):
    what = "older version of the course.* from `grading`. Change the"
    for line in OLDER:
        with subtests.test(line), pytest.raises(ModuleNotFoundError, match=what):
            exec(line)


def test_other_imports_that_fail_say_what_they_always_did():
    with pytest.raises(ModuleNotFoundError, match="^No module named 'of_no_course'$"):
        exec("import of_no_course")
    with pytest.raises(ImportError, match="cannot import name 'chek' from 'grading'"):
        exec("from grading import chek")


# ---- a real notebook

CELLS = [
    'import homework\nhomework.__path__.append(r"{folder}")\nfrom grading import case, check, hint',
    'check("toy.1")',
    "def centre(x):\n    ...",
    'check("toy.1")',
    "def centre(x):\n    half = x / 2\n    return half.nothing",
    'check("toy.1")',
    "import statistics as st\ndef centre(x):\n    return x - st.mean(x)",
    'check("toy.1")',
    "def centre(x):\n    while True: pass",
    'check("toy.1")',
    "def centre(x):\n    return x - x.mean()",
    'check("toy.1")',
    'hint("toy.1")',
    'case("toy.1").shape',
]


def test_in_a_real_kernel(folder):
    """Defined, run and judged as a learner does, cell by cell, with HTML and plain text in each verdict."""
    cells = [nbformat.v4.new_code_cell(c.replace("{folder}", str(folder))) for c in CELLS]
    nb = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(nb, timeout=120, kernel_name="python3").execute()
    said = [c.outputs for c in cells]
    verdicts = [o[0].data for o in said if o and "text/html" in o[0].get("data", {})]
    words = [
        "centre is not defined yet: run the cell above first.",
        NOT_ATTEMPTED,
        "AttributeError: 'numpy.ndarray' object has no attribute 'nothing' (line 3 of its cell).",
        "statistics is not allowed here",
        "still running after 0.5 seconds",
        "toy.1   3 / 3   ✓",
    ]
    assert len(verdicts) == len(words)
    assert all(w in v["text/plain"] for w, v in zip(words, verdicts))
    assert all("toy.1" in v["text/html"] and "<div" in v["text/html"] for v in verdicts)
    assert said[-2][0].text.startswith("Hint 1 of 2") and said[-1][0].data["text/plain"] == "(4,)"
