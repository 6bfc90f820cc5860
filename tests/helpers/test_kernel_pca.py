"""Kernel PCA against scikit-learn, explicit feature maps and ordinary PCA, chapter 4."""

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA as Twin
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels

from helpers.comparing import close, same_up_to_sign
from helpers.decomposition import PCA, KernelPCA, kernel_pca
from tests.helpers.covering import each_value


def table(n=30, d=4, seed=0, far=0.0):
    return np.random.default_rng(seed).normal(size=(n, d)) + far


def overlap(x, y, power=1.0):
    return np.minimum(np.abs(x), np.abs(y)).sum() ** power


DATA = {
    "tall": table(),
    "wide": table(n=8, d=20),
    "one feature": table(d=1),
    "duplicated rows": np.repeat(table(n=10), 2, axis=0),
    "mean not 0": table(far=3.0),
    "rank 2": table(d=2) @ table(n=2, d=5, seed=1),
}
KERNELS = {
    "linear": {"kernel": "linear"},
    "rbf": {"kernel": "rbf"},
    "narrow rbf": {"kernel": "rbf", "gamma": 0.5},
    "poly": {"kernel": "poly", "gamma": 0.1},
    "square": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 0.0},
    "sigmoid": {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.1},
    "cosine": {"kernel": "cosine"},
    "a function": {"kernel": overlap},
    "a function with a parameter": {"kernel": overlap, "kernel_params": {"power": 0.5}},
}


@pytest.fixture(params=DATA)
def X(request):
    return DATA[request.param]


@pytest.fixture(params=KERNELS)
def options(request):
    return KERNELS[request.param]


over_tables = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
FEW = ("linear", "rbf", "a function")  # for what follows from the twin's numbers
over_kernels = pytest.mark.parametrize("options", KERNELS.values(), ids=KERNELS)
over_few_kernels = pytest.mark.parametrize("options", [KERNELS[name] for name in FEW], ids=FEW)
over_few_tables = pytest.mark.parametrize("X", [DATA[name] for name in ("tall", "wide", "rank 2")])


def axes(X, options):
    """At most three components, fewer where the twin finds fewer."""
    values = Twin(min(3, len(X) - 1), **options, eigen_solver="dense").fit(X).eigenvalues_
    return int((values > 1e-9 * values[0]).sum())


class TestTwin:
    @each_value
    @over_tables
    @over_kernels
    @pytest.mark.parametrize("solver", ["auto", "dense", "arpack"])
    def test_same_scores(self, X, options, solver):
        k = axes(X, options)
        ours, twin = (K(k, **options, eigen_solver=solver, random_state=0).fit(X) for K in (KernelPCA, Twin))
        assert close(ours.eigenvalues_, twin.eigenvalues_) and ours.gamma_ == twin.gamma_
        assert same_up_to_sign(ours.transform(X), twin.transform(X), 1e-6)
        assert same_up_to_sign(ours.fit_transform(X), twin.fit_transform(X), 1e-6)

    @each_value
    @over_tables
    @over_kernels
    def test_same_scores_of_new_rows(self, X, options):
        k, new = axes(X, options), table(n=9, d=X.shape[1], seed=5, far=0.5)
        ours, twin = KernelPCA(k, **options).fit(X), Twin(k, **options).fit(X)
        assert same_up_to_sign(ours.transform(new), twin.transform(new), 1e-6)

    @each_value
    @pytest.mark.parametrize("name", ["tall", "wide", "rank 2"])
    @pytest.mark.parametrize("kernel", ["linear", "poly", "narrow rbf", "cosine"])
    def test_same_number_of_components(self, kernel, name):
        ours, twin = KernelPCA(**KERNELS[kernel]).fit(DATA[name]), Twin(**KERNELS[kernel]).fit(DATA[name])
        assert close(ours.eigenvalues_, twin.eigenvalues_)
        assert ours.transform(DATA[name]).shape == (len(DATA[name]), len(twin.eigenvalues_))

    @each_value
    @pytest.mark.parametrize("alpha", [1.0, 0.01])
    @pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid", "cosine", "a function"])
    def test_same_way_back(self, kernel, alpha):
        k = {"n_components": 2, "fit_inverse_transform": True, "alpha": alpha, **KERNELS[kernel]}
        ours, twin = KernelPCA(**k).fit(DATA["mean not 0"]), Twin(**k).fit(DATA["mean not 0"])
        Z = twin.transform(table(n=6, seed=7))
        signs = np.sign((ours.X_transformed_fit_ * twin.X_transformed_fit_).sum(axis=0))
        assert close(ours.inverse_transform(Z * signs), twin.inverse_transform(Z), 1e-7)
        if kernel != "a function":  # that one is blind to signs
            assert close(ours.dual_coef_, twin.dual_coef_, 1e-7)

    def test_large_table_takes_lanczos(self):
        X = table(n=400, d=5)
        ours, dense = KernelPCA(20, kernel="rbf").fit(X), Twin(20, kernel="rbf", eigen_solver="dense").fit(X)
        assert same_up_to_sign(ours.fit_transform(X), dense.fit_transform(X), 1e-6)


