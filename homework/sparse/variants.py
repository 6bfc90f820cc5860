"""Variants and statements: atoms, codes and dictionaries."""

from itertools import combinations

import numpy as np
from numpy.linalg import norm
from sklearn.decomposition import sparse_encode

from grading.variant import Variant, also, bank, fails, holds, means, reworded, variant, worded
from homework.sparse.questions import all_at_once, check_table, ksvd_step, pursuit


def omp(B, x, steps, **other):
    """Codes of x after so many steps of orthogonal matching pursuit; here atoms are columns."""
    return pursuit(x, B.T, steps, **other)


def atoms(d=4, k=7, seed=0):
    B = np.random.default_rng(seed).normal(size=(d, k))
    return B / np.linalg.norm(B, axis=0)


def sample(d=4, seed=1):
    return np.random.default_rng(seed).normal(size=d)


def residual(steps):
    B, x = atoms(), sample()
    return B.T @ (x - B @ omp(B, x, steps))


def matrix(seed=0):
    return np.random.default_rng(seed).normal(size=(5, 3))


def nearest(M, k):
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    return (U[:, :k] * s[:k]) @ Vt[:k]


def soft(z, lam):
    return np.sign(z) * np.maximum(np.abs(z) - lam / 2, 0)


def by_svd():
    """The pair of K-SVD for a drawn matrix: an atom, and its codes."""
    U, s, Vt = np.linalg.svd(matrix())
    return Vt[0], s[0] * U[:, 0]


COLUMNS = np.random.default_rng(0).normal(size=(4, 9))

# five atoms of length 1 in rows, the codes of twelve samples with two nonzeros each, and the samples
B = matrix(1) / norm(matrix(1), axis=1, keepdims=True)
A = np.array([np.random.default_rng(i).permutation([1.0 + i, -2.0, 0, 0, 0]) for i in range(12)])
X = A @ B + 0.3 * np.random.default_rng(2).normal(size=(12, 3))


def updated(i, rows=slice(None)):
    """(atoms, codes) of these samples after K-SVD's step for one atom."""
    return ksvd_step(X[rows], B, A[rows], i)


def left(a, seed):
    return norm(sample(seed=seed) - atoms() @ a)


def best_pair(seed):
    """The least that two atoms leave of a sample."""
    pairs = (atoms()[:, pair] for pair in map(list, combinations(range(7), 2)))
    return min(norm(sample(seed=seed) - P @ (np.linalg.pinv(P) @ sample(seed=seed))) for P in pairs)


def price(a):
    return norm(sample() - atoms() @ a) ** 2 + np.abs(a).sum()


