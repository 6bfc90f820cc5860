"""FastICA against scikit-learn, slow loops and its own fixed points, chapter 3."""

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kurtosis
from sklearn.decomposition import FastICA as Twin
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from helpers import _rows
from helpers.comparing import close, same_sources, same_up_to_sign
from helpers.decomposition import PCA, FastICA, fastica
from tests.helpers.covering import each_value


def sources(n=3000, seed=0):
    """A square wave, flat noise and peaked noise."""
    rng = np.random.default_rng(seed)
    return np.column_stack([np.sign(np.sin(np.arange(n) / 50)), rng.uniform(-1, 1, n), rng.laplace(size=n)])


def mixed(S, d, seed=1, far=0.0, noise=0.0):
    rng = np.random.default_rng(seed)
    return S @ rng.normal(size=(S.shape[1], d)) + far + noise * rng.normal(size=(len(S), d))


def power(u, p):
    return np.sign(u) * np.abs(u) ** p, (p * np.abs(u) ** (p - 1)).mean(axis=-1)


DATA = {
    "as many mixtures as sources": (mixed(sources(), 3), None),
    "mean far from 0": (mixed(sources(), 3, far=1e4), None),
    "more mixtures, fewer axes": (mixed(sources(), 6, noise=0.05), 3),
    "two of three": (mixed(sources(), 3), 2),
    "one": (mixed(sources(), 3), 1),
    "duplicated rows": (np.repeat(mixed(sources(500), 3), 2, axis=0), None),
}
FUNCTIONS = {
    "logcosh": {"fun": "logcosh"},
    "logcosh, alpha": {"fun": "logcosh", "fun_args": {"alpha": 1.7}},
    "exp": {"fun": "exp"},
    "cube": {"fun": "cube"},
    "a function": {"fun": power, "fun_args": {"p": 2.5}},
}
ALGORITHMS = ["parallel", "deflation"]
WHITENS = ["unit-variance", "arbitrary-variance"]


@pytest.fixture(params=DATA)
def case(request):
    return DATA[request.param]


@pytest.fixture(params=FUNCTIONS)
def options(request):
    return FUNCTIONS[request.param]


FEW = ("as many mixtures as sources", "more mixtures, fewer axes")  # for what follows from the rest
over_few = pytest.mark.parametrize("case", [DATA[name] for name in FEW], ids=FEW)
over_cases = pytest.mark.parametrize("case", DATA.values(), ids=DATA)
over_functions = pytest.mark.parametrize("options", FUNCTIONS.values(), ids=FUNCTIONS)

# Together: a wrong derivative shows with one algorithm on some tables alone.
over_ways = pytest.mark.parametrize(
    "options, algorithm",
    [pytest.param(f, a, id=f"{name}-{a}") for name, f in FUNCTIONS.items() for a in ALGORITHMS],
)


def both(X, k, **options):
    """Ours and the twin from the same start; the twin's whitened axes may point the other way."""
    m = k or X.shape[1]
    start, options = np.random.default_rng(3).normal(size=(m, m)), {"max_iter": 1000, "tol": 1e-9, **options}
    twin = Twin(k, w_init=start, **options).fit(X)
    K = FastICA(k, max_iter=1000, random_state=0).fit(X).whitening_
    signs = np.sign((K * twin.whitening_).sum(axis=1))
    return FastICA(k, w_init=start * signs, **options).fit(X), twin


