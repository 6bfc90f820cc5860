"""What every estimator keeps to: all checks of its twin, clone and pickle, names and frames in and out."""

import importlib
import inspect
import warnings
from pickle import dumps, loads

import imblearn.ensemble
import imblearn.over_sampling
import imblearn.under_sampling
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.discovery import all_estimators
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import has_fit_parameter

from tools.agreement import lacking
from tools.agreement_rows import LEFT_OUT

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
X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)), columns=list("abcd"), index=range(60, 0, -1))
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
over_estimators = pytest.mark.parametrize("name", ESTIMATORS)


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


def checks(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {getattr(check, "func", check).__name__ for _, check in estimator_checks_generator(estimator)}


def test_there_are_as_many_as_the_chapters_need():
    assert len(ESTIMATORS) == 47 and len(ESTIMATORS.keys() & TWINS.keys()) == 36


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() & TWINS.keys()))
def test_scikit_learn_checks_it_as_hard_as_its_twin(name):
    """A tag that says too little would spare it checks: sparse rows, blanks, weights, number types."""
    _, spared = LESS.get(name, ("", set()))
    missing = checks(made(TWINS[name])) - checks(ESTIMATORS[name]) - ARRAY_LIBRARIES
    assert missing == spared


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() & TWINS.keys()))
def test_it_takes_what_its_twin_takes(name):
    """Or docs/agreement.md says why not."""
    assert lacking(type(ESTIMATORS[name]), TWINS[name]) == set()


@pytest.mark.parametrize("name", sorted(ESTIMATORS.keys() & TWINS.keys()))
def test_weights_wherever_its_twin_takes_them(name):
    weighted = [has_fit_parameter(one, "sample_weight") for one in (ESTIMATORS[name], made(TWINS[name]))]
    assert weighted[0] >= weighted[1]


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


@over_estimators
def test_clone_and_pickle(name):
    model, table, y = fitted(name)
    assert clone(model).get_params().keys() == model.get_params().keys() and not hasattr(
        clone(model), "n_features_in_"
    )
    if name != "MultipleImputer":  # whose tables are its answer
        assert np.array_equal(answer(loads(dumps(model)), table, y), answer(model, table, y))
    assert loads(dumps(clone(model))).get_params().keys() == model.get_params().keys()


@over_estimators
def test_names_of_columns_are_kept(name):
    model, _, _ = fitted(name)
    assert list(model.feature_names_in_) == list("abcd") and model.n_features_in_ == 4


@pytest.mark.parametrize("name", [n for n, e in ESTIMATORS.items() if hasattr(e, "set_output")])
def test_frames_come_out_where_asked_for(name):
    model, table, _ = fitted(name)
    dense = {"sparse_output": False, "encode": "onehot-dense"}
    model.set_params(**{name: value for name, value in dense.items() if name in model.get_params()})
    frame = model.set_output(transform="pandas").transform(table)
    assert list(frame.columns) == list(model.get_feature_names_out()) and frame.index.equals(table.index)
