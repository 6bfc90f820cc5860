"""Homework 7: samples, shattering, folds, and honest reports."""

from functools import partial
from itertools import product
from math import ceil

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.optimize import linprog
from sklearn.svm import SVC

from grading.question import Case, Task, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.methods.bounds import growth_bound
from helpers.methods.vc import cover_count, half_spaces
from helpers.reading import Notation

NO_FOLDS = ("sklearn.model_selection",)


def all_but(n, test):
    return np.setdiff1d(np.arange(n), test)


# ---- 1: by hand

question(
    "selection.1",
    "How many samples?",
    name="samples_needed",
    core=True,
    then="Go on: at which γ would 60 samples suffice for 50 hypotheses?",
    cases=Case(2),
    secret=True,
    truth=[381, 1521],
    same=lambda a, b: close(a, b, tol=1e-9),
    mistakes={
        "log10": ("Which logarithm does Hoeffding's exponential ask for?", [166, 661]),
        "gamma not squared": ("Halve the gap that you allow: is twice as many samples enough?", [39, 77]),
        "twice as many for half the gap": (
            "The first is right. Does the formula hold the gap, or its square?",
            [381, 761],
        ),
        "one side only": (
            "A training error may be too high or too low. How many chances to stray has each hypothesis?",
            [346, 1382],
        ),
        "rounded down": (
            "Right but for the rounding: is a little less than the bound still enough?",
            [380, 1520],
        ),
        "one hypothesis": (
            "That is for one hypothesis that was fixed beforehand. How many take part?",
            [185, 738],
        ),
        "the 2 in front forgotten": (
            "How often does the gap stand in the exponent, and with which factor?",
            [761, 3041],
        ),
    },
    hints=["Solve 2k exp(−2γ²n) = δ for n, then round up.", "What happens to n when γ is halved?"],
)

# ---- 2: repair the folds


def draw_remainder(rng):
    k = int(rng.integers(4, 8))
    return int(k * rng.integers(3, 6) + rng.integers(1, k)), k, int(rng.integers(1000))


def draw_even_folds(rng):
    k = int(rng.integers(3, 6))
    return 80 * k, k, int(rng.integers(1000))


def kfold(n, k, seed):
    return np.array_split(np.random.default_rng(seed).permutation(n), k)


def _parts(got):
    """The parts as integer arrays, or None."""
    parts = [numbers(part) for part in got]
    good = all(p is not None and p.ndim == 1 and (p == np.round(p)).all() for p in parts)
    return [p.astype(int) for p in parts] if good else None


def check_folds(got, n, k, seed):
    parts = _parts(got) if isinstance(got, (list, tuple, np.ndarray)) else None
    if parts is None or len(parts) != k:
        return f"Return {k} lists or arrays of row numbers."
    tested = np.bincount(np.concatenate(parts).clip(0), minlength=n)
    if len(tested) != n or min(p.min(initial=0) for p in parts) < 0:
        return f"There are rows 0 to {n - 1}, and no others."
    if (tested != 1).any():
        return f"{(tested != 1).sum()} rows are not tested exactly once."
    sizes = [len(p) for p in parts]
    if max(sizes) - min(sizes) > 1:
        return f"Your parts have the sizes {sizes}: two of them differ by more than one."
    return None if _looks_random(parts, n, k) else ""


def _looks_random(parts, n, k):
    """Rows a few places apart share a part about as often as chance wants; of few rows nothing is asked."""
    fold = np.empty(n)
    for j, part in enumerate(parts):
        fold[part] = j
    rates = [np.mean(fold[lag:] == fold[:-lag]) for lag in range(1, 2 * k + 1)]
    return n < 100 or max(abs(rate - 1 / k) for rate in rates) < 6 * np.sqrt(1 / k / n)


def same_parts(a, b):
    return len(a) == len(b) and all(close(np.sort(p), np.sort(q)) for p, q in zip(a, b))


def _dealt(rows, size, k):
    return [rows[j * size : (j + 1) * size] for j in range(k)]


