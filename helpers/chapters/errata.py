"""Figures of chapter 13: eleven counterexamples."""

import numpy as np

from helpers.plotting import COLOURS, GREY, LINES, MARKERS, figure, show

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS


def show_leak(leaky, honest):
    """Accuracy on noise, seed by seed: genes selected before the folds, and inside them."""
    fig, ax = figure(height=2.6)
    for row, (values, colour) in enumerate(((honest, BLUE), (leaky, RED))):
        ax.scatter(values, np.full(len(values), row), s=45, color=colour, alpha=0.7)
        ax.plot([values.mean()] * 2, [row - 0.3, row + 0.3], color=BLACK)
    ax.axvline(0.5, color=GREY, linestyle=LINES[1])
    ax.text(0.505, 1.42, "a coin", color="#555555", fontsize=9)
    ax.set(yticks=(0, 1), yticklabels=("selected inside", "selected before"), ylim=(-0.6, 1.7))
    ax.set(xlabel="accuracy that cross-validation reports", xlim=(0.25, 1.01))
    show(
        fig,
        f"{len(leaky)} tables of pure noise. Genes selected before the folds: {leaky.mean():.2f} on average; "
        f"inside: {honest.mean():.2f}.",
    )


def show_p_values(p):
    """Histograms of p over tables of noise, by the way of filling."""
    fig, axs = figure(len(p), width=8, height=3, sharey=True)
    edges = np.linspace(0, 1, 21)
    for ax, (how, values), colour in zip(axs, p.items(), (RED, BLUE), strict=True):
        ax.hist(values, edges, color=colour, alpha=0.75)
        ax.axhline(len(values) / 20, color=GREY, linestyle=LINES[1])
        ax.set(title=f"filled with the {how}", xlabel="p of a t test", xlim=(0, 1))
    axs[0].set_ylabel("tables")
    axs[0].text(0.4, len(p["class mean"]) / 20 + 6, "what chance gives", color="#555555", fontsize=9)
    told = ", ".join(f"{how} {100 * (values < 0.05).mean():.0f} %" for how, values in p.items())
    show(
        fig, f"p on a feature of noise, half blank. Below 0.05: {told} of {len(p['class mean'])} tables each."
    )


def show_bins(bins, own, fresh, empty):
    """Error of step functions against the number of bins; `empty` is the share of empty ones at the end."""
    fig, ax = figure(height=3.4)
    ax.plot(bins, own, marker=MARKERS[0], color=BLUE, linestyle=LINES[1], label="on the 60 samples")
    ax.plot(bins, fresh, marker=MARKERS[1], color=RED, label="on new samples")
    best = np.argmin(fresh)
    ax.plot(bins[best], fresh[best], MARKERS[2], color=BLACK, markersize=9, fillstyle="none")
    ax.set(xlabel="bins", ylabel="mean squared error", ylim=(0, None), xlim=(0, max(bins) + 1))
    ax.axhline(0.25, color=GREY, linestyle=LINES[2])
    ax.text(max(bins), 0.265, "the noise itself", color="#555555", fontsize=9, ha="right")
    ax.legend()
    show(
        fig,
        f"More bins always fit better. New samples: least error {fresh[best]:.2f} at {bins[best]} bins, "
        f"{fresh[0]:.2f} at {bins[0]}, {fresh[-1]:.2f} at {bins[-1]}, of which {100 * empty:.0f} % are "
        "empty.",
    )


def show_uncentred(cloud, first, cosines):
    """A cloud far from the origin, and the first axis of two matrices."""
    fig, ax = figure(width=6.5, height=4.2)
    middle = cloud.mean(axis=0)
    ax.scatter(*cloud.T, s=12, color=GREY, alpha=0.6)
    starts = {"uncentred": np.zeros(2), "centred": middle}
    reach = {"uncentred": 9, "centred": 3.2}
    for (name, axis), colour, dash in zip(first.items(), (RED, BLUE), (LINES[1], LINES[0]), strict=True):
        back = reach[name] if name == "centred" else 0
        ends = starts[name] + np.outer([-back, reach[name]], axis * np.sign(axis[0]))
        ax.plot(*ends.T, color=colour, linestyle=dash, linewidth=2.5, label=f"first axis, {name}")
    ax.plot(0, 0, "+", color=BLACK, markersize=12)
    ax.annotate("origin", (0, 0), (0.25, -0.55), fontsize=9)
    ax.set(aspect="equal", xlim=(-0.8, 10), ylim=(-1, 6.5), xlabel="feature 1", ylabel="feature 2")
    ax.legend(loc="upper left", fontsize=9)
    show(
        fig,
        f"Uncentred, the first axis points from the origin at the mean (cosine {cosines['uncentred']:.3f}); "
        f"centred, along the cloud ({cosines['centred']:.2f}).",
    )


