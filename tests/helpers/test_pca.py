"""PCA: equal to scikit-learn and R, to slow loops, and to the definition, for every solver and shape."""

from pickle import dumps, loads

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.decomposition as twin
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from helpers import _rows
from helpers.comparing import close, same_subspace, same_up_to_sign
from helpers.decomposition import PCA
from helpers.decomposition import pca as module
from helpers.derivation import SHAPES, Shape, orthonormal, samples
from tests.helpers.covering import each_value, pairwise

SOLVERS = ("covariance", "gram", "svd")  # "auto" is one of the first two, see below
MORE = (
    Shape("two rows", 2, 3, 1, 5.0),
    Shape("n = d + 1", 5, 4, 4),
    Shape("n = d, mean 0", 4, 4, 4, 0.0),
    Shape("large", 200, 8, 8),
    Shape("very wide", 6, 300, 6),
)
KEPT = {
    "all": lambda r: None,
    "one": lambda r: 1,
    "as many as the rank": lambda r: r,
    "half": lambda r: np.int64((r + 1) // 2),
    "share .5": lambda r: 0.5,
    "share .9": lambda r: np.float32(0.9),
    "share .9999": lambda r: 0.9999,
}
over_solvers = pytest.mark.parametrize("solver", SOLVERS)
over_shapes = pytest.mark.parametrize("shape", SHAPES + MORE, ids=lambda s: s.name)
over_few = pytest.mark.parametrize("shape", SHAPES[:3], ids=lambda s: s.name)  # what follows from the rest
over_kept = pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT)
over_whiten = pytest.mark.parametrize("whiten", [False, True])

ARRESTS = """
132 2360 580 212 100 2630 480 445 81 2940 800 310 88 1900 500 195 90 2760 910 406 79 2040 780 387 33 1100
770 111 59 2380 720 158 154 3350 800 319 174 2110 600 258 53 460 830 202 26 1200 540 142 104 2490 830 240 72
1130 650 210 22 560 570 113 60 1150 660 180 97 1090 520 163 154 2490 660 222 21 830 510 78 113 3000 670 278
44 1490 850 163 121 2550 740 351 27 720 660 149 161 2590 440 171 90 1780 700 282 60 1090 530 164 43 1020 620
165 122 2520 810 460 21 570 560 95 74 1590 890 188 114 2850 700 321 111 2540 860 261 130 3370 450 161 8 450
440 73 73 1200 750 214 66 1510 680 200 49 1590 670 293 63 1060 720 149 34 1740 870 83 144 2790 480 225 38
860 450 128 132 1880 590 269 127 2010 800 255 32 1200 800 229 22 480 320 112 85 1560 630 207 40 1450 730 262
57 810 390 93 26 530 660 108 68 1610 600 156"""


@pytest.fixture
def X(shape):
    return samples(np.random.default_rng(1), shape)


@pytest.fixture
def r(shape):
    """Directions with variance: centring takes one of n away."""
    return min(shape.rank, shape.n - 1)


@pytest.fixture(scope="module")
def arrests():
    """USArrests: murder, assault, urban population, rape in 50 states (McNeil 1977); tenths of the units."""
    return np.array(ARRESTS.split(), float).reshape(50, 4) / 10


# ---- the twin


@each_value
@over_solvers
@over_shapes
@over_kept
@over_whiten
def test_the_twins_numbers(X, r, solver, kept, whiten):
    same_numbers(X, r, solver, kept, whiten)


@each_value
@over_solvers
@pytest.mark.parametrize("shape", [SHAPES[0]], ids=lambda s: s.name)
@over_kept
@over_whiten
def test_the_twins_numbers_however_many_are_kept(X, r, solver, kept, whiten):
    same_numbers(X, r, solver, kept, whiten)


def same_numbers(X, r, solver, kept, whiten):
    k = kept(r)
    mine = PCA(k, solver=solver, whiten=whiten).fit(X)
    k = mine.n_components_
    other = twin.PCA(k, whiten=whiten, svd_solver="full").fit(X)
    if kept(r) is None:
        assert k == r
    for name in ("mean_", "explained_variance_", "explained_variance_ratio_", "singular_values_"):
        np.testing.assert_allclose(
            getattr(mine, name), getattr(other, name), rtol=1e-7, atol=1e-11, err_msg=name
        )
    assert same_up_to_sign(mine.components_, other.components_, 1e-6, axis=0)
    assert same_up_to_sign(mine.transform(X), other.transform(X), 1e-6)
    assert close(mine.inverse_transform(mine.transform(X)), other.inverse_transform(other.transform(X)), 1e-7)


