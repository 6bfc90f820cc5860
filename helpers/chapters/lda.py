"""Figures of chapter 3: LDA, CCA, ICA, and features of pictures.

Draws for the derivations of chapter 3: classes of unequal size and shape, two views, discrete sources.

Beside the draws stand the ``tight`` ones, in which a bound is met.
"""

import numpy as np
from scipy.linalg import sqrtm
from scipy.stats import multivariate_normal

from helpers.derivation import orthonormal
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, regions, scatter_classes, show

__all__ = [
    "best_axis",
    "best_frame",
    "first_pair",
    "fishers_axis",
    "frames",
    "frames_of_T",
    "labelled",
    "mixing",
    "mixture",
    "one_source",
    "partner",
    "rotated",
    "singular_frames",
    "sources",
    "views",
]

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
GREY = "#999999"
BILL = "bill length (mm)", "bill depth (mm)"


def show_two_shadows(X, y, axes):
    """Two classes, an axis for each name, and the histograms of their shadows."""
    fig, (left, *rest) = figure(1 + len(axes), width=9.5, height=2.9)
    scatter_classes(left, X, y, s=12)
    middle = X.mean(axis=0)
    gaps = {}
    for i, (ax, (name, w)) in enumerate(zip(rest, axes.items(), strict=True)):
        left.axline(middle, middle + w, color=BLACK, linestyle=LINES[i], linewidth=1.3, label=name)
        z = (X - middle) @ (w / np.linalg.norm(w))
        parts = [z[y == c] for c in np.unique(y)]
        spread = np.sqrt(np.mean([part.var() for part in parts]))
        gaps[name] = abs(parts[0].mean() - parts[1].mean()) / spread
        ax.hist(parts, bins=24, color=COLOURS[:2], histtype="stepfilled", alpha=0.6)
        ax.set(title=f"{name}: means {gaps[name]:.1f} spreads apart", yticks=[], xlabel="shadow (mm)")
    left.set(aspect="equal", xlabel=BILL[0], ylabel=BILL[1], xlim=(38, 62), ylim=(7, 24))
    left.legend(fontsize=7, ncols=2, loc="lower right")
    told = ", ".join(f"{name} {gap:.1f}" for name, gap in gaps.items())
    show(fig, f"{len(X)} penguins of two species. How many spreads apart the species' shadows are: {told}.")


