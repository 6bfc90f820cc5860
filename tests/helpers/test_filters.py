"""Chi-squared, analysis of variance, correlation: equal to scikit-learn, scipy, loops, certified values."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
import sklearn.feature_selection as twin
from hypothesis import given, settings
from hypothesis import strategies as st

import helpers.feature_selection as ours
from helpers import _rows
from tests.helpers.covering import each_value, pairwise

CLOTHING = [[150, 200, 400], [350, 500, 1500]]  # item 08.13
HEIGHTS = [1.70, 1.69, 1.55, 1.80], [1.58, 1.57, 1.77, 1.60]  # item 08.22
counts = st.lists(st.lists(st.integers(1, 60), min_size=3, max_size=3), min_size=2, max_size=5)
as_is, float32 = (lambda X: X), (lambda X: X.astype(np.float32))
FORMS = {
    "array": as_is,
    "float32": float32,
    "integers": lambda X: X.astype(int),
    "frame": pd.DataFrame,
    "csr": sp.csr_array,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "csr float32": lambda X: sp.csr_array(float32(X)),
}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def table(rng, n=200, d=6, n_classes=3):
    """Whole numbers up to 8, half of them 0: exact in float32, fit for chi2, and worth storing sparsely."""
    X = np.maximum(rng.integers(-8, 9, size=(n, d)), 0).astype(float)
    shares = np.arange(1, n_classes + 1) / sum(range(n_classes + 1))
    return X, rng.choice(list("abcdefgh")[:n_classes], n, p=shares)


# ---------------------------------------------------------------- chi-squared of a table
def test_contingency_table_is_the_crosstab(rng):
    x, y = rng.choice(["u", "v", "w"], 50), rng.integers(0, 4, 50)
    np.testing.assert_array_equal(ours.contingency_table(x, y), pd.crosstab(x, y))


def test_expected_counts_by_hand():  # item 08.11: 3100 · (750/3100) · (500/3100)
    E = ours.expected_counts(CLOTHING)
    assert E[0, 0] == pytest.approx(120.9677, abs=1e-4)
    np.testing.assert_allclose(E, scipy.stats.contingency.expected_freq(CLOTHING))


@settings(deadline=None, max_examples=25)
@given(counts, st.booleans())
def test_chi2_test_is_scipys(observed, correction):
    mine = ours.chi2_test(observed, correction=correction)
    other = scipy.stats.chi2_contingency(observed, correction)
    assert mine.statistic == pytest.approx(other.statistic, rel=1e-10, abs=1e-12)
    assert (mine.pvalue, mine.dof) == (pytest.approx(other.pvalue, abs=1e-12), other.dof)
    np.testing.assert_allclose(mine.expected_freq, other.expected_freq)


@pytest.mark.parametrize("correction", [False, True])
@pytest.mark.parametrize("observed", [[[3, 1], [1, 3]], [[10, 10], [10, 11]], [[5, 5], [5, 5]]])
def test_yates_correction_of_two_by_two(observed, correction):
    mine = ours.chi2_test(observed, correction=correction)
    other = scipy.stats.chi2_contingency(observed, correction)
    assert mine[:2] == pytest.approx((other.statistic, other.pvalue))


def test_yates_is_not_the_default():  # E60: .157 without, .480 with
    assert ours.chi2_test([[3, 1], [1, 3]]).pvalue == pytest.approx(0.157, abs=5e-4)


def test_expected_counts_are_not_rounded():  # E58: 26.73, not 26.99
    test = ours.chi2_test(CLOTHING)
    assert test[:3] == (pytest.approx(26.7268, abs=1e-4), pytest.approx(1.6e-6, abs=5e-8), 2)


@pytest.mark.parametrize(
    "observed, expected, p",
    [  # R 4.2.2, stats::chisq.test, datasets
        pytest.param(
            [[68, 20, 15, 5], [119, 84, 54, 29], [26, 17, 14, 14], [7, 94, 10, 16]],
            138.289841626,
            2.325286787e-25,
            id="HairEye",
        ),
        pytest.param([[122, 203], [167, 118], [528, 178], [673, 212]], 190.401103617, None, id="Titanic"),
    ],
)
def test_certified_tables(observed, expected, p):
    test = ours.chi2_test(observed)
    assert test.statistic == pytest.approx(expected, rel=1e-10)
    assert p is None or test.pvalue == pytest.approx(p, rel=1e-9)
    x, y = np.repeat(np.indices(np.shape(observed)).reshape(2, -1), np.ravel(observed), axis=1)  # the people
    assert ours.chi2(np.eye(len(observed))[x], y)[0].sum() == pytest.approx(expected, rel=1e-10)  # item 08.17


# ---------------------------------------------------------------- chi-squared of columns
@each_value
@pytest.mark.parametrize("n_classes", [2, 3, 8])
@pytest.mark.parametrize("form", FORMS)
def test_chi2_is_the_twins(rng, form, n_classes):
    X, y = table(rng, n_classes=n_classes)
    X[:, 4] = 0  # NaN, and no warning
    np.testing.assert_allclose(ours.chi2(FORMS[form](X), y), twin.chi2(X, y), rtol=1e-10)


def test_chi2_by_loops(rng):
    X, y = table(rng, n=20, d=2)
    for j, statistic in enumerate(ours.chi2(X, y)[0]):
        observed = [X[y == c, j].sum() for c in set(y)]
        expected = [(y == c).mean() * X[:, j].sum() for c in set(y)]
        assert statistic == pytest.approx(sum((O - E) ** 2 / E for O, E in zip(observed, expected)))


def test_columns_of_a_one_hot_block_sum_to_the_table(rng):  # item 08.17
    x, y = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    full = ours.chi2_test(ours.contingency_table(x, y)).statistic
    assert ours.chi2(np.eye(4)[x], y)[0].sum() == pytest.approx(full)


def test_binary_column_loses_the_share_of_ones(rng):  # item 08.17, E63
    x, y = rng.integers(0, 2, 100), rng.integers(0, 3, 100)
    full = ours.chi2_test(ours.contingency_table(x, y)).statistic
    assert ours.chi2(x[:, None], y)[0] == pytest.approx(full * (1 - x.mean()))


def test_chi2_grows_with_the_units(rng):  # E63
    X, y = table(rng)
    np.testing.assert_allclose(ours.chi2(10 * X, y)[0], 10 * ours.chi2(X, y)[0])


def test_chi2_takes_class_shares(rng):  # E62: not the uniform 1/C
    y = np.repeat([0, 1], [90, 10])
    assert ours.chi2(np.ones((100, 1)), y)[0] == pytest.approx(0)


# ---------------------------------------------------------------- analysis of variance
@each_value
@pytest.mark.parametrize("n_classes", [2, 3, 8])
@pytest.mark.parametrize("form", FORMS)
def test_f_classif_is_the_twins(rng, form, n_classes):
    X, y = table(rng, n_classes=n_classes)
    np.testing.assert_allclose(ours.f_classif(FORMS[form](X), y), twin.f_classif(X, y), rtol=1e-8)


def test_f_classif_over_many_blocks_and_classes(rng, monkeypatch):
    monkeypatch.setattr(_rows, "BLOCK", 50)
    X, y = rng.normal(3, 2, size=(501, 4)), rng.integers(0, 40, 501)
    for plain in "01":
        monkeypatch.setenv("HELPERS_PLAIN", plain)
        np.testing.assert_allclose(ours.f_classif(X, y), twin.f_classif(X, y), rtol=1e-10)
        np.testing.assert_allclose(ours.chi2(abs(X), y), twin.chi2(abs(X), y), rtol=1e-10)
        np.testing.assert_allclose(ours.f_regression(X, y), twin.f_regression(X, y), rtol=1e-10)


def nist(name):
    """Groups and certified table of a data set of NIST's StRD, which SciPy ships with its tests."""
    lines = (
        (Path(scipy.stats.__file__).parent / f"tests/data/nist_anova/{name}.dat")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    treatment, response = np.loadtxt(lines[60:], unpack=True)
    return [response[treatment == t] for t in np.unique(treatment)]


CERTIFIED = {
    "AtmWtAg": (15.946733567793, 9.7),
    "SiRstv": (1.18046237440255, 12.6),  # F, digits to keep
    "SmLs01": (21, 13),
    "SmLs02": (201, 13),
    "SmLs03": (2001, 12.9),
    "SmLs04": (21, 9.9),
    "SmLs05": (201, 9.7),
    "SmLs06": (2001, 9.7),
    "SmLs07": (21, 3.9),
    "SmLs08": (201, 3.7),
    "SmLs09": (2001, 3.7),
}


@pytest.mark.parametrize("name", CERTIFIED)
def test_nist_certified_F(name, monkeypatch):  # itl.nist.gov/div898/strd
    groups, (F, digits) = nist(name), CERTIFIED[name]
    X, y = np.concatenate(groups)[:, None], np.repeat(np.arange(len(groups)), [len(g) for g in groups])
    for plain in "01":
        monkeypatch.setenv("HELPERS_PLAIN", plain)
        for value in (ours.f_oneway(*groups).statistic, ours.f_classif(X, y)[0][0]):
            assert -np.log10(max(abs(value - F) / F, 1e-16)) >= digits


def test_the_twin_loses_nists_digits():  # why the columns are shifted first
    groups = nist("SmLs07")
    theirs = twin.f_oneway(*(group[:, None] for group in groups))[0]
    assert abs(theirs[0] - 21) > 1 > abs(ours.f_oneway(*groups).statistic - 21)


def test_anova_table_as_printed():  # item 08.22: F = .622642, p = .460102
    anova = ours.f_oneway(*HEIGHTS)
    assert (
        str(anova).split()
        == (
            "df sum_sq mean_sq F PR(>F) between 1 0.006050 0.006050 0.622642 0.460102 "
            "within 6 0.058300 0.009717 total 7 0.064350"
        ).split()
    )
    assert anova.table().loc["within"].tolist()[:3] == pytest.approx([6, 0.0583, 0.0583 / 6])


def test_labels_explained_by_heights_have_the_same_F():  # E64: .188034, 1.811966 are the reversed sums
    x, y = np.concatenate(HEIGHTS), np.repeat([0, 1], 4)
    r2 = ours.pearson_r(x, y) ** 2
    assert (r2 * 2, (1 - r2) * 2) == (pytest.approx(0.188034, abs=1e-6), pytest.approx(1.811966, abs=1e-6))
    assert ours.f_regression(x[:, None], y)[0][0] == pytest.approx(ours.f_oneway(*HEIGHTS).statistic)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.floats(-50, 50), min_size=2, max_size=6), min_size=2, max_size=4))
