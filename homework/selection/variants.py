"""Variants and statements: folds, honest reports, bounds."""

from itertools import combinations
from math import ceil, log

import numpy as np
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from grading.variant import Variant, also, bank, fails, holds, means, variant
from homework.selection.questions import check_evidence, check_margin, labellings, simplex


def samples(k, gamma, delta, sides=2, factor=2, power=2, ln=log):
    return ln(sides * k / delta) / (factor * gamma**power)


def best_of(many, n=60, seed=0):
    """The least error of so many coin flippers on n labels."""
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 2, (many, n)) != rng.integers(0, 2, n)).mean(axis=1).min()


def fold_sizes(n, k):
    return [len(part) for part in np.array_split(np.arange(n), k)]


def polynomial_errors(degree, n=15, seed=0):
    """(error on the rows of the fit, on new ones)."""
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-1, 1, (2, n))
    y, w = (np.sin(3 * v) + 0.3 * rng.normal(size=n) for v in (x, z))
    fit = np.polynomial.Polynomial.fit(x, y, degree)
    return ((fit(x) - y) ** 2).mean(), ((fit(z) - w) ** 2).mean()


def leverages(n=10, d=3):
    X = np.column_stack([np.ones(n), np.random.default_rng(0).normal(size=(n, d))])
    return np.diag(X @ np.linalg.pinv(X))


def mean_and_pooled(sizes, seed=0):
    """The mean of the folds' errors, and the error over all rows, of drawn answers."""
    wrong = np.random.default_rng(seed).random(sum(sizes)) < 0.3
    folds = np.split(wrong, np.cumsum(sizes)[:-1])
    return np.mean([fold.mean() for fold in folds]), wrong.mean()


def shattered(hypotheses):
    """The size of the largest set of columns on which the rows, hypotheses, show every labelling."""
    columns = range(hypotheses.shape[1])
    return max(
        d
        for d in range(1, 5)
        if any(len(np.unique(hypotheses[:, A], axis=0)) == 2**d for A in map(list, combinations(columns, d)))
    )


def leave_one_out(n=12, d=3):
    """(ordinary residuals, those of a fit without the row, refitted each time, by the leverage)"""
    rng = np.random.default_rng(0)
    X, y = np.column_stack([np.ones(n), rng.normal(size=(n, d))]), rng.normal(size=n)
    plain = y - X @ np.linalg.pinv(X) @ y
    without = [y[i] - X[i] @ np.linalg.pinv(np.delete(X, i, 0)) @ np.delete(y, i) for i in range(n)]
    return plain, np.array(without), plain / (1 - np.diag(X @ np.linalg.pinv(X)))


FOLDS = np.array_split(np.random.default_rng(0).permutation(23), 5)


def right_on_noise(select=False, times=1):
    """What one neighbour gets right of coins: all rows scaled, or measured often, or columns chosen."""
    shares, folds = [], KFold(5, shuffle=True, random_state=0)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = np.repeat(rng.normal(size=(60, 1000)), times, axis=0)
        y = np.repeat(rng.integers(0, 2, 60), times)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        X = SelectKBest(k=20).fit_transform(X, y) if select else X
        shares.append(cross_val_score(KNeighborsClassifier(1), X, y, cv=folds).mean())
    return np.mean(shares)


