"""Figures of chapter 2: principal component analysis.

Draws for the derivations of chapter 2: samples are the rows, means are not 0, spreads are unlike.

Beside the draws stand what a derivation is told: `best_frame`, its `neighbour`, and a `slope` by differences.
"""

import numpy as np
from matplotlib.patches import Rectangle

from helpers.derivation import centred, orthonormal, samples
from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, scatter_classes, show

__all__ = [
    "axis_of_S",
    "cloud",
    "cloud_and_axis",
    "covariance",
    "eigenframe",
    "first_axis_of_S",
    "frame",
    "frames_of_S",
    "gram",
    "model",
    "one_row",
    "spectrum",
]

# ---- what the derivations draw at random


def _axes(shape):
    return min(2, shape.d)


def _covariance(X):
    return np.cov(X, rowvar=False, bias=True).reshape(X.shape[1], X.shape[1])


def _largest_first(S):
    lam, V = np.linalg.eigh(S)
    return lam[::-1], V[:, ::-1]


def frame(rng, shape):
    """k orthonormal axes, the columns of W."""
    return {"W": orthonormal(rng, shape.d, _axes(shape)), "k": _axes(shape), "d": shape.d}


def cloud(rng, shape):
    """Samples, raw and centred, and a frame of k axes."""
    raw = samples(rng, shape)
    return {"raw": raw, "X": centred(raw), "n": shape.n, **frame(rng, shape)}


def one_row(rng, shape):
    """A sample that is centred on nothing, and an axis of length 1."""
    return {"x": samples(rng, shape)[0], "w": orthonormal(rng, shape.d, 1)[:, 0]}


def cloud_and_axis(rng, shape):
    """Centred samples, and an axis of length 1."""
    return {"X": centred(samples(rng, shape)), "n": shape.n, "w": orthonormal(rng, shape.d, 1)[:, 0]}


def axis_of_S(rng, shape):
    """A covariance matrix, its eigenvalues and eigenvectors, and any axis of length 1."""
    return spectrum(rng, shape) | {"w": orthonormal(rng, shape.d, 1)[:, 0]}


def first_axis_of_S(rng, shape):
    """The same with the first eigenvector for the axis."""
    drawn = spectrum(rng, shape)
    return drawn | {"w": drawn["V"][:, 0]}


def best_frame(X):
    """The k axes that keep most of the spread of X."""
    return _largest_first(X.T @ X)[1][:, : min(2, X.shape[1])]


def neighbour(rng, W, step=0.1):
    """A frame close to W."""
    return np.linalg.qr(W + step * rng.normal(size=W.shape))[0]


def covariance(rng, shape):
    """A covariance matrix, a vector of any length and a number."""
    return {"S": _covariance(samples(rng, shape)), "w": rng.normal(size=shape.d), "lam": rng.uniform(0.5, 2)}


def slope(f, w, h=1e-5):
    """Gradient of f at w by central differences."""
    return np.array([(f(w + h * e) - f(w - h * e)) / (2 * h) for e in np.eye(len(w))])


def frames_of_S(rng, shape):
    """A covariance matrix, its eigenvalues, its eigenvectors (columns of V), and a blind frame."""
    S = _covariance(samples(rng, shape))
    lam, V = _largest_first(S)
    return {"S": S, "lam": lam, "V": V, **frame(rng, shape)}


def eigenframe(rng, shape):
    """The same with the k best eigenvectors for a frame."""
    drawn = frames_of_S(rng, shape)
    return drawn | {"W": drawn["V"][:, : drawn["k"]]}


def spectrum(rng, shape):
    """A covariance matrix, its eigenvalues, largest first, its eigenvectors; the first is the one axis."""
    S = _covariance(samples(rng, shape))
    lam, V = _largest_first(S)
    return {"S": S, "lam": lam, "V": V, "W": V[:, :1], "d": shape.d}


def model(rng, shape):
    """Centred samples, their best axes and all eigenvalues."""
    X = centred(samples(rng, shape))
    S = _covariance(X)
    lam, V = _largest_first(S)
    best = {"W": V[:, : _axes(shape)], "S": S, "lam": lam, "V": V}
    return {"X": X, "n": shape.n, "d": shape.d, "k": _axes(shape), **best}


