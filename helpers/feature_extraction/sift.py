"""SIFT in four steps: keypoints that move, turn and grow with the picture, chapter 3.

Step 1 `extrema`, step 2 `localise`, step 3 `orient`, step 4 `describe`; `detect_and_extract` does all four
and `match` compares. Written for reading: it does not race the libraries.

Lowe, Distinctive image features from scale-invariant keypoints, Int. J. Computer Vision 60, 2004. Constants
as in Rey Otero and Delbracio, Anatomy of the SIFT method, Image Processing On Line 4, 2014.

Positions and sizes are in pixels of the given picture, (0, 0) the centre of its first pixel. Angles are
``arctan2(change down the rows, change along the columns)`` in radians: 0 points right, π/2 down.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.ndimage import affine_transform, gaussian_filter, maximum_filter, minimum_filter

from helpers._checks import check_count
from helpers.feature_extraction._image import check_image
from helpers.neighbors import k_nearest

__all__ = [
    "ScaleSpace",
    "describe",
    "descriptor",
    "detect_and_extract",
    "edge_test",
    "extrema",
    "localise",
    "match",
    "orient",
    "orientation_histogram",
    "peaks",
    "scale_space",
]

CONTRAST, EDGE = 0.04 / 3, 10
CAMERA_BLUR = 0.5  # of a sharp picture, in pixels
FIRST_BLUR = 1.6  # of the first image of every octave, in its own pixels
SMALLEST_SIDE = 12  # of the last octave, in its own pixels
MOVES = 4  # of a candidate at most, from sample to sample
TOO_FAR = 0.6  # of an offset: the extremum lies nearer to another pixel
ANGLE_BINS = 36  # of the histogram of directions around a keypoint
ANGLE_WINDOW = 1.5  # standard deviation of its window, in units of the keypoint's σ
CELLS, BINS = 4, 8  # the descriptor: 4 · 4 cells of 8 directions
CELL_WIDTH = 3  # of a cell, in units of the keypoint's σ
CLIP = 0.2  # no number of a descriptor of length 1 is larger before the last normalisation


# ------------------------------------------------------------ step 1: extrema in scale and space
@dataclass
class ScaleSpace:
    """A picture at many blurs; octave o holds ``blurred[o]`` of shape (n_scales + 3, rows, columns).

    Its samples lie `step` (o) pixels of the picture apart, and its layer s is blurred by `sigma` (o, s)
    pixels. Every octave has half the samples and twice the blur of the one before.

    Attributes
    ----------
    blurred : list of arrays, one for each octave
    first_step : float
        Pixels from sample to sample in octave 0.
    n_scales : int
        Layers in which the blur doubles.
    """

    blurred: list
    first_step: float
    n_scales: int

    def step(self, octave):
        """Pixels from sample to sample."""
        return self.first_step * 2.0 ** np.asarray(octave)

    def sigma(self, octave, layer):
        """Blur in pixels, ``1.6 · step · 2^(layer / n_scales)``."""
        return FIRST_BLUR * self.step(octave) * 2.0 ** (np.asarray(layer) / self.n_scales)

    def differences(self, octave):
        """Differences of Gaussians (DoG): every layer taken from the next, (n_scales + 2, rows, columns)."""
        return np.diff(self.blurred[octave], axis=0)

    def nearest(self, sigma):
        """Octave and layer whose blur is nearest to sigma."""
        layer = int(np.rint(self.n_scales * np.log2(sigma / self.sigma(0, 0))))
        octave = int(np.clip((layer - 1) // self.n_scales, 0, len(self.blurred) - 1))
        return octave, int(np.clip(layer - octave * self.n_scales, 0, self.n_scales + 2))

    def threshold(self, contrast):
        """The contrast asked for at 3 scales; where layers lie closer, differences are smaller."""
        return contrast * (2 ** (1 / self.n_scales) - 1) / (2 ** (1 / 3) - 1)


def scale_space(image, *, upsampling=2, n_octaves=8, n_scales=3):
    """Blur a picture more and more; after every doubling of the blur keep every second sample.

    Blurs add like variances: from σ₁ to σ₂ it takes a Gaussian of ``√(σ₂² - σ₁²)``.

    Parameters
    ----------
    image : array of shape (rows, columns)
        Grey. Whole numbers are divided by the largest of their type, floats lie from 0 to 1.
    upsampling : 1, 2 or 3
        Samples for each pixel in the first octave, a straight line between pixels: shows small structures.
    n_octaves : int
        At most; the last one has at least 12 samples on a side.
    n_scales : int
        Layers in which the blur doubles.

    Returns
    -------
    ScaleSpace

    Raises
    ------
    ValueError
        Not a grey picture, floats beyond 0 to 1, NaN, fewer than 12 samples on a side, another upsampling.

    Examples
    --------
    >>> space = scale_space(np.eye(32))
    >>> [octave.shape for octave in space.blurred]
    [(6, 64, 64), (6, 32, 32), (6, 16, 16)]
    """
    check_count("n_octaves", n_octaves)
    check_count("n_scales", n_scales)
    image = _upsampled(_unit_range(image), upsampling)
    if min(image.shape) < SMALLEST_SIDE:
        raise ValueError(f"the shorter side has {min(image.shape)} samples: SIFT needs {SMALLEST_SIDE}.")
    blurs = FIRST_BLUR * 2.0 ** (np.arange(n_scales + 3) / n_scales)  # in samples, for every octave
    layer = gaussian_filter(image, np.sqrt(blurs[0] ** 2 - (CAMERA_BLUR * upsampling) ** 2))
    octaves = []
    while len(octaves) < n_octaves and min(layer.shape) >= SMALLEST_SIDE:
        layers = [layer]
        for more in np.sqrt(np.diff(blurs**2)):
            layers.append(gaussian_filter(layers[-1], more))
        octaves.append(np.array(layers))
        layer = layers[n_scales][::2, ::2]  # twice the blur of layers[0]
    return ScaleSpace(octaves, 1 / upsampling, n_scales)


def _unit_range(image):
    whole = np.asarray(image).dtype
    image = check_image(image).astype(float)
    if whole.kind in "iu":
        image /= np.iinfo(whole).max
    if image.min() < 0 or image.max() > 1:
        raise ValueError(
            f"pixels go from {image.min():.3g} to {image.max():.3g}: scale them to 0 … 1, which "
            "the contrast test counts on."
        )
    return image


def _upsampled(image, factor):
    if factor not in (1, 2, 3):
        raise ValueError(f"upsampling={factor}: use 1, 2 or 3.")
    shape = tuple(side * factor for side in image.shape)
    return affine_transform(image, [1 / factor] * 2, output_shape=shape, order=1, mode="nearest")


def extrema(space, *, contrast=CONTRAST):
    """Step 1: samples of the DoG above, or below, all 26 neighbours in scale and space.

    Parameters
    ----------
    space : ScaleSpace
    contrast : float
        Candidates of less than 0.8 times this contrast are not worth the next step.

    Returns
    -------
    candidates : int array of shape (n, 4), columns octave, layer, row and column of the sample

    Examples
    --------
    >>> rows, columns = np.indices((33, 33))
    >>> blob = np.exp(-((rows - 16) ** 2 + (columns - 16) ** 2) / (2 * 3.0**2))
    >>> [0, 2, 16, 16] in extrema(scale_space(blob, upsampling=1)).tolist()
    True
    """
    found = []
    for octave in range(len(space.blurred)):
        D = space.differences(octave)
        most = (D == maximum_filter(D, 3)) | (D == minimum_filter(D, 3))
        at = np.argwhere(most & (np.abs(D) > 0.8 * space.threshold(contrast)))
        at = at[((at > 0) & (at < np.array(D.shape) - 1)).all(axis=1)]
        alone = (_cubes(D, at) == D[tuple(at.T)][:, None, None, None]).sum(axis=(1, 2, 3)) == 1
        found.append(np.insert(at[alone], 0, octave, axis=1))
    return np.concatenate(found)


def _cubes(D, at):
    """Every sample with its 26 neighbours; shape (n, 3, 3, 3)."""
    around = np.indices((3, 3, 3)) - 1
    return D[tuple(at.T[:, :, None, None, None] + around[:, None])]


# ------------------------------------------------------------ step 2: localisation
def localise(space, candidates, *, contrast=CONTRAST, edge=EDGE):
    """Step 2: where between the samples the extremum lies; low contrast and edges are dropped (erratum E13).

    Near a sample the DoG is ``D + gᵀx + ½ xᵀHx``, with its extremum at ``x = -H⁻¹g``, of height
    ``D + ½ gᵀx``. The height must pass the contrast test, the spatial part of H the `edge_test`.

    Parameters
    ----------
    space : ScaleSpace
    candidates : int array of shape (m, 4), see `extrema`
    contrast : float, share of the range of pixels, at 3 scales
    edge : float, largest ratio of the two curvatures

    Returns
    -------
    keypoints : array of shape (n, 3), columns row, column and σ, in pixels

    Examples
    --------
    >>> rows, columns = np.indices((64, 64))
    >>> blob = np.exp(-((rows - 30.3) ** 2 + (columns - 35) ** 2) / (2 * 4.0**2))
    >>> space = scale_space(blob)
    >>> localise(space, extrema(space)).round(1)
    array([[30.3, 35. ,  3.5]])
    """
    found = [np.empty((0, 3))]
    for octave in np.unique(candidates[:, 0]):
        D = space.differences(octave)
        at, offset, height, H = _refined(D, candidates[candidates[:, 0] == octave, 1:])
        good = (np.abs(offset) < TOO_FAR).all(axis=1) & (np.abs(height) > space.threshold(contrast))
        good &= edge_test(H[:, 1:, 1:], edge)
        layer, row, column = (at + offset)[good].T
        keypoints = np.column_stack([
            row * space.step(octave),
            column * space.step(octave),
            space.sigma(octave, layer),
        ])
        found.append(keypoints[_inside(keypoints, np.array(D.shape[1:]) * space.step(octave))])
    return np.concatenate(found)


def _refined(D, at):
    """Walk from sample to sample until the extremum is near; offset, height and Hessian there."""
    for _ in range(MOVES):
        offset, _, _ = _quadratic(D, at)
        walked = at + np.sign(offset).astype(int) * (np.abs(offset) > TOO_FAR)
        walked = np.clip(walked, 1, np.array(D.shape) - 2)
        if (walked == at).all():
            break
        at = np.unique(walked, axis=0)  # candidates that meet are one
    return at, *_quadratic(D, at)


def _quadratic(D, at):
    """Offset to the extremum of the quadratic around each sample, its height, the Hessian."""
    cubes = _cubes(D, at)
    g, H = _slopes(cubes)
    offset = -(np.linalg.pinv(H) @ g[:, :, None])[:, :, 0]  # x = -H⁻¹ g
    height = cubes[:, 1, 1, 1] + (g * offset).sum(axis=1) / 2  # D + ½ gᵀ x
    return offset, height, H


def _slopes(cubes):
    """Gradients (n, 3) and Hessians (n, 3, 3) by centred differences, in layer, row and column."""
    c = np.moveaxis(cubes, 0, -1)  # (3, 3, 3, n)
    one = np.eye(3, dtype=int)

    def at(shift):
        return c[tuple(1 + shift)]

    g = [(at(one[i]) - at(-one[i])) / 2 for i in range(3)]
    H = [
        [
            (at(one[i] + one[j]) - at(one[i] - one[j]) - at(one[j] - one[i]) + at(-one[i] - one[j])) / 4
            if i != j
            else at(one[i]) - 2 * at(0 * one[i]) + at(-one[i])
            for j in range(3)
        ]
        for i in range(3)
    ]
    return np.stack(g, axis=-1), np.moveaxis(np.array(H), -1, 0)


def edge_test(H, edge=EDGE):
    """Is the curvature alike in all directions? ``det H > 0`` and ``tr² / det < (r + 1)² / r``; erratum E13.

    With curvatures of ratio r the left side is ``(r + 1)² / r``, whatever their size: 12.1 for r = 10.

    Parameters
    ----------
    H : array of shape (…, 2, 2), symmetric
    edge : float, the ratio r

    Returns
    -------
    passed : bool array of shape (…)

    Examples
    --------
    >>> edge_test(np.array([np.diag([-1.0, -9.0]), np.diag([-1.0, -11.0]), np.diag([1.0, -1.0])]))
    array([ True, False, False])
    """
    trace, det = np.trace(H, axis1=-2, axis2=-1), np.linalg.det(H)
    return (det > 0) & (trace**2 * edge < (edge + 1) ** 2 * det)


def _inside(keypoints, shape):
    """At least σ away from the rim."""
    place, sigma = keypoints[:, :2], keypoints[:, 2:]
    return ((place > sigma) & (place + sigma < shape)).all(axis=1)


# ------------------------------------------------------------ step 3: orientation
def orient(space, keypoints, *, share=0.8):
    """Step 3: the main direction around every keypoint; where there are several, the keypoint is repeated.

    Parameters
    ----------
    space : ScaleSpace
    keypoints : array of shape (m, 3), columns row, column and σ
    share : float
        A direction counts from this share of the highest peak on.

    Returns
    -------
    keypoints : array of shape (n, 4), columns row, column, σ and angle

    Examples
    --------
    >>> space = scale_space(np.tile(np.linspace(0, 1, 64), (64, 1)))        # lighter to the right
    >>> orient(space, np.array([[32.0, 32, 2]])).round(3)
    array([[32., 32.,  2.,  0.]])
    """
    found = [np.empty((0, 4))]
    for keypoint in keypoints:
        angles = peaks(orientation_histogram(*_at_home(space, keypoint)), share)
        found.append(np.column_stack([np.tile(keypoint, (len(angles), 1)), angles]))
    return np.concatenate(found)


def _at_home(space, keypoint):
    """The blurred image of a keypoint's size, and its row, column and σ in samples of it."""
    octave, layer = space.nearest(keypoint[2])
    return space.blurred[octave][layer], *(keypoint[:3] / space.step(octave))


