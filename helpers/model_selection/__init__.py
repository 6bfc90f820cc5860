"""Model selection: splitting the sample, judging and choosing models, and what theory promises; chapter 7."""
import importlib

_HOME = {
    "HoldOut": "split", "KFold": "split", "StratifiedKFold": "split", "LeaveOneOut": "split",
    "GroupKFold": "split",
    "cross_validate_scores": "validation", "out_of_fold_predictions": "validation",
    "nested_cv_score": "validation", "one_standard_error": "validation",
    "leave_one_out_residuals": "validation",
    "hoeffding_sample_size": "bounds", "hoeffding_gap": "bounds", "bits_sample_size": "bounds",
    "growth_bound": "bounds", "vc_rate": "bounds", "vc_gap": "bounds", "vc_sample_size": "bounds",
    "margin_vc_bound": "bounds",
    "separable": "vc", "count_labellings": "vc", "is_shattered": "vc", "vc_dimension": "vc",
    "cover_count": "vc", "half_spaces": "vc", "thresholds": "vc", "intervals": "vc",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a tool when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.model_selection has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.model_selection.{_HOME[name]}"), name)


def __dir__():
    return __all__
