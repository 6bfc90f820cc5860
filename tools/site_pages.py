"""How the course's notebooks become the site's pages: build_site.py and build_slides.py use this."""

import ast
import base64
import html
import json
import re
import shutil
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import nbformat

from tools import books, build_glossary, live
from tools.books import ROOT
from tools.build_glossary import slug, split

NUMBER = re.compile(r"\\tag\{([^}]*)\}")
DISPLAY = re.compile(r"\$\$.+?\$\$", re.S)
CHECKS = ("item:", "erratum:", "eq:")
# What is no prose, or already something to click on: code, mathematics, links, HTML, a fold's summary,
# headings. The rest may name an equation.
NO_PROSE = (
    r"<summary>.*?</summary>|`+[^`]*`+|\$\$.+?\$\$|\$[^$\n]+(?:\n[^$\n]+)*\$|"
    r"\[[^\]]*\]\([^)]*\)|<[^>]*>|^#+ [^\n]*"
)
MENTION = re.compile(
    rf"(?P<skip>{NO_PROSE})|\((?P<number>\d+\.\d+)\)|(?<!\d{4}, )\b[Ss]ection (?P<section>\d+\.\d+)|(?P<share>(?<=\d) %)",
    re.S | re.M,
)
NAME = re.compile(
    rf"(?P<skip>{NO_PROSE}|「[^」]*」)|(?P<name>[\w–]*[\u4e00-\u9fff][\w–]*)", re.S | re.M
)  # 「…」 quotes what others print
GLOSSARY = "14-glossary"
MATHJAX = ("tex-chtml-full.js", "output/chtml/fonts")
# Pixels, of 200 to the inch: from here on panels side by side slide on a phone, and a single one that is wider still;
# narrower single ones ask for a tap.
WIDE, WIDER, WIDEST = 1240, 1650, 1800
CAPTION = re.compile(r"^Figure: (.*(?:\n {8}\S.*)*)\n?", re.M)  # as helpers.plotting.show prints it
TICK = "✓ "
# What a page calls a cell that shows nothing before it is run: a slider, or a sound.
IN_THE_NOTEBOOK = (
    "a slider: run the chapter in JupyterLab to move it",
    "run the chapter in JupyterLab to hear it",
)
ELSEWHERE = "a slider for JupyterLab; here its work is done by"
FOLD = re.compile(r"<details>(\s*<summary>(.*?)</summary>)", re.S)
MYTH = re.compile(r"\b[Yy]ou (?:may|might) (?:also )?(?:read|find|meet|hear)\b")
QUESTION = "<b>Quick question."
MARK = re.compile(
    r"^(#{2,3} (.+)\n\s*)\*(More|For the curious)\.\*[ \t]*$", re.M
)  # below a heading, as JupyterLab shows it
CHINESE = re.compile(r"<[^>]*>|(?P<words>[\u4e00-\u9fff]+)")
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


# ---- one cell


def together(text):
    """A number and its per cent sign stay on one line."""
    return re.sub(r"(?<=\d) %|^ %$", lambda found: found[0].replace(" ", "\u00a0"), text)


def linked(text, here, up=""):
    """The prose with a link for each equation and section named; `up` leads from its folder to the chapters'."""

    def link(match):
        number = match["number"]
        if match["share"]:
            return together(match[0])
        if section := sections().get(match["section"]):
            return f'<a href="{up}{section.removeprefix("notebooks/")}">{match[0]}</a>'
        if match["skip"] or number not in equations():
            return match[0]
        page = "" if equations()[number] == here and not up else f"{up}{equations()[number]}.html"
        return f'<a href="{page}#eq-{number}">({number})</a>'

    return MENTION.sub(link, text)


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


@cache
def chinese_names():
    """{"白化": "term-白化"}: where the glossary has each Chinese name, under its own or another's row."""
    terms = build_glossary.read_terms()
    names = {}
    for field in ("see", "also", "chinese"):  # a name of its own goes before another's
        names |= {name: split(term["chinese"])[0] for term in terms for name in split(term[field])}
    return {name: f"term-{first}" for name, first in names.items() if build_glossary.CHINESE.search(name)}


