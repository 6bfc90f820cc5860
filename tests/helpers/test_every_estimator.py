"""What every estimator keeps to: all checks of its twin, clone and pickle, names and frames in and out."""

import importlib
import inspect
import warnings
from pickle import dumps, loads

import imblearn.ensemble
import imblearn.over_sampling
import imblearn.under_sampling
import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import get_tags
from sklearn.utils.discovery import all_estimators
from sklearn.utils.estimator_checks import (
    check_estimator_tags_renamed,
    check_mixin_order,
    check_valid_tag_types,
    estimator_checks_generator,
)
from tools.agreement import lacking
from tools.agreement_rows import LEFT_OUT

from helpers import (
    cross_decomposition,
    decomposition,
    discriminant_analysis,
    feature_selection,
    imbalance,
    impute,
    linear_model,
    manifold,
    multiclass,
    neighbors,
    preprocessing,
)
from helpers._linalg import dense
from helpers.linear_model._base import LinearRegressor
from tests.listings.nasty import in_parts

FAMILIES = [
    "cross_decomposition",
    "decomposition",
    "discriminant_analysis",
    "feature_selection",
    "imbalance",
    "impute",
    "linear_model",
    "manifold",
    "multiclass",
    "neighbors",
    "preprocessing",
]
X = np.asfortranarray(np.random.default_rng(0).normal(size=(60, 4)))  # column after column in memory
X = pd.DataFrame(X, columns=list("abcd"), index=range(60, 0, -1))
Y = pd.Series((X["a"] + 0.3 * X["b"] > 0.4).astype(int))
MADE = {"SparseCoder": [np.eye(4)], "CCA": [1]}  # first arguments; the wrappers' are a learner
OTHER_ROWS = {"BasisPursuit": slice(3), "FeatureCross": slice(9), "OneHotEncoder": slice(9)}

# Checks of the twin's that do not concern ours.
ARRAY_LIBRARIES = {"check_array_api_input", "check_array_api_mixed_inputs", "check_array_api_same_namespace"}
LESS = {
    "CCA": (
        "the twin also predicts, by a regression",
        {
            "check_regressors_train",
            "check_regressor_data_not_an_array",
            "check_regressor_multioutput",
            "check_regressors_no_decision_function",
            "check_supervised_y_2d",
            "check_supervised_y_no_nan",
            "check_estimators_partial_fit_n_features",
            "check_non_transformer_estimators_n_iter",
        },
    ),
    "OneVsRestClassifier": ("one label for a row", {"check_classifier_multioutput"}),
    "LogisticRegression": (
        "asked for by the twin's base class; balanced weights have tests of their own",
        {"check_sparsify_coefficients", "check_class_weight_balanced_linear_classifier"},
    ),
}


def made(kind):
    """An instance with as few arguments as it takes."""
    first = next(iter(inspect.signature(kind).parameters.values()))
    wanted = [LogisticRegression()] if first.default is inspect.Parameter.empty else []
    model = kind(*MADE.get(kind.__name__, wanted))
    quick = {"random_state": 0, "max_tries": 3}
    return model.set_params(**{
        name: value for name, value in quick.items() if name in model.get_params(deep=False)
    })


def classes():
    for family in FAMILIES:
        module = importlib.import_module(f"helpers.{family}")
        found = (getattr(module, name) for name in module.__all__)
        yield from (c for c in found if inspect.isclass(c) and issubclass(c, BaseEstimator))


ESTIMATORS = {c.__name__: made(c) for c in classes()}
TWINS = dict(all_estimators()) | {
    name: getattr(module, name)
    for module in (imblearn.ensemble, imblearn.over_sampling, imblearn.under_sampling)
    for name in module.__all__
    if name != "AdaBoostClassifier"
}


