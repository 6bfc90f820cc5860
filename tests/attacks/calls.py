"""Which system calls does a homework make that the sandbox refuses? Runs the solutions, and prints them.

uv run python tests/attacks/calls.py            # all homeworks
uv run python tests/attacks/calls.py 01 02

A call beyond the list goes to a watcher, which notes its name and answers as the filter would.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

from grading.classroom.answers import Homework, find_homework
from grading.classroom.submission_grader import Grader
from grading.sandbox.host import Sandbox

ROOT = Path(__file__).resolve().parents[2]
WATCHED = '''

def filter_calls():
    """Of the sandbox, but for the answer: the kernel asks a process outside the filter what to say."""
    import socket
    rules, (ours, theirs) = rules_of_calls(0x7FC00000), socket.socketpair()       # SECCOMP_RET_USER_NOTIF
    if os.fork() == 0:
        watch(socket.recv_fds(theirs, 1, 1)[1][0])
    rules.load()
    import pyseccomp
    socket.send_fds(ours, [b"."], [pyseccomp._libseccomp.seccomp_notify_fd(rules._filter)])
    ours.close(), theirs.close()


def watch(fd):
    import pyseccomp
    library = pyseccomp._libseccomp
    asked, said = ctypes.POINTER(pyseccomp._Notif)(), ctypes.POINTER(pyseccomp._NotifResp)()
    library.seccomp_notify_alloc(ctypes.byref(asked), ctypes.byref(said))
    while True:
        ctypes.memset(asked, 0, ctypes.sizeof(pyseccomp._Notif))    # the kernel wants it empty
        if library.seccomp_notify_receive(fd, asked):
            os._exit(0)
        what, answer = asked.contents, said.contents
        name = pyseccomp.resolve_syscall(pyseccomp.system_arch(), what.data.nr).decode()
        os.write(2, f"refused: {name}\\n".encode())
        answer.id, answer.val, answer.error, answer.flags = what.id, 0, -MISSING, 0
        library.seccomp_notify_respond(fd, said)
'''


class Watched(Sandbox):
    """A sandbox that notes in its log which calls it refuses."""

    def start(self):
        with open(self.folder / "rt" / "isolation.py", "a", encoding="utf-8") as file:
            file.write(WATCHED)
        super().start()

    def refused(self) -> Counter:
        self.log.seek(0)
        return Counter(re.findall(r"refused: (\w+)", self.log.read().decode(errors="replace")))


def refused_in(homework: Homework, *submissions: bytes):
    """[(Counter of the calls that were refused, points)] of submissions, one after the other."""
    grader, found, before = Grader(homework, "a salt of the tests"), [], Counter()
    with Watched(homework.modules(), cases=grader.cases) as sandbox:
        grader.sandbox = sandbox
        for data in submissions:
            points = grader.grade("ann", data).points
            found.append((sandbox.refused() - before, points))
            before = sandbox.refused()
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("homework", nargs="*", help="numbers, as 01 02; all where none is given")
    chosen = parser.parse_args().homework
    names = chosen or [path.stem for path in sorted((ROOT / "exercises").glob("*.ipynb"))]
    for path in (find_homework(name) for name in names):
        homework = Homework(path)
        ((found, points),) = refused_in(
            homework, (ROOT / "solutions" / path.name.replace("homework", "solution")).read_bytes()
        )
        words = ", ".join(f"{count} × {name}" for name, count in found.most_common()) or "nothing"
        print(f"{path.stem}: refused {words}; {points:g} of {homework.points:g} points", flush=True)


if __name__ == "__main__":
    main()