def gram(rng, shape):
    """Centred samples and a unit eigenvector u of B = XXᵀ/n with an eigenvalue above 0."""
    X = centred(samples(rng, shape))
    lam, V = _largest_first(X @ X.T / shape.n)
    i = rng.integers((lam > 1e-9 * lam[0]).sum())
    return {"X": X, "n": shape.n, "lam": lam[i], "u": V[:, i]}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"


def show_gallery(faces, n_pixels):
    """Faces in two rows."""
    fig, axs = figure(len(faces) // 2, 2, width=9, height=2.3)
    grid_of_images(axs, faces, vmin=0, vmax=1)
    show(fig, f"{len(faces)} of the hundred faces, {n_pixels} grey values each.")


def show_chosen_or_made(faces, pixels, back, mean, shape=(25, 25), many=8):
    """Faces; what is left of them at the chosen pixels; what two decoders give back, a dict name → faces."""
    fig, rows = figure(many, 2 + len(back), width=8, height=4.6)
    chosen = np.where(pixels, faces, np.nan)
    shares = {name: 1 - ((faces - f) ** 2).sum() / ((faces - mean) ** 2).sum() for name, f in back.items()}
    pictures = {"face": faces, f"{pixels.sum()} pixels": chosen, **{f"from\n{k}": f for k, f in back.items()}}
    for row, (name, table) in zip(rows, pictures.items(), strict=True):
        grid_of_images(row, table[:many].reshape(-1, *shape), vmin=0, vmax=1)
        row[0].set_ylabel(name)
    told = " and ".join(
        f"{100 * share:.0f} % from {pixels.sum()} {name} ones" for name, share in shares.items()
    )
    show(
        fig,
        f"{many} of {len(faces)} faces that were left out, drawn again from {pixels.sum()} numbers each. Of "
        "their "
        f"spread around the mean face {told} comes back.",
    )


BILL = "bill length (mm)", "bill depth (mm)"


def show_shadows(X, axes, labels=BILL):
    """A cloud of two features and its shadow on each of the axes, a dict name → unit vector."""
    fig, axs = figure(len(axes), width=9.5, height=2.9, sharex=True, sharey=True)
    kept = {name: 100 * ((X @ w) ** 2).sum() / (X**2).sum() for name, w in axes.items()}
    for ax, (name, w) in zip(axs, axes.items(), strict=True):
        S = np.outer(X @ w, w)
        ax.plot(*np.stack([X, S]).transpose(2, 0, 1), color=ORANGE, linewidth=0.7, zorder=1)
        ax.axline((0, 0), w, color=BLACK, linewidth=1, zorder=1)
        ax.scatter(*X.T, s=10, color=GREY, label="samples", zorder=2)
        ax.scatter(*S.T, s=10, color=BLUE, marker=MARKERS[1], label="shadows", zorder=3)
        reach = 1.1 * np.abs(X).max(axis=0)
        ax.set(aspect="equal", xlim=(-reach[0], reach[0]), ylim=(-0.4 * reach.max(), 0.55 * reach.max()))
        ax.set(title=f"{name}: {kept[name]:.0f} % kept", xlabel=labels[0])
    axs[0].set_ylabel(labels[1])
    axs[-1].legend(loc="upper left", fontsize=9)
    told = ", ".join(f"{name} {share:.0f} %" for name, share in kept.items())
    show(fig, f"{len(X)} samples, centred, and their shadows on {len(axes)} axes. Spread kept: {told}.")


def show_triangle_and_trade_off(X, bird, w, angles, kept, lost):
    """One bird, its shadow and the middle; what every angle of the axis keeps and loses."""
    fig, (left, right) = figure(2, width=9.5, height=3.5)
    x, s, o = X[bird], X[bird] @ w * w, np.zeros(2)
    left.scatter(*X.T, s=8, color=GREY, alpha=0.5)
    left.axline(o, w, color=BLACK, linewidth=1)
    for name, a, b, place, colour in (
        ("kept", o, s, (0.3, -0.25), BLUE),
        ("lost", s, x, (-0.55, 0.1), ORANGE),
        ("bird", x, o, (0, 0.3), BLACK),
    ):
        left.plot(*np.transpose([a, b]), color=colour, linewidth=2.2)
        reach, line = np.abs(X).max(), {"arrowstyle": "-", "color": colour}
        told = f"{name}: {np.linalg.norm(a - b):.1f} mm"
        left.annotate(told, (a + b) / 2, np.multiply(place, reach), color=colour, arrowprops=line)
    left.set(aspect="equal", xlim=(-0.6 * reach, 0.6 * reach), ylim=(-0.4 * reach, 0.4 * reach))
    left.set(xlabel="bill length (mm)", ylabel="bill depth (mm)")
    colours, labels = (BLUE, ORANGE), ("spread kept", "lost")
    right.stackplot(np.degrees(angles), 100 * kept, 100 * lost, colors=colours, alpha=0.7, labels=labels)
    right.set(xlabel="angle of the axis (degrees)", ylabel="share of all spread (%)")
    right.set(xlim=(0, 180), ylim=(0, 105))
    right.legend(loc="center right")
    told = f"keep between {100 * kept.min():.0f} and {100 * kept.max():.0f} %"
    show(
        fig,
        f"Left: one bird, its shadow and the middle. Right: {len(angles)} axes {told}; kept and lost make "
        f"{100 * (kept + lost).mean():.0f} % on each.",
    )


def show_projector(matrices):
    """Small matrices as pictures, their traces in the titles."""
    fig, axs = figure(len(matrices), width=7, height=2.3)
    for ax, (name, M) in zip(axs, matrices.items(), strict=True):
        grid_of_images([ax], [M], [f"{name}: trace {np.trace(M):.0f}"], -1, 1, "PuOr")
    sizes = ", ".join(f"{name} is {len(M)} × {len(M)}" for name, M in matrices.items())
    show(fig, f"Two axes in five dimensions, violet above 0, orange below: {sizes}. P and PP are the same.")


def show_coin_for_coin(kept, lost, rivals):
    """Shares kept and lost with k = 1, 2, … axes; what rivals keep with ten axes, a dict name → share."""
    fig, ax = figure(height=3.3)
    ks = np.arange(1, len(kept) + 1)
    ax.plot(ks, 100 * kept, linestyle=LINES[0], label="spread kept")
    ax.plot(ks, 100 * lost, linestyle=LINES[1], label="error")
    for i, (name, share) in enumerate(rivals.items()):
        ax.plot(10, 100 * share, MARKERS[i + 2], color=COLOURS[i + 2], label=f"kept by ten {name}")
    ax.set(xlabel="axes kept, of 625", ylabel="share of total (%)")
    ax.legend(loc="center right")
    told = ", ".join(f"ten {name}: {100 * share:.0f} %" for name, share in rivals.items())
    show(
        fig,
        f"Faces: with 10 axes PCA keeps {100 * kept[9]:.0f} % of the spread ({told}), with 40 the error is "
        f"{100 * lost[39]:.0f} %, with {len(ks)} it is 0.",
    )


def show_centred_or_not(X, right, wrong, mean_face, raw_axis, cosine):
    """A cloud off the origin with both first axes; the mean face and the uncentred axis of the faces."""
    fig, (left, face, first) = figure(3, width=9.5, height=3.2, width_ratios=(2.4, 1, 1))
    mean, wrong = X.mean(axis=0), wrong * np.sign(wrong[0])
    left.scatter(*X.T, s=8, color=SKY)
    left.axline(mean, mean + right, color=RED, label="centred")
    left.axline((0, 0), wrong, color=BLACK, linestyle="--", label="not centred")
    left.plot(0, 0, "o", color=BLACK)
    left.set(
        xlabel="bill length (mm)", ylabel="bill depth (mm)", aspect="equal", xlim=(-2, 50), ylim=(-2, 26)
    )
    left.legend(loc="upper left", fontsize=9)
    pictures = [mean_face, raw_axis * np.sign(raw_axis.sum()) * np.linalg.norm(mean_face)]
    grid_of_images((face, first), [p.reshape(25, 25) for p in pictures], ["mean face", "uncentred axis"])
    turned = np.degrees(np.arccos(abs(right @ wrong)))
    show(
        fig,
        "Left: Adelie bills; without centring the first axis runs from the origin through the cloud, turned "
        f"by {turned:.0f} degrees. Right: of faces it is the mean face (cosine {cosine:.4f}).",
    )


def show_best_axis(X, lam, V, angles, variances):
    """A cloud with its axes as arrows of two standard deviations; the variance along every angle."""
    fig, (left, right) = figure(2, width=9.5, height=3.5)
    V = V * np.where(V[0] < 0, -1, 1)
    left.scatter(*X.T, s=8, color=SKY)
    for j, (colour, place) in enumerate(((RED, (-12, 16)), (GREEN, (4, -16)))):
        tip = 2 * np.sqrt(lam[j]) * V[:, j]
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0}
        left.annotate("", tip, (0, 0), arrowprops=arrow)
        name = f"$2\\sqrt{{\\lambda_{j + 1}}}\\, w_{j + 1}$"
        left.annotate(name, tip, place, textcoords="offset points", color=colour, fontsize=12)
        at = np.degrees(np.arctan2(*V[::-1, j])) % 180
        right.axhline(lam[j], color=colour, linestyle=LINES[1], linewidth=1)
        label = f"$\\lambda_{j + 1}$ = {lam[j]:.1f} at {at:.0f}°"
        right.plot(at, lam[j], MARKERS[j], color=colour, markersize=8, label=label)
    left.set(aspect="equal", xlim=(-8, 13), ylim=(-6, 7), xlabel="bill length (mm)", ylabel="bill depth (mm)")
    right.plot(np.degrees(angles), variances, zorder=1)
    right.set(xlabel="angle of the axis (degrees)", ylabel="variance along it (mm²)")
    right.set(xlim=(0, 180), ylim=(0, 1.05 * lam[0]))
    right.legend(loc="upper center", bbox_to_anchor=(0.55, 0.92))
    show(
        fig,
        f"{len(X)} bills: the variance along an axis is largest, {lam[0]:.1f} mm², and smallest, "
        f"{lam[1]:.1f} "
        "mm², along the two arrows, which stand at right angles; there the curve is flat.",
    )


