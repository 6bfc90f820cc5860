"""Variants and statements: one raw table, from the field notes to a promise."""

import numpy as np
import pandas as pd
from sklearn.feature_selection import f_classif
from sklearn.preprocessing import OneHotEncoder

from grading.variant import Variant, bank, fails, holds, means, variant
from homework.capstone.questions import MEASURES, NUMERIC


def birds():
    from helpers.datasets import load_penguins

    return load_penguins(raw=True)


def sexes():
    raw = birds()
    return raw[raw["Sex"].notna()]


def nests(raw):
    return raw["studyName"] + " " + raw["Individual ID"].str.split("A").str[0]


def larger(column):
    """Whether males are larger on average in every species."""
    means = sexes().groupby(["Species", "Sex"])[column].mean().unstack()
    return bool((means["MALE"] > means["FEMALE"]).all())


TABLE = pd.DataFrame({"a": [1.0, 1.0, np.nan], "b": ["x", "x", "x"]})


def spread(birds, share=0.9, trials=20_000):
    """The standard deviation of the accuracy on so many birds, over many draws of them."""
    return (np.random.default_rng(0).binomial(birds, share, trials) / birds).std()


def opposite_sexes():
    """Whether the two birds of a nest are a female and a male, wherever both sexes are known."""
    pairs = [nest["Sex"] for _, nest in sexes().groupby(nests(sexes())) if len(nest) == 2]
    return all(pair.nunique() == 2 for pair in pairs)


def spread_twice(birds=100, share=0.9, alike=0.8, trials=20_000):
    """The same of birds that are caught twice; the second answer is mostly the first."""
    rng = np.random.default_rng(0)
    first, other = rng.random((2, trials, birds)) < share
    second = np.where(rng.random((trials, birds)) < alike, first, other)
    return ((first + 0.0 + second) / 2).mean(axis=1).std()


def told_by_mass(rows, worn=0.0):
    """The largest share of birds whose sex one limit of the mass tells; scales may be worn."""
    mass = rows["Body Mass (g)"].to_numpy() + worn * np.random.default_rng(0).normal(size=len(rows))
    return max(((mass > limit) == (rows["Sex"] == "MALE")).mean() for limit in mass)