bank(
    "sparse",
    holds(
        "The sample that belongs to the sum of two codes is the sum of the two samples.",
        "Decoding is a product of the codes with the atoms, linear in the codes.",
        lambda: np.allclose(
            atoms() @ (np.ones(7) + np.arange(7)), atoms() @ np.ones(7) + atoms() @ np.arange(7)
        ),
    ),
    fails(
        "The L1 code of the sum of two samples is the sum of their L1 codes.",
        "Which atoms are used depends on the sample.",
        lambda: np.isclose(soft(0.6, 1) + soft(0.6, 1), soft(1.2, 1)),
    ),
    holds(
        "The code that OMP finds for 2x is twice that for x, with the same number of steps.",
        "All products double; their order stays.",
        lambda: np.allclose(omp(atoms(), 2 * sample(), 2), 2 * omp(atoms(), sample(), 2)),
    ),
    fails(
        "The L1 code of 2x, with the same penalty, is twice that of x.",
        "The same λ takes off the same amount.",
        lambda: np.isclose(soft(2.0, 1), 2 * soft(1.0, 1)),
    ),
    holds(
        "After t steps of OMP the residual is orthogonal to the t chosen atoms.",
        "Their codes were refitted by least squares.",
        lambda: (np.abs(residual(2)) < 1e-9).sum() >= 2,
    ),
    fails(
        "After fewer than d steps of OMP the residual is orthogonal to all atoms.",
        "Then nothing would be left to explain.",
        lambda: np.allclose(residual(2), 0),
    ),
    fails(
        "OMP chooses an atom a second time if it fits well.",
        "The residual is orthogonal to it: its product is 0.",
        lambda: np.abs(residual(2)[omp(atoms(), sample(), 2) != 0]).max() > 1e-9,
    ),
    holds(
        "The residual of OMP never grows from step to step.",
        "One more column of least squares.",
        lambda: (
            np.linalg.norm(sample() - atoms() @ omp(atoms(), sample(), 3))
            <= np.linalg.norm(sample() - atoms() @ omp(atoms(), sample(), 2)) + 1e-12
        ),
    ),
    holds(
        "After d steps with independent atoms, OMP's residual is 0.",
        "d independent atoms span the space.",
        lambda: np.allclose(atoms() @ omp(atoms(), sample(), 4), sample()),
    ),
    fails(
        "OMP always finds the best code with two atoms.",
        "It is greedy: the best pair need not hold the best single atom.",
        lambda: all(left(omp(atoms(), sample(seed=s), 2), s) <= best_pair(s) + 1e-9 for s in range(20)),
    ),
    fails(
        "OMP picks the atom with the largest product with the residual, sign included.",
        "In absolute value: a code may be negative.",
        lambda: all(
            np.argmax(atoms().T @ sample(seed=s)) == omp(atoms(), sample(seed=s), 1).nonzero()[0]
            for s in range(9)
        ),
    ),
    holds(
        "With orthonormal atoms the L1 code is the product XBᵀ, soft-thresholded.",
        "Each code has a problem of its own.",
        lambda: np.allclose(
            sparse_encode(COLUMNS.T, np.eye(4), algorithm="lasso_lars", alpha=0.25).T, soft(COLUMNS, 0.5)
        ),
    ),
    holds(
        "With orthonormal atoms, OMP with t steps keeps the t largest products in absolute value.",
        "A chosen atom changes no other product.",
        lambda: np.allclose(omp(np.eye(4), np.array([1.0, -3, 2, 0.5]), 2), [0, -3, 2, 0]),
    ),
    fails(
        "A dictionary with more atoms than features gives each sample exactly one exact code.",
        "The codes of a sample differ by the null space.",
        lambda: np.linalg.matrix_rank(atoms()) == 7,
    ),
    holds(
        "Without a bound on the atoms' lengths, an L1 penalty on the codes can be made as small "
        "as one likes.",
        "Long atoms, short codes, the same product.",
        lambda: np.abs(A / 1e6).sum() < 1e-3 and np.allclose((A / 1e6) @ (1e6 * B), A @ B),
    ),
    fails(
        "Updating one atom and its codes in K-SVD raises the error at times.",
        "The old ones are among the candidates.",
        lambda: any(norm(X - A2 @ B2) > norm(X - A @ B) + 1e-9 for B2, A2 in map(updated, range(5))),
    ),
    holds(
        "K-SVD keeps the places of the nonzeros of a column of A when it updates an atom.",
        "The SVD is taken over the samples that use it.",
        lambda: all(np.array_equal(updated(i)[1] != 0, A != 0) for i in range(5)),
    ),
    fails(
        "K-SVD's atom update needs all samples.",
        "Only those that use the atom.",
        lambda: not np.isclose(abs(updated(0)[0][0] @ updated(0, A[:, 0] != 0)[0][0]), 1),
    ),
    holds(
        "With samples in the rows, the new atom of K-SVD is the first right singular vector, and its "
        "codes are the first left one times the first singular value.",
        "The atom has length 1, so the codes carry the size.",
        lambda: np.isclose(
            np.linalg.norm(matrix() - np.outer(*by_svd()[::-1])),
            np.linalg.norm(matrix() - nearest(matrix(), 1)),
        ),
    ),
    fails(
        "numpy.linalg.svd returns V, with the right singular vectors in columns.",
        "It returns Vᵀ: they stand in rows.",
        lambda: np.allclose((U := np.linalg.svd(matrix(), full_matrices=False))[0] * U[1] @ U[2].T, matrix()),
    ),
    holds(
        "The squared Frobenius norm is the sum of the squared singular values.",
        "Rotations keep it.",
        lambda: np.isclose((matrix() ** 2).sum(), (np.linalg.svd(matrix(), compute_uv=False) ** 2).sum()),
    ),
    fails(
        "The error of the best matrix of rank 1, in the Frobenius norm, is the second singular value.",
        "It is the root of the sum of squares of all but the first.",
        lambda: np.isclose(
            np.linalg.norm(matrix() - nearest(matrix(), 1)), np.linalg.svd(matrix(), compute_uv=False)[1]
        ),
    ),
    holds(
        "The error of the best matrix of rank 1, in the spectral norm, is the second singular value.",
        "That is the largest one left.",
        lambda: np.isclose(
            np.linalg.norm(matrix() - nearest(matrix(), 1), 2),
            np.linalg.svd(matrix(), compute_uv=False)[1],
        ),
    ),
    holds(
        "For a matrix of rank 1, Frobenius and spectral norm are equal.",
        "There is one singular value.",
        lambda: np.isclose(
            np.linalg.norm(np.outer([1, 2], [3, 4])), np.linalg.norm(np.outer([1, 2], [3, 4]), 2)
        ),
    ),
    fails(
        "The whole problem, over atoms and codes together, is convex.",
        "Exchange two atoms with their codes: another minimum, and between them none.",
        lambda: norm(A @ B - (A + A[:, ::-1]) @ (B + B[::-1]) / 4) < 1e-9,
    ),
    holds(
        "With the atoms fixed, the L1 problem for the codes is convex.",
        "A square plus a norm.",
        lambda: all(
            price((a + b) / 2) <= (price(a) + price(b)) / 2
            for a, b in np.random.default_rng(0).normal(size=(200, 2, 7))
        ),
    ),
    fails(
        "Sparse data are linearly separable.",
        "Four numbers on one axis with labels 0, 1, 0, 1 are not.",
        lambda: any(
            len({*(np.arange(4) % 2)[: i + 1]} & {*(np.arange(4) % 2)[i + 1 :]}) == 0 for i in range(3)
        ),
    ),
    fails(
        "Dictionary learning can find the order of the hidden atoms.",
        "Any order with the codes in that order gives the same product.",
        lambda: not np.allclose(A @ B, A[:, ::-1] @ B[::-1]),
    ),
    holds(
        "A hidden atom can be found only up to its sign.",
        "Atom and codes can be negated together.",
        lambda: np.allclose(A @ B, -A @ -B),
    ),
    fails(
        "Half of a dictionary's atoms are enough to code every sample exactly, whatever the dictionary.",
        "They may span less than the space.",
        lambda: np.linalg.matrix_rank(atoms()[:, :3]) == 4,
    ),
    means(
        "In E_j of (10.7) it is the atom j with its codes that is left out.",
        True,
        "E_j = X − Σ over the other atoms.",
    ),
)

