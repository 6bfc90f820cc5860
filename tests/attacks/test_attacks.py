"""Hostile submissions, each with the points that it deserves.

No trick gains one, and none costs another answer its own. A small homework of two questions (2 and 3 points).
`COUNT` and `MEAN` are right answers; a blank one is left out.
"""

import json
import os
import signal
import time
import uuid
from pathlib import Path

import pytest

from grading.classroom import grade
from grading.classroom import submission_grader as grading_one
from grading.classroom.answers import Homework
from grading.classroom.records import Reply
from grading.classroom.store import Store
from grading.classroom.submission_grader import Grader
from grading.classroom.submissions import find_submissions
from grading.classroom.worker_pool import keep
from tests.grading.small import COUNT, MEAN, exercise, needs_sandbox, notebook, worth

pytestmark = needs_sandbox

MARK = f"mark-of-this-run-{uuid.uuid4().hex}"  # among the arguments of every process that a submission leaves


def lies(method, body):
    return (
        "class Liar:\n"
        f"    def {method}: {body}\n"
        "def majority(labels):\n"
        "    return Liar()\n"
        "def knn_regress(d, v):\n"
        "    return Liar()"
    )


def pipe(words):
    """An answer that writes these bytes where its own reply goes, then gives a wrong one."""
    return (
        "import json, os, socket, stat, struct, sys, time\nsockets = []\nfor fd in range(3, 128):\n    try:\n"
        "        sockets += [fd] if stat.S_ISSOCK(os.fstat(fd).st_mode) else []\n"
        "    except OSError:\n"
        "        pass\n"
        f"def majority(labels):\n    for fd in sockets:\n        {words}\n    return -99"
    )


def honest_if(found):
    """Right where the expression finds something to cheat with."""
    return (
        f"{COUNT.replace('majority', 'honest')}\n"
        "def majority(labels):\n"
        f"    return honest(labels) if {found} else -99"
    )


def tries(words, places=("",)):
    """Right where what the words do is not refused in one of these places, p."""
    return (
        "import ctypes, os, resource\n"
        "won = []\n"
        f"for p in {places!r}:\n"
        "    try:\n"
        f"        {words}\n"
        "        won.append(p)\n"
        "    except Exception:\n        pass\n" + honest_if("won")
    )


def by_module(imports):
    """An answer that is right, had it been allowed its module."""
    return (
        "def knn_regress(distances, values):\n"
        f"    {imports}\n"
        "    model = N(len(distances), weights='distance')\n"
        "    return model.fit(np.reshape(distances, (-1, 1)), values).predict([[0.0]])[0]"
    )


ASKED = "next(f.f_locals['asked'] for f in iter_frames() if 'asked' in f.f_locals)"
FRAMES = (
    "import sys\n"
    "def iter_frames():\n"
    "    f = sys._getframe()\n"
    "    while f:\n"
    "        yield f\n"
    "        f = f.f_back"
)
EVERYTHING = (
    "import gc, os, platform, socket, sys\n"
    "def everything():\n"
    "    words = [*os.environ.values(), *sys.argv, socket.gethostname(), os.getcwd(), "
    "*(o for o in gc.get_objects() if isinstance(o, str))]\n"
    "    for path in ('/proc/self/environ', '/proc/1/environ', '/proc/1/cmdline', '/etc/passwd'):\n"
    "        try:\n"
    "            words.append(open(path, errors='replace').read())\n"
    "        except OSError:\n"
    "            pass\n"
    "    return [w for w in words if 'mallo' + 'ry' in w or 'a salt of ' + 'the tests' in w]"
)
PLACES = (
    "[f + '/seen' for f in ('/tmp', '/work', '/home/student', '/dev/shm', '/var/tmp', '/run', "
    "'/course', '/rt')]"
)
REMEMBERS = (
    "import os\n"
    f"seen = [p for p in {PLACES} if os.path.exists(p)]\n"
    f"for p in {PLACES}:\n"
    "    try:\n"
    "        open(p, 'w').close()\n"
    "    except OSError:\n        pass"
)

