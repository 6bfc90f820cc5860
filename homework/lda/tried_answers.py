"""Answers tried on homework 3, lda: what must be refused, and what is right in other words."""

from functools import partial

import numpy as np
import scipy.linalg
from sklearn.decomposition import FastICA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from grading.tried_answers import promised, tried
from helpers import comparing
from homework.lda import questions as lda

tried(
    "lda.1",
    wrong=[([1, 0], 1), ([-4, 1], 1.25), ([4, 1, 0], 1.25), [4, 1], 1.25, ([4, 1], "large"), ([0, 0], 1.25)],
    right=[([-8, -2], 5 / 4), (np.array([1, 0.25]), 1.25), [(0.9701, 0.2425), np.float64(1.25)]],
)


def _cell_by_count(image, bins):
    down, along = np.gradient(image)
    place = (np.rad2deg(np.arctan2(down, along)) % 180 // (180 / bins)).astype(int)
    return np.bincount(place.ravel(), np.hypot(down, along).ravel(), bins)


tried(
    "lda.2",
    wrong=[
        lambda image, bins: lda.hog_cell(image, bins)[::-1],
        lambda image, bins: lda.hog_cell(image[1:-1], bins),
        lambda image, bins: lda.hog_cell(image, bins) / image.size,
    ],
    right=[
        _cell_by_count,
        lambda image, bins: lda.hog_cell(1 - image, bins).tolist(),
        lambda image, bins: lda.hog_cell(image + 7.0, bins),
    ],
)


tried(
    "lda.3",
    wrong=[
        [True, True, True, False, False, False],
        [False, False, False, True, True],
        "no",
        False,
        [True, False, False, True, True, True],
        [False, False, False, False, False, True],
    ],
    right=[(False, False, False, True, True, True), np.array([0, 0, 0, 1, 1, 1]), [0, 0, 0, 1, 1, 1]],
)


def _symmetric(X):
    """Whitened without a turn: by the symmetric root."""
    lam, P = np.linalg.eigh(lda.cov_of(X))
    return (X - X.mean(axis=0)) @ (P / np.sqrt(lam) @ P.T)


def _by_cholesky(X):
    return scipy.linalg.solve_triangular(
        np.linalg.cholesky(lda.cov_of(X)), (X - X.mean(axis=0)).T, lower=True
    ).T


tried(
    "lda.4",
    wrong=[lambda X: X, lambda X: lda.whiten(X)[:, :1] * 2, lambda X: lda.whiten(X) + 1],
    right=[
        _symmetric,
        _by_cholesky,
        lambda X: (-lda.whiten(X)[:, ::-1]).tolist(),
        lambda X: np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0] * np.sqrt(len(X)),
    ],
)


def _pairs(X, y):
    values, counts = np.unique(y, return_counts=True)
    means, p = np.array([X[y == c].mean(axis=0) for c in values]), counts / len(y)
    gaps = (means[:, None] - means).reshape(-1, X.shape[1])
    return (gaps.T * np.outer(p, p).ravel()) @ gaps


def _white_means(X, y, k):
    """Whitening, then PCA of the weighted means."""
    within, between = lda.scatters(X, y)
    lam, P = np.linalg.eigh(within)
    white = P / np.sqrt(lam)
    return white @ np.linalg.svd(white.T @ between @ white)[0][:, : min(k, np.linalg.matrix_rank(between))]


tried(
    "lda.5",
    wrong=[
        dict(within=lambda X, y: lda.cov_of(X), between=lambda X, y: np.eye(X.shape[1])),
        lambda X, y, k: np.linalg.svd(X - X.mean(axis=0))[2][:k].T,
        lambda X, y, k: lda.lda_axes(X, y, k)[:, :1],
        lambda X, y, k: np.eye(X.shape[1])[:, :k],
        lambda X, y, k: lda.lda_axes(X, np.sort(y), k),
        dict(rank=lambda B: np.linalg.matrix_rank(B, rtol=1e-9) + 1),
    ],
    right=[
        _white_means,
        dict(within=lambda X, y: lda.cov_of(X)),
        dict(between=_pairs),
        lambda X, y, k: (-3 * lda.lda_axes(X, y, k)).tolist(),
        lambda X, y, k: (
            LinearDiscriminantAnalysis(solver="eigen")
            .fit(X, y)
            .scalings_[:, : lda.lda_axes(X, y, k).shape[1]]
            if len(np.unique(y)) > 2
            else _white_means(X, y, k)
        ),
    ],
)


