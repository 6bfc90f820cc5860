"""Homework 5: scales, blanks, codes, buckets and leaks."""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from grading.question import Case, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.reading import Notation

NO_SCALE = ("sklearn.preprocessing",)
NO_IMPUTE = ("sklearn.impute", "helpers.methods.imputation")

# ---- 1: predict what filling with the mean does

question(
    "preprocessing.1",
    "What the mean does to a column",
    name="after_filling",
    core=True,
    then="Go on: fill by draws from the seen values instead. Which of the three ratios becomes 1, "
    "and which becomes worse?",
    cases=Case(2),
    secret=True,
    truth=[0.6, 0.6, 1],
    same=lambda a, b: close(a, b, tol=1e-6),
    mistakes={
        "counted n, not n − 1": (
            "Nearly. Both variances of the question have a divisor of their own: which?",
            [61 / 101, 61 / 101, 1],
        ),
        "nothing changes": (
            "40 of 101 values now stand at distance 0 from the mean. What does that do to a sum of squared "
            "distances?",
            [1, 1, 1],
        ),
        "the deviation for the variance": (
            "Is your first number a ratio of variances, or of their roots?",
            [0.6**0.5, 0.6**0.5, 1],
        ),
        "the slope shrinks too": (
            "A slope is a covariance over a variance. What happens to each of the two?",
            [0.6, 0.6, 0.6],
        ),
        "only the variance shrinks": (
            "At a filled row one factor of the product of deviations is 0. What does the covariance make of "
            "that?",
            [0.6, 1, 1 / 0.6],
        ),
        "squared twice": (
            "How often does the factor enter? Count it on paper with three values, one of them blank.",
            [0.36, 0.6, 1 / 0.6],
        ),
    },
    hints=[
        "Write out the sum of squares before and after. Which terms are new, and how large are they?",
        "Equation (5.2) of the chapter, and (5.11) of its second notebook.",
    ],
)

# ---- 2: repair the z-score

UNITS = np.array([1.0, 100.0, 0.01])
FITTED_ON_ALL = {
    "fitted on all rows": (
        "May the new rows help to decide how they are measured?",
        dict(learn=lambda train, test: np.vstack([train, test])),
    ),
}


def draw_elsewhere(rng):
    """Few training rows, new rows from another place."""
    centre = rng.normal(size=3) * 20
    return (centre + rng.normal(size=(6, 3))) * UNITS, (centre + 2 + rng.normal(size=(4, 3))) * UNITS


def draw_constant(rng):
    """Six times 0.1: rounding gives it a deviation that is not 0."""
    train, test = draw_elsewhere(rng)
    train[:, 1] = test[:, 1] = 0.1
    test[0, 1] = 0.6
    return train, test


def draw_one_row(rng):
    train, test = draw_elsewhere(rng)
    return train, test[:1]


def zscore(
    train,
    test,
    learn=lambda train, test: train,
    centre=lambda X: X.mean(axis=0),
    scale=lambda X: X.std(axis=0),
    guard=lambda s, X: np.where(np.ptp(X, axis=0) == 0, 1, s),
):
    X = learn(train, test)
    return (test - centre(X)) / guard(scale(X), X)


question(
    "preprocessing.2",
    "A broken z-score",
    core=True,
    then="Go on: a column that is constant in training and not in the new rows: what should its score be?",
    stars=2,
    truth=zscore,
    forbids=NO_SCALE,
    cases=[
        Case(2, "new rows from another place", draw_elsewhere),
        Case(1, "a column that is constant", draw_constant),
        Case(1, "a single new row", draw_one_row),
    ],
    mistakes={
        "the constant column all 0": (
            "A column was constant in training, and is something else now. Does your number show it?",
            lambda train, test: np.where(np.ptp(train, axis=0) == 0, 0, zscore(train, test)),
        ),
        "refit on the new rows": (
            "What would you do with a single new row? It is not average just because it is alone.",
            dict(learn=lambda train, test: test),
        ),
        **FITTED_ON_ALL,
        "divided by the variance": (
            "Scale the training rows by your code and look at their deviations: are they 1? Which units do "
            "they have?",
            dict(scale=lambda X: X.var(axis=0)),
        ),
        "one mean for the table": (
            "Look at each column's mean afterwards, not at the table's.",
            dict(centre=lambda X: X.mean()),
        ),
        "the constant column": (
            "What should a column become that never varied? Print np.std([0.1] * 6): is that 0 to the last "
            "digit?",
            dict(guard=lambda s, X: s),
        ),
        "the other divisor": (
            "pandas and NumPy divide by different numbers. Which one does the question define?",
            dict(scale=lambda X: X.std(axis=0, ddof=1)),
        ),
        "not centred": ("The scale is right. Where is the mean?", dict(centre=lambda X: 0)),
        "a little added to the deviation": (
            "Nearly. Is your divisor the deviation itself, for every column that varies?",
            dict(guard=lambda s, X: s + 1e-3),
        ),
        "everything at once, as in the broken code": (
            "Start with what is learnt, and from which rows. Then the divisor.",
            dict(learn=lambda train, test: test, scale=lambda X: X.var(axis=0), guard=lambda s, X: s),
        ),
    },
    hints=[
        "Print mean and deviation of zscore(train, train), column by column.",
        "Three things are wrong: from which rows it learns, what it divides by, and what it does with a "
        "column that never varies.",
    ],
)

