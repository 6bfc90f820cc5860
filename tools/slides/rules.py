"""Which of a chapter's blocks its slides show, and when they are due. Lengths are pixels."""

import math
import re
from dataclasses import dataclass, field
from itertools import takewhile

from tools.slides.blocks import FIRST_LOOK, LEANS, Block
from tools.slides.sizes import ROOM, height
from tools.slides.words import finish, is_asking

LEAD = 130  # two or three lines
TEXTS = 2  # paragraphs on a slide
WANTED = ("figure", "derivation", "equation", "table", "card", "html", "item", "quote", "myth")
SHOWN_AFTER = ("output", "text", "quote", "item")  # a colon
RECIPE = "A recipe to copy"  # code to run: its words without it lead nowhere, but for the cards of methods
FILL = ("tick", "myth", "text", "output", "code")  # what may use the room that is left, in this order


@dataclass
class Slide:
    kind: str  # title, part, section, break, question, summary, homework
    title: str
    part: str = ""
    section: str = ""  # its heading, which the slides of a section share
    blocks: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # Markdown
    minutes: int = 1
    start: int = 0

    @property
    def first_look(self):
        return self.section == FIRST_LOOK

    def shown(self):
        return [block for block in self.blocks if block.shown]

    def height(self):
        return sum(height(block) for block in self.shown())


# ---- one section


def pack(section):
    """The section's blocks on as few slides as hold what is wanted; then what else has room."""
    questions = [block for block in section.blocks if block.kind == "question" and not block.off]
    slides = [Slide("section", section.title, section.part, section.title)]
    for block in section.blocks:
        if block in questions:
            continue
        wanted = block.must or block.kind in WANTED or is_announced(block, slides[-1].blocks)
        block.shown = wanted and not block.off
        full = block.shown and slides[-1].height() + height(block) > ROOM
        if (full or block.fresh and not (block.kind == "break" and is_lead(slides[-1]))) and slides[
            -1
        ].shown():
            begun = [] if block.fresh else words_before(slides[-1].blocks)
            slides.append(Slide("section", section.title, section.part, section.title, begun))
        slides[-1].blocks.append(block)
        if block.kind == "break":
            slides[-1].kind, slides[-1].title = "break", block.label
            if ":" not in block.label:
                slides[-1].title += ": " + re.sub(r"^[\d.]+ ", "", section.title)
    for slide in slides:
        fill(slide)
    for block in questions:
        block.shown = True
        slides.append(Slide("question", "Quick question", section.part, section.title, [block]))
    return slides


def is_announced(block, before):
    """The words before end in a colon: what they announce is shown with them."""
    return bool(before) and before[-1].shown and before[-1].source.endswith(":") and block.kind in SHOWN_AFTER


def words_before(blocks):
    """Take off the end what introduces the next block, seen or not: the last words, where they announce it.

    Of several unseen paragraphs the last does, unless it leans on those before; of one nobody can say.
    """
    if blocks[-1].off:
        return []
    if blocks[-1].leads and any(one.shown for one in blocks[:-1]):
        return [blocks.pop()]
    last, unseen = blocks[-1], list(takewhile(lambda one: one.kind == "text" and not one.shown, blocks[::-1]))
    if unseen:
        words = f"{last.source} {last.rest}".strip()
        takes = words[-1] in ":?" or is_asking(words) or len(unseen) > 1 and not LEANS.match(words)
    else:
        takes = announces(blocks)
    if takes and unseen:
        last.must = last.shown = True  # it was not taken to be lost
    return [blocks.pop()] if takes else []


def announces(blocks):
    """The last block, not the only one, is words that break off or end in a colon: they need what follows."""
    last = blocks[-1]
    others = any(one.shown for one in blocks[:-1])
    return others and last.kind == "text" and not re.search(r"[.?!…][)”\"*_]*$", last.source.strip())


def fill(slide):
    """Show what else has room: no third paragraph, and no numbers without a word."""
    for block in sorted(
        (one for one in slide.blocks if one.kind in FILL and not one.off),
        key=lambda one: FILL.index(one.kind),
    ):
        texts = sum(one.kind == "text" for one in slide.shown())
        dumb = block.kind == "output" and (
            not re.search(r"[^\W\d_]{3}", block.source) or lacks_its_words(block, slide.blocks)
        )
        if block.kind == "code":
            dumb = stands_alone(block, slide)
        if block.kind == "text":
            dumb = answers_unasked(block, slide.blocks)
        if slide.height() + height(block) <= ROOM and (block.kind != "text" or texts < TEXTS) and not dumb:
            block.shown = True


