"""A class of 50 and what each of them deserves: six questions of homework 1, answered by hand.

Perfect in several styles, partly wrong by mistakes that have a name, broken files, and some that cheat.
"""

import json
import random

from tools.books import ROOT

HOMEWORK = "01-homework"
ASKED = {"knn.1": 2, "knn.2": 2, "knn.3": 4, "knn.4": 3, "knn.5": 1, "knn.7": 3}
OF = sum(ASKED.values())

RIGHT = {
    "knn.1": "answers_1 = [20, 22, 1.5, 1]",
    "knn.2": "def majority(labels):\n"
    "    values, counts = np.unique(labels, return_counts=True)\n"
    "    return values[counts.argmax()]",
    "knn.3": "def knn_predict(X, y, Q, k):\n"
    "    X, Q = X.astype(float), Q.astype(float)\n"
    "    D = ((Q[:, None] - X) ** 2).sum(axis=2)\n"
    "    return [np.bincount(y[row]).argmax() for row in np.argsort(D, axis=1, kind='stable')[:, :k]]",
    "knn.4": "def knn_regress(d, y):\n"
    "    if (d == 0).any():\n"
    "        return y[d == 0].mean()\n"
    "    return np.average(y, weights=1 / d)",
    "knn.5": "predicted_accuracy = 0.0",
    "knn.7": "def accuracy(labels, truth):\n"
    "    return np.mean([np.bincount(row).argmax() == t for row, t in zip(labels, truth)])",
}
# question: wrong answers, the points that they are worth all the same, and the name of the mistake
WRONG = {
    "knn.1": [
        ("answers_1 = [32, 25.714, 1.5, 1.4167]", 0.5, "all five points vote"),
        ("answers_1 = [20, 20, 1.5, 1]", 1.5, "every neighbour weighs the same in the second answer"),
    ],
    "knn.2": [
        (
            "def majority(labels):\n    return np.unique(labels, return_counts=True)[1].argmax()",
            0,
            "the place of the largest count is returned",
        )
    ],
    "knn.3": [
        (
            "def knn_predict(X, y, Q, k):\n    D = ((Q[:, None] - X) ** 2).sum(axis=2)\n"
            "    return [np.bincount(y[row]).argmax() for row in np.argsort(D, axis=1, "
            "kind='stable')[:, :k]]",
            3,
            "unsigned bytes wrap round below 0",
        ),
        (
            "def knn_predict(X, y, Q, k):\n"
            "    X, Q, out = X.astype(float), Q.astype(float), []\n"
            "    for q in Q:\n"
            "        near = list(y[np.argsort(((X - q) ** 2).sum(axis=1), kind='stable')[:k]])\n"
            "        out.append(max(near, key=near.count))\n    return out",
            3,
            "ties go to the nearest label",
        ),
    ],
    "knn.4": [
        ("def knn_regress(d, y):\n    return y.mean()", 0, "all neighbours weigh the same"),
        (
            "def knn_regress(d, y):\n    return (y / (d + 1)).sum() / (1 / (d + 1)).sum()",
            0,
            "the exact match is outvoted",
        ),
    ],
    "knn.5": [("predicted_accuracy = 0.5", 0, "a coin"), ("predicted_accuracy = 1", 0, "always right")],
    "knn.7": [
        (
            "def accuracy(labels, truth):\n    right = 0\n    for row, t in zip(labels, truth):\n"
            "        values, counts = np.unique(row, return_counts=True)\n"
            "        right += t in values[counts == counts.max()]\n"
            "    return right / len(truth)",
            0,
            "a tie counts as correct",
        )
    ],
}
# in place of the answer to knn.4, which then earns nothing
HOSTILE = {
    "leaves": "import os\ndef knn_regress(d, y):\n    os._exit(0)",
    "kills": "import os, signal\n"
    "for pid in (os.getppid(), 1, os.getpid()):\n"
    "    try:\n"
    "        os.kill(pid, signal.SIGKILL)\n"
    "    except OSError:\n"
    "        pass\n",
    "agrees": "class Yes:\n"
    "    __eq__ = __le__ = __lt__ = lambda self, other: True\n"
    "def knn_regress(d, y):\n"
    "    return Yes()",
    "patches": "np.allclose = np.isclose = np.array_equal = lambda *a, **k: True\n"
    "def knn_regress(d, y):\n"
    "    return -1.0",
    "floods": "print('x' * 10**7)\ndef knn_regress(d, y):\n    return np.zeros(10**9)",
    "markup": "def knn_regress(d, y):\n"
    "    raise ValueError('<script>alert(1)</script><img src=x onerror=alert(2)>')",
    "reads": "import glob\n"
    "found = glob.glob('/course/**/questions/knn.py', recursive=True)[0]\n"
    "def knn_regress(d, y):\n"
    "    return eval(open(found).read())",
    "forbidden": "from sklearn.neighbors import KNeighborsRegressor\ndef knn_regress(d, y):\n"
    "    return KNeighborsRegressor(len(d), weights='distance').fit(d[:, None], y).predict([[0.]])[0]",
}


