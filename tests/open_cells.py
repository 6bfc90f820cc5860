"""A chapter's own kernel says whether its open cells run alone and twice: see tests/alone.py."""

import ast
from queue import Empty

import pytest

from tools.books import ROOT

NAME = "Open cells, alone and once more"
WATCH = """
import sys as _sys
_sys.path.append({root!r})
import tests.alone as _alone
_sys.path.remove({root!r})
get_ipython()._alone = _alone.Alone(get_ipython(), [_alone.Cell(*_cell) for _cell in {cells!r}])
del _sys, _alone
"""
SECONDS = 300


def is_held(path):
    from tools import form  # a reader may lack what it reads notebooks with

    return path.parent.name == "notebooks" and path.stem in form.held()


def cells_of(nb):
    """Source, whether it is folded, and whether an error is meant, of each cell with code."""
    from tools import form

    return [
        (cell.source, form.is_folded(cell), "raises-exception" in cell.metadata.get("tags", []))
        for cell in nb.cells
        if cell.cell_type == "code"
    ]


def ask(kernel, code, value="None"):
    """Run it in a notebook's kernel, where nobody sees it; then the value that an expression has there."""
    sent = kernel.kc.execute(code, silent=True, user_expressions={"told": value}, allow_stdin=False)
    while True:
        try:
            reply = kernel.get_message("shell", timeout=SECONDS)
        except Empty:
            raise RuntimeError(f"no answer after {SECONDS} s") from None
        if reply["parent_header"].get("msg_id") == sent:
            break
    kernel.await_idle(sent, SECONDS)
    told = reply["content"].get("user_expressions", {}).get("told", reply["content"])
    if told["status"] != "ok":
        raise RuntimeError(f"{told.get('ename')}: {told.get('evalue')}")
    return ast.literal_eval(told["data"]["text/plain"])


def watch(notebook):
    """From its first cell on."""
    ask(notebook.kernel, WATCH.format(root=str(ROOT), cells=cells_of(notebook.nb)))


class OnceMore(pytest.Item):
    """After the last cell of a chapter: what stands open ran alone, and does so once more."""

    def runtest(self):
        kernel = self.parent.kernel
        problems = ask(kernel, "", "get_ipython()._alone.once_more()")
        assert not problems, "\n".join(problems)

    def repr_failure(self, excinfo):
        told = excinfo.value
        return str(told) if isinstance(told, AssertionError) else repr(told)

    def reportinfo(self):
        return (
            self.path,
            0,
            f"{self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path}::{NAME}",
        )
