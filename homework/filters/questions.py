"""Homework 8: tables of counts, analysis of variance, information, Relief."""

import numpy as np
import scipy.stats
from scipy.stats.contingency import crosstab
from sklearn.feature_selection import chi2, f_classif
from sklearn.metrics import mutual_info_score

from grading.question import Case, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.datasets import make_xor
from helpers.methods.relief import relief_scores
from helpers.reading import Notation

NO_TESTS = ("scipy.stats", "sklearn.feature_selection", "statsmodels")
NO_INFORMATION = ("sklearn.feature_selection", "sklearn.metrics")
NO_RELIEF = ("helpers.methods.relief", "skrebate")


def chi2_test(T):
    return scipy.stats.chi2_contingency(T, correction=False)


def information(x, y):
    """In bits; several columns count as one."""
    codes = (np.unique(values, axis=0, return_inverse=True)[1].ravel() for values in (x, y))
    return mutual_info_score(*codes) / np.log(2)


def nearly(a, b, share=0.01):
    """Every number right to a hundredth of itself."""
    a, b = numbers(a), numbers(b)
    return (
        a is not None
        and b is not None
        and a.shape == b.shape
        and bool((np.abs(a - b) <= share * np.abs(b)).all())
    )


# ---- 1: by hand

question(
    "filters.1",
    "χ² by hand",
    name="chi2_and_df",
    core=True,
    then="Another way: for a 2 × 2 table, n (ad − bc)² over the four totals' product. Try it.",
    cases=Case(2),
    secret=True,
    truth=[20 / 3, 1],
    same=nearly,
    mistakes={
        "with a correction": (
            "You made every gap smaller by a half. The formula of the chapter does not.",
            [5.4, 1],
        ),
        "degrees of freedom of the cells": (
            "The right χ². If the totals are given, how many cells can you still fill in freely?",
            [20 / 3, 4],
        ),
        "cells less one": (
            "The right χ². One total is not all that is given: each row and each column has one.",
            [20 / 3, 3],
        ),
        "divided by the observed": (
            "What do you compare a gap with: what you saw, or what you expected to see?",
            [25 * (1 / 10 + 1 / 20) * 2, 1],
        ),
        "not squared": ("Your gaps are not squared.", [4 * 5 / 15, 1]),
        "one row only": ("Both rows have gaps. Did you add them all?", [10 / 3, 1]),
        "not divided": ("A gap in units of what? Look at the denominator.", [100, 1]),
    },
    hints=[
        "First the four expected counts: row total times column total, over the grand total.",
        "Every cell has a gap of the same size here; square it and divide.",
    ],
)

# ---- 2: the statistic


def draw_larger(rng):
    """A rare row, a common one, and an empty cell."""
    table = rng.integers(3, 30, size=(4, 3)) * np.array([1, 2, 8, 3])[:, None]
    table[0, rng.integers(3)] = 0
    return (table,)


def expected(T):
    T = np.asarray(T, float)
    return np.outer(T.sum(axis=1), T.sum(axis=0)) / T.sum()


def chi2_stat(
    T, E=expected, gap=lambda T, E: (T - E) ** 2, under=lambda T, E: E, df=lambda r, c: (r - 1) * (c - 1)
):
    T = np.asarray(T, float)
    e = E(T)
    return np.sum(gap(T, e) / under(T, e)), df(*T.shape)


question(
    "filters.2",
    "χ² of a table",
    then=(
        "Another way: n times the sum of (p − q)²/q, with the shares p that are seen and q that are expected."
    ),
    stars=2,
    truth=chi2_stat,
    forbids=NO_TESTS,
    cases=[
        Case(
            1,
            "a 2 × 2 table",
            lambda rng: (rng.integers(4, 40, size=(2, 2)) * rng.integers(1, 4, size=(2, 1)),),
        ),
        Case(2, "a larger table", draw_larger),
    ],
    mistakes={
        "equal expected counts": (
            "If the two were independent, would a rare row expect as much as a common one?",
            dict(E=lambda T: np.full(T.shape, T.mean())),
        ),
        "corrected, as SciPy does by default": (
            "SciPy corrects 2 × 2 tables unless you say no. Did you copy that?",
            lambda T: (scipy.stats.chi2_contingency(T)[0], (np.shape(T)[0] - 1) * (np.shape(T)[1] - 1)),
        ),
        "divided by the observed counts": (
            "What happens to your sum where a cell is empty, or nearly so?",
            dict(under=lambda T, E: T),
        ),
        "gaps not squared": (
            "Without the square, what do the gaps of a row add up to?",
            dict(gap=lambda T, E: T - E),
        ),
        "absolute gaps": ("You add |O − E| / E. Is that the formula?", dict(gap=lambda T, E: np.abs(T - E))),
        "not divided": (
            "A gap of ten is a lot where you expect five, and little where you expect a thousand.",
            dict(under=lambda T, E: 1),
        ),
        "degrees of freedom: cells less one": (
            "The right statistic. How many cells are free once every total is given?",
            dict(df=lambda r, c: r * c - 1),
        ),
        "rows only": (
            "Do the column totals differ? You expect the same of every column.",
            dict(E=lambda T: np.repeat(T.mean(axis=1)[:, None], T.shape[1], axis=1)),
        ),
        "expected counts rounded": (
            "Round at the end, not on the way.",
            dict(E=lambda T: np.rint(expected(T))),
        ),
    },
    hints=[
        "np.outer of the row totals and the column totals gives all products at once.",
        "Try a table whose rows are multiples of one another: the statistic is 0.",
    ],
)