# ---- 3: min–max


def draw_other_range(rng):
    p = rng.uniform(-3, 1)
    train, test = draw_elsewhere(rng)
    return -train, -test, p, p + rng.uniform(1, 4)  # beyond the other end


def minmax(
    train,
    test,
    p,
    q,
    learn=lambda train, test: train,
    stretch=lambda p, q: q - p,
    start=lambda p, q: p,
    finish=lambda Z, p, q: Z,
):
    low, high = learn(train, test).min(axis=0), learn(train, test).max(axis=0)
    share = np.divide(test - low, high - low, out=np.zeros(test.shape), where=high > low)
    return finish(start(p, q) + share * stretch(p, q), p, q)


def _brackets_lost(train, test, p, q):
    low, high = train.min(axis=0), train.max(axis=0)
    return (test - low) / high - low * (q - p) + p


def _unguarded(train, test, p, q):
    return (test - train.min(axis=0)) / np.ptp(train, axis=0) * (q - p) + p


def _one_range(train, test, p, q):
    return (test - train.min()) / (train.max() - train.min()) * (q - p) + p


question(
    "preprocessing.3",
    "Onto a range",
    then="Go on: one giant value among the training rows. What becomes of all the others?",
    stars=2,
    truth=minmax,
    forbids=NO_SCALE,
    cases=[
        Case(1, "the range from 0 to 1", lambda rng: (*draw_elsewhere(rng), 0.0, 1.0)),
        Case(1, "another range", draw_other_range),
        Case(1, "a column that is constant", lambda rng: (*draw_constant(rng), -1.0, 1.0)),
    ],
    mistakes={
        "the constant column in the middle": (
            "A column was constant in training. Which end of the range is asked for?",
            lambda train, test, p, q: np.where(
                np.ptp(train, axis=0) == 0, (p + q) / 2, minmax(train, test, p, q)
            ),
        ),
        "brackets lost": (
            "Do the training rows' ends land on p and q? Read your formula as Python reads it.",
            _brackets_lost,
        ),
        "refit on the new rows": (
            "The same bird, measured in other company, should get the same number.",
            dict(learn=lambda train, test: test),
        ),
        **FITTED_ON_ALL,
        "one range for the table": ("Each column has ends of its own.", _one_range),
        "clipped": (
            "A value beyond the training rows' ends: is it the same as one on the end? The question says.",
            dict(finish=np.clip),
        ),
        "stretched by q": ("Where does the maximum land when p is not 0?", dict(stretch=lambda p, q: q)),
        "p forgotten": (
            "Right on one range. Where does the minimum land on another?",
            dict(start=lambda p, q: 0),
        ),
        "the constant column": (
            "A column that never varied has no width. What does your formula divide by?",
            _unguarded,
        ),
    },
    hints=[
        "First onto [0, 1], then stretch, then shift.",
        "A column without width lies at share 0 everywhere.",
    ],
)

# ---- 4: rows of length one


def draw_zero_row(rng):
    X = rng.normal(size=(4, 3))
    X[2] = 0
    X[0] /= 1000
    return X, 2


def unit_rows(
    X, p, axis=1, size=np.abs, root=lambda s, p: s ** (1 / p), guard=lambda s: np.where(s > 0, s, np.inf)
):
    return X / guard(root((size(X) ** p).sum(axis=axis, keepdims=True), p))


