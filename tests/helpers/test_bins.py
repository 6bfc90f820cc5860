"""Buckets: equal to scikit-learn's and to counting by loops; crosses equal to products of bits."""

from itertools import combinations
from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.preprocessing as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression

from helpers.preprocessing import FeatureCross, KBinsDiscretizer, OneHotEncoder, bucket
from tests.helpers.covering import each_value, pairwise

quick = settings(deadline=None, max_examples=25)
ENCODINGS = ["onehot", "onehot-dense", "ordinal"]
METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
]


def draw(n=61, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * 10 ** rng.uniform(-2, 2, d) + 5 * rng.normal(size=d)


TABLES = {
    "reals": draw(),
    "n < d": draw(7, 9),
    "one feature": draw(20, 1),
    "far from 0": draw() + 1e7,
    "tied": np.round(draw(80, 2, 3)),
    "whole numbers": np.arange(36).reshape(12, 3) ** 2 % 31,
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
over_encodings = pytest.mark.parametrize("encode", ENCODINGS)
over_methods = pytest.mark.parametrize("method", METHODS)
over_strategies = pytest.mark.parametrize("strategy", ["uniform", "quantile"])


def dense(Z):
    return Z.toarray() if sp.issparse(Z) else Z


# ---- buckets, item 05.26


def test_the_income_example():  # item 05.27
    assert_array_equal(bucket([0.5, 1.3, 5.25, 26, 300], np.array([0.5, 2, 10, 100]) * 2.6), [0, 1, 2, 3, 4])


@each_value
@pytest.mark.parametrize("M", [1, 5, 64, 65, 300])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, int])
def test_a_bucket_is_a_count_of_boundaries(M, dtype):
    boundaries = np.unique(np.random.default_rng(0).integers(0, 1000, 2 * M))[:M].astype(dtype)
    a = np.random.default_rng(1).integers(-10, 1010, 400).astype(dtype)  # many stand on a boundary
    found = bucket(a, boundaries)
    assert found.dtype == np.intp
    assert_array_equal(found, [sum(b <= v for b in boundaries) for v in a])
    assert_array_equal(found, np.digitize(a, boundaries))


def test_m_boundaries_make_m_plus_1_buckets():  # erratum E36
    discretizer = KBinsDiscretizer(edges=[1.3, 5.2, 26, 260], encode="onehot-dense").fit([[3.0]])
    Z = discretizer.transform([[0.0], [1.3], [5.2], [26.0], [260.0]])
    assert_array_equal(Z, np.eye(5))
    assert_array_equal(discretizer.n_bins_, [5])


# ---- against the twin


@pairwise
@pytest.mark.filterwarnings("ignore:Bins whose width")
@over_tables
@over_encodings
@over_strategies
@pytest.mark.parametrize("n_bins", [2, 5, [2, 3, 7]], ids=str)
def test_bins_are_the_twins(X, encode, strategy, n_bins):
    if np.ndim(n_bins) and X.shape[1] != 3:
        n_bins = [2 + j % 4 for j in range(X.shape[1])]
    mine = KBinsDiscretizer(n_bins, encode=encode, strategy=strategy).fit(X)
    theirs = twin.KBinsDiscretizer(
        n_bins, encode=encode, strategy=strategy, subsample=None, quantile_method="averaged_inverted_cdf"
    ).fit(X)
    Z, wanted = mine.transform(X), theirs.transform(X)
    assert type(Z) is type(wanted)
    assert_array_equal(dense(Z), dense(wanted))
    assert_array_equal(mine.n_bins_, theirs.n_bins_)
    for a, b in zip(mine.bin_edges_, theirs.bin_edges_):
        assert_allclose(a, b, rtol=1e-14)
    assert_array_equal(mine.get_feature_names_out(), theirs.get_feature_names_out())
    assert_allclose(mine.inverse_transform(Z), theirs.inverse_transform(wanted), rtol=1e-13)


