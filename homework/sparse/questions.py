"""Homework 10: sparse coding and K-SVD."""

from functools import partial

import numpy as np
from scipy.fft import dct
from scipy.optimize import linprog
from sklearn.decomposition import sparse_encode

from grading.question import Case, Task, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.datasets import load_camera
from helpers.methods.ksvd import KSVD, batch_omp
from helpers.reading import Notation

NO_CODER = ("sklearn.decomposition", "helpers.methods.ksvd")
NO_PEEPING = ("skimage.data", "helpers.datasets")  # with the photograph at hand nobody needs atoms
NO_PURSUIT = (*NO_CODER, "sklearn.linear_model")
EXACT = {"algorithm": "lasso_lars", "max_iter": 20_000}


def unit_rows(B):
    return B / np.linalg.norm(B, axis=1, keepdims=True)


def same_dictionary(a, b):
    """Pairs (B, A) of atoms and codes in rows; the sign of an atom, with that of its codes, is free."""
    (B, A), (C, D) = ([np.nan_to_num(np.asarray(m, float), nan=1e9) for m in pair] for pair in (a, b))
    if any(m.ndim != 2 for m in (B, A, C, D)) or B.shape != C.shape or A.shape != D.shape:
        return False
    sign = np.where((B * C).sum(axis=1) < 0, -1, 1)
    return (
        close(B * sign[:, None], C, tol=1e-6)
        and close(A * sign, D, tol=1e-6)
        and bool(((A != 0) == (D != 0)).all())
    )


# ---- 1: by hand

question(
    "sparse.1",
    "Two steps by hand",
    name="two_steps",
    core=True,
    then="Go on: the residual is nothing after two steps in the plane. When would it be nothing after one?",
    cases=Case(2),
    secret=True,
    truth=[-0.25, 3.75, 0],
    same=lambda a, b: close(a, b, tol=1e-3),
    mistakes={
        "no absolute value": (
            "Your second atom is the one with the largest positive product. Could one that points the other "
            "way explain more?",
            [0, 10 / 3, 1 / 3],
        ),
        "no refit": ("Is the residual orthogonal to all chosen atoms?", [-0.16, 3.6, 0]),
        "the two largest products at once": (
            "You chose both atoms by the products with x. With what does the second step compare?",
            [0, 2.5, 1],
        ),
        "one step only": ("That is the first step. What is left of x after it?", [0, 3.6, 0]),
        "all three products": (
            "These are products with x, not codes. How many atoms may the code use?",
            [2, 3.6, 3],
        ),
    },
    hints=[
        "First step: the products of x with the three atoms, in absolute value. Then the residual.",
        "After the second choice both codes are unknown again: solve two equations.",
    ],
)

# ---- 2: orthogonal matching pursuit


def draw_unit_atoms(rng, d=7, k=12):
    return rng.normal(size=d), unit_rows(rng.normal(size=(k, d))), 4


def draw_unlike_atoms(rng):
    """Atoms of very unlike length."""
    x, B, s = draw_unit_atoms(rng)
    return x, B * np.exp(rng.normal(size=(len(B), 1))), s


def draw_one_atom(rng):
    """A sample that one atom explains: after the first step nothing is left but rounding."""
    _, B, s = draw_unlike_atoms(rng)
    return rng.uniform(1, 3) * B[rng.integers(len(B))], B, s


def omp(x, B, s):
    length, chosen, r = np.linalg.norm(B, axis=1), [], x
    for _ in range(s):
        chosen.append(int(np.argmax(np.abs(B @ r) / length)))
        c = np.linalg.pinv(B[chosen].T) @ x
        r = x - c @ B[chosen]
    # where r is only rounding an atom may come twice: its code is the sum of its shares
    return np.bincount(chosen, c, minlength=len(B))


def pursuit(x, B, s, size=np.abs, length=lambda B: np.linalg.norm(B, axis=1), refit=True, target=None):
    """omp with one part exchanged."""
    chosen, r, a = [], x, np.zeros(len(B))
    for _ in range(s):
        chosen.append(int(np.argmax(size(B @ r) / length(B))))
        if refit:
            c = np.linalg.lstsq(B[chosen].T, r if target == "r" else x, rcond=None)[0]
            a = np.bincount(chosen, c, minlength=len(B))  # where r is only rounding one may come twice
        else:
            a[chosen[-1]] += B[chosen[-1]] @ r / (B[chosen[-1]] @ B[chosen[-1]])
        r = x - a @ B
    return a


def all_at_once(x, B, s):
    chosen = np.argsort(-np.abs(B @ x) / np.linalg.norm(B, axis=1))[:s]
    a = np.zeros(len(B))
    a[chosen] = np.linalg.pinv(B[chosen].T) @ x
    return a


