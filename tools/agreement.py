"""docs/agreement.md: how closely every family agrees with its twin, over which options.

    uv run python tools/agreement.py            # run all, write the table
    uv run python tools/agreement.py --check    # does the table stand as the tool would write it? (a test)

A family is fitted with every combination of the options named, on the same table as its twin, and what comes
out is compared. Differences are relative to the largest number, up to the sign of a column where an axis has
none, and rounded up to 1e-12, 1e-9 or a power of ten above, so that the table is the same on every machine.
The tests in tests/helpers/ compare more: more tables, and slow loops.
"""

import argparse
import inspect
import re
import sys
import warnings
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np

from tools.agreement_rows import ALONE, LEFT_OUT, ON_PURPOSE, ROWS, TABLES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "agreement.md"
STEPS = (1e-12, 1e-9, 1e-6, 1e-5, 1e-4)
FAMILIES = (
    "neighbors",
    "decomposition",
    "discriminant_analysis",
    "cross_decomposition",
    "manifold",
    "preprocessing",
    "impute",
    "feature_extraction",
    "linear_model",
    "model_selection",
    "feature_selection",
    "multiclass",
    "imbalance",
)
HEAD = """# Agreement

Written by `tools/agreement.py`. Every row was run with all combinations of its options; "largest difference" is
relative to the largest number and rounded up. "equal": every label, rank or row is the same.

| family | twin | options agreed on | compared | largest difference |
|---|---|---|---|---|
"""
TAIL = """
## Without a twin

| what | checked against |
|---|---|
"""
REST = """
## What the twins take besides

A test compares every class with its twin, parameter by parameter: what ours lacks stands here.

| family | parameters | why not |
|---|---|---|
"""
BESIDES = """
## Other defaults, methods and attributes

| family | defaults (the twin's) | the twin's methods besides | and attributes, once fitted |
|---|---|---|---|
"""
OTHERWISE = """
## Other answers on purpose

| function | ours | the twin's |
|---|---|---|
"""
CHECKS = """
## scikit-learn's own checks

At its defaults every estimator passes `check_estimator` (a wrapper around `LogisticRegression`, a search once with the
options of `tests/helpers/test_every_estimator.py`), but for four:

| family | what fails | why |
|---|---|---|
| `CCA` | 17 checks; none with `n_components=1` | two pairs beside one column of y are an error |
| `SparseCoder` | 26 checks | its atoms fix the number of columns, and the checks' tables have others |
| `OneClassSVM` | 2 checks, the twin's too; none with `tol=1e-10` | weights and repeated rows agree up to `tol` |
| `ThresholdClassifier` | 1 check, three times | `predict` is asked for the most probable class, whatever the threshold |
"""
PLUMBING = re.compile(r"set_\w+_request|get_metadata_routing|set_callbacks|n_features_in_|feature_names_in_")


def numbers(value):
    """Whatever a family returns as one array: sparse and several results too."""
    if hasattr(value, "toarray"):
        value = value.toarray()
    if isinstance(value, (tuple, list)) and not np.isscalar(value):
        return np.concatenate([numbers(v).ravel() for v in value])
    return np.asarray(value)


def difference(ours, theirs, signs):
    """Largest difference, relative; 0 for equal labels only. Where `signs` says so columns may be turned."""
    a, b = numbers(ours), numbers(theirs)
    assert a.shape == b.shape, f"shapes {a.shape} and {b.shape}"
    if a.dtype.kind not in "fc":
        return 0.0 if (a == b).all() else np.inf
    if signs:
        a = a * np.where((a * b).sum(axis=0) < 0, -1, 1)
    if not np.array_equal(np.isfinite(a), np.isfinite(b)):
        return np.inf
    a, b = np.nan_to_num(a, posinf=0), np.nan_to_num(b, posinf=0)
    return max(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300), 1e-300)


def combinations(options):
    return [dict(zip(options, values)) for values in product(*options.values())]


def look_up(where):
    module, name = where.rsplit(".", 1)
    return getattr(import_module(module), name)


def result(side, make, row, options, table):
    """What a class says of the table once it is fitted, or what a function of the table returns."""
    if side in row:
        return row[side](make, table, options)
    if not isinstance(make, type):
        return make(*table, **options)
    model = make(*row.get("first", ()), **options)
    if "split" in row:
        return [test for _, test in model.split(*table)]
    if row["says"] == "fit_resample":
        return model.fit_resample(*table)
    said = getattr(model.fit(*table), row["says"])
    return said(*table[:1]) if callable(said) else said


