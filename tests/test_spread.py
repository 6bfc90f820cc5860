"""What one of several processes takes at a time, and which is begun first."""

from collections import OrderedDict
from types import SimpleNamespace

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.spread import ORDER, WAITING, ByFileAndQuestion, place, unit
from tools.books import ROOT

TRIALS = "tests/homework/test_questions.py"


@pytest.mark.parametrize(
    ("nodeid", "taken_with"),
    [
        ("notebooks/02-pca.ipynb::Cell 7", "notebooks/02-pca.ipynb"),
        ("tests/test_course.py::test_start", "tests/test_course.py"),
        (f"{TRIALS}::test_every_question[pca.6]", "pca.6"),
        (f"{TRIALS}::test_every_question[pca.16]", "pca.16"),
        (f"{TRIALS}::test_every_homework", TRIALS),
        ("notebooks/02-pca.ipynb::Open cells, alone and once more", "notebooks/02-pca.ipynb"),
    ],
)
def test_cells_stay_together_and_so_do_the_trials_of_a_question(nodeid, taken_with):
    assert unit(nodeid) == taken_with


def test_long_units_are_begun_before_short_ones():
    names = [
        "tests/test_words.py::test_one",
        "notebooks/14-glossary.ipynb::Cell 0",
        "notebooks/10-sparse-coding-and-ksvd.ipynb::Cell 0",
        "tests/site/test_site.py::test_one",
        "tests/attacks/test_attacks.py::test_one",
        "tests/site/test_pdf.py::test_one",
    ]
    assert [names.index(name) for name in sorted(names, key=place)] == [4, 3, 2, 1, 5, 0]


def test_what_is_named_is_there():
    names = [name for name in (*ORDER, *WAITING) if "/" in name]
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_no_unit_is_parted_by_the_order():
    """Tests of a unit follow one another, so that what they share is made once."""
    names = [f"tests/a.py::test_{i}" for i in range(3)] + ["tests/b.py::test_0", "solutions/a.ipynb::Cell 0"]
    assert sorted(reversed(names), key=place)[1:] == [*reversed(names)][1:]


@pytest.mark.parametrize(
    ("processes", "taken"),
    [
        (2, {"gw0": ["waits", "a", "c"], "gw1": ["waits too", "b", "d"]}),
        (3, {"gw0": ["a", "c"], "gw1": ["b", "d"], "gw2": ["waits", "waits too"]}),
        (4, {"gw0": ["a", "d"], "gw1": ["b", "waits too"], "gw2": ["c"], "gw3": ["waits"]}),
    ],
)
def test_the_last_of_three_takes_what_waits(monkeypatch, processes, taken):
    """Dealt by turns; in the end everybody takes what there is."""
    monkeypatch.setattr("tests.spread.WAITING", ("waits", "waits too"))
    monkeypatch.setattr(
        LoadFileScheduling, "_assign_work_unit", lambda self, node: node.takes(self.workqueue)
    )
    one = ByFileAndQuestion.__new__(ByFileAndQuestion)
    one.numnodes = processes
    one.workqueue = OrderedDict.fromkeys(["waits", "waits too", "a", "b", "c", "d"])
    dealt = {f"gw{i}": [] for i in range(processes)}
    nodes = [
        SimpleNamespace(
            gateway=SimpleNamespace(id=id),
            takes=lambda queue, id=id: dealt[id].append(queue.popitem(last=False)[0]),
        )
        for id in dealt
    ]
    while one.workqueue:
        for node in nodes:
            if one.workqueue:
                one._assign_work_unit(node)
    assert dealt == taken
