"""Sample-size bounds: the chapter's numbers, their inverses, and simulations that must keep them."""

from math import comb, exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.model_selection import (
    bits_sample_size,
    growth_bound,
    hoeffding_gap,
    hoeffding_sample_size,
    margin_vc_bound,
    vc_gap,
    vc_rate,
    vc_sample_size,
)

gammas, deltas = st.floats(0.01, 0.9), st.floats(1e-6, 0.9)
quick = settings(deadline=None, max_examples=25)


def test_the_chapters_number():  # item 07.1
    assert hoeffding_sample_size(50, 0.1, 0.05) == 381
    assert hoeffding_sample_size(50, 0.05, 0.05) == 1521  # half the gap, four times m


@given(k=st.integers(1, 10**6), gamma=gammas, delta=deltas)
@quick
def test_size_and_gap_are_inverse(k, gamma, delta):
    m = hoeffding_sample_size(k, gamma, delta)
    assert hoeffding_gap(m, k, delta) <= gamma * (1 + 1e-12)
    assert m == 1 or hoeffding_gap(m - 1, k, delta) > gamma * (1 - 1e-12)
    assert 2 * k * exp(-2 * m * gamma**2) <= delta * (1 + 1e-9)


def test_hoeffdings_promise_is_kept():  # item 07.1: .004 <= .05
    rng = np.random.default_rng(0)
    errors = rng.uniform(0, 1, 50)
    worst = np.abs(rng.binomial(381, errors, size=(5000, 50)) / 381 - errors).max(axis=1)
    assert (worst > 0.1).mean() <= 0.05 and (worst > 0.05).mean() > 0.05  # and not by accident


def test_sixty_four_bits_for_each_parameter():  # item 07.2, erratum E45
    sizes = [bits_sample_size(d, 0.1, 1e-6) for d in (10, 20, 30)]
    assert sizes[0] == 22907 and abs((sizes[2] - sizes[1]) - (sizes[1] - sizes[0])) <= 1
    assert abs(sizes[1] - sizes[0] - 10 * 64 * log(2) / 0.02) <= 1  # affine, slope 64 ln 2 / 2γ²
    assert bits_sample_size(3, 0.1, 0.05, bits=8) == hoeffding_sample_size(2**24, 0.1, 0.05)


def test_sauers_sum():
    assert [growth_bound(m, 3) for m in (1, 3, 4, 5)] == [2, 8, 15, 26]
    assert growth_bound(50, 4) == sum(comb(50, i) for i in range(5)) and growth_bound(7, 0) == 1


def test_thresholds_and_intervals_attain_sauers_sum():
    from helpers.model_selection import count_labellings, intervals, thresholds

    for m in range(1, 7):
        assert count_labellings(np.arange(m), thresholds) == growth_bound(m, 1)
        assert count_labellings(np.arange(m), intervals) == growth_bound(m, 2)


@given(m=st.integers(20, 10**5), d=st.integers(1, 20), times=st.integers(2, 50))
@quick
def test_ten_times_the_dimension_needs_ten_times_the_sample(m, d, times):  # item 07.10
    assert np.isclose(vc_rate(m, d, 1.0), vc_rate(times * m, times * d, 1.0))
    assert np.isclose(vc_rate(m, d, 0.1), sqrt(d / m * log(m / d) + log(10) / m))


def test_the_rate_falls_to_zero():
    assert vc_rate(10**9, 5, 0.05) < 1e-3 < 0.1 < vc_rate(100, 5, 0.05)


@pytest.mark.parametrize("m, d", [(5, 1), (50, 3), (1000, 10), (4, 30)])
def test_the_gap_by_its_formula(m, d):  # Anthony and Bartlett, theorem 4.3
    assert np.isclose(vc_gap(m, d, 0.05), sqrt(8 / m * log(4 * growth_bound(2 * m, d) / 0.05)))


def test_the_gap_of_a_huge_sample_needs_no_huge_integer():
    assert np.isclose(vc_gap(10**7, 1, 0.05), sqrt(8e-7 * log(4 * (2e7 + 1) / 0.05)))


