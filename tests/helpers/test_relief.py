"""Relief and ReliefF: equal to slow double loops, blind to units, aware of pairs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectKBest

from helpers.methods import relief as module
from helpers.methods.relief import relief_scores, relieff_scores


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def by_loops(X, y, discrete, power, m, pooled):
    """Scores by the definition; `pooled`: misses of all other classes together (Relief)."""
    n, d = X.shape
    width = np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1)
    w, share = np.zeros(d), {c: np.mean(y == c) for c in set(y)}
    for i in range(n):
        diffs = np.array([
            [
                float(X[i, j] != X[o, j]) if discrete[j] else abs((X[i, j] - X[o, j]) / width[j]) ** power
                for j in range(d)
            ]
            for o in range(n)
        ])
        others = sorted((o for o in range(n) if o != i), key=lambda o, diffs=diffs: diffs[o].sum())

        def near(classes, diffs=diffs, others=others):
            return diffs[[o for o in others if y[o] in classes][:m]].mean(axis=0)

        rest = set(y) - {y[i]}
        w -= near({y[i]})
        w += near(rest) if pooled else sum(share[c] / (1 - share[y[i]]) * near({c}) for c in rest)
    return w / n


def draw(rng, kind, n=22, d=5, n_classes=2):
    """Rows, labels and the mask of discrete columns; every class has at least four rows."""
    y = np.append(np.repeat(np.arange(n_classes), 4), rng.integers(0, n_classes, n - 4 * n_classes))
    X = rng.normal(5, 3, size=(n, d))
    discrete = np.arange(d) < {"amounts": 0, "mixed": 2, "codes": d}[kind]
    X[:, discrete] = rng.integers(0, 3, size=(n, discrete.sum()))
    return X, y, discrete


@pytest.mark.parametrize(
    "kind, power, n_classes",
    [("amounts", 1, 3), ("amounts", 2, 2), ("mixed", 2, 3), ("mixed", 1, 2), ("codes", 2, 3)],
)
def test_scores_are_those_of_the_slow_loops(rng, monkeypatch, kind, power, n_classes):
    monkeypatch.setattr(module, "BLOCK", 3)
    X, y, discrete = draw(rng, kind, n_classes=n_classes)
    for m in (1, 3, 50):  # 50: all that a class has
        ours = relieff_scores(X, y, m, power=power, discrete=discrete)
        np.testing.assert_allclose(ours, by_loops(X, y, discrete, power, m, False), atol=1e-12)
    ours = relief_scores(X, y, discrete=discrete)
    np.testing.assert_allclose(ours, by_loops(X, y, discrete, 2, 1, True), atol=1e-12)


def test_relieff_is_relief_for_two_classes_and_one_neighbour(rng):  # E69: weights that sum to 1
    X, y, discrete = draw(rng, "mixed", n=60)
    one, two = relief_scores(X, y, discrete=discrete), relieff_scores(X, y, 1, discrete=discrete)
    np.testing.assert_allclose(one, two, atol=1e-14)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.floats(0.1, 1e4), st.floats(-1e3, 1e3))
def test_units_order_and_names_do_not_matter(seed, scale, shift):  # item 08.32: ranges become 1
    X, y, _ = draw(np.random.default_rng(seed), "amounts")
    w = relieff_scores(X, y, 3)
    table = pd.DataFrame((X * [scale, 1, 1, 1, 1] + shift)[:, ::-1], columns=list("edcba"))
    other = relieff_scores(table, np.array(["no", "yes"])[y], 3)
    np.testing.assert_allclose(other[::-1], w, atol=1e-8)
    assert (abs(w) <= 1).all()


def test_xor_is_seen_as_a_pair_and_selected(rng):  # item 08.33: single scores are 0
    X = rng.random((300, 4))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    for scores in (relief_scores, relieff_scores):
        w = scores(X, y)
        assert w[:2].min() > 0.025 > 0.015 > w[2:].max()
        assert SelectKBest(scores, k=2).fit(X, y).get_support().tolist() == [True, True, False, False]


def test_a_row_is_not_its_own_hit_and_a_copied_row_is_one(rng):
    X, y = rng.random((200, 3)), rng.integers(0, 2, 200)
    assert abs(relief_scores(X, y)).max() < 0.03  # or noise would look useful
    assert (relief_scores(np.repeat(X[:9], 2, axis=0), np.repeat(np.arange(9) % 2, 2)) >= 0).all()


def test_constant_columns_weigh_nothing(rng):
    X, y, _ = draw(rng, "amounts")
    X[:, 1] = 7
    assert relieff_scores(X, y)[1] == 0


def test_breast_cancer_is_skrebates():
    """skrebate 0.8.4, ReliefF(n_neighbors=10), its columns 0, 10 and 20; for two classes Kononenko's."""
    theirs = {0: 0.083020762658, 10: 0.0320399721631, 20: 0.106655331584}
    scores = relieff_scores(*load_breast_cancer(return_X_y=True), power=1)
    np.testing.assert_allclose(scores[list(theirs)], list(theirs.values()), rtol=1e-10)


REFUSED = {
    "one class": (lambda X: relief_scores(X, [1, 1, 1, 1]), "y has one class"),
    "a class of one row": (lambda X: relief_scores(X, [0, 0, 0, 1]), "Class 1 has one row"),
    "a blank": (lambda X: relief_scores(X * [1, 1, 1, np.nan], [0, 0, 1, 1]), "NaN"),
    "numbers for classes": (lambda X: relief_scores(X, [0.1, 0.2, 0.3, 0.4]), "Unknown label type"),
    "another power": (lambda X: relieff_scores(X, [0, 0, 1, 1], power=3), "power=3: use 1"),
    "indices": (lambda X: relief_scores(X, [0, 0, 1, 1], discrete=[0, 2]), "one for each of 4 columns"),
    "a short mask": (lambda X: relief_scores(X, [0, 0, 1, 1], discrete=[True]), "one for each of 4 columns"),
    "no neighbour": (lambda X: relieff_scores(X, [0, 0, 1, 1], 0), "m=0: ask a whole number"),
}


@pytest.mark.parametrize("call, message", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.eye(4))
