"""Homework 9: searches counted and repaired, ridge, the Lasso and proximal gradient."""

from itertools import combinations

import numpy as np
from sklearn.linear_model import LinearRegression, lasso_path
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from grading.question import Case, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels, same_set
from helpers.methods.proximal_gradient import soft_threshold
from helpers.reading import Notation

NO_SEARCH = ("sklearn.feature_selection", "helpers.methods.subset_search")
NO_LINEAR = ("sklearn.linear_model", "helpers.methods.proximal_gradient")


def cv_error(X, y, A):
    """Mean squared error of least squares with intercept on the columns A; fold i % 5 holds row i out."""
    D, fold, r = np.column_stack([np.ones(len(y)), X[:, list(A)]]), np.arange(len(y)) % 5, np.zeros(len(y))
    for f in range(5):
        out = fold == f
        r[out] = y[out] - D[out] @ np.linalg.lstsq(D[~out], y[~out])[0]
    return float(np.mean(r**2))


def _train_error(X, y, A):
    D = np.column_stack([np.ones(len(y)), X[:, list(A)]])
    return float(np.mean((y - D @ np.linalg.lstsq(D, y)[0]) ** 2))


# ---- 1: by hand: fits

question(
    "wrappers.1",
    "How many fits?",
    name="fits",
    core=True,
    then="Go on: at which d does an exhaustive search cost more than a day, at a millisecond for each fit?",
    cases=Case(2),
    secret=True,
    truth=[20475, 390, 210, 360, 9],
    mistakes={
        "the folds forgotten": (
            "You counted subsets. How often is the learner trained for each?",
            [4095, 78, 42, 72, 9],
        ),
        "the empty subset counted": (
            "Which of your subsets has nothing to train on?",
            [20480, 390, 210, 360, 9],
        ),
        "the round that failed forgotten": (
            "How does the search know that a fourth feature does not help?",
            [20475, 390, 165, 360, 9],
        ),
        "elimination judged by folds": (
            "What does recursive elimination look at: a score, or a weight?",
            [20475, 390, 210, 360, 45],
        ),
        "a search in linear time": (
            "How many subsets does the second round of a forward search try?",
            [20475, 60, 15, 45, 9],
        ),
        "a backward search as dear as a forward one": (
            "The backward search is told where to stop. Which sizes does it visit?",
            [20475, 390, 210, 210, 9],
        ),
    },
    hints=[
        "Count subsets first, round by round. Then: how many trainings does one subset cost?",
        "A search that stops by itself has tried one round in vain; one that is told where to stop has not.",
    ],
)

# ---- 2: a broken forward search


def _planted(rng, n, d, weights, noise=1.0):
    """Columns with means far from 0, of which the first few matter, in any order."""
    X = rng.normal(size=(n, d)) + 5 * rng.normal(size=d)
    order = rng.permutation(d)
    return X, X[:, order[: len(weights)]] @ np.array(weights) + noise * rng.normal(size=n) + 20


def draw_shared(rng):
    """Columns that share most of what they say."""
    X, y = _planted(rng, 40, 6, [1.5, 1.0])
    return X + 1.5 * rng.normal(size=(40, 1)), y


def forward(X, y, score=cv_error, pick=min, stop=lambda new, least: new >= least, late=False):
    A, errors = [], []
    while len(A) < X.shape[1]:
        new, j = pick((score(X, y, [*A, j]), j) for j in range(X.shape[1]) if j not in A)
        stopping = bool(errors) and stop(new, errors[-1])
        if not stopping or late:
            A, errors = [*A, j], [*errors, new]
        if stopping:
            break
    return A, errors


def _by_rank(X, y):
    """The features in the order of their correlation with y."""
    order = np.argsort([-abs(np.corrcoef(x, y)[0, 1]) for x in X.T])
    errors = [cv_error(X, y, order[:k]) for k in range(1, len(order) + 1)]
    k = next((i for i in range(1, len(errors)) if errors[i] >= errors[i - 1]), len(errors))
    return order[:k].tolist(), errors[:k]


def same_steps(a, b):
    """The same columns in the same order, and the errors to match."""
    return len(a) == len(b) == 2 and close(a[0], b[0]) and close(a[1], b[1], tol=1e-6)


