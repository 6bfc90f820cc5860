"""`practise`: fresh variants of every question, each with its own check, and nothing noted."""

import importlib
import re
from html import escape

import matplotlib.pyplot as plt
import numpy as np
import pytest

from grading import practise
from grading.fresh_reading import FRESH_READINGS, fresh_reading_of
from grading.judge import judge
from grading.practise import Practice
from grading.reasons import READINGS
from grading.registry import all_questions, find, load, topics
from grading.statements import Statements
from grading.variant import (
    BANKS,
    CLAIMS,
    VARIANTS,
    Claims,
    Statement,
    Variant,
    fresh,
    in_words,
    variant,
    worded,
)

noted = importlib.import_module("grading.progress")  # the package's name `progress` is the function
SEEDS = range(100, 108)
for topic in topics():
    load(topic, "variants")
    load(topic, "figures")
VALUES = [q for q in all_questions() if not q.is_drawn]
VARIED = [q for q in VALUES if q.id in VARIANTS]
READ = [q for q in VALUES if q.id in READINGS]
QUIZZES = [q for q in VALUES if q not in VARIED + READ]


def marks(question, answer):
    return judge(question, lambda args: answer)


def problems_of(statements):
    """What is wrong with a bank, in words."""
    if len(statements) < 20:
        yield f"{len(statements)} statements; a bank holds at least 20"
    if sum(s.check is None for s in statements) > 2:
        yield "more than two statements of words alone, which no run decides"
    if len({s.text for s in statements}) < len(statements):
        yield "a statement stands twice"
    share = sum(s.true for s in statements) / len(statements)
    if not 0.3 < share < 0.7:
        yield f"{share:.0%} are true: a learner who always says the same gets far"
    for s in statements:
        if not s.text.endswith(".") or not s.because.endswith((".", "…")):
            yield f"no sentence: {s}"
        if s.check is not None and bool(s.check()) != s.true:
            yield f"a run says otherwise: {s.text}"


def test_every_statement_is_true_or_false_for_certain():
    found = {topic: list(problems_of(BANKS[topic])) for topic in topics()}
    assert not {topic: problems for topic, problems in found.items() if problems}
    for broken in [("It is so.", True, "No.", lambda: False), ("no", True, "No.")]:
        assert list(problems_of([Statement(*broken), *BANKS["pca"]]))


def said_otherwise(statements):
    """What a run contradicts, or what is no sentence."""
    return [
        s.text
        for s in statements
        if bool(s.check()) != s.true or not s.text.endswith(".") or not s.because.endswith((".", "…"))
    ]


def test_lists_of_claims_are_put_in_three_wordings_that_a_run_bears_out():
    """A question for true and false has a list of its own, not its chapter's quiz; `check` explains each."""
    lists = [q for q in VARIED if isinstance(VARIANTS[q.id](np.random.default_rng(0)), Claims)]
    assert {q.id for q in lists} == {"recovery.2", "sparse.9", "wrappers.12", "imbalance.2"}
    for id, claims in CLAIMS.items():
        assert min(len(wordings) for wordings in claims) >= 3, id
        assert not [text for wordings in claims for text in said_otherwise(wordings)], id
        assert all(len({s.true for s in wordings}) == 2 for wordings in claims), id
    for q in lists:
        drawn = [VARIANTS[q.id](np.random.default_rng(seed)) for seed in range(20)]
        assert len({s.text for claims in drawn for s in claims.statements}) >= 3 * len(q.truth[0]), q.id
        assert not [text for claims in drawn for text in said_otherwise(claims.statements)], q.id
    assert said_otherwise(worded(lambda: True, False, ("It is so.", "It is.")))


@pytest.mark.parametrize("topic", topics())
def test_variants_are_judged_like_their_questions(topic):
    """A reading or a quiz has no code of its own: one function shuffles them all, another one draws."""
    for q in (q for q in [*VARIED, READ[0], QUIZZES[0]] if q.topic == topic):
        judged_like_the_question(q)
        an_old_answer_does_not_do(q)


def judged_like_the_question(q):
    texts = set()
    for seed in SEEDS[:3] if q.checker else SEEDS:
        made = fresh(q, seed)
        again = fresh(q, seed)
        texts.add(made.text)
        assert made.text == again.text and repr(made.question.truth) == repr(again.question.truth), q.id
        assert marks(made.question, made.question.truth).full, q.id
        for mistake in made.question.mistakes:
            result = marks(made.question, mistake.answer)
            told = not result.full and any(mistake.hint in note for note in result.notes)
            assert told, f"{q.id}: {mistake.name}"
    assert len(texts) > 1, q.id


def an_old_answer_does_not_do(q):
    """Neither the homework's own answer, nor that of another variant, for most variants."""
    if q not in VARIED:
        return
    made = [fresh(q, seed).question for seed in (SEEDS[:4] if q.checker else SEEDS)]
    assert sum(marks(one, q.truth).full for one in made) <= 1, q.id
    pairs = [(one, other) for one, other in zip(made, [*made[1:], made[0]], strict=True)]
    assert sum(marks(one, other.truth).full for one, other in pairs) <= len(made) / 2, q.id


def test_a_question_on_drawn_input_draws_other_input():
    """A function and a formula. That each question's draws hang on the seed is tried in tests/homework/."""
    for q in (find("pca.3"), find("pca.13")):
        made = Practice(q.id, 10_000)
        assert made.question is q and q.name in made.text
        assert repr(q.task(0, 10_000).args) != repr(q.task(0, 0).args)


