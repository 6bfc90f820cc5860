"""Lasso and elastic net: equal to scikit-learn, optimal by their own conditions, and Efron's path of the
diabetes data."""

from inspect import signature
from itertools import product
from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.linear_model as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import ConvergenceWarning

from helpers import _fista
from helpers._fast import is_open
from helpers._fast import lasso as fast_lasso
from helpers.comparing import close
from helpers.linear_model import (
    ElasticNet,
    Lasso,
    enet_path,
    kkt_residual,
    lasso_path,
    lipschitz_constant,
    proximal_gradient,
    soft_threshold,
)
from helpers.linear_model._base import centred_table
from helpers.linear_model.lasso import minimise
from tests.helpers.covering import pairwise

SHAPES = {"tall": (30, 6), "wide": (10, 40), "square": (8, 8), "one feature": (9, 1)}
FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
SOLVERS = ["fista", "ista"]
over_shapes = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
over_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
over_solvers = pytest.mark.parametrize("solver", SOLVERS)
over_positive = pytest.mark.parametrize("positive", [False, True])


def table(shape=(30, 6), targets=0, mean=3.0, seed=0):
    """X with its mean away from 0, a sparse truth, whole weights."""
    rng = np.random.default_rng(seed)
    n, d = shape
    X = rng.normal(size=shape) * rng.uniform(0.5, 2, d) + mean
    truth = rng.normal(size=(d, targets or 1)) * (rng.random((d, targets or 1)) < 0.5)
    y = X @ truth + 0.5 * rng.normal(size=(n, targets or 1)) + 2
    return X, y if targets else y[:, 0], rng.integers(0, 4, n)


def objective(X, y, w, lam):
    return ((y - X @ w) ** 2).sum() + lam * np.abs(w).sum()


def agree(mine, wanted, tol=1e-6):
    assert mine.coef_.shape == wanted.coef_.shape and np.shape(mine.intercept_) == np.shape(wanted.intercept_)
    assert close(mine.coef_, wanted.coef_, tol) and close(mine.intercept_, wanted.intercept_, tol)
    assert np.array_equal(mine.coef_ != 0, np.abs(wanted.coef_) > 1e-9)


# ---- the chapter's pieces


@pytest.mark.parametrize("z", [-2.3, -1.0, -0.4, 0.0, 0.4, 1.0, 2.3])
def test_the_threshold_is_a_minimum(z):  # item 09.19
    grid = np.linspace(-4, 4, 8001)
    assert np.isclose(
        soft_threshold(z, 1.0), grid[np.argmin(0.5 * (grid - z) ** 2 + np.abs(grid))], atol=1e-3
    )


def test_the_threshold_is_odd_continuous_and_falls_short_by_t():
    z = np.linspace(-3, 3, 1001)
    w = soft_threshold(z, 0.7)
    assert np.allclose(w, -soft_threshold(-z, 0.7))
    assert np.allclose(w, np.sign(z) * np.maximum(np.abs(z) - 0.7, 0))
    assert np.abs(np.diff(w)).max() <= z[1] - z[0] + 1e-12


@given(seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=25)
def test_the_gradient_is_lipschitz(seed):  # item 09.17, erratum E72
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(6, 4)), rng.normal(size=6)
    a, b = rng.normal(size=(2, 4))
    top = np.linalg.svd(X)[2][0]  # where the bound is attained
    for u, v in [(a, b), (a, a + top)]:
        moved = np.linalg.norm(2 * X.T @ (X @ u - y) - 2 * X.T @ (X @ v - y))
        assert moved <= lipschitz_constant(X) * np.linalg.norm(u - v) * (1 + 1e-12)
    assert np.isclose(moved, lipschitz_constant(X))


