"""Compute what takes too long in a chapter, once, and store it in notebooks/stored/.

    uv run python tools/make_stored.py                           # what needs no other package, and README.md
    uv run python tools/make_stored.py basis-pursuit-phase       # one

A chapter reads it with ``helpers.datasets.stored("basis-pursuit-phase")``. A new entry is a function below
with the decorator ``@entry(name, what, **small)``: its options say how much is computed, and `small` a part
of it, whose arrays are the first rows of the stored ones (`axes`: also the first along other axes).
`tests/test_stored.py` computes that part again and compares.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from helpers.methods.ecoc import nearest_code
from tools import books, written
from tools.books import ROOT

FOLDER = ROOT / "notebooks" / "stored"
ENTRIES = {}
HEAD = """# Stored data

What would take a chapter minutes to compute. `helpers.datasets.stored(name)` reads it; the command makes it
again.

| name | what it is | made by |
|---|---|---|
"""


@dataclass(frozen=True)
class Entry:
    """One stored result: `make(**options)` gives a dict of arrays, `small` the options of its first rows.

    package : one that the course does not install; the command brings it, and no test makes the entry again
    """

    name: str
    what: str
    make: object
    small: dict
    axes: tuple = (0,)
    package: str = ""

    @property
    def command(self):
        brought = f"--with {self.package} " if self.package else ""
        return f"uv run {brought}python tools/make_stored.py {self.name}"


def entry(name, what, axes=(0,), package="", **small):
    """Register the function below as the one that makes `name`."""

    def register(make):
        ENTRIES[name] = Entry(name, what, make, small, axes, package)
        return make

    return register


# ---- what is stored


@entry(
    "basis-pursuit-phase",
    "chapter 6: the share of 20 random sparse codes of length 80 that come back exactly, by basis pursuit "
    "(`recovered`) and by orthogonal matching pursuit (`greedy`; `equal`: the same codes, all nonzeros ±1); "
    "rows: 1, 2 … 40 nonzeros, columns: 2, 4 … 80 measurements",
    sparsity=(1,),
)
def basis_pursuit_phase(measurements=tuple(range(2, 82, 2)), sparsity=tuple(range(1, 41)), seeds=20, n=80):
    """recovered, greedy, equal: (len(sparsity), len(measurements)), from 0 to 1; and both grids.

    The rows are the grid along which a small run is cut; the other grid is the same in both.
    """
    from helpers.methods.sparse_recovery import basis_pursuit

    listed = listing_of("06", "omp")["omp"]

    def omp(A, s, k):
        return listed(A, A @ s, min(k, len(A)))

    def exact(m, k, seed):
        rng = np.random.default_rng([m, k, seed])
        A, s = rng.normal(size=(m, n)), np.zeros(n)
        s[rng.choice(n, k, replace=False)] = rng.normal(size=k)
        by_l1, found = basis_pursuit(A, A @ s), [omp(A, code, k) for code in (s, np.sign(s))]
        return [np.abs(off).max() < 1e-6 for off in (by_l1 - s, found[0] - s, found[1] - np.sign(s))]

    share = np.array([
        [np.mean([exact(m, k, s) for s in range(seeds)], axis=0) for m in measurements] for k in sparsity
    ])
    return {
        "recovered": share[:, :, 0],
        "greedy": share[:, :, 1],
        "equal": share[:, :, 2],
        "sparsity": np.array(sparsity),
        "measurements": np.array(measurements),
    }


@entry(
    "bird-races",
    "chapter 5: 20 shuffles or draws behind its numbers: three columns alone (`columns`), fillers of blanks "
    "(`fillers`), what three ways promise and deliver (`promises`), and the recipe (`recipes`); slopes "
    "with half their intervals of 100 studies (`slopes`), whether intervals hold the mean in 2000 (`means`)",
    draws=1,
)
def bird_races(draws=20):
    """columns, fillers: (draws, 3); promises: (draws, 3, 2); recipes: (draws, 2).

    slopes: (5 draws, 2, 2); means: (100 draws, 2).
    """
    import pandas as pd
    from scipy import stats
    from sklearn import compose, impute, linear_model, model_selection, neighbors, pipeline
    from sklearn import preprocessing as scalers
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401

    from helpers import datasets

    room = {"pd": pd, "stats": stats, "zscore": stats.zscore, "datasets": datasets}
    for library in (compose, impute, linear_model, model_selection, neighbors, pipeline, scalers):
        room |= vars(library)
    data = "birds", "limits", "sexed", "male", "columns", "alone", "nest", "five", "numbers"
    data += "past", "sex", "weighed_birds", "jitter", "units", "kinds", "fillers", "prepared", "turns"
    runs = "held_out", "study", "proper_draw", "pooled_mean", "four_fillings", "pooled_slope"
    runs += "by_scikit_learn", "both_ways", "both_means", "missed_by", "whole_way", "promise", "wetted"
    runs += "wet_book", "sex_means", "share_right", "as_it_is"
    room = listing_of("05", *data, *runs, companion=False, **room)
    seeds = range(draws)
    return {
        "columns": np.array([room["held_out"](seed) for seed in seeds]),
        "fillers": np.array([room["missed_by"](seed) for seed in seeds]),
        "promises": np.array([
            [room["promise"](seed, **turn) for turn in room["turns"].values()] for seed in seeds
        ]),
        "recipes": np.array([room["wetted"](seed) for seed in seeds]),
        "slopes": np.array([room["both_ways"](seed) for seed in range(5 * draws)]),
        "means": np.array([room["both_means"](seed) for seed in range(100 * draws)]),
    }


@entry(
    "recovery-races",
    "chapter 6: 20 draws behind its numbers: relative errors of three ways to scan a `drawing` and a "
    "`photograph`; of film means and soft-impute on `stars`; on `faces` of the dirty ones, PCA, L and a "
    "median filter; the largest error of L on tables of rank 2 (`exact`)",
    draws=1,
)
def recovery_races(draws=20):
    """drawing, photograph: (draws, 3); stars: (draws, 2); faces: (draws, 4); exact: (draws,)."""
    from scipy.ndimage import median_filter
    from skimage.data import shepp_logan_phantom

    from helpers import datasets
    from helpers.chapters.recovery import haar, haar_back

    names = "soft", "restore", "drawing", "palace", "frequency", "scan", "scan_error"
    names += "quarters", "soft_impute", "ratings", "filling_error", "low_rank_and_sparse"
    room = dict(datasets=datasets, shepp_logan_phantom=shepp_logan_phantom, median_filter=median_filter)
    room |= dict(haar=haar, haar_back=haar_back)
    room = listing_of("06", *names, "faces", "spread", "of_faces", "of_rank_two", companion=False, **room)
    seeds, quarters = range(draws), room["quarters"].values()

    def scans(picture):
        return np.array([[room["scan_error"](s, power, picture) for power in quarters] for s in seeds])

    return {
        "drawing": scans(room["drawing"]),
        "photograph": scans(room["palace"]),
        "stars": np.array([room["filling_error"](seed) for seed in seeds]),
        "faces": np.array([room["of_faces"](seed) for seed in seeds]),
        "exact": np.array([room["of_rank_two"](seed) for seed in seeds]),
    }


def listing_of(chapter, *names, companion=True, **room):
    """Functions and values that a chapter or its companion lists: what is stored is made by what is shown.

    They are run in a room that holds NumPy and what is given by name. Where a companion uses a name for
    something else: `companion=False`.
    """
    import ast
    import json

    (path,) = books.chapters(ROOT / "notebooks", f"{chapter}-")
    cells = [
        c
        for p in books.together(path)[: 1 + companion]
        for c in json.loads(p.read_text(encoding="utf-8"))["cells"]
    ]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    wanted = [n for s in sources for n in ast.parse(s).body if names_of(n) & set(names)]
    room["np"] = np
    exec(compile(ast.Module(wanted, []), path.name, "exec"), room)
    return room


def names_of(statement):
    """What a statement defines or assigns."""
    targets = [
        getattr(name, "id", None)
        for target in getattr(statement, "targets", [])
        for name in getattr(target, "elts", [target])
    ]
    return {getattr(statement, "name", None), *targets} - {None}


def digits_of_03():
    """Of chapter 3: the share of digits that LDA reads right after so many, and what it is asked."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import GroupShuffleSplit

    from helpers import datasets

    room = dict(datasets=datasets, GroupShuffleSplit=GroupShuffleSplit)
    room |= dict(LinearDiscriminantAnalysis=LinearDiscriminantAnalysis)
    room = listing_of("03", *"digits labels form lda_right sizes ways".split(), **room)
    return room["lda_right"], room["sizes"], room["ways"]


