"""Nasty tables for every family: a right answer by brute force, exact arithmetic or optimality, or a clear
error.

``NASTY=10 uv run pytest tests/helpers/test_nasty.py`` draws ten times as many.
"""

import inspect
import os
import warnings
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigvalsh
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.linear_model import LogisticRegression as Twin
from sklearn.model_selection import KFold, PredefinedSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from helpers import decomposition, feature_selection, imbalance, impute, linear_model, manifold, preprocessing
from helpers.discriminant_analysis import LinearDiscriminantAnalysis
from helpers.model_selection import cross_validate_scores, leave_one_out_residuals, out_of_fold_predictions
from helpers.neighbors import k_nearest
from tests.listings.nasty import TWISTS, classes, problems, table

MORE = int(os.environ.get("NASTY", "1"))
FOUND, CLEAN = 200 * MORE, 40 * MORE  # draws where something was found once, and where nothing was
FINITE = {name: twist for name, twist in TWISTS.items() if name not in ("a blank", "infinity")}
close = np.testing.assert_allclose
pytestmark = pytest.mark.filterwarnings("ignore")


def dense(X):
    return np.asarray(X.toarray() if sp.issparse(X) else X, float)


def is_clear(error):
    """What was wrong and what to do: no bare text from a library below."""
    text = str(error)
    return not isinstance(error, np.linalg.LinAlgError) and len(text) > 25


# ---------------------------------------------------------------- every estimator: an answer or a clear error
FAMILIES = (
    "cross_decomposition",
    "decomposition",
    "discriminant_analysis",
    "feature_selection",
    "imbalance",
    "impute",
    "linear_model",
    "manifold",
    "multiclass",
    "neighbors",
    "preprocessing",
)
BASES = {
    "RFE": LinearRegression(),
    "SequentialFeatureSelector": LinearRegression(),
    "ExhaustiveSelector": LinearRegression(),
    "LasVegasWrapper": LinearRegression(),
}


def estimators():
    for family in FAMILIES:
        module = import_module(f"helpers.{family}")
        for name in module.__all__:
            offered = getattr(module, name)
            if inspect.isclass(offered) and hasattr(offered, "fit") and name != "SparseCoder":
                yield pytest.param(offered, id=name)


def instance(cls):
    if "estimator" not in inspect.signature(cls).parameters or cls.__name__ == "EasyEnsembleClassifier":
        return cls(n_estimators=2) if cls.__name__ == "EasyEnsembleClassifier" else cls()
    options = {"LasVegasWrapper": {"max_tries": 5}, "ExhaustiveSelector": {"max_features": 1}}
    return cls(BASES.get(cls.__name__, KNeighborsClassifier(1)), **options.get(cls.__name__, {}))


@pytest.mark.parametrize("cls", list(estimators()))
def test_an_answer_or_a_clear_error(cls):
    for draw, rng, twist in problems(cls.__name__, CLEAN):
        X = table(rng, twist, d=int(rng.integers(1, 6)))
        y = classes(rng, X.shape[0], 2)
        try:
            model = instance(cls).fit(X, y)
            for method in ("predict", "transform", "decision_function"):
                if hasattr(model, method):
                    found = getattr(model, method)(X)
                    assert found.shape[0] == X.shape[0], (draw, twist)
                    if twist in FINITE and getattr(found, "dtype", np.dtype(object)).kind == "f":
                        assert np.isfinite(found.data if sp.issparse(found) else found).all(), (draw, twist)
        except (ValueError, TypeError) as error:
            assert is_clear(error), (draw, twist, repr(error))


# ---------------------------------------------------------------- filters, in exact arithmetic
def exact_f(x, y):
    x = [Fraction(float(v)) for v in x]
    groups = [[v for v, c in zip(x, y) if c == k] for k in sorted(set(y))]
    means = [sum(g) / len(g) for g in groups]
    grand = sum(x) / len(x)
    between = sum(len(g) * (m - grand) ** 2 for g, m in zip(groups, means)) / (len(groups) - 1)
    within = sum((v - m) ** 2 for g, m in zip(groups, means) for v in g) / (len(x) - len(groups))
    if within == 0:
        return np.nan if between == 0 else np.inf
    return float(between / within)