def show_budget(lam, weights):
    """Eigenvalues, and the weights with which frames collect them, a dict name → weights."""
    fig, axs = figure(len(weights), width=9.5, height=3, sharey=True)
    i = np.arange(1, len(lam) + 1)
    for ax, (name, c) in zip(axs, weights.items(), strict=True):
        ax.bar(i, lam / lam[0], color="#dddddd", label="eigenvalue (first = 1)")
        ax.bar(i, c, width=0.4, color=BLUE, label="weight")
        ax.axhline(1, color=BLACK, linewidth=0.8, linestyle=LINES[1])
        ax.set(title=f"{name}: {100 * (c @ lam) / lam.sum():.0f} % kept", xlabel="eigenvector", xticks=i)
    axs[0].set(ylim=(0, 1.35))
    axs[0].legend(fontsize=9, loc="upper right", ncols=2)
    axs[0].set_ylabel("weight; share of the first")
    total = next(iter(weights.values())).sum()
    show(
        fig,
        f"The weights that three frames put on {len(lam)} eigenvectors, each at most 1 and {total:.0f} in "
        "all; "
        "what is kept is the sum of weight × eigenvalue. Nothing beats a whole one on each of the largest.",
    )


def show_eigenfaces(mean, axes, spreads, numbers, rougher):
    """Below each other: the mean less two standard deviations, the axis itself, the mean plus two."""
    fig, rows = figure(len(numbers), 3, width=9.5, height=4)
    for column, j in zip(rows.T, numbers, strict=True):
        w, step = axes[j - 1].reshape(25, 25), 2 * spreads[j - 1] * axes[j - 1].reshape(25, 25)
        middle = mean.reshape(25, 25)
        grid_of_images(column[[0, 2]], [middle - step, middle + step], [f"axis {j}", ""], 0, 1)
        grid_of_images([column[1]], [w], vmin=-abs(w).max(), vmax=abs(w).max(), cmap="PuOr")
    for row, name in zip(rows, ("mean − 2 sd", "axis", "mean + 2 sd"), strict=True):
        row[0].set_ylabel(name, fontsize=9)
    show(
        fig,
        f"{len(numbers)} axes of faces, in the middle row as pictures (violet lighter, orange darker), "
        "above and "
        f"below what they do to the mean face. Axis {numbers[-1]} is {rougher:.0f} times as grainy as axis "
        "1.",
    )


