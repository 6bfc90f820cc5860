"""Homework 4: kernel PCA, LLE and Isomap."""

from functools import cache

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.spatial.distance import cdist
from sklearn.manifold import Isomap
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from grading.question import Case, Task, computed_once, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_up_to_sign
from helpers.datasets import load_camera
from helpers.methods import lle
from helpers.reading import Notation

NO_MAPS = ("sklearn.manifold", "sklearn.decomposition", "helpers.methods.lle")
NO_PATHS = (*NO_MAPS, "scipy.sparse.csgraph", "networkx")


def same_map(a, b):
    """Coordinates in columns, up to sign."""
    return same_up_to_sign(a, b, tol=1e-5)


def H(n):
    return np.eye(n) - 1 / n


def gram(D):
    """Inner products of the centred points, from their distances: (4.1)."""
    return -H(len(D)) @ D**2 @ H(len(D)) / 2


def largest_first(S):
    lam, V = np.linalg.eigh(S)
    return lam[::-1], V[:, ::-1]


# ---- 1: by hand


def same_product_and_map(a, b):
    return len(a) == len(b) == 2 and close(a[0], b[0], tol=1e-3) and same_up_to_sign(a[1], b[1], tol=1e-3)


question(
    "manifold.1",
    "Three points from three distances",
    name="product_and_map",
    core=True,
    then="Go on: make d₁₃ = 4. Which sign has an eigenvalue of G now, and what does it say?",
    cases=Case(2),
    secret=True,
    truth=(4 / 9, [-4 / 3, -1 / 3, 5 / 3]),
    same=same_product_and_map,
    mistakes={
        "distances not squared": (
            "Cosine law: which power of the distance gives inner products?",
            (-1 / 18, [-0.8165, -0.2041, 1.0206]),
        ),
        "not centred": (
            "The distances are right. What do the coordinates of centred points sum to?",
            (0, [0, 1, 3]),
        ),
        "one point for the centre": (
            "The distances are right. Which point of the line is the centre of G?",
            (0, [-1, 0, 2]),
        ),
        "a unit eigenvector": (
            "Compare the distances of your points with D: the axis lacks its length.",
            (4 / 9, [-0.6172, -0.1543, 0.7715]),
        ),
        "the factor left out": (
            "Your matrix has a negative diagonal. Can a product of a row with itself be negative?",
            (-8 / 9, [-4 / 3, -1 / 3, 5 / 3]),
        ),
        "minus a half taken for a half": ("Look at the sign in (4.1).", (-4 / 9, [-4 / 3, -1 / 3, 5 / 3])),
    },
    hints=[
        "First find places on a line for the three points. Then move them such that their mean is 0.",
        "G holds the products of the centred points.",
    ],
)

# ---- 2: weights by hand

question(
    "manifold.2",
    "Weights of a point between and beyond",
    name="weights",
    core=True,
    then="Go on: a third neighbour at 2. How many sets of weights rebuild the point at 1 now?",
    cases=Case(2),
    secret=True,
    truth=[[3 / 4, 1 / 4], [-1 / 2, 3 / 2]],
    same=lambda a, b: close(a, b, tol=1e-3),
    mistakes={
        "the farther one weighs more": (
            "Rebuild the first point with your weights: where does it land?",
            [[1 / 4, 3 / 4], [3 / 2, -1 / 2]],
        ),
        "no sum to one": ("Shift all points: should the weights care?", [[0, 1 / 4], [0, 3 / 2]]),
        "one over the distance": (
            "That is how a vote is weighted. Rebuild the second point with these weights.",
            [[3 / 4, 1 / 4], [1 / 4, 3 / 4]],
        ),
        "even weights": (
            "Even weights rebuild the middle. Are the points there?",
            [[1 / 2, 1 / 2], [1 / 2, 1 / 2]],
        ),
        "weights kept from being negative": (
            "The nearest you get without a negative weight is a neighbour itself. Is a negative weight "
            "forbidden?",
            [[3 / 4, 1 / 4], [0, 1]],
        ),
    },
    hints=[
        "Two equations for two weights: what they rebuild, and what they sum to.",
        "A weight may be negative, and larger than 1.",
    ],
)

# ---- 3: kernel PCA


def kernel_pca(X, gamma, k, power=2, centre=lambda K: H(len(K)) @ K @ H(len(K)), scale=np.sqrt, order=1):
    lam, V = largest_first(centre(np.exp(-gamma * cdist(X, X) ** power)))
    lam, V = lam[::order], V[:, ::order]
    return V[:, :k] * scale(np.abs(lam[:k]))


