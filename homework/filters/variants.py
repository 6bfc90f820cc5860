"""Variants and statements: tests, information, features that are judged one by one or together."""

import numpy as np
from scipy.stats import chi2_contingency, distributions, ttest_ind
from sklearn.feature_selection import chi2 as sklearn_chi2

from grading.variant import Variant, also, bank, fails, holds, means, variant
from homework.filters.questions import check_spots, chi2_stat, expected, gain, relief


def chi2(T):
    return chi2_stat(T)[0]


def anova(groups):
    """[SSB, SSE, df between, df within, F]"""
    every = np.concatenate(groups)
    between = sum(len(g) * (np.mean(g) - every.mean()) ** 2 for g in groups)
    within = sum(((g - np.mean(g)) ** 2).sum() for g in map(np.asarray, groups))
    a, b = len(groups) - 1, len(every) - len(groups)
    return [between, within, a, b, between / a / (within / b)]


TABLE = np.array([[10, 20], [30, 15]])
XOR = (np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 1, 1, 0]))
GROUPS = [np.array([1.0, 3]), np.array([4.0, 6, 8]), np.array([5.0, 6, 7])]


def table(a, b):
    return np.array([[((a == u) & (b == v)).sum() for v in np.unique(b)] for u in np.unique(a)])


def found(many=1000, apart=0.0, level=0.05, seed=0):
    """How many drawn features, whose two groups lie so far apart, a t test finds."""
    a, b = np.random.default_rng(seed).normal(size=(2, 40, many))
    return int((ttest_ind(a, b + apart).pvalue < level).sum())


def useless_share():
    """Of what a t test finds at the level 0.05, where 900 of 1000 features are useless."""
    useless, useful = found(900), found(100, apart=0.6, seed=1)
    return useless / (useless + useful)


def any_alike(tests=20, trials=4000):
    """How often some of 20 tests falls below Bonferroni's limit by chance; all of them are correlated."""
    rng = np.random.default_rng(0)
    z = (rng.normal(size=(trials, 1)) + rng.normal(size=(trials, tests))) / 2**0.5
    return (2 * distributions.norm.sf(np.abs(z)) < 0.05 / tests).any(axis=1).mean()


