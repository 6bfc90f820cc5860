"""Variants and statements: axes that separate, what two views share, mixed sources, gradients of pictures."""

import numpy as np
from sklearn.decomposition import FastICA

from grading.variant import Variant, also, bank, fails, holds, variant
from homework.lda.questions import check_rings, hog_cell, rings, scatters, whiten, whiten_with


def classes(seed=0, d=3, C=3, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n * C) % C
    return rng.normal(size=(n * C, d)) @ rng.normal(size=(d, d)) + 3 * rng.normal(size=(C, d))[y], y


def quotients(below, above):
    return np.sort(np.linalg.eigvals(np.linalg.solve(below, above)).real)[::-1]


def ratios(X, y):
    return quotients(*scatters(X, y))


def largest_correlation(X, Y):
    U, V = (np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)[0] for Z in (X, Y))
    return np.linalg.svd(U.T @ V, compute_uv=False)[0]


def views(seed=0, n=200):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    return np.column_stack([z + rng.normal(size=n), rng.normal(size=n)]), np.column_stack([
        rng.normal(size=n),
        z,
    ])


def kurtosis(s):
    s = (s - s.mean()) / s.std()
    return (s**4).mean() - 3


def angle_of(image):
    gy, gx = np.gradient(image)
    return np.rad2deg(np.arctan2(gy, gx)).mean() % 180


def first_axis(X):
    return np.abs(np.linalg.svd(X - X.mean(axis=0))[2][0])


def criterion(w):
    Sw, Sb = scatters(*classes())
    return w @ Sb @ w / (w @ Sw @ w)


def is_white(X):
    return np.allclose(np.cov(X, rowvar=False, ddof=0), np.eye(3))


def block(contrast):
    v = contrast * np.random.default_rng(0).random(36)
    return v / np.linalg.norm(v)


GAUSSIAN = np.random.default_rng(0).normal(size=(20_000, 2))
SOURCES = np.column_stack([np.random.default_rng(1).laplace(size=2000), GAUSSIAN[:2000, 0]])
MIX = np.array([[1.0, 0.6], [-0.4, 1.0]])


