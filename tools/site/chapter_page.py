"""A notebook as a page of the site: with what belongs to it above, and how it opens elsewhere."""

import ast
import shutil
from importlib.util import find_spec
from pathlib import Path

import nbformat

from tools import books
from tools.books import ROOT
from tools.site import live
from tools.site.code_cells import (
    ELSEWHERE,
    IN_THE_NOTEBOOK,
    code_anchors,
    drawings_of,
    fold_as,
    imports_only,
    shut,
    sliders_beside_live,
    with_claims,
    with_faults,
    with_figure,
    with_tick,
)
from tools.site.notebook_reader import tags
from tools.site.prose import GLOSSARY, anchored, boxed, glossed, linked, marked, with_rows_named

MATHJAX = ("tex-chtml-full.js", "output/chtml/fonts")


def page(nb, stem, up=""):
    """The notebook as the site shows it."""
    cells, seen, named, drawings = [], set(), set(), drawings_of(nb)
    beside = {} if up else sliders_beside_live(nb, stem)
    for cell in with_faults(nb, stem).cells if not up else nb.cells:
        if cell.id.startswith("live-"):  # the notebook's link; here the figure itself stands
            continue
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


KINDS = {"notebooks": "Chapter", "exercises": "Homework", "solutions": "Solution"}
HOMEWORK = {"15-homework": "Capstone"}  # it belongs to no chapter


def bar(stem, folder, folders, elsewhere=()):
    """Chapter | homework | solution | slides | download: from each page to all that belongs to it."""
    number = stem.partition("-")[0].lstrip("0")
    number = number if number.isdecimal() else ""  # the start page and the learners have none
    belongs = {
        "notebooks": stem if folder == "notebooks" else chapter_with(stem),
        "exercises": books.homework_of(stem),
        "solutions": books.solution_of(stem),
    }
    shown = ["notebooks"] if books.is_companion(stem) else folders
    there = [
        name for name, one in belongs.items() if name in shown and (ROOT / name / f"{one}.ipynb").exists()
    ]
    named = {name: f"{KINDS[name]} {number}" for name in there} | {
        "exercises": HOMEWORK.get(belongs["exercises"], f"Homework {number}")
    }
    links = [
        f'<b aria-current="page">{named[name]}</b>'
        if name == folder
        else f'<a href="../{name}/{belongs[name]}.html">{named[name]}</a>'
        for name in there
        if number or name != folder
    ]
    if books.is_companion(stem):
        links.insert(0, f'<a href="{books.chapter_of(stem)}.html">Chapter {number}</a>')
        links[1] = f'<b aria-current="page">Chapter {number}, more</b>'
    elif (ROOT / folder / f"{stem}{books.MORE}.ipynb").exists():
        links.insert(1, f'<a href="{stem}{books.MORE}.html">More</a>')
    if "01" <= stem[:2] <= "12" and not books.is_companion(stem):
        links.append(f'<a href="../slides/{belongs["notebooks"]}.html">Slides {number}</a>')
    links.append(f'<a href="../downloads/{folder}/{stem}.ipynb" download>Download</a>')
    links.append('<a href="../index.html#Take-it-with-you">Run it</a>')  # a page of the site does not
    return f'<nav class="belongs" aria-label="What belongs together">{" ".join([*links, *elsewhere])}</nav>'


def chapter_with(stem):
    """The stem of the chapter with the number of a homework; "" where it belongs to none."""
    return next((path.stem for path in books.chapters(begins=f"{stem.partition('-')[0]}-")), "")


# ---- homework


def with_given(nb, stem):
    """The homework with what its cells show before anything is answered: its figures, its tables of notation.

    The solution has stored them. A cell that uses an answer, or what was made of one, stays empty.
    """
    path = ROOT / "solutions" / f"{books.solution_of(stem)}.ipynb"
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


def copy_mathjax(target):
    """As much of MathJax as the pages load."""
    home = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0], "static", "mathjax")
    for name in MATHJAX:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (home / name).is_dir() else shutil.copy)(home / name, target / name)