question(
    "manifold.3",
    "Kernel PCA",
    then="Go on: what becomes of the map when γ is so large that each row is alike to itself only?",
    stars=2,
    truth=kernel_pca,
    same=same_map,
    forbids=NO_MAPS,
    cases=[
        Case(2, "rows with three features", lambda rng: (3 + rng.normal(size=(25, 3)) * [2, 1, 0.5], 0.3, 2)),
        Case(
            1,
            "one feature, three components",
            lambda rng: (np.sort(rng.uniform(0, 4, size=(12, 1)), axis=0) + 10, 1.0, 3),
        ),
    ],
    mistakes={
        "kernel not centred": (
            "Centring X does not centre the images in feature space. Do your rows of K sum to 0?",
            dict(centre=lambda K: K),
        ),
        "γ taken for a width": (
            "Is the kernel of a large γ wide or narrow? Which of the two is yours?",
            lambda X, gamma, k: kernel_pca(X, 0.5 / gamma**2, k),
        ),
        "unit eigenvectors as coordinates": (
            "All your coordinates have one spread. Each axis lacks its length.",
            dict(scale=np.ones_like),
        ),
        "distance not squared in the kernel": (
            "At which distance does a Gaussian fall to 1/e?",
            dict(power=1),
        ),
        "multiplied by the eigenvalue": (
            "The axes are right. Which power of λ has the unit of a score?",
            dict(scale=lambda lam: lam),
        ),
        "divided by the root": (
            "The axes are right. Should an axis with a larger λ have larger or smaller scores?",
            dict(scale=lambda lam: 1 / np.sqrt(lam)),
        ),
        "the smallest eigenvalues": ("In which order does eigh answer?", dict(order=-1)),
        "centred from one side": (
            "Your columns sum to 0. Do your rows?",
            dict(centre=lambda K: (H(len(K)) @ K + (H(len(K)) @ K).T) / 2),
        ),
    },
    hints=[
        "Three lines in section 4.23: the kernel matrix, centred from both sides; its eigenvectors; their "
        "lengths.",
        "scipy.spatial.distance.cdist gives distances, not their squares.",
    ],
)

# ---- 4: new rows


def draw_kernels(rng, new=6):
    X, Y = rng.normal(size=(15, 2)), rng.normal(size=(new, 2)) + 1
    return rbf_kernel(X, gamma=0.5), rbf_kernel(Y, X, gamma=0.5)


def draw_polynomial(rng):
    X, Y = rng.normal(size=(9, 3)) + 2, rng.normal(size=(9, 3))
    return (X @ X.T) ** 2, (Y @ X.T) ** 2


def centre_new(
    K,
    K_new,
    columns=lambda K, K_new: K.mean(axis=0),
    rows=lambda K, K_new: K_new.mean(axis=1, keepdims=True),
    total=lambda K, K_new: K.mean(),
):
    return K_new - columns(K, K_new) - rows(K, K_new) + total(K, K_new)


question(
    "manifold.4",
    "A broken centring of new rows",
    then="Go on: put the training kernel in as the new one, centre, and centre again. What changes "
    "the second time?",
    stars=2,
    truth=centre_new,
    forbids=NO_MAPS,
    cases=[
        Case(1, "several new rows", draw_kernels),
        Case(1, "a single new row", lambda rng: draw_kernels(rng, new=1)),
        Case(1, "as many new rows as old, another kernel", draw_polynomial),
    ],
    mistakes={
        "test kernel centred by itself": (
            "Embed one point alone: it lands on 0. Whose means belong here?",
            dict(columns=lambda K, K_new: K_new.mean(axis=0), total=lambda K, K_new: K_new.mean()),
        ),
        "the new rows' column means": (
            "Two of your three means are right. Whose images is the map centred on?",
            dict(columns=lambda K, K_new: K_new.mean(axis=0)),
        ),
        "the new rows' total mean": (
            "Two of your three means are right. Do your rows sum to 0?",
            dict(total=lambda K, K_new: K_new.mean()),
        ),
        "the rows' means forgotten": (
            "Write (φ(x) − m)·(φ(y) − m) as four products: one is missing.",
            dict(rows=lambda K, K_new: 0),
        ),
        "the total mean forgotten": (
            "Write (φ(x) − m)·(φ(y) − m) as four products: one is missing.",
            dict(total=lambda K, K_new: 0),
        ),
        "the total mean taken off twice": (
            "Which sign has the product of the mean with itself?",
            dict(total=lambda K, K_new: -K.mean()),
        ),
    },
    hints=[
        "Embed one new row alone, and then in company. Is it the same row?",
        "All means but one are known before the first new row arrives.",
    ],
)

# ---- 5: LLE's weights


def draw_cloud(rng):
    """Far from the origin; fewer neighbours than features."""
    return 20 + rng.normal(size=(14, 6)), 3, 1e-3


def draw_crowded(rng):
    """More neighbours than features."""
    return 5 + rng.normal(size=(20, 2)), 5, 1e-2


def lle_weights(
    X,
    L,
    reg,
    self_distance=np.inf,
    ridge=lambda C, reg: reg * np.trace(C) * np.eye(len(C)),
    solve=lambda C, gaps: np.linalg.pinv(C) @ np.ones(len(C)),
    norm=lambda w: w / w.sum(),
    nearest=1,
):
    D = cdist(X, X)
    np.fill_diagonal(D, self_distance)
    W = np.zeros_like(D)
    for i, near in enumerate(D.argsort(axis=1)[:, ::nearest][:, :L]):
        gaps = X[i] - X[near]
        C = gaps @ gaps.T
        W[i, near] = norm(solve(C + ridge(C, reg), gaps))
    return W


