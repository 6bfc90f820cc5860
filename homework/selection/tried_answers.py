"""Answers tried on homework 7, selection: what must be refused, and what is right in other words."""

from functools import partial
from math import ceil, log

import numpy as np

from grading.tried_answers import promised, tried
from homework.selection import questions as selection


def _by_folds(k, seed, x, y, degree):
    """k folds dealt at random: an honest choice, whatever the seed."""
    return selection.fold_error(
        x, y, degree, np.array_split(np.random.default_rng(seed).permutation(len(x)), k)
    )


tried(
    "selection.1",
    wrong=[[1521, 381], [50, 100]],
    right=[
        (381, 1521),
        np.array([381.0, 1521.0]),
        [ceil(log(2 * 50 / 0.05) / (2 * g**2)) for g in (0.1, 0.05)],
    ],
)


tried(
    "selection.2",
    wrong=[
        lambda n, k, seed: selection.kfold(n, k + 1, seed),
        lambda n, k, seed: selection.kfold(n - 1, k, seed),
        lambda n, k, seed: selection.kfold(n + 1, k, seed),
        lambda n, k, seed: [p + 1 for p in selection.kfold(n, k, seed)],
        lambda n, k, seed: [selection.all_but(n, p) for p in selection.kfold(n, k, seed)],
        lambda n, k, seed: selection.kfold(n, k, seed)[0],
    ],
    right=[
        lambda n, k, seed: tuple(p.tolist() for p in selection.kfold(n, k, seed)),
        lambda n, k, seed: [np.random.default_rng(seed).permutation(n)[j::k] for j in range(k)],
        lambda n, k, seed: [np.sort(p) for p in selection.kfold(n, k, seed)][::-1],
    ],
)


tried(
    "selection.3",
    wrong=[
        lambda X, y, folds: 1 - selection.cv_r2(X, y, folds),
        lambda X, y, folds: 0.9,
        partial(selection.by_fold, mean=np.median),
        lambda X, y, folds: selection.cv_r2(X, y, folds[:-1] + [np.arange(5)]),
    ],
    right=[
        lambda X, y, folds: np.array(selection.cv_r2(X, y, folds)),
        lambda X, y, folds: selection.cv_r2(X - X.mean(axis=0), y, folds[::-1]),
        lambda X, y, folds: selection.cv_r2(X, 3 * y - 7, folds),
    ],
)


tried(
    "selection.4",
    wrong=[
        [True, False, True, True, False, False, True, False],
        [2, 5, 6, 8],
        True,
        "2",
        [False, True, False],
    ],
    right=[
        (False, True, False, False, True, True, False, True),
        np.array([0, 1, 0, 0, 1, 1, 0, 1]),
        [0, 1, 0, 0, 1, 1, 0, 1],
    ],
)


tried(
    "selection.5",
    wrong=[
        lambda X, y, folds, k: 1 - selection.select_inside(X, y, folds, k),
        lambda X, y, folds, k: 0.5,
        lambda X, y, folds, k: selection.select_inside(X, y, folds, k) * len(y),
        lambda X, y, folds, k: selection.select_inside(X, y, folds[:1], k),
    ],
    right=[
        {},
        lambda X, y, folds, k: np.array(selection.select_inside(X, y, folds, k)),
        lambda X, y, folds, k: selection.select_inside(X[:, ::-1] * 3, 1 - y, folds[::-1], k),
    ],
)


tried(
    "selection.6",
    wrong=[
        lambda P: 0,
        lambda P: len(P),
        lambda P: selection.labellings(P) + 1,
        lambda P: selection.labellings(P[:-1]),
        lambda P: selection.labellings(P[:, :1]),
    ],
    right=[
        selection.by_brute_force,
        lambda P: selection.labellings(7 - 2 * P),
        lambda P: np.int64(selection.labellings(P[::-1, ::-1])),
    ],
)


tried(
    "selection.7",
    wrong=[
        (selection.TRIANGLE, selection.IN_LINE, selection.SQUARE),
        (selection.TRIANGLE, [[0, 0], [0, 0], [1, 0]], selection.SQUARE, 3),
        "3",
        (selection.TRIANGLE, selection.IN_LINE, [[0, 0], [1, 0], [2, 0], [0, 1]], 3),
        (selection.TRIANGLE, selection.IN_LINE, selection.TRIANGLE, 3),
        (selection.SQUARE, selection.IN_LINE, selection.SQUARE, 3),
        (selection.TRIANGLE, selection.IN_LINE, selection.SQUARE, [3]),
    ],
    right=[
        (np.array(selection.TRIANGLE) - 5.0, [[0, 0], [1, 2], [3, 6]], selection.KITE, 3),
        [selection.TRIANGLE, selection.IN_LINE, selection.KITE, np.int64(3)],
        (selection.TRIANGLE, [(0, 1), (0, 2), (0, 5)], selection.SQUARE, 3.0),
    ],
)