# name: the points that it deserves, and its cells
ATTACKS = {
    # honest work, as a measure
    "nothing": worth(0, "# nothing"),
    "all right": worth(5, COUNT, MEAN),
    "one right": worth(2, COUNT),
    # objects that lie
    "equal to everything": worth(0, lies("__eq__(self, other)", "return True")),
    "any shape": worth(0, lies("__getattr__(self, name)", "return (3,)")),
    "an array on demand": worth(0, lies("__array__(self, *a, **k)", "return np.zeros(1)")),
    "pretends to be a number": worth(
        0,
        "class N(float):\n    __eq__ = lambda s, o: True\n    __class__ = float\n"
        "majority = lambda labels: N(1)",
    ),
    "an array that compares as true": worth(
        0,
        "class A(np.ndarray):\n    __eq__ = lambda s, o: True\nmajority = lambda labels: np.zeros(1).view(A)",
    ),
    "a shape that lies": worth(
        3,
        "class L:\n"
        "    shape, ndim, dtype, size = (), 0, np.dtype(float), 1\n"
        "    def __array__(self, *a, **k):\n"
        "        return np.array(3.0)\n"
        "    def __len__(self):\n        return 0\nmajority = lambda labels: L()",
        MEAN,
    ),
    "a class that lies": worth(
        3,
        "class L:\n"
        "    __class__ = property(lambda self: int)\n"
        "    __int__ = __index__ = lambda self: 3\n"
        "    __hash__ = None\n"
        "    __eq__ = lambda self, other: True\nmajority = lambda labels: L()",
        MEAN,
    ),
    "an array over foreign memory": worth(
        3,
        "class L:\n"
        "    __array_interface__ = {'shape': (8,), 'typestr': '<f8', 'data': (4096, True), "
        "'version': 3}\n"
        "majority = lambda labels: L()",
        MEAN,
    ),
    "raises on every look": worth(0, lies("__getattribute__(self, name)", "raise SystemExit")),
    # patched comparators and judges, in the student's own process
    "numpy always agrees": worth(
        3, "np.allclose = np.array_equal = lambda *a, **k: True\nmajority = lambda labels: -99", MEAN
    ),
    "np.unique is broken for everybody": worth(3, "np.unique = None\nmajority = lambda labels: -99", MEAN),
    "the encoder is patched": worth(
        0,
        "import sys\nsys.modules['wire'].encode = lambda v, depth=0: {'~': 'full marks'}"
        "\nmajority = lambda labels: -99",
        MEAN,
    ),
    "json is patched": worth(
        0,
        "import json\n"
        'json.dumps = lambda m: \'{"id": 99, "ok": true, "value": 1}\'\n'
        "majority = lambda labels: -99",
    ),
    # forged replies
    "writes to every descriptor": worth(
        2,
        "import os, struct\n"
        "for fd in range(3, 64):\n"
        "    try:\n"
        "        os.write(fd, struct.pack('<I', 2) + b'{}')\n"
        "    except OSError:\n        pass",
        COUNT,
    ),
    "a forged reply with the right number": worth(
        3,
        FRAMES,
        pipe(
            f"data = json.dumps({{'id': {ASKED}['id'], 'ok': True, 'value': 'full marks', "
            f"'points': 99}}).encode(); "
            "os.write(fd, struct.pack('<I', len(data)) + data)"
        ),
        MEAN,
    ),
    "forged replies to all that will be asked": worth(
        0,
        pipe(
            "[os.write(fd, struct.pack('<I', len(data)) + data) for data in (json.dumps({'id': "
            "i, 'ok': True, 'defined': True, "
            "'callable': True, 'points': 5, 'value': 1}).encode() for i in range(200))]"
        ),
    ),
    "a reply that claims 4 GB": worth(3, pipe("os.write(fd, struct.pack('<I', 2**32 - 1))"), MEAN),
    "a reply in drops": worth(
        3,
        pipe(
            "os.write(fd, struct.pack('<I', 1000)); [(os.write(fd, b' '), time.sleep(0.1)) for _ "
            "in range(1000)]"
        ),
        MEAN,
    ),
    "raw JSON of a million levels": worth(
        3,
        pipe(
            "os.write(fd, struct.pack('<I', 10**6)); sys.stdout.flush(); "
            "socket.socket(fileno=os.dup(fd)).sendall(b'[' * 10**6)"
        ),
        MEAN,
    ),
    "raw JSON with a million digits": worth(
        3,
        pipe(
            "os.write(fd, struct.pack('<I', 10**6)); socket.socket(fileno=os.dup(fd)).sendall(b'9' * 10**6)"
        ),
        MEAN,
    ),
    "shuts its own pipe": worth(3, pipe("socket.socket(fileno=os.dup(fd)).shutdown(2)"), MEAN),
    "a dict that looks like the wire's own tags": worth(
        3, "majority = lambda labels: {'~': 'array', 'd': 'O', 's': [1], 'b': ''}", MEAN
    ),
    "closes every descriptor": worth(2, "import os\nos.closerange(3, 200)", COUNT),
    "a reply of 1 GB": worth(3, "majority = lambda labels: 'x' * 10**9", MEAN),
    "an array of 1 GB": worth(3, "majority = lambda labels: np.zeros(125_000_000)", MEAN),
    "a million levels": worth(
        3,
        "def majority(labels):\n"
        "    deep = []\n"
        "    for _ in range(10**6):\n"
        "        deep = [deep]\n"
        "    return deep",
        MEAN,
    ),
    "nothing, a billion times": worth(3, "majority = lambda labels: np.zeros((10**9, 0))", MEAN),
    "five million numbers": worth(3, "majority = lambda labels: [0] * 5_000_000", MEAN),
    "30 MB of text": worth(3, "majority = lambda labels: 'x' * 30_000_000", MEAN),
    "a table of a million columns": worth(
        3, "import pandas as pd\nmajority = lambda labels: pd.DataFrame(np.zeros((1, 10**6)))", MEAN
    ),
    "a list that holds itself": worth(
        3, "def majority(labels):\n    a = []\n    a.append(a)\n    return a", MEAN
    ),
    "a pickle": worth(3, "import pickle\nmajority = lambda labels: pickle.dumps(labels)", MEAN),
    "an object that would unpickle as another": worth(
        3,
        "class P:\n    def __reduce__(self):\n        return (eval, ('3',))\nmajority = lambda labels: P()",
        MEAN,
    ),
    "an object array": worth(3, "majority = lambda labels: np.array([object()])", MEAN),
    "NaN everywhere": worth(3, "majority = lambda labels: float('nan')", MEAN),
    # looking for the solution
    "walks the stack": worth(
        0,
        "import inspect\ndef majority(labels):\n    for frame in inspect.stack():\n"
        "        if 'truth' in frame.frame.f_locals:\n"
        "            return frame.frame.f_locals['truth'](labels)\n"
        "    return 0",
    ),
    "searches memory": worth(
        0,
        "import gc\ndef majority(labels):\n    for o in gc.get_objects():\n"
        "        if getattr(o, '__name__', '') == 'most_frequent':\n"
        "            return o(labels)\n"
        "    return 0",
    ),
    "searches every frame": worth(
        0,
        FRAMES,
        honest_if("[f for f in iter_frames() if {'truth', 'want', 'question', 'task'} & set(f.f_locals)]"),
    ),
    "searches every descriptor": worth(
        0,
        "import os\n"
        "found = []\n"
        "for fd in range(128):\n"
        "    try:\n"
        "        found += [os.readlink(f'/proc/self/fd/{fd}')]\n"
        "    except OSError:\n        pass",
        honest_if("[p for p in found if p.startswith(('/ro' + 'ot', '/home', '/tmp')) or p.endswith('.py')]"),
    ),
    "reads its own memory": worth(
        0,
        "import re\n"
        "def words():\n"
        "    with open('/proc/self/mem', 'rb', 0) as mem:\n"
        "        for line in open('/proc/self/maps'):\n"
        "            a, b = (int(x, 16) for x in line.split()[0].split('-'))\n"
        "            if ' rw' in line and b - a < 2**26:\n"
        "                mem.seek(a)\n                yield mem.read(b - a)",
        honest_if("any(b'most_' + b'frequent' in part or b'_boyer_' + b'moore' in part for part in words())"),
    ),
    "right for one student only": worth(0, EVERYTHING, honest_if("everything()")),
    "right when run again": worth(0, REMEMBERS, honest_if("seen")),
    "a time bomb that has gone off": worth(
        3, "import datetime\nif datetime.date.today().year > 2024:\n    raise SystemExit\n" + COUNT, MEAN
    ),
    "a time bomb for later": worth(
        5, "import datetime\nif datetime.date.today().year > 2900:\n    raise SystemExit\n" + COUNT, MEAN
    ),
    "imports the questions": worth(0, "from homework.knn.questions import most_frequent as majority"),
    "imports the solution's learner": worth(
        2, by_module("from sklearn.neighbors import KNeighborsRegressor as N"), COUNT
    ),
    "reads the course": worth(
        0,
        "import glob\n"
        "found = [p for top in ('course', 'rt', 'work', 'home', 'tmp') for p in "
        "glob.glob(f'/{top}/**/knn.py', recursive=True)]\n"
        "def majority(labels):\n"
        "    names = {}\n"
        "    exec(open(found[0]).read(), names)\n"
        "    return names['most_frequent'](labels)",
    ),
    "reads /proc": worth(
        0, "import os", honest_if("[p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]")
    ),
    "forbidden by another name": worth(
        2, by_module("import sklearn.neighbors as n; N = n.KNeighborsRegressor"), COUNT
    ),
    "forbidden by importlib": worth(
        2,
        by_module(
            "import importlib; N = importlib.import_module('sklearn.' + 'neighbors').KNeighborsRegressor"
        ),
        COUNT,
    ),
    "forbidden by __import__ and exec": worth(
        2,
        by_module("exec('global N; N = __import__(\\'sklearn.neighbors\\').neighbors.KNeighborsRegressor')"),
        COUNT,
    ),
    "forbidden in another cell": worth(
        2,
        "import sklearn.neighbors\nhelp_me = sklearn.neighbors.KNeighborsRegressor",
        by_module("N = help_me"),
        COUNT,
    ),
    "forbidden and timed": worth(
        2,
        COUNT,
        "import timeit",
        by_module(
            "o = []; timeit.timeit('import sklearn.neighbors as n; o.append(n)', globals={'o': o}, number=1); N = o[0].KNeighborsRegressor"
        ),
    ),
    "forbidden and sympified": worth(
        2,
        COUNT,
        "import sympy",
        by_module("N = sympy.sympify(\"__import__('sklearn.neighbors').neighbors.KNeighborsRegressor\")"),
    ),
    "forbidden in a module of one's own": worth(
        2,
        COUNT,
        "%%writefile own47.py\nfrom sklearn.neighbors import KNeighborsRegressor",
        "import own47",
        by_module("N = own47.KNeighborsRegressor"),
    ),
    "forbidden and found in memory": worth(
        2,
        "import gc\n"
        "found = [o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == "
        "'KNeighborsRegressor']",
        by_module("N = found[0]"),
        COUNT,
    ),
    "forbidden and loaded from its file": worth(
        2,
        "import importlib.util, sklearn, os, sys\n"
        "path = os.path.join(os.path.dirname(sklearn.__file__), 'neighbors')",
        by_module(
            "s = importlib.util.spec_from_file_location('sklearn.nb', path + '/__init__.py', "
            "submodule_search_locations=[path]); "
            "m = importlib.util.module_from_spec(s); sys.modules['sklearn.nb'] = m; "
            "s.loader.exec_module(m); "
            "N = m.KNeighborsRegressor"
        ),
        COUNT,
    ),
    "the measure of these: the same module where it is allowed": worth(
        2,
        "from sklearn.neighbors import KNeighborsClassifier as C\n"
        "def majority(labels):\n"
        "    assert C(1, algorithm='brute').fit([[0.0]], [1]).predict([[0.0]]) == 1\n"
        "    values, counts = np.unique(labels, return_counts=True)\n"
        "    return values[counts.argmax()]",
    ),
    # breaking things
    "an endless cell": worth(5, "while True:\n    pass", COUNT, MEAN),
    "an endless answer": worth(3, "def majority(labels):\n    while True:\n        pass", MEAN),
    "leaves in the middle": worth(3, "import os\ndef majority(labels):\n    os._exit(0)", MEAN),
    "leaves by an exception": worth(3, "def majority(labels):\n    raise SystemExit", MEAN),
    "kills itself": worth(3, "import os\ndef majority(labels):\n    os.kill(os.getpid(), 9)", MEAN),
    "signals everybody": worth(
        2,
        "import os\n"
        "for pid in range(1, 40):\n"
        "    try:\n"
        "        os.kill(pid, 19 if pid != os.getpid() else 0)\n"
        "    except OSError:\n"
        "        pass",
        COUNT,
    ),
    "kills its process group": worth(3, "import os\ndef majority(labels):\n    os.kill(0, 9)", MEAN),
    "stops its process group": worth(
        3, "import os\ndef majority(labels):\n    os.killpg(os.getpgrp(), 19)", MEAN
    ),
    "forks without end": worth(
        3, "import os\ndef majority(labels):\n    while True:\n        os.fork()", MEAN
    ),
    "forks, and both answer": worth(
        5,
        f"{COUNT}\nalone = majority\ndef majority(labels):\n"
        "    import os, time\n    child = os.fork() == 0\n    time.sleep(0.02 * child)\n"
        "    return -1 if child else alone(labels)",
        MEAN,
    ),
    "eats all memory": worth(
        3, "def majority(labels):\n    hold = []\n    while True:\n        hold.append(np.ones(10**7))", MEAN
    ),
    "ignores every signal": worth(
        3,
        "import signal\n"
        "for s in range(1, 65):\n"
        "    try:\n"
        "        signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n"
        "        pass\n"
        "def majority(labels):\n    while True:\n        pass",
        MEAN,
    ),
    "a thread that never ends": worth(
        5,
        "import threading\ndef spin():\n    while True:\n        pass\nthreading.Thread(target=spin).start()",
        COUNT,
        MEAN,
    ),
    "exec is patched": worth(0, "import builtins\nbuiltins.exec = builtins.compile = None", COUNT),
    "prints without end": worth(
        5, "print('x' * 10**8)\nimport sys\nsys.stderr.write('y' * 10**8)", COUNT, MEAN
    ),
    "recurses without end": worth(3, "def majority(labels):\n    return majority(labels)", MEAN),
    "fills the disk": worth(
        3,
        "def majority(labels):\n"
        "    for i in range(10**4):\n"
        "        open(f'/tmp/{i}', 'wb').write(b'0' * 2**20)",
        MEAN,
    ),
    # reaching out
    "finds a network": worth(
        0, "import socket", honest_if("[name for _, name in socket.if_nameindex() if name != 'lo']")
    ),
    "reads a home": worth(
        0,
        "import glob, os",
        honest_if(
            "glob.glob('/ro' + 'ot/.*') + glob.glob('/ro' + 'ot/*') + glob.glob('/home/*/*') + "
            "glob.glob('/mnt/*')"
        ),
    ),
    "writes outside": worth(
        0, tries("open(p + '/x', 'w')", ("/usr", "/venv", "/course", "/rt", "/etc", "/bin", "/sys", ""))
    ),
    "mounts": worth(0, tries("ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0 or 1 / 0")),
    "traces": worth(0, tries("ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 or 1 / 0")),
    "a new user namespace": worth(0, tries("ctypes.CDLL(None).unshare(0x10000000) == 0 or 1 / 0")),
    "another user's rights": worth(0, tries("os.setuid(0)"), tries("os.chroot('/tmp')")),
    "raises its own limits": worth(0, tries("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))")),
    "undoes the filter": worth(0, tries("ctypes.CDLL(None).prctl(22, 0, 0, 0, 0) == 0 or 1 / 0")),
    "unhides what is hidden": worth(0, tries("ctypes.CDLL(None).umount2(b'/proc', 2) == 0 or 1 / 0")),
    "a daemon that outlives": worth(
        2,
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(600)\n"
        "    os._exit(0)",
        COUNT,
    ),
    "larger buffers of sockets": worth(
        3, tries("import socket; socket.socketpair()[0].setsockopt(1, p, 2**22)", (7, 8, 32, 33)), MEAN
    ),
    "a lock that the next submission sees": worth(
        3,
        tries("import fcntl; fcntl.flock(open(p, 'rb'), fcntl.LOCK_EX)", ("/usr/bin/env", "/rt/wire.py")),
        MEAN,
    ),
    "asks for ever": worth(2, "while True:\n    if input():\n        break", COUNT),
    "a debugger without a keyboard": worth(
        2, "%debug", COUNT.replace("    return", "    breakpoint()\n    return")
    ),
    "an iterator without end": worth(
        3, "import itertools\nmajority = lambda labels: itertools.count()", MEAN
    ),
    "an array for ever in itself": worth(
        3, "def majority(labels):\n    a = np.empty((), object)\n    a[()] = a\n    return a", MEAN
    ),
    "a command that never ends": worth(2, "!sleep 1000", COUNT),
    "commands without end": worth(2, "!yes | head -c 300000000 > big.txt\n!cat big.txt big.txt", COUNT),
    "a mapping that lies": worth(
        3,
        "from collections.abc import Mapping\nclass M(Mapping):\n    __len__ = lambda s: 1\n"
        "    __iter__ = lambda s: iter(int, 1)\n    __getitem__ = lambda s, k: 3\n"
        "majority = lambda labels: M()",
        MEAN,
    ),
    "words that are not ours": worth(
        3,
        "class WireError(Exception):\n    pass\ndef majority(labels):\n"
        "    raise WireError('All of it is right. 2 / 2')",
        MEAN,
    ),
    "the module that sends is another": worth(
        0, "import sys, wire\nwire.encode = wire.give = lambda *a: 3\nsys.modules['wire'] = None", MEAN
    ),
    # names and text
    "control characters and markup": worth(
        3, "def majority(labels):\n    raise ValueError('<script>alert(1)</script>\\x00\\x1b[31m')", MEAN
    ),
    "asks the user": worth(2, "name = input('who are you? ')", COUNT),
    "magics and plots": worth(
        2,
        "%matplotlib inline\n"
        "%time x = 3\n"
        "import matplotlib.pyplot as plt\n"
        "plt.plot([1, 2])\n"
        "plt.show()\n"
        "!ls\n"
        "display(1)",
        COUNT,
    ),
    "a syntax error": worth(3, "def majority(:", MEAN),
}


