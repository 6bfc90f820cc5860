"""The built site: every page is complete, readable in both modes, and asks no other machine for anything."""

import json
import re
import tomllib
from urllib.parse import quote, unquote
from zipfile import ZipFile

import nbformat
import pytest

from tests.browsing import axe
from tests.site.conftest import MATHJAX, pages
from tests.site.visiting import DARK, NO_TRANSITIONS, ONE_OF_EACH, TYPESET
from tools import books, build_site, pin
from tools.books import ROOT
from tools.site import chapter_page, code_cells, notebook_reader, own_pages, prose


def chapters():
    return list(notebook_reader.notebooks("notebooks"))


def test_every_notebook_has_its_page(site):
    assert {f"notebooks/{path.stem}.html" for path in chapters()} <= set(pages(site))
    assert {f"exercises/{path.stem}.html" for path in notebook_reader.notebooks("exercises")} <= set(
        pages(site)
    )
    assert not (site / "solutions").exists()


def test_every_equation_item_and_erratum_can_be_linked_to(site):
    for path, nb in notebook_reader.notebooks("notebooks").items():
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        ids = re.findall(r'class="anchor" id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        wanted = {f"eq-{number}" for number, home in notebook_reader.equations().items() if home == path.stem}
        wanted |= {
            tag.replace(":", "-")
            for cell in nb.cells
            for tag in notebook_reader.tags(cell)
            if tag.startswith(("item:", "erratum:"))
        }
        assert wanted <= set(ids)


def test_whatever_is_recommended_has_a_link(site):
    """As many links as years, chapter by chapter; and the page of all of them has each."""
    page = (site / "read-next.html").read_text(encoding="utf-8")
    for path, nb in notebook_reader.notebooks("notebooks").items():
        for found in (own_pages.READ_NEXT.search(cell.source) for cell in nb.cells):
            links = re.findall(r"\]\((https://[^)\s]+)\)", found[1]) if found else []
            assert not found or len(links) == len(re.findall(r"\((?:19|20)\d\d\)", found[1])) > 0, path.name
            assert all(link in page for link in links), path.name


BESIDE = ("_images/", "downloads/", "slides/")


def test_links_inside_the_site_lead_somewhere(site):
    """To a page, and to a place on it."""
    texts = {name: (site / name).read_text(encoding="utf-8") for name in pages(site)}
    ids = {name: set(re.findall(r'\bid="([^"]+)"', text)) for name, text in texts.items()}
    lost = []
    for name, text in texts.items():
        for link in re.findall(r'<a [^>]*href="([^"]+)"', text):
            page, _, place = link.partition("#")
            if re.match(r"\w+:", link) or "genindex" in page:
                continue
            target = (site / name).parent.joinpath(page).resolve() if page else site / name
            target = target.relative_to(site.resolve()).as_posix() if page else name
            if target.startswith(BESIDE) and (site / target).is_file():
                continue  # a figure leads to itself, at its full size
            if target not in ids or (place and place not in ids[target]):
                lost.append(f"{name}: {link}")
    assert lost == []


def test_every_figure_has_its_sentence_as_alt_text_and_caption(site):
    for path, nb in notebook_reader.notebooks("notebooks").items():
        text = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        alts = re.findall(r'<img alt="([^"]*)"', text.partition("<article")[2])
        captions = [notebook_reader.caption_of(cell) for cell in nb.cells if cell.cell_type == "code"]
        assert len(alts) == len(list(filter(None, captions)))
        assert all(re.search(r"\d", alt) and len(alt) > 20 for alt in alts)
        assert text.count("<figcaption") == len(alts) and "Figure: " not in text
        told = re.findall(r'<img alt="[^"]*"([^>]*)>', text.partition("<article")[2])
        assert ['class="panels' in one for one in told] == [*slides(nb)]


def slides(nb):
    """Whether a phone slides each figure: where several panels stand in a row, or one is very wide."""
    drawings = code_cells.drawings_of(nb)
    for cell in nb.cells:
        for picture in [
            out.data["image/png"] for out in outputs_of(cell) if "image/png" in out.get("data", {})
        ]:
            width, _ = notebook_reader.picture_size(picture)
            row = code_cells.side_by_side(cell.source, drawings)
            yield width > code_cells.WIDEST or width > code_cells.WIDE and row


def outputs_of(cell):
    return cell.get("outputs", [])


def test_panels_side_by_side_are_read_from_the_code():
    drawings = {"show_pair": "figure(2, width=9)", "show_one": "figure(width=9)"}
    rows = ["chapter.show_pair(a)", "plt.subplots(1, 3, figsize=(7.5, 2.8))"]
    assert all(code_cells.side_by_side(one, drawings) for one in rows)
    single = ["chapter.show_one(a)", "plt.subplots(figsize=(8.5, 4))"]
    assert not any(code_cells.side_by_side(one, drawings) for one in single)
    assert len(code_cells.drawings_of(notebook_reader.notebook("13-errata"))) > 5  # the module is found


def test_everything_of_a_chapter_is_on_the_page_of_checks(site):
    text = (site / "checked.html").read_text(encoding="utf-8")
    there = {path.stem[:2] for path in chapters()}
    for one in notebook_reader.syllabus()["item"]:
        assert one["chapter"] not in there or one["id"] in text
    assert len(re.findall(r'href="notebooks/[^"]+#eq-', text)) == len(notebook_reader.equations())


def test_faults_are_counted_once_for_each_chapter():
    counts = {"02-pca": {"tags": {"eq:2.5": {"made": 8, "noticed": 7}}}, "13-errata": {"tags": {}}}
    cells = [("02-pca", "a"), ("02-pca", "b"), ("13-errata", "c")]
    assert own_pages.faults_of("eq:2.5", cells, counts) == "7 of 8"
    assert own_pages.faults_of("eq:2.5", cells, {}) == "not tried"
    nothing = {"02-pca": {"tags": {"eq:2.5": {"made": 0, "noticed": 0}}}}
    assert own_pages.faults_of("eq:2.5", cells, nothing) == "no formula to spoil"


def a_check(said, **data):
    outputs = [nbformat.v4.new_output("stream", text=f"12\n{said}\n")] if said else []
    outputs += [nbformat.v4.new_output("display_data", data=data)] if data else []
    return nbformat.v4.new_code_cell("assert True", outputs=outputs)


def test_a_check_says_how_many_faults_it_noticed(monkeypatch):
    cells = [a_check("✓ 3 axes"), a_check("", **{"text/latex": "", "text/plain": "A claim\nchecked on 30"})]
    nb = nbformat.v4.new_notebook(cells=[*cells, a_check("✓ 5 rows")])
    counts = {one.id: {"made": 4, "noticed": 3} for one in cells} | {nb.cells[2].id: {"made": 0}}
    told = {"code": books.digest(nb.cells), "cells": counts}
    monkeypatch.setattr(code_cells, "read_counts", lambda name: {"02-pca": told})
    more = " · 3 of 4 planted faults noticed"
    said = [notebook_reader.evidence_of(one) for one in code_cells.with_faults(nb, "02-pca").cells]
    assert said == ["✓ 3 axes" + more, "✓ checked on 30" + more, "✓ 5 rows"]
    told["code"] = "another"  # counted on other code: nothing is said
    assert more not in notebook_reader.evidence_of(code_cells.with_faults(a_notebook(), "02-pca").cells[0])


def a_notebook():
    return nbformat.v4.new_notebook(cells=[a_check("✓ 3 axes")])


def test_the_total_of_faults_stands_first():
    lines = own_pages.checked_page().splitlines()
    made = sum(one["made"] for one in COUNTED.values())
    assert re.match(rf"\*\*\d+ of {made} small faults", next(line for line in lines[1:] if line))
    assert not re.search(r"\| (?:–|not tried) \|", "\n".join(lines))


def test_every_check_has_a_name_of_its_own():
    names = own_pages.names_of_checks()
    assert len(set(names.values())) == len(names) and "§2.4, check 2" in names.values()


COUNTED = json.loads((ROOT / "docs" / "faults.json").read_text(encoding="utf-8"))
AGAIN = "run tools/try_faults.py notebooks/{0}.ipynb --json docs/faults.json"


def tags_of_checks(nb):
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    return {
        tag for cell in code for tag in notebook_reader.tags(cell) if tag.startswith(notebook_reader.CHECKS)
    }


def test_the_counts_of_faults_name_what_a_chapter_checks(subtests):
    """Unless its code has changed since: then the page says so."""
    books = {path.stem: nb for path, nb in notebook_reader.notebooks("notebooks").items()}
    for stem in sorted(COUNTED.keys() - own_pages.uncounted(COUNTED)):
        with subtests.test(stem):
            assert stem in books, f"no such chapter: take {stem} out of docs/faults.json"
            counted = {*COUNTED[stem]["tags"], *COUNTED[stem]["not_judged"]}
            assert tags_of_checks(books[stem]) == counted, AGAIN.format(stem)


@pytest.mark.parametrize("name", ["faults", "run-times"])
def test_every_notebook_has_its_counts_and_its_time(name):
    written = json.loads((ROOT / "docs" / f"{name}.json").read_text(encoding="utf-8"))
    assert set(written) == {path.stem for path in chapters()}


def test_a_chapter_whose_code_changed_is_named_on_the_page(monkeypatch):
    counts = {
        path.stem: {"code": books.digest(nb.cells), "tags": {}}
        for path, nb in notebook_reader.notebooks("notebooks").items()
    }
    assert own_pages.uncounted(counts) == []
    counts["02-pca"]["code"], counts["05-preprocessing"] = "another", {}
    monkeypatch.setattr(own_pages, "read_counts", lambda name: counts)
    assert "*Not tried, or changed since: 02-pca, 05-preprocessing.*" in own_pages.checked_page()


LINKED = {
    "by (2.6)": 'by <a href="#eq-2.6">(2.6)</a>',
    "`(2.6)`": "`(2.6)`",
    "$(2.6)$": "$(2.6)$",
    "### On (2.6)": "### On (2.6)",
    "[a (2.6)](b)": "[a (2.6)](b)",
    "(2.999)": "(2.999)",
    "section 2.5, section 2.999": '<a href="02-pca.html#2.5-Five-lines">section 2.5</a>, section 2.999',
    "by (2.13)": 'by <a href="02-pca-more.html#eq-2.13">(2.13)</a>',
    "$$ (2.6) $$ and (3.1)": '$$ (2.6) $$ and <a href="03-lda-cca-ica.html#eq-3.1">(3.1)</a>',
}


def test_equations_that_prose_names_become_links():
    assert {text: prose.linked(text, "02-pca") for text in LINKED} == LINKED


def test_homework_names_equations_of_its_chapter():
    assert 'href="../notebooks/02-pca.html#eq-2.6"' in prose.linked("(2.6)", "02-pca", "../notebooks/")


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
        cell.source for cell in nbformat.read(ROOT / "notebooks" / "02-pca.ipynb", as_version=4).cells
    ]