question(
    "selection.2",
    "Broken folds",
    core=True,
    then="Another way: deal permuted row numbers like cards, i % k. Are the sizes the same?",
    stars=2,
    seeded=True,
    truth=kfold,
    checker=check_folds,
    same=same_parts,
    forbids=NO_FOLDS,
    cases=[Case(1, "rows that k does not divide", draw_remainder), Case(2, "many rows", draw_even_folds)],
    mistakes={
        "remainder lost": (
            "Count how often each row is tested.",
            lambda n, k, seed: _dealt(np.random.default_rng(seed).permutation(n), n // k, k),
        ),
        "sorted rows not shuffled": (
            "Tables are often sorted by class. Which classes would be in your training part, and which in "
            "the test part?",
            lambda n, k, seed: np.array_split(np.arange(n), k),
        ),
        "dealt like cards": (
            "Every k-th row goes to the same part. What if the rows were measured in turn on k machines?",
            lambda n, k, seed: [np.arange(j, n, k) for j in range(k)],
        ),
        "remainder lost, not shuffled": (
            "Two things at once: count the tests of each row; and which rows lie together?",
            lambda n, k, seed: _dealt(np.arange(n), n // k, k),
        ),
        "rounded up": (
            "Your last part is small. By how much may two sizes differ?",
            lambda n, k, seed: _dealt(np.random.default_rng(seed).permutation(n), -(-n // k), k),
        ),
        "all that is left to the last": (
            "Your last part is large. By how much may two sizes differ?",
            lambda n, k, seed: np.split(
                np.random.default_rng(seed).permutation(n), [j * (n // k) for j in range(1, k)]
            ),
        ),
        "drawn with replacement": (
            "Somebody is tested twice and somebody never. Is each part drawn alone?",
            lambda n, k, seed: np.array_split(np.random.default_rng(seed).integers(0, n, n), k),
        ),
    },
    hints=[
        "NumPy has a function that splits an array into parts of nearly equal size.",
        "Shuffle the row numbers first, with numpy.random.default_rng(seed).",
    ],
)

# ---- 3: one R² for all folds


def draw_table(rng, n=30, d=3):
    X = rng.normal(size=(n, d)) * [1, 5, 0.2] + 10 * rng.normal(size=d)
    return X, X @ (rng.normal(size=d) / [1, 5, 0.2]) + rng.normal(size=n) + 40


def draw_unequal_folds(rng):
    X, y = draw_table(rng)
    return X, y, np.split(rng.permutation(30), [12, 22, 27])


def draw_single_rows(rng):
    X, y = draw_table(rng, n=14)
    return X, y, list(rng.permutation(14)[:, None])


def said_of_held_out(X, y, folds, train=all_but, ones=1.0):
    """What the plane of the other rows says of each row."""
    A, said = np.column_stack([np.full(len(y), ones), X]), np.empty(len(y))
    for test in folds:
        rows = train(len(y), test)
        said[test] = A[test] @ np.linalg.lstsq(A[rows], y[rows])[0]
    return said


def cv_r2(X, y, folds, centre=np.mean, **how):
    return 1 - np.mean((y - said_of_held_out(X, y, folds, **how)) ** 2) / np.mean((y - centre(y)) ** 2)


def by_fold(X, y, folds, mean=np.mean, spread=lambda y, test: np.var(y[test])):
    """The mean of what each fold's squares and spread give."""
    squares = (y - said_of_held_out(X, y, folds)) ** 2
    return mean([1 - squares[t].mean() / spread(y, t) for t in folds])


def _baseline(y, folds):
    """Each row's target as the mean of the other folds."""
    return said_of_held_out(np.empty((len(y), 0)), y, folds)


question(
    "selection.3",
    "One score for all folds",
    then="Go on: can it be below 0, and what does that say about the plane?",
    stars=2,
    truth=cv_r2,
    forbids=NO_FOLDS,
    cases=[Case(2, "unequal folds", draw_unequal_folds), Case(1, "folds of one row", draw_single_rows)],
    mistakes={
        "the training rows' means below the line": (
            "Below the line: do the targets spread around the mean of all rows, or of the rows that train?",
            lambda X, y, folds: (
                1 - (1 - cv_r2(X, y, folds)) * np.var(y) / np.mean((y - _baseline(y, folds)) ** 2)
            ),
        ),
        "R² of one row": (
            "With one test row there is no spread to explain. Whose predictions could be scored together?",
            by_fold,
        ),
        "unequal folds weighted alike": (
            "How many rows stand behind each number that you average?",
            partial(by_fold, spread=lambda y, test: np.var(y)),
        ),
        "trained on the test fold": (
            "Which rows had the model met when it was asked?",
            dict(train=lambda n, test: np.arange(n)),
        ),
        "trained on the fold alone": ("A fold judges. Who trains?", dict(train=lambda n, test: test)),
        "no intercept": (
            "The targets lie around 40. Where does your plane pass when all features are 0?",
            dict(ones=0.0),
        ),
        "not centred below the line": (
            "R² compares with a model that always says the mean. Yours compares with zero.",
            dict(centre=lambda y: 0),
        ),
        "squared correlation": (
            "A correlation forgives a wrong scale and a wrong offset. Does R² forgive?",
            lambda X, y, folds: np.corrcoef(y, said_of_held_out(X, y, folds))[0, 1] ** 2,
        ),
    },
    hints=[
        "Fill an array with the prediction of each row, fold by fold.",
        "Only when every row has its prediction, compare all of them with y, once.",
    ],
)

# ---- 4: eight notebooks

reasoned(
    "selection.4",
    "Eight notebooks on noise",
    name="inflated",
    core=True,
    then="Go on: how large would the gap of notebook 2 be with 20 genes in place of 2000?",
    stars=2,
    cases=Case(2, "your list"),
    secret=True,
    truth=([False, True, False, False, True, True, False, True], 4),
    same=same_labels,
    because=Because(
        "**Why** does notebook 2 report what you say?",
        {
            (
                "It is honest: the folds judge rows that the three neighbours have not "
                "stored, as they should."
            ): ("Whose labels chose the 20 genes?"),
            "It is honest: F looks at one gene at a time, and each gene by itself is noise.": (
                "Of 2000 genes of noise, how large is the largest F?"
            ),
            ("It reports too much: 20 genes are too many for 60 patients, so the neighbours overfit."): (
                "Notebook 3 keeps 20 genes as well. What do its folds say?"
            ),
            (
                "It reports too much: the best of 2000 genes agree with all 60 labels "
                "by luck, the test fold's too."
            ): None,
        },
    ),
    mistakes={
        "selected before splitting": (
            "In notebook 2 your test rows helped to choose the columns. What belongs inside the loop?",
            [False, False, False, False, True, True, False, True],
        ),
        "groups torn apart": (
            "In notebook 5: has the model met this patient before?",
            [False, True, False, False, False, True, False, True],
        ),
        "best CV score reported": (
            "In notebook 6 the winner was lucky too. Which data did not take part in the contest?",
            [False, True, False, False, True, False, False, True],
        ),
        "trained on the test rows": (
            "In notebook 8: which rows has a nearest neighbour stored?",
            [False, True, False, False, True, True, False, False],
        ),
        "whatever is outside inflates": (
            "Two steps outside the folds never look at a label. Do they make noise predictable?",
            [True, True, False, True, True, True, False, True],
        ),
        "PCA inflates": (
            "Notebook 4 never looks at a label. By how much can it help?",
            [False, True, False, True, True, True, False, True],
        ),
        "the nested one too": (
            "In notebook 7, who judges the winner?",
            [False, True, False, False, True, True, True, True],
        ),
        "the pipeline too": (
            "In notebook 3, which rows choose the genes for each fold?",
            [False, True, True, False, True, True, False, True],
        ),
        "all of them": ("Is there no way to cross-validate?", [True] * 8),
        "none of them": ("Folds judge what happens inside them. What happened before?", [False] * 8),
    },
    hints=[
        "For each notebook: which rows' labels took part in a choice, and which rows judged it?",
        "Try one on numbers of your own: it takes five lines.",
    ],
)

# ---- 5: select inside the folds


def draw_noise(rng, n=42, d=150, signal=0.0):
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, d)) + signal * y[:, None] * (np.arange(d) < 4)
    return X, y, np.split(rng.permutation(n), [17, 29, 37]), 6


def _gaps(X, y):
    return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))


def select_inside(X, y, folds, k):
    right = 0
    for test in folds:
        train = all_but(len(y), test)
        best = np.argsort(_gaps(X[train], y[train]))[-k:]
        squares = ((X[test][:, None, best] - X[train][:, best]) ** 2).sum(axis=2)
        right += (y[train][squares.argmin(axis=1)] == y[test]).sum()
    return right / len(y)


def _accuracy(X, y, folds, k, choosing=all_but, training=all_but, gaps=_gaps, mean=None, itself=True):
    """select_inside with one part exchanged: which rows choose, which train, how, how folds are averaged."""
    rates = []
    for test in folds:
        choose, train = choosing(len(y), test), training(len(y), test)
        best = np.argsort(gaps(X[choose], y[choose]))[-k:]
        squares = ((X[test][:, None, best] - X[train][:, best]) ** 2).sum(axis=2)
        squares[(test[:, None] == train) & (not itself)] = np.inf
        rates.append((y[train][squares.argmin(axis=1)] == y[test]).mean())
    return np.mean(rates) if mean else np.average(rates, weights=[len(t) for t in folds])


def all_rows(n, test):
    return np.arange(n)


question(
    "selection.5",
    "Selected too early",
    core=True,
    then="Cost: choosing anew in each fold costs k selections, and is the only honest price.",
    stars=3,
    truth=select_inside,
    parts=_accuracy,
    forbids=(*NO_FOLDS, "sklearn.feature_selection"),
    cases=[
        Case(2, "noise", draw_noise),
        Case(2, "four useful columns", lambda rng: draw_noise(rng, n=51, d=60, signal=0.8)),
    ],
    mistakes={
        "selected before splitting": (
            "Your test rows helped to choose the columns. What belongs inside the loop?",
            dict(choosing=all_rows),
        ),
        "trained on the test fold": (
            "A nearest neighbour never errs on rows it has stored: which did it store?",
            dict(training=all_rows),
        ),
        "test rows as neighbours": (
            "Which rows may a held-out row ask? The others of its own fold are held out as well.",
            dict(training=all_rows, itself=False),
        ),
        "selected on the test rows": (
            "You select where you judge. Whose labels may a choice see?",
            dict(choosing=lambda n, test: test),
        ),
        "folds weighted alike": (
            "The folds differ in size. How many rows stand behind each rate?",
            dict(mean=True),
        ),
        "selected before, folds weighted alike": (
            "Two things: who chose the columns, and how many rows stand behind each rate?",
            dict(choosing=all_rows, mean=True),
        ),
        "the sign of the gap kept": (
            "A column may be lower in class 1 and tell as much. Do you find it?",
            dict(gaps=lambda X, y: X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)),
        ),
        "the least useful columns": (
            "Which end of the sorted gaps do you keep?",
            dict(gaps=lambda X, y: -_gaps(X, y)),
        ),
        "nothing selected": (
            "You use every column. How many are asked for?",
            lambda X, y, folds, k: _accuracy(X, y, folds, X.shape[1]),
        ),
    },
    hints=[
        "Which lines of the function look at y? Which rows do they see?",
        "In the loop: choose the columns by the training rows; then the neighbours; then count.",
    ],
)

# ---- 6: count labellings


def labellings(P):
    A = np.column_stack([P, np.ones(len(P))])
    found = 0
    for y in product((False, True), repeat=len(P)):
        rows = np.where(np.array(y)[:, None], A, -A)
        found += (
            linprog(np.zeros(A.shape[1]), A_ub=rows, b_ub=-np.ones(len(P)), bounds=(None, None)).status == 0
        )
    return int(found)


def by_brute_force(P):
    return len(half_spaces(P))


def _met(A, bounds=(None, None)):
    """For how many choices of signs all rows of A can be above 0."""
    return sum(
        linprog(
            np.zeros(A.shape[1]), A_ub=-A * np.array(y)[:, None], b_ub=-np.ones(len(A)), bounds=bounds
        ).status
        == 0
        for y in product((-1, 1), repeat=len(A))
    )


def _default_bounds(P):
    """Only those hyperplanes whose w and b are at least 0."""
    return _met(np.column_stack([P, np.ones(len(P))]), bounds=(0, None))


question(
    "selection.6",
    "What can hyperplanes say?",
    then="Another way: a labelling and its opposite need the same plane, so that half of the programmes do.",
    stars=2,
    truth=labellings,
    forbids=("helpers.methods.vc", "sklearn.svm", "sklearn.linear_model"),
    cases=[
        Case(1, "points of the plane", lambda rng: (rng.normal(size=(rng.integers(4, 6), 2)),)),
        Case(
            1,
            "points on one line of the plane",
            lambda rng: (rng.normal(size=2) + rng.normal(size=(rng.integers(4, 6), 1)) * [1.0, 2.0],),
        ),
        Case(1, "points in space", lambda rng: (rng.normal(size=(5, 3)) + 3,)),
    ],
    mistakes={
        "no intercept": ("Which lines can your program not draw?", _met),
        "w = 0 allowed": ("What does w = 0 separate?", lambda P: 2 ** len(P)),
        "linprog's default bounds": ("What does linprog assume about the signs of w and b?", _default_bounds),
        "one side only": (
            "If a line says one thing, its other side says the opposite. Did you count both?",
            lambda P: labellings(P) // 2,
        ),
        "equal labels left out": ("Can a line have all points on one side?", lambda P: labellings(P) - 2),
        "Cover's count": (
            "That count is for points in general position. Are these?",
            lambda P: cover_count(len(P), P.shape[1]),
        ),
        "Sauer's bound": (
            "Sauer says at most. Is a bound a count?",
            lambda P: growth_bound(len(P), P.shape[1] + 1),
        ),
    },
    hints=[
        "Each labelling is a set of linear inequalities in (w, b); scipy.optimize.linprog says whether they "
        "can be met.",
        "linprog's variables are at least 0 unless you say otherwise. Are w and b?",
    ],
)

# ---- 7: evidence

TRIANGLE, IN_LINE = [[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 1], [2, 2]]
SQUARE, KITE = [[0, 0], [1, 0], [0, 1], [1, 1]], [[0, 0], [3, 0], [0, 3], [1, 1]]


def check_evidence(got, *_):
    if not isinstance(got, (tuple, list)) or len(got) != 4:
        return "Give (A, B, C, D)."
    *sets, dimension = got
    sets = [numbers(P) for P in sets]
    if any(P is None or P.shape != (n, 2) for P, n in zip(sets, (3, 3, 4))):
        return "A and B are three points of the plane each, C is four."
    if any(len(np.unique(P, axis=0)) < len(P) for P in sets):
        return "A point stands twice: give different ones."
    says = [labellings(P) for P in sets]
    if says[0] != 8 or says[1] == 8 or says[2] != 14:
        return f"Lines give your sets {says[0]}, {says[1]} and {says[2]} labellings."
    return None if np.shape(dimension) == () and numbers(dimension) == 3 else ""


def same_evidence(a, b):
    return len(a) == len(b) == 4 and all(close(p, q) for p, q in zip(a, b))


question(
    "selection.7",
    "Evidence for a dimension",
    name="vc_evidence",
    then="Go on: which four points have fewer than 14 labellings?",
    stars=2,
    cases=Case(2),
    truth=(TRIANGLE, IN_LINE, SQUARE, 3),
    checker=check_evidence,
    same=same_evidence,
    mistakes={
        "every set for some set": (
            "The sets are right. Does the VC dimension ask whether some set of that size can be shattered, "
            "or each?",
            (TRIANGLE, IN_LINE, SQUARE, 2),
        ),
        "nearly all taken for all": (
            "The sets are right. Are 14 labellings all of them?",
            (TRIANGLE, IN_LINE, SQUARE, 4),
        ),
        "the set for its size": (
            "The sets are right. Is a dimension a set of points, or a number?",
            (TRIANGLE, IN_LINE, SQUARE, TRIANGLE),
        ),
        "shattered and not shattered exchanged": (
            "Which of your first two sets should give all eight?",
            (IN_LINE, TRIANGLE, SQUARE, 3),
        ),
        "no set of three without a line": (
            "Can a line separate the middle one of three points in a row?",
            (TRIANGLE, TRIANGLE, SQUARE, 3),
        ),
        "four on a line": (
            "Points in a row are a special case. Where should four of them lie?",
            (TRIANGLE, IN_LINE, [[0, 0], [1, 1], [2, 2], [3, 3]], 3),
        ),
    },
    hints=[
        "Question 6 counts for you.",
        "How many sets of three must be shattered for a dimension of three?",
    ],
)

# ---- 8: a bound refuted


def simplex(n, radius=1.0):
    """n corners at equal distances on the sphere of that radius, in n - 1 dimensions."""
    P = np.eye(n) - 1 / n
    P = P @ np.linalg.svd(P)[2][: n - 1].T
    return radius * P / np.linalg.norm(P, axis=1, keepdims=True)


def _widest(P, y):
    """The largest distance that a hyperplane between two groups keeps from all points; 0 if there is none."""
    model = SVC(kernel="linear", C=1e10, tol=1e-9, max_iter=20_000).fit(P, y)
    return 1 / np.linalg.norm(model.coef_) if (model.predict(P) == y).all() else 0.0


def check_margin(got, *_):
    P, gamma = (numbers(part) for part in got)
    if (
        P is None
        or P.ndim != 2
        or not 2 <= len(P) <= 8
        or not P.shape[1]
        or gamma is None
        or gamma.shape
        or gamma <= 0
    ):
        return "Give (P, gamma): 2 to 8 points in rows, and a number above 0."
    if np.linalg.norm(P, axis=1).max() > 1 + 1e-9:
        return "A point lies outside the unit ball."
    labels = [y for y in product((0, 1), repeat=len(P)) if 0 < sum(y) < len(y)]
    kept = min(_widest(P, np.array(y)) for y in labels)
    if kept < gamma * (1 - 1e-3):
        return f"For some labelling no hyperplane keeps a distance above {kept:.3f}."
    claim = ceil(1 / (4 * float(gamma) ** 2) - 1e-9) + 1
    return None if len(P) > claim else f"The claim allows {claim} points, and you shatter {len(P)}."


def same_margin(a, b):
    return close(a[0], b[0]) and close(a[1], b[1])


question(
    "selection.8",
    "A bound refuted",
    name="too_many_points",
    then="Go on: how does the widest margin shrink as points are added?",
    stars=3,
    cases=Case(3),
    truth=(simplex(3), 0.75),
    checker=check_margin,
    same=same_margin,
    mistakes={
        "a wider margin than there is": (
            "Your points are good. How far apart are one corner and the opposite side, and where between "
            "them does the best line run?",
            (simplex(3), 1.5),
        ),
        "a margin too small to matter": (
            "Your points are shattered, but with so small a margin the claim allows as many. How wide a "
            "margin can you give?",
            (simplex(3), 0.3),
        ),
        "points in a row": (
            "A set that is not shattered refutes nothing.",
            (np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]), 0.5),
        ),
        "the ball too large": (
            "With R = 2 the formula allows more. Which radius is asked for?",
            (simplex(3, radius=2.0), 1.5),
        ),
        "four corners of a square": (
            "Can a line separate the two diagonals of a square?",
            (np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), 0.5),
        ),
    },
    hints=[
        "In the plane, which three points of the unit disc are as far from each other as can be?",
        "The widest line between a corner and the opposite side runs half-way.",
    ],
)

