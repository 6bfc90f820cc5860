"""What each kernel of the course runs first: `course` names this file in PYTHONSTARTUP.

Two things of a learner's day are mended: a notebook that is only opened stays as it is, and a NameError says
what helps.
"""


def _mend(shell):
    # JupyterLab copies this into the notebook: with a version in it, each machine would change each file
    shell.kernel.language_info = {"name": "python"}
    told = []

    def kindly(shell, kind, error, trace, tb_offset=None):
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        if not told:
            told.append(True)
            print(
                "\nHas a cell above not been run since this notebook was opened? "
                "In the menu: Run → Run All Above Selected Cell."
            )

    shell.set_custom_exc((NameError,), kindly)


def _your_own():
    """The file that PYTHONSTARTUP named before, if any."""
    import os
    from pathlib import Path

    own = os.environ.get("COURSE_STARTUP_BEFORE", "")
    if own and Path(own).is_file():
        exec(compile(Path(own).read_text(encoding="utf-8"), own, "exec"), globals())


try:
    _mend(get_ipython())  # noqa: F821  # IPython's own name
except (NameError, AttributeError):
    pass  # no kernel: a plain Python that was started from JupyterLab's terminal
_your_own()
del _mend, _your_own