def test_binder_installs_the_pins():
    """What a learner needs, at the versions that are tested, and no more."""
    said = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [one.name for one in pin.direct(project, ["lab"])]
    assert said == ["-c ../requirements.txt", *wanted] and (ROOT / "requirements.txt").exists()


# ---- in a browser


def found(visits, what):
    return [f"{page}: {one}" for page, visit in visits.items() for one in visit[what]]


def test_a_page_that_hinders_readers_is_noticed(tab):
    tab.set_content(
        "<html lang=en><title>one</title><main><h1>One</h1>"
        "<img src='data:,'><p style='color: #ccc'>pale</p></main>"
    )
    assert [one.partition(":")[0] for one in axe(tab)] == ["color-contrast", "image-alt"]


def test_what_is_judged_once_looks_the_same_everywhere(tab):
    """Of like paragraphs one is left, on the next page none; but one in another colour or on other ground."""
    ways = {
        "<p>one</p>": 1,
        "<p>two</p>": 0,
        "<p style='color: #ccc'>pale</p>": 1,
        "<div style='background: #555'><p>on grey</p></div>": 1,
    }
    seen, left = [], {}
    for more in ways:
        tab.set_content(f"<article>{'<p>dark</p>' * 3}{more}</article>")
        seen = tab.evaluate(ONE_OF_EACH, seen)
        left[more] = tab.locator("article p").count()
    assert left == ways