def glossed(text, seen, up=""):
    """The prose with a link to the glossary at the first mention of each of its Chinese names."""

    def link(match):
        name = match["name"]
        if match["skip"] or name in seen or name not in chinese_names():
            return match[0]
        seen.add(name)
        page = f"{up}{GLOSSARY}.html#{chinese_names()[name]}"
        return f'<a class="term" lang="zh-Hans" href="{page}">{name}</a>'

    return NAME.sub(link, text)


def with_rows_named(text):
    """The glossary's table with a place to jump to in each row, and above it a letter for each first row of one."""
    text = re.sub(
        r"^(\| [^|\n]+ \| )([^|\n]+)( \| [^\n]*\]\([^\n]*\|)$",
        lambda row: f'{row[1]}<span id="term-{split(row[2])[0]}" lang="zh-Hans">{row[2]}</span>{row[3]}',
        text,
        flags=re.M,
    )
    places = {}
    for letter, place in re.findall(r'^\| \W*(\w)[^|\n]* \| <span id="([^"]+)"', text, re.M):
        places.setdefault(letter.upper(), place)
    links = [
        f'<a href="#{place}">{letter}</a>'
        for letter, place in places.items()
        if letter.isascii() and letter.isalpha()
    ]
    return f'<nav class="letters" aria-label="Letters">{" ".join(links)}</nav>\n\n{text}'


def own_page(text):
    """A page of docs/ as the site shows it: links start from its top; sections and equations are links."""
    text = re.sub(r"\]\(\.\./(notebooks|exercises)/", r"](\1/", text)
    text = re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text)  # the site does not hold the rest of the folder
    text = re.sub(r"§(\d+\.\d+)", lambda m: f'<a href="{sections()[m[1]]}">{m[0]}</a>', text)
    return linked(text, "", "notebooks/")


def anchored(text):
    """A place to jump to before each numbered equation."""

    def place(match):
        numbers = NUMBER.findall(match[0])
        return "".join(place_named(f"eq-{number}") + "\n\n" for number in numbers) + match[0]

    return DISPLAY.sub(place, text)


def place_named(name):
    return f'<div class="anchor" id="{html.escape(name)}"></div>'


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


def drawings_of(nb):
    """{"show_map": its code}: the drawings of the module that a notebook imports."""
    code = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    modules = re.findall(r"^from helpers\.chapters import (\w+) as chapter$", code, re.M)
    trees = [ast.parse((ROOT / "helpers" / "chapters" / f"{one}.py").read_text("utf-8")) for one in modules]
    return {one.name: ast.unparse(one) for tree in trees for one in tree.body if hasattr(one, "name")}


def side_by_side(code, drawings):
    """Whether a figure has several panels in a row, as the code that makes it says: then a phone slides it."""
    called = [drawings[name] for name in re.findall(r"\bchapter\.(\w+)\(", code) if name in drawings]
    made = "\n".join([code, *called])
    if re.search(r"\b(?:subfigures|add_gridspec|add_subplot)\(", made):
        return True
    first = re.search(r"\bfigure\((\w+ ?=|1,|\))|\bplt\.subplots\((?:figsize|\d+, 1\b|\))", made)
    return not first


def with_figure(cell, drawings):
    """The figure's alt text, and its sentence as a caption instead of as printed text."""
    caption = caption_of(cell)
    if not caption:
        return
    for out in cell.outputs:
        if out.output_type == "stream":
            out.text = CAPTION.sub("", out.text)
    cell.outputs = [out for out in cell.outputs if out.output_type != "stream" or out.text.strip()]
    picture = next(out for out in cell.outputs if "image/png" in out.get("data", {}))
    width, _ = picture_size(picture.data["image/png"])
    plain = re.sub(r"([\\`*_{}\[\]()#+!|$<>~^-])", r"\\\1", together(caption))
    slides = width > WIDEST or width > WIDE and side_by_side(cell.source, drawings)
    kind = "panels few" if width <= WIDER else "panels"
    kind = kind if slides else "enlarge" if width > WIDE else ""
    image = {"alt": picture.metadata["image/png"]["alt"]} | ({"classes": kind} if kind else {})
    told = {"image": image, "figure": {"caption": plain}}
    cell.metadata["mystnb"] = {**cell.metadata.get("mystnb", {}), **told}


