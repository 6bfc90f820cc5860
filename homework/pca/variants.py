"""Variants and statements: principal component analysis."""

import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from grading.variant import Variant, also, bank, fails, holds, variant
from homework.pca.questions import check_quiet

R = 0.5**0.5


def cloud(n=60, d=4, seed=0, mean=0.0):
    rng = np.random.default_rng(seed)
    return mean + rng.normal(size=(n, d)) @ rng.normal(size=(d, d))


def axes(X):
    """Eigenvalues, largest first, and axes in columns."""
    lam, W = np.linalg.eigh(np.cov(X, rowvar=False))
    return lam[::-1], W[:, ::-1]


def same_axes(X, Z, k=1):
    A, B = axes(X)[1][:, :k], axes(Z)[1][:, :k]
    return np.allclose(np.abs(A.T @ B), np.eye(k), atol=1e-6)


def error(X, k):
    Xc, W = X - X.mean(axis=0), axes(X)[1][:, :k]
    return ((Xc - Xc @ W @ W.T) ** 2).sum()


def ranks():
    return np.linalg.matrix_rank(np.cov(cloud(n=5, d=9), rowvar=False))


def scores(X):
    return (X - X.mean(axis=0)) @ axes(X)[1]


def sum_of_eigenvalues():
    X = cloud()
    return np.isclose(axes(X)[0].sum(), X.var(axis=0, ddof=1).sum())


def rows_once_more():
    X = cloud()
    return same_axes(X, np.vstack([X, X]), k=4)


def noise_adds():
    S = np.diag([5.0, 2.0, 1.0])
    return np.allclose(np.linalg.eigvalsh(S + 0.3 * np.eye(3)), np.linalg.eigvalsh(S) + 0.3)


def one_outlier():
    X = cloud(d=2)
    return not same_axes(X, np.vstack([X, [1e4, -1e4]]))


def correlation_matrix():
    X = cloud()
    return same_axes(X, X / X.std(axis=0))


S_OF_CLOUD = np.cov(cloud(), rowvar=False)
COIN = np.random.default_rng(0).integers(0, 2, 60)
LOUD = np.column_stack([
    9 * cloud()[:, 0],
    COIN + 0.1 * cloud(seed=1)[:, 0],
])  # the quiet column tells the coin


def parabola():
    x = np.linspace(-2, 2, 41)
    return np.column_stack([x, x**2 / 4])


def independent(X):
    """Whether the second score's size is the same near the middle of the first and far from it."""
    Z = scores(X)
    near = np.abs(Z[:, 0]) < np.median(np.abs(Z[:, 0]))
    return abs(Z[near, 1].mean() - Z[~near, 1].mean()) < 0.1


def tells(X, j):
    """How the score on an axis goes with the coin."""
    return abs(np.corrcoef(scores(X)[:, j], COIN)[0, 1])


def gram_is_enough(X):
    Xc = X - X.mean(axis=0)
    return np.allclose(np.linalg.eigvalsh(Xc @ Xc.T)[1:], np.linalg.eigvalsh(Xc.T @ Xc)[1 - len(X) :])


def coins_told():
    """What neighbours get right on five axes of all rows, on average over ten tables."""
    Z = (scores(cloud(d=30, seed=seed))[:, :5] for seed in range(10))
    return np.mean([cross_val_score(KNeighborsClassifier(3), one, COIN) for one in Z])


