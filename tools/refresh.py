"""Run notebooks again, in place. The same inputs give the same bytes.

    uv run python tools/refresh.py                      # notebooks/ and solutions/
    uv run python tools/refresh.py notebooks/02-pca.ipynb
    uv run python tools/refresh.py --times              # one by one; docs/run-times.json notes what each took
    uv run python tools/refresh.py --check              # write nothing; exit status 1 when bytes would change

After a change in a solution, run tools/build_exercises.py too.
"""

import json
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from tools import books, written
from tools.books import KERNEL, ROOT

FOLDERS = ("notebooks", "solutions")
TIMES = ROOT / "docs" / "run-times.json"
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",  # conftest.py says why
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "PYTHONHASHSEED": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    "TZ": "UTC",
}
FLEETING_METADATA = ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted")
NOISE = [
    (re.compile(r"\b0x[0-9a-fA-F]{6,}\b"), "0x0"),  # addresses of objects
    (re.compile(r"\S*ipykernel\S*\.py(?=:\d)"), "cell.py"),
]  # the file that a cell pretends to be


def normalised(nb):
    """The notebook without what differs from run to run or from machine to machine."""
    for cell in nb.cells:
        for key in FLEETING_METADATA:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            widget = "widget" in cell.metadata.get("tags", [])  # it has a random id and shows nothing
            cell.outputs = [] if widget else [without_noise(out) for out in cell.outputs]
    nb.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    nb.nbformat, nb.nbformat_minor = 4, 5
    nbformat.validate(nb)
    return nb


def without_noise(out):
    if out.output_type == "stream":
        out.text = quiet(out.text)
    elif out.output_type == "error":
        out.evalue = quiet(out.evalue)
        out.traceback = [f"{out.ename}: {out.evalue}"]  # the rest is full of this machine's paths
    for kind, text in out.get("data", {}).items():
        if kind.startswith("text/"):
            out.data[kind] = quiet(text)
    return out


def quiet(text):
    for pattern, calm in NOISE:
        text = pattern.sub(calm, text)
    return text


def executed(path):
    """The notebook after a run of every cell in a fresh kernel, as bytes."""
    nb = nbformat.read(path, as_version=4)
    client = NotebookClient(
        nb,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env={**os.environ, **SETTINGS})
    return (nbformat.writes(normalised(nb)) + "\n").encode("utf-8")


def refresh(path, check=False):
    """Run one notebook. Returns "same", "changed", or what went wrong."""
    try:
        after = executed(path)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return f"FAILED\n{error}"
    if after == path.read_bytes():
        return "same"
    if not check:
        path.write_bytes(after)
    return "changed"


def processor_seconds():
    """What the kernels that have ended took: what a reader waits on a quiet machine, even on a busy one."""
    spent = os.times()
    return spent.children_user + spent.children_system


def note_times(seconds):
    """Bring the file up to date: {"02-pca": 12.3}; notebooks that did not run now keep theirs."""
    old = json.loads(TIMES.read_text(encoding="utf-8")) if TIMES.exists() else {}
    TIMES.write_text(
        json.dumps({**old, **seconds}, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n"
    )


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; without any, all")
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--times", action="store_true", help="note the processor time of each chapter")
    parser.add_argument("-j", type=int, default=2, help="how many at a time (default: 2)")
    chosen = parser.parse_args(argv)
    every = [path for folder in FOLDERS for path in books.books(ROOT / folder, "")]
    paths = [path.resolve() for path in chosen.paths] or every

    def timed(path):
        start, before = time.monotonic(), processor_seconds()
        return path, refresh(path, chosen.check), time.monotonic() - start, processor_seconds() - before

    results, times = [], {}
    with ThreadPoolExecutor(1 if chosen.times else chosen.j) as pool:
        for path, result, seconds, spent in pool.map(timed, paths):
            print(f"{seconds:5.1f} s  {path.name}: {result}", flush=True)
            results.append(result)
            if path.parent.name == "notebooks" and not result.startswith("FAILED"):
                times[path.stem] = round(spent, 1)
    if chosen.times:
        note_times(times)
    return int(any(r.startswith("FAILED") or (chosen.check and r == "changed") for r in results))


if __name__ == "__main__":
    sys.exit(main())
