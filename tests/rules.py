r"""What every notebook of the course keeps to. Each rule takes a notebook and returns its problems.

nbval runs a notebook and compares text; these rules close the holes that it leaves (a cell that was never
run, a figure that is gone) and hold the course's promises (each numbered equation has a cell that can fail).

A cell says in its tags what it is:

    item:02.5 erratum:E06 eq:2.5    it checks that item, that erratum, the equation \tag{2.5}
    definition                      its display equations only name things, so nothing checks them
    in-short                        a card of its method: the site collects them
    widget                          it is interactive: no stored output; a static figure stands beside it
    raises-exception                it ends in an error, on purpose
    solution-only                   the exercise that is made from this solution does not have it
"""

import ast
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import nbformat

from tests.figures import figures, opened
from tools.site.notebook_reader import captions

SIZE = 2_500_000  # bytes
PREFIXES = ("item:", "erratum:", "eq:")
TAGS = {
    "definition",
    "in-short",
    "recipe",
    "widget",
    "nbval-ignore-output",
    "raises-exception",
    "solution-only",
    "hide-input",
    "hide-output",
    "remove-cell",
}
CELL_KEYS = {"tags", "jupyter", "slideshow", "nbgrader", "deletable", "editable"}
PATHS = re.compile(r"(?<![\w.])/(?:home|Users|root|tmp|var/folders)/|\b[A-Z]:\\\\?\w")
CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.S)  # spans and fences
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+(?:\n[^$\n]+)*\$", re.S)
NUMBER = re.compile(r"\\tag\{([^}]*)\}")
LINK = re.compile(r"\]\(<?([^()\s>]*(?:\([^()]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\)|\bhref=\"([^\"]*)\"")
MYST = {
    "a MyST directive": re.compile(r"^\s*(?:`{3,}|:{3,})\s*\{", re.M),
    "a MyST role": re.compile(r"\{[\w:-]+\}`"),
    "an alert that only some sites show": re.compile(r"^\s*>\s*\[!\w+\]", re.M),
    "mathematics in a fold's summary, which the site does not set": re.compile(
        r"<summary>(?:(?!</summary>).)*\$", re.S
    ),
    "a macro of its own": re.compile(r"\\((re)?newcommand|[gex]?def\b|DeclareMathOperator|require\b)"),
}


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def prose_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "markdown"]


def tags(cell, prefix=""):
    return [tag[len(prefix) :] for tag in cell.metadata.get("tags", []) if tag.startswith(prefix)]


def name(cell):
    """How a problem calls a cell: its first line."""
    lines = cell.source.strip().splitlines()
    return repr(lines[0][:60]) if lines else f"the empty cell {cell.id}"


# ---- the stored run


def run_is_complete(nb):
    """Every code cell was run, once, from top to bottom."""
    cells = code_cells(nb)
    found = [f"{name(cell)} is empty" for cell in cells if not cell.source.strip()]
    found += [f"{name(cell)} was never run" for cell in cells if cell.execution_count is None]
    counts = [cell.execution_count for cell in cells]
    if not found and counts != list(range(1, len(counts) + 1)):
        found.append(f"the counts are {counts}, not 1 to {len(counts)}: run tools/refresh.py")
    return found


def errors_are_meant(nb):
    """An error stands where a cell is tagged for it, and only there."""
    found = []
    for cell in code_cells(nb):
        stored = [out.ename for out in cell.outputs if out.output_type == "error"]
        meant = "raises-exception" in tags(cell)
        if stored and not meant:
            found.append(f"{name(cell)} stores {stored[0]}")
        if meant and not stored:
            found.append(f"{name(cell)} is tagged raises-exception and raises nothing")
    return found


def output_is_compared(nb):
    """No cell opts out of the comparison, but for a widget, which stores nothing."""
    found = []
    for cell in code_cells(nb):
        if re.search(r"#\s*(?:NBVAL|PYTEST_VALIDATE)_\w+", cell.source):
            found.append(f"{name(cell)} opts out of the tests in a comment")
        ignored, widget = ("nbval-ignore-output" in tags(cell)), ("widget" in tags(cell))
        if ignored != widget:
            found.append(f"{name(cell)}: the tags widget and nbval-ignore-output go together")
        if widget and cell.outputs:
            found.append(f"{name(cell)} is a widget and stores output")
    return found


