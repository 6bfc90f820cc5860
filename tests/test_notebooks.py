"""Every notebook keeps to the rules of tests/rules.py, and every rule refuses a notebook that breaks it."""

import base64
import io
import re
import tomllib
from functools import cache
from textwrap import fill

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from tests import rules
from tests.figures import difference, differences
from tests.nested import verdicts
from tools import books, form, refresh
from tools.books import ROOT

BOOKS = books.books(ROOT / "notebooks", "")
CHAPTERS = [path for path in books.chapters(ROOT / "notebooks") if re.match(r"(?:0[1-9]|1[0-2])-", path.name)]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))
SYLLABUS = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text(encoding="utf-8"))


@cache
def read(path):
    return rules.read(path)


def whole(path):
    """A chapter and its companion, one after the other."""
    return new_notebook(cells=sum((read(one).cells for one in books.together(path)), []))


@cache
def numbers_everywhere():
    return {number for path in BOOKS for number, _, _ in rules.numbered(read(path))}


def over(paths):
    return pytest.mark.parametrize("path", [pytest.param(p, id=f"{p.parent.name}/{p.name}") for p in paths])


def no(problems):
    __tracebackhide__ = True
    if problems := list(problems):
        pytest.fail("\n".join(problems), pytrace=False)


def problems(path, rules, *more):
    """What the notebook breaks of these rules, each with the rule's name."""
    for rule in rules:
        yield from (f"{rule.__name__}: {problem}" for problem in rule(read(path), *more))


# ---- the course's notebooks


OF_ALL = (
    rules.run_is_complete,
    rules.errors_are_meant,
    rules.output_is_compared,
    rules.figures_speak,
    rules.nothing_of_the_machine,
    rules.metadata_is_clean,
    rules.homework_metadata,
    rules.equations_render,
    rules.markdown_is_plain,
    rules.checks_can_fail,
)
OF_BOOKS = (rules.equations_are_numbered, rules.equations_stand_in_their_check)
OF_CHAPTERS = (rules.numbers_run_in_order, rules.sections_run_on, rules.equations_are_checked)


@over([path for path in BOOKS if path.stem in form.held()])
def test_sliders_keep_their_names(path):
    no(problems(path, [rules.sliders_keep_their_names]))


@over(BOOKS + SOLUTIONS)
def test_notebook(path):
    """As a linter does: all that it breaks at once."""
    found = [*problems(path, OF_ALL), *rules.references_resolve(read(path), numbers_everywhere())]
    found += problems(path, OF_BOOKS) if path in BOOKS else ()
    no(found + [f"more than {rules.SIZE} bytes"] * (path.stat().st_size >= rules.SIZE))


@over(CHAPTERS)
def test_chapter(path):
    """With its companion: together they hold every item, and their numbers run on."""
    both, number = whole(path), path.name[:2]
    found = rules.syllabus_is_taught(both, number, SYLLABUS)
    for rule in OF_CHAPTERS:
        found += [f"{rule.__name__}: {problem}" for problem in rule(both, int(number))]
    no(found)


def test_a_chapter_and_its_companion_lead_to_each_other():
    pairs = [books.together(path) for path in CHAPTERS]
    no(
        found
        for chapter, *mores in pairs
        for more in mores
        for found in rules.companion_leads_back(read(chapter), read(more), chapter.name, more.name)
    )


def test_a_companion_has_a_chapter():
    assert {books.chapter_of(path.stem) for path in books.books() if books.is_companion(path)} <= {
        path.stem for path in CHAPTERS
    }


def test_links_resolve():
    no(found for path in BOOKS + SOLUTIONS + EXERCISES for found in rules.links_resolve(read(path), path))


def test_the_syllabus_is_whole():
    assert (len(SYLLABUS["item"]), len(SYLLABUS["erratum"])) == (206, 84)
    for one in SYLLABUS["item"] + SYLLABUS["erratum"]:
        assert re.fullmatch(r"0[1-9]|1[0-2]", one["chapter"]) and one["title"]
        assert re.search(r"[\u4e00-\u9fff]", one["zh"]), one
    assert [one["id"] for one in SYLLABUS["erratum"]] == [f"E{n:02}" for n in range(1, 85)]
    kinds = {kind for one in SYLLABUS["erratum"] for kind in one["kind"]}
    assert kinds == {"wrong", "imprecise", "garbled", "outdated"}
    for chapter in {one["chapter"] for one in SYLLABUS["item"]}:
        ids = [one["id"] for one in SYLLABUS["item"] if one["chapter"] == chapter]
        assert ids == [f"{chapter}.{n}" for n in range(1, len(ids) + 1)]


