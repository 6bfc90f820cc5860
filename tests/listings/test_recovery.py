"""Chapter 6's listings against scikit-learn, and against the methods of this course."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso, orthogonal_mp

from helpers.methods import sparse_recovery
from helpers.methods.soft_impute import SoftImpute, svt
from tests.listings import agree, listing

CHAPTER = "06-recovery"
TINY = "its tolerance is absolute: measurements this small are all alike to it"
WIDE = "columns from 1e-9 to 1e9: the solver's own tolerance shows in the sixth digit"
TIE = "atoms that match as well as each other: rounding decides which is taken"


def measured(X, rng, k=2):
    """The table as a measurement matrix, and the measurements of a code with k nonzeros."""
    A, s = np.asarray(X, float), np.zeros(X.shape[1])
    s[rng.choice(len(s), min(k, len(s)), replace=False)] = rng.uniform(1, 2, min(k, len(s)))
    return A, A @ s


def test_restricted_isometry():
    delta = listing(CHAPTER, "delta")
    agree(
        "restricted isometry",
        lambda X, rng: delta(np.asarray(X, float), min(2, X.shape[1])),
        lambda X, rng: sparse_recovery.restricted_isometry_constant(X, min(2, X.shape[1])),
    )


def test_basis_pursuit():
    """Codes of least L1 norm may be many: what they measure and their norm are the same."""
    basis_pursuit = listing(CHAPTER, "basis_pursuit")

    def told(A, code):
        return np.abs(code).sum(), A @ code

    def ours(X, rng):
        A, y = measured(X, rng)
        return told(A, basis_pursuit(A, y)[0])

    def theirs(X, rng):
        A, y = measured(X, rng)
        return told(A, sparse_recovery.basis_pursuit(A, y))

    agree("basis pursuit", ours, theirs, size=(5, 9), reasons={"scale 1e-12": TINY, "mixed units": WIDE})


@pytest.mark.filterwarnings("ignore:Orthogonal matching pursuit ended prematurely")
def test_matching_pursuit():
    omp = listing(CHAPTER, "omp")

    def unit(X):
        A = np.asarray(X, float)
        return A / np.linalg.norm(A, axis=0)

    agree(
        "matching pursuit",
        lambda X, rng: omp(unit(X), rng.normal(size=len(X)), 2),
        lambda X, rng: orthogonal_mp(unit(X), rng.normal(size=len(X)), n_nonzero_coefs=2),
        size=(8, 5),
        reasons={
            "rank-deficient": TIE,
            "equal columns": TIE,
            "all rows equal": TIE,
            "offset 1e8": TIE,
        },
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_lasso():
    ista = listing(CHAPTER, "ista")

    def problem(X, rng):
        A, y = np.asarray(X, float), rng.normal(size=len(X))
        return A, y, 0.5 * np.abs(A.T @ y).max()

    def value(A, y, lam, s):
        return ((y - A @ s) ** 2).sum() / 2 + lam * np.abs(s).sum()

    def ours(X, rng):
        A, y, lam = problem(X, rng)
        return value(A, y, lam, ista(A, y, lam, 3000))

    def theirs(X, rng):
        A, y, lam = problem(X, rng)
        model = Lasso(lam / len(y), fit_intercept=False, tol=1e-10, max_iter=10**5)
        return value(A, y, lam, model.fit(A, y).coef_)

    agree("lasso", ours, theirs, size=(12, 4))


def test_singular_values_shrunk():
    """Without blanks one step of soft-impute is the soft threshold."""
    soft_impute = listing(CHAPTER, "soft_impute")
    agree(
        "svt",
        lambda X, rng: soft_impute(np.asarray(X, float), 0.3 * np.linalg.norm(X, 2), steps=1),
        lambda X, rng: svt(X, 0.3 * np.linalg.norm(X, 2)),
    )


def test_soft_impute():
    soft_impute = listing(CHAPTER, "soft_impute")

    def holes(X, rng):
        A = np.array(X, float)
        seen = rng.uniform(size=A.shape) < 0.7
        seen[0] = True
        return A, seen, 0.2 * np.linalg.norm(np.where(seen, A, 0), 2)

    def ours(X, rng):
        A, seen, lam = holes(X, rng)
        return np.where(seen, A, soft_impute(np.where(seen, A, np.nan), lam, steps=2000))

    def theirs(X, rng):
        A, seen, lam = holes(X, rng)
        return SoftImpute(lam, tol=1e-10, max_iter=10**4).fit_transform(np.where(seen, A, np.nan))

    agree("soft-impute", ours, theirs, draws=60, size=(10, 6))
