"""Answers tried on homework 5, preprocessing: what must be refused, and what is right in other words."""

import numpy as np

from grading.tried_answers import promised, tried
from homework.preprocessing import questions as preprocessing

tried(
    "preprocessing.1",
    wrong=[[0.4, 0.4, 1], [1, 0.6, 0.6], [0.6, 0.6, 0]],
    right=[(60 / 100, 60 / 100, 1), np.array([0.6, 0.6, 1.0]), [np.float64(0.6), 3 / 5, 60 / 60]],
)


def _z_by_columns(train, test):
    out = np.array(test, float)
    for j in range(test.shape[1]):
        s = np.sqrt(np.mean((train[:, j] - train[:, j].mean()) ** 2))
        out[:, j] = (test[:, j] - train[:, j].mean()) / (1 if train[:, j].min() == train[:, j].max() else s)
    return out


tried(
    "preprocessing.2",
    wrong=[
        lambda train, test: test,
        lambda train, test: -preprocessing.zscore(train, test),
        dict(centre=lambda X: np.median(X, axis=0)),
    ],
    right=[
        _z_by_columns,
        lambda train, test: preprocessing.zscore(train + 1, test + 1).tolist(),
        dict(guard=lambda s, X: np.where(s < 1e-12 * np.abs(X).max(axis=0), 1, s)),
        lambda train, test: (preprocessing.zscore(train, np.vstack([test, train])))[: len(test)],
    ],
)


def _as_a_line(train, test, p, q):
    """Slope and intercept of each column."""
    width = np.ptp(train, axis=0)
    slope = np.divide(q - p, width, out=np.zeros_like(width), where=width > 0)
    return test * slope + (p - train.min(axis=0) * slope)


tried(
    "preprocessing.3",
    wrong=[
        lambda train, test, p, q: preprocessing.minmax(train, test, 0, 1),
        lambda train, test, p, q: preprocessing.minmax(train, test, q, p),
        lambda train, test, p, q: test,
    ],
    right=[
        _as_a_line,
        lambda train, test, p, q: preprocessing.minmax(train, test, p, q).tolist(),
        lambda train, test, p, q: (
            q - preprocessing.minmax(-train, -test, 0, 1) * (q - p)
            if np.ptp(train, axis=0).all()
            else _as_a_line(train, test, p, q)
        ),
    ],
)


tried(
    "preprocessing.4",
    wrong=[
        lambda X, p: X,
        lambda X, p: np.abs(preprocessing.unit_rows(X, p)),
        lambda X, p: preprocessing.unit_rows(X, p).T,
    ],
    right=[
        lambda X, p: [(x / (np.linalg.norm(x, p) or 1)).tolist() for x in X],
        lambda X, p: preprocessing.unit_rows(7 * X, p),
        lambda X, p: np.array([x / (sum(abs(v) ** p for v in x) ** (1 / p) or 1) for x in X]),
    ],
)


def _fill_by_loops(train, y, new):
    out = np.vstack([train, new])
    for j in range(out.shape[1]):
        seen = [v for v in train[:, j] if v == v]
        for i in range(len(out)):
            if out[i, j] != out[i, j]:
                out[i, j] = sum(seen) / len(seen)
    return out


tried(
    "preprocessing.5",
    wrong=[
        preprocessing.filled_by(lambda train, new: np.nanmax(train, axis=0)),
        lambda train, y, new: np.tile(np.nanmean(train, axis=0), (len(train) + len(new), 1)),
    ],
    right=[
        _fill_by_loops,
        lambda train, y, new: preprocessing.fill(train, y, new).tolist(),
        preprocessing.filled_by(lambda train, new: np.nansum(train, axis=0) / (~np.isnan(train)).sum(axis=0)),
    ],
)


tried(
    "preprocessing.6",
    wrong=[lambda a, edges: a, lambda a, edges: np.sort(preprocessing.buckets(a, edges))],
    right=[
        lambda a, edges: np.digitize(a, edges),
        lambda a, edges: np.searchsorted(edges, a, side="right"),
        lambda a, edges: [sum(bool(b <= v) for b in edges) for v in a],
    ],
)


tried(
    "preprocessing.7",
    wrong=[
        lambda names, sizes: 2.0 * (names[:, None] != names),
        lambda names, sizes: preprocessing.gaps_with(names[:1].repeat(len(names)), sizes),
        lambda names, sizes: preprocessing.gaps(names[::-1], sizes),
    ],
    right=[
        {},
        lambda names, sizes: preprocessing.gaps(names, 3 * sizes - 7).tolist(),
        lambda names, sizes: [
            [2 * (a != b) + (s - t) ** 2 / np.var(sizes) for b, t in zip(names, sizes)]
            for a, s in zip(names, sizes)
        ],
    ],
)


def _encode_by_loops(c, y, fold, m):
    out = []
    for i in range(len(c)):
        rest = [y[k] for k in range(len(c)) if fold[k] != fold[i]]
        alike = [y[k] for k in range(len(c)) if fold[k] != fold[i] and c[k] == c[i]]
        out.append(float((sum(alike) + m * np.mean(rest)) / (len(alike) + m)))
    return out


def _encode_by_folds(c, y, fold, m):
    out = np.zeros(len(c))
    for k in set(fold.tolist()):
        rest = fold != k
        known, place = np.unique(c, return_inverse=True)
        total = np.bincount(place[rest], y[rest], minlength=len(known))
        count = np.bincount(place[rest], minlength=len(known))
        out[~rest] = ((total + m * y[rest].mean()) / (count + m))[place[~rest]]
    return out


