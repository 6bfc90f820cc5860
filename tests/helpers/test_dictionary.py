"""Sparse coding, dictionaries: equal to scikit-learn, to slow loops, and to Tropp's and Aharon's results."""

import pickle
from itertools import combinations, product

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard
from sklearn import decomposition as twin
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Lasso, orthogonal_mp, orthogonal_mp_gram
from sklearn.utils import get_tags

from helpers import _rows
from helpers import decomposition as ours
from helpers._fast import sparse_coding as fast_coding
from helpers.comparing import close
from helpers.decomposition import dictionary_learning, ksvd, sparse_coding


def unit(B):
    return B / np.linalg.norm(B, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def atoms():
    return unit(np.random.default_rng(0).normal(size=(15, 8)))


@pytest.fixture(scope="module")
def samples():
    return np.random.default_rng(1).normal(size=(60, 8)) + 0.5


# ------------------------------------------------------------ OMP
def omp_by_loops(x, B, s, tol=None):
    """The definition: pick by direction, refit by least squares."""
    chosen, c = [], np.zeros(len(B))
    while len(chosen) < s:
        r = x - c @ B
        if tol is not None and r @ r <= tol or np.abs(B @ r).max() < 1e-9:
            break
        chosen.append(int(np.argmax(np.abs(B @ r) / np.linalg.norm(B, axis=1))))
        c[:] = 0
        c[chosen] = np.linalg.lstsq(B[chosen].T, x, rcond=None)[0]
    return c


@pytest.mark.parametrize("s", [1, 2, 5, 8])
def test_omp_as_the_twin_and_by_loops(atoms, samples, s):
    codes = ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=s)
    assert close(codes, [omp_by_loops(x, atoms, s) for x in samples], 1e-9)
    assert close(codes, orthogonal_mp_gram(atoms @ atoms.T, atoms @ samples.T, n_nonzero_coefs=s).T, 1e-9)
    assert ((codes != 0).sum(axis=1) <= s).all()


@pytest.mark.parametrize("tol", [1e-9, 0.5, 2.0, 20.0])
def test_omp_until_the_residual_is_small(atoms, samples, tol):
    codes = ours.orthogonal_mp(samples, atoms, tol=tol)
    assert close(codes, [omp_by_loops(x, atoms, 8, tol) for x in samples], 1e-7)
    error = ((samples - codes @ atoms) ** 2).sum(axis=1)
    assert (error <= tol + 1e-9).all() and (
        error[(codes == 0).all(axis=1)] == (samples**2).sum(axis=1)[(codes == 0).all(axis=1)]
    ).all()
    needed = (samples**2).sum(axis=1) > tol  # the twin always takes one atom
    there = orthogonal_mp_gram(
        atoms @ atoms.T, atoms @ samples.T, tol=tol, norms_squared=(samples**2).sum(axis=1)
    ).T
    assert close(codes[needed], there[needed], 1e-7)


def test_omp_with_both_limits(atoms, samples):
    codes = ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=3, tol=1.0)
    assert close(codes, [omp_by_loops(x, atoms, 3, 1.0) for x in samples], 1e-9)
    assert len(set((codes != 0).sum(axis=1))) > 1, "both limits bind"
    assert ours.orthogonal_mp([[3.0, 1.0]], np.eye(2), tol=1.0).tolist() == [[3.0, 0.0]], "tol is enough"
    there = orthogonal_mp(atoms.T, samples.T, n_nonzero_coefs=3, tol=1.0).T  # docs/agreement.md: by tol alone
    assert (there != 0).sum(axis=1).max() > 3


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.integers(1, 12), st.integers(0, 10**6))
def test_omp_invariants(d, k, seed):
    """The residual is orthogonal to all chosen atoms, and falls with every atom more."""
    rng = np.random.default_rng(seed)
    B, X = rng.normal(size=(k, d)) * rng.uniform(0.1, 10, (k, 1)), rng.normal(size=(5, d)) * 100
    errors = [(X**2).sum(axis=1)]
    for s in range(1, min(k, d) + 1):
        codes = ours.orthogonal_mp(X, B, n_nonzero_coefs=s)
        R = X - codes @ B
        assert np.abs(((R @ unit(B).T) * (codes != 0))).max() < 1e-7 * np.abs(X).max()
        errors.append((R**2).sum(axis=1))
        assert (errors[-1] <= errors[-2] + 1e-6).all() and (codes != 0).sum(axis=1).max() <= s


def test_directions_count_not_lengths_or_signs(atoms, samples):
    lengths = np.random.default_rng(2).uniform(0.01, 100, (15, 1)) * np.resize([1, -1], (15, 1))
    scaled = ours.orthogonal_mp(samples, atoms * lengths, n_nonzero_coefs=3)
    assert close(scaled * lengths.T, ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=3), 1e-9)
    assert (scaled < 0).any() and (ours.orthogonal_mp(-samples, atoms, n_nonzero_coefs=3) <= 0).any()
    large = ours.orthogonal_mp(1e9 * samples, atoms, n_nonzero_coefs=3)
    assert close(large * 1e-9, scaled * lengths.T, 1e-9)


def test_zero_samples_zero_atoms_and_copies(atoms, samples):
    B = np.vstack([np.zeros(8), atoms, atoms[:3]])
    X = np.vstack([np.zeros(8), 2 * atoms[4], samples[:3]])
    codes = ours.orthogonal_mp(X, B, n_nonzero_coefs=6)
    assert (codes[0] == 0).all() and codes[:, 0].any() == 0 and np.isfinite(codes).all()
    assert np.flatnonzero(np.abs(codes[1]) > 1e-9).tolist() == [5], "done after one atom"
    assert close((codes @ B)[2:], ours.orthogonal_mp(samples[:3], atoms, n_nonzero_coefs=6) @ atoms, 1e-9)


