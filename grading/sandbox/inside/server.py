"""Runs inside the sandbox: imports the scientific stack once, then forks a process for each submission.

    fork server ─┬─ room: modules that some questions forbid are gone ─┬─ submission
                 └─ room …                                             └─ submission …

A room runs no student's code; it outlives its submissions, and tells how they ended. Control messages come on
the socket whose number is the argument, each with the sockets of the process to make.
"""

import ast
import builtins
import contextlib
import copy
import ctypes
import gc
import importlib
import json
import linecache
import os
import re
import select
import signal
import socket
import sys
import tempfile
import time
import types
from pathlib import Path

shell = None  # of this submission
BUFFER = 2**18  # bytes that a socket holds at most
STACK = (
    "numpy",
    "pandas",
    "scipy.linalg",
    "scipy.spatial",
    "scipy.stats",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "matplotlib.pyplot",
    "IPython.core.inputtransformer2",
    "IPython.display",
    "sklearn.cross_decomposition",
    "sklearn.datasets",
    "sklearn.decomposition",
    "sklearn.discriminant_analysis",
    "sklearn.ensemble",
    "sklearn.feature_selection",
    "sklearn.impute",
    "sklearn.linear_model",
    "sklearn.manifold",
    "sklearn.metrics",
    "sklearn.model_selection",
    "sklearn.multiclass",
    "sklearn.neighbors",
    "sklearn.pipeline",
    "sklearn.preprocessing",
    "sklearn.svm",
    "sklearn.tree",
    "tqdm.auto",
)


# ---- the fork server and its rooms


def main():
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(control.recv(2**16))
    gc.disable()  # what is imported stays
    sys.path[:0] = settings["path"]
    for name in (*STACK, *settings["modules"]):
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # the cell that needs it will say so
    warm_up()
    settings["code"] = [one for one in gc.get_objects() if type(one) is types.FunctionType or is_class(one)]
    gc.collect()
    gc.freeze()  # children share these pages
    gc.enable()
    control.sendall(b"R")
    serve(control, settings)


def warm_up():
    """What is made at the first use is made once here, and not in each submission's process."""
    import numpy as np
    from IPython.core.inputtransformer2 import TransformerManager
    from sklearn.neighbors import NearestNeighbors  # it looks threads up in /proc: a submission may see none

    NearestNeighbors(n_neighbors=1, algorithm="brute").fit([[0.0], [1.0]]).kneighbors([[0.0]])
    from isolation import prepare_filter
    from wire import decode

    prepare_filter()
    cases = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
    importlib.import_module("grading").CASES.update(decode(cases))  # that of inside, silent.py
    TransformerManager().transform_cell("%matplotlib inline")
    X = np.arange(24.0).reshape(12, 2)
    try:
        from sklearn import model_selection, neighbors, pipeline, preprocessing

        model = pipeline.make_pipeline(preprocessing.StandardScaler(), neighbors.KNeighborsClassifier(1))
        search = model_selection.GridSearchCV(model, {"kneighborsclassifier__n_neighbors": [1]}, cv=2)
        search.fit(X, [0, 1] * 6).predict(X)
    except ImportError:
        pass


def serve(control, settings):
    """Starts what is asked for, and watches over it, until the trusted side is gone."""
    running, proc = [], os.open("/proc", os.O_RDONLY)
    while True:
        watched = [fd for one in running for fd in (one.pidfd, one.life)]
        ready, _, _ = select.select([control, *watched], [], [], 0.1 if running else None)
        greedy = running and not ready and takes_too_much(proc, settings["limits"])
        for one in list(running):
            if reason := one.reason_to_end(ready, proc) or greedy and "memory":
                one.end(reason)
                running.remove(one)
        if control in ready:
            message, sockets, _, _ = socket.recv_fds(control, 2**16, 2)
            if not message:
                os._exit(0)
            wanted, sockets = json.loads(message), [socket.socket(fileno=fd) for fd in sockets]
            if wanted["op"] == "room":
                start_room(control, wanted["forbids"], *sockets, settings)
            else:
                running += start_submission(*sockets, settings)


def start_room(control, forbids, talk, settings):
    if os.fork():
        return talk.close()
    from isolation import die_with_parent

    die_with_parent()
    control.close()
    try:
        forbid(forbids, settings["safe"], settings.pop("code"))
        talk.sendall(b"R")
    except OSError as error:
        talk.sendall(f"E{error}".encode())
        os._exit(1)
    serve(talk, settings)