def _least_squares(X, L, reg):
    """No constraint: the neighbours themselves, not their differences."""
    W, D = np.zeros((len(X), len(X))), cdist(X, X)
    np.fill_diagonal(D, np.inf)
    for i, near in enumerate(D.argsort(axis=1)[:, :L]):
        C = X[near] @ X[near].T
        W[i, near] = np.linalg.solve(C + reg * np.trace(C) * np.eye(L), X[near] @ X[i])
    return W


question(
    "manifold.5",
    "Who rebuilds you",
    core=True,
    then="Cost: one small system for each row, of the size of its neighbours: the number of rows "
    "enters once.",
    stars=2,
    truth=lle_weights,
    forbids=NO_MAPS,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(2, "rows far from the origin", draw_cloud),
        Case(2, "more neighbours than features", draw_crowded),
    ],
    mistakes={
        "a share of the mean": (
            "Your ridge is a share of the mean of the diagonal. Of what is it asked to be a share?",
            dict(ridge=lambda C, reg: reg * np.trace(C) / len(C) * np.eye(len(C))),
        ),
        "neighbour of itself": ("Every point is rebuilt perfectly: by whom?", dict(self_distance=0)),
        "no sum to one": ("Shift all points: should the weights care?", _least_squares),
        "no ridge": (
            "More neighbours than dimensions: how many sets of weights rebuild the point?",
            dict(ridge=lambda C, reg: 0),
        ),
        "a ridge with a unit": (
            "Measure in millimetres instead of metres: your ridge does not notice. Should it?",
            dict(ridge=lambda C, reg: reg * np.eye(len(C))),
        ),
        "not normalised": ("The directions are right. What should each row sum to?", dict(norm=lambda w: w)),
        "scaled to length 1": (
            "You gave each row length 1. What should be 1?",
            dict(norm=lambda w: w / np.linalg.norm(w)),
        ),
        "weights by distance": (
            "Near neighbours weigh more, as in a vote. Do your weights rebuild the point?",
            dict(solve=lambda C, gaps: 1 / np.linalg.norm(gaps, axis=1)),
        ),
        "the farthest": ("Who is rebuilt by the far end of the cloud?", dict(self_distance=-1.0, nearest=-1)),
        "the product in place of the inverse": (
            "C w = 1: which way round did you solve it?",
            dict(solve=lambda C, gaps: C @ np.ones(len(C))),
        ),
    },
    hints=[
        "Sort each row of the distances; then look who stands first.",
        "For each row: C w = 1 with the ridge on the diagonal of C, then divide by the sum.",
    ],
)

# ---- 6: repair LLE's coordinates


def draw_weights(rng, k=2):
    """Weights of a curved sheet that hangs together."""
    while True:
        u, v = rng.uniform(0, 3, size=40), rng.uniform(size=40)
        W = lle_weights(np.column_stack([np.cos(u), np.sin(u), v]), 8, 1e-3)
        if connected_components(W, connection="strong")[0] == 1:
            return W, k


def lle_embed(W, k, form=lambda A: A.T @ A, choose=lambda V, k: V[:, 1 : k + 1], scale=np.sqrt):
    V = np.linalg.eigh(form(np.eye(len(W)) - W))[1]
    return choose(V, k) * scale(len(W))


question(
    "manifold.6",
    "A broken last step of LLE",
    then="Go on: how many eigenvalues are 0 when the graph has two closed groups?",
    stars=2,
    truth=lle_embed,
    same=same_map,
    forbids=NO_MAPS,
    cases=[
        Case(2, "two coordinates", draw_weights),
        Case(1, "one coordinate", lambda rng: draw_weights(rng, k=1)),
    ],
    mistakes={
        "the constant kept": (
            "One coordinate is the same for all. Why is M1 = 0?",
            dict(choose=lambda V, k: V[:, :k]),
        ),
        "the largest eigenvectors, as in PCA": (
            "PCA looks for the most variance. Do you want the most cost?",
            dict(choose=lambda V, k: V[:, ::-1][:, :k]),
        ),
        "wrong product": (
            "Write the cost as a quadratic form in Z: which index does W sum over?",
            dict(form=lambda A: A @ A.T),
        ),
        "unit length": ("The directions are right. What should ZᵀZ / n be?", dict(scale=lambda n: 1)),
        "W in place of I − W": (
            "Your matrix is large where W is. What does a perfect map cost?",
            dict(form=lambda A: (np.eye(len(A)) - A).T @ (np.eye(len(A)) - A)),
        ),
        "only the symmetric part": (
            "I − W is not symmetric, so eigh reads one triangle of it. Which matrix has the cost?",
            dict(form=lambda A: A + A.T),
        ),
        "rows for columns": (
            "Where does eigh keep the i-th eigenvector?",
            dict(choose=lambda V, k: V[1 : k + 1].T),
        ),
        "everything at once, as in the broken code": (
            "Look at one thing after another: the product, the choice of the eigenvectors, their length.",
            dict(form=lambda A: A @ A.T, choose=lambda V, k: V[:, :k], scale=lambda n: 1),
        ),
    },
    hints=[
        "Check the two constraints of (4.6) for what comes back.",
        "Three things are wrong: a product, a choice of columns, a length.",
    ],
)

