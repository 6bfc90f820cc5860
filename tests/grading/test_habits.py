"""Habits of notebooks, through both doors: what `check` says in Jupyter is what a class gets, and deserves."""

import json
import os
import subprocess
import sys

import pytest

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from tests.grading.small import MEAN, exercise, needs_sandbox, notebook, worth
from tools.books import ROOT

pytestmark = needs_sandbox

MAJORITY = "def majority(labels):\n    values, counts = np.unique(labels, return_counts=True)\n"
BEST = MAJORITY + "    return values[counts.argmax() + shift]"


def gives(words, before=""):
    """An answer to knn.4 that is right, in another form."""
    return f"{before}\n{MEAN.replace('def knn_regress', 'def mean')}\ndef knn_regress(d, v):\n    x = mean(d, v)\n    return {words}"


# the points of knn.2 (2) and knn.4 (3), and the cells
HABITS = {
    "%%writefile": worth(2, "%%writefile own.py\nshift = 0", "from own import shift\n" + BEST),
    "%run": worth(2, "%%writefile own2.py\nshift = 0", "%run own2.py", BEST),
    "!echo > file": worth(2, "!echo 0 > z.txt", "shift = int(open('z.txt').read())", BEST),
    "x = !cmd": worth(2, "n = !echo 0", "shift = int(n[0])", BEST),
    "!cmd {name}": worth(2, "zero = 0\nn = !echo {zero}", "shift = int(n[0])", BEST),
    "%env": worth(2, "%env SHIFT=0", "import os\nshift = int(os.environ['SHIFT'])", BEST),
    "_": worth(2, "1 - 1", "shift = _", BEST),
    "__ and Out": worth(2, "0", "5", "shift = __ * len(Out)", BEST),
    "In": worth(2, "shift = len(In) * 0", BEST),
    "%timeit -o": worth(2, "t = %timeit -o -n 1 -r 1 sum(range(3))", "shift = int(t.best < 0)", BEST),
    "%time gives its value": worth(2, "shift = %time 1 - 1", BEST),
    "%%time around": worth(2, "%%time\nshift = 0\n" + BEST),
    "%%timeit forgets": worth(0, "%%timeit -n 1 -r 1\nshift = 0", BEST),
    "%%capture": worth(2, "%%capture out\nprint(3)\nshift = 0", "out.stdout\n" + BEST),
    "%%bash": worth(2, "%%bash\necho 0 > y.txt", "shift = int(open('y.txt').read())", BEST),
    "input() raises": worth(2, "name = input('who?')", "shift = 0\n" + BEST),
    "a loop that asks": worth(
        2, "while True:\n    x = input()\n    if x.isdigit():\n        break", "shift = 0\n" + BEST
    ),
    "breakpoint()": worth(2, "shift = 0\n" + BEST.replace("    return", "    breakpoint()\n    return")),
    "%debug, pip, widgets": worth(
        2, "%debug\n%pip install x\n%matplotlib widget\n!pip install x", "shift = 0\n" + BEST
    ),
    "two imports, one forbidden": worth(
        3, "import sklearn.neighbors as n, itertools as it", gives("sum(it.islice([x], 1))")
    ),
    "from sklearn": worth(3, "from sklearn import neighbors, preprocessing", gives("x")),
    "all in a with": worth(
        0,
        "with np.errstate(all='ignore'):\n    from sklearn.neighbors import KDTree\n    def knn_regress(d, v):\n        return mean(d, v)",
        MEAN.replace("knn_regress", "mean"),
    ),
    "a forbidden module, used": worth(0, "from sklearn.neighbors import KDTree", gives("KDTree and x")),
    "helpers": worth(3, "from helpers.comparing import close", gives("x if close(x, x) else 0")),
    "the source of a function": worth(3, "import inspect", gives("x if inspect.getsource(mean) else 0")),
    "the answer above a stub": worth(3, MEAN),
    "annotations of the future": worth(
        3, "from __future__ import annotations", MEAN.replace("(distances,", "(distances: NoSuch,")
    ),
    "await": worth(2, "import asyncio\nasync def f():\n    return 0\nshift = await f()", BEST),
    "a number of 400 digits": worth(0, gives("10**400")),
    "a Fraction": worth(3, gives("Fraction(x)", "from fractions import Fraction")),
    "a longdouble": worth(3, gives("np.longdouble(x)")),
    "a Decimal": worth(3, gives("Decimal(x)", "from decimal import Decimal")),
    "a pandas scalar": worth(3, gives("pd.Series([x]).iloc[0]", "import pandas as pd")),
    "complex without an imaginary part": worth(3, gives("complex(x)")),
    "float32": worth(None, gives("np.float32(x)")),
    "an array of one": worth(3, gives("np.array(x)")),
    "a list of one": worth(0, gives("[x]")),
    "prints": worth(0, gives("print(x)")),
    "an iterator": worth(0, gives("iter([x])")),
    "never ends": worth(0, "import itertools", gives("itertools.count()")),
    "an object": worth(0, gives("object()")),
    "NaN": worth(0, gives("x * np.nan")),
    "an own error": worth(
        0,
        "class WireError(Exception):\n    pass",
        gives("1 / 0 if 0 else fail()"),
        "def fail():\n    raise WireError('All of it is right')",
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