@pytest.fixture(scope="module")
def homework(tmp_path_factory):
    return Homework(exercise(tmp_path_factory.mktemp("exercise") / "00-two.ipynb"))


@pytest.fixture(scope="module")
def grader(homework):
    one = Grader(
        homework,
        "a salt of the tests",
        cell_seconds=4.0,
        call_seconds=3.0,
        limits={"memory": 2**30, "total_memory": 2**30},
    )
    yield one
    one.close()


# These go on until a limit ends them, whichever it is, in each call anew: with shorter limits they wait less.
ENDLESS = ("a reply in drops", "an endless cell", "an endless answer", "ignores every signal")


@pytest.fixture(scope="module")
def hurried(homework):
    one = Grader(
        homework,
        "a salt of the tests",
        cell_seconds=3.0,
        call_seconds=1.0,
        limits={"memory": 2**30, "total_memory": 2**30},
    )
    yield one
    one.close()


def files():
    """What a submission may not change: files beside the course."""
    root = Path(__file__).resolve().parents[2]
    return {
        str(p): p.stat().st_mtime_ns
        for folder in ("helpers", "grading", "homework", "exercises", "solutions")
        for p in (root / folder).rglob("*")
        if p.suffix in (".py", ".ipynb")
    }


def processes(of):
    """{number: what it is} of the descendants of a process, and of nothing else on this busy machine."""
    found, waiting = {}, [of]
    while waiting:
        pid = waiting.pop()
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                for child in (task / "children").read_text(encoding="ascii").split():
                    found[int(child)] = Path(f"/proc/{child}/cmdline").read_bytes()[-80:]
                    waiting.append(int(child))
        except OSError:  # it ended meanwhile
            continue
    return found


