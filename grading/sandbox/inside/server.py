"""Runs inside the sandbox: imports the scientific stack once, then forks a process for each submission.

    fork server ─┬─ room: modules that some questions forbid are gone ─┬─ submission
                 └─ room …                                             └─ submission …

A room runs no student's code; it outlives its submissions, and tells how they ended. Control messages come on
the socket whose number is the argument, each with the sockets of the process to make.
"""

import ast
import builtins
import copy
import gc
import importlib
import json
import linecache
import os
import select
import socket
import sys
import tempfile
import types
from pathlib import Path

shell = None  # of this submission
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
    from gate import is_class

    control = socket.socket(fileno=int(sys.argv[1]))
    gc.disable()  # what is imported stays
    import_all(STACK)
    settings = json.loads(control.recv(2**16))  # while they were imported, the trusted side got to know them
    sys.path[:0] = settings["path"]
    import_all(settings["modules"])
    warm_up()
    settings["code"] = [one for one in gc.get_objects() if type(one) is types.FunctionType or is_class(one)]
    gc.collect()
    gc.freeze()  # children share these pages
    gc.enable()
    control.sendall(b"R")
    serve(control, settings)


def import_all(names):
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # the cell that needs it will say so


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
    from supervision import takes_too_much

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
    from gate import forbid
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


# ---- one submission


def start_submission(talk, life, settings):
    """[Supervised], or nothing where the system refuses the namespaces; the trusted side is told."""
    from isolation import fork_into_namespaces
    from supervision import Supervised
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
            os.chdir(tempfile.mkdtemp(dir=Path(__file__).parents[1]))  # goes with the server's own folder
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
