"""Cross-validation: equal to scikit-learn's, no row scored by a model that saw it, and choices made inside
the folds."""

from inspect import signature

import numpy as np
import pandas as pd
import pytest
import sklearn.model_selection as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import Parallel, parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from helpers.comparing import close
from helpers.model_selection import (
    GroupKFold,
    HoldOut,
    KFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_validate_scores,
    leave_one_out_residuals,
    nested_cv_score,
    one_standard_error,
    out_of_fold_predictions,
    validation,
)


def table(n=46, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 5
    return X, (X[:, 0] + rng.normal(size=n) > 5).astype(int), X[:, 0] + rng.normal(size=n)


# ---- scores and predictions


@pytest.mark.parametrize("cv", [3, 7, KFold(4, shuffle=True, random_state=0)], ids=str)
@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error", "neg_log_loss"])
def test_scores_equal_the_twins(cv, scoring):  # item 07.19
    X, labels, y = table()
    model, target = (Ridge(), y) if scoring == "neg_mean_squared_error" else (LogisticRegression(), labels)
    mine = cross_validate_scores(model, X, target, cv=cv, scoring=scoring)
    assert close(mine, twin.cross_val_score(model, X, target, cv=cv, scoring=scoring))


def test_a_number_of_folds_is_stratified_for_classes_only():
    X, labels, y = table()
    assert close(
        cross_validate_scores(Ridge(), X, y, cv=4), twin.cross_val_score(Ridge(), X, y, cv=twin.KFold(4))
    )
    order = np.argsort(labels)
    mine = cross_validate_scores(KNeighborsClassifier(), X[order], labels[order])
    assert len(mine) == 5 and close(
        mine,
        twin.cross_val_score(KNeighborsClassifier(), X[order], labels[order], cv=twin.StratifiedKFold(5)),
    )


def test_no_row_is_scored_by_a_model_that_saw_it():
    X, coins = table()[0], np.random.default_rng(7).integers(0, 2, 46)
    model = KNeighborsClassifier(1)
    assert model.fit(X, coins).score(X, coins) == 1 and cross_validate_scores(model, X, coins).mean() < 0.7


def test_selection_belongs_inside_the_folds():  # item 07.21, erratum E51
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2000)), rng.permutation(np.repeat([0, 1], 30))
    leaky = cross_validate_scores(LogisticRegression(), SelectKBest(k=20).fit_transform(X, y), y).mean()
    honest = cross_validate_scores(make_pipeline(SelectKBest(k=20), LogisticRegression()), X, y).mean()
    assert leaky > 0.8 and honest < 0.65


def test_groups_frames_processes_and_a_bar(capsys):
    X, labels, _ = table()
    groups = np.repeat(range(23), 2)
    frame, series = pd.DataFrame(X, columns=list("abcd")), pd.Series(labels)
    mine = cross_validate_scores(
        LogisticRegression(), frame, series, cv=GroupKFold(4), groups=groups, progress=True
    )
    assert close(
        mine, twin.cross_val_score(LogisticRegression(), X, labels, cv=twin.GroupKFold(4), groups=groups)
    )
    assert "4/4" in capsys.readouterr().err
    with parallel_config(backend="threading"):
        assert close(
            cross_validate_scores(Ridge(), X, labels, n_jobs=2), cross_validate_scores(Ridge(), X, labels)
        )
        threaded = out_of_fold_predictions(Ridge(), X, labels, n_jobs=2)
    assert close(threaded, out_of_fold_predictions(Ridge(), X, labels))
    nested_cv_score(Ridge(), {"alpha": [1.0]}, X, labels)
    assert capsys.readouterr().err == ""


def test_jobs_are_handed_on_and_five_folds_are_the_default(monkeypatch):
    X, _, y = table()
    asked = []
    monkeypatch.setattr(validation, "Parallel", lambda n_jobs=None: asked.append(n_jobs) or Parallel())
    cross_validate_scores(Ridge(), X, y, n_jobs=7)
    out_of_fold_predictions(Ridge(), X, y, n_jobs=8)
    nested_cv_score(Ridge(), {"alpha": [1.0]}, X, y, n_jobs=9)
    assert [n for n in asked if n] == [7, 8, 9]
    assert [signature(nested_cv_score).parameters[name].default for name in ("outer", "inner")] == [5, 5]
    for f in (cross_validate_scores, out_of_fold_predictions):
        assert signature(f).parameters["cv"].default == 5


