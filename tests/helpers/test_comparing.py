"""Comparators accept what the mathematics leaves open, refuse everything else, and never raise."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from helpers import comparing
from helpers.comparing import (
    close,
    same_labels,
    same_set,
    same_sources,
    same_subspace,
    same_up_to_rotation,
    same_up_to_scale,
    same_up_to_sign,
    same_up_to_sign_and_order,
)

VECTORS = (
    same_up_to_sign,
    same_up_to_sign_and_order,
    same_up_to_rotation,
    same_subspace,
    same_up_to_scale,
    same_sources,
)
NUMERIC = (close, *VECTORS)
EVERY = (*NUMERIC, same_labels, same_set)
A = np.array([[3.0, 1.0, -2.0], [0.5, -1.0, 1.0], [2.0, 4.0, 1.5], [-1.0, 0.3, 2.5]])  # (4, 3), rank 3
R = np.linalg.qr(np.arange(9.0).reshape(3, 3) + np.eye(3))[0]  # orthogonal
SHIFTED = A + [1, 2, 3]
TALL = np.random.default_rng(0).normal(size=(200, 3))


def by_name(functions):
    return pytest.mark.parametrize("same", functions, ids=lambda f: f.__name__)


def changed(array, place, value):
    out = array.copy()
    out[place] = value
    return out


# ---- what must be accepted

ACCEPTED = {
    "sums of tenths": (close, [0.1 + 0.1 + 0.1], [0.3]),
    "list": (close, A.tolist(), A),
    "frame": (close, pd.DataFrame(A), A),
    "integers": (close, [1, 2], [1.0, 2.0]),
    "a number": (close, 3, 3.0),
    "zeros": (close, [0, 0], [0.0, -0.0]),
    "nothing": (close, [], np.zeros(0)),
    "whole numbers as objects": (close, np.array([1, 2.5], object), [1, 2.5]),
    "nullable integers": (close, pd.array([1, 2], dtype="Int64"), [1, 2]),
    "small against the largest": (close, [1e9, 0], [1e9, 1]),
    "tiny numbers": (close, [1e-300], [1e-300]),
    "labels": (same_labels, ["a", "b"], np.array(["a", "b"], object)),
    "labels of a frame": (same_labels, pd.Series(["a", "b"]), ["a", "b"]),
    "whole labels as floats": (same_labels, [1.0, 2.0], [1, 2]),
    "set of a list": (same_set, [3, 1], {1, 3}),
    "set of an array": (same_set, np.array([3, 1]), [1, 3]),
    "set of pairs": (same_set, [(0, 1), (2, 3)], {(2, 3), (0, 1)}),
    "set of names": (same_set, pd.Index(["b", "a"]), ["a", "b"]),
    "empty set": (same_set, [], set()),
    "signs": (same_up_to_sign, A * [1, -1, -1], A),
    "signs of a vector": (same_up_to_sign, -A[:, 0], A[:, 0]),
    "a zero vector": (same_up_to_sign, A * [1, -1, 0], A * [1, 1, 0]),
    "sign and order": (same_up_to_sign_and_order, -A[:, [2, 0, 1]], A),
    "rotation": (same_up_to_rotation, A @ R, A),
    "reflection": (same_up_to_rotation, A * [1, 1, -1], A),
    "another basis": (same_subspace, A[:, :2] @ [[1, 2], [3, 4]], A[:, :2]),
    "a basis with one vector too many": (same_subspace, A[:, [0, 1, 1]], A[:, :2]),
    "a basis with sums too many": (same_subspace, TALL @ np.random.default_rng(1).normal(size=(3, 6)), TALL),
    "no vector at all": (same_subspace, np.zeros((3, 0)), np.zeros((3, 2))),
    "scale": (same_up_to_scale, A * [2, 3, 1e-9], A),
    "scale far apart": (same_up_to_scale, A * 1e-100, A * 1e100),
    "one scale far from the others": (same_up_to_scale, A * [1e-200, 1, 1], A),
    "zero stays zero": (same_up_to_scale, A * [2, 0, 1], A * [1, 0, 1]),
    "sources": (same_sources, A[:, [1, 2, 0]] * [-1, 2, 9] + [5, 0, -3], A),
    "a faint source": (same_sources, A * [1e-14, 1, 1], A),
    "no source": (same_sources, np.zeros((4, 0)), np.zeros((4, 0))),
}


@pytest.mark.parametrize("same, mine, wanted", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(same, mine, wanted):
    assert same(mine, wanted) is True


# ---- what must be refused

REFUSED = {
    "another number": (close, [1.0, 2.0], [1.0, 2.0 + 1e-7]),
    "another sign": (close, [1.0], [-1.0]),
    "another place": (close, [1, 2], [2, 1]),
    "a row for a column": (close, A[:, 0], A[:, :1]),
    "a number for a row": (close, 1.0, [1.0, 1.0]),
    "broadcastable": (close, np.ones((1, 3)), np.ones((4, 3))),
    "text in an object array": (close, np.array(["1", "2"], object), [1, 2]),
    "text in a frame": (close, pd.Series(["1", "2"]), [1, 2]),
    "labels in another place": (same_labels, ["a", "b"], ["b", "a"]),
    "a number for its text": (same_labels, ["1"], [1]),
    "one label for all": (same_labels, "a", ["a", "a"]),
    "a blank label": (same_labels, [1.0, np.nan], [1.0, np.nan]),
    "a member twice": (same_set, [1, 1, 3], [1, 3]),
    "a member twice in the other": (same_set, [1, 3], [1, 1, 3]),
    "a member missing": (same_set, [1], [1, 3]),
    "a member too many": (same_set, [1, 2, 3], [1, 3]),
    "text for its letters": (same_set, "ab", ["a", "b"]),
    "a dict for its keys": (same_set, {1: 2}, [1]),
    "NaN as a member": (same_set, [np.nan], [np.nan]),
    "rows of a table as members": (same_set, [[0, 1]], [[0, 1]]),
    "one entry's sign": (same_up_to_sign, changed(A, (0, 0), -3), A),
    "signs of the rows": (same_up_to_sign, A * [[1], [-1], [1], [1]], A),
    "scale for sign and order": (same_up_to_sign_and_order, 2 * A, A),
    "one entry, sign and order": (same_up_to_sign_and_order, changed(A, (1, 2), -1), A),
    "a shear": (same_up_to_rotation, A @ [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], A),
    "scale for rotation": (same_up_to_rotation, 2 * A, A),
    "a shift": (same_up_to_rotation, SHIFTED, A),
    "another plane": (same_subspace, A[:, :2], A[:, 1:]),
    "a smaller space": (same_subspace, A[:, :1], A[:, :2]),
    "zero for a line": (same_subspace, 0 * A[:, :1], A[:, :1]),
    "a space of longer vectors": (same_subspace, A, A[:3]),
    "the space of the rows": (same_subspace, A[:3, :2].T, A[:2, :2] @ np.array([[1.0, 1], [2, 2]])),
    "a vector for a space": (same_subspace, A[:, 0], A[:, :1]),
    "negative scale": (same_up_to_scale, -A, A),
    "zero for a vector": (same_up_to_scale, A * [1, 0, 1], A),
    "vector for a zero": (same_up_to_scale, A, A * [1, 0, 1]),
    "one scale for each row": (same_up_to_scale, A * [[2], [1], [1], [1]], A),
    "a mixture": (same_sources, A @ [[1, 0.5, 0], [-0.5, 1, 0], [0, 0, 1]], A),
    "one source twice": (same_sources, A[:, [0, 0, 1]], A),
    "a constant": (same_sources, A * [1, 0, 1] + 0.1, A),
    "two samples": (same_sources, A[:2], A[:2]),
}


@pytest.mark.parametrize("same, mine, wanted", REFUSED.values(), ids=REFUSED)
def test_refused(same, mine, wanted):
    assert same(mine, wanted) is False
    assert same(wanted, mine) is False


class Hostile:
    """Raises whatever is done with it."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")

    def __len__(self):
        raise RuntimeError("no")

    def __eq__(self, _):
        raise RuntimeError("no")

    __hash__ = None


