"""Chapter 2's listings against scikit-learn's PCA."""

import numpy as np
from sklearn.decomposition import PCA

from tests.listings import agree, listing

principal_components = listing("02-pca", "principal_components")


def some(X, rng):
    return int(rng.integers(1, min(X.shape) + 1))


def above_rounding(X, mean, lam, along):
    """All of it, but 0 where there is no more than the rounding of the entries of X."""
    least = 1e-13 * np.abs(np.asarray(X)).max()
    return np.asarray(mean), np.where(lam > least**2, lam, 0), np.where(np.abs(along) > least, along, 0)


def ours(X, rng):
    """Mean, eigenvalues, and the samples along the axes: these have no sign."""
    mean, W, lam = principal_components(X, some(X, rng))
    return above_rounding(X, mean, lam, (np.asarray(X) - np.asarray(mean)) @ W @ W.T)


def theirs(X, rng, solver="full"):
    n, twin = len(X), PCA(some(X, rng), svd_solver=solver).fit(X)
    along = twin.inverse_transform(twin.transform(X)) - twin.mean_
    return above_rounding(X, twin.mean_, twin.explained_variance_ * (n - 1) / n, along)  # 1/n, not 1/(n - 1)


def test_principal_components():
    agree("principal components", ours, theirs)


def test_principal_components_by_covariance():
    after = "it takes the mean away after the product, and keeps the rounding of that"
    twists = "offset 1e8", "all rows equal", "equal rows"
    agree(
        "by covariance",
        ours,
        lambda X, rng: theirs(X, rng, "covariance_eigh"),
        reasons=dict.fromkeys(twists, after),
    )
