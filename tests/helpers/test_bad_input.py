"""What no estimator takes: tables that are none, options that nobody could mean. Errors say what to do.

The errors of a single family stand in that family's own tests.
"""

import inspect
import re
import warnings
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import helpers.discriminant_analysis as da
import helpers.feature_extraction as fe
import helpers.feature_selection as fs
import helpers.imbalance as im
import helpers.impute as ip
import helpers.linear_model as lm
import helpers.manifold as mf
import helpers.model_selection as ms
import helpers.multiclass as mc
import helpers.preprocessing as pp
from helpers._checks import check_count, check_stop
from tests.helpers.test_every_estimator import ESTIMATORS, NOT_CHECKED, OTHER_ROWS, X, Y

RULES = {
    "max_iter": [-2, 2.5, "many"],
    "tol": [-1e-3, np.nan, "small"],
    "n_components": [0, -1, 2.5],
    "n_neighbors": [0, -1],
    "n_estimators": [0, -1],
    "learning_rate": [0.0, -1.0, np.nan],
    "p": [0.5, np.nan],
    "alpha": [-1.0, np.nan],
    "nu": [0.0, 2.0, np.nan],
    "eps": [0.0, -1.0, np.nan],
    "n_bins": [1],
    "ridge": [-1.0, np.nan],
    "lam": [-1.0, np.nan],
    "n_imputations": [0],
    "code_steps": [0],
    "C": [0.0, np.nan],
    "l1_ratio": [2.0, np.nan],
    "k_neighbors": [0, 999],
    "m_neighbors": [0, 999],
    "n_features_to_select": [0, 99],
    "cv": [1],
    "max_tries": [0],
    "alphas": [[], [-1.0]],
    "feature_range": [(1, 0)],
    "sampling_strategy": [5.0, {0: -1}],
    "shrinkage": ["much"],
    "norm": [0.5],
    "reg": [-1.0],
}
# What else these parameters may be called for, or where the meaning differs.
ALLOWED = {
    ("SequentialFeatureSelector", "tol"): "a loss may be allowed",
    ("KernelPCA", "alpha"): "only used on the way back, which nobody asked for here",
}
CHOICES = {
    "encode",
    "strategy",
    "norm",
    "kernel",
    "algorithm",
    "fun",
    "whiten",
    "solver",
    "eigen_solver",
    "update",
    "direction",
    "disconnected",
    "initial_strategy",
    "imputation_order",
    "transform_algorithm",
    "weights",
    "sampling_strategy",
    "decoding",
    "handle_unknown",
    "missing",
}


def fit(name, **options):
    rows = OTHER_ROWS.get(name, slice(None))
    model, table, y = clone(ESTIMATORS[name]).set_params(**options), X[rows].to_numpy(), Y[rows].to_numpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit_resample(table, y) if hasattr(model, "fit_resample") else model.fit(table, y)


def options():
    """Every estimator with every parameter that one of the rules speaks of.

    Those who share a parameter mostly share its check: each value is tried on the first that takes it,
    on every other estimator one value, another one each time. Those who share their fit share all checks.
    """
    taken, asked = Counter(), set()
    for name, estimator in ESTIMATORS.items():
        fit_of = getattr(type(estimator), "fit_resample", type(estimator).fit)
        for key, parameter in inspect.signature(type(estimator)).parameters.items():
            if (fit_of, key) in asked:
                continue
            asked.add((fit_of, key))
            if (name, key) not in ALLOWED and key in RULES:
                taken[key] += 1
                one = RULES[key][taken[key] % len(RULES[key])]
                for bad in RULES[key] if taken[key] == 1 else [one]:
                    yield pytest.param(name, key, bad, id=f"{name}-{key}-{bad}")
            if key in CHOICES and isinstance(parameter.default, str):
                yield pytest.param(name, key, "magic", id=f"{name}-{key}-magic")


