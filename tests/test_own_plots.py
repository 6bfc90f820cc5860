"""What a learner plots is shown, before and after the course's own figures; what a slider draws, too."""

import os
import re

import nbformat
import pytest
from nbclient import NotebookClient

from tests.nested import verdicts

COURSE = (
    "from helpers.plotting import figure, show\nfig, ax = figure()\nax.plot([1, 2])\n"
    'show(fig, "A line from 1 to 2, drawn by the course.")'
)
OWN = {
    "plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2])",
    "subplots": "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2]);",
    "own style": "import matplotlib.pyplot as plt\nwith plt.style.context('ggplot'):\n    plt.plot([1, 2])",
    "pandas": "import pandas as pd\npd.Series([1, 2]).plot();",
}


def pictures(*sources):
    """How many pictures each cell shows."""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    NotebookClient(nb, timeout=120, kernel_name="python3").execute()
    return [sum("image/png" in out.get("data", {}) for out in cell.outputs) for cell in nb.cells]


def test_no_module_chooses_a_backend_on_import():
    """Every module that the tests import is imported by now; the kernels inherit what it set."""
    assert "MPLBACKEND" not in os.environ


@pytest.mark.parametrize("first", ["course", "own"])
def test_own_plots_show_before_and_after_a_course_figure(first):
    own = list(OWN.values())
    cells = [COURSE, *own, COURSE] if first == "course" else [own[0], COURSE, *own]
    assert pictures(*cells) == [1] * len(cells)


def test_two_figures_in_one_cell():
    assert pictures(COURSE, f"{OWN['plot']}\nplt.figure()\nplt.plot([2, 1])", f"{COURSE}\n{OWN['plot']}") == [
        1,
        2,
        2,
    ]


SLIDER = """from ipywidgets import IntSlider, interact
@interact(k=IntSlider(1, min=1, max=9))
def draw(k):
    {}"""
SLIDERS = {
    "draws": "figure()[1].plot([1, k])",
    "draws nothing": "show(*figure()[:0], 'x') if k > 9 else None",
    "the same at both ends": "figure()[1].plot([1, 2])",
    "fails": "figure()[1].plot([1, k]); 1 / (9 - k)",
}


def test_a_slider_that_shows_nothing_is_noticed(tmp_path):
    """Through pytest, as for the chapters: only the first of four sliders passes."""
    tags = {"tags": ["widget", "nbval-ignore-output"]}
    cells = [
        nbformat.v4.new_code_cell(COURSE),
        *(nbformat.v4.new_code_cell(SLIDER.format(body), metadata=tags) for body in SLIDERS.values()),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "sliders.ipynb")
    done = verdicts(tmp_path)
    assert re.findall(r"^(PASSED|FAILED) \S*Cell (\d)", done, re.M) == [
        ("PASSED", "0"),
        ("PASSED", "1"),
        ("FAILED", "2"),
        ("FAILED", "3"),
        ("FAILED", "4"),
    ], done
