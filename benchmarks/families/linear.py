"""Linear models: ridge, Lasso, logistic regression; chapters 6, 7, 9 and 11."""

import numpy as np
from sklearn import linear_model as sk
from sklearn.datasets import make_regression
from sklearn.multiclass import OneVsRestClassifier as TheirOneVsRest

from benchmarks.families.data import digits
from benchmarks.workload import Case, equal_within, relative, workload
from helpers.decomposition import lasso_codes
from helpers.linear_model import Lasso, LogisticRegression, Ridge, RidgeCV
from helpers.multiclass import OneVsRestClassifier


def several(y, targets):
    """So many targets: y, and y with its entries moved on."""
    return y if targets == 1 else np.stack([np.roll(y, i) for i in range(targets)], axis=1)


@workload(
    "{n} × {d}, targets: {targets}",
    small=dict(n=442, d=10),
    typical=dict(n=100, d=1000, targets=5),
    grow={"n": 5000, "d": 63},
)
def ridge(n=40000, d=500, targets=1):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = several(X @ rng.normal(size=d) + rng.normal(size=n), targets)
    return Case(
        lambda: Ridge(1.0).fit(X, y).coef_,
        {"scikit-learn": lambda: sk.Ridge(1.0).fit(X, y).coef_},
        equal_within(1e-10),
    )


@workload(
    "{n} × {d}, {alphas} alphas, exact leave-one-out",
    small=dict(n=100, d=10, alphas=10),
    typical=dict(n=100, d=500, alphas=30),
    grow={"n": 375, "d": 38, "alphas": 13},
)
def ridge_path(n=3000, d=300, alphas=100):
    rng = np.random.default_rng(0)
    X, grid = rng.normal(size=(n, d)), np.logspace(-3, 5, alphas)
    y = X @ rng.normal(size=d) + 5 * rng.normal(size=n)

    def errors(make):
        return make(grid, store_cv_results=True).fit(X, y).cv_results_.mean(axis=0)

    return Case(lambda: errors(RidgeCV), {"scikit-learn": lambda: errors(sk.RidgeCV)}, equal_within(1e-9))


@workload(
    "{n} × {d}, largest alpha / 20, tol 1e-4",
    small=dict(n=50, d=500),
    typical=dict(n=200, d=1000),
    grow={"n": 250, "d": 2500},
)
def lasso(n=2000, d=20000):
    rng = np.random.default_rng(0)
    X, w = np.asfortranarray(rng.normal(size=(n, d))), np.zeros(d)
    w[: min(150, n // 10)] = rng.normal(size=min(150, n // 10))
    y = X @ w + 0.5 * rng.normal(size=n)
    alpha = np.abs(X.T @ y).max() / n / 20

    def weights(make):
        return make(alpha, fit_intercept=False, tol=1e-4).fit(X, y).coef_

    def celer():
        import celer

        return weights(celer.Lasso)

    def skglm():
        import skglm

        return weights(skglm.Lasso)

    def objective(w):
        return ((y - X @ w) ** 2).sum() / (2 * n) + alpha * np.abs(w).sum()

    def agree(ours, peer, theirs):  # all stop at a duality gap of 1e-4 |y|²
        return [
            ("objective above the peer's", max(0.0, objective(ours) / objective(theirs) - 1), 1e-3),
            ("weights", relative(ours, theirs), 1e-2),
        ]

    return Case(
        lambda: weights(Lasso),
        {"scikit-learn": lambda: weights(sk.Lasso), "celer": celer, "skglm": skglm},
        agree,
    )


@workload(
    "{n} × {d}, targets: {targets}, largest alpha / 50, tol 1e-8",
    small=dict(n=442, d=10),
    typical=dict(n=2000, d=50, targets=3),
    grow={"n": 6250, "d": 50},
)
def lasso_tall(n=50000, d=400, targets=1):
    X, y = make_regression(n, d, n_informative=d // 10, noise=10, random_state=0)
    X, y = X - X.mean(axis=0), several(y - y.mean(), targets)
    alpha = np.abs(X.T @ y).max() / n / 50

    def weights(make, **options):
        return make(alpha, fit_intercept=False, tol=1e-8, **options).fit(X, y).coef_

    return Case(
        lambda: weights(Lasso),
        {
            "scikit-learn": lambda: weights(sk.Lasso),
            "scikit-learn (precompute)": lambda: weights(sk.Lasso, precompute=True),
        },
        equal_within(1e-3),
    )


@workload(
    "signals: {signals}, of length {n}, a thirtieth nonzero, a third as many measurements, λ = {lam:g}",
    small=dict(n=60, signals=5),
    typical=dict(n=300, signals=20),
    grow={"n": 150, "signals": 13},
)
def compressed(n=600, signals=100, lam=1e-2):
    rng, m = np.random.default_rng(0), n // 3
    A, S = rng.normal(size=(m, n)) / np.sqrt(m), np.zeros((signals, n))
    for row in S:
        places = rng.choice(n, n // 30, replace=False)
        row[places] = rng.normal(size=n // 30)
    Y = S @ A.T

    def theirs():
        return sk.Lasso(lam / m, fit_intercept=False, tol=1e-8, max_iter=100000).fit(A, Y.T).coef_

    return Case(
        lambda: lasso_codes(Y, A.T, lam, max_iter=100000), {"scikit-learn": theirs}, equal_within(1e-3)
    )


@workload(
    "digits, {n} × {d} (noise from 65 on), 10 regressions",
    small=dict(n=200, d=16),
    typical=dict(n=100, d=1000),
    grow={"n": 225, "d": 16},
)
def ovr_logistic(n=1797, d=64):
    X, y = digits()
    noise = np.random.default_rng(0).integers(0, 17, size=(len(X), max(0, d - 64)))
    X, y = np.hstack([noise, X])[:n, -d:] / 16, y[:n]

    def decision(reduction, model):
        return reduction(model).fit(X, y).decision_function(X)

    def theirs(**options):
        return decision(TheirOneVsRest, sk.LogisticRegression(tol=1e-6, **options))

    return Case(
        lambda: decision(OneVsRestClassifier, LogisticRegression(tol=1e-6)),
        {
            "scikit-learn": lambda: theirs(max_iter=1000),
            "scikit-learn (newton-cholesky)": lambda: theirs(solver="newton-cholesky"),
        },
        equal_within(1e-3),
    )