question(
    "sparse.2",
    "Orthogonal matching pursuit",
    core=True,
    then="Another way: keep a Cholesky factor of the chosen atoms and add a row for each step: no "
    "system is solved anew.",
    stars=2,
    truth=omp,
    parts=pursuit,
    forbids=NO_PURSUIT,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(1, "atoms of length 1", draw_unit_atoms),
        Case(0.5, "a single step", lambda rng: (*draw_unlike_atoms(rng)[:2], 1)),
        Case(1, "atoms of unlike length", draw_unlike_atoms),
        Case(0.5, "a sample that one atom explains", draw_one_atom),
    ],
    mistakes={
        "no absolute value": (
            "An atom that points the other way explains the residual just as well. Does your choice see it?",
            dict(size=lambda v: v),
        ),
        "long atoms win": (
            "A long atom has large products with everything. Compare directions.",
            dict(length=lambda B: 1),
        ),
        "divided by the squared length": (
            "Double an atom: should it become less attractive?",
            dict(length=lambda B: (B**2).sum(axis=1)),
        ),
        "no refit": ("Is the residual orthogonal to all chosen atoms?", dict(refit=False)),
        "the residual fitted, not the sample": (
            "The refit replaces all codes found so far. What should it fit?",
            dict(target="r"),
        ),
        "all atoms chosen by the first products": (
            "You never looked at a residual. What do two atoms that resemble each other explain?",
            all_at_once,
        ),
        "codes for atoms of length 1": (
            "Right for atoms of length 1. For which atoms are these codes?",
            lambda x, B, s: omp(x, unit_rows(B), s),
        ),
        "least squares with all atoms": (
            "How many nonzeros may a code have?",
            lambda x, B, s: np.linalg.pinv(B.T) @ x,
        ),
    },
    hints=[
        "Keep a list of the chosen atoms; after each choice, fit x with all of them.",
        "Multiply an atom by 100: your choice should not change, its code should.",
        "Let x be one atom, and s = 3. What is left after the first step, and what should the others do?",
    ],
)

# ---- 3: L1 codes


def draw_overlapping(rng, n=5, d=8, k=12):
    """Atoms on which an honest descent arrives: on one draw in ten, 5000 steps would not be enough."""
    while True:
        B = unit_rows(rng.normal(size=(k, d)) + 0.7)
        X, lam = 2 * rng.normal(size=(n, d)) + 1, rng.uniform(0.5, 1.5)
        if np.allclose(by_steps(X, B, lam, steps=2000), codes(X, B, lam), rtol=0, atol=1e-4):
            return X, B, lam


def draw_orthonormal(rng):
    X, _, lam = draw_overlapping(rng)
    return X, np.linalg.qr(rng.normal(size=(8, 8)))[0], lam


def codes(X, B, lam):
    return sparse_encode(X, B, alpha=lam / 2, **EXACT)


def soft_threshold(V, t):
    return np.sign(V) * np.maximum(np.abs(V) - t, 0)


def by_steps(X, B, lam, grow=1.0, threshold=0.5, steps=5000):
    """Proximal gradient; `grow` 1 and `threshold` ½ are right for the square without the ½."""
    L, A = np.linalg.norm(B, 2) ** 2, np.zeros((len(X), len(B)))
    for _ in range(steps):
        A = soft_threshold(A - grow * (A @ B - X) @ B.T / L, threshold * lam / L)
    return A


def _thresholded_least_squares(X, B, lam):
    return soft_threshold(X @ np.linalg.pinv(B), lam / 2)


def _refitted(X, B, lam):
    A = codes(X, B, lam)
    for a, x in zip(A, X):
        a[a != 0] = np.linalg.pinv(B[a != 0].T) @ x
    return A


question(
    "sparse.3",
    "A penalty on the codes",
    then="Cost: the products of the atoms with each other are formed once; each round then costs k "
    "products of length k for a sample.",
    stars=2,
    truth=codes,
    forbids=NO_CODER,
    same=lambda a, b: close(a, b, tol=1e-3),
    cases=[Case(1, "orthonormal atoms", draw_orthonormal), Case(2, "atoms that overlap", draw_overlapping)],
    mistakes={
        "coding in one product": (
            "Atoms overlap, so each code must know the others.",
            lambda X, B, lam: soft_threshold(X @ B.T, lam / 2),
        ),
        "the penalty of the other convention": (
            "Your codes are right for half of the square plus the same penalty. Which factor stands before "
            "yours?",
            lambda X, B, lam: codes(X, B, 2 * lam),
        ),
        "the penalty halved once too often": (
            "Your codes are too large. Differentiate the square: which factor comes out?",
            lambda X, B, lam: codes(X, B, lam / 2),
        ),
        "least squares, then a threshold": (
            "The threshold comes after the fit. Did the atoms that stay get a chance to take over?",
            _thresholded_least_squares,
        ),
        "the mean over the features": (
            "A penalty beside a sum of squares, or beside a mean? scikit-learn's Lasso divides by something.",
            lambda X, B, lam: codes(X, B, 2 * B.shape[1] * lam),
        ),
        "refitted without the penalty": (
            "The right atoms. Does the penalty not shrink the codes?",
            _refitted,
        ),
        "one step of the descent": (
            "After one step the gradient has changed. Is your condition of optimality met?",
            lambda X, B, lam: by_steps(X, B, lam, steps=1),
        ),
        "only positive codes": (
            "May an atom be subtracted?",
            lambda X, B, lam: sparse_encode(X, B, alpha=lam / 2, positive=True, **EXACT),
        ),
    },
    hints=[
        "Proximal gradient of chapter 9: a step against the gradient, then a soft threshold, many times.",
        "Check yourself by (10.12): twice the products of the residual with the atoms, against the penalty.",
    ],
)

# ---- 4: one atom