def test_f_of_every_column():
    for draw, rng, twist in problems("f", FOUND, FINITE):
        X = table(rng, twist, n=int(rng.integers(5, 12)), d=3)
        y = classes(rng, X.shape[0], 3)
        F = feature_selection.f_classif(X, y)[0]
        close(F, [exact_f(x, y) for x in dense(X).T], rtol=1e-6, err_msg=f"{draw} {twist}")


def exact_r(x, y):
    x, y = ([Fraction(float(v)) for v in values] for values in (x, y))
    x, y = ([v - sum(values) / len(values) for v in values] for values in (x, y))
    xx, yy, xy = (sum(a * b for a, b in zip(*pair)) for pair in ((x, x), (y, y), (x, y)))
    if xx == 0 or yy == 0:
        return 0.0
    return float(np.sign(float(xy))) * float(xy * xy / (xx * yy)) ** 0.5


def test_r_of_every_column():
    for draw, rng, twist in problems("r", FOUND, FINITE):
        X = table(rng, twist, n=int(rng.integers(3, 12)), d=3)
        y = rng.normal(size=X.shape[0]) * 10.0 ** rng.integers(-6, 7) + rng.choice([0, 1e8])
        r = feature_selection.r_regression(X, y)
        close(r, [exact_r(x, y) for x in dense(X).T], atol=1e-6, err_msg=f"{draw} {twist}")


@pytest.mark.parametrize("unit", [1e-300, 1e-170, 1e-12, 1e12, 1e155, 1e200, 1e300])
def test_a_correlation_has_no_unit(unit):
    x, y = np.random.default_rng(0).normal(size=(2, 9))
    x += y
    assert feature_selection.pearson_r(x * unit, y) == pytest.approx(
        feature_selection.pearson_r(x, y), rel=1e-12
    )
    assert feature_selection.pearson_r(x, y * unit) == pytest.approx(
        feature_selection.pearson_r(x, y), rel=1e-12
    )


# ---------------------------------------------------------------- kernels
def test_rbf_kernels_at_every_scale():
    for draw, rng, twist in problems("rbf", FOUND, FINITE):
        X = table(rng, twist, n=int(rng.integers(6, 14)), d=3)
        A = dense(X)
        scale = np.median(np.abs(A - A.mean(axis=0))) or 1.0
        gamma = 10.0 ** rng.integers(-2, 3) / (scale**2 if rng.random() < 0.5 else 1.0)
        D = ((A[:, None] - A[None]) ** 2).sum(axis=2)
        K = np.exp(-gamma * D)
        H = np.eye(len(A)) - 1 / len(A)
        wanted = eigvalsh(H @ K @ H)[::-1]
        if wanted[0] < 1e-6:
            continue
        found = decomposition.KernelPCA(1, kernel="rbf", gamma=gamma).fit(X).eigenvalues_
        close(found, wanted[:1], rtol=1e-5, err_msg=f"{draw} {twist}")


@pytest.mark.parametrize("scale", [1e7, 1e8, 1e9, [1, 1, 1e8]], ids=str)
def test_equal_rows_are_equal_to_the_rbf_kernel(scale):
    X = np.random.default_rng(0).normal(size=(40, 3)) * scale
    X = np.r_[X, X[:5]]
    close(decomposition.KernelPCA(3, kernel="rbf").fit(X).eigenvalues_, [2, 2, 2])
    far = X / scale + 1e8  # and inner products there hold the digits that matter
    wanted = np.linalg.svd(far - far.mean(axis=0), compute_uv=False)[:2] ** 2
    close(decomposition.KernelPCA(2).fit(far).eigenvalues_, wanted, rtol=1e-7)


def test_all_rows_far_apart_have_equal_eigenvalues():
    """K is then I, and LAPACK's search for the largest of the centred one finds none."""
    X = np.array([[0.8], [-1.9], [4.2], [7.9], [13.1], [-23.0], [-37.0], [51.0]]) * 1e8
    close(decomposition.KernelPCA(1, kernel="rbf").fit(X).eigenvalues_, [1])


@pytest.mark.parametrize("value", [1.0, 0.1])
def test_equal_rows_have_no_components(value):
    X = np.full((10, 3), value)
    for model in (
        decomposition.KernelPCA(2, eigen_solver="arpack"),
        manifold.Isomap(3, eigen_solver="arpack"),
    ):
        with pytest.raises(ValueError, match="n_components=2"):
            model.fit(X)


