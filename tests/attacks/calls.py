"""Which system calls does a homework make that the sandbox refuses?

A call beyond the list goes to a watcher, which notes its name and answers as the filter would.
"""

import re
from collections import Counter

from grading.classroom.answers import Homework
from grading.classroom.submission_grader import Grader
from grading.sandbox.host import Sandbox

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
    with Watched(meanwhile=grader.prepare) as sandbox:
        grader.sandbox = sandbox
        for data in submissions:
            points = grader.grade("ann", data).points
            found.append((sandbox.refused() - before, points))
            before = sandbox.refused()
    return found
