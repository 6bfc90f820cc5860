"""kill -9 at random moments: the grader, a worker, a sandbox, or all; then the same command goes on.

uv run python tests/grading/kills.py --kills 20

The class of `test_grade.py` is graded once undisturbed, then again and again with kills in it. Each time the
gradebook and all results must be the same bytes, and nothing may be noted as changed.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def results(output):
    names = [*sorted((output / "results").glob("*.json")), output / "gradebook.csv", output / "class.json"]
    return {path.name: path.read_bytes() for path in names}


def family(pid):
    """[its children, their children …]: workers, what starts a sandbox, what runs in it."""
    floors, floor = [], [pid]
    while floor:
        below = []
        for one in floor:
            try:
                for task in Path(f"/proc/{one}/task").iterdir():
                    below += map(int, (task / "children").read_text(encoding="ascii").split())
            except OSError:  # it ended meanwhile
                continue
        floors, floor = [*floors, floor], below
    return floors


def kill_one(run, rng):
    """Which of them was killed: so deep below the grader, or "all"."""
    floors = family(run.pid)
    depth = rng.choice([0, 0, 1, 2, 3, "all"])
    chosen = (
        [pid for floor in floors for pid in floor] if depth == "all" else floors[min(depth, len(floors) - 1)]
    )
    for pid in chosen if depth == "all" else [rng.choice(chosen)]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return (
        "all"
        if depth == "all"
        else ("grader", "worker", "bubblewrap", "sandbox")[min(depth, len(floors) - 1)]
    )


def graded_with_kills(start, output, rng, kills, longest):
    """Grade until all is done, with up to so many kills on the way; what was killed.

    start : a function of the folder of grades, which starts the command and gives its process
    longest : seconds between the start of the command, or the last kill, and the next kill
    """
    killed = []
    while True:
        with start(output) as run:
            while run.poll() is None and len(killed) < kills:
                try:
                    run.wait(rng.uniform(0, longest))
                except subprocess.TimeoutExpired:
                    killed.append(kill_one(run, rng))
            if run.wait() == 0:
                return killed


def same_after_kills(start, folder, rng, kills, longest):
    """Counter of what was killed; an AssertionError where a grade is lost, doubled or changed."""
    with start(folder / "whole") as run:
        assert run.wait() == 0, "the class was not graded even undisturbed"
    wanted, killed, rounds = results(folder / "whole"), [], 0
    while len(killed) < kills:
        output = folder / f"round{rounds}"
        killed += graded_with_kills(start, output, rng, kills - len(killed), longest)
        assert results(output) == wanted, f"other grades in round {rounds}, after {killed}"
        assert not (output / "changes.jsonl").exists()
        rounds += 1
    return Counter(killed), rounds


def main():
    from tests.grading.small import exercise
    from tests.grading.test_grade import CLASS, SALT

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=12.0, help="at most so long between two of them")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        path = exercise(folder / "00-two.ipynb")
        (folder / "salt").write_text(SALT, encoding="utf-8")
        for student, (data, _, _) in CLASS.items():
            handed = folder / "submissions" / student / "00-two.ipynb"
            handed.parent.mkdir(parents=True)
            handed.write_bytes(data)

        def start(output):
            words = ["grade", path, folder / "submissions", "-o", output, "--salt", folder / "salt"]
            return subprocess.Popen(
                [sys.executable, "-m", "course.cli", *map(str, words)],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

        began = time.perf_counter()
        killed, rounds = same_after_kills(
            start, folder, random.Random(options.seed), options.kills, options.seconds
        )
        told = ", ".join(f"{count} × {what}" for what, count in killed.most_common())
        print(
            f"{killed.total()} kills ({told}) in {rounds} classes of {len(CLASS)}: the same bytes each time, "
            f"nothing changed; {time.perf_counter() - began:.0f} s"
        )


if __name__ == "__main__":
    main()
