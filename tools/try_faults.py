r"""Would the course notice if a formula were wrong?

    uv run python tools/try_faults.py notebooks/02-pca.ipynb [--per-cell 12] [--json docs/faults.json]

Runs each notebook's code cells in order. At a check cell (tagged item:…, eq:… or erratum:…) it plants
small faults (tools/faults) in the cell's formulas, one at a time, each in a forked child that starts from
the same state. A child that fails, or runs out of time, has noticed its fault; one that passes leaves a
survivor. Functions of untagged cells are treated alike: a fault in one is noticed when any check cell
that uses it, later on, fails. A cell tagged raises-exception notices a fault when its own error no longer
comes.

A survivor is a place to look. Either the check is too weak: mend it. Or the two formulas are equal there:
say why in docs/no-faults.toml, and the fault is set aside:

    [[no-fault]]
    notebook = "02-pca"
    where = "eq:2.5"                     # a tag of the cell, or the function's name
    what = "W.T @ W: the factors swapped"
    reason = "W is square here, so both products are the identity."

The lines that a chain displays and reads with its notation table get faults of their own (in_tex.py), as
many again for each cell; they are counted with the others, and by themselves under "tex" (of these, "refused"
counts those that the reader of TeX could not even read). An entry for one of them states the identity, which
the tool proves on generic draws:

    what = '\operatorname{tr} W W^\top ⇒ \operatorname{tr} W^\top W'
    identity = '\operatorname{tr} W W^\top = \operatorname{tr} W^\top W'
    needs = "S"                         # drawn names that keep their structure

A line that only shares a minimiser may differ: up_to = "a factor" or "a constant" that does not change with
over = "W".

Exit status: 0 when at least --at-least percent of the faults are noticed in every notebook; 1 when fewer
are, a cell fails as it stands or when run once more, or an entry of no-faults.toml matches nothing or is
refuted; 2 where processes cannot fork (Windows). TeX that no table reads is text: that it says what the code
computes, only a reader sees.
"""

import ast
import contextlib
import io
import json
import linecache
import multiprocessing
import os
import sys
import time
import tomllib
import types
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tools import written
from tools.books import ROOT, digest
from tools.faults.in_code import formula_faults, sample
from tools.faults.processes import finish, need_fork, start

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy is imported: a forked child has one thread
from helpers.reading import ReadingError, default_notation  # noqa: E402
from tools.faults.in_tex import BECOMES, chains_of, refutation, tex_faults  # noqa: E402

CHECKS = ("item:", "eq:", "erratum:")
RUNS_ITS_BODY = ("%%time", "%%capture", "%%prun")
MAKES_OR_DRAWS = ("make", "load", "draw", "sample", "show", "plot")


REFUSED = 3  # a child's exit code: the reader of TeX refused the line
NEEDED, ALLOWED = {"notebook", "where", "what", "reason"}, {"identity", "needs", "up_to", "over"}


class CellFails(Exception):
    """A cell fails without any fault."""