@each_value
@over_shapes
@pytest.mark.parametrize("t", [0.01, 0.3, 0.5, 0.8, 0.95, 0.99, 0.999999])
def test_the_twin_keeps_as_many_for_a_share(X, t):  # item 02.15
    assert PCA(t).fit(X).n_components_ == twin.PCA(t, svd_solver="full").fit(X).n_components_


def test_scaled_arrests_are_r_s(arrests):  # R 4.2.2, prcomp(USArrests, scale. = TRUE)
    Z = (arrests - arrests.mean(axis=0)) / arrests.std(axis=0, ddof=1)
    for solver in SOLVERS:
        pca = PCA(solver=solver).fit(Z)
        np.testing.assert_allclose(
            np.sqrt(pca.explained_variance_),
            [1.574878274391, 0.994869414818, 0.597129115503, 0.416449381954],
            atol=1e-9,
        )
        PCs = [
            [-0.535899474938, -0.58318363491, -0.278190874619, -0.543432091446],
            [-0.418180865421, -0.187985604232, 0.87280619306, 0.167318635402],
        ]
        np.testing.assert_allclose(np.abs(pca.components_[:2] @ np.array(PCs).T), np.eye(2), atol=1e-9)
        np.testing.assert_allclose(
            pca.explained_variance_ratio_, [0.62006, 0.24744, 0.08914, 0.04336], atol=1e-5
        )
        assert [PCA(t, solver=solver).fit(Z).n_components_ for t in (0.8, 0.95)] == [2, 3]


def test_unscaled_arrests_are_r_s(arrests):  # R 4.2.2, prcomp(USArrests)
    sdev = np.sqrt(PCA().fit(arrests).explained_variance_)
    np.testing.assert_allclose(sdev, [83.7324002464, 14.21240184918, 6.48942607288, 2.48279000001], atol=1e-9)


# ---- brute force


def test_axes_by_hand():  # item 02.8: roots and null spaces, exactly
    X = np.array([[2.0, 0], [0, 2], [-2, 0], [0, -2], [3, 3], [-3, -3]])
    S = sympy.Matrix([[26, 18], [18, 26]]) / 5
    (small, _, [w2]), (large, _, [w1]) = sorted(S.eigenvects())
    pca = PCA().fit(X)
    assert close(pca.explained_variance_, [float(large), float(small)], 1e-12) and large == sympy.Rational(
        44, 5
    )
    by_hand = np.array([w1.normalized(), w2.normalized()], float).reshape(2, 2)
    assert same_up_to_sign(pca.components_, by_hand, axis=0)


def top(S):
    """By squaring: S^(2^12) turns every vector to the first axis."""
    for _ in range(12):
        S = S @ S / np.linalg.norm(S @ S)
    return S[:, np.diag(S).argmax()] / np.linalg.norm(S[:, np.diag(S).argmax()])


@each_value
@over_solvers
@over_few
def test_axes_by_deflation(X, r, solver):  # item 02.9
    Xc, pca = X - X.mean(axis=0), PCA(solver=solver).fit(X)
    for lam, axis in zip(pca.explained_variance_[:2], pca.components_):
        w = top(Xc.T @ Xc)
        assert abs(w @ axis) == pytest.approx(1, abs=1e-6)
        assert (Xc @ w) @ (Xc @ w) / (len(X) - 1) == pytest.approx(lam, rel=1e-6)
        Xc = Xc - np.outer(Xc @ w, w)


@over_solvers
def test_scores_and_reconstruction_by_loops(solver):  # items 02.11 and 02.12
    X = samples(np.random.default_rng(0), SHAPES[0])
    pca, new = PCA(2, solver=solver).fit(X), np.array([[1.0, 2.0, 3.0]])
    z = [sum(pca.components_[j, f] * (new[0, f] - pca.mean_[f]) for f in range(3)) for j in range(2)]
    np.testing.assert_allclose(pca.transform(new), [z])
    back = [pca.mean_[f] + sum(z[j] * pca.components_[j, f] for j in range(2)) for f in range(3)]
    np.testing.assert_allclose(pca.inverse_transform([z]), [back])
    np.testing.assert_allclose(pca.inverse_transform(pd.DataFrame([z])), [back])


# ---- what the definition says