def settled(condition, seconds=30):
    """Whether it comes true: a process that was killed takes a moment to be gone."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_what_it_deserves(name, request):
    """Its points, no file changed, and no process of it left: only the fork server and its rooms stay."""
    grader = request.getfixturevalue("hurried" if name in ENDLESS else "grader")
    cells, points = ATTACKS[name]
    before = files()
    server = grader.ready().server.pid
    result = grader.grade("mallory", notebook(cells))
    assert (result.status, result.points) == ("graded", points), json.dumps(
        result.to_json()["questions"], indent=1
    )
    assert files() == before
    assert grader.sandbox.server.pid == server  # nobody had to start it again
    rest = 2 + len(grader.sandbox.rooms)  # the first process of its namespace, and the fork server
    assert settled(lambda: len(processes(server)) == rest), processes(server)
    words = json.dumps(result.to_json(), ensure_ascii=False)
    assert "\x00" not in words and "\x1b" not in words and str(Path.home()) not in words


@pytest.mark.parametrize("name", [name for name in ATTACKS if name.startswith("forbidden")])
def test_the_sandbox_refuses_by_itself_what_a_reader_of_the_cells_would_have_missed(
    grader, monkeypatch, name
):
    monkeypatch.setattr(grading_one, "forbidden_module", lambda *about: None)
    cells, points = ATTACKS[name]
    assert grader.grade("mallory", notebook(cells)).points == points


def test_the_next_submission_is_graded_as_if_nothing_had_happened(grader):
    first = grader.grade("ann", notebook([COUNT, MEAN]))
    server = grader.sandbox.server.pid
    for name in (
        "leaves in the middle",
        "closes every descriptor",
        "json is patched",
        "kills its process group",
        "stops its process group",
    ):
        grader.grade("mallory", notebook(ATTACKS[name][0]))
    assert grader.grade("ann", notebook([COUNT, MEAN])) == first and first.points == 5
    assert grader.sandbox.server.pid == server  # nobody had to start it again


def marked():
    """Processes of the whole machine that carry the mark."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found |= {path.parent.name} if MARK.encode() in path.read_bytes() else set()
        except OSError:  # it is gone
            continue
    return found