def show_thresholds(cuts, plain, balanced):
    """Plain and balanced error against the threshold."""
    fig, ax = figure(height=3.4)
    for name, values, colour, dash in (
        ("all errors", plain, BLUE, LINES[0]),
        ("balanced error", balanced, RED, LINES[1]),
    ):
        low = np.argmin(values)
        ax.plot(cuts, values, color=colour, linestyle=dash, label=name)
        ax.plot(cuts[low], values[low], MARKERS[2], color=colour, markersize=8)
    for place, name in ((0.1, "base rate"), (0.5, "one half")):
        ax.axvline(place, color=GREY, linewidth=1)
        ax.text(place + 0.01, 0.53, name, color="#555555", fontsize=9)
    ax.set(xlabel="say positive above this probability", ylabel="error", ylim=(0, 0.57), xlim=(0, 0.9))
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.4))
    at = {place: plain[np.argmin(np.abs(cuts - place))] for place in (0.1, 0.5)}
    show(
        fig,
        f"Exact probabilities, one in ten positive. All errors: {at[0.1]:.3f} at the base rate, "
        f"{at[0.5]:.3f} at one half. The balanced error is least at {cuts[np.argmin(balanced)]:.2f}.",
    )


def show_novelty(clean, panels):
    """Which rows each detector flags. `panels`: {title: (strays, flags of all rows)}."""
    fig, axs = figure(len(panels), width=9, height=3.4, sharex=True, sharey=True)
    for ax, (name, (strays, flags)) in zip(axs, panels.items(), strict=True):
        n = len(clean)
        for rows, flagged, marker, size in ((clean, flags[:n], "o", 8), (strays, flags[n:], "^", 22)):
            ax.scatter(*rows[~flagged].T, s=size, color=BLUE, marker=marker)
            ax.scatter(*rows[flagged].T, s=size, color=RED, marker=marker)
        ax.set(title=name, xlim=(-7, 7), ylim=(-7, 7), aspect="equal")
        ax.title.set_fontsize(10)
    told = "; ".join(f"{how}: {100 * flags[len(clean) :].mean():.0f} %" for how, (_, flags) in panels.items())
    show(
        fig,
        f"{len(clean)} clean rows (dots) and {len(strays)} strays (triangles), orange-red if flagged. "
        f"Of the strays, {told}.",
    )


def show_deltas(ends, on_segment, in_box, detours):
    """Where new points land with one δ and with a δ for each attribute."""
    fig, axs = figure(2, width=8, height=2.2, sharex=True, sharey=True)
    for ax, new, colour, name in (
        (axs[0], on_segment, BLUE, "one δ for a point"),
        (axs[1], in_box, RED, "a δ for each attribute"),
    ):
        ax.scatter(*new.T, s=10, color=colour, alpha=0.6)
        ax.plot(*ends.T, MARKERS[2], color=BLACK, markersize=9, zorder=3)
        ax.set(title=name, xlim=(0.7, 4.3), ylim=(0.75, 2.25), xlabel="attribute 1", aspect="equal")
    axs[0].set_ylabel("attribute 2")
    show(
        fig,
        f"{len(on_segment)} new points between two positives (black squares). Left: on the segment. Right: "
        f"anywhere in the box, a detour of up to {detours.max():.2f}.",
    )


