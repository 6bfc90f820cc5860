"""The data of each live figure, made with helpers: a function for each name in docs/live/live.toml."""

import json

import numpy as np

from helpers import datasets

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
    """Half of the penguins, bills in millimetres, to learn from; the other half to be asked about."""
    penguins = datasets.load_penguins().dropna(subset=BILLS)
    species, y = np.unique(penguins["species"], return_inverse=True)
    order = np.random.default_rng(0).permutation(len(y))
    rows = penguins[BILLS].to_numpy()
    half = len(y) // 2
    parts = {"known": order[:half], "fresh": order[half:]}
    return {
        "species": species.tolist(),
        **{name: {"X": listed(rows[i], 1), "y": y[i].tolist()} for name, i in parts.items()},
    }