def orientation_histogram(blurred, row, column, sigma):
    """Gradients around a point by direction: 36 bins, bin b centred at 10 b degrees.

    Each votes with its length times a Gaussian of 1.5 σ; the histogram is smoothed six times.

    Parameters
    ----------
    blurred : array of shape (rows, columns)
    row, column, sigma : floats, in samples

    Returns
    -------
    histogram : array of shape (36,)

    Examples
    --------
    >>> ramp = np.tile(np.arange(40.0), (40, 1))
    >>> int(orientation_histogram(ramp.T, 20, 20, 2).argmax())             # rises downwards: 90°
    9
    """
    y, x, down, along = _gradients_near(blurred, row, column, 3 * ANGLE_WINDOW * sigma)
    votes = np.hypot(down, along) * np.exp(-(y**2 + x**2) / (2 * (ANGLE_WINDOW * sigma) ** 2))
    bins = np.rint(np.arctan2(down, along) * ANGLE_BINS / (2 * np.pi)).astype(int) % ANGLE_BINS
    histogram = np.bincount(bins.ravel(), votes.ravel(), minlength=ANGLE_BINS)
    for _ in range(6):
        histogram = (np.roll(histogram, 1) + histogram + np.roll(histogram, -1)) / 3
    return histogram


def _gradients_near(blurred, row, column, radius):
    """Samples at most radius rows and columns away, without the rim: offsets y, x and the slopes there."""
    top, left = (max(1, int(np.ceil(at - radius))) for at in (row, column))
    end, right = (min(side - 1, int(at + radius) + 1) for side, at in zip(blurred.shape, (row, column)))
    down = (blurred[top + 1 : end + 1, left:right] - blurred[top - 1 : end - 1, left:right]) / 2
    along = (blurred[top:end, left + 1 : right + 1] - blurred[top:end, left - 1 : right - 1]) / 2
    return np.arange(top, end)[:, None] - row, np.arange(left, right) - column, down, along


