"""Homework 2: principal component analysis."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import KFold, LeaveOneGroupOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from grading.question import Case, Task, computed_once, question
from grading.reasons import Because, reading, reasoned
from helpers.comparing import close, numbers, same_labels, same_up_to_sign
from helpers.datasets import load_digits
from helpers.reading import Notation

OWN_WORK = ("sklearn.decomposition",)
NO_PEEPING = ("sklearn.datasets", "helpers.datasets")


def draw_cloud(rng, n=60, d=5, mean=30.0):
    """Samples in rows whose features differ in mean and deviation and hang together."""
    deviation = rng.uniform(0.5, 1, size=d) * 0.7 ** np.arange(d)
    return mean * rng.normal(size=d) + rng.normal(size=(n, d)) * deviation @ rng.normal(size=(d, d))


# No text asks for more digits than single precision has; axes lose some where eigenvalues are near.


def axes_same(a, b):
    return same_up_to_sign(a, b, tol=1e-4)


def close_enough(a, b):
    return close(a, b, tol=1e-5)


# ---- 1: by hand

R = 0.5**0.5


def same_axes_and_shares(a, b):
    """Two axes in the rows, up to sign, and two shares."""
    alike = same_up_to_sign(a[0], b[0], tol=1e-3, axis=0) and close(a[1], b[1], tol=1e-3)
    return len(a) == len(b) == 2 and alike


question(
    "pca.1",
    "Axes and shares by hand",
    name="axes_and_shares",
    core=True,
    then="Another way: for equal diagonal entries the axes are the diagonals, whatever stands "
    "beside them. Why?",
    cases=Case(2),
    secret=True,
    truth=([[R, R], [R, -R]], [3 / 4, 1 / 4]),
    same=same_axes_and_shares,
    mistakes={
        "the smallest comes first": (
            "Which of your two axes does the cloud stretch along? That one comes first.",
            ([[R, -R], [R, R]], [1 / 4, 3 / 4]),
        ),
        "axes that are not of length 1": (
            "The directions are right. How long is an axis?",
            ([[1, 1], [1, -1]], [3 / 4, 1 / 4]),
        ),
        "eigenvalues in place of shares": (
            "Those are variances. What do shares add up to?",
            ([[R, R], [R, -R]], [3, 1]),
        ),
        "roots of the eigenvalues": (
            "You compare lengths; shares of variance need variances.",
            ([[R, R], [R, -R]], [3**0.5 / (3**0.5 + 1), 1 / (3**0.5 + 1)]),
        ),
        "the features' own axes and variances": (
            "Those are the variances of the two features. The features hang together: where does the cloud "
            "point?",
            ([[1, 0], [0, 1]], [1 / 2, 1 / 2]),
        ),
    },
    hints=[
        "Solve |S − λI| = 0. Check: the eigenvalues add up to the trace.",
        "For each root, find the null space; then give it length 1.",
    ],
)

# ---- 2: repair principal_axes


def principal_axes(
    X, k, centre=lambda X: X.mean(axis=0), scatter=lambda Xc: Xc.T @ Xc, choose=lambda V, k: V[:, ::-1][:, :k]
):
    return choose(np.linalg.eigh(scatter(X - centre(X)))[1], k)


question(
    "pca.2",
    "A broken PCA",
    core=True,
    then="Another way: the SVD of the centred rows, without any covariance matrix, keeps small "
    "variances to twice as many digits.",
    stars=2,
    truth=principal_axes,
    same=axes_same,
    forbids=OWN_WORK,
    cases=[
        Case(1, "samples far from the origin", lambda rng: (draw_cloud(rng), 2)),
        Case(1, "fewer samples than features", lambda rng: (draw_cloud(rng, n=8, d=12), 3)),
        Case(1, "as many samples as features", lambda rng: (draw_cloud(rng, n=6, d=6), 2)),
        Case(1, "all the axes there are", lambda rng: (draw_cloud(rng, n=40, d=4), 4)),
    ],
    mistakes={
        "not centred": (
            "Far from the origin your first axis points at the mean. Variance around which point?",
            dict(centre=lambda X: 0),
        ),
        "one mean for all features": (
            "Each feature has its own centre; you took one number off all of them.",
            dict(centre=lambda X: X.mean()),
        ),
        "the smallest eigenvalues are kept": (
            "All columns are orthonormal, good; but the first explains least. In which order does eigh "
            "answer?",
            dict(choose=lambda V, k: V[:, :k]),
        ),
        "the k largest, the smallest of them first": (
            "The right axes. Which of them should stand first?",
            dict(choose=lambda V, k: V[:, -k:]),
        ),
        "rows sorted instead of columns": (
            "The order is right, but you shuffled entries inside the vectors. Where does NumPy keep the i-th "
            "eigenvector?",
            dict(choose=lambda V, k: V[::-1][:k].T),
        ),
        "V for its transpose": (
            "NumPy's third factor is already transposed. Do your axes have the variance you expect?",
            lambda X, k: np.linalg.svd(X - X.mean(axis=0))[2][:, :k],
        ),
        "features in rows": (
            "Whose inner products are these: the samples' or the features'? Print the matrix's shape.",
            dict(scatter=lambda Xc: Xc @ Xc.T),
        ),
        "axes in rows": (
            "The right numbers. The question wants the axes in columns.",
            lambda X, k: principal_axes(X, k).T,
        ),
        "standardised": (
            "You divide each feature by its standard deviation. Are the axes of such samples asked for?",
            lambda X, k: principal_axes(X / X.std(axis=0), k),
        ),
        "eig, which does not sort": (
            "The eigenvectors come in no order at all. What does eig promise about its eigenvalues?",
            lambda X, k: np.linalg.eig(np.cov(X, rowvar=False))[1][:, :k],
        ),
    },
    hints=[
        "Try it on three samples in the plane, on a line far from 0, where you know the answer.",
        "Four things are wrong: what is subtracted, which products are taken, which end of the order, rows "
        "or columns.",
    ],
)

# ---- 3: shares of variance


def explained_ratio(X):
    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    return s**2 / (s**2).sum()


def variance_shares(S):
    lam = np.linalg.eigvalsh(S)[::-1]
    return lam / lam.sum()


def _lengths(X):
    return np.linalg.svd(X - X.mean(axis=0), compute_uv=False)


question(
    "pca.3",
    "Shares of variance",
    then="Another way: the squared singular values of the centred rows, divided by their sum.",
    truth=explained_ratio,
    same=close_enough,
    forbids=OWN_WORK,
    cases=[
        Case(1, "more samples than features", lambda rng: (draw_cloud(rng, n=30, d=4),)),
        Case(1, "as many samples as features", lambda rng: (draw_cloud(rng, n=6, d=6),)),
    ],
    mistakes={
        "singular values as variances": (
            "A singular value is a length; shares of variance need variances.",
            lambda X: _lengths(X) / _lengths(X).sum(),
        ),
        "features in rows": (
            "How many shares do you return, and how many features are there? np.cov takes rows for features.",
            lambda X: variance_shares(np.cov(X)),
        ),
        "not centred": (
            "Your first share is nearly everything. Variance around which point?",
            lambda X: variance_shares(X.T @ X),
        ),
        "the smallest share comes first": (
            "Which axis should come first?",
            lambda X: explained_ratio(X)[::-1],
        ),
        "cumulated shares": (
            "Your last number is 1. Is that the last axis's own share?",
            lambda X: explained_ratio(X).cumsum(),
        ),
        "variances, not shares": (
            "These depend on the units. What do shares add up to?",
            lambda X: np.linalg.eigvalsh(np.cov(X, rowvar=False))[::-1],
        ),
        "of standardised features": (
            "You divide each feature by its standard deviation first. Does the question ask for that?",
            lambda X: variance_shares(np.corrcoef(X, rowvar=False)),
        ),
        "variances of the features": (
            "That is the variance along the features. Turn to PCA's axes first.",
            lambda X: np.sort(X.var(axis=0))[::-1] / X.var(axis=0).sum(),
        ),
    },
    hints=[
        "The variance along an axis is an eigenvalue of S.",
        "The total variance is the trace: divide by it.",
    ],
)

# ---- 4: new samples


def draw_new(rng, m=7):
    X = draw_cloud(rng, mean=5.0)
    return principal_axes(X, 2), X.mean(axis=0), X[:m] + rng.normal(size=(m, 5))


def draw_vector(rng):
    W, mean, X = draw_new(rng)
    return W, mean, X[0]


def project(W, mean, X_new):
    return (X_new - mean) @ W


question(
    "pca.4",
    "New samples",
    core=True,
    then="Go on: what is the score of the mean itself, and of a sample twice as far from it?",
    truth=project,
    same=close_enough,
    forbids=OWN_WORK,
    cases=[
        Case(1, "seven new samples", draw_new),
        Case(0.5, "a table with a single row", lambda rng: draw_new(rng, m=1)),
        Case(0.5, "one sample of shape (d,)", draw_vector),
    ],
    mistakes={
        "new data centred by their own mean": (
            "Project a single new sample: why is it always 0? The fit stored something for this.",
            lambda W, mean, X_new: (X_new - X_new.mean(axis=0)) @ W,
        ),
        "raw rows projected": (
            "A new sample that equals the mean should land on 0. Where does yours land?",
            lambda W, mean, X_new: X_new @ W,
        ),
        "the mean added": (
            "Towards the origin or away from it: which way does the mean go before you project?",
            lambda W, mean, X_new: (X_new + mean) @ W,
        ),
        "one column for each sample": (
            "Right numbers, but code keeps samples in rows. What shape does the question ask for?",
            lambda W, mean, X_new: W.T @ (X_new - mean).T,
        ),
        "reconstructed": (
            "That is a point among the features again. How many numbers has a score?",
            lambda W, mean, X_new: mean + (X_new - mean) @ W @ W.T,
        ),
        "the mean subtracted from the scores": (
            "The mean has d entries, a score k. In which order do you subtract and project?",
            lambda W, mean, X_new: X_new @ W - mean[: W.shape[1]],
        ),
    },
    hints=[
        "The model is the mean and W, nothing else.",
        "NumPy's broadcasting treats a row and a table alike.",
    ],
)

# ---- 5: there and back


def draw_wide_all(rng):
    """n - 1 axes rebuild n samples exactly."""
    return draw_cloud(rng, n=5, d=8), 4


def reconstruct(X, k):
    mean = X.mean(axis=0)
    W = np.linalg.svd(X - mean)[2][:k].T
    return mean + (X - mean) @ W @ W.T


def centred(X):
    return X - X.mean(axis=0)


def projector(X, k):
    return principal_axes(X, k) @ principal_axes(X, k).T


question(
    "pca.5",
    "There and back",
    then="Cost: k numbers for each sample, and k + 1 vectors once. From how many samples on is that "
    "less than the table?",
    stars=2,
    truth=reconstruct,
    forbids=OWN_WORK,
    same=close_enough,
    cases=[
        Case(1, "three axes of six", lambda rng: (draw_cloud(rng, n=20, d=6), 3)),
        Case(1, "no axis at all (k = 0)", lambda rng: (draw_cloud(rng, n=20, d=6), 0)),
        Case(1, "n − 1 axes of n samples", draw_wide_all),
    ],
    mistakes={
        "the mean forgotten at the end": (
            "Your picture sits at the origin. What did you take away before projecting?",
            lambda X, k: centred(X) @ projector(X, k),
        ),
        "raw rows projected, no mean added": (
            "Neither on the way there nor on the way back does your code know the mean.",
            lambda X, k: X @ projector(X, k),
        ),
        "raw rows projected, the mean added": (
            "The mean is in your result twice: once it was never taken away.",
            lambda X, k: X @ projector(X, k) + X.mean(axis=0),
        ),
        "the smallest eigenvalues are kept": (
            "Any other k axes would come closer to the samples. Which did you keep?",
            lambda X, k: X.mean(axis=0) + X - reconstruct(X, X.shape[1] - k),
        ),
        "one mean for all features": (
            "With k = 0 every feature falls back to its own mean. Does it in yours?",
            lambda X, k: X.mean() + (X - X.mean()) @ projector(X, k),
        ),
        "[:, -k:] with k = 0": (
            "k = 0 keeps no axis, yours are all there. What is -0 as the start of a slice?",
            lambda X, k: reconstruct(X, k or X.shape[1]),
        ),
        "scores, not samples": (
            "These are scores. The way back has d columns again.",
            lambda X, k: centred(X) @ principal_axes(X, k),
        ),
    },
    hints=[
        "There: subtract the mean, multiply with W. Back: the same steps undone, the last one first.",
        "What is left of each sample when k = 0?",
    ],
)

# ---- 6: the Gram trick


def draw_pictures(rng, n=20, d=3000):
    return draw_planted(rng, n, d), 3


def draw_planted(rng, n, d):
    """n pictures of d pixels around a mean far from 0, whose axes have clearly different variances."""
    return 10 + rng.normal(size=d) + rng.normal(size=(n, n)) * 0.8 ** np.arange(n) @ rng.normal(size=(n, d))


def gram_axes(X, k):
    Xc = X - X.mean(axis=0)
    V = np.linalg.eigh(Xc @ Xc.T)[1][:, ::-1][:, :k]
    U = Xc.T @ V
    return U / np.linalg.norm(U, axis=0)


def gram(X, k, scale, centre=True):
    """Eigenvectors of B = XᵀX/n, mapped to the features and multiplied by scale(n λ)."""
    Xc = X - X.mean(axis=0) if centre else X
    lam, V = np.linalg.eigh(Xc @ Xc.T / len(X))
    return Xc.T @ V[:, ::-1][:, :k] * scale(len(X) * lam[::-1][:k])


question(
    "pca.6",
    "More pixels than pictures",
    then="Cost: the small matrix takes n²d products and its eigenvectors about n³ steps, the large "
    "one nd² and d³.",
    stars=2,
    truth=gram_axes,
    same=axes_same,
    forbids=OWN_WORK,
    cases=[
        Case(2, "20 pictures of 3000 pixels", draw_pictures),
        Case(1, "n − 1 axes of n pictures", lambda rng: (draw_planted(rng, 8, 3000), 7)),
    ],
    seconds=2.0,
    mistakes={
        "axes badly scaled (divided by the square)": (
            "An axis has length 1. Compute the length of Xc.T @ v first; it tells you the power.",
            lambda X, k: gram(X, k, lambda m: 1 / m**2),
        ),
        "axes not scaled": (
            "Compute the length of your first axis. What should it be?",
            lambda X, k: gram(X, k, np.ones_like),
        ),
        "divided by the squared length": (
            "An axis has length 1; yours is as short as Xc.T @ v is long.",
            lambda X, k: gram(X, k, lambda m: 1 / m),
        ),
        "n counted once too often": (
            "All your axes are short by the same factor. Did you divide by n in two places?",
            lambda X, k: gram(X, k, lambda m: 1 / np.sqrt(len(X) * m)),
        ),
        "n forgotten under the root": (
            "All your axes are long by the same factor. What does B have that Xc Xcᵀ has not?",
            lambda X, k: gram(X, k, lambda m: np.sqrt(len(X) / m)),
        ),
        "not centred": (
            "Far from the origin your first axis points at the mean picture. Variance around which point?",
            lambda X, k: gram(X, k, lambda m: 1 / np.sqrt(m), centre=False),
        ),
        "the k largest, the smallest of them first": (
            "The right axes. Which of them should stand first?",
            lambda X, k: gram_axes(X, k)[:, ::-1],
        ),
        "eigenvectors of the small matrix returned": (
            "These have one entry for each picture. An axis has one for each pixel.",
            lambda X, k: np.linalg.eigh(centred(X) @ centred(X).T)[1][:, ::-1][:, :k],
        ),
    },
    hints=[
        "Start from the n × n matrix Xc @ Xc.T: which of its eigenvectors do you need?",
        "Multiply them by Xc.T, then look at the columns' lengths.",
    ],
)

# ---- 7: how many axes


def draw_between(rng):
    lam = np.sort(rng.exponential(size=8))[::-1]
    shares = lam.cumsum() / lam.sum()
    i = rng.integers(1, 6)
    return lam, (shares[i] + shares[i + 1]) / 2


def draw_exact(rng):
    """Sums that floating point does exactly, in any order; the share is reached and not passed."""
    lam = np.array([8.0, 4, 2, 1, 1])
    k = rng.integers(1, 5)
    return rng.permutation(lam), lam[:k].sum() / 16


def draw_ascending(rng):
    lam, t = draw_between(rng)
    return lam[::-1].copy(), t


def n_components(lam, t):
    shares = np.sort(lam)[::-1].cumsum() / lam.sum()
    return 1 + (shares < t).sum()


question(
    "pca.7",
    "How many axes explain a share?",
    then="Another way: np.searchsorted on the running share. On which side does it put a share that "
    "is met exactly?",
    truth=n_components,
    forbids=OWN_WORK,
    cases=[
        Case(1, "a share between two sums", draw_between),
        Case(0.5, "a share that is reached exactly", draw_exact),
        Case(0.5, "eigenvalues in the order of eigh", draw_ascending),
    ],
    mistakes={
        "index for count": (
            "argmax counts from 0; the question asks how many.",
            lambda lam, t: np.argmax(np.sort(lam)[::-1].cumsum() / lam.sum() >= t),
        ),
        "the share must be passed": (
            "Is a share that is reached exactly enough? Read the question once more.",
            lambda lam, t: 1 + (np.sort(lam)[::-1].cumsum() / lam.sum() <= t).sum(),
        ),
        "not sorted": (
            "In which order do the eigenvalues come? You add them as they stand, perhaps the smallest first.",
            lambda lam, t: 1 + (lam.cumsum() / lam.sum() < t).sum(),
        ),
        "not divided by the total": (
            "Your sums depend on the units. What is a share a share of?",
            lambda lam, t: 1 + (np.sort(lam)[::-1].cumsum() < t).sum(),
        ),
        "singular values": (
            "Are these eigenvalues already variances, or do you square or root them?",
            lambda lam, t: n_components(np.sqrt(lam), t),
        ),
    },
    hints=[
        "np.cumsum adds up from the front: what should stand there?",
        "Try lam = [1, 1], t = 0.5 by hand.",
    ],
)

# ---- 8: as good as PCA, and not PCA


def draw_covariance(rng, d=6, k=2):
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return Q * (rng.uniform(0.8, 1.2, size=d) * 2.0 ** np.arange(d)) @ Q.T, k


def best_axes(S, k):
    return np.linalg.eigh(S)[1][:, ::-1][:, :k]


def other_frame(S, k):
    W = np.linalg.eigh(S)[1][:, -k:]
    return np.linalg.qr((W @ W.T)[:, :k])[0]  # the projector knows the plane, not the axes in it


def check_frame(got, S, k):
    """Orthonormal, with PCA's objective, and no column an eigenvector."""
    W = numbers(got)
    if W is None or W.shape != (len(S), k):
        return f"Return {k} orthonormal columns of {len(S)} numbers."
    if not np.allclose(W.T @ W, np.eye(k), atol=1e-6):
        return "Look at W.T @ W: are your columns orthonormal?"
    best = np.linalg.eigvalsh(S)[-k:].sum()
    share = np.trace(W.T @ S @ W) / best
    if share < 1 - 1e-6:
        return f"Your frame explains {100 * share:.2f} % of what PCA's explains. It should lose nothing."
    residual = np.linalg.norm(S @ W - W * np.einsum("ij,ij->j", W, S @ W), axis=0)
    return None if residual.min() > 1e-3 * best else "One of your columns is still an eigenvector of S."