@each_value
@pytest.mark.filterwarnings("ignore:Bins whose width")
@over_tables
@over_methods
def test_every_kind_of_quantile_is_the_twins(X, method):
    mine = KBinsDiscretizer(4, quantile_method=method).fit(X)
    theirs = twin.KBinsDiscretizer(4, quantile_method=method, subsample=None).fit(X)
    for a, b in zip(mine.bin_edges_, theirs.bin_edges_):
        assert_allclose(a, b, rtol=1e-13)


WEIGHTS = {
    "whole": lambda n: np.arange(n) % 3 + 1.0,
    "zeros": lambda n: np.arange(n) % 3.0,
    "fractions": lambda n: np.random.default_rng(2).uniform(0.1, 2, n),
}
over_weights = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
over_weighted_methods = pytest.mark.parametrize("method", METHODS[:2])


@pairwise
@pytest.mark.filterwarnings("ignore:Bins whose width")
@over_tables
@over_strategies
@over_weighted_methods
@over_weights
def test_weighted_bins_are_the_twins(X, strategy, method, weights):
    w, options = weights(len(X)), dict(strategy=strategy, quantile_method=method)
    mine = KBinsDiscretizer(4, **options).fit(X, sample_weight=w)
    theirs = twin.KBinsDiscretizer(4, subsample=None, **options).fit(X.astype(float), sample_weight=w)
    for a, b in zip(mine.bin_edges_, theirs.bin_edges_):
        assert_allclose(a, b, rtol=1e-13)


@each_value
@pytest.mark.filterwarnings("ignore:Bins whose width")
@over_tables
@over_weighted_methods
def test_a_row_of_weight_2_is_two_rows(X, method):
    w = np.arange(len(X)) % 3
    weighted = KBinsDiscretizer(4, quantile_method=method).fit(X, sample_weight=w)
    repeated = KBinsDiscretizer(4, quantile_method=method).fit(np.repeat(X, w, axis=0))
    for a, b in zip(weighted.bin_edges_, repeated.bin_edges_):
        assert_allclose(a, b, rtol=1e-14)


# ---- what bins promise


@quick
@given(st.integers(2, 9), st.integers(9, 80), st.integers(0, 1000))
def test_equal_counts_differ_by_one(n_bins, n, seed):  # item 05.28
    Z = KBinsDiscretizer(n_bins, encode="ordinal").fit_transform(draw(n, 2, seed))
    for column in Z.T:
        counts = np.bincount(column.astype(int), minlength=n_bins)
        assert counts.max() - counts.min() <= 1


@quick
@given(st.integers(2, 9), st.integers(0, 1000), st.sampled_from(["uniform", "quantile"]))
def test_values_lie_in_their_bucket(n_bins, seed, strategy):
    X = draw(40, 2, seed)
    discretizer = KBinsDiscretizer(n_bins, strategy=strategy, encode="ordinal").fit(X)
    for x, codes, edges in zip(X.T, discretizer.transform(X).T.astype(int), discretizer.bin_edges_):
        assert (edges[codes] <= x).all()
        assert ((x < edges[codes + 1]) | (codes == n_bins - 1)).all()
        assert (edges[0], edges[-1]) == (x.min(), x.max())


def test_weights_that_only_nearly_add_up_meet_the_edge():
    """Ten times .1 is .9999999999999999 in all: half of it still lies between the fifth row and the sixth."""
    binner = KBinsDiscretizer(2).fit(np.arange(10.0)[:, None], sample_weight=np.full(10, 0.1))
    assert binner.bin_edges_[0].tolist() == [0, 4.5, 9]


def test_whole_numbers_give_floats_and_a_fit_comes_first():
    X = np.arange(12).reshape(6, 2)
    assert KBinsDiscretizer(2, encode="ordinal").fit_transform(X).dtype == float
    bright = KBinsDiscretizer(2, strategy="uniform", encode="ordinal")
    with pytest.warns(UserWarning, match="constant"):  # twice 200 is more than a byte holds
        assert bright.fit(np.full((2, 1), 200, np.uint8)).inverse_transform([[0.0]]) == 200
    with pytest.raises(NotFittedError):
        KBinsDiscretizer().inverse_transform([[1.0]])


