"""The list of system calls lets the scientific stack work, and says which call it refused."""

import pytest

from grading.classroom.answers import Homework
from grading.sandbox.inside import calls as listed
from tests.attacks.calls import refused_in
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook

pytestmark = needs_sandbox

# what students do that the solutions do not: files, threads, programs, clocks, a server for itself
WORKS = r"""
import asyncio, io, os, pathlib, shutil, socket, sqlite3, subprocess, tempfile, threading, time, zipfile
import numpy as np, pandas as pd, matplotlib.pyplot as plt
from concurrent.futures import ThreadPoolExecutor
done = []
def tried(what):
    what()
    done.append(what.__name__)
@tried
def files():
    folder = pathlib.Path(tempfile.mkdtemp())
    pd.DataFrame({"a": [1, 2]}).to_csv(folder / "a.csv")
    assert pd.read_csv(folder / "a.csv").a.sum() == 3
    np.save(folder / "b", np.arange(9)), np.load(folder / "b.npy", mmap_mode="r").sum()
    shutil.copytree(folder, folder / "c"), shutil.make_archive(folder / "d", "zip", folder / "c")
    os.utime(folder / "a.csv"), (folder / "a.csv").chmod(0o600), (folder / "a.csv").rename(folder / "e.csv")
    sqlite3.connect(folder / "f.db").execute("create table t (x)"), shutil.rmtree(folder)
@tried
def threads():
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(abs, range(-9, 0))) == 45
    threading.Timer(0.01, print).start(), time.sleep(0.05)
@tried
def programs():
    assert subprocess.run(["ls", "/"], capture_output=True).returncode == 0
    assert os.popen("echo 3 | cat").read() == "3\n"
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, b"x"), os._exit(0)
    assert os.wait() and os.read(read, 1) == b"x"
@tried
def loops():
    asyncio.run(asyncio.sleep(0.01))
    one, other = socket.socketpair()
    one.sendall(b"x"), other.recv(1)
@tried
def learners():
    from sklearn import cluster, decomposition, ensemble, linear_model, manifold, svm
    from scipy import optimize, sparse, stats
    X, y = np.random.default_rng(0).normal(size=(40, 5)), np.arange(40) % 2
    for one in (cluster.KMeans(2), decomposition.NMF(2), ensemble.RandomForestClassifier(5, n_jobs=2),
                linear_model.LogisticRegression(), manifold.TSNE(2, perplexity=5, max_iter=250), svm.SVC()):
        one.fit(abs(X), y)
    optimize.minimize(lambda w: w @ w, X[0]), stats.ttest_1samp(X, 0)
    sparse.linalg.svds(sparse.csr_array(X), 2)
@tried
def pictures():
    plt.plot([1, 2]), plt.savefig(io.BytesIO(), format="png"), plt.savefig("/tmp/a.pdf"), plt.close()
"""
TRIES = r"""
import ctypes, os, socket
libc = ctypes.CDLL(None)
libc.memfd_create(b"x", 0), libc.unshare(0x10000000), libc.ptrace(0, 0, 0, 0), libc.shmget(0, 4096, 0o1600)
try:
    socket.socket(socket.AF_INET)
except OSError:
    pass
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    homework = Homework(exercise(tmp_path_factory.mktemp("exercise") / "00-two.ipynb"))
    majority = COUNT.replace("    values,", "    assert len(done) == 6, done\n    values,")
    submissions = notebook([WORKS, majority, MEAN]), notebook([TRIES, COUNT, MEAN])
    return dict(zip(("works", "tries"), refused_in(homework, *submissions)))


def test_what_students_and_their_libraries_do_is_on_the_list(seen):
    """clone3 is refused on purpose, as if the kernel were older: of its flags a filter sees nothing."""
    refused, points = seen["works"]
    print("refused:", dict(refused))
    assert set(refused) <= {"clone3"} and points == 5, refused


def test_what_is_not_on_the_list_is_refused_and_named(seen):
    refused, points = seen["tries"]
    assert {"memfd_create", "unshare", "ptrace", "shmget", "socket"} <= set(refused) and points == 5


DANGEROUS = """acct add_key bpf chroot clock_adjtime clone3 delete_module fanotify_init fsconfig fsmount fsopen
init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_load keyctl
landlock_create_ruleset lookup_dcookie memfd_create memfd_secret migrate_pages mknod mount mount_setattr
move_mount move_pages mq_open msgget name_to_handle_at open_by_handle_at open_tree perf_event_open personality
pidfd_getfd pivot_root pkey_alloc process_madvise process_vm_readv process_vm_writev ptrace quotactl reboot
request_key seccomp semget setdomainname setgid sethostname setns settimeofday setuid shmat shmget swapoff
swapon syslog umount2 unshare userfaultfd vhangup""".split()


def test_the_list_holds_nothing_that_reaches_beyond_a_submission():
    assert not listed.ALLOWED & set(DANGEROUS)
