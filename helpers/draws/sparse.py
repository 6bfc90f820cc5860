"""Draws for the derivations of chapter 10: samples, atoms and codes stand in columns, as on its paper.

Beside the draws stand what a derivation is told: atoms left out, the codes and atoms at which a bound is met.
"""

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from helpers.derivation import samples

__all__ = [
    "best_codes",
    "chosen",
    "coded",
    "dictionary",
    "minimum",
    "minimum_at_work",
    "one_atom",
    "pieces",
    "rest",
    "some_matrix",
    "top_triple",
    "two_codes",
]


def _unit(columns):
    return columns / np.linalg.norm(columns, axis=0)


def dictionary(rng, shape):
    """Samples X, more atoms than features B, sparse codes A, an atom j that somebody uses."""
    k = shape.d + 2
    A = rng.normal(size=(k, shape.n)) * (rng.uniform(size=(k, shape.n)) < 0.5)
    j = int(rng.integers(k))
    A[j, :2] = rng.normal(size=2)
    X, B = samples(rng, shape).T, _unit(rng.normal(size=(shape.d, k)))
    sizes = {"n": shape.n, "d": shape.d, "k": k, "j": j + 1}
    return {"X": X, "B": B, "A": A, **sizes, "c": rng.uniform(2, 9), "lam": rng.uniform(0.5, 2)}


def one_atom(rng, shape):
    """A residual and an atom of length 1."""
    return {"r": samples(rng, shape)[0], "b": _unit(rng.normal(size=shape.d))}


def chosen(rng, shape):
    """A sample, and one or two chosen atoms."""
    s = min(2, shape.d)
    return {"x": samples(rng, shape)[0], "B_S": _unit(rng.normal(size=(shape.d, s))), "s": s}


def _lasso(B, x, lam):
    """The L1 code by a solver that knows nothing of sparse coding: codes split into their two signs."""
    k = B.shape[1]
    both = np.hstack([B, -B])

    def value(c):
        left = x - both @ c
        return left @ left + lam * c.sum(), lam - 2 * both.T @ left

    options = {"maxiter": 20_000, "maxfun": 200_000, "ftol": 1e-16, "gtol": 1e-10}
    c = minimize(value, np.zeros(2 * k), jac=True, bounds=[(0, None)] * (2 * k), options=options).x
    return _polished(B, x, lam, c[:k] - c[k:])


def _polished(B, x, lam, code):
    """The same support to the last digit: its equations are linear once the signs are known."""
    on = np.abs(code) > 1e-6
    fine, S = np.zeros_like(code), B[:, on]
    fine[on] = np.linalg.lstsq(S.T @ S, S.T @ x - lam / 2 * np.sign(code[on]))[0]
    return fine


def minimum(rng, shape):
    """A sample, a dictionary, a penalty and the code that is best for them."""
    x, B = samples(rng, shape)[0], _unit(rng.normal(size=(shape.d, shape.d + 2)))
    lam = 2 * np.abs(B.T @ x).max() * rng.uniform(0.2, 1.2)
    return {"x": x, "B": B, "lam": lam, "alpha": _lasso(B, x, lam)}


def minimum_at_work(rng, shape):
    """The same with a penalty at which some atom works."""
    x, B = samples(rng, shape)[0], _unit(rng.normal(size=(shape.d, shape.d + 2)))
    lam = np.abs(B.T @ x).max()
    return {"x": x, "B": B, "lam": lam, "alpha": _lasso(B, x, lam)}


def coded(rng, shape):
    """`dictionary`, and an atom b that may take the place of atom j."""
    return {**dictionary(rng, shape), "b": rng.normal(size=shape.d)}


def some_matrix(rng, shape):
    """Any matrix."""
    return {"M": samples(rng, shape).T}


def rest(rng, shape):
    """What the other atoms leave, an atom of length 1, its codes (some are 0), and its users."""
    E, a = samples(rng, shape).T, rng.normal(size=shape.n)
    a[2:] *= rng.uniform(size=shape.n - 2) < 0.5
    users = a != 0
    used = {
        "omega": 1 + np.flatnonzero(users),
        "E_omega": E[:, users],
        "a_omega": a[users],
        "m": int(users.sum()),
    }
    return {"E": E, "b": _unit(rng.normal(size=shape.d)), "a": a, "n": shape.n, "d": shape.d, **used}


def best_codes(rng, shape):
    """The same with the best codes for the atom."""
    drawn = rest(rng, shape)
    return drawn | {"a": drawn["E"].T @ drawn["b"]}


def top_triple(rng, shape):
    """The same with the first left singular vector for an atom."""
    drawn = rest(rng, shape)
    return drawn | {"b": np.linalg.svd(drawn["E"])[0][:, 0]}


def pieces(rng):
    """Pieces of length 3 of a row of 6 pixels, the matrices that cut them out, and some picture z."""
    cuts, p = np.array([np.eye(6)[i : i + 3] for i in range(4)]), rng.normal(size=(4, 3))
    counts = cuts.sum(axis=(0, 1))
    means = np.einsum("ijl,ij->l", cuts, p) / counts
    return {"R": cuts, "p": p, "z": rng.normal(size=6), "counts": counts, "means": means}


def two_codes(rng, shape):
    """Two codes of one sample, the difference of which is a sparse vector of the null space of B."""
    d, k = shape.d, shape.d + 2
    B = _unit(rng.normal(size=(d, k)))
    on = rng.permutation(k)[: d + 1]
    null = np.zeros(k)
    null[on] = np.linalg.svd(B[:, on])[2][-1]
    alpha = rng.normal(size=k) * (rng.uniform(size=k) < 0.4)
    shared = rng.uniform(size=k) < 0.5
    alpha = np.where(shared, -null, alpha)
    return {"B": B, "alpha": alpha, "alpha_prime": alpha + null, "k": k, "d": d, "p": spark(B)}


def spark(B):
    """The fewest columns of B that are linearly dependent, by trying; inf where none are."""
    d, k = B.shape
    for size in range(1, min(d + 1, k) + 1):
        if any(np.linalg.matrix_rank(B[:, list(c)], tol=1e-9) < size for c in combinations(range(k), size)):
            return size
    return np.inf
