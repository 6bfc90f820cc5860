<<<<<<< HEAD
"""The figures of chapter 2. Each function takes arrays, computes nothing but limits and shares, and shows one figure."""

import numpy as np
from matplotlib.patches import Ellipse

from helpers.plotting import COLOURS, LINES, MARKERS, figure, grid_of_images, scatter_classes, show

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
GREY = "#999999"


def gallery(faces, n_pixels):
    """Faces in two rows."""
    fig, axs = figure(len(faces) // 2, 2, width=9, height=2.3)
    grid_of_images(axs, faces, vmin=0, vmax=1)
    show(fig, f"{len(faces)} of the hundred faces, {n_pixels} grey values each.")


def chosen_or_made(faces, mask, rebuilt, shape=(25, 25)):
    """Faces; what is left of them at the chosen pixels; what the made coordinates give back."""
    fig, rows = figure(len(faces), 3, width=8, height=4)
    chosen = np.where(mask, faces, np.nan)
    for row, pictures, name in zip(rows, (faces, chosen, rebuilt), ("all pixels", "chosen", "made"), strict=True):
        grid_of_images(row, pictures.reshape(-1, *shape), vmin=0, vmax=1)
        row[0].set_ylabel(name)
    show(
        fig,
        f"{len(faces)} faces: above all {mask.size} pixels; in the middle the {mask.sum()} that a selection keeps; "
        f"below the pictures that {mask.sum()} made coordinates give back.",
    )


def shadows(X, axes):
    """A cloud of two features and its shadow on each of the axes, a dict name → unit vector."""
    fig, axs = figure(len(axes), width=9.5, height=3.5, sharex=True, sharey=True)
    kept = {name: ((X @ w) ** 2).sum() / (X**2).sum() for name, w in axes.items()}
    for ax, (name, w) in zip(axs, axes.items(), strict=True):
        S = np.outer(X @ w, w)
        ax.plot(*np.stack([X, S]).transpose(2, 0, 1), color=ORANGE, linewidth=0.7, zorder=1)
        ax.axline((0, 0), w, color=BLACK, linewidth=1, zorder=1)
        ax.scatter(*X.T, s=10, color=SKY, label="birds", zorder=2)
        ax.scatter(*S.T, s=10, color=RED, marker=MARKERS[1], label="shadows", zorder=3)
        ax.set(aspect="equal", xlim=(-9, 13), ylim=(-7, 7), xlabel="bill length (mm)")
        ax.set_title(f"{name}: {100 * kept[name]:.0f} % kept")
    axs[0].set_ylabel("bill depth (mm)")
    axs[0].legend(loc="lower right", fontsize=9)
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in kept.items())
    show(fig, f"{len(X)} bills, centred, and their shadows on three axes. Spread kept: {told}.")


def triangle_and_trade_off(X, bird, w, angles, kept):
    """One bird, its shadow and the middle; what every angle of the axis keeps and loses."""
    fig, (left, right) = figure(2, width=9.5, height=3.5)
    x, s = X[bird], X[bird] @ w * w
    left.scatter(*X.T, s=8, color=SKY, alpha=0.5)
    left.axline((0, 0), w, color=BLACK, linewidth=1)
    sides = {"kept": ((0, 0), s, (1.2, -2.6), RED), "lost": (s, x, (-6.6, 0.4), ORANGE), "bird": (x, (0, 0), (-0.4, 2.6), BLUE)}
    for name, (a, b, place, colour) in sides.items():
        a, b = np.asarray(a, float), np.asarray(b, float)
        left.plot(*np.transpose([a, b]), color=colour, linewidth=2.2)
        length = np.linalg.norm(a - b)
        left.annotate(f"{name}: {length:.1f} mm", (a + b) / 2, place, color=colour, arrowprops={"arrowstyle": "-", "color": colour})
    left.set(aspect="equal", xlim=(-7, 5), ylim=(-4, 4), xlabel="bill length (mm)", ylabel="bill depth (mm)")
    degrees, share = np.degrees(angles), 100 * kept
    right.stackplot(degrees, share, 100 - share, colors=(RED, ORANGE), alpha=0.7, labels=("spread kept", "lost"))
    right.set(xlabel="angle of the axis (degrees)", ylabel="share of all spread (%)", xlim=(0, 180), ylim=(0, 100))
    right.legend(loc="center right")
    told = f"between {share.min():.0f} and {share.max():.0f} %"
    show(fig, f"Left: one bird, its shadow and the middle. Right: {len(angles)} axes keep {told}; kept and lost make 100 %.")


