"""Homework 6: sampling, sparse recovery and matrix completion."""

from itertools import combinations

import numpy as np
from scipy.fft import dct, idct
from scipy.optimize import linprog
from sklearn.linear_model import Lasso

from grading.question import Case, Task, computed_once, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels
from helpers.methods.soft_impute import SoftImpute, svt
from helpers.methods.sparse_recovery import basis_pursuit, coherence
from helpers.reading import Notation

NO_L1 = ("helpers.methods.sparse_recovery", "sklearn.linear_model")
NO_SOFT = ("helpers.methods.soft_impute", "sklearn.impute")

# ---- 1: by hand


def same_blanks(a, b):
    """Numbers equal to numbers, words to words in letters of any size."""

    def alike(x, y):
        x, y = (v.strip().lower() if isinstance(v, str) else v for v in (x, y))
        return x == y if isinstance(y, str) or isinstance(x, str) else close(x, y, tol=1e-6)

    return isinstance(a, (list, tuple)) and len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b))


question(
    "recovery.1",
    "Four blanks",
    name="blanks",
    core=True,
    then="Go on: which blanks of a 3 × 3 table of rank 1 can be two at once, and still be known?",
    cases=Case(2),
    secret=True,
    truth=[-9, "none", "any", 6],
    same=same_blanks,
    mistakes={
        "proportional the wrong way round": (
            "In the first table, is your second row a multiple of the first?",
            [-1, "none", "any", 6],
        ),
        "the sign": ("Your rows are nearly proportional. Mind the sign.", [9, "none", "any", 6]),
        "zero fits always": (
            "In the second table one row starts with 0 and the other does not. Can either be a multiple of "
            "the other?",
            [-9, 0, "any", 6],
        ),
        "none and any confused": (
            "Which of the two middle tables has a row of zeros? What is its rank, whatever the blank?",
            [-9, "any", "none", 6],
        ),
        "zero although anything would do": (
            "Your third table has the right rank. Would another number spoil it?",
            [-9, "none", 0, 6],
        ),
        "differences kept, not ratios": (
            "You kept differences. Does a table of rank one have constant differences, or constant ratios?",
            [1, 9, 5, 7],
        ),
    },
    hints=[
        "A table of two rows has rank one when one row is a multiple of the other, and not all of it "
        "vanishes.",
        "Write the determinant with x in the blank: which x makes it vanish?",
    ],
)

# ---- 2: predict, then run

reasoned(
    "recovery.2",
    "Which samples tell everything?",
    name="determined",
    then="Go on: case 5 fails at t = 0, 0.1, … What if the first sample is taken at t = 0.05?",
    cases=Case(1, "your list"),
    secret=True,
    truth=([False, False, True, True, False, True], 3),
    same=same_labels,
    because=Because(
        "**Why** do the samples of case 6 determine the signal, or not?",
        {
            (
                "They do not: a rate of 10 is less than twice 7, and Nyquist's "
                "condition asks for more than that."
            ): ("Nyquist asks that for all tones up to a limit. Here the tone is known: what is not?"),
            "They do not: a slower tone has the same samples, and nobody can tell the two apart.": (
                "It has. Is that tone among the signals that case 6 allows?"
            ),
            (
                "They do: they are $a$ times known numbers, those of a slower sine, turned over, and not "
                "all 0."
            ): None,
            (
                "They do: with ten samples a second no tone can hide between the dots for long."
            ): "Put case 5 to that rule.",
        },
    ),
    mistakes={
        "exactly twice is enough": (
            "Sample a sine and a cosine at that rate. Do you see both?",
            [False, True, True, True, True, True],
        ),
        "exactly twice is enough for all tones": (
            "Among all those tones is a sine of the top frequency. What are its samples?",
            [False, True, True, True, False, True],
        ),
        "at least as many as waves": (
            "One sample a wave: which slower tone has the same samples?",
            [True, True, True, True, True, True],
        ),
        "the theorem read backwards": (
            "Nyquist speaks of all tones up to a limit. If you know the tone, how many numbers are unknown?",
            [False, False, True, False, False, False],
        ),
        "the alias taken for a loss": (
            "The fast sine has the samples of a slower one. You know which of them it is: what is unknown?",
            [False, False, True, True, False, False],
        ),
        "sine for cosine": (
            "At rate 10 one of sine and cosine shows nothing at all. Which of them?",
            [False, False, True, False, True, True],
        ),
    },
    hints=[
        "Count unknown numbers, and ask whether two different signals have the same samples.",
        "Write down the samples of each single tone at whole multiples of a tenth of a second.",
    ],
)

# ---- 3: basis pursuit


