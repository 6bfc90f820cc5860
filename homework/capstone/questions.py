"""The capstone: from the raw penguin table to an honest estimate of "which sex is this bird?"."""

import re
from itertools import starmap

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LinearRegression, lars_path
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grading.question import Case, Task, computed_once, question
from grading.reasons import reading
from helpers.comparing import close, numbers, same_labels, same_set, same_up_to_sign
from helpers.datasets import load_penguins
from homework.capstone.stations import MASS, MEASURES, NEW_ISLANDS, nest_names, numbered, station, swap_digits

NUMERIC = [*MEASURES, "Delta 15 N (o/oo)", "Delta 13 C (o/oo)"]
SAME_BIRD = ["studyName", "Individual ID"]


def _birds(rng, n, seen=(), table=None):
    """n rows of the raw table in no order, without blanks in the columns `seen`."""
    table = load_penguins(raw=True) if table is None else table
    table = table[table[list(seen)].notna().all(axis=1)]
    return numbered(table.iloc[rng.permutation(len(table))[:n]])


def _with_swaps(rng, table, many):
    able = [i for i, m in enumerate(table[MASS]) if m == m and swap_digits(m) != m]
    for i in rng.permutation(able)[:many]:
        table.loc[i, MASS] = swap_digits(table.loc[i, MASS])
    return table


def _with_blanks(rng, table, columns, many):
    for _ in range(many):
        table.loc[int(rng.integers(len(table))), columns[rng.integers(len(columns))]] = np.nan
    return table


# ---- 1: an audit


def draw_audit(rng, comment=True):
    """Rows typed twice and three times, a bird typed twice with two masses; all from one island, or not."""
    table = _birds(rng, int(rng.integers(40, 60)))
    if rng.integers(2):
        table = table[table["Island"] == "Biscoe"].reset_index(drop=True)
    table["Comments"] = (
        np.where(np.arange(len(table)) % 7 == 2, "Adult not sampled.", None) if comment else None
    )
    rows = rng.permutation(len(table))[: rng.integers(4, 8)]
    again = table.iloc[[*rows, rows[0], rows[0]]].copy()
    other = table.iloc[[rows[-1]]].assign(**{"Sample Number": 999})
    whole = pd.concat([table, again, other])
    whole["Comments"] = [c if isinstance(c, str) else np.nan for c in whole["Comments"]]
    return (numbered(whole.iloc[rng.permutation(len(whole))]),)


def audit(table):
    constant = (table.nunique() == 1) & table.notna().all()
    return [len(table), table.duplicated().sum(), constant.sum(), table.isna().any().sum()]


def audit_with(place, count):
    """audit with one of its four numbers counted otherwise."""

    def answer(table):
        found = audit(table)
        found[place] = count(table)
        return [int(v) for v in found]

    return answer


question(
    "capstone.1",
    "Look before you learn",
    then="Go on: which of the four numbers could change if the column of row numbers were dropped?",
    truth=audit,
    cases=[
        Case(1, "a dirty table", draw_audit),
        Case(
            1, "a table with a column that holds no value at all", lambda rng: draw_audit(rng, comment=False)
        ),
    ],
    mistakes={
        "one distinct value, blanks ignored": (
            "One comment and many blanks: is that a column that never varies?",
            audit_with(2, lambda t: (t.nunique() == 1).sum()),
        ),
        "a column of blanks taken for a constant": (
            "Which value would a column hold that holds none?",
            audit_with(2, lambda t: (t.nunique(dropna=False) == 1).sum()),
        ),
        "the first of a group counted too": (
            "A row typed twice: how many of the two would you strike out?",
            audit_with(1, lambda t: t.duplicated(keep=False).sum()),
        ),
        "birds for rows": (
            "Two rows name one bird. Do they agree in every column?",
            audit_with(1, lambda t: t.duplicated(SAME_BIRD).sum()),
        ),
        "repeats among complete rows only": (
            "Two rows are blank at the same place and equal elsewhere. Are they a repeat?",
            audit_with(1, lambda t: t.dropna().duplicated().sum()),
        ),
        "blank cells": (
            "Blank cells, or columns that hold some?",
            audit_with(3, lambda t: t.isna().sum().sum()),
        ),
        "columns of nothing but blanks": (
            "Must a column be blank throughout to have blanks?",
            audit_with(3, lambda t: t.isna().all().sum()),
        ),
        "rows after cleaning": (
            "Which rows are counted first: those of the table, or those that you would keep?",
            audit_with(0, lambda t: len(t.drop_duplicates())),
        ),
    },
    hints=["pandas has a method for each: duplicated, nunique, isna. Read what each does with blanks."],
)

# ---- 2: which columns

USABLE = ["Species", "Island", *MEASURES]


def column_amiss(question, got):
    """What is wrong with the first column that is: the hint of the mistake that adds hardly more than it."""
    names = [] if isinstance(got, str) or not np.iterable(got) else list(got)
    if not names or not all(isinstance(name, str) for name in names):
        return "List the names of columns, as text between quotation marks."
    columns = {*load_penguins(raw=True)}
    for name in names:
        if name not in columns:
            return f"{name[:40]!r} is no column of the table. Capitals count, and so do units."
    if len({*names}) < len(names):
        return "A column stands there twice."
    wanted, mistakes = {*question.truth}, sorted(question.mistakes, key=lambda m: len(m.answer))
    for name in names:
        if name not in wanted:
            return next((m.hint for m in mistakes if name in m.answer), "A column too many stands there.")
    return "A column is missing that the hand knows by then, and whose values come again."


question(
    "capstone.2",
    "What the learner may see",
    name="usable_columns",
    then="Go on: which columns would you add for a hand that has a laboratory?",
    stars=2,
    cases=Case(3),
    truth=USABLE,
    secret=True,
    same=same_set,
    amiss=column_amiss,
    mistakes={
        "the names of bird and season": (
            "Which of your columns would hold nothing but new values in another season?",
            [*USABLE, "studyName", "Sample Number", "Individual ID"],
        ),
        "the season": (
            "Which of your columns would hold nothing but new values in another season?",
            [*USABLE, "studyName"],
        ),
        "the number of the sample": (
            "Sort the raw table by each of your columns: does one only count?",
            [*USABLE, "Sample Number"],
        ),
        "the name of the bird": (
            "Count the males among the birds A1. Would another hand number its birds so?",
            [*USABLE, "Individual ID"],
        ),
        "the date": ("Can a date of a past season come again?", [*USABLE, "Date Egg"]),
        "the comments": (
            "Read the comments. When were they written, and what do some say about sexing?",
            [*USABLE, "Comments"],
        ),
        "the isotopes": (
            "Who measured your columns: the hand that held the bird, or a laboratory?",
            [*USABLE, *NUMERIC[4:]],
        ),
        "the constants": (
            "How much does a column tell in which all birds are alike?",
            [*USABLE, "Region", "Stage"],
        ),
        "what the nest did later": (
            "One of your columns is known only after days of watching. Which?",
            [*USABLE, "Clutch Completion"],
        ),
        "the label itself": ("You predict the sex from what?", [*USABLE, "Sex"]),
        "all that varies": (
            "You asked whether a column varies. Ask also when its value is known, and whether it comes "
            "again.",
            [
                "studyName",
                "Sample Number",
                "Species",
                "Island",
                "Individual ID",
                "Clutch Completion",
                "Date Egg",
                *NUMERIC,
                "Sex",
                "Comments",
            ],
        ),
        "only the numbers": (
            "Do text columns tell nothing about a bird? Is a male of one kind larger than a female of "
            "another?",
            MEASURES,
        ),
        "all numbers": ("Who measured your columns: the hand that held the bird, or a laboratory?", NUMERIC),
    },
    hints=[
        "Go through the 17 columns one by one and ask of each: when is it known, and can its value come "
        "again?",
        "Print the number of distinct values of each column, and all the comments.",
    ],
)