def forbid(forbids, safe, code=()):
    """Modules that an answer may not use: no name leads to them, their code refuses, their files are gone.

    code : all functions and classes that there are, also those that no name leads to
    """
    if not forbids:
        return
    from isolation import hide, own_namespaces

    if safe:
        own_namespaces()
    modules = {name: module for name, module in sys.modules.items() if is_in(name, forbids) and module}
    places = [
        place
        for module in modules.values()
        for place in getattr(module, "__path__", [module.__file__])
        if place
    ]
    for place in sorted(set(map(str, places)), key=len) if safe else ():
        hide(place)
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if isinstance(module, types.ModuleType) else ():
            if is_in(home(value), forbids):
                module.__dict__[name] = Refusal(home(value))
    for value in code:
        if is_in(home(value), forbids):
            blunt(value, home(value))
    for name, module in modules.items():  # compiled functions, which nobody can change, go with the last name
        del sys.modules[name]
        if isinstance(module, types.ModuleType):
            vars(module).clear()
            vars(module)["_refuse_here"] = refuse(name)
    sys.meta_path.insert(0, Gate(forbids))


def is_in(name, forbids):
    return isinstance(name, str) and any(name == bad or name.startswith(bad + ".") for bad in forbids)


def home(value):
    try:
        return value.__name__ if isinstance(value, types.ModuleType) else value.__module__
    except Exception:
        return None


def is_class(value):
    return issubclass(type(value), type)


def refuse(name):
    def refused(*args, **kwargs):
        raise ImportError(f"{name} is not allowed here: the point is to write it yourself")

    return refused


def blunt(value, name):
    """What was taken along under another name, or is found in memory, refuses too."""
    if is_class(value):
        return blunt_class(value)
    free = value.__code__.co_freevars
    value.__globals__["_refuse_here"] = refuse(name)
    value.__code__ = (lambda *args, **kwargs: _refuse_here()).__code__.replace(co_freevars=free)  # noqa: F821


def blunt_class(value):
    """Its functions refuse by themselves; a compiled class loses its methods."""
    compiled = [n for n, part in vars(value).items() if type(part).__name__ in COMPILED and n[:2] != "__"]
    for names in gc.get_referents(value.__dict__)[:1] if compiled else ():
        for name in compiled:
            names.pop(name, None)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(value))


COMPILED = ("method_descriptor", "getset_descriptor", "member_descriptor", "cython_function_or_method")