question(
    "wrappers.2",
    "A broken forward search",
    core=True,
    then="Go on: make data on which a backward search finds what your forward search misses.",
    stars=2,
    truth=forward,
    forbids=NO_SEARCH,
    same=same_steps,
    cases=[
        Case(1, "three useful columns of seven", lambda rng: _planted(rng, 50, 7, [2.0, -1.5, 1.0])),
        Case(1, "columns that share what they say", draw_shared),
        Case(1, "columns that all help", lambda rng: _planted(rng, 40, 3, [3.0, -2.0, 4.0])),
    ],
    mistakes={
        "the larger error preferred": (
            "You asked for the largest score: is more of this one better?",
            dict(pick=max),
        ),
        "scored on training rows": (
            "On its own training rows a least squares fit never gets worse with one more feature. So when "
            "would you stop?",
            dict(score=_train_error),
        ),
        "both, as in the broken code": (
            "Look at the errors of your steps: should they rise, or fall? And on which rows are they "
            "measured?",
            dict(pick=max, score=_train_error),
        ),
        "it never stops": (
            "The last of your errors are larger than those before. What were they to tell you?",
            dict(stop=lambda new, least: False),
        ),
        "one step too far": (
            "Your last addition made the error larger. Do you want to keep it?",
            dict(late=True),
        ),
        "a ranking, no search": (
            "Your second feature is good alone. Is it the best partner of the first?",
            _by_rank,
        ),
    },
    hints=[
        "Print the errors of all candidates of the first round. Which one did your search take?",
        "cv_error(X, y, A) is in the notebook: it holds out every row once.",
    ],
)

# ---- 3: a trap for greedy search