def _crossed(seed=0):
    """Four blobs, the label the exclusive or of two signs."""
    rng = np.random.default_rng(seed)
    signs = np.tile([[0, 0], [1, 1], [0, 1], [1, 0]], (50, 1))
    return 5 * signs + rng.normal(size=(200, 2)), signs[:, 0] ^ signs[:, 1]


tried(
    "lda.6",
    wrong=[
        lda.rings(n=50),
        (lda.rings()[0], np.zeros(200)),
        (lda.rings()[0], lda.rings()[1][1:]),
        "rings",
        lda.rings()[0],
        (lda.rings()[0] + 3 * lda.rings()[1][:, None], lda.rings()[1]),
        (lda.rings()[0], np.arange(200) % 9 == 0),
        (lda.rings()[0] ** 2, lda.rings()[1]),
    ],
    right=[
        _crossed(),
        lda.rings(n=400, seed=3),
        (lda.rings()[0].tolist(), np.where(lda.rings()[1], "f", "m")),
        (
            np.where(lda.rings()[1] == 0, 0, np.arange(200) % 4 - 2.0)[:, None]
            + 0.2 * np.random.default_rng(0).normal(size=(200, 1)),
            lda.rings()[1],
        ),
    ],
)


tried(
    "lda.7",
    wrong=[
        lambda mu: 1 / (2 - mu),
        lambda mu: mu / (2 - mu) / 2,
        lambda mu: mu - 1,
        lambda mu: np.sqrt(mu),
        lambda mu: (mu / (2 - mu))[::-1],
    ],
    right=[
        lambda mu: 1 / (2 / mu - 1),
        lambda mu: [m / 2 / (1 - m / 2) for m in mu],
        lambda mu: 2 / (2 - mu) - 1,
    ],
)


def _roots_of_eigenvalues(X, Y, r):
    S, p = np.cov(X, Y, rowvar=False), X.shape[1]
    A, B = S[:p, :p] + r * np.eye(p), S[p:, p:] + r * np.eye(len(S) - p)
    M = np.linalg.solve(B, S[p:, :p]) @ np.linalg.solve(A, S[:p, p:])
    return np.sqrt(np.sort(np.linalg.eigvals(M).real)[::-1][: min(p, len(B))])


def _by_cholesky(X, Y, r):
    """Triangular roots in place of symmetric ones."""
    p, S = X.shape[1], np.cov(X, Y, rowvar=False)
    A, B = (np.linalg.cholesky(M + r * np.eye(len(M))) for M in (S[:p, :p], S[p:, p:]))
    return np.linalg.svd(np.linalg.solve(B, np.linalg.solve(A, S[:p, p:]).T), compute_uv=False)


tried(
    "lda.8",
    wrong=[
        lambda X, Y, r: lda.canonical_corr(X, Y, r + 1),
        lambda X, Y, r: lda.canonical_corr(X, X, r),
        lambda X, Y, r: lda.canonical_corr(X, Y[::-1], r),
        dict(root=np.linalg.inv),
    ],
    right=[{}, _roots_of_eigenvalues, _by_cholesky, lambda X, Y, r: lda.canonical_corr(Y, X, r).tolist()],
)


tried(
    "lda.9",
    wrong=[
        lambda X, Y: -1,
        lambda X, Y: 1,
        lambda X, Y: [1.0, 2.0],
        lambda X, Y: 1e6,
        lambda X, Y: 1e-9,
        lambda X, Y: "3",
        lambda X, Y: np.inf,
    ],
    right=[
        lambda X, Y: max(X.var() * np.logspace(-3, 2, 6), key=lambda r: lda.held_out(X, Y, r, folds=10)),
        lambda X, Y: np.array(lda.choose_ridge(X, Y)[0]),
        lambda X, Y: max(np.logspace(-5, 6, 23), key=lambda r: lda.held_out(X, Y, r, folds=5)),
    ],
)


