"""Answers tried on homework 11, multiclass: what must be refused, and what is right in other words."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import cross_val_score

from grading.question import computed_once
from grading.tried_answers import promised, tried
from helpers.methods.ecoc import code_distance, exhaustive_code, nearest_code
from homework.multiclass import questions as multiclass

tried(
    "multiclass.1",
    wrong=[[10, 900, 45, 200, 0.22], [9, 1000, 36, 200, 0.18], [10, 1000, 100, 200, 0.4]],
    right=[
        (10, 1000, 45, 200, 9 / 50),
        np.array([10, 1000, 45, 200, 0.18]),
        [10.0, 1000.0, 45.0, 200.0, 45 * 200**2 / (10 * 1000**2)],
    ],
)


tried(
    "multiclass.2",
    wrong=[
        multiclass.ovr(lambda S: np.zeros(len(S), int)),
        lambda S, classes: multiclass.ovr_predict(S, classes)[:-1],
        lambda S, classes: multiclass.ovr_predict(S, classes)[::-1],
        lambda S, classes: S.max(axis=1),
        multiclass.ovr(lambda S: np.argsort(S, axis=1)[:, -2]),
    ],
    right=[
        lambda S, classes: [classes[list(row).index(max(row))] for row in S],
        multiclass.ovr(lambda S: np.exp(S).argmax(axis=1)),
        multiclass.ovr(lambda S: np.argsort(S, axis=1)[:, -1]),
        multiclass.ovr(lambda S: (-S).argmin(axis=1)),
    ],
)


def _by_two_equations(S, y):
    """Slope and offset from what the two means should become."""
    result = []
    for s, c in zip(S.T, np.unique(y)):
        a, b = np.linalg.solve([[s[y == c].mean(), 1], [s[y != c].mean(), 1]], [1, -1])
        result.append(a * s + b)
    return np.transpose(result).tolist()


tried(
    "multiclass.3",
    wrong=[
        lambda S, y: multiclass.in_one_unit(S, y)[:, ::-1],
        lambda S, y: multiclass.in_one_unit(S, np.sort(y)),
    ],
    right=[
        _by_two_equations,
        lambda S, y: multiclass.in_one_unit(3 * S - 7, y),
        lambda S, y: multiclass.in_one_unit(-S, y),
    ],
)


tried(
    "multiclass.4",
    wrong=[
        multiclass.groups(multiclass.ROW, (10, 10, 10)),
        multiclass.groups(multiclass.ROW, (100, 10, 100)),
        (multiclass.groups(multiclass.ROW)[0], np.zeros(180)),
        "a row",
        multiclass.groups(multiclass.ROW)[0],
        (multiclass.groups(multiclass.ROW)[0], multiclass.groups(multiclass.ROW)[1][1:]),
        (1e6 * multiclass.groups(multiclass.ROW)[0], multiclass.groups(multiclass.ROW)[1]),
        multiclass.groups(multiclass.ROW, spread=3.0),
    ],
    right=[
        multiclass.groups([(0, 0), (3, 3), (6, 6)], (50, 30, 50), seed=1),
        (
            multiclass.groups(multiclass.ROW)[0].tolist(),
            np.array(["u", "v", "w"])[multiclass.groups(multiclass.ROW)[1]],
        ),
        (np.arange(90.0)[:, None] / 30 + 2 * (np.arange(90) // 30)[:, None], np.arange(90) // 30),
        multiclass.groups([(0, 0), (6, 0), (3, 0)], seed=2),
    ],
)


tried(
    "multiclass.5",
    wrong=[
        lambda y: multiclass.ovo_tasks(y)[::-1],
        lambda y: multiclass.ovo_tasks(y)[1:],
        lambda y: multiclass.ovo_tasks(np.sort(y)),
        lambda y: [t[:3] for t in multiclass.ovo_tasks(y)],
        lambda y: len(multiclass.ovo_tasks(y)),
        multiclass.each_part(lambda y, i, j, rows, t: (j, i, rows, t)),
        multiclass.each_part(lambda y, i, j, rows, t: (i, j, rows[::-1], t[::-1])),
        multiclass.each_part(lambda y, i, j, rows, t: (i, j, y[rows], t)),
    ],
    right=[
        multiclass.each_part(lambda y, *task: [part.tolist() for part in task]),
        dict(asked=lambda y, i, j: np.isin(y, [i, j])),
        multiclass.each_part(lambda y, i, j, rows, t: [i, j, rows, t.astype(float)]),
    ],
)


def _squeezed(D, classes):
    s = multiclass.support_of(D, len(classes))
    return classes[(multiclass.votes_of(D, len(classes)) + s / (3 * (np.abs(s) + 1))).argmax(axis=1)]


def _row_by_row(D, classes):
    answers = []
    for row in D:
        won, said = dict.fromkeys(range(len(classes)), 0), dict.fromkeys(range(len(classes)), 0.0)
        for d, (i, j) in zip(row, multiclass.class_pairs(len(classes))):
            won[j if d > 0 else i] += 1
            said[j], said[i] = said[j] + d, said[i] - d
        answers.append(classes[max(won, key=lambda c: (won[c], said[c]))])
    return answers


tried(
    "multiclass.6",
    wrong=[
        lambda D, classes: multiclass.ovo_predict(D, classes)[::-1],
        lambda D, classes: multiclass.ovo_predict(-D, classes),
        lambda D, classes: multiclass.ovo_predict(D[:, ::-1], classes),
        lambda D, classes: multiclass.votes_of(D, len(classes)),
        lambda D, classes: classes[
            (multiclass.votes_of(D, len(classes)) + 0.01 * multiclass.support_of(D, len(classes))).argmax(
                axis=1
            )
        ],
        lambda D, classes: multiclass.ovo_predict(np.sign(D), classes),
        lambda D, classes: multiclass.ovo_predict(D, np.sort(classes)),
        lambda D, classes: multiclass.ovo_predict(D, classes)[0],
    ],
    right=[{}, _squeezed, _row_by_row, lambda D, classes: multiclass.ovo_predict(3 * D, classes).tolist()],
)


tried("multiclass.7", wrong=[[3, 2, 0], [1, 3, 1]], right=[(3, 2, 1), np.array([3, 2, 1]), [3.0, 2.0, 1.0]])


tried(
    "multiclass.8",
    wrong=[
        lambda code, out: multiclass.ecoc_decode(code, out) + 1,
        lambda code, out: multiclass.ecoc_decode(code[::-1], out),
        lambda code, out: np.zeros(len(out)),
    ],
    right=[
        multiclass.decode_by(lambda o, c: np.abs(o - c).sum(axis=2)),
        lambda code, out: nearest_code(out, code),
        lambda code, out: ((2 * out - 1) @ (2 * code - 1).T).argmax(axis=1),
        lambda code, out: [min(range(len(code)), key=lambda k: np.linalg.norm(row - code[k])) for row in out],
    ],
)


def _by_product(code):
    """For words of -1 and +1, which it makes of any two symbols."""
    W = np.where(code == code.max(), 1, -1)
    G = W @ W.T - 2 * code.shape[1] * np.eye(len(W))
    d = int(code.shape[1] - G.max()) // 2
    return [(d + 1) // 2 - 1, d - 1]


tried(
    "multiclass.9",
    wrong=[
        lambda code: multiclass.survives(code)[::-1],
        lambda code: (1, 2),
        dict(wrong=lambda d: (d - 1) / 2),
    ],
    right=[
        _by_product,
        lambda code: np.array(multiclass.survives(code)),
        lambda code: (int(np.ceil(code_distance(code) / 2)) - 1, code_distance(code) - 1),
    ],
)


tried(
    "multiclass.10",
    wrong=[
        np.hstack([np.eye(5, dtype=int), 1 - np.eye(5, dtype=int)]),
        multiclass.TWO_THREE.T,
        multiclass.TWO_THREE[:, :9],
        2 * multiclass.TWO_THREE - 1,
        exhaustive_code(5),
        6,
        multiclass.TWO_THREE + 0.5,
        np.where(np.arange(10) == 3, 1, multiclass.TWO_THREE),
        np.where(np.arange(10) == 3, multiclass.TWO_THREE[:, :1], multiclass.TWO_THREE),
    ],
    right=[
        1 - multiclass.TWO_THREE,
        multiclass.TWO_THREE[::-1, ::-1].tolist(),
        multiclass.TWO_THREE.astype(float),
        multiclass.TWO_THREE == 1,
        multiclass.TWO_THREE ^ (np.arange(10) % 2),
    ],
)


tried(
    "multiclass.11",
    wrong=[
        lambda S, code: multiclass.group_scores(S, code)[:, ::-1],
        lambda S, code: np.sign(multiclass.group_scores(S, code)),
        lambda S, code: 2 * multiclass.group_scores(S, code),
    ],
    right=[
        lambda S, code: 1 - (S + 1) @ (1 - code),
        lambda S, code: S @ code + code.sum(axis=0) - 1,
        lambda S, code: 2 * ((S + 1) / 2 @ code) - 1,
    ],
)


@computed_once
def _in_four_folds(name, X, y):
    return cross_val_score(multiclass.judges(name), X, y, cv=4)


tried(
    "multiclass.12",
    wrong=[
        lambda X, y: "pairs",
        lambda X, y: "rest" if len(np.unique(y)) < 6 else "pairs",
        lambda X, y: "code",
        lambda X, y: ["rest"],
        lambda X, y: 0,
        lambda X, y: "PAIRS",
        lambda X, y: {"rest": 1},
    ],
    right=[
        lambda X, y: (
            "pairs" if _in_four_folds("rest", X, y).mean() < _in_four_folds("pairs", X, y).mean() else "rest"
        ),
        lambda X, y: max(multiclass.SCHEMES, key=lambda name: np.median(_in_four_folds(name, X, y))),
        lambda X, y: np.array(["rest", "pairs"])[int(multiclass.choose_scheme(X, y)[0] == "pairs")],
    ],
)


tried(
    "multiclass.15",
    wrong=[
        r"s_k",
        r"\frac{1}{K}",
        r"\ln \sum_{l=1}^K \exp(s_l)",
        r"\frac{\exp(2 s_k)}{\sum_{l=1}^K \exp(2 s_l)}",
    ],
    right=[
        r"\frac{1}{\sum_{l=1}^K \exp(s_l - s_k)}",
        r"\frac{\exp(s_k - 1)}{\sum_m \exp(s_m - 1)}",
        r"e_k \left(\sum_j e_j\right)^{-1}, \quad e_j = \exp(s_j)",
    ],
)


promised({
    "multiclass.2": {
        "an array of labels in any order": lambda S, classes: list(classes) != sorted(classes),
        "A score above 0 is a yes": lambda S, classes: ((S > 0).sum(axis=1) != 1).any(),
    },
    "multiclass.5": {
        "Labels may be numbers": lambda y: y.dtype.kind == "i",
        "or text": lambda y: y.dtype.kind == "U",
    },
    "multiclass.6": {
        "an array of K labels in any order": lambda D, classes: list(classes) != sorted(classes),
        "all others are a vote for the first": lambda D, classes: (D == 0).any(),
        "Where several classes have most votes": lambda D, classes: len(classes) == 3,
    },
    "multiclass.8": {"no ties": lambda code, out: (np.diff(np.sort(cdist(out, code))[:, :2]) > 1e-9).all()},
    "multiclass.9": {
        "A classifier may err, or may be absent: then you know that its place in the word is empty": None,
        "0 and 1, or −1 and 1": lambda code: (code < 0).any(),
    },
})
