"""Variants and statements: rare classes, thresholds, new rows made and odd ones found."""

import numpy as np
from imblearn.over_sampling import SMOTE
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import OneClassSVM

from grading.variant import Claims, Statement, Variant, also, bank, fails, holds, means, variant
from homework.imbalance.questions import check_worse, danger


def counts(tp=30, fn=10, fp=20, tn=140):
    """recall, specificity, precision, accuracy"""
    return tp / (tp + fn), tn / (tn + fp), tp / (tp + fp), (tp + tn) / (tp + fn + fp + tn)


MEASURES = RECALL, SPECIFICITY, PRECISION = "recall", "specificity", "precision"


def twice(rows, measure, changes, why, positives=1, negatives=1):
    """A statement: these rows stand in the table twice, and the measure changes, or does not."""
    both = ", if there are true and false alarms" if measure == PRECISION and changes else ""
    which, more = MEASURES.index(measure), (30 * positives, 10 * positives, 20 * negatives, 140 * negatives)
    text = f"Putting {rows} row into the table twice changes the {measure}{both}."
    return Statement(text, changes, why, lambda: counts()[which] != counts(*more)[which])


def auc(y, s):
    pos, neg = s[y == 1], s[y == 0]
    return (pos[:, None] > neg).mean() + (pos[:, None] == neg).mean() / 2


def scores(seed=0, n=60):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 4 == 0
    return y.astype(int), rng.normal(size=n) + y


def odds(p):
    return p / (1 - p)


def moved(p, old, new):
    """The p of a row in a world with other odds."""
    o = odds(p) / odds(old) * odds(new)
    return o / (1 + o)


def between(seed=0):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 3))
    new = a + rng.random() * (b - a)
    return np.isclose(np.linalg.norm(new - a) + np.linalg.norm(new - b), np.linalg.norm(a - b))


def always_no(positives, negatives):
    """(accuracy, balanced accuracy)"""
    right = np.repeat([False, True], [positives, negatives])  # of each row
    return right.mean(), (right[:positives].mean() + right[positives:].mean()) / 2


def precisions():
    """Of the drawn scores, while the threshold falls."""
    y, s = scores()
    return np.cumsum(y[np.argsort(-s)]) / np.arange(1, len(y) + 1)


def cheaper_yes(p, alarm=1.0, miss=9.0):
    """Whether yes costs less than no, for rows that are positive with probability p."""
    return (1 - p) * alarm < p * miss


P = np.linspace(0.01, 0.99, 50)


def weighted_alike():
    """The mean probability that a model says whose training weighed both classes alike."""
    y, s = scores()
    return (
        LogisticRegression(class_weight="balanced").fit(s[:, None], y).predict_proba(s[:, None])[:, 1].mean()
    )


def new_positives():
    """What SMOTE makes of two positives, at (-1, -1) and (1, 1), with negatives all around (0, 0)."""
    X = np.vstack([[[-1, -1], [1, 1]], 0.1 * np.random.default_rng(0).normal(size=(20, 2))])
    return SMOTE(k_neighbors=1, random_state=0).fit_resample(X, np.arange(22) < 2)[0][22:]


def copies_first():
    """Balanced accuracy of one neighbour on noise; each positive was copied before the folds were made."""
    X, y = np.random.default_rng(0).normal(size=(100, 3)), np.arange(100) % 5 == 0
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(100), np.where(y, 4, 1)))
    return cross_val_score(KNeighborsClassifier(1), X[rows], y[rows], scoring="balanced_accuracy").mean()