@pytest.mark.parametrize("accelerate", [False, True])
def test_proximal_gradient_keeps_beck_and_teboulles_bounds(accelerate):  # 2009, theorems 3.1 and 4.4
    X, y, _ = table((20, 12), mean=0.0)
    best = Lasso(3.0 / 40, fit_intercept=False, tol=1e-14).fit(X, y).coef_
    w, F = proximal_gradient(X, y, 3.0, accelerate=accelerate, n_iter=200)
    k = np.arange(1, 201)
    factor = 2 / (k + 1) ** 2 if accelerate else 1 / (2 * k)
    assert (
        F[1:] - objective(X, y, best, 3.0) <= factor * lipschitz_constant(X) * (best**2).sum() + 1e-10
    ).all()
    assert len(F) == 201 and np.isclose(F[-1], objective(X, y, w, 3.0)) and np.isclose(F[0], (y**2).sum())


def test_fista_by_its_algorithm():
    """Beck and Teboulle 2009: y₁ = x₀, t₁ = 1; x_k = p(y_k), t' = (1 + √(1 + 4t²))/2,
    y' = x + (t - 1)/t' Δx."""
    X, y, _ = table((12, 5))
    L, x, z, t = lipschitz_constant(X), np.zeros(5), np.zeros(5), 1.0
    for k in range(1, 12):
        new = soft_threshold(z - 2 * X.T @ (X @ z - y) / L, 3.0 / L)
        following = (1 + np.sqrt(1 + 4 * t**2)) / 2
        x, z, t = new, new + (t - 1) / following * (new - x), following
        w, objectives = proximal_gradient(X, y, 3.0, accelerate=True, n_iter=k)
        assert np.allclose(w, x, rtol=1e-12) and np.isclose(objectives[-1], objective(X, y, x, 3.0))
    X = X / np.linalg.norm(X, axis=0)  # as the estimators' plain way has it; half the square, so half of λ
    W, _, _ = minimise.plain(
        centred_table(X, centre=False), y[:, None], np.zeros((1, 5)), 1.5, 0.0, 0.0, 7, "ista", False
    )
    assert close(W[0], proximal_gradient(X, y, 3.0, n_iter=7)[0])


def test_the_objective_of_ista_never_rises_and_fista_is_ahead():  # item 09.19
    X, y, _ = table((20, 12), mean=0.0)
    plain, fast = (proximal_gradient(X, y, 3.0, accelerate=a, n_iter=300)[1] for a in (False, True))
    assert (np.diff(plain) <= 1e-12).all() and fast[60] < plain[60]


def test_proximal_gradient_goes_on_where_it_began_and_rests_at_the_optimum():
    X, y, _ = table()
    half, _ = proximal_gradient(X, y, 3.0, n_iter=5)
    begin = half.copy()
    assert close(
        proximal_gradient(X, y, 3.0, n_iter=5, w=half)[0], proximal_gradient(X, y, 3.0, n_iter=10)[0]
    )
    assert close(half, begin) and close(proximal_gradient(np.zeros((3, 2)), [1.0, 2.0, 3.0], 1.0)[0], [0, 0])


def test_no_penalty_and_no_step():
    X, y, _ = table(mean=0.0)
    assert close(soft_threshold([-1.5, 0.0, 2.0], 0.0), [-1.5, 0.0, 2.0])
    free, _ = proximal_gradient(X, y.astype(object), 0.0, accelerate=True, n_iter=2000)
    assert free.dtype == float and close(free, np.linalg.lstsq(X, y, rcond=None)[0])
    begun, objectives = proximal_gradient(X, y, 3.0, n_iter=0, w=free)
    assert close(begun, free) and close(objectives, [objective(X, y, free, 3.0)])
    for wrong in (dict(lam=-1.0), dict(lam=1.0, n_iter=-1)):
        with pytest.raises(ValueError, match="lam=-1.0: .* choose lam >= 0|n_iter=-1"):
            proximal_gradient(X, y, **wrong)


