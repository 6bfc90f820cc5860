"""Kernels that need not load NumPy and its like: each is forked from a process that has loaded them.

Half a hundred notebooks are run, and each kernel would spend two seconds on imports. A forked one has what a
fresh one has, an empty namespace and a state of chance of its own, but for modules that are loaded already.
pyplot is not among them, which looks for a kernel when it is loaded. The first kernel of a process is
fresh: where no second follows, nothing is gained. So are all where a process cannot be forked safely.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

LOADED = """
    ipykernel.kernelapp IPython.display ipywidgets joblib matplotlib.backends.backend_agg
    matplotlib.figure numpy pandas scipy.cluster.hierarchy scipy.interpolate scipy.linalg scipy.ndimage
    scipy.optimize scipy.signal scipy.sparse.csgraph scipy.spatial scipy.special scipy.stats sklearn.base
    sklearn.compose sklearn.datasets sklearn.decomposition sklearn.discriminant_analysis sklearn.ensemble
    sklearn.feature_selection sklearn.impute sklearn.linear_model sklearn.manifold sklearn.metrics
    sklearn.model_selection sklearn.multiclass sklearn.neighbors sklearn.pipeline sklearn.preprocessing
    sklearn.svm sklearn.tree sympy
""".split()
NOT_LOADED = ("matplotlib.pyplot", "matplotlib_inline.backend_inline", "helpers", "grading")
SAME = ("PYTHON", "OMP_", "OPENBLAS_", "MKL_", "NPY_", "MPL")  # what a process reads only when it starts


def launcher(launch):
    """In place of jupyter_client's `launch`: from the second kernel on, of this Python, forked ones."""
    state = {"launched": 0, "nursery": None}

    def launch_kernel(cmd, cwd=None, env=None, **options):
        state["launched"] += 1
        ours = cmd[0] == sys.executable and "ipykernel_launcher" in cmd and settings(env) == settings()
        if not ours or state["launched"] == 1:
            return launch(cmd, cwd=cwd, env=env, **options)
        if state["nursery"] is None:
            state["nursery"] = Nursery()
        arguments = cmd[cmd.index("ipykernel_launcher") :]
        forked = state["nursery"].fork(arguments, cwd or os.getcwd(), env)
        return forked or launch(cmd, cwd=cwd, env=env, **options)

    return launch_kernel


def settings(env=None):
    env = os.environ if env is None else env
    return {name: value for name, value in env.items() if name.startswith(SAME)}


class Nursery:
    """The process that has loaded them, as the tests see it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        atexit.register(self.close)

    def ask(self, *words):
        with self.lock:
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())

    def fork(self, arguments, folder, environment):
        """A new kernel; None where there can be none."""
        pid = self.ask("fork", arguments, folder, dict(os.environ if environment is None else environment))
        return None if pid is None else Forked(self, pid)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Forked:
    """What subprocess.Popen offers, of a process that another one has forked."""

    stdin = stdout = stderr = None

    def __init__(self, nursery, pid):
        self.nursery, self.pid, self.returncode = nursery, pid, None

    def poll(self):
        if self.returncode is None:
            gone = self.nursery.process.poll() is not None  # and its kernels with it
            self.returncode = -signal.SIGHUP if gone else self.nursery.ask("poll", self.pid)
        return self.returncode

    def wait(self, timeout=None):
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("a forked kernel", timeout)
            time.sleep(0.02)
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


# ---- inside the nursery


def main():
    asked, told = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence()
    sys.path.pop(0)  # this folder
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends when the nursery does
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel sets it
    for name in LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    for line in asked:
        what, *words = json.loads(line)
        answer = fork(*words, (asked, told)) if what == "fork" else poll(*words)
        told.write(json.dumps(answer) + "\n")
        told.flush()


def silence():
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.close(nothing)


def is_safe():
    """No thread but this one: what another holds locked would stay so in the child."""
    return len(os.listdir("/proc/self/task")) == 1 and not any(name in sys.modules for name in NOT_LOADED)


def fork(arguments, folder, environment, files):
    if not is_safe():
        return None
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            for file in files:
                os.close(file.fileno())
            status = become_kernel(arguments, folder, environment)
        finally:
            os._exit(status)
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass  # it has done so itself
    return pid


def become_kernel(arguments, folder, environment):
    os.setpgid(0, 0)
    os.chdir(folder)
    mine = {name: os.environ[name] for name in ("JPY_PARENT_PID", "MPLBACKEND")}
    os.environ.clear()
    os.environ.update(environment | mine)
    sys.argv = arguments
    sys.modules["numpy"].random.seed()  # the random module sees to that itself
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
    atexit._run_exitfuncs()
    return 0


def poll(pid):
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


if __name__ == "__main__":
    main()