# ---- 3: rank tables of unlike size


def _table(rng, r, c, strength, n):
    P = rng.dirichlet(np.full(c, 5.0), size=r) * strength + (1 - strength) * rng.dirichlet(np.full(c, 5.0))
    return rng.multinomial(n, (P / r).ravel()).reshape(r, c) + 1


def draw_tables(rng):
    """Four features of 2, 3, 5 and 9 levels; the best by p is not so by χ², χ² per degree, or strength."""
    while True:
        tables = [
            _table(rng, r, 2, s, n)
            for r, s, n in zip((2, 3, 5, 9), rng.uniform(0.3, 1, 4), (120, 160, 200, 240))
        ]
        orders = {tuple(f(tables)) for f in (rank_tables, *_RIVALS)}
        p = np.sort([chi2_test(T).pvalue for T in tables])
        if len(orders) == 1 + len(_RIVALS) and p[0] > 1e-6 and (p[1:] / p[:-1]).min() > 1.3:
            return (tables,)


def rank_tables(tables):
    return np.argsort([chi2_test(T).pvalue for T in tables]).tolist()


def _rank_by(score):
    return lambda tables: np.argsort([-score(T) for T in tables]).tolist()


def chi2_of(T):
    return chi2_test(T).statistic


def _per_degree(T):
    return chi2_test(T).statistic / chi2_test(T).dof


def _strength(T):
    return chi2_test(T).statistic / np.sum(T)


_RIVALS = _rank_by(chi2_of), _rank_by(_per_degree), _rank_by(_strength)


question(
    "filters.3",
    "Which table says most",
    then="Go on: two tables have one p-value, and one of them ten times the rows. In which is the "
    "link stronger?",
    stars=2,
    truth=rank_tables,
    same=same_labels,
    cases=Case(3, draw=draw_tables),
    mistakes={
        "by the statistic": (
            "A larger table gives a larger statistic by chance alone. What makes tables of unlike size "
            "comparable?",
            _RIVALS[0],
        ),
        "by the statistic per degree of freedom": (
            "Better. But is 2 per degree equally surprising with one degree and with eight?",
            _RIVALS[1],
        ),
        "by strength": (
            "You divided by the number of samples: that measures how strong the relation is, not how sure "
            "you can be of it.",
            _RIVALS[2],
        ),
        "worst first": (
            "Which p-value belongs to the strongest evidence?",
            lambda tables: rank_tables(tables)[::-1],
        ),
        "p-values, not places": (
            "The question asks for the numbers of the tables, best first.",
            lambda tables: [chi2_test(T).pvalue for T in tables],
        ),
        "each table's rank": (
            "You say which rank each table has. Asked for: which table has each rank.",
            lambda tables: np.argsort(rank_tables(tables)).tolist(),
        ),
    },
    hints=[
        "What does a p-value know that the statistic does not?",
        "scipy.stats.chi2.sf(x, df) is the chance of at least x.",
    ],
)

# ---- 4: a table of unlike columns


def _columns(rng, kinds, n=150):
    y = rng.integers(0, 2, size=n)
    made = {
        "code": lambda: np.where(
            rng.uniform(size=n) < 0.25, 1 + (y != rng.integers(0, 4, n) % 2), rng.integers(0, 4, size=n)
        ),
        "pair": lambda: (rng.uniform(size=n) < 0.45 + 0.15 * y).astype(int),
        "count": lambda: rng.poisson(2 + 0.3 * y),
        "measure": lambda: 160 + 7 * rng.normal(size=n) + 2 * y,
    }
    X = np.column_stack([made[kind]() for kind in kinds]).astype(float)
    return X, ["code" if kind == "pair" else kind for kind in kinds], np.where(y, "yes", "no")


def _code_p(x, y):
    return chi2_test(crosstab(x, y).count).pvalue


def _measure_p(x, y):
    return f_classif(x[:, None], y)[1].item()


def _count_p(x, y):
    return chi2(x[:, None], y)[1].item()


def p_values(X, kinds, y, **tests):
    tests = {"code": _code_p, "measure": _measure_p, "count": _count_p} | tests
    return np.array([tests[kind](x, y) for kind, x in zip(kinds, X.T)])


