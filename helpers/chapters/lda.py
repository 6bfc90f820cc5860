"""Figures of chapter 3: LDA, CCA, ICA, and features of pictures.

Draws for the derivations of chapter 3: classes of unequal size and shape, two views, discrete sources.

Beside the draws stand the ``tight`` ones, in which a bound is met.
"""

import numpy as np
from scipy.linalg import sqrtm
from scipy.stats import multivariate_normal

from helpers.derivation import orthonormal
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, scatter_classes, show

# ---- what the derivations draw at random


def _spd(rng, d):
    """A symmetric, positive definite matrix without structure."""
    A = rng.normal(size=(d, d + 2))
    return A @ A.T


def _root(S):
    return sqrtm(S).real


def labelled(rng, shape):
    """Samples in rows of three unequal classes; their shares, means, covariances; each row's class mean."""
    n, d = shape.n + 8, shape.d
    y = np.r_[0, 0, 1, 1, 2, 2, rng.choice(3, size=n - 6, p=[0.6, 0.3, 0.1])]
    drift = 2 * rng.normal(size=(3, d)) + shape.mean
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + drift[y]
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    covs = np.array([np.cov(X[y == c], rowvar=False, bias=True).reshape(d, d) for c in range(3)])
    p = np.bincount(y) / n
    return {"X": X, "M": means[y], "p": p, "means": means, "covs": covs, "n": n, "d": d, "C": 3}


def mixture(rng, shape):
    """Three classes by share, mean and covariance alone; their scatters; a sample and an axis."""
    d, p = shape.d, rng.dirichlet([3, 2, 1])
    means = rng.normal(size=(3, d)) + shape.mean
    covs = np.array([_spd(rng, d) for _ in p])
    gaps = means - p @ means
    scatters = {"S_w": np.einsum("c,cij->ij", p, covs), "S_b": (gaps.T * p) @ gaps}
    return {
        "p": p,
        "means": means,
        "covs": covs,
        "d": d,
        "C": 3,
        "x": rng.normal(size=d) + shape.mean,
        "w": rng.normal(size=d),
        **scatters,
    }


def fishers_axis(rng, shape):
    """The same with the best direction for the first two classes."""
    drawn = mixture(rng, shape)
    (a, b), (A, B) = drawn["means"][:2], drawn["covs"][:2]
    return drawn | {"w": np.linalg.solve(A + B, a - b)}


def _axes(drawn):
    """All axes, the largest quotient first, by whitening with a Cholesky factor."""
    L = np.linalg.cholesky(drawn["S_w"])
    half = np.linalg.solve(L, drawn["S_b"])
    V = np.linalg.eigh(np.linalg.solve(L, half.T))[1][:, ::-1]
    return np.linalg.solve(L.T, V)


def best_axis(rng, shape):
    """A mixture with the axis of the largest quotient."""
    drawn = mixture(rng, shape)
    return drawn | {"w": _axes(drawn)[:, 0]}


def _with_frame(drawn, W):
    U, R = np.linalg.qr(_root(drawn["S_w"]) @ W)
    return drawn | {"W": W, "U": U, "R": R, "k": W.shape[1]}


def frames(rng, shape):
    """A mixture, k axes, and their QR factors after whitening."""
    drawn = mixture(rng, shape)
    return _with_frame(drawn, rng.normal(size=(shape.d, min(2, shape.d))))


def best_frame(rng, shape):
    """A mixture with a mixed-up basis of the k best axes."""
    drawn, k = mixture(rng, shape), min(2, shape.d)
    return _with_frame(drawn, _axes(drawn)[:, :k] @ rng.normal(size=(k, k)))


def rotated(rng, shape):
    """A scatter, its eigenvectors and eigenvalues, and any rotation."""
    S = _spd(rng, shape.d)
    lam, P = np.linalg.eigh(S)
    return {"S_w": S, "P": P, "Lam": np.diag(lam), "Q": orthonormal(rng, shape.d, shape.d), "d": shape.d}


def log_odds(p, means, S_w, x):
    """ln of share times density, of the first class over the second; densities by SciPy."""
    logs = [np.log(a) + multivariate_normal(m, S_w).logpdf(x) for a, m in zip(p[:2], means[:2], strict=True)]
    return logs[0] - logs[1]


