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
