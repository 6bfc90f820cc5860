"""HOG: the same as scikit-image's and as slow loops, and what chapter 3 claims of it (item 03.2)."""

import itertools
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import skimage.feature
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_sample_image

import helpers.feature_extraction
from helpers.comparing import close
from helpers.feature_extraction.hog import cell_histograms, gradients, hog, normalize_blocks
from tests.helpers.covering import each_value

RNG = np.random.default_rng(0)
CHINA = load_sample_image("china.jpg")[100:174, 200:261]  # 74 x 61 pixels, three colours
PICTURES = {
    "float64": (RNG.random((74, 61)), None),
    "float32": (RNG.random((74, 61)).astype(np.float32), None),
    "float16": (RNG.random((74, 61)).astype(np.float16), None),
    "whole numbers": (CHINA[:, :, 1], None),
    "boolean": (RNG.random((74, 61)) > 0.5, None),
    "colours last": (CHINA, -1),
    "colours first": (np.moveaxis(CHINA, 2, 0) / 255, 0),
    "colours between, float32": (np.moveaxis(CHINA, 2, 1).astype(np.float32), 1),
}
NORMS = ["L1", "L1-sqrt", "L2", "L2-Hys"]


def twin(image, **options):
    return skimage.feature.hog(image, **options)


# ------------------------------------------------------------ the same as the twin, over every option
@each_value
@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("transform_sqrt", [False, True])
@pytest.mark.parametrize("feature_vector", [False, True])
def test_every_picture_and_norm(kind, transform_sqrt, feature_vector):
    image, axis = PICTURES[kind]
    for norm, block in itertools.product(NORMS, [(1, 1), (2, 3)]):
        options = dict(
            block_norm=norm,
            cells_per_block=block,
            transform_sqrt=transform_sqrt,
            feature_vector=feature_vector,
            channel_axis=axis,
        )
        ours, theirs = hog(image, **options), twin(image, **options)
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        assert np.abs(ours - theirs).max() < 1e-6  # the twin adds cells in float32


@each_value
@pytest.mark.parametrize("cell", [(8, 8), (1, 1), (7, 5), (5, 8), (3, 2), (37, 30)])
@pytest.mark.parametrize("orientations", [1, 2, 3, 8, 9, 12, 14, 36])
def test_every_cell_and_number_of_bins(cell, orientations):
    for image in (CHINA[:, :, 0], PICTURES["float64"][0]):
        options = dict(pixels_per_cell=cell, orientations=orientations, cells_per_block=(2, 2))
        assert np.abs(hog(image, **options) - twin(image, **options)).max() < 1e-6


def test_defaults_are_the_twins():
    assert np.abs(hog(CHINA[:, :, 0]) - twin(CHINA[:, :, 0])).max() < 1e-6
    steps = normalize_blocks(cell_histograms(*gradients(CHINA[:, :, 0])))
    assert (steps == hog(CHINA[:, :, 0], feature_vector=False)).all()


def test_a_whole_photograph():  # reference: Dalal and Triggs 2005
    grey = load_sample_image("china.jpg").mean(axis=2) / 255
    assert np.abs(hog(grey) - twin(grey)).max() < 1e-6
    window = grey[:128, :64]
    assert len(hog(window, cells_per_block=(2, 2), orientations=9)) == 7 * 15 * 4 * 9 == 3780


def test_edges_just_below_180_degrees_are_folded_to_0():
    """Rounding may give an angle of -1e-17; scikit-image 0.26 puts such pixels in no bin at all."""
    down, along = np.full((8, 8), -1e-17), np.ones((8, 8))
    assert cell_histograms(down, along, orientations=9)[0, 0].tolist() == [1] + [0] * 8


