"""Build the lectures' slides: one reveal.js deck for each chapter, made from its notebook by rule.

    uv run python tools/build_slides.py              # into _build/slides; open index.html, or any deck
    uv run python tools/build_slides.py --only 02    # one chapter

The decks ask no other machine for anything and open from the disk. `S` opens the speaker's view: the next
slide, the notes, and how late it is ("at 12 of 90 minutes"). `tools/slides/rules.py` says which parts of a
chapter a slide shows. A notebook cell's slide type (JupyterLab: property inspector, "Slide Type") overrules
it: `skip` keeps the cell off the slides, `notes` gives it to the speaker alone, `fragment` shows it at the
next key, `slide` begins a new slide with it and keeps it whatever the rules say, code included. Of single
sentences, pictures and tables `docs/slides/NN.toml` says the same (`tools/slides/choices.py`).
"""

import base64
import html
import re
import shutil
import tomllib
from functools import cache
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from string import Template

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools import books, written
from tools.books import ROOT
from tools.site import chapter_page, code_cells, live, notebook_reader
from tools.site.prose import in_chinese, together
from tools.slides.blocks import Block, chapter, homework, sentences
from tools.slides.choices import choose
from tools.slides.notes import advise
from tools.slides.rules import said, slides_of
from tools.slides.sizes import larger_beside

OURS = ROOT / "tools" / "slides"
FONT = "dist/theme/fonts/source-sans-pro"  # the same letters everywhere, so that what fits here fits there
REVEAL = (
    "dist/reset.css",
    "dist/reveal.css",
    "dist/reveal.js",
    "plugin/notes/notes.js",
    "LICENSE",
    f"{FONT}/LICENSE",
    f"{FONT}/source-sans-pro.css",
    *(f"{FONT}/source-sans-pro-{one}.woff" for one in ("regular", "italic", "semibold", "semibolditalic")),
)
STYLE = "a11y-high-contrast-light"
PRINTED = ("output", "tick")
TITLE_WIDE = 3.5  # as many times as tall: the title has its picture below the words
CHAPTERS = [f"{number:02}" for number in range(1, 13)]


def has_deck(stem):
    """A chapter has one; its companion is not shown."""
    return stem[:2] in CHAPTERS and not books.is_companion(stem)


# ---- Markdown


def plain(text):
    """Escaped text, with the language of its Chinese words."""
    return in_chinese(html.escape(text, quote=False))


@cache
def markdown():
    """CommonMark with tables, and mathematics as MathJax expects it."""
    made = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
    made.add_render_rule("text", lambda self, tokens, i, options, env: plain(tokens[i].content))
    made.add_render_rule("math_inline", lambda self, tokens, i, options, env: inline_tex(tokens[i].content))
    made.add_render_rule("math_block", lambda self, tokens, i, options, env: display_tex(tokens[i].content))
    return made


def inline_tex(tex):
    return rf'<span class="tex">\({html.escape(tex)}\)</span>'


def display_tex(tex):
    return rf'<div class="tex">\[{html.escape(tex.strip())}\]</div>'


def to_decks(text):
    """Links to chapters lead to their decks, those to a section to its first slide; the others are words."""

    def link(found):
        stem, _, place = found[2].partition("#")
        if not has_deck(stem.removesuffix(".ipynb")) or "/" in stem:
            return found[1]
        section = re.match(r"\d+\.\d+", place)
        return f"[{found[1]}]({stem.removesuffix('.ipynb')}.html{f'#/{section[0]}' if section else ''})"

    text = re.sub(
        r" \(\[[^\]\s]+\]\((?!\d\d-(?!start))[^)]+\)\)", "", text
    )  # "([how](…))": an empty promise here
    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", link, text)


def prose(text):
    return kept_together(markdown().render(to_decks(together(text))))


def line(text):
    return kept_together(markdown().renderInline(to_decks(together(text))))


def kept_together(page):
    """A formula with its bracket and stop: no stop begins a line, and no bracket ends one."""
    return re.sub(
        r'(\(?)(<span class="tex">[^<]*</span>)([).,;:?!]*)',
        lambda found: f'<span class="whole">{found[0]}</span>' if found[1] or found[3] else found[0],
        page,
    )


# ---- blocks


def paragraph(block):
    return prose(block.source)


def boxed(block):
    return f'<div class="box">{prose(block.source)}</div>'


def equation(block):
    label = f"<figcaption>{line(block.label)}</figcaption>" if block.label else ""
    return f'<figure class="equation {block.kind}">{display_tex(block.source)}{label}</figure>'


def figure(block):
    return (
        f'<figure class="picture"><img src="{block.file}" alt="{html.escape(block.label)}">'
        f'<figcaption aria-hidden="true">{plain(block.label)}</figcaption></figure>'
    )


def code(block):
    return highlight(block.source, PythonLexer(), HtmlFormatter(cssclass="code"))


def output(block):
    return f'<pre class="output">{plain(block.source)}</pre>'


def question(block):
    answer = re.sub(r"^(\d+)\. ", r"\1\\. ", block.label)  # a number, and no list
    return (
        f'<div class="question"><p>{line(block.source)}</p></div>\n'
        f'<div class="fragment answer">{prose(answer)}</div>'
    )