@pytest.mark.parametrize("name, key, bad", list(options()))
def test_options_that_nobody_could_mean(name, key, bad):
    with pytest.raises((ValueError, TypeError)) as raised:
        fit(name, **{key: bad})
    assert len(str(raised.value)) > 25 and "\n\n" not in str(raised.value)


SHAPES = {"no rows": (X[:0], Y[:0]), "no columns": (X.iloc[:, :0], Y), "one dimension": (X["a"], Y)}


@pytest.mark.parametrize("table, y", [pytest.param(*pair, id=name) for name, pair in SHAPES.items()])
@pytest.mark.parametrize("name", sorted(NOT_CHECKED))
def test_tables_that_are_none(name, table, y):
    """The others' refusals are among scikit-learn's own checks."""
    model = clone(ESTIMATORS[name])
    with pytest.raises(ValueError, match=r"(?i)shape|sample|feature|column|dimension|class"):
        getattr(model, "fit_resample", model.fit)(table.to_numpy(), y.to_numpy())


@pytest.mark.parametrize("number", [0, 1.0, -3, "2", None])
def test_a_count_is_a_whole_number(number):
    with pytest.raises(ValueError, match=re.escape(f"k={number!r}: give a whole number from 1 up")):
        check_count("k", number)
    check_count("k", np.int64(1))


def test_a_search_has_to_end():
    with pytest.raises(ValueError, match="tol=nan: a tolerance is a number >= 0"):
        check_stop(5, np.nan)
    with pytest.raises(ValueError, match="max_iter=0: give a whole number from 1 up"):
        check_stop(0, 0.1)
    check_stop(1, 0)
    check_stop(0, 0, fewest=0)


