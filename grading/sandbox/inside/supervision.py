"""Watches over a submission: its time, its memory, its end. Runs in a room, and no student's code with it."""

import contextlib
import os
import re
import signal
import time

BUFFER = 2**18  # bytes that a socket holds at most


class Supervised:
    """A submission that runs: its end, its wall time or the trusted side's word ends all of it."""

    def __init__(self, child, life, settings):
        self.child, self.life, self.safe = child, life, settings["safe"]
        self.pidfd, self.last = os.pidfd_open(child), time.monotonic() + settings["limits"]["wall"]

    def reason_to_end(self, ready, proc):
        if self.life in ready and not self.tells(proc):
            return "asked"
        if self.pidfd in ready:
            return "ended"
        return "wall" if time.monotonic() > self.last else ""

    def tells(self, proc):
        """The trusted side asks for the processor time so far, or has gone."""
        from wire import send

        try:
            asked = self.life.recv(16)
            if asked:
                send(self.life, {"cpu": cpu_of_submissions(proc) if self.safe else cpu_of(proc, self.child)})
        except OSError:
            return False
        return bool(asked)

    def end(self, reason):
        from wire import send

        try:
            os.kill(self.child, signal.SIGKILL)  # number 1 of its namespace: every process there ends, too
            if not self.safe:
                os.killpg(self.child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        _, status, used = os.wait4(self.child, 0)
        try:
            send(self.life, {"reason": reason, "status": status, "cpu": used.ru_utime + used.ru_stime})
        except OSError:
            pass
        self.life.close()
        os.close(self.pidfd)


def takes_too_much(proc, limits):
    left = limits["total_memory"] - buffers_of_submissions(proc)
    return all(memory_of_submissions(kind, proc) > left for kind in READ)


def buffers_of_submissions(proc):
    """Bytes that wait in sockets at most: memory that the kernel counts for no process."""
    found = set()

    def look(pid):
        folder = os.open(f"{pid}/fd", os.O_RDONLY, dir_fd=proc)
        try:
            for name in os.listdir(folder):
                with contextlib.suppress(OSError):  # closed meanwhile
                    found.add(os.readlink(name, dir_fd=folder))
        finally:
            os.close(folder)
        return 0

    total_of_submissions(proc, look)
    return BUFFER * sum(name.startswith("socket:") for name in found)


def memory_of_submissions(kind, proc):
    """Bytes held by all processes in a namespace below this one; a process cannot hide what is read here.

    proc : the sandbox's /proc, open
    kind : "statm" is quick and counts a page once for each process that has it; "smaps_rollup" shares it out
    """
    return total_of_submissions(proc, lambda pid: READ[kind](read_at(proc, f"{pid}/{kind}")))


def cpu_of_submissions(proc):
    return total_of_submissions(proc, lambda pid: cpu_of(proc, pid))


def total_of_submissions(proc, amount):
    total = 0
    for pid in filter(str.isdigit, os.listdir(proc)):
        try:
            status = read_at(proc, f"{pid}/status")
            levels = next(line for line in status.splitlines() if line.startswith("NSpid:"))
            if len(levels.split()) > 2:
                total += amount(pid)
        except (OSError, StopIteration, IndexError, TypeError):
            continue  # it ended meanwhile
    return total


def cpu_of(proc, pid):
    """Seconds of a process, and of those children of it that have ended."""
    words = read_at(proc, f"{pid}/stat").rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def read_at(folder, name):
    with open(os.open(name, os.O_RDONLY, dir_fd=folder), encoding="utf-8", errors="replace") as file:
        return file.read()


READ = {
    "statm": lambda text: int(text.split()[1]) * os.sysconf("SC_PAGESIZE"),
    "smaps_rollup": lambda text: 1024 * int(re.search(r"^Pss: +(\d+)", text, re.M)[1]),
}