question(
    "preprocessing.4",
    "Rows of length one",
    then="Go on: for two rows of length one with p = 2, what does their distance say about the angle "
    "between them?",
    truth=unit_rows,
    forbids=NO_SCALE,
    cases=[
        Case(1, "rows of any sign", lambda rng: (rng.normal(size=(5, 4)) * 3, int(rng.integers(1, 3)))),
        Case(0.5, "an odd power", lambda rng: (rng.normal(size=(4, 4)) * 3, 3)),
        Case(0.5, "a row of zeros", draw_zero_row),
    ],
    mistakes={
        "columns for rows": ("Is it each sample or each attribute that must have length 1?", dict(axis=0)),
        "no absolute value": (
            "With p = 1, or 3, what do a plus and a minus do to each other?",
            dict(size=lambda X: X, guard=lambda s: np.where(s == 0, 1, s)),
        ),
        "the root forgotten": ("Your row (3, 4) would be divided by 25.", dict(root=lambda s, p: s)),
        "always the Euclidean length": (
            "Right for one p. Which lengths do your rows have for another?",
            lambda X, p: unit_rows(X, 2),
        ),
        "the zero row": (
            "Which direction has the zero row? The question says what becomes of it.",
            dict(guard=lambda s: s),
        ),
        "the largest value": (
            "Divided by the largest entry: for which p would that be right?",
            lambda X, p: X / np.where((m := np.abs(X).max(axis=1, keepdims=True)) == 0, 1, m),
        ),
        "the whole table's length": (
            "One number for all rows keeps long rows long.",
            lambda X, p: X / np.linalg.norm(X),
        ),
    },
    hints=[
        "keepdims=True keeps the lengths in a column, so that they divide rows.",
        "The definition is (5.17).",
    ],
)

# ---- 5: fill blanks


def draw_spotty(rng, n=30, m=6, share=0.3):
    """Two classes that differ, blanks in both parts, columns far from 0 and from each other."""
    y = rng.permutation(np.arange(n) % 2)
    X = np.array([50.0, -20.0, 7.0]) + rng.normal(size=(n + m, 3)) * [5, 1, 3]
    X[:n] += 4 * y[:, None]
    X = np.where(rng.uniform(size=X.shape) < share, np.nan, X)
    X[0], X[1] = np.nan_to_num(X[0], nan=1.0), np.nan_to_num(X[1], nan=2.0)
    X[n:, 0] = np.nan
    X[-1] = [np.nan, 9, np.nan]
    return X[:n], y, X[n:]


def draw_spotty_row(rng):
    train, y, new = draw_spotty(rng)
    return train, y, new[:1]


def fill(train, y, new):
    rows = np.vstack([train, new])
    return np.where(np.isnan(rows), np.nanmean(train, axis=0), rows)


def filled_by(filler):
    """fill with another filler; `filler` gets train, new."""

    def answer(train, y, new):
        rows = np.vstack([train, new])
        return np.where(np.isnan(rows), filler(train, new), rows)

    return answer


def _fill_by_class(train, y, new):
    out = fill(train, y, new)
    for c in (0, 1):
        rows = np.flatnonzero(y == c)
        out[rows] = fill(train[rows], y, train[rows])[: len(rows)]
    return out


def _each_part_by_itself(train, y, new):
    with np.errstate(all="ignore"):
        means = np.where(
            np.isnan(new).all(axis=0), 0, np.nansum(new, axis=0) / np.maximum((~np.isnan(new)).sum(axis=0), 1)
        )
    return np.vstack([fill(train, y, new)[: len(train)], np.where(np.isnan(new), means, new)])


def _searched_with_equals(train, y, new):
    rows = np.vstack([train, new])
    rows[rows == np.nan] = 0
    return rows


question(
    "preprocessing.5",
    "Fill the blanks",
    core=True,
    then="Another way: predict each blank from the other columns (section 5.6). What does that "
    "assume about why it is blank?",
    stars=2,
    truth=fill,
    forbids=NO_IMPUTE,
    cases=[Case(3, "six new rows", draw_spotty), Case(1, "a single new row", draw_spotty_row)],
    mistakes={
        "searched with ==": (
            "NaN equals nothing, not even itself. How do you find it?",
            _searched_with_equals,
        ),
        "blanks averaged as 0": (
            "Average only what was seen: 50, 50 and a blank make 50.",
            filled_by(lambda train, new: np.nan_to_num(train).mean(axis=0)),
        ),
        "class means": ("Which information does your filler use that a new row lacks?", _fill_by_class),
        "the median": (
            "A filler that no outlier moves: sensible, but which number does the question ask for?",
            filled_by(lambda train, new: np.nanmedian(train, axis=0)),
        ),
        "new rows filled by themselves": (
            "And if a column of the new rows holds no value at all?",
            _each_part_by_itself,
        ),
        "means of all rows": (
            "May the new rows help to decide what fills the training rows?",
            filled_by(lambda train, new: np.nanmean(np.vstack([train, new]), axis=0)),
        ),
        "one mean for the table": (
            "A flipper filled with an average of flippers and masses?",
            filled_by(lambda train, new: np.nanmean(train)),
        ),
        "rows with blanks left out": (
            "You average the complete rows only. What of the values in the others?",
            filled_by(lambda train, new: train[~np.isnan(train).any(axis=1)].mean(axis=0)),
        ),
        "the row's own mean": (
            "You average along the row: numbers in unlike units.",
            lambda train, y, new: np.where(
                np.isnan(r := np.vstack([train, new])), np.nanmean(r, axis=1, keepdims=True), r
            ),
        ),
        "filled with 0": (
            "A bird of mass 0? What does a typical value look like?",
            filled_by(lambda train, new: 0),
        ),
    },
    hints=[
        "np.isnan finds blanks; np.nanmean skips them.",
        "Who may decide about the filler: all rows, or some?",
    ],
)