TABLE, LABELS = X.to_numpy(), Y.to_numpy()
BLANK = np.where(TABLE > 1, np.nan, TABLE)
FUNCTIONS = {
    "chi2, negative counts": (lambda: fs.chi2(TABLE, LABELS), "(?i)non-negative|below 0|negative"),
    "chi2, blanks": (lambda: fs.chi2(np.abs(BLANK), LABELS), "NaN"),
    "chi2_test, negative": (lambda: fs.chi2_test([[1, -1], [2, 3]]), "-1|negative|counts"),
    "chi2_test, a row": (lambda: fs.chi2_test([1, 2]), "dimension|2D|table|shape"),
    "f_classif, a class": (lambda: fs.f_classif(TABLE, 0 * LABELS), "class"),
    "f_classif, blanks": (lambda: fs.f_classif(BLANK, LABELS), "NaN"),
    "f_oneway, a group": (lambda: fs.f_oneway([1, 2, 3]), "group"),
    "pearson_r, a row": (lambda: fs.pearson_r([1], [1]), "at least two rows"),
    "entropy, base 1": (lambda: fs.entropy([1, 2], base=1), "choose a base above 1"),
    "plug_in_bias, base -1": (lambda: fs.plug_in_bias(2, 2, 9, base=-1), "choose a base above 1"),
    "plug_in_bias, no rows": (lambda: fs.plug_in_bias(2, 2, 0), "n=0: levels and rows count from 1"),
    "kl_divergence, a sum of 1.1": (lambda: fs.kl_divergence([0.5, 0.6], [0.5, 0.5]), "sum"),
    "mutual information, short mask": (
        lambda: fs.mutual_info_classif(TABLE, LABELS, discrete_features=[True]),
        "does not fit X with its 4 columns",
    ),
    "mutual information, column 9": (
        lambda: fs.mutual_info_classif(TABLE, LABELS, discrete_features=[9]),
        "4 columns",
    ),
    "mutual information, k = 0": (
        lambda: fs.mutual_info_classif(TABLE, LABELS, n_neighbors=0),
        "n_neighbors=0",
    ),
    "soft_threshold, below 0": (lambda: lm.soft_threshold([1.0], -1), "t=-1: a threshold is at least 0"),
    "kkt_residual, below 0": (lambda: lm.kkt_residual(TABLE, LABELS, np.zeros(4), -1), "choose lam >= 0"),
    "proximal_gradient, below 0": (lambda: lm.proximal_gradient(TABLE, LABELS, -1), "choose lam >= 0"),
    "proximal_gradient, steps": (lambda: lm.proximal_gradient(TABLE, LABELS, 1, n_iter=-1), "n_iter=-1"),
    "lasso_path, eps": (lambda: lm.lasso_path(TABLE, LABELS, eps=2.0), "choose 0 < eps < 1"),
    "lasso_path, tol": (lambda: lm.lasso_path(TABLE, LABELS, tol=np.nan), "tol=nan"),
    "restricted isometry, k = 0": (lambda: lm.restricted_isometry_constant(TABLE, 0), "k=0"),
    "coherence, a column": (lambda: lm.coherence(TABLE[:, :1]), "column|feature"),
    "hold-out, all": (lambda: ms.HoldOut(1.0), "a share between 0 and 1, or a number of rows"),
    "hold-out, text": (lambda: ms.HoldOut("x"), "a share between 0 and 1, or a number of rows"),
    "folds, text": (
        lambda: ms.cross_validate_scores(LogisticRegression(), TABLE, LABELS, cv="x"),
        "cv='x': give a number of folds",
    ),
    "folds, an empty list": (
        lambda: ms.cross_validate_scores(LogisticRegression(), TABLE, LABELS, cv=[]),
        "a splitter as KFold",
    ),
    "folds, more than rows": (lambda: list(ms.KFold(99).split(TABLE)), "n_splits=99"),
    "classical_mds, negative": (lambda: mf.classical_mds([[0, -1.0], [-1, 0]], 1), "no distance is"),
    "double_centre, a rectangle": (lambda: mf.double_centre(np.ones((2, 3))), "needs a square matrix"),
    "double_centre, a row": (lambda: mf.double_centre([1.0, 2.0]), "needs a square matrix"),
    "errors_corrected, 0": (lambda: mc.errors_corrected(0), "words must differ"),
    "pairs_code, a class": (lambda: mc.pairs_code(1), "a pair needs two classes"),
    "threshold_curve, lengths": (lambda: im.threshold_curve([True, False], [0.5]), "one label and one score"),
    "threshold_curve, NaN": (
        lambda: im.threshold_curve([True, False], [np.nan, 0.1]),
        "not NaN, for each row",
    ),
    "threshold_curve, metric": (
        lambda: im.threshold_curve([True, False], [0.5, 0.1], metric="magic"),
        "metric='magic': use 'accuracy', 'balanced_accuracy'",
    ),
    "bucket, order": (lambda: pp.bucket([1.0], [2.0, 1.0]), "boundaries must ascend"),
    "bucket, NaN": (lambda: pp.bucket([np.nan], [1.0]), "lie in no bucket"),
    "residual_outliers, below 0": (
        lambda: pp.residual_outliers(TABLE, TABLE[:, 0] ** 2, threshold=-1),
        "threshold=-1",
    ),
    "svt, below 0": (lambda: ip.svt(TABLE, -1), "lam=-1: give a penalty >= 0"),
    "pool, a table": (lambda: ip.pool([1.0], [1.0]), "(?i)two|at least 2"),
    "scale_space, scales": (lambda: fe.scale_space(np.eye(32), n_scales=0), "n_scales=0"),
    "scale_space, octaves": (lambda: fe.scale_space(np.eye(32), n_octaves=0), "n_octaves=0"),
    "fisher_criterion, zeros": (lambda: da.fisher_criterion(TABLE, LABELS, np.zeros(4)), "not all of them 0"),
    "fisher_criterion, entries": (
        lambda: da.fisher_criterion(TABLE, LABELS, np.ones(3)),
        "directions of 4 entries",
    ),
}


@pytest.mark.parametrize("call, says", [pytest.param(*pair, id=name) for name, pair in FUNCTIONS.items()])
def test_functions_say_what_is_wrong(call, says):
    with pytest.raises(ValueError, match=says):
        call()
