"""The notebook around a call, or the script: the learner's names and cells, and where something is shown."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from grading.forbidden import parsed


def ipython():
    """IPython's shell; None in a script."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def names() -> dict:
    """The learner's names with their values."""
    return ipython().user_ns if ipython() else vars(sys.modules["__main__"])


def cells() -> list[str]:
    """The sources of these names, in the order in which they ran."""
    if ipython():
        return list(ipython().history_manager.input_hist_raw)
    script = getattr(sys.modules["__main__"], "__file__", None)
    return [Path(script).read_text(encoding="utf-8")] if script and Path(script).is_file() else []


def left_behind() -> list[str]:
    """Files beside the notebook on which its cells hang: a class sees the notebook alone."""
    if not ipython():
        return []
    nodes = [node for cell in cells() for part in parsed(cell) for node in ast.walk(part)]
    words = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    imported = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module}
    written = set(re.findall(r"^%%(?:writefile|file)\s+(?:-a\s+)?(\S+)", "\n".join(cells()), re.M))
    files = {word for word in words if is_short(word)} | {f"{name}.py" for name in imported}
    return sorted(name for name in files - written if Path(name).is_file())


def is_short(word):
    return 0 < len(word) < 200 and word.isprintable()


def display(what):
    """Show it as richly as the place can."""
    if ipython():
        from IPython.display import display as rich

        rich(what)
    else:
        print(what)