class TestBruteForce:
    def test_every_kernel_one_pair_at_a_time(self):
        X = table(n=6, d=3)
        formulas = {
            "linear": lambda x, y: x @ y,
            "rbf": lambda x, y: np.exp(-0.3 * sum((x - y) ** 2)),
            "poly": lambda x, y: (0.3 * x @ y + 2) ** 4,
            "sigmoid": lambda x, y: np.tanh(0.3 * x @ y + 2),
            "cosine": lambda x, y: x @ y / np.sqrt(x @ x * (y @ y)),
        }
        for kernel, formula in formulas.items():
            kpca = KernelPCA(2, kernel=kernel, gamma=0.3, coef0=2, degree=4).fit(X)
            K = np.array([[formula(x, y) for y in X] for x in X])
            H = np.eye(6) - np.ones((6, 6)) / 6
            values, V = np.linalg.eigh(H @ K @ H)
            assert close(kpca.eigenvalues_, values[:-3:-1])
            assert same_up_to_sign(kpca.transform(X), V[:, :-3:-1] * np.sqrt(values[:-3:-1]), 1e-6)
        near = np.repeat(X, 2, axis=0) + 1e-5 * np.tile([[0], [1]], (6, 3))  # rows in pairs
        for rows, gamma in ((X + [500, -500, 0], 1.0), (near, 1e9)):
            K = np.exp(-gamma * ((rows[:, None] - rows) ** 2).sum(axis=2))
            assert np.abs(kernel_pca.KERNELS["rbf"](rows, rows, gamma, 0, 0) - K).max() < 1e-11

    @pytest.mark.parametrize("far", [0, 10.0])
    def test_square_kernel_is_pca_of_all_products(self, far):  # φ(x) = all x_i x_j
        X, new = table(d=3, far=far), table(n=5, d=3, seed=2, far=far)
        images = [np.einsum("ni,nj->nij", A, A).reshape(len(A), -1) for A in (X, new)]
        kpca, pca = KernelPCA(3, **KERNELS["square"]).fit(X), PCA(3, solver="svd").fit(images[0])
        assert same_up_to_sign(kpca.transform(new), pca.transform(images[1]))

    def test_linear_kernel_is_pca(self, X):
        kpca, pca = KernelPCA().fit(X), PCA(solver="svd").fit(X)
        assert close(kpca.eigenvalues_ / (len(X) - 1), pca.explained_variance_)
        assert same_up_to_sign(kpca.transform(X + 1), pca.transform(X + 1), 1e-6)

    def test_reference_iris(self):
        """R 4.2.2, kernlab 0.9-32 and prcomp."""
        X = load_iris().data
        assert close(KernelPCA(2).fit(X).eigenvalues_ / len(X), [4.200053427995, 0.241052942942], 1e-10)


