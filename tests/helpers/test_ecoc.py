"""ecoc: equal to slow loops, and to what Dietterich and Bakiri say of codes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.methods import ecoc


def test_pairs_ask_two_classes_each():
    code = ecoc.pairs_code(4)
    for column, (i, j) in zip(code.T, combinations(range(4), 2), strict=True):
        assert column.tolist() == [1 if k == i else -1 if k == j else 0 for k in range(4)]


@pytest.mark.parametrize("K, columns, distance", [(3, 3, 2), (4, 7, 4), (5, 15, 8), (6, 31, 16), (7, 63, 32)])
def test_exhaustive_codes_of_dietterich_and_bakiri_1995(K, columns, distance):
    code = ecoc.exhaustive_code(K)
    assert code.shape == (K, columns) and ecoc.code_distance(code) == distance
    assert (code[0] == 1).all()
    for i in range(2, K + 1):  # row i alternates runs of 2^(K-i) zeros and ones
        assert (code[i - 1] == [m // 2 ** (K - i) % 2 for m in range(columns)]).all()


def faults(code):
    """Constant, repeated and complementary columns, and equal rows."""
    columns = [tuple(c) for c in np.asarray(code).T]
    other = {tuple(1 - np.array(c)) for c in columns}
    return (
        any(len(set(c)) == 1 for c in columns),
        len(set(columns)) < len(columns),
        bool(other & set(columns)),
        len(np.unique(code, axis=0)) < len(code),
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 31), st.integers(0, 10**6), st.floats(0, 1))
def test_random_codes_are_sound(K, seed, share):
    fewest, most = int(np.ceil(np.log2(K))), min(2 ** (K - 1) - 1, 60)
    M = fewest + round(share * (most - fewest))
    code = ecoc.random_code(K, M, random_state=seed)
    assert code.shape == (K, M) and faults(code) == (False,) * 4


def test_random_codes_differ_and_repeat_with_the_seed():
    codes = [ecoc.random_code(5, 7, random_state=seed) for seed in (0, 0, 1)]
    assert (codes[0] == codes[1]).all() and (codes[0] != codes[2]).any()
    for columns in (3, 5):  # few: distinct rows first; many: distinct columns first
        drawn = [c for seed in range(60) for c in ecoc.random_code(4, columns, random_state=seed).T]
        seen = {tuple(c if c[0] else 1 - c) for c in drawn}
        assert seen == {tuple(c) for c in ecoc.exhaustive_code(4).T}, "every split can be drawn"


def test_distance_is_the_smallest_over_all_pairs():
    code = np.random.default_rng(0).integers(2, size=(6, 11))
    assert ecoc.code_distance(code) == min((a != b).sum() for a, b in combinations(code, 2))
    assert ecoc.code_distance(np.eye(4)) == 2 and ecoc.code_distance([[1, 0], [1, 0]]) == 0


@pytest.mark.parametrize("K", [4, 5])
def test_every_correctable_pattern_of_errors_is_corrected(K):
    """Exhaustive K = 4: each of the 7 single errors; one-vs-rest corrects none (item 11.9)."""
    code = ecoc.exhaustive_code(K)
    for e in range((ecoc.code_distance(code) - 1) // 2 + 1):
        for wrong in combinations(range(code.shape[1]), e):
            heard = code.copy()
            heard[:, wrong] = 1 - heard[:, wrong]
            assert (ecoc.nearest_code(heard, code) == np.arange(K)).all()
    heard = np.eye(4)
    heard[2, 2] = 0
    assert ecoc.nearest_code(heard, np.eye(4))[2] != 2


def test_nearest_code_by_loops():
    """Words with different numbers of ones: the largest inner product would be wrong."""
    code, outputs = ecoc.exhaustive_code(4), np.random.default_rng(0).random((50, 7))
    slow_answer = [min(range(4), key=lambda c: ((o - code[c]) ** 2).sum()) for o in outputs]
    assert (ecoc.nearest_code(outputs, code) == slow_answer).all()
    assert (ecoc.nearest_code(outputs, code) != (outputs @ code.T).argmax(axis=1)).any()
    assert ecoc.nearest_code([[0, 0, 0]], ecoc.exhaustive_code(3)) == 1  # two are 1 away: the first


def test_one_lost_duel_can_cost_the_class():
    """0 loses to 1 alone, and 1 wins all of its own."""
    code = ecoc.pairs_code(4)
    heard = np.array([[-1, 1, 1, 1, 1, 1]])  # duels (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)
    assert ecoc.nearest_code(heard, code)[0] == 1
    assert ecoc.nearest_code(heard * [-1, 1, 1, 1, 1, 1], code)[0] == 0


BAD = {
    "one class has no pairs": (lambda: ecoc.pairs_code(1), "a pair needs two classes"),
    "one class has no splits": (lambda: ecoc.exhaustive_code(1), "for 2 to 16 classes"),
    "too many splits": (lambda: ecoc.exhaustive_code(17), "random_code for more"),
    "too many classes": (lambda: ecoc.random_code(70, 100), "for 2 to 31 classes"),
    "too many columns": (lambda: ecoc.random_code(4, 8), "no more ways to split"),
    "too few columns": (lambda: ecoc.random_code(5, 2), "choose 3 .words must differ"),
    "one word": (lambda: ecoc.code_distance([[0, 1]]), "give two rows or more"),
    "a class not asked": (lambda: ecoc.code_distance(ecoc.pairs_code(4)), "not asked"),
    "another code": (lambda: ecoc.nearest_code(np.ones((2, 4)), np.eye(3)), "a column for each classifier"),
}


@pytest.mark.parametrize("case", BAD)
def test_clear_errors(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()