SHOW = {
    "myth": boxed,
    "quote": boxed,
    "break": paragraph,
    "text": paragraph,
    "table": paragraph,
    "equation": equation,
    "derivation": equation,
    "figure": figure,
    "html": lambda block: block.source,
    "code": code,
    "output": output,
    "card": lambda block: f"<h3>{line(block.label)}</h3>{prose(block.source)}",
    "tick": lambda block: f'<p class="tick">{plain(block.source.replace("`", ""))}</p>',
    "question": question,
    "heading": lambda block: f"<h3>{line(block.source)}</h3>",
    "where": lambda block: f'<p class="where">{line(block.source)}</p>',
}


def shown(block):
    made = SHOW[block.kind](block)
    stays = "stays" if block.waiting is False else ""
    late = "fragment waits" if block.waits else "fragment" if block.fragment else stays
    if late and block.kind == "figure":  # takes part in the layout itself
        return made.replace('class="picture"', f'class="picture {late}"', 1)
    return f'<div class="{late}">{made}</div>' if late else made


def body(slide):
    """The slide's blocks, one below the other; or a picture beside its words."""
    blocks = slide.shown()
    end_colons(blocks)
    if not (words := beside_picture(blocks)):
        return stacked(blocks)
    [picture] = [one for one in blocks if one.kind == "figure"]
    below = [one for one in blocks if one.kind in PRINTED]
    return (
        f'<div class="beside"><div class="words">{stacked(words)}</div>\n{shown(picture)}</div>\n'
        f"{stacked(below)}"
    )


def end_colons(blocks):
    """A colon becomes a full stop where what it announces is not on this slide."""
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.source.endswith(":") and (not following or following.kind in ("text", "myth", "heading")):
            block.source = block.source[:-1] + "."


def beside_picture(blocks):
    """The words of a slide of words and one picture, where the picture is larger beside them than below."""
    words = [one for one in blocks if one.kind in ("text", "break", "item", "quote", "myth")]
    pictures = [one for one in blocks if one.kind == "figure"]
    others = [one for one in blocks if one not in [*words, *pictures] and one.kind not in PRINTED]
    if len(pictures) != 1 or others or not words:
        return []
    return words if larger_beside(words, pictures[0]) else []


def stacked(blocks):
    """Blocks one below the other; neighbouring items are one list."""
    parts = []
    for i, block in enumerate(blocks):
        if block.kind != "item":
            parts.append(shown(block))
            continue
        first = i == 0 or blocks[i - 1].kind != "item"
        last = i == len(blocks) - 1 or blocks[i + 1].kind != "item"
        point = re.sub(r"^(?:[-*]|\d+\.) ", "", block.source)
        late = ' class="fragment waits"' * block.waits
        parts.append("<ul>" * first + f"<li{late}>{line(point)}</li>" + "</ul>" * last)
    return "\n".join(parts)


# ---- slides and decks


def notes(slide, minutes):
    clock = f"At {slide.start} of {minutes} minutes; this slide takes about {slide.minutes}."
    return (
        f'<aside class="notes"><p class="clock"><b>{clock}</b></p>{"".join(map(prose, said(slide)))}</aside>'
    )


def agenda(slide, made):
    """Where the lecture is: all parts, and beside them the sections of this one."""
    parts = dict.fromkeys(one.part for one in made.sections if one.part and one.part != "Summary")
    here = ' aria-current="true"'
    rows = (f"<li{here * (part == slide.part)}>{line(part)}</li>" for part in parts)
    inside = "".join(f"<li>{line(one.source)}</li>" for one in slide.shown())
    return f'<div class="agenda"><ul>{"".join(rows)}</ul>\n<ul>{inside}</ul></div>'


def opening(made):
    """What the chapter teaches and asks for, and its picture."""
    goals = "".join(f"<li>{line(goal)}</li>" for goal in made.goals)
    first, *more = sentences(made.needs)
    needs = " ".join([first, *(one for one in more if "](00b" not in one)]).rstrip(".")
    words = (
        f'<div class="words"><p>You will be able to</p><ul>{goals}</ul>\n'
        f"<p>You need {line(needs)}. {made.minutes} minutes.</p></div>\n{figure(made.picture)}"
    )
    wide, tall = notebook_reader.picture_size(made.picture.source)
    return words if wide > TITLE_WIDE * tall else f'<div class="beside">{words}</div>'


def section(slide, made, lives, anchor=""):
    """One slide; `lives` are the figures that may take its picture's place, `anchor` is where links lead."""
    level = "h1" if slide.kind == "title" else "h2"
    kicker = (
        "Fewer Dimensions"
        if slide.kind == "title"
        else line((slide.kind in ("section", "break", "question") and slide.part) or made.title)
    )
    made_of = {"title": lambda: opening(made), "part": lambda: agenda(slide, made)}
    inside = made_of.get(slide.kind, lambda: body(slide))()
    play = "".join(f'<button type="button" class="try" data-try="{name}">↔ try it</button>' for name in lives)
    stages = "".join(f'<div class="live" data-live="{name}" hidden></div>\n' for name in lives)
    named = f' id="{anchor}"' if anchor else ""
    return (
        f'<section{named} class="{slide.kind}" data-timing="{60 * slide.minutes}">\n'
        f'<header><p class="kicker">{kicker}</p>'
        f'<{level}>{line(slide.title)}</{level}>{play}</header>\n<div class="body">{inside}</div>\n{stages}'
        f"{notes(slide, made.minutes)}\n</section>"
    )