def sliders_keep_their_names(nb):
    """Whoever runs all cells first moves the slider later: what its function reads must still be the same."""
    cells = [
        (cell, ast.parse("" if cell.source.startswith("%%") else cell.source)) for cell in code_cells(nb)
    ]
    return [
        f"{name(cell)}: a later cell binds {word} anew"
        for i, (cell, tree) in enumerate(cells)
        if "widget" in tags(cell)
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for word in sorted(
            read_by(function) & {one for _, later in cells[i + 1 :] for one in bound_by(later)}
        )
    ]


def read_by(function):
    """The names that a function takes from its notebook."""
    words = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {word.id for word in words if isinstance(word.ctx, ast.Store)}
    return {word.id for word in words} - own - {one.arg for one in function.args.args}


def bound_by(tree):
    """The names that a cell binds; what stands inside a function or a comprehension binds none."""
    inner = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, inner):
            yield from bound_by(node)


def figures_speak(nb):
    """Each figure is a PNG that Matplotlib drew, with a sentence that stands below it as its caption too."""
    found = []
    for cell in code_cells(nb):
        shown = figures(cell.outputs)
        below = list(captions(cell))
        if len(shown) != len(below):
            found.append(f"{name(cell)}: {len(shown)} figures, {len(below)} captions")
        elif [" ".join((alt or "").split()) for _, alt in shown] != below:
            found.append(f"{name(cell)}: a figure's alt text is not its caption")
        found += [f"{name(cell)}: {problem}" for png, alt in shown for problem in figure_problems(png, alt)]
        found += [f"{name(cell)}: {problem}" for problem in picture_problems(cell)]
    return found


def figure_problems(png, alt):
    if not alt:
        yield "a figure without alt text"
    elif len(alt) <= 20 or not re.search(r"\d", alt):
        yield f"alt text should be a sentence with a number in it: {alt!r}"
    if opened(png)[0] is None:
        yield "a figure that does not say which Matplotlib drew it"


def picture_problems(cell):
    """Figures that are lost, or of a kind that is not compared."""
    for out in cell.outputs:
        data = out.get("data", {})
        drawn = re.match(r"<Figure size |<IPython\.core\.display\.Image", data.get("text/plain", ""))
        if drawn and "image/png" not in data:
            yield "a figure's picture is gone"
        if kinds := [kind for kind in data if kind.startswith("image/") and kind != "image/png"]:
            yield f"figures are PNG, not {kinds[0]}"


def nothing_of_the_machine(nb):
    """No path of the machine that ran it, in text or output."""
    texts = [cell.source for cell in nb.cells]
    for cell in code_cells(nb):
        for out in cell.outputs:
            texts += [out.get("text", ""), out.get("evalue", ""), *out.get("traceback", [])]
            texts += [data for kind, data in out.get("data", {}).items() if kind.startswith("text/")]
    return [
        f"a path of one machine: …{text[max(0, hit.start() - 20) : hit.end() + 20]}…"
        for text in texts
        for hit in PATHS.finditer(text)
    ]


def metadata_is_clean(nb):
    """Only what means something: tags that are known, no execution times, the plain kernel; each id once."""
    found = [] if (nb.nbformat, nb.nbformat_minor) >= (4, 5) else ["older than format 4.5: cells have no ids"]
    if set(nb.metadata) != {"kernelspec", "language_info"} or nb.metadata.kernelspec.get("name") != "python3":
        found.append(f"the notebook's metadata: {sorted(nb.metadata)}; run tools/refresh.py")
    ids = Counter(cell.get("id") for cell in nb.cells)
    found += [f"the id {one} stands twice" for one, count in ids.items() if count > 1]
    for cell in nb.cells:
        odd = sorted(set(cell.metadata) - CELL_KEYS)
        odd += [tag for tag in tags(cell) if tag not in TAGS and not tag.startswith(PREFIXES)]
        found += [f"{name(cell)}: unknown metadata or tag {one!r}" for one in odd]
    return found