class Refusal:
    """Stands where a forbidden module, class or function stood."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __call__(self, *args, **kwargs):
        raise ImportError(f"{self._name} is not allowed here: the point is to write it yourself")

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        self()


class Gate:
    """Refuses the import of forbidden modules."""

    def __init__(self, forbids):
        self.forbids = forbids

    def find_spec(self, name, path=None, target=None):
        if is_in(name, self.forbids):
            raise ImportError(f"{name} is not allowed here: the point is to write it yourself")


# ---- one submission


def start_submission(talk, life, settings):
    """[Supervised], or nothing where the system refuses the namespaces; the trusted side is told."""
    from isolation import fork_into_namespaces
    from wire import send

    try:
        child = fork_into_namespaces() if settings["safe"] else os.fork()
    except OSError as error:
        send(life, {"setup_error": str(error)})
        talk.close()
        life.close()
        return []
    if child == 0:
        submission(talk, settings["limits"], settings["safe"])
    talk.close()
    return [Supervised(child, life, settings)]


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


def submission(talk, limits, safe):
    """Give up everything; then do what the trusted side asks. Never returns."""
    from isolation import (
        die_with_parent,
        drop_privileges,
        filter_calls,
        first_to_go,
        own_proc,
        private_folders,
        set_limits,
    )
    from wire import send

    try:
        die_with_parent()
        os.setsid()  # kill(0) would reach the room and the fork server
        os.closerange(3, talk.fileno())  # what the server holds open
        os.closerange(talk.fileno() + 1, 4096)
        if safe:
            first_to_go()
            private_folders()
            own_proc()
            set_limits(limits)
            drop_privileges()
            filter_calls()
        else:
            os.chdir(tempfile.mkdtemp(prefix="course-unsafe-"))
    except BaseException as error:  # a layer is missing: nothing of the student's runs
        send(talk, {"setup_error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    silence()
    seed(0)
    try:
        answer_requests(talk)
    except BaseException:
        pass
    os._exit(0)


def silence():
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    builtins.input = no_keyboard
    sys.breakpointhook = lambda *args, **kwargs: None
    os.environ["HOME"] = "/home/student"


def no_keyboard(prompt=""):
    raise EOFError("nobody sits at a keyboard when a class is graded: give the value in a cell")


def seed(number):
    """Unseeded generators too give the same numbers each time: the same submission gets the same grade."""
    import random

    import numpy as np

    random.seed(number)
    np.random.seed(number)
    np.random.bit_generator.randbits = lambda bits: number


def answer_requests(talk):
    """Run cells, call functions, hand out values, until the trusted side closes the socket."""
    from wire import VALUES, WireError, decode, encode, line_of, receive, send

    names, process, number = fresh_notebook(), os.getpid(), os.getpid
    while True:
        asked = receive(talk)
        cells = [
            {"op": "cell", "cell": number, "source": source} for number, source in asked.get("cells", ())
        ]
        for one in cells or [asked]:  # each gets its answer as soon as it is done
            try:
                given = {"ok": True, **ACTIONS[one["op"]](names, one, encode, decode)}
            except BaseException as error:
                given = failed(error) | {"line": line_of(error, names.get(one.get("name")))}
            if number() != process:  # a fork's answer would pass for that to the next request
                os._exit(0)
            try:
                send(talk, {"id": asked["id"], **given}, VALUES)
            except WireError as error:
                send(talk, {"id": asked["id"], **failed(error)})


def failed(error):
    from wire import NothingGiven, WireError

    why = {NothingGiven: "nothing", WireError: "refused"}.get(type(error), "")
    return {"ok": False, "kind": type(error).__name__[:200], "text": str(error)[:2000], "why": why}


def fresh_notebook():
    from habits import Shell

    global shell
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    shell = Shell(main.__dict__)
    sys.path.insert(0, "")  # files that the notebook writes
    return main.__dict__


def run_cell(names, asked, encode, decode):
    """Statement by statement: one that fails does not take the next along. Returns the errors."""
    import matplotlib.pyplot

    shell.begin(asked["source"])
    tree, errors, file = parsed(asked["source"]), [], f"<cell {asked['cell']}>"
    linecache.cache[file] = len(asked["source"]), None, asked["source"].splitlines(True), file
    for statement in one_by_one(tree.body):
        try:
            if statement is tree.body[-1] and isinstance(statement, ast.Expr):
                shell.gave(shell.run_code(ast.Expression(statement.value), file, "eval"))
            else:
                shell.run_code(ast.Module([statement], []), file, "exec")
        except Exception as error:
            errors.append([type(error).__name__[:200], str(error)[:500], statement.lineno])
    matplotlib.pyplot.close("all")
    return {"errors": errors[:20]}


def one_by_one(statements):
    """Of `import a, b` each by itself: where one is forbidden, the other is there all the same."""
    for statement in statements:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                one = copy.copy(statement)
                one.names = [alias]
                yield one
        else:
            yield statement


def parsed(source):
    """Plain Python as it is; with magics, what IPython makes of it."""
    if "In [" not in source:  # a copied prompt may look like an annotation
        try:
            return ast.parse(source)
        except SyntaxError:
            pass
    from IPython.core.inputtransformer2 import TransformerManager

    return ast.parse(TransformerManager().transform_cell(source))


def kind_of(names, asked, encode, decode):
    """Whether the name is defined, and whether it can be called."""
    name = asked["name"]
    value = names.get(name)
    return {
        "defined": name in names,
        "callable": callable(value),
        "type": type(value).__name__[:200],
        "blank": name in names and (value is None or value is ...),
    }


def call(names, asked, encode, decode):
    from wire import give

    seed(asked["seed"])
    args = decode(asked["args"])
    value = give(names[asked["name"]], args)
    return {"value": value, "changed": bool(asked.get("kept")) and is_other(encode(args), asked["args"])}


def is_other(given, asked):
    """As text: no blank of a table is the same number as another blank."""
    return json.dumps(given) != json.dumps(asked)


def value(names, asked, encode, decode):
    from wire import settled

    names[asked["name"]] = settled(names[asked["name"]])
    return {"value": encode(names[asked["name"]])}


def hello(names, asked, encode, decode):
    return {}


ACTIONS = {"hello": hello, "cell": run_cell, "kind": kind_of, "call": call, "value": value}


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", MPLBACKEND="Agg")
    main()
