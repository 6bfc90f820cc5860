"""Linear models that shrink or select: ridge, Lasso, logistic regression, sparse recovery; chapters 6, 9."""

from helpers._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ridge": ["Ridge", "RidgeCV"],
        "lasso": [
            "Lasso",
            "ElasticNet",
            "lasso_path",
            "enet_path",
            "soft_threshold",
            "proximal_gradient",
            "lipschitz_constant",
            "kkt_residual",
        ],
        "logistic": ["LogisticRegression"],
        "sparse_recovery": ["BasisPursuit", "restricted_isometry_constant", "coherence", "sparsest_solution"],
    },
)
