"""What the reader makes of a piece of a formula."""

from dataclasses import dataclass

__all__ = ["Node"]


@dataclass(eq=False)
class Node:
    """A compiled piece: its kind and its function of the environment.

    `family` is kept for dots (what it is a member of, and its indices), `call` for a gradient.
    """

    kind: str
    run: object
    family: tuple = None
    call: tuple = None
