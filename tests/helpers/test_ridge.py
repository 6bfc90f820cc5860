"""Ridge: equal to scikit-learn, to the normal equations and to leaving rows out one by one, over every
option."""

from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.linear_model as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold
from sklearn.utils import get_tags

from helpers import _rows
from helpers.comparing import close
from helpers.linear_model import Ridge, RidgeCV
from helpers.linear_model._base import centred_table
from tests.helpers.covering import pairwise

SHAPES = {"tall": (20, 5), "wide": (6, 9), "square": (8, 8), "one feature": (7, 1)}
FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
ALPHAS = (0.01, 1.0, 30.0)
over_shapes = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
over_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
over_targets = pytest.mark.parametrize("targets", [0, 1, 2])
over_intercept = pytest.mark.parametrize("fit_intercept", [True, False])
over_weights = pytest.mark.parametrize("weighted", [False, True])


def table(shape, targets=0, mean=3.0, seed=0):
    """X with its mean away from 0, targets, and whole weights, one of them 0."""
    rng = np.random.default_rng(seed)
    n, d = shape
    X = rng.normal(size=shape) * rng.uniform(0.5, 2, d) + mean
    return X, rng.normal(size=(n, targets) if targets else n) + 2, np.r_[0, rng.integers(1, 4, n - 1)]


def normal_equations(X, y, alpha, fit_intercept=True):
    """(XᵀX + αI)⁻¹Xᵀy with the intercept as a column that the penalty leaves alone."""
    A = np.column_stack([X, np.ones(len(X))]) if fit_intercept else X
    penalty = alpha * np.eye(A.shape[1])
    penalty[X.shape[1] :] = 0
    return np.linalg.solve(A.T @ A + penalty, A.T @ y)[: X.shape[1]]


def agree(mine, wanted, tol=1e-9):
    assert mine.coef_.shape == wanted.coef_.shape and np.shape(mine.intercept_) == np.shape(wanted.intercept_)
    assert close(mine.coef_, wanted.coef_, tol) and close(mine.intercept_, wanted.intercept_, tol)


# ---- Ridge


@pairwise
@over_shapes
@over_forms
@over_targets
@over_intercept
@over_weights
@pytest.mark.parametrize("solver", ["auto", "cholesky", "svd"])
def test_ridge_equals_its_twin(shape, form, targets, fit_intercept, weighted, solver):
    X, y, s = table(shape, targets)
    s = s if weighted else None
    mine = Ridge(0.7, fit_intercept=fit_intercept, solver=solver).fit(form(X), y, s)
    wanted = twin.Ridge(0.7, fit_intercept=fit_intercept, solver="cholesky").fit(X, y, s)
    if not fit_intercept:
        wanted.intercept_ = np.float64(0)
    agree(mine, wanted)
    assert close(mine.predict(form(X)), wanted.predict(X))


@over_shapes
@over_intercept
def test_ridge_solves_the_normal_equations(shape, fit_intercept):  # item 09.12
    X, y, _ = table(shape)
    assert close(
        Ridge(0.7, fit_intercept=fit_intercept).fit(X, y).coef_, normal_equations(X, y, 0.7, fit_intercept)
    )


def test_only_the_intercept_moves_with_y():  # it is not penalised
    X, y, _ = table((20, 5))
    low, high = Ridge(100.0).fit(X, y), Ridge(100.0).fit(X, y + 50)
    assert close(low.coef_, high.coef_) and np.isclose(high.intercept_ - low.intercept_, 50)


def test_no_weight_is_exactly_zero():  # item 09.12
    assert (Ridge(1e6).fit(*table((20, 5))[:2]).coef_ != 0).all()


@given(alpha=st.floats(1e-3, 1e3), seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=25)
def test_no_other_weights_have_a_lower_objective(alpha, seed):
    X, y, _ = table((9, 4), seed=seed)
    X, y = X - X.mean(axis=0), y - y.mean()

    def objective(w):
        return ((y - X @ w) ** 2).sum() + alpha * (w**2).sum()

    w = Ridge(alpha).fit(X, y).coef_
    rivals = w + 0.01 * np.random.default_rng(seed).normal(size=(50, 4))
    assert all(objective(w) < objective(rival) for rival in rivals)