def peaks(histogram, share=0.8):
    """Angles of the peaks of a circular histogram that reach `share` of the highest.

    A parabola through a peak's bin and its neighbours places it between bins.

    Parameters
    ----------
    histogram : array of shape (bins,)
        Bin b is centred at ``2π b / bins``.
    share : float in (0, 1]

    Returns
    -------
    angles : array of shape (n_peaks,), in radians from 0 to 2π

    Examples
    --------
    >>> peaks(np.array([1.0, 3, 1, 0, 0, 0, 2.9, 2.9])) / np.pi * 4         # in bins of 45°
    array([1. , 6.5])
    """
    before, after = np.roll(histogram, 1), np.roll(histogram, -1)
    top = np.flatnonzero((histogram > before) & (histogram >= after) & (histogram >= share * histogram.max()))
    h0, h1, h2 = before[top], histogram[top], after[top]
    offset = (h0 - h2) / (2 * (h0 - 2 * h1 + h2))  # top of the parabola
    return (top + offset) % len(histogram) * 2 * np.pi / len(histogram)


# ------------------------------------------------------------ step 4: descriptor
def describe(space, keypoints):
    """Step 4: the `descriptor` of every keypoint, from the blurred image of its size.

    Parameters
    ----------
    space : ScaleSpace
    keypoints : array of shape (n, 4), columns row, column, σ and angle

    Returns
    -------
    descriptors : array of shape (n, 128), rows of length 1

    Examples
    --------
    >>> picture, keypoints = np.random.default_rng(0).random((64, 64)), np.array([[32.0, 32, 2, 0]])
    >>> v, w = (describe(scale_space(p), keypoints) for p in (picture, picture / 2 + 0.3))
    >>> v.shape, np.allclose(v, w)                                         # half the contrast, more light
    ((1, 128), True)
    """
    rows = [descriptor(*_at_home(space, keypoint), keypoint[3]) for keypoint in keypoints]
    return np.array(rows).reshape(-1, CELLS * CELLS * BINS)


