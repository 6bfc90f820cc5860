"""Compute what takes too long in a chapter, once, and store it in notebooks/stored/.

    uv run python tools/make_stored.py                           # everything, and the list in its README.md
    uv run python tools/make_stored.py basis-pursuit-phase       # one

A chapter reads it with ``helpers.datasets.stored("basis-pursuit-phase")``. A new entry is a function below
with the decorator ``@entry(name, what, **small)``: its options say how much is computed, and `small` a part
of it, whose arrays are the first rows of the stored ones. `tests/test_stored.py` computes that part again
and compares.
"""

import argparse
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from helpers.chapters.preprocessing import FILLINGS  # noqa: E402
from helpers.methods.ecoc import nearest_code  # noqa: E402
from tools import books  # noqa: E402

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
    """One stored result: `make(**options)` gives a dict of arrays, `small` the options of its first rows."""

    name: str
    what: str
    make: object
    small: dict


def entry(name, what, **small):
    """Register the function below as the one that makes `name`."""

    def register(make):
        ENTRIES[name] = Entry(name, what, make, small)
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
    "completion-phase",
    "chapter 6: relative error on the unseen entries of random 60 × 50 tables, alternating least squares "
    "from blanks at 0, told the rank, at most 300 sweeps, and the fewest entries that a row or column shows; "
    "rows: rank 1 … 8, columns: 5, 7.5 … 50 % seen, 3 tables each",
    ranks=(1,),
)
def completion_phase(ranks=tuple(range(1, 9)), shares=tuple(s / 1000 for s in range(50, 501, 25)), seeds=3):
    """error, fewest: (len(ranks), len(shares), seeds); and both grids."""
    als = listing_of("06", "als")["als"]

    def one(rank, share, seed):
        rng = np.random.default_rng([seed, rank])
        X, order = rng.normal(size=(60, rank)) @ rng.normal(size=(rank, 50)), rng.uniform(size=(60, 50))
        seen = order < np.quantile(order, share)
        Z, last = np.where(seen, X, 0), np.inf
        for _ in range(30):
            Z, last = als(X, seen, rank, Z, 10), Z
            if np.linalg.norm(Z - last) <= 1e-8 * np.linalg.norm(Z):
                break
        error = np.linalg.norm((Z - X)[~seen]) / np.linalg.norm(X[~seen])
        return min(error, 10), min(seen.sum(axis=0).min(), seen.sum(axis=1).min())

    both = np.array([[[one(r, share, s) for s in range(seeds)] for share in shares] for r in ranks])
    return {
        "error": both[..., 0],
        "fewest": both[..., 1],
        "ranks": np.array(ranks),
        "shares": np.array(shares),
    }


@entry(
    "every-code",
    "chapter 6: how many of the 380 sign patterns (up to one sign) of two nonzeros among 20 basis pursuit "
    "misses; rows: five random matrices, columns: 12, 13, 14, 16 measurements",
    seeds=(0,),
)
def every_code(seeds=(0, 1, 2, 3, 4), measurements=(12, 13, 14, 16), n=20):
    """missed: (len(seeds), len(measurements))."""
    from itertools import combinations

    from helpers.methods.sparse_recovery import basis_pursuit

    patterns = [(i, j, sign) for i, j in combinations(range(n), 2) for sign in (1, -1)]

    def missed(A):
        count = 0
        for i, j, sign in patterns:
            s = np.zeros(n)
            s[i], s[j] = 1, sign
            count += np.abs(basis_pursuit(A, A @ s) - s).max() > 1e-6
        return count

    tables = [[np.random.default_rng([s, m]).normal(size=(m, n)) for m in measurements] for s in seeds]
    return {
        "missed": np.array([[missed(A) for A in row] for row in tables]),
        "measurements": np.array(measurements),
    }


