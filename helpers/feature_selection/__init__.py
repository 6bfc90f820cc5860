"""Feature selection: keep the columns that tell something about the target, chapters 8 and 9."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "filters": [
            "Anova",
            "Chi2Test",
            "chi2",
            "chi2_test",
            "contingency_table",
            "expected_counts",
            "f_classif",
            "f_oneway",
            "f_regression",
            "pearson_r",
            "r_regression",
        ],
        "information": [
            "conditional_entropy",
            "entropy",
            "inconsistency_rate",
            "information_gain",
            "kl_divergence",
            "mutual_info_classif",
            "mutual_info_regression",
            "mutual_info_score",
            "plug_in_bias",
        ],
        "relief": ["Relief", "ReliefF"],
        "wrappers": ["ExhaustiveSelector", "LasVegasWrapper", "RFE", "SequentialFeatureSelector"],
    },
)
