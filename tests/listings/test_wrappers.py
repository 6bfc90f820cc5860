"""Chapter 9's listings against scikit-learn and the methods of the course, on nasty tables."""

import numpy as np
import pytest
from sklearn.feature_selection import RFE, SequentialFeatureSelector
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, cross_val_score

from helpers.methods.proximal_gradient import kkt_residual, proximal_gradient
from helpers.methods.subset_search import las_vegas
from tests.listings import agree, listing

MSE = "neg_mean_squared_error"


def problem(X, rng):
    """The table as an array, and answers of variance 1 that depend on it."""
    X = np.asarray(X, float)
    y = X @ (rng.normal(size=X.shape[1]) / np.maximum(np.abs(X).max(axis=0), 1e-300))
    y = y + rng.normal(size=len(y))
    return X, y


def pair(ours, theirs):
    """Both of them on the same table and answers."""
    return (lambda X, rng, f=f: f(*problem(X, rng)) for f in (ours, theirs))


def test_ridge():
    by_svd = listing("09", "ridge_by_svd")
    model = Ridge(alpha=0.7, fit_intercept=False, solver="svd")
    agree(
        "ridge",
        *pair(
            lambda X, y: X @ by_svd(X, y, 0.7),
            lambda X, y: model.fit(X, y).predict(X),
        ),
    )


TOL = "scikit-learn's LinearRegression drops singular values below 1e-6 of the largest"
OFFSET = "the listing does not centre: such a column is nearly the column of ones"
EQUAL = "subsets that explain the same have errors that differ by rounding"
REASONS = {"rank-deficient": EQUAL, "all rows equal": EQUAL, "mixed units": TOL, "offset 1e8": OFFSET}


def test_errors_held_out():
    error_of = listing("09", "error_of")
    agree(
        "held out",
        *pair(
            error_of,
            lambda X, y: -cross_val_score(LinearRegression(), X, y, cv=KFold(5), scoring=MSE).mean(),
        ),
        size=(12, 3),
        draws=60,
        reasons={"mixed units": TOL, "one column 1e8": TOL, "offset 1e8": OFFSET},
    )


def test_forward_search():
    """Down to two features: the price of a feature keeps the listing from stopping before."""
    search, error_of = listing("09", "forward"), listing("09", "error_of")

    def ours(X, y):
        steps = search(lambda A: error_of(X[:, A], y) - 100 * len(A), 4)
        return np.sort(next(A for A, _ in steps if len(A) == 2))

    def theirs(X, y):
        how = dict(n_features_to_select=2, scoring=MSE, cv=KFold(5))
        return SequentialFeatureSelector(LinearRegression(), **how).fit(X, y).get_support(indices=True)

    agree("forward", *pair(ours, theirs), size=(20, 4), draws=54, reasons=REASONS | {"one column 1e8": TOL})


def test_las_vegas():
    lvw, error_of = listing("09", "lvw"), listing("09", "error_of")

    def by(search):
        return lambda X, rng: np.array(
            search(lambda A: error_of(np.asarray(X, float)[:, A], np.arange(len(X))), X.shape[1], 9, rng)[1]
        )

    agree("lvw", by(lvw), by(las_vegas), draws=36, size=(12, 4))


def test_elimination():
    rfe = listing("09", "rfe")

    def theirs(X, y):
        return RFE(LinearRegression(), n_features_to_select=2).fit(X, y).get_support(indices=True)

    agree("rfe", *pair(lambda X, y: np.array(rfe(X, y, 2)), theirs), size=(15, 4), draws=60)


def test_proximal_steps():
    ista, fista = listing("09", "ista"), listing("09", "fista")

    for faster, steps in ((False, ista), (True, fista)):

        def ours(X, y, steps=steps):
            return steps(X, y, 0.5, 30, 2 * np.linalg.norm(X, 2) ** 2)[-1]

        def theirs(X, y, faster=faster):
            return proximal_gradient(X, y, 0.5, accelerate=faster, n_iter=30)[0]

        agree(f"accelerate {faster}", *pair(ours, theirs))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_coordinate_descent():
    descend = listing("09", "coordinate_descent")
    model = Lasso(alpha=0.05, fit_intercept=False, tol=1e-14, max_iter=50_000)

    def ours(X, y):
        return X @ descend(X, y, 0.1 * len(y), 1000)[-1]

    agree("descent", *pair(ours, lambda X, y: model.fit(X, y).predict(X)), size=(15, 3), draws=48)


def test_what_descends_meets_the_contract():
    descend = listing("09", "coordinate_descent")
    rng = np.random.default_rng(0)
    for _ in range(20):
        X, y = problem(rng.normal(size=(15, 4)), rng)
        assert kkt_residual(X, y, descend(X, y, 3.0, 500)[-1], 3.0) < 1e-9


SLOW = "5,000 plain steps are too few where columns are large or differ in size"


def test_l1_logistic():
    by_steps = listing("09", "l1_logistic")
    how = dict(solver="liblinear", intercept_scaling=1000, tol=1e-9, max_iter=10**5, random_state=0)

    def scores(w, b, X):
        return X @ w + b

    def ours(X, y):
        w = by_steps(X, y > np.median(y), 5.0, 5000)
        return scores(w[:-1], w[-1], X)

    def theirs(X, y):
        model = LogisticRegression(C=5.0, l1_ratio=1, **how).fit(X, y > np.median(y))
        return scores(model.coef_[0], model.intercept_, X)

    reasons = dict.fromkeys(("offset 1e8", "scale 1e12", "mixed units", "one column 1e8"), SLOW)
    agree("logistic", *pair(ours, theirs), size=(20, 2), draws=54, tol=2e-3, reasons=reasons)
