"""What is timed: a module for each group of families. Importing one registers its families."""

import importlib

MODULES = (
    "neighbours",
    "projections",
    "manifolds",
    "tables",
    "imputation",
    "filters",
    "wrappers",
    "linear",
    "dictionaries",
    "multiclass",
    "imbalance",
    "images",
)


def load_all():
    """Import every module: `workload.FAMILIES` then holds all families, in this order."""
    for name in MODULES:
        importlib.import_module(f"{__name__}.{name}")
