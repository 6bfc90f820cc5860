"""Does the sandbox hold? Each probe tries what no submission may do, on the very path of a student's code.

Each undoes what it did, should it succeed. A probe that succeeds, or that fails for another reason than
being refused, stops the run.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from pathlib import Path

from grading.registry import folders
from grading.sandbox.host import GRADING, ProcessLost, Sandbox, SandboxError
from grading.sandbox.inside import wire

REFUSED = (
    "OSError",
    "PermissionError",
    "FileNotFoundError",
    "NotADirectoryError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "TimeoutError",
    "BlockingIOError",
    "MemoryError",
)

MEETS = "meet another submission"
# what it would mean: a function that raises where the sandbox holds; `known`: what the lecturer's side knows
PROBES = {
    "open a connection": """
def probe(known):
    import socket
    socket.create_connection(("127.0.0.1", known["port"]), 1).close()
""",
    "read the lecturer's files": """
def probe(known):
    import os
    if not [path for path in known["files"] if os.path.lexists(path)]:
        raise PermissionError
""",
    "write outside": """
def probe(known):
    import os
    for folder in known["folders"]:
        try:
            with open(folder + "/course-probe", "w"):
                pass
            os.remove(folder + "/course-probe")
            return
        except OSError:
            pass
    raise PermissionError
""",
    "see another process": """
def probe(known):
    import os
    if not [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]:
        raise PermissionError
""",
    "signal its supervisor": """
def probe(known):
    import os
    if os.getpgrp():                                        # 0: a group whose leader lives outside
        raise PermissionError
""",
    "mount": """
def probe(known):
    import ctypes, os, tempfile
    libc, own = ctypes.CDLL(None), tempfile.mkdtemp()       # where it would disturb nobody, if it succeeded
    try:
        if libc.mount(b"none", own.encode(), b"tmpfs", 0, b"size=4k"):
            raise PermissionError
        libc.umount2(own.encode(), 2)
    finally:
        os.rmdir(own)
""",
    "make a namespace": """
def probe(known):
    import ctypes
    if ctypes.CDLL(None).unshare(0x10000000):
        raise PermissionError
""",
    "trace a process": """
def probe(known):
    import ctypes
    if ctypes.CDLL(None).ptrace(0, 0, 0, 0):
        raise PermissionError
""",
    "call the system without a filter": """
def probe(known):
    import ctypes
    prctl = ctypes.CDLL(None).prctl
    if prctl(21, 0, 0, 0, 0) == 2 and prctl(39, 0, 0, 0, 0) == 1:      # PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS
        raise PermissionError
""",
    "take more memory than is allowed": """
def probe(known):
    import numpy
    numpy.empty(known["memory"], dtype="uint8")
""",
    "take memory that no limit counts": """
def probe(known):
    import ctypes
    libc = ctypes.CDLL(None)
    taken = [libc.memfd_create(b"probe", 0), libc.shmget(0, 4096, 0o1600)]
    if max(taken) < 0:
        raise PermissionError
""",
    "take memory by empty files": """
def probe(known):
    import os
    try:
        for i in range(40_000):
            open(f"/tmp/probe{i}", "w").close()
    finally:
        for name in os.listdir("/tmp"):
            if name.startswith("probe"):
                os.remove(f"/tmp/{name}")
""",
    "open a socket to the machine, its kernel or its host": """
def probe(known):
    import socket
    opened = []
    for family in (2, 10, 16, 17, 40, 38, 44):      # IPv4, IPv6, netlink, packets, vsock, alg, xdp
        for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_RAW):
            try:
                opened.append(socket.socket(family, kind))
            except OSError:
                pass
    if not opened:
        raise PermissionError
    for one in opened:
        one.close()
""",
    "call the system beyond the list": """