def turned(S, k, angle=0.5, first=0, second=1):
    W = np.linalg.eigh(S)[1][:, ::-1].copy()
    a, b = W[:, first].copy(), W[:, second].copy()
    W[:, first], W[:, second] = np.cos(angle) * a + np.sin(angle) * b, np.cos(angle) * b - np.sin(angle) * a
    return W[:, :k]


def random_turn(S, k):
    return best_axes(S, k) @ np.linalg.qr(np.random.default_rng(1).normal(size=(k, k)))[0]


question(
    "pca.8",
    "As good as PCA, and not PCA",
    then="Go on: which further demand on W leaves PCA's axes as the only solution, up to signs?",
    stars=2,
    truth=other_frame,
    checker=check_frame,
    forbids=OWN_WORK,
    cases=[
        Case(1, "a plane", draw_covariance),
        Case(1, "three dimensions", lambda rng: draw_covariance(rng, d=7, k=3)),
    ],
    mistakes={
        "PCA's own axes": (
            "That is PCA itself. Which change of its axes does the objective not notice?",
            best_axes,
        ),
        "other signs": (
            "With the sign turned, an eigenvector is one still. What else may happen inside the plane?",
            lambda S, k: -best_axes(S, k),
        ),
        "another order": (
            "The same axes in another order: each is an eigenvector still.",
            lambda S, k: best_axes(S, k)[:, ::-1],
        ),
        "turned out of the plane": (
            "You turned towards an axis that was dropped. Stay inside the span of the first k.",
            lambda S, k: turned(S, k, 0.5, k - 1, k),
        ),
        "sums that are not of length 1": (
            "Two axes of length 1 at right angles: how long is their sum?",
            lambda S, k: best_axes(S, k) @ (np.eye(k) + 1),
        ),
        "the smallest axes turned": (
            "These explain least. At which end does eigh keep the largest?",
            lambda S, k: random_turn(-S, k),
        ),
    },
    hints=[
        "tr(WᵀSW) does not change when W is multiplied from the right by an orthogonal matrix. Why?",
        "Any orthonormal basis of the same subspace will do: how do you get one that is turned?",
    ],
)