question(
    "filters.4",
    "One test for every kind",
    core=True,
    then="Go on: which of the tests notices a feature whose classes differ in spread alone?",
    stars=2,
    truth=p_values,
    same=lambda a, b: nearly(a, b, 1e-5),
    cases=[
        Case(1, "codes", lambda rng: _columns(rng, ["code", "pair", "code"])),
        Case(1, "measurements", lambda rng: _columns(rng, ["measure"] * 3)),
        Case(2, "a mixed table", lambda rng: _columns(rng, ["measure", "count", "code", "count", "measure"])),
    ],
    mistakes={
        "chi2 on everything": (
            "Measure in millimetres: chi2 multiplies by ten. And is code 2 twice as much as code 1?",
            dict(code=_count_p, measure=_count_p),
        ),
        "chi2 on codes": (
            "There code 2 counts as twice code 1. Are your codes amounts?",
            dict(code=_count_p),
        ),
        "chi2 on measurements": (
            "Should a p-value know your units? And what does it do with negative values?",
            dict(measure=_count_p),
        ),
        "F on codes": (
            "Analysis of variance takes means of codes. What is the mean of three names?",
            dict(code=_measure_p),
        ),
        "F on everything": (
            "Analysis of variance takes means of codes. What is the mean of three names?",
            dict(code=_measure_p, count=_measure_p),
        ),
        "F on counts": (
            "The columns of counts: which score of the chapter was made for sums of counts?",
            dict(count=_measure_p),
        ),
        "tables of counts": (
            "The columns of counts: is a count a name? A table forgets that 5 is more than 4.",
            dict(count=_code_p),
        ),
        "corrected 2 × 2 tables": (
            "SciPy corrects 2 × 2 tables unless you say no.",
            dict(code=lambda x, y: scipy.stats.chi2_contingency(crosstab(x, y).count)[1]),
        ),
        "a table of measurements": (
            "In a table of measurements nearly every value has a row of its own. What can it tell?",
            dict(measure=_code_p),
        ),
        "statistics for p-values": (
            "These are statistics. The question asks for p-values.",
            dict(
                code=lambda x, y: chi2_test(crosstab(x, y).count).statistic,
                measure=lambda x, y: f_classif(x[:, None], y)[0][0],
                count=lambda x, y: chi2(x[:, None], y)[0][0],
            ),
        ),
    },
    hints=[
        "chi2 sums each column within each class. For which of the three kinds does such a sum mean "
        "something?",
        "Three tests: one for a table, one for means, one for sums of counts.",
    ],
)

# ---- 5: F


def draw_groups(rng, sizes):
    return ([rng.normal(size=n) + 10 + 0.7 * rng.normal() for n in sizes],)


def _grand(groups):
    return np.concatenate(groups).mean()


def f_stat(
    groups,
    grand=_grand,
    weight=len,
    within=lambda g, grand: np.mean(g),
    divide=lambda b, e, k, n: (b / (k - 1)) / (e / (n - k)),
):
    m = grand(groups)
    ssb = sum(weight(g) * (np.mean(g) - m) ** 2 for g in groups)
    sse = sum(((np.asarray(g) - within(g, m)) ** 2).sum() for g in groups)
    return divide(ssb, sse, len(groups), sum(map(len, groups)))


question(
    "filters.5",
    "F of a few groups",
    then="Go on: with two groups, F is the square of which other statistic?",
    stars=2,
    truth=f_stat,
    forbids=NO_TESTS,
    cases=[
        Case(1, "groups of equal size", lambda rng: draw_groups(rng, [8, 8, 8])),
        Case(2, "groups of unequal size", lambda rng: draw_groups(rng, [5, 40, 12, 3])),
    ],
    mistakes={
        "the mean of the means": (
            "Should a group of 5 pull the overall mean as hard as one of 40?",
            dict(grand=lambda groups: np.mean([np.mean(g) for g in groups])),
        ),
        "the degrees of freedom swapped": (
            "k means leave k − 1 free. What leaves n − k?",
            dict(divide=lambda b, e, k, n: (b / (n - k)) / (e / (k - 1))),
        ),
        "the total below the line": (
            "Below the line stands the spread within the groups. Whose mean do you subtract there?",
            dict(within=lambda g, grand: grand),
        ),
        "groups not weighted": (
            "A group's mean stands for all its values. How many are they?",
            dict(weight=lambda g: 1),
        ),
        "divided by k and n": (
            "How many of k means are free once the overall mean is known? And of n values, given k means?",
            dict(divide=lambda b, e, k, n: (b / k) / (e / n)),
        ),
        "not divided by the degrees of freedom": (
            "Both sums grow with what they sum over. In what units are they comparable?",
            dict(divide=lambda b, e, k, n: b / e),
        ),
        "upside down": (
            "Your F falls as the means move apart.",
            dict(divide=lambda b, e, k, n: (e / (n - k)) / (b / (k - 1))),
        ),
        "n − 1 within": (
            "Each group has a mean of its own. How many degrees of freedom do they cost together?",
            dict(divide=lambda b, e, k, n: (b / (k - 1)) / (e / (n - 1))),
        ),
    },
    hints=[
        "Two sums of squares: of the means around the mean of all values, and of the values around their own "
        "mean.",
        "SST = SSE + SSB is a check that costs one line.",
    ],
)

# ---- 6: the table by hand

