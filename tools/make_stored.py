"""Compute what takes too long in a chapter, once, and store it in notebooks/stored/.

    uv run python tools/make_stored.py                           # everything, and the list in its README.md
    uv run python tools/make_stored.py basis-pursuit-phase       # one

A chapter reads it with ``helpers.datasets.stored("basis-pursuit-phase")``. A new entry is a function below
with the
decorator ``@entry(name, what, **small)``: its options say how much is computed, and `small` a part of it,
whose arrays
are the first rows of the stored ones. `tests/test_stored.py` computes that part again and compares.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

FOLDER = ROOT / "notebooks" / "stored"
ENTRIES = {}
HEAD = """# Stored data

What would take a chapter minutes to compute. `helpers.datasets.stored(name)` reads it; the command makes it
again.

| name | what it is | made by |
|---|---|---|
"""


@dataclass(frozen=True)
class Entry:
    """One stored result: `make(**options)` gives a dict of arrays, `small` the options of its first rows."""

    name: str
    what: str
    make: object
    small: dict


def entry(name, what, **small):
    """Register the function below as the one that makes `name`."""

    def register(make):
        ENTRIES[name] = Entry(name, what, make, small)
        return make

    return register


# ---- what is stored


@entry(
    "basis-pursuit-phase",
    "chapter 6: the share of 20 random sparse vectors of length 60 that basis pursuit recovers; "
    "rows: 6, 12 … 54 measurements, columns: 3, 6 … 30 numbers that are not 0",
    measurements=(6, 12),
)
def basis_pursuit_phase(measurements=tuple(range(6, 60, 6)), sparsity=tuple(range(3, 33, 3)), seeds=20, d=60):
    """recovered: (len(measurements), len(sparsity)), from 0 to 1; and both grids."""
    from helpers.linear_model import BasisPursuit

    def recovered(m, k, seed):
        rng = np.random.default_rng([m, k, seed])
        A, w = rng.normal(size=(m, d)), np.zeros(d)
        w[rng.choice(d, k, replace=False)] = rng.normal(size=k)
        return np.abs(BasisPursuit().fit(A, A @ w).coef_ - w).max() < 1e-4

    share = [[np.mean([recovered(m, k, s) for s in range(seeds)]) for k in sparsity] for m in measurements]
    return {
        "recovered": np.array(share),
        "measurements": np.array(measurements),
        "sparsity": np.array(sparsity),
    }


# ---- stored


def store(one, folder=FOLDER):
    """Compute one entry and write it."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / f"{one.name}.npz", **one.make())


def listing():
    """The README.md of the folder: what each file is, and the command that makes it."""
    rows = [
        f"| {one.name} | {one.what} | `uv run python tools/make_stored.py {one.name}` |"
        for one in ENTRIES.values()
    ]
    return HEAD + "\n".join(rows) + "\n"


def disagreements(one, arrays):
    """Names of the arrays whose first rows are not what a small run of the entry gives."""
    fresh = one.make(**one.small)
    if set(fresh) != set(arrays):
        return sorted(set(fresh) ^ set(arrays))
    return [
        key for key, value in fresh.items() if not np.allclose(arrays[key][: len(value)], value, atol=1e-8)
    ]


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="what to make; without any, everything")
    chosen = parser.parse_args(argv)
    if strange := set(chosen.names) - set(ENTRIES):
        parser.error(f"nothing is called {', '.join(sorted(strange))}: there are {', '.join(ENTRIES)}")
    for name in chosen.names or ENTRIES:
        store(ENTRIES[name])
        print(f"notebooks/stored/{name}.npz")
    (FOLDER / "README.md").write_text(listing(), encoding="utf-8")


if __name__ == "__main__":
    main()