bank(
    "lda",
    holds(
        "With three classes, LDA gives at most two axes that tell them apart.",
        "Three means span a plane at most.",
        lambda: (ratios(*classes()) > 1e-9).sum() == 2,
    ),
    fails(
        "With two classes and ten features, LDA gives ten axes that tell them apart.",
        "The scatter between two classes has rank 1.",
        lambda: (ratios(*classes(d=10, C=2)) > 1e-9).sum() == 10,
    ),
    fails(
        "Multiplying one feature by 1000 changes Fisher's ratios.",
        "Any invertible linear map of the features leaves the ratios as they are.",
        lambda: not np.allclose(ratios(*classes()), ratios(classes()[0] * [1000, 1, 1], classes()[1])),
    ),
    holds(
        "Multiplying one feature by 1000 can change the axes of PCA.",
        "PCA looks at variances, and those have units.",
        lambda: not np.allclose(first_axis(classes()[0]), first_axis(classes()[0] * [1000, 1, 1])),
    ),
    fails(
        "Fisher's axis always runs along the line that joins the two means.",
        "Only where the scatter within the classes is alike in all directions.",
        lambda: np.isclose(*np.linalg.solve(np.diag([1.0, 9.0]), [1, 1])),
    ),
    holds(
        "If both classes have the covariance matrix σ²I, Fisher's axis joins the means.",
        "The inverse of σ²I only changes the length.",
        lambda: np.isclose(*np.linalg.solve(4 * np.eye(2), [1, 1])),
    ),
    holds(
        "The total scatter is the scatter within the classes plus that between them.",
        "The mixed terms add up to 0 in each class.",
        lambda: np.allclose(sum(scatters(*classes())), np.cov(classes()[0], rowvar=False, ddof=0)),
    ),
    fails(
        "With the total scatter in place of the scatter within, LDA finds other axes.",
        "λ becomes λ/(1 + λ): same axes, same order.",
        lambda: (
            not np.allclose(
                (q := ratios(*classes())) / (1 + q), quotients(sum(S := scatters(*classes())), S[1])
            )
        ),
    ),
    holds(
        "Two classes with the same mean are told apart by no axis of LDA.",
        "The scatter between them is 0.",
        lambda: (
            ratios(np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]) * 2, np.array([0, 0, 1, 1])).max() < 1e-9
        ),
    ),
    fails(
        "The matrix inv(S_W) S_B is symmetric.",
        "A product of symmetric matrices need not be.",
        lambda: np.allclose(M := np.linalg.solve(*scatters(*classes())), M.T),
    ),
    holds(
        "LDA looks at the labels; PCA does not.",
        "LDA needs the class means.",
        lambda: not np.allclose(ratios(*classes()), ratios(classes()[0], np.sort(classes()[1]))),
    ),
    fails(
        "Fisher's criterion grows fourfold when w becomes twice as long.",
        "Numerator and denominator grow alike.",
        lambda: np.isclose(criterion(2 * np.arange(1.0, 4)), 4 * criterion(np.arange(1.0, 4))),
    ),
    holds(
        "White data have the unit matrix as covariance.",
        "That is what the word says.",
        lambda: is_white(whiten(classes()[0])),
    ),
    holds(
        "White data that are turned by a rotation stay white.",
        "Rᵀ I R = I.",
        lambda: is_white(
            whiten(classes()[0]) @ np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
        ),
    ),
    fails(
        "Whitening divides the scores by the eigenvalues.",
        "It divides by their roots: a variance is divided by the square of what its values are divided by.",
        lambda: is_white(whiten_with(classes()[0], scale=lambda lam: lam)),
    ),
    fails(
        "There is only one matrix that whitens given data.",
        "After any whitening a rotation may follow.",
        lambda: not is_white(whiten(classes()[0]) @ np.linalg.qr(classes()[0][:3])[0]),
    ),
    fails(
        "The square root of a symmetric matrix is found by the root of each entry.",
        "Multiply it by itself: the entries mix. Take the roots of the eigenvalues.",
        lambda: np.allclose(np.sqrt(S := np.eye(2) + 1) @ np.sqrt(S), S),
    ),
    holds(
        "The first canonical correlation is at least the largest correlation of any one feature "
        "of X with one of Y.",
        "A single feature is one of the combinations among which CCA chooses.",
        lambda: (
            largest_correlation(*views())
            >= np.abs(np.corrcoef(np.hstack(views()), rowvar=False)[:2, 2:]).max() - 1e-12
        ),
    ),
    fails(
        "Multiplying a feature of X by 1000 changes the canonical correlations.",
        "CCA sees only what the features span.",
        lambda: (
            not np.isclose(
                largest_correlation(*views()), largest_correlation(views()[0] * [1000, 1], views()[1])
            )
        ),
    ),
    fails(
        "A canonical correlation can be −0.7.",
        "Turning the sign of one side turns its sign: they are counted from 0 to 1.",
        lambda: largest_correlation(views()[0], -views()[1]) < 0,
    ),
    holds(
        "With 30 rows, and 40 features on either side, CCA without a ridge finds correlations of "
        "1 in pure noise.",
        "Each side can fit any vector of 30 numbers with mean 0.",
        lambda: np.isclose(largest_correlation(*np.random.default_rng(0).normal(size=(2, 30, 40))), 1),
    ),
    fails(
        "A canonical correlation measured on the rows it was fitted to is an honest estimate for new rows.",
        "It was maximised on those rows.",
        lambda: largest_correlation(*np.random.default_rng(0).normal(size=(2, 40, 15))) < 0.3,
    ),
    fails(
        "ICA can tell the order of the sources.",
        "Any order of the rows of S explains X as well.",
        lambda: not np.allclose(SOURCES @ MIX, SOURCES[:, ::-1] @ MIX[::-1]),
    ),
    fails(
        "ICA can tell the sign of a source.",
        "Source and column of the mixing matrix can both be negated.",
        lambda: not np.allclose(SOURCES @ MIX, -SOURCES @ -MIX),
    ),
    holds(
        "If all sources are Gaussian, ICA cannot find them.",
        "White Gaussian data look alike in every direction.",
        lambda: max(abs(kurtosis(GAUSSIAN @ [np.cos(a), np.sin(a)])) for a in np.arange(9)) < 0.1,
    ),
    holds(
        "A single Gaussian source among others that are not can be found.",
        "It is what is left over when the others are known.",
        lambda: (
            np.abs(
                np.corrcoef(FastICA(random_state=0).fit_transform(SOURCES @ MIX).T, SOURCES[:, 1])[-1, :2]
            ).max()
            > 0.98
        ),
    ),
    holds(
        "The excess kurtosis of a uniform distribution is negative.",
        "It is −1.2: flat, without tails.",
        lambda: kurtosis(np.linspace(-1, 1, 10001)) < 0,
    ),
    holds(
        "The sum of two independent uniform sources of one size has an excess kurtosis closer to "
        "0 than each of them.",
        "For two alike it is half as large.",
        lambda: abs(kurtosis(np.add.outer(x := np.linspace(-1, 1, 201), x).ravel())) < abs(kurtosis(x)),
    ),
    fails(
        "Uncorrelated sources are independent.",
        "x uniform on (−1, 1) and x² are uncorrelated, and x tells x².",
        lambda: not np.isclose(np.corrcoef(x := np.linspace(-1, 1, 101), x**2)[0, 1], 0),
    ),
    fails(
        "Adding 0.2 to every grey value changes the gradients of a picture.",
        "A gradient is a difference: the constant falls out.",
        lambda: not np.allclose(np.gradient(I := np.outer(np.arange(5.0), range(5))), np.gradient(I + 0.2)),
    ),
    holds(
        "The negative of a picture has the same gradient angles, if angles are folded to 0–180 degrees.",
        "Each gradient turns by 180 degrees.",
        lambda: np.isclose(angle_of(I := np.add.outer(np.arange(5.0), range(0, 10, 2))), angle_of(-I)),
    ),
    fails(
        "In a histogram of gradients every pixel has one vote, weak edge or strong.",
        "A vote weighs as much as its gradient is long.",
        lambda: np.isclose(hog_cell(np.outer(np.arange(8.0), np.ones(8)) / 2, 9).sum(), 64),
    ),
    holds(
        "Dividing a block by its norm takes a common factor of contrast out again.",
        "(c v)/‖c v‖ = v/‖v‖ for c > 0.",
        lambda: np.allclose(block(1.0), block(7.0)),
    ),
)