# ---- 7: distances along the graph


def draw_path(rng, apart=0.0):
    """Uneven steps along a bent line; with `apart` a second piece far away."""
    while True:
        u = np.cumsum(rng.uniform(0.1, 1, size=14))
        X = np.column_stack([3 * np.cos(u / 3), 3 * np.sin(u / 3)]) + 0.05 * rng.normal(size=(14, 2))
        X = np.concatenate([X, rng.normal(size=(6, 2)) + apart]) if apart else X
        near = cdist(X, X).argsort(axis=1)[:, 1:3]
        graph = np.zeros((len(X), len(X)))
        np.put_along_axis(graph, near, 1, axis=1)
        if connected_components(graph)[0] == (2 if apart else 1):
            return X[rng.permutation(len(X))], 2


def graph_distances(X, L):
    D = cdist(X, X)
    G = np.full(D.shape, np.inf)
    np.fill_diagonal(G, 0)
    for i, near in enumerate(D.argsort(axis=1)[:, 1 : L + 1]):
        G[i, near] = G[near, i] = D[i, near]
    for via in range(len(X)):
        G = np.minimum(G, G[:, via, None] + G[via])
    return G


def _paths(X, L, edge=lambda D: D, back=True, both=False, skip=1, relax=True):
    """graph_distances with one part exchanged."""
    D = cdist(X, X)
    near = np.zeros(D.shape, bool)
    np.put_along_axis(near, D.argsort(axis=1)[:, skip : L + skip], True, axis=1)
    near = near & near.T if both else near | near.T if back else near
    G = np.where(near, edge(D), np.inf)
    np.fill_diagonal(G, 0)
    for via in range(len(X) if relax else 0):
        G = np.minimum(G, G[:, via, None] + G[via])
    return G


def _stops_in_the_inner_loop(X, L):
    """Each pair asks all stops once, in its turn; most ways to and from the stops are not known yet."""
    G = _paths(X, L, relax=False)
    for i in range(len(X)):
        for j in range(len(X)):
            G[i, j] = min(G[i, j], (G[i] + G[:, j]).min())
    return G