recursive = []
recursive.append(recursive)
NO_ARRAY = {
    "None": None,
    "ellipsis": ...,
    "text": "3",
    "a function": len,
    "a dict": {0: 1},
    "complex": [[1j, 2]],
    "ragged": [[1, 2], [3]],
    "dates": np.array(["2020-01-01"], "datetime64[D]"),
    "NaN": [np.nan],
    "infinite": [np.inf],
    "object with None": np.array([None, 1.0], object),
    "recursive": recursive,
    "too long a number": [10**400],
    "a range that never ends": iter(int, 1),
    "sparse": sp.csr_array(A),
    "hostile": Hostile(),
    "decimals": [Decimal("0.1")],
    "missing": pd.array([1, None], dtype="Int64"),
    "text to parse": ["1.0", "2.0"],
}


@by_name(NUMERIC)
def test_no_array_of_numbers_equals_nothing(same):
    """Not even itself: a reference that gives NaN must not make NaN right."""
    for what, value in NO_ARRAY.items():
        assert [same(value, A), same(A, value), same(value, value)] == [False] * 3, what


OF_EACH_KIND = ["None", "a dict", "complex", "ragged", "recursive", "a range that never ends", "hostile"]


@by_name([same_labels, same_set])
def test_labels_and_sets_refuse_it_as_well(same):
    for kind in OF_EACH_KIND:
        assert [same(NO_ARRAY[kind], [1, 2, 3]), same([1, 2, 3], NO_ARRAY[kind])] == [False, False], kind