class TestTwin:
    @each_value
    @over_cases
    @over_ways
    @pytest.mark.parametrize("whiten", WHITENS)
    def test_same_axes_after_as_many_steps(self, case, options, algorithm, whiten):
        X, k = case
        ours, twin = both(X, k, algorithm=algorithm, whiten=whiten, **options)
        assert same_up_to_sign(ours.components_, twin.components_, 1e-6, axis=0)
        assert ours.n_iter_ == twin.n_iter_
        assert same_up_to_sign(ours.mixing_, twin.mixing_, 1e-6)
        assert same_up_to_sign(ours.whitening_, twin.whitening_, 1e-6, axis=0)
        assert close(ours.mean_, twin.mean_)

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_without_whitening(self, options, algorithm):
        Z = FastICA(whiten="unit-variance", max_iter=2, tol=9).fit_transform(mixed(sources(), 3))
        options = {
            "whiten": False,
            "w_init": np.random.default_rng(3).normal(size=(3, 3)),
            "max_iter": 1000,
            "algorithm": algorithm,
            "tol": 1e-9,
            **options,
        }
        ours, twin = FastICA(**options).fit(Z), Twin(**options).fit(Z)
        assert same_up_to_sign(ours.components_, twin.components_, 1e-6, axis=0)
        assert ours.n_iter_ == twin.n_iter_
        assert same_up_to_sign(ours.transform(Z + 1), twin.transform(Z + 1), 1e-6)
        S = ours.transform(Z)
        assert close(ours.inverse_transform(S), Z, 1e-6) and not hasattr(ours, "mean_")

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_some_axes_of_white_data(self, algorithm):
        Z = FastICA(max_iter=2, tol=9).fit_transform(mixed(sources(), 3))
        ica = FastICA(2, whiten=False, algorithm=algorithm, random_state=0).fit(Z)
        assert close(ica.components_ @ ica.components_.T, np.eye(2))
        R = np.abs(np.corrcoef(ica.transform(Z).T, sources().T)[:2, 2:])
        assert R.shape == (2, 3) and R.max(axis=1).min() > 0.99

    def test_same_transforms(self, case):
        X, k = case
        ours, twin = both(X, k)
        S = twin.transform(X[:50] + 1)
        signs = np.sign((ours.components_ * twin.components_).sum(axis=1))
        assert close(ours.transform(X[:50] + 1) * signs, S, 1e-6)
        assert close(ours.inverse_transform(S * signs), twin.inverse_transform(S), 1e-6)


class TestBruteForce:
    G = {
        "logcosh": (np.tanh, lambda u: 1 - np.tanh(u) ** 2),
        "exp": (lambda u: u * np.exp(-(u**2) / 2), lambda u: (1 - u**2) * np.exp(-(u**2) / 2)),
        "cube": (lambda u: u**3, lambda u: 3 * u**2),
    }

    def step_by_loops(self, W, Z, fun):
        g, slope = self.G[fun]
        new = [sum(z * g(w @ z) for z in Z) / len(Z) - sum(slope(w @ z) for z in Z) / len(Z) * w for w in W]
        return np.array(new)

    @pytest.mark.parametrize("fun", G)
    def test_one_parallel_step(self, fun):
        Z = FastICA(max_iter=9, tol=9).fit_transform(mixed(sources(60), 3))
        W = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
        new = self.step_by_loops(W, Z, fun)
        expected = np.linalg.inv(scipy.linalg.sqrtm(new @ new.T)) @ new  # (W Wᵀ)^(-1/2) W
        with pytest.warns(ConvergenceWarning):
            found = FastICA(whiten=False, fun=fun, w_init=W, max_iter=1, tol=0).fit(Z).components_
        assert same_up_to_sign(found, expected, axis=0)

    @pytest.mark.parametrize("fun", G)
    def test_one_deflation_step(self, fun):
        Z = FastICA(max_iter=9, tol=9).fit_transform(mixed(sources(60), 3))
        W, rows = np.random.default_rng(0).normal(size=(3, 3)), []
        for w in self.step_by_loops(W / np.linalg.norm(W, axis=1, keepdims=True), Z, fun):
            w = w - sum(((w @ r) * r for r in rows), np.zeros(3))
            rows.append(w / np.linalg.norm(w))
        with pytest.warns(ConvergenceWarning):
            ica = FastICA(whiten=False, fun=fun, algorithm="deflation", w_init=W, max_iter=1, tol=0).fit(Z)
        assert same_up_to_sign(ica.components_, rows, axis=0) and ica.n_iter_ == 1

    def test_finds_the_angle_of_largest_kurtosis(self):  # item 03.17
        Z = FastICA(2, max_iter=9, tol=9).fit_transform(mixed(sources()[:, :2], 2))
        angles = np.linspace(0, np.pi, 3601)
        size = np.abs(kurtosis(Z @ np.vstack([np.cos(angles), np.sin(angles)])))
        ica = FastICA(whiten=False, fun="cube", algorithm="deflation", random_state=0, tol=1e-10).fit(Z)
        near = np.abs(np.vstack([np.cos(angles), np.sin(angles)]).T @ ica.components_[0]) > 0.9
        assert abs(np.abs(kurtosis(ica.transform(Z)[:, 0])) - size[near].max()) < 1e-5

    @pytest.mark.speed
    def test_batches_make_no_difference(self, options, monkeypatch):
        X = mixed(sources(5000), 3)
        whole = FastICA(random_state=0, tol=1e-9, **options).fit(X).components_
        monkeypatch.setattr(_rows, "BLOCK", 8 * 3 * 501)
        assert close(FastICA(random_state=0, tol=1e-9, **options).fit(X).components_, whole, 1e-6)