def projector(matrices):
    """Small matrices as pictures, their traces in the titles."""
    fig, axs = figure(len(matrices), width=7.5, height=2.5)
    for ax, (name, M) in zip(axs, matrices.items(), strict=True):
        grid_of_images([ax], [M], [f"{name}: trace {np.trace(M):.0f}"], -1, 1, "PuOr")
    sizes = ", ".join(f"{name} is {len(M)} × {len(M)}" for name, M in matrices.items())
    show(fig, f"Two axes in five dimensions as pictures, violet above 0, orange below: {sizes}; P and PP are the same.")


def coin_for_coin(kept, lost, blind):
    """Shares kept and lost with k = 1, 2, … axes; what blind frames of ten axes keep."""
    fig, ax = figure(height=3.3)
    ks = np.arange(1, len(kept) + 1)
    ax.plot(ks, 100 * kept, linestyle=LINES[0], label="spread kept")
    ax.plot(ks, 100 * lost, linestyle=LINES[1], label="error")
    ax.scatter(np.full(len(blind), 10), 100 * np.asarray(blind), s=14, color=GREEN, marker=MARKERS[3],
               label=f"{len(blind)} blind frames of 10 axes: kept")
    ax.set(xlabel="axes kept, of 625", ylabel="share of total (%)")
    ax.legend(loc="center right")
    show(
        fig,
        f"Faces: with 10 axes PCA keeps {100 * kept[9]:.0f} % of the spread (the best of {len(blind)} blind frames "
        f"{100 * max(blind):.0f} %), with 40 the error is {100 * lost[39]:.0f} %, with {len(ks)} it is 0.",
    )


def centred_or_not(X, right, wrong, mean_face, raw_axis, cosine):
    """A cloud away from the origin with both first axes; the mean face beside the uncentred axis of the faces."""
    fig, (left, face, first) = figure(3, width=9.5, height=3.2, width_ratios=(2.4, 1, 1))
    mean = X.mean(axis=0)
    wrong = wrong * np.sign(wrong[0])
    left.scatter(*X.T, s=8, color=SKY)
    left.axline(mean, mean + right, color=RED, label="centred")
    left.axline((0, 0), wrong, color=BLACK, linestyle="--", label="not centred")
    left.plot(0, 0, "o", color=BLACK)
    left.set(xlabel="bill length (mm)", ylabel="bill depth (mm)", aspect="equal", xlim=(-2, 50), ylim=(-2, 26))
    left.legend(loc="upper left", fontsize=9)
    pictures = [mean_face, raw_axis * np.sign(raw_axis.sum()) * np.linalg.norm(mean_face)]
    grid_of_images((face, first), [p.reshape(25, 25) for p in pictures], ["mean face", "uncentred axis"])
    turned = np.degrees(np.arccos(abs(right @ wrong)))
    show(
        fig,
        f"Left: Adelie bills; without centring the first axis runs from the origin through the cloud, turned by {turned:.0f} "
        f"degrees. Right: of faces it is the mean face (cosine {cosine:.4f}).",
    )


def best_axis(X, lam, V, angles, variances):
    """A cloud with its axes as arrows of two standard deviations; the variance along every angle."""
    fig, (left, right) = figure(2, width=9.5, height=3.5)
    left.scatter(*X.T, s=8, color=SKY)
    for j, colour in enumerate((RED, GREEN)):
        tip = 2 * np.sqrt(lam[j]) * V[:, j]
        left.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.2, "shrinkA": 0, "shrinkB": 0})
        left.annotate(f"$2\\sqrt{{\\lambda_{j + 1}}}\\, w_{j + 1}$", tip, (5, 5), textcoords="offset points", color=colour)
    left.set(aspect="equal", xlim=(-9, 13), ylim=(-7, 7), xlabel="bill length (mm)", ylabel="bill depth (mm)")
    right.plot(np.degrees(angles), variances)
    for j, colour in enumerate((RED, GREEN)):
        at = np.degrees(np.arctan2(*V[::-1, j])) % 180
        right.axhline(lam[j], color=colour, linestyle=LINES[1], linewidth=1)
        right.plot(at, lam[j], MARKERS[j], color=colour, markersize=8, label=f"$\\lambda_{j + 1}$ = {lam[j]:.1f} at {at:.0f}°")
    right.set(xlabel="angle of the axis (degrees)", ylabel="variance along it (mm²)", xlim=(0, 180), ylim=(0, None))
    right.legend()
    show(
        fig,
        f"{len(X)} bills: the variance along an axis is largest, {lam[0]:.1f} mm², and smallest, {lam[1]:.1f} mm², along the two "
        "arrows, which stand at right angles; there the curve is flat.",
    )