def test_tropp_2004_exact_recovery():
    """[I, Hadamard/8] has coherence 1/8: k < (1 + 8)/2 nonzeros are always found; many fail as counted."""
    B = np.vstack([np.eye(64), hadamard(64) / 8.0])
    assert np.abs(B @ B.T - np.eye(128)).max() == pytest.approx(1 / 8)
    rng = np.random.default_rng(0)

    def failures(k, n, draw):
        A = np.zeros((n, 128))
        for a in A:
            a[rng.choice(128, k, replace=False)] = draw(k)
        return (np.abs(ours.orthogonal_mp(A @ B, B, n_nonzero_coefs=k) - A).max(axis=1) > 1e-8).sum()

    def signs(k):
        return rng.choice([-1.0, 1.0], k)

    assert all(failures(k, 500, draw) == 0 for k in (1, 2, 3, 4) for draw in (rng.standard_normal, signs))
    assert failures(16, 500, rng.standard_normal) <= 2  # 0 counted
    assert abs(failures(32, 500, rng.standard_normal) - 250) <= 3 * np.sqrt(250)
    assert abs(failures(12, 500, signs) - 17) <= 3 * np.sqrt(17)
    assert abs(failures(20, 500, signs) - 373) <= 3 * np.sqrt(373)


@pytest.mark.speed
def test_many_batches(atoms, samples, monkeypatch):
    def both():
        return [ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=3), ours.lasso_codes(samples, atoms, 0.3)]

    whole, heights, divide = both(), [], _rows.row_batches

    def watched(*args):
        for rows in divide(*args):
            heights.append(rows.stop - rows.start)
            yield rows

    monkeypatch.setattr(fast_coding, "row_batches", watched)
    for block, height in ((100, 6), (1, 1)):  # 15 atoms
        monkeypatch.setattr(_rows, "BLOCK", block)
        parts = both()
        assert close(whole[0], parts[0], 1e-12) and close(whole[1], parts[1], 1e-9)
        assert set(heights[-60 // height :]) == {height}
    monkeypatch.setattr(fast_coding, "descend", lambda problem, codes, *_: 7 + codes)
    monkeypatch.setattr(fast_coding, "each_by_signs", lambda problem, codes, *_: (10 + codes,))
    for n, code in ((15, 17), (16, 7)):  # few samples, no more than atoms: one after the other
        assert (ours.lasso_codes(samples[:n], atoms, 0.3) == code).all()


# ------------------------------------------------------------ L1
def test_lasso_codes_as_the_twin(atoms, samples):
    for alpha, positive in product((0.01, 0.3, 1.0, 50.0), (False, True)):
        codes = ours.lasso_codes(samples, atoms, alpha, positive=positive, max_iter=50000, tol=1e-14)
        there = Lasso(alpha / 8, fit_intercept=False, tol=1e-12, max_iter=100000, positive=positive)
        assert close(codes, there.fit(atoms.T, samples.T).coef_, 1e-5)
        assert not positive or (codes >= 0).all()
        assert (alpha == 50) == (codes == 0).all()


@settings(max_examples=20, deadline=None)
@given(st.floats(0.001, 5), st.integers(1, 8), st.integers(1, 12), st.booleans(), st.integers(0, 10**6))
def test_optimality_of_lasso_codes(alpha, d, k, positive, seed):
    """Products with the residual are α · sign where a code is not 0, and at most α where it is."""
    rng = np.random.default_rng(seed)
    B, X = rng.normal(size=(k, d)), rng.normal(size=(4, d)) * 10
    codes = ours.lasso_codes(X, B, alpha, positive=positive, max_iter=100000, tol=1e-13)
    G = (X - codes @ B) @ B.T
    slack = 1e-3 * max(1, np.abs(X @ B.T).max())
    assert (G <= alpha + slack).all() and (positive or (G >= -alpha - slack).all())
    assert np.abs((G - alpha * np.sign(codes))[np.abs(codes) > 1e-3]).max(initial=0) < slack


def objective(X, B, A, alpha):
    return ((X - A @ B) ** 2).sum(axis=1) / 2 + alpha * np.abs(A).sum(axis=1)


def test_gap_bounds_the_distance_to_the_minimum(atoms, samples):
    best = objective(samples, atoms, ours.lasso_codes(samples, atoms, 0.2, max_iter=10**5, tol=1e-14), 0.2)
    for tol in (1e-1, 1e-3, 1e-5):
        value = objective(samples, atoms, ours.lasso_codes(samples, atoms, 0.2, max_iter=10**5, tol=tol), 0.2)
        assert (value - best <= tol * (samples**2).sum(axis=1)).all()
    few = objective(samples, atoms, ours.lasso_codes(samples, atoms, 0.2, max_iter=10), 0.2)
    assert (few > best + 1e-9).any() and (few >= best - 1e-9).all()


def test_few_rounds_are_few(atoms, samples, capsys):
    coder = ours.SparseCoder(
        atoms, transform_algorithm="lasso_fista", transform_alpha=0.2, transform_max_iter=3
    )
    assert close(
        coder.fit(samples).transform(samples), ours.lasso_codes(samples, atoms, 0.2, max_iter=3), 1e-12
    )
    assert (
        list(sparse_coding.rounds(2, True, "two rounds")) == [0, 1]
        and "two rounds" in capsys.readouterr().err
    )


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("alpha", [0.2, 50.0])
def test_gap_by_its_definition(atoms, samples, alpha, positive):
    """``½|r|² + α|c|₁`` less the dual objective ``½|x|² - ½|x - u|²`` at u = θr, with θ so that |Bu| ≤ α."""
    C = np.random.default_rng(2).normal(size=(60, 15))
    C = abs(C) if positive else C
    gaps = sparse_coding._gaps(samples, atoms, C, alpha, positive)
    for x, c, gap in zip(samples, C, gaps):
        r = x - c @ atoms
        largest = max(atoms @ r) if positive else max(abs(atoms @ r))
        u = r * min(1, alpha / largest)
        assert gap == pytest.approx(
            objective(x[None], atoms, c[None], alpha)[0] - (x @ x - (x - u) @ (x - u)) / 2
        )


def test_where_the_codes_start(atoms, samples):
    done = ours.lasso_codes(samples, atoms, 0.2, max_iter=10**5, tol=1e-14)
    again = ours.lasso_codes(samples, atoms, 0.2, init=done, max_iter=1)
    assert (
        np.abs(again - done).max()
        < 1e-5
        < np.abs(ours.lasso_codes(samples, atoms, 0.2, max_iter=1) - done).max()
    )


def test_codes_of_a_few_samples(atoms, samples):
    """Whatever the length of the atoms: also over copies and an atom of zeros, from a code that uses them."""
    X, B = samples[:4], np.vstack([np.zeros(8), atoms, atoms[:3], -atoms[:3]])
    for length, alpha in product((1e-6, 1.0, 1e7), (0.0, 1e-3, 0.3)):
        long, lam, start = length * B, length * alpha, np.ones((4, len(B))) / length
        codes = ours.lasso_codes(X, long, lam, init=start, tol=1e-10, max_iter=10**5)
        gaps = sparse_coding._gaps(X, long, codes, lam, False)
        assert (gaps <= 1.1e-10 * (X**2).sum(axis=1)).all(), (length, alpha)
        assert not codes[:, 0].any() or alpha == 0


@settings(max_examples=10, deadline=None)
@given(st.floats(0.01, 3), st.integers(0, 10**6))
def test_bound_of_beck_and_teboulle(alpha, seed):
    """FISTA: F(x_k) - F* ≤ 2 L |x₀ - x*|² / (k + 1)² (Theorem 4.4) at every k."""
    rng = np.random.default_rng(seed)
    B, X = rng.normal(size=(6, 5)), rng.normal(size=(3, 5))
    best = ours.lasso_codes(X, B, alpha, max_iter=10**4, tol=1e-10)
    L = np.linalg.eigvalsh(B @ B.T)[-1]
    for k in (1, 2, 3, 5, 8, 13):
        value = objective(X, B, ours.lasso_codes(X, B, alpha, max_iter=k), alpha)
        bound = 2 * L * (best**2).sum(axis=1) / (k + 1) ** 2
        assert (value - objective(X, B, best, alpha) <= bound + 1e-7).all()


def test_momentum_is_worth_its_name():
    """After 200 steps over 30 atoms that look alike FISTA is a thousand times closer than plain steps are."""
    rng = np.random.default_rng(0)
    B = unit(rng.normal(size=(30, 12)) + 2 * rng.normal(size=12))
    X, G, start = rng.normal(size=(8, 12)), B @ B.T, np.zeros((8, 30))
    products = X @ B.T
    C = sparse_coding.fista(X, B, start, 0.05, True, 200)
    assert sparse_coding._gaps(X, B, C, 0.05, True).max() < 1e-5
    L, plain = np.linalg.eigvalsh(G)[-1], start
    for _ in range(200):
        plain = np.maximum(plain + (products - plain @ G - 0.05) / L, 0)
    assert sparse_coding._gaps(X, B, plain, 0.05, True).max() > 1e-2
    plain = start
    for _ in range(2):  # there is none yet
        plain = np.maximum(plain + (products - plain @ G - 0.05) / L, 0)
    assert close(sparse_coding.fista(X, B, start, 0.05, True, 2), plain, 1e-9)


def test_momentum_that_points_uphill_begins_anew():
    """Step by step as O'Donoghue and Candès have it, one sample after the other."""
    rng = np.random.default_rng(0)
    B = unit(rng.normal(size=(30, 12)) + 2 * rng.normal(size=12))
    X, L, restarts = rng.normal(size=(8, 12)), np.linalg.norm(B, 2) ** 2, 0
    codes = np.zeros((8, 30))
    for x, c in zip(X, codes):
        z, t = c.copy(), 1.0
        for _ in range(60):
            g = z + B @ (x - z @ B) / L
            new = np.sign(g) * np.maximum(np.abs(g) - 0.05 / L, 0)
            uphill, ahead = (z - new) @ (new - c) > 0, (1 + np.sqrt(1 + 4 * t * t)) / 2
            z, t = (new, 1.0) if uphill else (new + (t - 1) / ahead * (new - c), ahead)
            restarts, c[:] = restarts + uphill, new
    assert restarts > 2 and close(sparse_coding.fista(X, B, np.zeros((8, 30)), 0.05, False, 60), codes, 1e-9)


def test_coding_is_not_one_product(atoms, samples):
    """E77: only orthonormal atoms allow it."""
    Q = np.linalg.qr(samples[:8])[0]
    options = dict(alpha=0.3)
    for positive in (False, True):
        shrunk = ours.sparse_encode(samples, Q, algorithm="threshold", positive=positive, **options)
        assert close(shrunk, ours.lasso_codes(samples, Q, 0.3, positive=positive, tol=1e-14), 1e-6)
    product = ours.sparse_encode(samples, atoms, algorithm="threshold", **options)
    assert np.abs(product - ours.lasso_codes(samples, atoms, 0.3)).max() > 0.5
    there = twin.sparse_encode(samples, atoms, algorithm="threshold", alpha=0.3)
    assert close(product, there, 1e-12)


# ------------------------------------------------------------ SparseCoder and sparse_encode
@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize(
    "options, there",
    [
        (dict(transform_algorithm="omp", transform_n_nonzero_coefs=3), {}),
        (dict(transform_algorithm="omp"), {}),
        (dict(transform_algorithm="threshold", transform_alpha=0.4), {}),
        (dict(transform_algorithm="threshold", transform_alpha=0.4, positive_code=True), {}),
        (
            dict(transform_algorithm="lasso_fista", transform_max_iter=20000),
            {"transform_algorithm": "lasso_cd"},
        ),
        (
            dict(
                transform_algorithm="lasso_fista",
                transform_alpha=0.2,
                positive_code=True,
                transform_max_iter=20000,
            ),
            {"transform_algorithm": "lasso_cd"},
        ),
    ],
    ids=str,
)
def test_coder_as_the_twin(atoms, samples, options, there, split):
    here = ours.SparseCoder(atoms, split_sign=split, **options).fit(samples)
    there = twin.SparseCoder(atoms, split_sign=split, **options | there).fit(samples)
    codes = here.transform(samples)
    assert close(codes, there.transform(samples), 2e-3 if "lasso" in options["transform_algorithm"] else 1e-9)
    assert close(here.inverse_transform(codes), there.inverse_transform(codes), 1e-9)
    assert here.n_components_ == 15 and list(here.get_feature_names_out()[:2]) == [
        "sparsecoder0",
        "sparsecoder1",
    ]
    assert len(here.get_feature_names_out()) == codes.shape[1] == (30 if split else 15)


def test_fit_of_a_coder_names_an_unknown_algorithm(atoms, samples):
    with pytest.raises(ValueError, match="algorithm='lars': use 'omp', 'lasso_fista' or 'threshold'"):
        ours.SparseCoder(atoms, transform_algorithm="lars").fit(samples)


def test_coder_needs_no_fit_and_keeps_float32(atoms, samples):
    for algorithm in ("omp", "lasso_fista", "threshold"):
        coder = ours.SparseCoder(atoms.astype("f4"), transform_algorithm=algorithm)
        assert coder.transform(samples.astype("f4")).dtype == np.float32
        assert close(
            coder.transform(samples), pickle.loads(pickle.dumps(clone(coder))).transform(samples), 1e-12
        )
    frame = ours.SparseCoder(atoms).set_output(transform="pandas").fit_transform(pd.DataFrame(samples))
    assert frame.shape == (60, 15)


@pytest.mark.parametrize(
    "options", [dict(), dict(algorithm="lasso_fista", init=0.1), dict(algorithm="threshold")], ids=str
)
def test_jobs_give_the_same_codes(atoms, samples, options):
    options = options | ({"init": np.full((60, 15), options["init"])} if "init" in options else {})
    with joblib.parallel_config("threading"):
        codes = ours.sparse_encode(samples, atoms, n_jobs=3, **options)
    assert close(codes, ours.sparse_encode(samples, atoms, **options), 1e-9)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda X, B: ours.orthogonal_mp(X, B[:, :5]), "8 features, the atoms have 5"),
        (lambda X, B: ours.orthogonal_mp(X, B, n_nonzero_coefs=9), r"shape \(15, 8\) .* choose 1 to 8"),
        (lambda X, B: ours.orthogonal_mp(X, B, n_nonzero_coefs=0), "choose 1 to 8"),
        (lambda X, B: ours.orthogonal_mp(X, B[:3], n_nonzero_coefs=4), "choose 1 to 3"),
        (lambda X, B: ours.orthogonal_mp(X, B, tol=-1e-9), "is not negative"),
        (lambda X, B: ours.lasso_codes(X, B, -1.0), "the penalty is not negative"),
        (lambda X, B: ours.lasso_codes(X, B, np.nan), "the penalty is not negative"),
        (
            lambda X, B: ours.sparse_encode(X, B, algorithm="threshold", alpha=-1),
            "the penalty is not negative",
        ),
        (lambda X, B: ours.sparse_encode(X, B, algorithm="lars"), "use 'omp', 'lasso_fista' or 'threshold'"),
        (lambda X, B: ours.sparse_encode(X, B, positive=True), "OMP has no positive codes"),
        (lambda X, B: ours.SparseCoder(B).inverse_transform(X), r"X has shape \(60, 8\); give \(None, 15\)"),
        (lambda X, B: ours.SparseCoder(B, split_sign=True).inverse_transform(X), r"give \(None, 30\)"),
        (lambda X, B: ours.SparseCoder(B[:, :5]).fit(X), "8 features, the atoms have 5"),
        (lambda X, B: ours.orthogonal_mp(X * np.nan, B), "contains NaN"),
    ],
)
def test_clear_errors_of_coding(atoms, samples, call, message):
    with pytest.raises(ValueError, match=message):
        call(samples, atoms)