def test_one_alpha_for_each_target():
    X, y, _ = table((20, 5), 3)
    agree(Ridge(np.array([0.1, 10.0, 0.1])).fit(X, y), twin.Ridge(np.array([0.1, 10.0, 0.1])).fit(X, y))


@pytest.mark.parametrize("solver", ["auto", "svd"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_without_penalty_dependent_columns_share_the_shortest_solution(solver, form):
    X, y, _ = table((12, 3))
    X = np.hstack([X, X[:, :1]])
    centred = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean())[0]
    assert close(Ridge(0, solver=solver).fit(form(X), y).coef_, centred, 1e-7)


@pytest.mark.parametrize("unit", [1e-20, 1.0, 1e20])
def test_dependent_columns_through_the_origin_whatever_their_unit(unit):
    A = np.random.default_rng(0).normal(size=(20, 3)) @ np.random.default_rng(1).normal(size=(3, 6))
    y = A @ np.arange(6.0)
    model = Ridge(0, solver="svd", fit_intercept=False).fit(A * unit, y)
    np.testing.assert_allclose(model.coef_ * unit, np.linalg.pinv(A, rcond=1e-10) @ y, rtol=1e-8)


def test_the_twins_alphas_unless_told_and_its_tags():
    assert RidgeCV().alphas == twin.RidgeCV().alphas and Ridge().alpha == twin.Ridge().alpha
    for kind, its_twin in ((Ridge, twin.Ridge), (RidgeCV, twin.RidgeCV)):
        mine, wanted = get_tags(kind()), get_tags(its_twin())
        assert mine.input_tags == wanted.input_tags and mine.target_tags == wanted.target_tags


def test_a_constant_column_gets_no_weight():
    X, y, _ = table((12, 3))
    X[:, 1] = 7
    assert Ridge(1e-3).fit(X, y).coef_[1] == 0
    z = np.random.default_rng(0).normal(size=400)  # but one that hardly varies beside its mean has digits
    assert close(Ridge(0, solver="svd").fit(1e6 + 4e-7 * z[:, None], z).coef_, [1 / 4e-7], 1e-3)


@over_forms
def test_a_weight_is_so_many_copies(form):
    X, y, s = table((20, 5))
    agree(Ridge(0.7).fit(form(X), y, s), Ridge(0.7).fit(np.repeat(X, s, axis=0), np.repeat(y, s)))


def test_nist_longley():  # NIST StRD, Longley: certified values, y = TOTEMP
    from statsmodels.datasets import longley

    data = longley.load().data
    X, y = data.drop(columns="TOTEMP").to_numpy(float), data["TOTEMP"].to_numpy(float)
    certified = np.array([
        15.0618722713733,
        -0.035819179292591,
        -2.02022980381683,
        -1.03322686717359,
        -0.0511041056535807,
        1829.15146461355,
    ])
    for solver, digits in {"svd": 9, "cholesky": 6}.items():
        model = Ridge(0, solver=solver).fit(X, y)
        np.testing.assert_allclose(model.coef_, certified, rtol=10.0**-digits)
        np.testing.assert_allclose(model.intercept_, -3482258.63459582, rtol=10.0**-digits)


@pytest.mark.speed
@pytest.mark.parametrize("n_rows", [1, 3])
@pytest.mark.parametrize("shape", [(20, 5), (5, 20)])
def test_batches_make_no_difference(monkeypatch, n_rows, shape):
    X, y, s = table(shape)
    whole = Ridge(0.7).fit(X, y, s)
    monkeypatch.setattr(_rows, "BLOCK", 5 * n_rows)
    agree(Ridge(0.7).fit(sp.csr_array(X), y, s), whole)


@over_forms
@pytest.mark.parametrize("shape", [(30, 3), (3, 30)])
def test_centring_comes_before_the_product(form, shape):
    X, y, s = table(shape)
    near = Ridge(0.1).fit(X, y, s + 1)
    assert close(Ridge(0.1).fit(form(X + 1e7), y, s + 1).coef_, near.coef_, 1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@over_forms
def test_the_precision_of_x_is_kept(dtype, form):
    X, y, _ = table((20, 5))
    model = Ridge().fit(form(X.astype(dtype)), y)
    assert model.coef_.dtype == dtype and model.intercept_.dtype == dtype
    assert model.predict(form(X.astype(dtype))).dtype == dtype
    assert close(model.coef_, Ridge().fit(X, y).coef_, 1e-5)
    whole = (10 * X).astype(int)  # whole numbers have no precision to keep
    agree(Ridge().fit(form(whole), y), Ridge().fit(whole.astype(float), y), 1e-12)


def test_frames_pickle_and_clone():
    X, y, _ = table((20, 5))
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = clone(Ridge(2.0)).fit(frame, y)
    assert list(model.feature_names_in_) == list("abcde") and model.n_features_in_ == 5
    with pytest.raises(ValueError, match="seen at fit time, yet now missing"):
        model.predict(frame[list("abcd")])
    assert close(loads(dumps(model)).predict(frame), Ridge(2.0).fit(X, y).predict(X))


@pytest.mark.parametrize(
    "options, message",
    {
        "negative": ({"alpha": -1.0}, "alpha=-1.0: a negative penalty"),
        "too many": (
            {"alpha": [1.0, 2.0]},
            r"alpha has shape \(2,\): give one number, or one for each of 1 targets",
        ),
        "a table": ({"alpha": [[1.0]]}, r"alpha has shape \(1, 1\)"),
        "solver": ({"solver": "magic"}, "solver='magic': use 'auto', 'cholesky', 'svd'"),
    }.values(),
    ids=str,
)
def test_ridge_says_what_is_wrong(options, message):
    with pytest.raises(ValueError, match=message):
        Ridge(**options).fit([[0.0], [1.0]], [0.0, 1.0])


def test_weights_must_not_be_negative_and_a_fit_comes_first():
    with pytest.raises(ValueError, match="Negative values"):
        Ridge().fit([[0.0], [1.0]], [0.0, 1.0], [1.0, -1.0])
    with pytest.raises(NotFittedError):
        Ridge().predict([[0.0]])


# ---- the centred table


@pairwise
@over_shapes
@over_forms
@over_weights
@pytest.mark.parametrize("centre", [True, False])
def test_the_table_multiplies_like_the_array_it_stands_for(shape, form, weighted, centre):
    X, Y, s = table(shape, 2)
    s = s if weighted else np.ones(len(X))
    A = np.sqrt(s)[:, None] * (X - (centre * (s @ X) / s.sum()))
    mine = centred_table(form(X), s if weighted else None, centre)
    G, C = mine.normal_equations(Y)
    W = np.arange(2.0 * shape[1]).reshape(-1, 2)
    assert close(mine.dense(), A) and close(G, A.T @ A) and close(C, A.T @ Y) and close(mine.outer(), A @ A.T)
    assert close(mine.correlate(Y), A.T @ Y) and close(mine.times(W), A @ W)
    assert close(mine.times(W[:, 0]), A @ W[:, 0])
    assert close(mine.columns([0]).dense(), A[:, :1])


# ---- RidgeCV


@pairwise
@over_shapes
@over_forms
@over_targets
@over_intercept
@over_weights
@pytest.mark.parametrize("per_target", [False, True])
def test_leave_one_out_equals_its_twin(shape, form, targets, fit_intercept, weighted, per_target):
    X, y, s = table(shape, targets)
    s = s if weighted else None
    options = dict(
        alphas=ALPHAS, fit_intercept=fit_intercept, store_cv_results=True, alpha_per_target=per_target
    )
    mine, wanted = RidgeCV(**options).fit(form(X), y, s), twin.RidgeCV(**options).fit(X, y, s)
    assert close(mine.cv_results_, wanted.cv_results_) and np.shape(mine.alpha_) == np.shape(wanted.alpha_)
    assert np.allclose(mine.best_score_, wanted.best_score_) and np.array_equal(mine.alpha_, wanted.alpha_)
    wanted.intercept_ = wanted.intercept_ if fit_intercept else np.float64(0)
    agree(mine, wanted)


@pairwise
@over_shapes
@over_intercept
@over_weights
def test_leave_one_out_equals_leaving_one_out(shape, fit_intercept, weighted):  # item 07.20
    X, y, s = table(shape)
    s = s if weighted else np.ones(len(X))
    mine = RidgeCV(ALPHAS, fit_intercept=fit_intercept, store_cv_results=True).fit(X, y, s)
    for a, alpha in enumerate(ALPHAS):
        for i in range(len(X)):
            others = np.arange(len(X)) != i
            without = Ridge(alpha, fit_intercept=fit_intercept).fit(X[others], y[others], s[others])
            wanted = s[i] * (y[i] - without.predict(X[i : i + 1])[0]) ** 2
            assert np.isclose(mine.cv_results_[i, a], wanted, rtol=1e-7)


def test_the_best_alpha_is_refitted():
    X, y, s = table((20, 5))
    model = RidgeCV(ALPHAS).fit(X, y)
    agree(model, Ridge(model.alpha_).fit(X, y))
    agree(RidgeCV(ALPHAS).fit(X, y, s), Ridge(RidgeCV(ALPHAS).fit(X, y, s).alpha_).fit(X, y, s))
    assert not hasattr(model, "cv_results_")
    X, y, _ = table((6, 9))  # a unit changes no prediction
    small, model = RidgeCV(1e-6 * np.array(ALPHAS)).fit(1e-3 * X, y), RidgeCV(ALPHAS).fit(X, y)
    assert np.isclose(small.best_score_, model.best_score_) and close(
        small.predict(1e-3 * X), model.predict(X)
    )


def test_no_digits_are_lost_when_n_is_below_d_and_alpha_is_tiny():
    X, y, _ = table((6, 9))
    mine = RidgeCV([1e-9], store_cv_results=True).fit(X, y).cv_results_[:, 0]
    without = [Ridge(1e-9, solver="svd").fit(np.delete(X, i, 0), np.delete(y, i)) for i in range(6)]
    plain = [y[i] - without[i].predict(X[i : i + 1])[0] for i in range(6)]
    assert close(mine, np.square(plain), 1e-6)


@pytest.mark.parametrize("alphas", [[], [0.0, 1.0], [-1.0], [[1.0]]], ids=str)
def test_ridge_cv_says_what_is_wrong(alphas):
    with pytest.raises(ValueError, match="give a list of numbers > 0"):
        RidgeCV(alphas).fit([[0.0], [1.0]], [0.0, 1.0])


@pairwise
@over_forms
@over_targets
@over_intercept
@over_weights
@pytest.mark.parametrize("cv", [3, KFold(4, shuffle=True, random_state=0)], ids=["3", "KFold"])
def test_folds_equal_the_twins(form, targets, fit_intercept, weighted, cv):
    X, y, s = table((20, 5), targets)
    mine, wanted = (
        kind(ALPHAS, fit_intercept=fit_intercept, cv=cv).fit(as_form(X), y, s if weighted else None)
        for kind, as_form in ((RidgeCV, form), (twin.RidgeCV, np.asarray))
    )
    assert mine.alpha_ == wanted.alpha_ and np.isclose(mine.best_score_, wanted.best_score_, rtol=1e-9)
    wanted.intercept_ = wanted.intercept_ if fit_intercept else np.float64(0)
    agree(mine, wanted)


@pytest.mark.parametrize("option", ["store_cv_results", "alpha_per_target"])
def test_folds_leave_out_more_than_a_row(option):
    with pytest.raises(ValueError, match="speak of leaving one row out: use them with cv=None"):
        RidgeCV(cv=2, **{option: True}).fit(*table((20, 5))[:2])


def test_two_rows_are_enough_to_leave_one_out():  # the other row is the prediction: error 2² each
    model = RidgeCV([1.0], store_cv_results=True).fit([[0.0], [1.0]], [3.0, 5.0])
    np.testing.assert_allclose(model.cv_results_, [[4], [4]])


@pytest.mark.parametrize(
    "X, s", [([[1.0]], None), ([[0.0], [1.0], [2.0]], [0.0, 3.0, 0.0])], ids=["a row", "a weight"]
)
def test_to_leave_one_out_there_must_be_two(X, s):
    with pytest.raises(ValueError, match=f"n_samples={len(X)}: to leave one out, give at least two rows"):
        RidgeCV().fit(X, np.arange(len(X)), s)
