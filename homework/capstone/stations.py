"""Stations of the capstone: real penguins in the tables of colleagues who differ in care, luck and callipers.

Nothing is drawn again until it looks good: every station that is drawn is a station that counts.
"""

from functools import cache

import numpy as np
import pandas as pd

from helpers.datasets import load_penguins

MEASURES = ["Culmen Length (mm)", "Culmen Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
MASS = MEASURES[3]
NEW_ISLANDS = ("Humble", "Cormorant", "Litchfield")
STEPS = np.array([0.1, 0.1, 1, 25])  # to which the field notes round
HIDDEN_NESTS = 80


def numbered(table):
    """The rows numbered from 0, in a table that shares nothing with another."""
    return pd.DataFrame({name: table[name].tolist() for name in table})


def nest_names(table):
    """The name of each row's nest: season and number."""
    return table["studyName"] + " " + table["Individual ID"].str.split("A").str[0]


def swap_digits(mass):
    """3750 typed as 7350."""
    digits = str(int(mass))
    return float(digits[1] + digits[0] + digits[2:])


@cache
def _table():
    """(raw table, nest of each row, species of each nest, deviations within species and sex): read only."""
    raw = load_penguins(raw=True)
    kinds = raw.groupby(nest_names(raw))["Species"].first()
    return raw, nest_names(raw), kinds, raw.groupby(["Species", "Sex"])[MEASURES].std().mean().to_numpy()


def station(rng, careful):
    """(train, test) of one station: what it knows, and birds of other nests, each once, that it will catch.

    careful : its measurements are good; otherwise the callipers are worn, and many a blank is left

    Between stations differ: the share of each species, the size, how often a bird was caught again, and how
    many rows were typed twice, hold swapped columns, swapped digits or blanks.
    """
    raw, nests, _, _ = _table()
    few, care = int(rng.integers(10, 20)), _care(rng, careful)
    names = _some_nests(rng, few + HIDDEN_NESTS)
    seen = np.flatnonzero(nests.isin(names[:few]))
    again = rng.choice(seen, int(rng.uniform(3, 6) * len(seen)))
    train = _measured(rng, [*seen, *again], **care)
    twice = rng.integers(len(train), size=int(rng.uniform(0.2, 0.5) * len(train)))
    train = numbered(train.iloc[rng.permutation([*range(len(train)), *twice])])
    hidden = np.flatnonzero(nests.isin(names[few:]) & raw["Sex"].notna())
    test = numbered(_measured(rng, hidden, **care))
    test.loc[rng.random(len(test)) < 0.1, "Island"] = NEW_ISLANDS[rng.integers(3)]
    return train, test


def _some_nests(rng, many):
    """Names of nests, in no order; each station has its own mixture of species."""
    kinds = _table()[2]
    shares = dict(zip(sorted(kinds.unique()), rng.dirichlet([1, 1, 1]), strict=True))
    weights = kinds.map(shares).to_numpy() + 1e-3
    names = rng.choice(kinds.index, size=many, replace=False, p=weights / weights.sum())
    return rng.permutation(names)


def _care(rng, careful):
    return {
        "blur": rng.uniform(0, 0.3) if careful else rng.uniform(1.2, 2.2),
        "blank": rng.uniform(0, 0.1) if careful else rng.uniform(0.2, 0.5),
        "columns": rng.uniform(0.1, 0.4),
        "digits": rng.uniform(0.05, 0.25),
    }


def _measured(rng, rows, blur, blank, columns, digits):
    """These rows as the station measured and typed them; `blur` in deviations within species and sex."""
    raw, _, _, spread = _table()
    birds = raw.iloc[rows]
    X = birds[MEASURES].to_numpy() + blur * spread * rng.normal(size=(len(birds), 4))
    X = np.round(np.round(X / STEPS) * STEPS, 1)
    odd = rng.random(len(X)) < digits
    X[odd, 3] = [swap_digits(mass) if mass >= 1000 else mass for mass in X[odd, 3]]
    turned = rng.random(len(X)) < columns
    X[turned, :2] = X[turned, 1::-1]
    X[rng.random(X.shape) < blank] = np.nan
    return birds.assign(**dict(zip(MEASURES, X.T, strict=True)), **{"Sample Number": range(1, len(X) + 1)})
