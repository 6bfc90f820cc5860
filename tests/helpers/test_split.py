"""Splitters: the twin's folds where they are determined, every row tested once, sizes that differ by at most
one."""

import numpy as np
import pytest
import sklearn.model_selection as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from helpers.model_selection import GroupKFold, HoldOut, KFold, LeaveOneOut, StratifiedKFold

quick = settings(deadline=None, max_examples=25)
over_shuffle = pytest.mark.parametrize("shuffle", [False, True])


def parts(splitter, *args, **options):
    return [(train.tolist(), test.tolist()) for train, test in splitter.split(*args, **options)]


def sizes(splitter, *args, **options):
    return [len(test) for _, test in parts(splitter, *args, **options)]


def labels(n=40, k=3, seed=0):
    return np.random.default_rng(seed).choice(list("zxy")[:k], n, p=[0.5, 0.3, 0.2][:k] if k == 3 else None)


@over_shuffle
@pytest.mark.parametrize("n, k", [(23, 5), (20, 5), (7, 7), (5, 2)])
def test_k_folds_equal_the_twins(n, k, shuffle):  # item 07.19
    options = dict(shuffle=shuffle, random_state=3 if shuffle else None)
    assert parts(KFold(k, **options), range(n)) == parts(twin.KFold(k, **options), range(n))


def test_no_remainder_is_lost():  # erratum E50
    assert sizes(KFold(5), range(23)) == [5, 5, 5, 4, 4]


@given(n=st.integers(2, 60), k=st.integers(2, 12), seed=st.integers(0, 99))
@quick
def test_every_row_is_tested_once(n, k, seed):
    if k <= n:
        found = parts(KFold(k, shuffle=True, random_state=seed), range(n))
        assert sorted(row for _, test in found for row in test) == list(range(n))
        assert all(sorted(train + test) == list(range(n)) for train, test in found)
        assert max(len(test) for _, test in found) - min(len(test) for _, test in found) <= 1


@over_shuffle
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("classes", [2, 3])
def test_stratified_folds_equal_the_twins(k, classes, shuffle):
    y, options = labels(40, classes), dict(shuffle=shuffle, random_state=3 if shuffle else None)
    assert parts(StratifiedKFold(k, **options), y, y) == parts(twin.StratifiedKFold(k, **options), y, y)


@given(n=st.integers(6, 60), k=st.integers(2, 5), seed=st.integers(0, 99))
@quick
def test_class_counts_and_sizes_differ_by_at_most_one(n, k, seed):
    y = np.random.default_rng(seed).integers(0, 3, n)
    if k <= np.bincount(y).max():
        found = [test for _, test in StratifiedKFold(k, shuffle=True, random_state=seed).split(y, y)]
        counts = np.array([np.bincount(y[test], minlength=3) for test in found])
        assert (np.ptp(counts, axis=0) <= 1).all() and np.ptp(counts.sum(axis=1)) <= 1
        assert sorted(np.concatenate(found)) == list(range(n))


def test_sorted_classes_need_stratification_or_shuffling():
    y = np.repeat([0, 1, 2], 50)
    assert all(len(set(y[test])) == 1 for _, test in KFold(3).split(y))
    assert all(len(set(y[test])) == 3 for _, test in StratifiedKFold(3).split(y, y))


def test_leave_one_out_equals_the_twins():  # item 07.20
    assert parts(LeaveOneOut(), range(6)) == parts(twin.LeaveOneOut(), range(6))
    assert LeaveOneOut().get_n_splits(range(6)) == 6 and parts(LeaveOneOut(), "ab") == [
        ([1], [0]),
        ([0], [1]),
    ]


@over_shuffle
@pytest.mark.parametrize("k", [2, 3, 4])
def test_group_folds_equal_the_twins(k, shuffle):
    groups = np.random.default_rng(1).choice(list("pqrstu"), 30, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1])
    options = dict(shuffle=shuffle, random_state=3 if shuffle else None)
    mine, wanted = GroupKFold(k, **options), twin.GroupKFold(k, **options)
    assert parts(mine, groups, groups=groups) == parts(wanted, groups, groups=groups)


def test_groups_of_one_size_are_dealt_like_the_twins():
    groups = np.arange(60) // 3
    assert parts(GroupKFold(7), groups, groups=groups) == parts(twin.GroupKFold(7), groups, groups=groups)


@given(n=st.integers(4, 40), seed=st.integers(0, 99), shuffle=st.booleans())
@quick
def test_no_group_is_torn_apart(n, seed, shuffle):
    groups = np.random.default_rng(seed).integers(0, 6, n)
    if len(set(groups)) >= 2:
        found = list(GroupKFold(2, shuffle=shuffle, random_state=seed).split(groups, groups=groups))
        assert all(not set(groups[train]) & set(groups[test]) and len(test) for train, test in found)
        assert sorted(np.concatenate([test for _, test in found])) == list(range(n))


