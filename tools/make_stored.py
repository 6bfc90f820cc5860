"""Compute what takes too long in a chapter, once, and store it in notebooks/stored/.

    uv run python tools/make_stored.py                           # everything, and the list in its README.md
    uv run python tools/make_stored.py basis-pursuit-phase       # one

A chapter reads it with ``helpers.datasets.stored("basis-pursuit-phase")``. A new entry is a function below
with the decorator ``@entry(name, what, **small)``: its options say how much is computed, and `small` a part
of it, whose arrays are the first rows of the stored ones. `tests/test_stored.py` computes that part again
and compares.
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
            Z, last = als(np.where(seen, X, np.nan), rank, Z, 10), Z
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


def listing_of(chapter, *names, **room):
    """Functions and values that a chapter or its companion lists: what is stored is made by what is shown.

    They are run in a room that holds NumPy and what is given by name.
    """
    import ast
    import json

    (path,) = books.chapters(ROOT / "notebooks", f"{chapter}-")
    cells = [c for p in books.together(path) for c in json.loads(p.read_text(encoding="utf-8"))["cells"]]
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
    "chapter 10: PSNR (dB) of learned atoms from 20 starts; of five ways to remove 20 draws of noise; of "
    "five ways to fill 20 draws of missing pixels, "
    "and of the recipe on 20 draws of noise on a flower and on a palace",
    draws=1,
)
def photo_races(draws=20):
    """starts: (draws, 5); clean, mended, flower, palace: (draws, 5)."""
    import pandas as pd
    from numpy.lib.stride_tricks import sliding_window_view
    from scipy.fft import dct
    from scipy.interpolate import griddata
    from scipy.ndimage import gaussian_filter
    from skimage.metrics import peak_signal_noise_ratio as dB
    from skimage.restoration import denoise_nl_means
    from sklearn.datasets import load_sample_image
    from sklearn.decomposition import MiniBatchDictionaryLearning
    from sklearn.feature_extraction.image import extract_patches_2d, reconstruct_from_patches_2d
    from sklearn.linear_model import orthogonal_mp

    from helpers import datasets
    from helpers.methods.ksvd import KSVD, batch_omp

    room = listing_of(
        "10",
        *("patches", "camera", "seen", "unseen", "cosines", "atoms_from", "psnr", "quality"),
        *("counts", "denoised", "own_atoms", "sigma", "man", "omp", "filled", "interpolated", "face"),
        *("around", "cleaned_by", "filled_by", "flat", "elsewhere", "elsewhere_raw"),
        *("cut", "dictionary_of", "from_atoms", "wave", "methods", "denoise_or_not", "flower", "roof"),
        **dict(sliding_window_view=sliding_window_view, griddata=griddata, datasets=datasets, KSVD=KSVD),
        **dict(gaussian_filter=gaussian_filter, denoise_nl_means=denoise_nl_means, batch_omp=batch_omp),
        **dict(
            reconstruct_from_patches_2d=reconstruct_from_patches_2d, extract_patches_2d=extract_patches_2d
        ),
        **dict(MiniBatchDictionaryLearning=MiniBatchDictionaryLearning, orthogonal_mp=orthogonal_mp),
        **dict(dct=dct, dB=dB, load_sample_image=load_sample_image, pd=pd),
    )
    starts = [
        [room["quality"](room["atoms_from"](room["seen"], 7, seed), s) for s in room["counts"]]
        for seed in range(draws)
    ]
    clean, mended = ([room[way](seed) for seed in range(draws)] for way in ("cleaned_by", "filled_by"))
    pictures = {"flower": room["flower"], "palace": room["roof"]}
    recipe = {name: room["denoise_or_not"](z, 0.1, draws).to_numpy() for name, z in pictures.items()}
    return {"starts": np.array(starts), "clean": np.array(clean), "mended": np.array(mended)} | recipe


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
    parser = written.parser(__doc__)
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
