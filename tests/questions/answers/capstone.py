"""Answers tried on the questions of capstone: what must be refused, and what is right in other words."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.feature_selection import f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grading.questions.capstone import (
    USABLE,
    _audit_with,
    _filled,
    _gap,
    _nest,
    _plain,
    _rank,
    _rows_by,
    audit,
    honest_accuracy,
    nest_rows,
    odd_masses,
    one_hot,
    predict_sex,
    project,
    rank_by_F,
    standardise,
)
from tests.questions.answers import tried


def _audit_by_loops(table):
    rows = [tuple("blank" if v != v else v for v in row) for row in table.itertuples(index=False)]
    columns = [{*column} for column in zip(*rows, strict=True)]
    return (
        len(rows),
        len(rows) - len({*rows}),
        sum(len(c) == 1 and "blank" not in c for c in columns),
        sum("blank" in c for c in columns),
    )


tried(
    "capstone.1",
    wrong=[
        _audit_with(3, lambda t: (t == "").any().sum()),
        _audit_with(2, lambda t: (t.nunique() <= 1).sum()),
        lambda t: audit(t)[::-1],
        lambda t: audit(t)[:3],
        lambda t: list(t.shape),
        _audit_with(3, lambda t: t.notna().all().sum()),
    ],
    right=[_audit_by_loops, lambda t: np.array(audit(t)), lambda t: tuple(map(float, audit(t)))],
)


tried(
    "capstone.2",
    wrong=[
        USABLE[:5],
        [*USABLE[1:]],
        [*USABLE, "Region"],
        [*USABLE, "Stage"],
        [*USABLE, "Delta 13 C (o/oo)"],
        "Species",
    ],
    right=[USABLE[::-1], tuple(USABLE), set(USABLE), np.array(USABLE), pd.Index(USABLE)],
)


tried(
    "capstone.3",
    wrong=[
        lambda table, m: [],
        lambda table, m: nest_rows(table, m)[:-2],
        lambda table, m: [0] * m,
        lambda table, m: nest_rows(table, m // 2),
        lambda table, m: [r + 0.5 for r in nest_rows(table, m)],
    ],
    right=[
        lambda table, m: np.array(nest_rows(table, m)),
        lambda table, m: set(nest_rows(table, m)),
        lambda table, m: (
            _rows_by(lambda t: _nest(t).iloc[::-1].reset_index(drop=True))(table, m)
            and [len(table) - 1 - r for r in nest_rows(_plain(table.iloc[::-1]), m)]
        ),
        _rows_by(lambda t: t["studyName"] + t["Individual ID"].str.replace("A[12]$", "", regex=True)),
    ],
)


def _filled_by_loops(train, test):
    out = [list(row) for row in test.to_numpy()]
    for j, name in enumerate(test):
        seen = sorted(v for v in train[name] if v == v)
        middle = (seen[(len(seen) - 1) // 2] + seen[len(seen) // 2]) / 2
        out = [[middle if i == j and v != v else v for i, v in enumerate(row)] for row in out]
    return out


tried(
    "capstone.4",
    wrong=[
        lambda a, b: b,
        lambda a, b: a.fillna(a.median()),
        lambda a, b: b.dropna(),
        _filled(lambda a, b: a.max()),
    ],
    right=[
        _filled_by_loops,
        _filled(lambda a, b: a.quantile(0.5)),
        lambda a, b: SimpleImputer(strategy="median").fit(a[list(b)]).transform(b),
    ],
)


tried(
    "capstone.5",
    wrong=[
        lambda a, b: standardise(a, b)[: len(a)],
        lambda a, b: pd.concat([a, b]).to_numpy(),
        lambda a, b: standardise(a, b).T,
        dict(centre=lambda X: X.median()),
    ],
    right=[
        {},
        lambda a, b: pd.DataFrame(standardise(a, b)),
        lambda a, b: (
            StandardScaler()
            .fit(a.loc[:, np.ptp(a.to_numpy(), axis=0) > 0])
            .transform(pd.concat([a, b]).loc[:, np.ptp(a.to_numpy(), axis=0) > 0])
        ),
    ],
)


tried(
    "capstone.6",
    wrong=[
        lambda a, b: one_hot(a, b).T,
        lambda a, b: 1 - one_hot(a, b),
        lambda a, b: np.zeros((len(b), len({*a}))),
        lambda a, b: b,
    ],
    right=[
        lambda a, b: [[float(v == name) for name in sorted({*a})] for v in b],
        lambda a, b: np.equal.outer(np.array(b, object), np.unique(a)).astype(bool),
        lambda a, b: pd.get_dummies(pd.Series(b)).reindex(columns=sorted({*a}), fill_value=False),
    ],
)


tried(
    "capstone.7",
    wrong=[
        lambda table, c: [],
        lambda table, c: np.arange(len(table)),
        lambda table, c: odd_masses(table, c)[:-1],
        lambda table, c: len(odd_masses(table, c)),
        lambda table, c: odd_masses(table, 2 * c),
    ],
    right=[
        {},
        lambda table, c: set(odd_masses(table, c).tolist()),
        lambda table, c: odd_masses(table, c)[::-1],
        dict(scale=lambda e, y: np.sqrt((e**2).mean())),
    ],
)


tried(
    "capstone.8",
    wrong=[
        _rank(lambda X, male: X.var(axis=0)),
        lambda table, train: list(table.columns),
        lambda table, train: rank_by_F(table, train)[:3],
        lambda table, train: sorted(rank_by_F(table, train)),
        lambda table, train: ["Sex", *rank_by_F(table, train)],
    ],
    right=[
        _rank(lambda X, male: np.abs(np.corrcoef(X, male, rowvar=False)[-1, :-1])),
        _rank(
            lambda X, male: (
                _gap(X, male) ** 2 / (X[male].var(axis=0) * male.sum() + X[~male].var(axis=0) * (~male).sum())
            )
        ),
        lambda table, train: np.array(rank_by_F(table, train)),
        _rank(lambda X, male: -f_classif(X, male)[1]),
    ],
)


tried(
    "capstone.9",
    wrong=[
        lambda a, b, k: project(a, b, k)[:, :1],
        lambda a, b, k: project(a, b, 6),
        lambda a, b, k: project(a, b, k)[:, ::-1],
        lambda a, b, k: np.abs(project(a, b, k)),
        lambda a, b, k: b.to_numpy()[:, :k],
        lambda a, b, k: project(a, b, k)[::-1] * 2,
    ],
    right=[
        {},
        lambda a, b, k: pd.DataFrame(-project(a, b, k)),
        lambda a, b, k: make_pipeline(StandardScaler(), PCA(k)).fit(a).transform(b),
    ],
)


tried(
    "capstone.10",
    wrong=[
        lambda X, y, folds, m: 0.5,
        lambda X, y, folds, m: 1.0,
        lambda X, y, folds, m: honest_accuracy(X, y, folds, 1),
        lambda *args: 100 * honest_accuracy(*args),
        dict(share=lambda hits: [h.mean() for h in hits]),
    ],
    right=[
        {},
        lambda X, y, folds, m: honest_accuracy(X, y, folds[::-1], m),
        dict(score=lambda X, y: np.abs(np.corrcoef(X, y, rowvar=False)[-1, :-1])),
        lambda X, y, folds, m: np.float64(honest_accuracy(3 * X + 1, y, folds, m)),
    ],
)


tried(
    "capstone.11",
    wrong=[
        lambda train, test: predict_sex(train, test)[0],
        lambda train, test: (predict_sex(train, test)[0][::-1], 0.9),
        lambda train, test: (predict_sex(train, test)[0], "0.9"),
        lambda train, test: (predict_sex(train, test)[0][:-1], 0.9),
        lambda train, test: (["male"] * len(test), 0.9),
        lambda train, test: (predict_sex(train, test)[0], np.nan),
        lambda train, test: (predict_sex(train, test)[0], 91.0),
    ],
    right=[
        {},
        dict(learner=LogisticRegression),
        lambda train, test: list(predict_sex(train, test)),
        dict(learner=lambda: KNeighborsClassifier(9)),
    ],
)
