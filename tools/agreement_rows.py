"""What tools/agreement.py compares: a row for every family with a twin, and what stands alone.

A row names ours, the twin, the table and the options; `says` is the method or attribute that is compared.
`here` and `there` compute the result where our side's or the twin's call differs: (class or function, table,
options) -> result. `first` are first arguments of both, `more` options of both that the page does not show.
"""

import numpy as np
from sklearn.datasets import load_linnerud
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge

TIGHT = {"tol": 1e-12}


def draw(n=90, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, d)) * [1, 2, 0.5, 3][:d]).astype(np.float32).astype(float), rng


def classes():
    X, _ = draw()
    return X, np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.7, 0.5])


def rare():
    X, rng = draw()
    return X, (X[:, 0] + 0.5 * rng.normal(size=90) > 0.9).astype(int)


def numbers():
    X, rng = draw()
    return X, X @ [1.0, 0, -2, 0.3] + rng.normal(size=90)


def blanks():
    X, y = classes()
    return np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X.round(1)), y


def counts():
    return np.random.default_rng(0).integers(0, 6, (90, 4)).astype(float), classes()[1]


def curved():
    t, h = np.random.default_rng(0).uniform(size=(2, 150))
    return (np.column_stack([np.cos(4 * t), 2 * h, np.sin(4 * t)]),)


def mixed_sources():
    rng = np.random.default_rng(0)
    return (rng.laplace(size=(2000, 3)) * [1, 2, 3] @ rng.normal(size=(3, 3)),)


def picture():
    from skimage.data import camera

    return (camera()[:128, :96] / 255,)


def by_kurtosis(S):
    return S[:, np.argsort((S**4).mean(axis=0))]


def sources(make, table, options):
    return by_kurtosis(
        make(3, whiten="unit-variance", max_iter=1000, tol=1e-13, random_state=0, **options).fit_transform(
            *table
        )
    )


def correlations(make, table, options):
    A, B = make(**options, scale=False, tol=1e-14, max_iter=10**5).fit(*table).transform(*table)
    return np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(A.T, B.T)])


def left_out(make, table, options):
    return make(table[1], np.column_stack([np.ones(len(table[0])), table[0]])).fit().get_influence()


def round_robin(make, table, options):
    return make(
        Ridge(options["alpha"]), imputation_order=options["imputation_order"], max_iter=4, tol=0
    ).fit_transform(table[0])