# ---- 6: repair bucket


def draw_incomes(rng):
    edges = np.sort(rng.uniform(0, 100, size=rng.integers(2, 6)))
    return rng.uniform(-20, 120, size=12), edges


def draw_on_edges(rng):
    edges = np.sort(rng.choice(50, size=4, replace=False)).astype(float)
    return np.concatenate([edges, [edges[0] - 1, edges[-1] + 1]]), edges


def buckets(a, edges):
    return (a[:, None] >= edges).sum(axis=1)


def _equal_width(a, edges):
    inner = np.linspace(edges.min(), edges.max(), len(edges) + 1)[1:]
    return (a[:, None] >= inner).sum(axis=1)


question(
    "preprocessing.6",
    "A broken bucket",
    then="Go on: choose the edges so that each bucket holds equally many training values.",
    truth=buckets,
    forbids=NO_SCALE,
    cases=[
        Case(1, "numbers between the edges", draw_incomes),
        Case(1, "numbers on the edges", draw_on_edges),
    ],
    mistakes={
        "the edge on the wrong side": (
            "A number on an edge: on which side is equality? And where does one go that equals the last "
            "edge?",
            lambda a, edges: np.searchsorted(edges, a, side="left"),
        ),
        "one bucket too few": (
            "How many buckets do two edges make? Count the open ends.",
            lambda a, edges: np.minimum(buckets(a, edges), len(edges) - 1),
        ),
        "numbered from 1": (
            "The lowest bucket has a number of its own in the question.",
            lambda a, edges: buckets(a, edges) + 1,
        ),
        "counted from above": (
            "Which bucket do the smallest numbers get?",
            lambda a, edges: (a[:, None] < edges).sum(axis=1),
        ),
        "below the first edge is −1": (
            "What number does the question give to what lies below the first edge?",
            lambda a, edges: buckets(a, edges) - 1,
        ),
        "equal widths": ("The edges are given. You made your own.", _equal_width),
    },
    hints=[
        "Try it by hand with the edges 10 and 20 and the numbers 5, 10, 15, 20, 25.",
        "How many edges has the number reached?",
    ],
)

# ---- 7: distances between names and numbers


def draw_many_names(rng):
    names = rng.permutation(np.concatenate([list("abcdefg"), rng.choice(list("abc"), size=5)]))
    return names, rng.normal(size=12) / 1000


def gaps(names, sizes):
    z = sizes / sizes.std()  # where 0 lies does not matter to distances
    return 2 * (names[:, None] != names) + (z[:, None] - z) ** 2


def _codes(names):
    return np.unique(names, return_inverse=True)[1]


def gaps_with(
    names,
    sizes,
    codes=lambda names: np.eye(len(set(names)))[_codes(names)],
    centre=np.mean,
    scale=np.std,
    power=2,
):
    """gaps with one part exchanged."""
    rows = np.column_stack([codes(names), (sizes - centre(sizes)) / scale(sizes)])
    return (np.abs(rows[:, None] - rows) ** power).sum(axis=2)


