"""Answers tried on homework 2, pca: what must be refused, and what is right in other words."""

import numpy as np
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)

from grading.tried_answers import promised, tried
from homework.pca import questions as pca

tried(
    "pca.1",
    wrong=[
        ([[pca.R, pca.R], [pca.R, pca.R]], [3 / 4, 1 / 4]),
        ([[pca.R, -pca.R], [pca.R, pca.R]], [3 / 4, 1 / 4]),
        [3 / 4, 1 / 4],
        "axes",
        ([[pca.R, pca.R], [pca.R, -pca.R]], [2 / 3, 1 / 3]),
        ([[pca.R, pca.R], [pca.R, -pca.R]], 3 / 4),
        ([pca.R, pca.R], [3 / 4, 1 / 4]),
    ],
    right=[
        ([[-pca.R, -pca.R], [-pca.R, pca.R]], [0.75, 0.25]),
        (np.array([[pca.R, pca.R], [-pca.R, pca.R]]), np.array([0.75, 0.25])),
        [[(0.7071, 0.7071), (0.7071, -0.7071)], (0.75, 0.25)],
    ],
)


def _by_eig(X, k):
    """Complex where a table has fewer rows than columns; the imaginary parts of the axes are 0."""
    lam, V = np.linalg.eig(np.cov(X, rowvar=False))
    return V[:, np.argsort(-lam.real)[:k]]


tried(
    "pca.2",
    wrong=[
        lambda X, k: np.eye(X.shape[1])[:, :k],
        lambda X, k: 2 * pca.principal_axes(X, k),
        lambda X, k: pca.principal_axes(X, k + 1),
    ],
    right=[
        dict(centre=lambda X: np.ones((len(X), 1)) * X.mean(axis=0)),
        lambda X, k: (-pca.principal_axes(X, k)).tolist(),
        dict(scatter=lambda Xc: np.cov(Xc, rowvar=False)),
        _by_eig,
        lambda X, k: pca.principal_axes(X, k) + 0j,
        lambda X, k: pca.principal_axes(X.astype(np.float32), k),
    ],
)


tried(
    "pca.3",
    wrong=[lambda X: 100 * pca.explained_ratio(X), lambda X: np.ones(X.shape[1]) / X.shape[1]],
    right=[
        lambda X: pca.variance_shares(np.cov(X, rowvar=False)),
        lambda X: pca.variance_shares(np.cov(X, rowvar=False, bias=True)).tolist(),
        lambda X: pca.explained_ratio(X.astype(np.float32)),
        lambda X: np.sort(np.linalg.eig(np.cov(X.T))[0])[::-1] / np.trace(np.cov(X.T)) + 0j,
        lambda X: (X @ pca.principal_axes(X, X.shape[1])).var(axis=0) / X.var(axis=0).sum(),
    ],
)


tried(
    "pca.4",
    wrong=[
        lambda W, mean, X_new: (X_new - mean.mean()) @ W,
        lambda W, mean, X_new: (X_new - mean) @ W[:, ::-1],
        lambda W, mean, X_new: -pca.project(W, mean, X_new),
        lambda W, mean, X_new: ((X_new - mean) @ W)[:1],
    ],
    right=[
        lambda W, mean, X_new: X_new @ W - mean @ W,
        lambda W, mean, X_new: (W.T @ (X_new - mean).T).T,
        lambda W, mean, X_new: np.einsum("...d,dk->...k", X_new - mean, W),
        lambda W, mean, X_new: pca.project(*(part.astype(np.float32) for part in (W, mean, X_new))),
    ],
)


def _dropped_axes(X, k):
    return pca.principal_axes(X, X.shape[1])[:, k:]


tried(
    "pca.5",
    wrong=[
        lambda X, k: X,
        lambda X, k: np.tile(X.mean(axis=0), (len(X), 1)),
        lambda X, k: pca.reconstruct(X, k + 1),
        lambda X, k: X - pca.reconstruct(X, k),
        lambda X, k: pca.reconstruct(X, max(k, 1)),
    ],
    right=[
        lambda X, k: X - pca.centred(X) @ (np.eye(X.shape[1]) - pca.projector(X, k)),
        lambda X, k: pca.reconstruct(X, k).tolist(),
        lambda X, k: X - sum(np.outer(pca.centred(X) @ w, w) for w in _dropped_axes(X, k).T),
    ],
)


tried(
    "pca.6",
    wrong=[lambda X, k: X[:k].T / np.linalg.norm(X[:k], axis=1), lambda X, k: np.eye(X.shape[1], k)],
    right=[
        lambda X, k: pca.gram(X, k, lambda m: 1 / np.sqrt(m)),
        lambda X, k: (-pca.gram_axes(X, k)).tolist(),
        lambda X, k: np.linalg.svd(pca.centred(X), full_matrices=False)[2][:k].T,
        lambda X, k: pca.gram_axes(X.astype(np.float32), k),
    ],
    small=[lambda rng: (pca.draw_planted(rng, 20, 300), 3), lambda rng: (pca.draw_planted(rng, 8, 300), 7)],
)