def test_equal_width():
    edges = KBinsDiscretizer(4, strategy="uniform").fit(draw()).bin_edges_
    for e in edges:
        assert_allclose(np.diff(e), (e[-1] - e[0]) / 4, rtol=1e-10)


def test_new_values_beyond_the_ends_go_to_the_end_buckets():
    discretizer = KBinsDiscretizer(3, strategy="uniform", encode="ordinal").fit([[0.0], [3.0]])
    assert_array_equal(discretizer.transform([[-9.0], [1.0], [99.0]]).ravel(), [0, 1, 2])


@over_encodings
def test_centres_come_back_and_stay(encode):
    X = draw()
    discretizer = KBinsDiscretizer(4, strategy="uniform", encode=encode).fit(X)
    back = discretizer.inverse_transform(discretizer.transform(X))
    width = [(e[1] - e[0]) / 2 for e in discretizer.bin_edges_]
    assert (np.abs(back - X) <= np.array(width) * (1 + 1e-12)).all()
    assert_array_equal(dense(discretizer.transform(back)), dense(discretizer.transform(X)))
    assert [len(np.unique(column)) for column in back.T] == [4, 4, 4]  # the order inside is lost: erratum E34


# ---- given edges


def test_given_edges_keep_the_training_rows_ends():
    discretizer = KBinsDiscretizer(edges=[[0, 10], [5]], encode="ordinal").fit([[-4.0, 6.0], [12.0, 9.0]])
    assert [list(e) for e in discretizer.bin_edges_] == [[-4, 0, 10, 12], [5, 5, 9]]
    assert_array_equal(discretizer.transform([[0.0, 4.9], [-1e9, 5.0]]), [[1, 0], [0, 1]])
    assert_array_equal(discretizer.inverse_transform([[0, 1], [2, 0]]), [[-2, 7], [11, 5]])
    inside = KBinsDiscretizer(edges=[0, 10]).fit([[4.0], [6.0]])
    assert list(inside.bin_edges_[0]) == [0, 0, 10, 10]


def test_one_list_of_edges_serves_every_column():
    X = draw()
    Z = KBinsDiscretizer(edges=(-1, 0, 2.5), encode="ordinal").fit_transform(X)
    assert_array_equal(Z, np.digitize(X, [-1, 0, 2.5]))
    assert_array_equal(Z, KBinsDiscretizer(edges=[[-1, 0, 2.5]] * 3, encode="ordinal").fit_transform(X))


# ---- columns with little to cut


@over_strategies
def test_a_constant_column_is_one_bucket(strategy):
    X = np.column_stack([np.full(8, 0.1), np.arange(8.0)])
    options = dict(strategy=strategy, encode="onehot-dense", quantile_method="averaged_inverted_cdf")
    discretizer = KBinsDiscretizer(4, **options)
    with pytest.warns(UserWarning, match="Feature 0 is constant and will be replaced with 0"):
        Z = discretizer.fit_transform(X)
    assert Z.shape == (8, 5) and Z[:, 0].all()
    assert_array_equal(discretizer.inverse_transform(Z)[:, 0], 0.1)
    with pytest.warns(UserWarning, match="Feature 0 is constant"):
        assert_array_equal(Z, twin.KBinsDiscretizer(4, **options).fit_transform(X))


def test_quantiles_that_fall_together_make_fewer_buckets():
    X = np.array([[0.0]] * 8 + [[1.0], [2.0]])
    for sign, ends in ((1, [0, 2]), (-1, [-2, 0])):
        with pytest.warns(UserWarning, match="too small in feature 0 are removed.*decreasing the number of"):
            discretizer = KBinsDiscretizer(4, encode="ordinal").fit(sign * X)
        assert_array_equal(discretizer.bin_edges_[0], ends)
        assert_array_equal(discretizer.n_bins_, [1])


