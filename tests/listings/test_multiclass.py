"""Chapter 11's listings against scikit-learn and SciPy."""

import numpy as np
import pytest
import scipy.special
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier

from tests.listings import agree, listing
from tests.listings.nasty import classes

pytestmark = pytest.mark.filterwarnings("ignore")  # singular tables, names of a frame

one_vs_rest, votes_of_pairs = listing("11", "one_vs_rest"), listing("11", "votes_of_pairs")
nearest_word = listing("11", "nearest_word")
softmax, softmax_regression = listing("11", "softmax"), listing("11", "softmax_regression")

ROWS = (12, None)  # three classes: of two scikit-learn gives one score
NAMES = np.array(["ash", "elm", "oak"])


def told(X, rng):
    return classes(rng, len(X), 3)


def test_one_vs_rest():
    def library(X, rng):
        return OneVsRestClassifier(RidgeClassifier()).fit(X, NAMES[told(X, rng)]).decision_function(X)

    def ours(X, rng):
        return one_vs_rest(RidgeClassifier(), X, NAMES[told(X, rng)], X)

    agree("one-vs-rest", ours, library, size=ROWS)


def test_one_vs_one():
    def library(X, rng):
        return OneVsOneClassifier(RidgeClassifier()).fit(X, NAMES[told(X, rng)]).decision_function(X).round()

    def ours(X, rng):
        return votes_of_pairs(RidgeClassifier(), X, NAMES[told(X, rng)], X)

    agree("pairs", ours, library, size=ROWS)


def test_the_nearest_word():
    def fitted(X, rng):
        model = OutputCodeClassifier(RidgeClassifier(), code_size=3, random_state=0)
        return model.fit(X, told(X, rng))

    def ours(X, rng):
        model = fitted(X, rng)
        said = np.column_stack([one.decision_function(X) for one in model.estimators_])
        return nearest_word(model.code_book_, said)

    agree("code", ours, lambda X, rng: fitted(X, rng).predict(X), size=ROWS, draws=48)


def test_softmax():
    frame = {"a frame": "the listing takes an array of scores"}
    agree("softmax", lambda F, _: softmax(F), lambda F, _: scipy.special.softmax(F, axis=1), reasons=frame)


def test_softmax_regression():
    steps = "small steps: columns on scales unlike that of the ones need more of them"

    def ours(X, rng):
        X = np.asarray(X, float)
        return softmax(
            np.column_stack([X, np.ones(len(X))]) @ softmax_regression(X, told(X, rng), steps=20_000)
        )

    agree(
        "softmax regression",
        ours,
        lambda X, rng: LogisticRegression(tol=1e-10, max_iter=1000).fit(X, told(X, rng)).predict_proba(X),
        size=ROWS,
        tol=1e-3,
        draws=72,  # four of each kind
        reasons=dict.fromkeys(["mixed units", "scale 1e12"], steps),
    )