@each_value
@over_solvers
@over_shapes
def test_eigenvectors_of_the_covariance(X, r, solver):  # items 02.7 and 02.14
    pca, S = PCA(solver=solver).fit(X), np.cov(X, rowvar=False).reshape(X.shape[1], -1)
    W, lam = pca.components_.T, pca.explained_variance_
    assert pca.n_components_ == r == len(lam) and (np.diff(lam) <= 0).all() and (lam > 0).all()
    assert close(W.T @ W, np.eye(r), 1e-9)
    assert close(S @ W, W * lam, 1e-9)
    assert lam.sum() == pytest.approx(np.trace(S)) and pca.explained_variance_ratio_.sum() == pytest.approx(1)
    assert (W[np.abs(W).argmax(axis=0), range(r)] > 0).all()


@each_value
@over_solvers
@over_few
@over_whiten
def test_scores_are_uncorrelated(X, r, solver, whiten):
    pca = PCA(solver=solver, whiten=whiten).fit(X)
    C = np.cov(pca.transform(X), rowvar=False).reshape(r, -1)
    assert close(C, np.eye(r) if whiten else np.diag(pca.explained_variance_), 1e-8)
    assert close(pca.fit_transform(X), pca.transform(X))
    assert close(pca.inverse_transform(pca.transform(X)), X, 1e-8)  # all axes: nothing is lost


@each_value
@over_solvers
@over_whiten
@over_few
def test_what_is_lost_is_the_variance_left_out(X, r, solver, whiten):  # item 02.12
    every, pca = PCA(solver=solver).fit(X), PCA(1, solver=solver, whiten=whiten).fit(X)
    lost = ((X - pca.inverse_transform(pca.transform(X))) ** 2).sum()
    assert lost == pytest.approx((len(X) - 1) * every.explained_variance_[1:].sum(), rel=1e-6, abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_no_random_frame_does_better(seed, shape):  # items 02.6 and 02.13
    rng = np.random.default_rng(seed)
    X, k = samples(rng, shape), rng.integers(1, min(shape.n - 1, shape.rank) + 1)
    pca = PCA(int(k)).fit(X)
    spread = pca.transform(X).var(axis=0).sum()
    rivals = [orthonormal(rng, shape.d, k) for _ in range(20)]
    rivals += [np.linalg.qr(pca.components_.T + 0.05 * R)[0] for R in rivals]
    assert max((X @ W).var(axis=0).sum() for W in rivals) <= spread * (1 + 1e-9)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_solvers_agree(seed, shape):
    X = samples(np.random.default_rng(seed), shape)
    one, *others = (PCA(solver=solver).fit(X) for solver in SOLVERS[1:])
    for other in others:
        assert close(one.explained_variance_, other.explained_variance_, 1e-9)
        assert same_subspace(one.components_, other.components_, 1e-5, axis=0)


@over_solvers
def test_a_shift_and_a_rotation_change_the_mean_and_the_axes_alone(solver):
    rng = np.random.default_rng(0)
    X, R = samples(rng, SHAPES[0]), orthonormal(rng, 3, 3)
    one, other = PCA(solver=solver).fit(X), PCA(solver=solver).fit(X @ R + 100)
    assert close(one.explained_variance_, other.explained_variance_, 1e-9)
    assert same_up_to_sign(one.components_ @ R, other.components_, 1e-7, axis=0)
    assert close(X.mean(axis=0) @ R + 100, other.mean_)


@over_solvers
def test_rows_twice_and_a_column_twice(solver):
    X = samples(np.random.default_rng(0), SHAPES[0])
    twice = PCA(solver=solver).fit(np.repeat(X, 2, axis=0))
    assert same_up_to_sign(twice.components_, PCA().fit(X).components_, 1e-7, axis=0)
    columns = PCA(solver=solver).fit(X[:, [0, 1, 2, 2]])
    assert columns.n_components_ == 3 and close(columns.components_[:, 2], columns.components_[:, 3])


@over_solvers
def test_a_constant_column_has_no_part_in_any_axis(solver):
    X = np.column_stack([samples(np.random.default_rng(0), SHAPES[0]), np.full(9, 0.1)])
    pca = PCA(solver=solver).fit(X)
    assert pca.n_components_ == 3 and np.abs(pca.components_[:, 3]).max() < 1e-12


@over_solvers
@pytest.mark.parametrize("mean", [1e6, 1e9])
def test_a_mean_far_from_0_costs_no_digits_that_the_data_have(solver, mean):
    Z = np.random.default_rng(0).integers(-9, 10, size=(50, 4)).astype(float)
    far, near = PCA(solver=solver).fit(Z + mean), PCA(solver=solver).fit(Z)
    assert close(far.explained_variance_, near.explained_variance_, 1e-7)
    assert same_up_to_sign(far.components_, near.components_, 1e-6, axis=0)


@over_solvers
def test_a_direction_within_rounding_is_none(solver):  # rounding grows with the longer side
    X = np.random.default_rng(0).normal(size=(300, 2)) * [1, 1.4e-7]  # variances 1 and 2e-14
    assert PCA(solver=solver).fit(X).n_components_ == 1


# ---- options


@pytest.mark.parametrize(
    "shape, solver", [((5, 9), "_by_gram"), ((9, 5), "_by_covariance"), ((5, 5), "_by_covariance")]
)
def test_auto_takes_the_smaller_matrix(shape, solver, monkeypatch):  # item 02.14
    called = []
    for name in ("_by_gram", "_by_covariance", "_by_svd"):
        slow = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda X, mean, name=name, slow=slow: called.append(name) or slow(X, mean)
        )
    PCA().fit(np.random.default_rng(0).normal(size=shape))
    assert called == [solver]


