"""Canonical correlations against scikit-learn, SAS, matrix roots and their own optimality, chapter 3."""

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cross_decomposition import CCA as Twin
from sklearn.datasets import load_linnerud
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from helpers.comparing import close, same_subspace, same_up_to_scale, same_up_to_sign
from helpers.cross_decomposition import CCA, _deviations
from tests.helpers.covering import each_value

RIDGES = [0, 0.5, (0.1, 2.0), (0, 1.0), (3.0, 0)]


def views(n=60, d_x=5, d_y=4, shared=3, noise=0.7, far=0.0, seed=0):
    """Two tables that look at the same hidden signals."""
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n, shared))
    return tuple(S @ rng.normal(size=(shared, d)) + noise * rng.normal(size=(n, d)) + far for d in (d_x, d_y))


def with_a_sum(X, Y):
    return np.column_stack([X, X[:, 0] + X[:, 1]]), Y


DATA = {
    "two tables": views(),
    "more features in y": views(d_x=2, d_y=6),
    "one feature in x": views(d_x=1),
    "y a column": views(d_y=1),
    "mean far from 0": views(far=1e4),
    "duplicated rows": tuple(np.repeat(V, 2, axis=0) for V in views()),
    "a feature is the sum of two": with_a_sum(*views()),
}


FEW = ("two tables", "one feature in x")  # for what follows from the rest
over_few = pytest.mark.parametrize("pair", [DATA[name] for name in FEW], ids=FEW)


@pytest.fixture(params=DATA)
def pair(request):
    return DATA[request.param]


def fitted(X, Y, ridge=0):
    return CCA(min(*(np.linalg.matrix_rank(V - V.mean(axis=0)) for V in (X, Y))), ridge=ridge).fit(X, Y)


def covariances(X, Y, ridge):
    r1, r2 = np.broadcast_to(ridge, 2)
    S, p = np.cov(X.T, Y.T), X.shape[1]
    return S[:p, :p] + r1 * np.eye(p), S[:p, p:], S[p:, p:] + r2 * np.eye(Y.shape[1])


def paired(A, B):
    """Correlation of the i-th columns."""
    return [np.corrcoef(a, b)[0, 1] for a, b in zip(A.T, B.T)]


class TestTwin:
    def test_same_scores_up_to_length(self, pair):
        X, Y = pair
        ours, k = fitted(X, Y), min(X.shape[1], Y.shape[1])
        twin = Twin(k, max_iter=100_000, tol=1e-20).fit(X, Y)
        for a, b in zip(ours.transform(X, Y), twin.transform(X, Y)):
            assert same_up_to_scale(a * np.sign((a * b).sum(axis=0)), b, 1e-6)

    @over_few
    def test_same_correlations(self, pair):
        X, Y = pair
        twin = Twin(min(X.shape[1], Y.shape[1]), max_iter=100_000, tol=1e-20).fit(X, Y)
        assert close(fitted(X, Y).correlations_, paired(*twin.transform(X, Y)), 1e-8)


class TestBruteForce:
    @each_value
    @pytest.mark.parametrize("ridge", RIDGES)
    @pytest.mark.parametrize("name", ["two tables", "more features in y", "one feature in x", "y a column"])
    def test_by_symmetric_roots(self, name, ridge):
        X, Y = DATA[name]
        S11, S12, S22 = covariances(X, Y, ridge)
        A, B = np.linalg.inv(scipy.linalg.sqrtm(S11)), np.linalg.inv(scipy.linalg.sqrtm(S22))
        U, D, Vt = np.linalg.svd(A @ S12 @ B, full_matrices=False)
        cca = fitted(X, Y, ridge)
        assert close(cca.correlations_, D)
        assert same_up_to_sign(cca.x_rotations_, A @ U) and same_up_to_sign(cca.y_rotations_, B @ Vt.T)

    def test_by_orthonormal_bases(self, pair):
        Q, P = (scipy.linalg.orth(V - V.mean(axis=0)) for V in pair)
        assert close(fitted(*pair).correlations_, np.linalg.svd(Q.T @ P)[1])

    @pytest.mark.parametrize("ridge", RIDGES)
    def test_squares_are_eigenvalues(self, ridge):  # erratum E18
        S11, S12, S22 = covariances(*DATA["two tables"], ridge)
        values = scipy.linalg.eigvals(np.linalg.solve(S11, S12) @ np.linalg.solve(S22, S12.T)).real
        assert close(fitted(*DATA["two tables"], ridge).correlations_ ** 2, np.sort(values)[::-1][:4])

    @pytest.mark.parametrize("ridge", [0.1, (2.0, 0.3)])
    def test_fewer_rows_than_features(self, ridge):
        X, Y = views(n=8, d_x=20, d_y=12)
        S11, S12, S22 = covariances(X, Y, ridge)
        cca = CCA(3, ridge=ridge).fit(X, Y)
        assert close(cca.x_rotations_.T @ S12 @ cca.y_rotations_, np.diag(cca.correlations_))
        squares = scipy.linalg.eigh(S12 @ np.linalg.solve(S22, S12.T), S11)[0]
        assert close(cca.correlations_**2, squares[:-4:-1])