def probe(known):
    import ctypes, os
    # bpf, perf_event_open, io_uring_setup, userfaultfd, add_key, keyctl, kcmp, fsopen, landlock
    numbers = {"x86_64": (321, 298, 425, 323, 248, 250, 312, 430, 444),
               "aarch64": (280, 241, 425, 282, 217, 219, 272, 430, 444)}[os.uname().machine]
    libc = ctypes.CDLL(None, use_errno=True)
    for number in numbers:                              # each of them without arguments, which does nothing
        ctypes.set_errno(0)
        if libc.syscall(number, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 38:       # ENOSYS
            return
    raise PermissionError
""",
    "enter namespaces by a clone": """
def probe(known):
    import ctypes, os, signal
    number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    made = [ctypes.PyDLL(None).syscall(number, flag | signal.SIGCHLD, None, None, None, None)
            for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)]
    if 0 in made:
        os._exit(0)
    for child in made:
        child > 0 and os.waitpid(child, 0)
    if max(made) < 0:
        raise PermissionError
""",
    "be spared where memory runs short": """
def probe(known):
    for text in ("0", "-1000"):
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write(text)
""",
    MEETS: """
def probe(known):
    import os, socket
    seen = [path for path in ("/tmp/course-left", "/dev/shm/course-left") if os.path.exists(path)]
    for path in seen:
        os.remove(path)
    if not seen:
        with socket.socket(socket.AF_UNIX) as one:
            one.connect("\\0course-left")    # a namespace of the network keeps them apart
""",
    "lock a file that others read": """
def probe(known):
    import fcntl
    with open("/usr/bin/env", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
""",
    "make a socket's buffer larger": """
def probe(known):
    import socket
    a, b = socket.socketpair()
    with a, b:
        a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**20)
""",
    "watch the system": """
def probe(known):
    import ctypes
    if ctypes.CDLL(None).fanotify_init(0, 0) < 0:
        raise PermissionError
""",
    "start more processes than are allowed": """
def probe(known):
    import ctypes, threading
    ctypes.CDLL(None).mallopt(-8, 1)                    # M_ARENA_MAX: threads share the memory that is left
    threading.stack_size(2**16)
    end, started = threading.Event(), []
    try:
        for _ in range(known["processes"] + 1):             # the limit counts threads too, and they are cheap
            started.append(threading.Thread(target=end.wait, daemon=True))
            started[-1].start()
    except RuntimeError:
        raise BlockingIOError
    finally:
        end.set()
""",
}

# what another submission, which is still running, leaves in the way
LEFT = """
import socket
left = socket.socket(socket.AF_UNIX)
left.bind("\\0course-left")
left.listen()
for place in ("/tmp", "/dev/shm"):
    open(place + "/course-left", "w").close()
"""


def verify(sandbox: Sandbox, probes=PROBES):
    """Raises SandboxError, which says what a submission could do."""
    found = open_probes(sandbox, probes)
    if found:
        raise SandboxError(
            f"the sandbox does not hold: a submission could {' and '.join(found)}. Nothing was graded."
        )


def open_probes(sandbox: Sandbox, probes=PROBES) -> list[str]:
    """Those that were not refused."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        known = {
            "port": listening.getsockname()[1],
            "files": lecturers_files(),
            "folders": ["/usr", "/venv", "/course", "/rt", "/etc", "/"],
            "memory": sandbox.limits["memory"] + 1,
            "processes": sandbox.limits["processes"],
        }
        other, process = sandbox.process(), sandbox.process()
        try:
            if MEETS in probes:
                other.request({"op": "cell", "cell": 0, "source": LEFT}, 30.0)
            return [what for what, source in probes.items() if not is_refused(process, source, known)]
        except ProcessLost as lost:
            raise SandboxError(f"the probes of the sandbox ended early ({lost})") from lost
        finally:
            process.close()
            other.close()


def is_refused(process, source, known):
    process.request({"op": "cell", "cell": 0, "source": source}, 30.0)
    reply = process.request({"op": "call", "name": "probe", "args": wire.encode((known,)), "seed": 0}, 30.0)
    return reply.get("ok") is False and reply.get("kind") in REFUSED


def lecturers_files():
    """The questions, and what lies in the lecturer's home; without the folders that lead to Python itself."""
    python = [Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    home, found = Path.home(), [GRADING / "question.py"]
    found += [folder / "questions.py" for folder in folders().values()]
    with contextlib.suppress(OSError):
        inside = [home / name for name in sorted(os.listdir(home))[:100]] if len(home.parts) > 1 else []
        found += [path for path in inside if not any(p.is_relative_to(path.resolve()) for p in python)]
    return [str(path) for path in found]
