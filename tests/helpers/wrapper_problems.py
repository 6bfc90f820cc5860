"""Problems and learners for the tests of the wrappers."""

import numpy as np
from sklearn.base import is_classifier
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

import helpers.neighbors

OLS, LDA, KNN = LinearRegression(), LinearDiscriminantAnalysis(), KNeighborsClassifier(3)
TREE, MSE = DecisionTreeRegressor(random_state=0), "neg_mean_squared_error"
STEPS = [
    dict(),
    dict(step=2),
    dict(step=0.3),
    dict(n_features_to_select=1),
    dict(n_features_to_select=0.4, step=3),
    dict(n_features_to_select=6),
]


def named(case):
    return str(case) if isinstance(case, (int, dict)) else type(case).__name__


def problem(seed, kind="plain", n=42, d=6):
    """Rows, classes and numbers; some kinds are made so that rounding could decide."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if kind == "integers":
        X = np.rint(2 * X)
    if kind == "copies":
        X[:, d - 1], X[:, 2] = X[:, 0], X[:, 0] + X[:, 1]
    if kind == "constant":
        X[:, 3], X[: n // 2, 4] = 1.0, 0.0
    signal = X @ rng.normal(size=d) + rng.normal(size=n)
    y = np.digitize(signal, np.quantile(signal, [0.4, 0.7]))
    if kind == "far":
        X = X * 10.0 ** rng.integers(-2, 3, size=d) + 1e4
    return X, np.array(["u", "v", "w"])[y], X[:, 0] - X[:, 1] if kind == "exact" else signal


KINDS = ["plain", "integers", "copies", "far", "exact", "constant"]
LEARNERS = {
    "least squares": OLS,
    "through the origin": LinearRegression(fit_intercept=False),
    "knn": KNN,
    "knn city block": KNeighborsClassifier(4, p=1),
    "our knn": helpers.neighbors.KNeighborsClassifier(3),
    "lda": LDA,
    "lda lsqr": LinearDiscriminantAnalysis("lsqr"),
}


def target(model, labels, numbers):
    return labels if is_classifier(model) else numbers


def score(model, X, y, subset, **options):
    return cross_val_score(model, X[:, list(subset)], y, **options).mean()
