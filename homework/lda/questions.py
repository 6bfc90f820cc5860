"""Homework 3: gradients, LDA, CCA and ICA."""

import numpy as np
import scipy.linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from grading.question import Case, Task, computed_once, question
from grading.reasons import Because, reading, reasoned
from helpers import comparing
from helpers.comparing import close, numbers, same_labels, same_up_to_rotation, same_up_to_sign
from helpers.reading import Notation

NO_HOG = ("skimage.feature",)
NO_PCA = ("sklearn.decomposition",)
NO_LDA = ("sklearn.discriminant_analysis",)
NO_CCA = ("sklearn.cross_decomposition",)


def same_directions(a, b):
    """Columns up to sign and length."""
    a, b = numbers(a), numbers(b)
    if a is None or b is None or a.shape != b.shape or a.ndim != 2:
        return False
    lengths = [np.linalg.norm(m, axis=0) for m in (a, b)]
    return min(length.min() for length in lengths) > 0 and same_up_to_sign(
        a / lengths[0], b / lengths[1], tol=1e-6
    )


# ---- 1: by hand


def same_axis_and_value(a, b):
    return len(a) == len(b) == 2 and close(a[1], b[1], tol=1e-3) and _angle(a[0], b[0]) < 2e-3


def _angle(a, b):
    """Between two lines in the plane, in radians."""
    (a0, a1), (b0, b1) = numbers(a), numbers(b)
    return abs(a0 * b1 - a1 * b0) / (np.hypot(a0, a1) * np.hypot(b0, b1))


question(
    "lda.1",
    "Fisher's axis by hand",
    name="axis_and_value",
    core=True,
    then="Go on: stretch the second feature tenfold. How do the axis and the value change?",
    cases=Case(2),
    secret=True,
    truth=([4, 1], 1.25),
    same=same_axis_and_value,
    mistakes={
        "the line between the means": (
            "You join the means, but the classes are stretched: the spread inside them turns the axis.",
            ([1, 1], 0.8),
        ),
        "multiplied with the scatter": (
            "Your axis follows the direction in which the classes are widest. Is that where they overlap "
            "least?",
            ([1, 4], 25 / 65),
        ),
        "multiplied with the inverse root": (
            "You divided by standard deviations. What does the formula divide by?",
            ([2, 1], 1.125),
        ),
        "one class's covariance below the line": (
            "The right axis. Whose variances stand below the line in Fisher's criterion?",
            ([4, 1], 2.5),
        ),
        "the value without the square": (
            "The right axis. What happens to the criterion's value when w is twice as long? Nothing should.",
            ([4, 1], 5 / 20),
        ),
    },
    hints=[
        "Add the two covariances; a diagonal matrix is inverted entry by entry.",
        "For the value, put your axis into Fisher's criterion. Any length of w gives the same.",
    ],
)

# ---- 2: the histogram of one cell

MIDDLES = np.deg2rad([10, 30, 70, 90, 110, 150, 170])  # of bins, none of which is its own mirror image


def draw_ramp(rng, n=8):
    """Grey values that rise in one direction."""
    angle = rng.choice(MIDDLES) + rng.uniform(-0.1, 0.1) + np.pi * rng.integers(2)
    rows, columns = np.mgrid[:n, :n]
    return rng.uniform(1, 3) * (np.sin(angle) * rows + np.cos(angle) * columns), 9


def draw_picture(rng):
    """At its upper edge it falls to the right, at exactly 180 degrees."""
    picture = rng.normal(size=(12, 10)).cumsum(axis=0)
    picture[:4] = picture[0, 0] - rng.uniform(1, 3) * np.arange(10)
    return picture, int(rng.choice([6, 8]))


def _folded(down, along):
    return np.arctan2(down, along) % np.pi


def hog_cell(image, bins, angle=_folded, weights=np.hypot, end=np.pi):
    down, along = np.gradient(image)
    return np.histogram(angle(down, along), bins, (0, end), weights=weights(down, along))[0]


question(
    "lda.2",
    "One cell of HOG",
    then="Go on: share each vote between the two nearest bins. What does a slight turn of the picture "
    "change now?",
    stars=2,
    truth=hog_cell,
    forbids=NO_HOG,
    cases=[Case(1, "a ramp", draw_ramp), Case(2, "a picture", draw_picture)],
    mistakes={
        "the arguments of arctan2 swapped": (
            "On a ramp that rises to the right the angle is 0. What do you get?",
            dict(angle=lambda down, along: np.arctan2(along, down) % np.pi),
        ),
        "angles not folded": (
            "Your histogram sums to less than the magnitudes: which angles fell out?",
            dict(angle=np.arctan2),
        ),
        "pixels counted, not weighed": (
            "A faint and a strong edge vote alike. Should they?",
            dict(weights=lambda down, along: np.ones_like(down)),
        ),
        "folded by the absolute value": (
            "Up and to the right, down and to the right: are these opposite directions? You add them up.",
            dict(angle=lambda down, along: np.abs(np.arctan2(down, along))),
        ),
        "180 degrees are not 0": (
            "One picture rises to the right, another falls to the right. Do your pixels vote for one bin?",
            dict(angle=lambda down, along: np.arctan2(down, along) + np.pi * (np.arctan2(down, along) < 0)),
        ),
        "the whole circle": (
            "Swap black and white: HOG should not notice, your histogram does.",
            dict(angle=lambda down, along: np.arctan2(down, along) % (2 * np.pi), end=2 * np.pi),
        ),
        "weighed by the squared length": (
            "Twice the contrast: how much more should a pixel's vote weigh?",
            dict(weights=lambda down, along: down**2 + along**2),
        ),
        "arctan of the quotient, negative angles lost": (
            "arctan answers between −90 and 90 degrees. Which of your bins stay empty?",
            dict(angle=lambda down, along: np.arctan(down / along)),
        ),
    },
    hints=[
        "np.gradient returns two arrays: how fast the picture rises downwards, and along the row.",
        "np.histogram has an argument for the range and one for the weights.",
    ],
)