def test_variation_splits(groups):  # item 08.20: SST = SSE + SSB, by loops
    every, a = [x for g in groups for x in g], ours.f_oneway(*groups)
    mean = sum(every) / len(every)
    assert a.sse == pytest.approx(sum((x - sum(g) / len(g)) ** 2 for g in groups for x in g), abs=1e-9)
    assert a.ssb == pytest.approx(sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in groups), abs=1e-9)
    assert a.sst == pytest.approx(sum((x - mean) ** 2 for x in every), abs=1e-9)
    assert (a.df_between, a.df_within) == (len(groups) - 1, len(every) - len(groups))


def test_a_result_cannot_be_changed():
    with pytest.raises(AttributeError):
        ours.f_oneway(*HEIGHTS).sse = 0


def test_f_oneway_is_scipys(rng):
    groups = [rng.normal(m, 1, size) for m, size in [(0, 5), (1, 40), (0.5, 11)]]
    mine, other = ours.f_oneway(*groups), scipy.stats.f_oneway(*groups)
    assert (mine.statistic, mine.pvalue) == pytest.approx((other.statistic, other.pvalue), rel=1e-12)
    assert (mine.msb * mine.df_between, mine.mse * mine.df_within) == pytest.approx((mine.ssb, mine.sse))


def test_far_means_cost_no_digits(rng):  # SST - SSB would leave none of SSE's
    groups = [m + rng.integers(0, 8, 20) / 8 for m in (0, 1e9, 3e9)]
    sse = sum(np.var(g % 1e9, ddof=0) * 20 for g in groups)
    assert ours.f_oneway(*groups).sse == pytest.approx(sse, rel=1e-12)


