"""Answers tried on homework 10, sparse: what must be refused, and what is right in other words."""

import numpy as np
from sklearn.linear_model import Lasso
from sklearn.linear_model import orthogonal_mp as twin_omp

from grading.tried_answers import promised, tried
from helpers.methods.ksvd import batch_omp
from homework.sparse import questions as sparse

tried(
    "sparse.1",
    wrong=[[0.25, 3.75, 0], [2, 0, 3], [3.75, -0.25, 0], [0, 0, 0]],
    right=[np.array([-0.25, 3.75, 0]), (-1 / 4, 15 / 4, 0), [np.float64(-0.25), 3.7500001, 0.0]],
)


def _by_projector(x, B, s):
    """OMP through orthonormal directions: Gram and Schmidt, then the codes at the end."""
    Q, chosen = np.zeros((0, len(x))), []
    for _ in range(s):
        r = x - Q.T @ (Q @ x)
        if np.allclose(r, 0):
            break
        chosen.append(int(np.argmax(np.abs(sparse.unit_rows(B) @ r))))
        q = B[chosen[-1]] - Q.T @ (Q @ B[chosen[-1]])
        Q = np.vstack([Q, q / np.linalg.norm(q)])
    a = np.zeros(len(B))
    a[chosen] = np.linalg.solve(B[chosen] @ B[chosen].T, B[chosen] @ x)
    return a


tried(
    "sparse.2",
    wrong=[
        lambda x, B, s: sparse.omp(x, B, s + 1),
        lambda x, B, s: sparse.omp(-x, B, s),
        lambda x, B, s: B @ x,
    ],
    right=[
        {},
        _by_projector,
        lambda x, B, s: batch_omp([x], B, n_nonzero_coefs=s)[0],
        lambda x, B, s: twin_omp(sparse.unit_rows(B).T, x, n_nonzero_coefs=s) / np.linalg.norm(B, axis=1),
    ],
)


def _by_coordinates(X, B, lam):
    A, length = np.zeros((len(X), len(B))), (B**2).sum(axis=1)
    for _ in range(600):
        for j in range(len(B)):
            A[:, j] = sparse.soft_threshold((X - A @ B) @ B[j] + A[:, j] * length[j], lam / 2) / length[j]
    return A


def _by_lasso(X, B, lam):
    model = Lasso(alpha=lam / 2 / B.shape[1], fit_intercept=False, tol=1e-10, max_iter=100_000)
    return np.array([model.fit(B.T, x).coef_ for x in X])


tried(
    "sparse.3",
    wrong=[
        lambda X, B, lam: sparse.codes(X, B, lam) @ B,
        lambda X, B, lam: X @ np.linalg.pinv(B),
        lambda X, B, lam: sparse.by_steps(X, B, lam, steps=20),
        lambda X, B, lam: np.sign(sparse.codes(X, B, lam)),
    ],
    right=[sparse.by_steps, _by_coordinates, _by_lasso],
)


def _numerically(E, a):
    """Projected gradient."""
    b = np.zeros(E.shape[1])
    for _ in range(50):
        b = b - (a @ (np.outer(a, b) - E)) / (a @ a)
        b = b / max(1, np.linalg.norm(b))
    return b


tried(
    "sparse.4",
    wrong=[
        lambda E, a: -sparse.best_atom(E, a),
        lambda E, a: sparse.best_atom(E, a) / 2,
        lambda E, a: E.sum(axis=0),
        lambda E, a: sparse.best_atom(E, np.abs(a)),
    ],
    right=[
        _numerically,
        lambda E, a: sparse.free_atom(E, a) * min(1, 1 / np.linalg.norm(sparse.free_atom(E, a))),
        lambda E, a: sparse.best_atom(E * 2, a * 2),
        lambda E, a: (
            np.linalg.lstsq(a[:, None], E)[0][0] / max(1, np.linalg.norm(np.linalg.lstsq(a[:, None], E)[0]))
        ),
    ],
)


tried(
    "sparse.5",
    wrong=[
        lambda B, A: (B, A),
        lambda B, A: sparse.unit_atoms(B, A)[::-1],
        lambda B, A: sparse.unit_atoms(B, A)[0],
        lambda B, A: (
            B / np.maximum(sparse.safe_lengths(B), 1),
            A * np.maximum(sparse.safe_lengths(B), 1)[:, 0],
        ),
    ],
    right=[
        lambda B, A: (B / sparse.safe_lengths(B), A * sparse.safe_lengths(B)[:, 0]),
        lambda B, A: (
            -B / sparse.safe_lengths(B),
            A * np.where(B.any(axis=1), -1, 1) * sparse.safe_lengths(B)[:, 0],
        ),
        lambda B, A: [m.tolist() for m in sparse.unit_atoms(B, A)],
    ],
)


def _by_power(E, a):
    b = a @ E
    for _ in range(5000):
        b = E.T @ (E @ b)
        b = b / np.linalg.norm(b)
    return b, E @ b


def _by_eigenvectors(E, a):
    b = np.linalg.eigh(E.T @ E)[1][:, -1]
    return -b, -E @ b