class Shell:
    """As much of IPython as a chapter needs: magics and shell commands do nothing."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: []


class Trial:
    """The faults of one place (a check cell or a function) and what became of them."""

    def __init__(self, where, faults, set_aside, per_place):
        self.where, self.tried, self.refused = where, False, 0
        self.set_aside = [f for f in faults if any(_matches(entry, where, f) for entry in set_aside)]
        self.left = self.faults = sample([f for f in faults if f not in self.set_aside], per_place, where[0])

    def keep(self, survives):
        """Go on with those that still survive."""
        self.tried = True
        self.left = [f for f in self.left if survives(f)]

    def summary(self):
        return {
            "made": len(self.faults),
            "noticed": len(self.faults) - len(self.left),
            "set_aside": len(self.set_aside),
            "survivors": [f"line {f.line}: {f.what}" for f in self.left],
        }

    def counts(self):
        """Of faults in TeX."""
        counts = {key: self.summary()[key] for key in ("made", "noticed", "set_aside")}
        return {**counts, "refused": self.refused}


def _together(trial, shown):
    """The counts of a cell: of its code and of the TeX that it displays, and of the TeX alone."""
    code, tex = trial.summary(), shown.summary()
    both = {key: code[key] + tex[key] for key in code}
    return {**both, "tex": shown.counts()} if shown.faults or shown.set_aside else both


def _summed(counts):
    """Of the cells of one tag: numbers add up, survivors are listed one after the other."""
    if isinstance(counts[0], dict):
        keys = {key for one in counts for key in one}
        return {key: _summed([one[key] for one in counts if key in one]) for key in sorted(keys)}
    return sum(counts[1:], counts[0])


def _matches(entry, where, fault):
    return entry["where"] in where and entry["what"] == fault.what


class Run:
    """One notebook, run from top to bottom with faults planted on the way."""

    def __init__(self, path, set_aside=(), per_cell=12, seconds=20, only=None):
        self.path, self.per_cell, self.seconds, self.only = Path(path), per_cell, seconds, only
        self.set_aside = [e for e in set_aside if e["notebook"] == self.path.stem]
        self.main = types.ModuleType("__main__")
        self.namespace = self.main.__dict__
        self.namespace.update(display=lambda *args, **kwargs: None, get_ipython=Shell)
        self.checks, self.functions, self.bare, self.not_judged = [], [], [], []
        self.in_tex, self.matched, self.unproved = [], [], []

    def go(self):
        cells = cells_of(self.path)
        os.chdir(self.path.resolve().parent)  # as in a kernel
        sys.path.insert(0, "")
        sys.modules["__main__"] = self.main
        warnings.simplefilter("ignore")
        for i, cell in enumerate(cells):
            tags = cell["metadata"].get("tags", [])
            if cell["cell_type"] == "code" and "nbval-skip" not in tags and (code := _python(cell)):
                where = [t for t in tags if t.startswith(CHECKS)]
                if not where:
                    self.note_functions(code)
                elif self.only is None or self.only in where:
                    self.judge(code, where, _expected_error(cell, tags), cell.get("id", str(i)))
                self.execute(code, f"<cell {i}>", allowed={"raises-exception", "widget"} & set(tags))
                self.prove(where)
        return self

    def note_functions(self, code):
        for node in ast.parse(code).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not _makes_data_or_a_picture(node):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                source = "\n".join(code.split("\n")[first - 1 : node.end_lineno])
                trial = self.trial([node.name], source)
                trial.name, trial.uses = node.name, _names(node)
                self.functions.append(trial)

    def prove(self, where):
        """Each entry for a fault in this cell's TeX states an identity: it must hold on generic draws."""
        for entry in [e for e in self.matched if BECOMES in e["what"] and e["where"] in where]:
            if why := refutation(chains_of(self.namespace), entry):
                self.unproved.append({**entry, "why": why})

    def trial(self, where, code, found=None):
        found = formula_faults(code) if found is None else found
        self.matched += [e for e in self.set_aside if any(_matches(e, where, f) for f in found)]
        return Trial(where, found, self.set_aside, self.per_cell)

    def judge(self, code, where, error, name):
        began = time.monotonic()
        if not self.passes(code, error, seconds=600):
            self.not_judged += where  # what a fault does cannot be told from this
            return
        seconds = max(self.seconds, int(3 * (time.monotonic() - began)) + 1)
        used = self.used_functions(_names(ast.parse(code)))
        for trial in used:
            trial.keep(lambda f: self.passes(f"{f.code}\n{code}", error, seconds))
        trial = self.trial(where, code)
        trial.name = name
        trial.keep(lambda f: self.passes(f.code, error, seconds))
        self.checks.append(trial)
        shown = self.trial(where, code, tex_faults(code, default_notation() is not None))
        shown.keep(lambda f: self.survives_reading(shown, f, error, seconds))
        self.in_tex.append(shown)
        if not (trial.faults or trial.set_aside or used or shown.faults):
            self.bare += where
        self.say(trial)
        if shown.faults or shown.set_aside:
            self.say(shown, "in TeX")

    def used_functions(self, names):
        """The functions that the names reach, directly or through each other."""
        current = {f.name: f for f in self.functions}  # the last definition of each name
        used, waiting = {}, list(names)
        while waiting:
            name = waiting.pop()
            if name in current and name not in used:
                used[name] = current[name]
                waiting += current[name].uses
        return [f for f in current.values() if f.name in used]

    def passes(self, code, error, seconds):
        """True when the cell ends well, or with the error that it is there to show."""

        def action():
            try:
                _execute(code, "<check>", self.namespace)
            except BaseException as e:
                return type(e).__name__ != error
            return error is not None

        return finish(start(action, seconds)) == 0

    def survives_reading(self, trial, fault, error, seconds):
        """Of a fault in TeX: notes also when the reader refused it."""

        def action():
            try:
                _execute(fault.code, "<check>", self.namespace)
            except ReadingError:
                return REFUSED if error != "ReadingError" else 0
            except BaseException as e:
                return type(e).__name__ != error
            return error is not None

        status = finish(start(action, seconds))
        trial.refused += status == REFUSED
        return status == 0

    def execute(self, code, filename, allowed):
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                _execute(code, filename, self.namespace)
        except Exception as e:
            if not allowed:
                raise CellFails(f"{filename[1:-1]} fails as it stands: {e!r}") from e
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")

    def say(self, trial, what=""):
        s = trial.summary()
        aside = f", {s['set_aside']} set aside" if s["set_aside"] else ""
        where = " ".join(trial.where)
        print(
            f"{self.path.stem}  {s['noticed']:>3}/{s['made']:<3} {where}{aside} {what}".rstrip(), flush=True
        )
        for survivor in s["survivors"]:
            print(f"{self.path.stem}          survives: {survivor}", flush=True)

    def tags(self):
        return {tag for trial in self.checks for tag in trial.where}

    def result(self):
        tried = [f for f in self.functions if f.tried and (f.faults or f.set_aside)]
        for trial in tried:
            self.say(trial)
        cells = {t.name: _together(t, shown) for t, shown in zip(self.checks, self.in_tex)}
        tags = {tag: [cells[t.name] for t in self.checks if tag in t.where] for tag in self.tags()}
        every = [t.summary() for t in self.checks + self.in_tex + tried]
        total = {key: sum(s[key] for s in every) for key in ("made", "noticed", "set_aside")}
        unmatched = [e for e in self.set_aside if e not in self.matched and self.only is None]
        shown = [t.counts() for t in self.in_tex]
        return {
            **total,
            "tex": {key: sum(s[key] for s in shown) for key in ("made", "noticed", "set_aside", "refused")},
            "unproved": self.unproved,
            "cells": {name: {key: one[key] for key in ("made", "noticed")} for name, one in cells.items()},
            "tags": {tag: _summed(found) for tag, found in tags.items()},
            "functions": {t.name: t.summary() for t in tried},
            "no_fault_could_be_made": self.bare,
            "not_judged": self.not_judged,
            "unmatched": unmatched,
            "code": digest(cells_of(self.path)),
        }