bank(
    "pca",
    holds(
        "Adding the same vector to all samples leaves the principal axes as they are.",
        "The mean moves along and is subtracted again.",
        lambda: same_axes(cloud(), cloud(mean=50.0), k=4),
    ),
    fails(
        "Multiplying one feature by 1000 leaves the principal axes as they are.",
        "Its variance grows by a million: it pulls the first axis to itself.",
        lambda: same_axes(cloud(), cloud() * [1000, 1, 1, 1]),
    ),
    holds(
        "Multiplying all features by the same number leaves the principal axes as they are.",
        "The covariance matrix is multiplied by a number, which moves no eigenvector.",
        lambda: same_axes(cloud(), 7 * cloud(), k=4),
    ),
    fails(
        "Multiplying all features by the same number changes the shares of variance.",
        "All eigenvalues grow by one factor, and a share is a quotient of two of them.",
        lambda: not np.allclose(*(axes(X)[0] / axes(X)[0].sum() for X in (cloud(), 7 * cloud()))),
    ),
    holds(
        "The eigenvalues of the covariance matrix add up to the sum of the features' variances.",
        "Both are its trace.",
        sum_of_eigenvalues,
    ),
    holds(
        "The scores on two different principal axes are uncorrelated on the data that gave the axes.",
        "Their covariance matrix is diagonal: it holds the eigenvalues.",
        lambda: np.allclose(np.corrcoef(scores(cloud()), rowvar=False), np.eye(4)),
    ),
    fails(
        "Scores on two different principal axes are independent.",
        "They are uncorrelated. A parabola has uncorrelated scores, and one tells the other.",
        lambda: independent(parabola()),
    ),
    holds(
        "The direction of a principal axis is determined up to its sign, if its eigenvalue occurs once.",
        "With w, −w has length 1 and the same variance.",
        lambda: np.linalg.matrix_rank(S_OF_CLOUD - axes(cloud())[0][0] * np.eye(4)) == 3,
    ),
    holds(
        "Five samples with nine features have at most four axes with variance above 0.",
        "After centring their sum is 0: rank n − 1 at most.",
        lambda: ranks() == 4,
    ),
    fails(
        "Five samples with nine features have nine axes with variance above 0.",
        "Five centred samples span at most four dimensions.",
        lambda: ranks() == 9,
    ),
    holds(
        "The reconstruction from all d axes is the sample itself.",
        "W is square and orthogonal: W Wᵀ = I.",
        lambda: np.isclose(error(cloud(), 4), 0),
    ),
    fails(
        "The reconstruction error of the training samples can rise when an axis is added.",
        "Each axis takes away the variance that lies along it, which is not negative.",
        lambda: any(error(cloud(), k + 1) > error(cloud(), k) + 1e-9 for k in range(4)),
    ),
    holds(
        "With 0 axes every sample is reconstructed as the mean.",
        "Nothing is added to the mean.",
        lambda: np.isclose(error(cloud(), 0), ((cloud() - cloud().mean(axis=0)) ** 2).sum()),
    ),
    holds(
        "Keeping most variance and losing least squared distance ask for the same axes.",
        "By Pythagoras both add up to the total.",
        lambda: np.isclose(error(cloud(), 2) + (scores(cloud())[:, :2] ** 2).sum(), error(cloud(), 0)),
    ),
    fails(
        "np.linalg.eigh returns the largest eigenvalue first.",
        "It returns them in ascending order.",
        lambda: np.linalg.eigh(np.diag([1.0, 2.0]))[0][0] == 2,
    ),
    holds(
        "The right singular vectors of the centred data are its principal axes.",
        "XᵀX = V s² Vᵀ.",
        lambda: np.allclose(
            np.abs(np.linalg.svd(cloud() - cloud().mean(axis=0))[2] @ axes(cloud())[1]), np.eye(4)
        ),
    ),
    fails(
        "The singular values of the centred data, divided by their sum, are the shares of variance.",
        "The variances are their squares, over n − 1.",
        lambda: np.allclose(
            (s := np.linalg.svd(cloud() - cloud().mean(axis=0), compute_uv=False)) / s.sum(),
            axes(cloud())[0] / axes(cloud())[0].sum(),
        ),
    ),
    holds(
        "A single new sample, minus its own mean, says nothing any more.",
        "It is 0: a new sample is centred with the mean of the training samples.",
        lambda: not (cloud()[:1] - cloud()[:1].mean(axis=0)).any(),
    ),
    fails(
        "Dividing by n in place of n − 1 turns the axes.",
        "It multiplies the matrix by a number.",
        lambda: (
            not np.allclose(
                np.abs(
                    np.linalg.eigh(np.cov(cloud(), rowvar=False, ddof=0))[1].T
                    @ np.linalg.eigh(np.cov(cloud(), rowvar=False))[1]
                ),
                np.eye(4),
            )
        ),
    ),
    holds(
        "Storing every sample twice leaves the axes as they are.",
        "The covariance matrix with divisor n stays.",
        rows_once_more,
    ),
    holds(
        "A single outlier, far enough away, can turn the first axis to itself.",
        "Variance is squared: one far row outweighs all others.",
        one_outlier,
    ),
    fails(
        "The first axis is the one that best tells the classes apart.",
        "PCA never sees a label. A loud column without meaning comes first.",
        lambda: tells(LOUD, 0) > tells(LOUD, 1),
    ),
    holds(
        "Noise of variance σ², alike in all directions and independent of the data, adds σ² to "
        "every eigenvalue of the covariance matrix.",
        "S + σ²I has the eigenvectors of S, and its eigenvalues plus σ².",
        noise_adds,
    ),
    fails(
        "PCA on standardised features has the axes of PCA on the features themselves.",
        "It is PCA of the correlation matrix, another matrix.",
        correlation_matrix,
    ),
    holds(
        "If two features are uncorrelated and of unlike variance, the axes of the two are the "
        "coordinate axes.",
        "A diagonal matrix has the unit vectors as eigenvectors.",
        lambda: np.allclose(np.abs(np.linalg.eigh(np.diag([1.0, 3.0]))[1]), np.eye(2)),
    ),
    fails(
        "Maximising tr WᵀSW over orthonormal W has the eigenvectors as its only solutions.",
        "Any turn of the first k axes among themselves reaches the same value.",
        lambda: (
            not np.isclose(
                *(
                    np.trace(W.T @ np.diag([3.0, 2, 1]) @ W)
                    for W in (np.eye(3)[:, :2], np.eye(3)[:, :2] @ [[R, R], [R, -R]])
                )
            )
        ),
    ),
    holds(
        "For n = 20 pictures of 3000 pixels, the axes can be had from a matrix of 20 rows and 20 columns.",
        "The Gram matrix of the centred samples has the same eigenvalues above 0.",
        lambda: gram_is_enough(cloud(n=20, d=300)),
    ),
    holds(
        "XᵀX and XXᵀ have the same eigenvalues above 0.",
        "Both are the squared singular values of X.",
        lambda: np.allclose(
            np.linalg.eigvalsh(cloud(5, 3).T @ cloud(5, 3)),
            np.linalg.eigvalsh(cloud(5, 3) @ cloud(5, 3).T)[2:],
        ),
    ),
    fails(
        "The matrix W Wᵀ of k orthonormal columns is the unit matrix for every k.",
        "For k < d it projects on their span.",
        lambda: np.allclose(np.eye(3)[:, :2] @ np.eye(3)[:, :2].T, np.eye(3)),
    ),
    holds(
        "Projecting twice on the same axes gives what projecting once gives.",
        "P = W Wᵀ is idempotent.",
        lambda: np.allclose((P := axes(cloud())[1][:, :2] @ axes(cloud())[1][:, :2].T) @ P, P),
    ),
    fails(
        "A PCA of all rows before cross-validating makes labels of a coin look predictable, above 60 %.",
        "Features leak, labels do not: PCA never sees one.",
        lambda: coins_told() > 0.6,
    ),
    fails(
        "Axes that explain little variance can be dropped without harm to a classifier.",
        "The quiet axis may be the one that decides.",
        lambda: tells(LOUD, 0) > 0.9,
    ),
)


