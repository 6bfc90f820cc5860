"""Decompositions: new coordinates for the rows of a table, chapters 2, 3, 4 and 10."""
import importlib

_HOME = {
    "DictionaryLearning": "dictionary_learning",
    "FastICA": "fastica",
    "KSVD": "ksvd",
    "KernelPCA": "kernel_pca",
    "PCA": "pca",
    "SparseCoder": "sparse_coding",
    "lasso_codes": "sparse_coding",
    "orthogonal_mp": "sparse_coding",
    "sparse_encode": "sparse_coding",
    "update_atom": "ksvd",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a decomposition when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.decomposition has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.decomposition.{_HOME[name]}"), name)


def __dir__():
    return __all__