def draw_long_atom(rng, n=9, d=5):
    """Codes so small that the best free atom would be longer than 1."""
    b, a = 3 * unit_rows(rng.normal(size=(1, d)))[0], rng.normal(size=n)
    return np.outer(a, b) + 0.3 * rng.normal(size=(n, d)), a


def draw_short_atom(rng):
    E, a = draw_long_atom(rng)
    return E, 8 * a


def best_atom(E, a):
    b = a @ E / (a @ a)
    return b / max(1, np.linalg.norm(b))


def free_atom(E, a):
    return a @ E / (a @ a)


question(
    "sparse.4",
    "One atom for given codes",
    core=True,
    then="Go on: what if the codes are all 0 for this atom?",
    stars=2,
    truth=best_atom,
    forbids=NO_CODER,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[Case(1, "large codes", draw_short_atom), Case(2, "small codes", draw_long_atom)],
    mistakes={
        "free scale": (
            "You made the penalty vanish without a better fit. What keeps the atoms from growing?",
            free_atom,
        ),
        "always of length 1": (
            "At most 1 is not equal to 1. Does a shorter atom fit better here?",
            lambda E, a: free_atom(E, a) / np.linalg.norm(free_atom(E, a)),
        ),
        "not divided by the codes": (
            "Multiply all codes by 10: how should the best atom change?",
            lambda E, a: a @ E,
        ),
        "divided by the sum of the codes": (
            "Codes may cancel in a sum. By what does least squares divide?",
            lambda E, a: a @ E / a.sum() / max(1, np.linalg.norm(a @ E / a.sum())),
        ),
        "the mean of the samples": (
            "Every row counts alike in your atom, whatever its code. Should it?",
            lambda E, a: E.mean(axis=0) / max(1, np.linalg.norm(E.mean(axis=0))),
        ),
        "each entry cut at 1": (
            "The length of the atom is bounded. You bounded its entries.",
            lambda E, a: np.clip(free_atom(E, a), -1, 1),
        ),
        "the SVD": (
            "These codes are given. The SVD would choose its own.",
            lambda E, a: np.linalg.svd(E)[2][0] * np.sign(np.linalg.svd(E)[2][0] @ (a @ E)),
        ),
    },
    hints=[
        "Without the bound it is least squares with one unknown for each column of E.",
        "With the bound, (10.8) says: take the point of the ball that is nearest.",
    ],
)

# ---- 5: atoms of length 1


def draw_any_lengths(rng, n=9, d=5, k=6):
    B = rng.normal(size=(k, d)) * np.exp(rng.normal(size=(k, 1)))
    return B, rng.normal(size=(n, k)) * (rng.uniform(size=(n, k)) < 0.5)


def draw_a_zero_atom(rng):
    B, A = draw_any_lengths(rng)
    B[2] = 0
    return B, A


def unit_atoms(B, A):
    length = np.linalg.norm(B, axis=1)
    length[length == 0] = 1
    return B / length[:, None], A * length


def safe_lengths(B, axis=1):
    length = np.linalg.norm(B, axis=axis, keepdims=True)
    return np.where(length == 0, 1, length)


question(
    "sparse.5",
    "The same product",
    then="Go on: which other changes keep the product, and every atom at length 1?",
    keeps_input=True,
    truth=unit_atoms,
    same=same_dictionary,
    cases=[Case(1, "atoms of any length", draw_any_lengths), Case(1, "an atom of zeros", draw_a_zero_atom)],
    mistakes={
        "atoms rescaled, codes not": (
            "The error rose although you only made atoms shorter: what happened to the product AB?",
            lambda B, A: (B / safe_lengths(B), A),
        ),
        "codes divided too": (
            "You divided twice. What has to become larger when an atom becomes shorter?",
            lambda B, A: (B / safe_lengths(B), A / safe_lengths(B)[:, 0]),
        ),
        "columns scaled": (
            "The features have length 1 now. Where do the atoms stand?",
            lambda B, A: (B / safe_lengths(B, axis=0), A),
        ),
        "free scale": (
            "The product is right, and a penalty on the codes would be ten times smaller. What keeps atoms "
            "from growing, if not their length?",
            lambda B, A: (10 * unit_atoms(B, A)[0], unit_atoms(B, A)[1] / 10),
        ),
        "zero divided by zero": (
            "What is the direction of an atom of zeros? It explains nothing: let it be.",
            lambda B, A: (B / np.linalg.norm(B, axis=1, keepdims=True), A * np.linalg.norm(B, axis=1)),
        ),
        "absolute values for lengths": (
            "The entries sum to 1 in absolute value. Is that the length meant?",
            lambda B, A: (
                B / np.maximum(np.abs(B).sum(axis=1, keepdims=True), 1e-300),
                A * np.abs(B).sum(axis=1),
            ),
        ),
    },
    hints=["An atom becomes c times shorter: what must its codes become?"],
)

# ---- 6: repair the K-SVD step