def test_the_estimator_itself_is_left_alone():
    X, labels, _ = table()
    model = LogisticRegression()
    cross_validate_scores(model, X, labels)
    out_of_fold_predictions(model, X, labels)
    nested_cv_score(model, {"C": [1.0]}, X, labels)
    assert not hasattr(model, "coef_") and model.C == 1.0


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_out_of_fold_predictions_equal_the_twins(method):
    X, labels, _ = table()
    cv = KFold(5, shuffle=True, random_state=1)
    mine = out_of_fold_predictions(LogisticRegression(), X, labels, cv=cv, method=method)
    assert close(mine, twin.cross_val_predict(LogisticRegression(), X, labels, cv=cv, method=method))


def test_a_class_that_a_fold_lacks_has_probability_0():
    X, y = table(12)[0], np.repeat(["a", "b", "c"], 4)
    model, pairs = LogisticRegression(), list(twin.KFold(3).split(X))
    with pytest.warns(UserWarning, match=r"lack the classes \['.'\]: their probability is 0") as caught:
        mine = out_of_fold_predictions(model, X, y, cv=pairs, method="predict_proba")
    assert caught[0].filename == __file__ and len(caught) == 3
    with pytest.warns(RuntimeWarning):
        assert close(mine, twin.cross_val_predict(model, X, y, cv=pairs, method="predict_proba"))
    with pytest.raises(ValueError, match=r"\['a'\], which then have no decision_function"):
        out_of_fold_predictions(model, X, y, cv=pairs, method="decision_function")
    for cv in ([], 2.5, "two"):
        with pytest.raises(ValueError, match="give a number of folds"):
            out_of_fold_predictions(model, X, y, cv=cv)


def test_out_of_fold_predictions_of_groups():
    X, _, y = table()
    groups = np.arange(46) % 9
    mine = out_of_fold_predictions(Ridge(), X, y, cv=GroupKFold(3), groups=groups)
    assert close(mine, twin.cross_val_predict(Ridge(), X, y, cv=twin.GroupKFold(3), groups=groups))


@pytest.mark.parametrize("cv", [HoldOut(), [([0, 1], [2, 3]), ([2, 3], [2, 3])]], ids=["hold-out", "twice"])
def test_a_row_that_is_not_tested_once_is_refused(cv):
    class Given:
        def split(self, X, y, groups):
            return cv

    X, _, y = table(4)
    with pytest.raises(ValueError, match="tested exactly once"):
        out_of_fold_predictions(Ridge(), X, y, cv=cv if hasattr(cv, "split") else Given())


def test_one_row_has_no_r2_but_all_together_have():
    X, _, y = table()
    predictions = out_of_fold_predictions(LinearRegression(), X, y, cv=LeaveOneOut())
    assert close(y - predictions, leave_one_out_residuals(X, y))
    with pytest.warns(UserWarning, match="R\\^2 score is not well-defined"):
        assert np.isnan(cross_validate_scores(LinearRegression(), X, y, cv=LeaveOneOut())).all()


# ---- nested


def test_nested_scores_equal_the_twins():
    X, labels, _ = table()
    grid, outer, inner = (
        {"C": [1e-4, 0.1, 10.0], "fit_intercept": [True, False]},
        KFold(4),
        StratifiedKFold(3),
    )
    scores, chosen = nested_cv_score(
        LogisticRegression(), grid, X, labels, outer=outer, inner=inner, scoring="neg_log_loss"
    )
    search = twin.GridSearchCV(LogisticRegression(), grid, cv=inner, scoring="neg_log_loss")
    wanted = twin.cross_validate(search, X, labels, cv=outer, return_estimator=True, scoring="neg_log_loss")
    assert close(scores, wanted["test_score"])
    assert chosen == [fitted.best_params_ for fitted in wanted["estimator"]]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_nested_numbers_of_folds_and_default_scores(n_jobs):
    X, _, y = table()
    with parallel_config(backend="threading"):
        scores, chosen = nested_cv_score(
            Ridge(), {"alpha": [1e4, 1.0]}, X, y, outer=3, inner=4, n_jobs=n_jobs
        )
    assert close(
        scores, twin.cross_val_score(twin.GridSearchCV(Ridge(), {"alpha": [1e4, 1.0]}, cv=4), X, y, cv=3)
    )
    assert chosen == [{"alpha": 1.0}] * 3
    assert len(nested_cv_score(Ridge(), {"alpha": [1.0]}, X, y)[0]) == 5


def test_groups_stay_together_in_both_loops(capsys):
    X, _, y = table()
    groups = np.arange(46) // 4
    seen = []

    class Watching(GroupKFold):
        def split(self, X, y=None, groups=None):
            seen.append(list(groups))
            yield from super().split(X, y, groups)

    nested_cv_score(
        Ridge(),
        {"alpha": [1.0, 2.0]},
        X,
        y,
        outer=GroupKFold(3),
        inner=Watching(2),
        groups=groups,
        progress=True,
    )
    assert len(seen) == 6 and "3/3" in capsys.readouterr().err
    for i, (train, _) in enumerate(GroupKFold(3).split(X, y, groups)):
        assert seen[2 * i] == seen[2 * i + 1] == groups[train].tolist()