def cells_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def _python(cell):
    """The cell's code as plain Python; empty when there is nothing to run."""
    from IPython.core.inputtransformer2 import TransformerManager

    text = "".join(cell["source"])
    if text.startswith("%%"):
        magic, _, text = text.partition("\n")
        text = text if magic.startswith(RUNS_ITS_BODY) else ""
    return TransformerManager().transform_cell(text) if text.strip() else ""


def _expected_error(cell, tags):
    errors = [o["ename"] for o in cell["outputs"] if o["output_type"] == "error"]
    return errors[0] if errors and "raises-exception" in tags else None


def _execute(code, filename, namespace):
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    exec(compile(code, filename, "exec"), namespace)


def _names(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def _makes_data_or_a_picture(node):
    """Such a function states no formula."""
    arguments = {a.arg for a in node.args.args} if isinstance(node, ast.FunctionDef) else set()
    return node.name.startswith(MAKES_OR_DRAWS) or bool({"rng", "seed", "ax"} & arguments)


def read_no_faults(path):
    """The entries of no-faults.toml; one that is not complete is an error."""
    if not Path(path).exists():
        return []
    entries = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("no-fault", [])
    for entry in entries:
        known = NEEDED <= set(entry) <= NEEDED | ALLOWED
        if not known or not all(map(str.strip, entry.values())):
            raise ValueError(f"{path}: an entry needs notebook, where, what and reason, but one is {entry}")
        if BECOMES in entry["what"] and "identity" not in entry:
            raise ValueError(f"{path}: an entry for a fault in TeX states the identity, but one is {entry}")
    return entries


def try_notebook(path, **options):
    """The counts of one notebook, or {"error": …}. To be called in a process of its own."""
    try:
        return Run(path, **options).go().result()
    except CellFails as e:
        return {"error": str(e)}


def in_a_fresh_process(work, path):
    """Nothing that one notebook does reaches the next."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        return pool.submit(work, path).result()


def report(path, result, at_least):
    """Print what a notebook came to; True when it is well."""
    if "error" in result:
        print(f"{path.name}: {result['error']}")
        return False
    for label, key in (
        ("no fault could be made in", "no_fault_could_be_made"),
        ("fails when run once more, so not judged:", "not_judged"),
    ):
        if result[key]:
            print(f"{path.stem}  {label} {' '.join(result[key])}")
    for entry in result["unmatched"]:
        print(f"{path.stem}  matches nothing in no-faults.toml: {entry['where']}: {entry['what']}")
    for entry in result["unproved"]:
        print(f"{path.stem}  no identity: {entry['where']}: {entry['what']}: {entry['why']}")
    tex = result["tex"]
    if tex["made"]:
        print(f"{path.name}: {tex['noticed']}/{tex['made']} in TeX, {tex['refused']} refused by the reader")
    share = 100 * result["noticed"] / max(result["made"], 1)
    print(
        f"{path.name}: {result['noticed']}/{result['made']} faults noticed ({share:.1f} %), "
        f"{result['set_aside']} set aside"
    )
    sound = not (result["unmatched"] or result["not_judged"] or result["unproved"])
    return sound and (share >= at_least or not result["made"])


def write_counts(path, results):
    """Bring the file up to date: notebooks that were not tried now keep their counts."""
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    good = {stem: r for stem, r in results.items() if "error" not in r}
    path.write_text(
        json.dumps({**old, **good}, indent=1, sort_keys=True, ensure_ascii=False) + "\n",
        encoding="utf-8",
        newline="\n",
    )


def arguments(argv):
    parser = written.parser(__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--per-cell", type=int, default=12, help="most faults in a cell or function")
    parser.add_argument("--seconds", type=int, default=20, help="a faulty run's (or 3 times the sound one's)")
    parser.add_argument("--only", metavar="TAG", help="only the check cells with this tag")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts of each tag")
    parser.add_argument("--no-faults", type=Path, default=ROOT / "docs" / "no-faults.toml", metavar="FILE")
    parser.add_argument("--at-least", type=float, default=95, metavar="PERCENT")
    return parser.parse_args(argv)


def main(argv=None):
    a = arguments(argv)
    need_fork()
    os.environ.setdefault("MPLBACKEND", "Agg")  # not on import: a kernel that a test starts would inherit it
    work = partial(
        try_notebook,
        set_aside=read_no_faults(a.no_faults),
        per_cell=a.per_cell,
        seconds=a.seconds,
        only=a.only,
    )
    paths = [p.resolve(strict=True) for p in a.notebooks]
    results = {p: in_a_fresh_process(work, p) for p in paths}
    if a.json and not a.only:
        write_counts(a.json, {p.stem: r for p, r in results.items()})
    return 0 if all([report(p, r, a.at_least) for p, r in results.items()]) else 1


if __name__ == "__main__":
    sys.exit(main())