@by_name(NUMERIC)
def test_complex_numbers_without_an_imaginary_part_are_their_real_parts(same):
    assert same(A + 0j, A) and same(A, A + 1e-16j)
    assert not same(A + 1e-6j, A) and not same(A * 1j, A) and not same(A + complex(0, np.nan), A)


@by_name([f for f in NUMERIC if f is not same_sources])
def test_numbers_of_single_precision_are_judged_at_their_digits(same):
    single = TALL.astype(np.float32)
    assert same(single, TALL) and same(TALL, single.tolist())
    assert not same(changed(single, (1, 1), TALL[1, 1] + 1e-3), TALL)
    assert not same(changed(TALL, (1, 1), TALL[1, 1] + 2e-6), TALL)
    assert not same(changed(np.round(TALL * 1000), (1, 1), 7.02), np.round(TALL * 1000))


@by_name(NUMERIC)
def test_one_entry_that_is_no_number(same):
    for bad in (changed(A, (1, 1), value) for value in (np.nan, np.inf, -np.inf)):
        assert not same(bad, A) and not same(A, bad)


@by_name([f for f in NUMERIC if f is not same_subspace])
def test_another_shape(same):
    for other in (A[:, :2], A[:3], A.T, A[None], A[:, 0], A[0, 0], A.ravel(), np.zeros((0, 3))):
        assert not same(other, A) and not same(A, other), np.shape(other)


@by_name(VECTORS)
def test_neither_vector_nor_matrix(same):
    assert same(3.0, 3.0) is False and same(np.ones((2, 2, 2)), np.ones((2, 2, 2))) is False


@by_name(VECTORS)
def test_numbers_whose_squares_overflow(same):
    assert same(A * 1e200, A * 1e200) and not same(A * 1e200, SHIFTED[::-1, ::-1] ** 3 * 1e200)


def test_the_largest_doubles_have_a_difference():
    assert not close([1.7e308], [-1.7e308])


# ---- options


@by_name(VECTORS)
def test_vectors_stand_in_the_rows_with_axis_0(same):
    assert same(A[:3].T, A[:3].T, axis=0)
    assert same(SHIFTED.T, A.T, axis=0) == same(SHIFTED, A)


ROWS = {
    "sign": (same_up_to_sign, A * [[-1], [1], [-1], [1]]),
    "sign and order": (same_up_to_sign_and_order, -A[[2, 0, 3, 1]]),
    "scale": (same_up_to_scale, A * [[2], [3], [4], [5]]),
}