def with_tick(cell):
    """What a folded cell is called: the line of evidence that it leaves, else what its first comment says it is.

    The evidence moves from what the cell printed to the fold that it opens.
    """
    label = evidence_of(cell) or described(cell) or "what this page imports"
    cell.metadata["tags"] = [*tags(cell), *["tick"] * label.startswith(TICK)]
    fold_as(cell, label)
    for out in cell.outputs:
        if out.output_type == "stream":
            out.text = out.text.replace(label + "\n", "", 1)
    cell.outputs = [out for out in cell.outputs if out.output_type != "stream" or out.text.strip()]


def shut(cell):
    """A cell that is folded whole, since what it found would give a bet away; its first comment is on the fold."""
    fold_as(cell, described(cell), "hide-cell")


def fold_as(cell, label, tag="hide-input"):
    """Code folded below a line that says what it holds."""
    cell.metadata["tags"] = [*tags(cell), tag]
    told = dict.fromkeys(("code_prompt_show", "code_prompt_hide"), together(label).replace("`", ""))
    cell.metadata["mystnb"] = {**cell.metadata.get("mystnb", {}), **told}


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


def with_faults(nb, stem):
    """The notebook, each line of evidence with how many of the faults planted in its cell were noticed."""
    counts = read_counts("faults.json").get(stem, {})
    if counts.get("code") == books.digest(nb.cells):
        for cell in nb.cells:
            one = counts.get("cells", {}).get(cell.id, {})
            if one.get("made"):
                add_to_evidence(cell, f" · {one['noticed']} of {one['made']} planted faults noticed")
    return nb


def add_to_evidence(cell, more):
    said = evidence_of(cell)
    for out in cell.outputs if said else []:
        chain = "text/latex" in out.get("data", {})
        text = TICK + out.data["text/plain"].splitlines()[-1] if chain else out.get("text", "")
        if said in text.splitlines():
            if chain:
                out.data["text/plain"] += more
            else:
                out.text = text.replace(said, said + more, 1)
            return


def imports_only(cell):
    """Nothing but imports: a page folds them."""
    lines = [line for line in cell.source.splitlines() if line.strip()]
    return (
        bool(lines) and not cell.outputs and all(re.match(r"(?:import|from) |[)\s]", line) for line in lines)
    )


def code_anchors(cell, seen):
    """Where "What is checked" and equation links lead: names of a code cell, each once on its page."""
    names = [f"check-{cell.id}"] if tags(cell, "item:") + tags(cell, "erratum:") + tags(cell, "eq:") else []
    names += [f"eq-{number}" for number in NUMBER.findall(shown_tex(cell))]
    names += [f"{kind}-{one}" for kind in ("item", "erratum") for one in tags(cell, f"{kind}:")]
    new = [name for name in names if name not in seen]
    seen.update(new)
    return "\n".join(map(place_named, new))


def sliders_beside_live(nb, stem):
    """{cell id: title}: the sliders in whose section stands a live figure, which the page can move."""
    section, titles, sliders = "", {}, {}
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            section = (SECTION.findall(cell.source) or [section])[-1]
        for name in live.above(cell, stem):
            titles[section] = live.figures()[name]["title"]
        if "widget" in tags(cell) and "Audio" not in cell.source:
            sliders[cell.id] = section
    return {cell: titles[section] for cell, section in sliders.items() if section in titles}


def with_claims(cell):
    """Above each derivation what it claims, as a quiet line: several in one cell would run together."""
    shown = []
    for out in cell.get("outputs", []):
        said = out.data["text/plain"].splitlines() if "text/latex" in out.get("data", {}) else [""]
        if "checked" in said[-1]:
            claim = re.sub(r" \([\d.]+\)$", "", said[0])
            told = {"text/html": f'<p class="claim">{html.escape(claim)}</p>'}
            shown.append(nbformat.v4.new_output("display_data", data=told))
        shown.append(out)
    cell.outputs = shown


# ---- boxes


