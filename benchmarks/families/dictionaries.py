"""Sparse codes and dictionaries of picture patches, chapter 10."""

import numpy as np
from sklearn.decomposition import DictionaryLearning as Theirs
from sklearn.decomposition import MiniBatchDictionaryLearning
from sklearn.linear_model import orthogonal_mp_gram

from benchmarks.families.data import atoms, patches
from benchmarks.workload import Case, equal_within, workload
from helpers.decomposition import KSVD, DictionaryLearning, lasso_codes, orthogonal_mp


@workload(
    "{n} patches of 8 × 8, {k} atoms, {s} nonzeros",
    small=dict(n=100, k=32, s=3),
    typical=dict(n=1000, k=128),
    grow={"n": 625, "k": 32, "s": 2},
)
def omp(n=5000, k=256, s=6):
    X, D = patches(n), np.random.default_rng(0).normal(size=(k, 64))
    D /= np.linalg.norm(D, axis=1)[:, None]

    def dictlearn():
        from dictlearn import sparse_encode

        return sparse_encode(X, D, algorithm="omp", n_nonzero_coefs=s)

    return Case(
        lambda: orthogonal_mp(X, D, n_nonzero_coefs=s),
        {
            "scikit-learn": lambda: orthogonal_mp_gram(D @ D.T, D @ X.T, n_nonzero_coefs=s).T,
            "dictlearn": dictlearn,
        },
        equal_within(1e-9),
    )


def rms(R):
    return float(np.sqrt((R**2).mean()))


@workload(
    "{n} patches of 8 × 8, {k} atoms, {s} nonzeros, 5 rounds",
    small=dict(n=400, k=32, s=3),
    typical=dict(n=1000, k=64),
    grow={"n": 625, "k": 32, "s": 2},
)
def ksvd(n=5000, k=128, s=5):
    X = patches(n)
    D = atoms(X, k)

    def ours():
        model = KSVD(k, n_nonzero_coefs=s, max_iter=5, tol=0, dict_init=D).fit(X)
        return np.sqrt(model.error_[-1] / X.size)

    def by_ksvd():
        from ksvd import ApproximateKSVD

        np.random.seed(0)
        model = ApproximateKSVD(k, max_iter=5, transform_n_nonzero_coefs=s)
        model._initialize = lambda X: D.copy()  # its own start is an SVD: the same atoms for all
        model.fit(X)
        return rms(X - orthogonal_mp(X, model.components_, n_nonzero_coefs=s) @ model.components_)

    def dictlearn(algorithm):
        from dictlearn import DictionaryLearning

        model = DictionaryLearning(
            k, fit_algorithm=algorithm, n_nonzero_coefs=s, max_iter=5, dict_init=D, replace_unused_atoms="no"
        ).fit(X)
        return float(model.error_[-1])

    def agree(ours, peer, theirs):
        return [("root mean square error above the peer's", max(0.0, ours / theirs - 1), 0.02)]

    return Case(
        ours,
        {
            "ksvd": by_ksvd,
            "dictlearn": lambda: dictlearn("aksvd"),
            "dictlearn (exact)": lambda: dictlearn("ksvd"),
        },
        agree,
    )


@workload(
    "{n} patches of 8 × 8, {k} atoms, α = {alpha:g}",
    small=dict(n=100, k=16),
    typical=dict(n=500, k=50),
    grow={"n": 250, "k": 25},
)
def dictlearn_l1(n=2000, k=100, alpha=0.1):
    X = patches(n)
    D = atoms(X, k)

    def theirs():
        return (
            Theirs(
                k,
                alpha=alpha,
                max_iter=10,
                fit_algorithm="cd",
                dict_init=D,
                code_init=np.zeros((n, k)),
                tol=0,
            )
            .fit(X)
            .components_
        )

    def by_batches():
        return (
            MiniBatchDictionaryLearning(
                k,
                alpha=alpha,
                max_iter=10,
                batch_size=256,
                fit_algorithm="cd",
                dict_init=D,
                random_state=0,
                tol=0,
                max_no_improvement=None,
            )
            .fit(X)
            .components_
        )

    def objective(B):
        A = lasso_codes(X, B, alpha)
        return ((X - A @ B) ** 2).sum() / 2 + alpha * np.abs(A).sum()

    def agree(ours, peer, theirs):  # as good a dictionary
        return [("objective above the peer's", max(0.0, objective(ours) / objective(theirs) - 1), 0.02)]

    return Case(
        lambda: DictionaryLearning(k, alpha=alpha, max_iter=12, tol=0, dict_init=D).fit(X).components_,
        {"scikit-learn": theirs, "scikit-learn (batches)": by_batches},
        agree,
    )
