"""Chapter 8, filters: what its derivations draw at random, and tables in which something is hidden.

Tables of counts, groups of values, joint distributions; beside the draws stand what the chains' functions
need: `expected`, `pearson`, `entropy`.
"""

from itertools import permutations, product

import numpy as np

from helpers.datasets import make_xor

# ---- what the derivations draw at random


def table(rng):
    """Counts O in which no row and no column is empty."""
    r, c = rng.integers(2, 6, size=2)
    O = rng.integers(1, 30, size=(r, c)) * rng.integers(1, 5, size=(r, 1))
    return {"O": O.astype(float), "n": float(O.sum()), "r": r, "c": c}


def cell(rng):
    """A table, and a cell of it (counted from 1), with the totals of its row and column."""
    drawn = table(rng)
    i, j = (int(rng.integers(m)) for m in drawn["O"].shape)
    O = drawn["O"]
    return {"O": O, "n": drawn["n"], "R": O[i].sum(), "K": O[:, j].sum(), "i": i, "j": j}


def expected(O):
    """Row total times column total over the grand total, one for each cell."""
    return np.outer(O.sum(axis=1), O.sum(axis=0)) / O.sum()


def pearson(O):
    """The chi-squared statistic, cell by cell."""
    E = expected(O)
    return sum((o - e) ** 2 / e for o, e in zip(O.ravel(), E.ravel(), strict=True))


def two_partitions(rng):
    """Rows cut by a feature and by a label: their table, and the projectors onto the means of each."""
    r, c = rng.integers(2, 5, size=2)
    n = int(rng.integers(8, 14))
    x, y = (np.r_[np.arange(m), rng.integers(m, size=n - m)] for m in (r, c))
    y = rng.permutation(y)
    X, Y = (np.eye(m)[z] for m, z in ((r, x), (c, y)))
    A, B = (Z @ np.diag(1 / Z.sum(axis=0)) @ Z.T for Z in (X, Y))
    return {"O": X.T @ Y, "n": n, "A": A, "B": B, "J": np.full((n, n), 1 / n)}


def dealt(rng):
    """All permutation matrices of three to five rows, and four centred vectors."""
    n = int(rng.integers(3, 6))
    perms = np.array([np.eye(n)[list(order)] for order in permutations(range(n))])
    u, w, s, t = (z - z.mean() for z in rng.normal(size=(4, n)))
    return {"n": n, "perms": perms, "u": u, "w": w, "s": s, "t": t}


def degrees(rng):
    """One to four degrees of freedom ν; outcomes and weights, exact for polynomials (Gauss-Hermite)."""
    nu = int(rng.integers(1, 5))
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    points = np.array(list(product(nodes, repeat=nu)))
    mass = np.array([np.prod(w) for w in product(weights / weights.sum(), repeat=nu)])
    return {"nu": nu, "t": points[:, 0], "Q": (points**2).sum(axis=1), "mass": mass}


def column(rng):
    """A 0/1 column against three classes of unequal size: the row of ones, then the row of zeros."""
    y = np.r_[0, 1, 2, rng.choice(3, size=40, p=[0.6, 0.3, 0.1])]
    x = np.r_[1, 0, (rng.uniform(size=41) < rng.uniform(0.2, 0.8)).astype(int)]
    O = np.array([[((x == v) & (y == c)).sum() for c in range(3)] for v in (1, 0)], float)
    return {"O": O, "n": O.sum(), "q": x.mean()}


def classes(rng):
    """Values x > 0 in C classes y of unequal size, with the mean of each row's class, and the three sums."""
    C = int(rng.integers(2, 5))
    y = np.repeat(np.arange(C), rng.integers(2, 7, size=C))
    x = rng.uniform(1, 9, size=len(y))
    means = np.array([x[y == c].mean() for c in range(C)])
    own, sst = means[y], len(x) * x.var()
    sse, ssb = ((x - own) ** 2).sum(), ((own - x.mean()) ** 2).sum()
    sums = {"sst": sst, "sse": sse, "ssb": ssb, "eta": np.sqrt(ssb / sst), "sd": x.std()}
    drawn = {"x": x, "y": y, "own": own, "mean": x.mean(), "n": len(x), "C": C}
    return {**drawn, **sums, "sizes": np.bincount(y), "means": means}


def _projectors(sizes):
    n, C = int(sizes.sum()), len(sizes)
    which = np.repeat(np.arange(C), sizes)
    B = (which[:, None] == which) / sizes[which]
    return {"B": B, "J": np.full((n, n), 1 / n), "n": n, "C": C, "sizes": sizes}


def _split(values, sizes):
    return np.split(values, np.cumsum(sizes)[:-1])


def noise(rng):
    """Three small groups, and all choices of signs for noise of ±σ: every mean is exact."""
    sizes, sigma = rng.integers(1, 4, size=3), rng.uniform(0.5, 2)
    drawn = _projectors(sizes)
    signs = np.array(list(product([-1.0, 1.0], repeat=drawn["n"])))
    return {**drawn, "sigma": sigma, "eps": sigma * signs}


