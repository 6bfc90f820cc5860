"""Blanks filled in: by one number, by a model, several times over, by low rank, chapters 5 and 6."""
import importlib

_HOME = {
    "ModelImputer": "chained",
    "MultipleImputer": "chained",
    "Pooled": "pooling",
    "SimpleImputer": "simple",
    "SoftImpute": "soft",
    "pool": "pooling",
    "svt": "soft",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import an imputer when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.impute has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.impute.{_HOME[name]}"), name)


def __dir__():
    return __all__