def budget(lam, weights):
    """Eigenvalues, and the weights with which frames collect them, a dict name → weights."""
    fig, axs = figure(len(weights), width=9.5, height=3, sharey=True)
    i = np.arange(1, len(lam) + 1)
    for ax, (name, c) in zip(axs, weights.items(), strict=True):
        ax.bar(i, lam / lam[0], color="#dddddd", label="eigenvalue (first = 1)")
        ax.bar(i, c, width=0.4, color=BLUE, label="weight")
        ax.axhline(1, color=BLACK, linewidth=0.8, linestyle=LINES[1])
        ax.set(title=f"{name}: {c @ lam / lam.sum():.0%} kept", xlabel="eigenvector", xticks=i)
    axs[0].legend(fontsize=9)
    many = next(iter(weights.values())).sum()
    show(
        fig,
        f"Each frame has {many:.0f} coins to spend on {len(lam)} eigenvectors, at most one on each; what it keeps is the sum of "
        "coin × eigenvalue. Nothing beats one whole coin on each of the largest.",
    )


def eigenfaces(mean, axes, spreads, numbers, antisymmetric):
    """Below each other: the mean less two standard deviations, the axis itself, the mean plus two."""
    fig, rows = figure(len(numbers), 3, width=9.5, height=4)
    for column, j in zip(rows.T, numbers, strict=True):
        w, step = axes[j - 1], 2 * spreads[j - 1] * axes[j - 1]
        grid_of_images(column[[0, 2]], [p.reshape(25, 25) for p in (mean - step, mean + step)], [f"axis {j}", ""], 0, 1)
        grid_of_images([column[1]], [w.reshape(25, 25)], vmin=-abs(w).max(), vmax=abs(w).max(), cmap="PuOr")
    for row, name in zip(rows, ("mean − 2 sd", "axis", "mean + 2 sd"), strict=True):
        row[0].set_ylabel(name, fontsize=9)
    show(
        fig,
        f"{len(numbers)} axes of faces, in the middle row as pictures (violet lighter, orange darker), above and below what they do to "
        f"the mean face. Axis {antisymmetric} is nearly its own mirror image with the sign changed.",
    )


def term_by_term(face, mean, steps, ks):
    """The mean face, and what each group of terms adds until the face is there."""
    fig, rows = figure(len(ks) + 1, 2, width=9.5, height=2.9)
    sums = [mean, *(mean + sum(steps[: i + 1]) for i in range(len(ks)))]
    grid_of_images(rows[0], [p.reshape(25, 25) for p in sums], ["mean", *(f"k = {k}" for k in ks)], 0, 1)
    grid_of_images(rows[1], [face.reshape(25, 25), *(s.reshape(25, 25) for s in steps)],
                   ["the face", *(f"+ terms to {k}" for k in ks)], -0.5, 0.5, "PuOr")
    rows[1][0].images[0].set(cmap="gray", clim=(0, 1))
    show(fig, f"One face built up from the mean: above the sum so far, below what the last terms added, up to k = {ks[-1]}.")


def strangers(rows_of_faces, ks, curve_ks, used, left_out):
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
        f"With 25 axes {100 * used[:, at].mean():.0f} % of the variance is missing from the 80 faces that were used, and "
        f"{100 * left_out[:, at].mean():.0f} % from 20 that were not ({len(used)} splits); with all 79 still "
        f"{100 * left_out[:, -1].mean():.0f} %.",
    )


def factors(X, U, s, Vt):
    """A centred table and its three factors as pictures, to one scale each."""
    fig, axs = figure(4, width=9.5, height=2.6, width_ratios=(6.25, 1.4, 1.4, 6.25))
    pictures = {"X": X, "U": U, "Σ": np.diag(s), "Vᵀ": Vt}
    for ax, (name, M) in zip(axs, pictures.items(), strict=True):
        limit = np.quantile(np.abs(M[M != 0]), 0.95)
        ax.imshow(M, cmap="PuOr", vmin=-limit, vmax=limit, aspect="auto")
        ax.set(xticks=[], yticks=[], title=f"{name}: {M.shape[0]} × {M.shape[1]}")
        ax.grid(False)
    show(fig, f"The centred faces as a product: X = U Σ Vᵀ. The {len(s)} rows of Vᵀ are the axes, U Σ holds the scores.")


