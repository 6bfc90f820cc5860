"""Would an algorithm's own tests notice a small fault in it?

    uv run python tools/mutate_helpers.py helpers/neighbors.py [--n 60] [--seed 0] [--jobs 2]

Draws n small faults (faults.py) of the module from the seed. Each is planted in a copy of the package in
a temporary folder, never in the real tree, and tried on the module's doctests and its tests in
tests/helpers/: test_<module>.py, test_<module>_*.py, and test_<folder>.py for a module in a folder; a
private module of a folder has the tests of those that import it (--tests names others). What no test
notices is tried on scikit-learn's own checks of its estimators too. The libraries that the tests import are
imported once; every trial is a fork of that warm process and runs the quickest tests first, so a fault costs
little more than the tests that it fails.

A fault is killed when a test fails or hangs: when one needs more than max(3 s, ten times what it took in the
sound run) of CPU time, or all together need more than max(20 s, three times that). Prints the
survivors with the line that differs: the tests are too weak there, or the change makes no difference.

Exit status: 0 when at least --at-least percent are killed; 1 when fewer are, or the tests fail without
any fault; 2 where processes cannot fork (Windows).
"""

import argparse
import ast
import contextlib
import gc
import importlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

from tools.faults import faults, finish, need_fork, sample, start

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy is imported: a forked child has one thread

COPIED = ("helpers", "grading", "tests", "tools", "conftest.py", "pyproject.toml")
OURS = ("helpers", "grading", "tests", "tools", "conftest")
SHARED = Path("tests", "helpers", "test_every_estimator.py")
NOT_THE_MODULE = 77  # the tests ran on another file than the faulty one


class Workshop:
    """A module of a project, its tests, and copies of both to break."""

    def __init__(self, module, tests=None):
        self.path = Path(module).resolve(strict=True)
        self.root = next(p for p in self.path.parents if (p / "pyproject.toml").exists())
        self.relative = self.path.relative_to(self.root)
        self.name = ".".join(self.relative.with_suffix("").parts).removesuffix(".__init__")
        self.code = self.path.read_text(encoding="utf-8")
        self.tests = [Path(t).resolve().relative_to(self.root) for t in tests] if tests else self.own_tests()
        self.estimators = [] if tests or not (self.root / SHARED).exists() else self.classes()
        self.seconds, self.durations = 600, {}

    def own_tests(self):
        """tests/helpers/test_<module>*.py, and for helpers/<folder>/<module>.py also test_<folder>.py.

        A module of helpers/_fast/, and one with a plain way beside it, has the tests that both give the same.
        """
        names = [n.lstrip("_") for n in self.name.split(".")[1:]]
        patterns = {f"test_{n}.py" for n in names[:-1]}
        if "_fast" in self.path.parts or "@faster(" in self.code:
            patterns.add("test_fast_equals_plain*.py")
        for name in (names[-1], *self.users()):
            patterns |= {f"test_{name}.py", f"test_{name}_*.py"}
        folder = self.root / "tests" / "helpers"
        return sorted({t.relative_to(self.root) for p in patterns for t in folder.glob(p)})

    def classes(self):
        """Names of the public classes: SHARED has the tests that every estimator has to pass."""
        found = [node.name for node in ast.parse(self.code).body if isinstance(node, ast.ClassDef)]
        return [name for name in found if not name.startswith("_")]

    def users(self):
        """Modules of the same folder that stand on a private one: their tests are its tests."""
        private = self.path.stem.startswith("_") and self.path.parent.name != "helpers"
        beside = self.path.parent.glob("*.py") if private else ()
        return sorted(p.stem for p in beside if f"from {self.name} import" in p.read_text(encoding="utf-8"))

    def warm_up(self):
        """Import now what every trial would import: the libraries, but nothing of the project itself."""
        sys.dont_write_bytecode = True  # two faults within a second may have the same size
        warnings.simplefilter("ignore")
        importlib.import_module("pytest")
        for plugin in importlib.metadata.entry_points(group="pytest11"):
            plugin.load()
        for name in ("hypothesis", *self.libraries()):  # pytest's plugin imports hypothesis late
            with contextlib.suppress(Exception):  # an optional one: its test skips
                importlib.import_module(name)
        gc.freeze()  # nor need the children look through all that

    def libraries(self):
        """What the module, its tests, conftest.py and the project's files among their imports, import."""
        conftests = [Path(folder, "conftest.py") for folder in (".", "tests", "tests/helpers")]
        waiting = [self.relative, *self.tests, *conftests, *([SHARED] if self.estimators else [])]
        seen, found = set(), {}
        while waiting:
            path = waiting.pop()
            if path in seen or not (self.root / path).is_file():
                continue
            seen.add(path)
            for name in _imported((self.root / path).read_text(encoding="utf-8")):
                if name.split(".")[0] in OURS:
                    stem = Path(*name.split("."))
                    waiting += [stem.with_suffix(".py"), stem / "__init__.py"]
                else:
                    found[name] = None
        return list(found)

    def begin(self, folder, code):
        """Start the tests on a copy that holds this code; the child's process id."""
        for name in COPIED:
            source = self.root / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            elif source.exists():
                shutil.copy(source, folder / name)
        (folder / self.relative).write_text(code, encoding="utf-8", newline="\n")
        return start(lambda: self.run_tests(folder), self.seconds, folder / "output.txt")

    def run_tests(self, folder):
        """In the child: pytest's exit code, or NOT_THE_MODULE."""
        import pytest

        os.chdir(folder)
        os.environ.pop("PYTEST_ADDOPTS", None)
        sys.path[:] = [str(folder), *(p for p in sys.path if Path(p).resolve() != self.root)]
        seed = _without_shrinking() if importlib.util.find_spec("hypothesis") else []
        options = "-x -q -o addopts= --import-mode=importlib -p no:cacheprovider --assert=plain".split()
        timing = QuickestFirst(self.durations, folder)
        own = ["--doctest-modules", str(self.relative), *map(str, self.tests)]
        code = pytest.main([*options, *seed, *own], plugins=[timing])
        if code == 0 and self.estimators:  # slower to collect, so only for what survived its own tests
            shared = [str(SHARED), "-k", " or ".join(self.estimators)]
            code = pytest.main([*options, *seed, *shared], plugins=[timing])
            code = 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code
        loaded = getattr(sys.modules.get(self.name), "__file__", None)
        if code == 0 and loaded != str(folder / self.relative):
            return NOT_THE_MODULE
        return code

    def sound_run(self):
        """Seconds of the tests without a fault; RuntimeError when they fail."""
        with tempfile.TemporaryDirectory() as top:
            folder, began = Path(top).resolve(), time.monotonic()
            code = finish(self.begin(folder, self.code))
            if code:
                output = (folder / "output.txt").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"the tests fail without any fault (status {code}):\n{output[-3000:]}")
            self.durations = QuickestFirst.read(folder)
        return time.monotonic() - began

    def survivors(self, chosen, jobs=1):
        """The faults that no test notices, in order; at most `jobs` trials at a time."""
        waiting, live, survived = list(enumerate(chosen)), {}, []
        with tempfile.TemporaryDirectory() as top:
            while waiting or live:
                while waiting and len(live) < jobs:
                    i, fault = waiting.pop(0)
                    folder = Path(top).resolve() / str(i)
                    folder.mkdir()
                    live[self.begin(folder, fault.code)] = (i, fault, folder)
                pid = next(iter(live))  # the oldest: the others go on meanwhile
                code = finish(pid)
                i, fault, folder = live.pop(pid)
                shutil.rmtree(folder, ignore_errors=True)
                if code == NOT_THE_MODULE:
                    raise RuntimeError(f"the tests import another {self.name} than the copy in {folder}")
                if code == 0:
                    survived.append(fault)
                if sys.stderr.isatty():
                    print(f"\r{i + 1}/{len(chosen)} tried, {len(survived)} survive ", end="", file=sys.stderr)
        return survived


