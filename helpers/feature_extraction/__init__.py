"""Features of pictures: HOG of a window, SIFT at keypoints; chapter 3."""

from helpers._lazy import attach

# `hog` is a function in a module of its name: taken at once, or the module would stand in its place later.
from helpers.feature_extraction.hog import hog as hog

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "hog": ["cell_histograms", "gradients", "hog", "normalize_blocks"],
        "sift": [
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
        ],
    },
)