def how_many(ks, lam, accuracy, chosen, k95):
    """Scree plot, and the accuracy of a learner that follows, with its spread over the folds."""
    fig, (left, right) = figure(2, width=9.5, height=3.3)
    i = np.arange(1, len(lam) + 1)
    left.semilogy(i, lam, marker=MARKERS[0], markersize=3)
    left.axvline(k95, color=RED, linestyle=LINES[1], label=f"95 % of the variance: k = {k95}")
    left.set(xlabel="component", ylabel="eigenvalue")
    left.legend()
    middle, spread = 100 * accuracy.mean(axis=1), 100 * accuracy.std(axis=1)
    right.plot(ks, middle, marker=MARKERS[0])
    right.fill_between(ks, middle - spread, middle + spread, alpha=0.25)
    right.axvline(chosen, color=GREEN, linestyle=LINES[2], label=f"best on average: k = {chosen}")
    right.axvline(k95, color=RED, linestyle=LINES[1])
    right.set(xlabel="components kept", ylabel="accuracy on held-out folds (%)")
    right.legend(loc="lower right")
    at = list(ks).index(16)
    show(
        fig,
        f"Digits. Left: eigenvalues; {k95} hold 95 %. Right: three neighbours are right in {middle[at]:.1f} ± {spread[at]:.1f} % "
        f"with 16 components, in {middle.max():.1f} ± {spread[middle.argmax()]:.1f} % with {chosen}; the band is one standard deviation.",
    )


