"""Homework 1: k nearest neighbours and the curse of dimensionality."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from grading.question import Case, Task, question
from grading.reasons import reading
from helpers.comparing import close, same_labels
from helpers.datasets import load_wine
from helpers.reading import Notation

OWN_WORK = ("sklearn.neighbors",)


def close_enough(a, b):
    """Equal to the digits of single precision: no text asks for more."""
    return close(a, b, tol=1e-5)


# ---- 1: by hand

question(
    "knn.1",
    "Three neighbours, four answers",
    name="answers_1",
    core=True,
    then="Go on: at which query between 3 and 7 does the weighted vote turn from red to blue?",
    cases=Case(2),
    secret=True,
    truth=[20, 22, 1.5, 1],  # mean, weighted mean, weight for red, weight for blue
    mistakes={
        "all five points vote": (
            "You asked all five points. How many neighbours does k = 3 allow?",
            [32, 25.714, 1.5, 1.4167],
        ),
        "every neighbour weighs the same in the second answer": (
            "Two of your answers agree. Should the closest neighbours not pull the weighted mean towards "
            "themselves?",
            [20, 20, 1.5, 1],
        ),
        "weights grow with the distance": (
            "Your far neighbours speak loudest. What is 1/d for a large d?",
            [20, 17.5, 3, 1],
        ),
        "weights are not divided by their sum": (
            "Multiply every distance by 10: a weighted mean should not move, yours does.",
            [20, 55, 1.5, 1],
        ),
        "votes are counted, not weighed": (
            "Your third and fourth answers are whole numbers. How much does each vote weigh?",
            [20, 22, 2, 1],
        ),
        "shares in place of sums": (
            "Your third and fourth answers add up to one. Asked for are the sums of the weights.",
            [20, 22, 0.6, 0.4],
        ),
    },
    same=lambda a, b: close(a, b, tol=1e-4),
    hints=[
        "Draw the five points on a line and mark the three nearest to 3.",
        "How far is each of the three? Write 1/d beside it before you add anything.",
    ],
)

# ---- 2: majority


def draw_votes(rng):
    """Two labels share the first place."""
    labels = np.repeat([3, 5, 7], rng.permutation([3, 3, 1]))
    return (rng.permutation(labels).tolist(),)


def draw_two_digits(rng):
    """10 shares the first place with 9, and as text it comes before it."""
    return (rng.permutation(np.repeat([7, 9, 10], [1, 3, 3])).tolist(),)


def draw_minority_winner(rng):
    """The most frequent label fills less than half, and does not stand last."""
    a, b, c = rng.permutation(5)[:3].tolist()
    return ([a, a, a, b, b, c, c],)


def most_frequent(labels):
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def _first_of_tie(votes):
    return max(votes, key=list(votes).count)


def largest_of_tie(votes):
    return max(votes, key=lambda label: (list(votes).count(label), label))


def _boyer_moore(labels):
    candidate, count = None, 0
    for label in labels:
        if count == 0:
            candidate = label
        count += 1 if label == candidate else -1
    return candidate


question(
    "knn.2",
    "Count the votes",
    name="majority",
    then="Another way: np.unique with return_counts gives sorted labels, so that argmax takes the "
    "smallest of a tie.",
    same=same_labels,
    truth=most_frequent,
    cases=[
        Case(0.5, "two winners, of whom the smaller label is asked for", draw_votes),
        Case(0.5, "9 and 10 with equally many votes", draw_two_digits),
        Case(1, "a winner with less than half of the votes", draw_minority_winner),
    ],
    mistakes={
        "a single pass with one counter": (
            "Your candidate is right only if some label fills more than half of the list. Check that before "
            "you trust it.",
            _boyer_moore,
        ),
        "the place of the largest count is returned": (
            "You found where the largest count sits. Which label belongs to that place?",
            lambda labels: np.unique(labels, return_counts=True)[1].argmax(),
        ),
        "the number of votes is returned": (
            "That is how many votes the winner has. Who is it?",
            lambda labels: np.unique(labels, return_counts=True)[1].max(),
        ),
        "of a tie the largest": (
            "Two labels have equally many votes, and you give the larger one. Which one is asked for?",
            largest_of_tie,
        ),
        "of a tie the one that comes first": (
            "Sort your list: your answer changes. Should the order of the votes decide a tie?",
            _first_of_tie,
        ),
    },
    hints=[
        "np.unique can count.",
        "Of equally frequent labels, the smallest wins: in which order do you look at them?",
    ],
)

# ---- 3: repair knn_predict


def draw_plain(rng, n=40, d=2, m=15, k=5):
    """Labels 3 and 7, unlike the places 0 and 1 of their counts."""
    X, Q = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    return X, rng.choice([3, 7], size=n), Q, k


def draw_pixels(rng):
    X, y, Q, k = draw_plain(rng, d=3)
    return (X * 60 + 128).clip(0, 255).astype(np.uint8), y, (Q * 60 + 128).clip(0, 255).astype(np.uint8), k


def draw_even_k(rng):
    """Of 9 and 10 the larger comes first as text."""
    X, _, Q, _ = draw_plain(rng, n=30, d=3)
    return X, rng.choice([7, 9, 10], size=30), Q, 4


def draw_on_a_grid(rng):
    """Small whole numbers: many rows are equally near, some of them equal, and who is first decides."""
    X, Q = rng.integers(0, 4, size=(60, 2)), rng.integers(0, 4, size=(15, 2))
    return X.astype(float), rng.choice([3, 7], size=60), Q.astype(float), 3


def knn_predict(X, y, Q, k):
    X, Q = np.asarray(X, float), np.asarray(Q, float)
    out = []
    for q in Q:
        nearest = np.argsort(((X - q) ** 2).sum(axis=1), kind="stable")[:k]
        out.append(most_frequent(y[nearest]))
    return np.array(out)


def _predict(
    X,
    y,
    Q,
    k,
    distances=lambda X, q: ((np.asarray(X, float) - q) ** 2).sum(axis=1),
    decide=most_frequent,
    first=0,
    extra=0,
    sort=lambda d: np.argsort(d, kind="stable"),
):
    """knn_predict with one part exchanged."""
    order = (sort(distances(X, q)) for q in Q)
    return np.array([decide(y[o[o < len(y)][first : k + extra]]) for o in order])


question(
    "knn.3",
    "A broken neighbour search",
    core=True,
    then="Cost: one query takes n·d products. The expansion |x|² − 2x·q + |q|² does all queries in "
    "one matrix product, but loses digits for near rows.",
    stars=2,
    forbids=OWN_WORK,
    same=same_labels,
    truth=knn_predict,
    parts=_predict,
    cases=[
        Case(0.5, "numbers", draw_plain),
        Case(0.5, "as many rows as columns", lambda rng: draw_plain(rng, n=12, d=12, k=3)),
        Case(1, "pixels (unsigned bytes)", draw_pixels),
        Case(1, "an even k with ties", draw_even_k),
        Case(1, "rows that are equally near", draw_on_a_grid),
    ],
    mistakes={
        "the place of the largest count is returned as label": (
            "You found where the largest count sits. Which label belongs to that place?",
            dict(decide=lambda v: np.unique(v, return_counts=True)[1].argmax()),
        ),
        "the squares are summed over the wrong axis": (
            "Print the shape of your distances for one query: how many should there be?",
            dict(distances=lambda X, q: ((np.asarray(X, float) - q) ** 2).sum(axis=0)),
        ),
        "unsigned bytes wrap round below 0": (
            "What is 3 - 5 for an unsigned 8-bit integer? Look at the dtype before you subtract.",
            dict(distances=lambda X, q: ((np.asarray(X) - q) ** 2).sum(axis=1)),
        ),
        "the farthest rows are taken": (
            "Your neighbours are the strangers at the other end. In which order does argsort answer?",
            dict(distances=lambda X, q: -((np.asarray(X, float) - q) ** 2).sum(axis=1)),
        ),
        "ties go to the nearest label": (
            "Two labels have equally many votes. Which of them does the question ask for?",
            dict(decide=_first_of_tie),
        ),
        "of equally near rows the last": (
            "Some rows are equally near, and there is no room for all. Which of them does the question take?",
            dict(sort=lambda d: np.lexsort((-np.arange(len(d)), d))),
        ),
    },
    hints=[
        "Run it on two rows and one query that you can check by hand.",
        "Four things are wrong: an axis, a dtype, what is returned, and what happens at a tie.",
    ],
)

# ---- 4: weighted mean


def draw_distances(rng):
    return rng.uniform(0.2, 3, size=6), rng.normal(10, 3, size=6)


def draw_exact_match(rng):
    """Three hits: their median is not their mean."""
    d, y = draw_distances(rng)
    d[rng.choice(6, size=3, replace=False)] = 0
    return d, y


def weighted_mean(d, y):
    if (d == 0).any():
        return y[d == 0].mean()
    return (y / d).sum() / (1 / d).sum()


question(
    "knn.4",
    "Closer neighbours speak louder",
    name="knn_regress",
    then="Go on: weigh by a power of 1/d. Where does the mean go as the power grows?",
    stars=2,
    truth=weighted_mean,
    same=close_enough,
    forbids=OWN_WORK,
    cases=[
        Case(2, "distances above 0", draw_distances),
        Case(1, "neighbours exactly on the query", draw_exact_match),
    ],
    mistakes={
        "the weights do not sum to 1": (
            "Multiply every distance by 10: a weighted mean should not move, yours does.",
            lambda d, y: np.mean(y / d),
        ),
        "the exact match is outvoted": (
            "Follow 1/d as d goes to 0: who should decide alone?",
            lambda d, y: (y / (d + 1)).sum() / (1 / (d + 1)).sum(),
        ),
        "all neighbours weigh the same": (
            "Your answer does not change with the distances. Should it?",
            lambda d, y: y.mean(),
        ),
        "far neighbours weigh most": (
            "Your far neighbours speak loudest. Should d stand above or below the line?",
            lambda d, y: (y * d).sum() / d.sum(),
        ),
        "of several exact matches the first": (
            "More than one neighbour sits on the query. What do they answer together?",
            lambda d, y: y[d.argmin()] if (d == 0).any() else weighted_mean(d, y),
        ),
        "the exact matches are left out": (
            "You throw away the neighbours that sit on the query. Who knows it better than they do?",
            lambda d, y: weighted_mean(d[d > 0], y[d > 0]),
        ),
        "of several exact matches the median": (
            "Your exact matches give their middle value. Which summary does the question ask for?",
            lambda d, y: np.median(y[d == 0]) if (d == 0).any() else weighted_mean(d, y),
        ),
    },
    hints=[
        "First write it for distances above 0, in one line.",
        "What does NumPy say to 1/0? Treat that case before it happens.",
    ],
)

# ---- 5: predict, then run

question(
    "knn.5",
    "Everybody but you",
    name="predicted_accuracy",
    then="Go on: with twelve red rows, ten blue ones and all the others voting, who is predicted right?",
    cases=Case(1),
    truth=0.0,
    secret=True,
    same=lambda a, b: close(a, b, tol=1e-6),
    mistakes={
        "a coin": (
            "Half is what a coin would do. Count the labels that are left when one row is taken out.",
            0.5,
        ),
        "always right": ("Each row is judged by the 19 others. Which class has more of them?", 1.0),
    },
    hints=["Take out one row of the first class. How many of each class are left?"],
)

# ---- 6: leave one out


def draw_noise_labels(rng, n=20):
    """Far away from the other rows stand six pairs of equal rows; who is nearest is certain for each row."""
    X, twins = rng.normal(size=(n, 3)), 50 + 9 * rng.normal(size=(6, 3))
    order = rng.permutation(n + 12)
    return np.concatenate([X, twins, twins])[order], rng.integers(0, 2, size=n + 12), 1


def draw_three_classes(rng, n=40):
    """Four neighbours and three labels: ties abound, also of 9 and 10."""
    y = rng.integers(0, 3, size=n)
    return rng.normal(size=(n, 2)) + 1.5 * y[:, None], y + 8, 4


def loo_error(X, y, k, decide=most_frequent):
    wrong = 0
    for i in range(len(X)):
        others = np.arange(len(X)) != i
        d = ((X[others] - X[i]) ** 2).sum(axis=1)
        votes = y[others][np.argsort(d, kind="stable")[:k]]
        wrong += decide(votes) != y[i]
    return wrong / len(X)


def _among_all(X, y, k, first=0):
    """The k nearest of all rows, the row itself among them, from the given one on."""
    order = (np.argsort(((X - x) ** 2).sum(axis=1), kind="stable") for x in X)
    return np.mean([most_frequent(y[o[first : k + first]]) != label for o, label in zip(order, y)])


def _without_twins(X, y, k):
    wrong = 0
    for x, label in zip(X, y):
        d = ((X - x) ** 2).sum(axis=1)
        wrong += most_frequent(y[d > 0][np.argsort(d[d > 0], kind="stable")[:k]]) != label
    return wrong / len(X)


question(
    "knn.6",
    "Leave one out",
    core=True,
    then="Another way: set the diagonal of the distance matrix to infinity, and all rows are left "
    "out at once.",
    stars=2,
    truth=loo_error,
    forbids=OWN_WORK + ("sklearn.model_selection",),
    cases=[
        Case(1.5, "labels thrown by a coin, some rows equal, k = 1", draw_noise_labels),
        Case(1.5, "three classes, k = 4", draw_three_classes),
    ],
    mistakes={
        "a row is its own neighbour": (
            "Zero error on random labels is too good. Who is the nearest neighbour of a training point?",
            _among_all,
        ),
        "the nearest row of all is dropped": (
            "Two rows are equal. Is the first of the sorted rows then always the row itself?",
            lambda X, y, k: _among_all(X, y, k, first=1),
        ),
        "all equal rows are left out": (
            "A row and its twin are two rows. Which of them is left out?",
            _without_twins,
        ),
        "ties go to the nearest label": (
            "Two labels have equally many votes. Which of them wins in question 2?",
            lambda X, y, k: loo_error(X, y, k, decide=_first_of_tie),
        ),
        "ties go to the largest label": (
            "At a tie you take the larger label. Which of them wins in question 2?",
            lambda X, y, k: loo_error(X, y, k, decide=largest_of_tie),
        ),
        "accuracy in place of error": (
            "A good learner should have a small number here. What did you count?",
            lambda X, y, k: 1 - loo_error(X, y, k),
        ),
        "the number of errors, not their share": (
            "How many rows were there? The question asks for a share.",
            lambda X, y, k: loo_error(X, y, k) * len(X),
        ),
    },
    hints=["np.fill_diagonal can make every row infinitely far from itself."],
)

# ---- 7: accuracy with ties


def draw_ballots(rng):
    """Labels of the 4 neighbours of 60 queries, and the truth: coin flips, so ties abound."""
    return rng.integers(0, 2, size=(60, 4)), rng.integers(0, 2, size=60)


def committed_accuracy(labels, truth):
    return np.mean([most_frequent(row) == t for row, t in zip(labels, truth)])


def _generous(labels, truth):
    right = 0
    for row, t in zip(labels, truth):
        values, counts = np.unique(row, return_counts=True)
        right += t in values[counts == counts.max()]
    return right / len(truth)


question(
    "knn.7",
    "Too good on coin flips",
    name="accuracy",
    core=True,
    then="Go on: with even k and a tie, which rule favours no class? Does your first-come rule favour one?",
    stars=2,
    truth=committed_accuracy,
    forbids=OWN_WORK,
    cases=Case(3, draw=draw_ballots),
    mistakes={
        "a tie counts as correct": (
            "A classifier must commit before it sees the truth: settle the tie first.",
            _generous,
        ),
        "a tie counts as wrong": (
            "At a tie you always lose. Is the smallest label never the right one?",
            lambda labels, truth: np.mean(((labels == truth[:, None]).sum(axis=1) > 2)),
        ),
        "the share of agreeing neighbours": (
            "You average over neighbours. Each query gives one answer: right or wrong.",
            lambda labels, truth: np.mean(labels == truth[:, None]),
        ),
        "ties are left out": (
            "You leave out the queries with a tie. May a classifier refuse to answer?",
            lambda labels, truth: committed_accuracy(
                *(part[labels.sum(axis=1) != 2] for part in (labels, truth))
            ),
        ),
        "at a tie the largest label": (
            "At a tie you answer 1. Which label does the question take?",
            lambda labels, truth: np.mean((labels.mean(axis=1) >= 0.5) == truth),
        ),
        "at a tie half a point": (
            "You give half a point at a tie. Is an answer ever half right?",
            lambda labels, truth: np.mean(np.sign(labels.sum(axis=1) - 2) * (2 * truth - 1)) / 2 + 0.5,
        ),
        "at a tie the nearest label": (
            "At a tie the first neighbour decides for you. Which label does the question take?",
            lambda labels, truth: np.mean(
                np.where(np.sign(labels.sum(axis=1) - 2) == 0, labels[:, 0], labels.sum(axis=1) > 2) == truth
            ),
        ),
        "error in place of accuracy": (
            "You counted the queries that are wrong. Which share is an accuracy?",
            lambda labels, truth: 1 - committed_accuracy(labels, truth),
        ),
    },
    hints=[
        "What would a useless learner score on coin flips? What does the broken function score?",
        "Write down one row with two votes for each label. What does the broken function say, and when?",
    ],
)

# ---- 8: a query that changes its neighbour with the metric


def neighbours_differ(got):
    try:
        a, b, q = (np.asarray(p, float) for p in got)
    except (TypeError, ValueError):
        return "Return three points: a, b and the query, each with the same number of coordinates."
    if not a.shape == b.shape == q.shape or a.ndim != 1:
        return "All three points need the same number of coordinates."
    gaps = {p: np.linalg.norm(a - q, ord=p) - np.linalg.norm(b - q, ord=p) for p in (1, 2)}
    if min(abs(g) for g in gaps.values()) < 1e-9:
        return "The query is equally far from both points in one of the metrics: no clear neighbour."
    return None if gaps[1] * gaps[2] < 0 else "Both metrics pick the same neighbour here."


question(
    "knn.8",
    "Two metrics, two neighbours",
    name="a_b_and_query",
    then="Go on: find three points of which p = 1, p = 2 and p = ∞ each call another one nearest.",
    stars=2,
    cases=Case(2),
    checker=neighbours_differ,
    truth=([3, 0], [2, 2], [0, 0]),
    same=lambda a, b: close(a, b),
    mistakes={
        "both points on the axes": (
            "Along an axis all metrics agree. Give one point a detour round a corner.",
            ([3, 0], [0, 2], [0, 0]),
        ),
        "points on a line": (
            "On a line there is one coordinate, and all p give the same distance. How many coordinates do "
            "you need?",
            ([3], [2], [0]),
        ),
    },
    hints=[
        "p = 1 punishes detours round a corner more than p = 2 does.",
        "Put one point on an axis and the other on the diagonal.",
    ],
)

# ---- 9: the error of one neighbour


def limit_error(P):
    return np.mean(1 - (P**2).sum(axis=1))


question(
    "knn.9",
    "One neighbour in the limit",
    name="one_nn_error",
    then="Another way: the mean of (P * (1 - P)).sum(axis=1). Which sum over a row makes the two the same?",
    truth=limit_error,
    same=close_enough,
    cases=Case(2, draw=lambda rng: (rng.dirichlet(np.ones(4), size=50),)),
    mistakes={
        "a later link of the chain": (
            "This is a later link of the chain. For the error itself, neighbour and query may agree on any "
            "class, not only on the best one.",
            lambda P: np.mean(1 - P.max(axis=1) ** 2),
        ),
        "the error of the Bayes optimal classifier": (
            "That is the best possible error. One neighbour does not know which class is best.",
            lambda P: np.mean(1 - P.max(axis=1)),
        ),
        "the upper bound": (
            "That is the bound at the end of the chain, not what it bounds.",
            lambda P: np.mean(2 * (1 - P.max(axis=1))),
        ),
        "the sharper upper bound": (
            "That is the bound (1.13), and only some rows of P reach it. What does it bound?",
            lambda P: np.mean((1 - P.max(axis=1)) * (2 - 4 / 3 * (1 - P.max(axis=1)))),
        ),
        "agreement in place of error": (
            "How often do the two labels differ? You computed how often they agree.",
            lambda P: np.mean((P**2).sum(axis=1)),
        ),
        "summed over the wrong axis": (
            "Each row is one query. Over what do its probabilities sum to 1?",
            lambda P: np.mean(1 - (P**2).sum(axis=0)),
        ),
    },
    hints=["In the limit the neighbour has the probabilities of the query: put z = q into (1.5)."],
)

# ---- 10: Bayes never errs, one neighbour does


def draw_bits(rng):
    """400 rows of ten bits; behind them the same rows once more, in another order."""
    bits = rng.integers(0, 2, size=(400, 10))
    return (np.concatenate([bits, bits[rng.permutation(400)]]),)


def check_labels(got, X):
    y = np.asarray(got)
    if y.shape != (len(X),) or not np.isin(y, [0, 1]).all():
        return f"Return one label, 0 or 1, for each of the {len(X)} rows."
    _, row = np.unique(X, axis=0, return_inverse=True)
    if len(np.unique(np.column_stack([row.ravel(), y]), axis=0)) > row.max() + 1:
        return "Two equal rows have different labels: then even Bayes errs. Let the row alone decide."
    train, test = slice(0, 200), slice(200, 400)
    distances, nearest = NearestNeighbors(n_neighbors=1).fit(X[train]).kneighbors(X[test])
    fresh = distances[:, 0] > 0
    error = np.mean(y[train][nearest[fresh, 0]] != y[test][fresh])
    return (
        None
        if error > 0.4
        else (
            f"One neighbour errs in {100 * error:.0f} % of the rows that it has not stored. "
            "Make it more than 40 %."
        )
    )


def parity(X):
    return X.sum(axis=1) % 2


question(
    "knn.10",
    "Refute: at most twice Bayes",
    name="hard_labels",
    then="Go on: how many of the 1024 patterns have to be stored before your labels cost one "
    "neighbour less than 10 %?",
    stars=3,
    cases=Case(4, draw=draw_bits),
    truth=parity,
    checker=check_labels,
    same=same_labels,
    mistakes={
        "one bit decides": (
            "Neighbours usually share that bit. Which label changes with *every* bit?",
            lambda X: X[:, 0],
        ),
        "most bits decide": (
            "Rows that differ in one bit mostly have the same majority. Which label changes with *every* "
            "bit?",
            lambda X: (X.sum(axis=1) > 5).astype(int),
        ),
        "labels thrown by a coin": (
            "Two equal rows have different labels: then even Bayes errs. Let the row alone decide.",
            lambda X: np.random.default_rng(0).integers(0, 2, size=len(X)),
        ),
        "one class only": ("If all rows have one label, nobody errs.", lambda X: np.zeros(len(X), int)),
    },
    hints=[
        "The nearest row differs in one or two bits. You want exactly that to change the label.",
        "Think of a parity bit.",
    ],
)

# ---- 11: contrast


def contrast(X):
    distances, _ = NearestNeighbors(n_neighbors=len(X) - 1).fit(X).kneighbors()
    return np.median((distances[:, -1] - distances[:, 0]) / distances[:, 0])


def _all_distances(X):
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


def to_others(X):
    D = _all_distances(X)
    return D[~np.eye(len(X), dtype=bool)].reshape(len(X), -1)


question(
    "knn.11",
    "Contrast",
    core=True,
    then="Go on: draw the cloud on a plane inside the cube. Which dimension decides, the cube's or "
    "the plane's?",
    stars=2,
    truth=contrast,
    same=close_enough,
    cases=Case(3, draw=lambda rng: (rng.uniform(size=(60, 8)),)),
    mistakes={
        "the point's own distance 0": (
            "Which smallest distance is always 0?",
            lambda X: np.median(
                (_all_distances(X).max(axis=1) - _all_distances(X).min(axis=1))
                / _all_distances(X).min(axis=1)
            ),
        ),
        "the ratio without the 1": (
            "A contrast of 0 should mean: all equally far. What does yours say then?",
            lambda X: np.median(to_others(X).max(axis=1) / to_others(X).min(axis=1)),
        ),
        "divided by the largest distance": (
            "Your contrast can never exceed 1. Which distance stands below the line?",
            lambda X: np.median(1 - to_others(X).min(axis=1) / to_others(X).max(axis=1)),
        ),
        "mean in place of median": (
            "One row with a twin near by can move a mean a lot. Which summary does the question ask for?",
            lambda X: np.mean(to_others(X).max(axis=1) / to_others(X).min(axis=1) - 1),
        ),
        "the contrast of two medians": (
            "You take medians first and the contrast then. In which order does the question do it?",
            lambda X: np.median(to_others(X).max(axis=1)) / np.median(to_others(X).min(axis=1)) - 1,
        ),
        "squared distances": (
            "Which power of the distance do you compare?",
            lambda X: np.median((to_others(X).max(axis=1) / to_others(X).min(axis=1)) ** 2 - 1),
        ),
    },
    hints=["NearestNeighbors' kneighbors() without queries leaves each row out of its own neighbours."],
)

# ---- 12: choose with evidence


def draw_wine(rng):
    """The wines, one column in other units and three useless columns; 60 of them to predict."""
    X, y, _ = load_wine()
    X = np.column_stack([X, 1000 * rng.normal(size=(len(X), 3))])
    order = rng.permutation(len(X))
    return Task((X[order[60:]], y[order[60:]], X[order[:60]]), hidden=y[order[:60]])


def other_wines(task, rng):
    """For a class: mixtures of two wines of one grape, in columns of another order, unit and origin."""
    (X, y, X_new), hidden = task.args, task.hidden
    wines, grapes = np.vstack([X, X_new]), np.concatenate([y, hidden])
    partner = np.arange(len(wines))
    for grape in set(grapes):
        partner[grapes == grape] = rng.permutation(partner[grapes == grape])
    share = rng.uniform(0.5, 1, size=(len(wines), 1))
    wines[:, :13] = share * wines[:, :13] + (1 - share) * wines[partner, :13]
    d = wines.shape[1]
    wines = (rng.uniform(0.5, 2, size=d) * wines + rng.normal(size=d))[:, rng.permutation(d)]
    return Task((wines[: len(X)], y, wines[len(X) :]), hidden=hidden)


def scaled_neighbours(X, y, X_new, k=7):
    mean, std = X.mean(axis=0), X.std(axis=0)
    return KNeighborsClassifier(k).fit((X - mean) / std, y).predict((X_new - mean) / std)


def check_wine(got, X, y, X_new, truth):
    got = np.asarray(got)
    if got.shape != truth.shape:
        return f"Return one label for each of the {len(truth)} rows of X_new."
    accuracy = np.mean(got == truth)
    return (
        None
        if accuracy >= 0.85
        else (f"Right for {100 * accuracy:.0f} % of the wines that you have not seen; 85 % is within reach.")
    )


question(
    "knn.12",
    "Which wine is it?",
    name="predict_grapes",
    core=True,
    then="Go on: what would the accuracy be without the three useless columns, and who may decide "
    "to drop them?",
    stars=2,
    cases=Case(3, draw=draw_wine),
    truth=scaled_neighbours,
    checker=check_wine,
    disguise=other_wines,
    same=same_labels,
    draws=1,
    mistakes={
        "the columns are not scaled": (
            "Which column decides every distance? Compare their standard deviations.",
            lambda X, y, X_new: KNeighborsClassifier(7).fit(X, y).predict(X_new),
        ),
        "everybody is asked": (
            "With all rows as neighbours, every query gets the same answer. How large may k be?",
            lambda X, y, X_new: scaled_neighbours(X, y, X_new, k=len(X)),
        ),
    },
    hints=["Print X.std(axis=0).", "Cross-validate on X and y to choose k; never look at X_new for that."],
)

# ---- 13: the formula of a weighted vote

VOTE = Notation(
    r"""
    k    | number   | how many neighbours                             |
    d_i  | number   | distance of neighbour $i$ from the query, not 0 | entry of `d`
    y_i  | number   | label of neighbour $i$                          | entry of `y`
    c    | number   | a class                                         |
    """,
    default=False,
)


def draw_neighbours(rng):
    """Three of the neighbours have the label c, and others that are nearer or farther have not."""
    labels = rng.permutation(5)[:3].astype(float)
    k = int(rng.integers(7, 11))
    y = rng.permutation([*[labels[0]] * 3, *[labels[1]] * 2, *rng.choice(labels[1:], size=k - 5)])
    return (dict(k=k, d=np.sort(rng.uniform(0.3, 3, size=k)), y=y, c=labels[0]),)


question(
    "knn.13",
    "The formula of a weighted vote",
    name="share_of_votes",
    then="Go on: what becomes of your formula when a neighbour lies on the query?",
    stars=2,
    formula=VOTE,
    truth=r"\frac{\sum_{i=1}^k [y_i = c] / d_i}{\sum_{i=1}^k 1 / d_i}",
    cases=Case(2, draw=draw_neighbours),
    mistakes={
        "every vote counts the same": (
            "Move one neighbour very near to the query: your share stays as it is. Where is its distance?",
            r"\frac1k \sum_{i=1}^k [y_i = c]",
        ),
        "weights grow with the distance": (
            "Your far neighbours speak loudest. What is 1/d for a large d?",
            r"\frac{\sum_{i=1}^k d_i [y_i = c]}{\sum_{i=1}^k d_i}",
        ),
        "not divided by all weights": (
            "Add your values over all classes. What should shares add up to?",
            r"\sum_{i=1}^k [y_i = c] / d_i",
        ),
        "divided by the number of neighbours": (
            "Measure all distances in metres, then in feet: a share should not change, yours does. "
            "By what do you divide?",
            r"\frac1k \sum_{i=1}^k [y_i = c] / d_i",
        ),
        "the share of the others": (
            "That is what is left for all other classes. Which votes does c get?",
            r"\frac{\sum_{i=1}^k [y_i \ne c] / d_i}{\sum_{i=1}^k 1 / d_i}",
        ),
        "squared distances": (
            "Which power of the distance does the question ask for?",
            r"\frac{\sum_{i=1}^k [y_i = c] / d_i^2}{\sum_{i=1}^k 1 / d_i^2}",
        ),
        "the class against the others": (
            "You compare c with the other classes. A share is a part of the whole.",
            r"\frac{\sum_{i=1}^k [y_i = c] / d_i}{\sum_{i=1}^k [y_i \ne c] / d_i}",
        ),
    },
    hints=[
        "A bracket counts: [y_i = c] is 1 where it is true, and 0 elsewhere.",
        "Two sums over the neighbours: the weights of those in class c, and the weights of all.",
    ],
)


reading(
    "knn.14",
    "Two curves over k",
    name="in_the_figure",
    then="Go on: where does the held-out curve go when k reaches the number of stored rows?",
    text="The figure shows the error of k nearest neighbours for growing k: on the rows that were "
    "stored, and on rows that were held out. What does it say about k = 1?",
    choices={
        "It follows the noise of the labels: a larger k does better on held-out rows.": None,
        "Nothing can be said: the two curves disagree, and so they cancel each other.": (
            "The curves answer two different questions. Which of the two is yours?"
        ),
        "It is too smooth: it averages over rows that are far away.": (
            "Over how many rows does k = 1 average?"
        ),
        "It is the best k: no other point in the figure is as low as its error of 0.": (
            "On which rows is that error 0? Which rows will you be asked about?"
        ),
    },
    reasons={
        "The columns are not scaled, so that for k = 1 one of them decides alone.": (
            "Scaling is done before, or not, whatever k is."
        ),
        "The held-out rows lie nearer to each other than the stored rows do.": (
            "Both were drawn alike. What does a stored row have that a held-out one has not?"
        ),
        "A stored row is its own nearest neighbour, and one label may be noise.": None,
        "A smaller k averages over more labels, and this hides their noise.": (
            "Count the labels that vote for k = 1."
        ),
    },
    hints=["Who is the nearest neighbour of a row that is stored?"],
)


reading(
    "knn.15",
    "A colleague measures leaves",
    name="in_the_report",
    then="Go on: divide each column by its range instead of its deviation. When does that go wrong?",
    text='A colleague reports: "I measured leaves: length and width in millimetres (20 to 80), '
    "weight in kilograms (0.001 to 0.004). Five nearest neighbours on these three columns get "
    "61 % right, and still 61 % without the weight. **So the weight says nothing about the "
    'species.**" What is wrong?',
    choices={
        "Nothing: the accuracy is the same with the weight and without it.": (
            "Could the weight have changed a single neighbour, with those numbers?"
        ),
        "The number of neighbours: five are too few for three columns.": (
            "With more neighbours, would the weight enter the distances?"
        ),
        "The test: the accuracy should be measured on the training rows.": (
            "There a row meets itself. Look at the numbers that enter a distance."
        ),
        "The conclusion: in that unit the weight could not take part.": None,
    },
    reasons={
        "The weight is correlated with the length, so that it adds nothing new.": (
            "It may be, but the report's numbers would be the same if it were not."
        ),
        "Euclid's distance allows lengths only, and kilograms are none.": (
            "Distances may be taken between any numbers. But look at their sizes."
        ),
        "Leaving a column out can never change what the neighbours answer.": (
            "Leave out a column that decides, on one scale with the others: does nothing change?"
        ),
        "The weight varies by 0.003 and lengths by 60: its square is lost.": None,
    },
    hints=["Write down the squared distance of two leaves, term by term."],
)