@entry(
    "the-dip",
    "chapter 3: digits of other forms that LDA reads right (per cent) after 40 to 800 digits, almost without "
    "shrinkage and with `auto`; rows: 20 draws",
    draws=1,
)
def the_dip(draws=20):
    """right: (draws, 2, 8)."""
    lda_right, sizes, ways = digits_of_03()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of some digit there is one sample among 40
        right = [[[lda_right(s, n, t) for n in sizes] for t in ways.values()] for s in range(draws)]
    return {"right": np.array(right)}


def photographs_of_04():
    """Of chapter 4: a function from a seed to photographs and their true places; what judges a map."""
    from scipy.ndimage import map_coordinates
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import NearestNeighbors

    from helpers import datasets

    room = {"map_coordinates": map_coordinates, "datasets": datasets}
    room |= {"LinearRegression": LinearRegression, "NearestNeighbors": NearestNeighbors}
    wanted = "face side down along disc photograph make_photos steps size per_degree one_degree true_places"
    room = listing_of("04", *wanted.split(), "ten_nearest", "measures", **room)

    def photographs(seed):
        pictures, *angles = room["make_photos"](seed)
        return pictures, room["true_places"](*angles)

    return photographs, room["measures"]


@entry(
    "turn-and-lamp",
    "chapter 4: misfit and neighbours kept (per cent) of PCA, Isomap, LLE, LTSA and t-SNE, on 600 "
    "photographs of a turned face; rows: ten draws, for each 10, 20, 30 neighbours (t-SNE: perplexity)",
    runs=1,
)
def turn_and_lamp(runs=30):
    """found: (runs, 5, 2)."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding

    photographs, measures = photographs_of_04()
    found = []
    for run in range(runs):
        draw, L = run // 3, (10, 20, 30)[run % 3]
        X, truth = photographs(draw)
        lle = LocallyLinearEmbedding(n_neighbors=L, eigen_solver="dense")
        ltsa = clone(lle).set_params(method="ltsa")
        methods = [PCA(2), Isomap(n_neighbors=L), lle, ltsa, TSNE(perplexity=L, random_state=0)]
        found.append([measures(method.fit_transform(X), truth) for method in methods])
    return {"found": np.array(found)}


@entry(
    "umap-photographs",
    "chapter 4: misfit and neighbours kept (per cent) of UMAP on 600 photographs of a turned face; rows: ten "
    "draws, for each 10, 15 (the default), 30 neighbours",
    package="umap-learn==0.5.12",
    draws=1,
)
def umap_photographs(draws=10):
    """found: (draws, 3, 2)."""
    from umap import UMAP

    photographs, measures = photographs_of_04()
    found = []
    for X, truth in map(photographs, range(draws)):
        maps = [UMAP(n_neighbors=L, random_state=0).fit_transform(X) for L in (10, 15, 30)]
        found.append([measures(Z, truth) for Z in maps])
    return {"found": np.array(found)}


def rolls_of_04():
    """Of chapter 4: a function from a seed to a roll and its sheet; what judges a map."""
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import NearestNeighbors

    room = {"LinearRegression": LinearRegression, "NearestNeighbors": NearestNeighbors}
    room = listing_of("04", "turned", "length", "make_roll", "ten_nearest", "measures", **room)
    return room["make_roll"], room["measures"]


@entry(
    "twenty-rolls",
    "chapter 4: misfit, neighbours kept and the share of the map's variance that is linear in the data (per "
    "cent), of PCA, Isomap, LLE with the ridges 0.001 and 1e-9, LTSA and t-SNE; rows: 20 Swiss rolls",
    draws=1,
)
def twenty_rolls(draws=20):
    """found: (draws, 6, 3)."""
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LinearRegression
    from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding

    make_roll, measures = rolls_of_04()
    lle = LocallyLinearEmbedding(n_neighbors=10, random_state=0)
    methods = [PCA(2), Isomap(n_neighbors=10), lle, clone(lle).set_params(reg=1e-9)]
    methods += [clone(lle).set_params(method="ltsa"), TSNE(random_state=0)]
    found = np.zeros((draws, len(methods), 3))
    for seed in range(draws):
        X, sheet = make_roll(seed)
        for i, method in enumerate(methods):
            Z = method.fit_transform(X)
            linear = 100 * LinearRegression().fit(X, Z).score(X, Z)
            found[seed, i] = *measures(Z, sheet), linear
    return {"found": found}


@entry(
    "known-clouds",
    "chapter 4: on maps by t-SNE with the perplexity 30, how many times as wide the wide cloud is as the "
    "tight one, and the second gap as the first; rows: 20 draws of the clouds",
    draws=1,
)
def known_clouds(draws=20):
    """found: (draws, 2)."""
    from sklearn.manifold import TSNE

    room = listing_of("04", "known_clouds", "tsne_map", "width_ratio", "gap_ratio", TSNE=TSNE)
    found = []
    for seed in range(draws):
        clouds = room["known_clouds"](seed)
        maps = [room["tsne_map"](clouds[name], 30) for name in ("sizes", "gaps")]
        found.append([room["width_ratio"](maps[0]), room["gap_ratio"](maps[1])])
    return {"found": np.array(found)}


@entry(
    "rare-eights",
    "chapter 12: average precision and balanced accuracy of three learners with five remedies on eights "
    "of new writers; rows: 20 random halves of the forms",
    splits=1,
)
def rare_eights(splits=20):
    """found: (splits, 3, 5, 2)."""
    from imblearn import over_sampling, pipeline, under_sampling
    from sklearn import ensemble, linear_model, metrics, model_selection, svm

    from helpers import datasets

    room = {"metrics": metrics, "datasets": datasets, "clone": clone}
    for library in (over_sampling, ensemble, linear_model, model_selection, pipeline, svm, under_sampling):
        room |= vars(library)
    data = ("images", "digit", "form", "pixels", "eight", "splitter", "forms")
    room = listing_of("12", *data, "logistic", "boosted", "learners", "remedies", "contest", **room)
    asked = [(who, how) for who in room["learners"] for how in room["remedies"]]
    found = [[room["contest"](seed, *pair) for pair in asked] for seed in range(splits)]
    return {"found": np.reshape(found, (splits, 3, 5, 2))}


@entry(
    "neighbours-or-mean",
    "chapter 1: accuracy (%) of the commonest class, of the nearest mean and of kNN by the chapter's "
    "recipe, on splits of the digits by form; rows: 20 splits",
    splits=1,
)
def neighbours_or_mean(splits=20):
    """digits: (splits, 3); tested: rows for the test per row to learn from."""
    import warnings

    from sklearn import dummy, model_selection, neighbors, pipeline, preprocessing

    from helpers import datasets

    room = {}
    for library in (dummy, model_selection, neighbors, pipeline, preprocessing):
        room |= vars(library)
    room = listing_of("01", "scaling", "by_mean", "knn", "for_knn", "models", companion=False, **room)
    X, y, form = datasets.load_digits(writers=True)
    forms = list(model_selection.GroupShuffleSplit(splits, test_size=0.3, random_state=0).split(X, y, form))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="self.within_class")  # pixels that are always 0
        digits = [
            100 * model_selection.cross_val_score(model, X, y, cv=forms) for model in room["models"].values()
        ]
    tested = [len(test) / len(known) for known, test in forms]
    return {"digits": np.transpose(digits), "tested": np.array(tested)}


@entry(
    "insurer-recipe",
    "chapter 12: avoided costs (%) of the cheapest constant, of logistic regression and of boosted trees by "
    "the chapter's recipe, on the insurer's people; rows: 20 random splits",
    splits=1,
)
def insurer_recipe(splits=20):
    """avoided: (splits, 3)."""
    import pandas as pd
    from sklearn import dummy, ensemble, linear_model, model_selection, pipeline, preprocessing
    from statsmodels.datasets import randhie

    room = {"pd": pd, "randhie": randhie}
    for library in (dummy, ensemble, linear_model, model_selection, pipeline, preprocessing):
        room |= vars(library)
    room = listing_of(
        "12", "people", "y", "X", "alike", "scaled", "boosting", "models", "avoided_costs", **room
    )
    table = room["avoided_costs"](room["X"], room["y"], [60, 840], room["alike"], splits)
    return {"avoided": table.to_numpy()}


@entry(
    "axes-kept",
    "chapter 2: how many of 13 axes the search of the chapter's recipe keeps on the wines; rows: 20 random "
    "splits",
    splits=1,
)
def axes_kept(splits=20):
    """kept: (splits,)."""
    from sklearn import (
        datasets as tables,
    )
    from sklearn import (
        decomposition,
        dummy,
        linear_model,
        model_selection,
        neighbors,
        pipeline,
    )
    from sklearn.preprocessing import StandardScaler

    room = {"StandardScaler": StandardScaler}
    for library in (decomposition, dummy, linear_model, model_selection, neighbors, pipeline):
        room |= vars(library)
    search = listing_of("02", "ks", "learner", "strength", "share", "models", **room)["models"]["with PCA"]
    X, y = tables.load_wine(return_X_y=True, as_frame=True)
    rows = model_selection.StratifiedShuffleSplit(splits, test_size=0.3, random_state=0).split(X, y)
    fitted = [search.fit(X.iloc[known], y[known]).best_estimator_ for known, _ in rows]
    return {"kept": np.array([model["pca"].n_components_ for model in fitted])}


@entry(
    "multiclass-schemes",
    "chapter 11: share of new rows that are right, four learners (least squares, logistic regression, tree, "
    "SVM with a Gaussian kernel) on the digits of 7 of 14 forms, then on 200 penguins of six classes (species"
    " and sex); columns: one-vs-rest, one-vs-one, a code of 45 (birds: 31) questions, the learner as "
    "scikit-learn has it; 10 random halves",
    axes=(0, 2),
    rows=1,
    splits=2,
)
def multiclass_schemes(rows=8, splits=10):
    """right: (rows, 4, splits). Each chooses its own penalty or leaf size, on three folds of its rows."""
    from sklearn.linear_model import LogisticRegression, RidgeClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    learners = [
        (RidgeClassifier(), "alpha", (0.01, 1, 100)),
        (LogisticRegression(max_iter=5000), "C", (0.1, 1, 10)),
        (DecisionTreeClassifier(random_state=0), "min_samples_leaf", (1, 3, 10)),
        (SVC(), "C", (1, 10, 100)),
    ]
    cells = [(*table, *learner) for table in _tables_of_schemes() for learner in learners]
    right = [
        [[_new_rows_right(*cell, scheme, seed) for seed in range(splits)] for scheme in range(4)]
        for cell in cells[:rows]
    ]
    return {"right": np.array(right)}


@entry(
    "multiclass-bags",
    "chapter 11: the same share for bags of trees, each on another draw of the rows and half of the "
    "features: 45 trees on the digits, 31 on the penguins; 10 random halves",
    splits=1,
)
def multiclass_bags(splits=10):
    """right: (splits, 2). Each chooses its own leaf size, on three folds of its rows."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0), "min_samples_leaf", (1, 3, 10)
    cells = [(*table, *tree) for table in _tables_of_schemes()]
    return {"right": np.array([[_new_rows_right(*c, 4, seed) for c in cells] for seed in range(splits)])}