# ---- 3: predict, then run

reasoned(
    "lda.3",
    "What HOG notices",
    name="hog_changes",
    then="Go on: which of the six would change if angles were counted round the full circle?",
    cases=Case(1, "your list"),
    secret=True,
    truth=([False, False, False, True, True, True], 2),
    same=same_labels,
    because=Because(
        "**Why** does the negative do to the features what you say?",
        {
            "Each gradient turns round, and angles are counted round the full circle.": (
                "Up to which angle do the bins of section 3.34 go?"
            ),
            "Each gradient turns by half a circle, and keeps its length and its unsigned angle.": None,
            "Bright and dark change places, so that edges fall into other cells.": (
                "Where are the edges of a negative?"
            ),
            ("Each gradient becomes shorter, which the norm of its block divides out again."): (
                "By how much do two neighbouring grey values differ in the negative?"
            ),
        },
    ),
    mistakes={
        "everything changes it": (
            "Then describing gradients would have been useless. Which part of a gradient survives more "
            "light?",
            [True] * 6,
        ),
        "nothing changes it": (
            "HOG keeps the cells in their places. Which of the six move a pixel to another place?",
            [False] * 6,
        ),
        "the negative": (
            "The negative turns each gradient round. Do HOG's angles tell front from back?",
            [False, False, True, True, True, True],
        ),
        "contrast": (
            "Every gradient becomes longer by the same factor. What is a block divided by?",
            [False, True, False, True, True, True],
        ),
        "turned, but not noticed": (
            "After a quarter turn every angle is another. SIFT undoes that; does HOG?",
            [False, False, False, False, True, True],
        ),
        "mirrored, but not noticed": (
            "In a mirror left becomes right. Do the cells move along?",
            [False, False, False, True, False, True],
        ),
        "the root is taken for a contrast": (
            "The root stretches dark parts more than light ones. Do all gradients of a block grow alike?",
            [False, False, False, True, True, False],
        ),
    },
    hints=[
        "What happens to the length and to the direction of each gradient? And to its place?",
        "A change that multiplies all gradients of a block alike is divided out again.",
    ],
)

# ---- 4: repair whitening


def draw_cloud(rng, n=60, d=4, mean=20.0):
    return (mean * rng.normal(size=d) + rng.normal(size=(n, d)) @ rng.normal(size=(d, d)),)


def draw_unlike(rng):
    """Features in different units."""
    return (draw_cloud(rng, n=30, d=3)[0] * [0.01, 1, 100],)


def whiten(X):
    Xc = X - X.mean(axis=0)
    lam, P = np.linalg.eigh(Xc.T @ Xc / len(X))
    return Xc @ P / np.sqrt(lam)


def cov_of(X):
    return np.atleast_2d(np.cov(X, rowvar=False, bias=True))


def whiten_with(X, centre=lambda X: X.mean(axis=0), scale=np.sqrt, turn=lambda P: P, n=0):
    """whiten with one part exchanged."""
    Xc = X - centre(X)
    lam, P = np.linalg.eigh(Xc.T @ Xc / (len(X) - n))
    return Xc @ turn(P) / scale(lam)


question(
    "lda.4",
    "A broken whitening",
    core=True,
    then="Another way: Cholesky's factor whitens as well. By what do two whitenings differ?",
    stars=2,
    truth=whiten,
    parts=whiten_with,
    forbids=NO_PCA,
    same=lambda a, b: same_up_to_rotation(a, b, tol=1e-6),
    cases=[
        Case(1, "samples far from the origin", draw_cloud),
        Case(1, "features in different units", draw_unlike),
        Case(1, "a single feature", lambda rng: draw_cloud(rng, n=20, d=1)),
    ],
    mistakes={
        "not centred": ("White data have mean 0. What do you take away, and when?", dict(centre=lambda X: 0)),
        "one mean for all features": (
            "Each feature has its own centre; you took one number off all of them.",
            dict(centre=lambda X: X.mean()),
        ),
        "divided by the variance": (
            "Dividing by s scales a variance by 1/s²: which s gives 1?",
            dict(scale=lambda lam: lam),
        ),
        "root taken entry by entry": (
            "Multiply your root by itself: do you get the matrix back?",
            lambda X: (X - X.mean(axis=0)) @ np.sqrt(np.abs(np.linalg.inv(cov_of(X)))),
        ),
        "standardised only": (
            "Each variance is 1. Print the covariances beside them.",
            lambda X: (X - X.mean(axis=0)) / X.std(axis=0),
        ),
        "rows of P for its columns": (
            "Where does NumPy keep the i-th eigenvector? Is your covariance diagonal before you scale?",
            dict(turn=lambda P: P.T),
        ),
        "turned, not scaled": (
            "The covariance is diagonal. What should stand on the diagonal?",
            dict(scale=lambda lam: 1),
        ),
        "the root multiplied": (
            "Loud axes became louder. Which way does the root go?",
            dict(scale=lambda lam: 1 / np.sqrt(lam)),
        ),
        "everything at once, as in the broken code": (
            "Look at one thing after another: the mean of your result, then its covariances, then its "
            "variances.",
            dict(centre=lambda X: X.mean(), scale=lambda lam: lam, turn=lambda P: P.T),
        ),
        "divided by n − 1": (
            "The variances are nearly 1. Which divisor does the question ask for?",
            dict(n=1),
        ),
    },
    hints=[
        "Check your own result: np.cov(whiten(X), rowvar=False, bias=True) tells nearly everything.",
        "Three things are wrong: what is subtracted, what turns, what scales.",
    ],
)

