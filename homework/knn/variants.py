"""Variants and statements: nearest neighbours, and what happens in many dimensions."""

from itertools import product

import numpy as np

from grading.variant import Variant, also, bank, fails, holds, means, variant
from homework.knn.questions import committed_accuracy, loo_error, neighbours_differ


def one_nn_error(p):
    """Of one neighbour in the limit: it and the query are of different classes."""
    return 1 - (np.asarray(p) ** 2).sum()


def contrast(d, n=500, seed=0):
    """(farthest - nearest) / nearest of a query in the unit cube."""
    X = np.random.default_rng(seed).random((n + 1, d))
    away = np.linalg.norm(X[1:] - X[0], axis=1)
    return (away.max() - away.min()) / away.min()


def votes(X, y, q, k):
    near = np.argsort(np.linalg.norm(np.asarray(X, float) - q, axis=1), kind="stable")[:k]
    labels, counts = np.unique(np.asarray(y)[near], return_counts=True)
    return labels[counts.argmax()]


def with_itself_nearest():
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = np.random.default_rng(1).integers(0, 2, 30)
    return all(votes(X, y, x, 1) == label for x, label in zip(X, y, strict=True))


def scaling_moves_neighbours():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    return np.linalg.norm(X[1:], axis=1).argmin() != np.linalg.norm(X[1:] * [10, 1], axis=1).argmin()


def shared_scale_moves_neighbours():
    X = np.random.default_rng(0).normal(size=(50, 4))
    return np.linalg.norm(X, axis=1).argmin() != np.linalg.norm(7 * X, axis=1).argmin()


def shift_moves_neighbours():
    X = np.random.default_rng(0).normal(size=(50, 4))
    shifted = X + 100 - (X[0] + 100)
    return not np.array_equal(
        np.argsort(np.linalg.norm(X - X[0], axis=1)), np.argsort((shifted**2).sum(axis=1))
    )


def turn_moves_neighbours():
    rng = np.random.default_rng(0)
    X, turn = rng.normal(size=(50, 4)), np.linalg.qr(rng.normal(size=(4, 4)))[0]
    return not np.array_equal(
        *(np.argsort(np.linalg.norm(Z - Z[0], axis=1), kind="stable") for Z in (X, X @ turn))
    )


def norms(x=(1.0, 2.0, -2.0)):
    return [np.linalg.norm(x, ord=p) for p in (1, 2, np.inf)]


def regression_range():
    y = np.array([3.0, 8.0, 5.0])
    weights = np.random.default_rng(0).random((1000, 3))
    means = weights @ y / weights.sum(axis=1)
    return means.min() >= 3 and means.max() <= 8


def root_moves_order():
    d = np.random.default_rng(0).random(100)
    return not np.array_equal(np.argsort(d), np.argsort(d**2))


def cube_share(d, edge=0.9):
    return 1 - edge**d


def shell_of_cube():
    return cube_share(50) > 0.99


def tied(classes, k):
    """Whether the two largest counts of some k votes among so many classes are equal."""
    counts = (np.sort(np.bincount(v, minlength=classes)) for v in product(range(classes), repeat=k))
    return any(c[-1] == c[-2] for c in counts)


def share_of_the_far(power, seed=0):
    """Of the vote of two rows at drawn distances, weighted by 1/distance^power."""
    near, far = np.sort(np.random.default_rng(seed).uniform(0.1, 9, size=(2, 100)), axis=0)
    return far**-power / (near**-power + far**-power)


def weighted_mean(scale):
    away, y = np.random.default_rng(0).uniform(0.1, 9, size=(2, 50))
    return np.average(y, weights=1 / (scale * away))


def parity_error():
    """Of one neighbour on ten parity bits, with 200 stored rows: Bayes never errs."""
    X = np.array([*product((0, 1), repeat=10)])[np.random.default_rng(0).permutation(1024)]
    y = X.sum(axis=1) % 2
    near = np.abs(X[200:, None] - X[:200]).sum(axis=2).argmin(axis=1)
    return (y[near] != y[200:]).mean()