@pytest.mark.parametrize("look", ["light", "dark, on a phone"])
def test_every_page_is_accessible(visits, look):
    """axe-core finds nothing serious or critical."""
    assert found(visits, look) == []


def test_the_bars_at_the_side_are_accessible_in_the_dark(address, tab):
    tab.goto(address)
    tab.add_style_tag(content=NO_TRANSITIONS)
    tab.evaluate(DARK)
    assert axe(tab) == []


def test_no_page_asks_another_machine_for_anything(visits):
    assert found(visits, "asked") == []


def test_no_cell_of_a_table_is_hidden(visits):
    """The heads of data frames, too."""
    assert found(visits, "unseen") == []


def test_no_page_throws_an_error(visits):
    assert found(visits, "thrown") == []


def test_every_formula_is_typeset(visits, site):
    formulas = {page: visit["formulas"] for page, visit in visits.items()}
    for page, seen in formulas.items():
        assert {trouble: seen[trouble] for trouble in ("raw", "waiting", "wrong") if seen[trouble]} == {}, (
            page
        )
        assert bool(seen["shown"]) == ('class="math' in (site / page).read_text(encoding="utf-8")), page


def test_no_page_is_wider_than_a_phone(visits):
    """Formulas, tables and code scroll by themselves."""
    assert found(visits, "wider than a phone") == []