def _code(rng, n, k):
    """A code with k nonzeros of both signs; the first entry is 0."""
    s = np.zeros(n)
    s[rng.choice(np.arange(1, n), k, replace=False)] = rng.uniform(1, 3, size=k) * (-1) ** np.arange(k)
    return s


def draw_sparse(rng, m=20, n=60, k=4):
    """Few measurements of a code with few nonzeros, of both signs."""
    A = rng.normal(size=(m, n))
    return A, A @ _code(rng, n, k)


def draw_dense(rng):
    """A code that is not sparse: L1 has an answer all the same."""
    A = rng.normal(size=(12, 30))
    return A, A @ rng.normal(size=30)


def l1_recover(A, y):
    n = A.shape[1]
    found = linprog(np.ones(2 * n), A_eq=np.hstack([A, -A]), b_eq=y)  # its variables are >= 0
    return found.x[:n] - found.x[n:]


def _shortest(A, y):
    return np.linalg.pinv(A) @ y


def _shortest_cut(A, y, k=4):
    """Refitted on the k largest of the shortest."""
    T, s = np.argsort(-np.abs(_shortest(A, y)))[:k], np.zeros(A.shape[1])
    s[T] = np.linalg.lstsq(A[:, T], y)[0]
    return s


question(
    "recovery.3",
    "The least sum of absolute values",
    core=True,
    then="Cost: a linear programme with 2n variables. Greedy pursuit is faster, and misses more often.",
    stars=2,
    truth=l1_recover,
    forbids=NO_L1,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[Case(2, "a sparse code", draw_sparse), Case(1, "a code that is not sparse", draw_dense)],
    mistakes={
        "the shortest solution": (
            "Among all solutions you took the shortest, and it spreads over all entries. Which measure likes "
            "zeros?",
            _shortest,
        ),
        "linprog's default bounds": (
            "What does linprog assume about the signs of its variables?",
            lambda A, y: linprog(np.ones(A.shape[1]), A_eq=A, b_eq=y).x,
        ),
        "both parts added": (
            "No entry of yours is negative. What did you do with the two halves?",
            lambda A, y: np.abs(l1_recover(A, y)),
        ),
        "the first half only": (
            "All your entries below 0 have become 0: where is the other half?",
            lambda A, y: np.maximum(l1_recover(A, y), 0),
        ),
        "the shortest solution, cut": (
            "The largest entries of the shortest solution need not be the right ones. Does yours explain y?",
            _shortest_cut,
        ),
        "the Lasso": (
            "Every entry of yours is drawn towards 0, and y is not explained exactly.",
            lambda A, y: Lasso(alpha=0.1, fit_intercept=False, tol=1e-8, max_iter=10**5).fit(A, y).coef_,
        ),
        "the transpose for the inverse": (
            "Multiply your answer by A: do you get y?",
            lambda A, y: A.T @ y / len(y),
        ),
    },
    hints=[
        "Section 6.7: write s as the difference of two vectors that are not negative.",
        "np.hstack builds the matrix for the pair; at the end the two halves are subtracted.",
    ],
)

# ---- 4: a sum of few cosines


def draw_cosines(rng, m=30, n=64):
    """Random combinations of the values of a sum of four cosines."""
    Phi = rng.normal(size=(m, n))
    return Phi, Phi @ idct(_code(rng, n, 4), norm="ortho")


def draw_picked(rng, m=36, n=64):
    """Single values at random places."""
    Phi = np.eye(n)[np.sort(rng.choice(n, m, replace=False))]
    return Phi, Phi @ idct(_code(rng, n, 3), norm="ortho")


def synthesis(Phi):
    return idct(np.eye(Phi.shape[1]), axis=0, norm="ortho")


def _with_basis(Phi, y, Psi):
    return Psi @ basis_pursuit(Phi @ Psi, y)


def recover_cosines(Phi, y):
    return _with_basis(Phi, y, synthesis(Phi))


question(
    "recovery.4",
    "A sum of few cosines",
    then="Go on: how many more measurements does a sum of twice as many waves need?",
    stars=2,
    truth=recover_cosines,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[Case(2, "random combinations", draw_cosines), Case(1, "values at single places", draw_picked)],
    mistakes={
        "basis forgotten": (
            "Plot x: it is dense. Which vector is sparse, and how does y depend on it?",
            basis_pursuit,
        ),
        "analysis for synthesis": (
            "Psi must turn codes into signals: which way does yours go?",
            lambda Phi, y: _with_basis(Phi, y, dct(np.eye(Phi.shape[1]), axis=0, norm="ortho")),
        ),
        "the code returned": (
            "Your answer has few nonzeros. Is it the signal?",
            lambda Phi, y: basis_pursuit(Phi @ synthesis(Phi), y),
        ),
        "the shortest signal": (
            "You took the shortest signal that fits. What else do you know about x?",
            _shortest,
        ),
        "turned back the wrong way": (
            "You found the right code. Which matrix takes it to the signal?",
            lambda Phi, y: synthesis(Phi).T @ basis_pursuit(Phi @ synthesis(Phi), y),
        ),
        "sparse sines": (
            "Is the basis that you took the one in the task? Look at its type.",
            lambda Phi, y: _with_basis(Phi, y, dct(np.eye(Phi.shape[1]), type=4, axis=0, norm="ortho")),
        ),
    },
    hints=[
        "What is the matrix between the code and the measurements?",
        "Transform a single 1 among zeros: does one wave come out, or one wave's coefficients?",
    ],
)

