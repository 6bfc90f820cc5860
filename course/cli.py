"""The `course` command: `course` alone opens the course in JupyterLab; `course --help` lists the rest.

A sub-command is one line in COMMANDS: its name, what it does, and the module that does it. The module is
imported only when its command is used, and has two functions: ``arguments(parser)`` declares its options,
``run(options)`` does the work and returns the exit status. This module is the one of ``course open``.
"""

import argparse
import importlib
import os
import secrets
import socket
import sys
from pathlib import Path

from grading.folder import START, CourseNotFound, course_folder

SETTINGS = Path(__file__).resolve().parent / "lab"  # its overrides.json keeps JupyterLab's news away

COMMANDS = {
    "open": ("open the course in JupyterLab (what `course` alone does)", "course.cli"),
    "progress": ("show what of the homework is done, and what to review next", "grading.progress"),
    "bring": ("take your answers from an older copy of the course into this one", "course.bring"),
    "release": ("make a folder or zip of one homework for the class", "grading.classroom.release"),
    "grade": ("grade a class's homework, in a sandbox", "grading.classroom.grade"),
    "report": ("write the class report and a page for each student", "grading.classroom.report"),
    "replay": ("print a cell that shows why a student lost a point", "grading.classroom.replay"),
    "export": (
        "write the grades as a table for nbgrader, Canvas, Moodle or Gradescope",
        "grading.classroom.export",
    ),
}


def main(argv=None):
    try:
        try:
            return start(argv)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not is_unread(sys.stdout):  # another pipe broke
            raise
        return 1


def is_unread(stream):
    """Whether nobody reads it any more, as with `course progress | head`; then the end is silent."""
    try:
        print(file=stream, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return True
    return False


def start(argv):
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["-h"], ["--help"]):
        print(overview())
        return 0
    if not words or words[0].startswith("-"):
        words.insert(0, "open")
    name, *rest = words
    if name not in COMMANDS:
        print(f"course: no command {name!r}\n\n{overview()}", file=sys.stderr)
        return 2
    about, module = COMMANDS[name]
    command = importlib.import_module(module)
    parser = argparse.ArgumentParser(prog=f"course {name}", description=about)
    command.arguments(parser)
    try:
        return command.run(parser.parse_args(rest))
    except CourseNotFound as problem:
        sys.exit(str(problem))


def overview():
    """The text of `course --help`."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {about}" for name, (about, _) in COMMANDS.items()]
    parser = argparse.ArgumentParser(add_help=False)
    arguments(parser)
    options = parser.format_help().partition("options:\n")[2].rstrip()
    return "\n".join([
        "usage: course [command] [options]",
        "",
        "commands:",
        *lines,
        "",
        "options of `course open`, and of `course` alone:",
        options,
        "",
        "`course <command> --help` explains one command.",
    ])


def arguments(parser):
    parser.add_argument(
        "--page",
        metavar="PAGE",
        default=str(START),
        help="the notebook to open: a chapter's number (02) or a file in the course; "
        "without it, the start page",
    )
    parser.add_argument("--port", type=int, help="the port to use; without it, a free one")
    parser.add_argument(
        "--ip",
        default="127.0.0.1",
        help="the address to listen on: 0.0.0.0 lets you in from outside a container "
        "(default: this machine only)",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options):
    """Open the course: say where, then hand over to JupyterLab until Ctrl-C."""
    root = course_folder()
    page = find_page(root, options.page)
    shown = "127.0.0.1" if options.ip == "0.0.0.0" else options.ip
    if options.port and is_taken(shown, options.port):
        sys.exit(f"Port {options.port} is taken. Leave --port out, and a free one is found.")
    port = options.port or free_port(options.ip)
    browser = not options.no_browser and has_screen()
    token = os.environ.setdefault("JUPYTER_TOKEN", secrets.token_hex(24))
    print(
        f"The course in {root} opens in JupyterLab.",
        f"Its address, in a few seconds: http://{shown}:{port}/lab/tree/{page}?token={token}",
        "Your browser opens it by itself." if browser else "Open this address in a browser.",
        "To stop it, press Ctrl-C here.",
        sep="\n",
        flush=True,
    )
    start_lab(server_arguments(root, page, options.ip, port, browser))
    return 0


def find_page(root, page):
    """The page's path inside the course, with slashes: "02" -> "notebooks/02-pca.ipynb"."""
    pages = (root / "notebooks").glob(f"{page}-*.ipynb")
    chapters = sorted(pages, key=lambda path: path.stem)  # 02-pca before 02-pca-more
    found = chapters if page.isdigit() else [(root / page).resolve()]
    if not found or not found[0].is_file() or not found[0].is_relative_to(root):
        sys.exit(f"The course has no page {page!r}: give a chapter's number (02) or a file in {root}.")
    return found[0].relative_to(root).as_posix()


def free_port(ip="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((ip, 0))
        return probe.getsockname()[1]


def is_taken(ip, port):
    with socket.socket() as probe:
        return probe.connect_ex((ip, port)) == 0


def has_screen():
    """Whether a browser can open a window: not in a container, nor over ssh."""
    if not sys.platform.startswith("linux"):
        return "SSH_CONNECTION" not in os.environ
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def server_arguments(root, page, ip, port, browser):
    """JupyterLab's command line. Each line cures something: see the comments."""
    words = [
        f"--ServerApp.root_dir={root}",
        f"--ServerApp.ip={ip}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",  # the printed address is the true one
        f"--LabApp.default_url=/lab/tree/{page}",  # an argument would be lost from the address
        f"--LabApp.app_settings_dir={SETTINGS}",  # no pop-up asks for news
        "--log-level=WARN",
    ]
    if not browser:
        words.append("--no-browser")
    if getattr(os, "geteuid", lambda: 1)() == 0:
        words.append("--allow-root")  # as in a container
    return words


def start_lab(words):
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")  # this environment's kernel, not another's
    if own := os.environ.get("PYTHONSTARTUP"):
        os.environ["COURSE_STARTUP_BEFORE"] = own
    os.environ["PYTHONSTARTUP"] = str(SETTINGS / "startup.py")
    try:
        from jupyterlab.labapp import LabApp
    except ModuleNotFoundError:
        sys.exit(
            "JupyterLab is not installed here. Install all with `pip install -r requirements.txt`,\n"
            "or let uv do it: `pip install uv && uv run course`."
        )
    LabApp.launch_instance(argv=words)


if __name__ == "__main__":
    sys.exit(main())
