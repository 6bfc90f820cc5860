"""Samplers: equal to imbalanced-learn, to slow loops, and to what the papers promise."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn import over_sampling, under_sampling
from imblearn.pipeline import Pipeline
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags

from helpers import imbalance
from helpers.comparing import close
from tests.helpers.covering import each_value


@pytest.fixture(scope="module")
def skewed():
    return make_classification(400, 5, weights=[0.85], class_sep=0.7, flip_y=0.05, random_state=1)


@pytest.fixture(scope="module")
def three():
    X, y = make_classification(
        300, 4, n_informative=4, n_redundant=0, n_classes=3, weights=[0.6, 0.3], class_sep=0.6, random_state=0
    )
    return X + 1000, y


UNDER = ["auto", "majority", "not majority", "not minority", "all", 0.5, {0: 30, 2: 20}, lambda y: {1: 50}]
OVER = ["auto", "minority", "not majority", "not minority", "all", 0.9, {2: 120, 1: 100}, lambda y: {1: 150}]


def of_both(name, module, X, y, **options):
    """Rows and labels of the twin's sampler and of ours."""
    with np.errstate(all="ignore"):
        there, here = (
            getattr(module, name)(random_state=3, **options),
            getattr(imbalance, name)(random_state=3, **options),
        )
        return (there, *there.fit_resample(X, y)), (here, *here.fit_resample(X, y))


def same_result(a, b):
    assert type(a[1]) is type(b[1]) and type(a[2]) is type(b[2])
    A, B = (m[1].toarray() if hasattr(m[1], "toarray") else np.asarray(m[1]) for m in (a, b))
    assert A.shape == B.shape and A.dtype == B.dtype and (a[2] == b[2]).all()
    assert close(A, B, 1e-12) if A.dtype.kind == "f" else (A == B).all()
    assert dict(a[0].sampling_strategy_) == b[0].sampling_strategy_


def name(option):
    """A test's name for an option: without an address, on which the processes of a run would not agree."""
    return "function" if callable(option) else str(option)


@each_value
@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize("strategy", UNDER, ids=name)
def test_under_sampling_as_the_twin(three, skewed, strategy, replacement):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both(
        "RandomUnderSampler", under_sampling, X, y, sampling_strategy=strategy, replacement=replacement
    )
    same_result(a, b)
    assert (a[0].sample_indices_ == b[0].sample_indices_).all() and (b[1] == X[b[0].sample_indices_]).all()


@each_value
@pytest.mark.parametrize("shrinkage", [None, 0.5, {0: 1.0, 1: 2.0, 2: 0.0}])
@pytest.mark.parametrize("strategy", OVER, ids=name)
def test_over_sampling_as_the_twin(three, skewed, strategy, shrinkage):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both("RandomOverSampler", over_sampling, X, y, sampling_strategy=strategy, shrinkage=shrinkage)
    same_result(a, b)
    assert (a[0].sample_indices_ == b[0].sample_indices_).all()


@each_value
@pytest.mark.parametrize(
    "name, options",
    [
        ("SMOTE", {}),
        ("SMOTE", {"k_neighbors": 2}),
        ("BorderlineSMOTE", {}),
        ("BorderlineSMOTE", {"k_neighbors": 3, "m_neighbors": 7}),
    ],
    ids=str,
)
@pytest.mark.parametrize("strategy", OVER, ids=name)
def test_smote_as_the_twin(three, skewed, name, options, strategy):
    X, y = skewed if isinstance(strategy, float) else three
    a, b = of_both(name, over_sampling, X, y, sampling_strategy=strategy, **options)
    same_result(a, b)
    if name == "BorderlineSMOTE":
        assert all((a[0].in_danger_indices[c] == rows).all() for c, rows in b[0].in_danger_indices.items())
        assert set(a[0].in_danger_indices) == set(b[0].in_danger_indices)