@variant("lda.1")
def fishers_axis(rng):
    gap = rng.integers(1, 4, 2) * rng.choice([-1, 1], 2)
    var = rng.choice([0.5, 1, 2, 4], 2, replace=False)
    w = gap / (2 * var)

    def value(w, below=2.0, square=True):
        return float(w @ gap) ** (2 if square else 1) / (below * (w**2 @ var))

    def answer(w, **how):
        return w.tolist(), value(w, **how)

    text = (
        f"The means of two classes differ by $({gap[0]}, {gap[1]})$, and both classes have the "
        "covariance matrix "
        f"$\\begin{{pmatrix}} {var[0]:g} & 0 \\\\ 0 & {var[1]:g} \\end{{pmatrix}}$. By hand: "
        "([w_1, w_2], value), Fisher's "
        "axis, of any length and sign, and the value of his criterion (3.3) there."
    )
    return Variant(
        text,
        answer(w),
        {
            "the line between the means": answer(gap.astype(float)),
            "multiplied with the scatter": answer(gap * var),
            "multiplied with the inverse root": answer(gap / var**0.5),
            "one class's covariance below the line": answer(w, below=1.0),
            "the value without the square": answer(4 * var.prod() * w, square=False),
        },
    )


@variant("lda.6")
def invisible_at_a_place(rng):
    n, centre = int(rng.integers(6, 40)) * 20, rng.integers(-20, 21, 2)

    def demand(got):
        X = np.asarray(got[0], float)
        if X.shape != (n, 2):
            return f"X should have {n} rows and two columns; its shape is {X.shape}."
        if np.abs(X.mean(axis=0) - centre).max() > 0.5:
            return f"The mean of all rows should be {centre.tolist()}, to a half."

    X, y = rings(n)
    text = (
        f"Data (X, y) with {n} rows, two columns, and a mean of all rows at {centre.tolist()}, to "
        "a half; two classes, neither with "
        "less than 40 %. LDA is right in at most 60 % (cross-validated), five nearest neighbours "
        "in at least 90 %."
    )
    return Variant(text, (X - X.mean(axis=0) + centre, y), checker=also(check_rings, demand))
