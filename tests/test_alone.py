"""What stands open in a chapter runs by itself, from top to bottom in an empty kernel, and once more."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from tests import again
from tools import form

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def run_twice(nb, folder):
    """Run the open cells in one kernel, and again what could do something else; a meant error may stay one.

    Returns the numbers of the cells that were run again.
    """
    cells = [
        new_code_cell(cell.source, metadata={"tags": cell.metadata.get("tags", [])})
        for cell in nb.cells
        if cell.cell_type == "code" and not form.is_folded(cell)
    ]
    sources = [cell.source for cell in cells]
    place = new_notebook(cells=[new_code_cell()])  # whatever runs is put there
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(place, timeout=300, kernel_name="python3", resources=resources)

    def run(cell):
        return client.execute_cell(cell, 0)

    def ask(code):
        told = run(new_code_cell(code)).outputs
        return json.loads(told[0].text) if told else None

    with client.setup_kernel():
        ask(again.MARK)
        for cell in cells:
            run(cell)
            bound, _ = again.bound_and_read(cell.source) or (set(), set())
            ask(f"_mark({sorted(bound)})")
        repeated = again.moved_cells(sources, ask("import json as _json; print(_json.dumps(_changed()))"))
        for i in repeated:
            run(cells[i])
    return repeated


@pytest.mark.parametrize("stem", form.held())
def test_the_open_cells_run_alone_and_twice(stem):
    run_twice(nbformat.read(NOTEBOOKS / f"{stem}.ipynb", as_version=4), NOTEBOOKS)


FOLDED = {"jupyter": {"source_hidden": True}}


@pytest.mark.parametrize(
    ("cells", "runs"),
    [
        ([new_code_cell("x = 1"), new_code_cell("x")], True),
        ([new_code_cell("x = 1", metadata=FOLDED), new_code_cell("x")], False),
        ([new_code_cell("X = [1]"), new_code_cell("X = X[0]")], True),
        (
            [new_code_cell("import math"), new_code_cell("math = math.sqrt(4)"), new_code_cell("del math")],
            True,
        ),
        ([new_code_cell("x = {}\nx"), new_code_cell("x.pop(1) if x else x.update({1: 2})")], True),
        ([new_code_cell("first = 'first' not in globals()\nassert first")], False),
    ],
    ids=["alone", "needs a fold", "twice", "made anew", "changes", "not twice"],
)
def test_a_chapter_that_does_not_run_alone_is_noticed(tmp_path, cells, runs):
    if runs:
        run_twice(new_notebook(cells=cells), tmp_path)
    else:
        with pytest.raises(CellExecutionError):
            run_twice(new_notebook(cells=cells), tmp_path)


AGAIN = {
    ("x = 1", "y = x", "print(y)"): [],
    ("x = 1", "y = x", "x = 2", "x"): [0, 1, 2, 3],
    ("X = [1]", "def f(X):\n    return X", "X.append(2)", "f(X)"): [0, 2, 3],  # the function has its own X
    ("for i in range(3):\n    print(i)", "[i for i in range(3)]", "i = 0", "print(i)"): [0, 2, 3],
    ("y = x", "x = 1"): [0, 1],
    ("%time", "x = 1"): [0, 1],
    ("open('new', 'x')",): [0],
}


def test_again_runs_what_could_do_something_else():
    changed = [["X"] if "X.append(2)" in sources else [] for sources in AGAIN]
    found = {
        sources: again.moved_cells(sources, names) for sources, names in zip(AGAIN, changed, strict=True)
    }
    assert found == AGAIN


def test_what_a_later_cell_changes_is_told_by_the_kernel(tmp_path):
    cells = [new_code_cell(source) for source in ("X = [1]\nkept = [1]", "Z = X + kept", "X.append(2)")]
    assert run_twice(new_notebook(cells=cells), tmp_path) == [0, 1, 2]
    assert run_twice(new_notebook(cells=cells[:2]), tmp_path) == []
