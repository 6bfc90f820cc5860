"""What stands inside the sandbox, tried from outside: cells as IPython reads them, the fork."""

import ast
import json
import subprocess
import sys

import pytest

from grading.classroom.notebook import PART, in_parts
from grading.sandbox.inside import server
from tests.grading.small import needs_sandbox


@pytest.mark.parametrize(
    "source, same_as",
    [
        ("x = 1", "x = 1"),
        ("text = '''\n%time is no magic here\n!ls'''", "text = '''\n%time is no magic here\n!ls'''"),
        ("%time x = 3", "get_ipython().run_line_magic('time', 'x = 3')"),
        ("%%time\nx = 3", "get_ipython().run_cell_magic('time', '', 'x = 3\\n')"),
        ("!ls", "get_ipython().system('ls')"),
        ("In [1]: x = 3", "x = 3"),  # Python alone takes it for an annotation
        (">>> x = 3\n>>> y = 4", "x = 3\ny = 4"),
        ("    x = 3\n    y = 4", "x = 3\ny = 4"),
    ],
    ids="plain|magics in text|line magic|cell magic|shell|prompt|doctest prompt|indented".split("|"),
)
def test_a_cell_is_read_as_ipython_reads_it(source, same_as):
    assert ast.dump(server.parsed(source)) == ast.dump(ast.parse(same_as))


def test_a_cell_that_is_no_python_says_so():
    with pytest.raises(SyntaxError):
        server.parsed("def f(:")


def test_cells_are_sent_in_parts_none_lost_and_none_too_large():
    cells = [(i, "x" * size) for i, size in enumerate([0, 10, PART, 5, PART // 2, PART // 2, 1, 3 * PART])]
    parts = list(in_parts(cells))
    assert [cell for part in parts for cell in part] == cells and len(parts) == 3
    assert all(sum(len(source) for _, source in part[:-1]) <= PART for part in parts)
    assert list(in_parts([])) == []


FORK = """
import json, os, sys, threading
from grading.sandbox.inside.isolation import fork_into_namespaces
before = {name: os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "pid", "ipc", "net")}
hear, say = os.pipe()
who = os.getuid(), os.getgid()
child = fork_into_namespaces()
if child == 0:
    heard = []
    thread = threading.Thread(target=heard.append, args=(threading.get_native_id(),))
    thread.start()
    thread.join()
    other = [name for name in before if os.readlink(f"/proc/self/ns/{name}") != before[name]]
    same = (os.getuid(), os.getgid()) == who
    os.write(say, json.dumps([os.getpid(), threading.get_native_id(), len(heard), other, same]).encode())
    os._exit(7)
os.close(say)
print(os.read(hear, 1000).decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@needs_sandbox[0]
@needs_sandbox[1]
def test_a_fork_into_namespaces_is_the_first_process_there_and_has_threads():
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True)
    words, status = done.stdout.rsplit(" ", 1)
    assert json.loads(words) == [1, 1, 1, ["user", "mnt", "pid", "ipc", "net"], True] and int(status) == 7