tried(
    "preprocessing.8",
    wrong=[
        lambda c, y, fold, m: y,
        lambda c, y, fold, m: c,
        lambda c, y, fold, m: preprocessing.target_encode(c, y, fold, m)[::-1] + 0.1,
        lambda c, y, fold, m: preprocessing.target_encode(c, y, fold, 2 * m),
        lambda c, y, fold, m: np.full(len(c), y.mean()),
    ],
    right=[
        _encode_by_loops,
        _encode_by_folds,
        lambda c, y, fold, m: preprocessing.target_encode(c + 100, y, 9 - fold, m).tolist(),
        {},
    ],
)


tried(
    "preprocessing.9",
    wrong=[
        (preprocessing.quiet_table()[0][:, 2:], preprocessing.quiet_table()[1]),
        (preprocessing.quiet_table()[0], preprocessing.quiet_table()[1][1:]),
        preprocessing.quiet_table(n=50),
        "quiet",
        preprocessing.quiet_table()[0],
        (0.01 * preprocessing.quiet_table()[0], preprocessing.quiet_table()[1]),
    ],
    right=[
        preprocessing.quiet_table(scale=0.001, seed=3),
        preprocessing.quiet_table(scale=-0.05, n=400),
        preprocessing.quiet_table(noise=0.05, seed=5),
        [
            preprocessing.quiet_table(n=300)[0].tolist(),
            ["ab"[c] for c in preprocessing.quiet_table(n=300)[1]],
        ],
    ],
)


tried(
    "preprocessing.10",
    wrong=[
        [False, True, False, True, False, False],
        [True, False, True],
        "yes",
        True,
        [True, False, True, False, True, None],
    ],
    right=[(True, False, True, False, True, True), np.array([1, 0, 1, 0, 1, 1]), [1, 0, 1, 0, 1, 1]],
)


tried(
    "preprocessing.11",
    wrong=[
        lambda theta, U: preprocessing.rubin(theta, U)[::-1],
        lambda theta, U: preprocessing.rubin(U, theta),
        dict(within=np.sum),
        lambda theta, U: np.array([np.median(theta) + 0.01, preprocessing.rubin(theta, U)[1]]),
    ],
    right=[
        lambda theta, U: preprocessing.rubin(theta[::-1], U[::-1]).tolist(),
        lambda theta, U: (
            sum(theta) / len(theta),
            sum(U) / len(U) + (len(U) + 1) / len(U) * np.cov(theta).item(),
        ),
        lambda theta, U: preprocessing.rubin(theta[::-1], U[::-1]),
    ],
)


tried(
    "preprocessing.14",
    wrong=[
        r"U_m",
        r"M",
        r"\frac1M \sum_{m=1}^M \theta_m",
        r"\frac1M \sum_{m=1}^M U_m + \frac1M \sum_{m=1}^M \theta_m^2",
        r"\max_m U_m",
    ],
    right=[
        r"W + \frac{M + 1}{M} B, \quad W = \frac1M \sum_m U_m, \quad B = \frac{1}{M - 1} \sum_m "
        r"(\theta_m - a)^2, \quad a = \frac1M \sum_m \theta_m",
        r"\frac{1}{M} \sum_{m=1}^M U_m + \frac{M + 1}{M (M - 1)} \left(\sum_{m=1}^M \theta_m^2 - "
        r"\frac1M \left(\sum_{m=1}^M \theta_m\right)^2\right)",
        r"\sum_m \frac{U_m}{M} + \frac{M + 1}{M (M - 1)} \sum_m (\theta_m - a)^2, \quad a = "
        r"\frac1M \sum_l \theta_l",
    ],
)


promised({
    "preprocessing.2": {
        "A column that is constant in `train`": lambda train, test: (np.ptp(train, axis=0) == 0).any(),
        "`test` may hold a single row": lambda train, test: len(test) == 1,
    },
    "preprocessing.3": {
        "beyond these ends": lambda train, test, p, q: (test > train.max(axis=0)).any(),
        "beyond `p` and `q`": lambda train, test, p, q: (test < train.min(axis=0)).any(),
        "A column that is constant in `train`": lambda train, test, p, q: (np.ptp(train, axis=0) == 0).any(),
    },
    "preprocessing.4": {
        "A row of zeros": lambda X, p: (X == 0).all(axis=1).any(),
        "Values may be negative": lambda X, p: p == 3 and (X < 0).any(),
    },
    "preprocessing.5": {
        "hold blanks (NaN)": lambda train, y, new: np.isnan(train).any() and np.isnan(new).any()
    },
    "preprocessing.6": {
        r"$b_k \le a": lambda a, edges: np.isin(edges[:-1], a).any(),
        "from $b_M$ on": lambda a, edges: edges[-1] in a,
    },
    "preprocessing.8": {
        "of any size": lambda c, y, fold, m: np.ptp(np.unique(fold, return_counts=True)[1]) > 1,
        "any integers may be their numbers": lambda c, y, fold, m: not {*fold} <= {*range(len({*fold}))},
        "it need not be whole": lambda c, y, fold, m: m % 1 > 0,
        "a town that no other fold has seen": lambda c, y, fold, m: any(
            len({*fold[c == town]}) == 1 for town in c
        ),
    },
})
