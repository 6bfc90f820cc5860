"""Figures of chapter 6: recovery from few observations.

Draws for the derivations of chapter 6: signals, columns, null vectors, tables; and what ties a bound.

Beside the draws stand what the lines are computed with: `svd`, a `layer`, its `integral`, what `moves` a
product of factors, what is `tangent` to a table; and three fixed cases that meet a bound.
"""

import numpy as np

from helpers.methods.sparse_recovery import restricted_isometry_constant
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, show

__all__ = [
    "atoms",
    "blocks",
    "code_and_prices",
    "code_and_step",
    "columns",
    "factors",
    "filling",
    "filling_again",
    "full_table",
    "in_ball",
    "isometry",
    "least_blocks",
    "measured",
    "no_better_code",
    "null_vector",
    "optimal_code",
    "outcomes",
    "pair_of_tables",
    "pair_that_agrees",
    "shrunk_table",
    "signs",
    "step_against",
    "step_to_the_limit",
    "tones",
    "two_codes",
    "worst_code",
]

# ---- what the derivations draw at random


# ---- signals and their measurements


def tones(rng):
    """A tone of f waves, and a sample's number j at the rate r."""
    rate = rng.uniform(2, 9)
    return {"f": rng.uniform(0, rate), "r": rate, "j": int(rng.integers(-20, 20)), "pi": np.pi}


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
GREY = "#999999"


def show_compressed(photo, tenth):
    """A photograph, and the same from a tenth of its coefficients."""
    fig, axs = figure(2, width=8, height=3.2)
    grid_of_images(axs, [photo, tenth], ["left", "right"], vmin=0, vmax=1)
    lost, contrast = (
        np.linalg.norm(tenth - photo) / np.linalg.norm(Z) for Z in (photo, photo - photo.mean())
    )
    show(
        fig,
        f"One is made of {photo.size:,} numbers, the other of a tenth; they differ by {100 * lost:.0f} % of "
        f"the length, {100 * contrast:.0f} % of the contrast.",
    )


def show_sizes(waves, limit):
    """The sizes of the coefficients, largest first, and where they were cut."""
    fig, ax = figure(width=6.5, height=2.7)
    sizes = np.sort(np.abs(waves).ravel())[::-1]
    ax.loglog(np.arange(1, sizes.size + 1), sizes)
    ax.axvline((sizes > limit).sum(), color=BLACK, linestyle="--", linewidth=1)
    ax.annotate("the cut", ((sizes > limit).sum(), 20), (-6, 0), textcoords="offset points", ha="right")
    ax.set(xlabel="coefficient, largest first", ylabel="its size", ylim=(1e-4, None))
    show(
        fig,
        f"The sizes of all {sizes.size:,} coefficients fall by more than four powers of ten; the largest "
        f"{(sizes > limit).sum():,} stand left of the cut.",
    )


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


def show_measurement(Phi, x, y):
    """y = Φx as three pictures."""
    fig, axs = figure(3, width=7, height=3.3, width_ratios=(1, len(x) / 32, 1))
    reach, middle = 2.5 * Phi.std(), len(y) / 2
    pictures = (y[:, None] / np.abs(y).max(), Phi / reach, x[:, None] / np.abs(x).max())
    for ax, M, name in zip(axs, pictures, ("y", r"$\Phi$", "x"), strict=True):
        width = 7 if M.shape[1] == 1 else len(x)
        extent = (0, width, middle + len(M) / 2, middle - len(M) / 2)
        ax.imshow(M, cmap="PuOr_r", vmin=-1, vmax=1, extent=extent, interpolation="nearest")
        ax.set(ylim=(middle + len(x) / 2, middle - len(x) / 2), xticks=[], yticks=[], frame_on=False)
        ax.set(title=f"{name}: {len(M)}" + (f" × {M.shape[1]}" if M.shape[1] > 1 else ""))
        ax.grid(False)
        ax.set_xlim(width / 2 - max(width / 2, 16), width / 2 + max(width / 2, 16))
    axs[0].set_ylabel(" ")
    axs[1].set_ylabel("=", fontsize=18, rotation=0, labelpad=18, va="center")
    show(fig, f"{len(y)} measurements of {len(x)} numbers: each is a random sum of all of them.")


