"""What each live figure computes, and what helpers compute of the same: at least 200 inputs a figure."""

import numpy as np

from helpers.decomposition import PCA
from helpers.neighbors import KNeighborsClassifier, k_nearest

MANY = 200


def axes(data, rng):
    clouds = rng.normal(size=(MANY, 12, 2)) * rng.uniform(0.2, 4, size=(MANY, 1, 2)) + rng.normal(size=2)
    for points in clouds:
        pca = PCA(2).fit(points)
        x, y = pca.components_[0]
        wanted = {
            "mean": pca.mean_,
            "variances": pca.explained_variance_,
            "share": pca.explained_variance_ratio_[0],
            "turn": np.mod(np.arctan2(y, x), np.pi),
        }
        yield {"points": points.tolist()}, wanted, lambda got: {**got, "turn": np.mod(got["angle"], np.pi)}


def neighbours(data, rng):
    X, y = np.array(data["known"]["X"]), np.array(data["known"]["y"])
    for at in rng.uniform([32, 13], [60, 22], size=(MANY, 2)):
        k = int(rng.integers(1, len(y) + 1))
        model = KNeighborsClassifier(k).fit(X, y)
        votes = k * model.predict_proba([at])[0]
        wanted = {"near": k_nearest(X, [at], k)[1][0], "votes": votes, "answer": model.predict([at])[0]}
        yield {"at": at.tolist(), "k": k}, wanted, None
