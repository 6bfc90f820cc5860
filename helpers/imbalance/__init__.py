"""Rare classes: thresholds, resampling, ensembles and one-class learning, chapter 12."""
import importlib

_HOME = {
    "AdaBoostClassifier": "ensemble",
    "BorderlineSMOTE": "sampling",
    "EasyEnsembleClassifier": "ensemble",
    "OneClassSVM": "one_class",
    "RandomOverSampler": "sampling",
    "RandomUnderSampler": "sampling",
    "SMOTE": "sampling",
    "ThresholdClassifier": "thresholds",
    "borderline_sets": "sampling",
    "rescale": "thresholds",
    "threshold_by_cost": "thresholds",
    "threshold_by_prior": "thresholds",
    "threshold_curve": "thresholds",
    "under_priors": "thresholds",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a remedy when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.imbalance has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.imbalance.{_HOME[name]}"), name)


def __dir__():
    return __all__