# ---- 9: refute "small variance is noise"


def loud_and_quiet(n=200, loud=10.0, gap=1.0, noise=0.1, seed=0):
    """One loud column, and one whose mean depends on the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return np.column_stack([loud * rng.normal(size=n), gap * y + noise * rng.normal(size=n)]), y


def _loud_classes():
    X, y = loud_and_quiet()
    return X + np.column_stack([60 * y, 0 * y]), y


def check_quiet(got):
    """The first component tells nothing about y; the second tells nearly all with a tenth of the variance."""
    X, y = numbers(got[0]), np.asarray(got[1])
    if X is None or X.ndim != 2 or X.shape[1] < 2 or y.shape != X.shape[:1] or not 100 <= len(X) <= 5000:
        return "Return X with 100 to 5000 rows and at least two columns, and y with a label for each row."
    counts = np.unique(y, return_counts=True)[1]
    if len(counts) != 2 or counts.min() < 0.4 * len(y):
        return "Two classes, please, neither with less than 40 % of the rows."
    U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    share = s[1] ** 2 / (s**2).sum()
    if not 0 < share <= 0.1:
        return f"Your second component explains {100 * share:.0f} % of the variance; make that at most 10 %."
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    loud, quiet = (cross_val_score(KNeighborsClassifier(5), U[:, [j]], y, cv=folds).mean() for j in (0, 1))
    if loud <= 0.6 and quiet >= 0.95:
        return None
    return (
        f"Five neighbours are right in {100 * loud:.0f} % on the first component and in "
        f"{100 * quiet:.0f} % on the second. Make that at most 60 and at least 95."
    )


question(
    "pca.9",
    "Refute: small variance is noise",
    name="quiet_data",
    core=True,
    then="Go on: which method of chapter 3 finds your quiet axis at once, and what does it ask for?",
    stars=2,
    cases=Case(3),
    truth=loud_and_quiet(),
    checker=check_quiet,
    same=lambda a, b: close(a[0], b[0]) and same_labels(a[1], b[1]),
    mistakes={
        "the classes differ along the loud axis": (
            "A friend of the claim: your loud axis tells the classes apart. Which one should?",
            _loud_classes(),
        ),
        "nothing tells the classes apart": (
            "The quiet axis must decide: let its mean depend on the class.",
            loud_and_quiet(gap=0),
        ),
        "the decisive axis is the loudest": (
            "PCA sorts by variance: the column that decides is too loud to come second.",
            loud_and_quiet(loud=0.01),
        ),
    },
    hints=[
        "You need two columns. Which of them may depend on y?",
        "Variance has units: a useless column can be made as loud as you like.",
    ],
)

# ---- 10: choose with evidence, report honestly

COUNTS = (5, 8, 12, 16, 20, 28)


def draw_noisy_digits(rng, noise):
    """The digits of five forms, in no order, and who wrote them; the checker has the other forms."""
    X, y, form = load_digits(writers=True)
    X = X + noise * rng.normal(size=X.shape)
    chosen = np.isin(form, rng.permutation(14)[:5])
    seen, fresh = rng.permutation(np.flatnonzero(chosen)), np.flatnonzero(~chosen)
    return Task(
        (X[seen], y[seen], np.unique(form[seen], return_inverse=True)[1]), hidden=(X[fresh], y[fresh])
    )


def scrambled(rng, *tables):
    """The same pictures in another order of pixels, some of them as negatives: for a PCA nothing changes.

    Distances, variances and the range 0 to 16 stay; whoever carries the digits along does not find them.
    """
    order, negative = rng.permutation(64), rng.random(64) < 0.5
    return [np.where(negative, 16.0 - X, X)[:, order] for X in tables]


def _other_pixels(task, rng):
    (X, y, form), (fresh, labels) = task.args, task.hidden
    X, fresh = scrambled(rng, X, fresh)
    return Task((X, y, form), hidden=(fresh, labels))


def digits_model(k):
    """Exact singular vectors: scikit-learn's default solver is a random one for some shapes."""
    return make_pipeline(PCA(k, svd_solver="full"), KNeighborsClassifier(3))


