"""Answers tried on homework 12, imbalance: what must be refused, and what is right in other words."""

import numpy as np
from imblearn.over_sampling import SMOTE, BorderlineSMOTE
from scipy.spatial.distance import cdist
from sklearn.metrics import balanced_accuracy_score, precision_score, recall_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from grading.tried_answers import promised, tried
from helpers.methods.thresholds import threshold_by_cost, under_priors
from homework.imbalance import questions as imbalance

tried(
    "imbalance.1",
    wrong=[[0.5, 0.4, 0.4, 0.5], [0.75, 1 / 3, 19 / 21, 0.2]],
    right=[(0.25, 0.6667, 0.09524, 0.2), np.array([1 / 4, 2 / 3, 2 / 21, 1 / 5]), [0.25, 0.667, 0.0952, 0.2]],
)


tried(
    "imbalance.2",
    wrong=[[True, False], [False, True, True, False, True, True]],
    right=[
        (True, False, False, True, False, False),
        np.array([1, 0, 0, 1, 0, 0], dtype=bool),
        [1, 0, 0, 1, 0, 0],
    ],
)


def _by_sklearn(y, score):
    yes = score > 0.5
    return [
        recall_score(y, yes),
        precision_score(y, yes, zero_division=0),
        balanced_accuracy_score(y, yes),
        roc_auc_score(y, score),
    ]


tried(
    "imbalance.3",
    wrong=[
        lambda y, score: imbalance.evaluate(~y, score),
        lambda y, score: imbalance.evaluate(y, 1 - score),
        lambda y, score: imbalance.evaluate(y, score)[::-1],
        lambda y, score: imbalance.evaluate(y, score + 0.05),
        dict(precision=lambda y, score: 1.0),
    ],
    right=[
        _by_sklearn,
        lambda y, score: tuple(imbalance.evaluate(y, score)),
        lambda y, score: imbalance.evaluate(y[::-1], score[::-1]),
    ],
)


tried(
    "imbalance.4",
    wrong=[
        lambda p, n_pos, n_neg: np.ones(len(p), bool),
        lambda p, n_pos, n_neg: np.zeros(len(p), bool),
        lambda p, n_pos, n_neg: imbalance.move_threshold(p, n_pos + 1, n_neg - 5),
    ],
    right=[
        lambda p, n_pos, n_neg: p > n_pos / (n_pos + n_neg),
        lambda p, n_pos, n_neg: p / (1 - p) > n_pos / n_neg,
        lambda p, n_pos, n_neg: [bool(q > n_pos / (n_pos + n_neg)) for q in p],
    ],
)


tried(
    "imbalance.5",
    wrong=[
        lambda p, train, world: 1 - imbalance.mend(p, train, world),
        lambda p, train, world: imbalance.mend(p, train, world)[::-1],
        lambda p, train, world: p - train + world,
    ],
    right=[
        under_priors,
        lambda p, train, world: imbalance.mend(p, train, world).tolist(),
        lambda p, train, world: 1 - imbalance.mend(1 - p, 1 - train, 1 - world),
    ],
)


tried(
    "imbalance.6",
    wrong=[
        lambda *args: ~imbalance.cheapest(*args),
        lambda *args: np.ones(len(args[0]), bool),
        imbalance.cut_at(lambda world, alarm, miss: alarm / (alarm + 3 * miss)),
    ],
    right=[
        imbalance.cut_at(lambda world, alarm, miss: alarm / (alarm + miss)),
        lambda p, train, world, alarm, miss: (
            under_priors(p, train, world) > threshold_by_cost(alarm, miss)
        ).tolist(),
        lambda p, train, world, alarm, miss: imbalance.cheapest(p, train, world, 1, miss / alarm),
    ],
)


def _smote_with_loops(X, y, k, n, seed):
    rng, P, rows = np.random.RandomState(seed + 1), X[y], []
    for _ in range(n):
        a = P[rng.randint(len(P))]
        b = P[rng.choice(np.argsort(((P - a) ** 2).sum(axis=1))[1 : k + 1])]
        rows.append(b + rng.uniform() * (a - b))
    return rows


tried(
    "imbalance.7",
    wrong=[
        lambda X, y, k, n, seed: imbalance.smote(X, ~y, k, n, seed),
        lambda X, y, k, n, seed: imbalance.smote(X, y, k, n - 1, seed),
        lambda X, y, k, n, seed: imbalance.smote(X, y, k + 4, n, seed),
        lambda X, y, k, n, seed: X[y][np.arange(n) % y.sum()],
        dict(step=lambda rng, n, d: 2 * rng.random((n, 1))),
    ],
    right=[
        _smote_with_loops,
        lambda X, y, k, n, seed: imbalance.smote(X, y, k, n, seed + 1).tolist(),
        lambda X, y, k, n, seed: SMOTE(
            k_neighbors=k,
            sampling_strategy={True: n + int(y.sum()), False: int((~y).sum())} if n + y.sum() > 0 else "auto",
            random_state=seed,
        ).fit_resample(X, y)[0][len(y) :],
    ],
)


