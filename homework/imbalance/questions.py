"""Homework 12: rare classes, thresholds, resampling and one class alone."""

import numpy as np
from scipy.stats import chisquare, kstest
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.svm import OneClassSVM

from grading.question import Case, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels, same_set
from helpers.reading import Notation

NO_REMEDY = ("helpers.methods.thresholds", "imblearn")


def k_nearest(X, new, k):
    """Distances and places of the k nearest rows of X; None: for its own rows."""
    return NearestNeighbors().fit(X).kneighbors(new, k)


# ---- 1: by hand

question(
    "imbalance.1",
    "Four numbers by hand",
    name="four_numbers",
    core=True,
    then="Go on: what does a missed positive have to cost for p = 0.4 to be a no?",
    cases=Case(2),
    secret=True,
    truth=[0.25, 2 / 3, 2 / 21, 0.2],
    same=lambda a, b: close(a, b, tol=2e-3),
    mistakes={
        "share compared with odds": (
            "Your first number belongs to the odds, and p is a share. Bring both to one currency.",
            [1 / 3, 2 / 3, 2 / 21, 0.2],
        ),
        "odds for probabilities": (
            "Your second and third numbers are odds. How do you get back to a probability?",
            [0.25, 2.0, 2 / 19, 0.2],
        ),
        "rescaled the wrong way": (
            "Positives are rare in training. Should the same row look more or less positive in a world where "
            "they are not?",
            [0.25, 2 / 11, 2 / 21, 0.2],
        ),
        "the prior of the training forgotten": (
            "Your third number: which prior has the model seen already?",
            [0.25, 2 / 3, 2 / 59, 0.2],
        ),
        "costs exchanged": (
            "A miss is the dearer error here. Does that raise or lower the threshold?",
            [0.25, 2 / 3, 2 / 21, 0.8],
        ),
        "a ratio of costs": (
            "Your last number compares odds. Which number is compared with p?",
            [0.25, 2 / 3, 2 / 21, 0.25],
        ),
    },
    hints=[
        "Write p as odds first.",
        "Other priors multiply the odds: divide by the old ones, multiply by the new ones.",
    ],
)

# ---- 2: predict, then run

reasoned(
    "imbalance.2",
    "Twice as many negatives",
    name="changes",
    then="Go on: which of the six change when each positive is doubled instead?",
    cases=Case(1, "your list"),
    secret=True,
    truth=([True, False, False, True, False, False], 3),
    same=same_labels,
    because=Because(
        "**Why** does precision behave as you say?",
        {
            "It is a share of the rows of one class, and each class keeps its shares.": (
                "That is recall. Which rows does precision divide by?"
            ),
            "It averages over both classes alike, so copies of one class weigh no more.": (
                "That is balanced accuracy. Over how many classes does precision average?"
            ),
            "It divides by the alarms, and among these only the false ones double.": None,
            "It looks at the order of the scores alone, and no score changes.": (
                "That is the AUC. Does precision need a threshold?"
            ),
        },
    ),
    mistakes={
        "everything changes": ("Recall looks at the positives alone. Did they change?", [True] * 6),
        "nothing changes": (
            "Accuracy is a mean over all rows. Whose rows are there more of now?",
            [False] * 6,
        ),
        "precision stays": (
            "Each false alarm now stands there twice. What does that do to the share of true alarms?",
            [True, False, False, False, False, False],
        ),
        "accuracy stays": (
            "Accuracy is the recall and the specificity, each weighed by what?",
            [False, False, False, True, False, False],
        ),
        "balanced accuracy changes": (
            "Which two numbers is balanced accuracy the mean of?",
            [True, False, False, True, True, False],
        ),
        "the AUC changes": (
            "Draw a positive and a negative at random. Does it matter how many copies of the negative there "
            "are?",
            [True, False, False, True, False, True],
        ),
        "specificity changes": (
            "Twice as many true negatives, of twice as many negatives.",
            [True, False, True, True, False, False],
        ),
    },
    hints=[
        "Which rows does each measure divide by: those of one class, or a mixture?",
        "Try it: np.r_[y, y[~y]].",
    ],
)

# ---- 3: repair a report


def draw_report(rng, alarms=True):
    y = np.arange(300) % 12 == 0
    score = np.round(np.clip(0.3 + 0.2 * y + 0.13 * rng.normal(size=300), 0, 1), 2)
    return y, score if alarms else score * 0.45