@pytest.mark.parametrize("solver", SOLVERS[1:])
def test_a_named_solver_is_the_one_used(solver, monkeypatch):
    monkeypatch.setattr(
        module, f"_by_{solver}", lambda X, mean: (np.array([2.0]), lambda k: np.array([[0.0, 1.0]]))
    )
    assert PCA(solver=solver).fit([[0.0, 1.0], [2.0, 5.0]]).components_.tolist() == [[0, 1]]


LAM = np.array([5, 3, 1, 0.6, 0.3, 0.1])  # item 02.15: shares .5, .8, .9, .96, .99, 1


@each_value
@over_solvers
@pytest.mark.parametrize(
    "t, k",
    [
        (0.5, 1),
        (0.51, 2),
        (0.8, 2),
        (0.81, 3),
        (0.9, 3),
        (0.95, 4),
        (0.96, 4),
        (0.97, 5),
        (0.9999, 6),
        (1 - 1e-13, 6),
        (1e-9, 1),
    ],
)
def test_a_share_that_is_met_exactly_is_met(solver, t, k):
    Q = np.linalg.qr(np.column_stack([np.ones(30), np.random.default_rng(0).normal(size=(30, 6))]))[0][:, 1:]
    assert PCA(t, solver=solver).fit(Q * np.sqrt(LAM) + 7).n_components_ == k


@over_solvers
@pytest.mark.parametrize("whiten", [False, True])
def test_float32_stays_float32_and_is_computed_in_float64(solver, whiten):
    X = samples(np.random.default_rng(0), Shape("", 30, 5, 2, 50.0)).astype(np.float32)
    pca, exact = PCA(solver=solver, whiten=whiten).fit(X), PCA(2, solver=solver).fit(X.astype(float))
    assert {
        getattr(pca, a).dtype
        for a in (
            "mean_",
            "components_",
            "explained_variance_",
            "explained_variance_ratio_",
            "singular_values_",
        )
    } == {np.dtype("float32")}
    assert pca.transform(X).dtype == pca.inverse_transform(pca.transform(X)).dtype == np.float32
    np.testing.assert_allclose(pca.explained_variance_[:2], exact.explained_variance_, rtol=1e-6)