@computed_once
def honest_accuracy(k, X, y, form):
    return cross_val_score(digits_model(k), X, y, groups=form, cv=LeaveOneGroupOut()).mean()


@computed_once
def _on_new_digits(k, X, y, fresh):
    return digits_model(k).fit(X, y).score(*fresh)


def choose_axes(X, y, form):
    scores = [honest_accuracy(k, X, y, form) for k in COUNTS]
    return (COUNTS[np.argmax(scores)], max(scores)), 2


def check_choice(got, X, y, form, fresh):
    pair = numbers(got)
    if pair is None or pair.shape != (2,) or pair[0] != round(pair[0]) or not 1 <= pair[0] <= 64:
        return "Return a number of axes from 1 to 64, and an accuracy."
    k, promise = int(pair[0]), pair[1]
    if not 0 <= promise <= 1:
        return "An accuracy lies between 0 and 1."
    real = _on_new_digits(k, X, y, fresh)
    best = max(_on_new_digits(other, X, y, fresh) for other in COUNTS)
    if real < best - 0.05:
        return f"On new digits, your number of axes is {100 * (best - real):.0f} % behind what others reach."
    honest = honest_accuracy(k, X, y, form)
    if promise > honest + 0.04:
        return (
            f"You promise {100 * promise:.0f} %; with each form left out once it is {100 * honest:.0f} %. "
            "Have the neighbours met the hands that they are tested on?"
        )
    if promise < honest - 0.12:
        return f"You promise {100 * promise:.0f} % only; with each form left out once it is more."
    return None