LEAVES = f"""
import os, signal, time
def ignore():
    for number in range(1, 32):
        number in (9, 19) or signal.signal(number, signal.SIG_IGN)
for start in (lambda: 0, os.setsid, os.setpgrp, ignore):
    if os.fork() == 0:
        start()
        if os.fork() == 0:
            os.execv('/bin/sh', ['sh', '-c', 'sleep 300; :', '{MARK}'])
        os._exit(0)
time.sleep(0.5)
"""


def test_no_process_outlives_its_submission(grader):
    """Daemons of four kinds: seen while the submission runs, gone when it is graded."""
    process = grader.ready().process()
    process.request({"op": "cell", "cell": 1, "source": LEAVES}, 30.0)
    assert settled(lambda: len(marked()) >= 4), "the daemons of this test never ran: it could not fail"
    process.close()
    assert settled(lambda: not marked())


def test_nothing_is_left_when_the_grader_ends(homework):
    one = Grader(homework, "salt", cell_seconds=4.0, call_seconds=3.0)
    one.grade("mallory", notebook([LEAVES, ATTACKS["a daemon that outlives"][0][0], COUNT]))
    server, ours = one.sandbox.server.pid, processes(one.sandbox.server.pid)
    assert ours
    one.close()
    assert settled(
        lambda: (
            not marked()
            and not Path(f"/proc/{server}").exists()
            and not any(Path(f"/proc/{pid}").exists() for pid in ours)
        )
    )


