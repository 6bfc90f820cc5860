"""The capstone: from the raw penguin table to a promise, how often a bird's sex will be told right."""

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GroupKFold, StratifiedKFold

from grading.question import Case, Task, computed_once, question
from grading.reasons import reading
from helpers.comparing import close, numbers, same_set
from helpers.datasets import load_penguins
from homework.capstone.stations import MASS, MEASURES, nest_names, numbered, station

NUMERIC = [*MEASURES, "Delta 15 N (o/oo)", "Delta 13 C (o/oo)"]
SAME_BIRD = ["studyName", "Individual ID"]


def _birds(rng, n, table=None):
    """n rows of the raw table in no order."""
    table = load_penguins(raw=True) if table is None else table
    return numbered(table.iloc[rng.permutation(len(table))[:n]])


def _with_blanks(rng, table, columns, many):
    for _ in range(many):
        table.loc[int(rng.integers(len(table))), columns[rng.integers(len(columns))]] = np.nan
    return table


# ---- 1: which columns

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
    "capstone.1",
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

# ---- 2: keep the nests together


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
    "capstone.2",
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

# ---- 3: mend

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
    copies=lambda before, after: after.duplicated(),
):
    after = _exchanged(table.copy(), turned(table[LENGTH], table[DEPTH]))
    after[MASS] = table[MASS].where((table[MASS] >= 2000) & (table[MASS] <= 7000))
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
    "capstone.3",
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

# ---- 4: a promise for every station

# Averages over the stations, beside honest folds of the same birds: both have the same luck, so that 30
# stations tell as much as hundreds. The luck of dealing the folds is small: they are dealt four times.
OVER, UNDER, APART = 0.02, 0.03, 0.045
HELD = 0.8  # of the intervals hold what is kept
NARROW, WIDE = 0.25, 0.45  # their mean width: by birds 0.32, by rows 0.14
FEW, MANY, DEALT = 4, 30, 4


def draw_stations(rng, many):
    """Every second one is careful. All that are drawn count."""
    drawn = [station(rng, careful=bool(i % 2)) for i in range(many)]
    kept = [_kept(*one) for one in drawn] if many == MANY else None
    return Task(([train for train, _ in drawn],), hidden=kept)


@computed_once
def _names_of_columns():
    raw = load_penguins(raw=True)
    return [(name, kind) for name in ("Species", "Island") for kind in sorted(raw[name].unique())]


def as_numbers(table):
    """Measurements, and species and island as columns of 0 and 1."""
    kinds = (table[name] == kind for name, kind in _names_of_columns())
    return np.column_stack([table[MEASURES], *kinds]).astype(float)


def _predicted(X, sex, new):
    """What the given learner says: blanks become medians of the rows that train."""
    middle = np.nanmedian(X, axis=0)
    X, new = (np.where(np.isnan(part), middle, part) for part in (X, new))
    return LinearDiscriminantAnalysis().fit(X, sex).predict(new)


def _kept(train, test):
    """The share of a station's hidden birds that the given learner gets right."""
    train = mend(train[train["Sex"].notna()])
    return np.mean(_predicted(as_numbers(train), train["Sex"], as_numbers(mend(test))) == test["Sex"])


def share_right(table, nests):
    """In folds that keep nests together."""
    X, sex = as_numbers(table), table["Sex"].to_numpy()
    return _share_right(X, sex, GroupKFold(5).split(X, groups=nests))


@computed_once
def _dealt_anew(train):
    """The same on average, the folds dealt by lot."""
    table = mend(train[train["Sex"].notna()])
    X, sex = as_numbers(table), table["Sex"].to_numpy()
    deals = [GroupKFold(5, shuffle=True, random_state=i) for i in range(DEALT)]
    return np.mean([_share_right(X, sex, list(deal.split(X, groups=nest_names(table)))) for deal in deals])


def _share_right(X, sex, folds):
    right = np.zeros(len(sex), dtype=bool)
    for train, test in folds:
        right[test] = _predicted(X[train], sex[train], X[test]) == sex[test]
    return right.mean()


def promise(train):
    table = mend(train[train["Sex"].notna()])
    share, n = share_right(table, nest_names(table)), len(table.drop_duplicates(SAME_BIRD))
    margin = 2 * np.sqrt(share * (1 - share) / n)
    return share, (share - margin, share + margin)


def promises(trains):
    return [promise(train) for train in trains]


def _promises(
    trains,
    clean=mend,
    share=lambda table: share_right(table, nest_names(table)),
    count=lambda table: len(table.drop_duplicates(SAME_BIRD)),
    width=2.0,
):
    """promises with one part exchanged."""
    tables = [clean(train[train["Sex"].notna()]) for train in trains]
    shares = [share(table) for table in tables]
    margins = [width * np.sqrt(p * (1 - p) / count(t)) for p, t in zip(shares, tables, strict=True)]
    return [(p, (p - margin, p + margin)) for p, margin in zip(shares, margins, strict=True)]


def as_typed(table):
    return table


@computed_once
def rows_apart(table):
    """Each row for itself, as cross_val_predict deals them."""
    X, sex = as_numbers(table), table["Sex"].to_numpy()
    return _share_right(X, sex, StratifiedKFold(5).split(X, sex))


@computed_once
def birds_apart(table):
    """A bird that was caught again stays together, and its mate does not."""
    return share_right(table, table["studyName"] + table["Individual ID"])


@computed_once
def in_training(table):
    X, sex = as_numbers(table), table["Sex"].to_numpy()
    return np.mean(_predicted(X, sex, X) == sex)


