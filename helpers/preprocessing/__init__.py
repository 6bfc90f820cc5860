"""Preprocessing: scaling, coding, binning and outliers, chapter 5."""
import importlib

_HOME = {
    "Binarizer": "encode",
    "DBSCAN": "outliers",
    "FeatureCross": "bins",
    "KBinsDiscretizer": "bins",
    "MinMaxScaler": "scale",
    "Normalizer": "scale",
    "OneHotEncoder": "encode",
    "StandardScaler": "scale",
    "bucket": "bins",
    "cluster_outliers": "outliers",
    "residual_outliers": "outliers",
    "standardized_residuals": "outliers",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a transformer when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.preprocessing has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.preprocessing.{_HOME[name]}"), name)


def __dir__():
    return __all__
