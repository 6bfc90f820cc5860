"""How much faster than a peer each family is meant to be, and why some are slower."""

import numpy as np

FLOOR = 0.9  # for every family and peer without a bar of its own, on the large table
HALF = 0.5  # on small and typical tables
MEAN = 4.0  # geometric mean over the large tables, beside the fastest peer
MEAN_ALL = 3.0  # over all tables
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
    "pca_tall": "scikit-learn takes the same way, the eigenvectors of the covariance matrix, and within a few per cent the same time.",
    "kpca": "scikit-learn takes all kernels from inner products; here rows that are near are subtracted, so that no digits "
    "are lost, which asks of every pair whether it is near.",
    "multiple_imputation": "still more than ten times faster; why the aim is missed was not looked into.",
    "backward_ols": "the subsets that leave out one column are inverted each by itself; from one inverse they could be "
    "down-dated, in more lines than the drawer has.",
    "rfe": "a hundred steps of a dozen NumPy calls each: a fifth of a millisecond a step, however small the table.",
    "omp": "beside dictlearn on 100 patches: its loop is compiled, ours takes a batch through NumPy, atom by atom.",
    "ksvd": "atoms are updated one after the other, each in a few NumPy calls that stand as the chapter derives them.",
    "lasso": "a step is a linear system in a dozen NumPy calls, a tenth of a millisecond: on 50 or 100 rows compiled "
    "coordinate descent has by then gone over all columns several times.",
    "lasso_tall": "with many more rows than columns nearly all time goes into `XᵀX`, which scikit-learn's compiled "
    "coordinate descent does not form; on small tables, three targets of 500 rows say, into some linear systems for each.",
    "compressed": "of a few short signals each takes some linear systems of a tenth of a millisecond, as in `lasso`.",
    "ocsvm": "sequential minimal optimisation takes many tiny steps; libsvm takes them in C, ours are array operations "
    "that a reader can follow.",
}


def bar(family, shape, peer):
    return BARS.get(family, {}).get(peer, FLOOR) if shape == "large" else HALF


def rows(results):
    """(family, shape, row), one after the other."""
    return [(name, shape, row) for name, found in results.items() for shape, row in found["shapes"].items()]


def missed(results):
    """(family, shape, peer, ratio, bar) where a ratio is below its bar."""
    return [
        (family, shape, peer, ratio, bar(family, shape, peer))
        for family, shape, row in rows(results)
        for peer, ratio in row["ratio"].items()
        if ratio < bar(family, shape, peer)
    ]


def unexplained(results):
    """Of those, the families for which `SLOWER` has no reason."""
    return sorted({family for family, *_ in missed(results)} - SLOWER.keys())


def too_much_memory(results):
    """(family, ours, theirs) in MiB where ours is above the limit and above every peer's."""
    found = []
    for family, row in results.items():
        peaks = {who: mib for who, mib in row["memory_mib"].items() if mib is not None}
        ours, theirs = peaks.pop("helpers", 0), max(peaks.values(), default=0)
        if ours > max(MEMORY, theirs):
            found.append((family, ours, theirs))
    return found


def means(results, large=False):
    """Geometric means over the tables, or the `large` ones: of the first peer's ratio, of the fastest's."""
    found = [list(row["ratio"].values()) for _, _, row in rows(results) if row["of_the_51"] or not large]
    return tuple(
        float(np.exp(np.mean(np.log([choose(r) for r in found if r])))) for choose in (lambda r: r[0], min)
    )
