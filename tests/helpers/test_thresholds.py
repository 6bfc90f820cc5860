"""Moved thresholds: what Bayes' rule and the costs promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from helpers.comparing import close
from helpers.methods.thresholds import threshold_by_cost, under_priors


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 10**6))
def test_rescaled_odds(n_pos, n_neg, seed):
    """To equal classes: more than 1/2 is more than N⁺/N before; the odds are multiplied by N⁻/N⁺."""
    p, share = np.random.default_rng(seed).random(50), n_pos / (n_pos + n_neg)
    moved = under_priors(p, share, 0.5)
    assert ((moved > 0) & (moved < 1)).all() and (under_priors([0, 1], share, 0.5) == [0, 1]).all()
    assert ((moved > 0.5) == (p > share)).all()
    assert close(moved / (1 - moved), p / (1 - p) * n_neg / n_pos, 1e-9)


def test_bayes_correction_of_two_gaussians():
    """N(0,1) and N(2,1), trained 1:1 and used 9:1: the cut moves from 1 to 1 + ln(9)/2 (analytic)."""
    x = 1 + np.log(9) / 2
    at_one_to_one = 1 / (1 + np.exp(-(2 * x - 2)))
    assert abs(under_priors(at_one_to_one, train=0.5, new=0.1) - 0.5) < 1e-9
    rng = np.random.default_rng(0)
    X, y = np.r_[rng.normal(0, 1, 50000), rng.normal(2, 1, 50000)][:, None], np.repeat([0, 1], 50000)
    grid = np.linspace(0, 4, 4001)
    p = LogisticRegression().fit(X, y).predict_proba(grid[:, None])[:, 1]
    assert abs(grid[(under_priors(p, 0.5, 0.1) > 0.5).argmax()] - 2.0986) < 0.05


def test_priors_move_and_move_back():
    p = np.random.default_rng(0).random((4, 3))
    there = under_priors(p, 0.3, 0.8)
    assert close(under_priors(there, 0.8, 0.3), p, 1e-12) and (there > p).all()
    assert close(there, p * 0.8 / 0.3 / (p * 0.8 / 0.3 + (1 - p) * 0.2 / 0.7), 1e-12)


@pytest.mark.parametrize("costs", [(1, 9), (1, 1), (5, 2), (0, 1)])
def test_cost_threshold_is_where_the_decisions_cost_the_same(costs):
    t, p = threshold_by_cost(*costs), np.linspace(0, 1, 101)
    cheaper = (1 - p) * costs[0] < p * costs[1]
    assert (cheaper == (p > t + 1e-12))[np.abs(p - t) > 1e-9].all()
    assert close(t * costs[1], (1 - t) * costs[0])


def test_clear_errors():
    for bad in ([1.2], [-0.1], [np.nan]):
        with pytest.raises(ValueError, match="give probabilities, not scores"):
            under_priors(bad, 0.5, 0.5)
    for train, new in ((0, 0.5), (0.5, 1), (1, 0.5), (0.5, 0)):
        with pytest.raises(ValueError, match="a share of positives lies between 0 and 1"):
            under_priors([0.5], train, new)
    for costs in ((0, 0), (-1, 1)):
        with pytest.raises(ValueError, match="one must be positive"):
            threshold_by_cost(*costs)
