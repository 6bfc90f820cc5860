"""Chapter 3's listings against scikit-learn."""

import numpy as np
import pytest
from sklearn.cross_decomposition import CCA
from sklearn.decomposition import PCA, FastICA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tests.listings import agree, listing
from tests.listings.nasty import classes

inverse_root = listing("03", "inverse_root")
two_scatters = listing("03", "two_scatters")
discriminant_axes = listing("03", "discriminant_axes")
cca = listing("03", "cca")
fast_ica_axis = listing("03", "fast_ica_axis")

SINGULAR = dict.fromkeys(
    ["rank-deficient", "a constant column", "equal columns", "all rows equal"],
    "a covariance without inverse root: the listing divides by nearly 0, or by its negative",
)
DIGITS = {"mixed units": "a covariance of columns 1e9 and 1e-9 long has lost the digits of the short one"}
ROUNDING = {"all rows equal": "0 but for rounding"}


def test_inverse_root():
    def ours(X, rng):
        return inverse_root(np.cov(np.asarray(X, float).T))

    def theirs(X, rng):
        pca = PCA().fit(np.asarray(X, float))
        return pca.components_.T / np.sqrt(pca.explained_variance_) @ pca.components_

    agree("inverse root", ours, theirs, size=(20, 4), reasons=SINGULAR | DIGITS)


@pytest.mark.filterwarnings("ignore:Only one sample")
def test_two_scatters():
    def ours(X, rng):
        return two_scatters(np.asarray(X, float), classes(rng, len(X), 3))

    def theirs(X, rng):
        y = classes(rng, len(X), 3)
        within = LinearDiscriminantAnalysis(store_covariance=True).fit(X, y).covariance_
        return within, np.cov(np.asarray(X, float).T, bias=True) - within

    agree("scatters", ours, theirs, size=(20, 4), reasons=ROUNDING)


@pytest.mark.filterwarnings("ignore:Only one sample")
def test_discriminant_axes():
    def ours(X, rng):
        W, _ = discriminant_axes(np.asarray(X, float), classes(rng, len(X), 3))
        return W @ W.T

    def theirs(X, rng):
        lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, classes(rng, len(X), 3))
        return lda.scalings_[:, :2] @ lda.scalings_[:, :2].T

    singular = {twist: SINGULAR[twist] for twist in ("a constant column", "equal columns")}
    agree("axes", ours, theirs, size=(20, 4), reasons=singular | DIGITS)


@pytest.mark.filterwarnings("ignore:y residual", "ignore:Maximum number of iterations")
def test_cca():
    def ours(X, rng):
        X = np.asarray(X, float)
        return cca(X[:, :2], X[:, 2:])[0][0]

    def theirs(X, rng):
        X = np.asarray(X, float)
        a, b = CCA(1, tol=1e-14, max_iter=10_000).fit_transform(X[:, :2], X[:, 2:])
        return abs(np.corrcoef(a[:, 0], b[:, 0])[0, 1])

    agree("cca", ours, theirs, size=(25, 5), reasons=SINGULAR | DIGITS)


@pytest.mark.filterwarnings("ignore:FastICA did not converge")
def test_fast_ica_axis():
    """Thirty steps, on rows that are not even white: the same arithmetic."""

    def ours(X, rng):
        return fast_ica_axis(np.asarray(X, float), np.eye(3)[0])

    def theirs(X, rng):
        ica = FastICA(whiten=False, algorithm="deflation", w_init=np.eye(3), tol=0, max_iter=30)
        return ica.fit(np.asarray(X, float)).components_[0]

    refused = dict.fromkeys(["offset 1e8", "mixed units"], "scikit-learn refuses for another axis: 0 / 0")
    agree("ica", ours, theirs, size=(30, 3), reasons=refused)
