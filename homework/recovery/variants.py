"""Variants and statements: sampling, sparse codes, blanks in a table."""

from functools import partial
from math import comb

import numpy as np
from scipy.optimize import linprog

from grading.variant import Claims, Statement, Variant, also, bank, fails, holds, variant
from helpers.datasets import stored
from homework.recovery.questions import (
    check_l1_fails,
    check_least_m,
    check_two_fillings,
    l1_recover,
    rip_delta,
    soft_impute,
    svt,
)


def sines(f, rate, n=40):
    return np.sin(2 * np.pi * f * np.arange(n) / rate)


def cosines(f, rate, n=40):
    return np.cos(2 * np.pi * f * np.arange(n) / rate)


def sizes(X):
    s = np.linalg.svd(np.array(X, float), compute_uv=False)
    return [s.sum(), np.linalg.norm(s), s.max(), int((s > 1e-9).sum())]


def some(n=4, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def shrunk(s, lam):
    return np.sign(s) * np.maximum(np.abs(s) - lam, 0)


def least_squares(A, y):
    return np.linalg.pinv(A) @ y


def least_by_programme():
    """Whether no other drawn solution has a smaller L1 norm than the linear programme's."""
    A = some(3, 6)
    s = l1_recover(A, A[:, 0])
    others = s + some(500, 3, seed=1) @ np.linalg.svd(A)[2][3:]
    return np.allclose(A @ s, A[:, 0]) and (np.abs(others).sum(axis=1) >= np.abs(s).sum() - 1e-6).all()


def lengths_change():
    """By how much the squared lengths of drawn vectors with two nonzeros change at most, relatively."""
    rng = np.random.default_rng(0)
    S = [rng.permutation([*rng.normal(size=2), 0, 0, 0, 0]) for _ in range(500)]
    return max(abs(((some(3, 6) @ s) ** 2).sum() / (s**2).sum() - 1) for s in S)


def errors_of_filling():
    """The error of soft-impute's table on the entries that it has seen, and on the others."""
    X = some(12, 2) @ some(2, 10, seed=1)
    seen = some(12, 10, seed=2) > 0
    Z = np.zeros(X.shape)
    for _ in range(300):
        Z = svt(np.where(seen, X, Z), 0.05)
    return np.abs(Z - X)[seen].mean(), np.abs(Z - X)[~seen].mean()


bank(
    "recovery",
    holds(
        "A sine of 5 waves a second, sampled 10 times a second from time 0, gives only zeros.",
        "It is sampled where it crosses zero.",
        lambda: np.allclose(sines(5, 10), 0),
    ),
    fails(
        "A cosine of 5 waves a second, sampled 10 times a second from time 0, gives only zeros.",
        "It is sampled at its crests: 1, −1, 1, …",
        lambda: np.allclose(cosines(5, 10), 0),
    ),
    fails(
        "Sampling at exactly twice the highest frequency determines every sum of sines and cosines up to it.",
        "A sine of that frequency may vanish at all samples.",
        lambda: not np.allclose(sines(5, 10), 0),
    ),
    holds(
        "Sampled 10 times a second, cosines of 3 and of 7 waves a second give the same samples.",
        "7 = 10 − 3.",
        lambda: np.allclose(cosines(3, 10), cosines(7, 10)),
    ),
    holds(
        "Sampled 10 times a second, cosines of 3 and of 13 waves a second give the same samples.",
        "13 = 10 + 3.",
        lambda: np.allclose(cosines(3, 10), cosines(13, 10)),
    ),
    fails(
        "Sampled 10 times a second, sines of 3 and of 7 waves a second give the same samples.",
        "They are each other's negatives.",
        lambda: np.allclose(sines(3, 10), sines(7, 10)),
    ),
    fails(
        "Any rate below twice the highest frequency makes recovery impossible, whatever else is "
        "known of the signal.",
        "If it is known to be one given tone, one number is unknown, and a few samples tell it.",
        lambda: not sines(7, 10).any(),
    ),
    fails(
        "Ten equations for a hundred unknowns have at most one solution.",
        "If they have one, they have a whole space of at least 90 dimensions.",
        lambda: np.linalg.matrix_rank(some(10, 100)) == 100,
    ),
    holds(
        "Ten equations for a hundred unknowns may have only one solution with at most two nonzeros.",
        "If every four columns are independent, two sparse solutions cannot differ.",
        lambda: np.linalg.matrix_rank(some(10, 4)) == 4,
    ),
    fails(
        "The least-squares solution of the smallest length is usually sparse.",
        "It spreads over all entries.",
        lambda: (np.abs(least_squares(some(5, 20), np.ones(5))) < 1e-6).sum() > 10,
    ),
    holds(
        "Finding the sparsest solution by trying supports costs time that grows exponentially "
        "with its nonzeros.",
        "There are n over k supports.",
        lambda: all(comb(100, k + 1) > 5 * comb(100, k) for k in range(1, 15)),
    ),
    holds(
        "The smallest L1 norm can be found by a linear programme.",
        "Split s into two parts that are not negative and minimise their sum.",
        least_by_programme,
    ),
    fails(
        "The smallest L1 norm always belongs to the sparsest solution.",
        "A short column that the sparse solution needs makes it expensive.",
        lambda: (l1_recover(np.array([[0.1, 1, 0], [0.1, 0, 1]]), np.ones(2)).round(6) != 0).sum() == 1,
    ),
    fails(
        "scipy.optimize.linprog lets its variables be negative unless told otherwise.",
        "Its default bounds are 0 and infinity.",
        lambda: linprog([1.0]).x[0] < 0,
    ),
    holds(
        "In y = Φ Ψ s it is s that is sparse; the signal x = Ψ s need not be.",
        "A single wave fills the whole signal.",
        lambda: np.count_nonzero(np.abs(cosines(3, 40)) > 1e-9) > 30,
    ),
    holds(
        "The restricted isometry constant bounds how much squared lengths of k-sparse vectors change.",
        "(1 − δ)‖s‖² ≤ ‖As‖² ≤ (1 + δ)‖s‖².",
        lambda: lengths_change() <= rip_delta(some(3, 6), 2) + 1e-9,
    ),
    fails(
        "The restricted isometry constant may fall when k grows.",
        "More vectors are bounded: it stays or rises.",
        lambda: rip_delta(some(3, 6), 3) < rip_delta(some(3, 6), 2),
    ),
    holds(
        "Orthonormal columns have the restricted isometry constant 0.",
        "They keep every length.",
        lambda: np.isclose(np.linalg.norm(np.linalg.qr(some())[0] @ [1, 2, 2]), 3),
    ),
    holds(
        "The nuclear norm is the sum of the singular values.",
        "That is its definition.",
        lambda: np.isclose(np.linalg.norm(some(), "nuc"), sizes(some())[0]),
    ),
    holds(
        "The nuclear norm is at least the Frobenius norm.",
        "A sum of lengths is at least the root of the sum of their squares.",
        lambda: sizes(some())[0] >= sizes(some())[1],
    ),
    fails(
        "The spectral norm can be larger than the Frobenius norm.",
        "It is one of the singular values whose squares the other adds.",
        lambda: sizes(some())[2] > sizes(some())[1],
    ),
    holds(
        "For a matrix of rank 1 the nuclear, Frobenius and spectral norms are equal.",
        "There is one singular value above 0.",
        lambda: len({round(v, 9) for v in sizes(np.outer([1, 2], [3, 4]))[:3]}) == 1,
    ),
    fails(
        "The nuclear norm of a square matrix is its trace.",
        "diag(1, −1) has trace 0 and nuclear norm 2.",
        lambda: np.isclose(sizes([[1, 0], [0, -1]])[0], 0),
    ),
    fails(
        "np.linalg.norm(X, 1) of a matrix adds the absolute values of all entries.",
        "It is the largest column sum.",
        lambda: np.linalg.norm(np.eye(3), 1) == 3,
    ),
    holds(
        "The rank is at most the smaller of the numbers of rows and of columns.",
        "Row rank is column rank.",
        lambda: np.linalg.matrix_rank(some(9, 4)) <= 4,
    ),
    holds(
        "A table of rank 1 without zeros, of at least two rows and two columns, one entry of "
        "which is blank, can be completed in exactly one way.",
        "Its rows are multiples of each other, and another row shows the ratio.",
        lambda: [np.linalg.matrix_rank([[2, 6], [-3, x]]) for x in range(-12, 13)].count(1) == 1,
    ),
    fails(
        "With nine of ten entries seen, every table of rank 1 can be completed in one way.",
        "A table whose only nonzero entry is the blank one tells nothing.",
        lambda: [np.linalg.matrix_rank(np.diag([x] + [0] * 9)) for x in range(1, 9)].count(1) == 1,
    ),
    holds(
        "Soft thresholding makes large singular values smaller, too.",
        "Each loses λ.",
        lambda: shrunk(10.0, 1.0) == 9.0,
    ),
    holds(
        "In soft-impute the seen entries are put back after each shrinking.",
        "The blanks alone are what is guessed.",
        lambda: np.array_equal(soft_impute(some(), some() > 0, 0.1)[some() > 0], some()[some() > 0]),
    ),
    fails(
        "The error on the entries that a method has seen tells how well it fills the blanks.",
        "It was fitted to those.",
        lambda: np.isclose(*errors_of_filling(), rtol=0.5),
    ),
    holds(
        "If a whole column of a table is blank, low rank alone cannot tell its entries.",
        "Any multiple of the other columns keeps the rank.",
        lambda: (
            np.linalg.matrix_rank(np.outer([1, 2], [1, 5])) == np.linalg.matrix_rank(np.outer([1, 2], [1, 7]))
        ),
    ),
)


@variant("recovery.1")
def blanks(rng):
    def number():
        return int(rng.choice([-6, -5, -4, -3, -2, 2, 3, 4, 5, 6]))

    a, m, t = number(), number(), number()
    b, c, d = number(), number(), number()
    e, f, g = number(), number(), number()
    tables = [[a, a * m, t, None], [0, b, c, None], [0, 0, d, None], [e, None, e * f, g * f]]
    drawn = " ".join(
        "$\\begin{bmatrix} " + " & ".join(shown[:2]) + r" \\ " + " & ".join(shown[2:]) + " \\end{bmatrix}$"
        for shown in (["?" if v is None else str(v) for v in table] for table in tables)
    )
    first, last = t * m, g
    text = (
        "Each of these tables should have **rank 1**. What stands in the blank? A list of four "
        "answers, each a number if exactly one "
        f'number will do, `"none"` if no number will do, `"any"` if every number will do.\n\n{drawn}'
    )
    truth = [first, "none", "any", last]
    return Variant(
        text,
        truth,
        {
            "proportional the wrong way round": [t / m, *truth[1:]],
            "the sign": [-first, *truth[1:]],
            "zero fits always": [first, 0, "any", last],
            "none and any confused": [first, "any", "none", last],
            "zero although anything would do": [first, "none", 0, last],
            "differences kept, not ratios": [t + a * m - a, b + c, d, e + g * f - e * f],
        },
    )


@variant("recovery.6")
def l1_fails_again(rng):
    y = rng.integers(1, 10, 2) * rng.choice([-1, 1], 2)
    m = int(rng.integers(2, 5))
    y = np.r_[y, np.zeros(m - 2, int)]

    def demand(got):
        if not np.array_equal(np.asarray(got[1], float), y):
            return f"y should be {y.tolist()}."

    A = np.zeros((m, 3))
    A[0, 0] = A[1, 1] = 10.0
    A[:, 2] = y / 100
    text = (
        f"For y = {y.tolist()}: a pair (A, y), where A has {m} rows and two or three columns, no "
        "entry larger than 1000, and the smallest L1 "
        "norm of all solutions of A s = y is smaller than that of every sparsest one."
    )
    return Variant(text, (A, y), checker=also(check_l1_fails, demand))


@variant("recovery.7")
def fewest_measurements(rng):
    """Where half of the codes come back, by the stored count."""
    phase = stored("basis-pursuit-phase")
    k = int(rng.integers(11, 17))
    share, ms = np.maximum.accumulate(phase["recovered"][k - 1]), phase["measurements"]
    low, high = (int(np.round(np.interp(level, share, ms))) for level in (0.25, 0.75))
    truth = (low + high) // 2
    text = (
        f"A code has n = 80 entries, {k} of which are not 0, at random places, with values from a standard "
        "normal distribution. `A` has standard normal entries and shape (m, 80). What is the least m for "
        "which L1 recovers at least half of such codes exactly? The check allows for chance."
    )

    return Variant(text, truth, checker=lambda got, *_: check_least_m(got, low, high))


@variant("recovery.8")
def four_sizes(rng):
    p, q = rng.choice(np.arange(1, 13), 2, replace=False).tolist()
    a, b = p * int(rng.choice([-1, 1])), -q
    a = abs(a)  # one positive, one negative
    text = (
        f"By hand, for $X = \\begin{{pmatrix}} 0 & {a} \\\\ {b} & 0 \\end{{pmatrix}}$: a list "
        "[nuclear norm, Frobenius norm, spectral norm, rank]."
    )
    F, top = (p * p + q * q) ** 0.5, max(p, q)
    return Variant(
        text,
        [p + q, F, top, 2],
        {
            "column norm for the sum": [top, F, top, 2],
            "Frobenius for nuclear": [F, F, top, 2],
            "trace for nuclear": [0, F, top, 2],
            "a singular value with a sign": [abs(p - q), F, top, 2],
            "Frobenius without the root": [p + q, F * F, top, 2],
            "eigenvalues for singular values": [2 * (p * q) ** 0.5, F, (p * q) ** 0.5, 2],
        },
    )


@variant("recovery.10")
def nobody_can_know_here(rng):
    n, d = rng.integers(10, 16, 2).tolist()
    i, j = int(rng.integers(n)), int(rng.integers(d))

    def demand(got):
        X1, X2, seen = (np.asarray(part) for part in got)
        if X1.shape != (n, d):
            return f"The tables should have {n} rows and {d} columns."
        if seen[i, j] or X1[i, j] == X2[i, j]:
            return f"They should differ at row {i}, column {j}, counted from 0, which is not seen."
        if not np.linalg.matrix_rank(X1.astype(float)) == 2:
            return "Let the rank be 2."

    X = np.zeros((n, d))
    X[(i + 1) % n, (j + 1) % d] = 1.0
    one, two = X.copy(), X.copy()
    one[i, j], two[i, j] = 1.0, 2.0
    text = (
        f"Two tables with {n} rows and {d} columns, both of rank 2, that agree wherever `seen` is "
        f"True and differ at row {i}, column {j} (counted "
        "from 0): (X1, X2, seen). At least 90 % of all entries are seen, and at least half of "
        "each row and of each column."
    )
    return Variant(text, (one, two, one == two), checker=also(check_two_fillings, demand))


# ---- question 2 with other tones and rates


def is_determined(tones, rate, n=400):
    """Whether n samples of unknown sums of such tones, each (wave, frequency), have one answer only."""
    columns = [(sines if wave == "sin" else cosines)(f, rate, n) for wave, f in tones]
    return np.linalg.matrix_rank(np.array(columns), tol=1e-6) == len(columns)


def both_up_to(top):
    return [(wave, f) for f in range(1, top + 1) for wave in ("sin", "cos")]


@variant("recovery.2")
def tones_and_rates(rng):
    top = int(rng.integers(3, 8))
    who = str(
        rng.choice([
            "You read a sensor $r$ times a second, at $t_j = j/r$ from $t = 0$ on",
            "A microphone takes $r$ samples a second, the first at $t = 0$",
            "Of a signal you know its values at all $t_j = j/r$, $j = 0, 1, 2, …$",
        ])
    )
    every = f"any sum of sines and cosines of 1 to {top} waves a second"
    one = r"$a \{}(2\pi \cdot {} t)$, and only the number $a$ is unknown"
    fast = top + int(rng.integers(1, top + 1))
    enough = "More than twice the highest frequency is enough."
    short = "Two of these signals have the same samples: it takes more than twice the highest frequency."
    faster = "Not all samples are 0, and one number is unknown." if fast % top else "All samples are 0."
    rates = 2 * top + np.array([rng.integers(-2, 0), 0, rng.integers(1, 3)])
    asked = [
        *((every, both_up_to(top), int(rate), enough if rate > 2 * top else short) for rate in rates),
        (one.format("cos", top), [("cos", top)], 2 * top, "It is sampled at its crests: a, −a, a …"),
        (one.format("sin", top), [("sin", top)], 2 * top, "It is sampled where it crosses zero."),
        (one.format("sin", fast), [("sin", fast)], 2 * top, faster),
    ]
    true = [*(rates > 2 * top), True, False, fast % top > 0]
    statements = [
        Statement(f"{signal}; $r = {rate}$.", bool(it_is), because, partial(is_determined, tones, rate))
        for it_is, (signal, tones, rate, because) in zip(true, asked)
    ]
    text = f"{who}, without noise and for as long as you like. In which cases do they determine the signal?"
    return Claims(text, tuple(statements[i] for i in rng.permutation(6)))
