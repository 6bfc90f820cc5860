"""Answers tried on homework 8, filters: what must be refused, and what is right in other words."""

import numpy as np
import scipy.stats
from scipy.spatial.distance import pdist
from scipy.stats.contingency import crosstab
from sklearn.feature_selection import f_classif, f_regression
from sklearn.metrics import mutual_info_score

from grading.tried_answers import promised, tried, twins
from helpers.methods.relief import relieff_scores
from homework.filters import questions as filters

tried(
    "filters.1",
    wrong=[[6.67], 20 / 3, [1, 20 / 3], [6.2, 1], "6.67", [20 / 3, 2]],
    right=[(6.67, 1), np.array([6.6667, 1.0]), [60 * 0.3333333**2, 1]],
)


tried(
    "filters.2",
    wrong=[
        lambda T: filters.chi2_stat(T)[::-1],
        lambda T: (filters.chi2_stat(T)[0] / np.sum(T), filters.chi2_stat(T)[1]),
        lambda T: (filters.chi2_test(T).pvalue, filters.chi2_stat(T)[1]),
    ],
    right=[
        lambda T: (filters.chi2_test(T).statistic, filters.chi2_test(T).dof),
        lambda T: filters.chi2_stat(np.transpose(T)),
        lambda T: [
            np.sum(T) * (np.sum(np.square(T) / np.outer(np.sum(T, axis=1), np.sum(T, axis=0))) - 1),
            (len(T) - 1) * (len(T[0]) - 1),
        ],
    ],
)


def _by_simulated_law(tables):
    """Evidence as the distance into the tail, in standard deviations of a normal."""
    tests = [scipy.stats.chi2_contingency(T, correction=False) for T in tables]
    return sorted(
        range(len(tables)),
        key=lambda i: -scipy.stats.norm.isf(scipy.stats.chi2.sf(tests[i].statistic, tests[i].dof)),
    )


tried(
    "filters.3",
    wrong=[
        lambda tables: list(range(len(tables))),
        lambda tables: [i + 1 for i in filters.rank_tables(tables)],
    ],
    right=[
        lambda tables: np.argsort([scipy.stats.chi2_contingency(T, correction=False)[1] for T in tables]),
        _by_simulated_law,
        lambda tables: np.argsort([
            -scipy.stats.chi2.logsf(filters.chi2_of(T), filters.chi2_test(T).dof) for T in tables
        ])[::-1],
        lambda tables: tuple(
            sorted(range(len(tables)), key=lambda i: filters.chi2_test(np.transpose(tables[i])).pvalue)
        ),
    ],
)


def _p_by_scipy(X, kinds, y):
    tests = {
        "code": lambda x: scipy.stats.chi2_contingency(crosstab(x, y).count, correction=False)[1],
        "measure": lambda x: scipy.stats.ttest_ind(x[y == "yes"], x[y == "no"]).pvalue,
        "count": lambda x: scipy.stats.chisquare(
            [x[y == c].sum() for c in ("no", "yes")], [np.mean(y == c) * x.sum() for c in ("no", "yes")]
        )[1],
    }
    return [tests[kind](X[:, j]) for j, kind in enumerate(kinds)]


tried(
    "filters.4",
    wrong=[
        lambda X, kinds, y: filters.p_values(X, kinds[::-1], y)[::-1],
        lambda X, kinds, y: 1 - filters.p_values(X, kinds, y),
        lambda X, kinds, y: filters.p_values(X, kinds, y)[0],
        lambda X, kinds, y: np.minimum(1, len(kinds) * filters.p_values(X, kinds, y)),
    ],
    right=[
        _p_by_scipy,
        lambda X, kinds, y: filters.p_values(X, kinds, (y == "yes").astype(int)).tolist(),
        lambda X, kinds, y: filters.p_values(
            np.where(np.array(kinds) == "measure", 10 * X - 3000, X), kinds, y
        ),
    ],
)