# ------------------------------------------------------------ the same as slow loops
def hog_by_loops(I, m, cell, block):
    """HOG with L2, pixel by pixel and block by block."""
    n, d = I.shape
    H = np.zeros((n // cell, d // cell, m))
    for y, x in itertools.product(range(n // cell * cell), range(d // cell * cell)):
        down = I[y + 1, x] - I[y - 1, x] if 0 < y < n - 1 else 0
        along = I[y, x + 1] - I[y, x - 1] if 0 < x < d - 1 else 0
        angle = math.degrees(math.atan2(down, along)) % 180 % 180
        H[y // cell, x // cell, int(angle // (180 / m))] += math.hypot(down, along) / cell**2
    out = []
    for r, c in itertools.product(range(H.shape[0] - block + 1), range(H.shape[1] - block + 1)):
        v = H[r : r + block, c : c + block].ravel()
        out.extend(v / math.sqrt(sum(v**2) + 1e-10))
    return np.array(out)


@pytest.mark.parametrize("m, cell, block", [(9, 4, 2), (4, 3, 1), (7, 5, 3), (1, 6, 2)])
def test_loops(m, cell, block):
    I = RNG.normal(size=(19, 23))
    ours = hog(I, orientations=m, pixels_per_cell=(cell, cell), cells_per_block=(block,) * 2, block_norm="L2")
    assert close(ours, hog_by_loops(I, m, cell, block))


def test_colours_take_the_strongest_channel_of_every_pixel():
    down, along = gradients(CHINA)
    each = [gradients(CHINA[:, :, c]) for c in range(3)]
    for y, x in itertools.product(range(0, 74, 7), range(0, 61, 5)):
        strongest = max(range(3), key=lambda c: math.hypot(each[c][0][y, x], each[c][1][y, x]))
        assert (down[y, x], along[y, x]) == (each[strongest][0][y, x], each[strongest][1][y, x])


def test_a_ramp_to_the_right_is_at_0_and_one_downwards_at_90_degrees():  # arguments of arctan2
    ramp = np.tile(np.arange(24.0), (24, 1))
    for picture, bin in ((ramp, 0), (-ramp, 0), (ramp.T, 6), (ramp + ramp.T, 3), (ramp - ramp.T, 9)):
        inner = cell_histograms(*gradients(picture), orientations=12)[1, 1]
        assert inner.argmax() == bin and inner[bin] == inner.sum() > 0


def test_votes_are_lengths_and_none_is_lost():
    I = RNG.normal(size=(40, 30))
    down, along = gradients(I)
    total = np.hypot(down, along).sum()
    assert np.isclose(cell_histograms(down, along, pixels_per_cell=(5, 10)).sum() * 50, total)


# ------------------------------------------------------------ what holds for every picture
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 100), st.floats(-1e3, 1e3), st.sampled_from(NORMS))
def test_light_and_contrast_drop_out(seed, a, b, norm):  # a I + b, a > 0
    I = np.random.default_rng(seed).random((24, 24)) * 255
    assert np.abs(hog(a * I + b, block_norm=norm) - hog(I, block_norm=norm)).max() < 1e-4
    assert np.abs(hog(b - a * I, block_norm=norm) - hog(I, block_norm=norm)).max() < 1e-4  # a negative too


def test_a_quarter_turn_does_not_drop_out():
    I = PICTURES["float64"][0][:48, :48]
    assert np.abs(hog(np.rot90(I)) - hog(I)).max() > 0.05


@pytest.mark.parametrize("norm, size", [("L1", 1), ("L2", 2), ("L2-Hys", 2)])
def test_blocks_have_length_1(norm, size):
    blocks = hog(CHINA[:, :, 0], block_norm=norm, feature_vector=False)
    lengths = np.linalg.norm(blocks.reshape(blocks.shape[0] * blocks.shape[1], -1), ord=size, axis=1)
    assert np.allclose(lengths, 1, atol=1e-4) and blocks.min() >= 0


def test_a_flat_picture_gives_zeros():
    for norm in NORMS:
        assert not hog(np.full((24, 24), 7.0), block_norm=norm).any()


def test_norms_by_hand():
    v = np.array([[[3.0, 4.0, 0.0]]])

    def norm(how):
        return normalize_blocks(v, cells_per_block=(1, 1), block_norm=how).ravel()

    assert close(norm("L1"), np.array([3, 4, 0]) / 7.00001) and close(norm("L1-sqrt"), np.sqrt(norm("L1")))
    assert close(norm("L2"), [0.6, 0.8, 0], tol=1e-10)
    assert close(normalize_blocks(-v, cells_per_block=(1, 1), block_norm="L1").ravel(), -norm("L1"))
    assert close(norm("L2-Hys"), np.array([1, 1, 0]) / math.sqrt(2), tol=1e-8)
    tiny = normalize_blocks(v * 1e-5, cells_per_block=(1, 1), block_norm="L2").ravel()
    assert close(tiny, np.array([3, 4, 0]) / math.sqrt(26))  # ε² beside 5²·1e-10


def test_the_picture_is_left_alone():
    I = PICTURES["float64"][0].copy()
    hog(I, transform_sqrt=True)
    assert (I == PICTURES["float64"][0]).all()


# ------------------------------------------------------------ unhappy paths
@pytest.mark.parametrize(
    "image, options, message",
    [
        (np.ones((24, 24, 3)), {}, "for colours give the number of their axis"),
        (np.ones((24, 24)), {"channel_axis": -1}, "has shape"),
        (np.ones(24), {}, r"has shape \(24,\)"),
        (np.ones((0, 24)), {}, r"has shape \(0, 24\)"),
        (np.ones((24, 24)) * 1j, {}, "dtype complex128"),
        (np.full((24, 24), "a"), {}, "holds real numbers"),
        (np.full((24, 24), np.nan), {}, "NaN or infinite"),
        (np.full((24, 24), np.inf), {}, "NaN or infinite"),
        (np.eye(24) - 0.1, {"transform_sqrt": True}, "some pixels are negative"),
        (np.ones((24, 24)), {"block_norm": "max"}, "use 'L1', 'L1-sqrt', 'L2', 'L2-Hys'"),
        (np.ones((24, 24)), {"orientations": 0}, "each must be >= 1"),
        (np.ones((24, 24)), {"pixels_per_cell": (0, 8)}, "each must be >= 1"),
        (np.ones((24, 24)), {"cells_per_block": (3, 0)}, "each must be >= 1"),
        (np.ones((23, 24)), {}, "23 x 24 pixels, but a block of 3 x 3 cells needs 24 x 24"),
        (np.ones((24, 23)), {}, "24 x 23 pixels, but a block of 3 x 3 cells needs 24 x 24"),
        (np.ones((9, 9)), {"pixels_per_cell": (2, 3), "cells_per_block": (5, 3)}, "needs 10 x 9"),
        (np.ones((9, 9)), {"pixels_per_cell": (3, 2), "cells_per_block": (3, 5)}, "needs 9 x 10"),
    ],
)
def test_refused(image, options, message):
    with pytest.raises(ValueError, match=message):
        hog(image, **options)


def test_zero_pixels_have_roots():
    assert close(hog(np.eye(24), transform_sqrt=True), hog(np.eye(24)))


def test_folder_gives_functions_whatever_is_imported_first():
    """`hog` is also the name of a module, which must not stand in the function's place."""
    check = """
import sys
from helpers.feature_extraction.hog import gradients
from helpers.feature_extraction import hog
assert callable(hog)
assert not {"helpers.feature_extraction.sift", "matplotlib", "sklearn"} & set(sys.modules)
"""
    root = Path(helpers.feature_extraction.__file__).parents[2]
    subprocess.run([sys.executable, "-c", check], check=True, cwd=root)
