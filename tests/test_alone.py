"""What stands open in a chapter runs by itself and once more: would a chapter that does not be noticed?"""

import builtins
import re
import sys

import matplotlib
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_notebook, writes
from traitlets.config import Config

from tests import again, alone, open_cells
from tests.alone import Alone, Cell
from tests.nested import verdicts
from tools import form


def fold(source):
    return Cell(source, folded=True)


def watched(*cells):
    """The problems of cells that a shell runs in their order, and the numbers of those that ran again."""
    cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    watch = Alone(shell, cells)
    raised = [shell.run_cell(cell.source, store_history=False).error_in_exec for cell in cells]
    problems = [repr(error) for error, cell in zip(raised, cells, strict=True) if error and not cell.may_fail]
    return problems + watch.once_more(), watch.repeated


@pytest.fixture(autouse=True)
def nothing_of_a_shell_stays(monkeypatch):
    """It takes the place of names of Python's own, and what its cells set is everybody's."""
    for place, name in ((sys, "displayhook"), (sys, "excepthook"), (builtins, "display")):
        monkeypatch.setattr(place, name, getattr(place, name, None), raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    InteractiveShell.clear_instance()
    with matplotlib.rc_context():
        yield
    InteractiveShell.clear_instance()


ALONE = {
    "alone": ["x = 1", "x"],
    "a fold between": ["x = 1", fold("y = x + 1"), "x + 1", fold("assert y == x + 1")],
    "a fold's own function": [
        fold("def f():\n    return k"),
        fold("k = 2"),
        "k = 3",
        fold("assert f() == 3"),
    ],
    "bound by both, and the same": ["x = [1]", fold("x = list([1])"), "x"],
    "bound by both, and not read": ["x = 1", fold("x = 2"), "x = 3", "x", fold("assert x == 3")],
    "the last one counts": ["x = 1", fold("x = 2"), fold("assert x == 2"), "x = 1", fold("assert x == 1")],
    "twice": ["X = [1]", "X = X[0]"],
    "made anew": ["import math", "math = math.sqrt(4)", "del math"],
    "changes": ["x = {}\nx", "x.pop(1) if x else x.update({1: 2})"],
    "read when it is called": [
        "x = 1",
        fold("x = 2"),
        "def f():\n    return x\nfor x in range(3):\n    f()",
    ],
    "meant": [Cell("unknown", may_fail=True), "x = 1"],
    "fitted again": [
        "from sklearn.dummy import DummyClassifier\nmodel = DummyClassifier()\nboth = {'a': [model]}",
        fold("model.fit([[1]], [2])"),
        "model.fit([[1]], [3])",
        fold("model.fit([[1]], [4])"),
        "model.strategy, both",
    ],
    "sorted inside": [
        "from scipy.sparse import csr_array\nX = csr_array(([1, 2], [1, 0], [0, 2]), shape=(1, 2))",
        fold("X.sort_indices()\nassert X.has_canonical_format"),
        "X.sum()",
    ],
    "a seed of the folds": [
        "import random",
        fold("random.seed(1)"),
        "assert random.getstate() != random.Random(1).getstate()",
        fold("assert random.random() == random.Random(1).random()"),
    ],
    "a seed of all": [
        "import numpy as np",
        fold("np.random.seed(1)"),
        "np.random.seed(2)",
        fold("assert np.random.rand() == np.random.RandomState(2).rand()"),
    ],
}
NOT_ALONE = {
    "needs a fold": ([fold("x = 1"), "x"], "NameError"),
    "looks for a fold": ([fold("x = 1"), "assert 'x' in globals()"], "AssertionError"),
    "bound anew": (["x = 1", fold("x = 2"), "x"], "x: a folded cell binds it anew"),
    "changed": (["x = [1]", fold("x.append(2)"), "x"], "x: a folded cell changes it"),
    "an entry": (
        ["from scipy.sparse import csr_array\nX = csr_array([[1, 2]])", fold("X.data[0] = 3"), "X"],
        "X: a folded cell changes it",
    ),
    "set anew": (
        [
            "from sklearn.dummy import DummyClassifier\nmodel = DummyClassifier()",
            fold("model.strategy = 1"),
            "model",
        ],
        "model: a folded cell changes it",
    ),
    "deleted": (["x = 1", fold("del x"), "y = 1", "x"], "x: a folded cell deletes it"),
    "a setting": (
        ["import matplotlib", fold("matplotlib.rcParams['lines.linewidth'] = 9"), "1"],
        "Matplotlib's settings",
    ),
    "not twice": (["first = 'first' not in globals()\nassert first"], "run again: AssertionError"),
    "both": (["x = 1", fold("x = 1")], "stands open and folded: 'x = 1'"),
}


def test_a_chapter_that_runs_alone_has_no_problem():
    assert {name: watched(*cells)[0] for name, cells in ALONE.items()} == {name: [] for name in ALONE}


def test_a_chapter_that_does_not_run_alone_is_noticed(monkeypatch):
    monkeypatch.setattr(alone, "DRAWS", ("matplotlib",))
    for name, (cells, says) in NOT_ALONE.items():
        assert says in "\n".join(watched(*cells)[0]), name


AGAIN = {
    ("x = 1", "y = x", "print(y)"): [],
    ("x = 1", "y = x", "x = 2", "x"): [0, 1, 2, 3],
    ("X = [1]", "def f(X):\n    return X", "X.append(2)", "f(X)"): [0, 2, 3],  # the function has its own X
    ("for i in range(3):\n    print(i)", "[i for i in range(3)]", "i = 0", "print(i)"): [0, 2, 3],
    ("y = x", "x = 1"): [0, 1],
    ("%time", "x = 1"): [0, 1],
    ("open('new', 'x')",): [0],
    ("import a", "a.b", "import a", "from c import a"): [0, 1, 2, 3],
    ("import a as b\nimport b.c", "b", "import a as b\nimport b.c", "from d import e"): [0, 1, 2],
    ("import a.b\nfrom c import d", "a + d", "import a.b\nfrom c import d"): [],
    ("from c import d", "d", "from c import d\nd = 1"): [0, 1, 2],
}


def test_again_runs_what_could_do_something_else():
    changed = [["X"] if "X.append(2)" in sources else [] for sources in AGAIN]
    found = {
        sources: again.moved_cells(sources, names) for sources, names in zip(AGAIN, changed, strict=True)
    }
    assert found == AGAIN


def test_what_a_later_cell_changes_is_told_by_the_kernel():
    cells = ["X = [1]\nkept = [1]", "Z = X + kept", "X.append(2)"]
    assert watched(*cells) == ([], [0, 1, 2])
    assert watched(*cells[:2]) == ([], [])


def test_chapters_and_companions_are_watched_in_the_kernel_that_runs_them(tmp_path):
    """The first two that are held to it, as toys: one is in order, one needs a fold and runs only once."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    hidden = {"jupyter": {"source_hidden": True}}
    for stem, last in zip(form.held(), ("assert 'y' not in globals()", "del x\ny"), strict=False):
        cells = [new_code_cell("x = 1"), new_code_cell("y = 2", metadata=hidden), new_code_cell(last)]
        for number, cell in enumerate(cells, 1):
            cell.execution_count = number
        (folder / f"{stem}.ipynb").write_text(writes(new_notebook(cells=cells)), encoding="utf-8")
    said = verdicts(folder)
    told = re.findall(r"^(PASSED|FAILED) \S*?([\w-]+)\.ipynb::([\w ,]+\w)", said, re.M)
    wanted = [
        (stem, name) for stem in form.held()[:2] for name in ("Cell 0", "Cell 1", "Cell 2", open_cells.NAME)
    ]
    fail = {wanted[6], wanted[7]}
    assert sorted(told) == sorted(("FAILED" if one in fail else "PASSED", *one) for one in wanted), said
    assert "run again: NameError" in said