question(
    "filters.6",
    "An analysis of variance by hand",
    name="anova_table",
    then="Go on: add 10 to all values of one group. Which of the numbers stay?",
    cases=Case(2),
    secret=True,
    truth=[24, 12, 2, 5, 5],
    same=nearly,
    mistakes={
        "the mean of the means": (
            "The overall mean is that of all eight values. Are the classes equally large?",
            [
                2 * (8 / 3) ** 2 + 3 * (4 / 3) ** 2 * 2,
                12,
                2,
                5,
                5 * (2 * (8 / 3) ** 2 + 6 * (4 / 3) ** 2) / 24,
            ],
        ),
        "degrees of freedom swapped": (
            "How many class means are free once the overall mean is known?",
            [24, 12, 5, 2, 0.8],
        ),
        "the sums swapped": (
            "Between or within: which of the two uses the class means alone?",
            [12, 24, 2, 5, 1.25],
        ),
        "classes not weighted": (
            "A class mean stands for all values of its class.",
            [11, 12, 2, 5, 11 / 4.8],
        ),
        "the total in place of the rest": (
            "The second number is the spread within the classes, not of all values.",
            [24, 36, 2, 5, 5 / 3],
        ),
        "one degree too many": (
            "The totals: how many values are there, and how many means?",
            [24, 12, 3, 8, 16 / 3],
        ),
        "F without degrees of freedom": (
            "The first four are right. What are the two sums divided by before you compare them?",
            [24, 12, 2, 5, 2],
        ),
    },
    hints=[
        "First the three class means and the mean of all values: whole numbers all.",
        "SST is the sum of squares around the mean of all values; it must be what the other two add up to.",
    ],
)

# ---- 7: the largest correlations


def draw_falling(rng):
    """The best feature falls; features in different units, far from 0."""
    X = rng.normal(size=(60, 5))
    y = X @ [0.4, 0, 0.8, 0, 0] - 1.6 * X[:, 3] + rng.normal(size=60)
    turn = rng.permutation(5)
    return (X * [1000, 1, 0.01, 5, 40] + [3000, -7, 1, 900, 50])[:, turn], y + 25, 2


def draw_constant(rng):
    X, y, _ = draw_falling(rng)
    X[:, rng.integers(5)] = 7
    return X, y, 4


def correlations(X, y):
    with np.errstate(all="ignore"):  # a constant column has no correlation: 0
        return np.nan_to_num([np.corrcoef(x, y)[0, 1] for x in X.T])


def most_correlated(X, y, k):
    return np.argsort(-np.abs(correlations(X, y)))[:k]


def ranked_by(score):
    return lambda X, y, k: np.argsort(-np.asarray(score(X, y)), kind="stable")[:k]


question(
    "filters.7",
    "The strongest lines",
    then="Go on: which relation would a correlation of ranks find that yours misses?",
    stars=2,
    truth=most_correlated,
    same=same_labels,
    forbids=("sklearn.feature_selection",),
    cases=[Case(2, "a falling relation", draw_falling), Case(1, "a constant column", draw_constant)],
    mistakes={
        "the largest r": ("A steady fall predicts as well as a rise.", ranked_by(correlations)),
        "the covariance": (
            "Measure one column in millimetres: its place in your list changes. Should it?",
            ranked_by(lambda X, y: np.abs((X - X.mean(axis=0)).T @ (y - y.mean()))),
        ),
        "the slope": (
            "A slope has units too: those of y for one unit of x.",
            ranked_by(lambda X, y: np.abs([np.cov(x, y)[0, 1] / (np.var(x) or np.inf) for x in X.T])),
        ),
        "not centred": (
            "Your columns lie far from 0. What do their means do to the products?",
            ranked_by(lambda X, y: np.abs(X.T @ y) / np.linalg.norm(X, axis=0)),
        ),
        "the weakest first": (
            "Sort, then look at which end you kept.",
            lambda X, y, k: np.argsort(np.abs(correlations(X, y)))[:k],
        ),
        "the strongest last": (
            "The right columns. Which of them comes first?",
            lambda X, y, k: most_correlated(X, y, k)[::-1],
        ),
        "NaN of a constant column first": (
            "A constant column has no correlation. Where does your sort put it?",
            lambda X, y, k: np.r_[
                np.flatnonzero(X.std(axis=0) < 1e-9),
                [j for j in most_correlated(X, y, 5) if X[:, j].std() > 1e-9],
            ].astype(int)[:k],
        ),
        "the largest variance": ("You never looked at y.", ranked_by(lambda X, y: X.var(axis=0))),
    },
    hints=[
        "Is r = −0.9 a better or a worse feature than r = 0.5?",
        "np.argsort sorts ascending; a NaN goes to the end.",
    ],
)

# ---- 8: information gain


def draw_with_zeros(rng):
    """A branch with one class only, and a small branch beside a large one."""
    table = rng.integers(2, 30, size=(4, 3)) * np.array([[1], [2], [10], [4]])
    table[0, 1:] = 0
    table[1, rng.integers(3)] = 0
    return (table,)


def entropy(counts, log=np.log2):
    p = np.asarray(counts, float) / np.sum(counts)
    return -np.sum(p[p > 0] * log(p[p > 0]))