tried(
    "selection.8",
    wrong=[
        (np.array([[-1.0], [1.0]]), 1.0),
        (selection.simplex(3), 0.8),
        (selection.simplex(3), -0.75),
        (selection.simplex(3), 0),
        selection.simplex(3),
        (0.75, selection.simplex(3)),
        (selection.simplex(3)[:2], 0.75),
        (selection.simplex(4), 0.7),
    ],
    right=[
        (selection.simplex(3).tolist(), 0.6),
        (selection.simplex(4), 1 / np.sqrt(3)),
        (selection.simplex(5), 0.51),
        (np.column_stack([selection.simplex(3)[:, ::-1], np.zeros(3)]), np.float64(0.75)),
    ],
)


def _by_refits(X, y):
    return np.mean((y - selection.said_of_held_out(X, y, np.arange(len(y))[:, None])) ** 2)


tried(
    "selection.9",
    wrong=[
        lambda X, y: np.sqrt(selection.loo_mse(X, y)),
        lambda X, y: selection.loo_mse(X, y) * len(y),
        lambda X, y: selection.loo_mse(X[1:], y[1:]),
        dict(combine=lambda e, h: np.abs(e / (1 - h))),
    ],
    right=[
        lambda X, y: selection.loo_mse(X[::-1], y[::-1]),
        _by_refits,
        lambda X, y: np.array(selection.loo_mse(X * 2 - 5, y - 7)),
    ],
)


tried(
    "selection.10",
    wrong=[
        lambda errors: selection.simplest_good(errors) + 1,
        lambda errors: selection.simplest_good(errors) - 1,
        lambda errors: selection.simplest_good(errors.T),
    ],
    right=[
        lambda errors: np.int64(selection.simplest_good(errors)),
        lambda errors: selection.simplest_good(errors[:, ::-1] * 10),
        lambda errors: float(selection.simplest_good(errors)),
    ],
)


tried(
    "selection.11",
    wrong=[
        lambda wrong, folds: 0.5,
        lambda wrong, folds: 1 - selection.honest_error(wrong, folds),
        lambda wrong, folds: selection.honest_error(wrong, folds) * wrong.shape[1],
        lambda wrong, folds: selection.honest_error(wrong, folds[:-1]),
    ],
    right=[
        lambda wrong, folds: selection.honest_error(wrong, folds[::-1]),
        lambda wrong, folds: np.array(selection.honest_error(wrong, folds)),
        lambda wrong, folds: float(selection.honest_error(wrong.astype(int), folds[::-1])),
    ],
)


tried(
    "selection.12",
    wrong=[
        lambda x, y: 1,
        lambda x, y: 0,
        lambda x, y: 21,
        lambda x, y: [4, 5],
        lambda x, y: "5",
        lambda x, y: 2,
        lambda x, y: 4.5,
        lambda x, y: np.nan,
    ],
    right=[
        selection.degree_of_least(
            lambda x, y, d: selection.fold_error(
                x, y, d, np.array_split(np.random.default_rng(0).permutation(len(x)), len(x))
            )
        ),
        lambda x, y: float(selection.choose_degree(x, y)[0]),
        lambda x, y: np.int64(selection.choose_degree(x[::-1], y[::-1])[0]),
        *(selection.degree_of_least(partial(_by_folds, k, seed)) for k in (5, 10) for seed in (0, 1)),
    ],
)


tried(
    "selection.15",
    wrong=[
        r"k",
        r"\ln \frac{2k}{\delta}",
        r"2 k \exp(-2 \gamma^2)",
        r"\frac{k}{2 \gamma^2} \ln \frac{2}{\delta}",
    ],
    right=[
        r"\frac{\ln(2k / \delta)}{2 \gamma^2}",
        r"\frac{\ln(2) + \ln(k) - \ln(\delta)}{2 \gamma^2}",
        r"-\frac{1}{2 \gamma^2} \ln \frac{\delta}{2k}",
    ],
)


def _tied(counts):
    return (counts == counts.min()).sum() > 1


def _limit(errors):
    best = errors[errors.mean(axis=1).argmin()]
    return best.mean() + best.std(ddof=1) / np.sqrt(len(best))


promised({
    "selection.2": {"differ by at most one": lambda n, k, seed: n % k > 0},
    "selection.3": {
        "Folds may differ in size": lambda X, y, folds: len({*map(len, folds)}) > 1,
        "may hold a single row": lambda X, y, folds: 1 in map(len, folds),
    },
    "selection.5": {"All rows of the table count alike": lambda X, y, folds, k: len({*map(len, folds)}) > 1},
    "selection.6": {"Points may lie on a line": lambda P: np.linalg.matrix_rank(P - P[0]) == 1},
    "selection.10": {
        "at most one standard error above": lambda errors: _limit(errors) in errors.mean(axis=1)
    },
    "selection.11": {
        "of several the first": lambda wrong, folds: any(
            (counts == counts.min()).sum() > 1
            for counts in (np.delete(wrong, f, 1).sum(axis=1) for f in folds)
        )
    },
})