def two_bits(decoy, answer=np.logical_xor, n=400, seed=0):
    """Two bits, an answer that they decide, and that answer, wrong in a share `decoy` of the rows."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, size=(2, n))
    y = answer(a, b).astype(int)
    return np.column_stack([a, b, np.where(rng.random(n) < decoy, 1 - y, y)]).astype(float), y


def _nothing(seed=1):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, size=(400, 3)).astype(float), rng.integers(0, 2, size=400)


def _fit_together(X, y, rows, columns):
    """Whether X is a table of the sizes allowed, and y has an entry for each of its rows."""
    sound = X is not None and y is not None and X.ndim == 2 and y.shape == X.shape[:1]
    return sound and rows[0] <= len(X) <= rows[1] and columns[0] <= X.shape[1] <= columns[1]


def check_trap(got):
    X, y = numbers(got[0]), np.asarray(got[1])
    if not _fit_together(X, y, (100, 1000), (3, 8)):
        return "Return X with 100 to 1000 rows and 3 to 8 columns, and y with a label for each row."
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) != 2 or counts.min() < 0.2 * len(y):
        return "Two classes, please, neither with less than 20 % of the rows."
    folds = StratifiedKFold(5, shuffle=True, random_state=0)

    def score(*A):
        return cross_val_score(DecisionTreeClassifier(random_state=0), X[:, A], y, cv=folds).mean()

    first = max(range(X.shape[1]), key=score)
    greedy = max(score(first, j) for j in range(X.shape[1]) if j != first)
    best = max(score(*pair) for pair in combinations(range(X.shape[1]), 2))
    if best >= greedy + 0.2:
        return None
    return (
        f"Forward search's pair is right in {100 * greedy:.0f} %, "
        f"the best pair in {100 * best:.0f} %: too little."
    )


question(
    "wrappers.3",
    "A trap for greedy search",
    name="greedy_trap",
    then="Go on: does a backward search fall into your trap as well?",
    stars=3,
    cases=Case(3),
    truth=two_bits(0.25),
    checker=check_trap,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "a decoy without a fault": (
            "Your third column needs no partner: alone it is always right. How good may a decoy be?",
            two_bits(0.0),
        ),
        "nothing to find": (
            "Greedy search fails, but so does every pair. What should the best pair know?",
            _nothing(),
        ),
        "bits that help alone": (
            "Both of your bits help alone, so a greedy search walks straight to them. When are two features "
            "useless alone and perfect together?",
            two_bits(0.25, np.logical_and),
        ),
        "only one bit counts": (
            "One column decides alone. A greedy search finds that at once.",
            two_bits(0.25, lambda a, b: a),
        ),
    },
    hints=[
        "Which function of two bits does neither bit tell anything about?",
        "Then the search needs a reason to begin elsewhere: something fairly good alone.",
    ],
)

# ---- 4: LVW on given tries


def _tries(rng, m, d=6):
    """Random subsets, with errors of which many are equal; early ones are mostly bad."""
    sets = [np.flatnonzero(rng.random(d) < 0.6).tolist() or [0] for _ in range(m)]
    low = np.linspace(8, 2, m).astype(int)
    return [(A, float(rng.integers(k, k + 5)) / 20) for A, k in zip(sets, low)]


def draw_hasty(rng):
    """It gives up after four failures in a row, but not before some success."""
    tries = _tries(rng, 30)
    tries[1:1] = [
        ([0, 1, 2, 3, 4], 0.45),
        ([1, 2, 3, 4], 0.45),
        ([0, 5], 0.60),
        ([1, 2, 3], 0.45),
        ([1, 5], 0.55),
    ]
    tries[8:8] = [(A, 0.9) for A, _ in tries[8:11]] + [([2, 3], 0.95)] * 2
    return (list(range(6)), 0.5), tries, 4


def lvw(start, tries, T):
    best, least = start
    history, failures = [least], 0
    for A, error in tries:
        won = error < least or (error == least and len(A) < len(best))
        failures = 0 if won else failures + 1
        if won:
            best, least = A, error
        history.append(least)
        if failures == T:
            break
    return best, history


def _lvw(
    start,
    tries,
    T,
    wins=lambda e, least, A, best: e < least or (e == least and len(A) < len(best)),
    count=lambda failures, won: 0 if won else failures + 1,
    noted=lambda least, e: least,
    first=False,
):
    """lvw with one part exchanged."""
    best, least = tries[0] if first else start
    history, failures = [least], 0
    for A, error in tries:
        won = wins(error, least, A, best)
        failures = count(failures, won)
        best, least = (A, error) if won else (best, least)
        history.append(noted(least, error))
        if failures == T:
            break
    return best, history


question(
    "wrappers.4",
    "LVW, try by try",
    then="Go on: one of the 1024 subsets of ten columns is the best. After how many random tries is "
    "it found with probability one half?",
    stars=2,
    truth=lvw,
    parts=_lvw,
    forbids=NO_SEARCH,
    same=lambda a, b: len(a) == len(b) == 2 and same_set(a[0], b[0]) and close(a[1], b[1]),
    cases=[
        Case(2, "tries that all count", lambda rng: ((list(range(6)), 0.45), _tries(rng, 40), 1000)),
        Case(1, "four failures in a row", draw_hasty),
        Case(
            1,
            "a start that nothing beats",
            lambda rng: ((list(range(6)), 0.05), [(A, e + 0.05) for A, e in _tries(rng, 12)], 4),
        ),
    ],
    mistakes={
        "ties not used": (
            "Same error with fewer features: which do you keep?",
            dict(wins=lambda e, least, A, best: e < least),
        ),
        "or for and": (
            "Your err* rises now and then. May a small subset with a larger error win?",
            dict(wins=lambda e, least, A, best: e < least or len(A) < len(best)),
        ),
        "every tie wins": (
            "Same error with more features: why change?",
            dict(wins=lambda e, least, A, best: e <= least),
        ),
        "T is the total": (
            "Your search stopped soon after a success. What does a success do to the count?",
            dict(count=lambda failures, won: failures + 1),
        ),
        "failures never forgotten": (
            "In a row, says the task. What does a success do to the count?",
            dict(count=lambda failures, won: failures + (not won)),
        ),
        "the last error noted": (
            "err* is the least error so far. Does yours rise?",
            dict(noted=lambda least, e: e),
        ),
        "the start thrown away": ("What do you hold before the first try?", dict(first=True)),
    },
    hints=[
        "Two questions at every try: does it win, and how many have failed since the last winner?",
        "Of two subsets with the same error the smaller one wins; with the same size nothing changes.",
    ],
)

# ---- 5: search here, score there


def draw_suppressor(rng):
    """The best column alone is in no part of the best pair."""
    u, v = rng.normal(size=(2, 80))
    X = np.column_stack([u + 0.3 * v, u, v + 0.8 * rng.normal(size=80), rng.normal(size=(80, 3))])
    return X[:, rng.permutation(6)] + 3, v + 0.05 * rng.normal(size=80)


def _fresh_error(X, y, pair, fit_on, check_on):
    model = LinearRegression().fit(X[fit_on][:, pair], y[fit_on])
    return float(np.mean((y[check_on] - model.predict(X[check_on][:, pair])) ** 2))


EVEN, ODD = slice(0, None, 2), slice(1, None, 2)


def pair_and_error(X, y):
    seen, fresh = slice(0, None, 2), slice(1, None, 2)
    pair = min(combinations(range(X.shape[1]), 2), key=lambda A: cv_error(X[seen], y[seen], A))
    model = LinearRegression().fit(X[seen][:, pair], y[seen])
    return list(pair), np.mean((y[fresh] - model.predict(X[fresh][:, pair])) ** 2)


def _pair(X, y, search_on=EVEN, score=cv_error, fit_on=EVEN, check_on=ODD, report=_fresh_error, greedy=False):
    """pair_and_error with one part exchanged."""

    def err(A):
        return score(X[search_on], y[search_on], A)

    d = range(X.shape[1])
    first = min(d, key=lambda j: err([j]))
    pairs = [[first, j] for j in d if j != first] if greedy else map(list, combinations(d, 2))
    pair = sorted(min(pairs, key=err))
    return pair, report(X, y, pair, fit_on, check_on)


def _search_score(rows):
    return lambda X, y, pair, fit_on, check_on: cv_error(X[rows], y[rows], pair)


question(
    "wrappers.5",
    "Search here, score there",
    core=True,
    then="Go on: how much data would you give to the search, and how much to the score?",
    stars=3,
    truth=pair_and_error,
    parts=_pair,
    forbids=NO_SEARCH,
    same=lambda a, b: len(a) == len(b) == 2 and same_set(a[0], b[0]) and close(a[1], b[1], tol=1e-6),
    cases=[
        Case(2, "a pair that hides", draw_suppressor),
        Case(2, "targets without a cause", lambda rng: (rng.normal(size=(60, 12)), rng.normal(size=60))),
    ],
    mistakes={
        "the search's score reported": (
            "Your error is the least of all that you tried on the same folds. What would fresh rows say?",
            dict(report=_search_score(EVEN)),
        ),
        "searched on all rows, and its score reported": (
            "Your error is the best of many tried on these very rows. Which rows has nobody seen?",
            dict(search_on=slice(None), report=_search_score(slice(None))),
        ),
        "searched on all rows": (
            "The rows that judge have helped to choose. Which rows may the search see?",
            dict(search_on=slice(None)),
        ),
        "a greedy pair": (
            "The best single feature need not be in the best pair. How many pairs are there?",
            dict(greedy=True),
        ),
        "judged on the rows of the fit": (
            "A fit is at its best on its own rows. Which rows has it not seen?",
            dict(check_on=EVEN),
        ),
        "fitted on all rows": (
            "The pair was found honestly. On which rows was the fit made that you judge?",
            dict(fit_on=slice(None)),
        ),
        "searched by the training error": (
            "In the search, too, a fit should not be scored on its own rows.",
            dict(score=_train_error),
        ),
    },
    hints=[
        "Cut the rows in two at once, and write down what each half may be used for.",
        "itertools.combinations gives every pair.",
    ],
)

# ---- 6: a broken elimination


def draw_units(rng):
    """Columns in very unlike units; strong negative and weak positive weights."""
    Z = rng.normal(size=(200, 6))
    weights = rng.permutation([-4, -3, 2, 1, 0.5, 0.0])
    return (
        Z * rng.permutation([0.001, 0.1, 1, 10, 100, 1000]) + 5,
        Z @ weights + 0.3 * rng.normal(size=200) + 9,
        2,
    )


def draw_twins(rng):
    u, v = rng.normal(size=(2, 400))
    twins = u[:, None] + 0.4 * rng.normal(size=(400, 2))
    X = np.column_stack([twins, v, rng.normal(size=(400, 2))])
    return X[:, rng.permutation(5)] * 2, 1.6 * u + v + 0.2 * rng.normal(size=400), 1


def rfe(X, y, k):
    A = list(range(X.shape[1]))
    while len(A) > k:
        w = LinearRegression().fit(X[:, A] / X[:, A].std(axis=0), y).coef_
        A.pop(np.abs(w).argmin())
    return A


def _rfe(X, y, k, size=np.abs, unit=lambda X: X.std(axis=0), drop=np.argmin, intercept=True, once=False):
    """rfe with one part exchanged."""
    A, Z = list(range(X.shape[1])), X / unit(X)

    def fit(A):
        return LinearRegression(fit_intercept=intercept).fit(Z[:, A], y).coef_

    if once:
        return np.sort(np.argsort(-np.abs(fit(A)))[:k]).tolist()
    while len(A) > k:
        A.pop(int(drop(size(fit(A)))))
    return A


question(
    "wrappers.6",
    "A broken elimination",
    then="Cost: d − k fits, or one more. How many does a search take that tries every removal?",
    stars=2,
    truth=rfe,
    parts=_rfe,
    forbids=NO_SEARCH,
    same=same_set,
    cases=[
        Case(2, "columns in unlike units", draw_units),
        Case(1, "two noisy copies of one feature", draw_twins),
    ],
    mistakes={
        "signed weights": ("A weight of −5 came out as least important. Is it?", dict(size=lambda w: w)),
        "weights of unlike units": (
            "In km instead of m a weight is 1000 times larger. What makes weights comparable?",
            dict(unit=lambda X: 1),
        ),
        "one ranking for all rounds": (
            "When one twin leaves, what happens to the other's weight?",
            dict(once=True),
        ),
        "the strongest dropped": ("Which feature should leave first?", dict(drop=np.argmax)),
        "everything at once, as in the broken code": (
            "Three things decide who leaves: the sign of a weight, its unit, and when it was fitted.",
            lambda X, y, k: np.argsort(LinearRegression().fit(X, y).coef_)[::-1][:k].tolist(),
        ),
        "divided by the variance": ("What is the unit of a variance?", dict(unit=lambda X: X.var(axis=0))),
    },
    hints=[
        "Three things are wrong. Try it with one column times 1000: who should notice?",
        "After every farewell the others' weights are others.",
    ],
)

# ---- 7: by hand: three penalties

question(
    "wrappers.7",
    "Three penalties by hand",
    name="three_ways",
    then="Go on: for which z do the first and the third agree?",
    cases=Case(2),
    secret=True,
    truth=[[2, -0.2, 0, -1.4], [1, -0.4, 0.2, -0.8], [3, 0, 0, -2.4]],
    mistakes={
        "threshold λ": (
            "Write the Lasso's objective for one weight, and set its slope to nothing: how much of z is "
            "taken off?",
            [[1, 0, 0, -0.4], [1, -0.4, 0.2, -0.8], [3, 0, 0, -2.4]],
        ),
        "the negative side lost": (
            "Draw the soft threshold: it is odd. What becomes of a negative z?",
            [[2, 0, 0, 0], [1, -0.4, 0.2, -0.8], [3, 0, 0, -2.4]],
        ),
        "a hard threshold for the Lasso": (
            "Draw the soft threshold: it is continuous. Does yours jump?",
            [[3, -1.2, 0, -2.4], [1, -0.4, 0.2, -0.8], [3, 0, 0, -2.4]],
        ),
        "ridge with half the penalty": (
            "Set the slope of ridge's objective for one weight to nothing. Both terms are squares.",
            [[2, -0.2, 0, -1.4], [1.5, -0.6, 0.3, -1.2], [3, 0, 0, -2.4]],
        ),
        "the best subset shrinks": (
            "A weight that has paid for being there pays nothing more. Why is it smaller?",
            [[2, -0.2, 0, -1.4], [1, -0.4, 0.2, -0.8], [2, 0, 0, -1.4]],
        ),
        "the best subset cut at λ/2": (
            "To drop a weight costs its square. Compare that with λ.",
            [[2, -0.2, 0, -1.4], [1, -0.4, 0.2, -0.8], [3, -1.2, 0, -2.4]],
        ),
    },
    hints=[
        "On orthonormal columns every weight has its own little problem, with its own z.",
        "The squared error of one weight is the square of its distance from z, with no factor before it.",
    ],
)

# ---- 8: ridge, with an intercept


def _regression(rng, n, d):
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 3, size=d) + 4 * rng.normal(size=d)
    return X, X @ rng.normal(size=d) + rng.normal(size=n) + 44, float(rng.uniform(1, 20))


def ridge(X, y, lam):
    Xc = X - X.mean(axis=0)
    w = np.linalg.solve(Xc.T @ Xc + lam * np.eye(X.shape[1]), Xc.T @ y)
    return np.append((y - X @ w).mean(), w)


def ridge_by_ones(X, y, penalty, b=lambda w, X, y: w[0]):
    """Ridge of [1, X] with a penalty matrix of its own."""
    D = np.column_stack([np.ones(len(y)), X])
    w = np.linalg.solve(D.T @ D + penalty, D.T @ y)
    return np.append(b(w, X, y), w[1:])


question(
    "wrappers.8",
    "Ridge with an intercept",
    then=(
        "Another way: centre X and y, solve without an intercept, and put b = mean(y) − w·mean(x) afterwards."
    ),
    stars=2,
    truth=ridge,
    forbids=NO_LINEAR,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(2, "more rows than columns", lambda rng: _regression(rng, 30, 4)),
        Case(1, "more columns than rows", lambda rng: _regression(rng, 6, 9)),
    ],
    mistakes={
        "the intercept last": (
            "Your numbers are right. In which order are they asked for?",
            lambda X, y, lam: np.roll(ridge(X, y, lam), -1),
        ),
        "standardised": (
            "You standardised the columns before the penalty. In which units does the question penalise?",
            lambda X, y, lam: (lambda w: np.append((y - X @ w).mean(), w))(
                ridge(X / X.std(axis=0), y, lam)[1:] / X.std(axis=0)
            ),
        ),
        "the intercept penalised": (
            "Add 50 to y: only the intercept should move.",
            lambda X, y, lam: ridge_by_ones(X, y, lam * np.eye(X.shape[1] + 1)),
        ),
        "no intercept": (
            "Your line goes through the origin. Do the data?",
            lambda X, y, lam: np.append(0, np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)),
        ),
        "the mean of y for the intercept": (
            "Your intercept is the prediction at the mean of X. Where is it asked for?",
            lambda X, y, lam: np.append(y.mean(), ridge(X, y, lam)[1:]),
        ),
        "the penalty in every entry": (
            "X'X + λ adds λ everywhere. Where does the penalty's second derivative stand?",
            lambda X, y, lam: ridge_by_ones(X, y, lam * np.pad(np.ones((X.shape[1],) * 2), (1, 0))),
        ),
        "the penalty times n": (
            "Is there a mean in the task's objective, or a sum?",
            lambda X, y, lam: ridge(X, y, lam * len(y)),
        ),
        "the penalty halved": (
            "Differentiate both squares: which factor stands before each?",
            lambda X, y, lam: ridge(X, y, lam / 2),
        ),
    },
    hints=[
        "Centre first. Then there is no intercept to penalise, and at the end you compute it.",
        "The best intercept for given weights is the mean of what they leave over.",
    ],
)

# ---- 9: whose λ?


def translate(lam, n):
    return [lam, lam / (2 * n), lam / 2, 1 / lam]


question(
    "wrappers.9",
    "Whose λ?",
    core=True,
    then="Go on: standardise the columns with divisor n − 1 instead: which λ gives the same weights?",
    truth=translate,
    cases=Case(2, draw=lambda rng: (float(rng.uniform(0.5, 30)), int(rng.integers(20, 200)))),
    mistakes={
        "alpha = λ": (
            "Which divisor stands before the squared error in your definition, and in theirs? Ridge has a "
            "third.",
            lambda lam, n: [lam, lam, lam, lam],
        ),
        "ridge treated like the Lasso": (
            "Look at Ridge's own objective: is there a divisor?",
            lambda lam, n: [lam / (2 * n), lam / (2 * n), lam / 2, 1 / lam],
        ),
        "n for 2n": (
            "Look at Lasso's objective once more: by what is its squared error divided?",
            lambda lam, n: [lam, lam / n, lam, 1 / lam],
        ),
        "inside the sum, but taken for outside": (
            "In the third objective the penalty is added for every row. How often is that?",
            lambda lam, n: [lam, lam / (2 * n), lam / (2 * n), 1 / lam],
        ),
        "C = λ": (
            "C stands at the loss. Divide the objective by it.",
            lambda lam, n: [lam, lam / (2 * n), lam / 2, lam],
        ),
    },
    hints=[
        "Write their objective beside yours and find the number that turns one into the other.",
        "To multiply an objective by a positive number does not move its minimiser.",
    ],
)

# ---- 10: proximal gradient


def draw_lasso(rng):
    X = rng.normal(size=(25, 8)) * rng.uniform(0.5, 2, size=8)
    return X, X[:, :3] @ np.array([2.0, -3.0, 1.0]) + 0.3 * rng.normal(size=25), float(rng.uniform(20, 40)), 6


def draw_more_columns(rng):
    X = rng.normal(size=(10, 20))
    return X, X[:, :2] @ np.array([3.0, -3.0]), float(rng.uniform(10, 20)), 30


def lasso_steps(
    X,
    y,
    lam,
    steps,
    L=lambda X: 2 * np.linalg.norm(X, 2) ** 2,
    shrink=lambda z, lam, L, w: soft_threshold(z, lam / L),
    factor=2,
):
    w, size = np.zeros(X.shape[1]), L(X)
    for _ in range(steps):
        w = shrink(w - factor * X.T @ (X @ w - y) / size, lam, size, w)
    return w


question(
    "wrappers.10",
    "A broken descent",
    core=True,
    then="Cost: a step is two matrix products. With momentum the error falls like 1/t² and no "
    "longer like 1/t.",
    stars=2,
    truth=lasso_steps,
    forbids=NO_LINEAR,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(2, "six steps", draw_lasso),
        Case(1, "thirty steps, more columns than rows", draw_more_columns),
    ],
    mistakes={
        "L not squared": (
            "Print the objective: did it ever rise? (A Frobenius norm is safe, but slow.)",
            dict(L=lambda X: 2 * np.linalg.norm(X, 2)),
        ),
        "the threshold without the step": (
            "You took a step of 1/L on one part of the objective; and on the other?",
            dict(shrink=lambda z, lam, L, w: soft_threshold(z, lam)),
        ),
        "the negative side lost": (
            "Draw your threshold: it should be odd, continuous, and shifted towards 0.",
            dict(shrink=lambda z, lam, L, w: np.maximum(z - lam / L, 0)),
        ),
        "a hard threshold": (
            "Draw your threshold: it should be odd, continuous, and shifted towards 0. Does it jump?",
            dict(shrink=lambda z, lam, L, w: np.where(np.abs(z) > lam / L, z, 0)),
        ),
        "a subgradient for the proximal step": (
            "These steps jump across 0 and never rest on it.",
            dict(shrink=lambda z, lam, L, w: z - lam * np.sign(w) / L),
        ),
        "a Frobenius norm": (
            "Safe, but slower than it need be: which norm of X is the smallest that is safe?",
            dict(L=lambda X: 2 * np.linalg.norm(X) ** 2),
        ),
        "half the gradient": ("Differentiate a square: which factor appears?", dict(factor=1)),
    },
    hints=[
        "Let it print its objective after every step: it must never rise.",
        "The minimiser of ½ L (w − z)² + λ|w| is a soft threshold: with which t?",
    ],
)

# ---- 11: a feature that leaves


def _random_rows(n, d, seed, orthonormal=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return (np.linalg.qr(X - X.mean(axis=0))[0] if orthonormal else X), rng.normal(size=n)


def stand_in_table(seed=0):
    """A third column that stands in for two others; beside both its weight has the other sign."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(200, 2))
    X = np.column_stack([A, A.sum(axis=1) + 0.5 * rng.normal(size=200)])
    return X, X @ [1.0, 0.8, -0.3]