def test_two_classes_give_t_squared(rng):  # item 08.24: the pooled, two-sided t
    a, b = rng.normal(size=9), rng.normal(0.5, 3, size=14)
    t = scipy.stats.ttest_ind(a, b)
    assert ours.f_oneway(a, b).statistic == pytest.approx(t.statistic**2)
    assert ours.f_oneway(a, b).pvalue == pytest.approx(t.pvalue)


@pytest.mark.parametrize("form", ["array", "float32"])
def test_constant_columns_have_no_F(form):
    X = FORMS[form](np.column_stack([np.full(6, 0.1), [1, 1, 1, 2, 2, 2], range(6)]))
    with pytest.warns(UserWarning, match=r"Features \[0\] are constant") as caught:
        F, p = ours.f_classif(X, [0, 0, 0, 1, 1, 1])
    assert caught[0].filename == __file__  # it points at the caller
    assert np.isnan(F[0]) and np.isnan(p[0]) and F[1] == np.inf and p[1] == 0 and F[2] == pytest.approx(13.5)


@pytest.mark.parametrize("scale, shift", [(1e-3, 1e9), (1e6, -1e12)])
def test_f_classif_does_not_depend_on_units(rng, scale, shift):
    X, y = table(rng)
    np.testing.assert_allclose(ours.f_classif(X * scale + shift, y)[0], ours.f_classif(X, y)[0], rtol=1e-4)


