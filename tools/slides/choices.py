"""What a lecturer chose for single slides (`docs/slides/NN.toml`), where no rule can know what words mean."""

import re
import tomllib
from dataclasses import replace

from tools.books import ROOT
from tools.slides.blocks import FIRST_LOOK, Block, sentences

PROSE = ("text", "myth", "break", "item", "quote")
HOW = ("show", "say", "new", "wait", "open", "write", "again")


def choose(sections, stem):
    """Change the sections' blocks as the chapter's file asks.

    A quote is how a sentence, a caption, what a cell printed … begins; with "…" at its end it is the whole
    block that begins so.

    show    it stands on the slide, and of its paragraph nothing else that no other quote names
    say     it is the speaker's
    new     a slide begins with it
    wait    it comes with the next key;    open    it does not
    write   {quote: words}: words that only the slide has, before what is quoted
    again   {quote: caption}: the picture is shown once more, after the quoted words
    """
    path = ROOT / "docs" / "slides" / f"{stem[:2]}.toml"
    if not path.exists():
        return
    by_name = {name_of(section): section for section in sections}
    for name, choices in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if name not in by_name or not set(choices) <= set(HOW):
            raise ValueError(f"{path.name}, [{name!r}]: no such section, or not one of {', '.join(HOW)}.")
        try:
            apply(by_name[name], choices, sections)
        except LookupError as error:
            raise ValueError(f"{path.name}, [{name!r}]: {error}") from error


def name_of(section):
    """ "2.9"; "first" for what stands before the first part."""
    number = re.match(r"\d+\.\d+", section.title)
    return "first" if section.title == FIRST_LOOK else number[0] if number else section.title


def apply(section, choices, sections):
    for quote in choices.get("say", []):
        for_the_speaker(section, quote)
    show(section, choices.get("show", []))
    for quote in choices.get("new", []):
        cut(section, quote).fresh = True
    for quote in choices.get("wait", []):
        cut(section, quote).waiting = True
    for quote in choices.get("open", []):
        cut(section, quote).waiting = False
    for quote, words in choices.get("write", {}).items():
        block = cut(section, quote)
        fresh, block.fresh = block.fresh, False
        made = Block("text", words, must=True, fresh=fresh, chosen=True, leads=True)
        section.blocks.insert(section.blocks.index(block), made)
    for quote, caption in choices.get("again", {}).items():
        picture = next((b for s in sections for b in s.blocks if is_called(b, caption, "figure")), None)
        if not picture:
            raise LookupError(f"no picture's caption begins {caption!r}.")
        words = find(section, quote)
        section.blocks.insert(
            section.blocks.index(words) + 1, replace(picture, must=True, fresh=False, off=False)
        )


# ---- what is quoted


def begins(text, quote):
    """Whether a text begins with a quote, but for blanks, what is bold, and a list's points."""
    plain = [re.sub(r"^[-*>] |^\d+\. ", "", " ".join(one.replace("**", "").split())) for one in (text, quote)]
    return plain[0].startswith(plain[1])


def is_called(block, quote, kind=None):
    """A block that is no prose, by what it says first: its label, or its source."""
    return (kind or block.kind) == block.kind and any(
        begins(one, quote) for one in (block.label, block.source)
    )


def told(block):
    """All sentences of a paragraph."""
    return sentences(block.whole) if block.whole else [*sentences(block.source), *sentences(block.rest)]


def find(section, quote):
    """The one block that holds the quote: as a sentence's beginning, or as its own."""
    whole, quote = quote.endswith("…"), quote.rstrip("…")
    found = [
        block
        for block in section.blocks
        if (
            any(begins(one, quote) for one in told(block)[: 1 if whole else None])
            if block.kind in PROSE
            else is_called(block, quote)
        )
    ]
    if len(found) != 1:
        raise LookupError(f"{len(found)} blocks have what begins {quote!r}; one should.")
    return found[0]


# ---- what is done


def for_the_speaker(section, quote):
    """Off the slide: a sentence, or all of a block."""
    block = find(section, quote)
    block.chosen = True
    if block.kind not in PROSE or quote.endswith("…"):
        block.off, block.must = True, False
        return
    kept = [one for one in sentences(block.source) if not begins(one, quote)]
    block.rest = " ".join(one for one in told(block) if one not in kept)
    block.source, block.whole = " ".join(kept), ""
    block.off = not kept


def show(section, quotes):
    """Of each quoted paragraph the quoted sentences, in their order."""
    asked = {}
    for quote in quotes:
        asked.setdefault(id(block := find(section, quote)), (block, []))[1].append(quote)
    for block, named in asked.values():
        block.must = block.chosen = True
        block.off = False
        if block.kind not in PROSE:
            continue
        parts = told(block)
        kept = [one for one in parts if any(q.endswith("…") or begins(one, q) for q in named)]
        block.source, block.whole = " ".join(kept), ""
        block.rest = " ".join(one for one in parts if one not in kept)


def cut(section, quote):
    """The block that begins with the quote; a paragraph is cut before it."""
    block = find(section, quote)
    if block.kind not in PROSE:
        return block
    parts, on_slide = told(block), sentences(block.source)
    at = next(i for i, one in enumerate(parts) if begins(one, quote.rstrip("…")))
    before, after = parts[:at], parts[at:]
    if not any(one in on_slide for one in before):
        return block
    later = [one for one in after if one in on_slide] or after
    new = replace(
        block,
        source=" ".join(later),
        rest=" ".join(one for one in after if one not in later),
        whole="",
        must=True,
        chosen=True,
        fresh=False,
        kind="text",
    )
    block.source = " ".join(one for one in before if one in on_slide)
    block.rest = " ".join(one for one in before if one not in on_slide)
    block.whole, block.chosen = "", True
    section.blocks.insert(section.blocks.index(block) + 1, new)
    return new
