"""What every picture must be before features are taken of it."""

import numpy as np


def check_image(image, channel_axis=None):
    """A finite float array (rows, columns) or, with a channel axis, (rows, columns, channels).

    float32 stays; float16 becomes float32, as in scikit-image; whole numbers and booleans become float64 as
    they are.
    """
    image = np.asarray(image)
    if image.dtype.kind not in "biuf":
        raise ValueError(f"a picture holds real numbers, but this one has dtype {image.dtype}.")
    if image.ndim != 2 + (channel_axis is not None) or 0 in image.shape:
        raise ValueError(
            f"the picture has shape {image.shape}: two axes, rows and columns, are needed; for "
            "colours give the number of their axis as channel_axis."
        )
    if channel_axis is not None:
        image = np.moveaxis(image, channel_axis, -1)
    image = image.astype(np.float32 if image.dtype in (np.float16, np.float32) else float, copy=False)
    if not np.isfinite(image).all():
        raise ValueError("the picture has pixels that are NaN or infinite: fill them first.")
    return image