def falls_along_the_path(X, y):
    """Whether the number of nonzero weights ever falls while λ falls."""
    X, y = X - X.mean(axis=0), y - y.mean()
    coefs = lasso_path(X, y, alphas=150, eps=1e-4, tol=1e-10, max_iter=10**6)[1]
    many = (np.abs(coefs) > 1e-9 * np.abs(coefs).max()).sum(axis=0)
    return bool((np.diff(many) < 0).any())


def check_leaving(got):
    X, y = numbers(got[0]), numbers(got[1])
    if not _fit_together(X, y, (5, 500), (2, 10)) or X.shape[1] >= len(X):
        return (
            "Return X with 5 to 500 rows and 2 to 10 columns (fewer than rows), "
            "and y with a number for each row."
        )
    if min(X.std(axis=0).min(), y.std()) < 1e-6 or np.linalg.matrix_rank(X - X.mean(axis=0)) < X.shape[1]:
        return "No constant columns, please, and none that is a combination of the others."
    return (
        None
        if falls_along_the_path(X, y)
        else "On your data the number of features never falls while λ falls."
    )


question(
    "wrappers.11",
    "A feature that leaves",
    name="leaving",
    then="Go on: the column that leaves, does it come back, and with which sign?",
    stars=3,
    cases=Case(3),
    truth=stand_in_table(),
    checker=check_leaving,
    same=lambda a, b: close(a[0], b[0]) and close(a[1], b[1]),
    mistakes={
        "orthonormal columns": (
            "On orthonormal columns each weight is a soft threshold of its own. Can it come back to 0?",
            _random_rows(40, 4, 0, orthonormal=True),
        ),
        "two columns far apart": (
            "Who could make one of your columns superfluous? They say unlike things.",
            (
                np.c_[np.repeat([0, 1.0], 10), np.tile([0, 1.0], 10)],
                np.repeat([0, 2.0], 10) + np.tile([0, 1.0], 10),
            ),
        ),
        "the same column, twice and noisy": (
            "Two witnesses of one fact share its weight; neither leaves. What does a column need in order to "
            "stand in for two others?",
            (np.c_[np.arange(20) + 0.0, np.arange(20) + np.tile([1.0, -1], 10)], 2.0 * np.arange(20)),
        ),
        "a column that is a sum": (
            "An exact sum of two others has no weight of its own. Add a little noise to it.",
            (
                np.c_[_random_rows(30, 2, 0)[0], _random_rows(30, 2, 0)[0].sum(axis=1)],
                _random_rows(30, 2, 0)[1],
            ),
        ),
    },
    hints=[
        "Which feature left the path in section 9.8, and whose work did it do before?",
        "To leave, a weight has to come back to 0. What if a column correlates with y upwards, and its "
        "least-squares weight points down?",
    ],
)