bank(
    "imbalance",
    holds(
        "With 1 % positives, a classifier that always says no is right in 99 %.",
        "It is right about every negative.",
        lambda: np.isclose(always_no(2, 198)[0], 0.99),
    ),
    holds(
        "A classifier that always says no has a balanced accuracy of 1/2.",
        "Recall 0 and specificity 1.",
        lambda: always_no(40, 160)[1] == 0.5,
    ),
    twice("each negative", RECALL, False, "Recall looks at the positives alone.", negatives=2),
    twice("each negative", PRECISION, True, "False alarms double, true ones do not.", negatives=2),
    twice("each negative", SPECIFICITY, False, "Twice as many of twice as many.", negatives=2),
    twice("each positive", RECALL, False, "Twice as many of twice as many.", positives=2),
    twice("each positive", PRECISION, True, "True alarms double, false ones do not.", positives=2),
    twice("every", PRECISION, False, "All counts double.", positives=2, negatives=2),
    fails(
        "Putting each negative row into the table twice changes the AUC.",
        "A positive drawn at random still beats a negative drawn at random as often.",
        lambda: (
            not np.isclose(
                auc(*scores()),
                auc(
                    np.r_[scores()[0], scores()[0][scores()[0] == 0]],
                    np.r_[scores()[1], scores()[1][scores()[0] == 0]],
                ),
            )
        ),
    ),
    fails(
        "Replacing every score by its cube changes the AUC.",
        "The order stays.",
        lambda: not np.isclose(auc(*scores()), auc(scores()[0], scores()[1] ** 3)),
    ),
    holds(
        "Negating every score turns an AUC of 0.8 into 0.2.",
        "Each pair is decided the other way.",
        lambda: np.isclose(auc(*scores()) + auc(scores()[0], -scores()[1]), 1),
    ),
    holds(
        "The AUC is the probability that a positive row scores higher than a negative one, ties "
        "counted half.",
        "Count the pairs below the curve.",
        lambda: np.isclose(
            auc(scores()[0], scores()[1].round()), roc_auc_score(scores()[0], scores()[1].round())
        ),
    ),
    fails(
        "The AUC computed from predicted labels is that of the scores.",
        "Labels keep one threshold of all.",
        lambda: np.isclose(auc(*scores()), auc(scores()[0], (scores()[1] > 0.5).astype(float))),
    ),
    fails(
        "Lowering the threshold can lower the recall.",
        "More rows are called positive, none fewer.",
        lambda: (np.diff(np.cumsum(scores()[0][np.argsort(-scores()[1])])) < 0).any(),
    ),
    holds(
        "Lowering the threshold can lower the precision.",
        "The new alarms may be false.",
        lambda: (np.diff(precisions()) < 0).any(),
    ),
    fails(
        "Lowering the threshold always lowers the precision.",
        "The new alarms may all be true.",
        lambda: (np.diff(precisions()) < 0).all(),
    ),
    holds(
        "An always-yes classifier has a recall of 1.",
        "It misses nobody.",
        lambda: counts(tp=40, fn=0, fp=160, tn=0)[0] == 1,
    ),
    holds(
        "An always-yes classifier has the base rate as precision.",
        "All rows are alarms.",
        lambda: np.isclose(40 / 200, counts(40, 0, 160, 0)[2]),
    ),
    holds(
        "With costs 1 for a false alarm and 9 for a miss, a calibrated p above 0.1 is cheaper "
        "called positive.",
        "1/(1 + 9).",
        lambda: np.array_equal(cheaper_yes(P), P > 0.1),
    ),
    fails(
        "With equal costs the cheapest threshold for a calibrated p is the base rate.",
        "It is 1/2; p has the base rate in it already.",
        lambda: all(np.array_equal(cheaper_yes(P, 1, 1), P > base) for base in (0.1, 0.3)),
    ),
    fails("p = 0.2 means odds of 1 to 5.", "1 to 4.", lambda: np.isclose(odds(0.2), 1 / 5)),
    holds(
        "Changing the base rate multiplies the odds of every row by the same factor, if the "
        "classes themselves stay as they are.",
        "Bayes: new prior odds over old ones.",
        lambda: np.isclose(odds(moved(0.4, 0.25, 0.5)) / odds(0.4), odds(moved(0.1, 0.25, 0.5)) / odds(0.1)),
    ),
    fails(
        "Changing the base rate changes the order of the rows' probabilities.",
        "One factor for all odds keeps their order.",
        lambda: moved(0.4, 0.25, 0.05) < moved(0.1, 0.25, 0.05),
    ),
    fails(
        "A logistic regression trained with both classes weighted alike gives calibrated probabilities "
        "in a world where one class is rare.",
        "It believes that both are equally frequent.",
        lambda: abs(weighted_alike() - scores()[0].mean()) < 0.1,
    ),
    holds(
        "SMOTE puts new points on the segments between positives.",
        "x + g (neighbour − x), one g between 0 and 1.",
        between,
    ),
    fails(
        "SMOTE draws one random number for each attribute of a new point.",
        "Then it would fill a box; it is one number for the whole point.",
        lambda: np.abs(new_positives() @ [1, -1]).max() > 1e-9,
    ),
    holds(
        "SMOTE may put a positive among negatives.",
        "If the segment between two positives leads through them.",
        lambda: (np.abs(new_positives()[:, 0]) < 0.2).any(),
    ),
    holds(
        "Oversampling before splitting makes the estimate too good.",
        "Test rows then have copies, or children, in the training part.",
        lambda: copies_first() > 0.6,
    ),
    means("Undersampling throws rows away.", True, "Rows of the frequent class."),
    means("A one-class model is trained on rows of the normal class.", True, "Then it knows what is normal."),
    fails(
        "In scikit-learn an outlier detector predicts +1 for an outlier.",
        "+1 is an inlier, −1 an outlier.",
        lambda: (
            OneClassSVM(nu=0.1).fit(np.random.default_rng(0).normal(size=(50, 2))).predict([[99, 99]]) == 1
        ),
    ),
    fails(
        "A positive all of whose neighbours are negative is on the border, not noise, by Borderline-SMOTE.",
        "All m negative: taken for noise; half or more, but not all: in danger.",
        lambda: 0 in danger(np.arange(9.0)[:, None], np.arange(9) == 0, 4),
    ),
)


