"""Answers tried on homework 9, wrappers: what must be refused, and what is right in other words."""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_score

from grading.tried_answers import promised, tried
from helpers.methods.proximal_gradient import proximal_gradient, soft_threshold
from homework.wrappers import questions as wrappers

tried(
    "wrappers.1",
    wrong=[[390, 20475, 210, 360, 9], [20475, 390, 210, 365, 9]],
    right=[
        (20475, 390, 210, 360, 9),
        np.array([20475.0, 390, 210, 360, 9]),
        [4095 * 5, 78 * 5, 42 * 5, 72 * 5, 9],
    ],
)


def _forward_by_sklearn(X, y):
    A, errors = [], []
    how = {"cv": PredefinedSplit(np.arange(len(y)) % 5), "scoring": "neg_mean_squared_error"}
    for _ in range(X.shape[1]):
        left = (j for j in range(X.shape[1]) if j not in A)
        tried = {j: -cross_val_score(LinearRegression(), X[:, [*A, j]], y, **how).mean() for j in left}
        j = min(tried, key=tried.get)
        if errors and tried[j] >= errors[-1]:
            break
        A.append(j)
        errors.append(tried[j])
    return A, errors


tried(
    "wrappers.2",
    wrong=[
        lambda X, y: wrappers.forward(X, y)[0],
        lambda X, y: (sorted(wrappers.forward(X, y)[0])[::-1], wrappers.forward(X, y)[1]),
        lambda X, y: (wrappers.forward(X, y)[0][:1], wrappers.forward(X, y)[1][:1]),
        lambda X, y: wrappers.forward(X, -y + X[:, 0]),
    ],
    right=[
        _forward_by_sklearn,
        lambda X, y: wrappers.forward(3 * X - 7, y),
        lambda X, y: tuple(map(np.array, wrappers.forward(X, y))),
    ],
)


def _gaussian_trap():
    """The same trap with numbers for bits, and a fourth column."""
    rng = np.random.default_rng(5)
    signs = rng.choice([-1, 1], size=(600, 2))
    y = (signs[:, 0] != signs[:, 1]).astype(int)
    return np.column_stack([
        y + rng.normal(size=600),
        signs + 0.1 * rng.normal(size=(600, 2)),
        rng.normal(size=600),
    ]), y


tried(
    "wrappers.3",
    wrong=[
        wrappers.two_bits(0.25, n=50),
        (wrappers.two_bits(0.25)[0][:, :2], wrappers.two_bits(0.25)[1]),
        (wrappers.two_bits(0.25)[0], np.zeros(400)),
        "xor",
        (wrappers.two_bits(0.25)[0], wrappers.two_bits(0.25)[1][1:]),
        wrappers.two_bits(0.25)[0],
    ],
    right=[
        _gaussian_trap(),
        wrappers.two_bits(0.3, n=800, seed=4),
        (wrappers.two_bits(0.25)[0][:, ::-1].tolist(), np.where(wrappers.two_bits(0.25)[1], "yes", "no")),
    ],
)


def _lvw_by_keys(start, tries, T):
    best, history, failures = (start[1], len(start[0]), start[0]), [start[1]], 0
    while tries and failures < T:
        (A, error), tries = tries[0], tries[1:]
        failures += 1
        if (error, len(A)) < best[:2]:
            best, failures = (error, len(A), A), 0
        history.append(best[0])
    return best[2], history


tried(
    "wrappers.4",
    wrong=[
        lambda s, t, T: s,
        lambda s, t, T: (wrappers.lvw(s, t, T)[0], wrappers.lvw(s, t, T)[1][1:]),
        lambda s, t, T: (min(t, key=lambda one: one[1])[0], wrappers.lvw(s, t, T)[1]),
        lambda s, t, T: wrappers.lvw(s, t, T + 1),
    ],
    right=[
        _lvw_by_keys,
        {},
        lambda s, t, T: (set(wrappers.lvw(s, t, T)[0]), tuple(wrappers.lvw(s, t, T)[1])),
    ],
)


def _pair_by_lstsq(X, y):
    A, B, a, b = X[::2], X[1::2], y[::2], y[1::2]
    scores = {(i, j): wrappers.cv_error(A, a, (j, i)) for j in range(X.shape[1]) for i in range(j)}
    pair = list(min(scores, key=scores.get))
    w = np.linalg.lstsq(np.c_[A[:, pair], np.ones(len(A))], a)[0]
    return pair[::-1], ((b - np.c_[B[:, pair], np.ones(len(B))] @ w) ** 2).sum() / len(b)


tried(
    "wrappers.5",
    wrong=[
        lambda X, y: wrappers.pair_and_error(X, y)[0],
        lambda X, y: ([0, 1], wrappers.pair_and_error(X, y)[1]),
        lambda X, y: (wrappers.pair_and_error(X, y)[0], 0.0),
        lambda X, y: wrappers.pair_and_error(X[::-1], y[::-1]),
    ],
    right=[
        _pair_by_lstsq,
        {},
        lambda X, y: (set(wrappers.pair_and_error(X, y)[0]), wrappers.pair_and_error(X, y)[1]),
    ],
)


def _rfe_by_inverse(X, y, k):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    A = np.arange(X.shape[1])
    while len(A) > k:
        A = np.delete(A, np.square(np.linalg.solve(Z[:, A].T @ Z[:, A], Z[:, A].T @ y)).argmin())
    return A[::-1]


tried(
    "wrappers.6",
    wrong=[
        lambda X, y, k: list(range(k)),
        lambda X, y, k: wrappers.rfe(X, y, k + 1),
        lambda X, y, k: wrappers.rfe(X, y, k)[0],
        lambda X, y, k: np.argsort(-np.abs(np.corrcoef(X.T, y)[-1, :-1]))[-k:],
    ],
    right=[_rfe_by_inverse, {}, lambda X, y, k: wrappers.rfe(X * [10] * X.shape[1] - 3, y, k)],
)