# ---- 3: keep the nests together


def draw_nests(rng):
    table = _birds(rng, 130)
    return table, int(rng.integers(25, 45))


def draw_whole_nests(rng):
    """Both birds of every nest, of numbers that each season used.

    Nests taken for one across seasons are too many rows.
    """
    raw = load_penguins(raw=True)
    seasons = raw.groupby("Individual ID")["studyName"].transform("nunique")
    return _birds(rng, 120, table=raw[seasons == 3]), int(6 * rng.integers(4, 8) + 2)


def nest_rows(table, m):
    nest = table["studyName"] + table["Individual ID"].str.split("A").str[0]
    rows = []
    for one in nest.unique():
        if len(rows) < m:
            rows += np.flatnonzero(nest == one).tolist()
    return rows


def rows_by(groups, enough=lambda rows, m: len(rows) >= m):
    """nest_rows with other groups: `groups` takes the table and gives a name for each row."""

    def answer(table, m):
        names, rows = pd.Series(groups(table)), []
        for one in names.unique():
            if not enough(rows, m):
                rows += np.flatnonzero(names == one).tolist()
        return rows

    return answer


def _row_numbers(got, n):
    """Different whole numbers from 0 to n - 1, as a set; or None."""
    rows = numbers(list(got) if isinstance(got, (set, frozenset)) else got)
    if rows is None or rows.ndim != 1 or isinstance(got, (str, bytes)) or (rows != rows.round()).any():
        return None
    found = {int(r) for r in rows}
    return found if len(found) == len(rows) and found <= {*range(n)} else None


def check_nests(got, table, m):
    rows = _row_numbers(got, len(table))
    if rows is None:
        return "Return numbers of rows of the table, each once."
    inside = np.isin(np.arange(len(table)), list(rows))
    divided = pd.Series(inside).groupby(nest_names(table)).nunique().eq(2).sum()
    if divided:
        return f"Nests with a bird on either side: {divided}."
    return None if m <= len(rows) <= m + 1 else f"Test rows: {len(rows)}. Asked for are {m} or {m + 1}."


question(
    "capstone.3",
    "Nests stay together",
    then="Go on: which other birds share so much that they should stay together?",
    stars=2,
    truth=nest_rows,
    same=same_set,
    checker=check_nests,
    cases=[Case(2, "some birds of the table", draw_nests), Case(1, "whole nests", draw_whole_nests)],
    mistakes={
        "rows drawn singly": (
            "The partner of a test bird sits among the training rows. What do the two share?",
            lambda table, m: np.arange(m),
        ),
        "the last rows": (
            "The partner of a test bird sits among the training rows. What do the two share?",
            lambda table, m: np.arange(len(table) - m, len(table)),
        ),
        "the season forgotten": (
            "Nest N1 stood in one season, and N1 in the next. Are they one nest?",
            rows_by(lambda t: t["Individual ID"].str.split("A").str[0]),
        ),
        "the name of the bird alone": (
            "Does a whole name like N5A2 say which nest, or which bird?",
            rows_by(lambda t: t["Individual ID"]),
        ),
        "one of each nest": (
            "You test the second bird of nests whose first bird trains.",
            lambda table, m: np.flatnonzero(table["Individual ID"].str.endswith("A2"))[:m],
        ),
        "names cut at two characters": (
            "Your nests N1, N10 and N11 have become one. Where does the number end?",
            rows_by(lambda t: t["studyName"] + t["Individual ID"].str[:2]),
        ),
        "whole seasons": ("A whole season is more than was asked for.", rows_by(lambda t: t["studyName"])),
        "the training rows": (
            "Are these the rows that test, or the rows that train?",
            lambda table, m: [i for i in range(len(table)) if i not in nest_rows(table, m)],
        ),
        "one nest too many": (
            "Count your rows before you add another nest.",
            rows_by(nest_names, enough=lambda rows, m: len(rows) >= m + 2),
        ),
    },
    hints=[
        "Give each row the name of its nest first: what is a nest's full name?",
        "Take nest after nest until there are enough rows.",
    ],
)

# ---- 4: mend

LENGTH, DEPTH = MEASURES[:2]


# Lengths and depths at the edge of what a beak may be, with a blank beside them.
EDGES = [(25.0, np.nan), (24.5, np.nan), (np.nan, 25.0), (np.nan, 25.5)]


def draw_notebook(rng, twice=6):
    """Columns exchanged, also beside blanks; masses of no penguin; rows typed twice, some exchanged once."""
    table, rows = _with_blanks(rng, _birds(rng, 50), MEASURES, 14), rng.permutation(50)
    again = _exchanged(table.iloc[rows[:twice]].copy(), np.arange(twice) % 2 == 0)
    caught = table.iloc[rows[6:8]].assign(**{"Sample Number": 999})
    table.loc[rows[8:10], LENGTH] = np.nan
    table.loc[rows[10:12], DEPTH] = np.nan
    table = _exchanged(table, np.isin(np.arange(50), rows[8:16]))
    table.loc[rows[16:22], MASS] = rng.choice([300.0, 375.0, 7350.0, 8250.0, 37500.0], 6)
    table.loc[rows[22:26], MASS] = [1999.0, 2000.0, 7000.0, 7001.0]
    table.loc[rows[26:30], [LENGTH, DEPTH]] = EDGES
    whole = pd.concat([table, again, caught])
    return (numbered(whole.iloc[rng.permutation(len(whole))]),)


def _exchanged(table, where):
    length, depth = table[LENGTH].to_numpy(), table[DEPTH].to_numpy()
    table[LENGTH], table[DEPTH] = np.where(where, depth, length), np.where(where, length, depth)
    return table


def mend(
    table,
    turned=lambda length, depth: (length < 25) | (depth > 25),
    odd=lambda mass: (mass < 2000) | (mass > 7000),
    filler=lambda mass: np.nan,
    copies=lambda before, after: after.duplicated(),
):
    after = _exchanged(table.copy(), turned(table[LENGTH], table[DEPTH]))
    after[MASS] = table[MASS].where(~odd(table[MASS]), filler(table[MASS]))
    return after[~copies(table, after)]


def _same_cells(a, b):
    """For each cell whether both are equal, or both blank."""
    a, b = (np.asarray(part, object) for part in (a, b))
    return (a == b) | ((a != a) & (b != b))


def _same_table(a, b):
    return (
        isinstance(a, pd.DataFrame)
        and list(a) == list(b)
        and a.shape == b.shape
        and bool(_same_cells(a, b).all())
    )


def check_mended(got, table):
    want = mend(table)
    if not isinstance(got, pd.DataFrame) or list(got) != list(table):
        return "Return a table with the same columns, in the same order."
    if len(got) != len(want):
        return f"Your table has {len(got)} rows; it should have {len(want)}."
    for name in table:
        wrong = np.flatnonzero(~_same_cells(got[name], want[name]))
        if len(wrong):
            return f"{name} is not as it should be in {len(wrong)} rows, the first of them row {wrong[0]}."
    return None