def boxed(cell):
    """The prose with its boxes: "Breaks here", "You may read", a quick question, another fold, "In short"."""
    if "in-short" in tags(cell):
        name = IN_SHORT.search(cell.source)
        return (
            f"{place_named(short_anchor(name[1]))}\n\n{box('in-short', cell.source)}" if name else cell.source
        )
    pieces = re.split(r"(<details>.*?</details>)", cell.source, flags=re.S)
    return "".join(boxed_fold(one) if one.startswith("<details>") else boxed_prose(one) for one in pieces)


def boxed_fold(text):
    return FOLD.sub(lambda fold: f'<details class="box {kind_of_fold(fold[2])}">{fold[1]}', text)


def boxed_prose(text):
    return re.sub(
        r"(?:^|(?<=\n\n))\S.*?(?=\s*\n\n|\s*\Z)", lambda one: boxed_paragraph(one[0]), text, flags=re.S
    )


def kind_of_fold(summary):
    if summary.strip().startswith(QUESTION):
        return "question"
    return "myth" if MYTH.search(summary) else "aside"


def boxed_paragraph(text):
    if text.startswith("**Breaks here"):
        return box("breaks", text)
    return box("myth", text) if is_myth(text) else text


def is_myth(text):
    """A paragraph that begins with what is printed and not true, a bold name before it or none, without a formula.

    One that comes to it later says something of its own first.
    """
    return bool(re.match(rf"(?:\*\*[^*]+\*\* )?{MYTH.pattern}", text)) and "$$" not in text


def box(kind, text):
    return f'<div class="box {kind}">\n\n{text}\n\n</div>'


def short_anchor(name):
    return "in-short-" + slug(re.sub(r"\W+", " ", name).lower())


def marked(text):
    """ "More" and "For the curious" below a heading, as quiet labels."""
    return MARK.sub(lambda found: f'{found[1]}<p class="second-reading">{found[3]}</p>', text)


def marks(nb):
    """{anchor of a heading: "more" or "for the curious"}."""
    texts = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    return {slug(found[2]): found[3].lower() for text in texts for found in MARK.finditer(text)}


# ---- one notebook


def page(nb, stem, up=""):
    """The notebook as the site shows it."""
    cells, seen, named, drawings = [], set(), set(), drawings_of(nb)
    beside = {} if up else sliders_beside_live(nb, stem)
    for cell in with_faults(nb, stem).cells if not up else nb.cells:
        if cell.cell_type == "markdown":
            words = cell.source if stem == GLOSSARY else boxed(cell)  # it quotes nobody
            cell.source = anchored(linked(words, stem, up))
            if stem == GLOSSARY:
                cell.source = with_rows_named(cell.source) if cell.id == "terms" else cell.source
            else:
                cell.source = glossed(cell.source, named, up)
            cell.source = marked(cell.source)
        else:
            with_figure(cell, drawings)
            with_claims(cell)
            if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
                shut(cell)
            elif "widget" in tags(cell):
                twin = beside.get(cell.id, "")
                fold_as(cell, f"{ELSEWHERE} “{twin}”" if twin else IN_THE_NOTEBOOK["Audio" in cell.source])
            elif cell.metadata.get("jupyter", {}).get("source_hidden") or imports_only(cell):
                with_tick(cell)
            if names := code_anchors(cell, seen):
                cells.append(nbformat.v4.new_markdown_cell(names, id=f"at-{cell.id}"))
        figures = [] if up else live.above(cell, stem)  # homework has the names of its chapter
        cells += [
            nbformat.v4.new_markdown_cell(live.frame(name, "../_static/live"), id=f"live-{name}")
            for name in figures
        ]
        cells.append(cell)
    nb.cells = cells
    return nb


def in_chinese(page):
    """The HTML with the language of its Chinese words, so that a screen reader reads them and does not spell."""
    return CHINESE.sub(lambda m: f'<span lang="zh-Hans">{m[0]}</span>' if m["words"] else m[0], page)


KINDS = {"notebooks": "Chapter", "exercises": "Homework", "solutions": "Solution"}
HOMEWORK = {"15-capstone": "Capstone"}  # it belongs to no chapter