def _tables_of_schemes():
    """X, y, groups that stay together, rows to learn from, questions: ten digits, six classes of penguins."""
    from helpers.datasets import load_digits, load_penguins

    birds = load_penguins().dropna()
    four = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
    return [
        (*load_digits(writers=True), None, 45),
        (birds[four].to_numpy(), (birds["species"] + " " + birds["sex"]).to_numpy(), None, 200, 31),
    ]


class Coded(ClassifierMixin, BaseEstimator):
    """Output codes from a code book of one's own: a classifier for each column, the nearest word wins."""

    def __init__(self, estimator, code):
        self.estimator, self.code = estimator, code

    def fit(self, X, y):
        self.classes_, of = np.unique(y, return_inverse=True)
        self.models_ = [clone(self.estimator).fit(X, column[of]) for column in self.code.T]
        return self

    def predict(self, X):
        """Scores of words of ±1, or probabilities of words of 0 and 1."""
        scores = hasattr(self.models_[0], "decision_function")
        said = [m.decision_function(X) if scores else m.predict_proba(X)[:, 1] for m in self.models_]
        return self.classes_[nearest_code(np.transpose(said), 2 * self.code - 1 if scores else self.code)]


def _new_rows_right(X, y, groups, n, columns, learner, name, grid, scheme, seed):
    """Share of new rows (half of the groups, or all but n rows) that a learner in a scheme gets right."""
    from sklearn.ensemble import BaggingClassifier
    from sklearn.model_selection import GridSearchCV, GroupKFold, GroupShuffleSplit
    from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from helpers.methods.ecoc import random_code

    K = len(np.unique(y))
    if groups is None:
        order, folds, together = np.random.default_rng(seed).permutation(len(y)), 3, {}
        learn, new = order[:n], order[n:]
    else:
        halves = GroupShuffleSplit(1, test_size=0.5, random_state=seed)
        learn, new = next(halves.split(X, groups=groups))
        folds, together = GroupKFold(3), {"groups": groups[learn]}
    code = random_code(K, columns, random_state=seed)
    model = [
        OneVsRestClassifier(learner),
        OneVsOneClassifier(learner),
        Coded(learner, code),
        learner,
        BaggingClassifier(learner, columns, max_features=0.5, random_state=seed),
    ][scheme]
    scaler = StandardScaler() if K == 6 else "passthrough"  # pixels share a unit
    options = {f"{type(model).__name__.lower()}__{'' if scheme == 3 else 'estimator__'}{name}": grid}
    model = make_pipeline(scaler, model)
    if K == 10:
        X = X / 16
    search = GridSearchCV(model, options, cv=folds).fit(X[learn], y[learn], **together)
    return search.score(X[new], y[new])


