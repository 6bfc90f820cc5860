"""Homework 11: one against the rest, one against one, output codes."""

from itertools import combinations, permutations

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from grading.question import Case, Task, computed_once, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.methods.ecoc import code_distance, exhaustive_code
from helpers.reading import Notation

NO_SCHEME = ("sklearn.multiclass", "helpers.methods.ecoc")


def draw_names(rng, K):
    """K different labels, in no order, as text."""
    return np.array(["ash", "elm", "fir", "oak", "yew", "box"])[rng.permutation(6)[:K]]


def draw_numbers(rng, K):
    """K different labels from 3 on, so that none is a column's number."""
    return rng.permutation(np.arange(K, 30))[:K]


# ---- 1: what it costs

question(
    "multiclass.1",
    "What two schemes cost",
    name="costs",
    core=True,
    then="Go on: from which power of the rows on does one-vs-one take less time?",
    cases=Case(2),
    secret=True,
    truth=[10, 1000, 45, 200, 0.18],
    mistakes={
        "each duel fought twice": ("Is the pair (i, j) another one than (j, i)?", [10, 1000, 90, 200, 0.36]),
        "many fits, so expensive": (
            "You compared how many fits there are. How many rows does each of them see, and what does a row "
            "cost?",
            [10, 1000, 45, 200, 4.5],
        ),
        "all rows for each pair": (
            "What should a classifier of i against j learn from k?",
            [10, 1000, 45, 1000, 4.5],
        ),
        "a learner whose time grows with the rows": (
            "Twice the rows: how much longer does this learner take?",
            [10, 1000, 45, 200, 0.9],
        ),
        "the quotient upside down": ("Whose time stands above the line?", [10, 1000, 45, 200, 50 / 9]),
        "one class only": (
            "A classifier that sees one class has nothing to tell apart.",
            [10, 1000, 45, 100, 0.045],
        ),
        "the rest thinned out": (
            'Who is "the rest"? Does the scheme leave any of them out?',
            [10, 200, 45, 200, 4.5],
        ),
    },
    hints=[
        "Write down who sits in the training set of one classifier, in either scheme.",
        "The time of a scheme: how many fits, times the square of the rows of each.",
    ],
)

# ---- 2: repair one-vs-rest


def draw_scores(rng, yes, K=4, n=30, labels=draw_names):
    """Scores of K classifiers; in each row as many as `yes` says are above 0."""
    size = np.sort(rng.uniform(0.1, 2, size=(n, K)), axis=1)[:, ::-1]
    many = np.full(n, yes) if np.isscalar(yes) else rng.choice(yes, size=n)
    S = np.where(np.arange(K) < many[:, None], size, -size[:, ::-1])
    return rng.permuted(S, axis=1), labels(rng, K)


def ovr_predict(S, classes):
    return classes[S.argmax(axis=1)]


def ovr(choose):
    """ovr_predict by another rule for the column."""
    return lambda S, classes: classes[choose(S)]


def _last(S):
    return S.shape[1] - 1 - S[:, ::-1].argmax(axis=1)


question(
    "multiclass.2",
    "Nobody says yes",
    core=True,
    then="Go on: calibrate each classifier to probabilities first. Which rows change their class?",
    stars=2,
    truth=ovr_predict,
    same=same_labels,
    forbids=NO_SCHEME,
    cases=[
        Case(1, "one yes in each row", lambda rng: draw_scores(rng, 1, labels=draw_numbers)),
        Case(1, "rows in which all say no", lambda rng: draw_scores(rng, 0)),
        Case(1, "rows in which several say yes", lambda rng: draw_scores(rng, [2, 3, 4], K=5)),
    ],
    mistakes={
        "hard votes": ("All say no: who is least against it?", ovr(lambda S: (S > 0).argmax(axis=1))),
        "column number for class": (
            "Which class does column 2 stand for?",
            lambda S, classes: S.argmax(axis=1),
        ),
        "column number of a hard vote": (
            "A column number is no class, and a verdict is no score. Print both for a row in which all say "
            "no.",
            lambda S, classes: (S > 0).argmax(axis=1),
        ),
        "the loudest, whatever it says": (
            "A classifier that is very sure that it is not its class wins with you. Should he?",
            ovr(lambda S: np.abs(S).argmax(axis=1)),
        ),
        "the least score": ("The surest no wins with you.", ovr(lambda S: S.argmin(axis=1))),
        "the last yes": (
            "Several say yes. Is the one in the last column the surest?",
            ovr(lambda S: _last(S > 0)),
        ),
        "labels sorted first": (
            "Column 0 belongs to the first label you are given, sorted or not.",
            lambda S, classes: np.sort(classes)[S.argmax(axis=1)],
        ),
        "columns for rows": (
            "You get one answer for each classifier. Which axis holds the classifiers?",
            ovr(lambda S: S[: S.shape[1]].argmax(axis=0) % S.shape[1]),
        ),
    },
    hints=[
        "Try it on one row by hand: S = [[-0.1, -2.0]] and classes = ['ash', 'elm'].",
        "Two things are wrong: what is compared, and what is returned.",
    ],
)

# ---- 3: unlike units


