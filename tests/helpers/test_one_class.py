"""One-class SVM: equal to scikit-learn, to a general solver, and to what the papers promise."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn import svm
from sklearn.metrics.pairwise import pairwise_kernels

from helpers import _rows, imbalance
from helpers.comparing import close
from helpers.imbalance import one_class
from tests.helpers.covering import each_value


@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(0)
    return 4 + np.vstack([rng.normal(size=(110, 3)), rng.normal(3, 3, size=(10, 3))])


KERNELS = [
    dict(kernel="rbf"),
    dict(kernel="rbf", gamma="auto"),
    dict(kernel="rbf", gamma=2.0),
    dict(kernel="linear"),
    dict(kernel="poly", gamma=0.05),
    dict(kernel="poly", degree=2, coef0=1.0, gamma=0.3),
    dict(kernel="sigmoid", gamma=0.01),
    dict(kernel="sigmoid", gamma=0.05, coef0=-2.0),
]


@each_value
@pytest.mark.parametrize("nu", [0.06, 0.3, 0.77])
@pytest.mark.parametrize("options", KERNELS, ids=str)
def test_one_class_as_the_twin(cloud, options, nu):
    there = svm.OneClassSVM(nu=nu, tol=1e-7, **options).fit(cloud)
    here = imbalance.OneClassSVM(nu=nu, tol=1e-7, **options).fit(cloud)
    scale = np.abs(there.score_samples(cloud)).max()
    assert close(here.score_samples(cloud), there.score_samples(cloud), 1e-6)
    assert abs(here.offset_[0] - there.offset_[0]) < 1e-6 * scale and close(here.intercept_, -here.offset_)
    assert here.n_iter_ <= 1.2 * there.n_iter_ + 5  # the same pairs, or nearly
    sure = np.abs(there.decision_function(cloud)) > 1e-5 * scale
    assert (here.predict(cloud) == there.predict(cloud))[sure].all()
    if options["kernel"] == "linear":
        assert close(here.coef_, there.coef_, 1e-6)
    else:
        with pytest.raises(AttributeError, match="linear kernel"):
            _ = here.coef_


def test_weights_and_sparse_rows_as_the_twin(cloud):
    w = np.random.default_rng(1).random(120) * 2 * (np.arange(120) % 7 > 0)
    X = cloud * (cloud > 4)
    for table, weights in ((X, w), (csr_matrix(X), None), (csr_matrix(X), w)):
        gamma = "scale" if weights is None else 0.1
        there = svm.OneClassSVM(nu=0.4, tol=1e-9, gamma=gamma).fit(table, sample_weight=weights)
        here = imbalance.OneClassSVM(nu=0.4, tol=1e-9, gamma=gamma).fit(table, sample_weight=weights)
        assert close(here.decision_function(table), there.decision_function(table), 1e-6)


@pytest.mark.parametrize("options", KERNELS[:1] + KERNELS[2:-2], ids=str)
def test_the_dual_by_a_general_solver(options):
    X = np.random.default_rng(3).normal(size=(12, 2))
    model = imbalance.OneClassSVM(nu=0.4, tol=1e-10, **options).fit(X)
    extra = {"gamma": 1 / (2 * X.var())} | {
        name: value for name, value in options.items() if name != "kernel"
    }
    extra |= {"degree": 3, "coef0": 0} if options == dict(kernel="poly", gamma=0.05) else {}
    K = pairwise_kernels(X, metric=options["kernel"], filter_params=True, **extra)
    slow = minimize(
        lambda a: a @ K @ a / 2,
        np.full(12, 0.4),
        jac=lambda a: K @ a,
        bounds=[(0, 1)] * 12,
        tol=1e-14,
        constraints={"type": "eq", "fun": lambda a: a.sum() - 4.8},
        method="SLSQP",
        options={"maxiter": 999},
    )
    alpha = np.zeros(12)
    alpha[model.support_] = model.dual_coef_[0]
    assert alpha @ K @ alpha / 2 <= slow.fun * (1 + 1e-7) + 1e-12 and abs(alpha.sum() - 4.8) < 1e-9


@settings(max_examples=20, deadline=None)
@given(
    st.floats(0.02, 1.0),
    st.sampled_from(["rbf", "linear", "poly", "sigmoid"]),
    st.integers(5, 60),
    st.integers(0, 10**6),
)
def test_share_of_outliers_at_most_nu_at_most_support(nu, kernel, n, seed):
    """Schölkopf et al. 2001, Proposition 4, and the optimality conditions."""
    X = np.random.default_rng(seed).normal(size=(n, 2)) + 2
    model = imbalance.OneClassSVM(nu=nu, kernel=kernel, tol=1e-8).fit(X)
    alpha, d = np.zeros(n), model.decision_function(X)
    alpha[model.support_] = model.dual_coef_[0]
    slack = 1e-6 * max(1, np.abs(d).max())
    assert (model.predict(X) == -1).mean() <= nu + 1e-9 and len(model.support_) / n >= nu - 1e-9
    assert abs(alpha.sum() - nu * n) < 1e-8 * n and alpha.min() >= 0 and alpha.max() <= 1
    assert (d[alpha == 0] >= -slack).all() and (d[alpha == 1] <= slack).all()
    assert (np.abs(d[(alpha > 0) & (alpha < 1)]) <= slack).all()


def test_far_points_are_rejected_and_dirty_training_costs(cloud):
    """12.11 and E84: +1 is inside, -1 outside; a far cluster in training is called normal more often."""
    rng = np.random.default_rng(0)
    normal, far = rng.normal(size=(200, 2)), rng.normal(8, 0.3, size=(20, 2))
    sound = imbalance.OneClassSVM(nu=0.05, gamma=0.5).fit(normal)
    assert (sound.predict(far) == -1).all() and (sound.predict(normal) == 1).mean() > 0.9
    dirty = imbalance.OneClassSVM(nu=0.05, gamma=0.5).fit(np.vstack([normal, far]))
    assert (dirty.predict(far) == -1).mean() < 0.5


def test_small_caches_and_step_limits(cloud):
    sound = imbalance.OneClassSVM(nu=0.3).fit(cloud)
    tiny = imbalance.OneClassSVM(nu=0.3, cache_size=1e-6).fit(cloud)
    assert close(sound.offset_, tiny.offset_) and tiny.n_iter_ == sound.n_iter_ > 5
    for steps in (0, 5):
        with pytest.warns(UserWarning, match=f"{steps} steps did not reach tol=0.001"):
            stopped = imbalance.OneClassSVM(nu=0.3, max_iter=steps).fit(cloud)
        assert stopped.n_iter_ == steps and close(stopped.dual_coef_.sum(), 0.3 * len(cloud))
    assert imbalance.OneClassSVM(nu=0.3, max_iter=sound.n_iter_ + 1).fit(cloud).n_iter_ == sound.n_iter_


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(nu=0), "lies in"),
        (dict(nu=1.01), "lies in"),
        (dict(kernel="cubic"), "use one of .'rbf', 'linear', 'poly', 'sigmoid'"),
        (dict(gamma=0), "positive number"),
        (dict(gamma="large"), "positive number"),
    ],
)
def test_clear_errors_of_one_class(cloud, options, message):
    with pytest.raises(ValueError, match=message):
        imbalance.OneClassSVM(**options).fit(cloud)
    with pytest.raises(ValueError, match="max_iter=-2"):
        imbalance.OneClassSVM(max_iter=-2).fit(cloud)
    with pytest.raises(ValueError, match="at least one non-zero"):
        imbalance.OneClassSVM().fit(cloud, sample_weight=np.zeros(120))


def test_constant_table_and_full_weights():
    with pytest.raises(ValueError, match="kernel='linear': its values overflow, scale the features"):
        imbalance.OneClassSVM(kernel="linear").fit([[1e100], [2e100], [-1e100]])
    X = np.ones((6, 2))
    here, there = (cls(nu=0.5).fit(X) for cls in (imbalance.OneClassSVM, svm.OneClassSVM))
    assert (here.predict(X) == 1).all() and close(here.score_samples(X - 1), there.score_samples(X - 1))
    everything = imbalance.OneClassSVM(nu=1.0).fit(np.arange(6.0)[:, None])
    assert len(everything.support_) == 6 and (everything.dual_coef_ == 1).all()


def test_the_cache_holds_the_megabytes_it_may_and_two_rows_at_least(cloud, monkeypatch):
    sizes = []
    monkeypatch.setattr(one_class, "lru_cache", lambda size: sizes.append(size) or lru_cache(size))
    for megabytes in (1, 1e-6):
        imbalance.OneClassSVM(cache_size=megabytes).fit(cloud)
    assert sizes == [2**20 // (8 * len(cloud)), 2]


def test_kernel_values_block_by_block(cloud, monkeypatch):
    at_once = imbalance.OneClassSVM(nu=0.3).fit(cloud)
    monkeypatch.setattr(_rows, "BLOCK", 7 * len(cloud))
    by_blocks = imbalance.OneClassSVM(nu=0.3).fit(cloud)
    assert close(by_blocks.score_samples(cloud), at_once.score_samples(cloud), 1e-9)


@pytest.mark.parametrize("lengths, weights", [([1, 2, 3, 4], None), ([0.5, 1, 2, 3, 4], [0, 1, 1, 1, 1])])
def test_boundary_half_way_where_every_row_is_on_a_bound(lengths, weights):
    """Linear kernel: of the rows that count the two shortest have α = 1; scores 3 and 6, others 9 and 12."""
    X = np.array(lengths)[:, None]
    for cls in (svm.OneClassSVM, imbalance.OneClassSVM):
        model = cls(kernel="linear", nu=0.5).fit(X, sample_weight=weights)
        assert close(model.offset_, [7.5]) and model.dual_coef_.tolist() == [[1, 1]]


def test_a_row_on_the_boundary_is_inside(cloud):
    model = imbalance.OneClassSVM().fit(cloud)
    model.offset_ = model.score_samples(cloud[:1])
    assert model.predict(cloud[:1]) == 1


def test_small_whole_numbers_are_scored_as_numbers():
    X = np.arange(100, 112, dtype=np.int8).reshape(6, 2)  # their squares are beyond an int8
    for kernel in ("rbf", "poly"):
        model = imbalance.OneClassSVM(kernel=kernel).fit(X)
        assert (model.score_samples(X) == model.score_samples(X.astype(float))).all()
