"""Chapter 8: its listings against SciPy, scikit-learn and helpers.methods."""

import numpy as np
import pytest
import scipy.stats
from sklearn.feature_selection import chi2, f_classif
from sklearn.metrics import mutual_info_score

from helpers.methods.relief import relief_scores, relieff_scores
from tests.listings import agree, listing
from tests.listings.nasty import classes

NO_RANGE = dict.fromkeys(
    ["a constant column", "all rows equal"], "0 / 0: the listing divides by the range of each column"
)
CONSTANT = dict.fromkeys(
    ["a constant column", "all rows equal"],
    "the listing divides rounding by rounding; the library says NaN, or 0",
)
LARGE_SUMS = "scikit-learn subtracts large sums: no digit of F is left where the mean is 1e8 spreads"


def with_classes(function, k=3, each=1):
    """Of the table as an array, and of k classes with at least so many rows each."""

    def of_table(X, rng):
        certain = np.tile(np.arange(k), each - 1)
        y = rng.permutation(np.r_[certain, classes(rng, len(X) - len(certain), k)])
        return function(np.asarray(X, float), y)

    return of_table


def codes(values):
    return np.unique(values, return_inverse=True)[1]


def beside_one(values):
    """So that rounding beside 0 does not count."""
    return np.append(values, 1.0)


def test_entropy():
    entropy = listing("08", "entropy")
    agree(
        "entropy",
        lambda X, rng: entropy(np.asarray(X)[:, 0]),
        lambda X, rng: scipy.stats.entropy(np.bincount(codes(np.asarray(X)[:, 0])), base=2),
    )


def test_information():
    information = listing("08", "information")
    agree(
        "information",
        with_classes(lambda X, y: beside_one(information(X[:, 0], y))),
        with_classes(lambda X, y: beside_one(mutual_info_score(codes(X[:, 0]), y) / np.log(2))),
    )


def test_chi_squared():
    chi_squared = listing("08", "chi_squared")

    def of_counts(function):
        return lambda X, rng: beside_one(function(np.abs(np.asarray(X))) / np.abs(np.asarray(X)).sum())

    agree(
        "chi-squared",
        of_counts(chi_squared),
        of_counts(lambda T: scipy.stats.chi2_contingency(T, correction=False).statistic),
        reasons=dict.fromkeys(["ties", "integers"], "an empty row or column: NaN, and SciPy refuses"),
    )


def test_chi2():
    in_four_lines = listing("08", "chi2_in_four_lines")
    agree(
        "chi2",
        with_classes(lambda X, y: beside_one(in_four_lines(np.abs(X), y) / np.abs(X).sum(axis=0))),
        with_classes(lambda X, y: beside_one(chi2(np.abs(X), y)[0] / np.abs(X).sum(axis=0))),
    )


@pytest.mark.filterwarnings("ignore:.*constant")
@pytest.mark.parametrize(
    "theirs, reasons",
    [
        (
            lambda X, y: scipy.stats.f_oneway(*(X[y == c, 0] for c in np.unique(y))).statistic,
            CONSTANT,
        ),
        (lambda X, y: f_classif(X, y)[0][0], CONSTANT | {"offset 1e8": LARGE_SUMS}),
    ],
    ids=["SciPy", "scikit-learn"],
)
def test_f(theirs, reasons):
    f_statistic = listing("08", "f_statistic")
    agree(
        "F",
        with_classes(lambda X, y: beside_one(1 / (1 + f_statistic(X[:, 0], y))), each=3),
        with_classes(lambda X, y: beside_one(1 / (1 + theirs(X, y))), each=3),
        reasons=reasons,
        size=(20, None),
    )


def test_relief():
    relief = listing("08", "relief")
    agree(
        "relief",
        with_classes(lambda X, y: beside_one(relief(X, y)), 2, each=3),
        with_classes(lambda X, y: beside_one(relief_scores(X, y)), 2, each=3),
        reasons=NO_RANGE,
        size=(14, None),
    )


def test_relieff():
    relieff = listing("08", "relieff")
    agree(
        "relieff",
        with_classes(lambda X, y: beside_one(relieff(X, y, 2)), each=3),
        with_classes(lambda X, y: beside_one(relieff_scores(X, y, 2)), each=3),
        reasons=NO_RANGE,
        size=(18, None),
    )


def test_benjamini_hochberg():
    benjamini_hochberg = listing("08", "benjamini_hochberg")

    def p_values(X):
        return scipy.stats.norm.sf(np.asarray(X, float)[:, 0])

    agree(
        "false discoveries",
        lambda X, rng: benjamini_hochberg(p_values(X), 0.2),
        lambda X, rng: scipy.stats.false_discovery_control(p_values(X)) <= 0.2,
    )