# ---------------------------------------------------------------- linear models
def logistic_loss(W, b, X, y, C):
    Z = X @ W.T + b
    if Z.shape[1] == 1:
        return C * np.logaddexp(0, -Z[:, 0] * np.where(y == 1, 1, -1)).sum() + (W**2).sum() / 2
    return C * (np.logaddexp.reduce(Z, axis=1) - Z[np.arange(len(y)), y]).sum() + (W**2).sum() / 2


def test_logistic_regression_is_no_worse_than_its_twin():
    twists = {
        name: TWISTS[name] for name in ("as drawn", "mixed units", "one column 1e8", "equal columns", "ties")
    }
    for draw, rng, twist in problems("logistic", FOUND // 4, twists):
        X = table(rng, twist, n=int(rng.integers(8, 31)), d=int(rng.integers(1, 5)))
        y = classes(rng, len(X), int(rng.integers(2, 5)))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ours = linear_model.LogisticRegression(tol=1e-6, max_iter=100).fit(X, y)
        assert not [w for w in said if w.category is ConvergenceWarning], (draw, twist)
        twin = Twin(tol=1e-6, max_iter=200).fit(X, y)
        losses = [logistic_loss(m.coef_, m.intercept_, X, y, 1.0) for m in (ours, twin)]
        assert losses[0] <= losses[1] * (1 + 1e-4), (draw, twist)


@pytest.mark.parametrize("unit", [1e-9, 1e-12, 1e9])
def test_a_column_in_other_units_leaves_three_classes_apart(unit):
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    noise = np.c_[X, np.random.default_rng(0).normal(size=150) * unit]
    for A in (X * [1, 1, 1, unit], noise):
        model = linear_model.LogisticRegression(max_iter=50).fit(A, y)
        assert model.score(A, y) >= 0.94


def test_ridge_meets_its_normal_equations():
    for draw, rng, twist in problems("ridge", CLEAN, FINITE):
        X = table(rng, twist)
        A, y, alpha = dense(X), rng.normal(size=X.shape[0]), 10.0 ** rng.integers(-2, 3)
        Z = A - A.mean(axis=0)
        w = linear_model.Ridge(alpha).fit(X, y).coef_.astype(float)
        rounding = 1e-4 if "float32" in twist else 1e-6
        pull = Z.T @ (y - y.mean() - Z @ w) - alpha * w
        size = np.abs(Z).T @ (np.abs(y - y.mean()) + np.abs(Z) @ np.abs(w)) + alpha * np.abs(w)
        assert (np.abs(pull) <= rounding * size + 1e-300).all(), (draw, twist)


@pytest.mark.parametrize("solver", ["auto", "svd", "cholesky"])
def test_ridge_of_a_sparse_table_far_from_zero(solver):
    rng = np.random.default_rng(0)
    X = 1e6 + rng.normal(size=(50, 3))
    y = X @ [1, 2, 3] + rng.normal(size=50)
    wanted = linear_model.Ridge(1.0, solver="svd").fit(X - 1e6, y).coef_
    close(linear_model.Ridge(1.0, solver=solver).fit(sp.csr_array(X), y).coef_, wanted, rtol=1e-6)


def test_the_lasso_and_logistic_regression_of_a_sparse_table_far_from_zero():
    rng = np.random.default_rng(0)
    X = 1e8 + rng.normal(size=(30, 4))
    y = X @ [1, 0, 0, 1]
    for model in (linear_model.Lasso(0.1), linear_model.ElasticNet(0.1)):
        close(model.fit(sp.csr_array(X), y).coef_, model.fit(X, y).coef_, atol=1e-3)
    y = (X[:, 0] + np.random.default_rng(1).normal(size=len(X)) > X[:, 0].mean()).astype(int)
    for l1_ratio in (0, 1):
        model = linear_model.LogisticRegression(l1_ratio=l1_ratio, tol=1e-8)
        close(model.fit(sp.csr_array(X), y).coef_, model.fit(X, y).coef_, atol=1e-5)
    alike = linear_model.LogisticRegression().fit(np.full((3, 3), 255.0), [0, 1, 2])  # no step leads on
    close(alike.predict_proba(np.full((1, 3), 255.0)), np.full((1, 3), 1 / 3))


def test_singular_equations_say_what_to_do():
    with pytest.raises(ValueError, match="alpha > 0, or solver='auto'"):
        linear_model.Ridge(0, solver="cholesky").fit(np.ones((10, 1)), np.arange(10.0))
    X = np.random.default_rng(0).normal(size=(10, 1)) @ np.ones((1, 3)) * 1e9
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="scale the columns"):
        impute.ModelImputer(1e-12).fit(X)