tried(
    "sparse.6",
    wrong=[
        lambda X, B, A, i: (B, A),
        lambda X, B, A, i: sparse.ksvd_step(X, B, A, i)[::-1],
        lambda X, B, A, i: sparse.ksvd_step(X, B, A, i)[0],
        lambda X, B, A, i: sparse.ksvd_step(X, B, A, (i + 1) % 8),
        lambda X, B, A, i: (sparse.ksvd_step(X, B, A, i)[0], A),
        dict(back=2.0),
        lambda X, B, A, i: sparse.leading_pair((X - A @ B + np.outer(A[:, i], B[i]))[A[:, i] != 0], None),
    ],
    right=[{}, dict(pair=_by_power), dict(pair=_by_eigenvectors)],
)


tried(
    "sparse.7",
    wrong=[[12, 13, 5], [5, 12, 13], [1, 1, 1], [60, 12, 5]],
    right=[(13, 12, 5), np.array([13.0, 12, 5]), [np.sqrt(169), 12.0, np.float64(5)]],
)


tried(
    "sparse.8",
    wrong=[
        (sparse.sparse_table()[0], np.zeros(40)),
        (sparse.sparse_table()[0], np.arange(39) % 2),
        sparse.sparse_table()[0],
        "no",
        (sparse.sparse_table()[0][:8], np.arange(8) % 2),
        (np.zeros((40, 20)), np.arange(40) % 2),
    ],
    right=[
        sparse.sparse_table(seed=3),
        (sparse.sparse_table()[0].tolist(), np.where(sparse.sparse_table()[1], "a", "b")),
        sparse.sparse_table(n=80, seed=1),
    ],
)


tried(
    "sparse.9",
    wrong=[
        [True] * 8,
        [False] * 8,
        [False, True, True],
        "yes",
        [True, False, False, True, False, True, False, True],
    ],
    right=[
        (False, True, True, False, True, False, True, False),
        np.array([0, 1, 1, 0, 1, 0, 1, 0]),
        [0, 1, 1, 0, 1, 0, 1, 0],
    ],
)


tried(
    "sparse.10",
    wrong=[
        lambda X, k, s: np.eye(X.shape[1])[:k],
        lambda X, k, s: sparse.find_atoms(X, k, s).T,
        lambda X, k, s: "atoms",
        lambda X, k, s: sparse.ksvd_atoms(X, k // 2, s),
        lambda X, k, s: np.zeros((k, X.shape[1])),
        lambda X, k, s: np.random.default_rng(0).normal(size=(k, X.shape[1])),
    ],
    right=[
        lambda X, k, s: (-3 * sparse.find_atoms(X, k, s)[::-1]).tolist(),
        lambda X, k, s: sparse.find_atoms(X + 5, k, s),
        lambda X, k, s: np.round(sparse.find_atoms(X, k, s), 3),
    ],
)


tried(
    "sparse.11",
    wrong=[
        lambda noisy, sigma, B: sparse.clean_squares(noisy, 2 * sigma, B),
        lambda noisy, sigma, B: 0 * noisy,
        lambda noisy, sigma, B: sparse.clean_squares(noisy, sigma / 2, B),
        lambda noisy, sigma, B: noisy[:5],
        lambda noisy, sigma, B: sparse.clean_squares(noisy, sigma, B)[::-1],
        lambda noisy, sigma, B: "clean",
    ],
    right=[
        lambda noisy, sigma, B: sparse.cleaned(noisy, sigma, B, tol=64 * (1.1 * sigma) ** 2),
        lambda noisy, sigma, B: sparse.cleaned(noisy, sigma, B, tol=64 * (1.2 * sigma) ** 2),
        lambda noisy, sigma, B: sparse.clean_squares(noisy, sigma, B).clip(0, 1),
    ],
)


tried(
    "sparse.12",
    wrong=[
        lambda X, B, s: np.nan_to_num(X),
        lambda X, B, s: sparse.mend(X, B, s + 1),
        lambda X, B, s: sparse.mend(X, B, 1),
        lambda X, B, s: sparse.mend(X, -B[::2], s),
    ],
    right=[dict(coder=_by_projector), dict(coder=sparse.pursuit), lambda X, B, s: sparse.mend(X, 2 * B, s)],
)


tried(
    "sparse.15",
    wrong=[r"x", r"B x", r"x + B^\top (B B^\top)^{-1} B x", r"x - \frac1t B^\top B x"],
    right=[
        r"(I_d - B^\top (B B^\top)^{-1} B) x",
        r"x - B^\top a, \quad a = (B B^\top)^{-1} B x",
        r"x - B^\top (B B^\top)^{-1} (B x)",
    ],
)


promised({
    "sparse.2": {
        "fewer if fewer atoms explain `x` exactly": lambda x, B, s: (
            s > 1 and np.allclose(sparse.omp(x, B, 1) @ B, x)
        ),
        "Atoms may have **any length** but 0": lambda x, B, s: np.ptp(np.linalg.norm(B, axis=1)) > 1,
    },
    "sparse.5": {"An atom of zeros": lambda B, A: not B.any(axis=1).all()},
    "sparse.6": {"If no sample uses atom `i`": lambda X, B, A, i: not A[:, i].any()},
    "sparse.12": {"some blanks, `np.nan`": lambda X, B, s: np.isnan(X).any()},
})