tried(
    "lda.10",
    wrong=[
        lda.verdicts(lambda S, B: True),
        lda.verdicts(lambda S, B: False),
        lda.verdicts(lambda S, B: comparing.same_subspace(S, B)),
        lda.verdicts(lambda S, B: comparing.same_up_to_sign_and_order(S, B)),
    ],
    right=[
        lda.verdicts(lambda S, B: comparing.same_sources(S, B, tol=0.01)),
        lambda S, candidates: np.array(lda.same_sources(S, candidates)),
        lda.verdicts(lambda S, B: lda.least_is_near_one(lda.cosines(S - S.mean(axis=0), B - B.mean(axis=0)))),
        lambda S, candidates: [int(v) for v in lda.same_sources(S, candidates)],
    ],
)


def _by_newton(X):
    """FastICA's step for the kurtosis, from several starts."""
    Z, found = lda.whiten(X), []
    for w in lda.rotation(10), lda.rotation(55):
        w = w[0]
        for _ in range(20):
            w = Z.T @ (Z @ w) ** 3 / len(Z) - 3 * w
            w = w / np.linalg.norm(w)
        found += [Z @ w, Z @ [-w[1], w[0]]]
    return max(found, key=lambda y: abs((y**4).mean() - 3))


def _by_fast_ica(X):
    Y = FastICA(2, random_state=0).fit_transform(X)
    return max(Y.T, key=lambda y: abs((y**4).mean() / (y**2).mean() ** 2 - 3))


tried(
    "lda.11",
    wrong=[
        lambda X: X.sum(axis=1),
        lambda X: lda.ica_axis(X) ** 2,
        lambda X: lda.ica_axis(X)[:-1],
        lambda X: X[:, 1],
        lambda X: lda.whiten(X)[:, 1],
        lambda X: lda.whiten(X).sum(axis=1),
        lambda X: np.abs(lda.ica_axis(X)),
        lambda X: lda.whiten(X),
        dict(Z=lambda X: X - X.mean(axis=0)),
    ],
    right=[_by_newton, _by_fast_ica, lambda X: (7 - 2 * lda.ica_axis(X)).tolist(), dict(Z=_symmetric)],
    small=[
        partial(lda.draw_mixture, laws=laws, n=300)
        for laws in (["uniform"] * 2, ["Laplace"] * 2, ["uniform", "Laplace"])
    ],
)


tried(
    "lda.14",
    wrong=[
        r"\frac{(w^\top (a + b))^2}{w^\top (A + B) w}",
        r"\frac{(w^\top (a - b))^2}{w^\top (A - B) w}",
        r"w",
        r"a - b",
    ],
    right=[
        r"\frac{w^\top (a - b)(a - b)^\top w}{w^\top (A + B) w}",
        r"\frac{(w^\top a - w^\top b)^2}{w^\top A w + w^\top B w}",
        r"\frac{g^2}{w^\top A w + w^\top B w}, \quad g = w^\top (b - a)",
    ],
)


promised({
    "lda.5": {
        "Classes may be of any size": lambda X, y, k: np.ptp(np.unique(y, return_counts=True)[1]) > 1,
        "have any labels": lambda X, y, k: not {*y} <= {*range(len({*y}))},
        "`k` is larger than there are directions": lambda X, y, k: k >= len({*y}),
    },
    "lda.9": {"features come in any unit": lambda X, Y: np.std(X - X.mean(axis=0)) < 0.1},
    "lda.11": {
        "evenly spread (flat)": lambda X: (scipy.stats.kurtosis(X) < -0.3).any(),
        "long tails (spiky)": lambda X: (scipy.stats.kurtosis(X) > 0.3).any(),
    },
})
