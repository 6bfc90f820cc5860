"""The notebook around a call, or the script: the learner's names and cells, and where something is shown."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["cells", "display", "names"]


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


def display(what):
    """Show it as richly as the place can."""
    if ipython():
        from IPython.display import display as rich

        rich(what)
    else:
        print(what)