class TestOptimal:
    @each_value
    @pytest.mark.parametrize("pair", DATA.values(), ids=DATA)
    @pytest.mark.parametrize("ridge", RIDGES)
    def test_projections_are_white_and_cross_covariance_is_diagonal(self, pair, ridge):
        cca, (S11, S12, S22) = fitted(*pair, ridge), covariances(*pair, ridge)
        W1, W2, one = cca.x_rotations_, cca.y_rotations_, np.eye(len(cca.correlations_))
        assert close(W1.T @ S11 @ W1, one) and close(W2.T @ S22 @ W2, one)
        assert close(W1.T @ S12 @ W2, np.diag(cca.correlations_))

    @over_few
    def test_scores_correlate_by_d(self, pair):
        cca = fitted(*pair)
        assert close(paired(*cca.transform(*pair)), cca.correlations_)
        assert (np.diff(cca.correlations_) <= 0).all() and cca.correlations_[-1] >= 0

    def test_no_other_pair_correlates_more(self):
        (X, Y), rng = DATA["two tables"], np.random.default_rng(0)
        rivals = paired(X @ rng.normal(size=(5, 3000)), Y @ rng.normal(size=(4, 3000)))
        assert np.abs(rivals).max() <= CCA(1).fit(X, Y).correlations_[0]

    def test_a_ridge_shrinks(self):
        D = np.array([fitted(*DATA["two tables"], r).correlations_ for r in (0, 0.01, 0.1, 1, 10)])
        assert (np.diff(D, axis=0) < 0).all()

    @settings(deadline=None, max_examples=20)
    @given(st.integers(0, 10_000), st.floats(1e-5, 1e5), st.floats(-1e4, 1e4))
    def test_units_and_origin_do_not_matter_without_a_ridge(self, seed, unit, shift):
        X, Y = views(seed=seed)
        X2, Y2 = (X + shift) * [unit, 1, 1 / unit, 2, 3], Y * unit - shift
        a, b = CCA(3).fit(X, Y), CCA(3).fit(X2, Y2)
        assert close(a.correlations_, b.correlations_, 1e-6)
        assert all(same_up_to_sign(p, q, 1e-4) for p, q in zip(a.transform(X, Y), b.transform(X2, Y2)))

    def test_finds_what_single_features_hide(self):  # item 03.11
        rng = np.random.default_rng(0)
        s, a, b = rng.normal(size=(3, 2000))
        X, Y = np.column_stack([a, a + 0.1 * s]), np.column_stack([b, b + 0.1 * s])
        assert np.abs(np.corrcoef(X.T, Y.T)[:2, 2:]).max() < 0.1
        assert CCA(1).fit(X, Y).correlations_[0] > 0.999


