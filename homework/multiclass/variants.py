"""Variants and statements: many classes from binary classifiers."""

from itertools import combinations, product

import numpy as np
from sklearn.linear_model import LogisticRegression

from grading.variant import Variant, also, bank, fails, holds, means, variant
from helpers.methods.ecoc import code_distance
from homework.multiclass.questions import TWO_THREE, check_design, check_silent, ovr_predict


def softmax(s):
    e = np.exp(s - np.max(s))
    return e / e.sum()


def decode(code, word):
    return int((np.asarray(code) != word).sum(axis=1).argmin())


def masks(places, ones):
    """Every way to choose so many places, as 0 and 1."""
    return [np.isin(range(places), chosen).astype(int) for chosen in combinations(range(places), ones)]


FAR = np.array([[0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0], [0, 0, 1, 1, 1, 1]])


def rows_of(K=10, each=12):
    """How many rows each classifier sees: of one-vs-rest, and of one-vs-one."""
    y = np.repeat(np.arange(K), each)
    return [len(y)] * K, [int(np.isin(y, pair).sum()) for pair in combinations(range(K), 2)]


def questions(K):
    """Columns of 0 and 1 that are not constant, each with its opposite counted once."""
    columns = {column for column in product((0, 1), repeat=K) if 0 < sum(column) < K}
    return {min(column, tuple(1 - u for u in column)) for column in columns}


SCORES = np.random.default_rng(0).normal(size=(50, 3))


def wins(K):
    """How many pairs each of K classes wins, for all that the classifiers of one-vs-one can say."""
    pairs = np.array([*combinations(range(K), 2)])
    said = product((0, 1), repeat=len(pairs))
    return np.array([np.bincount(pairs[range(len(pairs)), one], minlength=K) for one in said])


def yes(X, target):
    return LogisticRegression().fit(X, target).predict(X)


