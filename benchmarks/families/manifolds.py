"""Manifolds and kernels, chapter 4."""

import numpy as np
from sklearn.datasets import make_swiss_roll
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.manifold import Isomap as TheirIsomap
from sklearn.manifold import LocallyLinearEmbedding as TheirLLE

from benchmarks.families.data import digits
from benchmarks.workload import Case, same_up_to_sign, workload
from helpers.decomposition import KernelPCA
from helpers.manifold import Isomap, LocallyLinearEmbedding


@workload(
    "swiss roll, {n} × 3, {k} neighbours",
    small=dict(n=200, k=8),
    typical=dict(n=800),
    grow={"n": 250, "k": 5},
)
def isomap(n=2000, k=10):
    X, _ = make_swiss_roll(n, random_state=0)
    return Case(
        lambda: Isomap(k).fit_transform(X),
        {"scikit-learn": lambda: TheirIsomap(n_neighbors=k).fit_transform(X)},
        same_up_to_sign(1e-9),
    )


@workload(
    "swiss roll, {n} × 3, {k} neighbours",
    small=dict(n=200, k=8),
    typical=dict(n=1000),
    grow={"n": 500, "k": 6},
)
def lle(n=4000, k=12):
    X, _ = make_swiss_roll(n, random_state=0)
    return Case(
        lambda: LocallyLinearEmbedding(k).fit_transform(X),
        {"scikit-learn": lambda: TheirLLE(n_neighbors=k, random_state=0).fit_transform(X)},
        same_up_to_sign(1e-5),
    )


@workload(
    "digits and 703 noisy ones, {n} × 64, RBF, {k} components",
    small=dict(n=150, k=2),
    typical=dict(n=600, k=5),
    grow={"n": 313, "k": 3},
)
def kpca(n=2500, k=10):
    X, _ = digits()
    X = np.vstack([X, X[:703] + np.random.default_rng(0).normal(size=(703, 64))])[:n]

    def theirs(**options):
        return TheirKernelPCA(k, kernel="rbf", gamma=1e-3, random_state=0, **options).fit_transform(X)

    return Case(
        lambda: KernelPCA(k, kernel="rbf", gamma=1e-3, random_state=0).fit_transform(X),
        {"scikit-learn": theirs, "scikit-learn (arpack)": lambda: theirs(eigen_solver="arpack")},
        same_up_to_sign(1e-9),
    )