def evaluate(y, score, **others):
    yes = score > 0.5
    tp, fp, tn = (y & yes).sum(), (~y & yes).sum(), (~y & ~yes).sum()
    recall, specificity = tp / y.sum(), tn / (~y).sum()
    precision = tp / (tp + fp) if yes.any() else 0.0
    gap = score[y][:, None] - score[~y][None, :]
    auc = (gap > 0).mean() + (gap == 0).mean() / 2
    balanced = (recall + specificity) / 2
    told = {"recall": recall, "precision": precision, "balanced": balanced, "auc": auc}
    return np.array([others[name](y, score) if name in others else told[name] for name in told])


def _column_of_table(y, score):
    table = confusion_matrix(y, score > 0.5)
    return table[1, 1] / max(1, table[:, 1].sum())


question(
    "imbalance.3",
    "A broken report",
    core=True,
    then="Go on: which single number of the report would you show to a doctor, and which to a manager?",
    stars=2,
    truth=evaluate,
    cases=[
        Case(2, "a model that gives alarms", draw_report),
        Case(1, "a model that gives none", lambda rng: draw_report(rng, alarms=False)),
    ],
    mistakes={
        "accuracy": (
            "A program that always says no gets nearly the same third number. Which measure would notice?",
            dict(balanced=lambda y, score: (y == (score > 0.5)).mean()),
        ),
        "AUC of labels": (
            "One threshold is one point of the curve. What should the curve be drawn from?",
            dict(auc=lambda y, score: roc_auc_score(y, score > 0.5)),
        ),
        "precision for recall": (
            "Your first number: by the rows of which class do you divide, and by the alarms in which?",
            dict(recall=_column_of_table),
        ),
        "precision and recall exchanged": (
            "Your first two numbers: by what does each of them divide?",
            dict(recall=_column_of_table, precision=lambda y, score: (score[y] > 0.5).mean()),
        ),
        "ties count for nothing": (
            "Two equal scores: which of the two is first, if a coin decides?",
            dict(auc=lambda y, score: (score[y][:, None] > score[~y][None]).mean()),
        ),
        "ties count in full": (
            "Two equal scores: is that a pair in the right order?",
            dict(auc=lambda y, score: (score[y][:, None] >= score[~y][None]).mean()),
        ),
        "accuracy, and the AUC of labels": (
            "Your last two numbers: one does not notice what the model misses, one looks at one threshold.",
            dict(
                balanced=lambda y, score: (y == (score > 0.5)).mean(),
                auc=lambda y, score: roc_auc_score(y, score > 0.5),
            ),
        ),
        "one half is enough": (
            "Some rows have a score of exactly 0.5. Are they called positive?",
            lambda y, score: evaluate(y, score + 1e-6),
        ),
    },
    hints=[
        "For each of the four, say in words what is counted and what it is divided by.",
        "Which of the four depends on the threshold, and which must not?",
    ],
)

# ---- 4: odds against odds


def draw_odds(rng, counts=((30, 90), (45, 75), (20, 140))):
    """One p lies on the limit itself: these shares and odds are exact, or round alike."""
    n_pos, n_neg = counts[rng.integers(len(counts))]
    share = n_pos / (n_pos + n_neg)
    return np.r_[rng.random(60), 0.0, 1.0, share + np.array([-0.01, 0, 0.01])], n_pos, n_neg


def move_threshold(p, n_pos, n_neg):
    return p * n_neg > (1 - p) * n_pos


question(
    "imbalance.4",
    "More than the base rate",
    then="Go on: at which base rate is your rule nothing but p > 1/2?",
    stars=2,
    truth=move_threshold,
    same=same_labels,
    forbids=NO_REMEDY,
    cases=Case(2, draw=draw_odds),
    mistakes={
        "share compared with odds": (
            "One side of your comparison is a share, the other is odds. Bring both to one currency.",
            lambda p, n_pos, n_neg: p > n_pos / n_neg,
        ),
        "odds compared with a share": (
            "One side of your comparison is odds, the other is a share. Bring both to one currency.",
            lambda p, n_pos, n_neg: p > n_pos / (n_pos + n_neg) * (1 - p),
        ),
        "one half": (
            "Is that what a row of which nothing is known would get?",
            lambda p, n_pos, n_neg: p > 0.5,
        ),
        "the share of the negatives": (
            "Rarer positives should need less evidence, not more.",
            lambda p, n_pos, n_neg: p > n_neg / (n_pos + n_neg),
        ),
        "as high is enough": (
            "One row has exactly the odds of the training rows. Are they higher?",
            lambda p, n_pos, n_neg: p >= n_pos / (n_pos + n_neg),
        ),
        "the other answer": (
            "p is the probability of which class?",
            lambda p, n_pos, n_neg: p <= n_pos / (n_pos + n_neg),
        ),
    },
    hints=["What are the odds of a row of which nothing is known?", "What happens to your formula at p = 1?"],
)