# ---- 9: leave one out


def loo_mse(X, y, combine=lambda e, h: (e / (1 - h)) ** 2, ones=1.0):
    A = np.column_stack([np.full(len(X), ones), X])
    H = A @ np.linalg.pinv(A)
    return np.mean(combine(y - H @ y, np.diag(H)))


question(
    "selection.9",
    "Leave one out, without refits",
    then="Cost: one fit and the diagonal of one matrix, in place of n fits.",
    stars=2,
    truth=loo_mse,
    forbids=("sklearn", "statsmodels"),
    cases=[
        Case(2, "nine rows", lambda rng: draw_table(rng, n=9)),
        Case(1, "more rows", lambda rng: draw_table(rng, n=25)),
    ],
    mistakes={
        "leverage forgotten": (
            "Each row pulls the fit towards itself. By how much?",
            dict(combine=lambda e, h: e**2),
        ),
        "divided after squaring": (
            "Is the residual divided, or its square?",
            dict(combine=lambda e, h: e**2 / (1 - h)),
        ),
        "the mean leverage for all": (
            "Some rows pull harder than others. Do you divide all residuals alike?",
            dict(combine=lambda e, h: (e / (1 - h.mean())) ** 2),
        ),
        "no intercept": ("Where does your plane pass when all features are 0?", dict(ones=0.0)),
        "multiplied": (
            "Without the row, does its error grow or shrink?",
            dict(combine=lambda e, h: (e * (1 - h)) ** 2),
        ),
        "divided by the leverage": (
            "A row that the others already determine has little leverage. What should become of its "
            "residual?",
            dict(combine=lambda e, h: (e / h) ** 2),
        ),
        "intercept without leverage": (
            "The mean is fitted, too. Does it follow a single row?",
            dict(combine=lambda e, h: (e / (1 - h + 1 / len(e))) ** 2),
        ),
    },
    hints=[
        "Which matrix turns y into the fitted values? Look at its diagonal.",
        "Do not forget the column of ones when you build that matrix.",
    ],
)

