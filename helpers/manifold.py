"""Manifold learning: flatten a curved sheet by local weights (LLE) or geodesics (Isomap), chapter 4."""

import warnings

import numpy as np
from scipy.sparse import csr_array, eye_array, issparse, vstack
from scipy.sparse.csgraph import connected_components, dijkstra
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from helpers._checks import check_array, check_count, validate_data
from helpers._fast import faster
from helpers._linalg import fixed_signs, rank, some_eigenpairs
from helpers._tags import tagged
from helpers.neighbors import distances, k_nearest

__all__ = [
    "Isomap",
    "LocallyLinearEmbedding",
    "classical_mds",
    "double_centre",
    "geodesic_distances",
    "lle_embedding",
    "lle_weights",
    "neighbour_graph",
]

BLOCK = 2**20  # numbers held at a time while weights are solved for
DISTANCES = 2**23  # held at a time while a radius is searched: 64 MiB


# ------------------------------------------------------------ Isomap
def neighbour_graph(X, queries=None, *, n_neighbors=5, radius=None, p=2):
    """Edges from every query to the rows of X near it, each as long as the distance.

    Short version: chapter 4, `both_ways`.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    queries : array or CSR matrix of shape (m, d), or None
        With None every row of X is a query and is not its own neighbour.
    n_neighbors : int or None
        An edge to each of the k nearest rows,
    radius : float or None
        or to every row at most so far away. Give one of the two and None for the other.
    p : float >= 1, Minkowski's exponent
        Sparse input: 1 or 2.

    Returns
    -------
    graph : CSR array of shape (m, n)
        Row i holds the edges of query i. An edge between copies is stored, with length 0.

    Raises
    ------
    ValueError
        Both or neither of n_neighbors and radius, more neighbours than rows, a negative radius, p < 1.

    Examples
    --------
    >>> neighbour_graph([[0.0], [1.0], [3.0]], n_neighbors=1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 2., 0.]])
    """
    if (n_neighbors is None) == (radius is None):
        raise ValueError(f"n_neighbors={n_neighbors}, radius={radius}: give one, and set the other to None.")
    X = check_array(X, accept_sparse="csr")
    queries = queries if queries is None else check_array(queries, accept_sparse="csr")
    if radius is not None:
        return _all_within(X, queries, radius, p)
    lengths, near = k_nearest(X, queries, n_neighbors, p)
    m, k = near.shape
    return csr_array((lengths.ravel(), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, X.shape[0]))