def test_nothing_is_cut_off_on_a_phone(visits):
    """Formulas, code and tables stand whole in their column; what is printed in columns may slide, marked."""
    assert found(visits, "cut off on a phone") == []


def test_formulas_are_no_stops_and_heads_name_rows_or_columns(visits):
    assert found(visits, "for all") == []


def test_each_page_leads_to_what_belongs_to_it(site):
    slides, chapter = (f"../{one}/02-pca.html" for one in ("slides", "notebooks"))
    homework = "../exercises/02-homework.html"
    belongs = {
        "notebooks/02-pca": ["02-pca-more.html", homework, slides],
        "notebooks/02-pca-more": ["02-pca.html"],
        "exercises/02-homework": [chapter, slides],
    }
    for page, others in belongs.items():
        text = (site / f"{page}.html").read_text(encoding="utf-8")
        [bar] = re.findall(r'<nav class="belongs".*?</nav>', text, re.S)
        wanted = [*others, f"../downloads/{page}.ipynb", "../index.html#Take-it-with-you"]
        assert re.findall(r'href="([^"]+)"', bar) == wanted and 'aria-current="page"' in bar
    assert '<b aria-current="page">Capstone</b>' in (site / "exercises" / "15-homework.html").read_text(
        "utf-8"
    )


def test_homework_shows_what_is_given_and_nothing_of_an_answer(site):
    for path, nb in notebook_reader.notebooks("exercises").items():
        for cell in chapter_page.with_given(nb, path.stem).cells:
            assert not (cell.get("outputs") and cell.source.startswith("check("))
    made, read = chapter_page.names_of("mended = mend(notes)\n[i for i in mended]\nif x:\n    x = f(x)")
    assert made == {"mended", "x"} and {"mend", "notes", "x", "f"} <= read and "mended" not in read
    text = (site / "exercises" / "05-homework.html").read_text(encoding="utf-8")
    assert text.partition("<article")[2].count("<figcaption") == 1