# ---- 5: the restricted isometry constant


def draw_unlike_columns(rng):
    """Columns of length near 1, none exactly."""
    return rng.normal(size=(7, 9)) / np.sqrt(7), 3


def draw_unit(rng):
    """Unit columns, order 2; close columns are not neighbours."""
    A = rng.normal(size=(6, 8))
    A[:, 7] = A[:, 2] + 0.5 * rng.normal(size=6)
    return A / np.linalg.norm(A, axis=0), 2


def draw_short_columns(rng):
    """Here lengths shrink more than they grow."""
    return 0.5 * rng.normal(size=(5, 6)) / np.sqrt(5), 2


def draw_more_columns_than_rows(rng):
    """No four columns of three rows keep all lengths: some are changed to 0."""
    return 0.5 * rng.normal(size=(3, 6)) / np.sqrt(3), 4


def _stretches(A):
    """The singular values, of more columns than rows with the zeros."""
    return np.r_[np.linalg.svd(A, compute_uv=False), np.zeros(max(A.shape[1] - len(A), 0))]


def rip_delta(A, k, choices=combinations, of=lambda s: np.abs(s**2 - 1).max(), all_of=max, values=_stretches):
    """`of` takes the singular values of k columns."""
    return all_of(of(values(A[:, list(T)])) for T in choices(range(A.shape[1]), k))


def _neighbours(columns, k):
    return [columns[i : i + k] for i in range(len(columns) - k + 1)]


question(
    "recovery.5",
    "How much are lengths changed?",
    then=(
        "Cost: one small eigenvalue problem for each set of k columns: of 100 columns and k = 5, 75 million."
    ),
    stars=2,
    truth=rip_delta,
    forbids=NO_L1,
    cases=[
        Case(1, "columns of unlike length", draw_unlike_columns),
        Case(1, "unit columns, order 2", draw_unit),
        Case(0.5, "short columns", draw_short_columns),
        Case(0.5, "more columns at a time than rows", draw_more_columns_than_rows),
    ],
    mistakes={
        "columns brought to length 1": (
            "The columns need not have length 1. Who gave yours that length?",
            lambda A, k: rip_delta(A / np.linalg.norm(A, axis=0), k),
        ),
        "lengths not squared": (
            "RIP bounds squared lengths: are yours squared?",
            dict(of=lambda s: np.abs(s - 1).max()),
        ),
        "neighbours only": (
            "Which choices of k columns does the definition ask for? Count yours.",
            dict(choices=_neighbours),
        ),
        "the zeros of wide matrices lost": (
            "More columns than rows: is there a code that is measured as 0? How is its length changed?",
            dict(values=lambda A: np.linalg.svd(A, compute_uv=False)),
        ),
        "growth only": ("Lengths can shrink as well as grow.", dict(of=lambda s: s[0] ** 2 - 1)),
        "shrinking only": ("Lengths can grow as well as shrink.", dict(of=lambda s: 1 - s[-1] ** 2)),
        "the best choice": (
            "The bound has to hold for every choice of columns. You took the kindest.",
            dict(all_of=min),
        ),
        "rows": ("You chose rows. Of what does A s take few?", lambda A, k: rip_delta(A.T, k)),
        "Frobenius norm of the Gram matrix's error": (
            "Of a symmetric matrix, how much can it stretch one vector? Your norm adds up all directions.",
            dict(of=lambda s: np.sqrt(((s**2 - 1) ** 2).sum())),
        ),
        "the average choice": (
            "The bound has to hold for every choice of columns, not on average.",
            dict(all_of=lambda values: np.mean(list(values))),
        ),
        "coherence times k - 1": (
            "That is a bound. How large is the constant itself?",
            lambda A, k: 1.001 * (k - 1) * coherence(A),
        ),
    },
    hints=[
        "itertools.combinations gives every choice. For one choice, which number of A_T^T A_T - I counts?",
        "The largest and the smallest eigenvalue of A_T^T A_T tell the most that a squared length can "
        "change.",
    ],
)

