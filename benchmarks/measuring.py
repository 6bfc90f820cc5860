"""What a workload costs: time beside peers, growth with its sizes, peak memory in its own process."""

import ctypes
import gc
import multiprocessing
import sys
import time
from importlib.util import find_spec
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.workload import FAMILIES, PEERS, is_there

LEAST = 0.01  # seconds that one timing lasts at least: what is quicker is called several times
LONG = 0.3  # seconds after which the growth of a family is measured by one call


class Disagreement(Exception):
    """Ours and a peer's results differ by more than is allowed: there is nothing to compare."""


# ---------------------------------------------------------------- a process of its own
def can_fork():
    """Linux: there a process is forked in a moment, and the system tells its peak memory."""
    return sys.platform == "linux"


def import_peers():
    """Whatever is forked later has them, and has done nothing else."""
    for peer in filter(find_spec, PEERS):
        __import__(peer)
    gc.freeze()  # what they made is looked through by no later collection, nor copied for it


def alone(function, *args):
    """``function(*args)`` in a process forked for it: what is left in memory neither slows nor hides it."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=_send, args=(there, function, args))
    child.start()
    there.close()
    try:
        answer, error = here.recv()
    except EOFError:
        raise RuntimeError("its process died: is there enough memory?") from None
    finally:
        child.join()
    if error:
        raise error
    return answer


def settle_allocator():
    """Hold and free 16 MiB, as any session has that has loaded a table.

    Until then the C library hands freed memory back at once, and every larger array costs page faults: what
    is timed would be the first second of a process.
    """
    np.ones(2**21)


def _send(pipe, function, args):
    try:
        answer = function(*args), None
    except Exception as error:  # told where it can be handled
        answer = None, error
    pipe.send(answer)


# ---------------------------------------------------------------- agreement
def agreements(case):
    """For every peer the (what, difference, allowed) triples; raises where a difference is too large."""
    ours, found = case.ours(), {}
    for peer, theirs in case.peers.items():
        found[peer] = [tuple(triple) for triple in case.agree(ours, peer, theirs())]
        for what, difference, allowed in found[peer]:
            if not difference <= allowed:  # a NaN does not agree either
                raise Disagreement(f"{peer}: {what} {difference:.3g}, allowed {allowed:g}")
    return found


def present(case):
    """The case with those peers that are installed, and the names of the others."""
    absent = [peer for peer in case.peers if not is_there(peer)]
    return case._replace(peers={p: f for p, f in case.peers.items() if p not in absent}), absent


# ---------------------------------------------------------------- time
def timed(function, calls):
    """CPU seconds of the process and seconds on the clock, for one call."""
    gc.collect()
    gc.disable()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(calls):
        function()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gc.enable()
    return cpu / calls, wall / calls


def enough_calls(function):
    """How many calls last long enough to be timed."""
    _, once = timed(function, 1)
    return max(1, int(np.ceil(LEAST / max(once, 1e-6))))


def side_by_side(functions, calls, rounds, seconds):
    """All in turn, forwards and backwards, so that a busy moment meets each: {name: [(cpu, wall), …]}.

    So many rounds, but no new one (after the third) once so many seconds have passed.
    """
    times, start = {name: [] for name in functions}, time.perf_counter()
    for i in range(rounds):
        if i >= 3 and time.perf_counter() - start > seconds:
            break
        for name in list(functions)[:: 1 if i % 2 else -1]:
            times[name].append(timed(functions[name], calls[name]))
    return times


def ratios(times, clock):
    """Median over the rounds of the peer's time over ours; clock 0: CPU, 1: wall."""
    ours = [t[clock] for t in times["helpers"]]
    return {
        name: median(t[clock] / o for t, o in zip(theirs, ours))
        for name, theirs in times.items()
        if name != "helpers"
    }


def compared(case, rounds, seconds, threads=2):
    """Ratios with one BLAS thread (CPU time, and wall) and, if asked, with two (wall), and our seconds."""
    functions = {"helpers": case.ours, **case.peers}
    with threadpool_limits(1):
        calls = {name: enough_calls(function) for name, function in functions.items()}
        one = side_by_side(functions, calls, rounds, seconds)
    found = {
        "ratio": ratios(one, 0),
        "wall_ratio": ratios(one, 1),
        "seconds": {name: median(t[0] for t in rounds) for name, rounds in one.items()},
    }
    if threads > 1:
        with threadpool_limits(threads):
            found["two_threads"] = ratios(side_by_side(functions, calls, min(rounds, 2), seconds), 1)
    return found


# ---------------------------------------------------------------- growth
def growth(family, doublings):
    """For every size of the family: sizes, our CPU seconds, and the exponent p of seconds ≈ size^p.

    Meanwhile the others stand at twice their start: a quarter of the workload's.
    """
    middle = {name: 2 * start for name, start in family.grow.items()} if doublings > 1 else family.grow
    return {
        name: grown(family, middle, name, [start * 2**i for i in range(doublings + 1)])
        for name, start in family.grow.items()
    }


def grown(family, middle, name, sizes):
    seconds = []
    for size in sizes:
        ours = family.make(**{**middle, name: size}).ours
        with threadpool_limits(1):
            first, _ = timed(ours, 1)  # warm-up, unless it is long
            calls = max(1, int(np.ceil(LEAST / max(first, 1e-6))))
            again = [] if first > LONG else [timed(ours, calls)[0] for _ in range(3)]
            seconds.append(min([first, *again]))
    exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    return {"sizes": sizes, "seconds": seconds, "exponent": float(exponent)}


# ---------------------------------------------------------------- memory
def peak(family, name):
    """The peak MiB that one call takes beyond imports and data; to be asked for in a process of its own."""
    case = FAMILIES[family].make()
    function = case.ours if name == "helpers" else case.peers[name]
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # freed memory that the process still holds would hide a peak
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # the high-water mark begins here
    before = _status("VmRSS")
    with threadpool_limits(1):
        result = function()  # what it returns counts, too
    mib = (_status("VmHWM") - before) / 1024
    del result
    return mib


def _status(field):
    """A line of /proc/self/status, in KiB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))