def _unsafe(counts):
    p = np.asarray(counts, float) / np.sum(counts)
    return -np.sum(p * np.log2(p))


def gain(T, H=entropy, share=lambda T: np.sum(T, axis=1) / np.sum(T), of=lambda T: np.sum(T, axis=0)):
    return H(of(T)) - np.dot(share(np.asarray(T)), [H(row) for row in T])


question(
    "filters.8",
    "Information gain of a table",
    core=True,
    then="Another way: H(x) + H(y) − H(x, y). Which of the three counts is largest?",
    stars=2,
    truth=gain,
    forbids=NO_INFORMATION,
    cases=[
        Case(
            1,
            "a table without empty cells",
            lambda rng: (rng.integers(1, 40, size=(3, 3)) * np.array([[1], [3], [9]]),),
        ),
        Case(2, "empty cells", draw_with_zeros),
    ],
    mistakes={
        "0 log 0 is not a number": ("Follow p log p as p goes to 0.", dict(H=_unsafe)),
        "children weighted alike": (
            "One branch has 10 rows, the other 90. How much should each count?",
            dict(share=lambda T: np.full(len(T), 1 / len(T))),
        ),
        "children added up": (
            "Your gain can be negative. How much does each branch count?",
            dict(share=lambda T: np.ones(len(T))),
        ),
        "in nats": (
            "The right quantity in another unit. Which logarithm counts bits?",
            dict(H=lambda c: entropy(c, np.log)),
        ),
        "the remaining uncertainty": (
            "That is what remains once x is known. How much was there before?",
            lambda T: entropy(np.sum(T, axis=0)) - gain(T),
        ),
        "the parent's entropy of the wrong margin": (
            "What is uncertain before the split: the class, or the feature?",
            dict(of=lambda T: np.sum(T, axis=1)),
        ),
        "relative to the feature's entropy": (
            "That is the gain ratio. Asked for is the gain.",
            lambda T: gain(T) / entropy(np.sum(T, axis=1)),
        ),
        "the impurity of Gini": (
            "Your measure of impurity has no logarithm. In which unit is the gain asked for?",
            dict(H=lambda c: 1 - np.sum((np.asarray(c) / np.sum(c)) ** 2)),
        ),
        "the joint entropy": (
            "You subtracted the entropy of the pairs. It also holds the uncertainty of x.",
            lambda T: entropy(np.sum(T, axis=0)) - entropy(np.ravel(T)),
        ),
    },
    hints=[
        "A branch with a single class has entropy 0, not NaN.",
        "The gain is the same for the table and its transpose: a check for free.",
    ],
)

# ---- 9: the feature that will help tomorrow


def draw_records(rng, n=240, id_column=True):
    """Discrete columns: one tells something; the others have many values, or a few, and tell nothing."""
    y = rng.integers(0, 2, size=n)
    while True:
        useful = np.where(
            rng.uniform(size=n) < 0.45,
            rng.integers(0, 3, size=n),
            np.where(y, 1, 2 * rng.integers(0, 2, size=n)),
        )
        columns = [
            useful,
            rng.integers(0, 60, size=n),
            rng.integers(0, 2, size=n),
            rng.integers(0, 9, size=n),
        ]
        columns.append(rng.permutation(n) if id_column else rng.integers(0, 120, size=n))
        p = np.array([_code_p(x, y) for x in columns])
        X = np.column_stack(columns)
        if p[0] < 1e-9 and p[1:].min() > 0.05 and chi2(X, y)[0].argmax() > 0:
            return X[:, rng.permutation(5)], y


def best_feature(X, y):
    return int(np.argmin([_code_p(x, y) for x in X.T])), 3


def check_feature(got, X, y):
    return None if same_labels(got, best_feature(X, y)[0]) else ""


def levels(X):
    return np.array([len(np.unique(x)) for x in X.T])


def gains(X, y):
    return np.array([information(x, y) for x in X.T])


reasoned(
    "filters.9",
    "The feature for tomorrow's rows",
    then="Go on: copy the useful column in other codes. Which of the two would you keep, and why not both?",
    stars=3,
    truth=best_feature,
    checker=check_feature,
    same=same_labels,
    cases=[
        Case(1, "a column of ids", draw_records),
        Case(1, "a column of many values", lambda rng: draw_records(rng, id_column=False)),
    ],
    because=Because(
        "**Why** can the column of the largest information gain be the wrong one?",
        {
            "A column with many values needs more bits than the labels have, so its gain has no meaning.": (
                "The gain is counted in bits of the labels. How many of these can a column explain at most?"
            ),
            "The gain hangs on which numbers stand for the codes, and codes were given at will.": (
                "Exchange two codes. What happens to the gain?"
            ),
            "With few rows for each value the labels look pure by chance; shuffled ones would too.": None,
            "The gain of a column falls with the number of its values, so that long columns lose.": (
                "A column that numbers the rows: how much does it gain?"
            ),
        },
    ),
    mistakes={
        "the largest information": (
            "Your column has hardly two rows of one value. What does it tell of a row with a new value?",
            lambda X, y: np.argmax(gains(X, y)),
        ),
        "the fewest values": (
            "Few values are no merit by themselves. Does yours know y?",
            lambda X, y: np.argmin(levels(X)),
        ),
        "chi2 on codes": (
            "chi2 adds up your codes. Are they amounts?",
            lambda X, y: np.argmax(chi2(X, y)[0]),
        ),
    },
    hints=[
        "Shuffle y. How much information does each column have about labels that it cannot know?",
        "Compare each column with its own score on shuffled labels, or try it on rows that you did not "
        "count.",
    ],
)