# ---- 6: L1 is not L0


def _solutions(A, y):
    """Each solution on independent columns."""
    for k in range(A.shape[1] + 1):
        for T in map(list, combinations(range(A.shape[1]), k)):
            if k and np.linalg.matrix_rank(A[:, T], tol=1e-7) < k:
                continue
            s = np.zeros(A.shape[1])
            s[T] = np.linalg.lstsq(A[:, T], y)[0]
            if np.abs(A @ s - y).max() < 1e-8:
                yield np.where(np.abs(s) > 1e-7, s, 0)


def _pair(got):
    try:
        A, y = got
    except Exception:
        return None
    A, y = numbers(A), numbers(y)
    fits = A is not None and y is not None and A.ndim == 2 and y.ndim == 1 and len(A) == len(y) > 0
    return (A, y) if fits else None


def check_l1_fails(got):
    pair = _pair(got)
    if (
        pair is None
        or not 2 <= pair[0].shape[1] <= 3
        or np.abs(pair[0]).max() > 1e3
        or np.abs(pair[1]).max() > 1e3
    ):
        return "Return a matrix with two or three columns and a vector with as many entries as it has rows."
    found = list(_solutions(*pair))
    if not found:
        return "No s solves your equations."
    fewest, least = min(np.count_nonzero(s) for s in found), min(np.abs(s).sum() for s in found)
    sparse = min(np.abs(s).sum() for s in found if np.count_nonzero(s) == fewest)
    if sparse > least * (1 + 1e-4) + 1e-6:
        return None
    return f"The sparsest solution has {fewest} nonzeros, and none of the others has a smaller L1 norm."


def same_parts(a, b):
    """Equal arrays, one after the other."""
    return len(a) == len(b) and all(close(x, y, tol=1e-6) for x, y in zip(a, b))


question(
    "recovery.6",
    "Where L1 misses",
    name="l1_fails",
    core=True,
    then="Go on: divide each column by its length. Does L1 find your sparse code now?",
    stars=3,
    cases=Case(3),
    checker=check_l1_fails,
    same=same_parts,
    truth=([[1, 0, 0.1], [0, 1, 0.1]], [0.1, 0.1]),
    mistakes={
        "columns of length 1": (
            "All your columns have length 1. Section 6.6 says what happens then.",
            ([[1, 0, 0.6], [0, 1, 0.8]], [0.6, 0.8]),
        ),
        "only one solution": (
            "Your equations have one solution. What is there to choose?",
            ([[1, 0], [0, 1]], [1, 0]),
        ),
        "nothing measured": (
            "With y = 0 every measure finds the same code.",
            ([[1, 0, 0.1], [0, 1, 0.1]], [0, 0]),
        ),
        "the short column is not needed": (
            "L1 avoids your short column. Does the sparsest code need it?",
            ([[1, 0, 0.1], [0, 1, 0.1]], [1, 0]),
        ),
        "a long column": (
            "Your third column is long, so using it is cheap. Which length would make L1 avoid it?",
            ([[1, 0, 5], [0, 1, 5]], [5, 5]),
        ),
        "a tie": (
            "Both have the same L1 norm: L1 may still choose the sparse one.",
            ([[1, 0, 0.5], [0, 1, 0.5]], [0.5, 0.5]),
        ),
    },
    hints=[
        "Make the sparse way of explaining y expensive.",
        "A short column needs a large coefficient. When is it cheaper to use two others?",
    ],
)

# ---- 7: how many measurements


def check_least_m(got, low=24, high=28):
    m = numbers(got)
    if m is None or isinstance(got, bool) or m.shape != () or m != np.round(m):
        return "Return one whole number."
    if low <= m <= high:
        return None
    return "In a count of our own the number was another, by more than chance."


question(
    "recovery.7",
    "How many measurements?",
    name="least_m",
    core=True,
    then="Go on: double n and k. Does your m double?",
    stars=2,
    cases=Case(3),
    checker=check_least_m,
    truth=26,
    mistakes={
        "twice the nonzeros": (
            "That many measurements could determine the code. Does L1 find it with so few? Try.",
            10,
        ),
        "as many as nonzeros": (
            "You do not know where the nonzeros are. Is one measurement for each enough?",
            5,
        ),
        "as many as unknowns": ("With so many, nobody needs sparsity. Try fewer.", 100),
        "where half succeed": ("With so many measurements, which share of the codes comes back? Count.", 20),
        "the order of the theory": ("Theory's constants are generous. What does an experiment say?", 47),
    },
    hints=[
        "Draw a Gaussian matrix and a code, recover it by L1, count how often it comes back; for one m after "
        "the other.",
        "A hundred draws for each m take a second or two. Where does the count pass nine tenths?",
    ],
)

