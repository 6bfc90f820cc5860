"""The capstone: from the raw penguin table to an honest estimate of "which sex is this bird?"."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grading.questions.declaring import Case, Task, question
from helpers.comparing import close, numbers, same_labels, same_set, same_up_to_sign
from helpers.datasets import load_penguins

MEASURES = ["Culmen Length (mm)", "Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
NUMERIC = [*MEASURES, "Delta 15 N (o/oo)", "Delta 13 C (o/oo)"]
MASS = MEASURES[3]
LATER = ["Sex", "Clutch Completion", "Delta 15 N (o/oo)", "Delta 13 C (o/oo)", "Comments"]
NEW_ISLANDS = ("Humble", "Cormorant", "Litchfield")
SAME_BIRD = ["studyName", "Individual ID"]


def _plain(table):
    """The rows numbered from 0, in a table that shares nothing with another."""
    return pd.DataFrame({name: table[name].tolist() for name in table})


def _birds(rng, n, seen=(), table=None):
    """n rows of the raw table in no order, without blanks in the columns `seen`."""
    table = load_penguins(raw=True) if table is None else table
    table = table[table[list(seen)].notna().all(axis=1)]
    return _plain(table.iloc[rng.permutation(len(table))[:n]])


def _nest(table):
    return table["studyName"] + " " + table["Individual ID"].str.split("A").str[0]


def _swapped(mass):
    """3750 typed as 7350."""
    digits = str(int(mass))
    return float(digits[1] + digits[0] + digits[2:])


def _with_swaps(rng, table, many):
    able = [i for i, m in enumerate(table[MASS]) if m == m and _swapped(m) != m]
    for i in rng.permutation(able)[:many]:
        table.loc[i, MASS] = _swapped(table.loc[i, MASS])
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
    return (_plain(whole.iloc[rng.permutation(len(whole))]),)


def audit(table):
    constant = (table.nunique() == 1) & table.notna().all()
    return [len(table), table.duplicated().sum(), constant.sum(), table.isna().any().sum()]


def _audit_with(place, count):
    """audit with one of its four numbers counted otherwise."""

    def answer(table):
        found = audit(table)
        found[place] = count(table)
        return [int(v) for v in found]

    return answer


question(
    "capstone.1",
    "Look before you learn",
    name="audit",
    stars=1,
    truth=audit,
    cases=[
        Case(1, "a dirty table", draw_audit),
        Case(
            1, "a table with a column that holds no value at all", lambda rng: draw_audit(rng, comment=False)
        ),
    ],
    mistakes=[
        (
            "one distinct value, blanks ignored",
            "One comment and many blanks: is that a column that never varies?",
            _audit_with(2, lambda t: (t.nunique() == 1).sum()),
        ),
        (
            "a column of blanks taken for a constant",
            "Which value would a column hold that holds none?",
            _audit_with(2, lambda t: (t.nunique(dropna=False) == 1).sum()),
        ),
        (
            "the first of a group counted too",
            "A row typed twice: how many of the two would you strike out?",
            _audit_with(1, lambda t: t.duplicated(keep=False).sum()),
        ),
        (
            "birds for rows",
            "Two rows name one bird. Do they agree in every column?",
            _audit_with(1, lambda t: t.duplicated(SAME_BIRD).sum()),
        ),
        (
            "repeats among complete rows only",
            "Two rows are blank at the same place and equal elsewhere. Are they a repeat?",
            _audit_with(1, lambda t: t.dropna().duplicated().sum()),
        ),
        (
            "blank cells",
            "Blank cells, or columns that hold some?",
            _audit_with(3, lambda t: t.isna().sum().sum()),
        ),
        (
            "columns of nothing but blanks",
            "Must a column be blank throughout to have blanks?",
            _audit_with(3, lambda t: t.isna().all().sum()),
        ),
        (
            "rows after cleaning",
            "Which rows are counted first: those of the table, or those that you would keep?",
            _audit_with(0, lambda t: len(t.drop_duplicates())),
        ),
    ],
    hints=["pandas has a method for each: duplicated, nunique, isna. Read what each does with blanks."],
)

# ---- 2: which columns

USABLE = ["Species", "Island", *MEASURES]

question(
    "capstone.2",
    "What the learner may see",
    name="usable_columns",
    stars=2,
    cases=Case(3),
    truth=USABLE,
    secret=True,
    same=same_set,
    mistakes=[
        (
            "the names of bird and season",
            "Which of your columns would hold nothing but new values in another season?",
            [*USABLE, "studyName", "Sample Number", "Individual ID"],
        ),
        (
            "the season",
            "Which of your columns would hold nothing but new values in another season?",
            [*USABLE, "studyName"],
        ),
        (
            "the number of the sample",
            "Sort the raw table by each of your columns: does one only count?",
            [*USABLE, "Sample Number"],
        ),
        (
            "the name of the bird",
            "Would a bird of another season bear a name that your learner has seen?",
            [*USABLE, "Individual ID"],
        ),
        ("the date", "Can a date of a past season come again?", [*USABLE, "Date Egg"]),
        (
            "the comments",
            "Read the comments. When were they written, and what do some say about sexing?",
            [*USABLE, "Comments"],
        ),
        (
            "the isotopes",
            "Who measured your columns: the hand that held the bird, or a laboratory?",
            [*USABLE, *NUMERIC[4:]],
        ),
        (
            "the constants",
            "How much does a column tell in which all birds are alike?",
            [*USABLE, "Region", "Stage"],
        ),
        (
            "what the nest did later",
            "One of your columns is known only after days of watching. Which?",
            [*USABLE, "Clutch Completion"],
        ),
        ("the label itself", "You predict the sex from what?", [*USABLE, "Sex"]),
        (
            "all that varies",
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
        (
            "only the numbers",
            "Do text columns tell nothing about a bird? Is a male of one kind larger than a female of "
            "another?",
            MEASURES,
        ),
        ("all numbers", "Who measured your columns: the hand that held the bird, or a laboratory?", NUMERIC),
    ],
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


def _rows_by(groups, enough=lambda rows, m: len(rows) >= m):
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
    divided = pd.Series(inside).groupby(_nest(table)).nunique().eq(2).sum()
    if divided:
        return f"Nests with a bird on either side: {divided}."
    return None if m <= len(rows) <= m + 1 else f"Test rows: {len(rows)}. Asked for are {m} or {m + 1}."


question(
    "capstone.3",
    "Nests stay together",
    name="nest_rows",
    stars=2,
    truth=nest_rows,
    same=same_set,
    checker=check_nests,
    cases=[Case(2, "some birds of the table", draw_nests), Case(1, "whole nests", draw_whole_nests)],
    mistakes=[
        (
            "rows drawn singly",
            "The partner of a test bird sits among the training rows. What do the two share?",
            lambda table, m: np.arange(m),
        ),
        (
            "the last rows",
            "The partner of a test bird sits among the training rows. What do the two share?",
            lambda table, m: np.arange(len(table) - m, len(table)),
        ),
        (
            "the season forgotten",
            "Nest N1 stood in one season, and N1 in the next. Are they one nest?",
            _rows_by(lambda t: t["Individual ID"].str.split("A").str[0]),
        ),
        (
            "the name of the bird alone",
            "Does a whole name like N5A2 say which nest, or which bird?",
            _rows_by(lambda t: t["Individual ID"]),
        ),
        (
            "one of each nest",
            "You test the second bird of nests whose first bird trains.",
            lambda table, m: np.flatnonzero(table["Individual ID"].str.endswith("A2"))[:m],
        ),
        (
            "names cut at two characters",
            "Your nests N1, N10 and N11 have become one. Where does the number end?",
            _rows_by(lambda t: t["studyName"] + t["Individual ID"].str[:2]),
        ),
        ("whole seasons", "A whole season is more than was asked for.", _rows_by(lambda t: t["studyName"])),
        (
            "the training rows",
            "Are these the rows that test, or the rows that train?",
            lambda table, m: [i for i in range(len(table)) if i not in nest_rows(table, m)],
        ),
        (
            "one nest too many",
            "Count your rows before you add another nest.",
            _rows_by(_nest, enough=lambda rows, m: len(rows) >= m + 2),
        ),
    ],
    hints=[
        "Give each row the name of its nest first: what is a nest's full name?",
        "Take nest after nest until there are enough rows.",
    ],
)

# ---- 4: fill with medians


def draw_gaps(rng, m=12):
    train = _with_blanks(rng, _birds(rng, 40, MEASURES)[MEASURES], MEASURES, 25)
    test = _with_blanks(rng, _birds(rng, m, MEASURES)[MEASURES], MEASURES, 2 * m)
    test.loc[0, MEASURES[:2]] = np.nan
    return _plain(_with_swaps(rng, train, 3)), _plain(test)


def draw_gaps_elsewhere(rng):
    """The columns of the test rows in another order."""
    train, test = draw_gaps(rng)
    return train, _plain(test[[MEASURES[i] for i in rng.permutation([1, 2, 3, 0]) if i] + MEASURES[:1]])


def fill_medians(train, test):
    return test.fillna(train.median())


def _filled(value):
    return lambda train, test: test.fillna(value(train, test)).to_numpy()


question(
    "capstone.4",
    "Fill the blanks of new birds",
    name="fill_medians",
    stars=1,
    truth=fill_medians,
    cases=[
        Case(1, "test rows with blanks", draw_gaps),
        Case(1, "columns in another order", draw_gaps_elsewhere),
    ],
    mistakes=[
        (
            "the mean",
            "A mass was typed as 7350 for 3750. Which filler does that move?",
            _filled(lambda a, b: a.mean()),
        ),
        (
            "medians of the test rows",
            "And if a single new bird comes, with a blank?",
            _filled(lambda a, b: b.median()),
        ),
        (
            "medians of all rows",
            "May the new birds decide what fills them?",
            _filled(lambda a, b: pd.concat([a, b]).median()),
        ),
        ("filled with 0", "A beak of 0 mm? What is a typical value?", _filled(lambda a, b: 0)),
        (
            "medians of the complete rows",
            "A training row has one blank. What of its three other values?",
            _filled(lambda a, b: a.dropna().median()),
        ),
        (
            "one median for the table",
            "Millimetres filled with a median of grams and millimetres?",
            _filled(lambda a, b: np.nanmedian(a.to_numpy())),
        ),
        (
            "blanks counted as 0",
            "What was seen decides. Does a blank count as 0?",
            _filled(lambda a, b: a.fillna(0).median()),
        ),
        (
            "matched by place",
            "Compare the names of the columns of both tables, from left to right.",
            lambda a, b: np.where(np.isnan(b.to_numpy()), np.nanmedian(a.to_numpy(), axis=0), b.to_numpy()),
        ),
        (
            "the columns turned back",
            "Whose order of columns should the result have?",
            lambda a, b: fill_medians(a, b)[list(a)].to_numpy(),
        ),
    ],
    hints=["The medians are learnt once, from the training rows, and skip what is blank."],
)

# ---- 5: standardise


def draw_scales(rng, m=8):
    """Of the training columns one never varies, one has two values; one never varies in the test rows."""
    train, test = _birds(rng, 25, NUMERIC)[NUMERIC], _birds(rng, m, NUMERIC)[NUMERIC]
    a, b, c = (NUMERIC[i] for i in rng.permutation(6)[:3])
    train[a], test[b] = train[a].iloc[0], test[b].iloc[0]
    train[c] = np.where(np.arange(25) % 3, train[c].min(), train[c].max())
    return _plain(train), _plain(test)


def standardise(train, test):
    varies = train.columns[train.nunique() > 1]
    Z = (pd.concat([train, test]) - train.mean()) / train.std(ddof=0)
    return Z[varies].to_numpy()


def _standard(
    train,
    test,
    learn=lambda a, b: a,
    ddof=0,
    keep=lambda a, b: a.nunique() > 1,
    root=0.5,
    centre=lambda X: X.mean(),
):
    """standardise with one part exchanged."""
    X = learn(train, test)
    varies = train.columns[keep(train, test)]
    return ((pd.concat([train, test]) - centre(X)) / X.var(ddof=ddof) ** root)[varies].to_numpy()


def _zero_for_constants(train, test):
    Z = (pd.concat([train, test]) - train.mean()) / train.std(ddof=0).mask(train.nunique() == 1, np.inf)
    return Z.to_numpy()


question(
    "capstone.5",
    "One scale for all",
    name="standardise",
    stars=2,
    truth=standardise,
    parts=_standard,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(
            1, "columns that all vary", lambda rng: tuple(_birds(rng, n, NUMERIC)[NUMERIC] for n in (20, 10))
        ),
        Case(1, "columns that are constant somewhere", draw_scales),
        Case(1, "a single test row", lambda rng: draw_scales(rng, m=1)),
    ],
    mistakes=[
        (
            "learnt from all rows",
            "May the test rows help to decide how they are measured?",
            dict(learn=lambda a, b: pd.concat([a, b])),
        ),
        ("learnt from the test rows", "And if a single new bird comes?", dict(learn=lambda a, b: b)),
        (
            "each part by itself",
            "Two birds of equal mass, one in each part: do they get the same number?",
            lambda a, b: np.vstack([
                _standard(a, a)[: len(a)],
                np.nan_to_num(_standard(b, b, keep=lambda c, d: a.nunique() > 1)[: len(b)]),
            ]),
        ),
        (
            "the other divisor",
            "pandas and NumPy divide by different numbers. Which one is asked for?",
            dict(ddof=1),
        ),
        ("divided by the variance", "Which units have your numbers? They should have none.", dict(root=1)),
        ("not centred", "The scale is right. Where is the mean?", dict(centre=lambda X: 0)),
        ("constants kept as 0", "A column that never varied: should it stay?", _zero_for_constants),
        (
            "constants sought among the test rows",
            "Which rows decide whether a column stays?",
            dict(keep=lambda a, b: b.nunique() > 1),
        ),
        (
            "constants sought among all rows",
            "Which rows decide whether a column stays?",
            lambda a, b: np.nan_to_num(
                _standard(a, b, keep=lambda c, d: pd.concat([c, d]).nunique() > 1), posinf=0, neginf=0
            ),
        ),
        (
            "the test rows only",
            "Both parts are asked for, the training rows first.",
            lambda a, b: standardise(a, b)[len(a) :],
        ),
        (
            "the test rows first",
            "Both parts are asked for, the training rows first.",
            lambda a, b: np.vstack([standardise(a, b)[len(a) :], standardise(a, b)[: len(a)]]),
        ),
    ],
    hints=[
        "Find the columns that stay, the means and the deviations first, all from the same rows.",
        "Compare std() of pandas with std() of NumPy on [1, 2, 3].",
    ],
)

# ---- 6: one-hot


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
    "capstone.6",
    "A bird from an unknown island",
    name="one_hot",
    stars=1,
    truth=one_hot,
    cases=[
        Case(1, "an island that never trained", draw_islands),
        Case(1, "test birds of few islands", draw_few_islands),
    ],
    mistakes=[
        (
            "columns of the test rows",
            "How many columns does your learner expect? Who decided that?",
            _hot(lambda a, b: np.unique(b)),
        ),
        (
            "columns of all rows",
            "A new island must not add a column to a learner that is already trained.",
            _hot(lambda a, b: np.unique([*a, *b])),
        ),
        (
            "in order of appearance",
            "In which order should the columns stand?",
            _hot(lambda a, b: list(dict.fromkeys(a))),
        ),
        (
            "the first column dropped",
            "One column for each island that trained: did one get lost?",
            _hot(lambda a, b: np.unique(a)[1:]),
        ),
        (
            "the unknown put to a neighbour",
            "Which island did you give to the bird whose island is unknown?",
            lambda a, b: np.eye(len(n := np.unique(a)), dtype=int)[
                np.searchsorted(n, b).clip(max=len(n) - 1)
            ],
        ),
        (
            "numbers for names",
            "Is the third island three times the first?",
            lambda a, b: [sorted({*a}).index(v) if v in a else -1 for v in b],
        ),
        (
            "a column for the unknown",
            "Which columns are asked for? What does a row look like that fits none?",
            lambda a, b: np.column_stack([one_hot(a, b), 1 - one_hot(a, b).sum(axis=1)]),
        ),
        (
            "the unknown left out",
            "Every test bird needs a row.",
            lambda a, b: one_hot(a, [v for v in b if v in a]),
        ),
        ("the training rows", "Which rows are to be coded?", lambda a, b: one_hot(a, a)),
    ],
    hints=[
        "The columns are decided once, by the training rows: one for each island, in the order of the "
        "alphabet."
    ],
)

# ---- 7: outliers by residual


def draw_typing_errors(rng, blanks=0):
    table = _with_swaps(rng, _birds(rng, 60, MEASURES), 3)
    return _with_blanks(rng, table, MEASURES, blanks), float(np.round(rng.uniform(0.7, 1.3), 3))


def odd_masses(table, c):
    seen = np.flatnonzero(table[MEASURES].notna().all(axis=1))
    X, mass = table[MEASURES[:3]].to_numpy()[seen], table["Body Mass (g)"].to_numpy()[seen]
    A = np.column_stack([np.ones(len(seen)), X])
    e = mass - A @ np.linalg.lstsq(A, mass)[0]
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
    "capstone.7",
    "A mass that does not fit its bird",
    name="odd_masses",
    stars=2,
    truth=odd_masses,
    parts=_odd,
    same=same_set,
    cases=[
        Case(2, "masses with swapped digits", draw_typing_errors),
        Case(1, "blanks besides", lambda rng: draw_typing_errors(rng, blanks=12)),
    ],
    mistakes=[
        (
            "far from the mean mass",
            "A heavy bird with long flippers is no error. What would you expect of that bird?",
            _far_from_the_mean,
        ),
        ("too heavy only", "Can swapped digits make a bird too light?", dict(size=lambda e: e)),
        ("too light only", "Can swapped digits make a bird too heavy?", dict(size=lambda e: -e)),
        (
            "no intercept",
            "Must a bird without a beak and flippers weigh nothing? Look at the mean of your residuals.",
            dict(intercept=False),
        ),
        (
            "measured against the spread of the mass",
            "The deviation of what should the residuals be compared with?",
            dict(scale=lambda e, y: y.std()),
        ),
        (
            "c forgotten",
            "By how many deviations must a residual stand out?",
            lambda table, c: odd_masses(table, 3),
        ),
        (
            "grams for deviations",
            "Residuals are in grams. What is c a multiple of?",
            dict(scale=lambda e, y: 1),
        ),
        (
            "the variance",
            "Residuals in grams, compared with grams squared?",
            dict(scale=lambda e, y: e.var()),
        ),
        (
            "the places after the blanks went",
            "You left rows out, and counted again from 0. Whose numbers are asked for?",
            dict(place=lambda seen: np.arange(len(seen))),
        ),
        (
            "one measurement only",
            "How many measurements should predict the mass?",
            dict(columns=MEASURES[2:3]),
        ),
        (
            "the mass predicts itself",
            "How large are the residuals of a mass predicted from that mass?",
            dict(columns=MEASURES),
        ),
    ],
    hints=[
        "Three columns predict the fourth, by least squares with an intercept. What is left is the residual.",
        "Keep the numbers of the rows that have no blank.",
    ],
)

# ---- 8: rank by F


def draw_ranking(rng, table=None):
    """The training rows are few, and do not stand first."""
    birds = _birds(rng, 90, [*NUMERIC, "Sex"], table)[[*rng.permutation(NUMERIC), "Sex"]]
    return _plain(birds), rng.permutation(len(birds))[:24].tolist()


def draw_ranking_of_one_kind(rng):
    raw = load_penguins(raw=True)
    return draw_ranking(rng, raw[raw["Species"].str.startswith("Adelie")])


def rank_by_F(table, train):
    rows, names = table.iloc[train], table.columns.drop("Sex")
    F = f_classif(rows[names], rows["Sex"])[0]
    return names[np.argsort(-F)].tolist()


def _rank(score, rows=lambda table, train: train):
    """The names by another score of (X, male), largest first."""

    def answer(table, train):
        part = table.iloc[rows(table, train)]
        names = part.columns.drop("Sex")
        return names[np.argsort(-score(part[names].to_numpy(), (part["Sex"] == "MALE").to_numpy()))].tolist()

    return answer


def _F(X, male):
    return f_classif(X, male)[0]


def _gap(X, male):
    return X[male].mean(axis=0) - X[~male].mean(axis=0)


def _others(table, train):
    return [i for i in range(len(table)) if i not in train]


question(
    "capstone.8",
    "Which measurements tell?",
    name="rank_by_F",
    stars=2,
    truth=rank_by_F,
    same=same_labels,
    cases=[Case(2, "birds of all kinds", draw_ranking), Case(1, "Adélie penguins", draw_ranking_of_one_kind)],
    mistakes=[
        (
            "ranked on all rows",
            "Which rows may have a say? The others are to judge the choice.",
            _rank(_F, lambda table, train: range(len(table))),
        ),
        ("ranked on the test rows", "Which rows did you leave out?", _rank(_F, _others)),
        (
            "the first rows",
            "train holds numbers of rows. Which rows did you take?",
            _rank(_F, lambda table, train: range(len(train))),
        ),
        (
            "the difference of the means",
            "Would the order change if the mass were in kilograms?",
            _rank(lambda X, male: np.abs(_gap(X, male))),
        ),
        (
            "signed",
            "A column that is smaller in males may tell as much.",
            _rank(lambda X, male: _gap(X, male) / X.std(axis=0)),
        ),
        (
            "by the p-value",
            "Does a large p-value speak for a column, or against it?",
            _rank(lambda X, male: f_classif(X, male)[1]),
        ),
        (
            "the numbers of the columns",
            "Names are asked for.",
            lambda table, train: [table.columns.get_loc(c) for c in rank_by_F(table, train)],
        ),
    ],
    hints=[
        "f_classif of scikit-learn, or Anova of chapter 8, gives F for every column.",
        "table.iloc[train] are the rows that count.",
    ],
)

# ---- 9: PCA


def draw_axes(rng):
    train, test = (_birds(rng, n, NUMERIC)[NUMERIC] for n in (40, 12))
    return train, test, int(rng.integers(2, 5))


def draw_axes_for_one(rng):
    train, test, k = draw_axes(rng)
    return train, _plain(test.iloc[:1]), k


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


def _whole(a, b):
    return pd.concat([a, b])


question(
    "capstone.9",
    "New birds on old axes",
    name="project",
    stars=2,
    truth=project,
    parts=_projected,
    same=lambda a, b: same_up_to_sign(a, b, tol=1e-6),
    cases=[Case(2, "twelve new birds", draw_axes), Case(1, "a single new bird", draw_axes_for_one)],
    mistakes=[
        (
            "axes of the test rows",
            "And if a single new bird comes? Which axes has one point?",
            dict(axes=lambda a, b: b),
        ),
        (
            "axes of all rows",
            "May the new birds turn the axes on which they are to be seen?",
            dict(axes=_whole, learn=_whole),
        ),
        ("scaled by all rows", "May the new birds decide how they are measured?", dict(learn=_whole)),
        (
            "scaled by the test rows",
            "Would the same bird get the same coordinates in other company?",
            dict(learn=lambda a, b: b, axes=lambda a, b: b),
        ),
        ("not scaled", "Which column rules your first axis, and why?", dict(scaled=False)),
        (
            "test rows not centred",
            "Where does a bird land that is average in everything?",
            dict(centred=False),
        ),
        (
            "smallest axes first",
            "Which axes should come first? Look at the variances of your columns.",
            dict(pick=slice(None, None, -1)),
        ),
        (
            "rows of V for columns",
            "Do the axes stand in the rows or in the columns of your matrix?",
            lambda a, b, k: (
                ((b - a.mean()) / a.std(ddof=0)).to_numpy()
                @ PCA().fit(((a - a.mean()) / a.std(ddof=0)).to_numpy()).components_[:, :k]
            ),
        ),
        (
            "whitened",
            "Coordinates on the axes are asked for. Who divided them by their deviations?",
            lambda a, b, k: project(a, b, k) / project(a, a, k).std(axis=0),
        ),
        ("the training rows", "Whose coordinates are asked for?", lambda a, b, k: project(a, a, k)),
    ],
    hints=[
        "Means, deviations and axes all come from the training rows; the test rows are only multiplied.",
        "Standardise with the divisor n, then take the eigenvectors with the largest eigenvalues.",
    ],
)

# ---- 10: honest cross-validation


def draw_many_columns(rng, shuffled=False):
    """Four measurements among 120 columns that were shuffled; folds of unlike sizes."""
    birds = _birds(rng, 80, [*NUMERIC, "Sex"])
    real = birds[MEASURES].to_numpy()
    noise = [rng.permutation(birds[NUMERIC[j % 6]]) for j in range(120)]
    X = np.column_stack([real, *noise])[:, rng.permutation(124)]
    y = birds["Sex"].tolist()
    y = np.array(rng.permutation(y).tolist() if shuffled else y)
    ends = np.cumsum([8, 12, 16, 20])
    return X, y, [np.sort(fold) for fold in np.split(rng.permutation(80), ends)], int(rng.integers(5, 9))


def honest_accuracy(X, y, folds, m):
    right = 0
    for test in folds:
        train = np.setdiff1d(np.arange(len(y)), test)
        best = np.argsort(-f_classif(X[train], y[train])[0])[:m]
        model = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X[train][:, best], y[train])
        right += np.sum(model.predict(X[test][:, best]) == y[test])
    return right / len(y)


def _accuracy(
    X,
    y,
    folds,
    m,
    choose=lambda train, test, n: train,
    scale=StandardScaler,
    score=_F,
    judge="test",
    learn="train",
    share=lambda hits: np.concatenate(hits).mean(),
):
    """honest_accuracy with one part exchanged."""
    hits = []
    for test in folds:
        parts = {"test": test, "train": np.setdiff1d(np.arange(len(y)), test)}
        rows = choose(parts["train"], test, len(y))
        best = np.argsort(-score(X[rows], y[rows] == "MALE"))[:m]
        model = make_pipeline(scale(), KNeighborsClassifier(5)) if scale else KNeighborsClassifier(5)
        model.fit(X[parts[learn]][:, best], y[parts[learn]])
        hits.append(model.predict(X[parts[judge]][:, best]) == y[parts[judge]])
    return share(hits)


question(
    "capstone.10",
    "An honest number",
    name="honest_accuracy",
    stars=3,
    truth=honest_accuracy,
    parts=_accuracy,
    cases=[
        Case(2, "birds with their sex", draw_many_columns),
        Case(2, "birds with a sex drawn by lot", lambda rng: draw_many_columns(rng, shuffled=True)),
    ],
    mistakes=[
        (
            "columns chosen before the folds",
            "Shuffle the labels: does your number stay near one half? Who chose the columns?",
            dict(choose=lambda train, test, n: np.arange(n)),
        ),
        (
            "columns chosen by the test fold",
            "Which rows may choose the columns, if the fold is to judge?",
            dict(choose=lambda train, test, n: test),
        ),
        (
            "judged on the rows that trained",
            "Did the rows that you judge by take part in the training?",
            dict(judge="train"),
        ),
        (
            "train and test swapped",
            "Which rows train: the fold, or the others?",
            dict(learn="test", judge="train", choose=lambda train, test, n: test),
        ),
        (
            "the mean over the folds",
            "Your folds differ in size. Does every bird count the same?",
            dict(share=lambda hits: np.mean([h.mean() for h in hits])),
        ),
        ("not scaled", "In which units do your neighbours live?", dict(scale=None)),
        ("the worst columns", "Is a large F good or bad?", dict(score=lambda X, y: -_F(X, y))),
        (
            "the best fold",
            "One number for all birds, not that of the luckiest fold.",
            dict(share=lambda hits: max(h.mean() for h in hits)),
        ),
        ("the error", "The share that is right, or that is wrong?", lambda *args: 1 - honest_accuracy(*args)),
        ("one fold only", "How many of the folds did you judge?", dict(share=lambda hits: hits[-1].mean())),
        (
            "no selection",
            "How many columns may the neighbours see?",
            lambda X, y, folds, m: honest_accuracy(X, y, folds, X.shape[1]),
        ),
    ],
    hints=[
        "Write the loop over the folds first. All that learns from a label belongs inside it.",
        "Count the birds that are right over all folds, and divide once, at the end.",
    ],
)

# ---- 11: from raw rows to a prediction and an estimate

ENOUGH, GAP = 0.84, 0.08


def draw_unseen(rng):
    """Half of the nests train, dirt planted; the sexed birds of the others are hidden. No lucky split."""
    raw = load_penguins(raw=True)
    nests = _nest(raw)
    while True:
        chosen = nests.isin(rng.permutation(nests.unique())[:86])
        train, rest = raw[chosen], raw[~chosen & raw["Sex"].notna()]
        train, rest = (
            _plain(train.iloc[rng.permutation(len(train))]),
            _plain(rest.iloc[rng.permutation(len(rest))]),
        )
        train = _with_blanks(rng, _with_swaps(rng, train, 2), MEASURES, 6)
        train = _plain(pd.concat([train, train.iloc[:8]]).iloc[rng.permutation(len(train) + 8)])
        test = _with_blanks(rng, _plain(rest.drop(columns=LATER)), MEASURES, 6)
        test.loc[[3, 8], "Island"] = NEW_ISLANDS[0]
        sex = rest["Sex"].to_numpy()
        labels, estimate = predict_sex(train, test)
        reached = np.mean(labels == sex)
        if reached > 0.875 and abs(reached - estimate) < 0.03:
            return Task((train, test), hidden=sex.tolist())


def predict_sex(train, test):
    train = train[train["Sex"].notna()].drop_duplicates()
    X, sex = pd.get_dummies(train[["Species", *MEASURES]]), train["Sex"].to_numpy()
    model = make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), LinearDiscriminantAnalysis())
    nest = train["studyName"] + train["Individual ID"].str.split("A").str[0]
    estimate = cross_val_score(model, X.to_numpy(float), sex, groups=nest, cv=GroupKFold(5)).mean()
    new = pd.get_dummies(test[["Species", *MEASURES]]).reindex(columns=X.columns, fill_value=0)
    return model.fit(X.to_numpy(float), sex).predict(new.to_numpy(float)), estimate


def _predicted(
    train,
    test,
    learner=LinearDiscriminantAnalysis,
    scale=StandardScaler,
    columns=MEASURES,
    kinds=True,
    estimate=None,
):
    """predict_sex with one part exchanged; `estimate` takes (model, X, y), after the fit."""
    train = train[train["Sex"].notna()].drop_duplicates().reset_index(drop=True)
    names = np.unique(train["Species"])
    X, new = (
        np.hstack([
            t[columns].to_numpy(),
            (t["Species"].to_numpy()[:, None] == names).astype(float)[:, : 3 * kinds],
        ])
        for t in (train, test)
    )
    steps = [SimpleImputer(strategy="median"), *([scale()] if scale else []), learner()]
    y, model = train["Sex"].to_numpy(), make_pipeline(*steps)
    share = cross_val_score(model, X, y, groups=_nest(train), cv=GroupKFold(5)).mean()
    model.fit(X, y)
    return model.predict(new), share if estimate is None else estimate(model, X, y)


def _neighbour():
    return KNeighborsClassifier(1)


def _by_mass(train, test):
    middle = train[MASS].median()
    share = ((train[MASS] > middle) == (train["Sex"] == "MALE"))[train["Sex"].notna()].mean()
    return np.where(test[MASS] > middle, "MALE", "FEMALE"), share


def _same_prediction(a, b):
    return len(a) == len(b) == 2 and same_labels(a[0], b[0]) and close(a[1], b[1])


def check_sexes(got, train, test, sex):
    if not isinstance(got, (tuple, list)) or len(got) != 2:
        return "Return two things: the labels, and your estimate."
    labels, estimate = np.asarray(got[0], object), numbers(got[1])
    if labels.shape != (len(sex),) or not {*labels} <= {"MALE", "FEMALE"}:
        return f"The labels should be {len(sex)}, MALE or FEMALE, one for each row of test."
    if estimate is None or isinstance(got[1], bool) or estimate.shape != () or not 0 <= estimate <= 1:
        return "The estimate should be one number from 0 to 1."
    reached = np.mean(labels == np.asarray(sex, object))
    if reached < ENOUGH:
        return f"Right for {reached:.2f} of the hidden birds; {ENOUGH} is asked for."
    if abs(reached - estimate) > GAP:
        return f"You promised {float(estimate):.2f}; {reached:.2f} of the hidden birds are right."
    return None


question(
    "capstone.11",
    "Which sex is this bird?",
    name="predict_sex",
    stars=3,
    truth=predict_sex,
    parts=_predicted,
    same=_same_prediction,
    checker=check_sexes,
    cases=Case(5, draw=draw_unseen),
    mistakes=[
        (
            "neighbours in grams",
            "In which units are your neighbours near? One column may decide alone.",
            dict(learner=KNeighborsClassifier, scale=None),
        ),
        (
            "one nearest neighbour, judged on itself",
            "Who is the nearest neighbour of a bird that trained?",
            dict(learner=_neighbour, estimate=lambda model, X, y: model.score(X, y)),
        ),
        (
            "one threshold for the mass",
            "A light bird of one kind is a heavy bird of another. What else do you know of it?",
            _by_mass,
        ),
        (
            "all of one sex",
            "One label for all birds is right for half of them.",
            lambda train, test: (["MALE"] * len(test), np.mean(train["Sex"].dropna() == "MALE")),
        ),
        (
            "perfection promised",
            "How many birds will be right, of those that you have never seen?",
            lambda train, test: (predict_sex(train, test)[0], 1.0),
        ),
        (
            "the worst promised",
            "How many birds will be right? Ask birds that you kept aside.",
            lambda train, test: (predict_sex(train, test)[0], 0.5),
        ),
        (
            "the share that is wrong",
            "Is your estimate the share that is right, or that is wrong?",
            lambda train, test: (predict_sex(train, test)[0], 1 - predict_sex(train, test)[1]),
        ),
        (
            "the labels of the training rows",
            "Whose sex is asked for?",
            lambda train, test: (np.resize(train["Sex"].dropna(), len(test)), 0.9),
        ),
        (
            "the kind alone",
            "You did not measure the bird at all. How many males has each kind?",
            lambda train, test: (np.where(test["Species"].str.startswith("Adelie"), "MALE", "FEMALE"), 0.5),
        ),
    ],
    hints=[
        "Clean, code, fill, scale: your answers to questions 4 to 6 do most of it. Which rows have no sex?",
        "For the estimate, keep birds aside: whole nests, and no row twice.",
    ],
)
