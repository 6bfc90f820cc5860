"""Figures of chapter 4: manifold learning.

Draws for the derivations of chapter 4: samples are the rows, means are not 0, spreads are unlike.
"""

import numpy as np
from scipy.spatial.distance import cdist

from helpers.derivation import centred, orthonormal, samples
from helpers.plotting import (
    COLOURS,
    LINES,
    MARKERS,
    figure,
    grid_of_images,
    scatter_classes,
    show,
    thumbnails,
)

__all__ = [
    "best_map",
    "best_weights",
    "cloud",
    "eigenpair",
    "moved",
    "neighbours",
    "new_place",
    "new_sample",
    "points",
    "similar",
    "weights",
]

# ---- what the derivations draw at random


def _eigen(A):
    """Eigenvalues, largest first, and eigenvectors in the columns."""
    lam, V = np.linalg.eigh(A)
    return lam[::-1], V[:, ::-1]


def cloud(rng, shape):
    """Samples, their squared lengths and squared distances."""
    X = samples(rng, shape)
    return {"X": X, "n": shape.n, "d": shape.d, "r": (X**2).sum(axis=1), "D2": cdist(X, X) ** 2}


def points(rng, shape):
    """Samples, and the points VΛ^(1/2) that their inner products give."""
    X = samples(rng, shape)
    lam, V = _eigen(centred(X) @ centred(X).T)
    return {"X": X, "n": shape.n, "lam": lam, "V": V, "Z": V * np.sqrt(np.maximum(lam, 0))}


def neighbours(rng):
    """A sample of 6 features, four neighbours in general position, weights that sum to 1."""
    w, x, near = rng.normal(size=4), rng.normal(size=6) + 5, rng.normal(size=(4, 6)) + 5
    return {"x": x, "near": near, "w": w + (1 - w.sum()) / 4, "C": (x - near) @ (x - near).T}


def best_weights(rng):
    """The same, with the weights that rebuild it best: the solution of the constrained least squares."""
    drawn = neighbours(rng)
    first, *others = drawn["near"]
    free = np.linalg.lstsq((others - first).T, drawn["x"] - first, rcond=None)[0]
    return drawn | {"w": np.r_[1 - free.sum(), free]}


def moved(rng):
    """Neighbours and weights, and a rotation, a scale and a shift of everything."""
    return neighbours(rng) | {
        "R": orthonormal(rng, 6, 6),
        "s": rng.uniform(0.5, 3),
        "b": 10 * rng.normal(size=6),
    }


def weights(rng):
    """Weights of 12 rows that sum to 1, and two centred coordinates of variance 1."""
    W = rng.normal(size=(12, 12)) * (1 - np.eye(12))
    W = W + (1 - W.sum(axis=1, keepdims=True)) * (1 - np.eye(12)) / 11
    return _with_spectrum(W, np.linalg.qr(centred(rng.normal(size=(12, 2))))[0] * np.sqrt(12))


def best_map(rng):
    """The same, with the eigenvectors of the second and third eigenvalue for a map."""
    drawn = weights(rng)
    return drawn | {"Z": drawn["V"][:, 1:3] * np.sqrt(12)}


def _with_spectrum(W, Z):
    A = np.eye(len(W)) - W
    lam, V = np.linalg.eigh(A.T @ A)
    return {"W": W, "Z": Z, "lam": lam, "V": V, "n": len(Z), "k": Z.shape[1]}


def similar(rng):
    """A map of 30 points, similarities of pairs in the data (P) and on it (Q); the first point (y) apart."""
    Z, P = 2 * rng.normal(size=(30, 2)) + 1, rng.exponential(size=(30, 30)) * (1 - np.eye(30))
    P, T = (P + P.T) / (2 * P.sum()), (1 - np.eye(30)) / (1 + cdist(Z, Z) ** 2)
    first = {"y": Z[0], "others": Z[1:], "p": P[0, 1:], "S": T[1:, 1:].sum()}
    return {"P": P, "Z": Z, "T": T, "Q": T / T.sum(), "n": 30, **first}


def slope(f, Z, h=1e-5):
    """Gradient of f with respect to each entry of Z, by central differences."""
    steps = h * np.eye(Z.size).reshape(-1, *Z.shape)
    return np.array([(f(Z + step) - f(Z - step)) / (2 * h) for step in steps]).reshape(Z.shape)


def new_place(rng):
    """A centred map on its principal axes, and a new point in it."""
    X = rng.normal(size=(9, 3)) * [3, 2, 1] + 4
    lam, V = _eigen(centred(X) @ centred(X).T)
    lam, V, z = lam[:3], V[:, :3], rng.normal(size=3)
    Z = V * np.sqrt(lam)
    squares = {"mean2": (cdist(Z, Z) ** 2).mean(axis=1), "delta2": ((Z - z) ** 2).sum(axis=1)}
    return {"Z": Z, "V": V, "lam": lam, "z": z, "n": 9, "k": 3, **squares}


