"""Everybody can read the figures: colours stay apart for every eye, no series is known by colour alone."""

import ast
from itertools import combinations

import numpy as np
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from matplotlib.colors import to_rgb
from skimage.color import deltaE_ciede2000, rgb2lab

from helpers.plotting import COLOURS, LINES, MARKERS
from tools.site.notebook_reader import notebooks

# Machado, Oliveira and Fernandes (2009), severity 1: what a reader without one kind of cone sees (linear RGB)
EYES = {
    "all cones": np.eye(3),
    "no red cones": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green cones": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue cones": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Delta E 2000 is 1 where two large patches side by side can just be told apart. Marks of a few pixels, apart
# from each other, need several times as much: ten is asked for.
APART = 10
DRAWS = {"plot", "step", "scatter", "errorbar", "loglog", "semilogx", "semilogy"}
SHAPES = {"linestyle", "ls", "marker", "fmt", None}  # None: **kwargs
FORMATS = {"marker", "style", "line", "MARKERS", "LINES"}  # what holds a format, where it is passed by place


def seen(colour, eyes):
    """The colour in CIELAB, as these eyes see it."""
    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(EYES[eyes]) @ linear, 0, 1)
    return rgb2lab(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))


def confused(colours, eyes):
    """The pairs of colours that these eyes cannot well tell apart."""
    return [
        (a, b) for a, b in combinations(colours, 2) if deltaE_ciede2000(seen(a, eyes), seen(b, eyes)) < APART
    ]


@pytest.mark.parametrize("eyes", EYES)
def test_no_two_colours_are_confused(eyes):
    assert confused(COLOURS, eyes) == []


@pytest.mark.parametrize(
    ("other", "eyes"),
    [
        ("#2078B2", "all cones"),
        ("#8E72A8", "no red cones"),
        ("#B08A20", "no green cones"),
        ("#00A0A0", "no blue cones"),
    ],
)
def test_a_near_colour_would_be_noticed(other, eyes):
    """Each of these is close to one colour of the palette for its eyes."""
    assert confused([*COLOURS, other], eyes) != []


def test_white_paper_is_no_colour_of_the_palette():
    assert all(
        deltaE_ciede2000(seen(colour, eyes), seen("white", eyes)) > 2 * APART
        for colour in COLOURS
        for eyes in EYES
    )


def test_what_is_alike_in_grey_differs_in_marker_and_line():
    """Seven colours have no seven greys: where lightness is close, MARKERS and LINES differ."""
    light = [seen(colour, "all cones")[0] for colour in COLOURS]
    alike = [(i, j) for i, j in combinations(range(len(COLOURS)), 2) if abs(light[i] - light[j]) < APART]
    assert alike != []
    for i, j in alike:
        assert MARKERS[i] != MARKERS[j] and LINES[i % len(LINES)] != LINES[j % len(LINES)]


# ---- the notebooks' figures


def labelled(code):
    """(axes, drawing call, again and again on these axes?) for each series that a legend names."""
    tree = ast.parse(TransformerManager().transform_cell(code))
    loops = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.ListComp))]
    for call in ast.walk(tree):
        if (
            isinstance(call, ast.Call)
            and getattr(call.func, "attr", "") in DRAWS
            and "label" in {word.arg for word in call.keywords}
        ):
            around = [loop for loop in loops if any(node is call for node in ast.walk(loop))]
            again = any(not turned_to(loop) & named(call.func.value) for loop in around)
            yield ast.unparse(call.func.value), call, again


def named(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def turned_to(loop):
    """The names that are others in each round."""
    targets = [loop.target] if isinstance(loop, ast.For) else [one.target for one in loop.generators]
    return set().union(*map(named, targets))


def has_shape(call):
    """A marker or a line style is chosen for it, by name or by place."""
    built = (ast.JoinedStr, ast.BinOp)  # f"{marker}-", "o" + line
    parts = [ast.walk(arg) if isinstance(arg, built) else [getattr(arg, "value", arg)] for arg in call.args]
    names = {node.id for part in parts for node in part if isinstance(node, ast.Name)}
    text = any(isinstance(arg, ast.Constant) and isinstance(arg.value, str) for arg in call.args)
    return bool({word.arg for word in call.keywords} & SHAPES or names & FORMATS or text)


def by_colour_alone(code):
    """Series of a cell that only colour tells apart: two of a kind on the same axes, or many in a loop."""
    bare = [(axes, call, loop) for axes, call, loop in labelled(code) if not has_shape(call)]
    kinds = [(axes, call.func.attr) for axes, call, _ in bare]
    return [
        ast.unparse(call) for (axes, call, loop), kind in zip(bare, kinds) if loop or kinds.count(kind) > 1
    ]


@pytest.mark.parametrize("folder", ["notebooks", "solutions"])
def test_no_series_is_known_by_colour_alone(folder):
    cells = [
        (path.stem, cell.source)
        for path, nb in notebooks(folder).items()
        for cell in nb.cells
        if cell.cell_type == "code" and "label=" in cell.source and not cell.source.startswith("%%")
    ]
    assert sum(len(list(labelled(code))) for _, code in cells) > 10
    assert [f"{stem}: {call}" for stem, code in cells for call in by_colour_alone(code)] == []


@pytest.mark.parametrize(
    "code",
    [
        "ax.plot(x, label='a'); ax.plot(y, color='red', label='b')",
        "for k in range(3):\n    ax.plot(x[k], color=COLOURS[k], label=k)",
        "for ax in axs:\n    for k in range(3):\n        ax.plot(x[k], label=k)",
        "for k in range(3):\n    for ax in axs:\n        ax.plot(x[k], label=k)",
        "for ax in axs:\n    ax.plot(x, label='a')\n    ax.plot(y, label='b')",
    ],
)
def test_two_lines_that_differ_in_colour_only_are_noticed(code):
    assert by_colour_alone(code) != []


@pytest.mark.parametrize(
    "code",
    [
        "ax.plot(x, label='a'); ax.plot(y, '--', label='b')",
        "ax.plot(x, label='a'); ax.scatter(x, y, label='b')",
        "for k in range(3):\n    ax.plot(x[k], linestyle=LINES[k], label=k)",
        "left.plot(x, label='a'); right.plot(x, label='b')",
        "for ax in axs:\n    ax.scatter(x, y, label='a')\n    ax.scatter(x, z, marker='^', label='b')",
    ],
)
def test_lines_with_a_shape_of_their_own_pass(code):
    assert by_colour_alone(code) == []