# the first column tells the classes apart, the second is noise, as wide
TWO_CLASSES = np.arange(60) % 2
TWO_COLUMNS = np.random.default_rng(0).random((60, 2)) * [1, 1.8] + np.outer(TWO_CLASSES, [0.8, 0])


bank(
    "knn",
    holds(
        "A nearest-neighbour classifier with k = 1 makes no error on its own training rows, if no "
        "two rows are equal.",
        "The nearest row to a stored row is that row itself.",
        with_itself_nearest,
    ),
    fails(
        "The training error of k = 1 is a good estimate of its error on new rows.",
        "It is 0 whatever the labels are, if no two rows are equal; a coin's labels too.",
        lambda: not with_itself_nearest(),
    ),
    holds(
        "Multiplying one column by 10 can change who is nearest.",
        "The distance adds squared differences: a column in smaller units weighs more.",
        scaling_moves_neighbours,
    ),
    fails(
        "Multiplying all columns by the same 7 can change who is nearest.",
        "Every distance becomes 7 times as long; their order stays.",
        shared_scale_moves_neighbours,
    ),
    fails(
        "Adding 100 to one column of all rows, the query's too, changes Euclidean distances.",
        "A distance knows differences only, and a common shift leaves those alone.",
        shift_moves_neighbours,
    ),
    fails(
        "Turning all points and the query by the same rotation can change who is nearest by "
        "Euclidean distance.",
        "A rotation keeps all lengths.",
        turn_moves_neighbours,
    ),
    holds(
        "Neighbours found by squared Euclidean distance are those found by Euclidean distance.",
        "The square grows with the distance: the order is the same.",
        lambda: not root_moves_order(),
    ),
    holds(
        "For the same two points, the distance with p = 1 is at least that with p = 2.",
        "Going round the corner is never shorter than the straight line.",
        lambda: norms()[0] >= norms()[1],
    ),
    fails(
        "For the same two points, the largest coordinate difference (p = ∞) is at least the "
        "distance with p = 2.",
        "The straight line is at least as long as any one of its coordinates.",
        lambda: norms()[2] >= norms()[1],
    ),
    holds(
        "On a line, with one feature, all distances with p ≥ 1 agree.",
        "With one coordinate nothing is added: each gives the absolute difference.",
        lambda: len({abs(v) for v in norms([-3.0])}) == 1,
    ),
    holds(
        "With k equal to the number of training rows and one vote each, every query gets the same answer.",
        "All rows vote, wherever the query lies.",
        lambda: len({votes(np.eye(5), [0, 0, 1, 1, 1], q, 5) for q in np.eye(5)}) == 1,
    ),
    fails(
        "A larger k always lowers the error on new rows.",
        "With k = n every query gets the commonest class, wherever it lies.",
        lambda: votes([[0], [9], [9.1]], [0, 1, 1], [0.1], 3) == 0,
    ),
    holds(
        "With two classes and an odd k no tie of plain votes can occur.",
        "An odd number is no sum of two equal whole numbers.",
        lambda: not any(tied(2, k) for k in (1, 3, 5, 7)),
    ),
    fails(
        "With three classes and an odd k no tie of plain votes can occur.",
        "Three neighbours may have three labels.",
        lambda: not any(tied(3, k) for k in (1, 3, 5, 7)),
    ),
    holds(
        "A training row has to be left out when its own label is predicted for a leave-one-out error.",
        "Otherwise it is its own nearest neighbour.",
        with_itself_nearest,
    ),
    holds(
        "In leave-one-out with k = n − 1, on two classes of equal size, the plain vote is always wrong.",
        "Without the row that is tested, the other class has one vote more.",
        lambda: all(
            votes(np.delete(np.eye(6), i, 0), np.delete([0, 0, 0, 1, 1, 1], i), np.eye(6)[i], 5) != i // 3
            for i in range(6)
        ),
    ),
    fails(
        "A mean of neighbours' values, weighted by 1/distance, can lie above all of those values.",
        "A mean with positive weights stays between the least and the largest value.",
        lambda: not regression_range(),
    ),
    holds(
        "If all distances are multiplied by 10, a mean weighted by 1/distance stays the same.",
        "Each weight is divided by 10, and so is their sum.",
        lambda: np.isclose(weighted_mean(1), weighted_mean(10)),
    ),
    holds(
        "Weights 1/distance² give a far neighbour a smaller share of the vote than 1/distance "
        "does, beside one that is nearer.",
        "At distances 1 and 3 the far share is 1/10 with the square and 1/4 without.",
        lambda: (share_of_the_far(2) < share_of_the_far(1)).all(),
    ),
    holds(
        "A row stored twice has two votes.",
        "Each copy is a row, at the same distance.",
        lambda: votes([[1], [1], [0.9]], [1, 1, 0], [0], 3) == 1,
    ),
    means(
        "Storing the training set is nearly all the training that nearest neighbours need.",
        True,
        "The work is done when a query comes.",
    ),
    holds(
        "With unlimited data, one nearest neighbour errs at most twice as often as the Bayes classifier.",
        "1 − Σ p² ≤ 2 (1 − max p): the bound of Cover and Hart.",
        lambda: all(
            one_nn_error(p) <= 2 * (1 - p.max()) + 1e-12
            for p in np.random.default_rng(0).dirichlet([1, 1, 1], 1000)
        ),
    ),
    fails(
        "With any 200 training rows, one nearest neighbour errs at most twice as often as the "
        "Bayes classifier.",
        "The bound holds in the limit. On ten parity bits, where Bayes never errs, 200 rows are far too few.",
        lambda: parity_error() <= 2 * 0,
    ),
    holds(
        "Where the classes are certain, p = (1, 0), one neighbour in the limit errs with probability 0.",
        "Query and neighbour have the same class.",
        lambda: one_nn_error([1, 0]) == 0,
    ),
    fails(
        "Where two classes are equally probable, one neighbour in the limit errs with probability 1/4.",
        "Query and neighbour differ with probability 1/2.",
        lambda: one_nn_error([0.5, 0.5]) == 0.25,
    ),
    holds(
        "In a cube of 50 dimensions more than 99 % of the volume lies within 5 % of the edge "
        "length of a face.",
        "The inner cube has 0.9⁵⁰ of the volume, half a percent.",
        shell_of_cube,
    ),
    holds(
        "To hold a tenth of the unit cube in ten dimensions, a smaller cube needs edges of about 0.8.",
        "0.1 to the power 1/10 is 0.79.",
        lambda: 0.75 < 0.1**0.1 < 0.85,
    ),
    fails(
        "The contrast (farthest − nearest) / nearest of uniform points grows with the dimension.",
        "Distances crowd together: the contrast falls.",
        lambda: contrast(100) > contrast(2),
    ),
    fails(
        "A column of pure noise, as wide as the others, cannot hurt nearest neighbours.",
        "It adds to each distance an amount that has nothing to do with the class.",
        lambda: loo_error(TWO_COLUMNS, TWO_CLASSES, 1) <= loo_error(TWO_COLUMNS[:, :1], TWO_CLASSES, 1),
    ),
    holds(
        "Subtracting two images stored as unsigned bytes can make 3 − 5 a large number.",
        "Below 0 the bytes wrap round: 254.",
        lambda: (np.array([3], np.uint8) - np.array([5], np.uint8))[0] == 254,
    ),
    fails(
        "A tie between classes counts as correct if the right class is among the winners.",
        "A classifier has to commit before it sees the truth.",
        lambda: committed_accuracy(np.array([[0, 1, 0, 1]]), np.array([1])) == 1,
    ),
)


