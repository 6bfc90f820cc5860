"""A chapter's module: its figures compute nothing; what it draws at random is generic and hangs on a seed."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers import chapters
from helpers.chapters import pca as figures
from helpers.derivation import SHAPES

DRAWS = {"numpy", "matplotlib", "helpers.plotting"}  # what a figure may use
LINES = 40
# Draws of a case that is nearly always the same, or of functions.
ONE_CASE = ("atoms_at_one_angle", "collision", "lattice", "one_feature", "smooth")
MODULES = [
    importlib.import_module(m.name) for m in pkgutil.iter_modules(chapters.__path__, chapters.__name__ + ".")
]


def problems(source):
    """What a figure does that the package's docstring forbids."""
    tree = ast.parse(source)
    others = dict(imported(tree))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("show_"):
            if not ast.get_docstring(node):
                yield f"{node.name} has no docstring"
            if code_lines(node) > LINES:
                yield f"{node.name} has more than {LINES} lines"
            yield from (f"{node.name} {what}" for what in computed(node, others))


def imported(tree):
    """(name, module) of all that is neither NumPy, Matplotlib nor the course's plotting."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not plots(node.module):
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (
                (alias.asname or alias.name, alias.name) for alias in node.names if not plots(alias.name)
            )


def plots(module):
    return module in DRAWS or module.split(".")[0] in ("numpy", "matplotlib")


def computed(function, others):
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in others:
            yield f"uses {node.id} of {others[node.id]}"
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith(("np.linalg", "np.random")):
            if node.attr not in ("linalg", "norm"):
                yield f"computes {ast.unparse(node)}"


def code_lines(node):
    first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
    return node.end_lineno - first.lineno + 1


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_what_draws_computes_nothing(module):
    assert list(problems(inspect.getsource(module))) == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            "from sklearn.decomposition import PCA\ndef show_it(X):\n    'It.'\n    PCA().fit(X)",
            "uses PCA of sklearn.decomposition",
        ),
        ("def show_axes(X):\n    'Axes.'\n    return np.linalg.eigh(X)", "computes np.linalg.eigh"),
        ("def show_axes(X):\n    return X", "has no docstring"),
        ("def show_much(X):\n    'Much.'\n" + "    X = 1\n" * 41, "more than 40 lines"),
    ],
)
def test_a_drawing_that_does_more_is_noticed(source, why):
    assert any(why in problem for problem in problems(source))


def test_every_figure_is_shown_in_a_notebook():
    root = Path(__file__).resolve().parents[2]
    paths = [
        path for folder in ("notebooks", "solutions", "tests/site") for path in root.glob(f"{folder}/*.ipynb")
    ]
    said = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    figures_ = {name for module in MODULES for name in vars(module) if name.startswith("show_")}
    assert len(figures_) > 20
    assert {name for name in figures_ if not re.search(rf"\b{name}\b", said)} == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_draws_say_what_they_draw_and_hang_on_their_seed(module):
    for name, function in draws_of(module):
        assert function.__doc__, name
        if name in ONE_CASE:
            continue
        both = [drawn(function, seed) for seed in (0, 0, 1)]
        assert all(same(both[0][key], both[1][key]) for key in both[0]), f"{name} draws what no seed repeats"
        assert not all(same(both[0][key], both[2][key]) for key in both[0]), (
            f"{name} draws the same for each seed"
        )


def draws_of(module):
    """Its functions that take rng, or rng and a shape: nothing else does."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        takes = list(inspect.signature(function).parameters)
        if takes in (["rng"], ["rng", "shape"]) and function.__module__ == module.__name__ and name[0] != "_":
            yield name, function


def drawn(function, seed):
    shaped = "shape" in inspect.signature(function).parameters
    return function(np.random.default_rng(seed), *[SHAPES[0]] * shaped)


def same(a, b):
    """Equal arrays, lists of such, or functions that agree at 0 and 1."""
    if inspect.isfunction(a):
        return a is b or all(same(a(k), b(k)) for k in (0, 1))
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(np.asarray(a), np.asarray(b))


# ---- chapter 2


@pytest.fixture
def sentences(monkeypatch):
    said = []
    monkeypatch.setattr("helpers.chapters.pca.show", lambda fig, alt: said.append((fig, alt)))
    yield said
    plt.close("all")


def test_shadows_and_their_shares(sentences):
    X = np.array([[3.0, 1], [-3, -1], [0, 2], [0, -2]])
    figures.show_shadows(X, {"across": np.array([1.0, 0]), "up": np.array([0, 1.0])}, ("a (mm)", "b (mm)"))
    [(fig, alt)] = sentences
    assert alt == "4 samples, centred, and their shadows on 2 axes. Spread kept: across 64 %, up 36 %."
    assert [ax.get_title() for ax in fig.axes] == ["across: 64 % kept", "up: 36 % kept"]
    shadows = fig.axes[0].collections[1].get_offsets()
    assert np.allclose(shadows, X * [1, 0]) and fig.axes[0].get_xlabel() == "a (mm)"


def test_triangle_and_trade_off(sentences):
    X = np.array([[3.0, 4], [-3, -4]])
    angles, kept = np.radians([0.0, 45, 90]), np.array([0.2, 0.9, 0.8])
    figures.show_triangle_and_trade_off(X, 0, np.array([1.0, 0]), angles, kept, 1 - kept)
    [(fig, alt)] = sentences
    names = [text.get_text() for text in fig.axes[0].texts]
    assert names == ["kept: 3.0 mm", "lost: 4.0 mm", "bird: 5.0 mm"]
    assert "3 axes keep between 20 and 90 %" in alt


def test_frames_are_orthonormal_and_clouds_centred():
    for shape in SHAPES:
        one = figures.frame(np.random.default_rng(1), shape)
        assert np.allclose(one["W"].T @ one["W"], np.eye(one["k"])) and one["W"].shape == (one["d"], one["k"])
        two = figures.cloud(np.random.default_rng(1), shape)
        assert two["X"].shape == (shape.n, shape.d) and np.allclose(two["X"].mean(axis=0), 0)
        three = figures.one_row(np.random.default_rng(1), shape)
        assert np.isclose(np.linalg.norm(three["w"]), 1) and three["x"].shape == (shape.d,)