@entry(
    "penguin-contests",
    "chapter 7: errors (mm²) reported and true after a contest of six degrees on 40 penguins; the place of "
    "the degree picked by seven criteria on 100, and the errors of all ten; 600 draws (rows)",
    draws=2,
)
def penguin_contests(draws=600):
    """reports: (draws, 3); picks: (draws, 7); errors: (draws, 10)."""
    from numpy.polynomial import Polynomial
    from sklearn.model_selection import KFold

    from helpers import datasets

    names = "penguins", "mass", "bill", "degrees", "draw_penguins", "fit", "error"
    names += "cv_error", "choose_by_folds", "contest_and_report", "criteria", "contest_of_criteria"
    room = listing_of("07", *names, datasets=datasets, Polynomial=Polynomial, KFold=KFold)
    picks, errors = zip(*(room["contest_of_criteria"](seed) for seed in range(draws)), strict=True)
    reports = [room["contest_and_report"](*room["draw_penguins"](seed, 40)) for seed in range(draws)]
    return {"reports": np.array(reports), "picks": np.array(picks), "errors": np.array(errors)}


@entry(
    "wine-selection",
    "chapter 9: the recipe's accuracy (%) on the wines, a column for each model, a row for each of 20 splits",
    splits=1,
)
def wine_selection(splits=20):
    """Each model's accuracies: (splits,)."""
    import pandas as pd
    from sklearn import model_selection
    from sklearn.datasets import load_wine
    from sklearn.dummy import DummyClassifier
    from sklearn.feature_selection import RFE
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    room = listing_of(
        "09",
        *("plain", "sparse", "models", "strength", "trials", "select_or_not"),
        companion=False,
        **{name: getattr(model_selection, name) for name in ("GridSearchCV", "cross_val_score")},
        **dict(ShuffleSplit=model_selection.ShuffleSplit),
        **dict(pd=pd, DummyClassifier=DummyClassifier, RFE=RFE, LogisticRegression=LogisticRegression),
        **dict(make_pipeline=make_pipeline, StandardScaler=StandardScaler),
    )
    table = room["select_or_not"](*load_wine(return_X_y=True), n_splits=splits)
    return {name: column.to_numpy() for name, column in table.items()}


