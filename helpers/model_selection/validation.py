"""Cross-validation: the error of a model that was fitted without the rows it is scored on, chapter 7."""

import warnings
from itertools import product, repeat
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone, is_classifier
from sklearn.metrics import get_scorer
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import check_X_y
from tqdm import tqdm

from helpers._linalg import orthonormal_basis
from helpers.model_selection.split import KFold, StratifiedKFold

__all__ = [
    "cross_validate_scores",
    "leave_one_out_residuals",
    "nested_cv_score",
    "one_standard_error",
    "out_of_fold_predictions",
]


def _splits(estimator, X, y, cv, groups):
    """Pairs (train, test) of a splitter, or of `cv` folds: stratified for a classifier."""
    if isinstance(cv, Integral):
        cv = StratifiedKFold(cv) if is_classifier(estimator) else KFold(cv)
    if isinstance(cv, str) or not hasattr(cv, "split") and not (isinstance(cv, (list, tuple)) and cv):
        raise ValueError(
            f"cv={cv!r}: give a number of folds, a splitter as KFold(5), or pairs (train, test)."
        )
    return list(cv.split(X, y, groups) if hasattr(cv, "split") else cv)


def _fitted(estimator, X, y, train):
    """A fresh copy, fitted on the training rows and on nothing else."""
    return clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))


def _score(estimator, X, y, train, test, scoring):
    model = _fitted(estimator, X, y, train)
    return get_scorer(scoring)(model, _safe_indexing(X, test), _safe_indexing(y, test))


def _default(estimator, scoring):
    return scoring or ("accuracy" if is_classifier(estimator) else "r2")


def cross_validate_scores(estimator, X, y, *, cv=5, scoring=None, groups=None, n_jobs=None, progress=False):
    """Score of every fold: fitted on the other folds, scored on this one.

    Everything that learns from data (selection, scaling, resampling) must be inside `estimator`, a pipeline
    (E51). Folds of unequal size deserve unequal weights in a mean; or score `out_of_fold_predictions` once.

    Short version: chapter 9, `cv_error`.

    Parameters
    ----------
    estimator : any estimator
    X, y : table and targets of n rows
    cv : splitter, int or list of (train, test) rows
        With an int k: k folds, stratified for a classifier.
    scoring : name of a scorer, or scorer; by default accuracy for a classifier, else R²
    groups : labels for `GroupKFold`
    n_jobs : int, processes (joblib)
    progress : bool, show a bar

    Returns
    -------
    scores : array of shape (n_splits,)

    Examples
    --------
    >>> from helpers.linear_model import Ridge
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> cross_validate_scores(Ridge(alpha=0), X, [1.0, 3.0, 5.0, 7.0, 9.0, 11.0], cv=3).round(6)
    array([1., 1., 1.])

    With `n_jobs` the folds are shared out by joblib, on this machine or over a cluster. Here a Dask cluster
    of two threads (``pip install fewer-dimensions[cluster]``); yours is ``Client("tcp://…")``:

    >>> from dask.distributed import Client                                             # doctest: +SKIP
    >>> from joblib import parallel_config
    >>> client = Client(processes=False, n_workers=1, threads_per_worker=2)             # doctest: +SKIP
    >>> with parallel_config(backend="dask"):                                           # doctest: +SKIP
    ...     scores = cross_validate_scores(Ridge(), X, range(6), cv=3, n_jobs=2)
    """
    X, y = indexable(X, y)
    scoring = _default(estimator, scoring)
    folds = tqdm(_splits(estimator, X, y, cv, groups), disable=not progress)
    tasks = (delayed(_score)(estimator, X, y, *fold, scoring) for fold in folds)
    return np.array(Parallel(n_jobs=n_jobs)(tasks))


def out_of_fold_predictions(estimator, X, y, *, cv=5, groups=None, method="predict", n_jobs=None):
    """For every row the prediction of the model that was fitted without it; all rows can then be scored
    together.

    The splitter must test each row exactly once.

    Short version: chapter 7, `cv_error`.

    Parameters
    ----------
    estimator, X, y, cv, groups, n_jobs : as in `cross_validate_scores`
    method : 'predict', 'predict_proba' or 'decision_function'

    Returns
    -------
    predictions : array of shape (n,), or (n, n_classes) by the method

    Raises
    ------
    ValueError
        The splitter tests some row never or twice; cv is no number, splitter or list; a fold's training rows
        lack a class and the method is 'decision_function'.

    Warns
    -----
    UserWarning
        The training rows of a fold lack a class: its column of probabilities is 0 there.

    Examples
    --------
    >>> from helpers.linear_model import Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
    >>> out_of_fold_predictions(Ridge(alpha=0), X, y, cv=2).round(6)
    array([0., 1., 2., 3.])
    """
    X, y = indexable(X, y)
    folds = _splits(estimator, X, y, cv, groups)
    tested = np.concatenate([test for _, test in folds])
    if not np.array_equal(np.sort(tested), np.arange(len(tested))) or len(tested) != len(y):
        raise ValueError("Every row must be tested exactly once; this splitter tests some never or twice.")
    tasks = (delayed(_predictions)(estimator, X, y, *fold, method) for fold in folds)
    parts, classes = zip(*Parallel(n_jobs=n_jobs)(tasks))
    if method != "predict" and np.ndim(y) == 1 and classes[0] is not None:
        parts = map(_for_all, repeat(np.unique(y)), parts, classes, repeat(method))  # no frame of its own
    return np.concatenate(list(parts))[np.argsort(tested)]


def _predictions(estimator, X, y, train, test, method):
    model = _fitted(estimator, X, y, train)
    return getattr(model, method)(_safe_indexing(X, test)), getattr(model, "classes_", None)