class TestFewRows:
    def test_noise_correlates_by_one(self):  # item 03.15
        X, Y = np.random.default_rng(0).normal(size=(2, 8, 10))
        with pytest.warns(
            UserWarning, match="8 rows .*ranks 7 and 7, so that 7 of .* even for noise.*ridge"
        ) as w:
            cca = CCA(7).fit(X, Y)
        assert w[0].filename == __file__  # it points at the caller
        assert close(cca.correlations_, np.ones(7)) and cca.correlations_.max() <= 1
        assert CCA(1, ridge=1.0).fit(X, Y).correlations_[0] < 0.95  # and no warning

    def test_as_many_as_the_subspaces_must_share(self):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(12, 6)), rng.normal(size=(12, 8))
        with pytest.warns(UserWarning, match="that 3 of the"):
            D = CCA(6).fit(X, Y).correlations_
        assert close(D[:3], np.ones(3)) and D[3] < 0.99

    def test_just_enough_rows(self):  # 4 + 3 = 8 - 1: no warning
        rng = np.random.default_rng(0)
        with pytest.warns(UserWarning, match="that 1 of the"):
            CCA(1).fit(rng.normal(size=(8, 4)), rng.normal(size=(8, 4)))
        assert CCA(1).fit(rng.normal(size=(8, 4)), rng.normal(size=(8, 3))).correlations_[0] < 1 - 1e-6

    def test_one_ridge_is_enough(self):
        X, Y = np.random.default_rng(0).normal(size=(2, 8, 10))
        assert CCA(1, ridge=(0, 1.0)).fit(X, Y).correlations_[0] < 1 - 1e-3
        two = CCA(1, ridge=1.0).fit([[0.0], [2.0]], [0.0, 2.0])  # cov / √((var + 1)(var + 1)), all three 2
        assert close(two.correlations_, [2 / 3])


class TestScore:
    @over_few
    def test_on_the_training_rows_it_is_the_sum_of_d(self, pair):
        cca = fitted(*pair)
        assert close([cca.score(*pair)], [cca.correlations_.sum()])

    @pytest.mark.parametrize("ridge", RIDGES)
    def test_on_other_rows(self, ridge):
        X, Y = views(n=200)
        cca = CCA(3, ridge=ridge).fit(X[:100], Y[:100])
        score = cca.score(X[100:], Y[100:])
        assert close([score], [sum(paired(*cca.transform(X[100:], Y[100:])))]) and 1 < score < 3

    def test_a_correlation_has_no_units(self):
        X, Y = DATA["two tables"]
        cca = CCA(2).fit(X, Y)
        near = [1e-4 * (V - V.mean(axis=0)) + V.mean(axis=0) for V in (X, Y)]
        assert close([cca.score(*near)], [cca.score(X, Y)], 1e-6)

    def test_constant_projection_counts_nothing(self):
        X, Y = DATA["two tables"]
        cca = CCA(2).fit(X, Y)
        assert all(cca.score(np.ones((n, 5)), Y[:n]) == 0 for n in range(1, 30))  # nor does its rounding
        almost = cca.x_mean_ + 1 + 1e-9 * (X - X.mean(axis=0))
        assert close([cca.score(almost, Y)], [cca.correlations_.sum()], 1e-5)

    def test_chooses_a_ridge(self):
        X, Y = views(n=130, d_x=14, d_y=14, shared=1, noise=1.0)
        search = GridSearchCV(CCA(1), {"ridge": [1e-6, 1e-3, 10.0]}, cv=3).fit(X[:30], Y[:30])
        assert search.best_params_ == {"ridge": 10.0} and search.score(X[30:], Y[30:]) > 0.9
        assert CCA(1, ridge=1e-6).fit(X[:30], Y[:30]).score(X[30:], Y[30:]) < 0.6

    def test_rounding_is_measured_by_the_columns_own_size(self):
        centred = np.array([[-1.0], [0.0], [1.0]])  # one row on the mean
        assert close(_deviations(centred + 1), centred)
        Z = np.random.default_rng(0).normal(size=(9, 2))
        for units in ([1e-9, 1e-9], [1e-14, 1.0]):
            assert (_deviations(Z * units) != 0).all() and close(
                _deviations(Z * units), _deviations(Z) * units
            )


class TestReference:
    def test_fitness_club(self):
        """SAS/STAT PROC CANCORR, example 1: 20 men, three exercises and three measurements."""
        club = load_linnerud()
        cca = CCA(3).fit(club.data, club.target)
        assert np.abs(cca.correlations_ - [0.795608, 0.200556, 0.07257]).max() < 1e-6


