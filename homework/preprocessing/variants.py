"""Variants and statements: blanks, names, scales, buckets, leaks."""

import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from grading.variant import Variant, also, bank, fails, holds, means, variant
from homework.preprocessing.questions import check_quiet, rubin, unit_rows


def column(n=101, seed=0):
    return np.random.default_rng(seed).normal(size=n) ** 2


def filled(share=0.4, n=1000, seed=0):
    """(a column, the values that are seen, the column with its blanks filled by their mean)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n) + 3
    seen = rng.random(n) > share
    return x, seen, np.where(seen, x, x[seen].mean())


def one_hot(codes):
    return (np.asarray(codes)[:, None] == np.unique(codes)).astype(float)


def scaled(x):
    return (x - x.mean()) / x.std()


def towns():
    """The code of a town's single row, by the mean of its own labels."""
    y = np.random.default_rng(0).integers(0, 2, 50)
    return np.array_equal([y[i : i + 1].mean() for i in range(50)], y)


def giant():
    return np.r_[np.arange(10.0), 1e4]


def onto_a_range(x, train):
    return (x - train.min()) / np.ptp(train)


def careless(x):
    with np.errstate(invalid="ignore"):
        return scaled(x)


def nearest(scale, seed=0):
    X = np.random.default_rng(seed).normal(size=(50, 2)) * [scale, 1]
    return np.linalg.norm(X[1:] - X[0], axis=1).argmin()


def codes(names):
    """Whole numbers in the order of the alphabet."""
    return np.unique(names, return_inverse=True)[1]


NOISE = np.random.default_rng(0).normal(size=400)
COIN = np.random.default_rng(1).integers(0, 2, 400)


def tells_class(by_class):
    """How well a filled column of noise tells a coin, nine in ten of its values blank."""
    blank = np.random.default_rng(2).random(400) < 0.9
    seen = [NOISE[~blank & (COIN == c if by_class else True)].mean() for c in (0, 1)]
    x = np.where(blank, np.take(seen, COIN), NOISE)
    return cross_val_score(DecisionTreeClassifier(), x[:, None], COIN).mean()


def within(tables):
    """The mean of the squared standard errors of a mean, over so many completed tables."""
    rng = np.random.default_rng(0)
    return np.mean([np.r_[NOISE[:50], rng.choice(NOISE[:50], 50)].var(ddof=1) / 100 for _ in range(tables)])


def grown(x):
    return DecisionTreeClassifier(max_depth=3, random_state=0).fit(x[:, None], COIN).predict(x[:, None])


def left_of_curve(columns):
    """What least squares on these columns, and one of ones, leaves of a parabola."""
    A = np.column_stack([np.ones(400), columns])
    return ((NOISE**2 - A @ (np.linalg.pinv(A) @ NOISE**2)) ** 2).mean()


