"""The words of a slide, once it is known what it shows: they name symbols, ask, and complete thoughts."""

import re
from dataclasses import replace
from itertools import pairwise

from tools.slides.blocks import LEANS, Block, sentences
from tools.slides.sizes import ROOM, height

FORMULAS = ("equation", "derivation")
WORDS = ("text", "break", "item", "quote")
GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi "
    "varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega"
).replace(" ", "|")
NAME = re.compile(
    rf"(?:\\(?:hat|bar|tilde)\s*\{{?)?(?:\\(?:{GREEK})\b|(?<![\\a-zA-Z])[A-Za-z](?![A-Za-z]))|(?<=,)[a-z]{{2}}(?=\}})"
)
NO_NAMES = re.compile(r"\\(?:text|operatorname|mathrm|tag|begin|end)\*?\{[^{}]*\}")
COMMON = set("ijklmndxXy")  # counts, and the data: named once for the whole course
SIDE = re.compile(
    r"\b(?:on|to) the (?:right|left)\b|\bthe (?:right|left) (?:one|curve|picture)\b|\bin the middle\b", re.I
)
BET = re.compile(r"\b[Bb]ets?\b|\b[Gg]uess\b")
THIS = re.compile(r"\b(?:this|these) (?:table|picture|figure|map|curve)s?\b", re.I)  # what is asked about
PLANTED = (
    "(Planted faults: we broke the code on purpose, in one place at a time; so often did the check fail.)"
)


def finish(slides, notation):
    """The words of all slides, in place."""
    define_symbols(slides, notation)
    show_again(slides)
    for slide in slides:
        make_whole(slide)
        end_thoughts(slide)
        hide_answers(slide)
    explain_faults(slides)


# ---- symbols


def names(tex):
    """The symbols of a formula, but for those that every chapter has."""
    return {re.sub(r"[\s{]", "", name) for name in NAME.findall(NO_NAMES.sub(" ", tex))} - COMMON


def named(words):
    return set().union(*map(names, re.findall(r"\$([^$]+)\$", words)))


def define_symbols(slides, notation=()):
    """A sentence that is the first to name a symbol of a formula stands before it, not in the notes.

    Symbols that no sentence names are explained as the chapter's table of notation has them.
    """
    known, here, untold, section = set(), set(), [], None
    for slide in slides:
        if slide.section != section:
            section, here, untold = slide.section, set(), []
        for block in list(slide.blocks):
            if block.kind in WORDS:
                here |= named(block.source) if block.shown else set()
                untold += [block] * (not block.chosen)
            elif block.kind in FORMULAS and block.shown:
                wanted = names(block.source) - here - known
                if defining := take(untold, wanted, ROOM - slide.height()):
                    made = Block("text", defining, must=True, shown=True)
                    slide.blocks.insert(place(slide, block, ".?!…)"), made)
                if legend := from_table(block.source, wanted - named(defining), notation):
                    made = Block("where", legend, shown=True)
                    slide.blocks.insert(place(slide, block, ".?!…):"), made)
                here |= names(block.source)
        known |= here


def place(slide, formula, ends):
    """Before the formula, or before the words that go on in it: they do not end so."""
    at = slide.blocks.index(formula)
    words = slide.blocks[at - 1] if at else formula
    goes_on = words.kind == "text" and words.shown and words.source.rstrip("*_”")[-1] not in ends
    return at - goes_on


def from_table(tex, wanted, notation):
    """The rows of the table of notation that explain the wanted symbols of a formula."""
    rows = {}
    for symbols, meaning in notation:
        for symbol in symbols.split(", "):
            alone = rf"(?<![a-zA-Z\\]){re.escape(closed_up(symbol))}(?!_|'|\^(?:[a-zA-Z+*]|\{{?\())"
            if names(symbol) & wanted and re.search(alone, closed_up(tex)):
                rows.setdefault(symbol, f"${symbols}$: {meaning}")  # of two tables the first
    return "; ".join(dict.fromkeys(rows.values()))


