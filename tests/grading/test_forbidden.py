"""What an answer may not use: one rule, and a learner's full marks are the class's full marks."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from grading.forbidden import forbidden_module, refusal
from grading.registry import find
from tests.grading.small import needs_sandbox, notebook
from tools.books import ROOT

FORBIDS = ("statistics", "numpy.linalg", "os.path", "sklearn.decomposition")

# by the module that is used
USES = {
    "statistics": {
        "import inside": "def centre(x):\n    import statistics\n    return x - statistics.mean(x)",
        "import inside, renamed": "def centre(x):\n    import statistics as s\n    return x - s.mean(x)",
        "a name imported inside": "def centre(x):\n    from statistics import mean\n    return x - mean(x)",
        "a module": "import statistics\ndef centre(x):\n    return x - statistics.mean(x)",
        "a module, renamed": "import statistics as s\ndef centre(x):\n    return x - s.mean(x)",
        "a name": "from statistics import mean\ndef centre(x):\n    return x - mean(x)",
        "a name, renamed": "from statistics import mean as m\ndef centre(x):\n    return x - m(x)",
        "the function itself": "from statistics import mean as centre",
        "through a helper": "import statistics as s\ndef h(x):\n    return s.mean(x)\ndef centre(x):\n    return x - h(x)",
        "through two helpers": "import statistics as s\ndef g(x):\n    return s.mean(x)\ndef h(x):\n    return g(x)\n"
        "def centre(x):\n    return x - h(x)",
        "in a function inside": "import statistics\ndef centre(x):\n    def h():\n        return statistics.mean(x)\n"
        "    return x - h()",
        "in a comprehension": "import statistics\ndef centre(x):\n    return [statistics.mean(v) for v in x]",
        "in a lambda": "import statistics\ncentre = lambda x: x - statistics.mean(x)",
    },
    "pkgutil.resolve_name": {
        "by its name": "import pkgutil\ndef centre(x):\n    return x - pkgutil.resolve_name('stat' + 'istics').mean(x)"
    },
    "sklearn.utils.all_estimators": {
        "among all estimators": "from sklearn.utils import all_estimators as a\nE = dict(a())\ndef centre(x):\n    return E['PCA'](x)"
    },
    "numpy.linalg": {
        "a part of a package": "def centre(x):\n    return np.linalg.norm(x)",
        "a part, imported inside": "def centre(x):\n    from numpy import linalg\n    return linalg.norm(x)",
        "a part, renamed inside": "def centre(x):\n    import numpy.linalg as l\n    return l.norm(x)",
        "a part, through the package inside": "def centre(x):\n    import numpy as n\n    return n.linalg.norm(x)",
        "a function of the part": "from numpy.linalg import norm\ndef centre(x):\n    return norm(x)",
    },
}


ALLOWED = {
    "itself": "def centre(x, n=0):\n    return x - x.mean() if n else centre(x, 1)",
    "a module that nobody uses": "import statistics\ndef centre(x):\n    return x - x.mean()",
    "a module of a like name": "import statisticsx\ndef centre(x):\n    statisticsx\n    return x - x.mean()",
    "a variable of that name": "def centre(x):\n    statistics = x.mean()\n    return x - statistics",
    "another part": "import os\n"
    "def centre(x):\n"
    "    return x - x.mean() + len(os.sep) - np.random.uniform(1, 1)",
}


# the same in the cells of a notebook
IN_CELLS = {
    "sklearn.decomposition": {
        "an object that is called": [
            "class P:\n    def __call__(self, x):\n        from sklearn.decomposition import PCA\n"
            "        return PCA().fit(x)",
            "centre = P()",
        ],
        "a name of another cell": [
            "import sklearn.decomposition as d",
            "model = d.PCA",
            "def centre(x):\n    return model().fit(x)",
        ],
        "a computed getattr": [
            "import sklearn",
            "def centre(x):\n    return getattr(sklearn, 'decom' + 'position').PCA()",
        ],
        "handed on by another module": [
            "from sklearn.manifold._isomap import KernelPCA as K",
            "def centre(x):\n    return K().fit(x)",
        ],
    },
    "statistics": {
        "a decorator": [
            "import functools, statistics",
            "def with_mean(f):\n    return lambda x: f(x, statistics.mean(x))",
            "@with_mean\ndef centre(x, m):\n    return x - m",
        ],
        "import_module": [
            "from importlib import import_module as i",
            "def centre(x):\n    return i('statistics').mean(x)",
        ],
        "a star": ["from statistics import *", "def centre(x):\n    return x - mean(x)"],
        "a global of a function": [
            "def load():\n    global mean\n    from statistics import mean",
            "load()",
            "def centre(x):\n    return x - mean(x)",
        ],
        "set later": [
            "class P:\n    def __call__(self, x):\n        return self.mean(x)",
            "centre = P()",
            "import statistics",
            "centre.mean = statistics.mean",
        ],
        "put into a list": [
            "import statistics",
            "tools = []",
            "tools.append(statistics.mean)",
            "def centre(x):\n    return tools[0](x)",
        ],
        "in a branch": [
            "try:\n    from statistics import mean\nexcept ImportError:\n    pass",
            "def centre(x):\n    return mean(x)",
        ],
        "beside a magic": [
            "%matplotlib inline\nimport statistics\n!ls",
            "%time mean = statistics.mean",
            "def centre(x):\n    return mean(x)",
        ],
    },
    "numpy.linalg": {
        "getattr": ["def centre(x):\n    return getattr(np, 'linalg').norm(x)", "import numpy as np"],
        "a local alias": ["import numpy as np", "def centre(x):\n    n = np\n    return n.linalg.norm(x)"],
    },
    "importlib": {
        "import_module of a computed name": [
            "import importlib",
            "def centre(x):\n    return importlib.import_module('stat' + 'istics').mean(x)",
        ]
    },
    "exec": {
        "exec": ["def centre(x):\n    exec('import statistics as s', globals())\n    return s.mean(x)"],
        "exec in another cell": [
            "exec('from statistics import mean')",
            "def centre(x):\n    return x - mean(x)",
        ],
    },
    "sys.modules": {
        "sys.modules": ["import sys", "def centre(x):\n    return sys.modules['statistics'].mean(x)"]
    },
    None: {
        "compared with it, elsewhere": [
            "from sklearn.decomposition import PCA",
            "def centre(x):\n    return x - x.mean(axis=0)",
            "assert abs(centre(X) - PCA().fit(X).mean_).max() > 0",
            "centre",
        ],
        "written first with it, then without": [
            "from statistics import mean",
            "def centre(x):\n    return x - mean(x)",
            "def centre(x):\n    return x - x.mean()",
        ],
        "a local name that hides an import": [
            "import statistics",
            "def centre(x):\n    statistics = x.mean()\n    return x - statistics",
        ],
        "an argument that hides an import": [
            "import statistics",
            "def centre(x, statistics=0):\n    return [statistics for statistics in x]",
        ],
        "a cell that is no Python": ["def centre(x:", "def centre(x):\n    return x - x.mean()"],
        "nothing of that name": ["import statistics"],
    },
}


def used(cells):
    return forbidden_module(cells, "centre", FORBIDS)


def test_a_forbidden_module_is_named_and_no_other():
    for module, codes in USES.items():
        found = {what: used(["import numpy as np", code]) for what, code in codes.items()}
        assert found == dict.fromkeys(codes, module)
    found = {what: used(["import numpy as np", code]) for what, code in ALLOWED.items()}
    assert found == dict.fromkeys(ALLOWED)


def test_names_are_followed_through_the_cells():
    for module, notebooks in IN_CELLS.items():
        found = {what: used(cells) for what, cells in notebooks.items()}
        assert found == dict.fromkeys(notebooks, module)


ODD = [
    "x = " + "(" * 5000,
    "x = " + "-" * 50_000 + "1",
    "x = " + "a." * 50_000 + "b",
    "x = y\ny = x",
    "\0",
    "x: int",
    "\n" * 200_000 + "%time x",  # nobody's deadline holds while it is read
    " " * 200_000 + "x y",
]


def test_no_source_is_too_odd_to_be_read():
    answer = "def centre(v):\n    return x"
    assert {source[:20]: used([source, answer]) for source in ODD} == {source[:20]: None for source in ODD}


# ---- both sides

OWN = (
    "def explained_ratio(X):\n"
    "    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)\n"
    "    return s**2 / (s**2).sum()"
)
LIBRARY = "PCA().fit(X).explained_variance_ratio_"


def by_pca(words, model="PCA"):
    return f"def explained_ratio(X):\n    {words}\n    return {model}().fit(X).explained_variance_ratio_"


FORBIDDEN = find("pca.3").forbids
HIDING = ("exec", "eval", "importlib", "sys.modules")

# cells with an answer that gives the right numbers: what may, and what may not
MAY = {
    "own work": [OWN],
    "own work as a lambda": [
        "explained_ratio = lambda X: (s := np.linalg.svd(X - X.mean(0))[1] ** 2) / s.sum()"
    ],
    "own work in a class": [
        "class P:\n    def __call__(self, X):\n        s = np.linalg.svd(X - X.mean(0))[1] ** 2\n"
        "        return s / s.sum()\nexplained_ratio = P()"
    ],
    "own work in two functions": [
        "def _shares(v):\n    return v / v.sum()",
        "def explained_ratio(X):\n    return _shares(np.linalg.svd(X - X.mean(0))[1] ** 2)",
    ],
    "own work, compared with the library": [
        OWN,
        "from sklearn.decomposition import PCA",
        f"X = np.eye(3)\nprint({LIBRARY} - explained_ratio(X))",
    ],
    "another module of the same package": [
        "from sklearn.preprocessing import StandardScaler",
        OWN.replace("X - X.mean(axis=0)", "StandardScaler(with_std=False).fit_transform(X)"),
    ],
}
MAY_NOT = {
    "the module": ["import sklearn.decomposition", by_pca("PCA = sklearn.decomposition.PCA")],
    "the name": ["from sklearn.decomposition import PCA", by_pca("pass")],
    "imported inside": [by_pca("from sklearn.decomposition import PCA")],
    "an object that is called": [
        "class P:\n"
        "    def __call__(self, X):\n"
        "        from sklearn.decomposition import PCA\n"
        f"        return {LIBRARY}",
        "explained_ratio = P()",
    ],
    "a lambda": ["from sklearn.decomposition import PCA", f"explained_ratio = lambda X: {LIBRARY}"],
    "a helper that imports": [
        "def model():\n    from sklearn.decomposition import PCA\n    return PCA()",
        by_pca("pass", "model"),
    ],
    "a partial": [
        "from functools import partial\nfrom sklearn.decomposition import PCA",
        f"def ratio(PCA, X):\n    return {LIBRARY}\nexplained_ratio = partial(ratio, PCA)",
    ],
    "a bound method": [
        "from sklearn.decomposition import PCA\nclass P(PCA):\n    def ratio(self, X):\n"
        "        return self.fit(X).explained_variance_ratio_\nexplained_ratio = P().ratio"
    ],
    "a decorator": [
        "from sklearn.decomposition import PCA\ndef swap(f):\n"
        f"    return lambda X: {LIBRARY}\n@swap\ndef explained_ratio(X):\n    return X"
    ],
    "a comprehension": [
        "from sklearn.decomposition import PCA",
        f"def explained_ratio(X):\n    return [v for v in {LIBRARY}]",
    ],
    "a dict in another cell": [
        "from sklearn.decomposition import PCA\nmodels = {}",
        "models['pca'] = PCA",
        by_pca("pass", "models['pca']"),
    ],
    "a default argument": [
        "from sklearn.decomposition import PCA",
        f"def explained_ratio(X, PCA=PCA):\n    return {LIBRARY}",
    ],
    "a closure": [
        "from sklearn.decomposition import PCA\ndef made(model):\n"
        "    return lambda X: model().fit(X).explained_variance_ratio_\nexplained_ratio = made(PCA)"
    ],
    "getattr": ["import sklearn, sklearn.svm", by_pca("PCA = getattr(sklearn, 'decomposition').PCA")],
    "importlib": [by_pca("import importlib; PCA = importlib.import_module('sklearn.decomposition').PCA")],
    "importlib, relative": [
        by_pca("import importlib; PCA = importlib.import_module('.decomposition', 'sklearn').PCA")
    ],
    "importlib, computed": [
        by_pca("import importlib; PCA = importlib.import_module('sklearn.' + 'decomposition').PCA")
    ],
    "__import__": [by_pca("PCA = __import__('sklearn.decomposition').decomposition.PCA")],
    "exec": [by_pca("names = {}; exec('from sklearn.decomposition import PCA', names); PCA = names['PCA']")],
    "exec in another cell": ["exec('from sklearn.decomposition import PCA')", by_pca("pass")],
    "eval": [by_pca("PCA = eval('__import__(\"sklearn.decomposition\").decomposition.PCA')")],
    "sys.modules": ["import sys, sklearn.svm", by_pca("PCA = sys.modules['sklearn.decomposition'].PCA")],
    "vars": ["import sklearn.decomposition", by_pca("PCA = vars(sklearn)['decomposition'].PCA")],
    "a star": ["from sklearn.decomposition import *", by_pca("pass")],
    "a star of the package": ["from sklearn import *", by_pca("pass", "decomposition.PCA")],
    "handed on by another module": [
        "from sklearn.manifold._isomap import KernelPCA",
        f"{OWN}\nexplained = explained_ratio\ndef explained_ratio(X):\n"
        "    KernelPCA(2).fit(X)\n    return explained(X)",
    ],
}
BOTH = MAY | MAY_NOT

CHECKS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()

from grading import shell as notebook
found = {}
notebook.display = lambda verdict: found.__setitem__(name, [verdict.result.points, verdict.result.notes])
for name, cells in json.loads(sys.stdin.read()).items():
    shell.reset(new_session=True)
    for cell in ["import numpy as np\\nfrom grading import check", *cells, 'check("pca.3")']:
        shell.run_cell(cell, store_history=True)
print("\\n" + json.dumps(found))
"""


