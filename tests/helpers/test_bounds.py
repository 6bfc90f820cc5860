"""Sample-size bounds: the chapter's numbers, their inverses, and simulations that must keep them."""

from math import comb, exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.methods.bounds import growth_bound, hoeffding_gap, hoeffding_sample_size, vc_gap, vc_sample_size

gammas, deltas = st.floats(0.01, 0.9), st.floats(1e-6, 0.9)
quick = settings(deadline=None, max_examples=25)


def test_the_chapters_numbers():  # item 07.1
    assert hoeffding_sample_size(50, 0.1, 0.05) == 381
    assert hoeffding_sample_size(50, 0.05, 0.05) == 1521  # half the gap, four times n


@given(k=st.integers(1, 10**6), gamma=gammas, delta=deltas)
@quick
def test_size_and_gap_are_inverse(k, gamma, delta):
    n = hoeffding_sample_size(k, gamma, delta)
    assert hoeffding_gap(n, k, delta) <= gamma * (1 + 1e-12)
    assert n == 1 or hoeffding_gap(n - 1, k, delta) > gamma * (1 - 1e-12)
    assert 2 * k * exp(-2 * n * gamma**2) <= delta * (1 + 1e-9)


def test_hoeffdings_promise_is_kept():  # item 07.1: .004 <= .05
    rng = np.random.default_rng(0)
    errors = rng.uniform(0, 1, 50)
    worst = np.abs(rng.binomial(381, errors, size=(5000, 50)) / 381 - errors).max(axis=1)
    assert (worst > 0.1).mean() <= 0.05 and (worst > 0.05).mean() > 0.05  # and not by accident


def test_sixty_four_bits_for_each_parameter():  # item 07.2, erratum E45: k beyond all floats
    sizes = [hoeffding_sample_size(2 ** (64 * d), 0.1, 1e-6) for d in (10, 20, 30)]
    assert sizes[0] == 22907 and abs(sizes[2] - 2 * sizes[1] + sizes[0]) <= 1
    assert abs(sizes[1] - sizes[0] - 640 * log(2) / 0.02) <= 1  # affine, slope 64 ln 2 / 2γ²


def test_sauers_sum():
    assert [growth_bound(n, 3) for n in (0, 1, 3, 4, 5)] == [1, 2, 8, 15, 26]
    assert growth_bound(50, 4) == sum(comb(50, i) for i in range(5)) and growth_bound(7, 0) == 1


@pytest.mark.parametrize("n, D", [(5, 1), (50, 3), (1000, 10), (4, 30), (10**7, 1)])
def test_the_gap_by_its_formula(n, D):  # Anthony and Bartlett, theorem 4.3
    assert np.isclose(vc_gap(n, D, 0.05), sqrt(8 / n * log(4 * growth_bound(2 * n, D) / 0.05)))


def test_the_gap_of_a_count_beyond_all_floats():
    assert 0.3 < vc_gap(10**5, 300, 0.05) < 1


def test_the_vc_promise_is_kept_and_the_gap_falls_like_the_root():  # item 07.9, thresholds on [0, 1]
    rng, median = np.random.default_rng(0), {}
    for n in (100, 400, 1600):
        x = np.sort(rng.random((400, n)), axis=1)  # y = 0: the error of θ is 1 - θ
        steps = np.arange(n + 1) / n
        gaps = np.maximum(np.abs(x - steps[:-1]), np.abs(x - steps[1:])).max(axis=1)
        median[n] = np.median(gaps)
        assert (gaps <= vc_gap(n, 1, 0.05)).mean() >= 0.95
    assert 1.7 < median[100] / median[400] < 2.3 and 1.7 < median[400] / median[1600] < 2.3


@pytest.mark.parametrize("D, gamma, delta", [(1, 0.5, 0.1), (3, 0.1, 0.05), (50, 0.2, 1e-6), (0, 1.0, 1.0)])
def test_the_sample_size_is_the_smallest(D, gamma, delta):
    n = vc_sample_size(D, gamma, delta)
    assert vc_gap(n, D, delta) <= gamma and (n == 1 or vc_gap(n - 1, D, delta) > gamma)


def test_the_sample_size_is_about_proportional_to_the_dimension():  # item 07.10
    assert 1.8 < vc_sample_size(200, 0.1, 0.05) / vc_sample_size(100, 0.1, 0.05) < 2.1


REFUSED = {
    "no gap": (lambda: hoeffding_sample_size(5, 0.0, 0.1), "gamma=0.0: give a gap between two error rates"),
    "a gap of NaN": (lambda: vc_sample_size(5, np.nan, 0.1), "gamma=nan"),
    "no risk": (lambda: hoeffding_gap(5, 5, 0.0), "delta=0.0: give a probability above 0"),
    "too much risk": (lambda: vc_gap(5, 1, 1.5), "delta=1.5"),
    "no hypothesis": (lambda: hoeffding_sample_size(0, 0.1, 0.1), "k=0: give a whole number from 1 up"),
    "no sample": (lambda: hoeffding_gap(0, 3, 0.1), "n=0"),
    "half a sample": (lambda: vc_gap(2.5, 3, 0.1), "n=2.5"),
    "negative dimension": (lambda: growth_bound(3, -1), "D=-1: give a whole number from 0 up"),
    "no end": (lambda: vc_sample_size(np.inf, 0.1, 0.1), "D=inf: give a whole number"),
    "too many terms": (lambda: growth_bound(10**9, 10**8), "the sum has 100,000,001 terms; 10,000 are"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