def homework_metadata(nb):
    """nbgrader's data: every graded cell has its own name, without a dot, and points."""
    found, seen = [], set()
    for cell in nb.cells:
        grader = cell.metadata.get("nbgrader")
        if not grader:
            continue
        one = grader.get("grade_id", "")
        if not re.fullmatch(r"[\w-]+", one) or one in seen:
            found.append(f"{name(cell)}: grade_id {one!r} should be letters, digits, - and _, and stand once")
        if grader.get("grade") and not grader.get("points", 0) > 0:
            found.append(f"{name(cell)}: a graded cell without points")
        if grader.get("schema_version") != 3:
            found.append(f"{name(cell)}: nbgrader's schema_version is 3")
        seen.add(one)
    return found


# ---- equations


def numbered(nb):
    """(number, TeX without the tag, cell) of each numbered equation that is read, in the reader's order."""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            blocks = DISPLAY.findall(CODE.sub("", cell.source))
        else:
            shown = [out.get("data", {}) for out in cell.get("outputs", [])]
            blocks = [data["text/latex"] for data in shown if "text/latex" in data]
        for block in blocks:
            for number in NUMBER.findall(block):
                yield number, NUMBER.sub("", block), cell


def equations_are_numbered(nb):
    """A display equation has a number, or stands in a cell that only defines."""
    return [
        f"an equation with no number, outside a definition: {' '.join(block.split())[:60]}"
        for cell in prose_cells(nb)
        if "definition" not in tags(cell)
        for block in DISPLAY.findall(CODE.sub("", cell.source))
        if not NUMBER.search(block)
    ]


def numbers_run_in_order(nb, chapter):
    """Numbers N.1, N.2 … of this chapter, each once, in order."""
    numbers = [number for number, _, _ in numbered(nb)]
    strange = [n for n in numbers if not re.fullmatch(rf"{chapter}\.\d+", n)]
    found = [f"equation {n} is not one of chapter {chapter}" for n in strange]
    found += [f"equation {n} stands twice" for n, count in Counter(numbers).items() if count > 1]
    order = [int(n.split(".")[1]) for n in numbers if n not in strange]
    return found + [f"equation {chapter}.{b} comes after {chapter}.{a}" for a, b in pairwise(order) if b < a]


def sections_run_on(nb, chapter):
    """Sections N.1, N.2 … of this chapter, each once, in order."""
    numbers = [text.split()[0] for marks, text in headings(nb) if marks == "###" and text[0].isdigit()]
    strange = [n for n in numbers if not re.fullmatch(rf"{chapter}\.\d+", n)]
    found = [f"section {n} is not one of chapter {chapter}" for n in strange]
    found += [f"section {n} stands twice" for n, count in Counter(numbers).items() if count > 1]
    order = [int(n.split(".")[1]) for n in numbers if n not in strange]
    return found + [f"section {chapter}.{b} comes after {chapter}.{a}" for a, b in pairwise(order) if b < a]


def companion_leads_back(chapter, more, its_name, name_of_more):
    """The chapter sends its reader to the companion, and the companion leads back to each place that does."""
    sent = {place for place, link in links_by_section(chapter) if link.partition("#")[0] == name_of_more}
    back = {link for _, link in links_by_section(more)}
    found = [] if sent else [f"{its_name} does not lead to {name_of_more}"]
    places = [f"{its_name}#{place}" if place else its_name for place in sorted(sent)]
    found += [f"{name_of_more} does not lead back to {place}" for place in places if place not in back]
    met = {link.partition("#")[2] for _, link in links_by_section(chapter)}
    met |= {link.removeprefix("#") for _, link in links_by_section(more) if link.startswith("#")}
    return found + [
        f"nobody is sent to section {text.split()[0]}"
        for marks, text in headings(more)
        if marks == "###" and anchor(text) not in met
    ]


def links_by_section(nb):
    """(anchor of the section, or "" before the first; link) of each link in the prose."""
    place = ""
    for cell in prose_cells(nb):
        text = MATHS.sub("", CODE.sub("", cell.source))
        for part in re.split(r"^(?=### )", text, flags=re.M):
            title = re.match(r"### +(.+?)[ #]*$", part, re.M)
            place = anchor(title[1]) if title else place
            yield from ((place, unquote(a or b)) for a, b in LINK.findall(part) if a or b)


