"""A run that may hang, crash or fill the memory: in a process of its own, with limits."""

import os
import signal
import sys
import traceback


def need_fork():
    """Exit with status 2 where processes cannot fork (Windows)."""
    if not hasattr(os, "fork"):
        print(
            "This tool forks its process for every fault, which Windows cannot do: "
            "run it on Linux, macOS or WSL.",
            file=sys.stderr,
        )
        raise SystemExit(2)


def start(action, seconds):
    """Begin action() in a forked child; the child's process id.

    The child ends after `seconds` of its own work, or of 5 times that when it works little: a busy machine
    changes no verdict. It leads a group of its own and exits with what the action returns, 1 when that
    raises.
    """
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout, sys.stderr = (
            open(1, "w", closefd=False, encoding="utf-8"),
            open(2, "w", closefd=False, encoding="utf-8"),
        )
        _limit_time(max(1, int(seconds)))
        _limit_memory()
        status = int(action() or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def finish(pid):
    """Wait for the child and end what it left behind; its exit code (negative: the signal that ended it)."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        os.killpg(pid, signal.SIGKILL)  # the child's own group: workers that it started
    except (ProcessLookupError, PermissionError):
        pass
    return code


def _limit_time(seconds):
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(5 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _limit_memory():
    """A fault in a size must not take the machine down (macOS does not keep this limit)."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, resource.getrlimit(resource.RLIMIT_AS)[1]))
