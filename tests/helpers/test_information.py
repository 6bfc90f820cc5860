"""Entropy, information gain, mutual information: equal to scikit-learn, slow loops and analytic values."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
import sklearn.feature_selection as twin
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from scipy.special import digamma
from sklearn.utils.parallel import Parallel

import helpers.feature_selection as ours
from helpers import _fast
from helpers._fast import information as drawer
from helpers.feature_selection import information
from tests.helpers.covering import pairwise

labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=30)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def mixed(rng, n=150):
    """Two continuous columns, three discrete ones (wide range, negative, halves), a class, a number."""
    y = rng.integers(0, 3, n)
    X = np.column_stack([
        rng.normal(size=n) + y,
        rng.normal(3, 1e-3, n),
        10**7 * rng.integers(0, 3, n),
        (y + rng.integers(0, 2, n)) % 3 - 1,
        rng.integers(0, 4, n) / 2,
    ])
    return X, y, X[:, 0] + rng.normal(size=n)


# ---------------------------------------------------------------- discrete variables
@settings(deadline=None, max_examples=25)
@given(labels, st.sampled_from([2, 10, np.e]))
def test_entropies_by_loops(pairs, base):
    x, y = zip(*pairs)
    n, log = len(x), (lambda p: np.log(p) / np.log(base))
    H = -sum(y.count(c) / n * log(y.count(c) / n) for c in set(y))
    H_given_x = -sum(pairs.count((v, c)) / n * log(pairs.count((v, c)) / x.count(v)) for v, c in set(pairs))
    assert ours.entropy(y, base=base) == pytest.approx(H, abs=1e-12)
    assert ours.conditional_entropy(y, x, base=base) == pytest.approx(H_given_x, abs=1e-12)
    assert ours.information_gain(x, y, base=base) == pytest.approx(H - H_given_x, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(labels)
def test_gain_is_mutual_information_is_kl(pairs):  # items 08.28 to 08.30
    x, y = zip(*pairs)
    P = ours.contingency_table(x, y) / len(x)
    gain = ours.information_gain(x, y, base=np.e)
    assert ours.mutual_info_score(x, y) == pytest.approx(sklearn.metrics.mutual_info_score(x, y), abs=1e-14)
    assert ours.mutual_info_score(contingency=ours.contingency_table(x, y)) == pytest.approx(gain, abs=1e-12)
    assert ours.kl_divergence(P, np.outer(P.sum(1), P.sum(0)), base=np.e) == pytest.approx(gain, abs=1e-12)


def test_gain_of_the_partition_by_y_is_its_entropy(rng):  # item 08.6
    y = rng.integers(0, 5, 60)
    assert ours.information_gain(10 - y, y) == pytest.approx(ours.entropy(y)) and ours.entropy([1, 1]) == 0
    assert ours.entropy(y) == pytest.approx(scipy.stats.entropy(np.bincount(y), base=2))


def test_branches_count_by_their_rows():  # 10 pure rows and 90 mixed ones
    x, y = np.repeat([0, 1], [10, 90]), np.repeat([0, 0, 1], [10, 45, 45])
    assert ours.conditional_entropy(y, x) == pytest.approx(0.9)


@pytest.mark.parametrize(
    "as_input",
    [
        np.asarray,
        pd.DataFrame,
        lambda X: X.tolist(),
        lambda X: pd.DataFrame(X).astype({0: str, 1: "category"}),
    ],
)
def test_a_subset_is_one_variable(rng, as_input):
    X, y = rng.integers(0, 3, size=(80, 3)), rng.integers(0, 2, 80)
    joint = X @ [9, 3, 1]
    assert ours.information_gain(as_input(X), y) == pytest.approx(ours.information_gain(joint, y))
    assert ours.inconsistency_rate(as_input(X), y) == pytest.approx(ours.inconsistency_rate(joint, y))


def test_wide_subsets_do_not_overflow(rng):  # 10^60 possible combinations
    X, y = rng.integers(0, 1000, size=(50, 20)), rng.integers(0, 2, 50)
    assert ours.information_gain(X, y) == pytest.approx(ours.entropy(y))


def test_the_empty_subset_tells_nothing(rng):
    y = rng.integers(0, 2, 9)
    assert ours.information_gain(np.empty((9, 0)), y) == pytest.approx(0)
    assert ours.inconsistency_rate(np.empty((9, 0)), y) == pytest.approx(1 - np.bincount(y).max() / 9)


def test_xor_has_gain_only_as_a_pair():  # E67
    X = np.array(list(itertools.product([0, 1], repeat=2)))
    y = X.sum(axis=1) % 2
    assert [ours.information_gain(X[:, subset], y) for subset in ([0], [1], [0, 1])] == [0, 0, 1]


def test_gain_grows_with_noise_bits(rng):  # E55: 0 to .955 of .995 in the errata's draw
    X, y = rng.integers(0, 2, size=(100, 12)), rng.integers(0, 2, 100)
    gains = [ours.information_gain(X[:, :k], y) for k in range(13)]
    assert np.all(np.diff(gains) >= -1e-12) and gains[-1] > 0.9 * ours.entropy(y)
    assert ours.information_gain(np.arange(100), y) == pytest.approx(ours.entropy(y))  # an id column


def test_plug_in_bias_of_independent_columns(rng):  # E67: .033 measured, .0325 by the formula
    gains = [ours.information_gain(rng.integers(0, 10, 1000), rng.integers(0, 6, 1000)) for _ in range(200)]
    noise = 4 * np.std(gains) / 200**0.5
    assert np.mean(gains) == pytest.approx(ours.plug_in_bias(10, 6, 1000), abs=noise + 5e-4)
    assert ours.plug_in_bias(10, 6, 1000, base=np.e) == pytest.approx(45 / 2000)
    for none in ((0, 6, 9), (10, 0, 9), (10, 6, 0)):
        with pytest.raises(ValueError, match="levels and rows count from 1 up"):
            ours.plug_in_bias(*none)


@settings(deadline=None, max_examples=25)
@given(labels)
def test_inconsistency_by_loops(pairs):  # 0 exactly when x determines y
    x, y = zip(*pairs)
    wrong = sum(x.count(v) - max(pairs.count((v, c)) for c in set(y)) for v in set(x))
    assert ours.inconsistency_rate(x, y) == pytest.approx(wrong / len(x))
    assert (ours.inconsistency_rate(x, y) < 1e-12) == (len(set(pairs)) == len(set(x)))


def test_kl_divergence_is_scipys(rng):
    p, q = rng.dirichlet(np.ones(6), 2)
    assert ours.kl_divergence(p, q) == pytest.approx(scipy.stats.entropy(p, q, base=2))
    assert ours.kl_divergence(p, p) == 0 and ours.kl_divergence([0.5, 0.5], [1, 0]) == np.inf
    assert ours.kl_divergence([1, 0], [0.5, 0.5]) == 1


# ---------------------------------------------------------------- a score for every column
DISCRETE = {
    "auto": "auto",
    "none": False,
    "all": True,
    "mask": [False, False, True, True, True],
    "indices": [4, 3, 2],
}


@pairwise
@pytest.mark.filterwarnings("ignore:Clustering metrics expects discrete values")
@pytest.mark.parametrize("k", [1, 3, 7])
@pytest.mark.parametrize("discrete", DISCRETE)
@pytest.mark.parametrize("form", ["array", "float32", "frame"])
def test_scores_are_the_twins(rng, form, discrete, k):
    X, y, target = mixed(rng)
    X = np.clip(np.rint(X), -1, 2) if discrete == "all" else X  # the twin rounds in small classes: below
    X = {"array": X, "float32": X.astype(np.float32), "frame": pd.DataFrame(X)}[form]
    options = dict(discrete_features=DISCRETE[discrete], n_neighbors=k, random_state=0)
    np.testing.assert_allclose(
        ours.mutual_info_classif(X, y.astype(str), **options),
        twin.mutual_info_classif(X, y.astype(str), **options),
        atol=1e-13,
    )
    np.testing.assert_allclose(
        ours.mutual_info_regression(X, target, **options),
        twin.mutual_info_regression(X, target, **options),
        atol=1e-13,
    )


@pytest.mark.parametrize("discrete", ["auto", True])
@pytest.mark.parametrize("container", [sp.csr_array, sp.csc_array, sp.coo_array])
def test_sparse_columns_are_discrete(rng, container, discrete):
    X, y, target = rng.integers(-5, 4, size=(300, 7)), rng.integers(0, 3, 300), rng.normal(size=300)
    X, options = container(np.maximum(X, 0)), dict(discrete_features=discrete, random_state=0)
    for name, t in (("mutual_info_classif", y), ("mutual_info_regression", target)):
        mine, other = (getattr(module, name)(X, t, **options) for module in (ours, twin))
        np.testing.assert_allclose(mine, other, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, bool, float])
def test_levels_of_every_kind(rng, dtype, monkeypatch):
    monkeypatch.setattr(drawer, "CELLS", 250)  # three columns at a time
    monkeypatch.setattr(drawer, "ROWS", 32)
    X, y = rng.integers(0, 2 if dtype is bool else 6, size=(80, 10)).astype(dtype), rng.integers(0, 3, 80)
    if dtype is float:
        X[:, 4] /= 2
        X[:, 7] *= -1e8
    np.testing.assert_allclose(
        ours.mutual_info_classif(X, y, discrete_features=True),
        [ours.mutual_info_score(x, y) for x in X.T],
        atol=1e-14,
    )


def test_ross_by_loops(rng):  # small classes: fewer neighbours; one row: out
    x, y, k = rng.normal(size=12), np.array([0] * 6 + [1] * 4 + [2, 2]), 3
    terms = []
    for i in range(12):
        own = sorted(abs(x[i] - x[j]) for j in range(12) if y[j] == y[i] and j != i)
        k_i = min(k, len(own))
        m = sum(abs(x - x[i]) < own[k_i - 1])
        terms.append(digamma(12) + digamma(k_i) - digamma(len(own) + 1) - digamma(m))
    for ross in (information._ross, information._ross.plain):
        assert ross(x, y, k) == pytest.approx(max(0, np.mean(terms)))
        assert ross(np.append(x, 99), np.append(y, 7), k) == ross(x, y, k)
        assert ross(x, np.arange(12), k) == 0  # the twin fails here


def test_small_classes_are_right_where_the_twin_rounds():
    rng = np.random.default_rng(0)  # 7 rows, k = 3: it takes |a|² - 2ab + |b|²
    x, y = np.maximum(rng.integers(-5, 4, size=(90, 7)), 0)[:, 0], rng.normal(size=90)
    exact = [sorted(abs(y[x == x[i]] - y[i]))[3] for i in range(90)]
    m = [sum(abs(y - y[i]) < exact[i]) for i in range(90)]
    I = digamma(90) + digamma(3) - digamma(np.bincount(x)[x]).mean() - digamma(m).mean()
    assert information._ross(y, x, 3) == pytest.approx(I, abs=1e-12)
    theirs = twin.mutual_info_regression(x[:, None], y, discrete_features=True, random_state=0)
    assert abs(theirs[0] - I) > 1e-4


def test_kraskov_by_loops(rng):
    x, y, k = rng.normal(size=15), rng.normal(size=15), 2
    terms = []
    for i in range(15):
        r = sorted(np.maximum(abs(x - x[i]), abs(y - y[i])))[k]  # the first is i itself
        n_x, n_y = (sum(abs(v - v[i]) < r) for v in (x, y))
        terms.append(digamma(15) + digamma(k) - digamma(n_x) - digamma(n_y))
    assert information._kraskov(x, y, k) == pytest.approx(max(0, np.mean(terms)))
    assert information._kraskov(x, x, k) > 1


@pytest.mark.parametrize("shift", [0, 0.3, -2.05, 1e9])
def test_counts_on_the_line_survive_rounding(rng, shift):  # x ± r lands on or beside another value
    for k in [1, 2, 3, 5] * 100:
        v = np.sort(rng.choice(60, 12, replace=False)) * 0.1 + shift
        D = abs(v[:, None] - v)
        r = np.sort(D, axis=1)[:, k]
        np.testing.assert_array_equal(drawer.kth_distance(v, k), r)
        np.testing.assert_array_equal(drawer.how_many_nearer(v, v, r), (D < r[:, None]).sum(axis=1))


def test_equal_values_are_parted_as_in_the_twin(rng):  # the noise decides, and its scale matters
    X, y = rng.integers([0, -1, 5], [3, 2, 9], size=(200, 3)), rng.integers(4, 7, 200)
    X[:, 0] *= X[:, 0]
    X = np.column_stack([X, np.full(200, 3)])
    np.testing.assert_allclose(
        ours.mutual_info_regression(X, y, random_state=1),
        twin.mutual_info_regression(X, y, random_state=1),
        atol=1e-13,
    )
    np.testing.assert_allclose(
        ours.mutual_info_classif(X, y, random_state=1),
        twin.mutual_info_classif(X, y, random_state=1),
        atol=1e-13,
    )


@pytest.mark.parametrize("rho", [0.9, 0.5, 0])
def test_gaussian_information(rho):  # -ln(1 - ρ²)/2; Kraskov et al. 2004
    x, e = np.random.default_rng(0).normal(size=(2, 5000 if _fast.is_open() else 3000))
    y = rho * x + (1 - rho**2) ** 0.5 * e
    I = ours.mutual_info_regression(x[:, None], y, random_state=0)[0]
    assert I == pytest.approx(-np.log(1 - rho**2) / 2, abs=0.03)


def test_information_sees_what_means_do_not(rng):  # E66: equal means, σ .3 and 3: MI .44
    y = np.repeat([0, 1], 1000)
    x = rng.normal(0, np.where(y, 3, 0.3))
    assert ours.mutual_info_classif(x[:, None], y, random_state=0)[0] == pytest.approx(0.44, abs=0.05)
    assert ours.f_classif(x[:, None], y)[1][0] > 0.05


def test_constant_columns_and_column_order(rng):
    X, y, _ = mixed(rng)
    X[:, 3] = 5.0
    one = ours.mutual_info_classif(X, y, discrete_features=[2, 3, 4])
    two = ours.mutual_info_classif(X[:, ::-1], y, discrete_features=[0, 1, 2])
    assert one[3] == 0 and one[[2, 4]] == pytest.approx(two[[2, 0]], abs=1e-14)


def test_n_jobs_and_random_state_give_the_same(rng, monkeypatch):
    X, y, target = mixed(rng)
    jobs_of, options = [], dict(discrete_features=[2], random_state=3)
    monkeypatch.setattr(information, "Parallel", lambda **o: jobs_of.append(o["n_jobs"]) or Parallel(**o))
    with parallel_config(backend="threading"):
        for score, t in ((ours.mutual_info_classif, y), (ours.mutual_info_regression, target)):
            np.testing.assert_array_equal(*(score(X, t, n_jobs=jobs, **options) for jobs in (None, 2)))
    assert jobs_of == [None, 2, None, None, 2, 2]  # the discrete columns of a regression too


@pytest.mark.speed
def test_tables_are_as_small_as_the_levels():
    X = np.array([[3, -2], [5, -2], [5, -1]])
    levels, low, n_levels = drawer.whole_levels(X)
    assert low.tolist() == [3, -2] and n_levels.tolist() == [3, 2] and np.shares_memory(levels, X)
    levels, low, n_levels = drawer.whole_levels(X * 1.5)  # no whole numbers: places among the sorted
    assert (
        levels.tolist() == [[0, 0], [1, 0], [1, 1]] and low.tolist() == [0, 0] and n_levels.tolist() == [2, 2]
    )
    assert drawer.ROWS > 100  # or counting is a loop over the rows


# ---------------------------------------------------------------- bad input
X3, X8 = np.arange(6.0).reshape(3, 2), np.arange(16.0).reshape(8, 2)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ours.entropy([]), "one value for each row"),
        (lambda: ours.entropy([1.0, np.nan]), "y has blanks"),
        (lambda: ours.information_gain([[1, 2], [3, np.nan]], [0, 1]), "Column 1 of X has blanks"),
        (
            lambda: ours.information_gain(pd.DataFrame({"a": ["u", pd.NA]}), [0, 1]),
            "Column 0 of X has blanks",
        ),
        (lambda: ours.information_gain([1, 2, 3], [0, 1]), "inconsistent numbers of samples"),
        (lambda: ours.inconsistency_rate([1, 2, 3], [0, 1]), "inconsistent numbers of samples"),
        (lambda: ours.mutual_info_score(contingency=[[0, 0]]), "some above 0"),
        (lambda: ours.mutual_info_score(contingency=[[2, -1]]), "none negative"),
        (lambda: ours.mutual_info_score(contingency=[2, 1]), "two dimensions"),
        (lambda: ours.kl_divergence([0.5, 0.5], [1.0]), r"p has shape \(2,\), q \(1,\)"),
        (lambda: ours.kl_divergence([0.5, 0.6], [0.5, 0.5]), "p is no distribution"),
        (lambda: ours.kl_divergence([0.5, 0.5], [1.5, -0.5]), "q is no distribution"),
        (lambda: ours.kl_divergence([np.nan, 0.5], [0.5, 0.5]), "p is no distribution"),
        (lambda: ours.kl_divergence([1.0, 0.0], [0.5, 0.5], base=0.5), "base=0.5"),
        (lambda: ours.mutual_info_classif(X8, np.linspace(0, 1, 8)), "Unknown label type"),
        (lambda: ours.mutual_info_classif(np.where(X8 == 4, np.nan, X8), [0, 1] * 4), "X contains NaN"),
        (lambda: ours.mutual_info_classif(X8, [0, 1] * 4, n_neighbors=0), "at least one neighbour"),
        (
            lambda: ours.mutual_info_classif(X8, [0, 1] * 4, discrete_features="some"),
            "discrete_features='some': use 'auto', bool, mask or indices",
        ),
        (
            lambda: ours.mutual_info_classif(sp.csr_array(X8), [0, 1] * 4, discrete_features=[0]),
            "Sparse matrix",
        ),
        (lambda: ours.mutual_info_regression(X3, [1.0, 2.0, 4.0]), "n_neighbors=3, but each of the 3 rows"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
