"""Linear discriminant analysis: directions along which classes lie far apart and are narrow, chapter 3.

Every class has a prior p_c, a mean μ_c and a covariance Σ_c (divisor n_c). From these, `scatter_matrices`
gives what lies within and between the classes, `fisher_direction` the best axis for two classes,
`LinearDiscriminantAnalysis` all axes and the classifier.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import log_expit, log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from helpers._checks import check_count
from helpers._linalg import covariance, fixed_signs, whitening

__all__ = [
    "LinearDiscriminantAnalysis",
    "ScatterMatrices",
    "fisher_criterion",
    "fisher_direction",
    "scatter_matrices",
]


class ScatterMatrices(NamedTuple):
    """What `scatter_matrices` returns: four matrices of shape (d, d), in products of the features' units.

    Attributes
    ----------
    within : array, ``S_w = Σ p_c Σ_c``
    between : array, ``S_b = Σ p_c (μ_c - μ)(μ_c - μ)ᵀ``
    between_pairs : array, ``Σ p_i p_j (μ_i - μ_j)(μ_i - μ_j)ᵀ`` over all i and j
    total : array, S_t, around ``μ = Σ p_c μ_c``
    """

    within: np.ndarray
    between: np.ndarray
    between_pairs: np.ndarray
    total: np.ndarray


def scatter_matrices(X, y, *, priors=None):
    """Scatter within, between and over all classes, (3.1), (3.6).

    ``S_w = Σ p_c Σ_c`` and ``S_b = Σ p_c (μ_c - μ)(μ_c - μ)ᵀ`` add up to the scatter of all rows,
    ``S_t = S_w + S_b``. The sum over all pairs of classes, ``Σ p_i p_j (μ_i - μ_j)(μ_i - μ_j)ᵀ``, is twice
    S_b: the same directions, double eigenvalues, and with it S_t is missed.

    Short version: chapter 3, `two_scatters`.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,), class labels
    priors : array of shape (n_classes,) or None
        p_c, in the order of the sorted labels; None: the classes' shares of the rows.

    Returns
    -------
    ScatterMatrices
        The fields `within`, `between`, `between_pairs` and `total`.

    Raises
    ------
    ValueError
        One class only; priors that are negative or not one for each class.

    References
    ----------
    Rao, The utilization of multiple measurements in problems of biological classification, J. R. Stat. Soc. B
    10, 1948.

    Examples
    --------
    >>> S = scatter_matrices([[0.0], [2.0], [5.0], [7.0]], [0, 0, 1, 1])
    >>> S.within.item(), S.between.item(), S.between_pairs.item(), S.total.item()
    (1.0, 6.25, 12.5, 7.25)
    """
    X, y = check_X_y(X, y)
    classes, codes = _classes(y)
    p = _priors(priors, codes, len(classes))
    means, S_w = _means_and_within(X, codes, p, _covariance_of)
    mean = p @ means  # (d,)
    D = means - mean  # (C, d)
    i, j = np.indices((len(p), len(p))).reshape(2, -1)  # all pairs, also i = j
    E = means[i] - means[j]  # (C², d)
    S_t = sum(p[c] * covariance(X_c, mean, ddof=0) for c, X_c in enumerate(_by_class(X, codes)))
    return ScatterMatrices(S_w, (D.T * p) @ D, (E.T * p[i] * p[j]) @ E, S_t)


def fisher_direction(X, y, *, priors=(0.5, 0.5)):
    """Fisher's direction for two classes, ``w ∝ S_w⁻¹ (μ_2 - μ_1)``, of length 1, (3.4).

    With equal priors S_w is ``(Σ_1 + Σ_2) / 2`` and no direction has a larger `fisher_criterion`. With
    ``priors=None`` the classes count by their shares of the rows, w maximises ``wᵀ S_b w / wᵀ S_w w`` and is
    the axis of `LinearDiscriminantAnalysis`. The two differ unless the shares are equal or the covariances
    proportional.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,), two labels; the one that sorts second lies on the positive side
    priors : pair of numbers or None

    Returns
    -------
    w : array of shape (d,)

    Raises
    ------
    ValueError
        Other than two classes; S_w singular.

    References
    ----------
    Fisher, The use of multiple measurements in taxonomic problems, Annals of Eugenics 7, 1936.

    Examples
    --------
    Both classes spread 1 along the first axis and 2 along the second; the means differ by (1, 1).

    >>> X = np.array([[1, 0], [-1, 0], [0, 2], [0, -2], [2, 1], [0, 1], [1, 3], [1, -1]], float)
    >>> w = fisher_direction(X, [0, 0, 0, 0, 1, 1, 1, 1])
    >>> (w / w[0]).round(6)
    array([1.  , 0.25])
    """
    X, y = check_X_y(X, y)
    classes, codes = _classes(y)
    if len(classes) != 2:
        raise ValueError(
            f"Fisher's direction tells 2 classes apart, y has {len(classes)}: "
            "use LinearDiscriminantAnalysis, or keep two of them."
        )
    means, S_w = _means_and_within(X, codes, _priors(priors, codes, 2), _covariance_of)
    W = _whitening(S_w, X, means)
    w = W @ (W.T @ (means[1] - means[0]))  # W Wᵀ = S_w⁻¹
    return w / np.linalg.norm(w)


def fisher_criterion(X, y, w):
    """Squared gap of the projected means over the sum of the projected variances, (3.3).

    ``FDR(w) = (wᵀμ_1 - wᵀμ_2)² / (wᵀΣ_1 w + wᵀΣ_2 w)``: no units, the same for w and any multiple of it.

    Short version: chapter 3, `fisher_criterion`.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n,), two labels
    w : array of shape (d,) or (d, k), a direction or several in the columns

    Returns
    -------
    float or array of shape (k,)

    Raises
    ------
    ValueError
        More or fewer than two classes, or a direction that is 0 or does not fit X.

    Examples
    --------
    >>> float(fisher_criterion([[0.0], [2.0], [5.0], [7.0]], [0, 0, 1, 1], [1.0]))
    12.5
    """
    X, y = check_X_y(X, y)
    classes, codes = _classes(y)
    if len(classes) != 2:
        raise ValueError(f"Fisher's criterion compares 2 classes, y has {len(classes)}.")
    w = np.asarray(w, float)
    if len(w) != X.shape[1] or not w.any(axis=0).all():
        raise ValueError(
            f"w has shape {w.shape}, X {X.shape}: give directions of {X.shape[1]} entries, not all of them 0."
        )
    first, second = (X_c @ w for X_c in _by_class(X, codes))  # (n_c,) or (n_c, k)
    return (first.mean(axis=0) - second.mean(axis=0)) ** 2 / (first.var(axis=0) + second.var(axis=0))


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator
):
    """Axes that maximise ``tr[(Wᵀ S_w W)⁻¹ Wᵀ S_b W]``: whitening, then PCA of the means, (3.7), (3.8).

    With ``S_w = P Λ Pᵀ`` and ``W_wh = P Λ^(-1/2)`` the pooled scatter becomes I (no single class need become
    round). The principal axes U of the whitened means, each weighted by its prior, give ``W = W_wh U``, at
    most C - 1 axes. The classifier takes the class with the largest ``log p_c - |W_whᵀ(x - μ_c)|² / 2``:
    Bayes's rule for Gaussian classes of equal covariance, (3.9).

    Short version: chapter 3, `discriminant_axes`.

    Parameters
    ----------
    n_components : int or None
        Axes kept by `transform`; None: all that tell the means apart. Prediction uses every axis.
    shrinkage : None, 'auto' or float in [0, 1]
        Each Σ_c is drawn towards a round one, ``(1 - s) Σ_c + s (tr Σ_c / d) I``; 'auto' chooses s for every
        class by Ledoit and Wolf on standardised features.
    priors : array of shape (n_classes,) or None
        p_c, in the order of `classes_`; None: the classes' shares of the rows.

    Attributes
    ----------
    classes_ : array of shape (C,)
    priors_ : array of shape (C,)
    means_ : array of shape (C, d)
    xbar_ : array of shape (d,), ``Σ p_c μ_c``
    covariance_ : array of shape (d, d), S_w
    scalings_ : array of shape (d, k), W with ``Wᵀ S_w W = I``; in each column the largest entry is positive
    explained_variance_ratio_ : array of shape (k,), shares of ``tr(S_w⁻¹ S_b)``
    coef_ : array of shape (C, d), for two classes (1, d)
    intercept_ : array of shape (C,), for two classes (1,)

    Raises
    ------
    ValueError
        One class; S_w singular (n - C < d, or a feature that is constant within every class and not over
        all) without shrinkage; more components than axes; priors that are negative or not one for each class.

    Notes
    -----
    There is no `solver`: nothing but rounding would depend on it. scikit-learn's twin gives the same
    predictions with its solvers 'eigen' and 'lsqr'; its default 'svd' weights the classes' covariances by
    their rows even where `priors` are given, and has the same predictions and axes without. Its 'eigen' takes
    S_b as ``S_t - S_w`` with both shrunk and S_t without priors, so that with shrinkage or given priors its
    axes are not those that maximise the criterion above.

    References
    ----------
    Fisher, Annals of Eugenics 7, 1936. Rao, J. R. Stat. Soc. B 10, 1948. Ledoit and Wolf, A well-conditioned
    estimator for large-dimensional covariance matrices, J. Multivariate Analysis 88, 2004.

    Examples
    --------
    >>> X = [[0.0, 0], [2, 1], [1, 2], [5, 5], [7, 6], [6, 7]]
    >>> lda = LinearDiscriminantAnalysis().fit(X, list("aaabbb"))
    >>> lda.transform([[3.5, 3.5]]).round(6), lda.predict([[3, 3], [4, 4]])
    (array([[0.]]), array(['a', 'b'], dtype='<U1'))
    """

    def __init__(self, n_components=None, *, shrinkage=None, priors=None):
        self.n_components = n_components
        self.shrinkage = shrinkage
        self.priors = priors

    def fit(self, X, y):
        """Whiten within the classes, then find the principal axes of the means."""
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], ensure_min_samples=2)
        self.classes_, codes = _classes(y)
        p = _priors(self.priors, codes, len(self.classes_))
        means, S_w = _means_and_within(X, codes, p, self._estimate())
        W_wh = _whitening(S_w, X, means)  # W_whᵀ S_w W_wh = I
        xbar = p @ means
        M = (means - xbar) @ W_wh  # (C, d) whitened means
        _, s, Ut = np.linalg.svd(np.sqrt(p)[:, None] * M, full_matrices=False)  # s²: eigenvalues of MᵀPM
        k = self._how_many(s**2, X.shape)
        self.explained_variance_ratio_ = s[:k] ** 2 / (s**2).sum()
        self.scalings_ = fixed_signs((W_wh @ Ut[:k].T).T).T  # W = W_wh U
        self.priors_, self.means_, self.xbar_, self.covariance_ = p, means, xbar, S_w
        self._set_rule(M @ W_wh.T, (M**2).sum(axis=1))
        for name in ("means_", "xbar_", "scalings_", "coef_", "intercept_"):
            setattr(self, name, getattr(self, name).astype(X.dtype, copy=False))
        return self

    def _set_rule(self, coef, squared):
        """log p_c - |z - m_c|²/2 = const + z·m_c + (log p_c - |m_c|²/2) with whitened z and m_c."""
        with np.errstate(divide="ignore"):  # p_c = 0: never predicted
            intercept = np.log(self.priors_) - squared / 2 - coef @ self.xbar_
        two = len(self.classes_) == 2
        self.coef_ = coef[1:] - coef[:1] if two else coef
        self.intercept_ = intercept[1:] - intercept[:1] if two else intercept

    def transform(self, X):
        """Scores ``Wᵀ(x - x̄)``; shape (n, k), within-class standard deviation 1."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return (X - self.xbar_) @ self.scalings_

    def decision_function(self, X):
        """Score of every class, shape (n, C); for two classes the log-odds of the second, shape (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        scores = X @ self.coef_.T + self.intercept_
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict_log_proba(self, X):
        """Logarithm of every class's posterior probability; shape (n, C)."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        return log_softmax(scores, axis=1)

    def predict_proba(self, X):
        """Posterior probability of every class; shape (n, C)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """The class with the largest posterior probability."""
        logs = self.predict_log_proba(X)
        return self.classes_[logs.argmax(axis=1)]

    @property
    def _n_features_out(self):
        return self.scalings_.shape[1]

    def _estimate(self):
        s = self.shrinkage
        if s is None:
            return _covariance_of
        if isinstance(s, str) and s == "auto":
            return _by_ledoit_wolf
        if isinstance(s, str) or not 0 <= s <= 1:
            raise ValueError(f"shrinkage={s!r}: use None, 'auto' or a number from 0 to 1.")
        return lambda A, mean: _drawn_to_round(covariance(A, mean, ddof=0), s)

    def _how_many(self, values, shape):
        """Axes along which the means differ by more than rounding; whitened, S_t is I + S_b."""
        most = int((values > (1 + values[0]) * max(shape) * np.finfo(float).eps).sum())
        k = self.n_components
        if k is None:
            return most
        check_count("n_components", k, fewest=0)
        if not 1 <= k <= most:
            raise ValueError(
                f"n_components={k}, but the {len(self.classes_)} class means of {shape[1]} "
                f"features differ along {most} directions (C - 1 at most): choose no more, and "
                "at least 1."
            )
        return k


def _classes(y):
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"y has one class only, {classes[0]!r}: give 2 classes or more to tell apart.")
    return classes, codes


def _priors(priors, codes, C):
    """Probabilities p_c of the classes; those that do not sum to 1 are rescaled."""
    if priors is None:
        return np.bincount(codes) / len(codes)
    p = np.asarray(priors, float)
    if p.shape != (C,) or not np.isfinite(p).all() or p.min() < 0 or p.sum() == 0:
        raise ValueError(f"priors must be non-negative, one for each of the {C} classes; got {priors!r}.")
    if abs(p.sum() - 1) > 1e-5:
        warnings.warn(f"The priors sum to {p.sum():g}, not to 1: they are rescaled.", stacklevel=3)
    return p / p.sum()


def _by_class(X, codes):
    """The rows of every class in turn, in double precision."""
    order = np.argsort(codes, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(codes))[:-1]):
        yield X[rows].astype(float, copy=False)  # (n_c, d)


def _means_and_within(X, codes, p, estimate):
    """Class means, shape (C, d), and ``S_w = Σ p_c Σ_c``, shape (d, d)."""
    means, S_w = np.empty((len(p), X.shape[1])), np.zeros((X.shape[1], X.shape[1]))
    for c, A in enumerate(_by_class(X, codes)):
        means[c] = A.mean(axis=0)
        S_w += p[c] * estimate(A, means[c])
    return means, S_w


def _covariance_of(A, mean):
    """Σ_c with divisor n_c, so that S_t = S_w + S_b; A, a copy of the class's rows, is centred in place."""
    A -= mean
    return A.T @ A / len(A)


