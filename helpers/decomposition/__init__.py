"""Decompositions: new coordinates for the rows of a table, chapters 2, 3, 4 and 10."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "dictionary_learning": ["DictionaryLearning"],
        "fastica": ["FastICA"],
        "ksvd": ["KSVD", "update_atom"],
        "kernel_pca": ["KernelPCA"],
        "pca": ["PCA"],
        "sparse_coding": ["SparseCoder", "lasso_codes", "orthogonal_mp", "sparse_encode"],
    },
)
