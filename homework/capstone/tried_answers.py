"""Answers tried on the questions of capstone: what must be refused, and what is right in other words."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grading.tried_answers import promised, tried
from homework.capstone import questions as capstone
from homework.capstone.stations import MASS, MEASURES, nest_names, numbered


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
        capstone.audit_with(3, lambda t: (t == "").any().sum()),
        capstone.audit_with(2, lambda t: (t.nunique() <= 1).sum()),
        lambda t: capstone.audit(t)[::-1],
        capstone.audit_with(3, lambda t: t.notna().all().sum()),
    ],
    right=[
        _audit_by_loops,
        lambda t: np.array(capstone.audit(t)),
        lambda t: tuple(map(float, capstone.audit(t))),
    ],
)


tried(
    "capstone.2",
    wrong=[
        capstone.USABLE[:5],
        [*capstone.USABLE[1:]],
        [*capstone.USABLE, "Region"],
        [*capstone.USABLE, "Stage"],
        [*capstone.USABLE, "Delta 13 C (o/oo)"],
        "Species",
    ],
    right=[
        capstone.USABLE[::-1],
        tuple(capstone.USABLE),
        set(capstone.USABLE),
        np.array(capstone.USABLE),
        pd.Index(capstone.USABLE),
    ],
)


tried(
    "capstone.3",
    wrong=[
        lambda table, m: [],
        lambda table, m: capstone.nest_rows(table, m)[:-2],
        lambda table, m: [0] * m,
        lambda table, m: capstone.nest_rows(table, m // 2),
        lambda table, m: [r + 0.5 for r in capstone.nest_rows(table, m)],
    ],
    right=[
        lambda table, m: np.array(capstone.nest_rows(table, m)),
        lambda table, m: set(capstone.nest_rows(table, m)),
        lambda table, m: (
            capstone.rows_by(lambda t: nest_names(t).iloc[::-1].reset_index(drop=True))(table, m)
            and [len(table) - 1 - r for r in capstone.nest_rows(numbered(table.iloc[::-1]), m)]
        ),
        capstone.rows_by(lambda t: t["studyName"] + t["Individual ID"].str.replace("A[12]$", "", regex=True)),
    ],
)


def _mended_by_rows(table):
    """Row after row, each value by its own size."""
    rows, seen = [], []
    for row in table.to_dict("records"):
        beak = [row[MEASURES[0]], row[MEASURES[1]]]
        if beak[0] < 25 or beak[1] > 25:
            row[MEASURES[0]], row[MEASURES[1]] = beak[::-1]
        if not 2000 <= row[MASS] <= 7000:
            row[MASS] = np.nan
        key = tuple("blank" if value != value else value for value in row.values())
        if key not in seen:
            seen.append(key)
            rows.append(row)
    return pd.DataFrame(rows)


tried(
    "capstone.4",
    wrong=[
        lambda table: table,
        lambda table: capstone.mend(table).dropna(),
        lambda table: capstone.mend(table)[::-1],
        lambda table: capstone.mend(table).drop(columns="Comments"),
        lambda table: capstone.mend(table).to_numpy(),
        dict(odd=lambda mass: (mass <= 2000) | (mass > 7000)),
        dict(odd=lambda mass: (mass < 2000) | (mass >= 7000)),
    ],
    right=[
        _mended_by_rows,
        lambda table: numbered(capstone.mend(table)),
        lambda table: capstone.mend(numbered(table)),
    ],
)


tried(
    "capstone.5",
    wrong=[lambda a, b: 1 - capstone.one_hot(a, b), lambda a, b: np.zeros((len(b), len({*a})))],
    right=[
        lambda a, b: [[float(v == name) for name in sorted({*a})] for v in b],
        lambda a, b: np.equal.outer(np.array(b, object), np.unique(a)).astype(bool),
        lambda a, b: pd.get_dummies(pd.Series(b)).reindex(columns=sorted({*a}), fill_value=False),
    ],
)


tried(
    "capstone.6",
    wrong=[
        lambda table, c: np.arange(len(table)),
        lambda table, c: capstone.odd_masses(table, c)[:-1],
        lambda table, c: len(capstone.odd_masses(table, c)),
        lambda table, c: capstone.odd_masses(table, 2 * c),
    ],
    right=[
        {},
        lambda table, c: set(capstone.odd_masses(table, c).tolist()),
        lambda table, c: capstone.odd_masses(table, c)[::-1],
        dict(scale=lambda e, y: np.sqrt((e**2).mean())),
    ],
)


tried(
    "capstone.7",
    wrong=[
        lambda a, b, k: capstone.project(a, b, k)[:, ::-1],
        lambda a, b, k: np.abs(capstone.project(a, b, k)),
        lambda a, b, k: b.to_numpy()[:, :k],
        lambda a, b, k: capstone.project(a, b, k)[::-1] * 2,
    ],
    right=[
        {},
        lambda a, b, k: pd.DataFrame(-capstone.project(a, b, k)),
        lambda a, b, k: make_pipeline(StandardScaler(), PCA(k)).fit(a).transform(b),
    ],
)


tried(
    "capstone.8",
    wrong=[
        lambda X, y, folds, m: 0.5,
        lambda X, y, folds, m: 1.0,
        lambda X, y, folds, m: capstone.honest_accuracy(X, y, folds, 1),
        lambda *args: 100 * capstone.honest_accuracy(*args),
    ],
    right=[
        lambda X, y, folds, m: capstone.honest_accuracy(X, y, folds[::-1], m),
        dict(score=lambda X, y: np.abs(np.corrcoef(X, y, rowvar=False)[-1, :-1])),
        lambda X, y, folds, m: np.float64(capstone.honest_accuracy(3 * X + 1, y, folds, m)),
    ],
)


def _by_correlation(X, y, folds, m):
    """The filter by the size of the correlation."""
    filtered = np.argsort(-np.abs(np.corrcoef(X, y, rowvar=False)[-1, :-1]))[:m]
    return [filtered, *capstone.three_choices(X, y, folds, m)[1:]]


def _by_normal_equations(X, y, folds, m):
    """The wrapper once more, without scikit-learn."""
    chosen = []
    while len(chosen) < m:
        errors = {}
        for j in {*range(X.shape[1])} - {*chosen}:
            A = np.column_stack([np.ones(len(y)), X[:, [*chosen, j]]])
            errors[j] = 0
            for test in folds:
                train = np.delete(np.arange(len(y)), test)
                w = np.linalg.lstsq(A[train], y[train], rcond=None)[0]
                errors[j] += ((y[test] - A[test] @ w) ** 2).sum()
        chosen.append(min(errors, key=errors.get))
    found = capstone.three_choices(X, y, folds, m)
    return [found[0], chosen, found[2]]


tried(
    "capstone.9",
    wrong=[
        lambda X, y, folds, m: [sorted(one) for one in capstone.three_choices(X, y, folds, m)],
        lambda X, y, folds, m: [[*range(m)]] * 3,
        dict(score=lambda X, y: X.var(axis=0)),
    ],
    right=[
        {},
        _by_correlation,
        _by_normal_equations,
        lambda X, y, folds, m: np.array(capstone.three_choices(X, y, folds, m)),
    ],
)


def _neighbours_in_grams(stations):
    """The four measurements as they were typed, five neighbours, five folds of rows."""

    def one(train, test):
        train = train[train["Sex"].notna()]
        model = make_pipeline(SimpleImputer(strategy="median"), KNeighborsClassifier(5))
        share = cross_val_score(model, train[MEASURES], train["Sex"]).mean()
        labels = model.fit(train[MEASURES], train["Sex"]).predict(test[MEASURES])
        return labels, share, (share - 0.15, share + 0.15)

    return [one(*pair) for pair in stations]


tried(
    "capstone.10",
    wrong=[
        _neighbours_in_grams,
        dict(share=lambda folds, seen: 0.76),
        dict(learner=KNeighborsClassifier(1), groups=capstone.each_row),
        dict(width=9.0),
        dict(width=1.0),
        lambda stations: [one[:2] for one in capstone.promises(stations[:1])],
        lambda stations: [(["male"] * len(test), 0.8, (0.7, 0.9)) for _, test in stations],
        lambda stations: [(["MALE"] * len(test), 0.5, (0.4, 0.6)) for _, test in stations],
        lambda stations: [(["MALE"] * len(test), 0.5, 0.1) for _, test in stations],
        lambda stations: [(["MALE"] * len(test), "half", (0.4, 0.6)) for _, test in stations],
    ],
    right=[
        {},
        dict(kinds=False),
        dict(width=1.7),
        lambda stations: [list(one) for one in capstone.promises(stations)],
        dict(learner=make_pipeline(StandardScaler(), LogisticRegression())),
    ],
)


def _fixed(table, **entries):
    """A card with other entries, and the report that goes with it."""
    card = {**capstone.product(table)[1], **entries}
    return capstone.report_of(card), card


tried(
    "capstone.11",
    wrong=[
        lambda table: capstone.product(table)[0],
        lambda table: capstone.product(table)[::-1],
        lambda table: (capstone.product(table)[0], {}),
        lambda table: ("# A report", capstone.product(table)[1]),
        lambda table: _fixed(table, estimate=0.5),
        lambda table: _fixed(table, use="sex"),
        lambda table: _fixed(table, folds="five folds, drawn by lot"),
        lambda table: _fixed(table, limits="none"),
        lambda table: _fixed(table, limits=["None that we know of."]),
        dict(text=lambda report, card: report.replace("# Which", "Which", 1)),
        dict(text=lambda report, card: report.replace("kinds.png", "map.png")),
        dict(text=lambda report, card: report.partition("## Limits")[0]),
        dict(text=lambda report, card: report.replace(f"{card['birds']} different", "many")),
        dict(text=lambda report, card: report.replace(" right (", " wrong (").replace("about", "not")[:60]),
    ],
    right=[
        lambda table: (capstone.product(table)[0] + "\n\nMore on request.", capstone.product(table)[1]),
        lambda table: (capstone.product(table)[0], {**capstone.product(table)[1], "author": "a learner"}),
        dict(
            text=lambda report, card: report.replace(
                f"{100 * card['estimate']:.0f}", f"{card['estimate']:.2f}", 1
            )
        ),
    ],
)


def _blank_and_exchanged(table):
    length, depth = (table[f"Culmen {what} (mm)"] for what in ("Length", "Depth"))
    return ((length < 25) & depth.isna()).any() and ((depth > 25) & length.isna()).any()


promised({
    "capstone.1": {
        "two blanks are equal here": lambda table: table[table.duplicated()].isna().any(axis=None),
        "the constant columns": lambda table: ((table.nunique() == 1) & ~table.isna().any()).any(),
        "none is blank": lambda table: ((table.nunique() == 1) & table.isna().any()).any(),
        "at least one blank": lambda table: table.isna().all().any(),
    },
    "capstone.3": {
        "Of some nests the table holds only one bird": lambda table, m: (
            table.groupby("Individual ID", as_index=False).size()["size"].min() == 1
        )
    },
    "capstone.4": {
        "also where one of them is blank": lambda table: _blank_and_exchanged(table),
        "becomes a blank": lambda table: (~table["Body Mass (g)"].dropna().between(2000, 7000)).any(),
        "equal in every column, the first stays": lambda table: len(capstone.mend(table)) < len(table),
    },
    "capstone.5": {"A name that does not occur in `train`": lambda train, test: not {*test} <= {*train}},
    "capstone.6": {
        "Another wrong mass may be one that many birds have": None,
        "a mass that a penguin may have": None,
        "A row with a blank": lambda table, c: table[capstone.MEASURES].isna().any(axis=None),
    },
    "capstone.7": {
        "without blanks": lambda train, test, k: not (train.isna() | test.isna()).any(axis=None),
        "There may be a single test row": lambda train, test, k: len(test) == 1,
    },
    "capstone.8": {"Folds may differ in size": lambda X, y, folds, m: len({*map(len, folds)}) > 1},
})