def test_default_number_of_nonzeros():
    B = unit(np.random.default_rng(0).normal(size=(60, 50)))
    assert ((ours.orthogonal_mp(np.ones((2, 50)), B) != 0).sum(axis=1) == 5).all()
    assert ((ours.orthogonal_mp(np.ones((2, 4)), np.eye(4)) != 0).sum(axis=1) == 1).all()
    assert ((ours.orthogonal_mp(B[:4, :40] + 1, B[:3, :40]) != 0).sum(axis=1) == 3).all(), (
        "no more than atoms"
    )


# ------------------------------------------------------------ dictionary learning
@pytest.mark.parametrize("positive_dict", [False, True])
@pytest.mark.parametrize("positive_code", [False, True])
def test_rounds_as_the_twin(samples, positive_code, positive_dict):
    """Codes to convergence, the same start: after 6 rounds the same atoms and objective."""
    B = unit(np.abs(np.random.default_rng(3).normal(size=(6, 8))))
    options = dict(
        alpha=0.2,
        max_iter=6,
        tol=0,
        dict_init=B,
        code_init=np.zeros((60, 6)),
        positive_code=positive_code,
        positive_dict=positive_dict,
    )
    here = ours.DictionaryLearning(6, code_steps=None, **options).fit(samples)
    there = twin.DictionaryLearning(6, fit_algorithm="cd", transform_max_iter=20000, **options).fit(samples)
    assert close(here.error_, there.error_, 1e-5) and close(here.components_, there.components_, 1e-3)