def _share_rule(X, y, form):
    k = n_components(np.linalg.eigvalsh(np.cov(X, rowvar=False)), 0.95)
    return k, honest_accuracy(k, X, y, form)


def _on_the_training_rows(X, y, form):
    return 16, digits_model(16).fit(X, y).score(X, y)


def _forms_mixed(X, y, form):
    scores = [cross_val_score(digits_model(k), X, y, cv=5).mean() for k in COUNTS]
    return COUNTS[np.argmax(scores)], max(scores)


reasoned(
    "pca.10",
    "How many axes, and how good?",
    core=True,
    then="Cost: your promise came from the rows that chose the number of axes. How much can that "
    "flatter, with six candidates?",
    stars=2,
    truth=choose_axes,
    checker=check_choice,
    same=close,
    forbids=NO_PEEPING,
    disguise=_other_pixels,
    seconds=60.0,
    cases=[
        Case(1, "faint noise", lambda rng: draw_noisy_digits(rng, noise=3.0)),
        Case(2, "heavy noise", lambda rng: draw_noisy_digits(rng, noise=7.0)),
    ],
    because=Because(
        "**Why** do the neighbours read worse with all 64 axes than with a few, where the noise is heavy?",
        {
            "Sixty-four axes are more than so few pictures can determine: the PCA overfits.": (
                "Take pictures without noise, and no more of them. Do all axes read worse there as well?"
            ),
            "The last axes hold hardly anything but noise, and in a distance it counts like ink.": None,
            "The last axes are correlated with the first, so that the same ink counts twice.": (
                "Compute the correlations between the columns of the scores. What do you find?"
            ),
            "All axes together turn the pictures, and pictures that are turned have other neighbours.": (
                "Measure how far two pictures are apart, in pixels and then on all 64 axes."
            ),
        },
    ),
    mistakes={
        "the accuracy on the training rows": (
            "Each row voted on itself. How would you measure on rows that the model has not met?",
            _on_the_training_rows,
        ),
        "folds that mix the forms": (
            "Your test digits are written by hands that the neighbours know. Which rows belong together?",
            _forms_mixed,
        ),
        "95 % of the variance": (
            "You kept 95 % of the variance, and with it the noise. What are the axes for?",
            _share_rule,
        ),
        "two axes, as for a plot": (
            "Two axes are for looking. Did you try others?",
            lambda X, y, form: (2, honest_accuracy(2, X, y, form)),
        ),
        "all features": (
            "That is all of them: nothing is reduced, and the noise is all there. Did you try fewer?",
            lambda X, y, form: (64, honest_accuracy(64, X, y, form)),
        ),
        "in the other order": (
            "First the number of axes, then the accuracy.",
            lambda X, y, form: choose_axes(X, y, form)[0][::-1],
        ),
    },
    hints=[
        "Put the PCA into a pipeline with the neighbours and cross-validate that, for several numbers of "
        "axes.",
        "New digits come from new hands. Which splitter of scikit-learn keeps a form's digits together?",
    ],
)

