"""The code keeps to the rules of ruff that pyproject.toml names, and to its format."""

import subprocess
import sys

import pytest

from tools.books import ROOT


@pytest.mark.parametrize("command", ["check", "format --check"])
def test_ruff_finds_nothing(command):
    ruff = [sys.executable, "-m", "ruff", *command.split(), "--no-cache", "--quiet", "."]
    done = subprocess.run(ruff, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