question(
    "capstone.4",
    "Mend what can be mended",
    then="Go on: which slip would your rule mend wrongly?",
    stars=2,
    truth=mend,
    same=_same_table,
    checker=check_mended,
    keeps_input=True,
    cases=[
        Case(2, "a careless notebook", draw_notebook),
        Case(1, "a notebook without a repeated row", lambda rng: draw_notebook(rng, twice=0)),
    ],
    mistakes={
        "copies sought before the mending": (
            "One bird stands there twice, once with its columns exchanged. When are both rows equal?",
            dict(copies=lambda before, after: before.duplicated()),
        ),
        "copies kept": (
            "Two rows that agree in all columns: how many birds are they?",
            dict(copies=lambda before, after: after.duplicated() & False),
        ),
        "both copies gone": (
            "A row typed twice: should its bird be lost?",
            dict(copies=lambda before, after: after.duplicated(keep=False)),
        ),
        "one row a bird": (
            "Two rows name one bird. Do they agree in every column?",
            dict(copies=lambda before, after: after.duplicated(SAME_BIRD)),
        ),
        "only where both are there": (
            "A length of 17 mm, and no depth. Under which heading does it belong?",
            dict(turned=lambda length, depth: depth > length),
        ),
        "only the lengths looked at": (
            "No length, and a depth of 41 mm. Under which heading does it belong?",
            dict(turned=lambda length, depth: length < 25),
        ),
        "only the depths looked at": (
            "A length of 17 mm, and no depth. Under which heading does it belong?",
            dict(turned=lambda length, depth: depth > 25),
        ),
        "columns left exchanged": (
            "How deep is a beak? Look at such a row before and after your exchange.",
            dict(turned=lambda length, depth: depth < 0),
        ),
        "giants kept": ("How heavy is the heaviest bird of your table?", dict(odd=lambda mass: mass < 2000)),
        "dwarfs kept": ("How light is the lightest bird of your table?", dict(odd=lambda mass: mass > 7000)),
        "the median for the impossible": (
            "You made up a mass, and nobody will see that it was made up.",
            dict(filler=lambda mass: mass.median()),
        ),
        "rows with an impossible mass gone": (
            "The mass of that bird is lost. Are its beak and flippers?",
            lambda table: (found := mend(table))[found[MASS].notna() | table[MASS].isna()[found.index]],
        ),
    },
    hints=[
        "Compare each measurement with 25, blank or not: a comparison with a blank is False.",
        "pandas matches columns by name: table.loc[rows, [a, b]] = table.loc[rows, [b, a]] exchanges "
        "nothing. Put .to_numpy() behind the right side.",
        "Which comes first, the mending or the search for copies?",
    ],
)

# ---- 5: one-hot


def draw_islands(rng):
    """One island of the table is not among the training rows, and one test bird lives on none of them."""
    islands = load_penguins(raw=True)["Island"]
    absent = islands.unique()[rng.integers(3)]
    train = rng.permutation(islands[islands != absent])[:15].tolist()
    test = rng.permutation(islands)[:8].tolist() + [absent, NEW_ISLANDS[rng.integers(3)]]
    return train, [test[i] for i in rng.permutation(10)]


def draw_few_islands(rng):
    """All islands train; the test birds come from one of them, and from a new one."""
    islands = load_penguins(raw=True)["Island"]
    train = [*islands.unique(), *rng.permutation(islands)[:9].tolist()]
    home = islands.unique()[rng.integers(3)]
    return [train[i] for i in rng.permutation(12)], [home, home, NEW_ISLANDS[rng.integers(3)], home]


def one_hot(train, test):
    names = np.unique(train)
    return (np.array(test)[:, None] == names).astype(int)


def _hot(names):
    return lambda train, test: (np.array(test)[:, None] == np.array(names(train, test))).astype(int)


question(
    "capstone.5",
    "A bird from an unknown island",
    then=(
        'Another way: scikit-learn\'s OneHotEncoder with handle_unknown="ignore"; what it returns is sparse.'
    ),
    truth=one_hot,
    cases=[
        Case(1, "an island that never trained", draw_islands),
        Case(1, "test birds of few islands", draw_few_islands),
    ],
    mistakes={
        "columns of the test rows": (
            "How many columns does your learner expect? Who decided that?",
            _hot(lambda a, b: np.unique(b)),
        ),
        "columns of all rows": (
            "A new island must not add a column to a learner that is already trained.",
            _hot(lambda a, b: np.unique([*a, *b])),
        ),
        "in order of appearance": (
            "In which order should the columns stand?",
            _hot(lambda a, b: list(dict.fromkeys(a))),
        ),
        "the first column dropped": (
            "One column for each island that trained: did one get lost?",
            _hot(lambda a, b: np.unique(a)[1:]),
        ),
        "the unknown put to a neighbour": (
            "Which island did you give to the bird whose island is unknown?",
            lambda a, b: np.eye(len(n := np.unique(a)), dtype=int)[
                np.searchsorted(n, b).clip(max=len(n) - 1)
            ],
        ),
        "numbers for names": (
            "Is the third island three times the first?",
            lambda a, b: [sorted({*a}).index(v) if v in a else -1 for v in b],
        ),
        "a column for the unknown": (
            "Which columns are asked for? What does a row look like that fits none?",
            lambda a, b: np.column_stack([one_hot(a, b), 1 - one_hot(a, b).sum(axis=1)]),
        ),
        "the unknown left out": (
            "Every test bird needs a row.",
            lambda a, b: one_hot(a, [v for v in b if v in a]),
        ),
        "the training rows": ("Which rows are to be coded?", lambda a, b: one_hot(a, a)),
    },
    hints=[
        "The columns are decided once, by the training rows: one for each island, in the order of the "
        "alphabet."
    ],
)

# ---- 6: outliers by residual


def draw_typing_errors(rng, blanks=0):
    """One residual lies between c deviations with the divisor n and c with n − 1."""
    table = _with_blanks(rng, _with_swaps(rng, _birds(rng, 60, MEASURES), 4), MEASURES, blanks)
    e = residuals_of_mass(table)[1]
    far = np.sort(np.abs(e) / e.std())
    c = far[far > rng.uniform(0.7, 1.3)][0] * (1 - 1 / (4 * len(e)))
    return table, float(np.round(c, 3))


def residuals_of_mass(table):
    """(rows without a blank, their residuals)"""
    seen = np.flatnonzero(table[MEASURES].notna().all(axis=1))
    X, mass = table[MEASURES[:3]].to_numpy()[seen], table["Body Mass (g)"].to_numpy()[seen]
    A = np.column_stack([np.ones(len(seen)), X])
    return seen, mass - A @ np.linalg.lstsq(A, mass)[0]


def odd_masses(table, c):
    seen, e = residuals_of_mass(table)
    return seen[np.abs(e) > c * e.std()]


def _odd(
    table,
    c,
    columns=MEASURES[:3],
    intercept=True,
    size=np.abs,
    scale=lambda e, y: e.std(),
    place=lambda seen: seen,
):
    """odd_masses with one part exchanged."""
    seen = np.flatnonzero(table[MEASURES].notna().all(axis=1))
    rows = table.iloc[seen]
    y = rows[MASS].to_numpy()
    model = LinearRegression(fit_intercept=intercept).fit(rows[columns].to_numpy(), y)
    e = y - model.predict(rows[columns].to_numpy())
    return place(seen)[size(e) > c * scale(e, y)]


def _far_from_the_mean(table, c):
    y = table[MASS].to_numpy()
    return np.flatnonzero(np.abs(y - np.nanmean(y)) > c * np.nanstd(y))


