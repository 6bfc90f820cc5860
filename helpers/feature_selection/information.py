"""Filters that count information: entropy, information gain, mutual information, inconsistency; chapter 8."""

import numpy as np
from scipy.sparse import issparse
from scipy.special import digamma, entr, rel_entr
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_consistent_length

from helpers._checks import check_X_y, feature_mask
from helpers._fast import faster
from helpers._linalg import dense
from helpers.feature_selection.filters import contingency_table, levels

__all__ = [
    "conditional_entropy",
    "entropy",
    "inconsistency_rate",
    "information_gain",
    "kl_divergence",
    "mutual_info_classif",
    "mutual_info_regression",
    "mutual_info_score",
    "plug_in_bias",
]


# ---------------------------------------------------------------- discrete variables
def entropy(y, *, base=2):
    """``H(y) = -sum_c p_c log p_c`` of the shares p of the labels, ``0 log 0 = 0``; in bits, (8.1).

    Short version: chapter 5, `entropy`; chapter 8, `bits_of`.

    Parameters
    ----------
    y : array of shape (n,), labels
    base : float > 1, of the logarithm: 2 for bits, e for nats

    Returns
    -------
    H : float, from 0 (one label) to the logarithm of the number of labels (equal shares)

    Raises
    ------
    ValueError
        No rows, blanks, or a base of at most 1.

    References
    ----------
    Shannon, A mathematical theory of communication, 1948.

    Examples
    --------
    >>> entropy(["a", "a", "b", "c"])
    1.5
    """
    return _entropy(np.bincount(levels(y)[1])[None, :], base)


def conditional_entropy(y, X, *, base=2):
    """``H(y|X) = sum_v p(X = v) H(y | X = v)``: what X, one or more columns, leaves unknown of y, chapter 8.

    Parameters
    ----------
    y : array of shape (n,), labels
    X : array, list or data frame of shape (n,) or (n, k), discrete
    base : float > 1, of the logarithm: 2 for bits, e for nats

    Returns
    -------
    H : float in [0, H(y)]; 0 exactly when X determines y

    Raises
    ------
    ValueError
        X and y of unlike length, no rows, blanks, or a base of at most 1.

    Examples
    --------
    >>> conditional_entropy([0, 1, 1, 1], ["u", "u", "v", "v"])       # half the rows with 1 bit, half with 0
    0.5
    """
    return _entropy(_joint_table(X, y), base)


def information_gain(X, y, *, base=2):
    """What a subset of discrete features tells about y: ``Gain = H(y) - H(y|X)``, (8.1).

    It never falls when columns are added (erratum E55), and an id column has the largest gain, H(y) (E67):
    compare subsets of one size, correct with `plug_in_bias`, or cross-validate.

    Short version: chapter 5, `mutual_information`; chapter 8, `gain`.

    Parameters
    ----------
    X : array, list or data frame of shape (n,) or (n, k)
        The subset, taken as one variable with a level for every combination that occurs.
    y : array of shape (n,), labels
    base : float, of the logarithm: 2 for bits, e for nats

    Returns
    -------
    gain : float in [0, H(y)]

    Raises
    ------
    ValueError
        X and y of unlike length, no rows, blanks, or a base of at most 1.

    References
    ----------
    Quinlan, Induction of decision trees, Machine Learning 1, 1986.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]          # exclusive or
    >>> information_gain([row[0] for row in X], y), information_gain(X, y)
    (0.0, 1.0)
    """
    return entropy(y, base=base) - conditional_entropy(y, X, base=base)


def inconsistency_rate(X, y):
    """Share of the rows that no rule "same features, same class" gets right, chapter 8.

    Of the rows with equal features all but the most frequent class count: ``sum_v (n_v - max_c n_vc) / n``.
    It is 0 exactly when X determines y.

    Parameters
    ----------
    X : array, list or data frame of shape (n,) or (n, k), discrete
    y : array of shape (n,), class labels

    Returns
    -------
    rate : float, from 0 to 1 - the share of the most frequent class

    Raises
    ------
    ValueError
        X and y of unlike length, no rows, or blanks.

    References
    ----------
    Liu and Setiono, A probabilistic approach to feature selection, ICML 1996.

    Examples
    --------
    >>> inconsistency_rate([0, 0, 0, 1], ["a", "a", "b", "b"])
    0.25
    """
    table = _joint_table(X, y)
    return float(1 - table.max(axis=1).sum() / table.sum())