def test_the_unit_does_not_decide_how_many_buckets_there_are():  # metres or light years
    metres = KBinsDiscretizer(5, encode="ordinal").fit_transform(draw())
    assert_array_equal(metres, KBinsDiscretizer(5, encode="ordinal").fit_transform(draw() * 2.0**-50))


# ---- crosses, item 05.29


@over_encodings
def test_a_cross_has_the_products_of_the_bits(encode):
    X = np.random.default_rng(0).integers(0, 4, (50, 3)) + [[0, 5, -2]]
    encoder = OneHotEncoder(sparse_output=False).fit(X)
    starts = np.cumsum([0, *map(len, encoder.categories_)])
    parts = [encoder.transform(X)[:, a:b] for a, b in zip(starts, starts[1:])]
    products = [np.einsum("ni,nk->nik", a, b) for a, b in combinations(parts, 2)]
    bits = np.hstack([product.reshape(50, -1) for product in products])
    Z = FeatureCross(encode=encode).fit_transform(X)
    assert sp.issparse(Z) == (encode == "onehot")
    if encode == "ordinal":
        Z = np.hstack([np.eye(16)[column.astype(int)] for column in Z.T])
    assert_array_equal(dense(Z), bits)


def test_three_columns_are_crossed_like_digits_of_a_number():
    X = np.array([[i, j, k] for i in range(2) for j in range(3) for k in range(4)])
    cross = FeatureCross(groups=[(0, 1, 2), (2, 0)], encode="ordinal")
    Z = cross.fit_transform(X)
    assert_array_equal(Z[:, 0], np.arange(24))
    assert_array_equal(Z[:, 1], 2 * X[:, 2] + X[:, 0])
    assert cross.n_cells_ == [24, 8] and cross.groups_ == [(0, 1, 2), (2, 0)]


def test_crossing_fits_what_the_parts_decide_only_together():  # sign(ab): R² 0.01 apart, 1 crossed
    X = np.random.default_rng(0).normal(size=(400, 2))
    y = np.sign(X[:, 0] * X[:, 1])
    codes = KBinsDiscretizer(edges=[0.0], encode="ordinal").fit_transform(X)
    apart = OneHotEncoder(sparse_output=False).fit_transform(codes)
    crossed = FeatureCross().fit_transform(codes)
    assert apart.shape[1] == crossed.shape[1] == 4
    assert LinearRegression().fit(apart, y).score(apart, y) < 0.02
    assert LinearRegression().fit(crossed, y).score(crossed, y) > 1 - 1e-9


def test_names_of_cells_and_columns():
    frame = pd.DataFrame({"age": ["old", "young"], "sex": ["f", "m"], "n": [1.0, 2.0]})
    cross = FeatureCross(groups=[("sex", "age"), (2, 0)]).set_output(transform="pandas")
    Z = cross.fit_transform(frame)
    assert list(Z) == [
        "sex_f*age_old",
        "sex_f*age_young",
        "sex_m*age_old",
        "sex_m*age_young",
        "n_1.0*age_old",
        "n_1.0*age_young",
        "n_2.0*age_old",
        "n_2.0*age_young",
    ]
    assert_array_equal(Z, [[1, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1]])
    assert list(clone(cross).set_params(encode="ordinal").fit_transform(frame)) == ["sex*age", "n*age"]


def test_unknown_values_have_no_cell():
    X = [["a", 0], ["b", 1]]
    with pytest.raises(ValueError, match=r"unknown categories \['c'\] in column 0"):
        FeatureCross().fit(X).transform([["c", 1]])
    ignoring, new = FeatureCross(handle_unknown="ignore").fit(X), [["c", 1], ["b", 7], ["b", 0]]
    assert_array_equal(ignoring.transform(new), [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])
    ignoring = clone(ignoring).set_params(encode="ordinal").fit(X)
    assert_array_equal(ignoring.transform(new).ravel(), [-1, -1, 2])


def test_a_blank_is_a_value_of_its_own():
    assert FeatureCross().fit([[1.0, 2.0], [np.nan, 3.0]]).n_cells_ == [4]