# ---- 8: by hand

question(
    "recovery.8",
    "Four sizes of a matrix",
    name="sizes",
    then="Go on: which of the four change when X is multiplied by a rotation?",
    cases=Case(2),
    secret=True,
    truth=[17, 13, 12, 2],
    same=lambda a, b: close(a, b, tol=1e-6),
    mistakes={
        "column norm for the sum": (
            "Your first number is the largest sum of a column. Which numbers does the nuclear norm add up?",
            [12, 13, 12, 2],
        ),
        "Frobenius for nuclear": (
            "Sum the singular values of diag(1, -1): what does yours say?",
            [13, 13, 12, 2],
        ),
        "trace for nuclear": (
            "The trace adds eigenvalues, with their signs. Which numbers are asked for?",
            [0, 13, 12, 2],
        ),
        "a singular value with a sign": ("Can a singular value be negative?", [7, 13, 12, 2]),
        "Frobenius without the root": (
            "Your Frobenius norm grows fourfold when the matrix doubles.",
            [17, 169, 12, 2],
        ),
        "eigenvalues for singular values": (
            "Your matrix turns what it stretches. Is its stretch an eigenvalue?",
            [2 * 60**0.5, 13, 60**0.5, 2],
        ),
    },
    hints=[
        "How far does the matrix carry each of the two unit vectors? They stay at a right angle.",
        "Those two lengths are the singular values. Section 6.13 says what to do with them.",
    ],
)

# ---- 9: repair soft-impute

MANY = range(3000)


def draw_table(rng, n=18, d=12, r=2, lam=1.0, share=0.6):
    X = rng.normal(size=(n, r)) @ rng.normal(size=(r, d))
    mask = rng.uniform(size=X.shape) < share
    mask[rng.integers(n), :] = mask[:, rng.integers(d)] = True
    return np.where(mask, X, 0), mask, lam


def draw_noisy_table(rng):
    """More noise, a larger λ; the blanks hold nonsense that nobody should use, NaN among it."""
    Y, mask, lam = draw_table(rng, n=10, d=14, r=1, lam=2.5, share=0.7)
    nonsense = np.where(rng.random(Y.shape) < 0.5, 99.0, np.nan)
    return np.where(mask, Y + 0.3 * rng.normal(size=Y.shape), nonsense), mask, lam


def soft_impute(Y, mask, lam):
    Z = np.zeros(Y.shape)
    for _ in MANY:
        U, s, Vt = np.linalg.svd(np.where(mask, Y, Z), full_matrices=False)
        Z = (U * np.maximum(s - lam, 0)) @ Vt
    return np.where(mask, Y, Z)


def _soft(Y, mask, lam, shrink=svt, steps=600, fill=lambda Y, mask, Z: np.where(mask, Y, Z), end=None):
    """soft_impute with one part exchanged."""
    Z = np.zeros(Y.shape)
    for i in range(steps):
        Z = shrink(fill(Y, mask, Z) if i else np.where(mask, Y, 0), lam)
    return (end or (lambda Y, mask, Z: np.where(mask, Y, Z)))(Y, mask, Z)


def _cut(X, lam):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return (U * s * (s > lam)) @ Vt


def _column_means(Y, mask, lam):
    return np.where(mask, Y, np.where(mask, Y, 0).sum(axis=0) / mask.sum(axis=0))


question(
    "recovery.9",
    "A broken soft-impute",
    core=True,
    then="Cost: each round is an SVD. Which part of it is needed, if the rank is to be small?",
    stars=2,
    truth=soft_impute,
    parts=_soft,
    forbids=NO_SOFT,
    same=lambda a, b: close(a, b, tol=1e-4),
    cases=[
        Case(2, "a table of rank 2", draw_table),
        Case(1, "noise, and nonsense in the blanks", draw_noisy_table),
    ],
    mistakes={
        "thirty rounds only": (
            "Twice as many rounds change your numbers. When may you stop?",
            dict(steps=30),
        ),
        "one pass only": (
            "After one pass your zeros were treated as data. What could replace them?",
            dict(steps=1),
        ),
        "observed entries not restored": (
            "After each shrinking, which entries do you know for sure?",
            dict(fill=lambda Y, mask, Z: Z),
        ),
        "hard cut": (
            "Your cut drops small values and leaves large ones whole: another method. What does the prox of "
            "the "
            "nuclear norm do to large ones?",
            dict(shrink=_cut),
        ),
        "hard cut, as given": (
            "The function cuts: it drops small values and leaves large ones whole. What does the prox of the "
            "nuclear norm do to large ones?",
            dict(shrink=_cut, steps=3000, fill=lambda Y, mask, Z: Z, end=lambda Y, mask, Z: Z),
        ),
        "hard cut, to the end": (
            "All but the cut is right. What does the prox of the nuclear norm do to large singular values?",
            dict(shrink=_cut, steps=3000),
        ),
        "the estimate everywhere": (
            "Right in the blanks. Which entries did you know already?",
            dict(end=lambda Y, mask, Z: Z),
        ),
        "column means": ("That is a baseline: no row differs from another in it.", _column_means),
        "λ counted twice": (
            "Test it on a full table: how far should each singular value move?",
            dict(shrink=lambda X, lam: svt(X, 2 * lam)),
        ),
        "λ halved": (
            "On a full table your singular values move too little.",
            dict(shrink=lambda X, lam: svt(X, lam / 2)),
        ),
    },
    hints=[
        "Print what enters the SVD in the first and in the second round. What should have changed?",
        "Three steps, again and again: what you know and the last guess; singular values; shrink.",
    ],
)