def cards(nb):
    """{what a card, In short, is of: its text}."""
    found = [cell.source for cell in nb.cells if "in-short" in rules.tags(cell)]
    return {text.partition("**In short: ")[2].partition("**")[0]: text for text in found}


def without_card(methods, by_chapter, map_of_all):
    """Methods that no card of their chapter names, or whose chapter is not on the map."""
    for one in methods:
        card = by_chapter[one["chapter"]].get(one["card"], "")
        if one.get("named", one["card"]) not in card or f"({one['chapter']}-" not in map_of_all:
            yield f"{one['chapter']}: {one.get('named', one['card'])}"


def test_each_method_has_its_card_and_its_place_on_the_map():
    by_chapter = {path.name[:2]: cards(whole(path)) for path in CHAPTERS}
    start = "\n".join(cell.source for cell in read(ROOT / "notebooks" / "00-start-here.ipynb").cells)
    map_of_all = start.partition("## Which method when?")[2].partition("\n## ")[0]
    assert list(without_card(SYLLABUS["method"], by_chapter, map_of_all)) == []
    missing = {"chapter": "02", "card": "principal component analysis", "named": "varimax"}
    assert list(without_card([missing], by_chapter, map_of_all)) == ["02: varimax"]


# ---- every rule refuses what it should: a good notebook, spoiled in one way

ALT = "Error falls from 100 % to 9 % as axes are added, and from the fifth axis on it hardly falls: noise"
TEX = r"\sum_i \lVert x_i \rVert^2 = \operatorname{tr} XX^\top"


def png(colour="blue", software="Matplotlib version 3", **more):
    """A small figure as a notebook stores it: a thin line on white."""
    picture = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(picture).line([(20, 280), (200, 60), (380, 200)], fill=colour, width=3)
    info, buffer = PngInfo(), io.BytesIO()
    if software:
        info.add_text("Software", software)
    picture.resize(more.get("size", picture.size)).save(buffer, "png", pnginfo=info)
    return base64.b64encode(buffer.getvalue()).decode()


def figure(alt=ALT, picture=None):
    data = {"image/png": picture or png(), "text/plain": "<IPython.core.display.Image object>"}
    return [
        new_output("display_data", data=data, metadata={"image/png": {"alt": alt}}),
        new_output("stream", name="stdout", text=fill(f"Figure: {alt}", 88, subsequent_indent=" " * 8)),
    ]


def ran(source, *its_tags, outputs=()):
    return new_code_cell(source, metadata={"tags": list(its_tags)} if its_tags else {}, outputs=list(outputs))


def notebook(*cells):
    nb = new_notebook(cells=list(cells))
    for count, cell in enumerate(rules.code_cells(nb), start=1):
        cell.execution_count = count
    return refresh.normalised(nb)


def good():
    latex = r"$$\begin{aligned}a &= b \\ &= c\end{aligned}\tag{2.3}$$"
    chain = new_output("execute_result", data={"text/plain": "a", "text/latex": latex}, execution_count=2)
    error = new_output("error", ename="ZeroDivisionError", evalue="division", traceback=[])
    definition = "## 2.1 Two *goals*\n\n$$ z = W^\\top x \\tag{2.1} $$"
    return notebook(
        new_markdown_cell("# Chapter\n\nSee [below](#2.1-Two-goals), eq. (2.2), and `[this](nowhere.md)`."),
        new_markdown_cell(definition, metadata={"tags": ["definition"]}),
        new_markdown_cell(f"So\n\n$$ {TEX}, \\tag{{2.2}} $$"),
        ran(f'says = r"{TEX}"\nassert close(left, right)', "eq:2.2", "item:02.1", outputs=figure()),
        ran(
            'chain = Derivation("A", draw)\nchain.begin("a", f)\nchain.equals("b", g)\nchain.result("2.3")',
            "eq:2.3",
            "erratum:E05",
            outputs=[chain],
        ),
        ran("1 / 0", "raises-exception", outputs=[error]),
        ran("def slide(k):\n    return k * left", "widget", "nbval-ignore-output"),
    )


