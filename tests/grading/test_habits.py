"""Habits of notebooks, through both doors: what `check` says in Jupyter is what a class gets, and deserves."""

import json
import os
import subprocess
import sys

import pytest

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from tests.grading.small import MEAN, exercise, needs_sandbox, notebook
from tools.books import ROOT

pytestmark = needs_sandbox

MAJORITY = "def majority(labels):\n    values, counts = np.unique(labels, return_counts=True)\n"
BEST = MAJORITY + "    return values[counts.argmax() + shift]"


def gives(words, before=""):
    """An answer to knn.4 that is right, in another form."""
    return f"{before}\n{MEAN.replace('def knn_regress', 'def mean')}\ndef knn_regress(d, v):\n    x = mean(d, v)\n    return {words}"


# cells, and the points of knn.2 (2) and knn.4 (3)
HABITS = {
    "%%writefile": (["%%writefile own.py\nshift = 0", "from own import shift\n" + BEST], 2),
    "%run": (["%%writefile own2.py\nshift = 0", "%run own2.py", BEST], 2),
    "!echo > file": (["!echo 0 > z.txt", "shift = int(open('z.txt').read())", BEST], 2),
    "x = !cmd": (["n = !echo 0", "shift = int(n[0])", BEST], 2),
    "!cmd {name}": (["zero = 0\nn = !echo {zero}", "shift = int(n[0])", BEST], 2),
    "%env": (["%env SHIFT=0", "import os\nshift = int(os.environ['SHIFT'])", BEST], 2),
    "_": (["1 - 1", "shift = _", BEST], 2),
    "__ and Out": (["0", "5", "shift = __ * len(Out)", BEST], 2),
    "In": (["shift = len(In) * 0", BEST], 2),
    "%timeit -o": (["t = %timeit -o -n 1 -r 1 sum(range(3))", "shift = int(t.best < 0)", BEST], 2),
    "%time gives its value": (["shift = %time 1 - 1", BEST], 2),
    "%%time around": (["%%time\nshift = 0\n" + BEST], 2),
    "%%timeit forgets": (["%%timeit -n 1 -r 1\nshift = 0", BEST], 0),
    "%%capture": (["%%capture out\nprint(3)\nshift = 0", "out.stdout\n" + BEST], 2),
    "%%bash": (["%%bash\necho 0 > y.txt", "shift = int(open('y.txt').read())", BEST], 2),
    "input() raises": (["name = input('who?')", "shift = 0\n" + BEST], 2),
    "a loop that asks": (
        ["while True:\n    x = input()\n    if x.isdigit():\n        break", "shift = 0\n" + BEST],
        2,
    ),
    "breakpoint()": (["shift = 0\n" + BEST.replace("    return", "    breakpoint()\n    return")], 2),
    "%debug, pip, widgets": (
        ["%debug\n%pip install x\n%matplotlib widget\n!pip install x", "shift = 0\n" + BEST],
        2,
    ),
    "two imports, one forbidden": (
        ["import sklearn.neighbors as n, itertools as it", gives("sum(it.islice([x], 1))")],
        3,
    ),
    "from sklearn": (["from sklearn import neighbors, preprocessing", gives("x")], 3),
    "all in a with": (
        [
            "with np.errstate(all='ignore'):\n    from sklearn.neighbors import KDTree\n    def knn_regress(d, v):\n        return mean(d, v)",
            MEAN.replace("knn_regress", "mean"),
        ],
        0,
    ),
    "a forbidden module, used": (["from sklearn.neighbors import KDTree", gives("KDTree and x")], 0),
    "helpers": (["from helpers.comparing import close", gives("x if close(x, x) else 0")], 3),
    "the source of a function": (["import inspect", gives("x if inspect.getsource(mean) else 0")], 3),
    "the answer above a stub": ([MEAN], 3),
    "annotations of the future": (
        ["from __future__ import annotations", MEAN.replace("(distances,", "(distances: NoSuch,")],
        3,
    ),
    "await": (["import asyncio\nasync def f():\n    return 0\nshift = await f()", BEST], 2),
    "a number of 400 digits": ([gives("10**400")], 0),
    "a Fraction": ([gives("Fraction(x)", "from fractions import Fraction")], 3),
    "a longdouble": ([gives("np.longdouble(x)")], 3),
    "a Decimal": ([gives("Decimal(x)", "from decimal import Decimal")], 3),
    "a pandas scalar": ([gives("pd.Series([x]).iloc[0]", "import pandas as pd")], 3),
    "complex without an imaginary part": ([gives("complex(x)")], 3),
    "float32": ([gives("np.float32(x)")], None),
    "an array of one": ([gives("np.array(x)")], 3),
    "a list of one": ([gives("[x]")], 0),
    "prints": ([gives("print(x)")], 0),
    "an iterator": ([gives("iter([x])")], 0),
    "never ends": (["import itertools", gives("itertools.count()")], 0),
    "an object": ([gives("object()")], 0),
    "NaN": ([gives("x * np.nan")], 0),
    "an own error": (
        [
            "class WireError(Exception):\n    pass",
            gives("1 / 0 if 0 else fail()"),
            "def fail():\n    raise WireError('All of it is right')",
        ],
        0,
    ),
}
CHECKED = """
import json, os, sys, tempfile
sys.path.insert(0, os.getcwd())
from IPython.core.interactiveshell import InteractiveShell
from grading.calling import judge_named
from grading.registry import find
told = {}
for name, cells in json.load(sys.stdin).items():
    os.chdir(tempfile.mkdtemp())
    shell = InteractiveShell()
    sys.path.insert(0, "")
    sys.breakpointhook = lambda *a: None
    shell.raw_input = None
    shell.run_cell("import numpy as np", store_history=True)
    for cell in cells:
        shell.run_cell(cell, store_history=True)
    results = [judge_named(find(id), shell.user_ns, shell.history_manager.input_hist_raw) for id in ("knn.2", "knn.4")]
    told[name] = [[r.points for r in results], [n for r in results for n in r.notes]]
    sys.modules.pop("own", None)
print("\\n" + json.dumps(told))
"""


@pytest.fixture(scope="module")
def by_check():
    """{habit: (points, notes)} in IPython, where nobody sits at a keyboard."""
    cells = {name: cells for name, (cells, _) in HABITS.items()}
    done = subprocess.run(
        [sys.executable, "-c", CHECKED],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"IPYTHONDIR": "/tmp/no-ipython", "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def grader(tmp_path_factory):
    one = Grader(
        Homework(exercise(tmp_path_factory.mktemp("habits") / "00-two.ipynb")), "a salt of these tests"
    )
    yield one
    one.close()


@pytest.mark.parametrize("name", HABITS)
def test_check_and_class_agree(name, by_check, grader):
    cells, points = HABITS[name]
    result = grader.grade("ann", notebook(["import numpy as np", *cells]))
    got = [result.questions[id].points if id in result.questions else 0 for id in ("knn.2", "knn.4")]
    checked, notes = by_check[name]
    assert got == checked, (notes, [a.notes for a in result.questions.values()], result.errors)
    assert points is None or sum(got) == points
