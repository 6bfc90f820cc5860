"""Figures of chapter 4: manifold learning.

Draws for the derivations of chapter 4: samples are the rows, means are not 0, spreads are unlike.
"""

import numpy as np
from scipy.spatial.distance import cdist

from helpers.derivation import centred, orthonormal, samples
from helpers.plotting import (
    COLOURS,
    GREY,
    MARKERS,
    figure,
    plt,
    show,
)

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
PAPER = "#cfcfcf"
INKS = (BLUE, RED, GREEN, BLACK)


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


def _in_space(fig, place, X, ink, order):
    space = fig.add_subplot(place, projection="3d")
    for letter in range(ink.max() + 1):
        look = {"color": "#aaaaaa", "s": 5}
        if letter:
            look = {"color": INKS[letter - 1], "marker": MARKERS[letter - 1], "s": 11}
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
    for letter, colour, marker in zip("FLAT", INKS, MARKERS, strict=False):
        pca.plot([], [], marker, color=colour, markersize=4, label=letter)
    pca.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
    pca.set(aspect="equal", title="PCA's map")
    long, high = np.ptp(sheet, axis=0)
    show(
        fig,
        f"{len(roll)} points of a sheet, {long:.0f} long and {high:.0f} high, with the word FLAT on it, "
        "rolled up. "
        f"PCA's map is {np.ptp(by_pca[:, 0]):.0f} long: it looks almost along the axis of the roll.",
    )


def _edges_of(ax, points, edges, **look):
    """All edges of a graph, as one line with gaps."""
    i, j = np.nonzero(np.triu(np.isfinite(edges), 1))
    gaps = np.full((len(i), 1, points.shape[1]), np.nan)
    lines = np.concatenate([np.stack([points[i], points[j]], axis=1), gaps], axis=1)
    ax.plot(*lines.reshape(-1, points.shape[1]).T, **{"linewidth": 0.4, "zorder": 0, **look})


def show_ant_and_bird(roll, sheet, edges, path):
    """The graph, two of its points, the straight line and the shortest path between them."""
    fig, (left, right) = figure(2, width=9.5, height=3.4, width_ratios=(1, 1.9))
    for ax, points, title in (
        (left, roll[:, [0, 2]], "the graph, seen from the end"),
        (right, sheet, "the graph, laid flat"),
    ):
        _edges_of(ax, points, edges, color=GREY)
        ax.plot(*points[path].T, color=RED, marker="o", markersize=3, linewidth=1.6, label="shortest path")
        line = "straight line (left: the bird's way; right: the ant's true way)"
        ax.plot(*points[[path[0], path[-1]]].T, "k--", linewidth=1.4, label=line)
        ax.set(title=title, aspect="equal")
        _bare(ax)
    right.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.05))
    bird = np.linalg.norm(roll[path[0]] - roll[path[-1]])
    show(
        fig,
        f"The graph of {len(roll)} points, and two of them, {bird:.0f} apart through the air; the shortest "
        f"path between them has {len(path) - 1} edges.",
    )


def show_graphs(roll, graphs, pieces, maps, ink, apart):
    """Graphs of the roll, seen from its end, and their maps: dicts by L; `apart`: pairs on two turns."""
    fig, axs = figure(len(graphs), 2, width=9.5, height=4.6, height_ratios=(2.2, 1))
    for above, below, (L, edges) in zip(*axs, graphs.items(), strict=True):
        small = iter((PINK, ORANGE, SKY, GREEN))
        for i in range(pieces[L].max() + 1):
            mine = pieces[L] == i
            largest = mine.mean() > 0.5
            look = {"color": "#777777"} if largest else {"color": next(small), "linewidth": 6}
            _edges_of(above, roll[mine][:, [0, 2]], edges[np.ix_(mine, mine)], **look)
        _edges_of(above, roll[:, [0, 2]], np.where(apart, edges, np.inf), color=RED, linewidth=2)
        above.set(aspect="equal", title=f"L = {L}")
        _paper(below, maps[L], ink, size=3)
        below.set(title="its map")
        for ax in (above, below):
            _bare(ax)
    told, counted = (
        ", ".join(map(str, many)) for many in (graphs, (1 + one.max() for one in pieces.values()))
    )
    show(
        fig,
        f"Above: the graph of {len(roll)} points of the roll, seen from its end, with {told} neighbours: "
        f"{counted} pieces. Below: Isomap's maps, each after the best linear function.",
    )


