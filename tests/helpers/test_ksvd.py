"""K-SVD and batch OMP, against the pursuit of one sample, the SVD, and scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import orthogonal_mp

from helpers.methods.ksvd import KSVD, batch_omp, sweep


def unit(B):
    return B / np.linalg.norm(B, axis=1, keepdims=True)


def pursuit(x, B, s, tol=0.0):
    """OMP of one sample, by least squares."""
    chosen, r, a = [], x, np.zeros(len(B))
    while len(chosen) < s and r @ r > tol:
        products = np.abs(unit(B) @ r)
        if products.max() <= 1e-7 * np.linalg.norm(x):
            break
        chosen.append(products.argmax())
        a[chosen] = np.linalg.lstsq(B[chosen].T, x)[0]
        r = x - a @ B
    return a


@pytest.fixture
def signals():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 8)), rng.normal(size=(12, 8)) * np.exp(rng.normal(size=(12, 1)))


@pytest.mark.parametrize("how", [dict(n_nonzero_coefs=3), dict(n_nonzero_coefs=8), dict(tol=2.0), {}])
def test_all_samples_at_once_is_one_sample_at_a_time(signals, how):
    X, B = signals
    alone = [pursuit(x, B, how.get("n_nonzero_coefs", 8), how.get("tol", 0.0)) for x in X]
    assert np.allclose(batch_omp(X, B, **how), alone)


def test_scikit_learn_finds_the_same_over_atoms_of_length_1(signals):
    X, B = signals[0], unit(signals[1])
    assert np.allclose(batch_omp(X, B, n_nonzero_coefs=4), orthogonal_mp(B.T, X.T, n_nonzero_coefs=4).T)


def test_a_sample_within_the_tolerance_takes_no_atom(signals):
    X, B = signals[0], unit(signals[1])
    quiet = (X**2).sum(axis=1) <= 4
    codes = batch_omp(X, B, tol=4.0)
    assert quiet.any() and not codes[quiet].any() and codes[~quiet].any(axis=1).all()
    assert (((X - codes @ B) ** 2).sum(axis=1) <= 4).all()
    assert orthogonal_mp(B.T, X.T, tol=4.0).T[quiet].any(axis=1).all()  # scikit-learn takes one


def test_zeros_and_copies_among_atoms_and_samples(signals):
    X, B = signals
    X[3], B[5], B[6] = 0, 0, 2 * B[7]
    codes = batch_omp(X, B)
    assert not codes[3].any() and not codes[:, 5].any()
    assert np.allclose(codes @ B, X)  # eleven directions in eight dimensions
    assert ((codes != 0).sum(axis=1) <= 8).all() and np.isfinite(codes).all()


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_units_do_not_matter(signals, scale):
    X, B = signals
    assert np.allclose(batch_omp(scale * X, B, n_nonzero_coefs=3), scale * batch_omp(X, B, n_nonzero_coefs=3))


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (dict(n_nonzero_coefs=0), "choose 1 to 8"),
        (dict(n_nonzero_coefs=9), "choose 1 to 8"),
        (dict(tol=-1), "at least 0"),
        (dict(tol=np.nan), "at least 0"),
        (dict(B=np.ones((3, 7))), "8 features, atoms 7"),
        (dict(X=np.full((2, 8), np.nan)), "NaN"),
    ],
)
def test_what_does_not_fit_is_refused(signals, how, says):
    with pytest.raises(ValueError, match=says):
        batch_omp(**dict(X=signals[0], B=signals[1]) | how)


def test_an_update_is_the_best_rank_one_for_the_users(signals):
    X, B = signals[0], unit(signals[1])
    A = batch_omp(X, B, n_nonzero_coefs=2)
    first = np.flatnonzero(A.any(axis=0))[0]
    only = A * (np.arange(12) == first)  # a sweep of this atom alone
    rest = X - (A - only) @ B
    C, codes = sweep(rest, B, only)
    used = A[:, first] != 0
    sigma = np.linalg.svd(rest[used], compute_uv=False)
    left = ((rest - codes @ C) ** 2)[used].sum()
    assert left == pytest.approx((sigma[1:] ** 2).sum())  # (10.9)
    assert ((codes != 0) == (only != 0)).all() and np.array_equal(C[first + 1 :], B[first + 1 :])


def test_no_sweep_raises_the_error_or_adds_a_code(signals):
    X, B = signals[0], unit(signals[1])
    A = batch_omp(X, B, n_nonzero_coefs=2)
    C, codes = sweep(X, B, A)
    assert ((X - codes @ C) ** 2).sum() < ((X - A @ B) ** 2).sum()
    assert np.allclose((C**2).sum(axis=1), 1) and not codes[A == 0].any()


def planted(seed, n=500, d=10, k=14, s=2):
    rng = np.random.default_rng(seed)
    B, A = unit(rng.normal(size=(k, d))), np.zeros((n, k))
    for a in A:
        a[rng.choice(k, s, replace=False)] = rng.choice([-1, 1], s) * rng.uniform(0.5, 2, s)
    return A @ B, B


def test_hidden_atoms_are_found():
    X, B = planted(0)
    starts = [KSVD(14, n_nonzero_coefs=2, random_state=seed).fit(X) for seed in range(4)]
    model = min(starts, key=lambda start: start.error_[-1])
    assert (np.abs(B @ model.components_.T).max(axis=1) > 0.95).mean() > 0.9
    assert model.error_[-1] < model.error_[0] / 3 and len(model.error_) == 30
    assert np.array_equal(model.transform(X), batch_omp(X, model.components_, n_nonzero_coefs=2))


def test_an_atom_without_users_stays():
    X, B = np.eye(4)[[0, 1, 0, 1, 2]], np.eye(4)[[0, 1, 3]]
    model = KSVD(3, n_nonzero_coefs=1, max_iter=3, dict_init=B).fit(X)
    assert model.components_[2].tolist() == [0, 0, 0, 1]


def test_without_rounds_the_atoms_are_samples():
    X, _ = planted(2)
    atoms = KSVD(9, max_iter=0, random_state=0).fit(X).components_
    assert np.allclose(np.abs(unit(X) @ atoms.T).max(axis=0), 1) and np.allclose((atoms**2).sum(axis=1), 1)


def test_a_tolerance_asks_for_as_many_atoms_as_it_takes():
    X, _ = planted(1)
    model = KSVD(14, code_tol=0.01, max_iter=5, random_state=0).fit(X)
    assert (((X - model.transform(X) @ model.components_) ** 2).sum(axis=1) <= 0.01).all()


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (dict(n_components=6), "choose 1 to 5"),
        (dict(n_components=0), "choose 1 to 5"),
        (dict(n_components=2, dict_init=np.eye(4)), "needs shape"),
        (dict(n_components=2, dict_init=np.zeros((2, 4))), "no atom of zeros"),
        (dict(n_components=2, n_nonzero_coefs=3), "choose 1 to 2"),
        (dict(n_components=2, code_tol=-1), "at least 0"),
    ],
)
def test_a_dictionary_that_cannot_be_is_refused(how, says):
    X = np.vstack([np.eye(4), np.ones((1, 4)), np.zeros((3, 4))])
    with pytest.raises(ValueError, match=says):
        KSVD(**how).fit(X)