def closed_up(tex):
    """Scripts without blanks, nor braces around one sign; no words."""
    return re.sub(r"([_^])\{(\w)\}", r"\1\2", re.sub(r"\s*([_^])\s*", r"\1", NO_NAMES.sub(" ", tex)))


def take(blocks, wanted, room):
    """The sentences, not shown, that are the first to name a wanted symbol; they leave their blocks.

    Where there is room, with those before them in their paragraph.
    """
    taken = []
    for block in blocks:
        told = sentences(block.rest if block.shown else f"{block.source} {block.rest}")
        new = [i for i, one in enumerate(told) if named(one) & wanted - named(" ".join(told[:i]))]
        new = sorted({*new, *(i - 1 for i in new if i and LEANS.match(told[i]))})
        if not new:
            continue
        if height(Block("text", " ".join([*taken, *told[: new[-1] + 1]]))) <= room:
            new = [*range(new[-1] + 1)]
        taken += [told[i] for i in new]
        left = " ".join(one for i, one in enumerate(told) if i not in new)
        block.source, block.rest = (block.source, left) if block.shown else (left, "")
        block.whole = ""
        wanted = wanted - named(" ".join(taken))
    return " ".join(taken)


# ---- a picture that the words speak of


def show_again(slides):
    """Words that point at a side of a picture have it beside them: the last one of their section."""
    picture, section = None, None
    for slide in slides:
        if slide.section != section:
            picture, section = None, slide.section
        pictures = [block for block in slide.shown() if block.kind == "figure"]
        pointing = any(block.kind in WORDS and SIDE.search(block.source) for block in slide.shown())
        if pointing and picture and not pictures and slide.height() <= ROOM / 2:
            slide.blocks.append(replace(picture))
        picture = pictures[-1] if pictures else picture


# ---- thoughts


def make_whole(slide):
    """What is half empty shows its paragraphs whole, as far as there is room."""
    for block in slide.shown():
        grows = block.rest and block.whole and not block.chosen
        more = height(replace(block, source=block.whole)) - height(block) if grows else 0
        if more and slide.height() < 0.6 * ROOM and slide.height() + more <= ROOM:
            block.source, block.rest = block.whole, ""


def end_thoughts(slide):
    """A last sentence that announces what the slide does not show is the speaker's."""
    shown = slide.shown()
    for block, following in zip(shown, [*shown[1:], None], strict=False):
        *kept, last = sentences(block.source) or [""]
        alone = following is None or following.kind in ("text", "myth", "heading", "tick")
        prose = block.kind in ("text", "myth", "quote", "break") and not block.chosen
        if prose and kept and alone and last.endswith(":"):
            block.source, block.rest = " ".join(kept), f"{last} {block.rest}".strip()


def hide_answers(slide):
    """What follows a question or a bet waits for a key, but not what is asked about."""
    asked = given = False
    for block in slide.shown():
        asks = block.kind in ("text", "break") and is_asking(block.source, only_bets=slide.first_look)
        block.waits = asked and not asks and not given if block.waiting is None else block.waiting
        given = asks and bool(THIS.search(block.source))
        asked |= asks
    for names, formula in pairwise(slide.shown()):
        names.waits = formula.waits if names.kind == "where" else names.waits


def is_asking(words, only_bets=False):
    """A bet among the last sentences, or a question with at most one sentence behind it."""
    parts = sentences(words)
    asked = any(one.rstrip("*_”)").endswith("?") for one in parts[-2:])
    return bool(BET.search(" ".join(parts[-3:]))) or (asked and not only_bets)


def explain_faults(slides):
    """The deck's first line of evidence says what planted faults are."""
    for slide in slides:
        counted = [one for one in slide.shown() if "planted faults" in one.source + one.label]
        if counted:
            made = Block("tick", PLANTED, waits=counted[0].waits, shown=True)
            slide.blocks.insert(slide.blocks.index(counted[0]) + 1, made)
            return
