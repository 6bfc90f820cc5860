"""Results as JSON, as a page of the docs and as a picture."""

import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from benchmarks import bars
from benchmarks.workload import FAMILIES, SHAPES

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURE = ROOT / "docs" / "_static" / "benchmarks.png"
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "imbalanced-learn",
    "mlxtend",
    "skrebate",
    "dictlearn",
    "ksvd",
    "celer",
    "skglm",
    "cca-zoo",
    "python-picard",
    "feature-engine",
    "scikit-image",
    "fancyimpute",
    "pandas",
)


def stored():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"results": {}}


def rounded(value):
    """Numbers to four digits: the rest is noise."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, (float, np.floating)) else value


def write_json(path, results, machine):
    text = json.dumps({"results": rounded(results), "machine": machine}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def facts(load):
    """What the numbers depend on; no names and no paths."""
    blas = sorted({
        f"{part['internal_api']} {part['version']} ({part.get('architecture')})"
        for part in threadpool_info()
        if part["user_api"] == "blas"
    })
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "blas": blas,
        "versions": _versions(),
        "load_before": round(load, 2),
    }


def _processor():
    if sys.platform == "linux":
        for text in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if text.startswith("model name"):
                return text.split(":")[1].strip()
    return platform.machine()


def _versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def line(name, shape, row):
    """A family at a shape in one line of the terminal."""
    marks = (
        f"{peer} {ratio:.3g}"
        + ("" if ratio >= bars.bar(name, shape, peer) else f" (below {bars.bar(name, shape, peer):g})")
        for peer, ratio in row["ratio"].items()
    )
    return f"{name:20s}{shape:8s} " + "  ".join(marks)


# ---------------------------------------------------------------- the page
def write_pages():
    """docs/benchmarks.md and its picture from benchmarks/results.json."""
    found = stored()
    PAGE.write_text(page(found["results"], found["machine"]), encoding="utf-8", newline="\n")
    draw(found["results"], PICTURE)


def page(results, machine):
    busy = (
        ""
        if machine["load_before"] < 0.5
        else f" **The machine had been busy** (load {machine['load_before']:g} in the minute before): read the ratios, not the "
        "seconds."
    )
    measured = {(family, shape) for family, shape, _ in bars.rows(results)}
    missing = [f"{name} ({shape})" for name in FAMILIES for shape in SHAPES if (name, shape) not in measured]
    busy += f" Not measured yet: {', '.join(missing)}." if missing else ""
    versions = ", ".join(f"{name} {found}" for name, found in machine["versions"].items() if found)
    return (
        HEAD.format(
            count=len(results),
            tables=len(measured),
            slower=slower(results),
            all=bars.means(results),
            large=bars.means(results, large=True),
            alt=alt(results),
            busy=busy,
            wanted=bars,
            cores=machine["cores"],
            processor=machine["processor"],
            python=machine["python"],
            versions=versions,
        )
        + "".join(numbers_of(name, row["shapes"]) for name, row in results.items())
        + SLOW
        + slow(results)
        + DETAILS
        + "".join(row_of(*found) for found in bars.rows(results))
        + MEMORY_HEAD
        + memory(results)
        + GROWTH_HEAD
        + "".join(growth_of(name, row) for name, row in results.items())
    )


HEAD = """# Speed

