"""Answers tried on homework 4, manifold: what must be refused, and what is right in other words."""

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.decomposition import KernelPCA
from sklearn.manifold import ClassicalMDS, Isomap
from sklearn.metrics.pairwise import rbf_kernel

from grading.tried_answers import promised, tried, twins
from helpers.methods import lle
from homework.manifold import questions as manifold

tried(
    "manifold.1",
    wrong=[
        (4 / 9, [-4 / 3, 5 / 3, -1 / 3]),
        4 / 9,
        (4 / 9, [1, 2, 3]),
        "line",
        (4 / 9, [-4 / 3, -1 / 3]),
        (4 / 9, 4 / 3),
    ],
    right=[
        [4 / 9, (4 / 3, 1 / 3, -5 / 3)],
        (0.4444, np.array([-1.3333, -0.3333, 1.6667])),
        (np.float64(4 / 9), [[-4 / 3][0], -1 / 3, 5 / 3]),
    ],
)


tried(
    "manifold.2",
    wrong=[[[1 / 4, 3 / 4], [-1 / 2, 3 / 2]], [[3, 1], [-1, 3]], [[3 / 4, 1 / 4]]],
    right=[
        ((0.75, 0.25), (-0.5, 1.5)),
        np.array([[3, 1], [-2, 6]]) / 4,
        [np.array([0.75, 0.25]), [-0.5, 1.5]],
    ],
)


tried(
    "manifold.3",
    wrong=[
        lambda X, gamma, k: manifold.kernel_pca(X, 1 / gamma, k),
        lambda X, gamma, k: (X - X.mean(axis=0))[:, :k],
        lambda X, gamma, k: manifold.kernel_pca(X, gamma / 2, k),
    ],
    right=[
        lambda X, gamma, k: KernelPCA(k, kernel="rbf", gamma=gamma).fit_transform(X),
        lambda X, gamma, k: (-manifold.kernel_pca(X - 5, gamma, k)).tolist(),
        lambda X, gamma, k: (lambda U, s, _: U[:, :k] * np.sqrt(s[:k]))(
            *np.linalg.svd(manifold.H(len(X)) @ rbf_kernel(X, gamma=gamma) @ manifold.H(len(X)))
        ),
    ],
)


tried(
    "manifold.4",
    wrong=[
        lambda K, K_new: K_new,
        lambda K, K_new: manifold.centre_new(K, K_new).T,
        lambda K, K_new: manifold.centre_new(K, K),
        lambda K, K_new: manifold.centre_new(K, K_new) + 1,
    ],
    right=[
        lambda K, K_new: np.array([manifold.centre_new(K, row[None])[0] for row in K_new]),
        lambda K, K_new: (manifold.H(len(K)) @ (K_new.T - K.mean(axis=1)[:, None])).T.tolist(),
        lambda K, K_new: (K_new - K.mean(axis=0)) @ (np.eye(len(K)) - 1 / len(K)),
    ],
)


tried(
    "manifold.5",
    wrong=[
        lambda X, L, reg: manifold.lle_weights(X, L, reg).T,
        lambda X, L, reg: manifold.lle_weights(X, L + 1, reg),
        lambda X, L, reg: manifold.lle_weights(X - X.mean(axis=0), L, 10 * reg),
        lambda X, L, reg: np.abs(manifold.lle_weights(X, L, reg)),
    ],
    right=[
        lambda X, L, reg: lle.lle_weights(X, n_neighbors=L, reg=reg).toarray(),
        lambda X, L, reg: manifold.lle_weights(3 * X - 7, L, reg).tolist(),
        lambda X, L, reg: manifold.lle_weights(X[:, ::-1] + 1, L, reg),
    ],
)


def _by_svd(W, k):
    """The smallest singular vectors of I - W, the last one left out."""
    Vt = np.linalg.svd(np.eye(len(W)) - W)[2]
    return Vt[-2 : -2 - k : -1].T * np.sqrt(len(W))


def _without_the_constant(W, k):
    """The constant's eigenvalue raised beyond all others: then the smallest k remain."""
    A, n = np.eye(len(W)) - W, len(W)
    return np.linalg.eigh(A.T @ A + 2 * np.sum(A**2) / n)[1][:, :k] * np.sqrt(n)


tried(
    "manifold.6",
    wrong=[lambda W, k: manifold.lle_embed(W, k) + 1],
    right=[_by_svd, lambda W, k: (-manifold.lle_embed(W, k)).tolist(), _without_the_constant],
)


tried(
    "manifold.7",
    wrong=[
        lambda X, L: manifold.graph_distances(X, L + 1),
        lambda X, L: manifold.graph_distances(X, L)[0],
        lambda X, L: np.sqrt(manifold.graph_distances(X, L)),
        lambda X, L: manifold.graph_distances(X[::-1], L),
        lambda X, L: manifold.graph_distances(X, L) * (1 + 1e-3),
    ],
    right=[
        {},
        lambda X, L: manifold.paths(X, L),
        lambda X, L: manifold.graph_distances(X, L).T.tolist(),
        lambda X, L: manifold.graph_distances(X - X.mean(axis=0), L),
    ],
)