def test_the_vc_promise_is_kept_and_the_gap_falls_like_the_root():  # item 07.9, thresholds on [0, 1]
    rng, median = np.random.default_rng(0), {}
    for m in (100, 400, 1600):
        x = np.sort(rng.random((400, m)), axis=1)  # y = 0: the error of θ is 1 - θ
        steps = np.arange(m + 1) / m
        gaps = np.maximum(np.abs(x - steps[:-1]), np.abs(x - steps[1:])).max(axis=1)
        median[m] = np.median(gaps)
        assert (gaps <= vc_gap(m, 1, 0.05)).mean() >= 0.95
    assert 1.7 < median[100] / median[400] < 2.3 and 1.7 < median[400] / median[1600] < 2.3


@pytest.mark.parametrize("d, gamma, delta", [(1, 0.5, 0.1), (3, 0.1, 0.05), (50, 0.2, 1e-6), (0, 30.0, 1.0)])
def test_the_sample_size_is_the_smallest(d, gamma, delta):
    m = vc_sample_size(d, gamma, delta)
    assert vc_gap(m, d, delta) <= gamma and (m == 1 or vc_gap(m - 1, d, delta) > gamma)


def test_the_sample_size_is_about_proportional_to_the_dimension():  # items 07.10 and 07.2
    assert 1.8 < vc_sample_size(200, 0.1, 0.05) / vc_sample_size(100, 0.1, 0.05) < 2.1


def test_the_margin_bound():  # item 07.12, erratum E47
    assert margin_vc_bound(1, 0.75) == 3  # equilateral triangle, all 8
    assert margin_vc_bound(1, 1 / np.sqrt(3)) == 4  # regular simplex: R²/γ² is 3
    assert margin_vc_bound(1, 0.57) == 5 and margin_vc_bound(2, 2) == 2 and margin_vc_bound(3, 1) == 10


@pytest.mark.parametrize("n", [3, 4, 5, 6, 9])
def test_a_regular_simplex_is_shattered_with_its_margin(n):  # so no smaller bound can hold
    P = np.eye(n) - 1 / n
    P /= np.linalg.norm(P[0])  # R = 1
    margins = []
    for size in range(1, n // 2 + 1):  # distance of the two hulls' centres
        margins.append(np.linalg.norm(P[:size].mean(axis=0) - P[size:].mean(axis=0)) / 2)
    assert margin_vc_bound(1, min(margins)) >= n


REFUSED = {
    "no gap": (lambda: hoeffding_sample_size(5, 0.0, 0.1), "gamma=0.0: the gap must be positive"),
    "no risk": (lambda: hoeffding_gap(5, 5, 0.0), r"delta=0.0: a probability in \(0, 1\]"),
    "too much risk": (lambda: bits_sample_size(5, 0.1, 1.5), "delta=1.5"),
    "no hypothesis": (lambda: hoeffding_sample_size(0, 0.1, 0.1), "k=0: must be at least 1"),
    "no sample": (lambda: hoeffding_gap(0, 3, 0.1), "m=0: must be at least 1"),
    "no parameter": (lambda: bits_sample_size(0, 0.1, 0.1), "d=0"),
    "no bits": (lambda: bits_sample_size(1, 0.1, 0.1, bits=0), "bits=0"),
    "no points": (lambda: growth_bound(0, 2), "m=0"),
    "negative dimension": (lambda: growth_bound(3, -1), "d=-1: a VC dimension is at least 0"),
    "negative dimension in the gap": (lambda: vc_gap(3, -1, 0.1), "d=-1: a VC dimension is at least 0"),
    "fewer samples than dimensions": (lambda: vc_rate(3, 4, 0.1), "m=3 samples are fewer than d=4"),
    "rate of nothing": (lambda: vc_rate(0, 1, 0.1), "m=0"),
    "rate without dimension": (lambda: vc_rate(10, 0, 0.1), "d=0"),
    "rate without risk": (lambda: vc_rate(10, 1, 0.0), "delta=0.0"),
    "gap without risk": (lambda: vc_gap(10, 1, 0.0), "delta=0.0"),
    "gap of nothing": (lambda: vc_gap(0, 1, 0.1), "m=0"),
    "size without risk": (lambda: vc_sample_size(3, 0.1, 2.0), "delta=2.0"),
    "size for no gap": (lambda: vc_sample_size(3, -0.1, 0.1), "gamma=-0.1"),
    "no radius": (lambda: margin_vc_bound(0, 1), "R=0: the radius must be positive"),
    "no margin": (lambda: margin_vc_bound(1, 0), "gamma=0"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