@pytest.fixture(scope="module")
def learner(tmp_path_factory):
    """{name: (points, notes)}: what `check` says in a notebook."""
    done = subprocess.run(
        [sys.executable, "-c", CHECKS],
        input=json.dumps(BOTH),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "IPYTHONDIR": str(tmp_path_factory.mktemp("ipython"))},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def lecturer(tmp_path_factory):
    """A grader of a homework of this one question."""
    path = tmp_path_factory.mktemp("exercise") / "00-one.ipynb"
    answer = new_code_cell("explained_ratio = ...", metadata={"nbgrader": {"grade_id": "pca-3"}})
    nbformat.write(
        new_notebook(cells=[new_code_cell("import numpy as np"), answer, new_code_cell('check("pca.3")')]),
        path,
    )
    grader = Grader(Homework(path), "a salt of the tests")
    yield grader
    grader.close()


class TestBothSides:
    pytestmark = needs_sandbox

    def test_a_learners_points_are_the_classes_points(self, learner, lecturer, subtests):
        refusals = [refusal(module) for module in (*FORBIDDEN, *HIDING)]
        for name, cells in BOTH.items():
            points, notes = learner[name]
            answer = lecturer.grade("ann", notebook(cells)).questions["pca.3"]
            with subtests.test(name):
                assert (answer.points, answer.notes) == (points, notes)
                assert (points, notes) == (2, []) if name in MAY else points == 0 and notes[0] in refusals