class TestInvariants:
    def test_eigenvectors_of_the_centred_matrix(self, options):
        X = DATA["tall"]
        kpca = KernelPCA(3, **options).fit(X)
        params = options.get("kernel_params") or {}
        if isinstance(options["kernel"], str):
            params = {"gamma": kpca.gamma_, "degree": kpca.degree, "coef0": kpca.coef0}
        K = pairwise_kernels(X, metric=options["kernel"], filter_params=True, **params)
        centred = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
        V = kpca.eigenvectors_
        assert close(centred @ V, V * kpca.eigenvalues_) and close(V.T @ V, np.eye(3))
        assert np.abs(V.sum(axis=0)).max() < 1e-8
        assert (V.max(axis=0) >= np.abs(V).max(axis=0) * (1 - 1e-6)).all()

    @each_value
    @over_few_tables
    @over_few_kernels
    def test_scores_are_the_same_in_both_ways_and_uncorrelated(self, X, options):
        kpca = KernelPCA(axes(X, options), **options)
        Z = kpca.fit_transform(X)
        assert close(kpca.transform(X), Z, 1e-6)
        assert close(Z.T @ Z, np.diag(kpca.eigenvalues_)) and np.abs(Z.mean(axis=0)).max() < 1e-8

    def test_distances_are_those_of_the_images(self):  # |φ(x) - φ(y)|² = 2 - 2 k(x, y)
        X = table(n=12)
        Z = KernelPCA(kernel="rbf", gamma=0.5).fit_transform(X)
        squared = ((X[:, None] - X) ** 2).sum(axis=2)
        assert close(((Z[:, None] - Z) ** 2).sum(axis=2), 2 - 2 * np.exp(-0.5 * squared))

    @over_few_kernels
    def test_rows_one_by_one_as_all_at_once(self, options):  # centred by the training means
        kpca, new = KernelPCA(2, **options).fit(DATA["tall"]), table(n=5, seed=3, far=1.0)
        assert close(np.vstack([kpca.transform(row[None]) for row in new]), kpca.transform(new))

    @settings(deadline=None, max_examples=20)
    @given(st.integers(0, 10_000), st.floats(-1e5, 1e5))
    def test_rbf_does_not_see_the_origin(self, seed, shift):
        X = table(n=15, seed=seed)
        a, b = (KernelPCA(2, kernel="rbf").fit_transform(A) for A in (X, X + shift * np.array([1, -1, 2, 0])))
        assert same_up_to_sign(a, b, 1e-6)

    def test_way_back_finds_the_rows_again(self):
        X = table(n=40, d=2)
        kpca = KernelPCA(kernel="rbf", gamma=1.0, fit_inverse_transform=True, alpha=1e-8).fit(X)
        assert np.abs(kpca.inverse_transform(kpca.transform(X)) - X).max() < 1e-3


class TestPrecomputed:
    def test_equals_the_kernel_itself(self):
        X, new = table(), table(n=7, seed=4)
        ours = KernelPCA(3, kernel="precomputed").fit(laplacian_kernel(X))
        twin = Twin(3, kernel="precomputed").fit(laplacian_kernel(X))
        K = laplacian_kernel(new, X)
        assert same_up_to_sign(ours.transform(K), twin.transform(K))
        assert close(ours.transform(K), KernelPCA(3, kernel=one_laplacian).fit(X).transform(new))

    def test_does_not_change_its_input(self):
        K = laplacian_kernel(table())
        before = K.copy()
        KernelPCA(3, kernel="precomputed").fit(K).transform(K)
        assert (K == before).all()

    @pytest.mark.parametrize(
        "K",
        [np.eye(4)[:3], np.triu(np.ones((4, 4))), np.ones((3, 4))],
        ids=["three rows", "a triangle", "wide"],
    )
    def test_must_be_square_and_symmetric(self, K):
        with pytest.raises(ValueError, match="square, symmetric"):
            KernelPCA(1, kernel="precomputed").fit(K)


def one_laplacian(x, y):
    return np.exp(-np.abs(x - y).sum() / len(x))


class TestSparse:
    @pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid", "cosine"])
    def test_equals_dense(self, kernel):
        X = np.where(np.random.default_rng(0).random((30, 8)) < 0.6, 0, table(d=8))
        S = scipy.sparse.csr_matrix(X)
        a, b = KernelPCA(3, **KERNELS[kernel]).fit(X), KernelPCA(3, **KERNELS[kernel]).fit(S)
        assert close(a.fit_transform(X), b.fit_transform(S)) and close(a.transform(X[:4]), b.transform(S[:4]))
        assert close(a.transform(X[:4]), a.transform(S[:4]))

    def test_an_empty_row_has_cosine_0(self):
        X = np.vstack([table(), np.zeros(4)])
        ours, twin = (K(3, kernel="cosine").fit_transform(X) for K in (KernelPCA, Twin))
        assert same_up_to_sign(ours, twin)