# ---- 10: many tests

question(
    "filters.10",
    "Two thousand tests",
    name="finds",
    core=True,
    then="Go on: order the p-values. Which limit would let one find in ten be false, and no more?",
    cases=Case(2),
    secret=True,
    truth=[19, 19 / 119, 0.01 / 2000],
    same=nearly,
    mistakes={
        "no false finds": (
            "Each test may err once in a hundred. How many finds would luck alone give?",
            [0, 0, 0.01 / 2000],
        ),
        "all features counted as useless": (
            "The useful ones cannot be found falsely. How many are left?",
            [20, 20 / 120, 0.01 / 2000],
        ),
        "the share of false finds is α": (
            "α is a share of the useless features. Asked for is a share of the finds.",
            [19, 0.01, 0.01 / 2000],
        ),
        "false among all features": (
            "The share is asked of the features found, not of all.",
            [19, 19 / 2000, 0.01 / 2000],
        ),
        "false to true": (
            "You compare the false finds with the true ones. The share is of both together.",
            [19, 0.19, 0.01 / 2000],
        ),
        "Bonferroni with the useless ones only": (
            "Do you know which features are useless? By how many tests do you divide?",
            [19, 19 / 119, 0.01 / 1900],
        ),
        "the limit not divided": (
            "A single false find among so many: does the old limit prevent it?",
            [19, 19 / 119, 0.01],
        ),
        "once in twenty": ("Which limit does the question set?", [95, 95 / 195, 0.05 / 2000]),
    },
    hints=[
        "Only a useless feature can be a false find.",
        "What fraction of the finds is false? First count all finds.",
    ],
)

# ---- 11: blind spots