def test_a_fork_server_that_is_killed_is_noticed(homework):
    """By the lecturer, or by a hole that nobody knows: no grade is made up, and no class waits for ever."""
    one = Grader(homework, "salt", cell_seconds=4.0, call_seconds=3.0)
    try:
        first = one.grade("ann", notebook([COUNT]))
        os.kill(one.sandbox.server.pid, signal.SIGKILL)
        assert one.sandbox.server.wait(10) and one.grade("ann", notebook([COUNT])) == first
    finally:
        one.close()


# ---- files, and grades that are kept

FILES = {
    "21 MB": b'{"cells": [{"cell_type": "code", "source": "' + b"x" * (21 * 2**20) + b'"}]}',
    "3 MB of code": notebook([f"x{i} = 1\n" * 20_000 for i in range(20)]),
    "lists in lists": b'{"cells": ' + b"[" * 10**6,
    "a number of a million digits": b'{"cells": ' + b"9" * 10**6 + b"}",
    "a hundred thousand cells": json.dumps({
        "cells": [{"cell_type": "code", "source": "1"}] * 10**5
    }).encode(),
    "no cells but a grade": b'{"points": 5, "status": "graded", "questions": {}}',
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_notebook_needs_a_human(grader, name):
    result = grader.grade("mallory", FILES[name])
    assert (result.status, result.points) == ("needs a human", 0) and len(result.reason) < 300


def test_keys_given_twice_and_a_cell_without_end_are_graded_as_they_are_read(grader):
    twice = b'{"cells": [], "points": 99, ' + notebook([COUNT])[1:]
    assert grader.grade("mallory", twice).points == 2
    assert grader.grade("mallory", notebook([COUNT, "x = 1\n" * 1000, MEAN])).points == 5


def test_a_grade_that_is_kept_belongs_to_its_content_and_its_student(homework, grader, tmp_path):
    """Same name, length and time, other content: graded again. Same content, other student: other inputs."""
    store, path, salt = Store(tmp_path / "grades"), tmp_path / "in" / "ann" / "00-two.ipynb", grader.salt

    def job(data):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1.8e9, 1.8e9))
        (one,) = find_submissions(tmp_path / "in", homework.name)
        return grade.make_job(one, homework, salt, store)

    right = notebook([COUNT, MEAN])
    first = job(right)
    keep(Reply(grader.grade("ann", right)), first, store)
    assert job(right) is None
    other = job(right.replace(b"argmax", b"argmin"))
    assert other.answers == {} and len(right.replace(b"argmax", b"argmin")) == len(right)
    ours, theirs = (grader.grade(student, right).questions for student in ("ann", "bob"))
    assert all(ours[id].key != theirs[id].key for id in ours)