@each_value
@pytest.mark.parametrize("kind", ["sparse", "float32", "integers", "frame", "text labels"])
@pytest.mark.parametrize("name", ["RandomUnderSampler", "RandomOverSampler", "SMOTE", "BorderlineSMOTE"])
def test_kinds_of_tables_as_the_twin(three, name, kind):
    X, y = three[0] - 1000, three[1]
    X, y = {
        "sparse": lambda: (csr_matrix(X * (np.abs(X) > 0.5)), y),
        "float32": lambda: (X.astype("f4"), y),
        "integers": lambda: ((10 * X).round().astype(int) + np.arange(300)[:, None] * 7 % 5, y),
        "frame": lambda: (pd.DataFrame(X, columns=list("abcd")), pd.Series(y, name="label")),
        "text labels": lambda: (X, np.array(["x", "yy", "z"])[y]),
    }[kind]()
    a, b = of_both(name, under_sampling if "Under" in name else over_sampling, X, y)
    if kind == "integers" and "SMOTE" in name:  # many ties among the distances: other neighbours
        assert b[1].dtype == a[1].dtype and b[1].shape == a[1].shape
        return
    same_result(a, b)
    if kind == "frame":
        assert list(b[1].columns) == list("abcd") and b[2].name == "label"
        assert (a[1].index == b[1].index).all() and (a[2].index == b[2].index).all()


def test_blurred_copies_of_sparse_rows_and_frames(three):
    X, y = three
    frame = pd.DataFrame(X, columns=list("abcd"))
    for table in (csr_matrix(X * (X > 1000)), frame):
        a, b = of_both("RandomOverSampler", over_sampling, table, y, shrinkage=1.0)
        same_result(a, b)


def test_labels_of_a_category_stay_so(three):
    frame, y = pd.DataFrame(three[0]), pd.Series(list("abc"), dtype="category").iloc[three[1]]
    for sampler in (imbalance.RandomUnderSampler(), imbalance.SMOTE()):
        rows, labels = sampler.fit_resample(frame, y.reset_index(drop=True))
        assert labels.dtype == "category" and labels.index.equals(rows.index)


def test_a_class_may_vanish(three):
    kept = imbalance.RandomUnderSampler(sampling_strategy={1: 0}).fit_resample(*three)[1]
    assert set(kept) == {0, 2}


def test_random_samplers_take_text_and_blanks():
    X, y = np.array([["a", None], ["b", 1.0], ["c", np.nan]], dtype=object), [0, 0, 1]
    for table in (X, pd.DataFrame(X, columns=["p", "q"])):
        new, labels = imbalance.RandomOverSampler(random_state=0).fit_resample(table, y)
        assert len(new) == 4 and list(labels) == [0, 0, 1, 1] and np.asarray(new)[3, 0] == "c"
        assert len(imbalance.RandomUnderSampler(random_state=0).fit_resample(table, y)[0]) == 2


def on_segment(x, a, b, most=1.0):
    """x = a + δ (b - a) with 0 ≤ δ ≤ most, one δ for all attributes."""
    delta = ((x - a) @ (b - a)) / max((b - a) @ (b - a), 1e-300)
    return np.abs(x - a - delta * (b - a)).max() < 1e-10 and -1e-10 <= delta <= most + 1e-10


def neighbours_by_loops(X, i, k):
    return sorted((r for r in range(len(X)) if r != i), key=lambda r: ((X[r] - X[i]) ** 2).sum())[:k]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6))