def equations_are_checked(nb, chapter):
    """Each numbered claim is in some cell's `eq:` tag; each such tag names an equation."""
    checked = {number for cell in code_cells(nb) for number in tags(cell, "eq:")}
    known = {number for number, _, _ in numbered(nb)}
    found = [
        f"no cell checks equation {number}"
        for number, _, cell in numbered(nb)
        if "definition" not in tags(cell) and number not in checked
    ]
    return found + [
        f"the tag eq:{number} names no equation"
        for number in sorted(checked - known)
        if number.startswith(f"{chapter}.")
    ]


def equations_stand_in_their_check(nb):
    """A numbered claim's TeX occurs word for word in its `eq:` cell, so that neither changes alone."""
    found = []
    for number, tex, cell in numbered(nb):
        if cell.cell_type == "code" or "definition" in tags(cell):
            continue  # what a cell displays is its own
        checks = [other.source for other in code_cells(nb) if number in tags(other, "eq:")]
        if checks and not any(squeezed(tex) in tex_of(code) for code in checks):
            short = " ".join(tex.split())[:60]
            found.append(f"the cell that checks equation {number} does not have its TeX: {short}")
    return found


def squeezed(tex):
    return re.sub(r"\s+", "", tex).rstrip(".,;:")


def tex_of(code):
    """The cell's text and each of its strings (joined, unescaped), without blanks."""
    constants = [node.value for node in ast.walk(parsed(code)) if isinstance(node, ast.Constant)]
    return "\n".join(squeezed(text) for text in [code, *constants] if isinstance(text, str))


def equations_render(nb):
    """What JupyterLab, the slides and the site all show: see each message."""
    found = []
    for cell in prose_cells(nb):
        text = CODE.sub("", cell.source)
        if re.search(r"\\\[|\\begin\{(?:align|equation|gather|multline|eqnarray)", text):
            found.append(f"{name(cell)}: write display equations as $$…$$, with aligned inside")
        for block in DISPLAY.findall(text):
            short = " ".join(block.split())[:60]
            if len(NUMBER.findall(block)) > 1:
                found.append(f"two numbers in one equation: {short}")
            if re.search(r"\\tag\{[^}]*\}.*\\end\{", block, re.S):
                found.append(f"\\tag inside an environment, where MathJax refuses it: {short}")
            if r"\\" in block and r"\begin{" not in block:
                found.append(f"a bare \\\\ outside an environment: {short}")
    return found


# ---- checks


def checks_can_fail(nb):
    """A cell tagged with items, errata or equations holds as many checks as it has items, or errata."""
    found = []
    for cell in nb.cells:
        ids = [tag for tag in tags(cell) if tag.startswith(PREFIXES)]
        if not ids:
            continue
        needed = max(1, len(tags(cell, "item:")), len(tags(cell, "erratum:")))
        able = checks(cell.source) if cell.cell_type == "code" else 0
        able += "raises-exception" in tags(cell)
        if able < needed:
            found.append(
                f"{name(cell)} ({' '.join(ids)}) holds {able} checks that can fail, and needs {needed}"
            )
    return found


def checks(code):
    """How many things can fail: assertions about something with a name, and lines of derivations."""
    tree = parsed(code)
    chains = {"Derivation"} | {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and root(node.value) == "Derivation"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert) and can_fail(node.test)]
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [f for f in calls if re.match(r"assert_|raises$", getattr(f, "attr", getattr(f, "id", "")))]
    links = [f for f in calls if isinstance(f, ast.Attribute) and root(f) in chains]
    return len(asserts) + len(named) + len([f for f in links if f.attr not in ("begin", "result")])