def largest_difference(row):
    ours, theirs = look_up("helpers." + row["ours"]), look_up(row["twin"])
    table, worst = TABLES[row.get("table", "classes")](), 0.0
    for options in combinations(row["options"]):
        here = options | row.get("more", {})
        found = (
            result("here", ours, row, here, table),
            result("there", theirs, row, row.get("as_twin", dict)(here), table),
        )
        worst = max(worst, difference(*found, row.get("signs", False)))
    return worst


def rounded_up(worst):
    return "equal" if worst == 0 else next((f"{step:.0e}" for step in STEPS if worst <= step), "more")


def line(row):
    options = "; ".join(
        f"`{name}`: {', '.join(map(shown, values))}" for name, values in row["options"].items()
    )
    cells = (f"`{row['ours']}`", f"`{row['twin']}`", options or "–", row["says"].strip("_").replace("_", " "))
    return "| " + " | ".join((*cells, rounded_up(largest_difference(row)))) + " |\n"


def shown(value):
    return getattr(value, "__name__", str(value))


def page():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = "".join(map(line, ROWS))
    alone = "".join(f"| {coded(names)} | {what} |\n" for names, what in ALONE.items())
    left_out = "".join(
        f"| {'all' if family == '*' else f'`{family}`'} | {coded(names)} | {why} |\n"
        for family, reasons in LEFT_OUT.items()
        for names, why in reasons.items()
    )
    on_purpose = "".join(f"| `{name}` | {ours} | {theirs} |\n" for name, (ours, theirs) in ON_PURPOSE.items())
    return (
        HEAD + rows + TAIL + alone + REST + left_out + BESIDES + besides() + OTHERWISE + on_purpose + CHECKS
    )


def besides():
    """One line for every class that differs from its twin in what it offers."""
    pairs = [(row, look_up("helpers." + row["ours"]), look_up(row["twin"])) for row in ROWS]
    lines = []
    for row, ours, twin in pairs:
        if isinstance(ours, type) and isinstance(twin, type):
            cells = other_defaults(ours, twin), more(methods, ours, twin), more(attributes(row), ours, twin)
            if any(cells):
                lines.append(f"| `{ours.__name__}` | {' | '.join(cell or '–' for cell in cells)} |\n")
    return "".join(lines)


def other_defaults(ours, twin):
    mine, theirs = (inspect.signature(kind).parameters for kind in (ours, twin))
    both = [(name, mine[name].default, theirs[name].default) for name in mine if name in theirs]
    return ", ".join(
        f"`{name}`: {shown(a)} ({shown(b)})"
        for name, a, b in both
        if a is not inspect.Parameter.empty and shown(a) != shown(b)
    )


def more(names_of, ours, twin):
    """What the twin has and ours lacks."""
    return coded(" ".join(sorted(n for n in names_of(twin) - names_of(ours) if not PLUMBING.fullmatch(n))))


def methods(kind):
    return {name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name, None))}


def attributes(row):
    """What is left in a model of the kind when it is fitted with the first options of the row."""
    table, options = (
        TABLES[row.get("table", "classes")](),
        combinations(row["options"])[0] | row.get("more", {}),
    )

    def names_of(kind):
        if not hasattr(kind, "fit"):
            return set()
        here = options if kind.__module__.startswith("helpers") else row.get("as_twin", dict)(options)
        known = inspect.signature(kind).parameters
        model = kind(*row.get("first", ()), **{name: v for name, v in here.items() if name in known})
        return {name for name in vars(model.fit(*table)) if name[0] != "_" and name[-1] == "_"}

    return names_of


def coded(names):
    return ", ".join(f"`{name}`" for name in names.split())


def lacking(ours, twin):
    """Parameters of the twin's that our class of that name neither has nor is excused from."""
    excused = {
        name
        for family in ("*", ours.__name__)
        for names in LEFT_OUT.get(family, {})
        for name in names.split()
    }
    mine, theirs = (set(inspect.signature(kind).parameters) for kind in (ours, twin))
    return theirs - mine - excused


def public_names():
    return {f"{family}.{name}" for family in FAMILIES for name in import_module(f"helpers.{family}").__all__}


def listed_names():
    return {row["ours"] for row in ROWS} | {name for names in ALONE for name in names.split()}


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args(argv).check
    text, missing = page(), public_names() ^ listed_names()
    if missing:
        print(f"Not in the table, or not in the package: {', '.join(sorted(missing))}", file=sys.stderr)
    if check:
        return int(bool(missing) or text != PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
