"""Chapter 5's listings against scikit-learn, SciPy and pandas."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import PolynomialFeatures, TargetEncoder

from helpers.methods.imputation import draw_tables
from tests.listings import DENSE, agree, listing
from tests.listings.nasty import classes

CHAPTER = "05-preprocessing"


def names_of(X):
    """The numbers of the names in its first column, rounded: 0, 1, 2 …"""
    return np.unique(np.round(np.asarray(X, float)[:, 0]), return_inverse=True)[1]


def test_entropy_and_mutual_information():
    entropy, told = listing(CHAPTER, "entropy"), listing(CHAPTER, "mutual_information")
    agree(
        "entropy",
        lambda X, rng: entropy(names_of(X)),
        lambda X, rng: stats.entropy(np.bincount(names_of(X)), base=2),
    )
    agree(
        "mutual information",
        lambda X, rng: told(names_of(X), classes(rng, len(X), 3)),
        lambda X, rng: mutual_info_score(names_of(X), classes(rng, len(X), 3)) / np.log(2),
    )


def with_holes(X, rng):
    """The table with a fifth of it blank; each column keeps its first two values."""
    X = np.array(X, float)
    blank = rng.uniform(size=X.shape) < 0.2
    blank[:2] = False
    return np.where(blank, np.nan, X)


def chained(X):
    """Ten rounds from left to right, by least squares."""
    model = IterativeImputer(LinearRegression(), tol=0, imputation_order="roman", skip_complete=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit_transform(X)


def test_in_turns():
    in_turns = listing(CHAPTER, "in_turns")
    agree(
        "in turns",
        lambda X, rng: in_turns(with_holes(X, rng)),
        lambda X, rng: chained(with_holes(X, rng)),
        size=(14, 4),
    )


CODES = {"own label": listing(CHAPTER, "own_label"), "cross-fitted": listing(CHAPTER, "cross_fitted")}


@pytest.mark.parametrize("name", CODES)
def test_target_codes(name):
    encoder = TargetEncoder(target_type="continuous", smooth=0, cv=KFold(5, shuffle=True, random_state=0))
    fill = encoder.fit_transform if name == "cross-fitted" else lambda X, y: encoder.fit(X, y).transform(X)
    agree(
        name,
        lambda X, rng: CODES[name](names_of(X), rng.integers(0, 2, len(X))),
        lambda X, rng: fill(names_of(X)[:, None], rng.integers(0, 2, len(X)))[:, 0],
        size=(12, 2),
    )


def test_proper_draw():
    """Its draws have the mean and the spread of those of the course's method."""
    proper_draw, rng = listing(CHAPTER, "proper_draw"), np.random.default_rng(0)
    x = rng.normal(size=30)
    y = np.where(x > 0.5, np.nan, x + rng.normal(size=30))
    gaps = np.isnan(y)
    ours = np.array([proper_draw(x, y, rng) for _ in range(4000)])
    theirs = draw_tables(np.column_stack([x, y]), 4000, rounds=1, random_state=0)[:, :, 1]
    assert (ours[:, ~gaps] == y[~gaps]).all()
    assert np.allclose(ours[:, gaps].mean(axis=0), theirs[:, gaps].mean(axis=0), atol=0.15)
    assert np.allclose(ours[:, gaps].std(axis=0), theirs[:, gaps].std(axis=0), rtol=0.1)


def test_crossed_buckets():
    cross, coded_as = listing(CHAPTER, "cross"), listing(CHAPTER, "coded_as")

    def buckets(X):
        return np.round(np.asarray(X, float)[:, :2])

    def products(X, rng):
        one, other = (coded_as(buckets(X)[:, [j]]) for j in (0, 1))
        model = PolynomialFeatures(2, interaction_only=True, include_bias=False)
        both = model.fit_transform(np.hstack([one, other]))
        k, pairs = one.shape[1], model.powers_[:, : one.shape[1]].sum(axis=1) == 1
        return both[:, pairs & (model.powers_[:, k:].sum(axis=1) == 1)]

    agree("crossed buckets", lambda X, rng: cross(buckets(X)), products, twists=DENSE, size=(9, 2))
