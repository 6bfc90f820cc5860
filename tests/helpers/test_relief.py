"""Relief and ReliefF: equal to slow double loops, blind to units, aware of pairs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.utils.parallel import Parallel

from helpers._fast import relief as drawer
from helpers.feature_selection import Relief, ReliefF, relief
from tests.helpers.covering import pairwise

nan = np.nan


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# ---------------------------------------------------------------- the slow double loop
def one_diff(a, b, values_a, values_b, discrete, power):
    """diff of two values of one feature; a blank meets every value seen in its class."""
    if np.isnan(a):
        return np.mean([one_diff(v, b, values_a, values_b, discrete, power) for v in values_a])
    if np.isnan(b):
        return np.mean([one_diff(a, v, values_a, values_b, discrete, power) for v in values_b])
    return float(a != b) if discrete else abs(a - b) ** power


def by_loops(X, y, discrete, power, k, pooled, rows):
    """Weights by the definition; `pooled`: misses of all other classes together (Relief)."""
    n, d = X.shape
    Z = X.astype(float)
    for j in np.flatnonzero(~discrete):
        low, high = np.nanmin(X[:, j]), np.nanmax(X[:, j])
        Z[:, j] = (X[:, j] - low) / (high - low or 1)
    seen = {}
    for c, j in itertools.product(set(y), range(d)):
        values = Z[y == c, j][~np.isnan(Z[y == c, j])]
        seen[c, j] = values if len(values) else Z[:, j][~np.isnan(Z[:, j])]
    w = np.zeros(d)
    for i in rows:
        diffs = np.array([
            [one_diff(Z[i, j], Z[m, j], seen[y[i], j], seen[y[m], j], discrete[j], power) for j in range(d)]
            for m in range(n)
        ])
        distance, others = diffs.sum(axis=1), [m for m in range(n) if m != i]
        by_distance = sorted(others, key=lambda m: distance[m])

        def near(classes, diffs=diffs, by_distance=by_distance):
            return diffs[[m for m in by_distance if y[m] in classes][:k]].mean(axis=0)

        share, rest = {c: np.mean(y == c) for c in set(y)}, set(y) - {y[i]}
        w -= near({y[i]})
        w += near(rest) if pooled else sum(share[c] / (1 - share[y[i]]) * near({c}) for c in rest)
    return w / len(rows)


def draw(rng, kind, n=22, d=5, n_classes=2):
    """Rows, labels and the mask of discrete columns; every class has at least four rows."""
    y = np.append(np.repeat(np.arange(n_classes), 4), rng.integers(0, n_classes, n - 4 * n_classes))
    X = rng.normal(5, 3, size=(n, d))
    discrete = np.arange(d) < {"continuous": 0, "mixed": 2, "discrete": d, "blanks": 2}[kind]
    X[:, discrete] = rng.integers(0, 3, size=(n, discrete.sum()))
    if kind == "blanks":
        X[rng.random((n, d)) < 0.25] = nan
        X[y == 1, 3] = X[y == 1, 1] = nan  # never seen in class 1
    return X, y, discrete


@pairwise
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("kind", ["continuous", "mixed", "discrete", "blanks"])
def test_weights_are_those_of_the_slow_loops(rng, monkeypatch, kind, power, n_classes):
    monkeypatch.setattr(drawer, "BLOCK", 70)  # three rows at a time
    X, y, discrete = draw(rng, kind, n_classes=n_classes)
    for k in (1, 3, 50):  # 50: all that a class has
        model = ReliefF(n_neighbors=k, power=power, discrete_features=discrete).fit(X, y)
        loops = by_loops(X, y, discrete, power, k, False, range(22))
        np.testing.assert_allclose(model.feature_importances_, loops, atol=1e-12)
    model = Relief(power=power, discrete_features=np.flatnonzero(discrete)).fit(X, y)
    loops = by_loops(X, y, discrete, power, 1, True, range(22))
    np.testing.assert_allclose(model.feature_importances_, loops, atol=1e-12)


def test_sampled_rows(rng):
    X, y, discrete = draw(rng, "mixed")
    model = ReliefF(n_neighbors=2, discrete_features=discrete, n_samples=7, random_state=3).fit(X, y)
    rows = np.random.RandomState(3).choice(22, 7, replace=False)
    loops = by_loops(X, y, discrete, 1, 2, False, rows)
    np.testing.assert_allclose(model.feature_importances_, loops, atol=1e-12)
    other = clone(model).set_params(random_state=4).fit(X, y)
    assert not np.allclose(model.feature_importances_, other.feature_importances_)


def test_kononenkos_formula_for_discrete_blanks():  # 1 - P(v|c); 1 - sum_v P(v|c) P(v|c')
    X = np.array([[0, 0], [0, 0], [1, 0], [nan, 0], [1, 0], [1, 0], [0, 0], [nan, 0.0]])
    d = relief._Difference(X, np.repeat([0, 1], 4), np.array([True, False]), 1)
    rows, others = np.array([3, 0, 3]), np.array([[0], [7], [7]])
    found = d(rows, others)[:, 0, 0]
    np.testing.assert_allclose(found, [1 - 2 / 3, 1 - 1 / 3, 1 - 2 / 9 - 2 / 9])
    between = d.blanks.between_classes
    np.testing.assert_allclose(between, between.transpose(1, 0, 2))


def test_relieff_is_relief_for_two_classes_and_one_neighbour(rng):  # E69: weights that sum to 1
    X, y, discrete = draw(rng, "mixed", n=60)
    one = Relief(discrete_features=discrete).fit(X, y)
    two = ReliefF(n_neighbors=1, power=2, discrete_features=discrete).fit(X, y)
    np.testing.assert_allclose(one.feature_importances_, two.feature_importances_, atol=1e-14)


# ---------------------------------------------------------------- what the weights say
@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.floats(0.1, 1e4), st.floats(-1e3, 1e3))
def test_units_and_order_do_not_matter(seed, scale, shift):  # item 08.32: ranges become 1
    X, y, discrete = draw(np.random.default_rng(seed), "continuous")
    w = ReliefF(n_neighbors=3).fit(X, y).feature_importances_
    other = ReliefF(n_neighbors=3).fit((X * [scale, 1, 1, 1, 1] + shift)[:, ::-1], -y).feature_importances_
    np.testing.assert_allclose(other[::-1], w, atol=1e-8)
    assert (abs(w) <= 1).all()


def test_xor_is_seen_as_a_pair(rng):  # item 08.33: single scores are 0
    X = rng.random((300, 4))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    for model in (Relief(2), ReliefF(2)):
        w = model.fit(X, y).feature_importances_
        assert set(model.top_features_[:2]) == {0, 1} and w[:2].min() > 0.025 > 0.015 > w[2:].max()


def test_all_rows_may_be_sampled_and_one_too(rng):
    X, y, discrete = draw(rng, "mixed")
    every, all_22 = (Relief(n_samples=m, discrete_features=discrete).fit(X, y) for m in (None, 22))
    np.testing.assert_array_equal(every.feature_importances_, all_22.feature_importances_)
    one = [Relief(n_samples=1, discrete_features=discrete, random_state=s).fit(X, y) for s in range(3)]
    assert abs(one[0].feature_importances_).max() > 0


def test_equal_weights_keep_their_order():
    model = Relief(12)
    model.feature_importances_ = np.tile([0.5, 0.25], 20)
    model._choose()
    assert model.get_support(indices=True).tolist() == list(range(0, 24, 2))


def test_a_row_is_not_its_own_hit(rng):  # or noise would look useful
    X, y = rng.random((200, 3)), rng.integers(0, 2, 200)
    assert abs(ReliefF(n_neighbors=1).fit(X, y).feature_importances_).max() < 0.03


def test_a_copied_row_is_a_hit(rng):
    X = np.repeat(rng.random((10, 3)), 2, axis=0)
    assert (Relief().fit(X, np.repeat(rng.integers(0, 2, 10), 2)).feature_importances_ >= 0).all()


def test_constant_columns_weigh_nothing(rng):
    X, y, discrete = draw(rng, "continuous")
    X[:, 1] = 7
    assert ReliefF().fit(X, y).feature_importances_[1] == 0


def test_breast_cancer_in_the_order_of_the_slow_loops():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.arange(0, 569, 12)
    loops = by_loops(X[rows][:, :8], y[rows], np.zeros(8, bool), 1, 10, False, range(len(rows)))
    np.testing.assert_allclose(ReliefF().fit(X[rows][:, :8], y[rows]).feature_importances_, loops, rtol=1e-10)


def test_breast_cancer_is_skrebates():
    """skrebate 0.8.4, ReliefF(n_neighbors=10); with more than two classes its weights are not Kononenko's."""
    theirs = [
        0.083020762658,
        0.0583546355406,
        0.0827498400231,
        0.0711697439462,
        0.0218193844558,
        0.024793836168,
        0.0614397657065,
        0.0790623657003,
        0.00861346327954,
        0.0256114867716,
        0.0320399721631,
        0.0182412202666,
        0.0255534305679,
        0.0267943941262,
        0.0149708933532,
        0.0110113127546,
        0.00881791766523,
        0.0156946997271,
        0.0179086111047,
        0.00855223859536,
        0.106655331584,
        0.0896778191643,
        0.0995291270833,
        0.0790104318205,
        0.0394957758879,
        0.029578402957,
        0.0569883090395,
        0.103916629524,
        0.0191659763932,
        0.0133482820813,
    ]
    model = ReliefF(n_neighbors=10).fit(*load_breast_cancer(return_X_y=True))
    np.testing.assert_allclose(model.feature_importances_, theirs, rtol=1e-10)