# ---- 5: the axes of LDA


def draw_classes(rng, counts, d=4):
    """Classes 3, 5, 7 … of unequal size and unlike shape, far from the origin, in any order."""
    y = np.repeat(3 + 2 * np.arange(len(counts)), counts)
    parts = [rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 2 * rng.normal(size=d) for n in counts]
    order = rng.permutation(len(y))
    return (np.concatenate(parts) + 10)[order], y[order]


def draw_in_a_row(rng):
    """Three classes whose means lie on one line: one direction tells them apart, to the last digit.

    Sizes and steps are powers of two, and each row has its mirror image in its class, so that no mean is
    rounded.
    """
    y = np.repeat([3, 5, 7], [32, 16, 16])
    inside = np.concatenate([_mirrored(rng, n // 2) for n in (32, 16, 16)])
    along = np.repeat(rng.permutation([-2.0, 0.0, 4.0]), [32, 16, 16])
    order = rng.permutation(len(y))
    return (10 + inside + np.outer(along, rng.permutation([1.0, -0.5, 0.25, 0.5])))[order], y[order], 3


def _mirrored(rng, n, d=4):
    half = np.round(16 * rng.normal(size=(n, d)) @ rng.normal(size=(d, d))) / 16
    return np.concatenate([half, -half])


def scatters(X, y):
    """Within and between the classes, weighted by their shares."""
    within = between = np.zeros((X.shape[1], X.shape[1]))
    for c in np.unique(y):
        part = X[y == c]
        p, gap = len(part) / len(X), part.mean(axis=0) - X.mean(axis=0)
        within = within + p * np.cov(part, rowvar=False, bias=True)
        between = between + p * np.outer(gap, gap)
    return within, between


def _balanced(X, y):
    """The scatters with one weight for all classes."""
    parts = [X[y == c] for c in np.unique(y)]
    means = np.array([p.mean(axis=0) for p in parts])
    return sum(cov_of(p) for p in parts) / len(parts), cov_of(means)


def lda_axes(
    X,
    y,
    k,
    within=lambda X, y: scatters(X, y)[0],
    between=lambda X, y: scatters(X, y)[1],
    solve=lambda B, W: scipy.linalg.eigh(B, W)[1],
    choose=lambda V, k: V[:, ::-1][:, :k],
    rank=lambda B: np.linalg.matrix_rank(B, rtol=1e-9),
):
    B = between(X, y)
    return choose(solve(B, within(X, y)), min(k, rank(B)))


question(
    "lda.5",
    "Axes that separate classes",
    core=True,
    then="Another way: whiten by the scatter within, then a PCA of the class means. Two steps, no "
    "unsymmetric matrix.",
    stars=2,
    truth=lda_axes,
    same=same_directions,
    forbids=NO_LDA,
    cases=[
        Case(1, "two classes, nine to one", lambda rng: (*draw_classes(rng, [90, 10], d=3), 1)),
        Case(2, "three classes of unequal size", lambda rng: (*draw_classes(rng, [50, 20, 10]), 2)),
        Case(0.5, "k larger than three classes allow", lambda rng: (*draw_classes(rng, [40, 20, 20]), 4)),
        Case(0.5, "three classes in a row, k = 3", draw_in_a_row),
    ],
    mistakes={
        "the line between the means": (
            "You join the means, but the classes are stretched: the spread inside them turns the axis.",
            dict(within=lambda X, y: np.eye(X.shape[1])),
        ),
        "eigh on a matrix that is not symmetric": (
            "eigh reads one triangle and trusts you. Is this product symmetric?",
            dict(solve=lambda B, W: np.linalg.eigh(np.linalg.inv(W) @ B)[1]),
        ),
        "priors dropped within": (
            "A class with nine times the samples should weigh more in the pooled spread.",
            dict(within=lambda X, y: _balanced(X, y)[0]),
        ),
        "priors dropped between": (
            "Your class means count alike. Does a mean of ten samples say as much as a mean of fifty?",
            dict(between=lambda X, y: _balanced(X, y)[1]),
        ),
        "priors dropped altogether": (
            "Take half of the samples of one class away at random: your scatters do not notice. Should they?",
            dict(within=lambda X, y: _balanced(X, y)[0], between=lambda X, y: _balanced(X, y)[1]),
        ),
        "more axes than the classes allow": (
            "Three means span a plane: how many directions can tell them apart?",
            lambda X, y, k: scipy.linalg.eigh(*scatters(X, y)[::-1])[1][:, ::-1][:, :k],
        ),
        "as many as classes but one": (
            "Three means may lie on one line. How many directions tell them apart then?",
            lambda X, y, k: lda_axes(X, y, min(k, len(np.unique(y)) - 1), rank=len),
        ),
        "the smallest quotients are kept": (
            "Along your axes the means coincide. In which order does eigh answer?",
            dict(choose=lambda V, k: V[:, :k]),
        ),
        "the largest quotient stands last": (
            "The right axes. Which of them should stand first?",
            dict(choose=lambda V, k: V[:, -k:]),
        ),
        "axes in rows": (
            "The right numbers. The question wants the axes in columns.",
            lambda X, y, k: lda_axes(X, y, k).T,
        ),
        "rows of V for its columns": (
            "Where does eigh keep the i-th eigenvector?",
            dict(choose=lambda V, k: V[::-1][:k].T),
        ),
    },
    hints=[
        "scipy.linalg.eigh(A, B) solves A v = λ B v; the last column belongs to the largest λ.",
        "Weigh each class by its share, in both scatters.",
    ],
)

# ---- 6: where LDA fails


def rings(n=200, gap=1.0, noise=0.1, seed=0):
    """Two rings round one centre."""
    rng = np.random.default_rng(seed)
    y, angle = np.arange(n) % 2, rng.uniform(0, 2 * np.pi, size=n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return circle * (1 + gap * y)[:, None] + noise * rng.normal(size=(n, 2)), y


def _blobs(shift, seed=0, loud=1.0, n=200):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) * [loud, 1] + np.outer(y, [0, shift]), y


def check_rings(got):
    X, y = numbers(got[0]), np.asarray(got[1])
    if X is None or X.ndim != 2 or y.shape != X.shape[:1] or not 100 <= len(X) <= 2000:
        return "Return X with 100 to 2000 rows, and y with a label for each row."
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) != 2 or counts.min() < 0.4 * len(y):
        return "Two classes, please, neither with less than 40 % of the rows."
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    line, near = (
        100 * cross_val_score(m, X, y, cv=folds).mean()
        for m in (LinearDiscriminantAnalysis(), KNeighborsClassifier(5))
    )
    if line <= 60 and near >= 90:
        return None
    return (
        f"LDA is right in {line:.0f} %, five neighbours in {near:.0f} %. Make that at most 60 and at "
        "least 90."
    )


question(
    "lda.6",
    "What LDA cannot see",
    name="invisible_classes",
    core=True,
    then="Go on: if your classes are rings, add x² + y² as a third feature. What does LDA see now?",
    stars=2,
    cases=Case(3),
    truth=rings(),
    checker=check_rings,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "two blobs apart": ("The means differ, so LDA has what it needs. Where should they lie?", _blobs(5)),
        "nothing tells the classes apart": (
            "LDA fails, but so does everybody. What could neighbours see that means cannot?",
            _blobs(0),
        ),
        "a loud column": (
            "A loud and useless column misleads PCA, and neighbours; LDA divides it out.",
            _blobs(5, loud=200),
        ),
        "rings that overlap": (
            "The idea is good, but your classes lie in each other's places.",
            rings(gap=0.15, noise=0.4),
        ),
    },
    hints=[
        "LDA knows the means and one scatter, nothing else. Take away what it lives on.",
        "Two classes with one mean: what else can differ?",
    ],
)

# ---- 7: other people's eigenvalues


def draw_their_quotients(rng):
    """Eigenvalues of S_pairs against S_t for some quotients between 0.1 and 20."""
    right = np.sort(rng.uniform(0.1, 20, size=4))[::-1]
    return (2 * right / (1 + right),)


def translate(mu):
    return mu / (2 - mu)


question(
    "lda.7",
    "Two mistakes that are none",
    then="Go on: which other matrix below the line would leave the axes as they are?",
    stars=3,
    truth=translate,
    cases=Case(3, draw=draw_their_quotients),
    mistakes={
        "nothing to translate": (
            "The axes are the same. Are the numbers? Try a single feature, by hand.",
            lambda mu: mu,
        ),
        "only the pairs": (
            "The pairs are accounted for. Their quotient still has the total scatter below the line.",
            lambda mu: mu / 2,
        ),
        "only the total": (
            "The total is accounted for. How often do the pairs count each difference?",
            lambda mu: mu / (1 - mu),
        ),
        "the other way round": (
            "Put your λ into their formula: does μ come out? You may have walked against the arrow.",
            lambda mu: 2 * mu / (1 + mu),
        ),
        "doubled instead of halved": (
            "Is their between-class scatter larger or smaller than (3.1)'s?",
            lambda mu: 2 * mu / (1 - 2 * mu),
        ),
        "the total is larger, so add": (
            "S_t = S_w + S_b. Solve that for the matrix that you need below the line.",
            lambda mu: mu / 2 / (1 + mu / 2),
        ),
    },
    hints=[
        "Write both problems down for the same w, and use S_t = S_w + S_b.",
        "If S_b w = λ S_w w, what is S_t w in terms of S_w w?",
    ],
)

# ---- 8: canonical correlations


def draw_views(rng, n=50, p=4, q=3, mean=10.0):
    shared = rng.normal(size=(n, 2))
    X, Y = (
        shared @ rng.normal(size=(2, d)) + rng.normal(size=(n, d)) + mean * rng.normal(size=d) for d in (p, q)
    )
    return X, Y, 0.0


def draw_views_and_ridge(rng):
    X, Y, _ = draw_views(rng, n=25, p=3, q=3)
    return X, Y, rng.uniform(0.5, 2)


def inverse_root(S):
    lam, P = np.linalg.eigh(S)
    return (P / np.sqrt(lam)) @ P.T


def canonical_corr(X, Y, r):
    p, q = X.shape[1], Y.shape[1]
    S = np.cov(X, Y, rowvar=False)
    left, right = inverse_root(S[:p, :p] + r * np.eye(p)), inverse_root(S[p:, p:] + r * np.eye(q))
    return np.linalg.svd(left @ S[:p, p:] @ right, compute_uv=False)


def _joint(X, Y, centre=True, n=1):
    Z = np.hstack([X, Y])
    Z = Z - Z.mean(axis=0) if centre else Z
    return Z.T @ Z / (len(Z) - n)


def _cca(X, Y, r, S=_joint, root=inverse_root, between=0, ridge=1):
    """canonical_corr with one part exchanged."""
    p, q = X.shape[1], Y.shape[1]
    S = S(X, Y)
    left, right = (root(B + ridge * r * np.eye(len(B))) for B in (S[:p, :p], S[p:, p:]))
    return np.linalg.svd(left @ (S[:p, p:] + between * r * np.eye(p, q)) @ right, compute_uv=False)


question(
    "lda.8",
    "What two views share",
    then="Another way: without a ridge, QR of both centred views and the SVD of Q₁ᵀQ₂: no covariance "
    "matrix is needed.",
    stars=2,
    truth=canonical_corr,
    parts=_cca,
    forbids=NO_CCA,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(2, "views far from the origin, no ridge", draw_views),
        Case(1, "a ridge", draw_views_and_ridge),
    ],
    mistakes={
        "squared correlations": (
            "Those are squares of what you want.",
            lambda X, Y, r: canonical_corr(X, Y, r) ** 2,
        ),
        "not centred": (
            "Add 10 to one column: a correlation should not move.",
            dict(S=lambda X, Y: _joint(X, Y, centre=False)),
        ),
        "root taken entry by entry": (
            "Multiply your root by itself: do you get the matrix back?",
            dict(root=lambda S: np.sqrt(np.abs(np.linalg.inv(S)))),
        ),
        "a ridge between the views too": ("Only what is inverted needs a ridge.", dict(between=1)),
        "the ridge forgotten": ("Without a ridge you are right. Where does it go?", dict(ridge=0)),
        "divided by n": (
            "Without a ridge the divisor cancels. Here it does not: which one is asked for?",
            dict(S=lambda X, Y: _joint(X, Y, n=0)),
        ),
        "not whitened": (
            "Multiply a column by 10: a correlation should not move.",
            dict(root=lambda S: np.eye(len(S))),
        ),
        "each feature scaled by itself": (
            "You scaled the features one by one. What else hangs together inside a view?",
            dict(root=lambda S: np.diag(np.diag(S) ** -0.5)),
        ),
        "smallest first": (
            "Which correlation should come first?",
            lambda X, Y, r: canonical_corr(X, Y, r)[::-1],
        ),
    },
    hints=[
        "(3.8) and (3.9) of section 3.10; np.cov(X, Y, rowvar=False) holds all covariances at once.",
        "The root of a symmetric matrix is taken of its eigenvalues.",
    ],
)

