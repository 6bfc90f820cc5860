"""What each live figure computes, and what helpers compute of the same: at least 200 inputs a figure."""

import base64
import math

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.sparse.csgraph import shortest_path
from scipy.stats import chi2_contingency
from sklearn.datasets import load_diabetes
from sklearn.decomposition import PCA
from sklearn.linear_model import Lasso
from sklearn.metrics import confusion_matrix
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import MinMaxScaler, QuantileTransformer, RobustScaler, StandardScaler

from helpers.chapters.knn import dimension
from helpers.datasets import load_faces
from helpers.methods.ecoc import nearest_code
from helpers.methods.ksvd import batch_omp
from tests.listings import listing

MANY = 200
# Beyond rounding of floats: axes of faces are bytes, the products of the diabetes table have six decimals.
WITHIN = {"faces": 0.01, "path": 2e-6}


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
    """By the chapter's listings, since scikit-learn leaves open which of equally near rows comes first."""
    X, y = np.array(data["known"]["X"]), np.array(data["known"]["y"])
    chapter = "01-knn"
    nearest_by_sorting, vote = listing(chapter, "nearest_by_sorting"), listing(chapter, "vote")
    for at in rng.uniform([32, 13], [60, 22], size=(MANY, 2)):
        k = int(rng.integers(1, len(y) + 1))
        _, near = nearest_by_sorting(X, at, k)
        shares = vote(y[near], np.ones(k), range(3))
        wanted = {"near": near, "votes": k * shares, "answer": shares.argmax()}
        yield {"at": at.tolist(), "k": k}, wanted, None


def faces(data, rng):
    X = load_faces()
    pca = PCA(99).fit(X)
    chosen = X[data["chosen"]]
    scores = pca.transform(chosen)
    for _ in range(MANY):
        face, k = int(rng.integers(len(chosen))), int(rng.integers(100))
        shorter = np.where(np.arange(99) < k, scores[face], 0)
        wanted = {
            "pixels": pca.inverse_transform(shorter[None])[0],
            "kept": (shorter**2).sum() / (scores[face] ** 2).sum(),
        }
        yield {"face": face, "k": k}, wanted, None


def fisher(data, rng):
    X, y = np.vstack(data["groups"]), np.repeat([0, 1], [len(group) for group in data["groups"]])
    for angle in rng.uniform(0, np.pi, MANY):
        one, other = (X[y == c] @ [np.cos(angle), np.sin(angle)] for c in (0, 1))
        criterion = (one.mean() - other.mean()) ** 2 / (one.var() + other.var())  # (3.3)
        yield {"angle": angle}, {"criterion": criterion}, None


def short_circuit(data, rng):
    graphs = {
        k: kneighbors_graph(data["roll"], k, mode="distance") for k in range(data["least"], data["most"] + 1)
    }
    ways = {k: shortest_path(graph, directed=False) for k, graph in graphs.items()}
    for i in range(MANY):
        k = data["least"] + i % len(ways)
        start, goal = rng.choice(len(data["roll"]), 2, replace=False)
        yield {"from": int(start), "to": int(goal), "k": k}, {"length": ways[k][start, goal]}, None


def counts(data, rng):
    for _ in range(MANY):
        half, shares = int(rng.integers(20, 5000)), rng.uniform(0.05, 0.95, 2)
        if rng.random() < 0.5:  # nearly alike: p between 0 and 1
            shares[1] = np.clip(shares[0] + rng.normal() / np.sqrt(half), 0.05, 0.95)
        yes = [math.floor(share * half + 0.5) for share in shares]
        table = np.array([[one, half - one] for one in yes])
        test = chi2_contingency(table, correction=False)
        wanted = {
            "table": table,
            "expected": test.expected_freq,
            "statistic": test.statistic,
            "p": test.pvalue,
            "strength": math.sqrt(test.statistic / (2 * half)),
        }
        yield {"n": 2 * half, "shares": shares.tolist()}, wanted, None


def threshold(data, rng):
    y, p = np.array(data["y"], bool), np.array(data["p"])
    cuts = rng.choice(p, MANY) + rng.choice([0, 1e-5], MANY)
    for cut in cuts:
        tn, fp, fn, tp = confusion_matrix(y, p >= cut).ravel()
        saved, price = rng.integers(100, 2000), 60
        wanted = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "recall": tp / y.sum(), "alarms": fp / (~y).sum()}
        wanted |= {"precision": tp / max(1, tp + fp), "profit": (saved * tp - price * (tp + fp)) / 1000}
        yield {"cut": cut, "saved": int(saved), "price": price}, wanted, None


