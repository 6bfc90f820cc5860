"""What a submission's process gives up before a student's code runs in it. Linux only; fails closed.

Everything is undone with the process: namespaces of its own, fresh private folders, no capabilities,
limits, and a filter of system calls.
"""

import ctypes
import functools
import os
import signal
import tempfile

NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000  # sched.h
RDONLY, NOSUID, NODEV, NOEXEC = 1, 2, 4, 8  # sys/mount.h
PR_SET_SECCOMP, MODE_FILTER, CTL_OPTIMIZE = 22, 2, 8  # sys/prctl.h, linux/seccomp.h, seccomp.h
CHILD_SETTID, CHILD_CLEARTID = 0x1000000, 0x200000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS = 1, 24, 38, 40  # sys/prctl.h
PRIVATE = {  # of a tmpfs the files cost memory, too, not only what is in them
    "/tmp": "size=64m,nr_inodes=16k",
    "/home": "size=16m,nr_inodes=2k",
    "/work": "size=64m,nr_inodes=16k",
    "/dev/shm": "size=64m,nr_inodes=2k",
}
AF_UNIX = 1  # of sockets, the only kind: the others reach the machine, its kernel or its host
# SO_REUSEADDR, ERROR, KEEPALIVE, LINGER, PASSCRED, RCVTIMEO, SNDTIMEO; larger buffers are memory that no
# limit of a process counts
OPTIONS = (2, 4, 9, 13, 16, 20, 21)
MISSING = 38  # ENOSYS: libc then takes an older way, as clone for clone3
NAMESPACES = 0x7E020080  # all of CLONE_NEW*


def _libc():
    return ctypes.CDLL(None, use_errno=True)


def _must(result, what, number=None):
    if result:
        number = number or ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind, flags=0, options=""):
    _must(
        _libc().mount(source.encode(), target.encode(), kind.encode(), flags, options.encode()),
        f"mount {target}",
    )


def own_namespaces():
    """Users and mounts of its own, in which it may mount."""
    uid, gid = os.getuid(), os.getgid()
    _must(_libc().unshare(NEWUSER | NEWNS), "unshare")
    keep_ids(uid, gid)


def keep_ids(uid, gid):
    """In the new namespace of users it is who it was."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def fork_into_namespaces():
    """os.fork with a child in namespaces of its own, as the first process there.

    The process is large, and copying it is what costs: `unshare` would need two forks.
    """
    uid, gid = os.getuid(), os.getgid()
    libc, python = ctypes.PyDLL(None, use_errno=True), ctypes.pythonapi  # both keep the interpreter's lock
    thread = ctypes.c_void_p()  # where the C library keeps this thread's number
    libc.prctl(PR_GET_TID_ADDRESS, ctypes.byref(thread), 0, 0, 0)
    flags = NEWUSER | NEWNS | NEWPID | NEWIPC | NEWNET | CHILD_SETTID | CHILD_CLEARTID | signal.SIGCHLD
    python.PyOS_BeforeFork()
    child = libc.syscall(clone_number(), ctypes.c_long(flags), None, None, thread, thread)
    if child == 0:
        python.PyOS_AfterFork_Child()
        keep_ids(uid, gid)
        return 0
    number = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    _must(child < 0 and number, "clone", number)
    return child


def clone_number():
    """Of the system call, which differs between processors."""
    try:
        return {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    except KeyError:
        raise OSError(f"no sandbox on a processor of type {os.uname().machine}") from None


def first_to_go():
    """Where the machine runs out of memory all the same, its kernel ends a submission and nothing else."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def private_folders():
    """Fresh, empty, small, and gone with the process."""
    for folder, size in PRIVATE.items():
        if os.path.isdir(folder):
            mount("none", folder, "tmpfs", NOSUID | NODEV, size)
    os.makedirs("/home/student", exist_ok=True)
    os.chdir("/work")


def own_proc():
    """/proc shows this submission's processes alone, to be read; where the system refuses that, nothing."""
    try:
        mount("proc", "/proc", "proc", RDONLY | NOSUID | NODEV | NOEXEC)
    except OSError:
        mount("none", "/proc", "tmpfs", NOSUID | NODEV | NOEXEC, "size=4k,ro")


def hide(path):
    """Nothing can be read at `path` any more: an empty folder or file lies over it."""
    if os.path.isdir(path):
        mount("none", path, "tmpfs", NOSUID | NODEV | NOEXEC, "size=4k,ro")
    elif os.path.exists(path):
        _must(_libc().mount(b"/dev/null", path.encode(), b"none", 4096, None), f"bind {path}")  # MS_BIND


def drop_privileges():
    libc = _libc()
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _must(libc.capset(header, none), "capset")
    _must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def set_limits(limits):
    import resource

    for name, value in (
        ("AS", limits["memory"]),
        ("CPU", limits["cpu"]),
        ("FSIZE", limits["file"]),
        ("NOFILE", 128),
        ("NPROC", limits["processes"]),
        ("CORE", 0),
        ("MSGQUEUE", 0),
    ):
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (int(value), int(value)))


def rules_of_calls(otherwise=None):
    """A filter that refuses all but the system calls of calls.py.

    otherwise : what happens to the others, where they are not just missing
    """
    import ctypes.util

    ctypes.util.find_library = lambda name: "libseccomp.so.2"  # the sandbox has no ldconfig to ask
    import pyseccomp
    from calls import ALLOWED

    where = {
        "clone": [pyseccomp.Arg(0, pyseccomp.MASKED_EQ, NAMESPACES, 0)],
        "socket": [pyseccomp.Arg(0, pyseccomp.EQ, AF_UNIX)],
        "socketpair": [pyseccomp.Arg(0, pyseccomp.EQ, AF_UNIX)],
    }
    rules = pyseccomp.SyscallFilter(otherwise or pyseccomp.ERRNO(MISSING))
    ways = [(call, where.get(call, ())) for call in sorted(ALLOWED - {"setsockopt"})]
    ways += [("setsockopt", [pyseccomp.Arg(2, pyseccomp.EQ, option)]) for option in OPTIONS]
    for call, only in ways:
        try:
            rules.add_rule(pyseccomp.ALLOW, call, *only)
        except (ValueError, RuntimeError, OSError):  # a call that this processor, or this library, has not
            if only:
                raise
    return rules


@functools.cache
def prepare_filter():
    """The filter as the kernel takes it, (instructions, their bytes); made once, in the fork server."""
    rules = rules_of_calls()
    try:
        rules.set_attr(CTL_OPTIMIZE, 2)  # a tree of comparisons, no list
    except (ValueError, RuntimeError, OSError):  # an older library
        pass
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        code = file.read()
    return len(code) // 8, code


class Program(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def filter_calls():
    """From here on they are refused, in this process and all that it starts."""
    program = Program(*prepare_filter())
    _must(_libc().prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")


def die_with_parent():
    _libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