tried(
    "wrappers.7",
    wrong=[[[1, -0.4, 0.2, -0.8], [2, -0.2, 0, -1.4], [3, 0, 0, -2.4]], [[3, -1.2, 0.6, -2.4]] * 3],
    right=[
        np.array([[2, -0.2, 0, -1.4], [1, -0.4, 0.2, -0.8], [3, 0, 0, -2.4]]),
        ((3 - 1, 1 - 1.2, 0, 1 - 2.4), (3 / 3, -1.2 / 3, 0.6 / 3, -2.4 / 3), (3, 0, 0, -2.4)),
        [soft_threshold([3, -1.2, 0.6, -2.4], 1.0), np.array([3, -1.2, 0.6, -2.4]) / 3, [3.0, 0, 0, -2.4]],
    ],
)


def _free(d):
    return np.diag([0.0] + [1.0] * d)


tried(
    "wrappers.8",
    wrong=[
        lambda X, y, lam: wrappers.ridge(X, y, lam)[::-1],
        lambda X, y, lam: wrappers.ridge(X, y, 0.01),
        lambda X, y, lam: wrappers.ridge(X, y, lam**2),
    ],
    right=[
        lambda X, y, lam: wrappers.ridge_by_ones(X, y, lam * _free(X.shape[1])),
        lambda X, y, lam: (lambda m: [m.intercept_, *m.coef_])(Ridge(alpha=lam).fit(X, y)),
        lambda X, y, lam: (
            wrappers.ridge(X - 7, y + 1, lam)
            - np.append(7 * wrappers.ridge(X, y, lam)[1:].sum() + 1, 0 * X[0])
        ),
    ],
)


tried(
    "wrappers.9",
    wrong=[
        lambda lam, n: [lam, lam * 2 * n, lam / 2, 1 / lam],
        lambda lam, n: wrappers.translate(lam, n)[::-1],
        lambda lam, n: [lam, lam / (2 * n), lam / 2, n / lam],
    ],
    right=[
        lambda lam, n: np.array(wrappers.translate(lam, n)),
        lambda lam, n: (lam, lam / n / 2, 0.5 * lam, lam**-1),
        lambda lam, n: [lam, 0.5 * lam / n, n * lam / (2 * n), 1 / lam],
    ],
)


def _steps_by_gram(X, y, lam, steps):
    G, c, w = X.T @ X, X.T @ y, np.zeros(X.shape[1])
    top = np.linalg.eigvalsh(G)[-1]
    for _ in range(steps):
        z = w + (c - G @ w) / top
        w = np.where(z > 0, np.maximum(z - lam / (2 * top), 0), np.minimum(z + lam / (2 * top), 0))
    return w.tolist()


tried(
    "wrappers.10",
    wrong=[
        lambda X, y, lam, steps: wrappers.lasso_steps(X, y, lam, steps + 1),
        lambda X, y, lam, steps: wrappers.lasso_steps(X, -y, lam, steps),
        lambda X, y, lam, steps: wrappers.lasso_steps(X, y, lam / 2, steps),
    ],
    right=[
        _steps_by_gram,
        lambda X, y, lam, steps: proximal_gradient(X, y, lam, n_iter=steps)[0],
        lambda X, y, lam, steps: wrappers.lasso_steps(-X, -y, lam, steps),
    ],
)


def _patients(columns=slice(None)):
    X, y = load_diabetes(return_X_y=True, scaled=False)
    return ((X - X.mean(axis=0)) / X.std(axis=0))[:, columns], y


tried(
    "wrappers.11",
    wrong=[
        "a path",
        (np.eye(20)[:, :3], np.ones(20)),
        _patients()[0],
        (_patients()[0], _patients()[1][1:]),
        (np.arange(10.0)[:, None], np.arange(10.0)),
    ],
    right=[
        _patients(),
        (_patients()[0][:, ::-1].tolist(), _patients()[1].tolist()),
        wrappers.stand_in_table(seed=3),
    ],
)


tried(
    "wrappers.12",
    wrong=[
        [True] * 10,
        [False] * 10,
        "false",
        [False, False, True, True, False, True, False, True, False],
        [True, True, False, False, True, False, True, False, True, False],
    ],
    right=[
        (False, False, True, True, False, True, False, True, False, True),
        [0, 0, 1, 1, 0, 1, 0, 1, 0, 1],
        np.array([0, 0, 1, 1, 0, 1, 0, 1, 0, 1]),
    ],
)


tried(
    "wrappers.15",
    wrong=[r"X y", r"\lambda I_d", r"(X^\top X + \lambda I_d) X^\top y", r"(X^\top X + I_d)^{-1} X^\top y"],
    right=[
        r"X^\top (X X^\top + \lambda I_n)^{-1} y",
        r"(\lambda I_d + X^\top X)^{-1} (X^\top y)",
        r"\frac{1}{\lambda} \left(\frac{1}{\lambda} X^\top X + I_d\right)^{-1} X^\top y",
    ],
)


def _wins_by_size(start, tries):
    """Whether a try has just the least error so far, and fewer columns than the best."""
    columns, least = start
    for tried_columns, error in tries:
        if error == least and len(tried_columns) < len(columns):
            return True
        if error < least:
            columns, least = tried_columns, error
    return False


promised({
    "wrappers.4": {"equal to it with fewer columns": lambda start, tries, T: _wins_by_size(start, tries)},
    "wrappers.8": {"There may be more columns than rows": lambda X, y, lam: len(X) < X.shape[1]},
})
