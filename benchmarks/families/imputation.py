"""Blanks: simple fillings, chained regressions, matrix completion; chapters 5 and 6."""

import numpy as np
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.impute import SimpleImputer as Theirs
from sklearn.linear_model import Ridge

from benchmarks.families.data import with_holes
from benchmarks.families.tables import frame
from benchmarks.workload import Case, equal_within, relative, workload
from helpers.impute import ModelImputer, MultipleImputer, SimpleImputer, SoftImpute


@workload(
    "{n} × {d}, 10 % blank", small=dict(n=150, d=4), typical=dict(n=5000, d=20), grow={"n": 62500, "d": 5}
)
def impute_mean(n=500000, d=40):
    X = with_holes(np.random.default_rng(0).normal(size=(n, d)))

    def feature_engine():
        from feature_engine.imputation import MeanMedianImputer

        return MeanMedianImputer(imputation_method="mean").fit_transform(frame(X)).to_numpy()

    return Case(
        lambda: SimpleImputer().fit_transform(X),
        {"scikit-learn": lambda: Theirs().fit_transform(X), "feature-engine": feature_engine},
        equal_within(1e-12),
    )


@workload(
    "{n} × {d}, {levels} levels, 10 % blank",
    small=dict(n=150, d=4, levels=5),
    typical=dict(n=5000, d=20),
    grow={"n": 150000, "d": 5, "levels": 5},
)
def impute_mode(n=1200000, d=40, levels=20):
    X = with_holes(np.random.default_rng(0).integers(0, levels, size=(n, d)).astype(float))
    return Case(
        lambda: SimpleImputer(strategy="most_frequent").fit_transform(X),
        {"scikit-learn": lambda: Theirs(strategy="most_frequent").fit_transform(X)},
        equal_within(0),
    )


@workload(
    "{n} × {d}, {c} classes, 10 % blank",
    small=dict(n=150, d=4, c=3),
    typical=dict(n=5000, d=20),
    grow={"n": 62500, "d": 5, "c": 2},
)
def impute_classmean(n=500000, d=40, c=8):
    rng = np.random.default_rng(0)
    X, y = with_holes(rng.normal(size=(n, d))), rng.integers(0, c, n)

    def pandas():
        from pandas import DataFrame

        D = DataFrame(X)
        return D.fillna(D.groupby(y).transform("mean")).to_numpy()

    return Case(
        lambda: SimpleImputer(strategy="class_mean").fit_transform(X, y),
        {"pandas": pandas},
        equal_within(1e-12),
    )


def low_rank(n, d, k):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, k)) @ rng.normal(size=(k, d)) + rng.normal(size=(n, d))


@workload(
    "{n} × {d}, 10 % blank, 5 rounds",
    small=dict(n=300, d=4),
    typical=dict(n=1000, d=15),
    grow={"n": 625, "d": 5},
)
def impute_model(n=5000, d=40):
    X = with_holes(low_rank(n, d, 10))

    def theirs(model=None):
        chain = IterativeImputer(model, max_iter=5, tol=0, imputation_order="roman", random_state=0)
        return chain.fit_transform(X)

    def agree(ours, peer, theirs):  # another prior: nearly the same predictions
        return [("largest difference, relative", relative(ours, theirs), 1e-9 if "(Ridge)" in peer else 0.05)]

    return Case(
        lambda: ModelImputer(1e-3, max_iter=5, tol=0, imputation_order="roman").fit_transform(X),
        {"scikit-learn (Ridge)": lambda: theirs(Ridge(1e-3)), "scikit-learn (Bayesian)": theirs},
        agree,
    )


@workload(
    "{n} × {d}, 10 % blank, {tables} tables, 5 rounds",
    small=dict(n=150, d=4),
    typical=dict(n=1000, d=10),
    grow={"n": 375, "d": 5, "tables": 2},
)
def multiple_imputation(n=3000, d=20, tables=5):
    full = low_rank(n, d, 8)
    X = with_holes(full)
    blank = np.isnan(X)

    def theirs():
        return [
            IterativeImputer(
                max_iter=5, tol=0, imputation_order="roman", sample_posterior=True, random_state=i
            ).fit_transform(X)
            for i in range(tables)
        ]

    def spread(drawn):
        """Error of the tables' mean, and the deviation between tables."""
        drawn = np.array(drawn)[:, blank]
        return np.array([
            np.sqrt(((drawn.mean(axis=0) - full[blank]) ** 2).mean()),
            drawn.std(axis=0, ddof=1).mean(),
        ])

    def agree(ours, peer, theirs):
        limit = 0.03 * max(1, 6000 / blank.sum()) ** 0.5  # each draws its own
        return [
            ("error of the mean, deviation between tables", relative(spread(ours), spread(theirs)), limit)
        ]

    return Case(
        lambda: MultipleImputer(tables, max_iter=5, random_state=0).impute(X), {"scikit-learn": theirs}, agree
    )


def fancy_soft_impute(X, lam, **options):
    """fancyimpute's, which passes an argument that scikit-learn has renamed."""
    import fancyimpute.soft_impute
    import fancyimpute.solver
    import sklearn.utils

    def check_array(*args, force_all_finite=None, **more):
        return sklearn.utils.check_array(*args, ensure_all_finite=False, **more)

    fancyimpute.solver.check_array = fancyimpute.soft_impute.check_array = check_array
    return fancyimpute.soft_impute.SoftImpute(
        lam, convergence_threshold=1e-5, max_iters=400, verbose=False, **options
    ).fit_transform(X)


@workload(
    "{n} × {d}, rank 8, 40 % seen, λ = {lam:g}",
    small=dict(n=60, d=40, lam=5.0),
    typical=dict(n=200, d=100, lam=8.0),
    grow={"n": 125, "d": 75},
)
def matcomp(n=500, d=300, lam=15.0):
    rng = np.random.default_rng(0)
    M = rng.normal(size=(n, 8)) @ rng.normal(size=(8, d))
    X = np.where(rng.random(M.shape) < 0.4, M + 0.1 * rng.normal(size=M.shape), np.nan)

    def objective(filled):
        u, s, v = np.linalg.svd(filled, full_matrices=False)
        s = np.maximum(s - lam, 0)
        return ((((u * s) @ v - X)[~np.isnan(X)]) ** 2).sum() / 2 + lam * s.sum()

    def agree(ours, peer, theirs):
        return [
            ("objective above the peer's", max(0.0, objective(ours) / objective(theirs) - 1), 1e-4),
            ("largest difference, relative", relative(ours, theirs), 0.05),
        ]

    return Case(
        lambda: SoftImpute(lam, max_iter=400, tol=1e-5).fit_transform(X),
        {
            "fancyimpute": lambda: fancy_soft_impute(X, lam),
            "fancyimpute (rank 20)": lambda: fancy_soft_impute(X, lam, max_rank=20),
        },
        agree,
    )