def views(rng):
    """Two views of forty samples, their covariances, and a direction in each."""
    a, b = rng.integers(2, 5, size=2)
    shared = rng.normal(size=(40, 2))
    X1 = shared @ rng.normal(size=(2, a)) + rng.normal(size=(40, a)) + 3
    X2 = shared @ rng.normal(size=(2, b)) + rng.normal(size=(40, b)) - 1
    C = np.cov(X1, X2, rowvar=False)
    S11, S12, S22 = C[:a, :a], C[:a, a:], C[a:, a:]
    U, D, Vt = np.linalg.svd(np.linalg.solve(_root(S11), S12) @ np.linalg.inv(_root(S22)))
    return {
        "X1": X1,
        "X2": X2,
        "Sigma_11": S11,
        "Sigma_12": S12,
        "Sigma_22": S22,
        "D": D,
        "left": U[:, : len(D)],
        "right": Vt[: len(D)].T,
        "w_1": rng.normal(size=a),
        "w_2": rng.normal(size=b),
    }


def partner(rng):
    """Views with the best direction for a given one in the other view."""
    drawn = views(rng)
    return drawn | {"w_1": np.linalg.solve(drawn["Sigma_11"], drawn["Sigma_12"] @ drawn["w_2"])}


def first_pair(rng):
    """Views with the first pair of canonical directions."""
    drawn = views(rng)
    pair = {"w_1": ("Sigma_11", "left"), "w_2": ("Sigma_22", "right")}
    return drawn | {w: np.linalg.solve(_root(drawn[S]), drawn[V][:, 0]) for w, (S, V) in pair.items()}


def frames_of_T(rng):
    """Views with two frames of two orthonormal columns."""
    drawn = views(rng)
    T = np.linalg.solve(_root(drawn["Sigma_11"]), drawn["Sigma_12"]) @ np.linalg.inv(_root(drawn["Sigma_22"]))
    G, H = (orthonormal(rng, len(drawn[w]), 2) for w in ("w_1", "w_2"))
    return drawn | {"T": T, "G": G, "H": H, "k": 2}


def singular_frames(rng):
    """The same with the first two singular vectors of each side for frames."""
    drawn = frames_of_T(rng)
    return drawn | {"G": drawn["left"][:, :2], "H": drawn["right"][:, :2]}


def mixing(rng):
    """A square matrix that mixes."""
    return {"A": rng.normal(size=(3, 3))}


def sources(rng):
    """Three independent sources of mean 0, variance 1, two values each: outcomes in rows, their chances."""
    d = 3
    p = rng.uniform(0.05, 0.95, d)
    values = np.stack([np.sqrt((1 - p) / p), -np.sqrt(p / (1 - p))])
    pick = np.indices((2,) * d).reshape(d, -1).T
    s = values[pick, np.arange(d)]
    chances = np.where(pick == 0, p, 1 - p).prod(axis=1)
    q = orthonormal(rng, d, 1)[:, 0]
    return {"s": s, "chances": chances, "q": q, "kappa": chances @ s**4 - 3, "d": d}


def one_source(rng):
    """The same with all weight on the source that is least Gaussian."""
    drawn = sources(rng)
    return drawn | {"q": np.eye(drawn["d"])[np.abs(drawn["kappa"]).argmax()]}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
BILL = "bill length (mm)", "bill depth (mm)"


