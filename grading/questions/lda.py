"""Homework 3: gradients, LDA, CCA and ICA."""

import numpy as np
import scipy.linalg
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from grading.questions.declaring import Case, Task, question
from helpers import comparing
from helpers.comparing import close, numbers, same_labels, same_up_to_rotation, same_up_to_sign
from helpers.cross_decomposition import CCA
from helpers.decomposition import FastICA

NO_HOG = ("skimage.feature", "helpers.feature_extraction")
NO_PCA = ("sklearn.decomposition", "helpers.decomposition")
NO_LDA = ("sklearn.discriminant_analysis", "helpers.discriminant_analysis")
NO_CCA = ("sklearn.cross_decomposition", "helpers.cross_decomposition")


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
    stars=1,
    cases=Case(2),
    secret=True,
    truth=([4, 1], 1.25),
    same=same_axis_and_value,
    mistakes=[
        (
            "the line between the means",
            "You join the means, but the classes are stretched: the spread inside them turns the axis.",
            ([1, 1], 0.8),
        ),
        (
            "multiplied with the scatter",
            "Your axis follows the direction in which the classes are widest. Is that where they overlap "
            "least?",
            ([1, 4], 25 / 65),
        ),
        (
            "multiplied with the inverse root",
            "You divided by standard deviations. What does the formula divide by?",
            ([2, 1], 1.125),
        ),
        (
            "one class's covariance below the line",
            "The right axis. Whose variances stand below the line in Fisher's criterion?",
            ([4, 1], 2.5),
        ),
        (
            "the value without the square",
            "The right axis. What happens to the criterion's value when w is twice as long? Nothing should.",
            ([4, 1], 5 / 20),
        ),
    ],
    wrong=[([1, 0], 1), ([-4, 1], 1.25), ([4, 1, 0], 1.25), [4, 1], 1.25, ([4, 1], "large"), ([0, 0], 1.25)],
    also_right=[([-8, -2], 5 / 4), (np.array([1, 0.25]), 1.25), [(0.9701, 0.2425), np.float64(1.25)]],
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
    return rng.normal(size=(12, 10)).cumsum(axis=0), int(rng.choice([6, 8]))


def hog_cell(image, bins):
    down, along = np.gradient(image)
    angle = np.arctan2(down, along) % np.pi
    return np.histogram(angle, bins, (0, np.pi), weights=np.hypot(down, along))[0]


def _folded(down, along):
    return np.arctan2(down, along) % np.pi


def _cell(image, bins, angle=_folded, weights=np.hypot, end=np.pi):
    """hog_cell with one part exchanged."""
    down, along = np.gradient(image)
    return np.histogram(angle(down, along), bins, (0, end), weights=weights(down, along))[0]


def _cell_with(**parts):
    return lambda image, bins: _cell(image, bins, **parts)