def descriptor(blurred, row, column, sigma, angle):
    """Directions in 4 x 4 cells around a point, in axes turned by `angle`: 4 · 4 · 8 = 128 numbers.

    A gradient votes with its length times a Gaussian of two cells, shared between the two nearest rows of
    cells, columns of cells and directions. The vector gets length 1, numbers above 0.2 are cut, and it gets
    length 1 again: light, contrast and a single strong edge matter little. As the axes turn with the picture,
    its turn does not matter.

    Parameters
    ----------
    blurred : array of shape (rows, columns)
    row, column, sigma : floats, in samples
    angle : float, in radians

    Returns
    -------
    v : array of shape (128,), of length 1, or 0 where the picture is flat

    Examples
    --------
    >>> picture = np.random.default_rng(0).random((61, 61))
    >>> upright = descriptor(picture, 30, 30, 2, angle=0.3)
    >>> turned = descriptor(np.rot90(picture), 30, 30, 2, angle=0.3 - np.pi / 2)
    >>> upright.shape, np.allclose(upright, turned)
    ((128,), True)
    """
    width = CELL_WIDTH * sigma
    y, x, down, along = _gradients_near(blurred, row, column, width * (CELLS + 1) / np.sqrt(2))
    cos, sin = np.cos(angle), np.sin(angle)
    u, v = (cos * x + sin * y) / width, (cos * y - sin * x) / width  # turned, in cells
    t = (np.arctan2(down, along) - angle) * BINS / (2 * np.pi) % BINS
    votes = np.hypot(down, along) * np.exp(-(u**2 + v**2) / (2 * (CELLS / 2) ** 2))
    middle = (CELLS - 1) / 2  # cell 0 is centred at -1.5
    inside = np.maximum(np.abs(u), np.abs(v)) < (CELLS + 1) / 2
    histogram = _shared_votes(*(a[inside] for a in (v + middle, u + middle, t, votes)))
    return _unit(np.minimum(_unit(histogram.ravel()), CLIP))


