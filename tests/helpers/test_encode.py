"""Codes: equal to scikit-learn's bit for bit, to slow loops, and decodable; the three codes do not mix."""

from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.preprocessing as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from helpers.preprocessing import Binarizer, OneHotEncoder
from helpers.preprocessing._categories import distinct, positions
from tests.helpers.covering import each_value

quick = settings(deadline=None, max_examples=25)
nan = np.nan


def letters(n=30, d=3, seed=0):
    return np.random.default_rng(seed).choice(list("dbca"), (n, d)).astype(object)


TABLES = {
    "text": letters(),
    "whole numbers": np.random.default_rng(0).integers(-3, 9, (40, 3)),
    "int8 from end to end": np.array([[-128], [127], [0], [127]], np.int8),
    "uint64": np.array([[2**63 + 1, 1], [2**63, 2], [2**63 + 1, 3]], np.uint64),
    "far apart": np.array([[10**12, 0], [-(10**12), 1], [7, 0]]),
    "reals": np.round(np.random.default_rng(1).normal(size=(20, 2))),
    "reals with blanks": np.array([[1.5, nan], [nan, 2], [1.5, 2], [0, 3]]),
    "text with blanks": np.array([["a", nan], ["b", "x"], ["a", nan]], dtype=object),
    "truth values": np.array([[True], [False], [True]]),
    "fixed-width text": np.array([["ab"], ["c"]]),
    "one row": np.array([[3, 4, 5]]),
    "two values": np.array([[0, 1, 2], [1, 1, 3], [0, 1, 2]]),
    "frame": pd.DataFrame({"colour": ["red", "blue", "red"], "size": [3, 1, 2], "new": [True, False, True]}),
    "list of text and numbers": [["a", 1], ["b", 2], ["a", 3]],
}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
FEW = ("text", "reals with blanks", "text with blanks", "frame")  # for what follows from the twin's bits
over_few = pytest.mark.parametrize("X", [TABLES[name] for name in FEW], ids=FEW)
over_drops = pytest.mark.parametrize("drop", [None, "first", "if_binary"])
over_sparse = pytest.mark.parametrize("sparse_output", [True, False])
over_unknown = pytest.mark.parametrize("handle_unknown", ["error", "ignore"])


def dense(Z):
    return Z.toarray() if sp.issparse(Z) else Z


def equal(a, b):
    """Equal entries, NaN equal to NaN, None to None."""
    a, b = np.asarray(a, dtype=object), np.asarray(b, dtype=object)
    return a.shape == b.shape and all(x == y or (x != x and y != y) for x, y in zip(a.ravel(), b.ravel()))


# ---- binarisation, item 05.20


def test_the_two_conventions_differ_only_on_the_threshold():
    X = np.array([[-1.0, 0, 0.5, 1, 2]])
    assert_array_equal(Binarizer(threshold=0.5).fit_transform(X), [[0, 0, 0, 1, 1]])
    assert_array_equal(Binarizer(threshold=0.5, inclusive=True).fit_transform(X), [[0, 0, 1, 1, 1]])
    assert Binarizer().fit_transform([[0, 2]]).dtype == float


@pytest.mark.parametrize("threshold", [-0.3, 0, 0.7])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_binarizer_is_the_twin(threshold, dtype):
    X = np.random.default_rng(0).normal(size=(20, 4)).astype(dtype)
    X[0] = threshold
    mine, theirs = Binarizer(threshold=threshold), twin.Binarizer(threshold=threshold)
    Z = mine.fit_transform(X)
    assert Z.dtype == dtype
    assert_array_equal(Z, theirs.fit_transform(X))
    assert_array_equal(mine.transform(X), Binarizer(threshold=threshold).transform(X))


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_array])
@pytest.mark.parametrize("threshold, inclusive", [(0, False), (0.7, False), (0.7, True)])
def test_sparse_bits_are_the_dense_ones(form, threshold, inclusive):
    X = np.array([[0, 0.7, 2], [0.3, 0, 0.7], [0, 0, -1]])
    binarizer, given_table = Binarizer(threshold=threshold, inclusive=inclusive), form(X)
    Z = binarizer.fit_transform(given_table)
    assert isinstance(Z, form) and Z.nnz == Z.sum()  # zeros are not stored
    assert_array_equal(Z.toarray(), binarizer.fit_transform(X))
    assert_array_equal(given_table.toarray(), X)


