"""Many classes from two-class judges: one-vs-rest, one-vs-one and output codes, chapter 11.

All three are one idea: a code book of shape (K, M) with a row for each class and a column for each judge.
In its column a judge calls the classes marked +1 positive, those marked -1 negative, and is never asked
about those marked 0.
"""
import importlib

_HOME = {
    "OneVsRestClassifier": "reductions", "OneVsOneClassifier": "reductions", "OutputCodeClassifier": "reductions",
    "pairs_code": "codes", "pair_votes": "codes", "exhaustive_code": "codes", "random_code": "codes",
    "code_distance": "codes", "errors_corrected": "codes", "nearest_code": "codes",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a module when one of its names is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.multiclass has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.multiclass.{_HOME[name]}"), name)


def __dir__():
    return __all__