def sexes(scores, is_male, axis, names, correlation):
    """Birds in the plane of two components that never saw the sex, and what the first is made of."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1.6, 1))
    scatter_classes(left, scores, np.where(is_male, "male", "female"), colours=(ORANGE, BLUE))
    left.axvline(0, color=GREY, linewidth=0.8)
    left.set(xlabel="first component", ylabel="second component")
    left.legend()
    right.barh(np.arange(len(axis))[::-1], axis, color=BLUE)
    right.set_yticks(np.arange(len(axis))[::-1], names)
    right.set(title="loadings of the first component")
    show(
        fig,
        f"{len(scores)} Gentoo penguins by four measurements, standardised. The first component weighs all four alike, "
        f"{axis.min():.2f} to {axis.max():.2f}: size. Its correlation with the sex is {correlation:.2f}.",
    )


def biplots(tables, labels, names):
    """Scores and loadings, raw and scaled; `tables` is a dict name → (scores, axes, shares)."""
    fig, axs = figure(len(tables), width=9.5, height=4)
    for ax, (title, (scores, axes, shares)) in zip(axs, tables.items(), strict=True):
        reach = np.abs(scores).max(axis=0)
        scatter_classes(ax, scores / reach, labels, s=12, alpha=0.5)
        for j in np.argsort(-np.linalg.norm(axes, axis=0))[:5]:
            tip = axes[:, j] / np.linalg.norm(axes, axis=0).max()
            ax.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": BLACK, "shrinkA": 0, "shrinkB": 0})
            ax.annotate(names[j].replace("_", " "), tip * 1.06, fontsize=8, ha="center")
        ax.set(title=title, xlim=(-1.3, 1.3), ylim=(-1.3, 1.3))
        ax.set(xlabel=f"component 1: {shares[0]:.1%} of the variance", ylabel=f"component 2: {shares[1]:.1%}")
    axs[0].legend(title="grower", fontsize=8)
    first = [shares[0] for _, _, shares in tables.values()]
    show(
        fig,
        f"178 wines of three growers, with the five longest loadings. Raw, proline alone makes {first[0]:.1%} of the variance; "
        f"scaled, the first component holds {first[1]:.0%} and the growers stand apart.",
    )


def outlier(X, stray, before, after, turned):
    """A cloud and its axis, and the axis after one stray point was added."""
    fig, ax = figure(width=6.5, height=3.4)
    ax.scatter(*X.T, s=8, color=SKY, label=f"{len(X)} birds")
    ax.plot(*stray, MARKERS[6], color=BLACK, markersize=9, label="a misplaced decimal point")
    ax.axline(X.mean(axis=0), X.mean(axis=0) + before, color=RED, label="first axis without it")
    ax.axline(X.mean(axis=0), X.mean(axis=0) + after, color=GREEN, linestyle="--", label="with it")
    ax.set(aspect="equal", xlabel="bill length (mm)", ylabel="bill depth (mm)", xlim=(-25, 35), ylim=(-12, 22))
    ax.legend(fontsize=9, loc="upper left")
    show(fig, f"One wrong row among {len(X)} turns the first axis by {turned:.0f} degrees: variance squares distances.")


def whitened(clouds):
    """The same cloud raw, turned and whitened, each with the ellipse of two standard deviations."""
    fig, axs = figure(len(clouds), width=9.5, height=3.3)
    for ax, (name, X) in zip(axs, clouds.items(), strict=True):
        lam, V = np.linalg.eigh(np.cov(X.T))
        ax.scatter(*X.T, s=8, color=SKY)
        angle = np.degrees(np.arctan2(V[1, 1], V[0, 1]))
        ax.add_patch(Ellipse((0, 0), 4 * np.sqrt(lam[1]), 4 * np.sqrt(lam[0]), angle=angle, fill=False, color=RED))
        reach = 1.15 * np.abs(X).max()
        ax.set(aspect="equal", title=name, xlim=(-reach, reach), ylim=(-reach, reach))
    ratio = np.sqrt(np.divide(*np.linalg.eigvalsh(np.cov(next(iter(clouds.values())).T))[::-1]))
    show(fig, f"Bills as measured, turned onto their axes, and divided by their spreads: the ellipse, {ratio:.1f} times as long as wide, becomes a circle.")


def denoised(clean, dirty, rebuilt, before, after):
    """Digits, digits with noise, and what a few components keep of them."""
    fig, rows = figure(len(clean), 3, width=9, height=3)
    for row, table, name in zip(rows, (clean, dirty, rebuilt), ("clean", "noisy", "rebuilt"), strict=True):
        grid_of_images(row, table.reshape(-1, 8, 8), vmin=0, vmax=16)
        row[0].set_ylabel(name)
    show(
        fig,
        "Ten digits, the same with noise, and rebuilt from 12 components that were learnt from other noisy digits: the mean "
        f"squared error falls from {before:.1f} to {after:.1f}.",
    )


def gain_by_rows(sizes, accuracies):
    """Accuracy on fresh rows against the number of training rows; a dict name → array (seeds, sizes)."""
    fig, ax = figure(width=6.5, height=3.4)
    for j, (name, values) in enumerate(accuracies.items()):
        middle, spread = 100 * values.mean(axis=0), 100 * values.std(axis=0)
        ax.plot(sizes, middle, marker=MARKERS[j], linestyle=LINES[j], label=name)
        ax.fill_between(sizes, middle - spread, middle + spread, alpha=0.2)
    ax.set(xscale="log", xlabel="training rows", ylabel="accuracy on fresh rows (%)")
    ax.set_xticks(sizes, sizes, minor=False)
    ax.minorticks_off()
    ax.legend()
    (a, all_), (b, few) = accuracies.items()
    show(
        fig,
        f"Logistic regression on {a} and on {b}, {len(all_)} draws: with {sizes[0]} rows {100 * all_[:, 0].mean():.0f} against "
        f"{100 * few[:, 0].mean():.0f} %, with {sizes[2]} rows {100 * all_[:, 2].mean():.0f} against {100 * few[:, 2].mean():.0f} %.",
    )


def loud_and_quiet(scores, is_male, shares, accuracy):
    """All three species in the plane of the first two components, coloured by sex; what each component tells."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1.5, 1))
    scatter_classes(left, scores[:, :2], np.where(is_male, "male", "female"), colours=(ORANGE, BLUE), s=12)
    left.set(xlabel=f"component 1 ({shares[0]:.0%} of the variance)", ylabel=f"component 2 ({shares[1]:.0%})")
    left.legend()
    middle, spread = 100 * accuracy.mean(axis=1), 100 * accuracy.std(axis=1)
    right.bar(np.arange(1, 5), middle, yerr=spread, color=[RED, BLUE, GREY, GREY])
    right.axhline(50, color=BLACK, linewidth=0.8, linestyle=LINES[1])
    right.set(xlabel="the one component used", ylabel="sex guessed right (%)", xticks=range(1, 5), ylim=(40, 100))
    show(
        fig,
        f"All {len(scores)} penguins. The loudest component holds {shares[0]:.0%} of the variance and tells the sex in {middle[0]:.0f} %; "
        f"the second holds {shares[1]:.0%} and tells it in {middle[1]:.0f} % (15 neighbours, 5 folds).",
    )