@pytest.mark.parametrize("threshold, inclusive", [(-0.1, False), (0, True), (-0.1, True)])
def test_sparse_zeros_must_stay_zero(threshold, inclusive):
    with pytest.raises(ValueError, match=f"threshold={threshold} turns every zero"):
        Binarizer(threshold=threshold, inclusive=inclusive).fit_transform(sp.csr_array(np.eye(2)))


# ---- one-hot, item 05.22


@each_value
@pytest.mark.filterwarnings("ignore:Found unknown")
@over_tables
@over_drops
@over_sparse
@over_unknown
def test_one_hot_is_the_twin(X, drop, sparse_output, handle_unknown):
    options = dict(drop=drop, sparse_output=sparse_output, handle_unknown=handle_unknown)
    mine, theirs = OneHotEncoder(**options).fit(X), twin.OneHotEncoder(**options).fit(X)
    Z, wanted = mine.transform(X), theirs.transform(X)
    assert sp.issparse(Z) == sparse_output and type(Z) is type(wanted)
    assert_array_equal(dense(Z), dense(wanted))
    assert all(equal(a, b) for a, b in zip(mine.categories_, theirs.categories_))
    assert equal(np.ravel(mine.drop_idx_), np.ravel(theirs.drop_idx_))
    assert_array_equal(mine.get_feature_names_out(), theirs.get_feature_names_out())
    if Z.shape[1]:
        assert equal(mine.inverse_transform(Z), theirs.inverse_transform(wanted))
        assert equal(mine.inverse_transform(Z), X)


@over_few
def test_one_hot_by_loops(X):
    columns = [list(column) for column in pd.DataFrame(X).to_numpy(dtype=object).T]
    rows = [
        [
            float(value == v or (v != v and value != value))
            for column, value in zip(columns, row)
            for v in sorted({v for v in column if v == v}) + [nan] * any(v != v for v in column)
        ]
        for row in zip(*columns)
    ]
    assert_array_equal(OneHotEncoder(sparse_output=False).fit_transform(X), rows)


@quick
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 3)), min_size=1, max_size=30), st.booleans())
def test_one_bit_of_each_column_is_set(X, as_reals):
    X = np.array(X, float if as_reals else int)
    encoder = OneHotEncoder(sparse_output=False).fit(X)
    Z = encoder.transform(X)
    K = len(encoder.categories_[0])
    assert_array_equal(Z[:, :K].sum(axis=1), 1)
    assert_array_equal(Z[:, K:].sum(axis=1), 1)
    assert_array_equal(encoder.inverse_transform(Z), X)


def test_a_column_without_bits_comes_back():
    encoder = OneHotEncoder(drop="first", sparse_output=False).fit([[7, 1], [7, 2]])
    assert_array_equal(encoder.transform([[7, 2]]), [[1]])
    assert_array_equal(encoder.inverse_transform([[1], [0]]), [[7, 2], [7, 1]])


def test_numbers_of_stored_bits():  # item 05.23
    assert OneHotEncoder().fit_transform(letters(30, 3)).nnz == 90


def test_k_bits_and_an_intercept_are_dependent():  # erratum E39
    X = letters(40, 1)
    for drop, rank in ((None, 4), ("first", 4)):
        Z = OneHotEncoder(sparse_output=False, drop=drop).fit_transform(X)
        with_intercept = np.column_stack([np.ones(40), Z])
        assert np.linalg.matrix_rank(with_intercept) == rank
    assert with_intercept.shape[1] == 4


# ---- blanks, item 05.17

