"""What the commands share: their help, and for those that write a part of the course `--check`."""

import argparse

from tools.books import ROOT


def parser(doc):
    """For a command whose docstring is its help, line by line as it stands there."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def write_or_check(path, written_anew, doc, argv=None):
    """Write what `written_anew(old text)` returns to the file, or with --check compare: the exit status."""
    command = parser(doc)
    command.add_argument(
        "--check", action="store_true", help="write nothing; exit status 1 when it is out of date"
    )
    only_compare = command.parse_args(argv).check
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    new = written_anew(old)
    if not only_compare:
        path.write_text(new, encoding="utf-8", newline="\n")
        return 0
    print(f"{path.relative_to(ROOT).as_posix()} is {'up to date' if new == old else 'OUT OF DATE'}")
    return int(new != old)