tried(
    "pca.7",
    wrong=[
        lambda lam, t: pca.n_components(lam**2, t),
        lambda lam, t: len(lam),
        lambda lam, t: pca.n_components(lam, t) + 1,
        lambda lam, t: (lam / lam.sum() >= t).sum(),
        lambda lam, t: round(t * len(lam)),
        lambda lam, t: lam[: pca.n_components(lam, t)].sum() / lam.sum(),
    ],
    right=[
        lambda lam, t: int(np.searchsorted(np.sort(lam)[::-1].cumsum() / lam.sum(), t)) + 1,
        lambda lam, t: next(k for k in range(1, 99) if sum(sorted(lam)[-k:]) / sum(lam) >= t - 1e-12),
        lambda lam, t: float(pca.n_components(lam, t)),
    ],
)


tried(
    "pca.8",
    wrong=[
        lambda S, k: np.eye(len(S))[:, :k],
        lambda S, k: np.linalg.qr(np.random.default_rng(0).normal(size=(len(S), k)))[0],
        lambda S, k: 2 * pca.random_turn(S, k),
        lambda S, k: pca.random_turn(S, k).T,
        lambda S, k: S[:, :k],
        lambda S, k: pca.best_axes(S, k) @ np.ones((k, k)),
        lambda S, k: pca.turned(S, k, angle=np.pi / 2),
    ],
    right=[
        pca.random_turn,
        lambda S, k: pca.random_turn(S, k)[:, ::-1].tolist(),
        lambda S, k: -pca.random_turn(S, k),
        lambda S, k: np.linalg.qr(pca.best_axes(S, k) @ (np.eye(k) + np.tri(k)))[0],
    ],
)


tried(
    "pca.9",
    wrong=[
        pca.loud_and_quiet(loud=0.8),
        pca.loud_and_quiet(noise=1.0),
        pca.loud_and_quiet(n=50),
        (pca.loud_and_quiet()[0], np.zeros(200)),
        (pca.loud_and_quiet()[0], pca.loud_and_quiet()[1][1:]),
        (pca.loud_and_quiet()[0][:, :1], pca.loud_and_quiet()[1]),
        (pca.loud_and_quiet()[0], np.arange(200) % 20 == 0),
        "data",
        pca.loud_and_quiet()[0],
        ([1, 2], [0, 1]),
    ],
    right=[
        pca.loud_and_quiet(seed=3, n=400),
        (pca.loud_and_quiet()[0].tolist(), pca.loud_and_quiet()[1].tolist()),
        (
            pca.loud_and_quiet()[0] @ [[0.6, 0.8], [-0.8, 0.6]] + 7,
            np.where(pca.loud_and_quiet()[1], "f", "m"),
        ),
        (
            np.column_stack([pca.loud_and_quiet()[0][:, ::-1], 0.01 * np.arange(200) % 0.05]),
            pca.loud_and_quiet()[1],
        ),
    ],
)


def _one_split(X, y, form):
    """A single split of rows, whoever wrote them."""
    parts = train_test_split(X, y, test_size=0.3, random_state=0)
    return 16, pca.digits_model(16).fit(parts[0], parts[2]).score(parts[1], parts[3])


def _by_splitter(cv, k=16):
    return lambda X, y, form: (k, cross_val_score(pca.digits_model(k), X, y, groups=form, cv=cv).mean())


tried(
    "pca.10",
    wrong=[
        lambda X, y, form: pca.choose_axes(X, y, form)[0][0],
        lambda X, y, form: (16, 0.95),
        lambda X, y, form: (16, 71.0),
        lambda X, y, form: (16.5, 0.7),
        lambda X, y, form: (0, 0.7),
        lambda X, y, form: (1, pca.honest_accuracy(1, X, y, form)),
        lambda X, y, form: (16, 0.5),
        lambda X, y, form: "16",
        _one_split,
        _by_splitter(StratifiedKFold(10, shuffle=True, random_state=0)),
        _by_splitter(ShuffleSplit(20, test_size=0.2, random_state=0)),
        lambda X, y, form: (pca.honest_accuracy(16, X, y, form), 16),
    ],
    right=[
        lambda X, y, form: [12, pca.honest_accuracy(12, X, y, form)],
        lambda X, y, form: np.array([16, pca.honest_accuracy(16, X, y, form)]),
        _by_splitter(GroupKFold(5), 14),
        _by_splitter(GroupKFold(3)),
        _by_splitter(GroupShuffleSplit(20, test_size=0.2, random_state=0)),
    ],
)


tried(
    "pca.11",
    wrong=[
        lambda dirty: dirty,
        lambda dirty: np.zeros_like(dirty),
        lambda dirty: np.tile(dirty.mean(axis=0), (len(dirty), 1)),
        lambda dirty: dirty.clip(0, 16),
        lambda dirty: pca.reconstruct(dirty, 12)[:10],
        lambda dirty: 7,
        lambda dirty: dirty - pca.rebuilt_from(9)(dirty),
    ],
    right=[
        lambda dirty: pca.denoise(dirty).clip(0, 16),
        lambda dirty: pca.reconstruct(dirty, 16).clip(0, 16),
        lambda dirty: pca.reconstruct(dirty, 20 if np.linalg.eigvalsh(np.cov(dirty.T))[0] < 16 else 6),
    ],
)