# ---- 10: nobody can know


def check_two_fillings(got):
    try:
        X1, X2, seen = got
        X1, X2, seen = numbers(X1), numbers(X2), np.asarray(seen)
    except Exception:
        X1 = None
    if (
        X1 is None
        or X2 is None
        or not (X1.shape == X2.shape == seen.shape and X1.ndim == 2 and seen.dtype == bool)
    ):
        return "Return two tables and an array of True and False, all of one shape."
    if min(X1.shape) < 10 or seen.mean() < 0.9 or min(seen.mean(axis=0).min(), seen.mean(axis=1).min()) < 0.5:
        return "At least 10 rows and columns, 9 of 10 entries seen, and half of each row and column."
    size = max(np.abs(X1).max(), np.abs(X2).max()) or 1.0
    ranks = [np.linalg.matrix_rank(X, tol=1e-8 * size) for X in (X1, X2)]
    if np.abs(X1 - X2)[seen].max() > 1e-9 * size:
        return "Your tables differ where they are seen."
    if np.abs(X1 - X2).max() < 1e-3 * size:
        return "Your tables do not differ."
    return None if ranks[0] == ranks[1] <= 2 else f"Your tables have ranks {ranks[0]} and {ranks[1]}."


def spike(value, row=0, n=10):
    X = np.zeros((n, n))
    X[row, row] = value
    return X


def _two_fillings():
    return spike(1), spike(2), spike(1) == 0


_RANK_ONE = np.outer(np.arange(1, 11), np.arange(1, 11)).astype(float)

question(
    "recovery.10",
    "Nobody can know",
    name="two_fillings",
    then="Go on: with how few blanks can there still be two fillings?",
    stars=2,
    cases=Case(2),
    checker=check_two_fillings,
    truth=_two_fillings(),
    mistakes={
        "zeros and a spike": (
            "One of your tables is simpler than the other: which one would be found?",
            (spike(0), spike(1), spike(1) == 0),
        ),
        "a table that spreads": (
            "Your table's other entries tell the blank. What kind of table tells nothing?",
            (_RANK_ONE, _RANK_ONE + spike(5), spike(1) == 0),
        ),
        "different where seen": (
            "A filling has to agree with what was observed.",
            (spike(1), spike(1, row=1), spike(1) == 0),
        ),
        "a row unseen": (
            "A blank row is too easy: look at the conditions.",
            (
                np.outer(np.arange(10) > 0, np.ones(10)),
                np.ones((10, 10)),
                np.tile(np.arange(10) > 0, (10, 1)).T,
            ),
        ),
        "the same table twice": ("How many tables did you return?", (spike(1), spike(1), spike(1) == 0)),
    },
    hints=[
        "In which table does no entry help to guess another?",
        "Both tables need the same rank: what does the blank hold in each?",
    ],
)

# ---- 11: ratings

FOLDS = 5
LAMS = (1.0, 2.5, 8.0, 13.0)


def draw_ratings(rng, noise=0.8, n=60, d=40, share=0.5):
    """People in rows, films in columns; NaN where nobody rated."""
    taste = 0.9 * rng.normal(size=(n, 2)) @ rng.normal(size=(2, d))
    X = 3 + 0.6 * rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=d) + taste + noise * rng.normal(size=(n, d))
    seen = rng.uniform(size=X.shape) < share
    seen[np.arange(n), rng.integers(d, size=n)] = True
    seen[rng.integers(n, size=d), np.arange(d)] = True
    return Task((np.where(seen, X, np.nan),), hidden=X)