# ---- 9: choose a ridge

RIDGES = np.logspace(-9, 5, 15)  # wide enough for features of any unit
MEANS = np.linspace(-20, 20, 20)  # which a correlation does not see, and who forgets to centre does


def draw_few_pairs(rng, unit=1.0, n=30, fresh=1000):
    """Two views of twenty features: seventeen share a latent, three are loud and private."""
    latent = rng.normal(size=(n + fresh, 1))
    views = []
    for _ in range(2):
        tied = latent * rng.choice([-1, 1], size=17) + 1.2 * rng.normal(size=(n + fresh, 17))
        views.append(unit * (MEANS + np.hstack([tied, 8 * rng.normal(size=(n + fresh, 3))])))
    return Task(tuple(v[:n] for v in views), hidden=tuple(v[n:] for v in views))


def first_pair(X, Y, r):
    """The first direction in each view, with a ridge, as the notebook gives it."""
    p, S = X.shape[1], np.cov(X, Y, rowvar=False)
    R1, R2 = (inverse_root(M + r * np.eye(len(M))) for M in (S[:p, :p], S[p:, p:]))
    U, _, Vt = np.linalg.svd(R1 @ S[:p, p:] @ R2)
    return R1 @ U[:, 0], R2 @ Vt[0]


def _first_correlation(X, Y, r, fresh):
    w1, w2 = first_pair(X, Y, r)
    return np.corrcoef(fresh[0] @ w1, fresh[1] @ w2)[0, 1]