# ---- 10: one standard error


def draw_contest(rng, folds=4, models=40):
    """Errors that fall slowly, then rise; each model with a spread of its own."""
    noise = rng.normal(size=(models, folds))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    best = int(rng.integers(28, 34))
    means = 2 + 0.05 * np.abs(np.arange(models) - best - 0.3) + 0.004 * rng.uniform(size=models)
    return (means[:, None] + rng.uniform(1.2, 2.2, size=(models, 1)) * noise,)


def draw_at_the_limit(rng, models=12):
    """The mean of a simple model lies exactly at the limit; none of the numbers is rounded."""
    good, step, spread = int(rng.integers(2, 6)), 2.0 ** rng.integers(-3, 2), [3, -1, -1, -1]
    errors = 12 + rng.integers(1, 5, size=(models, 1)) / 2 + rng.permuted([spread] * models, axis=1)
    errors[9], errors[good] = 10 + rng.permutation(spread), 11 + rng.permutation([2, -2, 1, -1])
    return (step * errors,)


def simplest_good(
    errors, spread=lambda e, best: e[best].std(ddof=1) / np.sqrt(e.shape[1]), pick=0, within=np.less_equal
):
    means = errors.mean(axis=1)
    return int(np.flatnonzero(within(means, means.min() + spread(errors, means.argmin())))[pick])