def _baseline(Y):
    """Person's and film's mean, added."""
    rows = np.nanmean(Y, axis=1, keepdims=True)
    return rows + np.nanmean(Y - rows, axis=0)


def _filled(Y, lam):
    base = _baseline(Y)
    return base + SoftImpute(lam, tol=1e-3).fit_transform(Y - base)


def _rms(a, b):
    return float(np.sqrt(np.mean((a - b) ** 2)))


@computed_once
def _held_out(Y, lam, folds=FOLDS):
    """Error on entries set aside, a fifth of the seen ones at a time."""
    seen, misses = np.argwhere(~np.isnan(Y)), []
    part = np.random.default_rng(0).permutation(len(seen)) % folds
    for f in range(folds):
        rows, columns = seen[part == f].T
        fewer = Y.copy()
        fewer[rows, columns] = np.nan
        misses.append(_filled(fewer, lam)[rows, columns] - Y[rows, columns])
    return _rms(np.concatenate(misses), 0)


def fill_ratings(Y):
    errors = [_held_out(Y, lam) for lam in LAMS]
    best = int(np.argmin(errors))
    return _filled(Y, LAMS[best]), errors[best]


@computed_once
def _within_reach(Y, X):
    """The smallest error on the unseen ratings."""
    unseen = np.isnan(Y)
    return min(_rms(_filled(Y, lam)[unseen], X[unseen]) for lam in LAMS)


def check_ratings(got, Y, X):
    try:
        filled, estimate = got
        filled, estimate = numbers(filled), numbers(estimate)
    except Exception:
        filled = None
    if filled is None or estimate is None or filled.shape != X.shape or estimate.shape != ():
        return "Return the filled table and one number."
    seen = ~np.isnan(Y)
    if not np.allclose(filled[seen], Y[seen]):
        return "You changed ratings that were given."
    error = _rms(filled[~seen], X[~seen])
    reached = _within_reach(Y, X)
    rows = _rms(np.broadcast_to(np.nanmean(Y, axis=1, keepdims=True), X.shape)[~seen], X[~seen])
    if error > reached * 1.045:
        return (
            f"Your error on the unseen ratings is {error:.2f}; row means reach {rows:.2f}, "
            f"and {reached:.2f} is within reach."
        )
    if abs(estimate / error - 1) > 0.2:
        return f"Your error on the unseen ratings is {error:.2f}; you promised {float(estimate):.2f}."
    return None


def with_lam(lam):
    return lambda Y: (_filled(Y, lam), _held_out(Y, lam))


def _judged_on_seen(Y):
    """The right table, and the misfit on what was given."""
    base, seen = _baseline(Y), ~np.isnan(Y)
    lam = LAMS[int(np.argmin([_held_out(Y, one) for one in LAMS]))]
    filled = _filled(Y, lam)
    return filled, _rms((base + svt(filled - base, lam))[seen], Y[seen])


def _row_means(Y):
    return np.where(np.isnan(Y), np.nanmean(Y, axis=1, keepdims=True), Y), _rms(0, 1.0)


question(
    "recovery.11",
    "Ratings",
    then="Go on: whose blanks does your table fill worst, and did your promise know?",
    stars=3,
    truth=fill_ratings,
    checker=check_ratings,
    same=same_parts,
    seconds=20,
    cases=[
        Case(3, "people who know what they like", draw_ratings),
        Case(2, "moody people", lambda rng: draw_ratings(rng, noise=2.0)),
    ],
    mistakes={
        "judged on what it saw": (
            "You graded the method on the entries that you gave it. Which entries should it be tested on?",
            _judged_on_seen,
        ),
        "row means": ("People differ in more than how generous they are.", _row_means),
        "person plus film": (
            "A sum of two means says that all people rank the films alike. Do they?",
            lambda Y: (np.where(np.isnan(Y), _baseline(Y), Y), 1.5),
        ),
        "λ next to 0": (
            "Your table explains every rating that it saw, noise and all. How does it do on others?",
            with_lam(0.3),
        ),
        "blanks are zeros": ("Nobody gave 0. What does a blank say?", lambda Y: (np.nan_to_num(Y), 3.0)),
    },
    hints=[
        "Take out what a person's and a film's mean explain, then soft-impute the rest.",
        "Set some ratings aside, fill them from the others, compare. Do it for several λ; the same numbers "
        "are your estimate.",
    ],
)


