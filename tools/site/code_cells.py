"""A code cell as the site shows it: its figure, its fold and the line that opens it."""

import ast
import html
import re

import nbformat

from tools import books
from tools.books import ROOT
from tools.site import live
from tools.site.notebook_reader import (
    CAPTION,
    NUMBER,
    SECTION,
    TICK,
    caption_of,
    described,
    evidence_of,
    picture_size,
    read_counts,
    shown_tex,
    tags,
)
from tools.site.prose import place_named, together

# Pixels, of 200 to the inch: from here on panels side by side slide on a phone, and a single one that is wider still;
# narrower single ones ask for a tap.
WIDE, WIDER, WIDEST = 1240, 1650, 1800
# What a page calls a cell that shows nothing before it is run: a slider, or a sound.
IN_THE_NOTEBOOK = (
    "a slider: run the chapter in JupyterLab to move it",
    "run the chapter in JupyterLab to hear it",
)
ELSEWHERE = "a slider for JupyterLab; here its work is done by"


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
