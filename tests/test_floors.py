"""Nothing imports upwards: the contracts in pyproject.toml hold, and one that is broken would be seen."""

import ast
import re
import shutil
import subprocess
import sys

import pytest

from grading.registry import topics
from tools.books import ROOT

LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def linted(folder):
    """Exit status and words of import-linter on the packages of a folder."""
    done = subprocess.run(
        [sys.executable, "-c", LINT], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_no_import_leads_upwards():
    status, said = linted(ROOT)
    assert status == 0 and "0 broken" in said, said


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    for name in ("helpers", "grading", "homework", "course", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("helpers/comparing.py", "import grading.judge", "helpers.comparing -> grading.judge"),
        (
            "helpers/methods/relief.py",
            "def f():\n    from grading import check",
            "helpers.methods.relief -> grading.check",
        ),
        ("helpers/methods/lle.py", "import imblearn.pipeline", "helpers.methods.lle -> imblearn"),
        ("grading/judge.py", "def f():\n    import grading.check", "grading.judge -> grading.check"),
        ("grading/folder.py", "from course import cli", "grading.folder -> course.cli"),
        ("grading/judge.py", "import homework.knn.figures", "grading.judge -> homework.knn.figures"),
        (
            "homework/knn/questions.py",
            "from grading.feedback import cause",
            "homework.knn.questions -> grading.feedback",
        ),
        (
            "grading/classroom/worker_pool.py",
            "from grading.classroom import grade",
            "worker_pool -> .grade",
        ),
        ("course/__init__.py", "def f():\n    from tools import pin", "course -> tools.pin"),
        (
            "tools/site/live.py",
            "def f():\n    from tools import build_slides",
            "tools.site.live -> tools.build_slides",
        ),
    ],
    ids=[
        "helpers up",
        "helpers up in a function",
        "a method on another library",
        "judging up",
        "grading up",
        "a homework in the engine",
        "the judge in a homework",
        "a circle",
        "the course on its tools",
        "a library of the tools on a command",
    ],
)
def test_an_import_that_leads_upwards_is_seen(copy, file, line, said):
    path = copy / file
    source = path.read_text(encoding="utf-8")
    path.write_text(f"{source}\n\n{line}\n", encoding="utf-8")
    try:
        status, words = linted(copy)
    finally:
        path.write_text(source, encoding="utf-8")
    assert status == 1 and said in " ".join(words.split())


def homeworks_named(source):
    """Names of homeworks as ids, in quotation marks, in dotted names and in names of files."""
    names = "|".join(topics())
    found = re.findall(
        rf"\b({names})\.\d|[\"']({names})[\"'.]|homework[./]({names})\b|\d\d-({names})", source
    )
    return sorted({"".join(one) for one in found})


def test_the_engine_names_no_homework():
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "grading").rglob("*.py")}
    assert {path.name: found for path, text in sources.items() if (found := homeworks_named(text))} == {}


@pytest.mark.parametrize(
    "line",
    ['check("knn.3")', "FILES = ['sparse']", "from homework.pca import x", "02-pca.ipynb", '"filters.py"'],
)
def test_a_homework_that_is_named_is_seen(line):
    assert len(homeworks_named(line)) == 1 and not homeworks_named("sklearn.preprocessing, a sparse matrix")


def private_imports(source):
    """Names with an underscore that a file takes from another one."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return [a.name for node in nodes for a in node.names if re.match("_[^_]", a.name)]


def test_no_private_name_crosses_a_file():
    paths = [path for name in ("grading", "homework", "course") for path in (ROOT / name).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): private_imports(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: names for name, names in found.items() if names} == {}
    assert private_imports("from grading.check import call, _cells") == ["_cells"]
