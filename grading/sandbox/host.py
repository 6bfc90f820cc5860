"""The trusted side of the sandbox: starts it, verifies it, talks to the processes in it. Linux only.

What goes in: cells of a notebook, and the arguments of calls. What comes out: plain data (see
inside/wire.py). The questions, their references, the salt and the gradebook stay on this side.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grading.imports import ROOT
from grading.registry import places
from grading.sandbox.groups import Group, place_for_groups
from grading.sandbox.inside import wire

HELPERS, GRADING = ROOT / "helpers", ROOT / "grading"
INSIDE = Path(__file__).resolve().parent / "inside"
RUNS = ("wire", "calls", "isolation", "habits", "gate", "supervision", "server")  # the modules inside
ALWAYS = ("helpers.datasets", "helpers.plotting")
FOLDER = "course-inside-{pid}-"
GIB = 2**30
MARK = 0.02  # of its time: how long a call may take before its processor time is looked at
KILLED = (-9, 137)  # exit status: bubblewrap by kill -9, and what runs in it
LAYERS = (
    "users, mounts, processes, network and messages of its own",
    "a read-only system, and small folders of its own",
    "a list of the system calls that it may make",
    "limits on the memory, time, files and processes of each process",
    "first to be ended where the machine runs short of memory",
)
GROUPS = "a control group, which limits memory, processes and processor of all its processes together"
WARM_UP = 120.0  # seconds until a server or a room answers
LIMITS = dict(memory=3 * GIB, total_memory=3 * GIB, cpu=60, file=50 * 2**20, processes=64, wall=600.0)


class SandboxError(RuntimeError):
    """The sandbox cannot be trusted, or cannot be made; says what to do."""


class SandboxEnded(SandboxError):
    """Somebody, or the system, ended the sandbox: a new one may do."""


class ProcessLost(Exception):
    """The submission's process ended, hung or spoke nonsense in the middle of a request."""


# ---- what the sandbox sees


def tidy():
    """Folders of graders that were killed are removed."""
    for old in Path(tempfile.gettempdir()).glob(FOLDER.format(pid="*") + "*"):
        pid = old.name.split("-")[2]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(old, ignore_errors=True)


def inside_folder():
    """A temporary folder: `helpers`, as a release has it, a place for the public inputs, and nothing else."""
    tidy()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER.format(pid=os.getpid())))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "rt").mkdir()
    for name in RUNS:
        shutil.copy(INSIDE / f"{name}.py", folder / "rt")
    (folder / "rt" / "cases.json").touch()
    package, silent = folder / "course" / "helpers", folder / "course" / "grading"
    silent.mkdir(parents=True)
    shutil.copy(INSIDE / "silent.py", silent / "__init__.py")
    shutil.copytree(HELPERS, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)  # an ordinary user reads them, whatever the umask
    return folder


# ---- the sandbox itself