question(
    "capstone.6",
    "A mass that does not fit its bird",
    then="Go on: fit again without the odd rows. Are more masses odd now?",
    stars=2,
    truth=odd_masses,
    parts=_odd,
    same=same_set,
    cases=[
        Case(2, "masses with swapped digits", draw_typing_errors),
        Case(1, "blanks besides", lambda rng: draw_typing_errors(rng, blanks=12)),
    ],
    mistakes={
        "far from the mean mass": (
            "A heavy bird with long flippers is no error. What would you expect of that bird?",
            _far_from_the_mean,
        ),
        "too heavy only": ("Can swapped digits make a bird too light?", dict(size=lambda e: e)),
        "too light only": ("Can swapped digits make a bird too heavy?", dict(size=lambda e: -e)),
        "no intercept": (
            "Must a bird without a beak and flippers weigh nothing? Look at the mean of your residuals.",
            dict(intercept=False),
        ),
        "measured against the spread of the mass": (
            "The deviation of what should the residuals be compared with?",
            dict(scale=lambda e, y: y.std()),
        ),
        "c forgotten": (
            "By how many deviations must a residual stand out?",
            lambda table, c: odd_masses(table, 3),
        ),
        "the divisor n − 1": (
            "pandas divides by n − 1 where NumPy divides by n. Which is asked for?",
            dict(scale=lambda e, y: e.std(ddof=1)),
        ),
        "grams for deviations": (
            "Residuals are in grams. What is c a multiple of?",
            dict(scale=lambda e, y: 1),
        ),
        "the variance": (
            "Residuals in grams, compared with grams squared?",
            dict(scale=lambda e, y: e.var()),
        ),
        "the places after the blanks went": (
            "You left rows out, and counted again from 0. Whose numbers are asked for?",
            dict(place=lambda seen: np.arange(len(seen))),
        ),
        "one measurement only": (
            "How many measurements should predict the mass?",
            dict(columns=MEASURES[2:3]),
        ),
        "the mass predicts itself": (
            "How large are the residuals of a mass predicted from that mass?",
            dict(columns=MEASURES),
        ),
    },
    hints=[
        "Three columns predict the fourth, by least squares with an intercept. What is left is the residual.",
        "Keep the numbers of the rows that have no blank.",
    ],
)

# ---- 7: PCA


def draw_axes(rng):
    train, test = (_birds(rng, n, NUMERIC)[NUMERIC] for n in (40, 12))
    return train, test, int(rng.integers(2, 5))


def draw_axes_for_one(rng):
    train, test, k = draw_axes(rng)
    return train, numbered(test.iloc[:1]), k


def project(train, test, k):
    mean, std = train.mean(), train.std(ddof=0)
    Z = ((train - mean) / std).to_numpy()
    V = np.linalg.eigh(Z.T @ Z)[1][:, ::-1]
    return ((test - mean) / std).to_numpy() @ V[:, :k]


def _projected(
    train, test, k, axes=lambda a, b: a, learn=lambda a, b: a, scaled=True, centred=True, pick=slice(None)
):
    """project with one part exchanged; `pick` chooses among all axes, the first first."""
    mean, std = learn(train, test).mean(), learn(train, test).std(ddof=0)
    std = std if scaled else std * 0 + 1
    A, Z = (((part - mean) / std).to_numpy() for part in (axes(train, test), test))
    Z = Z if centred else (test / std).to_numpy()
    return Z @ PCA().fit(A).components_[pick][:k].T


# as in pca.4
OWN_MEAN = "Project a single new sample: why is it always 0? The fit stored something for this."


def _by_itself(table):
    return ((table - table.mean()) / table.std(ddof=0).replace(0, 1)).to_numpy()


def _whole(a, b):
    return pd.concat([a, b])


question(
    "capstone.7",
    "New birds on old axes",
    then="Go on: leave grams and millimetres as they are. Which column is the first axis now?",
    stars=2,
    truth=project,
    parts=_projected,
    same=lambda a, b: same_up_to_sign(a, b, tol=1e-6),
    cases=[Case(2, "twelve new birds", draw_axes), Case(1, "a single new bird", draw_axes_for_one)],
    mistakes={
        "axes of the test rows": (
            "And if a single new bird comes? Which axes has one point?",
            dict(axes=lambda a, b: b),
        ),
        "axes of all rows": (
            "May the new birds turn the axes on which they are to be seen?",
            dict(axes=_whole, learn=_whole),
        ),
        "scaled by all rows": ("May the new birds decide how they are measured?", dict(learn=_whole)),
        "scaled by the test rows": (
            "Would the same bird get the same coordinates in other company?",
            dict(learn=lambda a, b: b, axes=lambda a, b: b),
        ),
        "the test rows centred by their own mean": (
            OWN_MEAN,
            lambda a, b, k: project(a, b - b.mean() + a.mean(), k),
        ),
        "the test rows standardised by themselves": (
            OWN_MEAN,
            lambda a, b, k: _by_itself(b) @ PCA(k).fit(_by_itself(a)).components_.T,
        ),
        "not scaled": ("Which column rules your first axis, and why?", dict(scaled=False)),
        "test rows not centred": (
            "Where does a bird land that is average in everything?",
            dict(centred=False),
        ),
        "smallest axes first": (
            "Which axes should come first? Look at the variances of your columns.",
            dict(pick=slice(None, None, -1)),
        ),
        "rows of V for columns": (
            "Do the axes stand in the rows or in the columns of your matrix?",
            lambda a, b, k: (
                ((b - a.mean()) / a.std(ddof=0)).to_numpy()
                @ PCA().fit(((a - a.mean()) / a.std(ddof=0)).to_numpy()).components_[:, :k]
            ),
        ),
        "whitened": (
            "Coordinates on the axes are asked for. Who divided them by their deviations?",
            lambda a, b, k: project(a, b, k) / project(a, a, k).std(axis=0),
        ),
        "the training rows": ("Whose coordinates are asked for?", lambda a, b, k: project(a, a, k)),
    },
    hints=[
        "Means, deviations and axes all come from the training rows; the test rows are only multiplied.",
        "Standardise with the divisor n, then take the eigenvectors with the largest eigenvalues.",
    ],
)

# ---- 8: honest cross-validation


def draw_many_columns(rng, shuffled=False):
    """Four measurements among 120 columns that were shuffled; folds of unlike sizes.

    Another table is drawn where weighted votes would give the same share.
    """
    birds = _birds(rng, 80, [*NUMERIC, "Sex"])
    real = birds[MEASURES].to_numpy()
    noise = [rng.permutation(birds[NUMERIC[j % 6]]) for j in range(120)]
    X = np.column_stack([real, *noise])[:, rng.permutation(124)]
    y = birds["Sex"].tolist()
    y = np.array(rng.permutation(y).tolist() if shuffled else y)
    folds = [np.sort(fold) for fold in np.split(rng.permutation(80), np.cumsum([8, 12, 16, 20]))]
    m = int(rng.integers(5, 9))
    if honest_accuracy(X, y, folds, m) == honest_accuracy(X, y, folds, m, votes="distance"):
        return draw_many_columns(rng, shuffled)
    return X, y, folds, m


