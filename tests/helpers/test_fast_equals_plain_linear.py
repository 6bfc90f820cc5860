"""The drawer of what is fast answers as the plain code in view, on drawn tables and on nasty ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import RidgeClassifier

from helpers import _linalg, _rows
from helpers.comparing import close
from helpers.decomposition import KSVD, PCA, DictionaryLearning, FastICA, fastica, ksvd, sparse_coding
from helpers.impute import ModelImputer, SoftImpute, chained
from helpers.linear_model import ElasticNet, Lasso, Ridge, RidgeCV, lasso, ridge
from helpers.linear_model._base import centred_table
from helpers.multiclass import OneVsOneClassifier, OneVsRestClassifier
from helpers.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler, _categories, scale
from tests.helpers.covering import each_value

rng = np.random.default_rng(0)
Z = rng.normal(size=(30, 5)) + 1
TABLES = {
    "drawn": Z,
    "drawn too": rng.exponential(size=(17, 3)),
    "n < d": rng.normal(size=(6, 15)),
    "rank-deficient": Z[:, :2] @ rng.normal(size=(2, 5)),
    "constant column": np.where([0, 1, 0, 0, 0], 3.3, Z),
    "equal columns": Z[:, [0, 1, 1, 2, 0]],
    "far": Z + 1e8,
    "tiny": Z * 1e-12,
    "unlike units": Z * [1e-6, 1, 1e3, 1, 1e6],
    "float32": Z.astype(np.float32),
    "sparse": sp.csr_array(Z * (rng.random(Z.shape) < 0.3)),
    "sparse and far": sp.csr_array(Z + 1e6),
}
DENSE = {name: X for name, X in TABLES.items() if not sp.issparse(X)}
over_tables = pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
over_dense = pytest.mark.parametrize("X", DENSE.values(), ids=DENSE)
over_blocks = pytest.mark.parametrize("block", [1, 40, 2**17])


@pytest.fixture(autouse=True)
def drawer(monkeypatch):
    """Open, whatever the environment says."""
    monkeypatch.setenv("HELPERS_PLAIN", "0")


def targets(X, k):
    """k columns that depend on those of X in their own units, and noise."""
    A = np.asarray(X.toarray() if sp.issparse(X) else X, float)
    A = (A - A.mean(axis=0)) / (A.std(axis=0) + 1e-300)
    noise = np.random.default_rng(1).normal(size=(len(A), k))
    return np.where(np.abs(A) < 9, A, 0) @ np.resize([1.0, 0, -2, 0, 3], (A.shape[1], k)) + 0.3 * noise + 2


def both(f, *args, tol=1e-9):
    """The two answers agree, relative to the largest number."""
    quick, plain = f(*args), f.plain(*args)
    quick, plain = (found if isinstance(found, tuple) else (found,) for found in (quick, plain))
    for a, b in zip(quick, plain, strict=True):
        a, b = (np.asarray(v.toarray() if sp.issparse(v) else v, float) for v in (a, b))
        assert a.shape == b.shape
        size = np.abs(b[np.isfinite(b)]).max(initial=0)
        np.testing.assert_allclose(a, b, rtol=tol, atol=tol * size + 1e-300)


# ---- second moments, scaling, categories


@each_value
@over_tables
@over_blocks
def test_second_moments(X, block, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    mean = np.asarray(X.mean(axis=0, dtype=float)).ravel()
    both(_linalg.covariance, X, mean, 1)


@each_value
@over_dense
@over_blocks
@pytest.mark.parametrize("blanks", [False, True])
def test_moments_and_extremes_of_columns(X, block, blanks, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    X, s = X.copy(), np.random.default_rng(2).integers(0, 3, len(X)).astype(float)
    if blanks:
        X[::3, 0] = X[:, -1] = np.nan
    for weights in (np.ones(len(X)), s):
        w, mean, variance = scale.moments(X, weights)
        u, centre, spread = scale.moments.plain(X, weights)
        np.testing.assert_array_equal(w, u)
        np.testing.assert_allclose(mean, centre, rtol=1e-13)
        np.testing.assert_allclose(
            variance, spread, rtol=1e-6, atol=1e-28 + (1e-15 * np.nanmax(np.abs(X))) ** 2
        )
    for better in (np.fmin, np.fmax):
        with np.errstate(invalid="ignore"):
            both(scale.extreme, X, better, tol=0)


@each_value
@over_dense
@over_blocks
def test_a_change_of_every_row(X, block, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    both(_rows.by_rows, lambda A: (A - X[0]) / 3, X, tol=0)


@each_value
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, float])
@pytest.mark.parametrize("spread", [3, 100])
def test_whole_numbers(dtype, spread):
    column = np.random.default_rng(3).integers(0, spread, 40).astype(dtype)
    both(_categories.sorted_numbers, column, tol=0)
    for values in (np.unique(column)[::-1], np.array([5, 1, 120], dtype), np.array([], dtype)):
        both(_categories.positions_of_numbers, column, values, tol=0)


# ---- linear models


@each_value
@over_tables
@over_blocks
@pytest.mark.parametrize("weighted", [False, True])
def test_the_centred_table(X, block, weighted, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    weights = np.random.default_rng(4).integers(1, 4, X.shape[0]).astype(float) if weighted else None
    quick, plain = centred_table(X, weights), centred_table.plain(X, weights)
    Y, W = targets(X, 2), np.ones((X.shape[1], 2))
    for name, args in [
        ("dense", ()),
        ("outer", ()),
        ("normal_equations", (Y,)),
        ("correlate", (Y,)),
        ("times", (W,)),
    ]:
        for a, b in zip(
            np.atleast_1d(*[getattr(quick, name)(*args)])
            if name != "normal_equations"
            else quick.normal_equations(Y),
            np.atleast_1d(*[getattr(plain, name)(*args)])
            if name != "normal_equations"
            else plain.normal_equations(Y),
        ):
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-7 * np.abs(b).max(initial=1e-30))


@each_value
@over_tables
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("solver", ["fista", "ista"])
def test_the_lasso(X, k, share, positive, solver):
    """Both are within their duality gaps of the same minimum."""
    table, Y = centred_table.plain(X), targets(X, k)
    Y = Y - Y.mean(axis=0)
    most, start = np.abs(table.correlate(Y)).max() or 1.0, np.zeros((k, X.shape[1]))
    lam, weight = 0.1 * most * share, 0.1 * (1 - share) * (table.A**2).sum(axis=0).max()
    found = [
        f(table, Y, start, lam, weight, 1e-9, 10**5, solver, positive)
        for f in (lasso.minimise, lasso.minimise.plain)
    ]
    for y, b, c, gap, other in zip(Y.T, found[0][0], found[1][0], found[0][1], found[1][1]):
        values = [
            ((y - table.A @ w) ** 2).sum() / 2 + lam * np.abs(w).sum() + weight * w @ w / 2 for w in (b, c)
        ]
        assert max(gap, other) <= 1e-9 * y @ y * (1 + 1e-6)
        assert abs(values[0] - values[1]) <= 1.1e-9 * y @ y
        assert np.linalg.norm(table.A @ (b - c)) <= 2e-4 * np.linalg.norm(y)


@each_value
@over_tables
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_leaving_out_by_both_eigenproblems(X, fit_intercept):
    table, alphas = centred_table.plain(X, None, fit_intercept), np.array([0.1, 10.0])
    table.A /= np.linalg.norm(table.A, 2)
    Y = targets(X, 2)
    Y = Y - fit_intercept * Y.mean(axis=0)
    quick, weights = ridge.left_out(table, Y, alphas, fit_intercept)
    plain, others = ridge.left_out.plain(table, Y, alphas, fit_intercept)
    assert close(quick, plain, 1e-8) and close(weights(0.5), others(0.5), 1e-8)


# ---- codes and atoms


@each_value
@over_dense
@over_blocks
def test_codes(X, block, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    X = X.astype(float)
    B = np.random.default_rng(5).normal(size=(8, X.shape[1]))
    B = np.vstack([B, B[:2]]) / np.linalg.norm(np.vstack([B, B[:2]]), axis=1, keepdims=True)
    energy = (X**2).sum(axis=1)
    for s, tol in [(1, 0.0), (2, 0.0), (3, 0.1 * energy.mean())]:
        quick, plain = (f(X, B, s, tol).toarray() for f in (sparse_coding.pursue, sparse_coding.pursue.plain))
        assert close(quick @ B / np.sqrt(energy.max()), plain @ B / np.sqrt(energy.max()), 1e-6)
    alpha, start = 0.1 * np.abs(X @ B.T).max(), np.zeros((len(X), 10))
    for positive in (False, True):
        both(sparse_coding.fista, X, B, start, alpha, positive, 25, tol=1e-7)
        codes = sparse_coding.fista(X, B, start, alpha, positive, 10**4, 1e-8)
        assert (sparse_coding._gaps(X, B, codes, alpha, positive) <= 1.01e-8 * energy).all()


@each_value
@pytest.mark.parametrize("exact", [False, True])
@over_dense
def test_a_sweep(X, exact):
    X = X.astype(float)
    B = np.random.default_rng(6).normal(size=(4, X.shape[1]))
    B /= np.linalg.norm(B, axis=1, keepdims=True)
    A = sparse_coding.pursue.plain(X, B, 2, 0.0)
    (a, b, r), (c, d, s) = (
        f(X, A.copy(), B.copy(), X - A @ B, exact) for f in (ksvd.sweep, ksvd.sweep.plain)
    )
    size = np.linalg.norm(X)
    assert close((a @ b) / size, (c @ d) / size, 1e-6) and close(r / size, s / size, 1e-6)


@over_blocks
def test_a_step_of_fastica(block, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", block)
    for g in fastica.FUNCTIONS.values():
        both(fastica.step, np.eye(5)[:3], Z, g, tol=1e-12)


# ---- imputation


@over_dense
def test_a_chain(X):
    X = X.astype(float)
    blank = np.random.default_rng(7).random(X.shape) < 0.2
    pair = [f(X, blank, X.mean(axis=0)) for f in (chained.begin, chained.begin.plain)]
    for j in range(X.shape[1]):
        for a, b in zip(*(chain.regression(j) for chain in pair), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7 * np.abs(pair[1].A).max() ** 2 + 1e-300)
        values = np.linspace(-1, 1, blank[:, j].sum()) * np.abs(pair[1].A).max()
        for chain in pair:
            chain.fill(j, values)
    np.testing.assert_allclose(pair[0].table(), pair[1].table(), rtol=1e-12)


# ---- whole estimators, the drawer open and shut

LABELS = np.arange(30) % 3


def shrunk(X):
    """A Lasso whose penalty is a share of the one that leaves no weight."""
    y = targets(X, 1)[:, 0]
    most = np.abs(centred_table.plain(X).correlate(y - y.mean())).max() / len(y)
    return Lasso(0.05 * most, tol=1e-9, max_iter=10**5).fit(X, y)


MODELS = {
    "pca": (lambda X: PCA(2).fit(X).explained_variance_, 1e-5),
    "ridge": (lambda X: Ridge(1e-3).fit(X, targets(X, 2)).predict(X), 1e-4),
    "ridge cv": (lambda X: RidgeCV().fit(X, targets(X, 2)).predict(X), 1e-4),
    "lasso": (lambda X: shrunk(X).predict(X), 1e-3),
    "elastic net": (lambda X: ElasticNet(0.1, tol=1e-10).fit(X, targets(X, 2)).predict(X), 1e-3),
    "one against the rest": (lambda X: OneVsRestClassifier(RidgeClassifier()).fit(X, LABELS).scores(X), 1e-4),
    "pairs": (lambda X: OneVsOneClassifier(RidgeClassifier()).fit(X, LABELS).scores(X), 1e-4),
}
ROWS = {
    "standardised": (lambda X: StandardScaler().fit_transform(X), 1e-6),
    "onto [0, 1]": (lambda X: MinMaxScaler().fit_transform(X), 1e-6),
    "bits": (lambda X: OneHotEncoder().fit_transform(X.astype(int)).toarray(), 0),
    "atoms": (
        lambda X: DictionaryLearning(3, alpha=0.3, max_iter=3, random_state=0).fit(X).components_,
        1e-5,
    ),
    "k-svd": (lambda X: KSVD(3, n_nonzero_coefs=1, max_iter=3, random_state=0).fit(X).error_, 1e-5),
    "sources": (lambda X: FastICA(2, random_state=0, max_iter=1000, tol=1e-3).fit(X).components_, 1e-4),
    "imputed": (lambda X: ModelImputer(max_iter=20).fit_transform(np.where(X > 2, np.nan, X)), 1e-5),
    "completed": (lambda X: SoftImpute(tol=1e-7).fit_transform(np.where(X > 2, np.nan, X)), 1e-3),
}
# Every table is put to each of the functions above; here, whether they are put together.
CASES = [(name, table) for name in MODELS for table in ("equal columns", "sparse and far")]
CASES += [(name, "float32") for name in ROWS]


@pytest.mark.parametrize("name, table", CASES)
def test_estimators(name, table, monkeypatch):
    learn, tol = (MODELS | ROWS)[name]
    quick = np.asarray(learn(TABLES[table]), float)
    monkeypatch.setenv("HELPERS_PLAIN", "1")
    plain = np.asarray(learn(TABLES[table]), float)
    np.testing.assert_allclose(quick, plain, rtol=tol, atol=tol * np.abs(plain).max())