def show_term_by_term(face, mean, steps, ks):
    """The mean face, and what each group of terms adds until the face is there."""
    fig, rows = figure(len(ks) + 1, 2, width=9.5, height=2.9)
    sums = [mean, *(mean + sum(steps[: i + 1]) for i in range(len(ks)))]
    grid_of_images(rows[0], [p.reshape(25, 25) for p in sums], ["mean", *(f"k = {k}" for k in ks)], 0, 1)
    grid_of_images(
        rows[1],
        [face.reshape(25, 25), *(s.reshape(25, 25) for s in steps)],
        ["the face", *(f"+ terms to {k}" for k in ks)],
        -0.5,
        0.5,
        "PuOr",
    )
    rows[1][0].images[0].set(cmap="gray", clim=(0, 1))
    show(
        fig,
        "One face built up from the mean: above the sum so far, below what the last terms added, up to k = "
        f"{ks[-1]}.",
    )


def show_strangers(rows_of_faces, ks, curve_ks, used, left_out):
    """Two rows of rebuilt faces, one used and one left out, and the error of both kinds."""
    fig = figure(width=9.5, height=3.4)[0]
    fig.clear()
    pictures, curve = fig.subfigures(1, 2, width_ratios=(1.5, 1))
    axs = pictures.subplots(2, len(ks) + 1)
    for ax, faces, name in zip(axs, rows_of_faces, ("used", "left out"), strict=True):
        grid_of_images(ax, faces.reshape(-1, 25, 25), ["face", *(f"k = {k}" for k in ks)], 0, 1)
        ax[0].set_ylabel(name)
    ax = curve.subplots()
    for j, (errors, name) in enumerate(((used, "used for the axes"), (left_out, "left out"))):
        middle, spread = 100 * errors.mean(axis=0), 100 * errors.std(axis=0)
        ax.plot(curve_ks, middle, linestyle=LINES[j], label=name)
        ax.fill_between(curve_ks, middle - spread, middle + spread, alpha=0.25)
    ax.set(xlabel="axes", ylabel="variance missing (%)", ylim=(0, None))
    ax.legend()
    at = list(curve_ks).index(25)
    show(
        fig,
        f"With 25 axes {100 * used[:, at].mean():.0f} % of the variance is missing from the 80 faces that "
        "were used, and "
        f"{100 * left_out[:, at].mean():.0f} % from 20 that were not ({len(used)} splits); with all 79 still "
        f"{100 * left_out[:, -1].mean():.0f} %.",
    )