def _cell_by_count(image, bins):
    down, along = np.gradient(image)
    place = (np.rad2deg(np.arctan2(down, along)) % 180 // (180 / bins)).astype(int)
    return np.bincount(place.ravel(), np.hypot(down, along).ravel(), bins)


question(
    "lda.2",
    "One cell of HOG",
    name="hog_cell",
    stars=2,
    truth=hog_cell,
    forbids=NO_HOG,
    cases=[Case(1, draw_ramp, "a ramp"), Case(2, draw_picture, "a picture")],
    mistakes=[
        (
            "the arguments of arctan2 swapped",
            "On a ramp that rises to the right the angle is 0. What do you get?",
            _cell_with(angle=lambda down, along: np.arctan2(along, down) % np.pi),
        ),
        (
            "angles not folded",
            "Your histogram sums to less than the magnitudes: which angles fell out?",
            _cell_with(angle=np.arctan2),
        ),
        (
            "pixels counted, not weighed",
            "A faint and a strong edge vote alike. Should they?",
            _cell_with(weights=lambda down, along: np.ones_like(down)),
        ),
        (
            "folded by the absolute value",
            "Up and to the right, down and to the right: are these opposite directions? You add them up.",
            _cell_with(angle=lambda down, along: np.abs(np.arctan2(down, along))),
        ),
        (
            "the whole circle",
            "Swap black and white: HOG should not notice, your histogram does.",
            _cell_with(angle=lambda down, along: np.arctan2(down, along) % (2 * np.pi), end=2 * np.pi),
        ),
        (
            "weighed by the squared length",
            "Twice the contrast: how much more should a pixel's vote weigh?",
            _cell_with(weights=lambda down, along: down**2 + along**2),
        ),
        (
            "arctan of the quotient, negative angles lost",
            "arctan answers between −90 and 90 degrees. Which of your bins stay empty?",
            _cell_with(angle=lambda down, along: np.arctan(down / along)),
        ),
    ],
    wrong=[
        lambda image, bins: hog_cell(image, bins + 1),
        lambda image, bins: hog_cell(image, bins)[::-1],
        lambda image, bins: hog_cell(image.T, bins),
        lambda image, bins: hog_cell(image[1:-1], bins),
        lambda image, bins: hog_cell(image, bins) / image.size,
    ],
    also_right=[
        _cell_by_count,
        lambda image, bins: hog_cell(1 - image, bins).tolist(),
        lambda image, bins: _cell(image + 7.0, bins),
    ],
    hints=[
        "np.gradient returns two arrays: how fast the picture rises downwards, and along the row.",
        "np.histogram has an argument for the range and one for the weights.",
    ],
)

# ---- 3: predict, then run

question(
    "lda.3",
    "What HOG notices",
    name="hog_changes",
    stars=1,
    cases=Case(2),
    secret=True,
    truth=[False, False, False, True, True, True],
    same=same_labels,
    mistakes=[
        (
            "everything changes it",
            "Then describing gradients would have been useless. Which part "
            "of a gradient survives more light?",
            [True] * 6,
        ),
        (
            "nothing changes it",
            "HOG keeps the cells in their places. Which of the six move a pixel to another place?",
            [False] * 6,
        ),
        (
            "the negative",
            "The negative turns each gradient round. Do HOG's angles tell front from back?",
            [False, False, True, True, True, True],
        ),
        (
            "contrast",
            "Every gradient becomes longer by the same factor. What is a block divided by?",
            [False, True, False, True, True, True],
        ),
        (
            "turned, but not noticed",
            "After a quarter turn every angle is another. SIFT undoes that; does HOG?",
            [False, False, False, False, True, True],
        ),
        (
            "mirrored, but not noticed",
            "In a mirror left becomes right. Do the cells move along?",
            [False, False, False, True, False, True],
        ),
        (
            "the root is taken for a contrast",
            "The root stretches dark parts more than light ones. Do all gradients of a block grow alike?",
            [False, False, False, True, True, False],
        ),
    ],
    wrong=[
        [True, True, True, False, False, False],
        [False, False, False, True, True],
        "no",
        False,
        [True, False, False, True, True, True],
        [False, False, False, False, False, True],
    ],
    also_right=[(False, False, False, True, True, True), np.array([0, 0, 0, 1, 1, 1]), [0, 0, 0, 1, 1, 1]],
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


def draw_one_feature(rng):
    return draw_cloud(rng, n=20, d=1)


def whiten(X):
    Xc = X - X.mean(axis=0)
    lam, P = np.linalg.eigh(Xc.T @ Xc / len(X))
    return Xc @ P / np.sqrt(lam)


def _cov(X):
    return np.atleast_2d(np.cov(X, rowvar=False, bias=True))


def _white(X, centre=lambda X: X.mean(axis=0), scale=np.sqrt, turn=lambda P: P, n=0):
    """whiten with one part exchanged."""
    Xc = X - centre(X)
    lam, P = np.linalg.eigh(Xc.T @ Xc / (len(X) - n))
    return Xc @ turn(P) / scale(lam)


def _white_with(**parts):
    return lambda X: _white(X, **parts)


def _symmetric(X):
    """Whitened without a turn: by the symmetric root."""
    lam, P = np.linalg.eigh(_cov(X))
    return (X - X.mean(axis=0)) @ (P / np.sqrt(lam) @ P.T)


def _by_cholesky(X):
    return scipy.linalg.solve_triangular(np.linalg.cholesky(_cov(X)), (X - X.mean(axis=0)).T, lower=True).T


question(
    "lda.4",
    "A broken whitening",
    name="whiten",
    stars=2,
    truth=whiten,
    forbids=NO_PCA,
    same=lambda a, b: same_up_to_rotation(a, b, tol=1e-6),
    cases=[
        Case(1, draw_cloud, "samples far from the origin"),
        Case(1, draw_unlike, "features in different units"),
        Case(1, draw_one_feature, "a single feature"),
    ],
    mistakes=[
        (
            "not centred",
            "White data have mean 0. What do you take away, and when?",
            _white_with(centre=lambda X: 0),
        ),
        (
            "one mean for all features",
            "Each feature has its own centre; you took one number off all of them.",
            _white_with(centre=lambda X: X.mean()),
        ),
        (
            "divided by the variance",
            "Dividing by s scales a variance by 1/s²: which s gives 1?",
            _white_with(scale=lambda lam: lam),
        ),
        (
            "root taken entry by entry",
            "Multiply your root by itself: do you get the matrix back?",
            lambda X: (X - X.mean(axis=0)) @ np.sqrt(np.linalg.inv(_cov(X))),
        ),
        (
            "root of absolute values",
            "Multiply your root by itself: do you get the matrix back?",
            lambda X: (X - X.mean(axis=0)) @ np.sqrt(np.abs(np.linalg.inv(_cov(X)))),
        ),
        (
            "standardised only",
            "Each variance is 1. Print the covariances beside them.",
            lambda X: (X - X.mean(axis=0)) / X.std(axis=0),
        ),
        (
            "rows of P for its columns",
            "Where does NumPy keep the i-th eigenvector? Is your covariance diagonal before you scale?",
            _white_with(turn=lambda P: P.T),
        ),
        (
            "turned, not scaled",
            "The covariance is diagonal. What should stand on the diagonal?",
            _white_with(scale=lambda lam: 1),
        ),
        (
            "the root multiplied",
            "Loud axes became louder. Which way does the root go?",
            _white_with(scale=lambda lam: 1 / np.sqrt(lam)),
        ),
        (
            "everything at once, as in the broken code",
            "Look at one thing after another: the mean of your result, then its covariances, then its "
            "variances.",
            _white_with(centre=lambda X: X.mean(), scale=lambda lam: lam, turn=lambda P: P.T),
        ),
        (
            "divided by n − 1",
            "The variances are nearly 1. Which divisor does the question ask for?",
            _white_with(n=1),
        ),
    ],
    wrong=[lambda X: X, lambda X: whiten(X)[:, :1] * 2, lambda X: whiten(X).T, lambda X: whiten(X) + 1],
    also_right=[
        _symmetric,
        _by_cholesky,
        lambda X: (-whiten(X)[:, ::-1]).tolist(),
        lambda X: np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0] * np.sqrt(len(X)),
    ],
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


def draw_nine_to_one(rng):
    return *draw_classes(rng, [90, 10], d=3), 1


def draw_three_classes(rng):
    return *draw_classes(rng, [50, 20, 10]), 2


def draw_too_many_axes(rng):
    return *draw_classes(rng, [40, 20, 20]), 4


def scatters(X, y):
    """Within and between the classes, weighted by their shares."""
    within = between = np.zeros((X.shape[1], X.shape[1]))
    for c in np.unique(y):
        part = X[y == c]
        p, gap = len(part) / len(X), part.mean(axis=0) - X.mean(axis=0)
        within = within + p * np.cov(part, rowvar=False, bias=True)
        between = between + p * np.outer(gap, gap)
    return within, between


def lda_axes(X, y, k):
    within, between = scatters(X, y)
    k = min(k, len(np.unique(y)) - 1)
    return scipy.linalg.eigh(between, within)[1][:, ::-1][:, :k]


def _balanced(X, y):
    """The scatters with one weight for all classes."""
    parts = [X[y == c] for c in np.unique(y)]
    means = np.array([p.mean(axis=0) for p in parts])
    return sum(_cov(p) for p in parts) / len(parts), _cov(means)


def _pairs(X, y):
    values, counts = np.unique(y, return_counts=True)
    means, p = np.array([X[y == c].mean(axis=0) for c in values]), counts / len(y)
    gaps = (means[:, None] - means).reshape(-1, X.shape[1])
    return (gaps.T * np.outer(p, p).ravel()) @ gaps


def _lda(
    X,
    y,
    k,
    within=lambda X, y: scatters(X, y)[0],
    between=lambda X, y: scatters(X, y)[1],
    solve=lambda B, W: scipy.linalg.eigh(B, W)[1],
    choose=lambda V, k: V[:, ::-1][:, :k],
):
    """lda_axes with one part exchanged."""
    return choose(solve(between(X, y), within(X, y)), min(k, len(np.unique(y)) - 1))


def _lda_with(**parts):
    return lambda X, y, k: _lda(X, y, k, **parts)


def _white_means(X, y, k):
    """Whitening, then PCA of the weighted means."""
    within, between = scatters(X, y)
    lam, P = np.linalg.eigh(within)
    white = P / np.sqrt(lam)
    return white @ np.linalg.svd(white.T @ between @ white)[0][:, : min(k, len(np.unique(y)) - 1)]


question(
    "lda.5",
    "Axes that separate classes",
    name="lda_axes",
    stars=2,
    truth=lda_axes,
    same=same_directions,
    forbids=NO_LDA,
    cases=[
        Case(1, draw_nine_to_one, "two classes, nine to one"),
        Case(2, draw_three_classes, "three classes of unequal size"),
        Case(1, draw_too_many_axes, "k larger than three classes allow"),
    ],
    mistakes=[
        (
            "the line between the means",
            "You join the means, but the classes are stretched: the spread inside them turns the axis.",
            _lda_with(within=lambda X, y: np.eye(X.shape[1])),
        ),
        (
            "eigh on a matrix that is not symmetric",
            "eigh reads one triangle and trusts you. Is this product symmetric?",
            _lda_with(solve=lambda B, W: np.linalg.eigh(np.linalg.inv(W) @ B)[1]),
        ),
        (
            "priors dropped within",
            "A class with nine times the samples should weigh more in the pooled spread.",
            _lda_with(within=lambda X, y: _balanced(X, y)[0]),
        ),
        (
            "priors dropped between",
            "Your class means count alike. Does a mean of ten samples say as much as a mean of fifty?",
            _lda_with(between=lambda X, y: _balanced(X, y)[1]),
        ),
        (
            "priors dropped altogether",
            "Take half of the samples of one class away at random: your scatters do not notice. Should they?",
            _lda_with(within=lambda X, y: _balanced(X, y)[0], between=lambda X, y: _balanced(X, y)[1]),
        ),
        (
            "more axes than the classes allow",
            "Three means span a plane: how many directions can tell them apart?",
            lambda X, y, k: scipy.linalg.eigh(*scatters(X, y)[::-1])[1][:, ::-1][:, :k],
        ),
        (
            "the smallest quotients are kept",
            "Along your axes the means coincide. In which order does eigh answer?",
            _lda_with(choose=lambda V, k: V[:, :k]),
        ),
        (
            "the largest quotient stands last",
            "The right axes. Which of them should stand first?",
            _lda_with(choose=lambda V, k: V[:, -k:]),
        ),
        (
            "axes in rows",
            "The right numbers. The question wants the axes in columns.",
            lambda X, y, k: lda_axes(X, y, k).T,
        ),
        (
            "rows of V for its columns",
            "Where does eigh keep the i-th eigenvector?",
            _lda_with(choose=lambda V, k: V[::-1][:k].T),
        ),
    ],
    wrong=[
        _lda_with(within=lambda X, y: _cov(X), between=lambda X, y: np.eye(X.shape[1])),
        lambda X, y, k: np.linalg.svd(X - X.mean(axis=0))[2][:k].T,
        lambda X, y, k: lda_axes(X, y, k)[:, :1],
        lambda X, y, k: np.eye(X.shape[1])[:, :k],
        lambda X, y, k: lda_axes(X, np.sort(y), k),
    ],
    also_right=[
        _white_means,
        _lda_with(within=lambda X, y: _cov(X)),
        _lda_with(between=_pairs),
        lambda X, y, k: (-3 * lda_axes(X, y, k)).tolist(),
        lambda X, y, k: (
            LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, : min(k, 2)]
            if len(np.unique(y)) > 2
            else _white_means(X, y, k)
        ),
    ],
    hints=[
        "scipy.linalg.eigh(A, B) solves A v = λ B v; the last column belongs to the largest λ.",
        "Weigh each class by its share, in both scatters.",
    ],
)

# ---- 6: where LDA fails


def _rings(n=200, gap=1.0, noise=0.1, seed=0):
    """Two rings round one centre."""
    rng = np.random.default_rng(seed)
    y, angle = np.arange(n) % 2, rng.uniform(0, 2 * np.pi, size=n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return circle * (1 + gap * y)[:, None] + noise * rng.normal(size=(n, 2)), y


def _blobs(shift, seed=0, loud=1.0, n=200):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) * [loud, 1] + np.outer(y, [0, shift]), y


def _crossed(seed=0):
    """Four blobs, the label the exclusive or of two signs."""
    rng = np.random.default_rng(seed)
    signs = np.tile([[0, 0], [1, 1], [0, 1], [1, 0]], (50, 1))
    return 5 * signs + rng.normal(size=(200, 2)), signs[:, 0] ^ signs[:, 1]


def judge_rings(got):
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
    stars=2,
    cases=Case(3),
    truth=_rings(),
    judge=judge_rings,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes=[
        ("two blobs apart", "The means differ, so LDA has what it needs. Where should they lie?", _blobs(5)),
        (
            "nothing tells the classes apart",
            "LDA fails, but so does everybody. What could neighbours see that means cannot?",
            _blobs(0),
        ),
        (
            "a loud column",
            "A loud and useless column misleads PCA, and neighbours; LDA divides it out.",
            _blobs(5, loud=200),
        ),
        (
            "rings that overlap",
            "The idea is good, but your classes lie in each other's places.",
            _rings(gap=0.15, noise=0.4),
        ),
    ],
    wrong=[
        _rings(n=50),
        (_rings()[0], np.zeros(200)),
        (_rings()[0], _rings()[1][1:]),
        "rings",
        _rings()[0],
        (_rings()[0] + 3 * _rings()[1][:, None], _rings()[1]),
        (_rings()[0], np.arange(200) % 9 == 0),
        (_rings()[0] ** 2, _rings()[1]),
    ],
    also_right=[
        _crossed(),
        _rings(n=400, seed=3),
        (_rings()[0].tolist(), np.where(_rings()[1], "f", "m")),
        (
            np.where(_rings()[1] == 0, 0, np.arange(200) % 4 - 2.0)[:, None]
            + 0.2 * np.random.default_rng(0).normal(size=(200, 1)),
            _rings()[1],
        ),
    ],
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
    name="translate",
    stars=3,
    truth=translate,
    cases=Case(3, draw_their_quotients),
    mistakes=[
        (
            "nothing to translate",
            "The axes are the same. Are the numbers? Try a single feature, by hand.",
            lambda mu: mu,
        ),
        (
            "only the pairs",
            "The pairs are accounted for. Their quotient still has the total scatter below the line.",
            lambda mu: mu / 2,
        ),
        (
            "only the total",
            "The total is accounted for. How often do the pairs count each difference?",
            lambda mu: mu / (1 - mu),
        ),
        (
            "the other way round",
            "Put your λ into their formula: does μ come out? You may have walked against the arrow.",
            lambda mu: 2 * mu / (1 + mu),
        ),
        (
            "doubled instead of halved",
            "Is their between-class scatter larger or smaller than (3.1)'s?",
            lambda mu: 2 * mu / (1 - 2 * mu),
        ),
        (
            "the total is larger, so add",
            "S_t = S_w + S_b. Solve that for the matrix that you need below the line.",
            lambda mu: mu / 2 / (1 + mu / 2),
        ),
    ],
    wrong=[
        lambda mu: 1 / (2 - mu),
        lambda mu: mu / (2 - mu) / 2,
        lambda mu: mu - 1,
        lambda mu: np.sqrt(mu),
        lambda mu: (mu / (2 - mu))[::-1],
    ],
    also_right=[
        lambda mu: 1 / (2 / mu - 1),
        lambda mu: [m / 2 / (1 - m / 2) for m in mu],
        lambda mu: 2 / (2 - mu) - 1,
    ],
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


def _cca_with(**parts):
    return lambda X, Y, r: _cca(X, Y, r, **parts)


def _roots_of_eigenvalues(X, Y, r):
    S, p = np.cov(X, Y, rowvar=False), X.shape[1]
    A, B = S[:p, :p] + r * np.eye(p), S[p:, p:] + r * np.eye(len(S) - p)
    M = np.linalg.solve(B, S[p:, :p]) @ np.linalg.solve(A, S[:p, p:])
    return np.sqrt(np.sort(np.linalg.eigvals(M).real)[::-1][: min(p, len(B))])


question(
    "lda.8",
    "What two views share",
    name="canonical_corr",
    stars=2,
    truth=canonical_corr,
    forbids=NO_CCA,
    same=lambda a, b: close(a, b, tol=1e-6),
    cases=[
        Case(2, draw_views, "views far from the origin, no ridge"),
        Case(1, draw_views_and_ridge, "a ridge"),
    ],
    mistakes=[
        (
            "squared correlations",
            "Those are squares of what you want.",
            lambda X, Y, r: canonical_corr(X, Y, r) ** 2,
        ),
        (
            "not centred",
            "Add 10 to one column: a correlation should not move.",
            _cca_with(S=lambda X, Y: _joint(X, Y, centre=False)),
        ),
        (
            "root taken entry by entry",
            "Multiply your root by itself: do you get the matrix back?",
            _cca_with(root=lambda S: np.sqrt(np.abs(np.linalg.inv(S)))),
        ),
        ("a ridge between the views too", "Only what is inverted needs a ridge.", _cca_with(between=1)),
        ("the ridge forgotten", "Without a ridge you are right. Where does it go?", _cca_with(ridge=0)),
        (
            "divided by n",
            "Without a ridge the divisor cancels. Here it does not: which one is asked for?",
            _cca_with(S=lambda X, Y: _joint(X, Y, n=0)),
        ),
        (
            "not whitened",
            "Multiply a column by 10: a correlation should not move.",
            _cca_with(root=lambda S: np.eye(len(S))),
        ),
        (
            "each feature scaled by itself",
            "You scaled the features one by one. What else hangs together inside a view?",
            _cca_with(root=lambda S: np.diag(np.diag(S) ** -0.5)),
        ),
        (
            "smallest first",
            "Which correlation should come first?",
            lambda X, Y, r: canonical_corr(X, Y, r)[::-1],
        ),
    ],
    wrong=[
        lambda X, Y, r: canonical_corr(X, Y, r)[0],
        lambda X, Y, r: canonical_corr(X, Y, r + 1),
        lambda X, Y, r: canonical_corr(X, X, r),
        lambda X, Y, r: np.corrcoef(X[:, 0], Y[:, 0])[0, 1],
        lambda X, Y, r: canonical_corr(X, Y[::-1], r),
        _cca_with(root=np.linalg.inv),
    ],
    also_right=[
        _cca,
        _roots_of_eigenvalues,
        lambda X, Y, r: CCA(n_components=3, ridge=r).fit(X, Y).correlations_,
        lambda X, Y, r: canonical_corr(Y, X, r).tolist(),
    ],
    hints=[
        "Steps 1 to 4 of section 3.11; np.cov(X, Y, rowvar=False) holds all covariances at once.",
        "The root of a symmetric matrix is taken of its eigenvalues.",
    ],
)

# ---- 9: choose a ridge

RIDGES = (1e-6, 0.1, 1.0, 3.0, 10.0, 30.0, 1e4)


def draw_few_pairs(rng, n=30, fresh=1000):
    """Two views of twenty features: seventeen share a latent, three are loud and private."""
    latent = rng.normal(size=(n + fresh, 1))
    views = []
    for _ in range(2):
        tied = latent * rng.choice([-1, 1], size=17) + 1.2 * rng.normal(size=(n + fresh, 17))
        views.append(np.hstack([tied, 8 * rng.normal(size=(n + fresh, 3))]))
    return Task(tuple(v[:n] for v in views), hidden=tuple(v[n:] for v in views))


def _first_correlation(X, Y, r, fresh):
    z1, z2 = CCA(n_components=1, ridge=r).fit(X, Y).transform(*fresh)
    return np.corrcoef(z1[:, 0], z2[:, 0])[0, 1]


def _held_out(X, Y, r, folds=6):
    """Mean correlation of the first pair on rows that were left out."""
    part = np.arange(len(X)) % folds
    scores = []
    for f in range(folds):
        model = CCA(n_components=1, ridge=r).fit(X[part != f], Y[part != f])
        z1, z2 = model.transform(X[part == f], Y[part == f])
        scores.append((z1 * z2).mean() / np.sqrt((z1**2).mean() * (z2**2).mean()))
    return np.mean(scores)


def choose_ridge(X, Y):
    return max(RIDGES, key=lambda r: _held_out(X, Y, r))


def judge_ridge(got, X, Y, fresh):
    r = numbers(got)
    if r is None or isinstance(got, bool) or r.shape != () or not 0 < r <= 1e9:
        return "Return one number above 0."
    reached = _first_correlation(X, Y, float(r), fresh)
    best = max(_first_correlation(X, Y, other, fresh) for other in RIDGES)
    if reached >= best - 0.12:
        return None
    return (
        f"With your ridge the first pair correlates by {reached:.2f} on new rows; {best:.2f} is within reach."
    )


question(
    "lda.9",
    "Thirty pairs, forty features",
    name="choose_ridge",
    stars=3,
    truth=choose_ridge,
    judge=judge_ridge,
    cases=Case(4, draw_few_pairs),
    mistakes=[
        (
            "next to no ridge",
            "Thirty pairs, forty features: the correlation is 1 whatever the data. What is it on new pairs?",
            lambda X, Y: RIDGES[0],
        ),
        (
            "a giant ridge",
            "So large a ridge leaves only the loudest features. What do the loud ones share?",
            lambda X, Y: RIDGES[-1],
        ),
        (
            "the largest correlation on the training rows",
            "You chose by the rows that were fitted. Which ridge always wins there?",
            lambda X, Y: min(np.logspace(-3, 3, 7), key=lambda r: 1 - canonical_corr(X, Y, r)[0]),
        ),
        (
            "no ridge at all",
            "Covariances of twenty features from thirty rows: can the other view imitate any direction?",
            lambda X, Y: 0.0,
        ),
    ],
    wrong=[
        lambda X, Y: -1,
        lambda X, Y: [1.0, 2.0],
        lambda X, Y: 1e6,
        lambda X, Y: 1e-9,
        lambda X, Y: "3",
        lambda X, Y: np.inf,
    ],
    also_right=[
        lambda X, Y: max(np.logspace(-2, 4, 7), key=lambda r: _held_out(X, Y, r, folds=10)),
        lambda X, Y: np.array(choose_ridge(X, Y)),
        lambda X, Y: max((0.5, 5.0, 15.0, 500.0), key=lambda r: _held_out(X, Y, r, folds=5)),
    ],
    hints=[
        "Fit CCA(n_components=1, ridge=r) on some rows, and correlate its projections of the others.",
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


def _verdicts(one):
    return lambda S, candidates: [bool(one(S, B)) for B in candidates]


def _cosines(S, B):
    return (S / np.linalg.norm(S, axis=0)).T @ (B / np.linalg.norm(B, axis=0))


def _least(R, axis=1):
    return np.abs(R).max(axis=axis).min() >= 0.99


question(
    "lda.10",
    "The same sources?",
    name="same_sources",
    stars=2,
    truth=same_sources,
    same=same_labels,
    forbids=("helpers.comparing",),
    cases=[Case(2, draw_disguised, "sources in disguise"), Case(1, draw_false_friends, "false friends")],
    mistakes=[
        (
            "compared entry by entry",
            "What can ICA never know? Make your test blind to it.",
            _verdicts(np.allclose),
        ),
        (
            "the sign counts",
            "You refuse a source for its sign. Could ICA know it?",
            _verdicts(lambda S, B: (_correlations(S, B).max(axis=1) >= 0.99).all()),
        ),
        (
            "the order counts",
            "You compare the first with the first. Which order does ICA return?",
            _verdicts(lambda S, B: (np.abs(np.diag(_correlations(S, B))) >= 0.99).all()),
        ),
        (
            "one source stands for two",
            "Every candidate has a partner. Has every source one?",
            _verdicts(lambda S, B: _least(_correlations(S, B), axis=0)),
        ),
        (
            "one right source is enough",
            "You found one of the sources. How many should be recovered?",
            _verdicts(lambda S, B: np.abs(_correlations(S, B)).max() >= 0.99),
        ),
        (
            "not centred",
            "Somebody added 40 to a signal. Is it another source now?",
            _verdicts(lambda S, B: _least(_cosines(S, B))),
        ),
        (
            "the mean of the correlations",
            "One mixed source hides behind a good one. Is the average asked for?",
            _verdicts(lambda S, B: np.abs(_correlations(S, B)).max(axis=1).mean() >= 0.99),
        ),
        (
            "too generous",
            "You accept sources that were mixed by a small rotation.",
            _verdicts(lambda S, B: (np.abs(_correlations(S, B)).max(axis=1) >= 0.9).all()),
        ),
    ],
    wrong=[
        _verdicts(lambda S, B: True),
        _verdicts(lambda S, B: False),
        _verdicts(lambda S, B: comparing.same_subspace(S, B)),
        _verdicts(lambda S, B: comparing.same_up_to_sign_and_order(S, B)),
        lambda S, candidates: sum(same_sources(S, candidates)),
        lambda S, candidates: same_sources(S, candidates)[:1],
    ],
    also_right=[
        _verdicts(lambda S, B: comparing.same_sources(S, B, tol=0.01)),
        lambda S, candidates: np.array(same_sources(S, candidates)),
        _verdicts(lambda S, B: _least(_cosines(S - S.mean(axis=0), B - B.mean(axis=0)))),
        lambda S, candidates: [int(v) for v in same_sources(S, candidates)],
    ],
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


def _turn(degrees):
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, s], [-s, c]])


def draw_mixture(rng, laws, n=2000):
    """Two independent sources, mixed such that no axis of PCA is a source."""
    S = np.column_stack([LAWS[law](rng, n) for law in laws])
    return (S @ _turn(rng.uniform(25, 65)) * [1, 2] @ _turn(rng.uniform(20, 70)) + 5 * rng.normal(size=2),)


def draw_flat(rng):
    return draw_mixture(rng, ["uniform", "uniform"])


def draw_spiky(rng):
    return draw_mixture(rng, ["Laplace", "Laplace"])


def draw_one_of_each(rng):
    return draw_mixture(rng, ["uniform", "Laplace"])


def ica_axis(X):
    Y = whiten(X) @ DIRECTIONS
    return Y[:, np.abs((Y**4).mean(axis=0) - 3).argmax()]


def _scanned(X, choose, Z=whiten):
    """ica_axis with another measure or other data: `choose` takes the fourth moments less 3."""
    Y = Z(X) @ DIRECTIONS
    return Y[:, choose((Y**4).mean(axis=0) - 3)]


def _scan_with(choose=lambda kurt: np.abs(kurt).argmax(), **parts):
    return lambda X: _scanned(X, choose, **parts)


def _by_newton(X):
    """FastICA's step for the kurtosis, from several starts."""
    Z, found = whiten(X), []
    for w in _turn(10), _turn(55):
        w = w[0]
        for _ in range(20):
            w = Z.T @ (Z @ w) ** 3 / len(Z) - 3 * w
            w = w / np.linalg.norm(w)
        found += [Z @ w, Z @ [-w[1], w[0]]]
    return max(found, key=lambda y: abs((y**4).mean() - 3))


def _by_fast_ica(X):
    Y = FastICA(2, random_state=0).fit_transform(X)
    return max(Y.T, key=lambda y: abs((y**4).mean() / (y**2).mean() ** 2 - 3))


question(
    "lda.11",
    "One voice of two",
    name="ica_axis",
    stars=3,
    truth=ica_axis,
    forbids=NO_PCA,
    same=lambda a, b: comparing.same_sources(a, b, tol=0.02),
    cases=[
        Case(1, draw_flat, "two flat sources"),
        Case(1, draw_spiky, "two spiky sources"),
        Case(1, draw_one_of_each, "one source of each kind"),
    ],
    mistakes=[
        (
            "whitening taken for ICA",
            "White data can still be rotated. Which property, beyond no correlation, finds the rotation?",
            lambda X: whiten(X)[:, 0],
        ),
        (
            "the other column of the whitened mixtures",
            "White data can still be rotated. Which property, beyond no correlation, finds the rotation?",
            lambda X: whiten(X)[:, 1],
        ),
        (
            "largest kurtosis",
            "Flat sources have negative kurtosis: you looked for the most Gaussian direction.",
            _scan_with(np.argmax),
        ),
        (
            "smallest kurtosis",
            "Spiky sources have positive kurtosis: you looked for the most Gaussian direction.",
            _scan_with(np.argmin),
        ),
        (
            "the most Gaussian direction",
            "A mixture is closer to a Gaussian than its sources. Which end do you want?",
            _scan_with(lambda kurt: np.abs(kurt).argmin()),
        ),
        ("a microphone", "That is what one microphone heard: both sources.", lambda X: X[:, 0]),
    ],
    wrong=[
        lambda X: X.sum(axis=1),
        lambda X: ica_axis(X) ** 2,
        lambda X: ica_axis(X)[:-1],
        lambda X: X[:, 1],
        lambda X: whiten(X).sum(axis=1),
        lambda X: np.abs(ica_axis(X)),
        lambda X: whiten(X),
        _scan_with(Z=lambda X: X - X.mean(axis=0)),
    ],
    also_right=[
        _by_newton,
        _by_fast_ica,
        lambda X: (7 - 2 * ica_axis(X)).tolist(),
        lambda X: _scanned(X, lambda kurt: np.abs(kurt).argmax(), Z=_symmetric),
    ],
    hints=[
        "Whiten first. In two dimensions, a rotation is one angle: try them all.",
        "For every angle, how far is the fourth moment from that of a Gaussian?",
    ],
)
