"""Figures of homework 7, selection: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, two_lines
from grading.pictures import mistake_drawn
from helpers.plotting import figure


@fresh_reading("selection.13")
def learning_curve(rng):
    bends, degree = rng.uniform(4.5, 6), int(rng.integers(1, 3))
    x = rng.uniform(-1, 1, size=4000)
    y = np.sin(bends * x) + rng.uniform(0.1, 0.3) * rng.normal(size=4000)
    sizes, starts = np.array([10, 15, 25, 40, 70, 120, 200, 400, 800, 1500]), range(0, 2000, 200)

    def error(c, rows):
        return np.mean((np.polyval(c, x[rows]) - y[rows]) ** 2)

    errors = []
    for n in sizes:
        fits = [(np.polyfit(x[s : s + n], y[s : s + n], degree), slice(s, s + n)) for s in starts]
        errors.append([
            np.mean([error(c, own) for c, own in fits]),
            np.mean([error(c, slice(3500, 4000)) for c, _ in fits]),
        ])
    train, valid = np.array(errors).T

    def draw():
        axes = dict(xscale="log", xlabel="number of training rows", ylabel="squared error", ylim=(0, 1.5))
        fig = two_lines(sizes, train, valid, ("training rows", "validation rows"), **axes)
        return fig, (
            f"With {sizes[0]} rows the errors are {train[0]:.2f} and {valid[0]:.2f}; "
            f"with {sizes[-1]} they are {train[-1]:.2f} and {valid[-1]:.2f}."
        )

    return FreshReading(draw, abs(valid[-1] - train[-1]) < 0.05 and valid[-1] > 0.2)


@fresh_reading("selection.14")
def many_settings(rng):
    many, middle = 10 * int(rng.integers(5, 60)), int(rng.integers(60, 80))
    spread = rng.uniform(2, 3)
    best = middle + spread * rng.normal(size=many).max()  # of settings that are all equally good
    words = {"200": str(many), "81.5": f"{best:.1f}", "74 %": f"{middle} %", "1.2": f"{spread / 2:.1f}"}
    return FreshReading(None, best > middle + spread, words)


@mistake_drawn("selection.2")
def folds_as_colours(got, n, k, seed):
    """Which fold tests each row."""
    times = np.zeros((k, n))
    for number, fold in enumerate(list(got)[:k]):
        np.add.at(times[number], np.asarray(fold, int) % n, 1)
    tested = times.sum(axis=0)
    fig, ax = figure(height=2.5)
    ax.imshow(times, aspect="auto", interpolation="nearest", cmap="cividis")
    ax.set(xlabel="row", ylabel="fold", yticks=range(k))
    return fig, (
        f"Which fold tests which of {n} rows: {int((tested == 0).sum())} rows are never tested, "
        f"{int((tested > 1).sum())} more than once; sizes from {times.sum(axis=1).min():.0f} to "
        f"{times.sum(axis=1).max():.0f}."
    )
