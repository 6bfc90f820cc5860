"""Turns of the graders on one machine: they work beside each other, or one of them alone.

The locks lie on two files of the course that all its graders have, in whatever process or thread they are:
`room` while they work, `door` while they come in, one after the other, so that who waits for an empty room
does not wait for ever. The system frees the locks of a process that ends. Where it gives none for such a file
(some disks of a network), nobody waits.
"""

import contextlib
from pathlib import Path

ROOM = Path(__file__)
DOOR = ROOM.parent / "__init__.py"


@contextlib.contextmanager
def beside_others():
    """Others may work meanwhile, and nobody who works alone."""
    import fcntl

    with in_the_room(fcntl.LOCK_SH):
        yield


@contextlib.contextmanager
def alone():
    """When all others have left; they wait until this one leaves."""
    import fcntl

    with in_the_room(fcntl.LOCK_EX):
        yield


@contextlib.contextmanager
def in_the_room(how):
    import fcntl

    with open(ROOM, "rb") as room:
        with open(DOOR, "rb") as door, contextlib.suppress(OSError):
            fcntl.flock(door, fcntl.LOCK_EX)
            fcntl.flock(room, how)
        yield