def mutual_info_score(x=None, y=None, *, contingency=None):
    """``I(x; y) = sum_xy p(x,y) log p(x,y) / (p(x) p(y)) = KL(joint || product)``, in nats, (8.23).

    Parameters
    ----------
    x, y : arrays of shape (n,), labels
    contingency : array of shape (levels of x, levels of y), counts
        In place of x and y.

    Returns
    -------
    information : float, at least 0

    Raises
    ------
    ValueError
        Neither two variables nor a table.

    References
    ----------
    Shannon, A mathematical theory of communication, 1948.

    Examples
    --------
    >>> round(mutual_info_score([0, 0, 1, 1], [0, 0, 1, 1]), 4)       # log 2 nats = 1 bit
    0.6931
    """
    P = np.asarray(contingency_table(x, y) if contingency is None else contingency)
    if P.ndim != 2 or not P.sum() > 0 or (P < 0).any():
        raise ValueError("A contingency table has two dimensions and counts, some above 0, none negative.")
    P = P / P.sum()
    return kl_divergence(P, np.outer(P.sum(axis=1), P.sum(axis=0)), base=np.e)


def kl_divergence(p, q, *, base=2):
    """``KL(p || q) = sum p log(p / q)``: at least 0, 0 only for p = q, inf where p > 0 = q, (8.23).

    Parameters
    ----------
    p, q : arrays of one shape, each summing to 1
    base : float > 1, of the logarithm

    Returns
    -------
    divergence : float, in bits for base 2

    Raises
    ------
    ValueError
        Shares that are negative, do not sum to 1, or are not equally many; a base of at most 1.

    Examples
    --------
    >>> round(kl_divergence([0.5, 0.5], [0.25, 0.75]), 4), round(kl_divergence([0.25, 0.75], [0.5, 0.5]), 4)
    (0.2075, 0.1887)
    """
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    if p.shape != q.shape:
        raise ValueError(f"p has shape {p.shape}, q {q.shape}: give the probabilities of the same events.")
    for name, values in (("p", p), ("q", q)):
        if not ((values >= 0).all() and abs(values.sum() - 1) < 1e-8):
            raise ValueError(f"{name} is no distribution: it must be >= 0 and sum to 1, not {values.sum()}.")
    return float(max(rel_entr(p, q).sum(), 0.0) / _log_of(base))


def plug_in_bias(n_x, n_y, n, *, base=2):
    """By how much information from shares is too large on average: ``(|X|-1)(|Y|-1) / (2 n ln base)``, E67.

    Parameters
    ----------
    n_x, n_y : int, levels of the two variables
    n : int, rows
    base : float > 1, of the logarithm

    Returns
    -------
    bias : float

    Raises
    ------
    ValueError
        No levels, no rows, or a base of at most 1.

    References
    ----------
    Miller, Note on the bias of information estimates, 1955.

    Examples
    --------
    >>> round(plug_in_bias(10, 6, 1000), 4)                          # bits
    0.0325
    """
    if min(n_x, n_y, n) < 1:
        raise ValueError(f"n_x={n_x}, n_y={n_y}, n={n}: levels and rows count from 1 up.")
    return float((n_x - 1) * (n_y - 1) / (2 * n * _log_of(base)))


def _log_of(base):
    if not base > 1:
        raise ValueError(f"base={base}: choose a base above 1; 2 counts bits, e nats.")
    return np.log(base)


def _entropy(table, base):
    """Entropy along the rows of a table of counts, weighted by the rows' shares."""
    n_v = table.sum(axis=1, keepdims=True)  # (levels, 1)
    H = entr(table / n_v).sum(axis=1) / _log_of(base)  # (levels,), each row a distribution
    return float((n_v[:, 0] / n_v.sum()) @ H)