def _for_all(classes, P, known, method):
    """The columns of all classes: a class that a fold's training rows lack is never predicted."""
    if len(known) == len(classes):
        return P
    lacking = f"A fold's training rows lack the classes {np.setdiff1d(classes, known).tolist()}"
    if method != "predict_proba":
        raise ValueError(f"{lacking}, which then have no {method}: use stratified folds, or fewer.")
    warnings.warn(f"{lacking}: their probability is 0 there. Use stratified folds, or fewer.", stacklevel=3)
    full = np.zeros((len(P), len(classes)))
    full[:, np.searchsorted(classes, known)] = P
    return full


def nested_cv_score(
    estimator, grid, X, y, *, outer=5, inner=5, scoring=None, groups=None, n_jobs=None, progress=False
):
    """Honest score of "choose by cross-validation, then fit": the choice is made anew inside every outer fold
    (E51).

    The best score of the inner search is the luckiest of many; the outer rows took no part in that contest.

    Short version: chapter 7, `contest_and_report`.

    Parameters
    ----------
    estimator : any estimator
    grid : dict, parameter name -> list of values; every combination is tried
    X, y : table and targets of n rows
    outer, inner : splitter or int, as `cv` in `cross_validate_scores`
    scoring, groups, n_jobs, progress : as there; `groups` are kept together in both loops

    Returns
    -------
    scores : array of shape (n_outer,), of the chosen model on the outer test rows
    chosen : list of dicts, the parameters chosen in each outer fold (of equal means the first)

    References
    ----------
    Varma and Simon, Bias in error estimation when using cross-validation for model selection, BMC
    Bioinformatics 7, 2006.

    Examples
    --------
    >>> from helpers.linear_model import Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    >>> scores, chosen = nested_cv_score(Ridge(), {"alpha": [100.0, 1e-9]}, X, y, outer=3, inner=2)
    >>> scores.round(4), chosen[0]
    (array([1., 1., 1.]), {'alpha': 1e-09})
    """
    X, y = indexable(X, y)
    scoring = _default(estimator, scoring)
    candidates = [dict(zip(grid, values)) for values in product(*grid.values())]
    folds = tqdm(_splits(estimator, X, y, outer, groups), disable=not progress)
    tasks = (
        delayed(_choose_and_score)(estimator, candidates, X, y, *fold, inner, scoring, groups)
        for fold in folds
    )
    scores, chosen = zip(*Parallel(n_jobs=n_jobs)(tasks))
    return np.array(scores), list(chosen)


def _choose_and_score(estimator, candidates, X, y, train, test, inner, scoring, groups):
    """Choose on the training rows, fit the winner on all of them, score it on the test rows."""
    X_train, y_train = _safe_indexing(X, train), _safe_indexing(y, train)
    inner_groups = None if groups is None else _safe_indexing(groups, train)
    models = [clone(estimator).set_params(**parameters) for parameters in candidates]
    options = dict(cv=inner, scoring=scoring, groups=inner_groups)
    means = [cross_validate_scores(model, X_train, y_train, **options).mean() for model in models]
    best = int(np.argmax(means))
    return _score(models[best], X, y, train, test, scoring), candidates[best]


def one_standard_error(scores):
    """Number of the simplest model whose mean score lies within one standard error of the best mean.

    Parameters
    ----------
    scores : array of shape (n_models, n_folds), the larger the better, simplest model first

    Returns
    -------
    number : int, the model's row in scores

    Raises
    ------
    ValueError
        Fewer than two scores for a candidate.

    References
    ----------
    Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, section 3.4.3.

    Examples
    --------
    >>> one_standard_error([[0.1, 0.2], [0.7, 0.8], [0.6, 1.0]])    # means .15 .75 .80, best's error .2
    1
    """
    scores = np.asarray(scores, float)
    if scores.ndim != 2 or scores.shape[1] < 2 or not np.isfinite(scores).all():
        raise ValueError(
            f"scores has shape {scores.shape}: give finite numbers, one row for a model, at least two folds."
        )
    means = scores.mean(axis=1)
    best = means.argmax()
    error = scores[best].std(ddof=1) / np.sqrt(scores.shape[1])
    return int(np.argmax(means >= means[best] - error))


def leave_one_out_residuals(X, y, *, fit_intercept=True):
    """``e_i / (1 - h_ii)``: how far least squares without row i misses y_i, from one fit, (7.2).

    h_ii, the leverage, is how much ŷ_i moves with y_i; with ``X = UΣVᵀ`` it is ``|u_i|²``.

    Parameters
    ----------
    X : array of shape (n, d); dependent columns are allowed
    y : array of shape (n,) or (n, n_targets)
    fit_intercept : bool

    Returns
    -------
    residuals : array like y

    Raises
    ------
    ValueError
        A row of leverage 1: without it the fit says nothing about it.

    References
    ----------
    Allen, The relationship between variable selection and data augmentation and a method for prediction,
    Technometrics 16, 1974.

    Examples
    --------
    >>> leave_one_out_residuals([[0.0], [0.0], [0.0]], [1.0, 2.0, 6.0])    # against the others' mean
    array([-3. , -1.5,  4.5])
    """
    X, y = check_X_y(X, y, dtype=float, multi_output=True, y_numeric=True)
    U = orthonormal_basis(X, fit_intercept)
    z = y - y.mean(axis=0) if fit_intercept else y  # fewer digits to lose
    left = 1 - (U**2).sum(axis=1)  # 1 - h_ii
    if (left < 1e-10).any():
        raise ValueError(
            f"Rows {np.flatnonzero(left < 1e-10).tolist()} have leverage 1: a direction of X "
            "rests on each of them alone. Drop columns, add rows, or use RidgeCV."
        )
    return ((z - U @ (U.T @ z)).T / left).T