def test_few_steps_reach_what_convergence_reaches(samples):
    options = dict(alpha=0.3, max_iter=60, dict_init=unit(samples[:10]), tol=0)
    few, all_ = (ours.DictionaryLearning(10, code_steps=s, **options).fit(samples).error_ for s in (10, None))
    assert few[-1] < 1.01 * all_[-1] and len(few) == 60
    assert ours.DictionaryLearning(10, **options).fit(samples).error_ == few  # ten unless told
    for none in (dict(code_steps=0), dict(transform_algorithm="none")):
        with pytest.raises(ValueError, match="code_steps=0|algorithm='none'"):
            ours.DictionaryLearning(2, max_iter=1, **none).fit(samples)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 12), st.floats(0, 2), st.integers(1, 12), st.integers(0, 10**6))
def test_the_objective_never_rises(k, alpha, steps, seed):
    X = np.random.default_rng(seed).normal(size=(12, 5)) + 1
    model = ours.DictionaryLearning(k, alpha=alpha, max_iter=12, tol=0, code_steps=steps, random_state=0)
    codes = model._learn(X)
    rounding = 1e-9 * model.error_[0] + 1e-15 * (X**2).sum()  # as many atoms as features leave no error
    assert (np.diff(model.error_) <= rounding).all() and model.components_.shape == (k, 5)
    assert (np.linalg.norm(model.components_, axis=1) <= 1 + 1e-12).all(), "no free scale (E77)"
    assert model.error_[-1] == pytest.approx(
        objective(X, model.components_, codes, alpha).sum(), rel=1e-6, abs=1e-9
    )
    assert model.error_[0] <= (X**2).sum() / 2 + 1e-9, "codes of zeros are no better"