@computed_once
def held_out(X, Y, r, folds=6):
    """Mean correlation of the first pair on rows that were left out."""
    part = np.arange(len(X)) % folds
    scores = []
    for f in range(folds):
        w1, w2 = first_pair(X[part != f], Y[part != f], r)
        z1 = (X[part == f] - X[part != f].mean(axis=0)) @ w1
        z2 = (Y[part == f] - Y[part != f].mean(axis=0)) @ w2
        scores.append((z1 * z2).mean() / np.sqrt((z1**2).mean() * (z2**2).mean()))
    return np.mean(scores)


def choose_ridge(X, Y):
    return max(RIDGES, key=lambda r: held_out(X, Y, r)), 3


@computed_once
def _within_reach(X, Y, fresh):
    return max(_first_correlation(X, Y, r, fresh) for r in RIDGES)


def check_ridge(got, X, Y, fresh):
    r = numbers(got)
    if r is None or isinstance(got, bool) or r.shape != () or not 0 < r <= 1e9:
        return "Return one number above 0."
    reached = _first_correlation(X, Y, float(r), fresh)
    best = _within_reach(X, Y, fresh)
    if reached >= best - 0.12:
        return None
    return (
        f"With your ridge the first pair correlates by {reached:.2f} on new rows; {best:.2f} is within reach."
    )