def honest_accuracy(
    X,
    y,
    folds,
    m,
    choose=lambda train, test, n: train,
    scale=StandardScaler,
    score=lambda X, male: f_classif(X, male)[0],
    judge="test",
    learn="train",
    votes="uniform",
    share=lambda hits: np.concatenate(hits).mean(),
):
    hits = []
    for test in folds:
        parts = {"test": test, "train": np.setdiff1d(np.arange(len(y)), test)}
        rows = choose(parts["train"], test, len(y))
        best = np.argsort(-score(X[rows], y[rows] == "MALE"))[:m]
        near = KNeighborsClassifier(5, weights=votes)
        model = make_pipeline(scale(), near) if scale else near
        model.fit(X[parts[learn]][:, best], y[parts[learn]])
        hits.append(model.predict(X[parts[judge]][:, best]) == y[parts[judge]])
    return share(hits)


question(
    "capstone.8",
    "An honest number",
    then="Go on: choose the columns once, from all rows. What does the same learner report?",
    stars=3,
    truth=honest_accuracy,
    cases=[
        Case(2, "birds with their sex", draw_many_columns),
        Case(2, "birds with a sex drawn by lot", lambda rng: draw_many_columns(rng, shuffled=True)),
    ],
    mistakes={
        "scaled before the folds": (
            "Whose means and deviations scale a column? The fold that judges should have no say.",
            lambda X, y, folds, m: honest_accuracy(
                (X - X.mean(axis=0)) / X.std(axis=0), y, folds, m, scale=None
            ),
        ),
        "columns chosen before the folds": (
            "Shuffle the labels: does your number stay near one half? Who chose the columns?",
            dict(choose=lambda train, test, n: np.arange(n)),
        ),
        "columns chosen by the test fold": (
            "Which rows may choose the columns, if the fold is to judge?",
            dict(choose=lambda train, test, n: test),
        ),
        "judged on the rows that trained": (
            "Did the rows that you judge by take part in the training?",
            dict(judge="train"),
        ),
        "train and test swapped": (
            "Which rows train: the fold, or the others?",
            dict(learn="test", judge="train", choose=lambda train, test, n: test),
        ),
        "the mean over the folds": (
            "Your folds differ in size. Does every bird count the same?",
            dict(share=lambda hits: np.mean([h.mean() for h in hits])),
        ),
        "not scaled": ("In which units do your neighbours live?", dict(scale=None)),
        "near neighbours weigh more": (
            "Five neighbours vote. What is each vote worth, as the question has it?",
            dict(votes="distance"),
        ),
        "the worst columns": ("Is a large F good or bad?", dict(score=lambda X, y: -f_classif(X, y)[0])),
        "the best fold": (
            "One number for all birds, not that of the luckiest fold.",
            dict(share=lambda hits: max(h.mean() for h in hits)),
        ),
        "the error": ("The share that is right, or that is wrong?", lambda *args: 1 - honest_accuracy(*args)),
        "one fold only": ("How many of the folds did you judge?", dict(share=lambda hits: hits[-1].mean())),
        "no selection": (
            "How many columns may the neighbours see?",
            lambda X, y, folds, m: honest_accuracy(X, y, folds, X.shape[1]),
        ),
    },
    hints=[
        "Write the loop over the folds first. All that learns from a label belongs inside it.",
        "Count the birds that are right over all folds, and divide once, at the end.",
    ],
)

# ---- 9: filter, wrapper, path


def draw_choices(rng):
    """Six measurements in unlike units, two that are nearly copies of others, two of noise; three folds."""
    birds = _birds(rng, 90, [*NUMERIC, "Sex"])
    X = birds[NUMERIC].to_numpy()
    twins = X[:, 2:4] + 0.3 * X[:, 2:4].std(axis=0) * rng.normal(size=(90, 2))
    X = np.column_stack([X, twins, 100 * rng.normal(size=(90, 2))])[:, rng.permutation(10)]
    y = np.where(birds["Sex"] == "MALE", 1.0, -1.0)
    return X, y, [np.sort(fold) for fold in np.array_split(rng.permutation(90), 3)], int(rng.integers(3, 5))


@computed_once
def _missed(X, y, folds):
    """Sum of squared errors on folds that did not train."""
    total = 0.0
    for test in folds:
        train = np.setdiff1d(np.arange(len(y)), test)
        model = LinearRegression().fit(X[train], y[train])
        total += ((y[test] - model.predict(X[test])) ** 2).sum()
    return total


def three_choices(X, y, folds, m):
    wrapped = []
    while len(wrapped) < m:
        rest = [j for j in range(X.shape[1]) if j not in wrapped]
        wrapped.append(min(rest, key=lambda j: _missed(X[:, [*wrapped, j]], y, folds)))
    path = lars_path((X - X.mean(axis=0)) / X.std(axis=0), y - y.mean(), method="lasso")[2]
    entered = np.argmax(path != 0, axis=1)  # without penalty all are in
    return [np.argsort(-f_classif(X, y)[0])[:m], wrapped, np.argsort(entered)[:m]]


def _forward(X, y, m, error):
    chosen = []
    while len(chosen) < m:
        rest = [j for j in range(X.shape[1]) if j not in chosen]
        chosen.append(min(rest, key=lambda j: error(X[:, [*chosen, j]], y)))
    return chosen


def _chosen(
    X, y, folds, m, score=lambda X, y: f_classif(X, y)[0], wrapper=None, scale=True, path=None, swap=None
):
    """three_choices with one part exchanged."""
    wrapper = wrapper or (lambda X, y, folds, m: _forward(X, y, m, lambda A, y: _missed(A, y, folds)))
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) if scale else 1)
    path = path or (lambda Z, y, m: _entered(Z, y)[:m])
    found = [np.argsort(-score(X, y))[:m], wrapper(X, y, folds, m), path(Z, y - y.mean(), m)]
    return [list(map(int, found[i])) for i in (swap or range(3))]


def _entered(Z, y):
    return np.argsort(np.argmax(lars_path(Z, y, method="lasso")[2] != 0, axis=1))


def _backward(X, y, folds, m):
    kept = list(range(X.shape[1]))
    while len(kept) > m:
        kept.remove(min(kept, key=lambda j: _missed(X[:, [k for k in kept if k != j]], y, folds)))
    return kept


def _one_by_one(X, y, folds, m):
    return np.argsort([_missed(X[:, [j]], y, folds) for j in range(X.shape[1])])[:m]


def _on_training_rows(X, y, folds, m):
    return _forward(X, y, m, _residual)


def _residual(A, y):
    return ((y - LinearRegression().fit(A, y).predict(A)) ** 2).sum()


def _largest_weights(Z, y, m):
    return np.argsort(-np.abs(LinearRegression().fit(Z, y).coef_))[:m]


question(
    "capstone.9",
    "Filter, wrapper, path",
    then="Go on: copy one column. Which of the three lists change?",
    stars=3,
    truth=three_choices,
    parts=_chosen,
    cases=Case(3, draw=draw_choices),
    mistakes={
        "the wrapper judged on its training rows": (
            "Your wrapper asks the rows that trained. What are the folds for?",
            dict(wrapper=_on_training_rows),
        ),
        "the wrapper's columns one by one": (
            "A second column like the first: how much does it add, once the first is in?",
            dict(wrapper=_one_by_one),
        ),
        "backward": (
            "From which end does your search begin, with no column or with all of them?",
            dict(wrapper=_backward),
        ),
        "columns of the path not scaled": (
            "One column in grams, one in millimetres: for which is a weight of 1 expensive?",
            dict(scale=False),
        ),
        "the largest weights of least squares": (
            "Where on the path are those weights, at its beginning or at its end?",
            dict(path=_largest_weights),
        ),
        "the last to enter": (
            "Which columns enter while the penalty is still large?",
            dict(path=lambda Z, y, m: _entered(Z, y)[::-1][:m]),
        ),
        "the smallest F": ("Is a large F good or bad?", dict(score=lambda X, y: -f_classif(X, y)[0])),
        "wrapper and path exchanged": ("Three lists: in which order?", dict(swap=(0, 2, 1))),
    },
    hints=[
        "Three short loops. The filter fits nothing; the wrapper fits for each candidate and each fold; the "
        "path is one call.",
        "lars_path of scikit-learn gives a matrix of weights, one column for each step: where does each row "
        "first leave 0?",
    ],
)

