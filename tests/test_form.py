"""Chapters keep to the bars of docs/form.toml; and each bar notices a notebook that misses it."""

import re

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import form
from tools.books import ROOT

NOTEBOOKS = ROOT / "notebooks"
STEM = "03-a-chapter"


def test_the_chapters_that_are_held_keep_to_the_bars():
    found = {
        stem: form.missed(nbformat.read(NOTEBOOKS / f"{stem}.ipynb", as_version=4), stem)
        for stem in form.held()
    }
    assert {stem: missed for stem, missed in found.items() if missed} == {}


def test_the_chapters_that_are_held_exist():
    assert [stem for stem in form.held() if not (NOTEBOOKS / f"{stem}.ipynb").exists()] == []


# ---- a good chapter, spoiled in one way


def picture():
    return new_output("display_data", data={"image/png": "", "text/plain": "<Image>"})


def line(text):
    return new_output("stream", name="stdout", text=text + "\n")


def ran(source, *outputs):
    return new_code_cell(source, outputs=list(outputs))


def folded(source, *outputs, **metadata):
    return new_code_cell(
        source, outputs=list(outputs), metadata={"jupyter": {"source_hidden": True}, **metadata}
    )


TICK = "✓ 7 of 9"
GOOD_CHECK = "# check: most\nassert most > 6\nevidence(f'{most} of 9')"


def good():
    """Each section says a sentence, defines a listing, draws its figure in the open and checks in a fold."""
    cells = [new_markdown_cell("# A chapter"), ran("import matplotlib.pyplot as plt")]
    for n in range(4):
        cells += [
            new_markdown_cell(
                f"### 2.{n + 1} A section\n\nThis section says a whole sentence to the reader."
            ),
            ran('def method(X):\n    """What it does."""\n    return X + 1'),
            ran("most = method(6)\nfig, ax = plt.subplots()\nax.plot([most])", picture()),
            folded(GOOD_CHECK, line(TICK)),
        ]
    cells += [
        new_markdown_cell(
            "**In short**\n\nBoth. Not here. All of it. Never again. Once more.",
            metadata={"tags": ["in-short"]},
        ),
        new_markdown_cell("<details><summary>You may read x</summary>\n\n" + "word " * 20000 + "</details>"),
    ]
    return new_notebook(cells=cells)


DRAWN, CHECK = 4, 5  # of the first section


def set_(cell, source=None, outputs=None):
    def spoil(nb):
        nb.cells[cell].source = source if source is not None else nb.cells[cell].source
        nb.cells[cell].outputs = outputs if outputs is not None else nb.cells[cell].outputs

    return spoil


def added(*cells):
    return lambda nb: nb.cells.extend(cells)


SPOILED = [
    ("minutes", added(new_markdown_cell("Some words are said here again. " * 2200))),
    ("minutes", added(*[ran("plt.plot([1])", picture())] * 81)),
    ("minutes", added(ran("def long():\n" + "    x = 1\n" * 700))),
    ("minutes", added(*[new_markdown_cell("$$ a = b \\tag{2.1} $$")] * 260)),
    ("sentence", added(new_markdown_cell(("word " * 400 + ". ") * 3))),
    (
        "telegrams",
        added(new_markdown_cell("Both. Not here. All of it. Never again. A sentence stands last.")),
    ),
    ("alone", set_(DRAWN, "fig, ax = plt.subplots()\nax.plot(hidden)")),
    ("alone", added(ran("def f():\n    return later\nlate = 1", line("1")), ran("print(later)", line("1")))),
    ("wide", set_(DRAWN, "x = " + "1" * 85)),
    ("cell", added(ran("def long():\n" + "    x = 1\n" * 20))),
    ("asserts", added(ran("\n".join(["assert True"] * 12), line("9")))),
    ("mute", set_(CHECK, outputs=[])),
    ("mute", set_(CHECK, "# check: typed\nassert most > 6\nevidence('7 of 9')")),
    ("mute", set_(CHECK, "# check: too early\nevidence(f'{most} of 9')\nassert most > 6")),
    ("mute", set_(CHECK, "# check: printed\nassert most > 6\nprint(f'✓ {most} of 9')")),
    ("mute", added(folded("# check: beside a chain\nd = Derivation('a')\nassert x", picture()))),
    ("hidden", added(folded("# some work\nx = f(1)"))),
    ("hidden", added(folded("# a helper\ndef helper(x):\n    return x"))),
    ("unnamed", set_(CHECK, GOOD_CHECK.partition("\n")[2])),
    ("wide", set_(CHECK, GOOD_CHECK + "  # " + "x" * 80)),
    ("asserts", added(ran("assert (\n" + "    x and\n" * 12 + "    True)", line("9")))),
    ("may", added(new_markdown_cell("You may read this. " * 3))),
    ("drawn", added(*[ran("chapter = 1\nchapter.show_it()", picture())] * 5)),
    ("drawn", added(*[folded("# drawing: a picture\nplt.plot([1])", picture())] * 5)),
    ("seen", added(*[new_markdown_cell("### 2.20 Bare"), folded(GOOD_CHECK, line(TICK))] * 3)),
]


