"""Figures of homework 2, pca: other data for `practise`, and a learner's own mistakes drawn."""

import numpy as np

from grading.fresh_reading import FreshReading, fresh_reading
from grading.pictures import mistake_drawn
from helpers.plotting import figure

NUMBERS = "None One Two Three Four Five Six Seven".split()


@fresh_reading("pca.15")
def scree(rng):
    shared = int(rng.choice([2, 4, 5, 6]))
    mixed = np.linalg.qr(rng.normal(size=(20, shared)))[0]
    X = rng.normal(size=(400, shared)) * rng.uniform(3, 6, shared) @ mixed.T + rng.normal(size=(400, 20))
    spectrum = np.linalg.eigvalsh(np.cov(X, rowvar=False))[::-1]

    def draw():
        fig, ax = figure(height=3)
        ax.plot(np.r_[1:21], spectrum, "o-")
        ax.set(xlabel="axis", ylabel="variance", ylim=(0, None), xticks=np.r_[1:21])
        return fig, (
            f"Twenty eigenvalues from {spectrum[0]:.0f} down to {spectrum[-1]:.1f}, with a bend on the way."
        )

    number = NUMBERS[shared]
    words = {
        "Seventeen": f"The last {20 - shared}",
        "Three:": f"{number}:",
        "second and third stand": "second stands",
        "at most three": f"at most {number.lower()}",
        "after the third": f"after number {shared}",
    }
    return FreshReading(draw, spectrum[shared - 1] > 3 * spectrum[shared], words)


@fresh_reading("pca.16")
def clinic(rng):
    from sklearn.decomposition import PCA
    from sklearn.feature_selection import SelectKBest
    from sklearn.model_selection import cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    patients, genes = 2 * int(rng.integers(15, 30)), 100 * int(rng.integers(8, 30))
    X, coins = rng.normal(size=(patients, genes)), rng.permutation(np.arange(patients) % 2)
    scores, best = PCA(5, svd_solver="full").fit_transform(X), SelectKBest(k=20).fit_transform(X, coins)
    honest, leaked = (cross_val_score(KNeighborsClassifier(5), Z, coins).mean() for Z in (scores, best))
    words = {
        "40 patients": f"{patients} patients",
        "40 labels": f"{patients} labels",
        "1000 genes": f"{genes} genes",
        "52 %": f"{100 * honest:.0f} %",
        "86 %": f"{100 * leaked:.0f} %",
    }
    return FreshReading(None, abs(honest - 0.5) < 0.12 and leaked > 0.75, words)


@mistake_drawn("pca.2", "pca.6")
def axis_over_the_cloud(got, X, k):
    """Your first axis over the cloud, seen along the two directions in which it varies most."""
    got, Xc = np.real(np.asarray(got)).astype(float), X - X.mean(axis=0)
    plane = np.linalg.svd(Xc, full_matrices=False)[2][:2]
    projection, deviation = plane @ got[:, 0], (Xc @ plane.T).std(axis=0)
    fig, ax = figure(width=5)
    ax.plot(*(Xc @ plane.T).T, "o", alpha=0.6, label="samples")
    tip = 2 * deviation[0] * projection
    ax.annotate("", tip, (0, 0), arrowprops=dict(arrowstyle="-|>", color="C1", lw=2))
    ax.plot(*tip, "s", color="C1", label="your first axis")
    ax.set(aspect="equal", xlabel="largest variance", ylabel="second largest")
    ax.legend()
    held = 100 * ((Xc @ got[:, 0]) ** 2).sum() / (got[:, 0] @ got[:, 0] * (Xc**2).sum())
    return fig, (
        f"The samples, and your first axis among them. It explains {held:.0f} % of the variance, and its "
        f"projection on this plane has the length {np.linalg.norm(projection):.2f}."
    )
