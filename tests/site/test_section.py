"""A section in the form that CONTRIBUTING.md asks for, as a reader sees it: on the site and in
print."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.browsing import served
from tests.site.conftest import new_tab
from tests.site.visiting import TYPESET, visit
from tools import build_site, form
from tools.books import ROOT
from tools.site import chapter_page, notebook_reader

SECTION = Path(__file__).with_name("a-section.ipynb")
ADDRESS = "notebooks/a-section.html"
INDEX = "# Fewer Dimensions\n\n```{toctree}\nnotebooks/a-section\n```\n"


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A site of this one page."""
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("section")
    source, out = folder / "src", folder / "site"
    (source / "notebooks").mkdir(parents=True)
    for name in ("_static", "images"):
        shutil.copytree(ROOT / "docs" / name, source / name)
    chapter_page.copy_mathjax(source / "_static" / "mathjax")
    shutil.copy(ROOT / "docs" / "conf.py", source)
    (source / "index.md").write_text(INDEX, encoding="utf-8")
    nbformat.write(chapter_page.page(section(), "02-pca"), source / ADDRESS.replace("html", "ipynb"))
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", str(source), str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    page = out / ADDRESS
    page.write_text(
        build_site.with_marks(page.read_text(encoding="utf-8"), notebook_reader.marks(section())),
        encoding="utf-8",
    )
    return out


@pytest.fixture(scope="session")
def there(small):
    with served(small) as there:
        yield there


@pytest.fixture(scope="module")
def one_tab(browser, there):
    with new_tab(browser, there) as page:
        yield page


def section():
    return nbformat.read(SECTION, as_version=4)


# ---- the site


def test_every_fold_is_named_by_what_it_leaves_or_does(small):
    text = (small / ADDRESS).read_text(encoding="utf-8")
    names = re.findall(r'<p class="collapsed admonition-title">(.*?)</p>', text)
    assert names[:2] == ["what this page imports", "the machinery: derivations, draws, drawing"]
    assert all(name.startswith("✓ ") and re.search(r"\d", name) for name in names[2:]) and len(names) == 6
    assert "✓ each line checked on 30 draws" in names
    printed = re.findall(r'<div class="output stream.*?</pre>', text, re.S)
    assert len(printed) == 1 and "higher than" in printed[0]  # what was printed open; no tick is said twice


def test_a_fold_stands_below_what_its_cell_shows_and_has_its_own_name(there, tab):
    tab.goto(there + ADDRESS)
    tab.evaluate(TYPESET)
    fold = tab.locator("details.hide", has_text="each line checked").first
    shown = tab.locator("div.cell", has=fold).locator(".cell_output").first
    assert shown.bounding_box()["y"] < fold.bounding_box()["y"]
    assert fold.locator("pre").is_hidden()
    fold.locator("summary").press("Enter")
    assert fold.locator("pre").is_visible()
    assert fold.locator("summary").get_attribute("aria-label") is None


def test_boxes_and_marks(there, tab):
    tab.goto(there + ADDRESS)
    kinds = tab.evaluate("[...document.querySelectorAll('article .box')].map(box => box.className)")
    assert kinds == ["box breaks", "box question", "box myth", "box in-short"]
    assert tab.locator("article .second-reading").inner_text() == "More"
    marked = tab.locator("nav a[data-mark='more']")
    assert marked.count() and "2.3" in marked.first.inner_text()


def test_everybody_can_read_it(there, tab):
    seen = visit(tab, there + ADDRESS, [])
    assert {what: found for what, found in seen.items() if found and what != "formulas"} == {}
    assert seen["formulas"]["raw"] == seen["formulas"]["wrong"] == [] and seen["formulas"]["shown"] > 8


# ---- nothing is cut at the right


CUT = """() => {
    const what = 'mjx-container[display], div.math, .cell_output pre, .cell_input pre';
    return [...document.querySelectorAll(`article :is(${what})`)]
        .filter(one => one.getClientRects().length && one.scrollWidth > one.clientWidth + 1)
        .map(one => `${one.textContent.trim().slice(0, 60)} (${one.scrollWidth} of ${one.clientWidth})`)
}"""
LAPTOP = {"width": 1400, "height": 1000}


def cut(tab, url):
    """Displays, printed lines and open code that are wider than their column on a laptop."""
    tab.set_viewport_size(LAPTOP)
    tab.goto(url)
    tab.evaluate(TYPESET)
    return tab.evaluate(CUT)


def test_nothing_of_the_section_is_cut(there, tab):
    assert cut(tab, there + ADDRESS) == []


def test_what_is_too_wide_is_noticed(there, tab):
    cut(tab, there + ADDRESS)
    tab.evaluate("""() => ['input', 'output'].forEach(one =>
        document.querySelector(`.cell_${one} pre`).textContent = one.repeat(20))""")
    assert [one[0] for one in tab.evaluate(CUT)] == ["i", "o"]


def test_nothing_of_a_chapter_is_cut(address, browser):
    with new_tab(browser, address) as tab:
        found = {stem: cut(tab, f"{address}notebooks/{stem}.html") for stem in form.held()}
    assert {stem: lines for stem, lines in found.items() if lines} == {}