SMALL = {
    "item": [{"id": "02.1", "chapter": "02"}, {"id": "03.1", "chapter": "03"}],
    "erratum": [{"id": "E05", "chapter": "02"}, {"id": "E13", "chapter": "03"}],
}
HERE = ROOT / "notebooks" / "02-pca.ipynb"
RULES = {
    "run": rules.run_is_complete,
    "errors": rules.errors_are_meant,
    "output": rules.output_is_compared,
    "sliders": rules.sliders_keep_their_names,
    "figures": rules.figures_speak,
    "machine": rules.nothing_of_the_machine,
    "metadata": rules.metadata_is_clean,
    "homework": rules.homework_metadata,
    "numbered": rules.equations_are_numbered,
    "word for word": rules.equations_stand_in_their_check,
    "render": rules.equations_render,
    "can fail": rules.checks_can_fail,
    "plain": rules.markdown_is_plain,
    "order": lambda nb: rules.numbers_run_in_order(nb, 2),
    "sections": lambda nb: rules.sections_run_on(nb, 2),
    "checked": lambda nb: rules.equations_are_checked(nb, 2),
    "syllabus": lambda nb: rules.syllabus_is_taught(nb, "02", SMALL),
    "links": lambda nb: rules.links_resolve(nb, HERE),
    "references": lambda nb: rules.references_resolve(nb, {"2.2"}),
}
TOP, DEFINES, CLAIMS, CHECK, CHAIN, RAISES, WIDGET = range(7)


def source(cell, old, new):
    """Spoil the text of one cell."""

    def spoil(nb):
        assert old in nb.cells[cell].source
        nb.cells[cell].source = nb.cells[cell].source.replace(old, new)

    return spoil


def tagged(cell, *its_tags):
    return lambda nb: nb.cells[cell].metadata.update(tags=list(its_tags))


def output(cell, number, **fields):
    return lambda nb: nb.cells[cell].outputs[number].update(fields)


def added(*cells):
    return lambda nb: nb.cells.extend(cells)


def prose(text):
    return added(new_markdown_cell(text))


def shows(*outputs):
    return lambda nb: nb.cells[CHECK].update(outputs=list(outputs))


def homework(**grader):
    data = {"grade": True, "points": 2, "grade_id": "pca-1", "schema_version": 3, **grader}
    return added(
        *(
            new_code_cell("check()", metadata={"nbgrader": {**data, "grade_id": one}})
            for one in ("pca-0", data["grade_id"])
        )
    )


def without_picture(nb):
    del nb.cells[CHECK].outputs[0]["data"]["image/png"]