def test_every_new_row_lies_between_two_positives(d, k, seed):
    """Chawla et al. 2002: balanced; originals first; x on a segment from a to one of a's k nearest."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, d)) + 100, np.arange(30) % 4 == 0
    new, labels = imbalance.SMOTE(k_neighbors=k, random_state=seed).fit_resample(X, y)
    assert (new[:30] == X).all() and (labels[:30] == y).all()
    assert labels.sum() == (~labels).sum() and labels[30:].all()
    P = X[y]
    near = [neighbours_by_loops(P, i, k) for i in range(len(P))]
    for x in new[30:]:
        assert any(on_segment(x, P[i], P[j]) for i in range(len(P)) for j in near[i])


def test_a_row_is_never_its_own_neighbour():
    """Copies are at distance 0 too: the row itself must be dropped by its number, not by its rank."""
    X = np.repeat([[0.0], [1.0]], 4, axis=0)
    sets = imbalance.borderline_sets(X, [1, 0, 0, 0, 1, 1, 1, 0], 1, m_neighbors=3)
    assert {n: r.tolist() for n, r in sets.items()} == {"noise": [0], "danger": [], "safe": [4, 5, 6]}
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) < 12
    new = imbalance.SMOTE(k_neighbors=1, random_state=0).fit_resample(X, y)[0][40:]
    assert not any((x == X).all(axis=1).any() for x in new), "no copies"


def test_of_equally_near_rows_the_first_count():
    """The row stored last is crowded out by its copies: its neighbours are the first two, one an other."""
    sets = imbalance.borderline_sets(np.zeros((5, 1)), [1, 0, 0, 0, 1], 1, m_neighbors=2)
    assert {n: r.tolist() for n, r in sets.items()} == {"noise": [0], "danger": [4], "safe": []}


def test_ten_neighbours_decide_unless_told(three):
    told, untold = imbalance.borderline_sets(*three, 1, m_neighbors=10), imbalance.borderline_sets(*three, 1)
    assert all((told[name] == untold[name]).all() for name in told)


@pytest.mark.parametrize(
    "name, any_values",
    [("RandomUnderSampler", True), ("RandomOverSampler", True), ("SMOTE", False), ("BorderlineSMOTE", False)],
)
def test_tags_say_what_a_sampler_takes(name, any_values):
    tags = get_tags(getattr(imbalance, name)())
    assert tags.target_tags.required and tags.input_tags.sparse
    assert tags.input_tags.string is tags.input_tags.allow_nan is any_values


@pytest.mark.parametrize("m", [1, 4, 5, 10])
def test_noise_danger_safe_by_loops(three, m):
    X, y = three
    sets = imbalance.borderline_sets(X, y, 2, m_neighbors=m)
    for i in np.flatnonzero(y == 2):
        others = sum(y[r] != 2 for r in neighbours_by_loops(X, i, m))
        name = "noise" if others == m else "danger" if 2 * others >= m else "safe"
        assert [i in sets[n] for n in ("noise", "danger", "safe")] == [
            n == name for n in ("noise", "danger", "safe")
        ]


def test_reference_size_of_the_danger_set():
    """1328 rows: imbalanced-learn's rule with scikit-learn's neighbours on a table of 30000 × 40."""
    X, y = make_classification(
        30000, 40, n_informative=13, n_redundant=6, weights=[0.9], flip_y=0, class_sep=0.7, random_state=0
    )
    assert len(imbalance.borderline_sets(X, y, 1, m_neighbors=10)["danger"]) == 1328


def test_borderline_2_goes_at_most_half_way_to_another_class(three):
    X, y = three
    a, b = of_both("BorderlineSMOTE", over_sampling, X, y, kind="borderline-2", sampling_strategy={2: 150})
    pool, same, other = (
        [(i, j) for i in b[0].in_danger_indices[2] for j in neighbours_by_loops(X, i, 5)],
        0,
        0,
    )
    nearer = []
    for x, of_twin in zip(b[1][300:], a[1][300:]):
        pairs = [(i, j) for i, j in pool if on_segment(x, X[i], X[j], 1.0 if y[j] == 2 else 0.5)]
        assert pairs
        if any(y[j] == 2 for _, j in pairs):
            same += close(x, of_twin, 1e-12)
        else:
            other += any(on_segment(of_twin, X[i], X[j], 0.5) for i, j in pairs)
            nearer.append(any(on_segment(x, X[i], X[j], 0.4) for i, j in pairs))
    assert same + other == len(b[1]) - 300 and same > 20 and other > 20
    assert 0.5 < np.mean(nearer) < 1, "up to half way, not to a third"


def test_nobody_in_danger():
    X, y = np.r_[np.arange(20.0), 100 + np.arange(8.0)][:, None], np.repeat([0, 1], [20, 8])
    with pytest.warns(UserWarning, match="No row of class 1 is in danger") as said:
        new, labels = imbalance.BorderlineSMOTE(k_neighbors=2, m_neighbors=4).fit_resample(X, y)
    assert len(new) == 28 and said[0].filename == __file__


@pytest.mark.parametrize("sampler", ["SMOTE", "BorderlineSMOTE", "RandomOverSampler", "RandomUnderSampler"])
def test_in_imbalanced_learns_pipeline_only_training_rows_are_resampled(skewed, sampler):
    X, y = skewed
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append(np.bincount(y))
            return super().fit(X, y)

        def predict(self, X):
            seen.append(len(X))
            return super().predict(X)

    pipe = Pipeline([("sample", getattr(imbalance, sampler)(random_state=0)), ("model", Spy())])
    assert np.isfinite(cross_validate(pipe, X, y, cv=4, scoring="balanced_accuracy")["test_score"]).all()
    assert all(s[0] == s[1] for s in seen[::2]) and seen[1::2] == [100] * 4
    again = pickle.loads(pickle.dumps(clone(pipe["sample"]).fit(X, y)))
    assert again.sampling_strategy_ == pipe["sample"].fit(X, y).sampling_strategy_


BAD = [
    ("SMOTE", dict(sampling_strategy="majority"), "use 'auto', 'all'"),
    ("RandomUnderSampler", dict(sampling_strategy="minority"), "use 'auto', 'all'"),
    ("SMOTE", dict(sampling_strategy=1.5), "a ratio lies in"),
    ("SMOTE", dict(sampling_strategy=0), "a ratio lies in"),
    ("SMOTE", dict(sampling_strategy=None), "a ratio lies in"),
    ("SMOTE", dict(sampling_strategy=0.1), "closer than the ratio 0.1"),
    ("RandomUnderSampler", dict(sampling_strategy=0.1), "closer than the ratio 0.1"),
    ("SMOTE", dict(sampling_strategy={7: 500}), "class 7, which y does not have"),
    ("SMOTE", dict(sampling_strategy={1: 5}), "adds rows: class 1 has .* asks for 5"),
    ("RandomUnderSampler", dict(sampling_strategy={1: 5000}), "removes rows: class 1 has .* asks for 5000"),
    ("RandomUnderSampler", dict(sampling_strategy={1: -1}), "asks for -1"),
    (
        "SMOTE",
        dict(k_neighbors=200),
        "there are only 65 rows to choose neighbours of class 1 from; choose 1 to 64",
    ),
    ("SMOTE", dict(k_neighbors=0), "k_neighbors=0"),
    ("BorderlineSMOTE", dict(m_neighbors=400), "choose 1 to 399"),
    ("BorderlineSMOTE", dict(k_neighbors=65), "choose 1 to 64"),
    ("BorderlineSMOTE", dict(m_neighbors=0), "neighbors=0"),
    ("BorderlineSMOTE", dict(kind="borderline"), "use one of .'borderline-1', 'borderline-2'"),
    ("RandomOverSampler", dict(shrinkage=-1.0), "a number ≥ 0"),
    ("RandomOverSampler", dict(shrinkage={0: 1}), "each class"),
]


@pytest.mark.parametrize("name, options, message", BAD)
def test_clear_errors_of_samplers(skewed, name, options, message):
    with pytest.raises(ValueError, match=message):
        getattr(imbalance, name)(**options).fit_resample(*skewed)


@pytest.mark.parametrize("name", ["SMOTE", "BorderlineSMOTE", "RandomOverSampler", "RandomUnderSampler"])
def test_samplers_need_two_classes_and_labels_for_all(skewed, name):
    sampler = getattr(imbalance, name)()
    with pytest.raises(ValueError, match="one class only"):
        sampler.fit_resample(skewed[0], np.zeros(400, int))
    with pytest.raises(ValueError, match="a label for each row|inconsistent numbers of samples"):
        sampler.fit_resample(skewed[0], skewed[1][:-1])
    with pytest.raises(ValueError, match="for two classes, y has 3"):
        sampler.set_params(sampling_strategy=0.5).fit_resample(skewed[0], np.arange(400) % 3)


def test_ratio_of_balanced_classes():
    y = np.arange(20) % 2
    for name in ("SMOTE", "RandomUnderSampler"):
        assert len(getattr(imbalance, name)(sampling_strategy=1.0).fit_resample(y[:, None] * 1.0, y)[1]) == 20


def test_a_table_without_columns_is_named():
    with pytest.raises(
        ValueError, match=r"0 feature\(s\) \(shape=\(4, 0\)\) while a minimum of 1 is required"
    ):
        imbalance.RandomOverSampler().fit_resample(np.empty((4, 0)), [0, 0, 0, 1])
    with pytest.raises(ValueError, match=r"X has shape \(4,\): give a table"):
        imbalance.RandomOverSampler().fit_resample(np.arange(4.0), [0, 0, 0, 1])