@pairwise
@over_solvers
@over_whiten
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix])
def test_sparse_rows_are_the_twins(form, solver, whiten, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", 70)  # ten rows at a time
    X = np.random.default_rng(0).poisson(0.5, size=(60, 7)) * np.arange(1.0, 8)
    pca, theirs = (
        PCA(4, solver=solver, whiten=whiten),
        twin.PCA(4, svd_solver="covariance_eigh", whiten=whiten),
    )
    pca.fit(form(X))
    np.testing.assert_allclose(
        pca.explained_variance_, theirs.fit(sp.csr_matrix(X)).explained_variance_, rtol=1e-10
    )
    assert same_up_to_sign(pca.transform(form(X)), theirs.transform(sp.csr_matrix(X)))
    assert close(pca.components_, PCA(4, solver=solver).fit(X).components_)
    assert pca.fit(form(X.astype(np.float32))).transform(form(X.astype(np.float32))).dtype == np.float32
    with pytest.raises(ValueError, match="no variance"):
        pca.fit(form(np.ones((3, 3))))


def test_whole_numbers_and_lists():
    X = np.random.default_rng(0).integers(0, 255, (20, 3)).astype(np.uint8)
    assert close(PCA().fit(X.tolist()).components_, PCA().fit(X.astype(float)).components_)


def test_frames_in_and_out():
    frame = pd.DataFrame(
        samples(np.random.default_rng(0), SHAPES[0]), columns=list("xyz"), index=range(9, 0, -1)
    )
    pca = PCA(2).set_output(transform="pandas").fit(frame)
    scores = pca.transform(frame)
    assert scores.columns.tolist() == pca.get_feature_names_out().tolist() == ["pca0", "pca1"]
    assert scores.index.equals(frame.index) and pca.feature_names_in_.tolist() == list("xyz")
    with pytest.raises(ValueError, match="feature names"):
        pca.transform(frame[list("zyx")])


def test_clone_and_pickle():
    X = samples(np.random.default_rng(0), SHAPES[0])
    pca = clone(PCA(2, solver="svd", whiten=True))
    assert pca.get_params() == {"n_components": 2, "solver": "svd", "whiten": True}
    mine, theirs = get_tags(pca), get_tags(twin.PCA())
    assert mine.transformer_tags == theirs.transformer_tags and mine.input_tags == theirs.input_tags
    fitted = pca.fit(X)
    assert (loads(dumps(fitted)).transform(X) == fitted.transform(X)).all() and fitted.n_features_in_ == 3


def test_the_rows_given_are_not_changed():
    X = samples(np.random.default_rng(0), SHAPES[0])
    before = X.copy()
    for solver in SOLVERS:
        pca = PCA(solver=solver, whiten=True).fit(X)
        pca.inverse_transform(pca.transform(X))
        assert (X == before).all()


# ---- what cannot be done

X33 = np.array([[1.0, 2, 3], [4, 5, 7], [0, 1, 5]])


@each_value
@over_solvers
@pytest.mark.parametrize(
    "arguments, X, says",
    [
        pytest.param(
            dict(n_components=3),
            X33,
            "only 2 directions carry variance: choose 1 to 2",
            id="more than the rank",
        ),
        pytest.param(dict(n_components=0), X33, "n_components=0", id="none"),
        pytest.param(dict(n_components=-1), X33, "n_components=-1", id="negative"),
        pytest.param(
            dict(n_components=1.0), X33, "between 0 and 1; for a number of axes give an int", id="share 1"
        ),
        pytest.param(dict(n_components=0.0), X33, "between 0 and 1", id="share 0"),
        pytest.param(dict(n_components=np.nan), X33, "between 0 and 1", id="share NaN"),
        pytest.param(dict(n_components="mle"), X33, "give a number of axes, a share of variance", id="text"),
        pytest.param({}, np.ones((4, 2)), "X has no variance", id="constant"),
        pytest.param({}, np.tile([0.1, 0.7], (3, 1)), "X has no variance", id="constant that rounds"),
        pytest.param({}, X33[:1], "minimum of 2", id="one row"),
        pytest.param({}, [[1.0, np.nan], [2.0, 3.0]], "NaN", id="NaN"),
        pytest.param({}, np.zeros((0, 2)), "0 sample", id="empty"),
    ],
)
def test_errors(solver, arguments, X, says):
    with pytest.raises(ValueError, match=says):
        PCA(**arguments, solver=solver).fit(X)


def test_rows_that_begin_and_end_alike_beside_a_constant_column():
    model = PCA().fit([[1.0, 5.0], [2.0, 5.0], [1.0, 5.0]])
    assert close(model.components_, [[1, 0]], 1e-12) and close(model.explained_variance_, [1 / 3], 1e-12)


def test_scores_keep_their_digits_far_from_0():
    Z = np.random.default_rng(0).integers(-9, 10, size=(64, 3)).astype(float)  # the mean is exact
    near, far = PCA().fit(Z), PCA().fit(Z + 2.0**40)
    assert close(far.transform(Z + 2.0**40), near.transform(Z), 1e-6)


def test_the_mean_of_many_float32_rows_is_not_summed_in_float32():
    X = np.random.default_rng(0).normal(1000, 1, size=(100_000, 2)).astype(np.float32)
    assert np.abs(PCA().fit(X).mean_ - X.mean(axis=0, dtype=float)).max() < 1e-3


def test_an_unknown_solver_and_an_unfitted_model():
    with pytest.raises(ValueError, match="use 'auto', 'covariance', 'gram', 'svd'"):
        PCA(solver="arpack").fit(X33)
    with pytest.raises(NotFittedError):
        PCA().transform(X33)
    with pytest.raises(NotFittedError):
        PCA().inverse_transform(X33)