SPOILED = [
    ("run", "never run", lambda nb: nb.cells[CHECK].update(execution_count=None, outputs=[])),
    ("run", "not 1 to 4", lambda nb: nb.cells[CHECK].update(execution_count=9)),
    ("run", "is empty", added(new_code_cell(" ", execution_count=5))),
    ("errors", "stores ZeroDivisionError", tagged(RAISES)),
    ("errors", "raises nothing", lambda nb: nb.cells[RAISES].update(outputs=[])),
    ("output", "opts out", source(CHECK, "says", "# NBVAL_IGNORE_OUTPUT\nsays")),
    ("output", "go together", tagged(CHECK, "nbval-ignore-output")),
    ("output", "go together", tagged(WIDGET, "widget")),
    ("sliders", "binds left anew", added(new_code_cell("for left, right in []:\n    pass"))),
    ("output", "stores output", lambda nb: nb.cells[WIDGET].update(outputs=figure())),
    ("figures", "0 figures, 1 captions", lambda nb: nb.cells[CHECK].outputs.pop(0)),
    ("figures", "1 figures, 0 captions", lambda nb: nb.cells[CHECK].outputs.pop(1)),
    ("figures", "picture is gone", without_picture),
    ("figures", "not its caption", output(CHECK, 0, metadata={"image/png": {"alt": ALT + " or so"}})),
    ("figures", "without alt text", output(CHECK, 0, metadata={})),
    ("figures", "a number in it", shows(*figure("A figure that shows something without one"))),
    ("figures", "a number in it", shows(*figure("Only 3 words"))),
    ("figures", "which Matplotlib drew it", shows(*figure(picture=png(software=None)))),
    ("figures", "not image/svg+xml", shows(new_output("display_data", data={"image/svg+xml": "<svg/>"}))),
    ("machine", "/home/me", source(TOP, "# Chapter", "# Chapter\n\nin /home/me/course")),
    ("machine", "/tmp/x", output(RAISES, 0, evalue="no file /tmp/x")),
    ("machine", "Users", shows(new_output("stream", name="stderr", text=r"C:\Users\me\a.py:3: Warning"))),
    ("metadata", "unknown metadata or tag 'item02.1'", tagged(CHECK, "item02.1")),
    ("metadata", "or tag 'collapsed'", lambda nb: nb.cells[CHECK].metadata.update(collapsed=True)),
    ("metadata", "stands twice", lambda nb: nb.cells[CHECK].update(id=nb.cells[TOP].id)),
    ("metadata", "the notebook's metadata", lambda nb: nb.metadata.update(authors=["me"])),
    ("metadata", "the notebook's metadata", lambda nb: nb.metadata.kernelspec.update(name="my-venv")),
    ("metadata", "older than format 4.5", lambda nb: nb.update(nbformat_minor=4)),
    ("homework", "should be letters", homework(grade_id="pca.1")),
    ("homework", "stand once", homework(grade_id="pca-0")),
    ("homework", "without points", homework(points=0)),
    ("homework", "schema_version", homework(schema_version=2)),
    ("numbered", "no number, outside a definition", source(CLAIMS, r"\tag{2.2}", "")),
    ("numbered", "no number, outside a definition", prose("and $$a = b$$")),
    ("word for word", "does not have its TeX", source(CLAIMS, r"\sum_i", r"\sum_j")),
    ("word for word", "does not have its TeX", source(CHECK, r"\sum_i", r"\sum_j")),
    ("render", "with aligned inside", prose(r"\begin{align}a\end{align}")),
    ("render", "with aligned inside", prose(r"\[a\]")),
    ("render", "two numbers", source(CLAIMS, r"\tag{2.2}", r"\tag{2.2}\tag{2.4}")),
    ("render", "MathJax refuses", prose(r"$$\begin{aligned}a \tag{2.4}\end{aligned}$$")),
    ("render", "outside an environment", prose(r"$$a \\ b$$")),
    ("can fail", "holds 0 checks", source(CHECK, "assert close(left, right)", "close(left, right)")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "True")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "(left, right)")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "left == left")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "type(left is None)")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "left < right or True")),
    ("can fail", "holds 0 checks", source(CHECK, "close(left, right)", "[left < right for _ in data]")),
    ("can fail", "holds 0 checks", source(CHAIN, 'chain.equals("b", g)\n', "")),
    ("can fail", "holds 1 checks that can fail, and needs 2", tagged(CHECK, "item:02.1", "item:02.2")),
    ("can fail", "holds 1 checks that can fail, and needs 2", tagged(CHAIN, "erratum:E05", "erratum:E06")),
    ("can fail", "holds 0 checks", tagged(CLAIMS, "eq:2.2")),
    ("plain", "directive", prose("```{note}\nx\n```")),
    ("plain", "directive", prose(":::{tip}\nx\n:::")),
    ("plain", "role", prose("see {ref}`this`")),
    ("plain", "an alert", prose("> [!NOTE]\n> x")),
    ("plain", "macro", prose(r"$\newcommand{\R}{\mathbb R}$")),
    ("plain", "without alt text", prose("![](a.png)")),
    ("plain", "without alt text", prose('<img src="a.png">')),
    ("plain", "in a fold's summary", prose("<details><summary>Is $a$ b?</summary>c</details>")),
    ("plain", "a card begins with", added(new_markdown_cell("| a |", metadata={"tags": ["in-short"]}))),
    ("plain", "one heading of level 1", prose("# Another")),
    ("plain", "one heading of level 1", source(TOP, "# Chapter", "Chapter")),
    ("plain", "skips a level", prose("#### Deep")),
    ("order", "stands twice", prose(r"$$a \tag{2.2}$$")),
    ("order", "comes after", lambda nb: nb.cells.insert(0, new_markdown_cell(r"$$a \tag{2.9}$$"))),
    ("order", "not one of chapter 2", source(CLAIMS, "2.2", "3.2")),
    ("sections", "section 2.1 stands twice", prose("### 2.1 One\n\n### 2.1 Again")),
    (
        "sections",
        "section 2.1 comes after 2.2",
        prose("### 2.2 Two\n\n### 2.1 One"),
    ),
    ("sections", "section 3.1 is not one of chapter 2", prose("### 3.1 Elsewhere")),
    ("checked", "no cell checks equation 2.2", tagged(CHECK, "item:02.1")),
    ("checked", "no cell checks equation 2.3", tagged(CHAIN, "erratum:E05")),
    ("checked", "names no equation", tagged(CHECK, "eq:2.2", "eq:2.7")),
    ("syllabus", "no cell is tagged item:02.1", tagged(CHECK, "eq:2.2")),
    ("syllabus", "no cell is tagged erratum:E05", tagged(CHAIN, "eq:2.3")),
    ("syllabus", "item:02.99 is not in", tagged(CHECK, "item:02.1", "item:02.99")),
    ("links", "leads to no file", prose("[x](99-none.ipynb)")),
    ("links", "leads to no heading", source(TOP, "#2.1-Two-goals", "#2.1-two-goals")),
    ("links", "does not find the heading", source(TOP, "#2.1-Two-goals", "#2.1-Two-·-goals")),
    ("links", "leads to no file", prose('<a href="99-none.ipynb">x</a>')),
    ("links", "should be relative", prose("[x](http://example.org)")),
    ("links", "should be relative", prose("[x](/notebooks/02-pca.ipynb)")),
    ("references", "(2.9) is named", prose("by eq. (2.9)")),
    ("references", "(2.8) is named", prose("by equations (2.2) and (2.8)")),
]