bank(
    "preprocessing",
    holds(
        "A column whose blanks are filled with its mean has the mean of the seen values.",
        "What is added lies on the mean.",
        lambda: np.isclose(filled()[2].mean(), filled()[0][filled()[1]].mean()),
    ),
    fails(
        "A column whose blanks are filled with its mean has the variance of the seen values.",
        "It adds values at distance 0 from the mean: the variance shrinks.",
        lambda: np.isclose(filled()[2].var(), filled()[0][filled()[1]].var()),
    ),
    fails(
        "NaN == NaN is True in NumPy.",
        "A blank equals nothing, not even itself.",
        lambda: bool(np.nan == np.nan),
    ),
    holds(
        "A column of a flag, 1 where the value was blank, can tell something about the label.",
        "Who does not answer may differ from who does.",
        lambda: np.corrcoef(COIN, np.random.default_rng(1).random(400) < 0.2 + 0.5 * COIN)[0, 1] > 0.3,
    ),
    means(
        "A filler for the test rows is computed from the training rows.",
        True,
        "A new row may come alone, and test rows should tell the model nothing.",
    ),
    holds(
        "Filling every blank with the mean of the row's own class leaks labels.",
        "For a test row that class is what is to be predicted.",
        lambda: tells_class(by_class=True) > 0.8 > tells_class(by_class=False),
    ),
    holds(
        "Rubin's total variance adds the spread between the filled tables to the mean variance within them.",
        "T = W + (1 + 1/M) B.",
        lambda: np.isclose(
            rubin(NOISE[:4], NOISE[4:8] ** 2)[1], (NOISE[4:8] ** 2).mean() + 1.25 * NOISE[:4].var(ddof=1)
        ),
    ),
    fails(
        "With more imputed tables, the variance within a table shrinks to 0.",
        "It is the uncertainty that a complete table would have as well.",
        lambda: within(200) < within(4) / 2,
    ),
    holds(
        "A standardised column has mean 0 and variance 1 on the rows that gave the scale.",
        "Subtract the mean, divide by the deviation.",
        lambda: np.allclose([scaled(column()).mean(), scaled(column()).var()], [0, 1]),
    ),
    fails(
        "A standardised column follows a normal distribution.",
        "Its shape stays: skewed before, skewed after.",
        lambda: abs((scaled(column()) ** 3).mean()) < 0.1,
    ),
    fails(
        "New rows, standardised with the training scale, have mean exactly 0.",
        "They have their own mean.",
        lambda: np.isclose(((column(seed=1) - column().mean()) / column().std()).mean(), 0),
    ),
    holds(
        "A constant column, standardised without care, becomes NaN.",
        "0/0.",
        lambda: np.isnan(careless(np.ones(3))).all(),
    ),
    fails(
        "Min-max scaling with the training rows keeps every new value between 0 and 1.",
        "A new value may lie outside the range that was seen.",
        lambda: onto_a_range(column(seed=1), column()).max() <= 1,
    ),
    holds(
        "One giant value squeezes all others of a min-max scaled column together.",
        "The range is set by the giant.",
        lambda: np.ptp(onto_a_range(giant(), giant())[:10]) < 0.01,
    ),
    holds(
        "The median of a column moves less than its mean when one value becomes a giant.",
        "The middle does not ask how far the end is.",
        lambda: abs(np.median(giant()) - np.median(giant()[:10])) < abs(giant().mean() - giant()[:10].mean()),
    ),
    fails(
        "Decision trees need standardised columns.",
        "A cut of a column depends on the order of its values only.",
        lambda: (grown(NOISE) != grown(1000 * NOISE + 7)).any(),
    ),
    holds(
        "Nearest neighbours can change when one column changes its unit.",
        "Its differences weigh more or less in the distance.",
        lambda: any(nearest(1, seed) != nearest(10, seed) for seed in range(9)),
    ),
    fails(
        "Dividing every row by its own length uses what other rows hold.",
        "A row's length is known from the row alone.",
        lambda: not np.allclose(unit_rows(NOISE[:9].reshape(3, 3), 2)[:1], unit_rows(NOISE[:3][None], 2)),
    ),
    holds(
        "Codes 0, 1, 2 for three colours say that the third is farther from the first than the second is.",
        "A distance takes numbers at their word.",
        lambda: (lambda c: abs(c[2] - c[0]) > abs(c[1] - c[0]))(codes(["blue", "green", "red"])),
    ),
    holds(
        "In one-hot code any two different names are equally far apart.",
        "Two rows differ in two places.",
        lambda: (
            len({round(np.linalg.norm(a - b), 9) for i, a in enumerate(np.eye(4)) for b in np.eye(4)[:i]})
            == 1
        ),
    ),
    fails(
        "The K one-hot columns of a name and a column of ones are linearly independent.",
        "The K columns add up to the ones.",
        lambda: np.linalg.matrix_rank(np.column_stack([one_hot([0, 1, 2, 0]), np.ones(4)])) == 4,
    ),
    fails(
        "A town's code by the mean label of its rows, each row's own included, is safe with rare towns.",
        "The code of a town with a single row is that row's label.",
        lambda: not towns(),
    ),
    holds(
        "A target code for a training row should be made from other rows' labels.",
        "Else the column carries the answer.",
        towns,
    ),
    fails(
        "Buckets of equal width hold equally many values.",
        "Equal width is not equal count: look at a skewed column.",
        lambda: len(set(np.histogram(column(), 4)[0])) == 1,
    ),
    holds(
        "Cutting a column into buckets can let a linear model follow a curve.",
        "Each bucket gets a weight of its own.",
        lambda: (
            left_of_curve(np.digitize(NOISE, np.arange(-2, 2.1, 0.5))[:, None] == range(10))
            < left_of_curve(NOISE[:, None]) / 2
        ),
    ),
    fails(
        "M edges cut the line into M buckets.",
        "Into M + 1.",
        lambda: len(set(np.searchsorted([1, 2, 3], [0.5, 1.5, 2.5, 3.5]))) == 3,
    ),
    fails(
        "A column with tiny variance cannot matter.",
        "Measure it in another unit and its variance is large.",
        lambda: abs(np.corrcoef(1e-6 * column(), column() > 1)[0, 1]) < 0.1,
    ),
    holds(
        "A rare flag, 1 in 1 of 2000 rows, has a variance below 0.001.",
        "p(1 − p) with p = 1/2000.",
        lambda: np.var(np.arange(2000) == 7) < 0.001,
    ),
    holds(
        "Standardising all rows before cross-validating lets test rows reach the training.",
        "Their values enter the mean and the deviation.",
        lambda: not np.allclose(scaled(NOISE)[:-1], scaled(np.r_[NOISE[:-1], 99])[:-1]),
    ),
    means(
        "A pipeline inside cross_val_score is fitted on the training part of each fold.",
        True,
        "That is what it is for.",
    ),
)


