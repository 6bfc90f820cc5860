"""Rare classes: thresholds, resampling, ensembles and one-class learning, chapter 12."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ensemble": ["AdaBoostClassifier", "EasyEnsembleClassifier"],
        "sampling": [
            "BorderlineSMOTE",
            "RandomOverSampler",
            "RandomUnderSampler",
            "SMOTE",
            "borderline_sets",
        ],
        "one_class": ["OneClassSVM"],
        "thresholds": [
            "ThresholdClassifier",
            "rescale",
            "threshold_by_cost",
            "threshold_by_prior",
            "threshold_curve",
            "under_priors",
        ],
    },
)
