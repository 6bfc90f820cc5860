"""How much faster than a peer each family is meant to be, and why some are slower."""

import numpy as np

FLOOR = 0.9  # for every family and peer without a bar of its own
MEAN = 4.0  # geometric mean over the families
MEMORY = 64  # MiB that a family may take beyond its imports and data, or what its peer takes
BARS = {
    "cca": {"scikit-learn": 50},
    "lda": {"scikit-learn (svd)": 6, "scikit-learn (eigen)": 2.5},
    "pca_wide": {"scikit-learn (full)": 6, "scikit-learn (randomised)": 3},
    "impute_model": {"scikit-learn (Ridge)": 8},
    "multiple_imputation": {"scikit-learn": 15},
    "matcomp": {"fancyimpute": 8, "fancyimpute (rank 20)": 2.5},
    "infogain": {"scikit-learn": 15},
    "mi_continuous": {"scikit-learn": 5},
    "relieff": {"skrebate": 20},
    "forward_ols": {"scikit-learn": 300},
    "backward_ols": {"scikit-learn": 300},
    "forward_lda": {"scikit-learn": 50},
    "forward_knn": {"scikit-learn": 5},
    "lvw": {"scikit-learn (each subset fitted)": 30},
    "rfe": {"scikit-learn": 40},
    "ridge_path": {"scikit-learn": 20},
    "lasso": {"scikit-learn": 2},
    "omp": {"scikit-learn": 15, "dictlearn": 1.2},
    "ksvd": {"ksvd": 15, "dictlearn": 2},
    "ovo": {"scikit-learn": 10},
    "ecoc": {"scikit-learn": 30},
    "easyensemble": {"imbalanced-learn": 6},
    "smote": {"imbalanced-learn": 1.5},
    "hog": {"scikit-image": 4},
    "knn_digits": {"scikit-learn": 0.8},
    "lasso_tall": {"scikit-learn": 0.6, "scikit-learn (precompute)": 0.6},
    "ocsvm": {"scikit-learn": 0.5},
}
SLOWER = {
    "knn_digits": "1297 training rows give so few distances that scikit-learn's compiled loop over them has no rival in "
    "array operations; votes with weights are taken in the same loop.",
    "ksvd": "atoms are updated one after the other, each in a few NumPy calls that stand as the chapter derives them.",
    "lasso_tall": "with 125 times as many rows as columns nearly all time goes into `XᵀX`, which ours forms and "
    "scikit-learn's compiled coordinate descent does not.",
    "ocsvm": "sequential minimal optimisation takes many tiny steps; libsvm takes them in C, ours are array operations "
    "that a reader can follow.",
}


def bar(family, peer):
    return BARS.get(family, {}).get(peer, FLOOR)


def missed(results):
    """(family, peer, ratio, bar) where a ratio is below its bar."""
    return [
        (family, peer, ratio, bar(family, peer))
        for family, row in results.items()
        for peer, ratio in row["ratio"].items()
        if ratio < bar(family, peer)
    ]


def too_much_memory(results):
    """(family, ours, theirs) in MiB where ours is above the limit and above every peer's."""
    found = []
    for family, row in results.items():
        peaks = {who: mib for who, mib in row["memory_mib"].items() if mib is not None}
        ours, theirs = peaks.pop("helpers", 0), max(peaks.values(), default=0)
        if ours > max(MEMORY, theirs):
            found.append((family, ours, theirs))
    return found


def means(results):
    """Geometric means over the families: of the first peer's ratio, and of the fastest peer's."""
    rows = [list(row["ratio"].values()) for row in results.values() if row["ratio"]]
    return tuple(
        float(np.exp(np.mean(np.log([choose(r) for r in rows])))) for choose in (lambda r: r[0], min)
    )