# ---- 5: another world


def draw_world(rng):
    train, world = rng.uniform(0.3, 0.6), rng.uniform(0.03, 0.2)
    return np.r_[rng.random(40), 0.0, 1.0], train, world


def mend(p, train, world):
    yes, no = p * world / train, (1 - p) * (1 - world) / (1 - train)
    return yes / (yes + no)


question(
    "imbalance.5",
    "Trained in another world",
    then="Go on: mend, and mend back. What should come out?",
    stars=2,
    truth=mend,
    forbids=NO_REMEDY,
    cases=Case(3, draw=draw_world),
    mistakes={
        "rebalanced scores as probabilities": (
            "Compare the mean of p with the rate at which positives come.",
            lambda p, train, world: p,
        ),
        "the two priors exchanged": (
            "Positives are rarer in the world than in training. Should p rise?",
            lambda p, train, world: mend(p, world, train),
        ),
        "p scaled, not its odds": (
            "Your two probabilities, of yes and of no: do they still add up to 1?",
            lambda p, train, world: p * world / train,
        ),
        "shares for odds": (
            "You multiply odds by shares. Which ratio of the priors belongs to odds?",
            lambda p, train, world: p * world / (p * world + (1 - p) * train),
        ),
        "the prior of the training forgotten": (
            "Which prior has the model seen already?",
            lambda p, train, world: mend(p, 0.5, world),
        ),
        "balanced instead": (
            "Your p would be right where both classes are equally many. Is that the world asked for?",
            lambda p, train, world: mend(p, train, 0.5),
        ),
        "corrected twice": (
            "Correct once. What did the second time do to your p?",
            lambda p, train, world: mend(mend(p, train, world), train, world),
        ),
    },
    hints=[
        "Under other priors the odds get a factor. Which?",
        "Which of 0/0 and 1/0 does your formula meet at p = 1?",
    ],
)

# ---- 6: costs, in another world


def draw_costs(rng):
    p, train, world = draw_world(rng)
    return np.r_[p, rng.random(200)], train, world, rng.uniform(0.5, 2), rng.uniform(10, 20)


def cheapest(p, train, world, alarm, miss):
    q = mend(p, train, world)
    return q * miss > (1 - q) * alarm


def cut_at(limit, q=mend):
    return lambda p, train, world, alarm, miss: q(p, train, world) > limit(world, alarm, miss)


def _raw(p, train, world):
    return p


question(
    "imbalance.6",
    "What is cheapest?",
    core=True,
    then="Another way: the threshold follows from the two costs alone, if p is calibrated. How "
    "would you check that it is?",
    stars=2,
    truth=cheapest,
    same=same_labels,
    forbids=NO_REMEDY,
    cases=Case(3, draw=draw_costs),
    mistakes={
        "the two worlds exchanged": (
            "In which world was the model trained, and for which are the answers? You go the other way.",
            lambda p, train, world, alarm, miss: cheapest(p, world, train, alarm, miss),
        ),
        "p taken as it is": (
            "Your threshold is for calibrated p. Is p calibrated in this world?",
            cut_at(lambda world, alarm, miss: alarm / (alarm + miss), q=_raw),
        ),
        "costs ignored": ("Fewest errors, or least cost?", cut_at(lambda world, alarm, miss: 0.5)),
        "costs exchanged": (
            "A miss is much dearer than an alarm. You hardly ever say yes.",
            cut_at(lambda world, alarm, miss: miss / (alarm + miss)),
        ),
        "corrected twice": (
            "The costs make the threshold. What does the base rate do in it a second time?",
            cut_at(lambda world, alarm, miss: alarm * world / (alarm * world + miss * (1 - world))),
        ),
        "the base rate as threshold": (
            "Which costs does a threshold at the base rate stand for?",
            cut_at(lambda world, alarm, miss: world),
        ),
        "the base rate, and p as it is": (
            "You correct for the rarity, and the costs have no say.",
            cut_at(lambda world, alarm, miss: world, q=_raw),
        ),
    },
    hints=[
        "Two steps: a probability for this world, then a threshold for these costs.",
        "What does saying yes cost on average, and what saying no?",
    ],
)

# ---- 7: repair SMOTE

COPY = "Some new points are old ones. How far is a point's first neighbour?"
ANY = "Each new point should lie between two points of which class?"
BOX = "Is it a box or a line that you fill?"
AWAY = "Where does a step of length 1 lead?"
FAR = (
    "Each lies between two positives. Is one of them among the k nearest of the other, in Euclid's distance?"
)
PAIRS = "All on segments, good. But not every neighbour of every positive is as likely as any other."
TURNS = "All on segments, good. But one can say beforehand whose turn it is. What is drawn anew for each row?"
PLACES = "All on segments, good. But not every place on a segment is as likely as any other."


