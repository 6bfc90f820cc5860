"""A check leaves a line with a number; a cause is shown with its control, and noise is called a tie."""

import numpy as np
import pytest

from helpers.evidence import Comparison, compare, evidence

# ---- one line


def test_the_line_is_printed_with_its_tick(capsys):
    evidence("180 axes keep at most 94.8 %")
    assert capsys.readouterr().out == "✓ 180 axes keep at most 94.8 %\n"


@pytest.mark.parametrize(
    ("said", "why"),
    [("it holds", "no number"), ("", "no number"), ("7" * 87, "this has 89"), ("1\n2", "one line")],
)
def test_a_line_that_says_nothing_or_too_much_is_refused(said, why, capsys):
    with pytest.raises(ValueError, match=why):
        evidence(said)
    assert capsys.readouterr().out == ""


def test_88_letters_fit(capsys):
    evidence("7" * 86)
    assert len(capsys.readouterr().out.strip()) == 88


# ---- both arms


def noise(seed, shift=0.0, scale=1.0, own=0):
    return shift + scale * np.random.default_rng([seed, own]).normal()


def test_the_same_seed_is_met_by_every_arm():
    met = []
    compare(
        lambda seed, arm: met.append((seed, arm)) or seed,
        {"a": dict(arm=1), "b": dict(arm=2)},
        seeds=[3, 1, 4, 5, 9],
    )
    assert met == [(seed, arm) for seed in (3, 1, 4, 5, 9) for arm in (1, 2)]


def test_the_spread_is_that_of_the_differences_on_the_same_seeds():
    """Seeds that differ a hundred times more than the arms hide nothing: the differences are paired."""
    trial = compare(noise, {"none": dict(scale=100), "shifted": dict(scale=100, shift=1)}, seeds=8)
    gap, spread = trial.difference("shifted", "none")
    assert gap == pytest.approx(1) and spread == pytest.approx(0, abs=1e-9) and trial.spread("none") > 50
    assert trial.is_higher("shifted", "none") and trial.is_lower("none", "shifted")
    assert not trial.is_tie("shifted", "none") and not trial.is_lower("shifted", "none")


@pytest.mark.parametrize(
    ("gaps", "tie"), [([1, 3, 1, 3, 2], False), ([-2, 4, -2, 4, 1], True), ([0] * 5, True), ([2] * 5, False)]
)
def test_a_difference_no_larger_than_its_spread_is_a_tie(gaps, tie, capsys):
    """Means 2, 1, 0, 2; standard deviations, divided by n - 1: 1, 3, 0, 0."""
    trial = compare(lambda seed, which: gaps[seed] * which, {"a": dict(which=0), "b": dict(which=1)})
    assert trial.is_tie("a", "b") is trial.is_tie("b", "a") is tie
    assert trial.difference("b", "a") == pytest.approx((np.mean(gaps), np.std(gaps, ddof=1)))
    assert ("a tie with a" in capsys.readouterr().out) == tie


def test_rounding_is_no_difference():
    values = {"a": 0.1 + 0.2, "b": 0.3}
    trial = compare(lambda seed, which: (1 + seed) * values[which], {one: dict(which=one) for one in values})
    assert trial.difference("a", "b") == (0, 0) and trial.is_tie("a", "b")


def test_pure_noise_is_mostly_a_tie_and_an_effect_is_not():
    ties = [
        compare(noise, {"a": dict(own=2 * k), "b": dict(own=2 * k + 1)}, seeds=10).is_tie("a", "b")
        for k in range(100)
    ]
    assert sum(ties) >= 95
    assert compare(noise, {"a": dict(own=1), "b": dict(own=2, shift=5)}, seeds=10).is_lower("a", "b")


def test_three_arms_are_each_held_against_the_first(capsys):
    arms = {"control": {}, "up": dict(shift=9, own=1), "same": dict(own=2)}
    trial = compare(noise, arms, seeds=range(5, 15))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(arms) and lines[0].endswith("over 10 seeds")
    assert "higher than control by" in lines[1] and "a tie with control" in lines[2]
    assert trial.is_higher("up", "same") and trial.values.shape == (10, 3)
    assert trial.mean("up") == pytest.approx(trial.of("up").mean())


def test_nothing_is_shown_twice_in_a_notebook():
    assert Comparison(("a",), (0,), np.zeros((1, 1)))._ipython_display_() is None


@pytest.mark.parametrize(
    ("arms", "seeds", "why"),
    [
        ({"a": {}}, 5, "needs two arms"),
        ({"a": {}, "b": {}}, 4, "at least 5 seeds"),
        ({"a": {}, "b": {}}, [0, 1, 2, 3, 3], "each once"),
        ({"a": {}, "b": dict(shift=np.nan)}, 5, "the arm 'b' gave .*nan.* on seed 0"),
        ({"a": {}, "b": dict(shift=np.ones(2))}, 5, "where one finite number is compared"),
        ({"a": {}, "b" * 60: {}}, 5, "wider than the page"),
    ],
)
def test_an_experiment_that_shows_nothing_is_refused(arms, seeds, why, capsys):
    with pytest.raises(ValueError, match=why):
        compare(noise, arms, seeds)
    assert capsys.readouterr().out == ""


def test_an_arm_that_is_not_there():
    trial = compare(noise, {"a": {}, "b": {}})
    with pytest.raises(ValueError, match="no arm is called 'c': there are 'a', 'b'"):
        trial.mean("c")