tried(
    "manifold.8",
    wrong=[
        lambda D, k: D[:, :k],
        lambda D, k: manifold.mds(D, k) + 1,
        lambda D, k: manifold.mds(D, k)[:, ::-1],
        lambda D, k: manifold.mds(D**2, k),
        lambda D, k: (lambda U, s, _: U[:, :k] * np.sqrt(s[:k]))(*np.linalg.svd(manifold.gram(D))),
    ],
    right=[
        lambda D, k: ClassicalMDS(k, metric="precomputed").fit_transform(D),
        lambda D, k: (-manifold.mds(D, k)).tolist(),
        lambda D, k: (lambda lam, V: V[:, np.argsort(-lam.real)[:k]] * np.sort(lam)[::-1][:k] ** 0.5)(
            *np.linalg.eig(manifold.gram(D))
        ),
    ],
)


def _chain(crowd=5, crowds=3, seed=1):
    """Crowds in the plane, with a lonely point half way between each two."""
    rng, rows = np.random.default_rng(seed), []
    for c in range(crowds):
        rows.append(rng.normal(size=(crowd, 2)) * 0.1 + [10 * c, 0])
        rows.append([[10 * c + 5, 0.0]])
    return np.concatenate(rows[:-1]), 4


tried(
    "manifold.9",
    wrong=[
        (manifold.torn()[0], 2),
        (manifold.torn()[0], 8),
        (manifold.torn()[0], 9),
        (manifold.torn()[0][:4], 3),
        manifold.torn()[0],
        "torn",
        (np.zeros((9, 1)), 3),
        (manifold.torn()[0], 3.5),
        (manifold.torn()[0][[0, 1, 2, 3, 5, 6, 7, 8]], 3),
    ],
    right=[
        _chain(),
        (manifold.torn()[0].tolist(), 3.0),
        (100 * manifold.torn()[0] - 7, np.int64(3)),
        (np.hstack([manifold.torn()[0], 0.01 * manifold.torn()[0] ** 2]), 3),
    ],
)


tried(
    "manifold.10",
    wrong=[lambda X: 0, lambda X: len(X), lambda X: 6.5, lambda X: [6, 7], lambda X: "6", lambda X: 50],
    right=[
        lambda X: float(manifold.choose_neighbours(X)[0]),
        lambda X: np.array(manifold.choose_neighbours(X)[0]),
        lambda X: 2 + next(L for L in range(3, 30) if np.isfinite(manifold.longest(X, L))),
        lambda X: max(L for L in range(4, 17) if 80 < manifold.longest(X, L) < np.inf),
    ],
)


tried(
    "manifold.11",
    wrong=[
        lambda X, known, turns: turns,
        lambda X, known, turns: manifold.read_turns(X, known, turns)[::-1],
        lambda X, known, turns: "60",
        lambda X, known, turns: 120 - manifold.read_turns(X, known, turns),
        lambda X, known, turns: np.zeros(len(X)),
    ],
    right=[
        lambda X, known, turns: manifold.by_fit(
            Isomap(n_neighbors=12, n_components=1).fit_transform(manifold.unlit(X)), known, turns
        ),
        lambda X, known, turns: manifold.read_turns(X, known, turns).tolist(),
        lambda X, known, turns: manifold.by_fit(
            manifold.mds(manifold.paths(manifold.unlit(X), 10), 1), known, turns
        ),
    ],
)


tried(
    "manifold.14",
    wrong=[
        r"d_{ij}",
        r"-\frac12 d_{ji}",
        r"\frac{1}{n^2} \sum_{k=1}^n \sum_{l=1}^n d_{kl}^2",
        r"-\frac12 (d_{ij}^2 - \frac1n \sum_{k=1}^n d_{ik}^2)",
        r"n",
    ],
    right=[
        r"\frac12 \left(r_i + r_j - d_{ij}^2 - m\right), \quad r_i = \frac1n \sum_{k=1}^n "
        r"d_{ik}^2, \quad m = \frac{1}{n^2} \sum_{k=1}^n \sum_{l=1}^n d_{kl}^2",
        r"\frac{1}{2n} \sum_k d_{ik}^2 + \frac{1}{2n} \sum_k d_{jk}^2 - \frac12 d_{ij}^2 - "
        r"\frac{1}{2n^2} \sum_k \sum_l d_{kl}^2",
        r"-0.5 d_{ji}^2 + \frac{0.5}{n} \sum_k (d_{ki}^2 + d_{kj}^2) - \frac{0.5}{n^2} \sum_k "
        r"\sum_l d_{kl}^2",
    ],
)


def _least_product(D):
    J = np.eye(len(D)) - 1 / len(D)
    return np.linalg.eigvalsh(-J @ D**2 @ J / 2)[0]


promised({
    "manifold.4": {"a single new row": lambda K, K_new: len(K_new) == 1},
    "manifold.5": {"No two distances are equal": lambda X, L, reg: not twins(pdist(X)[:, None])},
    "manifold.7": {
        "no two distances are equal": lambda X, L: not twins(pdist(X)[:, None]),
        "Where there is no path": lambda X, L: np.isinf(manifold.graph_distances(X, L)).any(),
    },
    "manifold.8": {"At least `k` eigenvalues are positive": lambda D, k: _least_product(D) < -1e-6},
})