bank(
    "multiclass",
    holds(
        "One-vs-rest trains K binary classifiers.",
        "One for each class.",
        lambda: all(len(rows_of(K)[0]) == K for K in (3, 5, 10)),
    ),
    fails(
        "One-vs-one trains K(K − 1) binary classifiers.",
        "K(K − 1)/2: i against j is j against i.",
        lambda: all(len(rows_of(K)[1]) == K * (K - 1) for K in (3, 5, 10)),
    ),
    fails(
        "In one-vs-one the classifier of i against j sees the rows of all classes.",
        "Only those of i and of j.",
        lambda: rows_of()[1][0] == rows_of()[0][0],
    ),
    holds(
        "With ten classes of equal size, a classifier of one-vs-one sees a fifth of the rows.",
        "Two of ten classes.",
        lambda: {n / sum([12] * 10) for n in rows_of()[1]} == {1 / 5},
    ),
    holds(
        "For a learner whose time grows with the square of the rows, one-vs-one of ten equal "
        "classes takes less time than one-vs-rest.",
        "45 · 0.2² = 1.8 against 10.",
        lambda: sum(n**2 for n in rows_of()[1]) < sum(n**2 for n in rows_of()[0]),
    ),
    fails(
        "For a learner whose time does not depend on the rows, one-vs-one of ten classes takes "
        "less time than one-vs-rest.",
        "45 fits against 10.",
        lambda: len(rows_of()[1]) < len(rows_of()[0]),
    ),
    holds(
        "In one-vs-rest, a class whose classifier never says yes can still be predicted.",
        "The largest score wins, and that may be negative.",
        lambda: int(np.argmax([-2.0, -0.1, -3.0])) == 1,
    ),
    fails(
        "If two classifiers of one-vs-rest say yes, the row cannot be decided.",
        "The larger score decides.",
        lambda: ovr_predict(np.array([[0.2, 0.7, -1]]), np.arange(3))[0] != 1,
    ),
    fails(
        "Scores of different classifiers may be compared whatever their units.",
        "One that speaks in larger numbers wins too often.",
        lambda: np.array_equal(SCORES.argmax(axis=1), (SCORES * [1, 10, 1]).argmax(axis=1)),
    ),
    holds(
        "Multiplying all scores of all classifiers by the same positive number changes no prediction.",
        "The order stays.",
        lambda: np.array_equal(SCORES.argmax(axis=1), (3 * SCORES).argmax(axis=1)),
    ),
    holds(
        "In one-vs-one three classes can have one vote each.",
        "i beats j, j beats k, k beats i.",
        lambda: (wins(3) == 1).all(axis=1).any(),
    ),
    holds(
        "In one-vs-one a class that wins all its pairs wins the vote.",
        "It has K − 1 votes, and nobody else can.",
        lambda: all(sorted(w)[-2] < 3 for w in wins(4) if 3 in w),
    ),
    fails(
        "In one-vs-one the votes of all classes add up to K.",
        "To the number of pairs, K(K − 1)/2.",
        lambda: all(len(rows_of(K)[1]) == K for K in (4, 5, 10)),
    ),
    holds(
        "A code whose words differ in at least d places survives (d − 1) // 2 wrong classifiers.",
        "The right word stays strictly nearest.",
        lambda: all(
            decode(FAR, np.bitwise_xor(FAR[k], np.eye(6, dtype=int)[j])) == k
            for k in range(3)
            for j in range(6)
        ),
    ),
    fails(
        "A code whose words differ in at least 4 places survives 2 wrong classifiers whatever they are.",
        "Two errors may lead half-way to another word.",
        lambda: all(
            decode(FAR, np.bitwise_xor(FAR[k], wrong)) == k for k in range(3) for wrong in masks(6, 2)
        ),
    ),
    holds(
        "A code whose words differ in at least d places survives d − 1 absent classifiers, if one knows "
        "which are absent.",
        "In the places that are left any two words still differ.",
        lambda: code_distance(FAR) == 4 and all(code_distance(FAR[:, gone == 0]) > 0 for gone in masks(6, 3)),
    ),
    holds(
        "The code words of one-vs-rest, the rows of the unit matrix, differ in exactly two places each.",
        "Each has its one elsewhere.",
        lambda: code_distance(np.eye(6, dtype=int)) == 2,
    ),
    fails(
        "One-vs-rest, read as a code and decoded by Hamming distance, survives one wrong classifier.",
        "d = 2: (2 − 1) // 2 = 0.",
        lambda: (code_distance(np.eye(6, dtype=int)) - 1) // 2 == 1,
    ),
    fails(
        "Three equal columns in a code survive it when their classifier errs.",
        "It is one classifier, and it errs in all three places.",
        lambda: decode([[0, 0, 0], [1, 1, 1]], [1, 1, 1]) == 0,
    ),
    holds(
        "A column and its complement ask the same question.",
        "Yes and no are exchanged, no more.",
        lambda: (yes(SCORES, SCORES[:, 0] > 0) != yes(SCORES, SCORES[:, 0] <= 0)).all(),
    ),
    holds(
        "Five classes allow 15 different questions, complements and constants aside.",
        "2⁴ − 1.",
        lambda: len(questions(5)) == 15,
    ),
    means(
        "A constant column of a code gives a classifier with one class only.",
        True,
        "There is nothing to tell apart.",
    ),
    fails(
        "Decoding 0/1 words by the largest dot product finds the nearest word.",
        "A word with many ones wins too often.",
        lambda: (
            int((np.array([[1, 1, 1], [1, 0, 0]]) @ [1, 0, 0]).argmax())
            == decode([[1, 1, 1], [1, 0, 0]], [1, 0, 0])
        ),
    ),
    holds(
        "Decoding words of −1 and +1 by the largest dot product finds the nearest word.",
        "The product is the length minus twice the distance.",
        lambda: all(
            int(((2 * FAR - 1) @ (2 * w - 1)).argmax()) == decode(FAR, w)
            for n in range(7)
            for w in masks(6, n)
        ),
    ),
    fails(
        "Adding 5 to all scores changes the probabilities of softmax.",
        "The factor e⁵ cancels.",
        lambda: not np.allclose(softmax(np.array([1.0, 2.0])), softmax(np.array([6.0, 7.0]))),
    ),
    holds(
        "Doubling all scores changes the probabilities of softmax.",
        "It makes them more extreme.",
        lambda: not np.allclose(softmax(np.array([1.0, 2.0])), softmax(np.array([2.0, 4.0]))),
    ),
    holds(
        "The probabilities of softmax add up to 1.",
        "They are divided by their sum.",
        lambda: np.isclose(softmax(np.array([1.0, 2.0, 9.0])).sum(), 1),
    ),
    holds(
        "With two classes, softmax of two scores is the logistic function of their difference.",
        "Divide by the first exponential.",
        lambda: np.isclose(softmax(np.array([0.3, 1.5]))[1], 1 / (1 + np.exp(-1.2))),
    ),
    fails(
        "An accuracy of 0.4 is worse than guessing for any number of classes.",
        "With ten equal classes guessing gets 0.1.",
        lambda: all(0.4 < 1 / K for K in range(2, 11)),
    ),
    fails(
        "Two schemes that are equally good have the same accuracy on a fold of 30 rows.",
        "Folds vary: compare the differences over several with their spread.",
        lambda: (np.diff(np.random.default_rng(0).binomial(30, 0.8, (1000, 2))) == 0).mean() > 0.5,
    ),
)