# ---------------------------------------------------------------- correlation
@pairwise
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("force_finite", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_regression_scores_are_the_twins(rng, form, force_finite, center):
    X, _ = table(rng)
    X[:, 3] = 0
    y, options = X[:, 0] - X[:, 1] + rng.normal(size=len(X)), dict(center=center, force_finite=force_finite)
    for name in ("r_regression", "f_regression"):
        mine, other = (getattr(module, name) for module in (ours, twin))
        np.testing.assert_allclose(mine(FORMS[form](X), y, **options), other(X, y, **options), rtol=1e-8)


@pytest.mark.parametrize("force_finite", [True, False])
def test_perfect_lines_and_constant_targets_as_in_the_twin(force_finite):
    X = np.array([[1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0]])
    for y in (X[:, 0], np.full(4, 3.0)):
        np.testing.assert_array_equal(
            ours.f_regression(X, y, force_finite=force_finite),
            twin.f_regression(X, y, force_finite=force_finite),
        )


def test_rounding_never_makes_r_larger_than_one():  # the twin's F of this line is -2e15, its p 1
    x = np.array([1.0, 2.0, 4.0])
    F, p = ours.f_regression(x[:, None], x)
    assert F[0] > 1e15 and p[0] < 1e-7
    assert abs(ours.r_regression(x[:, None], x)[0]) <= 1 >= abs(ours.pearson_r(x, -x))
    assert ours.pearson_r([0, 0, 1], [0, 0, -1]) == -1  # -1.0000000000000002 before it is clipped
    assert ours.pearson_r([0, 0, 1], [0, 0, 1]) == 1
    assert np.isnan(ours.pearson_r([3, 3, 3], x))


def test_r_is_corrcoef_far_from_zero(rng):  # the twin loses the second digit
    x = rng.normal(size=(300, 3))
    y = x @ [1, -1, 0.2] + rng.normal(size=300)
    r = [np.corrcoef(column, y)[0, 1] for column in x.T]
    np.testing.assert_allclose(ours.r_regression(x + 1e8, y - 1e9), r, atol=1e-6)
    for unit in (1, 1e-200, 1e200):  # whose squares vanish or overflow
        assert ours.pearson_r(unit * x[:, 1], y) == pytest.approx(r[1], rel=1e-12)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ours.pearson_r(y, [])


@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix])
def test_sparse_columns_far_from_zero_keep_their_digits(rng, form):  # |x|² - n mean² would leave four
    X, y = table(rng)
    X[X > 0] += 1e6
    X[:50, 2], codes = 3e7, np.unique(y, return_inverse=True)[1]
    np.testing.assert_allclose(ours.f_classif(form(X), y)[0], ours.f_classif(X, y)[0], rtol=1e-9)
    np.testing.assert_allclose(ours.r_regression(form(X), codes), ours.r_regression(X, codes), rtol=1e-9)