def test_no_rival_atom_is_better(samples):
    """One update is the best atom of length ≤ 1 for given codes and other atoms: against random rivals."""
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(60, 4)), unit(rng.normal(size=(4, 8))) / 2
    new = dictionary_learning.new_atoms(samples, A, B)
    least = ((samples - A @ new) ** 2).sum()
    for b in np.vstack([unit(rng.normal(size=(1000, 8))), unit(new[3] + 0.05 * rng.normal(size=(1000, 8)))]):
        assert ((samples - A[:, :3] @ new[:3] - np.outer(A[:, 3], b)) ** 2).sum() >= least


def test_an_unused_atom_becomes_the_sample_served_worst(samples):
    A = np.zeros((60, 3))
    A[:, 0] = 1
    B = unit(samples[:3])
    new = dictionary_learning.new_atoms(samples, A, B)
    worst = np.argsort(-((samples - A @ new) ** 2).sum(axis=1))[:2]
    assert close(new[1:], unit(samples[worst])) and close(
        ((samples - A @ new) ** 2).sum(), ((samples - A[:, :1] @ new[:1]) ** 2).sum()
    )
    positive = dictionary_learning.new_atoms(samples, A, B, positive=True)
    assert (positive >= 0).all() and close(np.linalg.norm(positive[1:], axis=1), [1, 1])


def test_free_scale_would_make_the_penalty_vanish(samples, atoms):
    """E77: B → cB, A → A/c fits the same and pays 1/c."""
    codes = ours.lasso_codes(samples, atoms, 0.1)
    long = ours.lasso_codes(samples, 1000 * atoms, 0.1)
    assert np.abs(long).sum() < 1e-2 * np.abs(codes).sum()
    assert ((samples - long @ (1000 * atoms)) ** 2).sum() < ((samples - codes @ atoms) ** 2).sum()