bank(
    "selection",
    holds(
        "In k-fold cross-validation every row is tested exactly once.",
        "The folds are a partition.",
        lambda: (np.bincount(np.concatenate(FOLDS)) == 1).all(),
    ),
    fails(
        "In k-fold cross-validation every row is trained on exactly once.",
        "In all folds but its own: k − 1 times.",
        lambda: (np.bincount(np.concatenate([np.setdiff1d(np.arange(23), f) for f in FOLDS])) == 1).all(),
    ),
    fails(
        "Folds of n // k rows each, and no others, use all rows of n = 23 with k = 5.",
        "3 rows would be left over.",
        lambda: sum(len(np.arange(23)[i * (23 // 5) : (i + 1) * (23 // 5)]) for i in range(5)) == 23,
    ),
    holds(
        "The sizes of good folds differ by at most 1.",
        "The remainder is dealt out, one row to a fold.",
        lambda: np.ptp(fold_sizes(23, 5)) <= 1,
    ),
    fails(
        "Rows sorted by class can be split into consecutive folds without harm.",
        "A class may be missing from the training part.",
        lambda: all(len({*np.delete(np.arange(20) // 10, fold)}) == 2 for fold in np.split(np.arange(20), 2)),
    ),
    holds(
        "Leave-one-out trains n models.",
        "Each row is left out once.",
        lambda: LeaveOneOut().get_n_splits(np.zeros((17, 2))) == 17,
    ),
    fails(
        "R² can be computed in each fold of leave-one-out and then averaged.",
        "A single test row has no spread: 0 in the denominator.",
        lambda: all(np.var(np.arange(9.0)[[i]]) > 0 for i in range(9)),
    ),
    holds(
        "The mean of the folds' errors is the error over all rows, if the folds are equally large.",
        "Each fold then counts the same number of rows.",
        lambda: np.isclose(*mean_and_pooled([20, 20, 20])),
    ),
    fails(
        "The mean of the folds' errors is the error over all rows, whatever the folds' sizes.",
        "Errors 0 and 0.5 on 20 and 2 rows: mean 0.25, but 1 of 22 is wrong.",
        lambda: np.isclose(*mean_and_pooled([20, 2, 40])),
    ),
    holds(
        "Selecting the features with all rows before cross-validating can make noise look predictable.",
        "The test rows' labels took part in the choice.",
        lambda: right_on_noise(select=True) > 0.65,
    ),
    fails(
        "Scaling all rows before cross-validating makes noise look as predictable as selecting "
        "features does.",
        "Scaling never looks at a label.",
        lambda: right_on_noise(select=False) > 0.65,
    ),
    holds(
        "Rows of one patient in training and test folds make the estimate for new patients too good.",
        "The model has met the patient.",
        lambda: right_on_noise(times=3) > 0.65 > right_on_noise(times=1),
    ),
    fails(
        "The best cross-validated score among 200 models is an honest estimate for the winner.",
        "The winner was lucky as well.",
        lambda: best_of(200) > 0.48,
    ),
    holds(
        "The more models of equal worth are compared, the better looks the best of them, on average.",
        "The least of more numbers is no larger.",
        lambda: (
            np.mean([best_of(200, seed=s) for s in range(9)])
            < np.mean([best_of(5, seed=s) for s in range(9)])
        ),
    ),
    means(
        "Nested cross-validation scores the winner on rows that did not choose it.",
        True,
        "The outer fold takes no part in the choice.",
    ),
    fails(
        "For nested models fitted by least squares, the training error can rise with the degree.",
        "The smaller model is one of the larger model's choices.",
        lambda: any(polynomial_errors(k + 1)[0] > polynomial_errors(k)[0] + 1e-9 for k in range(9)),
    ),
    fails(
        "The error on new rows always falls when the degree rises.",
        "A high degree follows the noise.",
        lambda: all(polynomial_errors(k + 1)[1] < polynomial_errors(k)[1] for k in range(12)),
    ),
    fails(
        "A model with training error 0 has true error 0.",
        "It may have learned the rows by heart.",
        lambda: polynomial_errors(14)[1] < 1e-6,
    ),
    holds(
        "For least squares, the leave-one-out errors follow from a single fit.",
        "Each residual is divided by 1 minus its leverage.",
        lambda: np.allclose(*leave_one_out()[1:]),
    ),
    holds(
        "A leave-one-out residual of least squares is at least as large in absolute value as the "
        "ordinary residual.",
        "1 − leverage lies between 0 and 1.",
        lambda: bool((np.abs(leave_one_out()[1]) >= np.abs(leave_one_out()[0])).all()),
    ),
    holds(
        "The leverages of a least-squares fit with p independent columns add up to p.",
        "They are the diagonal of a projector of rank p.",
        lambda: np.isclose(leverages(10, 3).sum(), 4),
    ),
    fails(
        "Halving the gap γ that is allowed asks for twice as many samples in (7.3).",
        "For four times as many: γ stands there squared.",
        lambda: np.isclose(samples(50, 0.05, 0.05), 2 * samples(50, 0.1, 0.05)),
    ),
    holds(
        "Doubling the number of hypotheses adds the same number of samples in (7.3), whatever the "
        "number was.",
        "It enters through its logarithm.",
        lambda: np.isclose(
            samples(20, 0.1, 0.05) - samples(10, 0.1, 0.05),
            samples(200, 0.1, 0.05) - samples(100, 0.1, 0.05),
        ),
    ),
    fails(
        "Hoeffding's bound for one hypothesis holds for a hypothesis that was chosen by the same rows.",
        "It holds for one that was fixed beforehand; the union bound pays for a choice.",
        lambda: 0.5 - best_of(5000) <= (log(2 / 0.05) / (2 * 60)) ** 0.5,
    ),
    holds(
        "Three points in the plane, not on a line, are shattered by lines.",
        "All eight labellings can be drawn.",
        lambda: labellings(np.array([[0, 0], [1, 0], [0, 1]])) == 8,
    ),
    fails(
        "Every set of three points in the plane is shattered by lines.",
        "Three on a line are not: the middle one cannot be cut off.",
        lambda: labellings(np.array([[0, 0], [1, 0], [2, 0]])) == 8,
    ),
    holds(
        "No set of four points in the plane is shattered by lines.",
        "Either one lies inside the others' triangle, or two diagonals cross.",
        lambda: all(labellings(np.random.default_rng(seed).normal(size=(4, 2))) < 16 for seed in range(5)),
    ),
    fails(
        "The VC dimension of lines in the plane is 2, since three points on a line are not shattered.",
        "It asks for some set of that size: it is 3.",
        lambda: labellings(np.array([[0, 0], [1, 0], [0, 1]])) < 8,
    ),
    holds(
        "A class of 8 hypotheses has a VC dimension of at most 3.",
        "Shattering d points takes 2^d hypotheses.",
        lambda: all(shattered(np.random.default_rng(s).integers(0, 2, (8, 6))) <= 3 for s in range(9)),
    ),
    fails(
        "A class with infinitely many hypotheses has an infinite VC dimension.",
        "Thresholds on a line: infinitely many, and dimension 1.",
        lambda: shattered(np.arange(9) > np.arange(-1, 9)[:, None]) > 1,
    ),
    means(
        "The one-standard-error rule takes the simplest model whose error is within one standard "
        "error of the best.",
        True,
        "Simpler, and not clearly worse.",
    ),
)


@variant("selection.1")
def how_many_samples(rng):
    k, delta = (
        int(rng.choice([10, 20, 30, 40, 80, 100, 200, 500])),
        float(rng.choice([0.01, 0.02, 0.05, 0.1])),
    )
    gamma = float(rng.choice([0.04, 0.08, 0.1, 0.2]))
    half = gamma / 2

    def two(rounded=ceil, k=k, **how):
        return [rounded(samples(k, g, delta, **how)) for g in (gamma, half)]

    truth = two()
    text = (
        f"With a pocket calculator: {k} hypotheses, and with probability at least {1 - delta:g} "
        "none of their training errors may differ from its "
        f"true error by more than γ. How many samples does (7.3) ask for, if γ = {gamma:g}? And if "
        f"γ = {half:g}? A list of two whole numbers."
    )
    return Variant(
        text,
        truth,
        {
            "log10": two(ln=np.log10),
            "gamma not squared": two(power=1),
            "twice as many for half the gap": [truth[0], ceil(2 * samples(k, gamma, delta))],
            "one side only": two(sides=1),
            "rounded down": two(rounded=int),
            "one hypothesis": two(k=1),
            "the 2 in front forgotten": two(factor=1),
        },
    )


@variant("selection.7")
def evidence_round_a_point(rng):
    place, scale = rng.integers(-9, 10, 2), int(rng.integers(2, 7))

    def demand(got):
        for P, what in zip(got[:3], "ABC", strict=False):
            P = np.asarray(P, float)
            if not (np.abs(P - P.mean(axis=0)).max() > scale and np.linalg.norm(P.mean(axis=0) - place) < 1):
                return (
                    f"The mean of {what} should lie within 1 of {place.tolist()}, and a coordinate more than "
                    f"{scale} away from it."
                )

    sets = ([[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 0], [0, 1], [1, 1]])
    moved = [(3 * scale * (np.array(P) - np.mean(P, axis=0)) + place).tolist() for P in sets]
    text = (
        "Evidence for the VC dimension of the lines of the plane: (A, B, C, D). A holds three "
        "points that lines shatter, B three different "
        "points that they do not shatter, C four points with exactly 14 labellings, D is the "
        "dimension. The mean of each set lies within 1 of "
        f"{place.tolist()}, and a coordinate of each lies more than {scale} away from its set's mean."
    )
    return Variant(text, (*moved, 3), checker=also(check_evidence, demand))


@variant("selection.8")
def more_points_than_allowed(rng):
    n, d = int(rng.integers(3, 6)), int(rng.integers(4, 7))

    def demand(got):
        P = np.asarray(got[0], float)
        if P.shape != (n, d):
            return f"P should hold {n} points with {d} coordinates; its shape is {P.shape}."

    P = np.pad(simplex(n), [(0, 0), (0, d - n + 1)])
    gamma = _margin(n)
    text = (
        "A script says: with a distance of at least γ from all points of a set in the unit ball, "
        "hyperplanes shatter at most ⌈1/(4γ²)⌉ + 1 points. "
        f"Refute it with {n} points of {d} coordinates: (P, gamma). For **every** labelling there "
        "is a hyperplane, with offset, at distance gamma "
        "or more from every point, and P has more points than the script allows."
    )
    return Variant(text, (P, gamma), checker=also(check_margin, demand))


def _margin(n):
    """The least of the widest margins over the labellings of n corners of a simplex on the unit sphere."""
    side = 2 * n / (n - 1)  # squared distance of two corners
    a = n // 2
    return 0.999 * np.sqrt(side / 2 * (1 / a + 1 / (n - a))) / 2
