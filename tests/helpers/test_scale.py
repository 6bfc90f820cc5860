"""Scalers: equal to scikit-learn and to the formulas by loops; ends, deviations and lengths as promised."""

from fractions import Fraction
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

from helpers import _rows
from helpers._fast import scale as fast_scale
from helpers.preprocessing import MinMaxScaler, Normalizer, StandardScaler, scale
from tests.helpers.covering import each_value, pairwise

quick = settings(deadline=None, max_examples=25)
RANGES = [(0, 1), (-1, 1), (2, 5), (-0.25, 0.1)]
NORMS = ["l1", "l2", "max"]
CSR = [sp.csr_matrix, sp.csr_array]


def draw(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * 10 ** rng.uniform(-2, 2, d) + 5 * rng.normal(size=d)


def holes(X, share=0.2, seed=1):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


TABLES = {
    "tall": draw(60, 4),
    "n < d": draw(3, 7),
    "one feature": draw(9, 1),
    "one row": draw(1, 3),
    "duplicated rows": np.repeat(draw(5, 3), 3, axis=0),
    "far from 0": draw(40, 3) + 1e6,
    "constant column": np.column_stack([draw(20, 2), np.full(20, 0.1)]),
    "blanks": holes(draw(30, 4)),
    "several blocks": draw(900, 97),
    "rank 1": np.outer(draw(8, 1), [1.0, 2.0, -3.0]),
    "a column of blanks": np.column_stack([draw(6, 2), np.full(6, np.nan)]),
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
over_ranges = pytest.mark.parametrize("feature_range", RANGES, ids=str)
over_clip = pytest.mark.parametrize("clip", [False, True])
over_csr = pytest.mark.parametrize("csr", CSR)
over_means = pytest.mark.parametrize("with_mean", [True, False])
over_stds = pytest.mark.parametrize("with_std", [True, False])


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Blocks of 200 numbers, so that small tables too are worked through in several; rows of 30 are long."""
    before = _rows.BLOCK, fast_scale.LONG
    _rows.BLOCK, fast_scale.LONG = 200, 30
    yield
    _rows.BLOCK, fast_scale.LONG = before


def same(mine, wanted, tol=1e-11):
    assert_allclose(mine, wanted, rtol=tol, atol=tol)


# ---- min-max, item 05.31


def minmax_by_loops(X, p, q):
    Z = np.full(X.shape, np.nan)
    for j in range(X.shape[1]):
        seen = [v for v in X[:, j] if v == v]
        low, high = min(seen, default=0), max(seen, default=0)
        for i in range(len(X)):
            if X[i, j] == X[i, j]:
                Z[i, j] = p if high == low else (X[i, j] - low) / (high - low) * (q - p) + p
    return Z


@each_value
@pytest.mark.filterwarnings("ignore:All-NaN")
@over_tables
@over_ranges
@over_clip
def test_minmax_is_the_twins(X, feature_range, clip):
    mine = MinMaxScaler(feature_range, clip=clip).fit(X)
    theirs = twin.MinMaxScaler(feature_range=feature_range, clip=clip).fit(X)
    same(mine.transform(X), theirs.transform(X), 1e-8)  # v · scale_ + min_ loses digits far from 0
    for name in ("data_min_", "data_max_", "data_range_", "scale_", "min_"):
        assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-13)
    assert mine.n_samples_seen_ == theirs.n_samples_seen_ == len(X)


@each_value
@over_tables
@over_ranges
def test_minmax_is_the_formula(X, feature_range):
    same(MinMaxScaler(feature_range).fit_transform(X), minmax_by_loops(X, *feature_range), 1e-14)


@pytest.mark.parametrize("shift", [0, 1e9])
def test_both_ends_are_attained_exactly(shift):  # erratum E26
    Z = MinMaxScaler().fit_transform(draw(50, 5) + shift)
    assert_array_equal(Z.min(axis=0), 0)
    assert_array_equal(Z.max(axis=0), 1)


def test_new_rows_may_fall_outside_unless_clipped():  # item 05.33
    new = [[0.0], [15.0], [30.0]]
    assert_array_equal(MinMaxScaler((1, 2)).fit([[10.0], [20.0]]).transform(new).ravel(), [0, 1.5, 3])
    assert_array_equal(
        MinMaxScaler((1, 2), clip=True).fit([[10.0], [20.0]]).transform(new).ravel(), [1, 1.5, 2]
    )


def test_new_rows_are_scaled_by_the_training_rows():
    train, new = draw(20, 3), draw(5, 3, seed=4)
    for mine in (MinMaxScaler(), StandardScaler()):
        theirs = getattr(twin, type(mine).__name__)().fit(train)
        same(mine.fit(train).transform(new), theirs.transform(new))
        assert not np.allclose(mine.transform(new), clone(mine).fit_transform(new))


def test_a_tiny_range_is_rounding_not_a_range():
    Z = MinMaxScaler((2, 3)).fit_transform([[0.1 + 0.2], [0.3]])
    same(Z.ravel(), [2, 2])
    assert_array_equal(MinMaxScaler().fit_transform([[0.0], [1e-14]]).ravel(), [0, 1])
    assert_array_equal(MinMaxScaler().fit_transform([[0.0], [10 * np.finfo(float).eps]]).ravel(), [0, 1])


@each_value
@pytest.mark.parametrize("n", [1, 6, 7, 8, 13, 14, 15, 60])  # 7 rows of 4 numbers are long
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_that_meet_end_to_end(n, order):
    X = np.asarray(holes(draw(n, 4, seed=n), 0.1), order=order)
    for best, better in ((np.fmin, min), (np.fmax, max)):
        wanted = [better((v for v in column if v == v), default=np.nan) for column in X.T]
        assert_array_equal(scale.extreme(X, best), wanted)


# ---- z-scores, item 05.32

WEIGHTS = {
    "none": lambda n: None,
    "whole": lambda n: np.arange(n) % 3 + 1.0,
    "almost 0": lambda n: np.arange(n) % 2.0 + 1e-9,
    "fractions": lambda n: np.random.default_rng(2).uniform(0.1, 2, n),
}
over_weights = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)


@each_value
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the twin's, for a column of blanks
@over_tables
@over_means
@over_stds
@over_weights
def test_z_scores_are_the_twins(X, with_mean, with_std, weights):
    w = weights(len(X))
    mine = StandardScaler(with_mean=with_mean, with_std=with_std).fit(X, sample_weight=w)
    theirs = twin.StandardScaler(with_mean=with_mean, with_std=with_std).fit(X, sample_weight=w)
    size = np.sqrt(mine.var_) + np.abs(mine.mean_)
    rounding = 1e-13 * size / (mine.scale_ if with_std else 1)  # the twin's sums are naive
    assert (np.abs(mine.transform(X) - theirs.transform(X)) <= rounding)[~np.isnan(X)].all()
    if with_mean or with_std or w is None:  # else the twin counts rows, not weights
        assert_allclose(mine.n_samples_seen_, theirs.n_samples_seen_, rtol=1e-12)
        assert np.ndim(mine.n_samples_seen_) == np.ndim(theirs.n_samples_seen_)
    for name in ("mean_", "var_", "scale_"):
        if getattr(theirs, name) is not None:
            assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-9, atol=1e-20)
    assert (mine.scale_ is None) == (not with_std)


@each_value
@pytest.mark.parametrize("shift", [0, 1e6, 1e9])
@over_weights
def test_moments_are_exact_sums(shift, weights):
    X = holes(draw(400, 3)) + shift
    w = np.ones(400) if weights(400) is None else weights(400)
    scaler = StandardScaler().fit(X, sample_weight=w)
    for j in range(3):
        seen = [(Fraction(a), Fraction(v)) for a, v in zip(w, X[:, j]) if v == v]
        total = sum(a for a, v in seen)
        mu = sum(a * v for a, v in seen) / total
        for mean, var in ((scaler.mean_, scaler.var_), scale.moments.plain(X, w)[1:]):
            assert_allclose(mean[j], float(mu), rtol=4e-16)
            assert_allclose(var[j], float(sum(a * (v - mu) ** 2 for a, v in seen) / total), rtol=1e-13)
        same(scaler.transform(X)[:, j], (X[:, j] - scaler.mean_[j]) / scaler.var_[j] ** 0.5)


@pytest.mark.parametrize("shift", [0, 1e6, 1e9])
def test_mean_0_and_deviation_1(shift):
    X = np.random.default_rng(0).normal(size=(500, 3)) + shift  # three blocks and more to merge
    Z = StandardScaler().fit_transform(X)
    same(Z.std(axis=0), 1)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-15 * max(shift, 1))


def test_dividing_by_the_variance_is_another_scaler():  # erratum E27
    X = 3 * np.random.default_rng(0).normal(size=(400, 1))
    scaler = StandardScaler().fit(X)
    assert_allclose(((X - scaler.mean_) / scaler.var_).std(), 1 / X.std(), rtol=1e-12)
    assert_allclose(scaler.var_, X.var(), rtol=1e-12)  # divisor n, not n - 1


@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 - 0.1, 1e-30])
def test_a_constant_column_is_centred_and_not_divided(value):
    scaler = StandardScaler().fit(np.full((123, 1), value))
    assert scaler.scale_ == [1]
    assert_allclose(scaler.transform([[value + 2]]), 2, rtol=1e-6)


def test_a_column_that_varies_little_is_not_constant():
    same(StandardScaler().fit_transform(1e-20 * draw(30, 2)).std(axis=0), 1)


def test_blocks_without_weight_or_value_do_not_count():
    X, w = draw(300, 2), np.full(300, 0.01)
    w[:150] = w[290:] = 0
    X[150:250, 1] = np.nan  # a block of blanks
    scaler = StandardScaler().fit(X, sample_weight=w)
    same(scaler.mean_, [X[150:290, 0].mean(), X[250:290, 1].mean()])
    same(scaler.var_, [X[150:290, 0].var(), X[250:290, 1].var()])
    same(scaler.n_samples_seen_, [1.4, 0.4])


def test_a_row_of_weight_3_is_three_rows():
    X, w = holes(draw(40, 3)), np.arange(40) % 4
    repeated = StandardScaler().fit(np.repeat(X, w, axis=0))
    weighted = StandardScaler().fit(X, sample_weight=w)
    same(weighted.mean_, repeated.mean_)
    same(weighted.var_, repeated.var_)
    assert_array_equal(weighted.n_samples_seen_, repeated.n_samples_seen_)


@quick
@given(st.integers(1, 40), st.integers(1, 4), st.floats(-1e3, 1e3), st.integers(0, 1000))
def test_undoing_gives_the_table_back(n, d, shift, seed):
    X = holes(draw(n, d, seed) + shift, 0.1, seed)
    for scaler in (
        MinMaxScaler((-2, 3)),
        StandardScaler(),
        StandardScaler(with_mean=False),
        StandardScaler(with_std=False),
    ):
        if not np.isnan(X).all(axis=0).any():
            assert_allclose(scaler.fit(X).inverse_transform(scaler.transform(X)), X, rtol=1e-9, atol=1e-9)


# ---- sparse tables


@pairwise
@over_csr
@over_stds
@over_weights
@pytest.mark.parametrize("blanks", [False, True])
def test_sparse_z_scores_are_the_dense_ones(csr, with_std, weights, blanks):
    X = draw(50, 4) * (np.random.default_rng(3).random((50, 4)) < 0.4)
    X = holes(X, 0.1) if blanks else X
    X[:, 3] = 0
    w, scaler = weights(50), StandardScaler(with_mean=False, with_std=with_std)
    dense = clone(scaler).fit(X, sample_weight=w)
    sparse = scaler.fit(csr(X), sample_weight=w)
    Z = sparse.transform(csr(X))
    assert sp.issparse(Z) and isinstance(Z, csr)
    same(Z.toarray(), dense.transform(X))
    same(sparse.inverse_transform(Z).toarray(), X)
    for name in ("mean_", "var_", "n_samples_seen_"):
        same(getattr(sparse, name), getattr(dense, name))


def test_sparse_tables_cannot_be_centred():
    X = sp.csr_array(np.eye(3))
    with pytest.raises(ValueError, match="every zero would become -mean.*with_mean=False"):
        StandardScaler().fit(X)
    with pytest.raises(ValueError, match="Cannot center sparse"):
        StandardScaler().fit(np.eye(3)).transform(X)
    with pytest.raises(TypeError, match="[Ss]parse"):
        MinMaxScaler().fit(X)


# ---- lengths, item 05.34

ROWS = {
    "normal": draw(50, 4),
    "zero row": np.array([[0.0, 0], [3, 4], [0, -2]]),
    "n < d": draw(3, 8),
    "one feature": draw(7, 1),
    "huge": 1e200 * draw(5, 3),
    "several blocks": draw(300, 3),
}
over_rows = pytest.mark.parametrize("X", ROWS.values(), ids=ROWS)


@each_value
@over_rows
@pytest.mark.parametrize("norm", NORMS)
def test_lengths_are_the_twins(X, norm):
    if norm == "l2" and np.abs(X).max() > 1e150:
        X = X / 1e100  # squares overflow, in both
    same(Normalizer(norm).fit_transform(X), twin.Normalizer(norm).fit_transform(X), 1e-14)


@each_value
@over_rows
@pytest.mark.parametrize("p", [1, 1.5, 3, 7.25, np.inf])
def test_lengths_are_the_formula(X, p):
    for x, z in zip(X, Normalizer(p).fit_transform(X)):
        m = max(abs(x)) or 1
        length = max(abs(x)) if p == np.inf else m * sum((abs(v) / m) ** p for v in x) ** (1 / p)
        same(z, x / (length or 1), 1e-13)


@over_csr
@pytest.mark.parametrize("norm", [*NORMS, 2.5])
def test_sparse_rows_are_the_dense_ones(csr, norm):
    X = draw(30, 6) * (np.random.default_rng(3).random((30, 6)) < 0.3)
    X[4] = 0
    Z = Normalizer(norm).fit_transform(csr(X))
    assert sp.issparse(Z)
    same(Z.toarray(), Normalizer(norm).fit_transform(X), 1e-14)
    assert_array_equal(Normalizer(norm).fit(csr(X)).transform(csr(X)).toarray(), Z.toarray())


@quick
@given(st.integers(1, 20), st.integers(1, 5), st.floats(1, 20), st.integers(0, 1000))
def test_every_row_has_length_1_and_its_direction(n, d, p, seed):
    X = draw(n, d, seed)
    Z = Normalizer(p).fit_transform(X)
    same(np.linalg.norm(Z, ord=p, axis=1), 1)
    same(np.linalg.norm(X, ord=p, axis=1)[:, None] * Z, X, 1e-10)


def test_inner_products_of_unit_rows_are_cosines():
    X = draw(6, 3)
    Z = Normalizer().fit_transform(X)
    lengths = np.linalg.norm(X, axis=1)
    same(Z @ Z.T, X @ X.T / np.outer(lengths, lengths))


def test_nothing_is_learnt_from_other_rows():
    X = draw(5, 3)
    assert_array_equal(Normalizer().fit(X).transform(X[:1]), Normalizer().fit_transform(X)[:1])
    assert_array_equal(Normalizer().transform(X[:1]), Normalizer().fit_transform(X)[:1])


# ---- types, names, refusals

SCALERS = [MinMaxScaler((0, 2)), StandardScaler(), Normalizer(3)]
over_scalers = pytest.mark.parametrize("scaler", SCALERS, ids=lambda s: type(s).__name__)


@over_scalers
def test_float32_stays_float32(scaler):
    X = draw(300, 3)
    Z = scaler.fit_transform(X.astype(np.float32))
    assert Z.dtype == np.float32 == scaler.transform(X.astype(np.float32)).dtype
    assert_allclose(Z, scaler.fit_transform(X), rtol=1e-4, atol=1e-4)


def test_sums_of_float32_are_taken_in_float64():
    X = np.full((20000, 1), 1000.1, np.float32) + np.arange(20000, dtype=np.float32)[:, None] / 1000
    assert_allclose(StandardScaler().fit(X).mean_, X.astype(float).mean(), rtol=1e-12)


@over_scalers
def test_whole_numbers_become_reals(scaler):
    X = np.array([[1, 2], [3, 5], [0, 1]])
    assert_array_equal(scaler.fit_transform(X), clone(scaler).fit(X.astype(float)).transform(X.astype(float)))


@over_scalers
def test_frames_go_in_and_come_out(scaler):
    frame = pd.DataFrame(draw(6, 2), columns=["a", "b"], index=list("uvwxyz"))
    Z = clone(scaler).set_output(transform="pandas").fit_transform(frame)
    assert list(Z) == ["a", "b"] and list(Z.index) == list(frame.index)
    assert_array_equal(Z, scaler.fit_transform(frame.to_numpy()))


@over_scalers
def test_the_table_given_is_not_changed(scaler):
    X = draw(9, 3)
    kept = X.copy()
    Z = loads(dumps(clone(scaler).fit(X))).transform(X)
    assert_array_equal(X, kept)
    assert_array_equal(Z, scaler.fit_transform(X))


BAD = {
    "range turned round": (MinMaxScaler((1, 0)), [[1.0]], {}, "p < q"),
    "empty range": (MinMaxScaler((1, 1)), [[1.0]], {}, r"\(1, 1\)"),
    "infinite": (MinMaxScaler(), [[np.inf]], {}, "infinity"),
    "no rows": (StandardScaler(), np.empty((0, 2)), {}, "0 sample"),
    "weights 0": (StandardScaler(), [[1.0], [2.0]], {"sample_weight": [0, 0]}, "sums to 0|zero"),
    "weight < 0": (StandardScaler(), [[1.0], [2.0]], {"sample_weight": [-1, 2]}, "[Nn]egative"),
    "no norm": (Normalizer(0.5), [[1.0]], {}, "p >= 1"),
    "unknown norm": (Normalizer("l3"), [[1.0]], {}, "'l1', 'l2', 'max'"),
    "no number": (Normalizer(np.nan), [[1.0]], {}, "p >= 1"),
    "blank row": (Normalizer(), [[np.nan, 1]], {}, "NaN"),
}


@pytest.mark.parametrize("scaler, X, options, message", BAD.values(), ids=BAD)
def test_what_is_refused(scaler, X, options, message):
    with pytest.raises(ValueError, match=message):
        scaler.fit(X, **options)


@pytest.mark.parametrize("scaler", [MinMaxScaler(), StandardScaler()])
def test_what_was_learnt_from_no_row_is_not_applied(scaler):
    for apply in (scaler.transform, scaler.inverse_transform):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            apply([[1.0]])


def test_another_number_of_columns_is_refused():
    with pytest.raises(ValueError, match="X has 2 columns; the scaler was fitted on 3"):
        StandardScaler().fit(draw(4, 3)).inverse_transform(draw(4, 2))
    with pytest.raises(ValueError, match="p >= 1"):
        Normalizer(0.9).fit_transform(draw(2, 2))
    with pytest.raises(TypeError, match="sample_weight"):
        MinMaxScaler().fit_transform(draw(2, 2), sample_weight=[1, 1])