@variant("multiclass.1")
def what_they_cost(rng):
    K, each, power = int(rng.integers(4, 21)), int(rng.integers(2, 20)) * 10, 2
    n, pairs = K * each, K * (K - 1) // 2
    quotient = pairs * (2 * each) ** power / (K * n**power)

    def costs(p=pairs, rows=2 * each, q=quotient, wide=n):
        return [K, wide, p, rows, q]

    text = (
        f"{K} classes with {each} rows each, {n} rows in all. By hand, a list of five numbers: how "
        "many binary classifiers one-vs-rest trains; how many rows each of "
        "them sees; how many classifiers one-vs-one trains; how many rows each of them sees; the "
        "time to train all of one-vs-one, divided by "
        "that of all of one-vs-rest, for a learner whose time grows with the **square** of the rows."
    )
    return Variant(
        text,
        costs(),
        {
            "each duel fought twice": costs(p=2 * pairs, q=2 * quotient),
            "many fits, so expensive": costs(q=pairs / K),
            "all rows for each pair": costs(rows=n, q=pairs / K),
            "a learner whose time grows with the rows": costs(q=pairs * 2 * each / (K * n)),
            "the quotient upside down": costs(q=1 / quotient),
            "one class only": costs(rows=each, q=quotient / 4),
            "the rest thinned out": costs(wide=2 * each, q=pairs / K),
        },
    )


@variant("multiclass.4")
def silent_at_a_place(rng):
    n, silent = int(rng.integers(6, 20)) * 30, int(rng.integers(3))
    slope = int(rng.integers(1, 5))

    def demand(got):
        X, y = np.asarray(got[0], float), np.asarray(got[1])
        if X.shape != (n, 2) or set(np.unique(y)) != {0, 1, 2}:
            return f"X should have {n} rows and two columns, and the labels should be 0, 1 and 2."
        if not abs(X[y == silent].mean(axis=0) - [slope, -slope]).max() < 0.5:
            return f"The mean of class {silent}, the silent one, should be ({slope}, {-slope}), to a half."

    own = np.random.default_rng(0)
    y = np.repeat(np.arange(3), n // 3)
    side = {silent: 0, (silent + 1) % 3: -1, (silent + 2) % 3: 1}
    X = 4 * np.array([side[c] for c in y])[:, None] * [1, 1] + [slope, -slope] + 0.4 * own.normal(size=(n, 2))
    text = (
        f"Data (X, y) with classes 0, 1 and 2, {n} rows and two columns, no class with less than "
        f"20 % of the rows. The binary classifier of class {silent}, whose mean is "
        f"({slope}, {-slope}) to a half, never says yes to a row of its own class, and yet the "
        "largest of the three scores gets at least 95 % of the "
        "rows right. The classifiers are `LogisticRegression()`, trained and asked on all rows."
    )
    return Variant(text, (X, y), checker=also(check_silent, demand))


@variant("multiclass.7")
def a_word(rng):
    while True:
        code = rng.integers(0, 2, (5, 7))
        if (
            len(np.unique(code, axis=0)) < 5
            or code_distance(code) < 3
            or not 0 < code.sum(axis=0).min()
            or code.sum(axis=0).max() == 5
        ):
            continue
        k = int(rng.integers(1, 5))
        word = code[k].copy()
        word[rng.choice(7, int(rng.integers(1, 3)), replace=False)] ^= 1
        away = (code != word).sum(axis=1)
        if (away == away.min()).sum() == 1:
            break
    best, errors = int(away.argmin()), int(away.min())
    survives = (int(code_distance(code)) - 1) // 2
    product = int((code @ word).argmax())
    lines = ["| class | code word |", "|---|---|"] + [
        f"| {i} | {' '.join(map(str, w))} |" for i, w in enumerate(code)
    ]
    text = (
        "Five classes, seven classifiers:\n\n"
        + "\n".join(lines)
        + f"\n\nThe classifiers say {' '.join(map(str, word))}. By hand, a list of three numbers: "
        "the class that is decoded; how many classifiers erred, if it is the right one; and how many wrong "
        "classifiers this code survives **whatever** they say "
        "and whichever they are (section 11.4)."
    )
    truth = [best, errors, survives]
    found = {
        "agreements counted": [best, 7 - errors, survives],
        "the distance for the errors": [best, errors, int(code_distance(code))],
        "counted from one": [best + 1, errors, survives],
    }
    if product != best:
        found["the largest dot product"] = [product, int(away[product]), survives]
    return Variant(text, truth, found)


@variant("multiclass.10")
def a_code_with_a_row(rng):
    turned = rng.integers(0, 2, 10)

    def demand(got):
        if not np.array_equal(np.asarray(got)[0], turned):
            return f"The word of class 0 should be {' '.join(map(str, turned))}."

    text = (
        "A code for five classes and ten classifiers in which any two words differ in at least 6 "
        "places, an array of shape (5, 10) of 0 and 1. No column is "
        "constant, none equals another or its opposite, and the word of class 0 is "
        f"{' '.join(map(str, turned))}."
    )
    return Variant(text, TWO_THREE ^ (TWO_THREE[0] ^ turned), checker=also(check_design, demand))
