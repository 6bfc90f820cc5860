"""Outliers: residuals equal to statsmodels', to refitting without the row; clusters to scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse as sp
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import cluster as twin

from helpers.preprocessing import DBSCAN, cluster_outliers, residual_outliers, standardized_residuals
from tests.helpers.covering import each_value

quick = settings(deadline=None, max_examples=25)
SCALES = ["std", "mad", "studentized"]
over_scales = pytest.mark.parametrize("scale", SCALES)


def line(n=30, d=2, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 3
    return X, X @ rng.normal(size=d) - 1 + noise * rng.normal(size=n)


LINES = {
    "plain": line(),
    "one feature": line(12, 1),
    "far from 0": (line()[0] + 1e5, line()[1]),
    "dependent columns": (line()[0][:, [0, 1, 0]], line()[1]),
    "constant column": (line()[0] * [1, 0], line()[1]),
    "one outlier": (line()[0], line()[1] + 20 * np.eye(30)[4]),
    "duplicated rows": tuple(np.repeat(v, 2, axis=0) for v in line()),
}
over_lines = pytest.mark.parametrize("X, y", LINES.values(), ids=LINES)


# ---- residuals, item 05.7


@pytest.mark.filterwarnings("ignore:The design matrix is rank-deficient")
@over_lines
def test_residuals_are_those_of_statsmodels(X, y):
    fit = sm.OLS(y, sm.add_constant(X, has_constant="add")).fit()
    influence, tol = fit.get_influence(), 1e-7 if X.max() > 1e4 else 1e-9
    assert_allclose(standardized_residuals(X, y), influence.resid_studentized_external, rtol=tol, atol=tol)
    s, mad = np.sqrt(fit.mse_resid), np.median(np.abs(fit.resid)) / 0.6745
    assert_allclose(standardized_residuals(X, y, scale="std"), fit.resid / s, rtol=tol, atol=tol)
    assert_allclose(standardized_residuals(X, y, scale="mad"), fit.resid / mad, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("X, y", [line(), line(9, 1)])
def test_a_studentized_residual_leaves_its_row_out(X, y):
    t = standardized_residuals(X, y, scale="studentized")
    A = np.column_stack([np.ones(len(X)), X])
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        b, (rss,), *_ = np.linalg.lstsq(A[rest], y[rest])
        s2 = rss / (len(X) - 1 - A.shape[1])
        error = s2 * (1 + A[i] @ np.linalg.inv(A[rest].T @ A[rest]) @ A[i])  # of predicting row i
        assert_allclose(t[i], (y[i] - A[i] @ b) / np.sqrt(error), rtol=1e-9)


@over_scales
def test_planted_outliers_are_marked(scale):
    X, y = line(200, 1)
    planted = np.arange(200) % 40 == 7
    assert_array_equal(residual_outliers(X, y + 30 * planted, scale=scale, threshold=4), planted)
    assert_array_equal(residual_outliers(X, y - 30 * planted, scale=scale, threshold=4), planted)


def test_the_fitted_line_is_nearer_to_the_truth_than_y():
    X, truth = line(100, 2, noise=0)
    y = truth + np.random.default_rng(5).normal(size=100)
    s = np.sqrt(np.square(y - truth).mean())
    r = standardized_residuals(X, y, scale="mad")
    fitted = y - r * 1.4826 * np.median(np.abs(y - truth))  # up to the scale of the residuals
    assert np.sqrt(np.square(fitted - truth).mean()) < s / 2


@quick
@given(st.integers(5, 11), st.floats(10, 1e6), st.integers(0, 1000))
def test_in_ten_rows_no_plain_residual_reaches_3(n, jump, seed):
    X, y = line(n, 1, seed)
    y[0] += jump
    r = np.abs(standardized_residuals(X, y, scale="std"))
    assert r.max() <= np.sqrt(n - 2) <= 3
    assert not residual_outliers(X, y, scale="std").any()


def test_the_threshold_is_not_reached_but_exceeded():
    X, y = line()
    r = np.abs(standardized_residuals(X, y))
    marked = residual_outliers(X, y, threshold=r.max())
    assert marked.dtype == bool and not marked.any()
    assert residual_outliers(X, y, threshold=r.max() * 0.999).sum() == 1


def test_three_deviations_unless_told_and_none_below_0():
    x = np.arange(40.0)
    y = x + np.where(x == 20, 3.5, np.where(x % 2, 1, -1))
    r = np.abs(standardized_residuals(x[:, None], y))
    assert 3 < r.max() < 4
    assert_array_equal(residual_outliers(x[:, None], y), r > 3)
    assert_array_equal(residual_outliers(x[:, None], y, threshold=0), r > 0)
    with pytest.raises(ValueError, match="threshold=-0.5: .*>= 0"):
        residual_outliers(x[:, None], y, threshold=-0.5)


@over_scales
def test_a_perfect_fit_has_no_outlier(scale):
    X, y = line(noise=0)
    assert_array_equal(standardized_residuals(X, y, scale=scale), 0)


def test_one_row_off_a_perfect_line_is_infinitely_far():
    X, y = np.arange(12.0)[:, None], 2.0 * np.arange(12)
    y[3] += 1
    r = np.abs(standardized_residuals(X, y))
    assert r.argmax() == 3 and r[3] > 1e6
    assert_array_equal(
        standardized_residuals([[0], [0], [0], [1], [1]], [0, 0, 0, 0, 4], scale="mad"),
        [0, 0, 0, -np.inf, np.inf],
    )


def test_columns_of_any_unit_and_mean_count():
    X, y = line()
    r = standardized_residuals(X, y)
    assert_allclose(standardized_residuals(X * [1e-12, 1e9], y), r, rtol=1e-8)
    assert_allclose(standardized_residuals(X + 1e8, y), r, rtol=1e-5)
    assert np.abs(r - standardized_residuals(X[:, :1], y)).max() > 0.1


def test_numbers_of_any_type_are_taken_as_float64():
    X, y = line()
    r = standardized_residuals(X.astype(np.float32), y)
    assert_allclose(r, standardized_residuals(X.astype(np.float32).astype(float), y), rtol=1e-12)
    assert_allclose(standardized_residuals(X, y.astype(object)), standardized_residuals(X, y), rtol=1e-12)


def test_a_row_that_the_fit_must_pass_through_has_no_residual():
    X = np.column_stack([np.arange(8.0) % 3, np.eye(8)[2]])  # a column for row 2 alone: h = 1
    y = np.random.default_rng(0).normal(size=8)
    r = standardized_residuals(X, y)
    without = standardized_residuals(np.delete(X, 2, axis=0)[:, :1], np.delete(y, 2))
    assert r[2] == 0
    assert_allclose(np.delete(r, 2), without, rtol=1e-9)


@pytest.mark.parametrize("n, scale", [(3, "std"), (3, "mad"), (4, "studentized")])
def test_too_few_rows_are_refused(n, scale):
    with pytest.raises(ValueError, match=f"{n} rows for 3 coefficients leave no residual"):
        standardized_residuals(*line(n), scale=scale)
    assert np.isfinite(standardized_residuals(*line(n + 1), scale=scale)).all()


def test_other_scales_and_tables_are_refused():
    with pytest.raises(ValueError, match="scale='iqr': use 'std', 'mad' or 'studentized'"):
        residual_outliers(*line(), scale="iqr")
    with pytest.raises(ValueError, match="NaN"):
        residual_outliers([[np.nan], [1]], [1, 2])


# ---- clusters


def blobs(n=120, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, n)[:, None] * 2.5 + rng.normal(size=(n, d)) * 0.7


CLOUDS = {
    "blobs": blobs(),
    "one feature": blobs(50, 1),
    "n < d": blobs(6, 9),
    "duplicated rows": np.repeat(blobs(20), 4, axis=0),
    "far from 0": blobs() + 1e5,
    "whole numbers": np.arange(12)[:, None] % 7 * 1.0,
    "one row": blobs(1),
}
over_clouds = pytest.mark.parametrize("X", CLOUDS.values(), ids=CLOUDS)


@each_value
@over_clouds
@pytest.mark.parametrize("eps", [0.2, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("min_samples", [1, 2, 5, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_are_the_twins(X, eps, min_samples, weighted):
    w = np.random.default_rng(1).integers(0, 4, len(X)) if weighted else None
    mine = DBSCAN(eps, min_samples=min_samples).fit(X, sample_weight=w)
    theirs = twin.DBSCAN(eps=eps, min_samples=min_samples).fit(X, sample_weight=w)
    assert_array_equal(mine.labels_, theirs.labels_)
    assert_array_equal(mine.core_sample_indices_, theirs.core_sample_indices_)
    assert_array_equal(mine.components_, theirs.components_)
    assert_array_equal(DBSCAN(eps, min_samples=min_samples).fit_predict(X, sample_weight=w), theirs.labels_)


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csr_array])
def test_sparse_rows_are_clustered_alike(form):
    X = blobs() * (np.random.default_rng(1).random((120, 2)) < 0.7)
    assert_array_equal(DBSCAN().fit(form(X)).labels_, DBSCAN().fit(X).labels_)


@quick
@given(st.integers(1, 40), st.floats(0.05, 2), st.integers(1, 6), st.integers(0, 1000))
def test_clusters_are_the_definition(n, eps, min_samples, seed):
    X = blobs(n, 2, seed)
    labels = DBSCAN(eps, min_samples=min_samples).fit_predict(X)
    near = [{k for k in range(n) if np.linalg.norm(X[i] - X[k]) <= eps} for i in range(n)]
    core = [len(near[i]) >= min_samples for i in range(n)]
    for i in range(n):
        cores = {labels[k] for k in near[i] if core[k]}
        assert cores == {labels[i]} if core[i] else labels[i] == min(cores, default=-1)
    first = [labels[core].tolist().index(c) for c in range(labels.max() + 1)]
    assert first == sorted(first)


def test_planted_outliers_lie_outside_every_cluster():
    X = np.vstack([blobs(200), [[50, 50], [-50, 0], [0, 90]]])
    marked = cluster_outliers(X, eps=2, min_samples=5)
    assert marked.dtype == bool
    assert_array_equal(np.flatnonzero(marked), [200, 201, 202])
    assert_array_equal(marked, DBSCAN(2, min_samples=5).fit(X).labels_ == -1)


def test_defaults_are_the_twins():
    for X in (blobs(), np.arange(4)[:, None] / 9, np.arange(5)[:, None] / 9):
        assert_array_equal(cluster_outliers(X), twin.DBSCAN().fit(X).labels_ == -1)
        assert_array_equal(DBSCAN().fit_predict(X), twin.DBSCAN().fit_predict(X))


@pytest.mark.parametrize("options", [{"eps": 0}, {"eps": -1.0}, {"eps": np.nan}, {"min_samples": 0}], ids=str)
def test_no_radius_or_no_count_is_refused(options):
    with pytest.raises(ValueError, match="both must be > 0"):
        DBSCAN(**options).fit(blobs())


def test_three_deviations_unless_told():
    x, y = np.arange(9.0), np.array([0, 1, 0, 1, 0, 1, 0, 1, 7.0])
    z = np.abs(standardized_residuals(x[:, None], y, scale="mad"))
    assert (residual_outliers(x[:, None], y * 1.0, scale="mad") == (z > 3)).all() and (
        (z > 3) & (z < 4)
    ).sum() == 0
    assert (residual_outliers(x[:, None], y, threshold=1.0, scale="mad") == (z > 1)).all()
