"""The recipe that ends a chapter holds on tables that its author did not see."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests import recipes, rules
from tools import books

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


CHAPTERS = [path for path in books.chapters(NOTEBOOKS) if "01" <= path.stem[:2] <= "12"]


def test_each_chapter_has_a_recipe_that_holds():
    for path in CHAPTERS:
        function = recipes.recipe(rules.read(path))
        assert function is not None, f"{path.stem}: no cell is tagged recipe"
        assert recipes.problems(function) == [], path.stem


# ---- a good recipe, spoiled in one way

IMPORTS = """import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler"""
MODELS = """import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, GroupShuffleSplit, StratifiedKFold, StratifiedShuffleSplit

def two_models(inner):
    near = make_pipeline(StandardScaler(), KNeighborsClassifier())
    ks = {"kneighborsclassifier__n_neighbors": [1, 3, 7]}
    return {"commonest class": DummyClassifier(), "neighbours": GridSearchCV(near, ks, cv=inner)}"""
RECIPE = """def neighbours_or_not(X, y, groups=None, n_splits=20):
    split = StratifiedShuffleSplit if groups is None else GroupShuffleSplit
    outer, rows = split(n_splits, test_size=0.3, random_state=0), []
    for a, b in outer.split(X, y, groups):
        models = two_models(StratifiedKFold(3)).items()
        rows.append({name: 100 * model.fit(X[a], y[a]).score(X[b], y[b]) for name, model in models})
    return pd.DataFrame(rows)"""
DRAWS = "X = np.zeros(3)\nraise RuntimeError('only imports run')"


def problems(old="", new="", trials=None):
    """What goes wrong with the recipe when its text is changed."""
    texts = [text.replace(old, new) if old else text for text in (MODELS, RECIPE)]
    assert not old or texts != [MODELS, RECIPE]
    tagged = [new_code_cell(text, metadata={"tags": ["recipe"]}) for text in texts]
    folded = new_code_cell("from nowhere import at_all", metadata={"jupyter": {"source_hidden": True}})
    nb = new_notebook(cells=[new_code_cell(IMPORTS), new_code_cell(DRAWS), folded, *tagged])
    return recipes.problems(recipes.recipe(nb), trials)


def test_a_good_recipe_is_accepted():
    assert problems() == []


def test_a_chapter_without_one_is_noticed():
    assert recipes.recipe(new_notebook(cells=[new_code_cell(IMPORTS)])) is None


SPOILED = {
    "no baseline": ('"commonest class": DummyClassifier(), ', "", "other tables", "the table is"),
    "no per cent": ("100 * model", "model", "other tables", "in per cent"),
    "another baseline": (
        "DummyClassifier(),",
        "KNeighborsClassifier(),",
        "other tables",
        "the commonest class",
    ),
    "a useless model": (
        "DummyClassifier(),",
        'DummyClassifier(), "nothing": DummyClassifier(),',
        "other tables",
        "hardly better",
    ),
    "chooses among blanks": ("[1, 3, 7]", "[99]", "other tables", "Scoring failed"),
    "broken": ("rows = ", "rows, X = ", "other tables", "ValueError"),
    "an import": ("import pandas as pd", "pd = None", "other tables", "AttributeError"),
    "imperfect": ("100 * model", "90 * model", "perfect folds", "where all folds are perfect"),
    "divides by 0": (
        "    outer, rows",
        "    X = X / np.ptp(X, axis=0)\n    outer, rows",
        "a constant column",
        "infinity",
    ),
    "is disturbed": (
        "    outer, rows",
        "    X = X * (X[0, -1] != 7)\n    outer, rows",
        "a constant column",
        "points",
    ),
    "few rows, blanks": ("[1, 3, 7]", "[1, 3, 17]", "few rows", "Scoring failed"),
    "few rows, a riddle": (
        "    outer, rows",
        "    assert len(X) > 50\n    outer, rows",
        "few rows",
        "AssertionError",
    ),
    "groups apart": (" if groups is None else GroupShuffleSplit", "", "groups", "trained on and tested"),
}


@pytest.mark.parametrize(("old", "new", "trial", "why"), SPOILED.values(), ids=SPOILED)
def test_a_spoiled_recipe_is_refused(old, new, trial, why):
    found = problems(old, new, [trial])
    assert any(why in one for one in found), found


# ---- a recipe that fills blanks, spoiled in one way

FILL = """def fillings(table, n_splits=20):
    rows = []
    for seed in range(n_splits):
        lot = np.random.default_rng(seed).uniform(size=table.shape)
        hide = ~np.isnan(table) & (lot < 0.2)
        scaler = StandardScaler().fit(np.where(hide, np.nan, table))
        Y, truth = (scaler.transform(np.where(w, np.nan, table)) for w in (hide, np.isnan(table)))
        fills = {"means": np.zeros(Y.shape), "neighbours": KNNImputer().fit_transform(Y)}
        rows.append({name: np.sqrt(((Z - truth)[hide] ** 2).mean()) for name, Z in fills.items()})
    return pd.DataFrame(rows)"""
SPOILED_FILL = {
    "good": ("hide", "hide", []),
    "told the answer": ("transform(Y)}", "transform(truth)}", list(recipes.FILLING)),
    "no gain": ("KNNImputer().fit_transform(Y)", "np.ones(Y.shape)", ["other blanks"]),
    "no scale": ("StandardScaler()", "StandardScaler(with_std=False)", ["other blanks"]),
}


@pytest.mark.parametrize("how", SPOILED_FILL)
def test_a_spoiled_filling_is_noticed(how):
    old, new, noticed = SPOILED_FILL[how]
    imports = IMPORTS + "\nimport pandas as pd\nfrom sklearn.impute import KNNImputer"
    cell = new_code_cell(FILL.replace(old, new), metadata={"tags": ["recipe"]})
    function = recipes.recipe(new_notebook(cells=[new_code_cell(imports), cell]))
    found = recipes.problems(function)
    assert (found == []) == (noticed == []) and all(one.split(":")[0] in noticed for one in found), found


PICTURE_RECIPE = """from scipy.ndimage import gaussian_filter
def clean_or_not(picture, sigma, n_draws=5):
    rng, rows = np.random.default_rng(0), []
    for _ in range(n_draws):
        z = picture + sigma * rng.normal(size=picture.shape)
        both = {"noisy": z, "blur": gaussian_filter(z, 1.0)}
        rows.append({n: -10 * np.log10(((b - picture) ** 2).mean()) for n, b in both.items()})
    return pd.DataFrame(rows)"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("", "", None),
        ('"noisy": z, ', "", "not enough values|hardly|first column"),
        ("gaussian_filter(z, 1.0)", "z", "hardly better"),
        ("gaussian_filter(z, 1.0)", "gaussian_filter(z, 0.2)", "flat picture"),
    ],
)
def test_a_recipe_for_pictures_is_tried_on_pictures(old, new, why):
    text = PICTURE_RECIPE.replace(old, new) if old else PICTURE_RECIPE
    nb = new_notebook(cells=[
        new_code_cell(IMPORTS + "\nimport pandas as pd"), new_code_cell(text, metadata={"tags": ["recipe"]})
    ])  # fmt: skip
    found = " ".join(recipes.problems(recipes.recipe(nb)))
    assert re.search(why, found) if why else not found, found
