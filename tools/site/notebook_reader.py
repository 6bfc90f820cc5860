"""What site and slides read of the course's notebooks: cells and their tags, equations, sections, captions."""

import base64
import json
import re
import tomllib
from functools import cache

import nbformat

from tools import books
from tools.books import ROOT
from tools.site.terms import slug

NUMBER = re.compile(r"\\tag\{([^}]*)\}")
CHECKS = ("item:", "erratum:", "eq:")
CAPTION = re.compile(r"^Figure: (.*(?:\n {8}\S.*)*)\n?", re.M)  # as helpers.plotting.show prints it
TICK = "✓ "
QUESTION = "<b>Quick question."
MARK = re.compile(
    r"^(#{2,3} (.+)\n\s*)\*(More|For the curious)\.\*[ \t]*$", re.M
)  # below a heading, as JupyterLab shows it
IN_SHORT = re.compile(r"\*\*In short: (.+?)\.?\*\*")
SECTION = re.compile(r"^### (\d+\.\d+) ", re.M)
HEAD_ROW = re.compile(r"^\| \*\*([^*]+)\*\* \| (.+) \|$", re.M)


def tags(cell, prefix=""):
    return [tag[len(prefix) :] for tag in cell.metadata.get("tags", []) if tag.startswith(prefix)]


def notebooks(folder):
    """Every notebook of a folder of the course, in order, companions below their chapters: {path: notebook}."""
    return {path: nbformat.read(path, as_version=4) for path in books.books(ROOT / folder)}


def notebook(stem):
    """A chapter, read."""
    return nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)


def shown_tex(cell):
    """The LaTeX that a reader sees at this cell."""
    if cell.cell_type == "markdown":
        return cell.source
    return "\n".join(
        out.data["text/latex"] for out in cell.get("outputs", []) if "text/latex" in out.get("data", {})
    )


@cache
def equations():
    """{"2.5": "02-pca"}: the chapter that shows each numbered equation."""
    return {
        number: path.stem
        for path, nb in notebooks("notebooks").items()
        for cell in nb.cells
        for number in NUMBER.findall(shown_tex(cell))
    }


@cache
def syllabus():
    return tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text(encoding="utf-8"))


@cache
def sections():
    """{"2.5": "notebooks/02-pca.html#2.5-Second-goal:-stay-apart"}: where each numbered section begins."""
    return {
        heading.split()[0]: f"notebooks/{path.stem}.html#{slug(heading)}"
        for path, nb in notebooks("notebooks").items()
        for cell in nb.cells
        if cell.cell_type == "markdown"
        for heading in re.findall(r"^### (\d+\.\d+ .+)$", cell.source, re.M)
    }


def caption_of(cell):
    """The sentence that a figure's cell prints below it."""
    return next(captions(cell), "")


def captions(cell):
    for out in cell.get("outputs", []):
        if out.output_type == "stream":
            yield from (" ".join(found[1].split()) for found in CAPTION.finditer(out.text))


def picture_size(data):
    """Width and height of a PNG in base64."""
    head = base64.b64decode(data[:44])
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


def evidence_of(cell):
    """The first line that begins with a tick; a chain says of itself on how many draws it was checked."""
    streams = [out.text for out in cell.outputs if out.output_type == "stream"]
    said = [line for text in streams for line in text.splitlines() if line.startswith(TICK)]
    chains = [out.data["text/plain"] for out in cell.outputs if "text/latex" in out.get("data", {})]
    said += [TICK + chain.splitlines()[-1] for chain in chains if "checked" in chain.splitlines()[-1]]
    return said[0] if said else ""


def described(cell):
    """What the comment in the first line says."""
    first = cell.source.partition("\n")[0]
    return first.lstrip("# ") if first.startswith("#") else ""


def marks(nb):
    """{anchor of a heading: "more" or "for the curious"}."""
    texts = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    return {slug(found[2]): found[3].lower() for text in texts for found in MARK.finditer(text)}


def title_of(nb):
    return nb.cells[0].source.partition("\n")[0].removeprefix("# ")


def at_head(nb):
    """What the table at a notebook's head says: {"You need": …, "Time": …}."""
    return {name: said for cell in nb.cells[:6] for name, said in HEAD_ROW.findall(cell.source)}


def read_counts(name):
    """A table that a tool wrote, such as docs/faults.json; nothing when nobody ran it yet."""
    path = ROOT / "docs" / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def minutes_of(time):
    """Every number of minutes in a chapter's row "Time"."""
    return [int(one) for one in re.findall(r"(\d+) (?:minutes|more|for)\b", time)]