# ---- 12: predict, then run

reasoned(
    "wrappers.12",
    "True or false",
    name="true_or_false",
    core=True,
    then="Go on: for one of the false ones, change a word and make it true.",
    cases=Case(1, "your list"),
    secret=True,
    truth=([False, False, True, True, False, True, False, True, False, True], 3),
    same=same_labels,
    because=Because(
        "**Why** is statement 5 true, or false?",
        {
            "True: the penalty grows with λ until it leaves a weight no room.": (
                "How hard does the square of a weight pull when the weight is nearly 0?"
            ),
            ("True: a weight smaller than λ is cut off, as each penalty does it in the end."): (
                "That is soft thresholding. Which penalty does it belong to?"
            ),
            ("False: the pull of a square fades near 0, so weights shrink and do not arrive."): None,
            (
                "False: the weights become 0 all at the same λ, not one after the other."
            ): "At which λ would that be?",
        },
    ),
    mistakes={
        "greedy taken for optimal": (
            "The first statement: did the best six measurements contain the best five?",
            [True, False, True, True, False, True, False, True, False, True],
        ),
        "units matter to least squares": (
            "The second: multiply a column by 1000. What happens to its weight, and to the prediction?",
            [False, True, True, True, False, True, False, True, False, True],
        ),
        "units matter to nobody": (
            "The third and fourth: who looks at the size of a weight?",
            [False, False, False, False, False, True, False, True, False, True],
        ),
        "ridge selects": (
            "The fifth: multiply a number by a positive share, as often as you like. When does it vanish?",
            [False, False, True, True, True, True, False, True, False, True],
        ),
        "the path is monotone": (
            "The seventh: look at the path of section 9.8 once more.",
            [False, False, True, True, False, True, True, True, False, True],
        ),
        "C is enough": (
            "The ninth: which penalty has a corner?",
            [False, False, True, True, False, True, False, True, True, True],
        ),
        "LVW may come back with nothing": (
            "The eighth: what does LVW hold before its first try?",
            [False, False, True, True, False, True, False, False, False, True],
        ),
        "the winner's score is honest": (
            "The tenth: the smallest of many noisy numbers, is it noisy upwards or downwards?",
            [False, False, True, True, False, True, False, True, False, False],
        ),
    },
    hints=[
        "Each statement that is false has a cell in the chapter that breaks it.",
        "Which of the methods looks at the size of a weight, and which at the prediction only?",
    ],
)