# ---- 10: a promise for every station

# Averages over the stations. What is kept and what is promised too much or too little is measured against the
# reference at the same stations: both have the same luck, so that 30 stations tell as much as hundreds. The
# reference's own luck, with its folds, is small: they are dealt four times.
FEWER, OVER, UNDER = 0.03, 0.02, 0.04
FOLLOW, HELD = 0.05, 0.8  # more kept where more is promised; truths in the intervals
NARROW, WIDE = 0.25, 0.45  # the intervals' mean width: by birds 0.36, by rows 0.22


def draw_stations(rng, many):
    """Every second one is careful. All that are drawn count."""
    drawn = [station(rng, careful=bool(i % 2)) for i in range(many)]
    return Task(([(train, test) for train, test, _ in drawn],), hidden=[sexes for _, _, sexes in drawn])


def _numbers(train, test, kinds=True):
    """Measurements and species of both tables, the species of `train` as columns of 0 and 1."""
    names = np.unique(train["Species"])[: None if kinds else 0]
    return [
        np.column_stack([part[MEASURES], part["Species"].to_numpy()[:, None] == names]).astype(float)
        for part in (train, test)
    ]


LDA = LinearDiscriminantAnalysis()


def _predicted(X, sex, new, learner=LDA):
    """Blanks become medians of the rows that train."""
    middle = np.nanmedian(X, axis=0)
    X, new = (np.where(np.isnan(part), middle, part) for part in (X, new))
    return clone(learner).fit(X, sex).predict(new)


@computed_once
def estimate(train):
    """(share of new birds that are right, different birds behind it)"""
    train = mend(train[train["Sex"].notna()])
    return share_right(train), len(train.drop_duplicates(SAME_BIRD))


def share_right(train):
    """Of rows that are mended, in folds that keep nests together."""
    X, sex, nests = _numbers(train, train)[0], train["Sex"].to_numpy(), pd.factorize(nest_names(train))[0]
    right = np.zeros(len(sex), dtype=bool)
    for fold in range(5):
        out = nests % 5 == fold
        right[out] = _predicted(X[~out], sex[~out], X[out]) == sex[out]
    return right.mean()


@computed_once
def labels_of(train, test):
    train = mend(train[train["Sex"].notna()])
    X, new = _numbers(train, mend(test))
    return _predicted(X, train["Sex"].to_numpy(), new)


def predict_sex(train, test):
    share, n = estimate(train)
    margin = 2 * np.sqrt(share * (1 - share) * (1 / n + 1 / len(test)))  # the luck of either side
    return labels_of(train, test), share, (max(share - margin, 0), min(share + margin, 1))


def promises(stations):
    return list(starmap(predict_sex, stations))


def _promise(
    train,
    test,
    clean=mend,
    groups=nest_names,
    kinds=True,
    learner=LDA,
    share=None,
    count=lambda train: len(train.drop_duplicates(SAME_BIRD)),
    width=2.0,
):
    """predict_sex with one part exchanged; `share` takes (right in the folds, right in training)."""
    birds, right, seen, labels = _learnt(train, test, clean, groups, kinds, learner)
    found = right.mean() if share is None else share(right, seen)
    margin = width * np.sqrt(found * (1 - found) * (1 / count(birds) + 1 / len(test)))
    return labels, found, (found - margin, found + margin)


@computed_once
def _learnt(train, test, clean, groups, kinds, learner):
    """(who trained, right in the folds, right in training, labels of the test rows) of one station."""
    train = clean(train[train["Sex"].notna()])
    X, new = _numbers(train, clean(test), kinds)
    sex, names = train["Sex"].to_numpy(), pd.factorize(groups(train))[0]
    right = np.zeros(len(sex), dtype=bool)
    for fold in range(5):
        out = names % 5 == fold
        right[out] = _predicted(X[~out], sex[~out], X[out], learner) == sex[out]
    seen = _predicted(X, sex, X, learner) == sex
    return train[SAME_BIRD], right, seen, _predicted(X, sex, new, learner)


def _promises(stations, **parts):
    return [_promise(*one, **parts) for one in stations]


def as_typed(table):
    return table


def each_row(train):
    """As if each row were a nest of its own."""
    return pd.Series(np.arange(len(train)))


def _by_number(stations):
    """The number of a bird in its nest tells the sex of those that trained."""

    def one(train, test):
        sexed = train[train["Sex"].notna()]
        said = np.where(sexed["Individual ID"].str.endswith("A2"), "MALE", "FEMALE")
        share = np.mean(said == sexed["Sex"])
        return (
            np.where(test["Individual ID"].str.endswith("A2"), "MALE", "FEMALE"),
            share,
            (share - 0.1, share + 0.1),
        )

    return [one(*pair) for pair in stations]


def _same_promises(a, b):
    return len(a) == len(b) and all(
        len(x) == len(y) == 3 and same_labels(x[0], y[0]) and close(x[1], y[1]) and close(x[2], y[2])
        for x, y in zip(a, b, strict=True)
    )


def _unlike_a_promise(one, sexes):
    """What is wrong with the form of what one station got; or None."""
    if one is None or one is ...:
        return "A station got no answer: what does predict_sex return?"
    if not isinstance(one, (tuple, list)) or len(one) != 3:
        return "Each station gets three things: the labels, your estimate, and its interval."
    labels, estimate, interval = np.asarray(one[0], object), numbers(one[1]), numbers(one[2])
    if labels.shape != (len(sexes),) or not {*labels} <= {"MALE", "FEMALE"}:
        return f"The labels should be {len(sexes)}, MALE or FEMALE, one for each row of test."
    if estimate is None or isinstance(one[1], bool) or estimate.shape != () or not 0 <= estimate <= 1:
        return "The estimate should be one number from 0 to 1."
    if interval is None or interval.shape != (2,) or not interval[0] <= estimate <= interval[1]:
        return "The interval should be two numbers, with your estimate between them."
    return None


def check_labels(kept, ours):
    enough = ours.mean() - FEWER
    if kept.mean() >= enough:
        return None
    return f"On average {kept.mean():.3f} of the hidden birds are right; here {enough:.3f} is asked for."


def check_promises(kept, estimate, ends, honest_gap):
    gap, (poor, good) = (estimate - kept).mean(), _halves(kept, estimate)
    held, width = np.mean((ends[:, 0] <= kept) & (kept <= ends[:, 1])), np.ptp(ends, axis=1).mean()
    if np.ptp(estimate) < 0.01:
        return "You promise every station the same. Do all of them measure equally well?"
    if not -UNDER <= gap - honest_gap <= OVER:
        told = f"On average you promise {estimate.mean():.3f} and keep {kept.mean():.3f}, {gap:+.3f}; "
        high = gap > honest_gap
        asked = "Who stands on both sides of your folds?" if high else "Which birds did your folds waste?"
        return f"{told}the LDA is off by {honest_gap:+.3f}. {asked}"
    if good - poor < FOLLOW:
        told = f"Where you promise more, you keep {good:.3f}; where you promise less, {poor:.3f}."
        return f"{told} What do your promises go by?"
    if held < HELD:
        told = f"{100 * held:.0f} % of your intervals hold the truth; {100 * HELD:.0f} % are asked for."
        return f"{told} How many different birds stand behind each?"
    if width < NARROW:
        return f"Your intervals are only {width:.2f} wide. How many different birds stand behind each?"
    return (
        None if width <= WIDE else f"Your intervals are {width:.2f} wide. What does a ranger learn from them?"
    )


