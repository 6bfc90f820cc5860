"""Draws for the derivations of chapter 1: two samples, beliefs about classes, balls that cover a cube."""

from math import gamma, pi

import numpy as np

__all__ = [
    "beliefs",
    "certain",
    "cover",
    "cover_of_the_line",
    "dimension",
    "even_rest",
    "pair",
]


def pair(rng, shape):
    """A sample x and a query q, both (d,)."""
    x, q = rng.normal(size=(2, shape.d)) + shape.mean
    return {"x": x, "q": q, "d": shape.d}


class Posterior:
    """P(c | at) = softmax(A at + b) at class c = 1, 2 …; equal to another of the same A and b."""

    def __init__(self, A, b):
        self.A, self.b = A, b

    def shares(self, at):
        """Of all classes, shape (C,)."""
        scores = self.A @ at + self.b
        likely = np.exp(scores - scores.max())
        return likely / likely.sum()

    def __call__(self, c, at):
        return self.shares(np.asarray(at, float))[int(c) - 1]

    def __eq__(self, other):
        return np.array_equal(self.A, other.A) and np.array_equal(self.b, other.b)


def _told(rng, A, b):
    """Three places x, z, v and what is believed at x and z; `best` counts from 1."""
    P, (x, z, v) = Posterior(A, b), rng.normal(size=(3, A.shape[1]))
    px, pz = P.shares(x), P.shares(z)
    places = {"x": x, "z": z, "v": v, "m": 10.0, "d": len(x)}
    return places | {"P": P, "px": px, "pz": pz, "best": int(px.argmax()) + 1, "C": len(px)}


def beliefs(rng):
    """Two to ten classes whose probabilities change smoothly with the place; three places x, z, v."""
    d, C = int(rng.integers(1, 4)), int(rng.choice([2, 3, 5, 10]))
    return _told(rng, 2 * rng.normal(size=(C, d)), rng.normal(size=C))


def certain(rng):
    """One class is sure, everywhere."""
    C = int(rng.integers(2, 5))
    sure = np.full(C, -np.inf)
    sure[rng.integers(C)] = 0
    return _told(rng, np.zeros((C, 2)), sure)


def even_rest(rng):
    """Everywhere the most probable class has the same share, and the others have equal shares of the rest."""
    C = int(rng.choice([2, 3, 5, 10]))
    best = rng.uniform(1 / C, 1)
    shares = rng.permutation(np.r_[best, np.full(C - 1, (1 - best) / (C - 1))])
    return _told(rng, np.zeros((C, 2)), np.log(shares))


def dimension(rng):
    """A dimension from 1 to 20, pi and the gamma function."""
    return {"d": int(rng.integers(1, 21)), "pi": pi, "gamma": gamma}


def _covered(d, N, delta):
    return {"d": d, "N": float(N), "delta": delta, "pi": pi, "gamma": gamma}


def cover(rng):
    """A cover that exists: cells of a grid in up to 20 dimensions, or centres without order in up to 3."""
    if rng.integers(2):
        d, cells = int(rng.integers(1, 21)), int(rng.integers(1, 50))
        return _covered(d, float(cells) ** d, np.sqrt(d) / (2 * cells))
    d, N = int(rng.integers(1, 4)), int(rng.integers(1, 40))
    side = {1: 400, 2: 60, 3: 20}[d]
    ticks = (np.arange(side) + 0.5) / side
    places = np.stack(np.meshgrid(*[ticks] * d), axis=-1).reshape(-1, d)
    centres = rng.uniform(size=(N, d))
    farthest = np.sqrt(((places[:, None] - centres) ** 2).sum(axis=2).min(axis=1).max())
    return _covered(d, N, farthest + np.sqrt(d) / (2 * side))  # no point of a cell is farther from its middle


def cover_of_the_line(rng):
    """Intervals side by side: the only balls that fill without overlap."""
    cells = int(rng.integers(1, 50))
    return _covered(1, cells, 1 / (2 * cells))