A_CHAPTER = "# 2\n\n### 2.1 One\n\nA proof is in [section 2.3](02-pca-more.ipynb#2.3-Proof).\n\n### 2.2 Two"
ITS_MORE = "# 2, more\n\n### 2.3 Proof\n\nYou come from [section 2.1](02-pca.ipynb#2.1-One)."


NOT_BACK = "not lead back to 02-pca.ipynb#2.1-One"
COMPANIONS = {
    "both ways": (A_CHAPTER, ITS_MORE, ""),
    "not sent": (
        A_CHAPTER.replace("[section 2.3](02-pca-more.ipynb#2.3-Proof)", "2.3"),
        ITS_MORE,
        "does not lead to",
    ),
    "to no section": (A_CHAPTER, ITS_MORE.replace("(02-pca.ipynb#2.1-One)", "(02-pca.ipynb)"), NOT_BACK),
    "to another section": (A_CHAPTER, ITS_MORE.replace("2.1-One", "2.2-Two"), NOT_BACK),
    "a section alone": (A_CHAPTER, ITS_MORE + "\n\n### 2.4 Lost", "nobody is sent to section 2.4"),
}


def test_a_companion_that_does_not_lead_back_is_noticed(subtests):
    for case, (chapter, more, why) in COMPANIONS.items():
        first, second = (notebook(new_markdown_cell(text)) for text in (chapter, more))
        found = [*rules.companion_leads_back(first, second, "02-pca.ipynb", "02-pca-more.ipynb")]
        with subtests.test(case):
            assert any(why in one for one in found) if why else not found, found


def test_a_good_notebook_is_accepted():
    no(f"{name}: {problem}" for name, rule in RULES.items() for problem in rule(good()))


def test_a_spoiled_notebook_is_refused(subtests):
    for i, (rule, why, spoil) in enumerate(SPOILED):
        nb = good()
        spoil(nb)
        found = [*RULES[rule](nb)]
        with subtests.test(f"{i}, {rule}: {why}"):
            assert any(why in problem for problem in found), found


def test_every_rule_is_tried():
    assert {rule for rule, _, _ in SPOILED} == set(RULES)