bank(
    "filters",
    holds(
        "Exchanging the rows of a table of counts leaves χ² as it is.",
        "The same cells are added in another order.",
        lambda: np.isclose(chi2(TABLE), chi2(TABLE[::-1])),
    ),
    holds(
        "Exchanging rows and columns of a table of counts (its transpose) leaves χ² as it is.",
        "Expected counts are row total times column total.",
        lambda: np.isclose(chi2(TABLE), chi2(TABLE.T)),
    ),
    holds(
        "Multiplying all counts by 10 multiplies χ² by 10.",
        "Squared gaps grow a hundredfold, expected counts tenfold.",
        lambda: np.isclose(chi2(10 * TABLE), 10 * chi2(TABLE)),
    ),
    fails(
        "Multiplying all counts by 10 leaves χ² as it is.",
        "With more rows the same shares are better evidence.",
        lambda: np.isclose(chi2(10 * TABLE), chi2(TABLE)),
    ),
    holds(
        "Multiplying all counts by 10 leaves the information gain as it is.",
        "It depends on shares alone.",
        lambda: np.isclose(gain(10 * TABLE), gain(TABLE)),
    ),
    fails(
        "A table with r rows and c columns has rc − 1 degrees of freedom in the χ² test of independence.",
        "(r − 1)(c − 1): the totals are given.",
        lambda: chi2_contingency(np.ones((3, 4)) + np.eye(3, 4)).dof == 3 * 4 - 1,
    ),
    fails(
        "Of two tables of different size, the one with the larger χ² speaks more strongly against "
        "independence.",
        "More degrees of freedom give a larger χ² by chance: compare p-values.",
        lambda: distributions.chi2.sf(12, 9) < distributions.chi2.sf(8, 1),
    ),
    holds(
        "χ² is 0 exactly when all observed counts equal the expected ones.",
        "It is a sum of squares.",
        lambda: np.isclose(chi2(expected(TABLE)), 0),
    ),
    holds(
        "The expected counts have the same row and column totals as the observed ones.",
        "That is how they were made.",
        lambda: np.allclose(expected(TABLE).sum(axis=0), TABLE.sum(axis=0)),
    ),
    holds(
        "χ² of a measured column, taken as if it were counts, depends on the unit.",
        "Ten times the unit, ten times the χ².",
        lambda: np.isclose(*sklearn_chi2(np.outer(np.arange(9), [1, 10]), np.arange(9) > 4)[0] * [10, 1]),
    ),
    fails(
        "Of the features that a test finds at the level 0.05, one in twenty is useless.",
        "One in twenty useless features comes so low: among the finds their share may be anything.",
        lambda: useless_share() < 0.06,
    ),
    holds(
        "If a feature has nothing to do with the label, a test at the level 0.05 finds it with "
        "probability about 0.05.",
        "That is what the level means.",
        lambda: abs(found(many=20_000) / 20_000 - 0.05) < 0.005,
    ),
    holds(
        "With 1000 useless features and the level 0.05, about 50 false finds are to be expected.",
        "1000 · 0.05.",
        lambda: abs(np.mean([found(seed=s) for s in range(20)]) - 50) < 5,
    ),
    holds(
        "Bonferroni divides the level by the number of tests.",
        "So that the probability of any false find stays below the level.",
        lambda: np.mean([found(100, level=0.05 / 100, seed=s) > 0 for s in range(150)]) < 0.08,
    ),
    fails(
        "Bonferroni finds more useful features than the plain level does.",
        "Its limit is stricter: it finds no more.",
        lambda: found(apart=0.8, level=0.05 / 1000) > found(apart=0.8),
    ),
    fails(
        "Bonferroni needs the tests to be independent.",
        "The union bound holds for any tests.",
        lambda: any_alike() > 0.05,
    ),
    fails(
        "The share of false finds among all finds equals the level.",
        "The level is a share of the useless features, not of the finds.",
        lambda: np.isclose(useless_share(), 0.05, atol=0.02),
    ),
    holds(
        "The sums of squares between and within the groups add up to the total.",
        "The mixed terms vanish in each group.",
        lambda: np.isclose(
            sum(anova(GROUPS)[:2]), ((np.concatenate(GROUPS) - np.concatenate(GROUPS).mean()) ** 2).sum()
        ),
    ),
    fails(
        "F changes when the values change their unit.",
        "Both mean squares grow by one factor.",
        lambda: not np.isclose(anova(GROUPS)[4], anova([10 * g for g in GROUPS])[4]),
    ),
    fails(
        "F changes when 100 is added to all values.",
        "All means move along.",
        lambda: not np.isclose(anova(GROUPS)[4], anova([g + 100 for g in GROUPS])[4]),
    ),
    holds(
        "A feature whose class means are equal has F = 0.",
        "Nothing is left between the classes.",
        lambda: np.isclose(anova([np.array([-1.0, 1]), np.array([-5.0, 5])])[4], 0),
    ),
    fails(
        "A feature with F = 0 tells nothing about the class.",
        "The classes may differ in spread.",
        lambda: anova([[-1, 1], [-3, 3]])[4] > 0 or gain(np.eye(2)) == 0,
    ),
    fails(
        "A correlation of 0 means that x says nothing about y.",
        "y = x² on symmetric x.",
        lambda: not np.isclose(np.corrcoef([-1, 0, 1], [1, 0, 1])[0, 1], 0),
    ),
    holds(
        "The correlation of x with −x is −1.",
        "A falling line.",
        lambda: np.isclose(np.corrcoef([1, 2, 4], [-1, -2, -4])[0, 1], -1),
    ),
    fails(
        "The correlation changes when x changes its unit to one 1000 times as small.",
        "It is divided by both deviations.",
        lambda: (
            not np.isclose(
                np.corrcoef([1, 2, 4], [3, 1, 5])[0, 1], np.corrcoef([1000, 2000, 4000], [3, 1, 5])[0, 1]
            )
        ),
    ),
    holds(
        "The information gain of a feature about a label is that of the label about the feature.",
        "H(x) + H(y) − H(x, y) is symmetric.",
        lambda: np.isclose(gain(TABLE), gain(TABLE.T)),
    ),
    fails(
        "The information gain about a label of two classes can exceed 1 bit.",
        "It is at most the entropy of the label.",
        lambda: gain([[50, 0], [0, 50]]) > 1 + 1e-9,
    ),
    holds(
        "A column of different row numbers has the largest gain that any column can have on the "
        "rows it was counted on.",
        "Given the number, the label is certain.",
        lambda: np.isclose(gain(np.c_[[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]]), 1),
    ),
    holds(
        "In y = a XOR b, with a and b fair and independent, a alone tells nothing about y.",
        "Whatever a is, y is a fair coin.",
        lambda: np.isclose(gain(table(XOR[0], XOR[2])), 0),
    ),
    holds(
        "In y = a XOR b, a and b together tell all about y.",
        "They compute it.",
        lambda: np.isclose(gain(table(2 * XOR[0] + XOR[1], XOR[2])), 1),
    ),
    fails(
        "Filters that judge each feature alone can find both features of an XOR.",
        "Alone, neither tells anything.",
        lambda: gain(table(XOR[0], XOR[2])) > 0.01,
    ),
    means(
        "Relief's nearest hit of a row is the row itself.",
        False,
        "It would be at distance 0 always; it is left out.",
    ),
    holds(
        "Relief rewards a feature that differs between a row and its nearest row of another class.",
        "Nearest misses count up, nearest hits down.",
        lambda: (
            np.argmax(
                relief(
                    np.random.default_rng(0).random((40, 3)) + np.outer(np.arange(40) % 2, [0, 1, 0]),
                    np.arange(40) % 2,
                )
            )
            == 1
        ),
    ),
)


