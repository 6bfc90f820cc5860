"""Chapter 7: its listings against scikit-learn and helpers.methods."""

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from helpers.methods.vc import separable
from tests.listings import agree, listing
from tests.listings.nasty import classes

SQUARED = "neg_mean_squared_error"


def penguins(rng, n):
    """Rows of that many penguins, their masses and their bills."""
    mass, bill = listing("07", "mass"), listing("07", "bill")
    rows = rng.permutation(len(mass))[:n]
    return rows, mass[rows, None], bill[rows]


def polynomial(degree):
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(degree), LinearRegression(tol=1e-14))


def folds(k, seed=0):
    return KFold(k, shuffle=True, random_state=seed)


def test_folds_and_rows_are_scored_without_their_fold():
    errors_by_fold, cv_error = listing("07", "errors_by_fold"), listing("07", "cv_error")
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows, mass, bill = penguins(rng, int(rng.integers(20, 60)))
        degree, k = int(rng.integers(1, 6)), int(rng.integers(2, 12))
        theirs = cross_val_score(polynomial(degree), mass, bill, cv=folds(k), scoring=SQUARED)
        assert np.allclose(errors_by_fold(degree, rows, k), -theirs)
        predicted = cross_val_predict(polynomial(degree), mass, bill, cv=folds(k))
        assert np.isclose(cv_error(degree, rows, k), ((bill - predicted) ** 2).mean())


def test_the_choice_by_folds_and_its_report_are_those_of_a_search():
    """Of equal folds: their means are then the mean of the rows."""
    choose, report = listing("07", "choose_by_folds"), listing("07", "contest_and_report")
    degrees = {"polynomialfeatures__degree": list(range(1, 7))}
    for seed in range(2):
        rows, mass, bill = penguins(np.random.default_rng(seed), 50)
        search = GridSearchCV(polynomial(1), degrees, scoring=SQUARED, cv=folds(10))
        assert choose(rows) == search.fit(mass, bill).best_params_["polynomialfeatures__degree"]
        nested = ((bill - cross_val_predict(search, mass, bill, cv=folds(5, 1))) ** 2).mean()
        assert np.allclose(report(rows, rows)[:2], [-search.best_score_, nested])


def test_a_separating_line():
    separating_line = listing("07", "separating_line")
    unit = "the programme's tolerances are absolute; the package moves and scales the points"

    def ours(X, rng):
        return separating_line(np.asarray(X, float), 2 * classes(rng, len(X)) - 1) is not None

    def theirs(X, rng):
        return separable(np.asarray(X, float), classes(rng, len(X)) > 0)

    agree("a line", ours, theirs, reasons={"scale 1e-12": unit}, size=(None, 3))
