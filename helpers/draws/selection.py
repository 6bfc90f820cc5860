"""Draws for the derivations of chapter 7: fits, rows left out, small worlds, labellings, margins."""

from itertools import combinations, product
from math import e

import numpy as np
from scipy.stats import binom, multinomial

from helpers.model_selection import hoeffding_gap, vc_gap

__all__ = [
    "cloned",
    "close_errors",
    "family",
    "few_ones",
    "fits",
    "guesser",
    "margins",
    "orthogonal",
    "radon",
    "regression",
    "small_world",
    "throws",
    "vc_sizes",
    "worst_case",
]


def fits(rng):
    """A truth f at one place; every pair of a new label and a fit: noise of mean 0, which no fit knows."""
    noise = rng.normal(size=5)
    noise -= noise.mean()
    f, guesses = 3 * rng.normal(), rng.normal(size=4) + 3 * rng.normal()
    y, f_hat = np.array(list(product(f + noise, guesses))).T
    return {"f": f, "y": y, "f_hat": f_hat, "sigma": noise.std(), "noise": noise, "guesses": guesses}


def regression(rng):
    """More rows than columns, a column of ones, and the weights when each row in turn is left out."""
    n, d = int(rng.integers(6, 12)), int(rng.integers(1, 4))
    X = np.column_stack([np.ones(n), rng.normal(size=(n, d)) + 2])
    y = rng.normal(size=n) + 3
    without = [np.linalg.lstsq(np.delete(X, i, 0), np.delete(y, i), rcond=None)[0] for i in range(n)]
    return {"X": X, "y": y, "n": n, "d": d + 1, "without": np.array(without)}


def throws(rng):
    """Every count of errors in n throws, how likely it is, and the s that makes the bound best."""
    n, true, gamma = int(rng.integers(3, 40)), rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.4)
    counts = np.arange(n + 1)
    drawn = {"n": n, "true": true, "gamma": gamma, "s": 4 * gamma, "e": e}
    return drawn | {"shares": counts / n, "chance": binom.pmf(counts, n, true)}


def small_world(rng):
    """A world of 4 possible samples, k hypotheses right or wrong on each, and every sample of size n."""
    n, k, delta = int(rng.integers(5, 10)), int(rng.integers(1, 5)), rng.uniform(0.1, 0.9)
    p, wrong = rng.dirichlet(np.ones(4)), rng.integers(0, 2, size=(k, 4))
    counts = np.array([c for c in product(range(n + 1), repeat=4) if sum(c) == n])
    return {
        "n": n,
        "k": k,
        "e": e,
        "delta": delta,
        "gamma": hoeffding_gap(n, k, delta),
        "chance": multinomial.pmf(counts, n, p),
        "training": counts / n @ wrong.T,
        "true": wrong @ p,
    }


def _chosen(drawn):
    best = {"best": int(drawn["training"].argmin()) + 1, "star": int(drawn["true"].argmin()) + 1}
    return drawn | best | {"k": len(drawn["true"])}


def close_errors(rng):
    """True errors, and training errors that differ from them by at most gamma; the best of each."""
    true, gamma = rng.uniform(0.1, 0.5, size=6), rng.uniform(0.01, 0.1)
    return _chosen({"true": true, "training": true + rng.uniform(-gamma, gamma, size=6), "gamma": gamma})


def worst_case(rng):
    """The worse of two looks better by gamma, the best one worse by gamma: all of it is lost."""
    gamma, best = rng.uniform(0.01, 0.1), rng.uniform(0.1, 0.3)
    shown = np.array([best + gamma - 1e-12, best + gamma])
    return _chosen({"true": np.array([best + 2 * gamma, best]), "training": shown, "gamma": gamma})


def _dimension(rows):
    """The size of the largest set of columns on which all patterns occur among the rows."""
    n = rows.shape[1]
    shattered = [
        size
        for size in range(n + 1)
        for columns in combinations(range(n), size)
        if len(np.unique(rows[:, columns], axis=0)) == 2**size
    ]
    return max(shattered)


def _split(rows):
    """What the induction counts: labellings of all points, of all but the last, and which go on both ways."""
    shorter, times = np.unique(rows[:, :-1], axis=0, return_counts=True)
    sizes = {"m": len(rows), "a": len(shorter), "b": int((times == 2).sum())}
    return {"rows": rows, "n": rows.shape[1], "D": _dimension(rows)} | sizes


def family(rng):
    """A class on n points, of dimension at least 1: some of the labellings, drawn at random."""
    everything = np.array(list(product((0, 1), repeat=int(rng.integers(3, 6)))))
    while True:
        drawn = _split(everything[rng.random(len(everything)) < rng.uniform(0.15, 0.9)])
        if drawn["D"]:
            return drawn


def few_ones(rng):
    """All labellings with at most D ones: as many as the lemma allows."""
    everything = np.array(list(product((0, 1), repeat=int(rng.integers(3, 6)))))
    return _split(everything[everything.sum(axis=1) <= rng.integers(1, 3)])


def vc_sizes(rng):
    """A dimension, a number of samples that is larger, a probability, and the gap that they allow."""
    D = int(rng.integers(1, 12))
    n, delta = D * int(rng.integers(1, 45)), rng.uniform(0.001, 0.5)
    return {"D": D, "n": n, "delta": delta, "g": vc_gap(n, D, delta), "e": e}


def guesser(rng):
    """All labels and samples of D points; a learner that remembers, and guesses in a fixed way elsewhere."""
    D, n = int(rng.integers(2, 5)), int(rng.integers(1, 5))
    guess = rng.integers(0, 2, size=D)
    worlds = list(product(product((0, 1), repeat=D), product(range(D), repeat=n)))
    met = np.array([np.isin(np.arange(D), sample) for _, sample in worlds])
    errors = [(np.where(seen, y, guess) != y).mean() for (y, _), seen in zip(worlds, met, strict=True)]
    return {"D": D, "n": n, "errors": np.array(errors), "unmet": 1 - met.mean(axis=1)}


def radon(rng, shape):
    """d + 2 points with any hyperplane, and weights with sum 0 that balance the points."""
    P = rng.normal(size=(shape.d + 2, shape.d)) + shape.mean
    a = np.linalg.svd(np.column_stack([P, np.ones(len(P))]).T)[2][-1]
    return {"P": P, "a": a, "w": rng.normal(size=shape.d), "b": rng.normal(), "d": shape.d}


def cloned(rng, shape):
    """The same with weights that balance nothing."""
    return radon(rng, shape) | {"a": rng.normal(size=shape.d + 2)}


def _with_margins(P, R):
    Y = np.array(list(product((-1.0, 1.0), repeat=len(P))))
    W = Y @ np.linalg.pinv(P).T  # w·p_i = y_i exactly …
    W = W / np.linalg.norm(W, axis=1, keepdims=True)  # … and of length 1
    return {"P": P, "Y": Y, "W": W, "gamma": (Y * (W @ P.T)).min(), "R": R, "r": len(P), "d": P.shape[1]}


def margins(rng):
    """Four independent points of a ball; for each labelling a unit vector, and the margin that all keep."""
    P = rng.normal(size=(4, int(rng.integers(4, 7))))
    return _with_margins(P / np.linalg.norm(P, axis=1).max() * 1.5, 1.5)


def orthogonal(rng):
    """Points at right angles on the sphere: the bound is met."""
    return _with_margins(1.5 * np.linalg.qr(rng.normal(size=(6, 4)))[0].T, 1.5)