reasoned(
    "lda.9",
    "Thirty pairs, forty features",
    then="Go on: how many pairs would it take until a ridge is of no more use?",
    stars=3,
    truth=choose_ridge,
    checker=check_ridge,
    same=close,
    cases=[
        Case(1.5, "features of about 1", draw_few_pairs),
        Case(1.5, "features of about 0.01", lambda rng: draw_few_pairs(rng, 0.01)),
    ],
    because=Because(
        "**Why** must the choice be made on pairs that were not fitted?",
        {
            "On the pairs that were fitted the correlation is too low to tell the ridges apart.": (
                "How large is it there without any ridge?"
            ),
            "On other pairs the correlation rises with the ridge, so that the largest can be found.": (
                "Then a giant ridge would be best. What becomes of the correlation?"
            ),
            "With fewer pairs than features the fitted correlation is 1 whatever the views share.": None,
            "Pairs that were fitted have less noise than others, and a ridge is for noisy pairs only.": (
                "All pairs come from one measurement. What does the fit make of the "
                "noise in those that it saw?"
            ),
        },
    ),
    mistakes={
        "next to no ridge": (
            "Thirty pairs, forty features: the correlation is 1 whatever the data. What is it on new pairs?",
            lambda X, Y: RIDGES[0],
        ),
        "a giant ridge": (
            "So large a ridge leaves only the loudest features. What do the loud ones share?",
            lambda X, Y: RIDGES[-1],
        ),
        "the largest correlation on the training rows": (
            "You chose by the rows that were fitted. Which ridge always wins there?",
            lambda X, Y: min(np.logspace(-3, 3, 7), key=lambda r: 1 - canonical_corr(X, Y, r)[0]),
        ),
        "no ridge at all": (
            "Covariances of twenty features from thirty rows: can the other view imitate any direction?",
            lambda X, Y: 0.0,
        ),
        "one ridge for all units": (
            "Your ridge is the same whatever the unit. Measure in centimetres, not metres: what becomes of a "
            "variance?",
            lambda X, Y: 3.0,
        ),
    },
    hints=[
        "Find first_pair(X, Y, r) on some rows, and correlate the projections of the others on it.",
        "Try ridges that differ by a factor, from far below the features' variances to far above.",
    ],
)

# ---- 10: compare sources


def draw_sources(rng, n=120):
    """Three uncorrelated signals of unlike size."""
    t = np.linspace(0, 1, n)
    tone, bursts, hiss = np.sin(40 * t + rng.uniform(0, 6)), rng.laplace(size=n), rng.uniform(-1, 1, size=n)
    raw = np.column_stack([tone, bursts, hiss])
    return np.linalg.qr(raw - raw.mean(axis=0))[0] * np.sqrt(n) * [1, 0.58, 2]


