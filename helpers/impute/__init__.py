"""Blanks filled in: by one number, by a model, several times over, by low rank, chapters 5 and 6."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "chained": ["ModelImputer", "MultipleImputer"],
        "pooling": ["Pooled", "pool"],
        "simple": ["SimpleImputer"],
        "soft": ["SoftImpute", "svt"],
    },
)