@pytest.mark.parametrize("same, mine", ROWS.values(), ids=ROWS)
def test_freedom_of_rows_is_not_freedom_of_columns(same, mine):
    assert same(mine, A, axis=0) and not same(mine, A, axis=1)


@by_name([f for f in NUMERIC if f is not same_sources])
def test_tolerance(same):
    near = A + 1e-4 * np.eye(4, 3)
    assert same(near, A, tol=1e-2) and not same(near, A)


def test_sources_by_correlation():
    t = np.linspace(0, 9, 200)
    noisy = np.sin(t) + 0.1 * np.cos(37 * t)
    assert same_sources(noisy, np.sin(t)) and not same_sources(noisy, np.sin(t), tol=1e-4)


# ---- properties

numbers = st.floats(-1e3, 1e3, allow_subnormal=False)
matrices = hnp.arrays(float, hnp.array_shapes(min_dims=2, max_dims=2, max_side=4), elements=numbers)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.dates(),
)
anything = st.recursive(
    leaves,
    lambda x: (
        st.lists(x, max_size=3)
        | st.dictionaries(st.text(max_size=2), x, max_size=2)
        | st.tuples(x, x)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=6,
)
quick = settings(deadline=None, max_examples=15)


@by_name(EVERY)
@quick
@given(a=anything, b=anything)
def test_never_raises_and_is_symmetric(same, a, b):
    assert same(a, b) in (True, False) and same(a, b) == same(b, a)
    assert same(a, A) is False and same(A, a) is False


@by_name([f for f in NUMERIC if f is not same_sources])
@quick
@given(a=matrices)
def test_equal_to_itself(same, a):
    assert same(a, a.tolist()) is True


@by_name(VECTORS)
@quick
@given(data=st.data(), a=matrices)
def test_symmetric(same, data, a):
    b = data.draw(hnp.arrays(float, a.shape, elements=numbers))
    assert same(a, b) == same(b, a)


def columns(rng, a):
    """What each comparator leaves open, drawn at random."""
    k, order = a.shape[1], rng.permutation(a.shape[1])
    signs = rng.choice([-1, 1], k)
    return {
        same_up_to_sign: a * signs,
        same_up_to_sign_and_order: (a * signs)[:, order],
        same_up_to_rotation: a @ np.linalg.qr(rng.normal(size=(k, k)))[0],
        same_up_to_scale: a * rng.uniform(0.1, 9, k),
        same_subspace: a @ (np.linalg.qr(rng.normal(size=(k, k)))[0] * rng.uniform(1, 2, k)),
    }


@by_name(VECTORS[:-1])
@quick
@given(a=matrices, seed=st.integers(0, 99))
def test_invariant_under_what_is_left_open(same, a, seed):
    a = np.round(a)  # entries of one size: a rank that rounding leaves alone
    assert same(columns(np.random.default_rng(seed), a)[same], a)


@quick
@given(seed=st.integers(0, 10**6))
def test_sources_come_back_in_any_order_sign_scale_and_offset(seed):
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(30, 3))
    mixed = S[:, rng.permutation(3)] * rng.choice([-2, 0.5, 7], 3) + rng.normal(size=3)
    assert same_sources(mixed, S)


@by_name(VECTORS)
@quick
@given(seed=st.integers(0, 10**6))
def test_two_unlike_draws_are_refused(same, seed):
    one, other = np.random.default_rng(seed).normal(size=(2, 8, 3))
    assert not same(one, other)


def test_partners_are_found_among_many():
    """Brute force over all orders and signs of three vectors."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.integers(-1, 2, (2, 2, 3)).astype(float)
        orders = [a[:, list(p)] for p in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]]
        signs = [np.array([i, j, k]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        assert same_up_to_sign_and_order(a, b) == any((o * s == b).all() for o in orders for s in signs)


def test_every_comparator_is_tested_here():
    assert sorted(f.__name__ for f in EVERY) == sorted(comparing.__all__)