def test_the_best_of_many_useless_models_looks_better_than_it_is():  # erratum E51
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 25)), rng.permutation(np.repeat([0, 1], 20))

    class OneColumn(ClassifierMixin, BaseEstimator):
        def __init__(self, column=0):
            self.column = column

        def fit(self, X, y):
            self.classes_, self.w_ = np.unique(y), X[:, self.column] @ (2 * y - 1)
            return self

        def predict(self, X):
            return (X[:, self.column] * self.w_ > 0).astype(int)

    lucky = max(cross_validate_scores(OneColumn(j), X, y).mean() for j in range(25))
    honest = nested_cv_score(OneColumn(), {"column": list(range(25))}, X, y)[0].mean()
    assert lucky > 0.62 > 0.55 > honest


# ---- one standard error


def test_the_simplest_within_one_standard_error():  # Breiman et al. 1984
    scores = np.array([[0.50, 0.60, 0.55], [0.70, 0.78, 0.74], [0.72, 0.80, 0.76], [0.69, 0.75, 0.72]])
    error = scores[2].std(ddof=1) / np.sqrt(3)  # .0231
    assert scores[2].mean() - error < scores[1].mean() < scores[2].mean() and one_standard_error(scores) == 1
    assert one_standard_error(scores[[0, 2]]) == 1 and one_standard_error(scores[2:]) == 0
    assert one_standard_error([[0.76 - error * 1.001] * 3, scores[2]]) == 1
    assert one_standard_error([[0.76 - error * 0.999] * 3, scores[2]]) == 0


def test_exactly_one_standard_error_is_within():
    assert one_standard_error([[1.0, 1.0], [1.0, 3.0]]) == 0  # 2 - √2/√2


@pytest.mark.parametrize("scores", [[0.1, 0.2], [[0.1], [0.2]], [[0.1, np.nan]]], ids=str)
def test_scores_of_another_shape_are_refused(scores):
    with pytest.raises(ValueError, match="one row for a model, at least two folds"):
        one_standard_error(scores)


# ---- leave one out


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n, d", [(12, 3), (8, 6), (5, 1)])
@pytest.mark.parametrize("targets", [0, 2])
def test_residuals_equal_leaving_each_row_out(n, d, fit_intercept, targets):  # item 07.20
    X, _, y = table(n, d)
    y = np.column_stack([y, y**2]) if targets else y
    plain = [
        y[i]
        - LinearRegression(fit_intercept=fit_intercept)
        .fit(np.delete(X, i, 0), np.delete(y, i, 0))
        .predict(X[i : i + 1])[0]
        for i in range(n)
    ]
    assert close(leave_one_out_residuals(X, y, fit_intercept=fit_intercept), plain, 1e-9)


@given(seed=st.integers(0, 1000), shift=st.floats(-1e6, 1e6))
@settings(deadline=None, max_examples=25)
def test_neither_dependent_columns_nor_shifts_matter(seed, shift):
    X, _, y = table(12, 3, seed)
    more = np.column_stack([X, X[:, 0] - X[:, 1], np.full(12, 7.0)])
    assert close(leave_one_out_residuals(more + shift, y), leave_one_out_residuals(X, y), 1e-6)


def test_the_training_residual_is_too_small():
    X, _, y = table(8, 5)
    model = LinearRegression().fit(X, y)
    assert (np.abs(leave_one_out_residuals(X, y)) > np.abs(y - model.predict(X))).all()


def test_whole_numbers_objects_and_float32_are_computed_as_floats():
    X, _, y = table()
    y = y.round().astype(int)
    exact = leave_one_out_residuals(X.astype(np.float32).astype(float), y)
    mine = leave_one_out_residuals(X.astype(np.float32), y.astype(object))
    assert mine.dtype == exact.dtype == float and close(mine, exact, 1e-12)
    assert close(leave_one_out_residuals(X, y + 2**40), leave_one_out_residuals(X, y), 1e-9)  # far from 0


@pytest.mark.parametrize(
    "X, rows",
    {
        "a flag of one row": ([[0.0], [0.0], [1.0], [0.0]], r"\[2\]"),
        "as many columns as rows": ([[1.0, 2.0], [3.0, 1.0], [0.0, 5.0]], r"\[0, 1, 2\]"),
    }.values(),
    ids=str,
)
def test_a_row_on_which_a_direction_rests_is_named(X, rows):
    with pytest.raises(ValueError, match=f"Rows {rows} have leverage 1"):
        leave_one_out_residuals(X, np.arange(float(len(X))))
