"""Chapter 10, sparse coding and K-SVD: what its derivations draw at random, and two figures.

Samples, atoms and codes stand in rows, as on the chapter's paper. Beside the draws stand what a derivation is
told: the codes and atoms at which a bound is met.
"""

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from helpers.derivation import samples
from helpers.plotting import COLOURS, GREY, MARKERS, figure, show

# ---- what the derivations draw at random


def _unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def dictionary(rng, shape):
    """Samples X, more atoms than features B, sparse codes A, an atom j that somebody uses."""
    k = shape.d + 2
    A = rng.normal(size=(shape.n, k)) * (rng.uniform(size=(shape.n, k)) < 0.5)
    j = int(rng.integers(k))
    A[:2, j] = rng.normal(size=2)
    X, B = samples(rng, shape), _unit(rng.normal(size=(k, shape.d)))
    sizes = {"n": shape.n, "d": shape.d, "k": k, "j": j + 1}
    return {"X": X, "B": B, "A": A, **sizes, "t": rng.uniform(2, 9), "lam": rng.uniform(0.5, 2)}


def one_atom(rng, shape):
    """A residual and an atom of length 1."""
    return {"r": samples(rng, shape)[0], "b": _unit(rng.normal(size=shape.d))}


def chosen(rng, shape):
    """A sample, and one or two chosen atoms."""
    s = min(2, shape.d)
    return {"x": samples(rng, shape)[0], "B_S": _unit(rng.normal(size=(s, shape.d))), "s": s}


def _lasso(B, x, lam):
    """The L1 code by a solver that knows nothing of sparse coding: codes split into their two signs."""
    k = len(B)
    both = np.vstack([B, -B])

    def value(c):
        left = x - c @ both
        return left @ left + lam * c.sum(), lam - 2 * both @ left

    options = {"maxiter": 20_000, "maxfun": 200_000, "ftol": 1e-16, "gtol": 1e-10}
    c = minimize(value, np.zeros(2 * k), jac=True, bounds=[(0, None)] * (2 * k), options=options).x
    return _polished(B, x, lam, c[:k] - c[k:])


def _polished(B, x, lam, code):
    """The same support to the last digit: its equations are linear once the signs are known."""
    on = np.abs(code) > 1e-6
    fine, S = np.zeros_like(code), B[on]
    fine[on] = np.linalg.lstsq(S @ S.T, S @ x - lam / 2 * np.sign(code[on]))[0]
    return fine


def _minimum(rng, shape, share):
    """`share` is that of the largest penalty that leaves an atom."""
    x, B = samples(rng, shape)[0], _unit(rng.normal(size=(shape.d + 2, shape.d)))
    lam = 2 * np.abs(B @ x).max() * share
    return {"x": x, "B": B, "lam": lam, "a": _lasso(B, x, lam)}


def minimum(rng, shape):
    """A sample, a dictionary, a penalty and the best code; with a large penalty it is 0."""
    return _minimum(rng, shape, rng.uniform(0.2, 1.2))


def minimum_at_work(rng, shape):
    """The same with a penalty at which some code is not 0."""
    return _minimum(rng, shape, 0.5)


def coded(rng, shape):
    """`dictionary`, and an atom b that may take the place of atom j."""
    return {**dictionary(rng, shape), "b": rng.normal(size=shape.d)}


def some_matrix(rng, shape):
    """Any matrix."""
    return {"M": samples(rng, shape)}


def rest(rng, shape):
    """What the other atoms leave, an atom of length 1, its codes (some are 0), and its users."""
    E, c = samples(rng, shape), rng.normal(size=shape.n)
    c[2:] *= rng.uniform(size=shape.n - 2) < 0.5
    users = c != 0
    used = {
        "omega": 1 + np.flatnonzero(users),
        "E_omega": E[users],
        "c_omega": c[users],
        "m": int(users.sum()),
    }
    return {"E": E, "b": _unit(rng.normal(size=shape.d)), "c": c, "n": shape.n, "d": shape.d, **used}


def best_codes(rng, shape):
    """The same with the best codes for the atom."""
    drawn = rest(rng, shape)
    return drawn | {"c": drawn["E"] @ drawn["b"]}


def top_triple(rng, shape):
    """The same with the first right singular vector for an atom."""
    drawn = rest(rng, shape)
    return drawn | {"b": np.linalg.svd(drawn["E"])[2][0]}


