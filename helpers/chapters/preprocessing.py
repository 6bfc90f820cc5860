"""Figures of chapter 5: the field book, blanks and what fills them, codes, buckets, scales.

Draws for the derivations of chapter 5: blocks of rows, columns with holes, names, boundaries, valleys.
"""

from itertools import product

import numpy as np
from scipy.spatial.distance import cosine

from helpers.derivation import samples
from helpers.plotting import COLOURS, GREY, LINES, MARKERS, figure, show

# ---- what the derivations draw at random


MOMENTS = {  # the functions s², cov and corr of the notation table
    "variance": lambda f: np.var(f, ddof=1),
    "cov": lambda f, g: np.cov(f, g)[0, 1],
    "corr": lambda f, g: np.corrcoef(f, g)[0, 1],
}


def table(rng, shape):
    """A table, and the standard deviations of its columns."""
    X = samples(rng, shape)
    return {"X": X, "n": shape.n, "d": shape.d, "deviations": X.std(axis=0)}


def regression(rng, shape):
    """A table of full rank with answers, whole and cut into three blocks of rows."""
    n = shape.n + shape.d + 3
    X = rng.normal(size=(n, shape.d)) + shape.mean * rng.normal(size=shape.d)
    y = X.sum(axis=1) + rng.normal(size=n)
    cut = [1, n // 2]
    return {
        "X": X,
        "y": y,
        "n": n,
        "d": shape.d,
        "w": np.linalg.lstsq(X, y)[0] + rng.normal(size=shape.d),
        "tables": np.split(X, cut),
        "answers": np.split(y, cut),
    }


def mean_filled(x, seen):
    """The column with its blanks filled by the mean of what is seen."""
    return np.where(seen == 1, x, x[seen == 1].mean())


def holes(rng, shape):
    """Two related columns, and where the first is seen."""
    n = shape.n + 3
    x = rng.normal(size=n) + shape.mean
    seen = rng.permutation(np.arange(n) < rng.integers(3, n)).astype(float)
    y = x + rng.normal(size=n) + shape.mean
    there = np.array([x, y])[:, seen == 1]
    return {
        "x": x,
        "y": y,
        "n": n,
        "seen": seen,
        "x_tilde": mean_filled(x, seen),
        "mean_seen": there[0].mean(),
        "var_seen": np.var(there[0], ddof=1),
        "cov_seen": np.cov(there)[0, 1],
    } | MOMENTS


def fit(rng, shape):
    """A column, and its least-squares fit from others."""
    n = shape.n + shape.d + 3
    X = np.column_stack([np.ones(n), rng.normal(size=(n, shape.d))])
    x = X.sum(axis=1) + 3 * rng.normal(size=n) + shape.mean
    return {"x": x, "n": n, "x_hat": X @ np.linalg.lstsq(X, x)[0]} | MOMENTS


def pooled(rng):
    """Independent errors of M tables, of the real one and its own: all their signs, equally likely."""
    M, B, U = int(rng.integers(2, 6)), rng.uniform(0.1, 2), rng.uniform(0.1, 2)
    signs = np.array(list(product([-1.0, 1.0], repeat=M + 2))).T  # (M + 2, outcomes)
    errors = np.sqrt(B) * signs[:-1]
    return {"M": M, "B": B, "U": U, "tables": errors[:M], "real": errors[M], "own": np.sqrt(U) * signs[-1]}


def of_all_errors(M, B, U):
    """The variance of (δ_1 + … + δ_M)/M - δ_0 - u, from the variance of each term."""
    weights, variances = np.array([1 / M] * M + [-1, -1]), np.array([B] * (M + 1) + [U])
    return (weights**2 * variances).sum()


def two_names(rng, shape):
    """The numbers of two different names among K, counted from 1."""
    K = shape.d + 2
    i, j = rng.choice(K, size=2, replace=False) + 1
    return {"i": int(i), "j": int(j), "K": K}


def _phi(t):
    return -t * np.log2(t) if t > 0 else 0.0


def _asked(is_a, y):
    """The joint shares of classes and answers; the first answer is yes."""
    joint = np.array([[((y == c) & (is_a == answer)).mean() for answer in (1, 0)] for c in np.unique(y)])
    return {"is_a": is_a, "y": y, "joint": joint, "phi": _phi}


def question(rng, shape):
    """Is the name a? And two or three classes that depend on it."""
    is_a = np.r_[1, 0, rng.uniform(size=shape.n + 8) < 0.3].astype(int)
    return _asked(is_a, rng.integers(0, 3, size=len(is_a)) * (rng.uniform(size=len(is_a)) < 0.6) + is_a)


def decided(rng, shape):
    """Two classes, of which one is just the name a."""
    is_a = question(rng, shape)["is_a"]
    return _asked(is_a, is_a.copy())


def buckets(rng, shape):
    """Boundaries, a number, the heights of the buckets and the number's bits."""
    edges, a = np.sort(rng.normal(size=shape.d)), rng.normal()
    w = rng.normal(size=shape.d + 1)
    bits = (np.arange(len(w)) == (edges <= a).sum()).astype(float)
    return {
        "a": a,
        "edges": edges,
        "M": shape.d,
        "w": w,
        "x_prime": bits,
        "height": lambda k: w[int(k)],
    }


def column(rng):
    """A column far from 0, its deviation, and a number to divide by."""
    v = 20 * rng.normal() + rng.uniform(0.1, 9) * rng.normal(size=12)
    return {"v": v, "n": len(v), "c": rng.uniform(0.5, 5), "deviation": v.std()}


def valley(rng, shape):
    """Second derivatives of a loss: symmetric, all eigenvalues above 0."""
    B = rng.normal(size=(shape.d + 1, shape.d + 3))
    return {"A": B @ B.T, "d": shape.d + 1}


def worst_of_a_step(A):
    """The largest stretch of I - η A, by its singular values."""
    lam = np.linalg.eigvalsh(A)
    return np.linalg.svd(np.eye(len(A)) - 2 / (lam[0] + lam[-1]) * A, compute_uv=False)[0]


def _similarity(x, y):
    return 1 - cosine(x, y)


def two_rows(rng, shape):
    """Two rows of any length, and a function that gives the cosine of their angle."""
    x, y = rng.normal(size=shape.d + 1), rng.normal(size=shape.d + 1) + shape.mean
    return {"x": x, "y": y, "d": shape.d + 1, "cosine": _similarity}


def distance_of_units(x, y):
    """The squared distance of two rows, each divided by its length."""
    return ((x / np.sqrt(x.dot(x)) - y / np.sqrt(y.dot(y))) ** 2).sum()


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
PALE = "#dddddd"


def show_thresholds(image, read):
    """A digit cut at each threshold, and the accuracy; threshold → accuracy."""
    fig, axs = figure(len(read) + 1, width=9, height=2, width_ratios=None)
    axs[0].imshow(image.reshape(8, 8), cmap="Greys")
    axs[0].set_title("grey values")
    for ax, (threshold, accuracy) in zip(axs[1:], read.items(), strict=True):
        ax.imshow(image.reshape(8, 8) > threshold, cmap="Greys", vmin=0, vmax=1)
        ax.set_title(f"> {threshold}: {100 * accuracy:.0f} %")
    for ax in axs:
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    best = max(read, key=read.get)
    show(
        fig,
        f"A three, cut at {len(read)} thresholds, and how often Bernoulli naive Bayes reads the held-out "
        "digits: best "
        f"at {best}, {100 * read[best]:.0f} %.",
    )


def show_slivers(town, gains, depths, right_at):
    """Bits told by the town and by one question; held-out accuracy against depth, code → (seeds, depths)."""
    fig, (left, right) = figure(2, width=9.5, height=3.2, width_ratios=(1, 1.8))
    left.bar(["the town", "“is it town 7?”"], [town, gains[7]], color=[BLUE, RED])
    left.bar_label(left.containers[0], fmt="%.2f")
    left.set(ylabel="bits told about buying", ylim=(0, 1.15))
    for k, (name, runs) in enumerate(right_at.items()):
        mean, spread = 100 * runs.mean(axis=0), 100 * runs.std(axis=0, ddof=1)
        right.plot(depths, mean, color=COLOURS[k], linestyle=LINES[k], marker=MARKERS[k], label=name)
        right.fill_between(
            depths, mean - spread, np.minimum(mean + spread, 100), color=COLOURS[k], alpha=0.15
        )
    right.set(xlabel="depth that the tree may have", ylabel="right, held out (%)", ylim=(48, 104))
    right.legend(fontsize=9, loc="lower right")
    bits, number = (100 * right_at[name].mean(axis=0) for name in ("a bit each", "a number each"))
    six = list(depths).index(6)
    show(
        fig,
        f"The town tells {town:.2f} bits, a question about one town {gains.max():.3f}. Held out, "
        f"{len(runs)} draws: bits {bits[six]:.0f} % at depth 6, {bits[-1]:.0f} % at {depths[-1]}; numbers "
        f"{number[six]:.0f} and {number[-1]:.0f} %.",
    )


def show_walks(walks, conditions):
    """First steps of gradient descent on level sets, and the errors; name → (path, A, goal)."""
    fig, axs = figure(3, width=9.8, height=3.6)
    for k, (ax, (name, (path, A, goal))) in enumerate(zip(axs, walks.items(), strict=False)):
        steps = path[:13]
        reach = 1.25 * np.abs(steps - goal).max(axis=0)
        U, V = np.meshgrid(*(np.linspace(g - r, g + r, 120) for g, r in zip(goal, reach, strict=True)))
        E = np.stack([U - goal[0], V - goal[1]], axis=-1)
        ax.contour(
            U, V, np.sqrt(np.einsum("abi,ij,abj->ab", E, A, E)), levels=9, colors="#bbbbbb", linewidths=0.8
        )
        ax.plot(*steps.T, "-o", markersize=3, linewidth=1.2, color=COLOURS[k])
        ax.plot(*goal, "*", markersize=13, color=BLACK)
        ax.set(title=f"{name}: 12 of {len(path) - 1} steps", xlabel="weight of the flipper")
        ax.tick_params(labelsize=8)
        error = np.linalg.norm(path - goal, axis=1) / np.linalg.norm(goal)
        axs[2].semilogy(error, color=COLOURS[k], linestyle=LINES[k], label=name)
        rate = (conditions[k] - 1) / (conditions[k] + 1)
        worst = error[0] * rate ** np.arange(len(error))
        axs[2].semilogy(worst, color=GREY, linestyle=":", label="at worst (5.16)" if k else None)
    axs[0].set_ylabel("weight of the bill depth")
    axs[2].set(xlabel="step", title="error left", ylim=(3e-7, 30))
    axs[2].legend(fontsize=8, loc="upper right")
    told = ", ".join(
        f"{name} {len(path) - 1} (condition {condition:.1f})"
        for (name, (path, *_)), condition in zip(walks.items(), conditions, strict=True)
    )
    show(
        fig,
        "Gradient descent to the same fit (star; axes of unlike units). Steps until a millionth is left: "
        f"{told}.",
    )


def show_light(dim, unit, accuracy):
    """Pictures in their own light and made of length one, and what five neighbours read."""
    fig, axs = figure(len(dim), 2, width=9, height=2.7)
    for pictures, row in ((dim, axs[0]), (unit, axs[1])):
        for picture, ax in zip(pictures, row, strict=True):
            ax.imshow(picture.reshape(8, 8), cmap="Greys", vmin=0, vmax=16 if pictures is dim else unit.max())
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
    axs[0, 0].set_ylabel("as seen", fontsize=9)
    axs[1, 0].set_ylabel("length one", fontsize=9)
    told = ", ".join(f"{name} {100 * v:.0f} %" for name, v in accuracy.items())
    show(
        fig,
        f"{len(dim)} digits, each in its own light, and below made of length one. Five neighbours read: "
        f"{told}.",
    )
