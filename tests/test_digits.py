"""The digits of one writer stay together: no notebook splits them by chance or by their order in the table.

People keep to their own way of writing, so a learner that knows the writer reads better. Split at random,
three neighbours err a third as often as among new writers. Whoever splits gives the forms of
`load_digits(writers=True)` to a splitter as its groups.
"""

import ast

import pytest

from tests import rules
from tests.test_notebooks import BOOKS

FUNCTIONS = {"cross_val_score", "cross_val_predict", "cross_validate", "train_test_split"}
SHUFFLED = "cross_val_score(lda, digits, labels, cv=KFold(7, shuffle=True, random_state=0))"
MEANT = {  # notebook, function; or the call
    ("00", "at_random"),  # the start page shows what a split at random would say
    ("07", SHUFFLED),  # section 7.5 shows what shuffled folds say beside those by form
    ("11", "schemes"),  # its X is any table's; it says what to do when rows belong together
}


def called(node):
    """The last word of what a call calls."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def words(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def stored(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def split_without_groups(source):
    """(function or "", line) of each split of the digits that keeps no form together."""
    tree, digits = ast.parse(source), set()
    inside = {
        id(node): function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    for node in tree.body:
        if isinstance(node, ast.Assign) and (
            any(called(one) in ("load_digits", "load_raw_digits") for one in calls(node.value))
            or (words(node.value) & digits and not calls(node.value))
        ):
            digits |= set().union(*(stored(target) for target in node.targets))
    for node in calls(tree):
        grouped = any(word.arg in ("groups", None) for word in node.keywords)
        asked = called(node) in FUNCTIONS or (
            called(node) == "fit" and "GridSearchCV" in ast.unparse(node.func)
        )
        by_chance = called(node) == "permutation" and "len" in words(node)
        by_order = called(node) == "arange" and "len" in words(node) and parity(tree, node)
        if words(node) & digits and ((asked and not grouped) or by_chance or by_order):
            yield inside.get(id(node), ""), ast.unparse(node)


def calls(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def parity(tree, node):
    """Whether the row numbers are taken modulo something or compared: every other row, the first half."""
    return any(
        isinstance(one, ast.BinOp | ast.Compare) and node in (getattr(one, "left", None),)
        for one in ast.walk(tree)
    )


def in_one(nb):
    """The code of a notebook, top to bottom."""
    return "\n".join(cell.source for cell in rules.code_cells(nb) if not cell.source.startswith("%"))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_digits_are_split_by_writer(path):
    number = path.stem.partition("-")[0]
    every = split_without_groups(in_one(rules.read(path)))
    found = [line for where, line in every if not {(number, where), (number, line)} & MEANT]
    assert not found, found


BY_CHANCE = [
    "cross_val_score(model, X, y, cv=5)",
    "train_test_split(X, y, random_state=0)",
    "GridSearchCV(model, grid).fit(X, y)",
    "half = rng.permutation(len(X)) % 2 == 0",
    "half = np.arange(len(X)) % 2 == 0",
    "first = np.arange(len(y)) < 900",
    "scaled = X / 16\ncross_val_score(model, scaled, y)",
]
BY_FORM = [
    "cross_val_score(model, X, y, groups=form, cv=GroupKFold(5))",
    "cross_val_score(model, X, y, **apart)",
    "GridSearchCV(model, grid, cv=GroupKFold(3)).fit(X, y, groups=form)",
    "PCA(2).fit(X)",
    "cross_val_score(model, wine, grower)",
]


def test_a_split_by_chance_is_found_and_one_by_form_is_none():
    load = "X, y, form = load_digits(writers=True)\n"
    found = [line for line in BY_CHANCE + BY_FORM if list(split_without_groups(load + line))]
    assert found == BY_CHANCE