question(
    "preprocessing.7",
    "How far apart are two names?",
    then="Go on: what distance should two rows have that share a name nobody else has?",
    stars=2,
    truth=gaps,
    parts=gaps_with,
    forbids=(*NO_SCALE, "sklearn.metrics"),
    cases=[
        Case(
            2,
            "four colours",
            lambda rng: (
                rng.permutation(np.repeat(["red", "green", "blue", "black"], [4, 3, 3, 2])),
                300 + 40 * rng.normal(size=12),
            ),
        ),
        Case(1, "seven names and tiny numbers", draw_many_names),
    ],
    mistakes={
        "numbers for names": (
            "Is the fourth name farther from the first than from the third? Relabel them and see.",
            dict(codes=lambda names: _codes(names)[:, None]),
        ),
        "one name without a bit": (
            "Two of your names are nearer than any other two. Which one lost its bit?",
            dict(codes=lambda names: np.eye(len(set(names)))[_codes(names)][:, 1:]),
        ),
        "not standardised": (
            "In which units is the size? Try it in millimetres and in metres.",
            dict(centre=lambda s: 0, scale=lambda s: 1),
        ),
        "divided by the variance": ("Look at the deviation of your scaled sizes.", dict(scale=np.var)),
        "the other divisor": (
            "Which divisor has the deviation in the question?",
            dict(scale=lambda s: s.std(ddof=1)),
        ),
        "the root taken": (
            "The question asks for squared distances.",
            lambda names, sizes: np.sqrt(gaps(names, sizes)),
        ),
        "city-block distance": ("Differences are to be squared, not only made positive.", dict(power=1)),
        "different names count 1": (
            "How many bits differ between the codes of two names?",
            lambda names, sizes: gaps(names, sizes) - (names[:, None] != names),
        ),
    },
    hints=[
        "np.unique(names, return_inverse=True) numbers the names; np.eye makes bits of numbers.",
        "Names that differ: see (5.5).",
    ],
)

# ---- 8: cross-fitted target encoding


def _dealt(rng, towns, y, folds):
    """The rows in a random order, dealt into folds of unequal size, with the weight of the pull."""
    order = rng.permutation(len(towns))
    fold = rng.permutation(np.append(np.arange(len(towns) - 2) % folds, [0, 0])) + 1
    return towns[order], y[order], fold, float(rng.integers(1, 6)) / 2


def draw_towns(rng):
    towns = np.repeat(np.arange(4) + 3, [7, 6, 5, 4])
    return _dealt(rng, towns, rng.integers(0, 2, size=len(towns)).astype(float), 4)


def draw_lonely(rng):
    towns = np.concatenate([[11, 12, 13], np.repeat([5, 7], 5)])
    return _dealt(rng, towns, rng.uniform(size=len(towns)).round(2), 3)


def target_encode(c, y, fold, m):
    code = np.empty(len(y))
    for k in np.unique(fold):
        own, rest = fold == k, fold != k
        alike = c[own, None] == c[rest]
        code[own] = (alike @ y[rest] + m * y[rest].mean()) / (alike.sum(axis=1) + m)
    return code


def _encode(
    c,
    y,
    fold,
    m,
    seen=lambda fold: fold[:, None] != fold,
    town=lambda c: c[:, None] == c,
    mean=lambda outside, y: outside @ y / outside.sum(axis=1),
    code=lambda total, count, mean, m: (total + m * mean) / (count + m),
):
    """target_encode with one part exchanged."""
    outside = seen(fold)
    alike = outside & town(c)
    return code(alike @ y, alike.sum(axis=1), mean(outside, y), m)


question(
    "preprocessing.8",
    "A code for a thousand towns",
    core=True,
    then="Cost: out-of-fold codes need one pass per fold. What code does a town get that only new rows have?",
    stars=3,
    truth=target_encode,
    parts=_encode,
    forbids=NO_SCALE,
    cases=[
        Case(2, "towns with several rows", draw_towns),
        Case(2, "towns that one fold alone has seen", draw_lonely),
    ],
    mistakes={
        "leave one out": (
            "You leave out one row, itself. In a town of n rows with the sum S your code is about "
            "(S − y) / (n − 1): two values. Which of them do the ones get, and what will a tree do with "
            "that?",
            dict(seen=lambda fold: ~np.eye(len(fold), dtype=bool)),
        ),
        "leave one out, and the folds' mean": (
            "The pull comes from the other folds, well. And the town's own labels: from the other folds, or "
            "from all rows but one?",
            lambda c, y, fold, m: _encode(
                c,
                y,
                fold,
                m,
                seen=lambda fold: ~np.eye(len(fold), dtype=bool),
                mean=lambda outside, y: (fold[:, None] != fold) @ y / (fold[:, None] != fold).sum(axis=1),
            ),
        ),
        "the row's own label": (
            "Each row helped to make its own code. What is the code of a town with a single row, and what "
            "does it tell?",
            dict(seen=lambda fold: np.ones((len(fold), len(fold)), bool)),
        ),
        "its own fold": (
            "You look into the row's own fold. Whose labels stand there?",
            dict(seen=lambda fold: fold[:, None] == fold),
        ),
        "pulled to the mean of all rows": (
            "Towards which mean do you pull? A row's own fold has labels in yours.",
            dict(mean=lambda outside, y: y.mean()),
        ),
        "no pull": (
            "One neighbour in another fold, and the code is that neighbour's label. What is m for?",
            dict(code=lambda total, count, mean, m: np.where(count > 0, total / np.maximum(count, 1), mean)),
        ),
        "pulled to 0": (
            "You count m rows more. Which label do they have?",
            dict(code=lambda total, count, mean, m: total / (count + m)),
        ),
        "one imaginary row": (
            "How many imaginary rows does the question ask for? Try it with another m.",
            dict(code=lambda total, count, mean, m: (total + mean) / (count + 1)),
        ),
        "the sum for the mean": (
            "A large town gets a large code, whatever its labels.",
            dict(code=lambda total, count, mean, m: total + m * mean),
        ),
        "everybody gets the mean": (
            "Your code does not look at the town.",
            dict(code=lambda total, count, mean, m: mean),
        ),
        "the other towns": (
            "Same or other: which rows are like this one?",
            dict(town=lambda c: c[:, None] != c),
        ),
    },
    hints=[
        "For row i: which rows have another fold and the same town? There may be none.",
        "Test it on coin tosses, with a tree that sees the code: a code that predicts them knows too much.",
    ],
)