def show_recovered(x, found, flat, s, code, flat_code):
    """A signal and two reconstructions; their codes."""
    fig, (left, right) = figure(2, width=10, height=3.3)
    left.plot(x, color=BLACK, linewidth=1, label="the signal")
    left.plot(found, "--", color=RED, label="sparsest code")
    left.plot(flat, ":", color=BLUE, label="shortest signal")
    left.set(xlabel="position")
    right.plot(flat_code, ".", color=BLUE, label="shortest signal")
    right.plot(np.flatnonzero(s), code[s != 0], "s", color=RED, label="sparsest code")
    right.set(xlabel="atom", ylabel="coefficient")
    for ax in (left, right):
        ax.legend(fontsize=8, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    off = np.sum((flat - x) ** 2) / np.sum(x**2)
    show(
        fig,
        f"A signal of {len(x)} numbers, from random sums. That with the sparsest code lies on the true one; "
        f"the shortest misses {100 * off:.0f} % of the energy and spreads over all atoms.",
    )


def show_where_nothing_is(seen, wave):
    """What single points see of spikes, and of a wave."""
    fig, axs = figure(2, width=10, height=2.3, sharey=True)
    spikes = np.zeros(len(seen))
    spikes[[11, 47, 62, 90, 113]] = [0.8, -0.6, 1.0, 0.5, -0.9]
    for ax, signal, name in zip(axs, (spikes, wave / np.abs(wave).max()), ("spikes", "a wave"), strict=True):
        ax.vlines(np.arange(len(signal)), 0, signal, color=GREY, linewidth=1)
        ax.plot(np.flatnonzero(seen), signal[seen], "o", color=BLUE, markersize=3)
        ax.set(title=f"{name}: {(np.abs(signal[seen]) > 1e-9).sum()} of {seen.sum()} dots see something")
        ax.set(xlabel="place")
    hit = (np.abs(spikes[seen]) > 0).sum()
    show(
        fig,
        f"{seen.sum()} of {len(seen)} places are seen (dots): of five spikes {hit}, of a wave all.",
    )


def show_line(t, families):
    """Three measures of each code along a line of solutions; a dict name → codes, one a row."""
    fig, rows = figure(2, 2, width=9.5, height=3.8, sharex=True, height_ratios=(3, 1))
    lowest = {}
    for (top, bottom), (name, codes) in zip(rows.T, families.items(), strict=True):
        l1, counts = np.abs(codes).sum(axis=1), (np.abs(codes) > 1e-9).sum(axis=1)
        top.plot(t, l1, "-", color=BLUE, label="sum of sizes, L1")
        top.plot(t, np.sqrt((codes**2).sum(axis=1)), "--", color=RED, label="length, L2")
        top.plot(t[l1.argmin()], l1.min(), "o", color=BLUE, label="least L1")
        top.set(title=name, ylim=(0, 3.4))
        bottom.plot(t, counts, ".", color=GREY, markersize=2)
        bottom.plot(t[counts < 3], counts[counts < 3], "D", color=BLACK, markersize=5)
        bottom.set(xlabel="along the line of solutions", ylim=(0, 3.6), yticks=(1, 2, 3))
        lowest[name] = t[l1.argmin()]
    rows[1, 0].set_ylabel("nonzeros")
    handles, labels = rows[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, ncols=3, loc="outside upper center", fontsize=9, frameon=False)
    show(
        fig,
        "Above L1 and length, below the number of nonzeros, along the line of all solutions. Least L1 is at "
        + ", ".join(f"{at:.1f} ({name})" for name, at in lowest.items())
        + "; the code with one nonzero is at 0.0.",
    )


def show_null_space(ratios, off):
    """How far L1 is off against the ratio that decides."""
    fig, ax = figure(width=7, height=2.9)
    for chosen, marker, name in ((off < 1e-6, MARKERS[0], "found"), (off >= 1e-6, MARKERS[1], "missed")):
        ax.plot(ratios[chosen], off[chosen], marker, markersize=4, linestyle="none", label=name)
    ax.axvline(1, color=BLACK, linewidth=1)
    ax.set(xlabel="ratio of h on the support to h off it (sums of sizes)", ylabel="L1's answer is off by")
    ax.legend(loc="center right")
    show(
        fig,
        f"{len(off)} codes with two nonzeros, five equations, six unknowns. All {(ratios < 1).sum()} with a "
        f"ratio below 1 are found, all {(ratios > 1).sum()} above it are missed.",
    )


def show_prices(pull, support):
    """What each atom earns at the solver's prices."""
    fig, ax = figure(width=8, height=2.7)
    ax.vlines(np.arange(len(pull)), 0, pull, color=GREY, linewidth=1)
    ax.plot(support, pull[support], "o", color=RED, label="atoms of the answer")
    for limit in (-1, 1):
        ax.axhline(limit, color=BLACK, linewidth=1, linestyle="--")
    ax.set(xlabel="atom", ylabel="what it earns", ylim=(-1.25, 1.25))
    ax.legend(loc="lower right", bbox_to_anchor=(1, 1), borderpad=0)
    limit = int((np.abs(pull) > 1 - 1e-7).sum())
    show(
        fig,
        f"Earnings at the solver's prices: all {len(support)} atoms of the answer stand at ±1, and "
        f"{limit - len(support)} more; the largest size is {np.abs(pull).max():.4f}.",
    )


def show_codes(gaps, truth, codes):
    """How fast two methods converge; codes beside the true one, all atoms."""
    fig, (left, right) = figure(2, width=10, height=3.3, width_ratios=(1, 1.5))
    for (name, gap), style in zip(gaps.items(), LINES, strict=False):
        left.semilogy(np.maximum(gap, 1e-12), style, label=name)
    left.set(xlabel="steps", ylabel="objective above its least", ylim=(1e-8, None))
    left.legend()
    right.axhline(0, color=GREY, linewidth=0.5)
    at = np.flatnonzero(truth)
    right.plot(at, truth[at], "_", color=BLACK, markersize=14, markeredgewidth=2, label="truth")
    for (name, code), marker, colour in zip(codes.items(), ("o", "x"), (BLUE, RED), strict=True):
        used = np.flatnonzero(np.abs(code) > 1e-6)
        right.plot(used, code[used], marker, color=colour, markersize=6, label=f"{name}: {len(used)} atoms")
    right.set(xlabel="atom", ylabel="coefficient", xlim=(-3, len(truth) + 2))
    right.legend(fontsize=8, loc="upper right")
    slow = {name: int((gap > 1e-4).sum()) for name, gap in gaps.items()}
    show(
        fig,
        f"Left: within 0.0001 of the minimum after {slow['ISTA']} steps of ISTA, {slow['FISTA']} of FISTA. "
        "Right: codes from noisy measurements. The Lasso's are drawn towards 0, three small ones are false.",
    )


def show_phase(phase):
    """Share of codes recovered for each number of measurements and of nonzeros."""
    fig, axs = figure(3, width=10.5, height=3.6, sharey=True)
    ms, ks, n = phase["measurements"], phase["sparsity"], int(phase["measurements"].max())
    names = {"recovered": "L1", "greedy": "OMP, told k", "equal": "OMP, all nonzeros ±1"}
    for ax, (key, name) in zip(axs, names.items(), strict=True):
        shown = ax.pcolormesh(ms, ks, phase[key], cmap="cividis", vmin=0, vmax=1)
        ax.grid(False)
        ax.set(title=name, xlabel="measurements m", xlim=(ms.min() - 1, ms.max() + 1))
    axs[0].set(ylabel="nonzeros k", ylim=(ks.min() - 0.5, ks.max() + 0.5))
    fig.colorbar(shown, ax=axs, label="share recovered exactly")
    row = int(np.flatnonzero(ks == 10)[0])
    told = [f"{ms[(phase[key][row] >= 0.5).argmax()]} ({name})" for key, name in names.items()]
    low, high = (ms[(phase["recovered"][row] >= share).argmax()] for share in (0.1, 0.9))
    show(
        fig,
        f"{phase['recovered'].size} pairs, 20 codes each, of {n} unknowns: dark where none comes back, "
        f"bright where all do. With 10 nonzeros half do from {', '.join(told)} measurements on; L1 goes "
        f"from 10 to 90 % between {low} and {high}.",
    )


def show_cone(g):
    """In the plane, at s = (1, 0): the directions in which L1 falls, the slopes, and g split between them."""
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
    ax.text(1.06, -0.1, "slopes", color=RED)
    ax.text(1.06, -0.4, "stretched", color=RED)
    ax.set(xlim=(-2, 2), ylim=(-1.4, 1.6), aspect="equal", xlabel="the nonzero", ylabel="the zero")
    show(
        fig,
        f"Steps away from a code with one nonzero of two: a cone where L1 falls, and the slopes (stretched: "
        f"the other cone). g is the sum of a part in each, at right angles; squared lengths "
        f"{along @ along:.2f} and {(g - along) @ (g - along):.2f}, together {g @ g:.2f}.",
    )


def show_patches(tails, errors, rival, patches):
    """Error against the best k-term error for patches of a photograph; the flattest and the roughest."""
    fig, axs = figure(3, width=9.5, height=3.3, width_ratios=(3.2, 1, 1))
    for (eps, off), marker in zip(errors.items(), MARKERS, strict=False):
        name = "L1, no noise" if eps == 0 else f"L1, noise of length {eps}"
        axs[0].plot(tails, off, marker, markersize=5, linestyle="none", label=name)
    axs[0].plot(tails, rival, "x", color=GREEN, markersize=5, label="120 slowest cosines")
    axs[0].set(xlabel=r"what the best 20 of 256 leave, $e_{20}(s) / \sqrt{20}$", ylabel="error")
    axs[0].set(xlim=(0, None), ylim=(0, None))
    axs[0].legend(loc="upper left")
    ends = [int(tails.argmin()), int(tails.argmax())]
    for ax, i, name in zip(axs[1:], ends, ("least tail", "largest tail"), strict=True):
        grid_of_images([ax], [patches[i]], [f"{name}: {tails[i]:.1f}"], vmin=0, vmax=1)
    clean = np.array(errors[0.0])
    show(
        fig,
        f"{len(tails)} patches of 16 × 16 pixels. The error of L1 grows with what the best 20 coefficients "
        f"leave; without noise it is at most {np.max(clean / tails):.2f} times that. Means: L1 "
        f"{clean.mean():.2f}, the 120 slowest cosines {rival.mean():.2f}; L1 is "
        f"better in {(clean < rival).sum()} patches.",
    )


def show_scan(truth, scans, trial):
    """A picture, and what comes back from four scans: a dict name → (picture, which coefficients)."""
    fig, axs = figure(len(scans) + 1, 3, width=10.5, height=6.6)
    pictures = [truth, *(Z for Z, _ in scans.values())]
    names = ["the drawing", *scans]
    grid_of_images(axs[0], pictures, [n.replace(", ", ",\n") for n in names], vmin=0, vmax=1)
    wrong = [np.abs(Z - truth) for Z in pictures]
    grid_of_images(axs[1], wrong, ["", *["how far off"] * len(scans)], vmin=0, vmax=0.4)
    masks = [np.fft.fftshift(seen) for _, seen in scans.values()]
    grid_of_images(axs[2], [np.ones(truth.shape), *masks], ["", *["measured"] * len(masks)], vmin=0, vmax=1)
    for ax in axs[1:, 0]:
        ax.set_visible(False)
    told = ", ".join(f"{trial.mean(name):.2f} ({name})" for name in scans)
    show(
        fig,
        f"A drawing of 128 × 128, a quarter of its Fourier coefficients measured. Error, as a share of the "
        f"contrast: {told}.",
    )


def show_block(table, rest):
    """A table of rank 2; what two rows and columns tell of the rest."""
    fig, axs = figure(3, width=9, height=2.9)
    blank = table.copy()
    blank[2:, 2:] = np.nan
    filled = table.copy()
    filled[2:, 2:] = rest
    reach = np.abs(table).max()
    titles = ("what you see", "what follows", "the table")
    for ax, M, title in zip(axs, (blank, filled, table), titles, strict=True):
        ax.set_facecolor("#dddddd")
        ax.imshow(M, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
        ax.set(title=title, xticks=[], yticks=[])
        ax.grid(False)
        ax.plot([1.5, 1.5], [-0.5, 7.5], color=BLACK, linewidth=1)
        ax.plot([-0.5, 5.5], [1.5, 1.5], color=BLACK, linewidth=1)
    show(
        fig,
        f"Two rows and two columns of a table of rank 2 (grey: not seen) tell all {rest.size} other entries.",
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


def show_completion(filling, rows, columns):
    """Share of tables restored for each rank and each share seen, with two borders that nobody passes."""
    fig, ax = figure(width=8, height=3.6)
    ranks, shares = filling["ranks"], 100 * filling["shares"]
    back = (filling["error"] < 1e-4).mean(axis=2)
    shown = ax.pcolormesh(shares, ranks, back, cmap="cividis", vmin=0, vmax=1)
    dof = 100 * ranks * (rows + columns - ranks) / (rows * columns)
    short = (filling["fewest"] < ranks[:, None, None]).mean(axis=2)
    enough = [shares[(row < 0.5).argmax()] for row in short]
    for x, style, name in (
        (dof, "--", "degrees of freedom"),
        (enough, "-o", "r entries in every row, column"),
    ):
        ax.plot(x, ranks, style, color="white", linewidth=4, markersize=5)
        ax.plot(x, ranks, style, color=RED, linewidth=2, markersize=4, label=name)
    ax.grid(False)
    ax.set(xlabel="entries seen (%)", ylabel="rank", yticks=ranks)
    ax.legend(loc="lower right")
    fig.colorbar(shown, ax=ax, label="share of tables restored")
    need = {int(r): shares[(row > 0.5).argmax()] for r, row in zip(ranks, back, strict=True)}
    show(
        fig,
        f"Tables of {rows} × {columns}, {filling['error'].shape[2]} for each pair; ALS, told the rank, at "
        f"most 300 sweeps. Most come back (to 0.0001) from {need[1]:g} % on for rank 1, {need[2]:g} % "
        f"for rank 2, {need[8]:g} % for rank 8.",
    )


def show_penalties(lams, given, held_out, never, error_bar, as_good):
    """Errors for each penalty, with the standard error of what each loses to the best (the same ratings)."""
    fig, ax = figure(width=7, height=3.1)
    ax.semilogx(lams, given, ":", color=BLACK, label="ratings it was given")
    ax.semilogx(lams, held_out, "-o", color=BLUE, label="held out, ± paired error")
    ax.fill_between(lams, held_out - error_bar, held_out + error_bar, color=BLUE, alpha=0.2, linewidth=0)
    ax.semilogx(lams, never, "--", color=RED, label="never given")
    ax.set(xlabel="λ", ylabel="error (stars)", ylim=(0, 1.35))
    ax.legend(loc="center left")
    show(
        fig,
        f"Ratings filled with {len(lams)} penalties. Held-out ratings are nearest at λ = "
        f"{lams[held_out.argmin()]:.1f}, but within the standard error of the difference (the same ratings) "
        f"anything from {as_good.min():.1f} to {as_good.max():.1f} is as good; at {lams[-1]:.0f} the loss is "
        f"{held_out[-1] - held_out.min():.2f} ± {error_bar[-1]:.2f}.",
    )


def show_ratings(stars, seen, filled):
    """Ratings that are known, the table filled, and what everybody would have said."""
    fig, axs = figure(3, width=10, height=4.3)
    panels = (np.where(seen, stars, np.nan), filled, stars)
    names = (f"{100 * seen.mean():.0f} % are known", "filled", "what they would say")
    for ax, M, name in zip(axs, panels, names, strict=True):
        ax.set_facecolor("#dddddd")
        shown = ax.imshow(M, cmap="cividis", vmin=1, vmax=5)
        ax.set(title=name, xlabel="film", xticks=[], yticks=[])
        ax.grid(False)
    axs[0].set_ylabel("person")
    fig.colorbar(shown, ax=axs, label="stars", shrink=0.8)
    off = np.sqrt(((filled - stars)[~seen] ** 2).mean())
    show(
        fig,
        f"Sixty people, forty films (grey: not rated). Filled, it is {off:.2f} stars off on the "
        f"{(~seen).sum()} ratings that nobody gave.",
    )


def show_holes(photo, pictures, hidden, holes):
    """A photograph with holes and three fillings, with a detail; their errors over five sets of holes."""
    fig, axs = figure(len(pictures), 2, width=10.5, height=4.6, height_ratios=(3, 4))
    off = {name: np.sqrt(((Z - photo)[hidden] ** 2).mean()) for name, Z in pictures.items()}
    titles = [name if i == 0 else f"{name}: {off[name]:.3f}" for i, name in enumerate(pictures)]
    grid_of_images(axs[0], list(pictures.values()), titles, vmin=0, vmax=1)
    grid_of_images(axs[1], [Z[60:120, 90:160] for Z in pictures.values()], vmin=0, vmax=1)
    mean, spread = holes["error"].mean(axis=0), holes["error"].std(axis=0, ddof=1)
    names = list(pictures)[1:]
    told = [
        f"{share} seen: " + ", ".join(f"{n} {a:.3f}" for n, a in zip(names, m, strict=True))
        for share, m in zip(("50 %", "30 %"), mean, strict=True)
    ]
    regions = ((slice(170, None), "sky"), (slice(170), "palace"))
    parts = [
        f"{part}: " + ", ".join(f"{n} {_rms(pictures[n] - photo, hidden, at):.3f}" for n in names)
        for at, part in regions
    ]
    show(
        fig,
        "Root mean square error on the holes, mean of five sets of holes (spread at most "
        f"{spread.max():.3f}). {'; '.join(told)}. Shown, with a detail: one set, 50 % seen; of it, "
        f"{'; '.join(parts)}.",
    )


def _rms(error, hidden, columns):
    return np.sqrt((error[:, columns][hidden[:, columns]] ** 2).mean())


def show_lost_rows(photo, lost, pictures):
    """A detail of a photograph with some rows blank, and two fillings."""
    fig, axs = figure(1 + len(pictures), width=10, height=1.8)
    shown = {"six rows lost": np.where(lost, 0, photo), **pictures}
    grid_of_images(axs, [Z[70:120, 60:190] for Z in shown.values()], list(shown), vmin=0, vmax=1)
    off = {name: np.sqrt(((Z - photo)[lost] ** 2).mean()) for name, Z in pictures.items()}
    told = ", ".join(f"{name} {e:.2f}" for name, e in off.items())
    show(fig, f"Six whole rows blank. Error on them: {told}.")


def show_certificates(proofs):
    """A dict share seen → (certificate, its singular values)."""
    fig, axs = figure(2 * len(proofs), width=10.5, height=2.6, width_ratios=[1, 1.3] * len(proofs))
    for (share, (Y, values)), left, right in zip(proofs.items(), axs[::2], axs[1::2], strict=True):
        blank, reach = np.where(Y == 0, np.nan, Y), np.abs(Y).max()
        grid_of_images([left], [blank], [f"{100 * share:.0f} % seen"], -reach, reach, "PuOr_r")
        left.set_facecolor("#dddddd")
        right.bar(np.arange(1, 7), values[:6], color=[BLUE if v < 1 + 1e-9 else RED for v in values[:6]])
        right.axhline(1, color=BLACK, linewidth=1, linestyle="--")
        right.set(ylim=(0, max(2, 1.05 * values[0])), xticks=[1, 6], xlabel="singular value")
    told = "; ".join(f"{100 * s:.0f} % seen: {v[0]:.2f}, {v[1]:.2f}" for s, (_, v) in proofs.items())
    show(
        fig,
        "Candidates for a proof (grey: blanks, where they are 0), with their singular values. Largest two: "
        f"{told}.",
    )


def show_lengths(lengths):
    """How squared distances change under random sums: a dict number of sums → ratios."""
    fig, ax = figure(width=7.5, height=3)
    bins = np.linspace(0, 2.6, 66)
    for (m, ratio), colour, style in zip(lengths.items(), COLOURS, LINES, strict=False):
        ax.hist(ratio, bins, histtype="step", color=colour, linestyle=style, linewidth=1.8, label=f"{m} sums")
    ax.axvline(1, color=BLACK, linewidth=1)
    ax.set(xlabel="squared distance after : before", ylabel="pairs of faces")
    ax.legend()
    told = ", ".join(f"{m} sums: {ratio.mean():.2f} ± {ratio.std():.2f}" for m, ratio in lengths.items())
    show(
        fig,
        f"{len(next(iter(lengths.values())))} distances between faces of 625 pixels, after : before, mean "
        f"and spread. {told}. One matrix measures all pairs, so they shift together.",
    )