@pytest.mark.parametrize("topic", sorted({id.split(".")[0] for id in FRESH_READINGS}))
def test_a_figure_of_other_data_still_shows_what_is_right(topic):
    for id in (id for id in FRESH_READINGS if id.split(".")[0] == topic):
        asked, read = find(id), READINGS[id]
        every = " ".join([read.text, *asked.hints, *map(str, [*read.choices.items(), *read.reasons.items()])])
        texts, rng = set(), np.random.default_rng(0)
        assert sum(FRESH_READINGS[id](rng).holds for _ in range(4)) > 2
        for _ in range(4):
            fresh = fresh_reading_of(asked, rng)
            assert fresh.holds and all(old in every for old in fresh.words)
            if fresh.draw is None:
                texts.add(str(fresh.words))
                continue
            fig, sentence = fresh.draw()
            assert fig.axes and sentence.endswith(".") and any(map(str.isdigit, sentence))
            texts.add(sentence)
            plt.close(fig)
        assert len(texts) > 1


def test_the_words_of_a_figure_follow_it():
    """Where the solid line is the other one, it is the right choice."""
    made = {FRESH_READINGS["lda.12"](np.random.default_rng(seed)).words.get("solid") for seed in range(9)}
    assert made == {None, "dashed"}
    told = {fresh(find("lda.12"), seed).text.count("The solid one: on it the two") for seed in range(9)}
    assert told == {0, 1}
    assert in_words("left of right", {"left": "right", "right": "left"}) == "right of left"


def test_on_fresh_input_the_reference_is_right_and_another_function_is_not(capsys):
    from homework.pca.questions import explained_ratio

    made = practise("pca.3", seed=77)
    made.check(explained_ratio)
    assert "2 / 2   ✓" in capsys.readouterr().out
    made.check(lambda X: np.ones(X.shape[1]))
    assert "0 / 2" in capsys.readouterr().out
    assert not np.array_equal(made.case(), Practice("pca.3", 78).case())


def test_what_the_notebook_defines_is_tried(monkeypatch, capsys):
    import __main__
    from homework.pca.questions import explained_ratio

    monkeypatch.setattr(__main__, "explained_ratio", explained_ratio, raising=False)
    practise("pca.3", seed=5).check()
    assert "2 / 2   ✓" in capsys.readouterr().out


def test_a_formula_is_tried_on_fresh_numbers(capsys):
    practise("pca.13", seed=5).check(r"\frac{\sum_{j=1}^k \lambda_j}{\sum_{j=1}^d \lambda_j}")
    assert "1 / 1   ✓" in capsys.readouterr().out


def test_a_chapter_asks_what_is_true(capsys):
    made = practise("pca", seed=5)
    assert capsys.readouterr().out.startswith("True or false?")
    truth = list(made.question.truth)
    made.check(truth)
    assert "8 / 8   ✓" in capsys.readouterr().out
    made.check([not truth[0], *truth[1:]])
    said = capsys.readouterr().out
    assert "7 of 8 are right." in said and f"1: {str(truth[0]).lower()}. {made._fresh.reasons[0]}" in said
    for junk in (None, 3, [True], "no", {}):
        made.check(junk)
        assert "0 / 8" in capsys.readouterr().out


def test_a_page_has_two_buttons_for_each_statement():
    stated = Practice("pca", seed=5)._fresh.statements
    page = Statements("True or false?", stated)._repr_html_()
    assert page.count('class="right"') == page.count('class="wrong"') == len(stated) == 8
    for one in stated:
        item = page.split(f"<li>{escape(one.text)}<br>")[1].split("</li>")[0]
        assert re.search(r'class="right"><label[^>]*>(\w+)<', item)[1] == str(one.true).lower()
        assert item.count(f"{one.true}. {escape(one.because)}") == 2
    names = re.findall(r'name="([^"]+)"', page + Statements("True or false?", stated)._repr_html_())
    assert all(names.count(name) == 2 for name in names)  # two lists share no button


def test_nothing_is_noted(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00-start-here.ipynb").touch()
    (tmp_path / "exercises").mkdir()
    monkeypatch.chdir(tmp_path / "exercises")
    made = practise("knn.1", seed=3)
    made.check([1, 2, 3, 4])
    made.check(made.question.truth)
    made.hint()
    assert not noted.best(tmp_path) and not (tmp_path / noted.FILE).exists()


def test_each_time_another(capsys):
    assert len({practise("knn.1").seed for _ in range(5)}) > 1


def test_what_is_not_there_is_said_in_a_line(capsys):
    assert practise("pca.99") is None and practise("pcb") is None
    assert capsys.readouterr().out.count("\n") == 2


def test_a_value_is_put_between_the_brackets(capsys):
    practise("knn.1", seed=3).check()
    assert "between the brackets" in capsys.readouterr().out


def test_a_variant_that_cannot_tell_its_mistakes_apart_is_refused(monkeypatch):
    q = next(q for q in VALUES if q.id == "knn.5")
    monkeypatch.setitem(VARIANTS, "knn.5", lambda rng: Variant("?", 1.0, {"always right": 1.0}))
    with pytest.raises(RuntimeError, match="tells its mistakes apart"):
        fresh(q, 1)
    assert variant("knn.5")(len) is len