def check_stations(got, stations, sexes):
    """The average share of birds that are right; where they are many, also the promises."""
    if not isinstance(got, (tuple, list)) or len(got) != len(stations):
        return f"Return a list with one answer for each of the {len(stations)} stations."
    for one, truth in zip(got, sexes, strict=True):
        if (why := _unlike_a_promise(one, truth)) is not None:
            return why
    kept, ours = _kept([one[0] for one in got], sexes), _kept_by_reference(stations, sexes)
    estimate, ends = np.array([float(one[1]) for one in got]), np.array([list(one[2]) for one in got], float)
    if (why := check_labels(kept, ours)) or len(got) < MANY:
        return why
    return check_promises(kept, estimate, ends, (_promised_by_reference(stations) - ours).mean())


def _kept(got, sexes):
    """The share of birds that are right, of each station."""
    pairs = zip(got, sexes, strict=True)
    return np.array([
        np.mean(np.asarray(labels, object) == np.asarray(truth, object)) for labels, truth in pairs
    ])


@computed_once
def _kept_by_reference(stations, sexes):
    return _kept([labels_of(*one) for one in stations], sexes)


@computed_once
def _promised_by_reference(stations):
    """At each station, on average: folds follow the order of the rows, and rows in another are dealt anew."""
    mended = [mend(train[train["Sex"].notna()]) for train, _ in stations]
    return np.array([
        np.mean([share_right(train.sample(frac=1, random_state=i)) for i in range(DEALT)]) for train in mended
    ])


def _halves(kept, estimate):
    """What is kept on average where less is promised, and where more is."""
    order = np.argsort(estimate, kind="stable")
    return [kept[half].mean() for half in np.array_split(order, 2)]


def draw_clear_stations(rng, many):
    """Stations at which honest promises follow what is kept with room to spare: no luck of folds decides."""
    while True:
        task = draw_stations(rng, many)
        stations = task.args[0]
        poor, good = _halves(_kept_by_reference(stations, task.hidden), _promised_by_reference(stations))
        if good - poor >= 2 * FOLLOW:
            return task


FEW, MANY, DEALT = 10, 30, 4

question(
    "capstone.10",
    "A promise for every station",
    then="Go on: which station got the widest promise, and which birds would narrow it?",
    stars=3,
    truth=promises,
    parts=_promises,
    same=_same_promises,
    checker=check_stations,
    seconds=60.0,
    meanwhile=f"Three times {FEW} stations, then three times {MANY}: some twenty seconds.",
    cases=[
        Case(2, "the birds of 10 stations", lambda rng: draw_stations(rng, FEW)),
        Case(4, "the promises to 30 stations", lambda rng: draw_clear_stations(rng, MANY)),
    ],
    mistakes={
        "nothing mended": (
            "Look at the lengths and depths of one station, train and test. Would you believe them?",
            dict(clean=as_typed),
        ),
        "rows for nests": (
            "A bird that was caught three times: on how many sides of your folds does it stand?",
            dict(groups=each_row),
        ),
        "judged on the rows that trained": (
            "Whom did you ask how well you learnt: birds that you had learnt from?",
            dict(share=lambda folds, seen: seen.mean()),
        ),
        "the number in the nest": (
            "In the notes most birds A1 are female. Who gave the numbers at the station, and when?",
            _by_number,
        ),
        "intervals by rows": (
            "Three rows of one bird: do they tell as much as three birds?",
            dict(count=len),
        ),
    },
    hints=[
        "Work on one station first: train, test = case('capstone.10')[1]. Mend both tables, then code the "
        "species.",
        "For the estimate keep whole nests aside: a bird that was caught again is in its own nest.",
        "For the interval: how far does a share of n birds stray, when n counts birds and not rows? And "
        "a share of the test birds?",
    ],
)

# ---- 11: the product

CARD = ("use", "rows", "birds", "folds", "estimate", "interval", "limits")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
RARE = 10


def draw_table(rng):
    """Birds of the raw table, some caught again and some typed twice; one species is rare, or none is."""
    raw = load_penguins(raw=True)
    kinds = nest_names(raw).map(raw.groupby(nest_names(raw))["Species"].first())
    rare, nests = rng.choice(sorted(kinds.unique())), nest_names(raw)
    few = rng.choice(nests[kinds == rare].unique(), int(rng.integers(2, 5)), replace=False)
    many = rng.choice(nests[kinds != rare].unique(), int(rng.integers(40, 90)), replace=False)
    rows = np.flatnonzero(nests.isin([*few, *many]))
    again = rng.choice(rows, int(rng.integers(30, 60)))
    table = raw.iloc[[*rows, *again]].assign(**{"Sample Number": range(1, 1 + len(rows) + len(again))})
    return (numbered(table.iloc[rng.permutation([*range(len(table)), *range(9)])]),)


def rare_kinds(table):
    """Species of which fewer than ten different birds have a known sex, by the first word of the name."""
    birds = table[table["Sex"].notna()].drop_duplicates(SAME_BIRD)
    counts = birds["Species"].str.split().str[0].value_counts()
    return sorted(counts.index[counts < RARE])


def product(
    table,
    rows=len,
    birds=lambda table: estimate(table)[1],
    ends=lambda card: card["interval"],
    limits=lambda card: card["limits"],
    text=lambda report, card: report,
):
    share, known = estimate(table)
    margin = 2 * np.sqrt(max(share * (1 - share), 0.02) / known)
    rare = [f"{name}: fewer than ten birds trained, so nothing is known of it." for name in rare_kinds(table)]
    card = {
        "use": "Tells the sex of a penguin in the hand from four measurements and its species.",
        "rows": rows(table),
        "birds": birds(table),
        "folds": "five folds; the birds of a nest, and a bird caught again, stand in one fold",
        "estimate": float(share),
        "interval": [float(max(share - margin, 0)), float(min(share + margin, 1))],
        "limits": [*rare, "Other seasons, other islands and chicks were never tried."],
    }
    card |= {"interval": ends(card), "limits": limits(card)}
    return text(report_of(card), card), card


def report_of(card):
    low, high = card["interval"]
    return "\n\n".join([
        "# Which sex is this bird?",
        f"Of 100 birds that it has not seen the learner gets about {100 * card['estimate']:.0f} right "
        f"(between {100 * low:.0f} % and {100 * high:.0f} %), measured on {card['birds']} different birds.",
        "![Birds on two axes of a PCA, the sexes apart within each species](map.png)",
        "![Share of birds that are right, for each species, with intervals](kinds.png)",
        "## Limits",
        *(f"- {limit}" for limit in card["limits"]),
    ])


def _by_rows(card):
    share, margin = card["estimate"], 2 * np.sqrt(card["estimate"] * (1 - card["estimate"]) / 1000)
    return [share - margin, share + margin]