question(
    "selection.10",
    "Simple, and good enough",
    then="Go on: with folds of unlike size, what is the standard error of the mean?",
    stars=2,
    truth=simplest_good,
    cases=[Case(2, "forty models", draw_contest), Case(1, "a mean exactly at the limit", draw_at_the_limit)],
    mistakes={
        "below the limit only": (
            "One model is exactly one standard error above. What does *at most* say of it?",
            dict(within=np.less),
        ),
        "the best itself": (
            "Its neighbours are as good, as far as these folds can tell. Which of them is the simplest?",
            lambda errors: int(errors.mean(axis=1).argmin()),
        ),
        "a standard deviation": (
            "How much does the mean of the folds scatter, compared with one fold?",
            dict(spread=lambda e, best: e[best].std(ddof=1)),
        ),
        "each model's own standard error": (
            "Whose uncertainty decides how far from the best you may go?",
            dict(spread=lambda e, best: e.std(axis=1, ddof=1) / np.sqrt(e.shape[1])),
        ),
        "divisor k": (
            "From few folds a spread is estimated. By what do you divide?",
            dict(spread=lambda e, best: e[best].std() / np.sqrt(e.shape[1])),
        ),
        "the most complex": ("Which end of the list is the simple one?", dict(pick=-1)),
        "divided by the number of folds": (
            "How does the standard error of a mean shrink with the number of folds?",
            dict(spread=lambda e, best: e[best].std(ddof=1) / e.shape[1]),
        ),
        "largest is best": ("These are errors. Which end is good?", lambda errors: simplest_good(-errors)),
        "best fold": (
            "You looked at the single best fold. Who was lucky there?",
            lambda errors: int(errors.min(axis=1).argmin()),
        ),
    },
    hints=[
        "First the mean of each model; then the model of the smallest.",
        "The standard error of a mean of k numbers: their standard deviation (divisor k − 1) over the root "
        "of k.",
    ],
)