@entry(
    "photo-holes",
    "chapter 6: root mean square error on the holes of a photograph by low rank, few waves, neighbours; "
    "rows: "
    "five sets of holes, columns: 50 and 30 % seen; the penalty chosen by held-aside pixels each time, `lam`",
    seeds=(0,),
)
def photo_holes(seeds=(0, 1, 2, 3, 4), shares=(0.5, 0.3)):
    """error: (len(seeds), len(shares), 3); lam: (len(seeds), len(shares), 2)."""
    from scipy.fft import dctn, idctn
    from scipy.interpolate import griddata

    from helpers.datasets import load_china
    from helpers.methods.soft_impute import SoftImpute

    needs = {"dctn": dctn, "idctn": idctn, "griddata": griddata}
    needs |= {"SoftImpute": SoftImpute}
    room = listing_of("06", "soft", "low_rank", "few_waves", "by_neighbours", **needs)
    photo = load_china()[100:292, 200:456]
    tuned = ((room["low_rank"], (0.2, 0.4, 0.7)), (room["few_waves"], (0.01, 0.03, 0.1)))

    def rms(Z, where):
        return np.sqrt(((Z - photo)[where] ** 2).mean())

    def one(seed, share):
        order = np.random.default_rng(seed).uniform(size=photo.shape)
        seen, fewer = order < share, order < 0.9 * share
        off, lams = [], []
        for fill, grid in tuned:
            aside = [rms(fill(photo, fewer, lam), seen & ~fewer) for lam in grid]
            lams.append(grid[int(np.argmin(aside))])
            off.append(rms(fill(photo, seen, lams[-1]), ~seen))
        return [*off, rms(room["by_neighbours"](photo, seen), ~seen)], lams

    rows = [[one(seed, share) for share in shares] for seed in seeds]
    return {
        "error": np.array([[off for off, _ in row] for row in rows]),
        "lam": np.array([[lams for _, lams in row] for row in rows]),
    }


def listing_of(chapter, *names, **room):
    """Functions and values that a chapter lists, as a dict: what is stored is made by what is shown.

    They are run in a room that holds NumPy and what is given by name.
    """
    import ast
    import json

    (path,) = books.chapters(ROOT / "notebooks", f"{chapter}-")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
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


def photographs_of_04():
    """Of chapter 4: a function from a seed to photographs and their true places; what judges a map."""
    from scipy.ndimage import map_coordinates
    from sklearn.linear_model import LinearRegression
    from sklearn.neighbors import NearestNeighbors

    from helpers import datasets

    room = {"map_coordinates": map_coordinates, "datasets": datasets}
    room |= {"LinearRegression": LinearRegression, "NearestNeighbors": NearestNeighbors}
    wanted = ("face", "side", "down", "along", "disc", "photograph", "make_photos", "steps", "size")
    room = listing_of("04", *wanted, "one_degree", "true_places", "ten_nearest", "measures", **room)

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
    "umap-photographs",
    "chapter 4: UMAP (umap-learn 0.5.12, which is no package of the course: install it to make this again) "
    "of six draws of 600 photographs of a turned face, with its defaults and `random_state=0`",
    draws=0,
)
def umap_photographs(draws=6):
    """maps: (draws, 600, 2)."""
    photographs = photographs_of_04()[0]
    maps = np.zeros((draws, 600, 2), np.float32)
    for seed in range(draws):
        from umap import UMAP

        maps[seed] = UMAP(random_state=0).fit_transform(photographs(seed)[0])
    return {"maps": maps}