def draw_dictionary(rng, n=24, d=6, k=8, i=3):
    """About a third of the samples use each atom, one in four atom i."""
    A = rng.normal(size=(n, k)) * (rng.uniform(size=(n, k)) < 0.35)
    A[:, i] = rng.permutation(np.r_[rng.uniform(1, 2, size=n // 4), np.zeros(n - n // 4)])
    B = unit_rows(rng.normal(size=(k, d)))
    return A @ B + 0.5 * rng.normal(size=(n, d)) + 0.3, B, A, i


def draw_unused(rng):
    X, B, A, i = draw_dictionary(rng)
    A[:, i] = 0
    return X, B, A, i


def leading_pair(E, codes_):
    U, sigma, Vt = np.linalg.svd(E, full_matrices=False)
    return Vt[0], sigma[0] * U[:, 0]


def _served_worst(X, R):
    return X[(R**2).sum(axis=1).argmax()]


def ksvd_step(X, B, A, i, back=1.0, everyone=False, pair=leading_pair, unused=_served_worst):
    B, A, used = B.copy(), A.copy(), A[:, i] != 0
    if not used.any():
        b = unused(X, X - A @ B)
        B[i] = B[i] if b is None else b / np.linalg.norm(b)
        return B, A
    used = used | everyone
    E = (X - A @ B + back * np.outer(A[:, i], B[i]))[used]
    B[i], A[used, i] = pair(E, A[used, i])
    return B, A


def _pair_with(f):
    return partial(ksvd_step, pair=lambda E, a: f(*np.linalg.svd(E, full_matrices=False)))


def _broken(X, B, A, i):
    """What the exercise shows."""
    B, A = B.copy(), A.copy()
    U, sigma, Vt = np.linalg.svd(X - A @ B, full_matrices=False)
    B[i], A[:, i] = sigma[0] * Vt[0], U[:, 0]
    return B, A


question(
    "sparse.6",
    "A broken K-SVD step",
    core=True,
    then="Cost: a rank-one SVD of the residual of the samples that use the atom; two products in turn "
    "do it approximately.",
    stars=3,
    keeps_input=True,
    truth=ksvd_step,
    same=same_dictionary,
    forbids=NO_CODER,
    cases=[
        Case(3, "an atom that some samples use", draw_dictionary),
        Case(1, "an atom that nobody uses", draw_unused),
    ],
    mistakes={
        "atom not added back": ("E_i leaves atom i out; did you?", dict(back=0.0)),
        "full SVD": ("Who used this atom before?", dict(everyone=True)),
        "singular value lost": (
            "Which factor has length 1? And where did the size of E go?",
            _pair_with(lambda U, s, Vt: (Vt[0], U[:, 0])),
        ),
        "singular value in the atom": (
            "Which factor has length 1?",
            _pair_with(lambda U, s, Vt: (s[0] * Vt[0], U[:, 0])),
        ),
        "singular value shared": (
            "Which factor has length 1? You gave half of the size to each.",
            _pair_with(lambda U, s, Vt: (np.sqrt(s[0]) * Vt[0], np.sqrt(s[0]) * U[:, 0])),
        ),
        "column for row of the third factor": (
            "NumPy keeps the right singular vectors in rows of the third factor: which one did you take?",
            _pair_with(lambda U, s, Vt: (Vt[:, 0], s[0] * U[:, 0])),
        ),
        "the smallest singular value": (
            "In which order does svd return the singular values?",
            _pair_with(lambda U, s, Vt: (Vt[-1], s[-1] * U[:, -1])),
        ),
        "the codes stay": (
            "The atom turned. Should the codes of its users turn with it?",
            dict(pair=lambda E, a: (np.linalg.svd(E)[2][0] * np.sign(np.linalg.svd(E)[2][0] @ (a @ E)), a)),
        ),
        "the unused atom stays": (
            "Nobody uses this atom: which sample is served worst?",
            dict(unused=lambda X, R: None),
        ),
        "the unused atom becomes a residual": (
            "The right sample. Is it the sample that is asked for, or what is left of it?",
            dict(unused=lambda X, R: R[(R**2).sum(axis=1).argmax()]),
        ),
        "the unused atom becomes the longest sample": (
            "The longest sample may be served well. What is left of each?",
            dict(unused=lambda X, R: X[(X**2).sum(axis=1).argmax()]),
        ),
        "as in the broken code": (
            "Four things are wrong. Look at the zeros of the codes first, then at the length of the atom.",
            _broken,
        ),
    },
    hints=[
        "Four things are wrong: what E holds, which rows of it, which factor is scaled, and what happens "
        "when nobody uses the atom.",
        "After the step: the same zeros in A, an atom of length 1, an error that has not risen.",
    ],
)

# ---- 7: norms

question(
    "sparse.7",
    "Three norms",
    name="three_norms",
    then="Go on: which matrix of rank 1 is nearest in the spectral norm? Is it the only one?",
    cases=Case(2),
    secret=True,
    truth=[13, 12, 5],
    same=lambda a, b: close(a, b, tol=1e-3),
    mistakes={
        "spectral for Frobenius": ("Is it one singular value, or all?", [12, 12, 5]),
        "added up": (
            "The singular values are legs of a right angle. Did you add their lengths?",
            [17, 12, 5],
        ),
        "squared": ("A norm has the unit of the entries. Did you forget a root?", [169, 12, 25]),
        "the smallest for the spectral norm": ("By how much can M stretch a vector at most?", [13, 5, 12]),
        "the difference of norms": (
            "Subtract the matrices, not their norms: which singular values are left?",
            [13, 12, 1],
        ),
        "nothing left": ("A matrix of rank 1 cannot equal one of rank 2. What is left?", [13, 12, 0]),
    },
    hints=[
        "The Frobenius norm is the length of the list of singular values.",
        "The best matrix of rank 1 takes one singular value away. Which?",
    ],
)

# ---- 8: sparse and not separable


def sparse_table(n=40, d=20, per_row=1, seed=0, cut=False):
    """One nonzero number in each row; labels at random, or by a plane."""
    rng = np.random.default_rng(seed)
    X, y = np.zeros((n, d)), np.arange(n) % 2
    X[np.arange(n), np.arange(n) // 4 % d] = rng.permutation(np.r_[-n // 2 : 0, 1 : n // 2 + 1])
    X[np.arange(n), (np.arange(n) // 4 + 7) % d] = 0 if per_row == 1 else 1.0
    return X, (X.sum(axis=1) > 0).astype(int) if cut else y


def _is_separable(X, y):
    X = np.column_stack([X, np.ones(len(X))]) * np.where(y == y[0], 1, -1)[:, None]
    return linprog(np.zeros(X.shape[1]), A_ub=-X, b_ub=-np.ones(len(X)), bounds=(None, None)).status == 0


def _dense_table(n=200, d=20, keep=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * (rng.uniform(size=(n, d)) < keep), np.arange(n) % 2


def check_table(got):
    X, y = numbers(got[0]), np.asarray(got[1])
    if X is None or X.ndim != 2 or y.shape != X.shape[:1] or not 10 <= len(X) <= 300 or X.shape[1] > 300:
        return "Return X with 10 to 300 rows and at most 300 columns, and y with a label for each row."
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) != 2 or counts.min() < 0.4 * len(y):
        return "Two classes, please, neither with less than 40 % of the rows."
    if (X != 0).mean() > 0.05:
        return f"{100 * (X != 0).mean():.0f} % of your numbers are not 0; 5 % may be."
    if not (X != 0).any(axis=1).all() or len(np.unique(X, axis=0)) < len(X):
        return "A row of zeros, or two equal rows: too easy. All rows must differ and hold something."
    return "A hyperplane separates your classes." if _is_separable(X, y) else None


question(
    "sparse.8",
    "Sparse, so separable?",
    name="sparse_table",
    then="Go on: give each row a column of its own. Is any labelling separable now?",
    stars=2,
    cases=Case(3),
    truth=sparse_table(),
    checker=check_table,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "dense": (
            "That is not separable, and not sparse either. Which of your numbers can go?",
            _dense_table(),
        ),
        "rows of zeros": (
            "Two rows of zeros with two labels: nothing could tell them apart. Can you do it with rows that "
            "differ?",
            _dense_table(keep=0.04),
        ),
        "more columns than rows": (
            "With a column for each row every labelling can be separated. What limits the number of planes?",
            (np.diag(np.arange(1.0, 41)), np.arange(40) % 2),
        ),
        "labels made by a plane": (
            "You made the labels with a plane, so one separates them.",
            sparse_table(cut=True),
        ),
        "one class rare": (
            "A class of a few rows is easily cut off. Make both frequent.",
            (sparse_table()[0], (np.arange(40) > 36).astype(int)),
        ),
    },
    hints=[
        "Let each row hold a single number. On one axis, how must two labels lie so that no cut separates "
        "them?",
        "One column with four rows on one line is enough; the other columns only add zeros.",
    ],
)

# ---- 9: claims

reasoned(
    "sparse.9",
    "Eight claims",
    name="claims",
    core=True,
    then="Go on: claim 8 is false for OMP. For which way of coding would it be true?",
    stars=2,
    cases=Case(2, "your list"),
    secret=True,
    truth=([False, True, True, False, True, False, True, False], 3),
    same=same_labels,
    because=Because(
        "**Why** is claim 8 true, or false?",
        {
            ("True: coding anew finds the least error that so many atoms can give."): (
                "That would take a look at every set of atoms. How many sets does OMP look at?"
            ),
            "True: each step of OMP lowers the residual, so the last one is the lowest of all.": (
                "Below that of the step before. Below that of the old codes, too?"
            ),
            "False: OMP takes one atom at a time, and may end with a worse set than the old one.": None,
            "False: after the dictionary has changed, no old code fits it as well as a new one.": (
                "With the new dictionary the old codes have an error, too. Who says that it is larger?"
            ),
        },
    ),
    mistakes={
        "coding is linear": (
            "Which atoms are used depends on x. Can one matrix do that?",
            [True, True, True, False, True, False, True, False],
        ),
        "pursuit changes with the size": (
            "Double x: do the products with the atoms change their order?",
            [False, False, True, False, True, False, True, False],
        ),
        "decoding is not linear": (
            "Once the codes are known, what is left to do to them?",
            [False, True, False, False, True, False, True, False],
        ),
        "orthogonal to everything": (
            "A residual at right angles to all atoms of a large dictionary would be nothing. To which atoms "
            "is it orthogonal?",
            [False, True, True, True, True, False, True, False],
        ),
        "one product never suffices": (
            "If atoms are at right angles, does one know of the others?",
            [False, True, True, False, False, False, True, False],
        ),
        "the sample is left out": (
            "What is the index j in E_j: that of a sample?",
            [False, True, True, False, True, True, True, False],
        ),
        "the update may raise the error": (
            "The old atom with its old codes is one of the candidates of the SVD. Can the best be worse?",
            [False, True, True, False, True, False, False, False],
        ),
        "recoding never raises the error": (
            "OMP is greedy. Does it find the best code, or a good one?",
            [False, True, True, False, True, False, True, True],
        ),
    },
    hints=[
        "Most can be tried: draw a dictionary and a sample, and let the computer answer.",
        "For the last two, think of what each step minimises, and among which candidates.",
    ],
)

# ---- 10: a planted dictionary

FIT, STARTS = {"max_iter": 60}, 4


def draw_planted(rng, n=700, d=12, k=16, s=2):
    """Samples of s atoms each, which have mean 0, on top of a grey of their own."""
    B = rng.normal(size=(k, d))
    B, A = unit_rows(B - B.mean(axis=1, keepdims=True)), np.zeros((n, k))
    for a in A:
        a[rng.choice(k, size=s, replace=False)] = rng.choice([-1, 1], size=s) * rng.uniform(0.5, 2, size=s)
    return Task((A @ B + 2 * rng.normal(size=(n, 1)), k, s), hidden=B)


def find_atoms(X, k, s):
    X = X - X.mean(axis=1, keepdims=True)
    fits = [KSVD(k, n_nonzero_coefs=s, random_state=seed, **FIT).fit(X) for seed in range(STARTS)]
    return min(fits, key=lambda fit: fit.error_[-1]).components_


def check_atoms(got, X, k, s, true):
    B = numbers(got)
    if B is None or B.shape != (k, X.shape[1]) or not np.linalg.norm(B, axis=1).all():
        return f"Return {k} atoms in rows, none of them all zeros: an array of shape {(k, X.shape[1])}."
    found = (np.abs(unit_rows(B) @ true.T) > 0.95).any(axis=0).sum()
    return None if found >= 0.8 * k else f"{found} of {k} hidden atoms are among yours."


def ksvd_atoms(X, k, s, centre=True, seed=0):
    X = X - X.mean(axis=1, keepdims=True) if centre else X
    return KSVD(k, n_nonzero_coefs=s, random_state=seed, **FIT).fit(X).components_


def _principal(X, k, s):
    V = np.linalg.svd(X - X.mean(axis=1, keepdims=True))[2]
    return np.vstack([V, V[: k - len(V)]])


question(
    "sparse.10",
    "What was hidden",
    then="Go on: which samples could tell apart two atoms that are always used together?",
    stars=3,
    truth=find_atoms,
    checker=check_atoms,
    cases=Case(4, draw=draw_planted),
    seconds=20.0,
    mistakes={
        "the grey left in": (
            "Each sample has a grey of its own, which is no atom. Did you take it away?",
            lambda X, k, s: ksvd_atoms(X, k, s, centre=False),
        ),
        "the mean sample taken away": (
            "You centred the columns. What differs from row to row?",
            lambda X, k, s: ksvd_atoms(X - X.mean(axis=0), k, s, centre=False),
        ),
        "axes of PCA": ("PCA's axes are at right angles. Were the hidden atoms?", _principal),
        "samples taken for atoms": (
            "A sample is a sum of several atoms. How do you take the sum apart?",
            lambda X, k, s: (X - X.mean(axis=1, keepdims=True))[:k],
        ),
        "one atom for each sample": (
            "With one atom each, you found sums of atoms. How many make up a sample?",
            lambda X, k, s: ksvd_atoms(X, k, 1),
        ),
        "too many atoms for each sample": (
            "The fit is excellent, the atoms are not. How many make up a sample?",
            lambda X, k, s: ksvd_atoms(X, k, 7),
        ),
    },
    hints=[
        "KSVD of helpers.methods.ksvd may be used. Look at the samples first: what do they have that atoms "
        "of mean 0 cannot give?",
        "The end depends on the start: try several, and keep the one with the smallest error.",
    ],
)

# ---- 11: denoise patches

WAVES = dct(np.eye(8), axis=0, norm="ortho")
COSINES = np.kron(WAVES, WAVES)
ROOM = 1.15


def draw_noisy(rng, sigma, n=300):
    """Squares of 8 × 8 pixels of a photograph, with noise."""
    camera = load_camera()
    rows, columns = rng.integers(0, 504, size=(2, n))
    clean = np.array([camera[r : r + 8, c : c + 8].ravel() for r, c in zip(rows, columns)])
    return Task((clean + sigma * rng.normal(size=clean.shape), sigma, COSINES), hidden=clean)


def turned_squares(task, rng):
    """For a class: squares turned and mirrored by chance, some as negatives: cosines fit them as well."""
    (noisy, sigma, B), clean = task.args, task.hidden
    ways = rng.integers(0, 2, size=(4, len(noisy)))
    return Task((_turned(noisy, *ways), sigma, B), hidden=_turned(clean, *ways))


def _turned(patches, flipped, mirrored, transposed, negative):
    squares = patches.reshape(-1, 8, 8)
    for way, turn in (
        (flipped, lambda s: s[:, ::-1]),
        (mirrored, lambda s: s[:, :, ::-1]),
        (transposed, lambda s: s.transpose(0, 2, 1)),
        (negative, lambda s: 1 - s),
    ):
        squares = np.where(way[:, None, None] == 1, turn(squares), squares)
    return squares.reshape(patches.shape)


def clean_squares(noisy, sigma, B):
    grey = noisy.mean(axis=1, keepdims=True)
    codes = batch_omp(noisy - grey, B, tol=noisy.shape[1] * (ROOM * sigma) ** 2)
    return codes @ B + grey


def _error(P, clean):
    return ((P - clean) ** 2).mean()


def check_squares(got, noisy, sigma, B, clean):
    P = numbers(got)
    if P is None or P.shape != noisy.shape:
        return f"Return the patches in rows: an array of shape {noisy.shape}."
    mine, best = (1e4 * _error(Q, clean) for Q in (P, clean_squares(noisy, sigma, B)))
    if mine <= 1.15 * best:
        return None
    return (
        f"Mean squared error: {1e4 * _error(noisy, clean):.0f} in the noisy patches, {mine:.1f} in yours; "
        f"{best:.1f} is within reach (in units of 0.0001)."
    )


def cleaned(noisy, sigma, B, grey=True, **stop):
    shift = noisy.mean(axis=1, keepdims=True) if grey else 0.0
    return batch_omp(noisy - shift, B, **stop) @ B + shift


question(
    "sparse.11",
    "Clean patches",
    then="Go on: learn the atoms from the noisy patches themselves. Which patches gain by that?",
    stars=3,
    truth=clean_squares,
    checker=check_squares,
    disguise=turned_squares,
    forbids=NO_PEEPING,
    cases=[
        Case(2, "some noise", lambda rng: draw_noisy(rng, rng.uniform(0.05, 0.07))),
        Case(2, "much noise", lambda rng: draw_noisy(rng, rng.uniform(0.14, 0.18))),
    ],
    mistakes={
        "the variance of one pixel": (
            "You stop at the noise of one pixel. How many pixels has a patch?",
            lambda noisy, sigma, B: cleaned(noisy, sigma, B, tol=sigma**2),
        ),
        "coded to the end": (
            "Your codes explain the noisy patches completely. Whose details are these?",
            lambda noisy, sigma, B: noisy + 0.0,
        ),
        "the grey is gone": (
            "The patches came out around 0. What did you take away before coding?",
            lambda noisy, sigma, B: clean_squares(noisy, sigma, B) - noisy.mean(axis=1, keepdims=True),
        ),
        "only the grey": (
            "Every patch is flat. Are there no edges that the noise cannot explain?",
            lambda noisy, sigma, B: noisy.mean(axis=1, keepdims=True) + 0 * noisy,
        ),
        "the standard deviation for the variance": (
            "The tolerance is a squared length. In which unit is yours?",
            lambda noisy, sigma, B: cleaned(noisy, sigma, B, tol=64 * sigma),
        ),
        "the first cosines for all": (
            "All patches use the same atoms. May an edge choose its own?",
            lambda noisy, sigma, B: noisy @ B[:20].T @ B[:20],
        ),
        "as many atoms for flat patches as for edges": (
            "Every patch has the same number of atoms. Does the sky need as many as the coat?",
            lambda noisy, sigma, B: cleaned(noisy, sigma, B, n_nonzero_coefs=8),
        ),
    },
    hints=[
        "How long is the noise in a patch of 64 pixels, squared and on average? Code until the residual is "
        "no longer.",
        "batch_omp of helpers.methods.ksvd takes a tolerance; take each patch's mean away first, and "
        "give it back.",
    ],
)

# ---- 12: mend


def draw_blanks(rng, n=6, d=14, k=20, s=2):
    """Samples of s atoms; a third of the entries is NaN."""
    B, A = unit_rows(rng.normal(size=(k, d))), np.zeros((n, k))
    for a in A:
        a[rng.choice(k, size=s, replace=False)] = rng.choice([-1, 1], size=s) * rng.uniform(1, 2, size=s)
    X = A @ B + 0.3 * rng.normal(size=(n, d))
    return np.where(rng.uniform(size=X.shape) < 0.35, np.nan, X), B, s


def mend(X, B, s, coder=omp, cut=lambda B, there: B[:, there], whole=lambda B, there: B):
    filled = X.copy()
    for x in filled:
        there = ~np.isnan(x)
        x[~there] = (coder(x[there], cut(B, there), s) @ whole(B, there))[~there]
    return filled


def _zeros_filled_in(X, B, s):
    Z = np.nan_to_num(X)
    return np.where(np.isnan(X), np.array([omp(z, B, s) for z in Z]) @ B, X)


question(
    "sparse.12",
    "Mend the samples",
    then="Go on: how many entries may be blank before s steps have more unknowns than equations?",
    stars=2,
    truth=mend,
    keeps_input=True,
    forbids=NO_PURSUIT,
    cases=Case(3, draw=draw_blanks),
    same=lambda a, b: close(a, b, tol=1e-6),
    mistakes={
        "zeros for blanks": (
            "You coded the zeros that stand for blanks. Does anybody know that they are 0?",
            _zeros_filled_in,
        ),
        "long pieces win": (
            "The atoms lost entries, each its own share. Are the pieces still of one length?",
            dict(coder=partial(pursuit, length=lambda B: 1)),
        ),
        "codes of pieces of length 1": (
            "These codes belong to pieces of length 1. Which atoms do you multiply them with?",
            dict(cut=lambda B, there: unit_rows(B[:, there])),
        ),
        "known entries replaced": (
            "Some entries were known. Why replace them?",
            lambda X, B, s: np.array([omp(x[~np.isnan(x)], B[:, ~np.isnan(x)], s) for x in X]) @ B,
        ),
        "the row's mean": (
            "Every blank of a row got the same number. What does the dictionary say?",
            lambda X, B, s: np.where(np.isnan(X), np.nanmean(X, axis=1, keepdims=True), X),
        ),
        "no refit": (
            "Is what remains orthogonal to the pieces of all chosen atoms?",
            dict(coder=partial(pursuit, refit=False)),
        ),
        "least squares with all atoms": (
            "With all atoms you can fit any known entries. What does that say about the unknown ones?",
            dict(coder=lambda x, B, s: np.linalg.pinv(B.T) @ x),
        ),
    },
    hints=[
        "For one sample: keep the known entries of it, and the same entries of all atoms. Then code.",
        "Your omp of question 2 works for atoms of any length.",
    ],
)


reading(
    "sparse.13",
    "Error against atoms",
    name="in_the_figure",
    then="Go on: with less noise, does the lowest point move to more atoms or to fewer?",
    text="The error of a dictionary of 30 atoms, learned from 200 patches, against the number of "
    "atoms that each code may use: on the 200 patches, and on 200 others. Noise was added to "
    "all. Which number would you take to clean new patches?",
    choices={
        (
            "One atom: the fewer atoms a code has, the less noise can enter into it."
        ): "With one atom the other curve is high, too.",
        "The one at which the curve of other patches, held against clean ones, is lowest.": None,
        (
            "Any: the atoms are the same for each of them, so the pictures will be, too."
        ): "They are. But what do more of them code?",
        "The largest that was tried: the error on the 200 patches that were learned is least there.": (
            "On those patches the noise is coded as well. Which curve is about new patches, held "
            "against the clean ones?"
        ),
    },
    reasons={
        "With more atoms the dictionary itself gets larger, and fits less well.": (
            "It has 30 atoms throughout; the codes use more of them."
        ),
        "Orthogonal matching pursuit is not exact: each further atom errs more.": (
            "It is greedy, for every number of atoms. Why does one curve turn up?"
        ),
        "With more atoms, what is coded besides the picture is the noise.": None,
        "Patches that were not learned are always coded better.": "Compare the curves at the left end.",
    },
    hints=["What does each curve compare the reconstruction with?"],
)


reading(
    "sparse.14",
    "A penalty that vanishes",
    name="in_the_report",
    then="Go on: hold each atom at length 1. What does the penalty do now?",
    text='A report: "We minimise ‖X − AB‖² + λ Σ|a| over atoms and codes by gradient steps. The '
    "error stays at 12, and the penalty has sunk from 900 to 0.4 **without any change of "
    'AB**. So the codes have become sparse." What happened?',
    choices={
        (
            "They are sparse: the penalty is their sum, and the penalty says so."
        ): "Count the zeros: did a single code become 0?",
        "The steps were too short to reach the minimum.": "With more steps the penalty would sink further.",
        "The atoms grew, and the codes shrank by the same factor.": None,
        (
            "The error should have fallen, too, if anything had been learned."
        ): "AB did not change, so the error cannot.",
    },
    reasons={
        "Gradient steps do not converge on convex functions, or only after very many steps.": (
            "This one is not convex; and they got far enough."
        ),
        (
            "An L1 penalty never makes zeros, it only makes all of the codes small."
        ): "With atoms of length 1 it does.",
        "Nothing bounds the atoms' length: (A/c)(cB) = AB, with a penalty c times as small.": None,
        (
            "λ was too large: with a smaller one the codes would have stayed where they were."
        ): "Any λ above 0 can be escaped in this way.",
    },
    hints=["Multiply an atom by 10 and its codes by 1/10. What changes?"],
)


RESIDUAL = Notation(
    r"""
    d, t | number       | how many features, and chosen atoms  |
    B    | matrix t × d | the chosen atoms, in rows            |
    x    | column d     | the sample                           |
    I    | matrix       | unit matrix                          | unit matrix
    """,
    default=False,
)


def draw_residual(rng):
    t = int(rng.integers(2, 4))
    d = t + int(rng.integers(2, 4))
    return (dict(d=d, t=t, B=rng.normal(size=(t, d)), x=rng.normal(size=d)),)


question(
    "sparse.15",
    "The formula of a residual",
    name="residual",
    then="Another way: with Q from a QR of the chosen atoms, x − QQᵀx.",
    formula=RESIDUAL,
    truth=r"x - B^\top (B B^\top)^{-1} B x",
    cases=Case(1, draw=draw_residual),
    mistakes={
        "atoms taken for orthonormal": (
            "Are the chosen atoms at right angles? Is your residual at right angles to them?",
            r"x - B^\top B x",
        ),
        "the projection": ("That is what the atoms explain. What is left?", r"B^\top (B B^\top)^{-1} B x"),
        "the sign": ("Add it to what the atoms explain: do you get x?", r"B^\top (B B^\top)^{-1} B x - x"),
        "not inverted": ("Your residual grows with the atoms' length.", r"x - B^\top (B B^\top) B x"),
        "half of it": (
            "Is your residual at right angles to the atoms?",
            r"x - \frac12 B^\top (B B^\top)^{-1} B x",
        ),
    },
    hints=[
        "First the codes: a least-squares problem with t unknowns.",
        "Multiply the atoms with their codes and subtract.",
    ],
)
