"""The package as a whole: light to import, each module alone, documented, and a cluster if wanted."""

import importlib
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
from dataclasses import is_dataclass
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config

import helpers
from helpers.model_selection import cross_validate_scores
from helpers.neighbors import KNeighborsClassifier

ROOT = Path(__file__).resolve().parents[2]
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
    "_linalg",
    "_nearest",
    "_rows",
    "_fista",
    "_tags",
    "_checks",
    "_lazy",
)
MODULES = [
    m.name
    for m in pkgutil.walk_packages(helpers.__path__, "helpers.")
    if not m.ispkg and m.name.split(".")[1] in FAMILIES
]
# What a module may stand on outside its own folder: the mathematics asks for it.
STANDS_ON = {
    "neighbors": {"_nearest"},
    "feature_extraction.sift": {"neighbors", "_nearest"},
    "feature_selection": {"_linalg", "_nearest", "_rows"},
    "imbalance.sampling": {"neighbors", "_nearest"},
    "imbalance.ensemble": {"neighbors", "_linalg", "_nearest"},
    "imbalance.one_class": {"_rows"},
    "manifold": {"neighbors", "_linalg", "_nearest"},
    "cross_decomposition": {"_linalg"},
    "discriminant_analysis": {"_linalg"},
    "decomposition": {"_linalg", "_fista", "linear_model", "_rows"},
    "linear_model": {"_linalg", "_fista", "_rows"},
    "impute": {"_linalg", "_fista"},
    "preprocessing": {"_linalg", "_rows"},
    "model_selection": {"_linalg"},
}
LIBRARIES = (
    "numpy, scipy.linalg, scipy.sparse.linalg, scipy.stats, sklearn.utils.validation, sklearn.metrics, "
    "joblib, tqdm"
)
FORKS = f"""
import importlib, json, os, sys
import {LIBRARIES}
assert "matplotlib" not in sys.modules
found = {{}}
for name in sys.argv[1:]:
    there, here = os.pipe()
    if os.fork() == 0:
        importlib.import_module(name)
        loaded = [m for m in sys.modules if m.startswith("helpers.") or m in ("matplotlib", "imblearn")]
        os.write(here, json.dumps(loaded).encode())
        os._exit(0)
    os.close(here)
    with os.fdopen(there) as pipe:
        found[name] = json.loads(pipe.read())
    os.wait()
print(json.dumps(found))
"""


def python(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done


def test_the_package_itself_takes_no_time():
    lines = python("-X", "importtime", "-c", "import helpers").stderr.splitlines()
    (own,) = (line for line in lines if line.rsplit("|", 1)[-1].strip() == "helpers")
    assert int(own.split("|")[1]) < 100_000  # microseconds


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
def test_no_module_imports_matplotlib_or_the_rest_of_the_package():
    found = json.loads(python("-c", FORKS, *MODULES).stdout)
    assert found.keys() == set(MODULES)
    for name, loaded in found.items():
        short = name.removeprefix("helpers.")
        family = short.split(".")[0]
        allowed = {family, "_checks", "_fast", "_lazy", "_tags"}
        allowed |= STANDS_ON.get(short, STANDS_ON.get(family, set()))
        assert not {"matplotlib", "imblearn"} & set(loaded), name
        assert {m.split(".")[1] for m in loaded if m.startswith("helpers.")} <= allowed, name


def equations():
    """Numbers of all equations of the chapters: set by hand, or by the derivation that shows them."""
    chapters = [
        json.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("notebooks/[01][0-9]-*.ipynb")
    ]
    sources = ("".join(cell["source"]) for chapter in chapters for cell in chapter["cells"])
    return {number for source in sources for number in re.findall(r'(?:\\tag\{|result\(")(\d+\.\d+)', source)}


def cited(name):
    """(7.13) in a comment or a docstring, but no argument of a call."""
    text = ROOT.joinpath(*name.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    return set(re.findall(r"(?<![\w.])\(([1-9]\d?\.[1-9]\d?)\)", text))


def test_equations_that_the_code_cites_stand_in_the_chapters():
    of_code, known = {name: cited(name) for name in MODULES}, equations()
    assert {name: numbers - known for name, numbers in of_code.items() if numbers - known} == {}
    chapters = {int(number.split(".")[0]) for numbers in of_code.values() for number in numbers}
    assert chapters == set(range(1, 13))  # who reads any chapter finds its numbers


def test_what_raises_says_so():
    silent = []
    for family in (f for f in FAMILIES if not f.startswith("_")):
        module = importlib.import_module(f"helpers.{family}")
        for name in module.__all__:
            offered = getattr(module, name)
            if "raise ValueError" in inspect.getsource(offered) and "Raises\n" not in inspect.getdoc(offered):
                silent.append(f"{family}.{name}")
    assert silent == []


# Modules whose public functions say what goes in and what comes out.
DOCUMENTED = (
    "comparing",
    "cross_decomposition",
    "datasets",
    "decomposition",
    "derivation",
    "discriminant_analysis",
    "evidence",
    "feature_extraction",
    "feature_selection",
    "imbalance",
    "impute",
    "linear_model",
    "manifold",
    "model_selection",
    "multiclass",
    "neighbors",
    "plotting",
    "preprocessing",
)


def named(doc, title):
    """Names that a numpydoc section gives: ``p, q : arrays`` names p and q."""
    section = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n[A-Z][a-z]+\n-+\n|\Z)", doc, re.M | re.S)
    lines = section[1].splitlines() if section else []
    return {
        name.strip(" *")
        for line in lines
        if line and line[0] != " "
        for name in line.split(" : ")[0].split(",")
    }


def is_error(offered):
    return isinstance(offered, type) and issubclass(offered, Exception)


def undocumented(offered):
    """What the docstring leaves out, or makes up."""
    doc, expected = inspect.getdoc(offered) or "", set(inspect.signature(offered).parameters)
    record = isinstance(offered, type) and (issubclass(offered, tuple) or is_dataclass(offered))
    wrong = expected ^ named(doc, "Attributes" if record else "Parameters")
    silent = inspect.isfunction(offered) and not named(doc, "Returns")
    return wrong | {"Returns"} if silent else wrong


def test_docstrings_name_every_parameter_and_what_is_returned():
    found = {}
    for family in DOCUMENTED:
        module = importlib.import_module(f"helpers.{family}")
        offered = {f"{family}.{name}": getattr(module, name) for name in module.__all__}
        found |= {name: undocumented(it) for name, it in offered.items() if callable(it) and not is_error(it)}
    assert found and {name: sorted(wrong) for name, wrong in found.items() if wrong} == {}


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("dask.distributed", reason="uv sync --extra cluster")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as local:
        with distributed.Client(local) as client:
            yield client


class Learner(KNeighborsClassifier):
    """Remembers where it was fitted."""

    places = []

    def fit(self, X, y):
        from dask.distributed import get_worker

        self.places.append(get_worker().address)
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_jobs_run_on_a_dask_cluster(cluster):
    """As the example in `cross_validate_scores` says: the same scores, found by the cluster's workers."""
    X = np.random.default_rng(0).normal(size=(60, 5))
    y = (X[:, 1] > 0).astype(int)
    with parallel_config(backend="dask"):
        scores = cross_validate_scores(Learner(), X, y, n_jobs=2)
    assert np.array_equal(scores, cross_validate_scores(KNeighborsClassifier(), X, y))
    assert len(Learner.places) == 5 and set(Learner.places) == set(cluster.scheduler_info()["workers"])