class QuickestFirst:
    """A plugin of pytest: writes down how long every test takes.

    Once that is known, the quickest go first, and one that takes far longer ends the trial by SIGPROF.
    """

    def __init__(self, durations, folder):
        self.durations, self.file, self.measured = durations, folder / "durations.json", {}

    @classmethod
    def read(cls, folder):
        return json.loads((folder / "durations.json").read_text(encoding="utf-8"))

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: self.durations.get(item.nodeid, 0))

    def pytest_runtest_logstart(self, nodeid):
        if self.durations:
            signal.setitimer(signal.ITIMER_PROF, max(3, 10 * self.durations.get(nodeid, 0)))  # of CPU time

    def pytest_runtest_logreport(self, report):
        self.measured[report.nodeid] = self.measured.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self):
        if not self.durations:
            self.file.write_text(json.dumps(self.measured), encoding="utf-8")


def _without_shrinking():
    """Options for pytest: the same draws in every trial, and a slow machine kills no fault."""
    from hypothesis import Phase, settings

    phases = [Phase.explicit, Phase.generate]
    settings.register_profile("trial", phases=phases, database=None, deadline=None)
    return ["--hypothesis-seed=0", "--hypothesis-profile=trial"]


def _imported(code):
    """Names of the modules, and of what may be modules, that a file imports at its top."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def mutate(module, n=60, seed=0, jobs=1, tests=None):
    """What became of n faults of the module, as numbers and lines."""
    shop = Workshop(module, tests)
    if not shop.tests and ">>>" not in shop.code:
        raise RuntimeError(f"{shop.name} has neither tests in tests/helpers nor doctests")
    shop.warm_up()
    sound = shop.sound_run()
    shop.seconds = max(20, 3 * sound)
    every = faults(shop.code)
    chosen = sample(every, n, seed)
    left = shop.survivors(chosen, jobs)
    return {
        "module": shop.name,
        "seed": seed,
        "possible": len(every),
        "made": len(chosen),
        "killed": len(chosen) - len(left),
        "sound_seconds": round(sound, 1),
        "survivors": [{"line": f.line, "what": f.what, "diff": f.diff(shop.code)} for f in left],
    }


def report(result):
    for s in result["survivors"]:
        print(f"line {s['line']}: {s['what']}\n    " + s["diff"].replace("\n", "\n    "))
    share = 100 * result["killed"] / max(result["made"], 1)
    print(
        f"{result['module']}: {result['killed']}/{result['made']} faults killed ({share:.1f} %), "
        f"of {result['possible']} possible; sound tests {result['sound_seconds']} s"
    )
    return share


def arguments(argv):
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("module", type=Path)
    parser.add_argument("--n", type=int, default=60, help="how many faults")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="trials at a time")
    parser.add_argument("--tests", nargs="+", type=Path, metavar="FILE", help="not the module's own tests")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--at-least", type=float, default=90, metavar="PERCENT")
    return parser.parse_args(argv)


def main(argv=None):
    os.environ.setdefault("MPLBACKEND", "Agg")  # not on import: a kernel that a test starts would inherit it
    a = arguments(argv)
    need_fork()
    try:
        result = mutate(a.module, a.n, a.seed, a.jobs, a.tests)
    except RuntimeError as e:
        print(e, file=sys.stderr)
        return 1
    if a.json:
        text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
        a.json.write_text(text, encoding="utf-8", newline="\n")
    return 0 if report(result) >= a.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