def can_fail(test):
    """Not so: a tuple, a constant, `x == x`, `type(...)`, `... or True`, or nothing that has a name."""
    if isinstance(test, (ast.Tuple, ast.Constant, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return False
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return all(can_fail(part) for part in test.values)
    if isinstance(test, ast.Compare) and [ast.dump(test.left)] == [ast.dump(c) for c in test.comparators]:
        return False
    if isinstance(test, ast.Call) and getattr(test.func, "id", "") in ("type", "print", "repr", "str", "id"):
        return False
    return any(isinstance(node, ast.Name) for node in ast.walk(test))


def root(node):
    """The name at the head of ``name.method(...).method(...)``."""
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def parsed(code):
    """The code's tree; lines that are IPython's (% ! ?) count for nothing."""
    plain = re.sub(r"^([ \t]*)(?:[%!].*|[\w.]+\?+[ \t]*)$", r"\1pass", code, flags=re.M)
    return ast.parse(plain)


def syllabus_is_taught(nb, chapter, syllabus):
    """Every item and erratum of the chapter has its cell, and every such tag names one."""
    found = []
    for prefix, known in (("item:", syllabus["item"]), ("erratum:", syllabus["erratum"])):
        tagged = {tag for cell in code_cells(nb) for tag in tags(cell, prefix)}
        own = {one["id"] for one in known if one["chapter"] == chapter}
        found += [f"no cell is tagged {prefix}{one}" for one in sorted(own - tagged)]
        strange = sorted(tagged - {one["id"] for one in known})
        found += [f"{prefix}{one} is not in docs/syllabus.toml" for one in strange]
    return found


# ---- prose


def markdown_is_plain(nb):
    """What JupyterLab renders: no directives, no macros; images have alt text; headings skip no level."""
    found = []
    for cell in prose_cells(nb):
        found += [f"{name(cell)}: {what}" for what, pattern in MYST.items() if pattern.search(cell.source)]
        text = CODE.sub("", cell.source)
        if re.search(r"!\[\s*\]\(|<img(?![^>]*\balt=\"[^\"]+\")[^>]*>", text):
            found.append(f"{name(cell)}: an image without alt text")
        if "in-short" in tags(cell) and not re.match(r"\*\*In short: .+\*\*\n\n", cell.source):
            found.append(f"{name(cell)}: a card begins with **In short: its method** and an empty line")
    levels = [len(mark) for mark, _ in headings(nb)]
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append("a notebook has one heading of level 1, its first")
    return found + [
        f"heading {text!r} skips a level"
        for (_, text), above, here in zip(headings(nb)[1:], levels, levels[1:])
        if here > above + 1
    ]


def headings(nb):
    """(marks, text) of each heading."""
    texts = [re.sub(r"^```.*?^```", "", cell.source, flags=re.S | re.M) for cell in prose_cells(nb)]
    return re.findall(r"^(#{1,6}) +(.+?)[ #]*$", "\n".join(texts), re.M)


def anchors(nb):
    """The anchors that JupyterLab gives to headings: their text, with - for each blank."""
    return {anchor(text) for _, text in headings(nb)}


def anchor(heading):
    without_links = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", without_links).replace(" ", "-")


@cache
def anchors_of(path):
    return anchors(read(path))


def links_resolve(nb, path):
    """Relative links lead to a file of the course, and to a heading in it."""
    found = []
    for cell in prose_cells(nb):
        text = MATHS.sub("", CODE.sub("", cell.source))
        for link in filter(None, (a or b for a, b in LINK.findall(text))):
            if problem := broken(unquote(link), nb, Path(path)):
                found.append(f"{name(cell)}: {problem}")
    return found


def broken(link, nb, path):
    """Why a link leads nowhere, or None. Links to the web are not followed: the tests have no network."""
    if re.match(r"https://|mailto:|attachment:", link):
        return None
    if re.match(r"\w{2,}:", link) or link.startswith("/"):
        return f"the link {link} should be relative, or start with https://"
    file, _, anchor = link.partition("#")
    target = (path.parent / file).resolve() if file else path
    if file and not target.exists():
        return f"the link {link} leads to no file"
    if not anchor.isascii():
        return f"JupyterLab does not find the heading of the link {link}: take a heading of plain letters"
    if anchor and (not file or target.suffix == ".ipynb"):
        known = anchors_of(target) if file and target != path.resolve() else anchors(nb)
        if anchor not in known:
            return f"the link {link} leads to no heading"
    return None


def references_resolve(nb, numbers):
    """ "eq. (2.5)" and "equations (2.5) and (2.7)" name equations that some chapter has."""
    text = "\n".join(CODE.sub("", cell.source) for cell in prose_cells(nb))
    named = re.findall(r"\b[Ee]q(?:s\.|\.|uations?)\s*((?:(?:,| and| or| to|–)?\s*\(\d+\.\d+\))+)", text)
    found = [number for group in named for number in re.findall(r"\d+\.\d+", group)]
    return [f"equation ({number}) is named and does not exist" for number in found if number not in numbers]