ATOMS = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0][[0, 1, 2, 3, 0]] + 0.1 * np.eye(5, 4)
ATOMS /= np.linalg.norm(ATOMS, axis=1, keepdims=True)
TABLES = {
    "classes": classes,
    "rare": rare,
    "numbers": numbers,
    "blanks": blanks,
    "counts": counts,
    "curved": curved,
    "sources": mixed_sources,
    "picture": picture,
    "atoms": lambda: (draw()[0], ATOMS),
    "views": lambda: (load_linnerud().data, load_linnerud().target),
    "groups": lambda: (*numbers(), np.arange(90) // 7),
    "two columns": lambda: tuple(counts()[0].T[:2].astype(int)),
    "table": lambda: (np.array([[68, 20, 15, 5], [119, 84, 54, 29], [26, 17, 14, 14]]),),
}
MULTI = {"first": (LogisticRegression(),), "says": "decision_function"}
BOTH = {"fit_intercept": [True, False]}
SEED = {"random_state": [0]}


def row(ours, twin, options=None, says="transform", table="classes", **more):
    return {"ours": ours, "twin": twin, "options": options or {}, "says": says, "table": table, **more}


ROWS = [
    row(
        "neighbors.KNeighborsClassifier",
        "sklearn.neighbors.KNeighborsClassifier",
        {"n_neighbors": [1, 5, 30], "weights": ["uniform", "distance"], "p": [1, 1.5, 2, np.inf]},
        "predict_proba",
    ),
    row(
        "neighbors.KNeighborsRegressor",
        "sklearn.neighbors.KNeighborsRegressor",
        {"n_neighbors": [1, 5, 30], "weights": ["uniform", "distance"], "p": [1, 1.5, 2, np.inf]},
        "predict",
        "numbers",
    ),
    row(
        "neighbors.k_nearest",
        "sklearn.neighbors.NearestNeighbors",
        {"k": [1, 7], "p": [1, 2, np.inf]},
        "distances and rows",
        here=lambda f, t, o: f(t[0], **o),
        there=lambda T, t, o: T(n_neighbors=o["k"], p=o["p"]).fit(t[0]).kneighbors(),
    ),
    row(
        "decomposition.PCA",
        "sklearn.decomposition.PCA",
        {"n_components": [None, 2, 0.9], "solver": ["covariance", "gram", "svd"], "whiten": [False, True]},
        signs=True,
        as_twin=lambda o: {"n_components": o["n_components"], "whiten": o["whiten"], "svd_solver": "full"},
    ),
    row(
        "decomposition.KernelPCA",
        "sklearn.decomposition.KernelPCA",
        {"kernel": ["linear", "rbf", "poly", "cosine"], "eigen_solver": ["dense", "arpack"]},
        signs=True,
        more={"n_components": 2, "gamma": 0.1, "random_state": 0},
    ),
    row(
        "decomposition.FastICA",
        "sklearn.decomposition.FastICA",
        {"algorithm": ["parallel", "deflation"], "fun": ["logcosh", "exp", "cube"]},
        "sources",
        "sources",
        signs=True,
        here=sources,
        there=sources,
    ),
    row(
        "decomposition.orthogonal_mp",
        "sklearn.linear_model.orthogonal_mp",
        {"n_nonzero_coefs": [1, 2, 3]},
        "codes",
        "atoms",
        here=lambda f, t, o: f(*t, **o),
        there=lambda f, t, o: f(t[1].T, t[0].T, **o).T,
    ),
    row(
        "decomposition.SparseCoder",
        "sklearn.decomposition.SparseCoder",
        {"transform_algorithm": ["omp", "lasso_fista", "threshold"], "split_sign": [False, True]},
        first=(ATOMS,),
        more={"transform_alpha": 0.3, "transform_n_nonzero_coefs": 2},
        as_twin=lambda o: {
            **o,
            "transform_algorithm": o["transform_algorithm"].replace("fista", "cd"),
            "transform_max_iter": 10**5,
        },
    ),
    row(
        "decomposition.DictionaryLearning",
        "sklearn.decomposition.DictionaryLearning",
        {"positive_code": [False, True], "positive_dict": [False, True]},
        "components_",
        "atoms",
        here=lambda D, t, o: (
            D(
                5,
                code_steps=None,
                alpha=0.2,
                max_iter=6,
                tol=0,
                dict_init=np.abs(t[1]),
                code_init=np.zeros((90, 5)),
                **o,
            )
            .fit(t[0])
            .components_
        ),
        there=lambda D, t, o: (
            D(
                5,
                fit_algorithm="cd",
                transform_max_iter=20000,
                alpha=0.2,
                max_iter=6,
                tol=0,
                dict_init=np.abs(t[1]),
                code_init=np.zeros((90, 5)),
                **o,
            )
            .fit(t[0])
            .components_
        ),
    ),
    row(
        "discriminant_analysis.LinearDiscriminantAnalysis",
        "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
        {"n_components": [None, 1], "shrinkage": [None, "auto", 0.3], "priors": [None, [0.2, 0.3, 0.5]]},
        "predict_proba",
        as_twin=lambda o: {**o, "solver": "eigen"},
    ),
    row(
        "cross_decomposition.CCA",
        "sklearn.cross_decomposition.CCA",
        {"n_components": [1, 2, 3]},
        "correlations",
        "views",
        here=lambda C, t, o: C(**o).fit(*t).correlations_,
        there=correlations,
    ),
    row(
        "manifold.Isomap",
        "sklearn.manifold.Isomap",
        {"n_neighbors": [6, 12], "p": [1, 2], "eigen_solver": ["dense", "arpack"]},
        "embedding_",
        "curved",
        signs=True,
    ),
    row(
        "manifold.LocallyLinearEmbedding",
        "sklearn.manifold.LocallyLinearEmbedding",
        {"n_neighbors": [10, 14], "reg": [1e-3, 1e-2], "eigen_solver": ["dense", "arpack"]},
        "embedding_",
        "curved",
        signs=True,
        as_twin=lambda o: {**o, "eigen_solver": "dense"},
    ),
    row(
        "manifold.classical_mds",
        "sklearn.manifold.ClassicalMDS",
        {"n_components": [1, 2, 3]},
        "points",
        "curved",
        signs=True,
        here=lambda f, t, o: f(np.linalg.norm(t[0][:, None] - t[0], axis=2), **o),
        there=lambda M, t, o: M(**o).fit_transform(t[0]),
    ),
    row(
        "preprocessing.MinMaxScaler",
        "sklearn.preprocessing.MinMaxScaler",
        {"feature_range": [(0, 1), (-2, 5)], "clip": [False, True]},
    ),
    row(
        "preprocessing.StandardScaler",
        "sklearn.preprocessing.StandardScaler",
        {"with_mean": [True, False], "with_std": [True, False]},
    ),
    row("preprocessing.Normalizer", "sklearn.preprocessing.Normalizer", {"norm": ["l1", "l2", "max"]}),
    row("preprocessing.Binarizer", "sklearn.preprocessing.Binarizer", {"threshold": [-1.0, 0.0, 0.5]}),
    row(
        "preprocessing.OneHotEncoder",
        "sklearn.preprocessing.OneHotEncoder",
        {"drop": [None, "first", "if_binary"], "sparse_output": [False, True]},
        table="blanks",
    ),
    row(
        "preprocessing.KBinsDiscretizer",
        "sklearn.preprocessing.KBinsDiscretizer",
        {"n_bins": [2, 4, 8], "encode": ["onehot", "ordinal"], "strategy": ["uniform", "quantile"]},
    ),
    row(
        "preprocessing.DBSCAN",
        "sklearn.cluster.DBSCAN",
        {"eps": [0.7, 1.0, 1.5], "min_samples": [3, 6]},
        "labels_",
    ),
    row(
        "preprocessing.standardized_residuals",
        "statsmodels.api.OLS",
        {"scale": ["studentized"]},
        "residuals",
        "numbers",
        here=lambda f, t, o: f(*t, **o),
        there=lambda *a: left_out(*a).resid_studentized_external,
    ),
    row(
        "impute.SimpleImputer",
        "sklearn.impute.SimpleImputer",
        {"strategy": ["mean", "median", "most_frequent", "constant"], "add_indicator": [False, True]},
        table="blanks",
    ),
    row(
        "impute.ModelImputer",
        "sklearn.impute.IterativeImputer",
        {"alpha": [1e-3, 1.0], "imputation_order": ["ascending", "descending", "roman", "arabic"]},
        "completed table",
        "blanks",
        there=round_robin,
        here=lambda M, t, o: M(max_iter=4, tol=0, **o).fit_transform(t[0]),
    ),
    row(
        "feature_extraction.hog",
        "skimage.feature.hog",
        {
            "orientations": [9, 12],
            "block_norm": ["L1", "L1-sqrt", "L2", "L2-Hys"],
            "transform_sqrt": [False, True],
        },
        "descriptor",
        "picture",
    ),
    row(
        "linear_model.Ridge",
        "sklearn.linear_model.Ridge",
        {"alpha": [0.1, 10.0], **BOTH, "solver": ["cholesky", "svd"]},
        "coef_",
        "numbers",
    ),
    row(
        "linear_model.RidgeCV",
        "sklearn.linear_model.RidgeCV",
        {"alphas": [(0.1, 1.0, 10.0)], **BOTH, "cv": [None, 3]},
        "coef_",
        "numbers",
    ),
    row(
        "linear_model.Lasso",
        "sklearn.linear_model.Lasso",
        {"alpha": [0.01, 0.3], **BOTH, "positive": [False, True]},
        "coef_",
        "numbers",
        more=TIGHT,
    ),
    row(
        "linear_model.ElasticNet",
        "sklearn.linear_model.ElasticNet",
        {"alpha": [0.01, 0.3], "l1_ratio": [0.3, 0.9], "positive": [False, True]},
        "coef_",
        "numbers",
        more=TIGHT,
    ),
    row(
        "linear_model.lasso_path",
        "sklearn.linear_model.lasso_path",
        {"positive": [False, True]},
        "weights",
        "numbers",
        here=lambda f, t, o: f(*t, tol=1e-12, **o)[1],
        there=lambda f, t, o: f(*t, tol=1e-14, max_iter=10**6, **o)[1],
    ),
    row(
        "linear_model.enet_path",
        "sklearn.linear_model.enet_path",
        {"l1_ratio": [0.3, 0.9]},
        "weights",
        "numbers",
        here=lambda f, t, o: f(*t, tol=1e-12, **o)[1],
        there=lambda f, t, o: f(*t, tol=1e-14, max_iter=10**6, **o)[1],
    ),
    row(
        "linear_model.LogisticRegression",
        "sklearn.linear_model.LogisticRegression",
        {"C": [0.1, 10.0], "l1_ratio": [0.0, 0.5, 1.0], **BOTH},
        "predict_proba",
        more={"tol": 1e-10},
        as_twin=lambda o: {**o, "solver": "saga", "max_iter": 10**5, "random_state": 0},
    ),
    row("model_selection.KFold", "sklearn.model_selection.KFold", {"n_splits": [2, 7]}, "rows", split=True),
    row(
        "model_selection.StratifiedKFold",
        "sklearn.model_selection.StratifiedKFold",
        {"n_splits": [2, 7]},
        "rows",
        split=True,
    ),
    row("model_selection.LeaveOneOut", "sklearn.model_selection.LeaveOneOut", says="rows", split=True),
    row(
        "model_selection.GroupKFold",
        "sklearn.model_selection.GroupKFold",
        {"n_splits": [2, 5]},
        "rows",
        "groups",
        split=True,
    ),
    row(
        "model_selection.HoldOut",
        "sklearn.model_selection.train_test_split",
        {"test_size": [0.3, 7], **SEED},
        "rows",
        here=lambda H, t, o: [test for _, test in H(**o).split(*t)][0],
        there=lambda f, t, o: np.sort(f(np.arange(90), **o)[1]),
    ),
    row(
        "model_selection.cross_validate_scores",
        "sklearn.model_selection.cross_val_score",
        {"cv": [3, 5]},
        "scores",
        here=lambda f, t, o: f(LogisticRegression(), *t, **o),
        there=lambda f, t, o: f(LogisticRegression(), *t, **o),
    ),
    row(
        "model_selection.out_of_fold_predictions",
        "sklearn.model_selection.cross_val_predict",
        {"cv": [3, 5]},
        "labels",
        here=lambda f, t, o: f(LogisticRegression(), *t, **o),
        there=lambda f, t, o: f(LogisticRegression(), *t, **o),
    ),
    row(
        "model_selection.leave_one_out_residuals",
        "statsmodels.api.OLS",
        says="residuals",
        table="numbers",
        there=lambda *a: left_out(*a).resid_press,
    ),
    row(
        "feature_selection.chi2",
        "sklearn.feature_selection.chi2",
        says="statistics and p-values",
        table="counts",
    ),
    row(
        "feature_selection.chi2_test",
        "scipy.stats.chi2_contingency",
        {"correction": [False, True]},
        "statistic, p-value",
        "table",
        here=lambda f, t, o: f(*t, **o)[:2],
        there=lambda f, t, o: [*f(*t, **o)][:2],
    ),
    row(
        "feature_selection.contingency_table",
        "sklearn.metrics.cluster.contingency_matrix",
        says="counts",
        table="two columns",
    ),
    row(
        "feature_selection.expected_counts",
        "scipy.stats.contingency.expected_freq",
        says="counts",
        table="table",
    ),
    row(
        "feature_selection.f_oneway",
        "scipy.stats.f_oneway",
        says="F and p",
        table="two columns",
        here=lambda f, t, o: [f(*t).statistic, f(*t).pvalue],
        there=lambda f, t, o: [*f(*t)],
    ),
    row("feature_selection.f_classif", "sklearn.feature_selection.f_classif", says="F and p"),
    row(
        "feature_selection.f_regression",
        "sklearn.feature_selection.f_regression",
        {"center": [True, False]},
        "F and p",
        "numbers",
    ),
    row(
        "feature_selection.r_regression",
        "sklearn.feature_selection.r_regression",
        {"center": [True, False]},
        "r",
        "numbers",
    ),
    row(
        "feature_selection.pearson_r",
        "scipy.stats.pearsonr",
        says="r",
        table="two columns",
        there=lambda f, t, o: f(*t).statistic,
    ),
    row(
        "feature_selection.mutual_info_score",
        "sklearn.metrics.mutual_info_score",
        says="information",
        table="two columns",
    ),
    row(
        "feature_selection.mutual_info_classif",
        "sklearn.feature_selection.mutual_info_classif",
        {"discrete_features": [False, True, [0, 2]], "n_neighbors": [1, 3], **SEED},
        "information",
        "counts",
    ),
    row(
        "feature_selection.mutual_info_regression",
        "sklearn.feature_selection.mutual_info_regression",
        {"discrete_features": [False, True, [0, 2]], "n_neighbors": [1, 3], **SEED},
        "information",
        "counts",
    ),
    row(
        "feature_selection.SequentialFeatureSelector",
        "sklearn.feature_selection.SequentialFeatureSelector",
        {"direction": ["forward", "backward"], "n_features_to_select": [1, 2, 3]},
        "support_",
        "numbers",
        first=(LinearRegression(),),
    ),
    row(
        "feature_selection.RFE",
        "sklearn.feature_selection.RFE",
        {"n_features_to_select": [1, 2], "step": [1, 2]},
        "ranking_",
        "numbers",
        first=(LinearRegression(),),
    ),
    row("multiclass.OneVsRestClassifier", "sklearn.multiclass.OneVsRestClassifier", **MULTI),
    row("multiclass.OneVsOneClassifier", "sklearn.multiclass.OneVsOneClassifier", **MULTI),
    row(
        "imbalance.RandomUnderSampler",
        "imblearn.under_sampling.RandomUnderSampler",
        {"sampling_strategy": ["auto", "all"], "replacement": [False, True], **SEED},
        "fit_resample",
    ),
    row(
        "imbalance.RandomOverSampler",
        "imblearn.over_sampling.RandomOverSampler",
        {"sampling_strategy": ["auto", "minority"], "shrinkage": [None, 0.5], **SEED},
        "fit_resample",
    ),
    row(
        "imbalance.SMOTE",
        "imblearn.over_sampling.SMOTE",
        {"sampling_strategy": ["auto", "minority"], "k_neighbors": [1, 5], **SEED},
        "fit_resample",
    ),
    row(
        "imbalance.BorderlineSMOTE",
        "imblearn.over_sampling.BorderlineSMOTE",
        {"k_neighbors": [1, 5], "m_neighbors": [5, 10], **SEED},
        "fit_resample",
    ),
    row(
        "imbalance.ThresholdClassifier",
        "sklearn.model_selection.TunedThresholdClassifierCV",
        {"scoring": ["balanced_accuracy", "f1", "recall"], "cv": [3]},
        "best_threshold_",
        "rare",
        first=(LogisticRegression(),),
        more={"thresholds": 20},
    ),
    row(
        "imbalance.AdaBoostClassifier",
        "sklearn.ensemble.AdaBoostClassifier",
        {"n_estimators": [1, 10], "learning_rate": [0.5, 1.0]},
        "decision_function",
        "rare",
        as_twin=lambda o: {**o, "random_state": 0},
    ),
    row(
        "imbalance.OneClassSVM",
        "sklearn.svm.OneClassSVM",
        {"nu": [0.1, 0.5], "gamma": ["scale", "auto", 0.1]},
        "decision_function",
        more={"tol": 1e-9},
    ),
]

# Names without a twin, or with one that draws differently: what the tests compare them with.
ALONE = {
    "decomposition.lasso_codes decomposition.sparse_encode": "`SparseCoder`; conditions of optimality; Beck and Teboulle's bound",
    "decomposition.KSVD decomposition.update_atom": "the largest singular triple; dictionaries recovered as by Aharon, Elad and Bruckstein 2006",
    "discriminant_analysis.ScatterMatrices discriminant_analysis.scatter_matrices discriminant_analysis.fisher_direction "
    "discriminant_analysis.fisher_criterion": "loops over classes and rows; random rivals; R's MASS on iris",
    "manifold.neighbour_graph manifold.geodesic_distances manifold.double_centre manifold.lle_weights manifold.lle_embedding": "loops (Floyd and Warshall's paths, `H A H`); random rivals; `Isomap` and `LocallyLinearEmbedding`",
    "preprocessing.bucket preprocessing.FeatureCross preprocessing.cluster_outliers preprocessing.residual_outliers": "counting by loops; products of bits; `DBSCAN`; `standardized_residuals`",
    "impute.MultipleImputer impute.Pooled impute.pool": "the posterior predictive distribution; coverage of the intervals",
    "impute.SoftImpute impute.svt": "the loop with full singular value decompositions; its subgradient; fancyimpute's objective",
    "feature_extraction.gradients feature_extraction.cell_histograms feature_extraction.normalize_blocks": "`hog`; loops over pixels",
    "feature_extraction.ScaleSpace feature_extraction.scale_space feature_extraction.extrema feature_extraction.localise "
    "feature_extraction.edge_test feature_extraction.orient feature_extraction.orientation_histogram feature_extraction.peaks "
    "feature_extraction.describe feature_extraction.descriptor feature_extraction.detect_and_extract feature_extraction.match": "keypoints of `skimage.feature.SIFT`; loops over pixels; turned and scaled photographs",
    "linear_model.BasisPursuit linear_model.sparsest_solution linear_model.restricted_isometry_constant linear_model.coherence": "all supports tried; Donoho and Tanner's threshold; their definitions",
    "linear_model.proximal_gradient linear_model.soft_threshold linear_model.lipschitz_constant linear_model.kkt_residual": "minima on a grid; Beck and Teboulle's bounds; `Lasso`",
    "model_selection.nested_cv_score model_selection.one_standard_error": "`cross_val_score` of a `GridSearchCV`; by hand",
    "model_selection.bits_sample_size model_selection.growth_bound model_selection.hoeffding_gap model_selection.margin_vc_bound "
    "model_selection.hoeffding_sample_size model_selection.vc_gap model_selection.vc_rate model_selection.vc_sample_size": "their formulas; simulations of what they promise",
    "model_selection.separable model_selection.count_labellings model_selection.cover_count model_selection.half_spaces "
    "model_selection.intervals model_selection.is_shattered model_selection.thresholds model_selection.vc_dimension": "random hyperplanes; Cover's count; the theorems on their dimensions",
    "feature_selection.Relief feature_selection.ReliefF": "slow loops for every kind of feature; skrebate 0.8.4 on two classes",
    "feature_selection.ExhaustiveSelector feature_selection.LasVegasWrapper": "every subset, fitted by loops",
    "feature_selection.Anova feature_selection.Chi2Test": "NIST's certified F; R's `chisq.test`",
    "feature_selection.entropy feature_selection.conditional_entropy feature_selection.information_gain "
    "feature_selection.inconsistency_rate feature_selection.kl_divergence feature_selection.plug_in_bias": "loops; `scipy.stats.entropy`",
    "multiclass.OutputCodeClassifier multiclass.exhaustive_code multiclass.random_code multiclass.pairs_code multiclass.pair_votes "
    "multiclass.nearest_code multiclass.code_distance multiclass.errors_corrected": "Dietterich and Bakiri's codes and what they correct; votes by loops (scikit-learn draws other codes)",
    "imbalance.EasyEnsembleClassifier": "its members, fitted one by one (imbalanced-learn draws other samples)",
    "imbalance.borderline_sets imbalance.rescale imbalance.under_priors imbalance.threshold_by_prior imbalance.threshold_by_cost "
    "imbalance.threshold_curve": "loops; Bayes' rule for two Gaussians; scikit-learn's metrics",
}

# What a twin's class takes and ours does not: it tunes the twin's own machinery ("*", for all families), or the course
# teaches no such thing. A test compares the signatures, so that nothing is missing silently.
LEFT_OUT = {
    "*": {
        "copy copy_X verbose": "we never change the caller's table, and are silent unless `progress` is set",
        "n_jobs algorithm leaf_size neighbors_algorithm precompute selection warm_start shrinking gcv_mode max_iter tol "
        "random_state": "how the twin searches: ours needs no such choice, or makes it itself",
        "metric metric_params": "Minkowski's distances, by `p`, are those of the chapters",
    },
    "PCA": {
        "svd_solver iterated_power n_oversamples power_iteration_normalizer": "`solver` names the chapter's three ways; none is random"
    },
    "KernelPCA": {
        "iterated_power remove_zero_eig": "no random solver; axes without variance are always left out"
    },
    "FastICA": {"whiten_solver": "whitening is `PCA`"},
    "DictionaryLearning": {"fit_algorithm callback": "the codes are found by FISTA; `progress` shows a bar"},
    "LinearDiscriminantAnalysis": {
        "solver covariance_estimator store_covariance": "one way, whitening and PCA of the means; `scatter_matrices` gives the matrices"
    },
    "CCA": {"scale": "correlations have no units"},
    "Isomap": {"path_method": "Dijkstra's algorithm"},
    "LocallyLinearEmbedding": {"method hessian_tol modified_tol": "the standard method alone"},
    "OneHotEncoder": {
        "feature_name_combiner max_categories min_frequency": "rare levels are not merged; `missing` is ours"
    },
    "KBinsDiscretizer": {"dtype subsample": "X's own precision; every row counts"},
    "DBSCAN": {"p": "Euclid's distance; scale the columns first"},
    "SimpleImputer": {
        "missing_values keep_empty_features": "blanks are NaN or None; an empty column is an error"
    },
    "Ridge": {"positive": "`Lasso(positive=True)` is the chapter's"},
    "RidgeCV": {"scoring": "squared error; R² over folds"},
    "LogisticRegression": {
        "dual intercept_scaling penalty solver": "`l1_ratio` is the penalty; Newton without an L1 part, proximal gradient with one"
    },
    "AdaBoostClassifier": {"estimator": "stumps"},
}

# Both are right, and they answer otherwise: tests/helpers/ show each.
ON_PURPOSE = {
    "orthogonal_mp": (
        "no atom for a sample that is within `tol` of 0; with `tol` and `n_nonzero_coefs` both limits are kept",
        "one atom at least; with `tol` it does not look at `n_nonzero_coefs`",
    ),
    "LinearDiscriminantAnalysis": (
        "given `priors` weigh the classes' covariances, as with the twin's 'eigen' and 'lsqr'",
        "the default, 'svd', weighs them by their rows",
    ),
    "ThresholdClassifier": (
        "`fit` takes no weights of rows",
        "nor does it by itself: only where metadata routing is switched on",
    ),
    "SequentialFeatureSelector": (
        "`fit` takes no weights of rows",
        "nor does it by itself: only where metadata routing is switched on",
    ),
}