def stands_alone(code, slide):
    """It would take room from a picture, or what it prints is not shown."""
    printed = slide.blocks[slide.blocks.index(code) + 1 :][:1]
    return any(one.kind == "figure" for one in slide.shown()) or any(
        one.kind == "output" and not one.shown for one in printed
    )


def lacks_its_words(block, blocks):
    """The words nearest before it are there, and not shown."""
    texts = words_of(blocks[: blocks.index(block)])
    return bool(texts) and not texts[-1].shown


def answers_unasked(block, blocks):
    """The words before it end in a question, and are not shown."""
    texts = words_of(blocks[: blocks.index(block)])
    return bool(texts) and not texts[-1].shown and is_asking(f"{texts[-1].source} {texts[-1].rest}".strip())


def words_of(blocks):
    return [one for one in blocks if one.kind == "text"]


def is_lead(slide):
    """A few lines of words, too little for a slide: what breaks next has room below them."""
    return {one.kind for one in slide.shown()} <= {"text", "tick"} and slide.height() < LEAD


# ---- one chapter


def slides_of(chapter):
    """The chapter's slides, their words complete, with name and time."""
    slides = assembled(chapter)
    finish(slides, chapter.notation)
    number(slides)
    set_clock(slides, chapter.minutes)
    return slides


def leave_out(slide):
    """Notes in place of a slide."""
    for block in slide.blocks:
        block.shown = False
    return [f"**Left out: {slide.title}**", *map(note, slide.blocks), *slide.notes]


def assembled(chapter):
    made = [Slide("title", chapter.title, notes=[chapter.hook])]
    for section in chapter.sections:
        if section.part != made[-1].part:
            names = [
                Block("item", one.title, shown=True) for one in chapter.sections if one.part == section.part
            ]
            made.append(Slide("part", section.part, section.part, blocks=names))
        for block in section.blocks if section.title.endswith(RECIPE) else ():
            block.off |= block.kind != "card" and not block.chosen
        for slide in pack(section):
            if slide.shown():
                made.append(slide)
            else:  # nothing but checks, or code: for the speaker
                made[-1].notes += leave_out(slide)
    points = [Block("item", point, shown=True) for point in chapter.summary]
    last = [Slide("summary", "Summary", blocks=points, notes=[chapter.reading])] * bool(points)
    if chapter.homework:
        last.append(Slide("homework", chapter.homework.title, blocks=chapter.homework.blocks))
    return [*made, *last]


def number(slides):
    """Every slide needs a name of its own: those that share a section count."""
    for title in {slide.title for slide in slides}:
        same = [slide for slide in slides if slide.title == title]
        for i, slide in enumerate(same, 1):
            slide.title += f" ({i} of {len(same)})" * (len(same) > 1)


def note(block):
    """What the speaker reads of a block that the slide does not show, or does not show whole."""
    if block.shown:
        return block.rest
    if block.kind in ("text", "myth", "break", "item", "quote", "note", "table", "card"):
        return f"{block.source} {block.rest}".strip()
    return {
        "equation": f"$${block.source}$$",
        "derivation": block.label,
        "figure": f"Figure: {block.label}",
        "output": f"```\n{block.source}\n```",
        "tick": block.source,
        "question": f"Ask: {block.source}",
    }.get(block.kind, "")


def said(slide):
    return [text for text in [*map(note, slide.blocks), *slide.notes] if text]


def set_clock(slides, minutes):
    """Share the chapter's minutes by what there is to say and to see; a slide takes one at least."""
    load = [
        sum(len(text.split()) for text in said(slide))
        + sum(len(one.source[:600].split()) + 20 for one in slide.shown())
        for slide in slides
    ]
    spare = minutes - len(slides)
    passed = [i + spare * sum(load[:i]) / sum(load) for i in range(len(slides))]
    for slide, start, end in zip(slides, passed, [*passed[1:], minutes], strict=True):
        slide.start, slide.minutes = math.floor(start), math.floor(end) - math.floor(start)
    for divider in [slide for slide in slides if slide.kind == "part"]:
        own = [i for i, slide in enumerate(slides, 1) if slide.part == divider.part]
        takes = sum(slides[i - 1].minutes for i in own)
        divider.notes.insert(0, f"This part takes about {takes} minutes, up to slide {own[-1]}.")
