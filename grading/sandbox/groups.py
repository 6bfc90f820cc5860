"""A control group for each submission, where one may be made (cgroup v2): the kernel counts all its memory.

Made beside the group of this process, by an ordinary `mkdir`: on a machine with systemd a user may, in a
container most often nobody. No other process is moved, and no setting of another group is touched.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

TREES = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")
NAME = "course-{pid}-{number}"
ONE = "100000 100000"  # of processors, for all processes of a submission together
TRIAL = 64 * 2**20  # bytes: four times as many are asked for, to see whether a group holds
NUMBERS = itertools.count()


def place_for_groups(trees=TREES, own=Path("/proc/self/cgroup")) -> Path | None:
    """The nearest folder, at our own group or above it, where a group with limits can be made."""
    for tree in trees:
        if (tree / "cgroup.controllers").is_file():
            with contextlib.suppress(OSError):
                inside = re.search(r"^0::/(.*)$", own.read_text(encoding="utf-8"), re.M)
                here = tree / (inside[1] if inside else "")
                above = [folder for folder in (here, *here.parents) if folder.is_relative_to(tree)]
                return next(filter(may_hold_groups, above), None)
    return None


def may_hold_groups(folder):
    """Whether a group made there takes a process in, and ends it where it takes too much memory."""
    tidy(folder)
    try:
        group = Group(folder, {"total_memory": TRIAL, "processes": 64})
    except OSError:
        return False
    words = [sys.executable, "-I", "-S", "-c", f"input(); b'x' * {4 * TRIAL}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as greedy:
        try:
            group.take(greedy.pid)
            greedy.communicate(b"\n", timeout=30)
            return greedy.returncode == -signal.SIGKILL and group.ran_out_of_memory()
        except (OSError, subprocess.TimeoutExpired):
            return False
        finally:
            greedy.kill()
            greedy.wait()
            group.remove()


def tidy(folder):
    """Groups of graders that were killed are removed: they are empty."""
    for old in folder.glob(NAME.format(pid="*", number="*")):
        pid = old.name.split("-")[1]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                old.rmdir()


class Group:
    """A group with limits. Raises OSError where memory and processes cannot be limited."""

    def __init__(self, place: Path, limits):
        self.folder = place / NAME.format(pid=os.getpid(), number=next(NUMBERS))
        self.folder.mkdir()
        try:
            self.set("memory.max", limits["total_memory"])
            self.set("pids.max", limits["processes"])
        except OSError:
            self.remove()
            raise
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1), ("cpu.max", ONE)):
            with contextlib.suppress(OSError):  # not every machine has them
                self.set(name, value)

    def set(self, name, value):
        with open(self.folder / name, "r+", encoding="ascii") as file:  # never makes the file
            file.write(str(value))

    def take(self, pid):
        self.set("cgroup.procs", pid)

    def read(self, name, field):
        """A number of a file of lines "name number"; 0 where it is not there."""
        with contextlib.suppress(OSError):
            for line in (self.folder / name).read_text(encoding="ascii").splitlines():
                if line.startswith(f"{field} "):
                    return int(line.split()[1])
        return 0

    def cpu(self) -> float:
        """Seconds of the processor, of processes that have ended too."""
        return self.read("cpu.stat", "usage_usec") / 1e6

    def ran_out_of_memory(self) -> bool:
        return self.read("memory.events", "oom_kill") > 0

    def remove(self, patience=2.0):
        """Once its last process has gone."""
        last = time.monotonic() + patience
        while self.folder.is_dir():
            try:
                return self.folder.rmdir()
            except OSError:
                if time.monotonic() > last:
                    return
                time.sleep(0.005)