@variant("filters.1")
def chi2_by_hand(rng):
    m, tall = int(rng.integers(3, 9)) * 5, int(rng.integers(1, 4))
    g = int(rng.integers(2, m // 2))
    T = np.array([[m - g, m + g], [tall * m + g, tall * m - g]], float)  # both columns have the same total
    value, gaps, E = chi2(T), T - expected(T), expected(T)
    text = (
        f"{T.sum():g} people, two groups, two answers. The table of counts has the rows "
        f"{T[0, 0]:g}, {T[0, 1]:g} and {T[1, 0]:g}, {T[1, 1]:g}. By hand: "
        "χ² (8.4), without any correction, and its degrees of freedom. [chi2, df], each right to 1 %."
    )
    return Variant(
        text,
        [value, 1],
        {
            "with a correction": [((np.abs(gaps) - 0.5) ** 2 / E).sum(), 1],
            "degrees of freedom of the cells": [value, 4],
            "cells less one": [value, 3],
            "divided by the observed": [(gaps**2 / T).sum(), 1],
            "not squared": [(np.abs(gaps) / E).sum(), 1],
            "one row only": [(gaps[0] ** 2 / E[0]).sum(), 1],
            "not divided": [(gaps**2).sum(), 1],
        },
    )


@variant("filters.6")
def anova_by_hand(rng):
    centre, own = rng.integers(3, 30, 3), rng.integers(1, 5, 3)
    sizes = rng.choice([2, 3], 3)
    if len(set(sizes)) == 1:
        sizes[0] = 5 - sizes[0]
    groups = [
        c + s * (np.array([-1, 1]) if n == 2 else np.array([-1, 0, 1]))
        for c, s, n in zip(centre, own, sizes, strict=True)
    ]
    B, W, a, b, F = anova(groups)
    n = sizes.sum()
    means = np.array([g.mean() for g in groups])
    plain = (sizes * (means - means.mean()) ** 2).sum()
    light = ((means - np.concatenate(groups).mean()) ** 2).sum()
    text = "Three classes: " + "; ".join(
        f"{name} has the values {', '.join(map(str, g))}" for name, g in zip("ABC", groups, strict=True)
    )
    text += ". By hand, each right to 1 %: [SSB, SSE, df_between, df_within, F]."
    return Variant(
        text,
        [B, W, a, b, F],
        {
            "the mean of the means": [plain, W, a, b, plain / a / (W / b)],
            "degrees of freedom swapped": [B, W, b, a, B / b / (W / a)],
            "the sums swapped": [W, B, a, b, W / a / (B / b)],
            "classes not weighted": [light, W, a, b, light / a / (W / b)],
            "the total in place of the rest": [B, B + W, a, b, B / a / ((B + W) / b)],
            "one degree too many": [B, W, 3, n, B / 3 / (W / n)],
            "F without degrees of freedom": [B, W, a, b, B / W],
        },
        hints=(
            "First the three class means and the mean of all values.",
            "SST is the sum of squares around the mean of all values; it must be what the other two "
            "add up to.",
        ),
    )


@variant("filters.10")
def many_tests(rng):
    n, useful = int(rng.integers(5, 60)) * 100, int(rng.integers(2, 20)) * 10
    alpha = float(rng.choice([0.01, 0.02, 0.04]))
    false, limit = (n - useful) * alpha, alpha / n
    share = false / (false + useful)
    text = (
        f"You test {n} features at the level α = {alpha:g}. {useful} of them are useful, and all "
        f"of these are found; the other {n - useful} have nothing to do "
        "with the label. How many **false** finds do you expect? Which share of **all** finds is "
        "then false? And which limit for p does "
        "Bonferroni set? [false_finds, share_false, limit], each right to 1 %."
    )
    return Variant(
        text,
        [false, share, limit],
        {
            "no false finds": [0, 0, limit],
            "all features counted as useless": [n * alpha, n * alpha / (n * alpha + useful), limit],
            "the share of false finds is α": [false, alpha, limit],
            "false among all features": [false, false / n, limit],
            "false to true": [false, false / useful, limit],
            "Bonferroni with the useless ones only": [false, share, alpha / (n - useful)],
            "the limit not divided": [false, share, alpha],
        },
    )


@variant("filters.11")
def blind_again(rng):
    centre, low = int(rng.integers(-30, 31)), int(rng.integers(2, 9))

    def demand(got):
        (x, y), (X, label) = got
        if abs(np.mean(x) - centre) > 0.01 or abs(np.median(y) - low) > 1e-9:
            return f"The mean of x should be {centre}, and the median of y {low}."
        if set(np.unique(label)) != {low, low + 1}:
            return f"Call the two labels {low} and {low + 1}."

    x = np.tile(np.arange(-2, 3), 16)
    a, b = np.tile([0, 0, 1, 1], 20), np.tile([0, 1, 0, 1], 20)
    y = x**2 - 1 + low
    text = (
        "Two data sets ((x, y), (X, label)), each with 40 to 1000 rows and at most ten distinct "
        f"values in a column. x has the mean {centre} and y the "
        f"median {low}; their correlation is at most 0.05 in absolute value, though x tells at "
        f"least 1 bit about y. The labels are {low} and "
        f"{low + 1}; each column of X alone tells at most 0.01 bits about them, both together at least 0.9."
    )
    return Variant(
        text, ((x + centre, y), (np.column_stack([a, b]), (a ^ b) + low)), checker=also(check_spots, demand)
    )
