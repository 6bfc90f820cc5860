"""Variants and statements: maps from distances, neighbours and kernels."""

import numpy as np
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist
from sklearn.manifold import TSNE, Isomap
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from grading.variant import Variant, also, bank, fails, holds, variant
from homework.manifold.questions import H, check_torn, gram, graph_distances, lle_embed, lle_weights, mds


def points(n=12, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def distances(X):
    return cdist(X, X)


def ring(n=4):
    """Distances along a ring of n points."""
    step = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return np.minimum(step, n - step).astype(float)


def weights(point, neighbours):
    """With sum 1; two neighbours on a line."""
    return np.linalg.solve(np.array([neighbours, [1.0, 1.0]]), [point, 1.0])


def one_way():
    x = np.array([0.0, 1.0, 1.1])
    nearest = [np.abs(x - v + np.where(x == v, 99, 0)).argmin() for v in x]
    return nearest[0] == 1 and nearest[1] != 0


TURN = np.linspace(1.5, 4.5, 200) * np.pi
SPIRAL = np.column_stack([TURN * np.cos(TURN), TURN * np.sin(TURN)])
STEPS = np.r_[0, np.linalg.norm(np.diff(SPIRAL, axis=0), axis=1).cumsum()]
ARC = np.abs(np.subtract.outer(STEPS, STEPS))  # the way along the sheet


def off_the_arc(L):
    """How far the distances in the graph of L neighbours are from those along the spiral, on average."""
    G = shortest_path(kneighbors_graph(SPIRAL, L, mode="distance"), directed=False)
    return np.abs(G - ARC).mean()


def one_short_cut():
    """Whether the longest way along a chain is halved when its ends are joined."""
    chain = np.diag(np.ones(39), 1)
    joined = chain.copy()
    joined[0, -1] = 0.1
    longest = [shortest_path(one, directed=False).max() for one in (chain, joined)]
    return longest[1] < 0.6 * longest[0]


def to_rebuild():
    """LLE's matrix M."""
    V = np.eye(12) - lle_weights(points(), 4, 1e-3)
    return V.T @ V


def tsne_of_two(seed=0):
    """(how many times as wide t-SNE draws the wider of two groups, ten times as wide; its cost)"""
    X = np.vstack([points(40), 10 * points(40, seed=1) + 99])
    model = TSNE(perplexity=10, init="random", random_state=seed, max_iter=400)
    Z = model.fit_transform(X)
    return Z[40:].std() / Z[:40].std(), model.kl_divergence_


bank(
    "manifold",
    holds(
        "Classical scaling on Euclidean distances gives points with exactly those distances, if "
        "as many axes are kept as the points span.",
        "G is then the matrix of inner products of the centred points.",
        lambda: np.allclose(distances(mds(distances(points()), 3)), distances(points())),
    ),
    holds(
        "Distances determine the points up to shifts, rotations and reflections.",
        "They determine all inner products of the centred points.",
        lambda: np.allclose(distances(mds(distances(points()), 3)), distances(points())),
    ),
    fails(
        "From distances alone one can tell a map from its mirror image.",
        "A reflection keeps all distances.",
        lambda: not np.allclose(distances(points()), distances(points() * [-1, 1, 1])),
    ),
    holds(
        "Classical scaling on Euclidean distances gives the scores of PCA, up to signs.",
        "G = XcXcᵀ, whose eigenvectors times the roots of the eigenvalues are the scores.",
        lambda: np.allclose(
            np.abs(mds(distances(points()), 3)),
            np.abs((Xc := points() - points().mean(axis=0)) @ np.linalg.svd(Xc)[2].T),
        ),
    ),
    fails(
        "Every symmetric table of positive distances with zeros on the diagonal is that of some "
        "points in a Euclidean space.",
        "The distances along a ring are not: G has a negative eigenvalue.",
        lambda: np.linalg.eigvalsh(gram(ring())).min() > -1e-9,
    ),
    holds(
        "A negative eigenvalue of G says that the distances are not Euclidean.",
        "Inner products of real points give no negative eigenvalue.",
        lambda: (
            np.linalg.eigvalsh(gram(distances(points()))).min()
            > -1e-9
            > np.linalg.eigvalsh(gram(ring())).min()
        ),
    ),
    fails(
        "In (4.1) the distances stand unsquared.",
        "The cosine law needs squares.",
        lambda: np.allclose(gram(distances(points())), gram(distances(points()) ** 0.5)),
    ),
    holds(
        "Doubling all distances makes the map twice as large.",
        "G grows fourfold, its roots twofold.",
        lambda: np.allclose(np.abs(mds(2 * distances(points()), 2)), 2 * np.abs(mds(distances(points()), 2))),
    ),
    holds(
        "The coordinates of classical scaling have mean 0.",
        "G is centred on both sides.",
        lambda: np.allclose(mds(distances(points()), 3).mean(axis=0), 0),
    ),
    fails(
        "A path in the neighbour graph can be shorter than the straight line between its ends.",
        "Each edge is a straight piece: the triangle inequality.",
        lambda: (graph_distances(points(), 4) < distances(points()) - 1e-9).any(),
    ),
    holds(
        "Isomap with every row joined to every other gives the map of classical scaling on the "
        "straight distances.",
        "No detour beats the direct edge.",
        lambda: np.allclose(
            distances(Isomap(n_neighbors=11).fit_transform(points())), distances(mds(distances(points()), 2))
        ),
    ),
    fails(
        "If row i is among the nearest neighbours of row j, then j is among those of i.",
        "Of 0, 1 and 1.1, the nearest to 0 is 1, whose nearest is 1.1.",
        lambda: not one_way(),
    ),
    holds(
        "Isomap needs a graph in one piece to place all rows in one map.",
        "Between pieces there is no path, and so no distance.",
        lambda: np.isinf(graph_distances(np.vstack([points(6), points(6) + 99]), 2)).any(),
    ),
    holds(
        "One wrong edge across two sheets of a roll can halve the longest geodesic distance.",
        "Shortest paths look for such a shortcut and use it.",
        one_short_cut,
    ),
    fails(
        "More neighbours always make Isomap's distances more accurate.",
        "With too many, edges jump between the sheets.",
        lambda: off_the_arc(60) <= off_the_arc(6),
    ),
    holds(
        "A straight edge between two rows of a curved sheet is never longer than the way along the sheet.",
        "The straight line is the shortest way of all.",
        lambda: (distances(SPIRAL) <= ARC + 1e-9).all(),
    ),
    holds(
        "LLE's weights of a row sum to 1.",
        "That makes them blind to a shift of all points.",
        lambda: np.isclose(weights(1.0, [0.0, 4.0]).sum(), 1),
    ),
    holds(
        "A weight of LLE may be negative.",
        "A point beyond its neighbours needs one.",
        lambda: weights(6.0, [0.0, 4.0]).min() < 0,
    ),
    fails(
        "Turning and shifting all points changes the weights of LLE.",
        "Reconstruction with sum 1 commutes with both.",
        lambda: not np.allclose(weights(1.0, [0.0, 4.0]), weights(-6.0, [-5.0, -9.0])),
    ),
    fails(
        "With more neighbours than features, LLE's weights are unique without a ridge.",
        "The local Gram matrix is singular then.",
        lambda: np.linalg.matrix_rank(points(5, 3) @ points(5, 3).T) == 5,
    ),
    holds(
        "LLE drops the eigenvector of the smallest eigenvalue because it is constant.",
        "M1 = 0, since all weights of a row sum to 1.",
        lambda: np.allclose(to_rebuild() @ np.ones(12), 0),
    ),
    fails(
        "LLE's map of rows that lie ten times as far apart is ten times as large.",
        "Its coordinates have variance 1 whatever the distances were.",
        lambda: np.allclose(
            *(np.linalg.norm(lle_embed(lle_weights(a * points(), 4, 1e-3), 2)) / a for a in (1, 10))
        ),
    ),
    holds(
        "Kernel PCA with the linear kernel gives the scores of PCA.",
        "K = XXᵀ, centred, is G.",
        lambda: np.allclose(
            np.linalg.eigvalsh(H(12) @ points() @ points().T @ H(12))[-3:],
            np.linalg.svd(points() - points().mean(axis=0))[1][::-1] ** 2,
        ),
    ),
    fails(
        "A kernel of centred rows is centred in feature space.",
        "The images have another mean; K is to be centred itself.",
        lambda: np.allclose(rbf_kernel(points() - points().mean(axis=0)).sum(axis=1), 0),
    ),
    holds(
        "The Gaussian kernel of a row with itself is 1.",
        "exp(0) = 1.",
        lambda: np.allclose(np.diag(rbf_kernel(points())), 1),
    ),
    holds(
        "With a Gaussian kernel that is very narrow, all rows look equally unlike.",
        "K tends to the unit matrix.",
        lambda: np.allclose(rbf_kernel(points(), gamma=1e3), np.eye(12), atol=1e-6),
    ),
    fails(
        "The area that t-SNE gives a cluster tells how spread out it was.",
        "Each point's neighbourhood has a scale of its own: wide and narrow clusters come out alike.",
        lambda: tsne_of_two()[0] > 5,
    ),
    holds(
        "Two runs of t-SNE from different random starts may give different maps.",
        "Its cost is not convex.",
        lambda: not np.isclose(*(tsne_of_two(seed)[1] for seed in (0, 1))),
    ),
)


@variant("manifold.1")
def three_points(rng):
    a, b = rng.choice(np.arange(1, 8), 2, replace=False)
    z = np.array([0.0, a, a + b])
    z -= z.mean()
    D = distances(z[:, None])
    G = gram(D)
    unsquared = gram(np.sqrt(D))

    def on_axis(M):
        lam, V = np.linalg.eigh(M)
        return V[:, -1] * lam[-1] ** 0.5

    text = (
        f"Three points have the distances $d_{{12}} = {a}$, $d_{{23}} = {b}$, $d_{{13}} = "
        f"{a + b}$. By hand: "
        "(G_12, [z_1, z_2, z_3]), the entry of the matrix $G$ of (4.1) and the coordinates that "
        "classical scaling gives "
        "them on one axis, with either sign."
    )
    return Variant(
        text,
        (G[0, 1], z.tolist()),
        {
            "distances not squared": (unsquared[0, 1], on_axis(unsquared).tolist()),
            "not centred": (0, (z - z[0]).tolist()),
            "one point for the centre": (0, (z - z[1]).tolist()),
            "a unit eigenvector": (G[0, 1], (z / np.linalg.norm(z)).tolist()),
            "the factor left out": (-2 * G[0, 1], z.tolist()),
            "minus a half taken for a half": (-G[0, 1], z.tolist()),
        },
    )


@variant("manifold.2")
def between_and_beyond(rng):
    a, gap = int(rng.integers(-5, 6)), int(rng.integers(3, 9))
    b, inside, out = a + gap, a + int(rng.integers(1, gap)), a + gap + int(rng.integers(1, 6))
    near, far = weights(inside, [a, b]), weights(out, [a, b])
    inverse = [[abs(b - p), abs(p - a)] / np.float64(abs(b - p) + abs(p - a)) for p in (inside, out)]
    text = (
        f"Two neighbours lie on a line at {a} and at {b}. Which weights, with sum 1, rebuild a "
        f"point at {inside}? And a point at "
        f"{out}? A list of two lists [w of {a}, w of {b}]: for the point at {inside}, then for the "
        f"point at {out}. No ridge."
    )
    return Variant(
        text,
        [near.tolist(), far.tolist()],
        {
            "the farther one weighs more": [near[::-1].tolist(), far[::-1].tolist()],
            "one over the distance": [w.tolist() for w in inverse],
            "even weights": [[0.5, 0.5], [0.5, 0.5]],
            "weights kept from being negative": [near.tolist(), [0.0, 1.0]],
        },
    )


@variant("manifold.9")
def torn_once_more(rng):
    L, d = int(rng.integers(3, 7)), int(rng.integers(1, 4))

    def demand(got):
        X = np.asarray(got[0], float)
        if got[1] != L:
            return f"Let L be {L}."
        if X.ndim != 2 or X.shape[1] != d:
            return f"X should have {d} column{'s' * (d > 1)}."

    crowd = np.cumsum(1 + 0.1 * np.arange(L + 1) ** 1.1) / 10
    line = np.concatenate([crowd, [5.23], 10 + crowd])
    text = (
        f"A table of 5 to 200 different rows with {d} column{'s' * (d > 1)}, as (X, {L}), such "
        f"that the graph of the {L} nearest "
        "neighbours, taken in both directions, is in one piece, and yet LLE's $M$ has two zero "
        "eigenvalues or more."
    )
    X = np.column_stack([line] + [1e-3 * np.sin(line * (j + 2)) for j in range(d - 1)])
    return Variant(text, (X, L), checker=also(check_torn, demand))
