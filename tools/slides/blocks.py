"""What a chapter's notebook could show on slides: sections, each a list of blocks. `rules` chooses."""

import re
from dataclasses import dataclass, field
from itertools import takewhile

from tools.site.notebook_reader import CAPTION, IN_SHORT, MARK, QUESTION, TICK, caption_of, minutes_of, tags

PIECES = re.compile(r"(<details>.*?</details>|\$\$.+?\$\$)", re.S)
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
BREAK = re.compile(r"\*\*(Breaks here[^*]*?)[.:]?\*\*\s*(.*)", re.S)
CORE = re.compile(r"^## Question (\d+) (★+) \((\d+ points?), core\): (.+)$", re.M)
ELSEWHERE = re.compile(r"In [\w -]+: `")  # begins a pointer into a library, for those who read
MYTH = re.compile(r"\b[Yy]ou may (?:read|find)\b")
CLOSED = re.compile(r"`+[^`]*`+|\$[^$]+\$|\[[^\]]*\]\([^)]*\)")
SENTENCE = re.compile(r"[.?!…][\"”’*)]*\s+(?=[\"“*$`(\[A-Z\d\u4e00-\u9fff])")
ABBREVIATED = re.compile(r"(?:\b[A-Z]|\bal|\bvs|\be\.g|\bi\.e|\bcf)\.\s*$")
ANNOUNCES = re.compile(
    r"^(?:Here (?:is|are)|There are|Look)\b|\?$|:$|\b(?:another matter|below|follows?|following)\b"
)
COUNTS = re.compile(r"^(?:Two|Three|Four|Five|Six|Seven|Several) [a-z]+")  # what follows is a list
LEANS = re.compile(
    r"^\*\*|^\W*(?:This|That|These|Those|It|Its|They|Their|He|She|So|But|And|Or|Then|Hence|Therefore|Yet|Both|Neither|"
    r"Such|Else|Otherwise|Only|Not|No|Nor|With|Also|Again|Still|Too|What|Which|Whoever|First|Second)\b"
)
OF_EQUATION = re.compile(r"#.*\(\d+\.\d+\)")
STYLED = re.compile(r"<style.*?</style>|\s(?:border|style)=\"[^\"]*\"", re.S)
FIRST_LOOK = "First, look"  # the heading of what stands before the first part
NOTATION = re.compile(r'Notation\(r"""(.*?)"""', re.S)
CODE_LINES = 8
CODE_WIDTH = 92


@dataclass
class Block:
    """One thing that a slide can show; what it does not show is said, or in the speaker's notes."""

    # text, myth, break, item, quote, equation, derivation, figure, table, card, output, tick, code, …
    kind: str
    source: str  # Markdown, TeX, code, HTML or a base64 picture, by kind
    label: str = ""  # a figure's sentence, a derivation's title, a question's answer
    rest: str = ""  # the sentences of a paragraph that are left to the speaker
    whole: str = ""  # the paragraph, where that is another order than source and rest
    must: bool = False  # the cell's slide type says so, or the slide would not be understood without it
    fresh: bool = False  # a new slide begins here
    fragment: bool = False
    waits: bool = False  # for the key that ends a question
    waiting: bool | None = None  # whether it waits, where that was chosen
    chosen: bool = False  # what it shows was chosen: no rule changes it
    off: bool = False  # chosen for the speaker alone
    leads: bool = False  # words that were written for what follows them
    shown: bool = False


@dataclass
class Section:
    title: str
    part: str = ""
    blocks: list = field(default_factory=list)


@dataclass
class Chapter:
    title: str
    hook: str
    goals: list
    needs: str
    minutes: int
    sections: list
    summary: list
    reading: str
    homework: Section | None = None
    notation: list = field(default_factory=list)  # (its symbols, what they are) of each row


# ---- prose


def sentences(text):
    """The sentences of a paragraph; code, mathematics and links are never cut, nor words in bold."""
    masked = CLOSED.sub(lambda found: found[0][0] + "x" * (len(found[0]) - 1), text)
    ends = [
        found.end()
        for found in SENTENCE.finditer(masked)
        if not ABBREVIATED.search(masked[: found.end()]) and masked[: found.end()].count("**") % 2 == 0
    ]
    return [
        text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if text[a:b].strip()
    ]


def shortened(text, words):
    """(the first sentences, up to so many words; the rest). Cut where a thought ends; whole if none does."""
    parts = sentences(text)
    fits = [
        end
        for end in range(1, len(parts))
        if (end == 1 or len(" ".join(parts[:end]).split()) <= words)
        and ends_a_thought(parts[:end], parts[end])
    ]
    whole = len(text.split()) <= words or not fits
    kept = len(parts) if whole else fits[-1]
    return " ".join(parts[:kept]), " ".join(parts[kept:])


def ends_a_thought(kept, following):
    """The last sentence announces nothing, none begins a list, and the next one does not lean on them."""
    return not (ANNOUNCES.search(kept[-1]) or any(map(COUNTS.match, kept)) or LEANS.match(following))