# ---- 11: clean what you never saw clean


def draw_dirty(rng, noise):
    """900 digits with noise; the clean ones are for the checker. Nothing is held out."""
    clean = load_digits()[0]
    clean = clean[rng.permutation(len(clean))[:900]]
    return Task((clean + noise * rng.normal(size=clean.shape),), hidden=(clean, 0.63 if noise < 5 else 0.27))


def _other_pictures(task, rng):
    dirty, clean = scrambled(rng, task.args[0], task.hidden[0])
    return Task((dirty,), hidden=(clean, task.hidden[1]))


def denoise(dirty):
    mean = dirty.mean(axis=0)
    lam, V = np.linalg.eigh(np.cov(dirty, rowvar=False))
    W = V[:, lam > 2 * np.median(lam)]  # an axis pays when its signal is above its noise
    return mean + (dirty - mean) @ W @ W.T


def check_cleaned(got, dirty, hidden):
    clean, limit = hidden
    got = numbers(got)
    if got is None or got.shape != dirty.shape:
        return f"Return a table of the same shape, {dirty.shape}."
    left = ((got - clean) ** 2).mean() / ((dirty - clean) ** 2).mean()
    if left <= limit:
        return None
    return f"{100 * left:.0f} % of the squared error is left; {100 * limit:.0f} % is within reach."


def rebuilt_from(k):
    return lambda dirty: reconstruct(dirty, k)


def _digits_without_mean(dirty):
    return centred(dirty) @ projector(dirty, 9)


question(
    "pca.11",
    "Clean what you never saw clean",
    then="Go on: how many axes would your rule keep of data without any noise?",
    stars=3,
    truth=denoise,
    checker=check_cleaned,
    forbids=NO_PEEPING,
    disguise=_other_pictures,
    cases=[
        Case(2, "faint noise", lambda rng: draw_dirty(rng, noise=3.0)),
        Case(2, "heavy noise", lambda rng: draw_dirty(rng, noise=8.0)),
    ],
    mistakes={
        "all axes kept": (
            "All axes together are the dirty pictures again. Which ones carry mostly noise?",
            rebuilt_from(64),
        ),
        "two axes kept": ("With two axes all digits look alike: you lose more than noise.", rebuilt_from(2)),
        "few axes whatever the noise": (
            "Good for heavy noise. When it is faint, you throw away more picture than noise.",
            rebuilt_from(6),
        ),
        "many axes whatever the noise": (
            "Good for faint noise. When it is heavy, most of your axes carry little else.",
            rebuilt_from(20),
        ),
        "a share of the variance": (
            "95 % of the variance of dirty pictures: how much of it is dirt?",
            lambda dirty: reconstruct(dirty, n_components(np.linalg.eigvalsh(np.cov(dirty.T)), 0.95)),
        ),
        "the mean forgotten": (
            "Your digits sit at the origin. What did you take away before projecting?",
            _digits_without_mean,
        ),
    },
    hints=[
        "Look at the eigenvalues of the dirty pictures: the last ones hold nothing but noise. How much, for "
        "each axis?",
        "Noise adds the same variance along every axis. What does keeping an axis cost, and what does "
        "dropping it cost?",
    ],
)

# ---- 12: three leaks

STEPS = {"scaler": StandardScaler(), "pca": PCA(5, svd_solver="full"), "select": SelectKBest(k=5)}


def draw_noise_tables(rng):
    """Two tables of pure noise, with labels thrown by a coin."""
    return rng.normal(size=(2, 40, 100)), rng.permuted(np.tile([0, 1], (2, 20)), axis=1)


THIRDS = KFold(3)


def _outside(step, X, y, cv=THIRDS):
    return accuracy_inside("passthrough", step.fit_transform(X, y), y, cv)


@computed_once
def accuracy_inside(step, X, y, cv=THIRDS):
    return cross_val_score(make_pipeline(step, KNeighborsClassifier(3)), X, y, cv=cv).mean()


def leak_gaps(tables, labels):
    gaps = {
        name: np.mean([_outside(step, X, y) - accuracy_inside(step, X, y) for X, y in zip(tables, labels)])
        for name, step in STEPS.items()
    }
    return sorted(gaps.items(), key=lambda pair: -pair[1])


@computed_once
def _wanted(tables, labels):
    return dict(leak_gaps(tables, labels))


def same_gaps(a, b):
    return [name for name, _ in a] == [name for name, _ in b] and bool(
        np.allclose([gap for _, gap in a], [gap for _, gap in b], rtol=0, atol=1e-6)
    )