def show_thread(clouds, extras, axes):
    """Above the clouds as measured, below made round, with an axis each; extras: classes, numbers, None."""
    fig, axs = figure(3, 2, width=9.5, height=5.9)
    titles = "bills, three species", "twenty men, and their sit-ups", "a squeezed square"
    for i, (pair, extra) in enumerate(zip(clouds, extras, strict=True)):
        for ax, Z in zip(axs[:, i], pair, strict=True):
            if extra is None:
                ax.scatter(*Z.T, s=6, color=BLUE)
            elif i == 1:
                dots = ax.scatter(*Z.T, s=34, c=extra, cmap="cividis", edgecolors=BLACK, linewidths=0.4)
            else:
                scatter_classes(ax, Z, extra, s=9)
            reach = 1.08 * np.abs(Z).max()
            ax.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach))
        axs[0][i].set(title=titles[i])
        tip = 0.9 * reach * axes[i] / np.linalg.norm(axes[i])
        arrow = {"arrowstyle": "-|>", "color": BLACK, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
        axs[1][i].annotate("", tip, -tip, arrowprops=arrow)
    axs[0][1].set(aspect="auto", xlabel="weight (pounds)", ylabel="waist (inches)")
    axs[0][1].set(xlim=(-75, 75), ylim=(-12, 12))
    axs[0][0].set_ylabel("as measured, centred")
    axs[1][0].set_ylabel("whitened")
    axs[0][0].legend(fontsize=7, loc="upper right")
    fig.colorbar(dots, ax=axs[0][1], shrink=0.8).set_label("sit-ups", fontsize=9)
    sizes = ", ".join(f"{len(raw)}" for raw, _ in clouds)
    show(
        fig,
        f"Three clouds of {sizes} samples, above as measured, below whitened (the bills by the spread inside "
        "the species), with the first axes of LDA, CCA and ICA as arrows.",
    )


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
    axs[0].set(title=f"within: {within:.1f} mm² a bird", ylabel=BILL[1])
    axs[1].set(title=f"between: {between:.1f} mm² a bird")
    axs[0].legend(fontsize=7, loc="lower left", ncols=3)
    axs[0].set(ylim=(10.5, 22))
    show(
        fig,
        f"{len(X)} birds. Left, from each bird to the mean of its species, {within:.1f} mm² on average; "
        "right, "
        f"from each species' mean to the mean of all (thicker: more birds), {between:.1f} mm².",
    )


def show_fisher(X, y, axes, angles, curve):
    """Two classes with several axes, and Fisher's criterion at every angle."""
    fig, (left, right) = figure(2, width=9.5, height=3.6)
    scatter_classes(left, X, y, s=12)
    right.plot(np.degrees(angles), curve, color=GREY, zorder=1)
    heights = {}
    for i, (name, w) in enumerate(axes.items()):
        at = np.arctan2(w[1], w[0]) % np.pi
        heights[name] = np.interp(at, angles, curve)
        look = {"color": (PINK, GREEN, BLACK)[i], "linestyle": LINES[i]}
        left.axline(X.mean(axis=0), X.mean(axis=0) + w, linewidth=1.5, label=name, **look)
        label = f"{name}: {np.degrees(at):.0f}°, J = {heights[name]:.2f}"
        right.plot(np.degrees(at), heights[name], MARKERS[i], color=look["color"], markersize=9, label=label)
    for c in np.unique(y):
        left.plot(*X[y == c].mean(axis=0), "P", color="white", markeredgecolor=BLACK, markersize=11)
    left.set(aspect="equal", xlabel=BILL[0], ylabel=BILL[1], xlim=(38, 60), ylim=(8, 23))
    left.legend(fontsize=7, loc="lower right")
    right.set(xlabel="angle of the axis (degrees)", ylabel="Fisher's criterion", xlim=(0, 180))
    right.set(ylim=(0, 1.45 * curve.max()))
    right.legend(fontsize=9, loc="upper left")
    told = ", ".join(f"{name} {height:.2f}" for name, height in heights.items())
    show(fig, f"Fisher's criterion for every axis through the bills of two species: {told}.")


def show_two_steps(clouds, y, spreads):
    """A dict name → (cloud, ring of two pooled standard deviations): measured, whitened, turned."""
    fig, axs = figure(len(clouds), width=9.5, height=3.6)
    for ax, (name, (Z, ring)) in zip(axs, clouds.items(), strict=True):
        scatter_classes(ax, Z, y, s=8, alpha=0.6)
        for i, c in enumerate(np.unique(y)):
            m = Z[y == c].mean(axis=0)
            ax.plot(*(m + ring).T, color=BLACK, linewidth=0.9)
            ax.plot(*m, MARKERS[i], color=COLOURS[i], markeredgecolor=BLACK, markersize=9)
        reach = 1.08 * np.abs(Z).max()
        ax.set(aspect="equal", title=name, xlim=(-reach, reach), ylim=(-reach, reach))
    axs[0].set(xlabel="bill length", ylabel="bill depth")
    axs[2].set(xlabel="axis 1", ylabel="axis 2")
    axs[0].legend(fontsize=7, loc="upper left")
    show(
        fig,
        "Bills of three species with the pooled spread (two standard deviations) around each mean: an "
        f"ellipse, then a circle. Turned, the means spread {spreads[0]:.1f} along axis 1, "
        f"{spreads[1]:.1f} along axis 2.",
    )


def show_wines(maps, y, right):
    """Wines in two coordinates, a dict name → (n, 2)."""
    fig, axs = figure(len(maps), width=9.5, height=3.3)
    for ax, (name, Z) in zip(axs, maps.items(), strict=True):
        scatter_classes(ax, Z, y, s=16)
        ax.set(xlabel="axis 1", ylabel="axis 2", title=f"{name}: {100 * right[name]:.0f} % right")
        ax.set_aspect("equal", adjustable="datalim")
    axs[0].legend(title="grower", fontsize=8)
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in right.items())
    show(
        fig,
        f"{len(y)} wines that were left out, on two axes learnt from the raw measurements of the others. "
        "What "
        f"five neighbours read in the two coordinates: {told} right.",
    )