BLANKS = {
    "reals": np.array([[1.0], [nan], [2.0]]),
    "text": np.array([["a"], [nan], ["b"]], dtype=object),
    "None": np.array([["a"], [None], ["b"]], dtype=object),
    "pd.NA": np.array([["a"], [pd.NA], ["b"]], dtype=object),
    "nullable": pd.DataFrame({"x": pd.array([1, None, 2], dtype="Int64")}),
    "strings": pd.DataFrame({"x": ["a", None, "b"]}, dtype="str"),
}
over_blanks = pytest.mark.parametrize("X", BLANKS.values(), ids=BLANKS)


@over_blanks
@over_sparse
def test_a_blank_is_one_more_value_or_no_bit(X, sparse_output):
    column = OneHotEncoder(sparse_output=sparse_output).fit(X)
    assert_array_equal(dense(column.transform(X)), [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
    assert column.get_feature_names_out()[-1].endswith("_nan")
    zeros = OneHotEncoder(sparse_output=sparse_output, missing="all_zeros").fit(X)
    assert_array_equal(dense(zeros.transform(X)), [[1, 0], [0, 0], [0, 1]])
    for encoder in (column, zeros):
        back = encoder.inverse_transform(encoder.transform(X))
        assert pd.isna(back[1, 0]) and list(back[[0, 2], 0]) == list(column.categories_[0][:2])


def test_reals_come_back_as_reals():
    X = BLANKS["reals"]
    encoder = OneHotEncoder(missing="all_zeros").fit(X)
    assert encoder.inverse_transform(encoder.transform(X)).dtype == float
    assert OneHotEncoder().fit([[1.0], [2.0]]).categories_[0].dtype == float  # of a list, too
    assert equal(OneHotEncoder().fit([["b"], [nan]]).categories_[0], ["b", nan])
    assert get_tags(OneHotEncoder()).input_tags == get_tags(twin.OneHotEncoder()).input_tags
    words = OneHotEncoder(missing="all_zeros").fit(TABLES["fixed-width text"])
    assert equal(words.inverse_transform([[0, 0], [0, 1]]), [[nan], ["c"]])


def test_a_new_blank_is_unknown_or_no_bit():
    with pytest.raises(ValueError, match=r"unknown categories \[nan\] in column 0"):
        OneHotEncoder().fit([[1.0], [2.0]]).transform([[nan]])
    all_zeros = OneHotEncoder(missing="all_zeros").fit([[1.0], [2.0]])
    assert all_zeros.transform([[nan]]).nnz == 0
    with pytest.raises(ValueError, match=r"unknown categories \[3.0\] in column 0"):
        all_zeros.transform([[nan], [3.0]])
    assert OneHotEncoder(handle_unknown="ignore").fit([[1.0], [2.0]]).transform([[nan]]).nnz == 0


def test_a_column_of_blanks_has_no_bits_or_one():
    X = np.array([[nan], [nan]])
    assert OneHotEncoder(missing="all_zeros").fit_transform(X).shape == (2, 0)
    assert_array_equal(dense(OneHotEncoder().fit_transform(X)), [[1], [1]])


@pytest.mark.parametrize("drop", ["first", "if_binary"])
def test_zeros_cannot_mean_two_things(drop):  # erratum E39
    with pytest.raises(ValueError, match="all zeros would mean 'missing' and also the dropped value"):
        OneHotEncoder(missing="all_zeros", drop=drop).fit([[1], [2]])


# ---- given categories, unknown values


def test_given_categories_decide_the_bits_and_their_order():
    options = dict(categories=[["low", "high", "none"], ["x", "y"]], sparse_output=False)
    X = np.array([["high", "y"], ["low", "y"]], dtype=object)
    mine, theirs = OneHotEncoder(**options).fit(X), twin.OneHotEncoder(**options).fit(X)
    assert_array_equal(mine.transform(X), theirs.transform(X))
    assert [values.dtype for values in mine.categories_] == [values.dtype for values in theirs.categories_]
    assert_array_equal(mine.transform(X), [[0, 1, 0, 0, 1], [1, 0, 0, 0, 1]])
    assert equal(mine.inverse_transform(mine.transform(X)), X)


@pytest.mark.parametrize("X", [np.array([[1], [3]]), np.array([[1.0], [3.0]])])
def test_given_numbers_may_stand_in_any_order(X):
    encoder = OneHotEncoder(categories=[[5, 3, 1]], sparse_output=False).fit(X)
    assert_array_equal(encoder.transform(X), [[0, 0, 1], [0, 1, 0]])


def test_given_blanks_stand_last():
    encoder = OneHotEncoder(categories=[[nan, 2.0, 1.0]], sparse_output=False).fit([[1.0]])
    assert_array_equal(encoder.transform([[nan], [1.0]]), [[0, 0, 1], [0, 1, 0]])
    assert_array_equal(encoder.categories_, [[2, 1, nan]])


UNKNOWN = {
    "whole numbers": ([[1], [2]], [[2], [9]]),
    "reals": ([[1.0], [2.0]], [[2.0], [1.5]]),
    "text": ([["a"], ["b"]], [["b"], ["longer"]]),
    "text for numbers": ([[1], [2]], [[2], ["b"]]),
    "below": ([[5], [6]], [[6], [-(10**9)]]),
    "above": ([[5], [6]], [[6], [10**9]]),
}
over_unknown_values = pytest.mark.parametrize("known, new", UNKNOWN.values(), ids=UNKNOWN)


@over_unknown_values
def test_unknown_values_are_refused_or_have_no_bit(known, new):
    X = np.array(new, dtype=object) if isinstance(new[1][0], str) else np.array(new)
    with pytest.raises(ValueError, match="unknown categories .* in column 0.*handle_unknown='ignore'"):
        OneHotEncoder().fit(known).transform(X)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(known)
    assert_array_equal(encoder.transform(X), [[0, 1], [0, 0]])
    assert equal(encoder.inverse_transform(encoder.transform(X)), [[known[1][0]], [None]])


def test_unknown_values_and_a_dropped_one_are_told_apart_by_a_warning():
    options = dict(handle_unknown="ignore", drop="first", sparse_output=False)
    for encoder in (OneHotEncoder(**options), twin.OneHotEncoder(**options)):
        with pytest.warns(UserWarning, match="[Ff]ound unknown categories") as told:
            Z = encoder.fit([[1], [2], [3]]).transform([[7], [2], [1]])
        assert (
            not isinstance(encoder, OneHotEncoder) or told[0].filename == __file__
        )  # it points at the caller
        assert_array_equal(Z, [[0, 0], [1, 0], [0, 0]])


def test_no_warning_when_nothing_is_unknown(recwarn):
    OneHotEncoder(handle_unknown="ignore", drop="first").fit_transform([[1], [2]])
    assert not recwarn


# ---- the two look-ups


@quick
@given(
    st.lists(st.integers(-100, 100), min_size=1, max_size=50),
    st.lists(st.integers(-100, 100), max_size=50, unique=True),
    st.sampled_from([np.int8, np.int64, np.float64, object]),
)
def test_positions_by_loops(column, values, dtype):
    column, values = np.array(column, dtype=dtype), np.array(values, dtype=dtype)
    wanted = [list(values).index(v) if v in list(values) else -1 for v in column]
    assert_array_equal(positions(column, values), wanted)
    assert_array_equal(distinct(column), sorted(set(column)))


@pytest.mark.speed
def test_a_table_of_positions_is_only_made_for_a_short_range(monkeypatch):
    sizes, full = [], np.full
    monkeypatch.setattr(np, "full", lambda size, value: sizes.append(size) or full(size, value))
    positions(np.array([0, 15, 3, 3]), np.array([3, 15]))  # range 15 < 4 · 4
    assert sizes == [16]
    positions(np.array([0, 16, 3, 3]), np.array([3, 16]))
    positions(np.array([0, 10**15]), np.array([0, 10**15]))
    assert sizes == [16]


# ---- types, names, refusals


@over_sparse
@pytest.mark.parametrize("dtype", [np.float32, np.int8, bool])
def test_the_bits_have_the_type_that_was_asked_for(sparse_output, dtype):
    Z = OneHotEncoder(dtype=dtype, sparse_output=sparse_output).fit_transform(letters())
    assert Z.dtype == dtype and dense(Z).sum() == 90


def test_frames_go_in_and_come_out():
    frame = TABLES["frame"]
    Z = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit_transform(frame)
    assert list(Z) == ["colour_blue", "colour_red", "size_1", "size_2", "size_3", "new_False", "new_True"]
    assert_array_equal(Z, pd.get_dummies(frame.astype(object), dtype=float))
    with pytest.raises(ValueError, match="Pandas output does not support sparse data.*sparse_output=False"):
        OneHotEncoder().set_output(transform="pandas").fit_transform(frame)


def test_the_table_given_is_not_changed():
    for X in (np.array([[3, 1], [1, 2]]), letters()):
        kept = X.copy()
        encoder = loads(dumps(OneHotEncoder(drop="first").fit(X)))
        assert_array_equal(dense(encoder.transform(X)), dense(clone(encoder).fit_transform(X)))
        assert_array_equal(X, kept)


BAD = {
    "drop": (OneHotEncoder(drop="last"), [[1]], "drop='last'"),
    "missing": (OneHotEncoder(missing="no"), [[1]], "missing='no'"),
    "unknown": (OneHotEncoder(handle_unknown="no"), [[1]], "handle_unknown='no'"),
    "too few lists": (OneHotEncoder(categories=[[1]]), [[1, 2]], "Shape mismatch.*1 lists for 2 columns"),
    "twice": (OneHotEncoder(categories=[[1, 2, 1]]), [[1]], "In column 0, .*duplicate"),
    "blank twice": (OneHotEncoder(categories=[[1, nan, nan]]), [[1.0]], "duplicate"),
    "not given": (OneHotEncoder(categories=[[1, 2]]), [[1], [3]], r"unknown categories \[3\] in column 0"),
    "many": (OneHotEncoder(categories=[[0]]), np.arange(9)[:, None], r"\[1, 2, 3, '…'\]"),
    "three": (OneHotEncoder(categories=[[0]]), np.arange(4)[:, None], r"\[1, 2, 3\]"),
    "no rows": (OneHotEncoder(), np.empty((0, 1)), "0 sample"),
    "one dimension": (OneHotEncoder(), [1, 2], "2D"),
}


@pytest.mark.parametrize("encoder, X, message", BAD.values(), ids=BAD)
def test_what_is_refused(encoder, X, message):
    with pytest.raises(ValueError, match=message):
        encoder.fit(X)


def test_more_that_is_refused():
    with pytest.raises(TypeError, match=r"uniformly strings or numbers.*\['int', 'str'\]"):
        OneHotEncoder().fit(np.array([["a"], [1]], dtype=object))
    with pytest.raises(NotFittedError):
        OneHotEncoder().inverse_transform(np.eye(2))
    with pytest.raises(NotFittedError):
        OneHotEncoder().get_feature_names_out()
    encoder = OneHotEncoder().fit([[1], [2]])
    with pytest.raises(ValueError, match="Expected 2 columns, got 3"):
        encoder.inverse_transform(np.eye(3))
    with pytest.raises(ValueError, match=r"Samples \[1\] can not be inverted.*column 0"):
        encoder.inverse_transform([[1, 0], [0, 0]])


def test_given_categories_may_lack_values_when_they_are_ignored():
    encoder = OneHotEncoder(categories=[[1, 2]], handle_unknown="ignore", sparse_output=False)
    assert_array_equal(encoder.fit_transform([[1], [3]]), [[1, 0], [0, 0]])


def test_what_is_not_among_the_values_has_position_minus_1():
    assert positions(np.array(["b", "a"]), np.array(["a"], dtype=object)).tolist() == [-1, 0]
    assert positions(np.array([1.0, 2.0]), np.array([])).tolist() == [-1, -1]