def test_the_course_can_be_taken_along(site):
    with ZipFile(site / "downloads" / "fewer-dimensions.zip") as archive:
        names = set(archive.namelist())
    wanted = ("pyproject.toml", "notebooks/02-pca.ipynb", "helpers/derivation.py", "course/cli.py")
    hidden = (".binder/requirements.txt", ".ci/run", ".gitignore", ".github/publish.sh")
    assert {f"fewer-dimensions/{name}" for name in (*wanted, *hidden)} <= names
    left = ("__pycache__", ".progress.jsonl", "/solutions/", ".pytest_cache", "/.venv/", "/.git/")
    assert not [name for name in names if any(part in name for part in left)]


def test_the_site_can_be_published(site):
    """GitHub leaves out what begins with an underscore where there is no .nojekyll."""
    assert (site / ".nojekyll").exists()
    lost = (site / "404.html").read_text(encoding="utf-8")
    assert "ADDRESS" not in lost and 'href="search.html"' in lost
    assert "Suggest edit" not in (site / "notebooks" / "02-pca.html").read_text(encoding="utf-8")


def theme(tab):
    return tab.evaluate("document.documentElement.dataset.theme")


@pytest.mark.parametrize("width", [1300, 400])
@pytest.mark.usefixtures("formulas_as_tex")
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


@pytest.mark.parametrize(
    ("word", "page"), [("whitening", "03-lda-cca-ica"), ("白化", "14-glossary")], ids=["english", "chinese"]
)
@pytest.mark.usefixtures("formulas_as_tex")
def test_search_finds(address, tab, word, page):
    """From the keyboard alone: the shortcut, the word, Enter."""
    tab.goto(address)
    tab.keyboard.press("Control+k")
    tab.keyboard.type(word)
    tab.keyboard.press("Enter")
    tab.locator(f"#search-results a[href*='{page}']").first.wait_for()


# The section that defines what is looked for, by a part of its heading's link.
FIRST_HIT = {
    "whitening": "Whiten",
    "白化": "Whiten",
    "curse of dimensionality": "01-knn",
    "t-SNE": "t-SNE",
    "imbalanced": "12-imbalance",
    "SMOTE": "12-imbalance",
    "soft thresholding": "09-wrappers",
    "eigenfaces": "02-pca",
    "K-SVD": "10-sparse",
    "isomap": "Isomap",
    "bootstrap": "07-model",
    "standardise": "05-prep",
    "one-hot": "05-prep",
    "mutual information": "08-filters",
    "nested cross-validation": "07-model",
    "softmax": "11-multiclass",
    "lasso": "09-wrappers",
    "ROC curve": "12-imbalance",
    "basis pursuit": "06-recovery",
    "restricted isometry": "06-recovery",
}


@pytest.mark.usefixtures("formulas_as_tex")
def test_the_first_hit_defines_the_word(address, tab):
    wrong = {}
    for word, part in FIRST_HIT.items():
        tab.goto(f"{address}search.html?q={quote(word)}")
        first = tab.locator("#search-results ul.search li a").first
        first.wait_for()
        if part not in unquote(first.get_attribute("href")) or "exercises/" in first.get_attribute("href"):
            wrong[word] = first.get_attribute("href")
    assert len(wrong) <= 2, wrong


def test_the_glossary_tells_the_search_where_a_word_is_defined():
    rows = json.loads(own_pages.defined_script().removeprefix("const DEFINED = ").rstrip(";\n"))
    pages = {page for _, page, _, _ in rows}
    assert len(rows) > 300 and all((ROOT / f"{page}.ipynb").exists() for page in pages)


