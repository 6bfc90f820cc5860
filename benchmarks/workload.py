"""A workload: data of a fixed size, what `helpers` does with them, what its peers do, and how they agree.

A module of `benchmarks.families` declares each as a function of its sizes that returns a `Case`:

    @workload("{n} rows", small=dict(n=150), typical=dict(n=2000), grow={"n": 2500})
    def knn(n=20000): ...

Three shapes are measured: ``small``, what a notebook holds; ``typical``; and ``large``, the defaults of the
function. ``grow`` names sizes and where each begins; it is doubled three times from there.
"""

from importlib.util import find_spec
from inspect import signature
from typing import Callable, NamedTuple

import numpy as np

FAMILIES = {}
SHAPES = ("small", "typical", "large")
PACKAGES = {
    "scikit-learn": "sklearn",
    "imbalanced-learn": "imblearn",
    "feature-engine": "feature_engine",
    "cca-zoo": "cca_zoo",
    "scikit-image": "skimage",
}  # where the import has another name
PEERS = (
    "sklearn",
    "imblearn",
    "skimage",
    "pandas",
    "mlxtend",
    "skrebate",
    "dictlearn",
    "ksvd",
    "celer",
    "skglm",
    "cca_zoo",
    "picard",
    "feature_engine",
    "fancyimpute",
)


class Case(NamedTuple):
    """Functions without arguments; ``agree(ours, peer, theirs)`` gives (what, difference, allowed) triples.

    A peer's key is its package, with what it was asked for in brackets where one package is several peers.
    """

    ours: Callable
    peers: dict
    agree: Callable


class Workload(NamedTuple):
    """A family: its data in words, what makes its case, its sizes at each shape, how it grows."""

    name: str
    data: str
    make: Callable
    shapes: dict
    grow: dict

    def words(self, shape):
        """What its data are at this shape."""
        return self.data.format(**self.shapes[shape])


def workload(data, *, small, typical, grow):
    """Register a family under the function's name; ``data`` names its sizes in braces."""

    def register(make):
        large = {name: size.default for name, size in signature(make).parameters.items()}
        shapes = {"small": large | small, "typical": large | typical, "large": large}
        FAMILIES[make.__name__] = Workload(make.__name__, data, make, shapes, grow)
        return make

    return register


def package(peer):
    """The module that a peer's name stands for: 'scikit-learn (eigen)' is 'sklearn'."""
    name = peer.split(" (")[0]
    return PACKAGES.get(name, name)


def is_there(peer):
    return find_spec(package(peer)) is not None


# ---------------------------------------------------------------- agreement
def relative(a, b):
    """Largest difference over the largest number of b."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300))


def turned(a, b):
    """`relative`, each column of a with the sign that fits b."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return relative(a * np.where((a * b).sum(axis=0) < 0, -1, 1), b)


def differing(a, b):
    """How many entries are not the same."""
    return int((np.asarray(a) != np.asarray(b)).sum())


def equal_within(limit):
    """Agreement of plain numbers."""
    return lambda ours, peer, theirs: [("largest difference, relative", relative(ours, theirs), limit)]


def same(ours, peer, theirs):
    """Agreement of labels, ranks or chosen columns."""
    return [("entries differing", differing(ours, theirs), 0)]


def same_up_to_sign(limit):
    """Agreement of scores whose columns may be turned round."""
    return lambda ours, peer, theirs: [("largest difference, up to sign", turned(ours, theirs), limit)]