def show_factors(n, d, r, eigenfaces):
    """A table and its factors, and the two square matrices that share its eigenvalues, drawn to one scale."""
    fig, ax = figure(width=9.5, height=4)
    second, third, low = d + 90, d + 2 * r + 190, -n - 150
    for name, left, top, width, height, colour, said in (
        ("X", 0, 0, d, n, SKY, f"{n} samples × {d} features"),
        ("U", second, 0, r, n, GREEN, f"{n} × {r}"),
        ("Σ", second + r + 40, 0, r, r, ORANGE, f"{r} × {r}"),
        ("Vᵀ", third, 0, d, r, RED, f"{r} × {d}: its rows are the axes"),
        ("S = XᵀX / n", 0, low, d, d, SKY, f"{d} × {d}"),
        ("B = XXᵀ / n", second, low, n, n, GREEN, f"{n} × {n}"),
    ):
        box = Rectangle((left, top - height), width, height, facecolor=colour, alpha=0.35, edgecolor=BLACK)
        ax.add_patch(box)
        ax.text(left + width / 2, top + 12, name, ha="center", va="bottom", fontsize=12)
        ax.text(left + width / 2, top - height - 10, said, ha="center", va="top", fontsize=8)
    ax.text(d + 45, -n / 2, "=", ha="center", va="center", fontsize=18)
    for j, face in enumerate(eigenfaces):
        left = second + n + 50 + j * 205
        ax.imshow(
            face,
            cmap="PuOr",
            vmin=-abs(face).max(),
            vmax=abs(face).max(),
            extent=(left, left + 180, low - 200, low - 20),
            zorder=3,
        )
        ax.text(left + 90, low - 210, f"row {j + 1} of Vᵀ", ha="center", va="top", fontsize=8)
    ax.set(xlim=(-10, third + d + 60), ylim=(low - d - 50, 70), aspect="equal")
    ax.set_axis_off()
    show(
        fig,
        f"To scale: {n} centred faces and their factors, X = U Σ Vᵀ. The covariance matrix S has {d * d:,} "
        "numbers, "
        f"the matrix of inner products B has {n * n:,}; both have the same {r} eigenvalues above 0.",
    )