def show_triangle(corners, kept, printed, right):
    """Three corners, a line that cuts one off, and its margin."""
    fig, ax = figure(width=5.6, height=4)
    angle = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(angle), np.sin(angle), color=GREY, linewidth=1)
    height = corners[0, 1] - kept
    ax.fill_between([-1.4, 1.7], height - kept, height + kept, color=ORANGE, alpha=0.2)
    ax.plot([-1.4, 1.7], [height] * 2, color=BLACK)
    for corner, colour, marker in zip(corners, (RED, BLUE, BLUE), "^oo", strict=True):
        ax.plot(*corner, marker, color=colour, markersize=11, clip_on=False)
    ax.annotate("", (1.1, height + kept), (1.1, height), arrowprops={"arrowstyle": "<->", "color": BLACK})
    ax.text(1.14, height + kept / 2, f"γ = {kept:.2f}", va="center", fontsize=10)
    ax.set(aspect="equal", xlim=(-1.4, 1.75), ylim=(-1.1, 1.15))
    ax.axis("off")
    show(
        fig,
        f"Three corners on a circle of radius 1, one of 8 labellings; each leaves a margin of {kept:.2f} or "
        f"more. The printed bound allows {printed:.0f} points, the right one {right:.0f}.",
    )


def show_sampling(time, wave, samples, off):
    """A sine and what two sampling rates see of it; `off` is how far a signal of finite energy is missed."""
    fig, axs = figure(1, len(samples), width=8, height=3.6, sharex=True)
    for ax, (rate, seen), colour in zip(axs, samples.items(), (RED, BLUE), strict=True):
        ax.plot(time, wave, color=GREY, linewidth=1)
        ax.stem(np.arange(len(seen)) / rate, seen, linefmt=colour, markerfmt="o", basefmt=" ")
        ax.set(ylabel=f"{rate:g} a beat", ylim=(-1.3, 1.3), yticks=(-1, 0, 1))
    axs[-1].set_xlabel("beats of the sine")
    told = ", ".join(f"{rate:g} samples a beat: {np.abs(seen).max():.2f}" for rate, seen in samples.items())
    show(
        fig,
        f"Largest value seen of an endless sine of height 1, {told}. A signal of finite energy and the same "
        f"highest frequency, rebuilt from 2 samples a beat: off by {off:.0e} at most.",
    )


def show_walks(right, squared):
    """Gradient steps on x² / 8 with two values of L."""
    fig, axs = figure(2, width=8, height=3.2)
    for ax, walk, name, colour in ((axs[0], right, "L = 1/4", BLUE), (axs[1], squared, "L = 1/16", RED)):
        far = 1.15 * np.abs(walk).max()
        x = np.linspace(-far, far, 200)
        ax.plot(x, x**2 / 8, color=GREY)
        ax.plot(walk, walk**2 / 8, marker=MARKERS[0], color=colour, linestyle=LINES[1])
        ax.plot(walk[0], walk[0] ** 2 / 8, MARKERS[2], color=BLACK, markersize=8)
        ax.set(title=f"{name}: after {len(walk) - 1} steps at {walk[-1]:g}", xlabel="x")
    axs[0].set_ylabel("x² / 8")
    show(
        fig,
        f"Steps 1/L from x = 1 (black square). L = 1/4: at {right[1]:g} after one step. L = 1/16: "
        f"{', '.join(f'{place:g}' for place in squared)}. The scales differ.".replace(" -", " −"),
    )


def show_valleys(start, angles):
    """Level sets of two standardised problems, a gradient step and the way to the minimum."""
    fig, axs = figure(len(angles), width=8, height=4, sharey=True)
    grid = np.linspace(-1.6, 1.6, 121)
    a, b = np.meshgrid(grid, grid)
    for ax, (r, angle) in zip(axs, angles.items(), strict=True):
        here = start @ start + 2 * r * start[0] * start[1]
        levels = here * np.array([0.2, 1, 3, 9, 27, 81])
        ax.contour(a, b, a**2 + 2 * r * a * b + b**2, levels=levels, colors=GREY, linewidths=0.8)
        step = -np.array([start[0] + r * start[1], r * start[0] + start[1]])
        step = 0.7 * step / np.linalg.norm(step)
        for way, colour, name in ((-start, BLUE, "to the minimum"), (step, RED, "gradient step")):
            ax.annotate(
                "", start + way, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.5}
            )
            ax.plot([], [], color=colour, linewidth=2.5, label=name)
        ax.plot(0, 0, "+", color=BLACK, markersize=12)
        ax.set(title=f"correlation {r:g}: {angle:.0f}° apart", aspect="equal", xlabel="weight 1")
    axs[0].set_ylabel("weight 2")
    axs[-1].legend(loc="upper left", fontsize=9)
    told = ", ".join(f"{angle:.0f}° at correlation {r:g}" for r, angle in angles.items())
    show(
        fig,
        f"The step (only its direction is to scale) and the way to the minimum are apart by {told}.",
    )