def check_gaps(got, tables, labels):
    got, want = [(str(name), float(gap)) for name, gap in got], _wanted(tables, labels)
    if sorted(name for name, _ in got) != sorted(want):
        return f"Return a pair (name, gap) for each of {', '.join(want)}."
    for name, gap in got:
        if abs(gap - want[name]) > 1e-6:
            return f"The gap of {name} is {gap:.3f} in your answer; measured as asked it is another."
    gaps = [gap for _, gap in got]
    return None if gaps == sorted(gaps, reverse=True) else "The right gaps. Sort them, the largest first."


def _gaps(tables, labels, outside=_outside, inside=accuracy_inside, order=-1, total=np.mean, steps=STEPS):
    """leak_gaps with one part exchanged."""
    gaps = {
        name: total([outside(step, X, y) - inside(step, X, y) for X, y in zip(tables, labels)])
        for name, step in steps.items()
    }
    return sorted(gaps.items(), key=lambda pair: order * pair[1])


def _with_folds(accuracy, cv):
    return lambda *args: accuracy(*args, cv)


def _training_score(step, X, y):
    return make_pipeline(step, KNeighborsClassifier(3)).fit(X, y).score(X, y)


question(
    "pca.12",
    "Three leaks",
    core=True,
    then="Go on: with 400 rows in place of 40, which gap shrinks, and why?",
    stars=2,
    truth=leak_gaps,
    parts=_gaps,
    checker=check_gaps,
    same=same_gaps,
    seconds=60.0,
    cases=Case(3, draw=draw_noise_tables),
    mistakes={
        "inside minus outside": (
            "A leak flatters. Which of the two accuracies should be the larger one?",
            dict(outside=accuracy_inside, inside=_outside),
        ),
        "the smallest first": ("The right gaps. Sort them, the largest first.", dict(order=1)),
        "the same accuracy twice": (
            "All your gaps are 0. In one of the two scores the step may not see the test rows, in the other "
            "it does.",
            dict(inside=_outside),
        ),
        "scored on the training rows": (
            "Neighbours know their own rows by heart. Both accuracies should be cross-validated.",
            dict(outside=_training_score),
        ),
        "sums over the tables": (
            "Twice as many tables would double your gaps. Which summary does the question ask for?",
            dict(total=np.sum),
        ),
        "stratified folds": (
            "With cv=3 each fold has its share of the classes. Which folds does the question name?",
            dict(
                outside=_with_folds(_outside, StratifiedKFold(3)),
                inside=_with_folds(accuracy_inside, StratifiedKFold(3)),
            ),
        ),
        "five folds": (
            "How many folds does the question name, and how many do you have when you do not say it?",
            dict(outside=_with_folds(_outside, KFold(5)), inside=_with_folds(accuracy_inside, KFold(5))),
        ),
    },
    hints=[
        "Two accuracies for each step and table: one with the step fitted to all rows first, one with the "
        "step in a pipeline.",
        "fit_transform(X, y) before cross_val_score is the leak; make_pipeline(step, learner) inside it is "
        "the cure.",
    ],
)

# ---- 13: the formula of the share that is kept

SPECTRUM = Notation(
    r"""
    d          | number       | how many features                        |
    k          | number       | how many axes are kept                   |
    S          | matrix d × d | covariance matrix of the samples         |
    \lambda_j  | number       | its eigenvalues, the largest first       | eigenvalue j of S
    """,
    default=False,
)


def draw_spectrum(rng):
    """Fewer axes kept than dropped, or more; no two eigenvalues alike."""
    d = int(rng.integers(5, 9))
    A = np.linalg.qr(rng.normal(size=(d, d)))[0]
    lam = rng.uniform(0.5, 4) * (np.arange(d) + rng.uniform(0.3, 0.9, size=d))
    return (dict(S=(A * lam) @ A.T, k=int(rng.integers(2, d - 1))),)


question(
    "pca.13",
    "The formula of the share that is explained",
    name="share_kept",
    then="Go on: what does the share that is lost say about the mean squared error of a reconstruction?",
    formula=SPECTRUM,
    truth=r"\frac{\sum_{j=1}^k \lambda_j}{\sum_{j=1}^d \lambda_j}",
    cases=Case(1, draw=draw_spectrum),
    mistakes={
        "the variance, not its share": (
            "Measure in other units and your value changes. Of what is it a share?",
            r"\sum_{j=1}^k \lambda_j",
        ),
        "the share that is lost": (
            "With all d axes yours is 0. Which eigenvalues belong to the axes that stay?",
            r"\frac{\sum_{j=k+1}^d \lambda_j}{\sum_{j=1}^d \lambda_j}",
        ),
        "the share of one axis": (
            "That is what axis k explains. What do the axes before it explain?",
            r"\frac{\lambda_k}{\sum_{j=1}^d \lambda_j}",
        ),
        "the share of axes": ("Are all axes equally long? You count them; weigh them.", r"\frac{k}{d}"),
        "roots of the eigenvalues": (
            "You add up lengths. An eigenvalue of S is a variance already.",
            r"\frac{\sum_{j=1}^k \sqrt{\lambda_j}}{\sum_{j=1}^d \sqrt{\lambda_j}}",
        ),
        "squares of the eigenvalues": (
            "An eigenvalue of S is a variance already. Why the square?",
            r"\frac{\sum_{j=1}^k \lambda_j^2}{\sum_{j=1}^d \lambda_j^2}",
        ),
        "kept against dropped": (
            "You compare what is kept with what is dropped. A share is a part of the whole.",
            r"\frac{\sum_{j=1}^k \lambda_j}{\sum_{j=k+1}^d \lambda_j}",
        ),
    },
    hints=[
        "What does the first axis explain, of what all axes explain together?",
        "One sum of eigenvalues over another: how far does each run?",
    ],
)

# ---- 14: the formula of an error