reading(
    "wrappers.13",
    "A path of weights",
    name="in_the_figure",
    then="Go on: what would the path be without the column that enters first?",
    text="The Lasso's weights of six standardised features while λ falls from left to right. Which "
    "statement does the figure bear out?",
    choices={
        "A weight that grows goes on growing while λ falls.": (
            "Follow the first line that leaves 0: which way does it turn?"
        ),
        "The feature that enters first has the largest weight at the end.": (
            "Follow the first line that leaves 0 to the right end."
        ),
        "All weights are 0 at the right end.": "At which end is the penalty large?",
        "The order of entering is not the order of the sizes at the end.": None,
    },
    reasons={
        (
            "A large penalty stands at the right end, so that the weights grow with the penalty."
        ): "The axis says that λ falls to the right.",
        (
            "Weights of standardised features are p-values: the larger one is the surer one."
        ): "They are slopes; a p-value lies between 0 and 1.",
        "The first to enter stands in for correlated ones; when these come in, it shrinks.": None,
        "Standardised features share one variance, so that their weights leave 0 in a fixed order.": (
            "The correlation with the answer decides who leaves 0 first; later ones move the weights."
        ),
    },
    hints=["Which line leaves 0 first, and where does it end?"],
)


reading(
    "wrappers.14",
    "Two halves, two models",
    name="in_the_report",
    then="Go on: on a hundred random halves, how often is each gene chosen?",
    text="A report: \"The Lasso kept 9 of 400 genes on this year's patients. On last year's it "
    "kept 9 as well, but only 2 are the same. Accuracy is alike. **So one of the two data "
    'sets must be broken.**" What is wrong?',
    choices={
        (
            "The Lasso should keep all genes whose weight is not 0, in either year."
        ): "It did: these are the nine.",
        "Nothing: a good method would find the same genes on two years' patients, at like accuracy.": (
            "Are there genes that say nearly the same as others?"
        ),
        "The conclusion: among correlated genes the choice is unstable, also on sound data.": None,
        "Nine genes are too few; with 400 both years would agree.": (
            "They would agree, and nothing would be chosen."
        ),
    },
    reasons={
        (
            "Accuracy cannot be compared between two years, since the patients are other ones."
        ): "It can. What follows from its being alike?",
        (
            "The Lasso starts from random weights, and may well end in another minimum each time it runs."
        ): "Its objective is convex: where one starts does not matter.",
        "Genes that vary together take each other's place, and the prediction hardly notices.": None,
        (
            "λ falls from year to year, and with another λ the Lasso keeps other genes."
        ): "It is chosen each time, and need not fall.",
    },
    hints=["What happens to the weights when a column is stored twice, with a little noise?"],
)