@entry(
    "multiclass-schemes",
    "chapter 11: share of new rows that are right, four learners (least squares, logistic regression, tree, "
    "SVM with a Gaussian kernel) on the digits of 7 of 14 forms, then on 200 penguins of six classes (species"
    " and sex); columns: one-vs-rest, one-vs-one, a code of 45 (birds: 31) questions, the learner as "
    "scikit-learn has it; 10 random halves",
    rows=1,
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


def _mean_of_last(table):
    """Estimate, variance, degrees of freedom of the last column's mean."""
    v = table[:, -1]
    return v.mean(), v.var(ddof=1) / len(v), len(v) - 1


def _slope_of_last(table):
    """The same of the slope of the last column on the first, beside the others."""
    A = np.column_stack([table[:, :-1], np.ones(len(table))])
    w, rest = np.linalg.lstsq(A, table[:, -1], rcond=None)[:2]
    df = len(A) - A.shape[1]
    return w[0], np.linalg.inv(A.T @ A)[0, 0] * rest[0] / df, df


def _half(estimate, variance, df):
    """An estimate with half its interval of 95 %."""
    from scipy import stats

    return estimate, stats.t.ppf(0.975, df) * variance**0.5


def _pooled(answers):
    from helpers.methods.imputation import pool

    estimates, variances, _ = zip(*answers, strict=True)
    pooled = pool(estimates, variances)
    return pooled.estimate, pooled.estimate - pooled.low


@entry(
    "which-filling",
    "chapter 5: 300 studies of 200 rows, half of x blank by a coin, by z, by x; filled by deleting, mean, "
    "mean with an indicator, model without y and with y, ten draws without y, ten with y; then the mean "
    "of x, the slope of y on x, the slope beside z; and the error of predictions",
    studies=2,
)
def which_filling(studies=300, n=200):
    """estimate, half: (studies, 3 mechanisms, 7 fillings, 3 purposes); error: (studies, 3, 7, 2 learners),
    the squared error on new rows with blanks over that without any, NaN where a filling cannot."""
    found = [[_a_study(seed, cause, n) for cause in range(3)] for seed in range(studies)]
    answers = np.array([[study[0] for study in three] for three in found])
    return {
        "estimate": np.float32(answers[..., 0]),
        "half": np.float32(answers[..., 1]),
        "error": np.float32(np.array([[study[1] for study in three] for three in found])),
    }


def _a_study(seed, cause, n):
    """What seven fillings make of one study: answers (7, 3, 2) and prediction errors (7, 2)."""
    rng = np.random.default_rng([seed, cause])
    N = n + 1000  # the last are new
    z = rng.normal(size=N)
    x = 0.6 * z + 0.8 * rng.normal(size=N)
    y = x + z + rng.normal(size=N)
    blank = rng.uniform(size=N) < 1 / (1 + np.exp(-2 * (0 * x, z, x)[cause]))
    holes = np.column_stack([np.where(blank, np.nan, x), z, y])
    tables = _fillings(holes[:n], seed)
    answers = []
    for name in FILLINGS:
        each = []
        for what in (_mean_of_x, _slope_alone, _slope_beside):
            got = [what(table, blank[:n] if "indicator" in name else None) for table in tables[name]]
            each.append(_half(*got[0]) if len(got) == 1 else _pooled(got))
        answers.append(each)
    return answers, _errors(np.column_stack([x, z, y]), holes, n)


def _fillings(holes, seed):
    """{filling: its completed tables}, columns x, z, y."""
    from sklearn.impute import SimpleImputer

    from helpers.methods.imputation import draw_tables

    xz, y = holes[:, :2], holes[:, 2:]
    mean, model = (np.hstack([f.fit_transform(xz), y]) for f in (SimpleImputer(), _model()))
    with_y = _model().fit_transform(holes)
    drawn = [draw_tables(t, 10, rounds=1, random_state=seed) for t in (xz, holes)]
    without = [np.hstack([table, y]) for table in drawn[0]]
    whole = [holes[~np.isnan(holes).any(axis=1)]]
    tables = whole, [mean], [mean], [model], [with_y], without, list(drawn[1])
    return dict(zip(FILLINGS, tables, strict=True))


def _model():
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer
    from sklearn.linear_model import Ridge

    return IterativeImputer(Ridge(1e-3))


def _mean_of_x(table, blank):
    return _mean_of_last(table[:, :1])


def _slope_alone(table, blank):
    extra = [] if blank is None else [blank]
    return _slope_of_last(np.column_stack([table[:, 0], *extra, table[:, 2]]))


def _slope_beside(table, blank):
    extra = [] if blank is None else [blank]
    return _slope_of_last(np.column_stack([table[:, :2], *extra, table[:, 2]]))


def _errors(true, holes, n):
    """Mean squared error on new rows, over that of the table without blanks: least squares, and boosting."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LinearRegression

    def error(make, X):
        return ((make().fit(X[:n], true[:n, 2]).predict(X[n:]) - true[n:, 2]) ** 2).mean()

    makers = (
        LinearRegression,
        lambda: HistGradientBoostingRegressor(max_iter=60, min_samples_leaf=10, random_state=0),
    )
    found = np.full((len(FILLINGS), 2), np.nan)
    for k, imputer in ((1, SimpleImputer()), (2, SimpleImputer(add_indicator=True)), (3, _model())):
        filled = imputer.fit(holes[:n, :2]).transform(holes[:, :2])
        found[k] = [error(make, filled) / error(make, true[:, :2]) for make in makers]
    return found


@entry(
    "bills",
    "chapter 5: sex read right in per cent, promised by cross-validation on the birds of 2007 and 2008 and "
    "delivered in 2009, for eight ways through preprocessing; rows: 30 wettings",
    wettings=1,
)
def bills(wettings=30):
    """bills: (wettings, 8 ways, promised and delivered)."""
    import pandas as pd
    from sklearn import preprocessing
    from sklearn.compose import ColumnTransformer
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer, SimpleImputer
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    from helpers import datasets

    names = "raw", "numbers", "known_sex", "male", "past", "class_filled", "from_raw", "wet_tables"
    tools = dict(
        pd=pd,
        ColumnTransformer=ColumnTransformer,
        StratifiedKFold=StratifiedKFold,
        cross_val_score=cross_val_score,
        make_pipeline=make_pipeline,
        datasets=datasets,
        preprocessing=preprocessing,
        IterativeImputer=IterativeImputer,
        Ridge=Ridge,
        SimpleImputer=SimpleImputer,
        KNeighborsClassifier=KNeighborsClassifier,
    )
    room = listing_of("05", *names, "settle", "turns", **tools)
    return {
        "bills": np.array([
            [room["settle"](seed, **turn) for turn in room["turns"].values()] for seed in range(wettings)
        ])
    }


@entry(
    "penguin-contests",
    "chapter 7: errors (mm²) reported and true after a contest of six degrees on 40 penguins; the place of "
    "the degree picked by seven criteria on 100, and the errors of all ten; 600 draws (rows)",
    draws=2,
)
def penguin_contests(draws=600):
    """reports: (draws, 4); picks: (draws, 7); errors: (draws, 10)."""
    from numpy.polynomial.legendre import legvander
    from sklearn.model_selection import KFold

    from helpers import datasets

    names = "penguins", "mass", "bill", "x", "degrees", "powers", "draw_penguins", "fit", "error", "ten"
    names += "cv_error", "choose_by_folds", "contest_and_report", "chosen_error", "told_and_true"
    tools = dict(datasets=datasets, legvander=legvander, KFold=KFold)
    room = listing_of("07", *names, "criteria", "contest_of_criteria", **tools)
    picks, errors = zip(*(room["contest_of_criteria"](seed) for seed in range(draws)), strict=True)
    reports = [room["told_and_true"](seed) for seed in range(draws)]
    return {"reports": np.array(reports), "picks": np.array(picks), "errors": np.array(errors)}


@entry(
    "planted-race",
    "chapter 9: the errors of four ways to choose features, forty draws (rows); "
    "two of 60 matter, or all; three levels of noise",
    seeds=(0, 1),
)
def planted_race(seeds=tuple(range(40)), levels=(0.3, 1.0, 5.0)):
    """An array (len(seeds), 2, len(levels)) for each way."""
    from sklearn.linear_model import lasso_path
    from sklearn.model_selection import KFold

    from helpers.chapters import wrappers

    dials = {name: getattr(wrappers, name) for name in dir(wrappers) if name.endswith("_dial")}
    names = (
        "ridge_by_svd",
        "ridge_dial",
        "lasso_dial",
        "relaxed_dial",
        "lam_dial",
        "dials",
        "held_out",
        "planted_error",
    )
    room = listing_of(
        "09", *names, lasso_path=lasso_path, KFold=KFold, on_subsets=wrappers.on_subsets, **dials
    )
    return {
        name: np.array([
            [[room["planted_error"](seed, name, snr, matter) for snr in levels] for matter in (2, 60)]
            for seed in seeds
        ])
        for name in room["dials"]
        if "best" not in name
    }


@entry(
    "fresh-patients",
    "chapter 9: the typical error of four methods on patients they have not seen, for 20 draws of 20 "
    "training patients and 12 of 200 (rows)",
    draws=(1, 1),
)
def fresh_patients(draws=(20, 12), sizes=(20, 200)):
    """For each size an array (draws, 4)."""
    from sklearn.datasets import load_diabetes
    from sklearn.linear_model import LassoCV, LinearRegression, RidgeCV
    from sklearn.model_selection import KFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from helpers.methods.subset_search import ExhaustiveSelector

    raw, y = load_diabetes(return_X_y=True, scaled=False)
    room = listing_of(
        "09",
        *("squares_off", "error_of", "wrapped", "four", "fresh_error"),
        **dict(raw=raw, y=y, n=len(y), KFold=KFold, LassoCV=LassoCV, LinearRegression=LinearRegression),
        **dict(make_pipeline=make_pipeline, StandardScaler=StandardScaler),
        **dict(ExhaustiveSelector=ExhaustiveSelector, RidgeCV=RidgeCV),
    )
    return {
        f"{size}": np.array([
            [room["fresh_error"](seed, name, size) for name in room["four"]] for seed in range(many)
        ])
        for size, many in zip(sizes, draws, strict=True)
    }


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
    "the squared training samples that is left, for five draws of 100 to 1,600 samples",
    rounds=(2,),
)
def planted_atoms(rounds=(2, 80), sizes=(100, 400, 800, 1600)):
    """found, left: (len(rounds), 5, len(sizes)); sizes: (len(sizes),)."""
    from helpers.methods.ksvd import batch_omp

    room = listing_of(
        "10", "make_planted", "found", "first_samples", "ksvd_atom", "ksvd", batch_omp=batch_omp
    )
    result = np.empty((2, len(rounds), 5, len(sizes)))
    for i, seed, j in np.ndindex(result.shape[1:]):
        X, truth = room["make_planted"](seed, sizes[j])
        B, _, errors = room["ksvd"](X, room["first_samples"](X, 50, seed), 3, rounds[i])
        result[:, i, seed, j] = room["found"](truth, B), errors[-1] / (X**2).sum()
    return {"found": result[0], "left": result[1], "sizes": np.array(sizes)}


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
    rows = [
        f"| {one.name} | {one.what} | `uv run python tools/make_stored.py {one.name}` |"
        for one in ENTRIES.values()
    ]
    return HEAD + "\n".join(rows) + "\n"


def disagreements(one, arrays):
    """Names of the arrays whose first rows are not what a small run of the entry gives."""
    fresh = one.make(**one.small)
    if set(fresh) != set(arrays):
        return sorted(set(fresh) ^ set(arrays))
    return [
        key
        for key, value in fresh.items()
        if not np.allclose(arrays[key][: len(value)], value, atol=1e-8, equal_nan=True)
    ]


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="what to make; without any, everything")
    chosen = parser.parse_args(argv)
    if strange := set(chosen.names) - set(ENTRIES):
        parser.error(f"nothing is called {', '.join(sorted(strange))}: there are {', '.join(ENTRIES)}")
    for name in chosen.names or ENTRIES:
        store(ENTRIES[name])
        print(f"notebooks/stored/{name}.npz")
    (FOLDER / "README.md").write_text(listing(), encoding="utf-8")


if __name__ == "__main__":
    main()
