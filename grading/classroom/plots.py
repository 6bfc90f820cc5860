"""The pictures of the class report, each with its sentence, for eyes and for screen readers."""

from __future__ import annotations

import io

import matplotlib.pyplot
import numpy as np

from helpers.plotting import COLOURS, figure


def class_plots(points, of, figures) -> list[tuple[bytes, str]]:
    """(PNG, sentence): the histogram of points, and how far each question was solved."""
    matplotlib.use("Agg")
    return [histogram(points, of), solved(figures)]


def histogram(points, of):
    fig, ax = figure(width=6, height=3.6)
    low, high = min(0, points.min()), max(of, points.max(), 1)
    bars = 20 if high - low > 20 else int(np.ceil(high - low))
    ax.hist(points, bins=np.linspace(low, high, bars + 1), color=COLOURS[0], edgecolor="white")
    ax.set(xlabel=f"points, of {of:g}", ylabel="students")
    ax.yaxis.get_major_locator().set_params(integer=True)
    return drawn(
        fig,
        f"Points of {len(points)} students: half of them have at least {np.median(points):g} of {of:g}; "
        f"{(points >= of - 1e-9).sum()} have all, {(points <= 0).sum()} have none.",
    )


def solved(figures):
    """A bar for each question: who has all points, some, none."""
    fig, ax = figure(width=6, height=max(3.6, 0.32 * len(figures) + 1.2))
    names, n = [f["id"] for f in figures], figures[0]["n"]
    full, none = (np.array([f[kind] for f in figures]) for kind in ("full", "none"))
    parts = (
        ("all points", full, 0, COLOURS[0], ""),
        ("some", n - full - none, full, COLOURS[5], "//"),
        ("none", none, n - none, "#dddddd", ".."),
    )
    for label, counts, left, colour, hatch in parts:
        ax.barh(names, counts, left=left, color=colour, hatch=hatch, edgecolor="white", label=label)
    ax.invert_yaxis()
    ax.set(xlabel="students", xlim=(0, n))
    ax.grid(axis="y", visible=False)
    fig.legend(loc="outside upper center", ncols=3)
    hardest = min(figures, key=lambda f: f["success"])
    return drawn(
        fig,
        f"How many of {n} students have all, some or none of a question's points. Hardest is "
        f"{hardest['id']}: {100 * hardest['success']:.0f} % of its points were reached, "
        f"{hardest['full']} have all of them.",
    )


def drawn(fig, alt):
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None})
    matplotlib.pyplot.close(fig)
    return buffer.getvalue(), alt
