"""Chapter 11's listings against scikit-learn and SciPy."""

import numpy as np
import pytest
import scipy.special
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import confusion_matrix
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier

from tests.listings import agree, listing
from tests.listings.nasty import classes

pytestmark = pytest.mark.filterwarnings("ignore")  # singular tables, names of a frame

train, with_ones = listing("11", "train"), listing("11", "with_ones")
ovr_scores, ovr_predict = listing("11", "ovr_scores"), listing("11", "ovr_predict")
ovo_scores, count_votes = listing("11", "ovo_scores"), listing("11", "count_votes")
ecoc_scores, ecoc_predict = listing("11", "ecoc_scores"), listing("11", "ecoc_predict")
softmax, train_softmax = listing("11", "softmax"), listing("11", "train_softmax")
confusion = listing("11", "confusion")

ROWS = (12, None)  # three classes: of two scikit-learn gives one score
FAR = {"offset 1e8": "rows far from 0: normal equations lose the digits that centring first keeps"}
WIDE = "more columns than rows of a pair: the normal equations are singular within rounding"


def told(X, rng):
    return classes(rng, len(X), 3)


def each_says(model, X):
    return np.column_stack([one.decision_function(X) for one in model.estimators_])


def test_one_plane():
    agree(
        "one plane",
        lambda X, rng: with_ones(X) @ train(X, told(X, rng) == 1),
        lambda X, rng: RidgeClassifier().fit(X, told(X, rng) == 1).decision_function(X),
        size=ROWS,
        reasons=FAR,
    )


def test_one_vs_rest():
    names = np.array(["ash", "elm", "oak"])

    def library(X, rng):
        model = OneVsRestClassifier(RidgeClassifier()).fit(X, names[told(X, rng)])
        return model.decision_function(X), model.predict(X)

    def ours(X, rng):
        y = names[told(X, rng)]
        return ovr_scores(X, y, X), ovr_predict(X, y, X)

    agree("one-vs-rest", ours, library, size=ROWS, reasons=FAR)


def test_one_vs_one():
    def library(X, rng):
        model = OneVsOneClassifier(RidgeClassifier()).fit(X, told(X, rng))
        return each_says(model, X), model.decision_function(X).round()

    def ours(X, rng):
        pairs, D = ovo_scores(X, told(X, rng), X)
        return D, count_votes(pairs, D, 3)

    agree("pairs", ours, library, size=ROWS, reasons=FAR | {"scale 1e12": WIDE, "one column 1e8": WIDE})


def test_output_codes():
    def library(X, rng):
        model = OutputCodeClassifier(RidgeClassifier(), code_size=3, random_state=0).fit(X, told(X, rng))
        return each_says(model, X), model.predict(X)

    def ours(X, rng):
        y = told(X, rng)
        book = OutputCodeClassifier(RidgeClassifier(), code_size=3, random_state=0).fit(y[:, None], y)
        o = ecoc_scores(book.code_book_, X, y, X)
        return o, ecoc_predict(book.code_book_, o)

    agree("code", ours, library, size=ROWS, reasons=FAR, draws=48)


def test_softmax():
    frame = {"a frame": "the listing takes an array of scores"}
    agree("softmax", lambda F, _: softmax(F), lambda F, _: scipy.special.softmax(F, axis=1), reasons=frame)


def test_softmax_regression():
    steps = "L-BFGS stops where the loss hardly falls any more; here scikit-learn asks it for more"
    agree(
        "softmax regression",
        lambda X, rng: softmax(with_ones(X) @ train_softmax(X, told(X, rng))),
        lambda X, rng: LogisticRegression(tol=1e-10, max_iter=1000).fit(X, told(X, rng)).predict_proba(X),
        size=ROWS,
        tol=1e-3,
        reasons={"mixed units": steps, "one column 1e8": steps},
    )


def test_confusion():
    def two(X, rng):
        return told(X, rng), rng.integers(3, size=len(X))

    agree(
        "confusion",
        lambda X, rng: confusion(*two(X, rng), 3),
        lambda X, rng: confusion_matrix(*two(X, rng), labels=range(3)),
        twists=["as drawn"],
    )