def show_how_many(ks, lam, accuracy, best, k95):
    """Scree plot, and the accuracy of a learner that follows, with its spread over the folds."""
    fig, (left, right) = figure(2, width=9.5, height=3.3)
    left.semilogy(np.arange(1, len(lam) + 1), lam, marker=MARKERS[0], markersize=3)
    left.set(xlabel="component", ylabel="eigenvalue")
    middle, spread = 100 * accuracy.mean(axis=1), 100 * accuracy.std(axis=1, ddof=1)
    right.plot(ks, middle, marker=MARKERS[0])
    right.fill_between(ks, middle - spread, middle + spread, alpha=0.25)
    right.set(xlabel="components kept", ylabel="accuracy on held-out folds (%)")
    for ax, height in ((left, 60), (right, 45)):
        ax.axvline(k95, color=RED, linestyle=LINES[1])
        ax.annotate(f" 95 % of the variance:\n k = {k95}", (k95, height), color=RED, fontsize=9, va="center")
    right.axvline(best, color=GREEN, linestyle=LINES[2])
    right.annotate(f" best:\n k = {best}", (best, 65), color=GREEN, fontsize=9, va="center")
    at, end = list(ks).index(best), ks[-1]
    show(
        fig,
        f"Digits. Left: eigenvalues; {k95} of {len(lam)} hold 95 %. Right: three neighbours are right in "
        f"{middle[at]:.1f} ± {spread[at]:.1f} % with {best} components and in {middle[-1]:.1f} ± "
        f"{spread[-1]:.1f} "
        f"% with {end} (mean ± one standard deviation of {accuracy.shape[1]} folds).",
    )