def test_a_column_of_zeros_has_no_weight():  # without its length to divide by
    X, y, _ = table(mean=0.0)
    X[:, 2] = 0
    for solve in (minimise, minimise.plain):
        W, _, _ = solve(
            centred_table(X, centre=False), y[:, None], np.zeros((1, 6)), 3.0, 0.0, 1e-9, 5000, "fista", False
        )
        assert W[0, 2] == 0 and kkt_residual(X, y, W[0], 2 * 3.0) < 1e-2  # it minimises half the square


def test_the_chapters_lambda_is_2n_alpha():  # erratum E74, item 09.19
    X, y, _ = table((30, 6), mean=0.0)
    w, _ = proximal_gradient(X, y, 5.0, accelerate=True, n_iter=3000)
    assert close(w, Lasso(5.0 / 60, fit_intercept=False, tol=1e-14).fit(X, y).coef_, 1e-9)
    assert close(w, twin.Lasso(5.0 / 60, fit_intercept=False, tol=1e-14).fit(X, y).coef_, 1e-7)
    assert kkt_residual(X, y, w, 5.0) < 1e-9


def test_the_kkt_residual_by_hand():  # items 09.13 and 09.15
    X, y = [[1.0, 0.0], [0.0, 1.0]], [3.0, 0.5]
    assert kkt_residual(X, y, [2.0, 0.0], 2.0) == 0  # g = (-2, -1)
    assert kkt_residual(X, y, [2.5, 0.0], 2.0) == 1  # g = (-1, -1): 1 short of -2
    assert kkt_residual(X, y, [2.0, 0.1], 2.0) == pytest.approx(1.2)  # g₂ = -.8, wanted -2
    assert kkt_residual(X, [3.0, 4.0], [2.0, 0.0], 2.0) == 6  # |g₂| = 8 > 2
    assert kkt_residual(X, [-3.0, 0.5], [-2.0, 0.0], 2.0) == 0
    assert kkt_residual(X, y, [1.5, 0.0], 2.0) == 1  # g = (-3, -1): 1 too far
    assert kkt_residual(X, [0.5, 0.5], [0.0, 0.0], 2.0) == 0  # |g| = 1 < 2: no credit for what is to spare


# ---- the estimators


@pairwise
@over_shapes
@over_forms
@over_positive
@over_solvers
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("targets", [0, 1, 3])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
def test_the_twin_agrees(shape, form, positive, solver, weighted, targets, l1_ratio):
    X, y, s = table(shape, targets)
    s = s if weighted else None
    options = dict(alpha=0.3, l1_ratio=l1_ratio, positive=positive)
    mine = ElasticNet(tol=1e-11, solver=solver, max_iter=100000, **options).fit(form(X), y, s)
    wanted = twin.ElasticNet(tol=1e-13, max_iter=100000, **options).fit(X, y, s)
    agree(mine, wanted, 1e-4 if solver == "ista" else 1e-6)
    assert close(mine.predict(form(X)), wanted.predict(X), 1e-4 if solver == "ista" else 1e-6)
    assert np.max(mine.dual_gap_) <= 1e-11 * np.square(y - y.mean(axis=0)).sum() + 1e-15


@pairwise
@over_shapes
@over_forms
@over_positive
def test_without_intercept(shape, form, positive):
    X, y, _ = table(shape, mean=0.0)
    options = dict(alpha=0.3, positive=positive, fit_intercept=False)
    mine = Lasso(tol=1e-12, **options).fit(form(X), y)
    agree(mine, twin.Lasso(tol=1e-13, max_iter=100000, **options).fit(X, y))
    assert mine.intercept_ == 0