tried(
    "filters.5",
    wrong=[
        lambda groups: scipy.stats.f_oneway(*groups).pvalue,
        lambda groups: filters.f_stat(groups[:2]),
        lambda groups: np.sqrt(filters.f_stat(groups)),
        lambda groups: scipy.stats.kruskal(*groups).statistic,
    ],
    right=[
        lambda groups: scipy.stats.f_oneway(*groups).statistic,
        lambda groups: filters.f_stat([100 - 3 * g for g in groups[::-1]]),
        lambda groups: float(
            f_classif(
                np.concatenate(groups)[:, None], np.repeat(np.arange(len(groups)), [len(g) for g in groups])
            )[0][0]
        ),
    ],
)


tried(
    "filters.6",
    wrong=[[24, 12, 2, 5], 5, [24, 12, 2, 5, 0.2], "24, 12, 2, 5, 5", [24, 12, 2, 6, 6], [36, 12, 2, 5, 5]],
    right=[(24, 12, 2, 5, 5.0), np.array([24, 12, 2, 5, 5]), [24.0, 12.0, 2.0, 5.0, 12 / 2.4]],
)


tried(
    "filters.7",
    wrong=[
        lambda X, y, k: np.arange(k),
        lambda X, y, k: filters.correlations(X, y)[filters.most_correlated(X, y, k)],
        lambda X, y, k: filters.most_correlated(X, y, k) + 1,
    ],
    right=[
        filters.ranked_by(lambda X, y: np.abs(filters.correlations(X, y))),
        filters.ranked_by(lambda X, y: f_regression(X, y)[0]),
        lambda X, y, k: filters.most_correlated(-X, 3 * y - 1, k).tolist(),
        filters.ranked_by(lambda X, y: filters.correlations(X, y) ** 2),
    ],
)


tried(
    "filters.8",
    wrong=[
        lambda T: -filters.gain(T),
        lambda T: filters.gain(np.asarray(T) + 1),
        lambda T: filters.entropy(np.ravel(T)),
        lambda T: 2 * np.sum(T) * filters.gain(T),
    ],
    right=[
        lambda T: mutual_info_score(None, None, contingency=np.asarray(T)) / np.log(2),
        lambda T: filters.gain(np.transpose(T)),
        lambda T: (
            filters.entropy(np.sum(T, axis=0))
            + filters.entropy(np.sum(T, axis=1))
            - filters.entropy(np.ravel(T))
        ),
    ],
)


def _by_shuffling(X, y):
    rng = np.random.default_rng(0)
    chance = np.mean([filters.gains(X, rng.permutation(y)) for _ in range(20)], axis=0)
    return np.argmax(filters.gains(X, y) - chance)


def _by_new_rows(X, y):
    """Accuracy of the majority of each value, on rows that were not counted."""

    def accuracy(x, train):
        vote = [np.mean(np.r_[y[train][x[train] == v], 0.5]) > 0.5 for v in x[~train]]
        return np.mean(np.array(vote) == y[~train])

    folds = np.arange(len(y)) % 5
    return int(np.argmax([np.mean([accuracy(x, folds != f) for f in range(5)]) for x in X.T]))


tried(
    "filters.9",
    wrong=[
        lambda X, y: 0,
        lambda X, y: filters.best_feature(X, y)[0] + 1,
        lambda X, y: filters.gains(X, y),
        lambda X, y: np.argmax(filters.levels(X)),
        lambda X, y: np.argmax([filters.chi2_test(crosstab(x, y).count).statistic for x in X.T]),
        lambda X, y: np.argmax(filters.gains(X, y) - (filters.levels(X) - 1) / (2 * len(y) * np.log(2))),
        lambda X, y: np.argmin(filters.gains(X, y)),
    ],
    right=[
        _by_shuffling,
        lambda X, y: np.int64(filters.best_feature(X[::-1], y[::-1])[0]),
        _by_new_rows,
        lambda X, y: int(
            np.argmin([scipy.stats.chi2_contingency(crosstab(x, y).count, correction=False)[1] for x in X.T])
        ),
    ],
)