ANGLES = (1, 0), (0, 1), (0.6, 0.8), (0.8, 0.6), (0.6, -0.8), (0.8, -0.6)


@variant("sparse.1")
def two_steps(rng):
    chosen = [ANGLES[i] for i in rng.permutation(len(ANGLES))[:3]]
    B, names = np.array(chosen).T, [f"({a}, {b})".replace("-", "−") for a, b in chosen]
    while True:
        x = rng.integers(-5, 6, 2)
        first = np.sort(np.abs(B.T @ x))
        if x.all() and first[-1] > first[-2] + 0.05 and np.abs(x - B @ omp(B, x, 1)).max() > 0.1:
            rest = np.sort(np.abs(B.T @ (x - B @ omp(B, x, 1))))
            if rest[-1] > rest[-2] + 0.05:
                break
    plain = omp(B, x, 2, refit=False)
    text = (
        f"Three atoms of length 1 in the plane: b₁ = {names[0]}, b₂ = {names[1]}, b₃ = {names[2]}. "
        f"By hand: the code of x = ({x[0]}, {x[1]}) after **two** steps "
        "of orthogonal matching pursuit, a list of three numbers (0 for an atom that is not used)."
    )
    truth = omp(B, x, 2)
    found = {"no refit": plain, "one step only": omp(B, x, 1), "all three products": B.T @ x}
    signed, both = omp(B, x, 2, size=np.array), all_at_once(x, B.T, 2)
    known = [truth, *found.values()]
    for name, code in (("no absolute value", signed), ("the two largest products at once", both)):
        if not any(np.allclose(code, other, atol=1e-2) for other in known):
            found[name] = code
            known.append(code)
    return Variant(text, truth.tolist(), {name: code.tolist() for name, code in found.items()})