Every family of `helpers` beside its peers, on a small table, such as a notebook holds, a typical and a large one. A
ratio is the peer's time over ours: above 1 ours is faster. **Where we are slower than what you would take instead**
(scikit-learn's default, or the first peer named; by more than a tenth): {slower}.

Geometric mean over the {tables} tables: **{all[0]:.1f}** against the first peer named, {all[1]:.1f} against the fastest
(the aim is {wanted.MEAN_ALL:g}); over the large ones, the {count} on which this was tuned, {large[0]:.1f} and {large[1]:.1f} (the aim is {wanted.MEAN:g}).{busy}

![{alt}](_static/benchmarks.png)

Written by `benchmarks/run.py`: same data, in one process and in turn, input checks included. Before anything is timed
the results are compared. A ratio is the median of the rounds, in CPU time of the process with one BLAS thread. Speed
comes from the chapters' mathematics, a Gram matrix or one factorisation that serves every subset, blocks that fit the
cache; where a readable version and a fast one conflict, the readable one stands in view and the fast one in `helpers/_fast/`.

Measured on {cores} cores ({processor}), Python {python}; {versions}.

Ratios, beside the first peer named, and in brackets beside the fastest where that is another:

| family | small | typical | large |
|---|---|---|---|
"""
SLOW = """
## Below the aim

On its large table a family is meant to be at least {floor} times as fast as every peer, and some have higher aims of their
own (`benchmarks/bars.py`, and below under "Every table"); on the other tables none is to be more than twice as slow.

""".replace("{floor}", str(bars.FLOOR))
DETAILS = """
## Every table

"Two threads" is the ratio on the clock with two BLAS threads, on the large tables; "largest difference" what was found
between the results.

| family | data | peer: ratio | two threads | ours, s | largest difference |
|---|---|---|---|---|---|
"""
MEMORY_HEAD = """
## Memory

Peak beyond imports and data, MiB, each in a process of its own; at most {limit} or what a peer takes is the aim.

| family | ours | peers |
|---|---|---|
""".replace("{limit}", str(bars.MEMORY))
GROWTH_HEAD = """
## Growth

How our CPU time grows: each size doubled three times, the others at a quarter of the workload's. The exponent p of
`seconds ∝ size^p` is fitted to the four times; small sizes are mostly calls and checks, so p lies below the theory's.

| family | size: from – to, exponent |
|---|---|
"""


def numbers_of(name, shapes):
    """A family's ratios in one line."""
    cells = []
    for shape in SHAPES:
        ratios = list(shapes[shape]["ratio"].values()) if shape in shapes else []
        fastest = f" ({min(ratios):.2g})" if ratios and min(ratios) < ratios[0] else ""
        cells.append(f"{ratios[0]:.3g}{fastest}" if ratios else "–")
    return f"| `{name}` | {' | '.join(cells)} |\n"


def slower(results):
    """Where the first peer named is faster, by more than a tenth."""
    found = {}
    for family, shape, row in bars.rows(results):
        ratio = next(iter(row["ratio"].values()), 1)
        if ratio < bars.FLOOR:
            found.setdefault(family, []).append(f"{shape} {ratio:.2g}")
    return "; ".join(f"`{family}` ({', '.join(where)})" for family, where in found.items()) or "nowhere"


def row_of(name, shape, row):
    peers = "; ".join(_marked(name, shape, peer, ratio) for peer, ratio in row["ratio"].items())
    two = "; ".join(f"{ratio:.3g}" for ratio in row.get("two_threads", {}).values())
    worst = max((found for triples in row["agreement"].values() for found in triples), key=lambda t: t[1])
    said = "equal" if worst[1] == 0 else f"{worst[1]:.0e} ({worst[0]})"
    return f"| `{name}`, {shape} | {row['data']} | {peers} | {two} | {row['seconds']['helpers']:.2g} | {said} |\n"


def _marked(name, shape, peer, ratio):
    """The ratio, with its bar where it has one of its own or misses it."""
    wanted = bars.bar(name, shape, peer)
    own = shape == "large" and wanted != bars.FLOOR
    return f"{peer} **{ratio:.3g}**" + (f" (aim {wanted:g})" if own or ratio < wanted else "")


def slow(results):
    """A line for each family that misses a bar, or beside a peer the floor: where, and the reason."""
    found = {}
    for family, shape, row in bars.rows(results):
        for peer, ratio in row["ratio"].items():
            if ratio < bars.bar(family, shape, peer) or (shape == "large" and ratio < bars.FLOOR):
                found.setdefault(family, []).append(f"{shape}, beside {peer} {ratio:.2g}")
    return (
        "".join(
            f"- `{family}` ({'; '.join(where)}): {bars.SLOWER.get(family, 'not explained yet.')}\n"
            for family, where in found.items()
        )
        or "None.\n"
    )


def memory(results):
    lines = []
    for name, row in results.items():
        peaks = {who: mib for who, mib in row["memory_mib"].items() if mib is not None}
        if "helpers" in peaks:
            peers = "; ".join(f"{who} {mib:.0f}" for who, mib in peaks.items() if who != "helpers")
            lines.append(f"| `{name}` | {peaks['helpers']:.0f} | {peers} |\n")
    over = ", ".join(f"`{name}`" for name, *_ in bars.too_much_memory(results))
    return "".join(lines) + (f"\nMore than the aim: {over}.\n" if over else "\nAll keep to it.\n")


def growth_of(name, row):
    sizes = "; ".join(
        f"{size}: {g['sizes'][0]} – {g['sizes'][-1]}, {g['exponent']:.1f}"
        for size, g in row["growth"].items()
    )
    return f"| `{name}` | {sizes} |\n" if sizes else ""


# ---------------------------------------------------------------- the picture
def alt(results):
    ratios = {(name, shape): min(row["ratio"].values()) for name, shape, row in bars.rows(results)}
    (best, shape), top = max(ratios.items(), key=lambda item: item[1])
    return (
        f"Ratios of the fastest peer's time to ours on a logarithmic axis, a point for each family on its small, typical "
        f"and large table: {sum(ratio >= 1 for ratio in ratios.values())} of {len(ratios)} are 1 or more, "
        f"{sum(ratio < bars.HALF for ratio in ratios.values())} below a half, the largest is {top:.0f} ({best}, {shape})."
    )


def draw(results, path):
    """Families from the slowest to the fastest; a marker for each shape."""
    import matplotlib.pyplot as plt

    from helpers.plotting import COLOURS, MARKERS, STYLE, figure

    closest = {
        name: {shape: min(row["ratio"].values()) for shape, row in found["shapes"].items()}
        for name, found in results.items()
    }
    order = sorted(closest, key=lambda name: min(closest[name].values()))
    fig, ax = figure(height=0.19 * len(order) + 1)
    for shape, marker, colour in zip(SHAPES, MARKERS, COLOURS):
        points = [(closest[name][shape], y) for y, name in enumerate(order) if shape in closest[name]]
        if points:
            ax.plot(*zip(*points), marker, color=colour, linestyle="none", label=shape)
    ax.axvline(1, color="#555555", linewidth=1)
    ax.set(
        xscale="log", xlabel="fastest peer's CPU time / ours", yticks=range(len(order)), ylim=(-1, len(order))
    )
    ax.set_yticklabels(order, fontsize=7)
    ax.legend(loc="lower right")
    with plt.rc_context(STYLE):
        fig.savefig(path, metadata={"Software": None})
    plt.close(fig)