def _all_within(X, queries, radius, p):
    """Edges to all rows at distance <= radius; a part of the distance matrix at a time."""
    if radius < 0 or p < 1 or (issparse(X) and p not in (1, 2)):
        raise ValueError(f"radius={radius}, p={p}: radius must be >= 0, p >= 1 (1 or 2 for sparse rows).")
    Q = X if queries is None else queries
    parts = []
    for rows in gen_batches(Q.shape[0], max(1, DISTANCES // X.shape[0])):
        D = distances(Q[rows], X, p)
        near = radius >= D
        if queries is None:
            np.fill_diagonal(near[:, rows], False)  # a row is not its own neighbour
        parts.append(csr_array((D[near], near.nonzero()), shape=D.shape))
    return vstack(parts, format="csr")


def _both_ways(graph):
    """Every edge in both directions: the way back is as long as the way there. Length 0 is a length."""
    (n, _), (a, b) = graph.shape, graph.tocoo().coords
    _, first = np.unique(np.minimum(a, b) * np.int64(n) + np.maximum(a, b), return_index=True)
    a, b, length = a[first], b[first], graph.data[first]
    return csr_array((np.r_[length, length], (np.r_[a, b], np.r_[b, a])), shape=(n, n))


def geodesic_distances(X, *, n_neighbors=5, radius=None, p=2, disconnected="error"):
    """Lengths of the shortest paths from neighbour to neighbour, by Dijkstra's algorithm, (4.3).

    Two rows are joined when one of them is among the neighbours of the other. Where rows lie densely such
    a path follows the manifold, and its length approaches the geodesic distance along it.

    Short version: chapter 4, `shortest_paths`.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    n_neighbors, radius, p : see `neighbour_graph`
    disconnected : 'error' or 'warn'
        What happens when the graph falls into components, between which there is no path. 'warn': a
        warning, and every two components are joined by their closest pair of rows.

    Returns
    -------
    D : array of shape (n, n), symmetric, in the unit of X

    Raises
    ------
    ValueError
        A graph of several components; the message says how many.

    References
    ----------
    Tenenbaum, de Silva and Langford, A global geometric framework for nonlinear dimensionality reduction,
    Science 290, 2000. Dijkstra, A note on two problems in connexion with graphs, Numer. Math. 1, 1959.

    Examples
    --------
    >>> angle = np.linspace(0, np.pi, 100)
    >>> D = geodesic_distances(np.column_stack([np.cos(angle), np.sin(angle)]), n_neighbors=2)
    >>> D[0, -1].round(3)                                   # the arc; the chord is 2
    np.float64(3.141)
    """
    X = check_array(X, accept_sparse="csr")
    _check_answer(disconnected)
    graph = _both_ways(neighbour_graph(X, n_neighbors=n_neighbors, radius=radius, p=p))
    count, component = connected_components(graph)
    if count > 1:
        now = f"n_neighbors (now {n_neighbors})" if radius is None else f"radius (now {radius})"
        _complain(
            f"The graph of neighbours falls into {count} components, and no path joins them. "
            f"Raise {now} until they join, or embed every component by itself.",
            disconnected,
        )
        graph = _joined(X, graph, component, p)
    return dijkstra(graph)


def _check_answer(disconnected):
    if disconnected not in ("error", "warn"):
        raise ValueError(f"disconnected={disconnected!r}: use 'error' or 'warn'.")


def _complain(what, disconnected):
    if disconnected == "error":
        raise ValueError(what)
    warnings.warn(what, UserWarning, stacklevel=4)


def _joined(X, graph, component, p):
    """One more edge between every two components: the shortest that there is."""
    members = [np.flatnonzero(component == c) for c in range(component.max() + 1)]
    bridges = graph.tolil()
    for i, A in enumerate(members):
        for B in members[:i]:
            lengths, near = (found.ravel() for found in k_nearest(X[B], X[A], 1, p))
            a = lengths.argmin()
            b = near[a]
            bridges[A[a], B[b]] = bridges[B[b], A[a]] = lengths[a]
    return bridges.tocsr()


def double_centre(A):
    """``H A H`` with ``H = I - 11ᵀ/n``: every row and every column then sums to 0; chapter 4.

    Parameters
    ----------
    A : array of shape (n, n)

    Returns
    -------
    B : array of shape (n, n)

    Raises
    ------
    ValueError
        A is not square.

    Examples
    --------
    >>> double_centre(np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[-0.5,  0.5],
           [ 0.5, -0.5]])
    """
    A = np.asarray(A)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(
            f"A has shape {A.shape}: H A H needs a square matrix, a row and a column for each point."
        )
    B = A - A.mean(axis=0)  # H A
    B -= B.mean(axis=1, keepdims=True)  # H A H
    return B


def classical_mds(D, n_components=2, *, eigen_solver="auto"):
    """Points with the given distances, from the Gram matrix ``G = -½ H D² H``, (4.1), (4.2).

    D² holds the *squared* distances. With the k largest eigenpairs of G the points are the rows of
    ``V Λ^½``; where D are Euclidean distances in k dimensions, they have exactly these distances.

    Short version: chapter 4, `coordinates`.

    Parameters
    ----------
    D : array of shape (n, n), symmetric
        Distances, not squared.
    n_components : int
    eigen_solver : 'auto', 'dense' or 'arpack'
        'dense' is direct; 'arpack' iterates for the few eigenpairs that are wanted; 'auto' takes it for
        more than 200 rows and fewer than 10 components.

    Returns
    -------
    Z : array of shape (n, n_components)
        Centred, the axis with the largest eigenvalue first; the largest entry of every axis is positive.

    Raises
    ------
    ValueError
        D is not square and symmetric, or has infinite entries; G has fewer positive eigenvalues than
        n_components.

    References
    ----------
    Torgerson, Multidimensional scaling: I. Theory and method, Psychometrika 17, 1952.

    Examples
    --------
    >>> classical_mds([[0, 1, 2], [1, 0, 1], [2, 1, 0]], n_components=1).round(3)
    array([[ 1.],
           [ 0.],
           [-1.]])
    """
    D = check_array(D, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=2)
    if not np.isfinite(D).all():
        raise ValueError("D is not finite: no path is no distance. Count the components first.")
    if (D < 0).any():
        raise ValueError("D has negative entries: no distance is. Turn similarities into distances first.")
    if D.shape[0] != D.shape[1] or not np.allclose(D, D.T):
        raise ValueError(f"D of shape {D.shape} must be square and symmetric: a distance for every pair.")
    return _principal_coordinates(D, n_components, eigen_solver)


def _principal_coordinates(D, k, eigen_solver):
    _check_components(k, len(D), eigen_solver)
    G = double_centre(np.square(D, dtype=float))  # (4.1)
    G *= -0.5
    values, V = _largest(G, k, eigen_solver)
    if rank(values, len(D)) < k:
        raise ValueError(
            f"n_components={k}, but these distances span only {rank(values, len(D))} directions "
            "(the other eigenvalues of G are not positive): choose fewer components."
        )
    return fixed_signs(V.T).T * np.sqrt(values)  # rows of V Λ^½, (4.2)


@faster("manifold")
def _largest(G, k, eigen_solver):
    """The k largest eigenvalues of G, largest first, and their eigenvectors in the columns."""
    values, V = some_eigenpairs(G, len(G) - k, len(G) - 1)
    return values[::-1], V[:, ::-1]


def _check_components(k, n, eigen_solver):
    if not 1 <= k < n:
        raise ValueError(
            f"n_components={k}, but n_samples = {n} points span at most {n - 1} dimensions: "
            f"choose 1 to {n - 1}."
        )
    check_count("n_components", k)
    if eigen_solver not in ("auto", "arpack", "dense"):
        raise ValueError(f"eigen_solver={eigen_solver!r}: use 'auto', 'arpack' or 'dense'.")


class _Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What both methods share."""

    def fit_transform(self, X, y=None):
        """Fit, and give the embedding of the training rows."""
        return self.fit(X).embedding_

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]


@tagged("input_tags", sparse=True)
@tagged("transformer_tags", preserves_dtype=["float64", "float32"])
class Isomap(_Embedding):
    """Classical scaling of geodesic distances: ``Z = V Λ^½`` of ``G = -½ H D² H``.

    Short version: chapter 4, `isomap`.

    Parameters
    ----------
    n_neighbors : int or None
    radius : float or None
        Which rows are joined, see `neighbour_graph`: with a radius set n_neighbors to None.
    n_components : int
    eigen_solver : 'auto', 'dense' or 'arpack', see `classical_mds`
    p : float >= 1, Minkowski's exponent
    disconnected : 'warn' or 'error'
        A graph in several components: 'warn' joins every two by their closest pair, as scikit-learn does;
        'error' refuses.

    Attributes
    ----------
    embedding_ : array of shape (n, k), in the unit of X; the largest entry of every column is positive
    dist_matrix_ : array of shape (n, n), geodesic distances

    Raises
    ------
    ValueError
        Both or neither of n_neighbors and radius; too many neighbours or components; a disconnected graph, if
        asked for; at `transform`, rows with no training row within the radius.

    References
    ----------
    Tenenbaum, de Silva and Langford, Science 290, 2000. For new rows: Bengio et al., Out-of-sample
    extensions for LLE, Isomap, MDS, eigenmaps, and spectral clustering, NIPS 16, 2004.

    Examples
    --------
    >>> t = np.linspace(0, np.pi, 60)
    >>> arc = np.column_stack([np.cos(t), np.sin(t)])
    >>> Z = Isomap(n_neighbors=2, n_components=1).fit_transform(arc)
    >>> abs(np.corrcoef(Z[:, 0], t)[0, 1]).round(4)         # the arc lies flat
    np.float64(1.0)
    """

    def __init__(
        self, n_neighbors=5, *, radius=None, n_components=2, eigen_solver="auto", p=2, disconnected="warn"
    ):
        self.n_neighbors, self.radius, self.p = n_neighbors, radius, p
        self.n_components, self.eigen_solver, self.disconnected = n_components, eigen_solver, disconnected

    def fit(self, X, y=None):
        """Find the geodesic distances of the rows and points of the plane with nearly these distances."""
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        D = geodesic_distances(
            X, n_neighbors=self.n_neighbors, radius=self.radius, p=self.p, disconnected=self.disconnected
        )
        Z = _principal_coordinates(D, self.n_components, self.eigen_solver)
        self._fit_X = X
        self._mean_square = np.einsum("ij,ij->j", D, D) / len(D)  # (n,)
        self._axes = Z / (Z**2).sum(axis=0)  # V Λ^-½, as λ = |z|²
        self.embedding_ = Z.astype(X.dtype)  # (n, k)
        self.dist_matrix_ = D.astype(X.dtype, copy=False)  # (n, n)
        return self

    def transform(self, X):
        """New rows, placed by the distances d to all training rows: ``½ Λ^-½ Vᵀ (mean of D² - d²)``, (4.12).

        Shape (m, k). The way to a training row begins with the step to a neighbour. The training rows keep
        their coordinates; no projection matrix exists.

        Short version: chapter 4, `place`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        steps = neighbour_graph(self._fit_X, X, n_neighbors=self.n_neighbors, radius=self.radius, p=self.p)
        lonely = (np.diff(steps.indptr) == 0).sum()
        if lonely:
            raise ValueError(f"{lonely} rows have no training row within radius={self.radius}: raise it.")
        Z = np.empty((X.shape[0], self._axes.shape[1]), X.dtype)
        for i, (start, end) in enumerate(zip(steps.indptr, steps.indptr[1:])):
            near, length = steps.indices[start:end], steps.data[start:end]
            d = (self.dist_matrix_[near] + length[:, None]).min(axis=0)  # (n,)
            Z[i] = (self._mean_square - d**2) @ self._axes / 2
        return Z

    def reconstruction_error(self):
        """``|G - Z Zᵀ| / n`` in Frobenius' norm: what k axes leave of G; in squared units of X."""
        check_is_fitted(self)
        G = double_centre(np.square(self.dist_matrix_, dtype=float)) / -2
        values = (self.embedding_.astype(float) ** 2).sum(axis=0)
        return np.sqrt(max(0.0, (G**2).sum() - (values**2).sum())) / len(G)


# ------------------------------------------------------------ LLE
def lle_weights(X, queries=None, *, n_neighbors=5, reg=1e-3):
    """Weights that rebuild every row from its neighbours: ``min |x_i - Σ_j W_ij x_j|²``, ``Σ_j W_ij = 1``.

    With the local Gram matrix ``C_ab = (x_i - x_a)·(x_i - x_b)`` of neighbours a, b the minimum
    solves ``C w = 1``, scaled to sum 1, (4.5). C has rank at most d: with more neighbours than dimensions
    many weights rebuild a row equally well, and ``reg · tr C`` added to the diagonal picks even ones.

    Short version: chapter 4, `weight_matrix`.

    Parameters
    ----------
    X : array of shape (n, d)
    queries : array of shape (m, d), or None
        The rows to rebuild; with None those of X, none of which is its own neighbour.
    n_neighbors : int
    reg : float >= 0
        Ridge, as a share of the trace; it has no unit.

    Returns
    -------
    W : CSR array of shape (m, n)
        Rows sum to 1. They stay as they are when X is turned, shifted or scaled.

    Raises
    ------
    ValueError
        More neighbours than rows, reg < 0, or reg = 0 where C is singular.

    References
    ----------
    Roweis and Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290, 2000.

    Examples
    --------
    >>> lle_weights([[0.0], [2.0]], [[0.5]], n_neighbors=2, reg=1e-9).toarray().round(3)
    array([[0.75, 0.25]])
    """
    if reg < 0:
        raise ValueError(f"reg={reg}: a ridge is at least 0.")
    X = check_array(X, dtype=float)
    Q = X if queries is None else check_array(queries, dtype=float)
    _, near = k_nearest(X, None if queries is None else Q, n_neighbors)
    (m, k), w = near.shape, np.empty(near.shape)
    for rows in gen_batches(m, max(1, BLOCK // (k * max(k, X.shape[1])))):
        w[rows] = _barycentric(X[near[rows]] - Q[rows, None], reg)
    return csr_array((w.ravel(), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, len(X)))


def _barycentric(differences, reg):
    """Solve ``C w = 1`` for a block of rows; differences (b, k, d) of the neighbours from their row."""
    k = differences.shape[1]
    C = differences @ differences.transpose(0, 2, 1)  # (b, k, k) local Gram matrices
    trace = np.trace(C, axis1=1, axis2=2)
    C[:, range(k), range(k)] += reg * np.where(trace > 0, trace, 1)[:, None]
    singular = 0 if reg else (np.linalg.matrix_rank(C, hermitian=True) < k).sum()
    if singular:
        raise ValueError(
            f"reg=0, but many weights rebuild {singular} of the rows from n_neighbors={k} rows "
            f"in {differences.shape[2]} dimensions (singular Gram matrix): set reg > 0."
        )
    w = np.linalg.solve(C, np.ones((len(C), k, 1))).reshape(-1, k)  # C w = 1, (4.5)
    return w / w.sum(axis=1, keepdims=True)


def lle_embedding(W, n_components=2, *, eigen_solver="auto", disconnected="error"):
    """Coordinates rebuilt by the same weights: ``min Σ_i |z_i - Σ_j W_ij z_j|²``, ``Σ_i z_i = 0``, (4.8).

    They are eigenvectors 2 … K+1, smallest eigenvalues first, of ``M = (I - W)ᵀ(I - W)``. The first,
    ``M 1 = 0``, is the constant. Every column of Z has length 1, as in scikit-learn: for ``ZᵀZ / n = I``
    multiply by √n.

    Short version: chapter 4, `lle`.

    Parameters
    ----------
    W : array or CSR array of shape (n, n), rows sum to 1
    n_components : int
    eigen_solver : 'auto', 'dense' or 'arpack'
        'arpack' iterates with a sparse factorisation of M; 'auto' takes it for more than 200 rows and fewer
        than 10 components.
    disconnected : 'error' or 'warn'
        A group of rows rebuilt only from one another is closed. Each closed group gives M a zero eigenvalue;
        from two on, the eigenvectors tell groups apart and nothing else. One component of the graph may hold
        several.

    Returns
    -------
    Z : array of shape (n, n_components)
        The largest entry of every column is positive.

    Raises
    ------
    ValueError
        Several closed groups; the message says how many. Too many components.

    Examples
    --------
    >>> W = lle_weights(np.arange(6.0)[:, None], n_neighbors=2)
    >>> lle_embedding(W, 1).round(2).ravel()                # evenly spaced, centred, of length 1
    array([ 0.6 ,  0.36,  0.12, -0.12, -0.36, -0.6 ])
    """
    W = csr_array(W)
    n, _ = W.shape
    _check_components(n_components, n, eigen_solver)
    _check_answer(disconnected)
    groups = _closed_groups(W)
    if groups > 1:
        _complain(
            f"{groups} closed groups of rows are rebuilt only from one another: M has {groups} zero "
            "eigenvalues instead of one, and its eigenvectors only tell the groups apart. Raise "
            f"n_neighbors (now {np.diff(W.indptr).max()}).",
            disconnected,
        )
    A = eye_array(n, format="csr") - W  # I - W
    return fixed_signs(_smallest(A.T @ A, n_components, eigen_solver).T).T


def _closed_groups(W):
    """How many strongly connected components of the graph i → j (j helps to rebuild i) no edge leaves."""
    count, component = connected_components(W, connection="strong")
    i, j = W.tocoo().coords
    return count - len(np.unique(component[i][component[i] != component[j]]))


@faster("manifold")
def _smallest(M, k, eigen_solver):
    """Eigenvectors 2 … k+1 of M: the constant's eigenvalue is raised from 0 to beyond all others."""
    M = M.toarray()
    M += 2 * np.trace(M) / len(M)
    return some_eigenpairs(M, 0, k - 1)[1]


class LocallyLinearEmbedding(_Embedding):
    """Keep the weights that rebuild every row from its neighbours, in fewer dimensions.

    ``W = lle_weights(X)``, then ``Z = lle_embedding(W)``.

    Short version: chapter 4, `lle`.

    Parameters
    ----------
    n_neighbors : int
        At least n_components + 1, a guideline: M must have only one zero eigenvalue.
    n_components : int
    reg : float >= 0, ridge of the weights as a share of the local Gram matrix's trace
    eigen_solver : 'auto', 'dense' or 'arpack', see `lle_embedding`
    disconnected : 'warn' or 'error'
        Groups rebuilt only from one another: go on as scikit-learn does, with a warning, or refuse.

    Attributes
    ----------
    embedding_ : array of shape (n, k), centred columns of length 1, the largest entry of each positive
    reconstruction_error_ : float
        ``Σ_i |z_i - Σ_j W_ij z_j|²``, the sum of eigenvalues 2 … K+1 of M.

    Raises
    ------
    ValueError
        More neighbours than rows; more components than features; a singular local Gram matrix with reg=0;
        several closed groups, if asked for.

    References
    ----------
    Roweis and Saul, Science 290, 2000. For new rows: Saul and Roweis, Think globally, fit locally, JMLR 4,
    2003.

    Examples
    --------
    >>> t = np.linspace(0, np.pi, 60)
    >>> arc = np.column_stack([np.cos(t), np.sin(t)])
    >>> Z = LocallyLinearEmbedding(n_neighbors=4, n_components=1).fit_transform(arc)
    >>> abs(np.corrcoef(Z[:, 0], t)[0, 1]) > 0.99
    np.True_
    """

    def __init__(self, n_neighbors=5, *, n_components=2, reg=1e-3, eigen_solver="auto", disconnected="warn"):
        self.n_neighbors, self.n_components, self.reg = n_neighbors, n_components, reg
        self.eigen_solver, self.disconnected = eigen_solver, disconnected

    def fit(self, X, y=None):
        """Find the weights, then coordinates that they rebuild."""
        X = validate_data(self, X)
        if self.n_components > X.shape[1]:
            raise ValueError(f"n_components={self.n_components}, X has only {X.shape[1]} features.")
        W = lle_weights(X, n_neighbors=self.n_neighbors, reg=self.reg)  # (n, n)
        self._fit_X = X
        self.embedding_ = lle_embedding(
            W, self.n_components, eigen_solver=self.eigen_solver, disconnected=self.disconnected
        )  # (n, k)
        self.reconstruction_error_ = ((self.embedding_ - W @ self.embedding_) ** 2).sum()
        return self

    def transform(self, X):
        """New rows: the weights that rebuild them from training rows, put on the embedded training rows.

        Shape (m, k). The training rows keep their coordinates; a new fit with all rows would move them.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return lle_weights(self._fit_X, X, n_neighbors=self.n_neighbors, reg=self.reg) @ self.embedding_