def _joint_table(X, y):
    """Counts of every combination of the columns of X that occurs (rows) with every label (columns)."""
    check_consistent_length(X, y)
    joint = np.full(len(y), 0)
    for j, column in enumerate(_columns(X)):
        values, codes = levels(column, f"Column {j} of X")
        joint = np.unique(joint * len(values) + codes, return_inverse=True)[1]
    return contingency_table(joint, y)


def _columns(X):
    if hasattr(X, "columns"):
        return [X.iloc[:, j] for j in range(X.shape[1])]  # a data frame may mix text and numbers
    X = np.asarray(X)
    return [X] if X.ndim == 1 else list(X.T)


# ---------------------------------------------------------------- a score for every column
def mutual_info_classif(X, y, *, discrete_features="auto", n_neighbors=3, random_state=None, n_jobs=None):
    """Mutual information of every column with the classes, in nats, chapter 8.

    A discrete column: from the shares. A continuous one (Ross), without bins: let ``r_i`` be the distance of
    row i to its k-th neighbour in its own class, of size ``n_i``, and ``m_i`` the number of rows of any class
    nearer than that, itself included. ``I = ψ(n) + ψ(k) - mean ψ(n_i) - mean ψ(m_i)``; 0 where negative.

    Parameters
    ----------
    X : array of shape (n, d); a sparse matrix when every column is discrete
    y : array of shape (n,), class labels
    discrete_features : 'auto', bool, mask of shape (d,) or indices
        'auto': the columns of a sparse matrix are discrete, of an array continuous.
    n_neighbors : int, k; smaller in a class of k rows or fewer
    random_state : int, RandomState or None
        Of the noise, 1e-10 of the scale, that parts equal values (as in the twin).
    n_jobs : int or None, for continuous columns

    Returns
    -------
    information : array of shape (d,)
        The twin's, except that scikit-learn 1.9 rounds distances in classes of 2k + 1 rows or fewer.

    Raises
    ------
    ValueError
        Continuous target, sparse continuous columns, no neighbour asked for.

    References
    ----------
    Ross, Mutual information between discrete and continuous data sets, PLoS ONE 9, 2014.

    Examples
    --------
    >>> X = [[0.0, 0.1], [0.1, 1.1], [0.2, 0.4], [1.0, 0.2], [1.1, 1.0], [1.2, 0.5]]
    >>> mutual_info_classif(X, list("aaabbb"), random_state=0, n_neighbors=2).round(3)
    array([0.783, 0.   ])
    """
    check_classification_targets(y)
    X, y, discrete, rng = _checked(X, y, discrete_features, n_neighbors, random_state, y_numeric=False)
    codes = np.unique(y, return_inverse=True)[1]
    scores = np.empty(X.shape[1])
    scores[discrete] = _discrete_scores(X if discrete.all() else X[:, discrete], codes)
    columns = _jittered(X[:, ~discrete], rng)
    scores[~discrete] = Parallel(n_jobs=n_jobs)(delayed(_ross)(x, codes, n_neighbors) for x in columns)
    return scores


