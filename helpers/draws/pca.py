"""Draws for chapter 2: centred clouds and orthonormal frames."""

from helpers.derivation import centred, orthonormal, samples

__all__ = ["frame", "one_row", "rows_and_frame"]


def frame(rng):
    """W: (d, k) with orthonormal columns, of 1 to 7 dimensions; and both numbers."""
    d = int(rng.integers(1, 8))
    k = int(rng.integers(1, d + 1))
    return {"W": orthonormal(rng, d, k), "d": d, "k": k}


def rows_and_frame(rng, shape):
    """X: (n, d), centred samples in rows; W: (d, k), orthonormal columns."""
    k = int(rng.integers(1, shape.d + 1))
    return {"X": centred(samples(rng, shape)), "W": orthonormal(rng, shape.d, k)}


def one_row(rng, shape):
    """x: (d,), a sample that is centred on nothing; w: (d,), an axis of length 1."""
    return {"x": samples(rng, shape)[0], "w": orthonormal(rng, shape.d, 1)[:, 0]}
