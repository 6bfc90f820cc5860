"""Wrappers without refitting: the cross-validated scores of many subsets at once, in closed form; chapter 9.

A class here stands for one learner and answers: what would fitting it on every training fold and scoring it
on the fold left out give for each of these subsets? ``bounds(subsets)`` takes an int array (c, q), c subsets
of q columns, and returns two arrays (c, folds) between which the scores lie. They differ where rounding could
decide (a nearly singular matrix, neighbours equally near, classes equally likely). Where that leaves open
which subset is better the wrapper asks the learner itself, so that both ways choose the same.
"""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import gen_batches

BLOCK = 2**21  # numbers held at a time
COLLINEAR = 1e5  # variance inflation beyond which rounding in XᵀX could show
NEAR = 1e-9  # scores, discriminants and weights that differ by less (of their scale) count as equal


def closed_form(estimator, X, y, folds, scoring):
    """The closed form for a learner, its data and its scoring, where `why_not` has no objection."""
    return FORMS[kind(estimator)](estimator, np.asarray(X, dtype=float), np.asarray(y), folds, scoring)


def why_not(estimator, X, y, scoring):
    """What stands in the way of a closed form, or None."""
    form = FORMS.get(kind(estimator))
    if form is None:
        return f"{type(estimator).__name__} is not least squares, discriminant analysis or nearest neighbours"
    if issparse(X) or X.dtype.kind not in "iubf" or X.dtype.itemsize == 4 and X.dtype.kind == "f":
        return "X is not a dense table in double precision"
    if y is None or np.ndim(y) != 1:
        return "y is not one column"
    if scoring not in form.SCORINGS:
        return f"scoring={scoring!r} is none of {form.SCORINGS}"
    return unusual_option(estimator, form.USUAL)


def may_use(fast, reason):
    """Does `fast` ask for a closed form, and is there no reason against it? With True there must be none."""
    if fast not in (True, False, "auto"):
        raise ValueError(f"fast={fast!r}: use 'auto', True or False.")
    if fast is True and reason is not None:
        raise ValueError(f"fast=True, but {reason}: use fast='auto' to fit the learner instead.")
    return bool(fast) and reason is None


def kind(estimator):
    return type(estimator).__module__.split(".")[0], type(estimator).__name__


def unusual_option(estimator, usual):
    """A parameter whose value is not among the usual ones, as text; None if there is none."""
    for name, values in usual.items():
        if getattr(estimator, name, values[0]) not in values:
            return f"{name}={getattr(estimator, name)!r}"
    return None


def inverse(G):
    """Inverses of a stack of symmetric matrices; NaN for one that is singular."""
    try:
        return np.linalg.inv(G)
    except np.linalg.LinAlgError:
        return np.full(G.shape, np.nan) if G.ndim == 2 else np.array([inverse(g) for g in G])


def variance_inflation(G, P):
    """Largest ``G_jj P_jj`` with P = G⁻¹: 1 for orthogonal columns, huge (of any sign) for dependent ones."""
    return np.abs(np.einsum("...jj->...j", G) * np.einsum("...jj->...j", P)).max(axis=-1)


