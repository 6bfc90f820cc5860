"""Build the lectures' slides: reveal.js decks of the cells that a chapter's notebook marks for them.

    uv run python tools/build_slides.py              # into _build/slides; open index.html, or any deck
    uv run python tools/build_slides.py --only 02    # one chapter

Each chapter has a deck of all its slides, and one for each plan of the lecturer's guide. A cell's slide type
says where it stands (JupyterLab: property inspector, "Slide Type"; tools/slides/cells.py): change it, and you
have another deck. The decks ask no other machine for anything and open from the disk. `S` opens the speaker's
view: the next slide, the notes, and how late it is ("at 12 of 45 minutes").
"""

import base64
import hashlib
import html
import re
import shutil
from functools import cache
from importlib.util import find_spec
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
from tools.site import chapter_page, live, notebook_reader
from tools.site.prose import in_chinese, together
from tools.slides.cells import Shown, Slide, set_clock, slides_of
from tools.slides.notes import advise, plans

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
CHAPTERS = [f"{number:02}" for number in range(1, 13)]
CORE = re.compile(r"^## Question (\d+) (★+) \((\d+ points?), core\): (.+)$", re.M)
STYLED = re.compile(r"<style.*?</style>|\s(?:border|style)=\"[^\"]*\"", re.S)
FOLD = re.compile(r"<details>\s*<summary>.*?</summary>(.*?)</details>", re.S)


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

    def deck(target):
        stem, _, place = target.partition("#")
        stem, section = stem.removesuffix(".ipynb"), re.match(r"\d+\.\d+", place)
        return (
            f"{stem}.html{f'#/{section[0]}' if section else ''}" if has_deck(stem) and "/" not in stem else ""
        )

    # "([why](…))" promises what no deck holds
    text = re.sub(
        r",\s*\[(?:how|why|more)\]\(([^)]+)\)|\s*\(\[[^\]]+\]\(([^)]+)\)\)",
        lambda found: found[0] if deck(found[1] or found[2]) else "",
        text,
    )
    return re.sub(
        r"(?<!!)\[([^\]]+)\]\(([^)]+)\)",
        lambda found: f"[{found[1]}]({deck(found[2])})" if deck(found[2]) else found[1],
        text,
    )


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


# ---- what a slide shows


def shown(cell):
    """A cell on its slide; what waits comes with the next key."""
    inside = code_cell(cell.code) if cell.code else prose(cell.source)
    if not cell.waits:
        return inside
    if inside.startswith('<figure class="picture'):  # takes part in the layout itself
        return inside.replace('class="picture"', 'class="picture waits fragment"', 1)
    return f'<div class="waits fragment">{inside}</div>'


def code_cell(cell):
    """The code, where it is open and draws nothing; then what it put out."""
    parts = [one for out in cell.outputs for one in output(out, cell)]
    folded = cell.metadata.get("jupyter", {}).get("source_hidden")
    if not folded and not any("image/png" in out.get("data", {}) for out in cell.outputs):
        parts.insert(0, highlight(cell.source, PythonLexer(), HtmlFormatter(cssclass="code")))
    return "\n".join(parts)


def output(out, cell):
    """The HTML of one output: a picture, a derivation, a table or a few printed lines."""
    data = out.get("data", {})
    if "image/png" in data:
        yield picture(data["image/png"], notebook_reader.caption_of(cell))
    elif "text/latex" in data:
        title = re.sub(r"\s*\(\d+\.\d+\)$", "", data["text/plain"].partition("\n")[0])
        tex = display_tex(data["text/latex"].strip("$ \n"))
        yield f'<figure class="equation derivation">{tex}<figcaption>{line(title)}</figcaption></figure>'
    elif "text/markdown" in data:
        yield prose(FOLD.sub(r"\1", data["text/markdown"]))
    elif "text/html" in data:
        yield STYLED.sub("", data["text/html"])
    elif "text" in out:
        text = notebook_reader.CAPTION.sub("", out.text)
        said = [one for one in text.splitlines() if not one.startswith(notebook_reader.TICK)]
        if "".join(said).strip():
            yield '<pre class="output">{}</pre>'.format(plain("\n".join(said).strip("\n")))


def file_of(data):
    """A picture's file: decks that show the same one share it."""
    return f"assets/figures/{hashlib.sha256(data.encode()).hexdigest()[:12]}.png"


def picture(data, caption):
    """A figure above the first sentence of its caption."""
    first = re.split(r"(?<=[.?!]) (?=[A-Z])", caption)[0]
    return (
        f'<figure class="picture"><img src="{file_of(data)}" alt="{html.escape(caption)}">'
        f'<figcaption aria-hidden="true">{plain(first)}</figcaption></figure>'
    )


