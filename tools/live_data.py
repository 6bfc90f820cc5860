"""The data of each live figure, made with helpers: a function for each name in docs/live/live.toml."""

import base64
import json

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.datasets import load_diabetes
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.datasets import randhie

from helpers import datasets
from helpers.methods.ecoc import code_distance, random_code
from helpers.methods.ksvd import KSVD

BILLS = ["bill_length_mm", "bill_depth_mm"]


def written(name):
    """The figure's data as its file holds them."""
    return json.dumps(globals()[name.replace("-", "_")](), separators=(",", ":")) + "\n"


def listed(values, digits=2):
    """Nested lists of rounded numbers; what is drawn and computed is the rounded number."""
    return np.round(values, digits).tolist()


def axes():
    """Fifteen Gentoo bills from their mean; the bird of the bet goes straight up."""
    gentoo = datasets.load_penguins().query("species == 'Gentoo'")[BILLS].dropna().to_numpy()
    birds = gentoo[np.random.default_rng(3).permutation(len(gentoo))[:15]]
    points = birds - birds.mean(axis=0)
    stray = int(np.abs(points[:, 0] + 2).argmin())
    return {"points": listed(points, 1), "stray": stray, "to": [float(points[stray, 0].round(1)), 10.0]}


def neighbours():
    """Half of the penguins, bills in millimetres, to learn from; the other half to be asked about.

    On this draw the chapter's stranger gets from half of the birds the votes that it gets from all: 1, 3, 1.
    """
    penguins = datasets.load_penguins().dropna(subset=BILLS)
    species, y = np.unique(penguins["species"], return_inverse=True)
    order = np.random.default_rng(3).permutation(len(y))
    rows = penguins[BILLS].to_numpy()
    half = len(y) // 2
    parts = {"known": order[:half], "fresh": order[half:]}
    return {
        "species": species.tolist(),
        **{name: {"X": listed(rows[i], 1), "y": y[i].tolist()} for name, i in parts.items()},
    }


def faces():
    """Mean, 99 principal axes and six faces' scores; each axis in bytes with a unit of its own."""
    faces = datasets.load_faces()
    pca = PCA(99).fit(faces)
    chosen = [41, 3, 85, 17, 60, 28]
    units = np.abs(pca.components_).max(axis=1) / 127
    packed = np.round(pca.components_ / units[:, None]).astype(np.int8)
    return {
        "mean": listed(pca.mean_, 3),
        "axes": base64.b64encode(packed.tobytes()).decode(),
        "units": listed(units, 7),
        "scores": listed(pca.transform(faces[chosen]), 4),
        "chosen": chosen,
        "hidden": 2,
    }


def fisher():
    """Bills of two species, their middle, and the angles of two axes that one might take instead."""
    penguins = datasets.load_penguins().dropna(subset=BILLS)
    names = ["Chinstrap", "Gentoo"]
    groups = [penguins.loc[penguins["species"] == name, BILLS].to_numpy() for name in names]
    rows = np.vstack(groups)
    between = groups[1].mean(axis=0) - groups[0].mean(axis=0)
    rivals = {"PCA": PCA(1).fit(rows).components_[0], "means": between}
    return {
        "names": names,
        "groups": [listed(group, 1) for group in groups],
        "middle": listed(rows.mean(axis=0), 1),
        "rivals": [
            {"name": name, "degrees": round(float(np.degrees(np.arctan2(w[1], w[0])) % 180), 1)}
            for name, w in rivals.items()
        ],
    }


def short_circuit():
    """700 points of the chapter's rolled sheet, and two of them that lie far apart on it."""
    turned = np.linspace(1.5 * np.pi, 4.5 * np.pi, 5001)
    length = (turned * np.sqrt(1 + turned**2) + np.arcsinh(turned)) / 2  # of the spiral
    sheet = np.random.default_rng(0).uniform([length[0], 0], [length[-1], 21], size=(700, 2))
    t = np.interp(sheet[:, 0], length, turned)
    roll = np.column_stack([t * np.cos(t), sheet[:, 1], t * np.sin(t)])
    ends = [int(((sheet - place) ** 2).sum(axis=1).argmin()) for place in ([16, 10], [97, 10])]
    return {"roll": listed(roll), "sheet": listed(sheet), "ends": ends, "least": 5, "most": 16}


def counts():
    """The chapter's weak link: 56 and 44 % in two halves of 100."""
    return {"shares": [0.56, 0.44], "n": 100}


