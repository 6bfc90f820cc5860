"""Features of pictures: HOG of a window, SIFT at keypoints; chapter 3."""
import importlib

# `hog` is a function in a module of its name: taken at once, or the module would stand in its place later.
from helpers.feature_extraction.hog import cell_histograms, gradients, hog, normalize_blocks

_HOME = {name: "sift" for name in ["ScaleSpace", "describe", "descriptor", "detect_and_extract", "edge_test",
                                   "extrema", "localise", "match", "orient", "orientation_histogram", "peaks",
                                   "scale_space"]}

__all__ = sorted([*_HOME, "cell_histograms", "gradients", "hog", "normalize_blocks"])


def __getattr__(name):
    """Import the rest when it is asked for: HOG does not need it."""
    if name not in _HOME:
        raise AttributeError(f"helpers.feature_extraction has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.feature_extraction.{_HOME[name]}"), name)


def __dir__():
    return __all__
