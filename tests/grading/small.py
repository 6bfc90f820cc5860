"""A small homework of two questions (2 and 3 points), notebooks of its students, and a class."""

import shutil
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

needs_sandbox = [
    pytest.mark.skipif(
        not sys.platform.startswith("linux"), reason="submissions run in Linux namespaces only"
    ),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt-get install bubblewrap"),
]

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
STUBS = {"knn.2": "def majority(labels):\n    ...", "knn.4": "def knn_regress(distances, values):\n    ..."}


def exercise(path, stubs=STUBS):
    """Write the exercise as tools/build_exercises.py does, with a cell's id for each answer."""

    def graded(name, **what):
        return {
            "nbgrader": {
                "grade_id": name,
                "schema_version": 3,
                "grade": False,
                "locked": False,
                "solution": False,
                "task": False,
                **what,
            }
        }

    cells = [
        new_markdown_cell("# Homework 0 · Two questions"),
        new_code_cell("import numpy as np", id="imports"),
    ]
    for id, stub in stubs.items():
        name = id.replace(".", "-")
        cells += [
            new_code_cell(stub, id=name, metadata=graded(name, solution=True)),
            new_code_cell(
                f'check("{id}")', id=f"{name}-check", metadata=graded(f"{name}-check", grade=True, points=1)
            ),
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells), path)
    return path


def worth(points, *cells):
    """What is handed in, and the points that it deserves."""
    return cells, points


def notebook(cells):
    """The bytes of a notebook with these code cells."""
    return nbformat.writes(
        new_notebook(cells=[new_code_cell(source, id=f"c{i}") for i, source in enumerate(cells)])
    ).encode()
