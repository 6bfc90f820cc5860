"""Answers tried on homework 6, recovery: what must be refused, and what is right in other words."""

from itertools import combinations

import numpy as np
from scipy.fft import idct
from scipy.optimize import linprog
from sklearn.linear_model import orthogonal_mp

from grading.tried_answers import promised, tried
from helpers.methods.soft_impute import SoftImpute
from helpers.methods.sparse_recovery import basis_pursuit, restricted_isometry_constant
from homework.recovery import questions as recovery

tried(
    "recovery.1",
    wrong=[
        [-9, "none", "any"],
        -9,
        [6, "any", "none", -9],
        [-9, "none", "any", 13.5],
        "none",
        [-9, None, None, 6],
        [-9, "nothing", "any", 6],
    ],
    right=[
        (-9.0, "none", "any", 6.0),
        [np.float32(-9), "None", "ANY", np.int8(6)],
        [np.float64(-9), "none", "any", np.int64(6)],
        [3 * -3, "none", "any", 4 * 9 / 6],
    ],
)


tried(
    "recovery.2",
    wrong=[
        [False] * 6,
        [True, False, True, True, False, True],
        [False, False, True, True, False],
        "no",
        [False, False, False, True, False, True],
        [True, True, False, False, True, False],
    ],
    right=[(False, False, True, True, False, True), np.array([0, 0, 1, 1, 0, 1]), [0, 0, 1, 1, 0, 1]],
)


def _by_bounds(A, y):
    """-t <= s <= t, the sum of t least."""
    n = A.shape[1]
    eye = np.eye(n)
    found = linprog(
        np.r_[np.zeros(n), np.ones(n)],
        A_ub=np.block([[eye, -eye], [-eye, -eye]]),
        b_ub=np.zeros(2 * n),
        A_eq=np.hstack([A, np.zeros(A.shape)]),
        b_eq=y,
        bounds=(None, None),
    )
    return found.x[:n]


tried(
    "recovery.3",
    wrong=[
        lambda A, y: recovery.l1_recover(A, 2 * y),
        lambda A, y: recovery.l1_recover(A, y)[::-1],
        lambda A, y: np.zeros(A.shape[1]),
        lambda A, y: recovery.l1_recover(A[:-1], y[:-1]),
        lambda A, y: recovery.l1_recover(A, y).round(1),
        lambda A, y: orthogonal_mp(A, y, n_nonzero_coefs=2),
    ],
    right=[
        _by_bounds,
        basis_pursuit,
        lambda A, y: recovery.l1_recover(3 * A, 3 * y).tolist(),
        lambda A, y: -recovery.l1_recover(-A, y),
    ],
)


tried(
    "recovery.4",
    wrong=[
        lambda Phi, y: Phi.T @ y,
        lambda Phi, y: recovery.recover_cosines(Phi, y) + 0.01,
        lambda Phi, y: np.zeros(Phi.shape[1]),
        lambda Phi, y: -recovery.recover_cosines(Phi, y),
    ],
    right=[
        lambda Phi, y: recovery.synthesis(Phi) @ basis_pursuit(Phi @ recovery.synthesis(Phi), y),
        lambda Phi, y: idct(recovery.l1_recover(Phi @ recovery.synthesis(Phi), y), norm="ortho"),
        lambda Phi, y: recovery.recover_cosines(2 * Phi, 2 * y),
    ],
)


tried(
    "recovery.5",
    wrong=[
        lambda A, k: recovery.rip_delta(A, k + 1),
        lambda A, k: recovery.rip_delta(A, k - 1),
        lambda A, k: recovery.rip_delta(A, k) ** 2,
        lambda A, k: np.linalg.norm(A.T @ A - np.eye(A.shape[1]), 2),
        lambda A, k: 1.0,
        lambda A, k: recovery.rip_delta(A / np.linalg.norm(A, axis=0), k) + 0.001,
    ],
    right=[
        restricted_isometry_constant,
        lambda A, k: np.float64(recovery.rip_delta(-A, k)),
        lambda A, k: max(
            np.linalg.norm(A[:, T].T @ A[:, T] - np.eye(k), 2)
            for T in map(list, combinations(range(A.shape[1]), k))
        ),
    ],
)


tried(
    "recovery.6",
    wrong=[
        ([[1, 1]], [1]),
        ([[1, 0, 1], [0, 1, 1]], [1, 1]),
        [[1, 0, 0.1], [0, 1, 0.1]],
        (np.eye(3), [1, 2, 3]),
        ([[1, 0, 0.1], [0, 1, 0.1]], [0.1]),
        ([[0, 0], [0, 0]], [1, 1]),
        ([[1, 0, 0, 0.1], [0, 1, 0, 0.1]], [0.1, 0.1]),
    ],
    right=[
        (np.array([[1, 0, 0.2], [0, 1, 0.2]]), np.array([1.0, 1.0])),
        ([[2, 0, 0.3], [0, 2, -0.3]], [-0.3, 0.3]),
        ([[3, 1, 0.1], [1, 3, 0.2]], [0.1, 0.2]),
    ],
)