@variant("imbalance.1")
def four_numbers(rng):
    pos = int(rng.choice([100, 200, 300, 400]))
    times = int(rng.integers(2, 10))
    p, rare = float(rng.choice([0.1, 0.2, 0.3, 0.4, 0.6])), int(rng.choice([10, 20, 50]))
    alarm, miss = int(rng.integers(1, 5)), int(rng.integers(5, 20))
    base, world, cut = 1 / (1 + times), 1 / rare, alarm / (alarm + miss)
    even, there = moved(p, base, 0.5), moved(p, base, world)
    text = (
        f"A model was trained on {pos} positives and {pos * times} negatives, drawn without bias. "
        f"For one row it says p = {p:g}. By hand, to three digits, a list of four: "
        "above which p are a row's odds higher than those of the training rows? The p of this "
        "row, rescaled as if both classes were equally many; "
        f"its p in a world where one row in {rare} is positive; and above which *calibrated* p is "
        f'"yes" the cheaper answer, if a false alarm costs {alarm} and a '
        f"missed positive costs {miss}?"
    )
    return Variant(
        text,
        [base, even, there, cut],
        {
            "share compared with odds": [1 / times, even, there, cut],
            "odds for probabilities": [base, odds(even), odds(there), cut],
            "rescaled the wrong way": [base, moved(p, 1 - base, 0.5), there, cut],
            "the prior of the training forgotten": [base, even, moved(p, 0.5, world), cut],
            "costs exchanged": [base, even, there, 1 - cut],
            "a ratio of costs": [base, even, there, alarm / miss],
        },
    )


@variant("imbalance.11")
def worse_once_more(rng):
    n, d = int(rng.integers(16, 35)) * 10, int(rng.integers(2, 5))
    many = int(rng.integers(8, 11))

    def demand(got):
        X, y = np.asarray(got[0], float), np.asarray(got[1])
        if X.shape != (n, d) or y.sum() != many:
            return f"X should have {n} rows and {d} columns, and {many} of the rows should be positive."

    own = np.random.default_rng(0)
    left = many // 2
    ends = np.repeat([-4.0, 4.0], [left, many - left])[:, None] * (np.arange(d) == 0)
    X = np.concatenate([
        ends + 0.1 * own.normal(size=(many, d)),
        own.normal(size=(n - many, d)) * np.where(np.arange(d), 0.2, 1),
    ])
    text = (
        f"Data (X, y) on which SMOTE does harm: {n} rows, {d} columns, {many} positives. The "
        "nearest neighbour (k = 1) in five shuffled, stratified folds has an F1 over all "
        "rows of at least 0.8 with the training rows as they are, and at least 0.2 less with "
        "SMOTE (5 neighbours, both classes equally many) in each "
        "training part."
    )
    return Variant(text, (X, np.arange(n) < many), checker=also(check_worse, demand))


# ---- question 2 with other rows, so and so many times

WHY = {
    "accuracy": (
        "A mean over all rows: the class with more copies weighs more.",
        "All rows weigh as before.",
    ),
    "recall": ("", "A share of the positives: of so many times as many, so many times as many."),
    "specificity": ("", "A share of the negatives: of so many times as many, so many times as many."),
    "precision": (
        "Of the alarms, only the true ones or only the false ones multiply.",
        "All alarms multiply.",
    ),
    "balanced accuracy": ("", "The mean of recall and specificity, and neither moves."),
    "AUC": ("", "A share of the pairs of a positive and a negative: all pairs multiply alike."),
}
COPIED = {"each positive": (1, 0), "each negative": (0, 1), "every row": (1, 1)}


def six_measures(positive_copies, negative_copies):
    """All six of the drawn scores, when so many copies of each row stand in the table."""
    y, s = scores()
    rows = np.repeat(np.arange(len(y)), np.where(y, positive_copies, negative_copies))
    y, s = y[rows] == 1, s[rows]
    yes = s > 0.5
    recall, specificity = yes[y].mean(), (~yes[~y]).mean()
    return {
        "accuracy": (yes == y).mean(),
        "recall": recall,
        "specificity": specificity,
        "precision": y[yes].mean(),
        "balanced accuracy": (recall + specificity) / 2,
        "AUC": auc(y.astype(int), s),
    }


@variant("imbalance.2")
def copies_of_some(rng):
    rows, times = str(rng.choice(list(COPIED))), int(rng.integers(2, 6))
    copies = [1 + (times - 1) * copied for copied in COPIED[rows]]
    says = str(
        rng.choice(["the {} can change", "the {} stays as it is", "the {} may become larger or smaller"])
    )
    stays = "stays" in says

    def statement(measure):
        changes = copies[0] != copies[1] and measure in ("accuracy", "precision")

        def check():
            moved = not np.isclose(six_measures(*copies)[measure], six_measures(1, 1)[measure])
            return moved != stays

        sentence = says.format(measure)
        return Statement(
            sentence[0].upper() + sentence[1:] + ".", changes != stays, WHY[measure][not changes], check
        )

    text = (
        f"Labels, scores and answers of some rows; both kinds of error occur. Now {rows} stands in the table "
        f"{times} times, with its score and its answer. What is true?"
    )
    return Claims(text, tuple(statement(measure) for measure in rng.permutation(list(WHY)).tolist()))