def fitted(name):
    rows = OTHER_ROWS.get(name, slice(None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(ESTIMATORS[name]).fit(X[rows], Y[rows]), X[rows], Y[rows]


def answer(model, X, y):
    """What the fitted model says of X, as an array."""
    for method in ("transform", "predict"):
        if hasattr(model, method):
            result = getattr(model, method)(X)
            return result.toarray() if hasattr(result, "toarray") else np.asarray(result)
    return model.fit_resample(X, y)[0] if hasattr(model, "fit_resample") else model.labels_


# ---- scikit-learn's own checks: of every estimator, and of a second configuration where it runs other code


def quick(name):
    """As it is made above, with few rounds, and small enough for the checks' smallest tables."""
    few = {
        "AdaBoostClassifier": {"n_estimators": 5},
        "DictionaryLearning": {"n_components": 3, "max_iter": 5},
        "EasyEnsembleClassifier": {"n_estimators": 2, "estimator": imbalance.AdaBoostClassifier(3)},
        "FastICA": {"tol": 9},
        "KSVD": {"n_components": 3, "max_iter": 5, "n_nonzero_coefs": 1},
        "OneClassSVM": {"tol": 1e-10},
        "Relief": {"n_features_to_select": 1},
        "ReliefF": {"n_features_to_select": 1},
    }
    learner = {
        "ExhaustiveSelector": {"estimator": LinearRegression(), "cv": 2},
        "LasVegasWrapper": {"estimator": LinearRegression(), "cv": 2},
        "SequentialFeatureSelector": {"estimator": LinearRegression()},
        "ThresholdClassifier": {"estimator": GaussianNB(), "thresholds": [0.5, 2.0]},
    }
    return clone(ESTIMATORS[name]).set_params(**few.get(name, {}), **learner.get(name, {}))


# imblearn's samplers keep other rules, and a coder has nothing to fit.
NOT_CHECKED = {name for name, one in ESTIMATORS.items() if hasattr(one, "fit_resample")} | {"SparseCoder"}
ALSO = [
    cross_decomposition.CCA(1, ridge=(0.1, 0)),
    decomposition.DictionaryLearning(
        3, max_iter=5, transform_algorithm="threshold", positive_code=True, split_sign=True
    ),
    decomposition.FastICA(whiten=False, fun="cube", tol=9),
    decomposition.KSVD(2, max_iter=5, update="exact", code_tol=0.1),
    decomposition.KernelPCA(1, kernel="precomputed"),
    decomposition.PCA(0.9, solver="gram"),
    discriminant_analysis.LinearDiscriminantAnalysis(1, shrinkage="auto"),
    feature_selection.RFE(LinearRegression(), fast=False),
    feature_selection.ReliefF(0.5, n_neighbors=2, power=2),
    feature_selection.SequentialFeatureSelector(KNeighborsClassifier(1), direction="bidirectional", cv=2),
    imbalance.OneClassSVM(kernel="linear", tol=1e-10),
    imbalance.ThresholdClassifier(RidgeClassifier(), threshold=0.0),
    impute.ModelImputer(add_indicator=True, imputation_order="random", random_state=0),
    impute.SimpleImputer(strategy="most_frequent", add_indicator=True),
    impute.SoftImpute(add_indicator=True),
    linear_model.Lasso(solver="ista"),
    linear_model.ElasticNet(fit_intercept=False),
    linear_model.LogisticRegression(l1_ratio=0.5),
    linear_model.Ridge(solver="svd"),
    linear_model.RidgeCV(cv=3),
    manifold.Isomap(None, radius=3.0),
    manifold.LocallyLinearEmbedding(eigen_solver="arpack"),
    multiclass.OneVsOneClassifier(RidgeClassifier()),
    multiclass.OneVsRestClassifier(RidgeClassifier()),
    multiclass.OutputCodeClassifier(RidgeClassifier(), code="exhaustive", decoding="hard"),
    neighbors.KNeighborsClassifier(3, weights="distance", p=1),
    neighbors.KNeighborsRegressor(3, weights="distance", p=1),
    preprocessing.DBSCAN(2.0, min_samples=1),
    preprocessing.FeatureCross(encode="onehot", handle_unknown="ignore"),
    preprocessing.KBinsDiscretizer(3, strategy="uniform", encode="onehot-dense"),
    preprocessing.MinMaxScaler((-1, 2), clip=True),
    preprocessing.Normalizer("max"),
    preprocessing.OneHotEncoder(drop="if_binary", sparse_output=False),
    preprocessing.StandardScaler(with_mean=False),
]
# What hangs on the numbers. The rest looks at names, tags and refusals: those of the class.
OF_NUMBERS = {
    "check_classifiers_train",
    "check_estimator_sparse_array",
    "check_methods_subset_invariance",
    "check_regressors_train",
    "check_sample_weight_equivalence_on_dense_data",
    "check_transformer_general",
}
# Nothing of ours answers these: BaseEstimator does for every class (none of ours has a method of that name,
# see below), once its __init__ only stores what it is given (see below too).
INHERITED = {
    "check_estimator_cloneable": "__sklearn_clone__",
    "check_estimator_repr": "__repr__",
    "check_estimators_pickle": "__getstate__",  # which is all that a model holds: see what an answer leaves
    "check_fit_check_is_fitted": "__sklearn_is_fitted__",  # none at all: n_features_in_ decides
    "check_get_params_invariance": "get_params",
    "check_set_params": "set_params",
}
STORED = {
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
}
# scikit-learn's Pipeline and check_array answer these; that check_array is asked, a table without rows and
# dtype_object see.
SCIKIT_LEARNS = {
    "check_classifier_data_not_an_array",
    "check_complex_data",
    "check_pipeline_consistency",
    "check_regressor_data_not_an_array",
    "check_transformer_data_not_an_array",
}
# Any error will do, and what was never fitted has no attribute to answer with.
CANNOT_FAIL = {"check_transformers_unfitted"}
OF_CLASSES = {  # see below
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_estimators_overwrite_params",
    "check_estimator_tags_renamed",
    "check_fit_score_takes_y",
    "check_mixin_order",
    "check_valid_tag_types",
}
# The same twice: a sparse array and a sparse matrix; weights as a list, a series, an object with __array__;
# columns in one piece, and those of the table X above; rows in another order and one by one;
# fit returns the estimator; it takes read-only tables, which another check asks of each kind of estimator;
# one row as a vector: NaN or an empty table sees that fit asks check_array, another width that answers do.
TWICE = {
    "check_estimator_sparse_matrix",
    "check_estimators_fit_returns_self",
    "check_f_contiguous_array_estimator",
    "check_fit1d",
    "check_fit2d_predict1d",
    "check_methods_sample_order_invariance",
    "check_n_features_in",
    "check_readonly_memmap_input",
    "check_sample_weights_list",
    "check_sample_weights_pandas_series",
}
LEFT_TO_OTHERS = INHERITED.keys() | STORED | SCIKIT_LEARNS | CANNOT_FAIL | OF_CLASSES | TWICE
READ_ONLY_TOO = {"check_transformer_general"}  # the harder case
# What fit refuses and takes, as far as its own code decides: of those that share a fit, the first is asked.
OF_FIT = {
    "check_all_zero_sample_weights_error",
    "check_classifiers_one_label",
    "check_classifiers_one_label_sample_weights",
    "check_classifiers_regression_target",
    "check_dtype_object",
    "check_estimator_sparse_tag",
    "check_estimators_empty_data_messages",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_requires_y_none",
    "check_sample_weights_not_an_array",
    "check_sample_weights_not_overwritten",
    "check_sample_weights_shape",
    "check_supervised_y_2d",
    "check_supervised_y_no_nan",
}
ANSWERS = ("decision_function", "predict", "predict_proba", "predict_log_proba")


def answered_by(estimator):
    """Our own code that answers for new rows; it may be inherited."""
    found = (getattr(type(estimator), name, None) for name in (*ANSWERS, "score_samples", "transform"))
    return tuple(method for method in found if getattr(method, "__module__", "").startswith("helpers."))


def asks_for_finite_rows(estimator):
    """NaN is refused by fit and by each answer: so check_array is asked, which sees to the rest."""
    return not get_tags(estimator).input_tags.allow_nan and not get_tags(estimator).no_validation


# These look at nothing more where an estimator has no such thing.
CONCERNS = {
    "check_estimator_sparse_array": lambda e: get_tags(e).input_tags.sparse,
    "check_estimator_sparse_tag": lambda e: not get_tags(e).input_tags.sparse,  # it is refused, and why
    "check_dtype_object": lambda e: not asks_for_finite_rows(e),
    "check_estimators_empty_data_messages": lambda e: not asks_for_finite_rows(e),
    "check_estimators_partial_fit_n_features": lambda e: hasattr(e, "partial_fit"),
    "check_estimators_unfitted": lambda e: any(hasattr(e, method) for method in ANSWERS),
    # test_nasty.py fits one column too, and asks for answers; but a selector may want two, and no more
    "check_fit2d_1feature": lambda e: isinstance(e, SelectorMixin),
    # of a transformer check_transformer_general fits twice
    "check_fit_idempotent": lambda e: isinstance(e, SelectorMixin) or not hasattr(e, "transform"),
    "check_methods_subset_invariance": answered_by,
    "check_non_transformer_estimators_n_iter": lambda e: hasattr(e, "max_iter"),
    "check_positive_only_tag_during_fit": lambda e: get_tags(e).input_tags.positive_only,
    "check_requires_y_none": lambda e: not is_classifier(e) and not is_regressor(e),  # y_no_nan
    "check_transformer_n_iter": lambda e: hasattr(e, "max_iter"),
}


def tells_more(estimator, check):
    """Whether no other check, or test of this file, has seen it already."""
    name, options = check.func.__name__, check.keywords
    if name in READ_ONLY_TOO and "readonly_memmap" not in options:
        return False
    if name.endswith("ors_train") or name.endswith("ers_train"):  # plain, and read-only in float32
        if "readonly_memmap" in options and "X_dtype" not in options:
            return False
    return name not in LEFT_TO_OTHERS and CONCERNS.get(name, lambda e: True)(estimator)


def checks_of(estimator):
    """(id, check): what scikit-learn would put this estimator to, and what tells more."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, check in estimator_checks_generator(estimator):
            text = "".join(repr(estimator).split())
            if tells_more(estimator, check):
                yield pytest.param(estimator, check, id=f"{text}-{check.func.__name__}")


def conventions():
    for name in (n for n in ESTIMATORS if n not in NOT_CHECKED):
        yield from checks_of(quick(name))
    for estimator in ALSO:
        yield from (case for case in checks_of(estimator) if case.values[1].func.__name__ in OF_NUMBERS)


def decided_by(estimator, name):
    """The code of ours that a check looks at, where several estimators inherit it; else None."""
    if name in OF_FIT:
        return type(estimator).fit
    answers = answered_by(estimator) if name == "check_methods_subset_invariance" else ()
    return answers if answers == (LinearRegressor.predict,) else None


def asked_once(cases):
    """One code of ours is put to a check once, by the first estimator that has it."""
    asked = set()
    for case in cases:
        estimator, check = case.values
        code = decided_by(estimator, check.func.__name__)
        if code is None or (check.func, code) not in asked:
            asked.add((check.func, code))
            yield case


@pytest.mark.filterwarnings(
    "ignore:Bins whose width",
    "ignore:The graph of neighbours:UserWarning",
    "ignore:.*closed groups:UserWarning",
    "ignore:Can't check dok:UserWarning",
)
@pytest.mark.parametrize("estimator, check", list(asked_once(conventions())))
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_what_is_not_checked_is_inherited():
    for name, estimator in ESTIMATORS.items():
        for method in INHERITED.values():
            owners = [c.__module__ for c in type(estimator).__mro__ if method in vars(c)]
            assert owners[:1] == [] or owners[0].startswith("sklearn."), (name, method)


def test_init_only_stores_what_it_is_given():
    for name, estimator in ESTIMATORS.items():
        parameters = inspect.signature(type(estimator)).parameters
        for anything in (object, lambda: None, lambda: np.array([1.0, 4.0])):
            given = {key: anything() for key in parameters}
            stored = vars(type(estimator)(**given))
            assert stored.keys() == given.keys() and all(stored[key] is given[key] for key in given), name
        defaults = [p.default for p in parameters.values()]
        assert not any(isinstance(value, (list, dict, set, np.ndarray)) for value in defaults), name


@pytest.mark.parametrize("check", [check_mixin_order, check_estimator_tags_renamed, check_valid_tag_types])
def test_classes_are_put_together_as_scikit_learn_asks(check):
    for name, estimator in ESTIMATORS.items():
        check(name, estimator)


def test_fit_leaves_the_options_alone_and_an_answer_leaves_all():
    for name, estimator in ESTIMATORS.items():
        before = joblib.hash(estimator.get_params())
        model, table, y = fitted(name)
        assert joblib.hash(estimator.get_params()) == before == joblib.hash(clone(model).get_params()), name
        options = estimator.get_params(deep=False).keys()
        added = {key for key in vars(model) if not key.startswith("_")} - options
        assert all(key.endswith("_") for key in added), (name, added)
        if not hasattr(model, "fit_resample") and name != "MultipleImputer":  # these answer by fitting
            state = joblib.hash(vars(model))
            answer(model, table, y)
            assert joblib.hash(vars(model)) == state, name


def test_the_second_argument_is_y():
    for name, estimator in ESTIMATORS.items():
        for method in ("fit", "score", "fit_transform", "fit_predict", "fit_resample"):
            if hasattr(estimator, method):
                _, second, *_ = inspect.signature(getattr(estimator, method)).parameters
                assert second in "yY", (name, method)


def checks(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {getattr(check, "func", check).__name__ for _, check in estimator_checks_generator(estimator)}


def test_there_are_as_many_as_the_chapters_need():
    assert len(ESTIMATORS) == 47 and len(ESTIMATORS.keys() & TWINS.keys()) == 36


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() & TWINS.keys()))
def test_scikit_learn_checks_it_as_hard_as_its_twin(name):
    """A tag that says too little, or a fit without weights, would spare it checks: sparse rows, blanks."""
    _, spared = LESS.get(name, ("", set()))
    missing = checks(made(TWINS[name])) - checks(ESTIMATORS[name]) - ARRAY_LIBRARIES
    assert missing == spared


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() & TWINS.keys()))
def test_it_takes_what_its_twin_takes(name):
    """Or docs/agreement.md says why not."""
    assert lacking(type(ESTIMATORS[name]), TWINS[name]) == set()


def test_no_excuse_without_a_cause():
    for name, reasons in LEFT_OUT.items():
        theirs = (
            inspect.signature(TWINS[name]).parameters
            if name != "*"
            else {
                key
                for kind in ESTIMATORS.keys() & TWINS.keys()
                for key in inspect.signature(TWINS[kind]).parameters
            }
        )
        assert {key for names in reasons for key in names.split()} <= set(theirs), name


@pytest.mark.parametrize("name", sorted(NOT_CHECKED | {"MultipleImputer"}))
def test_clone_and_pickle(name):
    """Of the others these are scikit-learn's, and all that is pickled is seen above."""
    model, table, y = fitted(name)
    assert clone(model).get_params().keys() == model.get_params().keys() and not hasattr(
        clone(model), "n_features_in_"
    )
    if name != "MultipleImputer":  # whose tables are its answer
        assert np.array_equal(answer(loads(dumps(model)), table, y), answer(model, table, y))
    assert loads(dumps(clone(model))).get_params().keys() == model.get_params().keys()


FIRST_OF_ITS_FIT = {
    getattr(type(e), "fit_resample", type(e).fit): name for name, e in [*ESTIMATORS.items()][::-1]
}


def test_names_of_columns_are_kept():
    for name in FIRST_OF_ITS_FIT.values():
        model, _, _ = fitted(name)
        assert list(model.feature_names_in_) == list("abcd") and model.n_features_in_ == 4, name


BINARY = {"AdaBoostClassifier", "EasyEnsembleClassifier", "ThresholdClassifier"}


@pytest.mark.filterwarnings("ignore")
def test_entries_of_a_sparse_table_may_stand_in_parts():
    """As products and file formats leave them: x_ij is their sum, and the table stays as it is."""
    rng = np.random.default_rng(0)
    table = np.where(rng.random((60, 4)) < 0.4, 0, rng.normal(size=(60, 4)) + 2)
    y = (table[:, 0] > 1).astype(int) + (table[:, 1] > 2)
    seen = 0
    for parts in (in_parts(rng, table), in_parts(rng, table.T).T):
        before = [part.copy() for part in (parts.data, parts.indices, parts.indptr)]
        whole = type(parts)(table)
        for name, estimator in ESTIMATORS.items():
            if not get_tags(estimator).input_tags.sparse:
                continue
            target = np.minimum(y, 1) if name in BINARY else y
            wanted = answer(clone(estimator).fit(whole, target), whole, target)
            found = answer(clone(estimator).fit(parts, target), parts, target)
            found, wanted = (np.asarray(dense(one), float) for one in (found, wanted))
            np.testing.assert_allclose(found, wanted, atol=1e-6, err_msg=name)
            after = (parts.data, parts.indices, parts.indptr)
            assert all(map(np.array_equal, after, before)), name
            seen += 1
    assert seen > 40


@pytest.mark.parametrize("name", [n for n, e in ESTIMATORS.items() if hasattr(e, "set_output")])
def test_frames_come_out_where_asked_for(name):
    model, table, _ = fitted(name)
    dense = {"sparse_output": False, "encode": "onehot-dense"}
    model.set_params(**{name: value for name, value in dense.items() if name in model.get_params()})
    frame = model.set_output(transform="pandas").transform(table)
    assert list(frame.columns) == list(model.get_feature_names_out()) and frame.index.equals(table.index)
