"""Draws for the derivations of chapter 4: samples are the rows, means are not 0, spreads are unlike."""

import numpy as np
from scipy.spatial.distance import cdist

from helpers.derivation import centred, orthonormal, samples

__all__ = [
    "best_map",
    "best_weights",
    "cloud",
    "eigenpair",
    "moved",
    "neighbours",
    "new_place",
    "new_sample",
    "points",
    "similar",
    "weights",
]


def _eigen(A):
    """Eigenvalues, largest first, and eigenvectors in the columns."""
    lam, V = np.linalg.eigh(A)
    return lam[::-1], V[:, ::-1]


def cloud(rng, shape):
    """Samples, their squared lengths and squared distances."""
    X = samples(rng, shape)
    return {"X": X, "n": shape.n, "d": shape.d, "r": (X**2).sum(axis=1), "D2": cdist(X, X) ** 2}


def points(rng, shape):
    """Samples, and the points VΛ^(1/2) that their inner products give."""
    X = samples(rng, shape)
    lam, V = _eigen(centred(X) @ centred(X).T)
    return {"X": X, "n": shape.n, "lam": lam, "V": V, "Z": V * np.sqrt(np.maximum(lam, 0))}


def neighbours(rng):
    """A sample of 6 features, four neighbours in general position, weights that sum to 1."""
    w, x, near = rng.normal(size=4), rng.normal(size=6) + 5, rng.normal(size=(4, 6)) + 5
    return {"x": x, "near": near, "w": w + (1 - w.sum()) / 4, "C": (x - near) @ (x - near).T}


def best_weights(rng):
    """The same, with the weights that rebuild it best: the solution of the constrained least squares."""
    drawn = neighbours(rng)
    first, *others = drawn["near"]
    free = np.linalg.lstsq((others - first).T, drawn["x"] - first, rcond=None)[0]
    return drawn | {"w": np.r_[1 - free.sum(), free]}


def moved(rng):
    """Neighbours and weights, and a rotation, a scale and a shift of everything."""
    return neighbours(rng) | {
        "R": orthonormal(rng, 6, 6),
        "s": rng.uniform(0.5, 3),
        "b": 10 * rng.normal(size=6),
    }


def weights(rng):
    """Weights of 12 rows that sum to 1, and two centred coordinates of variance 1."""
    W = rng.normal(size=(12, 12)) * (1 - np.eye(12))
    W = W + (1 - W.sum(axis=1, keepdims=True)) * (1 - np.eye(12)) / 11
    return _with_spectrum(W, np.linalg.qr(centred(rng.normal(size=(12, 2))))[0] * np.sqrt(12))


def best_map(rng):
    """The same, with the eigenvectors of the second and third eigenvalue for a map."""
    drawn = weights(rng)
    return drawn | {"Z": drawn["V"][:, 1:3] * np.sqrt(12)}


def _with_spectrum(W, Z):
    A = np.eye(len(W)) - W
    lam, V = np.linalg.eigh(A.T @ A)
    return {"W": W, "Z": Z, "lam": lam, "V": V, "n": len(Z), "k": Z.shape[1]}


def similar(rng):
    """A map of 30 points, similarities of pairs in the data (P) and on it (Q); the first point (y) apart."""
    Z, P = 2 * rng.normal(size=(30, 2)) + 1, rng.exponential(size=(30, 30)) * (1 - np.eye(30))
    P, T = (P + P.T) / (2 * P.sum()), (1 - np.eye(30)) / (1 + cdist(Z, Z) ** 2)
    first = {"y": Z[0], "others": Z[1:], "p": P[0, 1:], "S": T[1:, 1:].sum()}
    return {"P": P, "Z": Z, "T": T, "Q": T / T.sum(), "n": 30, **first}


def slope(f, Z, h=1e-5):
    """Gradient of f with respect to each entry of Z, by central differences."""
    steps = h * np.eye(Z.size).reshape(-1, *Z.shape)
    return np.array([(f(Z + step) - f(Z - step)) / (2 * h) for step in steps]).reshape(Z.shape)


def new_place(rng):
    """A centred map on its principal axes, and a new point in it."""
    X = rng.normal(size=(9, 3)) * [3, 2, 1] + 4
    lam, V = _eigen(centred(X) @ centred(X).T)
    lam, V, z = lam[:3], V[:, :3], rng.normal(size=3)
    Z = V * np.sqrt(lam)
    squares = {"mean2": (cdist(Z, Z) ** 2).mean(axis=1), "delta2": ((Z - z) ** 2).sum(axis=1)}
    return {"Z": Z, "V": V, "lam": lam, "z": z, "n": 9, "k": 3, **squares}


def images(X):
    """What the kernel (x · y)² takes the inner products of: all products of two features, in rows."""
    return np.array([np.outer(x, x).ravel() for x in X])


def _gently(rng, shape):
    return samples(rng, shape) / (1 + shape.mean)


def eigenpair(rng, shape):
    """Samples and their images, the kernel matrix, and its largest eigenpair once the images are centred."""
    X = _gently(rng, shape)
    lam, V = _eigen(centred(images(X)) @ centred(images(X)).T)
    drawn = {"X": X, "n": shape.n, "Phi": images(X), "K": (X @ X.T) ** 2, "v": V[:, 0], "lam": lam[0]}
    return drawn | {"u": centred(images(X)).T @ V[:, 0] / np.sqrt(lam[0])}


def new_sample(rng, shape):
    """The same, and a new sample's image and kernels with the samples."""
    drawn = eigenpair(rng, shape)
    x = rng.normal(size=shape.d)
    return drawn | {"phi": np.outer(x, x).ravel(), "kappa": (drawn["X"] @ x) ** 2, "x": x}