bank(
    "capstone",
    holds(
        "DataFrame.duplicated marks every row that equals an earlier one, and not the first of them.",
        "Its default is keep='first'.",
        lambda: TABLE[["b"]].duplicated().tolist() == [False, True, True],
    ),
    fails(
        "DataFrame.nunique counts a blank as a value.",
        "Blanks are dropped unless dropna=False.",
        lambda: TABLE["a"].nunique() == 2,
    ),
    holds(
        "The row number of a table may know the label, if the rows were typed in an order that "
        "has to do with it.",
        "An order is information; in the next table it is another.",
        lambda: (birds()["Species"] != birds()["Species"].shift()).sum() == 3,
    ),
    holds(
        "In the raw table the number at the end of a bird's name agrees with its sex far more "
        "often than by chance.",
        "In about 85 of 100.",
        lambda: (
            max(
                (m := (pd.crosstab(sexes()["Individual ID"].str[-1], sexes()["Sex"]).to_numpy()))[0, 0]
                + m[1, 1],
                m[0, 1] + m[1, 0],
            )
            / len(sexes())
            > 0.8
        ),
    ),
    holds(
        "Two birds of one nest should lie in the same fold, if the learner is to be judged on new nests.",
        "Birds of a nest have more in common than their species.",
        opposite_sexes,
    ),
    holds(
        "Every nest of the raw table holds two birds.",
        "A study's nest 5 holds N5A1 and N5A2.",
        lambda: bool((nests(birds()).value_counts() == 2).all()),
    ),
    fails(
        "The standard error of an accuracy on 100 birds, each caught twice, is that of 200 birds.",
        "Nearer to that of 100.",
        lambda: abs(spread_twice() - spread(200)) < abs(spread_twice() - spread(100)),
    ),
    holds(
        "The standard error of an accuracy of 0.9 on 100 independent birds is 0.03.",
        "√(0.9 · 0.1 / 100).",
        lambda: abs(spread(100) - 0.03) < 0.001,
    ),
    holds(
        "To halve a standard error, four times as many birds are needed.",
        "It falls with the root of n.",
        lambda: abs(spread(100) / spread(400) - 2) < 0.05,
    ),
    holds(
        "Males of the raw table are heavier than females on average, in each of the three species.",
        "Compare the means within the species.",
        lambda: larger("Body Mass (g)"),
    ),
    holds(
        "Males of the raw table have longer flippers than females on average, in each of the three species.",
        "Compare the means within the species.",
        lambda: larger("Flipper Length (mm)"),
    ),
    fails(
        "A rule on mass alone that is good for one species is as good for all three together.",
        "A female of the largest kind outweighs a male of the others.",
        lambda: told_by_mass(sexes()) >= min(told_by_mass(kind) for _, kind in sexes().groupby("Species")),
    ),
    holds(
        "The columns for beak length and beak depth can be told apart by their ranges in most birds.",
        "Lengths begin where depths end.",
        lambda: birds()["Culmen Length (mm)"].min() > birds()["Culmen Depth (mm)"].max(),
    ),
    fails(
        "A one-hot code made on the training birds has a place for an island that comes later.",
        "It is a row of zeros, or an error, unless you decide.",
        lambda: (
            OneHotEncoder(handle_unknown="ignore")
            .fit([["Biscoe"], ["Dream"]])
            .transform([["Torgersen"]])
            .sum()
        ),
    ),
    holds(
        "If the choice among three learners was made by cross-validation, the winner's score is a "
        "little too good.",
        "It is the best of three.",
        lambda: np.random.default_rng(0).binomial(100, 0.9, (1000, 3)).max(axis=1).mean() > 90.5,
    ),
    fails(
        "An accuracy promised to a station with worn callipers should be that of careful stations.",
        "Noise of measurement costs accuracy.",
        lambda: told_by_mass(sexes(), worn=800) >= told_by_mass(sexes()),
    ),
    fails(
        "An accuracy of 0.9 on 30 birds and one of 0.9 on 300 birds can be trusted alike.",
        "Another draw of 30 birds gives a number that is three times as far away.",
        lambda: np.isclose(spread(30), spread(300), rtol=0.5),
    ),
    holds(
        "Guessing the commoner sex for every bird gets about half of them right.",
        "165 of the 333 birds whose sex is known are females.",
        lambda: 0.5 <= sexes()["Sex"].value_counts(normalize=True).max() < 0.52,
    ),
    holds(
        "A filter that ranks each column alone can rank a column high that adds nothing to another.",
        "Two columns that say the same have the same rank.",
        lambda: np.isclose(*f_classif(np.outer(np.arange(9), [1, 2]), np.arange(9) > 3)[0]),
    ),
    means(
        "Delta 15 N and Delta 13 C are known to the hand that holds the bird.",
        False,
        "They come from the laboratory.",
    ),
)

TOOLS = {
    "": [],
    " The scale is broken: nobody can weigh.": [MEASURES[3]],
    " The callipers are lost: no beak is measured.": MEASURES[:2],
}


@variant("capstone.1")
def another_learner(rng):
    target, late = ("Sex", "Species")[rng.integers(2)], bool(rng.integers(2))
    broken = list(TOOLS)[rng.integers(3)]
    usable = [c for c in ["Species", "Island", *MEASURES] if c not in (target, *TOOLS[broken])]
    if late:
        usable += [*NUMERIC[4:], "Clutch Completion"] + (["Sex"] if target == "Species" else [])
    when = (
        "It is asked at the end of a season after these, when the laboratory has answered and the "
        "nests were watched"
        if late
        else "It is asked in a season after these by the hand that holds the bird; the laboratory has "
        "not answered, and nobody has told its sex"
    )
    text = (
        f"The raw table of the penguins once more. Your learner predicts the **{target.lower()}**. "
        f"{when}.{broken} List all columns of the raw table that it may use. A "
        "column is out when it is the answer, or is not known by then; when it only names or "
        "counts birds, nests or seasons, or is a date; "
        "when it is free text; or when it is the same for all birds."
    )
    added = {
        "the season": ["studyName"],
        "the number of the sample": ["Sample Number"],
        "the date": ["Date Egg"],
        "the constants": ["Region", "Stage"],
        "the names of bird and season": ["studyName", "Sample Number", "Individual ID"],
    }
    if target == "Sex":
        added["the label itself"] = ["Sex"]
    if not late:
        added |= {"the isotopes": NUMERIC[4:], "what the nest did later": ["Clutch Completion"]}
    return Variant(text, usable, {name: [*usable, *columns] for name, columns in added.items()})
