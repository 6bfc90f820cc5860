"""Linear models that shrink or select: ridge, Lasso, logistic regression, sparse recovery; chapters 6, 9."""
import importlib

_HOME = {
    "Ridge": "ridge", "RidgeCV": "ridge",
    "Lasso": "lasso", "ElasticNet": "lasso", "lasso_path": "lasso", "enet_path": "lasso",
    "soft_threshold": "lasso", "proximal_gradient": "lasso", "lipschitz_constant": "lasso",
    "kkt_residual": "lasso",
    "LogisticRegression": "logistic",
    "BasisPursuit": "sparse_recovery", "restricted_isometry_constant": "sparse_recovery",
    "coherence": "sparse_recovery", "sparsest_solution": "sparse_recovery",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    """Import a model when it is asked for: none pulls in the others."""
    if name not in _HOME:
        raise AttributeError(f"helpers.linear_model has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"helpers.linear_model.{_HOME[name]}"), name)


def __dir__():
    return __all__