# ---------------------------------------------------------------- choice of features, form of input
@pytest.mark.parametrize(
    "how_many, threshold, kept",
    [(None, 0, [0, 1]), (None, 0.5, [1]), (3, 0.5, [0, 1, 2]), (0.25, 0, [1]), (1.0, 0, [0, 1, 2, 3])],
)
def test_choice(how_many, threshold, kept):
    model = Relief(how_many, threshold=threshold)
    model.feature_importances_, model.n_features_in_ = np.array([0.1, 0.6, 0.0, -0.2]), 4
    model._choose()
    assert model.get_support(indices=True).tolist() == kept and model.top_features_.tolist() == [1, 0, 2, 3]


def test_pandas_names_and_text_labels(rng):
    X, y, _ = draw(rng, "blanks")
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = ReliefF(2, discrete_features=[0, 1]).set_output(transform="pandas")
    model.fit(frame, np.array(["no", "yes"])[y])
    kept = [c for c, s in zip("abcde", model.support_) if s]
    assert list(model.transform(frame)) == list(model.get_feature_names_out()) == kept
    assert model.classes_.tolist() == ["no", "yes"]
    with pytest.raises(ValueError, match="requires y"):
        model.fit(frame, None)


def test_jobs_and_progress_change_nothing(rng, monkeypatch, capsys):
    monkeypatch.setattr(drawer, "BLOCK", 100)
    X, y, discrete = draw(rng, "mixed")
    jobs_of = []
    monkeypatch.setattr(relief, "Parallel", lambda **o: jobs_of.append(o["n_jobs"]) or Parallel(**o))
    with parallel_config(backend="threading"):
        one, two = (ReliefF(n_jobs=jobs, progress=jobs > 1).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(one.feature_importances_, two.feature_importances_)
    assert jobs_of == [1, 2]
    assert "ReliefF: 100%" in capsys.readouterr().err
    Relief().fit(X, y)
    ReliefF().fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "model, X, y, message",
    [
        (Relief(), np.ones((4, 2)), [1, 1, 1, 1], "y has one class"),
        (Relief(), np.ones((4, 2)), [0, 0, 0, 1], "Class 1 has one row"),
        (Relief(), [[1, nan], [2, nan], [3, nan], [4, nan]], [0, 0, 1, 1], "Column 1 has no value at all"),
        (Relief(), np.full((4, 2), np.inf), [0, 0, 1, 1], "infinity"),
        (Relief(), np.eye(4), [0.1, 0.2, 0.3, 0.4], "Unknown label type"),
        (Relief(power=3), np.eye(4), [0, 0, 1, 1], "power=3"),
        (ReliefF(discrete_features=[7]), np.eye(4), [0, 0, 1, 1], r"\[7\] does not fit X with its 4 columns"),
        (ReliefF(discrete_features=[True]), np.eye(4), [0, 0, 1, 1], "give a mask with one value for each"),
        (ReliefF(discrete_features="auto"), np.eye(4), [0, 0, 1, 1], "'auto': use bool, mask or indices"),
        (ReliefF(n_neighbors=0), np.eye(4), [0, 0, 1, 1], "n_neighbors=0"),
        (Relief(n_samples=5), np.eye(4), [0, 0, 1, 1], "n_samples=5: the table has 4 rows"),
        (Relief(n_samples=0), np.eye(4), [0, 0, 1, 1], "n_samples=0"),
        (Relief(0.0), np.eye(4), [0, 0, 1, 1], "n_features_to_select=0.0"),
        (Relief(2.0), np.eye(1), [0], "minimum of 2"),
        (Relief(1.1), np.eye(4), [0, 0, 1, 1], "n_features_to_select=1.1"),
        (Relief(1.25), np.eye(4), [0, 0, 1, 1], "n_features_to_select=1.25"),
        (Relief(5), np.eye(4), [0, 0, 1, 1], "n_features_to_select=5, n_features=4"),
        (Relief(0), np.eye(4), [0, 0, 1, 1], "n_features_to_select=0"),
        (Relief(0.1), np.eye(4), [0, 0, 1, 1], "n_features_to_select=0.1"),
        (Relief(1.5), np.eye(4), [0, 0, 1, 1], "n_features_to_select=1.5"),
    ],
)
def test_errors_say_what_is_wrong(model, X, y, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)