def test_a_link_into_another_notebook_leads_to_its_heading(tmp_path):
    nbformat.write(notebook(new_markdown_cell("# A `b` of [c](d.ipynb)?")), tmp_path / "other file.ipynb")
    nb = notebook(new_markdown_cell("[x](other%20file.ipynb#A-b-of-c?) [y](other%20file.ipynb#A) $[a](b)$"))
    assert rules.links_resolve(nb, tmp_path / "this.ipynb") == [
        f"{rules.name(nb.cells[0])}: the link other file.ipynb#A leads to no heading"
    ]


# ---- figures, compared when a notebook is run again


OTHERS = [
    dict(colour="red"),
    dict(colour="#0000b0"),
    dict(size=(410, 300)),
    dict(software=None),
    dict(colour="white"),
    dict(colour="white", software="Matplotlib version 9"),
    dict(colour="black", size=(300, 400), software="Matplotlib version 9"),
]


def test_another_figure_is_refused():
    assert [other for other in OTHERS if not difference(png(), png(**other))] == []


def test_another_version_may_draw_a_little_differently():
    assert difference(png(), png("#2020e0", software="Matplotlib version 9")) is None
    assert difference(png(), png()) is None


def test_number_and_alt_text_of_figures_are_compared():
    assert differences(figure(), figure()) == []
    assert differences(figure(), []) == ["1 stored figures, 0 fresh ones"]
    assert "alt text" in differences(figure(), figure(ALT + "!"))[0]


DRAWS = """import io
import matplotlib.pyplot as plt
from IPython.display import Image, Latex, display
def draw(colour, alt):
    plt.figure(figsize=(3, 2))
    plt.plot([1, 3, 2], color=colour)
    buffer = io.BytesIO()
    plt.savefig(buffer, format="png")
    plt.close()
    display(Image(buffer.getvalue(), format="png", alt=alt))"""
CELLS = {
    "a figure": 'draw("C0", "first")',
    "its alt text": 'draw("C1", "second")',
    "a picture": 'draw("C2", "third")',
    "a formula": 'display(Latex("$$a$$"))',
    "a line": 'print("text")',
    "a value": "40 + 2",
    "the network": "import socket\ntry:\n    socket.create_connection(('192.0.2.1', 80), timeout=1)\n"
    "except Exception as error:\n    print(error)",
}


def spoil_stored(cells):
    """Change what each cell stores, as a fault in the course's code would change what it gives."""
    cells["a figure"].outputs[0].data["image/png"] = cells["a picture"].outputs[0].data["image/png"]
    cells["its alt text"].outputs[0].metadata["image/png"]["alt"] = "another"
    del cells["a picture"].outputs[0].data["image/png"]
    cells["a formula"].outputs[0].data["text/latex"] = "$$b$$"
    cells["a line"].outputs[0].text = "texts\n"
    cells["a value"].outputs[0].data["text/plain"] = "41"
    cells["the network"].outputs[0].text = "reached\n"


def test_a_notebook_that_is_run_again_is_compared_in_every_part(tmp_path):
    """The whole way, through pytest: each cell of a sound notebook passes, each of a spoiled one fails."""
    cells = {what: ran(code) for what, code in CELLS.items()}
    path = tmp_path / "sound.ipynb"
    nbformat.write(new_notebook(cells=[ran(DRAWS), *cells.values()]), path)
    assert refresh.refresh(path) == "changed"
    spoiled = nbformat.read(path, as_version=4)
    assert "networking is off" in spoiled.cells[-1].outputs[0].text
    spoil_stored(dict(zip(CELLS, spoiled.cells[1:], strict=True)))
    nbformat.write(spoiled, tmp_path / "spoiled.ipynb")
    done = verdicts(tmp_path)
    found = re.findall(r"^(PASSED|FAILED) \S*?(sound|spoiled)\.ipynb::Cell (\d)", done, re.M)
    cells = [str(number) for number in range(1 + len(CELLS))]
    assert [n for v, which, n in found if (v, which) == ("PASSED", "sound")] == cells, done
    assert [n for v, which, n in found if (v, which) == ("FAILED", "spoiled")] == cells[1:], done
