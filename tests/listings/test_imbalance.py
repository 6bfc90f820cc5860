"""Chapter 12's listings against scikit-learn, imbalanced-learn and the course's own methods."""

import numpy as np
from imblearn.over_sampling import SMOTE, BorderlineSMOTE
from imblearn.under_sampling import EditedNearestNeighbours, TomekLinks

from helpers.methods import thresholds
from tests.listings import DENSE, agree, listing

smote, under_priors = listing("12", "smote"), listing("12", "under_priors")
company = listing("12", "company")
tomek_links, outvoted = listing("12", "tomek_links"), listing("12", "outvoted")

ARRAYS = [twist for twist in DENSE if twist != "a frame"]  # the listings take rows of an array
EQUALLY_NEAR = "which of several rows that are equally near is the nearest, the searches do not agree"


def rare(X, rng):
    """A quarter of the rows is positive."""
    return rng.permutation(len(X)) < len(X) // 4


def test_smote():
    def library(X, rng):
        return SMOTE(k_neighbors=3, random_state=0).fit_resample(X, rare(X, rng))[0][len(X) :]

    def ours(X, rng):
        y = rare(X, rng)
        return smote(X[y], 3, (~y).sum() - y.sum(), 0)[0]

    whole = "imbalanced-learn keeps the table's type, and cuts off what stands behind the point"
    agree("smote", ours, library, twists=ARRAYS, size=(24, None), reasons={"integers": whole})


def test_rows_in_danger():
    def library(X, rng):
        sampler = BorderlineSMOTE(k_neighbors=1, m_neighbors=6, random_state=0)
        sampler.fit_resample(X, rare(X, rng))
        return np.sort(sampler.in_danger_indices.get(True, []))

    def ours(X, rng):
        y = rare(X, rng)
        return np.flatnonzero(y)[company(X, y, 6)[1]]

    agree("border", ours, library, twists=ARRAYS, size=(24, None))


def dropped(cleaner, X, y):
    cleaner.fit_resample(X, y.astype(int))
    return np.setdiff1d(np.arange(len(y)), cleaner.sample_indices_)


def test_tomek_links():
    ties = ("equal rows", "all rows equal", "ties", "a constant column", "integers")
    agree(
        "tomek",
        lambda X, rng: np.flatnonzero(tomek_links(X, y := rare(X, rng)) & ~y),
        lambda X, rng: dropped(TomekLinks(), X, rare(X, rng)),
        twists=ARRAYS,
        size=(24, None),
        draws=240,
        reasons=dict.fromkeys(ties, EQUALLY_NEAR),
    )


def test_edited_nearest_neighbours():
    ties = ("equal rows", "all rows equal", "ties", "a constant column", "integers")
    agree(
        "enn",
        lambda X, rng: np.flatnonzero(outvoted(X, y := rare(X, rng)) & ~y),
        lambda X, rng: dropped(EditedNearestNeighbours(kind_sel="mode"), X, rare(X, rng)),
        twists=ARRAYS,
        size=(24, None),
        draws=240,
        reasons=dict.fromkeys(ties, EQUALLY_NEAR),
    )


def test_other_priors():
    agree(
        "priors",
        lambda X, rng: under_priors(1 / (1 + np.exp(-X)), 0.3, 0.1),
        lambda X, rng: thresholds.under_priors(1 / (1 + np.exp(-X)), 0.3, 0.1),
        twists=ARRAYS,
    )
