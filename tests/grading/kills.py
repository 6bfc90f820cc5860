"""kill -9 at random moments: the grader, a worker, a sandbox, or all; then the same command goes on.

Each time the gradebook and all results must be the same bytes, and nothing may be noted as changed.
"""

import os
import signal
import subprocess
from collections import Counter
from pathlib import Path


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