@entry(
    "planted-weights",
    "chapter 9: errors of the mean, ridge, the Lasso and the Lasso refitted on 20 tables where two (`two`) "
    "or all 60 features matter (`all`), with noise of three strengths",
    tables=1,
)
def planted_weights(tables=20):
    """two, all: (tables, 3, 4)."""
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LassoCV, LinearRegression, RidgeCV

    room = dict(np=np, DummyRegressor=DummyRegressor, RidgeCV=RidgeCV, LassoCV=LassoCV)
    room["ways"] = {
        "mean": DummyRegressor(),
        "ridge": RidgeCV(np.geomspace(1, 1e5, 30)),
        "Lasso": LassoCV(cv=5, max_iter=50_000),
    }
    room = listing_of("09", "planted_errors", LinearRegression=LinearRegression, **room)
    return {
        name: np.array([
            [room["planted_errors"](seed, snr, matter) for snr in (0.3, 1.0, 5.0)] for seed in range(tables)
        ])
        for name, matter in (("two", 2), ("all", 60))
    }


@entry(
    "camera-atoms",
    "chapter 10: 256 atoms that K-SVD (four for a patch, 7 rounds) learned from the left half of a "
    "photograph",
)
def camera_atoms():
    """atoms: (256, 64)."""
    from numpy.lib.stride_tricks import sliding_window_view

    from helpers import datasets
    from helpers.methods.ksvd import KSVD

    room = listing_of(
        "10", "patches", "camera", "seen", sliding_window_view=sliding_window_view, datasets=datasets
    )
    learner = KSVD(256, n_nonzero_coefs=4, max_iter=7, random_state=0)
    return {"atoms": learner.fit(room["seen"]).components_}