@variant("pca.1")
def axes_of_two_by_two(rng):
    u = [np.array(w, float) for w in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (3, 4))][rng.integers(6)]
    u[1] *= rng.choice([-1, 1])
    large, small = sorted(rng.choice(np.arange(1, 10), 2, replace=False).tolist(), reverse=True)
    v, squared = np.array([-u[1], u[0]]), u @ u
    S = large * np.outer(u, u) + small * np.outer(v, v)  # whole numbers; eigenvalues large·|u|², small·|u|²
    axis = [(u / squared**0.5).tolist(), (v / squared**0.5).tolist()]
    share = [large / (large + small), small / (large + small)]
    root = [large**0.5 / (large**0.5 + small**0.5), small**0.5 / (large**0.5 + small**0.5)]
    own = sorted([(S[0, 0], [1, 0]), (S[1, 1], [0, 1])], reverse=True)
    text = (
        f"A cloud in the plane has the covariance matrix $S = \\begin{{pmatrix}} {S[0, 0]:g} & "
        f"{S[0, 1]:g} \\\\ "
        f"{S[1, 0]:g} & {S[1, 1]:g} \\end{{pmatrix}}$. By hand: ([axis_1, axis_2], [share_1, "
        "share_2]), the axes "
        "of length 1, the one with the larger variance first. Three decimals are enough, signs are yours."
    )
    return Variant(
        text,
        (axis, share),
        {
            "the smallest comes first": (axis[::-1], share[::-1]),
            "axes that are not of length 1": ([u.tolist(), v.tolist()], share),
            "eigenvalues in place of shares": (axis, [large * squared, small * squared]),
            "roots of the eigenvalues": (axis, root),
            "the features' own axes and variances": (
                [own[0][1], own[1][1]],
                [own[0][0] / np.trace(S), own[1][0] / np.trace(S)],
            ),
        },
    )


@variant("pca.9")
def quiet_and_turned(rng):
    degrees, n = int(rng.integers(2, 9)) * 10, int(rng.integers(6, 20)) * 20
    along = np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])

    def demand(got):
        X = np.asarray(got[0], float)
        if X.shape != (n, 2):
            return f"X should have {n} rows and two columns; its shape is {X.shape}."
        w = axes(X)[1][:, 0]
        if abs(w @ along) < np.cos(np.deg2rad(5)):
            return (
                f"The first axis should make an angle of {degrees} degrees with the first column, to 5 "
                "degrees."
            )

    text = (
        f"A data set (X, y) with {n} rows, two columns and two classes (neither below 40 %), whose "
        "**first principal axis "
        f"makes an angle of {degrees} degrees** with the first column's axis, counted towards the "
        "second's. Five nearest "
        "neighbours, cross-validated, reach at most 60 % on the first component alone and at "
        "least 95 % on the second "
        "alone, which explains at most a tenth of the variance."
    )
    y = np.arange(n) % 2
    own = np.random.default_rng(0)
    loud, quiet = 10 * own.normal(size=n), y + 0.1 * own.normal(size=n)
    turn = np.array([along, [-along[1], along[0]]])
    return Variant(text, (np.column_stack([loud, quiet]) @ turn, y), checker=also(check_quiet, demand))
