"""Draws for the derivations of chapter 11: class sizes, code books, words that errors have changed."""

from itertools import combinations

import numpy as np
from scipy.special import logsumexp

from helpers.derivation import samples
from helpers.methods.ecoc import code_distance, exhaustive_code, pairs_code


def counts(rng):
    """Class sizes, what they add up to, and how many there are."""
    many = rng.integers(1, 50, size=rng.integers(2, 9))
    return {"counts": many, "n": many.sum(), "K": len(many)}


def sizes(rng):
    """Classes, rows, and the power of the rows with which time grows."""
    return {"K": rng.integers(2, 40), "n": rng.uniform(50, 5000), "q": rng.uniform(0.5, 3)}


def rest(rng):
    """The code of one-vs-rest, and any scores."""
    K = int(rng.integers(2, 9))
    return {"C": 2 * np.eye(K) - 1, "f": rng.normal(size=K), "K": K, "M": K}


def pairs(rng):
    """The code of one-vs-one, verdicts of all pairs, and the votes, counted one by one."""
    K = int(rng.integers(2, 9))
    C = pairs_code(K)
    said, votes = rng.choice([-1, 1], size=C.shape[1]), np.zeros(K)
    for (i, j), verdict in zip(combinations(range(K), 2), said, strict=True):
        votes[i if verdict > 0 else j] += 1
    return {"C": C, "o": said, "votes": votes, "K": K, "M": C.shape[1]}


def heard(rng):
    """Words of a code, and what is heard after at most (d_min - 1) / 2 errors."""
    code = np.zeros((4, 12))
    while code_distance(code) < 3:
        code = rng.choice([-1, 1], size=(4, 12))
    e = int(rng.integers(0, (code_distance(code) - 1) // 2 + 1))
    o = code[0].copy()
    o[rng.permutation(12)[:e]] *= -1
    return {"c": code[0], "c_prime": code[rng.integers(1, 4)], "o": o, "e": e, "d_min": code_distance(code)}


def heard_at_worst(rng):
    """The other word is as near as it may be, and all errors lie towards it."""
    d_min = int(rng.choice([3, 5]))
    e, c = (d_min - 1) // 2, rng.choice([-1, 1], size=9)
    other, o = c.copy(), c.copy()
    other[:d_min] *= -1
    o[:e] *= -1
    return {"c": c, "c_prime": other, "o": o, "e": e, "d_min": d_min}


def _always_right(code, e):
    """Whether every word, with any e of its places changed, is still nearest to itself alone."""
    for word in code:
        for places in combinations(range(code.shape[1]), e):
            o = word.copy()
            o[list(places)] *= -1
            if np.sum((code != o).sum(axis=1) <= e) > 1:
                return False
    return True


def small_code(rng):
    """A small code, and how many errors it always survives, by trying all of them."""
    d_min = int(rng.integers(1, 6))
    code = np.ones((3, 3 * d_min // 2 + 2))
    while code_distance(code) != d_min:
        code = rng.choice([-1, 1], size=code.shape)
    survived = 0
    while _always_right(code, survived + 1):
        survived += 1
    return {"code": code, "d_min": d_min, "survived": survived}


def splits(rng):
    """The exhaustive code of some classes, and two of these (counted from 1)."""
    K = int(rng.integers(2, 9))
    k, l = rng.permutation(K)[:2] + 1  # noqa: E741
    return {"C": 2 * exhaustive_code(K) - 1, "K": K, "M": 2 ** (K - 1) - 1, "k": int(k), "l": int(l)}


def line_of_targets(rng, shape):
    """Targets of three classes; how least squares with a small ridge makes a new row's score of them."""
    X, K = samples(rng, shape), 3
    A = np.column_stack([X, np.ones(shape.n)])
    ridge = np.diag([0.1] * shape.d + [0.0])
    y = rng.integers(K, size=shape.n)
    x = np.append(rng.normal(size=shape.d), 1)
    group = np.flatnonzero(rng.permutation([True, True, False]))
    return {
        "T": np.where(y[:, None] == np.arange(K), 1.0, -1.0),
        "t": np.where(np.isin(y, group), 1.0, -1.0),
        "h": A @ np.linalg.solve(A.T @ A + ridge, x),
        "n": shape.n,
        "K": K,
        "G": [int(c) + 1 for c in group],
    }


def confused(rng):
    """A confusion matrix, with the size of each class."""
    T = rng.integers(0, 20, size=(K := int(rng.integers(2, 7)), K)) + np.eye(K, dtype=int)
    return {"T": T, "counts": T.sum(axis=1), "n": T.sum(), "K": K}


def scores(rng):
    """Scores of some classes, and the true one."""
    K = int(rng.integers(2, 7))
    f = 2 * rng.normal(size=K)
    return {"f": f, "p": np.exp(f - logsumexp(f)), "K": K, "y": int(rng.integers(K)) + 1}


def slope_of_loss(f, y):
    """Gradient of -ln p_y, by difference quotients of two steps."""

    def loss(f):
        return logsumexp(f) - f[y - 1]

    def quotients(h):
        return np.array([(loss(f + h * e) - loss(f - h * e)) / (2 * h) for e in np.eye(len(f))])

    return (4 * quotients(1e-3) - quotients(2e-3)) / 3


def coupled(rng):
    """Probabilities of classes, and what they leave to each duel."""
    K = int(rng.integers(2, 7))
    p = rng.dirichlet(np.ones(K))
    return {"p": p, "R": p[:, None] / (p[:, None] + p), "K": K, "i": int(rng.integers(K)) + 1}