def bar(stem, folder, folders, elsewhere=()):
    """Chapter | homework | solution | slides | download: from each page to all that belongs to it."""
    number = stem.partition("-")[0].lstrip("0")
    number = number if number.isdecimal() else ""  # the start page and the learners have none
    there = [name for name in KINDS if name in folders and (ROOT / name / f"{stem}.ipynb").exists()]
    named = {name: f"{KINDS[name]} {number}" for name in there} | {
        "exercises": HOMEWORK.get(stem, f"Homework {number}")
    }
    links = [
        f'<b aria-current="page">{named[name]}</b>'
        if name == folder
        else f'<a href="../{name}/{stem}.html">{named[name]}</a>'
        for name in there
        if number or name != folder
    ]
    if books.is_companion(stem):
        links.insert(0, f'<a href="{books.chapter_of(stem)}.html">Chapter {number}</a>')
        links[1] = f'<b aria-current="page">Chapter {number}, more</b>'
    elif (ROOT / folder / f"{stem}{books.MORE}.ipynb").exists():
        links.insert(1, f'<a href="{stem}{books.MORE}.html">More</a>')
    if "01" <= stem[:2] <= "12" and not books.is_companion(stem):
        links.append(f'<a href="../slides/{stem}.html">Slides {number}</a>')
    links.append(f'<a href="../downloads/{folder}/{stem}.ipynb" download>Download</a>')
    links.append('<a href="../index.html#Take-it-with-you">Run it</a>')  # a page of the site does not
    return f'<nav class="belongs" aria-label="What belongs together">{" ".join([*links, *elsewhere])}</nav>'


# ---- homework


def with_given(nb, stem):
    """The homework with what its cells show before anything is answered: its figures, its tables of notation.

    The solution has stored them. A cell that uses an answer, or what was made of one, stays empty.
    """
    path = ROOT / "solutions" / f"{stem}.ipynb"
    solution = {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}
    answers = set()
    for cell in [one for one in nb.cells if one.cell_type == "code" and one.id in solution]:
        own, used = names_of(solution[cell.id].source)
        if cell.source != solution[cell.id].source or answers & used:
            answers |= own
        elif not cell.source.startswith("check("):
            answers -= own
            cell.outputs = solution[cell.id].outputs
    return nb


def names_of(code):
    """The names that a cell makes, and those that it finds: read no later than it makes them."""
    tree = ast.parse(code)
    inner = {
        id(part)
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.Lambda | ast.comprehension)
        for part in ast.walk(one)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    made = {one.name: one.lineno for one in tree.body if isinstance(one, ast.FunctionDef)}
    read = {}
    for one in ast.walk(tree):
        if isinstance(one, ast.Name) and id(one) not in inner:
            place = made if isinstance(one.ctx, ast.Store) else read
            place[one.id] = min(one.lineno, place.get(one.id, one.lineno))
    return set(made), {name for name, line in read.items() if line <= made.get(name, line)}


# ---- a notebook that opens elsewhere


def address_of(repository):
    """ "https://host/owner/name" -> ("owner/name")."""
    return "/".join(repository.rstrip("/").removesuffix(".git").split("/")[-2:])


def buttons(repository, path):
    """Links that open a notebook without installing anything."""
    where = address_of(repository)
    return (
        f'<a href="https://mybinder.org/v2/gh/{where}/HEAD?urlpath=lab/tree/{path}">Open in Binder</a>',
        f'<a href="https://colab.research.google.com/github/{where}/blob/gh-pages/colab/{path}">Open in Colab</a>',
    )


def for_colab(nb, repository):
    """The notebook with a first cell that installs the course's package and what chapters import besides."""
    install = (
        "# Colab does not have the course: this installs it, in about a minute\n"
        f'%pip install -q "fewer-dimensions @ git+{repository}" sympy ipywidgets'
    )
    nb.cells.insert(0, nbformat.v4.new_code_cell(install, id="install-course"))
    return nb


# ---- generated pages


def defined_script():
    """For the search: each name in the glossary, with the section that defines it."""
    known, rows = build_glossary.sections(), []
    for term in build_glossary.read_terms():
        file, heading, _ = known[build_glossary.place(term, known)]
        page = f"notebooks/{file.removesuffix('.ipynb')}"
        names = [*term["term"].split("/"), *split(term["chinese"]), *split(term["also"]), *split(term["see"])]
        rows += [[name.strip().lower(), page, heading, slug(heading)] for name in names]
    return f"const DEFINED = {json.dumps(rows, ensure_ascii=False)};\n"