class TestInterface:
    def test_defaults_are_the_twins(self):
        assert KernelPCA().get_params().items() <= Twin().get_params().items()

    @pytest.mark.parametrize(
        "n, k, solver, lanczos",
        [
            (220, 11, "auto", True),
            (219, 11, "auto", False),
            (201, 10, "auto", True),
            (200, 10, "auto", False),
            (30, 2, "arpack", True),
            (400, 2, "dense", False),
        ],
    )
    def test_lanczos_for_few_components_of_many_rows(self, n, k, solver, lanczos, monkeypatch):
        used = []
        monkeypatch.setattr(
            kernel_pca,
            "eigsh",
            lambda K, k, **_: used.append(k) or scipy.linalg.eigh(K, subset_by_index=(n - k, n - 1)),
        )
        KernelPCA(k, kernel="rbf", eigen_solver=solver).fit(table(n))
        assert used == [k] * lanczos

    def test_keeps_float32(self):
        X = table().astype(np.float32)
        kpca = KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(X)
        assert kpca.transform(X).dtype == kpca.fit_transform(X).dtype == np.float32
        assert kpca.inverse_transform(kpca.transform(X)).dtype == np.float32
        assert close(kpca.transform(X), KernelPCA(2, kernel="rbf").fit_transform(X.astype(float)), 1e-4)

    def test_frames_in_and_out(self):
        Z = KernelPCA(2).set_output(transform="pandas").fit_transform(pd.DataFrame(table()))
        assert list(Z.columns) == ["kernelpca0", "kernelpca1"]

    def test_keeps_a_copy_of_the_rows(self):
        X = table()
        kpca = KernelPCA(2, kernel="rbf").fit(X)
        before = kpca.transform(table(n=3, seed=1))
        X[:] = 0
        assert close(kpca.transform(table(n=3, seed=1)), before)

    @pytest.mark.parametrize("solver", ["dense", "arpack"])
    def test_same_result_every_time(self, solver):
        kpca = KernelPCA(2, kernel="rbf", eigen_solver=solver, random_state=0)
        assert (kpca.fit_transform(table()) == kpca.fit_transform(table())).all()

    def test_function_in_two_processes(self):
        a, b = (KernelPCA(2, kernel=overlap, n_jobs=n).fit_transform(table()) for n in (1, 2))
        assert close(a, b)


class TestRefuses:
    @pytest.mark.parametrize("k, most", [(0, 29), (3, 2), (29, 2), (30, 29), (500, 29)])
    def test_wrong_number_of_components(self, k, most):
        with pytest.raises(ValueError, match=f"n_components={k}, .* at most {most} positive eigenvalues"):
            KernelPCA(k).fit(DATA["rank 2"])
        with pytest.raises(ValueError, match="n_components=1.5: give a whole number"):
            KernelPCA(1.5).fit(DATA["rank 2"])

    def test_all_but_one_component_exist(self):  # the centred matrix maps 1 to 0
        assert KernelPCA(29, kernel="rbf", gamma=5.0).fit_transform(table()).shape == (30, 29)

    @pytest.mark.parametrize("smallest, fits", [(-1e-3, False), (-1e-4, False), (-1e-5, True), (1e-3, True)])
    def test_clearly_negative_eigenvalues(self, smallest, fits):
        V = np.linalg.qr(table(6, 3) - table(6, 3).mean(axis=0))[0]
        K = V * [5, 3, smallest] @ V.T
        if fits:
            assert close(KernelPCA(kernel="precomputed").fit(K).eigenvalues_[:2], [5, 3])
        else:
            with pytest.raises(ValueError, match=f"eigenvalues from {smallest} to 5; none below 0"):
                KernelPCA(kernel="precomputed").fit(K)
            assert close(KernelPCA(2, kernel="precomputed").fit(K).eigenvalues_, [5, 3])

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"kernel": "gauss"}, "kernel='gauss': use one of .'linear', 'poly', .* or a function"),
            ({"eigen_solver": "qr"}, "eigen_solver='qr': use one of .'auto', 'dense', 'arpack'"),
            ({"kernel": "precomputed", "fit_inverse_transform": True}, "fit_inverse_transform needs"),
            ({"kernel": "poly", "degree": 0.5, "coef0": 0}, "kernel='poly' gives NaN or infinity"),
            ({"kernel": "poly", "degree": 1000, "gamma": 1e3}, "gives NaN or infinity .* scale the features"),
            ({"kernel": "sigmoid", "gamma": -5.0, "coef0": 0}, "eigenvalues from -.*none below 0"),
        ],
    )
    def test_wrong_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            KernelPCA(**options).fit(table())

    def test_rows_that_are_all_the_same(self):
        with pytest.raises(ValueError, match="rows that differ"):
            KernelPCA(kernel="rbf").fit(np.ones((5, 2)))
        with pytest.raises(ValueError, match="at most 0"):
            KernelPCA(1, kernel="linear").fit(np.ones((5, 2)))

    @pytest.mark.parametrize("method", ["transform", "inverse_transform"])
    def test_before_it_is_fitted(self, method):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(KernelPCA(fit_inverse_transform=True), method)(table())

    def test_no_way_back(self):
        with pytest.raises(NotFittedError, match="fit_inverse_transform=True"):
            KernelPCA(2).fit(table()).inverse_transform(table(d=2))
        with pytest.raises(TypeError, match="dense data is required"):
            KernelPCA(2, fit_inverse_transform=True).fit(scipy.sparse.csr_matrix(table()))