def command(folder):
    """bubblewrap's command line: a read-only system, no network, private folders, an ordinary user."""
    bwrap, setpriv = find_program("bwrap", "bubblewrap"), find_program("setpriv", "util-linux")
    environment, base = Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()
    words = [
        *(bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    ]
    if os.geteuid() == 0:  # an own user namespace would leave the limit of processes without effect
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    words += [
        *("--die-with-parent", "--new-session"),
        *("--hostname", "grade"),
        *("--ro-bind", "/usr", "/usr"),
        *("--symlink", "usr/bin", "/bin"),
        *("--symlink", "usr/lib", "/lib"),
        *("--symlink", "usr/lib64", "/lib64"),
        *("--proc", "/proc"),
        *("--dev", "/dev"),
        *("--perms", "1777"),
        *("--tmpfs", "/tmp"),
        *("--tmpfs", "/home"),
        *("--perms", "1777"),
        *("--dir", "/work"),
        *("--ro-bind-try", "/etc/fonts", "/etc/fonts"),
        *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
    ]
    if base != Path("/usr"):
        for above in [*base.parents][-2::-1]:  # all may pass, none may look: bubblewrap lets root alone
            words += ["--perms", "0711", "--dir", str(above)]
        words += ["--ro-bind", str(base), str(base)]
    words += [
        *("--ro-bind", str(environment), "/venv"),
        *("--ro-bind", str(folder / "rt"), "/rt"),
        *("--ro-bind", str(folder / "course"), "/course"),
    ]
    for place, seen in ((environment, "/venv"), (Path("/usr"), "/usr"), (base, str(base))):
        # of an installed course, or a lecturer's own folder there, no question is to be seen
        for ours in (HELPERS, GRADING, *map(Path, places())):
            if ours.is_relative_to(place):
                words += ["--perms", "0000", "--tmpfs", f"{seen}/{ours.relative_to(place)}"]
    words += ["--remount-ro", "/", "--clearenv"]
    for name, text in {
        "HOME": "/tmp",
        "PATH": "/usr/bin",
        "MPLCONFIGDIR": "/tmp",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "IPYTHONDIR": "/tmp",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }.items():
        words += ["--setenv", name, text]
    if os.geteuid() == 0:
        words += [
            setpriv,
            *("--reuid", "65534"),
            *("--regid", "65534"),
            *("--clear-groups", "--no-new-privs", "--bounding-set=-all"),
        ]
    return [*words, "/venv/bin/python", "-I", "-X", "faulthandler", "/rt/server.py"]


def open_command(folder):
    """The same server without any sandbox."""
    return [sys.executable, "-I", str(folder / "rt" / "server.py")]


def find_program(name, package):
    found = shutil.which(name)
    if not found:
        raise SandboxError(
            f"{name} is missing, and without it no submission is run: apt-get install {package}"
        )
    return found


class Sandbox:
    """A warm server inside bubblewrap that makes a process for each submission.

    modules : that the homework imports or forbids: they are there from the start
    cases : {question's id: its public inputs}, for `case` in a submission
    meanwhile : gives both, instead; called while the server imports its libraries
    limits : see `LIMITS`
    safe : False runs the server without bubblewrap: only for tests of the grader on submissions of your own
    """

    def __init__(self, modules=(), limits=None, cases=None, safe=True, meanwhile=None):
        self.limits, self.safe = {**LIMITS, **(limits or {})}, safe
        self.folder, self.rooms = inside_folder(), {}
        self.start()
        try:
            self.place = place_for_groups() if safe else None
            self.tell(*(meanwhile() if meanwhile else (modules, cases)))
        except BaseException:
            self.stop()
            raise

    def layers(self):
        """{what stands between a submission and this machine: whether it is here}"""
        return {what: self.safe for what in LAYERS} | {GROUPS: self.place is not None}

    def start(self):
        ours, theirs = socket.socketpair()
        self.log = tempfile.TemporaryFile()
        with theirs:
            self.server = subprocess.Popen(
                [*(command if self.safe else open_command)(self.folder), str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=self.log,
                stderr=self.log,
            )
        self.control = ours

    def tell(self, modules, cases):
        """What this homework needs, and the limits; the server waits for it."""
        text = json.dumps(wire.encode(cases or {}))
        (self.folder / "rt" / "cases.json").write_text(text, encoding="utf-8")
        settings = {
            "path": ["/course" if self.safe else str(self.folder / "course")],
            "limits": self.limits,
            "safe": self.safe,
            "modules": sorted({*ALWAYS, *modules}),
        }
        with contextlib.suppress(BrokenPipeError):  # gone already: `expect_ready` says why
            self.control.sendall(json.dumps(settings).encode())
        self.expect_ready(self.control, "start")

    def expect_ready(self, control, what):
        control.settimeout(WARM_UP)
        try:
            answer = control.recv(2**12)
        except TimeoutError:
            answer = b"it did not answer in time"
        except OSError:  # it ended with words of ours unread
            answer = b""
        if answer != b"R":
            said = answer.removeprefix(b"E").decode(errors="replace") or self.last_words()
            self.stop()
            if self.server.returncode in KILLED:
                raise SandboxEnded(f"the sandbox was killed before it could {what}")
            raise SandboxError(
                f"the sandbox did not {what}: {said}\nAllow unprivileged user namespaces (Ubuntu 24.04: "
                "an AppArmor profile for bwrap), or start the grader where they are allowed."
            )

    def last_words(self):
        self.log.seek(0)
        return self.log.read()[-2000:].decode(errors="replace").strip() or "it said nothing"

    def room(self, forbids=()):
        """The control socket of the room without these modules; made when first asked for."""
        key = tuple(sorted(forbids))
        if key not in self.rooms:
            ours, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(
                    self.control, [json.dumps({"op": "room", "forbids": key}).encode()], [theirs.fileno()]
                )
            self.expect_ready(ours, "make a room")
            self.rooms[key] = ours
        return self.rooms[key]

    def process(self, forbids=()):
        """A fresh process for a submission."""
        group = None
        try:
            group = Group(self.place, self.limits) if self.place else None
            return Process(self.room(forbids), group)
        except BaseException as error:
            if group is not None:
                group.remove()
            if isinstance(error, (OSError, EOFError)):
                raise SandboxEnded(f"the sandbox is gone ({error})") from error
            raise

    def is_alive(self):
        return self.server.poll() is None

    def stop(self):
        for control in [*self.rooms.values(), self.control]:
            control.close()
        self.rooms = {}
        try:
            self.server.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


class Process:
    """A submission's process: `ask` it to run a cell, to call a function.

    group : the control group that it is put into before it runs a student's code, where there is one
    """

    def __init__(self, control, group=None):
        self.talk, talk = socket.socketpair()
        self.life, life = socket.socketpair()
        self.group = group
        self.talk.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, group is not None)
        with talk, life:
            socket.send_fds(control, [b'{"op": "submission"}'], [talk.fileno(), life.fileno()])
        self.number, self.lost, self.words = 0, "", None
        self.request({"op": "hello"}, seconds=30.0, first=True)

    def request(self, message, seconds, patience=1.0, first=False, more=""):
        """Send, and wait for the answer to just this message. Raises ProcessLost.

        patience : beyond 1, `seconds` are of the processor, and the clock may show so many times as many
        first : who answers is put into the group
        more : of the message, as JSON that was made before
        """
        self.number += 1
        return self.reply(message, seconds, patience, first, more)

    def requests(self, message, seconds, count=1):
        """Send, and give the `count` answers as they come, each in its own time. Raises ProcessLost."""
        self.number += 1
        for i in range(count):
            yield self.reply(message if i == 0 else None, seconds)

    def reply(self, message, seconds, patience=1.0, first=False, more=""):
        last = time.monotonic() + patience * seconds
        try:
            if message is not None:
                self.talk.settimeout(seconds)
                wire.send(self.talk, {"id": self.number, **message}, more=more)
            if patience > 1 and self.runs_out(seconds, last):
                raise TimeoutError
            if first and self.group:
                self.group.take(self.who_answers())
            answer = wire.receive(self.talk, last, wire.VALUES)
        except TimeoutError as error:
            raise self.is_lost("time") from error
        except (OSError, EOFError, wire.WireError) as error:
            raise self.is_lost("end") from error
        if not isinstance(answer, dict) or answer.get("id") != self.number:
            if isinstance(answer, dict) and "setup_error" in answer:
                raise SandboxError(f"a layer of the sandbox is missing: {str(answer['setup_error'])[:300]}")
            raise self.is_lost("end")
        return answer

    def who_answers(self):
        """The number, on this side, of the process that wrote what comes next: the kernel says so."""
        size = struct.calcsize("3i")
        about = self.talk.recvmsg(1, socket.CMSG_SPACE(size), socket.MSG_PEEK)[1]
        return next(
            struct.unpack("3i", data[:size])[0] for _, kind, data in about if kind == socket.SCM_CREDENTIALS
        )

    def runs_out(self, seconds, last):
        """Whether it uses up its processor time, or the clock shows `last`, before it says a word.

        A machine that is busy with others costs no points. Calls that are quick are not even looked at.
        """
        if self.speaks(MARK * seconds):
            return False
        left, before = (1 - MARK) * seconds, self.cpu()
        while left > 0 and time.monotonic() < last:
            if self.speaks(min(max(left, 0.05), max(last - time.monotonic(), 0.0))):
                return False
            left = (1 - MARK) * seconds - (self.cpu() - before)
        return True

    def speaks(self, seconds):
        poll = select.poll()
        poll.register(self.talk, select.POLLIN)
        return bool(poll.poll(1000 * seconds))

    def cpu(self):
        """Seconds of the processor that its group, or its supervisor, counts for it so far."""
        if self.group:
            return self.group.cpu()
        self.life.sendall(b"?")
        words = wire.receive(self.life, time.monotonic() + 30, wire.VALUES)
        if "reason" in words:
            self.words = words
            raise EOFError("it ended meanwhile")
        return float(words["cpu"])

    def is_lost(self, why):
        """Why it ended: "time", "memory", or "end" (it left, or was killed)."""
        greedy = self.group is not None and self.group.ran_out_of_memory()
        words = self.close()
        if "setup_error" in words:
            raise SandboxError(f"a layer of the sandbox is missing: {str(words['setup_error'])[:300]}")
        if "reason" not in words:  # no submission can end its supervisor
            raise SandboxEnded("the sandbox was ended from outside")
        greedy = greedy or words["reason"] == "memory"
        self.lost = "memory" if greedy else "time" if words["reason"] == "wall" else why
        return ProcessLost(self.lost)

    def close(self):
        """End it; what its supervisor says of it."""
        self.talk.close()
        try:
            if self.words is not None:
                return self.words
            self.life.shutdown(socket.SHUT_WR)
            return wire.receive(self.life, time.monotonic() + 30, wire.VALUES)
        except (OSError, EOFError, wire.WireError):
            return {}
        finally:
            self.life.close()
            if self.group:
                self.group.remove()
