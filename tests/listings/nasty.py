"""Tables that real data hold and textbooks do not, drawn from a seed."""

import numpy as np
import pandas as pd
import scipy.sparse as sp


def _with(X, rows, columns, value):
    X = X.copy()
    X[rows, columns] = value
    return X


# What may be wrong with a table; each takes a generator and a dense table.
TWISTS = {
    "as drawn": lambda rng, X: X,
    "rank-deficient": lambda rng, X: X[:, :1] @ rng.normal(size=(1, X.shape[1])),
    "a constant column": lambda rng, X: _with(X, slice(None), rng.integers(X.shape[1]), 0.1),
    "equal columns": lambda rng, X: np.repeat(X[:, :1], X.shape[1], axis=1),
    "equal rows": lambda rng, X: X[rng.integers(max(1, len(X) // 2), size=len(X))],
    "all rows equal": lambda rng, X: np.repeat(X[:1], len(X), axis=0),
    "ties": lambda rng, X: np.round(X),
    "offset 1e8": lambda rng, X: X + 1e8,
    "scale 1e-12": lambda rng, X: X * 1e-12,
    "scale 1e12": lambda rng, X: X * 1e12,
    "mixed units": lambda rng, X: X * 10.0 ** rng.integers(-9, 10, X.shape[1]),
    "one column 1e8": lambda rng, X: X * np.where(np.arange(X.shape[1]) == 0, 1e8, 1),
    "integers": lambda rng, X: (4 * X).astype(int),
    "float32": lambda rng, X: X.astype(np.float32),
    "by columns": lambda rng, X: np.asfortranarray(X),
    "every other row": lambda rng, X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda rng, X: X[::-1, ::-1],
    "a frame": lambda rng, X: pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]),
    "sparse": lambda rng, X: sp.csr_array(np.where(np.abs(X) > 1, X, 0)),
    "sparse, no zeros": lambda rng, X: sp.csr_array(X + 100),
    "sparse, a constant column": lambda rng, X: sp.csr_array(_with(X, slice(None), 0, 0.1)),
    "sparse, explicit zeros": lambda rng, X: _explicit_zeros(X),
    "sparse, entries in parts": lambda rng, X: in_parts(rng, X),
    "a blank": lambda rng, X: _with(X, rng.integers(len(X)), rng.integers(X.shape[1]), np.nan),
    "infinity": lambda rng, X: _with(X, rng.integers(len(X)), rng.integers(X.shape[1]), np.inf),
}


def _explicit_zeros(X):
    table = sp.csr_array(X)
    table.data[::3] = 0
    return table


def in_parts(rng, X):
    """Each entry as a quarter and three quarters of it, in any order of the columns."""
    where = np.array([rng.permutation(X.shape[1]) for _ in X])
    values = np.take_along_axis(X, where, axis=1)
    data, indices = (np.hstack(both).ravel() for both in ((values / 4, 3 * values / 4), (where, where)))
    return sp.csr_array((data, indices, np.arange(len(X) + 1) * 2 * X.shape[1]), shape=X.shape)


def table(rng, twist, n=None, d=None):
    """A table with that twist: 2 to 30 rows and 1 to 12 columns, tiny or n < d as often as not."""
    n, d = n or int(rng.integers(2, rng.choice([6, 31]))), d or int(rng.integers(1, rng.choice([4, 13])))
    return TWISTS[twist](rng, rng.normal(size=(n, d)))


def classes(rng, n, k=2):
    """k classes, all of them there if n allows, one of them rare."""
    return rng.permutation(
        np.r_[np.arange(min(n, k)), np.minimum(rng.integers(0, k + 3, max(0, n - k)), k - 1)]
    )


def problems(family, draws, twists=TWISTS):
    """Generators and twists, fixed by the family's name; each twist comes in turn."""
    start = int.from_bytes(family.encode(), "little") % 2**32
    names = list(twists)
    for draw in range(draws):
        yield draw, np.random.default_rng([start, draw]), names[draw % len(names)]
