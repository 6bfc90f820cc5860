"""Hostile submissions, each with the points that it deserves: no trick gains one, and none costs another answer its own.

A small homework of two questions (2 and 3 points). `COUNT` and `MEAN` are right answers; a blank one is left out.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.grading.answers import Homework
from helpers.grading.one import Grader

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="submissions run in Linux namespaces only"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt-get install bubblewrap")]

COUNT = """
def majority(labels):
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]
"""
MEAN = """
def knn_regress(distances, values):
    exact = distances == 0
    if exact.any():
        return values[exact].mean()
    return (values / distances).sum() / (1 / distances).sum()
"""


def lies(method, body):
    return f"class Liar:\n    def {method}: {body}\ndef majority(labels):\n    return Liar()\ndef knn_regress(d, v):\n    return Liar()"


# name: (cells, points deserved)
ATTACKS = {
    # honest work, as a measure
    "nothing": (["# nothing"], 0),
    "all right": ([COUNT, MEAN], 5),
    "one right": ([COUNT], 2),
    # objects that lie
    "equal to everything": ([lies("__eq__(self, other)", "return True")], 0),
    "any shape": ([lies("__getattr__(self, name)", "return (3,)")], 0),
    "an array on demand": ([lies("__array__(self, *a, **k)", "return np.zeros(1)")], 0),
    "pretends to be a number": (["class N(float):\n    __eq__ = lambda s, o: True\n    __class__ = float\n"
                                 "majority = lambda labels: N(1)"], 0),
    "an array that compares as true": (["class A(np.ndarray):\n    __eq__ = lambda s, o: True\n"
                                        "majority = lambda labels: np.zeros(1).view(A)"], 0),
    "raises on every look": ([lies("__getattribute__(self, name)", "raise SystemExit")], 0),
    # patched comparators and judges, in the student's own process
    "numpy always agrees": (["np.allclose = np.array_equal = lambda *a, **k: True\nmajority = lambda labels: -99", MEAN], 3),
    "np.unique is broken for everybody": (["np.unique = None\nmajority = lambda labels: -99", MEAN], 3),
    "the encoder is patched": (["import sys\nsys.modules['wire'].encode = lambda v, depth=0: {'~': 'full marks'}"
                                "\nmajority = lambda labels: -99", MEAN], 0),
    "json is patched": (["import json\njson.dumps = lambda m: '{\"id\": 99, \"ok\": true, \"value\": 1}'\nmajority = lambda labels: -99"], 0),
    # forged replies
    "writes to every descriptor": (["import os, struct\nfor fd in range(3, 64):\n    try:\n        os.write(fd, struct.pack('<I', 2) + b'{}')\n"
                                    "    except OSError:\n        pass", COUNT], 2),
    "closes every descriptor": (["import os\nos.closerange(3, 200)", COUNT], 2),
    "a reply of 1 GB": (["majority = lambda labels: 'x' * 10**9", MEAN], 3),
    "an array of 1 GB": (["majority = lambda labels: np.zeros(125_000_000)", MEAN], 3),
    "a million levels": (["def majority(labels):\n    deep = []\n    for _ in range(10**6):\n        deep = [deep]\n    return deep", MEAN], 3),
    "a list that holds itself": (["def majority(labels):\n    a = []\n    a.append(a)\n    return a", MEAN], 3),
    "a pickle": (["import pickle\nmajority = lambda labels: pickle.dumps(labels)", MEAN], 3),
    "an object array": (["majority = lambda labels: np.array([object()])", MEAN], 3),
    "NaN everywhere": (["majority = lambda labels: float('nan')", MEAN], 3),
    # looking for the solution
    "walks the stack": (["import inspect\ndef majority(labels):\n    for frame in inspect.stack():\n"
                         "        if 'truth' in frame.frame.f_locals:\n            return frame.frame.f_locals['truth'](labels)\n    return 0"], 0),
    "searches memory": (["import gc\ndef majority(labels):\n    for o in gc.get_objects():\n"
                         "        if getattr(o, '__name__', '') == 'most_frequent':\n            return o(labels)\n    return 0"], 0),
    "imports the questions": (["from helpers.questions.knn import most_frequent as majority"], 0),
    "imports the solution's helper": (["def knn_regress(d, v):\n    from helpers.neighbors import KNeighborsRegressor\n    return KNeighborsRegressor()", COUNT], 2),
    "reads the course": (["import glob\nfound = glob.glob('/**/questions/knn.py', recursive=True)\n"
                          "majority = (lambda labels: exec(open(found[0]).read()))"], 0),
    "reads /proc": (["import os\nfound = [p for p in os.listdir('/proc') if p.isdigit()]\nassert len(found) > 1\nmajority = lambda labels: -99"], 0),
    "forbidden by another name": (["import sklearn.neighbors as n\ndef knn_regress(d, v):\n    return float(n.KNeighborsRegressor(1).fit([[0.]], [1.]).predict([[0.]])[0])", COUNT], 2),
    "forbidden by importlib": (["import importlib\ndef knn_regress(d, v):\n    m = importlib.import_module('sklearn.neighbors')\n    return m.KNeighborsRegressor", COUNT], 2),
    "forbidden by __import__ and exec": (["def knn_regress(d, v):\n    exec('global N; N = __import__(\"sklearn.neighbors\").neighbors')\n    return N.KNeighborsRegressor", COUNT], 2),
    # breaking things
    "an endless cell": (["while True:\n    pass", COUNT, MEAN], 5),
    "an endless answer": (["def majority(labels):\n    while True:\n        pass", MEAN], 3),
    "leaves in the middle": (["import os\ndef majority(labels):\n    os._exit(0)", MEAN], 3),
    "leaves by an exception": (["def majority(labels):\n    raise SystemExit", MEAN], 3),
    "kills itself": (["import os\ndef majority(labels):\n    os.kill(os.getpid(), 9)", MEAN], 3),
    "signals everybody": (["import os\nfor pid in range(1, 40):\n    try:\n        os.kill(pid, 19 if pid != os.getpid() else 0)\n    except OSError:\n        pass", COUNT], 2),
    "kills its process group": (["import os\ndef majority(labels):\n    os.kill(0, 9)", MEAN], 3),
    "stops its process group": (["import os\ndef majority(labels):\n    os.killpg(os.getpgrp(), 19)", MEAN], 3),
    "forks without end": (["import os\ndef majority(labels):\n    while True:\n        os.fork()", MEAN], 3),
    "eats all memory": (["def majority(labels):\n    hold = []\n    while True:\n        hold.append(np.ones(10**7))", MEAN], 3),
    "prints without end": (["print('x' * 10**8)\nimport sys\nsys.stderr.write('y' * 10**8)", COUNT, MEAN], 5),
    "recurses without end": (["def majority(labels):\n    return majority(labels)", MEAN], 3),
    "fills the disk": (["def majority(labels):\n    for i in range(10**4):\n        open(f'/tmp/{i}', 'wb').write(b'0' * 2**20)", MEAN], 3),
    # reaching out
    "opens a socket": (["import socket\ns = socket.create_connection(('127.0.0.1', 22), 1)\nmajority = lambda labels: -99", COUNT], 2),
    "reads a home": (["import os\ntry:\n    found = os.listdir('/ro' + 'ot') or os.listdir('/home/student')\nexcept OSError:\n    found = []\n"
                      "assert found\nmajority = lambda labels: -99"], 0),
    "writes outside": (["for place in ('/usr/x', '/venv/x', '/course/x', '/x', '/rt/x'):\n    try:\n        open(place, 'w').write('x')\n        majority = lambda labels: -99\n"
                        "    except OSError:\n        pass"], 0),
    "mounts": (["import ctypes\nassert ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0\nmajority = lambda labels: -99"], 0),
    "traces": (["import ctypes\nassert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0\nmajority = lambda labels: -99"], 0),
    "a new user namespace": (["import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0\nmajority = lambda labels: -99"], 0),
    "a daemon that outlives": (["import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)", COUNT], 2),
    # names and text
    "control characters and markup": (["def majority(labels):\n    raise ValueError('<script>alert(1)</script>\\x00\\x1b[31m')", MEAN], 3),
    "asks the user": (["name = input('who are you? ')", COUNT], 2),
    "magics and plots": (["%matplotlib inline\n%time x = 3\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n!ls\ndisplay(1)", COUNT], 2),
    "a syntax error": (["def majority(:", MEAN], 3),
}


@pytest.fixture(scope="module")
def homework(tmp_path_factory):
    """An exercise of two questions, as tools/build_exercises.py writes it."""
    def graded(name, **what):
        return {"nbgrader": {"grade_id": name, "schema_version": 3, "grade": False, "locked": False, "solution": False, "task": False, **what}}
    cells = [new_markdown_cell("# Homework 0 · Two questions"), new_code_cell("import numpy as np")]
    for id, stub in (("knn.2", "def majority(labels):\n    ..."), ("knn.4", "def knn_regress(distances, values):\n    ...")):
        name = id.replace(".", "-")
        cells += [new_code_cell(stub, metadata=graded(name, solution=True)),
                  new_code_cell(f'check("{id}")', metadata=graded(f"{name}-check", grade=True, points=1))]
    path = tmp_path_factory.mktemp("exercise") / "00-two.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return Homework(path)


@pytest.fixture(scope="module")
def grader(homework):
    one = Grader(homework, "a salt of the tests", cell_seconds=4.0, call_seconds=3.0, limits={"memory": 2**30, "total_memory": 2**30})
    yield one
    one.close()


def notebook(cells):
    return nbformat.writes(new_notebook(cells=[new_code_cell(source, id=f"c{i}") for i, source in enumerate(cells)])).encode()


def state():
    """What a submission may not change: files beside the course, and the processes of this machine."""
    root = Path(__file__).resolve().parents[2]
    files = {str(p): p.stat().st_mtime_ns for folder in ("helpers", "exercises", "solutions") for p in (root / folder).rglob("*") if p.suffix in (".py", ".ipynb")}
    return files


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_what_it_deserves(grader, name):
    cells, points = ATTACKS[name]
    before = state()
    result = grader.grade("mallory", notebook(cells))
    assert (result["status"], result["points"]) == ("graded", points), json.dumps(result["questions"], indent=1)
    assert state() == before
    told = json.dumps(result, ensure_ascii=False)
    assert "\x00" not in told and "\x1b" not in told and str(Path.home()) not in told


def test_there_are_enough():
    assert len(ATTACKS) >= 40


def test_the_next_submission_is_graded_as_if_nothing_had_happened(grader):
    first = grader.grade("ann", notebook([COUNT, MEAN]))
    for name in ("leaves in the middle", "closes every descriptor", "json is patched"):
        grader.grade("mallory", notebook(ATTACKS[name][0]))
    assert grader.grade("ann", notebook([COUNT, MEAN])) == first and first["points"] == 5


def test_no_process_is_left(grader):
    grader.grade("mallory", notebook(ATTACKS["a daemon that outlives"][0]))
    grader.close()
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "/rt/server.py" not in left or os.environ.get("PYTEST_XDIST_WORKER")


def test_points_hang_on_the_salt_and_the_student_alone(homework):
    """An answer that knows the public inputs by heart fails on the drawn ones."""
    by_heart = ["from helpers.grading import case\npublic = [list(case('knn.2', i)) for i in range(2)]", COUNT.replace("majority", "honest"),
                "def majority(labels):\n    return honest(labels) if list(labels) in public else -99"]
    one = Grader(homework, "salt", cell_seconds=4.0, call_seconds=3.0)
    try:
        assert one.grade("bob", notebook(by_heart))["points"] == 0
        assert one.grade("bob", notebook([COUNT])) == one.grade("bob", notebook([COUNT]))
    finally:
        one.close()