def spots(f=lambda x: x**2, pair=lambda a, b: a ^ b, n=80):
    x = np.tile(np.arange(-2, 3), n // 5)
    a, b = np.tile([0, 0, 1, 1], n // 4), np.tile([0, 1, 0, 1], n // 4)
    return (x, f(x)), (np.column_stack([a, b]), pair(a, b))


def check_spots(got):
    (x, y), (X, label) = got
    x, y, X, label = numbers(x), numbers(y), numbers(X), numbers(label)
    if (
        any(v is None for v in (x, y, X, label))
        or x.ndim != 1
        or x.shape != y.shape
        or X.shape != (len(label), 2)
        or label.ndim != 1
    ):
        return (
            "Return ((x, y), (X, label)): x and y of one length, X with two columns, label with one entry "
            "for each row of X."
        )
    if not (40 <= len(x) <= 1000 and 40 <= len(label) <= 1000):
        return "40 to 1000 rows in each data set, please."
    if max(len(np.unique(v)) for v in (x, y, *X.T, label)) > 10:
        return (
            "At most ten distinct values in each column: else the information is counted from too few rows."
        )
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return "x or y is constant: then it tells nothing to anyone."
    r, bits = abs(np.corrcoef(x, y)[0, 1]), information(x, y)
    if r > 0.05 or bits < 1:
        return (
            f"In your first data set |r| is {r:.2f} and x tells {bits:.2f} bits about y. "
            "Make that at most 0.05 and at least 1."
        )
    alone, both = max(information(column, label) for column in X.T), information(X, label)
    if alone > 0.01 or both < 0.9:
        return (
            f"In your second, one column alone tells up to {alone:.2f} bits, both together {both:.2f}. "
            "Make that at most 0.01 and at least 0.9."
        )
    return None


question(
    "filters.11",
    "Two blind spots",
    name="blind_spots",
    core=True,
    then="Go on: build three columns of which each pair tells nothing, and all three everything.",
    stars=2,
    cases=Case(3),
    truth=spots(),
    checker=check_spots,
    same=lambda a, b: all(close(u, v) for s, t in zip(a, b) for u, v in zip(s, t)),
    mistakes={
        "a straight line": (
            "That is what correlation was made for. What could go down and then up again?",
            spots(f=lambda x: 2 * x + 1),
        ),
        "a bent line": (
            "It rises all the way: correlation is not 1, but far from 0.",
            spots(f=lambda x: x**3),
        ),
        "nothing to tell": (
            "r is 0 all right. Does x say anything about y?",
            spots(f=lambda x: np.tile(np.repeat([0, 1], 5), 8)),
        ),
        "one column would do": (
            "Your label copies a column. Neither column may tell anything alone.",
            spots(pair=lambda a, b: a),
        ),
        "and": (
            "If the first column is 0, what do you know of the label? You should know nothing.",
            spots(pair=lambda a, b: a & b),
        ),
        "too few bits": (
            "r is 0, but y has too few values to carry a bit.",
            spots(f=lambda x: (x == 0).astype(int)),
        ),
    },
    hints=[
        "Correlation adds up products: which shape makes the left half cancel the right half?",
        "For the pair: a label that changes whenever either column changes.",
    ],
)

# ---- 12: a broken Relief


def draw_pair(rng):
    """Exclusive or beside noise, in like units."""
    return make_xor(60, 3, seed=int(rng.integers(1 << 30)))


def draw_units(rng):
    """The same, with a useless column in large units, far from 0."""
    X, y = draw_pair(rng)
    return X * [1, 1, 1000, 1, 0.01] + [0, 5, 300, 0, 0], y


def draw_three(rng):
    """Three classes of unequal size."""
    y = np.repeat(["a", "b", "c"], [30, 18, 8])
    X = rng.normal(size=(56, 4))
    X[:, 0] += 2 * (y == "b") + (y == "c")
    order = rng.permutation(56)
    return X[order], y[order]


def relief(
    X,
    y,
    scale=lambda X: X / np.ptp(X, axis=0),
    own=np.inf,
    weight=lambda p, q: p / (1 - q),
    signs=(-1, 1),
    nearest=lambda diff, distance, rows: diff[rows[distance[rows].argmin()]],
    power=2,
    divide=len,
    metric=2,
    measured=lambda X, Z: Z,
):
    Z, w = scale(X), np.zeros(X.shape[1])
    M = measured(X, Z)
    share = {c: np.mean(y == c) for c in np.unique(y)}
    for i, z in enumerate(Z):
        diff, distance = np.abs(Z - z) ** power, (np.abs(M - M[i]) ** metric).sum(axis=1)
        distance[i] = own
        for c in share:
            near = nearest(diff, distance, np.flatnonzero(y == c))
            w += signs[0] * near if c == y[i] else signs[1] * weight(share[c], share[y[i]]) * near
    return w / divide(Z)


def _each_alone(X, y):
    """Neighbours chosen in each feature by itself."""
    return np.concatenate([relief(X[:, [j]], y) for j in range(X.shape[1])])


question(
    "filters.12",
    "A broken Relief",
    core=True,
    then="Cost: all pairs of rows. With m rows drawn at random the noise of the weights falls like 1/√m.",
    stars=3,
    truth=relief,
    forbids=NO_RELIEF,
    cases=[
        Case(1, "a pair beside noise", draw_pair),
        Case(1, "features in different units", draw_units),
        Case(2, "three unequal classes", draw_three),
    ],
    mistakes={
        "itself as near-hit": ("Every nearest hit is at distance 0. Who is it?", dict(own=0)),
        "neighbours chosen per feature": ("Nearest in this feature, or in all, on [0, 1]?", _each_alone),
        "raw units": (
            "One column counts in thousands. Whose neighbours do you find?",
            dict(scale=lambda X: X),
        ),
        "neighbours in raw units": (
            "You compare on [0, 1]. In which units do you look for the neighbours?",
            dict(measured=lambda X, Z: X),
        ),
        "standardised": (
            "Your differences are in standard deviations. In which units does the question measure?",
            dict(scale=lambda X: X / X.std(axis=0)),
        ),
        "hits and misses swapped": (
            "Your useful features are negative. What should be large: the distance to the hit, or to the "
            "miss?",
            dict(signs=(1, -1)),
        ),
        "one miss of any class": (
            "You take one near-miss for each row. How many classes can it come from?",
            relief_scores,
        ),
        "misses weigh p": (
            "Add up the weights of the misses of one sample. The hit weighs 1.",
            dict(weight=lambda p, q: p),
        ),
        "misses weigh alike": (
            "A rare class's miss weighs as much as a common one's. Should it?",
            dict(weight=lambda p, q: 1),
        ),
        "one scale for the whole table": (
            "One number scales all columns. Which range does each have?",
            dict(scale=lambda X: X / np.ptp(X)),
        ),
        "differences not squared": (
            "The right neighbours. What is done with a difference before it is added?",
            dict(power=1),
        ),
        "neighbours by city block": (
            "The squared differences are right. In which distance do you look for neighbours?",
            dict(metric=1),
        ),
        "the sum, not the average": (
            "Twice the rows, twice your weights. Should the weights grow with the table?",
            dict(divide=lambda Z: 1),
        ),
        "everything at once, as in the broken code": (
            "Look at one thing after another: the units, the sample itself, the weights, the size of the "
            "table.",
            dict(scale=lambda X: X, own=0, weight=lambda p, q: p, divide=lambda Z: 1),
        ),
    },
    hints=[
        "Compare your weights with those of the same table in other units, and with the rows in another "
        "order.",
        "For one sample, the weights of the misses should add up to 1, whatever its class.",
    ],
)


reading(
    "filters.13",
    "A thousand p-values",
    name="in_the_figure",
    then="Go on: at which limit would about one find in ten be false?",
    text="p-values of 1000 features, each tested against the label; a histogram with 20 bars. "
    "About how many features have to do with the label?",
    choices={
        (
            "All 1000: each p-value that lies below 1 speaks for an effect, small or large."
        ): "What does the p-value of a useless feature look like?",
        "About 120 to 180: what the first bar has above the level of the others.": None,
        (
            "None: most p-values are large, so that the first bar may be a matter of chance."
        ): "Would features without any meaning give the tall first bar?",
        (
            "Exactly those with a p-value below 0.05: that is what the level of a test says."
        ): "Of the useless ones, which share lies below 0.05?",
    },
    reasons={
        "A histogram with more bars would show more features that have to do with the label.": (
            "The number of features does not depend on the bars."
        ),
        (
            "p-values of useless features are all near 1, at the right end of the histogram."
        ): "Then the bars between would be empty.",
        "p-values of useless features spread evenly from 0 to 1, below the first bar too.": None,
        (
            "p-values of useful features are the ones that spread evenly, over all of the bars."
        ): "Useful ones give small p-values. Which bar is that?",
    },
    hints=["What would the histogram be if no feature had a meaning?"],
)


reading(
    "filters.14",
    "The best column of a survey",
    name="in_the_report",
    then="Go on: give the income in thousands of euros. Where does it stand now?",
    text="A report: \"We ranked the columns by χ² (scikit-learn's `chi2`). The income in euros "
    "came first with 8112, the answer *yes/no* that in truth decides came last with 31. **So "
    'income is the best feature.**" What is wrong?',
    choices={
        "Income should have been standardised before `chi2`, as columns of any unit should.": (
            "Then half of the values are negative, and it refuses."
        ),
        (
            "Nothing: the larger χ² wins, since both columns have the same number of rows."
        ): "What would the income's χ² be in cents?",
        "`chi2` takes numbers for counts: the income's value depends on its unit.": None,
        (
            "A yes/no column has too few different values for a χ² that can be trusted."
        ): "Two values make the plainest table of all.",
    },
    reasons={
        (
            "χ² grows with the number of rows, so that large tables make every column look good."
        ): "It does, for both columns alike.",
        (
            "The χ² of a yes/no column has more degrees of freedom, and has to be held against more."
        ): "It has the fewest.",
        "In cents the income would score a hundred times as much, and tell just the same.": None,
        (
            "Income has an outlier, and a single large number can make up most of a sum of squares."
        ): "Without it the unit would still decide.",
    },
    hints=["Multiply the column by 100 and run it again, in your mind."],
)


CHI_SQUARE = Notation(
    r"""
    r, c   | number       | how many rows and columns         |
    T      | matrix r × c | the table of counts               |
    t_{ij} | number       | the count in row $i$, column $j$  | entry of T
    """,
    default=False,
)


def draw_chi_square(rng):
    r, c = int(rng.integers(2, 4)), int(rng.integers(4, 6))
    return (dict(r=r, c=c, T=rng.integers(3, 40, size=(r, c)).astype(float)),)


SUM = r"\sum_{i=1}^r \sum_{j=1}^c "
EXPECTED = (
    r", \quad e_{ij} = \frac{\sum_{l=1}^c t_{il} \sum_{k=1}^r t_{kj}}{\sum_{k=1}^r \sum_{l=1}^c t_{kl}}"
)

question(
    "filters.15",
    "The formula of χ²",
    name="chi_square",
    then="Go on: multiply all counts by 10. What does your formula do?",
    formula=CHI_SQUARE,
    truth=SUM + r"\frac{(t_{ij} - e_{ij})^2}{e_{ij}}" + EXPECTED,
    cases=Case(1, draw=draw_chi_square),
    mistakes={
        "the total forgotten": (
            "Add up your expected counts. What should they come to?",
            SUM
            + r"\frac{(t_{ij} - e_{ij})^2}{e_{ij}}, \quad e_{ij} = \sum_{l=1}^c t_{il} \sum_{k=1}^r t_{kj}",
        ),
        "divided by the observed": (
            "With what is a gap compared: what you saw, or what you expected?",
            SUM + r"\frac{(t_{ij} - e_{ij})^2}{t_{ij}}" + EXPECTED,
        ),
        "not squared": (
            "Gaps add up to nothing unless something is done to them.",
            SUM + r"\frac{t_{ij} - e_{ij}}{e_{ij}}" + EXPECTED,
        ),
        "not divided": (
            "A gap of 5 where 10 are expected, and where 1000 are: alike?",
            SUM + r"(t_{ij} - e_{ij})^2" + EXPECTED,
        ),
        "equal expected counts": (
            "If rows and columns were independent, would a rare row expect as much as a common one?",
            SUM + r"\frac{(t_{ij} - e)^2}{e}, \quad e = \frac{1}{r c} \sum_{k=1}^r \sum_{l=1}^c t_{kl}",
        ),
        "the columns forgotten": (
            "Your expected counts know the rows' totals only.",
            SUM + r"\frac{(t_{ij} - e_i)^2}{e_i}, \quad e_i = \frac1c \sum_{l=1}^c t_{il}",
        ),
    },
    hints=[
        "First the expected count of a cell, from its row's total, its column's and that of all.",
        "Then add, over all cells, a squared gap in units of what was expected.",
    ],
)