# ---- 9: a column that VarianceThreshold drops


def quiet_table(scale=0.01, noise=0.0, n=200, flip=0.0, seed=0, rare=False):
    """A decisive column of this size beside two loud and useless ones."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 200 == 0).astype(int) if rare else np.arange(n) % 2
    decisive = np.where(rng.uniform(size=n) < flip, 1 - y, y)
    return np.column_stack([rng.normal(size=(n, 2)), scale * (decisive + noise * rng.normal(size=n))]), y


def check_quiet(got):
    X, y = numbers(got[0]), np.asarray(got[1])
    if (
        X is None
        or X.ndim != 2
        or y.shape != X.shape[:1]
        or not 100 <= len(X) <= 2000
        or not 2 <= X.shape[1] <= 10
    ):
        return "Return X with 100 to 2000 rows and 2 to 10 columns, and y with a label for each row."
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) != 2 or counts.min() < 0.4 * len(y):
        return "Two classes, please, neither with less than 40 % of the rows."
    dropped = X.var(axis=0) <= 1e-3
    if dropped.sum() != 1:
        return (
            f"The threshold drops {dropped.sum()} of your columns. It should be one, and another should stay."
        )
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    tree = DecisionTreeClassifier(max_depth=5, random_state=0)
    all_of_it, left = (100 * cross_val_score(tree, Z, y, cv=folds).mean() for Z in (X, X[:, ~dropped]))
    if all_of_it >= 95 and left <= 62:
        return None
    return (
        f"A tree is right in {all_of_it:.0f} % with all columns and in {left:.0f} % after the threshold. "
        "Make that at least 95 and at most 62."
    )


question(
    "preprocessing.9",
    "Quiet and decisive",
    name="quiet_column",
    then="Go on: standardise first. What does a threshold on the variance say then?",
    stars=2,
    cases=Case(3),
    truth=quiet_table(),
    checker=check_quiet,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "loud enough to stay": (
            "Your decisive column stays. On what does its variance depend, besides what it says?",
            quiet_table(scale=1),
        ),
        "quiet and useless": (
            "The column is dropped, and rightly so: it decides nothing. What should it be made of?",
            quiet_table(flip=0.5),
        ),
        "a rare flag": (
            "A rare flag is quiet as well. But then one class has almost no rows; find another way to be "
            "quiet.",
            quiet_table(rare=True, scale=1, n=1999),
        ),
        "the noise drowns it": ("The column knows the class, but not surely enough.", quiet_table(noise=1.0)),
        "the answer stands twice": (
            "After the threshold the tree still knows. Who told it?",
            (np.column_stack([quiet_table()[0], quiet_table()[1]]), quiet_table()[1]),
        ),
    },
    hints=["In which unit would a flipper of 19 cm have a tiny variance?", "The other columns may be noise."],
)

# ---- 10: find the leaks

reasoned(
    "preprocessing.10",
    "Find the leaks",
    name="leaks",
    core=True,
    then="Go on: which of the four leaks would a pipeline have cured, and which not?",
    stars=2,
    cases=Case(2, "your list"),
    secret=True,
    same=same_labels,
    truth=([True, False, True, False, True, True], 4),
    because=Because(
        "**Why** does estimate 3 leak, or not?",
        {
            "It does not: the mean of a whole class says little about a single row.": (
                "A blank of a test row now holds the mean of its class. What can a classifier read there?"
            ),
            "It does not: the labels stand in the table, so they may be used.": (
                "Will they stand there for tomorrow's rows?"
            ),
            "It does, but a pipeline that fills by class inside each fold would do the same.": (
                "A pipeline meets a test row without its label. By which class would it fill?"
            ),
            "It does: what is filled into a test row tells that row's own label.": None,
        },
    ),
    mistakes={
        "the first passes": (
            "The first estimate: did test rows have a say in a number that training rows were given?",
            [False, False, True, False, True, True],
        ),
        "everything leaks": (
            "Two of the six let nothing of a test row reach another row. Which?",
            [True] * 6,
        ),
        "nothing leaks": (
            "Ask of each step: what would change if the test rows had other values, or other labels?",
            [False] * 6,
        ),
        "only labels leak": (
            "A mean of all rows has seen the test rows, though no label. Is that nothing?",
            [False, False, True, False, False, True],
        ),
        "the pipeline is suspected": (
            "Inside cross_val_score, on which rows is a pipeline fitted?",
            [True, True, True, False, True, True],
        ),
        "rows scaled by themselves": (
            "What does a row's own length know about other rows?",
            [True, False, True, True, True, True],
        ),
        "class means pass": (
            "With whose labels were the test rows filled?",
            [True, False, False, False, True, True],
        ),
        "copies pass": ("Where can the two copies of a row end up?", [True, False, True, False, False, True]),
        "buckets pass": (
            "Who chose the edges, and which labels had they seen?",
            [True, False, True, False, True, False],
        ),
    },
    hints=[
        "Change a test row in your mind. Does anything change that the learner sees before the test?",
        "A step that looks at one row at a time cannot leak.",
    ],
)

# ---- 11: Rubin's rules


def draw_answers(rng):
    M = int(rng.integers(3, 8))
    return rng.normal(size=M) + 5, rng.uniform(0.1, 0.5, size=M)


def rubin(
    theta, U, B=lambda t: t.var(ddof=1), within=np.mean, factor=lambda M: 1 + 1 / M, finish=lambda T: T
):
    return np.array([theta.mean(), finish(within(U) + factor(len(theta)) * B(theta))])


question(
    "preprocessing.11",
    "Pool what disagrees",
    then="Go on: what is left of the total variance when M grows without end?",
    stars=2,
    truth=rubin,
    forbids=NO_IMPUTE,
    cases=[
        Case(2, "several tables", draw_answers),
        Case(
            1,
            "two tables that disagree much",
            lambda rng: (rng.normal(size=2) * 3, rng.uniform(0.1, 0.5, size=2)),
        ),
    ],
    mistakes={
        "within only": ("Your M answers disagree: is that no uncertainty?", dict(factor=lambda M: 0)),
        "between only": ("Even complete data would leave an error. Where is it?", dict(within=lambda U: 0)),
        "M taken for infinite": (
            "With two tables or two hundred, you add the same. Which of them is more certain?",
            dict(factor=lambda M: 1),
        ),
        "the mean's error only": (
            "More and more tables would make your second term vanish. Would the blanks be known then?",
            dict(factor=lambda M: 1 / M),
        ),
        "divided by M": ("M answers and their mean: how many free differences are left?", dict(B=np.var)),
        "the best table": (
            "You kept one answer. What did the others try to tell you?",
            lambda theta, U: np.array([theta[U.argmin()], U.min()]),
        ),
        "squared again": (
            "U is squared already. In which units is your first term?",
            dict(within=lambda U: np.mean(U**2)),
        ),
        "the root": ("The question asks for the variance. In which units is yours?", dict(finish=np.sqrt)),
        "deviations for variances": (
            "B is to be a variance. In which units is yours?",
            dict(B=lambda t: t.std(ddof=1)),
        ),
        "the errors of the mean": (
            "U does not shrink with M: every table is made from the same rows.",
            dict(within=lambda U: U.mean() / len(U)),
        ),
    },
    hints=["Two terms: what complete data would leave open, and what the blanks add.", "Equation (5.4)."],
)


reading(
    "preprocessing.12",
    "A column before and after",
    name="in_the_figure",
    then="Go on: fill by draws from the seen values. What happens to the correlation with another column?",
    text="Two histograms of one column: the values that are seen, and the column after its blanks "
    "were filled. How were the blanks filled, and what does it do to the column's variance?",
    choices={
        "With their mean; the variance becomes larger, since there are more values.": (
            "Which squared distances from the mean were added?"
        ),
        (
            "They were left out, as blanks are by default; so the variance stays as it was."
        ): "Count the values: the second histogram has more.",
        "With their mean; the variance becomes smaller than that of the seen values.": None,
        (
            "With draws from the seen values; the variance stays, up to some chance."
        ): "Where would a spike at one place come from?",
    },
    reasons={
        "More values always have a larger variance, since each of them adds a square to the sum.": (
            "Add a hundred copies of the mean to a column of three: what happens?"
        ),
        "A spike is an outlier, and outliers weigh most where distances are squared.": (
            "An outlier lies far from the mean. Where does the spike lie?"
        ),
        (
            "The mean of the filled column is another one, and so are all distances from it."
        ): "The mean stays where it was. Compute it.",
        "Filled values lie at the mean: they add to the count, nothing to the sum of squares.": None,
    },
    hints=["What is the sum of squared deviations before, and after?"],
)


reading(
    "preprocessing.13",
    "The towns of a bank",
    name="in_the_report",
    then="Go on: leave each customer's own label out of the town's mean. Is the leak gone?",
    text='A report: "3000 customers of 900 towns. We replaced each town by the mean of the label '
    "over **all its customers**, and cross-validated a logistic regression on that single "
    "column: AUC 0.86. With a random town for each customer it is 0.84. **So towns matter a "
    'little.**" What is wrong?',
    choices={
        "900 towns should be one-hot coded, or nothing can be said of what they are worth.": (
            "That would do, too. But first: what is in the code?"
        ),
        "Both numbers are inflated: each customer's own label is part of its code.": None,
        (
            "AUC cannot be computed for one column alone: it compares two rankings of rows."
        ): "It can: any score has one.",
        (
            "Nothing: 0.86 is more than 0.84, and both numbers were cross-validated alike."
        ): "Why do random towns give 0.84, and not 0.5?",
    },
    reasons={
        "Random towns are a bad control: with so many customers they should give more than real ones.": (
            "They know nothing of the label. Which AUC should an honest code give?"
        ),
        "Logistic regression needs standardised columns, or its penalty decides the order.": (
            "Scaling one column changes no order of its values."
        ),
        (
            "The label has two classes only, and the mean of two classes is one of few values."
        ): "With more values it would leak as well.",
        "A town with few customers is coded by nearly the very label that is to be predicted.": None,
    },
    hints=["What is the code of a town with a single customer?"],
)


POOLED_VARIANCE = Notation(
    r"""
    M        | number       | how many filled tables                    |
    \theta   | column M     | the estimates, one from each table        | `theta`
    \theta_m | number       | the estimate from table $m$               | entry of \theta
    U        | column M     | their variances                           |
    U_m      | number       | the variance from table $m$               | entry of U
    """,
    default=False,
)


WITHIN = r"\frac1M \sum_{m=1}^M U_m"
FEW_TABLES = r"\left(1 + \frac1M\right)"
SQUARES = r"\sum_{m=1}^M \left(\theta_m - \frac1M \sum_{l=1}^M \theta_l\right)^2"


def draw_pooled_variance(rng):
    M = int(rng.integers(3, 8))
    return (dict(M=M, theta=rng.normal(size=M), U=rng.uniform(0.2, 2, size=M)),)


question(
    "preprocessing.14",
    "The formula of a pooled variance",
    name="pooled_variance",
    then="Go on: which part of it vanishes when all tables agree?",
    formula=POOLED_VARIANCE,
    truth=rf"{WITHIN} + {FEW_TABLES} \frac{{1}}{{M - 1}} {SQUARES}",
    cases=Case(1, draw=draw_pooled_variance),
    mistakes={
        "within only": ("Your answers disagree from table to table: that is uncertainty too.", WITHIN),
        "between only": (
            "Each table alone would leave uncertainty as well.",
            rf"{FEW_TABLES} \frac{{1}}{{M - 1}} {SQUARES}",
        ),
        "finitely many tables forgotten": (
            "With few tables the mean of the estimates is uncertain itself. Where is that?",
            rf"{WITHIN} + \frac{{1}}{{M - 1}} {SQUARES}",
        ),
        "divided by M": (
            "The mean was estimated from the same estimates. What is the divisor then?",
            rf"{WITHIN} + {FEW_TABLES} \frac{{1}}{{M}} {SQUARES}",
        ),
        "sum for mean": (
            "Ten tables instead of five: should the variance within double?",
            rf"\sum_{{m=1}}^M U_m + {FEW_TABLES} \frac{{1}}{{M - 1}} {SQUARES}",
        ),
    },
    hints=[
        "Two parts: how uncertain each table is, and how far the tables disagree.",
        "The second part is a variance with its usual divisor, times a little more than once.",
    ],
)
