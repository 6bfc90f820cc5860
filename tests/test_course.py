"""The course as a whole: helpers import anywhere and lightly; unedited exercises score 0."""

import ast
import os
import pkgutil
import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

import course
import grading
import helpers
import homework
from tests import rules
from tests.nested import pytest_on
from tools import build_exercises
from tools.books import ROOT

MODULES = sorted(
    m.name
    for package in (helpers, grading, homework, course)
    for m in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
)
BOOKS = sorted(p for folder in ("notebooks", "solutions") for p in (ROOT / folder).glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))

POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
NEEDED = {"helpers", "grading", "homework", "course"}
NEEDED |= {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl", "pandas", "matplotlib", "skimage"}
NEEDED |= {"imblearn", "statsmodels", "palmerpenguins", "tqdm", "jinja2", "markupsafe"}
IN_NOTEBOOKS = NEEDED | {"IPython", "ipywidgets", "sympy", "imblearn", "statsmodels"}
VERDICT = re.compile(r"^([\w.]+) +([\d.]+) / ([\d.]+)", re.M)


def over(paths):
    return pytest.mark.parametrize("path", paths, ids=[p.relative_to(ROOT).as_posix() for p in paths])


def python(code, *options):
    """Run the code in a Python of its own, without a screen."""
    left_out = ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND", "PYTHONPATH")
    settings = {name: value for name, value in os.environ.items() if name not in left_out}
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=ROOT,
        env=settings,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def imports(tree, everywhere=True):
    """Names of the modules that the code imports; without `everywhere`, only those outside functions."""
    found, waiting = set(), [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        if everywhere or not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return found


def packages(names):
    return {name.split(".")[0] for name in names} - (sys.stdlib_module_names - POSIX_ONLY)


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def module_path(name):
    base = ROOT.joinpath(*name.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


# ---- helpers


def test_every_helper_imports_without_posix_modules_and_without_a_screen():
    done = python(
        f"import sys\nfor m in {sorted(POSIX_ONLY - {'posix'})}: sys.modules[m] = None\n"
        f"import importlib\nfor m in {MODULES}: importlib.import_module(m)"
    )
    assert done.returncode == 0, done.stderr


def test_the_package_itself_is_light():
    done = python("import helpers", "-X", "importtime")
    names = {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert done.returncode == 0 and "helpers" in names
    assert not {name.split(".")[0] for name in names} & (NEEDED - {"helpers"})


def test_the_package_imports_only_what_it_depends_on():
    """When it is imported, that is: what only some functions need, they import themselves."""
    found = {name: packages(imports(tree_of(module_path(name)), everywhere=False)) for name in MODULES}
    assert {name: needed - NEEDED for name, needed in found.items() if needed - NEEDED} == {}


def test_the_checks_above_see_what_they_should():
    tree = ast.parse("import os, fcntl\ndef f():\n    import dask\n    from a.b import c")
    assert packages(imports(tree, everywhere=False)) == {"fcntl"}
    assert imports(tree) == {"os", "fcntl", "dask", "a.b", "a.b.c"}


# ---- notebooks and homework


def test_notebooks_import_only_what_every_learner_has():
    for path in BOOKS + EXERCISES:
        code = [rules.parsed(cell.source) for cell in rules.code_cells(rules.read(path))]
        assert packages(set().union(*map(imports, code), set())) <= IN_NOTEBOOKS, path


def test_exercises_are_made_from_solutions():
    assert build_exercises.build(ROOT, check=True) == []


def verdicts(nb):
    """question -> (points, of), as `check` showed them."""
    outputs = [out for cell in rules.code_cells(nb) for out in cell.outputs]
    texts = [out.get("data", {}).get("text/plain", "") for out in outputs]
    found = [verdict for text in texts for verdict in VERDICT.findall(text)]
    assert len({question for question, _, _ in found}) == len(found), "a question is checked twice"
    return {question: (float(points), float(of)) for question, points, of in found}


def worth(nb):
    """The points of the graded cells, as nbgrader knows them."""
    graders = [cell.metadata.get("nbgrader", {}) for cell in nb.cells]
    return sorted(grader["points"] for grader in graders if grader.get("grade"))


@over(EXERCISES)
def test_an_unedited_exercise_runs_to_its_end_and_scores_nothing(path):
    nb = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(nb, timeout=120, kernel_name="python3", resources=folder).execute()
    said = verdicts(nb)
    assert sorted(of for _, of in said.values()) == worth(nb) != []
    assert {points for points, _ in said.values()} == {0}


@over(SOLUTIONS)
def test_a_solution_scores_full_marks(path):
    """As stored: nbval, which runs it again, sees that the verdicts are these."""
    nb = rules.read(path)
    said = verdicts(nb)
    assert sorted(of for _, of in said.values()) == worth(nb) != []
    assert all(points == of for points, of in said.values())


def test_a_solution_belongs_to_a_chapter():
    of_all = {"15"}  # the capstone
    chapters = {path.name[:2] for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {path.name[:2] for path in SOLUTIONS} <= chapters | of_all
    assert all(re.fullmatch(r"\d\d-solution", path.stem) for path in SOLUTIONS)
    assert all(re.fullmatch(r"\d\d-homework", path.stem) for path in EXERCISES)


# ---- continuous integration


@pytest.mark.parametrize("ci", ["", "true"])
def test_on_ci_a_skipped_test_is_a_failed_one(tmp_path, ci):
    (tmp_path / "test_one.py").write_text(
        "import pytest\ndef test_one(): pytest.skip('no browser')\n"
        "@pytest.mark.xfail\ndef test_two(): assert 0\n",
        encoding="utf-8",
    )
    (tmp_path / "test_all.py").write_text(
        "import pytest\npytest.importorskip('not_there')\n", encoding="utf-8"
    )
    done = pytest_on(tmp_path, CI=ci)
    assert (done.returncode == 0) == (not ci), done.stdout
    assert ("CI does not allow" in done.stdout) == bool(ci), done.stdout