def exercise(path):
    """The exercise of homework 1 with these questions only."""
    whole = json.loads((ROOT / "exercises" / f"{HOMEWORK}.ipynb").read_text(encoding="utf-8"))
    names = {id.replace(".", "-") for id in ASKED}
    whole["cells"] = [
        cell
        for i, cell in enumerate(whole["cells"])
        if i < 2 or grade_id(cell).removesuffix("-check") in names
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def grade_id(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def handed_in(released, answers, more=()):
    """The released notebook with answers in it, and cells of the student's own before them."""
    whole = json.loads(json.dumps(released))
    for cell in whole["cells"]:
        cell["source"] = answers.get(grade_id(cell).replace("-", "."), "".join(cell["source"]))
    whole["cells"][2:2] = [
        {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
        for source in more
    ]
    return whole


def as_bytes(notebook):
    return json.dumps(notebook).encode()


def class_of_50(released):
    """{student: (bytes of the notebook, points, status, names of mistakes)}"""
    made = {}
    for kind, students in (
        ("perfect", perfect),
        ("partly", partly),
        ("broken", broken),
        ("hostile", hostile),
    ):
        for i, (data, points, status, mistakes) in enumerate(students(released), start=1):
            made[f"{kind}-{i:02d}"] = (data, points, status, mistakes)
    return made


def perfect(released):
    """The same answers as eleven editors and habits leave them; the common ones several times."""
    plain = handed_in(released, RIGHT)
    lost = {
        "cells": [
            {"cell_type": c["cell_type"], "source": c["source"], "metadata": {"id": f"colab{i}"}}
            for i, c in enumerate(plain["cells"])
        ]
    }
    backwards = {**plain, "cells": plain["cells"][:2] + plain["cells"][:1:-1]}
    twice = {**plain, "cells": plain["cells"] + plain["cells"][2:]}
    retyped = {
        **plain,
        "cells": [
            {**c, "cell_type": "raw" if grade_id(c) == "knn-5" else c["cell_type"]} for c in plain["cells"]
        ],
    }
    noisy = [
        "%matplotlib inline\n%time x = 1\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
        "name = input('who?')\nimport pandas as pd\ndisplay(pd.DataFrame({'a': [1]}))\n!ls",
        "print('long ' * 10**6)",
        "1 / 0",
    ]
    for notebook in (
        plain,
        plain,
        plain,
        plain,
        plain,
        lost,
        lost,
        backwards,
        twice,
        twice,
        retyped,
        handed_in(released, RIGHT, noisy),
        handed_in(released, {id: source.splitlines(keepends=True) for id, source in RIGHT.items()}),
    ):
        yield as_bytes(notebook), OF, "graded", []


def partly(released):
    """Every mistake alone, then in pairs, then with answers left out."""
    alone = [[(id, wrong)] for id, many in WRONG.items() for wrong in many]
    pairs = [a + b for a, b in zip(alone, alone[3:]) if a[0][0] != b[0][0]]
    for made in alone + pairs:
        answers = RIGHT | {id: source for id, (source, _, _) in made}
        lost = sum(ASKED[id] - points for id, (_, points, _) in made)
        yield as_bytes(handed_in(released, answers)), OF - lost, "graded", [name for _, (_, _, name) in made]
    for missing in (
        ["knn.4"],
        ["knn.4", "knn.7"],
        ["knn.1", "knn.5", "knn.7"],
        ["knn.3", "knn.4", "knn.5", "knn.7"],
        list(ASKED),
    ):
        answers = {id: source for id, source in RIGHT.items() if id not in missing}
        repaired = (
            [] if "knn.7" in answers else ["a tie counts as correct"]
        )  # the function that was to be repaired
        yield as_bytes(handed_in(released, answers)), sum(ASKED[id] for id in answers), "graded", repaired


def broken(released):
    whole = as_bytes(handed_in(released, RIGHT))
    for data in (
        b"",
        whole[: len(whole) // 2],
        random.Random(1).randbytes(2000),
        b"%PDF-1.7 my homework",
        b'{"cells": []}',
    ):
        yield data, 0, "needs a human", []
    yield (
        as_bytes(handed_in(released, RIGHT | {"knn.4": "def knn_regress(d, y:\n    return 0"})),
        OF - 3,
        "graded",
        [],
    )
    yield (
        as_bytes(handed_in(released, RIGHT | {"knn.4": "def knn_regress(d, y):\n    return undefined"})),
        OF - 3,
        "graded",
        [],
    )


def hostile(released):
    for source in HOSTILE.values():
        yield as_bytes(handed_in(released, RIGHT | {"knn.4": source})), OF - 3, "graded", []
