"""A check leaves a line with a number; a cause is shown with its control, and noise is no difference."""

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
        anew="tables",
    )
    assert met == [(seed, arm) for seed in (3, 1, 4, 5, 9) for arm in (1, 2)]


def test_the_spread_is_that_of_the_differences_on_the_same_seeds():
    """Seeds that differ a hundred times more than the arms hide nothing: the differences are paired."""
    trial = compare(
        noise, {"none": dict(scale=100), "shifted": dict(scale=100, shift=1)}, seeds=8, anew="tables"
    )
    gap, spread = trial.difference("shifted", "none")
    assert gap == pytest.approx(1) and spread == pytest.approx(0, abs=1e-9) and trial.spread("none") > 50
    assert trial.is_higher("shifted", "none") and trial.is_lower("none", "shifted")
    assert not trial.is_tie("shifted", "none") and not trial.is_lower("shifted", "none")


@pytest.mark.parametrize(
    ("gaps", "tie"), [([1, 3, 1, 3, 2], False), ([-2, 4, -2, 4, 1], True), ([0] * 5, True), ([2] * 5, False)]
)
def test_a_difference_within_two_standard_errors_is_not_seen(gaps, tie, capsys):
    """Means 2, 1, 0, 2; standard deviations, divided by n - 1: 1, 3, 0, 0."""
    trial = compare(
        lambda seed, which: gaps[seed] * which, {"a": dict(which=0), "b": dict(which=1)}, anew="tables"
    )
    assert trial.is_tie("a", "b") is trial.is_tie("b", "a") is tie
    assert trial.difference("b", "a") == pytest.approx((np.mean(gaps), np.std(gaps, ddof=1) / 5**0.5))
    assert ("no difference seen" in capsys.readouterr().out) == tie


def test_more_pairs_settle_what_few_leave_open():
    """The standard error falls with the number of pairs; the standard deviation does not."""
    arms = {"none": dict(own=1), "shifted": dict(own=2, shift=0.5)}
    few, many = (compare(noise, arms, seeds=n, anew="tables") for n in (6, 600))
    assert few.is_tie("shifted", "none") and many.is_higher("shifted", "none")
    assert many.difference("shifted", "none")[1] == pytest.approx(np.sqrt(2 / 600), rel=0.1)


def test_splits_that_share_rows_have_the_corrected_standard_error(capsys):
    """Over tables, their means spread far more than plain standard errors say (Nadeau and Bengio)."""

    def gap_and_errors(table):
        rows = np.random.default_rng(table).normal(size=40)

        def halves(seed, arm):
            order = np.random.default_rng([table, seed]).permutation(40)
            return arm * (rows[order[:20]].mean() + rows[order[20:]].mean() * 0.5)

        arms = {"a": dict(arm=0), "b": dict(arm=1)}
        plain = compare(halves, arms, seeds=15, anew="shuffles of these rows")
        mended = compare(halves, arms, seeds=15, anew="splits of these rows", tested=0.5)
        return *plain.difference("b", "a"), mended.difference("b", "a")[1]

    gaps, plain, mended = np.array([gap_and_errors(table) for table in range(60)]).T
    assert np.allclose(mended / plain, np.sqrt((1 / 15 + 1) * 15))
    assert plain.mean() < gaps.std() / 4  # it promises four times too much
    assert "corrected standard error over 15 pairs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("anew", "tested"),
    [("splits of these rows", None), ("tables", 0.5), ("splits", 0), ("splits", 1), ("splits", 1.5)],
)
def test_splits_say_what_share_they_test_and_nothing_else_does(anew, tested):
    with pytest.raises(ValueError, match="share between 0 and 1"):
        compare(noise, {"a": {}, "b": dict(own=1)}, anew=anew, tested=tested)


def test_every_call_says_what_is_drawn_anew():
    with pytest.raises(TypeError, match="anew"):
        compare(noise, {"a": {}, "b": dict(own=1)})


def test_rounding_is_no_difference():
    values = {"a": 0.1 + 0.2, "b": 0.3}
    trial = compare(
        lambda seed, which: (1 + seed) * values[which],
        {one: dict(which=one) for one in values},
        anew="tables",
    )
    assert trial.difference("a", "b") == (0, 0) and trial.is_tie("a", "b")


def test_pure_noise_is_mostly_a_tie_and_an_effect_is_not():
    ties = [
        compare(noise, {"a": dict(own=2 * k), "b": dict(own=2 * k + 1)}, seeds=10, anew="tables").is_tie(
            "a", "b"
        )
        for k in range(100)
    ]
    assert 85 <= sum(ties) <= 98  # two standard errors of ten: beyond them in about 7 of 100
    assert compare(noise, {"a": dict(own=1), "b": dict(own=2, shift=5)}, seeds=10, anew="tables").is_lower(
        "a", "b"
    )


def test_three_arms_are_each_held_against_the_first(capsys):
    arms = {"control": {}, "up": dict(shift=9, own=1), "same": dict(own=2)}
    trial = compare(noise, arms, seeds=range(5, 15), anew="shuffles of these rows")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*arms, "±"]
    assert lines[-1] == "± is the standard error over 10 pairs; drawn anew: shuffles of these rows"
    assert "higher than control by" in lines[1] and "no difference seen: " in lines[2]
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
        compare(noise, arms, seeds, anew="tables")
    assert capsys.readouterr().out == ""


def test_an_arm_that_is_not_there():
    trial = compare(noise, {"a": {}, "b": {}}, anew="tables")
    with pytest.raises(ValueError, match="no arm is called 'c': there are 'a', 'b'"):
        trial.mean("c")