# ---- 11: the winner was lucky


def draw_coins(rng, models=40, n=46):
    return rng.uniform(size=(models, n)) < 0.5, np.split(rng.permutation(n), [19, 31, 40])


def honest_error(wrong, folds, choosing=all_but, judging=lambda n, test: test, weigh=True):
    """The parts: which rows choose, which judge, how folds count."""
    n = wrong.shape[1]
    winners = [wrong[:, choosing(n, t)].mean(axis=1).argmin() for t in folds]
    rates = [wrong[w, judging(n, t)].mean() for w, t in zip(winners, folds)]
    return np.average(rates, weights=[len(t) for t in folds] if weigh else None)


question(
    "selection.11",
    "The winner was lucky",
    core=True,
    then="Go on: how does the winner's luck grow with the number of candidates: like n, √n or √log n?",
    stars=2,
    truth=honest_error,
    forbids=NO_FOLDS,
    cases=[
        Case(2, "coin flippers", draw_coins),
        Case(
            1,
            "models of which some are good",
            lambda rng: (
                rng.uniform(size=(30, 46)) < rng.uniform(0.3, 0.5, size=(30, 1)),
                np.split(rng.permutation(46), [19, 31, 40]),
            ),
        ),
    ],
    mistakes={
        "the last of several winners": (
            "Several models err least on the other rows. Which of them does the question take?",
            lambda wrong, folds: honest_error(wrong[::-1], folds),
        ),
        "best CV score reported": (
            "The winner was lucky too. Which data did not take part in the contest?",
            lambda wrong, folds: wrong.mean(axis=1).min(),
        ),
        "chosen by the judging rows": (
            "In each fold, you choose by the rows that judge. Which others are there?",
            dict(choosing=lambda n, test: test),
        ),
        "folds weighted alike": (
            "The folds differ in size. How many rows stand behind each rate?",
            dict(weigh=False),
        ),
        "the mean of all models": (
            "Nobody reports the mean of all models. Who is chosen?",
            lambda wrong, folds: wrong.mean(),
        ),
        "the winner's error where it was chosen": (
            "You report how the winner did where it won.",
            dict(judging=all_but),
        ),
        "the loser": (
            "Which end of the errors wins?",
            lambda wrong, folds: honest_error(~wrong, folds) * -1 + 1,
        ),
    },
    hints=[
        "For each fold: who wins on the other rows?",
        "Count the winner's errors on the fold itself; add up; divide by all rows.",
    ],
)