def _wrong_in_card(card, table):
    """What is wrong with the model card; or None."""
    if missing := [name for name in CARD if name not in card]:
        return f"The model card says nothing under {', '.join(missing)}."
    want = {"rows": len(table), "birds": len(table[table["Sex"].notna()].drop_duplicates(SAME_BIRD))}
    for name, number in want.items():
        if numbers(card[name]) is None or np.shape(card[name]) or card[name] != number:
            return f"The card's {name}: {str(card[name])[:20]}; in this table there are {number}."
    for name in ("use", "folds"):
        if not isinstance(card[name], str) or len(card[name]) < 20:
            return f"The card's {name} should be a sentence."
    if "nest" not in card["folds"].lower():
        return "The card's folds: say what was kept together."
    return _wrong_in_numbers(card, want["birds"], estimate(table)[0])


def _wrong_in_numbers(card, birds, share):
    estimate, ends = numbers(card["estimate"]), numbers(card["interval"])
    if estimate is None or estimate.shape != () or abs(estimate - share) > 0.12:
        return (
            "The card's estimate should be the share of birds that are right when whole nests are kept aside."
        )
    if ends is None or ends.shape != (2,) or not 0 <= ends[0] <= estimate <= ends[1] <= 1:
        return "The card's interval should be two numbers from 0 to 1, with the estimate between them."
    usual = 4 * np.sqrt(max(estimate * (1 - estimate), 0.02) / birds)
    if not 0.6 < (ends[1] - ends[0]) / usual < 1.4:
        return (
            f"The card's interval is {ends[1] - ends[0]:.3f} wide. "
            f"How far does a share of {birds} birds stray, twice its standard error to either side?"
        )
    return None


def _wrong_in_limits(limits, table):
    if not isinstance(limits, (list, tuple)) or not all(isinstance(one, str) for one in limits) or not limits:
        return "The card's limits should be a list of sentences."
    if unsaid := [name for name in rare_kinds(table) if name.lower() not in " ".join(limits).lower()]:
        return f"Fewer than ten birds with a known sex: {', '.join(unsaid)}. The limits do not say so."
    return None


def _percent(text, share):
    """Whether the text names this share, as 87 %, 87.3 % or 0.87."""
    named = [float(word) for word in re.findall(r"\d+(?:\.\d+)?", text)]
    return any(abs(one - 100 * share) <= 0.51 or (one <= 1 and abs(one - share) <= 0.0051) for one in named)


def _wrong_in_report(report, card, table):
    """What is wrong with the report; or None."""
    if not isinstance(report, str) or not report.lstrip().startswith("# "):
        return "The report should be text in Markdown that begins with a heading: # …"
    pictures, words = PICTURE.findall(report), PICTURE.sub("", report)
    if len({name for _, name in pictures}) < 2:
        return f"Different pictures in the report: {len({name for _, name in pictures})}; two are asked for."
    if any(len(alt) < 20 for alt, _ in pictures):
        return "Say in the brackets of each picture what it shows, for those who cannot see it."
    said = {"estimate": [card["estimate"]], "interval": card["interval"]}
    for name, shares in said.items():
        if not all(_percent(words, share) for share in shares):
            return f"The report does not tell the card's {name}."
    if str(int(card["birds"])) not in re.findall(r"\d+", words):
        return "The report does not say how many different birds it rests on."
    return _unsaid_limits(words, table)


def _unsaid_limits(words, table):
    heading, _, after = words.lower().partition("limits")
    if not heading.rstrip(" #").endswith("\n") or not after:
        return "The report needs a section with the heading ## Limits."
    if unsaid := [name for name in rare_kinds(table) if name.lower() not in after]:
        return (
            f"Fewer than ten birds with a known sex: {', '.join(unsaid)}. The report's limits do not say so."
        )
    return None


def check_product(got, table):
    if not isinstance(got, (tuple, list)) or len(got) != 2 or not isinstance(got[1], dict):
        return "Return two things: the report, a text, and the model card, a dict."
    report, card = got
    return (
        _wrong_in_card(card, table)
        or _wrong_in_limits(card["limits"], table)
        or _wrong_in_report(report, card, table)
    )


def _same_product(a, b):
    return len(a) == len(b) == 2 and a[0] == b[0] and {**a[1]} == {**b[1]}


question(
    "capstone.11",
    "Report and model card",
    then="Go on: what would your card say about a fourth species?",
    stars=3,
    truth=product,
    same=_same_product,
    checker=check_product,
    cases=Case(4, draw=draw_table),
    mistakes={
        "all birds, sexed or not": (
            "A bird without a sex: could anybody learn from it, or test on it?",
            dict(birds=lambda table: len(table.drop_duplicates(SAME_BIRD))),
        ),
        "rows for birds": (
            "A bird that was caught twice: is it two birds?",
            dict(birds=lambda table: int(table["Sex"].notna().sum())),
        ),
        "rows after cleaning": (
            "How many rows did you get, before you struck any out?",
            dict(rows=lambda table: len(table.drop_duplicates())),
        ),
        "intervals too narrow": ("How far does a share of so few birds stray?", dict(ends=_by_rows)),
        "everything is possible": (
            "An interval from 0 to 1 is always right. What does it tell?",
            dict(ends=lambda card: [0.0, 1.0]),
        ),
        "rare kinds unsaid": (
            "Of which species have you seen hardly any bird?",
            dict(limits=lambda card: card["limits"][-1:]),
        ),
        "pictures without words": (
            "Who cannot see a picture reads what stands in its brackets. Is that a sentence?",
            dict(text=lambda report, card: PICTURE.sub(r"![](\2)", report)),
        ),
        "a report without the estimate's limits": (
            "One number alone: how sure are you of it?",
            dict(text=lambda report, card: re.sub(r" \(between.*?\)", "", report)),
        ),
    },
    hints=[
        "The estimate and the birds are what estimate(table) of question 10 returns.",
        "Make the card first, from numbers that your functions return; then fill its numbers into the text "
        "with an f-string.",
        "Try it on case('capstone.11'): count the birds of each species whose sex is known.",
    ],
)


reading(
    "capstone.12",
    "Heavier than its mate",
    name="in_the_report",
    then="Go on: in how many nests are both of one sex? What follows for a ranger who catches both?",
    text="A colleague's notebook: \"Of 326 birds whose mate is in the table I took one column more: is the "
    "bird heavier than its mate? All nests stayed whole. LDA reads the sex of 92 of 100 birds without that "
    'column, of 94 with it. **So the ranger, who catches birds one at a time, can count on 0.94.**" '
    "What is wrong?",
    choices={
        "Mates stand on both sides of a fold, so the test rows have leaked.": (
            "Read once more which birds stayed together."
        ),
        "Nothing: the birds that were tested had not trained.": (
            "What has to be known of a bird before that learner can be asked about it?"
        ),
        "The number holds for birds whose mate has been weighed, and not for the ranger's.": None,
        "A bird that is heavier than its mate need not be a male, so the column must not be used.": (
            "A column may err. By how much it helps was measured. For which birds?"
        ),
    },
    reasons={
        ("A column that compares two rows of the table has to be made anew inside each fold."): (
            "It compares a bird with its mate alone, and both lie on the same side."
        ),
        "Two points more are less than the luck of 326 birds: another draw could show none of it.": (
            "Perhaps. Would it be the ranger's number if ten times as many birds said the same?"
        ),
        (
            "One more column always helps a little on new birds, whatever it is made of."
        ): "Add a column of noise, and look.",
        (
            "The estimate is for birds with a known mate; of a bird that is caught "
            "alone nobody knows the mate."
        ): None,
    },
    hints=["The ranger holds one bird. Which columns can be filled in?"],
)