class TestSources:
    @each_value
    @over_functions
    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    @pytest.mark.parametrize("seed", range(4))
    def test_found_up_to_order_sign_and_scale(self, options, algorithm, seed):
        S = sources(seed=seed)
        found = FastICA(algorithm=algorithm, random_state=seed, **options).fit_transform(mixed(S, 3, seed))
        assert same_sources(found, S) and not close(found.std(axis=0), S.std(axis=0), 0.1)  # item 03.19

    def test_found_among_more_mixtures(self):
        S = sources()
        assert same_sources(FastICA(3, random_state=0).fit_transform(mixed(S, 8, noise=0.01)), S)

    def test_whitening_alone_does_not_find_them(self):
        X = mixed(sources(), 3)
        ica = FastICA(random_state=0).fit(X)
        assert not same_sources((X - ica.mean_) @ ica.whitening_.T, sources(), 0.1)

    def test_gaussian_sources_are_not_found(self):
        S = np.random.default_rng(0).normal(size=(5000, 2))
        found = [FastICA(random_state=0, tol=1e-2).fit_transform(mixed(S, 2, seed)) for seed in range(6)]
        assert sum(same_sources(f, S, 0.1) for f in found) < 4

    @settings(deadline=None, max_examples=15)
    @given(st.integers(0, 10_000))
    def test_another_mixing_gives_the_same_sources(self, seed):
        S = sources(1500)
        A = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0] * [0.1, 1, 10]
        first, second = (FastICA(random_state=0, tol=1e-8, max_iter=500).fit_transform(X) for X in (S, S @ A))
        assert same_sources(first, second, 1e-6)

    def test_reference_amari_index(self):
        """Amari index on 20 Laplace sources, 100,000 samples: 0.002818 by scikit-learn 1.9.1."""
        rng = np.random.default_rng(0)
        S, A = rng.laplace(size=(100_000, 20)), rng.normal(size=(20, 20))
        C = np.abs(FastICA(20, w_init=rng.normal(size=(20, 20))).fit(S @ A.T).components_ @ A)
        rows, columns = (C / C.max(axis=1, keepdims=True)).sum(), (C / C.max(axis=0)).sum()
        assert (rows + columns - 40) / (2 * 20 * 19) <= 0.0035


class TestInvariants:
    @each_value
    @over_cases
    @over_functions
    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_sources_are_white(self, case, options, algorithm):
        X, k = case
        ica = FastICA(k, algorithm=algorithm, random_state=0, max_iter=1000, **options)
        S = ica.fit_transform(X)
        assert close(S.T @ S / len(S), np.eye(S.shape[1]), 1e-6) and np.abs(S.mean(axis=0)).max() < 1e-6
        S = ica.set_params(whiten="arbitrary-variance").fit_transform(X)
        assert close(S.T @ S, np.eye(S.shape[1]), 1e-6)

    @over_few
    def test_mixing_after_whitening_is_orthogonal(self, case):  # item 03.18
        ica = FastICA(case[1], random_state=0, whiten="arbitrary-variance", max_iter=1000).fit(case[0])
        Q = ica.whitening_ @ ica.mixing_
        assert close(Q @ Q.T, np.eye(len(Q)), 1e-6)
        assert close(ica.components_ @ ica.mixing_, np.eye(len(Q)), 1e-6)

    @over_few
    def test_way_back(self, case):
        X, k = case
        ica, pca = FastICA(k, random_state=0, max_iter=1000).fit(X), PCA(k).fit(X)
        assert close(ica.inverse_transform(ica.transform(X)), pca.inverse_transform(pca.transform(X)))

    def test_axes_are_fixed_points(self, options):
        X = mixed(sources(), 3)
        ica = FastICA(random_state=0, tol=1e-13, max_iter=2000, algorithm="deflation", **options).fit(X)
        Z = (X - ica.mean_) @ ica.whitening_.T * np.sqrt(len(X))
        w = ica.components_[0] @ np.linalg.pinv(ica.whitening_) / np.sqrt(len(X))
        new = fastica.step(w[None], Z, ica._options()[0])[0]
        assert same_up_to_sign(new / np.linalg.norm(new), w, 1e-5)

    @over_few
    def test_largest_entry_of_an_axis_is_positive(self, case):
        W = FastICA(case[1], random_state=0, max_iter=1000).fit(case[0]).components_
        assert (W.max(axis=1) >= np.abs(W).max(axis=1) * (1 - 1e-6)).all()