def test_what_learning_begins_with(samples):
    def begin(k, X=samples, **options):
        return ours.DictionaryLearning(k, max_iter=0, random_state=0, **options).fit(X)

    assert begin(4).alpha == twin.DictionaryLearning().alpha == 1
    assert (begin(4, positive_dict=True).components_ >= 0).all()
    short = unit(samples[:2]) / 2
    assert close(begin(2, dict_init=short).components_, short), "no longer than 1, not of length 1"
    few = begin(5, samples[:3] * 9).components_  # three directions, then samples
    assert all(np.isclose(unit(samples[:3]), b).all(axis=1).any() for b in few[3:])
    assert not begin(4)._start(samples)[1].any(), "codes of zeros"
    with pytest.raises(NotFittedError):
        ours.DictionaryLearning(2).inverse_transform(np.ones((1, 2)))


def test_starts_stops_and_transforms(samples):
    model = ours.DictionaryLearning(12, alpha=0.4, tol=1e-3, random_state=0).fit(samples)
    assert model.n_iter_ == len(model.error_) < 100
    falls = -np.diff(model.error_) / model.error_[1:]
    assert falls[-1] <= 1e-3 < falls[-2]
    first = ours.DictionaryLearning(12, max_iter=0, random_state=0).fit(samples).components_
    V = np.linalg.svd(samples, full_matrices=False)[2]
    assert close(first[:8], V) and all(np.isclose(unit(samples), b).all(axis=1).any() for b in first[8:])
    assert ours.DictionaryLearning(max_iter=1).fit(samples).components_.shape == (8, 8)
    lasso = clone(model).set_params(transform_algorithm="lasso_fista").fit(samples)
    assert close(lasso.transform(samples), ours.lasso_codes(samples, lasso.components_, 0.4), 1e-9)
    other = clone(lasso).set_params(transform_alpha=0.9).fit(samples)
    assert close(other.transform(samples), ours.lasso_codes(samples, lasso.components_, 0.9), 1e-9)
    assert close(lasso.inverse_transform(codes := lasso.transform(samples)), codes @ lasso.components_)
    assert (model.transform(samples[:1]) != 0).sum() == 1, "OMP with d / 10 nonzeros is the default"
    split = clone(model).set_params(split_sign=True).fit(samples)
    assert len(split.get_feature_names_out()) == split.transform(samples).shape[1] == 24
    assert len(model.get_feature_names_out()) == 12
    with pytest.raises(ValueError, match="X has 7 features.* expecting 8"):
        model.transform(samples[:, :7])


def test_progress_bars(samples, capsys):
    for model in (ours.DictionaryLearning(3, max_iter=3), ours.KSVD(3, max_iter=3)):
        plain = clone(model).set_params(random_state=0).fit(samples)
        assert capsys.readouterr().err == ""
        shown = clone(model).set_params(random_state=0, progress=True).fit(samples)
        assert "/3" in capsys.readouterr().err and close(shown.components_, plain.components_)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(alpha=-1), "the penalty is at least 0"),
        (dict(n_components=0), "atoms at least 1"),
        (dict(dict_init=np.ones((3, 8))), r"dict_init has shape \(3, 8\); give \(2, 8\)"),
        (dict(dict_init=np.ones((2, 7))), r"give \(2, 8\): samples and atoms are rows"),
        (dict(code_init=np.ones((60, 3))), r"code_init has shape \(60, 3\); give \(60, 2\)"),
    ],
)
def test_clear_errors_of_learning(samples, options, message):
    with pytest.raises(ValueError, match=message):
        ours.DictionaryLearning(**{"n_components": 2} | options).fit(samples)


# ------------------------------------------------------------ K-SVD
def test_exact_update_is_the_largest_singular_triple(samples):
    """10.7: no atom of length 1 leaves less; the approximate update lies between it and least squares."""
    codes = np.random.default_rng(0).normal(size=60)
    u, s, vt = np.linalg.svd(samples)
    atom, new = ours.update_atom(samples, codes)
    assert close(np.outer(new, atom), s[0] * np.outer(u[:, 0], vt[0]), 1e-9) and new @ codes >= 0

    def left(b, a):
        return ((samples - np.outer(a, b)) ** 2).sum()

    assert close(left(atom, new), (s[1:] ** 2).sum())
    b, a = ours.update_atom(samples, codes, exact=False)
    fit = codes @ samples / (codes @ codes)  # least squares for the atom alone
    assert left(atom, new) <= left(b, a) <= left(fit, codes)
    assert np.linalg.norm(atom) == pytest.approx(1) and np.linalg.norm(b) == pytest.approx(1)
    assert close(b, unit(fit[None])[0]) and close(a, samples @ b)
    assert (ours.update_atom(samples, -codes)[0] == -atom).all(), "the sign that the old codes have"
    assert (
        ours.update_atom(samples / 1e4, new / 1e4)[0] == -ours.update_atom(samples / 1e4, -new / 1e4)[0]
    ).all()
    nothing = ours.update_atom(np.zeros((3, 2)), np.ones(3), exact=False)
    assert np.linalg.norm(nothing[0]) == pytest.approx(1) and (nothing[1] == 0).all()


def sweep_by_loops(X, A, B, exact):
    A, B = A.copy(), B.copy()
    for j in range(len(B)):
        used = np.flatnonzero(A[:, j])
        if len(used):
            others = X[used] - sum(np.outer(A[used, i], B[i]) for i in range(len(B)) if i != j)
            best = np.linalg.svd(others)[2][0] if exact else others.T @ A[used, j]
            B[j] = best / np.linalg.norm(best)
            A[used, j] = others @ B[j]
    return A, B