@pytest.mark.parametrize("seed", range(5))
def test_tiny_problems_by_trying_every_sign(seed):
    X, y, _ = table((7, 3), mean=0.0, seed=seed)
    lam, best = 4.0, (np.inf, None)
    for signs in product([-1, 0, 1], repeat=3):
        A, w = np.flatnonzero(signs), np.zeros(3)
        w[A] = np.linalg.solve(X[:, A].T @ X[:, A], X[:, A].T @ y - lam / 2 * np.array(signs)[A])
        if (w * signs >= 0).all():
            best = min(best, (objective(X, y, w, lam), w), key=lambda found: found[0])
    mine = Lasso(lam / 14, fit_intercept=False, tol=1e-14).fit(X, y).coef_
    assert close(mine, best[1], 1e-9 if is_open() else 1e-7)  # √gap, where no last step is exact


@given(alpha=st.floats(0.01, 2), seed=st.integers(0, 1000), n=st.integers(2, 12), d=st.integers(1, 15))
@settings(deadline=None, max_examples=25)
def test_the_conditions_of_optimality_hold(alpha, seed, n, d):  # item 09.13
    X, y, _ = table((n, d), seed=seed)
    Xc, yc = X - X.mean(axis=0), y - y.mean()
    w = Lasso(alpha, tol=1e-13).fit(X, y).coef_
    assert kkt_residual(Xc, yc, w, 2 * n * alpha) <= 1e-5 * (2 * n * alpha + np.abs(2 * Xc.T @ yc).max())


def test_the_gap_bounds_the_distance_to_the_optimum():
    X, y, _ = table((30, 20))
    best = Lasso(0.1, tol=1e-13).fit(X, y)

    def value(model):
        return ((y - model.predict(X)) ** 2).mean() / 2 + 0.1 * np.abs(model.coef_).sum()

    for steps in (10, 20, 50):
        with pytest.warns(ConvergenceWarning, match="duality gap .* Raise max_iter"):
            rough = Lasso(0.1, solver="ista", max_iter=steps, tol=1e-14).fit(X, y)
        assert -1e-12 <= value(rough) - value(best) <= rough.dual_gap_ and rough.n_iter_ == steps


def test_from_alpha_max_on_all_weights_are_zero():  # item 09.15
    X, y, _ = table()
    most = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / 30
    assert not Lasso(most * 1.001).fit(X, y).coef_.any()
    assert Lasso(most * 0.99, tol=1e-12).fit(X, y).coef_.any()


def test_more_features_than_the_first_working_set():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 900))
    y = X[:, ::5] @ rng.normal(size=180) + rng.normal(size=150)
    for alpha in (0.5, 0.05):
        mine = Lasso(alpha, tol=1e-9).fit(X, y)
        assert close(mine.coef_, twin.Lasso(alpha, tol=1e-10, max_iter=100000).fit(X, y).coef_, 1e-5)
        assert mine.dual_gap_ <= 1e-9 * y.var()