def _turned(S, degrees):
    """Two of the signals mixed by a rotation, each of variance 1."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return S / S.std(axis=0) @ [[c, s, 0], [-s, c, 0], [0, 0, 1]]


def _shuffled(rng, S, candidates):
    return S, [candidates[i] for i in rng.permutation(len(candidates))]


def draw_disguised(rng):
    S = draw_sources(rng)
    return _shuffled(
        rng,
        S,
        [
            S.copy(),
            S * [1, -1, -1],
            S[:, [2, 0, 1]],
            S * [3, 0.1, 5],
            S + [40, -20, 30],
            4 - S[:, [1, 2, 0]] * [1, 2, -3],
            _turned(S, 5),
            _turned(S, 12),
            _turned(S, 45),
        ],
    )


def draw_false_friends(rng):
    S = draw_sources(rng)
    return _shuffled(
        rng,
        S,
        [
            S[:, [1, 1, 2]],
            S[:, [0, 1, 1]],
            _turned(S, 45),
            S @ rng.normal(size=(3, 3)),
            -S[:, ::-1],
            S[:, [0, 0, 0]] * [1, 2, 3],
            _turned(S, 9)[:, ::-1],
        ],
    )


def _correlations(S, B):
    return np.corrcoef(S, B, rowvar=False)[:3, 3:]


def same_sources(S, candidates):
    return [bool(np.greater_equal(np.abs(_correlations(S, B)).max(axis=1), 0.99).all()) for B in candidates]


def verdicts(one):
    return lambda S, candidates: [bool(one(S, B)) for B in candidates]


def cosines(S, B):
    return (S / np.linalg.norm(S, axis=0)).T @ (B / np.linalg.norm(B, axis=0))


def least_is_near_one(R, axis=1):
    return np.abs(R).max(axis=axis).min() >= 0.99


question(
    "lda.10",
    "The same sources?",
    then="Go on: how should two sources be compared when only their mixtures' number is known?",
    stars=2,
    truth=same_sources,
    same=same_labels,
    forbids=("helpers.comparing",),
    cases=[Case(2, "sources in disguise", draw_disguised), Case(1, "false friends", draw_false_friends)],
    mistakes={
        "compared entry by entry": (
            "What can ICA never know? Make your test blind to it.",
            verdicts(np.allclose),
        ),
        "the sign counts": (
            "You refuse a source for its sign. Could ICA know it?",
            verdicts(lambda S, B: (_correlations(S, B).max(axis=1) >= 0.99).all()),
        ),
        "the order counts": (
            "You compare the first with the first. Which order does ICA return?",
            verdicts(lambda S, B: (np.abs(np.diag(_correlations(S, B))) >= 0.99).all()),
        ),
        "one source stands for two": (
            "Every candidate has a partner. Has every source one?",
            verdicts(lambda S, B: least_is_near_one(_correlations(S, B), axis=0)),
        ),
        "one right source is enough": (
            "You found one of the sources. How many should be recovered?",
            verdicts(lambda S, B: np.abs(_correlations(S, B)).max() >= 0.99),
        ),
        "not centred": (
            "Somebody added 40 to a signal. Is it another source now?",
            verdicts(lambda S, B: least_is_near_one(cosines(S, B))),
        ),
        "the mean of the correlations": (
            "One mixed source hides behind a good one. Is the average asked for?",
            verdicts(lambda S, B: np.abs(_correlations(S, B)).max(axis=1).mean() >= 0.99),
        ),
        "too generous": (
            "You accept sources that were mixed by a small rotation.",
            verdicts(lambda S, B: (np.abs(_correlations(S, B)).max(axis=1) >= 0.9).all()),
        ),
    },
    hints=[
        "Which number between two signals does not change with size and offset?",
        "Make a table of all these numbers, sources against candidates: what must stand in each row?",
    ],
)

# ---- 11: one source

LAWS = {
    "uniform": lambda rng, n: rng.uniform(-1, 1, size=n) * np.sqrt(3),
    "Laplace": lambda rng, n: rng.laplace(size=n) / np.sqrt(2),
}
DIRECTIONS = np.array([np.cos(np.deg2rad(np.arange(180))), np.sin(np.deg2rad(np.arange(180)))])


def rotation(degrees):
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, s], [-s, c]])


def draw_mixture(rng, laws, n=2000):
    """Two independent sources, mixed such that no axis of PCA is a source."""
    S = np.column_stack([LAWS[law](rng, n) for law in laws])
    return (
        S @ rotation(rng.uniform(25, 65)) * [1, 2] @ rotation(rng.uniform(20, 70)) + 5 * rng.normal(size=2),
    )


def ica_axis(X, choose=lambda kurt: np.abs(kurt).argmax(), Z=whiten):
    """ica_axis with another measure or other data: `choose` takes the fourth moments less 3."""
    Y = Z(X) @ DIRECTIONS
    return Y[:, choose((Y**4).mean(axis=0) - 3)]


question(
    "lda.11",
    "One voice of two",
    core=True,
    then="Cost: trying angles one by one is slow when they have to be exact. FastICA needs a few steps.",
    stars=3,
    truth=ica_axis,
    forbids=NO_PCA,
    same=lambda a, b: comparing.same_sources(a, b, tol=0.02),
    cases=[
        Case(1, "two flat sources", lambda rng: draw_mixture(rng, ["uniform", "uniform"])),
        Case(1, "two spiky sources", lambda rng: draw_mixture(rng, ["Laplace", "Laplace"])),
        Case(1, "one source of each kind", lambda rng: draw_mixture(rng, ["uniform", "Laplace"])),
    ],
    mistakes={
        "whitening taken for ICA": (
            "White data can still be rotated. Which property, beyond no correlation, finds the rotation?",
            lambda X: whiten(X)[:, 0],
        ),
        "largest kurtosis": (
            "Flat sources have negative kurtosis: you looked for the most Gaussian direction.",
            dict(choose=np.argmax),
        ),
        "smallest kurtosis": (
            "Spiky sources have positive kurtosis: you looked for the most Gaussian direction.",
            dict(choose=np.argmin),
        ),
        "the most Gaussian direction": (
            "No mixture is farther from a Gaussian than the farthest source. Which end do you want?",
            dict(choose=lambda kurt: np.abs(kurt).argmin()),
        ),
        "a microphone": ("That is what one microphone heard: both sources.", lambda X: X[:, 0]),
    },
    hints=[
        "Whiten first. In two dimensions, a rotation is one angle: try them all.",
        "For every angle, how far is the fourth moment from that of a Gaussian?",
    ],
)


reading(
    "lda.12",
    "Two axes through two clouds",
    name="in_the_figure",
    then="Go on: move the classes apart along the clouds instead. Where do the two lines go?",
    text="Two classes in the plane, and two lines through their centre: one is the first principal "
    "axis, the other Fisher's axis. Which is Fisher's, and what is it good for?",
    choices={
        "The solid one: it runs along the clouds, where the data vary most.": (
            "Project both classes on it in your mind: do they lie apart?"
        ),
        "Neither: Fisher's axis joins the two means.": (
            "It does where the spread inside the classes is round. Is it?"
        ),
        "The dashed one: on it the two classes lie apart.": None,
        "Either: both lines pass through the mean of all rows.": (
            "Passing through the mean says nothing about a direction."
        ),
    },
    reasons={
        (
            "Both classes have the same number of rows, so that the gap between their means decides alone."
        ): "With other numbers the axis would be much the same.",
        "Fisher divides the gap of the means by the spread inside the classes, which is small there.": None,
        (
            "The dashed line is at right angles to the first principal axis, as Fisher's axis always is."
        ): "It is here. Is it for the penguins of section 3.3?",
        "Fisher looks for the direction in which all rows together have the largest variance.": (
            "That is what the other method looks for, without labels."
        ),
    },
    hints=["Drop all points on each line. On which do the two colours stay apart?"],
)


reading(
    "lda.13",
    "Canonical correlations of a pilot study",
    name="in_the_report",
    then="Go on: shuffle the rows of one view. Which first correlation does the report find now?",
    text='A report: "25 students, 30 questions before the course and 30 after it. CCA finds a '
    "first canonical correlation of 1.00. **What they answered before determines what they "
    'answer after.**" What is wrong?',
    choices={
        "With more questions than students CCA reaches 1.00 on any answers.": None,
        (
            "The answers should have been standardised before CCA was run at all."
        ): "CCA does not notice the scale of a column.",
        (
            "Nothing: 1.00 is the largest possible value, and it was reached by both."
        ): "What would CCA say of answers thrown by dice?",
        (
            "A correlation of 1.00 has to be a slip of rounding: real answers never agree so."
        ): "It may be exact. Count rows and columns.",
    },
    reasons={
        "30 columns span all centred vectors of 25 numbers: some pair of combinations has to agree.": None,
        (
            "The students' answers are not normally distributed, so that a correlation means little here."
        ): "Normal noise would give 1.00 as well.",
        (
            "Both tables come from the same students, so that their rows are not independent of each other."
        ): "That is what CCA asks for: two tables about the same samples.",
        (
            "A canonical correlation must be squared before it is read, like any share of a variance."
        ): "1.00 squared is 1.00.",
    },
    hints=["Replace both tables by random numbers of the same shapes."],
)


CRITERION = Notation(
    r"""
    d    | number       | how many features                |
    w    | column d     | an axis, of any length           |
    a, b | column d     | means of the first and second class |
    A, B | matrix d × d | their covariance matrices        |
    """,
    default=False,
)


def draw_criterion(rng):
    d = int(rng.integers(2, 5))
    R, S = rng.normal(size=(2, d, d))
    w, a, b = rng.normal(size=(3, d))
    return (dict(d=d, w=w, a=a, b=b, A=R @ R.T, B=S @ S.T + np.eye(d)),)


question(
    "lda.14",
    "The formula of Fisher's criterion",
    name="criterion",
    then="Go on: multiply w by a number. Why does the value stay?",
    formula=CRITERION,
    truth=r"\frac{(w^\top (a - b))^2}{w^\top (A + B) w}",
    cases=Case(1, draw=draw_criterion),
    mistakes={
        "half of the scatter": (
            "Below the line you average the two classes. Does Fisher's criterion average them?",
            r"\frac{2 (w^\top (a - b))^2}{w^\top (A + B) w}",
        ),
        "the gap in space": (
            "How far apart are the means in space, and how far along w?",
            r"\frac{\lVert a - b \rVert^2}{w^\top (A + B) w}",
        ),
        "not squared": (
            "Make w twice as long: the criterion should not move.",
            r"\frac{w^\top (a - b)}{w^\top (A + B) w}",
        ),
        "one class below the line": (
            "Whose variances stand below the line? There are two classes.",
            r"\frac{(w^\top (a - b))^2}{w^\top A w}",
        ),
        "upside down": (
            "Should a wide gap make it large or small?",
            r"\frac{w^\top (A + B) w}{(w^\top (a - b))^2}",
        ),
        "the scatter forgotten": (
            "Your number grows with the length of w. By what is the gap divided?",
            r"(w^\top (a - b))^2",
        ),
        "the length of w for the spread": (
            "You divide by the length of w. How wide are the projected classes?",
            r"\frac{(w^\top (a - b))^2}{w^\top w}",
        ),
    },
    hints=[
        "Project both means on w: how far apart are they?",
        "The variance of a class along w is a product of three factors.",
    ],
)