@entry(
    "atom-moves",
    "chapter 10: the squared error that three ways to move atoms leave of 401 patches, after 1 and after 15 "
    "rounds, from 20 starts",
    seeds=1,
)
def atom_moves(seeds=20):
    """left: (seeds, 2, 3)."""
    room = listing_of("10", "patches", "camera", "seen", "sample", "ksvd_atom", "left_after", **tools_of_10())
    ways = ("both", "codes stay", "MOD")
    return {
        "left": np.array([
            [[room["left_after"](seed, way, rounds) for way in ways] for rounds in (1, 15)]
            for seed in range(seeds)
        ])
    }


@entry(
    "twenty-reports",
    "chapter 7: accuracy and log loss of 9 and 45 neighbours; accuracies on tables of noise, genes selected "
    "inside the folds and before them, with the labels and 19 shuffles of them; rows: 20 draws",
    draws=1,
)
def twenty_reports(draws=20):
    """scores: (draws, 2, 2); rates: (draws, 2, 20)."""
    from sklearn import feature_selection, metrics, model_selection, neighbors, preprocessing

    from helpers import datasets

    room = {"datasets": datasets}
    for library in (feature_selection, metrics, model_selection, neighbors, preprocessing):
        room |= vars(library)
    names = "tumours", "two_scores", "select", "noise_table", "accuracy_of", "both_ways"
    room = listing_of("07", *names, **room)
    ways = {"scores": "two_scores", "rates": "both_ways"}
    return {name: np.array([room[way](seed) for seed in range(draws)]) for name, way in ways.items()}


@entry(
    "which-score",
    "chapter 8: whether the useful columns lead, of six kinds of tables (columns) by four scores; rows: 20 "
    "tables of each kind",
    draws=1,
)
def which_score(draws=20):
    """first: (draws, scores, kinds)."""
    from sklearn import feature_selection

    from helpers.chapters.filters import make_hidden
    from helpers.methods.relief import relief_scores, relieff_scores

    room = vars(feature_selection) | {"make_hidden": make_hidden}
    room |= {"relief_scores": relief_scores, "relieff_scores": relieff_scores}
    room = listing_of("08", "kinds", "bits", "filters", "comes_first", **room)
    filters, kinds = room["filters"].values(), room["kinds"]
    first, seeds = room["comes_first"], range(draws)
    return {"first": np.array([[[first(f, kind, s) for kind in kinds] for f in filters] for s in seeds])}


@entry(
    "filter-contests",
    "chapter 8: accuracy (%) with five columns by F and by mRMR, and the share of five that the other half "
    "of the women gives, too; gain by the filter of the recipe on other women; rows: 20 splits or draws",
    draws=1,
)
def filter_contests(draws=20):
    """rivals: (draws, 2, 2); gain: (draws,)."""
    import pandas as pd
    import scipy
    from scipy.stats.contingency import crosstab
    from sklearn import dummy, feature_selection, linear_model, model_selection, pipeline, preprocessing

    from helpers import datasets

    room = {"datasets": datasets, "pd": pd, "scipy": scipy, "crosstab": crosstab}
    for library in (dummy, feature_selection, linear_model, model_selection, pipeline, preprocessing):
        room |= vars(library)
    data = "X", "y", "useless", "orders", "few", "padded", "tuned", "penalised", "fifths", "entropy"
    names = "information", "mrmr", "lists", "right", "rivals_on"
    recipe = "learner", "penalty", "shares", "scaled", "models", "filter_or_not", "gain_on"
    room = listing_of("08", *data, *names, *recipe, **room)
    seeds = range(draws)
    return {
        "rivals": np.array([room["rivals_on"](seed) for seed in seeds]),
        "gain": np.array([room["gain_on"](seed) for seed in seeds]),
    }


