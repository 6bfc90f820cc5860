"""Linear discriminant analysis against scikit-learn, MASS, brute force and its own optimality, chapter 3."""

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Twin
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import f_classif
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from helpers.comparing import close, same_subspace, same_up_to_sign
from helpers.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    fisher_criterion,
    fisher_direction,
    scatter_matrices,
)
from tests.helpers.covering import each_value, pairwise

SHRINKAGES = [None, "auto", 0.0, 0.3, 1.0]


def blobs(n=(30, 50, 20), d=4, far=0.0, seed=0):
    """Classes of unequal size and covariance, at random means."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(m, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d) for m in n])
    y, order = np.repeat(np.arange(len(n)), n), rng.permutation(sum(n))
    return X[order] + far, y[order]


DATA = {
    "three classes": blobs(),
    "two classes": blobs((12, 40), d=3),
    "more classes than features": blobs((9, 8, 7, 6, 5), d=2),
    "one feature": blobs((10, 15, 20), d=1),
    "mean far from 0": blobs(far=1e4),
    "duplicated rows": tuple(np.repeat(a, 2, axis=0) for a in blobs(d=3)),
    "a class of one row": blobs((1, 20, 20)),
    "labels that are text": (blobs()[0], np.array(["ann", "bob", "cy"])[blobs()[1]]),
}


@pytest.fixture(params=DATA)
def table(request):
    return DATA[request.param]


FEW = ("three classes", "more classes than features", "one feature")  # for what follows from the rest
over_tables = pytest.mark.parametrize("table", DATA.values(), ids=DATA)
over_few = pytest.mark.parametrize("table", [DATA[name] for name in FEW], ids=FEW)


def priors_for(kind, y):
    C = len(np.unique(y))
    return None if kind == "shares" else np.arange(1, C + 1) / sum(range(1, C + 1))


def within_by_loops(X, y, p):
    """The sum over classes and rows, one product at a time."""
    S_w = np.zeros((X.shape[1],) * 2)
    for p_c, c in zip(p, np.unique(y)):
        rows = [x for x, label in zip(X, y) if label == c]
        mean = sum(rows) / len(rows)
        S_w += p_c * sum(np.outer(x - mean, x - mean) for x in rows) / len(rows)
    return S_w


def between_by_loops(X, y, p):
    means = [X[y == c].mean(axis=0) for c in np.unique(y)]
    mean = sum(p_c * m for p_c, m in zip(p, means))
    by_means = sum(p_c * np.outer(m - mean, m - mean) for p_c, m in zip(p, means))
    by_pairs = sum(p_i * p_j * np.outer(a - b, a - b) for p_i, a in zip(p, means) for p_j, b in zip(p, means))
    return by_means, by_pairs


def criterion(W, S_w, S_b):
    """tr[(Wᵀ S_w W)⁻¹ Wᵀ S_b W], item 03.8."""
    return np.trace(np.linalg.solve(W.T @ S_w @ W, W.T @ S_b @ W))


class TestScatter:
    @each_value
    @over_tables
    @pytest.mark.parametrize("kind", ["shares", "given"])
    def test_equals_loops(self, table, kind):
        X, y = table
        p = priors_for(kind, y)
        S = scatter_matrices(X, y, priors=p)
        p = np.unique(y, return_counts=True)[1] / len(y) if p is None else p
        assert close(S.within, within_by_loops(X, y, p), 1e-10)
        assert close(S.between, between_by_loops(X, y, p)[0], 1e-10)
        assert close(S.between_pairs, between_by_loops(X, y, p)[1], 1e-10)

    @over_few
    def test_total_is_the_covariance_of_all_rows(self, table):
        X, y = table
        assert close(scatter_matrices(X, y).total, np.cov(X.T, bias=True).reshape(X.shape[1], -1), 1e-10)

    @each_value
    @over_few
    @pytest.mark.parametrize("kind", ["shares", "given"])
    def test_total_is_within_plus_between_by_means(self, table, kind):
        S = scatter_matrices(*table, priors=priors_for(kind, table[1]))
        assert close(S.total, S.within + S.between, 1e-10)
        assert close(S.between_pairs, 2 * S.between, 1e-10)  # erratum E16

    def test_between_has_rank_classes_less_one(self):
        X, y = blobs((10, 20, 30), d=6)
        assert np.linalg.matrix_rank(scatter_matrices(X, y).between) == 2

    def test_takes_frames_and_lists(self):
        X, y = DATA["three classes"]
        assert close(scatter_matrices(pd.DataFrame(X), list(y)).within, scatter_matrices(X, y).within)


class TestFisher:
    X, y = blobs((20, 60), d=2, seed=3)

    def test_no_angle_is_better(self):
        angles = np.linspace(0, np.pi, 2000)
        grid = np.vstack([np.cos(angles), np.sin(angles)])
        w = fisher_direction(self.X, self.y)
        best = fisher_criterion(self.X, self.y, w)
        values = fisher_criterion(self.X, self.y, grid)
        assert best >= values.max() and close(values.max(), best, 1e-5)

    def test_formula(self):
        first, second = self.X[self.y == 0], self.X[self.y == 1]
        S = np.cov(first.T, bias=True) + np.cov(second.T, bias=True)
        w = np.linalg.inv(S) @ (second.mean(axis=0) - first.mean(axis=0))
        assert close(fisher_direction(self.X, self.y), w / np.linalg.norm(w))

    def test_criterion_of_one_axis(self):
        a, b = self.X[self.y == 0, 0], self.X[self.y == 1, 0]
        expected = (a.mean() - b.mean()) ** 2 / (a.var() + b.var())
        assert close([fisher_criterion(self.X, self.y, [2, 0])], [expected])

    def test_shares_as_priors_give_the_axis_of_lda(self):
        lda = LinearDiscriminantAnalysis().fit(self.X, self.y)
        w = fisher_direction(self.X, self.y, priors=None)
        assert same_subspace(w[:, None], lda.scalings_)
        assert not same_subspace(fisher_direction(self.X, self.y)[:, None], lda.scalings_, 1e-2)  # E15

    def test_rayleigh_quotient_is_the_top_generalised_eigenvalue(self):
        S, w = scatter_matrices(self.X, self.y), fisher_direction(self.X, self.y, priors=None)
        top = scipy.linalg.eigh(S.between, S.within)[0][-1]
        assert close([w @ S.between @ w / (w @ S.within @ w)], [top])

    def test_the_second_class_lies_on_the_positive_side(self):
        w = fisher_direction(self.X, np.where(self.y, "a", "b"))  # now class 1 sorts first
        assert close(w, -fisher_direction(self.X, self.y))

    def test_uniform_squares_too(self):
        X = np.random.default_rng(0).uniform(-1, 1, (4000, 2))
        X[2000:] += [1, 0.5]
        w = fisher_direction(X, np.repeat([0, 1], 2000))
        assert abs(w[1] / w[0] - 0.5) < 0.05  # erratum E14: no Gaussian needed

    @pytest.mark.parametrize("function", [fisher_direction, lambda X, y: fisher_criterion(X, y, np.ones(4))])
    def test_three_classes_are_refused(self, function):
        with pytest.raises(ValueError, match="2 classes.*y has 3"):
            function(*DATA["three classes"])


class TestTwin:
    def test_same_axes_and_scores(self, table):
        X, y = table
        ours, twin = LinearDiscriminantAnalysis().fit(X, y), Twin().fit(X, y)
        assert same_up_to_sign(ours.transform(X), twin.transform(X))
        assert close(ours.explained_variance_ratio_, twin.explained_variance_ratio_)
        assert all(close(getattr(ours, name), getattr(twin, name)) for name in ("means_", "xbar_", "priors_"))

    def test_same_rule(self, table):
        X, y = table
        ours, twin = LinearDiscriminantAnalysis().fit(X, y), Twin(tol=1e-12).fit(X, y)
        assert close(ours.coef_, twin.coef_) and close(ours.intercept_, twin.intercept_)
        assert close(ours.decision_function(X), twin.decision_function(X))

    @pairwise
    @pytest.mark.parametrize("solver", ["eigen", "lsqr"])
    @pytest.mark.parametrize("kind", ["shares", "given"])
    @pytest.mark.parametrize("shrinkage", [None, 0.0, 0.3, "auto"])
    @pytest.mark.parametrize(
        "name", ["three classes", "two classes", "more classes than features", "mean far from 0"]
    )
    def test_same_probabilities(self, name, shrinkage, kind, solver):
        X, y = DATA[name]
        p = priors_for(kind, y)
        ours = LinearDiscriminantAnalysis(shrinkage=shrinkage, priors=p).fit(X, y)
        twin = Twin(solver=solver, shrinkage=shrinkage, priors=p).fit(X, y)
        assert close(ours.predict_proba(X), twin.predict_proba(X), 1e-7)
        assert close(ours.covariance_, twin.covariance_)
        assert (ours.predict(X) == twin.predict(X)).all()

    @pytest.mark.parametrize("shrinkage", ["auto", 0.1, 1.0])
    def test_fewer_rows_than_features(self, shrinkage):
        X, y = blobs((4, 5, 6), d=30)
        ours = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
        twin = Twin(solver="eigen", shrinkage=shrinkage).fit(X, y)
        assert close(ours.predict_log_proba(X), twin.predict_log_proba(X))

    def test_means_on_a_line_have_one_axis_however_far_apart(self):
        Z = np.random.default_rng(0).normal(size=(10, 3))
        X = np.vstack([Z, Z + 1e10 * np.array([1, 0.3, 0.7]), Z + 2e10 * np.array([1, 0.3, 0.7])])
        assert LinearDiscriminantAnalysis().fit(X, np.repeat([0, 1, 2], 10)).scalings_.shape == (3, 1)

    def test_features_in_units_far_apart(self):
        X, y = load_breast_cancer(return_X_y=True)
        ours, twin = LinearDiscriminantAnalysis().fit(X, y), Twin().fit(X, y)
        assert close(ours.decision_function(X), twin.decision_function(X))


class TestBruteForce:
    @pytest.mark.parametrize("kind", ["shares", "given"])
    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    def test_axes_solve_the_generalised_eigenproblem(self, shrinkage, kind):
        X, y = DATA["three classes"]
        lda = LinearDiscriminantAnalysis(shrinkage=shrinkage, priors=priors_for(kind, y)).fit(X, y)
        S_b = scatter_matrices(X, y, priors=priors_for(kind, y)).between
        values, vectors = scipy.linalg.eig(np.linalg.inv(lda.covariance_) @ S_b)
        order = values.real.argsort()[::-1][:2]
        assert close(lda.explained_variance_ratio_, values.real[order] / values.real[order].sum())
        assert all(same_subspace(lda.scalings_[:, [i]], vectors[:, [v]].real) for i, v in enumerate(order))

    def test_rule_is_bayes_for_gaussians(self):
        X, y = DATA["three classes"]
        lda = LinearDiscriminantAnalysis(priors=[0.2, 0.5, 0.3]).fit(X, y)
        inverse = np.linalg.inv(lda.covariance_)
        likelihood = np.array([
            [p * np.exp(-(x - m) @ inverse @ (x - m) / 2) for p, m in zip(lda.priors_, lda.means_)] for x in X
        ])
        assert close(lda.predict_proba(X), likelihood / likelihood.sum(axis=1, keepdims=True))

    def test_shrinkage_by_hand(self):
        X, y = DATA["two classes"]
        S = [np.cov(X[y == c].T, bias=True) for c in (0, 1)]
        round_ones = [0.7 * s + 0.3 * np.trace(s) / 3 * np.eye(3) for s in S]
        expected = (12 * round_ones[0] + 40 * round_ones[1]) / 52
        assert close(LinearDiscriminantAnalysis(shrinkage=0.3).fit(X, y).covariance_, expected)


class TestOptimal:
    @pytest.mark.parametrize("kind", ["shares", "given"])
    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    def test_no_other_axes_separate_more(self, shrinkage, kind):
        X, y = DATA["three classes"]
        p, rng = priors_for(kind, y), np.random.default_rng(0)
        lda = LinearDiscriminantAnalysis(shrinkage=shrinkage, priors=p).fit(X, y)
        S_w, S_b = lda.covariance_, scatter_matrices(X, y, priors=p).between
        twin = Twin(solver="eigen", shrinkage=shrinkage, priors=p).fit(X, y).scalings_[:, :2]
        rivals = [twin, *rng.normal(size=(200, 4, 2)), *(lda.scalings_ + 1e-3 * rng.normal(size=(50, 4, 2)))]
        assert criterion(lda.scalings_, S_w, S_b) >= max(criterion(W, S_w, S_b) for W in rivals) * (1 - 1e-12)

    @each_value
    @over_few
    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    def test_axes_whiten_the_pooled_scatter(self, table, shrinkage):
        lda = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(*table)
        W = lda.scalings_
        assert close(W.T @ lda.covariance_ @ W, np.eye(W.shape[1]), 1e-8)

    def test_only_the_pooled_scatter_becomes_round(self):  # erratum E17
        X, y = DATA["three classes"]
        Z = LinearDiscriminantAnalysis().fit_transform(X, y)
        spreads = [np.linalg.eigvalsh(np.cov(Z[y == c].T)) for c in range(3)]
        assert max(s.max() for s in spreads) > 2 * min(s.min() for s in spreads)

    def test_no_direction_has_a_larger_f_statistic(self):  # item 03.10
        X, y = DATA["two classes"]
        best = f_classif(LinearDiscriminantAnalysis().fit_transform(X, y), y)[0][0]
        assert f_classif(X @ np.random.default_rng(0).normal(size=(3, 2000)), y)[0].max() <= best

    @settings(deadline=None, max_examples=20)
    @given(st.integers(0, 10_000), st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
    def test_units_and_origin_do_not_matter(self, seed, unit, shift):
        X, y = blobs((8, 9, 10), d=3, seed=seed)
        units = np.array([unit, 1, 1 / unit])
        X2 = (X + shift) * units
        a, b = LinearDiscriminantAnalysis().fit(X, y), LinearDiscriminantAnalysis().fit(X2, y)
        assert same_up_to_sign(a.transform(X), b.transform(X2), 1e-6)
        assert close(a.predict_proba(X), b.predict_proba(X2), 1e-6)

    @pytest.mark.parametrize("shrinkage", SHRINKAGES)
    def test_probabilities_sum_to_one_and_agree_with_the_scores(self, shrinkage):
        X, y = DATA["three classes"]
        lda = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
        assert close(lda.predict_proba(X).sum(axis=1), np.ones(len(X)))
        assert (lda.predict(X) == lda.classes_[lda.decision_function(X).argmax(axis=1)]).all()


class TestReference:
    """MASS::lda(Species ~ ., iris), R 4.2.2, MASS 7.3-58.2. MASS divides S_w by n - C, we by n."""

    X, y = load_iris(return_X_y=True)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    MASS = np.sqrt((150 - 3) / 150)

    def test_axes(self):
        LD = [
            [0.829377642266, 1.5344730677, -2.201211655562, -2.810460308843],
            [-0.024102148877, -2.164521234658, 0.931921210029, -2.839187852983],
        ]
        assert same_up_to_sign(self.lda.scalings_.T * self.MASS, LD, axis=0)

    def test_proportion_of_trace(self):
        assert close(self.lda.explained_variance_ratio_, [0.99121260496537, 0.00878739503463], 1e-12)

    def test_scores(self):
        scores = [
            [8.061799783, -0.300420621378],
            [-1.45927545097, -0.02854376433],
            [-7.83947398574, -2.139733448825],
        ]
        assert same_up_to_sign(self.lda.transform(self.X)[::50] * self.MASS, scores)

    def test_confusion(self):
        expected = [[50, 0, 0], [0, 48, 2], [0, 1, 49]]
        assert (confusion_matrix(self.y, self.lda.predict(self.X)) == expected).all()

    def test_leave_one_out(self):
        found = cross_val_predict(LinearDiscriminantAnalysis(), self.X, self.y, cv=LeaveOneOut())
        assert (found == self.y).sum() == 147


def test_one_direction_of_several_that_is_0_is_refused():
    X, y = DATA["two classes"]
    for w in (np.zeros(3), np.array([[1.0, 0], [0, 0], [0, 0]])):
        with pytest.raises(ValueError, match="not all of them 0"):
            fisher_criterion(X, y, w)


def test_whole_numbers_are_not_rounded():
    X, y = np.random.default_rng(0).integers(0, 20, size=(40, 3)), np.arange(40) % 3
    ours, floats = (LinearDiscriminantAnalysis().fit(table, y) for table in (X, X.astype(float)))
    assert close(ours.transform(X), floats.transform(X), 1e-12) and ours.scalings_.dtype == float


class TestInterface:
    def test_defaults_are_the_twins(self):
        assert LinearDiscriminantAnalysis().get_params().items() <= Twin().get_params().items()

    @pytest.mark.parametrize("method", ["transform", "decision_function", "predict_proba", "predict"])
    def test_before_it_is_fitted(self, method):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(LinearDiscriminantAnalysis(), method)(DATA["three classes"][0])

    def test_keeps_float32(self):
        X, y = DATA["three classes"]
        lda = LinearDiscriminantAnalysis().fit(X.astype(np.float32), y)
        assert lda.transform(X.astype(np.float32)).dtype == lda.coef_.dtype == lda.means_.dtype == np.float32
        assert close(lda.transform(X), LinearDiscriminantAnalysis().fit(X, y).transform(X), 1e-4)

    def test_names_the_axes_in_a_frame(self):
        X, y = DATA["three classes"]
        frame = pd.DataFrame(X, columns=list("abcd"))
        Z = LinearDiscriminantAnalysis(2).set_output(transform="pandas").fit_transform(frame, y)
        assert list(Z.columns) == ["lineardiscriminantanalysis0", "lineardiscriminantanalysis1"]

    def test_fewer_axes_are_the_first_ones_and_predict_the_same(self):
        X, y = DATA["three classes"]
        one, two = LinearDiscriminantAnalysis(1).fit(X, y), LinearDiscriminantAnalysis().fit(X, y)
        assert close(one.transform(X), two.transform(X)[:, :1])
        assert close(one.explained_variance_ratio_, two.explained_variance_ratio_[:1])
        assert close(one.predict_proba(X), two.predict_proba(X))

    @over_few
    def test_largest_entry_of_an_axis_is_positive(self, table):
        W = LinearDiscriminantAnalysis().fit(*table).scalings_
        assert (W.max(axis=0) >= np.abs(W).max(axis=0) * (1 - 1e-6)).all()

    def test_collinear_means_give_one_axis(self):
        rng = np.random.default_rng(0)
        A = rng.normal(size=(20, 4))
        X, y = np.vstack([A, A + 1, A + 3]), np.repeat([0, 1, 2], 20)
        lda = LinearDiscriminantAnalysis().fit(X, y)
        assert lda.transform(X).shape == (60, 1) and len(lda.get_feature_names_out()) == 1
        assert close(lda.explained_variance_ratio_, [1.0])
        with pytest.raises(ValueError, match="n_components=2, .* 3 class means of 4 features differ along 1"):
            LinearDiscriminantAnalysis(2).fit(X, y)

    def test_equal_means_leave_the_priors(self):  # exclusive or: no line parts it
        X, y = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]] * 3, float), [0, 0, 1, 1] * 3
        X *= np.repeat([1.0, 2.0, 0.5], 4)[:, None]
        X[:, 0] += 0.5 * X[:, 1]  # covariances differ, means do not
        lda = LinearDiscriminantAnalysis(priors=[0.25, 0.75]).fit(X, y)
        assert close(lda.predict_proba(X), np.tile([0.25, 0.75], (12, 1)))
        assert lda.transform(X).shape == (12, 0)


class TestRefuses:
    X, y = DATA["three classes"]

    @pytest.mark.parametrize("d", [9, 10, 30])
    def test_too_few_rows(self, d):
        X, y = blobs((5, 5), d)
        with pytest.raises(
            ValueError, match=rf"rank 8 of {d} .*n - C = 8\).*shrinkage='auto'.*PCA.*more rows"
        ):
            LinearDiscriminantAnalysis().fit(X, y)

    @pytest.mark.parametrize("value", [0.0, 0.1, -0.1, 1e5 / 3])
    @pytest.mark.parametrize("times", [1, 100])  # the mean's rounding grows with n
    def test_constant_feature(self, value, times):
        X, y = np.tile(self.X, (times, 1)), np.tile(self.y, times)
        X = np.column_stack([X, np.full(len(X), value)])
        without = LinearDiscriminantAnalysis().fit(X[:, :4], y)
        with pytest.warns(UserWarning, match=r"Features \[4\] are constant: their weight is 0") as said:
            ours = LinearDiscriminantAnalysis().fit(X, y)
        assert said[0].filename == __file__
        assert close(ours.predict_proba(X), without.predict_proba(X[:, :4]))
        assert (ours.coef_[:, 4] == 0).all() and close(ours.coef_[:, :4], without.coef_)
        with pytest.raises(ValueError, match="S_w is singular, rank 0 of 1"):
            LinearDiscriminantAnalysis().fit(X[:, 4:], y)
        ours = LinearDiscriminantAnalysis(shrinkage="auto").fit(X, y)
        twin = Twin(solver="lsqr", shrinkage="auto").fit(X, y)
        assert close(ours.covariance_, twin.covariance_)

    def test_feature_that_is_constant_in_each_class(
        self,
    ):  # the mean of seven 0.1 is not 0.1, nor that of -1e5 / 7
        X, y = blobs((7, 7), 3)
        for one in (0.0, -1e5 / 7):
            with pytest.raises(ValueError, match="rank 3 of 4 features .*constant within every class"):
                LinearDiscriminantAnalysis().fit(np.column_stack([X, np.where(y == 0, one, 0.1)]), y)

    def test_repeated_feature(self):
        with pytest.raises(ValueError, match="rank 4 of 5"):
            fisher_direction(np.column_stack([self.X, 3 * self.X[:, 0]]), self.y > 0)

    @pytest.mark.parametrize("k", [0, 3])
    def test_wrong_number_of_axes(self, k):
        with pytest.raises(ValueError, match=f"n_components={k}.* along 2 directions"):
            LinearDiscriminantAnalysis(k).fit(self.X, self.y)

    @pytest.mark.parametrize("s", [-0.1, 1.1, "ledoit"])
    def test_wrong_shrinkage(self, s):
        with pytest.raises(ValueError, match=f"shrinkage={s!r}: use None, 'auto' or a number from 0 to 1"):
            LinearDiscriminantAnalysis(shrinkage=s).fit(self.X, self.y)

    @pytest.mark.parametrize("p", [[0.5, 0.5], [1.2, -0.2, 0], [0, 0, 0], [np.nan, 1, 0]])
    def test_wrong_priors(self, p):
        with pytest.raises(ValueError, match="non-negative, one for each of the 3 classes"):
            LinearDiscriminantAnalysis(priors=p).fit(self.X, self.y)

    @pytest.mark.parametrize("total", [2, 0.5])
    def test_priors_are_rescaled_with_a_warning(self, total):
        p = np.array([0.25, 0.25, 0.5]) * total
        with pytest.warns(UserWarning, match=f"sum to {total}, not to 1") as caught:
            lda = LinearDiscriminantAnalysis(priors=p).fit(self.X, self.y)
        assert close(lda.priors_, [0.25, 0.25, 0.5]) and caught[0].filename == __file__

    @pytest.mark.parametrize(
        "name, p", [("three classes", [0, 0.5, 0.5]), ("two classes", [0, 1]), ("two classes", [1, 0])]
    )
    def test_a_class_with_prior_0_is_never_predicted(self, name, p):
        X, y = DATA[name]
        P = LinearDiscriminantAnalysis(priors=p).fit(X, y).predict_proba(X)
        assert (P[:, np.array(p) == 0] == 0).all() and close(P.sum(axis=1), np.ones(len(X)))

    @pytest.mark.parametrize(
        "function", [LinearDiscriminantAnalysis().fit, scatter_matrices, fisher_direction]
    )
    def test_one_class(self, function):
        with pytest.raises(ValueError, match="one class only"):
            function(self.X, np.zeros(len(self.X), int))

    def test_missing_values(self):
        with pytest.raises(ValueError, match="NaN"):
            scatter_matrices([[np.nan], [1.0]], [0, 1])
