"""Which questions a cell asks: the one pattern for ``check("music.3")``."""

import re

CHECK = re.compile(r"""^[ \t]*check\(\s*["']([\w.]+)["']\s*\)""", re.M)


def questions_asked(source: str) -> list[str]:
    """The ids in the calls of `check` that begin a line.

    >>> questions_asked('check("music.3")')
    ['music.3']
    """
    return CHECK.findall(source)