tried("recovery.7", wrong=[23, 29, -26, "26", 26.5, 60, [26, 26], True], right=[24, 27.0, np.int64(25), 28])


tried(
    "recovery.8",
    wrong=[[17, 13, 12, 1], [13, 17, 12, 2], [17, 17, 17, 17], [17, 13, 5, 2]],
    right=[(17.0, 13.0, 12.0, 2), np.array([17, 13, 12, 2]), [17, 13, 12, 2.0]],
)


def _by_helper(Y, mask, lam):
    return SoftImpute(lam, tol=1e-10, max_iter=20000).fit_transform(np.where(mask, Y, np.nan))


tried(
    "recovery.9",
    wrong=[
        dict(fill=lambda Y, mask, Z: np.where(mask, Z, 0)),
        dict(shrink=lambda X, lam: X - np.clip(X, -lam, lam)),
        lambda Y, mask, lam: Y,
        lambda Y, mask, lam: np.where(mask, Y, 0),
        lambda Y, mask, lam: recovery.soft_impute(Y, ~mask, lam),
        dict(steps=5),
        lambda Y, mask, lam: recovery.soft_impute(Y, mask, lam) * ~mask,
        lambda Y, mask, lam: Y * mask + recovery.soft_impute(Y, mask, lam) * ~mask,
    ],
    right=[
        _by_helper,
        lambda Y, mask, lam: recovery.soft_impute(Y.T, mask.T, lam).T,
        lambda Y, mask, lam: recovery.soft_impute(-Y, mask, lam).__neg__().tolist(),
        dict(steps=3000),
    ],
)


tried(
    "recovery.10",
    wrong=[
        (recovery.spike(1), recovery.spike(2)),
        (recovery.spike(1, n=5), recovery.spike(2, n=5), recovery.spike(1, n=5) == 0),
        (np.eye(10), 2 * np.eye(10), ~np.eye(10, dtype=bool)),
        (recovery.spike(1), recovery.spike(2), np.ones((10, 10), bool)),
        (recovery.spike(1), recovery.spike(1 + 1e-9), recovery.spike(1) == 0),
        (recovery.spike(1), recovery.spike(2), (recovery.spike(1) == 0).astype(int)),
    ],
    right=[
        (recovery.spike(-3, n=12), recovery.spike(4, n=12), recovery.spike(1, n=12) == 0),
        [recovery.spike(1).tolist(), recovery.spike(9).tolist(), (recovery.spike(1) == 0).tolist()],
        (
            np.ones((10, 10)) + recovery.spike(1),
            np.ones((10, 10)) + recovery.spike(2),
            recovery.spike(1) == 0,
        ),
    ],
)


tried(
    "recovery.11",
    wrong=[
        lambda Y: recovery.fill_ratings(Y)[0],
        lambda Y: (recovery.fill_ratings(Y)[0], 0.0),
        lambda Y: (recovery.fill_ratings(Y)[0] + 0.01, recovery.fill_ratings(Y)[1]),
        lambda Y: (Y, 1.0),
        lambda Y: recovery.fill_ratings(Y)[::-1],
        lambda Y: (np.where(np.isnan(Y), 3.0, Y), 1.2),
    ],
    right=[
        lambda Y: (recovery.fill_ratings(Y)[0].tolist(), recovery.fill_ratings(Y)[1]),
        lambda Y: [recovery.fill_ratings(Y)[0], np.float64(recovery.fill_ratings(Y)[1])],
        lambda Y: min((recovery.with_lam(lam)(Y) for lam in (0.7, 2.0, 7.0, 11.0)), key=lambda pair: pair[1]),
    ],
)


tried(
    "recovery.14",
    wrong=[r"s_i - \lambda", r"s_i", r"\lambda"],
    right=[
        r"\max(s_i - \lambda, 0) - \max(-s_i - \lambda, 0)",
        r"\left(s_i - \lambda \frac{s_i}{\lvert s_i \rvert}\right) [\lvert s_i \rvert > \lambda]",
        r"s_i \max(1 - \lambda / \lvert s_i \rvert, 0)",
    ],
)


promised({
    "recovery.3": {
        "may have both signs": lambda A, y: np.ptp(np.sign(recovery.l1_recover(A, y).round(6))) == 2
    },
    "recovery.5": {"need not have length 1": lambda A, k: np.ptp(np.linalg.norm(A, axis=0)) > 0.1},
    "recovery.9": {
        "what stands in the blanks of `Y` means nothing": lambda Y, mask, lam: (
            np.isnan(Y[~mask]).any() and 99 in Y
        )
    },
    "recovery.11": {"with NaN for each of the half": lambda Y: 0.4 < np.isnan(Y).mean() < 0.6},
})
