"""The `course` command: opens the course, and says what to do when it cannot."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from course import cli
from grading import folder


@pytest.fixture
def course(tmp_path):
    """A course of two pages, in its own folder."""
    for page in ("00-start-here", "02-pca"):
        path = tmp_path / "notebooks" / f"{page}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(nbformat.writes(nbformat.v4.new_notebook()), encoding="utf-8")
    return tmp_path.resolve()


@pytest.fixture
def started(course, monkeypatch):
    """Run `course` without JupyterLab: the call returns the words that JupyterLab would get."""
    given = []
    monkeypatch.chdir(course)
    monkeypatch.setattr(cli, "start_lab", given.extend)
    monkeypatch.setenv("JUPYTER_TOKEN", "secret")

    def run(*words):
        given.clear()
        assert cli.main(list(words)) == 0
        return list(given)

    return run


def test_help_names_every_command_and_option(capsys):
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for word in [*cli.COMMANDS, "--port", "--no-browser", "--ip", "--page"]:
        assert word in shown


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main([name, "--help"])
    assert left.value.code == 0
    assert f"usage: course {name}" in capsys.readouterr().out


def test_an_unknown_command_is_refused_with_the_list(capsys):
    assert cli.main(["opne"]) == 2
    said = capsys.readouterr().err
    assert "'opne'" in said and "open the course in JupyterLab" in said


@pytest.mark.parametrize("words", [(), ("open",), ("--no-browser",)])
def test_the_start_page_is_the_default(started, words):
    assert "--LabApp.default_url=/lab/tree/notebooks/00-start-here.ipynb" in started(*words)


@pytest.mark.parametrize("page", ["02", "notebooks/02-pca.ipynb"])
def test_another_page_by_number_or_path(started, page, capsys):
    assert "--LabApp.default_url=/lab/tree/notebooks/02-pca.ipynb" in started("open", "--page", page)
    assert "/lab/tree/notebooks/02-pca.ipynb?token=secret" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["77", "notebooks/none.ipynb", "../elsewhere.ipynb"])
def test_a_page_that_is_not_there(started, page):
    with pytest.raises(SystemExit, match="no page"):
        started("--page", page)


def test_it_is_found_from_a_folder_inside(course, started, monkeypatch):
    monkeypatch.chdir(course / "notebooks")
    assert f"--ServerApp.root_dir={course}" in started()


def test_an_installation_without_notebooks_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "__file__", str(tmp_path / "site-packages" / "grading" / "folder.py"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="notebooks are not here.*\n.*cloned or unpacked"):
        cli.main(["open"])


def test_a_port_that_is_taken(started):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(SystemExit, match="is taken"):
            started("--port", str(other.getsockname()[1]))


def test_a_given_port_is_used(started):
    port = cli.free_port()
    assert f"--ServerApp.port={port}" in started("--port", str(port))


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_root_is_allowed_only_for_root(started, monkeypatch, user, allowed):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert ("--allow-root" in started()) == allowed


def test_a_system_without_user_numbers(started, monkeypatch):
    monkeypatch.delattr(os, "geteuid", raising=False)  # Windows
    assert "--allow-root" not in started()


@pytest.mark.parametrize(
    ("platform", "display", "opens"),
    [("linux", ":0", True), ("linux", "", False), ("darwin", "", True), ("win32", "", True)],
)
def test_a_browser_opens_where_there_is_a_screen(started, monkeypatch, platform, display, opens):
    for name in ("WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.setattr(sys, "platform", platform)
    assert ("--no-browser" not in started()) == opens
    assert "--no-browser" in started("--no-browser")


def test_missing_jupyterlab_is_named_with_the_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    with pytest.raises(SystemExit, match="pip install -r requirements.txt"):
        cli.start_lab([])


def test_the_printed_address_shows_the_start_page(course):
    """The real thing: start it, read the address that it prints, and open that."""
    server = subprocess.Popen(
        [sys.executable, "-m", "course.cli", "--no-browser"],
        cwd=course,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        said = "".join(server.stdout.readline() for _ in range(4))
        base, page, token = re.search(r"(http://[\w.:]+)(/lab/tree/\S+)\?token=(\w+)", said).groups()
        assert page == "/lab/tree/notebooks/00-start-here.ipynb"
        assert "JupyterLab" in answer(f"{base}{page}?token={token}", server)
        settings = f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification?token={token}"
        news = answer(settings, server)
        assert json.loads(news)["schema"]["properties"]["fetchNews"]["default"] == "false"
    finally:
        server.terminate()
        server.communicate(timeout=30)


def answer(address, server, seconds=90):
    """What stands at the address, as soon as something answers there."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10) as reply:
                return reply.read().decode("utf-8")
        except OSError as error:
            assert server.poll() is None and time.monotonic() < end, f"JupyterLab did not start: {error}"
            time.sleep(0.2)


def test_a_reader_who_has_enough_is_no_error():
    """As in `course progress | head`: the pipe is closed before anything is written."""
    code = "import sys; from course.cli import main; sys.stdin.read(); sys.exit(main(['progress']))"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as course:
        course.stdout.close()
        course.stdin.close()
        assert course.stderr.read() == b"" and course.wait() == 1