class TestInterface:
    def test_the_second_view_is_needed_and_taken_in_double_precision(self):
        assert CCA().__sklearn_tags__().target_tags.required
        X, Y = views(far=1000.0)
        assert CCA().fit(X, Y.astype(np.float32)).y_mean_.dtype == float

    @pytest.mark.parametrize("method", ["transform", "score"])
    def test_before_it_is_fitted(self, method):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(CCA(), method)(*DATA["two tables"])

    def test_transforms_one_view_or_both(self):
        X, Y = DATA["two tables"]
        cca = CCA(2).fit(X, Y)
        a, b = cca.transform(X[:7] + 1, Y[:7])
        assert close(a, (X[:7] + 1 - X.mean(axis=0)) @ cca.x_rotations_)
        assert close(cca.transform(X[:7] + 1), a)
        assert close(b, (Y[:7] - Y.mean(axis=0)) @ cca.y_rotations_)
        assert close(CCA(2).fit_transform(X, Y)[1], cca.transform(X, Y)[1])

    def test_y_may_be_a_vector(self):
        X, Y = DATA["y a column"]
        a, b = CCA(1).fit(X, Y), CCA(1).fit(X, Y[:, 0])
        assert close(a.x_rotations_, b.x_rotations_)
        assert close(*(c.transform(X, Y[:, 0])[1] for c in (a, b)))

    def test_one_target_is_least_squares(self):
        X, Y = DATA["y a column"]
        beta = np.linalg.lstsq(X - X.mean(axis=0), Y - Y.mean())[0]
        assert same_subspace(CCA(1).fit(X, Y).x_rotations_, beta)

    def test_frames_in_and_out(self):
        X, Y = DATA["two tables"]
        cca = CCA().set_output(transform="pandas").fit(pd.DataFrame(X), pd.DataFrame(Y))
        scores = cca.transform(pd.DataFrame(X), pd.DataFrame(Y))[0]
        assert list(scores.columns) == list(cca.get_feature_names_out()) == ["cca0", "cca1"]
        assert close(scores, CCA().fit(X, Y).transform(X))

    def test_numbers_may_be_objects(self):
        X, Y = DATA["two tables"]
        cca = CCA(2).fit(X.astype(object), Y.astype(object))
        assert close(cca.transform(X, Y.astype(object))[1], CCA(2).fit(X, Y).transform(X, Y)[1])

    @over_few
    def test_largest_entry_of_a_pair_is_positive(self, pair):
        cca = fitted(*pair)
        W = np.vstack([cca.x_rotations_, cca.y_rotations_])
        assert (W.max(axis=0) >= np.abs(W).max(axis=0) * (1 - 1e-6)).all()


class TestRefuses:
    X, Y = DATA["two tables"]

    @pytest.mark.parametrize("k", [0, 5])
    def test_wrong_number_of_components(self, k):
        with pytest.raises(ValueError, match=f"n_components={k}, but the smaller rank .* 4: choose 1 to 4"):
            CCA(k).fit(self.X, self.Y)

    def test_repeated_and_constant_features_do_not_count(self):
        Y = np.column_stack([self.Y[:, 0], 2 * self.Y[:, 0], np.full(len(self.Y), 0.1)])
        with pytest.raises(ValueError, match="n_components=2, but the smaller rank .* is 1"):
            CCA(2).fit(self.X, Y)
        with pytest.raises(ValueError, match="is 0"):
            CCA(1).fit(self.X, np.full(len(self.X), 0.1))

    @pytest.mark.parametrize("ridge", [-1, (1, -1), (1,), (1, 2, 3), np.nan, (np.inf, 1)])
    def test_wrong_ridge(self, ridge):
        with pytest.raises(ValueError, match=r"ridge=.*: give a number >= 0, or a pair \(r_1, r_2\)"):
            CCA(1, ridge=ridge).fit(self.X, self.Y)

    def test_views_of_different_size(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            CCA(1).fit(self.X, self.Y[:-1])
        with pytest.raises(ValueError, match="y has 3 features, but CCA was fitted on 4"):
            CCA(1).fit(self.X, self.Y).transform(self.X, self.Y[:, :3])

    def test_missing_values(self):
        with pytest.raises(ValueError, match="Input y contains NaN"):
            CCA(1).fit(self.X, np.full_like(self.Y, np.nan))
        with pytest.raises(ValueError, match="Input y contains NaN"):
            CCA(1).fit(self.X, self.Y).transform(self.X, np.full_like(self.Y, np.nan))
