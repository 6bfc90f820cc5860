"""Linear projections: PCA, LDA, CCA, ICA; chapters 2 and 3."""

import numpy as np
from sklearn.cross_decomposition import CCA as TheirCCA
from sklearn.decomposition import PCA as TheirPCA
from sklearn.decomposition import FastICA as TheirICA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA

from benchmarks.families.data import classes
from benchmarks.workload import Case, relative, turned, workload
from helpers.cross_decomposition import CCA
from helpers.decomposition import PCA, FastICA
from helpers.discriminant_analysis import LinearDiscriminantAnalysis


def same_axes(limit):
    """Variances and components; where the peer draws at random, only as near as it comes."""

    def agree(ours, peer, theirs):
        k, loose = len(theirs.components_), 1e-2 if "randomised" in peer else limit
        variances = relative(
            ours.explained_variance_[:k], theirs.explained_variance_[: len(ours.components_)]
        )
        both = min(k, len(ours.components_))
        return [
            ("variances", variances, loose),
            ("components", turned(ours.components_[:both].T, theirs.components_[:both].T), max(loose, 1e-9)),
        ]

    return agree


@workload(
    "{n} × {d}, normal, 95 % of the variance",
    small=dict(n=150, d=4),
    typical=dict(n=2000, d=50),
    grow={"n": 5000, "d": 63},
)
def pca_tall(n=40000, d=500):
    X = np.random.default_rng(0).normal(size=(n, d)) @ np.random.default_rng(1).normal(size=(d, d))
    return Case(
        lambda: PCA(0.95).fit(X),
        {
            "scikit-learn": lambda: TheirPCA(0.95).fit(X),
            "scikit-learn (full)": lambda: TheirPCA(0.95, svd_solver="full").fit(X),
        },
        same_axes(1e-10),
    )


@workload(
    "{n} × {d}, rank 50 and noise, 95 % of the variance",
    small=dict(n=60, d=200),
    typical=dict(n=100, d=2000),
    grow={"n": 75, "d": 2500},
)
def pca_wide(n=300, d=20000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 50)) @ rng.normal(size=(50, d)) + 0.1 * rng.normal(size=(n, d))
    return Case(
        lambda: PCA(0.95).fit(X),
        {
            "scikit-learn (full)": lambda: TheirPCA(0.95).fit(X),
            "scikit-learn (randomised)": lambda: TheirPCA(50, svd_solver="randomized", random_state=0).fit(X),
        },
        same_axes(1e-10),
    )


@workload(
    "{n} × {d}, {c} classes, one axis fewer",
    small=dict(n=150, d=4, c=3),
    typical=dict(n=1000, d=30, c=5),
    grow={"n": 2500, "d": 25, "c": 5},
)
def lda(n=20000, d=200, c=10):
    X, y = classes(n, d, c, n_redundant=0, n_informative=min(d, max(8, d // 3)))

    def agree(ours, peer, theirs):
        A, B = ((Z - Z.mean(axis=0)) / Z.std(axis=0) for Z in (ours.transform(X), theirs.transform(X)))
        return [
            (
                "shares of variance",
                relative(ours.explained_variance_ratio_, theirs.explained_variance_ratio_),
                1e-9,
            ),
            ("scores, standardised", turned(A, B), 1e-8),
        ]

    return Case(
        lambda: LinearDiscriminantAnalysis(c - 1).fit(X, y),
        {
            "scikit-learn (svd)": lambda: TheirLDA(n_components=c - 1).fit(X, y),
            "scikit-learn (eigen)": lambda: TheirLDA(solver="eigen", n_components=c - 1).fit(X, y),
        },
        agree,
    )


@workload(
    "{n} × {d} beside a sixth fewer columns, {k} pairs",
    small=dict(n=50, d=6, k=2),
    typical=dict(n=500, d=20, k=5),
    grow={"n": 1250, "d": 60},
)
def cca(n=5000, d=60, k=8):
    rng = np.random.default_rng(0)
    S = rng.normal(size=(n, 8))
    X = S @ rng.normal(size=(8, d)) + 2 * rng.normal(size=(n, d))
    Y = S @ rng.normal(size=(8, d - d // 6)) + 2 * rng.normal(size=(n, d - d // 6))

    def cca_zoo():
        from cca_zoo.linear import CCA as Zoo

        return Zoo(k).fit([X, Y])

    def agree(ours, peer, theirs):
        A, B = theirs.transform([X, Y]) if peer == "cca-zoo" else theirs.transform(X, Y)
        found = [np.corrcoef(a, b)[0, 1] for a, b in zip(A.T, B.T)]
        limit = 1e-3 if peer == "scikit-learn" else 1e-6  # its iteration stops at 1e-6 of the weights
        return [("canonical correlations", relative(ours.correlations_, np.sort(found)[::-1]), limit)]

    return Case(
        lambda: CCA(k).fit(X, Y),
        {"scikit-learn": lambda: TheirCCA(k, max_iter=2000).fit(X, Y), "cca-zoo": cca_zoo},
        agree,
    )


@workload(
    "{n} × {k}, Laplace mixtures",
    small=dict(n=500, k=3),
    typical=dict(n=5000, k=8),
    grow={"n": 12500, "k": 5},
)
def fastica(n=100000, k=20):
    rng = np.random.default_rng(0)
    S, A = rng.laplace(size=(n, k)), rng.normal(size=(k, k))
    X, start = S @ A.T, rng.normal(size=(k, k))

    def amari(W):
        """0 where every row of W finds one source."""
        C = np.abs(W @ A)
        return ((C / C.max(axis=1, keepdims=True)).sum() + (C / C.max(axis=0)).sum() - 2 * k) / (
            2 * k * (k - 1)
        )

    def picard():
        from picard import picard

        K, W, _ = picard(X.T, ortho=True, extended=False, random_state=0, tol=1e-4)
        return W @ K

    def theirs(**options):
        return TheirICA(k, whiten="unit-variance", w_init=start, tol=1e-4, **options).fit(X).components_

    def agree(ours, peer, theirs):
        return [("error of the unmixing beside the peer's", max(0.0, amari(ours) - amari(theirs)), 1e-3)]

    return Case(
        lambda: FastICA(k, w_init=start, tol=1e-4).fit(X).components_,
        {
            "scikit-learn": theirs,
            "scikit-learn (eigh)": lambda: theirs(whiten_solver="eigh"),
            "picard": picard,
        },
        agree,
    )