def path(data, rng):
    patients = load_diabetes(scaled=False)
    X = (patients.data - patients.data.mean(axis=0)) / patients.data.std(axis=0)
    y = patients.target - patients.target.mean()
    for lam in data["most"] * 10 ** rng.uniform(-4, 0, MANY):
        w = Lasso(alpha=lam / (2 * len(y)), tol=1e-14, max_iter=200_000).fit(X, y).coef_
        yield {"lam": lam}, {"w": w, "active": (w != 0).sum()}, None


def sampling(data, rng):
    """The package has no sampling: NumPy's spectrum of many samples has its peak at the alias."""
    for _ in range(MANY):
        n, turns = 64, int(rng.integers(1, 400) if rng.random() < 0.8 else 32 * rng.integers(1, 12))
        rate = rng.uniform(1, 12)
        tone = turns * rate / n
        times = np.arange(n) / rate
        samples = np.sin(2 * np.pi * tone * times)
        peak = np.abs(np.fft.rfft(samples)).argmax()
        spectrum = np.fft.rfft(samples)[peak]
        wanted = {
            "times": times,
            "samples": samples,
            "alias": 0 if turns % 32 == 0 else peak * rate / n,  # else all dots are 0: silence
            "sign": 0 if turns % 32 == 0 else -np.sign(spectrum.imag),
        }
        yield {"tone": tone, "rate": rate, "seconds": (n - 1) / rate}, wanted, None


def code(data, rng):
    code = np.array(data["code"])
    for _ in range(MANY):
        answers = rng.integers(0, 2, code.shape[1])
        wanted = {
            "nearest": nearest_code(answers[None], code)[0],
            "distances": (answers != code).sum(axis=1),
        }
        yield {"answers": answers.tolist()}, wanted, None


def ball(data, rng):
    """(1.10) with what the chapter's derivation draws for it: a dimension, pi and the gamma function."""
    points = np.array(data["points"])
    for _ in range(MANY):
        d, pi, gamma = dimension(rng).values()
        lengths = np.sqrt(((points[:, :d] * data["unit"]) ** 2).sum(axis=1))
        share = pi ** (d / 2) / gamma(d / 2 + 1) / 2**d
        wanted = {"lengths": lengths, "share": share, "inside": (lengths <= 1).sum()}
        yield {"d": d}, wanted, None


def degree(data, rng):
    """As the chapter fits: least squares on Legendre's basis. Ridge squares the condition number first."""
    points = np.array(data["points"])
    for _ in range(MANY):
        degree, order = int(rng.integers(1, 11)), rng.permutation(len(points))
        order = order[:70]
        seen, others = points[order[:30]], points[order[30:]]
        basis = legvander(points[order, 0], degree)
        w = np.linalg.lstsq(basis[:30], seen[:, 1], rcond=None)[0]
        gaps = (points[order, 1] - basis @ w) ** 2
        wanted = {"w": w, "seen": gaps[:30].mean(), "others": gaps[30:].mean()}
        yield {"degree": degree, "seen": seen.tolist(), "others": others.tolist()}, wanted, None


def scales(data, rng):
    """Skewed columns, each with a stray."""
    for _ in range(MANY):
        n = int(rng.integers(5, 60))
        column, stray = np.exp(rng.normal(size=n)), int(rng.integers(n))
        column[stray] = column.max() * rng.uniform(0.5, 100)
        four = StandardScaler(), MinMaxScaler(), RobustScaler(), QuantileTransformer(n_quantiles=n)
        scaled = [scaler.fit_transform(column[:, None])[:, 0] for scaler in four]
        wanted = dict(zip(("zscore", "minmax", "robust", "quantiles"), scaled, strict=True))
        wanted["others"] = [np.delete(one, stray).std() for one in scaled]
        yield {"values": column.tolist(), "stray": stray}, wanted, None


def atoms(data, rng):
    """The figure's patches, patches between them, and noise."""
    packed = np.frombuffer(base64.b64decode(data["atoms"]), np.int8).reshape(-1, 64).astype(float)
    atoms, patches = packed / np.linalg.norm(packed, axis=1, keepdims=True), np.array(data["patches"])
    for i in range(MANY):
        mixed = rng.normal(size=len(patches)) @ patches + rng.normal(size=64) / 8
        x, s = patches[i] if i < len(patches) else mixed, int(rng.integers(1, data["most"] + 1))
        codes = batch_omp(x[None], atoms, n_nonzero_coefs=s)[0]

        def unfolded(got):
            full = np.zeros(len(atoms))
            full[got["chosen"]] = got["steps"][-1]["codes"]
            return {"codes": full, "left": got["steps"][-1]["left"]}

        wanted = {"codes": codes, "left": np.linalg.norm(x - codes @ atoms)}
        yield {"x": x.tolist(), "s": s}, wanted, unfolded