def deflated(spectra):
    """Eigenvalues before, and after one and two axes were taken out."""
    fig, axs = figure(len(spectra), width=9.5, height=2.6, sharey=True)
    for ax, (name, lam) in zip(axs, spectra.items(), strict=True):
        ax.bar(np.arange(1, len(lam) + 1), lam, color=[SKY if v > 1e-9 else RED for v in lam])
        ax.set(title=name, xlabel="eigenvalue number (as before)")
    axs[0].set_ylabel("variance")
    first = next(iter(spectra.values()))
    show(fig, f"Digits: the {len(first)} largest eigenvalues. Taking an axis out sets its own eigenvalue to 0 and leaves the others.")
=======
"""Figures of chapter 2: principal component analysis."""

import numpy as np

from helpers.plotting import COLOURS, MARKERS, figure, show

__all__ = ["show_shadows", "show_triangle_and_shares"]


def show_shadows(X, axes, labels=("first feature", "second feature")):
    """A cloud in the plane beside its shadows on some axes, with the thread from each point to its shadow.

    Parameters
    ----------
    X : array of shape (n, 2), centred
    axes : dict of {name: unit vector}
    labels : two names
    """
    fig, panels = figure(len(axes), width=9.5, height=3.9, sharex=True, sharey=True, squeeze=False)
    reach = 1.15 * np.abs(X).max()
    said = []
    for ax, (name, w) in zip(panels[0], axes.items(), strict=True):
        S = np.outer(X @ w, w)
        share = 100 * (S**2).sum() / (X**2).sum()
        ax.plot(*np.stack([X, S]).transpose(2, 0, 1), color=COLOURS[4], linewidth=0.7)
        ax.plot(*np.outer([-reach, reach], w).T, color=COLOURS[6], linewidth=1)
        ax.scatter(*X.T, s=9, color=COLOURS[5], label="samples")
        ax.scatter(*S.T, s=9, color=COLOURS[1], marker=MARKERS[1], label="shadows")
        ax.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xlabel=labels[0])
        ax.set_title(f"{name}: {share:.0f} % kept")
        said.append(f"{share:.0f} % {name}")
    panels[0, 0].set(ylabel=labels[1])
    panels[0, -1].legend(loc="lower right", fontsize=8)
    show(fig, f"{len(X)} samples and their shadows on {len(axes)} axes. Of the spread they keep {', '.join(said)}.")


def show_triangle_and_shares(x, w, angles, kept, labels=("first feature", "second feature")):
    """One sample, its shadow and the middle as a triangle; what is kept and lost as the axis turns.

    Parameters
    ----------
    x : array of shape (2,), a centred sample
    w : array of shape (2,), the axis, of length 1
    angles : array of shape (m,), of axes in the plane, in degrees
    kept : array of shape (m,), the share of the spread that each keeps, from 0 to 1
    labels : two names
    """
    fig, (left, right) = figure(2, width=9.5, height=3.9)
    shadow = (x @ w) * w
    corners = np.array([0 * x, shadow, x])
    left.axline((0, 0), tuple(w), color=COLOURS[6], linewidth=1)
    for (a, b), name, colour in zip(((0, 1), (1, 2), (0, 2)), ("kept", "lost", "sample"), (1, 4, 5), strict=True):
        side = corners[[a, b]]
        left.plot(*side.T, color=COLOURS[colour], linewidth=3, label=f"{name}: {np.linalg.norm(side[1] - side[0]):.1f}")
    reach = 1.3 * np.abs(corners).max()
    left.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xlabel=labels[0], ylabel=labels[1])
    left.legend(loc="lower right")
    right.stackplot(angles, 100 * kept, 100 - 100 * kept, alpha=0.7, colors=(COLOURS[1], COLOURS[4]))
    most = int(np.argmax(kept))
    right.text(angles[most], 45 * kept[most], "kept", ha="center")
    right.text(angles[np.argmin(kept)], 100 - 45 * (1 - kept.min()), "lost", ha="center")
    right.set(xlabel="angle of the axis (degrees)", ylabel="share of the spread (%)", ylim=(0, 100))
    show(
        fig,
        f"Left: a sample, its shadow and the middle. Right: {len(angles)} axes keep from {100 * kept.min():.0f} "
        f"to {100 * kept.max():.0f} % of the spread and lose the rest; most is kept at {angles[most]:.0f} degrees.",
    )
>>>>>>> tools19