def pieces(rng):
    """Pieces of length 3 of a row of 6 pixels, the matrices that cut them out, and some picture z."""
    cuts, p = np.array([np.eye(6)[i : i + 3] for i in range(4)]), rng.normal(size=(4, 3))
    counts = cuts.sum(axis=(0, 1))
    means = np.einsum("ijl,ij->l", cuts, p) / counts
    return {"R": cuts, "p": p, "z": rng.normal(size=6), "counts": counts, "means": means}


def two_codes(rng, shape):
    """Two codes of one sample, the difference of which is a sparse vector of the null space of Bᵀ."""
    d, k = shape.d, shape.d + 2
    B = _unit(rng.normal(size=(k, d)))
    on = rng.permutation(k)[: d + 1]
    null = np.zeros(k)
    null[on] = np.linalg.svd(B[on].T)[2][-1]
    a = rng.normal(size=k) * (rng.uniform(size=k) < 0.4)
    a = np.where(rng.uniform(size=k) < 0.5, -null, a)
    return {"B": B, "a": a, "a_prime": a + null, "k": k, "d": d, "p": spark(B)}


def spark(B):
    """The fewest rows of B that are linearly dependent, by trying; inf where none are."""
    k, d = B.shape
    for size in range(1, min(d + 1, k) + 1):
        if any(np.linalg.matrix_rank(B[list(c)], tol=1e-9) < size for c in combinations(range(k), size)):
            return size
    return np.inf


# ---- figures

BLUE, RED, _, _, ORANGE, *_ = COLOURS


def show_steps(x, B, code):
    """Two steps of OMP in the plane: a sample x, atoms in the rows of B, its code with two of them."""
    first = np.abs(B @ x).argmax()
    part = (B[first] @ x) * B[first]
    turn = code[first] * B[first]
    fig, axs = figure(2, width=8, height=3)
    panels = {
        f"one atom: {B[first] @ x:.2f} × $b_1$": [
            (0 * x, part, BLUE, "coefficient × atom"),
            (part, x, ORANGE, "residual"),
        ],
        f"two atoms: {code[first]:.2f} × $b_1$, and $b_2$": [
            (0 * x, turn, BLUE, None),
            (turn, x, BLUE, None),
        ],
    }
    for ax, (title, lines) in zip(axs, panels.items(), strict=True):
        for j, b in enumerate(B, 1):
            ax.annotate(
                "", b, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "#444444", "shrinkA": 0}, zorder=4
            )
            ax.annotate(f"$b_{j}$", b, (6, -12), textcoords="offset points", color="#444444")
        for start, end, colour, label in lines:
            ax.plot(*np.transpose([start, end]), color=colour, linewidth=2.5, label=label)
        ax.plot(*x, MARKERS[0], color=RED)
        ax.annotate("$x$", x, (6, 0), textcoords="offset points", color=RED)
        ax.set(aspect="equal", xlim=(-0.1, 1.6), ylim=(-0.1, 1.4), title=title)
    fig.legend(*axs[0].get_legend_handles_labels(), loc="outside right center", fontsize=9)
    show(
        fig,
        f"The sample x and {len(B)} atoms. One atom: the residual is at right angles to it. Two atoms "
        f"make x, and the first coefficient falls from {B[first] @ x:.2f} to {code[first]:.2f}.",
    )


def show_turning(E, atoms):
    """What the others leave of some samples; an atom in three positions, name → (atom, coefficients)."""
    fig, axs = figure(len(atoms), width=9.5, height=3.2)
    reach = 1.1 * np.abs(E).max()
    errors = {}
    for ax, (name, (b, a)) in zip(axs, atoms.items(), strict=True):
        b, a = (b, a) if b[1] > 0 else (-b, -a)
        built = np.outer(a, b)
        errors[name] = ((E - built) ** 2).sum()
        ax.plot(*np.stack([E, built]).transpose(2, 0, 1), color=ORANGE, linewidth=0.8, zorder=1)
        ax.plot(*E.T, MARKERS[0], color=GREY, markersize=4, label="samples")
        ax.plot(*built.T, MARKERS[1], color=BLUE, markersize=4, label="coefficient × atom")
        arrow = {"arrowstyle": "-|>", "color": RED, "linewidth": 2.4, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", b, (0, 0), arrowprops=arrow, zorder=5)
        ax.set(
            aspect="equal",
            xlim=(-reach, reach),
            ylim=(-reach, reach),
        )
        ax.set_title(f"{name}: error {errors[name]:.1f}", fontsize=10)
        ax.set_xlabel("first coordinate")
    axs[0].set_ylabel("second")
    fig.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=9)
    told = ", ".join(f"{name} {error:.1f}" for name, error in errors.items())
    show(fig, f"{len(E)} samples, an atom (arrow) and what it makes of them. Squared error: {told}.")