# ---- 12: choose a degree


def draw_wave(rng, n, bends, noise, places=np.linspace):
    """A wave, sampled from left to right; and many fresh points of it. No degree serves two kinds of wave."""
    shift, fresh = rng.uniform(-0.5, 0.5), rng.uniform(-1, 1, size=2000)
    x = places(-1, 1, n)
    x += np.r_[0, rng.uniform(-0.2, 0.2, size=n - 2), 0] * np.diff(x).min()
    return Task(
        (x, np.sin(bends * x + shift) + noise * rng.normal(size=n)),
        (fresh, np.sin(bends * fresh + shift), noise),
    )


def draw_quick_wave(rng):
    """Closer at the ends: whoever leaves out some points, whichever, has others beside them."""
    return draw_wave(rng, n=60, bends=15, noise=0.2, places=lambda a, b, n: -np.cos(np.linspace(0, np.pi, n)))


def _curve(x, y, degree):
    w = np.linalg.lstsq(legvander(x, degree), y)[0]
    return lambda new: legvander(new, degree) @ w


def choose_degree(x, y):
    errors = []
    for degree in range(1, 21):
        A = legvander(x, degree)
        H = A @ np.linalg.pinv(A)
        errors.append(np.mean(((y - H @ y) / (1 - np.diag(H))) ** 2))
    return int(np.argmin(errors)) + 1, 2


def fold_error(x, y, degree, folds):
    return np.mean(
        np.concatenate([
            (_curve(*(np.delete(v, t) for v in (x, y)), degree)(x[t]) - y[t]) ** 2 for t in folds
        ])
    )


def degree_of_least(error):
    return lambda x, y: 1 + int(np.argmin([error(x, y, degree) for degree in range(1, 21)]))


def check_degree(got, x, y, hidden):
    degree = numbers(got)
    if degree is None or isinstance(got, bool) or degree.shape or degree not in range(1, 21):
        return "Return a whole number from 1 to 20."
    fresh, truth, noise = hidden
    reached = [np.mean((_curve(x, y, d)(fresh) - truth) ** 2) + noise**2 for d in range(1, 21)]
    mine, best = reached[int(degree) - 1], min(reached)
    if mine <= 1.6 * best:
        return None
    return f"On fresh points your degree errs by {mine:.3g}; {best:.3g} is within reach."


reasoned(
    "selection.12",
    "Few points, twenty degrees",
    then="Another way: generalised cross-validation divides each residual by the mean of 1 − "
    "leverage. When do the two differ?",
    stars=3,
    truth=choose_degree,
    checker=check_degree,
    same=close,
    cases=[
        Case(1.5, "a slow wave and much noise", lambda rng: draw_wave(rng, n=21, bends=2, noise=0.6)),
        Case(1.5, "a quick wave and little noise", draw_quick_wave),
    ],
    because=Because(
        "**Why** should points that did not fit choose the degree?",
        {
            (
                "They carry less noise than those that did, since the curve has not followed it."
            ): "All of them come from one measurement.",
            "On points that were fitted the error falls with every degree, bent curve or not.": None,
            "The errors on them are smaller, so that the choice among the twenty is surer.": (
                "On which points does a curve err less: on those that it was fitted to, or on others?"
            ),
            "They lie farther apart than the others, where a curve of high degree bends most.": (
                "Any point may be left out, each in its turn. Do those lie apart from the others?"
            ),
        },
    ),
    mistakes={
        "chosen by training error": (
            "Can training error rise with the degree?",
            degree_of_least(lambda x, y, d: np.mean((_curve(x, y, d)(x) - y) ** 2)),
        ),
        "sorted rows not shuffled": (
            "The points are sorted. What does the curve do where a whole block is missing?",
            degree_of_least(lambda x, y, d: fold_error(x, y, d, np.array_split(np.arange(len(x)), 3))),
        ),
    },
    hints=[
        "Ask rows that did not fit. With so few of them, how many should judge at a time?",
        "Section 7.16: leaving each row out costs one fit per degree.",
    ],
)