RIDGE_WEIGHTS = Notation(
    r"""
    n, d    | number       | how many samples and features         |
    X       | matrix n × d | samples in rows, columns centred      |
    y       | column n     | what is to be predicted, centred      |
    \lambda | number       | the penalty                           | `lam`
    I       | matrix       | unit matrix                           | unit matrix
    """,
    default=False,
)


def draw_ridge_weights(rng):
    n, d = int(rng.integers(6, 9)), int(rng.integers(2, 5))
    return (
        {"n": n, "d": d, "X": rng.normal(size=(n, d)), "y": rng.normal(size=n), "lam": rng.uniform(0.3, 3)},
    )


question(
    "wrappers.15",
    "The formula of ridge",
    name="ridge_weights",
    then="Another way: with n rows, Xᵀ(XXᵀ + λI)⁻¹y is the same. When is it cheaper?",
    formula=RIDGE_WEIGHTS,
    truth=r"(X^\top X + \lambda I_d)^{-1} X^\top y",
    cases=Case(1, draw=draw_ridge_weights),
    mistakes={
        "least squares": ("Where is the penalty?", r"(X^\top X)^{-1} X^\top y"),
        "minus the penalty": (
            "With a large λ your weights grow. Should they?",
            r"(X^\top X - \lambda I_d)^{-1} X^\top y",
        ),
        "half the penalty": (
            "Both terms are squares: which factor does each slope carry?",
            r"(X^\top X + \lambda I_d / 2)^{-1} X^\top y",
        ),
        "times n": (
            "That is for the mean squared error. Is the sum divided here?",
            r"(X^\top X + n \lambda I_d)^{-1} X^\top y",
        ),
        "the penalty squared": (
            "Which power of λ stands in the objective?",
            r"(X^\top X + \lambda^2 I_d)^{-1} X^\top y",
        ),
        "not inverted": ("Those are products. What is to be solved?", r"X^\top y"),
    },
    hints=["Set the gradient to nothing; both terms have one.", "Collect what stands before w, and solve."],
)
