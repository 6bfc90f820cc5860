"""Figures of homework 6, recovery: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import COLOURS, figure


@fresh_reading("recovery.12")
def two_tones(rng):
    rate = int(rng.choice([9, 11, 12, 13]))
    slow = int(rng.integers(2, (rate - 1) // 2))
    fast, samples, t = rate - slow, np.arange(rate + 1) / rate, np.linspace(0, 1, 500)

    def wave(f, t):
        return np.cos(2 * np.pi * f * t)

    apart = np.abs(wave(slow, samples) - wave(fast, samples)).max()

    def draw():
        fig, ax = figure(height=2.6)
        ax.plot(t, wave(slow, t), "-", color=COLOURS[0], label=f"{slow} a second")
        ax.plot(t, wave(fast, t), "--", color=COLOURS[1], label=f"{fast} a second")
        ax.plot(samples, wave(slow, samples), "o", color="black", label="samples")
        ax.set(xlabel="seconds")
        ax.legend(loc="upper right")
        return fig, (
            f"A slow and a fast wave through the same {len(samples)} dots; at the dots they differ by "
            f"{apart:.0e}."
        )

    words = {
        "samples at 10 a second": f"samples at {rate} a second",
        "a cosine of 3 and one of 7 waves": f"a cosine of {slow} and one of {fast} waves",
        "multiples of a tenth of a second": f"multiples of 1/{rate} of a second",
        "7 = 10 − 3": f"{fast} = {rate} − {slow}",
        "Ten samples a second are more than twice 3 and more than twice 7": (
            f"{rate} samples a second are more than twice {slow} and more than twice {fast}"
        ),
        "Twice 7 is 14": f"Twice {fast} is {2 * fast}",
        "cos(2π·7·t) and cos(2π·3·t) at t = 0.1": f"cos(2π·{fast}·t) and cos(2π·{slow}·t) at t = 1/{rate}",
    }
    return FreshReading(draw, apart < 1e-9, words)


@fresh_reading("recovery.13")
def seen_ratings(rng):
    seen, error = int(rng.integers(5, 21)), f"{rng.uniform(0.02, 0.2):.2f}"
    words = {"92 %": f"{100 - seen} %", "8 %": f"{seen} %", "0.06": error}
    return FreshReading(None, True, words)


@mistake_drawn("recovery.3")
def code_and_what_it_misses(got, A, y):
    """Your solution as stems."""
    got = np.asarray(got, float)
    fig, ax = figure(height=2.8)
    ax.stem(got)
    ax.set(xlabel="unknown", ylabel="your value")
    missed = np.linalg.norm(A @ got - y) / np.linalg.norm(y)
    return fig, (
        f"Your {len(got)} values: {int((np.abs(got) > 1e-6).sum())} are not 0, their absolute values add up "
        f"to {np.abs(got).sum():.3g}, and A times them misses y by {100 * missed:.0f} % of its length."
    )