reading(
    "selection.13",
    "A learning curve",
    name="in_the_figure",
    then="Go on: how do the two curves look for a model that overfits, and what would more rows do there?",
    text="Training error and validation error of one model, for more and more training rows. Your "
    "boss offers to pay for ten times as many rows. What do you answer?",
    choices={
        "Use fewer rows, and save the money: with few rows the training error was lower.": (
            "That was the error on rows learned by heart."
        ),
        (
            "Take them: with ten times as many rows the validation error will fall to 0."
        ): "Where are the two curves heading?",
        "Spend it otherwise: the curves have met at a high error; try a richer model.": None,
        "Use the same rows: the model overfits, so that it has to be made simpler first.": (
            "Overfitting shows as a gap. How wide is the gap at the right end?"
        ),
    },
    reasons={
        (
            "The two errors are measured with different losses, so that their gap has no meaning."
        ): "They are measured alike, on other rows.",
        "More rows close the gap between the curves; what is left is the model's own limit.": None,
        "The training error rises with the rows, so further rows do harm to the model.": (
            "It rises because more rows are harder to learn by heart. Look at the other curve."
        ),
        "A validation error is always larger than a training error by the same amount.": (
            "Compare the two ends of the figure."
        ),
    },
    hints=["What does each curve do at the right end, and how far are they apart there?"],
)


reading(
    "selection.14",
    "The winner of two hundred",
    name="in_the_report",
    then="Go on: which number would you report for the winner, and which rows does it take?",
    text="A colleague's notebook: \"I tried 200 settings with the same ten-fold cross-validation. "
    "The best reached 81.5 %, the median 74 %. **I report 81.5 % ± 1.2 %**, the mean and "
    'standard error over its ten folds." The labels are real. What is wrong?',
    choices={
        "The best of 200 is partly luck: its own score promises too much.": None,
        "Ten folds are too few; with leave-one-out the number would be honest.": (
            "The best of 200 leave-one-out scores was lucky, too."
        ),
        "Nothing: it is a cross-validated number with its standard error.": (
            "Who chose that setting, and on which rows?"
        ),
        "He should report the median of the 200 settings.": (
            "Nobody will use the median setting. What is the winner worth on rows that did not choose it?"
        ),
    },
    reasons={
        (
            "The settings were not independent, so that fewer than 200 of them really were tried."
        ): "If they were, the maximum would be even luckier.",
        "The maximum of many noisy numbers lies above the true value of its own setting.": None,
        (
            "Real labels cannot be predicted to 81.5 %: there is always more noise than that."
        ): "Perhaps they can. How would one know?",
        (
            "A standard error must not be computed from folds, since folds share training rows."
        ): "It is rough, but the flaw is a larger one.",
    },
    hints=["Suppose that all 200 settings were equally good: what would the best of them show?"],
)


ENOUGH_SAMPLES = Notation(
    r"""
    k      | number | how many hypotheses                       |
    \gamma | number | the gap that is allowed                   | `gap`
    \delta | number | the probability with which it may fail    | `fail`
    """,
    default=False,
)


def draw_enough_samples(rng):
    drawn = {"k": int(rng.integers(3, 200)), "gap": rng.uniform(0.02, 0.3), "fail": rng.uniform(0.01, 0.2)}
    return (drawn,)


question(
    "selection.15",
    "The formula of a sample size",
    name="enough_samples",
    then="Go on: what do twice as many hypotheses cost, in rows?",
    formula=ENOUGH_SAMPLES,
    truth=r"\frac{1}{2 \gamma^2} \ln \frac{2k}{\delta}",
    cases=Case(1, draw=draw_enough_samples),
    mistakes={
        "gamma not squared": (
            "Halve the gap: are twice as many samples enough?",
            r"\frac{1}{2 \gamma} \ln \frac{2k}{\delta}",
        ),
        "one side only": (
            "A training error may be too high or too low.",
            r"\frac{1}{2 \gamma^2} \ln \frac{k}{\delta}",
        ),
        "one hypothesis": (
            "How many take part, and where do they stand in your formula?",
            r"\frac{1}{2 \gamma^2} \ln \frac{2}{\delta}",
        ),
        "the 2 in the exponent forgotten": (
            "Which factor stands in Hoeffding's exponent?",
            r"\frac{1}{\gamma^2} \ln \frac{2k}{\delta}",
        ),
        "no logarithm": (
            "Solve for n: how do you get rid of an exponential?",
            r"\frac{1}{2 \gamma^2} \cdot \frac{2k}{\delta}",
        ),
        "the logarithm upside down": (
            "Should a smaller probability of failure ask for fewer samples?",
            r"\frac{1}{2 \gamma^2} \ln \frac{\delta}{2k}",
        ),
    },
    hints=["Start from 2k exp(−2γ²n) ≤ δ.", "Divide, take the logarithm, divide again. Mind the sign."],
)