def test_F_measures_lines_only():  # item 08.27: y = x² has r = 0
    x = np.linspace(-1, 1, 21)
    assert ours.f_regression(x[:, None], x**2)[0] == pytest.approx(0, abs=1e-20)


def test_r2_is_explained_variation(rng):  # item 08.26: R² = 1 - SSE/SST = r²
    x, e = rng.normal(size=(2, 50))
    y = x + e
    fit = np.polyval(np.polyfit(x, y, 1), x)
    r2 = 1 - ((y - fit) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert ours.pearson_r(x, y) ** 2 == pytest.approx(r2)


# ---------------------------------------------------------------- bad input
X3 = np.arange(6.0).reshape(3, 2)
NAN3 = np.where(X3 == 4, np.nan, X3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ours.chi2(-X3 / 9, [0, 1, 1]), "Input X must be non-negative"),
        (lambda: ours.chi2(-sp.csr_array(X3), [0, 1, 1]), "Input X must be non-negative"),
        (lambda: ours.chi2(NAN3, [0, 1, 1]), "Input X contains NaN"),
        (lambda: ours.chi2(X3, [1, 1, 1]), "y has one class"),
        (lambda: ours.chi2(X3, [1, 1]), "inconsistent numbers of samples"),
        (lambda: ours.f_classif(NAN3, [0, 1, 1]), "Input X contains NaN"),
        (lambda: ours.f_classif(sp.csr_array(NAN3), [0, 1, 1]), "Input X contains NaN"),
        (lambda: ours.f_classif(np.where(X3 == 4, np.inf, X3), [0, 1, 1]), "Input X contains infinity"),
        (lambda: ours.f_classif(X3, [0, 1, np.nan]), "Input y contains NaN"),
        (lambda: ours.f_classif(X3, list("aaa")), "y has one class"),
        (lambda: ours.f_classif(X3, list("abc")), "Each of the 3 classes has one row"),
        (lambda: ours.f_oneway([1.0, 2.0]), "at least two groups"),
        (lambda: ours.f_oneway([1.0, 2.0], []), "0 sample"),
        (lambda: ours.f_oneway([1.0, 2.0], [np.nan]), "group 1 contains NaN"),
        (lambda: ours.f_oneway([1.0, 2.0], X3), "one array of shape"),
        (lambda: ours.f_regression(NAN3, [1.0, 2.0, 3.0]), "Input X contains NaN"),
        (lambda: ours.f_regression(X3[:2], [1.0, 2.0]), "n_samples=2 leaves no degree of freedom"),
        (lambda: ours.chi2_test([[1, 2]]), r"shape \(1, 2\)"),
        (lambda: ours.chi2_test([1, 2]), r"shape \(2,\)"),
        (lambda: ours.chi2_test([[1, 2], [0, 0]]), "row 1 is empty"),
        (lambda: ours.chi2_test([[1, 0], [2, 0]]), "column 1 is empty"),
        (lambda: ours.chi2_test([[1, -0.5], [3, 4]]), "negative"),
        (lambda: ours.expected_counts([[1, np.nan], [3, 4]]), "blanks"),
        (lambda: ours.contingency_table(["a", None], [0, 1]), "x has blanks"),
        (lambda: ours.contingency_table(["a", "b"], [0, np.nan]), "y has blanks"),
        (lambda: ours.contingency_table([], []), "one value for each row"),
        (lambda: ours.contingency_table([[1, 2]], [1]), "one value for each row"),
        (lambda: ours.contingency_table([1, 2], [1]), "inconsistent numbers of samples"),
        (lambda: ours.pearson_r([1, 2], [1, 2, 3]), "inconsistent numbers of samples"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_huge_numbers_are_not_called_blanks():
    X = np.array([[1e200], [2e200], [3e200]])
    with pytest.warns(RuntimeWarning):  # the squares overflow, as the twin's do
        F, _ = ours.f_classif(X, [0, 1, 1])
    assert not np.isfinite(F[0])