class TestInterface:
    def test_defaults_are_the_twins(self):
        assert FastICA().get_params().items() <= Twin().get_params().items()

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    @pytest.mark.parametrize("whiten", [*WHITENS, False])
    def test_keeps_float32(self, algorithm, whiten):
        Z = FastICA(random_state=0).fit_transform(mixed(sources(), 3)).astype(np.float32)
        ica = FastICA(algorithm=algorithm, whiten=whiten, random_state=0).fit(Z)
        assert ica.components_.dtype == ica.mixing_.dtype == ica.transform(Z).dtype == np.float32
        assert ica.inverse_transform(ica.transform(Z)).dtype == np.float32
        assert same_sources(ica.transform(Z), Z)

    def test_frames_in_and_out(self):
        ica = FastICA(2, random_state=0).set_output(transform="pandas")
        S = ica.fit_transform(pd.DataFrame(mixed(sources(), 3)))
        assert list(S.columns) == ["fastica0", "fastica1"]

    def test_does_not_change_its_input(self, options):
        X = mixed(sources(), 3)
        before = X.copy()
        FastICA(random_state=0, **options).fit_transform(X)
        assert (X == before).all()

    def test_random_state_decides_where_to_start(self):
        X = mixed(sources(), 3)
        a, b, c = (FastICA(random_state=seed, tol=9).fit(X).components_ for seed in (0, 0, 1))
        assert (a == b).all() and not close(a, c, 0.01)

    def test_unwhitened_data_have_no_whitening(self):
        ica = FastICA(whiten=False, tol=9).fit(mixed(sources(), 3))
        assert not hasattr(ica, "mean_") and not hasattr(ica, "whitening_")


class TestRefuses:
    X = mixed(sources(200), 3)

    @pytest.mark.parametrize("algorithm", ALGORITHMS)
    def test_warns_when_it_still_turns(self, algorithm):
        with pytest.warns(ConvergenceWarning, match="still turns after max_iter=2 .*larger tol or more rows"):
            ica = FastICA(algorithm=algorithm, max_iter=2, tol=1e-12, random_state=0).fit(self.X)
        assert ica.n_iter_ == 2

    @pytest.mark.parametrize("k", [0, 3])
    def test_wrong_number_of_components(self, k):
        X = self.X[:, :2] @ np.ones((2, 5)) + self.X[:, [2]] * np.arange(5)
        with pytest.raises(ValueError, match=f"n_components={k}, .*only 2 directions"):
            FastICA(k).fit(X)

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"fun": "tanh"}, "fun='tanh': use 'logcosh', 'exp', 'cube' or a function"),
            ({"fun_args": {"alpha": 0.9}}, "alpha=0.9: for 'logcosh' it lies between 1 and 2"),
            ({"fun_args": {"alpha": 2.1}}, "alpha=2.1"),
            ({"algorithm": "symmetric"}, "algorithm='symmetric': use one of .'parallel', 'deflation'"),
            ({"whiten": True}, "whiten=True: use one of .'unit-variance', 'arbitrary-variance', False"),
            ({"whiten": False, "n_components": 4}, "n_components=4, but X has 3 features: choose 1 to 3"),
            ({"whiten": False, "n_components": 0}, "n_components=0"),
            ({"w_init": np.eye(2)}, r"w_init has shape \(2, 2\), but 3 sources in 3 .* need \(3, 3\)"),
        ],
    )
    def test_wrong_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            FastICA(**options).fit(self.X)

    @pytest.mark.parametrize("method", ["transform", "inverse_transform"])
    def test_before_it_is_fitted(self, method):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(FastICA(), method)(self.X)

    @pytest.mark.parametrize("alpha", [1, 2])
    def test_both_ends_of_alpha_are_right(self, alpha):
        assert FastICA(fun_args={"alpha": alpha}, random_state=0).fit(self.X).n_iter_ > 1