SCORES = Notation(
    r"""
    X       | matrix n × d | samples, one in each row, **not** centred     |
    Z       | matrix n × k | their scores, one in each row                 |
    n, d, k | number       | how many samples, features, axes              |
    x_i     | column d     | sample $i$                                    | row i of X
    x_{ij}  | number       | its feature $j$                               | entry of X
    \bar x  | column d     | mean of the samples                           | \frac1n \sum_i x_i
    z_i     | column k     | scores of sample $i$, $W^\top (x_i - \bar x)$ | row i of Z
    z_{ij}  | number       | its score $j$                                 | entry of Z
    """,
    default=False,
)


def draw_scores(rng, n=9, d=5, k=2):
    """Samples far from the origin, so that nobody can forget the mean."""
    X = draw_cloud(rng, n, d, mean=4.0)
    Xc = X - X.mean(axis=0)
    return (dict(X=X, Z=Xc @ np.linalg.svd(Xc)[2][:k].T),)


question(
    "pca.14",
    "The formula of an error",
    name="error_of_sample",
    then="Another way: with all d scores at hand, the squares of the last d − k alone.",
    stars=2,
    formula=SCORES,
    truth=r"\lVert x_i - \bar x \rVert^2 - \lVert z_i \rVert^2",
    cases=Case(2, draw=draw_scores),
    mistakes={
        "the mean forgotten": (
            "Scores are taken around the mean. From where do you measure the sample?",
            r"\lVert x_i \rVert^2 - \lVert z_i \rVert^2",
        ),
        "lengths, not squares": (
            "Pythagoras: which powers of the lengths can be subtracted?",
            r"\lVert x_i - \bar x \rVert - \lVert z_i \rVert",
        ),
        "the square of a difference of lengths": (
            "Sides of a right triangle: is the square of a difference the difference of the squares?",
            r"(\lVert x_i - \bar x \rVert - \lVert z_i \rVert)^2",
        ),
        "added": (
            "The larger the scores, the larger your error. Which way should it go?",
            r"\lVert x_i - \bar x \rVert^2 + \lVert z_i \rVert^2",
        ),
        "the root of it": (
            "That is how far sample and reconstruction are apart. Asked for is the square.",
            r"\sqrt{\lVert x_i - \bar x \rVert^2 - \lVert z_i \rVert^2}",
        ),
        "what is kept": (
            "That is the part that the axes explain. What is left of the sample?",
            r"\lVert z_i \rVert^2",
        ),
        "what is there before a projection": (
            "With all axes the error should be 0. What do the scores take off?",
            r"\lVert x_i - \bar x \rVert^2",
        ),
        "the mean over all samples": (
            "Yours is the same for every sample. The error of which one is asked for?",
            r"\frac1n \sum_{i=1}^n (\lVert x_i - \bar x \rVert^2 - \lVert z_i \rVert^2)",
        ),
        "kept minus there": (
            "Can a squared length be negative?",
            r"\lVert z_i \rVert^2 - \lVert x_i - \bar x \rVert^2",
        ),
    },
    hints=[
        "The centred sample, its projection and the error are the sides of a right triangle.",
        "The projection is as long as the scores: orthonormal axes keep lengths.",
    ],
)


reading(
    "pca.15",
    "A scree plot",
    name="in_the_figure",
    then="Go on: how would the floor look if the noise were larger on some features than on others?",
    text="The eigenvalues of a covariance matrix of 20 features, from 400 samples. A colleague "
    'wants to keep "all axes with an eigenvalue above 0". How many would you keep to describe '
    "what the features share?",
    choices={
        "Seventeen: the axes of the level part are all equally good.": (
            "Would pure noise have a level part as well?"
        ),
        "Three: after them comes a floor, nearly level.": None,
        "One: only the first has a variance that is really large.": (
            "The second and third stand clear of the rest as well."
        ),
        "All 20: every eigenvalue is above 0.": "Would pure noise have eigenvalues of 0?",
    },
    reasons={
        "Noise that is alike in all directions adds the same variance to every axis.": None,
        "Samples determine at most three axes, and the others are left over by chance.": (
            "400 samples with 20 features: how many eigenvalues can be above 0?"
        ),
        "An eigenvalue is a share, and shares below 1/20 count as 0.": (
            "An eigenvalue is a variance, in squared units. It need not be below 1."
        ),
        "The axes after the third are not orthogonal to the others, and repeat them.": (
            "All principal axes are orthogonal to each other."
        ),
    },
    hints=["What would the plot look like if the features were independent, with one variance?"],
)


reading(
    "pca.16",
    "Five axes of a clinic",
    name="in_the_report",
    then="Go on: select the 20 genes anew in each fold. Which accuracy do you expect?",
    text='A report: "40 patients, 1000 genes, labels by coin. We fitted a PCA to all 40 patients, '
    "kept five axes, then cross-validated a classifier on the scores: 52 %. Then we selected "
    "the 20 genes with the largest F on all patients and cross-validated on those: 86 %. **So "
    'selecting finds a signal that PCA misses.**" What is wrong?',
    choices={
        "The 86 %: labels of the test patients took part in choosing the genes.": None,
        "The number of axes: five are too few for 1000 genes, and miss the signal.": (
            "How much signal would more axes hold, when labels come from a coin?"
        ),
        "Nothing: F looks at the labels, and this is what finds the signal.": (
            "The labels come from a coin. What is there to find?"
        ),
        "The 52 %: the PCA was fitted to all patients, and this is the leak.": (
            "Which of the two steps looked at labels?"
        ),
    },
    reasons={
        "Of 1000 genes some agree with all 40 labels by chance, test folds included.": None,
        "A PCA of all patients has seen the test labels, and its scores pass them on.": (
            "Which input does a PCA take?"
        ),
        "F needs normal data, and what is measured of genes is not normal.": (
            "Make them normal: the same happens."
        ),
        "Twenty genes are more than five axes, and more columns are always better.": (
            "Draw 20 genes without looking: what would they give?"
        ),
    },
    hints=["The honest answer is known beforehand: it is that of a coin."],
)