def save_pictures(slides, folder, name):
    """Write the figures that the slides show; each block learns its file."""
    shown = [block for slide in slides for block in slide.shown() if block.kind == "figure"]
    for i, block in enumerate(shown, 1):
        block.file = f"assets/figures/{name}-{i}.png"
        (folder / block.file).write_bytes(base64.b64decode(block.source))


def title_picture(stem, out):
    """The chapter's figure on the site's front page, here on the title."""
    card = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))["card"][stem]
    cell = next(c for c in notebook_reader.notebook(stem).cells if live.draws(c, card["figure"]))
    data = next(o.data["image/png"] for o in cell.outputs if "image/png" in o.get("data", {}))
    block = Block("figure", data, notebook_reader.caption_of(cell))
    block.file = f"assets/figures/{stem[:2]}-title.png"
    (out / block.file).write_bytes(base64.b64decode(data))
    return block


def live_on(slides, nb, stem):
    """For each slide the live figures of the pictures that it shows: one at most."""
    by_caption = {
        notebook_reader.caption_of(cell): live.above(cell, stem)
        for cell in nb.cells
        if live.above(cell, stem)
    }
    captions = [[block.label for block in slide.shown() if block.kind == "figure"] for slide in slides]
    return [[name for one in labels for name in by_caption.pop(one, [])][:1] for labels in captions]


def anchors(slides):
    """For each slide the number of the section that begins with it, or nothing."""
    numbers = [re.match(r"\d+\.\d+", slide.section) for slide in slides]
    return [
        one[0] if one and slide.section not in {past.section for past in slides[:i]} else ""
        for i, (slide, one) in enumerate(zip(slides, numbers, strict=True))
    ]


def build_deck(nb, stem, out):
    """Write one chapter's deck; returns its title, minutes and number of slides."""
    made = chapter(code_cells.with_faults(nb, stem))
    path = f"exercises/{books.homework_of(stem)}.ipynb"
    made.homework = homework(nbformat.read(ROOT / path, as_version=4), path)
    choose(made.sections, stem)
    slides = advise(slides_of(made), stem)
    made.picture = title_picture(stem, out)
    lives = live_on(slides, nb, stem)
    save_pictures(slides, out, stem[:2])
    page = Template((OURS / "deck.html").read_text(encoding="utf-8"))
    text = page.substitute(
        title=html.escape(re.sub(r"[$*`]", "", made.title)),
        slides="\n".join(map(section, slides, repeat(made), lives, anchors(slides))),
        live="\n".join(f'<script src="assets/live/{name}.js"></script>' for name in sum(lives, [])),
    )
    (out / f"{stem}.html").write_text(text, encoding="utf-8")
    return made.title, made.minutes, len(slides)


def copy_assets(folder):
    """Reveal, its speaker view, MathJax, our own style and script: everything that a deck loads."""
    home = Path(find_spec("sphinx_revealjs").submodule_search_locations[0], "_static", "revealjs")
    for name in REVEAL:
        (folder / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(home / name, folder / "reveal" / name)
    chapter_page.copy_mathjax(folder / "mathjax")
    shutil.copy(OURS / "deck.js", folder / "deck.js")
    shutil.copy(ROOT / "docs" / "_static" / "live.css", folder / "live.css")
    live.write_scripts(folder / "live")
    colours = HtmlFormatter(style=STYLE, cssclass="code").get_style_defs(".code")
    (folder / "deck.css").write_text(
        (OURS / "deck.css").read_text(encoding="utf-8") + colours, encoding="utf-8"
    )


def build(out, only=""):
    """Write the decks and their index."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "assets" / "figures").mkdir(parents=True)
    copy_assets(out / "assets")
    rows = []
    for path, nb in notebook_reader.notebooks("notebooks").items():
        if has_deck(path.stem) and path.stem.startswith(only):
            title, minutes, count = build_deck(nb, path.stem, out)
            link = f'<a href="{path.stem}.html">{line(title)}</a>'
            rows.append(f"<tr><td>{link}</td><td>{minutes}</td><td>{count}</td></tr>")
    page = Template((OURS / "index.html").read_text(encoding="utf-8"))
    (out / "index.html").write_text(page.substitute(rows="\n".join(rows)), encoding="utf-8")


def main(argv=None):
    parser = written.parser(__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "slides")
    parser.add_argument("--only", default="", help="one chapter, such as 02")
    chosen = parser.parse_args(argv)
    build(chosen.out.resolve(), chosen.only)
    print(chosen.out / "index.html")


if __name__ == "__main__":
    main()