def show_cone(sector, turns, tilts):
    """Lines out of black, one for each turn, on a cone and on its flat sector of that angle."""
    fig = figure(width=9.5, height=3.8)[0]
    fig.clear()
    space, flat = fig.add_subplot(1, 2, 1, projection="3d"), fig.add_subplot(1, 2, 2)
    sine = sector / np.radians(180)  # the sector, rolled up to half a turn: its ends are farthest apart

    def both(far, turn, **look):
        angle = sector * turn / max(turns)
        flat.plot(far * np.cos(angle), far * np.sin(angle), **look)
        around, down = angle / sine - 2.8, -np.sqrt(1 - sine**2) * far
        space.plot(far * sine * np.cos(around), far * sine * np.sin(around), down, **look)

    ends = np.cos(np.radians([max(tilts), min(tilts)]))
    for turn in turns:
        both(np.array([0, ends[0]]), np.full(2, turn), color=GREY, linestyle=":", linewidth=1)
        both(ends, np.full(2, turn), color=plt.get_cmap()(turn / max(turns)), linewidth=3)
        angle = sector * turn / max(turns)
        flat.text(1.09 * np.cos(angle), 1.09 * np.sin(angle), f"{turn}°", ha="center", va="center")
    for tilt in tilts:
        far = np.full(100, np.cos(np.radians(tilt)))
        both(far, np.linspace(0, max(turns), 100), color=GREY, linewidth=0.8)
    _mark_angles(flat, sector, tilts)
    both(np.zeros(1), np.zeros(1), color="black", marker="o")
    flat.text(-0.05, -0.12, "black", ha="center")
    space.text(0.12, 0, 0, "black", va="center")
    space.view_init(elev=18, azim=-70)
    space.set_box_aspect((1, 1, 0.9), zoom=1.15)
    space.set_axis_off()
    space.set_title("a cone (sketch)", y=1.02)
    flat.set(aspect="equal", title="laid flat: a sector; around it the turns", ylim=(-0.2, 1.2))
    _bare(flat)
    told = f"Lines out of black for {len(turns)} turns. The coloured part has the tilts from {max(tilts)}° "
    show(fig, told + f"(near black) to {min(tilts)}°; thin arcs join equal tilts.")


def _mark_angles(ax, sector, tilts):
    """The angle of the sector at its tip, and the tilt of each arc below its start."""
    inner = np.linspace(0, sector, 50)
    ax.plot(0.2 * np.cos(inner), 0.2 * np.sin(inner), color="black", linewidth=1)
    ax.text(0.04, 0.24, f"{np.degrees(sector):.0f}°")
    ax.text(0.25, -0.1, "tilt")
    for tilt in tilts:
        ax.text(np.cos(np.radians(tilt)), -0.1, f"{tilt}°", ha="center")


def show_weights(neighbourhoods, weights_of):
    """Points, their neighbours, and the weights: a dict title → (point, neighbours)."""
    fig, axs = figure(len(neighbourhoods), width=9.5, height=3.3)
    for ax, (title, (here, near)) in zip(axs, neighbourhoods.items(), strict=True):
        w = weights_of(here, near)
        for i, (point, weight) in enumerate(zip(near, w, strict=True)):
            ax.plot(*np.array([here, point]).T, color=GREY, linewidth=1, zorder=0)
            beside = 19 * (point - here) / np.linalg.norm(point - here)
            look = {"textcoords": "offset points", "ha": "center", "va": "center"}
            ax.annotate(f"{weight:.1f}", point, xytext=beside, **look)
            ax.plot(*point, MARKERS[i], color=(BLUE, GREEN, BLACK)[i], markersize=8)
        ax.plot(*here, "X", color=RED, markersize=11)
        ax.set(title=title, aspect="equal", xlim=(-6.5, 6.5), ylim=(-6, 6), xticks=[], yticks=[])
    show(
        fig,
        f"A point (cross) and {len(near)} neighbours, each with its weight: as they are, turned and twice as "
        "large, and stretched to the sides.",
    )