def draw_units(rng, scale, shift, n=60, labels=draw_numbers):
    """Scores of classifiers, each in a unit of its own, and the classes of the rows."""
    K = len(scale)
    column = rng.permutation(np.r_[np.arange(3 * K) % K, rng.integers(K, size=n - 3 * K)])
    f = np.where(np.arange(K) == column[:, None], 1, -1) + rng.normal(size=(n, K)) * 0.7
    order = rng.permutation(K)
    return f * np.take(scale, order) + np.take(shift, order), np.sort(labels(rng, K))[column]


def in_one_unit(
    S,
    y,
    centre=lambda s, own: (s[own].mean() + s[~own].mean()) / 2,
    size=lambda s, own: (s[own].mean() - s[~own].mean()) / 2,
):
    """The parts: what is taken off a classifier's scores, what divides them."""
    columns = zip(S.T, (y == c for c in np.unique(y)))
    return np.column_stack([(s - centre(s, own)) / size(s, own) for s, own in columns])


def _softmax(S, y):
    E = np.exp(S - S.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


question(
    "multiclass.3",
    "Classifiers that speak in other units",
    then="Go on: how would you find the units if nobody gave you labels?",
    stars=2,
    truth=in_one_unit,
    cases=[
        Case(1, "one classifier times ten", lambda rng: draw_units(rng, [1, 1, 10, 1], [0, 0, 0, 0])),
        Case(
            2,
            "margins, probabilities and per cent",
            lambda rng: draw_units(rng, [1, 0.5, 50, 3, 0.1], [0, 0.5, 50, -20, 0.3], labels=draw_names),
        ),
    ],
    mistakes={
        "compared as they come": (
            "You compare four confidences, but one classifier speaks in another unit. Are margins and "
            "probabilities comparable?",
            lambda S, y: S,
        ),
        "stretched, not shifted": (
            "The distance from no to yes is right. Where does each classifier's middle lie?",
            dict(centre=lambda s, own: 0),
        ),
        "shifted, not stretched": (
            "The middles are right. How far from its middle does a classifier go?",
            dict(size=lambda s, own: 1),
        ),
        "standardised": (
            "A classifier says no far more often than yes: is its mean score half-way between the two?",
            dict(centre=lambda s, own: s.mean(), size=lambda s, own: s.std()),
        ),
        "the mean of all rows for the middle": (
            "Nine no and one yes: where lies the mean of all, and where the middle between the two means?",
            dict(centre=lambda s, own: s.mean()),
        ),
        "chances out of each row": (
            "You made the numbers of a row sum to 1. Did the loud classifier become quieter?",
            _softmax,
        ),
        "divided by the largest": (
            "One wild score now sets a classifier's unit. What does the question ask for?",
            dict(centre=lambda s, own: 0, size=lambda s, own: np.abs(s).max()),
        ),
        "from 0 to 1": (
            "Your no stands at 0. Where is it wanted?",
            dict(centre=lambda s, own: s[~own].mean(), size=lambda s, own: s[own].mean() - s[~own].mean()),
        ),
        "yes and no exchanged": (
            "Your classifiers speak against their own classes.",
            lambda S, y: -in_one_unit(S, y),
        ),
        "one unit for all classifiers": (
            "You measured all classifiers together. Whose units differ?",
            lambda S, y: (S - S.mean()) / S.std(),
        ),
    },
    hints=[
        "Column k belongs to the k-th of np.unique(y). Which rows should it say yes to?",
        "Two means of a classifier, and the two numbers they should become: that is a line.",
    ],
)

# ---- 4: a classifier that never says yes


def groups(places, counts=(60, 60, 60), spread=0.5, seed=0):
    """Three clouds in the plane, at these places."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(3), counts)
    return np.array(places, float)[y] + spread * rng.normal(size=(len(y), 2)), y


ROW = [(0, 0), (3, 0), (6, 0)]


def check_silent(got):
    X, y = numbers(got[0]), np.asarray(got[1])
    if X is None or X.ndim != 2 or y.shape != X.shape[:1] or not 60 <= len(X) <= 1000:
        return "Return X with 60 to 1000 rows, and y with a label for each row."
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) != 3 or counts.min() < 0.2 * len(y):
        return "Three classes, please, none with less than 20 % of the rows."
    if np.abs(X).max() > 1e4:
        return "Keep all numbers between −10000 and 10000."
    S = np.column_stack([
        LogisticRegression(max_iter=300).fit(X, y == c).decision_function(X) for c in labels
    ])
    right = (labels[S.argmax(axis=1)] == y).mean()
    said = [100 * (S[y == c, k] > 0).mean() for k, c in enumerate(labels)]
    if min(said) == 0 and right >= 0.95:
        return None
    shares = ", ".join(f"{share:.0f}" for share in said)
    return (
        f"The classifiers say yes to {shares} % of their own rows, and the largest score is right in "
        f"{100 * right:.0f} %. One of the three shares should be 0, and the last number at least 95."
    )


question(
    "multiclass.4",
    "The silent classifier",
    name="silent_judge",
    then="Go on: which further feature gives your silent classifier a voice?",
    stars=3,
    cases=Case(3),
    truth=groups(ROW),
    checker=check_silent,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "each class in a corner": (
            "Each of your classes can be cut off by a line. Where must one lie so that none does?",
            groups([(0, 0), (4, 0), (2, 4)]),
        ),
        "all in one place": (
            "A classifier is silent, but nobody is right. By what should the scores tell the classes apart?",
            groups([(0, 0), (0, 0), (0, 0)]),
        ),
        "in a row, but overlapping": (
            "The right order. Your groups lie in each other's places.",
            groups([(0, 0), (1, 0), (2, 0)], spread=0.8),
        ),
        "most of the rows in the middle": (
            "The right order. What does a classifier say who knows only that its class is the most frequent?",
            groups(ROW, (40, 200, 40)),
        ),
        "a bent row": (
            "Your middle group sticks out of the row, so a line can cut it off.",
            groups([(0, 0), (3, 3), (6, 0)]),
        ),
    },
    hints=[
        "A classifier is linear: its yes is one side of a line. Which group is on no side alone?",
        "Its score should still be the largest of the three there: it may be against, but less than they.",
    ],
)

# ---- 5: the tasks of one-vs-one


def draw_labels(rng, classes=3, many=(3, 4, 5)):
    counts = rng.permutation(np.resize(many, classes))
    return (rng.permutation(np.repeat(np.sort(draw_numbers(rng, classes)), counts)),)


def ovo_tasks(
    y, pairs=combinations, asked=lambda y, i, j: (y == i) | (y == j), target=lambda y, i, j: y == j
):
    rows = {(i, j): np.flatnonzero(asked(y, i, j)) for i, j in pairs(np.unique(y), 2)}
    return [(i, j, r, np.where(target(y[r], i, j), 1, -1)) for (i, j), r in rows.items()]


def each_part(change):
    """ovo_tasks, each task changed."""
    return lambda y: [change(y, *task) for task in ovo_tasks(y)]


def _all_rows(y, i, j):
    return np.ones(len(y), bool)


def same_tasks(a, b):
    return len(a) == len(b) and all(
        len(s) == len(t) == 4
        and same_labels(list(s[:2]), list(t[:2]))
        and close(s[2], t[2])
        and close(s[3], t[3])
        for s, t in zip(a, b)
    )


question(
    "multiclass.5",
    "Whom to ask about whom",
    then="Cost: K(K − 1)/2 tasks, and each row takes part in K − 1 of them.",
    stars=2,
    truth=ovo_tasks,
    same=same_tasks,
    forbids=NO_SCHEME,
    cases=[
        Case(2, "three classes of unequal size", draw_labels),
        Case(
            1,
            "classes with names",
            lambda rng: (rng.permutation(np.repeat(np.sort(draw_names(rng, 4)), [2, 1, 3, 2])),),
        ),
    ],
    mistakes={
        "all rows for each pair": (
            "What should a classifier of i against j learn from k?",
            dict(asked=_all_rows),
        ),
        "all rows, with i against the others": (
            "What should a classifier of i against j learn from k?",
            dict(asked=_all_rows, target=lambda y, i, j: y != i),
        ),
        "both orders of each pair": ("Is the pair (i, j) another one than (j, i)?", dict(pairs=permutations)),
        "as in the broken code": (
            "Count your tasks, then the rows of the first one. Both are too many.",
            dict(pairs=permutations, asked=_all_rows),
        ),
        "the sign turned round": (
            "For which of the two classes does a positive score speak?",
            dict(target=lambda y, i, j: y == i),
        ),
        "0 for no": (
            "A least-squares classifier is fitted to two numbers. Which are asked for?",
            each_part(lambda y, i, j, rows, t: (i, j, rows, (t > 0).astype(int))),
        ),
        "a mask for the rows": (
            "True and False for every sample, where the numbers of rows are asked for.",
            each_part(lambda y, i, j, rows, t: (i, j, np.isin(np.arange(len(y)), rows), t)),
        ),
        "numbers for the classes": (
            "You name the classes by their places. What are they called?",
            lambda y: ovo_tasks(np.unique(y, return_inverse=True)[1]),
        ),
        "a target for every sample": (
            "Your targets are longer than your rows.",
            each_part(lambda y, i, j, rows, t: (i, j, rows, np.where(y == j, 1, -1))),
        ),
        "neighbours only": (
            "Who tells the first class from the last?",
            lambda y: [
                t for t in ovo_tasks(y) if t[1] == np.unique(y)[np.flatnonzero(np.unique(y) == t[0])[0] + 1]
            ],
        ),
    },
    hints=[
        "itertools.combinations(np.unique(y), 2) gives pairs, smaller label first.",
        "Print the tasks of y = [5, 3, 4, 3]: how many are there, and which rows has the first?",
    ],
)

# ---- 6: repair the count of votes


def _top(D, K):
    votes = votes_of(D, K)
    return (votes == votes.max(axis=1, keepdims=True)).sum(axis=1)


def class_pairs(K):
    return [*combinations(range(K), 2)]


def votes_of(D, K, yes=lambda d: d > 0):
    votes = np.zeros((len(D), K))
    for d, (i, j) in zip(D.T, class_pairs(K)):
        votes[:, j] += yes(d)
        votes[:, i] += ~yes(d)
    return votes


def support_of(D, K, weight=lambda d: d):
    """What the classifiers say for a class, less what they say against it."""
    return sum(np.outer(weight(d), np.eye(K)[j] - np.eye(K)[i]) for d, (i, j) in zip(D.T, class_pairs(K)))


def draw_duels(rng, K, tied, n=25, labels=draw_numbers):
    """Scores of all pairs, faint and loud rows, with or without a tie; some scores are exactly 0."""
    D = rng.normal(size=(4000, K * (K - 1) // 2)) * rng.choice([0.2, 5, 500], size=(4000, 1))
    D[::3, rng.integers(D.shape[1])] = 0
    D = D[(_top(D, K) > 1) == tied]
    return rng.permutation(D[: 4 * n])[:n], labels(rng, K)


def ovo_predict(D, classes):
    K = len(classes)
    votes, support = np.zeros((len(D), K)), np.zeros((len(D), K))
    for d, (i, j) in zip(D.T, combinations(range(K), 2)):
        votes[:, j] += d > 0
        votes[:, i] += d <= 0
        support[:, j] += d
        support[:, i] -= d
    tied = votes == votes.max(axis=1, keepdims=True)
    return classes[np.where(tied, support, -np.inf).argmax(axis=1)]


def _duel(D, classes, yes=lambda d: d > 0, ties=support_of, name=lambda best, classes: classes[best]):
    """ovo_predict with one part exchanged."""
    K = len(classes)
    votes = votes_of(D, K, yes)
    tied = votes == votes.max(axis=1, keepdims=True)
    return name(np.where(tied, ties(D, K), -np.inf).argmax(axis=1), classes)


def _first(D, K):
    return np.zeros((len(D), K))


def _won(D, K):
    """The scores of the duels that a class has won."""
    return sum(
        np.outer(np.maximum(d, 0), np.eye(K)[j]) + np.outer(np.maximum(-d, 0), np.eye(K)[i])
        for d, (i, j) in zip(D.T, class_pairs(K))
    )


question(
    "multiclass.6",
    "A broken count of votes",
    core=True,
    then="Go on: with three classes in a cycle, what does the sum of scores decide that votes cannot?",
    stars=2,
    truth=ovo_predict,
    parts=_duel,
    same=same_labels,
    forbids=NO_SCHEME,
    cases=[
        Case(2, "rows with one winner", lambda rng: draw_duels(rng, 4, False)),
        Case(1, "three classes in a cycle", lambda rng: draw_duels(rng, 3, True, labels=draw_names)),
        Case(1, "ties of some of five classes", lambda rng: draw_duels(rng, 5, True)),
    ],
    mistakes={
        "vote for the loser": (
            "Worse than chance is a strong hint: does a positive score speak for i or for j?",
            dict(yes=lambda d: d <= 0, ties=lambda D, K: -support_of(D, K)),
        ),
        "first class wins ties": (
            "Three equal counts: what else did the classifiers tell you?",
            dict(ties=_first),
        ),
        "vote for the loser, and the first wins ties": (
            "Worse than chance: whom does a positive score speak for? And after that, look at ties.",
            dict(yes=lambda d: d <= 0, ties=_first),
        ),
        "last class wins ties": (
            "Three equal counts: is a class better because it sorts last?",
            dict(ties=lambda D, K: np.arange(K) + _first(D, K)),
        ),
        "scores only": (
            "One loud classifier outvotes all the others. May it?",
            lambda D, classes: classes[support_of(D, len(classes)).argmax(axis=1)],
        ),
        "scores added to the votes": (
            "A loud row's scores weigh more than a vote. When does the support decide at all?",
            lambda D, classes: classes[
                (votes_of(D, len(classes), lambda d: d > 0) + 0.1 * support_of(D, len(classes))).argmax(
                    axis=1
                )
            ],
        ),
        "only the duels won": (
            "In a tie you add up what was said for a class. What was said against it?",
            dict(ties=_won),
        ),
        "ties told apart in the wrong sense": (
            "In a tie the class with most against it wins with you.",
            dict(ties=lambda D, K: -support_of(D, K)),
        ),
        "places for labels": (
            "That is the place of a class. What is it called?",
            dict(name=lambda best, classes: best),
        ),
        "a score of 0 speaks for j": (
            "Nearly right. For whom does a score of exactly 0 speak here?",
            dict(yes=lambda d: d >= 0),
        ),
    },
    hints=[
        "Three classes, one row: D = [[0.1, -3.0, 0.2]]. Who beats whom, and by how much?",
        "Two things are wrong: whom a score speaks for, and who wins a tie.",
    ],
)

# ---- 7: decode by hand

question(
    "multiclass.7",
    "A word that nobody has",
    name="decoded",
    core=True,
    then="Go on: which two words of this code are nearest, and what would a longer code cost?",
    cases=Case(1),
    secret=True,
    truth=[3, 2, 1],
    mistakes={
        "the largest dot product": ("The word with most ones always wins. Count disagreements.", [2, 3, 1]),
        "the first that is near": ("Compare with all five words before you decide.", [0, 3, 1]),
        "agreements counted": ("Did you count where the words agree, or where they differ?", [3, 5, 1]),
        "the distance for the errors": (
            "With that many errors you may stand on another class's word. Can you still tell them apart?",
            [3, 2, 3],
        ),
        "as many as it survived": (
            "It went well this time. Is there a word, with as many errors, that goes wrong?",
            [3, 2, 2],
        ),
        "counted from one": ("Classes are counted from 0 here.", [4, 2, 1]),
    },
    hints=[
        "Write the word below each row and mark the places where they differ.",
        "For the last number: the least distance between any pair of the rows, and section 11.4.",
    ],
)

# ---- 8: decode


def draw_code(rng, K=6, M=12, least=3):
    """Words of unequal weight, any two of which differ in `least` places or more."""
    while True:
        code = (rng.random((K, M)) < np.linspace(0.15, 0.85, K)[:, None]).astype(int)
        if code_distance(code) >= least:
            return rng.permutation(code)


def draw_exact(rng):
    code = draw_code(rng)
    return code, code[rng.permutation(np.arange(24) % len(code))]


def draw_one_error(rng):
    code, out = draw_exact(rng)
    out = out.copy()
    out[np.arange(len(out)), rng.integers(code.shape[1], size=len(out))] ^= 1
    return code, out


def draw_soft(rng):
    code, out = draw_exact(rng)
    return code, np.clip(0.5 + (out - 0.5) * rng.uniform(-0.6, 1, size=out.shape), 0, 1)


def ecoc_decode(code, out):
    return ((out[:, None] - code) ** 2).sum(axis=2).argmin(axis=1)


def decode_by(distance):
    """ecoc_decode with another measure: out (n, 1, M) against code (K, M)."""
    return lambda code, out: distance(out[:, None], code).argmin(axis=1)


def _exact_only(code, out):
    same = (code == out[:, None]).all(axis=2)
    return np.where(same.any(axis=1), same.argmax(axis=1), -1)


question(
    "multiclass.8",
    "The nearest word",
    core=True,
    then="Another way: for words of ±1, one matrix product and argmax. Why does it fail for 0 and 1?",
    stars=2,
    truth=ecoc_decode,
    same=close,
    forbids=NO_SCHEME,
    cases=[
        Case(1, "outputs without an error", draw_exact),
        Case(1, "one wrong classifier", draw_one_error),
        Case(1, "probabilities", draw_soft),
    ],
    mistakes={
        "largest dot product": (
            "The word with most ones always wins. Count disagreements.",
            lambda code, out: (out @ code.T).argmax(axis=1),
        ),
        "exact match only": ("Somebody erred: whose word is nearest?", _exact_only),
        "exact match, else class 0": (
            "Somebody erred: whose word is nearest?",
            lambda code, out: (code == out[:, None]).all(axis=2).argmax(axis=1),
        ),
        "confidence thrown away": (
            "Two weak votes beat a strong one: should they?",
            lambda code, out: ecoc_decode(code, (out > 0.5).astype(int)),
        ),
        "the farthest word": (
            "You took the word that fits worst.",
            lambda code, out: ((out[:, None] - code) ** 2).sum(axis=2).argmax(axis=1),
        ),
        "shares of the words' ones": (
            "A word with a single one fits fully whenever that classifier says yes. What of the others, "
            "which should have said no?",
            lambda code, out: (out @ code.T / np.maximum(code.sum(axis=1), 1)).argmax(axis=1),
        ),
        "the largest difference": (
            "You look at the worst classifier only. How many erred?",
            decode_by(lambda o, c: np.abs(o - c).max(axis=2)),
        ),
        "differences that cancel": (
            "A yes too many and a no too many make 0 with you. Are they no errors?",
            decode_by(lambda o, c: np.abs((o - c).sum(axis=2))),
        ),
    },
    hints=[
        "How far is one output from one word? Subtract, and think of (0.55, 0.55, 0.95).",
        "out[:, None] - code has shape (n, K, M).",
    ],
)

# ---- 9: errors and refusals


def draw_words(rng, parity, symbols=(0, 1)):
    while True:
        code = rng.integers(0, 2, size=(5, 13))
        d = code_distance(code)
        mean = int(np.mean([(a != b).sum() for a, b in combinations(code, 2)]))
        if d % 2 == parity and d >= 3 and d < min((code[:-1] != code[1:]).sum(axis=1)) != mean:
            return (np.take(symbols, code),)


def survives(
    code,
    distance=min,
    wrong=lambda d: (d - 1) // 2,
    refused=lambda d: d - 1,
    pairs=lambda code: combinations(code, 2),
):
    d = distance([(a != b).sum() for a, b in pairs(code)])
    return wrong(d), refused(d)


def _added_up(differ):
    """survives, where what differs is added up: right for words of 0 and 1 only."""
    return lambda code: survives(
        code, distance=lambda _: min(differ(*w).sum() for w in combinations(code, 2))
    )


PLACES = "A word may hold −1 and 1. In how many places do two words differ, whatever they hold?"


question(
    "multiclass.9",
    "Wrong classifiers, absent classifiers",
    core=True,
    then="Go on: how many absent and how many wrong classifiers does a distance of 6 survive together?",
    stars=2,
    truth=survives,
    forbids=NO_SCHEME,
    cases=[
        Case(1, "an odd least distance", lambda rng: draw_words(rng, 1)),
        Case(2, "an even least distance", lambda rng: draw_words(rng, 0, (-1, 1))),
    ],
    mistakes={
        "half of the distance": (
            "With so many errors you may stand half-way between two words: can you still tell them apart?",
            dict(wrong=lambda d: d // 2),
        ),
        "as many absent as wrong": (
            "A classifier that is absent does not lie. Which words could still be meant?",
            dict(refused=lambda d: (d - 1) // 2),
        ),
        "all places in which they differ": (
            "Leave out all classifiers that tell the two nearest words apart. What tells them apart now?",
            dict(refused=lambda d: d),
        ),
        "errors noticed, not corrected": (
            "You would notice that something is wrong. Would you know which word was meant?",
            dict(wrong=lambda d: d - 1),
        ),
        "the mean distance": (
            "Most words lie far apart. Which two decide what is certain?",
            dict(distance=lambda ds: int(np.mean(ds))),
        ),
        "the largest distance": ("You found the two words that are hardest to confuse.", dict(distance=max)),
        "columns for rows": (
            "Whose words are to be told apart: those of classes, or of classifiers?",
            dict(pairs=lambda c: combinations(c.T, 2)),
        ),
        "differences added up": (PLACES, _added_up(lambda a, b: np.abs(a - b))),
        "squares added up": (PLACES, _added_up(lambda a, b: (a - b) ** 2)),
        "exclusive or": (PLACES, _added_up(np.bitwise_xor)),
        "neighbours only": (
            "You compare each word with the next one. May the nearest stand farther below?",
            dict(pairs=lambda c: zip(c[:-1], c[1:])),
        ),
    },
    hints=[
        "Everything hangs on the least distance between two rows.",
        "If absent classifiers are left out of the comparison, how far apart are two words at worst?",
    ],
)

# ---- 10: design a code


def _questions(code):
    """Each column as a split: the side of the first class is 0."""
    return code ^ code[:1]


TWO_THREE = np.array([[i in pair for pair in combinations(range(5), 2)] for i in range(5)]).astype(int)
RING = np.array([[i in (a, (a + 1) % 5) for a in range(5)] for i in range(5)]).astype(int)
CARELESS = np.random.default_rng(1).integers(0, 2, size=(5, 10))


def check_design(got):
    code = numbers(got)
    if code is None or code.shape != (5, 10) or not np.isin(code, [0, 1]).all():
        return "Return an array of shape (5, 10) that holds 0 and 1 only."
    code = code.astype(int)
    split = _questions(code)
    if not split.any(axis=0).all():
        return "A column is constant: its classifier sees one class only."
    if len(np.unique(split, axis=1).T) < 10:
        return "Two columns ask the same: they are equal, or one is the opposite of the other."
    d = code_distance(code)
    return (
        None
        if d >= 6
        else f"Every column asks something of its own. The least distance between two rows is {d}."
    )


def same_questions(a, b):
    """Codes up to the order of the columns and their complements."""
    a, b = (np.asarray(numbers(m), int) for m in (a, b))
    return a.shape == b.shape == (5, 10) and all(
        np.array_equal(*(m[:, np.lexsort(m)] for m in pair)) for pair in [(_questions(a), _questions(b))]
    )


question(
    "multiclass.10",
    "Ten questions about five classes",
    name="designed",
    then="Go on: how many wrong classifiers does your code survive, and how many absent ones?",
    stars=3,
    cases=Case(3),
    truth=TWO_THREE,
    checker=check_design,
    same=same_questions,
    mistakes={
        "a random code, unchecked": ("Which question is never asked, and which twice?", CARELESS),
        "one against the rest, twice": (
            "Asked twice, the same classifiers err twice. How far apart are two words, counted in different "
            "questions?",
            np.tile(np.eye(5, dtype=int), 2),
        ),
        "five good questions, each twice": (
            "Five good questions. Are there no others as good?",
            np.hstack([RING, 1 - RING]),
        ),
        "the first ten of all splits": (
            "A column in which one class stands alone tells how many pairs of classes apart? And the others?",
            exhaustive_code(5)[:, :10],
        ),
        "singles and a ring": (
            "Which of your columns tell the fewest pairs of classes apart?",
            np.hstack([np.eye(5, dtype=int), RING]),
        ),
    },
    hints=[
        "How many questions are there at all about five classes? You need not draw: choose.",
        "Count, for a column, the pairs of classes that it tells apart. All pairs together need 6 each.",
    ],
)

# ---- 11: classifiers that need no training


def _train(X, yes):
    """A least-squares classifier: its scores of the rows themselves, with a little ridge."""
    A = np.column_stack([X, np.ones(len(X))])
    ridge = np.diag([1.0] * X.shape[1] + [0.0])
    return A @ np.linalg.solve(A.T @ A + ridge, A.T @ np.where(yes, 1.0, -1.0))


def draw_linear(rng, code):
    """Scores of one-vs-rest by least squares; a code."""
    K = len(code)
    y = rng.permutation(np.arange(40) % K)
    X = rng.normal(size=(K, 3))[y] + rng.normal(size=(40, 3))
    return np.column_stack([_train(X, y == c) for c in range(K)]), code


def group_scores(S, code):
    return (S + 1) @ code - 1


def _loudest(S, code):
    return np.column_stack([S[:, group == 1].max(axis=1) for group in code.T])


question(
    "multiclass.11",
    "Classifiers without training",
    then="Go on: why does the same trick fail for logistic regression?",
    stars=3,
    truth=group_scores,
    forbids=NO_SCHEME,
    cases=[
        Case(
            1,
            "a class alone, or all but one",
            lambda rng: draw_linear(
                rng, np.hstack([np.eye(4, dtype=int), 1 - np.eye(4, dtype=int)])[rng.permutation(4)]
            ),
        ),
        Case(2, "groups of any size", lambda rng: draw_linear(rng, draw_code(rng, K=5, M=7, least=1))),
    ],
    mistakes={
        "scores added up": (
            "Add the scores of all classes. The group of all classes should get +1. What is your sum?",
            lambda S, code: S @ code,
        ),
        "the mean of the group": (
            "Three weak no may add up to a yes: together they are a large group.",
            lambda S, code: S @ code / code.sum(axis=0),
        ),
        "the surest of the group": (
            "Some member of the group may be likely although none is by itself.",
            _loudest,
        ),
        "words of −1 and +1 times the scores": (
            "Test it on a group of one class: you should get the classifier of that class back.",
            lambda S, code: S @ (2 * code - 1),
        ),
        "one offset too many": (
            "The right slope. Test it on a group of a single class.",
            lambda S, code: (S + 1) @ code,
        ),
        "verdicts for scores": (
            "The classifiers' sizes matter. You kept their signs.",
            lambda S, code: (np.sign(S) + 1) @ code - 1,
        ),
        "the others' classifiers": (
            "You have answered for those who are not in the group.",
            lambda S, code: (S + 1) @ (1 - code) - 1,
        ),
        "chances without the way back": (
            "In words of 0 and 1 that is right. In which numbers do the classifiers speak?",
            lambda S, code: (S + 1) / 2 @ code,
        ),
    },
    hints=[
        "The least-squares weights are linear in the targets. Write the group's target as a sum of the "
        "classes' targets, and something.",
        "In words of 0 and 1 the sum is plain. Translate there and back.",
    ],
)

# ---- 12: choose a scheme

SCHEMES = {"rest": OneVsRestClassifier, "pairs": OneVsOneClassifier}


def judges(name):
    return SCHEMES[name](RidgeClassifier(alpha=1e-3))


def _seen_and_new(X, y, n):
    return Task((X[:n], y[:n]), hidden=(X[n:], y[n:]))


def draw_in_a_row(rng, K=4, n=60, fresh=600):
    """Groups along a line in space."""
    y = rng.permutation(np.r_[np.arange(n) % K, rng.integers(K, size=fresh)])
    along = rng.normal(size=3)
    return _seen_and_new(
        np.outer(4 * y, along / np.linalg.norm(along)) + rng.normal(size=(n + fresh, 3)), y, n
    )


def draw_few_rows(rng, K=6, d=20, each=12, fresh=600):
    """Six classes with twelve rows each, in twenty dimensions: 15 pairs, which a class waits for.

    All rows of a pair, and four fifths of them, are about as many as the dimensions: on held-out rows the
    rest is as far ahead as on new ones. They lie so near each other that it seldom fits all rows, as the
    pairs do: who compares on the rows fitted takes the pairs.
    """
    y = np.r_[rng.permutation(np.repeat(np.arange(K), each)), rng.integers(K, size=fresh)]
    return _seen_and_new(0.6 * rng.normal(size=(K, d))[y] + rng.normal(size=(len(y), d)), y, K * each)


def choose_scheme(X, y):
    return max(SCHEMES, key=lambda name: cross_val_score(judges(name), X, y, cv=5).mean()), 2


def _on_seen(X, y):
    return max(SCHEMES, key=lambda name: judges(name).fit(X, y).score(X, y))


@computed_once
def _on_new(X, y, new):
    """Percent right of each scheme."""
    return {name: 100 * judges(name).fit(X, y).score(*new) for name in SCHEMES}


def check_scheme(got, X, y, new):
    if not isinstance(got, str) or got not in SCHEMES:
        return "Return 'rest' or 'pairs'."
    reached = _on_new(X, y, new)
    best = max(reached.values())
    return (
        None
        if reached[got] >= best - 2
        else (
            f"Your scheme reads {reached[got]:.0f} % of new rows right, the other {best:.0f} %. "
            "How did you compare them?"
        )
    )


reasoned(
    "multiclass.12",
    "Choose with evidence",
    then="Go on: how many rows must be held out before 2 points are more than luck?",
    stars=3,
    truth=choose_scheme,
    checker=check_scheme,
    same=same_labels,
    draws=2,
    for_reason=lambda rng: draw_in_a_row(rng, K=3),
    cases=[
        Case(1.5, "few classes, many rows for each", draw_in_a_row),
        Case(1.5, "many classes, few rows for each", draw_few_rows),
    ],
    because=Because(
        "**Why** does one-vs-rest lose on one of the two kinds of data?",
        {
            "Its classifiers see fewer rows than those of one-vs-one, and fewer rows teach less.": (
                "Count the rows that each of them sees."
            ),
            "A class lies between others there, and no linear rule has it alone on one side.": None,
            "It trains fewer classifiers, and more votes are always better than fewer of them.": (
                "Always? Then the other kind of data would not have to be asked."
            ),
            "Its classifiers are trained on one class against all, and the larger side always wins.": (
                "On the other kind of data the sides are as unequal. Who wins there?"
            ),
        },
    ),
    mistakes={
        "compared on the rows fitted": (
            "You take the scheme of more classifiers. On rows that they have seen it looks better; does it "
            "read new ones better, too?",
            _on_seen,
        ),
        "always the smaller": (
            "Fewer classifiers cost less. Can a line tell each class from all others here?",
            lambda X, y: "rest",
        ),
    },
    hints=[
        "A scheme is an estimator like any other: chapter 7 tells how two of them are compared. Leave nearly "
        "all rows to fit.",
        "sklearn.model_selection.cross_val_score takes it as it is.",
    ],
)


reading(
    "multiclass.13",
    "Three scores along a line",
    name="in_the_figure",
    then="Go on: add x² as a second feature. Which of the three scores changes its shape most?",
    text="Three classes in a row, and the decision scores of the three one-vs-rest classifiers "
    "along the row. What happens to rows of the middle class?",
    choices={
        (
            "They are found because the score of their classifier is above 0 in the middle."
        ): "Look at the level 0 and at the flat curve.",
        (
            "They are lost: their classifier never says yes, and nobody else does either."
        ): "Which score is the largest in the middle?",
        "They are found by the largest score, though every classifier says no there.": None,
        "They are given to the left class, which is the first of two that tie.": (
            "Read the three curves at 0: do two of them tie at the top?"
        ),
    },
    reasons={
        "Scores of a logistic regression are probabilities, so none of the three is negative.": (
            "The figure shows scores below 0."
        ),
        "One-vs-rest counts the classifiers that say yes, and takes no notice of their scores.": (
            "Then the middle would be lost. What does (11.1) compare?"
        ),
        "A line leaves the middle a nearly flat negative score; the others are lower there.": None,
        (
            "The middle class has more rows than the two beside it, and the most frequent class wins."
        ): "All three have as many.",
    },
    hints=["At x = 0, which of the three curves is on top?"],
)


reading(
    "multiclass.14",
    "A table of confusion",
    name="in_the_report",
    then="Go on: what is the balanced accuracy of the report?",
    text="A report on three classes, rows the truth and columns the answer:\n\n| | A | B | C "
    "|\n|---|---|---|---|\n| **A** | 90 | 5 | 5 |\n| **B** | 4 | 92 | 4 |\n| **C** | 24 | 26 "
    '| 0 |\n\n"Accuracy 0.73 of 250 rows, all three classes are learned well enough; the mean '
    'of the precisions of A and B is fine." What does it hide?',
    choices={
        "No row of C is found: the accuracy comes from the two frequent classes.": None,
        "Nothing: 0.73 is far above 1/3, which is what guessing among three gives.": "Read the third row.",
        "The table should have been transposed, or accuracy is wrong.": (
            "Accuracy is the sum of the diagonal either way."
        ),
        (
            "A and B are confused with each other: the mean of precisions hides that."
        ): "Compare 5 and 4 with the numbers of the third row.",
    },
    reasons={
        (
            "50 rows of C are too few to be learned at all, whatever one does with them."
        ): "They may be few. But what does the report hide?",
        "Accuracy weighs each class by its rows; the mean of the recalls, 0.61, shows the 0.": None,
        (
            "Rows and columns of the table sum to different numbers, so that some row was counted twice."
        ): "They do in any such table.",
        (
            "Precision of C is 1, since no answer C was wrong, and recall and precision go together."
        ): "Column C holds nine rows. Are they right?",
    },
    hints=["Compute the recall of each class."],
)


PROBABILITY = Notation(
    r"""
    K   | number   | how many classes       |
    s   | column K | the scores             |
    s_k | number   | the score of class $k$ | entry of s
    """,
    default=False,
)


def draw_probability(rng):
    K = int(rng.integers(3, 6))
    return (dict(K=K, s=rng.normal(size=K)),)


question(
    "multiclass.15",
    "The formula of softmax",
    name="probability",
    then="Go on: add one number to all scores. What does your formula do?",
    formula=PROBABILITY,
    truth=r"\frac{\exp(s_k)}{\sum_{l=1}^K \exp(s_l)}",
    cases=Case(1, draw=draw_probability),
    mistakes={
        "not divided": (
            "Add your values over all classes. What should probabilities add up to?",
            r"\exp(s_k)",
        ),
        "shares of the scores": ("A score may be negative. A probability?", r"\frac{s_k}{\sum_{l=1}^K s_l}"),
        "one against nobody": (
            "That is the logistic function of one score. Where are the rivals?",
            r"\frac{1}{1 + \exp(-s_k)}",
        ),
        "the sign": (
            "Your likeliest class is the one with the lowest score.",
            r"\frac{\exp(-s_k)}{\sum_{l=1}^K \exp(-s_l)}",
        ),
        "divided by the number of classes": (
            "Add 5 to all scores: probabilities should stay.",
            r"\frac1K \exp(s_k)",
        ),
        "the largest in the denominator": (
            "Your winner has probability 1 always.",
            r"\frac{\exp(s_k)}{\max_l \exp(s_l)}",
        ),
    },
    hints=["Make all scores positive without changing their order.", "Then divide by what they add up to."],
)
