"""Preprocessing: scaling, coding, binning and outliers, chapter 5."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "encode": ["Binarizer", "OneHotEncoder"],
        "outliers": ["DBSCAN", "cluster_outliers", "residual_outliers", "standardized_residuals"],
        "bins": ["FeatureCross", "KBinsDiscretizer", "bucket"],
        "scale": ["MinMaxScaler", "Normalizer", "StandardScaler"],
    },
)