def _drawn_to_round(S, s):
    return (1 - s) * S + s * np.trace(S) / len(S) * np.eye(len(S))


def _by_ledoit_wolf(A, mean):
    """Shrinkage of the standardised features by Ledoit and Wolf's formula, then back to the units of A."""
    if len(A) == 1:
        return _covariance_of(A, mean)
    from sklearn.covariance import ledoit_wolf

    unit = A.std(axis=0)
    unit = np.where(unit > np.abs(mean) * len(A) * np.finfo(float).eps, unit, 1)  # 1 for a constant
    return ledoit_wolf((A - mean) / unit)[0] * unit * unit[:, None]


def _whitening(S_w, X, means):
    """W with Wᵀ S_w W = I, shape (d, d); an error that names the cure where S_w is singular.

    A feature that is constant over all rows tells no classes apart: its row of W is 0.
    """
    W = whitening(S_w, max(X.shape), np.abs(means).max(axis=0))
    (n, d), C, constant = X.shape, len(means), np.flatnonzero(X.min(axis=0) == X.max(axis=0))
    if 0 < d - W.shape[1] == len(constant) < d:
        warnings.warn(
            f"Features {constant.tolist()} are constant: their weight is 0. Drop them.", stacklevel=3
        )
    elif W.shape[1] < d:
        reason = (
            f"{n} rows in {C} classes span at most n - C = {n - C}"
            if n - C < d
            else "some features are constant within every class, or repeat others"
        )
        raise ValueError(
            f"S_w is singular, rank {W.shape[1]} of {d} features ({reason}): it cannot be "
            "whitened. Give shrinkage='auto' or a number, fewer features (drop some, or PCA "
            "first) or more rows."
        )
    return W