@entry(
    "palace-parts",
    "chapter 10: PSNR (dB) of 20 noisy parts of a photograph of a palace, cleaned in three channels: turned "
    "and learned atoms; red, green, blue and learned atoms; turned and cosines",
    seeds=1,
)
def palace_parts(seeds=20):
    """psnr: (seeds, 3)."""
    from sklearn.datasets import load_sample_image
    from sklearn.feature_extraction.image import reconstruct_from_patches_2d

    room = listing_of(
        "10",
        *("patches", "learned", "cosines", "psnr", "denoised", "palace", "palace_by"),
        reconstruct_from_patches_2d=reconstruct_from_patches_2d,
        load_sample_image=load_sample_image,
        **tools_of_10(),
    )
    arms = ((room["learned"], True), (room["learned"], False), (room["cosines"](16), True))
    return {"psnr": np.array([[room["palace_by"](seed, *arm) for arm in arms] for seed in range(seeds)])}


def tools_of_10():
    """What chapter 10 imports to cut a photograph into patches and to code them."""
    from numpy.lib.stride_tricks import sliding_window_view

    from helpers import datasets
    from helpers.methods.ksvd import batch_omp

    return dict(sliding_window_view=sliding_window_view, datasets=datasets, batch_omp=batch_omp)


@entry(
    "dictionary-ends",
    "chapter 10: 20 atoms learned from 300 digits, from five starts, after 1 and after 1,500 rounds",
    rounds=(1,),
)
def dictionary_ends(rounds=(1, 1500)):
    """atoms: (len(rounds), 5, 20, 64); objectives: (len(rounds), 5), formula (10.8) with λ = 0.4."""
    from sklearn.decomposition import DictionaryLearning
    from sklearn.exceptions import ConvergenceWarning

    from helpers.datasets import load_digits

    digits = load_digits()[0][:300] / 16
    starts = [digits[np.random.default_rng(seed).permutation(300)[:20]] for seed in range(5)]
    how = dict(alpha=0.2, tol=0, fit_algorithm="cd", code_init=np.zeros((300, 20)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a round's codes: the next goes on from them
        ends = [
            [DictionaryLearning(20, max_iter=many, dict_init=start, **how).fit(digits) for start in starts]
            for many in rounds
        ]
    return {
        "atoms": np.array([[end.components_ for end in row] for row in ends]),
        "objectives": np.array([[2 * end.error_[-1] for end in row] for row in ends]),
    }


@entry(
    "planted-atoms",
    "chapter 10: the share of 50 hidden atoms that K-SVD finds after 2 and after 80 rounds, and the share of "
    "the squared training samples that is left, for 20 draws of 100 to 800 samples; with 400 samples also "
    "where no code may become worse",
    rounds=(2,),
)
def planted_atoms(rounds=(2, 80), sizes=(100, 200, 400, 800), draws=20):
    """found, left: (len(rounds), draws, len(sizes)); guarded: (len(rounds), draws); sizes: (len(sizes),)."""
    from sklearn.datasets import make_sparse_coded_signal

    from helpers.methods.ksvd import batch_omp

    room = listing_of(
        "10",
        *("hidden", "found", "ksvd_atom", "ksvd", "guarded_ksvd"),
        batch_omp=batch_omp,
        make_sparse_coded_signal=make_sparse_coded_signal,
    )
    result, guarded = np.empty((2, len(rounds), draws, len(sizes))), np.empty((len(rounds), draws))
    for i, seed in np.ndindex(guarded.shape):
        for j, n in enumerate(sizes):
            X, truth, first = room["hidden"](seed, n)
            B, _, errors = room["ksvd"](X, first, 3, rounds[i])
            result[:, i, seed, j] = room["found"](truth, B), errors[-1] / (X**2).sum()
        X, truth, first = room["hidden"](seed, 400)
        guarded[i, seed] = room["found"](truth, room["guarded_ksvd"](X, first, 3, rounds[i])[0])
    return {"found": result[0], "left": result[1], "guarded": guarded, "sizes": np.array(sizes)}


@entry(
    "photo-races",
    "chapter 10: PSNR (dB) of learned atoms and of raw patches from 20 starts; of four ways to remove 20 "
    "draws of noise; of four ways to fill 20 draws of missing pixels, "
    "and of the recipe on 20 draws of noise on a flower and on a palace",
    draws=1,
)
def photo_races(draws=20):
    """starts, raws: (draws, 5); clean, mended, flower, palace: (draws, 4)."""
    import pandas as pd
    from numpy.lib.stride_tricks import sliding_window_view
    from scipy.fft import dct
    from skimage.metrics import peak_signal_noise_ratio
    from skimage.restoration import denoise_nl_means, inpaint_biharmonic
    from sklearn.datasets import load_sample_image
    from sklearn.decomposition import MiniBatchDictionaryLearning
    from sklearn.feature_extraction.image import extract_patches_2d, reconstruct_from_patches_2d
    from sklearn.linear_model import orthogonal_mp

    from helpers import datasets
    from helpers.methods.ksvd import KSVD, batch_omp

    room = listing_of(
        "10",
        *("patches", "camera", "seen", "unseen", "cosines", "atoms_from", "psnr", "quality"),
        *("counts", "denoised", "own_atoms", "sigma", "man", "omp", "filled", "face"),
        *("around", "cleaned_by", "filled_by", "flat", "elsewhere", "elsewhere_raw"),
        *("cut", "dictionary_of", "from_atoms", "wave", "methods", "denoise_or_not", "flower", "roof"),
        **dict(
            sliding_window_view=sliding_window_view,
            inpaint_biharmonic=inpaint_biharmonic,
            datasets=datasets,
            KSVD=KSVD,
        ),
        **dict(
            peak_signal_noise_ratio=peak_signal_noise_ratio,
            denoise_nl_means=denoise_nl_means,
            batch_omp=batch_omp,
        ),
        **dict(
            reconstruct_from_patches_2d=reconstruct_from_patches_2d, extract_patches_2d=extract_patches_2d
        ),
        **dict(MiniBatchDictionaryLearning=MiniBatchDictionaryLearning, orthogonal_mp=orthogonal_mp),
        **dict(dct=dct, load_sample_image=load_sample_image, pd=pd),
    )
    starts, raws = (
        [
            [room["quality"](room["atoms_from"](room["seen"], rounds, seed), s) for s in room["counts"]]
            for seed in range(draws)
        ]
        for rounds in (7, 0)
    )
    clean, mended = ([room[way](seed) for seed in range(draws)] for way in ("cleaned_by", "filled_by"))
    pictures = {"flower": room["flower"], "palace": room["roof"]}
    recipe = {name: room["denoise_or_not"](z, 0.1, draws).to_numpy() for name, z in pictures.items()}
    arrays = dict(starts=starts, raws=raws, clean=clean, mended=mended)
    return {name: np.array(rows) for name, rows in arrays.items()} | recipe


@entry(
    "separable-tables",
    "chapter 10: how many of 200 random tables with 20 columns and tossed labels a plane separates; "
    "rows of the array: 15 to 60 rows, columns: 100, 20 and 5 % nonzero",
    rows=(15,),
)
def separable_tables(rows=(15, 21, 30, 40, 50, 60), shares=(1.0, 0.2, 0.05), draws=200):
    """separable: (len(rows), len(shares)), from 0 to 1; rows: (len(rows),)."""
    from scipy.optimize import linprog

    room = listing_of("10", "separable", "random_table", linprog=linprog)
    yes = [
        [
            np.mean([room["separable"](*room["random_table"](s, n, share)) for s in range(draws)])
            for share in shares
        ]
        for n in rows
    ]
    return {"separable": np.array(yes), "rows": np.array(rows)}


# ---- stored


def store(one, folder=FOLDER):
    """Compute one entry and write it."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / f"{one.name}.npz", **one.make())


def listing():
    """The README.md of the folder: what each file is, and the command that makes it."""
    rows = [f"| {one.name} | {one.what} | `{one.command}` |" for one in ENTRIES.values()]
    return HEAD + "\n".join(rows) + "\n"


def disagreements(one, arrays):
    """Names of the arrays whose first rows are not what a small run of the entry gives."""
    fresh = one.make(**one.small)
    if set(fresh) != set(arrays):
        return sorted(set(fresh) ^ set(arrays))
    parts = {key: first_of(arrays[key], np.shape(value), one.axes) for key, value in fresh.items()}
    return [
        key
        for key, value in fresh.items()
        if parts[key].shape != np.shape(value)
        or not np.allclose(parts[key], value, atol=1e-8, equal_nan=True)
    ]


def first_of(array, shape, axes):
    """As many as a small run has along the axes that it cuts short; all along the others."""
    ends = [n if axis in axes else None for axis, n in enumerate(shape)]
    return array[tuple(map(slice, ends))]


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("names", nargs="*", help="what to make; without any, everything")
    chosen = parser.parse_args(argv)
    if strange := set(chosen.names) - set(ENTRIES):
        parser.error(f"nothing is called {', '.join(sorted(strange))}: there are {', '.join(ENTRIES)}")
    for name in chosen.names or [one.name for one in ENTRIES.values() if not one.package]:
        store(ENTRIES[name])
        print(f"notebooks/stored/{name}.npz")
    (FOLDER / "README.md").write_text(listing(), encoding="utf-8")


if __name__ == "__main__":
    main()
