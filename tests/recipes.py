"""The recipe of a chapter, taken from its notebook and tried on tables that it was not written for.

The cells tagged `recipe` stand open. They run alone, after the imports of the open cells above them. The
last function that they define takes ``(X, y)`` and gives a table: a row for each split, a column for each
model, its accuracy in per cent. The first column is the baseline. It may also take ``groups``, for rows that
belong together, and ``n_splits``. A recipe that fills blanks takes ``(table)`` alone and gives errors in
standard deviations; its first column fills with the means of the columns. A recipe for pictures takes
``(picture, sigma, n_draws)``: its rows are draws of noise, its values decibels, and its first column is the
noisy picture.
"""

import ast
import inspect
import warnings
from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_sample_image
from sklearn.exceptions import FitFailedWarning

from tests import rules

SPLITS = 3  # where it may be told: enough to fail, and quick
NOT_FINITE = "(?s).*(non-finite|Scoring failed)"  # a search that chose among blanks, and said nothing
CLEAR = ("class", "fold", "split", "member", "sample", "group")  # words of an error that says what is wrong


def is_open(cell):
    return cell.cell_type == "code" and not cell.metadata.get("jupyter", {}).get("source_hidden")


def recipe(nb):
    """The function of a notebook's recipe, or None when no cell is tagged so."""
    cells = [i for i, cell in enumerate(nb.cells) if "recipe" in rules.tags(cell)]
    if not cells:
        return None
    above = [
        node for cell in nb.cells[: cells[-1]] if is_open(cell) for node in rules.parsed(cell.source).body
    ]
    imports = [node for node in above if isinstance(node, (ast.Import, ast.ImportFrom))]
    own = [node for i in cells for node in rules.parsed(nb.cells[i].source).body]
    names = [node.name for node in own if isinstance(node, ast.FunctionDef)]
    space = {}
    exec(compile(ast.Module([*imports, *own], type_ignores=[]), "recipe", "exec"), space)
    return space[names[-1]]


def problems(function, trials=None):
    """What goes wrong with a recipe on other tables, in words: in these trials, or in all."""
    asked, found = inspect.signature(function).parameters, []
    known = PICTURES if "picture" in asked else TRIALS if "y" in asked else FILLING
    for name in trials or known:
        trial = known[name]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", FitFailedWarning)
                warnings.filterwarnings("error", message=NOT_FINITE)
                found += [f"{name}: {problem}" for problem in trial(function)]
        except Exception as error:
            found.append(f"{name}: {type(error).__name__}: {error}")
    return found


def tried(function, X, y, **options):
    """Its table, with few splits where it may be told how many."""
    if "n_splits" in inspect.signature(function).parameters:
        options["n_splits"] = SPLITS
    return function(X, y, **options)


def is_table(table):
    """A baseline and a model at least, three splits at least, shares in per cent, nothing blank."""
    values = np.asarray(table, float)
    if values.ndim != 2 or values.shape[0] < 3 or values.shape[1] < 2:
        yield f"rows are splits, columns are models, the first a baseline: the table is {values.shape}"
    elif not np.isfinite(values).all():
        yield "a share is not finite"
    elif values.min() < 0 or values.max() > 100 or values.max() <= 1:
        yield f"shares are in per cent: they go from {values.min():g} to {values.max():g}"


def means(function, X, y, **options):
    """(mean of the baseline, means of the others), of a table that is one."""
    table = tried(function, X, y, **options)
    if wrong := list(is_table(table)):
        raise ValueError(wrong[0])
    baseline, *others = np.asarray(table, float).mean(axis=0)
    return baseline, np.array(others)


@cache
def means_of_irises(function):
    return means(function, *load_iris(return_X_y=True))


def other_tables(function):
    """A third of the tumours, and irises: each model beats the baseline, what the commonest class gives."""
    X, tumours = (part[::3] for part in load_breast_cancer(return_X_y=True))
    for name, y, (baseline, others) in (
        ("tumours", tumours, means(function, X, tumours)),
        ("irises", load_iris().target, means_of_irises(function)),
    ):
        commonest = 100 * np.bincount(y).max() / len(y)
        if abs(baseline - commonest) > 5:
            yield f"{name}: the first column has {baseline:.0f} %, the commonest class {commonest:.0f} %"
        if others.min() < baseline + 10:
            yield f"{name}: a model with {others.min():.0f} % is hardly better than the baseline"


def perfect_folds(function):
    """One iris of three is told without an error: whatever is chosen, no model may fall short."""
    X, y = load_iris(return_X_y=True)
    _, others = means(function, X, (y == 0).astype(int))
    if others.min() < 99:
        yield f"a model gets {others.min():.0f} % where all folds are perfect"