def notes(slide, minutes):
    clock = f"At {slide.start} of {minutes} minutes; this slide takes about {slide.minutes}."
    return (
        f'<aside class="notes"><p class="clock"><b>{clock}</b></p>{"".join(map(prose, slide.notes))}</aside>'
    )


def section(slide, name, minutes, lives, anchor):
    """One slide; `lives` are the figures that may take its picture's place, `anchor` is where links lead."""
    level = "h2" if slide.part else "h1"
    inside = "\n".join(shown(cell) for cell in slide.cells)
    play = "".join(f'<button type="button" class="try" data-try="{one}">↔ try it</button>' for one in lives)
    stages = "".join(f'<div class="live" data-live="{one}" hidden></div>\n' for one in lives)
    named = f' id="{anchor}"' if anchor else ""
    return (
        f'<section{named} class="{"" if slide.part else "title"}" data-timing="{60 * slide.minutes}">\n'
        f'<header><p class="kicker">{line(slide.part or name)}</p>'
        f'<{level}>{line(slide.title)}</{level}>{play}</header>\n<div class="body">{inside}</div>\n{stages}'
        f"{notes(slide, minutes)}\n</section>"
    )


# ---- decks


def homework(stem):
    """The last slide: the core questions of the chapter's homework, and how it is opened."""
    path = f"exercises/{books.homework_of(stem)}.ipynb"
    nb = nbformat.read(ROOT / path, as_version=4)
    asked = CORE.findall("\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown"))
    items = "\n".join(f"- **{number}** {about} ({stars}, {points})" for number, stars, points, about in asked)
    lead = "The core questions. Each answer is checked at once, as often as you like:"
    end = f"`course` opens JupyterLab; there open `{path}`. Which question will you try first?"
    return Slide(f"Homework {int(stem[:2])}", "Homework", [Shown(f"{lead}\n\n{items}\n\n{end}")])


def decks_of(nb, stem):
    """{file's stem: (the plan's name, its slides)}: all slides first, then one deck for each plan."""
    made = [*slides_of(nb), homework(stem)]
    advise(made, stem)
    decks = {stem: ("all slides", made)}
    for when, sections in plans(stem).items():
        kept = [slide for slide in made if not slide.number or slide.number in sections]
        decks[f"{stem}-{when.split()[0]}"] = (when, kept)
    return decks


def live_on(slides, nb, stem):
    """For each slide the live figures of the pictures that it shows: one at most."""
    by_code = {cell.source: live.above(cell, stem) for cell in nb.cells if live.above(cell, stem)}
    return [
        [name for cell in slide.cells if cell.code for name in by_code.pop(cell.source, [])][:1]
        for slide in slides
    ]


def anchors(slides):
    """For each slide the number of the section that begins with it, or nothing."""
    return [
        "" if slide.number in {past.number for past in slides[:i]} else slide.number
        for i, slide in enumerate(slides)
    ]


def write_deck(slides, name, nb, stem, file):
    """Write one deck; returns its minutes."""
    set_clock(slides)
    minutes = slides[-1].start + slides[-1].minutes
    lives = live_on(slides, nb, stem)
    title = notebook_reader.title_of(nb)
    page = Template((OURS / "deck.html").read_text(encoding="utf-8"))
    shown = [
        section(slide, f"Fewer Dimensions: {name}", minutes, figures, anchor)
        for slide, figures, anchor in zip(slides, lives, anchors(slides), strict=True)
    ]
    text = page.substitute(
        title=html.escape(re.sub(r"[$*`]", "", f"{title}: {name}")),
        slides="\n".join(shown),
        live="\n".join(f'<script src="assets/live/{one}.js"></script>' for one in sum(lives, [])),
    )
    file.write_text(text, encoding="utf-8")
    return minutes


def build_chapter(nb, stem, folder):
    """Write a chapter's decks and pictures; returns its row of the index."""
    links = []
    for file, (name, slides) in decks_of(nb, stem).items():
        minutes = write_deck(slides, name, nb, stem, folder / f"{file}.html")
        links.append(f'<a href="{file}.html">{name}</a>: {len(slides)} slides, {minutes} minutes')
    drawn = [out.get("data", {}).get("image/png") for cell in nb.cells for out in cell.get("outputs", [])]
    for data in filter(None, drawn):
        (folder / file_of(data)).write_bytes(base64.b64decode(data))
    cells = "".join(f"<td>{one}</td>" for one in [line(notebook_reader.title_of(nb)), *links])
    return f"<tr>{cells}</tr>"


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
    rows = [
        build_chapter(nb, path.stem, out)
        for path, nb in notebook_reader.notebooks("notebooks").items()
        if has_deck(path.stem) and path.stem.startswith(only)
    ]
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
