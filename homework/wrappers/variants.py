"""Variants and statements: searches among features, and penalties that choose."""

from itertools import combinations

import numpy as np
from numpy.linalg import norm
from sklearn.linear_model import LogisticRegression, Ridge, lars_path

from grading.registry import find
from grading.variant import Variant, also, bank, fails, holds, means, reworded, variant, worded
from homework.wrappers.questions import check_leaving, check_trap, lasso_steps


def soft(z, lam):
    """argmin (z - w)² + λ|w|, for each entry."""
    return np.sign(z) * np.maximum(np.abs(z) - lam / 2, 0)


def table(n=40, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ [2.0, -1.0, 0.0, 0.0] + 0.3 * rng.normal(size=n)


def ridge(X, y, lam):
    X, y = X - X.mean(axis=0), y - y.mean()
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


def rss(X, y, A):
    X, y = X - X.mean(axis=0), y - y.mean()
    w = np.linalg.lstsq(X[:, A], y, rcond=None)[0]
    return ((y - X[:, A] @ w) ** 2).sum()


def lasso(X, y, alpha):
    from sklearn.linear_model import Lasso

    return Lasso(alpha=alpha).fit(X, y).coef_


def best_is_nested():
    """Whether the best pair of three columns holds the best single one, a decoy."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200))
    X = np.column_stack([a, b, a + b + 0.5 * rng.normal(size=200)])
    y = a + b
    one = min(range(3), key=lambda j: rss(X, y, [j]))
    pair = min(([0, 1], [0, 2], [1, 2]), key=lambda A: rss(X, y, A))
    return one in pair


def scored(d):
    """How many subsets a forward search to the full set scores."""
    held, count = [], 0
    while len(held) < d:
        candidates = [j for j in range(d) if j not in held]
        count += len(candidates)
        held.append(candidates[0])
    return count


def orthonormal_lasso(alpha=0.02):
    """(least squares, the Lasso) on orthonormal columns."""
    X, y = table()
    Q = np.linalg.qr(X - X.mean(axis=0))[0]
    return Q.T @ (y - y.mean()), lasso(Q, y, alpha)


def ridge_moves():
    X, y = table()
    Q = np.linalg.qr(X - X.mean(axis=0))[0]
    return np.abs(Q.T @ (y - y.mean()) - ridge(Q, y, 1.0))


def moved_alike():
    ls, weights = orthonormal_lasso()
    by = np.abs(ls) - np.abs(weights)
    return np.allclose(by[weights != 0], by.max(), atol=1e-3) and (ls * weights >= 0).all()


GRID = np.linspace(-4, 4, 801)
SHORT = np.random.default_rng(0).normal(size=(8, 30))  # more features than rows
ALIKE = np.random.default_rng(1).normal(size=(40, 1)) + 0.5 * np.random.default_rng(2).normal(size=(40, 30))


def on_new_rows(columns):
    """The mean squared error on new rows, of fits to ten rows; the last two of four columns are noise."""
    rows, errors = [slice(10), slice(10, 40)], []
    for seed in range(200):
        X, y = table(seed=seed)
        w = np.linalg.pinv(X[rows[0], :columns]) @ y[rows[0]]
        errors.append(((X[rows[1], :columns] @ w - y[rows[1]]) ** 2).mean())
    return np.mean(errors)


def objective(w, columns=(0, 1, 2, 3), lam=5.0):
    X, y = table()
    return norm(y - X[:, columns] @ w) ** 2 + lam * np.abs(w).sum()


def straight_between():
    """Whether the Lasso's weights half-way between two events are the mean of those at the events."""
    X, y = (Z - Z.mean(axis=0) for Z in table())
    lam, _, W = lars_path(X, y, method="lasso")
    half = [lasso(X, y, (a + b) / 2) for a, b in zip(lam, lam[1:], strict=False)]
    return np.allclose(half, (W[:, 1:] + W[:, :-1]).T / 2, atol=1e-3)


def logistic(C):
    X, y = table()
    return LogisticRegression(C=C).fit(X, y > 0).coef_


bank(
    "wrappers",
    holds(
        "There are 2^d subsets of d features, the empty one included.",
        "Each feature is in or out.",
        lambda: all(
            sum(1 for k in range(d + 1) for _ in combinations(range(d), k)) == 2**d for d in range(9)
        ),
    ),
    holds(
        "A forward search to the full set scores d(d + 1)/2 subsets.",
        "d, then d − 1, and so on to 1.",
        lambda: all(scored(d) == d * (d + 1) // 2 for d in range(9)),
    ),
    fails(
        "The best pair of features always contains the best single feature.",
        "A decoy can be best alone, and not needed by the pair that explains all.",
        best_is_nested,
    ),
    fails(
        "A forward search always finds the best pair of features.",
        "It keeps the best single one, with which the best pair may have nothing to do.",
        best_is_nested,
    ),
    holds(
        "A forward search with the training error of least squares never stops by itself, if "
        "every feature helps a little.",
        "One more column never raises the residual sum of squares.",
        lambda: rss(*table(), [0, 1, 2]) <= rss(*table(), [0, 1]),
    ),
    holds(
        "Adding a feature can raise the error on new rows.",
        "A useless one adds variance.",
        lambda: on_new_rows(4) > on_new_rows(2),
    ),
    means("A backward search starts from all features.", True, "It takes one away at a time."),
    holds(
        "Recursive elimination fits fewer models than a backward search that scores every removal.",
        "It fits one model for each step.",
        lambda: 12 < scored(12),
    ),
    holds(
        "Recursive elimination with least squares may keep other columns when one changes its "
        "unit, without standardising.",
        "A weight has the inverse unit of its column.",
        lambda: np.abs(ridge(table()[0] * [1e6, 1, 1, 1], table()[1], 0)).argmin() == 0,
    ),
    fails(
        "The predictions of least squares with intercept change when a column is multiplied by 1000.",
        "Its weight is divided by 1000.",
        lambda: not np.allclose(rss(*table(), [0, 1]), rss(table()[0] * 1000, table()[1], [0, 1])),
    ),
    holds(
        "The predictions of ridge change when a column is multiplied by 1000.",
        "Its weight is smaller, and so is its penalty.",
        lambda: (
            not np.allclose(
                (X := table()[0]) @ ridge(X, table()[1], 10),
                (Z := X * [1000, 1, 1, 1]) @ ridge(Z, table()[1], 10),
            )
        ),
    ),
    holds(
        "The Lasso may choose other columns when one is multiplied by 1000.",
        "It is charged less for that column.",
        lambda: (
            not np.array_equal(*(lasso(table()[0] * [1, u, 1, 1], table()[1], 1.2) != 0 for u in (1, 1000)))
        ),
    ),
    fails(
        "The score of the winner of a long search is an honest estimate of its error.",
        "It is the least of many, and luck took part.",
        lambda: np.random.default_rng(0).binomial(60, 0.5, 200).min() / 60 > 0.45,
    ),
    holds(
        "With λ large enough, the Lasso makes all weights exactly 0.",
        "From λ_max on.",
        lambda: not lasso(*table(), 1e3).any(),
    ),
    fails(
        "With λ large enough, ridge makes all weights exactly 0.",
        "They shrink, and reach 0 only in the limit.",
        lambda: not ridge(*table(), 1e6).any(),
    ),
    holds(
        "The length of ridge's weights falls when λ grows.",
        "Each of its parts along a singular vector shrinks.",
        lambda: np.linalg.norm(ridge(*table(), 10)) < np.linalg.norm(ridge(*table(), 1)),
    ),
    holds(
        "Ridge has a unique solution for every λ > 0, also with more features than rows.",
        "XᵀX + λI has no eigenvalue below λ.",
        lambda: np.linalg.matrix_rank(np.ones((9, 2)) @ np.ones((2, 9)) + 0.1 * np.eye(9)) == 9,
    ),
    holds(
        "On orthonormal columns the Lasso's weights are the least-squares weights, each moved "
        "towards 0 by the same amount, or 0.",
        "Soft thresholding.",
        moved_alike,
    ),
    fails(
        "On orthonormal columns ridge subtracts the same amount from every weight.",
        "It multiplies all by one factor.",
        lambda: np.ptp(ridge_moves()) < 1e-9,
    ),
    holds(
        "A penalty on the number of weights leaves those that it keeps, on orthonormal columns, "
        "as large as least squares.",
        "It charges for being there, not for size.",
        lambda: np.isclose(GRID[np.argmin((3 - GRID) ** 2 + 2 * (np.abs(GRID) > 1e-9))], 3),
    ),
    fails(
        "While λ falls, the number of the Lasso's weights that are not 0 never falls.",
        "A weight may come back to 0 when a better partner enters.",
        lambda: check_leaving(find("wrappers.11").truth) is not None,
    ),
    holds(
        "The path of the Lasso's weights is piecewise linear in λ.",
        "Between two events the equations are linear.",
        straight_between,
    ),
    fails(
        "The intercept is penalised in ridge as this course writes it.",
        "A shift of y should move the intercept alone.",
        lambda: not np.allclose(ridge(table()[0], table()[1] + 50, 5), ridge(*table(), 5)),
    ),
    fails(
        "In scikit-learn a larger C of LogisticRegression means a stronger penalty.",
        "C stands before the loss: larger C, weaker penalty.",
        lambda: norm(logistic(100)) < norm(logistic(0.01)),
    ),
    holds(
        "scikit-learn's Lasso divides the squared error by 2n.",
        "alpha is λ/(2n) of ‖y − Xw‖² + λ‖w‖₁.",
        lambda: np.allclose(lasso(np.array([[1.0], [-1.0]]), np.array([3.0, -3.0]), 1.0), [2.0]),
    ),
    fails(
        "scikit-learn's Ridge divides the squared error by 2n.",
        "It is ‖y − Xw‖² + alpha‖w‖².",
        lambda: np.allclose(Ridge().fit(*table()).coef_, ridge(*table(), 2 * 40)),
    ),
    holds(
        "A step of proximal gradient descent with step 1/L, L a bound of the gradient's change, "
        "never raises the objective.",
        "It minimises an upper bound that touches.",
        lambda: (
            np.diff([objective(lasso_steps(*table(), 5.0, steps)) for steps in range(30)]) <= 1e-9
        ).all(),
    ),
    fails(
        "With two equal columns the Lasso's weights are unique.",
        "Any split of the weight without a change of sign costs the same.",
        lambda: not np.isclose(*(objective(np.array(w), [0, 0]) for w in ([1.0, 0], [0.4, 0.6]))),
    ),
    holds(
        "With two equal columns ridge gives both the same weight.",
        "The sum of squares is least for an even split.",
        lambda: np.isclose(*ridge(np.column_stack([table()[0][:, 0]] * 2), table()[1], 1.0)),
    ),
    holds(
        "With more features than rows, a Lasso in general position keeps at most n features.",
        "Its active columns are independent.",
        lambda: all((lasso(SHORT, SHORT @ np.ones(30), a) != 0).sum() <= 8 for a in (0.1, 0.5, 1, 3)),
    ),
    fails(
        "Features that a Lasso chooses on one half of the rows are always those that it chooses "
        "on the other half.",
        "Correlated features take each other's place.",
        lambda: np.array_equal(*(lasso(Z, Z @ np.ones(30), 3.0) != 0 for Z in (ALIKE[:20], ALIKE[20:]))),
    ),
    means("LVW tries random subsets.", True, "Las Vegas: it draws, and keeps what is better."),
)


@variant("wrappers.1")
def how_many_fits(rng):
    d, folds = int(rng.integers(6, 15)), int(rng.choice([3, 5, 10]))
    stop = int(rng.integers(2, d - 2))
    subsets = 2**d - 1
    forward, early = d * (d + 1) // 2, sum(d - j for j in range(stop + 1))
    backward = sum(d - j for j in range(d - stop))
    rounds = d - stop

    def fits(a=subsets, b=forward, c=early, e=backward, each=folds, last=rounds):
        return [a * each, b * each, c * each, e * each, last]

    text = (
        f"You have d = {d} features, and {folds} folds: a subset that is scored costs {folds} "
        "fits. How many fits does each of these cost? A list of five.\n\n"
        "1. an exhaustive search over all subsets that are not empty\n2. a forward search to the full set\n"
        f"3. a forward search that stops by itself with {stop} features, because no further one helps\n"
        f"4. a backward search that is told to stop at {stop} features (it does not score the full set)\n"
        f"5. recursive feature elimination down to {stop} features (the last fit, to those that "
        "are left, is not counted)"
    )
    return Variant(
        text,
        fits(),
        {
            "the folds forgotten": fits(each=1),
            "the empty subset counted": fits(a=subsets + 1),
            "the round that failed forgotten": fits(c=early - (d - stop)),
            "elimination judged by folds": fits(last=rounds * folds),
            "a search in linear time": fits(b=d, c=stop, e=d - stop),
        },
    )


@variant("wrappers.3")
def trap_with_places(rng):
    d = int(rng.integers(4, 9))
    decoy, n = int(rng.integers(d)), int(rng.integers(4, 10)) * 100

    def demand(got):
        X, y = np.asarray(got[0], float), np.asarray(got[1])
        if X.shape != (n, d):
            return f"X should have {n} rows and {d} columns; its shape is {X.shape}."
        best = max(
            range(d),
            key=lambda j: max(
                (X[y == a, j] > t).mean() - (X[y == b, j] > t).mean()
                for a, b in (np.unique(y)[:2], np.unique(y)[1::-1])
                for t in np.unique(X[:, j])[:20]
            ),
        )
        if best != decoy:
            return f"The column that a single cut does best with should be column {decoy}, counted from 0."

    own = np.random.default_rng(0)
    X = own.normal(size=(n, d))
    a, b = own.integers(0, 2, (2, n))
    y = a ^ b
    places = [j for j in range(d) if j != decoy][:2]
    X[:, places[0]], X[:, places[1]] = a, b
    X[:, decoy] = np.where(own.random(n) < 0.25, 1 - y, y)
    text = (
        f"Data (X, y) with two classes, {n} rows, {d} columns, neither class with less than 20 % "
        f"of the rows. Column {decoy}, counted from 0, is the best single "
        "one. Forward search (five-fold accuracy of a decision tree) takes the best column and "
        "then its best partner; the best pair of all is "
        "better by at least 0.2."
    )
    return Variant(text, (X, y), checker=also(check_trap, demand))


@variant("wrappers.7")
def penalties_by_hand(rng):
    lam = float(rng.choice([1, 2, 3, 4]))
    while True:
        z = np.round(rng.uniform(-4, 4, 4), 1)
        if (
            (np.abs(z) > lam / 2 + 0.2).sum() in (2, 3)
            and np.abs(z).min() > 0.2
            and np.abs(z**2 - lam).min() > 0.1
        ):
            break
    one, two, three = soft(z, lam), z / (1 + lam), np.where(z**2 > lam, z, 0)
    shown = ", ".join(f"{v:g}" for v in z)
    text = (
        f"The columns of $X$ are orthonormal, and $X^\\top y = z = ({shown})$. By hand, with λ = "
        f"{lam:g}: the weights that minimise "
        "$\\lVert y - Xw \\rVert^2$ plus 1. $\\lambda \\lVert w \\rVert_1$, 2. $\\lambda \\lVert "
        "w \\rVert^2$, 3. λ times the number of weights that are not 0. "
        "A list of three lists of four numbers."
    )
    return Variant(
        text,
        [one.tolist(), two.tolist(), three.tolist()],
        {
            "threshold λ": [soft(z, 2 * lam).tolist(), two.tolist(), three.tolist()],
            "a hard threshold for the Lasso": [np.where(one, z, 0).tolist(), two.tolist(), three.tolist()],
            "ridge with half the penalty": [one.tolist(), (z / (1 + lam / 2)).tolist(), three.tolist()],
        },
    )


@variant("wrappers.11")
def leaving_again(rng):
    n, d = int(rng.integers(4, 15)) * 10, int(rng.integers(3, 7))

    def demand(got):
        X = np.asarray(got[0], float)
        if X.shape != (n, d):
            return f"X should have {n} rows and {d} columns; its shape is {X.shape}."

    own = np.random.default_rng(0)
    A = own.normal(size=(n, 2))
    stand_in = A.sum(axis=1) + 0.5 * own.normal(size=n)
    X = np.column_stack([A, stand_in, 1e-3 * own.normal(size=(n, d - 3))])
    text = (
        f"Data (X, y) with {n} rows and {d} columns on which the number of the Lasso's weights "
        "that are not 0 falls somewhere while λ falls from "
        "λ_max to 10⁻⁴ λ_max in 150 steps. No column is constant or a combination of the others. "
        "X and y are centred for you."
    )
    return Variant(text, (X, X[:, :3] @ [1.0, 0.8, -0.3]), checker=also(check_leaving, demand))


# ---- question 12 in other words


def chosen_forward(X, y):
    held = []
    while len(held) < 2:
        held.append(min((j for j in range(X.shape[1]) if j not in held), key=lambda j: rss(X, y, [*held, j])))
    return held


def dropped_first(X, y):
    return np.abs(ridge(X, y, 1e-9)).argmin()


def kept_by_lasso(X, y):
    return np.flatnonzero(lasso(X, y, 0.5)).tolist()


def loud(choose):
    """Whether another choice is made when one column is multiplied by 1000."""
    X, y = table()
    y = y + 0.6 * X[:, 3]
    return np.any(choose(X * [1.0, 1.0, 1.0, 1000.0], y) != choose(X, y))


def weight_comes_back():
    """Whether a weight of the Lasso goes back to 0 on its way: a stand-in for two others does."""
    from sklearn.linear_model import lars_path

    rng = np.random.default_rng(0)
    A = rng.normal(size=(80, 2))
    X = np.column_stack([A, A.sum(axis=1) + 0.5 * rng.normal(size=80)])
    path = lars_path(X - X.mean(axis=0), X @ [1.0, 0.8, -0.3], method="lasso")[2]
    return any((np.diff((row != 0).astype(int)) < 0).any() or (row.min() < 0 < row.max()) for row in path)


def subset_after(tries):
    """The columns that LVW holds after so many tries, none of which is better than all columns."""
    best, low = [0, 1, 2], 1.0
    for columns, error in [([0], 2.0), ([1], 3.0)][:tries]:
        best, low = (columns, error) if error < low else (best, low)
    return best


def features_of_logistic(C):
    from sklearn.linear_model import LogisticRegression

    X, y = table()
    return np.count_nonzero(LogisticRegression(C=C).fit(X, y > 0).coef_)


def luck_of_the_winner():
    """The least of 30 errors on coins, on average: each is a share of 40 rows."""
    return np.random.default_rng(0).binomial(40, 0.5, size=(200, 30)).min(axis=1).mean() / 40


reworded(
    "wrappers.12",
    "True or false?",
    worded(
        best_is_nested,
        False,
        (
            "Of the best three features, two are always the best two.",
            "A stand-in may leave when both come in.",
        ),
        ("The best subsets of growing sizes lie inside each other.", "The best single one need not stay."),
        ("The best single feature may be missing from the best pair.", "It may stand in for both.", False),
    ),
    worded(
        lambda: loud(chosen_forward),
        False,
        (
            "In grams for kilograms a column may enter a least-squares forward search earlier.",
            "No fit changes by it.",
        ),
        ("A forward search by least squares minds the units of the columns.", "The prediction does not."),
        ("Forward search with least squares takes the same columns in any units.", "Weights adapt.", False),
    ),
    worded(
        lambda: loud(dropped_first),
        True,
        ("Recursive elimination on raw columns may drop another one when a unit changes.", "Weights shrink."),
        ("A column in another unit may survive elimination for that reason alone.", "Weights are compared."),
        (
            "Without standardising, elimination keeps the same columns in any units.",
            "It looks at weights.",
            False,
        ),
    ),
    worded(
        lambda: loud(kept_by_lasso),
        True,
        ("Multiply a column by 1000, and the Lasso may choose it for that.", "A small weight is cheap."),
        ("Which columns the Lasso keeps may hang on their units.", "The penalty counts the weights."),
        (
            "The Lasso makes the same choice whatever the columns' units are.",
            "Large columns pay less.",
            False,
        ),
    ),
    worded(
        lambda: not ridge(*table(), 1e8).all(),
        False,
        ("A huge λ lets ridge drop features altogether.", "Weights shrink, and do not arrive."),
        ("Ridge sets weights to 0 one after the other as λ grows.", "It divides; it does not subtract."),
        ("However large λ is, ridge leaves weights different from 0.", "Smaller, but not 0.", False),
    ),
    worded(
        lambda: not lasso(*table(), 1e3).any(),
        True,
        ("There is a λ from which on the Lasso has no feature left.", "λ_max."),
        ("The Lasso's path begins with all weights at 0.", "At λ_max and above."),
        ("Some weight of the Lasso stays for each λ, however large.", "Above λ_max none does.", False),
    ),
    worded(
        lambda: not weight_comes_back(),
        False,
        ("A feature that the Lasso has taken stays as λ falls.", "A stand-in leaves when others come."),
        ("On the Lasso's path features only come in.", "One may go, and come back with another sign."),
        ("While λ falls, a Lasso weight may return to 0.", "Others may take over its work.", False),
    ),
    worded(
        lambda: len(subset_after(1)) > 0,
        True,
        ("LVW has an answer at any time, also after one try.", "It starts with all columns."),
        ("If its first tries are all worse, LVW still holds columns.", "All of them."),
        ("LVW must not be stopped before a try has won.", "It holds the columns that it began with.", False),
    ),
    worded(
        lambda: features_of_logistic(1e-3) < features_of_logistic(1e3),
        False,
        ("Logistic regression with an L2 penalty drops features as C falls.", "A square has no corner."),
        ("A small C makes the weights of an L2 penalty exactly 0.", "Small, not 0: that takes L1."),
        (
            "With an L2 penalty each feature keeps a weight, whatever C is.",
            "Only a corner makes zeros.",
            False,
        ),
    ),
    worded(
        lambda: luck_of_the_winner() < 0.45,
        True,
        ("On coin flips the winner of many subsets reports less than 1/2 errors.", "The luckiest wins."),
        ("The error by which a search chose its subset is too small on average.", "It was chosen for it."),
        (
            "Where nothing can be learnt, the winner's error is 1/2 on average.",
            "The least of many is less.",
            False,
        ),
    ),
)