def constant_column(function):
    """A column that never changes says nothing, and does no harm."""
    X, y = load_iris(return_X_y=True)
    _, without = means_of_irises(function)
    _, others = means(function, np.column_stack([X, np.full(len(X), 7.0)]), y)
    if np.abs(others - without).max() > 3:
        yield f"a constant column changes a model by {np.abs(others - without).max():.1f} points"


def few_rows(function):
    """A class of two rows, fewer than there are folds: it works, or says what is wrong."""
    X, y = load_iris(return_X_y=True)
    few = np.r_[0:12, 50:62, 100:102]
    try:
        table = tried(function, X[few], y[few])
    except ValueError as error:
        if not any(word in str(error) for word in CLEAR):
            yield f"an error that does not say what is wrong: {error}"
        return
    yield from is_table(table)


def groups_stay_together(function):
    """Rows that are copies of each other, with a label that coins gave them: only a leak reads them."""
    if "groups" not in inspect.signature(function).parameters:
        return
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(30, 4)), np.arange(30) % 2, np.repeat(np.arange(30), 5)
    _, others = means(function, X[groups], y[groups], groups=groups)
    if others.max() > 80:
        yield f"a model reads {others.max():.0f} % of coins: rows of one group are trained on and tested"


TRIALS = {
    "other tables": other_tables,
    "perfect folds": perfect_folds,
    "a constant column": constant_column,
    "few rows": few_rows,
    "groups": groups_stay_together,
}


# ---- a recipe that fills blanks


def with_blanks(X, share=0.1):
    return np.where(np.random.default_rng(0).uniform(size=X.shape) < share, np.nan, X)


def errors(function, table):
    """Mean errors, the baseline first; every one a finite number above 0."""
    found = np.asarray(function(table, n_splits=SPLITS), float)
    if found.shape[0] != SPLITS or found.shape[1] < 2 or not (np.isfinite(found) & (found > 0)).all():
        raise ValueError(f"a row for each split, a column for each filling, errors above 0: {found}")
    return found.mean(axis=0)


def other_blanks(function):
    """Tumours, and a product of two factors in other units: the last filling beats the means."""
    rng = np.random.default_rng(0)
    product = 1000 + 50 * rng.normal(size=(60, 2)) @ rng.normal(size=(2, 12))
    for name, X in {"tumours": load_breast_cancer().data[:100], "a product": product}.items():
        found = errors(function, with_blanks(X))
        if abs(found[0] - 1) > 0.25 or found[-1] > 0.75 * found[0]:
            yield f"{name}: the means have {found[0]:.2f}, the last filling {found[-1]:.2f}"


def constant_and_blank(function):
    """A column that never changes, and a row without any value: every error is still a number."""
    X = with_blanks(np.column_stack([load_iris().data, np.full(150, 7.0)]))
    X[3] = np.nan
    errors(function, X)
    yield from ()


def pure_noise(function):
    """Where nothing can be known, no filling is seen to gain."""
    found = errors(function, np.random.default_rng(0).normal(size=(80, 8)))
    if found.min() < 0.9 * found[0]:
        yield f"noise is filled with an error of {found.min():.2f}, by means {found[0]:.2f}"


FILLING = {
    "other blanks": other_blanks,
    "a constant column, a blank row": constant_and_blank,
    "pure noise": pure_noise,
}


def decibels(function, picture, sigma):
    """Its table of two draws: the noisy picture first, then one method at least."""
    table = np.asarray(function(picture, sigma, n_draws=2), float)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"the first column is the noisy picture, then methods: the table is {table.shape}")
    return table


def other_pictures(function):
    """A roof and a meadow: each method takes noise off, and the first column is the noisy picture."""
    china, sigma = load_sample_image("china.jpg").mean(axis=2) / 255, 0.12
    for name, picture in {"roof": china[150:190, 300:340], "meadow": china[340:380, 60:100]}.items():
        noisy, *others = decibels(function, picture, sigma).mean(axis=0)
        if abs(noisy + 20 * np.log10(sigma)) > 1:
            yield f"{name}: the first column has {noisy:.1f} dB, the noise {-20 * np.log10(sigma):.1f}"
        if min(others) < noisy + 0.5:
            yield f"{name}: a method with {min(others):.1f} dB is hardly better than the noisy picture"


def flat_picture(function):
    """A picture of one grey: nothing but noise is seen, and nearly all of it goes."""
    table = decibels(function, np.full((30, 30), 0.5), 0.1)
    if not np.isfinite(table).all() or table[:, 1:].min() < 24:
        yield f"on a flat picture a method has {table[:, 1:].min():.1f} dB"


PICTURES = {"other pictures": other_pictures, "a flat picture": flat_picture}