def noise_seen(rng):
    """The same, and two directions u and w."""
    drawn = noise(rng)
    u, w = rng.normal(size=(2, drawn["n"]))
    return {**drawn, "u": u, "w": w}


def residual_times_effect(eps, sizes, u, w):
    """Mean over the outcomes of u·(noise − class means) times w·(class means − mean)."""
    means = [np.repeat([g.mean() for g in _split(e, sizes)], sizes) for e in eps]
    return np.mean([(u @ (e - m)) * (w @ (m - e.mean())) for e, m in zip(eps, means, strict=True)])


def mean_product(matrices, *pairs):
    """Mean over the matrices of the product of left·matrix·right of all pairs."""
    factors = [np.einsum("i,pij,j->p", left, matrices, right) for left, right in pairs]
    return np.prod(factors, axis=0).mean()


def mean_square(A, eps):
    """Mean of ‖A ε‖² over the outcomes, the rows of eps."""
    return ((eps @ A.T) ** 2).sum(axis=1).mean()


def two_groups(rng):
    """Two groups a and b of unlike size and mean."""
    a, b = rng.normal(size=rng.integers(2, 7)) + 5, rng.normal(size=rng.integers(3, 9)) + 5 + rng.normal()
    both, n = np.r_[a, b], len(a) + len(b)
    left = ((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()
    drawn = {"a": a, "b": b, "n": n, "n1": len(a), "n2": len(b), "sse": left, "sp": np.sqrt(left / (n - 2))}
    return drawn | {"m": both.mean(), "m1": a.mean(), "m2": b.mean()}


def pairs(rng):
    """Feature x and target y, and the least-squares line: its slope and its values."""
    x = rng.normal(size=8) + 20
    y = rng.normal() * x + rng.normal(size=8) - 7
    slope, offset = np.polyfit(x, y, 1)
    r = np.corrcoef(x, y)[0, 1]
    return {"x": x, "y": y, "n": 8, "b": slope, "fitted": slope * x + offset, "corr": r, "R": abs(r)}


def joint(rng):
    """Joint probabilities of two variables, without zeros."""
    return {"f": rng.dirichlet(np.full(12, 2)).reshape([(2, 6), (3, 4), (4, 3)][rng.integers(3)])}


def entropy(p):
    """Of probabilities above 0, in bits."""
    return -(p * np.log2(p)).sum()


def divergence(rng):
    """Probabilities f, and any positive numbers g."""
    m = int(rng.integers(2, 8))
    return {"f": rng.dirichlet(np.full(m, 2)), "g": rng.exponential(size=m) + 0.01}


def divergence_from_itself(rng):
    """Both alike."""
    f = divergence(rng)["f"]
    return {"f": f, "g": f}


def nearly_independent(rng):
    """A product of margins, and at most 2 % of something else."""
    Q = np.outer(rng.dirichlet([9] * 3), rng.dirichlet([9] * 4))
    P = Q * (1 + 0.02 * rng.uniform(-1, 1, size=Q.shape))
    return {"f": P / P.sum(), "n": 1000.0}


def three(rng):
    """Joint probabilities of a, b and y, and the marginals that the chains name."""
    return _marginals(rng.dirichlet(np.ones(12)).reshape(2, 3, 2))


def useless_b(rng):
    """Once a is known, b says nothing about y."""
    given_a = np.einsum(
        "a,b,ay->aby", rng.dirichlet([2, 2]), rng.dirichlet([2, 2, 2]), rng.dirichlet([1, 1], size=2)
    )
    return _marginals(given_a)


def _marginals(T):
    """H(y), H(y | a) and H(y | a, b) of a joint table T[a, b, y], with the probabilities of a."""
    return {
        "T": T,
        "ab": T.sum(axis=2),
        "a": T.sum(axis=(1, 2)),
        "ay": T.sum(axis=1),
        "y": T.sum(axis=(0, 1)),
    }


def shares(rng):
    """Class shares p, and one of the classes, k (counted from 1)."""
    p = rng.dirichlet(np.ones(rng.integers(2, 6)))
    return {"p": p, "k": int(rng.integers(len(p))) + 1}


# ---- tables in which something is hidden


def make_hidden(kind, seed, n=300):
    """A table of 21 columns with its useful ones first, two classes, and how many columns are useful."""
    rng = np.random.default_rng(seed)
    label, A = rng.integers(0, 2, size=n), rng.normal(size=(n, 21))
    if kind == "counts":
        useful = rng.poisson(2 + label)
        return np.column_stack([useful, rng.poisson(2, size=(n, 20))]), label, 1
    if kind == "pair":
        return *make_xor(n, 19, seed=seed), 2
    if "wave" in kind:
        bend = np.sin((12 if kind == "fast wave" else 4) * A[:, 0])
        return A, (bend + 0.3 * rng.normal(size=n) > 0).astype(int), 1
    A[:, 0] = label + A[:, 0] if kind == "other mean" else (1 + label) * A[:, 0]
    return A, label, 1