def with_questions(short, rest):
    """What the room is asked stays on the slide, wherever it stands in its paragraph."""
    asked = [one for one in sentences(rest) if one.rstrip('*_"”’)').endswith("?")]
    told = [one for one in sentences(rest) if one not in asked]
    return " ".join([short, *asked]), " ".join(told)


def paragraph(text, lead=False, defines=False):
    """A paragraph, shortened by its role: what opens a section or defines a name stays longer."""
    if found := BREAK.match(text):
        told = with_its_beginning(found[1], found[2])
        short, rest = shortened(told, 75) if told else ("", "")
        return Block("break", short, found[1].strip(), rest, told, must=True, fresh=True)
    if ELSEWHERE.match(text):
        return Block("note", text)
    if MYTH.search(text) and not lead:
        first = next(i for i, one in enumerate(sentences(text)) if MYTH.search(one))
        parts = sentences(text)
        short, rest = shortened(" ".join(parts[first:]), 60)
        return Block("myth", short, rest=" ".join([*parts[:first], rest]).strip())
    short, rest = with_questions(*shortened(text, 70 if defines else 60 if lead else 45))
    return Block("text", short, rest=rest, whole=text, must=lead or defines)


def with_its_beginning(label, text):
    """What follows the bold words; with them, where the sentence goes on: a slide has them in its title."""
    begun = label.partition(": ")[2]
    return f"{begun[:1].upper()}{begun[1:]}{text}" if begun and re.match(r"[,;]", text) else text


def markdown_blocks(source, lead, defines):
    """The blocks of a Markdown cell's part without headings."""
    blocks = []
    for piece in PIECES.split(source):
        if found := FOLD.match(piece):
            blocks.append(folded(found[1].strip(), found[2].strip()))
        elif piece.startswith("$$"):
            blocks.append(Block("equation", piece.strip("$ \n")))
        else:
            for chunk in filter(None, map(str.strip, re.split(r"\n\s*\n", piece))):
                blocks += chunk_blocks(chunk, lead and not blocks, defines)
    return blocks


def card_block(text, title):
    """The card of a method, whole."""
    return Block("card", text[title.end() :].strip(), title[0].strip("*"))


def folded(summary, inside):
    """A quick question has a slide of its own; any other fold is for the speaker."""
    if summary.startswith(QUESTION):
        asked = re.sub(r"<b>Quick question\.</b>\s*", "", summary)
        return Block("question", asked, inside, must=True, fresh=True)
    return Block("note", f"{summary}\n\n{inside}")


def chunk_blocks(chunk, lead, defines):
    if chunk.startswith("|"):
        return [Block("table", chunk)]
    if re.match(r"(?:[-*]|\d+\.) ", chunk):
        return [Block("item", one.strip()) for one in re.split(r"\n(?=(?:[-*]|\d+\.) )", chunk)]
    if chunk.startswith(">"):
        return [Block("quote", re.sub(r"^> ?", "", chunk, flags=re.M))]
    return [paragraph(chunk, lead, defines)]


# ---- code


def code_blocks(cell, forced, breaks=False):
    """The cell's code where worth seeing, as that of a "Breaks here" is; then what it printed or drew."""
    blocks = []
    source = re.sub(r" {2,}(#)", r"  \1", cell.source)
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    if forced or (not hidden and is_short(source) and (breaks or is_idea(source))):
        blocks.append(Block("code", source, must=bool(OF_EQUATION.search(source))))
    for out in cell.outputs:
        data = out.get("data", {})
        if "text/latex" in data:
            blocks.append(derivation(data))
        elif "image/png" in data:
            blocks.append(Block("figure", data["image/png"], caption_of(cell)))
        elif "text/markdown" in data:
            table = FOLD.sub(r"\2", data["text/markdown"]).strip()  # a slide has nothing to unfold
            blocks += markdown_blocks(table, lead=False, defines=False)
        elif "text/html" in data:
            blocks.append(Block("html", STYLED.sub("", data["text/html"])))
        elif "text" in out:
            blocks += printed(out.text)
    return blocks


def printed(text):
    """What a cell printed, but for captions; the line that a check leaves is one of its own."""
    lines = CAPTION.sub("", text).splitlines()
    said = "\n".join(line for line in lines if not line.startswith(TICK)).strip("\n")
    return [Block("output", said)] * bool(said) + [
        Block("tick", one) for one in lines if one.startswith(TICK)
    ]


def is_short(source):
    lines = source.splitlines()
    return 0 < len(lines) <= CODE_LINES and max(map(len, lines)) <= CODE_WIDTH


def is_idea(source):
    """A function, or a line that says which equation it is."""
    return bool(re.search(r"^(?:def|class) ", source, re.M) or OF_EQUATION.search(source))


def derivation(data):
    title, *_, last = data["text/plain"].splitlines()
    label = re.sub(r"\s*\(\d+\.\d+\)$", "", title) + (f" · {last}" if "checked" in last else "")
    return Block("derivation", data["text/latex"].strip("$ \n"), label)