tried(
    "filters.10",
    wrong=[19, [19, 0.16], [19, 0.1, 0.01 / 2000], "19", [119, 19 / 119, 0.01 / 2000], [19, 19 / 119, 20]],
    right=[(19.0, 0.1597, 5e-6), np.array([19, 0.16, 5e-6]), [1900 / 100, 19 / (19 + 100), 1e-2 / 2e3]],
)


tried(
    "filters.11",
    wrong=[
        filters.spots(n=20),
        "x, y",
        filters.spots()[0],
        (filters.spots()[0], filters.spots()[0]),
        (filters.spots()[0], (np.eye(2), [0, 1])),
        ((np.linspace(-1, 1, 80), np.linspace(-1, 1, 80) ** 2), filters.spots()[1]),
    ],
    right=[
        filters.spots(f=np.abs),
        filters.spots(f=lambda x: 5 - x**4, pair=lambda a, b: 1 - (a ^ b)),
        [list(map(np.ndarray.tolist, s)) for s in filters.spots()],
        filters.spots(n=400),
    ],
)


tried(
    "filters.12",
    wrong=[
        lambda X, y: f_classif(X, y)[0],
        lambda X, y: filters.relief(X, y)[::-1],
        lambda X, y: np.abs(filters.relief(X, y)),
        lambda X, y: np.argsort(-filters.relief(X, y)),
    ],
    right=[
        lambda X, y: relieff_scores(X, y, m=1),
        lambda X, y: filters.relief(7 - 3 * X, y).tolist(),
        lambda X, y: filters.relief(X[::-1], y[::-1]),
    ],
)


tried(
    "filters.15",
    wrong=[r"t_{ij}", r"\sum_{i=1}^r \sum_{j=1}^c t_{ij}", r"r c", r"\sum_{i=1}^r \sum_{j=1}^c t_{ij}^2"],
    right=[
        r"\left(\sum_i \sum_j \frac{t_{ij}^2}{a_i b_j} - 1\right) \sum_i a_i, \quad a_i = \sum_l "
        r"t_{il}, \quad b_j = \sum_k t_{kj}",
        r"\sum_i \sum_j \frac{t_{ij}^2}{e_{ij}} - n, \quad e_{ij} = \frac{\sum_l t_{il} \sum_k "
        r"t_{kj}}{n}, \quad n = \sum_k \sum_l t_{kl}",
        r"\sum_i \sum_j \frac{(e_{ij} - t_{ij})^2}{e_{ij}}, \quad e_{ij} = \frac1n a_i b_j, \quad "
        r"a_i = \sum_l t_{il}, \quad b_j = \sum_k t_{kj}, \quad n = \sum_i a_i",
    ],
)


promised({
    "filters.2": {
        "No row or column of `T` is empty": lambda T: T.any(axis=0).all() and T.any(axis=1).all(),
        "a cell may be": lambda T: (T == 0).any(),
    },
    "filters.5": {"of any lengths": lambda groups: len({*map(len, groups)}) > 1},
    "filters.7": {
        "columns in all sorts of units": lambda X, y, k: X.std(axis=0).max() > 100 * X.std(axis=0).min(),
        "A constant column": lambda X, y, k: (np.ptp(X, axis=0) == 0).any(),
    },
    "filters.8": {
        "No row or column is empty": lambda T: T.any(axis=0).all() and T.any(axis=1).all(),
        "a cell may be": lambda T: (T == 0).any(),
    },
    "filters.9": {"one may even number the rows": lambda X, y: any(len({*x}) == len(X) for x in X.T)},
    "filters.12": {
        "any labels": lambda X, y: y.dtype.kind == "U",
        "any sizes": lambda X, y: np.ptp(np.unique(y, return_counts=True)[1]) > 1,
        "no feature is constant, and distances do not tie": lambda X, y: (
            np.ptp(X, axis=0).all() and not twins(pdist(X / np.ptp(X, axis=0))[:, None])
        ),
    },
})