# ---------------------------------------------------------------- residuals
def left_out_by_fitting(X, y):
    """Refitted without each row, every column in units of its own."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rows = np.arange(len(X))
    return np.array([
        y[i] - LinearRegression().fit(X[rows != i], y[rows != i]).predict(X[[i]])[0] for i in rows
    ])


def test_left_out_residuals_do_not_depend_on_units():
    twists = {
        name: TWISTS[name] for name in ("as drawn", "offset 1e8", "scale 1e-12", "scale 1e12", "mixed units")
    }
    for draw, rng, twist in problems("left out", FOUND // 2, twists):
        X = table(rng, twist, n=int(rng.integers(6, 12)), d=int(rng.integers(1, 4)))
        y = rng.normal(size=len(X))
        wanted = left_out_by_fitting(X, y)
        for shift in (0, 1e6):
            close(
                leave_one_out_residuals(X, y + shift), wanted, rtol=1e-4, atol=1e-5, err_msg=f"{draw} {twist}"
            )


def test_left_out_residuals_of_times_in_seconds():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(30, 1)) * 1e3, rng.normal(size=30)
    near = leave_one_out_residuals(x, y)
    assert np.abs(leave_one_out_residuals(1.7e9 + x, 1e6 + y) - near).max() < 1e-6
    X = rng.normal(size=(20, 3))
    close(leave_one_out_residuals(X * [1, 1e-9, 1e9], y[:20]), leave_one_out_residuals(X, y[:20]), rtol=1e-9)


def test_standardised_residuals_of_nasty_tables():
    for draw, rng, twist in problems("standardised", FOUND, FINITE):
        X = dense(table(rng, twist, n=int(rng.integers(3, 12)), d=2))
        y = rng.normal(size=len(X))
        try:
            r = preprocessing.standardized_residuals(X, y, scale="std")
        except ValueError as error:
            assert is_clear(error), (draw, twist, error)
        else:
            assert np.abs(r).max() <= len(X) ** 0.5 * (1 + 1e-9), (draw, twist)


def test_standardised_residuals_without_a_varying_column():
    y = np.array([0.0, 1, 2, 4, 8, 9])
    close(preprocessing.standardized_residuals(np.ones((6, 1)), y, scale="std"), (y - 4) / y.std(ddof=1))


# ---------------------------------------------------------------- folds
def test_probabilities_have_a_column_for_every_class():
    for draw, rng, twist in problems("folds", FOUND, {name: TWISTS[name] for name in ("as drawn", "ties")}):
        n, k = int(rng.integers(6, 16)), int(rng.integers(2, 5))
        X, y = table(rng, twist, n=n), classes(rng, n, k)
        cv = KFold(3)
        P = out_of_fold_predictions(DummyClassifier(), X, y, cv=cv, method="predict_proba")
        wanted = np.zeros((n, len(np.unique(y))))
        for train, test in cv.split(X):
            wanted[test] = [(y[train] == c).mean() for c in np.unique(y)]
        close(P, wanted, err_msg=f"{draw} {twist}")


def test_a_class_without_training_rows_is_named():
    X, y = np.array([[0.0], [0.1], [5], [5.1], [9], [9.1]]), np.array(list("aabbcc"))
    with pytest.warns(UserWarning, match=r"lack the classes \['b'\]"):
        P = out_of_fold_predictions(KNeighborsClassifier(1), X, y, cv=KFold(3), method="predict_proba")
    assert P.tolist() == [[0, 1, 0]] * 2 + [[0, 0, 1]] * 2 + [[0, 1, 0]] * 2
    with pytest.raises(ValueError, match="no decision_function"):
        out_of_fold_predictions(Twin(), X, y, cv=KFold(3), method="decision_function")


def test_folds_may_be_listed():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    folds = list(KFold(3).split(X))
    for listed in (folds, tuple(folds), PredefinedSplit(np.arange(12) // 4)):
        assert cross_validate_scores(KNeighborsClassifier(1), X, y, cv=listed).tolist() == (
            cross_validate_scores(KNeighborsClassifier(1), X, y, cv=KFold(3)).tolist()
        )


def test_a_threshold_needs_both_classes_in_every_fold():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 0, 0, 1])
    for base in (KNeighborsClassifier(1), GaussianNB()):
        with pytest.raises(ValueError, match="one class only"):
            imbalance.ThresholdClassifier(base, cv=KFold(2)).fit(X, y)
    with pytest.raises(ValueError, match="RidgeClassifier has no predict_proba"):
        imbalance.ThresholdClassifier(RidgeClassifier(), response_method="predict_proba").fit(
            np.arange(20.0)[:, None], np.arange(20) % 2
        )


def test_what_stands_first_is_no_solver():
    X = np.random.default_rng(0).normal(size=(30, 4))
    with pytest.raises(ValueError, match="n_components='svd'"):
        LinearDiscriminantAnalysis("svd").fit(X, np.arange(30) % 3)
    with pytest.raises(ValueError, match="does not fit X with its 4 columns"):
        feature_selection.ReliefF(discrete_features=[7]).fit(X, np.arange(30) % 2)
    with pytest.raises(ValueError, match="OneVsRest"):
        imbalance.AdaBoostClassifier().fit(X, np.arange(30) % 3)


# ---------------------------------------------------------------- blanks
def test_new_rows_are_filled_by_the_conditional_mean():
    for draw, rng, _ in problems("new rows", CLEAN, {"as drawn": None}):
        X = rng.normal(size=(60, 3))
        X[:, 1:] += X[:, :1]
        mean, S = X.mean(axis=0), np.cov(X.T)
        wanted = mean[:2] + S[:2, 2] / S[2, 2] * (3 - mean[2])
        for tol in (0, 1e-3):
            filled = impute.ModelImputer(1e-9, max_iter=60, tol=tol).fit(X).transform([[np.nan, np.nan, 3.0]])
            close(filled[0, :2], wanted, atol=1e-5, err_msg=str(draw))


# ---------------------------------------------------------------- neighbours, by all distances
def test_neighbours_of_nasty_tables():
    for draw, rng, twist in problems("neighbours", CLEAN, FINITE):
        X = dense(table(rng, twist))
        k = int(rng.integers(1, len(X) + 1))
        lengths, _ = k_nearest(X, X, k)
        D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
        close(lengths, np.sort(D, axis=1)[:, :k], rtol=1e-9, atol=1e-300, err_msg=f"{draw} {twist}")


# ---------------------------------------------------------------- one class
def test_one_class_machines_end_and_keep_their_promise():
    for draw, rng, twist in problems("one class", FOUND // 2, FINITE):
        if twist == "scale 1e-12":  # tol has the kernel's unit: every α is within it, as in the twin
            continue
        X = table(rng, twist, n=int(rng.integers(3, 20)), d=2)
        kernel, nu = str(rng.choice(["rbf", "linear", "poly", "sigmoid"])), rng.uniform(0.05, 1)
        model = imbalance.OneClassSVM(kernel=kernel, nu=nu, tol=1e-8, max_iter=20_000).fit(X)
        alpha = model.dual_coef_.sum()
        assert alpha == pytest.approx(nu * X.shape[0], rel=1e-9), (draw, twist)
        if model.n_iter_ < 20_000 and kernel != "sigmoid":
            assert (model.predict(X) == -1).mean() <= nu + 1e-9, (draw, twist, kernel)


def test_the_row_on_the_boundary_is_inside():
    X = np.random.default_rng(30736).normal(size=(5, 2)) + 2
    model = imbalance.OneClassSVM(kernel="linear", nu=0.125, tol=1e-8).fit(X)
    assert (model.predict(X) == 1).all()


def test_a_search_without_end_ends():
    rng = np.random.default_rng(111)
    X = rng.normal(size=(29, 1)) * 1e5
    with pytest.warns(ConvergenceWarning, match="100000 steps"):
        imbalance.OneClassSVM(kernel="poly", gamma=10.0, coef0=1.0, nu=0.2207).fit(X)