def _shared_votes(row, column, turn, votes):
    """Votes divided between the two nearest cells and bins by distance (trilinear); shape (4, 4, 8)."""
    histogram = np.zeros((CELLS + 2, CELLS + 2, BINS))  # with a rim to throw away
    at = np.array([row + 1, column + 1, turn])
    low = np.floor(at).astype(int)
    for corner in product((0, 1), repeat=3):
        r, c, b = low + np.array(corner)[:, None]
        share = np.prod(1 - np.abs(low + np.array(corner)[:, None] - at), axis=0)
        np.add.at(histogram, (r, c, b % BINS), votes * share)
    return histogram[1:-1, 1:-1]


def _unit(v):
    length = np.linalg.norm(v)
    return v / length if length > 0 else v


# ------------------------------------------------------------ all four, and matching
def detect_and_extract(image, *, contrast=CONTRAST, edge=EDGE, upsampling=2, n_octaves=8, n_scales=3):
    """The four steps: keypoints of a picture and their descriptors.

    Parameters
    ----------
    image, upsampling, n_octaves, n_scales : see `scale_space`
    contrast, edge : see `localise`

    Returns
    -------
    keypoints : array of shape (n, 4), columns row, column, σ (pixels) and angle (radians)
    descriptors : array of shape (n, 128)
        Both are empty for a picture without structure.

    Examples
    --------
    >>> picture = np.kron(np.random.default_rng(0).random((16, 16)), np.ones((4, 4)))
    >>> keypoints, descriptors = detect_and_extract(picture)
    >>> len(keypoints) == len(descriptors) > 10, descriptors.shape[1]
    (True, 128)
    """
    space = scale_space(image, upsampling=upsampling, n_octaves=n_octaves, n_scales=n_scales)
    keypoints = localise(space, extrema(space, contrast=contrast), contrast=contrast, edge=edge)
    keypoints = orient(space, keypoints)
    return keypoints, describe(space, keypoints)


def match(descriptors1, descriptors2, *, ratio=0.8):
    """Pairs (i, j) where j is nearest to i, and clearly: nearer than `ratio` times the second nearest.

    Parameters
    ----------
    descriptors1, descriptors2 : arrays of shape (n, 128) and (m, 128), m >= 2
    ratio : float in (0, 1]

    Returns
    -------
    pairs : int array of shape (p, 2)

    Raises
    ------
    ValueError
        A ratio outside (0, 1]; fewer than two rows to choose from.

    Examples
    --------
    >>> match([[0.0, 1], [0.5, 0.5]], [[1.0, 0], [0, 1]])                   # the second is as near to both
    array([[0, 1]])
    """
    if not 0 < ratio <= 1:
        raise ValueError(f"ratio={ratio}: choose it above 0 and at most 1.")
    if len(descriptors2) < 2:
        raise ValueError(f"the ratio test needs two descriptors to choose from, got {len(descriptors2)}.")
    if len(descriptors1) == 0:
        return np.empty((0, 2), int)
    distances, near = k_nearest(descriptors2, descriptors1, k=2)
    clear = np.flatnonzero(distances[:, 0] < ratio * distances[:, 1])
    return np.column_stack([clear, near[clear, 0]])