# Mistakes in the share, with the question that each is asked. Dealt otherwise, one is known by being near.
OF_THE_SHARE = {
    "rows for nests": (
        "A bird that was caught three times: on how many sides of your folds does it stand?",
        dict(share=rows_apart),
    ),
    "birds for nests": (
        "The mate of a bird trains while that bird tests. From which nests do new birds come?",
        dict(share=birds_apart),
    ),
    "judged on the rows that trained": (
        "Whom did you ask how well the learner does: birds that it had learnt from?",
        dict(share=in_training),
    ),
    "nothing mended": (
        "Look at the lengths and depths of one station. Would you believe them?",
        dict(clean=as_typed),
    ),
}
NEAR = 0.03  # on average over the stations


def _likely(shares, trains):
    """What the mistake is asked that gives nearly these shares; or nothing."""
    apart = {
        hint: np.abs(shares - [p for p, _ in _promises(trains, **parts)]).mean()
        for hint, parts in OF_THE_SHARE.values()
    }
    hint = min(apart, key=apart.get)
    return (
        hint
        if apart[hint] < NEAR
        else "Which rows train your learner, and whom does it meet first in a fold?"
    )


def _same_promises(a, b):
    pairs = zip(a, b, strict=True)
    return len(a) == len(b) and all(close(x[0], y[0]) and close(x[1], y[1]) for x, y in pairs)


def _unlike_a_promise(one):
    """What is wrong with the form of what one station got; or None."""
    if one is None or one is ...:
        return "A station got no answer: what does promise return?"
    if not isinstance(one, (tuple, list)) or len(one) != 2:
        return "Each station gets two things: your share, and its interval."
    share, interval = numbers(one[0]), numbers(one[1])
    if share is None or isinstance(one[0], bool) or share.shape != () or not 0 <= share <= 1:
        return "The share should be one number from 0 to 1."
    if interval is None or interval.shape != (2,) or not interval[0] <= share <= interval[1]:
        return "The interval should be two numbers, with your share between them."
    return None


def check_width(shares, widths, trains):
    """On average: two standard errors of a share of so many birds, to either side."""
    birds = [len(train[train["Sex"].notna()].drop_duplicates(SAME_BIRD)) for train in trains]
    usual = 4 * np.sqrt(shares * (1 - shares) / birds)
    if 0.7 * usual.mean() <= widths.mean() <= 1.3 * usual.mean():
        return None
    return (
        f"Your intervals are {widths.mean():.2f} wide on average. A station has {np.mean(birds):.0f} "
        "different birds: how far does a share of so many stray, twice its standard error to either side?"
    )


def check_shares(shares, ends, trains, kept):
    """Beside honest folds of the same birds, and beside what is kept."""
    honest, kept = np.array([_dealt_anew(train) for train in trains]), np.array(kept)
    gap, held = (shares - honest).mean(), np.mean((ends[:, 0] <= kept) & (kept <= ends[:, 1]))
    if not -UNDER <= gap <= OVER or (apart := np.abs(shares - honest).mean()) > APART:
        told = f"On average you promise {shares.mean():.3f}, and {kept.mean():.3f} is kept"
        told = f"{told}; honest folds promise {honest.mean():.3f}"
        told = told if not -UNDER <= gap <= OVER else f"{told}, at a station {apart:.3f} more or less"
        return f"{told}. {_likely(shares, trains)}"
    if held < HELD:
        told = f"{100 * held:.0f} % of your intervals hold what is kept; {100 * HELD:.0f} % are asked for."
        return f"{told} How many different birds stand behind each?"
    if (width := np.ptp(ends, axis=1).mean()) < NARROW:
        return f"Your intervals are only {width:.2f} wide. How many different birds stand behind each?"
    return (
        None if width <= WIDE else f"Your intervals are {width:.2f} wide. What does a ranger learn from them?"
    )


def check_promises(got, trains, kept=None):
    """At a few stations the width of the intervals; at many, whether the promises are kept."""
    if not isinstance(got, (tuple, list)) or len(got) != len(trains):
        return f"Return a list with one promise for each of the {len(trains)} stations."
    if why := next(filter(None, map(_unlike_a_promise, got)), None):
        return why
    shares, ends = np.array([float(one[0]) for one in got]), np.array([list(one[1]) for one in got], float)
    if kept is None:
        return check_width(shares, np.ptp(ends, axis=1), trains)
    return check_shares(shares, ends, trains, kept)


question(
    "capstone.4",
    "A promise for every station",
    name="promises",
    then="Go on: which station got the widest promise, and which birds would narrow it?",
    stars=3,
    truth=promises,
    parts=_promises,
    same=_same_promises,
    checker=check_promises,
    seconds=60.0,
    meanwhile=f"Three times {FEW} stations, then three times {MANY}: some ten seconds.",
    cases=[
        Case(2, f"the intervals of {FEW} stations", lambda rng: draw_stations(rng, FEW)),
        Case(4, f"the promises to {MANY} stations", lambda rng: draw_stations(rng, MANY)),
    ],
    mistakes=OF_THE_SHARE
    | {
        "intervals by rows": (
            "Three rows of one bird: do they tell as much as three birds?",
            dict(count=len),
        ),
        "one standard error": (
            "How often does a share stray further than one standard error? How many were asked for?",
            dict(width=1.0),
        ),
    },
    hints=[
        "Work on one station first, train = case('capstone.4')[1]. Whose sex is known? Mend those rows.",
        "GroupKFold keeps groups together: what is the group of a row, if a bird that was caught again is to "
        "stay with its mate?",
        "For the interval: how far does a share of n birds stray, when n counts birds and not rows?",
    ],
)

# ---- 5: the ranger's number

reading(
    "capstone.5",
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
        ("Those birds have a known mate; of a bird that is caught alone nobody knows one."): None,
    },
    hints=["The ranger holds one bird. Which columns can be filled in?"],
)
