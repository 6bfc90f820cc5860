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
    "chapter 6: the share of 20 random sparse codes of length 80 that come back exactly, by basis pursuit "
    "(`recovered`) and by orthogonal matching pursuit (`greedy`); rows: 1, 2 … 40 nonzeros, columns: 2, 4 … "
    "80 "
    "measurements",
    sparsity=(1,),
)
def basis_pursuit_phase(measurements=tuple(range(2, 82, 2)), sparsity=tuple(range(1, 41)), seeds=20, n=80):
    """recovered, greedy: (len(sparsity), len(measurements)), from 0 to 1; and both grids.

    The rows are the grid along which a small run is cut; the other grid is the same in both.
    """
    from helpers.decomposition import orthogonal_mp
    from helpers.linear_model import BasisPursuit

    def exact(m, k, seed):
        rng = np.random.default_rng([m, k, seed])
        A, s = rng.normal(size=(m, n)), np.zeros(n)
        s[rng.choice(n, k, replace=False)] = rng.normal(size=k)
        greedy = orthogonal_mp((A @ s)[None], A.T, n_nonzero_coefs=min(k, m))[0]
        return [np.abs(code - s).max() < 1e-6 for code in (BasisPursuit().fit(A, A @ s).code_, greedy)]

    share = np.array([
        [np.mean([exact(m, k, s) for s in range(seeds)], axis=0) for m in measurements] for k in sparsity
    ])
    return {
        "recovered": share[:, :, 0],
        "greedy": share[:, :, 1],
        "sparsity": np.array(sparsity),
        "measurements": np.array(measurements),
    }


@entry(
    "completion-phase",
    "chapter 6: relative error on the unseen entries of random 60 × 50 tables, soft-impute and a cut to the "
    "rank; rows: rank 1 … 8, columns: 5, 10 … 95 % seen, 2 tables each",
    ranks=(1,),
)
def completion_phase(ranks=tuple(range(1, 9)), shares=tuple(s / 100 for s in range(5, 100, 5)), seeds=2):
    """error: (len(ranks), len(shares), seeds); and both grids."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    from helpers.impute import SoftImpute

    cut = listing_of("06", "hard_impute")["hard_impute"]

    def off(rank, share, seed):
        rng = np.random.default_rng([seed, rank])
        X, order = rng.normal(size=(60, rank)) @ rng.normal(size=(rank, 50)), rng.uniform(size=(60, 50))
        seen = order < np.quantile(order, share)
        seen[order.argmin(axis=0), np.arange(50)] = True  # no column is blank
        start = SoftImpute(0.3, max_iter=100, tol=1e-4).fit_transform(np.where(seen, X, np.nan))
        Z = cut(X, seen, rank, start, 60)
        return np.linalg.norm((Z - X)[~seen]) / np.linalg.norm(X[~seen])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        error = [[[off(r, share, s) for s in range(seeds)] for share in shares] for r in ranks]
    return {"error": np.array(error), "ranks": np.array(ranks), "shares": np.array(shares)}


@entry(
    "photo-holes",
    "chapter 6: root mean square error on the holes of a photograph by low rank, few waves, neighbours; "
    "rows: "
    "five sets of holes, columns: 50 and 30 % seen; the penalty chosen by held-aside pixels each time, `lam`",
    seeds=(0,),
)
def photo_holes(seeds=(0, 1, 2, 3, 4), shares=(0.5, 0.3)):
    """error: (len(seeds), len(shares), 3); lam: (len(seeds), len(shares), 2)."""
    from helpers.datasets import load_china

    room = listing_of("06", "low_rank", "few_waves", "by_neighbours")
    photo = load_china()[100:292, 200:456]
    tuned = ((room["low_rank"], (0.4, 0.7, 1.2)), (room["few_waves"], (0.01, 0.03, 0.1)))

    def rms(Z, where):
        return np.sqrt(((Z - photo)[where] ** 2).mean())

    def one(seed, share):
        order = np.random.default_rng(seed).uniform(size=photo.shape)
        seen, fewer = order < share, order < 0.9 * share
        off, lams = [], []
        for fill, grid in tuned:
            aside = [rms(fill(photo, fewer, lam), seen & ~fewer) for lam in grid]
            lams.append(grid[int(np.argmin(aside))])
            off.append(rms(fill(photo, seen, lams[-1]), ~seen))
        return [*off, rms(room["by_neighbours"](photo, seen), ~seen)], lams

    rows = [[one(seed, share) for share in shares] for seed in seeds]
    return {
        "error": np.array([[off for off, _ in row] for row in rows]),
        "lam": np.array([[lams for _, lams in row] for row in rows]),
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
    from scipy.fft import dctn, idctn
    from scipy.interpolate import griddata
    from scipy.spatial.distance import cdist

    from helpers.decomposition import PCA
    from helpers.impute import SoftImpute
    from helpers.linear_model import soft_threshold

    room = {"np": np, "cdist": cdist, "PCA": PCA, "dctn": dctn, "idctn": idctn, "griddata": griddata}
    room |= {"SoftImpute": SoftImpute, "soft_threshold": soft_threshold}
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
