"""Chapter 4's listings against scikit-learn and SciPy."""

import numpy as np
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.decomposition import KernelPCA
from sklearn.manifold import ClassicalMDS, Isomap, LocallyLinearEmbedding
from sklearn.manifold._t_sne import _joint_probabilities, _kl_divergence
from sklearn.neighbors import kneighbors_graph

from helpers.methods.lle import lle_weights
from tests.listings import agree, listing

coordinates = listing("04", "coordinates")
ant_distances = listing("04", "ant_distances")
lle = listing("04", "lle")
similarities = listing("04", "similarities")
gradient = listing("04", "gradient")
place = listing("04", "place")
rbf = listing("04", "rbf")
kernel_pca = listing("04", "kernel_pca")
kernel_pca_transform = listing("04", "kernel_pca_transform")


TIES = dict.fromkeys(["ties", "integers"], "equally near: either may be the neighbour")
COPIES = dict.fromkeys(["equal rows", "all rows equal"], TIES["ties"])


def array(X):
    return np.asarray(X, float)


def test_coordinates():
    def ours(X, rng):
        Z = coordinates(squareform(pdist(array(X))), 2)
        return Z @ Z.T

    def theirs(X, rng):
        Z = ClassicalMDS(2, metric="precomputed").fit_transform(squareform(pdist(array(X))))
        return Z @ Z.T

    agree("mds", ours, theirs, size=(12, 4))


def test_ant_distances():
    def ours(X, rng):
        return ant_distances(array(X), 3)

    def theirs(X, rng):
        return shortest_path(kneighbors_graph(array(X), 3, mode="distance"), directed=False)

    agree("paths", ours, theirs, size=(12, 4), reasons=TIES)


def test_isomap():
    def ours(X, rng):
        Z = coordinates(ant_distances(array(X), 6), 2)
        return Z @ Z.T

    def theirs(X, rng):
        Z = Isomap(n_neighbors=6, eigen_solver="dense").fit_transform(array(X))
        return Z @ Z.T

    agree("isomap", ours, theirs, size=(15, 4), reasons=TIES)


def test_weight_matrix():
    agree(
        "weights",
        lambda X, rng: lle(array(X), 5, 2)[1],
        lambda X, rng: lle_weights(array(X), n_neighbors=5).toarray(),
        size=(12, 4),
        reasons=COPIES,
    )


def test_lle():
    def ours(X, rng):
        Z = lle(array(X), 7, 2)[0] / np.sqrt(len(array(X)))
        return Z @ Z.T

    def theirs(X, rng):
        Z = LocallyLinearEmbedding(n_neighbors=7, eigen_solver="dense").fit_transform(array(X))
        return Z @ Z.T

    digits = {"offset 1e8": "half of the rows as neighbours: scikit-learn's distances lose their digits"}
    agree("lle", ours, theirs, size=(15, 4), reasons=COPIES | digits | {"ties": TIES["ties"]})


def test_similarities():
    def ours(X, rng):
        return squareform(similarities(array(X), 5), checks=False)

    def theirs(X, rng):
        return _joint_probabilities(cdist(array(X), array(X), "sqeuclidean").astype("f4"), 5, 0)

    agree("similarities", ours, theirs, size=(15, 4), tol=1e-3)


def test_gradient():
    """The chapter's own similarities, on maps of any kind."""

    def both(X, rng):
        return array(X), similarities(rng.normal(size=(len(array(X)), 3)), 4)

    def ours(X, rng):
        Z, P = both(X, rng)
        return gradient(P, Z)

    def theirs(X, rng):
        Z, P = both(X, rng)
        return _kl_divergence(Z.ravel(), squareform(P, checks=False), 1, *Z.shape)[1].reshape(Z.shape)

    agree("gradient", ours, theirs, size=(15, 2), reasons={"all rows equal": "0 but for rounding"})


def test_kernel_pca():
    def ours(X, rng):
        X = array(X)
        K = rbf(X[:15], X[:15], 0.3)
        Z, lam, V = kernel_pca(K, 2)
        placed = kernel_pca_transform(rbf(X[15:], X[:15], 0.3), K, lam, V)
        return Z @ Z.T, placed @ Z.T

    def theirs(X, rng):
        X = array(X)
        kpca = KernelPCA(2, kernel="rbf", gamma=0.3, eigen_solver="dense").fit(X[:15])
        Z = kpca.transform(X[:15])
        return Z @ Z.T, kpca.transform(X[15:]) @ Z.T

    far = ["scale 1e12", "mixed units", "one column 1e8"]
    reasons = dict.fromkeys(far, "all kernels are 0: any axes are as good")
    reasons |= dict.fromkeys(["scale 1e-12", "all rows equal"], "all kernels are 1: 0 but for rounding")
    reasons["offset 1e8"] = "scikit-learn's distances lose their digits"
    agree("kernel pca", ours, theirs, size=(20, 3), reasons=reasons)


def test_place():
    def ours(X, rng):
        X = array(X)
        model = Isomap(n_neighbors=6, eigen_solver="dense").fit(X[:12])
        return np.array([place(model, X[:12], x) for x in X[12:]])

    def theirs(X, rng):
        X = array(X)
        return Isomap(n_neighbors=6, eigen_solver="dense").fit(X[:12]).transform(X[12:])

    agree("place", ours, theirs, twists=["as drawn", "by columns", "backwards", "float32"], size=(15, 4))