def draw_two_classes(rng):
    X = np.r_[rng.normal(size=(24, 3)), rng.normal(size=(120, 3)) * 0.9 + [0.8, 0, 0]] + 5
    order = rng.permutation(len(X))
    return X[order], (np.arange(len(X)) < 24)[order], int(rng.integers(3, 6)), 600, int(rng.integers(1000))


def smote(
    X,
    y,
    k,
    n,
    seed,
    pool=lambda X, y: X[y],
    first=1,
    whose=lambda rng, p, n: rng.integers(p, size=n),
    turn=lambda rng, k, n: rng.integers(k, size=n),
    step=lambda rng, n, d: rng.random((n, 1)),
    sign=1,
):
    """The parts: the neighbours' class, from which on, who has one, which."""
    rng, P, Q = np.random.default_rng(seed), X[y], pool(X, y)
    near = k_nearest(Q, P, k + first)[1][:, first:]
    i, which = whose(rng, len(P), n), turn(rng, near.shape[1], n)
    return P[i] + sign * step(rng, n, X.shape[1]) * (Q[near[i, which]] - P[i])


def _ways(P, Q, k):
    """Pairs (a, b) of a row of P and one of its k nearest other rows in Q."""
    near = k_nearest(Q, P, k + 1)[1][:, 1:]
    return np.repeat(P, k, axis=0), Q[near].reshape(-1, P.shape[1])


def _off(rows, a, b):
    """How far each row is from the nearest of the segments, as a detour."""
    to_a, to_b = (np.linalg.norm(rows[:, None] - end[None], axis=2) for end in (a, b))
    return to_a + to_b - np.linalg.norm(a - b, axis=1)


def check_smote(got, X, y, k, n, seed):
    rows = numbers(got)
    if rows is None or rows.shape != (n, X.shape[1]):
        return f"Give {n} rows of {X.shape[1]} numbers."
    P = X[y]
    if (np.linalg.norm(rows[:, None] - P[None], axis=2).min(axis=1) < 1e-9).mean() > 0.02:
        return COPY
    a, b = _ways(P, P, k)
    off = _off(rows, a, b)
    if off.min(axis=1).max() > 1e-6:
        a_any, b_any = _ways(P, X, k)
        if _off(rows, a_any, b_any).min(axis=1).max() < 1e-6:
            return ANY
        if _off(rows, *_ways(P, P, len(P) - 1)).min(axis=1).max() < 1e-6:
            return FAR
        low, high = np.minimum(a, b) - 1e-9, np.maximum(a, b) + 1e-9
        boxed = ((rows[:, None] >= low) & (rows[:, None] <= high)).all(axis=2).any(axis=1)
        return BOX if boxed.all() else AWAY
    pair = off.argmin(axis=1)
    place = np.linalg.norm(rows - a[pair], axis=1) / np.linalg.norm(b[pair] - a[pair], axis=1)
    if _by_chance(a, b, pair) < 1e-7:
        return PAIRS
    on = (off < 1e-6).reshape(n, len(P), -1)
    if _repeats(on.any(axis=2)) or _repeats(on.any(axis=1)):
        return TURNS
    return PLACES if kstest(place, "uniform").pvalue < 1e-7 else None


def _repeats(seen):
    """Whether some steps later the same is seen again, nearly always; row by row, what may be seen there."""
    return any((seen[:-lag] & seen[lag:]).any(axis=1).mean() > 0.95 for lag in range(1, seen.shape[1] + 1))


def _by_chance(a, b, pair):
    """How probable so uneven a number of rows a segment is, if all pairs are equally likely.

    Of two positives that are each other's neighbour nobody can tell from which a row set out: one segment.
    """
    ends = np.sort(np.unique(np.r_[a, b], axis=0, return_inverse=True)[1].reshape(2, -1), axis=0)
    segment, ways = np.unique(ends, axis=1, return_inverse=True, return_counts=True)[1:]
    found = np.bincount(segment.ravel()[pair], minlength=len(ways))
    return chisquare(found, len(pair) * ways / ways.sum()).pvalue


