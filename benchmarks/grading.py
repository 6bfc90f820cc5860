"""How fast a class is graded: a synthetic class of one homework. Perfect, partly wrong by declared mistakes, broken, hostile.

    python benchmarks/grading.py --n 1000 --workers 2
"""
import argparse
import csv
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np                                                      # noqa: E402

from helpers.cli import main as course                                  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
HOSTILE = ["import os\nos._exit(0)", "import os\nos.kill(os.getpid(), 9)", "raise SystemExit", "print('x' * 10**7)",
           "import numpy\nnumpy.allclose = lambda *a, **k: True", "x = [[]]\nwhile len(x) < 10**6:\n    x.append(x)"]


def submissions(folder, homework, count, rng):
    """Writes the class; the shares are those of a class that works: half of it is right, a tenth does not play fair."""
    whole = json.loads((ROOT / "solutions" / f"{homework}.ipynb").read_text(encoding="utf-8"))
    for i in range(count):
        kind = rng.choices(("perfect", "partly", "broken", "hostile"), (50, 30, 10, 10))[0]
        path = folder / f"s{i:04d}-{kind}" / f"{homework}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(KINDS[kind](json.loads(json.dumps(whole)), rng))


def answers(notebook):
    return [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]


def perfect(notebook, rng):
    return json.dumps(notebook).encode()


def partly(notebook, rng):
    """A third of the answers are missing, or hold a small slip."""
    for cell in rng.sample(answers(notebook), k=max(1, len(answers(notebook)) // 3)):
        text = "".join(cell["source"])
        cell["source"] = text.replace("mean", "median").replace("argmax", "argmin") if rng.random() < 0.7 else ""
    return json.dumps(notebook).encode()


def broken(notebook, rng):
    data = json.dumps(notebook).encode()
    return data[:rng.randrange(len(data))] if rng.random() < 0.5 else json.dumps({"cells": answers(notebook)[:2]}).encode()


def hostile(notebook, rng):
    cell = rng.choice(answers(notebook))
    cell["source"] = rng.choice(HOSTILE)
    return json.dumps(notebook).encode()


KINDS = {"perfect": perfect, "partly": partly, "broken": broken, "hostile": hostile}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--homework", default="01-knn-and-the-curse-of-dimensionality")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place, grades = Path(folder, "submissions"), Path(folder, "grades")
        submissions(place, options.homework, options.n, random.Random(0))
        began = time.perf_counter()
        if course(["grade", str(ROOT / "exercises" / f"{options.homework}.ipynb"), str(place), "-o", str(grades), "-j", str(options.workers)]):
            sys.exit("the class was not graded")
        report(grades, options, time.perf_counter() - began)


def report(grades, options, seconds):
    of = defaultdict(float)
    with open(grades / "times.csv", encoding="utf-8", newline="") as file:
        for name, _, taken in csv.reader(file):
            of[name] += float(taken)
    median, late = np.quantile(list(of.values()), [0.5, 0.95])
    results = [json.loads(path.read_text(encoding="utf-8")) for path in (grades / "results").glob("*.json")]
    share = {kind: np.mean([r["points"] / r["of"] for r in results if r["student"].endswith(kind)] or [np.nan]) for kind in KINDS}
    print(f"{options.n} submissions of {options.homework}, {options.workers} workers on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: "
          f"{seconds:.0f} s, {options.n / seconds:.1f} a second")
    print(f"one submission: median {median:.2f} s, 95th percentile {late:.2f} s")
    print(f"memory of the largest process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    print("points reached: " + ", ".join(f"{kind} {100 * value:.0f} %" for kind, value in share.items()))


if __name__ == "__main__":
    main()