def show_boundaries(panels):
    """Regions of classifiers; each panel is (name, samples, labels, predict, accuracy)."""
    fig, axs = figure(len(panels), width=9.8, height=2.9)
    for ax, (name, X, y, predict, accuracy) in zip(axs, panels, strict=True):
        low, high = X.min(axis=0), X.max(axis=0)
        pad = 0.08 * (high - low)
        codes = {c: i for i, c in enumerate(np.unique(y).tolist())}
        limits = zip(low - pad, high + pad, strict=True)
        regions(ax, lambda Z, f=predict, k=codes: np.array([k[c] for c in f(Z).tolist()]), *limits)
        scatter_classes(ax, X, y, s=7)
        ax.set(title=f"{name}: {100 * accuracy:.1f} % right", xticks=[], yticks=[])
        ax.grid(False)
    for ax in axs[:2]:
        ax.set(xlabel="bill length", ylabel="bill depth")
    told = "; ".join(f"{name} on {len(X)} samples: {100 * a:.1f} %" for name, X, _, _, a in panels)
    show(
        fig, f"Bills of three species, then two rings, with regions of LDA and QDA. On held-out folds {told}."
    )


def show_few_samples(sizes, learnt, n):
    """Accuracy on others against the number learnt from, n where n - C = d; a dict name → (seeds, sizes)."""
    fig, ax = figure(width=7.5, height=3.5)
    for i, (name, values) in enumerate(learnt.items()):
        middle, spread = 100 * values.mean(axis=0), 100 * values.std(axis=0, ddof=1)
        ax.plot(sizes, middle, marker=MARKERS[i], linestyle=LINES[i], label=name)
        ax.fill_between(sizes, middle - spread, middle + spread, alpha=0.15)
    ax.axvline(n, color=GREY, linestyle=LINES[3], label=f"{n}: n - C = d")
    ax.set(xscale="log", xlabel="digits learnt from", ylabel="read right (%)", ylim=(0, 100))
    ax.set_xticks(sizes, ["" if size in (60, 65) else size for size in sizes])
    ax.minorticks_off()
    ax.legend(loc="lower right")
    dip = 100 * next(iter(learnt.values())).mean(axis=0)
    at = int(dip.argmin())
    show(
        fig,
        f"Digits that LDA reads right: {dip[0]:.0f} % after {sizes[0]}, {dip[at]:.0f} % after {sizes[at]}, "
        f"{dip[-1]:.0f} % after {sizes[-1]}, with hardly any shrinkage; {len(next(iter(learnt.values())))} "
        "draws, bands of one standard deviation.",
    )


def show_three_tables(tables):
    """Tables of correlations, a dict name → matrix."""
    fig, axs = figure(len(tables), width=7.5, height=2.6)
    for ax, (name, M) in zip(axs, tables.items(), strict=True):
        ax.imshow(M, cmap="PuOr", vmin=-1, vmax=1)
        for i, j in np.ndindex(*M.shape):
            told = f"{M[i, j]:.2f}".replace("-0.00", "0.00")
            ink = "white" if abs(M[i, j]) > 0.7 else BLACK
            ax.text(j, i, told, ha="center", va="center", fontsize=10, color=ink)
        ax.set(title=name, xticks=[], yticks=[])
        ax.grid(False)
    axs[0].set(ylabel="body", xlabel="exercise")
    last = np.diag(list(tables.values())[-1])
    said = ", ".join(f"{value:.2f}" for value in last)
    show(
        fig,
        f"Correlations of two views, raw, whitened and turned; at the end {said} on the diagonal, else 0.",
    )


def show_club(a, b, loadings, correlation, names):
    """The first pair of scores, and what each is made of: loadings and names of both views."""
    fig, (ax, *bars) = figure(3, width=9.5, height=3.2, width_ratios=(1.5, 1, 1))
    ax.scatter(a - a.mean(), b - b.mean(), s=30, color=BLUE)
    ax.set(xlabel="body: first direction", ylabel="exercise: first direction")
    ax.set(title=f"correlation {correlation:.2f}")
    for bar, sizes, words, name in zip(bars, loadings, names, ("body", "exercise"), strict=True):
        places = np.arange(len(sizes))[::-1]
        bar.barh(places, sizes, color=np.where(sizes > 0, BLUE, ORANGE))
        for place, size in zip(places, sizes, strict=True):
            side = "left" if size > 0 else "right"
            text = f"{size:.2f}".replace("-", "−")
            bar.text(size + 0.05 * np.sign(size), place, text, va="center", fontsize=9, ha=side)
        bar.axvline(0, color=BLACK, linewidth=0.8)
        bar.set_yticks(places, words)
        bar.set(title=f"loadings: {name}", xlim=(-1.6, 1.6), xticks=[-1, 0, 1])
    pairs = zip(np.concatenate(names), np.concatenate(loadings), strict=True)
    told = ", ".join(f"{word}\N{NO-BREAK SPACE}{size:.2f}".replace("-0", "−0") for word, size in pairs)
    show(fig, f"{len(a)} men on the first pair of directions. Loadings: {told}.")