LEGS = (3, 4), (5, 12), (8, 15), (7, 24), (20, 21), (6, 8), (9, 12), (9, 40), (12, 35)


@variant("sparse.7")
def three_norms(rng):
    a, b = LEGS[rng.integers(len(LEGS))]
    c = round(np.hypot(a, b))
    n = int(rng.integers(3, 9))
    text = (
        f"A matrix M of shape ({n}, 2) has the singular values {a} and {b}. By hand: a list of its "
        "Frobenius norm, its spectral norm, and the Frobenius norm of "
        "M − M₁, where M₁ is the matrix of rank 1 that is nearest to M."
    )
    wrong = {"spectral for Frobenius": [b, b, a], "added up": [a + b, b, a], "squared": [c * c, b, a * a]}
    wrong |= {"the smallest for the spectral norm": [c, a, b], "the difference of norms": [c, b, c - b]}
    return Variant(text, [c, b, a], wrong | {"nothing left": [c, b, 0]})


@variant("sparse.8")
def sparse_and_inseparable(rng):
    n, d = int(rng.integers(10, 60)) * 2, int(rng.integers(25, 60))
    least = int(rng.integers(2, 20))

    def demand(got):
        X = np.asarray(got[0], float)
        if X.shape != (n, d):
            return f"X should have {n} rows and {d} columns; its shape is {X.shape}."
        if np.abs(X[X != 0]).min(initial=np.inf) < least:
            return f"Every number that is not 0 should be at least {least} in absolute value."

    X, y = np.zeros((n, d)), np.arange(n) % 2
    X[np.arange(n), np.arange(n) // 4 % d] = least + np.arange(n)
    text = (
        f"A table (X, y) with {n} rows and {d} columns, at most 5 % of the numbers not 0, and "
        f"these at least {least} in absolute value; no row all zeros, no two rows "
        "equal; two classes, neither with less than 40 % of the rows; and no hyperplane separates them."
    )
    return Variant(text, (X, y), checker=also(check_table, demand))


# ---- question 9 in other words


def lasso_codes(B, x, lam=0.4):
    """The code of x with the penalty lam; atoms are columns."""
    return sparse_encode(x[None], B.T, algorithm="lasso_lars", alpha=lam / 2)[0]


def codes_add():
    B, x, y = atoms(), sample(), sample(seed=2)
    return np.allclose(lasso_codes(B, x + y), lasso_codes(B, x) + lasso_codes(B, y), atol=1e-3)


def codes_double():
    B, x = atoms(), sample()
    return np.allclose(omp(B, 2 * x, 2), 2 * omp(B, x, 2))


def samples_add():
    B, a, b = atoms(), sample(7, 3), sample(7, 4)
    return np.allclose(B @ (a + b), B @ a + B @ b)


def one_product_will_do():
    Q, x = np.linalg.qr(COLUMNS[:, :4])[0], sample()
    return np.allclose(lasso_codes(Q, x), soft(Q.T @ x, 0.4), atol=1e-3)


def shape_of_rest():
    """Of what all atoms but one leave of nine samples: whether one sample is gone."""
    A, B = np.ones((9, 3)), matrix()[:3]
    return len(COLUMNS.T[:, :3] - np.delete(A, 1, axis=1) @ np.delete(B, 1, axis=0)) < 9


def update_raises():
    """Whether the best atom with its codes leaves more than the old ones did, for some of 50 tables."""
    rng = np.random.default_rng(0)
    tables, old = rng.normal(size=(50, 6, 4)), rng.normal(size=(50, 6, 1)) * rng.normal(size=(50, 1, 4))
    return any(np.linalg.norm(E - nearest(E, 1)) > np.linalg.norm(E - was) for E, was in zip(tables, old))


def recoding_raises():
    """x is a sum of two atoms; a third one, nearly between them, is taken first."""
    B = np.array([[1.0, 0, 0.7], [0, 1, 0.7], [0, 0, 0.14]])
    B /= np.linalg.norm(B, axis=0)
    x = np.array([1.0, 1.1, 0])
    return np.linalg.norm(x - B @ omp(B, x, 2)) > 1e-6


reworded(
    "sparse.9",
    "True or false, for the best code over a dictionary with more atoms than features, unless it is said "
    "otherwise?",
    worded(
        codes_add,
        False,
        (
            "The code with an L1 penalty is linear in the sample.",
            "Which atoms take part depends on the sample.",
        ),
        ("Of two samples' L1 codes the sum is the L1 code of their sum.", "It explains it, and costs more."),
        ("The L1 code of a sum may be another than the sum of the L1 codes.", "Coding chooses atoms.", False),
    ),
    worded(
        codes_double,
        True,
        ("OMP finds for 3x three times what it finds for x, in as many steps.", "All products grow alike."),
        ("Which atoms OMP takes does not depend on the length of the sample.", "All products grow alike."),
        ("A sample twice as long may get other atoms by OMP.", "The order of the products stays.", False),
    ),
    worded(
        samples_add,
        True,
        ("From a code back to its sample is a linear map.", "It is one matrix product."),
        ("Two codes are added: what they stand for is added, too.", "A product with B is linear."),
        ("The sum of two codes may stand for another sample than the sum of both.", "B is linear.", False),
    ),
    worded(
        lambda: np.allclose(residual(2), 0, atol=1e-6),
        False,
        (
            "After two steps of OMP in four features the residual is orthogonal to every atom.",
            "Only to those that were chosen.",
        ),
        ("Whatever OMP has left, no atom has a product with it.", "The atoms not chosen may have one."),
        ("Some atom may still have a product with OMP's residual.", "One that was not chosen.", False),
    ),
    worded(
        one_product_will_do,
        True,
        (
            "With orthonormal atoms, as many as features, each entry of the L1 code is found alone.",
            "By a soft threshold.",
        ),
        (
            "For orthonormal atoms the L1 code is soft thresholding of the products.",
            "No atom knows of another.",
        ),
        (
            "Even with an orthonormal basis, an L1 code needs many rounds.",
            "A product and a threshold.",
            False,
        ),
    ),
    worded(
        shape_of_rest,
        False,
        ("K-SVD leaves sample j out of the matrix E_j of atom j.", "Atom j is left out; all samples stay."),
        ("E_j has one row less than X.", "As many: the index j is an atom's."),
        ("In E_j atom j is missing, and each sample is there.", "E_j = X − what the other atoms say.", False),
    ),
    worded(
        update_raises,
        False,
        (
            "A step of K-SVD for one atom and its codes may make the error larger.",
            "The old pair is a candidate.",
        ),
        (
            "After K-SVD's update of an atom, the error may be above what it was.",
            "The best pair cannot be worse than the old one.",
        ),
        (
            "One update of an atom and its codes leaves the error equal or smaller.",
            "Best of all pairs.",
            False,
        ),
    ),
    worded(
        recoding_raises,
        True,
        (
            "Coding anew by OMP, with as many atoms, may make the error larger.",
            "OMP takes one atom at a time.",
        ),
        ("Old codes may be better than those that OMP finds now, of as many atoms.", "OMP is greedy."),
        (
            "OMP's codes are at least as good as any old ones of as many atoms.",
            "It may take a bad set.",
            False,
        ),
    ),
)