@variant("preprocessing.1")
def after_filling(rng):
    seen, blank = [(61, 40), (41, 60), (51, 50), (31, 70), (81, 20), (91, 10), (21, 80)][rng.integers(7)]
    n = seen + blank
    r = (seen - 1) / (n - 1)
    text = (
        f"A column of {n} values has lost {blank} of them by a coin toss. You fill the blanks with "
        f"the mean of the {seen} that are seen. "
        "Another column, y, is complete. Predict three ratios, filled column over seen values "
        "alone (for y: all rows over "
        f'those {seen} rows): of the variances of the column, with the divisor "number of values '
        '− 1"; of its covariances with y, '
        "with the same divisors; of the slopes when y is regressed on the column. A list of three numbers."
    )
    return Variant(
        text,
        [r, r, 1],
        {
            "counted n, not n − 1": [seen / n, seen / n, 1],
            "the deviation for the variance": [r**0.5, r**0.5, 1],
            "the slope shrinks too": [r, r, r],
            "only the variance shrinks": [r, 1, 1 / r],
            "squared twice": [r * r, r, 1 / r],
        },
    )


@variant("preprocessing.9")
def quiet_column_at_a_place(rng):
    d, place, n = int(rng.integers(3, 8)), int(rng.integers(0, 3)), int(rng.integers(6, 40)) * 20

    def demand(got):
        X = np.asarray(got[0], float)
        if X.shape != (n, d):
            return f"X should have {n} rows and {d} columns; its shape is {X.shape}."
        if X[:, place].var() > 1e-3 or X[:, place].mean() < 100:
            return f"The quiet column should be column {place}, counted from 0, with a mean of at least 100."

    own = np.random.default_rng(0)
    y = np.arange(n) % 2
    X = own.normal(size=(n, d))
    X[:, place] = 100.1 + 0.01 * y
    text = (
        f"Data (X, y) with {n} rows, {d} columns, and two classes, neither rarer than 40 %. Column "
        f"{place}, counted from 0, has "
        "a mean of at least 100 and a variance (divisor n) of at most 0.001, and no other column "
        "has so little. Trees (depth 5, "
        "five folds) are right in at least 95 % with all columns, and in at most 62 % without that one."
    )
    return Variant(text, (X, y), checker=also(check_quiet, demand))