def _by_imbalanced_learn(X, y, m):
    sampler = BorderlineSMOTE(k_neighbors=1, m_neighbors=m, random_state=0)
    sampler.fit_resample(X, y)
    return sampler.in_danger_indices[True]


tried(
    "imbalance.8",
    wrong=[
        lambda X, y, m: np.flatnonzero(y),
        lambda X, y, m: imbalance.danger(X, y, m + 4),
        lambda X, y, m: imbalance.danger(X, y, m)[1:],
        lambda X, y, m: imbalance.danger(X, ~y, m),
    ],
    right=[
        _by_imbalanced_learn,
        lambda X, y, m: set(imbalance.danger(X, y, m).tolist()),
        lambda X, y, m: imbalance.danger(3 * X + 1, y, m)[::-1],
    ],
)


def _by_learner(X, y, fold):
    found = []
    for f in np.unique(fold):
        rows = np.r_[np.flatnonzero(fold != f), np.tile(np.flatnonzero((fold != f) & y), 4)]
        model = KNeighborsClassifier(5).fit(X[rows], y[rows])
        found.append(balanced_accuracy_score(y[fold == f], model.predict(X[fold == f])))
    return np.mean(found)


tried(
    "imbalance.9",
    wrong=[
        lambda X, y, fold: 0.5,
        lambda X, y, fold: 1 - imbalance.honest(X, y, fold),
        lambda X, y, fold: imbalance.honest(X, ~y, fold),
        lambda X, y, fold: imbalance.honest(X, y, fold[::-1]),
        dict(training=lambda test: test),
    ],
    right=[
        _by_learner,
        lambda X, y, fold: np.array(imbalance.honest(2 * X, y, fold)),
        lambda X, y, fold: imbalance.honest(X[::-1], y[::-1], fold[::-1]),
    ],
)


tried(
    "imbalance.10",
    wrong=[
        lambda rows, checked, new: np.arange(len(new)),
        lambda rows, checked, new: [],
        lambda rows, checked, new: checked,
        lambda rows, checked, new: imbalance.novelties(rows, checked, new)[1:],
    ],
    right=[
        lambda rows, checked, new: imbalance.novel_rows(rows[checked], new),
        lambda rows, checked, new: set(imbalance.novelties(rows, checked, new).tolist()),
        lambda rows, checked, new: [
            i for i in range(len(new)) if i in imbalance.novelties(rows, checked, new)
        ][::-1],
    ],
)


tried(
    "imbalance.11",
    wrong=[
        (imbalance.few_positives(imbalance.SIDES)[0], np.zeros(160, bool)),
        imbalance.few_positives(imbalance.SIDES)[0],
        (np.eye(3), np.ones(3, bool)),
        5,
        (imbalance.few_positives(imbalance.SIDES)[0], ~imbalance.few_positives(imbalance.SIDES)[1]),
        (imbalance.few_positives(imbalance.SIDES)[0][:40], imbalance.few_positives(imbalance.SIDES)[1][:40]),
    ],
    right=[
        imbalance.few_positives(imbalance.SIDES, seed=3),
        imbalance.few_positives([[0, 5], [0, -5]], seed=1),
        imbalance.few_positives([[-4, -1], [4, 2]], each=4, spread=0.3, seed=2),
    ],
)


tried(
    "imbalance.14",
    wrong=[r"p", r"q", r"\frac{p}{p + q}", r"p - b + q"],
    right=[
        r"\frac{o}{1 + o}, \quad o = \frac{p}{1 - p} \cdot \frac{1 - b}{b} \cdot \frac{q}{1 - q}",
        r"\frac{p q / b}{p q / b + (1 - p)(1 - q) / (1 - b)}",
        r"\frac{1}{1 + \frac{(1 - p) b (1 - q)}{p (1 - b) q}}",
    ],
)


def _negatives_near(X, y, m):
    """Of the m nearest others of each positive, how many are negative."""
    near = np.argsort(cdist(X[y], X), axis=1)[:, 1 : m + 1]
    return (~y[near]).sum(axis=1)


promised({
    "imbalance.3": {
        "`score > 0.5`": lambda y, score: (score == 0.5).any(),
        "when no row is called positive": lambda y, score: not (score > 0.5).any(),
        "a pair of equal scores counts one half": lambda y, score: np.isin(score[y], score[~y]).any(),
    },
    "imbalance.4": {"from 0 to 1, both included": lambda p, n_pos, n_neg: {0, 1} <= {*p}},
    "imbalance.5": {"from 0 to 1, both included": lambda p, train, world: {0, 1} <= {*p}},
    "imbalance.8": {r"$m/2 \le m' < m$": lambda X, y, m: {m // 2, m} <= {*_negatives_near(X, y, m)}},
    "imbalance.9": {"any whole number": lambda X, y, fold: not {*fold} <= {*range(len({*fold}))}},
})
