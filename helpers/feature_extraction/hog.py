"""HOG: histograms of oriented gradients, the shape of things whatever the light, chapter 3."""

import numpy as np

from helpers.feature_extraction._image import check_image

__all__ = ["cell_histograms", "gradients", "hog", "normalize_blocks"]

TINY = 1e-5  # keeps an empty block from 0 / 0
CLIP = 0.2  # of L2-Hys: no single edge may fill a block


def gradients(image):
    """Centred differences of neighbouring pixels: down the rows and along the columns; 0 on the rim.

    Of a picture with colours every pixel keeps the gradient of its channel that changes most.

    Parameters
    ----------
    image : array of shape (rows, columns) or (rows, columns, channels)

    Returns
    -------
    down, along : arrays of shape (rows, columns), twice the slope per pixel

    Examples
    --------
    >>> gradients([[0, 1, 2], [0, 1, 2], [0, 1, 2]])[1]     # a ramp that rises to the right
    array([[0., 2., 0.],
           [0., 2., 0.],
           [0., 2., 0.]])
    """
    image = check_image(image, channel_axis=None if np.ndim(image) == 2 else -1)
    down, along = np.zeros_like(image), np.zeros_like(image)
    down[1:-1] = image[2:] - image[:-2]
    along[:, 1:-1] = image[:, 2:] - image[:, :-2]
    if image.ndim == 2:
        return down, along
    strongest = np.hypot(down, along).argmax(axis=2)[:, :, None]
    return tuple(np.take_along_axis(g, strongest, axis=2)[:, :, 0] for g in (down, along))


def cell_histograms(down, along, *, orientations=9, pixels_per_cell=(8, 8)):
    """Every pixel votes with the length of its gradient for the bin of its angle; the mean of every cell.

    The angle is ``arctan2(down, along)``, folded to [0°, 180°): an edge from dark to light counts like one
    from light to dark. Bin b of m holds the angles from 180 b/m to 180 (b + 1)/m degrees. Pixels beyond the
    last whole cell do not vote.

    Parameters
    ----------
    down, along : arrays of shape (rows, columns), see `gradients`
    orientations : int, number of bins
    pixels_per_cell : (int, int), rows and columns of a cell

    Returns
    -------
    histograms : array of shape (rows of cells, columns of cells, orientations)

    Examples
    --------
    >>> ramp = np.tile(np.arange(8.0), (8, 1))
    >>> cell_histograms(*gradients(ramp), orientations=3).round(2)      # 48 of 64 pixels, each 2 long, at 0°
    array([[[1.5, 0. , 0. ]]])
    """
    height, width = pixels_per_cell
    rows, columns = down.shape[0] // height, down.shape[1] // width
    v, h = (a[: rows * height, : columns * width].astype(float) for a in (down, along))
    angle = np.rad2deg(np.arctan2(v, h))
    angle[angle < 0] += 180
    cell = np.arange(rows * height)[:, None] // height * columns + np.arange(columns * width) // width
    vote = cell * orientations + (angle / (180 / orientations)).astype(int) % orientations
    votes = np.bincount(vote.ravel(), np.hypot(v, h).ravel(), minlength=rows * columns * orientations)
    return votes.reshape(rows, columns, orientations) / (height * width)


def normalize_blocks(histograms, *, cells_per_block=(3, 3), block_norm="L2-Hys"):
    """Every block of neighbouring cells, divided by its own size: light and contrast drop out.

    Parameters
    ----------
    histograms : array of shape (rows of cells, columns of cells, orientations)
    cells_per_block : (int, int)
        Blocks overlap: one begins at every cell.
    block_norm : 'L1', 'L1-sqrt', 'L2' or 'L2-Hys'
        With ε = 1e-5: ``v / (|v|₁ + ε)``, its square root, ``v / √(|v|₂² + ε²)``, or the last one, cut at
        0.2 and normalised again.

    Returns
    -------
    blocks : array of shape (block rows, block columns, cell rows, cell columns, orientations)

    Raises
    ------
    ValueError
        Blocks larger than the picture, or an unknown `block_norm`.

    Examples
    --------
    >>> normalize_blocks(np.array([[[3.0, 4.0]]]), cells_per_block=(1, 1), block_norm="L2").round(3)
    array([[[[[0.6, 0.8]]]]])
    """
    if block_norm not in NORMS:
        raise ValueError(f"block_norm={block_norm!r}: use {', '.join(map(repr, NORMS))}.")
    windows = np.lib.stride_tricks.sliding_window_view(histograms, cells_per_block, axis=(0, 1))
    windows = np.moveaxis(windows, 2, -1)  # (block rows, block columns, cell rows, cell columns, bins)
    flat = windows.reshape(windows.shape[0] * windows.shape[1], -1)
    return NORMS[block_norm](flat).reshape(windows.shape)


