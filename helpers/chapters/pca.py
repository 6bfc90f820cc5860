"""Figures of chapter 2: principal component analysis.

Draws for the derivations of chapter 2: samples are the rows, means are not 0, spreads are unlike.

Beside the draws stand what a derivation is told: `best_frame`, its `neighbour`, and a `slope` by differences.
"""

import numpy as np

from helpers.derivation import centred, orthonormal, samples
from helpers.plotting import COLOURS, GREY, MARKERS, figure, show

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