def images(X):
    """What the kernel (x · y)² takes the inner products of: all products of two features, in rows."""
    return np.array([np.outer(x, x).ravel() for x in X])


def _gently(rng, shape):
    return samples(rng, shape) / (1 + shape.mean)


def eigenpair(rng, shape):
    """Samples and their images, the kernel matrix, and its largest eigenpair once the images are centred."""
    X = _gently(rng, shape)
    lam, V = _eigen(centred(images(X)) @ centred(images(X)).T)
    drawn = {"X": X, "n": shape.n, "Phi": images(X), "K": (X @ X.T) ** 2, "v": V[:, 0], "lam": lam[0]}
    return drawn | {"u": centred(images(X)).T @ V[:, 0] / np.sqrt(lam[0])}


def new_sample(rng, shape):
    """The same, and a new sample's image and kernels with the samples."""
    drawn = eigenpair(rng, shape)
    x = rng.normal(size=shape.d)
    return drawn | {"phi": np.outer(x, x).ravel(), "kappa": (drawn["X"] @ x) ** 2, "x": x}


# ---- figures

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
TEN = (*COLOURS, "#8B4513", "#7f7f7f", "#8DB600")
GREY, PAPER = "#999999", "#cfcfcf"
INKS = (BLUE, RED, GREEN, BLACK)


def _in_disc(pixels, disc):
    """The picture whose pixels inside the disc are given."""
    image = np.full(disc.shape, np.nan)
    image[disc] = pixels
    return image


def _paper(ax, points, ink, size=9):
    """A sheet's points: pale where it is blank, each letter in its own colour and marker."""
    ax.scatter(*points[ink == 0].T, s=0.4 * size, color=PAPER, linewidths=0)
    for letter in range(1, ink.max() + 1):
        look = {"color": INKS[(letter - 1) % 4], "marker": MARKERS[letter - 1]}
        ax.scatter(*points[ink == letter].T, s=size, linewidths=0, **look)