@pytest.mark.parametrize("exact", [True, False])
def test_a_sweep_keeps_the_zeros_and_lowers_the_error(samples, atoms, exact):
    A = ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=2)
    A[:, 3] = 0  # an unused atom
    A2, B2 = sweep_by_loops(samples, A, atoms, exact)
    for sweep in (ksvd.sweep, ksvd.sweep.plain):
        new, B, R = sweep(samples, sparse_coding.csr_matrix(A), atoms.copy(), samples - A @ atoms, exact)
        new = new.toarray()
        assert ((new != 0) <= (A != 0)).all() and close(R, samples - new @ B, 1e-9) and close(B[3], atoms[3])
        assert (R**2).sum() < ((samples - A @ atoms) ** 2).sum()
        assert close(new @ B, A2 @ B2, 1e-8)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 9), st.integers(1, 3), st.sampled_from(["exact", "approximate"]), st.integers(0, 10**6))
def test_the_error_never_rises(k, s, update, seed):
    X = np.random.default_rng(seed).normal(size=(25, 5)) + 1
    model = ours.KSVD(k, n_nonzero_coefs=min(k, s), update=update, max_iter=15, tol=0, random_state=0).fit(X)
    assert (np.diff(model.error_) <= 1e-9 * model.error_[0]).all()
    assert close(np.linalg.norm(model.components_, axis=1), np.ones(k)) and model.n_iter_ == len(model.error_)
    assert ((model.transform(X) != 0).sum(axis=1) <= s).all()


def test_when_ksvd_stops(samples):
    """At the first round in which the error falls by no more than `tol` times what is left of it."""
    options = dict(n_nonzero_coefs=2, random_state=0)
    e = np.array(ours.KSVD(15, tol=0, max_iter=12, **options).fit(samples).error_)
    falls = (e[:-1] - e[1:]) / e[1:]
    for tol in (10.0, falls[0] * (1 - 1e-9), *(falls[1:6] * (1 + 1e-9))):
        model = ours.KSVD(15, tol=tol, max_iter=12, **options).fit(samples)
        assert model.n_iter_ == 2 + np.flatnonzero(falls <= tol)[0]
    assert falls[0] > falls[3]  # so that the rounds differ


def test_codes_of_an_unfitted_model(samples):
    for model in (ours.KSVD(3), ours.DictionaryLearning(3)):
        with pytest.raises(NotFittedError):
            model.transform(samples)


def test_a_code_that_omp_would_spoil_is_kept(samples, atoms):
    """Greedy OMP may do worse than the code there is: then that sample keeps it, and only then."""
    best = np.zeros((60, 15))
    for x, row in zip(samples, best):
        pairs = list(combinations(range(15), 2))
        fits = [np.linalg.lstsq(atoms[list(p)].T, x, rcond=None)[0] for p in pairs]
        errors = [((x - c @ atoms[list(p)]) ** 2).sum() for c, p in zip(fits, pairs)]
        row[list(pairs[np.argmin(errors)])] = fits[np.argmin(errors)]
    model = ours.KSVD(15, n_nonzero_coefs=2)
    R, greedy = samples - best @ atoms, ours.orthogonal_mp(samples, atoms, n_nonzero_coefs=2)
    kept, B, left = model._new_codes(samples, sparse_coding.csr_matrix(best), [atoms], R)
    assert close(left, samples - kept @ B) and close((left**2).sum(axis=1), (R**2).sum(axis=1))
    assert ((samples - greedy @ atoms) ** 2).sum() > (R**2).sum() and B is atoms
    free, _, left = model._new_codes(samples, sparse_coding.csr_matrix(best), [atoms], samples)
    assert close(free.toarray(), greedy) and close(left, samples - greedy @ atoms)
    both = [atoms, atoms[::-1]]
    _, B, _ = model._new_codes(samples, sparse_coding.csr_matrix(best), both, samples)
    assert B is atoms, "the first that does not raise the error"


def signals(seed, n=1500, snr=None):
    """Aharon, Elad and Bruckstein 2006, section V-A: 50 atoms of length 20, 3 in each signal."""
    rng = np.random.default_rng(seed)
    B, A = unit(rng.normal(size=(50, 20))), np.zeros((n, 50))
    for a in A:
        a[rng.choice(50, 3, replace=False)] = rng.normal(size=3)
    X, noise = A @ B, rng.normal(size=(n, 20))
    return B, X if snr is None else X + noise * np.linalg.norm(X) / np.linalg.norm(noise) * 10 ** (-snr / 20)


@pytest.mark.speed  # 1500 signals: the plain loops take minutes
@pytest.mark.parametrize(
    "snr, update, found",
    [(None, "approximate", 44), (20, "approximate", 42), (20, "exact", 44), (10, "approximate", 42)],
)
def test_recovery_of_a_dictionary(snr, update, found):
    """Two of 20 seeds. Means over all: 46.9 of 50, 46.4 at 20 dB, 44.1 at 10 dB (bars 46, 46, 42.5)."""
    recovered = []
    for seed in (0, 3):
        B, X = signals(seed, snr=snr)
        model = ours.KSVD(50, n_nonzero_coefs=3, max_iter=80, tol=0, update=update, random_state=seed).fit(X)
        recovered.append((1 - np.abs(B @ model.components_.T).max(axis=1) < 0.01).sum())
    assert np.mean(recovered) >= found


