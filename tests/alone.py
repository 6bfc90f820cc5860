"""What stands open in a chapter runs by itself, from top to bottom, and once more.

This works inside the kernel in which a notebook is run and compared. While an open cell runs, what the folded
ones have bound is put aside; they themselves find every name, as in a notebook that is run from top to
bottom. What the two would see differently is a problem, and so is whatever else a folded cell does to the
open ones that follow: then the stored outputs are not those of the open cells alone.
"""

import os
import random
import re
import sys
import types
import warnings
from typing import NamedTuple

import joblib

from tests.again import Names, moved_cells, names_of

HISTORY = re.compile(r"_|__|___|_i+|_[io]h|_dh|_i?\d+|_exit_code")  # IPython's own names
MANY = 100
DRAWS = "matplotlib.pyplot", "helpers.plotting", "matplotlib_inline.backend_inline"


class Cell(NamedTuple):
    source: str
    folded: bool = False
    may_fail: bool = False


class Alone:
    """Watches a shell that runs these cells; `once_more` says in the end what is wrong."""

    def __init__(self, shell, cells):
        self.shell = shell
        self.open = [cell for cell in cells if not cell.folded]
        self.folded = {cell.source for cell in cells if cell.folded}
        self.names = [names_of(cell.source) or Names() for cell in self.open]
        self.begun, self.repeated = 0, []  # open cells
        self.chances = None, None  # where the open and the folded cells stand with what is drawn at random
        self.inside = False  # what the folded cells have bound stands beside the rest
        self.own = set(shell.user_ns)
        self.before, self.aside, self.prints, self.deleted, self.problems = {}, {}, {}, set(), []
        twice = {cell.source for cell in self.open} & self.folded
        self.problems += [f"stands open and folded: {source!r}" for source in twice]
        shell.events.register("pre_run_cell", self.begins)
        shell.events.register("post_run_cell", self.ends)

    def bound(self):
        names = self.shell.user_ns.items()
        return {name: value for name, value in names if name not in self.own and not HISTORY.fullmatch(name)}

    def ahead(self):
        """What open cells read that have not begun yet."""
        return set().union(*(names.read for names in self.names[self.begun :]))

    # ---- a cell begins and ends

    def begins(self, info):
        if info.raw_cell in self.folded:
            self.fold_in()
        elif self.begun < len(self.open) and info.raw_cell == self.open[self.begun].source:
            self.fold_out()
            names = self.names[self.begun]
            read = names.at_once | names.read - names.bound
            self.problems += [
                f"{name}: a folded cell binds it anew, and an open one reads it"
                for name in sorted(self.aside.keys() & self.before.keys() & read)
                if not same(self.aside[name], self.before[name])
            ]
            gone = sorted(self.deleted & read)
            self.problems += [f"{name}: a folded cell deletes it, and an open one reads it" for name in gone]
            self.begun += 1

    def ends(self, result):
        if not self.inside and self.begun and result.info.raw_cell == self.open[self.begun - 1].source:
            for name in self.names[self.begun - 1].bound:
                self.prints[name] = fingerprint(self.shell.user_ns.get(name))
                self.aside.pop(name, None)
                self.deleted.discard(name)

    def fold_in(self):
        if self.inside:
            return
        self.inside, now = True, self.bound()
        for name in [name for name in self.aside if now.get(name) is not self.before.get(name)]:
            del self.aside[name]  # bound anew by an open cell
        self.before, self.around = now, surroundings()
        ours, theirs = self.chances
        if theirs and joblib.hash(chance()) == joblib.hash(ours):
            go_on_from(theirs)  # no open cell has drawn
        self.chances = chance(), None
        self.seen = {name: fingerprint(settings(now[name])) for name in now.keys() & self.ahead()}
        self.shell.user_ns.update(self.aside)
        for name in self.deleted & now.keys():
            del self.shell.user_ns[name]

    def fold_out(self):
        if not self.inside:
            return
        self.inside, now = False, self.bound()
        self.aside = {
            name: value
            for name, value in now.items()
            if name not in self.before or value is not self.before[name]
        }
        self.deleted |= self.before.keys() - now.keys()
        for name in self.aside:
            del self.shell.user_ns[name]
        self.shell.user_ns.update(self.before)
        self.problems += [
            f"{name}: a folded cell changes it, and an open one reads it"
            for name in sorted(self.seen)
            if self.seen[name] != fingerprint(settings(self.before[name]))
        ]
        around = surroundings()
        self.problems += [
            f"{what}: a folded cell changes it"
            for what in around
            if around[what] != self.around.get(what, around[what])
        ]
        ours, _ = self.chances
        self.chances = ours, chance()
        go_on_from(ours)

    # ---- the end

    def once_more(self):
        """The open cells that could do something else run again; then, what is wrong, a line for each."""
        self.fold_out()
        if self.begun < len(self.open):
            return [*self.problems, f"only {self.begun} of {len(self.open)} open cells have run"]
        now = self.shell.user_ns
        changed = [
            name for name, seen in self.prints.items() if seen is None or seen != fingerprint(now.get(name))
        ]
        self.repeated = moved_cells([cell.source for cell in self.open], changed)
        for cell in map(self.open.__getitem__, self.repeated):
            result = self.shell.run_cell(cell.source, store_history=False)
            if not result.success and not cell.may_fail:
                self.problems.append(f"run again: {result.error_in_exec!r} in {cell.source!r}")
        return self.problems


def fingerprint(value):
    """None where nobody knows: as if it had changed."""
    if isinstance(value, (types.ModuleType, types.FunctionType, type)):
        return id(value)
    try:
        return joblib.hash(value)
    except Exception:
        return None


def settings(value):
    """What counts of a value: of an estimator, also in a list or a dict, nothing that a fit makes anew; of a
    sparse table its entries, in whatever order they are kept.
    """
    if isinstance(value, dict) and len(value) < MANY:
        return {name: settings(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)) and len(value) < MANY:
        return [settings(part) for part in value]
    if hasattr(type(value), "get_params"):
        return type(value), settings(value.get_params(deep=False))
    if hasattr(value, "tocsr"):
        rows = value.tocsr().sorted_indices()
        return type(value), value.shape, rows.indptr, rows.indices, rows.data
    return value


def same(one, other):
    return fingerprint(one) == fingerprint(other) is not None


def chance():
    """The state of what draws at random without a seed of its own."""
    numpy = sys.modules.get("numpy")
    return random.getstate(), numpy.random.get_state() if numpy else None


def go_on_from(state):
    random.setstate(state[0])
    if state[1] is not None:
        sys.modules["numpy"].random.set_state(state[1])


def surroundings():
    """What a cell can change without a name."""
    found = {
        "the warnings' filters": list(warnings.filters),
        "the environment": dict(os.environ),
        "the folder": os.getcwd(),
        "the path of modules": list(sys.path),
    }
    if "numpy" in sys.modules:
        found["NumPy's printing"] = sys.modules["numpy"].get_printoptions()
    if all(name in sys.modules for name in DRAWS):  # each makes settings when it is first used
        found["Matplotlib's settings"] = dict(sys.modules["matplotlib"].rcParams)
    return found