reading(
    "recovery.12",
    "Samples of two tones",
    name="in_the_figure",
    then="Go on: which second rate of sampling would tell the two tones apart?",
    text="The dots are samples at 10 a second. Both curves pass through every dot: a cosine of 3 "
    "and one of 7 waves a second. Somebody wants to know which of the two was played. What do "
    "the dots say?",
    choices={
        "More seconds of sampling at the same rate would tell one from the other.": (
            "Compare the two at the next sample, and at the one after that."
        ),
        "They cannot say, however long one samples at this rate.": None,
        (
            "The faster one: it moves more between two dots, so more dots lie on it."
        ): "Both pass through every dot.",
        "The slower one: nature prefers slow tones to quick ones.": "You may prefer it. Do the dots?",
    },
    reasons={
        (
            "Noise hides the difference: with more digits of each sample it would be seen."
        ): "There is none here.",
        (
            "A cosine has no phase, so that two of them cannot be told apart by their dots."
        ): "It has one, and a shift would change the dots. Why are these equal?",
        "At multiples of a tenth of a second the two cosines are equal: 7 = 10 − 3.": None,
        "Ten samples a second are more than twice 3 and more than twice 7.": "Twice 7 is 14.",
    },
    hints=["Compute cos(2π·7·t) and cos(2π·3·t) at t = 0.1."],
)


reading(
    "recovery.13",
    "A perfect completion",
    name="in_the_report",
    then="Go on: which of the known ratings would you hide to learn how well the blanks are filled?",
    text='A report: "A table of ratings, 8 % of it seen. We filled it by soft-impute and compared '
    "with the ratings: mean absolute error 0.06 stars **on the 8 % that we had**. So the "
    'other 92 % are right to 0.06 stars." What is wrong?',
    choices={
        "Nothing: the method reproduces ratings to 0.06.": "Which ratings: those it was given, or others?",
        "The error was measured on the entries that were fitted.": None,
        "An absolute error is wrong; it should be squared.": (
            "The square would be small as well, on those entries."
        ),
        "Soft-impute does not work for tables with less than half of the entries.": (
            "It may work with fewer. How would one find out?"
        ),
    },
    reasons={
        "8 % of a table are always unlike the rest: people rate first what they like best.": (
            "They may be drawn at random. What else sets them apart?"
        ),
        "Fitting makes that error small whatever the other guesses are; hidden entries tell.": None,
        "The rank of the table is unknown, so that nobody can tell how many numbers were fitted.": (
            "Even if it were known, the number in the report would say nothing."
        ),
        (
            "Ratings are whole numbers, so an error of less than half a star is none at all."
        ): "Then 0.06 would be even better. On which entries?",
    },
    hints=["What would the report say of a method that fills every blank with 0 and leaves the rest?"],
)


SHRUNK_VALUE = Notation(
    r"""
    s_i     | number | value $i$, of either sign   | entry of `s`
    \lambda | number | the penalty, above 0        | `lam`
    """,
    default=False,
)


def draw_shrunk_value(rng):
    """Large and small values of either sign."""
    lam = rng.uniform(0.3, 1.5)
    return (dict(s=lam * rng.uniform([1.2, -3, 0.2, -0.9], [3, -1.2, 0.9, -0.2]), lam=lam),)


question(
    "recovery.14",
    "The formula of soft thresholding",
    name="shrunk_value",
    then="Go on: write the value of the hard threshold. Where does it jump?",
    formula=SHRUNK_VALUE,
    truth=r"\frac{s_i}{\lvert s_i \rvert} \max(\lvert s_i \rvert - \lambda, 0)",
    cases=Case(1, draw=draw_shrunk_value),
    mistakes={
        "the sign lost": (
            "Put a negative s into it. On which side of 0 should the answer lie?",
            r"\max(\lvert s_i \rvert - \lambda, 0)",
        ),
        "positive values only": ("What becomes of a negative s?", r"\max(s_i - \lambda, 0)"),
        "not cut at 0": (
            "For a small s your answer has crossed to the other side. Is that the least?",
            r"\frac{s_i}{\lvert s_i \rvert} (\lvert s_i \rvert - \lambda)",
        ),
        "twice the penalty": (
            "Set the slope to nothing: what does the half in front of the square do?",
            r"\frac{s_i}{\lvert s_i \rvert} \max(\lvert s_i \rvert - 2 \lambda, 0)",
        ),
        "half the penalty": (
            "That belongs to a square without the half in front.",
            r"\frac{s_i}{\lvert s_i \rvert} \max(\lvert s_i \rvert - \lambda / 2, 0)",
        ),
        "a hard cut": (
            "What is kept is too large: is the slope 0 there?",
            r"s_i [\lvert s_i \rvert > \lambda]",
        ),
        "ridge": ("That is the answer for a squared penalty.", r"\frac{s_i}{1 + \lambda}"),
    },
    hints=[
        "For s > 0 first: where is the slope 0, and is that on the right side of 0?",
        "s / |s| is the sign.",
    ],
)
