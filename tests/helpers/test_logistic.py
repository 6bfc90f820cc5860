"""Logistic regression: equal to scikit-learn where its solvers converge, optimal by its own conditions
everywhere."""

from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.linear_model as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from helpers.comparing import close
from helpers.linear_model import LogisticRegression, logistic
from tests.helpers.covering import pairwise

CLASSES = {"two classes": 2, "three classes": 3}
SHAPES = {"tall": (40, 4), "wide": (12, 20), "one feature": (30, 1)}
FORMS = {"dense": np.asarray, "sparse": sp.csr_array}
over_classes = pytest.mark.parametrize("k", CLASSES.values(), ids=CLASSES)
over_shapes = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
over_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
over_intercept = pytest.mark.parametrize("fit_intercept", [True, False])
over_class_weight = pytest.mark.parametrize("class_weight", [None, "balanced", {"b": 3.0}], ids=str)


def table(shape=(40, 4), k=2, mean=1.0, seed=0):
    """X with its mean away from 0, k classes named in letters that follow the first column a little, whole
    weights."""
    rng = np.random.default_rng(seed)
    n, d = shape
    X = rng.normal(size=shape) * rng.uniform(0.5, 2, d) + mean
    rank = np.argsort(np.argsort(X[:, 0] + 2 * rng.normal(size=n)))
    return X, np.array(list("abc"))[rank * k // n], rng.integers(0, 4, n)


def objective(model, X, y, s=1.0):
    """C · total loss + penalty, by the definition."""
    p = model.predict_proba(X)[np.arange(len(X)), np.searchsorted(model.classes_, y)]
    w, r = model.coef_, model.l1_ratio
    return -model.C * (s * np.log(p)).sum() + r * np.abs(w).sum() + (1 - r) / 2 * (w**2).sum()


def kkt(model, X, y):
    """Largest violation of the optimality of w and b, from a gradient of our own."""
    p, k = model.predict_proba(X), len(model.classes_)
    error = p - (y[:, None] == model.classes_)
    error = error[:, 1:] if k == 2 else error
    g = model.C * error.T @ X + (1 - model.l1_ratio) * model.coef_
    w, r = model.coef_, model.l1_ratio
    wrong = np.where(w != 0, np.abs(g + r * np.sign(w)), np.maximum(np.abs(g) - r, 0)).max()
    return max(wrong, np.abs(model.C * error.sum(axis=0)).max() if model.fit_intercept else 0)


@pairwise
@over_classes
@over_shapes
@over_forms
@over_intercept
@over_class_weight
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_with_l2_the_twin_agrees(k, shape, form, fit_intercept, class_weight, weighted, C):
    X, y, s = table(shape, k)
    options = dict(C=C, fit_intercept=fit_intercept, class_weight=class_weight)
    mine = LogisticRegression(tol=1e-10, **options).fit(form(X), y, s if weighted else None)
    wanted = twin.LogisticRegression(solver="newton-cholesky", tol=1e-10, **options).fit(
        X, y, s if weighted else None
    )
    assert mine.coef_.shape == wanted.coef_.shape and close(mine.coef_, wanted.coef_, 1e-6)
    assert close(mine.intercept_ - mine.intercept_.mean(), wanted.intercept_ - wanted.intercept_.mean(), 1e-6)
    assert mine.intercept_.shape == wanted.intercept_.shape
    assert close(mine.predict_proba(form(X)), wanted.predict_proba(X), 1e-6)


@over_shapes
@over_forms
@pytest.mark.parametrize("C", [0.1, 2.0])
def test_with_l1_the_twin_agrees(shape, form, C):  # item 09.16
    X, y, _ = table(shape)
    options = dict(C=C, l1_ratio=1.0, fit_intercept=False)  # liblinear penalises the intercept
    mine = LogisticRegression(tol=1e-10, **options).fit(form(X), y)
    wanted = twin.LogisticRegression(solver="liblinear", tol=1e-10, max_iter=10000, **options).fit(X, y)
    assert close(mine.coef_, wanted.coef_, 1e-5) and np.array_equal(mine.coef_ != 0, wanted.coef_ != 0)


@over_classes
@over_forms
@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
def test_the_twins_saga_finds_no_better(k, form, l1_ratio):
    X, y, _ = table(k=k, mean=0.0)
    options = dict(C=0.5, l1_ratio=l1_ratio)
    mine = LogisticRegression(tol=1e-11, **options).fit(form(X), y)
    wanted = twin.LogisticRegression(solver="saga", tol=1e-8, max_iter=5000, random_state=0, **options).fit(
        X, y
    )
    assert objective(mine, X, y) <= objective(wanted, X, y) + 1e-9 and close(mine.coef_, wanted.coef_, 1e-4)


@pairwise
@over_classes
@over_shapes
@over_intercept
@pytest.mark.parametrize("l1_ratio", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("C", [0.05, 1.0])
def test_the_conditions_of_optimality_hold(k, shape, fit_intercept, l1_ratio, C):
    X, y, _ = table(shape, k)
    model = LogisticRegression(C, l1_ratio=l1_ratio, fit_intercept=fit_intercept, tol=1e-10).fit(X, y)
    assert kkt(model, X, y) < 1e-6


@given(seed=st.integers(0, 1000), l1_ratio=st.sampled_from([0.0, 0.5, 1.0]), k=st.sampled_from([2, 3]))
@settings(deadline=None, max_examples=15)
def test_no_other_weights_have_a_lower_objective(seed, l1_ratio, k):
    X, y, _ = table((15, 3), k, seed=seed)
    model = LogisticRegression(l1_ratio=l1_ratio, tol=1e-9).fit(X, y)
    best, rng = objective(model, X, y), np.random.default_rng(seed)
    for size in (0.3, 0.01):
        rival = clone(model).fit(X, y)
        rival.coef_ = model.coef_ + size * rng.normal(size=model.coef_.shape)
        rival.intercept_ = model.intercept_ + size * rng.normal(size=model.intercept_.shape)
        assert objective(rival, X, y) > best


@over_classes
@over_forms
@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_a_weight_is_so_many_copies(k, form, l1_ratio):
    X, y, s = table(k=k)
    weighted = LogisticRegression(l1_ratio=l1_ratio, tol=1e-10, class_weight="balanced").fit(form(X), y, s)
    copied = clone(weighted).fit(np.repeat(X, s, axis=0), np.repeat(y, s))
    assert close(weighted.coef_, copied.coef_, 1e-6) and close(weighted.intercept_, copied.intercept_, 1e-6)


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_the_classes_of_class_weight_count_so_often(l1_ratio):
    X, y, _ = table(k=3)
    by_class = LogisticRegression(l1_ratio=l1_ratio, class_weight={"b": 3}, tol=1e-10).fit(X, y)
    copied = LogisticRegression(l1_ratio=l1_ratio, tol=1e-10).fit(
        np.vstack([X, X[y == "b"], X[y == "b"]]), np.r_[y, y[y == "b"], y[y == "b"]]
    )
    assert close(by_class.coef_, copied.coef_, 1e-6)


def test_smaller_c_is_sparser_with_l1_only():  # item 09.16, erratum E75
    X, y, _ = table((60, 20), seed=3)
    counts = {
        ratio: [(LogisticRegression(C, l1_ratio=ratio).fit(X, y).coef_ != 0).sum() for C in (0.01, 0.1, 10.0)]
        for ratio in (0.0, 1.0)
    }
    assert counts[0.0] == [20, 20, 20] and counts[1.0][0] < counts[1.0][1] < counts[1.0][2]


def test_only_the_intercept_follows_a_shift_and_it_is_not_penalised():
    X, y, _ = table()
    for options in (dict(), dict(l1_ratio=1.0)):
        model = LogisticRegression(1e-6, tol=1e-12, **options).fit(X + 5, y == "b")
        assert np.isclose(model.predict_proba(X + 5)[:, 1].mean(), (y == "b").mean(), atol=1e-6)
        assert np.abs(model.coef_).max() < 1e-3


@over_classes
def test_without_penalty(k):
    X, y, _ = table((200, 3), k)
    mine = LogisticRegression(np.inf, tol=1e-10).fit(X, y)
    wanted = twin.LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(X, y)
    assert close(mine.predict_proba(X), wanted.predict_proba(X), 1e-5)
    assert close(mine.coef_, LogisticRegression(np.inf, l1_ratio=1.0, tol=1e-10).fit(X, y).coef_)
    assert k == 2 or np.abs(mine.coef_.sum(axis=0)).max() < 1e-9  # equal changes change nothing


def test_without_penalty_copies_share_their_weight():
    X, y, _ = table((60, 2))
    twice = LogisticRegression(np.inf, tol=1e-10).fit(X[:, [0, 1, 1]], y)
    once = LogisticRegression(np.inf, tol=1e-10).fit(X, y)
    assert close(twice.coef_[0, 1] + twice.coef_[0, 2], once.coef_[0, 1], 1e-6)
    assert close(twice.predict_proba(X[:, [0, 1, 1]]), once.predict_proba(X), 1e-6)


def test_steps_are_halved_where_newton_overshoots(monkeypatch):
    values, value = [], logistic._Model.value
    monkeypatch.setattr(
        logistic._Model, "value", lambda self, Z, P: values.append(value(self, Z, P)) or values[-1]
    )
    X, y, s = np.array([[-2.0, 9.0], [-3.0, 4.0], [-9.0, 5.0], [8.0, 9.0]]), [0, 0, 1, 1], [1e3, 1, 1e3, 10]
    model = LogisticRegression(1e5, tol=1e-8).fit(X, y, s)
    rises = np.flatnonzero(np.diff(values) > 1e-12)
    assert len(rises) and len(values) > model.n_iter_[0] + 10  # tried, and taken back
    wanted = twin.LogisticRegression(C=1e5, solver="newton-cholesky", tol=1e-8, max_iter=1000).fit(X, y, s)
    assert close(model.coef_, wanted.coef_, 1e-3)


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
@pytest.mark.parametrize("constant", [3.3, -3.3])
def test_columns_of_very_unlike_units_and_a_constant_one(l1_ratio, constant):
    X, y, _ = table((80, 3))
    X = X * [1e-4, 1.0, 1e5] + [0, 0, 1e6]
    X = np.column_stack([X, np.full(80, constant)])
    model = LogisticRegression(l1_ratio=l1_ratio, tol=1e-9).fit(X, y)
    assert model.coef_[0, 3] == 0 and model.n_iter_[0] < 300
    assert not l1_ratio or model.n_iter_[0] % 10 == 0  # its gradient is looked at every tenth step
    centred = LogisticRegression(l1_ratio=l1_ratio, tol=1e-9).fit(X - X.mean(axis=0), y)
    assert close(model.coef_, centred.coef_, 1e-6)


def a_model(k, lasso, ridge):
    """Mean loss of 30 rows with 3 columns, k columns of targets (1: two classes)."""
    rng = np.random.default_rng(k)
    y = rng.integers(0, max(k, 2), 30)
    targets = np.eye(k)[y] if k > 1 else y[:, None].astype(float)
    return logistic._Model(
        rng.normal(size=(30, 3)), targets, np.full(30, 1 / 30), lasso, np.full((3, 1), ridge)
    )


@pytest.mark.parametrize(
    "gradient, weight, missed",
    [
        (0.3, 0.0, 0),
        (-0.3, 0.0, 0),
        (0.8, 0.0, 0.3),
        (-0.8, 0.0, 0.3),
        (-0.5, 2.0, 0),
        (0.5, -2.0, 0),
        (0.5, 2.0, 1),
    ],
)
def test_by_how_much_optimality_is_missed(gradient, weight, missed):
    model = a_model(1, 0.5, 0)
    assert np.isclose(model.violation(np.array([[gradient]]), np.array([[weight]])), missed)


@pytest.mark.parametrize("k, formed", [(1, 3), (1, 2), (3, 3), (4, 3)])
@pytest.mark.parametrize("ridge", [0, 0.7])
def test_the_hessian_is_the_gradients_derivative(k, formed, ridge, monkeypatch):
    monkeypatch.setattr(logistic, "FORMED", formed)
    model, rng = a_model(k, 0, ridge), np.random.default_rng(5)
    P, D = rng.normal(size=(2, 3, k))
    h = 1e-6
    there, back = (model.gradient(model.A @ Q, Q) for Q in (P + h * D, P - h * D))
    H = model.hessian(model.A @ P)
    assert isinstance(H, np.ndarray) == (k == 1 and formed == 3)
    assert np.allclose(H @ D.ravel(), (there - back).ravel() / (2 * h), atol=1e-7)


def test_two_classes_by_both_formulas():
    X, y, _ = table()
    two = LogisticRegression(1.0, tol=1e-10).fit(X, y)
    Z = two.decision_function(X)
    assert Z.shape == (40,) and np.array_equal(two.predict(X), np.where(Z > 0, "b", "a"))
    assert close(two.predict_proba(X)[:, 1], 1 / (1 + np.exp(-Z)), 1e-12)
    assert close(Z, X @ two.coef_[0] + two.intercept_[0])
    assert close(two.predict_log_proba(X), np.log(two.predict_proba(X)))
    two.coef_, two.intercept_ = 0 * two.coef_, 0 * two.intercept_
    assert (two.predict(X) == "a").all()  # a tie goes to the first class, as the twin's


def test_three_classes_are_a_softmax():
    X, y, _ = table(k=3)
    three = LogisticRegression(tol=1e-10).fit(X, y)
    Z = X @ three.coef_.T + three.intercept_
    assert close(three.decision_function(X), Z)
    assert close(three.predict_proba(X), np.exp(Z) / np.exp(Z).sum(axis=1, keepdims=True), 1e-12)
    assert np.array_equal(three.predict(X), np.array(list("abc"))[Z.argmax(axis=1)])


@over_forms
@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_float32_frames_and_pickle(form, l1_ratio):
    X, y, _ = table(k=3)
    model = LogisticRegression(l1_ratio=l1_ratio)
    small = clone(model).fit(form(X.astype(np.float32)), y)
    assert small.coef_.dtype == small.intercept_.dtype == np.float32
    assert close(small.coef_, clone(model).fit(X, y).coef_, 1e-3)
    whole = (10 * X).astype(int)  # rows of whole numbers, weights that are not
    assert close(clone(model).fit(form(whole), y).coef_, clone(model).fit(form(1.0 * whole), y).coef_, 1e-12)
    framed = clone(model).fit(pd.DataFrame(X, columns=list("pqrs")), y)
    assert list(framed.feature_names_in_) == list("pqrs") and close(loads(dumps(framed)).coef_, framed.coef_)
    assert framed.n_iter_.shape == (1,) and framed.n_iter_[0] >= 1


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_too_few_steps_are_told(l1_ratio):
    """On orthogonal columns the one step from 0 is known: Newton's, or 1/L down the gradient, then shrunk.

    There all p are 1/k, of curvature ¼ (two classes) or ⅓ (three); no p has more than L = ¼ or ½.
    """
    X = np.tile(hadamard(4)[:, 1:], (3, 1)).astype(float)
    for k, curvature, most in ((2, 1 / 4, 1 / 4), (3, 1 / 3, 1 / 2)):
        y = np.random.default_rng(k).permutation(np.arange(12) % k)
        targets = np.eye(k)[y] if k > 2 else y[:, None]
        downhill = (targets - 1 / k).T @ X / 12
        model = LogisticRegression(4.0, l1_ratio=l1_ratio, max_iter=1, tol=1e-10)  # penalty 1/48
        with pytest.warns(ConvergenceWarning, match="No convergence after 1 steps: .* Raise max_iter"):
            model.fit(X, y)
        shrunk = np.sign(downhill) * np.maximum(np.abs(downhill) - 1 / 48, 0)
        assert close(model.coef_, shrunk / most if l1_ratio else downhill / (curvature + 1 / 48))
        assert np.abs(model.intercept_).max() < 1e-12 and model.n_iter_.tolist() == [1]


@pytest.mark.parametrize(
    "options, y, message",
    [
        (dict(C=0.0), [0, 1], "C=0.0: choose C > 0"),
        (dict(l1_ratio=1.5), [0, 1], r"l1_ratio=1.5: choose a number in \[0, 1\]"),
        (dict(l1_ratio=-0.1), [0, 1], "l1_ratio=-0.1"),
        (dict(), [1, 1], "y has only one class, 1"),
        (dict(), [0.5, 1.7], "Unknown label type"),
    ],
    ids=str,
)
def test_bad_input_is_named(options, y, message):
    with pytest.raises(ValueError, match=message):
        LogisticRegression(**options).fit([[0.0], [1.0]], y)


def test_a_class_without_weight_cannot_be_balanced():
    with pytest.raises(ValueError, match="Every row of some class has weight 0"):
        LogisticRegression(class_weight="balanced").fit([[0.0], [1.0]], [0, 1], [1.0, 0.0])
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        LogisticRegression().fit([[0.0], [1.0]], [0, 1], [1.0, -1.0])