@pytest.mark.parametrize("old", ["helpers.grading", "grading.questions", "helpers.families"])
def test_an_import_of_an_older_course_is_told_as_in_the_notebook(grader, old):
    """It costs what hangs on it, and no more."""
    with pytest.raises(ModuleNotFoundError) as told:
        __import__(old)
    cells = [f"from {old} import check", COUNT, MEAN.replace("exact =", "check('knn.4')\n    exact =")]
    graded = grader.grade("ann", notebook(cells))
    assert graded.errors == [f"Cell 1: ModuleNotFoundError: {told.value}"]
    assert [answer.points for answer in graded.questions.values()] == [2, 0]


def test_nothing_is_carried_from_one_submission_to_the_next(grader):
    for name in ("right when run again", "right for one student only"):
        first = grader.grade("mallory", notebook(ATTACKS[name][0]))
        assert grader.grade("mallory", notebook(ATTACKS[name][0])) == first and first.points == 0


def test_points_hang_on_the_salt_and_the_student_alone(homework):
    """An answer that knows the public inputs by heart fails on the drawn ones."""
    by_heart = [
        "from grading import case\npublic = [list(case('knn.2', i)) for i in range(2)]",
        COUNT.replace("majority", "honest"),
        "def majority(labels):\n    return honest(labels) if list(labels) in public else -99",
    ]
    one = Grader(homework, "salt", cell_seconds=4.0, call_seconds=3.0)
    try:
        assert one.grade("bob", notebook(by_heart)).points == 0
        assert one.grade("bob", notebook([COUNT])) == one.grade("bob", notebook([COUNT]))
    finally:
        one.close()