def test_a_good_chapter_is_accepted():
    assert form.missed(good(), STEM) == []


def refuses(subtests, chapter, spoiled, stem):
    """Each chapter, spoiled in one way, misses its bar."""
    for i, (bar, spoil) in enumerate(spoiled):
        nb = chapter()
        spoil(nb)
        with subtests.test(f"{i}, {bar}"):
            assert bar in [one.split()[0] for one in form.missed(nb, stem)]


def test_a_spoiled_chapter_is_refused(subtests):
    refuses(subtests, good, SPOILED, STEM)


def test_every_bar_is_tried_and_measured():
    bars = {bar for side in form.limits(STEM) for bar in side}
    assert {bar for bar, _ in SPOILED} == bars and bars <= {*form.measure(good())[0]}


NO_TELEGRAMS = [
    "**Both.**",
    "Which one?",
    "This was found by R. A. Fisher.",
    "See Fig. 2 of the book for a picture.",
    "| Both. |\n|---|\n| Not. |",
    "<details><summary>Fold</summary>\n\nBoth. Not. All. Never. None.</details>",
]


def test_what_is_short_and_no_telegram():
    counted = {
        text: form.reading(new_notebook(cells=[new_markdown_cell(text)]))[0]["telegrams"]
        for text in NO_TELEGRAMS
    }
    assert counted == dict.fromkeys(NO_TELEGRAMS, 0)


def test_minutes_are_counted_of_what_stands_open():
    nb = new_notebook(
        cells=[
            new_markdown_cell("word " * 1500 + "<details>" + "word " * 900 + "</details>"),
            ran("x = 1\n" * 80, picture()),
            folded("# check: x\n" + "y = 1\n" * 80),
            new_markdown_cell("$$ a = b \\tag{2.1} $$\n\n$$ c = d \\tag{2.2} $$\n\n$$ e = f \\tag{2.3} $$"),
        ]
    )
    assert form.reading(nb)[0]["minutes"] == 10 + 10 + 1 + 1


ALLOWED = {
    "a drawing": folded("# how it is drawn\ndef show_it(X):\n    show(X)"),
    "NumPy's own": folded("# check: same\nnp.testing.assert_allclose(a, b)"),
    "a chain": folded("# check: (2.1)\nd = Derivation('a')\nd.result('2.1')"),
    "imports": folded("# the machinery\nfrom helpers.chapters import pca as chapter"),
    "a comparison": folded(
        "# check: with and without\nt = compare(f, arms)\nassert t.is_lower('a', 'b')", line("a 1")
    ),
    "a widget": new_code_cell("@interact(k=3)\ndef f(k): pass", metadata={"tags": ["widget"]}),
    "an error that is meant": ran("1 / 0", new_output("error", ename="E", evalue="", traceback=[])),
    "a constant": ran("TOL = 1e-9\ndef close(a): return a < TOL"),
    "IPython's own": ran("%timeit f(1)", line("1 ms")),
    "a picture in a fold": folded("# a picture\nx = f(1)\nshow(x)", picture()),
}


def test_what_may_stand_is_let_stand(subtests):
    for what, cell in ALLOWED.items():
        nb = good()
        nb.cells.append(cell)
        with subtests.test(what):
            assert form.missed(nb, STEM) == []


def test_the_table_names_what_is_missed(tmp_path, capsys):
    nb = good()
    set_(CHECK, outputs=[])(nb)
    nbformat.write(nb, tmp_path / f"{STEM}.ipynb")
    assert form.main([str(tmp_path / f"{STEM}.ipynb"), "--strict", "--cells"]) == 1
    said = capsys.readouterr().out
    assert "mute 1 > 0: cell 5 (# check: most)" in said and re.search(rf"{STEM} +[\d.]+ ", said)
    nbformat.write(good(), tmp_path / f"{STEM}.ipynb")
    assert form.main([str(tmp_path / f"{STEM}.ipynb"), "--strict"]) == 0
