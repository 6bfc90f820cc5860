"""`helpers` and its peers side by side, at three shapes: time, growth of the cost, peak memory.

    uv run --group bench --with-requirements benchmarks/requirements.txt python benchmarks/run.py
    uv run --group bench python benchmarks/run.py knn lda     # these families; their rows are replaced
    uv run python benchmarks/run.py --quick knn               # does it run? nothing is written

Peers that are not installed are reported and left out. Every result is compared with every peer's before any
is timed: where they differ the shape is not timed, and the command ends with an error. Writes
benchmarks/results.json, docs/benchmarks.md and docs/_static/benchmarks.png. benchmarks/README.md says what is
measured, and how.
"""

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

from benchmarks import families, measuring, reporting
from benchmarks.workload import FAMILIES, SHAPES


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="families; all by default")
    parser.add_argument("--quick", action="store_true", help="one round on small tables, written nowhere")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES, help="all by default")
    parser.add_argument("--rounds", type=int, default=12, help="rounds at most for each shape")
    parser.add_argument("--seconds", type=float, default=8.0, help="no new round after so many seconds")
    parser.add_argument(
        "--only-time", action="store_true", help="one thread, neither growth nor memory, with --out"
    )
    parser.add_argument("--out", type=Path, help="write the JSON there, and no table")
    parser.add_argument(
        "--report", action="store_true", help="only write table and picture from the JSON again"
    )
    chosen = parser.parse_args(argv)
    families.load_all()
    unknown = [name for name in chosen.names if name not in FAMILIES]
    if unknown:
        parser.error(f"no family {', '.join(unknown)}; there are {', '.join(FAMILIES)}")
    if chosen.report:
        reporting.write_pages()
        return 0
    machine = reporting.facts(os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)

    def save(results):
        """After every family: a run that is stopped has lost little."""
        if chosen.out:
            reporting.write_json(chosen.out, results, machine)
        elif not chosen.quick:
            known = {**reporting.stored()["results"], **results}
            reporting.write_json(reporting.RESULTS, {n: known[n] for n in FAMILIES if n in known}, machine)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = measure_all(chosen.names or list(FAMILIES), chosen, save)
    if not (chosen.out or chosen.quick):
        reporting.write_pages()
    for name, why in wrong.items():
        print(f"{name}: NOT TIMED, {why}", file=sys.stderr)
    return int(bool(wrong))


def measure_all(names, chosen, save):
    """Measure and save; what could not be compared, and why."""
    start, results, wrong = time.perf_counter(), {}, {}
    apart = measuring.can_fork() and not chosen.quick
    if apart:
        measuring.import_peers()
    do = measuring.alone if apart else lambda function, *args: function(*args)
    for name in names:
        family, shapes = FAMILIES[name], {}
        for shape in ["small"] if chosen.quick else chosen.shapes:
            try:
                shapes[shape] = do(timed, family, shape, chosen)
                print(
                    f"{time.perf_counter() - start:5.0f} s  {reporting.line(name, shape, shapes[shape])}",
                    flush=True,
                )
            except Exception as why:  # the others are measured all the same
                wrong[f"{name}, {shape}"] = f"{type(why).__name__}: {why}"
                print(f"{name}, {shape}: {wrong[f'{name}, {shape}']}", flush=True)
        if shapes:
            results[name] = {"shapes": shapes, **do(grown, family, chosen)}
            known = apart and not chosen.only_time and "large" in shapes
            results[name]["memory_mib"] = {
                who: measuring.alone(measuring.peak, name, who) if known else None
                for who in ["helpers", *next(iter(shapes.values()))["ratio"]]
            }
        save(results)
    return wrong


def timed(family, shape, chosen):
    """One family at one shape: first do the results agree, then how long they take."""
    measuring.settle_allocator()
    case, absent = measuring.present(family.make(**family.shapes[shape]))
    agreed = measuring.agreements(case)
    both = shape == "large" and not (chosen.quick or chosen.only_time)
    times = measuring.compared(case, 1 if chosen.quick else chosen.rounds, chosen.seconds, 2 if both else 1)
    first = shape == "large"  # the 51 workloads that there were before other shapes
    return {
        "data": family.words(shape),
        "of_the_51": first,
        **times,
        "agreement": agreed,
        "absent": absent,
    }


def grown(family, chosen):
    """How our time grows with each size."""
    measuring.settle_allocator()
    return {"growth": {} if chosen.only_time else measuring.growth(family, 1 if chosen.quick else 3)}


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")  # not on import: a kernel that a test starts would inherit it
    sys.exit(main())