def same_paths(a, b):
    """Distances, of which some may be infinite."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape or np.isnan(a).any() or (np.isinf(a) != np.isinf(b)).any() or (a < 0).any():
        return False
    return close(np.where(np.isinf(a), 0, a), np.where(np.isinf(b), 0, b))


question(
    "manifold.7",
    "The ant's distances",
    core=True,
    then="Cost: Dijkstra from each row takes about n² log n for few neighbours, Floyd and Warshall n³.",
    stars=2,
    truth=graph_distances,
    parts=_paths,
    same=same_paths,
    forbids=NO_PATHS,
    cases=[
        Case(2, "a graph in one piece", draw_path),
        Case(1, "a graph in two pieces", lambda rng: draw_path(rng, apart=100.0)),
    ],
    mistakes={
        "edges counted, not measured": ("Is a long step as short as a small one?", dict(edge=np.ones_like)),
        "one-way edges": ("Is the way back as long as the way there?", dict(back=False)),
        "the stop in the inner loop": (
            "When you fill one pair, are the ways over all stops known already? Which loop is outermost?",
            _stops_in_the_inner_loop,
        ),
        "infinity made 0": (
            "No path is not distance 0. Count the components first.",
            lambda X, L: np.nan_to_num(graph_distances(X, L), posinf=0),
        ),
        "infinity made the straight distance": (
            "You found a way where there is none. How did the ant get there?",
            lambda X, L: np.where(np.isinf(graph_distances(X, L)), cdist(X, X), graph_distances(X, L)),
        ),
        "the bird's distances": (
            "Those are straight lines. Which pairs are neighbours?",
            lambda X, L: cdist(X, X),
        ),
        "edges only, no paths": (
            "Two steps are a path as well. What do you do with pairs that are not neighbours?",
            dict(relax=False),
        ),
        "friends only": (
            "You joined two rows when each is a neighbour of the other. What does the question ask for?",
            dict(both=True),
        ),
        "a row is its own first neighbour": (
            "Count the edges of a row. Who took one of its places?",
            dict(skip=0),
        ),
        "squared lengths": ("Add up two steps of length 1: how long is the path?", dict(edge=lambda D: D**2)),
    },
    hints=[
        "Begin with infinity everywhere, 0 on the diagonal, and the length where there is an edge, both "
        "ways.",
        "A way from i to j may go over m: is it shorter than what you have? Let every row be m once.",
    ],
)


# ---- 8: points from distances


def draw_distances(rng, d=3, k=3):
    X = rng.normal(size=(15, d)) * np.array([4, 2, 1, 0.5])[:d]
    return cdist(X, X), k


def draw_badly_measured(rng):
    """Of no points: a negative eigenvalue is larger than the third positive one, for its size."""
    while True:
        slips = np.triu(3 * rng.normal(size=(12, 12)), 1)
        D = np.abs(cdist(*2 * [rng.normal(size=(12, 3)) * [5, 2, 1]]) + slips + slips.T)
        lam = largest_first(gram(D))[0]
        if -lam[-1] > 1.2 * lam[2] > 0 and np.diff(lam[:4]).max() < -1:
            return D, 3


def mds(D, k, power=2, factor=-0.5, right=H, scale=np.sqrt, order=lambda lam: np.arange(len(lam))):
    G = factor * H(len(D)) @ D**power @ right(len(D))
    lam, V = largest_first((G + G.T) / 2)
    first = order(lam)[:k]
    return V[:, first] * scale(np.abs(lam[first]))


def _by_degrees(D, k):
    degrees = (D**2).sum(axis=1)
    lam, V = largest_first(D**2 / np.sqrt(np.outer(degrees, degrees)))
    return V[:, :k] * np.sqrt(np.abs(lam[:k]))


question(
    "manifold.8",
    "Points from distances",
    core=True,
    then="Go on: what does the largest negative eigenvalue say about the distances you were given?",
    stars=2,
    truth=mds,
    same=same_map,
    forbids=NO_MAPS,
    cases=[
        Case(1, "distances of points in space", draw_distances),
        Case(1, "distances measured so badly that no points have them", draw_badly_measured),
        Case(1, "fewer coordinates than the points have", lambda rng: draw_distances(rng, d=4, k=2)),
    ],
    mistakes={
        "distances not squared": (
            "Cosine law: which power of the distance gives inner products?",
            dict(power=1),
        ),
        "unit eigenvectors as coordinates": (
            "Compare the distances of your points with D: each axis lacks its length.",
            dict(scale=np.ones_like),
        ),
        "the sign forgotten, or the smallest eigenvalues": (
            "Your axes are those along which nothing lies apart. Which sign has G, and in which order does "
            "eigh answer?",
            dict(factor=0.5),
        ),
        "the half forgotten": (
            "All your distances are too long by one factor. How often does x·y stand in |x − y|²?",
            dict(factor=-1),
        ),
        "centred from one side": (
            "Which of the two norms in |x|² + |y|² − 2x·y is still there?",
            dict(right=np.eye),
        ),
        "the degrees in place of the means": (
            "Are your coordinates centred? Means are subtracted; what did you do with the row sums?",
            _by_degrees,
        ),
        "the largest of either sign": (
            "Some eigenvalues are below 0. Can a number below 0 be a squared length?",
            dict(order=lambda lam: np.argsort(-np.abs(lam))),
        ),
        "multiplied by the eigenvalue": (
            "The axes are right. Which power of λ is a length, if G holds squared ones?",
            dict(scale=lambda lam: lam),
        ),
    },
    hints=[
        "Section 4.2 makes inner products of distances, and points of inner products.",
        "Check: the distances of mds(D, 3) are D again, when D comes from space.",
    ],
)

# ---- 9: a torn map


def _row(*places):
    return np.array(places, float)[:, None]


def torn():
    """Two crowds of four, and one point between them that nobody needs."""
    return _row(0, 0.1, 0.21, 0.33, 5.23, 10, 10.12, 10.23, 10.33), 3


def closed_groups(W):
    """Strongly connected groups that no edge leaves."""
    count, group = connected_components(W, connection="strong")
    i, j = W.nonzero()
    return count - len(np.unique(group[i][group[i] != group[j]]))


def check_torn(got):
    X, L = numbers(got[0]), got[1]
    if (
        X is None
        or X.ndim != 2
        or not 5 <= len(X) <= 200
        or isinstance(L, bool)
        or L != int(L)
        or not 3 <= L < len(X)
    ):
        return (
            "Return X with 5 to 200 rows, and a whole number L of at least 3, "
            "smaller than the number of rows."
        )
    graph = kneighbors_graph(X, int(L))
    pieces, groups = (
        connected_components(graph, directed=False)[0],
        closed_groups(lle.lle_weights(X, n_neighbors=int(L))),
    )
    if len(np.unique(X, axis=0)) < len(X):
        return "No two rows should be equal."
    if pieces == 1 and groups >= 2:
        return None
    return (
        f"The graph is in {pieces} piece{'s' * (pieces > 1)}, "
        f"and M has {groups} zero eigenvalue{'s' * (groups > 1)}."
    )


def _scattered(n=40, seed=0, gap=0.0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X + gap * (np.arange(n) % 2)[:, None]


question(
    "manifold.9",
    "In one piece, and torn",
    name="torn",
    then="Go on: how few rows can such data have?",
    stars=3,
    cases=Case(3),
    truth=torn(),
    checker=check_torn,
    same=lambda a, b: close(a[0], b[0]) and a[1] == b[1],
    mistakes={
        "two crowds apart": (
            "Your graph is in pieces to begin with, which everybody would notice. When is a group closed: "
            "does it matter who looks in?",
            (_scattered(gap=100), 3),
        ),
        "one cloud, many neighbours": (
            "In your cloud everybody is needed by somebody. Could a row be joined to others, and yet rebuild "
            "nobody?",
            (_scattered(), 10),
        ),
        "a line of even steps": (
            "Follow the arrows from a row to its neighbours: can you get back from everywhere? Where should "
            "they lead, and not return?",
            (_row(*range(20)) ** 1.01, 3),
        ),
        "the bridge is wide": (
            "The rows of your bridge rebuild each other, and so lead on from one end to the other. What if "
            "they were few?",
            (_row(*np.linspace(0, 10, 40) ** 1.01), 4),
        ),
    },
    hints=[
        "A group is closed when each of its rows has all its neighbours inside the group.",
        "An edge of the graph joins both ends; a weight in W goes one way only. What room does that leave?",
    ],
)

# ---- 10: how many neighbours


def draw_roll(rng, places, times):
    """A narrow strip rolled up, measured at places about equally far apart; so many times at each.

    Who measures three times needs three times the neighbours: no number serves both.
    """
    t = np.linspace(1.5 * np.pi, 4.5 * np.pi, 4000)
    length = (t * np.sqrt(1 + t**2) + np.arcsinh(t)) / 2
    apart = np.ptp(length) / places
    at = np.linspace(length[0], length[-1], places) + rng.uniform(-0.4, 0.4, places) * apart
    at, across = np.repeat(at, times), np.repeat(rng.uniform(0, 5, places), times)
    turn = np.interp(at, length, t)
    X = np.column_stack([turn * np.cos(turn), across, turn * np.sin(turn)])
    X, sheet = X + 0.1 * rng.normal(size=X.shape), np.column_stack([at, across])
    order = rng.permutation(len(X))
    return Task((X[order],), hidden=sheet[order])


def paths(X, L):
    """Lengths of the shortest paths; infinite between the pieces of the graph."""
    return shortest_path(kneighbors_graph(X, L, mode="distance"), directed=False)


@computed_once
def longest(X, L):
    """The longest way along the graph; infinite when it is in pieces."""
    return paths(X, L).max()


TRIED = range(4, 50, 2)


def choose_neighbours(X):
    ways = [(L, way) for L in TRIED if np.isfinite(way := longest(X, L))]
    sound = [L for L, way in ways if way > 0.8 * ways[0][1]]
    return sound[len(sound) // 2], 3


@computed_once
def _pieces_and_stretch(X, sheet, L):
    """Pieces of the graph; its long ways beside the true ones: the most shortened, and the middle."""
    ways = paths(X, L)
    if np.isinf(ways).any():
        return connected_components(kneighbors_graph(X, L), directed=False)[0], None
    apart = cdist(sheet, sheet)
    far = np.triu(apart > 40)
    return 1, np.quantile(ways[far] / apart[far], [0.02, 0.5])


def check_neighbours(got, X, sheet):
    L = numbers(got)
    if L is None or L.shape != () or isinstance(got, bool) or L != int(L) or not 1 <= L < len(X):
        return "Return one whole number, at least 1 and smaller than the number of rows."
    pieces, ratio = _pieces_and_stretch(X, sheet, int(L))
    if pieces > 1:
        return f"With L = {int(L)} the graph is in {pieces} pieces."
    if ratio[0] >= 0.85 and ratio[1] <= 1.15:
        return None
    return (
        f"With L = {int(L)} the graph's long ways are {ratio[1]:.2f} of the true ones in the middle, and "
        f"{ratio[0]:.2f} for the "
        "most shortened. Both should be within 15 % of 1."
    )


reasoned(
    "manifold.10",
    "How many neighbours?",
    core=True,
    then="Go on: your rule looked at no labels. How would you choose if a classifier came after the map?",
    stars=2,
    truth=choose_neighbours,
    checker=check_neighbours,
    same=close,
    cases=[
        Case(1, "places measured once", lambda rng: draw_roll(rng, places=140, times=1)),
        Case(2, "places measured three times", lambda rng: draw_roll(rng, places=120, times=3)),
    ],
    because=Because(
        "**Why** are the long distances too short, all at once, when $L$ becomes a little too large?",
        {
            "Every new edge straightens the ways a little, everywhere on the roll.": (
                "So it does at each L. Plot the longest distance against L: does it fall a little each time?"
            ),
            "The graph falls into pieces, and there is no way from one to another.": (
                "Count the pieces for more and more neighbours. Do they become more?"
            ),
            "A single edge leaps to the next turn of the roll, and many ways take it.": None,
            "The ways have more steps than before, and the noise of the many steps adds up.": (
                "Count the steps of the longest way at two L. And does noise shorten a way?"
            ),
        },
    ),
    mistakes={
        "three, for two coordinates": (
            "One more than the coordinates is a guideline. Is the graph in one piece?",
            lambda X: 3,
        ),
        "half of all rows": (
            "The more neighbours, the safer? Follow the longest distance while L grows.",
            lambda X: len(X) // 2,
        ),
        "the root of n": (
            "A rule of thumb knows nothing of how tight the roll is. Does the longest distance survive it?",
            lambda X: int(np.sqrt(len(X))) + 1,
        ),
        "distances most like the straight ones": (
            "You asked the bird. When are the graph's distances most like straight ones?",
            lambda X: min((10, 20, 40, 80), key=lambda L: longest(X, L)),
        ),
        "a single neighbour": ("With one neighbour each: how many pieces has the graph?", lambda X: 1),
    },
    hints=[
        "Which numbers can you compute for each L without knowing the sheet? Pieces, and the longest "
        "distance.",
        "A short cut shows at once: compare each L with the one before.",
    ],
)

# ---- 11: ten turned photographs with a name


@cache
def _blurred():
    return gaussian_filter(load_camera()[40:296, 100:356], 8)


def _photograph(turn, tilt):
    """448 pixels of a photograph as in the chapter, turned and lit; angles in degrees."""
    side = (np.arange(24) - 11.5) / 12
    down, along = np.meshgrid(side, side, indexing="ij")
    disc, c, s = np.hypot(down, along) <= 1, np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    places = 127.5 + 127 * np.array([c * down - s * along, s * down + c * along])[:, disc]
    return np.cos(np.deg2rad(tilt)) * map_coordinates(_blurred(), places, order=1)


def draw_photographs(rng, n=200, known=8):
    turns, tilts = rng.uniform(0, 120, size=n), rng.uniform(0, 60, size=n)
    which = rng.permutation(n)[:known]
    turns[which[:2]] = rng.uniform(0, 15), rng.uniform(105, 120)
    return Task((np.array([_photograph(*a) for a in zip(turns, tilts)]), which, turns[which]), hidden=turns)


def read_turns(X, known, turns):
    shape = X / np.linalg.norm(X, axis=1, keepdims=True)
    z = Isomap(n_neighbors=8, n_components=1).fit_transform(shape)[:, 0]
    return np.polyval(np.polyfit(z[known], turns, 1), z)


def _nearest_known(X, known, turns):
    return turns[cdist(X, X[known]).argmin(axis=1)]


def by_fit(Z, known, turns):
    """A straight line, or a plane, through the known turns."""
    A = np.column_stack([Z, np.ones(len(Z))])
    return A @ np.linalg.lstsq(A[known], turns, rcond=None)[0]


def _first_axes(X, k):
    Xc = X - X.mean(axis=0)
    return Xc @ np.linalg.svd(Xc, full_matrices=False)[2][:k].T


def unlit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def check_turns(got, X, known, turns, truth):
    guess = numbers(got)
    if guess is None or guess.shape != truth.shape:
        return f"Return a turn for each of the {len(X)} photographs."
    off = np.median(np.abs(np.delete(guess - truth, known)))
    if off <= 3:
        return None
    return f"Half of your turns are off by more than {off:.1f} degrees; 3 are within reach."


question(
    "manifold.11",
    "Eight photographs with a name",
    then="Go on: which eight photographs would you want to have names for, if you could choose?",
    stars=3,
    truth=read_turns,
    checker=check_turns,
    cases=Case(4, draw=draw_photographs),
    seconds=10.0,
    mistakes={
        "the nearest known photograph": (
            "Eight answers for 200 questions. What do the 192 photographs without a name tell you?",
            _nearest_known,
        ),
        "a line along PCA's first axis": (
            "The first axis knows the order. Do equal turns move a picture equally far along it?",
            lambda X, known, turns: by_fit(_first_axes(X, 1), known, turns),
        ),
        "a plane over PCA's two axes": (
            "The first axes know the order. Do equal turns move a picture equally far along them?",
            lambda X, known, turns: by_fit(_first_axes(X, 2), known, turns),
        ),
        "Isomap's first axis, in any light": (
            "You laid the cone flat, and the turn is an angle round its tip. What could you do to the "
            "pictures first, so that the lamp drops out?",
            lambda X, known, turns: by_fit(
                Isomap(n_neighbors=8, n_components=1).fit_transform(X), known, turns
            ),
        ),
        "the mean of the known turns": (
            "That answer needs no photograph at all.",
            lambda X, known, turns: np.full(len(X), turns.mean()),
        ),
        "the map itself": (
            "A map has its own unit. How many degrees is one unit of it, and where is zero?",
            lambda X, known, turns: Isomap(n_neighbors=8, n_components=1).fit_transform(unlit(X))[:, 0],
        ),
    },
    hints=[
        "What does the lamp do to a row of X, and what leaves that unseen?",
        "Use all rows to lay the sheet flat, and the known ones to read off the unit of the map.",
    ],
)


reading(
    "manifold.12",
    "A spiral, unrolled",
    name="in_the_figure",
    then="Go on: put noise on the spiral. Which numbers of neighbours fail now?",
    text="A sheet rolled up to a spiral, seen from above. The three pictures beside it "
    "show three maps by Isomap, with few, some and many neighbours, coloured by the place "
    "along the spiral. Which number of neighbours was too large?",
    choices={
        "The one of the left map: its colours run evenly from end to end.": (
            "That is what was hoped for. In which map is the spiral still rolled up?"
        ),
        "The one of the right map: there the spiral is still rolled up.": None,
        "None: all three are maps of the same rows, and differ in their scale only.": (
            "A map can be wrong. Which of them was to be unrolled, and is not?"
        ),
        (
            "All: Isomap needs one neighbour of each row, and every further one is too many."
        ): "With one neighbour the graph falls to pieces.",
    },
    reasons={
        (
            "Colours are labels, and Isomap uses labels to decide which rows belong near to each other."
        ): "It never sees them; they are for your eye.",
        "Isomap squares the distances only when neighbours are few, and keeps them as they are here.": (
            "It always squares them, in the same formula."
        ),
        "Edges jump from one winding to the next, and the shortest paths take these short cuts.": None,
        (
            "With more neighbours the graph falls into pieces, and each piece is put down by itself."
        ): "More edges never take a graph apart.",
    },
    hints=["What is the shortest way from one winding to the next?"],
)


reading(
    "manifold.13",
    "Clusters of customers",
    name="in_the_report",
    then="Go on: which other picture of the customers can show how far apart A and C are?",
    text='A report: "We drew 2000 customers with t-SNE. Group A fills a large area, group B a '
    "small one, and the gap between A and C is twice that between A and B. **So A is the most "
    'varied group, and C is twice as far from A as B is.**" What is wrong?',
    choices={
        "Only the first: gaps between groups are kept, areas of groups are not.": (
            "Run it again with another perplexity, and measure the gaps."
        ),
        "Both conclusions: neither area nor gap of such a map can be read so.": None,
        (
            "2000 customers are too many for t-SNE, which keeps some of them in place only."
        ): "It takes that many. What does it keep of them?",
        (
            "Nothing: a map shows areas and distances, or nobody would call it a map."
        ): "Which map? Ask what t-SNE tries to keep.",
    },
    reasons={
        "The groups have different numbers of customers, and larger groups fill larger areas.": (
            "With equal numbers the conclusions would be as wrong."
        ),
        (
            "t-SNE is linear, and a linear map stretches some directions and shortens others."
        ): "It is not linear: no matrix maps the rows.",
        "Each neighbourhood gets a width of its own, and far distances hardly enter the cost.": None,
        (
            "t-SNE needs labels to place groups, and without them it puts them down anywhere."
        ): "It never sees a label.",
    },
    hints=["Whose neighbours does t-SNE keep: near ones, or far ones?"],
)


INNER_PRODUCT = Notation(
    r"""
    n      | number       | how many points                  |
    D      | matrix n × n | their distances                  |
    d_{ij} | number       | distance of points $i$ and $j$   | entry of D
    """,
    default=False,
)


def centred_products(power="^2", factor=r"-\frac12", last=r" + \frac{1}{n^2} \sum_k \sum_l d_{kl}^2"):
    means = rf"\frac1n \sum_k d_{{ik}}{power} - \frac1n \sum_k d_{{kj}}{power}"
    return rf"{factor} \left(d_{{ij}}{power} - {means}{last.replace('}^2', '}' + power)}\right)"


def draw_inner_product(rng):
    n = int(rng.integers(4, 7))
    X = rng.normal(size=(n, 3))
    return (dict(n=n, D=np.linalg.norm(X[:, None] - X, axis=2)),)


question(
    "manifold.14",
    "The formula of double centring",
    name="inner_product",
    then="Go on: sum your formula over j. What has to come out?",
    formula=INNER_PRODUCT,
    truth=centred_products(),
    cases=Case(1, draw=draw_inner_product),
    mistakes={
        "the last sum over n": (
            "How many numbers does your last sum add up, and by how many do you divide?",
            centred_products(last=r" + \frac1n \sum_k \sum_l d_{kl}^2"),
        ),
        "distances not squared": (
            "Cosine law: which power of the distance gives inner products?",
            centred_products(power=""),
        ),
        "the last mean forgotten": (
            "Add your numbers over a row: what should come out?",
            centred_products(last=""),
        ),
        "the factor forgotten": (
            "A product of a point with itself is its squared length. Is yours?",
            centred_products(factor="-"),
        ),
        "the sign": (
            "Can the product of a point with itself be negative?",
            centred_products(factor=r"\frac12"),
        ),
        "not centred": (
            "That is what the squared distance alone says. Where is the origin?",
            r"-\frac12 d_{ij}^2",
        ),
    },
    hints=[
        "From each squared distance its row's mean and its column's mean are taken off.",
        "After that the rows do not sum to nothing yet: what was taken off twice?",
    ],
)
