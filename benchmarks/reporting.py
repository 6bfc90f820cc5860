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
from benchmarks.workload import FAMILIES

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


def line(name, row):
    """A family in one line of the terminal."""
    marks = (
        f"{peer} {ratio:.3g}"
        + ("" if ratio >= bars.bar(name, peer) else f" (below {bars.bar(name, peer):g})")
        for peer, ratio in row["ratio"].items()
    )
    return f"{name:20s}" + "  ".join(marks)


# ---------------------------------------------------------------- the page
def write_pages():
    """docs/benchmarks.md and its picture from benchmarks/results.json."""
    found = stored()
    PAGE.write_text(page(found["results"], found["machine"]), encoding="utf-8", newline="\n")
    draw(found["results"], PICTURE)


def page(results, machine):
    first, fastest = bars.means(results)
    busy = (
        ""
        if machine["load_before"] < 0.5
        else f" **The machine had been busy** (load {machine['load_before']:g} in the minute before): read the ratios, not the "
        "seconds."
    )
    missing = [name for name in FAMILIES if name not in results]
    busy += f" Not measured yet: {', '.join(missing)}." if missing else ""
    versions = ", ".join(f"{name} {found}" for name, found in machine["versions"].items() if found)
    return (
        HEAD.format(
            count=len(results),
            first=first,
            fastest=fastest,
            alt=alt(results),
            busy=busy,
            mean=bars.MEAN,
            cores=machine["cores"],
            processor=machine["processor"],
            python=machine["python"],
            versions=versions,
            floor=bars.FLOOR,
        )
        + "".join(row_of(name, row) for name, row in results.items())
        + SLOW
        + slow(results)
        + MEMORY_HEAD
        + memory(results)
        + GROWTH_HEAD
        + "".join(growth_of(name, row) for name, row in results.items())
    )


HEAD = """# Speed

Written by `benchmarks/run.py`: every family of `helpers` beside its peers, on the same data, in one process and in
turn, input checks included. Before anything is timed the results are compared; "largest difference" is what was found.
A ratio is the peer's time over ours (above 1: ours is faster), the median of the rounds, in CPU time of the process
with one BLAS thread; the next column has the time on the clock with two. Speed comes from the chapters' mathematics,
a Gram matrix or one factorisation that serves every subset, blocks that fit the cache; where a readable version and
a fast one conflict, the readable one stands here.

Geometric mean over {count} families: **{first:.1f}** against the first peer named, {fastest:.1f} against the fastest
(the aim is {mean:g}).{busy}

![{alt}](_static/benchmarks.png)

Measured on {cores} cores ({processor}), Python {python}; {versions}.

| family | data | peer: ratio, CPU, one thread | two threads | ours, s | largest difference |
|---|---|---|---|---|---|
"""
SLOW = """
## Below the aim

A family is meant to be at least {floor} times as fast as every peer, many much more (`benchmarks/bars.py`).

""".replace("{floor}", str(bars.FLOOR))
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


def row_of(name, row):
    peers = "; ".join(_marked(name, peer, ratio) for peer, ratio in row["ratio"].items())
    two = "; ".join(f"{ratio:.3g}" for ratio in row["two_threads"].values())
    worst = max((found for triples in row["agreement"].values() for found in triples), key=lambda t: t[1])
    said = "equal" if worst[1] == 0 else f"{worst[1]:.0e} ({worst[0]})"
    return f"| `{name}` | {row['data']} | {peers} | {two} | {row['seconds']['helpers']:.2g} | {said} |\n"


def _marked(name, peer, ratio):
    """The ratio, with its bar where it has one of its own or misses it."""
    wanted = bars.bar(name, peer)
    return f"{peer} **{ratio:.3g}**" + (
        f" (aim {wanted:g})" if wanted != bars.FLOOR or ratio < wanted else ""
    )


def slow(results):
    """Every ratio below its bar or below the floor, with the reason where one is known."""
    missed = {(family, peer): f"aim {wanted:g}" for family, peer, _, wanted in bars.missed(results)}
    lines = []
    for family, row in results.items():
        for peer, ratio in row["ratio"].items():
            if (family, peer) in missed or ratio < bars.FLOOR:
                reason = bars.SLOWER.get(family, "")
                lines.append(
                    f"- `{family}` beside {peer}: {ratio:.3g} ({missed.get((family, peer), 'as expected')})"
                    + (f": {reason}" if reason else ".")
                    + "\n"
                )
    return "".join(lines) or "None.\n"


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
    ratios = {(name, peer): ratio for name, row in results.items() for peer, ratio in row["ratio"].items()}
    (best, peer), top = max(ratios.items(), key=lambda item: item[1])
    faster = sum(ratio >= 1 for ratio in ratios.values())
    return (
        f"Ratios of the peers' time to ours, a point for each family and peer on a logarithmic axis: {faster} of "
        f"{len(ratios)} are 1 or more, the largest is {top:.0f} ({best} beside {peer})."
    )


def draw(results, path):
    """Families from the slowest to the fastest; a marker for each peer."""
    import matplotlib.pyplot as plt

    from helpers.plotting import COLOURS, MARKERS, STYLE, figure

    order = sorted(results, key=lambda name: min(results[name]["ratio"].values()))
    fig, ax = figure(height=0.19 * len(order) + 1)
    for i in range(max(len(row["ratio"]) for row in results.values())):
        points = [
            (list(results[name]["ratio"].values())[i], y)
            for y, name in enumerate(order)
            if len(results[name]["ratio"]) > i
        ]
        ax.plot(
            *zip(*points),
            MARKERS[i],
            color=COLOURS[i],
            linestyle="none",
            label=["first peer named", "second", "third", "fourth"][i],
        )
    ax.axvline(1, color="#555555", linewidth=1)
    ax.set(xscale="log", xlabel="peer's CPU time / ours", yticks=range(len(order)), ylim=(-1, len(order)))
    ax.set_yticklabels(order, fontsize=7)
    ax.legend(loc="lower right")
    with plt.rc_context(STYLE):
        fig.savefig(path, metadata={"Software": None})
    plt.close(fig)