tried(
    "pca.12",
    wrong=[
        lambda tables, labels: pca.leak_gaps(tables[:1], labels[:1]),
        lambda tables, labels: [n for n, _ in pca.leak_gaps(tables, labels)],
        lambda tables, labels: dict(pca.leak_gaps(tables, labels)),
        dict(inside=lambda *args: pca.accuracy_inside(*args, cv=KFold(10))),
        dict(steps=pca.STEPS | {"select": SelectKBest(k=10)}),
        lambda tables, labels: pca.leak_gaps(tables, labels)[:2],
        lambda tables, labels: pca.leak_gaps(tables, 1 - labels[:, ::-1]),
    ],
    right=[
        {},
        lambda tables, labels: [list(pair) for pair in pca.leak_gaps(tables, labels)],
        lambda tables, labels: [(n, round(float(g), 8)) for n, g in pca.leak_gaps(tables, labels)],
    ],
)


tried(
    "pca.13",
    wrong=[
        r"\frac{\sum_{j=1}^k \lambda_j}{d}",
        r"\frac{\sum_{j=1}^{k-1} \lambda_j}{\sum_{j=1}^d \lambda_j}",
        r"\frac{\sum_{j=2}^k \lambda_j}{\sum_{j=1}^d \lambda_j}",
        r"\frac{\lambda_1}{\sum_{j=1}^d \lambda_j}",
        r"\frac{\prod_{j=1}^k \lambda_j}{\det S}",
        r"\frac{\sum_{j=1}^d \lambda_j}{\sum_{j=1}^k \lambda_j}",
        r"\sum_{j=1}^k \frac{\lambda_j}{\lambda_1}",
        r"\frac{\sum_{j=1}^k \lambda_j}{\sum_{j=1}^n \lambda_j}",
        r"\frac{\lambda_j}{\sum_{j=1}^d \lambda_j}",
        r"\frac{1}{\operatorname{tr} S} S",
    ],
    right=[
        r"\frac{\sum_{j=1}^k \lambda_j}{\operatorname{tr} S}",
        r"1 - \frac{1}{\operatorname{tr}(S)} \sum_{l=k+1}^d \lambda_l",
        r"\left( \sum_{i=1}^{d} \lambda_i \right)^{-1} (\lambda_1 + \dots + \lambda_k)",
        r"\sum_{m=1}^k \frac{\lambda_m}{\sum_{j} \lambda_{j}}",
    ],
)


tried(
    "pca.14",
    wrong=[
        r"\lVert x_i - \bar x - z_i \rVert^2",
        r"\lVert x_i - \bar x \rVert^2 - \lVert z_1 \rVert^2",
        r"\sum_i (\lVert x_i - \bar x \rVert^2 - \lVert z_i \rVert^2)",
        r"\lVert x_i - \bar x \rVert^2 - k",
        r"x_i - \bar x",
        r"\lVert x_j - \bar x \rVert^2 - \lVert z_j \rVert^2",
        r"\lVert x_i - \bar x \rVert_1 - \lVert z_i \rVert_1",
        r"\lVert x_i - \bar x \rVert^2 - 2 \lVert z_i \rVert^2",
        r"\lVert x_i + \bar x \rVert^2 - \lVert z_i \rVert^2",
        r"\lVert x_i - \bar x - W z_i \rVert^2",
    ],
    right=[
        r"(x_i - \bar x)^\top (x_i - \bar x) - z_i^\top z_i",
        r"\left\|x_{i}-\bar{x}\right\|^{2} - \sum_{j=1}^{k} z_{ij}^2",
        r"\lVert v_i \rVert^2 - z_i \cdot z_i, \quad v_i = x_i - \frac{1}{n} \sum_{m=1}^n x_m",
        r"(a_i - b_i)(a_i + b_i), \quad a_i = \lVert x_i - \bar x \rVert, \quad b_i = \lVert z_i \rVert",
        r"\sum_{j=1}^d (x_{ij} - \bar x_j)^2 - \sum_{j=1}^k z_{ij}^2",
        r"\lVert x_i \rVert^2 - 2 x_i^\top \bar x + \lVert \bar x \rVert^2 - \lVert z_i \rVert^2",
    ],
)


promised({
    "pca.2": {
        "fewer samples than features": lambda X, k: len(X) < X.shape[1],
        "for `k` = d": lambda X, k: k == X.shape[1],
    },
    "pca.4": {"even with m = 1": lambda W, mean, X_new: X_new.shape == (1, len(mean))},
    "pca.5": {"`k` may be 0": lambda X, k: k == 0},
    "pca.6": {"`k` is at most n − 1": lambda X, k: k == len(X) - 1},
    "pca.7": {
        "**at least** the share `t`": lambda lam, t: t in np.cumsum(-np.sort(-lam)) / lam.sum(),
        "in any order": lambda lam, t: (np.diff(lam) > 0).any() and (np.diff(lam) < 0).any(),
    },
})
