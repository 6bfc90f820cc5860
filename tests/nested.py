"""Pytest within pytest: the project's own settings on a folder that a test has made."""

import os
import subprocess
import sys

from tools.books import ROOT

SECONDS = 600  # a kernel that never answers fails its test, and holds up no other


def pytest_on(folder, *options, **environment):
    """The finished process, its output as text; the cache is left alone."""
    always = ["-p", "conftest", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *always, *options, folder],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
    )


def verdicts(folder):
    """One line of output for each passed and failed test, for tests that look at which."""
    return pytest_on(folder, "-rA", "--color=no").stdout