@pytest.mark.speed
def test_how_the_working_set_grows(monkeypatch):
    """100 columns, or twice as many as have weights, never fewer again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 900))
    y, seen, on_gram = X[:, :250] @ rng.normal(size=250), [], fast_lasso._on_gram

    def watched(table, *rest):
        done = on_gram(table, *rest)
        seen.append((table.shape[1], np.count_nonzero(done[0]), *done[2]))
        return done

    monkeypatch.setattr(fast_lasso, "_on_gram", watched)
    model = Lasso(0.2, tol=1e-10).fit(X, y)
    sizes, nonzeros, steps = zip(*seen)
    assert sizes[0] == 100 < sizes[-1] < 900
    assert model.n_iter_ == sum(steps) < 400 and model.dual_gap_ <= 1e-10 * y.var()
    assert sizes[1:] == tuple(max(size, 2 * n) for size, n in zip(sizes, nonzeros[:-1]))
    assert np.array_equal(model.coef_, Lasso(0.2, tol=1e-10).fit(X, y).coef_)
    for most in (steps[0] + 1, model.n_iter_ - 1):
        with pytest.warns(ConvergenceWarning):
            assert Lasso(0.2, tol=1e-10, max_iter=most).fit(X, y).n_iter_ == most
    X = X[:, :120]  # soon all columns are at work
    model, seen[:] = Lasso(0.01, tol=1e-10).fit(X, y), []
    assert np.count_nonzero(model.coef_) > 100 and model.n_iter_ < 100
    assert close(model.coef_, twin.Lasso(0.01, tol=1e-12, max_iter=10**5).fit(X, y).coef_, 1e-5)


@pytest.mark.speed
def test_no_gram_matrix_is_larger_than_the_table(monkeypatch):
    """Of several targets, too: many columns are searched by working sets of 100. One serves all targets where
    it costs no more than theirs."""
    sizes, on_gram = [], fast_lasso._on_gram
    monkeypatch.setattr(
        fast_lasso, "_on_gram", lambda table, *rest: sizes.append(table.shape[1]) or on_gram(table, *rest)
    )
    for shape in ((20, 400), (140, 141), (300, 142)):
        X, y, _ = table(shape, targets=2)
        Lasso(0.5).fit(X, y)
        assert set(sizes) == {100} and len(sizes) >= 2, shape
        sizes.clear()
    for shape, targets in (((141, 141), 2), ((20, 100), 3), ((200, 30), 0)):
        X, y, _ = table(shape, targets)
        together = Lasso(0.5, tol=1e-12).fit(X, y)
        assert sizes == [shape[1]]
        each = [Lasso(0.5, tol=1e-12).fit(X, target) for target in y.reshape(len(y), -1).T]
        assert close(together.coef_, np.squeeze([model.coef_ for model in each]), 1e-6)
        with pytest.warns(ConvergenceWarning, match="duality gap"):
            rough = Lasso(0.01, tol=1e-14, max_iter=2).fit(X, y)
            with monkeypatch.context() as shut:
                shut.setenv("HELPERS_PLAIN", "1")
                plain = Lasso(0.01, tol=1e-14, max_iter=2).fit(X, y)
        assert set(np.ravel(rough.n_iter_)) == {2} and not close(rough.coef_, plain.coef_, 1e-3)
        sizes.clear()


def test_columns_of_very_unlike_units():
    X, y = load_breast_cancer(return_X_y=True)
    mine = Lasso(0.001, tol=1e-9).fit(X, y)
    assert close(mine.coef_, twin.Lasso(0.001, tol=1e-10, max_iter=10**6).fit(X, y.astype(float)).coef_, 1e-5)
    assert mine.n_iter_ < (2000 if is_open() else 4000)


def test_copies_share_a_weight_in_the_elastic_net_only():
    X = np.random.default_rng(0).normal(size=(20, 1))
    y, X = X[:, 0] + 1, np.hstack([X, X])
    a, b = ElasticNet(0.1, tol=1e-13).fit(X, y).coef_
    assert np.isclose(a, b, rtol=1e-6) and a != 0
    c, d = Lasso(0.1, tol=1e-13).fit(X, y).coef_
    assert np.isclose(c + d, Lasso(0.1, tol=1e-13).fit(X[:, :1], y).coef_[0])


def test_a_constant_column_and_a_constant_target():
    X, y, _ = table()
    X[:, 2] = 5
    assert Lasso(0.01).fit(X, y).coef_[2] == 0
    flat = Lasso(0.01).fit(X, np.full(30, 4.0))
    assert not flat.coef_.any() and flat.intercept_ == 4


@over_forms
def test_a_weight_is_so_many_copies(form):
    X, y, s = table()
    mine = Lasso(0.2, tol=1e-13).fit(form(X), y, s)
    agree(mine, Lasso(0.2, tol=1e-13).fit(np.repeat(X, s, axis=0), np.repeat(y, s)))


@pytest.mark.parametrize("model", [Lasso(0.2), ElasticNet(0.2)], ids=str)
@over_forms
def test_float32_frames_pickle_and_sparse_weights(model, form):
    X, y, _ = table()
    small = clone(model).fit(form(X.astype(np.float32)), y)
    assert small.coef_.dtype == np.float32 and close(small.coef_, clone(model).fit(X, y).coef_, 1e-3)
    framed = clone(model).fit(pd.DataFrame(X, columns=list("abcdef")), y)
    assert list(framed.feature_names_in_) == list("abcdef")
    assert close(loads(dumps(framed)).coef_, framed.coef_)
    assert sp.issparse(framed.sparse_coef_) and close(framed.sparse_coef_.toarray()[0], framed.coef_)
    assert framed.sparse_coef_.nnz == (framed.coef_ != 0).sum()


@pytest.mark.parametrize(
    "model, message",
    [
        (Lasso(0.0), "alpha=0.0: choose alpha > 0; .* Ridge"),
        (Lasso(-1.0), "alpha=-1.0: choose alpha > 0"),
        (Lasso(solver="cd"), "solver='cd': use 'fista' or 'ista'"),
        (ElasticNet(l1_ratio=0.0), r"l1_ratio=0.0: choose a number in \(0, 1\]; .* Ridge"),
        (ElasticNet(l1_ratio=1.1), "l1_ratio=1.1"),
    ],
    ids=str,
)
def test_bad_options_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit([[0.0], [1.0]], [0.0, 1.0])


# ---- paths


def test_the_path_of_the_diabetes_data():  # Efron et al., Least angle regression, Ann. Statist. 32, 2004
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    names, y = np.array(X.columns), y - y.mean()
    knots = [949.435, 889.314, 452.896, 316.073, 130.13, 88.784, 68.965, 19.981, 5.478, 5.088, 2.182, 1.31]
    order = ["bmi", "s5", "bp", "s3", "sex", "s6", "s1", "s4", "s2", "age"]
    above, below = np.array(knots) + 1e-3, np.array(knots) - 1e-3
    _, coefs, _ = lasso_path(X, y, alphas=np.r_[above, below] / len(y), tol=1e-14)
    sets = [set(names[w != 0]) for w in coefs.T]
    before, after = sets[0::2], sets[1::2]
    assert [next(iter(new - old)) for old, new in zip(before[:10], after)] == order  # entry, one by one
    assert before[10] - after[10] == {"s3"} and after[11] - before[11] == {"s3"}  # leaves, and comes back
    assert all(old <= new and len(new - old) == 1 for old, new in zip(before[:10], after))


@pairwise
@over_forms
@over_positive
@pytest.mark.parametrize("targets", [0, 2])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
def test_the_path_agrees_with_its_twin(form, positive, targets, l1_ratio):
    X, y, _ = table((20, 6), targets, mean=0.0)
    options = dict(l1_ratio=l1_ratio, positive=positive, alphas=[0.5, 2.0, 0.1, 0.02])
    alphas, coefs, gaps = enet_path(form(X), y, tol=1e-12, **options)
    wanted = [
        twin.enet_path(X, column, tol=1e-13, max_iter=100000, **options) for column in y.reshape(20, -1).T
    ]
    assert np.array_equal(alphas, wanted[0][0])
    assert close(np.atleast_3d(coefs.T).T, [w[1] for w in wanted], 1e-6)
    assert gaps.shape == (y.shape[1:] + (4,)) and gaps.max() <= 1e-12 * (y**2).sum()


@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
def test_the_automatic_alphas(l1_ratio):
    X, y, _ = table(mean=0.0)
    alphas, coefs, gaps = enet_path(X, y, l1_ratio=l1_ratio, alphas=7, eps=0.01, tol=1e-8)
    assert close(alphas, twin.enet_path(X, y, l1_ratio=l1_ratio, alphas=7, eps=0.01)[0])
    assert not coefs[:, 0].any() and coefs[:, 1].any() and coefs.shape == (6, 7) and gaps.shape == (7,)
    single = Lasso(0.3, fit_intercept=False, tol=1e-12).fit(X, y)
    assert close(lasso_path(X, y, alphas=[0.3], tol=1e-12)[1][:, 0], single.coef_)


@pytest.mark.parametrize("ours, theirs", [(Lasso, twin.Lasso), (ElasticNet, twin.ElasticNet)])
def test_options_are_the_twins_unless_told(ours, theirs):
    mine, wanted = ours().get_params(), theirs().get_params()
    for name in ("alpha", "fit_intercept", "tol", "positive"):
        assert mine[name] == wanted[name]
    assert mine.get("l1_ratio") == wanted.get("l1_ratio") and (mine["solver"], mine["max_iter"]) == (
        "fista",
        10000,
    )
    path = signature(lasso_path if ours is Lasso else enet_path).parameters
    assert all(mine[name] == path[name].default for name in mine.keys() & path.keys())


def test_targets_of_objects_and_mirrored_ones():
    X, y, _ = table((20, 5), mean=0.0)
    alphas, coefs, _ = enet_path(X, y)
    mirrored, opposite, _ = enet_path(X, (-y).astype(object))
    assert len(alphas) == 100 and close(mirrored, alphas) and close(opposite, -coefs)


def test_a_path_has_a_hundred_alphas_over_three_decades():
    alphas, coefs, _ = lasso_path(*table(mean=0.0)[:2])
    assert len(alphas) == 100 and np.isclose(alphas[-1] / alphas[0], 1e-3) and (np.diff(alphas) < 0).all()


def test_a_path_warns_and_refuses():
    X, y, _ = table()
    with pytest.warns(ConvergenceWarning):
        lasso_path(X, y, alphas=[0.01], max_iter=1)
    with pytest.raises(ValueError, match="choose alpha > 0"):
        lasso_path(X, y, alphas=[1.0, 0.0])
    for eps in (0.0, 1.0):
        with pytest.raises(ValueError, match=f"eps={eps}: .* choose 0 < eps < 1"):
            lasso_path(X, y, eps=eps)


@pytest.mark.speed
def test_who_starts_at_the_optimum_has_arrived():
    X, y, _ = table(mean=0.0)
    best = Lasso(0.1, fit_intercept=False, tol=1e-12).fit(X, y).coef_
    b, gap, steps = fast_lasso._by_working_set(
        centred_table(X, centre=False), y, best, 0.1 * len(y), 0.0, 1e-10, 100, False
    )
    assert best.any() and steps == 0 and np.array_equal(b, best) and gap <= 1e-10 * (y @ y)


# ---- what the solver rests on


@pytest.mark.speed
def test_a_few_linear_systems_reach_the_optimum():
    """Also where columns are equal, and where all of them enter and many have to leave."""
    for seed, positive in product(range(5), (False, True)):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(12, 1)) + rng.normal(size=(12, 30))
        A[:, 1], A[:, 3] = A[:, 0], -A[:, 2]
        A /= np.linalg.norm(A, axis=0)
        y = A @ rng.normal(size=30)
        for lam, start in product((1e-3, 0.1, 1.0), (np.zeros(30), A.T @ y)):
            problem = fast_lasso.Problem(A.T @ A, (A.T @ y)[None], [y @ y], np.full(30, lam), positive)
            start = np.maximum(start, 0) if positive else start
            b, gap, steps = fast_lasso.by_signs(problem, start, 1e-11, 500)
            assert -1e-12 <= gap <= 1e-11 and steps < 200, (seed, positive, lam)
            assert b.min() >= 0 if positive else kkt_residual(A, y, b, 2 * lam) <= 1e-4
            assert problem.looked_at(b[None])[0] == [gap]
    long = 1e6 * A  # equal columns, in other units, and one of zeros
    long[:, 5] = 0
    problem = fast_lasso.Problem(
        long.T @ long, (long.T @ y)[None], np.array([y @ y]), np.full(30, 1e5), False
    )
    b, gap, steps = fast_lasso.each_by_signs(problem, np.full((1, 30), 1e-6), [1e-9], 500)
    assert gap[0] <= 1e-9 and steps[0] < 200 and b[0, 5] == 0 != np.abs(b).max()


@pytest.mark.speed
def test_how_many_linear_systems_and_looks(monkeypatch):
    """Where columns are orthogonal 6, 12, 24 … enter at once; what is at its optimum stays; three fruitless
    steps are the last. FISTA looks at the gap before it begins, after every ten steps, and at the end;
    only there where no gap is small enough."""
    c = np.arange(100.0) + 2

    def problem(c, L=np.inf):
        return fast_lasso.Problem(np.eye(len(c)), c[None], np.array([c @ c]), np.ones(len(c)), False, L)

    b, gap, steps = fast_lasso.by_signs(problem(c), 0 * c, 1e-3, 500)
    assert close(b, c - 1, 1e-6) and gap <= 1e-3 and steps == 5
    with np.errstate(all="raise"):
        b, _, steps = fast_lasso.by_signs(problem(np.array([3.0, 5.0])), np.array([2.0, 0.0]), 1e-7, 500)
    assert b[0] == 2 and close(b, [2, 4]) and steps == 1
    b, _, steps = fast_lasso.by_signs(problem(np.array([3.0])), np.array([2.0]), -1.0, 500)
    assert b == [2] and steps == 3
    looks, looked_at = [], fast_lasso.Problem.looked_at
    monkeypatch.setattr(
        fast_lasso.Problem, "looked_at", lambda self, B: looks.append(B.copy()) or looked_at(self, B)
    )
    for start, tol, seen in ((0 * c, 1e-12, 4), (0 * c, -1.0, 1), (c - 1, 0.0, 1)):
        looks.clear()
        done = fast_lasso.descend(problem(c, 2.0), start[None], np.array([tol]), 21)
        assert len(looks) == seen and np.array_equal(done, looks[-1]) and close(done, c[None] - 1, 1e-2)


@pytest.mark.speed
def test_where_the_linear_systems_fail_the_plain_way_answers(monkeypatch):
    X, y, _ = table((40, 30), targets=2)
    right = Lasso(0.3, tol=1e-12).fit(X, y)
    monkeypatch.setattr(fast_lasso, "by_signs", lambda problem, b, *_: (b, np.inf, 3))
    plain = Lasso(0.3, tol=1e-12).fit(X, y)
    assert close(plain.coef_, right.coef_, 1e-6) and min(plain.n_iter_) > 3
    monkeypatch.setenv("HELPERS_PLAIN", "1")
    assert np.array_equal(plain.coef_, Lasso(0.3, tol=1e-12).fit(X, y).coef_)


def test_momentum_by_its_formula():
    """Every row has a t of its own; one that moves against the step before it starts afresh."""
    rng = np.random.default_rng(0)
    new, old, Z = rng.normal(size=(3, 20, 4))
    t = rng.uniform(1, 9, size=(20, 1))
    points, following = _fista.extrapolate(new, old, Z, t, axis=-1)
    uphill = [(z - a) @ (a - b) > 0 for a, b, z in zip(new, old, Z)]
    assert 3 < sum(uphill) < 17
    for i, up in enumerate(uphill):
        then = 1 if up else (1 + (1 + 4 * t[i, 0] ** 2) ** 0.5) / 2
        ahead = 0 if up else (t[i, 0] - 1) / then
        assert following[i, 0] == pytest.approx(then) and close(points[i], new[i] + ahead * (new[i] - old[i]))


def test_fista_needs_fewer_steps_than_ista():
    X, y, _ = table((30, 20))
    slow = Lasso(0.01, tol=1e-8, solver="ista", max_iter=10**6).fit(X, y)
    assert Lasso(0.01, tol=1e-8).fit(X, y).n_iter_ < 0.2 * slow.n_iter_
