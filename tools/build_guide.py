"""Write the tables of docs/lecturers.md: mistakes from the questions, live figures from docs/live/live.toml.

    uv run python tools/build_guide.py             # write them
    uv run python tools/build_guide.py --check     # exit status 1 when one is out of date

In the guide a comment lists what a table shows: for each mistake a line with its question and name.
"""

import re
import sys

from tools.books import ROOT
from tools.site import live
from tools.slides.notes import TABLE, listed
from tools.written import write_or_check

LIVE = re.compile(r"(<!-- live figures -->\n).*?(?=<!-- end of live figures -->)", re.S)
LIVE_HEAD = "| chapter | the figure | what to bet on |\n|---|---|---|\n"
HEAD = "| question | the mistake | what its author is asked |\n|---|---|---|\n"


def exercises():
    """{"pca.3": "02-homework"}: the homework that asks each question."""
    from grading.progress import homework

    return {question: stem for stem, questions in homework(ROOT).items() for question in questions}


def row(question, name):
    """A line of the table; raises when there is no such question, or no such mistake of it."""
    from grading.registry import find

    mistakes = {mistake.name: mistake for mistake in find(question).mistakes}
    if name not in mistakes:
        raise ValueError(f"{question} has no mistake {name!r}; it has {', '.join(map(repr, mistakes))}")
    cells = f"[{question}](../exercises/{exercises()[question]}.ipynb)", name, mistakes[name].hint
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def live_rows():
    """A line for each live figure, in the order of the chapters."""
    figures = sorted(live.figures().values(), key=lambda one: one["chapter"])
    for one in figures:
        chapter = f"[{int(one['chapter'][:2])}](../notebooks/{one['chapter']}.ipynb)"
        yield "| " + " | ".join([chapter, one["title"], one["question"]]) + " |"


def with_tables(text):
    """The guide with every table written anew."""
    text = LIVE.sub(lambda m: m[1] + LIVE_HEAD + "\n".join(live_rows()) + "\n", text)
    return TABLE.sub(lambda m: m[1] + HEAD + "\n".join(row(*pair) for pair in listed(m[2])) + "\n", text)


def main(argv=None):
    return write_or_check(ROOT / "docs" / "lecturers.md", with_tables, __doc__, argv)


if __name__ == "__main__":
    sys.exit(main())