# ---------------------------------------------------------------- least squares
class LeastSquares:
    """Least squares: a fit needs only ``XᵀX`` and ``Xᵀy`` of its rows, its error those of the rows left out.

    With ``G = AᵀA`` of the training rows, A = [X, 1, y], the coefficients of a subset S are
    ``b = G_SS⁻¹ G_Sy``; with E the same of the rows left out, their error is ``E_yy - 2 bᵀE_Sy + bᵀE_SS b``.
    """

    SCORINGS, USUAL = (None, "r2", "neg_mean_squared_error"), dict(positive=(False,))

    def __init__(self, estimator, X, y, folds, scoring):
        intercept = estimator.fit_intercept
        if intercept:
            X, y = X - X.mean(axis=0), y - y.mean()
        ones = [np.ones((len(y), 1))] if intercept else []
        A = np.hstack([X, *ones, np.reshape(y, (-1, 1)).astype(float)])
        self.always = [X.shape[1]] if intercept else []  # the column of ones is in every subset
        self.train = np.array([A[train].T @ A[train] for train, _ in folds])  # (f, d + 2, d + 2)
        self.test = np.array([A[test].T @ A[test] for _, test in folds])
        self.best = 0.0 if scoring == "neg_mean_squared_error" else 1.0
        units = [variation(y[test]) if self.best else len(test) for _, test in folds]
        self.unit = np.array(units, dtype=float)[:, None]  # (f, 1), of the squared error

    def bounds(self, subsets):
        """Bounds (c, f), (c, f) for the subsets (c, q)."""
        q = subsets.shape[1] + len(self.always)
        blocks = gen_batches(len(subsets), max(1, BLOCK // (len(self.train) * q * q)))
        return tuple(np.vstack(side) for side in zip(*(self._of_block(subsets[rows]) for rows in blocks)))

    def _of_block(self, subsets):
        S = np.hstack([subsets, np.full((len(subsets), len(self.always)), self.always, dtype=int)])  # (c, q)
        rows, columns = S[:, :, None], S[:, None, :]
        G, E = self.train[:, rows, columns], self.test[:, rows, columns]  # (f, c, q, q)
        P = inverse(G)
        b = (P @ self.train[:, S, -1][..., None])[..., 0]  # (f, c, q)
        Eb = (E @ b[..., None])[..., 0]
        squares = self.test[:, -1, -1:] + ((Eb - 2 * self.test[:, S, -1]) * b).sum(axis=-1)  # (f, c)
        return self._with_margin(squares, variance_inflation(G, P) < COLLINEAR)

    def _with_margin(self, squares, well_conditioned):
        """Scores (c, f) from squared errors (f, c), and as much below and above as rounding can do."""
        with np.errstate(divide="ignore", invalid="ignore"):
            score = self.best - squares / self.unit
            margin = NEAR * (self.test[:, -1, -1:] / self.unit + np.abs(score))
            known = well_conditioned & np.isfinite(score + margin)
        score, margin = np.where(known, score, 0), np.where(known, margin, np.inf)
        return (score - margin).T, (score + margin).T


def variation(y):
    """``sum (y - ȳ)²``, the denominator of R²; NaN for a single row, which has no R²."""
    return ((y - y.mean()) ** 2).sum() if len(y) > 1 else np.nan


# ---------------------------------------------------------------- classifiers
def nothing_known(subsets):
    """Bounds of accuracies of which nothing is known, (2, c)."""
    return np.array([np.zeros(len(subsets)), np.ones(len(subsets))])


class Classifier:
    """What is common: accuracies of one fold after another."""

    SCORINGS = (None, "accuracy")

    def bounds(self, subsets):
        """Bounds (c, f), (c, f) for the subsets (c, q)."""
        return tuple(np.array([self._fold(subsets, *fold) for fold in self.folds]).transpose(1, 2, 0))


class Discriminant(Classifier):
    """Linear discriminant analysis: a fit needs only the class means and the scatter inside the classes.

    A row goes to the class with the largest ``log p_c + m_cᵀ S⁻¹ x - m_cᵀ S⁻¹ m_c / 2``, with S
    and the means m restricted to the subset.
    """

    USUAL = dict(shrinkage=(None,), priors=(None,), covariance_estimator=(None,), tol=(1e-4,))

    def __init__(self, estimator, X, y, folds, scoring):
        codes = np.unique(y, return_inverse=True)[1]
        X = X - X.mean(axis=0)
        self.folds = [
            (*self._moments(X[train], codes[train]), X[test].T.copy(), codes[test]) for train, test in folds
        ]

    @staticmethod
    def _moments(X, codes):
        Y = np.eye(codes.max() + 1)[:, codes]  # (C, n)
        counts = Y.sum(axis=1)
        if (counts == 0).any():
            return None, None, None
        means = Y @ X / counts[:, None]  # (C, d)
        X = X - means[codes]
        return means, X.T @ X / len(X), np.log(counts / len(X))

    def _fold(self, subsets, means, scatter, log_p, rows, codes):
        if means is None or codes.max() >= len(means):  # a class without training rows
            return nothing_known(subsets)
        blocks = gen_batches(len(subsets), max(1, BLOCK // (len(means) * rows.shape[1])))
        return np.hstack([self._of_block(subsets[b], means, scatter, log_p, rows, codes) for b in blocks])

    @staticmethod
    def _of_block(S, means, scatter, log_p, rows, codes):
        G = scatter[S[:, :, None], S[:, None, :]]  # (c, q, q)
        P = inverse(G)
        m = means[:, S].transpose(1, 0, 2)  # (c, C, q)
        B = m @ P
        values = B @ rows[S] + (log_p - (m * B).sum(axis=2) / 2)[:, :, None]  # (c, C, n)
        mine = codes[None, None, :]
        own = np.take_along_axis(values, np.broadcast_to(mine, (len(S), 1, len(codes))), axis=1)[:, 0]
        np.put_along_axis(values, np.broadcast_to(mine, (len(S), 1, len(codes))), -np.inf, axis=1)
        lead, margin = own - values.max(axis=1), NEAR * (1 + np.abs(own))  # (c, n)
        bounds = np.array([(lead > margin).mean(axis=1), (lead >= -margin).mean(axis=1)])
        return np.where(variance_inflation(G, P) < COLLINEAR, bounds, nothing_known(S))


class Neighbors(Classifier):
    """k nearest neighbours: a column adds its differences to the distances, ``sum_j |x_j - x'_j|**p``.

    So the columns that the subsets share are summed once, and each subset adds its own.
    """

    USUAL = dict(weights=("uniform",), metric=("minkowski",), metric_params=(None,), p=(1, 2))

    def __init__(self, estimator, X, y, folds, scoring):
        self.X, self.folds, self.k, self.p = X, folds, estimator.n_neighbors, estimator.p
        self.codes = np.unique(y, return_inverse=True)[1]
        self.rounding = 1e-14 * (np.abs(X) ** self.p).sum(axis=1).max()  # of a distance, however computed

    def _fold(self, subsets, train, test):
        if self.k >= len(train):
            return nothing_known(subsets)
        shared = [j for j in subsets[0] if (subsets == j).any(axis=1).all()]
        Y = np.eye(self.codes.max() + 1)[self.codes[train]]  # (n, C)
        blocks = gen_batches(len(test), max(1, BLOCK // len(train)))
        hits = [self._hits(subsets, shared, train, test[rows], Y) for rows in blocks]
        return np.concatenate(hits, axis=2).mean(axis=2).T

    def _hits(self, subsets, shared, train, test, Y):
        """Which rows surely get their class, and which may get it; shape (c, 2, b)."""
        common = self._distances(shared, train, test)
        own = [[j for j in subset if j not in shared] for subset in subsets]
        return np.array([
            self._vote(common + self._distances(rest, train, test), Y, self.codes[test]) for rest in own
        ])

    def _distances(self, columns, train, test):
        D = np.zeros((len(test), len(train)))
        for j in columns:
            gap = self.X[test, j][:, None] - self.X[train, j]
            D += np.abs(gap) if self.p == 1 else gap * gap
        return D

    def _vote(self, D, Y, codes):
        kth = np.partition(D, self.k - 1, axis=1)[:, [self.k - 1]]
        margin = self.rounding + 1e-12 * kth
        nearer = (D < kth - margin).astype(float) @ Y  # (b, C) votes that are certain
        edge = (D <= kth + margin).astype(float) @ Y - nearer  # rows for the seats left over
        votes = nearer + (edge > 0) * (self.k - nearer.sum(axis=1, keepdims=True))
        undecided, right = (edge > 0).sum(axis=1) > 1, votes.argmax(axis=1) == codes
        return right & ~undecided, right | undecided


FORMS = {
    ("sklearn", "LinearRegression"): LeastSquares,
    ("sklearn", "LinearDiscriminantAnalysis"): Discriminant,
    ("helpers", "LinearDiscriminantAnalysis"): Discriminant,
    ("sklearn", "KNeighborsClassifier"): Neighbors,
    ("helpers", "KNeighborsClassifier"): Neighbors,
}
