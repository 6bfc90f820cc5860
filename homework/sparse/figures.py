"""Figures of homework 10, sparse: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading, two_lines
from grading.pictures import mistake_drawn
from helpers.plotting import figure


@fresh_reading("sparse.13")
def atoms_in_a_code(rng):
    from sklearn.linear_model import orthogonal_mp

    used, noise = int(rng.integers(2, 5)), rng.uniform(0.2, 0.35)
    hidden = rng.normal(size=(30, 16))
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    clean = rng.normal(size=(400, 30)) * (np.argsort(rng.random((400, 30))) < used) @ hidden
    noisy, own, new = clean + noise * rng.normal(size=clean.shape), [], []
    for t in range(1, 11):
        rebuilt = orthogonal_mp(hidden.T, noisy.T, n_nonzero_coefs=t).T @ hidden
        own.append(((rebuilt - noisy)[:200] ** 2).mean())
        new.append(((rebuilt - clean)[200:] ** 2).mean())

    def draw():
        labels = "200 patches, against themselves", "200 others, against clean ones"
        axes = dict(xlabel="atoms in a code", ylabel="mean squared error", ylim=(0, None))
        return two_lines(np.r_[1:11], own, new, labels, **axes), (
            f"The first curve falls from {own[0]:.3f} to {own[-1]:.3f}; the second starts at {new[0]:.3f} "
            f"and ends at {new[-1]:.3f}."
        )

    return FreshReading(draw, 0 < int(np.argmin(new)) < 9 and max(new[0], new[-1]) > 1.1 * min(new))


@fresh_reading("sparse.14")
def shrinking_codes(rng):
    error, penalty, factor = int(rng.integers(3, 30)), 100 * int(rng.integers(4, 20)), 10 ** rng.uniform(3, 4)
    words = {"stays at 12": f"stays at {error}", "900 to 0.4": f"{penalty} to {penalty / factor:.2g}"}
    return FreshReading(None, True, words)


@mistake_drawn("sparse.2")
def residual_against_the_atoms(got, x, B, s):
    """How much of each atom is left in your residual; the atoms are rows."""
    got = np.asarray(got, float)
    unit = B / np.linalg.norm(B, axis=1, keepdims=True)
    left, used = np.abs(unit @ (x - got @ B)), np.flatnonzero(got)
    fig, ax = figure(height=2.8)
    ax.bar(np.arange(len(B)), left, color="C0", label="not used")
    ax.plot(used, left[used], "s", color="C1", label="used")
    ax.set(xlabel="atom", ylabel="product with residual")
    ax.legend()
    return fig, (
        f"The products of your residual with {len(B)} atoms of length 1: you use {len(used)} atoms, and the "
        f"largest product with one of these is {left[used].max(initial=0):.3f}."
    )