def title_of(nb):
    return nb.cells[0].source.partition("\n")[0].removeprefix("# ")


def at_head(nb):
    """What the table at a notebook's head says: {"You need": …, "Time": …}."""
    return {name: said for cell in nb.cells[:6] for name, said in HEAD_ROW.findall(cell.source)}


IN_SHORT_HEAD = """# In short

Every method of the course on one card: what goes in and comes out, its steps, its cost, what it is good and bad at.
"""


def in_short_page():
    """The cards of all chapters, each with a link to where it is explained."""
    parts = [IN_SHORT_HEAD]
    for path, nb in notebooks("notebooks").items():
        cards = [cell.source for cell in nb.cells if "in-short" in tags(cell)]
        parts += [f"## [{title_of(nb)}](notebooks/{path.name})"] * bool(cards)
        for card in cards:
            name = IN_SHORT.search(card)[1]
            text = (
                IN_SHORT.sub("", card, count=1).strip().replace("](#", f"]({path.name}#")
            )  # its own chapter
            text = re.sub(r"\]\((?=\d\d-)", "](notebooks/", text)
            link = f'<a href="notebooks/{path.stem}.html#{short_anchor(name)}">where it is explained</a>'
            parts.append(f"### {name[0].upper()}{name[1:]}\n\n{linked(text, '', 'notebooks/')}\n\n{link}")
    return "\n\n".join(parts if len(parts) > 1 else [*parts, "*No chapter has a card yet.*"])


READ_NEXT = re.compile(r"\*\*Read next\.\*\* (.*?)(?=\n\n|\Z)", re.S)
READ_NEXT_HEAD = """# Read next

What the chapters recommend, with links. The links lead away from the course: to the publisher, or to a free copy.
"""


def read_next_page():
    """The bibliography: what each chapter, and then its companion, recommends at its end."""
    parts = [READ_NEXT_HEAD]
    for path, nb in notebooks("notebooks").items():
        found = [READ_NEXT.search(cell.source) for cell in nb.cells if cell.cell_type == "markdown"]
        listed = re.sub(
            r" (Back to|More in the) \[[^]]*\]\([^)]*\)\.", "", " ".join(one[1] for one in found if one)
        )
        one_a_line = re.sub(r"(\)(: [\w-]+)?\.) (?=[A-Z])", r"\1\n- ", listed)
        parts += [f"## [{title_of(nb)}](notebooks/{path.name})\n\n- {one_a_line}"] * bool(listed)
    return "\n\n".join(parts)


def check_cells():
    """{"item:02.5": [("02-pca", cell id), …]}: the cells that check each item, erratum and equation."""
    found = {}
    for path, nb in notebooks("notebooks").items():
        for cell in nb.cells:
            for tag in tags(cell):
                if tag.startswith(CHECKS):
                    found.setdefault(tag, []).append((path.stem, cell.id))
    return found


@cache
def names_of_checks():
    """{cell id: "§2.4, check 2"}: where a check stands; a name for each."""
    names = {}
    for path, nb in notebooks("notebooks").items():
        place, count = path.stem[:2], 0
        for cell in nb.cells:
            if cell.cell_type == "markdown" and (found := SECTION.findall(cell.source)):
                place, count = f"§{found[-1]}", 0
            elif [tag for tag in tags(cell) if tag.startswith(CHECKS)]:
                count += 1
                names[cell.id] = place + f", check {count}" * (count > 1)
    return names


def read_counts(name):
    """A table that a tool wrote, such as docs/faults.json; nothing when nobody ran it yet."""
    path = ROOT / "docs" / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def uncounted(counts):
    """Chapters whose code has changed since their faults were counted, or was never tried."""
    return [
        path.stem
        for path, nb in notebooks("notebooks").items()
        if counts.get(path.stem, {}).get("code") != books.digest(nb.cells)
    ]


def faults_of(tag, cells, counts):
    """ "11 of 12": how many of the faults planted in the cells of a tag were noticed."""
    found = [
        counts[stem]["tags"][tag]
        for stem in dict.fromkeys(stem for stem, _ in cells)
        if tag in counts.get(stem, {}).get("tags", {})
    ]
    made = sum(one["made"] for one in found)
    none = "no formula to spoil" if found else "not tried"
    return f"{sum(one['noticed'] for one in found)} of {made}" if made else none


