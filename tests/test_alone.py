"""What stands open in a chapter runs by itself, from top to bottom in an empty kernel, and once more."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from tools import books, form

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def run_twice(nb, folder):
    """Run the open cells in one kernel, and all of them again; a meant error may stay one."""
    cells = [
        new_code_cell(cell.source, metadata={"tags": cell.metadata.get("tags", [])})
        for _ in range(2)
        for cell in nb.cells
        if cell.cell_type == "code" and not form.is_folded(cell)
    ]
    alone = new_notebook(cells=cells)
    NotebookClient(
        alone, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()


@pytest.mark.parametrize("stem", form.bars()["third"] + [path.stem for path in books.companions()])
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