def test_replaced_atoms(samples):
    """Unused, rare and copied atoms; in their place the samples that are served worst."""
    B = unit(np.random.default_rng(0).normal(size=(5, 8)))
    B[4] = B[0]
    A = np.zeros((60, 5))
    A[:30, 0], A[30:, 1], A[:2, 2], A[10:20, 4] = 1, 1, 1, 1
    unused, useless = ksvd._superfluous(sparse_coding.csr_matrix(A), B)
    assert unused.tolist() == [0, 0, 0, 1, 0] and useless.tolist() == [0, 0, 1, 1, 1]
    R = samples - A @ B
    new = ksvd._replaced(samples, B, R, useless)
    worst = np.argsort(-(R**2).sum(axis=1))[:3]
    assert (new[:2] == B[:2]).all() and close(new[2:], unit(samples[worst]))
    assert (ksvd._replaced(samples, B, 0 * R, useless) == B).all(), "nobody is served badly"
    equals = ksvd._replaced(samples, B, np.arange(60)[:, None] % 7, useless)[2:]
    assert close(equals, unit(samples[[6, 13, 20]])), "the first of those served as badly"
    A = sparse_coding.csr_matrix(np.arange(60)[:, None] < [3, 17, 10])
    assert not ksvd._superfluous(A, np.eye(3))[1].any(), "3 uses are not fewer than 0.3 of 10"


def test_other_atoms_are_tried_once_the_error_falls_slowly(samples):
    A = sparse_coding.csr_matrix(np.ones((60, 2)))
    B = np.repeat(unit(samples[:1]), 2, axis=0)
    model = ours.KSVD(2)
    for errors, tries in (([], 1), ([9.0], 1), ([9.0, 8.0], 1), ([9.0, 8.999], 2), ([1e9, 9.0, 8.0], 1)):
        model.error_ = errors
        assert len(model._tries(samples, A, B, samples)) == tries
    no_codes_yet = sparse_coding.csr_matrix((60, 2))
    assert model._tries(samples, no_codes_yet, B, samples)[0] is B, "nothing is unused yet"
    model.error_ = [9.0, 8.999]
    assert len(model._tries(samples, A, unit(samples[:2]), samples)) == 1, "nothing to replace"


@pytest.mark.parametrize("tol", [0.5, 3.0])
def test_codes_by_tolerance(samples, tol):
    model = ours.KSVD(12, code_tol=tol, max_iter=5, random_state=0).fit(samples)
    codes = model.transform(samples)
    error = ((samples - codes @ model.components_) ** 2).sum(axis=1)
    assert (error <= tol + 1e-9).all() and close(model.inverse_transform(codes), codes @ model.components_)
    assert model.error_[-1] <= 60 * tol
    assert model.n_iter_ == 5, "the error stays at the tolerance: that it does not fall is no reason to stop"


def test_first_atoms_and_stopping(samples):
    first = ours.KSVD(20, max_iter=0, random_state=0).fit(samples[:15]).components_
    from_samples = [np.isclose(unit(samples[:15]), b).all(axis=1).any() for b in first]
    assert (
        sum(from_samples) == 15
        and all(from_samples[:15])
        and close(np.linalg.norm(first, axis=1), np.ones(20))
    )
    given = ours.KSVD(3, max_iter=0, dict_init=5 * samples[:3]).fit(samples)
    assert close(given.components_, unit(samples[:3]))
    zeros = ours.KSVD(5, max_iter=0, random_state=0).fit(np.vstack([samples[:3], np.zeros((4, 8))]))
    assert close(np.linalg.norm(zeros.components_, axis=1), np.ones(5))
    holes = samples[:3] * (1 - np.eye(8)[:3])  # rows with a 0 are samples, too
    assert {*np.abs(ours.KSVD(3, max_iter=0, random_state=0).fit(holes).components_).argmin(axis=1)} == {
        0,
        1,
        2,
    }
    model = ours.KSVD(5, n_nonzero_coefs=2, tol=1e-2, random_state=0).fit(samples)
    assert model.error_[-2] - model.error_[-1] <= 1e-2 * model.error_[-1] and model.n_iter_ < 30
    assert ours.KSVD(max_iter=1).fit(samples).components_.shape == (8, 8)
    assert list(given.get_feature_names_out()) == ["ksvd0", "ksvd1", "ksvd2"]


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(update="full"), "use one of .'approximate', 'exact'"),
        (dict(n_nonzero_coefs=4), "choose 1 to 3"),
        (dict(max_iter=-1), "max_iter=-1: give a whole number from 0 up"),
        (dict(dict_init=np.ones((2, 8))), r"dict_init has shape \(2, 8\); give \(3, 8\)"),
        (dict(dict_init=np.eye(3, 8) * [1, 1, 0, 1, 1, 1, 1, 1]), "an atom of zeros"),
    ],
)
def test_clear_errors_of_ksvd(samples, options, message):
    with pytest.raises(ValueError, match=message):
        ours.KSVD(3, **options).fit(samples)
    with pytest.raises(ValueError, match=r"X has shape \(60, 8\); give \(None, 3\)"):
        ours.KSVD(3).fit(samples).inverse_transform(samples)
    with pytest.raises(NotFittedError):
        ours.KSVD(3).inverse_transform(samples)
    with pytest.raises(ValueError, match="n_components=0: give a whole number from 1 up"):
        ours.KSVD(0).fit(samples)


def test_new_samples_are_coded_like_the_old(samples):
    model = ours.KSVD(5, n_nonzero_coefs=3, max_iter=2, random_state=0).fit(samples)
    assert close(model.transform(samples), ours.orthogonal_mp(samples, model.components_, n_nonzero_coefs=3))
    assert (np.count_nonzero(model.transform(samples), axis=1) == 3).all()
    assert get_tags(model).transformer_tags.preserves_dtype == ["float64", "float32"]
