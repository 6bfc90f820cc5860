"""A forked kernel is as good as a fresh one."""

import os
import signal
import subprocess
import sys
import time

import pytest
from jupyter_client.launcher import launch_kernel
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import local_provisioner

from tests import nursery
from tests.open_cells import ask
from tools.books import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks only on Linux")
STATE = """
import os, random, sys
import numpy as np
state = [os.getcwd(), os.getppid(), random.random(), float(np.random.rand()), "sklearn.svm" in sys.modules]
state += [os.environ.get("OF_THIS_KERNEL"), os.environ["MPLBACKEND"], sorted(vars())]
"""


class Kernel:
    """As tests/open_cells.py asks it."""

    def __init__(self, folder):
        self.km = KernelManager(kernel_name="python3")
        self.km.start_kernel(cwd=str(folder), env={**os.environ, "OF_THIS_KERNEL": folder.name})
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def get_message(self, stream, timeout):
        return getattr(self.kc, f"get_{stream}_msg")(timeout=timeout)

    def await_idle(self, sent, timeout):
        pass

    def stop(self):
        self.kc.stop_channels()
        self.km.shutdown_kernel(now=True)


def test_a_forked_kernel_has_what_a_fresh_one_has(tmp_path, monkeypatch):
    launched = []

    def launch(*words, **options):
        launched.append(launch_kernel(*words, **options))
        return launched[-1]

    made = []
    monkeypatch.setattr(nursery, "Nursery", lambda once=nursery.Nursery: made.append(once()) or made[-1])
    monkeypatch.setattr(local_provisioner, "launch_kernel", nursery.launcher(launch))
    folders = [tmp_path / name for name in ("fresh", "one", "two")]
    kernels = []
    try:
        for folder in folders:
            folder.mkdir()
            kernels.append(Kernel(folder))
        fresh, one, two = (ask(kernel, STATE, "state") for kernel in kernels)
        (its_nursery,) = made
        parents = [os.getpid(), its_nursery.process.pid, its_nursery.process.pid]
        assert len(launched) == 1 and [state[1] for state in (fresh, one, two)] == parents
        assert [state[0] for state in (fresh, one, two)] == [str(folder) for folder in folders]
        assert [state[5] for state in (fresh, one, two)] == [folder.name for folder in folders]
        assert one[2] != two[2] and one[3] != two[3] and [fresh[4], one[4], two[4]] == [False, True, True]
        assert fresh[6:] == one[6:] == two[6:]
        ends_are_told(kernels[1:], its_nursery)
    finally:
        for kernel in kernels:
            kernel.stop()


def ends_are_told(kernels, its_nursery):
    """One is interrupted and then killed; the other ends when the nursery does."""
    one, two = kernels
    one.km.interrupt_kernel()
    assert ask(one, "", "1 + 1") == 2
    forked = [kernel.km.provisioner.process for kernel in kernels]
    forked[0].kill()
    assert forked[0].wait(60) == -signal.SIGKILL and not one.km.is_alive() and two.km.is_alive()
    its_nursery.close()
    end = time.monotonic() + 60
    while is_running(forked[1].pid):
        assert time.monotonic() < end, "the kernel outlives the nursery"
        time.sleep(0.1)
    assert not two.km.is_alive()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_a_process_with_a_second_thread_is_not_forked():
    code = (
        "import threading, time; from tests import nursery\n"
        "print(nursery.is_safe())\n"
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start(); print(nursery.is_safe())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout.split() == ["True", "False"], done.stderr
