"""Draws for the derivations of chapter 12: counts, shares, odds, costs, pairs of positives, one class."""

import numpy as np
from sklearn.svm import OneClassSVM

# ---- what the derivations draw at random


def counts(rng):
    """How many rows of each class are called positive and negative: four different numbers."""
    TP, FN, FP, TN = (rng.permutation(400)[:4] + 1).tolist()
    return {"TP": TP, "FN": FN, "FP": FP, "TN": TN}


def labels(rng):
    """Yes (1) or no (0) for some positives and some negatives, in all pairs of one with one."""
    yes, no = (rng.random(int(rng.integers(2, 12))) < rng.random() for _ in range(2))
    s_plus, s_minus = (grid.ravel().astype(float) for grid in np.meshgrid(yes, no))
    return {"s_plus": s_plus, "s_minus": s_minus, "t": yes.mean(), "f": no.mean()}


def areas_under_one_corner(t, f):
    """The area below the way (0, 0), (f, t), (1, 1): a triangle, a rectangle, a triangle."""
    return f * t / 2 + (1 - f) * t + (1 - f) * (1 - t) / 2


def probability(rng):
    """A probability, and how many rows each class has."""
    drawn = counts(rng)
    return drawn | {"p": rng.uniform(0.02, 0.98)}


def two_worlds(rng):
    """Densities of both classes at a row, and a share of positives in each of two worlds."""
    pos, neg = rng.uniform(0.1, 2, size=2)
    share, other = rng.uniform(0.05, 0.95, size=2)
    return {"pos": pos, "neg": neg, "pi": share, "pi_prime": other}


def by_bayes(pos, neg, pi_prime):
    """The odds of a row in the other world: how much of what lies there is positive."""
    yes, no = pi_prime * pos, (1 - pi_prime) * neg
    p = yes / (yes + no)
    return p / (1 - p)


def costs(rng):
    """A probability, and what a false alarm and a miss cost."""
    return {"p": rng.random(), "alarm": rng.uniform(0.1, 10), "miss": rng.uniform(0.1, 10)}


def pair(rng, shape):
    """Two rows, and how far along the way between them."""
    x, x_hat = rng.normal(size=(2, shape.d)) + shape.mean
    return {"x": x, "x_hat": x_hat, "delta": rng.random()}


def better_cut(rng):
    """Counts, and some more rows that may be called positive: how many, and how probable they are."""
    drawn = counts(rng)
    return drawn | {"B": int(rng.integers(1, drawn["FN"] + drawn["TN"] + 1)), "p": rng.uniform(0.02, 0.98)}


def _fitted(X, K, nu, **options):
    """What scikit-learn makes of a table whose kernel matrix is K, rows on the border counted as inside."""
    model = OneClassSVM(nu=nu, tol=1e-9, **options).fit(X)
    alpha = np.zeros(len(X))
    alpha[model.support_] = model.dual_coef_[0].round(9)
    s = K @ alpha
    return {"K": K, "n": len(X), "nu": nu, "alpha": alpha, "s": s, "rho": s[alpha < 1].min()}


def one_class(rng, shape):
    """A table, a limit, and what a one-class SVM makes of them: weights, scores, the level of its border."""
    X = rng.normal(size=(4 * shape.n, shape.d)) + shape.mean
    bumps = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    return _fitted(X, bumps, float(rng.uniform(0.1, 0.9)), kernel="rbf", gamma=0.5)


def all_on_the_limit(rng, shape):
    """One positive feature and a linear kernel: the k smallest rows carry all the weight, and are outside."""
    n = 4 * shape.n
    k = int(rng.integers(1, n))
    X = np.sort(rng.uniform(1, 5, size=n))[:, None]
    return _fitted(X, X @ X.T, k / n, kernel="linear")


def outside(K, alpha, rho):
    """The share of rows whose sum of bumps is below the level."""
    return np.mean(K @ alpha < rho)