def show_sexes(scores, is_male, axis, names, correlation):
    """Birds in the plane of two components that never saw the sex, and what the first is made of."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1.6, 1))
    scatter_classes(left, scores, np.where(is_male, "male", "female"), colours=(ORANGE, BLUE))
    left.axvline(0, color=GREY, linewidth=0.8)
    left.set(xlabel="first component", ylabel="second component")
    left.legend()
    places = np.arange(len(axis))[::-1]
    right.barh(places, axis, color=BLUE)
    right.set_yticks(places, [name.rsplit("_", 1)[0].replace("_", " ") for name in names])
    right.set(title="loadings of the first component")
    show(
        fig,
        f"{len(scores)} Gentoo penguins by four measurements, standardised. The first component weighs all "
        "four "
        f"alike, {axis.min():.2f} to {axis.max():.2f}: size. Its correlation with the sex is "
        f"{correlation:.2f}.",
    )


def show_biplots(tables, labels, names):
    """Scores and loadings, raw and scaled; `tables` is a dict name → (scores, axes, shares)."""
    fig, axs = figure(len(tables), width=9.5, height=4)
    for ax, (title, (scores, axes, shares)) in zip(axs, tables.items(), strict=True):
        reach = 1.25 * np.abs(scores).max()
        scatter_classes(ax, scores, labels, s=12, alpha=0.5)
        lengths = np.linalg.norm(axes, axis=0)
        for j in np.argsort(-lengths)[:5]:
            if lengths[j] > 0.2 * lengths.max():
                tip = 0.85 * reach * axes[:, j] / lengths.max()
                arrow = {"arrowstyle": "-|>", "color": BLACK, "shrinkA": 0, "shrinkB": 0}
                ax.annotate("", tip, (0, 0), arrowprops=arrow)
                word = names[j].split("_of_")[0].replace("_", " ")
                side, away = ("bottom", 5) if tip[1] > -0.05 * reach else ("top", -5)
                ground = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5}
                put = {"xytext": (0, away), "textcoords": "offset points", "ha": "center", "va": side}
                ax.annotate(word, tip, fontsize=9, bbox=ground, **put)
        ax.set(title=title, xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        ax.set(xlabel=f"component 1: {100 * shares[0]:.1f} % of the variance")
        ax.set(ylabel=f"component 2: {100 * shares[1]:.1f} %")
    axs[0].legend(title="grower", fontsize=8, loc="upper left")
    first = [100 * shares[0] for _, _, shares in tables.values()]
    show(
        fig,
        f"{len(labels)} wines of three growers, with their longest loadings. Raw, proline alone makes "
        f"{first[0]:.1f} % of the variance, and the cloud is a line; scaled, the first component holds "
        f"{first[1]:.0f} % and the growers stand apart.",
    )


def show_outlier(X, stray, before, after, turned):
    """A cloud and its axis, and the axis after one stray row was added."""
    fig, ax = figure(width=6.5, height=3.6)
    middle, moved = X.mean(axis=0), np.vstack([X, stray]).mean(axis=0)
    ax.scatter(*X.T, s=8, color=SKY, label=f"{len(X)} birds")
    ax.plot(*stray, MARKERS[6], color=BLACK, markersize=8, linestyle="none", label="length and depth swapped")
    ax.axline(middle, middle + before, color=RED, label="first axis without it")
    ax.axline(moved, moved + after, color=GREEN, linestyle="--", label="with it")
    ax.set(aspect="equal", xlabel="bill length (mm)", ylabel="bill depth (mm)", xlim=(10, 75), ylim=(8, 50))
    ax.legend(fontsize=9, loc="upper right")
    show(
        fig,
        f"One row of {len(X) + 1} with its two numbers swapped turns the first axis by {turned:.0f} degrees.",
    )


def show_whitened(clouds):
    """The same cloud raw, turned and whitened: a dict name → (cloud, its ring of two standard deviations)."""
    fig, axs = figure(len(clouds), width=9.5, height=3.7)
    units = "mm", "mm", "standard deviations"
    for ax, (name, (X, ring)), unit in zip(axs, clouds.items(), units, strict=True):
        ax.scatter(*X.T, s=8, color=SKY)
        ax.plot(*ring.T, color=RED, linewidth=1.5)
        reach = 1.15 * np.abs(X).max()
        ax.set(aspect="equal", title=name, xlim=(-reach, reach), ylim=(-reach, reach), xlabel=unit)
    length, width = np.ptp(list(clouds.values())[1][1], axis=0)
    show(
        fig,
        "Bills as measured, turned onto their axes, and divided by their spreads: the ellipse, "
        f"{length / width:.1f} times as long as wide, becomes a circle.",
    )


def show_denoised(clean, dirty, rebuilt, ks, errors):
    """Digits, digits with noise, what a few components keep of them; the error by the number of
    components."""
    fig = figure(width=9.5, height=3)[0]
    fig.clear()
    pictures, curve = fig.subfigures(1, 2, width_ratios=(2, 1))
    rows = pictures.subplots(3, len(clean))
    for row, table, name in zip(rows, (clean, dirty, rebuilt), ("clean", "noisy", "rebuilt"), strict=True):
        grid_of_images(row, table.reshape(-1, 8, 8), vmin=0, vmax=16)
        row[0].set_ylabel(name)
    ax = curve.subplots()
    ax.plot(ks, errors, marker=MARKERS[0])
    ax.set(xlabel="components kept, of 64", ylabel="mean squared error", ylim=(0, None))
    best = int(np.argmin(errors))
    show(
        fig,
        "Ten digits, the same with noise, and rebuilt from components that were learnt from other noisy "
        "digits: the "
        f"error falls from {errors[-1]:.1f} with all {ks[-1]} to {errors[best]:.1f} with {ks[best]}, and is "
        f"{errors[0]:.1f} with {ks[0]}.",
    )


def show_gain_by_rows(sizes, accuracies):
    """Accuracy on fresh rows against the number of training rows; a dict name → array (seeds, sizes)."""
    fig, ax = figure(width=7.5, height=3.6)
    for j, (name, values) in enumerate(accuracies.items()):
        middle, spread = 100 * values.mean(axis=0), 100 * values.std(axis=0, ddof=1)
        ax.plot(sizes, middle, marker=MARKERS[j], linestyle=LINES[j], label=name)
        ax.fill_between(sizes, middle - spread, middle + spread, alpha=0.12)
    ax.set(xscale="log", xlabel="training rows", ylabel="accuracy on fresh rows (%)")
    ax.set_xticks(sizes, sizes, minor=False)
    ax.minorticks_off()
    ax.legend(loc="lower right")
    ends = {name: 100 * values.mean(axis=0)[[0, -1]] for name, values in accuracies.items()}
    told = "; ".join(f"{few:.0f} and {many:.0f} % with {name}" for name, (few, many) in ends.items())
    show(
        fig,
        f"Accuracy with {sizes[0]} and with {sizes[-1]} rows, mean of {len(values)} draws: {told}. Bands: "
        "one "
        "standard deviation.",
    )


def show_loud_and_quiet(scores, species, shares, told, majority):
    """Two species in the plane of the first two components; what each component alone tells of two labels."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1.3, 1))
    scatter_classes(left, scores[:, :2], species, s=14)
    left.set(xlabel=f"component 1: {100 * shares[0]:.0f} % of the variance")
    left.set(ylabel=f"component 2: {100 * shares[1]:.0f} %")
    left.legend()
    numbers = np.arange(1, 1 + scores.shape[1])
    for i, (name, accuracy) in enumerate(told.items()):
        middle, spread = 100 * accuracy.mean(axis=1), 100 * accuracy.std(axis=1, ddof=1)
        right.errorbar(
            numbers + 0.12 * i - 0.06,
            middle,
            spread,
            marker=MARKERS[i],
            linestyle="none",
            color=(RED, GREEN)[i],
            capsize=3,
            label=name,
        )
    right.axhline(
        100 * majority, color=RED, linewidth=1, linestyle=LINES[1], label="always the commoner species"
    )
    right.set(xlabel="the one component used", ylabel="guessed right (%)", xticks=numbers, ylim=(35, 118))
    right.set_yticks(range(40, 101, 10))
    right.legend(fontsize=9, loc="upper right")
    first, second = (100 * told["species"][j].mean() for j in (0, 1))
    show(
        fig,
        f"{len(scores)} Adelie and Chinstrap penguins. Component 1 holds {100 * shares[0]:.0f} % of the "
        "variance "
        f"and tells the species in {first:.0f} % (always the commoner one: {100 * majority:.0f} %), the sex "
        "in "
        f"{100 * told['sex'][0].mean():.0f} %; component 2 holds {100 * shares[1]:.0f} % and tells the "
        "species in "
        f"{second:.0f} %.",
    )


def show_deflated(spectra):
    """Eigenvalues before, and after one and two axes were taken out."""
    fig, axs = figure(len(spectra), width=9.5, height=2.6, sharey=True)
    for ax, (name, lam) in zip(axs, spectra.items(), strict=True):
        ax.bar(np.arange(1, len(lam) + 1), lam, color=SKY)
        ax.set(title=name, xlabel="eigenvalue, numbered as before", xticks=range(1, len(lam) + 1, 2))
    axs[0].set_ylabel("variance")
    many = len(next(iter(spectra.values())))
    show(
        fig,
        f"Digits: the {many} largest eigenvalues. Taking an axis out sets its own eigenvalue to 0 and "
        "leaves the "
        "others.",
    )