@pytest.mark.usefixtures("formulas_as_tex")
def test_what_is_found_is_shown_in_words(address, tab):
    """No TeX: a formula in its line as signs, a displayed one not at all."""
    tab.goto(f"{address}search.html?q=eigenvalue")
    tab.locator("#search-results p.context").nth(5).wait_for()
    told = " ".join(tab.locator("#search-results p.context").all_inner_texts())
    assert len(told) > 500 and not re.search(r"\\[a-zA-Z(\[]|\$|Color mode|Light\s+Dark", told)
    tab.locator("#search-results a[href*='.html#']").first.wait_for()  # the section, not the top
    tex = r"\(\frac{1}{n} X^\top X \le \lambda_1\)"
    assert tab.evaluate("tex => readable(tex)", tex) == "1/n Xᵀ X ≤ λ₁"


LINKS = [
    ("notebooks/02-pca.html", "checked.html#eq-2.6"),
    ("notebooks/13-errata.html", "07-model-selection.html#"),
    ("exercises/06-homework.html", "notebooks/06-recovery.html#eq-"),
    ("notebooks/14-glossary.html", "03-lda-cca-ica.html#"),
    ("checked.html", "notebooks/04-manifold-learning.html#check-"),
]


@pytest.mark.parametrize(("page", "link"), LINKS, ids=["chapter", "errata", "homework", "glossary", "checks"])
@pytest.mark.usefixtures("formulas_as_tex")
def test_a_link_lands_on_its_place(address, tab, page, link):
    """In sight, also after the formulas above it were typeset; those around the link are not."""
    tab.goto(address + page)
    tab.evaluate("document.querySelectorAll('article details').forEach(fold => fold.open = true)")
    tab.unroute(MATHJAX)
    with tab.expect_event("framenavigated"):
        tab.locator(f"article a[href*='{link}']:visible").first.click()
    tab.wait_for_load_state()
    if tab.locator("script[src*='/mathjax/']").count():
        assert tab.evaluate(TYPESET)
    place = "document.getElementById(decodeURIComponent(location.hash.slice(1)))"
    tab.wait_for_function(
        f"() => {{ const y = {place}?.getBoundingClientRect().y; return 0 <= y && y < innerHeight }}"
    )
    assert link.partition("#")[0] in tab.url


@pytest.mark.usefixtures("formulas_as_tex")
def test_no_result_gives_a_bet_away(address, tab):
    """All folds closed, none of the errata's results is in sight; opened, it stands above its code."""
    tab.goto(f"{address}notebooks/13-errata.html")
    results = tab.locator("article .cell_output")
    folds = tab.locator("article details.hide", has_text="check: ")
    assert results.count() == folds.count() == len(notebook_reader.syllabus()["erratum"])
    assert "✓" not in tab.locator("article").inner_text()
    assert not any(one.is_visible() for one in results.all())
    first = folds.first
    first.locator("summary").press("Enter")
    shown, code = first.locator(".cell_output").bounding_box(), first.locator(".cell_input").bounding_box()
    assert 0 < shown["y"] < code["y"]


@pytest.mark.usefixtures("formulas_as_tex")
def test_the_keyboard_is_enough(address, tab):
    """The first stop skips to the content; a folded proof opens with Enter."""
    tab.goto(f"{address}notebooks/02-pca.html")
    tab.keyboard.press("Tab")
    assert "skip" in tab.evaluate("document.activeElement.textContent").lower()
    tab.keyboard.press("Enter")
    assert tab.url.endswith("#main-content")
    fold = tab.locator("article details summary").first
    fold.focus()
    tab.keyboard.press("Enter")
    assert fold.evaluate("s => s.parentElement.open")


def test_the_keyboard_comes_round(address, tab):
    """No place keeps it: from the first stop back to the first, through every link of the start page."""
    tab.goto(address)
    stops = []
    for _ in range(200):
        tab.keyboard.press("Tab")
        stops.append(tab.evaluate("document.activeElement.outerHTML"))
        if stops.count(stops[0]) == 2:
            break
    assert stops.count(stops[0]) == 2 and len(set(stops)) > 30