def show_noise(rows, curves):
    """Correlations of views of noise, (seeds, rows, 2): on the rows used and on fresh ones."""
    fig, ax = figure(width=7, height=3.3)
    for i, name in enumerate(("on the rows used", "of the same pair, on fresh rows")):
        middle, spread = curves[..., i].mean(axis=0), curves[..., i].std(axis=0, ddof=1)
        ax.plot(rows, middle, marker=MARKERS[i], linestyle=LINES[i], label=name)
        ax.fill_between(rows, middle - spread, middle + spread, alpha=0.2)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.set(xscale="log", xlabel="rows", ylabel="correlation", ylim=(-0.2, 1.1))
    ax.set_xticks(rows, rows)
    ax.minorticks_off()
    ax.legend(loc="upper right")
    first, last = curves[:, 0].mean(axis=0), curves[:, -1].mean(axis=0)
    show(
        fig,
        f"Two views of noise, ten columns each, mean of {len(curves)} draws. The first canonical "
        "correlation is "
        f"{first[0]:.2f} on {rows[0]} rows and still {last[0]:.2f} on {rows[-1]}; on fresh rows "
        f"{first[1]:.2f} and {last[1]:.2f}.",
    )


def show_halves(w1, w2, left, right, a, b, shape=(25, 12)):
    """Loadings on each half of a face, and the faces with the lowest and highest scores."""
    fig = figure(width=9.5, height=3)[0]
    fig.clear()
    parts = fig.subfigures(1, 3, width_ratios=(1, 1.2, 1.9))
    for ax, w, name in zip(parts[0].subplots(1, 2), (w1, w2), ("left", "right"), strict=True):
        grid_of_images([ax], [w.reshape(shape)], [name], -1, 1, "PuOr")
    ax = parts[1].subplots()
    ax.scatter(a, b, s=24, color=BLUE)
    ax.set(xlabel="left half", ylabel="right half", title="faces left out")
    order = np.argsort(a + b)
    gap = np.ones((shape[0], 1))
    axs = parts[2].subplots(2, 4)
    for row, rows, name in zip(axs, (order[:4], order[-4:]), ("lowest", "highest"), strict=True):
        whole = [np.hstack([left[i].reshape(shape), gap, right[i].reshape(shape)]) for i in rows]
        grid_of_images(row, whole, vmin=0, vmax=1)
        row[0].set_ylabel(name)
    show(
        fig,
        f"Loadings of the first pair on left and right halves (orange −1, purple 1), scores of {len(a)} "
        f"faces left out (correlation {np.corrcoef(a, b)[0, 1]:.2f}), the four faces at each end.",
    )


def show_pictures(pictures, titles, correlation):
    """Pictures side by side."""
    fig, axs = figure(len(pictures), width=5.6, height=2.8)
    for ax, picture, title in zip(axs, pictures, titles, strict=True):
        grid_of_images([ax], [picture], [title])
    show(
        fig, f"{len(pictures)} mixtures of two photographs; their grey values correlate by {correlation:.2f}."
    )


def show_square(clouds, value):
    """A square on its way through mixing, whitening and turning, coloured by the first source."""
    fig, axs = figure(len(clouds), width=9.8, height=2.8)
    for ax, (name, Z) in zip(axs, clouds.items(), strict=True):
        ax.scatter(*Z.T, s=4, c=value, cmap="cividis")
        reach = 1.1 * np.abs(Z).max()
        ax.set(aspect="equal", title=name, xlim=(-reach, reach), ylim=(-reach, reach))
    found = max(abs(np.corrcoef(value, z)[0, 1]) for z in clouds["turned"].T)
    show(
        fig,
        f"{len(value)} samples of two flat sources, shaded by the first: a square, mixed, whitened, and "
        "turned "
        f"by ICA; an axis then correlates with the source by {found:.3f}.",
    )


def show_kurtosis(degrees, curves, places):
    """Excess kurtosis at every angle, a dict name → array, and at which angles the sources stand."""
    fig, ax = figure(width=7.5, height=3.6)
    for i, (name, values) in enumerate(curves.items()):
        colour = (BLUE, RED, BLACK, GREEN)[i]
        ax.plot(degrees, values, linestyle=LINES[i], color=colour, label=name)
        ax.plot(places[name], np.interp(places[name], degrees, values), "o", color=colour, clip_on=False)
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=0)
    ax.set(xlabel="angle of the axis in white coordinates (degrees)", ylabel="excess kurtosis")
    ax.set(xlim=(0, 180), xticks=range(0, 181, 45))
    ax.legend(ncols=2, loc="upper center")
    ax.set(ylim=(min(v.min() for v in curves.values()) - 0.3, 1.45 * max(v.max() for v in curves.values())))
    told = "; ".join(f"{name} {v.min():.2f} to {v.max():.2f}" for name, v in curves.items()).replace("-", "−")
    show(
        fig,
        f"Excess kurtosis of the shadow on {len(degrees)} axes of whitened pairs: {told}. "
        "Dots: where the sources stand.",
    )


