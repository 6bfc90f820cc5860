"""Answers tried on the questions of capstone: what must be refused, and what is right in other words."""

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from grading.tried_answers import promised, tried
from homework.capstone import questions as capstone
from homework.capstone.stations import MASS, MEASURES, nest_names, numbered

tried(
    "capstone.1",
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
    "capstone.2",
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
    "capstone.3",
    wrong=[
        lambda table: table,
        lambda table: capstone.mend(table).dropna(),
        lambda table: capstone.mend(table)[::-1],
        lambda table: capstone.mend(table).drop(columns="Comments"),
        lambda table: capstone.mend(table).to_numpy(),
        lambda table: capstone.mend(table).assign(**{MASS: 4000.0}),
    ],
    right=[
        _mended_by_rows,
        lambda table: numbered(capstone.mend(table)),
        lambda table: capstone.mend(numbered(table)),
    ],
)


LEARNER = make_pipeline(SimpleImputer(strategy="median"), LinearDiscriminantAnalysis())  # as it is given


def _in_folds(folds, learner=LEARNER, clean=capstone.mend, groups=nest_names):
    """As a student writes it."""

    def share(table):
        sex = table["Sex"].to_numpy()
        told = cross_val_predict(learner, capstone.as_numbers(table), sex, groups=groups(table), cv=folds)
        return np.mean(told == sex)

    return dict(share=share, clean=clean)


def _wilson(trains):
    """Another interval for a share, not in the middle of it."""

    def one(train):
        share, n = (
            capstone.promise(train)[0],
            len(train[train["Sex"].notna()].drop_duplicates(capstone.SAME_BIRD)),
        )
        centre, margin = (share + 2 / n) / (1 + 4 / n), 2 * np.sqrt(share * (1 - share) / n + 1 / n**2)
        return share, [min(centre - margin / (1 + 4 / n), share), max(centre + margin / (1 + 4 / n), share)]

    return [one(train) for train in trains]


tried(
    "capstone.4",
    wrong=[
        _in_folds(KFold(5, shuffle=True, random_state=1)),
        _in_folds(GroupKFold(5), learner=KNeighborsClassifier(1), clean=lambda t: capstone.mend(t).dropna()),
        _in_folds(GroupKFold(5, shuffle=True, random_state=2), clean=capstone.as_typed),
        _in_folds(GroupKFold(5), clean=lambda table: table.drop_duplicates()),
        dict(share=lambda table: 0.74),
        dict(width=9.0),
        dict(width=0.0),
        dict(count=lambda table: nest_names(table).nunique()),
        lambda trains: [0.8] * len(trains),
        lambda trains: [(0.8, 0.1)] * len(trains),
        lambda trains: [("half", (0.4, 0.6))] * len(trains),
        lambda trains: [(80, (70, 90))] * len(trains),
        lambda trains: [(0.74, (0, 1))] * len(trains),
        lambda trains: capstone.promises(trains[:1]),
    ],
    right=[
        _in_folds(GroupKFold(5)),
        _in_folds(GroupKFold(5, shuffle=True, random_state=3)),
        _in_folds(StratifiedGroupKFold(5)),
        _in_folds(GroupKFold(4)),
        _in_folds(GroupKFold(7)),
        dict(width=1.96),
        _wilson,
        lambda trains: [list(one) for one in capstone.promises(trains)],
    ],
)


def _blank_and_exchanged(table):
    length, depth = (table[f"Culmen {what} (mm)"] for what in ("Length", "Depth"))
    return ((length < 25) & depth.isna()).any() and ((depth > 25) & length.isna()).any()


promised({
    "capstone.2": {
        "Of some nests the table holds only one bird": lambda table, m: (
            table.groupby("Individual ID", as_index=False).size()["size"].min() == 1
        )
    },
    "capstone.3": {
        "also where one of them is blank": lambda table: _blank_and_exchanged(table),
        "becomes a blank": lambda table: (~table["Body Mass (g)"].dropna().between(2000, 7000)).any(),
        "equal in every column, the first stays": lambda table: len(capstone.mend(table)) < len(table),
    },
})