question(
    "imbalance.7",
    "A broken SMOTE",
    core=True,
    then="Go on: put two positives on either side of a negative crowd: how many new points lie in the crowd?",
    stars=3,
    seeded=True,
    truth=smote,
    checker=check_smote,
    forbids=NO_REMEDY,
    cases=Case(4, draw=draw_two_classes),
    mistakes={
        "neighbours of any class": (ANY, dict(pool=lambda X, y: X)),
        "itself among the k": (COPY, dict(first=0)),
        "a random number per attribute": (BOX, dict(step=lambda rng, n, d: rng.random((n, d)))),
        "any other positive": (FAR, lambda X, y, k, n, seed: smote(X, y, y.sum() - 1, n, seed)),
        "away from the neighbour": (AWAY, dict(sign=-1)),
        "half-way, always": (PLACES, dict(step=lambda rng, n, d: 0.5)),
        "nearer to the positive": (PLACES, dict(step=lambda rng, n, d: rng.random((n, 1)) ** 2)),
        "positives in turn": (TURNS, dict(whose=lambda rng, p, n: np.arange(n) % p)),
        "each positive as often, one after the other": (
            TURNS,
            dict(whose=lambda rng, p, n: np.arange(n) * p // n),
        ),
        "neighbours in turn": (TURNS, dict(turn=lambda rng, k, n: np.arange(n) % k)),
        "one neighbour only": (PAIRS, dict(turn=lambda rng, k, n: 0)),
        "the nearest most often": (
            PAIRS,
            dict(turn=lambda rng, k, n: rng.integers(k, size=(2, n)).min(axis=0)),
        ),
    },
    hints=[
        "Draw, for two dimensions, the positives and what your function returns.",
        "Three things are random for a new row. What are they, and how many numbers is each?",
    ],
)

# ---- 8: who is in danger


def draw_border(rng):
    """Two clouds, two positives deep among the negatives; eight at the border stand there twice."""
    twins = 0.4 * rng.normal(size=(8, 2)) + [1.1, 0]
    X = np.r_[
        rng.normal(size=(24, 2)) + [1.8, 0],
        rng.normal(size=(90, 2)),
        rng.normal(size=(2, 2)) * 0.1 - [1, 0],
        twins,
        twins,
    ]
    y = np.r_[np.ones(24, bool), np.zeros(90, bool), np.ones(18, bool)]
    order = rng.permutation(len(X))
    return X[order], y[order], int(rng.choice([6, 8]))


def danger(X, y, m, says=lambda others, m: (others >= m / 2) & (others < m), first=1, rows=None):
    """danger with another rule for the number of negatives among the neighbours."""
    rows = np.flatnonzero(y) if rows is None else rows(y)
    near = k_nearest(X, X[rows], m + first)[1][:, first:]
    return rows[says((~y[near]).sum(axis=1), m)]


def _without_twins(X, y, m):
    """The m nearest rows that are not equal to the row."""
    found = []
    for i in np.flatnonzero(y):
        apart = np.flatnonzero((X != X[i]).any(axis=1))
        near = apart[k_nearest(X[apart], X[[i]], m)[1][0]]
        found += [i] if m / 2 <= (~y[near]).sum() < m else []
    return np.array(found)


question(
    "imbalance.8",
    "Who is in danger?",
    then="Go on: which positives does a larger m call in danger that a smaller one does not?",
    stars=2,
    truth=danger,
    same=same_set,
    forbids=NO_REMEDY,
    cases=Case(3, draw=draw_border),
    mistakes={
        "danger inverted": (
            "You marked points deep inside their class. Which neighbours make a point endangered?",
            dict(says=lambda others, m: m - others >= m / 2),
        ),
        "noise kept": (
            "All m neighbours negative: border or outlier?",
            dict(says=lambda others, m: others >= m / 2),
        ),
        "self counted": (
            "Who is the nearest row of a row of the table?",
            dict(first=0, says=lambda others, m: (others >= m / 2) & (others < m)),
        ),
        "more than half, noise kept": (
            "Look at both ends of your rule: exactly half, and all.",
            dict(says=lambda others, m: others > m / 2),
        ),
        "half is not enough": (
            "A positive with exactly half of its neighbours negative: what does the definition say?",
            dict(says=lambda others, m: (others > m / 2) & (others < m)),
        ),
        "rows at distance 0 left out": (
            "A positive and its twin are two rows. Which of them is left out?",
            _without_twins,
        ),
        "negatives in danger": ("Whose company is in question?", dict(rows=lambda y: np.flatnonzero(~y))),
        "numbers among the positives": (
            "Count again from the first row of X.",
            lambda X, y, m: np.searchsorted(np.flatnonzero(y), danger(X, y, m)),
        ),
    },
    hints=[
        "For each positive: how many of its m nearest other rows are negative?",
        "Which counts are too few, and which too many?",
    ],
)

# ---- 9: find the leak


def draw_noise(rng):
    y = np.arange(150) % 6 == 0
    fold = np.empty(150, int)
    for rows in (y, ~y):  # every fold holds both classes; they are not equally large
        more = rng.choice(5, size=rows.sum() - 10, p=rng.permutation([0.4, 0.3, 0.15, 0.1, 0.05]))
        fold[rows] = rng.permutation(np.r_[np.arange(10) % 5, more])
    return rng.normal(size=(150, 4)), y, np.array([2, 3, 5, 7, 11])[fold]


def _score(yes, y):
    return (yes[y].mean() + (~yes[~y]).mean()) / 2


def honest(X, y, fold, copies=5, score=_score, training=lambda test: ~test, skip=()):
    """The parts: the copies, the score, the training rows, the folds left out."""
    found = []
    for f in np.setdiff1d(fold, skip):
        test = fold == f
        train = np.flatnonzero(training(test))
        rows = np.repeat(train, np.where(y[train], copies, 1))
        votes = y[rows][k_nearest(X[rows], X[test], 5)[1]].sum(axis=1)
        found.append(score(votes > 2, y[test]))
    return float(np.mean(found))


def _pooled(X, y, fold):
    """One balanced accuracy of all rows, each answered when its fold was the test."""
    yes = np.zeros(len(y), bool)
    for f in np.unique(fold):
        train = np.flatnonzero(fold != f)
        rows = np.repeat(train, np.where(y[train], 5, 1))
        yes[fold == f] = y[rows][k_nearest(X[rows], X[fold == f], 5)[1]].sum(axis=1) > 2
    return _score(yes, y)


def _counted_folds(X, y, fold):
    """As many folds as there are, numbered from 0; of one that is empty nothing is measured."""
    there = np.isin(fold, np.arange(len(np.unique(fold))))
    return honest(X, y, np.where(there, fold, -1), skip=(-1,))


def _leaky(X, y, fold):
    """Copies first; every copy is dealt to a fold of its own."""
    rows = np.repeat(np.arange(len(y)), np.where(y, 5, 1))
    return honest(X[rows], y[rows], np.arange(len(rows)) % 5, copies=1)


question(
    "imbalance.9",
    "Find the leak",
    core=True,
    then="Go on: how large would the leak be with SMOTE in place of copies?",
    stars=2,
    truth=honest,
    forbids=("imblearn",),
    cases=Case(3, draw=draw_noise),
    mistakes={
        "oversampled before splitting": (
            "Some test rows are training rows: on noise you find a pattern.",
            _leaky,
        ),
        "not oversampled at all": (
            "The leak is gone, and the remedy too. Which rows may be copied?",
            dict(copies=1),
        ),
        "accuracy": (
            "A program that always says no gets a good score. Which measure would notice?",
            dict(score=lambda yes, y: (yes == y).mean()),
        ),
        "pooled": ("One number for each fold first, then their mean: folds are not equally large.", _pooled),
        "trained on all rows": (
            "Do the training rows still hold the test rows?",
            dict(training=lambda test: test | True),
        ),
        "folds taken for 0, 1, 2 …": (
            "Which numbers stand in `fold`? Print np.unique(fold) beside those of your loop.",
            _counted_folds,
        ),
        "recall alone": (
            "A program that always says yes gets full marks. Which measure would notice?",
            dict(score=lambda yes, y: yes[y].mean()),
        ),
    },
    hints=[
        "Which lines of the function run before the rows are split?",
        "In the loop: split, copy the positives of the training rows, find neighbours, measure on the "
        "untouched rest.",
    ],
)

# ---- 10: novelties


def draw_checked(rng):
    while True:
        rows = np.r_[rng.normal(size=(80, 2)) * [1.5, 0.5], rng.normal(size=(20, 2)) * 0.3 + [4, 4]]
        checked = np.r_[np.ones(80, bool), np.zeros(20, bool)]
        new = np.r_[
            rng.normal(size=(24, 2)) * [1.5, 0.5], rng.normal(size=(8, 2)) * 0.3 + [4, 4], [[-5.0, 5.0]]
        ]
        order, shuffled = rng.permutation(100), rng.permutation(len(new))
        rows, checked, new = rows[order], checked[order], new[shuffled]
        height = OneClassSVM(nu=0.1, gamma=0.1).fit(rows[checked]).decision_function(new)
        if np.abs(height).min() > 0.004:  # no row so near the boundary that rounding decides
            return rows, checked, new


def novelties(rows, checked, new):
    model = OneClassSVM(nu=0.1, gamma=0.1).fit(rows[checked])
    return np.flatnonzero(model.predict(new) == -1)


def novel_rows(rows, new, nu=0.1, sign=-1):
    return np.flatnonzero(OneClassSVM(nu=nu, gamma=0.1).fit(rows).predict(new) == sign)


question(
    "imbalance.10",
    "Something new",
    then="Go on: what does nu promise about the rows that were trained on?",
    stars=2,
    truth=novelties,
    same=same_set,
    cases=Case(3, draw=draw_checked),
    mistakes={
        "sign": ("What does +1 mean?", lambda rows, checked, new: novel_rows(rows[checked], new, sign=1)),
        "dirty training": (
            "What was the model taught to call normal?",
            lambda rows, checked, new: novel_rows(rows, new),
        ),
        "trained on what is new": (
            "Whom do the new rows judge, if they are the training rows?",
            lambda rows, checked, new: novel_rows(new, new),
        ),
        "trained on what nobody checked": (
            "Which of the two parts of the table is known to be normal?",
            lambda rows, checked, new: novel_rows(rows[~checked], new),
        ),
        "ν for its complement": (
            "Which share does ν limit: that of the rows inside, or outside?",
            lambda rows, checked, new: novel_rows(rows[checked], new, nu=0.9),
        ),
    },
    hints=[
        "Novelty detection trains on clean rows. Which are these?",
        "Numbers of rows of `new` are asked for, not answers of the machine.",
    ],
)

# ---- 11: when SMOTE hurts


def f1_scores(X, y):
    """F1 of the nearest neighbour in five folds: as the rows are, and with SMOTE in each training part."""
    from imblearn.over_sampling import SMOTE  # a second to import, and no other question needs it

    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    says = np.zeros((2, len(y)), bool)
    for train, test in folds.split(X, y):
        for way, (A, b) in enumerate((
            (X[train], y[train]),
            SMOTE(random_state=0).fit_resample(X[train], y[train]),
        )):
            says[way, test] = KNeighborsClassifier(1).fit(A, b).predict(X[test])
    return [f1_score(y, way, zero_division=0) for way in says]


def check_worse(got, *_):
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        return "Give (X, y)."
    X, y = numbers(got[0]), numbers(got[1])
    if X is None or y is None or X.ndim != 2 or y.shape != (len(X),) or not np.isin(y, (0, 1)).all():
        return "X is a table of numbers, y holds an answer for each row: True or False."
    y = y.astype(bool)
    if not (60 <= len(X) <= 400 and X.shape[1] <= 5 and 8 <= y.sum() <= len(y) / 4):
        return "60 to 400 rows, at most 5 columns, at least 8 positives and at most a quarter of the rows."
    before, after = f1_scores(X, y)
    if before < 0.8:
        return f"Without SMOTE the F1 is {before:.2f}. Make the task easy first."
    if before - after < 0.2:
        return (
            f"F1 is {before:.2f} without SMOTE and {after:.2f} with it. What could lie between two positives?"
        )
    return None


def same_tables(a, b):
    return (
        len(a) == len(b) == 2
        and close(a[0], b[0])
        and close(np.asarray(a[1], float), np.asarray(b[1], float))
    )


def few_positives(places, each=5, spread=0.1, middle=(0.0, 0.0), wide=1.0, seed=0):
    """A few positives at each of the places, and 150 negatives around the middle."""
    rng = np.random.default_rng(seed)
    pos = [p + spread * rng.normal(size=(each, 2)) for p in np.asarray(places, float)]
    X = np.r_[np.concatenate(pos), wide * rng.normal(size=(150, 2)) + middle]
    return X, np.arange(len(X)) < each * len(places)


SIDES = ([-4, 0], [4, 0])


question(
    "imbalance.11",
    "Worse with SMOTE",
    name="smote_hurts",
    then="Go on: does undersampling the negatives hurt on your data, too?",
    stars=3,
    cases=Case(4),
    truth=few_positives(SIDES),
    checker=check_worse,
    same=same_tables,
    mistakes={
        "one compact cloud of positives": (
            "Between two of your positives there are only positives. Which shape of the positives has "
            "something else between?",
            few_positives([[5, 0]], each=12),
        ),
        "overlapping classes": (
            "SMOTE changes little where it was hard anyway. Make the task easy without it.",
            few_positives([[0, 0]], each=12, spread=1.0),
        ),
        "groups so large that neighbours stay at home": (
            "Your positives lie on both sides. Do their nearest neighbours?",
            few_positives(SIDES, each=12),
        ),
        "nothing in between": (
            "Your positives lie far apart. What lies on the way from one group to the other?",
            few_positives(SIDES, middle=(0.0, 20.0)),
        ),
    },
    hints=[
        "SMOTE draws lines between positives. What must lie on those lines for it to do harm?",
        "Each positive has k = 5 neighbours among the positives of four folds. How large may a group be?",
    ],
)


reading(
    "imbalance.12",
    "Two ROC curves",
    name="in_the_figure",
    then="Go on: with 5000 rows to look at, which classifier would you take?",
    text="ROC curves of two classifiers, with the same area below. One row in a hundred is "
    "positive, and only the 50 highest scores of 10,000 can be looked at. Which classifier do "
    "you take?",
    choices={
        (
            "Either of the two: the areas are equal, and the area is what an AUC compares."
        ): "Which part of the curves do the 50 highest scores belong to?",
        "The one with the dashed curve, which reaches recall 1 first.": (
            "How many false alarms has it raised by then, among 9,900 negatives?"
        ),
        "The one with the solid curve, which is steep at the left end.": None,
        (
            "Neither: ROC curves do not depend on the scores, so they cannot choose."
        ): "They are drawn from the order of the scores.",
    },
    reasons={
        "A larger area is better whatever the task is, and the areas of the two curves differ.": (
            "They are equal, says the sentence below the figure."
        ),
        "Among the highest scores it finds more positives for the same number of false alarms.": None,
        (
            "The diagonal is nearer to it at that end, and the diagonal is where mistakes are fewest."
        ): "The diagonal is what guessing gives. Both lie above it.",
        "The false alarms at the left end weigh less, since there are so many negatives in all.": (
            "One in a hundred negatives is 99 rows: more than all that you can look at."
        ),
    },
    hints=["50 of 10,000 rows: which false-alarm rates can occur at all?"],
)


reading(
    "imbalance.13",
    "A classification report",
    name="in_the_report",
    then="Go on: how would you choose the threshold, and on which rows?",
    text="A report on a rare disease (2 % of 5000 persons): accuracy 0.980, recall of the ill "
    '**0.00**, recall of the healthy 1.00, AUC **0.91**, threshold 0.5. "The model has '
    'learned nothing, since it finds no ill person." What is wrong?',
    choices={
        (
            "The accuracy has to be a slip: nobody who is ill was found, so it cannot be so high."
        ): "2 % are ill and nobody is called ill: which accuracy is that?",
        "The conclusion: the scores tell ill from healthy, but no score passes 0.5.": None,
        (
            "Nothing: a recall of 0 is a recall of 0, whatever the other numbers may say."
        ): "At which threshold? What does the AUC say?",
        "The AUC is wrong: when the recall of one class is 0 it should be 0.5, as by lot.": (
            "An AUC looks at the order of the scores, at no threshold."
        ),
    },
    reasons={
        (
            "The recall of the healthy is too high: a model that was trained well would err there too."
        ): "It is the other side of calling nobody ill.",
        "The disease should be resampled to 50 % in the test data, so that both classes count alike.": (
            "The test data stand for the world. What can be moved without touching them?"
        ),
        "With 2 % ill, an honest probability seldom passes 0.5; the order of the scores is good.": None,
        "AUC and recall are measured on different persons, so the one says nothing of the other.": (
            "On the same ones. At how many thresholds is each measured?"
        ),
    },
    hints=["What is the highest score of the ill, and does the report say?"],
)


MOVED_PROBABILITY = Notation(
    r"""
    p | number | what the model says                                |
    b | number | share of positives among its training rows         |
    q | number | share of positives in the world where it is asked  |
    """,
    default=False,
)


def draw_moved_probability(rng):
    p, b, q = rng.uniform(0.05, 0.45, size=3) + [0.2, 0.3, 0.0]
    return (dict(p=p, b=b, q=q),)


question(
    "imbalance.14",
    "The formula of another world",
    name="moved_probability",
    then="Go on: go from b to q and back. Do you get p?",
    formula=MOVED_PROBABILITY,
    truth=r"\frac{p (1 - b) q}{p (1 - b) q + (1 - p) b (1 - q)}",
    cases=Case(1, draw=draw_moved_probability),
    mistakes={
        "odds for a probability": (
            "Those are odds. How do you get back to a probability?",
            r"\frac{p (1 - b) q}{(1 - p) b (1 - q)}",
        ),
        "the wrong way": (
            "In a world with fewer positives your p rises. Should it?",
            r"\frac{p b (1 - q)}{p b (1 - q) + (1 - p) (1 - b) q}",
        ),
        "the training's prior forgotten": (
            "Which share has the model seen already?",
            r"\frac{p q}{p q + (1 - p) (1 - q)}",
        ),
        "shares divided": (
            "With b = q your formula is right. Try others: can it exceed 1?",
            r"p \frac{q}{b}",
        ),
        "the new world forgotten": (
            "That is the p if both classes were equally frequent.",
            r"\frac{p (1 - b)}{p (1 - b) + (1 - p) b}",
        ),
    },
    hints=[
        "Write p as odds, and b and q too.",
        "Divide by the old odds, multiply by the new ones, and go back.",
    ],
)