def show_scatters(X, y, within, between):
    """From each sample to the mean of its class; from each class mean to the mean of all."""
    fig, axs = figure(2, width=9.5, height=2.5, sharex=True, sharey=True)
    mean = X.mean(axis=0)
    for ax in axs:
        scatter_classes(ax, X, y, s=9, alpha=0.55)
        ax.set(aspect="equal", xlabel=BILL[0])
    for i, c in enumerate(np.unique(y)):
        part = X[y == c]
        m = part.mean(axis=0)
        lines = np.stack([part, np.broadcast_to(m, part.shape)])
        axs[0].plot(lines[..., 0], lines[..., 1], color=COLOURS[i], linewidth=0.5)
        axs[1].plot(*np.transpose([m, mean]), color=BLACK, linewidth=1 + 8 * len(part) / len(X))
        for ax in axs:
            ax.plot(*m, MARKERS[i], color=COLOURS[i], markeredgecolor=BLACK, markersize=10)
    axs[1].plot(*mean, "X", color="white", markeredgecolor=BLACK, markersize=11)
    axs[0].set(title=f"within: {within:.1f} mm²", ylabel=BILL[1])
    axs[1].set(title=f"between: {between:.1f} mm²")
    axs[0].legend(fontsize=7, loc="lower left", ncols=3)
    axs[0].set(ylim=(10.5, 22))
    show(
        fig,
        f"{len(X)} birds. Left, from each bird to the mean of its species: mean squared distance "
        f"{within:.1f} mm². Right, from the means to the mean of all (thicker: more birds): "
        f"{between:.1f} mm².",
    )


def show_starts(hills, reached, pairs, starts, shape):
    """The contrast at 0 to 90 degrees and where starts end; the first pair's pictures, worst and best."""
    fig = figure(width=9.5, height=3)[0]
    fig.clear()
    left, right = fig.subfigures(1, 2, width_ratios=(1.6, 1))
    ax, told = left.subplots(), []
    for i, (name, hill) in enumerate(hills.items()):
        ax.plot(np.linspace(0, 90, len(hill)), hill, linestyle=LINES[i], color=COLOURS[i], label=name)
        tops, counts = np.unique(reached[name].round(3) > 0.05, return_counts=True)
        for top, count in zip(tops, counts, strict=True):
            height = reached[name][(reached[name] > 0.05) == top].mean()
            at = np.argmin(np.abs(np.subtract(hill, height)))
            ax.annotate(
                f"{count} starts",
                (90 * at / (len(hill) - 1), height),
                (12, 2) if i else (-76, 0) if top else (-52, -18),
                textcoords="offset points",
            )
            told.append(f"{name}, {count} of {len(starts[name])} end at {height:.3f}")
    ax.set(xlabel="turned by (degrees)", ylabel="contrast", ylim=(0, 0.11), xticks=range(0, 91, 15))
    ax.legend(fontsize=8, loc="upper right")
    first = next(iter(pairs))
    worst, best = (
        _in_order(starts[first][pick(reached[first])], pairs[first]) for pick in (np.argmin, np.argmax)
    )
    rows = (pairs[first], "source"), (worst, "low hill"), (best, "high hill")
    for column, (Z, name) in zip(right.subplots(2, 3).T, rows, strict=True):
        for j in range(2):
            grid_of_images([column[j]], [Z[:, j].reshape(shape)[::2, ::2]], [name if j == 0 else ""])
    show(
        fig,
        f"The contrast at every angle; {'; '.join(told)}. Right, the sources and what comes back on the low "
        "and on the high hill, put into their order and sign.",
    )


def _in_order(z, sources):
    """Two recovered columns in the order and sign of the sources that they match best."""
    r = np.corrcoef(z, sources, rowvar=False)[:2, 2:]
    order = [0, 1] if np.trace(np.abs(r)) >= np.trace(np.abs(r[::-1])) else [1, 0]
    return z[:, order] * np.sign(r[order, [0, 1]])


def show_matches(photo, turned, here, there, right):
    """Two pictures side by side; lines join matched points, every fourth drawn."""
    fig, ax = figure(width=8, height=4)
    grid_of_images([ax], [np.hstack([photo, turned])])
    wide = photo.shape[1]
    for (r, c), (r2, c2), ok in list(zip(here, there, right, strict=True))[::4]:
        look = {"color": GREEN, "linestyle": "-"} if ok else {"color": RED, "linestyle": "--"}
        ax.plot([c, c2 + wide], [r, r2], linewidth=0.8, **look)
    show(
        fig,
        "A photograph beside a copy turned by 30 degrees, shrunk by 1.3 and darkened. Lines join points "
        "whose "
        f"descriptors match: {len(right)} pairs, every fourth drawn, {100 * right.mean():.0f} % of all right "
        "to within 4 pixels.",
    )