# ---- hold-out


@pytest.mark.parametrize("test_size", [0.3, 0.25, 1 / 3, 4, 1, 0.01])
def test_hold_out_equals_the_twin(test_size):  # item 07.16
    train, test = twin.train_test_split(np.arange(23), test_size=test_size, random_state=5)
    assert parts(HoldOut(test_size, random_state=5), range(23)) == [
        (sorted(train.tolist()), sorted(test.tolist()))
    ]


def test_three_tenths_are_held_out_by_default_and_differ_from_call_to_call():
    ((train, test),) = HoldOut().split(range(1000))
    ((_, again),) = HoldOut().split(range(1000))
    assert len(test) == 300 and len(train) == 700 and not np.array_equal(test, again)
    assert HoldOut().get_n_splits() == 1


@given(n=st.integers(5, 60), seed=st.integers(0, 99), share=st.floats(0.1, 0.9))
@quick
def test_a_stratified_hold_out_keeps_the_shares(n, seed, share):
    y = np.random.default_rng(seed).integers(0, 3, n)
    held = int(np.ceil(share * n))
    if held < n:
        ((train, test),) = HoldOut(share, stratify=True, random_state=seed).split(y, y)
        assert len(test) == held and len(set(test)) == held and sorted([*train, *test]) == list(range(n))
        wanted = np.bincount(y, minlength=3) * held / n
        assert np.abs(np.bincount(y[test], minlength=3) - wanted).max() <= 1


def test_a_stratified_hold_out_is_random_inside_the_classes():
    y = np.repeat([0, 1], 20)
    found = {tuple(next(HoldOut(0.5, stratify=True, random_state=seed).split(y, y))[1]) for seed in range(9)}
    assert len(found) == 9


# ---- how they are used

SPLITTERS = {
    "folds": KFold(4, shuffle=True, random_state=0),
    "stratified": StratifiedKFold(4),
    "leave one out": LeaveOneOut(),
    "groups": GroupKFold(3),
    "hold-out": HoldOut(random_state=0),
}


@pytest.mark.parametrize("splitter", SPLITTERS.values(), ids=SPLITTERS)
def test_scikit_learn_takes_them(splitter):
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(24, 2)), rng.permutation(np.repeat([0, 1], 12)), np.repeat(range(6), 4)
    scores = twin.cross_val_score(LogisticRegression(), X, y, cv=splitter, groups=groups)
    assert len(scores) == splitter.get_n_splits(X, y, groups)
    twin.GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=splitter).fit(X, y, groups=groups)


def test_a_splitter_says_what_it_is():
    assert repr(KFold(3, shuffle=True, random_state=1)) == "KFold(n_splits=3, shuffle=True, random_state=1)"
    assert repr(LeaveOneOut()) == "LeaveOneOut()"
    assert KFold().n_splits == StratifiedKFold().n_splits == GroupKFold().n_splits == 5


REFUSED = {
    "one fold": (lambda: KFold(1), "n_splits=1: choose a whole number of at least 2"),
    "half a fold": (lambda: KFold(2.5), "n_splits=2.5"),
    "more folds than rows": (lambda: parts(KFold(4), range(3)), "n_splits=4, but there are only 3 rows"),
    "more folds than any class": (
        lambda: parts(StratifiedKFold(3), "aabb", list("aabb")),
        "no class has more than 2 rows",
    ),
    "no y": (lambda: parts(StratifiedKFold(2), range(4)), "Give y"),
    "a number as class": (
        lambda: parts(StratifiedKFold(2), range(2), [0.1, 0.2]),
        "y is continuous: .* KFold",
    ),
    "y too short": (lambda: parts(StratifiedKFold(2), range(4), [0, 0, 1]), "X has 4 rows, y has 3"),
    "one row": (lambda: parts(LeaveOneOut(), range(1)), "nothing to train on"),
    "no groups": (lambda: parts(GroupKFold(2), range(4)), "Give groups"),
    "groups too short": (lambda: parts(GroupKFold(2), range(4), groups=[0, 1]), "X has 4 rows, groups has 2"),
    "too few groups": (lambda: parts(GroupKFold(3), range(4), groups=[0, 0, 1, 1]), "only 2 groups"),
    "nothing held out": (lambda: HoldOut(0), "test_size=0: choose a share"),
    "the whole as a share": (lambda: HoldOut(1.0), "test_size=1.0: choose a share"),
    "a number with a fraction": (lambda: HoldOut(1.5), "test_size=1.5"),
    "all held out": (lambda: parts(HoldOut(4), range(4)), "test_size=4 of 4 rows leaves none"),
    "all held out by rounding": (lambda: parts(HoldOut(0.9), range(4)), "leaves none to train on"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
