"""The built site: every page is complete, readable in both modes, and asks no other machine for anything."""
import re
from pathlib import Path

import nbformat
import pytest

from tests.site.conftest import pages
from tests.site.visiting import DARK, NO_TRANSITIONS, RUN_AXE, TYPESET, axe
from tools import build_site, site_pages

ROOT = Path(__file__).resolve().parents[2]

def chapters():
    return list(site_pages.notebooks("notebooks"))


def test_every_notebook_has_its_page(site):
    assert {f"notebooks/{path.stem}.html" for path in chapters()} <= set(pages(site))
    assert {f"exercises/{path.stem}.html" for path in site_pages.notebooks("exercises")} <= set(pages(site))
    assert not (site / "solutions").exists()


def test_every_equation_item_and_erratum_can_be_linked_to(site):
    for path, nb in site_pages.notebooks("notebooks").items():
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        ids = re.findall(r'class="anchor" id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        wanted = {f"eq-{number}" for number, home in site_pages.equations().items() if home == path.stem}
        wanted |= {tag.replace(":", "-") for cell in nb.cells for tag in site_pages.tags(cell)
                   if tag.startswith(("item:", "erratum:"))}
        assert wanted <= set(ids)


def test_links_inside_the_site_lead_somewhere(site):
    """To a page, and to a place on it."""
    texts = {name: (site / name).read_text(encoding="utf-8") for name in pages(site)}
    ids = {name: set(re.findall(r'\bid="([^"]+)"', text)) for name, text in texts.items()}
    lost = []
    for name, text in texts.items():
        for link in re.findall(r'<a [^>]*href="([^"]+)"', text):
            page, _, place = link.partition("#")
            if re.match(r"\w+:", link) or page.endswith(".ipynb") or "genindex" in page:
                continue
            target = (site / name).parent.joinpath(page).resolve().relative_to(site.resolve()).as_posix() if page else name
            if target not in ids or (place and place not in ids[target]):
                lost.append(f"{name}: {link}")
    assert lost == []


def test_every_figure_has_its_sentence_as_alt_text_and_caption(site):
    for path, nb in site_pages.notebooks("notebooks").items():
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        alts = re.findall(r'<img alt="([^"]*)"', text.partition("<article")[2])
        captions = [site_pages.caption_of(cell) for cell in nb.cells if cell.cell_type == "code"]
        assert len(alts) == len(list(filter(None, captions)))
        assert all(re.search(r"\d", alt) and len(alt) > 20 for alt in alts)
        assert text.count("<figcaption") == len(alts) and "Figure: " not in text


def test_everything_of_a_chapter_is_on_the_page_of_checks(site):
    text = (site / "checked.html").read_text(encoding="utf-8")
    there = {path.stem[:2] for path in chapters()}
    for one in site_pages.syllabus()["item"]:
        assert one["chapter"] not in there or one["id"] in text
    assert len(re.findall(r'href="notebooks/[^"]+#eq-', text)) == len(site_pages.equations())


def test_faults_are_counted_once_for_each_chapter():
    counts = {"02-pca": {"tags": {"eq:2.5": {"made": 8, "noticed": 7}}}, "13-errata": {"tags": {}}}
    cells = [("02-pca", "a"), ("02-pca", "b"), ("13-errata", "c")]
    assert site_pages.faults_of("eq:2.5", cells, counts) == "7 of 8"
    assert site_pages.faults_of("eq:2.5", cells, {}) == "–"


@pytest.mark.parametrize(("text", "shown"), [
    ("by (2.6)", 'by <a href="#eq-2.6">(2.6)</a>'), ("`(2.6)`", "`(2.6)`"), ("$(2.6)$", "$(2.6)$"),
    ("### On (2.6)", "### On (2.6)"), ("[a (2.6)](b)", "[a (2.6)](b)"), ("(2.999)", "(2.999)"),
    ("$$ (2.6) $$ and (3.1)", '$$ (2.6) $$ and <a href="03-lda-cca-ica.html#eq-3.1">(3.1)</a>')])
def test_equations_that_prose_names_become_links(text, shown):
    assert site_pages.linked(text, "02-pca") == shown


def test_homework_names_equations_of_its_chapter():
    assert 'href="../notebooks/02-pca.html#eq-2.6"' in site_pages.linked("(2.6)", "02-pca", "../notebooks/")


def test_buttons_need_a_repository(site, tmp_path):
    first = (site / "notebooks" / "02-pca.html").read_text(encoding="utf-8")
    assert "mybinder.org" not in first and "colab.research" not in first
    copies = build_site.stage(tmp_path / "src", repository="https://github.com/owner/course", only="02")
    staged = (tmp_path / "src" / "notebooks" / "02-pca.ipynb").read_text(encoding="utf-8")
    assert "mybinder.org/v2/gh/owner/course/HEAD?urlpath=lab/tree/notebooks/02-pca.ipynb" in staged
    assert "github/owner/course/blob/gh-pages/colab/notebooks/02-pca.ipynb" in staged
    colab = nbformat.reads(copies["notebooks/02-pca.ipynb"], as_version=4)
    assert "git+https://github.com/owner/course" in colab.cells[0].source
    assert [cell.source for cell in colab.cells[1:]] == [
        cell.source for cell in nbformat.read(ROOT / "notebooks" / "02-pca.ipynb", as_version=4).cells]


def test_binder_installs_the_pins():
    said = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8").split()
    assert said == ["-r", "../requirements.txt"] and (ROOT / "requirements.txt").exists()


# ---- in a browser

def found(visits, what):
    return [f"{page}: {one}" for page, visit in visits.items() for one in visit[what]]


@pytest.mark.parametrize("look", ["light", "dark, on a phone"])
def test_every_page_is_accessible(visits, look):
    """axe-core finds nothing serious or critical."""
    assert found(visits, look) == []


def test_the_bars_at_the_side_are_accessible_in_the_dark(address, tab):
    tab.goto(address)
    tab.add_style_tag(content=NO_TRANSITIONS)
    tab.evaluate(DARK)
    tab.evaluate(axe())
    assert tab.evaluate(RUN_AXE, {}) == []


def test_no_page_asks_another_machine_for_anything(visits):
    assert found(visits, "asked") == []


def test_no_page_throws_an_error(visits):
    assert found(visits, "thrown") == []


@pytest.mark.parametrize("trouble", ["raw", "waiting", "wrong"])
def test_every_formula_is_typeset(visits, site, trouble):
    formulas = {page: visit["formulas"] for page, visit in visits.items()}
    assert [f"{page}: {tex}" for page, seen in formulas.items() for tex in seen[trouble]] == []
    for page, seen in formulas.items():
        assert bool(seen["shown"]) == ('class="math' in (site / page).read_text(encoding="utf-8")), page


def test_no_page_is_wider_than_a_phone(visits):
    """Formulas, tables and code scroll by themselves."""
    assert found(visits, "wider than a phone") == []


def theme(tab):
    return tab.evaluate("document.documentElement.dataset.theme")


@pytest.mark.parametrize("width", [1300, 400])
def test_the_reader_chooses_light_or_dark(address, tab, width):
    """With the button and its menu; the choice holds on the next page."""
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(f"{address}notebooks/02-pca.html")
    for choice in ("Dark", "Light", "Dark"):
        tab.get_by_role("button", name="Color mode").click()
        tab.get_by_role("button", name=choice, exact=True).click()
        assert theme(tab) == choice.lower()
    tab.goto(address)
    assert theme(tab) == "dark"
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", ground)[:3])) < 60


def test_search_finds_whitening(address, tab):
    tab.goto(f"{address}search.html?q=whitening")
    tab.locator("#search-results li a").first.wait_for()
    assert tab.locator("#search-results a[href*='03-lda-cca-ica']").count() > 0


def test_an_equation_link_lands_on_the_equation(address, tab):
    tab.goto(f"{address}notebooks/02-pca.html")
    tab.evaluate(TYPESET)
    link = tab.locator("article a[href='#eq-2.6']").first
    link.click()
    tab.wait_for_timeout(500)
    place = tab.locator("[id='eq-2.6']").bounding_box()
    assert 0 <= place["y"] < 1000 and tab.url.endswith("#eq-2.6")


def test_the_keyboard_is_enough(address, tab):
    """The first stop skips to the content; a folded proof opens with Enter."""
    tab.goto(f"{address}notebooks/02-pca.html")
    tab.keyboard.press("Tab")
    assert "skip" in tab.evaluate("document.activeElement.textContent").lower()
    fold = tab.locator("article details summary").first
    fold.focus()
    tab.keyboard.press("Enter")
    assert fold.evaluate("s => s.parentElement.open")
