"""Draws for the derivations of chapter 2: samples are the rows, means are not 0, spreads are unlike.

Beside the draws stand what a derivation is told: `best_frame`, its `neighbour`, and a `slope` by differences.
"""

import numpy as np

from helpers.derivation import centred, orthonormal, samples

__all__ = [
    "cloud",
    "covariance",
    "eigenframe",
    "frame",
    "frames_of_S",
    "gram",
    "model",
    "one_row",
    "spectrum",
]


def _axes(shape):
    return min(2, shape.d)


def _covariance(X):
    return np.cov(X, rowvar=False, bias=True).reshape(X.shape[1], X.shape[1])


def _largest_first(S):
    lam, V = np.linalg.eigh(S)
    return lam[::-1], V[:, ::-1]


def frame(rng, shape):
    """k orthonormal axes, the columns of W."""
    return {"W": orthonormal(rng, shape.d, _axes(shape)), "k": _axes(shape), "d": shape.d}


def cloud(rng, shape):
    """Samples, raw and centred, and a frame of k axes."""
    raw = samples(rng, shape)
    return {"raw": raw, "X": centred(raw), "n": shape.n, **frame(rng, shape)}


def one_row(rng, shape):
    """A sample that is centred on nothing, and an axis of length 1."""
    return {"x": samples(rng, shape)[0], "w": orthonormal(rng, shape.d, 1)[:, 0]}


def best_frame(X):
    """The k axes that keep most of the spread of X."""
    return _largest_first(X.T @ X)[1][:, : min(2, X.shape[1])]


def neighbour(rng, W, step=0.1):
    """A frame close to W."""
    return np.linalg.qr(W + step * rng.normal(size=W.shape))[0]


def covariance(rng, shape):
    """A covariance matrix, a vector of any length and a number."""
    return {"S": _covariance(samples(rng, shape)), "w": rng.normal(size=shape.d), "lam": rng.uniform(0.5, 2)}


def slope(f, w, h=1e-5):
    """Gradient of f at w by central differences."""
    return np.array([(f(w + h * e) - f(w - h * e)) / (2 * h) for e in np.eye(len(w))])


def frames_of_S(rng, shape):
    """A covariance matrix, its eigenvalues, its eigenvectors (columns of V), and a blind frame."""
    S = _covariance(samples(rng, shape))
    lam, V = _largest_first(S)
    return {"S": S, "lam": lam, "V": V, **frame(rng, shape)}


def eigenframe(rng, shape):
    """The same with the k best eigenvectors for a frame."""
    drawn = frames_of_S(rng, shape)
    return drawn | {"W": drawn["V"][:, : drawn["k"]]}


def spectrum(rng, shape):
    """A covariance matrix, its eigenvalues, largest first, its eigenvectors; the first is the one axis."""
    S = _covariance(samples(rng, shape))
    lam, V = _largest_first(S)
    return {"S": S, "lam": lam, "V": V, "W": V[:, :1], "d": shape.d}


def model(rng, shape):
    """Samples, their mean and best axes, all eigenvalues, and a new sample."""
    X = samples(rng, shape)
    lam, V = _largest_first(_covariance(X))
    fitted = {"mean": X.mean(axis=0), "W": V[:, : _axes(shape)], "S": _covariance(X), "lam": lam}
    return {
        "X": X,
        "n": shape.n,
        "d": shape.d,
        "k": _axes(shape),
        "x": rng.normal(size=shape.d) + shape.mean,
        **fitted,
    }


def gram(rng, shape):
    """Centred samples and a unit eigenvector u of B = XXᵀ/n with an eigenvalue above 0."""
    X = centred(samples(rng, shape))
    lam, V = _largest_first(X @ X.T / shape.n)
    i = rng.integers((lam > 1e-9 * lam[0]).sum())
    return {"X": X, "n": shape.n, "lam": lam[i], "u": V[:, i]}
