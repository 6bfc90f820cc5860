"""Stations differ in what makes them hard, hide whole nests, and are never drawn twice."""

import numpy as np
import pandas as pd
import pytest

from helpers.datasets import load_penguins
from homework.capstone.stations import MEASURES, nest_names, numbered, station, swap_digits

SAME_BIRD = ["studyName", "Individual ID"]


@pytest.fixture(scope="module")
def stations():
    rng = np.random.default_rng(0)
    return [station(rng, careful=bool(i % 2)) for i in range(40)]


def test_a_station_is_that_of_its_seed_and_changes_nothing():
    before = load_penguins(raw=True)
    first, again = (station(np.random.default_rng(7), True) for _ in range(2))
    pd.testing.assert_frame_equal(first[0], again[0])
    pd.testing.assert_frame_equal(first[1], again[1])
    for table in first:
        table[MEASURES] = np.nan
    pd.testing.assert_frame_equal(station(np.random.default_rng(7), True)[0], again[0])
    pd.testing.assert_frame_equal(load_penguins(raw=True), before)


def test_whole_nests_are_hidden(stations):
    for train, test in stations:
        assert not {*nest_names(train)} & {*nest_names(test)}
        assert {*test["Sex"]} == {"MALE", "FEMALE"} and not test.duplicated(SAME_BIRD).any()


def test_each_station_has_what_makes_an_estimate_too_kind(stations):
    for train, _ in stations:
        assert train.duplicated().sum() >= 15
        assert len(train) > 3 * len(train.drop_duplicates(SAME_BIRD))
        typed = train.drop_duplicates().dropna(subset=MEASURES[:2])
        assert (typed[MEASURES[1]] > typed[MEASURES[0]]).any()


def test_stations_differ(stations):
    blank = [train[MEASURES].isna().mean().mean() for train, _ in stations]
    assert max(blank[1::2]) < 0.15 < min(blank[::2])
    gentoo = [train["Species"].str.startswith("Gentoo").mean() for train, _ in stations]
    turned = [(train[MEASURES[1]] > 25).mean() for train, _ in stations]
    assert np.std(gentoo) > 0.15 and np.ptp(turned) > 0.15
    assert np.ptp([len(train) for train, _ in stations]) > 80


@pytest.mark.parametrize("mass, typed", [(3750, 7350.0), (4400, 4400.0), (2900.0, 9200.0)])
def test_digits_change_places(mass, typed):
    assert swap_digits(mass) == typed


def test_numbered_shares_nothing():
    table = pd.DataFrame({"a": [1, 2]}, index=[5, 7])
    copy = numbered(table)
    copy.loc[0, "a"] = 9
    assert list(copy.index) == [0, 1] and list(table["a"]) == [1, 2]
