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


FILM = (0, 10, 50, 100, 200, 750)


def listing_of(chapter, *names):
    """Functions that a chapter lists, as a dict: what is stored is made by what is shown."""
    import ast
    import json

    (path,) = (ROOT / "notebooks").glob(f"{chapter}-*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    wanted = [n for s in sources for n in ast.parse(s).body if getattr(n, "name", None) in names]
    from scipy.spatial.distance import cdist

    from helpers.decomposition import PCA

    room = {"np": np, "cdist": cdist, "PCA": PCA}
    exec(compile(ast.Module(wanted, []), path.name, "exec"), room)
    return room


def film_of(X, steps):
    """frames: (len(steps), n, 2), chapter 4's t-SNE after each number of steps; steps: (len(steps),)."""
    tsne = listing_of("04", "similarities", "gradient", "tsne")["tsne"]
    return {"frames": tsne(X, 30, steps), "steps": np.array(steps)}


@entry("t-sne-digits", "chapter 4: t-SNE of the 1,797 digits, perplexity 30, on its way", steps=FILM[:2])
def t_sne_digits(steps=FILM):
    from helpers.datasets import load_digits

    return film_of(load_digits()[0], steps)


@entry("t-sne-roll", "chapter 4: t-SNE of the roll with a word on it, perplexity 30", steps=(0, 10))
def t_sne_roll(steps=(0, 10, 750)):
    turned = np.linspace(1.5 * np.pi, 4.5 * np.pi, 5001)
    length = (turned * np.sqrt(1 + turned**2) + np.arcsinh(turned)) / 2
    sheet = np.random.default_rng(0).uniform([length[0], 0], [length[-1], 21], size=(1200, 2))
    t = np.interp(sheet[:, 0], length, turned)
    return film_of(np.column_stack([t * np.cos(t), sheet[:, 1], t * np.sin(t)]), steps)


def _mean_of_last(table):
    """Estimate, variance, degrees of freedom of the last column's mean."""
    v = table[:, -1]
    return v.mean(), v.var(ddof=1) / len(v), len(v) - 1


def _slope_of_last(table):
    """The same of the slope of the last column on the first, beside the others."""
    A = np.column_stack([table[:, :-1], np.ones(len(table))])
    w, rest = np.linalg.lstsq(A, table[:, -1], rcond=None)[:2]
    df = len(A) - A.shape[1]
    return w[0], np.linalg.inv(A.T @ A)[0, 0] * rest[0] / df, df


def _half(estimate, variance, df):
    """An estimate with half its interval of 95 %."""
    from scipy import stats

    return estimate, stats.t.ppf(0.975, df) * variance**0.5


def _pooled(answers):
    from helpers.impute import pool

    estimates, variances, _ = zip(*answers, strict=True)
    pooled = pool(estimates, variances)
    return pooled.estimate, pooled.estimate - pooled.low


WHICH = ("delete rows", "mean", "mean + indicator", "model", "draws without y", "draws with y")


@entry(
    "which-filling",
    "chapter 5: 300 studies of 200 rows, half of x blank by a coin, by z, by x; filled by deleting, mean, "
    "mean "
    "with an indicator, model, ten draws without y, ten with y; then the mean of x, the slope of y on x, the "
    "slope beside z; and the error of predictions",
    studies=2,
)
def which_filling(studies=300, n=200):
    """estimate, half: (studies, 3 mechanisms, 6 fillings, 3 purposes); error: (studies, 3, 6, 2 learners),
    the squared error on new rows with blanks over that without any, NaN where a filling cannot."""
    found = [[_a_study(seed, cause, n) for cause in range(3)] for seed in range(studies)]
    answers = np.array([[study[0] for study in three] for three in found])
    return {
        "estimate": answers[..., 0],
        "half": answers[..., 1],
        "error": np.array([[study[1] for study in three] for three in found]),
    }


def _a_study(seed, cause, n):
    """What six fillings make of one study: answers (6, 3, 2) and prediction errors (6, 2)."""
    rng = np.random.default_rng([seed, cause])
    N = n + 1000  # the last are new
    z = rng.normal(size=N)
    x = 0.6 * z + 0.8 * rng.normal(size=N)
    y = x + z + rng.normal(size=N)
    blank = rng.uniform(size=N) < 1 / (1 + np.exp(-2 * (0 * x, z, x)[cause]))
    holes = np.column_stack([np.where(blank, np.nan, x), z, y])
    tables = _fillings(holes[:n], seed)
    answers = []
    for name in WHICH:
        each = []
        for what in (_mean_of_x, _slope_alone, _slope_beside):
            got = [what(table, blank[:n] if "indicator" in name else None) for table in tables[name]]
            each.append(_half(*got[0]) if len(got) == 1 else _pooled(got))
        answers.append(each)
    return answers, _errors(np.column_stack([x, z, y]), holes, n)


def _fillings(holes, seed):
    """{filling: its completed tables}, columns x, z, y."""
    from helpers.impute import ModelImputer, MultipleImputer, SimpleImputer

    xz, y = holes[:, :2], holes[:, 2:]
    mean, model = (np.hstack([f.fit_transform(xz), y]) for f in (SimpleImputer(), ModelImputer()))
    drawn = [MultipleImputer(10, max_iter=1, random_state=seed).impute(t) for t in (xz, holes)]
    without = [np.hstack([table, y]) for table in drawn[0]]
    whole = [holes[~np.isnan(holes).any(axis=1)]]
    return dict(zip(WHICH, (whole, [mean], [mean], [model], without, list(drawn[1])), strict=True))


def _mean_of_x(table, blank):
    return _mean_of_last(table[:, :1])


def _slope_alone(table, blank):
    extra = [] if blank is None else [blank]
    return _slope_of_last(np.column_stack([table[:, 0], *extra, table[:, 2]]))


def _slope_beside(table, blank):
    extra = [] if blank is None else [blank]
    return _slope_of_last(np.column_stack([table[:, :2], *extra, table[:, 2]]))


def _errors(true, holes, n):
    """Mean squared error on new rows, over that of the table without blanks: least squares, and boosting."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.linear_model import LinearRegression

    from helpers.impute import ModelImputer, SimpleImputer

    def error(make, X):
        return ((make().fit(X[:n], true[:n, 2]).predict(X[n:]) - true[n:, 2]) ** 2).mean()

    makers = (
        LinearRegression,
        lambda: HistGradientBoostingRegressor(max_iter=60, min_samples_leaf=10, random_state=0),
    )
    found = np.full((len(WHICH), 2), np.nan)
    for k, imputer in ((1, SimpleImputer()), (2, SimpleImputer(add_indicator=True)), (3, ModelImputer())):
        filled = imputer.fit(holes[:n, :2]).transform(holes[:, :2])
        found[k] = [error(make, filled) / error(make, true[:, :2]) for make in makers]
    return found


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
        key
        for key, value in fresh.items()
        if not np.allclose(arrays[key][: len(value)], value, atol=1e-8, equal_nan=True)
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