def show_unmixed(white, w, recovered, sources, shape):
    """The white cloud of two mixtures, the axes found, both pictures whitened only and both recovered."""
    fig, axs = figure(5, width=8.5, height=2.1)
    axs[0].scatter(*white[::40].T, s=1.5, color=SKY)
    for v, line in ((w, "-"), (np.array([w[1], -w[0]]), "--")):
        axs[0].axline((0, 0), v, color=BLACK, linestyle=line, linewidth=1.2)
    axs[0].set(aspect="equal", xticks=[], yticks=[], xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
    axs[0].set_title("whitened grey values", fontsize=9)
    told = []
    for k, (name, Z) in enumerate((("whitened", white), ("recovered", recovered))):
        for i in range(2):
            grid_of_images([axs[1 + 2 * k + i]], [Z[:, i].reshape(shape)[::2, ::2]], [f"{name} {i + 1}"])
        match = np.abs(np.corrcoef(Z, sources, rowvar=False)[:2, 2:]).max(axis=0)
        told.append(f"{name} {match[0]:.3f} and {match[1]:.3f}")
    show(
        fig,
        "The whitened grey values of the mixtures with the axes that FastICA finds; the pictures whitened, "
        f"not turned, and recovered. Correlations with the originals, but for the sign: {', '.join(told)}.",
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


def show_canonical(patches, histograms, turned):
    """A patch and its quarter turn, their histograms of directions, and these turned to the largest bin."""
    fig, axs = figure(3, 2, width=8.5, height=3.6, width_ratios=(0.7, 1, 1))
    pairs = zip(axs, patches, histograms, turned, ("patch", "a quarter turn"), strict=True)
    for row, patch, before, after, name in pairs:
        grid_of_images(row[:1], [patch])
        row[0].set_ylabel(name, fontsize=9)
        for ax, h in ((row[1], before), (row[2], after)):
            ax.bar(range(8), h, color=BLUE)
            ax.set(xticks=range(8), ylim=(0, 1.1 * max(map(np.max, histograms))))
            ax.bar(int(np.argmax(h)), h.max(), color=ORANGE)
    axs[0][1].set_title("directions")
    axs[0][2].set_title("largest first")
    off = np.abs(np.subtract(*turned)).max()
    show(
        fig,
        f"A patch and its quarter turn: the histogram of directions shifts by 2 of 8; with the largest bin "
        f"first both agree to within {off:.0e}.",
    )


def show_hog(photo, pale, votes, size, change):
    """A photograph, a pale copy, and scikit-image's picture of the votes: little stars along the edges."""
    fig, axs = figure(3, width=8.5, height=3.1)
    pictures = [photo, pale, np.sqrt(votes / votes.max())]
    grid_of_images(axs, pictures, ["photograph", "paler", "the votes of each cell"], 0, 1)
    show(
        fig,
        f"A photograph and a copy with 0.3 times its contrast: HOG describes both by {size} numbers that "
        f"differ by at most {change:.0e}. Right: each cell's directions, drawn along the edges.",
    )


def show_helped(shots, maps, y, quality):
    """Some of the pictures, and all of them on two coordinates of each table, a dict name → (n, 2)."""
    fig = figure(width=9.5, height=3)[0]
    fig.clear()
    top, bottom = fig.subfigures(1, 2, width_ratios=(1, 1.6))
    grid_of_images(top.subplots(2, len(shots) // 2), shots)
    for ax, (name, Z) in zip(bottom.subplots(1, len(maps)), maps.items(), strict=True):
        scatter_classes(ax, Z, np.where(y == 0, "vertical", "horizontal"), s=16)
        ax.set(title=f"{name}: between / within {quality[name]:.2f}")
        ax.set(xlabel="component 1", ylabel="component 2")
    ax.legend(fontsize=8, loc="upper center")
    told = ", ".join(f"{value:.2f} as {name}" for name, value in quality.items())
    show(
        fig,
        f"Edges in different light, eight of {len(y)}, and all on their first two principal components. "
        f"Scatter between over within the kinds: {told}.",
    )