def row(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


@variant("knn.1")
def three_neighbours(rng):
    while True:
        place = np.sort(rng.choice(np.arange(16), 5, replace=False))
        query, reds = int(rng.integers(2, 14)), int(rng.integers(2, 4))
        value, red = 10 * rng.integers(1, 10, 5), np.arange(5) < reds
        d = np.abs(place - query)
        order = np.argsort(d, kind="stable")
        near = order[:3]
        if d.min() > 0 and d[order[2]] < d[order[3]] and 0 < red[near].sum() < 3:
            break
    w = 1 / d

    def answers(who, weights, plain=None, share=True, votes=None):
        votes = weights if votes is None else votes
        mean = weights[who] @ value[who] / (weights[who].sum() if share else 1)
        first = value[who].mean() if plain is None else plain
        return [first, mean, votes[who][red[who]].sum(), votes[who][~red[who]].sum()]

    everybody = np.arange(5)
    text = "\n".join([
        "Five points on a line, and what is known about them:",
        "",
        row(["place", *place]),
        row(["---"] * 6),
        row(["colour", *np.where(red, "red", "blue")]),
        row(["value", *value]),
        "",
        f"The query is {query}, and k = 3. By hand, a list of four numbers: the mean of the "
        "neighbours' "
        "values; their mean weighted by 1/distance; the sum of the weights of the votes for red; and "
        "that for blue.",
    ])
    return Variant(
        text,
        answers(near, w),
        {
            "all five points vote": answers(everybody, w),
            "every neighbour weighs the same in the second answer": answers(near, w)[:1] * 2
            + answers(near, w)[2:],
            "weights grow with the distance": answers(near, d.astype(float)),
            "weights are not divided by their sum": answers(near, w, share=False),
            "votes are counted, not weighed": answers(near, w, votes=np.ones(5)),
            "shares in place of sums": answers(near, w, votes=w / w[near].sum()),
        },
        hints=(
            "Draw the points on a line and mark the three that are nearest to the query.",
            "How far is each of the three? Write 1/d beside it before you add anything.",
        ),
    )


@variant("knn.5")
def everybody_but_you(rng):
    red, more = int(rng.integers(5, 30)), int(rng.choice([0, 2, 3, 4, 5]))
    n = 2 * red + more
    text = (
        f"In a table {red} rows are red and {red + more} are blue. Each row is predicted by all "
        "the others, "
        f"k = {n - 1}, one vote each. Which accuracy comes out? A number between 0 and 1."
    )
    hint = f"Take out one row of either class. How many of each class are left of the {n}?"
    if more:
        return Variant(text, (red + more) / n, {"always right": 1.0}, hints=(hint,))
    return Variant(text, 0.0, {"always right": 1.0, "a coin": 0.5}, hints=(hint,))


@variant("knn.8")
def two_metrics(rng):
    d, query = int(rng.integers(2, 5)), rng.integers(-9, 10, 4)
    query = query[:d]

    def demand(got):
        a, b, q = (np.asarray(p, float) for p in got)
        if q.shape != (d,) or not np.array_equal(q, query):
            return f"The query should be {query.tolist()}."
        if np.any(a == q) or np.any(b == q):
            return "Let both points differ from the query in every coordinate."

    text = (
        f"The query is {query.tolist()}. Return points a and b such that one of them is nearer "
        "with p = 1 and "
        "the other with p = 2, and both differ from the query in **every** coordinate: (a, b, query)."
    )
    far = np.array([1.0] * d)
    straight = np.array([1.3 * d**0.5] + [0.01] * (d - 1)) if d > 1 else far
    truth = ((query + 10 * straight / 1.3 * 1.05).tolist(), (query + 10 * far).tolist(), query.tolist())
    return Variant(text, truth, checker=also(neighbours_differ, demand))
