"""Figures of chapter 6: recovery from few observations.

Draws for the derivations of chapter 6: signals, columns, null vectors, tables; and what ties a bound.

Beside the draws stand what the lines are computed with: `svd`, a `layer`, its `integral`, what `moves` a
product of factors, what is `tangent` to a table; and three fixed cases that meet a bound.
"""

import numpy as np

from helpers.methods.sparse_recovery import restricted_isometry_constant
from helpers.plotting import COLOURS, figure, grid_of_images, show

# ---- what the derivations draw at random


# ---- signals and their measurements


def tones(rng):
    """A tone of f waves, and a sample's number j at the rate q."""
    rate = rng.uniform(2, 9)
    return {"f": rng.uniform(0, rate), "q": rate, "j": int(rng.integers(-20, 20)), "pi": np.pi}


def measured(rng, shape):
    """A signal, and fewer measurements of it than it has numbers."""
    n = shape.n + 2
    return {"Phi": rng.normal(size=(n // 2, n)), "x": rng.normal(size=n)}


# ---- columns


def normed(A):
    """The same columns with length 1."""
    return A / np.linalg.norm(A, axis=0)


def null_vector(rng, shape):
    """A wide matrix of unit columns, a vector of its null space, k places, the coherence."""
    n = shape.n + 2
    A = normed(rng.normal(size=(shape.n, n)))
    h = np.linalg.svd(A)[2][-1] * rng.uniform(1, 3)
    T = rng.choice(n, size=2, replace=False)
    return _with_coherence({"A": A, "h": h, "T": T + 1, "k": 2})


def _with_coherence(drawn):
    A = drawn["A"]
    return drawn | {"mu": np.abs(A.T @ A - np.eye(A.shape[1])).max()}


def lattice(rng, shape):
    """n + 1 unit vectors at one angle in n dimensions: they sum to 0, and every bound is met."""
    n = shape.n + 2
    A = normed(np.linalg.svd(np.eye(n) - 1 / n)[2][: n - 1])
    T = np.sort(rng.choice(n, size=2, replace=False))
    return _with_coherence({"A": A, "h": np.ones(n), "T": T + 1, "k": 2})


def columns(rng, shape):
    """k columns of length near 1, and a code for them."""
    k = min(3, shape.n)
    return {"A_T": rng.normal(size=(shape.n, k)) / np.sqrt(shape.n), "s_T": rng.normal(size=k)}


def worst_code(rng, shape):
    """The code whose squared length these columns change most."""
    drawn = columns(rng, shape)
    A_T = drawn["A_T"]
    lam, V = np.linalg.eigh(A_T.T @ A_T - np.eye(A_T.shape[1]))
    return drawn | {"s_T": 2 * V[:, np.abs(lam).argmax()]}


def two_codes(rng, shape):
    """Unit columns and two codes, each with one nonzero; δ₂ of all columns."""
    A = normed(rng.normal(size=(shape.n, 7)))
    s, s2 = np.zeros((2, 7))
    s[rng.integers(7)], s2[rng.integers(7)] = rng.normal(size=2)
    return {"A": A, "s": s, "s2": s2, "delta": restricted_isometry_constant(A, 2)}


def collision(rng, shape):
    """Columns 0 and 1 are the closest: their difference is the sparse vector that shrinks most."""
    A = np.eye(7)
    A[:2, 1] = 0.6, 0.8
    return {"A": A, "s": np.eye(7)[0], "s2": np.eye(7)[1], "delta": restricted_isometry_constant(A, 2)}


def atoms(rng, shape):
    """k unit columns in at least two dimensions, and a number no smaller than their coherence."""
    A = normed(rng.normal(size=(shape.n, 4)))
    mu = _with_coherence({"A": A})["mu"]
    return {"A_T": A, "k": 4, "mu": mu * rng.uniform(1, 1.5)}


def atoms_at_one_angle(rng, shape):
    """Columns that all meet at one angle."""
    return {"A_T": np.linalg.cholesky(0.7 * np.eye(4) + 0.3).T, "k": 4, "mu": 0.3}


# ---- codes, steps, prices


def _on(T, h):
    return np.where(T, h, 0.0)


def _parts(s, h, T):
    return {"s": s, "h": h, "h_on": _on(T, h), "h_off": _on(~T, h)}


def code_and_step(rng, shape):
    """A code on two places, and any step away from it."""
    n = shape.d + 2
    T = np.arange(n) < 2
    return _parts(_on(T, rng.normal(size=n)), rng.normal(size=n), T)


def step_against(rng, shape):
    """A step that takes from every nonzero, and never its sign."""
    n = shape.d + 2
    T = np.arange(n) < 2
    s = _on(T, rng.normal(size=n))
    h = np.where(T, -s * rng.uniform(0, 1, n), rng.normal(size=n))
    return _parts(s, h, T)


def code_and_prices(rng, shape):
    """A matrix, a code, and prices of any size."""
    n = shape.d + 2
    return {"A": rng.normal(size=(shape.n, n)), "s": rng.normal(size=n), "p": rng.normal(size=shape.n)}


def optimal_code(rng, shape):
    """The same with a code that uses only the column on which the prices are largest, with its sign."""
    drawn = code_and_prices(rng, shape)
    pull = drawn["A"].T @ drawn["p"]
    return drawn | {"s": np.where(np.abs(pull) == np.abs(pull).max(), 2 * np.sign(pull), 0)}


def no_better_code(rng, shape):
    """A code with two large entries, and one of no larger L1 norm; ρ is the ratio of the step between."""
    n = shape.d + 5
    T = np.arange(n) < 2
    s = np.where(T, rng.normal(size=n) * 3, 0.3 * rng.normal(size=n))
    h = np.where(T, 0.15 * rng.normal(size=n), rng.normal(size=n))
    steps = np.linspace(-2, 2, 401)
    l1 = np.abs(s + np.outer(steps, h)).sum(axis=1)
    step = steps[rng.choice(np.flatnonzero(l1 <= np.abs(s).sum() + 1e-12))] * h
    drawn = _told(s, s + step, h, T)
    return drawn | {"rho": drawn["rho"] + rng.uniform(0, 0.5) * (1 - drawn["rho"])}


def step_to_the_limit(rng, shape):
    """As far as the bound allows: the step takes from T with its sign, and overshoots outside of it."""
    n = shape.d + 5
    T = np.arange(n) < 2
    s = np.where(T, rng.uniform(4, 5, n), rng.uniform(0.05, 0.15, n)) * rng.choice([-1, 1], n)
    rho, off = rng.uniform(0.1, 0.6), np.abs(s[~T]).sum()
    c = 2 / (1 - rho)
    h = np.where(T, -np.sign(s) * rho * c * off / 2, -c * s)
    return _told(s, s + h, h, T)


def _told(s, s_hat, h, T):
    step, rho = s_hat - s, np.abs(h[T]).sum() / np.abs(h[~T]).sum()
    off = _on(~T, step)
    return {"s": s, "s_hat": s_hat, "s_off": _on(~T, s), "h_off": off, "rho": rho}


def outcomes(rng, shape):
    """Equally likely values with mean 0 and variance 1, k of n places, a scale."""
    g = rng.normal(size=7)
    g = (g - g.mean()) / g.std()
    return {"g": g, "k": int(rng.integers(1, 4)), "n": shape.n + 3, "tau": rng.uniform(0.2, 2)}


def signs(rng, shape):
    """Every row of d signs, equally likely, and a vector of d numbers."""
    d = min(shape.d, 5)
    grid = np.array(np.meshgrid(*[[-1.0, 1.0]] * d)).reshape(d, -1).T
    return {"phi": list(grid), "x": rng.normal(size=d), "d": d}


# ---- tables


def svd(X):
    """U, σ, V with X = U diag(σ) Vᵀ."""
    U, sigma, Vt = np.linalg.svd(X, full_matrices=False)
    return U, sigma, Vt.T


def _with_vectors(drawn):
    U, _, V = svd(drawn["X"])
    return drawn | {"U": U, "V": V}


def in_ball(rng, shape):
    """A matrix of spectral norm below 1, of the shape's rank."""
    X = rng.normal(size=(shape.n, shape.rank)) @ rng.normal(size=(shape.rank, shape.d))
    return {"X": rng.uniform(0.3, 1) * X / np.linalg.norm(X, 2)}


def isometry(rng, shape):
    """All singular values are 1 or 0."""
    U, _, V = svd(in_ball(rng, shape)["X"])
    return {"X": U[:, : shape.rank] @ V[:, : shape.rank].T}


def layer(X, tau):
    """The singular pairs above τ, each with value 1."""
    U, sigma, V = svd(X)
    return (U * (sigma > tau)) @ V.T


def integral(f, X):
    """From 0 to 1, of a function that jumps at the singular values only."""
    edges = np.sort([0, *svd(X)[1], 1])
    ends = zip(edges[:-1], edges[1:], strict=True)
    return sum((high - low) * f((low + high) / 2) for low, high in ends)


def pair_of_tables(rng, shape):
    """Two tables of one shape; of X also the singular vectors."""
    return _with_vectors({"X": rng.normal(size=(shape.n, shape.d)), "Y": rng.normal(size=(shape.n, shape.d))})


def pair_that_agrees(rng, shape):
    """Y turns every singular direction of X alike."""
    drawn = pair_of_tables(rng, shape)
    return drawn | {"Y": 1.7 * drawn["U"] @ drawn["V"].T}


def full_table(rng, shape):
    """A table F, what shrinking its singular values makes of it, and a rival Z."""
    F, lam = 3 * rng.normal(size=(shape.n, shape.d)), rng.uniform(0.5, 3)
    U, sigma, V = svd(F)
    shrunk = (U * np.maximum(sigma - lam, 0)) @ V.T
    return {"F": F, "Z_hat": shrunk, "Z": rng.normal(size=F.shape), "lam": lam}


def shrunk_table(rng, shape):
    """The same, where the rival is the best one."""
    drawn = full_table(rng, shape)
    return drawn | {"Z": drawn["Z_hat"]}


def factors(rng, shape):
    """Two factors of rank r."""
    r = min(2, shape.n, shape.d)
    G, H = rng.normal(size=(shape.n, r)), rng.normal(size=(shape.d, r))
    return {"G": G, "H": H, "r": r, "m": shape.n, "n": shape.d}


def moves(G, H):
    """How G Hᵀ changes with each number of G and of H: one flattened matrix a row."""
    by_G = [np.outer(e, b) for e in np.eye(len(G)) for b in H.T]
    by_H = [np.outer(a, e) for e in np.eye(len(H)) for a in G.T]
    return np.array(by_G + by_H).reshape(len(by_G) + len(by_H), -1)


def blocks(rng, shape):
    """W₁, X, W₂: the blocks of a positive semidefinite matrix."""
    G = rng.normal(size=(shape.n + shape.d, shape.n + shape.d))
    M, n = G @ G.T, shape.n
    return _with_vectors({"W1": M[:n, :n], "X": M[:n, n:], "W2": M[n:, n:]})


def least_blocks(rng, shape):
    """Those of the smallest trace for their X."""
    U, sigma, V = svd(rng.normal(size=(shape.n, shape.d)))
    return _with_vectors({"W1": (U * sigma) @ U.T, "X": (U * sigma) @ V.T, "W2": (V * sigma) @ V.T})


def tangent(Z, U, V):
    """The part of Z (or of each in a stack) that turning the columns or rows of U Vᵀ can reach."""
    P, Q = U @ U.T, V @ V.T
    return P @ Z + Z @ Q - P @ Z @ Q


def filling(rng):
    """A table of rank 1, a certificate for it, and another filling of the blanks."""
    while True:
        X, seen = np.outer(rng.normal(size=7), rng.normal(size=5)), rng.uniform(size=(7, 5)) < 0.8
        U, _, V = svd(X)
        u, v = U[:, :1], V[:, :1]
        entries = np.eye(X.size)[seen.ravel()].reshape(-1, *X.shape)
        parts = tangent(entries, u, v).reshape(len(entries), -1)
        Y = np.zeros(X.shape)
        Y[seen] = np.linalg.lstsq(parts.T, (u @ v.T).ravel(), rcond=None)[0]
        if np.linalg.norm(Y, 2) < 1 + 1e-9 and np.isclose((Y * X).sum(), np.linalg.norm(X, "nuc")):
            return {"X": X, "Y": Y, "Z": np.where(seen, X, rng.normal(size=(7, 5)))}


def filling_again(rng):
    """The same, where the other filling is the table itself."""
    drawn = filling(rng)
    return drawn | {"Z": drawn["X"]}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS


def show_samplings(t, waves, guesses):
    """One tone, looked at at several rates, a dict rate → the slowest tone through the samples."""
    fig, axs = figure(len(guesses), width=10, height=2.7, sharey=True)
    for ax, (rate, guess) in zip(axs, guesses.items(), strict=True):
        at = np.arange(rate + 1) / rate
        ax.plot(t, np.sin(2 * np.pi * waves * t), color=BLUE, linewidth=1, label="the tone")
        ax.plot(t, guess, "--", color=RED, label="slowest through the dots")
        ax.plot(at, np.sin(2 * np.pi * waves * at), "o", color=BLACK, markersize=5, label="what you see")
        ax.set(title=f"{rate} a second", xlabel="seconds")
    handles, labels = axs[0].get_legend_handles_labels()
    fig.legend(handles, labels, ncols=3, loc="outside upper center", fontsize=9, frameon=False)
    largest = np.abs(np.sin(2 * np.pi * waves * np.arange(2 * waves + 1) / (2 * waves))).max()
    show(
        fig,
        f"A tone of {waves} waves per second. The slowest tone through the dots is the tone itself at rate "
        f"8, an alias of 1 wave at rate 4; at rate 6 every sample is {largest:.0f}.",
    )


def show_cone(g):
    """In the plane, at s = (1, 0): where L1 falls, the subgradients, and g split between both cones."""
    fig, ax = figure(width=6.5, height=3.4)
    along = max((g[0] + abs(g[1])) / 2, 0) * np.array([1, np.sign(g[1])])  # the nearest point, if outside
    ax.fill([0, -2, -2], [0, 2, -2], color=SKY, alpha=0.4, linewidth=0)
    ax.fill([0, 2, 2], [0, 2, -2], color=ORANGE, alpha=0.3, linewidth=0)
    ax.plot([1, 1], [-1, 1], color=RED, linewidth=3)
    for tip, colour in ((g, BLACK), (along, RED), (g - along, BLUE)):
        ax.annotate("", tip, (0, 0), arrowprops=dict(arrowstyle="->", color=colour, linewidth=1.8))
    for start in (along, g - along):
        ax.plot(*np.transpose([start, g]), ":", color=BLACK, linewidth=1)
    ax.text(g[0] + 0.06, g[1] + 0.04, "g")
    ax.text(-1.95, -0.1, "here L1 falls", color=BLUE)
    ax.text(1.06, -0.1, "subgradients", color=RED, fontsize=9)
    ax.text(1.06, -0.4, "and multiples", color=RED, fontsize=9)
    ax.set(xlim=(-2, 2), ylim=(-1.4, 1.6), aspect="equal", xlabel="the nonzero", ylabel="the zero")
    show(
        fig,
        f"Steps away from a code with one nonzero of two: a cone where L1 falls, and the subgradients (their "
        f"multiples: the other cone). g is the sum of a part in each, at right angles; squared lengths "
        f"{along @ along:.2f} and {(g - along) @ (g - along):.2f}, together {g @ g:.2f}.",
    )


def show_layers(X, sigma, layers):
    """The rank of the layers as stairs; the table and some of its layers."""
    fig, axs = figure(2 + len(layers), width=10.5, height=2.7, width_ratios=(2.4, 1, *[1] * len(layers)))
    edges = np.concatenate([[0], np.sort(sigma), [1]])
    heights = [(sigma > (a + b) / 2).sum() for a, b in zip(edges[:-1], edges[1:], strict=True)]
    axs[0].stairs(heights, edges, fill=True, color=SKY, alpha=0.6)
    axs[0].stairs(heights, edges, color=BLUE)
    axs[0].set(xlabel="threshold τ", ylabel="rank of the layer", yticks=range(len(sigma) + 1), xlim=(0, 1))
    axs[0].annotate(f"area {sigma.sum():.1f}", (0.18, 0.8))
    reach = np.abs(np.array(list(layers.values()))).max()
    titles = ["X", *(f"τ = {tau}" for tau in layers)]
    grid_of_images(axs[1:], [X, *layers.values()], titles, -reach, reach, "PuOr_r")
    show(
        fig,
        f"A table with singular values {', '.join(map(str, sigma))}: the rank of its layers falls in steps; "
        f"the area is {sigma.sum():.1f}, its nuclear norm. Right: the table, and three layers.",
    )


def show_envelope(t):
    """The rank of a 1 × 1 matrix and the largest convex function below it."""
    fig, ax = figure(width=6.5, height=2.9)
    ax.plot([-1, -0.02], [1, 1], color=BLACK, linewidth=2, label="rank")
    ax.plot([0.02, 1], [1, 1], color=BLACK, linewidth=2)
    ax.plot(0, 0, "o", color=BLACK)
    ax.plot(t, np.abs(t), "-", color=BLUE, label="nuclear norm: the envelope")
    ax.plot(t, t**2, "--", color=RED, label="its square: lower here")
    ax.set(xlabel="the only entry of a 1 × 1 matrix", ylim=(-0.05, 1.15))
    ax.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    show(
        fig,
        "Rank is 1 but for the dot at 0. No convex function below it lies above the nuclear norm; at "
        f"{t[50]:.1f} "
        f"that is {np.abs(t[50]):.1f}, its square {t[50] ** 2:.2f}.".replace(" -", " −"),
    )


def pairs(k):
    """The matrix that turns k numbers into the sums of their pairs, then the differences, over √2."""
    one = np.eye(k)
    return np.vstack([one[::2] + one[1::2], one[::2] - one[1::2]]) / np.sqrt(2)


def haar(Z):
    """Haar's wavelet coefficients of a square picture whose side is a power of 2."""
    W, k = Z.copy(), len(Z)
    while k > 1:
        W[:k, :k] = pairs(k) @ W[:k, :k] @ pairs(k).T
        k //= 2
    return W


def haar_back(W):
    """The picture that has these coefficients."""
    Z, k = W.copy(), 2
    while k <= len(W):
        Z[:k, :k] = pairs(k).T @ Z[:k, :k] @ pairs(k)
        k *= 2
    return Z