def threshold():
    """The chapter's insurer: probabilities of many visits for the half not in training, and who had them."""
    people = randhie.load_pandas().data
    frequent = people.pop("mdvis").to_numpy() >= 12
    about = people.to_numpy()
    alike = people.groupby(list(people)).ngroup().to_numpy()
    shuffled = np.random.default_rng(0).permutation(alike.max() + 1)
    known = shuffled[alike] * 2 < alike.max()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(about[known], frequent[known])
    p, y = model.predict_proba(about[~known])[:, 1], frequent[~known]
    return {"p": listed(p, 4), "y": y.astype(int).tolist(), "price": 60, "saved": 900}


def path():
    """The diabetes table, scaled, as far as the Lasso needs it: all products of its columns and with y."""
    patients = load_diabetes(scaled=False)
    X = (patients.data - patients.data.mean(axis=0)) / patients.data.std(axis=0)
    y = patients.target - patients.target.mean()
    return {
        "names": "age sex bmi bp tc ldl hdl tch ltg glu".split(),
        "odd": 6,
        "about": "a kind of cholesterol",
        "G": listed(X.T @ X, 6),
        "c": listed(X.T @ y, 6),
        "most": float(np.round(2 * np.abs(X.T @ y).max(), 6)),
    }


def sampling():
    """The chapter's tone, 3 waves a second, at 4 samples a second."""
    return {"tone": 3, "rate": 4}


def code():
    """Fifteen questions that split ten digits, the widest of 200 draws; the order in which answers fail."""
    drawn = [random_code(10, 15, random_state=seed) for seed in range(200)]
    code = max(drawn, key=code_distance)
    order = np.random.default_rng(1).permutation(15)
    return {
        "code": code.astype(int).tolist(),
        "truth": 7,
        "order": order.tolist(),
        "distance": int(code_distance(code)),
    }


def ball():
    """500 points of the cube from -1 to 1 in 20 dimensions, in units that floats hold exactly."""
    points = np.random.default_rng(0).integers(-128, 129, size=(500, 20))
    return {"points": points.tolist(), "unit": 1 / 128}


def degree():
    """The chapter's penguins: mass from -1 to 1, bill depth; the rows of 20 draws of 30, its own first."""
    penguins = datasets.load_penguins().dropna()
    mass = penguins["body_mass_g"].to_numpy()
    x = 2 * (mass - mass.min()) / np.ptp(mass) - 1
    seeds = [3, *(seed for seed in range(20) if seed != 3)]
    draws = [np.random.default_rng(seed).permutation(len(x))[:30].tolist() for seed in seeds]
    points = np.column_stack([x, penguins["bill_depth_mm"]])
    return {"points": listed(points, 4), "draws": draws, "most": 10}


def scales():
    """40 tumours of the chapter's skewed column; the one nearest the middle will be wrong."""
    tumours, _, names = datasets.load_cancer()
    values = np.random.default_rng(0).permutation(tumours[:, names.index("area error")])[:40]
    return {"values": listed(values), "stray": int(np.abs(values - np.median(values)).argmin())}


def atoms():
    """The chapter's dictionary, in bytes; four unseen patches of length 1, the chapter's upper one first.

    An atom's sign is nobody's choice: the first of each patch is turned to resemble it.
    """
    camera = datasets.load_camera()
    seen, unseen = patches(camera[:, :256], step=4), patches(camera[:, 256:], step=8)
    learned = KSVD(256, n_nonzero_coefs=4, max_iter=7, random_state=0).fit(seen).components_
    chosen = unseen[[1506, 1806, 1399, 813]]
    products = learned @ chosen.T
    first = np.abs(products).argmax(axis=0), range(len(chosen))
    learned[first[0]] *= np.sign(products[first])[:, None]
    packed = np.round(127 * learned / np.abs(learned).max(axis=1, keepdims=True)).astype(np.int8)
    return {
        "atoms": base64.b64encode(packed.tobytes()).decode(),
        "patches": listed(chosen / np.linalg.norm(chosen, axis=1, keepdims=True), 5),
        "most": 12,
    }


def patches(image, step):
    """All 8 × 8 patches on a grid of this step, each less its mean, as rows."""
    rows = sliding_window_view(image, (8, 8))[::step, ::step].reshape(-1, 64)
    return rows - rows.mean(axis=1, keepdims=True)