def _bare(ax):
    ax.set(xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[:].set_visible(False)


def show_photographs(pictures, disc, angles):
    """Pictures in two rows, their angles above."""
    fig, axs = figure(len(pictures) // 2, 2, width=9, height=3.4)
    titles = [f"turn {turn}°, tilt {tilt}°" for turn, tilt in angles]
    grid_of_images(axs, [_in_disc(p, disc) for p in pictures], titles, vmin=0, vmax=1)
    show(
        fig,
        f"One face, turned from left to right, lit from straight above (top) and from {angles[-1][1]} "
        "degrees "
        f"(bottom): {len(pictures[0])} pixels, two angles.",
    )


def show_distances(D, names):
    """A table of distances in hundreds of kilometres, darker for farther."""
    fig, ax = figure(width=6.6, height=5)
    ax.imshow(D, cmap="Blues", vmax=1.6 * D.max())
    for i, j in np.argwhere(D > 0):
        ax.text(j, i, f"{D[i, j] / 100:.0f}", ha="center", va="center", fontsize=9)
    ax.set_xticks(range(len(names)), names, rotation=60, ha="right")
    ax.set_yticks(range(len(names)), names)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    show(fig, f"{len(names)} cities: distances by air in hundreds of km, the longest {D.max():.0f} km.")


def _towns(ax, Z, names):
    ax.plot(*Z.T, "o", color=BLUE, markersize=4)
    for name, place in zip(names, Z, strict=True):
        to = (Z - place) / np.ptp(Z, axis=0).max()
        crowded = ((to[:, 0] > 0) & (to[:, 0] < 0.2) & (np.abs(to[:, 1]) < 0.05)).any()
        look = {"ha": "right", "xytext": (-4, 3)} if crowded else {"xytext": (4, 3)}
        ax.annotate(name, place, textcoords="offset points", fontsize=9, **look)
    low, high = Z.min(axis=0), Z.max(axis=0)
    room = 0.12 * (high - low).max()
    ax.set(
        aspect="equal", xlim=(low[0] - 2 * room, high[0] + 2.6 * room), ylim=(low[1] - room, high[1] + room)
    )
    _bare(ax)


def show_true_to_scale(D, maps):
    """All distances on several maps, each in its best scale, against the table; a dict name → points."""
    fig, axs = figure(len(maps), width=9.5, height=3.4, sharex=True, sharey=True)
    fig.get_layout_engine().set(h_pad=0.1)
    pairs, off = np.triu_indices(len(D), 1), []
    table = D[pairs]
    for ax, (title, Z) in zip(axs, maps.items(), strict=True):
        found = np.linalg.norm(Z[:, None] - Z, axis=2)[pairs]
        found = found * (found @ table) / (found @ found)
        off.append(np.abs(found / table - 1).max())
        ax.axline((0, 0), slope=1, color=BLACK, linewidth=0.8)
        ax.scatter(table, found, s=12, color=BLUE)
        ax.set(title=title, xlabel="in the table (km)", aspect="equal")
    axs[0].set(ylabel="on the map (km)", xlim=(0, None), ylim=(0, None))
    told = ", ".join(f"{100 * share:.0f} %" for share in off)
    show(
        fig,
        f"{len(table)} distances on three maps against the table. Each map has its best scale; the worst "
        "distance "
        f"is off by {told}.",
    )


def show_flat_world(spectra, Z, D, names):
    """Eigenvalues of tables of distances; classical scaling's flat map of one, and its worst pair."""
    fig = figure(width=9.5, height=3.6)[0]
    fig.clear()
    bars, world = fig.subfigures(1, 2, width_ratios=(1, 1.35))
    axs = bars.subplots(len(spectra), sharex=True)
    for ax, (name, lam) in zip(axs, spectra.items(), strict=True):
        ax.bar(np.arange(1, len(lam) + 1), lam, color=np.where(lam < 0, RED, BLUE))
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.set(title=f"eigenvalues: {name}", ylabel="million km²")
    axs[-1].set(xlabel="number, largest first")
    ax = world.subplots()
    _towns(ax, Z, names)
    off = np.abs(np.linalg.norm(Z[:, None] - Z, axis=2) - D)
    a, b = np.unravel_index(off.argmax(), off.shape)
    ax.plot(*Z[[a, b]].T, color=RED, linestyle="--")
    corner = Z.min(axis=0) - (1500, 800)
    ax.plot(corner[0] + np.array([0, 5000]), corner[[1, 1]], color=BLACK, linewidth=2)
    ax.annotate("5,000 km", corner, xytext=(0, 4), textcoords="offset points", fontsize=9)
    ax.set(title="classical scaling's flat map")
    told = f"{names[a]} and {names[b]}, {D[a, b]:,.0f} km apart, are off by {off[a, b]:,.0f} km"
    show(
        fig,
        "Left: Europe has two eigenvalues that count; the world three, and negative ones (orange-red), the "
        f"least {spectra['the world'][-1]:.0f} million km². Right: twelve cities of the world on paper; "
        f"{told}.".replace(" -", " −"),
    )


def _in_space(fig, place, X, ink, order):
    space = fig.add_subplot(place, projection="3d")
    for letter in range(ink.max() + 1):
        look = {"color": "#aaaaaa", "s": 5} if letter == 0 else {"color": INKS[letter - 1], "s": 11}
        space.scatter(*X[ink == letter][:, [0, 2, 1]].T, depthshade=False, linewidths=0, **look)
    x, _, z = X[order].T
    for height in (X[:, 1].min(), X[:, 1].max()):
        space.plot(x, z, height, color=GREY, linewidth=1)
    space.view_init(elev=52, azim=-60)
    space.set_box_aspect((1, 1, 0.7), zoom=1.2)
    space.set(xticks=[], yticks=[], zticks=[], title="the roll")
    space.set_axis_off()


def show_roll(roll, sheet, by_pca, ink):
    """The roll in space, the sheet that it was, and PCA's map of it."""
    fig = figure(width=9.5, height=4.6)[0]
    fig.clear()
    grid = fig.add_gridspec(2, 2, width_ratios=(1, 1.5), height_ratios=(1, 1.25))
    _in_space(fig, grid[:, 0], roll, ink, sheet[:, 0].argsort())
    flat, pca = fig.add_subplot(grid[0, 1]), fig.add_subplot(grid[1, 1])
    _paper(flat, sheet, ink)
    flat.set(aspect="equal", title="the sheet that it was: what we would like to see")
    _paper(pca, by_pca, ink)
    pca.set(aspect="equal", title="PCA's map")
    long, high = np.ptp(sheet, axis=0)
    show(
        fig,
        f"{len(roll)} points of a sheet, {long:.0f} long and {high:.0f} high, with the word FLAT on it, "
        "rolled up. "
        f"PCA's map is {np.ptp(by_pca[:, 0]):.0f} long: the roll from near its end, its letters nearly "
        "edge on.",
    )


def show_ant_and_bird(roll, sheet, t, path, on_graph):
    """Two points of the roll: the straight line, and the shortest path from neighbour to neighbour."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1, 1.9))
    for ax, points, title in (
        (left, roll[:, [0, 2]], "seen from the end"),
        (right, sheet, "laid flat"),
    ):
        ax.scatter(*points[::2].T, c=t[::2], s=5, cmap="cividis", alpha=0.5)
        ax.plot(*points[path].T, color=RED, marker="o", markersize=3, linewidth=1.4, label="shortest path")
        line = "straight line: the bird's way left, the ant's way right"
        ax.plot(*points[[path[0], path[-1]]].T, "k--", linewidth=1.2, label=line)
        ax.set(title=title, aspect="equal")
    right.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.3))
    bird, ant = (np.linalg.norm(X[path[0]] - X[path[-1]]) for X in (roll, sheet))
    show(
        fig,
        f"Two points of the roll. The straight line between them is {bird:.0f} long, the shortest path from "
        f"neighbour to neighbour {on_graph:.0f}, the true way along the sheet {ant:.0f}.",
    )


def show_unrolled(Z, ink, misfit):
    """Isomap's map of the roll."""
    fig, ax = figure(width=8.5, height=2.8)
    fig.get_layout_engine().set(h_pad=0.1)
    _paper(ax, Z, ink, size=14)
    ax.set(aspect="equal", title="Isomap's map")
    show(
        fig,
        f"The word, unrolled from {len(Z)} points in space; turned onto the true sheet the map is off by "
        f"{100 * misfit:.0f} % of its spread.",
    )


def show_how_many(lam, residual):
    """Isomap's eigenvalues, both ends; the residual variance by the number of coordinates."""
    fig, (left, right) = figure(2, width=9.5, height=3.2)
    places = np.r_[np.arange(1, 7), np.arange(9, 13)]
    values = np.r_[lam[:6], lam[-4:]] / lam[0]
    for which, sign in ((values > 0, 0), (values < 0, 1)):
        look = {"color": (BLUE, RED)[sign], "label": ("positive", "negative")[sign]}
        left.semilogy(places[which], np.abs(values[which]), "ov"[sign], **look)
    left.set_xticks(places, [*range(1, 7), *range(len(lam) - 3, len(lam) + 1)], fontsize=9, rotation=45)
    left.set(xlabel="eigenvalue, numbered", ylabel="size, as share of the first", ylim=(1e-3, 2))
    left.legend()
    for j, (name, values) in enumerate(residual.items()):
        right.semilogy(
            np.arange(1, len(values) + 1), values, marker=MARKERS[j], linestyle=LINES[j], label=name
        )
    right.set(xlabel="coordinates k", ylabel="residual variance", xticks=range(1, 6), ylim=(1e-4, 2))
    right.legend(loc="center right")
    show(
        fig,
        f"Left: the six largest eigenvalues of {len(lam)}, and the four least, which are negative "
        f"(orange-red triangles), down to {100 * lam[-1] / lam[0]:.1f} % of the first. Right: what k "
        f"coordinates leave unexplained of the ant's distances: Isomap {residual['Isomap'][0]:.3f} with one, "
        f"{residual['Isomap'][1]:.4f} with two; PCA {residual['PCA'][-1]:.2f} with three.".replace(
            " -", " −"
        ),
    )


def show_maps(maps, ink):
    """Maps of the sheet side by side in one scale, a dict title → points."""
    fig, axs = figure(len(maps), width=10, height=2.3, sharex=True, sharey=True)
    for ax, (title, Z) in zip(axs, maps.items(), strict=True):
        _paper(ax, Z, ink, size=7)
        ax.set_title(title, fontsize=10)
        ax.set(aspect="equal")
        _bare(ax)
    told = "; ".join(maps)
    show(
        fig,
        f"Isomap of the roll with too few, enough and too many neighbours ({told}), in one scale. Torn, "
        "flat, short-cut.",
    )


def show_short_circuits(roll, pairs, longest, truth):
    """Edges between two turns; the longest way in the graph by the number of neighbours, and the true one."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1, 1.5))
    left.scatter(roll[:, 0], roll[:, 2], s=4, color=SKY)
    for pair in pairs:
        left.plot(roll[pair, 0], roll[pair, 2], color=RED, linewidth=2.5)
    cliff, end = list(longest.items())[-2]
    sound = min(way for L, way in longest.items() if L < cliff)
    left.set(aspect="equal", title=f"L = {cliff}: edges that jump: {len(pairs)}")
    right.plot(list(longest), list(longest.values()), marker=MARKERS[0])
    right.axhline(truth, color=BLACK, linestyle="--", linewidth=1)
    right.text(max(longest), truth + 2, "the truth", ha="right", fontsize=9)
    right.set(
        xlabel="neighbours L", ylabel="longest way in the graph", ylim=(0, 1.12 * max(longest.values()))
    )
    show(
        fig,
        f"Left: with {cliff} neighbours one edge joins two turns of the roll. Right: the longest way falls "
        f"from {max(longest.values()):.0f} to {sound:.0f}, the true length is {truth:.0f}; with that edge it "
        f"drops to {end:.0f}: a plateau and a cliff.",
    )


def show_hole(framed, bent, large, warp, sound):
    """A flat frame and Isomap's map of it, with the true places as grey threads; `sound`: a full square."""
    fig, (left, right) = figure(2, width=7.5, height=3.5, sharex=True, sharey=True)
    left.scatter(*framed.T, s=7, color=BLUE)
    right.plot(*np.stack([framed, bent]).transpose(2, 0, 1), color=PAPER, linewidth=0.7)
    right.scatter(*bent.T, s=7, color=RED)
    left.set(aspect="equal", title="a flat frame")
    told = f"{100 * large:.0f} % too large, bent by {100 * warp:.0f} %"
    right.set(aspect="equal", title=f"Isomap: {told}")
    show(
        fig,
        f"{len(framed)} points of a flat frame, and Isomap's map (threads lead to the true places): ways "
        f"round the hole are too long, so the frame comes out {told} once it is scaled back. As many points "
        f"of a full square come out {100 * sound:.0f} % too large.",
    )


def show_cone(truth, turns, bright, opening):
    """The cone on which the pictures lie, and the sector that it becomes when cut open."""
    fig = figure(width=9, height=3.9)[0]
    fig.clear()
    grid = fig.add_gridspec(1, 2, width_ratios=(1, 1.25))
    space, flat = fig.add_subplot(grid[0], projection="3d"), fig.add_subplot(grid[1])
    _cone(space, turns, bright, opening)
    dots, reach = flat.scatter(*truth.T, c=turns, s=9), bright.max()
    for turn in (0, 60, 120):
        end = reach * np.array([np.cos(opening * turn), np.sin(opening * turn)])
        flat.plot(*np.array([[0, 0], end]).T, "k--", linewidth=0.8)
        side = "right" if turn > 90 else "left"
        flat.text(*(1.06 * end), f"turn {turn}°", fontsize=9, ha=side, va="center")
    flat.plot(0, 0, "ko", markersize=5)
    flat.annotate("black", (0, 0), (0, -12), textcoords="offset points", ha="center", fontsize=9)
    flat.set(aspect="equal", title="cut open: a sector", xlim=(-1.45 * reach, 1.6 * reach))
    flat.set(ylim=(-0.25 * reach, 1.18 * reach))
    _bare(flat)
    fig.colorbar(dots, ax=flat, label="turn (degrees)", shrink=0.8)
    show(
        fig,
        f"Where {len(truth)} pictures lie: on a cone with its tip at black. Cut open, it is a sector of "
        f"about {5 * round(np.rad2deg(120 * opening) / 5)} degrees; brightness is the distance from the tip.",
    )


def _cone(space, turns, bright, opening, slope=0.75):
    """Angles round the axis are larger than on paper by 1 / slope."""

    def place(turn, size):
        a = opening * turn / slope
        return size * slope * np.cos(a), size * slope * np.sin(a), size * np.sqrt(1 - slope**2)

    space.scatter(*place(turns, bright), c=turns, s=6, depthshade=False)
    space.scatter(0, 0, 0, color=BLACK, s=25)
    for turn in (0, 60, 120):
        space.plot(*place(turn, np.array([0, bright.max()])), "k--", linewidth=0.8)
    space.text(0, 0, -0.1 * bright.max(), "black", ha="center", va="top", fontsize=9)
    space.view_init(elev=22, azim=-35)
    space.set_box_aspect(None, zoom=1.15)
    space.set(title="a cone")
    space.set_axis_off()


def show_photo_maps(truth, maps, photos, disc):
    """The truth and two maps small, and the last map large, with pictures on one grey scale."""
    fig = figure(width=9.5, height=7.6)[0]
    fig.clear()
    grid = fig.add_gridspec(2, 3, height_ratios=(1, 2.4))
    found = list(maps.values())[-1]
    colour = np.arctan2(truth[:, 1], truth[:, 0])
    everything = np.vstack([truth, *maps.values()])
    pad = 0.06 * np.ptp(everything, axis=0)
    low, high = everything.min(axis=0) - pad, everything.max(axis=0) + pad
    for k, (name, Z) in enumerate({"the truth": truth, **maps}.items()):
        ax = fig.add_subplot(grid[0, k])
        ax.scatter(*Z.T, c=colour, s=5)
        ax.set(aspect="equal", title=name, xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        _bare(ax)
    ax = fig.add_subplot(grid[1, :])
    ax.scatter(*found.T, s=5, color=PAPER)
    ax.set(aspect="equal")
    ax.margins(0.07, 0.1)
    _bare(ax)
    thumbnails(ax, found, [_in_disc(p, disc) for p in photos], zoom=1.5, apart=0.1)
    show(
        fig,
        f"{len(truth)} pictures of two angles. Above: where they should be, PCA's map in its best scale, "
        "Isomap's in "
        "its own. Below: Isomap's map with pictures, all on one grey scale; round the tip they turn, "
        "towards it they darken.",
    )


def show_weights(neighbourhoods, weights_of):
    """Points, their neighbours, and the weights: a dict title → (point, neighbours)."""
    fig, axs = figure(len(neighbourhoods), width=9.5, height=3)
    for ax, (title, (here, near)) in zip(axs, neighbourhoods.items(), strict=True):
        w = weights_of(here, near, 1e-9)
        for point, weight in zip(near, w, strict=True):
            ax.plot(*np.array([here, point]).T, color=GREY, linewidth=1, zorder=0)
            out = 18 * (point - here) / np.linalg.norm(point - here)
            look = {"textcoords": "offset points", "ha": "center", "va": "center"}
            beside = (0.7 * out[0], 14 * np.sign(out[1]))
            ax.annotate(f"{weight:.2f}", point, xytext=beside, **look)
        ax.plot(*near.T, "o", color=BLUE, markersize=8)
        ax.plot(*here, "X", color=RED, markersize=11)
        ax.set(title=title, aspect="equal", adjustable="datalim")
        ax.margins(0.6)
    show(
        fig,
        f"A point (cross), rebuilt from {len(near)} neighbours, as they are, turned and doubled, and "
        f"stretched: the weights are the same, the largest is {w.max():.2f}.",
    )


def show_lle(Z, ink, misfit, trust):
    """LLE's map of the roll, stretched to the sheet's shape and as it is."""
    fig, (raw, wide) = figure(2, width=9.5, height=2.9, width_ratios=(1, 2.4))
    _paper(raw, Z, ink, size=5)
    raw.set(title="as it is", aspect="equal")
    _paper(wide, Z, ink, size=10)
    wide.set(title="the same, pulled wide to be read")
    for ax in (raw, wide):
        _bare(ax)
    show(
        fig,
        f"LLE with 12 neighbours: the order is right (trustworthiness {trust:.3f}), lengths are not (misfit "
        f"{100 * misfit:.0f} % with the best scale).",
    )


def show_ridges(maps, shares, linear, ink):
    """LLE with and without a ridge, a dict title → map, how linear each is; and the data's own linear map."""
    fig, axs = figure(len(maps) + 1, width=9.5, height=3)
    titles = [f"{name}: {100 * share:.0f} % linear" for name, share in zip(maps, shares, strict=True)]
    panels = [*maps.values(), linear]
    for ax, title, Z in zip(axs, [*titles, "a linear image of the roll"], panels, strict=True):
        _paper(ax, Z, ink, size=7)
        ax.set(title=title)
        _bare(ax)
    show(
        fig,
        f"LLE of {len(linear)} points. With its ridge it unrolls; with next to none the map is a linear "
        f"function of the data ({100 * shares[-1]:.0f} % of its variance), point for point the third panel: "
        "the roll, seen from somewhere.",
    )


def show_tails(gaps, far, curves):
    """How far apart pairs are in few and many dimensions; two curves of closeness."""
    fig, (left, right) = figure(2, width=9.5, height=3)
    for j, (name, values) in enumerate(gaps.items()):
        left.hist(values, bins=60, histtype="step", density=True, linewidth=1.8, color=COLOURS[j], label=name)
    left.set(xlabel="distance of a pair (root mean square 1)", ylabel="how often", yticks=[], xlim=(0, 3))
    left.legend()
    for j, (name, values) in enumerate(curves.items()):
        right.plot(far, values, linestyle=LINES[j], color=COLOURS[j + 2], label=name)
    right.set(xlabel="distance on the map", ylabel="closeness")
    right.legend()
    ten = list(gaps.values())[-1]
    show(
        fig,
        f"Left: in ten dimensions nearly all pairs are about equally far ({100 * np.mean(ten < 0.5):.0f} % "
        "nearer than "
        f"half the usual); paper has no room for that. Right: at distance 2 the heavy tail is still "
        f"{1 / 5:.1f}, the Gaussian {np.exp(-4):.2f}.",
    )


def show_film(frames, steps, labels):
    """A map on its way, one picture for each number of steps."""
    fig, axs = figure(3, len(frames) // 3, width=9.5, height=6.2)
    for ax, Z, step in zip(np.ravel(axs), frames, steps, strict=True):
        for c in np.unique(labels):
            look = {"color": TEN[c], "marker": MARKERS[c]}
            ax.scatter(*Z[labels == c].T, s=4, linewidths=0, alpha=0.7, **look)
        ax.set(title=f"{step} steps")
        _bare(ax)
    for c in np.unique(labels):
        its = Z[labels == c]
        ax.annotate(
            str(c),
            its[np.argmin(np.linalg.norm(its - np.median(its, axis=0), axis=1))],
            fontsize=13,
            weight="bold",
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.6, "pad": 1},
        )
    show(
        fig,
        f"{len(labels)} digits: t-SNE after {', '.join(map(str, steps))} steps, each picture in its own "
        "scale; it "
        f"begins as PCA and ends in more islands than ten: the ones alone make three.",
    )


def _ratio(Z, cloud, what):
    """Of the sizes of two clouds, or of the gaps between three."""
    parts = [Z[cloud == c] for c in np.unique(cloud)]
    if what == "sizes":
        a, b = (part.std(axis=0).mean() for part in parts)
    else:
        centres = [part.mean(axis=0) for part in parts]
        b, a = (np.linalg.norm(q - p) for p, q in zip(centres, centres[1:], strict=False))
    return a / b


def _enlarged(ax, part):
    """A part of a map, drawn large in a corner."""
    corner = ax.inset_axes((0.45, 0.05, 0.36, 0.3))
    corner.scatter(*part.T, s=5, color=RED)
    corner.set(xticks=[], yticks=[])
    corner.spines[:].set(visible=True, color=PAPER)
    corner.set_title("enlarged", fontsize=8, pad=2)


def show_two_warnings(cases, methods):
    """Maps of sets: dicts what → (samples, rows a cloud, true ratio) and name of a method → its function."""
    fig, rows = figure(len(methods), len(cases), width=9.5, height=5.4)
    told = []
    for axs, (what, (X, many, truth)) in zip(rows, cases.items(), strict=True):
        cloud, found = np.arange(len(X)) // many, []
        for ax, (name, method) in zip(axs, methods.items(), strict=True):
            Z = method(X)
            found.append(f"{_ratio(Z, cloud, what):.1f}")
            scatter_classes(ax, Z, cloud, s=12)
            ax.set(title=f"{what}, {name}: {found[-1]} : 1", aspect="equal", adjustable="datalim")
            _bare(ax)
            ax.spines[:].set(visible=True, color=PAPER)
        if what == "sizes":
            _enlarged(ax, Z[cloud == 1])
        told.append(f"{what} of {truth} : 1 become {found[1]} : 1 and {found[2]} : 1")
    show(
        fig,
        "Two clouds, and three, by PCA (left) and by t-SNE of the perplexities 30 and 120: "
        f"{told[0]} (a tight cloud torn in two: inset); {told[1]}, and two clouds lie as arcs of one ring.",
    )


def show_perplexities(maps):
    """One cloud under several perplexities, a dict perplexity → map."""
    fig, axs = figure(len(maps), width=9, height=3.1)
    for ax, (perplexity, Z) in zip(axs, maps.items(), strict=True):
        ax.scatter(*Z.T, s=10, color=BLUE)
        ax.set(title=f"perplexity {perplexity}", aspect="equal")
        _bare(ax)
    many = ", ".join(map(str, maps))
    show(
        fig,
        f"One Gaussian cloud of {len(Z)} points under the perplexities {many}; with {min(maps)}: "
        "clusters that are none.",
    )


def show_large_map(Z, images, labels, side=1500, zoom=3):
    """Every picture that finds room, at its place: ink in the colour of its class on white paper."""
    from matplotlib.colors import to_rgb

    fig, ax = figure(width=8.6, height=8.6)
    paper, taken = np.ones((side, side, 3)), np.zeros((side, side), bool)
    size = zoom * images.shape[1]
    at = (Z - Z.min(axis=0)) / np.ptp(Z, axis=0).max() * (side - size)
    drawn = 0
    for (x, y), image, c in zip(at.astype(int), images / images.max(), labels, strict=True):
        place = slice(side - size - y, side - y), slice(x, x + size)
        middle = slice(place[0].start + 5, place[0].stop - 5), slice(x + 5, x + size - 5)
        if not taken[middle].any():
            ink = np.kron(image, np.ones((zoom, zoom)))[..., None]
            paper[place] = np.minimum(paper[place], 1 - ink * (1 - np.array(to_rgb(TEN[c]))))
            taken[middle], drawn = True, drawn + 1
    ax.imshow(paper)
    ax.set_axis_off()
    show(
        fig, f"{drawn} of {len(Z)} digits, each where t-SNE put it; one that would cover another is left out."
    )


def show_newcomers(Z, truth, misfit, before):
    """Old rows, then newcomers with threads to their true places; misfit of the new and of the old ones."""
    fig, ax = figure(width=6.5, height=3.8)
    old = len(Z) - len(truth)
    ax.plot(*np.stack([truth, Z[old:]]).transpose(2, 0, 1), color=BLACK, linewidth=0.6, alpha=0.6)
    ax.scatter(*Z[:old].T, s=9, color=PAPER, label=f"{old} old pictures")
    look = {"s": 12, "color": RED, "marker": MARKERS[1]}
    ax.scatter(*Z[old:].T, **look, label=f"{len(truth)} newcomers; threads lead to the true places")
    ax.set(aspect="equal")
    _bare(ax)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), fontsize=9)
    show(
        fig,
        f"{len(truth)} faces that Isomap had not seen, placed on its map: off by {100 * misfit:.1f} %; the "
        f"{old} old ones themselves by {100 * before:.1f} %.",
    )


def show_contest(maps, scores, ink):
    """The word by several methods in one scale, with misfit and share of kept neighbours of each."""
    look = {"sharex": True, "sharey": "row", "height_ratios": (1, 2.6)}
    fig, axs = figure(2, 2, width=9.5, height=5.6, **look)
    for ax, (name, Z) in zip(np.ravel(axs), maps.items(), strict=True):
        _paper(ax, Z, ink, size=6)
        off, kept = scores[name]
        ax.set(title=f"{name}: misfit {100 * off:.0f} %, neighbours kept {100 * kept:.0f} %", aspect="equal")
        _bare(ax)
    show(
        fig,
        "The word on the roll by four methods, each with its best scale: only Isomap keeps lengths, misfit "
        f"{100 * scores['Isomap'][0]:.0f} %; t-SNE keeps as many neighbours, "
        f"{100 * scores['t-SNE'][1]:.0f} %.",
    )


def show_read_digits(ks, curves, pixels):
    """Unseen digits read right with k coordinates, a dict name → shares; and by all pixels."""
    fig, ax = figure(width=6.5, height=3.3)
    for j, (name, shares) in enumerate(curves.items()):
        ax.semilogx(ks, 100 * np.array(shares), linestyle=LINES[j], marker=MARKERS[j], label=name)
    ax.axhline(100 * pixels, color=BLACK, linestyle=":", label="all 64 pixels")
    ax.set(xlabel="coordinates", ylabel="unseen digits read right (%)", ylim=(0, 102))
    ax.set_xticks([1, 2, 3, 5, 9, 20, 35], [1, 2, 3, 5, 9, 20, 35])
    ax.minorticks_off()
    ax.legend(loc="lower right")
    two = ", ".join(f"{name} {100 * shares[1]:.0f} %" for name, shares in curves.items())
    show(
        fig,
        f"Unseen digits read by five neighbours. With two coordinates: {two}; "
        f"with all 64 pixels {100 * pixels:.0f} %.",
    )


def show_rings(rings, ring, maps):
    """Two rings, and two coordinates of kernel PCA for several widths, a dict γ → map."""
    fig, axs = figure(len(maps) + 1, width=10, height=2.9)
    pictures = {"two rings": rings, **{f"RBF, γ = {gamma}": Z for gamma, Z in maps.items()}}
    for ax, (title, Z) in zip(axs, pictures.items(), strict=True):
        scatter_classes(ax, Z, ring, ["inner", "outer"], s=12)
        ax.set(title=title, xticks=[], yticks=[])
    axs[0].legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2)
    told = [abs(np.corrcoef(Z.T, ring)[2, :2]).max() for Z in maps.values()]
    show(
        fig,
        "Two rings and kernel PCA for three widths. The best correlation of a coordinate with the ring is "
        + ", ".join(f"{c:.2f}" for c in told)
        + ".",
    )


def show_fresh_rings(Z, ring, placed, theirs):
    """Fresh points among the old ones on a map."""
    fig, ax = figure(width=5.5, height=3.3)
    scatter_classes(ax, Z, ring, ["inner, old", "outer, old"], s=12, alpha=0.35)
    for c, name in enumerate(("inner, fresh", "outer, fresh")):
        ax.scatter(*placed[theirs == c].T, s=34, color=COLOURS[c], marker="xP"[c], label=name)
    ax.set(xlabel="coordinate 1", ylabel="coordinate 2")
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    show(fig, f"{len(placed)} fresh points, placed among {len(Z)} old ones by their kernels.")
