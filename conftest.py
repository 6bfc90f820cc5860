"""How tests run: same numbers everywhere, no network, figures compared, sliders moved, no skips on CI."""

import gc
import os
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent
gc.disable()  # until the tests are collected: what they import stays, and need not be looked through

# Kernels and other processes inherit these. One BLAS thread: the same sums everywhere, half the CPU time.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
# A processor with wider registers adds in another order: all take the kernels that every one since 2015 has.
os.environ["OPENBLAS_CORETYPE"] = "Haswell"
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
os.environ["PYTHONHASHSEED"] = "0"
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
os.environ.pop("MPLBACKEND", None)  # with a backend chosen outside, a kernel shows no picture
# Compiled code is kept, even where the machine says not to: hundreds of processes import the same libraries.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False
OFFLINE = str(ROOT / "tests" / "offline")
if OFFLINE not in os.environ.get("PYTHONPATH", ""):
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [OFFLINE, os.environ.get("PYTHONPATH")]))
sys.path.append(OFFLINE)

import pytest  # noqa: E402

import tests.offline.sitecustomize  # noqa: E402, F401

try:
    from jupyter_client.provisioning import local_provisioner
    from nbval.plugin import IPyNbCell, IPyNbFile
except ImportError:  # a reader without the test tools
    IPyNbCell = None

from tests import nursery, open_cells, sliders  # noqa: E402
from tests.figures import differences  # noqa: E402

if not (ROOT / "solutions").is_dir():  # a copy for learners: what needs the answers is not tried
    collect_ignore = ["tests", "homework"]


def pytest_report_header():
    """What differs from the pins, so that a surprising figure has an explanation at once."""
    pins = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]
    pairs = [pin.split("==") for pin in pins.get("constraint-dependencies", [])]
    found = [
        f"{name} {installed(name)}, pinned {wanted}"
        for name, wanted in pairs
        if installed(name) not in (None, wanted)
    ]
    return f"not the pinned versions: {'; '.join(found)}" if found else "versions as pinned"


def installed(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None


# nbval compares text but no picture, nor a picture's alt text: so compare them too.
if IPyNbCell is not None and not hasattr(IPyNbCell, "compare_text"):
    IPyNbCell.compare_text = IPyNbCell.compare_outputs

    def compare_outputs(self, test, ref, skip_compare=None):
        if not self.compare_text(test, ref, skip_compare):
            return False
        self.comparison_traceback += differences(ref, test)
        return not self.comparison_traceback

    IPyNbCell.compare_outputs = compare_outputs
    IPyNbCell.run_once = IPyNbCell.runtest

    def runtest(self):
        """nbval's own run; then a slider is moved, since nothing stored tells what it draws."""
        self.run_once()
        if wrong := sliders.problems(self.parent, self.cell.source, self.test_outputs):
            self.raise_cell_error("; ".join(wrong))

    IPyNbCell.runtest = runtest
    IPyNbFile.cells_alone, IPyNbFile.set_up_alone = IPyNbFile.collect, IPyNbFile.setup

    def collect(self):
        """nbval's own cells; of a chapter, what stands open is seen to run without the rest, and twice."""
        yield from self.cells_alone()
        if open_cells.is_held(self.path):
            yield open_cells.OnceMore.from_parent(self, name=open_cells.NAME)

    def setup(self):
        self.set_up_alone()
        if open_cells.is_held(self.path):
            open_cells.watch(self)

    IPyNbFile.collect, IPyNbFile.setup = collect, setup
    if sys.platform == "linux":  # elsewhere a process that has loaded much is not forked with impunity
        local_provisioner.launch_kernel = nursery.launcher(local_provisioner.launch_kernel)


def refuse_to_skip(report):
    """On CI a skipped test is a failed one: .ci/run should have installed what the machine lacks."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {reason}"
    return report


@pytest.fixture(autouse=True)
def no_notation_of_another_test(monkeypatch):
    """A table of names that a test makes is the default of its process: it ends with the test."""
    if "helpers.reading.notation" in sys.modules:
        monkeypatch.setattr(sys.modules["helpers.reading.notation"], "_default", None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return refuse_to_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return refuse_to_skip((yield))


@pytest.hookimpl(optionalhook=True)  # a reader may lack xdist
def pytest_xdist_make_scheduler(config, log):
    if config.getoption("dist") == "loadfile":
        from tests.spread import ByFileAndQuestion

        return ByFileAndQuestion(config, log)


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Long files first if several processes run."""
    if hasattr(config, "workerinput"):  # one of several, each of which takes the next file
        from tests.spread import place

        items.sort(key=lambda item: place(item.nodeid))
