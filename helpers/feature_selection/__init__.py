"""Feature selection: keep the columns that tell something about the target, chapters 8 and 9."""
import importlib

_HOME = {name: home for home, names in {
    "filters": ["Anova", "Chi2Test", "chi2", "chi2_test", "contingency_table", "expected_counts",
                "f_classif", "f_oneway", "f_regression", "pearson_r", "r_regression"],
    "information": ["conditional_entropy", "entropy", "inconsistency_rate", "information_gain",
                    "kl_divergence", "mutual_info_classif", "mutual_info_regression", "mutual_info_score",
                    "plug_in_bias"],
    "relief": ["Relief", "ReliefF"],
    "wrappers": ["ExhaustiveSelector", "LasVegasWrapper", "RFE", "SequentialFeatureSelector"],
}.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a selector or a score when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.feature_selection has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.feature_selection.{_HOME[name]}"), name)


def __dir__():
    return __all__