def _l1(v):
    return v / (np.abs(v).sum(axis=1, keepdims=True) + TINY)


def _l1_sqrt(v):
    return np.sqrt(_l1(v))


def _l2(v):
    return v / np.sqrt(np.einsum("ij,ij->i", v, v) + TINY**2)[:, None]


def _l2_hys(v):
    return _l2(np.minimum(_l2(v), CLIP))


NORMS = {"L1": _l1, "L1-sqrt": _l1_sqrt, "L2": _l2, "L2-Hys": _l2_hys}


def hog(
    image,
    *,
    orientations=9,
    pixels_per_cell=(8, 8),
    cells_per_block=(3, 3),
    block_norm="L2-Hys",
    transform_sqrt=False,
    feature_vector=True,
    channel_axis=None,
):
    """Histogram of oriented gradients: `gradients`, `cell_histograms`, `normalize_blocks`; chapter 3.

    Unchanged when the picture I becomes a I + b with a > 0, but for the small ε of the norm.

    Parameters
    ----------
    image : array of shape (rows, columns), or with one more axis for the channels
    orientations : int
        Bins for the angles of half a turn.
    pixels_per_cell, cells_per_block : (int, int), rows and columns
    block_norm : 'L1', 'L1-sqrt', 'L2' or 'L2-Hys', see `normalize_blocks`
    transform_sqrt : bool
        Take the root of every pixel first: shadows lose less contrast.
    feature_vector : bool
        One long vector; with False the array of blocks.
    channel_axis : int or None
        None: a grey picture.

    Returns
    -------
    features : array of shape (block rows, block columns, cell rows, cell columns, orientations), or flat
        float32 for a float32 picture, else float64.

    Raises
    ------
    ValueError
        A picture smaller than a block, of wrong shape, with NaN, or negative with transform_sqrt; an unknown
        block_norm.

    References
    ----------
    Dalal and Triggs, Histograms of oriented gradients for human detection, CVPR 2005 (there with blocks of
    2 x 2 cells: a window of 64 x 128 pixels gives 7 · 15 · 4 · 9 = 3780 numbers).

    Examples
    --------
    >>> hog(np.eye(128, 64), cells_per_block=(2, 2)).shape
    (3780,)
    """
    image = check_image(image, channel_axis)
    _check_sizes(image.shape, orientations, pixels_per_cell, cells_per_block)
    if transform_sqrt:
        if image.min() < 0:
            raise ValueError("transform_sqrt=True takes roots, but some pixels are negative: shift them.")
        image = np.sqrt(image)
    down, along = gradients(image)
    histograms = cell_histograms(down, along, orientations=orientations, pixels_per_cell=pixels_per_cell)
    blocks = normalize_blocks(histograms, cells_per_block=cells_per_block, block_norm=block_norm)
    blocks = blocks.astype(image.dtype, copy=False)
    return blocks.ravel() if feature_vector else blocks


def _check_sizes(shape, orientations, cell, block):
    if min(orientations, *cell, *block) < 1:
        raise ValueError(
            f"orientations={orientations}, pixels_per_cell={cell}, cells_per_block={block}: "
            "each must be >= 1."
        )
    least = (cell[0] * block[0], cell[1] * block[1])
    if shape[0] < least[0] or shape[1] < least[1]:
        raise ValueError(
            f"the picture has {shape[0]} x {shape[1]} pixels, but a block of "
            f"{block[0]} x {block[1]} cells needs {least[0]} x {least[1]}: take smaller ones."
        )
