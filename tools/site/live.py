"""Live figures: docs/live holds them, docs/live/live.toml says where each stands; site and slides use this.

A figure is an ES module (compute and draw) on top of kit.js. A page gets one plain script with both, and the
data: modules do not load from the disk, and site and slides open from there as well.
"""

import json
import re
import tomllib
from functools import cache

import nbformat

from tools.books import ROOT

LIVE = ROOT / "docs" / "live"
PAGES = ROOT / "notebooks" / "live"  # of each figure a page of its own, to which its chapter's notebook links
IMPORT = re.compile(r'^import \{[^}]*\} from "\./kit\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:const|function) )", re.M)


@cache
def figures():
    """{name: {chapter, still, title, question}}."""
    return tomllib.loads((LIVE / "live.toml").read_text(encoding="utf-8"))


def data_of(name):
    return json.loads((LIVE / "data" / f"{name}.json").read_text(encoding="utf-8"))


# ---- the script of a figure


def code_of(name):
    """A module's text as a part of a plain script."""
    text = EXPORT.sub("", IMPORT.sub("", (LIVE / f"{name}.js").read_text(encoding="utf-8")))
    if left := re.findall(r"^(?:import|export)\b.*", text, re.M):
        raise ValueError(
            f'docs/live/{name}.js: {left[0]!r}: import only {{ … }} from "./kit.js", export by name'
        )
    return text


def script(name):
    """Kit, figure and data in one plain script that draws into every element with data-live="name"."""
    about = {"name": name, **{key: figures()[name][key] for key in ("title", "question")}}
    parts = [
        f"/* made of docs/live/kit.js and docs/live/{name}.js */\n(() => {{",
        '"use strict";',
        code_of("kit"),
        code_of(name),
        f"const about = {json.dumps(about, ensure_ascii=False)};",
        f"const data = {json.dumps(data_of(name), separators=(',', ':'))};",
        f"for (const root of document.querySelectorAll('[data-live=\"{name}\"]'))",
        "  mount(root, about, draw, data);",
        "})();\n",
    ]
    return "\n".join(parts)


def write_scripts(folder):
    """The scripts of all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in figures():
        (folder / f"{name}.js").write_text(script(name), encoding="utf-8")


def page(name):
    """A figure as a page that needs no network: JupyterLab shows it beside the notebook, any browser opens it."""
    style = (ROOT / "docs" / "_static" / "live.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{figures()[name]["title"]}</title>\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<style>\nbody {{ max-width: 60rem; margin: 1rem auto; font-family: sans-serif; }}\n{style}</style>\n"
        "<noscript><p><b>JupyterLab asks you first:</b> press <b>Trust HTML</b> above, and the figure "
        "appears.</p></noscript>\n"
        f'<div class="live" data-live="{name}"></div>\n<script>\n{script(name)}</script>\n</html>\n'
    )


# ---- its place


def link(name):
    """What a notebook has in the figure's place: a cell of the site's frame's name."""
    return nbformat.v4.new_markdown_cell(
        f"**Move it yourself:** [{figures()[name]['title']}](live/{name}.html) opens in a tab of its own.",
        id=f"live-{name}",
    )


def linked(nb, stem):
    """The notebook with the link to each of its figures above the still one, and no other.

    A link that stands there keeps its slide type.
    """
    old = {cell.id: cell.metadata for cell in nb.cells if cell.id.startswith("live-")}
    nb.cells = [cell for cell in nb.cells if cell.id not in old]
    nb.cells = [one for cell in nb.cells for one in [*(link(name) for name in above(cell, stem)), cell]]
    for cell in nb.cells:
        cell.metadata = old.get(cell.id, cell.metadata)
    return nb


def draws(cell, words):
    """Whether a cell of code has these words, which are a drawing's name or a part of an open drawing."""
    return cell.cell_type == "code" and bool(re.search(rf"\b{re.escape(words)}(?!\w)", cell.source))


def above(cell, stem):
    """Names of the figures that stand above this cell of a chapter: those that name a part of its code."""
    return [name for name, one in figures().items() if one["chapter"] == stem and draws(cell, one["still"])]


def frame(name, scripts):
    """The HTML of a figure. Without JavaScript nothing is seen of it: the still figure stands below."""
    return (
        f'<div class="live" id="live-{name}" data-live="{name}"></div>\n'
        f'<script defer src="{scripts}/{name}.js"></script>'
    )