# ---- one notebook


def head(source):
    """Title, opening, goals, needs and minutes from what a chapter says before its first part."""
    title, _, rest = source.partition("\n")
    rows = dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", rest, re.M))
    goals = [goal.strip().removeprefix("and ") for goal in re.split(r";\s+", rows["You will be able to"])]
    minutes = sum(minutes_of(rows["Time"]))  # the core, and the rest
    hook = "\n\n".join(
        chunk for chunk in re.split(r"\n\s*\n", rest) if chunk.strip() and "|" not in chunk[:2]
    )
    return title.removeprefix("# "), hook, goals, rows["You need"], minutes


def before_parts(nb):
    return takewhile(lambda cell: not re.search(r"^## ", cell.source, re.M), nb.cells)


def opening(nb):
    """The words before the first part; a picture may stand between them."""
    return "\n\n".join(cell.source for cell in before_parts(nb) if cell.cell_type == "markdown")


def first_look(nb):
    """A section of the words and pictures before the first part; none where there is no picture."""
    blocks = []
    for cell in before_parts(nb):
        words = re.sub(r"^# .*", "", cell.source)
        code = cell.cell_type == "code"
        blocks += code_blocks(cell, False) if code else markdown_blocks(words, not blocks, False)
    kept = [block for block in blocks if block.kind in ("text", "figure")]
    return [Section(FIRST_LOOK, "", kept)] if any(block.kind == "figure" for block in kept) else []


def homework(nb, path):
    """The last slide: the core questions of the chapter's homework, and how it is opened."""
    title = nb.cells[0].source.partition("\n")[0].removeprefix("# ").partition(" · ")[0]
    asked = CORE.findall("\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown"))
    items = [f"- **{number}** {about} ({stars}, {points})" for number, stars, points, about in asked]
    around = (
        "The core questions, at most 75 minutes. Each answer is checked at once, as often as you like:",
        f"`course` opens JupyterLab; there open `{path}`. The site has it above the chapter.",
    )
    lead, end = (Block("text", text, shown=True) for text in around)
    return Section(title, "", [lead, *(Block("item", one, shown=True) for one in items), end])


def notation(nb):
    """The rows of the chapter's tables of symbols, but for constants ("3.14159…")."""
    tables = NOTATION.findall("\n".join(cell.source for cell in nb.cells if cell.cell_type == "code"))
    rows = [line.split("|") for table in tables for line in table.splitlines() if "|" in line]
    told = [(symbols.strip(), meaning.strip()) for symbols, _, meaning, *_ in rows]
    return [(symbols, meaning) for symbols, meaning in told if re.search(r"[^\W\d]", meaning)]


def chapter(nb):
    """All that slides can be made of."""
    title, hook, goals, needs, minutes = head(opening(nb))
    sections, part, summary = first_look(nb), "", ""
    for cell in nb.cells[len(list(before_parts(nb))) :]:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if cell.cell_type == "code":
            if sections and kind != "skip" and "widget" not in tags(cell):
                breaks = bool(sections[-1].blocks) and sections[-1].blocks[-1].kind == "break"
                add(sections[-1], code_blocks(cell, kind in ("slide", "subslide"), breaks), kind)
            continue
        for piece in re.split(r"^(?=#{2,3} )", MARK.sub(r"\1", cell.source), flags=re.M):
            heading, _, body = piece.partition("\n") if piece.startswith("#") else ("", "", piece)
            if heading.startswith("## "):
                part = heading.removeprefix("## ")
            elif heading:
                sections.append(Section(heading.removeprefix("### "), part))
            if part == "Summary":
                summary += body
            elif sections and kind != "skip":
                lead = not any(block.kind == "text" for block in sections[-1].blocks)
                card = "in-short" in tags(cell) and IN_SHORT.match(body)
                blocks = (
                    [card_block(body, card)]
                    if card
                    else markdown_blocks(body, lead, "definition" in tags(cell))
                )
                add(sections[-1], blocks, kind)
    bullets = re.split(r"\*\*(?:Notation\*\*|(?:What to do|Read) next\.)", summary)[0]
    reading = re.findall(r"^\*\*(?:What to do|Read) next\.\*\*.*?(?=\n\n|\Z)", summary, re.S | re.M)
    return Chapter(
        title,
        hook,
        goals,
        needs,
        minutes,
        sections,
        [one.strip().removeprefix("- ") for one in re.split(r"\n(?=- )", bullets.strip()) if one.strip()],
        "\n\n".join(reading),
        notation=notation(nb),
    )


def add(section, blocks, kind):
    """Append a cell's blocks, as its slide type asks."""
    for i, block in enumerate(blocks):
        if kind == "notes":
            block.kind, block.must = "note", False
        block.must |= kind in ("slide", "subslide", "fragment")
        block.fresh |= kind in ("slide", "subslide") and i == 0
        block.fragment = kind == "fragment"
    section.blocks += blocks
