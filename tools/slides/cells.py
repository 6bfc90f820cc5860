"""Which cells of a chapter stand on which slide: their slide types say so, as JupyterLab's property inspector
writes them. `slide` begins a slide, `fragment` comes with the next key, `notes` is the speaker's, `skip` is
nowhere, and a cell without a type goes on where it is. A slide takes its heading from the section it is in.
"""

import re
from dataclasses import dataclass, field

from tools.site.notebook_reader import MARK, at_head, title_of

HEADING = re.compile(r"^(#{2,3}) (.+)\n*", re.M)
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
ASKS = re.compile(r"\?(?:\W|$)|\*\*Bet\.\*\*")
BEGIN = ("slide", "subslide")


@dataclass
class Shown:
    """What a slide shows of a cell."""

    source: str
    code: object = None  # the notebook's cell, if it is one of code
    waits: bool = False  # for the next key


@dataclass
class Slide:
    """What it shows, and what the speaker alone reads."""

    title: str
    part: str = ""
    cells: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # Markdown
    start: int = 0

    @property
    def number(self):
        """ "2.3" of "2.3 How much is left?"; of a slide outside of sections nothing."""
        found = re.match(r"\d+\.\d+", self.title)
        return found[0] if found else ""

    @property
    def minutes(self):
        """One to begin with, one for each picture, formula or listing, and one for a bet."""
        seen = sum(bool(cell.code) or "$$" in cell.source for cell in self.cells)
        return 1 + min(seen, 2) + any("**Bet.**" in cell.source for cell in self.cells)

    def asks(self):
        """Whether the slide, or a note, asks the room something."""
        words = [cell.source for cell in self.cells if not cell.code]
        return any(ASKS.search(one) for one in [self.title, *words, *self.notes])


def slide_type(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def slides_of(nb):
    """The slides of a chapter, its title first."""
    made, part, title = [opening(nb)], "", ""
    for cell in nb.cells[1:]:
        source, code = MARK.sub(r"\1", cell.source), cell.cell_type == "code"
        for level, heading in () if code else HEADING.findall(source):
            part, title = (heading, "") if level == "##" else (part, heading)
        kind, said = slide_type(cell), source if code else HEADING.sub("", source).strip()
        if kind in BEGIN:
            made.append(Slide(title or part, part))
        if kind == "notes":
            made[-1].notes += [said] * (not code)
        elif code and kind != "skip":
            made[-1].cells.append(Shown(said, cell, kind == "fragment"))
        elif kind != "skip":
            add_words(made[-1], said, kind == "fragment")
    set_clock(made)
    return made


def add_words(slide, text, waits):
    """The answer to a quick question comes with the next key; any other fold is for the speaker alone."""
    for i, piece in enumerate(FOLD.split(text)):  # words, summary, what is folded, words, …
        if i % 3 == 0 and piece.strip():
            slide.cells.append(Shown(piece.strip(), waits=waits))
        elif i % 3 == 1:
            summary = piece.replace("<b>", "**").replace("</b>", "**").strip()
        elif i % 3 == 2 and summary.startswith("**Quick question.**"):
            slide.cells += [Shown(summary, waits=waits), Shown(f"**Answer.** {piece.strip()}", waits=True)]
        elif i % 3 == 2:
            slide.notes.append(f"{summary} {piece.strip()}")


def opening(nb):
    """The chapter's question, and what its reader will be able to do."""
    rows, hook = at_head(nb), nb.cells[0].source.partition("\n")[2].partition("\n|")[0].strip()
    goals = f"**You will be able to** {rows['You will be able to']}.\n\n**You need** {rows['You need']}."
    return Slide(title_of(nb), cells=[Shown(hook), Shown(goals)])


def set_clock(slides):
    """When each slide begins, in minutes."""
    for past, slide in zip(slides, slides[1:], strict=False):
        slide.start = past.start + past.minutes