# ---- types, names, refusals


@over_encodings
def test_float32_stays_float32(encode):
    X, discretizer = draw().astype(np.float32), KBinsDiscretizer(3, encode=encode)
    Z = discretizer.fit_transform(X)
    assert Z.dtype == np.float32 == discretizer.inverse_transform(Z).dtype
    assert_array_equal(dense(Z), dense(discretizer.fit_transform(X.astype(float))))


def test_frames_go_in_and_come_out():
    frame = pd.DataFrame(draw(9, 2), columns=["a", "b"])
    codes = KBinsDiscretizer(2, encode="ordinal").set_output(transform="pandas").fit_transform(frame)
    assert list(codes) == ["a", "b"]
    bits = KBinsDiscretizer(2, encode="onehot-dense").set_output(transform="pandas").fit_transform(frame)
    assert list(bits) == ["a_0.0", "a_1.0", "b_0.0", "b_1.0"]
    for estimator in (KBinsDiscretizer(2), FeatureCross(encode="onehot")):
        with pytest.raises(ValueError, match="does not support sparse data.*onehot-dense"):
            estimator.set_output(transform="pandas").fit_transform(frame)


def test_the_table_given_is_not_changed():
    X = draw()
    kept = X.copy()
    discretizer = loads(dumps(KBinsDiscretizer(3).fit(X)))
    assert_array_equal(dense(discretizer.transform(X)), dense(clone(discretizer).fit_transform(X)))
    assert_array_equal(X, kept)


BAD = {
    "one bin": (KBinsDiscretizer(1), "n_bins=1.*at least 2"),
    "half a bin": (KBinsDiscretizer([2, 3, 2.5]), "whole numbers"),
    "too few counts": (KBinsDiscretizer([2, 3]), r"n_bins must be a scalar or array .*, here \(3,\)"),
    "encode": (KBinsDiscretizer(encode="bits"), "encode='bits'"),
    "strategy": (KBinsDiscretizer(strategy="kmeans"), "strategy='kmeans'"),
    "falling edges": (KBinsDiscretizer(edges=[2.0, 1.0]), "edges of column 0"),
    "tied": (KBinsDiscretizer(edges=[1.0, 1.0]), "larger"),
    "no edges": (KBinsDiscretizer(edges=[[1.0], [], [2.0]]), "edges of column 1"),
    "infinite": (KBinsDiscretizer(edges=[1.0, np.inf]), "edges of column 0"),
    "too few lists": (KBinsDiscretizer(edges=[[1.0], [2.0]]), "edges has 2 lists, but X has 3 columns"),
    "no column": (FeatureCross(groups=[(0, 7)]), r"columns \[7\], which X lacks"),
    "no name": (FeatureCross(groups=[("a", 1)]), r"\['a'\]"),
    "code": (FeatureCross(encode="bits"), "encode='bits'"),
    "unknown": (FeatureCross(handle_unknown="no"), "handle_unknown='no'"),
}


@pytest.mark.parametrize("estimator, message", BAD.values(), ids=BAD)
def test_what_is_refused(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(draw())


def test_more_that_is_refused():
    with pytest.raises(ValueError, match="1 feature.*at least two columns"):
        FeatureCross().fit(draw(5, 1))
    with pytest.raises(ValueError, match="quantile_method='linear' has no weighted form"):
        KBinsDiscretizer(quantile_method="linear").fit(draw(), sample_weight=np.ones(61))
    with pytest.raises(ValueError, match="[Nn]egative"):
        KBinsDiscretizer().fit(draw(2), sample_weight=[-1, 1])
    with pytest.raises(ValueError, match="Expecting 3, received 2"):
        KBinsDiscretizer(encode="ordinal").fit(draw()).inverse_transform(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="Expecting 15, received 3"):
        KBinsDiscretizer().fit(draw()).inverse_transform(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="NaN"):
        KBinsDiscretizer().fit([[np.nan], [1.0]])