def mutual_info_regression(X, y, *, discrete_features="auto", n_neighbors=3, random_state=None, n_jobs=None):
    """Mutual information of every column with a continuous target, in nats, chapter 8.

    A discrete column: Ross's formula of `mutual_info_classif` with the roles exchanged. A continuous one
    (Kraskov, Stögbauer and Grassberger): let ``r_i`` be the distance ``max(|x - x'|, |y - y'|)`` to the k-th
    neighbour, and ``n_x``, ``n_y`` the rows nearer than that in x alone and in y alone, itself included;
    ``I = ψ(n) + ψ(k) - mean ψ(n_x) - mean ψ(n_y)``, and 0 where this is negative.

    Parameters
    ----------
    X : array of shape (n, d); a sparse matrix when every column is discrete
    y : array of shape (n,), numbers
    discrete_features, n_neighbors, random_state, n_jobs : as in `mutual_info_classif`

    Returns
    -------
    information : array of shape (d,)

    Raises
    ------
    ValueError
        Sparse continuous columns, no neighbour asked for, blanks.

    References
    ----------
    Kraskov, Stögbauer and Grassberger, Estimating mutual information, Phys. Rev. E 69, 2004.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 200)
    >>> I = mutual_info_regression(x[:, None], x**2, random_state=0)      # r = 0, but x tells all about y
    >>> bool(I[0] > 2)
    True
    """
    X, y, discrete, rng = _checked(X, y, discrete_features, n_neighbors, random_state, y_numeric=True)
    columns = _jittered(X[:, ~discrete], rng)
    (y,) = _jittered(y[:, None], rng)
    scores = np.empty(X.shape[1])
    scores[~discrete] = Parallel(n_jobs=n_jobs)(delayed(_kraskov)(x, y, n_neighbors) for x in columns)
    scores[discrete] = Parallel(n_jobs=n_jobs)(
        delayed(_ross)(y, dense(X[:, [j]]).ravel(), n_neighbors) for j in np.flatnonzero(discrete)
    )
    return scores


def _checked(X, y, discrete_features, n_neighbors, random_state, y_numeric):
    X, y = check_X_y(X, y, accept_sparse="csc", y_numeric=y_numeric)
    discrete = feature_mask(discrete_features, X.shape[1], auto=issparse(X))
    if issparse(X) and not discrete.all():
        raise ValueError("Sparse matrix X can't have continuous features: give X.toarray().")
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors}: the estimate needs at least one neighbour.")
    return X, y, discrete, check_random_state(random_state)


@faster("information")
def _discrete_scores(X, codes):
    """``I(x_j; y)`` of every discrete column."""
    return np.array([mutual_info_score(x, codes) for x in dense(X).T])


# ---------------------------------------------------------------- neighbours on a line
def _jittered(X, rng):
    """Columns of unit spread with a little noise: the formulas are for variables without equal values."""
    if X.shape[1] == 0:
        return []
    spread = X.std(axis=0, dtype=float)
    X = X / np.where(spread < 10 * np.finfo(float).eps, 1, spread)
    X += 1e-10 * np.maximum(1, np.abs(X).mean(axis=0)) * rng.standard_normal(size=X.shape)
    return list(X.T)


@faster("information")
def _ross(x, labels, k):
    """Mutual information of a continuous and a discrete variable, without the classes of a single row."""
    _, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    x, codes = x[counts[codes] > 1], codes[counts[codes] > 1]
    if not len(x):
        return 0.0
    D, same, n = np.abs(x[:, None] - x), codes[:, None] == codes, counts[codes]  # n: rows of one's class
    ks = np.minimum(k, n - 1)
    r = np.sort(np.where(same, D, np.inf), axis=1)[np.arange(len(x)), ks]  # place 0 is the row itself
    m = (D < r[:, None]).sum(axis=1)
    return max(0.0, digamma(len(x)) + digamma(ks).mean() - digamma(n).mean() - digamma(m).mean())


def _kraskov(x, y, k):
    """Mutual information of two continuous variables."""
    if k >= len(x):
        raise ValueError(f"n_neighbors={k}, but each of the {len(x)} rows has only {len(x) - 1} others.")
    n_x, n_y = _counts_nearer(x, y, k)
    return max(0.0, digamma(len(x)) + digamma(k) - digamma(n_x).mean() - digamma(n_y).mean())


@faster("information")
def _counts_nearer(x, y, k):
    """How many rows lie nearer than the k-th neighbour in the plane, in x alone and in y alone."""
    D_x, D_y = np.abs(x[:, None] - x), np.abs(y[:, None] - y)
    r = np.sort(np.maximum(D_x, D_y), axis=1)[:, [k]]  # place 0 is the row itself
    return (D_x < r).sum(axis=1), (D_y < r).sum(axis=1)