def links_to(cells):
    """The check cells of one thing, each by where it stands."""
    names = names_of_checks()
    links = [f'<a href="notebooks/{stem}.html#check-{cell}">{names[cell]}</a>' for stem, cell in cells]
    return " · ".join(links) or "not yet"


def row(first, tag, cells, counts):
    found = cells.get(tag, [])
    place = f'<span id="{tag.replace(":", "-")}">{first}</span>'
    return f"| {place} | {links_to(found)} | {faults_of(tag, found, counts)} |"


def all_faults(counts):
    """How many were planted and noticed in all chapters, and in the formulas that they display."""
    made, noticed = (sum(one.get(key, 0) for one in counts.values()) for key in ("made", "noticed"))
    tex, read = (
        sum(one["tex"][key] for one in counts.values() if "tex" in one) for key in ("made", "noticed")
    )
    if not made:
        return ""
    return (
        f"**{noticed} of {made} small faults, planted one at a time in the course's formulas and functions, were "
        f"noticed ({100 * noticed / made:.1f} %)**; of the {tex} among them in the TeX that you read, {read}."
    )


def checked_page():
    """ "What is checked": every item, erratum and equation with the cells that check it."""
    cells, counts = check_cells(), read_counts("faults.json")
    lines = ["# What is checked\n", all_faults(counts) + "\n" if counts else "", CHECKED_HEAD]
    if late := uncounted(counts):
        lines.append(f"*Not tried, or changed since: {', '.join(late)}.*\n")
    chapters = {path.stem: nb for path, nb in notebooks("notebooks").items()}
    for stem in [stem for stem in chapters if "01" <= stem[:2] <= "12" and not books.is_companion(stem)]:
        items = [one for one in syllabus()["item"] if one["chapter"] == stem[:2]]
        errata = [one for one in syllabus()["erratum"] if one["chapter"] == stem[:2]]
        numbers = [number for number, home in equations().items() if books.chapter_of(home) == stem]
        lines += [
            f"## {title_of(chapters[stem])}",
            "",
            "| what | where it is checked | faults noticed |",
            "|---|---|---|",
        ]
        lines += [
            row(f"item {one['id']}: {one['title']} ({one['zh']})", f"item:{one['id']}", cells, counts)
            for one in items
        ]
        lines += [
            row(f"{one['id']} “{one['title']}”", f"erratum:{one['id']}", cells, counts) for one in errata
        ]
        links = {n: f'<a href="notebooks/{equations()[n]}.html#eq-{n}">({n})</a>' for n in numbers}
        lines += [
            row(link, f"eq:{number}", cells, counts)
            if f"eq:{number}" in cells
            else f"| {link} | a definition | |"
            for number, link in links.items()
        ]
        lines.append("")
    return "\n".join(lines)


CHECKED_HEAD = """Every item of the syllabus, every erratum and every numbered equation, with the cells that fail if it is wrong. The
last column says how many small faults were planted in the formulas of those cells, one at a time, and how many of
them were noticed. A definition names things and claims nothing.
"""


RUN_TIMES_HEAD = """# Run times

What each notebook takes from top to bottom, with the start of its kernel: seconds of processor time, in one thread, as
`tools/refresh.py --times` measured them. That is how long you wait on such a machine when it does nothing else; with
two cores two notebooks run in the time of one.
"""


def run_times_page():
    times = read_counts("run-times.json")
    if not times:
        return RUN_TIMES_HEAD + "\n*Not measured yet.*"
    lines = [RUN_TIMES_HEAD, "| notebook | seconds |", "|---|---|"]
    lines += [
        f"| [{title_of(nb)}](notebooks/{path.name}) | {times[path.stem]:.0f} |"
        for path, nb in notebooks("notebooks").items()
        if path.stem in times
    ]
    return "\n".join([*lines, f"| **all** | **{sum(times.values()):.0f}** |"])


def copy_mathjax(target):
    """As much of MathJax as the pages load."""
    home = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0], "static", "mathjax")
    for name in MATHJAX:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (home / name).is_dir() else shutil.copy)(home / name, target / name)
