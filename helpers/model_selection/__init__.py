"""Model selection: splitting the sample, scoring and choosing models, and what theory promises; chapter 7."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "split": ["HoldOut", "KFold", "StratifiedKFold", "LeaveOneOut", "GroupKFold"],
        "validation": [
            "cross_validate_scores",
            "out_of_fold_predictions",
            "nested_cv_score",
            "one_standard_error",
            "leave_one_out_residuals",
        ],
        "bounds": [
            "hoeffding_sample_size",
            "hoeffding_gap",
            "bits_sample_size",
            "growth_bound",
            "vc_rate",
            "vc_gap",
            "vc_sample_size",
            "margin_vc_bound",
        ],
        "vc": [
            "separable",
            "count_labellings",
            "is_shattered",
            "vc_dimension",
            "cover_count",
            "half_spaces",
            "thresholds",
            "intervals",
        ],
    },
)
